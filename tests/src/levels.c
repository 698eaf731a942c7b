/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Levels of time steps: the levels of a graded mesh, order in time, conservation, a free stream, and the same bits from
 * any number of threads and after a restart.
 */
#include "edgewise.h"
#include "ewi_element.h"
#include "ewi_plan.h"
#include "graded.h"
#include "helpers.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

#define FAST_STREAM "1.4;3;0.5;1"

struct flow {
    const char *initial, *kind, *limiter;
    int order, positivity;
    const char *kernels;
    ew_formula *source; /* or NULL */
    double sponge;      /* its width, or 0 */
};

static ew_solver *solver_for(const ew_mesh *mesh, const struct flow *flow, const char *scheme, int levels, double cfl,
                             int threads, ew_formula **formula)
{
    ew_error error;
    ew_solver *solver;
    *formula = formula_from(flow->initial);
    bool given = strcmp(flow->kind, "state") == 0;
    ew_boundary around = {.name = "around", .kind = flow->kind};
    if (given)
        around.state.formula = *formula;
    around.sponge_width = flow->sponge;
    const ew_problem problem = {.law = "euler", .order = flow->order, .limiter = flow->limiter,
                                .positivity = flow->positivity, .scheme = scheme, .cfl = cfl, .step_levels = levels,
                                .kernels = flow->kernels, .initial.formula = *formula,
                                .exact.formula = given ? *formula : NULL,
                                .source.formula = flow->source, .outflow = 1,
                                .boundaries = 1, .boundary = &around, .backend = "omp", .threads = threads};
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    return solver;
}

static size_t doubles_of(const ew_solver *solver)
{
    ew_solver_info info;
    ew_mesh_info mesh;
    ew_solver_get_info(solver, &info);
    ew_mesh_get_info(info.mesh, &mesh);
    return (size_t)(mesh.elements * info.basis * info.law->variables);
}

/* The coefficients at time `end`, to be freed; *norms: the nullable norms. */
static double *state_at(const ew_mesh *mesh, const struct flow *flow, const char *scheme, int levels, double cfl,
                        double end, ew_norms *norms)
{
    ew_error error;
    ew_formula *formula;
    ew_solver *solver = solver_for(mesh, flow, scheme, levels, cfl, 1, &formula);
    double *state = calloc(doubles_of(solver), sizeof *state);
    must(ew_solver_advance(solver, end, INT64_MAX, NULL, &error), &error);
    must(ew_solver_get_coefficients(solver, state, &error), &error);
    if (norms)
        must(ew_solver_norms(solver, norms, &error), &error);
    ew_solver_destroy(solver);
    ew_formula_destroy(formula);
    return state;
}

/* ---- the levels ---- */

static ew_plan *plan_between(const ew_mesh *mesh, const char *state, int levels, double interval)
{
    ew_error error;
    ew_plan *plan;
    ew_formula *formula = formula_from(state);
    const ew_boundary around = {.name = "around", .kind = "wall"};
    const ew_problem problem = {.law = "euler", .order = 1, .scheme = "ssprk32", .step_levels = levels,
                                .output_interval = interval, .initial.formula = formula, .boundaries = 1,
                                .boundary = &around};
    must(ew_problem_check(NULL, mesh, &problem, &plan, &error), &error);
    ew_formula_destroy(formula);
    return plan;
}

static ew_plan *plan_of(const ew_mesh *mesh, const char *state, int levels)
{
    return plan_between(mesh, state, levels, 0.0);
}

/* By another road: from the highest levels that widths allow, lowers any that is too high until none is. */
static void find_levels(const ew_plan *plan, int most, int *level)
{
    const struct ewi_grid *grid = plan->grid;
    for (int32_t i = 0; i < grid->elements; i++) {
        double ratio = ewi_mesh_inscribed_diameter(plan->mesh, i) / plan->mesh->info.smallest_diameter;
        level[i] = (int)floor(log2(ratio) + 1e-12);
        level[i] = level[i] < most ? level[i] : most;
    }
    for (bool lowered = true; lowered;) {
        lowered = false;
        for (int32_t i = grid->elements - 1; i >= 0; i--)
            for (int k = 0; k < 3; k++) {
                int least = level[grid->neighbour[k * grid->padded + i]] + 1;
                lowered = lowered || level[i] > least;
                level[i] = level[i] > least ? least : level[i];
            }
    }
}

