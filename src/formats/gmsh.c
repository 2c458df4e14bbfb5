#include "formats/gmsh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/gmsh_reader.h"
#include "support/memory.h"
#include "support/plain_numbers.h"

enum { FILE_LIMIT = 256 << 20 };

void sg_gmsh_release(struct sg_gmsh_mesh *mesh)
{
    sg_arena_release(&mesh->arena);
    *mesh = (struct sg_gmsh_mesh){0};
}

/* --- $MeshFormat ---------------------------------------------------------------------------------- */

static sg_status check_format(struct sg_gmsh_lines *lines)
{
    char shown[SG_GMSH_WORD];
    if (strncmp(lines->word, "4.1", 3) != 0 || strcspn(lines->word, " \t\r") != 3) {
        sg_gmsh_fault_here(lines, "version %s of the format is not read: only 4.1 is",
                           sg_gmsh_show(lines->word, shown));
        return sg_gmsh_hint(lines->fault, SG_BAD_DECK, SG_GMSH_EXPORT);
    }
    double version = 0;
    int binary = 0;
    size_t bytes = 0;
    TRY(sg_gmsh_real(lines, "version", &version));
    TRY(sg_gmsh_integer(lines, "file type", &binary));
    if (binary != 0) {
        sg_gmsh_fault_here(lines, "file type %d is not read: only 0, ASCII, is", binary);
        return sg_gmsh_hint(lines->fault, SG_BAD_DECK, SG_GMSH_EXPORT " (without -bin)");
    }
    TRY(sg_gmsh_size(lines, "size of numbers", &bytes));
    return sg_gmsh_end_line(lines, "the format");
}

static sg_status read_format(struct sg_gmsh_reader *reader)
{
    struct sg_gmsh_lines *lines = &reader->lines;
    char shown[SG_GMSH_WORD];
    if (!sg_gmsh_next_line(lines)) {
        sg_gmsh_fault_at(lines->fault, 1, "the file is empty");
        return sg_gmsh_hint(lines->fault, SG_BAD_DECK, SG_GMSH_EXPORT);
    }
    if (strcmp(sg_gmsh_show(lines->word, shown), "$MeshFormat") != 0) {
        sg_gmsh_fault_here(lines, "'%s' stands where $MeshFormat is due: this is no mesh of Gmsh", shown);
        return sg_gmsh_hint(lines->fault, SG_BAD_DECK, SG_GMSH_EXPORT);
    }
    lines->section = "MeshFormat";
    TRY(sg_gmsh_due_line(lines, "the version of the format"));
    TRY(check_format(lines));
    return sg_gmsh_end_section(lines);
}

/* A binary file is told as such, so this comes behind the format. */
static sg_status check_text(struct sg_gmsh_lines *lines)
{
    const char *zero = memchr(lines->next, '\0', (size_t)(lines->end - lines->next));
    if (zero == NULL) return SG_OK;
    size_t line = lines->number + 1;
    for (const char *c = lines->next; c < zero; c++) line += *c == '\n';
    return sg_gmsh_fault_at(lines->fault, line, "there is a zero byte: this is not text");
}

/* --- sections ------------------------------------------------------------------------------------- */

struct section {
    const char *name;
    sg_status (*read)(struct sg_gmsh_reader *reader);
};

/* in the order in which each may need those before it */
static const struct section sections[] = {
    {"PhysicalNames", sg_gmsh_read_names},
    {"Entities", sg_gmsh_read_entities},
    {"Nodes", sg_gmsh_read_nodes},
    {"Elements", sg_gmsh_read_elements},
};
enum { SECTIONS = sizeof sections / sizeof sections[0], NODES = 2, ELEMENTS = 3 };

static sg_status read_section(struct sg_gmsh_reader *reader, size_t k)
{
    struct sg_gmsh_lines *lines = &reader->lines;
    for (size_t later = k; later < SECTIONS; later++) {
        if (!reader->seen[later]) continue;
        if (later == k) return sg_gmsh_fault_here(lines, "section $%s is there twice", sections[k].name);
        return sg_gmsh_fault_here(lines, "section $%s stands behind $%s, which needs it", sections[k].name,
                                  sections[later].name);
    }
    if (k == ELEMENTS && !reader->seen[NODES])
        return sg_gmsh_fault_here(lines, "section $Elements stands before $Nodes, which it needs");
    reader->seen[k] = true;
    lines->section = sections[k].name;
    return sections[k].read(reader);
}

