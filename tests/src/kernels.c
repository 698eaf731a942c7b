/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The parts of the method, each against an independent evaluation: the right-hand side in long double from the weak
 * form, numerical fluxes against the exact Riemann solver, ghosts, the limiter, Runge-Kutta schemes.
 */
#include "edgewise.h"
#include "ewi_basis.h"
#include "ewi_law_list.h"
#include "ewi_plan.h"
#include "ewi_scheme.h"
#include "ewi_solver.h"
#include "helpers.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
#define SEED 1906u
#define GAMMA 1.4

typedef long double real;

static uint64_t random_state = SEED;

static double next_random(void)
{
    return random_double(&random_state);
}

/* Unlike fmax, keeps a NaN. */
static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/* ---- a small mesh and its own connectivity ----------------------------------------------------------------------- */

enum { NX = 5, NY = 4, NODES = (NX + 1) * (NY + 1), ELEMENTS = 2 * NX * NY, LINES = 2 * (NX + NY) };
enum name { LEFT, RIGHT, BOTTOM, TOP, STATE, NAMES };
static const char *const name_text[NAMES] = {"left", "right", "bottom", "top", "state"};

struct side {
    int element, side; /* behind this side; element < 0: a boundary */
    enum name name;
};

struct grid {
    double xy[NODES][2];
    int64_t triangle[ELEMENTS][3], line[LINES][2];
    int32_t line_name[LINES];
    struct side side[ELEMENTS][3];
    ew_mesh *mesh;
};

static int64_t node_at(int i, int j)
{
    return j * (NX + 1) + i;
}

static void place_nodes(struct grid *grid, double jitter)
{
    for (int j = 0; j <= NY; j++)
        for (int i = 0; i <= NX; i++) {
            bool inner = i > 0 && i < NX && j > 0 && j < NY;
            grid->xy[node_at(i, j)][0] = (i + (inner ? jitter * next_random() : 0)) * 2.0 / NX;
            grid->xy[node_at(i, j)][1] = (j + (inner ? jitter * next_random() : 0)) * 1.0 / NY;
        }
}

/* Two triangles a cell; if `wild`, with either diagonal, begun at any vertex, in any order. */
static void place_triangles(struct grid *grid, bool wild)
{
    int count = 0;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            int64_t a = node_at(i, j), b = node_at(i + 1, j), c = node_at(i + 1, j + 1), d = node_at(i, j + 1);
            bool falling = wild && next_random() > 0;
            const int64_t two[2][3] = {{a, b, falling ? d : c}, {falling ? b : a, c, d}};
            for (int t = 0; t < 2; t++, count++) {
                int turn = wild ? (int)(1.5 * (next_random() + 1)) : 0,
                    place = wild ? (int)(0.5 * (next_random() + 1) * (count + 1)) : count;
                memcpy(grid->triangle[count], grid->triangle[place], sizeof grid->triangle[count]);
                for (int k = 0; k < 3; k++)
                    grid->triangle[place][k] = two[t][(k + turn) % 3];
            }
        }
}

static void place_lines(struct grid *grid)
{
    int count = 0;
    for (int i = 0; i < NX; i++) {
        const int64_t bottom[2] = {node_at(i, 0), node_at(i + 1, 0)}, top[2] = {node_at(i + 1, NY), node_at(i, NY)};
        memcpy(grid->line[count], bottom, sizeof bottom);
        grid->line_name[count++] = BOTTOM;
        memcpy(grid->line[count], top, sizeof top);
        grid->line_name[count++] = i < 2 ? TOP : STATE;
    }
    for (int j = 0; j < NY; j++) {
        const int64_t left[2] = {node_at(0, j + 1), node_at(0, j)}, right[2] = {node_at(NX, j), node_at(NX, j + 1)};
        memcpy(grid->line[count], left, sizeof left);
        grid->line_name[count++] = LEFT;
        memcpy(grid->line[count], right, sizeof right);
        grid->line_name[count++] = RIGHT;
    }
}

/* The element that has an edge from `from` to `to`, counter-clockwise. */
static struct side side_with(const struct grid *grid, int64_t from, int64_t to)
{
    for (int i = 0; i < ELEMENTS; i++)
        for (int k = 0; k < 3; k++)
            if (grid->triangle[i][k] == from && grid->triangle[i][(k + 1) % 3] == to)
                return (struct side){i, k, NAMES};
    return (struct side){-1, 0, NAMES};
}

/* By trying all; left and right are one, if `periodic`. */
static void connect(struct grid *grid, bool periodic)
{
    for (int i = 0; i < ELEMENTS; i++)
        for (int k = 0; k < 3; k++) {
            int64_t from = grid->triangle[i][k], to = grid->triangle[i][(k + 1) % 3];
            struct side *side = &grid->side[i][k];
            *side = side_with(grid, to, from);
            for (int l = 0; l < LINES; l++)
                if (grid->line[l][0] == from && grid->line[l][1] == to)
                    side->name = (enum name)grid->line_name[l];
            if (periodic && side->name <= RIGHT) {
                int64_t step = side->name == LEFT ? NX : -NX;
                *side = side_with(grid, to + step, from + step);
            }
        }
}

static void make_grid(struct grid *grid, bool wild, bool periodic)
{
    const ew_periodic pair = {.first = "left", .second = "right", .dx = 2};
    ew_error error;
    place_nodes(grid, wild ? 0.25 : 0);
    place_triangles(grid, wild);
    place_lines(grid);
    connect(grid, periodic);
    const ew_mesh_data data = {.nodes = NODES,
                               .xy = grid->xy[0], .triangles = ELEMENTS, .triangle = grid->triangle[0], .lines = LINES,
                               .line = grid->line[0], .line_name = grid->line_name, .names = NAMES, .name = name_text,
                               .periodics = periodic,
                               .periodic = &pair};
    must(ew_mesh_create(NULL, &data, &grid->mesh, &error), &error);
}

/* ---- the weak form in long double -------------------------------------------------------------------------------- */

enum { MOST_MODES = EW_MAX_VARIABLES * EWI_MAX_NP };
#define TIME 0.3

struct map {
    real x, y, xr, xs, yr, ys, det;
};

static struct map map_of(const struct grid *grid, int i)
{
    const double *a = grid->xy[grid->triangle[i][0]], *b = grid->xy[grid->triangle[i][1]],
                 *c = grid->xy[grid->triangle[i][2]];
    struct map map = {a[0], a[1], (real)b[0] - a[0], (real)c[0] - a[0], (real)b[1] - a[1], (real)c[1] - a[1], 0};
    map.det = map.xr * map.ys - map.xs * map.yr;
    return map;
}

struct law {
    const char *name;
    int variables;
    size_t parameters;
    ew_parameter parameter[2];
    ew_data initial, state, normal, field;
    /* Both components of the flux at a point, and the wave speed along a unit normal. */
    void (*flux)(const real *u, real x, real y, real *fx, real *fy);
    real (*speed)(const real *u, real x, real y, real nx, real ny);
    void (*ghost)(enum name name, const real *u, real x, real y, real nx, real ny, real *g);
};

static real pressure(const real *u)
{
    return ((real)GAMMA - 1) * (u[3] - (u[1] * u[1] + u[2] * u[2]) / (2 * u[0]));
}

