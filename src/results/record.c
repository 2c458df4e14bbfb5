#include "results/record.h"

size_t sg_point_width(const struct sg_point_column *columns, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += columns[i].width > 0 ? columns[i].width : 1;
    return sum;
}
