/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Waves through several media, against exact solutions: reflection and transmission at an interface, a layer, a
 * cylinder; and what holds of any media: the energy in a closed box never grows, and a uniform medium by formulas is
 * one by parameters.
 */
#include "flows.h"
#include "helpers.h"

#include <complex.h>

enum { MOST_TEXT = 600 };

/* Names for the same numbers: of sound, density rho and speed c; of light, mu is rho, and epsilon 1/(rho c^2). */
struct medium {
    double rho, c;
};

static double impedance(struct medium medium)
{
    return medium.rho * medium.c;
}

/* The fields of a law by two texts for density and speed. */
static ew_formula *field_of(bool light, const char *rho, const char *c)
{
    char epsilon[2 * MOST_TEXT + 16];
    snprintf(epsilon, sizeof epsilon, "1/((%s)*(%s)^2)", rho, c);
    return light ? formula(2, (const char *const[]){epsilon, rho}) : formula(2, (const char *const[]){rho, c});
}

/* The primitive variables of p, u and v: light has E = p and H = (v, -u). */
static ew_formula *wave_of(bool light, const char *p, const char *u, const char *v)
{
    char minus[MOST_TEXT + 8];
    snprintf(minus, sizeof minus, "-(%s)", u);
    return light ? formula(3, (const char *const[]){v, minus, p}) : formula(3, (const char *const[]){p, u, v});
}

/* ---- layers ------------------------------------------------------------------------------------------------------ */

/*
 * Plane waves of the angular frequency omega through media that change at x = at[0], at[1], ...: in each medium
 * a e^(i kx (x - x0)) + b e^(-i kx (x - x0)), times e^(i (ky y - omega t)).
 */
enum { MOST_MEDIA = 3 };

struct layers {
    int count;
    struct medium medium[MOST_MEDIA];
    double at[MOST_MEDIA - 1], omega, ky;
    double kx[MOST_MEDIA], x0[MOST_MEDIA];
    double complex a[MOST_MEDIA], b[MOST_MEDIA];
};

/* From right to left: p and u = kx (a - b) / (rho omega) are continuous; nothing comes from the right. */
static void solve(struct layers *layers)
{
    int last = layers->count - 1;
    for (int k = 0; k <= last; k++) {
        double whole = layers->omega / layers->medium[k].c;
        layers->kx[k] = sqrt(whole * whole - layers->ky * layers->ky);
        layers->x0[k] = layers->at[k > 0 ? k - 1 : 0];
    }
    layers->a[last] = 1;
    layers->b[last] = 0;
    for (int k = last - 1; k >= 0; k--) {
        double complex p = layers->a[k + 1] + layers->b[k + 1];
        double complex q = layers->kx[k + 1] / layers->medium[k + 1].rho * (layers->a[k + 1] - layers->b[k + 1]) *
                           layers->medium[k].rho / layers->kx[k];
        double complex turn = cexp(I * layers->kx[k] * (layers->at[k] - layers->x0[k]));
        layers->a[k] = 0.5 * (p + q) / turn;
        layers->b[k] = 0.5 * (p - q) * turn;
    }
    double complex incident = layers->a[0];
    for (int k = 0; k <= last; k++) {
        layers->a[k] /= incident;
        layers->b[k] /= incident;
    }
}

/* Adds amplitude cos(sign kx (x - x0) + ky y - omega t + phase) to a text. */
static void add_wave(char *text, double complex amplitude, double kx, double x0, double ky, double omega)
{
    size_t length = strlen(text);
    snprintf(text + length, MOST_TEXT - length, "%s%.17g*cos(%.17g*(x - %.17g) + %.17g*y - %.17g*t + %.17g)",
             length > 0 && text[length - 1] != '(' ? " + " : "", cabs(amplitude), kx, x0, ky, omega, carg(amplitude));
}

/* "x < at ? ... : ..." of the texts of media. */
static void choose(const struct layers *layers, char (*of)[MOST_TEXT], char *text, size_t size)
{
    size_t length = 0;
    for (int k = 0; k + 1 < layers->count; k++)
        length += (size_t)snprintf(text + length, size - length, "x < %.17g ? %s : ", layers->at[k], of[k]);
    snprintf(text + length, size - length, "%s", of[layers->count - 1]);
}

