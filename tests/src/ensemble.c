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
#include "graded.h"
#include "helpers.h"

#include <inttypes.h>
#include <pthread.h>
#include <time.h>

enum { MESHES = 12, FIXED_MESHES = 6, GRADED_MESHES = 2, KINDS = 24, WITH_LEVELS = 18, MEMBERS = 40, STEPS = 9 };

static uint64_t random_state;

/* That of EW_SEED, if it is set; the long checks otherwise draw one. */
static void begin_random(void)
{
    const char *seed = getenv("EW_SEED");
    random_state = seed ? strtoull(seed, NULL, 10) : long_checks() ? (uint64_t)time(NULL) : 20261123;
    diag("seed %" PRIu64, random_state);
    random_state += random_state == 0;
}

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
    bool positivity, uniform_step;
    double steady;
    int levels; /* of time steps */
} kinds[KINDS] = {
    {"euler", "llf", "none", "ssprk33", 1, false, false, 0.0, 1},
    {"euler", "hllc", "barth-jespersen", "rk2", 1, true, false, 0.0, 1},
    {"euler", "llf", "oscillation-free", "ssprk33", 2, true, false, 0.0, 1},
    {"euler", "roe", "none", "ssprk54", 2, false, true, 0.0, 1},
    {"euler", "llf", "none", "rk4", 3, true, false, 1e-9, 1},
    {"euler", "llf", "oscillation-free", "ssprk33", 3, false, false, 0.0, 1},
    {"euler", "hllc", "none", "rk43", 4, false, false, 0.0, 1},
    {"euler", "llf", "none", "ssprk33", 5, false, false, 0.0, 1},
    {"shallow-water", "llf", "none", "ssprk33", 2, true, false, 0.0, 1},
    {"acoustics", "llf", "none", "ssprk22", 3, false, false, 0.0, 1},
    {"advection", "llf", "none", "rk4", 1, false, false, 0.0, 1},
    {"shallow-water", "llf", "oscillation-free", "ssprk32", 2, false, false, 0.0, 1},
    {"acoustics-media", "upwind", "none", "ssprk33", 2, false, false, 0.0, 1},
    {"maxwell-tm-media", "upwind", "none", "rk4", 1, false, false, 0.0, 1},
    {"navier-stokes", "hllc", "barth-jespersen", "ssprk54", 1, true, false, 0.0, 1},
    {"navier-stokes", "llf", "oscillation-free", "ssprk33", 3, false, false, 0.0, 1},
    {"euler", "llf", "subcell", "ssprk33", 2, true, false, 0.0, 1},
    {"shallow-water", "llf", "subcell", "rk4", 3, true, false, 0.0, 1},
    {"euler", "llf", "none", "ssprk33", 1, false, false, 0.0, 3},
    {"euler", "hllc", "barth-jespersen", "rk2", 1, true, false, 0.0, EW_STEP_LEVELS_AUTO},
    {"euler", "llf", "oscillation-free", "rk4", 2, true, false, 0.0, 4},
    {"shallow-water", "llf", "none", "rk43", 3, false, false, 0.0, 4},
    {"acoustics", "llf", "none", "ssprk32", 2, false, false, 0.0, 5},
    {"navier-stokes", "llf", "none", "ssprk33", 2, false, false, 0.0, 3},
};
/* A law's parameter that has no default. */
static const ew_parameter viscosity = {"mu", 0.01};

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

/* Two for each number of variables, so that members of a launch have different ones. */
static const char *const source_texts[2][5][4] = {
    {[1] = {"0.1*sin(x + 9*t)*a"}, [3] = {"0", "0.1*y - 0.3*a", "0"}, [4] = {"0", "0", "-a", "-a*c"}},
    {[1] = {"y - a"}, [3] = {"0.1*t", "b + exp(-a)", "x < 0.5 ? 0.1 : c"},
     [4] = {"0.1*sin(x)", "-b", "0.1*t", "0.2*a"}},
};

static ew_mesh *mesh[MESHES];
static ew_formula *source[2][5], *still[5], *moving[5], *velocity, *medium[2], *breaking, *wavy, *level, *inflow[5];
static ew_boundary_curve low = {.kind = EW_CURVE_LEVEL}; /* near the bottom */

