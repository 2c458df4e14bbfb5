/* Reader of Gmsh's meshes: what it takes, and each fault with its line. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/gmsh.h"

/* Two squares side by side, of two triangles and of one quadrangle, sparse tags, every section. */
static const char good[] = "$MeshFormat\n"               /* 1 */
                           "4.1 0 8\n"                   /* 2 */
                           "$EndMeshFormat\n"            /* 3 */
                           "$Comments\n"                 /* 4 */
                           "two squares, 2.2 1 8\n"      /* 5 */
                           "$EndComments\n"              /* 6 */
                           "$PhysicalNames\n"            /* 7 */
                           "3\n"                         /* 8 */
                           "0 9 \"the corner\"\n"        /* 9 */
                           "1 3 \"foot\"\n"              /* 10 */
                           "2 1 \"steel\"\n"             /* 11 */
                           "$EndPhysicalNames\n"         /* 12 */
                           "$Entities\n"                 /* 13 */
                           "1 1 2 0\n"                   /* 14 */
                           "4 0 0 0 1 9\n"               /* 15 */
                           "2 0 0 0 2 0 0 1 -3 2 4 -5\n" /* 16 */
                           "1 0 0 0 1 1 0 2 1 7 0\n"     /* 17 */
                           "2 1 0 0 2 1 0 1 7 1 2\n"     /* 18 */
                           "$EndEntities\n"              /* 19 */
                           "$Nodes\n"                    /* 20 */
                           "3 6 10 1000000000000\n"      /* 21 */
                           "0 4 0 1\n"                   /* 22 */
                           "10\n"                        /* 23 */
                           "0 0 0\n"                     /* 24 */
                           "1 2 1 2\n"                   /* 25 */
                           "20\n"                        /* 26 */
                           "30\n"                        /* 27 */
                           "1 0 0 0.5\n"                 /* 28 */
                           "2 0 0 1\n"                   /* 29 */
                           "2 1 0 3\n"                   /* 30 */
                           "41\n"                        /* 31 */
                           "42\n"                        /* 32 */
                           "1000000000000\n"             /* 33 */
                           "0 1 0\n"                     /* 34 */
                           "1 1e0 0\n"                   /* 35 */
                           "2 1 0\n"                     /* 36 */
                           "$EndNodes\n"                 /* 37 */
                           "$Elements\n"                 /* 38 */
                           "4 6 1 60\n"                  /* 39 */
                           "0 4 15 1\n"                  /* 40 */
                           "1 10\n"                      /* 41 */
                           "1 2 1 2\n"                   /* 42 */
                           "2 10 20\n"                   /* 43 */
                           "3 20 30\n"                   /* 44 */
                           "2 1 2 2\n"                   /* 45 */
                           "40 10 20 42\n"               /* 46 */
                           "50 10 42 41\n"               /* 47 */
                           "2 2 3 1\n"                   /* 48 */
                           "60 20 30 1000000000000 42\n" /* 49 */
                           "$EndElements\n";             /* 50 */

struct reading {
    char *text;
    size_t length;
    struct sg_gmsh_mesh mesh;
    struct sg_gmsh_fault fault;
    struct sg_error err;
    sg_status status;
};

static void read_bytes(struct reading *r, const char *text, size_t length)
{
    *r = (struct reading){.text = malloc(length + 1), .length = length};
    ck_assert_ptr_nonnull(r->text);
    memcpy(r->text, text, length);
    r->text[length] = '\0';
    r->status = sg_gmsh_parse(r->text, length, &r->mesh, &r->fault, &r->err);
    if (r->status == SG_OK) r->status = sg_gmsh_check_plane(&r->mesh, &r->fault);
}

static void end(struct reading *r)
{
    sg_gmsh_release(&r->mesh);
    free(r->text);
}

/* `good` with its first `old` replaced; free the text */
static char *altered(const char *old, const char *new)
{
    const char *at = strstr(good, old);
    ck_assert_msg(at != NULL, "'%s' is not in the mesh", old);
    char *text = malloc(sizeof good + strlen(new) + 1);
    ck_assert_ptr_nonnull(text);
    sprintf(text, "%.*s%s%s", (int)(at - good), good, new, at + strlen(old));
    return text;
}

