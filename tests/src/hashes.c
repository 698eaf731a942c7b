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
static const char *const medium[] = {"x < 0.7 ? 1.3 + x*y : 50", "1 + (y < 0.4 ? 0 : 3) + 0.5*x"};
static const char *const velocity[] = {"1 + 0.5*cos(2*pi*y)", "0.3*sin(pi*x)"};

static const struct flow {
    const char *law, *flux, *scheme;
    int order;
    bool limited;
    uint64_t hash;
    enum { UNIFORM, BY_ELEMENT } step; /* what limits it */
} flows[] = {
    {"euler", "llf", "rk4", 1, false, 0x2ace590c2f5288e6, UNIFORM},
    {"euler", "roe", "rk4", 2, false, 0xe6f39f10e8aa4bf0, UNIFORM},
    {"euler", "hllc", "rk4", 3, false, 0x0070c4f331a1aac0, UNIFORM},
    {"euler", "roe", "ssprk33", 4, false, 0x14653072df58bb8c, UNIFORM},
    {"euler", "llf", "ssprk54", 5, false, 0x44de0b4f76d39aad, UNIFORM},
    {"euler", "llf", "rk43", 3, false, 0xb43aa5bf323d7502, UNIFORM},
    {"euler", "llf", "ssprk32", 2, false, 0x5859ab34c4a04b1b, UNIFORM},
    {"euler", "roe", "rk2", 1, true, 0xadffebdcd314d613, UNIFORM},
    {"euler", "hllc", "ssprk22", 1, true, 0x63476b9d58deb633, UNIFORM},
    {"euler", "hllc", "ssprk32", 1, true, 0xc4470dfe951dd994, UNIFORM},
    {"advection", "llf", "rk2", 1, false, 0x4259838646e9e459, UNIFORM},
    {"advection", "llf", "rk2", 1, true, 0x57d9b726cdfb7bcc, UNIFORM},
    {"advection", "llf", "rk4", 2, false, 0xdc4a6d339a742a80, UNIFORM},
    {"advection", "llf", "ssprk33", 3, false, 0xc309665f2f8bf6eb, UNIFORM},
    {"advection", "llf", "rk4", 4, false, 0x6a3db496ec35be11, UNIFORM},
    {"advection", "llf", "rk4", 5, false, 0x5bd1981da13b1984, UNIFORM},
    {"shallow-water", "llf", "rk2", 1, true, 0x79eb968d69f913f8, UNIFORM},
    {"shallow-water", "hllc", "rk4", 1, false, 0xb2fb49b82013f206, UNIFORM},
    {"shallow-water", "roe", "rk4", 2, false, 0xc72181ca4cacbe2a, UNIFORM},
    {"shallow-water", "hllc", "ssprk33", 3, false, 0xf9f82ad9f3eaeb35, UNIFORM},
    {"shallow-water", "roe", "rk4", 4, false, 0x07bd786fcb8166da, UNIFORM},
    {"shallow-water", "llf", "rk4", 5, false, 0xea1109297dac9cc0, UNIFORM},
    {"maxwell-tm", "upwind", "rk2", 1, false, 0x9743d0c82e9ae05c, UNIFORM},
    {"maxwell-tm", "llf", "rk4", 2, false, 0x0baa96bea39b604d, UNIFORM},
    {"maxwell-tm", "upwind", "rk4", 3, false, 0x549e0c2ae43022de, UNIFORM},
    {"maxwell-tm", "llf", "ssprk54", 4, false, 0x91a16db50972e1d1, UNIFORM},
    {"maxwell-tm", "upwind", "rk4", 5, false, 0x2b87c75982d19398, UNIFORM},
    {"acoustics", "upwind", "rk2", 1, true, 0xbfdb8d8735677e23, UNIFORM},
    {"acoustics", "llf", "rk4", 2, false, 0x3a514f6000af0a13, UNIFORM},
    {"acoustics", "upwind", "rk4", 3, false, 0xfc1bbea05f53b7fc, UNIFORM},
    {"acoustics", "llf", "rk4", 4, false, 0x6083a55a3c8d3b26, UNIFORM},
    {"acoustics", "upwind", "ssprk54", 5, false, 0x515e2c28c6303c43, UNIFORM},
    {"acoustics-media", "upwind", "rk2", 1, false, 0x10ee8ff767c933bf, UNIFORM},
    {"acoustics-media", "upwind", "rk4", 4, false, 0xec3185a66310f8e8, BY_ELEMENT},
    {"maxwell-tm-media", "upwind", "rk4", 2, false, 0x45e9050a2631780c, BY_ELEMENT},
    {"maxwell-tm-media", "upwind", "ssprk33", 5, false, 0xb0d9e2084fa8a47d, UNIFORM},
    {"euler", "hllc", "rk4", 3, false, 0x60485c8a77e9e799, BY_ELEMENT},
    {"euler", "roe", "rk2", 1, true, 0xdb4152b81a16392b, BY_ELEMENT},
    {"shallow-water", "hllc", "ssprk33", 3, false, 0x0ed111d8454f8380, BY_ELEMENT},
};

static uint64_t hash_of(const struct flow *flow, const ew_mesh *mesh, const char *kernels, const char *level)
{
    int variables = ew_law_find(flow->law)->variables;
    ew_formula *initial = formula(variables, variables == 1 ? wave : gas),
               *field = formula(2, ew_law_find(flow->law)->media ? medium : velocity);
    ew_boundary boundary[4];
    ew_problem problem = {.law = flow->law, .order = flow->order, .flux = flow->flux, .scheme = flow->scheme,
                          .cfl = strcmp(flow->scheme, "rk4") == 0 ? 0.5 : 0.7,
                          .uniform_step = flow->step == UNIFORM, .initial.formula = initial,
                          .limiter = flow->limited ? "barth-jespersen" : NULL,
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
        if (!ok(got == flow->hash, "%s, %s, %s, p = %d%s%s: %s, %s leaves the stored bits", flow->law, flow->flux,
                flow->scheme, flow->order, flow->limited ? ", limited" : "",
                flow->step == UNIFORM ? "" : ", steps by element", kernels, level))
            diag("{\"%s\", \"%s\", \"%s\", %d, %s, 0x%016" PRIx64 ", %s},", flow->law, flow->flux, flow->scheme,
                 flow->order, flow->limited ? "true" : "false", got, flow->step == UNIFORM ? "UNIFORM" : "BY_ELEMENT");
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
