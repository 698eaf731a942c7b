/* SPDX-License-Identifier: BSD-2-Clause */
/* edgewise plot: pictures, and values along lines. */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

/* ---- options ----------------------------------------------------------------------------------------------------- */

/* Reads "1%,99%". */
static bool read_percentiles(const char *text, double number[2])
{
    size_t length = strlen(text);
    const char *comma = strchr(text, ',');
    if (!comma || comma == text || comma[-1] != '%' || text[length - 1] != '%')
        return false;
    char *numbers = cli_format("%.*s%.*s", (int)(comma - 1 - text), text, (int)(length - (size_t)(comma - text) - 1),
                               comma);
    bool good = cli_read_numbers(numbers, 2, 2, number) == 2;
    free(numbers);
    return good;
}

static int read_range(struct plot_picture *picture)
{
    static const char *const word[] = {
        [EW_RANGE_AUTOMATIC] = "auto", [EW_RANGE_SYMMETRIC] = "symmetric", [EW_RANGE_FULL] = "full",
        [EW_RANGE_ROBUST] = "robust"};
    const char *text = picture->given->range ? picture->given->range : "auto";
    ew_plot *plot = &picture->plot;
    double number[2];
    for (size_t k = 0; k < sizeof word / sizeof *word; k++)
        if (word[k] && strcmp(text, word[k]) == 0) {
            plot->range = (enum ew_range)k;
            return 0;
        }
    bool percent = read_percentiles(text, number);
    if (!percent && cli_read_numbers(text, 2, 2, number) != 2)
        return cli_misuse(&cmd_plot, "--range needs auto, full, robust, symmetric, LOW,HIGH, for example 0,2.5, or "
                          "percentiles, for example 1%%,99%%, not \"%s\".", text);
    if (percent && !(number[0] >= 0 && number[0] < number[1] && number[1] <= 100))
        return cli_misuse(&cmd_plot, "--range %s: percentiles must grow, from 0%% to 100%%.", text);
    plot->range = percent ? EW_RANGE_ROBUST : EW_RANGE_FIXED;
    plot->low = number[0];
    plot->high = number[1];
    return 0;
}

/* A single integer is a number of isolines; an argument with a comma or a point is a list of levels. */
static int read_isolines(struct plot_picture *picture)
{
    const char *text = picture->given->isolines;
    if (!text)
        return 0;
    int count = cli_read_numbers(text, 1, PLOT_MOST_LEVELS, picture->level);
    if (count < 1)
        return cli_misuse(&cmd_plot,
                          "--isolines needs a number of lines, or levels separated by commas, not \"%s\".", text);
    bool levels = strpbrk(text, ",.eE") != NULL;
    if (!levels && !(picture->level[0] >= 1 && picture->level[0] <= PLOT_MOST_LEVELS))
        return cli_misuse(&cmd_plot, "--isolines needs 1 to %d lines, not %s.", (int)PLOT_MOST_LEVELS, text);
    picture->plot.isolines = levels ? count : (int)picture->level[0];
    picture->plot.level = levels ? picture->level : NULL;
    return 0;
}

static int read_window(struct plot_picture *picture)
{
    const char *text = picture->given->window;
    ew_error error;
    picture->plot.zoom = text != NULL;
    if (text && strcmp(text, "bodies") == 0)
        return ew_plot_bodies(picture->results, picture->plot.window, &error) == EW_OK ? 0 : cmd_results_failed(&error);
    return text ? plot_read_window(text, picture->plot.window) : 0;
}

/* Kinds of pictures; used to refuse options that do not apply to all. */
enum { FIELD = 1, LINE = 2, HISTORY = 4, BOUNDARY = 8, FIELDS = FIELD | LINE | BOUNDARY };
static const struct {
    const char *option;
    int kinds;
} applies[] = {
    {"window", FIELD | HISTORY}, {"mesh", FIELD},        {"isolines", FIELD},       {"map", FIELD},
    {"bare", FIELD},             {"supersample", FIELD}, {"palette", FIELD},        {"points", LINE},
    {"columns", HISTORY},        {"over", HISTORY | BOUNDARY},                      {"field", FIELDS},
    {"frame", FIELDS},           {"time", FIELDS},       {"line", LINE},            {"threads", FIELDS},
    {"vectors", FIELD},          {"streamlines", FIELD}, {"boundary", BOUNDARY},    {"reference", FIELDS},
    {"minus", FIELDS},           {"film", FIELDS},       {"rate", FIELDS},
};

static bool is_given(const struct plot_arguments *given, const char *name)
{
    const struct cli_option *option = cmd_plot.options;
    while (strcmp(option->name, name) != 0)
        option++;
    const char *member = (const char *)given + option->member;
    return option->kind == CLI_FLAG ? *(const bool *)member : *(const char *const *)(const void *)member != NULL;
}