START_TEST(reads_all)
{
    struct reading r;
    read_bytes(&r, good, sizeof good - 1);
    ck_assert_msg(r.status == SG_OK, "line %zu: %s", r.fault.line, r.fault.message);
    ck_assert_uint_eq(r.mesh.node_count, 6);
    ck_assert_uint_eq(r.mesh.element_count, 6);
    ck_assert_uint_eq(r.mesh.node_tag[5], 1000000000000u);
    ck_assert_double_eq(r.mesh.position[3 * 2], 2.0);
    ck_assert_double_eq(r.mesh.position[3 * 4 + 1], 1.0);
    const struct sg_gmsh_element *quad = &r.mesh.elements[5];
    ck_assert_int_eq(quad->shape->type, SG_GMSH_QUAD4);
    ck_assert_uint_eq(quad->tag, 60);
    static const size_t nodes[] = {1, 2, 5, 4};
    for (size_t k = 0; k < 4; k++) ck_assert_uint_eq(r.mesh.nodes[quad->first + k], nodes[k]);
    end(&r);
}
END_TEST

START_TEST(finds_groups)
{
    struct reading r;
    read_bytes(&r, good, sizeof good - 1);
    ck_assert_uint_eq(r.mesh.group_count, 4);
    const struct sg_gmsh_group *steel = sg_gmsh_find_group(&r.mesh, 2, "steel");
    const struct sg_gmsh_group *both = sg_gmsh_find_group(&r.mesh, 2, "7");
    const struct sg_gmsh_group *foot = sg_gmsh_find_group(&r.mesh, 1, "foot");
    const struct sg_gmsh_group *corner = sg_gmsh_find_group(&r.mesh, 0, "the corner");
    ck_assert(steel != NULL && both != NULL && foot != NULL && corner != NULL);
    ck_assert_ptr_eq(sg_gmsh_find_group(&r.mesh, 2, "1"), steel);
    ck_assert_ptr_null(sg_gmsh_find_group(&r.mesh, 1, "steel"));
    ck_assert_ptr_null(sg_gmsh_find_group(&r.mesh, 2, "stee"));
    ck_assert_ptr_null(sg_gmsh_find_group(&r.mesh, 2, ""));
    static const char member[6][4] = {/* steel, 7, foot, corner */
                                      {0, 0, 0, 1}, {0, 0, 1, 0}, {0, 0, 1, 0},
                                      {1, 1, 0, 0}, {1, 1, 0, 0}, {0, 1, 0, 0}};
    const struct sg_gmsh_group *groups[] = {steel, both, foot, corner};
    for (size_t k = 0; k < 6; k++)
        for (size_t g = 0; g < 4; g++)
            ck_assert_int_eq(sg_gmsh_is_member(&r.mesh, &r.mesh.elements[k], groups[g]), member[k][g]);
    end(&r);
}
END_TEST

/* blank lines, carriage returns, no newline at the end, no $Entities */
START_TEST(takes_variants)
{
    struct reading r;
    char text[2 * sizeof good], *to = text;
    for (const char *c = good; *c != '\0'; c++) {
        if (*c == '\n')
            to += sprintf(to, " \r\n%s", c[1] == '$' ? "\n \t\n" : "");
        else
            *to++ = *c;
    }
    read_bytes(&r, text, (size_t)(to - text));
    ck_assert_msg(r.status == SG_OK, "line %zu: %s", r.fault.line, r.fault.message);
    end(&r);
    read_bytes(&r, good, sizeof good - 2);
    ck_assert_msg(r.status == SG_OK, "line %zu: %s", r.fault.line, r.fault.message);
    end(&r);
    const char *begin = strstr(good, "$Entities"), *over = strstr(good, "$Nodes");
    sprintf(text, "%.*s%s", (int)(begin - good), good, over);
    read_bytes(&r, text, strlen(text));
    ck_assert_msg(r.status == SG_OK, "line %zu: %s", r.fault.line, r.fault.message);
    ck_assert(!sg_gmsh_is_member(&r.mesh, &r.mesh.elements[0], &r.mesh.groups[0]));
    end(&r);
}
END_TEST