static void euler_flux(const real *u, real x, real y, real *fx, real *fy)
{
    real p = pressure(u), vx = u[1] / u[0], vy = u[2] / u[0];
    (void)x, (void)y;
    fx[0] = u[1], fx[1] = u[1] * vx + p, fx[2] = u[2] * vx, fx[3] = (u[3] + p) * vx;
    fy[0] = u[2], fy[1] = u[1] * vy, fy[2] = u[2] * vy + p, fy[3] = (u[3] + p) * vy;
}

static real euler_speed(const real *u, real x, real y, real nx, real ny)
{
    (void)x, (void)y;
    return fabsl(u[1] * nx + u[2] * ny) / u[0] + sqrtl(GAMMA * pressure(u) / u[0]);
}

/* The formulas of make_law, once more. */
static void euler_ghost(enum name name, const real *u, real x, real y, real nx, real ny, real *g)
{
    (void)y;
    if (name == STATE) {
        real rho = 1 + 0.1L * x + 0.5L * TIME, vx = 0.2L, vy = 0.1L - TIME, p = 1 + 0.25L * x;
        g[0] = rho, g[1] = rho * vx, g[2] = rho * vy, g[3] = p / (GAMMA - 1.0L) + rho * (vx * vx + vy * vy) / 2;
        return;
    }
    if (name == TOP) { /* tangential, with the normal (0.2 + x, 3) */
        real length = sqrtl((0.2L + x) * (0.2L + x) + 9);
        nx = (0.2L + x) / length;
        ny = 3 / length;
    }
    real normal = (name == TOP ? 1 : 2) * (u[1] * nx + u[2] * ny);
    g[0] = u[0], g[1] = u[1] - normal * nx, g[2] = u[2] - normal * ny, g[3] = u[3];
}

static void velocity(real x, real y, real *vx, real *vy)
{
    *vx = 1 + y * y;
    *vy = 0.5L * sinl(acosl(-1) * x) - 0.3L * y;
}

static void advection_flux(const real *u, real x, real y, real *fx, real *fy)
{
    real vx, vy;
    velocity(x, y, &vx, &vy);
    fx[0] = vx * u[0];
    fy[0] = vy * u[0];
}

static real advection_speed(const real *u, real x, real y, real nx, real ny)
{
    real vx, vy;
    (void)u;
    velocity(x, y, &vx, &vy);
    return fabsl(vx * nx + vy * ny);
}

static void advection_ghost(enum name name, const real *u, real x, real y, real nx, real ny, real *g)
{
    (void)y, (void)nx, (void)ny;
    g[0] = name == STATE ? 2 + x * TIME : u[0];
}

/* The parameters of the three laws below. */
#define FIRST 1.7L
#define SECOND 0.6L

/* The outer state at STATE of a law of three variables, by the formulas of make_laws: primitive. */
static void three_state(real x, real *w)
{
    w[0] = 1 + 0.1L * x + 0.5L * TIME, w[1] = 0.2L, w[2] = 0.1L - TIME;
}

/* Walls of momenta: mirrored, and at the top tangential with the normal (0.2 + x, 3). */
static void solid_ghost(enum name name, const real *u, real x, real nx, real ny, real *g)
{
    if (name == TOP) {
        real length = sqrtl((0.2L + x) * (0.2L + x) + 9);
        nx = (0.2L + x) / length;
        ny = 3 / length;
    }
    real normal = (name == TOP ? 1 : 2) * (u[1] * nx + u[2] * ny);
    g[0] = u[0], g[1] = u[1] - normal * nx, g[2] = u[2] - normal * ny;
}

static void shallow_water_flux(const real *u, real x, real y, real *fx, real *fy)
{
    real p = FIRST * u[0] * u[0] / 2, vx = u[1] / u[0], vy = u[2] / u[0];
    (void)x, (void)y;
    fx[0] = u[1], fx[1] = u[1] * vx + p, fx[2] = u[2] * vx;
    fy[0] = u[2], fy[1] = u[1] * vy, fy[2] = u[2] * vy + p;
}

static real shallow_water_speed(const real *u, real x, real y, real nx, real ny)
{
    (void)x, (void)y;
    return fabsl(u[1] * nx + u[2] * ny) / u[0] + sqrtl(FIRST * u[0]);
}

static void shallow_water_ghost(enum name name, const real *u, real x, real y, real nx, real ny, real *g)
{
    (void)y;
    if (name != STATE) {
        solid_ghost(name, u, x, nx, ny, g);
        return;
    }
    three_state(x, g);
    g[1] *= g[0], g[2] *= g[0];
}

static void maxwell_flux(const real *u, real x, real y, real *fx, real *fy)
{
    real e = u[2] / FIRST;
    (void)x, (void)y;
    fx[0] = 0, fx[1] = -e, fx[2] = -u[1] / SECOND;
    fy[0] = e, fy[1] = 0, fy[2] = u[0] / SECOND;
}

static real maxwell_speed(const real *u, real x, real y, real nx, real ny)
{
    (void)u, (void)x, (void)y, (void)nx, (void)ny;
    return 1 / sqrtl(FIRST * SECOND);
}

static void maxwell_ghost(enum name name, const real *u, real x, real y, real nx, real ny, real *g)
{
    (void)y, (void)nx, (void)ny;
    g[0] = u[0], g[1] = u[1], g[2] = -u[2];
    if (name == STATE) {
        three_state(x, g);
        g[0] *= SECOND, g[1] *= SECOND, g[2] *= FIRST;
    }
}

static void acoustics_flux(const real *u, real x, real y, real *fx, real *fy)
{
    real p = u[0] * SECOND * SECOND;
    (void)x, (void)y;
    fx[0] = u[1], fx[1] = p, fx[2] = 0;
    fy[0] = u[2], fy[1] = 0, fy[2] = p;
}

static real acoustics_speed(const real *u, real x, real y, real nx, real ny)
{
    (void)u, (void)x, (void)y, (void)nx, (void)ny;
    return SECOND;
}

static void acoustics_ghost(enum name name, const real *u, real x, real y, real nx, real ny, real *g)
{
    (void)y;
    if (name != STATE) {
        solid_ghost(name, u, x, nx, ny, g);
        return;
    }
    three_state(x, g);
    g[0] /= SECOND * SECOND, g[1] *= FIRST, g[2] *= FIRST;
}

static void values_at(const struct law *law, int np, const double *phi, const double *c, real *u)
{
    for (int m = 0; m < law->variables; m++) {
        u[m] = 0;
        for (int j = 0; j < np; j++)
            u[m] += (real)phi[j] * c[m * np + j];
    }
}

static void add_volume(const struct law *law, const struct ewi_basis *basis, const struct map *map, const double *c,
                       real *rhs)
{
    for (int q = 0; q < basis->nq; q++) {
        real u[4], fx[4], fy[4], x = map->x + map->xr * basis->r[q] + map->xs * basis->s[q];
        real y = map->y + map->yr * basis->r[q] + map->ys * basis->s[q];
        values_at(law, basis->np, basis->phi + q * basis->np, c, u);
        law->flux(u, x, y, fx, fy);
        for (int j = 0; j < basis->np; j++) {
            real dr = basis->dr[q * basis->np + j], ds = basis->ds[q * basis->np + j]; /* times weight */
            real dx = dr * map->ys - ds * map->yr, dy = ds * map->xr - dr * map->xs;   /* times det */
            for (int m = 0; m < law->variables; m++)
                rhs[m * basis->np + j] += fx[m] * dx + fy[m] * dy;
        }
    }
}

