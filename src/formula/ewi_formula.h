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

#include <stddef.h>
#include <stdint.h>

#include "edgewise.h"
#include "ewi_hd.h"
#include "ewi_math.h"

enum {
    EWI_FORMULA_TEXT = 4096, /* characters of a text, at most */
    EWI_FORMULA_CODE = 1024, /* instructions of a program */
    EWI_FORMULA_STACK = 32,
    EWI_FORMULA_SLOTS = 64,  /* definitions in use by a program */
    EWI_FORMULA_OUTPUTS = 64
};

/* Operations on the stack's top a, or its two topmost b (top) and a: X(CODE, what it becomes) */
#define EWI_OPERATORS_1(X)                              \
    X(NEGATE, -a)                                       \
    X(NOT, a == 0.0 ? 1.0 : 0.0)

#define EWI_OPERATORS_2(X)                              \
    X(ADD, a + b)                                       \
    X(SUBTRACT, a - b)                                  \
    X(MULTIPLY, a * b)                                  \
    X(DIVIDE, a / b)                                    \
    X(RAISE, ewi_pow(a, b))                             \
    X(LESS, a < b ? 1.0 : 0.0)                          \
    X(LESS_EQUAL, a <= b ? 1.0 : 0.0)                   \
    X(GREATER, a > b ? 1.0 : 0.0)                       \
    X(GREATER_EQUAL, a >= b ? 1.0 : 0.0)                \
    X(EQUAL, a == b ? 1.0 : 0.0)                        \
    X(NOT_EQUAL, a != b ? 1.0 : 0.0)                    \
    X(AND, ((a != 0.0) & (b != 0.0)) ? 1.0 : 0.0)       \
    X(OR, ((a != 0.0) | (b != 0.0)) ? 1.0 : 0.0)

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
    int32_t length;    /* of code */
    int32_t constants;
    int32_t outputs;
    int32_t states;    /* variables of the local state that it may use: the first ones */
    int32_t variables; /* EW_X | EW_Y | EW_T | EW_STATE */
};

/* The formula's program, for copying to a device; it lives as long as the formula. */
const struct ewi_program *ewi_formula_program(const ew_formula *formula);

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
                                      double x, double y, double t, const double *state, double *out, int64_t stride)
{
    double stack[EWI_FORMULA_STACK], slot[EWI_FORMULA_SLOTS];
    int32_t depth = 0;
    double a, b;
    for (int32_t i = 0; i < length; ++i) {
        int32_t argument = code[i].argument;
        switch (code[i].code) {
        case EWI_PUSH_CONSTANT:
            stack[depth++] = constant[argument];
            break;
        case EWI_PUSH_VARIABLE:
            a = argument == EW_X ? x : argument == EW_Y ? y : t;
            stack[depth++] = argument >= EW_STATE ? state[argument - EW_STATE] : a;
            break;
        case EWI_PUSH_SLOT:
            stack[depth++] = slot[argument];
            break;
        case EWI_POP_SLOT:
            slot[argument] = stack[--depth];
            break;
        case EWI_POP_OUTPUT:
            a = stack[--depth];
            out[argument * stride] = a != a ? ewi_nan() : a;
            break;
        case EWI_SELECT:
            depth -= 2;
            stack[depth - 1] = stack[depth - 1] != 0.0 ? stack[depth] : stack[depth + 1];
            break;
        case EWI_INTEGER_POWER:
            stack[depth - 1] = ewi_integer_power(stack[depth - 1], argument);
            break;
#define EWI_CASE_1(operation, result)  \
        case EWI_##operation:          \
            a = stack[depth - 1];      \
            stack[depth - 1] = result; \
            break;
#define EWI_CASE_2(operation, result)  \
        case EWI_##operation:          \
            b = stack[--depth];        \
            a = stack[depth - 1];      \
            stack[depth - 1] = result; \
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
