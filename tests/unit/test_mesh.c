/* Body mesh: the same bodies as `plane` makes, masses, sets of nodes, and what is refused. */
#include <stdio.h>

#include "assembly/builder.h"
#include "run_fixture.h"

/* --- decks with a mesh in memory ------------------------------------------------------------------ */

#define SOLVER                                                                                               \
    "integrator = { type = \"theta\"; operator = \"nodal\"; }; strategy = { type = \"time-stepping\"; }; "   \
    "time = { end = 1.0; "                                                                                   \
    "step = 1.0; };"
#define STEEL "modulus = 200.0; poisson = 0.25; density = 8.0;"

/* builds; run->status tells */
static void open_mesh(struct run *run, const char *deck, const char *mesh)
{
    const struct sg_side_file files[] = {{"m.msh", mesh, strlen(mesh)}, {0}};
    run_read(run, (const char *const[]){deck, NULL});
    sg_deck_offer_side_files(run->deck, files);
    run_build(run);
    sg_diagnostics_render(&run->diagnostics, &run->findings);
}

static void open_well(struct run *run, const char *deck, const char *mesh)
{
    open_mesh(run, deck, mesh);
    ck_assert_msg(run->status == SG_OK, "%s%s", sg_text_view(&run->findings), run->err.text);
}

/* --- against body plane --------------------------------------------------------------------------- */

static int gmsh_type(int shape)
{
    static const int types[SG_SHAPE_COUNT] = {
        [SG_SHAPE_TRI3] = 2,   [SG_SHAPE_TRI6] = 9,  [SG_SHAPE_QUAD4] = 3, [SG_SHAPE_QUAD8] = 16,
        [SG_SHAPE_QUAD9] = 10, [SG_SHAPE_LINE2] = 1, [SG_SHAPE_LINE3] = 8};
    return types[shape];
}

/* the bodies of a model as a mesh, its sets of nodes with edges as physical groups; tags are 7 i + 3, edges
 * the other way round if `reversed` */