static void text_of(const struct layers *layers, char *text, double (*value)(struct medium))
{
    char of[MOST_MEDIA][MOST_TEXT];
    for (int k = 0; k < layers->count; k++)
        snprintf(of[k], MOST_TEXT, "%.17g", value(layers->medium[k]));
    choose(layers, of, text, MOST_TEXT);
}

static double density(struct medium medium) { return medium.rho; }
static double speed(struct medium medium) { return medium.c; }

/* p (0), u (1) or v (2) */
static void wave_text(const struct layers *layers, int which, char *text, size_t size)
{
    char of[MOST_MEDIA][MOST_TEXT];
    for (int k = 0; k < layers->count; k++) {
        double along = which == 1 ? layers->kx[k] : layers->ky;
        double by = which == 0 ? 1.0 : along / (layers->medium[k].rho * layers->omega);
        of[k][0] = '\0';
        snprintf(of[k], MOST_TEXT, "(");
        add_wave(of[k], by * layers->a[k], layers->kx[k], layers->x0[k], layers->ky, layers->omega);
        add_wave(of[k], (which == 1 ? -by : by) * layers->b[k], -layers->kx[k], layers->x0[k], layers->ky,
                 layers->omega);
        snprintf(of[k] + strlen(of[k]), MOST_TEXT - strlen(of[k]), ")");
    }
    choose(layers, of, text, size);
}

static ew_formula *waves_through(const struct layers *layers, bool light)
{
    static char text[3][MOST_MEDIA * MOST_TEXT];
    for (int k = 0; k < 3; k++)
        wave_text(layers, k, text[k], sizeof text[k]);
    char minus[sizeof text[0] + 8];
    snprintf(minus, sizeof minus, "-(%s)", text[1]);
    return light ? formula(3, (const char *const[]){text[2], minus, text[0]})
                 : formula(3, (const char *const[]){text[0], text[1], text[2]});
}

/* The largest error of p at any point of the unit square after a time of 0.5, with exact states on its boundary. */
static double error_of(const struct layers *layers, bool light, int order, int cells, double cfl)
{
    char rho[MOST_TEXT], c[MOST_TEXT];
    text_of(layers, rho, density);
    text_of(layers, c, speed);
    ew_formula *field = field_of(light, rho, c), *wave = waves_through(layers, light);
    ew_mesh *mesh = box((struct box){.nx = cells, .ny = cells, .width = 1.0, .height = 1.0});
    ew_boundary boundary[4];
    ew_problem problem = {.law = light ? "maxwell-tm" : "acoustics", .field.formula = field, .order = order,
                          .initial.formula = wave, .exact.formula = wave, .cfl = cfl, .boundary = boundary};
    problem.boundaries = boundaries(mesh, "state", problem.exact, boundary);
    ew_solver *solver = start(mesh, &problem);
    int number = light ? 2 : 0;
    ew_error none;
    /* of the conserved b p; b of the left medium, the smaller of the two, makes it that of p */
    double error = advance(solver, 0.5, INT64_MAX) && ew_solver_check_growth(solver, &none) == EW_OK
                       ? norms_of(solver).error_linf[number] : NAN;
    double compliance = INFINITY;
    for (int k = 0; k < layers->count; k++)
        compliance = fmin(compliance, 1 / (layers->medium[k].rho * layers->medium[k].c * layers->medium[k].c));
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    ew_formula_destroy(field);
    ew_formula_destroy(wave);
    return error / compliance;
}

/* The rate is that in space: at order 5 the steps of rk4 have to be smaller for that. A layer ends at eighths. */
static void check_rate(const char *what, const struct layers *layers, bool light, int order)
{
    int cells = order == 1 ? 16 : order < 5 || layers->count > 2 ? 8 : 6;
    double cfl = order < 5 ? 0.3 : 0.1, coarse = error_of(layers, light, order, cells, cfl),
           fine = error_of(layers, light, order, 2 * cells, cfl);
    ok(log2(coarse / fine) > order + 0.5, "%s, %s, p = %d: the rate of the largest error is %.2f, from %.2e",
       light ? "light" : "sound", what, order, log2(coarse / fine), coarse);
}

