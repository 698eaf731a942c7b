/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Warnings about a case and its initial state: copy boundaries, reference values of forces, averages nobody writes,
 * frames that cut steps.
 */
#include "ewi_error.h"
#include "ewi_run.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

#define FEW_STEPS 4.0 /* between frames: one that is cut is a large share of them */
#define FAR_OFF 10.0 /* a factor by which no value of the free stream differs */

static const char *kind_of(const ew_problem *problem, const char *boundary)
{
    for (size_t k = 0; k < problem->boundaries; k++)
        if (strcmp(problem->boundary[k].name, boundary) == 0)
            return problem->boundary[k].kind;
    return "";
}

static bool has_kind(const ew_law *law, const char *kind)
{
    ew_boundary_kind row;
    for (int k = 0; ew_law_boundary(law, k, &row); k++)
        if (strcmp(row.kind, kind) == 0)
            return true;
    return false;
}

static const char *kinds_in_place_of_copy(const ew_law *law)
{
    return has_kind(law, "outlet") ? "\"far\" or \"outlet\"" : has_kind(law, "far") ? "\"far\"" : "\"state\"";
}

static int warn_of_copies(const ew_host *host, const ew_problem *problem, ew_solver *solver,
                          const ew_solver_info *info, ew_error *error)
{
    const char *name;
    int status = EW_OK;
    for (int32_t k = 0; status == EW_OK && (name = ew_mesh_boundary(info->mesh, k, NULL)) != NULL; k++) {
        double share = 0;
        if (strcmp(kind_of(problem, name), "copy") != 0)
            continue;
        status = ew_solver_inflow(solver, k, &share, error);
        if (status == EW_OK && share > 0)
            ewi_log(host, EW_LOG_WARNING,
                    "boundary \"%.100s\": waves enter along %.3g %% of it in the initial state; "
                    "kind \"copy\" is unstable there%s; use %s",
                    name, 100 * share, info->order == 1 ? " without a limiter" : "",
                    kinds_in_place_of_copy(info->law));
    }
    return status;
}

/* A reference value may be forgotten, or have other units. */
static void doubt_reference(const ew_host *host, const char *list, const char *name, const char *key, double given,
                            double low, double high)
{
    if (high > 0 && (given < low / FAR_OFF || given > high * FAR_OFF))
        ewi_log(host, EW_LOG_WARNING,
                "%s: \"%.100s\" refers its coefficients to %s = %.6g, but the initial state has at %s %.6g", list, name,
                key, given, given < low ? "least" : "most", given < low ? low : high);
}

static void doubt_stream(const ew_host *host, const char *list, const char *name, double density, double speed,
                         double pressure, const ew_norms *norms)
{
    double fastest = hypot(fmax(-norms->min[1], norms->max[1]), fmax(-norms->min[2], norms->max[2]));
    doubt_reference(host, list, name, "density", density, norms->min[0], norms->max[0]);
    doubt_reference(host, list, name, "speed", speed, fastest, fastest);
    if (pressure > 0)
        doubt_reference(host, list, name, "pressure", pressure, norms->min[3], norms->max[3]);
}

static int doubt_references(const ew_host *host, const ew_run_plan *plan, ew_solver *solver, ew_error *error)
{
    ew_norms norms;
    int status = ew_solver_norms(solver, &norms, error);
    if (status != EW_OK)
        return status;
    for (int k = 0; k < plan->bodies; k++) {
        const ew_series_body *body = &plan->body[k];
        doubt_stream(host, "output.forces", body->name, body->density, body->speed, body->pressure, &norms);
    }
    for (int k = 0; k < plan->walls; k++) {
        const ew_wall *wall = &plan->wall[k];
        doubt_stream(host, "output.walls", wall->name, wall->density, wall->speed, wall->pressure, &norms);
    }
    return status;
}

/* True if one of the outputs is an average. */
static bool has_average(int outputs, const int *output, const ew_averages_info *averages)
{
    for (int k = 0; k < outputs; k++)
        if (output[k] >= averages->first && output[k] < averages->first + averages->count)
            return true;
    return false;
}

static bool writes_average(const ew_run_plan *plan, const ew_averages_info *averages)
{
    const ew_raster *raster = &plan->raster;
    bool fields = has_average(plan->outputs, plan->output, averages), has_raster = raster->cells[0] > 0;
    bool in_raster = raster->outputs > 0 ? has_average(raster->outputs, raster->output, averages) : fields;
    return (has_raster && in_raster) || (fields && (!raster->only || plan->probes > 0));
}

static void doubt_averages(const ew_host *host, const ew_run_plan *plan, const ew_solver *solver)
{
    ew_averages_info averages;
    ew_solver_averages_info(solver, &averages);
    if (averages.count > 0 && !writes_average(plan, &averages))
        ewi_log(host, EW_LOG_WARNING,
                "neither fields nor raster nor probes write an average of output.averages; name some in "
                "output.fields.variables or output.raster.variables, or leave them out");
}

static void doubt_levels(const ew_host *host, const ew_run_plan *plan, ew_solver *solver)
{
    ew_run_levels levels;
    ew_solver_info info;
    ew_run_get_levels(plan, solver, &levels);
    if (!levels.is_wasteful)
        return;
    ew_solver_get_info(solver, &info);
    double shortening = info.level_shortening[levels.levels - 1];
    char why[128], fewer[64];
    if (levels.interval < FEW_STEPS * levels.step)
        ewi_snprintf(why, sizeof why, "frames %.6g apart cut their longest steps, %.3g", levels.interval, levels.step);
    else if (shortening > 1.25)
        ewi_snprintf(why, sizeof why, "fast waves in wide triangles make all steps %.3g times as short", shortening);
    else
        ewi_snprintf(why, sizeof why, "the first %d steps of a run are shorter than others", levels.levels - 1);
    ewi_snprintf(fewer, sizeof fewer, levels.enough > 1 ? "%.3g times" : "fewer", levels.enough_work);
    ewi_log(host, EW_LOG_WARNING,
            "%d levels of time steps take %.3g times the evaluations of one level, because %s; time.levels = %d takes "
            "%s", levels.levels, levels.work, why, levels.enough, fewer);
}

int ew_run_warn_of_state(const ew_host *host, const ew_run_plan *plan, const ew_problem *problem, ew_solver *solver,
                         ew_error *error)
{
    EWI_REQUIRE(plan, problem, solver);
    const ew_host own = ewi_host_or_default(host);
    int status = EW_OK;
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    doubt_averages(&own, plan, solver);
    doubt_levels(&own, plan, solver);
    if (!info.limited || info.order > 1)
        status = warn_of_copies(&own, problem, solver, &info, error);
    bool is_gas = info.law->pressure && strcmp(info.law->pressure, "p") == 0 && info.law->positive[0];
    if (status == EW_OK && is_gas && (plan->bodies > 0 || plan->walls > 0))
        status = doubt_references(&own, plan, solver, error);
    return status;
}
