/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ensembles: whatever advances together with whatever, in whatever pieces and by how many threads, each member has the
 * bits that it has alone; who breaks, breaks alone.
 *
 * tests/src/ensemble runs the CUDA kernels on the host (tests/cuda/fake); tests/src/ensemble-gpu (EW_REAL_GPU) on a
 * GPU.
 */
#include "edgewise.h"
#include "ewi_backend.h"
#include "fake-cuda.h"
#include "flows.h"

#include <inttypes.h>
#include <pthread.h>

enum { MESHES = 6, KINDS = 12, MEMBERS = 40, STEPS = 9 };

static uint64_t random_state = 20261123;

static int dice(int sides)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int)(random_state >> 33) % sides;
}

/* ---- what members are made of ------------------------------------------------------------------------------------ */

static const struct {
    const char *law, *flux, *limiter, *scheme;
    int order;
    bool positivity, element_step;
    double steady;
} kinds[KINDS] = {
    {"euler", "llf", "none", "ssprk33", 1, false, false, 0.0},
    {"euler", "hllc", "barth-jespersen", "rk2", 1, true, false, 0.0},
    {"euler", "llf", "oscillation-free", "ssprk33", 2, true, false, 0.0},
    {"euler", "roe", "none", "ssprk54", 2, false, true, 0.0},
    {"euler", "llf", "none", "rk4", 3, true, false, 1e-9},
    {"euler", "llf", "oscillation-free", "ssprk33", 3, false, false, 0.0},
    {"euler", "hllc", "none", "ssprk33", 4, false, false, 0.0},
    {"euler", "llf", "none", "ssprk33", 5, false, false, 0.0},
    {"shallow-water", "llf", "none", "ssprk33", 2, true, false, 0.0},
    {"acoustics", "llf", "none", "ssprk22", 3, false, false, 0.0},
    {"advection", "llf", "none", "rk4", 1, false, false, 0.0},
    {"shallow-water", "llf", "oscillation-free", "ssprk33", 2, false, false, 0.0},
};

static const char *const texts[5][4] = {
    [1] = {"1 + 0.3*sin(3*x + 2*y)"},
    [3] = {"1 + 0.2*sin(3*x + y)", "0.3*cos(2*y)", "0.2*sin(x)"},
    [4] = {"1 + 0.2*sin(3*x + y)", "0.3*cos(2*y)", "0.2*sin(x)", "1 + 0.1*cos(x + 2*y)"},
};
static const char *const moving_texts[5][4] = {
    [1] = {"1 + 0.3*sin(30*t)"},
    [3] = {"1 + 0.2*sin(20*t)", "0.3", "0.2*cos(9*t + x)"},
    [4] = {"1 + 0.2*sin(20*t)", "0.3", "0.2*cos(9*t + x)", "1 + 2*t"},
};

static ew_mesh *mesh[MESHES];
static ew_formula *still[5], *moving[5], *velocity, *breaking;

static void prepare(void)
{
    static const struct box boxes[MESHES] = {
        {1, 1, 1.0, 1.0, 0.0, false}, {5, 4, 1.0, 1.0, 0.3, false}, {9, 7, 2.0, 1.0, 0.3, false},
        {12, 13, 1.0, 1.0, 0.3, false}, {6, 6, 1.0, 1.0, 0.2, true}, {11, 8, 2.0, 1.0, 0.2, true},
    };
    for (int k = 0; k < MESHES; k++)
        mesh[k] = box(boxes[k]);
    for (int variables = 1; variables < 5; variables++)
        if (texts[variables][0]) {
            still[variables] = formula(variables, texts[variables]);
            moving[variables] = formula(variables, moving_texts[variables]);
        }
    velocity = formula(2, (const char *const[]){"1 + 0.5*cos(2*y)", "0.3*sin(3*x)"});
    /* Nearly a vacuum behind waves that run apart: no scheme without positivity survives. */
    breaking = formula(4, (const char *const[]){"1", "x < 0.5 ? -20 : 20", "0", "1e-3"});
}

