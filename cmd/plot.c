/* SPDX-License-Identifier: BSD-2-Clause */
/* edgewise plot: pictures, and values along lines. */
#include "cmd.h"
#include "edgewise-plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

enum { MOST_NUMBERS = 1000 };

/* As they were written; NULL: not given. */
struct plot_arguments {
    struct cli_arguments common;
    const char *field, *frame, *time, *range, *map, *isolines, *window, *title, *width, *height, *supersample, *threads;
    const char *line, *points;
    bool list, log, mesh, bare, palette;
};

struct picture {
    const struct plot_arguments *given;
    ew_results *results;
    ew_results_info info;
    ew_plot plot;
    bool film;
    double level[MOST_NUMBERS];
    ew_error error;
};

/* ---- options ----------------------------------------------------------------------------------------------------- */

static int read_range(struct picture *picture)
{
    const char *text = picture->given->range;
    double number[2];
    if (!text || strcmp(text, "auto") == 0)
        return 0;
    if (strcmp(text, "symmetric") == 0) {
        picture->plot.range = EW_RANGE_SYMMETRIC;
        return 0;
    }
    if (cli_read_numbers(text, 2, 2, number) != 2)
        return cli_misuse(&cmd_plot, "--range needs auto, symmetric or LOW,HIGH, for example 0,2.5, not \"%s\".", text);
    picture->plot.range = EW_RANGE_FIXED;
    picture->plot.low = number[0];
    picture->plot.high = number[1];
    return 0;
}

/* One whole number is a number of lines, anything else with a comma or a point is levels. */
static int read_isolines(struct picture *picture)
{
    const char *text = picture->given->isolines;
    if (!text)
        return 0;
    int count = cli_read_numbers(text, 1, MOST_NUMBERS, picture->level);
    if (count < 1)
        return cli_misuse(&cmd_plot,
                          "--isolines needs a number of lines, or levels separated by commas, not \"%s\".", text);
    bool levels = strpbrk(text, ",.eE") != NULL;
    if (!levels && !(picture->level[0] >= 1 && picture->level[0] <= MOST_NUMBERS))
        return cli_misuse(&cmd_plot, "--isolines needs 1 to %d lines, not %s.", (int)MOST_NUMBERS, text);
    picture->plot.isolines = levels ? count : (int)picture->level[0];
    picture->plot.level = levels ? picture->level : NULL;
    return 0;
}

static int read_window(struct picture *picture)
{
    const char *text = picture->given->window;
    picture->plot.zoom = text != NULL;
    if (!text || cli_read_numbers(text, 4, 4, picture->plot.window) == 4)
        return 0;
    return cli_misuse(&cmd_plot, "--window needs X0,Y0,X1,Y1, for example 0,0,2,1, not \"%s\".", text);
}

/* The parser of options has checked its range. */
static int small_number(const char *text)
{
    return text ? (int)strtol(text, NULL, 10) : 0;
}

/* 0 without the option. */
static int read_pixels(const struct picture *picture, const char *option, const char *text, int *pixels)
{
    int least = picture->given->bare ? 1 : EW_PLOT_LEAST;
    if (!text || cli_is_whole_number(text, least, EW_PLOT_MOST)) {
        *pixels = small_number(text);
        return 0;
    }
    return cli_misuse(&cmd_plot, "--%s needs a number of pixels from %d to %d, not \"%s\".%s", option, least,
                      (int)EW_PLOT_MOST, text, least > 1 ? " With --bare fewer are possible." : "");
}

/* Options that do not apply to curves. */
static int refuse_for_line(const struct picture *picture)
{
    const struct plot_arguments *given = picture->given;
    const char *option = given->window        ? "window"
                         : given->mesh        ? "mesh"
                         : given->isolines    ? "isolines"
                         : given->map         ? "map"
                         : given->bare        ? "bare"
                         : given->supersample ? "supersample"
                         : given->palette     ? "palette"
                                              : NULL;
    if (!given->line && given->points)
        return cli_misuse(&cmd_plot, "--points applies to curves; add --line X0,Y0,X1,Y1.");
    if (given->line && picture->plot.range == EW_RANGE_SYMMETRIC)
        return cli_misuse(&cmd_plot, "--range symmetric is for colours; a curve takes --range LOW,HIGH.");
    if (!given->line || !option)
        return 0;
    return cli_misuse(&cmd_plot, "--%s applies to pictures of a field, not to a curve (--line).",
                      option);
}

static int read_options(struct picture *picture)
{
    const struct plot_arguments *given = picture->given;
    ew_plot *plot = &picture->plot;
    int code = read_range(picture);
    code = code ? code : read_isolines(picture);
    code = code ? code : read_window(picture);
    code = code ? code : refuse_for_line(picture);
    code = code ? code : read_pixels(picture, "width", given->width, &plot->width);
    code = code ? code : read_pixels(picture, "height", given->height, &plot->height);
    if (code)
        return code;
    code = cmd_choose_frame(&cmd_plot, picture->results, given->frame, given->time, &plot->frame, &picture->film);
    if (code == EX_OK && given->field &&
        ew_results_find(picture->results, given->field, &plot->field, &picture->error) != EW_OK)
        return cmd_results_failed(&picture->error);
    return code;
}

