/*
 * Formulas from noise: random and mutated texts compile and evaluate with equal bits by both evaluators, or fail with a
 * sentence. Arguments: seed and number of texts.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edgewise.h"
#include "ewi_formula.h"
#include "tap.h"

enum { LONGEST = 400, POINTS = 3 };

static uint64_t state;

static uint32_t random_below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state * 0x2545f4914f6cdd1du >> 32) * limit >> 32);
}

static const char *const seeds[] = {"(1 + 1.0125*(1 - 1/r^2))^2.5",
                                    "shocked ? -8.25*sin(pi/6) : 0",
                                    "x < 1/6 + (y + 20*t)/sqrt(3) && !(y >= 2) || t == 0",
                                    "max(min(x, y, t, 3), abs(-x), hypot(x, y))",
                                    "atan2(y, x)^2 - 3.5e-2*exp(-((x - 0.5)^2 + y^2)/0.01)",
                                    "mod(floor(10*x) + ceil(y), 2) ? sign(x) : step(y)",
                                    "density^gamma/gamma",
                                    "((((x))))",
                                    "x ? y ? 1 : 2 : t ? 3 : 4"};

static const char *const pieces[] = {"x",   "y",   "t",   "pi",  "r",    "gamma", "density", "1",   "0",    "2.5", "1e-3", ".5",
                                     "1e9", "+",   "-",   "*",   "/",    "^",     "<",       "<=",  ">",    ">=",  "==",   "!=",
                                     "&&",  "||",  "!",   "?",   ":",    "(",     ")",       ",",   " ",    "sin(", "min(", "max(",
                                     "pow(", "log(", "hypot(", "atan2(", "tan(", "&", "=", "$", ".", "e", "\xc3\xa9", "\xff"};

static void insert(char *text, size_t at, const char *piece)
{
    size_t length = strlen(text), added = strlen(piece);
    if (length + added >= LONGEST)
        return;
    memmove(text + at + added, text + at, length - at + 1);
    memcpy(text + at, piece, added);
}

static void mutate(char *text)
{
    size_t length = strlen(text), at = random_below((uint32_t)length + 1);
    switch (random_below(4)) {
    case 0:
        insert(text, at, pieces[random_below(sizeof pieces / sizeof pieces[0])]);
        break;
    case 1:
        if (at < length)
            memmove(text + at, text + at + 1, length - at);
        break;
    case 2:
        if (at < length)
            text[at] = (char)(1 + random_below(255));
        break;
    default:
        insert(text, at, seeds[random_below(sizeof seeds / sizeof seeds[0])]);
        break;
    }
}

static void make_text(char *text)
{
    text[0] = '\0';
    if (random_below(3)) {
        strcpy(text, seeds[random_below(sizeof seeds / sizeof seeds[0])]);
        for (uint32_t i = random_below(5); i > 0; --i)
            mutate(text);
    } else {
        for (uint32_t i = 1 + random_below(15); i > 0; --i)
            insert(text, strlen(text), pieces[random_below(sizeof pieces / sizeof pieces[0])]);
    }
}

/* What is wrong with how the formula was treated, or NULL. */
static const char *defect(const ew_scope *scope, const char *text, int *compiled)
{
    static const double x[POINTS] = {0.3, -1.7, 0.0}, y[POINTS] = {1.1, 0.0, -4e5}, t = 0.25;
    double batch[POINTS], single[POINTS];
    ew_formula *formula = NULL;
    ew_error error = {0};
    int status = ew_formula_create(scope, 1, &text, &formula, &error);
    if (status != EW_OK) {
        if (status != EW_EFORMULA || error.code != status || formula)
            return "the failure has another code";
        if (strncmp(error.message, "column ", 7) != 0 || strlen(error.message) < 15 || strchr(error.message, '\n'))
            return "the failure has no sentence";
        return NULL;
    }
    ++*compiled;
    ew_formula_evaluate(formula, POINTS, x, y, t, batch, POINTS);
    const struct ewi_program *program = ewi_formula_program(formula);
    for (int i = 0; i < POINTS; ++i)
        ewi_program_evaluate(program->code, program->length, program->constant, x[i], y[i], t, &single[i], 1);
    ew_formula_destroy(formula);
    return memcmp(batch, single, sizeof batch) ? "the evaluators differ" : NULL;
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 20240229;
    long count = argc > 2 ? strtol(argv[2], NULL, 0) : 200000, done = 0;
    int compiled = 0;
    const char *wrong = NULL;
    char text[LONGEST + 1];
    state = seed * 0x9e3779b97f4a7c15u + 1;
    diag("seed %" PRIu64, seed);

    ew_scope *scope;
    ew_error error;
    if (ew_scope_create(NULL, &scope, &error) || ew_scope_set(scope, "gamma", 1.4, &error) ||
        ew_scope_define(scope, "r", "hypot(x, y)", &error) || ew_scope_define(scope, "shocked", "x < 1/6 + y", &error) ||
        ew_scope_define(scope, "density", "(1 + 1.0125*(1 - 1/r^2))^2.5", &error))
        bail_out("%s", error.message);
    for (; done < count && !wrong; ++done) {
        make_text(text);
        wrong = defect(scope, text, &compiled);
    }
    if (!ok(!wrong, "%ld random formulas compile or fail with a sentence", count))
        diag("text %ld, %s: %s", done, wrong, text);
    ok(compiled > count / 20 && compiled < count, "some are formulas (%d), some are not", compiled);
    ew_scope_destroy(scope);
    return done_testing();
}
