/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Formulas as PTX, NVIDIA's assembly language, which the driver turns into machine code. The stack of a program is
 * resolved here: each value has a register of its own. Whatever is not plain arithmetic calls the functions of
 * source.cu, so that every operation has one definition.
 */
#include "ewi_ptx.h"
#include "ewi_host.h"
#include "ewi_text.h"

#include <stdarg.h>
#include <string.h>

enum { LONGEST = 320 }; /* upper limit of an instruction's text, in characters */

static const struct {
    const char *name;
    int operands;
} operation[EWI_OPCODES] = {
#define OPERATION_1(code, ...) [EWI_##code] = {#code, 1},
#define OPERATION_2(code, ...) [EWI_##code] = {#code, 2},
    EWI_OPERATORS_1(OPERATION_1)
    EWI_OPERATORS_2(OPERATION_2)
    EWI_FUNCTIONS_1(OPERATION_1)
    EWI_FUNCTIONS_2(OPERATION_2)
    [EWI_SELECT] = {"SELECT", 3},
    [EWI_STRICT_SELECT] = {"STRICT_SELECT", 3},
};

/* Each is rounded by itself; none is fused into an fma. */
static const char *const arithmetic[EWI_OPCODES] = {
    [EWI_ADD] = "add.rn.f64", [EWI_SUBTRACT] = "sub.rn.f64", [EWI_MULTIPLY] = "mul.rn.f64",
    [EWI_DIVIDE] = "div.rn.f64"};

struct writer {
    const struct ewi_program *program;
    char *text;
    size_t length, size;
    int registers;                    /* %d0 .. in use */
    int stack[EWI_FORMULA_STACK], depth, slot[EWI_FORMULA_SLOTS];
    int output[EW_MAX_VARIABLES];
};

__attribute__((format(printf, 2, 3))) static void put(struct writer *writer, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    writer->length += (size_t)ewi_vsnprintf(writer->text + writer->length, writer->size - writer->length, format, list);
    va_end(list);
}

static int push(struct writer *writer)
{
    return writer->stack[writer->depth++] = writer->registers++;
}

/*
 * Calls a function of the topmost values of the stack. `before` and `behind`: text of further arguments around them, or
 * empty.
 */
static void put_call(struct writer *writer, const char *name, int operands, const char *before, const char *behind)
{
    put(writer, "{ .param .b64 r");
    for (int k = 0; k < operands; k++)
        put(writer, ", a%d", k);
    put(writer, ";");
    writer->depth -= operands;
    for (int k = 0; k < operands; k++)
        put(writer, " st.param.f64 [a%d], %%d%d;", k, writer->stack[writer->depth + k]);
    put(writer, " call.uni (r), ewi_formula_%s, (%s", name, before);
    for (int k = 0; k < operands; k++)
        put(writer, "%sa%d", k || before[0] ? ", " : "", k);
    put(writer, "%s); ld.param.f64 %%d%d, [r]; }\n", behind, push(writer));
}

static void put_raster(struct writer *writer, int number)
{
    bool timed = writer->program->raster[number].points[2] > 0;
    put(writer, "add.s64 %%use, %%raster, %zu;\n", (size_t)number * sizeof(struct ewi_raster_use));
    if (!timed)
        put(writer, "mov.f64 %%d%d, 0d0000000000000000;\n", push(writer));
    put_call(writer, "RASTER", 3, "%use", "");
}

static void put_variable(struct writer *writer, int argument)
{
    int input = argument >= EW_STATE ? 3 + argument - EW_STATE : argument == EW_X ? 0 : argument == EW_Y ? 1 : 2;
    writer->stack[writer->depth++] = input; /* inputs are in the first registers */
}

