/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The limiter subcell over a bed: a divided lake is at rest to the last bit; smooth flow keeps its bits; water is
 * conserved; dam breaks do not overshoot; the same bits with all levels of instructions, threads and parts.
 */
#include "flows.h"
#include "helpers.h"

#include "ewi_bed_rows.h"
#include "ewi_solver.h"
#include "ewi_worker.h"

#define ROUGH "0.6 + 0.5*sin(7*x + 11*y)*cos(9*y - 5*x) + 0.2*abs(sin(30*x*y)) + (x > 0.3 && x < 0.5 ? 1.5 : 0)"
#define BY_SURFACE "-1e300"

static ew_solver *solver_of(const ew_mesh *mesh, int order, const char *limiter, const char *const *state,
                            const ew_problem *more)
{
    ew_formula *initial = formula(5, state);
    ew_problem problem = more ? *more : (ew_problem){.threads = 1};
    ew_boundary boundary[4];
    ew_solver *solver;
    ew_error error;
    problem.law = "shallow-water-bed", problem.order = order, problem.limiter = limiter, problem.scheme = "ssprk33";
    problem.cfl = 0.4, problem.backend = "omp", problem.initial.formula = initial;
    problem.boundaries = boundaries(mesh, "wall", (ew_data){0}, boundary);
    problem.boundary = boundary;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    ew_formula_destroy(initial);
    return solver;
}

/* ---- rest -------------------------------------------------------------------------------------------------------- */

/* Divides all elements, each by its own share. */
static void divide_all(struct ewi_omp *omp)
{
    const struct ewi_grid *grid = omp->plan->grid;
    const struct ewi_subcells *a = &omp->arguments.subcells;
    for (int32_t i = 0; i < grid->elements; i++) {
        a->alpha[i] = 0.1 + 0.13 * (i % 7);
        a->element[i] = i;
    }
    for (int32_t s = 0; s < grid->slots; s++) {
        a->touched[s] = 1;
        a->edge[s] = s;
    }
    a->count[0] = grid->elements;
    a->count[1] = grid->slots;
}

/* The largest rate of change of the surface and of the momenta. */
static double rate_of(ew_solver *solver)
{
    struct ewi_omp *omp = solver->instance;
    const struct ewi_omp_kernels *k = omp->kernels;
    const struct ewi_arguments *a = &omp->arguments;
    const struct ewi_grid *grid = omp->plan->grid;
    const double *state = omp->state[0];
    int64_t right = (int64_t)ewi_plan_slot_doubles(omp->plan);
    double largest = 0.0;
    k->divide(a, state, 0, a->subcells.count[0]);
    k->touched_fluxes(a, state, 0, a->subcells.count[1]);
    k->lift_volumes(a, state, 0, a->subcells.count[0]);
    k->eval_volume(a, state, omp->rhs_volume, 0, grid->padded);
    for (int32_t s = 0; s < grid->slots; s += EWI_TILE)
        k->eval_surface(a, state, ewi_paper_ghost_at(omp->plan, s), omp->rhs_surface, omp->rhs_surface + right, s,
                        s + EWI_TILE);
    k->eval_rhs(a, omp->rhs_volume, omp->rhs_surface, right, NULL, omp->rhs, 0, grid->padded);
    for (int32_t i = 0; i < grid->elements; i++)
        for (int row = 0; row < 3 * omp->plan->basis->np; row++)
            largest = fmax(largest, fabs(omp->rhs[ewi_layout_index(omp->plan->width, omp->plan->rows, row, i)]));
    return largest;
}

static void check_rest(int order)
{
    static const char *const surfaces[] = {"0", "2.5", "0.7", "2.5 + 0.1*x"};
    static const char *const what[] = {"with islands", "over all of the bed", "at another level"};
    ew_mesh *mesh = box((struct box){.nx = 8, .ny = 8, .width = 1, .height = 1, .jitter = 0.2});
    for (int k = 0; k < 4; k++) {
        const char *const state[5] = {BY_SURFACE, "0", "0", k == 0 ? ROUGH " - 0.5" : ROUGH, surfaces[k]};
        ew_solver *solver = solver_of(mesh, order, "subcell", state, NULL);
        advance(solver, never, 1);
        double before = rate_of(solver);
        divide_all(solver->instance);
        double rate = rate_of(solver);
        if (k < 3)
            ok(before == 0.0 && rate == 0.0, "order %d: a lake %s is at rest to the bit where it is divided", order,
               what[k]);
        else
            ok(before > 0.1 && rate > 0.1 && fabs(rate - before) > 1e-9,
               "order %d: a sloping surface is not, nor as without finite volumes", order);
        ew_solver_destroy(solver);
    }
    ew_mesh_destroy(mesh);
}

