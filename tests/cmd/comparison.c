/* SPDX-License-Identifier: BSD-2-Clause */
/* The comparison of "edgewise compare": differences, and only these, are found, counted and located. */
#include "compare.h"
#include "helpers.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* ---- words ------------------------------------------------------------------------------------------------------- */

static uint64_t distance(double a, double b)
{
    uint64_t there = cmd_ulp_distance(a, b), back = cmd_ulp_distance(b, a);
    return there == back ? there : UINT64_MAX - 1;
}

static void check_distances(void)
{
    static const struct {
        double a, b;
        uint64_t ulp;
    } table[] = {
        {1, 1, 0}, {1, 1 + 0x1p-52, 1}, {1, 1 - 0x1p-53, 1}, {0.0, -0.0, 0}, {-0x1p-1074, 0x1p-1074, 2},
        {0, 0x1p-1074, 1}, {1, 2, UINT64_C(1) << 52}, {-1, -2, UINT64_C(1) << 52},
        {0x1.fffffffffffffp+1023, INFINITY, 1}, {-INFINITY, INFINITY, 2 * UINT64_C(0x7ff0000000000000)},
        {NAN, 1, CMD_ULP_NAN}, {NAN, INFINITY, CMD_ULP_NAN}, {NAN, -NAN, 0},
    };
    for (int k = 0; k < COUNT(table); k++) {
        uint64_t got = distance(table[k].a, table[k].b);
        ok(got == table[k].ulp, "%g and %g are %" PRIu64 " ulp apart, not %" PRIu64, table[k].a, table[k].b,
           table[k].ulp, got);
    }
}

/* [3 items][2 variables][2 functions] */
static void check_words(void)
{
    double a[12], b[12];
    struct cmd_difference difference[2];
    for (int k = 0; k < 12; k++)
        a[k] = b[k] = k;
    cmd_compare_words(a, b, 3, 2, 2, difference);
    ok(difference[0].differing == 0 && difference[1].differing == 0, "equal arrays have no difference");
    is_int((int64_t)difference[1].words, 6, "and six words a variable");
    b[5] = nextafter(5, 9);
    b[9] = nextafter(nextafter(9, 0), 0);
    b[8] = nextafter(nextafter(8, 9), 9);
    b[7] = -0.0, a[7] = 0.0;
    cmd_compare_words(a, b, 3, 2, 2, difference);
    is_int((int64_t)difference[0].differing, 3, "three words of the first variable differ");
    is_int((int64_t)difference[0].ulp, 2, "by at most 2 ulp");
    is_int((int64_t)difference[0].index, 8, "first so in word 8");
    ok(difference[0].a == 8 && difference[0].b == b[8], "and their values are stored");
    ok(difference[1].differing == 1 && difference[1].ulp == 0 && difference[1].index == 7,
       "a zero's sign counts, but is no distance");
    a[1] = NAN, b[1] = -NAN;
    cmd_compare_words(a, b, 3, 2, 2, difference);
    is_int((int64_t)difference[0].differing, 3, "two NaNs are no difference");
    b[0] = NAN;
    cmd_compare_words(a, b, 3, 2, 2, difference);
    ok(difference[0].ulp == CMD_ULP_NAN && difference[0].index == 0, "nothing is further away than NaN");
}

/* ---- solvers ----------------------------------------------------------------------------------------------------- */

static void flow(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context;
    for (size_t i = 0; i < n; i++) {
        values[i] = 1 + 0.1 * x[i] * y[i] + t;
        values[n + i] = 0.2 * y[i];
        values[2 * n + i] = 0.1;
        values[3 * n + i] = 1 + 0.2 * x[i];
    }
}

static ew_mesh *make_mesh(void)
{
    ew_rectangle box = {.x1 = 1, .y1 = 1, .nx = 4, .ny = 5, .jitter = 0.4, .seed = 5};
    return mesh_of_rectangle(box);
}

static ew_solver *make_solver(const ew_mesh *mesh, const char *kernels)
{
    static const char *const names[] = {"bottom", "right", "top", "left"};
    ew_boundary boundary[4];
    for (int k = 0; k < 4; k++)
        boundary[k] = (ew_boundary){.name = names[k], .kind = "copy"};
    const ew_problem problem = {.order = 2, .initial = {.callback = flow, .variables = EW_X | EW_Y}, .boundaries = 4,
                                .boundary = boundary, .backend = "omp", .kernels = kernels, .threads = 1};
    ew_solver *solver;
    ew_error error;
    must(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error);
    return solver;
}

