/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compiled formulas: straight-line programs for a small stack machine, the same for host and device.
 *
 * There are no jumps: `a ? b : c` evaluates both b and c and selects. Every operation is defined once, in the lists
 * below, from which the evaluator for one point (host and device), the one for many points (host) and the compiler's
 * tables come.
 */
#ifndef EWI_FORMULA_H
#define EWI_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "edgewise.h"
#include "ewi_hd.h"
#include "ewi_math.h"
#include "ewi_raster.h"

enum {
    EWI_FORMULA_TEXT = 4096, /* characters of a text, at most */
    EWI_FORMULA_CODE = 1024, /* instructions of a program */
    EWI_FORMULA_STACK = 32,
    EWI_FORMULA_SLOTS = 64,  /* definitions in use by a program */
    EWI_FORMULA_RASTERS = 64, /* different calls of raster(...) */
    EWI_FORMULA_OUTPUTS = 64
};

/*
 * Operations on the stack's top a, or its two topmost b (top) and a: X(CODE, what it becomes). Those that decide, and
 * would thus hide a NaN, have strict twins, which give NaN where the decision depends on one: formulas decide by them
 * on what comes from a raster.
 */
#define EWI_OPERATORS_1(X)                              \
    X(NEGATE, -a)                                       \
    X(NOT, a == 0.0 ? 1.0 : 0.0)                        \
    X(STRICT_NOT, a != a ? a : a == 0.0 ? 1.0 : 0.0)    \
    X(STRICT_SIGN, a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a)  \
    X(STRICT_STEP, a != a ? a : a >= 0.0 ? 1.0 : 0.0)

