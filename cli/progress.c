/* SPDX-License-Identifier: BSD-2-Clause */
/* The progress line of a run. */
#include "cli.h"
#include "ewi_team.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define REDRAW_SECONDS 0.12
#define FIRST_LINE_SECONDS 2.0
#define LONGEST_INTERVAL_SECONDS 60.0
#define LOG_SECONDS 60.0

/* The bar leaves USUAL_TEXT columns free, so that its length does not change with every digit. */
enum { LONGEST_LINE = 384, USUAL_TEXT = 66, SMALLEST_BAR = 8, LARGEST_BAR = 50 };
enum { RATE_COLUMNS = 100 }; /* width of a terminal that has room for the rate and the least values */

/* Columns of the line on the terminal. Static, because a process has one terminal. */
static int drawn_columns;
static pthread_mutex_t terminal_lock = PTHREAD_MUTEX_INITIALIZER;

static int terminal_columns(void)
{
    struct winsize size;
    int columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
    return columns > 0 ? columns : 80;
}

/* Overwrites with blanks instead of control sequences, which works on every terminal. `end` follows the line. */
static void draw(const char *line, const char *end)
{
    int columns = (int)strlen(line);
    pthread_mutex_lock(&terminal_lock);
    if (columns > 0 || drawn_columns > 0) {
        fprintf(stderr, "\r%s%*s%s", line, drawn_columns > columns ? drawn_columns - columns : 0, "", end);
        fflush(stderr);
    }
    drawn_columns = columns;
    pthread_mutex_unlock(&terminal_lock);
}