static void add_side(const struct law *law, const struct grid *grid, const struct ewi_basis *basis, int i, int k,
                     const double *all, real *rhs)
{
    const struct side *behind = &grid->side[i][k];
    const double *a = grid->xy[grid->triangle[i][k]], *b = grid->xy[grid->triangle[i][(k + 1) % 3]];
    int np = basis->np, ne = basis->ne, rows = law->variables * np;
    real dx = (real)b[0] - a[0], dy = (real)b[1] - a[1], length = sqrtl(dx * dx + dy * dy), nx = dy / length,
         ny = -dx / length;
    for (int e = 0; e < ne; e++) {
        real inner[4], outer[4], fx[2][4], fy[2][4], x = a[0] + basis->edge_t[e] * dx, y = a[1] + basis->edge_t[e] * dy;
        values_at(law, np, basis->side + (k * ne + e) * np, all + i * rows, inner);
        if (behind->element >= 0)
            values_at(law, np, basis->side + (behind->side * ne + ne - 1 - e) * np, all + behind->element * rows,
                      outer);
        else
            law->ghost(behind->name, inner, x, y, nx, ny, outer);
        law->flux(inner, x, y, fx[0], fy[0]);
        law->flux(outer, x, y, fx[1], fy[1]);
        real speed = fmaxl(law->speed(inner, x, y, nx, ny), law->speed(outer, x, y, nx, ny));
        for (int m = 0; m < law->variables; m++) {
            real flux = ((fx[0][m] + fx[1][m]) * nx + (fy[0][m] + fy[1][m]) * ny - speed * (outer[m] - inner[m])) / 2;
            for (int j = 0; j < np; j++)
                rhs[m * np + j] -= basis->edge_weight[e] * length * flux * basis->side[(k * ne + e) * np + j];
        }
    }
}

static void weak_form(const struct law *law, const struct grid *grid, const struct ewi_basis *basis, int i,
                      const double *all, real *rhs)
{
    struct map map = map_of(grid, i);
    for (int row = 0; row < law->variables * basis->np; row++)
        rhs[row] = 0;
    add_volume(law, basis, &map, all + i * law->variables * basis->np, rhs);
    for (int k = 0; k < 3; k++)
        add_side(law, grid, basis, i, k, all, rhs);
    for (int row = 0; row < law->variables * basis->np; row++)
        rhs[row] /= map.det;
}

/* ---- the right-hand side ----------------------------------------------------------------------------------------- */

static ew_data formula_of(const ew_scope *scope, int outputs, const char *const *text)
{
    ew_formula *formula;
    ew_error error;
    must(ew_formula_create(scope, outputs, text, &formula, &error), &error);
    return (ew_data){.formula = formula};
}

static struct law laws[5]; /* those with media have tests/src/media, and the bed tests/src/bed */

static void make_laws(void)
{
    static const char *const euler_initial[] = {"1 + 0.1*sin(pi*x)", "0.2*y", "0.1", "1"}, *const curve[] = {"0.2 + x",
                                                                                                             "3"};
    static const char *const euler_state[] = {"1 + 0.1*x + 0.5*t", "0.2", "0.1 - t", "1 + 0.25*x"};
    static const char *const scalar[] = {"1 + x*y"}, *const scalar_state[] = {"2 + x*t"};
    static const char *const three_initial[] = {"1 + 0.1*sin(pi*x)", "0.2*y", "0.1"};
    static const char *const three_states[] = {"1 + 0.1*x + 0.5*t", "0.2", "0.1 - t"};
    static const char *const given_velocity[] = {"1 + y^2", "0.5*sin(pi*x) - 0.3*y"};
    ew_scope *scope;
    ew_error error;
    must(ew_scope_create(NULL, &scope, &error), &error);
    laws[0] = (struct law){.name = "euler",
                           .variables = 4, .flux = euler_flux, .speed = euler_speed, .ghost = euler_ghost,
                           .initial = formula_of(scope, 4, euler_initial), .state = formula_of(scope, 4, euler_state),
                           .normal = formula_of(scope, 2, curve)};
    laws[1] = (struct law){.name = "advection",
                           .variables = 1, .flux = advection_flux, .speed = advection_speed, .ghost = advection_ghost,
                           .initial = formula_of(scope, 1, scalar), .state = formula_of(scope, 1, scalar_state),
                           .field = formula_of(scope, 2, given_velocity)};
    laws[2] = (struct law){.name = "shallow-water", .parameters = 1, .parameter = {{"gravity", (double)FIRST}},
                           .flux = shallow_water_flux, .speed = shallow_water_speed, .ghost = shallow_water_ghost};
    laws[3] = (struct law){.name = "maxwell-tm",
                           .parameters = 2, .parameter = {{"epsilon", (double)FIRST}, {"mu", (double)SECOND}},
                           .flux = maxwell_flux, .speed = maxwell_speed,
                           .ghost = maxwell_ghost};
    laws[4] = (struct law){.name = "acoustics",
                           .parameters = 2, .parameter = {{"rho0", (double)FIRST}, {"c0", (double)SECOND}},
                           .flux = acoustics_flux, .speed = acoustics_speed,
                           .ghost = acoustics_ghost};
    for (int k = 2; k < COUNT(laws); k++) {
        laws[k].variables = 3;
        laws[k].initial = formula_of(scope, 3, three_initial);
        laws[k].state = formula_of(scope, 3, three_states);
        if (strcmp(laws[k].name, "maxwell-tm") != 0)
            laws[k].normal = formula_of(scope, 2, curve);
    }
    ew_scope_destroy(scope);
}

static void free_laws(void)
{
    for (int k = 0; k < COUNT(laws); k++) {
        const ew_data *const data[] = {&laws[k].initial, &laws[k].state, &laws[k].normal, &laws[k].field};
        for (int d = 0; d < COUNT(data); d++)
            ew_formula_destroy((ew_formula *)data[d]->formula);
    }
}

static ew_solver *solver_for(const struct law *law, const struct grid *grid, int order, const char *scheme,
                             const char *kernels)
{
    bool walls = law->variables > 1, solid = ewi_data_is_given(&law->normal);
    const ew_boundary boundaries[] = {
        {.name = "bottom", .kind = walls ? "wall" : "copy"},
        {.name = "top", .kind = walls ? "wall" : "copy", .ghost = solid ? "tangential" : NULL, .normal = law->normal},
        {.name = "state", .kind = "state", .state = law->state},
    };
    const ew_problem problem = {.law = law->name,
                                .parameters = law->parameters, .parameter = law->parameter, .field = law->field,
                                .order = order, .scheme = scheme, .initial = law->initial,
                                .boundaries = COUNT(boundaries), .boundary = boundaries, .kernels = kernels,
                                .threads = 1};
    ew_solver *solver;
    ew_error error;
    must(ew_solver_create(NULL, grid->mesh, &problem, &solver, &error), &error);
    return solver;
}

