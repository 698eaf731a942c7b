/* SPDX-License-Identifier: BSD-2-Clause */
/* The chart of a sweep: one column of its table over another. */
#include "edgewise-plot.h"
#include "sweep.h"

#include <math.h>
#include <string.h>
#include <sysexits.h>

enum { MOST_CURVES = 12 };

struct chart {
    const struct sweep_table *table;
    char *x, *y;
    int curves;
    ew_curve curve[MOST_CURVES];
    char name[MOST_CURVES][SWEEP_NAME];
    double *room;    /* [members][2]: the points, curve by curve */
    int64_t *member; /* [members] */
};

/* ---- columns ----------------------------------------------------------------------------------------------------- */

static bool has_numbers(const struct sweep_table *table, const char *name)
{
    for (int64_t m = 1; m <= table->info.members; m++)
        if (!isnan(sweep_table_number(table, m, name)))
            return true;
    return false;
}

/* The first body's lift or, without one, the first error or total. */
static const char *default_y(const struct sweep_table *table)
{
    for (int k = 0; k < table->columns; k++)
        if (cmd_ends_with(table->column[k], "_lift"))
            return table->column[k];
    return table->columns > 0 ? table->column[0] : "wall_s";
}

static const char *default_x(const struct sweep_table *table)
{
    for (int k = 0; k < table->info.keys; k++)
        if (has_numbers(table, ew_sweep_key(table->sweep, k)))
            return ew_sweep_key(table->sweep, k);
    return "member";
}

/* ---- before the runs --------------------------------------------------------------------------------------------- */

struct names {
    char *list; /* ", order, time": all numeric columns that the table will have */
    const char *x, *y;
    bool has_x, has_y;
};

static void add_name(struct names *names, const char *part, const char *rest)
{
    char *name = cli_format("%s%s%s", part, rest ? "_" : "", rest ? rest : "");
    char *longer = cli_format("%s%s%s", names->list, names->list[0] ? ", " : "", name);
    names->has_x = names->has_x || strcmp(names->x, name) == 0;
    names->has_y = names->has_y || strcmp(names->y, name) == 0;
    free(names->list);
    free(name);
    names->list = longer;
}

static void add_results(struct names *names, const ew_case *that)
{
    static const char *const sums[] = {"total", "error_l2", "error_linf"};
    const ew_problem *problem = ew_case_problem(that);
    const ew_run_plan *plan = ew_case_plan(that);
    const ew_law *law = ew_law_find(problem->law);
    bool has_exact = problem->exact.formula || problem->exact.callback;
    const char *number;
    for (int k = 0; k < plan->bodies; k++)
        for (int n = 0; (number = ew_force_number(law, NULL, n, NULL)); n++)
            add_name(names, plan->body[k].name, number);
    for (int k = 0; k < (has_exact ? 3 : 1); k++)
        for (int m = 0; law && m < law->variables; m++)
            add_name(names, sums[k], law->conserved[m]);
}

/* True if all members have the same law and output, and so the same columns. */
static bool are_alike(const struct sweep_table *table)
{
    for (int k = 0; k < table->info.keys; k++)
        if (strncmp(ew_sweep_key(table->sweep, k), "law", 3) == 0 ||
            strncmp(ew_sweep_key(table->sweep, k), "output", 6) == 0)
            return false;
    return true;
}

/* Reads the first member; if that fails, its run reports the error. */
static ew_case *read_first(const struct cli_arguments *arguments)
{
    ew_case *that = NULL;
    const ew_case_options options = {.settings = arguments->settings, .member = 1, .most_triangles = 1,
                                     .setting = (const char *const *)arguments->setting};
    (void)ew_case_read(NULL, arguments->case_path, &options, &that, NULL);
    return that;
}

int sweep_chart_check(const struct sweep_table *table, const char *columns, const struct cli_arguments *arguments)
{
    static const char *const all[] = {"member", "time", "steps", "wall_s"};
    const char *comma = strchr(columns, ',');
    char *x = cli_format("%.*s", (int)(comma - columns), columns);
    struct names names = {.list = cli_copy(""), .x = x, .y = comma + 1};
    ew_case *that = are_alike(table) ? read_first(arguments) : NULL;
    int code = EX_OK;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        add_name(&names, all[k], NULL);
    for (int k = 0; k < table->info.keys; k++)
        if (has_numbers(table, ew_sweep_key(table->sweep, k)))
            add_name(&names, ew_sweep_key(table->sweep, k), NULL);
    if (that)
        add_results(&names, that);
    if (that && !(names.has_x && names.has_y))
        code = cli_fail(EX_USAGE, "--columns: the table will have no numbers in a column \"%s\"; it will have %s",
                        names.has_x ? names.y : names.x, names.list);
    ew_case_destroy(that);
    free(names.list);
    free(x);
    return code;
}

/* ---- the choice -------------------------------------------------------------------------------------------------- */