#define EWI_COMPARISONS(X, PREFIX, NUMBER)              \
    X(PREFIX##LESS, NUMBER(a < b))                      \
    X(PREFIX##LESS_EQUAL, NUMBER(a <= b))               \
    X(PREFIX##GREATER, NUMBER(a > b))                   \
    X(PREFIX##GREATER_EQUAL, NUMBER(a >= b))            \
    X(PREFIX##EQUAL, NUMBER(a == b))                    \
    X(PREFIX##NOT_EQUAL, NUMBER(a != b))

#define EWI_NUMBER(decision) (decision) ? 1.0 : 0.0
#define EWI_STRICT_NUMBER(decision) a != a ? a : b != b ? b : (decision) ? 1.0 : 0.0

#define EWI_OPERATORS_2(X)                              \
    X(ADD, a + b)                                       \
    X(SUBTRACT, a - b)                                  \
    X(MULTIPLY, a * b)                                  \
    X(DIVIDE, a / b)                                    \
    X(RAISE, ewi_pow(a, b))                             \
    EWI_COMPARISONS(X, , EWI_NUMBER)                    \
    X(AND, ((a != 0.0) & (b != 0.0)) ? 1.0 : 0.0)       \
    X(OR, ((a != 0.0) | (b != 0.0)) ? 1.0 : 0.0)        \
    EWI_COMPARISONS(X, STRICT_, EWI_STRICT_NUMBER)      \
    X(STRICT_AND, ((a == 0.0) | (b == 0.0)) ? 0.0 : a != a ? a : b != b ? b : 1.0) \
    X(STRICT_OR, ((a < 0.0) | (a > 0.0) | (b < 0.0) | (b > 0.0)) ? 1.0 : a != a ? a : b != b ? b : 0.0)

/* Functions: X(CODE, name, what it becomes) */
#define EWI_FUNCTIONS_1(X)                              \
    X(ABS, "abs", ewi_fabs(a))                          \
    X(SQRT, "sqrt", ewi_sqrt(a))                        \
    X(CBRT, "cbrt", ewi_cbrt(a))                        \
    X(EXP, "exp", ewi_exp(a))                           \
    X(LOG, "log", ewi_ln(a))                            \
    X(LOG10, "log10", ewi_log10(a))                     \
    X(SIN, "sin", ewi_sin(a))                           \
    X(COS, "cos", ewi_cos(a))                           \
    X(TAN, "tan", ewi_tan(a))                           \
    X(ASIN, "asin", ewi_asin(a))                        \
    X(ACOS, "acos", ewi_acos(a))                        \
    X(ATAN, "atan", ewi_atan(a))                        \
    X(SINH, "sinh", ewi_sinh(a))                        \
    X(COSH, "cosh", ewi_cosh(a))                        \
    X(TANH, "tanh", ewi_tanh(a))                        \
    X(FLOOR, "floor", ewi_floor(a))                     \
    X(CEIL, "ceil", ewi_ceil(a))                        \
    X(SIGN, "sign", a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : a) \
    X(STEP, "step", a >= 0.0 ? 1.0 : 0.0)

/*
 * min and max give NaN if any argument is one. mod(a, b) = a - b floor(a/b) has the sign of b and period b in a, but
 * for rounding: mod(-1e-20, 1) is 1.
 */
#define EWI_FUNCTIONS_2(X)                                         \
    X(MIN, "min", a != a ? a : b < a ? b : b != b ? b : a)         \
    X(MAX, "max", a != a ? a : b > a ? b : b != b ? b : a)         \
    X(POW, "pow", ewi_pow(a, b))                                   \
    X(ATAN2, "atan2", ewi_atan2(a, b))                             \
    X(HYPOT, "hypot", ewi_hypot(a, b))                             \
    X(MOD, "mod", a - b * ewi_floor(a / b))

enum ewi_opcode {
    EWI_PUSH_CONSTANT, /* argument: index of the constant */
    EWI_PUSH_VARIABLE, /* argument: EW_X, EW_Y, EW_T, or EW_STATE + number of the local state's variable */
    EWI_PUSH_SLOT,     /* argument: slot */
    EWI_POP_SLOT,
    EWI_POP_OUTPUT,    /* argument: number of the output */
    EWI_SELECT,        /* a, b, c become a ? b : c */
    EWI_STRICT_SELECT, /* the same, and NaN if a is NaN */
    EWI_RASTER,        /* argument: number of the use; x, y and perhaps t become the raster's value */
    EWI_INTEGER_POWER, /* argument: exponent */
#define EWI_OPERATION_CODE(code, ...) EWI_##code,
    EWI_OPERATORS_1(EWI_OPERATION_CODE)
    EWI_OPERATORS_2(EWI_OPERATION_CODE)
    EWI_FUNCTIONS_1(EWI_OPERATION_CODE)
    EWI_FUNCTIONS_2(EWI_OPERATION_CODE)
#undef EWI_OPERATION_CODE
    EWI_OPCODES
};

struct ewi_instruction {
    int32_t code; /* enum ewi_opcode */
    int32_t argument;
};

struct ewi_program {
    const struct ewi_instruction *code;
    const double *constant;
    const struct ewi_raster_use *raster;
    int32_t length;    /* of code */
    int32_t constants;
    int32_t rasters;
    int32_t outputs;
    int32_t states;    /* variables of the local state that it may use: the first ones */
    int32_t variables; /* EW_X | EW_Y | EW_T | EW_STATE */
};

/* The formula's program, for copying to a device; it lives as long as the formula. */
const struct ewi_program *ewi_formula_program(const ew_formula *formula);
/* False if it depends on neither t nor a local state. */
bool ewi_program_varies(const struct ewi_program *program);
/* Bytes of the rasters that it calls, each counted once. */
size_t ewi_program_raster_bytes(const struct ewi_program *program);

/*
 * True if a raster of the formula has no value at the point; `text` then says why. An explanation of a NaN: a formula
 * need not use the values of all its rasters.
 */
bool ewi_formula_explain(const ew_formula *formula, double x, double y, double t, const double *state, char *text,
                         size_t size);

/*
 * ewi_program_evaluate, below, at n points: state[m * stride + i] is variable m of the state at point i, and
 * values[k * stride + i] becomes output k there. state may be NULL if the program does not depend on it.
 */
void ewi_program_evaluate_all(const struct ewi_program *program, size_t n, const double *x, const double *y, double t,
                              const double *state, double *values, size_t stride);

/*
 * out[k * stride] = output k at (x, y, t), where the state is `state`; that may be NULL if the program does not depend
 * on it. NaNs come out as the positive quiet one without payload.
 */
EWI_HD_CALL void ewi_program_evaluate(const struct ewi_instruction *code, int32_t length, const double *constant,
                                      const struct ewi_raster_use *raster, double x, double y, double t,
                                      const double *state, double *out, int64_t stride)
{
    double stack[EWI_FORMULA_STACK + 1], slot[EWI_FORMULA_SLOTS], *below = stack, top = 0.0; /* top: of the stack */
    double a, b;
    for (int32_t i = 0; i < length; ++i) {
        int32_t argument = code[i].argument;
        switch (code[i].code) {
        case EWI_PUSH_CONSTANT:
            *below++ = top;
            top = constant[argument];
            break;
        case EWI_PUSH_VARIABLE:
            *below++ = top;
            a = argument == EW_X ? x : argument == EW_Y ? y : t;
            top = argument >= EW_STATE ? state[argument - EW_STATE] : a;
            break;
        case EWI_PUSH_SLOT:
            *below++ = top;
            top = slot[argument];
            break;
        case EWI_POP_SLOT:
            slot[argument] = top;
            top = *--below;
            break;
        case EWI_POP_OUTPUT:
            out[argument * stride] = top != top ? ewi_nan() : top;
            top = *--below;
            break;
        case EWI_SELECT:
            below -= 2;
            top = below[0] != 0.0 ? below[1] : top;
            break;
        case EWI_STRICT_SELECT:
            below -= 2;
            a = below[0];
            top = a != a ? a : a != 0.0 ? below[1] : top;
            break;
        case EWI_RASTER:
            a = 0.0;
            if (raster[argument].points[2] > 0) {
                a = top;
                top = *--below;
            }
            b = *--below;
            top = ewi_raster_value(&raster[argument], b, top, a);
            break;
        case EWI_INTEGER_POWER:
            top = ewi_integer_power(top, argument);
            break;
#define EWI_CASE_1(operation, result)  \
        case EWI_##operation:          \
            a = top;                   \
            top = result;              \
            break;
#define EWI_CASE_2(operation, result)  \
        case EWI_##operation:          \
            b = top;                   \
            a = *--below;              \
            top = result;              \
            break;
#define EWI_FUNCTION_CASE_1(operation, name, result) EWI_CASE_1(operation, result)
#define EWI_FUNCTION_CASE_2(operation, name, result) EWI_CASE_2(operation, result)
            EWI_OPERATORS_1(EWI_CASE_1)
            EWI_OPERATORS_2(EWI_CASE_2)
            EWI_FUNCTIONS_1(EWI_FUNCTION_CASE_1)
            EWI_FUNCTIONS_2(EWI_FUNCTION_CASE_2)
#undef EWI_CASE_1
#undef EWI_CASE_2
#undef EWI_FUNCTION_CASE_1
#undef EWI_FUNCTION_CASE_2
        default:
            break;
        }
    }
}

#endif