static void check_layers(const char *what, struct layers *layers, int order)
{
    solve(layers);
    for (int light = 0; light < 2; light++)
        for (int p = 1; p <= EW_MAX_ORDER; p++)
            if (long_checks() || (p == order && light == order % 2))
                check_rate(what, layers, light, p);
    double error = error_of(layers, order % 2, EW_MAX_ORDER, 16, 0.3);
    ok(error < 1e-6, "%s, %s, p = %d: the largest error is %.2e on 16 by 16 cells", order % 2 ? "light" : "sound", what,
       EW_MAX_ORDER, error);
}

static void check_waves(void)
{
    struct layers normal = {.count = 2, .medium = {{1, 1}, {3, 0.7}}, .at = {0.5}, .omega = 6};
    struct layers oblique = {.count = 2, .medium = {{1.3, 1}, {0.4, 0.6}}, .at = {0.5}, .omega = 6, .ky = 4};
    struct layers layer = {.count = 3, .medium = {{1, 1}, {2, 0.6}, {0.5, 1.2}}, .at = {0.375, 0.625}, .omega = 6,
                           .ky = 2};
    check_layers("normal to an interface", &normal, 5);
    check_layers("oblique to an interface", &oblique, 2);
    check_layers("through a layer", &layer, 3);
    /* the textbook's coefficient of reflection */
    double z = impedance(normal.medium[1]) / impedance(normal.medium[0]);
    is_close(cabs(normal.b[0]), (z - 1) / (z + 1), 1e-14, "the exact wave has the reflection of the two impedances");
}

/* ---- a cylinder -------------------------------------------------------------------------------------------------- */

/*
 * A plane wave e^(i (k x - omega t)) of light on a cylinder of another permittivity (Harrington, "Time-Harmonic
 * Electromagnetic Fields", section 5-9): outside sum i^n (J_n + a_n H_n)(k r) e^(i n phi), inside b_n J_n(k1 r).
 */
enum { TERMS = 16 };
static const double radius = 0.5, inside = 4, omega = 4;

struct series {
    double complex a[TERMS], b[TERMS];
    /* sums at places that were asked for: boundaries ask for the same ones in every stage */
    struct {
        double x, y;
        double complex e[3];
    } known[1 << 16];
    size_t places;
};

static double complex hankel(int n, double x) { return jn(n, x) + I * yn(n, x); }

/* J_n' and H_n' by J_(n-1) and J_(n+1) */
static double complex slope(double complex (*f)(int n, double x), int n, double x)
{
    return n == 0 ? -f(1, x) : 0.5 * (f(n - 1, x) - f(n + 1, x));
}

static double complex bessel(int n, double x) { return jn(n, x); }

static struct series *new_series(void)
{
    struct series *series = calloc(1, sizeof *series);
    if (!series)
        bail_out("no memory");
    double k = omega, k1 = omega * sqrt(inside), x = k * radius, x1 = k1 * radius;
    for (int n = 0; n < TERMS; n++) {
        double complex j1 = bessel(n, x1), dj1 = k1 * slope(bessel, n, x1);
        double complex over = k * slope(bessel, n, x) * j1 - bessel(n, x) * dj1;
        series->a[n] = over / (hankel(n, x) * dj1 - k * slope(hankel, n, x) * j1);
        series->b[n] = (bessel(n, x) + series->a[n] * hankel(n, x)) / j1;
    }
    return series;
}

/* E, dE/dr and dE/dphi / r, each of the time factor e^(-i omega t) */
static void sum_series(const struct series *series, double r, double phi, double complex *e)
{
    bool is_in = r < radius;
    double k = is_in ? omega * sqrt(inside) : omega;
    double complex power = 1;
    e[0] = e[1] = e[2] = 0;
    for (int n = 0; n < TERMS; n++, power *= I) {
        double complex f = is_in ? series->b[n] * bessel(n, k * r)
                                 : bessel(n, k * r) + series->a[n] * hankel(n, k * r);
        double complex df = is_in ? series->b[n] * slope(bessel, n, k * r)
                                  : slope(bessel, n, k * r) + series->a[n] * slope(hankel, n, k * r);
        double twice = n == 0 ? 1 : 2;
        e[0] += twice * power * f * cos(n * phi);
        e[1] += twice * power * k * df * cos(n * phi);
        e[2] -= twice * power * n * f * sin(n * phi) / r;
    }
}

