/* SPDX-License-Identifier: BSD-2-Clause */
/* The sentence on a state that became inadmissible: where, what it is, and what may help. */
#include "ewi_bed.h"
#include "ewi_element.h"
#include "ewi_error.h"
#include "ewi_solver.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

static bool ghost_of(const struct ewi_plan *plan, const char *kind, int *ghost)
{
    bool given;
    const char *wrong;
    return ewi_ghost_find(plan->law, &(ew_boundary){.name = "", .kind = kind}, ghost, &given, &wrong, NULL) == EW_OK;
}

/* The first boundary of kind "copy" that is met within about three elements of element i, or NULL. */
static const char *copy_near(const struct ewi_plan *plan, int32_t i, int ghost)
{
    enum { MOST = 1 + 3 + 6 + 12 };
    const ew_mesh *mesh = plan->mesh;
    int32_t near[MOST] = {i};
    for (int k = 0, count = 1; k < count; k++)
        for (int side = 0; side < 3; side++) {
            int32_t e = mesh->element_edge[3 * (size_t)near[k] + (size_t)side], right = mesh->right[e];
            if (right < 0 && plan->boundary[-1 - right].ghost == ghost)
                return mesh->boundary[-1 - right].name;
            if (right >= 0 && count < MOST)
                near[count++] = mesh->left[e] == near[k] ? right : mesh->left[e];
        }
    return NULL;
}

static const char *copy_anywhere(const struct ewi_plan *plan, int ghost)
{
    for (int32_t b = 0; b < plan->mesh->boundaries; b++)
        if (plan->boundary[b].ghost == ghost)
            return plan->mesh->boundary[b].name;
    return NULL;
}

static bool may_limit(const struct ewi_limiter *limiter, const struct ewi_plan *plan)
{
    bool by_law = ewi_limiter_has_law(limiter, plan->law) && plan->media == 0;
    bool over_bed = !ewi_bed_has(plan->law) || ewi_limiter_has_sensor(limiter);
    return by_law && over_bed && ewi_limiter_has_order(limiter, plan->basis->order);
}

/* A limiter that the order and the law have, positivity, and the flux that keeps means positive. */
static int advise_limits(const struct ewi_plan *plan, char *text, size_t size)
{
    const struct ewi_limiter *limiter = NULL;
    int length = 0;
    for (int k = 0; !limiter && ewi_limiter_at(k); k++)
        if (may_limit(ewi_limiter_at(k), plan))
            limiter = ewi_limiter_at(k);
    if (limiter && !plan->limiter)
        length = ewi_snprintf(text, size, "the limiter %s, ", limiter->name);
    if (plan->law->has_positive && !plan->positivity)
        length += ewi_snprintf(text + length, size - (size_t)length, "positivity, ");
    if (plan->positivity && strcmp(ewi_flux_choice(plan->flux).name, "llf") != 0)
        length += ewi_snprintf(text + length, size - (size_t)length, "the flux llf, ");
    return length;
}

/* The advice that helps most often comes first. */
void ewi_advise(const struct ewi_plan *plan, int32_t element, bool has_spread, char *text, size_t size)
{
    int ghost;
    bool has_copy = ghost_of(plan, "copy", &ghost);
    const char *near = has_copy && element >= 0 ? copy_near(plan, element, ghost) : NULL,
               *copy = near || !has_copy || !has_spread ? near : copy_anywhere(plan, ghost);
    int length = ewi_snprintf(text, size, "try ");
    length += advise_limits(plan, text + length, size - (size_t)length);
    if (copy)
        length += ewi_snprintf(text + length, size - (size_t)length,
                               "kind \"%s\" for the boundary \"%.100s\"%s (its kind \"copy\" is unstable where waves "
                               "enter), ",
                               ghost_of(plan, "far", &ghost) ? "far" : "state", copy, near ? ", which is near" : "");
    ewi_snprintf(text + length, size - (size_t)length, "a smaller cfl%s or a finer mesh%s",
                 plan->levels > 1 ? ", fewer levels of time steps" : "",
                 plan->source.program ? "; also look at the source" : "");
}