static void check_levels(void)
{
    ew_mesh *mesh = graded_mesh(1.6);
    static int level[TRIANGLES];
    for (int asked = 2; asked <= 4; asked++) {
        ew_plan *plan = plan_of(mesh, STREAM, asked);
        int64_t elements[EW_MAX_STEP_LEVELS], counted[EW_MAX_STEP_LEVELS] = {0};
        double work, expected = 0.0;
        bool same = true;
        int levels = ew_plan_step_levels(plan, elements, &work);
        find_levels(plan, asked - 1, level);
        for (int32_t i = 0; i < TRIANGLES; i++) {
            same = same && level[i] == plan->level[i];
            counted[level[i]]++;
            expected += ldexp(1.0, -level[i]) / TRIANGLES;
        }
        is_int(levels, asked, "%d levels are wanted, and there are so many", asked);
        ok(same && memcmp(elements, counted, sizeof counted) == 0,
           "%d levels: each element has the highest one that widths and neighbours allow", asked);
        is_close(work, expected, 1e-14, "%d levels: the share of the work of one", asked);
        ew_plan_destroy(plan);
    }
    ew_plan *plan = plan_of(mesh, STREAM, EW_STEP_LEVELS_AUTO);
    ok(ew_plan_step_levels(plan, NULL, NULL) > 2, "a graded mesh gets levels by itself");
    ew_plan_destroy(plan);
    ew_mesh_destroy(mesh);
    mesh = graded_mesh(1.0);
    plan = plan_of(mesh, STREAM, EW_STEP_LEVELS_AUTO);
    is_int(ew_plan_step_levels(plan, NULL, NULL), 1, "a uniform mesh gets one level by itself");
    ew_plan_destroy(plan);
    ew_mesh_destroy(mesh);
}

/* Gas at rest whose sound is as fast as triangles are wide: all of them allow nearly the same steps. */
#define FASTER_IN_WIDE "1/(0.023 + 0.6*min(abs(x), abs(y)))^2;0;0;1"

static double width_of(const ew_plan *plan, int32_t i)
{
    return ldexp(ewi_mesh_inscribed_diameter(plan->mesh, i), plan->level ? -plan->level[i] : 0);
}

/* The largest speed of sound over the width of an element or of a neighbour, as a step of level 0 sees it. */
static double rate_of(const ew_plan *plan)
{
    double largest = 0.0;
    for (int32_t i = 0; i < TRIANGLES; i++) {
        double width = width_of(plan, i), rho = ewi_element_mean(plan, plan->initial, i, 0),
               energy = ewi_element_mean(plan, plan->initial, i, 3);
        for (int side = 0; side < 3; side++)
            width = fmin(width, width_of(plan, plan->grid->neighbour[side * plan->grid->padded + i]));
        largest = fmax(largest, sqrt(1.4 * 0.4 * energy / rho) / width);
    }
    return largest;
}

static void check_speeds(void)
{
    ew_mesh *mesh = graded_mesh(1.6);
    ew_plan *plan[] = {plan_of(mesh, FASTER_IN_WIDE, 1), plan_of(mesh, FASTER_IN_WIDE, 4),
                       plan_of(mesh, FASTER_IN_WIDE, EW_STEP_LEVELS_AUTO), plan_of(mesh, STREAM, 4)};
    double shortening = rate_of(plan[1]) / rate_of(plan[0]);
    is_int(ew_plan_step_levels(plan[1], NULL, NULL), 4, "levels that are asked for are there, whatever they cost");
    ok(shortening > 2.0, "... though waves in wide triangles make all steps %.2f times as short", shortening);
    is_close(plan[1]->level_shortening[3], shortening, 1e-12, "... which the plan knows");
    is_int(ew_plan_step_levels(plan[2], NULL, NULL), 1, "by itself, such a state gets one level");
    is_close(plan[3]->level_shortening[3], 1.0, 1e-12, "in a stream, levels do not make steps shorter");
    for (int k = 0; k < 4; k++)
        ew_plan_destroy(plan[k]);
    ew_mesh_destroy(mesh);
}

static void check_interval(void)
{
    static const struct {
        double shortest; /* of the shortest steps in the interval */
        int levels;
    } intervals[] = {{3.9, 1}, {8.1, 2}, {15.9, 2}, {16.1, 3}};
    ew_mesh *mesh = graded_mesh(1.6);
    ew_plan *one = plan_of(mesh, "1;0;0;1", 1);
    double step = one->cfl / (2 * one->basis->order + 1) / rate_of(one);
    for (size_t k = 0; k < sizeof intervals / sizeof *intervals; k++) {
        ew_plan *plan = plan_between(mesh, "1;0;0;1", EW_STEP_LEVELS_AUTO, intervals[k].shortest * step);
        is_int(ew_plan_step_levels(plan, NULL, NULL), intervals[k].levels,
               "outputs after %.1f shortest steps leave %d levels", intervals[k].shortest, intervals[k].levels);
        ew_plan_destroy(plan);
    }
    ew_plan_destroy(one);
    ew_mesh_destroy(mesh);
}

/* ---- results ---- */

static double distance(const double *a, const double *b, size_t count)
{
    double sum = 0.0;
    for (size_t k = 0; k < count; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum);
}

static const struct {
    const char *name;
    int order;
} schemes[] = {{"rk2", 2}, {"ssprk22", 2}, {"ssprk32", 2}, {"ssprk33", 3}, {"rk43", 3}, {"rk4", 3}};

