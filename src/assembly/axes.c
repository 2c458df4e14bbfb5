#include "assembly/axes.h"

#include <string.h>

bool sg_axes_read(const char *text, const char *known, bool meant[SG_AXIS_LETTERS])
{
    static const char letters[] = "xyzr";
    memset(meant, 0, SG_AXIS_LETTERS * sizeof *meant);
    for (const char *next = text; *next != '\0'; next++) {
        if (strchr(known, *next) == NULL) return false;
        size_t way = (size_t)(strchr(letters, *next) - letters);
        if (meant[way]) return false;
        meant[way] = true;
    }
    return *text != '\0';
}