static void prepare(void)
{
    static const struct box boxes[FIXED_MESHES] = {
        {1, 1, 1.0, 1.0, 0.0, false}, {5, 4, 1.0, 1.0, 0.3, false}, {9, 7, 2.0, 1.0, 0.3, false},
        {12, 13, 1.0, 1.0, 0.3, false}, {6, 6, 1.0, 1.0, 0.2, true}, {11, 8, 2.0, 1.0, 0.2, true},
    };
    for (int k = 0; k < GRADED_MESHES; k++)
        mesh[MESHES - 1 - k] = graded_mesh(1.3 + 0.3 * k);
    for (int k = 0; k < MESHES - GRADED_MESHES; k++)
        mesh[k] = box(k < FIXED_MESHES ? boxes[k] : (struct box){3 + dice(9), 3 + dice(9), 1.0 + dice(3), 1.0,
                                                                 0.1 * dice(4), dice(2) == 0});
    for (int variables = 1; variables < 5; variables++)
        if (texts[variables][0]) {
            still[variables] = formula(variables, texts[variables]);
            moving[variables] = formula(variables, moving_texts[variables]);
            for (int k = 0; k < 2; k++)
                source[k][variables] = source_formula(variables, source_texts[k][variables]);
        }
    velocity = formula(2, (const char *const[]){"1 + 0.5*cos(2*y)", "0.3*sin(3*x)"});
    medium[0] = formula(2, (const char *const[]){"x < 0.5 ? 1 : 30", "1 + y"}); /* of members of one launch */
    medium[1] = formula(2, (const char *const[]){"2 + sin(9*x*y)", "y < 0.5 ? 3 : 1"});
    low.level.formula = wavy = formula(1, (const char *const[]){"y + 1e-3*sin(9*x)"});
    level = formula(1, (const char *const[]){"1 + 0.1*sin(20*t)"}); /* pressure or depth */
    inflow[3] = formula(1, (const char *const[]){"0.3 + 0.1*y"});
    inflow[4] = formula(2, (const char *const[]){"0.3 + 0.1*y", "1 + 0.3*sin(9*t)"});
    /* Nearly a vacuum behind waves that run apart: no scheme without positivity survives. */
    breaking = formula(4, (const char *const[]){"1", "x < 0.5 ? -20 : 20", "0", "1e-3"});
}

struct member {
    ew_problem problem;
    ew_boundary boundary[4];
    const ew_mesh *mesh;
    bool ends;    /* at a time of its own, and otherwise after STEPS */
    double until;
    uint64_t alone; /* what a run by itself gives: the hash, or how it breaks */
    int64_t alone_steps;
    int alone_status;
    char alone_sentence[sizeof((ew_error *)NULL)->message];
    ew_solver *solver;
    bool stopped;
};

static void choose(struct member *member, int kind, int on)
{
    int variables = ew_law_find(kinds[kind].law)->variables;
    *member = (struct member){.mesh = mesh[on], .until = INFINITY};
    member->problem = (ew_problem){
        .law = kinds[kind].law, .flux = kinds[kind].flux, .limiter = kinds[kind].limiter, .scheme = kinds[kind].scheme,
        .order = kinds[kind].order, .positivity = kinds[kind].positivity, .uniform_step = kinds[kind].uniform_step,
        .steady = kinds[kind].steady, .step_levels = kinds[kind].levels, .cfl = 0.2 + 0.01 * dice(10),
        .time = 0.1 * dice(3),
        .initial.formula = still[variables], .threads = 1,
        .outflow = on % 2,
    };
    if (strcmp(kinds[kind].law, "navier-stokes") == 0) {
        member->problem.parameter = &viscosity;
        member->problem.parameters = 1;
    }
    if (ew_law_find(kinds[kind].law)->fields)
        member->problem.field.formula = ew_law_find(kinds[kind].law)->media ? medium[dice(2)] : velocity;
    int with = dice(4);
    if (with < 2)
        member->problem.source.formula = source[with][variables];
    bool moves = dice(2) == 0;
    member->problem.boundaries = boundaries(mesh[on], "state",
                                            (ew_data){.formula = (moves ? moving : still)[variables]},
                                            member->boundary);
    if (variables > 1 && on % 2 && member->problem.boundaries == 4)
        member->boundary[0] = (ew_boundary){.name = member->boundary[0].name, .kind = "wall", .curve = &low};
    if (variables > 1 && on % 2 == 0 && member->problem.boundaries == 4)
        member->boundary[2].kind = "far", member->boundary[2].angle = 15.0 * (on % 6);
    bool flows = strcmp(kinds[kind].law, "euler") == 0 || strcmp(kinds[kind].law, "shallow-water") == 0;
    if (flows && on % 3 && member->problem.boundaries == 4) {
        member->boundary[1] =
            (ew_boundary){.name = member->boundary[1].name, .kind = "outlet", .state.formula = level};
        member->boundary[3] = (ew_boundary){.name = member->boundary[3].name, .kind = "inlet",
                                            .ghost = variables == 4 ? "mass-flow" : "discharge",
                                            .state.formula = inflow[variables]};
    }
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
    return hash + outflow_hash(solver);
}