/* The error in time alone: against the same mesh with short steps of one level. */
static void check_orders_of(const struct flow *flow, const char *what)
{
    ew_mesh *mesh = graded_mesh(1.6);
    const double end = 0.3;
    size_t count = (size_t)TRIANGLES * 4 * 6;
    double *exact = state_at(mesh, flow, "rk4", 1, 0.05, end, NULL);
    for (int s = 0; s < COUNT(schemes); s++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            double *state = state_at(mesh, flow, schemes[s].name, 4, 0.2 / (1 << k), end, NULL);
            error[k] = distance(state, exact, count);
            free(state);
        }
        double order = log2(error[0] / error[1]);
        ok(order > schemes[s].order - 0.2, "%s, %s: order %d in time with 4 levels (%.2f, error %.2g)", what,
           schemes[s].name, schemes[s].order, order, error[1]);
    }
    free(exact);
    ew_mesh_destroy(mesh);
}

static void check_orders(void)
{
    if (getenv("EW_NO_CONVERGENCE"))
        return;
    ew_formula *source = formula_from("0.3*sin(20*t)*x;sin(20*t);y*cos(15*t);1 + sin(25*t)*x*y");
    check_orders_of(&(struct flow){VORTEX, "state", NULL, 2, 0, NULL, NULL, 0}, "a vortex");
    check_orders_of(&(struct flow){STREAM, "state", NULL, 2, 0, NULL, source, 0}, "a source that depends on time");
    check_orders_of(&(struct flow){STREAM, "state", NULL, 2, 0, NULL, source, 0.5}, "a source and a sponge");
    ew_formula_destroy(source);
}

/* The totals lose as much as leaves through the boundary. */
static void check_outflow(void)
{
    ew_mesh *mesh = graded_mesh(1.6);
    const struct flow vortex = {VORTEX, "state", NULL, 2, 0, NULL, NULL, 0};
    ew_error error;
    for (int s = 0; s < COUNT(schemes); s++) {
        ew_norms before, after;
        double outflow[4];
        ew_formula *formula;
        ew_solver *solver = solver_for(mesh, &vortex, schemes[s].name, 4, 0.0, 2, &formula);
        must(ew_solver_norms(solver, &before, &error), &error);
        must(ew_solver_advance(solver, 0.3, INT64_MAX, NULL, &error), &error);
        must(ew_solver_norms(solver, &after, &error), &error);
        must(ew_solver_outflow(solver, 0, outflow, &error), &error);
        double lost = 0.0;
        for (int m = 0; m < 4; m++)
            lost = fmax(lost, fabs(after.total[m] + outflow[m] - before.total[m]));
        is_close(lost, 0.0, 1e-12, "%s: totals and the flux through the boundary balance", schemes[s].name);
        ew_solver_destroy(solver);
        ew_formula_destroy(formula);
    }
    ew_mesh_destroy(mesh);
}

/* Also of boundaries whose edges do not fill tiles. */
static void check_edge_outflow(void)
{
    enum { REST = 5, VARIABLES = 4 };
    ew_mesh *mesh = graded_mesh_with(1.6, REST);
    ew_formula *formula = formula_from(STREAM);
    const ew_boundary boundary[] = {{.name = "around", .kind = "wall"}, {.name = "rest", .kind = "wall"}};
    const ew_problem problem = {.law = "euler", .order = 1, .step_levels = 4, .initial.formula = formula, .outflow = 1,
                                .boundaries = 2, .boundary = boundary, .backend = "omp", .threads = 1};
    double given[LINES * VARIABLES], got[LINES * VARIABLES];
    ew_error error;
    ew_solver *solver;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    for (int k = 0; k < LINES * VARIABLES; k++)
        given[k] = k + 1;
    must(ew_solver_set_edge_outflow(solver, given, &error), &error);
    must(ew_solver_get_edge_outflow(solver, got, &error), &error);
    ok(memcmp(got, given, sizeof given) == 0, "the outflow of each edge is as it was set");
    ew_solver_destroy(solver);
    ew_formula_destroy(formula);
    ew_mesh_destroy(mesh);
}

static void check_errors(void)
{
    ew_mesh *mesh = graded_mesh(1.3);
    for (int order = 1; order <= 3; order++) {
        const struct flow vortex = {VORTEX, "state", NULL, order, 0, NULL, NULL, 0};
        ew_norms one, levels;
        free(state_at(mesh, &vortex, "ssprk33", 1, 0.0, 0.3, &one));
        free(state_at(mesh, &vortex, "ssprk33", EW_STEP_LEVELS_AUTO, 0.0, 0.3, &levels));
        is_close(levels.error_l2[0] / one.error_l2[0], 1.0, 0.02,
                 "order %d: a vortex has the error of one level at the default Courant number", order);
    }
    ew_mesh_destroy(mesh);
}

static void check_stream(void)
{
    ew_mesh *mesh = graded_mesh(1.6);
    const struct flow stream[] = {{STREAM, "state", NULL, 3, 0, NULL, NULL, 0},
                                  {FAST_STREAM, "state", NULL, 1, 0, NULL, NULL, 0}};
    for (int f = 0; f < COUNT(stream); f++)
        for (int s = 0; s < COUNT(schemes); s++) {
            ew_norms norms;
            free(state_at(mesh, &stream[f], schemes[s].name, 4, 0.0, 0.5, &norms));
            is_close(norms.error_l2[0] + norms.error_l2[3], 0.0, 1e-12, "%s: a uniform stream stays (%d)",
                     schemes[s].name, f);
        }
    ew_mesh_destroy(mesh);
}