/* ---- messages ---------------------------------------------------------------------------------------------------- */

static void list(const struct picture *picture)
{
    const char *name, *long_name, *units;
    printf("fields\n");
    for (int k = 0; (name = ew_results_field(picture->results, k, &long_name, &units)) != NULL; k++)
        printf("  %-16s %s%s%s%s\n", name, long_name, units[0] ? " [" : "", units, units[0] ? "]" : "");
    printf("\nframes\n");
    for (int64_t k = 0; k < picture->info.frames; k++) {
        int64_t step;
        double time = ew_results_time(picture->results, k, &step);
        printf("  %-6lld t = %-12.6g step %lld\n", (long long)k, time, (long long)step);
    }
}

static void warn_of_lost_degrees(const struct picture *picture)
{
    if (picture->info.subdivide < picture->info.order)
        fprintf(stderr,
                "edgewise: warning: %s has polynomials of degree %d, but the solution has degree %d; run the case with "
                "output.fields.subdivide = %d to see all of it\n",
                picture->info.path, picture->info.subdivide, picture->info.order, picture->info.order);
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

/* With enough digits to tell the two apart, unless they differ by rounding only. */
static void print_range(double low, double high)
{
    double size = fmax(fabs(low), fabs(high)), half = fabs(high / 2 - low / 2);
    double digits = half > 1e-13 * size ? ceil(log10(size / half)) + 3 : 6;
    int shown = (int)fmin(fmax(digits, 6), 17);
    printf("%.*g to %.*g", shown, low, shown, high);
}

static void print_isolines(const struct picture *picture, const ew_plot_shown *shown)
{
    int count = picture->plot.isolines;
    if (count == 1)
        printf("; an isoline of %.9g", shown->first_level);
    if (count > 1) {
        printf("; %d isolines from ", count);
        print_range(shown->first_level, shown->last_level);
    }
    if (count > 1 && !picture->plot.level && !picture->plot.logarithmic)
        printf(", %.6g apart", (shown->last_level - shown->first_level) / (count - 1));
}

static void tell_picture(const struct picture *picture, const char *name, const ew_plot_shown *shown)
{
    printf("%s: %s at t = %.6g, ", name, ew_results_field(picture->results, picture->plot.field, NULL, NULL),
           ew_results_time(picture->results, picture->plot.frame, NULL));
    if (shown->least <= shown->greatest)
        print_range(shown->least, shown->greatest);
    else
        printf("no values");
    if (shown->low != shown->least || shown->high != shown->greatest) {
        printf("; colours from ");
        print_range(shown->low, shown->high);
    }
    print_isolines(picture, shown);
    putchar('\n');
}

static int write_picture(struct picture *picture, const char *name)
{
    ew_plot_shown shown;
    if (ew_plot_write(picture->results, &picture->plot, name, &shown, &picture->error) != EW_OK)
        return cmd_results_failed(&picture->error);
    if (!picture->given->common.quiet)
        tell_picture(picture, name, &shown);
    if (shown.levels_missed > 0)
        cli_error("warning: %d of %d isolines are not in %s: their values are beyond those of the field there",
                  shown.levels_missed, picture->plot.isolines, name);
    return EX_OK;
}

/* Along a line: a table if the name ends in .csv, or else a curve. */
static int make_probe(const struct picture *picture, const char *name, ew_probe *probe)
{
    const ew_plot *plot = &picture->plot;
    *probe = (ew_probe){.field = plot->field,
                      .frame = plot->frame,
                      .points = small_number(picture->given->points),
                      .picture = !cmd_ends_with(name, ".csv"),
                      .title = plot->title,
                      .logarithmic = plot->logarithmic,
                      .width = plot->width,
                      .height = plot->height};
    if (plot->range == EW_RANGE_FIXED) {
        probe->low = plot->low;
        probe->high = plot->high;
    }
    if (cli_read_numbers(picture->given->line, 4, 4, probe->line) == 4)
        return EX_OK;
    return cli_misuse(&cmd_plot, "--line needs X0,Y0,X1,Y1, for example 0,0,2,1, not \"%s\".", picture->given->line);
}

static int write_line(struct picture *picture, const char *name)
{
    const ew_plot *plot = &picture->plot;
    ew_probe probe;
    int code = make_probe(picture, name, &probe);
    if (code)
        return code;
    if (ew_probe_write(picture->results, &probe, name, &picture->error) != EW_OK)
        return cmd_results_failed(&picture->error);
    if (!picture->given->common.quiet)
        printf("%s: %s at t = %.6g along the line\n", name, ew_results_field(picture->results, plot->field, NULL, NULL),
               ew_results_time(picture->results, plot->frame, NULL));
    return EX_OK;
}

static int check_name(const struct picture *picture, const char *name)
{
    bool line = picture->given->line != NULL;
    bool known = cmd_ends_with(name, ".png") || (line && cmd_ends_with(name, ".csv"));
    if (known || strncmp(name, "/dev/", 5) == 0)
        return cli_check_target(name);
    return cli_misuse(&cmd_plot, "--output needs a name that ends in .png%s, not \"%s\".",
                      line ? " (a curve) or .csv (a table)" : "", name);
}

static int write_one(struct picture *picture, const char *name)
{
    return picture->given->line ? write_line(picture, name) : write_picture(picture, name);
}

/* Of one frame. */
static int find_range(struct picture *picture, const char *name, double *least, double *greatest)
{
    ew_probe probe;
    if (!picture->given->line)
        return ew_plot_range(picture->results, &picture->plot, least, greatest, &picture->error) == EW_OK
                   ? EX_OK
                   : cmd_results_failed(&picture->error);
    int code = make_probe(picture, name, &probe);
    if (code == EX_OK && ew_probe_range(picture->results, &probe, least, greatest, &picture->error) != EW_OK)
        code = cmd_results_failed(&picture->error);
    return code;
}

/* One range for all frames, unless it is given. */
static int common_range(struct picture *picture, const char *name)
{
    double low = INFINITY, high = -INFINITY;
    if (picture->plot.range == EW_RANGE_FIXED)
        return EX_OK;
    for (int64_t k = 0; k < picture->info.frames; k++) {
        double least, greatest;
        picture->plot.frame = k;
        int code = find_range(picture, name, &least, &greatest);
        if (code != EX_OK)
            return code;
        low = fmin(low, least);
        high = fmax(high, greatest);
    }
    if (picture->plot.logarithmic && !picture->given->line)
        low = fmax(low, EW_PLOT_LOG_FLOOR * high);
    if (high > low) {
        picture->plot.range = EW_RANGE_FIXED;
        picture->plot.low = low;
        picture->plot.high = high;
    }
    return EX_OK;
}

static int write_film(struct picture *picture, const char *name)
{
    const char *map = picture->plot.map;
    if (!map && picture->plot.range == EW_RANGE_SYMMETRIC)
        picture->plot.map = "blue-red";
    bool table = picture->given->line && cmd_ends_with(name, ".csv");
    int code = table ? EX_OK : common_range(picture, name);
    for (int64_t k = 0; code == EX_OK && k < picture->info.frames; k++) {
        char *numbered = cmd_numbered(name, k);
        picture->plot.frame = k;
        code = write_one(picture, numbered);
        free(numbered);
    }
    return code;
}

static int draw(void *context, ew_results *results)
{
    struct picture *picture = context;
    picture->results = results;
    ew_results_get_info(results, &picture->info);
    if (picture->given->list) {
        list(picture);
        return EX_OK;
    }
    int code = read_options(picture);
    if (code)
        return code;
    warn_of_lost_degrees(picture);
    char *suffix = cli_format("-%s.png", ew_results_field(results, picture->plot.field, NULL, NULL));
    char *name = cmd_output_name(&picture->given->common, results, suffix);
    free(suffix);
    code = check_name(picture, name);
    if (code == EX_OK)
        code = picture->film ? write_film(picture, name) : write_one(picture, name);
    free(name);
    return code;
}

static int plot(struct cli_arguments *arguments)
{
    const struct plot_arguments *given = (const struct plot_arguments *)arguments;
    struct picture picture = {.given = given,
                              .plot = {.title = given->title, .map = given->map, .logarithmic = given->log,
                                       .mesh = given->mesh, .bare = given->bare, .palette = given->palette,
                                       .supersample = small_number(given->supersample),
                                       .threads = small_number(given->threads)}};
    return cmd_with_results(arguments, given->list, draw, &picture);
}

#define ARGUMENTS struct plot_arguments

static const struct cli_option options[] = {
    CLI_TEXT_OPTION("field", "NAME", field, "field to draw; default: the first one"),
    CLI_FLAG_OPTION("list", list, "print the fields and frames of the file and draw nothing"),
    CLI_OUTPUT_OPTION("FILE.png", "picture file; default: FILE-FIELD.png"),
    CLI_TEXT_OPTION("range", "LOW,HIGH", range, "range of the colours, or auto (the default) or symmetric"),
    CLI_FLAG_OPTION("log", log, "logarithmic colour scale"),
    CLI_TEXT_OPTION("map", "NAME", map, "viridis, magma, cividis, blue-red, grey, each also -reversed; or none"),
    CLI_TEXT_OPTION("isolines", "N|V[,V...]", isolines, "draw N isolines, or isolines of these values"),
    CLI_FLAG_OPTION("mesh", mesh, "draw the edges of the triangles"),
    CLI_TEXT_OPTION("window", "X0,Y0,X1,Y1", window, "show only this part"),
    CLI_TEXT_OPTION("title", "TEXT", title, "title instead of the case's; may be empty"),
    CLI_TEXT_OPTION("line", "X0,Y0,X1,Y1", line, "draw a curve along this line; -o FILE.csv writes a table"),
    CLI_WHOLE_OPTION("points", "N", points, 1, EW_PLOT_POINTS,
                     "sample points along the line, besides those on edges; default 1000"),
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
    .operand = "FILE.nc",
    .summary = "Draw a field as a PNG picture or a curve",
    .options = options,
    .size = sizeof(struct plot_arguments),
    .run = plot,
};
