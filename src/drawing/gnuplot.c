#define _POSIX_C_SOURCE 200809L
#include "drawing/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results/files.h"
#include "support/memory.h"

enum { EXEC_FAILED = 127, WORDS = 400 };

/* Dots an inch; gnuplot takes the size of a pdf in inches. */
static const struct {
    const char *end, *block;
    double dots;
} formats[] = {[SG_PLOT_SVG] = {".svg", "svg", 120},
               [SG_PLOT_PNG] = {".png", "png", 220},
               [SG_PLOT_PDF] = {".pdf", "pdf", 1}};

static sg_status format_of(const char *path, enum sg_plot_format *format, struct sg_error *err)
{
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot != NULL && i < 3; i++) {
        if (strcmp(dot, formats[i].end) != 0) continue;
        *format = (enum sg_plot_format)i;
        return SG_OK;
    }
    FAIL(err, SG_USAGE, "the name of '%s' must end in .svg, .png or .pdf", path);
}

void sg_plot_terminal(struct sg_script *script, enum sg_plot_format format, double width, double height)
{
    const struct sg_template *of_figure = script->template;
    double dots = formats[format].dots;
    script->template = sg_template_terminal;
    SG_PUT(script, formats[format].block, SG_NUMBER("width", dots * width),
           SG_NUMBER("height", dots * height));
    script->template = of_figure;
}

/* --- the temporary folder ------------------------------------------------------------------------- */

struct workplace {
    char folder[PATH_MAX], script[PATH_MAX], picture[PATH_MAX], words[PATH_MAX];
};

static sg_status make_workplace(struct workplace *place, struct sg_error *err)
{
    const char *parent = getenv("TMPDIR");
    if (parent == NULL || parent[0] == '\0' || strlen(parent) > PATH_MAX / 2) parent = "/tmp";
    snprintf(place->folder, PATH_MAX, "%.*s/signorini-XXXXXX", PATH_MAX / 2, parent);
    if (mkdtemp(place->folder) == NULL)
        FAIL(err, SG_SYSTEM, "can't make a temporary folder in '%s': %s", parent, strerror(errno));
    snprintf(place->script, PATH_MAX, "%.*s/plot.gp", PATH_MAX / 2 + 64, place->folder);
    snprintf(place->picture, PATH_MAX, "%.*s/plot.out", PATH_MAX / 2 + 64, place->folder);
    snprintf(place->words, PATH_MAX, "%.*s/words", PATH_MAX / 2 + 64, place->folder);
    return SG_OK;
}

static void clear_workplace(const struct workplace *place)
{
    unlink(place->script);
    unlink(place->picture);
    unlink(place->words);
    rmdir(place->folder);
}

static sg_status save_text(const struct sg_text *text, const char *path, struct sg_error *err)
{
    FILE *file = fopen(path, "w");
    bool failed = file == NULL || fwrite(text->data, 1, text->length, file) != text->length;
    if (file != NULL) failed = fclose(file) != 0 || failed;
    if (failed) FAIL(err, SG_WRITE_FAILED, "can't write '%s': %s", path, strerror(errno));
    return SG_OK;
}

static sg_status write_script(const struct sg_drawing *drawing, enum sg_plot_format format,
                              const struct workplace *place, struct sg_error *err)
{
    struct sg_script script = {0};
    sg_status status = SG_OK;
    drawing->script(drawing->plot, format, &script);
    if (script.text.failed)
        status = sg_fail(err, SG_NO_MEMORY, "out of memory for the plot");
    else if (script.fault[0] != '\0')
        status = sg_fail(err, SG_INTERNAL, "the script of the figure is wrong: %s", script.fault);
    else
        status = save_text(&script.text, place->script, err);
    sg_script_release(&script);
    return status;
}

/* --- gnuplot -------------------------------------------------------------------------------------- */

