/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Wrong arguments of every public function: pointers that are NULL, counts that are negative or larger than can be,
 * enums beyond their last, numbers that are none. Each is refused with a sentence, and nothing dies.
 */
#include "edgewise-plot.h"
#include "small-case.h"
#include "tap.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#define HUGE_COUNT ((int64_t)1 << 62)

static void refused(int status, int expected, const char *what)
{
    bool sentence = strlen(error.message) > 15 && !strstr(error.message, "(null)") && error.code == expected;
    ok(status == expected && sentence, "%s: %s", what, error.message);
    error = (ew_error){0};
}

/* A call whose text is the test's name. */
#define WRONG(...) refused(__VA_ARGS__, EW_EINVAL, #__VA_ARGS__)
/* A struct that is right but for one member. */
#define SPOILT(type, right, change, ...)                 \
    do {                                                 \
        type it = right;                                 \
        change;                                          \
        refused(__VA_ARGS__, EW_EINVAL, #type ": " #change); \
    } while (0)

static const double nan_[2] = {NAN, NAN};
static const char *const no_name[] = {NULL};
static const char *const one_name[] = {"wall"};

/* ---- formulas ---------------------------------------------------------------------------------------------------- */

static void check_rasters(ew_scope *scope)
{
    static const double axis[] = {0, 1}, values[] = {1, 2, 3, 4};
    const ew_raster_data good = {.columns = 2, .rows = 2, .x = axis, .y = axis, .values = values};
    ew_raster_data raster = good;
    WRONG(ew_scope_add_raster(NULL, "a", NULL, &good, &error));
    WRONG(ew_scope_add_raster(scope, NULL, NULL, &good, &error));
    WRONG(ew_scope_add_raster(scope, "a", NULL, NULL, &error));
    WRONG(ew_scope_add_raster(scope, "", NULL, &good, &error));
    WRONG(ew_scope_add_raster(scope, "a'b", NULL, &good, &error));
    WRONG(ew_scope_add_raster(scope, "a", "", &good, &error));
    expect(ew_scope_add_raster(scope, "a", NULL, &good, &error), "a raster");
    WRONG(ew_scope_add_raster(scope, "a", NULL, &good, &error));
    raster.columns = INT32_MAX;
    raster.rows = INT32_MAX;
    WRONG(ew_scope_add_raster(scope, "b", NULL, &raster, &error));
    raster = good;
    raster.x = NULL;
    WRONG(ew_scope_add_raster(scope, "b", NULL, &raster, &error));
    raster = good;
    raster.times = 1;
    WRONG(ew_scope_add_raster(scope, "b", NULL, &raster, &error));
    WRONG(ew_scope_find_rasters(NULL, NULL, NULL, &error));
    expect(ew_scope_find_rasters(scope, NULL, NULL, &error), "no finder");
    ok(ew_raster_hash(NULL) == 0, "no raster has no hash");
}

static void check_formulas(void)
{
    ew_scope *scope;
    ew_formula *formula = NULL;
    const char *const x[] = {"x"};
    WRONG(ew_scope_create(NULL, NULL, &error));
    expect(ew_scope_create(NULL, &scope, &error), "a scope");
    WRONG(ew_scope_set(NULL, "a", 1, &error));
    WRONG(ew_scope_set(scope, NULL, 1, &error));
    WRONG(ew_scope_define(NULL, "a", "1", &error));
    WRONG(ew_scope_define(scope, NULL, "1", &error));
    WRONG(ew_scope_define(scope, "a", NULL, &error));
    WRONG(ew_formula_create(scope, 1, NULL, &formula, &error));
    WRONG(ew_formula_create(scope, 1, no_name, &formula, &error));
    WRONG(ew_formula_create(scope, 1, x, NULL, &error));
    WRONG(ew_formula_create(scope, 0, x, &formula, &error));
    WRONG(ew_formula_create(scope, -1, x, &formula, &error));
    WRONG(ew_formula_create(scope, INT32_MAX, x, &formula, &error));
    check_rasters(scope);
    ew_scope_destroy(scope);
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static ew_mesh_data square(void)
{
    static const double xy[] = {0, 0, 1, 0, 1, 1, 0, 1};
    static const int64_t triangle[] = {0, 1, 2, 0, 2, 3}, line[] = {0, 1, 1, 2, 2, 3, 3, 0};
    static const int32_t line_name[] = {0, 0, 0, 0};
    return (ew_mesh_data){.nodes = 4, .xy = xy, .triangles = 2, .triangle = triangle, .lines = 4, .line = line,
                          .line_name = line_name, .names = 1, .name = one_name};
}

static int create(const ew_mesh_data *data, int expected)
{
    ew_mesh *mesh = NULL;
    int status = ew_mesh_create(NULL, data, &mesh, &error);
    ew_mesh_destroy(mesh);
    /* either code will do here */
    return status == expected && expected == EW_EMESH ? (error.code = EW_EINVAL) : status;
}

#define DATA(change) SPOILT(ew_mesh_data, square(), change, create(&it, EW_EINVAL))
#define MESH(change) SPOILT(ew_mesh_data, square(), change, create(&it, EW_EMESH))

static void check_mesh_data(void)
{
    static const int64_t negative[] = {0, 1, -2, 0, 2, 3}, large[] = {0, 1, INT64_MAX, 0, 2, 3},
                         far_line[] = {0, 1, 1, 2, 2, 3, 3, 77};
    static const int32_t name_5[] = {0, 0, 0, 5}, name_less[] = {0, 0, 0, -5};
    static const ew_periodic nameless = {0}, distant = {.first = "wall", .second = "wall", .dx = NAN};
    ew_mesh *mesh;
    WRONG(ew_mesh_create(NULL, NULL, &mesh, &error));
    SPOILT(ew_mesh_data, square(), (void)0, ew_mesh_create(NULL, &it, NULL, &error));
    DATA(it.nodes = -1);
    DATA(it.triangles = -1);
    DATA(it.lines = -1);
    DATA(it.names = -1);
    DATA(it.periodics = -1);
    DATA(it.names = INT32_MAX);
    DATA((it.periodics = INT32_MAX, it.periodic = &nameless));
    DATA(it.xy = NULL);
    DATA(it.triangle = NULL);
    DATA(it.line = NULL);
    DATA(it.line_name = NULL);
    DATA(it.name = NULL);
    DATA(it.name = no_name);
    DATA(it.periodics = 1);
    MESH(it.nodes = 0);
    MESH(it.nodes = HUGE_COUNT);
    MESH(it.triangles = 0);
    MESH(it.triangles = HUGE_COUNT);
    MESH(it.lines = HUGE_COUNT);
    MESH(it.triangle = negative);
    MESH(it.triangle = large);
    MESH(it.line = far_line);
    MESH(it.line_name = name_5);
    MESH(it.line_name = name_less);
    MESH((it.periodics = 1, it.periodic = &nameless));
    MESH((it.periodics = 1, it.periodic = &distant));
    double xy[8] = {0, 0, NAN, 0, 1, 1, 0, 1};
    MESH(it.xy = xy);
    xy[2] = INFINITY;
    MESH(it.xy = xy);
}

static ew_rectangle rectangle(void)
{
    static const ew_side_part side[4] = {{"bottom", 0, 1}, {"right", 0, 1}, {"top", 0, 1}, {"left", 0, 1}};
    return (ew_rectangle){.x1 = 1, .y1 = 1, .nx = 2, .ny = 2,
                          .side = {{1, &side[0]}, {1, &side[1]}, {1, &side[2]}, {1, &side[3]}}};
}

static int rectangle_both_ways(const ew_rectangle *box)
{
    ew_mesh *mesh = NULL;
    ew_mesh_info info;
    int status = ew_mesh_rectangle(NULL, box, &mesh, &error);
    ew_mesh_destroy(mesh);
    return status == EW_EINVAL ? ew_rectangle_info(NULL, box, &info, &error) : status;
}

#define RECTANGLE(change) SPOILT(ew_rectangle, rectangle(), change, rectangle_both_ways(&it))

static void check_rectangles(void)
{
    static const ew_side_part nameless = {NULL, 0, 1}, nowhere = {"top", NAN, 1};
    ew_mesh *mesh;
    ew_mesh_info info;
    ew_rectangle right = rectangle();
    WRONG(ew_mesh_rectangle(NULL, NULL, &mesh, &error));
    WRONG(ew_mesh_rectangle(NULL, &right, NULL, &error));
    WRONG(ew_rectangle_info(NULL, NULL, &info, &error));
    WRONG(ew_rectangle_info(NULL, &right, NULL, &error));
    RECTANGLE(it.nx = -1);
    RECTANGLE(it.ny = 0);
    RECTANGLE(it.nx = it.ny = INT32_MAX);
    RECTANGLE(it.x1 = NAN);
    RECTANGLE(it.y0 = -INFINITY);
    RECTANGLE(it.jitter = NAN);
    RECTANGLE(it.jitter = -1);
    RECTANGLE(it.side[0].parts = 0);
    RECTANGLE(it.side[0].parts = SIZE_MAX);
    RECTANGLE(it.side[0].part = NULL);
    RECTANGLE(it.side[0].part = &nameless);
    RECTANGLE(it.side[2].part = &nowhere);
    RECTANGLE(it.periodics = -1);
    RECTANGLE(it.periodics = 1);
    RECTANGLE((it.periodics = INT32_MAX, it.periodic = &(ew_periodic){.first = "left", .second = "right"}));
}

static ew_boundary_curve circle(void)
{
    return (ew_boundary_curve){.boundary = "left", .kind = EW_CURVE_CIRCLE, .radius = 1};
}

static int refine(const ew_mesh *mesh, const ew_boundary_curve *curve)
{
    ew_mesh *fine = NULL;
    int status = ew_mesh_refine(NULL, mesh, 1, 1, curve, &fine, &error);
    ew_mesh_destroy(fine);
    return status;
}

#define CURVE(change) SPOILT(ew_boundary_curve, circle(), change, refine(mesh, &it))

static void check_meshes(const ew_mesh *mesh)
{
    ew_mesh *fine;
    ew_spline_info spline;
    int64_t element[2];
    int side[2];
    ok(ew_mesh_boundary(mesh, -1, NULL) == NULL && ew_mesh_boundary(mesh, INT32_MAX, NULL) == NULL,
       "boundaries that are not there");
    is_int(ew_mesh_boundary_edge(NULL, 0, element, side, NULL), EW_EINVAL, "a boundary edge of no mesh");
    is_int(ew_mesh_boundary_edge(mesh, -1, element, side, NULL), EW_EINVAL, "boundary edge -1");
    is_int(ew_mesh_boundary_edge(mesh, HUGE_COUNT, element, side, NULL), EW_EINVAL,
           "a boundary edge beyond the last one");
    is_int(ew_mesh_edge(NULL, 0, element, side), EW_EINVAL, "an edge of no mesh");
    is_int(ew_mesh_edge(mesh, -1, element, side), EW_EINVAL, "edge -1");
    is_int(ew_mesh_edge(mesh, HUGE_COUNT, element, side), EW_EINVAL, "an edge beyond the last one");
    is_int(ew_mesh_edge(mesh, 0, NULL, side), EW_EINVAL, "an edge without a place for its elements");
    is_int(ew_mesh_edge(mesh, 0, element, NULL), EW_EINVAL, "an edge without a place for its sides");
    WRONG(ew_mesh_refine(NULL, NULL, 1, 0, NULL, &fine, &error));
    WRONG(ew_mesh_refine(NULL, mesh, 1, 0, NULL, NULL, &error));
    WRONG(ew_mesh_refine(NULL, mesh, -1, 0, NULL, &fine, &error));
    WRONG(ew_mesh_refine(NULL, mesh, INT32_MAX, 0, NULL, &fine, &error));
    WRONG(ew_mesh_refine(NULL, mesh, 1, SIZE_MAX, NULL, &fine, &error));
    CURVE(it.boundary = NULL);
    CURVE(it.boundary = "nowhere");
    CURVE(it.kind = (enum ew_curve_kind)77);
    CURVE(it.kind = (enum ew_curve_kind)-1);
    CURVE(it.kind = EW_CURVE_NORMAL);
    CURVE(it.radius = NAN);
    CURVE(it.centre[1] = INFINITY);
    CURVE((it.kind = EW_CURVE_SPLINE, it.corner = NAN));
    CURVE((it.kind = EW_CURVE_SPLINE, it.corner = -1));
    WRONG(ew_mesh_spline(NULL, 0, 0, &spline, &error));
    WRONG(ew_mesh_spline(mesh, 0, 0, NULL, &error));
    WRONG(ew_mesh_spline(mesh, -1, 0, &spline, &error));
    WRONG(ew_mesh_spline(mesh, INT32_MAX, 0, &spline, &error));
    WRONG(ew_mesh_spline(mesh, 0, -1, &spline, &error));
    WRONG(ew_gmsh_read(NULL, NULL, NULL, &fine, &error));
    WRONG(ew_gmsh_read(NULL, "small.msh", NULL, NULL, &error));
    WRONG(ew_mesh_import(NULL, NULL, NULL, &fine, &error));
    WRONG(ew_mesh_import(NULL, "small.msh", NULL, NULL, &error));
}

/* ---- lists and laws ---------------------------------------------------------------------------------------------- */

static void check_lists(void)
{
    int there = 0;
    for (int list = -1; list < 100; list++)
        there += ew_list_name((enum ew_list)list, -1) || ew_list_name((enum ew_list)list, INT32_MAX) ||
                 ew_list_description((enum ew_list)list, INT32_MIN);
    is_int(there, 0, "no list has an entry before its first or beyond its last");
    ok(ew_law_find(NULL) == ew_law_find(EW_DEFAULT_LAW) && !ew_law_find(""),
       "no name is the default law, an empty one is none");
    ok(!ew_law_output(ew_law_find("euler"), -1, NULL) && !ew_law_output(ew_law_find("euler"), INT32_MAX, NULL) &&
           !ew_law_output(ew_law_find("euler"), INT32_MIN, NULL), "nor are quantities that no law has");
    ok(!ew_problem_output(NULL, 0, NULL) && !ew_problem_output(&(ew_problem){.quantities = 1}, 99, NULL) &&
           !ew_problem_output(&(ew_problem){.law = "none"}, 0, NULL) && !ew_solver_output(NULL, 0, NULL),
       "... or no problem, or no solver");
    ok(!ew_force_number(NULL, NULL, -1, NULL) && !ew_force_number(NULL, NULL, INT32_MAX, NULL),
       "nor numbers that no force has");
    ok(!ew_plot_map(-1) && !ew_plot_map(INT32_MAX), "nor colour maps");
    is_int(ew_device_describe(-1, (char[8]){0}, 8), 0, "nor GPU -1");
    is_int(ew_device_describe(0, NULL, 8), 0, "nor any GPU without a place for its description");
    is_int(ew_basis_values(0, 1, nan_, (double[64]){0}), EW_EINVAL, "a basis of order 0");
    is_int(ew_basis_values(INT32_MAX, 1, nan_, (double[64]){0}), EW_EINVAL, "a basis of too high an order");
    is_int(ew_basis_values(1, -1, nan_, (double[64]){0}), EW_EINVAL, "a basis at -1 points");
    is_int(ew_basis_values(1, 1, NULL, (double[64]){0}), EW_EINVAL, "a basis at no points");
    is_int(ew_basis_values(1, 1, nan_, NULL), EW_EINVAL, "a basis without a place for it");
}

/* ---- problems ---------------------------------------------------------------------------------------------------- */

static int solve(const ew_mesh *mesh, const ew_problem *problem)
{
    ew_solver *solver = NULL;
    int checked = ew_problem_check(NULL, mesh, problem, NULL, &error); /* which asks no backend */
    int status = ew_solver_create(NULL, mesh, problem, &solver, &error);
    ew_solver_destroy(solver);
    return checked == EW_OK ? status : checked;
}

#define PROBLEM(change) SPOILT(ew_problem, *problem, change, solve(mesh, &it))
/* A member that a boundary of kind "copy" does not have. */
#define BOUNDARY(change) SPOILT_BOUNDARY(problem->boundary[0], change)
#define WALL(change) SPOILT_BOUNDARY(((ew_boundary){.name = problem->boundary[0].name, .kind = "wall"}), change)
#define SPOILT_BOUNDARY(good, change)                         \
    do {                                                      \
        ew_boundary all[4], own = good;                       \
        memcpy(all, problem->boundary, sizeof all);           \
        change;                                               \
        all[0] = own;                                         \
        SPOILT(ew_problem, *problem, it.boundary = all, solve(mesh, &it)); \
    } while (0)

static void fill_nothing(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context, (void)n, (void)x, (void)y, (void)t, (void)values;
}

static void check_problems(const ew_mesh *mesh, const ew_problem *problem)
{
    static const ew_parameter nameless = {NULL, 1.4};
    const ew_boundary nothing = {0};
    const ew_boundary_curve round = {.kind = EW_CURVE_CIRCLE, .radius = 1}, none = {.kind = (enum ew_curve_kind)77};
    ew_solver *solver;
    ew_mesh_info info;
    ew_limits limits;
    ew_plan *plan = NULL;
    size_t bytes;
    ew_mesh_get_info(mesh, &info);
    WRONG(ew_problem_check(NULL, mesh, NULL, NULL, &error));
    WRONG(ew_solver_of_plan(NULL, problem, &solver, &error));
    WRONG(ew_solver_of_plan(&plan, problem, &solver, &error));
    WRONG(ew_solver_create(NULL, NULL, problem, &solver, &error));
    WRONG(ew_solver_create(NULL, mesh, NULL, &solver, &error));
    WRONG(ew_solver_create(NULL, mesh, problem, NULL, &error));
    WRONG(ew_solver_memory(NULL, problem, &bytes, NULL, &error));
    WRONG(ew_solver_memory(mesh, NULL, &bytes, NULL, &error));
    WRONG(ew_solver_memory(mesh, problem, NULL, NULL, &error));
    WRONG(ew_solver_memory_for(NULL, problem, &bytes, NULL, &error));
    WRONG(ew_solver_memory_for(&info, NULL, &bytes, NULL, &error));
    WRONG(ew_measure_limits(NULL, NULL, &limits, &error));
    WRONG(ew_measure_limits(NULL, problem, NULL, &error));
    SPOILT(ew_mesh_info, info, it.elements = -1, ew_solver_memory_for(&it, problem, &bytes, NULL, &error));
    SPOILT(ew_mesh_info, info, it.elements = HUGE_COUNT, ew_solver_memory_for(&it, problem, &bytes, NULL, &error));
    SPOILT(ew_mesh_info, info, it.nodes = -1, ew_solver_memory_for(&it, problem, &bytes, NULL, &error));
    SPOILT(ew_mesh_info, info, it.edges = HUGE_COUNT, ew_solver_memory_for(&it, problem, &bytes, NULL, &error));
    SPOILT(ew_mesh_info, info, it.boundary_edges = -1, ew_solver_memory_for(&it, problem, &bytes, NULL, &error));
    SPOILT(ew_mesh_info, info, it.boundaries = INT32_MAX, ew_solver_memory_for(&it, problem, &bytes, NULL, &error));
    PROBLEM(it.law = "");
    PROBLEM(it.parameters = 99);
    PROBLEM(it.parameters = SIZE_MAX);
    PROBLEM((it.parameters = 1, it.parameter = NULL));
    PROBLEM((it.parameters = 1, it.parameter = &nameless));
    PROBLEM(it.order = -1);
    PROBLEM(it.order = 77);
    PROBLEM(it.flux = "");
    PROBLEM(it.limiter = "");
    PROBLEM(it.scheme = "");
    PROBLEM(it.cfl = NAN);
    PROBLEM(it.steady = -INFINITY);
    PROBLEM(it.steady_orders = NAN);
    PROBLEM(it.initial = (ew_data){0});
    PROBLEM(it.time = NAN);
    PROBLEM(it.initial.callback = fill_nothing);
    PROBLEM(it.initial = ((ew_data){.callback = fill_nothing, .variables = 8}));
    PROBLEM(it.exact = ((ew_data){.formula = it.initial.formula, .callback = fill_nothing}));
    PROBLEM(it.field = it.initial);
    BOUNDARY(own.state = problem->initial);
    BOUNDARY(own.normal.callback = fill_nothing);
    BOUNDARY(own.curve = &round);
    WALL(own.curve = &none);
    WALL(own.curve = &round);
    PROBLEM(it.boundaries = SIZE_MAX);
    PROBLEM(it.boundary = NULL);
    PROBLEM((it.boundaries = 1, it.boundary = &nothing));
    PROBLEM(it.backend = "");
    PROBLEM((it.backend = "omp", it.kernels = ""));
    PROBLEM((it.backend = "omp", it.level = ""));
    PROBLEM((it.backend = "omp", it.image = ""));
    PROBLEM((it.backend = "omp", it.device = -1));
    PROBLEM(it.threads = -5);
    PROBLEM(it.threads = INT32_MAX);
    PROBLEM(it.tile = -99);
    PROBLEM(it.parts = -1);
    PROBLEM(it.parts = INT32_MAX);
    PROBLEM((it.backend = "cuda", it.devices = 1));
    PROBLEM((it.backend = "cuda", it.devices = -1));
    PROBLEM((it.backend = "cuda", it.devices = INT32_MAX, it.device_of_part = (const int[]){0}));
}

/* ---- solvers ----------------------------------------------------------------------------------------------------- */

enum { VALUES = 64 * 4 * 6 }; /* coefficients of the small case */

static void check_samples(ew_solver *solver)
{
    static const double rs[] = {0.2, 0.2};
    static const int none[] = {-1}, far[] = {9999}, rho[] = {0};
    static const int32_t first[] = {0}, last[] = {INT32_MAX};
    double v[VALUES];
    void *place[] = {v}, *nowhere[] = {NULL};
    ew_solver *snapshot = NULL;
    WRONG(ew_solver_sample(NULL, 0, 1, 1, rs, 0, v, &error));
    WRONG(ew_solver_sample(solver, -1, 1, 1, rs, 0, v, &error));
    WRONG(ew_solver_sample(solver, 1, INT64_MAX, 1, rs, 0, v, &error));
    WRONG(ew_solver_sample(solver, INT64_MAX, 1, 1, rs, 0, v, &error));
    WRONG(ew_solver_sample(solver, 0, -1, 1, rs, 0, v, &error));
    WRONG(ew_solver_sample(solver, 0, 1, -1, rs, 0, v, &error));
    WRONG(ew_solver_sample(solver, 0, 1, 1, NULL, 0, v, &error));
    WRONG(ew_solver_sample(solver, 0, 1, 1, rs, 0, NULL, &error));
    WRONG(ew_solver_sample_outputs(NULL, 0, 1, 1, rs, 1, rho, v, &error));
    WRONG(ew_solver_sample_outputs(solver, 0, 1, 1, rs, 1, none, v, &error));
    WRONG(ew_solver_sample_outputs(solver, 0, 1, 1, rs, 1, far, v, &error));
    WRONG(ew_solver_sample_outputs(solver, 0, 1, 1, rs, -1, rho, v, &error));
    WRONG(ew_solver_sample_outputs(solver, 0, 1, 1, rs, INT32_MAX, rho, v, &error));
    WRONG(ew_solver_sample_outputs(solver, 0, 1, 1, rs, 1, NULL, v, &error));
    WRONG(ew_solver_sample_outputs(solver, 0, 1, 1, NULL, 1, rho, v, &error));
    WRONG(ew_solver_sample_outputs(solver, 0, 1, 1, rs, 1, rho, NULL, &error));
    WRONG(ew_solver_sample_columns(NULL, 0, 1, 1, rs, 1, rho, 0, place, NULL, &error));
    WRONG(ew_solver_sample_columns(solver, 0, INT64_MAX, 1, rs, 1, rho, 0, place, NULL, &error));
    WRONG(ew_solver_sample_columns(solver, 0, 1, 1, NULL, 1, rho, 0, place, NULL, &error));
    WRONG(ew_solver_sample_columns(solver, 0, 1, 1, rs, 1, rho, 0, NULL, NULL, &error));
    WRONG(ew_solver_sample_columns(solver, 0, 1, 1, rs, 1, rho, 0, nowhere, NULL, &error));
    WRONG(ew_solver_sample_columns(solver, 0, 1, 1, rs, 0, NULL, 0, NULL, nowhere, &error));
    WRONG(ew_solver_sample_points(NULL, 1, first, rs, 1, rho, 0, place, &error));
    WRONG(ew_solver_sample_points(solver, -1, first, rs, 1, rho, 0, place, &error));
    WRONG(ew_solver_sample_points(solver, 1, NULL, rs, 1, rho, 0, place, &error));
    WRONG(ew_solver_sample_points(solver, 1, first, NULL, 1, rho, 0, place, &error));
    WRONG(ew_solver_sample_points(solver, 1, last, rs, 1, rho, 0, place, &error));
    WRONG(ew_solver_sample_points(solver, 1, first, rs, 1, far, 0, place, &error));
    WRONG(ew_solver_sample_points(solver, 1, first, rs, 1, rho, 0, NULL, &error));
    WRONG(ew_solver_sample_points(solver, 1, first, rs, 1, rho, 0, nowhere, &error));
    WRONG(ew_solver_sample_constant(NULL, 1, first, rs, 0, 0, v, &error));
    WRONG(ew_solver_sample_constant(solver, 1, first, rs, 0, 0, v, &error)); /* it varies */
    WRONG(ew_solver_sample_constant(solver, 1, first, rs, 99, 0, v, &error));
    WRONG(ew_solver_expect_points(NULL, 1, first, rs, 1, rho, 0, &error));
    WRONG(ew_solver_expect_points(solver, -1, first, rs, 1, rho, 0, &error));
    WRONG(ew_solver_expect_points(solver, 1, NULL, rs, 1, rho, 0, &error));
    WRONG(ew_solver_expect_points(solver, 1, first, NULL, 1, rho, 0, &error));
    WRONG(ew_solver_expect_points(solver, 1, last, rs, 1, rho, 0, &error));
    WRONG(ew_solver_expect_points(solver, 1, first, rs, 1, far, 0, &error));
    WRONG(ew_solver_expect_points(solver, 1, first, rs, 1, NULL, 0, &error));
    WRONG(ew_solver_expect_points(solver, 1, first, rs, INT32_MAX, rho, 0, &error));
    WRONG(ew_fields_expect_raster(NULL, solver, &error));
    WRONG(ew_solver_snapshot(NULL, 0, NULL, &snapshot, &error));
    WRONG(ew_solver_snapshot(solver, 0, NULL, NULL, &error));
    WRONG(ew_solver_snapshot(solver, -1, rho, &snapshot, &error));
    WRONG(ew_solver_snapshot(solver, 1, NULL, &snapshot, &error));
    WRONG(ew_solver_snapshot(solver, 1, far, &snapshot, &error));
    WRONG(ew_solver_snapshot(solver, INT32_MAX, rho, &snapshot, &error));
    WRONG(ew_solver_snapshot(solver, 0, NULL, &solver, &error));
}

static void check_states(ew_solver *solver)
{
    static const ew_moment start = {.dt = NAN, .change = NAN};
    double v[VALUES], broken[VALUES];
    uint64_t before, after;
    expect(ew_solver_hash(solver, &before, &error), "the hash");
    expect(ew_solver_get_coefficients(solver, v, &error), "the coefficients");
    for (int k = 0; k < VALUES; k++)
        broken[k] = NAN;
    WRONG(ew_solver_get_coefficients(NULL, v, &error));
    WRONG(ew_solver_get_coefficients(solver, NULL, &error));
    WRONG(ew_solver_set_coefficients(NULL, v, 0, 0, &error));
    WRONG(ew_solver_set_coefficients(solver, NULL, 0, 0, &error));
    WRONG(ew_solver_set_coefficients(solver, broken, 0, 0, &error));
    WRONG(ew_solver_set_coefficients(solver, v, NAN, 0, &error));
    WRONG(ew_solver_set_coefficients(solver, v, 0, -1, &error));
    WRONG(ew_solver_restore(NULL, 2, v, &start, &error));
    WRONG(ew_solver_restore(solver, 2, NULL, &start, &error));
    WRONG(ew_solver_restore(solver, 2, v, NULL, &error));
    WRONG(ew_solver_restore(solver, -1, v, &start, &error));
    WRONG(ew_solver_restore(solver, 9, v, &start, &error));
    SPOILT(ew_moment, start, it.time = INFINITY, ew_solver_restore(solver, 2, v, &it, &error));
    SPOILT(ew_moment, start, it.steps = -4, ew_solver_restore(solver, 2, v, &it, &error));
    SPOILT(ew_moment, start, it.dt = INFINITY, ew_solver_restore(solver, 2, v, &it, &error));
    SPOILT(ew_moment, start, it.dt = -1, ew_solver_restore(solver, 2, v, &it, &error));
    SPOILT(ew_moment, start, it.change = -1, ew_solver_restore(solver, 2, v, &it, &error));
    SPOILT(ew_moment, start, it.rate = 1, ew_solver_restore(solver, 2, v, &it, &error));
    SPOILT(ew_moment, start, it.largest_rate = NAN, ew_solver_restore(solver, 2, v, &it, &error));
    expect(ew_solver_hash(solver, &after, &error), "the hash");
    ok(before == after && ew_solver_time(solver) == 0, "what is refused leaves the solver as it was");
}

static void check_solvers(ew_solver *solver)
{
    ew_boundary_integrals integrals;
    ew_kernel_shape shape;
    ew_state_view view;
    ew_kernel_profile profile[EW_MAX_PROFILES];
    ew_norms norms;
    uint64_t hash;
    double v[VALUES], dt;
    int device;
    int profiles;
    WRONG(ew_solver_advance(NULL, 1, 1, NULL, &error));
    WRONG(ew_solver_advance(solver, NAN, 1, NULL, &error));
    WRONG(ew_solver_advance(solver, -1, 1, NULL, &error));
    WRONG(ew_solver_advance(solver, 1, -1, NULL, &error));
    WRONG(ew_solver_profile(NULL, 1, profile, &profiles, &error));
    WRONG(ew_solver_profile(solver, -1, profile, &profiles, &error));
    WRONG(ew_solver_profile(solver, 1, NULL, &profiles, &error));
    WRONG(ew_solver_profile(solver, 1, profile, NULL, &error));
    WRONG(ew_solver_time_step(NULL, &dt, &error));
    WRONG(ew_solver_time_step(solver, NULL, &error));
    WRONG(ew_solver_get_residual(NULL, v, &error));
    WRONG(ew_solver_get_residual(solver, NULL, &error));
    WRONG(ew_solver_view_state(NULL, &view, &error));
    WRONG(ew_solver_view_state(solver, NULL, &error));
    WRONG(ew_solver_view_device_state(NULL, &view, &device, &error));
    WRONG(ew_solver_view_device_state(solver, NULL, &device, &error));
    WRONG(ew_solver_view_device_state(solver, &view, NULL, &error));
    WRONG(ew_solver_get_means(NULL, v, &error));
    WRONG(ew_solver_get_means(solver, NULL, &error));
    WRONG(ew_solver_kernel_shape(NULL, "update", &shape, &error));
    WRONG(ew_solver_kernel_shape(solver, NULL, &shape, &error));
    WRONG(ew_solver_kernel_shape(solver, "", &shape, &error));
    WRONG(ew_solver_kernel_shape(solver, "update", NULL, &error));
    WRONG(ew_solver_get_kernel_output(NULL, "update", v, &error));
    WRONG(ew_solver_get_kernel_output(solver, NULL, v, &error));
    WRONG(ew_solver_get_kernel_output(solver, "update", NULL, &error));
    WRONG(ew_solver_boundary(NULL, 0, &integrals, &error));
    WRONG(ew_solver_boundary(solver, -1, &integrals, &error));
    WRONG(ew_solver_boundary(solver, INT32_MAX, &integrals, &error));
    WRONG(ew_solver_boundary(solver, 0, NULL, &error));
    WRONG(ew_solver_outflow(NULL, 0, v, &error));
    WRONG(ew_solver_outflow(solver, -1, v, &error));
    WRONG(ew_solver_outflow(solver, 0, NULL, &error));
    WRONG(ew_solver_outflow(solver, 0, v, &error)); /* the problem has no `outflow` */
    WRONG(ew_solver_get_edge_outflow(solver, v, &error));
    WRONG(ew_solver_get_edge_outflow(solver, NULL, &error));
    WRONG(ew_solver_set_edge_outflow(solver, v, &error));
    WRONG(ew_solver_set_edge_outflow(NULL, v, &error));
    WRONG(ew_solver_inflow(NULL, 0, &dt, &error));
    WRONG(ew_solver_inflow(solver, -1, &dt, &error));
    WRONG(ew_solver_inflow(solver, INT32_MAX, &dt, &error));
    WRONG(ew_solver_inflow(solver, 0, NULL, &error));
    WRONG(ew_solver_check_growth(NULL, &error));
    WRONG(ew_solver_norms(NULL, &norms, &error));
    WRONG(ew_solver_norms(solver, NULL, &error));
    WRONG(ew_solver_get_least(NULL, v, &error));
    WRONG(ew_solver_get_least(solver, NULL, &error));
    WRONG(ew_solver_hash(NULL, &hash, &error));
    WRONG(ew_solver_hash(solver, NULL, &error));
    check_samples(solver);
    check_states(solver);
}

/* ---- cases ------------------------------------------------------------------------------------------------------- */

static void check_cases(const ew_case *that)
{
    ew_case *other;
    ew_sweep *sweep;
    ew_mesh *mesh;
    ew_case_options options = {0};
    WRONG(ew_case_read(NULL, NULL, &options, &other, &error));
    WRONG(ew_case_read(NULL, "", &options, &other, &error));
    WRONG(ew_case_read(NULL, "small.cfg", &options, NULL, &error));
    SPOILT(ew_case_options, options, it.settings = SIZE_MAX, ew_case_read(NULL, "small.cfg", &it, &other, &error));
    SPOILT(ew_case_options, options, (it.settings = 1, it.setting = no_name),
           ew_case_read(NULL, "small.cfg", &it, &other, &error));
    SPOILT(ew_case_options, options, it.most_triangles = -1, ew_case_read(NULL, "small.cfg", &it, &other, &error));
    SPOILT(ew_case_options, options, it.member = -1, ew_case_read(NULL, "small.cfg", &it, &other, &error));
    SPOILT(ew_case_options, options, it.settings = SIZE_MAX, ew_case_check_settings(NULL, &it, &error));
    ok(ew_case_check_settings(NULL, NULL, NULL) == EW_OK, "no settings suit every case");
    WRONG(ew_case_check_text(NULL, NULL, &error));
    WRONG(ew_sweep_read(NULL, NULL, &options, &sweep, &error));
    WRONG(ew_sweep_read(NULL, "small.cfg", &options, NULL, &error));
    WRONG(ew_case_open_mesh(NULL, NULL, &mesh, &error));
    WRONG(ew_case_open_mesh(NULL, that, NULL, &error));
    is_close(ew_run_plan_next_frame(ew_case_plan(that), NAN), 1, 0,
             "after a time that is no number the next output is the end");
    is_close(ew_run_plan_next_frame(ew_case_plan(that), -INFINITY), 1, 0, "and so it is after minus infinity");
    ok(ew_run_plan_next_restart(ew_case_plan(that), NAN) == INFINITY, "and there is no next restart file");
    ok(ew_case_read(NULL, "nowhere.cfg", NULL, &other, NULL) != EW_OK, "nobody need ask why a call fails");
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static ew_export vtu(void)
{
    return (ew_export){.frames = 1};
}

/* Whatever writes or reads files. */
static void check_files(const ew_results *results, const ew_mesh *mesh)
{
    ew_fields *fields = NULL;
    ew_series *series = NULL;
    ew_plot plot = {0};
    ew_probe probe = {0};
    ew_chart chart = {0};
    double low, high;
    WRONG(ew_gmsh_read(NULL, NULL, NULL, NULL, &error));
    WRONG(ew_gmsh_write(NULL, NULL, EW_GMSH_41, 0, "small.msh", &error));
    WRONG(ew_gmsh_write(NULL, mesh, EW_GMSH_41, 0, NULL, &error));
    WRONG(ew_gmsh_write(NULL, mesh, (enum ew_gmsh_version)9, 0, "small.msh", &error));
    WRONG(ew_gmsh_write(NULL, mesh, (enum ew_gmsh_version)-1, 0, "small.msh", &error));
    WRONG(ew_plot_write(NULL, &plot, "small.png", NULL, &error));
    WRONG(ew_plot_write(results, NULL, "small.png", NULL, &error));
    WRONG(ew_plot_write(results, &plot, NULL, NULL, &error));
    WRONG(ew_plot_range(results, NULL, &low, &high, &error));
    WRONG(ew_probe_write(results, NULL, "small.csv", &error));
    WRONG(ew_probe_write(results, &probe, NULL, &error));
    WRONG(ew_probe_range(NULL, &probe, &low, &high, &error));
    WRONG(ew_chart_write(NULL, NULL, "small.png", &error));
    WRONG(ew_chart_write(NULL, &chart, NULL, &error));
    WRONG(ew_fields_create(NULL, NULL, NULL, NULL, &fields, &error));
    WRONG(ew_fields_create(NULL, "small.nc", NULL, NULL, NULL, &error));
    WRONG(ew_fields_write(NULL, NULL, &error));
    WRONG(ew_fields_close(NULL, NULL, &error));
    WRONG(ew_fields_resume(NULL, "small.nc", NULL, NULL, NULL, &fields, NULL, &error));
    WRONG(ew_series_create(NULL, "small.csv", NULL, NULL, -1, &series, &error));
    WRONG(ew_series_write(NULL, NULL, &error));
    WRONG(ew_series_close(NULL, "complete", &error));
    WRONG(ew_restart_write(NULL, NULL, NULL, NULL, NULL, &error));
    WRONG(ew_restart_read(NULL, NULL, NULL, NULL, NULL, &error));
    WRONG(ew_series_body_force(NULL, NULL, NULL, &error));
}

#define EXPORT(change) SPOILT(ew_export, vtu(), change, ew_export_write(results, &it, "small.vtu", &error))

static void check_exports(const ew_results *results)
{
    static const int far[] = {9999}, negative[] = {-1};
    static const double time[] = {0};
    const ew_export right = vtu();
    WRONG(ew_export_write(NULL, &right, "small.vtu", &error));
    WRONG(ew_export_write(results, NULL, "small.vtu", &error));
    WRONG(ew_export_write(results, &right, NULL, &error));
    EXPORT((it.format = EW_EXPORT_CSV, it.lagrange = 1));
    EXPORT(it.format = (enum ew_export_format)9);
    EXPORT(it.format = (enum ew_export_format)-1);
    EXPORT(it.first_frame = -1);
    EXPORT(it.first_frame = INT64_MAX);
    EXPORT(it.frames = -1);
    EXPORT(it.frames = INT64_MAX);
    EXPORT(it.fields = -1);
    EXPORT(it.fields = 1);
    EXPORT((it.fields = INT32_MAX, it.field = far));
    EXPORT((it.fields = 1, it.field = far));
    EXPORT((it.fields = 1, it.field = negative));
    EXPORT(it.subdivide = -1);
    EXPORT(it.subdivide = INT32_MAX);
    EXPORT((it.lagrange = 1, it.subdivide = 16));
    WRONG(ew_export_collection(NULL, -1, one_name, time, "small.pvd", &error));
    WRONG(ew_export_collection(NULL, 1, NULL, time, "small.pvd", &error));
    WRONG(ew_export_collection(NULL, 1, no_name, time, "small.pvd", &error));
    WRONG(ew_export_collection(NULL, 1, one_name, NULL, "small.pvd", &error));
    WRONG(ew_export_collection(NULL, 1, one_name, time, NULL, &error));
}

static void check_results(const ew_results *results)
{
    static const double rs[] = {0.2, 0.2};
    double v[VALUES];
    int k;
    ew_results *other;
    WRONG(ew_results_open(NULL, NULL, &other, &error));
    WRONG(ew_results_open(NULL, "small.nc", NULL, &error));
    WRONG(ew_results_find(NULL, "rho", &k, &error));
    WRONG(ew_results_find(results, NULL, &k, &error));
    WRONG(ew_results_find(results, "rho", NULL, &error));
    ok(!ew_results_field(results, -1, NULL, NULL) && !ew_results_field(results, INT32_MAX, NULL, NULL),
       "fields that are not there");
    ok(isnan(ew_results_time(results, -1, NULL)) && isnan(ew_results_time(results, INT64_MAX, NULL)), "nor frames");
    WRONG(ew_results_corners(NULL, 0, 1, v, &error));
    WRONG(ew_results_corners(results, -1, 1, v, &error));
    WRONG(ew_results_corners(results, 0, -1, v, &error));
    WRONG(ew_results_corners(results, 1, INT64_MAX, v, &error));
    WRONG(ew_results_corners(results, INT64_MAX, INT64_MAX, v, &error));
    WRONG(ew_results_corners(results, 0, 1, NULL, &error));
    WRONG(ew_results_sample(NULL, 0, 0, 0, 1, 1, rs, v, &error));
    WRONG(ew_results_sample(results, -1, 0, 0, 1, 1, rs, v, &error));
    WRONG(ew_results_sample(results, INT64_MAX, 0, 0, 1, 1, rs, v, &error));
    WRONG(ew_results_sample(results, 0, -1, 0, 1, 1, rs, v, &error));
    WRONG(ew_results_sample(results, 0, INT32_MAX, 0, 1, 1, rs, v, &error));
    WRONG(ew_results_sample(results, 0, 0, -1, 1, 1, rs, v, &error));
    WRONG(ew_results_sample(results, 0, 0, 1, INT64_MAX, 1, rs, v, &error));
    WRONG(ew_results_sample(results, 0, 0, 0, 1, -1, rs, v, &error));
    WRONG(ew_results_sample(results, 0, 0, 0, 1, 1, NULL, v, &error));
    WRONG(ew_results_sample(results, 0, 0, 0, 1, 1, rs, NULL, &error));
    check_exports(results);
}

/* ---- pictures ---------------------------------------------------------------------------------------------------- */

#define PLOT(change) SPOILT(ew_plot, (ew_plot){0}, change, ew_plot_write(results, &it, "small.png", NULL, &error))
#define PROBE(change) SPOILT(ew_probe, line, change, ew_probe_write(results, &it, "small.png", &error))
#define CHART(change) SPOILT(ew_chart, chart, change, ew_chart_write(NULL, &it, "small.png", &error))

static void check_pictures(const ew_results *results)
{
    static const ew_probe line = {.line = {0, 0.5, 2, 0.5}, .picture = 1};
    static const double x[] = {0, 1};
    const ew_curve curve = {.name = "a", .points = 2, .x = x, .y = x}, none = {0};
    const ew_chart chart = {.curves = 1, .curve = &curve};
    const ew_plot plots[2] = {{0}};
    ew_film *film = NULL;
    PLOT(it.field = -1);
    PLOT(it.field = INT32_MAX);
    PLOT(it.frame = -1);
    PLOT(it.frame = INT64_MAX);
    PLOT(it.map = "");
    PLOT(it.range = (enum ew_range)99);
    PLOT(it.range = (enum ew_range)-1);
    PLOT((it.range = EW_RANGE_FIXED, it.low = NAN));
    PLOT((it.range = EW_RANGE_ROBUST, it.high = NAN));
    PLOT(it.isolines = -1);
    PLOT(it.isolines = INT32_MAX);
    PLOT((it.isolines = 2, it.level = nan_));
    PLOT(it.vectors = -1);
    PLOT(it.streamlines = INT32_MAX);
    PLOT((it.vectors = 4, it.speed = NAN));
    PLOT((it.vectors = 4, it.speed = -1));
    PLOT((it.zoom = 1, it.window[0] = NAN));
    PLOT(it.width = -1);
    PLOT(it.height = INT32_MAX);
    PLOT(it.supersample = -1);
    PLOT(it.supersample = INT32_MAX);
    PLOT(it.threads = -1);
    PLOT(it.threads = INT32_MAX);
    WRONG(ew_plots_write(results, 0, plots, NULL, "small.png", NULL, &error));
    WRONG(ew_plots_write(results, INT32_MAX, plots, NULL, "small.png", NULL, &error));
    WRONG(ew_plots_write(results, 1, NULL, NULL, "small.png", NULL, &error));
    PROBE(it.field = INT32_MAX);
    PROBE(it.frame = -1);
    PROBE(it.line[2] = NAN);
    PROBE(it.boundary = "left");
    PROBE(it.over = EW_OVER_CHORD);
    PROBE(it.points = -1);
    PROBE(it.points = INT32_MAX);
    PROBE(it.low = NAN);
    PROBE(it.width = -1);
    PROBE(it.height = INT32_MAX);
    CHART(it.curves = 0);
    CHART(it.curves = -1);
    CHART(it.curves = INT32_MAX);
    CHART(it.curve = NULL);
    CHART(it.curve = &none);
    CHART(it.curve = (&(ew_curve){.name = "a", .points = -1, .x = x, .y = x}));
    CHART(it.curve = (&(ew_curve){.name = "a", .points = 2, .x = x}));
    CHART(it.curve = (&(ew_curve){.points = 2, .x = x, .y = x}));
    CHART(it.x_low = NAN);
    CHART(it.width = -1);
    WRONG(ew_film_create(NULL, NULL, 2, 10, &film, &error));
    WRONG(ew_film_create(NULL, "small.png", -1, 10, &film, &error));
    WRONG(ew_film_create(NULL, "small.png", INT32_MAX, 10, &film, &error));
    WRONG(ew_film_create(NULL, "small.png", 2, NAN, &film, &error));
    WRONG(ew_film_add(NULL, results, 1, plots, NULL, NULL, &error));
    expect(ew_film_create(NULL, "small.png", EW_PLOT_FRAMES, 10, &film, &error), "a long film");
    WRONG(ew_film_add(film, results, INT32_MAX, plots, NULL, NULL, &error));
    WRONG(ew_film_add(film, NULL, 1, plots, NULL, NULL, &error));
    WRONG(ew_film_add_probe(film, results, NULL, &error));
    WRONG(ew_film_write(film, &error));
    ew_film_destroy(film);
}

/* ---- plans and runs ---------------------------------------------------------------------------------------------- */

static int begin_files(const ew_run_plan *plan, ew_solver *solver)
{
    ew_fields *fields = NULL;
    ew_series *series = NULL;
    int status = ew_fields_create(NULL, "plan.nc", plan, solver, &fields, &error);
    ew_fields_destroy(fields);
    status = status == EW_EINVAL ? ew_series_create(NULL, "plan.csv", plan, solver, -1, &series, &error) : status;
    ew_series_destroy(series);
    return status;
}

#define PLAN(change) SPOILT(ew_run_plan, plan, change, begin_files(&it, solver))

static void check_plans(ew_solver *solver)
{
    static const double backwards[] = {0.5, 0.25};
    static const int far[] = {9999}, rho[] = {0}, twice[] = {1, 1};
    static const int32_t boundary[] = {0}, no_boundary[] = {-1};
    static const ew_series_probe probe = {.name = "a", .element = INT32_MAX};
    static const ew_series_body right = {.name = "a", .boundaries = 1, .boundary = boundary, .density = 1, .speed = 1,
                                         .length = 1, .direction = {1, 0}};
    ew_force force;
    ew_run_plan plan;
    ew_run_plan_init(&plan);
    plan.end = 1;
    PLAN(it.name = NULL);
    PLAN(it.name = "");
    PLAN(it.end = NAN);
    PLAN(it.start = NAN);
    PLAN(it.end = -0.5);
    PLAN(it.steps = -1);
    PLAN(it.every = NAN);
    PLAN(it.every = -1);
    PLAN(it.times = SIZE_MAX);
    PLAN((it.times = 2, it.at = backwards));
    PLAN((it.times = 2, it.at = nan_));
    PLAN(it.outputs = -1);
    PLAN((it.outputs = INT32_MAX, it.output = rho));
    PLAN((it.outputs = 1, it.output = far));
    PLAN(it.subdivide = -1);
    PLAN(it.subdivide = INT32_MAX);
    PLAN(it.compression = -1);
    PLAN(it.compression = INT32_MAX);
    PLAN((it.outputs = 2, it.output = twice));
    PLAN(it.raster.only = 1);
    PLAN(it.raster.window[2] = 1);
    PLAN(it.raster.cells[0] = -1);
    PLAN((it.raster.cells[0] = 2, it.raster.cells[1] = INT32_MAX));
    PLAN((it.raster.cells[0] = it.raster.cells[1] = 2, it.raster.outputs = INT32_MAX, it.raster.output = rho));
    PLAN((it.raster.cells[0] = it.raster.cells[1] = 2, it.raster.window[2] = NAN));
    PLAN(it.series_steps = -1);
    PLAN(it.probes = -1);
    PLAN(it.probes = 1);
    PLAN((it.probes = 1, it.probe = &probe));
    PLAN(it.bodies = 1);
    PLAN((it.bodies = 1, it.body = &(ew_series_body){.name = "a", .boundaries = INT32_MAX, .boundary = boundary}));
    PLAN(it.fluxes = 1);
    PLAN((it.fluxes = INT32_MAX, it.flux = boundary));
    PLAN((it.fluxes = 1, it.flux = no_boundary));
    PLAN(it.restart_every = NAN);
    PLAN(it.restart_every = -1);
    PLAN(it.restart_steps = -1);
    PLAN((it.restarts = 1, it.restart_keep = -1));
    SPOILT(ew_series_body, right, it.boundaries = -1, ew_series_body_force(&it, solver, &force, &error));
    SPOILT(ew_series_body, right, it.boundaries = INT32_MAX, ew_series_body_force(&it, solver, &force, &error));
    SPOILT(ew_series_body, right, it.boundary = NULL, ew_series_body_force(&it, solver, &force, &error));
    SPOILT(ew_series_body, right, it.boundary = no_boundary, ew_series_body_force(&it, solver, &force, &error));
    SPOILT(ew_series_body, right, it.speed = 0, ew_series_body_force(&it, solver, &force, &error));
    SPOILT(ew_series_body, right, it.length = NAN, ew_series_body_force(&it, solver, &force, &error));
    SPOILT(ew_series_body, right, it.direction[1] = 1, ew_series_body_force(&it, solver, &force, &error));
    SPOILT(ew_series_body, right, it.point[0] = NAN, ew_series_body_force(&it, solver, &force, &error));
    PLAN((it.bodies = 1, it.body = &(ew_series_body){.name = "a", .boundaries = 1, .boundary = boundary}));
}

static void check_runs(ew_solver *solver, const ew_case *that)
{
    const ew_run_plan *plan = ew_case_plan(that);
    ew_mesh_info info;
    ew_run *run = NULL;
    ew_run_memory memory;
    ew_run_options options = {.no_output = 1};
    WRONG(ew_run_warn_of_state(NULL, NULL, ew_case_problem(that), solver, &error));
    WRONG(ew_run_warn_of_state(NULL, plan, NULL, solver, &error));
    WRONG(ew_run_warn_of_state(NULL, plan, ew_case_problem(that), NULL, &error));
    WRONG(ew_run_create(NULL, NULL, solver, NULL, &run, &error));
    WRONG(ew_run_create(NULL, plan, NULL, NULL, &run, &error));
    WRONG(ew_run_create(NULL, plan, solver, NULL, NULL, &error));
    WRONG(ew_run_advance(NULL, 1, &error));
    expect(ew_run_create(NULL, plan, solver, &options, &run, &error), "a run");
    WRONG(ew_run_advance(run, -1, &error));
    WRONG(ew_run_advance(run, 0, &error));
    ew_run_destroy(run);
    ok(!ew_run_end_name((enum ew_run_end)99) && !ew_run_end_name((enum ew_run_end)-1), "ends that no run has");
    ew_case_mesh_info(that, &info);
    WRONG(ew_run_get_memory(NULL, ew_case_problem(that), &info, &memory, &error));
    WRONG(ew_run_get_memory(plan, NULL, &info, &memory, &error));
    WRONG(ew_run_get_memory(plan, ew_case_problem(that), NULL, &memory, &error));
    WRONG(ew_run_get_memory(plan, ew_case_problem(that), &info, NULL, &error));
    SPOILT(ew_mesh_info, info, it.elements = -1,
           ew_run_get_memory(plan, ew_case_problem(that), &it, &memory, &error));
    SPOILT(ew_problem, *ew_case_problem(that), it.order = INT32_MAX,
           ew_run_get_memory(plan, &it, &info, &memory, &error));
    SPOILT(ew_run_plan, *plan, (it.outputs = INT32_MAX, it.output = (const int[]){0}),
           ew_run_get_memory(&it, ew_case_problem(that), &info, &memory, &error));
    WRONG(ew_run_check_memory(NULL, &error));
}

static void check_ensembles(ew_solver *solver)
{
    ew_ensemble *ensemble = NULL;
    ew_advance member = {.solver = solver, .until = 1, .max_steps = 1}, none = {0};
    WRONG(ew_ensemble_create(NULL, NULL, &error));
    expect(ew_ensemble_create(NULL, &ensemble, &error), "an ensemble");
    WRONG(ew_ensemble_advance(NULL, 1, &member, 0, &error));
    WRONG(ew_ensemble_advance(ensemble, 1, NULL, 0, &error));
    WRONG(ew_ensemble_advance(ensemble, 0, &member, 0, &error));
    WRONG(ew_ensemble_advance(ensemble, INT32_MAX, &member, 0, &error));
    WRONG(ew_ensemble_advance(ensemble, 1, &member, 2, &error));
    WRONG(ew_ensemble_advance(ensemble, 1, &member, -1, &error));
    WRONG(ew_ensemble_advance(ensemble, 1, &none, 0, &error));
    ew_ensemble_destroy(ensemble);
}

static int create_well(const ew_run_plan *plan, const ew_case *that, int64_t members, int keys, const char *const *key)
{
    ew_well *well = NULL;
    int status = ew_well_create(NULL, "small.h5", plan, ew_case_mesh(that), ew_case_problem(that), members, keys, key,
                                &well, &error);
    ew_well_destroy(well);
    return status;
}

static void check_wells(const ew_case *that)
{
    ew_run_plan plan = *ew_case_plan(that);
    ew_well *well = NULL;
    plan.raster.cells[0] = plan.raster.cells[1] = 4;
    int status = create_well(&plan, that, 1, 1, one_name);
    if (status == EW_EUNAVAILABLE)
        return;
    expect(status, "a data set");
    WRONG(create_well(&plan, that, 0, 1, one_name));
    WRONG(create_well(&plan, that, INT64_MAX, 1, one_name));
    WRONG(create_well(&plan, that, 1, -1, one_name));
    WRONG(create_well(&plan, that, 1, INT32_MAX, one_name));
    WRONG(create_well(&plan, that, 1, 1, NULL));
    WRONG(create_well(&plan, that, 1, 1, no_name));
    SPOILT(ew_run_plan, plan, it.name = NULL, create_well(&it, that, 1, 1, one_name));
    SPOILT(ew_run_plan, plan, it.raster.cells[1] = -1, create_well(&it, that, 1, 1, one_name));
    SPOILT(ew_run_plan, plan, it.raster.cells[0] = INT32_MAX, create_well(&it, that, 1, 1, one_name));
    SPOILT(ew_run_plan, plan, it.raster.window[3] = NAN, create_well(&it, that, 1, 1, one_name));
    SPOILT(ew_run_plan, plan, it.compression = INT32_MAX, create_well(&it, that, 1, 1, one_name));
    expect(ew_well_create(NULL, "small.h5", &plan, ew_case_mesh(that), ew_case_problem(that), 1, 1, one_name, &well,
                          &error), "a data set");
    WRONG(ew_well_add(NULL, 0, "small.nc", nan_, &error));
    WRONG(ew_well_add(well, 0, NULL, nan_, &error));
    WRONG(ew_well_add(well, 0, "small.nc", NULL, &error));
    WRONG(ew_well_add(well, -1, "small.nc", nan_, &error));
    WRONG(ew_well_add(well, 1, "small.nc", nan_, &error));
    WRONG(ew_well_close(NULL, &error));
    WRONG(ew_well_close(well, &error));
    ew_well_destroy(well);
}

/* ---- a solver of another case ------------------------------------------------------------------------------------ */

static void check_strangers(const ew_case *that, ew_solver *solver)
{
    static const char *const other_settings[][1] = {{"mesh.rectangle.cells=[2,2]"}, {"order=1"}};
    ew_run_plan plan = *ew_case_plan(that);
    ew_fields *fields;
    ew_series *series;
    plan.raster.cells[0] = plan.raster.cells[1] = 4;
    plan.series_steps = 1;
    for (int k = 0; k < 2; k++) {
        ew_case *other;
        ew_solver *stranger;
        ew_case_options options = {.settings = 1, .setting = other_settings[k]};
        expect(ew_case_read(NULL, "small.cfg", &options, &other, &error), "another case");
        expect(ew_solver_create(NULL, ew_case_mesh(other), ew_case_problem(other), &stranger, &error), "its solver");
        expect(ew_fields_create(NULL, "other.nc", &plan, solver, &fields, &error), "fields");
        expect(ew_series_create(NULL, "other.csv", &plan, solver, -1, &series, &error), "a series");
        WRONG(ew_fields_write(fields, stranger, &error));
        WRONG(ew_fields_expect_raster(fields, stranger, &error));
        WRONG(ew_series_write(series, stranger, &error));
        WRONG(ew_restart_write(NULL, "other.restart-1.nc", &plan, stranger, fields, &error));
        expect(ew_fields_write(fields, solver, &error), "writing the right one");
        ew_series_destroy(series);
        ew_fields_destroy(fields);
        ew_solver_destroy(stranger);
        ew_case_destroy(other);
    }
}

static void destroy_nothing(void)
{
    ew_scope_destroy(NULL);
    ew_formula_destroy(NULL);
    ew_mesh_destroy(NULL);
    ew_solver_destroy(NULL);
    ew_case_destroy(NULL);
    ew_results_close(NULL);
    ew_fields_destroy(NULL);
    ew_series_destroy(NULL);
    ok(true, "whatever is NULL can be destroyed");
}

int main(void)
{
    const char *parent = getenv("TMPDIR");
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/edgewise-misuse.XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder) || chdir(folder) != 0)
        bail_out("cannot make the folder %s", folder);
    write_bytes("small.cfg", case_text, strlen(case_text));
    struct setup setup = write_fields(0, NULL);
    ew_results *results = open_results(NULL);
    check_formulas();
    check_mesh_data();
    check_rectangles();
    check_meshes(ew_case_mesh(setup.that));
    check_lists();
    check_problems(ew_case_mesh(setup.that), ew_case_problem(setup.that));
    check_solvers(setup.solver);
    check_cases(setup.that);
    check_results(results);
    check_files(results, ew_case_mesh(setup.that));
    check_pictures(results);
    check_plans(setup.solver);
    check_runs(setup.solver, setup.that);
    check_ensembles(setup.solver);
    check_wells(setup.that);
    check_strangers(setup.that, setup.solver);
    destroy_nothing();
    ew_results_close(results);
    unmake(&setup);
    unlink("small.nc");
    unlink("small.cfg");
    ok(chdir("/") == 0 && rmdir(folder) == 0, "nothing else is left in the folder");
    return done_testing();
}
