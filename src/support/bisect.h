/* Bisection of what is sorted.
 *
 *     size_t low = 0;
 *     SG_BISECT(low, count, middle, x[middle] < wanted);
 *
 * moves `low` up to the first index below `count` at which the condition, which holds up to somewhere and not
 * from there on, does not hold; to `count` if it holds everywhere. In the condition `middle` is the index. */
#ifndef SG_SUPPORT_BISECT_H
#define SG_SUPPORT_BISECT_H

#include <stddef.h>

#define SG_BISECT(low, count, middle, condition)                                                             \
    for (size_t sg_high_ = (count), middle = 0; (low) < sg_high_;) {                                         \
        middle = (low) + (sg_high_ - (low)) / 2;                                                             \
        if (condition)                                                                                       \
            (low) = middle + 1;                                                                              \
        else                                                                                                 \
            sg_high_ = middle;                                                                               \
    }

#endif
