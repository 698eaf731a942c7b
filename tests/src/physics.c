/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the equations keep, the scheme keeps: a free stream, the totals, mirror images, turns and units, to rounding;
 * and Sod's tube, a rotating hill, data that change in time and the time schemes to their order. Tables are printed as
 * diagnostics.
 */
#include "edgewise-case.h"
#include "flows.h"

#define TWO_PI 6.28318530717958647692

static const char *const fluxes[] = {"llf", "roe", "hllc"};

static ew_mesh *annulus(void)
{
    const char *srcdir = getenv("srcdir");
    char path[1024];
    snprintf(path, sizeof path, "%s/tests/meshes/annulus-A.msh", srcdir ? srcdir : ".");
    ew_mesh *mesh;
    ew_error error;
    if (ew_gmsh_read(NULL, path, NULL, &mesh, &error))
        bail_out("no mesh: %s", error.message);
    return mesh;
}

/* ---- a free stream ----------------------------------------------------------------------------------------------- */

struct stream {
    const char *what;
    ew_mesh *mesh;
    const char *kind;  /* of left and bottom, where it comes in */
    const char *other; /* of right and top, where it leaves; NULL: the same */
    bool walls;        /* bottom and top are walls, which it follows */
    const char *texts[4];
};

/* The largest difference from the free stream at any sample after 60 steps; NaN if the run fails. */
static double disturbance(const struct stream *stream, int order, const char *flux)
{
    ew_formula *state = formula(4, stream->texts);
    ew_data data = {.formula = state};
    ew_boundary boundary[4];
    ew_problem problem = {.order = order, .flux = flux, .initial = data, .boundary = boundary};
    problem.boundaries = boundaries(stream->mesh, stream->kind, data, boundary);
    for (size_t k = 0; stream->other && k < problem.boundaries; k++)
        if (strcmp(boundary[k].name, "right") == 0 || strcmp(boundary[k].name, "top") == 0)
            boundary[k] = (ew_boundary){.name = boundary[k].name, .kind = stream->other};
    for (size_t k = 0; stream->walls && k < problem.boundaries; k++)
        if (strcmp(boundary[k].name, "bottom") == 0 || strcmp(boundary[k].name, "top") == 0)
            boundary[k] = (ew_boundary){
                .name = boundary[k].name, .kind = "wall", .ghost = order % 2 ? "tangential" : NULL};
    ew_solver *solver = start(stream->mesh, &problem);

    double given[4], worst = 0.0;
    ew_formula_evaluate(state, 1, &(double){0.0}, &(double){0.0}, 0.0, given, 1);
    bool went = advance(solver, never, 60);
    int64_t elements = elements_of(stream->mesh);
    double *values = sample(solver, elements);
    for (int64_t i = 0; i < elements * samples; i++)
        for (int m = 0; m < 4; m++)
            worst = fmax(worst, fabs(values[4 * i + m] - given[m]));
    free(values);
    ew_solver_destroy(solver);
    ew_formula_destroy(state);
    return went ? worst : NAN;
}

static void test_free_stream(void)
{
    struct box shape = {.nx = 6, .ny = 4, .width = 1.5, .height = 1.0, .jitter = 0.5}, torus = shape;
    torus.periodic = true;
    ew_mesh *rectangle = box(shape), *periodic = box(torus), *curved = annulus();
    const struct stream streams[] = {
        {"far boundaries", rectangle, "far", NULL, false, {"1", "0.5", "0.25", "1/gamma"}},
        {"state boundaries", rectangle, "state", NULL, false, {"1", "0.5", "0.25", "1/gamma"}},
        {"copied where it leaves faster than sound", rectangle, "state", "copy", false, {"1", "2", "1.5", "1/gamma"}},
        {"walls along it", rectangle, "state", NULL, true, {"1", "0.5", "0", "1/gamma"}},
        {"periodic boundaries", periodic, NULL, NULL, false, {"1", "0.5", "0.25", "1/gamma"}},
        {"a mesh from Gmsh", curved, "state", NULL, false, {"1", "-0.5", "1.25", "1/gamma"}},
    };
    for (size_t s = 0; s < COUNT(streams); s++)
        for (size_t f = 0; f < COUNT(fluxes); f++) {
            double worst = 0.0;
            for (int order = 1; order <= EW_MAX_ORDER; order++) {
                double here = disturbance(&streams[s], order, fluxes[f]);
                worst = here <= worst ? worst : here;
            }
            is_close(worst, 0.0, 1e-13, "a free stream stays: %s, %s, orders 1 to %d", streams[s].what, fluxes[f],
                     EW_MAX_ORDER);
            diag("largest difference %.2e", worst);
        }
    ew_mesh_destroy(rectangle);
    ew_mesh_destroy(periodic);
    ew_mesh_destroy(curved);
}

/* ---- an inflow that is faster than the flow ---------------------------------------------------------------------- */

/* Gas at rest: the first time step is that of the inflow, and the run goes on. */
static void check_inflow(const char *kind, const char *velocity)
{
    static const char *const rest[4] = {"1", "0", "0", "1"};
    const char *const comes[4] = {"1", velocity, "0", "1"};
    ew_mesh *mesh = box((struct box){.nx = 12, .ny = 2, .width = 1, .height = 1.0 / 6});
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    ew_formula *state = formula(4, rest), *inflow = formula(4, comes);
    ew_boundary boundary[4];
    ew_problem problem = {.order = 2, .limiter = "oscillation-free", .positivity = 1, .scheme = "ssprk33", .cfl = 0.4,
                          .initial.formula = state, .boundary = boundary};
    problem.boundaries = boundaries(mesh, "wall", (ew_data){0}, boundary);
    boundary[3] = (ew_boundary){.name = boundary[3].name, .kind = kind, .state.formula = inflow};
    ew_solver *solver = start(mesh, &problem);
    double dt = NAN, speed = 20.0 + sqrt(GAMMA);
    ew_error error;
    ok(!ew_solver_time_step(solver, &dt, &error), "%s, u = %s: a time step", kind, velocity);
    is_close(dt / (0.4 * info.smallest_diameter / (5.0 * speed)), 1.0, 1e-14, "... which the inflow limits");
    ok(advance(solver, never, 200), "... and the run goes on");
    ew_solver_destroy(solver);
    ew_formula_destroy(state);
    ew_formula_destroy(inflow);
    ew_mesh_destroy(mesh);
}