struct member {
    ew_problem problem;
    ew_boundary boundary[4];
    const ew_mesh *mesh;
    uint64_t alone; /* hash of a run by itself */
    ew_solver *solver;
    int64_t steps_left;
};

static void choose(struct member *member, int kind, int on)
{
    int variables = ew_law_find(kinds[kind].law)->variables;
    *member = (struct member){.mesh = mesh[on], .steps_left = STEPS};
    member->problem = (ew_problem){
        .law = kinds[kind].law, .flux = kinds[kind].flux, .limiter = kinds[kind].limiter, .scheme = kinds[kind].scheme,
        .order = kinds[kind].order, .positivity = kinds[kind].positivity, .element_step = kinds[kind].element_step,
        .steady = kinds[kind].steady, .cfl = 0.2 + 0.01 * dice(10), .time = 0.1 * dice(3),
        .initial.formula = still[variables], .threads = 1,
    };
    if (ew_law_find(kinds[kind].law)->fields)
        member->problem.field.formula = velocity;
    bool moves = dice(2) == 0;
    member->problem.boundaries = boundaries(mesh[on], "state",
                                            (ew_data){.formula = (moves ? moving : still)[variables]},
                                            member->boundary);
    member->problem.boundary = member->boundary;
}

static ew_solver *solver_on(struct member *member, const char *backend, ew_ensemble *ensemble)
{
    ew_solver *solver;
    ew_error error;
    member->problem.backend = backend;
    member->problem.ensemble = ensemble;
    member->problem.boundary = member->boundary;
    if (ew_solver_create(NULL, member->mesh, &member->problem, &solver, &error))
        bail_out("no solver: %s", error.message);
    return solver;
}

static uint64_t hash_of(ew_solver *solver)
{
    uint64_t hash = 0;
    ew_error error;
    if (ew_solver_hash(solver, &hash, &error))
        bail_out("no hash: %s", error.message);
    return hash;
}

static void run_alone(struct member *member)
{
    ew_solver *solver = solver_on(member, "omp", NULL);
    if (!advance(solver, INFINITY, STEPS))
        bail_out("a flow does not run");
    member->alone = hash_of(solver);
    ew_solver_destroy(solver);
}

static ew_ensemble *new_ensemble(void)
{
    ew_ensemble *ensemble;
    ew_error error;
    if (ew_ensemble_create(NULL, &ensemble, &error))
        bail_out("no ensemble: %s", error.message);
    return ensemble;
}

/* ---- packings ---------------------------------------------------------------------------------------------------- */

/* A part of those that still have steps to go, each some of them; returns how many. */
static int deal(struct member *member, int members, ew_advance *part)
{
    int count = 0;
    for (int k = 0; k < members; k++) {
        if (member[k].steps_left == 0 || dice(3) == 0)
            continue;
        int64_t steps = 1 + dice(4);
        part[count++] = (ew_advance){.solver = member[k].solver, .until = INFINITY,
                                     .max_steps = steps < member[k].steps_left ? steps : member[k].steps_left};
    }
    return count;
}

static bool went(struct member *member, int members, const ew_advance *part, int count)
{
    bool good = true;
    for (int k = 0; k < members; k++)
        member[k].steps_left = STEPS - ew_solver_steps(member[k].solver);
    for (int k = 0; k < count; k++)
        good = good && part[k].status == EW_OK && (part[k].stop == EW_STOP_STEPS || part[k].stop == EW_STOP_NONE);
    return good;
}

static bool equal_alone(struct member *member, int members)
{
    bool equal = true;
    for (int k = 0; k < members; k++)
        equal = equal && hash_of(member[k].solver) == member[k].alone;
    return equal;
}

static void end_members(struct member *member, int members, ew_ensemble *ensemble)
{
    for (int k = 0; k < members; k++)
        ew_solver_destroy(member[k].solver);
    ew_ensemble_destroy(ensemble);
}

