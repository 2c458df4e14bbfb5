#include "assembly/bodies/body.h"
#include "assembly/builder.h"
#include "formats/matrix_market.h"
#include "formats/name_list.h"
#include "support/memory.h"

struct spec {
    const char *mass, *damping, *stiffness, *positions, *names;
};

static const struct sg_keyword rows[] = {
    {.name = "mass",
     .type = SG_TEXT,
     .unit = "kg",
     .meaning =
         "Matrix Market file of the mass matrix, relative to the deck: a row a dof, each dof is a node",
     .example = "\"mass.mtx\"",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct spec, mass)},
    {.name = "stiffness",
     .type = SG_TEXT,
     .unit = "N/m",
     .meaning = "file of the stiffness matrix, of the same size",
     .example = "\"stiffness.mtx\"",
     .flags = SG_REQUIRED,
     .offset = offsetof(struct spec, stiffness)},
    {.name = "damping",
     .type = SG_TEXT,
     .unit = "N s/m",
     .meaning = "file of the damping matrix, of the same size; the deck's group 'damping' adds to it",
     .example = "\"damping.mtx\"",
     .offset = offsetof(struct spec, damping)},
    {.name = "positions",
     .type = SG_TEXT,
     .unit = "m",
     .meaning = "file of one column, the coordinate of each dof; without it all are 0",
     .example = "\"positions.mtx\"",
     .offset = offsetof(struct spec, positions)},
    {.name = "names",
     .type = SG_TEXT,
     .meaning = "file of a name a dof, one a line, '-' for none: BODY.NAME is then a node too",
     .example = "\"names.txt\"",
     .offset = offsetof(struct spec, names)},
    {0}};

/* This is read once; what the deck does not give is empty. */
struct files {
    struct sg_market mass, damping, stiffness, positions;
    struct sg_name_list names;
};

static struct sg_table_source file_of(const struct sg_body_source *source, const char *keyword,
                                      const char *file)
{
    return (struct sg_table_source){.deck = source->deck,
                                    .group = source->node,
                                    .keyword = keyword,
                                    .file = file,
                                    .arena = source->arena};
}

/* --- reading -------------------------------------------------------------------------------------- */

/* Faults of one file don't keep those of the others from being told; the worst of them is kept. */
static sg_status worse(sg_status before, sg_status now)
{
    if (now == SG_OK || before == SG_NO_INPUT) return before;
    return now;
}

static bool is_finding(sg_status status)
{
    return status == SG_OK || status == SG_BAD_DECK || status == SG_NO_INPUT;
}

/* A matrix of `n` rows and `columns`; n 0: any square one. */
static sg_status check_size(const struct sg_body_source *source, const struct sg_table_source *file,
                            const struct sg_market *market, const size_t wanted[2])
{
    size_t rows_wanted = wanted[0], columns_wanted = wanted[1];
    if (rows_wanted == 0 && market->rows == market->columns) return SG_OK;
    if (rows_wanted == 0)
        sg_complain_about(source->diagnostics, SG_ERROR, source->node, file->keyword,
                          "'%s' is %zu x %zu: it must be square", file->file, market->rows, market->columns);
    if (rows_wanted == 0 || (market->rows == rows_wanted && market->columns == columns_wanted))
        return rows_wanted == 0 ? SG_BAD_DECK : SG_OK;
    sg_complain_about(source->diagnostics, SG_ERROR, source->node, file->keyword,
                      "'%s' is %zu x %zu where the mass matrix asks for %zu x %zu", file->file, market->rows,
                      market->columns, rows_wanted, columns_wanted);
    return SG_BAD_DECK;
}

static sg_status read_matrix(const struct sg_body_source *source, const struct sg_table_source *file,
                             const size_t wanted[2], struct sg_market *market)
{
    if (file->file == NULL) return SG_OK;
    TRY(sg_market_read(file, market, source->diagnostics, source->err));
    return check_size(source, file, market, wanted);
}

static sg_status read_files(const struct sg_body_source *source, const struct spec *spec, struct files *files)
{
    const struct sg_table_source mass = file_of(source, "mass", spec->mass);
    TRY(read_matrix(source, &mass, (const size_t[2]){0}, &files->mass));
    size_t n = files->mass.rows, square[2] = {n, n}, column[2] = {n, 1};
    const struct {
        struct sg_table_source file;
        const size_t *size;
        struct sg_market *market;
    } more[] = {
        {file_of(source, "stiffness", spec->stiffness), square, &files->stiffness},
        {file_of(source, "damping", spec->damping), square, &files->damping},
        {file_of(source, "positions", spec->positions), column, &files->positions},
    };
    sg_status status = SG_OK;
    for (size_t k = 0; k < sizeof more / sizeof *more && is_finding(status); k++)
        status = worse(status, read_matrix(source, &more[k].file, more[k].size, more[k].market));
    const struct sg_table_source names = file_of(source, "names", spec->names);
    if (spec->names != NULL && is_finding(status))
        status = worse(status, sg_name_list_read(&names, n, &files->names, source->diagnostics, source->err));
    return status;
}

static sg_status measure(const struct sg_body_source *source, struct sg_body_size *size)
{
    struct spec spec = {0};
    struct files *files = NULL;
    sg_setting_fill(source->node, rows, &spec);
    TRY(SG_ARENA_NEW(source->arena, &files, 1, source->err));
    size->data = files;
    size->dim = 1;
    sg_status status = read_files(source, &spec, files);
    size->nodes = files->mass.rows;
    return status;
}

/* --- assembly ------------------------------------------------------------------------------------- */

static void add_names(const struct sg_name_list *names, const struct sg_body_target *target)
{
    for (size_t k = 0; k < names->count; k++) {
        if (names->names[k] == NULL) continue;
        sg_node_sets_open(target->sets, names->names[k]);
        sg_node_sets_add(target->sets, target->first + k);
    }
}

static sg_status assemble(const struct sg_body_source *source, const struct sg_body_target *target)
{
    struct spec spec = {0};
    const struct files *files = target->data;
    sg_setting_fill(source->node, rows, &spec);
    const struct {
        struct sg_table_source file;
        const struct sg_market *market;
        struct sg_triplets *triplets;
    } matrices[] = {
        {file_of(source, "mass", spec.mass), &files->mass, target->mass},
        {file_of(source, "stiffness", spec.stiffness), &files->stiffness, target->stiffness},
        {file_of(source, "damping", spec.damping), &files->damping, target->damping},
    };
    bool good = true;
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        good = sg_market_add_symmetric(&matrices[k].file, matrices[k].market, target->first,
                                       matrices[k].triplets, source->diagnostics) &&
               good;
    for (size_t k = 0; files->positions.rows > 0 && k < files->mass.rows; k++)
        target->position[k] = sg_market_entry(&files->positions, k, 0);
    add_names(&files->names, target);
    return good ? SG_OK : SG_BAD_DECK;
}

const struct sg_body_ops sg_body_matrices = {
    .kind = {.name = "matrices",
             .meaning = "mass, damping and stiffness matrices of another program, a node a dof, in 1-D",
             .rows = rows},
    .any_mass = true,
    .measure = measure,
    .assemble = assemble,
};