/* E, E_x and E_y; the places after the last known one are tried from a hash on. */
static const double complex *field_at(struct series *series, double x, double y)
{
    const size_t room = COUNT(series->known);
    uint64_t bits[2], start;
    memcpy(bits, (double[]){x, y}, sizeof bits);
    start = (bits[0] * 0x9e3779b97f4a7c15u ^ bits[1]) * 0xbf58476d1ce4e5b9u >> 48;
    size_t k = (size_t)start % room;
    for (; series->known[k].e[0] != 0; k = (k + 1) % room)
        if (series->known[k].x == x && series->known[k].y == y)
            return series->known[k].e;
    if (++series->places > room / 2)
        bail_out("the series is asked for at more than %zu places", room / 2);
    double phi = atan2(y, x);
    double complex polar[3], *e = series->known[k].e;
    sum_series(series, hypot(x, y), phi, polar);
    series->known[k].x = x;
    series->known[k].y = y;
    e[0] = polar[0];
    e[1] = polar[1] * cos(phi) - polar[2] * sin(phi);
    e[2] = polar[1] * sin(phi) + polar[2] * cos(phi);
    return e;
}

/* i omega H = (E_y, -E_x) */
static void scattered(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    double complex turn = cexp(-I * omega * t);
    for (size_t i = 0; i < n; i++) {
        const double complex *e = field_at(context, x[i], y[i]);
        values[i] = creal(turn * e[2] / (I * omega));
        values[n + i] = creal(-turn * e[1] / (I * omega));
        values[2 * n + i] = creal(turn * e[0]);
    }
}

/* A square [-1, 1]^2 of 2n by 2n cells, one ring of whose nodes lies on the cylinder. */
static ew_mesh *mesh_around(int n)
{
    int side = 4 * n + 1;
    double *xy = malloc((size_t)(side * side) * 2 * sizeof *xy);
    int64_t *triangle = malloc((size_t)(6 * 16 * n * n) * sizeof *triangle),
            *line = malloc((size_t)(32 * n) * sizeof *line);
    int32_t *name = calloc((size_t)(16 * n), sizeof *name);
    int64_t triangles = 0, lines = 0;
    if (!xy || !triangle || !line || !name)
        bail_out("no memory");
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            double x = (double)i / (2 * n) - 1, y = (double)j / (2 * n) - 1;
            double s = fmax(fabs(x), fabs(y)), r = hypot(x, y);
            double share = 1 - fabs(s - radius) / 0.5, by = r > 0 ? 1 - share + share * s / r : 1;
            xy[2 * (i * side + j)] = by * x;
            xy[2 * (i * side + j) + 1] = by * y;
        }
    for (int i = 0; i + 1 < side; i++)
        for (int j = 0; j + 1 < side; j++) {
            int64_t a = i * side + j, b = a + side, c = b + 1, d = a + 1;
            bool falls = (i < 2 * n) == (j < 2 * n); /* diagonals that run to the middle */
            int64_t two[6] = {a, b, falls ? c : d, falls ? a : b, c, d};
            memcpy(triangle + 3 * triangles, two, sizeof two);
            triangles += 2;
        }
    for (int k = 0; k + 1 < side; k++) {
        int64_t four[8] = {k, k + 1, (int64_t)k * side, (int64_t)(k + 1) * side, (int64_t)(side - 1) * side + k,
                           (int64_t)(side - 1) * side + k + 1, (int64_t)k * side + side - 1,
                           (int64_t)(k + 1) * side + side - 1};
        memcpy(line + 2 * lines, four, sizeof four);
        lines += 4;
    }
    const char *const names[] = {"outside"};
    const ew_mesh_data data = {.nodes = side * side, .xy = xy, .triangles = triangles, .triangle = triangle,
                               .lines = lines, .line = line, .line_name = name, .names = 1, .name = names};
    ew_mesh *mesh;
    ew_error error;
    must(ew_mesh_create(NULL, &data, &mesh, &error), &error);
    free(xy);
    free(triangle);
    free(line);
    free(name);
    return mesh;
}

static double cylinder_error(struct series *series, int order, int n)
{
    ew_mesh *mesh = mesh_around(n);
    ew_formula *field = formula(2, (const char *const[]){"x^2 + y^2 < 0.25 ? 4 : 1", "1"});
    ew_data wave = {.callback = scattered, .context = series, .variables = EW_X | EW_Y | EW_T};
    ew_boundary boundary = {.name = "outside", .kind = "state", .state = wave};
    ew_problem problem = {.law = "maxwell-tm", .field.formula = field, .order = order, .initial = wave, .exact = wave,
                          .cfl = 0.5, .boundaries = 1, .boundary = &boundary};
    ew_solver *solver = start(mesh, &problem);
    double error = advance(solver, 1.0, INT64_MAX) ? norms_of(solver).error_l2[2] : NAN;
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    ew_formula_destroy(field);
    return error;
}