/* Few kinds make large groups, many small ones; some members leave and come again on the way. */
static void test_packing(struct member *member, int members, int of_kinds, const char *backend)
{
    ew_advance part[MEMBERS];
    ew_error error;
    bool good = true;
    ew_ensemble *ensemble = new_ensemble();
    int first = dice(KINDS);
    for (int k = 0; k < members; k++) {
        choose(&member[k], (first + dice(of_kinds)) % KINDS, dice(MESHES));
        run_alone(&member[k]);
        member[k].solver = solver_on(&member[k], backend, ensemble);
    }
    for (int left = 1, round = 0; good && left > 0; round++) {
        int count = deal(member, members, part), enough = count > 0 ? dice(count + 1) : 0;
        if (count > 0)
            good = ew_ensemble_advance(ensemble, count, part, enough, &error) == EW_OK &&
                   went(member, members, part, count);
        left = 0;
        for (int k = 0; k < members; k++)
            left += member[k].steps_left > 0;
        if (round == 1) {
            ew_solver_destroy(member[0].solver);
            member[0].solver = solver_on(&member[0], backend, ensemble);
            member[0].steps_left = STEPS;
        }
    }
    ok(good && equal_alone(member, members),
       "%s: %d members of %d kinds from \"%s, p = %d\" on have the bits that each has alone", backend, members,
       of_kinds, kinds[first].law, kinds[first].order);
    end_members(member, members, ensemble);
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static void *live(void *argument)
{
    struct member *member = argument;
    ew_solver *snapshot = NULL;
    ew_error error;
    for (int64_t steps = 1; member->steps_left > 0; steps = steps % 3 + 1) {
        int64_t some = steps < member->steps_left ? steps : member->steps_left;
        if (ew_solver_advance(member->solver, INFINITY, some, NULL, &error)) {
            diag("%s", error.message);
            break;
        }
        member->steps_left -= some;
        if (ew_solver_snapshot(member->solver, 0, NULL, &snapshot, &error))
            diag("%s", error.message);
    }
    ew_solver_destroy(snapshot);
    return NULL;
}

static void test_threads(struct member *member, int members)
{
    pthread_t thread[MEMBERS];
    ew_ensemble *ensemble = new_ensemble();
    for (int k = 0; k < members; k++) {
        choose(&member[k], k % 3, dice(MESHES));
        run_alone(&member[k]);
    }
    for (int k = 0; k < members; k++) { /* some begin while others are made */
        member[k].solver = solver_on(&member[k], "cuda", ensemble);
        if (pthread_create(&thread[k], NULL, live, &member[k]))
            bail_out("no thread");
    }
    for (int k = 0; k < members; k++)
        pthread_join(thread[k], NULL);
    ok(equal_alone(member, members), "%d threads, each with a member of its own, have the bits that each has alone",
       members);
    end_members(member, members, ensemble);
}

/* ---- failures ---------------------------------------------------------------------------------------------------- */

static void test_breaking(void)
{
    enum { COUNT_OF = 3 };
    struct member member[COUNT_OF];
    ew_advance part[COUNT_OF];
    ew_error error, alone;
    ew_ensemble *ensemble = new_ensemble();
    for (int k = 0; k < COUNT_OF; k++) {
        choose(&member[k], 0, 3);
        if (k == 1)
            member[k].problem.initial.formula = breaking;
    }
    run_alone(&member[0]);
    run_alone(&member[2]);
    ew_solver *broken = solver_on(&member[1], "omp", NULL);
    ok(ew_solver_advance(broken, INFINITY, STEPS, NULL, &alone) == EW_ESTATE, "a flow that breaks");
    for (int k = 0; k < COUNT_OF; k++) {
        member[k].solver = solver_on(&member[k], "cuda", ensemble);
        part[k] = (ew_advance){.solver = member[k].solver, .until = INFINITY, .max_steps = STEPS};
    }
    int status = ew_ensemble_advance(ensemble, COUNT_OF, part, 0, &error);
    ok(status == EW_OK && part[1].status == EW_ESTATE, "who breaks in an ensemble says so");
    is_str(part[1].error.message, alone.message, "... in the words that it has alone");
    is_int(ew_solver_steps(member[1].solver), ew_solver_steps(broken), "... after as many steps");
    ok(part[0].status == EW_OK && part[2].status == EW_OK && hash_of(member[0].solver) == member[0].alone &&
           hash_of(member[2].solver) == member[2].alone,
       "... and the others have the bits that they have alone");
    ew_solver_destroy(broken);
    end_members(member, COUNT_OF, ensemble);
}

static void test_refusals(void)
{
    struct member member;
    ew_error error;
    ew_ensemble *ensemble = new_ensemble(), *other = new_ensemble();
    choose(&member, 0, 1);
    member.solver = solver_on(&member, "cuda", ensemble);
    ew_advance one = {.solver = member.solver, .until = INFINITY, .max_steps = 1};
    ok(ew_ensemble_advance(other, 1, &one, 0, &error) == EW_EINVAL, "a solver of another ensemble is refused");
    contains(error.message, "is not of this ensemble", "... in words");
    ok(ew_ensemble_advance(ensemble, 1, &one, 2, &error) == EW_EINVAL, "more to stop than there are is refused");
    ok(ew_ensemble_advance(ensemble, 0, &one, 0, &error) == EW_EINVAL, "nobody to advance is refused");
    one.until = -1.0;
    ok(ew_ensemble_advance(ensemble, 1, &one, 0, &error) == EW_EINVAL, "a time that has passed is refused");
    end_members(&member, 1, ensemble);
    ew_ensemble_destroy(other);
    ew_ensemble_destroy(NULL);
}

#ifndef EW_REAL_GPU
/* The driver fails at such a call: sentences for all, or the bits that each has alone. */
static void test_driver(const char *failure, int expected)
{
    enum { COUNT_OF = 3 };
    struct member member[COUNT_OF];
    ew_advance part[COUNT_OF];
    ew_error error;
    ew_ensemble *ensemble = new_ensemble();
    bool good = true;
    for (int k = 0; k < COUNT_OF; k++) {
        choose(&member[k], 0, 2);
        run_alone(&member[k]);
        member[k].solver = solver_on(&member[k], "cuda", ensemble);
        part[k] = (ew_advance){.solver = member[k].solver, .until = INFINITY, .max_steps = STEPS};
    }
    setenv("FAKE_CUDA", failure, 1);
    int status = ew_ensemble_advance(ensemble, COUNT_OF, part, 0, &error);
    unsetenv("FAKE_CUDA");
    for (int k = 0; k < COUNT_OF; k++)
        good = good && part[k].status == expected &&
               (expected == EW_OK ? hash_of(member[k].solver) == member[k].alone : part[k].error.message[0] != '\0');
    ok(status == EW_OK && good, "\"%s\" while an ensemble steps: %s", failure,
       expected == EW_OK ? "each goes alone" : "each says so");
    end_members(member, COUNT_OF, ensemble);
}
#endif

int main(void)
{
    static struct member member[MEMBERS];
    ew_error error;
#ifndef EW_REAL_GPU
    load_fake_cuda();
#endif
    if (!ewi_backend_find("cuda")->usable(&error))
        skip_all(error.message);
    prepare();
    for (int k = 0; k < (long_checks() ? 40 : 6); k++)
        test_packing(member, k == 0 ? 1 : 2 + dice(MEMBERS - 1), 1 + k % 4 * 3, "cuda");
    test_packing(member, 12, 4, "omp");
    test_threads(member, long_checks() ? MEMBERS : 9);
    test_breaking();
    test_refusals();
#ifndef EW_REAL_GPU
    test_driver("cuMemAlloc_v2:2@1", EW_OK);
    test_driver("cuStreamCreate:2@1", EW_OK);
    test_driver("cuStreamBeginCapture_v2:1@1", EW_OK);
    test_driver("cuGraphLaunch:719@2", EW_EDEVICE);
    test_driver("cuStreamSynchronize:719@3", EW_EDEVICE);
#endif
    for (int k = 0; k < MESHES; k++)
        ew_mesh_destroy(mesh[k]);
    for (int variables = 1; variables < 5; variables++) {
        ew_formula_destroy(still[variables]);
        ew_formula_destroy(moving[variables]);
    }
    ew_formula_destroy(velocity);
    ew_formula_destroy(breaking);
    return done_testing();
}