enum { ROWS = 24, ELEMENT = 17, ROW = 6 + 4 }; /* order 2: 6 functions; the second variable's fourth one */

/* Moves one coefficient to the next double. */
static void perturb(ew_solver *solver)
{
    double coefficients[40 * ROWS];
    ew_error error;
    must(ew_solver_get_coefficients(solver, coefficients, &error), &error);
    double *word = &coefficients[ELEMENT * ROWS + ROW];
    *word = nextafter(*word, INFINITY);
    must(ew_solver_set_coefficients(solver, coefficients, ew_solver_time(solver), ew_solver_steps(solver), &error),
         &error);
}

static const struct cmd_record *record_of(const struct cmd_comparison *comparison, const char *what)
{
    for (size_t k = 0; k < comparison->records; k++)
        if (strcmp(comparison->record[k].what, what) == 0)
            return &comparison->record[k];
    bail_out("there is no record of %s", what);
}

static void check_equal(const ew_mesh *mesh)
{
    ew_solver *reference = make_solver(mesh, "edgewise"), *with = make_solver(mesh, "fused");
    struct cmd_comparison comparison;
    ew_error error;
    cmd_comparison_begin(&comparison, mesh, reference, with);
    must(cmd_compare_states(&comparison, &error), &error);
    must(cmd_compare_kernels(&comparison, &error), &error);
    ok(cmd_comparison_passes(&comparison, NULL), "equal solvers pass");
    is_int((int64_t)record_of(&comparison, "state")->words, 40 * ROWS + 1,
           "every word of a state is compared, and the time");
    is_int((int64_t)record_of(&comparison, "eval_rhs")->words, 40 * ROWS, "and of a right-hand side");
    contains(record_of(&comparison, "eval_surface")->sentence, "has no surface integrals",
             "an output that one set lacks is reported");
    ok(!record_of(&comparison, "eval_surface")->one_sided, "and is no difference");
    cmd_comparison_end(&comparison);
    ew_solver_destroy(reference);
    ew_solver_destroy(with);
}

static void check_flipped_bit(const ew_mesh *mesh)
{
    ew_solver *reference = make_solver(mesh, "edgewise"), *with = make_solver(mesh, "edgewise");
    struct cmd_comparison comparison;
    ew_error error;
    uint64_t before, after, one = 1, none = 0;
    perturb(with);
    must(ew_solver_hash(with, &before, &error), &error);
    cmd_comparison_begin(&comparison, mesh, reference, with);
    must(cmd_compare_states(&comparison, &error), &error);
    const struct cmd_record *record = record_of(&comparison, "state");
    const struct cmd_compared *compared = &record->compared[1];
    ok(!cmd_comparison_passes(&comparison, NULL), "one bit of one word is found");
    ok(!cmd_comparison_passes(&comparison, &none) && cmd_comparison_passes(&comparison, &one), "and is 1 ulp");
    is_int((int64_t)record->differing, 1, "no other word differs");
    is_str(compared->name, "rho_u", "the variable is right");
    ok(compared->difference.differing == 1 && compared->element == ELEMENT && compared->basis == 4,
       "so are element and function");
    int64_t triangle[3 * 40];
    double xy[2 * 64];
    ew_mesh_get_triangles(mesh, triangle);
    ew_mesh_get_nodes(mesh, xy);
    const int64_t *node = triangle + 3 * ELEMENT;
    is_close(3 * compared->x, xy[2 * node[0]] + xy[2 * node[1]] + xy[2 * node[2]], 1e-14, "and the centroid's x");
    is_close(3 * compared->y, xy[2 * node[0] + 1] + xy[2 * node[1] + 1] + xy[2 * node[2] + 1], 1e-14, "and y");

    size_t differing = comparison.differing;
    must(cmd_compare_kernels(&comparison, &error), &error);
    is_int((int64_t)(comparison.differing - differing), 0, "kernels are given the same state, and do the same with it");
    is_int((int64_t)record_of(&comparison, "eval_surface")->words, 2 * 69 * ROWS, "all of them");
    must(ew_solver_hash(with, &after, &error), &error);
    ok(before == after, "the other state is as it was afterwards");
    cmd_comparison_end(&comparison);
    ew_solver_destroy(reference);
    ew_solver_destroy(with);
}

