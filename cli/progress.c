/* SPDX-License-Identifier: BSD-2-Clause */
/* The progress line of a run. */
#include "cli.h"
#include "ewi_team.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define REDRAW_SECONDS 0.12
#define FIRST_LINE_SECONDS 2.0
#define LONGEST_INTERVAL_SECONDS 60.0

/* The bar leaves room for USUAL_TEXT columns, so that its length does not change with every digit. */
enum { LONGEST_LINE = 256, USUAL_TEXT = 66, SMALLEST_BAR = 8, LARGEST_BAR = 50 };

/* Columns of the line on the terminal. Static, since a process has one terminal. */
static int drawn_columns;

static int terminal_columns(void)
{
    struct winsize size;
    int columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
    return columns > 0 ? columns : 80;
}

/* Blanks in place of control sequences: they work on every terminal. */
static void draw(const char *line)
{
    int columns = (int)strlen(line);
    fprintf(stderr, "\r%s%*s", line, drawn_columns > columns ? drawn_columns - columns : 0, "");
    fflush(stderr);
    drawn_columns = columns;
}

void cli_progress_clear(void)
{
    if (drawn_columns == 0)
        return;
    draw("");
    fputc('\r', stderr);
    fflush(stderr);
}

/* "[#####.....] ", `columns` wide; empty if there is too little room. */
static void make_bar(double fraction, int columns, char *bar, size_t size)
{
    int cells = columns - 3;
    bar[0] = '\0';
    if (cells < SMALLEST_BAR || (size_t)cells + 4 > size || isnan(fraction))
        return;
    cells = cells < LARGEST_BAR ? cells : LARGEST_BAR;
    int full = (int)(fraction * cells);
    bar[0] = '[';
    memset(bar + 1, '#', (size_t)full);
    memset(bar + 1 + full, '.', (size_t)(cells - full));
    memcpy(bar + 1 + cells, "] ", 3);
}

static void draw_line(const ew_run_progress *state, double left)
{
    char text[LONGEST_LINE / 2], bar[LONGEST_LINE / 2], line[LONGEST_LINE];
    char percent[16] = "", duration[32], remaining[48] = "";
    if (!isnan(state->fraction))
        snprintf(percent, sizeof percent, "%3d%% ", (int)(100 * state->fraction));
    if (!isnan(left))
        snprintf(remaining, sizeof remaining, " %s left", cli_duration(left, duration, sizeof duration));
    snprintf(text, sizeof text, "%st %.4g step %lld dt %.2e %.3g GDOF-stage/s%s", percent, state->time,
             (long long)state->steps, state->dt, 1e-9 * state->rate, remaining);
    int columns = terminal_columns() - 1; /* the last column would wrap on some terminals */
    int length = (int)strlen(text);
    make_bar(state->fraction, columns - (length > USUAL_TEXT ? length : USUAL_TEXT), bar, sizeof bar);
    snprintf(line, sizeof line, "%s%s", bar, text);
    if (columns > 0 && (size_t)columns < sizeof line)
        line[columns] = '\0';
    draw(line);
}

static void print_line(const ew_run_progress *state, double left)
{
    fprintf(stderr, "time=%.9g step=%lld dt=%.6g", state->time, (long long)state->steps, state->dt);
    if (!isnan(state->fraction))
        fprintf(stderr, " percent=%.1f", 100 * state->fraction);
    fprintf(stderr, " gdof_stage_per_s=%.4g", 1e-9 * state->rate);
    if (!isnan(left))
        fprintf(stderr, " left_s=%.0f", left);
    fputc('\n', stderr);
}

static void begin(struct cli_progress *progress, const ew_run *run, double now)
{
    ew_run_progress state;
    ew_run_get_progress(run, &state);
    progress->terminal = isatty(STDERR_FILENO) != 0;
    progress->begun = progress->drawn = now;
    progress->interval = FIRST_LINE_SECONDS;
    progress->fraction = isnan(state.fraction) ? 0 : state.fraction;
}

void cli_show_progress(void *context, const ew_run *run)
{
    struct cli_progress *progress = context;
    ew_run_progress state;
    double now = ewi_seconds();
    if (progress->begun == 0)
        begin(progress, run, now);
    if (progress->quiet || now - progress->drawn < (progress->terminal ? REDRAW_SECONDS : progress->interval))
        return;
    ew_run_get_progress(run, &state);
    double here = state.fraction - progress->fraction; /* since the start of this command */
    double left = here > 0 ? (now - progress->begun) * (1 - state.fraction) / here : NAN;
    if (progress->terminal) {
        draw_line(&state, left);
    } else {
        print_line(&state, left);
        progress->interval = fmin(1.5 * progress->interval, LONGEST_INTERVAL_SECONDS);
    }
    progress->drawn = now;
}