void cli_progress_clear(void)
{
    draw("", "\r");
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

static void draw_line(double fraction, const char *text)
{
    char bar[LONGEST_LINE / 2], line[LONGEST_LINE];
    int columns = terminal_columns() - 1; /* the last column would wrap on some terminals */
    int length = (int)strlen(text);
    make_bar(fraction, columns - (length > USUAL_TEXT ? length : USUAL_TEXT), bar, sizeof bar);
    snprintf(line, sizeof line, "%s%.*s", bar, LONGEST_LINE / 2, text);
    if (columns > 0 && (size_t)columns < sizeof line)
        line[columns] = '\0';
    draw(line, "");
}

bool cli_progress_is_due(struct cli_progress *progress)
{
    double now = ewi_seconds();
    if (progress->begun == 0) {
        progress->terminal = isatty(STDERR_FILENO) != 0;
        progress->begun = progress->drawn = now;
        progress->interval = FIRST_LINE_SECONDS;
    }
    return !progress->quiet && now - progress->drawn >= (progress->terminal ? REDRAW_SECONDS : progress->interval);
}

void cli_progress_show(struct cli_progress *progress, double fraction, const char *text, const char *plain)
{
    if (progress->terminal) {
        draw_line(fraction, text);
    } else {
        fprintf(stderr, "%s\n", plain);
        progress->interval = fmin(1.5 * progress->interval, LONGEST_INTERVAL_SECONDS);
    }
    progress->drawn = ewi_seconds();
}

const char *cli_duration(double seconds, char *text, size_t size)
{
    if (!(seconds < 1e9)) {
        snprintf(text, size, "?");
        return text;
    }
    long whole = (long)(seconds + 0.5);
    if (whole >= 86400)
        snprintf(text, size, "%ldd%02ldh", whole / 86400, whole % 86400 / 3600);
    else if (whole >= 3600)
        snprintf(text, size, "%ldh%02ldm", whole / 3600, whole % 3600 / 60);
    else if (whole >= 60)
        snprintf(text, size, "%ldm%02lds", whole / 60, whole % 60);
    else
        snprintf(text, size, "%lds", whole);
    return text;
}

/* The smallest values of quantities that must stay positive, or the residual norms, if the run has them. */
static void describe_values(ew_run *run, bool least, char text[LONGEST_LINE], char plain[LONGEST_LINE])
{
    double value[EW_MAX_VARIABLES];
    ew_solver_info info;
    size_t length = 0, plain_length = 0;
    ew_solver_get_info(ew_run_solver(run), &info);
    (least ? ew_run_get_least : ew_run_get_residual)(run, value);
    const char *word = least ? "min" : "residual", *const *name = least ? info.law->primitive : info.law->conserved;
    text[0] = plain[0] = '\0';
    for (int m = 0; m < info.law->variables; m++) {
        if (isnan(value[m]) || (least && !info.law->positive[m]))
            continue;
        length += (size_t)snprintf(text + length, LONGEST_LINE - length, length == 0 ? " %s" : "%.0s", word);
        length += (size_t)snprintf(text + length, LONGEST_LINE - length, least ? " %s %.3g" : "%.0s %.1e", name[m],
                                   value[m]);
        plain_length += (size_t)snprintf(plain + plain_length, LONGEST_LINE - plain_length, " %s_%s=%.6g", word,
                                         name[m], value[m]);
    }
}

/* How far a run is on its way to a steady state, if it has to fall by orders of magnitude. */
static void describe_fall(const ew_run *run, const char *format, char text[32])
{
    ew_solver_info info;
    double fallen = ew_solver_orders_fallen(ew_run_solver(run));
    ew_solver_get_info(ew_run_solver(run), &info);
    text[0] = '\0';
    if (info.steady_orders > 0 && isfinite(fallen))
        snprintf(text, 32, format, fallen, info.steady_orders);
}

/* On a narrow terminal, residuals replace the least values; the rate comes last. */
static void describe(ew_run *run, double left, char text[LONGEST_LINE])
{
    char percent[16] = "", state_text[LONGEST_LINE] = "", residual[LONGEST_LINE], plain[LONGEST_LINE], rate[40] = "",
         duration[32], remaining[48] = "", fall[32];
    ew_run_progress state;
    bool wide = terminal_columns() >= RATE_COLUMNS;
    ew_run_get_progress(run, &state);
    describe_values(run, false, residual, plain);
    describe_fall(run, " %.1f of %g orders", fall);
    if (!residual[0] || wide)
        describe_values(run, true, state_text, plain);
    if (!isnan(state.fraction))
        snprintf(percent, sizeof percent, "%3d%% ", (int)(100 * state.fraction));
    if (!residual[0] && (!state_text[0] || wide))
        snprintf(rate, sizeof rate, " %.3g GDOF-stage/s", 1e-9 * state.rate);
    if (!isnan(left))
        snprintf(remaining, sizeof remaining, " %s left", cli_duration(left, duration, sizeof duration));
    snprintf(text, LONGEST_LINE, "%st %.4g step %lld dt %.2e%s%.64s%.64s%s%s", percent, state.time,
             (long long)state.steps, state.dt, fall, state_text, residual, rate, remaining);
}

void cli_progress_words(ew_run *run, double left, char *text, size_t size)
{
    char percent[32] = "", unused[LONGEST_LINE], least[LONGEST_LINE], residual[LONGEST_LINE], remaining[32] = "",
         fall[32];
    ew_run_progress state;
    ew_run_get_progress(run, &state);
    describe_values(run, true, unused, least);
    describe_values(run, false, unused, residual);
    describe_fall(run, " orders_fallen=%.2f", fall);
    if (!isnan(state.fraction))
        snprintf(percent, sizeof percent, " percent=%.1f", 100 * state.fraction);
    if (!isnan(left))
        snprintf(remaining, sizeof remaining, " left_s=%.0f", left);
    snprintf(text, size, "time=%.9g step=%lld dt=%.6g%s%s%s%s gdof_stage_per_s=%.4g%s", state.time,
             (long long)state.steps, state.dt, percent, least, residual, fall, 1e-9 * state.rate, remaining);
}

double cli_progress_left(struct cli_progress *progress, double fraction)
{
    double here = fraction - progress->fraction; /* since the start of this command */
    return here > 0 ? (ewi_seconds() - progress->begun) * (1 - fraction) / here : NAN;
}

void cli_show_progress(void *context, ew_run *run)
{
    struct cli_progress *progress = context;
    char text[LONGEST_LINE];
    ew_run_progress state;
    bool begins = progress->begun == 0, due = cli_progress_is_due(progress);
    if (!begins && !due)
        return;
    ew_run_get_progress(run, &state);
    if (begins)
        progress->fraction = isnan(state.fraction) ? 0 : state.fraction;
    if (!due)
        return;
    double left = cli_progress_left(progress, state.fraction);
    if (progress->terminal)
        describe(run, left, text);
    else
        cli_progress_words(run, left, text, sizeof text);
    cli_progress_show(progress, state.fraction, text, text);
}

bool cli_log_is_due(struct cli_log_pace *pace, double fraction, double now)
{
    bool begins = pace->logged == 0;
    int tenth = isnan(fraction) ? pace->tenth + !begins : (int)(10 * fraction);
    if (!begins && (now - pace->logged < LOG_SECONDS || tenth <= pace->tenth))
        return false;
    *pace = (struct cli_log_pace){now, tenth};
    return !begins;
}
