/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples at points that are expected: those that a GPU takes have the bits of the host's, of every law, order and
 * quantity, in both precisions, of solvers, of snapshots that are taken while steps go on, and of members of ensembles;
 * where it cannot take them, the host does.
 *
 * tests/cuda/samples runs the CUDA kernels on the host (tests/cuda/fake); tests/cuda/samples-gpu (EW_REAL_GPU) on a
 * GPU.
 */
#include "edgewise.h"
#include "ewi_backend.h"
#include "fake-cuda.h"
#include "helpers.h"
#include "flows.h"

#include <unistd.h>

enum { POINTS = 700, PARTS = 3, MOST = 2 * EW_MAX_VARIABLES + EW_MAX_DERIVED + 1 };

static ew_error error;

/* ---- flows and points -------------------------------------------------------------------------------------------- */

static ew_mesh *mesh;
static ew_formula *initial[6], *velocity, *medium;

/* The vacuum of the linear laws has numbers of all sizes, and a square root or an inverse of each. */
static void prepare(void)
{
    static const char *const one[] = {"exp(-900*((x - 0.5)^2 + y^2))"},
                      *const three[] = {"1 + 0.2*sin(3*x + y)", "exp(-900*x^2)", "exp(-700*y^2)"},
                      *const four[] = {"1 + 0.2*sin(3*x + y)", "0.3*cos(2*y)", "exp(-900*x*x)", "1 + 0.1*cos(x + 2*y)"},
                      *const water[] = {"x < 0.6 ? 1 : 0", "0", "0", "0.1*sin(19*x)*sin(23*y) + (x > 1.2)", "0"},
                      *const media[] = {"x < 0.7 ? 1.3 : 50", "2 + sin(7*x*y)"},
                      *const both[] = {"1 + 0.5*cos(2*y)", "0.3*sin(3*x)"};
    mesh = box((struct box){9, 7, 2.0, 1.0, 0.3, true});
    initial[1] = formula(1, one);
    initial[3] = formula(3, three);
    initial[4] = formula(4, four);
    initial[5] = formula(5, water);
    velocity = formula(2, both);
    medium = formula(2, media);
}

static ew_problem problem_of(const char *law, int order)
{
    const ew_law *of = ew_law_find(law);
    return (ew_problem){.law = law, .backend = "cuda", .order = order, .scheme = "ssprk33",
                        .limiter = order == 1 && !of->media && of->variables < 5 ? "barth-jespersen" : "none",
                        .initial.formula = initial[of->variables],
                        .field.formula = of->media ? medium : of->fields ? velocity : NULL};
}

static ew_solver *solver_of(const ew_problem *problem)
{
    ew_solver *solver;
    must(ew_solver_create(NULL, mesh, problem, &solver, &error), &error);
    return solver;
}

static struct points {
    int32_t element[POINTS];
    double rs[2 * POINTS];
} points_at;

