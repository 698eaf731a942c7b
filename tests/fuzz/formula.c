/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Formulas, one a line; the first ones are definitions, too, for those that follow. What compiles has equal bits by
 * both evaluators, at many points and at one.
 */
#include "ewi_formula.h"
#include "target.h"

enum { POINTS = 11, LINES = 66, DEFINITIONS = 4 };

const char *const fuzz_words[] = {
    "x", "y", "t", "pi", "r", "gamma", "density", "shocked", "a", "b", "1", "0", "2.5", "1e-3", ".5", "1e9", "1e308",
    "0x1p-1074", "+", "-", "*", "/", "^", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "!", "?", ":", "(", ")", ",",
    " ", "\n", "sin(", "cos(", "asin(", "acos(", "atan(", "sinh(", "cosh(", "tanh(", "floor(", "ceil(", "sign(",
    "step(", "min(", "max(", "pow(", "log(", "log10(", "hypot(", "atan2(", "tan(", "mod(", "abs(", "sqrt(", "cbrt(",
    "exp(", "((((((((", "&", "=", "$", ".", "e", "\xc3\xa9", "\xff", NULL,
};

void fuzz_seeds(fuzz_add *add, void *context)
{
    static const char *const seeds[] = {
        "(1 + 1.0125*(1 - 1/r^2))^2.5",
        "shocked ? -8.25*sin(pi/6) : 0",
        "x < 1/6 + (y + 20*t)/sqrt(3) && !(y >= 2) || t == 0",
        "max(min(x, y, t, 3), abs(-x), hypot(x, y))",
        "atan2(y, x)^2 - 3.5e-2*exp(-((x - 0.5)^2 + y^2)/0.01)",
        "mod(floor(10*x) + ceil(y), 2) ? sign(x) : step(y)",
        "density^gamma/gamma",
        "((((x))))",
        "x ? y ? 1 : 2 : t ? 3 : 4",
        "x*y\na + 1\nb^2 + a\nc - t",
    };
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++)
        fuzz_add_text(add, context, 0, seeds[k]);
}

/* Up to LINES of them; the text is cut into them. */
static int split(char *text, const char **line)
{
    int lines = 0;
    while (text && lines < LINES) {
        char *end = strchr(text, '\n');
        if (end)
            *end = '\0';
        line[lines++] = text;
        text = end ? end + 1 : NULL;
    }
    return lines;
}

static ew_scope *make_scope(int lines, const char *const *line)
{
    ew_error error = {0};
    ew_scope *scope = NULL;
    MUST(ew_scope_create(&fuzz_host, &scope, &error) == EW_OK);
    MUST(ew_scope_set(scope, "gamma", 1.4, &error) == EW_OK &&
         ew_scope_define(scope, "r", "hypot(x, y)", &error) == EW_OK);
    MUST(ew_scope_define(scope, "shocked", "x < 1/6 + y", &error) == EW_OK);
    MUST(ew_scope_define(scope, "density", "(1 + 1.0125*(1 - 1/r^2))^2.5", &error) == EW_OK);
    for (int k = 0; k + 1 < lines && k < DEFINITIONS; k++) {
        const char name[] = {(char)('a' + k), '\0'};
        int status = ew_scope_define(scope, name, line[k], &error);
        MUST(status == EW_OK || fuzz_is_told(status, &error));
    }
    return scope;
}

static void evaluate(const ew_formula *formula, int outputs)
{
    static const double x[POINTS] = {0.3, -1.7, 0, 1, -0.0, 1e300, 5e-324, -1e-9, 7, 1e17, 0.5};
    static const double y[POINTS] = {1.1, 0, -4e5, 1, 0.0, -1e300, 1e-320, 1e-9, -3, 2.5, 0.5}, t = 0.25;
    double batch[LINES * POINTS], single[LINES * POINTS];
    ew_error error = {0};
    const struct ewi_program *program = ewi_formula_program(formula);
    ew_formula_evaluate(formula, POINTS, x, y, t, batch, POINTS);
    for (int i = 0; i < POINTS; i++)
        ewi_program_evaluate(program->code, program->length, program->constant, program->raster, x[i], y[i], t, NULL,
                             &single[i], POINTS);
    MUST(memcmp(batch, single, sizeof(double) * (size_t)(outputs * POINTS)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *line[LINES];
    ew_formula *formula = NULL;
    ew_error error = {0};
    if (size == 0)
        return 0;
    fuzz_live = 0;
    char *text = fuzz_text(data + 1, size - 1);
    int lines = split(text, line);
    ew_scope *scope = make_scope(lines, line);
    int status = ew_formula_create(scope, lines, line, &formula, &error);
    MUST(status == EW_OK ? formula != NULL : !formula && fuzz_is_told(status, &error));
    MUST(status == EW_OK || status == (lines > EWI_FORMULA_OUTPUTS ? EW_EINVAL : EW_EFORMULA));
    MUST(status == EW_OK || !strchr(error.message, '\n'));
    MUST(status == EW_OK || lines > 1 || strncmp(error.message, "column ", 7) == 0);
    if (formula)
        evaluate(formula, lines);
    fuzz_accepted += formula != NULL;
    ew_formula_destroy(formula);
    ew_scope_destroy(scope);
    free(text);
    MUST(fuzz_live == 0);
    return 0;
}