static int choose_columns(struct chart *chart, const char *columns)
{
    const char *comma = columns ? strchr(columns, ',') : NULL;
    chart->x = columns ? cli_format("%.*s", (int)(comma - columns), columns) : cli_copy(default_x(chart->table));
    chart->y = cli_copy(columns ? comma + 1 : default_y(chart->table));
    const char *const names[] = {chart->x, chart->y};
    for (int k = 0; k < 2; k++)
        if (!has_numbers(chart->table, names[k]))
            return cli_fail(EX_USAGE, "--columns: the table has no numbers in a column \"%s\"; %s has the columns",
                            names[k], chart->table->csv);
    return EX_OK;
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

/* "order=1, let.M=0.3": the values that a curve's members share, which are those of all keys but x. */
static const char *name_of(const struct chart *chart, int64_t member, char name[SWEEP_NAME])
{
    const struct sweep_table *table = chart->table;
    char value[SWEEP_VALUE];
    size_t length = 0;
    name[0] = '\0';
    for (int k = 0; k < table->info.keys && length < SWEEP_NAME; k++) {
        const char *key = ew_sweep_key(table->sweep, k);
        if (strcmp(key, chart->x) == 0)
            continue;
        ew_sweep_value(table->sweep, member, k, value, sizeof value, NULL);
        length += (size_t)snprintf(name + length, SWEEP_NAME - length, "%s%s=%s", length > 0 ? ", " : "",
                                   strncmp(key, "let.", 4) == 0 ? key + 4 : key, value);
    }
    return name;
}

/* Finds or adds the curve of this name; MOST_CURVES: too many curves. */
static int find_curve(struct chart *chart, const char *name)
{
    int k = 0;
    while (k < chart->curves && strcmp(chart->name[k], name) != 0)
        k++;
    if (k == chart->curves && k < MOST_CURVES)
        snprintf(chart->name[chart->curves++], SWEEP_NAME, "%s", name);
    return k;
}

static bool is_key(const struct sweep_table *table, const char *name)
{
    bool found = false;
    for (int k = 0; k < table->info.keys; k++)
        found = found || strcmp(ew_sweep_key(table->sweep, k), name) == 0;
    return found;
}

/* True if some members share the other keys' values and so form curves; otherwise all points are separate. */
static bool divide(struct chart *chart, int64_t count, int *curve_of)
{
    char name[SWEEP_NAME];
    bool good = is_key(chart->table, chart->x);
    for (int64_t k = 0; k < count && good; k++) {
        curve_of[k] = find_curve(chart, name_of(chart, chart->member[k], name));
        good = curve_of[k] < MOST_CURVES;
    }
    if (good)
        return true;
    chart->curves = 1;
    chart->name[0][0] = '\0';
    memset(curve_of, 0, (size_t)count * sizeof *curve_of);
    return false;
}

static int compare_points(const void *a, const void *b)
{
    const double *first = a, *second = b;
    return (first[0] > second[0]) - (first[0] < second[0]);
}

/* Sorts a curve's points by x, then separates the coordinates. */
static void fill_curve(struct chart *chart, int curve, int64_t count, const int *curve_of, bool joined, double *place)
{
    int points = 0;
    double *pairs = cli_allocate(2 * (size_t)count * sizeof *pairs);
    for (int64_t k = 0; k < count; k++)
        if (curve_of[k] == curve) {
            pairs[2 * points] = sweep_table_number(chart->table, chart->member[k], chart->x);
            pairs[2 * points++ + 1] = sweep_table_number(chart->table, chart->member[k], chart->y);
        }
    qsort(pairs, (size_t)points, 2 * sizeof *pairs, compare_points);
    for (int k = 0; k < points; k++) {
        place[k] = pairs[2 * k];
        place[points + k] = pairs[2 * k + 1];
    }
    chart->curve[curve] = (ew_curve){.name = chart->name[curve], .points = points, .x = place, .y = place + points,
                                     .apart = !joined};
    free(pairs);
}

static void make_curves(struct chart *chart)
{
    const struct sweep_table *table = chart->table;
    int64_t count = 0;
    int *curve_of = cli_allocate((size_t)table->info.members * sizeof *curve_of);
    for (int64_t m = 1; m <= table->info.members; m++)
        if (isfinite(sweep_table_number(table, m, chart->x)) && isfinite(sweep_table_number(table, m, chart->y)))
            chart->member[count++] = m;
    bool joined = divide(chart, count, curve_of);
    double *place = chart->room;
    for (int k = 0; k < chart->curves; k++) {
        fill_curve(chart, k, count, curve_of, joined, place);
        place += 2 * chart->curve[k].points;
    }
    free(curve_of);
}

int sweep_chart_write(const struct sweep_table *table, const char *columns, const char *path)
{
    struct chart *chart = cli_allocate(sizeof *chart);
    chart->table = table;
    chart->room = cli_allocate(2 * (size_t)table->info.members * sizeof *chart->room);
    chart->member = cli_allocate((size_t)table->info.members * sizeof *chart->member);
    int code = choose_columns(chart, columns);
    if (code == EX_OK) {
        ew_error error;
        make_curves(chart);
        const ew_chart what = {.title = table->info.name, .x_title = chart->x, .y_title = chart->y,
                               .curves = chart->curves, .curve = chart->curve};
        int status = ew_chart_write(NULL, &what, path, &error);
        if (status != EW_OK)
            code = cli_fail(cli_exit_code(status, EX_IOERR), "%s", error.message);
    }
    free(chart->x);
    free(chart->y);
    free(chart->room);
    free(chart->member);
    free(chart);
    return code;
}
