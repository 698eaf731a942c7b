/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations of a plan's time step, line by line, for people. */
#include "ewi_backend.h"
#include "ewi_plan.h"
#include "ewi_step.h"
#include "ewi_text.h"

static void make(const ew_plan *plan, const char *backend, int parts, struct ewi_step *step)
{
    struct ewi_sizes sizes = plan->sizes;
    struct ewi_fusion fusion = {0};
    const struct ewi_backend *found = backend ? ewi_backend_find(backend) : NULL;
    sizes.divided = sizes.divided || parts > 1;
    if (found)
        fusion = found->fusion(&sizes);
    ewi_step_make_fused(&sizes, &fusion, step);
}

/* The lists of elements that the operations name. */
static int put_element_list(const struct ewi_step *step, int index, char *text, size_t size)
{
    if (index == 0)
        ewi_snprintf(text, size, "lists of elements");
    else
        ewi_element_list_describe(&step->list[index], text, size);
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
    return step->lists > 1 && index < step->lists ? put_element_list(step, index, text, size) : 0;
}

int ew_plan_step(const ew_plan *plan, const char *backend, int parts, int index, char *text, size_t size)
{
    struct ewi_step step;
    if (!plan || !text || index < 0)
        return 0;
    make(plan, backend, parts, &step);
    return ewi_step_line(&step, index, text, size);
}