/* Admissible at every point, and rough. */
static void random_coefficients(const struct law *law, int np, double *c)
{
    static const double mean[4] = {1, 0.1, -0.2, 2.5};
    for (int i = 0; i < ELEMENTS; i++)
        for (int m = 0; m < law->variables; m++)
            for (int j = 0; j < np; j++)
                *c++ = j == 0 ? (mean[m] + 0.2 * next_random()) / sqrt(2) : 0.03 * next_random() / j;
}

static double residual_error(const struct law *law, const struct grid *grid, int order, const char *kernels)
{
    static double c[ELEMENTS * MOST_MODES], got[ELEMENTS * MOST_MODES];
    const struct ewi_basis *basis = ewi_basis_get(order);
    ew_solver *solver = solver_for(law, grid, order, NULL, kernels);
    ew_error error;
    int rows = law->variables * basis->np;
    double difference[4] = {0}, size[4] = {0}, largest = 0;
    random_coefficients(law, basis->np, c);
    must(ew_solver_set_coefficients(solver, c, TIME, 0, &error), &error);
    must(ew_solver_get_residual(solver, got, &error), &error);
    ew_solver_destroy(solver);
    for (int i = 0; i < ELEMENTS; i++) {
        real expected[MOST_MODES];
        weak_form(law, grid, basis, i, c, expected);
        for (int row = 0; row < rows; row++) {
            int m = row / basis->np;
            difference[m] = larger((double)fabsl(got[i * rows + row] - expected[row]), difference[m]);
            size[m] = larger((double)fabsl(expected[row]), size[m]);
        }
    }
    for (int m = 0; m < law->variables; m++)
        largest = larger(difference[m] / size[m], largest);
    return largest;
}

static void check_right_hand_side(const struct grid *grid)
{
    for (int l = 0; l < COUNT(laws); l++)
        for (int order = 1; order <= EW_MAX_ORDER; order++) {
            is_close(residual_error(&laws[l], grid, order, "fused"), 0, 1e-13,
                     "%s, p = %d, fused: the right-hand side is the weak form's", laws[l].name, order);
            is_close(residual_error(&laws[l], grid, order, "edgewise"), 0, 1e-13,
                     "%s, p = %d, edgewise: the right-hand side is the weak form's", laws[l].name, order);
        }
}

/* ---- time steps made of right-hand sides ------------------------------------------------------------------------- */

enum { STEP_ORDER = 2, STEP_MODES = ELEMENTS * 4 * 6 };

/* One step by the scheme's table, each stage's right-hand side asked from the solver. */
static void step_by_hand(ew_solver *solver, const struct ewi_scheme *scheme, double dt,
                         double state[EWI_MAX_REGISTERS][STEP_MODES])
{
    static double rhs[STEP_MODES], kept[STEP_MODES];
    ew_error error;
    for (int s = 0; s < scheme->stages; s++) {
        const struct ewi_stage *stage = &scheme->stage[s];
        must(ew_solver_set_coefficients(solver, state[stage->source], stage->time * dt, 0, &error), &error);
        must(ew_solver_get_residual(solver, rhs, &error), &error);
        for (int k = 0; k < STEP_MODES; k++) {
            double base = state[0][k], sum = 0;
            for (int t = 0; t < stage->terms; t++)
                sum = fma(stage->term[t].weight, state[stage->term[t].from][k] - base, sum);
            if (stage->kept != 0)
                sum = fma(stage->kept * dt, kept[k], sum);
            if (stage->terms > 0)
                base = base + sum;
            if (stage->keeps)
                kept[k] = rhs[k];
            state[stage->target][k] = fma(stage->step * dt, rhs[k], base);
        }
    }
}

static bool steps_by_table(ew_solver *solver, const struct ewi_scheme *scheme)
{
    static double state[EWI_MAX_REGISTERS][STEP_MODES], stepped[STEP_MODES];
    ew_error error;
    double dt;
    must(ew_solver_get_coefficients(solver, state[0], &error), &error);
    must(ew_solver_time_step(solver, &dt, &error), &error);
    must(ew_solver_advance(solver, 1, 1, NULL, &error), &error);
    must(ew_solver_get_coefficients(solver, stepped, &error), &error);
    step_by_hand(solver, scheme, dt, state);
    return memcmp(state[0], stepped, sizeof stepped) == 0;
}

static void check_steps(const struct grid *grid)
{
    for (int s = 0; ewi_scheme_at(s); s++) {
        ew_solver *solver = solver_for(&laws[0], grid, STEP_ORDER, ewi_scheme_at(s)->name, NULL);
        ok(steps_by_table(solver, ewi_scheme_at(s)),
           "%s: a step is made of right-hand sides at the stages' times, to the last bit", ewi_scheme_at(s)->name);
        ew_solver_destroy(solver);
    }
}

/* rk4 with other last stages. */
static void check_numbers_of_terms(const struct grid *grid)
{
    static const char *const sets[] = {"fused", "edgewise"};
    for (int k = 0; k < COUNT(sets); k++)
        for (int terms = 0; terms <= EWI_MAX_TERMS; terms++) {
            struct ewi_scheme scheme = *ewi_scheme_find("rk4");
            ew_solver *solver = solver_for(&laws[0], grid, STEP_ORDER, scheme.name, sets[k]);
            scheme.stage[scheme.stages - 1].terms = terms;
            solver->plan->scheme = &scheme;
            ok(steps_by_table(solver, &scheme), "%s: a stage of %d terms", sets[k], terms);
            ew_solver_destroy(solver);
        }
}

/* ---- schemes on an ordinary differential equation ---------------------------------------------------------------- */

/* u' = 1 + (u - t)^2, u(0) = 1/2, is solved by t + 1/(2 - t). */
static double ode(double t, double u)
{
    return 1 + (u - t) * (u - t);
}

static double nothing(double t, double u)
{
    return 0 * (t + u);
}

static double ode_step(const struct ewi_scheme *scheme, double (*f)(double, double), double t, double u0, double dt)
{
    double u[EWI_MAX_REGISTERS] = {u0}, kept = 0;
    for (int s = 0; s < scheme->stages; s++) {
        const struct ewi_stage *stage = &scheme->stage[s];
        double rhs = f(t + stage->time * dt, u[stage->source]), sum = 0;
        for (int k = 0; k < stage->terms; k++)
            sum = fma(stage->term[k].weight, u[stage->term[k].from] - u[0], sum);
        sum = stage->kept != 0 ? fma(stage->kept * dt, kept, sum) : sum;
        kept = stage->keeps ? rhs : kept;
        u[stage->target] = fma(stage->step * dt, rhs, u[0] + sum);
    }
    return u[0];
}

static double ode_error(const struct ewi_scheme *scheme, int steps)
{
    double u = 0.5;
    for (int n = 0; n < steps; n++)
        u = ode_step(scheme, ode, (double)n / steps, u, 1.0 / steps);
    return fabs(u - 2);
}