/* ---- conservation ------------------------------------------------------------------------------------------------ */

static const char *const waves[4] = {"1 + 0.3*sin(2*pi*x)*cos(2*pi*y)", "0.7 + 0.3*cos(2*pi*(x + y))",
                                     "0.4 - 0.2*sin(2*pi*(x - 2*y))", "1 + 0.3*cos(2*pi*x)"};
static const char *const blast[4] = {"hypot(x - 0.5, y - 0.5) < 0.3 ? 2 : 1", "0.3", "0.2",
                                     "hypot(x - 0.5, y - 0.5) < 0.3 ? 5 : 1"};

static void check_totals(const ew_mesh *mesh, const ew_problem *problem, const char *what)
{
    ew_solver *solver = start(mesh, problem);
    ew_norms before = norms_of(solver);
    bool went = advance(solver, never, 60);
    ew_norms after = norms_of(solver);
    double worst = 0.0;
    for (int m = 0; m < 4; m++)
        worst = fmax(worst, fabs(after.total[m] - before.total[m]) / fabs(before.total[m]));
    ok(went && worst <= 3e-14, "mass, momentum and energy are conserved: order %d, %s, %s", problem->order,
       problem->flux, what);
    diag("largest relative change %.2e", worst);
    ew_solver_destroy(solver);
}

static void test_conservation(void)
{
    ew_mesh *mesh = box((struct box){.nx = 7, .ny = 5, .width = 1.0, .height = 1.0, .jitter = 0.5, .periodic = true});
    ew_formula *smooth = formula(4, waves), *jumps = formula(4, blast);
    for (size_t f = 0; f < COUNT(fluxes); f++) {
        ew_problem problem = {.flux = fluxes[f], .initial = {.formula = smooth}};
        for (problem.order = 1; problem.order <= EW_MAX_ORDER; problem.order++)
            check_totals(mesh, &problem, "a smooth flow");
        problem.order = 1;
        problem.limiter = "barth-jespersen";
        problem.scheme = "ssprk22";
        problem.initial.formula = jumps;
        check_totals(mesh, &problem, "a blast with the limiter");
    }
    ew_formula_destroy(smooth);
    ew_formula_destroy(jumps);
    ew_mesh_destroy(mesh);
}

/* ---- Sod's tube -------------------------------------------------------------------------------------------------- */

struct gas {
    double rho, u, p;
};

/* Toro, "Riemann Solvers and Numerical Methods for Fluid Dynamics", section 4.2: f_K(p) and its derivative. */
static double wave_curve(struct gas k, double p, double *slope)
{
    double c = sqrt(GAMMA * k.p / k.rho);
    if (p <= k.p) {
        double ratio = pow(p / k.p, (GAMMA - 1) / (2 * GAMMA));
        *slope = ratio / p * k.p / (k.rho * c);
        return 2 * c / (GAMMA - 1) * (ratio - 1);
    }
    double a = 2 / ((GAMMA + 1) * k.rho), b = (GAMMA - 1) / (GAMMA + 1) * k.p, root = sqrt(a / (p + b));
    *slope = root * (1 - (p - k.p) / (2 * (p + b)));
    return (p - k.p) * root;
}

struct riemann {
    struct gas left, right;
    double p, u; /* between the two waves */
};

static struct riemann riemann(struct gas left, struct gas right)
{
    struct riemann that = {.left = left, .right = right, .p = 0.5 * (left.p + right.p)};
    double left_curve = 0.0, right_curve = 0.0;
    for (int i = 0; i < 50; i++) {
        double left_slope, right_slope;
        left_curve = wave_curve(left, that.p, &left_slope);
        right_curve = wave_curve(right, that.p, &right_slope);
        double next = that.p - (left_curve + right_curve + right.u - left.u) / (left_slope + right_slope);
        that.p = next > 0.0 ? next : 0.1 * that.p;
    }
    that.u = 0.5 * (left.u + right.u) + 0.5 * (right_curve - left_curve);
    return that;
}

/* The density at x/t = xi on the side of `k`, which is the left one; Toro, section 4.5. */
static double density_left(struct gas k, double p, double u, double xi)
{
    double c = sqrt(GAMMA * k.p / k.rho), ratio = p / k.p, g = (GAMMA - 1) / (GAMMA + 1);
    if (ratio > 1.0) {
        double speed = k.u - c * sqrt((GAMMA + 1) / (2 * GAMMA) * ratio + (GAMMA - 1) / (2 * GAMMA));
        return xi < speed ? k.rho : k.rho * (ratio + g) / (g * ratio + 1);
    }
    if (xi < k.u - c)
        return k.rho;
    if (xi > u - c * pow(ratio, (GAMMA - 1) / (2 * GAMMA)))
        return k.rho * pow(ratio, 1 / GAMMA);
    return k.rho * pow(2 / (GAMMA + 1) + g / c * (k.u - xi), 2 / (GAMMA - 1));
}

static double density(const struct riemann *that, double xi)
{
    if (xi < that->u)
        return density_left(that->left, that->p, that->u, xi);
    struct gas mirrored = {that->right.rho, -that->right.u, that->right.p};
    return density_left(mirrored, that->p, -that->u, -xi);
}

