#include "formats/record_unit.h"

#include <string.h>

#define ROW(name, quantity, factor) {name, quantity, factor},
static const struct sg_record_unit units[] = {SG_RECORD_UNITS(ROW, ROW)};
#undef ROW

enum { COUNT = sizeof units / sizeof *units };

const struct sg_record_unit *sg_record_unit_at(int index)
{
    return &units[index];
}

int sg_record_unit_find(const char *name)
{
    for (int k = 0; k < COUNT; k++)
        if (strcmp(units[k].name, name) == 0) return k;
    return -1;
}