/* A wrong kernel's difference shows where the kernel acts: here the sides have different boundaries. */
static void check_wrong_kernel(const ew_mesh *mesh)
{
    static const char *const names[] = {"bottom", "right", "top", "left"};
    ew_boundary boundary[4];
    for (int k = 0; k < 4; k++)
        boundary[k] = (ew_boundary){.name = names[k], .kind = k == 1 ? "wall" : "copy"};
    const ew_problem problem = {.order = 2, .initial = {.callback = flow, .variables = EW_X | EW_Y}, .boundaries = 4,
                                .boundary = boundary, .backend = "omp", .kernels = "edgewise", .threads = 1};
    ew_solver *reference = make_solver(mesh, "edgewise"), *with;
    struct cmd_comparison comparison;
    ew_error error;
    must(ew_solver_create(NULL, mesh, &problem, &with, &error), &error);
    cmd_comparison_begin(&comparison, mesh, reference, with);
    must(cmd_compare_kernels(&comparison, &error), &error);
    is_int((int64_t)record_of(&comparison, "eval_volume")->differing, 0, "a wrong flux is not in the volume integrals");
    const struct cmd_compared *compared = &record_of(&comparison, "eval_surface")->compared[0];
    ok(compared->difference.differing > 0 && compared->difference.differing <= 5 * 6, "but in the surface integrals");
    ok(compared->edge >= 0 && compared->edge < 18 && compared->x > 0.75, "on the edges where it is");
    ok(record_of(&comparison, "update")->differing > 0 && record_of(&comparison, "time_step")->differing == 0,
       "and in the next state, but not in the time step");
    cmd_comparison_end(&comparison);
    ew_solver_destroy(reference);
    ew_solver_destroy(with);
}

static void check_stop(const ew_mesh *mesh)
{
    ew_solver *reference = make_solver(mesh, "edgewise"), *with = make_solver(mesh, "edgewise");
    struct cmd_comparison comparison;
    uint64_t most = CMD_ULP_NAN;
    cmd_comparison_begin(&comparison, mesh, reference, with);
    cmd_compare_one_sided(&comparison, "stop", "the %s stopped", "reference");
    ok(!cmd_comparison_passes(&comparison, NULL) && !cmd_comparison_passes(&comparison, &most),
       "what only one side does never passes");
    is_str(comparison.record[0].sentence, "the reference stopped", "and is reported");
    cmd_comparison_end(&comparison);
    ew_solver_destroy(reference);
    ew_solver_destroy(with);
}

/* ---- sides ------------------------------------------------------------------------------------------------------- */

static void check_sides(void)
{
    const ew_problem of = {
        .order = 3, .backend = "cuda", .kernels = "fused", .level = "avx512", .threads = 3, .device = 1, .tile = 8};
    struct cmd_side side = {0};
    is_int(cmd_side_parse(&side, "with", "omp,edgewise,scalar,threads=2,tile=-1", &of), 0, "a side in words");
    const ew_problem *problem = &side.problem;
    ok(strcmp(problem->backend, "omp") == 0 && strcmp(problem->kernels, "edgewise") == 0 &&
           strcmp(problem->level, "scalar") == 0 && problem->threads == 2 && problem->tile == -1 && !problem->image,
       "is what they say");
    is_int(problem->order, 3, "the rest is the case's");
    is_int(cmd_side_parse(&side, "with", "level=base", &of), 0, "a side in pairs");
    ok(strcmp(problem->backend, "omp") == 0 && !problem->kernels && strcmp(problem->level, "base") == 0 &&
           problem->threads == 3 && problem->tile == 0,
       "what it does not say is the default, but the case's threads");
    is_int(cmd_side_parse(&side, "with", "sm_20", &of), 0, "an image");
    ok(strcmp(problem->backend, "cuda") == 0 && strcmp(problem->image, "sm_20") == 0 && problem->device == 1,
       "is for the GPU");
    is_int(cmd_side_parse(&side, "with", "device=2", &of), 0, "a device");
    ok(strcmp(problem->backend, "cuda") == 0 && problem->device == 2, "is a GPU");
    static const char *const wrong[] = {
        "",           ",",          "omp,",   "opm",     "omp,cuda",           "edgewise,fused", "threads", "threads=",
        "threads=-1", "threads=1x", "tile=4", "tile=-2", "device=99999999999", "color=red",      "="};
    for (int k = 0; k < COUNT(wrong); k++)
        is_int(cmd_side_parse(&side, "with", wrong[k], &of), 64, "\"%s\" is refused", wrong[k]);
    free(side.words);
}

int main(void)
{
    ew_mesh *mesh = make_mesh();
    check_distances();
    check_words();
    check_equal(mesh);
    check_flipped_bit(mesh);
    check_wrong_kernel(mesh);
    check_stop(mesh);
    check_sides();
    ew_mesh_destroy(mesh);
    return done_testing();
}