static void check_box(void)
{
    static const struct {
        const char *what;
        struct flow flow;
    } boxes[] = {{"no limiter", {BOX, "wall", NULL, 2, 0, NULL, NULL, 0}},
                 {"barth-jespersen", {BOX, "wall", "barth-jespersen", 1, 0, NULL, NULL, 0}},
                 {"oscillation-free and positivity", {BOX, "wall", "oscillation-free", 2, 1, NULL, NULL, 0}},
                 {"barth-jespersen and positivity", {BOX, "wall", "barth-jespersen", 1, 1, NULL, NULL, 0}},
                 {"subcell", {BOX, "wall", "subcell", 1, 0, NULL, NULL, 0}},
                 {"subcell and positivity", {BLAST, "wall", "subcell", 2, 1, NULL, NULL, 0}}};
    ew_mesh *mesh = graded_mesh(1.6);
    for (int b = 0; b < COUNT(boxes); b++)
        for (int s = 0; s < COUNT(schemes); s++) {
            ew_norms before, after;
            free(state_at(mesh, &boxes[b].flow, schemes[s].name, 4, 0.0, 0.0, &before));
            free(state_at(mesh, &boxes[b].flow, schemes[s].name, 4, 0.0, 0.4, &after));
            double lost = fabs(after.total[0] / before.total[0] - 1) + fabs(after.total[3] / before.total[3] - 1);
            is_close(lost, 0.0, 1e-13, "%s, %s: a closed box keeps mass and energy", schemes[s].name, boxes[b].what);
        }
    ew_mesh_destroy(mesh);
}

/* ---- shocks ---- */

/* How far densities leave those between which the shock runs, and the state differs from another one. */
struct shock {
    double lowest, highest, *state;
};

static struct shock shock_of(const ew_mesh *mesh, const struct flow *flow, int levels, double cfl)
{
    ew_norms norms;
    struct shock shock = {.state = state_at(mesh, flow, "ssprk33", levels, cfl, 0.2, &norms)};
    shock.lowest = norms.min[0];
    shock.highest = norms.max[0];
    return shock;
}

/* Also against what half the step changes. */
static void check_shocks(void)
{
    ew_mesh *mesh = graded_mesh(1.6);
    for (int order = 1; order <= 3; order++) {
        size_t count = (size_t)TRIANGLES * 4 * (size_t)((order + 1) * (order + 2) / 2);
        const struct flow divided = {BLAST, "wall", "subcell", order, 1, NULL, NULL, 0},
                          plain = {BLAST, "wall", NULL, order, 1, NULL, NULL, 0};
        struct shock one = shock_of(mesh, &divided, 1, 0.3), half = shock_of(mesh, &divided, 1, 0.15),
                     levels = shock_of(mesh, &divided, 4, 0.3), without = shock_of(mesh, &plain, 4, 0.3);
        double change = distance(levels.state, one.state, count), step = distance(half.state, one.state, count);
        diag("density %.4g to %.4g; one level %.4g to %.4g, without limiter %.4g to %.4g; change %.3g, of half the "
             "step %.3g", levels.lowest, levels.highest, one.lowest, one.highest, without.lowest, without.highest,
             change, step);
        is_close(levels.lowest / one.lowest, 1.0, 0.05, "order %d, subcell: the least density is one level's", order);
        is_close(levels.highest / one.highest, 1.0, 0.05, "order %d, subcell: ... and the largest one", order);
        free(one.state), free(half.state), free(levels.state), free(without.state);
    }
    ew_mesh_destroy(mesh);
}

/* ---- bits ---- */

static uint64_t hash_of(ew_solver *solver)
{
    ew_error error;
    uint64_t hash;
    must(ew_solver_hash(solver, &hash, &error), &error);
    return hash;
}

static uint64_t hash_of_scheme(const ew_mesh *mesh, const struct flow *flow, const char *scheme, int levels,
                               int threads)
{
    ew_error error;
    ew_formula *formula;
    ew_solver *solver = solver_for(mesh, flow, scheme, levels, 0.0, threads, &formula);
    must(ew_solver_advance(solver, long_checks() ? 0.2 : 0.05, INT64_MAX, NULL, &error), &error);
    uint64_t hash = hash_of(solver);
    ew_solver_destroy(solver);
    ew_formula_destroy(formula);
    return hash;
}

static uint64_t hash_at(const ew_mesh *mesh, const struct flow *flow, int levels, int threads)
{
    return hash_of_scheme(mesh, flow, "ssprk33", levels, threads);
}

static const struct flow bits[] = {{VORTEX, "state", NULL, 2, 0, NULL, NULL, 0},
                                   {BOX, "wall", "barth-jespersen", 1, 1, NULL, NULL, 0},
                                   {BOX, "wall", "oscillation-free", 3, 1, NULL, NULL, 0},
                                   {BLAST, "wall", "subcell", 2, 1, NULL, NULL, 0}};