static void put_instruction(struct writer *writer, struct ewi_instruction instruction)
{
    int code = instruction.code, argument = instruction.argument, *stack = writer->stack;
    char behind[32];
    switch (code) {
    case EWI_PUSH_CONSTANT:
        put(writer, "ld.f64 %%d%d, [%%constant+%d];\n", push(writer), 8 * argument);
        break;
    case EWI_PUSH_VARIABLE: put_variable(writer, argument); break;
    case EWI_PUSH_SLOT: stack[writer->depth++] = writer->slot[argument]; break;
    case EWI_POP_SLOT: writer->slot[argument] = stack[--writer->depth]; break;
    case EWI_POP_OUTPUT:
        put_call(writer, "OUTPUT", 1, "", "");
        writer->output[argument] = stack[--writer->depth];
        break;
    case EWI_RASTER: put_raster(writer, argument); break;
    case EWI_INTEGER_POWER:
        ewi_snprintf(behind, sizeof behind, ", %d", argument);
        put_call(writer, "INTEGER_POWER", 1, "", behind);
        break;
    default:
        if (arithmetic[code]) {
            int b = stack[--writer->depth], a = stack[--writer->depth];
            put(writer, "%s %%d%d, %%d%d, %%d%d;\n", arithmetic[code], push(writer), a, b);
        } else {
            put_call(writer, operation[code].name, operation[code].operands, "", "");
        }
    }
}

static void put_declarations(struct writer *writer)
{
    put(writer, ".version 6.0\n.target sm_60\n.address_size 64\n");
    for (int code = 0; code < EWI_OPCODES; code++)
        if (operation[code].name && !arithmetic[code]) {
            put(writer, ".extern .func (.param .b64 r) ewi_formula_%s (.param .b64 a", operation[code].name);
            for (int k = 1; k < operation[code].operands; k++)
                put(writer, ", .param .b64 a%d", k);
            put(writer, ");\n");
        }
    put(writer, ".extern .func (.param .b64 r) ewi_formula_OUTPUT (.param .b64 a);\n"
                ".extern .func (.param .b64 r) ewi_formula_INTEGER_POWER (.param .b64 a, .param .b32 exponent);\n"
                ".extern .func (.param .b64 r) ewi_formula_RASTER (.param .b64 use, .param .b64 x, .param .b64 y, "
                ".param .b64 t);\n");
}

static void put_begin(struct writer *writer, const char *law, int variables)
{
    put(writer, ".visible .func (.param .align 8 .b8 source[%d]) ewi_source_%s (.param .b64 x, .param .b64 y, "
        ".param .b64 t, .param .align 8 .b8 w[%d], .param .b64 code, .param .b32 length, .param .b64 constant, "
        ".param .b64 raster)\n{\n.reg .f64 %%d<%d>;\n.reg .b64 %%constant, %%raster, %%use;\n", 8 * variables, law,
        8 * variables, 2 * (int)writer->program->length + EW_MAX_VARIABLES + 3);
    put(writer, "ld.param.u64 %%constant, [constant];\nld.param.u64 %%raster, [raster];\n"
                "ld.param.f64 %%d0, [x];\nld.param.f64 %%d1, [y];\nld.param.f64 %%d2, [t];\n");
    for (int m = 0; m < variables; m++)
        put(writer, "ld.param.f64 %%d%d, [w+%d];\n", 3 + m, 8 * m);
    writer->registers = 3 + variables;
}

char *ewi_ptx_source(const ew_host *host, const struct ewi_program *program, const char *law, int variables)
{
    size_t size = ((size_t)program->length + EWI_OPCODES + 2 * EW_MAX_VARIABLES + 8) * LONGEST;
    struct writer writer = {.program = program, .text = ewi_alloc(host, size, 1), .size = size};
    if (!writer.text)
        return NULL;
    put_declarations(&writer);
    put_begin(&writer, law, variables);
    for (int32_t i = 0; i < program->length; i++)
        put_instruction(&writer, program->code[i]);
    for (int m = 0; m < variables; m++)
        put(&writer, "st.param.f64 [source+%d], %%d%d;\n", 8 * m, writer.output[m]);
    put(&writer, "ret;\n}\n");
    return writer.text;
}