/* One in seven is outside; corners and sides are points, too. */
static void scatter(void)
{
    uint64_t random = 20261124;
    for (int k = 0; k < POINTS; k++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        double r = (double)(random >> 40) / (1 << 24), s = (double)(random >> 16 & 0xffffff) / (1 << 24);
        points_at.element[k] = k % 7 == 3 ? -1 : (int32_t)(random >> 33) % (int32_t)elements_of(mesh);
        points_at.rs[2 * k] = k % 11 == 0 ? 0 : r + s > 1 ? 1 - r : r;
        points_at.rs[2 * k + 1] = k % 13 == 0 ? 0 : r + s > 1 ? 1 - s : s;
    }
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

struct values {
    int outputs, output[MOST];
    bool single;
    _Alignas(double) char bytes[MOST * POINTS * sizeof(double)];
};

static void choose(struct values *values, const ew_law *law, bool single)
{
    memset(values, 0, sizeof *values);
    values->single = single;
    for (int k = 0; ew_law_output(law, k, NULL); k++)
        values->output[values->outputs++] = k;
}

/* In parts, as rows of a raster are asked for. */
static void sample_all(ew_solver *solver, struct values *values)
{
    size_t real = values->single ? sizeof(float) : sizeof(double);
    for (int part = 0; part < PARTS; part++) {
        int64_t from = part * (POINTS / PARTS), to = part == PARTS - 1 ? POINTS : from + POINTS / PARTS;
        void *column[MOST];
        for (int k = 0; k < values->outputs; k++)
            column[k] = values->bytes + ((size_t)k * POINTS + (size_t)from) * real;
        must(ew_solver_sample_points(solver, to - from, points_at.element + from, points_at.rs + 2 * from,
                                     values->outputs, values->output, values->single, column, &error), &error);
    }
}

static struct values reference, taken;

static bool are_the_same(void)
{
    return memcmp(reference.bytes, taken.bytes, sizeof taken.bytes) == 0;
}

static void expect_all(ew_solver *solver, const struct values *values)
{
    must(ew_solver_expect_points(solver, POINTS, points_at.element, points_at.rs, values->outputs, values->output,
                                 values->single, &error), &error);
}

/* Only what has been sampled before does not see that points move, which they must not otherwise. */
static bool are_sampled_before(ew_solver *solver)
{
    struct points right = points_at;
    for (int k = 0; k < POINTS; k++)
        points_at.element[k] = -1;
    taken.outputs -= strcmp(ew_law_output(ew_law_find("euler"), taken.output[taken.outputs - 1], NULL), "limiter") == 0;
    reference.outputs = taken.outputs;
    sample_all(solver, &taken);
    points_at = right;
    bool same = memcmp(reference.bytes, taken.bytes, (size_t)taken.outputs * POINTS *
                       (taken.single ? sizeof(float) : sizeof(double))) == 0;
    return same;
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

static void test_bits(const char *law, int order, const char *kernels, bool single)
{
    ew_problem problem = problem_of(law, order);
    problem.kernels = kernels;
    ew_solver *solver = solver_of(&problem), *snapshot = NULL;
    choose(&reference, ew_law_find(law), single);
    choose(&taken, ew_law_find(law), single);
    must(ew_solver_advance(solver, INFINITY, 3, NULL, &error), &error);
    sample_all(solver, &reference);
    expect_all(solver, &taken);
    sample_all(solver, &taken);
    bool present = are_the_same();
    memset(taken.bytes, 0, sizeof taken.bytes);
    must(ew_solver_snapshot(solver, taken.outputs, taken.output, &snapshot, &error), &error);
    must(ew_solver_advance(solver, INFINITY, 2, NULL, &error), &error);
    sample_all(snapshot, &taken);
    bool before = are_the_same();
    choose(&reference, ew_law_find(law), single);
    must(ew_solver_expect_points(solver, 0, NULL, NULL, 0, NULL, 0, &error), &error);
    sample_all(solver, &reference);
    expect_all(solver, &taken);
    must(ew_solver_snapshot(solver, taken.outputs, taken.output, &snapshot, &error), &error);
    must(ew_solver_advance(solver, INFINITY, 1, NULL, &error), &error);
    sample_all(snapshot, &taken);
    ok(present && before && are_the_same(), "%s, p = %d, %s, %s precision: %d quantities have the host's bits", law,
       order, kernels, single ? "single" : "double", taken.outputs);
    ew_solver_destroy(snapshot);
    ew_solver_destroy(solver);
}

static void test_laws(void)
{
    static const char *const laws[] = {"euler",     "advection",       "shallow-water",    "maxwell-tm",
                                       "acoustics", "acoustics-media", "maxwell-tm-media"};
    for (size_t l = 0; l < COUNT(laws); l++)
        for (int order = 1; order <= EW_MAX_ORDER; order++)
            test_bits(laws[l], order, (order + (int)l) % 2 ? "fused" : "edgewise", (order / 2 + (int)l) % 2);
    for (int order = 1; order <= EW_MAX_ORDER; order++)
        test_bits("shallow-water-bed", order, "edgewise", order % 2);
}

static void test_refusals(void)
{
    ew_problem problem = problem_of("euler", 1);
    ew_solver *solver = solver_of(&problem), *snapshot = NULL;
    int wrong[] = {77}, right[] = {0};
    int32_t far[] = {0, 10000};
    is_int(ew_solver_expect_points(solver, 2, far, points_at.rs, 1, right, 0, &error), EW_EINVAL,
           "an element that there is not");
    contains(error.message, "point 1 is to be in element 10000; the mesh has 126", "... the sentence");
    is_int(ew_solver_expect_points(solver, 2, points_at.element, points_at.rs, 1, wrong, 0, &error), EW_EINVAL,
           "a quantity that there is not");
    contains(error.message, "has no quantity 77", "... the sentence");
    is_int(ew_solver_expect_points(solver, 2, NULL, points_at.rs, 1, right, 0, &error), EW_EINVAL, "no elements");
    is_int(ew_solver_expect_points(solver, -1, points_at.element, points_at.rs, 1, right, 0, &error), EW_EINVAL,
           "less points than none");
    must(ew_solver_snapshot(solver, 0, NULL, &snapshot, &error), &error);
    is_int(ew_solver_expect_points(snapshot, 2, points_at.element, points_at.rs, 1, right, 0, &error), EW_EINVAL,
           "a snapshot");
    ew_solver_destroy(snapshot);
    ew_solver_destroy(solver);
}

static void test_members(void)
{
    enum { MEMBERS = 3 };
    ew_ensemble *ensemble;
    ew_advance member[MEMBERS];
    ew_solver *snapshot[MEMBERS] = {NULL};
    bool same = true, before = true;
    must(ew_ensemble_create(NULL, &ensemble, &error), &error);
    for (int k = 0; k < MEMBERS; k++) {
        ew_problem problem = problem_of("euler", 2);
        problem.cfl = 0.1 * (k + 1);
        problem.ensemble = ensemble;
        member[k] = (ew_advance){.solver = solver_of(&problem), .until = INFINITY, .max_steps = 4};
        choose(&taken, ew_law_find("euler"), true);
        expect_all(member[k].solver, &taken);
    }
    for (int rounds = 0; rounds < 2; rounds++) {
        must(ew_ensemble_advance(ensemble, MEMBERS, member, MEMBERS, &error), &error);
        for (int k = 0; rounds == 0 && k < MEMBERS; k++)
            must(ew_solver_snapshot(member[k].solver, 0, NULL, &snapshot[k], &error), &error);
    }
    for (int k = 0; k < MEMBERS; k++) {
        ew_problem problem = problem_of("euler", 2);
        problem.cfl = 0.1 * (k + 1);
        ew_solver *alone = solver_of(&problem);
        must(ew_solver_advance(alone, INFINITY, 4, NULL, &error), &error);
        choose(&reference, ew_law_find("euler"), true);
        choose(&taken, ew_law_find("euler"), true);
        reference.outputs = --taken.outputs; /* not "limiter" */
        sample_all(alone, &reference);
        sample_all(snapshot[k], &taken);
        same = same && are_the_same();
        before = before && are_sampled_before(snapshot[k]);
        ew_solver_destroy(alone);
    }
    ok(same, "members of an ensemble have the samples that they have alone");
    ok(before, "... which the GPU has taken");
    for (int k = 0; k < MEMBERS; k++) {
        ew_solver_destroy(snapshot[k]);
        ew_solver_destroy(member[k].solver);
    }
    ew_ensemble_destroy(ensemble);
}

#ifndef EW_REAL_GPU
static void ask(const char *rule)
{
    setenv("FAKE_CUDA", rule, 1);
}

/* `rule`: what fails, from when points are expected until the snapshot is there. */
static void test_without(const char *rule, bool by_gpu, const char *what)
{
    ew_problem problem = problem_of("euler", 2);
    ew_solver *solver = solver_of(&problem), *snapshot = NULL;
    choose(&reference, ew_law_find("euler"), false);
    choose(&taken, ew_law_find("euler"), false);
    must(ew_solver_advance(solver, INFINITY, 2, NULL, &error), &error);
    sample_all(solver, &reference);
    ask(rule);
    expect_all(solver, &taken);
    must(ew_solver_snapshot(solver, taken.outputs, taken.output, &snapshot, &error), &error);
    ask("");
    must(ew_solver_advance(solver, INFINITY, 2, NULL, &error), &error);
    sample_all(snapshot, &taken);
    ok(are_the_same(), "a snapshot's samples%s", what);
    ok(are_sampled_before(snapshot) == by_gpu, "... are %s", by_gpu ? "the GPU's" : "the host's");
    ew_solver_destroy(snapshot);
    ew_solver_destroy(solver);
}

static void test_lost(const char *rule, const char *what)
{
    ew_problem problem = problem_of("euler", 1);
    ew_solver *solver = solver_of(&problem), *snapshot = NULL;
    choose(&taken, ew_law_find("euler"), false);
    ask(rule);
    int status = ew_solver_expect_points(solver, POINTS, points_at.element, points_at.rs, taken.outputs, taken.output,
                                         0, &error);
    if (status == EW_OK)
        status = ew_solver_snapshot(solver, 0, NULL, &snapshot, &error);
    is_int(status, EW_EDEVICE, "%s", what);
    contains(error.message, "resume from the last restart file", "... in a sentence");
    ask("");
    ew_solver_destroy(snapshot);
    ew_solver_destroy(solver);
}

static void test_no_memory(void)
{
    struct memory memory = {0};
    const ew_host host = memory_host(&memory);
    ew_problem problem = problem_of("euler", 1);
    ew_solver *solver, *snapshot = NULL;
    int wrong = 0;
    must(ew_solver_create(&host, mesh, &problem, &solver, &error), &error);
    choose(&reference, ew_law_find("euler"), true);
    choose(&taken, ew_law_find("euler"), true);
    sample_all(solver, &reference);
    for (int k = 0; k < 4; k++) {
        memory_allow(&memory, k);
        expect_all(solver, &taken);
        memory_allow(&memory, -1);
        must(ew_solver_snapshot(solver, taken.outputs, taken.output, &snapshot, &error), &error);
        sample_all(snapshot, &taken);
        wrong += !are_the_same();
        memory_allow(&memory, 0);
        sample_all(solver, &taken);
        wrong += !are_the_same();
        memory_allow(&memory, -1);
    }
    ew_solver_destroy(snapshot);
    ew_solver_destroy(solver);
    ok(wrong == 0 && memory.blocks == 0, "without the host's memory samples are the same, and nothing is left behind");
}
#endif

int main(void)
{
#ifndef EW_REAL_GPU
    load_fake_cuda();
#endif
    if (!ewi_backend_find("cuda")->usable(&error))
        skip_all(error.message);
    prepare();
    scatter();
    test_laws();
    test_refusals();
    test_members();
#ifndef EW_REAL_GPU
    test_without("", true, "");
    test_without("cuMemAlloc_v2:2", false, " without memory on the device");
    test_without("cuMemHostAlloc:2@2", false, " without page-locked memory for them");
    test_without("cuMemHostAlloc:2", false, " without page-locked memory at all");
    test_without("cuStreamCreate:2", false, " without a stream");
    test_lost("cuMemcpyHtoDAsync_v2:719", "a GPU that is lost when points are uploaded");
    test_lost("cuLaunchKernel:719@2", "a GPU that is lost when a snapshot is sampled");
    test_no_memory();
#endif
    ew_formula_destroy(velocity);
    for (int k = 0; k < 6; k++)
        ew_formula_destroy(initial[k]);
    ew_mesh_destroy(mesh);
    return done_testing();
}