/* Straight sides approximate the circle to second order, and so does the solution at any order. */
static void check_cylinder(void)
{
    struct series *series = new_series();
    double coarse = cylinder_error(series, 2, 3), fine = cylinder_error(series, 2, 6);
    ok(log2(coarse / fine) > 1.6, "light on a cylinder, p = 2: the rate is %.2f, from an L2 error of %.2e",
       log2(coarse / fine), coarse);
    ok(fine < 0.03, "... and the error is %.2e", fine);
    free(series);
}

/* ---- energy ------------------------------------------------------------------------------------------------------ */

/* From each element's own coefficients, which are those of an orthonormal basis. */
static double energy_of(ew_solver *solver, const ew_mesh *mesh, bool light)
{
    static const double middle[2] = {1.0 / 3, 1.0 / 3};
    ew_solver_info info;
    ew_mesh_info about;
    ew_error error;
    ew_solver_get_info(solver, &info);
    ew_mesh_get_info(mesh, &about);
    size_t elements = (size_t)about.elements, np = (size_t)info.basis;
    double *c = malloc(elements * 3 * np * sizeof *c), *medium = malloc(elements * 2 * sizeof *medium), sum = 0;
    double(*xy)[2] = malloc((size_t)about.nodes * sizeof *xy);
    int64_t(*triangle)[3] = malloc(elements * sizeof *triangle);
    int output[2];
    if (!c || !medium || !xy || !triangle)
        bail_out("no memory");
    for (int k = 0, found = 0; found < 2; k++)
        if (strcmp(ew_law_output(info.law, k, NULL), info.law->field[found]) == 0)
            output[found++] = k;
    ew_mesh_get_nodes(mesh, &xy[0][0]);
    ew_mesh_get_triangles(mesh, &triangle[0][0]);
    must(ew_solver_get_coefficients(solver, c, &error), &error);
    must(ew_solver_sample_outputs(solver, 0, (int64_t)elements, 1, middle, 2, output, medium, &error), &error);
    for (size_t i = 0; i < elements; i++) {
        const double *a = xy[triangle[i][0]], *b = xy[triangle[i][1]], *d = xy[triangle[i][2]];
        double det = (b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0]), part[3] = {0};
        double inertia = light ? medium[2 * i + 1] : medium[2 * i];
        double compliance = light ? medium[2 * i] : 1 / (medium[2 * i] * medium[2 * i + 1] * medium[2 * i + 1]);
        for (size_t m = 0; m < 3; m++)
            for (size_t j = 0; j < np; j++)
                part[m] += c[(i * 3 + m) * np + j] * c[(i * 3 + m) * np + j];
        double potential = light ? part[2] : part[0];
        sum += 0.5 * det * (potential / compliance + (part[0] + part[1] + part[2] - potential) / inertia);
    }
    free(c);
    free(medium);
    free(xy);
    free(triangle);
    return sum;
}

/* A maze: chambers of 1/6 whose densities and speeds differ by 1e6 and 1e3. */
static void check_energy(bool light, int order, const char *scheme)
{
    static const char rho[] = "10^(3*sin(97*floor(6*x) + 31*floor(6*y)))",
                      c[] = "10^(1.5*sin(7*floor(6*x + 0.5*y)) - 1.5)";
    ew_formula *field = field_of(light, rho, c),
               *wave = wave_of(light, "exp(-40*((x - 0.5)^2 + (y - 0.4)^2))", "0.3*sin(3*x)", "0.2*cos(2*y)");
    ew_mesh *mesh = box((struct box){.nx = 12, .ny = 12, .width = 1.0, .height = 1.0, .jitter = 0.3});
    ew_boundary boundary[4];
    ew_problem problem = {.law = light ? "maxwell-tm" : "acoustics", .field.formula = field, .order = order,
                          .scheme = scheme, .initial.formula = wave, .boundary = boundary};
    problem.boundaries = boundaries(mesh, "wall", (ew_data){0}, boundary);
    ew_solver *solver = start(mesh, &problem);
    double before = energy_of(solver, mesh, light), start_energy = before, growth = 0;
    bool runs = true;
    ew_error error;
    for (int k = 1; k <= 40 && runs; k++) {
        runs = advance(solver, 0.1 * k, INT64_MAX) && ew_solver_check_growth(solver, &error) == EW_OK;
        double now = energy_of(solver, mesh, light);
        growth = fmax(now / before - 1, growth);
        before = now;
    }
    ok(runs && growth < 1e-13, "%s in a maze of contrast 1e6, p = %d, %s: the energy never grows; %.3g of it is left",
       light ? "light" : "sound", order, scheme, before / start_energy);
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    ew_formula_destroy(field);
    ew_formula_destroy(wave);
}

