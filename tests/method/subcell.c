/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The limiter subcell: it leaves smooth waves their bits, conserves, keeps weak shocks from overshooting, and has the
 * same bits in both sets, for any number of threads and parts.
 */
#include "flows.h"
#include "helpers.h"

static const char *const orders_of_waves[4] = {"1 + 0.2*sin(2*pi*(x + y))", "1", "0.5", "1"};
static const char *const blast[2][4] = {
    {"1 + 0.2*(x < y)", "0.3*(y < 0.4)", "-0.2*(x < 0.6)", "(x - 0.5)^2 + (y - 0.4)^2 < 0.04 ? 10 : 0.1"},
    {"(x - 0.5)^2 + (y - 0.4)^2 < 0.04 ? 2 : 0.3", "0.3*(y < 0.4)", "-0.2*(x < 0.6)"}};

static ew_problem problem_of(int law, int order, const char *limiter, const ew_formula *initial)
{
    return (ew_problem){.law = law == 0 ? "euler" : "shallow-water", .order = order, .flux = "llf", .limiter = limiter,
                        .positivity = 1, .scheme = "ssprk33", .cfl = 0.4, .initial = {.formula = initial}};
}

/* The hash of the state after so many steps. */
static uint64_t hash_after(const ew_mesh *mesh, const ew_problem *problem, int64_t steps)
{
    ew_solver *solver;
    ew_error error;
    uint64_t hash = 0;
    must(ew_solver_create(NULL, mesh, problem, &solver, &error), &error);
    if (!advance(solver, never, steps))
        bail_out("a flow failed");
    must(ew_solver_hash(solver, &hash, &error), &error);
    ew_solver_destroy(solver);
    return hash;
}

/* ---- smooth flow ------------------------------------------------------------------------------------------------- */

static void check_wave(int order)
{
    ew_mesh *mesh = box((struct box){.nx = 8, .ny = 8, .width = 1, .height = 1, .jitter = 0.2, .periodic = true});
    ew_formula *initial = formula(4, orders_of_waves);
    ew_problem problem = problem_of(0, order, "subcell", initial);
    problem.backend = "omp";
    uint64_t hash = hash_after(mesh, &problem, 40);
    problem.limiter = NULL;
    ok(hash == hash_after(mesh, &problem, 40), "order %d: a smooth wave has the bits of no limiter", order);
    ew_formula_destroy(initial);
    ew_mesh_destroy(mesh);
}

/* ---- a blast in a closed box ------------------------------------------------------------------------------------- */

static ew_mesh *closed_box(void)
{
    return box((struct box){.nx = 13, .ny = 11, .width = 1, .height = 0.9, .jitter = 0.3});
}

static void check_conservation(int law, int order)
{
    ew_mesh *mesh = closed_box();
    ew_formula *initial = formula(law == 0 ? 4 : 3, blast[law]);
    ew_problem problem = problem_of(law, order, "subcell", initial);
    ew_boundary boundary[4];
    problem.boundaries = boundaries(mesh, "wall", (ew_data){0}, boundary);
    problem.boundary = boundary;
    ew_solver *solver = start(mesh, &problem);
    ew_norms before = norms_of(solver);
    ok(advance(solver, never, 60), "%s, order %d: a blast runs", problem.law, order);
    ew_norms after = norms_of(solver);
    is_close(after.total[0], before.total[0], 2e-14, "... and loses no mass");
    if (law == 0)
        is_close(after.total[3], before.total[3], 2e-14, "... and no energy");
    ew_solver_destroy(solver);
    ew_formula_destroy(initial);
    ew_mesh_destroy(mesh);
}

/* In an open box, every total plus its outflow stays what it was at the start. */
static void check_outflow(int law, int order)
{
    ew_mesh *mesh = closed_box();
    ew_formula *initial = formula(law == 0 ? 4 : 3, blast[law]);
    ew_problem problem = problem_of(law, order, "subcell", initial);
    ew_boundary boundary[4];
    ew_error error;
    double lost = 0.0, out[EW_MAX_VARIABLES];
    problem.boundaries = boundaries(mesh, "copy", (ew_data){0}, boundary);
    problem.boundary = boundary;
    problem.outflow = 1;
    ew_solver *solver = start(mesh, &problem);
    ew_norms before = norms_of(solver);
    ok(advance(solver, never, 60), "%s, order %d: a blast leaves an open box", problem.law, order);
    ew_norms after = norms_of(solver);
    for (int32_t k = 0; k < 4; k++) {
        must(ew_solver_outflow(solver, k, out, &error), &error);
        lost += out[0];
    }
    ok(fabs(lost) > 1e-9, "... and takes mass with it");
    is_close(after.total[0] + lost, before.total[0], 2e-14, "... as much as has flowed out");
    ew_solver_destroy(solver);
    ew_formula_destroy(initial);
    ew_mesh_destroy(mesh);
}

