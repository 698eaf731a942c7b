/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Points that are known before they are asked for: where the state lies on a device, they are sampled there, and their
 * values are copied with the state. ew_solver_sample_points knows them by their addresses.
 */
#include "ewi_error.h"
#include "ewi_laws.h"
#include "ewi_solver.h"

int ewi_expected_output(const struct ewi_expected *expected, int output)
{
    for (int k = 0; k < expected->outputs; k++)
        if (expected->output[k] == output)
            return k;
    return -1;
}

/* True if devices evaluate it: "limiter" needs the solver, and formulas and averages are the host's. */
static bool is_sampled(const struct ewi_output *output)
{
    return output->from == EWI_FROM_PRIMITIVE || output->from == EWI_FROM_CONSERVED || output->from == EWI_FROM_DERIVED;
}

static void take_outputs(const struct ewi_plan *plan, int outputs, const int *output, struct ewi_expected *expected)
{
    for (int k = 0; k < outputs; k++) {
        struct ewi_output of;
        if (ewi_plan_output(plan, output[k], &of) && is_sampled(&of) && ewi_expected_output(expected, output[k]) < 0)
            expected->output[expected->outputs++] = output[k];
    }
}

static int check(const ew_solver *solver, int64_t count, const int32_t *element, const double *rs, int outputs,
                 const int *output, ew_error *error)
{
    EWI_REQUIRE_MOVING(solver);
    if (count < 0 || outputs < 0 || outputs > EW_MAX_OUTPUTS)
        return ewi_fail(error, EW_EINVAL, "%d quantities at %lld points are expected", outputs, (long long)count);
    if ((count > 0 && (!element || !rs)) || (outputs > 0 && !output))
        return ewi_fail(error, EW_EINVAL, "%d quantities at %lld points are expected, but which or where is NULL",
                        outputs, (long long)count);
    for (int k = 0; k < outputs; k++)
        TRY(ewi_solver_check_output(solver, output[k], error));
    int32_t elements = solver->plan->grid->elements;
    for (int64_t k = 0; k < count; k++)
        if (element[k] >= elements)
            return ewi_fail(error, EW_EINVAL, "point %lld is to be in element %d; the mesh has %d", (long long)k,
                            element[k], elements);
    return EW_OK;
}

int ew_solver_expect_points(ew_solver *solver, int64_t count, const int32_t *element, const double *rs, int outputs,
                            const int *output, int single, ew_error *error)
{
    EWI_REQUIRE(solver);
    struct ewi_expected expected = {.count = count, .element = element, .rs = rs, .single = single != 0};
    TRY(check(solver, count, element, rs, outputs, output, error));
    take_outputs(solver->plan, outputs, output, &expected);
    if (expected.outputs == 0)
        expected.count = 0;
    solver->sampled = NULL;
    if (!solver->backend->expect_points || (expected.count == 0 && solver->expected.count == 0))
        return EW_OK;
    ew_error reason;
    int status = solver->backend->expect_points(solver->instance, &expected, &reason);
    solver->expected = status == EW_OK ? expected : (struct ewi_expected){.count = 0};
    if (status == EW_ENOMEM) /* the host does without */
        return EW_OK;
    if (status != EW_OK && error)
        *error = reason;
    return status;
}

/* As cuda/samples.c has them: where points are, their values, and if gradients are needed, triangles. */
static double bytes_of(int outputs, bool gradients, double elements, double count, bool single, double *device)
{
    double values = outputs * count * (single ? sizeof(float) : sizeof(double));
    if (device)
        *device = outputs == 0 ? 0
                               : values + count * (sizeof(int32_t) + 2 * sizeof(double)) +
                                     (gradients ? elements * 5 * sizeof(double) : 0);
    return values;
}

/* Only a problem knows whether a quantity by formula is another name of a quantity of the law. Here, all are. */
double ew_expected_points_bytes(const ew_law *law, int64_t elements, int64_t count, int outputs, const int *output,
                                int single, double *device)
{
    int sampled = 0;
    bool gradients = false;
    for (int k = 0; law && output && count > 0 && outputs <= EW_MAX_OUTPUTS && k < outputs; k++) {
        struct ewi_output of;
        bool is_formula = !ewi_output_find(law, output[k], &of);
        sampled += is_formula || is_sampled(&of);
        gradients = gradients || is_formula || of.from == EWI_FROM_DERIVED;
    }
    return bytes_of(sampled, gradients, (double)elements, (double)count, single, device);
}

size_t ewi_expected_bytes(const ew_solver *solver)
{
    const struct ewi_expected *expected = &solver->expected;
    double device;
    bool gradients = false;
    for (int k = 0; k < expected->outputs; k++) {
        struct ewi_output of;
        ewi_plan_output(solver->plan, expected->output[k], &of);
        gradients = gradients || of.from == EWI_FROM_DERIVED;
    }
    bytes_of(expected->outputs, gradients, solver->plan->grid->elements, (double)expected->count, expected->single,
             &device);
    return (size_t)device;
}

int ewi_expected_samples(ew_solver *solver, int64_t count, const int32_t *element, const double *rs, bool single,
                         const void **values, int64_t *at, ew_error *error)
{
    const struct ewi_expected *expected = &solver->expected;
    *values = NULL;
    if (expected->count == 0 || count <= 0 || single != expected->single)
        return EW_OK;
    uintptr_t first = (uintptr_t)expected->element, asked = (uintptr_t)element;
    *at = asked >= first ? (int64_t)((asked - first) / sizeof *element) : -1;
    if (*at < 0 || *at > expected->count - count || element != expected->element + *at || rs != expected->rs + 2 * *at)
        return EW_OK;
    int status = solver->sampled ? EW_OK : solver->backend->sample(solver->instance, &solver->sampled, error);
    *values = status == EW_OK ? solver->sampled : NULL;
    return status;
}