/* Of a flow with sources, too. */
static void check_sets(void)
{
    ew_mesh *mesh = graded_mesh(1.6);
    ew_formula *source = formula_from("0.3*sin(20*t)*x;sin(20*t);y*cos(15*t);1 + sin(25*t)*x*y");
    struct flow flow = {STREAM, "state", NULL, 2, 0, NULL, source, 0.5};
    uint64_t fused = hash_at(mesh, &flow, 4, 2);
    flow.kernels = "edgewise";
    ok(hash_at(mesh, &flow, 4, 1) == fused, "both sets of kernels have the same bits with sources and a sponge");
    ew_formula_destroy(source);
    ew_mesh_destroy(mesh);
}

static void check_threads(void)
{
    ew_mesh *mesh = graded_mesh(1.6), *uniform = graded_mesh(1.0);
    for (int f = 0; f < COUNT(bits); f++) {
        uint64_t one = hash_at(mesh, &bits[f], 4, 1);
        struct flow by_edges = bits[f];
        by_edges.kernels = "edgewise";
        ok(hash_at(mesh, &by_edges, 4, 2) == one, "flow %d: both sets of kernels have the same bits", f);
        for (int threads = 2; threads <= 3; threads++)
            ok(hash_at(mesh, &bits[f], 4, threads) == one, "flow %d: %d threads have the bits of one", f, threads);
        ok(hash_at(mesh, &bits[f], 1, 1) == hash_at(mesh, &bits[f], 0, 1) && one != hash_at(mesh, &bits[f], 0, 1),
           "flow %d: one level is none, and four are others", f);
        ok(hash_at(uniform, &bits[f], EW_STEP_LEVELS_AUTO, 1) == hash_at(uniform, &bits[f], 0, 1),
           "flow %d: a uniform mesh has the bits of one level", f);
    }
    ew_mesh_destroy(mesh);
    ew_mesh_destroy(uniform);
}

/* Schemes of four stages have trials that follow from right-hand sides in trials. */
static void check_four_stages(void)
{
    static const char *const names[] = {"rk4", "rk43"};
    ew_mesh *mesh = graded_mesh(1.6);
    for (int s = 0; s < COUNT(names); s++)
        for (int f = 0; f < COUNT(bits); f++) {
            uint64_t one = hash_of_scheme(mesh, &bits[f], names[s], 4, 1);
            struct flow by_edges = bits[f];
            by_edges.kernels = "edgewise";
            ok(hash_of_scheme(mesh, &bits[f], names[s], 4, 2) == one, "%s, flow %d: 2 threads have the bits of one",
               names[s], f);
            ok(hash_of_scheme(mesh, &by_edges, names[s], 4, 2) == one,
               "%s, flow %d: both sets of kernels have the same bits", names[s], f);
        }
    ew_mesh_destroy(mesh);
}

static void check_restart(void)
{
    ew_mesh *mesh = graded_mesh(1.6);
    ew_error error;
    for (int f = 0; f < COUNT(bits); f++) {
        ew_formula *formula[2];
        ew_moment moment;
        ew_solver *through = solver_for(mesh, &bits[f], "ssprk33", 4, 0.0, 1, &formula[0]);
        ew_solver *resumed = solver_for(mesh, &bits[f], "ssprk33", 4, 0.0, 1, &formula[1]);
        double *state = calloc(doubles_of(through), sizeof *state);
        must(ew_solver_advance(through, 1.0, 2, NULL, &error), &error); /* the third one is still shorter than usual */
        must(ew_solver_get_coefficients(through, state, &error), &error);
        ew_solver_moment(through, &moment);
        must(ew_solver_restore(resumed, bits[f].order, state, &moment, &error), &error);
        must(ew_solver_advance(through, 1.0, 2, NULL, &error), &error);
        must(ew_solver_advance(resumed, 1.0, 2, NULL, &error), &error);
        ok(hash_of(through) == hash_of(resumed) && ew_solver_time(through) == ew_solver_time(resumed),
           "flow %d: a run continued from the state after a step has the same bits", f);
        ew_solver_destroy(through);
        ew_solver_destroy(resumed);
        ew_formula_destroy(formula[0]);
        ew_formula_destroy(formula[1]);
        free(state);
    }
    ew_mesh_destroy(mesh);
}

/* ---- ends of runs ---- */

/* One step after the other until this time. Returns the shortest step after the first three over the longest. */
static double steps_until(ew_solver *solver, double until)
{
    ew_error error;
    ew_moment moment;
    double shortest = INFINITY, longest = 0.0;
    for (enum ew_stop stop = EW_STOP_STEPS; stop == EW_STOP_STEPS;) {
        must(ew_solver_advance(solver, until, 1, &stop, &error), &error);
        ew_solver_moment(solver, &moment);
        longest = fmax(longest, moment.dt);
        shortest = moment.steps > 3 ? fmin(shortest, moment.dt) : shortest;
    }
    return shortest / longest;
}

