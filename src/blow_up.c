/* SPDX-License-Identifier: BSD-2-Clause */
/* Blow-up check: a state may be admissible, but far larger than all given values. */
#include "ewi_bed.h"
#include "ewi_element.h"
#include "ewi_error.h"
#include "ewi_solver.h"

#include <math.h>

/*
 * How many times the greatest value that was given a mean may have. A shock compresses a gas six times, and bores are a
 * few times as deep as the water before them; a linear law's variables differ by a wave's impedance, 5e7 in steel, and
 * between media by their contrast.
 */
#define BLOW_UP_FACTOR 1e3
#define LINEAR_BLOW_UP_FACTOR 1e9

int ew_solver_check_growth(ew_solver *solver, ew_error *error)
{
    EWI_REQUIRE(solver);
    const struct ewi_plan *plan = solver->plan;
    const double *state;
    TRY(ewi_solver_view(solver, &state, error));
    bool nonlinear = plan->law->has_positive || ewi_bed_has(plan->law);
    struct ewi_greatest greatest = ewi_plan_greatest(plan, state);
    double value = fabs(greatest.mean), most = plan->most,
           factor = plan->contrast * (nonlinear ? BLOW_UP_FACTOR : LINEAR_BLOW_UP_FACTOR);
    if (value > factor * most)
        most = ewi_plan_most_given(plan, solver->time);
    if (!(value > factor * most) || most == 0.0)
        return EW_OK;
    char advice[400];
    struct ewi_corners corner = ewi_corners_of(plan->mesh, greatest.element);
    ewi_advise(plan, greatest.element, true, advice, sizeof advice);
    return ewi_fail(error, EW_ESTATE,
                    "at t = %.10g the mean of %s is %.3g in element %d with the centroid (%.6g, %.6g), but the initial "
                    "state and the boundaries have at most %.3g: the run is unstable there%s; %s",
                    solver->time, plan->law->info->conserved[greatest.variable], greatest.mean,
                    plan->mesh->file_index[greatest.element], corner.x + (corner.xr + corner.xs) / 3.0,
                    corner.y + (corner.yr + corner.ys) / 3.0, most,
                    nonlinear ? ", though it has not broken" : "", advice);
}
