#define _POSIX_C_SOURCE 200809L
#include "results/layout.h"

#include <limits.h>
#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "results/element_shape.h"
#include "results/observer.h"

enum { STATUS_SIZE = 16, HOST_SIZE = 256 };

static const char *const event_kind_names[] = {
    [SG_EVENT_CLOSE] = "close", [SG_EVENT_OPEN] = "open", [SG_EVENT_IMPACT] = "impact",
    [SG_EVENT_STICK] = "stick", [SG_EVENT_SLIP] = "slip", [SG_EVENT_CHANGE] = "change"};

enum { EVENT_KINDS = sizeof event_kind_names / sizeof *event_kind_names };

hid_t sg_layout_event_kind_type(void)
{
    hid_t type = H5Tenum_create(H5T_NATIVE_INT8);
    for (signed char kind = 0; type >= 0 && kind < EVENT_KINDS; kind++) {
        if (H5Tenum_insert(type, event_kind_names[kind], &kind) >= 0) continue;
        H5Tclose(type);
        type = H5I_INVALID_HID;
    }
    return type;
}

const char *sg_layout_event_kind_name(int kind)
{
    return kind >= 0 && kind < EVENT_KINDS ? event_kind_names[kind] : "?";
}

static hid_t summary_type(const struct sg_summary_row *row)
{
    return row->real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_LLONG;
}

static sg_status create_summary(hid_t file, hid_t *summary, struct sg_error *err)
{
    static const struct sg_summary zero;
    TRY(sg_hdf_create_group(file, "summary", summary, err));
    const struct sg_summary_row *row = NULL;
    for (size_t i = 0; (row = sg_summary_row(i)) != NULL; i++) {
        const char *value = (const char *)&zero + row->offset;
        TRY(sg_hdf_put_attribute(*summary, row->name, summary_type(row), value, err));
    }
    return SG_OK;
}

sg_status sg_layout_set_summary(hid_t summary, const struct sg_summary *values, struct sg_error *err)
{
    const struct sg_summary_row *row = NULL;
    for (size_t i = 0; (row = sg_summary_row(i)) != NULL; i++) {
        const char *value = (const char *)values + row->offset;
        TRY(sg_hdf_set_attribute(summary, row->name, summary_type(row), value, err));
    }
    return SG_OK;
}

void sg_layout_get_summary(hid_t summary, struct sg_summary *values)
{
    *values = (struct sg_summary){0};
    const struct sg_summary_row *row = NULL;
    for (size_t i = 0; (row = sg_summary_row(i)) != NULL; i++) {
        hid_t attribute = H5Aopen(summary, row->name, H5P_DEFAULT);
        if (attribute >= 0) H5Aread(attribute, summary_type(row), (char *)values + row->offset);
        sg_hdf_close(attribute);
    }
}

static hid_t status_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, STATUS_SIZE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0)
        return type;
    sg_hdf_close(type);
    return H5I_INVALID_HID;
}

static void fill_status(char text[STATUS_SIZE], const char *status)
{
    memset(text, 0, STATUS_SIZE);
    memcpy(text, status, strnlen(status, STATUS_SIZE - 1));
}

sg_status sg_layout_set_status(hid_t root, const char *status, struct sg_error *err)
{
    char text[STATUS_SIZE];
    fill_status(text, status);
    hid_t type = status_type();
    sg_status result = sg_hdf_set_attribute(root, "status", type, text, err);
    sg_hdf_close(type);
    return result;
}

static sg_status create_status(hid_t root, struct sg_error *err)
{
    char text[STATUS_SIZE];
    fill_status(text, "running");
    hid_t type = status_type();
    sg_status result = sg_hdf_put_attribute(root, "status", type, text, err);
    sg_hdf_close(type);
    return result;
}

static const char *text_or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

