/* SPDX-License-Identifier: BSD-2-Clause */
/* Formulas: grammar, functions, definitions, errors, limits, evaluation, memory; numbers and mistyped words. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "edgewise.h"
#include "ewi_formula.h"
#include "ewi_text.h"
#include "helpers.h"

static ew_scope *new_scope(void)
{
    ew_scope *scope;
    ew_error error;
    if (ew_scope_create(NULL, &scope, &error))
        bail_out("%s", error.message);
    return scope;
}

static void set(ew_scope *scope, const char *name, double value)
{
    ew_error error;
    if (ew_scope_set(scope, name, value, &error))
        bail_out("%s", error.message);
}

static void define(ew_scope *scope, const char *name, const char *text)
{
    ew_error error;
    if (ew_scope_define(scope, name, text, &error))
        bail_out("%s: %s", name, error.message);
}

static ew_formula *compile(const ew_scope *scope, int outputs, const char *const *texts)
{
    ew_formula *formula;
    ew_error error;
    if (ew_formula_create(scope, outputs, texts, &formula, &error))
        bail_out("%s: %s", texts[0], error.message);
    return formula;
}

/* At (x, y, t) = (2, 3, 5). */
static double value_in(const ew_scope *scope, const char *text)
{
    ew_formula *formula = compile(scope, 1, &text);
    double x = 2.0, y = 3.0, value;
    ew_formula_evaluate(formula, 1, &x, &y, 5.0, &value, 1);
    ew_formula_destroy(formula);
    return value;
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void is_value(const char *text, double expected)
{
    double got = value_in(NULL, text);
    if (!ok(same(got, expected), "%s is %.17g", text, expected))
        diag("got %.17g", got);
}

/* ---- grammar ----------------------------------------------------------------------------------------------------- */

static void check_grammar(void)
{
    is_value("1 + 2*3", 7);
    is_value("(1 + 2)*3", 9);
    is_value("10 - 4 - 3", 3);
    is_value("16/4/2", 2);
    is_value("2^3^2", 512);
    is_value("-2^2", -4);
    is_value("(-2)^2", 4);
    is_value("2^-1", 0.5);
    is_value("2^-x^2", 0.0625);
    is_value("2*-3", -6);
    is_value("1 - -1", 2);
    is_value("- - 1", 1);
    is_value("+x", 2);
    is_value("-x*y", -6);
    is_value("!x == 0", 1);
    is_value("!(x == 0)", 1);
    is_value("!0 + 1", 2);
    is_value("x < y", 1);
    is_value("x > y", 0);
    is_value("x <= 2 && y >= 3", 1);
    is_value("x != 2 || y == 3", 1);
    is_value("1 || 0 && 0", 1);
    is_value("1 + 1 < 3 == 1", 1);
    is_value("(1 < 2) < 3", 1);
    is_value("x < y ? 10 : 20", 10);
    is_value("x > y ? 10 : x == 2 ? 30 : 40", 30);
    is_value("x < y ? x > 1 ? 1 : 2 : 3", 1);
    is_value("1 + (x ? 2 : 3)*2", 5);
    is_value("x > 1 || 0 ? 7 : 8", 7);
    is_value("max(x ? 1 : 2, 0)", 1);
    is_value(" x\t+\n1 ", 3);
    is_value("((((((((((1))))))))))", 1);
    is_value("pi", 3.141592653589793);
    is_value(".5 + 1. + 1e-3 + 2E+2 + 1.25e2", .5 + 1. + 1e-3 + 2e2 + 1.25e2);
    is_value("0.1 + 0.2", 0.1 + 0.2);
    is_value("1e22*1e23", 1e22 * 1e23);
    is_value("x^3", 8);
    is_value("t^0", 1);
    is_value("x^-3", 0.125);
    is_value("(0/0)^0", 1);
}

static void check_functions(void)
{
    is_value("abs(-3) + abs(2)", 5);
    is_value("sqrt(16)", 4);
    is_value("cbrt(27)", 3);
    is_value("exp(0)", 1);
    is_value("log(1)", 0);
    is_value("log10(1000)", 3);
    is_value("pow(2, 10)", 1024);
    is_value("sin(0)", 0);
    is_value("cos(0)", 1);
    is_value("tan(0)", 0);
    is_value("asin(1)", 0x1.921fb54442d18p+0);
    is_value("acos(-1)", 0x1.921fb54442d18p+1);
    is_value("atan(1)", 0x1.921fb54442d18p-1);
    is_value("atan2(-1, -1)", -0x1.2d97c7f3321d2p+1);
    is_value("sinh(0) + cosh(0) + tanh(0)", 1);
    is_value("hypot(3, 4)", 5);
    is_value("floor(-1.5)", -2);
    is_value("ceil(-1.5)", -1);
    is_value("sign(-7) + 10*sign(7) + 100*sign(0)", 9);
    is_value("step(-1) + 10*step(0) + 100*step(1)", 110);
    is_value("min(x, y)", 2);
    is_value("max(1, y, 2, x, -5)", 3);
    is_value("min(4, 3, 2, 1)", 1);
    is_value("mod(-0.25, 1)", 0.75);
    is_value("mod(5.5, 2)", 1.5);
    ok(isnan(value_in(NULL, "min(0/0, 1)")) && isnan(value_in(NULL, "max(1, 0/0, 2)")), "min and max give NaN for NaN");
    ok(isnan(value_in(NULL, "sqrt(-x)")) && value_in(NULL, "1/(x - 2)") == HUGE_VAL,
       "sqrt(-2) is NaN and 1/0 infinite");
    is_value("(0 - 0/0*x) != 0", 1);
    double nan_value = value_in(NULL, "-sqrt(-x)");
    uint64_t bits;
    memcpy(&bits, &nan_value, sizeof bits);
    ok(bits == 0x7ff8000000000000u, "every NaN comes out with the same bits");
    ok(same(value_in(NULL, "x^2"), 4) && same(value_in(NULL, "(t/x)^0.5"), ewi_pow(2.5, 0.5)) &&
           same(value_in(NULL, "1.1^9"), ewi_pow(1.1, 9)) && same(value_in(NULL, "1.1^8"), ewi_integer_power(1.1, 8)),
       "whole exponents up to 8 multiply, others are those of pow");
    ok(same(value_in(NULL, "(-1/0)^0.5"), HUGE_VAL), "x^0.5 is pow, not sqrt");
}

/* The value of an operation on constants, folded, is that of the same operation at run time. */
static void check_folding(void)
{
    static const char *const texts[] = {"exp(c)", "log(c)",   "sin(c)",  "cos(1e9*c)", "tan(c)",      "c^2.5",
                                        "c^3",    "c^-7",     "1/c",     "cbrt(c)",    "atan2(c, 3)", "hypot(c, 7)",
                                        "sinh(c)", "tanh(c)", "log10(c)", "1.7^c",     "-c*3 + 1/3",  "asin(1/c)"};
    ew_scope *constant = new_scope(), *variable = new_scope();
    set(constant, "c", 2.0);
    define(variable, "c", "x");
    int equal = 0, total = sizeof texts / sizeof texts[0];
    for (int i = 0; i < total; ++i) {
        ew_formula *formula = compile(constant, 1, &texts[i]);
        const struct ewi_program *program = ewi_formula_program(formula);
        bool folded = program->length == 2 && program->variables == 0;
        ew_formula_destroy(formula);
        equal += folded && same(value_in(constant, texts[i]), value_in(variable, texts[i]));
    }
    is_int(equal, total, "constant parts are computed at compile time, with the same bits");
    ew_scope_destroy(constant);
    ew_scope_destroy(variable);
}

/* ---- scopes ------------------------------------------------------------------------------------------------------ */

static int count_code(const ew_formula *formula, int code)
{
    const struct ewi_program *program = ewi_formula_program(formula);
    int count = 0;
    for (int i = 0; i < program->length; ++i)
        count += program->code[i].code == code;
    return count;
}

static void check_definitions(void)
{
    ew_scope *scope = new_scope();
    set(scope, "gamma", 1.4);
    set(scope, "steady", 1);
    define(scope, "third", "1/3");
    define(scope, "r", "hypot(x, y)");
    define(scope, "rho0", "(1 + 1.0125*(1 - 1/r^2))^2.5");
    define(scope, "moving", "sin(x - t)");
    const char *texts[] = {"rho0", "2.25*y/r^2", "-2.25*x/r^2", "rho0^gamma/gamma"};
    ew_formula *formula = compile(scope, 4, texts);
    is_int(ew_formula_outputs(formula), 4, "a formula has as many outputs as texts");
    is_int(ew_formula_variables(formula), EW_X | EW_Y, "it depends on what its definitions depend on");
    is_int(count_code(formula, EWI_HYPOT), 1,
           "a definition is computed once for all outputs and definitions that use it");
    is_int(count_code(formula, EWI_POP_SLOT), 2, "definitions that are not used are not computed");
    double x = 1.2, y = 0.3, values[4], r = ewi_hypot(x, y), rho = ewi_pow(1 + 1.0125 * (1 - 1 / (r * r)), 2.5);
    ew_formula_evaluate(formula, 1, &x, &y, 0, values, 1);
    ok(same(values[0], rho) && same(values[1], 2.25 * y / (r * r)) && same(values[2], -2.25 * x / (r * r)) &&
           same(values[3], ewi_pow(rho, 1.4) / 1.4),
       "the vortex has the bits of the same expressions in C");
    ew_formula_destroy(formula);

    const char *choice[] = {"steady ? r : moving"};
    formula = compile(scope, 1, choice);
    is_int(ew_formula_variables(formula), EW_X | EW_Y, "what a constant condition does not choose is no dependence");
    is_int(count_code(formula, EWI_SIN), 0, "nor is it computed");
    ew_formula_destroy(formula);

    const char *time[] = {"third*t", "third"};
    formula = compile(scope, 2, time);
    is_int(ew_formula_variables(formula), EW_T, "a formula of t only");
    is_int(count_code(formula, EWI_POP_SLOT), 0, "constant definitions need no slot");
    ew_scope_destroy(scope);
    ew_formula_evaluate(formula, 1, &x, &y, 6, values, 1);
    ok(values[0] == 2 && same(values[1], 1.0 / 3.0), "a formula outlives its scope");
    ew_formula_destroy(formula);
}

static void name_fails(ew_scope *scope, const char *name, const char *sentence)
{
    ew_error error = {0};
    int status = ew_scope_set(scope, name, 1, &error);
    is_int(status, EW_EFORMULA, "\"%.20s\" is refused as a name", name);
    is_str(error.message, sentence, "and the sentence says why");
}

static void check_names(void)
{
    ew_scope *scope = new_scope();
    char longest[65];
    set(scope, "rho0", 1);
    name_fails(scope, "x", "the name \"x\" is taken: it is a coordinate; choose another one");
    name_fails(scope, "t", "the name \"t\" is taken: it is the time; choose another one");
    name_fails(scope, "pi", "the name \"pi\" is taken: it is the number pi; choose another one");
    name_fails(scope, "hypot", "the name \"hypot\" is taken: it is a function; choose another one");
    name_fails(scope, "rho0", "the name \"rho0\" is defined twice");
    name_fails(scope, "", "a name in formulas must not be empty");
    name_fails(
        scope, "2a",
        "\"2a\" cannot be a name in formulas: a name has letters, digits and \"_\" and does not start with a digit");
    name_fails(
        scope, "a-b",
        "\"a-b\" cannot be a name in formulas: a name has letters, digits and \"_\" and does not start with a digit");
    memset(longest, 'n', 64);
    longest[64] = '\0';
    name_fails(scope, longest, "the name \"nnnnnnnnnnnnnnnnnnnn...\" is too long; it has 64 characters of at most 63");
    longest[63] = '\0';
    is_int(ew_scope_set(scope, longest, 1, NULL), EW_OK, "a name of 63 letters is fine");
    ew_error error;
    is_int(ew_scope_define(scope, "a", "a + 1", &error), EW_EFORMULA, "a definition cannot use itself");
    is_str(error.message, "column 1: unknown name \"a\"", "it is not known yet");
    is_int(ew_scope_define(scope, "a", "rho0 + 1", &error), EW_OK, "a definition that failed can be made again");
    is_int(ew_scope_define(scope, "a", "2", &error), EW_EFORMULA, "definitions cannot be made twice");

    int added = 0;
    while (added < 1000) {
        char name[16];
        snprintf(name, sizeof name, "n%d", added);
        if (ew_scope_set(scope, name, 0, &error))
            break;
        ++added;
    }
    is_int(added, 253, "a scope has 256 names");
    contains(error.message, "\"n253\" is one name too many", "the next one gives a sentence");
    ew_scope_destroy(scope);
    ew_scope_destroy(NULL);
    ew_formula_destroy(NULL);
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

static void fails(const ew_scope *scope, const char *text, const char *sentence)
{
    ew_formula *formula = (ew_formula *)(uintptr_t)1;
    ew_error error = {0};
    int status = ew_formula_create(scope, 1, &text, &formula, &error);
    if (!ok(status == EW_EFORMULA && error.code == EW_EFORMULA && !formula && strcmp(error.message, sentence) == 0,
            "%.40s: %s", text, sentence))
        diag("got %d: %s", status, error.message);
    if (status == EW_OK)
        ew_formula_destroy(formula);
}

static void check_errors(void)
{
    ew_scope *scope = new_scope();
    set(scope, "rho0", 1);
    define(scope, "r", "hypot(x, y)");
    fails(scope, "", "column 1: the formula is empty");
    fails(scope, "  \t", "column 1: the formula is empty");
    fails(scope, "x + 2*rhoo", "column 7: unknown name \"rhoo\"; did you mean \"rho0\"?");
    fails(scope, "1 + sqr(x)", "column 5: unknown name \"sqr\"; for squares, write x^2");
    fails(scope, "qqq", "column 1: unknown name \"qqq\"");
    fails(scope, "1 - NaN", "column 5: a finite number must be here, not \"NaN\"");
    fails(scope, "infinity", "column 1: a finite number must be here, not \"infinity\"");
    fails(scope, "1 +", "column 4: the formula ends where a number, a name or \"(\" should follow");
    fails(scope, "* 2", "column 1: \"*\" stands where a number, a name or \"(\" should");
    fails(scope, "1 + <= 2", "column 5: \"<=\" stands where a number, a name or \"(\" should");
    fails(scope, "()", "column 2: \")\" stands where a number, a name or \"(\" should");
    fails(scope, "min(1, )", "column 8: \")\" stands where a number, a name or \"(\" should");
    fails(scope, "2 x", "column 3: an operator is missing before \"x\"; to multiply, write \"*\"");
    fails(scope, "2(x)", "column 2: an operator is missing before \"(\"; to multiply, write \"*\"");
    fails(scope, "2pi", "column 2: an operator is missing before \"pi\"; to multiply, write \"*\"");
    fails(scope, "x and y", "column 3: \"and\" is no operator; write \"&&\"");
    fails(scope, "x OR y", "column 3: \"OR\" is no operator; write \"||\"");
    fails(scope, "not x", "column 1: unknown name \"not\"; did you mean \"!\"?");
    fails(scope, "x <> y", "column 3: \"<>\" is no operator; write \"!=\"");
    fails(scope, "x % y", "column 3: \"%\" has no meaning in a formula; for remainders, write mod(a, b)");
    fails(scope, "x !y", "column 3: an operator is missing before \"!\"");
    fails(scope, "1 + (2*x", "column 5: \"(\" has no \")\"");
    fails(scope, "sin(x", "column 4: \"(\" has no \")\"");
    fails(scope, "(1 + (2)", "column 1: \"(\" has no \")\"");
    fails(scope, "x)", "column 2: \")\" has no \"(\"");
    fails(scope, "1, 2", "column 2: \",\" stands outside a function's arguments");
    fails(scope, "sin((1, 2))", "column 7: \",\" stands outside a function's arguments");
    fails(scope, "sin", "column 1: \"sin\" is a function; its argument in parentheses must follow");
    fails(scope, "atan2 + 1", "column 1: \"atan2\" is a function; its arguments in parentheses must follow");
    fails(scope, "1 + sin(1, 2)", "column 5: \"sin\" takes 1 argument, not 2");
    fails(scope, "hypot(1)", "column 1: \"hypot\" takes 2 arguments, not 1");
    fails(scope, "min(1)", "column 1: \"min\" takes 2 or more arguments, not 1");
    fails(scope, "r(2)", "column 1: \"r\" is not a function; to multiply, write \"*\" before \"(\"");
    fails(scope, "x ? 1", "column 3: \"?\" has no \":\"; write condition ? value : other value");
    fails(scope, "(x ? 1) : 2", "column 4: \"?\" has no \":\"; write condition ? value : other value");
    fails(scope, "x : 1", "column 3: \":\" has no \"?\"");
    fails(scope, "x ? (1 : 2)", "column 8: \":\" has no \"?\"");
    fails(scope, "x < y < 1", "column 7: comparisons do not chain; write a < b && b < c, or use parentheses");
    fails(scope, "x == y != 1", "column 8: comparisons do not chain; write a < b && b < c, or use parentheses");
    fails(scope, "x = 1", "column 3: \"=\" has no meaning in a formula; to compare, write \"==\"");
    fails(scope, "x & y", "column 3: \"&\" has no meaning in a formula; write \"&&\"");
    fails(scope, "x | y", "column 3: \"|\" has no meaning in a formula; write \"||\" or, for an absolute value, "
          "abs(x)");
    fails(scope, "x**2", "column 2: \"**\" is no operator; for powers, write \"^\"");
    fails(scope, "1 + $", "column 5: \"$\" has no meaning in a formula");
    fails(scope, "\xce\xb3 + 1", "column 1: \"\xce\xb3\" has no meaning in a formula");
    fails(scope, "x \xc3\xb7 \xc3\xb7", "column 3: \"\xc3\xb7\" has no meaning in a formula; to divide, write \"/\"");
    fails(scope, "x\x01", "column 2: the byte 0x01 has no meaning in a formula");
    fails(scope, "1e + 2", "column 1: \"1e\" is not a number");
    fails(scope, "1.2.3", "column 1: \"1.2.3\" is not a number");
    fails(scope, ".", "column 1: \".\" has no meaning in a formula");
    fails(scope, "1e309", "column 1: the number \"1e309\" is too large");

    const char *pair[] = {"x", "y + z"};
    ew_formula *formula;
    ew_error error;
    is_int(ew_formula_create(scope, 2, pair, &formula, &error), EW_EFORMULA, "one wrong text of two is an error");
    is_str(error.message, "formula 2, column 5: unknown name \"z\"", "whose sentence has the text's number");
    is_int(ew_formula_create(scope, 2, pair, &formula, NULL), EW_EFORMULA, "ew_error may be NULL");
    is_int(ew_formula_create(scope, 0, pair, &formula, &error), EW_EINVAL, "no texts are an error");
    is_int(ew_formula_create(scope, 65, pair, &formula, &error), EW_EINVAL, "65 texts are one");
    pair[1] = NULL;
    is_int(ew_formula_create(scope, 2, pair, &formula, &error), EW_EINVAL, "a NULL text is one");
    ew_scope_destroy(scope);
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

static char *repeated(const char *head, const char *part, int count, const char *tail)
{
    size_t part_length = strlen(part), head_length = strlen(head);
    char *text = malloc(head_length + part_length * (size_t)count + strlen(tail) + 1);
    if (!text)
        bail_out("no memory");
    memcpy(text, head, head_length);
    for (int i = 0; i < count; ++i)
        memcpy(text + head_length + (size_t)i * part_length, part, part_length);
    strcpy(text + head_length + (size_t)count * part_length, tail);
    return text;
}

static void limit(const char *what, const char *head, const char *part, int count, const char *tail,
                  const char *sentence)
{
    char *text = repeated(head, part, count, tail);
    const char *texts[] = {text};
    ew_formula *formula = NULL;
    ew_error error = {0};
    int status = ew_formula_create(NULL, 1, texts, &formula, &error);
    if (sentence) {
        is_int(status, EW_EFORMULA, "%s is an error", what);
        contains(error.message, sentence, "it is told as a sentence");
    } else if (!ok(status == EW_OK, "%s is fine", what)) {
        diag("%s", error.message);
    }
    ew_formula_destroy(formula);
    free(text);
}

static void check_limits(void)
{
    limit("a text of 4096 characters", "x", " ", 4095, "", NULL);
    limit("a text of 4097 characters", "x", " ", 4096, "",
          "column 4097: the formula is too long; it has 4097 bytes of at most");
    limit("a text of a million characters", "x", "+x", 500000, "", "too long");
    limit("255 parentheses", "", "(", 255, "x", "column 255: \"(\" has no \")\"");
    limit("2000 parentheses", "", "(", 2000, "x",
          "column 257: parentheses and operators are nested more than 256 deep");
    limit("2000 signs", "", "-", 2000, "x", "nested more than 256 deep");
    limit("2000 powers", "", "x^", 2000, "x", "column 65: more than 32 intermediate values are in use");
    limit("1023 steps", "x", "+x", 511, "", NULL);
    limit("1025 steps", "x", "+x", 512, "", "would have more than 1024 steps");
    limit("32 values on the stack", "", "x+(", 31, "x)))))))))))))))))))))))))))))))", NULL);
    limit("33 values on the stack", "", "x+(", 32, "x))))))))))))))))))))))))))))))))",
          "more than 32 intermediate values");
    limit("a long sum of constants", "1", "+1", 2000, "", NULL);

    ew_scope *scope = new_scope();
    char sum[1024] = "0";
    for (int i = 0; i < 65; ++i) {
        char name[16], text[32];
        snprintf(name, sizeof name, "d%d", i);
        snprintf(text, sizeof text, "x + %d", i);
        define(scope, name, text);
        if (i < 64)
            sprintf(sum + strlen(sum), " + d%d", i);
    }
    const char *texts[] = {sum};
    ew_formula *formula = compile(scope, 1, texts);
    double x = 1, y = 0, value;
    ew_formula_evaluate(formula, 1, &x, &y, 0, &value, 1);
    is_int((int64_t)value, 64 + 63 * 64 / 2, "64 definitions in use are fine");
    ew_formula_destroy(formula);
    strcat(sum, " + d64");
    ew_error error;
    is_int(ew_formula_create(scope, 1, texts, &formula, &error), EW_EFORMULA, "65 are an error");
    contains(error.message, "more than 64 definitions are in use by the formulas", "told as a sentence");
    ew_scope_destroy(scope);
}

/* A definition is compiled once, however many others and formulas use it; these took minutes. */
static void check_chain(void)
{
    ew_scope *scope = new_scope();
    ew_formula *formula = NULL;
    char name[16], head[32] = "x + (1";
    alarm(60);
    define(scope, "unit", "3");
    for (int i = 0; i < 60; ++i) {
        char *text = repeated(head, "+unit", 800, ")");
        snprintf(name, sizeof name, "y%d", i);
        snprintf(head, sizeof head, "y%d + (1", i);
        define(scope, name, text);
        free(text);
    }
    const char *last[] = {"y59"};
    for (int k = 0; k < 2000; ++k) {
        ew_formula_destroy(formula);
        formula = compile(scope, 1, last);
    }
    alarm(0);
    double x = 1, y = 0, value;
    ew_formula_evaluate(formula, 1, &x, &y, 0, &value, 1);
    is_int((int64_t)value, 1 + 60 * 2401, "a chain of long definitions, used 2000 times");
    ew_formula_destroy(formula);
    ew_scope_destroy(scope);
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

static void check_batch(void)
{
    ew_scope *scope = new_scope();
    set(scope, "gamma", 1.4);
    define(scope, "r", "hypot(x, y)");
    define(scope, "density", "(1 + 1.0125*(1 - 1/r^2))^2.5");
    static const char *const texts[] = {
        "density",
        "density^gamma/gamma + t",
        "x < y ? sin(30*x) : !(y > 1) && cos(t) || tan(x)",
        "exp(-r^2)*log(r) - log10(r)",
        "atan2(y, x) + asin(x/r)*acos(y/r) + atan(x)",
        "sinh(x) + cosh(y)*tanh(t - x)",
        "max(x, y, t)*min(x, -y) + mod(x, 0.1)",
        "floor(10*x) + ceil(10*y) + sign(x - 1) + step(y - 1) + cbrt(x) + abs(-y) + sqrt(x) + pow(x, y)",
        "x/(y - y)",
        "(x - x)/(y - y)",
        "x^-5 + y^7 + 1/3",
        "(x == y) + (x != y) + (x <= y) + (x >= y) + (x > y)"};
    enum { OUTPUTS = sizeof texts / sizeof texts[0], POINTS = 1001 };
    ew_formula *formula = compile(scope, OUTPUTS, texts);
    static double x[POINTS], y[POINTS], batch[OUTPUTS][POINTS + 3], single[OUTPUTS][POINTS];
    for (int i = 0; i < POINTS; ++i) {
        x[i] = i % 37 * 0.0721 - 0.4;
        y[i] = i % 101 * 0.0311 - 0.2;
    }
    ew_formula_evaluate(formula, POINTS, x, y, 0.7, batch[0], POINTS + 3);
    const struct ewi_program *program = ewi_formula_program(formula);
    for (int i = 0; i < POINTS; ++i)
        ewi_program_evaluate(program->code, program->length, program->constant, NULL, x[i], y[i], 0.7, NULL,
                             &single[0][i], POINTS);
    bool equal = true, in_place = true;
    for (int k = 0; k < OUTPUTS; ++k)
        equal = equal && memcmp(batch[k], single[k], sizeof single[k]) == 0;
    ok(equal, "many points at once have the bits of one at a time");
    for (int k = 0; k + 1 < OUTPUTS; ++k)
        in_place = in_place && batch[k][POINTS] == 0.0 && batch[k][POINTS + 2] == 0.0;
    ok(in_place, "nothing is written between the outputs' rows");
    ew_formula_evaluate(formula, 0, NULL, NULL, 0.0, batch[0], 1);
    bool parts = true;
    for (int count = 1; count < 70; ++count) {
        static double part[OUTPUTS][70];
        ew_formula_evaluate(formula, (size_t)count, x + 5, y + 5, 0.7, part[0], 70);
        for (int k = 0; k < OUTPUTS; ++k)
            parts = parts && memcmp(part[k], single[k] + 5, (size_t)count * sizeof(double)) == 0;
    }
    ok(parts, "how many points are evaluated at once does not matter");
    ew_formula_destroy(formula);
    ew_scope_destroy(scope);
}

/* Formulas of the local state: at one point, at many points, and evaluated without a state. */
static void check_state(void)
{
    static const char *const names[] = {"rho", "p"}, *const texts[] = {"rho*r + t", "p - two*rho"};
    ew_scope *scope = new_scope(), *with_state;
    ew_error error;
    set(scope, "two", 2);
    define(scope, "r", "x + y");
    is_int(ew_scope_with_state(scope, 2, names, &with_state, &error), EW_OK, "a scope gets the names of a state");
    ew_formula *formula = compile(with_state, 2, texts), *constant = compile(scope, 1, (const char *const[]){"r"});
    enum { POINTS = 70 };
    double x[POINTS], y[POINTS], state[2][POINTS], all[2][POINTS], one[2];
    bool equal = true, right = true;
    for (int i = 0; i < POINTS; ++i) {
        x[i] = i;
        y[i] = 0.5 * i;
        state[0][i] = 1 + i;
        state[1][i] = 100 - i;
    }
    const struct ewi_program *program = ewi_formula_program(formula);
    ewi_program_evaluate_all(program, POINTS, x, y, 0.25, state[0], all[0], POINTS);
    for (int i = 0; i < POINTS; ++i) {
        double here[2] = {state[0][i], state[1][i]};
        ewi_program_evaluate(program->code, program->length, program->constant, NULL, x[i], y[i], 0.25, here, one, 1);
        equal = equal && one[0] == all[0][i] && one[1] == all[1][i];
        right = right && one[0] == (1 + i) * (1.5 * i) + 0.25 && one[1] == 100 - i - 2.0 * (1 + i);
    }
    ok(equal && right, "formulas of a state, at many points at once and at one at a time");
    is_int(ew_formula_variables(formula), EW_X | EW_Y | EW_T | EW_STATE, "... say that they depend on it");
    is_int(ew_formula_variables(constant), EW_X | EW_Y, "... and others of the same names that they do not");
    ew_formula_evaluate(formula, POINTS, x, y, 0.25, all[0], POINTS);
    ok(isnan(all[0][0]) && isnan(all[1][POINTS - 1]), "without a state they are not a number");
    ew_formula_destroy(formula);
    ew_formula_destroy(constant);
    ew_scope_destroy(with_state);
    is_int(ew_formula_create(scope, 1, (const char *const[]){"rho"}, &formula, &error), EW_EFORMULA,
           "the other scope does not know the state");
    set(scope, "rho", 1);
    is_int(ew_scope_with_state(scope, 2, names, &with_state, &error), EW_EFORMULA, "a name cannot be both");
    contains(error.message, "the name \"rho\" is defined twice", "... as a sentence says");
    is_int(ew_scope_with_state(scope, 0, names, &with_state, &error), EW_EINVAL, "a state has a variable");
    is_int(ew_scope_with_state(NULL, 2, names, &with_state, &error), EW_EINVAL, "a scope must be given");
    ew_scope_destroy(scope);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static int use_everything(const ew_host *host, ew_error *error)
{
    ew_scope *scope = NULL;
    ew_formula *formula = NULL;
    int status = ew_scope_create(host, &scope, error);
    for (int i = 0; i < 20 && !status; ++i) {
        char name[16];
        snprintf(name, sizeof name, "n%d", i);
        status = i % 2 ? ew_scope_set(scope, name, 1, error) : ew_scope_define(scope, name, i % 4 ? "x*t" : "2", error);
    }
    const char *texts[] = {"n0 + n2*x", "n3"};
    if (!status)
        status = ew_formula_create(scope, 2, texts, &formula, error);
    ew_formula_destroy(formula);
    ew_scope_destroy(scope);
    return status;
}

static void check_memory(void)
{
    int failures = 0, told = 0, leaks = 0, status = EW_ENOMEM;
    for (int allowed = 0; allowed < 1000 && status; ++allowed) {
        struct memory memory = {.fail_at = allowed + 1};
        ew_host host = memory_host(&memory);
        ew_error error = {0};
        status = use_everything(&host, &error);
        failures += status != EW_OK;
        told += status == EW_ENOMEM && error.code == EW_ENOMEM && strncmp(error.message, "not enough memory", 17) == 0;
        leaks += memory.blocks != 0;
    }
    ok(status == EW_OK && failures >= 15, "every allocation failed once (%d)", failures);
    is_int(told, failures, "and each time a sentence said so");
    is_int(leaks, 0, "and no memory stayed behind");

    struct memory memory = {0};
    ew_host host = memory_host(&memory);
    ew_scope *scope;
    ew_error error;
    bool again = ew_scope_create(&host, &scope, &error) == EW_OK;
    memory_allow(&memory, 1);
    again = again && ew_scope_define(scope, "a", "x + 1", &error) == EW_ENOMEM;
    memory_allow(&memory, -1);
    again = again && ew_scope_define(scope, "a", "x + 1", &error) == EW_OK && value_in(scope, "a") == 3;
    ok(again, "a definition that found no memory can be made again");
    ew_scope_destroy(scope);
}

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static void check_numbers(void)
{
    static const char *const hard[] = {"0",
                                       "1",
                                       "0.1",
                                       "123456789012345678",
                                       "9007199254740993",
                                       "9007199254740992.9999999999999999999999999999999999",
                                       "9007199254740993.00000000000000000000000000000000000001",
                                       "4.9406564584124654e-324",
                                       "2.4703282292062327e-324",
                                       "2.4703282292062328e-324",
                                       "2.2250738585072011e-308",
                                       "2.2250738585072014e-308",
                                       "1.7976931348623157e308",
                                       "1.7976931348623158e308",
                                       "1.7976931348623159e308",
                                       "1e400",
                                       "1e-400",
                                       "1e99999999999999999999",
                                       "1e-99999999999999999999",
                                       "0e5",
                                       "0.000000000000000000000000000000000000000000000000001e60",
                                       "6.631236846766476e-316",
                                       "3.518437208883201171875E13",
                                       "62.5364939768271845828",
                                       "8.10109172351e-10",
                                       "1.50000000000000011102230246251565",
                                       "18446744073709551615",
                                       "18446744073709551616",
                                       "1e23",
                                       "8.5e22",
                                       "30078505129381147446200",
                                       "1777820000000000000001"};
    int wrong = 0, total = sizeof hard / sizeof hard[0];
    for (int i = 0; i < total; ++i) {
        double got;
        size_t length = ewi_read_number(hard[i], &got);
        if (length != strlen(hard[i]) || !same(got, strtod(hard[i], NULL))) {
            ++wrong;
            diag("%s: got %.17g, expected %.17g", hard[i], got, strtod(hard[i], NULL));
        }
    }
    uint64_t state = 12345;
    for (int i = 0; i < 20000; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        double value = fabs(ewi_from_bits(state ^ state >> 29)), got;
        if (!(value < HUGE_VAL))
            continue;
        char text[64];
        snprintf(text, sizeof text, i % 3 == 0 ? "%.17g" : i % 3 == 1 ? "%.9g" : "%.30g", value);
        ++total;
        size_t length = ewi_read_number(text, &got);
        wrong += length != strlen(text) || !same(got, strtod(text, NULL));
    }
    is_int(wrong, 0, "%d decimal numbers are rounded as strtod does", total);
    char *text = repeated("2.4703282292062327208299", "0", 900, "1e-324");
    double got;
    ewi_read_number(text, &got);
    ok(same(got, strtod(text, NULL)), "so is a number of 900 digits");
    free(text);
    is_int((int64_t)ewi_read_number("1e+x", &got), 1, "an exponent needs digits");
    is_int((int64_t)ewi_read_number("-1", &got), 0, "signs are not read");
    is_int((int64_t)ewi_read_number(".e1", &got), 0, "a point alone is no number");
}

static void check_nearest(void)
{
    static const char *const words[] = {"order", "flux", "limiter", "time", "rho0", "r", "boundary"};
    const size_t count = sizeof words / sizeof words[0];
    is_str(ewi_nearest("oder", words, count), "order", "a missing letter");
    is_str(ewi_nearest("fluxx", words, count), "flux", "a letter too many");
    is_str(ewi_nearest("tiem", words, count), "time", "two letters exchanged");
    is_str(ewi_nearest("rhoO", words, count), "rho0", "a wrong letter");
    is_str(ewi_nearest("Limiter", words, count), "limiter", "a capital");
    is_str(ewi_nearest("bondaray", words, count), "boundary", "two mistakes in a long word");
    ok(!ewi_nearest("q", words, count) && !ewi_nearest("banana", words, count) && !ewi_nearest("", words, count) &&
           !ewi_nearest("order", words, 0),
       "nothing is near enough");
}

int main(void)
{
    check_grammar();
    check_functions();
    check_folding();
    check_definitions();
    check_names();
    check_errors();
    check_limits();
    check_chain();
    check_batch();
    check_state();
    check_memory();
    check_numbers();
    check_nearest();
    return done_testing();
}