static void write_mesh(const struct run *run, bool reversed, struct sg_text *text)
{
    const struct sg_model_labels *l = &run->job.system->labels;
    const struct sg_node_sets *sets = &run->job.system->names->sets;
    size_t edges = 0, element = 1;
    for (size_t k = 0; k < sets->count; k++) edges += sets->items[k].edge_count;
    sg_text_append(text, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n%zu\n", sets->count);
    for (size_t k = 0; k < sets->count; k++)
        sg_text_append(text, "1 %zu \"my %s\"\n", k + 1, sets->items[k].name);
    sg_text_append(text, "$EndPhysicalNames\n$Entities\n0 %zu 1 0\n", sets->count);
    for (size_t k = 0; k < sets->count; k++) sg_text_append(text, "%zu 0 0 0 0 0 0 1 %zu 0\n", k + 1, k + 1);
    sg_text_append(text, "1 0 0 0 0 0 0 0 0\n$EndEntities\n$Nodes\n1 %zu 1 %zu\n2 1 0 %zu\n", l->node_count,
                   7 * l->node_count, l->node_count);
    for (size_t i = 0; i < l->node_count; i++) sg_text_append(text, "%zu\n", 7 * i + 3);
    for (size_t i = 0; i < l->node_count; i++)
        sg_text_append(text, "%.17g %.17g 0\n", l->node_positions[2 * i], l->node_positions[2 * i + 1]);
    sg_text_append(text, "$EndNodes\n$Elements\n%zu %zu 1 %zu\n2 1 %d %zu\n", 1 + sets->count,
                   l->element_count + edges, l->element_count + edges, gmsh_type(l->element_shapes[0]),
                   l->element_count);
    for (size_t k = 0; k < l->element_count; k++) {
        sg_text_append(text, "%zu", element++);
        for (size_t i = 0; i < sg_element_shape_nodes((enum sg_element_shape)l->element_shapes[k]); i++)
            sg_text_append(text, " %d", 7 * l->element_nodes[k * l->element_width + i] + 3);
        sg_text_append(text, "\n");
    }
    for (size_t k = 0; k < sets->count; k++) {
        const struct sg_node_set *set = &sets->items[k];
        sg_text_append(text, "1 %zu %d %zu\n", k + 1, gmsh_type((int)set->edges[0].shape), set->edge_count);
        for (size_t e = 0; e < set->edge_count; e++) {
            /* from the last to the first: the order of the file does not matter */
            const size_t *node = set->edges[set->edge_count - 1 - e].node;
            sg_text_append(text, "%zu %zu %zu", element++, 7 * node[reversed ? 1 : 0] + 3,
                           7 * node[reversed ? 0 : 1] + 3);
            if (set->edges[0].shape == SG_SHAPE_LINE3) sg_text_append(text, " %zu", 7 * node[2] + 3);
            sg_text_append(text, "\n");
        }
    }
    sg_text_append(text, "$EndElements\n");
    ck_assert(!text->failed);
}

/* the node of `b` at the place of each of `a`, exactly: coordinates are written with all digits */
static size_t *match_nodes(const struct run *a, const struct run *b)
{
    const struct sg_model_labels *from = &a->job.system->labels, *to = &b->job.system->labels;
    size_t *at = malloc(from->node_count * sizeof *at);
    ck_assert_ptr_nonnull(at);
    for (size_t i = 0; i < from->node_count; i++) {
        const double *x = from->node_positions + 2 * i;
        for (at[i] = 0; at[i] < to->node_count; at[i]++)
            if (to->node_positions[2 * at[i]] == x[0] && to->node_positions[2 * at[i] + 1] == x[1]) break;
        ck_assert_uint_lt(at[i], to->node_count);
    }
    return at;
}

static void same_matrix(const struct sg_matrix *a, const struct sg_matrix *b, size_t n, const size_t *at)
{
    double *x = calloc(4 * n, sizeof *x), *ax = x + n, *y = ax + n, *by = y + n, scale = 0;
    unsigned long long seed = 23;
    ck_assert_ptr_nonnull(x);
    for (size_t i = 0; i < n; i++) y[2 * at[i / 2] + i % 2] = x[i] = run_random(&seed);
    sg_matrix_multiply(a, x, ax);
    sg_matrix_multiply(b, y, by);
    for (size_t i = 0; i < n; i++) scale = fmax(scale, fabs(ax[i]));
    /* the same sums, in another order */
    for (size_t i = 0; i < n; i++) NEAR(by[2 * at[i / 2] + i % 2], ax[i], 1e-14 * scale);
    free(x);
}

/* the same nodes in the same order, the same edges one behind the other; rings may begin elsewhere */
static void same_set(const struct sg_node_set *a, const struct sg_node_set *b, const size_t *at, bool ring)
{
    ck_assert_uint_eq(a->count, b->count);
    ck_assert_uint_eq(a->edge_count, b->edge_count);
    size_t shift = 0;
    while (b->nodes[shift] != at[a->nodes[0]]) ck_assert_uint_lt(++shift, b->count);
    ck_assert(ring || shift == 0);
    for (size_t i = 0; i < a->count; i++)
        ck_assert_uint_eq(at[a->nodes[i]], b->nodes[(i + shift) % b->count]);
    size_t turn = 0;
    while (b->edges[turn].node[0] != at[a->edges[0].node[0]]) ck_assert_uint_lt(++turn, b->edge_count);
    for (size_t e = 0; e < a->edge_count; e++) {
        const struct sg_set_edge *one = &a->edges[e], *two = &b->edges[(e + turn) % b->edge_count];
        ck_assert_int_eq(one->shape, two->shape);
        for (size_t k = 0; k < sg_element_shape_nodes(one->shape); k++)
            ck_assert_uint_eq(at[one->node[k]], two->node[k]);
    }
}

START_TEST(is_what_plane_makes)
{
    static const char *const shapes[] = {"quad4", "quad8", "quad9", "tri3", "tri6"};
    struct run plane, mesh;
    struct sg_text text = {0};
    char deck[1000];
    snprintf(
        deck, sizeof deck,
        "bodies = ( { type = \"plane\"; width = 3.0; height = 2.0; nx = 4; ny = 3; rotation = 0.4; element = "
        "\"%s\"; " STEEL " } );" SOLVER,
        shapes[_i / 2]);
    PREPARE(&plane, deck);
    write_mesh(&plane, _i % 2 == 1, &text);
    open_well(&mesh, "bodies = ( { type = \"mesh\"; file = \"m.msh\"; " STEEL " } );" SOLVER,
              sg_text_view(&text));
    size_t n = plane.job.system->n;
    ck_assert_uint_eq(mesh.job.system->n, n);
    size_t *at = match_nodes(&plane, &mesh);
    same_matrix(&plane.job.system->M, &mesh.job.system->M, n, at);
    same_matrix(&plane.job.system->K, &mesh.job.system->K, n, at);
    const struct sg_node_sets *from = &plane.job.system->names->sets, *to = &mesh.job.system->names->sets;
    for (size_t k = 0; k < from->count; k++) {
        char name[64];
        bool ring = strcmp(from->items[k].name, "boundary") == 0;
        snprintf(name, sizeof name, "my %s", from->items[k].name);
        const struct sg_node_set *found = sg_node_sets_find(to, 0, name);
        ck_assert_ptr_nonnull(found);
        same_set(&from->items[k], found, at, ring);
        if (ring) same_set(&from->items[k], sg_node_sets_find(to, 0, "boundary"), at, true);
    }
    free(at);
    sg_text_release(&text);
    run_release(&plane);
    run_release(&mesh);
}
END_TEST

/* --- a mesh by hand ------------------------------------------------------------------------------- */

/* A square of side 2 of four quadrangles with a fifth that shares a side with it on the right, as a part of
 * its own; the middle line of the square is a group, so are the upper right corner of all and a lone point.
 * Surfaces 1 (number 1) and 2 ("lid", in 1 too). Nodes 90 and 91 belong to nothing that counts. */
static const char squares[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n6\n0 1 \"tip\"\n0 2 \"away\"\n1 1 \"middle\"\n1 2 \"foot\"\n1 3 \"far\"\n2 2 \"lid\"\n"
    "$EndPhysicalNames\n"
    "$Entities\n2 4 2 0\n1 3 1 0 1 1\n2 9 9 0 1 2\n"
    "1 0 1 0 2 1 0 1 1 0\n2 0 0 0 2 0 0 1 2 0\n3 9 9 0 9 9 0 1 3 0\n4 0 0 0 0 0 0 1 9 0\n"
    "1 0 0 0 2 2 0 1 1 0\n2 2 0 0 3 1 0 2 1 2 0\n$EndEntities\n"
    "$Nodes\n1 13 1 91\n2 1 0 13\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n90\n91\n"
    "0 0 0\n1 0 0\n2 0 0\n0 1 0\n1 1 0\n2 1 0\n0 2 0\n1 2 0\n2 2 0\n3 0 0\n3 1 0\n9 9 0\n8 8 0\n$EndNodes\n"
    "$Elements\n8 13 1 99\n"
    "2 1 3 4\n1 1 2 5 4\n2 2 3 6 5\n3 4 5 8 7\n4 5 6 9 8\n"
    "2 2 3 1\n5 3 10 11 6\n"
    "1 1 1 2\n6 4 5\n7 5 6\n"
    "1 2 1 2\n8 2 3\n9 1 2\n"
    "1 3 1 1\n10 90 91\n"
    "1 4 1 1\n11 4 1\n"
    "0 1 15 1\n12 11\n"
    "0 2 15 1\n99 90\n$EndElements\n";

static const struct sg_node_set *set_of(const struct run *run, const char *name)
{
    return sg_node_sets_find(&run->job.system->names->sets, 0, name);
}

static double mass_of(const struct run *run)
{
    return run->job.system->names->bodies[0].mass;
}

static void is_at(const struct run *run, size_t node, double x, double y)
{
    const double *at = run->job.system->labels.node_positions + 2 * node;
    ck_assert(at[0] == x && at[1] == y);
}

START_TEST(makes_sets_of_groups)
{
    struct run run;
    open_well(&run, "bodies = ( { type = \"mesh\"; file = \"m.msh\"; " STEEL " } );" SOLVER, squares);
    ck_assert_uint_eq(run.job.system->labels.node_count, 11);
    const struct sg_node_set *foot = set_of(&run, "foot"), *middle = set_of(&run, "middle");
    ck_assert(foot != NULL && middle != NULL);
    ck_assert_uint_eq(foot->edge_count, 2);
    /* the body lies on the left of the way to the right */
    for (size_t k = 0; k < 3; k++) is_at(&run, foot->nodes[k], (double)k, 0);
    is_at(&run, foot->edges[1].node[0], 1, 0);
    /* inside of the body there is no surface */
    ck_assert_uint_eq(middle->count, 3);
    ck_assert_uint_eq(middle->edge_count, 0);
    ck_assert_uint_eq(set_of(&run, "group-9")->edge_count, 1);
    is_at(&run, set_of(&run, "tip")->nodes[0], 3, 1);
    ck_assert_uint_eq(set_of(&run, "lid")->count, 4);
    ck_assert_uint_eq(set_of(&run, "group-1")->count, 11);
    ck_assert_ptr_null(set_of(&run, "away"));
    ck_assert_ptr_null(set_of(&run, "far"));
    ck_assert_uint_eq(set_of(&run, "boundary")->edge_count, 10);
    run_release(&run);
}
END_TEST

/* area x thickness x density; 4 m^2 and 1 m^2 */
START_TEST(weighs_what_it_should)
{
    static const struct {
        const char *words;
        double mass;
        size_t nodes;
    } cases[] = {
        {STEEL, 40, 11},
        {STEEL "thickness = 0.5;", 20, 11},
        {STEEL "scale = 0.1; position = [5.0, -3.0];", 0.4, 11},
        {STEEL "group = \"lid\";", 8, 4},
        {STEEL "group = \"1\";", 40, 11},
        {"parts = ( { group = \"lid\"; modulus = 2.0; poisson = 0.0; density = 3.0; thickness = 2.0; } );", 6,
         4},
    };
    struct run run;
    char deck[1000];
    snprintf(deck, sizeof deck, "bodies = ( { type = \"mesh\"; file = \"m.msh\"; %s } );" SOLVER,
             cases[_i].words);
    open_well(&run, deck, squares);
    NEAR(mass_of(&run), cases[_i].mass, 1e-13 * cases[_i].mass); /* some dozens of roundings */
    ck_assert_uint_eq(run.job.system->labels.node_count, cases[_i].nodes);
    run_release(&run);
}
END_TEST

/* Two materials side by side are pulled along x: strains are stress over modulus in each (nu = 0). */
START_TEST(parts_have_their_materials)
{
    static const char two[] =
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
        "$PhysicalNames\n2\n2 1 \"soft\"\n2 2 \"hard\"\n$EndPhysicalNames\n"
        "$Entities\n0 0 2 0\n1 0 0 0 1 1 0 1 1 0\n2 1 0 0 2 1 0 1 2 0\n$EndEntities\n"
        "$Nodes\n1 6 1 6\n2 1 0 6\n1\n2\n3\n4\n5\n6\n0 0 0\n1 0 0\n2 0 0\n0 1 0\n1 1 0\n2 1 0\n$EndNodes\n"
        "$Elements\n2 2 1 2\n2 1 3 1\n1 1 2 5 4\n2 2 3 1\n2 2 3 6 5\n$EndElements\n";
    struct run run;
    open_well(&run,
              "bodies = ( { type = \"mesh\"; file = \"m.msh\"; parts = ( "
              "{ group = \"hard\"; modulus = 40.0; poisson = 0.0; density = 1.0; },"
              "{ group = \"soft\"; modulus = 10.0; poisson = 0.0; density = 5.0; } ); } );" SOLVER,
              two);
    NEAR(mass_of(&run), 6.0, 1e-14);
    /* stress 2: strains 0.2 and 0.05 */
    const double *x = run.job.system->labels.node_positions;
    double u[12] = {0}, f[12];
    for (size_t i = 0; i < 6; i++) u[2 * i] = x[2 * i] <= 1 ? 0.2 * x[2 * i] : 0.2 + 0.05 * (x[2 * i] - 1);
    sg_matrix_multiply(&run.job.system->K, u, f);
    for (size_t i = 0; i < 6; i++) {
        NEAR(f[2 * i], x[2 * i] - 1, 1e-13); /* -1 N left, 1 N right: roundings of 40 N/m */
        NEAR(f[2 * i + 1], 0, 1e-13);
    }
    run_release(&run);
}
END_TEST

/* two bodies of one file, one on the other: first touch, then weight */
START_TEST(one_file_holds_two_bodies)
{
    struct run run;
    open_well(&run,
              "bodies = ( { type = \"mesh\"; name = \"a\"; file = \"m.msh\"; group = \"lid\"; " STEEL
              " }, { type = \"mesh\"; name = \"b\"; file = \"m.msh\"; group = \"lid\"; position = [0.2, "
              "1.0]; " STEEL " } ); contacts = ( { type = \"surface\"; slave = \"b.boundary\"; master = "
              "\"a.boundary\"; } );" SOLVER,
              squares);
    ck_assert_uint_eq(run.job.contacts->q, 4);
    double gap[4], lowest = HUGE_VAL;
    for (size_t j = 0; j < 4; j++) {
        gap[j] = sg_contact_set_gap(run.job.contacts, j, 0.0, run.job.system->u0);
        lowest = fmin(lowest, gap[j]);
    }
    NEAR(lowest, 0.0, 1e-15);
    run_release(&run);
}
END_TEST

/* A strip whose nodes come in no order has matrices as narrow as if they came across it one by one. */
START_TEST(bands_are_narrow)
{
    enum { LONG = 60 };
    struct sg_text text = {0};
    struct run run;
    sg_text_append(&text, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 %d 1 %d\n2 1 0 %d\n", 2 * LONG,
                   2 * LONG, 2 * LONG);
    for (int i = 0; i < 2 * LONG; i++) sg_text_append(&text, "%d\n", i + 1);
    for (int i = 0; i < 2 * LONG; i++) sg_text_append(&text, "%d %d 0\n", 7 * i % (2 * LONG) / 2, 7 * i % 2);
    sg_text_append(&text, "$EndNodes\n$Elements\n1 %d 1 %d\n2 1 3 %d\n", LONG - 1, LONG - 1, LONG - 1);
    size_t at[2 * LONG];
    for (size_t i = 0; i < 2 * LONG; i++) at[7 * i % (2 * LONG)] = i + 1;
    for (size_t k = 0; k + 1 < LONG; k++)
        sg_text_append(&text, "%zu %zu %zu %zu %zu\n", k + 1, at[2 * k], at[2 * k + 2], at[2 * k + 3],
                       at[2 * k + 1]);
    sg_text_append(&text, "$EndElements\n");
    open_well(&run, "bodies = ( { type = \"mesh\"; file = \"m.msh\"; " STEEL " } );" SOLVER,
              sg_text_view(&text));
    ck_assert_int_eq(run.job.system->K.kind, SG_BANDED);
    /* two dofs a node; an element couples a node with the three behind it */
    ck_assert_uint_le(run.job.system->K.width, 7);
    sg_text_release(&text);
    run_release(&run);
}
END_TEST

START_TEST(pieces_are_told)
{
    static const char apart[] =
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
        "$Nodes\n1 6 1 6\n2 1 0 6\n1\n2\n3\n4\n5\n6\n0 0 0\n1 0 0\n0 1 0\n1 0 0\n1 1 0\n0 1 0\n$EndNodes\n"
        "$Elements\n1 2 1 2\n2 1 2 2\n1 1 2 3\n2 4 5 6\n$EndElements\n";
    struct run run;
    open_well(&run, "bodies = ( { type = \"mesh\"; file = \"m.msh\"; " STEEL " } );" SOLVER, apart);
    ck_assert_ptr_nonnull(strstr(sg_text_view(&run.findings), "is in 2 pieces that share no node"));
    run_release(&run);
}
END_TEST

/* --- where elements touch ------------------------------------------------------------------------- */

/* A quadrangle with nodes 1 to 4, and to 8 where it is of second order, its right side bulging by `bulge`;
 * two triangles on that side, which meet at a node of their own (9) at the fraction s of it, `off` of its
 * length away from it. All turned by an angle. */
struct junction {
    double angle, bulge, s, off;
    bool second_order;
    bool torn; /* the triangles have their own node at the upper end of the side, too */
};

static void add_place(const struct junction *j, double x, double y, struct sg_text *text)
{
    double c = cos(j->angle), s = sin(j->angle);
    sg_text_append(text, "%.17g %.17g 0\n", c * x - s * y, s * x + c * y);
}

static void write_junction(const struct junction *j, struct sg_text *text)
{
    static const double places[][2] = {{0, 0},   {1, 0},   {1, 1},   {0, 1},
                                       {0.5, 0}, {1, 0.5}, {0.5, 1}, {0, 0.5}};
    sg_text_append(text, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 11 1 11\n2 1 0 11\n");
    for (int i = 1; i <= 11; i++) sg_text_append(text, "%d\n", i);
    for (size_t i = 0; i < 8; i++) add_place(j, places[i][0] + (i == 5 ? j->bulge : 0), places[i][1], text);
    /* the slope of the side, x = 1 + 4 bulge s (1 - s), tells what is across */
    double slope = 4 * j->bulge * (1 - 2 * j->s), norm = hypot(1, slope);
    add_place(j, 1 + 4 * j->bulge * j->s * (1 - j->s) + j->off / norm, j->s - j->off * slope / norm, text);
    add_place(j, 2, 0.5, text);
    add_place(j, 1, 1, text);
    sg_text_append(text,
                   "$EndNodes\n$Elements\n2 3 1 3\n2 1 %d 1\n1 1 2 3 4%s\n2 1 2 2\n2 2 10 9\n3 9 10 %d\n"
                   "$EndElements\n",
                   j->second_order ? 16 : 3, j->second_order ? " 5 6 7 8" : "", j->torn ? 11 : 3);
}

/* the findings of a body of that file */
static void judge_mesh(const char *mesh, struct run *run)
{
    open_mesh(run, "bodies = ( { type = \"mesh\"; file = \"m.msh\"; " STEEL " } );" SOLVER, mesh);
}

static void expect_finding(const struct run *run, const char *what)
{
    const char *found = sg_text_view(&run->findings);
    ck_assert_msg(strstr(found, what) != NULL, "no '%s' in: %s", what, found);
}

static void judge_junction(const struct junction *j, bool hangs)
{
    struct sg_text text = {0};
    struct run run;
    write_junction(j, &text);
    judge_mesh(sg_text_view(&text), &run);
    ck_assert_msg((run.status == SG_BAD_DECK) == hangs, "bulge %g, s %g, off %g: %s", j->bulge, j->s, j->off,
                  sg_text_view(&run.findings));
    if (hangs) {
        expect_finding(&run, "'m.msh' line 33: node 9 at (");
        expect_finding(&run, ") hangs on the side from node 2 to 3 of element 1");
    } else
        ck_assert_ptr_null(strstr(sg_text_view(&run.findings), "m.msh"));
    sg_text_release(&text);
    run_release(&run);
}

/* 1e-5 of the side's length decides, at any place of straight and curved sides, whichever way they lie */
START_TEST(nodes_that_hang_are_refused)
{
    static const double angles[] = {0, 0.3, 0.785398163397448, 1.570796326794897, 2.5, 3.14159265358979};
    static const double places[] = {1e-3, 0.2, 1.0 / 3, 0.61, 0.999};
    static const double bulges[] = {0, 0.02, 0.1, -0.08};
    struct junction j = {.angle = angles[_i], .second_order = false};
    for (size_t b = 0; b < 4; b++)
        for (size_t k = 0; k < 5; k++) {
            j.bulge = bulges[b];
            j.second_order = b > 0;
            j.s = places[k];
            for (int sign = -1; sign <= 1; sign++) {
                j.off = sign * 0.9e-5;
                judge_junction(&j, true);
            }
            j.off = 1.1e-5;
            judge_junction(&j, false);
        }
}
END_TEST

/* A crack from the lower end on: its sides have two nodes at each place. */
START_TEST(cracks_are_told)
{
    struct junction j = {.second_order = true, .s = 0.5, .torn = true};
    struct sg_text text = {0};
    struct run run;
    write_junction(&j, &text);
    judge_mesh(sg_text_view(&text), &run);
    ck_assert_int_eq(run.status, SG_OK);
    expect_finding(&run, "4 nodes are at the place of another one");
    ck_assert_ptr_null(strstr(sg_text_view(&run.findings), "is in "));
    sg_text_release(&text);
    run_release(&run);
}
END_TEST

/* what lies on another piece may be meant: it can be in contact with it */
START_TEST(pieces_that_touch_are_told)
{
    static const char mesh[] =
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
        "$Nodes\n1 8 1 8\n2 1 0 8\n1\n2\n3\n4\n5\n6\n7\n8\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n"
        "0.25 1 0\n0.75 1 0\n0.75 2 0\n0.25 2 0\n$EndNodes\n"
        "$Elements\n1 2 1 2\n2 1 3 2\n1 1 2 3 4\n2 5 6 7 8\n$EndElements\n";
    struct run run;
    judge_mesh(mesh, &run);
    ck_assert_int_eq(run.status, SG_OK);
    expect_finding(&run, "is in 2 pieces that share no node; 2 nodes lie on sides of another");
    run_release(&run);
}
END_TEST

/* a group's line to a node that no triangle has, as supports would lose it */
START_TEST(lines_in_the_air_are_told)
{
    static const char mesh[] =
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 1 1 0\n1 0 0 0 1 1 0 1 4 0\n"
        "1 0 0 0 1 1 0 0 0\n$EndEntities\n"
        "$Nodes\n1 4 1 4\n2 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n2 0 0\n$EndNodes\n"
        "$Elements\n2 3 1 3\n2 1 2 1\n1 1 2 3\n1 1 1 2\n2 1 2\n3 2 4\n$EndElements\n";
    struct run run;
    judge_mesh(mesh, &run);
    ck_assert_int_eq(run.status, SG_OK);
    expect_finding(&run,
                   "'m.msh' line 27: node 4 of the physical group 'group-4' at (2, 0) is of no triangle");
    ck_assert_uint_eq(set_of(&run, "group-4")->count, 2);
    run_release(&run);
}
END_TEST

Suite *sg_suite_mesh(void);
Suite *sg_suite_mesh(void)
{
    Suite *suite = suite_create("mesh");
    TCase *tcase = tcase_create("mesh");
    tcase_add_loop_test(tcase, is_what_plane_makes, 0, 10);
    tcase_add_test(tcase, makes_sets_of_groups);
    tcase_add_loop_test(tcase, weighs_what_it_should, 0, 6);
    tcase_add_test(tcase, parts_have_their_materials);
    tcase_add_test(tcase, one_file_holds_two_bodies);
    tcase_add_test(tcase, bands_are_narrow);
    tcase_add_test(tcase, pieces_are_told);
    tcase_add_loop_test(tcase, nodes_that_hang_are_refused, 0, 6);
    tcase_add_test(tcase, cracks_are_told);
    tcase_add_test(tcase, pieces_that_touch_are_told);
    tcase_add_test(tcase, lines_in_the_air_are_told);
    suite_add_tcase(suite, tcase);
    return suite;
}
