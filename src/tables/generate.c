/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes the basis and quadrature tables of one order as a header of hexadecimal constants.
 *
 *     generate P       the header for order P, to standard output
 *     generate -b P    the header of tables for water over a bed
 *     generate -v P    the header of control volumes
 *     generate -r P    the largest residuals of its rules instead
 *
 * The tables are kept in the source (p1.h ... p5.h) so that every platform has the same bits; this program is how they
 * came to be, and tests/method/tables.sh checks that it still makes them. It computes in double-double arithmetic
 * (about 106 bits) from + - * /, sqrt and fma alone, so that it writes the same text everywhere. Build it with
 * -ffp-contract=off.
 *
 * Basis: Koornwinder, "Two-variable analogues of the classical orthogonal polynomials" (1975); Dubiner, "Spectral
 * methods on triangles and other domains" (1991). On the triangle (0,0), (1,0), (0,1), for degree d = 0..p and b =
 * 0..d, phi_{d,b} = sqrt(2 (2b+1) (d+1)) P_{d-b}^{(2b+1,0)}(2r-1) (1-r)^b P_b(2s/(1-r) - 1), which is what Gram-Schmidt
 * makes of the monomials r^(d-b) s^b in that order.
 *
 * Volume rules: Dunavant, "High degree efficient symmetrical Gaussian quadrature rules for the triangle" (1985).
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 1
#error "generate.c needs double arithmetic without excess precision; on 32-bit x86 build with -msse2 -mfpmath=sse"
#endif

enum {
    MAX_ORDER = 20,
    DUNAVANT_ORDERS = 5,
    MAX_ORBITS = 6,
    MAX_UNKNOWNS = 14,
    MAX_DEGREE = MAX_ORDER + 3 /* of any one-dimensional polynomial here: the finer rule's */
};

/* A sum of weights * values that should vanish is accepted below this. */
static const double RESIDUAL_LIMIT = 1e-28;
/*
 * The error bound of an entry before rounding, relative to max(1, |entry|). Against 80 digits the largest error was
 * 7e-31 up to order 5 and 3e-29 at order 20.
 */
static const double ENTRY_ERROR = 1e-28;
/* Smaller entries, which only orders above 5 have, are right to ENTRY_ERROR but perhaps not the nearest double. */
static const double SMALLEST_CERTAIN_ENTRY = 1e-8;

static void fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

