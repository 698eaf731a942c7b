/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Levels of time steps on a GPU: the bits of the backend omp, in both sets of kernels. levels-gpu (EW_REAL_GPU) runs
 * it on a GPU; this one, as tests/src/parity does, on the host.
 */
#include "ewi_backend.h"
#include "ewi_host.h"
#include "fake-cuda.h"
#include "level-flows.h"

static void check_flow(const ew_mesh *mesh, const struct flow *flow)
{
    static const char *const sets[] = {"fused", "edgewise"};
    struct outcome omp = outcome_of(mesh, flow, (struct way){"omp", "fused", 1, 1});
    for (int s = 0; s < COUNT(sets); s++) {
        struct outcome cuda = outcome_of(mesh, flow, (struct way){"cuda", sets[s], 1, 1});
        if (flow_breaks(flow))
            is_str(cuda.error, omp.error[0] ? omp.error : "an error",
                   "%s, order %d, %s: a run breaks at the same place and time", flow->scheme, flow->order, sets[s]);
        else
            ok(cuda.hash == omp.hash && cuda.steps == omp.steps && cuda.time == omp.time &&
                   memcmp(cuda.outflow, omp.outflow, sizeof omp.outflow) == 0,
               "%s, order %d, %s, %s: the bits of omp after %lld steps", flow->scheme, flow->order, flow->flux, sets[s],
               (long long)omp.steps);
    }
}

static void check_parts(const ew_mesh *mesh)
{
    ew_formula *stream = formula_from(STREAM);
    const ew_boundary around = {.name = "around", .kind = "wall"};
    const ew_problem problem = {.law = "euler", .order = 1, .scheme = "ssprk32", .step_levels = 4,
                                .initial.formula = stream, .boundaries = 1, .boundary = &around, .backend = "cuda",
                                .parts = 2};
    ew_solver *solver;
    ew_error error = {.message = ""};
    is_int(ew_solver_create(NULL, mesh, &problem, &solver, &error), EW_EUNAVAILABLE, "no levels in parts on GPUs");
    contains(error.message, "levels of time steps cannot be divided among GPUs so far; take one", "... in a sentence");
    ew_formula_destroy(stream);
}

int main(void)
{
    ew_error error;
#ifndef EW_REAL_GPU
    load_fake_cuda();
#endif
    if (!ewi_backend_find("cuda")->usable(&error))
        skip_all(error.message);
    ew_mesh *mesh = graded_mesh(1.6);
    for (int f = 0; f < COUNT(flows); f++)
        check_flow(mesh, &flows[f]);
    check_parts(mesh);
    ew_mesh_destroy(mesh);
    return done_testing();
}