/* Sod's tube, whose diaphragm is at x = 1/2. */
static double sod_density(double x, double t)
{
    struct riemann exact = riemann((struct gas){1.0, 0.0, 1.0}, (struct gas){0.125, 0.0, 0.1});
    return density(&exact, (x - 0.5) / t);
}

static double sod_error(int cells, ew_problem *problem)
{
    double height = 2.0 / cells;
    ew_mesh *mesh = box((struct box){.nx = cells, .ny = 2, .width = 1.0, .height = height});
    ew_boundary boundary[4];
    problem->boundaries = boundaries(mesh, "copy", (ew_data){0}, boundary);
    problem->boundary = boundary;
    for (size_t k = 0; k < problem->boundaries; k++)
        if (strcmp(boundary[k].name, "bottom") == 0 || strcmp(boundary[k].name, "top") == 0)
            boundary[k].kind = "wall";
    ew_solver *solver = start(mesh, problem);
    double error = advance(solver, 0.2, INT64_MAX) ? error_l1(solver, mesh, sod_density, height) : NAN;
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    return error;
}

static void test_sod(void)
{
    struct riemann exact = riemann((struct gas){1.0, 0.0, 1.0}, (struct gas){0.125, 0.0, 0.1});
    is_close(exact.p, 0.30313, 5e-6, "the exact solution has Toro's pressure between the waves");
    is_close(exact.u, 0.92745, 5e-6, "the exact solution has Toro's velocity between the waves");

    const char *const texts[4] = {"x < 0.5 ? 1 : 0.125", "0", "0", "x < 0.5 ? 1 : 0.1"};
    /*
     * L1 errors of the density with 50, 100 and, in long checks, 200 cells: 5 per cent above what was measured. At the
     * contact, Barth and Jespersen's limiter leaves a rate of 2/3. Without a limiter, the oscillations at the shock
     * keep the rate low; the last row is a long check.
     */
    static const struct {
        const char *flux, *limiter, *scheme;
        int order;
        double bound[3], rate;
    } runs[] = {
        {"llf", "barth-jespersen", "ssprk22", 1, {1.53e-2, 9.32e-3, 5.76e-3}, 0.67},
        {"roe", "barth-jespersen", "ssprk22", 1, {1.36e-2, 8.30e-3, 5.11e-3}, 0.67},
        {"hllc", "barth-jespersen", "ssprk22", 1, {1.38e-2, 8.40e-3, 5.18e-3}, 0.67},
        {"llf", "oscillation-free", "ssprk33", 2, {4.49e-3, 2.44e-3, 1.43e-3}, 0.8},
        {"hllc", "oscillation-free", "ssprk33", 2, {5.47e-3, 2.98e-3, 1.84e-3}, 0.78},
        {"llf", "none", "ssprk33", 2, {3.95e-3, 2.45e-3, 1.79e-3}, 0.5},
    };
    size_t rows = long_checks() ? COUNT(runs) : COUNT(runs) - 1;
    int meshes = long_checks() ? 3 : 2;
    ew_formula *initial = formula(4, texts);
    for (size_t r = 0; r < rows; r++) {
        ew_problem problem = {.order = runs[r].order, .flux = runs[r].flux, .limiter = runs[r].limiter,
                              .positivity = strcmp(runs[r].limiter, "oscillation-free") == 0,
                              .scheme = runs[r].scheme, .cfl = 0.7, .initial = {.formula = initial}};
        double error[3];
        bool below = true;
        diag("Sod's tube, %s, order %d, %s", runs[r].flux, runs[r].order, runs[r].limiter);
        for (int k = 0; k < meshes; k++) {
            error[k] = sod_error(50 << k, &problem);
            below = below && error[k] <= runs[r].bound[k];
            diag("%3d cells: the density's L1 error is %.4e", 50 << k, error[k]);
        }
        double rate = log2(error[0] / error[meshes - 1]) / (meshes - 1);
        diag("rate %.2f", rate);
        ok(below, "Sod's tube, %s, order %d: the density's error is as small as it was", runs[r].flux, runs[r].order);
        ok(rate > runs[r].rate, "Sod's tube, %s, order %d: the error falls with the cells", runs[r].flux,
           runs[r].order);
    }
    ew_formula_destroy(initial);
}

/* ---- mirror images, turns, units --------------------------------------------------------------------------------- */

/* The samples as they are where the last two corners are exchanged. */
static const int exchanged[samples] = {0, 2, 1, 4, 3, 5, 6};

/* A flow as seen by someone else: x' = length Q x with an orthogonal Q, other units of density and of velocity. */
struct view {
    double q[2][2];
    double length, density, velocity;
};

static const struct view own_view = {{{1, 0}, {0, 1}}, 1, 1, 1};

/* Base flow: smooth, symmetric about x = 0, not about y = 0. */
static void base_flow(double x, double y, double t, double *w)
{
    double pulse = exp(-8.0 * (x * x + (y - 0.1) * (y - 0.1)));
    w[0] = 1.0 + 0.3 * pulse;
    w[1] = 0.3 * sin(TWO_PI * x) * (1.0 + y);
    w[2] = 0.2 + 0.1 * cos(TWO_PI * x) + 0.1 * t;
    w[3] = 1.0 + 0.5 * pulse;
}

static void viewed_flow(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    const struct view *view = context;
    for (size_t i = 0; i < n; i++) {
        double w[4], xb = (view->q[0][0] * x[i] + view->q[1][0] * y[i]) / view->length,
                     yb = (view->q[0][1] * x[i] + view->q[1][1] * y[i]) / view->length;
        base_flow(xb, yb, t * view->velocity / view->length, w);
        values[0 * n + i] = w[0] * view->density;
        values[1 * n + i] = (view->q[0][0] * w[1] + view->q[0][1] * w[2]) * view->velocity;
        values[2 * n + i] = (view->q[1][0] * w[1] + view->q[1][1] * w[2]) * view->velocity;
        values[3 * n + i] = w[3] * view->density * view->velocity * view->velocity;
    }
}