static void check_schemes(void)
{
    static const struct {
        const char *name;
        int order;
    } expected[] = {{"rk2", 2},     {"rk43", 3},    {"rk4", 4},    {"ssprk22", 2},
                    {"ssprk32", 2}, {"ssprk33", 3}, {"ssprk54", 4}};
    for (int k = 0; k < COUNT(expected); k++) {
        const struct ewi_scheme *scheme = ewi_scheme_find(expected[k].name);
        bool constant = true;
        if (!ok(scheme != NULL, "%s: is there", expected[k].name))
            continue;
        is_close(log2(ode_error(scheme, 64) / ode_error(scheme, 128)), expected[k].order, 0.15,
                 "%s: converges with order %d", scheme->name, expected[k].order);
        for (int n = 0; n < 1000; n++) {
            double u = ldexp(next_random(), (int)(60 * next_random()));
            constant = constant && ode_step(scheme, nothing, 0.1, u, 0.37) == u;
        }
        ok(constant, "%s: keeps constants to the last bit", scheme->name);
    }
    ok(!ewi_scheme_at(COUNT(expected)), "all schemes are tested");
}

/* ---- numerical fluxes -------------------------------------------------------------------------------------------- */

static const double parameter[2] = {GAMMA, 0};
static const bool is_eulers[EWI_FLUX_COUNT] = {
#define IS_EULERS(law, flux, operations) [EWI_FLUX_##flux] = true,
    EWI_FLUXES_euler(IS_EULERS)
#undef IS_EULERS
};
static const char *const flux_name[EWI_FLUX_COUNT] = {
#define FLUX_NAME(name, description) #name,
    EWI_FLUX_LIST(FLUX_NAME)
#undef FLUX_NAME
};

static void conserved_of(double rho, double vx, double vy, double p, double *u)
{
    u[0] = rho;
    u[1] = rho * vx;
    u[2] = rho * vy;
    u[3] = p / (GAMMA - 1) + 0.5 * rho * (vx * vx + vy * vy);
}

/* Densities and pressures over four orders of magnitude, Mach numbers up to 3. */
static void random_euler(double *u)
{
    double rho = pow(10, 2 * next_random()), p = pow(10, 2 * next_random()), c = sqrt(GAMMA * p / rho);
    conserved_of(rho, 3 * c * next_random(), 3 * c * next_random(), p, u);
}

struct edge {
    double nx, ny, length; /* the normal times the length */
};

static struct edge random_edge(void)
{
    double angle = 4 * next_random(), length = pow(10, next_random());
    return (struct edge){length * cos(angle), length * sin(angle), length};
}

/* Kernels ask for twice the flux. */
static void flux_of(int flux, const double *ul, const double *ur, struct edge n, double *f)
{
    ewi_euler_numerical_flux(flux, parameter, NULL, ul, ur, n.nx, n.ny, n.length, f);
    for (int m = 0; m < 4; m++)
        f[m] *= 0.5;
}

/* F(u).n times the length, by the formula. */
static void plain_flux(const double *u, struct edge n, double *f)
{
    real fx[4], fy[4], v[4] = {u[0], u[1], u[2], u[3]};
    euler_flux(v, 0, 0, fx, fy);
    for (int m = 0; m < 4; m++)
        f[m] = (double)(fx[m] * n.nx + fy[m] * n.ny);
}

/* What fluxes are made of, per variable: a wave speed times the state. */
static double flux_size(const double *u, struct edge n, int m)
{
    double speed = (fabs(u[1]) + fabs(u[2])) / u[0] + sqrt(GAMMA * u[3] / u[0]); /* an upper bound */
    return n.length * speed * (m == 0 ? u[0] : m == 3 ? u[3] : u[0] * speed);
}

static double flux_distance(const double *f, const double *g, const double *ul, const double *ur, struct edge n)
{
    double largest = 0;
    for (int m = 0; m < 4; m++)
        largest = larger(fabs(f[m] - g[m]) / fmax(flux_size(ul, n, m), flux_size(ur, n, m)), largest);
    return largest;
}

static void check_consistency(int flux)
{
    double consistent = 0, conservative = 0;
    for (int k = 0; k < 20000; k++) {
        double ul[4], ur[4], f[4], g[4];
        struct edge n = random_edge(), back = {-n.nx, -n.ny, n.length};
        random_euler(ul);
        random_euler(ur);
        flux_of(flux, ul, ul, n, f);
        plain_flux(ul, n, g);
        consistent = larger(flux_distance(f, g, ul, ul, n), consistent);
        flux_of(flux, ul, ur, n, f);
        flux_of(flux, ur, ul, back, g);
        for (int m = 0; m < 4; m++)
            g[m] = -g[m];
        conservative = larger(flux_distance(f, g, ul, ur, n), conservative);
    }
    is_close(consistent, 0, 1e-14, "%s: of two equal states it is their flux", flux_name[flux]);
    is_close(conservative, 0, 1e-12, "%s: what leaves one side enters the other", flux_name[flux]);
}

static void check_upwinding(int flux)
{
    double distance = 0;
    for (int k = 0; k < 20000; k++) {
        double u[2][4], f[4], g[4];
        struct edge n = random_edge();
        double ex = n.nx / n.length, ey = n.ny / n.length, sign = k % 2 ? 1 : -1;
        for (int s = 0; s < 2; s++) { /* all waves leave to one side: Mach 2.2 and more */
            double rho = 1 + 0.3 * next_random(), p = 1 + 0.3 * next_random(), c = sqrt(GAMMA * p / rho);
            double vn = sign * c * (3 + 0.8 * next_random()), vt = next_random();
            conserved_of(rho, vn * ex - vt * ey, vn * ey + vt * ex, p, u[s]);
        }
        flux_of(flux, u[0], u[1], n, f);
        plain_flux(u[sign > 0 ? 0 : 1], n, g);
        distance = larger(flux_distance(f, g, u[0], u[1], n), distance);
    }
    is_close(distance, 0, 1e-14, "%s: supersonic flow is upwinded", flux_name[flux]);
}

static void check_contacts(int flux)
{
    double still = 0, shear = 0;
    for (int k = 0; k < 20000; k++) {
        double ul[4], ur[4], f[4];
        struct edge n = random_edge();
        double ex = n.nx / n.length, ey = n.ny / n.length, p = pow(10, next_random()), slip = k % 2 ? next_random() : 0;
        conserved_of(pow(10, next_random()), -slip * ey, slip * ex, p, ul);
        conserved_of(pow(10, next_random()), 2 * slip * ey, -2 * slip * ex, p, ur);
        flux_of(flux, ul, ur, n, f);
        const double g[4] = {0, p * n.nx, p * n.ny, 0};
        double *worst = k % 2 ? &shear : &still;
        *worst = larger(flux_distance(f, g, ul, ur, n), *worst);
    }
    is_close(still, 0, 1e-14, "%s: a contact at rest stays as it is", flux_name[flux]);
    is_close(shear, 0, 1e-14, "%s: so does a shear layer", flux_name[flux]);
}

/* ---- the exact Riemann problem (Toro, chapter 4) ----------------------------------------------------------------- */

struct gas {
    double rho, v, p;
};

static double sound(struct gas gas)
{
    return sqrt(GAMMA * gas.p / gas.rho);
}

