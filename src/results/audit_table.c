#include "results/audit_table.h"

#include <stdio.h>
#include <string.h>

enum { CHUNK = SG_AUDIT_ITEMS };

/* as in the file */
struct row {
    char name[SG_AUDIT_NAME];
    double value, limit;
    char verdict[SG_AUDIT_VERDICT];
    char about[SG_AUDIT_ABOUT];
};

/* NUL-padded UTF-8 of `size` bytes */
static hid_t text_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0) return type;
    sg_hdf_close(type);
    return H5I_INVALID_HID;
}

static hid_t row_type(void)
{
    hid_t name = text_type(SG_AUDIT_NAME), verdict = text_type(SG_AUDIT_VERDICT),
          about = text_type(SG_AUDIT_ABOUT);
    hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(struct row));
    bool made = type >= 0 && H5Tinsert(type, "name", offsetof(struct row, name), name) >= 0 &&
                H5Tinsert(type, "value", offsetof(struct row, value), H5T_NATIVE_DOUBLE) >= 0 &&
                H5Tinsert(type, "limit", offsetof(struct row, limit), H5T_NATIVE_DOUBLE) >= 0 &&
                H5Tinsert(type, "verdict", offsetof(struct row, verdict), verdict) >= 0 &&
                H5Tinsert(type, "about", offsetof(struct row, about), about) >= 0;
    sg_hdf_close(name);
    sg_hdf_close(verdict);
    sg_hdf_close(about);
    if (made) return type;
    sg_hdf_close(type);
    return H5I_INVALID_HID;
}

static sg_status describe(hid_t table, struct sg_error *err)
{
    TRY(sg_hdf_put_text_attribute(table, "units", "1", err));
    return sg_hdf_put_text_attribute(
        table, "description",
        "checks of the run: value, limit, and the verdict exact, good, lossy, doubtful or wrong", err);
}

sg_status sg_audit_table_create(hid_t summary, hid_t *table, struct sg_error *err)
{
    hsize_t none = 0, most = H5S_UNLIMITED, chunk = CHUNK;
    hid_t type = row_type(), space = H5Screate_simple(1, &none, &most), list = H5Pcreate(H5P_DATASET_CREATE);
    bool ready = type >= 0 && space >= 0 && list >= 0 && H5Pset_chunk(list, 1, &chunk) >= 0;
    *table =
        ready ? H5Dcreate2(summary, "audit", type, space, H5P_DEFAULT, list, H5P_DEFAULT) : H5I_INVALID_HID;
    sg_status status = *table >= 0 ? SG_OK : sg_hdf_fail(err, SG_WRITE_FAILED, summary, "create", "audit");
    sg_hdf_close(list);
    sg_hdf_close(space);
    sg_hdf_close(type);
    TRY(status);
    return describe(*table, err);
}

hid_t sg_audit_table_reopen(hid_t summary)
{
    if (H5Lexists(summary, "audit", H5P_DEFAULT) <= 0) return H5I_INVALID_HID;
    return H5Dopen2(summary, "audit", H5P_DEFAULT);
}

static void pack(const struct sg_audit_list *list, struct row *rows)
{
    memset(rows, 0, SG_AUDIT_ITEMS * sizeof *rows);
    for (size_t i = 0; i < list->count; i++) {
        const struct sg_audit_item *item = &list->items[i];
        rows[i].value = item->value;
        rows[i].limit = item->limit;
        snprintf(rows[i].name, sizeof rows[i].name, "%s", item->name);
        snprintf(rows[i].verdict, sizeof rows[i].verdict, "%s", sg_verdict_name((int)item->verdict));
        snprintf(rows[i].about, sizeof rows[i].about, "%s", item->about);
    }
}

sg_status sg_audit_table_write(hid_t table, const struct sg_audit_list *list, struct sg_error *err)
{
    struct row rows[SG_AUDIT_ITEMS];
    hsize_t count = list->count;
    if (table < 0 || count == 0) return SG_OK;
    pack(list, rows);
    hid_t type = row_type(), memory = H5Screate_simple(1, &count, NULL);
    bool written = type >= 0 && memory >= 0 && H5Dset_extent(table, &count) >= 0 &&
                   H5Dwrite(table, type, memory, H5S_ALL, H5P_DEFAULT, rows) >= 0;
    sg_status status = written ? SG_OK : sg_hdf_fail(err, SG_WRITE_FAILED, table, "write", "audit");
    sg_hdf_close(memory);
    sg_hdf_close(type);
    return status;
}

static enum sg_audit_verdict verdict_of(const char *name)
{
    enum sg_audit_verdict verdict = SG_VERDICT_EXACT;
    while (verdict < SG_VERDICT_WRONG && strcmp(sg_verdict_name((int)verdict), name) != 0) verdict++;
    return verdict;
}

static void unpack(const struct row *row, struct sg_audit_item *item)
{
    char verdict[SG_AUDIT_VERDICT + 1] = "";
    memcpy(verdict, row->verdict, SG_AUDIT_VERDICT);
    *item = (struct sg_audit_item){.value = row->value, .limit = row->limit, .verdict = verdict_of(verdict)};
    memcpy(item->name, row->name, sizeof item->name - 1);
    memcpy(item->about, row->about, sizeof item->about - 1);
}

void sg_audit_table_read(hid_t summary, struct sg_audit_list *list)
{
    struct row rows[SG_AUDIT_ITEMS];
    hid_t table = sg_audit_table_reopen(summary), type = row_type();
    hid_t space = table >= 0 ? H5Dget_space(table) : H5I_INVALID_HID;
    hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
    list->count = 0;
    if (count > 0 && count <= SG_AUDIT_ITEMS &&
        H5Dread(table, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0)
        list->count = (size_t)count;
    for (size_t i = 0; i < list->count; i++) unpack(&rows[i], &list->items[i]);
    sg_hdf_close(space);
    sg_hdf_close(type);
    sg_hdf_close(table);
}