/*
 * The square [-1/2, 1/2]^2, irregular, but its right half is the image of its left one. Triangle k of cell (i, j) is
 * number 2 (j * cells + i) + k, its image is triangle k of cell (cells - 1 - i, j), with the last two nodes exchanged.
 */
enum { cells = 10, row = cells + 1 };

static void symmetric_nodes(double (*xy)[2])
{
    uint64_t random = 88172645463325252u;
    for (int j = 0; j < row; j++)
        for (int i = 0; 2 * i < row; i++) {
            double shift[2];
            for (int d = 0; d < 2; d++) {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                shift[d] = 0.4 / cells * ((double)(random >> 11) * 0x1p-53 - 0.5);
            }
            double x = (double)i / cells - 0.5 + (i > 0 && 2 * i < cells ? shift[0] : 0.0);
            double y = (double)j / cells - 0.5 + (j > 0 && j < cells ? shift[1] : 0.0);
            int left = j * row + i, right = j * row + cells - i;
            xy[right][0] = -x;
            xy[left][0] = x;
            xy[left][1] = xy[right][1] = y;
        }
}

static ew_mesh *viewed_mesh(const struct view *view)
{
    static const char *const names[4] = {"bottom", "right", "top", "left"};
    static double xy[row * row][2];
    static int64_t triangle[2 * cells * cells][3], line[4 * cells][2];
    static int32_t line_name[4 * cells];
    symmetric_nodes(xy);
    for (int j = 0; j < cells; j++)
        for (int i = 0; i < cells; i++) {
            bool left = 2 * i < cells;
            int64_t a = j * row + i + !left, b = j * row + i + left, c = b + row, d = a + row;
            int64_t *first = triangle[2 * (j * cells + i)], *second = triangle[2 * (j * cells + i) + 1];
            first[0] = second[0] = a;
            first[1] = b;
            first[2] = second[1] = c;
            second[2] = d;
        }
    for (int i = 0; i < cells; i++)
        for (int side = 0; side < 4; side++) {
            int e = 4 * i + side, begin = side == 0   ? i
                                          : side == 1 ? i * row + cells
                                          : side == 2 ? cells * row + i
                                                      : i * row;
            line[e][0] = begin;
            line[e][1] = begin + (side % 2 ? row : 1);
            line_name[e] = side;
        }
    for (int n = 0; n < row * row; n++) {
        double x = xy[n][0], y = xy[n][1];
        for (int d = 0; d < 2; d++)
            xy[n][d] = view->length * (view->q[d][0] * x + view->q[d][1] * y);
    }
    ew_mesh_data data = {.nodes = row * row,
                         .xy = *xy, .triangles = 2 * cells * cells, .triangle = &triangle[0][0],
                         .lines = 4 * cells, .line = &line[0][0], .line_name = line_name, .names = 4,
                         .name = names};
    ew_mesh *mesh;
    ew_error error;
    if (ew_mesh_create(NULL, &data, &mesh, &error))
        bail_out("no mesh: %s", error.message);
    return mesh;
}

/* Samples after 60 steps, as the first observer would see them, in his order of the corners; freed by the caller. */
static double *viewed_samples(struct view view, int order, const char *flux, const char *limiter)
{
    ew_mesh *mesh = viewed_mesh(&view);
    ew_data data = {.callback = viewed_flow, .context = &view, .variables = EW_X | EW_Y | EW_T};
    ew_boundary boundary[4];
    ew_problem problem = {.order = order, .flux = flux, .limiter = limiter, .initial = data, .boundary = boundary};
    problem.boundaries = boundaries(mesh, "wall", (ew_data){0}, boundary);
    for (size_t k = 0; k < problem.boundaries; k++)
        if (strcmp(boundary[k].name, "bottom") == 0)
            boundary[k] = (ew_boundary){.name = "bottom", .kind = "state", .state = data};
        else if (strcmp(boundary[k].name, "top") == 0)
            boundary[k] = (ew_boundary){.name = "top", .kind = "far", .state = data};
    ew_solver *solver = start(mesh, &problem);
    if (!advance(solver, never, 60))
        bail_out("a viewed flow failed");

    int64_t elements = elements_of(mesh);
    double *values = sample(solver, elements), *seen = malloc((size_t)elements * samples * 4 * sizeof *seen);
    if (!seen)
        bail_out("no memory");
    bool turned_over = view.q[0][0] * view.q[1][1] < view.q[0][1] * view.q[1][0];
    for (int64_t e = 0; e < elements; e++) {
        /*
         * The mesh turns the clockwise triangles round: those of the right half, or in a mirror those of the left one.
         */
        bool left = 2 * (e / 2 % cells) < cells;
        for (int q = 0; q < samples; q++) {
            const double *w = values + 4 * (e * samples + (left == turned_over ? exchanged[q] : q));
            double *s = seen + 4 * (e * samples + q);
            s[0] = w[0] / view.density;
            s[1] = (view.q[0][0] * w[1] + view.q[1][0] * w[2]) / view.velocity;
            s[2] = (view.q[0][1] * w[1] + view.q[1][1] * w[2]) / view.velocity;
            s[3] = w[3] / view.density / view.velocity / view.velocity;
        }
    }
    free(values);
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    return seen;
}