/* The velocity jump across the wave that leads from `gas` to the pressure p. */
static double wave_jump(double p, struct gas gas)
{
    if (p > gas.p)
        return (p - gas.p) * sqrt(2 / ((GAMMA + 1) * gas.rho) / (p + (GAMMA - 1) / (GAMMA + 1) * gas.p));
    return 2 * sound(gas) / (GAMMA - 1) * (pow(p / gas.p, (GAMMA - 1) / (2 * GAMMA)) - 1);
}

static double star_pressure(struct gas left, struct gas right)
{
    double low = 1e-12, high = 1e6;
    for (int k = 0; k < 200; k++) {
        double p = sqrt(low * high);
        if (wave_jump(p, left) + wave_jump(p, right) + right.v - left.v > 0)
            high = p;
        else
            low = p;
    }
    return sqrt(low * high);
}

/* The state at x/t = 0 for a wave that runs to the left, given the star region's pressure and velocity. */
static struct gas left_sample(struct gas left, double p, double v)
{
    double c = sound(left), g = (GAMMA - 1) / (GAMMA + 1);
    if (p > left.p) {
        double speed = left.v - c * sqrt((GAMMA + 1) / (2 * GAMMA) * p / left.p + (GAMMA - 1) / (2 * GAMMA));
        return speed >= 0 ? left : (struct gas){left.rho * (p / left.p + g) / (g * p / left.p + 1), v, p};
    }
    double c_star = c * pow(p / left.p, (GAMMA - 1) / (2 * GAMMA));
    if (left.v - c >= 0)
        return left;
    if (v - c_star <= 0)
        return (struct gas){left.rho * pow(p / left.p, 1 / GAMMA), v, p};
    double inside = 2 / (GAMMA + 1) + g * left.v / c;
    return (struct gas){left.rho * pow(inside, 2 / (GAMMA - 1)), 2 / (GAMMA + 1) * (c + (GAMMA - 1) / 2 * left.v),
                        left.p * pow(inside, 2 * GAMMA / (GAMMA - 1))};
}

static struct gas mirrored(struct gas gas)
{
    return (struct gas){gas.rho, -gas.v, gas.p};
}

static void exact_flux(struct gas left, struct gas right, double *f)
{
    double p = star_pressure(left, right), v = 0.5 * (left.v + right.v + wave_jump(p, right) - wave_jump(p, left)),
           u[4];
    struct gas at = v >= 0 ? left_sample(left, p, v) : mirrored(left_sample(mirrored(right), p, -v));
    conserved_of(at.rho, at.v, 0, at.p, u);
    plain_flux(u, (struct edge){1, 0, 1}, f);
}

/* The largest difference to the exact flux, over the largest exact flux. */
static double riemann_error(int flux, struct gas left, struct gas right)
{
    double ul[4], ur[4], f[4], exact[4], difference = 0, size = 0;
    conserved_of(left.rho, left.v, 0, left.p, ul);
    conserved_of(right.rho, right.v, 0, right.p, ur);
    flux_of(flux, ul, ur, (struct edge){1, 0, 1}, f);
    exact_flux(left, right, exact);
    for (int m = 0; m < 4; m++) {
        difference = larger(fabs(f[m] - exact[m]), difference);
        size = larger(fabs(exact[m]), size);
    }
    return difference / size;
}

/* Toro's tests, section 4.3.3, and bounds per flux in the order of EWI_FLUX_LIST. */
static const struct {
    const char *name;
    struct gas left, right;
    double bound[EWI_FLUX_COUNT];
} problems[] = {
    {"Sod's tube", {1, 0, 1}, {0.125, 0, 0.1}, {0.17, 0.14, 0.14}},
    {"a sonic rarefaction", {1, 0.75, 1}, {0.125, 0, 0.1}, {0.31, 0.09, 0.06}},
    {"a strong shock to the right", {1, 0, 1000}, {1, 0, 0.01}, {0.41, 0.03, 0.06}},
    {"a strong shock to the left", {1, 0, 0.01}, {1, 0, 100}, {0.41, 0.03, 0.06}},
    {"two shocks", {5.99924, 19.5975, 460.894}, {5.99242, -6.19633, 46.0950}, {0.08, 0.08, 0.12}},
};

static void check_riemann_problems(int flux)
{
    for (int k = 0; k < COUNT(problems); k++) {
        is_close(riemann_error(flux, problems[k].left, problems[k].right), 0, problems[k].bound[flux],
                 "%s: %s is near the exact solution", flux_name[flux], problems[k].name);
        is_close(riemann_error(flux, mirrored(problems[k].right), mirrored(problems[k].left)), 0,
                 problems[k].bound[flux], "%s: %s, mirrored", flux_name[flux], problems[k].name);
    }
}

/* Linearised solvers are exact to second order in the jump. */
static void check_weak_waves(int flux)
{
    double least = INFINITY;
    for (int k = 0; k < 50; k++) {
        struct gas left = {1, 0.3, 1}, whole = left, half = left;
        double jump[3] = {0.02 * next_random(), 0.02 * next_random(), 0.02 * next_random()};
        whole.rho += jump[0], whole.v += jump[1], whole.p += jump[2];
        half.rho += jump[0] / 2, half.v += jump[1] / 2, half.p += jump[2] / 2;
        least = fmin(least, riemann_error(flux, left, whole) / riemann_error(flux, left, half));
    }
    ok(least > 3, "%s: for weak waves the error falls with the square of the jump (at least by %.3g for half of it)",
       flux_name[flux], least);
}

/* ---- ghosts and conversions -------------------------------------------------------------------------------------- */

static void ghost_of(int ghost, const double *u, const double *given, struct edge n, double *g)
{
    ewi_euler_ghost(ghost, parameter, u, given, n.nx / n.length, n.ny / n.length, g);
}

/* `mach`: of the flow along the normal, positive where it leaves. */
static void state_of_mach(double mach, struct edge n, double *u)
{
    double rho = pow(10, next_random()), p = pow(10, next_random()), c = sqrt(GAMMA * p / rho), vt = next_random();
    double ex = n.nx / n.length, ey = n.ny / n.length;
    conserved_of(rho, mach * c * ex - vt * ey, mach * c * ey + vt * ex, p, u);
}

/* Toro's wave speeds do not bound the shock of a flow that meets a wall at more than Mach 1.76. */
#define WALL_MACH 3.0

static void check_walls(void)
{
    static const int kinds[2] = {EWI_GHOST_mirror, EWI_GHOST_tangential};
    for (int flux = 0; flux < EWI_FLUX_COUNT; flux++) {
        if (!is_eulers[flux])
            continue;
        double through[2] = {0}, energy[2] = {0};
        for (int k = 0; k < 20000; k++) {
            double u[4], g[4], f[4];
            struct edge n = random_edge();
            state_of_mach(WALL_MACH * next_random(), n, u);
            for (int kind = 0; kind < 2; kind++) {
                ghost_of(kinds[kind], u, u, n, g);
                if (kind == 1) /* what it leaves of the flow runs along the wall */
                    memcpy(u, g, sizeof u);
                flux_of(flux, u, g, n, f);
                through[kind] = larger(fabs(f[0]) / flux_size(u, n, 0), through[kind]);
                energy[kind] = larger(fabs(f[3]) / flux_size(u, n, 3), energy[kind]);
            }
        }
        is_close(through[0], 0, 1e-14,
                 "%s: no mass goes through a mirroring wall that the flow meets at up to Mach 1.7", flux_name[flux]);
        is_close(energy[0], 0, 1e-14, "%s: nor energy", flux_name[flux]);
        is_close(through[1], 0, 1e-14,
                 "%s: no mass goes through a wall with tangential ghosts, where the flow is along it", flux_name[flux]);
        is_close(energy[1], 0, 1e-14, "%s: nor energy", flux_name[flux]);
    }
}

