/* SPDX-License-Identifier: BSD-2-Clause */
/* Rasters in formulas: values and their bits, what is outside or missing, decisions on that, errors, memory. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ewi_formula.h"
#include "helpers.h"

enum { COLUMNS = 5, ROWS = 4, TIMES = 3, POINTS = 200 };

static const double xs[COLUMNS] = {-1, 0, 0.5, 2, 4}, ys[ROWS] = {0, 1, 3, 3.5}, ts[TIMES] = {0, 1, 4};
static double plain[ROWS * COLUMNS], gaps[ROWS * COLUMNS], timed[TIMES * ROWS * COLUMNS];
static ew_raster_data dem = {.columns = COLUMNS, .rows = ROWS, .x = xs, .y = ys, .values = plain, .name = "dem.nc: z"};
static ew_raster_data holes = {.columns = COLUMNS, .rows = ROWS, .x = xs, .y = ys, .values = gaps};
static ew_raster_data rain = {.columns = COLUMNS, .rows = ROWS, .times = TIMES, .x = xs, .y = ys, .t = ts,
                              .values = timed, .name = "rain.nc: rate"};
static const ew_raster_data one = {.columns = 1, .rows = 1, .x = xs, .y = ys, .values = plain,
                                   .window = {-2, -1, 3, 4}};

/* Each is exact in doubles at the points. */
static double bilinear(double x, double y)
{
    return 2 + 0.5 * x - 0.25 * y + 0.125 * x * y;
}

static void fill(void)
{
    for (int j = 0; j < ROWS; j++)
        for (int i = 0; i < COLUMNS; i++) {
            plain[j * COLUMNS + i] = gaps[j * COLUMNS + i] = bilinear(xs[i], ys[j]);
            for (int k = 0; k < TIMES; k++)
                timed[(k * ROWS + j) * COLUMNS + i] = bilinear(xs[i], ys[j]) * (1 + 3 * ts[k]);
        }
    gaps[1 * COLUMNS + 2] = NAN;
}

static ew_scope *scope_of_rasters(void)
{
    ew_scope *scope;
    ew_error error = {.message = ""};
    must(ew_scope_create(NULL, &scope, &error), &error);
    must(ew_scope_add_raster(scope, "dem.nc", "z", &dem, &error), &error);
    must(ew_scope_add_raster(scope, "dem.asc", NULL, &dem, &error), &error);
    must(ew_scope_add_raster(scope, "holes.nc", "z", &holes, &error), &error);
    must(ew_scope_add_raster(scope, "rain.nc", "rate", &rain, &error), &error);
    must(ew_scope_add_raster(scope, "one.asc", NULL, &one, &error), &error);
    return scope;
}

/* The value at a point; both evaluators must agree to the bit. */
static double value_at(const char *text, double x, double y, double t)
{
    ew_scope *scope = scope_of_rasters();
    ew_formula *formula;
    ew_error error = {.message = ""};
    double value[2];
    if (ew_formula_create(scope, 1, &text, &formula, &error) != EW_OK)
        bail_out("%s: %s", text, error.message);
    ew_scope_destroy(scope);
    const struct ewi_program *program = ewi_formula_program(formula);
    ew_formula_evaluate(formula, 1, &x, &y, t, &value[0], 1);
    ewi_program_evaluate(program->code, program->length, program->constant, program->raster, x, y, t, NULL, &value[1],
                         1);
    if (memcmp(&value[0], &value[1], sizeof *value) != 0)
        bail_out("%s: the evaluators differ at (%g, %g)", text, x, y);
    ew_formula_destroy(formula);
    return value[0];
}

static void is_value(const char *text, double x, double y, double t, double expected)
{
    is_close(value_at(text, x, y, t), expected, 1e-14 * (1 + fabs(expected)), "%s at (%g, %g), t = %g is %g", text, x,
             y, t, expected);
}