/* The state at `end`, to be freed, after a stop at `frame`, and the least ratio of steps. */
static double *state_with_frame(const ew_mesh *mesh, const char *scheme, double cfl, double frame, double end,
                                double *ratio)
{
    const struct flow vortex = {VORTEX, "state", NULL, 2, 0, NULL, NULL, 0};
    ew_error error;
    ew_formula *formula;
    ew_solver *solver = solver_for(mesh, &vortex, scheme, 4, cfl, 1, &formula);
    double *state = calloc(doubles_of(solver), sizeof *state);
    *ratio = steps_until(solver, frame);
    ok(ew_solver_time(solver) == frame, "%s, cfl %g: a step ends at the time of a frame", scheme, cfl);
    *ratio = fmin(*ratio, steps_until(solver, end));
    ok(ew_solver_time(solver) == end, "%s, cfl %g: the last step ends at the end", scheme, cfl);
    must(ew_solver_get_coefficients(solver, state, &error), &error);
    ew_solver_destroy(solver);
    ew_formula_destroy(formula);
    return state;
}

static void check_short_steps(void)
{
    static const struct {
        const char *name;
        int order;
    } some[] = {{"ssprk22", 2}, {"rk43", 3}};
    const struct flow vortex = {VORTEX, "state", NULL, 2, 0, NULL, NULL, 0};
    const double frame = 0.1234567, end = 0.3;
    ew_mesh *mesh = graded_mesh(1.6);
    double *exact = state_at(mesh, &vortex, "rk4", 1, 0.05, end, NULL);
    for (int s = 0; s < COUNT(some); s++) {
        double distances[2];
        for (int k = 0; k < 2; k++) {
            double ratio, *state = state_with_frame(mesh, some[s].name, 0.2 / (1 << k), frame, end, &ratio);
            ok(ratio > 0.45, "%s: no step before a frame or the end is very short (%.2f)", some[s].name, ratio);
            distances[k] = distance(state, exact, (size_t)TRIANGLES * 4 * 6);
            free(state);
        }
        double order = log2(distances[0] / distances[1]);
        ok(order > some[s].order - 0.2, "%s: order %d in time with a frame (%.2f)", some[s].name, some[s].order, order);
    }
    free(exact);
    ew_mesh_destroy(mesh);
}

static ew_solver *steady_solver(const ew_mesh *mesh, double steady, double orders, ew_formula *formula)
{
    ew_error error;
    ew_solver *solver;
    const ew_boundary around = {.name = "around", .kind = "state", .state.formula = formula};
    const ew_problem problem = {.law = "euler", .order = 1, .scheme = "ssprk32", .step_levels = 4, .steady = steady,
                                .steady_orders = orders, .initial.formula = formula, .boundaries = 1,
                                .boundary = &around, .backend = "omp", .threads = 1};
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    return solver;
}

/* A pulse that leaves through the boundary, where the formula soon gives a stream. */
#define PULSE "1 + 0.1*exp(-30*(x^2 + y^2) - 50*t);0.4;0.2;0.7 + 0.1*exp(-30*(x^2 + y^2) - 50*t)"

static void check_steady(void)
{
    ew_mesh *mesh = graded_mesh(1.6);
    ew_formula *formula = formula_from(PULSE);
    ew_error error;
    for (int way = 0; way < 2; way++) {
        enum ew_stop stop = EW_STOP_NONE;
        ew_solver *solver = steady_solver(mesh, way ? 0.0 : 1e-4, way ? 2.0 : 0.0, formula);
        must(ew_solver_advance(solver, 50.0, INT64_MAX, &stop, &error), &error);
        is_int(stop, EW_STOP_STEADY, way ? "a run ends once the rate of change has fallen by two orders"
                                         : "a run ends once a step changes its state no more");
        ok(ew_solver_time(solver) > 1.0, "... which the pulse has left (t = %.3g)", ew_solver_time(solver));
        ew_solver_destroy(solver);
    }
    ew_formula_destroy(formula);
    ew_mesh_destroy(mesh);
}

/* The first steps of a run are shorter than those that follow. */
static void check_change(void)
{
    ew_mesh *mesh = graded_mesh(1.6);
    ew_formula *formula = formula_from(VORTEX);
    ew_solver *solver = steady_solver(mesh, 1e-12, 0.0, formula);
    ew_error error;
    ew_moment first, later;
    must(ew_solver_advance(solver, 50.0, 1, NULL, &error), &error);
    ew_solver_moment(solver, &first);
    must(ew_solver_advance(solver, 50.0, 3, NULL, &error), &error);
    ew_solver_moment(solver, &later);
    ok(later.dt > 7.0 * first.dt && first.change > 0.5 * later.change,
       "the change in a short first step counts as that of a whole one (dt %.3g, %.3g; change %.3g, %.3g)", first.dt,
       later.dt, first.change, later.change);
    ew_solver_destroy(solver);
    ew_formula_destroy(formula);
    ew_mesh_destroy(mesh);
}

