/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations of a plan's time step, line by line, as a backend combines them. */
#include "ewi_backend.h"
#include "ewi_error.h"
#include "ewi_parts.h"
#include "ewi_solver.h"
#include "ewi_step.h"
#include "ewi_text.h"

static void make(const ew_plan *plan, const struct ewi_backend *backend, int parts, struct ewi_step *step)
{
    struct ewi_sizes sizes = plan->sizes;
    sizes.divided = sizes.divided || parts > 1;
    if (!backend) {
        ewi_step_make(&sizes, step);
        return;
    }
    struct ewi_fusion fusion = backend->fusion(&sizes);
    ewi_step_make_fused(&sizes, &fusion, step);
}

int ew_plan_step(const ew_plan *plan, const char *backend, int parts, int index, char *text, size_t size)
{
    const struct ewi_backend *found = backend ? ewi_backend_find(backend) : NULL;
    struct ewi_step step;
    ew_error error;
    if (!plan || !text || index < 0)
        return 0;
    if (parts > 1 && ewi_parts_check_number(plan, parts, "parts", &error) != EW_OK) {
        ewi_snprintf(text, size, "%s", error.message);
        return error.code;
    }
    make(plan, found, parts, &step);
    return ewi_step_line(&step, index, text, size);
}