static void become_gnuplot(const struct workplace *place)
{
    char *const command[] = {"gnuplot", "plot.gp", NULL};
    int words = open(place->words, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int nothing = open("/dev/null", O_RDONLY);
    if (words < 0 || nothing < 0 || dup2(nothing, 0) < 0 || dup2(words, 1) < 0 || dup2(words, 2) < 0 ||
        chdir(place->folder) != 0)
        _exit(EXEC_FAILED - 1);
    execvp(command[0], command);
    _exit(EXEC_FAILED);
}

/* Reads the beginning of what gnuplot said, as one line. */
static void read_words(const struct workplace *place, char words[WORDS])
{
    FILE *file = fopen(place->words, "r");
    size_t length = file == NULL ? 0 : fread(words, 1, WORDS - 1, file);
    if (file != NULL) fclose(file);
    words[length] = '\0';
    for (char *c = words; *c != '\0'; c++) {
        if (*c == '\n' || *c == '\t') *c = ' ';
    }
}

static sg_status run_gnuplot(const struct workplace *place, struct sg_error *err)
{
    int status = 0;
    char words[WORDS];
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) FAIL(err, SG_SYSTEM, "can't start gnuplot: %s", strerror(errno));
    if (child == 0) become_gnuplot(place);
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) FAIL(err, SG_SYSTEM, "can't wait for gnuplot: %s", strerror(errno));
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXEC_FAILED)
        FAIL(err, SG_SYSTEM, "gnuplot is not installed (Debian: gnuplot-nox)");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return SG_OK;
    read_words(place, words);
    FAIL(err, SG_SYSTEM, "gnuplot failed: %s", words);
}

/* --- the picture ---------------------------------------------------------------------------------- */

static sg_status copy_open(FILE *from, FILE *to, const char *path, struct sg_error *err)
{
    char block[16384];
    size_t length = 0;
    while ((length = fread(block, 1, sizeof block, from)) > 0) {
        if (fwrite(block, 1, length, to) != length)
            FAIL(err, SG_WRITE_FAILED, "can't write '%s': %s", path, strerror(errno));
    }
    if (ferror(from) != 0) FAIL(err, SG_SYSTEM, "can't read gnuplot's picture: %s", strerror(errno));
    return SG_OK;
}

static sg_status copy_file(const char *source, const char *path, struct sg_error *err)
{
    FILE *from = fopen(source, "rb");
    if (from == NULL) FAIL(err, SG_SYSTEM, "gnuplot drew nothing");
    FILE *to = fopen(path, "wb");
    sg_status status = SG_OK;
    if (to == NULL)
        status = sg_fail(err, SG_NO_OUTPUT, "can't create '%s': %s", path, strerror(errno));
    else
        status = copy_open(from, to, path, err);
    if (to != NULL && fclose(to) != 0 && status == SG_OK)
        status = sg_fail(err, SG_WRITE_FAILED, "can't write '%s': %s", path, strerror(errno));
    fclose(from);
    return status;
}

static sg_status publish_picture(const struct workplace *place, const char *path, struct sg_error *err)
{
    SG_AUTO_FREE char *part = NULL;
    TRY(sg_file_check_target(path, err));
    TRY(sg_path_add(path, ".part", &part, err));
    sg_status status = copy_file(place->picture, part, err);
    if (status == SG_OK) status = sg_file_publish(part, path, err);
    if (status != SG_OK) unlink(part);
    return status;
}

sg_status sg_plot_draw(const struct sg_drawing *drawing, const char *path, struct sg_error *err)
{
    struct workplace place = {0};
    enum sg_plot_format format = SG_PLOT_SVG;
    TRY(format_of(path, &format, err));
    TRY(make_workplace(&place, err));
    sg_status status = write_script(drawing, format, &place, err);
    if (status == SG_OK) status = run_gnuplot(&place, err);
    if (status == SG_OK) status = publish_picture(&place, path, err);
    clear_workplace(&place);
    return status;
}
