/* All samples as XDMF 3: the text says where in a file of plain numbers a program finds mesh and fields. The
 * numbers are copies: ParaView's vectors have three parts, and readers of XDMF differ in what they make of
 * slabs of a foreign HDF5 file. */
#include "exporting/export.h"

#include <stdint.h>
#include <string.h>

#include "results/element_shape.h"

enum { NAME = 300 };

struct xdmf {
    struct sg_scene *scene;
    FILE *text, *data;
    char text_name[NAME], data_name[NAME];
    size_t at;             /* bytes written to `data` */
    size_t cells, indices; /* where the topology lies, and how many numbers it has */
    size_t points;         /* where the positions lie */
};

static const char *byte_order(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1 ? "Little" : "Big";
}

/* XDMF's number of a shape, and whether the count of nodes follows it */
static int32_t code_of(int shape, bool *counted)
{
    static const int32_t codes[SG_SHAPE_COUNT] = {
        [SG_SHAPE_POINT] = 1, [SG_SHAPE_LINE2] = 2, [SG_SHAPE_LINE3] = 34, [SG_SHAPE_TRI3] = 4,
        [SG_SHAPE_TRI6] = 36, [SG_SHAPE_QUAD4] = 5, [SG_SHAPE_QUAD8] = 37, [SG_SHAPE_QUAD9] = 35};
    *counted = shape == SG_SHAPE_POINT || shape == SG_SHAPE_LINE2;
    return codes[shape];
}

static void put_integer(struct xdmf *x, int32_t value)
{
    fwrite(&value, sizeof value, 1, x->data);
    x->at += sizeof value;
    x->indices++;
}

static void put_numbers(struct xdmf *x, const double *values, size_t count)
{
    fwrite(values, sizeof *values, count, x->data);
    x->at += count * sizeof *values;
}

static void put_topology(struct xdmf *x)
{
    x->cells = x->at;
    for (size_t c = 0; c < x->scene->cell_count; c++) {
        int nodes[SG_SHAPE_NODES], shape;
        bool counted;
        size_t count = sg_scene_cell(x->scene, c, nodes, &shape);
        put_integer(x, code_of(shape, &counted));
        if (counted) put_integer(x, (int32_t)count);
        for (size_t k = 0; k < count; k++) put_integer(x, nodes[k]);
    }
}

static void put_positions(struct xdmf *x)
{
    const struct sg_mesh *mesh = &x->scene->mesh;
    x->points = x->at;
    for (size_t i = 0; i < mesh->node_count; i++) {
        double place[3] = {0.0, 0.0, 0.0};
        memcpy(place, mesh->positions + i * mesh->dim, mesh->dim * sizeof *place);
        put_numbers(x, place, 3);
    }
}

static void put_text(FILE *file, const char *text)
{
    for (; *text != '\0'; text++) {
        const char *entity = *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : NULL;
        if (*text == '"') entity = "&quot;";
        if (entity != NULL)
            fputs(entity, file);
        else
            fputc(*text, file);
    }
}

struct item {
    const char *type;
    int bytes;
    size_t seek, count, parts;
};

static void put_item(const struct xdmf *x, struct item item)
{
    fprintf(x->text, "     <DataItem Format=\"Binary\" NumberType=\"%s\" Precision=\"%d\" Endian=\"%s\" ",
            item.type, item.bytes, byte_order());
    fprintf(x->text, "Seek=\"%zu\" Dimensions=\"%zu", item.seek, item.count);
    if (item.parts > 1) fprintf(x->text, " %zu", item.parts);
    fputs("\">", x->text);
    put_text(x->text, x->data_name);
    fputs("</DataItem>\n", x->text);
}

static void put_mesh(const struct xdmf *x)
{
    fprintf(x->text, "    <Topology TopologyType=\"Mixed\" NumberOfElements=\"%zu\">\n",
            x->scene->cell_count);
    put_item(x, (struct item){"Int", 4, x->cells, x->indices, 1});
    fputs("    </Topology>\n    <Geometry GeometryType=\"XYZ\">\n", x->text);
    put_item(x, (struct item){"Float", 8, x->points, x->scene->mesh.node_count, 3});
    fputs("    </Geometry>\n", x->text);
}

static sg_status put_field(struct xdmf *x, const struct sg_scene_field *field, size_t row,
                           struct sg_error *err)
{
    size_t items = sg_scene_items(x->scene, field), seek = x->at;
    TRY(sg_scene_read(x->scene, field, row, err));
    put_numbers(x, x->scene->values, items * field->size);
    fputs("    <Attribute Name=\"", x->text);
    put_text(x->text, field->name);
    fprintf(x->text, "\" AttributeType=\"%s\" Center=\"%s\">\n", field->size == 3 ? "Vector" : "Scalar",
            field->cells ? "Cell" : "Node");
    put_item(x, (struct item){"Float", 8, seek, items, field->size});
    fputs("    </Attribute>\n", x->text);
    return SG_OK;
}

static sg_status put_sample(struct xdmf *x, size_t row, struct sg_error *err)
{
    double t;
    TRY(sg_reader_rows(x->scene->source->reader, x->scene->time, row, 1, &t, err));
    fprintf(x->text, "   <Grid Name=\"%zu\" GridType=\"Uniform\">\n    <Time Value=\"%.17g\"/>\n", row, t);
    put_mesh(x);
    for (size_t k = 0; k < x->scene->field_count; k++) TRY(put_field(x, &x->scene->fields[k], row, err));
    fputs("   </Grid>\n", x->text);
    return SG_OK;
}

static sg_status put_all(struct xdmf *x, struct sg_error *err)
{
    put_positions(x);
    put_topology(x);
    /* numbers of 8 bytes lie at multiples of 8 */
    while (x->at % 8 != 0) {
        fputc(0, x->data);
        x->at++;
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"3.0\">\n <Domain>\n", x->text);
    fputs("  <Grid Name=\"", x->text);
    put_text(x->text, x->scene->stem);
    fputs("\" GridType=\"Collection\" CollectionType=\"Temporal\">\n", x->text);
    for (size_t row = 0; row < x->scene->time->rows; row++) TRY(put_sample(x, row, err));
    fputs("  </Grid>\n </Domain>\n</Xdmf>\n", x->text);
    return SG_OK;
}

sg_status sg_export_xdmf(struct sg_scene *scene, const char *folder, struct sg_text *told,
                         struct sg_error *err)
{
    struct xdmf x = {.scene = scene};
    snprintf(x.text_name, NAME, "%.250s.xdmf", scene->stem);
    snprintf(x.data_name, NAME, "%.250s.xdmf.bin", scene->stem);
    sg_status status = sg_export_open(folder, x.text_name, &x.text, err);
    if (status == SG_OK) status = sg_export_open(folder, x.data_name, &x.data, err);
    if (status == SG_OK) status = put_all(&x, err);
    status = sg_export_close(x.data, x.data_name, status, err);
    status = sg_export_close(x.text, x.text_name, status, err);
    if (status == SG_OK)
        sg_text_append(told, "%zu samples in %s/%s\n", scene->time->rows, folder, x.text_name);
    return status;
}
