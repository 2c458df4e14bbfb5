/* The grammar of a deck: the top-level groups, each with the rows of the room that reads it. */
#ifndef SG_JOBS_GRAMMAR_H
#define SG_JOBS_GRAMMAR_H

#include <stddef.h>

#include "deck/keyword.h"

extern const struct sg_keyword sg_grammar[];

struct sg_output_spec {
    double every;
    int events;
    struct sg_texts histories;
    struct sg_texts nodes;
    double checkpoint;
};

extern const struct sg_keyword sg_output_rows[];
extern const struct sg_keyword sg_time_rows[];

#endif