struct fault_case {
    const char *old, *new;
    size_t line;
    const char *words;
};

static const struct fault_case cases[] = {
    {"$MeshFormat", "$Meshformat", 1, "where $MeshFormat is due"},
    {"4.1 0 8", "2.2 0 8", 2, "version 2.2 of the format is not read: only 4.1 is"},
    {"4.1 0 8", "4 0 8", 2, "version 4 of the format"},
    {"4.1 0 8", "4.1 1 8", 2, "file type 1 is not read"},
    {"4.1 0 8", "4.1 0", 2, "the line ends where size of numbers is due"},
    {"4.1 0 8", "4.1 0 8 9", 2, "'9' follows where the line of the format is over"},
    {"$EndMeshFormat", "$EndNodes", 3, "where $EndMeshFormat is due"},
    {"$EndComments", "$EndComment", 4, "section $Comments has no end"},
    {"$Comments\n", "lost\n$Comments\n", 4, "'lost' stands where a section should begin"},
    {"$Comments\n", "$PartitionedEntities\n", 4, "the mesh is partitioned"},
    {"3\n0 9", "4\n0 9", 12, "$EndPhysicalNames stands where a physical group is due"},
    {"3\n0 9", "2\n0 9", 11, "where $EndPhysicalNames is due: the section holds more"},
    {"3\n0 9", "x\n0 9", 8, "number of physical groups 'x' is no whole number"},
    {"3\n0 9", "10001\n0 9", 8, "the remaining"},
    {"0 9 \"", "4 9 \"", 9, "dimension 4 of a physical group is not 0 to 3"},
    {"0 9 \"", "0 0 \"", 9, "number 0 of a physical group is not above 0"},
    {"\"the corner\"", "corner", 9, "where a name in double quotes is due"},
    {"\"the corner\"", "\"the corner", 9, "where a name in double quotes is due"},
    {"\"the corner\"", "\"\"", 9, "is empty"},
    {"\"the corner\"", "\"a\" b", 9, "'b' follows"},
    {"2 1 \"steel\"", "1 3 \"steel\"", 11, "physical group 3 of dimension 1 is named twice"},
    {"2 1 \"steel\"", "1 4 \"foot\"", 11, "is the name of two groups of dimension 1"},
    {"1 1 2 0\n", "1 1 3 0\n", 19, "$EndEntities stands where a surface is due"},
    {"1 1 2 0\n", "1 1 1 0\n", 18, "where $EndEntities is due"},
    {"1 1 2 0\n", "9999 1 1 0\n", 14, "number of points 9999 is more than the remaining"},
    {"4 0 0 0 1 9\n", "4 0 0 0 2 9\n", 15, "the line ends where number of a physical group is due"},
    {"4 0 0 0 1 9\n", "4 0 0 0 1 0\n", 15, "number 0 of a physical group"},
    {"4 0 0 0 1 9\n", "4 0 0 nan 1 9\n", 15, "'nan' is not finite"},
    {"4 0 0 0 1 9\n", "4 0 0 0 99999 9\n", 15, "more than the line can hold"},
    {"2 1 0 0 2 1 0 1 7 1 2\n", "1 1 0 0 2 1 0 1 7 1 2\n", 19, "entity 1 of dimension 2 is there twice"},
    {"2 1 0 0 2 1 0 1 7 1 2\n", "2 1 0 0 2 1 0 1 7 3 2\n", 18,
     "the line ends where a bounding entity is due"},
    {"3 6 10", "3 7 10", 36, "the blocks hold 6 nodes where the section's first line says 7"},
    {"3 6 10", "3 5 10", 30, "the block has 3 records where the section's first line leaves 2"},
    {"3 6 10", "4 6 10", 37, "$EndNodes stands where a block is due"},
    {"3 6 10", "2 3 10", 30, "where $EndNodes is due"},
    {"3 6 10", "3 6 11", 23, "node tag 10 is outside 11 to 1000000000000"},
    {"3 6 10", "3 99999999999999999999 10", 21, "is no whole number from 0 to"},
    {"3 6 10", "3 9999999999999999 10", 21, "is more than the remaining"},
    {"3 6 10", "3 -6 10", 21, "number of nodes '-6' is no whole number"},
    {"0 4 0 1\n", "0 4 2 1\n", 22, "parametric flag 2 is neither 0 nor 1"},
    {"0 4 0 1\n", "5 4 0 1\n", 22, "dimension 5 of a block's entity is not 0 to 3"},
    {"0 0 0\n1 2", "0 0\n1 2", 24, "the line ends where coordinate is due"},
    {"0 0 0\n1 2", "0 0 0 0\n1 2", 24, "'0' follows where the line of a node's coordinates is over"},
    {"0 0 0\n1 2", "0 nan 0\n1 2", 24, "coordinate 'nan' is not finite"},
    {"0 0 0\n1 2", "0 1e999 0\n1 2", 24, "coordinate '1e999' is not finite"},
    {"0 0 0\n1 2", "0 0,5 0\n1 2", 24, "coordinate '0,5' is no number"},
    {"0 0 0\n1 2", "0 0 1e-6\n1 2", 23, "node 10 is at z = 1e-06 m"},
    {"1 0 0 0.5\n", "1 0 0\n", 28, "the line ends where parametric coordinate is due"},
    {"30\n1 0", "20\n1 0", 27, "node tag 20 is there twice"},
    {"30\n1 0", "0\n1 0", 27, "node tag 0 is not above 0"},
    {"$Nodes", "$nodes", 20, "section $nodes has no end"},
    {"4 6 1 60", "4 6 1 59", 49, "element tag 60 is outside 1 to 59"},
    {"4 6 1 60", "4 7 1 60", 49, "the blocks hold 6 elements where the section's first line says 7"},
    {"4 6 1 60", "3 6 1 60", 47, "the blocks hold 5 elements where the section's first line says 6"},
    {"0 4 15 1\n", "0 5 15 1\n", 40, "entity 5 of dimension 0 is not in $Entities"},
    {"1 2 1 2\n2 10", "1 2 2 2\n2 10", 42, "does not fit an entity of dimension 1"},
    {"2 2 3 1\n", "2 2 5 1\n", 48, "element type 5 is not read: allowed are"},
    {"2 2 3 1\n", "2 2 3 9\n", 48, "the block has 9 records where the section's first line leaves 1"},
    {"40 10 20 42\n", "40 10 20 43\n", 46, "element 40 has node 43, which is not in $Nodes"},
    {"40 10 20 42\n", "40 10 20 10\n", 46, "element 40 has node 10 twice"},
    {"40 10 20 42\n", "40 10 20\n", 46, "the line ends where node tag is due"},
    {"40 10 20 42\n", "40 10 42 20\n", 46, "element 40, a 3-node triangle, is numbered clockwise"},
    {"40 10 20 42\n", "40 10 20 30\n", 46, "has an angle of 0 or 180 degrees: its area is 0"},
    {"60 20 30 1000000000000 42\n", "60 20 1000000000000 30 42\n", 49, "is not convex or crosses itself"},
    {"50 10 42 41\n", "40 10 42 41\n", 47, "element tag 40 is there twice"},
    {"$Elements\n", "$Entities\n", 38, "section $Entities is there twice"},
    {"$Nodes", "$Elements", 20, "section $Elements stands before $Nodes"},
    {"$EndElements\n", "", 49, "the file ends where $EndElements is due"},
    {"$EndElements\n", "$EndElements\n$Nodes\n", 51, "section $Nodes is there twice"},
};