/* Both sets, several threads, parts. */
static void check_bits(int law, int order)
{
    static const struct {
        const char *kernels;
        int threads, parts, tile;
    } way[] = {{"edgewise", 1, 0, 0}, {"edgewise", 3, 0, -1}, {"fused", 1, 0, 0}, {"fused", 3, 0, 0},
               {"edgewise", 1, 3, 0}, {"fused", 2, 2, 0}};
    ew_mesh *mesh = closed_box();
    ew_formula *initial = formula(law == 0 ? 4 : 3, blast[law]);
    ew_problem problem = problem_of(law, order, "subcell", initial);
    ew_boundary boundary[4];
    uint64_t first = 0;
    problem.backend = "omp";
    problem.boundaries = boundaries(mesh, "wall", (ew_data){0}, boundary);
    boundary[1] = (ew_boundary){.name = boundary[1].name, .kind = "state", .state = {.formula = initial}};
    problem.boundary = boundary;
    for (size_t k = 0; k < COUNT(way); k++) {
        problem.kernels = way[k].kernels;
        problem.threads = way[k].threads;
        problem.parts = way[k].parts;
        problem.tile = way[k].tile;
        uint64_t hash = hash_after(mesh, &problem, 25);
        first = k == 0 ? hash : first;
        if (k > 0)
            ok(hash == first, "%s, order %d: the same bits from %s, %d threads, %d parts", problem.law, order,
               way[k].kernels, way[k].threads, way[k].parts);
    }
    problem.limiter = NULL;
    problem.parts = 0;
    ok(first != hash_after(mesh, &problem, 25), "... which are not those of no limiter");
    ew_formula_destroy(initial);
    ew_mesh_destroy(mesh);
}

/* ---- shocks ------------------------------------------------------------------------------------------------------ */

/* How far pressures exceed those on both sides of a weak shock and the plateau between, relative to its height. */
static double weak_shock_excess(int order, const char *limiter)
{
    static const char *const weak[4] = {"1", "0", "0", "x < 0.5 ? 1.02 : 1"};
    ew_mesh *mesh = box((struct box){.nx = 40, .ny = 2, .width = 1, .height = 0.05, .jitter = 0.2});
    ew_formula *initial = formula(4, weak);
    ew_problem problem = problem_of(0, order, limiter, initial);
    ew_boundary boundary[4];
    problem.boundaries = boundaries(mesh, "symmetry", (ew_data){0}, boundary);
    problem.boundary = boundary;
    ew_solver *solver = start(mesh, &problem);
    double least = INFINITY, most = -INFINITY;
    if (!advance(solver, 0.2, INT64_MAX))
        bail_out("a weak shock failed");
    double *values = sample(solver, elements_of(mesh));
    for (int64_t k = 0; k < elements_of(mesh) * samples; k++) {
        least = fmin(least, values[4 * k + 3]);
        most = fmax(most, values[4 * k + 3]);
    }
    free(values);
    ew_solver_destroy(solver);
    ew_formula_destroy(initial);
    ew_mesh_destroy(mesh);
    return fmax(1 - least, most - 1.02) / 0.01;
}

static void check_weak_shock(int order)
{
    double excess = weak_shock_excess(order, "subcell"), damped = weak_shock_excess(order, "oscillation-free");
    ok(excess < 0.5 * damped && (order == 1 || excess < 0.01), "order %d: a weak shock hardly overshoots", order);
    diag("excess %.4f, with oscillation-free %.4f", excess, damped);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void check_refused(const char *law, int order, const char *sentence)
{
    static const char *const one[4] = {"1", "1", "1", "1"};
    ew_mesh *mesh = box((struct box){.nx = 3, .ny = 3, .width = 1, .height = 1, .periodic = true});
    ew_formula *initial = formula(ew_law_find(law)->variables, one), *field = formula(2, one);
    ew_parameter viscous[] = {{"mu", 0.01}};
    ew_problem problem = {.law = law, .order = order, .limiter = "subcell", .backend = "omp",
                          .initial = {.formula = initial}};
    if (strcmp(law, "navier-stokes") == 0)
        problem.parameters = 1, problem.parameter = viscous;
    if (ew_law_find(law)->fields)
        problem.field = (ew_data){.formula = field};
    ew_solver *solver = NULL;
    ew_error error;
    ok(ew_solver_create(NULL, mesh, &problem, &solver, &error) != EW_OK, "%s, order %d: refused", law, order);
    contains(error.message, sentence, "... with a sentence");
    ew_formula_destroy(initial);
    ew_formula_destroy(field);
    ew_mesh_destroy(mesh);
}

int main(void)
{
    check_wave(2);
    check_wave(3);
    for (int order = 1; order <= 3; order++) {
        for (int law = 0; law < 2; law++) {
            check_conservation(law, order);
            check_outflow(law, order);
            check_bits(law, order);
        }
        check_weak_shock(order);
    }
    check_refused("euler", 4, "is made for orders 1 to 3; the order is 4: take oscillation-free");
    check_refused("advection", 2, "is for nonlinear laws");
    check_refused("navier-stokes", 2, "does not know the law \"navier-stokes\"; take oscillation-free");
    return done_testing();
}