static double largest_difference(const double *a, const double *b, int count)
{
    double worst = 0.0;
    for (int i = 0; i < count; i++)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

/* How far a flow is from its own mirror image about x = 0. */
static double asymmetry(const double *seen)
{
    double worst = 0.0;
    for (int e = 0; e < 2 * cells * cells; e++) {
        int j = e / (2 * cells), i = e / 2 % cells, image = 2 * (j * cells + cells - 1 - i) + e % 2;
        for (int q = 0; q < samples; q++) {
            const double *w = seen + 4 * (e * samples + q), *v = seen + 4 * (image * samples + q);
            worst = fmax(worst,
                         fmax(fabs(w[0] - v[0]), fmax(fabs(w[1] + v[1]), fmax(fabs(w[2] - v[2]), fabs(w[3] - v[3])))));
        }
    }
    return worst;
}

static void test_views(void)
{
    const double c = 0.86602540378443864676, s = 0.5;
    static const struct view turned = {{{0, -1}, {1, 0}}, 1, 1, 1}, upside_down = {{{-1, 0}, {0, -1}}, 1, 1, 1},
                             mirrored = {{{-1, 0}, {0, 1}}, 1, 1, 1}, units = {{{1, 0}, {0, 1}}, 1024, 0x1p-10, 256};
    const struct view tilted = {{{c, -s}, {s, c}}, 1, 1, 1};
    static const struct {
        int order;
        const char *flux, *limiter;
    } runs[] = {{1, "llf", "barth-jespersen"}, {1, "hllc", "barth-jespersen"}, {1, "roe", NULL}, {2, "llf", NULL},
                {3, "roe", NULL}, {4, "hllc", NULL}, {5, "llf", NULL}};
    for (size_t r = 0; r < COUNT(runs); r++) {
        int order = runs[r].order;
        const char *flux = runs[r].flux, *limiter = runs[r].limiter;
        char what[64];
        snprintf(what, sizeof what, "order %d, %s%s", order, flux, limiter ? ", limiter" : "");
        double *own = viewed_samples(own_view, order, flux, limiter);
        const struct {
            const struct view *view;
            const char *words;
            double tolerance;
        } others[] = {{&turned, "turned by 90 degrees", 1e-12},
                      {&upside_down, "turned by 180 degrees", 1e-12},
                      {&tilted, "turned by 30 degrees", 1e-12},
                      {&mirrored, "seen in a mirror", 1e-12},
                      {&units, "in other units", 0.0}};
        is_close(asymmetry(own), 0.0, 1e-12, "a symmetric flow stays symmetric: %s", what);
        diag("asymmetry %.2e", asymmetry(own));
        for (size_t k = 0; k < COUNT(others); k++) {
            if (limiter && others[k].view == &tilted)
                continue; /* the limiter works on the components of the momentum */
            double *seen = viewed_samples(*others[k].view, order, flux, limiter);
            double worst = largest_difference(own, seen, 2 * cells * cells * samples * 4);
            is_close(worst, 0.0, others[k].tolerance, "a flow %s is the same: %s", others[k].words, what);
            diag("largest difference %.2e", worst);
            free(seen);
        }
        free(own);
    }
}

/* ---- orders ------------------------------------------------------------------------------------------------------ */

/*
 * To someone who flies by at velocities that cross the periodic square a whole number of times the flow ends as it does
 * to one at rest. The scheme's errors depend on the velocity, so the two agree to the scheme's order.
 */
static double flyby_difference(const ew_mesh *mesh, int order)
{
    const char *const rest[4] = {"1", "0", "0", "1 + 0.2*exp(sin(2*pi*x) + cos(2*pi*y) - 2)"};
    const char *const flying[4] = {"1", "4", "0", "1 + 0.2*exp(sin(2*pi*x) + cos(2*pi*y) - 2)"};
    double *values[2];
    int64_t elements = elements_of(mesh);
    for (int k = 0; k < 2; k++) {
        ew_formula *initial = formula(4, k ? flying : rest);
        ew_problem problem = {.order = order, .flux = "roe", .initial = {.formula = initial}};
        ew_solver *solver = start(mesh, &problem);
        if (!advance(solver, 0.25, INT64_MAX))
            bail_out("a flow that someone flies by failed");
        values[k] = sample(solver, elements);
        ew_solver_destroy(solver);
        ew_formula_destroy(initial);
    }
    double sum = 0.0;
    for (int64_t i = 0; i < elements * samples; i++)
        sum += pow(values[0][4 * i] - values[1][4 * i], 2) / (double)(elements * samples);
    free(values[0]);
    free(values[1]);
    return sqrt(sum);
}

static void test_galilean_invariance(void)
{
    for (int order = 1; order <= 3; order++) {
        double difference[2];
        for (int k = 0; k < 2; k++) {
            int n = (order == 1 ? 12 : 6) << k;
            ew_mesh *mesh = box((struct box){.nx = n, .ny = n, .width = 1.0, .height = 1.0, .periodic = true});
            difference[k] = flyby_difference(mesh, order);
            ew_mesh_destroy(mesh);
        }
        double rate = log2(difference[0] / difference[1]);
        ok(rate > order + 0.5, "a flow is the same to who flies by, to order %d", order + 1);
        diag("differences %.2e, %.2e, rate %.2f", difference[0], difference[1], rate);
    }
}

static void test_hill(void)
{
    const char *const text = "exp(-20*((x - 0.5 - 0.2*cos(2*pi*t))^2 + (y - 0.5 - 0.2*sin(2*pi*t))^2))";
    const char *const velocities[2] = {"-(y - 0.5)*2*pi", "(x - 0.5)*2*pi"};
    static const int first[] = {0, 16, 12, 10, 8, 4};
    ew_formula *hill = formula(1, &text), *velocity = formula(2, velocities);
    for (int order = 1; order <= EW_MAX_ORDER; order++) {
        ew_problem problem = {.law = "advection", .field = {.formula = velocity}, .order = order,
                              .initial = {.formula = hill}, .exact = {.formula = hill}};
        double errors[2], rate = rate_on_squares(first[order], &problem, 0.25, errors);
        ok(rate > order + 0.7 && rate < order + 1.8, "a hill that is carried round: order %d converges as h^%d", order,
           order + 1);
        diag("errors %.3e, %.3e, rate %.2f", errors[0], errors[1], rate);
    }
    ew_formula_destroy(hill);
    ew_formula_destroy(velocity);
}

/* A wave of density that comes in through the left boundary, where nothing was before. */
static void test_entering_wave(void)
{
    const char *const texts[4] = {"1 + 0.2*(t > x ? sin(pi*(t - x))^8 : 0)", "1", "0", "1"};
    static const int first[] = {0, 12, 8, 6, 5, 4};
    ew_formula *wave = formula(4, texts);
    for (int order = 1; order <= EW_MAX_ORDER; order++) {
        ew_problem problem = {.order = order, .flux = "roe", .initial = {.formula = wave}, .exact = {.formula = wave}};
        double errors[2], rate = rate_on_squares(first[order], &problem, 0.6, errors);
        ok(rate > order + 0.5, "a wave that enters through a boundary: order %d converges", order);
        diag("errors %.3e, %.3e, rate %.2f", errors[0], errors[1], rate);
    }
    ew_formula_destroy(wave);
}

/*
 * Gas or water at rest beside a given state that runs away faster than vacuum would follow: a rarefaction enters, and
 * what leaves is the flux of its sonic point.
 */
static void check_vacuum(const char *law, double flux, const char *const given[4], const char *const rest[4])
{
    ew_mesh *mesh = box((struct box){.nx = 40, .ny = 2, .width = 1.0, .height = 0.05});
    int variables = strcmp(law, "euler") == 0 ? 4 : 3;
    ew_formula *outer = formula(variables, given), *inner = formula(variables, rest);
    ew_boundary boundary[4];
    ew_problem problem = {.law = law, .order = 2, .limiter = "oscillation-free", .positivity = 1, .scheme = "ssprk33",
                          .initial = {.formula = inner}, .boundary = boundary};
    problem.boundaries = boundaries(mesh, "wall", (ew_data){0}, boundary);
    for (size_t k = 0; k < problem.boundaries; k++)
        if (strcmp(boundary[k].name, "right") == 0)
            boundary[k] = (ew_boundary){.name = "right", .kind = "far", .state = {.formula = outer}};
    ew_solver *solver = start(mesh, &problem);
    double before = norms_of(solver).total[0], end = 0.25;
    ok(advance(solver, end, INT64_MAX), "%s: a far state that runs away faster than vacuum does no harm", law);
    double left = (before - norms_of(solver).total[0]) / (0.05 * end);
    is_close(left, flux, 0.01 * flux, "... and mass leaves as through a sonic point");
    ew_solver_destroy(solver);
    ew_formula_destroy(outer);
    ew_formula_destroy(inner);
    ew_mesh_destroy(mesh);
}

static void test_schemes(void)
{
    static const struct {
        const char *name;
        int order;
    } schemes[] = {{"rk2", 2},     {"rk43", 3},    {"rk4", 4},    {"ssprk22", 2},
                   {"ssprk32", 2}, {"ssprk33", 3}, {"ssprk54", 4}};
    const char *const text = "sin(2*pi*(x + y))", *const velocities[2] = {"1", "0.5"};
    ew_mesh *mesh = box((struct box){.nx = 4, .ny = 4, .width = 1.0, .height = 1.0, .jitter = 0.2, .periodic = true});
    ew_formula *initial = formula(1, &text), *velocity = formula(2, velocities);
    int64_t elements = elements_of(mesh);
    enum { count = 3 };
    for (size_t s = 0; s < COUNT(schemes); s++) {
        double *values[count], difference[count - 1] = {0};
        for (int k = 0; k < count; k++) {
            ew_problem problem = {.law = "advection",
                                  .field = {.formula = velocity}, .order = 2, .scheme = schemes[s].name,
                                  .cfl = 0.5 / (1 << k),
                                  .initial = {.formula = initial}};
            ew_solver *solver = start(mesh, &problem);
            if (!advance(solver, 0.5, INT64_MAX))
                bail_out("a run with %s failed", schemes[s].name);
            values[k] = sample(solver, elements);
            ew_solver_destroy(solver);
        }
        for (int k = 0; k + 1 < count; k++)
            for (int64_t i = 0; i < elements * samples; i++)
                difference[k] = fmax(difference[k], fabs(values[k][i] - values[k + 1][i]));
        for (int k = 0; k < count; k++)
            free(values[k]);
        double rate = log2(difference[0] / difference[1]);
        is_close(rate, schemes[s].order, 0.2, "%s is of order %d in time", schemes[s].name, schemes[s].order);
        diag("differences %.2e, %.2e, rate %.2f", difference[0], difference[1], rate);
    }
    ew_formula_destroy(initial);
    ew_formula_destroy(velocity);
    ew_mesh_destroy(mesh);
}

/* ---- steady flows ------------------------------------------------------------------------------------------------ */

static void test_steady(void)
{
    const double tolerance = 1e-10;
    const char *const texts[4] = {"1", "0.5", "0", "1"};
    const char *const disturbed[4] = {"1", "0.5", "0", "1 + 0.1*exp(-20*(x^2 + y^2))"};
    ew_mesh *mesh = box((struct box){.nx = 4, .ny = 4, .width = 1.0, .height = 1.0, .jitter = 0.3});
    ew_formula *stream = formula(4, texts), *initial = formula(4, disturbed);
    ew_boundary boundary[4];
    ew_problem problem = {.order = 2,
                          .steady = tolerance, .initial = {.formula = initial}, .exact = {.formula = stream},
                          .boundary = boundary};
    problem.boundaries = boundaries(mesh, "far", (ew_data){.formula = stream}, boundary);

    ew_solver *solver = start(mesh, &problem);
    ew_error error;
    enum ew_stop stop = EW_STOP_TIME;
    ok(isnan(ew_solver_change(solver)), "before the first step there is no change");
    is_int(ew_solver_advance(solver, never, 10, &stop, &error), EW_OK, "ten steps of a flow that becomes steady");
    is_int(stop, EW_STOP_STEPS, "after ten steps it is not yet steady");
    ok(ew_solver_change(solver) > tolerance, "the change of the last step is above the tolerance");
    is_int(ew_solver_advance(solver, never, 20000, &stop, &error), EW_OK,
           "the disturbance leaves through far boundaries");
    is_int(stop, EW_STOP_STEADY, "the run stops as steady");
    ok(ew_solver_change(solver) <= tolerance, "the change of the last step is at most the tolerance");
    diag("steady after %lld steps, change %.2e, error %.2e", (long long)ew_solver_steps(solver),
         ew_solver_change(solver), norms_of(solver).error_l2[0]);
    is_close(norms_of(solver).error_l2[0], 0.0, 100 * tolerance, "what stays is the free stream");
    ew_solver_destroy(solver);

    problem.steady = 0.0;
    problem.steady_orders = 3.0;
    solver = start(mesh, &problem);
    ok(isnan(ew_solver_orders_fallen(solver)), "before the first step no rate has fallen");
    ok(!ew_solver_is_steady(solver), "... and nothing is steady");
    is_int(ew_solver_advance(solver, never, 10, &stop, &error), EW_OK, "ten steps of a flow that is to fall");
    ok(!ew_solver_is_steady(solver) && ew_solver_orders_fallen(solver) < 3.0, "it has not fallen by three orders yet");
    is_int(ew_solver_advance(solver, never, 20000, &stop, &error), EW_OK, "it falls by three orders of magnitude");
    is_int(stop, EW_STOP_STEADY, "the run stops as steady");
    ok(ew_solver_is_steady(solver), "the solver is");
    is_close(ew_solver_orders_fallen(solver), 3.0, 0.1, "the rate of change has fallen by three orders");
    ew_solver_destroy(solver);

    problem.steady_orders = 0.0;
    solver = start(mesh, &problem);
    is_int(ew_solver_advance(solver, never, 3, &stop, &error), EW_OK, "without `steady` it goes on");
    ok(isnan(ew_solver_change(solver)), "and no change is measured");
    ew_solver_destroy(solver);
    ew_formula_destroy(stream);
    ew_formula_destroy(initial);
    ew_mesh_destroy(mesh);
}

/* A mesh whose columns become ever narrower: x = X^3 of an even one. */
static ew_mesh *narrowing(void)
{
    enum { N = 4, NODES = (N + 1) * (N + 1), TRIANGLES = 2 * N * N };
    static double xy[NODES][2];
    static int64_t triangle[TRIANGLES][3], line[4 * N][2];
    static int32_t line_name[4 * N];
    static const char *const name[] = {"wall", "far"};
    int lines = 0;
    for (int k = 0; k < NODES; k++) {
        double x = (1.0 + k % (N + 1)) / (N + 1);
        xy[k][0] = x * x * x;
        xy[k][1] = (double)(k / (N + 1)) / N;
    }
    for (int k = 0; k < N * N; k++) {
        int64_t a = k / N * (N + 1) + k % N;
        memcpy(triangle[2 * k], (int64_t[]){a, a + 1, a + N + 2}, sizeof *triangle);
        memcpy(triangle[2 * k + 1], (int64_t[]){a, a + N + 2, a + N + 1}, sizeof *triangle);
    }
    for (int k = 0; k < N; k++) {
        const int64_t side[4][2] = {{k, k + 1}, {(N + 1) * k, (N + 1) * (k + 1)},
                                    {N * (N + 1) + k, N * (N + 1) + k + 1}, {(N + 1) * k + N, (N + 1) * (k + 1) + N}};
        for (int s = 0; s < 4; s++, lines++) {
            memcpy(line[lines], side[s], sizeof *line);
            line_name[lines] = s > 0;
        }
    }
    ew_mesh_data data = {.nodes = NODES, .triangles = TRIANGLES, .lines = lines, .xy = *xy,
                         .triangle = *triangle, .line = *line, .line_name = line_name, .names = 2,
                         .name = name};
    ew_mesh *mesh;
    ew_error error;
    if (ew_mesh_create(NULL, &data, &mesh, &error))
        bail_out("no mesh: %s", error.message);
    return mesh;
}

enum { LOCAL_DOUBLES = 32 * 4 * 6 };

/* The right-hand side of a flow's start; with `state`, then runs until it is steady, and returns the steps it takes. */
static int64_t run_to_rest(const ew_mesh *mesh, const ew_problem *problem, double *residual, double *state)
{
    ew_error error;
    enum ew_stop stop = EW_STOP_TIME;
    ew_solver *solver = start(mesh, problem);
    int status = ew_solver_get_residual(solver, residual, &error);
    if (status == EW_OK && state)
        status = ew_solver_advance(solver, never, 100000, &stop, &error);
    if (status == EW_OK && state)
        status = ew_solver_get_coefficients(solver, state, &error);
    if (status != EW_OK)
        bail_out("%s", error.message);
    if (state)
        is_int(stop, EW_STOP_STEADY, "with %s steps the flow becomes steady", problem->local_step ? "local" : "equal");
    int64_t steps = ew_solver_steps(solver);
    ew_solver_destroy(solver);
    return steps;
}

/* Flow that heats a little as it goes, past a wall that it follows, or to which it sticks. */
static void test_local_steps(void)
{
    static double residual[2][LOCAL_DOUBLES], state[2][LOCAL_DOUBLES];
    const char *const texts[4] = {"1", "0.5", "0", "1"}, *const heat[4] = {"0", "0", "0", "0.2*sin(3*x)*y"};
    const ew_parameter viscosity = {.name = "mu", .value = 0.05};
    ew_mesh *mesh = narrowing();
    ew_formula *stream = formula(4, texts), *source = formula(4, heat);
    for (int viscous = 0; viscous < 2; viscous++) {
        const ew_boundary boundary[] = {{.name = "wall", .kind = viscous ? "no-slip" : "wall"},
                                        {.name = "far", .kind = "far", .state.formula = stream}};
        ew_problem problem = {.law = viscous ? "navier-stokes" : "euler", .order = 2, .scheme = "ssprk33",
                              .steady_orders = 9, .parameters = (size_t)viscous, .parameter = &viscosity,
                              .initial.formula = stream, .source.formula = source, .boundaries = 2,
                              .boundary = boundary};
        int64_t steps[2];
        for (int local = 0; local < 2; local++) {
            problem.local_step = local;
            steps[local] = run_to_rest(mesh, &problem, residual[local], viscous ? NULL : state[local]);
        }
        is_close(largest_difference(residual[0], residual[1], LOCAL_DOUBLES), 0.0, 1e-12,
                 "%s: residuals are those without local steps", problem.law);
        if (viscous)
            continue;
        is_close(largest_difference(state[0], state[1], LOCAL_DOUBLES), 0.0, 1e-7,
                 "local steps lead to the same steady state");
        ok(steps[1] < steps[0] / 2, "... in less than half as many (%lld, %lld)", (long long)steps[1],
           (long long)steps[0]);
    }
    ew_formula_destroy(stream);
    ew_formula_destroy(source);
    ew_mesh_destroy(mesh);
}

static void refuses_local_steps(const ew_mesh *mesh, ew_problem problem, const char *sentence)
{
    const char *const texts[4] = {"1", "0.5", "0", "1"};
    ew_formula *stream = formula(4, texts);
    const ew_boundary boundary[] = {{.name = "wall", .kind = "wall"},
                                    {.name = "far", .kind = "far", .state.formula = stream}};
    ew_solver *solver = NULL;
    ew_error error = {.message = ""};
    problem.law = "euler";
    problem.order = 1;
    problem.scheme = "ssprk32";
    problem.local_step = 1;
    problem.initial.formula = stream;
    problem.boundaries = 2;
    problem.boundary = problem.boundary ? problem.boundary : boundary;
    ok(ew_solver_create(NULL, mesh, &problem, &solver, &error) != EW_OK, "local steps are refused: %s", sentence);
    contains(error.message, sentence, "... and the error says so");
    ew_solver_destroy(solver);
    ew_formula_destroy(stream);
}

/* A sponge that equal steps bear, and local ones do not, which are longer in its layer. */
static void refuses_strong_sponge(const ew_mesh *mesh)
{
    const char *const texts[4] = {"1", "0.5", "0", "1"};
    ew_formula *stream = formula(4, texts);
    const ew_boundary boundary[] = {
        {.name = "wall", .kind = "wall"},
        {.name = "far", .kind = "far", .state.formula = stream, .sponge_width = 0.2, .sponge_strength = 60}};
    ew_problem problem = {.law = "euler", .order = 1, .scheme = "ssprk32", .steady = 1e-9, .initial.formula = stream,
                          .boundaries = 2, .boundary = boundary};
    ew_solver *solver = start(mesh, &problem);
    ok(solver, "equal steps bear a strong sponge");
    ew_solver_destroy(solver);
    refuses_local_steps(mesh, problem, "is unstable with steps of this length");
    ew_formula_destroy(stream);
}

static void test_local_refusals(void)
{
    const char *const texts[4] = {"1", "0.5", "0.1*sin(t)", "1"}, *const heat[4] = {"0", "0", "0", "t"};
    ew_mesh *mesh = narrowing();
    ew_formula *gust = formula(4, texts), *source = formula(4, heat);
    const ew_boundary in_time[] = {{.name = "wall", .kind = "wall"},
                                   {.name = "far", .kind = "far", .state.formula = gust}};
    refuses_local_steps(mesh, (ew_problem){.cfl = 0.1}, "are for steady states; give steady or steady_orders");
    refuses_local_steps(mesh, (ew_problem){.steady = 1e-9, .uniform_step = 1}, "local and uniform; leave one");
    refuses_local_steps(mesh, (ew_problem){.steady = 1e-9, .step_levels = 4}, "local and have levels; leave one");
    refuses_local_steps(mesh, (ew_problem){.steady = 1e-9, .outflow = 1}, "so no outflow is integrated");
    refuses_local_steps(mesh, (ew_problem){.steady = 1e-9, .boundary = in_time}, "a boundary depends on t");
    refuses_local_steps(mesh, (ew_problem){.steady = 1e-9, .source.formula = source}, "the source depends on t");
    refuses_strong_sponge(mesh);
    ew_formula_destroy(gust);
    ew_formula_destroy(source);
    ew_mesh_destroy(mesh);
}

int main(void)
{
    test_free_stream();
    test_conservation();
    test_sod();
    test_views();
    test_galilean_invariance();
    test_hill();
    test_entering_wave();
    check_vacuum("euler", pow(2.0 / 2.4, 6.0), (const char *const[4]){"1", "12", "0", "1/1.4"},
                 (const char *const[4]){"1", "0", "0", "1/1.4"});
    check_vacuum("shallow-water", 8.0 / 27.0 * sqrt(9.81), (const char *const[4]){"1", "12", "0"},
                 (const char *const[4]){"1", "0", "0"});
    test_schemes();
    test_steady();
    test_local_steps();
    test_local_refusals();
    check_inflow("state", "20");
    check_inflow("far", "20");
    check_inflow("state", "20 + 1e-9*t");
    return done_testing();
}