static sg_status write_root(hid_t root, const struct sg_recorder_spec *run, struct sg_error *err)
{
    char host[HOST_SIZE] = "", created[32] = "";
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) != NULL) strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", &utc);
    gethostname(host, sizeof host - 1);
    const char *const rows[][2] = {
        {"title", text_or_empty(run->title)},
        {"program", "signorini"},
        {"version", text_or_empty(run->version)},
        {"commit", text_or_empty(run->commit)},
        {"created", created},
        {"deck_sha256", text_or_empty(run->deck_sha256)},
        {"resolved_sha256", text_or_empty(run->resolved_sha256)},
        {"host", host},
        {"conventions", SG_CONVENTIONS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        TRY(sg_hdf_put_text_attribute(root, rows[i][0], rows[i][1], err));
    if (run->labels->mass_note != NULL)
        TRY(sg_hdf_put_text_attribute(root, "mass", run->labels->mass_note, err));
    return create_status(root, err);
}

static sg_status put_all(hid_t file, const char *group_name, const struct sg_hdf_array *arrays, size_t count,
                         struct sg_error *err)
{
    hid_t group = H5I_INVALID_HID;
    sg_status status = sg_hdf_create_group(file, group_name, &group, err);
    for (size_t i = 0; i < count && status == SG_OK; i++) status = sg_hdf_put(group, &arrays[i], err);
    sg_hdf_close(group);
    return status;
}

static sg_status write_deck(hid_t file, hid_t text, const struct sg_recorder_spec *run, struct sg_error *err)
{
    const char *source = text_or_empty(run->deck_source), *resolved = text_or_empty(run->deck_resolved);
    const struct sg_hdf_array arrays[] = {
        {"source", "1", "the deck as given", text, 0, {0, 0}, &source},
        {"resolved", "1", "the deck with every default and override filled in", text, 0, {0, 0}, &resolved},
    };
    return put_all(file, "deck", arrays, 2, err);
}

static hid_t shape_type(void)
{
    hid_t type = H5Tenum_create(H5T_NATIVE_INT8);
    for (signed char shape = 0; type >= 0 && shape < SG_SHAPE_COUNT; shape++) {
        if (H5Tenum_insert(type, sg_element_shape_name((enum sg_element_shape)shape), &shape) >= 0) continue;
        H5Tclose(type);
        type = H5I_INVALID_HID;
    }
    return type;
}

static sg_status write_model(hid_t file, hid_t text, const struct sg_model_labels *m, struct sg_error *err)
{
    hid_t shape = shape_type();
    const struct sg_hdf_array arrays[] = {
        {"dof_names",
         "1",
         "degrees of freedom: columns of displacement and velocity",
         text,
         1,
         {m->dof_count, 0},
         m->dof_names},
        {"dof_nodes",
         "1",
         "node of each degree of freedom, counted from 0",
         H5T_NATIVE_INT,
         1,
         {m->dof_count, 0},
         m->dof_nodes},
        {"contact_names",
         "1",
         "contacts: columns of gap, contact_force ...",
         text,
         1,
         {m->contact_count, 0},
         m->contact_names},
        {"constraint_names",
         "1",
         "rows of bilateral constraints: columns of constraint_force ...",
         text,
         1,
         {m->constraint_count, 0},
         m->constraint_names},
        {"body_names", "1", "bodies", text, 1, {m->body_count, 0}, m->body_names},
        {"node_positions",
         "m",
         "nodes in the reference configuration",
         H5T_NATIVE_DOUBLE,
         2,
         {m->node_count, m->dim},
         m->node_positions},
        {"node_bodies",
         "1",
         "body of each node, counted from 0",
         H5T_NATIVE_INT,
         1,
         {m->node_count, 0},
         m->node_bodies},
        {"element_nodes",
         "1",
         "the nodes of each element, counted from 0 and in the order of VTK; then -1",
         H5T_NATIVE_INT,
         2,
         {m->element_count, m->element_width},
         m->element_nodes},
        {"element_shape", "1", "what each element is", shape, 1, {m->element_count, 0}, m->element_shapes},
        /* these two last: not all models have storeys */
        {"storey_names", "1", "storeys: columns of drift", text, 1, {m->storey_count, 0}, m->storey_names},
        {"storey_heights",
         "m",
         "height of each storey",
         H5T_NATIVE_DOUBLE,
         1,
         {m->storey_count, 0},
         m->storey_heights},
    };
    size_t count = sizeof arrays / sizeof *arrays - (m->storey_count == 0 ? 2 : 0);
    sg_status status = put_all(file, "model", arrays, count, err);
    sg_hdf_close(shape);
    return status;
}

static sg_status write_arrays(hid_t file, hid_t text, const struct sg_recorder_arrays *arrays,
                              struct sg_error *err)
{
    hid_t group = H5I_INVALID_HID;
    if (arrays->group == NULL) return SG_OK;
    sg_status status = sg_hdf_create_group(file, arrays->group, &group, err);
    for (size_t i = 0; i < arrays->count && status == SG_OK; i++) {
        const struct sg_recorder_array *item = &arrays->items[i];
        bool numbers = item->values != NULL;
        struct sg_hdf_array array = {item->name,
                                     item->unit,
                                     item->description,
                                     numbers ? H5T_NATIVE_DOUBLE : text,
                                     1,
                                     {arrays->length, 0},
                                     numbers ? (const void *)item->values : (const void *)item->texts};
        status = sg_hdf_put(group, &array, err);
    }
    sg_hdf_close(group);
    return status;
}

sg_status sg_layout_write(hid_t file, hid_t root, const struct sg_recorder_spec *run, hid_t *summary,
                          struct sg_error *err)
{
    hid_t text = sg_hdf_text_type();
    sg_status status = write_root(root, run, err);
    if (status == SG_OK) status = write_deck(file, text, run, err);
    if (status == SG_OK) status = write_model(file, text, run->labels, err);
    if (status == SG_OK) status = write_arrays(file, text, &run->arrays, err);
    if (status == SG_OK) status = create_summary(file, summary, err);
    sg_hdf_close(text);
    return status;
}
