/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * State hashes of short flows, stored: the same on every platform, from every compiler, instruction level and set of
 * kernels. A build whose compiler takes liberties with floating-point arithmetic fails here. Needs libedgewise alone. A
 * change of results on purpose changes this table: each failure prints its new line.
 */
#include "ewi_omp.h"
#include "flows.h"

#include <inttypes.h>

/* Smooth, subsonic and not symmetric; laws differ in the number of variables. */
static const char *const gas[] = {"1 + 0.2*sin(pi*x)*cos(2*pi*y)", "0.4*sin(2*pi*y) + 0.1", "0.3*cos(pi*x) - 0.1*y",
                                  "1 + 0.1*exp(-x^2)"};
static const char *const wave[] = {"1 + 0.5*sin(pi*x)*sin(2*pi*y)"};
static const char *const velocity[] = {"1 + 0.5*cos(2*pi*y)", "0.3*sin(pi*x)"};

static const struct flow {
    const char *law, *flux, *scheme;
    int order;
    bool limited;
    uint64_t hash;
} flows[] = {
    {"euler", "llf", "rk4", 1, false, 0xc7af53124d364c9d},
    {"euler", "roe", "rk4", 2, false, 0x1b8e1245c14088eb},
    {"euler", "hllc", "rk4", 3, false, 0xcc312aac7e13cb6c},
    {"euler", "roe", "ssprk33", 4, false, 0xb2c5e6fe10552473},
    {"euler", "llf", "ssprk54", 5, false, 0x695b0709ffb3db59},
    {"euler", "roe", "rk2", 1, true, 0x71e047f7f7ae676f},
    {"euler", "hllc", "ssprk22", 1, true, 0xf64ca7272edb12d9},
    {"advection", "llf", "rk2", 1, false, 0xe76d061949e61ee4},
    {"advection", "llf", "rk2", 1, true, 0x0dd4e59f4b91b377},
    {"advection", "llf", "rk4", 2, false, 0x7a9dba0d2880a7fc},
    {"advection", "llf", "ssprk33", 3, false, 0x118d9fd385573462},
    {"advection", "llf", "rk4", 4, false, 0x4a32b5d34b1b7850},
    {"advection", "llf", "rk4", 5, false, 0x0f25d961e3a91828},
    {"shallow-water", "llf", "rk2", 1, true, 0xec73c41690da3cb7},
    {"shallow-water", "hllc", "rk4", 1, false, 0x79a6ede56d73e5b7},
    {"shallow-water", "roe", "rk4", 2, false, 0x0a9dc9031321c6b1},
    {"shallow-water", "hllc", "ssprk33", 3, false, 0x009500f87f34186e},
    {"shallow-water", "roe", "rk4", 4, false, 0x0486cc367b7b2813},
    {"shallow-water", "llf", "rk4", 5, false, 0x83a3a6121113a497},
    {"maxwell-tm", "upwind", "rk2", 1, false, 0x67a2d8753ac5b3a3},
    {"maxwell-tm", "llf", "rk4", 2, false, 0x68563b432ef8a131},
    {"maxwell-tm", "upwind", "rk4", 3, false, 0xd5f794202e3703eb},
    {"maxwell-tm", "llf", "ssprk54", 4, false, 0xd4228b81673d0885},
    {"maxwell-tm", "upwind", "rk4", 5, false, 0xf594644b2e9dd3f6},
    {"acoustics", "upwind", "rk2", 1, true, 0x55f9718547d56b7e},
    {"acoustics", "llf", "rk4", 2, false, 0x531f96bb391a7967},
    {"acoustics", "upwind", "rk4", 3, false, 0xe53f1d17c4482dbd},
    {"acoustics", "llf", "rk4", 4, false, 0xff8763679ee798c9},
    {"acoustics", "upwind", "ssprk54", 5, false, 0xbee24b25cf1cce71},
};

static uint64_t hash_of(const struct flow *flow, const ew_mesh *mesh, const char *kernels, const char *level)
{
    int variables = ew_law_find(flow->law)->variables;
    ew_formula *initial = formula(variables, variables == 1 ? wave : gas), *field = formula(2, velocity);
    ew_boundary boundary[4];
    ew_problem problem = {.law = flow->law, .order = flow->order, .flux = flow->flux, .scheme = flow->scheme,
                          .limiter = flow->limited ? "barth-jespersen" : NULL, .initial.formula = initial,
                          .kernels = kernels, .level = level, .boundary = boundary};
    if (ew_law_find(flow->law)->fields)
        problem.field.formula = field;
    problem.boundaries = boundaries(mesh, "state", problem.initial, boundary);
    if (variables > 1)
        boundary[2] = (ew_boundary){.name = boundary[2].name, .kind = "wall"};
    boundary[1] = (ew_boundary){.name = boundary[1].name, .kind = "copy"};
    ew_solver *solver = start(mesh, &problem);
    uint64_t hash = 0;
    ew_error error;
    if (!advance(solver, never, 4) || ew_solver_hash(solver, &hash, &error))
        bail_out("%s, %s, p = %d does not run", flow->law, flow->flux, flow->order);
    ew_solver_destroy(solver);
    ew_formula_destroy(initial);
    ew_formula_destroy(field);
    return hash;
}

/* Of those that run on this machine, around and around. */
static const char *level_at(int number)
{
    const struct ewi_omp_level *level;
    int count = 0;
    for (int k = 0; (level = ewi_omp_level_at(k)); k++)
        count += level->runs_here();
    for (int k = 0, left = number % count;; k++) {
        level = ewi_omp_level_at(k);
        if (level->runs_here() && left-- == 0)
            return level->name;
    }
}

/* By every set of kernels; the flows take turns at this machine's levels. */
static void check_flow(int number, const ew_mesh *mesh)
{
    const struct flow *flow = &flows[number];
    const char *kernels;
    for (int k = 0; (kernels = ew_list_name(EW_KERNELS, k)); k++) {
        const char *level = level_at(number + k);
        uint64_t got = hash_of(flow, mesh, kernels, level);
        if (!ok(got == flow->hash, "%s, %s, %s, p = %d%s: %s, %s leaves the stored bits", flow->law, flow->flux,
                flow->scheme, flow->order, flow->limited ? ", limited" : "", kernels, level))
            diag("{\"%s\", \"%s\", \"%s\", %d, %s, 0x%016" PRIx64 "},", flow->law, flow->flux, flow->scheme,
                 flow->order, flow->limited ? "true" : "false", got);
    }
}

int main(void)
{
    ew_mesh *mesh = box((struct box){.nx = 5, .ny = 4, .width = 2, .height = 1, .jitter = 0.5});
    for (int k = 0; k < (int)COUNT(flows); k++)
        check_flow(k, mesh);
    ew_mesh_destroy(mesh);
    return done_testing();
}