/* ---- failures ---- */

/* The number after `word` in a sentence, or NaN. */
static double number_after(const char *sentence, const char *word)
{
    const char *at = strstr(sentence, word);
    return at ? strtod(at + strlen(word), NULL) : NAN;
}

/* The sentence on a state that broke, when it did, and after how many steps; the hash of the state after these. */
struct break_off {
    char sentence[sizeof((ew_error *)0)->message];
    double time;
    int64_t steps;
    uint64_t before;
};

static struct break_off break_of(const ew_mesh *mesh, const struct flow *flow, int threads)
{
    struct break_off broken = {.sentence = ""};
    ew_error error = {.message = ""};
    ew_formula *formula;
    ew_solver *solver = solver_for(mesh, flow, "ssprk33", 4, 0.0, threads, &formula);
    ew_moment moment;
    double *state = calloc(doubles_of(solver), sizeof *state);
    must(ew_solver_get_coefficients(solver, state, &error), &error);
    is_int(ew_solver_advance(solver, 1.0, INT64_MAX, NULL, &error), EW_ESTATE, "%d threads: the state breaks", threads);
    memcpy(broken.sentence, error.message, sizeof broken.sentence);
    broken.time = ew_solver_time(solver);
    broken.steps = ew_solver_steps(solver);
    must(ew_solver_set_coefficients(solver, state, 0.0, 0, &error), &error);
    must(ew_solver_advance(solver, 1.0, broken.steps, NULL, &error), &error);
    ew_solver_moment(solver, &moment);
    ok(moment.time < broken.time && broken.time < moment.time + 1.5 * moment.dt,
       "%d threads: its steps lead to the state before the break again", threads);
    broken.before = hash_of(solver);
    ew_solver_destroy(solver);
    ew_formula_destroy(formula);
    free(state);
    return broken;
}

/* A source takes energy at one place from t = 0.1 on. */
static void check_break(void)
{
    ew_mesh *mesh = graded_mesh(1.6);
    ew_formula *source = formula_from("0;0;0;-4e4*max(0, t - 0.1)*exp(-400*((x - 0.3)^2 + (y - 0.3)^2))");
    const struct flow flow = {STREAM, "state", NULL, 1, 0, NULL, source, 0};
    struct break_off one = break_of(mesh, &flow, 1), two = break_of(mesh, &flow, 2);
    double step = number_after(one.sentence, "in step "), t = number_after(one.sentence, "t = ");
    double x = number_after(one.sentence, "centroid ("), y = number_after(strstr(one.sentence, "centroid ("), ", ");
    diag("%s", one.sentence);
    is_int((int)step, (int)one.steps + 1, "the sentence names the step");
    is_close(t, one.time, 1e-9, "... the time, which is also the solver's");
    ok(t > 0.1 && t < 0.2, "... and is soon after the source begins");
    ok(fabs(x - 0.3) < 0.1 && fabs(y - 0.3) < 0.1, "... and the element");
    is_str(two.sentence, one.sentence, "two threads have the same sentence");
    ok(two.before == one.before, "... and the same state before the step that broke");
    ew_formula_destroy(source);
    ew_mesh_destroy(mesh);
}

/* Data that are not admissible after t = 0.1: the time is that of a level's own stage. */
static void check_bad_boundary(void)
{
    ew_mesh *mesh = graded_mesh(1.6);
    const struct flow flow = {"1;0.4;0.2;0.7 - 100*max(0, t - 0.1)", "state", NULL, 1, 0, NULL, NULL, 0};
    struct break_off one = break_of(mesh, &flow, 1), two = break_of(mesh, &flow, 2);
    diag("%s", one.sentence);
    contains(one.sentence, "around", "inadmissible data within a step: the sentence names the boundary");
    is_str(two.sentence, one.sentence, "two threads have the same sentence");
    double t = number_after(one.sentence, "t = ");
    is_close(t, one.time, 1e-6, "... and the time for which they are not");
    ew_mesh_destroy(mesh);
}

/* A right-hand side by itself knows no levels. */
static void check_residual(void)
{
    ew_mesh *mesh = graded_mesh(1.6);
    ew_error error;
    const struct flow vortex = {VORTEX, "state", NULL, 2, 0, NULL, NULL, 0};
    ew_formula *formula[2];
    ew_solver *solver[2];
    double *residual[2];
    for (int k = 0; k < 2; k++) {
        solver[k] = solver_for(mesh, &vortex, "ssprk33", k == 0 ? 1 : 4, 0.0, 1, &formula[k]);
        residual[k] = calloc(doubles_of(solver[k]), sizeof(double));
        must(ew_solver_get_residual(solver[k], residual[k], &error), &error);
    }
    ok(memcmp(residual[0], residual[1], doubles_of(solver[0]) * sizeof(double)) == 0,
       "a right-hand side has the bits of one without levels");
    for (int k = 0; k < 2; k++) {
        ew_solver_destroy(solver[k]);
        ew_formula_destroy(formula[k]);
        free(residual[k]);
    }
    ew_mesh_destroy(mesh);
}