/* Some of about as many steps as the others have. */
static void choose_end(struct member *member, ew_solver *solver)
{
    double dt;
    ew_error error;
    if (ew_solver_time_step(solver, &dt, &error))
        bail_out("no time step: %s", error.message);
    member->until = ew_solver_time(solver) + dt * 0.1 * (1 + dice(10 * STEPS));
}

static void run_alone(struct member *member)
{
    ew_error error = {0};
    ew_solver *solver = solver_on(member, "omp", NULL);
    if (member->ends)
        choose_end(member, solver);
    member->alone_status = ew_solver_advance(solver, member->until, STEPS, NULL, &error);
    memcpy(member->alone_sentence, error.message, sizeof error.message);
    member->alone_steps = ew_solver_steps(solver);
    if (member->alone_status == EW_OK)
        member->alone = hash_of(solver);
    else if (member->problem.initial.formula != breaking)
        bail_out("a flow does not run: %s", error.message);
    ew_solver_destroy(solver);
}

/* What it gave is that of the run by itself. */
static bool is_as_alone(struct member *member, int status, const ew_error *error)
{
    return status == member->alone_status && ew_solver_steps(member->solver) == member->alone_steps &&
           (status == EW_OK ? hash_of(member->solver) == member->alone
                            : strcmp(error->message, member->alone_sentence) == 0);
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
static int deal(struct member *member, int members, ew_advance *part, struct member **of)
{
    int count = 0;
    for (int k = 0; k < members; k++) {
        if (member[k].stopped || dice(3) == 0)
            continue;
        int64_t steps = 1 + dice(4), left = STEPS - ew_solver_steps(member[k].solver);
        of[count] = &member[k];
        part[count++] = (ew_advance){.solver = member[k].solver, .until = member[k].until,
                                     .max_steps = steps < left ? steps : left};
    }
    return count;
}

/* Who has stopped for good is compared with its run by itself; one that only had no more steps in this part goes on. */
static bool went(struct member **of, const ew_advance *part, int count)
{
    bool good = true;
    for (int k = 0; k < count; k++) {
        bool at_end = part[k].stop == EW_STOP_TIME || ew_solver_steps(of[k]->solver) == STEPS;
        of[k]->stopped = part[k].status != EW_OK || (part[k].stop != EW_STOP_NONE && at_end);
        good = good && (!of[k]->stopped || is_as_alone(of[k], part[k].status, &part[k].error));
    }
    return good;
}

static int count_going(const struct member *member, int members)
{
    int going = 0;
    for (int k = 0; k < members; k++)
        going += !member[k].stopped;
    return going;
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

/* Some have an end time; of those that may, one in eight breaks. */
static void choose_any(struct member *member, int kind)
{
    choose(member, kind, dice(MESHES));
    member->ends = dice(3) == 0;
    if (strcmp(kinds[kind].law, "euler") == 0 && !kinds[kind].positivity && dice(8) == 0)
        member->problem.initial.formula = breaking;
}

/* Few kinds make large groups, many small ones; one member leaves on the way and begins again. */
static void test_packing(struct member *member, int members, int first, int of_kinds, const char *backend)
{
    ew_advance part[MEMBERS];
    struct member *of[MEMBERS];
    ew_error error;
    bool good = true;
    int broken = 0;
    ew_ensemble *ensemble = new_ensemble();
    for (int k = 0; k < members; k++) {
        choose_any(&member[k], (first + dice(of_kinds)) % KINDS);
        run_alone(&member[k]);
        broken += member[k].alone_status != EW_OK;
        member[k].solver = solver_on(&member[k], backend, ensemble);
    }
    for (int round = 0; good && count_going(member, members) > 0; round++) {
        int count = deal(member, members, part, of), enough = count > 0 ? dice(count + 1) : 0;
        if (count > 0)
            good = ew_ensemble_advance(ensemble, count, part, enough, &error) == EW_OK && went(of, part, count);
        if (round == 1) {
            ew_solver_destroy(member[0].solver);
            member[0].solver = solver_on(&member[0], backend, ensemble);
            member[0].stopped = false;
        }
    }
    ok(good, "%s: %d members of %d kinds from \"%s, p = %d\" on, %d of which break, end as each does alone", backend,
       members, of_kinds, kinds[first].law, kinds[first].order, broken);
    end_members(member, members, ensemble);
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static void *live(void *argument)
{
    struct member *member = argument;
    ew_solver *snapshot = NULL;
    ew_error error;
    for (int64_t steps = 1, left; (left = STEPS - ew_solver_steps(member->solver)) > 0; steps = steps % 3 + 1) {
        int64_t some = steps < left ? steps : left;
        if (ew_solver_advance(member->solver, INFINITY, some, NULL, &error)) {
            diag("%s", error.message);
            break;
        }
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

/* With `call` refused, a new member can have the memory of one that has gone, and a second new one none. */
static void test_memory(const char *call)
{
    enum { GONE = 2, ONE_MORE, COUNT_OF };
    struct member member[COUNT_OF];
    ew_error error;
    ew_ensemble *ensemble = new_ensemble();
    for (int k = 0; k < COUNT_OF; k++) {
        choose(&member[k], 0, 3);
        run_alone(&member[k]);
        member[k].solver = k < ONE_MORE ? solver_on(&member[k], "cuda", ensemble) : NULL;
    }
    ew_solver_destroy(member[GONE].solver);
    setenv("FAKE_CUDA", call, 1);
    member[GONE].solver = solver_on(&member[GONE], "cuda", ensemble);
    member[ONE_MORE].problem.backend = "cuda";
    member[ONE_MORE].problem.ensemble = ensemble;
    int status = ew_solver_create(NULL, member[ONE_MORE].mesh, &member[ONE_MORE].problem, &member[ONE_MORE].solver,
                                  &error);
    unsetenv("FAKE_CUDA");
    ok(status != EW_OK, "\"%s\": one member more gets no memory", call);
    contains(error.message, "memory", "... in words");
    member[ONE_MORE].solver = solver_on(&member[ONE_MORE], "cuda", ensemble);
    for (int k = 0; k < COUNT_OF; k++)
        if (ew_solver_advance(member[k].solver, INFINITY, STEPS, NULL, &error))
            bail_out("a member does not run: %s", error.message);
    ok(equal_alone(member, COUNT_OF), "... and a member in memory of another has the bits that it has alone");
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
    begin_random();
    prepare();
    for (int k = 0; k < (long_checks() ? 40 : 6); k++)
        test_packing(member, k == 0 ? 1 : 2 + dice(MEMBERS - 1), dice(KINDS), 1 + k % 4 * 3, "cuda");
    for (int k = 0; k < (long_checks() ? 20 : 3); k++)
        test_packing(member, 2 + dice(MEMBERS - 1), WITH_LEVELS, 1 + 5 * k % (KINDS - WITH_LEVELS), "cuda");
    for (int k = 0; k < (long_checks() ? 10 : 2); k++)
        test_packing(member, k == 0 ? 12 : 2 + dice(MEMBERS - 1), dice(KINDS), 4, "omp");
    test_threads(member, long_checks() ? MEMBERS : 9);
    test_breaking();
    test_refusals();
#ifndef EW_REAL_GPU
    test_driver("cuMemAlloc_v2:2@1", EW_OK);
    test_driver("cuStreamCreate:2@1", EW_OK);
    test_driver("cuStreamBeginCapture_v2:1@1", EW_OK);
    test_driver("cuGraphLaunch:719@2", EW_EDEVICE);
    test_driver("cuStreamSynchronize:719@3", EW_EDEVICE);
    setenv("FAKE_CUDA", "ptx:80", 1); /* whose kernels do not wait for others by themselves */
    test_packing(member, 15, WITH_LEVELS, KINDS - WITH_LEVELS, "cuda");
    unsetenv("FAKE_CUDA");
    test_memory("cuMemAlloc_v2:2");
    test_memory("cuMemHostAlloc:2");
#endif
    for (int k = 0; k < MESHES; k++)
        ew_mesh_destroy(mesh[k]);
    for (int variables = 1; variables < 5; variables++) {
        ew_formula_destroy(source[0][variables]);
        ew_formula_destroy(source[1][variables]);
        ew_formula_destroy(still[variables]);
        ew_formula_destroy(moving[variables]);
    }
    ew_formula_destroy(velocity);
    ew_formula_destroy(breaking);
    ew_formula_destroy(wavy);
    ew_formula_destroy(level);
    ew_formula_destroy(inflow[3]);
    ew_formula_destroy(inflow[4]);
    return done_testing();
}
