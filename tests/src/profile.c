/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Time, traffic and arithmetic of each kernel, and the machine's limits: what they count, and that they change no bit.
 */
#include "edgewise.h"
#include "helpers.h"

#include <math.h>
#include <string.h>

static void flow(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context;
    for (size_t i = 0; i < n; i++) {
        values[i] = 1 + 0.1 * x[i] + t;
        values[n + i] = 0.2 * y[i];
        values[2 * n + i] = 0.1;
        values[3 * n + i] = 1 + 0.2 * x[i] * y[i];
    }
}

enum { CELLS = 6, ELEMENTS = 2 * CELLS * CELLS, EDGES = 3 * CELLS * CELLS + 2 * CELLS, OUTSIDE = 4 * CELLS };

static ew_mesh *make_mesh(void)
{
    ew_rectangle box = {.x1 = 1, .y1 = 1, .nx = CELLS, .ny = CELLS, .jitter = 0.3, .seed = 9};
    return mesh_of_rectangle(box);
}

static ew_solver *make_solver(const ew_mesh *mesh, int order, const char *kernels, const char *flux, bool limited)
{
    static const char *const names[] = {"bottom", "right", "top", "left"};
    const ew_data data = {.callback = flow, .variables = EW_X | EW_Y | EW_T};
    ew_boundary boundary[4];
    for (int k = 0; k < 4; k++)
        boundary[k] = (ew_boundary){
            .name = names[k], .kind = k == 0 ? "state" : "copy", .state = k == 0 ? data : (ew_data){0}};
    const ew_problem problem = {.order = order,
                                .flux = flux, .limiter = limited ? "barth-jespersen" : NULL, .scheme = "rk4",
                                .initial = data, .boundaries = 4, .boundary = boundary, .backend = "omp",
                                .kernels = kernels,
                                .threads = 2};
    ew_solver *solver;
    ew_error error;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    return solver;
}

static const ew_kernel_profile *find(const ew_kernel_profile *profile, int profiles, const char *name)
{
    for (int k = 0; k < profiles; k++)
        if (strcmp(profile[k].name, name) == 0)
            return &profile[k];
    bail_out("there is no kernel %s in the profile", name);
}

static void check_bits(const ew_mesh *mesh, const char *kernels)
{
    ew_solver *plain = make_solver(mesh, 1, kernels, NULL, true), *timed = make_solver(mesh, 1, kernels, NULL, true);
    ew_kernel_profile profile[EW_MAX_PROFILES];
    ew_error error;
    uint64_t a, b;
    int profiles;
    double largest = 0;
    must(ew_solver_advance(plain, INFINITY, 5, NULL, &error), &error);
    must(ew_solver_profile(timed, 5, profile, &profiles, &error), &error);
    must(ew_solver_hash(plain, &a, &error), &error);
    must(ew_solver_hash(timed, &b, &error), &error);
    ok(a == b && ew_solver_steps(timed) == 5 && ew_solver_time(timed) == ew_solver_time(plain),
       "%s: timing changes no bit", kernels);
    must(ew_solver_advance(plain, INFINITY, 2, NULL, &error), &error);
    must(ew_solver_advance(timed, INFINITY, 2, NULL, &error), &error);
    must(ew_solver_hash(plain, &a, &error), &error);
    must(ew_solver_hash(timed, &b, &error), &error);
    ok(a == b, "%s: nor do steps after it", kernels);
    for (int k = 0; k < profiles; k++)
        largest = fmax(largest, profile[k].seconds);
    ok(largest > 0 && largest < 600, "%s: kernels take time", kernels);
    is_int(find(profile, profiles, "limit_c")->calls, 5 * 4, "%s: the limiter is called in every stage", kernels);
    is_int(find(profile, profiles, "time_step")->calls, 5, "%s: the time step is found once a step", kernels);
    is_int(find(profile, profiles, "boundary")->calls, 5 * 4, "%s: the moving boundary is evaluated in every stage",
           kernels);
    ok(isnan(profile[0].occupancy) && profile[0].registers == -1, "%s: a CPU has no occupancy", kernels);
    ew_solver_destroy(plain);
    ew_solver_destroy(timed);
}

/*
 * Order 1, Euler, llf: 3 functions, 3 volume points, 2 edge points, 12 rows. An element's volume integral: the states
 * at 3 points, 4 chains of 3 fma each; the fluxes there; 4 x 2 sums of 3 points in 2 directions.
 */
