/* signorini export: results for spreadsheets and for ParaView. */
#define _POSIX_C_SOURCE 200809L
#include "commands/commands.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "commands/arguments.h"
#include "commands/load.h"
#include "exporting/export.h"

enum { STEM = 256 };

/* "block" of "runs/block.h5" or "runs/block.h5.part" */
static void take_stem(const char *path, char stem[STEM])
{
    const char *slash = strrchr(path, '/');
    snprintf(stem, STEM, "%s", slash == NULL ? path : slash + 1);
    static const char *const endings[] = {".part", ".h5"};
    for (size_t k = 0; k < 2; k++) {
        size_t length = strlen(stem), ending = strlen(endings[k]);
        if (length > ending && strcmp(stem + length - ending, endings[k]) == 0) stem[length - ending] = '\0';
    }
}

static sg_status make_folder(const char *folder, struct sg_error *err)
{
    if (mkdir(folder, 0777) == 0 || errno == EEXIST) return SG_OK;
    FAIL(err, SG_NO_OUTPUT, "can't create the folder '%s': %s", folder, strerror(errno));
}

static sg_status write_vtk(const struct sg_export_source *source, const struct sg_arguments *arguments,
                           struct sg_text *told, struct sg_error *err)
{
    const char *folder = sg_arguments_text(arguments, "vtk", NULL);
    const char *times = sg_arguments_text(arguments, "at", NULL);
    char stem[STEM];
    struct sg_scene scene;
    SG_LOCAL_ARENA(arena);
    take_stem(arguments->words[0], stem);
    TRY(sg_scene_init(&arena, &scene, source, stem, err));
    TRY(make_folder(folder, err));
    return times == NULL ? sg_export_xdmf(&scene, folder, told, err)
                         : sg_export_states(&scene, folder, times, told, err);
}

static sg_status write_csv(const struct sg_export_source *source, const char *folder, struct sg_text *told,
                           struct sg_error *err)
{
    TRY(make_folder(folder, err));
    return sg_export_csv(source, folder, told, err);
}

static sg_status write_all(const struct sg_reader *reader, const struct sg_arguments *arguments,
                           struct sg_error *err)
{
    struct sg_export_source source;
    SG_LOCAL_ARENA(arena);
    SG_LOCAL_TEXT(told);
    const char *csv = sg_arguments_text(arguments, "csv", NULL);
    const char *fields = sg_arguments_text(arguments, "fields", NULL);
    sg_status status = sg_export_source_init(&arena, &source, reader, arguments->words[0], fields, err);
    if (status == SG_OK && csv != NULL) status = write_csv(&source, csv, &told, err);
    if (status == SG_OK && sg_arguments_has(arguments, "vtk"))
        status = write_vtk(&source, arguments, &told, err);
    if (status == SG_OK) status = sg_print(&told, err);
    sg_report(&source.findings, SG_OK, err);
    return status;
}

static sg_status export_file(const struct sg_arguments *arguments, struct sg_error *err)
{
    struct sg_reader *reader = NULL;
    const char *csv = sg_arguments_text(arguments, "csv", NULL);
    bool vtk = sg_arguments_has(arguments, "vtk");
    TRY(sg_arguments_expect(arguments, 1, 1, err));
    if (csv == NULL && !vtk) FAIL(err, SG_USAGE, "say where to: --csv DIR or --vtk DIR");
    if (!vtk && sg_arguments_has(arguments, "at")) FAIL(err, SG_USAGE, "--at goes with --vtk");
    TRY(sg_reader_open(arguments->words[0], &reader, err));
    sg_status status = write_all(reader, arguments, err);
    sg_reader_close(reader);
    return status;
}

int sg_command_export(int argc, char **argv)
{
    static const struct sg_option options[] = {
        {"csv", 0, "DIR", "a CSV file a history into the folder DIR, which is made if need be", false},
        {"vtk", 0, "DIR",
         "mesh and fields for ParaView into DIR: an XDMF file that it plays as a time series", false},
        {"at", 0, "TIMES",
         "with --vtk: a VTK file for the sample next to each time (s), like 0.1,0.2, instead", false},
        {"fields", 0, "NAMES",
         "only these histories, like von_mises,displacement; stress, von_mises, stress_node and "
         "von_mises_node "
         "are computed from recorded displacements where they are not in the file",
         false},
        {0}};
    static const struct sg_command_frame frame = {
        "FILE.h5 --csv DIR | --vtk DIR [--at TIMES] [--fields NAMES]",
        "writes results as tables, or for ParaView", options, export_file};
    return sg_command_run(&frame, argc, argv);
}