/* ---- one medium -------------------------------------------------------------------------------------------------- */

static void check_uniform(bool light)
{
    const ew_parameter parameter[2] = {{light ? "epsilon" : "rho0", 1.3}, {light ? "mu" : "c0", 0.7}};
    ew_formula *field = formula(2, (const char *const[]){"1.3", "0.7"}),
               *wave = formula(3, (const char *const[]){"sin(3*x + y)", "cos(2*x)", "sin(x*y)"}),
               *moving = formula(3, (const char *const[]){"sin(3*x + y + 4*t)", "cos(2*x)", "t"});
    ew_mesh *mesh = box((struct box){.nx = 5, .ny = 4, .width = 1.0, .height = 1.0, .jitter = 0.3});
    ew_boundary boundary[4];
    ew_problem problem = {.law = light ? "maxwell-tm" : "acoustics", .flux = "upwind", .order = 3, .outflow = 1,
                          .initial.formula = wave, .exact.formula = wave, .boundary = boundary};
    problem.boundaries = boundaries(mesh, "far", (ew_data){.formula = moving}, boundary);
    boundary[1] = (ew_boundary){.name = boundary[1].name, .kind = "wall"};
    boundary[2] = (ew_boundary){.name = boundary[2].name, .kind = "symmetry"};
    boundary[3].sponge_width = boundary[3].kind ? 0.0 : 0.1;
    double *values[2], worst = 0;
    ew_norms norms[2];
    int64_t steps[2];
    for (int k = 0; k < 2; k++) {
        problem.parameters = k ? 0 : 2;
        problem.parameter = k ? NULL : parameter;
        problem.field.formula = k ? field : NULL;
        ew_solver *solver = start(mesh, &problem);
        advance(solver, 0.4, INT64_MAX);
        values[k] = sample(solver, elements_of(mesh));
        norms[k] = norms_of(solver);
        steps[k] = ew_solver_steps(solver);
        ew_solver_destroy(solver);
    }
    for (int64_t i = 0; i < elements_of(mesh) * samples * 3; i++)
        worst = fmax(worst, fabs(values[0][i] - values[1][i]));
    is_close(worst, 0, 1e-12, "%s: one medium by formulas is one by parameters", light ? "light" : "sound");
    is_int(steps[1], steps[0], "... in as many steps");
    for (int m = 0; m < 3; m++) {
        worst = fmax(worst, fabs(norms[0].max[m] - norms[1].max[m]));
        worst = fmax(worst, m > 0 || light ? fabs(norms[0].error_l2[m] - norms[1].error_l2[m]) : 0);
    }
    is_close(worst, 0, 1e-12, "... with its errors and extrema");
    free(values[0]);
    free(values[1]);
    ew_mesh_destroy(mesh);
    ew_formula_destroy(field);
    ew_formula_destroy(wave);
    ew_formula_destroy(moving);
}

/* ---- means ------------------------------------------------------------------------------------------------------- */

