/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Formulas as PTX: an evaluator of what ewi_ptx_source writes computes what the formula does, bit for bit. Where the
 * CUDA toolkit is, its assembler accepts the text. That a GPU computes the same is for tests/src/parity-gpu.
 */
#include "edgewise.h"
#include "ewi_host.h"
#include "ewi_ptx.h"
#include "helpers.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REGISTERS = 2048, STATES = 4, INPUTS = 3 + STATES, OUTPUTS = 4, POINTS = 50 };

static ew_error error;

/* ---- an evaluator ------------------------------------------------------------------------------------------------ */

struct machine {
    const struct ewi_program *program;
    double value[REGISTERS], source[OUTPUTS];
    const struct ewi_raster_use *use;
};

static double call(const struct machine *machine, const char *name, const double *v, int exponent)
{
    double a = v[0], b = v[1];
#define CALL(operation, result)        \
    if (strcmp(name, #operation) == 0) \
        return result;
#define CALL_NAMED(operation, word, result) CALL(operation, result)
    EWI_OPERATORS_1(CALL)
    EWI_OPERATORS_2(CALL)
    EWI_FUNCTIONS_1(CALL_NAMED)
    EWI_FUNCTIONS_2(CALL_NAMED)
    CALL(SELECT, a != 0.0 ? b : v[2])
    CALL(STRICT_SELECT, a != a ? a : a != 0.0 ? b : v[2])
    CALL(INTEGER_POWER, ewi_integer_power(a, exponent))
    CALL(OUTPUT, a != a ? ewi_nan() : a)
    CALL(RASTER, ewi_raster_value(machine->use, a, b, v[2]))
    bail_out("there is no function %s", name);
}

static void run_call(struct machine *machine, const char *line)
{
    char name[32] = "";
    double operand[3] = {0};
    int number, to, exponent = 0;
    for (int k = 0; k < 3; k++) {
        char store[32];
        snprintf(store, sizeof store, "st.param.f64 [a%d], %%d", k);
        const char *at = strstr(line, store);
        if (at && sscanf(at + strlen(store), "%d", &number) == 1)
            operand[k] = machine->value[number];
    }
    sscanf(strstr(line, "ewi_formula_"), "ewi_formula_%31[A-Z_0-9]", name);
    sscanf(strstr(line, ", ("), ", (a0, %d", &exponent);
    if (sscanf(strstr(line, "ld.param.f64"), "ld.param.f64 %%d%d", &to) == 1)
        machine->value[to] = call(machine, name, operand, exponent);
}

static void run_line(struct machine *machine, const char *line)
{
    char name[8];
    int to, a, b, bytes;
    double *value = machine->value;
    if (strncmp(line, "{ .param", 8) == 0)
        run_call(machine, line);
    else if (sscanf(line, "ld.f64 %%d%d, [%%constant+%d]", &to, &bytes) == 2)
        value[to] = machine->program->constant[bytes / 8];
    else if (sscanf(line, "mov.f64 %%d%d, 0d0000000000000000", &to) == 1)
        value[to] = 0.0;
    else if (sscanf(line, "add.s64 %%use, %%raster, %d", &bytes) == 1)
        machine->use = machine->program->raster + bytes / (int)sizeof(struct ewi_raster_use);
    else if (sscanf(line, "st.param.f64 [source+%d], %%d%d", &bytes, &a) == 2)
        machine->source[bytes / 8] = value[a];
    else if (sscanf(line, "%7[a-z].rn.f64 %%d%d, %%d%d, %%d%d", name, &to, &a, &b) == 4)
        value[to] = strcmp(name, "add") == 0   ? value[a] + value[b]
                    : strcmp(name, "sub") == 0 ? value[a] - value[b]
                    : strcmp(name, "mul") == 0 ? value[a] * value[b]
                                               : value[a] / value[b];
}

static void run(struct machine *machine, const char *ptx, const double *input)
{
    memcpy(machine->value, input, INPUTS * sizeof *input);
    for (const char *line = ptx; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        run_line(machine, line);
}

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

static const char *const texts[][OUTPUTS] = {
    {"0", "1.5", "-9.81*rho", "-9.81*rho*v"},
    {"x - y*t", "(u - v)/p", "2^x - p^3 + x^-2", "-x + rho"},
    {"abs(x) + sqrt(p) + cbrt(x) + exp(y) + log(p) + log10(rho)", "sin(x) + cos(y) + tan(t)",
     "asin(x/9) + acos(y/9) + atan(t)", "sinh(x) + cosh(y) + tanh(t) + floor(9*x) + ceil(9*y) + sign(x) + step(y)"},
    {"min(x, y) + max(u, v) + pow(p, x)", "atan2(y, x) + hypot(u, v) + mod(x, 0.3)", "x < y ? u : v",
     "x <= y && u > v || !(x >= t) ? x == y : x != y"},
    {"raster('dem', 'z', x, y)*rho", "raster('film', x, y, t)",
     "raster('dem', 'z', x, y) > 0.2 ? 1 : raster('dem', 'z', y, x)",
     "sqrt(x - 100)"},
    {"raster('dem', 'z', 0.1, 0.2) + raster('dem', 'z', 0.3, 0.2) + raster('dem', 'z', 0.4, 0.2)",
     "raster('dem', 'z', 0.5, 0.2) + raster('dem', 'z', 0.6, 0.2)", "raster('dem', 'z', 0.7, 0.2)", "0"},
};

static void add_rasters(ew_scope *scope)
{
    static const double axis[] = {-2, 0, 2}, times[] = {0, 1}, values[18] = {.1, .2, .3, .4, .5, .6, .7, .8, .9, 1, 2};
    static const ew_raster_data dem = {.columns = 3, .rows = 3, .x = axis, .y = axis, .values = values},
                                film = {.columns = 3, .rows = 3, .times = 2, .x = axis, .y = axis, .t = times,
                                        .values = values};
    must(ew_scope_add_raster(scope, "dem", "z", &dem, &error), &error);
    must(ew_scope_add_raster(scope, "film", NULL, &film, &error), &error);
}

static ew_formula *formula_of(const char *const *of)
{
    static const char *const names[STATES] = {"rho", "u", "v", "p"};
    ew_scope *scope, *state;
    ew_formula *formula;
    must(ew_scope_create(NULL, &scope, &error), &error);
    add_rasters(scope);
    must(ew_scope_with_state(scope, STATES, names, &state, &error), &error);
    must(ew_formula_create(state, OUTPUTS, of, &formula, &error), &error);
    ew_scope_destroy(state);
    ew_scope_destroy(scope);
    return formula;
}

static void check_values(const ew_formula *formula, const char *ptx, const char *name)
{
    const struct ewi_program *program = ewi_formula_program(formula);
    struct machine machine = {.program = program};
    uint64_t seed = 1;
    int different = 0;
    for (int k = 0; k < POINTS; k++) {
        double input[INPUTS], expected[OUTPUTS];
        for (int i = 0; i < INPUTS; i++)
            input[i] = i < 2 || i == 4 || i == 5 ? 2.0 * random_double(&seed) - 1.0 : 0.1 + 0.8 * random_double(&seed);
        ewi_program_evaluate(program->code, program->length, program->constant, program->raster, input[0], input[1],
                             input[2], input + 3, expected, 1);
        run(&machine, ptx, input);
        different += memcmp(machine.source, expected, sizeof expected) != 0;
    }
    if (!ok(different == 0, "%s: the text computes the bits of the formula", name))
        diag("%d of %d points differ", different, POINTS);
}

/* Values have registers of their own, %d0 and up to the number that is declared. */
static void check_registers(const char *ptx, const char *name)
{
    int declared = 0, most = 0, number;
    sscanf(strstr(ptx, ".reg .f64"), ".reg .f64 %%d<%d>", &declared);
    for (const char *at = strstr(ptx, " %d"); at; at = strstr(at + 1, " %d"))
        if (sscanf(at, " %%d%d", &number) == 1 && number > most)
            most = number;
    ok(most > 0 && most < declared, "%s: register %d of %d", name, most, declared);
}

static void check_assembly(const char *ptx, const char *name)
{
    char path[] = "/tmp/edgewise-ptx-XXXXXX", command[256];
    int file = mkstemp(path);
    FILE *stream = file >= 0 ? fdopen(file, "w") : NULL;
    if (!stream)
        bail_out("cannot write %s", path);
    fputs(ptx, stream);
    fclose(stream);
    snprintf(command, sizeof command, "ptxas -c -arch=sm_75 -o /dev/null %s", path);
    ok(system(command) == 0, "%s: the assembler accepts it", name);
    unlink(path);
}

int main(void)
{
    const ew_host host = ewi_host_or_default(NULL);
    bool assembles = system("ptxas --version >/dev/null 2>&1") == 0;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        ew_formula *formula = formula_of(texts[k]);
        char *ptx = ewi_ptx_source(&host, ewi_formula_program(formula), "euler", OUTPUTS);
        if (!ptx)
            bail_out("no text");
        check_values(formula, ptx, texts[k][2]);
        check_registers(ptx, texts[k][2]);
        if (assembles)
            check_assembly(ptx, texts[k][2]);
        else
            skip("there is no ptxas here", "%s: the assembler accepts it", texts[k][2]);
        ewi_free(&host, ptx);
        ew_formula_destroy(formula);
    }
    return done_testing();
}