/* ---- memory ---- */

static void check_memory_of(const ew_mesh *mesh, const char *kernels, const char *limiter, const char *scheme,
                            int order)
{
    struct memory memory = {0};
    ew_host host = memory_host(&memory);
    ew_formula *formula = formula_from(STREAM);
    const ew_boundary around = {.name = "around", .kind = "wall"};
    const ew_problem problem = {.law = "euler", .order = order, .limiter = limiter, .scheme = scheme, .step_levels = 4,
                                .kernels = kernels, .initial.formula = formula, .boundaries = 1, .boundary = &around,
                                .backend = "omp", .threads = 1};
    ew_error error;
    ew_solver *solver;
    size_t foretold = 0;
    must(ew_solver_memory(mesh, &problem, &foretold, NULL, &error), &error);
    must(ew_solver_create(&host, mesh, &problem, &solver, &error), &error);
    double taken = (double)memory.bytes;
    if (!ok(fabs((double)foretold - taken) <= 0.2 * taken, "%s, %s, %s, p = %d: the memory foretold is right to 20 %%",
            kernels, limiter ? limiter : "no limiter", scheme, order))
        diag("foretold: %zu bytes, taken: %.0f", foretold, taken);
    ew_solver_destroy(solver);
    ew_formula_destroy(formula);
}

static void check_memory(void)
{
    static const char *const kernels[] = {"edgewise", "fused"};
    ew_mesh *mesh = graded_mesh(1.3);
    for (int k = 0; k < COUNT(kernels); k++) {
        check_memory_of(mesh, kernels[k], NULL, "ssprk22", 1);
        check_memory_of(mesh, kernels[k], "barth-jespersen", "ssprk33", 1);
        check_memory_of(mesh, kernels[k], "oscillation-free", "ssprk33", 2);
        check_memory_of(mesh, kernels[k], NULL, "rk43", 3);
        check_memory_of(mesh, kernels[k], NULL, "rk4", 5);
    }
    ew_mesh_destroy(mesh);
}

/* ---- refusals ---- */

static void refuses(ew_problem problem, const char *sentence)
{
    ew_error error = {.message = ""};
    ew_mesh *mesh = graded_mesh(1.6);
    ew_formula *formula = formula_from(STREAM);
    const ew_boundary around = {.name = "around", .kind = "wall"};
    ew_solver *solver = NULL;
    problem.law = problem.law ? problem.law : "euler";
    problem.order = 1;
    problem.initial.formula = formula;
    problem.boundaries = 1;
    problem.boundary = &around;
    ok(ew_solver_create(NULL, mesh, &problem, &solver, &error) != EW_OK, "refused: %s", sentence);
    contains(error.message, sentence, "it says so");
    ew_solver_destroy(solver);
    ew_formula_destroy(formula);
    ew_mesh_destroy(mesh);
}

static void check_refusals(void)
{
    refuses((ew_problem){.step_levels = 21, .scheme = "ssprk32"}, "levels of time steps is 21; there can be 1 to 20");
    refuses((ew_problem){.step_levels = -2, .scheme = "ssprk32"}, "levels of time steps is -2; there can be 1 to 20");
    refuses((ew_problem){.step_levels = 4, .scheme = "ssprk54"}, "ssprk54 has 5");
    refuses((ew_problem){.step_levels = 4, .scheme = "ssprk32", .uniform_step = 1}, "the steps are uniform");
    refuses((ew_problem){.step_levels = 4, .scheme = "ssprk32", .tile = -1}, "leave the tile width out");
}

/* Schemes that the table does not have. */
static void check_tableaus(void)
{
    for (int s = 0; s < COUNT(schemes); s++)
        ok(ewi_scheme_fits_levels(ewi_scheme_find(schemes[s].name)), "%s fits the rules of levels", schemes[s].name);
    struct ewi_scheme other = *ewi_scheme_find("rk43");
    other.stage[1].terms = 1;
    other.stage[1].term[0].from = 1;
    other.stage[1].term[0].weight = 0.25;
    ok(!ewi_scheme_fits_levels(&other), "four stages whose third one uses the first right-hand side do not");
    other = *ewi_scheme_find("rk4");
    other.stage[3].source = 2;
    ok(!ewi_scheme_fits_levels(&other), "stages that start from another state than the last one do not");
    other = *ewi_scheme_find("ssprk33");
    other.stage[1].term[0].weight = 0.125;
    ok(ewi_scheme_fits_levels(&other), "three stages may use all right-hand sides");
}

int main(void)
{
    check_levels();
    check_speeds();
    check_interval();
    check_tableaus();
    check_orders();
    check_outflow();
    check_edge_outflow();
    check_errors();
    check_stream();
    check_box();
    check_shocks();
    check_sets();
    check_threads();
    check_four_stages();
    check_restart();
    check_short_steps();
    check_steady();
    check_change();
    check_break();
    check_bad_boundary();
    check_residual();
    check_memory();
    check_refusals();
    return done_testing();
}