START_TEST(refuses)
{
    const struct fault_case *c = &cases[_i];
    struct reading r;
    char *text = altered(c->old, c->new);
    read_bytes(&r, text, strlen(text));
    ck_assert_msg(r.status == SG_BAD_DECK, "'%s' for '%s' was taken", c->new, c->old);
    ck_assert_msg(strstr(r.fault.message, c->words) != NULL, "no '%s' in: %s", c->words, r.fault.message);
    ck_assert_msg(r.fault.line == c->line, "line %zu instead of %zu: %s", r.fault.line, c->line,
                  r.fault.message);
    end(&r);
    free(text);
}
END_TEST

/* Cut anywhere, the file is refused, with a line that it has. */
START_TEST(refuses_any_cut)
{
    /* without the newline at its end it is whole */
    for (size_t length = 0; length < sizeof good - 2; length++) {
        struct reading r;
        read_bytes(&r, good, length);
        ck_assert_msg(r.status == SG_BAD_DECK, "the first %zu bytes were taken", length);
        ck_assert_uint_le(r.fault.line, 50);
        ck_assert_uint_gt(strlen(r.fault.message), 0);
        end(&r);
    }
}
END_TEST

/* Any byte changed to any of a few: read or refused, never more (the sanitizers look on). */
START_TEST(survives_changed_bytes)
{
    static const char bytes[] = {'\0', '\n', ' ', '-', '9', '$', '"', '.', 'e', '\xff'};
    char text[sizeof good];
    for (size_t i = 0; i < sizeof good - 1; i++)
        for (size_t b = 0; b < sizeof bytes; b++) {
            struct reading r;
            memcpy(text, good, sizeof good);
            text[i] = bytes[b];
            read_bytes(&r, text, sizeof good - 1);
            ck_assert(r.status == SG_OK || (r.status == SG_BAD_DECK && r.fault.message[0] != '\0'));
            end(&r);
        }
}
END_TEST

