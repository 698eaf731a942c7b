/* SPDX-License-Identifier: BSD-2-Clause */
/* Draws one picture, or values along a line; reads the options that these share with histories. */
#include "plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

int plot_read_window(const char *text, double window[4])
{
    if (cli_read_numbers(text, 4, 4, window) == 4)
        return 0;
    if (strcmp(text, "bodies") == 0)
        return cli_misuse(&cmd_plot, "--window bodies is for pictures of fields; here it needs X0,Y0,X1,Y1.");
    return cli_misuse(&cmd_plot, "--window needs X0,Y0,X1,Y1, for example 0,0,2,1, or \"bodies\", not \"%s\".", text);
}

int plot_small_number(const char *text)
{
    return text ? (int)strtol(text, NULL, 10) : 0;
}

int plot_read_pixels(const char *option, const char *text, int least, int *pixels)
{
    if (!text || cli_is_whole_number(text, least, EW_PLOT_MOST)) {
        *pixels = plot_small_number(text);
        return 0;
    }
    return cli_misuse(&cmd_plot, "--%s needs a number of pixels from %d to %d, not \"%s\".%s", option, least,
                      (int)EW_PLOT_MOST, text, least > 1 ? " With --bare fewer are possible." : "");
}

bool plot_is_picture(const char *name)
{
    return cmd_ends_with(name, ".png") || cmd_ends_with(name, ".svg") || cmd_ends_with(name, ".pdf");
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

/* Prints enough digits to distinguish the two, unless they differ only by rounding. */
static void print_range(double low, double high)
{
    double size = fmax(fabs(low), fabs(high)), half = fabs(high / 2 - low / 2);
    double digits = half > 1e-13 * size ? ceil(log10(size / half)) + 3 : 6;
    int shown = (int)fmin(fmax(digits, 6), 17);
    printf("%.*g to %.*g", shown, low, shown, high);
}

static void print_isolines(const ew_plot *plot, const ew_plot_shown *shown)
{
    int count = plot->isolines;
    if (count == 1)
        printf("; an isoline of %.9g", shown->first_level);
    if (count > 1) {
        printf("; %d isolines from ", count);
        print_range(shown->first_level, shown->last_level);
    }
    if (count > 1 && !plot->level && !plot->logarithmic)
        printf(", %.6g apart", (shown->last_level - shown->first_level) / (count - 1));
}

static void report_picture(const struct plot_picture *picture, const ew_plot *plot, const char *name,
                           const ew_plot_shown *shown)
{
    double time = ew_results_time(picture->results, plot->frame, NULL);
    printf("%s: %s at t = %.6g", name, ew_results_field(picture->results, plot->field, NULL, NULL), time);
    if (picture->other)
        printf(", less that at t = %.6g,",
               ew_results_time(picture->other, ew_results_nearest(picture->other, time), NULL));
    printf(picture->other ? " " : ", ");
    if (shown->least <= shown->greatest)
        print_range(shown->least, shown->greatest);
    else
        printf("no values");
    if (shown->low != shown->least || shown->high != shown->greatest) {
        printf("; colours from ");
        print_range(shown->low, shown->high);
    }
    if (shown->beyond > 0)
        printf(", %.2g%% of the picture outside", 100 * shown->beyond);
    print_isolines(plot, shown);
    if (plot->vectors)
        printf("; the longest arrows are a speed of %.6g or more", shown->speed);
    putchar('\n');
}

static int write_picture(struct plot_picture *picture, const char *name)
{
    ew_plot_shown shown[EW_PLOT_PANELS];
    if (ew_plots_write(picture->results, picture->fields, picture->field, picture->plot.title, name, shown,
                       &picture->error) != EW_OK)
        return cmd_results_failed(&picture->error);
    for (int k = 0; k < picture->fields; k++) {
        if (!picture->given->common.quiet)
            report_picture(picture, &picture->field[k], name, &shown[k]);
        if (shown[k].levels_missed > 0)
            cli_error("warning: %d of %d isolines are not in %s: their values are outside the field's range there",
                      shown[k].levels_missed, picture->plot.isolines, name);
    }
    return EX_OK;
}

static int read_over(const struct plot_arguments *given, enum ew_over *over)
{
    bool chord = given->over && strcmp(given->over, "x/c") == 0;
    *over = chord ? EW_OVER_CHORD : EW_OVER_ARC;
    if (given->over && given->common.output && cmd_ends_with(given->common.output, ".csv"))
        return cli_misuse(&cmd_plot, "--over applies to pictures; a table (.csv) has both arc and x/c.");
    return !given->over || chord || strcmp(given->over, "arc") == 0
               ? EX_OK
               : cli_misuse(&cmd_plot, "--over needs arc or x/c along boundaries, not \"%s\".", given->over);
}

int plot_make_probe(const struct plot_picture *picture, const char *name, ew_probe *probe)
{
    const ew_plot *plot = &picture->field[0];
    *probe = (ew_probe){.field = plot->field,
                      .frame = plot->frame,
                      .points = plot_small_number(picture->given->points),
                      .picture = !cmd_ends_with(name, ".csv"),
                      .title = picture->plot.title,
                      .others = picture->fields - 1,
                      .other = picture->further,
                      .boundary = picture->given->boundary,
                      .logarithmic = plot->logarithmic,
                      .width = plot->width,
                      .height = plot->height};
    if (plot->range == EW_RANGE_FIXED) {
        probe->low = plot->low;
        probe->high = plot->high;
    }
    if (picture->given->boundary)
        return read_over(picture->given, &probe->over);
    if (cli_read_numbers(picture->given->line, 4, 4, probe->line) == 4)
        return EX_OK;
    return cli_misuse(&cmd_plot, "--line needs X0,Y0,X1,Y1, for example 0,0,2,1, not \"%s\".", picture->given->line);
}

static int write_line(struct plot_picture *picture, const char *name)
{
    const ew_plot *plot = &picture->field[0];
    ew_probe probe;
    int code = plot_make_probe(picture, name, &probe);
    if (code)
        return code;
    if (ew_probe_write(picture->results, &probe, name, &picture->error) != EW_OK)
        return cmd_results_failed(&picture->error);
    if (!picture->given->common.quiet)
        printf("%s: %s at t = %.6g along %s\n", name,
               picture->fields > 1 ? picture->given->field
                                   : ew_results_field(picture->results, plot->field, NULL, NULL),
               ew_results_time(picture->results, plot->frame, NULL),
               picture->given->boundary ? picture->given->boundary : "the line");
    return EX_OK;
}

int plot_write_one(struct plot_picture *picture, const char *name)
{
    return plot_is_curve(picture->given) ? write_line(picture, name) : write_picture(picture, name);
}

void plot_choose_frame(struct plot_picture *picture, int64_t frame)
{
    for (int k = 0; k < picture->fields; k++)
        picture->field[k].frame = frame;
}