static int refuse_others(const struct plot_arguments *given, int kind)
{
    static const char *const words[] = {
        [FIELD] = "pictures of a field", [LINE] = "curves (--line)", [HISTORY] = "histories (FILE.csv)",
        [BOUNDARY] = "boundaries (--boundary)", [FIELDS] = "fields (FILE.nc)",
        [FIELD | HISTORY] = "pictures of a field and histories", [HISTORY | BOUNDARY] = "histories and boundaries"};
    for (size_t k = 0; k < sizeof applies / sizeof *applies; k++)
        if (!(applies[k].kinds & kind) && is_given(given, applies[k].option))
            return cli_misuse(&cmd_plot, "--%s applies to %s, not to %s.", applies[k].option, words[applies[k].kinds],
                              words[kind]);
    return 0;
}

/* Refuses options that have no effect together with others. */
static int refuse_useless(const struct plot_arguments *given)
{
    static const char *const of_curves[] = {"title", "range", "log", "width", "height"};
    bool table = plot_is_curve(given) && given->common.output && cmd_ends_with(given->common.output, ".csv");
    for (const struct cli_option *option = cmd_plot.options; given->list && option->name; option++)
        if (strcmp(option->name, "list") != 0 && strcmp(option->name, "quiet") != 0 && is_given(given, option->name))
            return cli_misuse(&cmd_plot, "--list draws nothing; leave out --%s.", option->name);
    for (size_t k = 0; table && k < sizeof of_curves / sizeof *of_curves; k++)
        if (is_given(given, of_curves[k]))
            return cli_misuse(&cmd_plot, "--%s applies to pictures, not to a table (.csv).", of_curves[k]);
    return given->bare && given->title ? cli_misuse(&cmd_plot, "--bare draws no title; leave out --title.") : 0;
}

/* Chooses the fields of "rho,p", one picture each. */
static int choose_fields(struct plot_picture *picture)
{
    const char *names = picture->given->field;
    do {
        ew_plot *plot = &picture->field[picture->fields];
        *plot = picture->plot;
        plot->title = picture->fields == 0 && !(names && strchr(names, ',')) ? plot->title : NULL;
        if (names) {
            size_t length = strcspn(names, ",");
            char *name = cli_format("%.*s", (int)length, names);
            int status = ew_results_find(picture->results, name, &plot->field, &picture->error);
            free(name);
            if (status != EW_OK)
                return cmd_results_failed(&picture->error);
            names = names[length] ? names + length + 1 : NULL;
        }
        picture->fields++;
    } while (names && picture->fields < EW_PLOT_PANELS);
    if (names)
        return cli_misuse(&cmd_plot, "--field: a picture has at most %d fields.", (int)EW_PLOT_PANELS);
    for (int k = 1; k < picture->fields; k++)
        picture->further[k - 1] = picture->field[k].field;
    return EX_OK;
}

static int check_film(const struct plot_arguments *given)
{
    const char *film = given->film;
    const char *other = given->frame || given->time ? "--frame or --time" : given->common.output ? "--output" : NULL;
    if (given->rate && !film)
        return cli_misuse(&cmd_plot, "--rate applies to films; add --film FILE.");
    if (film && other)
        return cli_misuse(&cmd_plot, "--film draws all frames into its own file; leave out %s.", other);
    bool known = film && (cmd_ends_with(film, ".mp4") || cmd_ends_with(film, ".gif") || cmd_ends_with(film, ".webp") ||
                          cmd_ends_with(film, ".png"));
    if (film && !known)
        return cli_misuse(&cmd_plot, "--film needs a name that ends in .mp4, .gif, .webp or .png, not \"%s\".", film);
    return film ? cli_check_target(film) : 0;
}