static void check_counts(const ew_mesh *mesh)
{
    ew_solver *solver = make_solver(mesh, 1, "edgewise", NULL, false);
    ew_kernel_profile profile[EW_MAX_PROFILES];
    ew_error error;
    int profiles;
    must(ew_solver_profile(solver, 1, profile, &profiles, &error), &error);
    const ew_kernel_profile *volume = find(profile, profiles, "eval_volume"),
                            *surface = find(profile, profiles, "eval_surface");
    const ew_kernel_profile *rhs = find(profile, profiles, "eval_rhs"), *update = find(profile, profiles, "update");
    is_close(volume->flops, 4. * ELEMENTS * (3 * (4 * 3 * 2 + 32) + 4 * 2 * 3 * 2 * 2), 0, "eval_volume's arithmetic");
    is_close(volume->bytes, 4. * ELEMENTS * 8 * (12 + 12 + 4), 0, "eval_volume's traffic");
    /*
     * An edge: at 2 points the flux and its weight; for each trace the states (4 x 3 fma at 2 points) and as many to
     * project.
     */
    is_close(surface->flops, 4. * (EDGES * 2 * (67 + 4) + (2 * EDGES - OUTSIDE) * 2 * (2 * 4 * 3 * 2)), 0,
             "eval_surface's arithmetic");
    is_close(surface->bytes, 4. * (ELEMENTS * 12 * 8 + EDGES * (2 * 12 * 8 + 3 * 8 + 10)), 0, "eval_surface's traffic");
    is_close(rhs->flops, 4. * ELEMENTS * 12 * 4, 0, "eval_rhs's arithmetic");
    is_close(rhs->bytes, 4. * (ELEMENTS * (2 * 12 * 8 + 3 * 4 + 8) + EDGES * 2 * 12 * 8), 0, "eval_rhs's traffic");
    /*
     * rk4: u1 = u + dt/2 k1, u2 = u + dt/2 k2, u3 = u + dt k3, and u + ((u1 - u) + 2 (u2 - u) + (u3 - u))/3 + dt/6 k4.
     */
    is_close(update->flops, ELEMENTS * 12. * (4 * 2 + 3 * 3 + 1), 0, "update's arithmetic");
    is_close(update->bytes, ELEMENTS * 12. * 8 * (3 * 3 + 6), 0, "update's traffic");
    ew_solver_destroy(solver);
}

static void check_fused(const ew_mesh *mesh)
{
    ew_kernel_profile profile[EW_MAX_PROFILES], parts[EW_MAX_PROFILES];
    ew_error error;
    int profiles, count;
    for (int order = 1; order <= EW_MAX_ORDER; order++) {
        ew_solver *fused = make_solver(mesh, order, "fused", NULL, false),
                  *edgewise = make_solver(mesh, order, "edgewise", NULL, false);
        must(ew_solver_profile(fused, 1, profile, &profiles, &error), &error);
        must(ew_solver_profile(edgewise, 1, parts, &count, &error), &error);
        const ew_kernel_profile *stage = find(profile, profiles, "stage");
        double flops = 0, bytes = 0;
        for (const char *const *name = (const char *const[]){"eval_volume", "eval_surface", "eval_rhs", "update", NULL};
             *name; name++) {
            flops += find(parts, count, *name)->flops;
            bytes += find(parts, count, *name)->bytes;
        }
        is_int(stage->calls, 4, "p = %d: a step has four stages", order);
        is_close(stage->flops, flops, 0, "p = %d: a fused stage has the arithmetic of the four kernels", order);
        ok(stage->bytes < 0.6 * bytes, "p = %d: and much less traffic", order);
        ew_solver_destroy(fused);
        ew_solver_destroy(edgewise);
    }
}

static void check_limits(const ew_mesh *mesh)
{
    ew_limits limits, scalar;
    ew_error error;
    ew_problem problem = {.backend = "omp", .threads = 1};
    must(ew_measure_limits(NULL, &problem, &limits, &error), &error);
    ok(limits.copy_bytes_per_s > 1e7 && limits.copy_bytes_per_s < 1e14, "memory is copied at %.3g bytes/s",
       limits.copy_bytes_per_s);
    ok(limits.flops_per_s > 1e7 && limits.flops_per_s < 1e14, "fma run at %.3g flop/s", limits.flops_per_s);
    ok(isnan(limits.tensor_flops_per_s), "there are no matrix units");
    contains(limits.device, "1 thread, ", "the device is told");
    problem.level = "scalar";
    must(ew_measure_limits(NULL, &problem, &scalar, &error), &error);
    contains(scalar.device, "scalar", "the level can be chosen");
    problem.level = "vector";
    is_int(ew_measure_limits(NULL, &problem, &limits, &error), EW_EINVAL, "one that there is not is refused");
    problem.backend = "opm";
    is_int(ew_measure_limits(NULL, &problem, &limits, &error), EW_EINVAL, "and so is a backend");
    ew_solver *solver = make_solver(mesh, 1, "fused", "roe", false);
    ew_kernel_profile profile[EW_MAX_PROFILES];
    int profiles;
    is_int(ew_solver_profile(solver, 0, profile, &profiles, &error), EW_EINVAL, "no steps cannot be timed");
    must(ew_solver_profile(solver, 1, profile, &profiles, &error), &error);
    const ew_kernel_profile *stage = find(profile, profiles, "stage");
    double flops = stage->flops;
    ew_solver_destroy(solver);
    solver = make_solver(mesh, 1, "fused", "llf", false);
    must(ew_solver_profile(solver, 1, profile, &profiles, &error), &error);
    is_close(flops - find(profile, profiles, "stage")->flops, 4. * EDGES * 2 * (162 - 67), 0,
             "Roe's flux does more than Lax and Friedrichs'");
    ew_solver_destroy(solver);
}

int main(void)
{
    ew_mesh *mesh = make_mesh();
    check_bits(mesh, "edgewise");
    check_bits(mesh, "fused");
    check_counts(mesh);
    check_fused(mesh);
    check_limits(mesh);
    ew_mesh_destroy(mesh);
    return done_testing();
}
