#include "model/names.h"

#include <string.h>

#include "support/memory.h"

const char *sg_axis_name(size_t axis)
{
    static const char *const names[] = {"x", "y", "z"};
    return names[axis < 3 ? axis : 2];
}

const struct sg_model_body *sg_model_body_called(const struct sg_model_names *names, const char *name,
                                                 size_t length)
{
    for (size_t k = 0; k < names->body_count; k++) {
        const char *candidate = names->bodies[k].name;
        if (strncmp(candidate, name, length) == 0 && candidate[length] == '\0') return &names->bodies[k];
    }
    return NULL;
}

enum { LISTED_BODIES = 12 };

void sg_model_no_body(const struct sg_model_names *names, const struct sg_node_name *name,
                      struct sg_diagnostics *diagnostics)
{
    SG_LOCAL_TEXT(list);
    for (size_t k = 0; k < names->body_count && k < LISTED_BODIES; k++)
        sg_text_append(&list, "%s'%s'", k == 0 ? "" : ", ", names->bodies[k].name);
    if (names->body_count > LISTED_BODIES)
        sg_text_append(&list, " and %zu more", names->body_count - LISTED_BODIES);
    sg_complain_about(diagnostics, SG_ERROR, name->group, name->keyword,
                      "'%.100s' names no body: there is %s", name->text, sg_text_view(&list));
}

const struct sg_model_body *sg_model_find_body(const struct sg_model_names *names,
                                               const struct sg_node_name *name,
                                               struct sg_diagnostics *diagnostics)
{
    const struct sg_model_body *body = sg_model_body_called(names, name->text, strlen(name->text));
    if (body == NULL) sg_model_no_body(names, name, diagnostics);
    return body;
}