static int read_options(struct plot_picture *picture)
{
    const struct plot_arguments *given = picture->given;
    ew_plot *plot = &picture->plot;
    int least = given->bare ? 1 : EW_PLOT_LEAST;
    int code = refuse_others(given, given->line ? LINE : given->boundary ? BOUNDARY : FIELD);
    code = code ? code : read_range(picture);
    code = code ? code : read_isolines(picture);
    code = code ? code : read_window(picture);
    if (code == 0 && plot_is_curve(given) && plot->range != EW_RANGE_AUTOMATIC && plot->range != EW_RANGE_FIXED)
        code = cli_misuse(&cmd_plot, "--range %s is for colours; a curve takes --range LOW,HIGH.", given->range);
    code = code ? code : plot_read_pixels("width", given->width, least, &plot->width);
    code = code ? code : plot_read_pixels("height", given->height, least, &plot->height);
    code = code ? code : check_film(given);
    if (code)
        return code;
    code = cmd_choose_frame(&cmd_plot, picture->results, given->frame, given->time, &plot->frame, &picture->all);
    return code ? code : choose_fields(picture);
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static void list(const struct plot_picture *picture)
{
    const char *name, *long_name, *units;
    printf("fields\n");
    for (int k = 0; (name = ew_results_field(picture->results, k, &long_name, &units)) != NULL; k++)
        printf("  %-16s %s%s%s%s\n", name, long_name, units[0] ? " [" : "", units, units[0] ? "]" : "");
    for (int k = 0; (name = ew_results_boundary(picture->results, k)) != NULL; k++)
        printf("%s  %s\n", k == 0 ? "\nboundaries\n" : "", name);
    printf("\nframes\n");
    for (int64_t k = 0; k < picture->info.frames; k++) {
        int64_t step;
        double time = ew_results_time(picture->results, k, &step);
        printf("  %-6lld t = %-12.6g step %lld\n", (long long)k, time, (long long)step);
    }
}

static void warn_of_lost_degrees(const struct plot_picture *picture)
{
    if (picture->info.subdivide < picture->info.order)
        fprintf(stderr,
                "edgewise: warning: %s has polynomials of degree %d, but the solution has degree %d; run the case with "
                "output.fields.subdivide = %d to see all of it\n",
                picture->info.path, picture->info.subdivide, picture->info.order, picture->info.order);
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

static int check_name(const struct plot_picture *picture, const char *name)
{
    bool line = plot_is_curve(picture->given);
    bool known = plot_is_picture(name) || (line && cmd_ends_with(name, ".csv"));
    if (known || strncmp(name, "/dev/", 5) == 0)
        return cli_check_target(name);
    return cli_misuse(&cmd_plot, "--output needs a name that ends in .png, .svg or .pdf%s, not \"%s\".",
                      line ? " (a curve) or .csv (a table)" : "", name);
}

/* "-rho.png", "-rho-p.png", "-line-rho.png", "-wing-rho.png" */
static char *name_picture(const struct plot_picture *picture)
{
    char *suffix = cmd_boundary_suffix(picture->given->line ? "line" : picture->given->boundary);
    for (int k = 0; k < picture->fields; k++) {
        char *longer = cli_format("%s-%s", suffix, ew_results_field(picture->results, picture->field[k].field, NULL,
                                                                    NULL));
        free(suffix);
        suffix = longer;
    }
    char *end = cli_format("%s%s.png", suffix, picture->other ? "-difference" : "");
    char *name = cmd_output_name(&picture->given->common, picture->results, end);
    free(suffix);
    free(end);
    return name;
}

static int draw_files(struct plot_picture *picture)
{
    char *name = name_picture(picture);
    int code = check_name(picture, name);
    if (code == EX_OK)
        code = picture->all ? plot_write_all(picture, name) : plot_write_one(picture, name);
    free(name);
    return code;
}

static int subtract(struct plot_picture *picture)
{
    const char *path = picture->given->minus;
    if (!path)
        return EX_OK;
    if (cli_open_results(path, &picture->other, &picture->error) != EW_OK)
        return cli_fail(cli_exit_code(picture->error.code, EX_NOINPUT), "%s", picture->error.message);
    int code = cmd_set_reference(&cmd_plot, picture->other, picture->given->reference);
    if (code != EX_OK)
        return code;
    if (ew_results_subtract(picture->results, picture->other, &picture->error) != EW_OK)
        return cmd_results_failed(&picture->error);
    return EX_OK;
}

static int draw(void *context, ew_results *results)
{
    struct plot_picture *picture = context;
    picture->results = results;
    int code = cmd_set_reference(&cmd_plot, results, picture->given->reference);
    code = code ? code : subtract(picture);
    ew_results_get_info(results, &picture->info);
    if (code == EX_OK && picture->given->list) {
        list(picture);
    } else if (code == EX_OK) {
        code = read_options(picture);
        if (code == EX_OK)
            warn_of_lost_degrees(picture);
        code = code ? code : picture->given->film ? plot_write_film(picture) : draw_files(picture);
    }
    ew_results_close(picture->other);
    return code;
}

static int plot(struct cli_arguments *arguments)
{
    const struct plot_arguments *given = (const struct plot_arguments *)arguments;
    struct plot_picture picture = {.given = given,
                              .plot = {.title = given->title, .map = given->map, .logarithmic = given->log,
                                       .mesh = given->mesh, .bare = given->bare, .palette = given->palette,
                                       .vectors = plot_small_number(given->vectors),
                                       .streamlines = plot_small_number(given->streamlines),
                                       .supersample = plot_small_number(given->supersample),
                                       .threads = plot_small_number(given->threads)}};
    int code = refuse_useless(given);
    if (code == 0 && plot_is_table(given->common.case_path))
        code = refuse_others(given, HISTORY);
    if (code)
        return code;
    if (plot_is_table(given->common.case_path))
        return plot_history(given);
    if (given->common.operands > 1)
        return cli_misuse(&cmd_plot, "\"plot\" takes one FILE.nc or several FILE.csv, but \"%s\" and \"%s\" were "
                          "given.", given->common.operand[0], given->common.operand[1]);
    return cmd_with_results(arguments, given->list, draw, &picture);
}

#define ARGUMENTS struct plot_arguments

static const struct cli_option options[] = {
    CLI_TEXT_OPTION("field", "NAME,...", field, "fields to draw in one picture; default: the first one"),
    CLI_TEXT_OPTION("minus", "OTHER.nc", minus, "draw the difference to this file, of the same mesh"),
    CLI_TEXT_OPTION("film", "FILE", film, "draw all frames as a film: .mp4, .gif or .webp (ffmpeg), or .png"),
    CLI_WHOLE_OPTION("rate", "N", rate, 1, 100, "frames of a film per second; default: it lasts five seconds"),
    CLI_FLAG_OPTION("list", list, "print the fields and frames, or the columns, and draw nothing"),
    CLI_OUTPUT_OPTION("FILE", "picture file: .png, .svg or .pdf; default: FILE-FIELD.png"),
    CLI_TEXT_OPTION("range", "LOW,HIGH", range,
                    "range of the colours; or percentiles, 1%,99%; or auto, full, robust or symmetric"),
    CLI_FLAG_OPTION("log", log, "logarithmic scale of the colours or, for curves, of the y axis"),
    CLI_TEXT_OPTION("map", "NAME", map, "viridis, magma, cividis, blue-red, grey, each also -reversed; or none"),
    CLI_TEXT_OPTION("isolines", "N|V[,V...]", isolines, "draw N isolines, or isolines of these values"),
    CLI_WHOLE_OPTION("vectors", "N", vectors, 1, EW_PLOT_FLOW, "draw N arrows of the velocity along the width"),
    CLI_WHOLE_OPTION("streamlines", "N", streamlines, 1, EW_PLOT_FLOW,
                     "draw streamlines, a Nth of the width apart"),
    CLI_FLAG_OPTION("mesh", mesh, "draw the edges of the triangles"),
    CLI_TEXT_OPTION("window", "X0,Y0,X1,Y1", window, "show only this part, or the surroundings of the \"bodies\""),
    CLI_TEXT_OPTION("title", "TEXT", title, "title instead of the case's; may be empty"),
    CLI_TEXT_OPTION("line", "X0,Y0,X1,Y1", line, "draw a curve along this line; -o FILE.csv writes a table"),
    CMD_BOUNDARY_OPTIONS("draw curves along these boundaries; -o FILE.csv writes a table"),
    CLI_WHOLE_OPTION("points", "N", points, 1, EW_PLOT_POINTS,
                     "sample points along the line, in addition to those on edges; default 1000"),
    CLI_TEXT_OPTION("columns", "NAME,...", columns, "columns of a table to draw; default: forces"),
    CLI_TEXT_OPTION("over", "NAME", over, "column along x, default time; along boundaries arc, the default, or x/c"),
    CLI_TEXT_OPTION("width", "PIXELS", width, "greatest width; default 1200"),
    CLI_TEXT_OPTION("height", "PIXELS", height, "greatest height; default 1600"),
    CLI_WHOLE_OPTION("supersample", "N", supersample, 1, EW_PLOT_SUPERSAMPLE,
                     "take N^2 samples per pixel, N = 1 to 8; default 3"),
    CLI_FLAG_OPTION("bare", bare, "draw only the field: no axes, title or colour bar"),
    CLI_FLAG_OPTION("palette", palette, "use at most 256 colours, for a smaller file"),
    CLI_WHOLE_OPTION("threads", "N", threads, 0, EW_MAX_THREADS, "number of threads; default: all cores"),
    CLI_FRAME_OPTIONS("frame number, from 0; all draws every frame, as for a film"),
    CLI_QUIET_OPTION("do not print what was written"),
    CLI_HELP_AND_END,
};

const struct cli_command cmd_plot = {
    .name = "plot",
    .operand = "FILE.nc|FILE.csv...",
    .summary = "Draw fields as pictures, curves and films, and histories as charts",
    .options = options,
    .size = sizeof(struct plot_arguments),
    .run = plot,
};