/* ---- bits -------------------------------------------------------------------------------------------------------- */

static uint64_t hash_after(const ew_mesh *mesh, int order, const char *limiter, const char *const *state,
                           const ew_problem *more, int64_t steps, ew_norms *first, ew_norms *last)
{
    ew_solver *solver = solver_of(mesh, order, limiter, state, more);
    ew_error error;
    uint64_t hash;
    ew_norms norms[2] = {norms_of(solver)};
    if (!advance(solver, never, steps))
        bail_out("a flow failed");
    norms[1] = norms_of(solver);
    must(ew_solver_hash(solver, &hash, &error), &error);
    if (first)
        *first = norms[0], *last = norms[1];
    ew_solver_destroy(solver);
    return hash;
}

static void check_smooth(int order)
{
    static const char *const wave[5] = {BY_SURFACE, "0", "0", "0.3*cos(pi*x)*cos(pi*y) - 1", "0.02*cos(pi*x)"};
    ew_mesh *mesh = box((struct box){.nx = 12, .ny = 12, .width = 1, .height = 1, .jitter = 0.2});
    uint64_t hash = hash_after(mesh, order, "subcell", wave, NULL, 30, NULL, NULL);
    ok(hash == hash_after(mesh, order, NULL, wave, NULL, 30, NULL, NULL),
       "order %d: a smooth wave over a bed has the bits of no limiter", order);
    ew_mesh_destroy(mesh);
}

static void check_bits(const char *what, int order, const char *const *state, double manning)
{
    static const struct {
        int threads, parts;
        const char *level;
    } way[] = {{1, 0, NULL}, {3, 0, NULL}, {1, 3, NULL}, {1, 0, "scalar"}, {1, 0, "base"}};
    const ew_parameter parameter[] = {{.name = "manning", .value = manning}};
    ew_mesh *mesh = box((struct box){.nx = 9, .ny = 7, .width = 1, .height = 0.9, .jitter = 0.3});
    ew_norms first, last;
    uint64_t one = 0, none;
    for (size_t k = 0; k < COUNT(way); k++) {
        ew_problem more = {.threads = way[k].threads, .parts = way[k].parts, .level = way[k].level,
                           .parameters = 1, .parameter = parameter};
        uint64_t hash = hash_after(mesh, order, "subcell", state, &more, 40, &first, &last);
        one = k == 0 ? hash : one;
        if (k > 0)
            ok(hash == one, "order %d: %s has the same bits with %d threads, %d parts, level %s", order, what,
               way[k].threads, way[k].parts, way[k].level ? way[k].level : "of this machine");
    }
    ew_problem more = {.threads = 1, .parameters = 1, .parameter = parameter};
    none = hash_after(mesh, order, NULL, state, &more, 40, NULL, NULL);
    ok(none != one, "... which are not those of no limiter");
    is_close(last.total[4], first.total[4], 1e-13, "... and its water is conserved");
    ok(last.min[0] >= 0.0 && fmax(last.max[1], -last.min[1]) < 12.0, "... of no negative depth, and not fast");
    ew_mesh_destroy(mesh);
}

/* ---- dam breaks -------------------------------------------------------------------------------------------------- */

/* How far the surface rises above that behind the dam. */
static double excess_of(int order, const char *limiter)
{
    static const char *const dam[5] = {BY_SURFACE, "0", "0", "0.3*exp(-((x - 12)/0.8)^2)", "x < 9 ? 1 : 0.45"};
    ew_mesh *mesh = box((struct box){.nx = 50, .ny = 2, .width = 20, .height = 1, .jitter = 0.2});
    ew_solver *solver = solver_of(mesh, order, limiter, dam, NULL);
    double most = -INFINITY;
    if (!advance(solver, 1.6, INT64_MAX))
        bail_out("a dam break failed");
    double *values = sample(solver, elements_of(mesh));
    for (int64_t k = 0; k < elements_of(mesh) * samples; k++)
        most = fmax(most, values[5 * k + 4]);
    free(values);
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    return most - 1.0;
}