/* Means of a run that has begun become NaN by the root of a negative pressure, say, at a point of a triangle. */
static void explain_nan(const struct ewi_plan *plan, const double *mean, char *text, size_t size)
{
    const ew_law *law = plan->law->info;
    const char *volumes = ewi_limiter_has_subcells(plan->limiter) ? " or control volumes" : "";
    bool has_nan = false;
    size_t length = 0;
    for (int m = 0; m < plan->variables; m++)
        has_nan = has_nan || isnan(mean[m]);
    text[0] = '\0';
    for (int m = 0; has_nan && m < plan->variables && length < size; m++)
        if (law->positive[m])
            length += (size_t)ewi_snprintf(text + length, size - length, "%s%s%s%s",
                                           length ? " or " : " (nan comes from points", length ? "" : volumes,
                                           length ? "" : " in triangles where ", law->primitive[m]);
    if (length && length < size)
        ewi_snprintf(text + length, size - length, " is negative, or from numbers that are too large)");
}

/* The conserved mean, and a primitive variable that must be positive and is not. A NaN's sign says nothing. */
static void describe_mean(const struct ewi_plan *plan, int32_t element, const double *mean, char *text, size_t size)
{
    const ew_law *law = plan->law->info;
    double primitive[EW_MAX_VARIABLES];
    size_t length = 0;
    plan->law->primitive(ewi_plan_parameter(plan, element), mean, primitive);
    for (int m = 0; m < plan->variables && length < size; m++)
        length += (size_t)ewi_snprintf(text + length, size - length, "%s%s = %g", m ? ", " : "", law->conserved[m],
                                       isnan(mean[m]) ? NAN : mean[m]);
    for (int m = 0; m < plan->variables && length < size; m++)
        if (law->positive[m] && primitive[m] <= 0.0 && strcmp(law->primitive[m], law->conserved[m]) != 0)
            length += (size_t)ewi_snprintf(text + length, size - length, ", that is %s = %g", law->primitive[m],
                                           primitive[m]);
    if (length < size)
        explain_nan(plan, mean, text + length, size - length);
}

/* Describes a source that is not finite at the stage's time, in the last state as far as that is still there. */
static bool describe_bad_source(ew_solver *solver, double t, char *text, size_t size)
{
    const double *state;
    return solver->plan->source.program && ewi_solver_view(solver, &state, NULL) == EW_OK &&
           ewi_plan_describe_bad_source(solver->plan, state, t, text, size);
}

int ewi_solver_inadmissible(ew_solver *solver, const struct ewi_progress *progress, ew_error *error)
{
    const struct ewi_plan *plan = solver->plan;
    char mean[400], stage[64] = "", given[860], advice[400];
    if (progress->stage > 0)
        ewi_snprintf(stage, sizeof stage, ", stage %d of %d", progress->stage, plan->scheme->stages);
    if (progress->stage == EWI_STAGE_LOST) {
        ewi_advise(plan, -1, true, advice, sizeof advice);
        return ewi_fail(error, EW_ESTATE,
                        "after step %lld waves are so fast that the next time step is too short to change t = %.10g; "
                        "the last frame shows where; %s from the start, or a lower order",
                        (long long)progress->steps, progress->time, advice);
    }
    if (progress->stage > 0 && ewi_plan_describe_bad_boundary(solver->plan, progress->time, given, sizeof given))
        return ewi_fail(error, EW_ESTATE, "%s; the run stopped in step %lld%s", given, (long long)progress->steps + 1,
                        stage);
    if (progress->stage > 0 && describe_bad_source(solver, progress->time, given, sizeof given))
        return ewi_fail(error, EW_ESTATE, "%s; the run stopped in step %lld%s", given, (long long)progress->steps + 1,
                        stage);
    if (progress->element < 0)
        return ewi_fail(error, EW_ESTATE,
                        "a boundary's callback gave a state that is not admissible in step %lld%s, t = %.10g",
                        (long long)progress->steps + 1, stage, progress->time);
    struct ewi_corners corner = ewi_corners_of(plan->mesh, progress->element);
    bool overflows = false;
    describe_mean(plan, progress->element, progress->mean, mean, sizeof mean);
    ewi_advise(plan, progress->element, false, advice, sizeof advice);
    for (int m = 0; m < plan->variables; m++)
        overflows = overflows || (progress->steps == 0 && !isfinite(progress->mean[m]));
    return ewi_fail(
        error, EW_ESTATE,
        "the state became inadmissible in step %lld%s, t = %.10g, in element %d with the centroid (%.6g, %.6g): its "
        "mean is %s; %s%s",
        (long long)progress->steps + 1, stage, progress->time, plan->mesh->file_index[progress->element],
        corner.x + (corner.xr + corner.xs) / 3.0, corner.y + (corner.yr + corner.ys) / 3.0, mean, advice,
        overflows ? "; or, if the case's numbers are very large or small, choose units in which they are nearer to 1"
                  : "");
}
