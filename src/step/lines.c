/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations of a time step, line by line, for people. */
#include "ewi_step.h"
#include "ewi_text.h"

static bool is_used(const struct ewi_step *step, int list)
{
    bool used = false;
    for (int k = 0; k < step->operations; k++)
        used = used || step->operation[k].elements == list;
    return used;
}

/* The lists of elements that the operations name. */
static int put_element_list(const struct ewi_step *step, int index, char *text, size_t size)
{
    int list = EWI_ALL_ELEMENTS, used = 0;
    while (used < (index > 0 ? index : 1) && ++list < step->lists)
        used += is_used(step, list);
    if (list == step->lists)
        return 0;
    if (index == 0)
        ewi_snprintf(text, size, "lists of elements");
    else
        ewi_element_list_describe(&step->list[list], text, size);
    return index == 0 ? 1 : 2;
}

int ewi_step_line(const struct ewi_step *step, int index, char *text, size_t size)
{
    const struct {
        const char *heading;
        struct ewi_operation_range range;
    } list[] = {{"before the first step", step->opening},
                {"each step", step->step},
                {"each instant of a step", step->instant},
                {"after the last step", step->finalize},
                {"a state that is set", step->initial},
                {"a right-hand side by itself", step->rhs}};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        struct ewi_operation_range range = list[k].range;
        if (range.count == 0 || (k == 0 && range.first == step->step.first))
            continue;
        if (index == 0)
            ewi_snprintf(text, size, "%s", list[k].heading);
        else if (index <= range.count)
            ewi_operation_describe(step, &step->operation[range.first + index - 1], text, size);
        if (index <= range.count)
            return index == 0 ? 1 : 2;
        index -= 1 + range.count;
    }
    return put_element_list(step, index, text, size);
}