/* Stoker's dam break from 1 to 0.1 at x = 10 (g = 9.81). */
static double stoker(double x, double t)
{
    const double c = sqrt(9.81), low = sqrt(0.981), middle = 1.971414454852793, z = (x - 10.0) / t;
    double u = 2.0 * (c - middle), shock = u * middle * middle / (middle * middle - low * low);
    double inside = (2.0 * c - z) / 3.0;
    return z > shock ? 0.1 : pow(inside < middle ? middle : inside > c ? c : inside, 2) / 9.81;
}

static double stoker_error(int order, const char *limiter)
{
    static const char *const dam[5] = {"x < 10 ? 1 : 0.1", "0", "0", "0", "0"};
    ew_mesh *mesh = box((struct box){.nx = 40, .ny = 2, .width = 20, .height = 1, .jitter = 0.2});
    ew_solver *solver = solver_of(mesh, order, limiter, dam, NULL);
    if (!advance(solver, 1.0, INT64_MAX))
        bail_out("a dam break failed");
    double error = error_l1(solver, mesh, stoker, 20.0);
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    return error;
}

static void check_dams(int order)
{
    double excess = excess_of(order, "subcell"), damped = excess_of(order, "oscillation-free");
    double error = stoker_error(order, "subcell"), other = stoker_error(order, "oscillation-free");
    ok(excess < 0.2 * damped, "order %d: a dam break over a bump hardly overshoots", order);
    diag("excess %.2e, with oscillation-free %.2e", excess, damped);
    ok(error < 0.92 * other, "order %d: Stoker's dam break has a smaller error than with oscillation-free", order);
    diag("L1 error %.3e, with oscillation-free %.3e", error, other);
}

/* The output limiter, where a dam has broken over hills: at the bore, and not on dry ground. */
static void check_activity(const char *limiter)
{
    static const char *const dam[5] = {BY_SURFACE, "0", "0", "0.2*sin(9*x)*sin(8*y) - 0.6 + (x > 0.8)",
                                       "x < 0.4 ? 0.5 : 0"};
    ew_mesh *mesh = box((struct box){.nx = 9, .ny = 7, .width = 1, .height = 0.9, .jitter = 0.3});
    ew_solver *solver = solver_of(mesh, 2, limiter, dam, NULL);
    const struct ewi_plan *plan = solver->plan;
    const double *activity, *state = ((struct ewi_omp *)solver->instance)->state[0];
    double most = 0.0, dry = 0.0;
    ew_error error;
    advance(solver, never, 10);
    must(ewi_solver_activity(solver, &activity, &error), &error);
    for (int32_t i = 0; i < plan->grid->elements; i++) {
        double x = state[ewi_layout_index(plan->width, plan->rows, EWI_BED_DEPTH * plan->basis->np, i)];
        most = fmax(most, activity[i]);
        dry = x >= 0.0 ? fmax(dry, activity[i]) : dry;
    }
    ok(most > 0.01 && most <= 1.0 && dry == 0.0, "the activity of %s is that of triangles that are wet all over",
       limiter);
    diag("at most %.3g, %.3g where it is partly dry", most, dry);
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
}

int main(void)
{
    static const char *const dam[5] = {BY_SURFACE, "0", "0", "0.2*sin(9*x)*sin(8*y) - 0.6", "x < 0.4 ? 0.5 : 0"};
    static const char *const flood[5] = {
        "x<0.3?1:0", "0", "0", "0.1*sin(19*x)*sin(23*y)+(hypot(x-0.6,y-0.5)<0.2?1.5:0)", "0"};
    for (int order = 1; order <= 3; order++) {
        check_rest(order);
        if (order > 1)
            check_smooth(order);
        check_bits("a dam break over hills", order, dam, 0.03);
        check_bits("a flood", order, flood, 0.0);
        check_dams(order);
    }
    check_activity("subcell");
    check_activity("oscillation-free");
    return done_testing();
}