START_TEST(refuses_names_behind_nodes)
{
    struct reading r;
    char text[sizeof good];
    const char *begin = strstr(good, "$PhysicalNames"), *over = strstr(good, "$Entities");
    sprintf(text, "%.*s%s%.*s", (int)(begin - good), good, over, (int)(over - begin), begin);
    read_bytes(&r, text, strlen(text));
    ck_assert_ptr_nonnull(strstr(r.fault.message, "section $PhysicalNames stands behind $Entities"));
    end(&r);
}
END_TEST

START_TEST(tells_binary_and_zero_bytes)
{
    struct reading r;
    static const char binary[] = "$MeshFormat\n4.1 1 8\n\1\0\0\0\n$EndMeshFormat\n";
    read_bytes(&r, binary, sizeof binary - 1);
    ck_assert_ptr_nonnull(strstr(r.fault.message, "file type 1"));
    ck_assert_ptr_nonnull(strstr(r.fault.hint, "-format msh41"));
    end(&r);
    char holed[sizeof good];
    memcpy(holed, good, sizeof good);
    holed[strstr(good, "41\n42") - good] = '\0';
    read_bytes(&r, holed, sizeof good - 1);
    ck_assert_ptr_nonnull(strstr(r.fault.message, "zero byte"));
    ck_assert_uint_eq(r.fault.line, 31);
    end(&r);
}
END_TEST

Suite *sg_suite_gmsh(void);
Suite *sg_suite_gmsh(void)
{
    Suite *suite = suite_create("gmsh");
    TCase *tcase = tcase_create("gmsh");
    tcase_add_test(tcase, reads_all);
    tcase_add_test(tcase, finds_groups);
    tcase_add_test(tcase, takes_variants);
    tcase_add_loop_test(tcase, refuses, 0, (int)(sizeof cases / sizeof cases[0]));
    tcase_add_test(tcase, refuses_any_cut);
    tcase_add_test(tcase, survives_changed_bytes);
    tcase_add_test(tcase, refuses_names_behind_nodes);
    tcase_add_test(tcase, tells_binary_and_zero_bytes);
    suite_add_tcase(suite, tcase);
    return suite;
}