static void is_nothing(const char *text, double x, double y, double t, const char *name)
{
    ok(isnan(value_at(text, x, y, t)), "%s: %s", text, name);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void check_exactness(void)
{
    double worst = 0, worst_in_time = 0;
    uint64_t seed = 1;
    for (int k = 0; k < POINTS; k++) {
        double x = 1.5 + 2.5 * random_double(&seed), y = 1.75 + 1.75 * random_double(&seed),
               t = 2 + 2 * random_double(&seed);
        worst = fmax(worst, fabs(value_at("raster('dem.nc', 'z', x, y)", x, y, 0) - bilinear(x, y)));
        worst_in_time = fmax(worst_in_time, fabs(value_at("raster('rain.nc', 'rate', x, y, t)", x, y, t) -
                                                 bilinear(x, y) * (1 + 3 * t)));
    }
    ok(worst < 4e-15, "a raster of a + b x + c y + d x y has its values between the points, to rounding");
    ok(worst_in_time < 1e-13, "... and one that is also linear in t");
    for (int i = 0; i < COLUMNS; i++)
        for (int j = 0; j < ROWS; j++)
            if (value_at("raster('dem.nc', 'z', x, y)", xs[i], ys[j], 0) != plain[j * COLUMNS + i])
                bail_out("point %d, %d is not exact", i, j);
    ok(true, "the values at the points are exact");
}

static void check_ways(void)
{
    is_value("raster('dem.asc', x, y)", 1, 2, 0, bilinear(1, 2));
    is_value("raster('dem.nc', 'z', x, y, 'bilinear')", 1, 2, 0, bilinear(1, 2));
    is_value("raster('dem.nc', 'z', x, y, 'nearest')", 1, 1.9, 0, bilinear(0.5, 1));
    is_value("raster('dem.nc', 'z', x, y, 'nearest')", 1.25, 2, 0, bilinear(2, 3));
    is_value("raster('dem.nc', 'z', x, y, 'nearest')", 3.9, 3.4, 0, bilinear(4, 3.5));
    is_value("raster('dem.nc', 'z', x, y, 'clamp')", 9, 1, 0, bilinear(4, 1));
    is_value("raster('dem.nc', 'z', x, y, 'clamp', 'nearest')", -9, -9, 0, bilinear(-1, 0));
    is_value("raster('dem.nc', 'z', 2*x - 1, y^2)", 1, 1.5, 0, bilinear(1, 2.25));
    is_value("raster('rain.nc', 'rate', x, y, t, 'nearest')", 1.9, 1.1, 2.5, bilinear(2, 1) * 8.5);
    is_value("raster('rain.nc', 'rate', x, y, t, 'clamp')", 1, 2, 99, bilinear(1, 2) * 13);
    is_value("1 + 2*raster('dem.nc', 'z', x, y) + raster('dem.nc', 'z', y, x)", 1, 2, 0,
             1 + 2 * bilinear(1, 2) + bilinear(2, 1));
    is_value("raster('one.asc', x, y)", 2.9, -0.9, 0, plain[0]);
    is_value("raster('dem.nc', 'z', x, y)", 4 + 1e-9, 3.5 + 1e-10, 0, bilinear(4, 3.5));
    is_value("raster('dem.nc', 'z', 2, raster('dem.nc', 'z', x, y))", 0, 0, 0, bilinear(2, 2));
}

static void check_nothing(void)
{
    is_nothing("raster('dem.nc', 'z', x, y)", 4.1, 1, 0, "no value beyond the last column");
    is_nothing("raster('dem.nc', 'z', x, y)", 1, -0.1, 0, "nor before the first row");
    is_nothing("raster('rain.nc', 'rate', x, y, t)", 1, 1, 4.5, "nor after the last time");
    is_nothing("raster('one.asc', x, y)", 3.5, 0, 0, "nor outside the window");
    is_nothing("raster('dem.nc', 'z', x/0 - x/0, y, 'clamp')", 1, 1, 0, "nor where a coordinate is not a number");
    is_nothing("raster('holes.nc', 'z', x, y)", 0.4, 0.9, 0, "nor near a missing value");
    is_nothing("raster('holes.nc', 'z', x, y, 'nearest')", 0.4, 0.9, 0, "nor where the nearest one is missing");
    is_value("raster('holes.nc', 'z', x, y)", 2, 1, 0, bilinear(2, 1));
    is_value("raster('holes.nc', 'z', x, y)", 1, 3, 0, bilinear(1, 3));
}

/* A lack of a value must not become an answer. */
static void check_decisions(void)
{
    static const char *const lost[] = {
        "raster('dem.nc', 'z', x, y) > 1 ? 1 : 2",  "!raster('dem.nc', 'z', x, y)", "sign(raster('dem.nc', 'z', x, y))",
        "step(-raster('dem.nc', 'z', x, y))",       "1 < raster('dem.nc', 'z', x, y) + y",
        "x && raster('dem.nc', 'z', x, y) > 0",     "raster('dem.nc', 'z', x, y) != 0 || x < 0",
        "min(1, raster('dem.nc', 'z', x, y))",      "raster('dem.nc', 'z', x, y) ? 3 : 4",
    };
    for (size_t k = 0; k < sizeof lost / sizeof *lost; k++)
        is_nothing(lost[k], 9, 1, 0, "no decision on a value that there is not");
    is_value("x < 4 ? raster('dem.nc', 'z', x, y) : 7", 9, 1, 0, 7);
    is_value("x < 4 && raster('dem.nc', 'z', x, y) > 0", 9, 1, 0, 0);
    is_value("x > 4 || raster('dem.nc', 'z', x, y) > 0", 9, 1, 0, 1);
    is_value("raster('dem.nc', 'z', x, y) >= 2 ? 3 : 4", 1, 1, 0, bilinear(1, 1) >= 2 ? 3 : 4);
    is_value("raster('dem.nc', 'z', x, y) < 2 && !(x > 2)", 1, 1, 0, 0);
    is_value("raster('dem.nc', 'z', x, y) == 2 || 0", 0, 0, 0, 1);
    is_value("0/0 > 1 ? 3 : 4", 0, 0, 0, 4);
}

static void check_definitions(void)
{
    ew_scope *scope = scope_of_rasters(), *state;
    ew_error error = {.message = ""};
    ew_formula *formula;
    const char *const name[] = {"h"}, *text[] = {"h*z + shallow", "deep"};
    must(ew_scope_define(scope, "z", "raster('dem.nc', 'z', x, y)", &error), &error);
    must(ew_scope_define(scope, "shallow", "z < 2", &error), &error);
    must(ew_scope_define(scope, "deep", "raster('dem.asc', 2, 1)", &error), &error);
    must(ew_scope_with_state(scope, 1, name, &state, &error), &error);
    ew_scope_destroy(scope);
    must(ew_formula_create(state, 2, text, &formula, &error), &error);
    ew_scope_destroy(state);
    const struct ewi_program *program = ewi_formula_program(formula);
    double x[] = {1, 9}, y[] = {1, 1}, h[] = {3, 3}, values[4];
    ewi_program_evaluate_all(program, 2, x, y, 0, h, values, 2);
    is_close(values[0], 3 * bilinear(1, 1), 1e-14, "a definition has a raster, beside the local state");
    ok(isnan(values[1]), "... and a decision on that definition is strict, too");
    ok(values[2] == bilinear(2, 1) && values[3] == values[2], "a raster at a given point is a constant");
    is_int(program->rasters, 1, "equal calls share their entry in the program's table");
    ew_formula_destroy(formula);
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

#define NO_FILE "raster needs the name of a file, in single quotes: raster('dem.nc', 'z', x, y)"
#define NO_QUOTE "the text that begins here has no closing quote; write raster('dem.nc', 'z', x, y)"
#define COMMA "a comma and the coordinates must follow the texts: raster('dem.nc', 'z', x, y)"

static const struct {
    const char *text, *sentence;
} wrong[] = {
    {"raster(x, y)", "column 8: " NO_FILE},
    {"raster", "column 1: \"raster\" is a function; its arguments in parentheses must follow"},
    {"raster('dem.nc' x, y)", "column 17: " COMMA},
    {"raster('dem.nc', 'z')", "column 21: " COMMA},
    {"raster('', x, y)", "column 8: a text of raster is empty; write raster('dem.nc', 'z', x, y)"},
    {"raster('no.nc', 'z', x, y)", "column 8: there is no raster 'no.nc' with a variable 'z' here"},
    {"raster('dem.nc', x, y)", "column 8: there is no raster 'dem.nc' here"},
    {"1 + raster('dem.nc', 'z', x)", "column 5: raster takes x and y after its texts"},
    {"raster('dem.nc', 'z', x, y, t)",
     "column 1: dem.nc: z has no times: raster takes x and y after its texts, and then options"},
    {"raster('rain.nc', 'rate', x, y)",
     "column 1: raster takes x, y and t after its texts, because the raster depends on time"},
    {"raster('dem.nc', 'z', x, y, 'cubic')",
     "column 29: raster cannot be 'cubic'; it can be 'bilinear' or 'nearest', and 'clamp'"},
    {"raster('dem.nc', 'z', x, y, 'nearest', 'bilinear')",
     "column 40: raster is to be both 'nearest' and 'bilinear'; leave one out"},
    {"raster('dem.nc', 'z', 'clamp', x, y)",
     "column 23: the text 'clamp' stands where a number, a name or \"(\" should"},
    {"raster('rain.nc', 'rate', x, y, 'clamp', t)", "column 1: the coordinates of raster come before its options"},
    {"raster('dem.nc', 'z', x, y, 'clamp' + 1)",
     "column 37: \"+\" stands after an option of raster, where \",\" or \")\" should"},
    {"raster('dem.nc', 'z', x, y, -'clamp')",
     "column 30: the text 'clamp' stands where a number, a name or \"(\" should"},
    {"'dem.nc'", "column 1: the text 'dem.nc' stands where a number, a name or \"(\" should"},
    {"raster('dem.nc, x, y)", "column 8: " NO_QUOTE},
    {"raster('dem.nc', 'z, x, y)", "column 18: " NO_QUOTE},
    {"raster('dem.nc', 'z', x, y, 'clamp)", "column 29: " NO_QUOTE},
    {"x + '", "column 5: " NO_QUOTE},
    {"raster(\"dem.nc\", x, y)", "column 8: " NO_FILE},
    {"x 'z'", "column 3: an operator is missing before \"'z'\"; to multiply, write \"*\""},
    {"x + \"z\"", "column 5: \"\"\" has no meaning in a formula; texts are in single quotes, as in "
                  "raster('dem.nc', 'z', x, y)"},
    {"raster('dem.nc', 'z', 9, 1)",
     "column 1: dem.nc: z does not cover the point (9, 1): its x is from -1 to 4; with the argument 'clamp', raster "
     "takes the nearest value"},
    {"raster('rain.nc', 'rate', 1, 1, 7)",
     "column 1: rain.nc: rate does not cover the point (1, 1), t = 7: its t is from 0 to 4; with the argument 'clamp', "
     "raster takes the nearest value"},
    {"raster('holes.nc', 'z', 0.4, 1)",
     "column 1: the raster has a gap at (0.4, 1): a value that it needs there is missing"},
    {"raster('dem.nc', 'z', x, y", "column 7: \"(\" has no \")\""},
};

static void check_errors(void)
{
    ew_scope *scope = scope_of_rasters();
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        ew_formula *formula;
        ew_error error = {.message = ""};
        int status = ew_formula_create(scope, 1, &wrong[k].text, &formula, &error);
        is_str(status == EW_EFORMULA ? error.message : "accepted", wrong[k].sentence, "%s", wrong[k].text);
        ew_formula_destroy(formula);
    }
    ew_scope_destroy(scope);
}

static void is_refused(const ew_raster_data *raster, const char *part, const char *name)
{
    ew_scope *scope;
    ew_error error = {.message = ""};
    must(ew_scope_create(NULL, &scope, &error), &error);
    is_int(ew_scope_add_raster(scope, "a", NULL, raster, &error), EW_EINVAL, "%s is refused", name);
    contains(error.message, part, "... with the reason");
    ok(ew_raster_hash(raster) == 0, "... and has no hash");
    ew_scope_destroy(scope);
}

static void check_rasters(void)
{
    static const double down[COLUMNS] = {4, 3, 2, 1, 0}, far[] = {-1.7e308, 0, 1, 2, 1.7e308};
    double endless[ROWS * COLUMNS];
    ew_raster_data raster = dem;
    memcpy(endless, plain, sizeof endless);
    endless[COLUMNS] = INFINITY;
    raster.x = down;
    is_refused(&raster, "its coordinates x must ascend", "a raster whose x descends");
    raster.x = far;
    is_refused(&raster, "too far apart", "a raster whose extent is no number");
    raster = dem;
    raster.columns = 0;
    is_refused(&raster, "too few or too many", "a raster without columns");
    raster = dem;
    raster.values = endless;
    is_refused(&raster, "the value in column 1 of row 2 is infinite", "an infinite value");
    raster = dem;
    raster.window[0] = 1;
    is_refused(&raster, "it cannot cover", "a window that is turned around");
    raster = dem;
    ok(ew_raster_hash(&raster) == ew_raster_hash(&dem) && ew_raster_hash(&dem) != 0, "equal rasters have one hash");
    raster.values = gaps;
    ok(ew_raster_hash(&raster) != ew_raster_hash(&dem), "... and others another one");
    raster = dem;
    memcpy(raster.window, (double[]){-1, 0, 4, 4}, sizeof raster.window);
    ok(ew_raster_hash(&raster) != ew_raster_hash(&dem), "... also if they differ in what they cover only");
}

/* ---- a host that looks for rasters ------------------------------------------------------------------------------- */

static int find(void *context, const char *file, const char *variable, const ew_raster_data **raster, ew_error *error)
{
    ++*(int *)context;
    if (strcmp(file, "dem.nc") == 0 && variable && strcmp(variable, "z") == 0) {
        *raster = &dem;
        return EW_OK;
    }
    error->code = strcmp(file, "full") == 0 ? EW_ENOMEM : EW_EIO;
    snprintf(error->message, sizeof error->message, "%s, %s: lost", file, variable ? variable : "nothing");
    return error->code;
}

static void check_finder(void)
{
    static const char *const good[] = {"raster('dem.nc', 'z', x, y)"}, *const bad[] = {"1 + raster('no.nc', x, y)"},
                             *const full[] = {"raster('full', x, y)"};
    ew_scope *scope;
    ew_formula *formula;
    ew_error error = {.message = ""};
    int calls = 0;
    must(ew_scope_create(NULL, &scope, &error), &error);
    must(ew_scope_find_rasters(scope, find, &calls, &error), &error);
    must(ew_formula_create(scope, 1, good, &formula, &error), &error);
    double x = 1, y = 2, value;
    ew_formula_evaluate(formula, 1, &x, &y, 0, &value, 1);
    ok(value == bilinear(1, 2) && calls == 1, "a host provides a raster when a formula names it");
    ew_formula_destroy(formula);
    is_int(ew_formula_create(scope, 1, bad, &formula, &error), EW_EFORMULA, "a host that has none");
    is_str(error.message, "column 12: no.nc, nothing: lost", "... says why, with the column");
    is_int(ew_formula_create(scope, 1, full, &formula, &error), EW_ENOMEM, "a host without memory has its own code");
    is_str(error.message, "full, nothing: lost", "... and sentence");
    ew_scope_destroy(scope);
}

static int use_rasters(const ew_host *host)
{
    static const char *const texts[] = {"a + h", "raster('dem.nc', 'z', x, y, 'clamp')"}, *const name[] = {"h"};
    ew_scope *scope = NULL, *state = NULL;
    ew_formula *formula = NULL;
    ew_error error;
    int status = ew_scope_create(host, &scope, &error);
    if (status == EW_OK)
        status = ew_scope_add_raster(scope, "dem.nc", "z", &dem, &error);
    if (status == EW_OK)
        status = ew_scope_define(scope, "a", "raster('dem.nc', 'z', x, y)", &error);
    if (status == EW_OK)
        status = ew_scope_with_state(scope, 1, name, &state, &error);
    if (status == EW_OK)
        status = ew_formula_create(state, 2, texts, &formula, &error);
    ew_formula_destroy(formula);
    ew_scope_destroy(state);
    ew_scope_destroy(scope);
    return status;
}

static void check_memory(void)
{
    struct memory memory = {.fail_at = 0};
    ew_host host = memory_host(&memory);
    bool right = use_rasters(&host) == EW_OK;
    long calls = memory.calls;
    for (long k = 0; k < calls; k++) {
        memory_allow(&memory, k);
        right = right && use_rasters(&host) == EW_ENOMEM && memory.blocks == 0;
    }
    ok(right && calls > 5, "every allocation that fails is reported, and nothing is left over");
}

int main(void)
{
    fill();
    check_exactness();
    check_ways();
    check_nothing();
    check_decisions();
    check_definitions();
    check_errors();
    check_rasters();
    check_finder();
    check_memory();
    return done_testing();
}