/* up to the line "$End" + name */
static sg_status pass_over(struct sg_gmsh_lines *lines)
{
    char name[SG_GMSH_WORD], shown[SG_GMSH_WORD];
    size_t head = lines->number;
    snprintf(name, sizeof name, "%s", sg_gmsh_show(lines->word, shown));
    while (sg_gmsh_next_line(lines))
        if (strncmp(lines->word, "$End", 4) == 0 &&
            strcmp(sg_gmsh_show(lines->word + 4, shown), name + 1) == 0)
            return SG_OK;
    return sg_gmsh_fault_at(lines->fault, head, "section %s has no end", name);
}

static sg_status read_any_section(struct sg_gmsh_reader *reader)
{
    struct sg_gmsh_lines *lines = &reader->lines;
    char shown[SG_GMSH_WORD];
    sg_gmsh_show(lines->word, shown);
    if (shown[0] != '$' || strncmp(shown, "$End", 4) == 0)
        return sg_gmsh_fault_here(lines, "'%s' stands where a section should begin", shown);
    if (strcmp(shown, "$PartitionedEntities") == 0) {
        sg_gmsh_fault_here(lines, "the mesh is partitioned, which is not read");
        return sg_gmsh_hint(lines->fault, SG_BAD_DECK,
                            "unpartition it in Gmsh: Mesh > Partition > Unpartition");
    }
    for (size_t k = 0; k < SECTIONS; k++)
        if (strcmp(shown + 1, sections[k].name) == 0) return read_section(reader, k);
    return pass_over(lines);
}

static sg_status check_whole(struct sg_gmsh_reader *reader)
{
    struct sg_gmsh_fault *fault = reader->lines.fault;
    for (size_t k = NODES; k < SECTIONS; k++)
        if (!reader->seen[k]) return sg_gmsh_fault_at(fault, 0, "there is no section $%s", sections[k].name);
    if (reader->mesh->element_count > 0) return sg_gmsh_complete_groups(reader);
    sg_gmsh_fault_at(fault, 0, "there are no elements");
    return sg_gmsh_hint(
        fault, SG_BAD_DECK,
        "with physical groups Gmsh writes the elements of these alone: is one of the surface there?");
}

static sg_status read_all(void *self, struct sg_error *err)
{
    struct sg_gmsh_reader *reader = self;
    (void)err;
    TRY(read_format(reader));
    TRY(check_text(&reader->lines));
    while (sg_gmsh_next_line(&reader->lines)) TRY(read_any_section(reader));
    return check_whole(reader);
}

sg_status sg_gmsh_parse(char *text, size_t length, struct sg_gmsh_mesh *mesh, struct sg_gmsh_fault *fault,
                        struct sg_error *err)
{
    struct sg_gmsh_reader reader = {
        .lines = {.next = text, .end = text + length, .fault = fault}, .mesh = mesh, .err = err};
    *mesh = (struct sg_gmsh_mesh){0};
    *fault = (struct sg_gmsh_fault){0};
    sg_status status = sg_with_plain_numbers(read_all, &reader, err);
    sg_free(reader.node_tags);
    if (status != SG_OK) sg_gmsh_release(mesh);
    return status;
}

/* --- the side file -------------------------------------------------------------------------------- */

void sg_gmsh_complain(const struct sg_table_source *source, const struct sg_gmsh_fault *fault,
                      struct sg_diagnostics *diagnostics)
{
    char line[32] = "";
    if (fault->line > 0) snprintf(line, sizeof line, " line %zu", fault->line);
    sg_complain_about(diagnostics, SG_ERROR, source->group, source->keyword, "'%s'%s: %s", source->file, line,
                      fault->message);
    if (fault->hint[0] != '\0') sg_hint(diagnostics, "%s", fault->hint);
}

sg_status sg_gmsh_read(const struct sg_table_source *source, struct sg_gmsh_mesh *mesh,
                       struct sg_diagnostics *diagnostics, struct sg_error *err)
{
    struct sg_gmsh_fault fault = {0};
    SG_AUTO_FREE char *text = NULL;
    size_t length = 0;
    *mesh = (struct sg_gmsh_mesh){0};
    TRY(sg_table_text(source, FILE_LIMIT, &text, &length, diagnostics, err));
    sg_status status = sg_gmsh_parse(text, length, mesh, &fault, err);
    if (status == SG_OK) status = sg_gmsh_check_plane(mesh, &fault);
    if (status == SG_BAD_DECK) sg_gmsh_complain(source, &fault, diagnostics);
    if (status != SG_OK) sg_gmsh_release(mesh);
    return status;
}
