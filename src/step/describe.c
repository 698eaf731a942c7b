/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations in words, a line each. */
#include "ewi_step.h"
#include "ewi_text.h"

#include <stdarg.h>

#define EWI_OPERATION_ROW(kind, collective, listed, description) {#kind, description, collective, listed},
static const struct {
    const char *name, *description;
    bool collective, listed;
} operations[] = {EWI_OPERATIONS(EWI_OPERATION_ROW)};

#define EWI_NAME(name) #name,
static const char *const quantities[] = {EWI_QUANTITIES(EWI_NAME)};
static const char *const data_kinds[] = {EWI_DATA_KINDS(EWI_NAME)};

const char *ewi_operation_name(enum ewi_operation_kind kind)
{
    return operations[kind].name;
}

const char *ewi_operation_description(enum ewi_operation_kind kind)
{
    return operations[kind].description;
}

bool ewi_operation_is_collective(enum ewi_operation_kind kind)
{
    return operations[kind].collective;
}

bool ewi_operation_is_listed(enum ewi_operation_kind kind)
{
    return operations[kind].listed;
}

struct line {
    char *text;
    size_t size;
    int length;
};

static void put(struct line *line, const char *format, ...)
{
    size_t used = (size_t)line->length < line->size ? (size_t)line->length : line->size;
    va_list list;
    va_start(list, format);
    line->length += ewi_vsnprintf(line->text + used, line->size - used, format, list);
    va_end(list);
}

static void put_set(struct line *line, const char *when, unsigned kinds)
{
    const char *between = "";
    if (kinds == 0)
        return;
    put(line, "; %s: ", when);
    for (int k = 0; k < EWI_OP_COUNT; k++)
        if (kinds >> k & 1) {
            put(line, "%s%s", between, operations[k].name);
            between = ", ";
        }
}

static void put_registers(struct line *line, const struct ewi_operation *operation)
{
    if (operation->source != EWI_NO_REGISTER)
        put(line, " u%d", operation->source);
    if (operation->target != EWI_NO_REGISTER && operation->target != operation->source)
        put(line, " -> u%d", operation->target);
}

static bool has_quantity(enum ewi_operation_kind kind)
{
    return kind == EWI_OP_reduce || kind == EWI_OP_exchange || kind == EWI_OP_send || kind == EWI_OP_receive;
}

static void put_boundary(struct line *line, const struct ewi_operation *operation)
{
    if (operation->data != EWI_DATA_all)
        put(line, " by %s", data_kinds[operation->data]);
    if (operation->whole_step)
        put(line, " at the times of all stages and the end");
    else
        put(line, " at time %g", operation->time);
    if (operation->quantity == EWI_QUANTITY_speed)
        put(line, ", with its speed");
}

int ewi_operation_describe(const struct ewi_step *step, const struct ewi_operation *operation, char *text, size_t size)
{
    struct line line = {text, size, 0};
    if (operation->stage > 0)
        put(&line, "%d  %s", operation->stage, ewi_operation_name(operation->kind));
    else
        put(&line, "-  %s", ewi_operation_name(operation->kind));
    if (has_quantity(operation->kind))
        put(&line, " %s", quantities[operation->quantity]);
    put_registers(&line, operation);
    if (operation->elements != EWI_ALL_ELEMENTS)
        put(&line, ", %s", step->list[operation->elements].name);
    if (operation->kind == EWI_OP_boundary)
        put_boundary(&line, operation);
    put_set(&line, "on load", operation->on_load);
    put_set(&line, "on store", operation->on_store);
    if (operation->stores_limited)
        put(&line, "; stores the limited source");
    if (operation->leaves_pending)
        put(&line, "; limiter pending");
    return line.length;
}

int ewi_element_list_describe(const struct ewi_element_list *list, char *text, size_t size)
{
    struct line line = {text, size, 0};
    if (list->text)
        put(&line, "%s", list->text);
    else if (list->first + 1 == list->end)
        put(&line, "%s: class %d of the elements", list->name, list->first);
    else
        put(&line, "%s: classes %d to %d of the elements", list->name, list->first, list->end - 1);
    return line.length;
}