static void check_wall_ghosts(void)
{
    double mirror = 0, tangential = 0, along = 0;
    bool kept = true;
    for (int k = 0; k < 20000; k++) {
        double u[4], g[4], h[4];
        struct edge n = random_edge();
        random_euler(u);
        double ex = n.nx / n.length, ey = n.ny / n.length, size = fabs(u[1]) + fabs(u[2]);
        ghost_of(EWI_GHOST_mirror, u, u, n, g);
        ghost_of(EWI_GHOST_tangential, u, u, n, h);
        kept = kept && g[0] == u[0] && h[0] == u[0] && g[3] == u[3] && h[3] == u[3];
        mirror = larger(fabs((g[1] + u[1]) * ex + (g[2] + u[2]) * ey) / size, mirror);
        tangential = larger(fabs(h[1] * ex + h[2] * ey) / size, tangential);
        along = larger((fabs((g[1] - u[1]) * ey - (g[2] - u[2]) * ex) + fabs((h[1] - u[1]) * ey - (h[2] - u[2]) * ex)) /
                           size,
                       along);
    }
    ok(kept, "walls keep density and energy to the last bit");
    is_close(mirror, 0, 1e-15, "a mirroring wall reverses the normal momentum");
    is_close(tangential, 0, 1e-15, "a wall with tangential ghosts takes the normal momentum away");
    is_close(along, 0, 1e-15, "both keep the tangential momentum");
}

static void check_far_field(void)
{
    double same = 0;
    bool leaves = true, enters = true;
    for (int k = 0; k < 20000; k++) {
        double u[4], given[4], g[4], h[4];
        struct edge n = random_edge(), longer = {1.8 * n.nx, 1.8 * n.ny, n.length};
        state_of_mach(2 * next_random(), n, u);
        ghost_of(EWI_GHOST_far, u, u, n, g);
        for (int m = 0; m < 4; m++)
            same = larger(fabs(g[m] - u[m]) / (m == 0 ? u[0] : m == 3 ? u[3] : sqrt(u[0] * u[3])), same);
        state_of_mach(0.9 * next_random(), n, given);
        state_of_mach(1.5 + 0.4 * next_random(), n, u);
        ghost_of(EWI_GHOST_far, u, given, n, g);
        ghost_of(EWI_GHOST_oblique, u, given, longer, h);
        leaves = leaves && memcmp(g, u, sizeof g) == 0 && memcmp(h, u, sizeof h) == 0;
        state_of_mach(-1.5 + 0.4 * next_random(), n, u);
        ghost_of(EWI_GHOST_far, u, given, n, g);
        ghost_of(EWI_GHOST_oblique, u, given, longer, h);
        enters = enters && memcmp(g, given, sizeof g) == 0 && memcmp(h, given, sizeof h) == 0;
    }
    is_close(same, 0, 1e-14, "a far field that is the inner state is left as it is");
    ok(leaves, "flow that leaves faster than sound goes out unhindered");
    ok(enters, "flow that enters faster than sound is the far state");
}

/* Sound that leaves: an outgoing acoustic wave upon the far state changes nothing of what comes in. */
static void check_outgoing_sound(void)
{
    double largest = 0;
    for (int k = 0; k < 1000; k++) {
        double u[4], given[4], g[4], c0 = 1 + 0.3 * next_random(), v0 = 0.5 * next_random(),
                                     c = c0 * (1 + 0.05 * next_random());
        double rho0 = GAMMA / (c0 * c0), rho = rho0 * pow(c / c0, 2 / (GAMMA - 1)), p = rho * c * c / GAMMA;
        double v = v0 + 2 * (c - c0) / (GAMMA - 1); /* simple wave: u.n - 2c/(gamma-1) as outside, the same entropy */
        conserved_of(rho0, v0, 0, 1, given);
        conserved_of(rho, v, 0, p, u);
        ghost_of(EWI_GHOST_far, u, given, (struct edge){1, 0, 1}, g);
        for (int m = 0; m < 4; m++)
            largest = larger(fabs(g[m] - u[m]) / u[m == 0 ? 0 : 3], largest);
    }
    is_close(largest, 0, 1e-14, "a simple wave leaves through a far field without reflection");
}

static void check_conversions(void)
{
    double back = 0, forth = 0;
    for (int k = 0; k < 20000; k++) {
        double u[4], w[4], again[4], size;
        random_euler(u);
        ewi_euler_primitive(parameter, u, w);
        ewi_euler_conserved(parameter, w, again);
        size = sqrt(u[0] * u[3]);
        for (int m = 0; m < 4; m++)
            back = larger(fabs(again[m] - u[m]) / (m == 0 ? u[0] : m == 3 ? u[3] : size), back);
        ewi_euler_primitive(parameter, again, u);
        for (int m = 0; m < 4; m++)
            forth = larger(fabs(u[m] - w[m]) / (m == 0 ? w[0] : m == 3 ? again[3] : sqrt(again[3] / w[0])), forth);
    }
    is_close(back, 0, 1e-15, "conserved to primitive and back");
    is_close(forth, 0, 2e-15, "primitive to conserved and back");
}

/* ---- the limiter ------------------------------------------------------------------------------------------------- */

enum { P1_ROWS = 12 };

/* Depends on nothing but the place, and is different in each element. */
static void rough(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context, (void)t;
    for (size_t i = 0; i < n; i++)
        for (size_t m = 0; m < 4; m++) {
            double s = sin(12.9898 * x[i] + 78.233 * y[i] + 3 * (double)m) * 43758.5453;
            values[m * n + i] = (m == 0 || m == 3 ? 1.2 : 0) + 0.8 * (s - floor(s) - 0.5);
        }
}

/* Along the diagonal that all cells of the plain grid have. */
static void rising(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context, (void)t;
    for (size_t i = 0; i < n; i++) {
        values[i] = 1 + 0.125 * (x[i] * NX / 2 + y[i] * NY);
        values[n + i] = values[2 * n + i] = 0;
        values[3 * n + i] = 2 - 0.0625 * (x[i] * NX / 2 + y[i] * NY);
    }
}

/* The same in a whole column of cells of the plain grid. */
static void flat(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context, (void)y, (void)t;
    for (size_t i = 0; i < n; i++) {
        int column = (int)(x[i] * NX / 2);
        values[i] = 1 + 0.25 * (column % 3);
        values[n + i] = values[2 * n + i] = 0;
        values[3 * n + i] = 2 + 0.5 * (column % 4);
    }
}

