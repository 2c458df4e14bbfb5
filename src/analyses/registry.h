/* The kinds of analysis, for the deck's `analysis`. */
#ifndef SG_ANALYSES_REGISTRY_H
#define SG_ANALYSES_REGISTRY_H

#include "deck/keyword.h"

extern const struct sg_kind_set sg_analysis_kinds;

#endif