static void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("generate: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

/* ---- double-double arithmetic (Dekker 1971; Hida, Li and Bailey 2001) -------------------------------------------- */

/* The unevaluated sum hi + lo, with hi the double nearest to it. */
typedef struct {
    double hi, lo;
} dd;

static dd dd_of(double x)
{
    return (dd){x, 0};
}

/* a + b exactly, for |a| >= |b| */
static dd ordered_sum(double a, double b)
{
    double sum = a + b;
    return (dd){sum, b - (sum - a)};
}

/* a + b exactly */
static dd exact_sum(double a, double b)
{
    double sum = a + b, part = sum - a;
    return (dd){sum, (a - (sum - part)) + (b - part)};
}

static dd add(dd a, dd b)
{
    dd high = exact_sum(a.hi, b.hi), low = exact_sum(a.lo, b.lo);
    high = ordered_sum(high.hi, high.lo + low.hi);
    return ordered_sum(high.hi, high.lo + low.lo);
}

static dd subtract(dd a, dd b)
{
    return add(a, (dd){-b.hi, -b.lo});
}

static dd multiply(dd a, dd b)
{
    double product = a.hi * b.hi;
    double error = fma(a.hi, b.hi, -product);
    return ordered_sum(product, error + (a.hi * b.lo + a.lo * b.hi));
}

static dd scale(double factor, dd a)
{
    return multiply(dd_of(factor), a);
}

static dd divide(dd a, dd b)
{
    double first = a.hi / b.hi;
    dd rest = subtract(a, scale(first, b));
    double second = rest.hi / b.hi;
    rest = subtract(rest, scale(second, b));
    return add(ordered_sum(first, second), dd_of(rest.hi / b.hi));
}

static dd square_root(double x)
{
    double root = sqrt(x);
    dd rest = subtract(dd_of(x), multiply(dd_of(root), dd_of(root)));
    return ordered_sum(root, rest.hi / (2 * root));
}

/* The square root of x > 0; one Newton step doubles the digits. */
static dd square_root_of(dd x)
{
    dd root = square_root(x.hi);
    return scale(0.5, add(root, divide(x, root)));
}

static dd *new_table(size_t count)
{
    dd *table = calloc(count, sizeof *table);
    if (!table)
        fail("out of memory for a table of %zu entries", count);
    return table;
}

/* ---- orthogonal polynomials by their recurrences ----------------------------------------------------------------- */

/* P_n^{(alpha,0)}(2t-1), orthogonal on [0,1] with weight (1-t)^alpha, and its derivative in t, for n = 0..degree. */
static void jacobi(int degree, int alpha, dd t, dd *value, dd *slope)
{
    dd x = subtract(scale(2, t), dd_of(1));

    value[0] = dd_of(1);
    slope[0] = dd_of(0);
    if (degree > 0) {
        value[1] = subtract(scale(alpha + 2, t), dd_of(1));
        slope[1] = dd_of(alpha + 2);
    }
    for (int n = 1; n < degree; n++) {
        int sum = 2 * n + alpha;
        dd divisor = dd_of(2.0 * (n + 1) * (n + alpha + 1) * sum);
        double steepness = (double)(sum + 1) * (sum + 2) * sum;
        dd factor = add(scale(steepness, x), dd_of((double)(sum + 1) * alpha * alpha));
        double previous = 2.0 * n * (n + alpha) * (sum + 2);
        dd slopes = add(multiply(factor, slope[n]), scale(2 * steepness, value[n]));

        value[n + 1] = divide(subtract(multiply(factor, value[n]), scale(previous, value[n - 1])), divisor);
        slope[n + 1] = divide(subtract(slopes, scale(previous, slope[n - 1])), divisor);
    }
}

/* L_b = (1-r)^b P_b(2s/(1-r) - 1), a polynomial also at r = 1, and its two derivatives, for b = 0..degree. */
static void collapsed_legendre(int degree, dd r, dd s, dd *value, dd *slope_r, dd *slope_s)
{
    dd height = subtract(dd_of(1), r);
    dd height_squared = multiply(height, height);
    dd middle = subtract(scale(2, s), height);

    value[0] = dd_of(1);
    slope_r[0] = slope_s[0] = dd_of(0);
    if (degree > 0) {
        value[1] = middle;
        slope_r[1] = dd_of(1);
        slope_s[1] = dd_of(2);
    }
    for (int b = 1; b < degree; b++) {
        dd factor = scale(2 * b + 1, middle), divisor = dd_of(b + 1);
        dd previous = scale(b, height_squared);
        dd in_r = add(multiply(factor, slope_r[b]), scale(2 * b + 1, value[b]));
        dd in_s = add(multiply(factor, slope_s[b]), scale(2 * (2 * b + 1), value[b]));

        in_r = add(in_r, scale(2 * b, multiply(height, value[b - 1])));
        value[b + 1] = divide(subtract(multiply(factor, value[b]), multiply(previous, value[b - 1])), divisor);
        slope_r[b + 1] = divide(subtract(in_r, multiply(previous, slope_r[b - 1])), divisor);
        slope_s[b + 1] = divide(subtract(in_s, multiply(previous, slope_s[b - 1])), divisor);
    }
}

static int basis_size(int order)
{
    return (order + 1) * (order + 2) / 2;
}

static int basis_index(int d, int b)
{
    return d * (d + 1) / 2 + b;
}

/* The factor that makes phi_{d,b} a unit vector. */
static dd basis_norm(int d, int b)
{
    return square_root(2.0 * (2 * b + 1) * (d + 1));
}

/* All basis functions up to `order` and their derivatives at (r, s). */
static void basis(int order, dd r, dd s, dd *phi, dd *dr, dd *ds)
{
    dd across[MAX_DEGREE + 1], across_r[MAX_DEGREE + 1], across_s[MAX_DEGREE + 1];
    dd along[MAX_DEGREE + 1], along_r[MAX_DEGREE + 1];

    collapsed_legendre(order, r, s, across, across_r, across_s);
    for (int b = 0; b <= order; b++) {
        jacobi(order - b, 2 * b + 1, r, along, along_r);
        for (int a = 0; a <= order - b; a++) {
            int j = basis_index(a + b, b);
            dd norm = basis_norm(a + b, b);
            phi[j] = multiply(norm, multiply(across[b], along[a]));
            dr[j] = multiply(norm, add(multiply(across_r[b], along[a]), multiply(across[b], along_r[a])));
            ds[j] = multiply(norm, multiply(across_s[b], along[a]));
        }
    }
}

/* ---- Gauss rules ------------------------------------------------------------------------------------------------- */

struct line_rule {
    int count;
    dd t[MAX_DEGREE], weight[MAX_DEGREE]; /* ascending */
};

/*
 * The zero of P_degree^{(alpha,0)} between low and high. It is bracketed by bisection rather than started from cosines,
 * which differ between C libraries; two Newton steps then take it from 60 bits to all of them.
 */
static dd jacobi_zero(int degree, int alpha, dd low, dd high)
{
    dd value[MAX_DEGREE + 1], slope[MAX_DEGREE + 1];
    jacobi(degree, alpha, low, value, slope);
    bool positive_at_low = value[degree].hi > 0;

    for (int bit = 0; bit < 60; bit++) {
        dd middle = scale(0.5, add(low, high));
        jacobi(degree, alpha, middle, value, slope);
        if ((value[degree].hi > 0) == positive_at_low)
            low = middle;
        else
            high = middle;
    }
    dd zero = scale(0.5, add(low, high));
    for (int step = 0; step < 2; step++) {
        jacobi(degree, alpha, zero, value, slope);
        zero = subtract(zero, divide(value[degree], slope[degree]));
    }
    return zero;
}

/* The rule on [0,1] that integrates (1-t)^alpha f(t) exactly for f of degree 2 count - 1. */
static struct line_rule gauss(int count, int alpha)
{
    struct line_rule rule = {.count = count};
    dd value[MAX_DEGREE + 1], slope[MAX_DEGREE + 1];

    /* The zeros of one degree separate those of the next. */
    for (int degree = 1; degree <= count; degree++) {
        dd low = dd_of(0);
        for (int i = 0; i < degree; i++) {
            dd high = i < degree - 1 ? rule.t[i] : dd_of(1);
            rule.t[i] = jacobi_zero(degree, alpha, low, high);
            low = high;
        }
    }
    /* Legendre's are symmetric; leave no noise about that. */
    for (int i = 0; alpha == 0 && i < count / 2; i++)
        rule.t[i] = subtract(dd_of(1), rule.t[count - 1 - i]);
    if (alpha == 0 && count % 2 == 1)
        rule.t[count / 2] = dd_of(0.5);

    for (int i = 0; i < count; i++) {
        jacobi(count, alpha, rule.t[i], value, slope);
        dd bubble = multiply(rule.t[i], subtract(dd_of(1), rule.t[i]));
        rule.weight[i] = divide(dd_of(1), multiply(bubble, multiply(slope[count], slope[count])));
    }
    for (int i = 0; alpha == 0 && i < count / 2; i++)
        rule.weight[i] = rule.weight[count - 1 - i];
    return rule;
}

struct triangle_rule {
    int count;
    dd *r, *s, *weight; /* the weights sum to the area, 1/2 */
};

static struct triangle_rule new_triangle_rule(int count)
{
    return (struct triangle_rule){count, new_table(count), new_table(count), new_table(count)};
}

static void free_triangle_rule(struct triangle_rule *rule)
{
    free(rule->r);
    free(rule->s);
    free(rule->weight);
}

/* Gauss-Jacobi in r times Gauss-Legendre in s/(1-r), exact to degree 2 per_direction - 1; s runs fastest. */
static struct triangle_rule collapsed_gauss(int per_direction)
{
    struct triangle_rule rule = new_triangle_rule(per_direction * per_direction);
    struct line_rule along = gauss(per_direction, 1), across = gauss(per_direction, 0);

    for (int i = 0, q = 0; i < per_direction; i++) {
        for (int k = 0; k < per_direction; k++, q++) {
            rule.r[q] = along.t[i];
            rule.s[q] = multiply(subtract(dd_of(1), along.t[i]), across.t[k]);
            rule.weight[q] = multiply(along.weight[i], across.weight[k]);
        }
    }
    return rule;
}

/* ---- Dunavant's rules -------------------------------------------------------------------------------------------- */

/*
 * An orbit is the set of images of one point under the symmetries of the triangle: the centroid (1 point), barycentric
 * coordinates (a, a, 1-2a) (3 points) or (a, b, 1-a-b) (6 points). Weights here sum to 1, as published.
 */
struct orbit {
    int points;
    double weight, a, b;
};

static const struct orbit dunavant[DUNAVANT_ORDERS + 1][MAX_ORBITS] = {
    [1] = {{3, 0.333333333333333, 0.166666666666667, 0}},
    [2] = {{3, 0.223381589678011, 0.445948490915965, 0}, {3, 0.109951743655322, 0.091576213509771, 0}},
    [3] = {{3, 0.116786275726379, 0.249286745170910, 0}, {3, 0.050844906370207, 0.063089014491502, 0},
           {6, 0.082851075618374, 0.310352451033784, 0.053145049844817}},
    [4] = {{1, 0.144315607677787, 0, 0}, {3, 0.095091634267285, 0.459292588292723, 0},
           {3, 0.103217370534718, 0.170569307751760, 0}, {3, 0.032458497623198, 0.050547228317031, 0},
           {6, 0.027230314174435, 0.008394777409958, 0.263112829634638}},
    [5] = {{1, 0.090817990382754, 0, 0}, {3, 0.036725957756467, 0.485577633383657, 0},
           {3, 0.045321059435528, 0.109481575485037, 0}, {6, 0.072757916845420, 0.141707219414880, 0.307939838764121},
           {6, 0.028327242531057, 0.025003534762686, 0.246672560639903},
           {6, 0.009421666963733, 0.009540815400299, 0.066803251012200}}};

/* The coordinates of an orbit's points, each constant + from_a a + from_b b. */
enum coordinate { A, B, REST_AFTER_TWO_A, REST_AFTER_A_AND_B };

static const struct {
    int constant, from_a, from_b;
} coordinates[] =
    {[A] = {0, 1, 0}, [B] = {0, 0, 1}, [REST_AFTER_TWO_A] = {1, -2, 0}, [REST_AFTER_A_AND_B] = {1, -1, -1}};

/* The order of an orbit's points, as (r, s). The centroid is the first of the three, with a = 1/3. */
static const enum coordinate of_three[3][2] = {{A, A}, {A, REST_AFTER_TWO_A}, {REST_AFTER_TWO_A, A}};
static const enum coordinate of_six[6][2] = {{A, B}, {B, A}, {A, REST_AFTER_A_AND_B}, {REST_AFTER_A_AND_B, A},
                                             {B, REST_AFTER_A_AND_B}, {REST_AFTER_A_AND_B, B}};

static const enum coordinate *orbit_point(const struct orbit *orbit, int point)
{
    return orbit->points == 6 ? of_six[point] : of_three[point];
}

static int orbit_unknowns(const struct orbit *orbit)
{
    return orbit->points == 1 ? 1 : orbit->points == 3 ? 2 : 3;
}

static dd place(enum coordinate which, dd a, dd b)
{
    dd terms = add(scale(coordinates[which].from_a, a), scale(coordinates[which].from_b, b));
    return add(dd_of(coordinates[which].constant), terms);
}

/* The rule of the orbits, with their weights and coordinates taken from `unknowns`, orbit after orbit. */
static void expand_orbits(const struct orbit *orbits, const dd *unknowns, struct triangle_rule *rule)
{
    int q = 0;
    for (int o = 0; o < MAX_ORBITS && orbits[o].points > 0; o++) {
        int count = orbit_unknowns(&orbits[o]);
        dd a = count > 1 ? unknowns[1] : divide(dd_of(1), dd_of(3));
        dd b = count > 2 ? unknowns[2] : dd_of(0);
        for (int point = 0; point < orbits[o].points; point++, q++) {
            const enum coordinate *at = orbit_point(&orbits[o], point);
            rule->r[q] = place(at[0], a, b);
            rule->s[q] = place(at[1], a, b);
            rule->weight[q] = scale(0.5, unknowns[0]);
        }
        unknowns += count;
    }
}

/* Replaces x by the solution of matrix * solution = x, by elimination with row exchanges. */
static void solve(int size, dd matrix[][MAX_UNKNOWNS], dd *x)
{
    for (int column = 0; column < size; column++) {
        int pivot = column;
        for (int row = column + 1; row < size; row++)
            if (fabs(matrix[row][column].hi) > fabs(matrix[pivot][column].hi))
                pivot = row;
        for (int k = column; k < size; k++) {
            dd held = matrix[pivot][k];
            matrix[pivot][k] = matrix[column][k];
            matrix[column][k] = held;
        }
        dd held = x[pivot];
        x[pivot] = x[column];
        x[column] = held;
        for (int row = column + 1; row < size; row++) {
            dd factor = divide(matrix[row][column], matrix[column][column]);
            for (int k = column; k < size; k++)
                matrix[row][k] = subtract(matrix[row][k], multiply(factor, matrix[column][k]));
            x[row] = subtract(x[row], multiply(factor, x[column]));
        }
    }
    for (int row = size - 1; row >= 0; row--) {
        for (int k = row + 1; k < size; k++)
            x[row] = subtract(x[row], multiply(matrix[row][k], x[k]));
        x[row] = divide(x[row], matrix[row][row]);
    }
}

/*
 * One Newton step on "the rule integrates every orthonormal function of degree 2p": all but the first to zero. The
 * equations are more than the unknowns but consistent, for those which symmetry does not make trivial are as many;
 * hence least squares, for which the normal equations do, as a step need not be exact.
 */
static void polish(const struct orbit *orbits, int degree, int unknown_count, dd *unknowns, struct triangle_rule *rule)
{
    int functions = basis_size(degree);
    dd *phi = new_table(functions), *dr = new_table(functions), *ds = new_table(functions);
    dd *residual = new_table(functions), *jacobian = new_table((size_t)functions * unknown_count);
    dd normal[MAX_UNKNOWNS][MAX_UNKNOWNS], step[MAX_UNKNOWNS];
    int q = 0, first = 0;

    expand_orbits(orbits, unknowns, rule);
    residual[0] = divide(dd_of(-1), basis_norm(0, 0)); /* minus the integral of phi_0 = sqrt(2) */
    for (int o = 0; o < MAX_ORBITS && orbits[o].points > 0; o++) {
        for (int point = 0; point < orbits[o].points; point++, q++) {
            const enum coordinate *at = orbit_point(&orbits[o], point);
            basis(degree, rule->r[q], rule->s[q], phi, dr, ds);
            for (int j = 0; j < functions; j++) {
                dd *row = &jacobian[(size_t)j * unknown_count + first];
                dd by_r = multiply(rule->weight[q], dr[j]), by_s = multiply(rule->weight[q], ds[j]);
                residual[j] = add(residual[j], multiply(rule->weight[q], phi[j]));
                row[0] = add(row[0], scale(0.5, phi[j]));
                if (orbits[o].points > 1)
                    row[1] = add(row[1],
                                 add(scale(coordinates[at[0]].from_a, by_r), scale(coordinates[at[1]].from_a, by_s)));
                if (orbits[o].points > 3)
                    row[2] = add(row[2],
                                 add(scale(coordinates[at[0]].from_b, by_r), scale(coordinates[at[1]].from_b, by_s)));
            }
        }
        first += orbit_unknowns(&orbits[o]);
    }
    for (int i = 0; i < unknown_count; i++) {
        step[i] = dd_of(0);
        for (int k = 0; k < unknown_count; k++)
            normal[i][k] = dd_of(0);
        for (int j = 0; j < functions; j++) {
            const dd *row = &jacobian[(size_t)j * unknown_count];
            step[i] = add(step[i], multiply(row[i], residual[j]));
            for (int k = 0; k < unknown_count; k++)
                normal[i][k] = add(normal[i][k], multiply(row[i], row[k]));
        }
    }
    solve(unknown_count, normal, step);
    for (int i = 0; i < unknown_count; i++)
        unknowns[i] = subtract(unknowns[i], step[i]);

    free(phi);
    free(dr);
    free(ds);
    free(residual);
    free(jacobian);
}

/* Dunavant's rule of degree 2p, brought from the 15 published digits to all that dd holds. */
static struct triangle_rule dunavant_rule(int order)
{
    const struct orbit *orbits = dunavant[order];
    dd unknowns[MAX_UNKNOWNS];
    int points = 0, count = 0;

    for (int o = 0; o < MAX_ORBITS && orbits[o].points > 0; o++) {
        const double start[] = {orbits[o].weight, orbits[o].a, orbits[o].b};
        for (int i = 0; i < orbit_unknowns(&orbits[o]); i++)
            unknowns[count++] = dd_of(start[i]);
        points += orbits[o].points;
    }
    struct triangle_rule rule = new_triangle_rule(points);
    for (int step = 0; step < 4; step++) /* 15 digits, 30, and two for the rounding errors */
        polish(orbits, 2 * order, count, unknowns, &rule);
    expand_orbits(orbits, unknowns, &rule);
    return rule;
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

/* Unlike fmax, keeps a NaN. */
static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/* The largest error over the monomials r^a s^b of degree at most `degree`, whose integrals are a! b! / (a+b+2)!. */
static double triangle_residual(const struct triangle_rule *rule, int degree)
{
    double largest = 0;
    dd in_r = divide(dd_of(1), dd_of(2)); /* of r^a */
    for (int a = 0; a <= degree; a++) {
        dd exact = in_r;
        for (int b = 0; a + b <= degree; b++) {
            dd error = scale(-1, exact);
            for (int q = 0; q < rule->count; q++) {
                dd term = rule->weight[q];
                for (int k = 0; k < a; k++)
                    term = multiply(term, rule->r[q]);
                for (int k = 0; k < b; k++)
                    term = multiply(term, rule->s[q]);
                error = add(error, term);
            }
            largest = larger(largest, fabs(error.hi));
            exact = divide(scale(b + 1, exact), dd_of(a + b + 3));
        }
        in_r = divide(scale(a + 1, in_r), dd_of(a + 3));
    }
    return largest;
}

static double line_residual(const struct line_rule *rule, int degree)
{
    double largest = 0;
    for (int a = 0; a <= degree; a++) {
        dd error = divide(dd_of(-1), dd_of(a + 1));
        for (int e = 0; e < rule->count; e++) {
            dd term = rule->weight[e];
            for (int k = 0; k < a; k++)
                term = multiply(term, rule->t[e]);
            error = add(error, term);
        }
        largest = larger(largest, fabs(error.hi));
    }
    return largest;
}

/* ---- output ------------------------------------------------------------------------------------------------------ */

/*
 * The double nearest to the exact value that `value` approximates. Zeros come out as noise far below anything else in
 * the tables. Refuses where the error of `value` leaves open which double is the nearest.
 */
static double nearest_double(dd value)
{
    double size = fabs(value.hi), error = ENTRY_ERROR * fmax(1, size);
    if (size < error)
        return 0;
    double half_gap = fabs(nextafter(value.hi, value.lo > 0 ? INFINITY : -INFINITY) - value.hi) / 2;
    bool certain = half_gap - fabs(value.lo) >= error;
    if (!certain && !(size < SMALLEST_CERTAIN_ENTRY))
        fail("%.17g + %.17g cannot be rounded with certainty", value.hi, value.lo);
    return value.hi;
}

/* Like printf's %a, the form of which the C standard leaves open. */
static int format_hexadecimal(char *text, size_t size, double value)
{
    uint64_t bits;
    char digits[14];

    memcpy(&bits, &value, sizeof bits);
    if (value == 0)
        return snprintf(text, size, "0x0p+0");
    snprintf(digits, sizeof digits, "%013" PRIx64, bits & ((UINT64_C(1) << 52) - 1));
    for (int last = 12; last >= 0 && digits[last] == '0'; last--)
        digits[last] = '\0';
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    return snprintf(text, size, "%s0x1%s%sp%+d", value < 0 ? "-" : "", digits[0] ? "." : "", digits, exponent);
}

static void print_table(int order, const char *name, size_t count, const dd *values)
{
    const int widest = 118;
    int column = widest;

    printf("#define EWI_P%d_%s { \\\n", order, name);
    for (size_t i = 0; i < count; i++) {
        char text[32];
        int length = format_hexadecimal(text, sizeof text, nearest_double(values[i])) + (i + 1 < count);
        if (i > 0 && column + 1 + length > widest)
            fputs(" \\\n", stdout);
        if (i == 0 || column + 1 + length > widest)
            column = printf("   ");
        column += printf(" %s%s", text, i + 1 < count ? "," : "");
    }
    puts(" }\n");
}

/* The volume tables: values, derivatives, weighted derivatives and weighted values. */
static void print_volume(int order, const struct triangle_rule *rule)
{
    size_t np = basis_size(order), count = rule->count * np;
    dd *phi = new_table(count), *dr = new_table(count), *ds = new_table(count), *project = new_table(count);
    dd *slope_r = new_table(count), *slope_s = new_table(count);

    for (int q = 0; q < rule->count; q++) {
        size_t row = q * np;
        basis(order, rule->r[q], rule->s[q], &phi[row], &slope_r[row], &slope_s[row]);
        for (size_t j = row; j < row + np; j++) {
            dr[j] = multiply(rule->weight[q], slope_r[j]);
            ds[j] = multiply(rule->weight[q], slope_s[j]);
            project[j] = multiply(rule->weight[q], phi[j]);
        }
    }
    print_table(order, "R", rule->count, rule->r);
    print_table(order, "S", rule->count, rule->s);
    print_table(order, "WEIGHT", rule->count, rule->weight);
    print_table(order, "PHI", count, phi);
    print_table(order, "DR", count, dr);
    print_table(order, "DS", count, ds);
    print_table(order, "PROJECT", count, project);
    print_table(order, "SLOPE_R", count, slope_r);
    print_table(order, "SLOPE_S", count, slope_s);
    dd *const tables[] = {phi, dr, ds, project, slope_r, slope_s};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        free(tables[k]);
}

/* phi at given points, nothing else. */
static void print_values(int order, const char *name, int count, const dd *r, const dd *s)
{
    size_t np = basis_size(order);
    dd *phi = new_table(count * np), *dr = new_table(np), *ds = new_table(np);

    for (int point = 0; point < count; point++)
        basis(order, r[point], s[point], &phi[point * np], dr, ds);
    print_table(order, name, count * np, phi);
    free(phi);
    free(dr);
    free(ds);
}

static void side_points(const struct line_rule *rule, dd *r, dd *s)
{
    int n = rule->count;

    for (int e = 0; e < n; e++) {
        dd t = rule->t[e], rest = subtract(dd_of(1), t);
        r[e] = t, s[e] = dd_of(0);
        r[n + e] = rest, s[n + e] = t;
        r[2 * n + e] = dd_of(0), s[2 * n + e] = rest;
    }
}

static void print_edges(int order, const struct line_rule *rule)
{
    dd r[3 * MAX_DEGREE], s[3 * MAX_DEGREE];
    int n = rule->count;

    side_points(rule, r, s);
    print_table(order, "EDGE_T", n, rule->t);
    print_table(order, "EDGE_WEIGHT", n, rule->weight);
    print_values(order, "SIDE", 3 * n, r, s);

    size_t np = basis_size(order), count = 3 * (size_t)n * np;
    dd *phi = new_table(np), *dr = new_table(count), *ds = new_table(count);
    for (size_t point = 0; point < 3 * (size_t)n; point++)
        basis(order, r[point], s[point], phi, &dr[point * np], &ds[point * np]);
    print_table(order, "SIDE_R", count, dr);
    print_table(order, "SIDE_S", count, ds);
    free(phi);
    free(dr);
    free(ds);
}

/* The largest |phi_j| at the points of a volume rule and of the sides. */
static void print_reach(int order, const struct triangle_rule *volume, const struct line_rule *edge)
{
    size_t np = basis_size(order), sides = 3 * (size_t)edge->count, count = (size_t)volume->count + sides;
    dd *r = new_table(count), *s = new_table(count), *phi = new_table(np), *dr = new_table(np), *ds = new_table(np);
    dd *reach = new_table(np);

    side_points(edge, r, s);
    memcpy(r + sides, volume->r, (size_t)volume->count * sizeof *r);
    memcpy(s + sides, volume->s, (size_t)volume->count * sizeof *s);
    for (size_t point = 0; point < count; point++) {
        basis(order, r[point], s[point], phi, dr, ds);
        for (size_t j = 0; j < np; j++) {
            dd size = phi[j].hi < 0 ? subtract(dd_of(0), phi[j]) : phi[j];
            reach[j] = subtract(size, reach[j]).hi > 0 ? size : reach[j];
        }
    }
    print_table(order, "REACH", np, reach);
    dd *const tables[] = {r, s, phi, dr, ds, reach};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        free(tables[k]);
}

static void print_norms(int order)
{
    dd norm[(MAX_ORDER + 1) * (MAX_ORDER + 2) / 2];
    for (int d = 0; d <= order; d++)
        for (int b = 0; b <= d; b++)
            norm[basis_index(d, b)] = basis_norm(d, b);
    print_table(order, "NORM", basis_size(order), norm);
}

static void print_header(int order, const struct triangle_rule *volume, const struct line_rule *edge,
                         const struct triangle_rule *fine)
{
    const dd vertex_r[] = {{0, 0}, {1, 0}, {0, 0}}, vertex_s[] = {{0, 0}, {0, 0}, {1, 0}};

    printf(
        "/* SPDX-License-Identifier: BSD-2-Clause */\n"
        "/*\n"
        " * Basis and quadrature tables of order %d; README says what they are. Made by generate.c, not to be edited.\n"
        " * To remake: src/tables/generate %d > src/tables/p%d.h\n"
        " */\n"
        "#ifndef EWI_TABLES_P%d_H\n"
        "#define EWI_TABLES_P%d_H\n\n",
        order, order, order, order, order);
    printf("#define EWI_P%d_NP %d\n", order, basis_size(order));
    printf("#define EWI_P%d_NQ %d\n", order, volume->count);
    printf("#define EWI_P%d_NE %d\n", order, edge->count);
    printf("#define EWI_P%d_NF %d\n\n", order, fine->count);
    print_volume(order, volume);
    print_edges(order, edge);
    print_reach(order, volume, edge);
    print_values(order, "VERTEX", 3, vertex_r, vertex_s);
    print_table(order, "FINE_R", fine->count, fine->r);
    print_table(order, "FINE_S", fine->count, fine->s);
    print_table(order, "FINE_WEIGHT", fine->count, fine->weight);
    print_values(order, "FINE_PHI", fine->count, fine->r, fine->s);
    print_norms(order);
    puts("#endif");
}

/* ---- buckets ----------------------------------------------------------------------------------------------------- */

/* The share of the edges' rule in buckets; the rest is the volume rule. */
#define EDGE_RULE_SHARE 0.5

static dd sum_over(const struct triangle_rule *rule, int first, int last, bool weighted, int a, int b)
{
    dd sum = dd_of(0);
    for (int q = first; q < last; q++) {
        dd term = weighted ? scale(2, rule->weight[q]) : dd_of(1);
        for (int k = 0; k < a; k++)
            term = multiply(term, rule->r[q]);
        for (int k = 0; k < b; k++)
            term = multiply(term, rule->s[q]);
        sum = add(sum, term);
    }
    return sum;
}

/* The mean of r^a s^b over the Gauss points of all sides. */
static dd mean_over_sides(const struct line_rule *edge, int a, int b)
{
    dd r[3 * MAX_DEGREE], s[3 * MAX_DEGREE], weight[3 * MAX_DEGREE];
    struct triangle_rule sides = {3 * edge->count, r, s, weight};
    side_points(edge, r, s);
    for (int k = 0; k < sides.count; k++)
        weight[k] = divide(edge->weight[k % edge->count], dd_of(6));
    return sum_over(&sides, 0, sides.count, true, a, b);
}

/*
 * Monomials whose integrals make a rule with the triangle's symmetries exact to the degree of as many as are taken: one
 * a degree, and none of degree 1, whose integral follows.
 */
static const int symmetric[5][2] = {{0, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}};

/* Weights x of the edges and of the `count` orbits, of `first[o]` .. first[o + 1] - 1, in the set; true if all >= 0. */
static bool edge_rule(const struct triangle_rule *rule, const struct line_rule *edge, const int *first, unsigned set,
                      int size, dd *x)
{
    dd matrix[MAX_UNKNOWNS][MAX_UNKNOWNS], right[MAX_UNKNOWNS];
    for (int k = 0; k < size; k++) {
        int a = symmetric[k][0], b = symmetric[k][1], column = 1;
        right[k] = sum_over(rule, 0, rule->count, true, a, b);
        matrix[k][0] = mean_over_sides(edge, a, b);
        for (int o = 0; o < MAX_ORBITS; o++)
            if (set >> o & 1)
                matrix[k][column++] = sum_over(rule, first[o], first[o + 1], false, a, b);
    }
    solve(size, matrix, right);
    bool positive = right[0].hi > 0;
    x[0] = right[0];
    for (int o = 0, column = 1; o < MAX_ORBITS; o++) {
        x[1 + o] = set >> o & 1 ? right[column++] : dd_of(0);
        positive = positive && x[1 + o].hi >= 0;
    }
    return positive;
}

static int bits_in(unsigned set)
{
    int count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
}

/*
 * The positive rule on the edges' Gauss points and the volume points that is exact to the order and has the largest
 * share of the edges: a linear programme, whose solution is a corner, with as many weights as there are equations.
 */
static void best_edge_rule(int order, const struct triangle_rule *rule, const struct line_rule *edge, dd *share,
                           dd *of_point)
{
    int first[MAX_ORBITS + 1] = {0}, orbits = 0;
    *share = dd_of(0);
    for (; orbits < MAX_ORBITS && dunavant[order][orbits].points > 0; orbits++)
        first[orbits + 1] = first[orbits] + dunavant[order][orbits].points;
    for (unsigned set = 0; set < 1u << orbits; set++) {
        dd x[1 + MAX_ORBITS];
        if (bits_in(set) != order - 1 || !edge_rule(rule, edge, first, set, order, x) || x[0].hi <= share->hi)
            continue;
        *share = x[0];
        for (int o = 0; o < orbits; o++)
            for (int q = first[o]; q < first[o + 1]; q++)
                of_point[q] = x[1 + o];
    }
}

/* Orders up to DUNAVANT_ORDERS. */
static void print_bed(int order, const struct triangle_rule *volume, const struct line_rule *edge)
{
    dd *bucket = new_table((size_t)(volume->count + edge->count)), share;

    printf("#define EWI_P%d_NB %d\n\n", order, volume->count + 3 * edge->count);
    best_edge_rule(order, volume, edge, &share, bucket);
    dd a_side = divide(scale(EDGE_RULE_SHARE, share), dd_of(3));
    for (int q = 0; q < volume->count; q++)
        bucket[q] = add(scale(EDGE_RULE_SHARE, bucket[q]), scale(2 * (1 - EDGE_RULE_SHARE), volume->weight[q]));
    for (int e = 0; e < edge->count; e++)
        bucket[volume->count + e] = multiply(a_side, edge->weight[e]);
    print_table(order, "BUCKET", (size_t)(volume->count + edge->count), bucket);
    print_table(order, "SIDE_SHARE", 1, &a_side);
    free(bucket);
}

static void print_bed_header(int order, const struct triangle_rule *volume, const struct line_rule *edge)
{
    printf("/* SPDX-License-Identifier: BSD-2-Clause */\n"
           "/*\n"
           " * Tables of order %d for water over a bed; README says what they are. Made by generate.c, not to be "
           "edited.\n"
           " * To remake: src/tables/generate -b %d > src/tables/bed_p%d.h\n"
           " */\n"
           "#ifndef EWI_TABLES_BED_P%d_H\n"
           "#define EWI_TABLES_BED_P%d_H\n\n",
           order, order, order, order, order);
    print_bed(order, volume, edge);
    puts("#endif");
}

/* ---- control volumes --------------------------------------------------------------------------------------------- */

enum { MAX_VOLUMES = MAX_UNKNOWNS, VOLUME_ORDERS = 3, MAX_FACES = 24 };

struct place {
    dd r, s;
};

struct inner_face {
    int from, to; /* control volumes, from < to */
    struct place normal, middle;
    dd length;
};

/* The dual of a lattice of nodes, one for each basis function. */
struct control_volumes {
    int order, volumes, faces;
    const struct line_rule *edge;
    dd area[MAX_VOLUMES], mean[MAX_VOLUMES][MAX_VOLUMES]; /* of basis function j over volume n, once divided */
    struct place centroid[MAX_VOLUMES];
    struct inner_face face[MAX_FACES];
};

static struct place middle(struct place a, struct place b)
{
    return (struct place){scale(0.5, add(a.r, b.r)), scale(0.5, add(a.s, b.s))};
}

static struct place between(struct place a, struct place b)
{
    return (struct place){subtract(b.r, a.r), subtract(b.s, a.s)};
}

/* Where the k-th half of the sides' lattice lies: odd k separate the pieces of a side, of Gauss weights' lengths. */
static dd side_place(const struct control_volumes *v, int k)
{
    if (k == 0 || k == 2 * v->order)
        return dd_of(k == 0 ? 0 : 1);
    if (k % 2 == 0)
        return scale(0.5, add(side_place(v, k - 1), side_place(v, k + 1)));
    dd sum = dd_of(0);
    for (int e = 0; e <= k / 2; e++)
        sum = add(sum, v->edge->weight[e]);
    return sum;
}

/* Piecewise linear between these; the coordinate is k/(6 order). */
static dd warped(const struct control_volumes *v, int k)
{
    if (k % 3 == 0)
        return side_place(v, k / 3);
    dd low = side_place(v, k / 3), high = side_place(v, k / 3 + 1);
    return add(low, divide(scale(k % 3, subtract(high, low)), dd_of(3)));
}

/* The point with barycentric coordinates i/(6 order) of (1,0) and j/(6 order) of (0,1), once warped. */
static struct place lattice(const struct control_volumes *v, int i, int j)
{
    dd a = warped(v, i), b = warped(v, j), c = warped(v, 6 * v->order - i - j), sum = add(a, add(b, c));
    return (struct place){divide(a, sum), divide(b, sum)};
}

/* Node i along r, j along s. */
static int node_number(int order, int i, int j)
{
    return j * (order + 1) - j * (j - 1) / 2 + i;
}

/* Adds the triangle's integrals to volume n; counter-clockwise. */
static void add_triangle(struct control_volumes *v, int n, struct place a, struct place b, struct place c,
                         const struct triangle_rule *rule)
{
    struct place x = between(a, b), y = between(a, c);
    dd det = subtract(multiply(x.r, y.s), multiply(x.s, y.r));
    for (int q = 0; q < rule->count; q++) {
        dd phi[MAX_VOLUMES], dr[MAX_VOLUMES], ds[MAX_VOLUMES], weight = multiply(det, rule->weight[q]);
        dd r = add(a.r, add(multiply(x.r, rule->r[q]), multiply(y.r, rule->s[q])));
        dd s = add(a.s, add(multiply(x.s, rule->r[q]), multiply(y.s, rule->s[q])));
        basis(v->order, r, s, phi, dr, ds);
        for (int j = 0; j < v->volumes; j++)
            v->mean[n][j] = add(v->mean[n][j], multiply(weight, phi[j]));
        v->centroid[n].r = add(v->centroid[n].r, multiply(weight, r));
        v->centroid[n].s = add(v->centroid[n].s, multiply(weight, s));
        v->area[n] = add(v->area[n], weight);
    }
}

static struct inner_face *face_between(struct control_volumes *v, int a, int b)
{
    int f = 0;
    while (f < v->faces && (v->face[f].from != a || v->face[f].to != b))
        f++;
    if (f == v->faces)
        v->face[v->faces++] = (struct inner_face){.from = a, .to = b};
    return &v->face[f];
}

/* The piece of the face between volumes a and b from the lattice edge's middle to the centre; a is on its left. */
static void add_piece(struct control_volumes *v, int a, int b, struct place from, struct place centre)
{
    struct inner_face *face = a < b ? face_between(v, a, b) : face_between(v, b, a);
    struct place along = between(from, centre), half = middle(from, centre);
    double sign = a < b ? 1 : -1;
    dd length = square_root_of(add(multiply(along.r, along.r), multiply(along.s, along.s)));
    face->normal.r = add(face->normal.r, scale(sign, along.s));
    face->normal.s = subtract(face->normal.s, scale(sign, along.r));
    face->middle.r = add(face->middle.r, multiply(length, half.r));
    face->middle.s = add(face->middle.s, multiply(length, half.s));
    face->length = add(face->length, length);
}

/* A triangle of the lattice with corners (i[k], j[k]), counter-clockwise. */
static void add_lattice_triangle(struct control_volumes *v, const int *i, const int *j,
                                 const struct triangle_rule *rule)
{
    struct place centre = lattice(v, 2 * (i[0] + i[1] + i[2]), 2 * (j[0] + j[1] + j[2])), node[3], side[3];
    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3;
        node[k] = lattice(v, 6 * i[k], 6 * j[k]);
        side[k] = lattice(v, 3 * (i[k] + i[l]), 3 * (j[k] + j[l]));
    }
    for (int k = 0; k < 3; k++) {
        int n = node_number(v->order, i[k], j[k]), l = (k + 1) % 3;
        add_triangle(v, n, node[k], side[k], centre, rule);
        add_triangle(v, n, node[k], centre, side[(k + 2) % 3], rule);
        add_piece(v, n, node_number(v->order, i[l], j[l]), side[k], centre);
    }
}

static void divide_sums(struct control_volumes *v)
{
    for (int n = 0; n < v->volumes; n++) {
        for (int j = 0; j < v->volumes; j++)
            v->mean[n][j] = divide(v->mean[n][j], v->area[n]);
        v->centroid[n].r = divide(v->centroid[n].r, v->area[n]);
        v->centroid[n].s = divide(v->centroid[n].s, v->area[n]);
    }
    for (int f = 0; f < v->faces; f++) {
        v->face[f].middle.r = divide(v->face[f].middle.r, v->face[f].length);
        v->face[f].middle.s = divide(v->face[f].middle.s, v->face[f].length);
    }
}

static void make_volumes(int order, const struct triangle_rule *rule, const struct line_rule *edge,
                         struct control_volumes *v)
{
    *v = (struct control_volumes){.order = order, .volumes = basis_size(order), .edge = edge};
    for (int j = 0; j < order; j++)
        for (int i = 0; i + j < order; i++) {
            add_lattice_triangle(v, (int[]){i, i + 1, i}, (int[]){j, j, j + 1}, rule);
            if (i + j + 1 < order)
                add_lattice_triangle(v, (int[]){i + 1, i + 1, i}, (int[]){j, j + 1, j + 1}, rule);
        }
    divide_sums(v);
}

/* Rounding noise of what is 0. */
static void print_clean(int order, const char *name, size_t count, dd *values)
{
    for (size_t k = 0; k < count; k++)
        if (fabs(values[k].hi) < ENTRY_ERROR)
            values[k] = dd_of(0);
    print_table(order, name, count, values);
}

static void print_integers(int order, const char *name, int count, const int *values)
{
    printf("#define EWI_P%d_%s { \\\n   ", order, name);
    for (int k = 0; k < count; k++)
        printf(" %d%s", values[k], k + 1 == count ? " }\n\n" : k % 24 == 23 ? ", \\\n   " : ",");
}

static void print_means(const struct control_volumes *v)
{
    dd mean[MAX_VOLUMES * MAX_VOLUMES], lift[MAX_VOLUMES * MAX_VOLUMES], area[MAX_VOLUMES];
    for (int n = 0; n < v->volumes; n++) {
        dd matrix[MAX_UNKNOWNS][MAX_UNKNOWNS], x[MAX_UNKNOWNS];
        for (int k = 0; k < v->volumes; k++) {
            x[k] = dd_of(k == n);
            for (int j = 0; j < v->volumes; j++)
                matrix[k][j] = v->mean[k][j];
        }
        solve(v->volumes, matrix, x);
        for (int j = 0; j < v->volumes; j++) {
            mean[n * v->volumes + j] = v->mean[n][j];
            lift[j * v->volumes + n] = divide(x[j], v->area[n]);
        }
        area[n] = v->area[n];
    }
    print_clean(v->order, "CV_AREA", v->volumes, area);
    print_clean(v->order, "CV_MEAN", v->volumes * v->volumes, mean);
    print_clean(v->order, "CV_LIFT", v->volumes * v->volumes, lift);
}

/* Face f's contribution to the gradient in its volume `at`, for a value larger by 1 on the other side. */
static struct place gradient_weight(const struct control_volumes *v, int at, int f)
{
    dd a = dd_of(0), b = dd_of(0), c = dd_of(0);
    struct place mine = {a, a};
    for (int k = 0; k < v->faces; k++) {
        if (v->face[k].from != at && v->face[k].to != at)
            continue;
        struct place d = between(v->centroid[at], v->centroid[v->face[k].from + v->face[k].to - at]);
        a = add(a, multiply(d.r, d.r));
        b = add(b, multiply(d.r, d.s));
        c = add(c, multiply(d.s, d.s));
        mine = k == f ? d : mine;
    }
    dd det = subtract(multiply(a, c), multiply(b, b));
    return (struct place){divide(subtract(multiply(c, mine.r), multiply(b, mine.s)), det),
                          divide(subtract(multiply(a, mine.s), multiply(b, mine.r)), det)};
}

/* The numbers of the faces' ends at each volume. */
static void print_ends(const struct control_volumes *v, const int *volume_at)
{
    int first[MAX_VOLUMES + 1] = {0}, end[2 * MAX_FACES], ends = 0;
    for (int n = 0; n < v->volumes; n++) {
        for (int k = 0; k < 2 * v->faces; k++)
            if (volume_at[k] == n)
                end[ends++] = k;
        first[n + 1] = ends;
    }
    print_integers(v->order, "VOLUME_FIRST", v->volumes + 1, first);
    print_integers(v->order, "VOLUME_END", ends, end);
}

static void print_faces(const struct control_volumes *v)
{
    int of[2 * MAX_FACES];
    dd normal[2 * MAX_FACES], r[2 * MAX_FACES], s[2 * MAX_FACES], gr[2 * MAX_FACES], gs[2 * MAX_FACES];
    dd phi[MAX_FACES * MAX_VOLUMES], dr[MAX_VOLUMES], ds[MAX_VOLUMES];
    for (int f = 0; f < v->faces; f++) {
        basis(v->order, v->face[f].middle.r, v->face[f].middle.s, phi + f * v->volumes, dr, ds);
        normal[2 * f] = v->face[f].normal.r;
        normal[2 * f + 1] = v->face[f].normal.s;
        for (int end = 0; end < 2; end++) {
            int n = of[2 * f + end] = end ? v->face[f].to : v->face[f].from;
            struct place way = between(v->centroid[n], v->face[f].middle), weight = gradient_weight(v, n, f);
            r[2 * f + end] = way.r, s[2 * f + end] = way.s;
            gr[2 * f + end] = weight.r, gs[2 * f + end] = weight.s;
        }
    }
    print_integers(v->order, "FACE_VOLUME", 2 * v->faces, of);
    print_ends(v, of);
    print_clean(v->order, "FACE_NORMAL", 2 * v->faces, normal);
    print_clean(v->order, "FACE_R", 2 * v->faces, r);
    print_clean(v->order, "FACE_S", 2 * v->faces, s);
    print_clean(v->order, "FACE_PHI", v->faces * v->volumes, phi);
    print_clean(v->order, "FACE_GRADIENT_R", 2 * v->faces, gr);
    print_clean(v->order, "FACE_GRADIENT_S", 2 * v->faces, gs);
}

static void print_pieces(const struct control_volumes *v)
{
    int of[3 * MAX_DEGREE], points = v->order + 1;
    dd r[3 * MAX_DEGREE], s[3 * MAX_DEGREE];
    side_points(v->edge, r, s);
    for (int e = 0; e < points; e++) {
        of[e] = node_number(v->order, e, 0);
        of[points + e] = node_number(v->order, v->order - e, e);
        of[2 * points + e] = node_number(v->order, 0, v->order - e);
    }
    for (int q = 0; q < 3 * points; q++) {
        r[q] = subtract(r[q], v->centroid[of[q]].r);
        s[q] = subtract(s[q], v->centroid[of[q]].s);
    }
    print_integers(v->order, "SIDE_VOLUME", 3 * points, of);
    print_clean(v->order, "SIDE_OFFSET_R", 3 * points, r);
    print_clean(v->order, "SIDE_OFFSET_S", 3 * points, s);
}

static void print_volumes_header(int order, const struct triangle_rule *rule, const struct line_rule *edge)
{
    struct control_volumes v;
    make_volumes(order, rule, edge, &v);
    printf("/* SPDX-License-Identifier: BSD-2-Clause */\n"
           "/*\n"
           " * Control volumes of order %d; README says what they are. Made by generate.c, not to be edited.\n"
           " * To remake: src/tables/generate -v %d > src/tables/volumes_p%d.h\n"
           " */\n"
           "#ifndef EWI_TABLES_VOLUMES_P%d_H\n"
           "#define EWI_TABLES_VOLUMES_P%d_H\n\n",
           order, order, order, order, order);
    printf("#define EWI_P%d_FACES %d\n\n", order, v.faces);
    print_means(&v);
    print_faces(&v);
    print_pieces(&v);
    puts("#endif");
}

int main(int argc, char **argv)
{
    bool show_residuals = argc == 3 && strcmp(argv[1], "-r") == 0, bed = argc == 3 && strcmp(argv[1], "-b") == 0;
    bool volumes = argc == 3 && strcmp(argv[1], "-v") == 0;
    char *end = NULL;
    long order = argc == 2 || show_residuals || bed || volumes ? strtol(argv[argc - 1], &end, 10) : 0;

    int most = bed ? DUNAVANT_ORDERS : volumes ? VOLUME_ORDERS : MAX_ORDER;
    if (!end || *end != '\0' || order < 1 || order > most) {
        fprintf(stderr, "usage: generate [-b | -r | -v] P, with an order P from 1 to %d (-b: to %d, -v: to %d)\n",
                MAX_ORDER, DUNAVANT_ORDERS, VOLUME_ORDERS);
        return 2;
    }
    int p = (int)order;
    struct triangle_rule volume = p <= DUNAVANT_ORDERS ? dunavant_rule(p) : collapsed_gauss(p + 1);
    struct line_rule edge = gauss(p + 1, 0);
    struct triangle_rule fine = collapsed_gauss(p + 3);

    double volume_residual = triangle_residual(&volume, 2 * p);
    double edge_residual = line_residual(&edge, 2 * p + 1);
    double fine_residual = triangle_residual(&fine, 2 * p + 5);
    if (!(larger(larger(volume_residual, edge_residual), fine_residual) <= RESIDUAL_LIMIT))
        fail("a rule of order %d is not exact: residuals %.2g in the volume, %.2g on the edge, %.2g of the finer rule",
             p, volume_residual, edge_residual, fine_residual);

    if (show_residuals)
        printf("order %d: residuals %.2g in the volume, %.2g on the edge, %.2g of the finer rule\n", p, volume_residual,
               edge_residual, fine_residual);
    else if (bed)
        print_bed_header(p, &volume, &edge);
    else if (volumes)
        print_volumes_header(p, &volume, &edge);
    else
        print_header(p, &volume, &edge, &fine);

    free_triangle_rule(&volume);
    free_triangle_rule(&fine);
    if (fflush(stdout) != 0 || ferror(stdout))
        fail("standard output could not be written");
    return 0;
}