static ew_solver *limited_solver(const struct grid *grid, bool periodic, ew_callback initial, bool limited)
{
    static const ew_boundary boundaries[] = {
        {.name = "bottom", .kind = "wall"}, {.name = "top", .kind = "wall"},  {.name = "state", .kind = "copy"},
        {.name = "left", .kind = "copy"},   {.name = "right", .kind = "copy"},
    };
    const ew_problem problem = {.order = 1,
                                .scheme = "ssprk22", .cfl = 0.3, .limiter = limited ? "barth-jespersen" : "none",
                                .initial = {.callback = initial, .variables = EW_X | EW_Y},
                                .boundaries = periodic ? 3 : 5, .boundary = boundaries,
                                .threads = 1};
    ew_solver *solver;
    ew_error error;
    must(ew_solver_create(NULL, grid->mesh, &problem, &solver, &error), &error);
    return solver;
}

/* The means' bounds of an element and its edge neighbours, over sqrt(2). */
static void bounds_of(const struct grid *grid, const double *c, int i, int m, double *low, double *high)
{
    *low = *high = c[i * P1_ROWS + 3 * m];
    for (int k = 0; k < 3; k++) {
        int other = grid->side[i][k].element;
        double mean = c[(other < 0 ? i : other) * P1_ROWS + 3 * m];
        *low = fmin(*low, mean);
        *high = fmax(*high, mean);
    }
}

/* How far the values at the Gauss points of the sides are outside the bounds of the means. */
static double excess(const struct grid *grid, const double *c)
{
    const struct ewi_basis *basis = ewi_basis_get(1);
    double largest = 0;
    for (int i = 0; i < ELEMENTS; i++)
        for (int m = 0; m < 4; m++) {
            double low, high;
            bounds_of(grid, c, i, m, &low, &high);
            for (int e = 0; e < 3 * basis->ne; e++) {
                double value = 0;
                for (int j = 0; j < 3; j++)
                    value += basis->side[e * 3 + j] * c[i * P1_ROWS + 3 * m + j];
                largest = larger(fmax(value - sqrt(2) * high, sqrt(2) * low - value), largest);
            }
        }
    return largest;
}

/* alpha by the paper's formula, point by point. */
static real alpha_of(const struct grid *grid, const double *c, int i, int m)
{
    const struct ewi_basis *basis = ewi_basis_get(1);
    double low, high;
    real alpha = 1;
    bounds_of(grid, c, i, m, &low, &high);
    const double *own = c + i * P1_ROWS + 3 * m;
    for (int e = 0; e < 3 * basis->ne; e++) {
        real rise = (real)basis->side[e * 3 + 1] * own[1] + (real)basis->side[e * 3 + 2] * own[2];
        if (rise > 0)
            alpha = fminl(alpha, basis->side[e * 3] * ((real)high - own[0]) / rise);
        if (rise < 0)
            alpha = fminl(alpha, basis->side[e * 3] * ((real)low - own[0]) / rise);
    }
    return alpha;
}

static void read_state(ew_solver *solver, double *c)
{
    ew_error error;
    must(ew_solver_get_coefficients(solver, c, &error), &error);
}

static void check_limiting(const struct grid *grid)
{
    static double plain[ELEMENTS * P1_ROWS], limited[ELEMENTS * P1_ROWS];
    ew_solver *without = limited_solver(grid, true, rough, false), *with = limited_solver(grid, true, rough, true);
    bool means = true;
    double difference = 0;
    int cut = 0;
    ew_error error;
    read_state(without, plain);
    read_state(with, limited);
    for (int i = 0; i < ELEMENTS; i++)
        for (int m = 0; m < 4; m++) {
            int at = i * P1_ROWS + 3 * m;
            real alpha = alpha_of(grid, plain, i, m);
            cut += alpha < 1;
            means = means && memcmp(&plain[at], &limited[at], sizeof *plain) == 0;
            for (int j = 1; j < 3; j++)
                difference = larger((double)fabsl(limited[at + j] - alpha * plain[at + j]), difference);
        }
    ok(cut > ELEMENTS && excess(grid, plain) > 0.1, "the limiter has something to do: %d slopes of %d", cut,
       4 * ELEMENTS);
    ok(means, "the limiter keeps means to the last bit");
    is_close(difference, 0, 1e-15, "the limiter scales slopes as Barth and Jespersen's formula says");
    is_close(excess(grid, limited), 0, 1e-15,
             "limited values at the sides' Gauss points lie between the neighbours' means");
    must(ew_solver_advance(with, 10, 20, NULL, &error), &error);
    read_state(with, limited);
    is_close(excess(grid, limited), 0, 1e-15, "so they do after some steps");
    ew_solver_destroy(without);
    ew_solver_destroy(with);
}

static void check_linear_data(const struct grid *grid)
{
    static double plain[ELEMENTS * P1_ROWS], limited[ELEMENTS * P1_ROWS];
    ew_solver *without = limited_solver(grid, false, rising, false), *with = limited_solver(grid, false, rising, true);
    bool kept = true;
    int inner = 0;
    read_state(without, plain);
    read_state(with, limited);
    for (int i = 0; i < ELEMENTS; i++) {
        bool inside = true;
        for (int k = 0; k < 3; k++)
            inside = inside && grid->side[i][k].element >= 0;
        inner += inside;
        kept = kept && (!inside || memcmp(plain + i * P1_ROWS, limited + i * P1_ROWS, P1_ROWS * sizeof *plain) == 0);
    }
    ok(kept && inner > ELEMENTS / 2, "linear data along the diagonals of a uniform mesh are not limited inside");
    ew_solver_destroy(without);
    ew_solver_destroy(with);
}

/* Whose quotients are 0/0 and infinite. */
static void check_flat_data(const struct grid *grid)
{
    static double plain[ELEMENTS * P1_ROWS], limited[ELEMENTS * P1_ROWS];
    ew_solver *without = limited_solver(grid, false, flat, false), *with = limited_solver(grid, false, flat, true);
    int slopes = 0;
    read_state(without, plain);
    read_state(with, limited);
    for (int k = 0; k < ELEMENTS * P1_ROWS; k++)
        slopes += k % 3 > 0 && plain[k] != 0;
    ok(slopes == 0 && memcmp(plain, limited, sizeof plain) == 0, "elements without slopes keep them as they are");
    ew_solver_destroy(without);
    ew_solver_destroy(with);
}

int main(void)
{
    static struct grid wild, plain;
    diag("seed %u", SEED);
    make_laws();
    make_grid(&wild, true, true);
    make_grid(&plain, false, false);
    check_right_hand_side(&wild);
    check_steps(&wild);
    check_numbers_of_terms(&wild);
    check_schemes();
    for (int flux = 0; flux < EWI_FLUX_COUNT; flux++) {
        if (!is_eulers[flux])
            continue;
        check_consistency(flux);
        check_riemann_problems(flux);
        if (flux == EWI_FLUX_llf)
            continue;
        check_upwinding(flux);
        check_contacts(flux);
        check_weak_waves(flux);
    }
    check_walls();
    check_wall_ghosts();
    check_far_field();
    check_outgoing_sound();
    check_conversions();
    check_limiting(&wild);
    check_linear_data(&plain);
    check_flat_data(&plain);
    ew_mesh_destroy(wild.mesh);
    ew_mesh_destroy(plain.mesh);
    free_laws();
    return done_testing();
}