static void check_means(void)
{
    const struct {
        const char *law, *text[2];
        double least[2], greatest[2];
    } rows[] = {
        {"acoustics", {"1.2", "340"}, {1.2, 340}, {1.2, 340}},
        {"acoustics", {"1 + x", "sqrt(1/((1 + x)*(2 + x)))"},  /* 1/(rho0 c0^2) = 2 + x; one element each */
         {4.0 / 3, 1 / sqrt(5.0 / 3 * (8.0 / 3))}, {5.0 / 3, 1 / sqrt(4.0 / 3 * (7.0 / 3))}},
        {"maxwell-tm", {"1 + x", "3"}, {4.0 / 3, 3}, {5.0 / 3, 3}},
    };
    ew_mesh *mesh = box((struct box){.nx = 1, .ny = 1, .width = 1.0, .height = 1.0});
    ew_formula *wave = formula(3, (const char *const[]){"1", "0", "0"});
    for (size_t k = 0; k < COUNT(rows); k++) {
        ew_formula *field = formula(2, rows[k].text);
        ew_boundary boundary[4];
        ew_problem problem = {.law = rows[k].law, .field.formula = field, .order = 2, .initial.formula = wave,
                              .boundary = boundary};
        problem.boundaries = boundaries(mesh, "copy", (ew_data){0}, boundary);
        ew_plan *plan;
        ew_error error;
        double least, greatest;
        must(ew_problem_check(NULL, mesh, &problem, &plan, &error), &error);
        for (int f = 0; f < 2; f++) {
            ok(ew_plan_media(plan, f, &least, &greatest), "%s %zu: field %d has a range", rows[k].law, k, f);
            is_close(least, rows[k].least[f], 1e-14 * rows[k].least[f], "... its least mean");
            is_close(greatest, rows[k].greatest[f], 1e-14 * rows[k].greatest[f], "... its greatest one");
        }
        ok(!ew_plan_media(plan, 2, &least, &greatest), "... and there is no third field");
        ew_plan_destroy(plan);
        ew_formula_destroy(field);
    }
    ew_formula_destroy(wave);
    ew_mesh_destroy(mesh);
}

/* ---- what is refused --------------------------------------------------------------------------------------------- */

static void check_refusals(void)
{
    static const struct {
        const char *law, *text[2], *flux, *limiter, *sentence;
    } rows[] = {
        {"acoustics", {"0.5 - x", "1"}, NULL, NULL, "rho0 is -"},
        {"acoustics", {"0.5 - x", "1"}, NULL, NULL, "it must be greater than 0 and finite"},
        {"acoustics", {"1", "sqrt(-1 - x)"}, NULL, NULL, "c0 is nan at all "},
        {"acoustics", {"1", "1/(x - x)"}, NULL, NULL, "c0 is inf at all "},
        {"acoustics", {"1e-200", "1e-200"}, NULL, NULL, "which is too much or too little for a number"},
        {"maxwell-tm", {"1", "x < 0.5 ? 0 : 1"}, NULL, NULL, "mu is 0 at "},
        {"maxwell-tm", {"1 + t", "1"}, NULL, NULL, "depends on t"},
        {"acoustics", {"1", "1"}, "llf", NULL, "has no flux \"llf\"; it has upwind"},
        {"acoustics", {"1", "1"}, NULL, "barth-jespersen", "which differ where media do; leave it out"},
        {"shallow-water", {"1", "1"}, NULL, NULL, "the law \"shallow-water\" has no given fields"},
    };
    ew_mesh *mesh = box((struct box){.nx = 2, .ny = 2, .width = 1.0, .height = 1.0});
    ew_formula *wave = formula(3, (const char *const[]){"1", "0", "0"});
    for (size_t k = 0; k < COUNT(rows); k++) {
        ew_formula *field = formula(2, rows[k].text);
        ew_boundary boundary[4];
        ew_problem problem = {.law = rows[k].law, .field.formula = field, .order = 1, .flux = rows[k].flux,
                              .limiter = rows[k].limiter, .initial.formula = wave, .boundary = boundary};
        problem.boundaries = boundaries(mesh, "copy", (ew_data){0}, boundary);
        ew_error error = {0};
        is_int(ew_problem_check(NULL, mesh, &problem, NULL, &error), EW_EINVAL, "%s with %s; %s is refused",
               rows[k].law, rows[k].text[0], rows[k].text[1]);
        contains(error.message, rows[k].sentence, "... the sentence");
        ew_formula_destroy(field);
    }
    ew_formula_destroy(wave);
    ew_mesh_destroy(mesh);
}

int main(void)
{
    static const char *const schemes[] = {"rk4", "ssprk33"};
    check_means();
    check_refusals();
    check_uniform(false);
    check_uniform(true);
    check_waves();
    check_cylinder();
    for (int order = 1; order <= EW_MAX_ORDER; order++)
        for (int light = 0; light < 2; light++)
            if (light == order % 2 || long_checks())
                check_energy(light, order, schemes[order / 2 % 2]);
    return done_testing();
}
