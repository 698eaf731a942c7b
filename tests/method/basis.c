/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The basis and quadrature tables: exactness, orthonormality, orientation, and agreement with evaluation at any point.
 */
#include "ewi_basis.h"
#include "tap.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

/* Unlike fmax, keeps a NaN. */
static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

static double power(double base, int exponent)
{
    double result = 1;
    for (int k = 0; k < exponent; k++)
        result *= base;
    return result;
}

/* r^a s^b */
static double monomial(int a, int b, double r, double s)
{
    return power(r, a) * power(s, b);
}

/* d/dr or, with the roles exchanged, d/ds of r^a s^b */
static double monomial_slope(int a, int b, double r, double s)
{
    return a == 0 ? 0 : a * monomial(a - 1, b, r, s);
}

/* The integral of r^a s^b over the triangle, a! b! / (a+b+2)! */
static double monomial_integral(int a, int b)
{
    return tgamma(a + 1) * tgamma(b + 1) / tgamma(a + b + 3);
}

static double edge_point_r(const struct ewi_basis *basis, int side, int e)
{
    const double t = basis->edge_t[e];
    return side == 0 ? t : side == 1 ? 1 - t : 0;
}

static double edge_point_s(const struct ewi_basis *basis, int side, int e)
{
    const double t = basis->edge_t[e];
    return side == 0 ? 0 : side == 1 ? t : 1 - t;
}

/* The largest error of a triangle rule over the monomials of degree at most `degree`. */
static double triangle_error(int count, const double *r, const double *s, const double *weight, int degree)
{
    double largest = 0;
    for (int a = 0; a <= degree; a++) {
        for (int b = 0; a + b <= degree; b++) {
            double sum = 0;
            for (int q = 0; q < count; q++)
                sum += weight[q] * monomial(a, b, r[q], s[q]);
            largest = larger(largest, fabs(sum - monomial_integral(a, b)));
        }
    }
    return largest;
}

static bool inside(int count, const double *r, const double *s, const double *weight)
{
    bool all = true;
    for (int q = 0; q < count; q++)
        all = all && r[q] > 0 && s[q] > 0 && r[q] + s[q] < 1 && weight[q] > 0;
    return all;
}

static void check_rules(const struct ewi_basis *basis)
{
    const int p = basis->order;
    double edge_error = 0, edge_sum = 0;
    bool symmetric = true;

    is_close(triangle_error(basis->nq, basis->r, basis->s, basis->weight, 2 * p), 0, 4e-16,
             "p = %d: the volume rule integrates all monomials of degree %d", p, 2 * p);
    is_close(triangle_error(basis->nf, basis->fine_r, basis->fine_s, basis->fine_weight, 2 * p + 5), 0, 4e-16,
             "p = %d: the finer rule integrates all monomials of degree %d", p, 2 * p + 5);
    for (int a = 0; a <= 2 * p + 1; a++) {
        double sum = 0;
        for (int e = 0; e < basis->ne; e++)
            sum += basis->edge_weight[e] * power(basis->edge_t[e], a);
        edge_error = larger(edge_error, fabs(sum - 1.0 / (a + 1)));
    }
    is_close(edge_error, 0, 4e-16, "p = %d: the edge rule integrates all powers up to %d", p, 2 * p + 1);

    ok(inside(basis->nq, basis->r, basis->s, basis->weight) &&
           inside(basis->nf, basis->fine_r, basis->fine_s, basis->fine_weight),
       "p = %d: volume points lie inside the triangle and have positive weights", p);
    for (int e = 0; e < basis->ne; e++) {
        int mirror = basis->ne - 1 - e;
        edge_sum += basis->edge_weight[e];
        symmetric = symmetric && basis->edge_t[e] + basis->edge_t[mirror] == 1 &&
                    basis->edge_weight[e] == basis->edge_weight[mirror] &&
                    (e == 0 || basis->edge_t[e] > basis->edge_t[e - 1]);
    }
    ok(symmetric, "p = %d: edge points ascend and mirror each other to the last bit", p);
    is_close(edge_sum, 1, 2 * DBL_EPSILON, "p = %d: the edge weights sum to 1", p);
}

/* The largest error of the Gram matrix under a rule. */
static double gram_error(const struct ewi_basis *basis, int count, const double *weight, const double *phi)
{
    double largest = 0;
    for (int i = 0; i < basis->np; i++) {
        for (int j = 0; j < basis->np; j++) {
            double sum = 0;
            for (int q = 0; q < count; q++)
                sum += weight[q] * phi[q * basis->np + i] * phi[q * basis->np + j];
            largest = larger(largest, fabs(sum - (i == j)));
        }
    }
    return largest;
}

/*
 * Gram-Schmidt is known by this: phi_j is orthogonal to all earlier monomials and has a positive product with its own.
 */
static void check_convention(const struct ewi_basis *basis)
{
    double largest = 0;
    bool positive = true;

    for (int d = 0, j = 0; d <= basis->order; d++) {
        for (int b = 0; b <= d; b++, j++) {
            for (int other_d = 0, i = 0; i <= j; other_d++) {
                for (int other_b = 0; other_b <= other_d && i <= j; other_b++, i++) {
                    double product = 0;
                    for (int f = 0; f < basis->nf; f++)
                        product += basis->fine_weight[f] * basis->fine_phi[f * basis->np + j] *
                                   monomial(other_d - other_b, other_b, basis->fine_r[f], basis->fine_s[f]);
                    if (i < j)
                        largest = larger(largest, fabs(product));
                    else
                        positive = positive && product > 1e-6;
                }
            }
        }
    }
    is_close(largest, 0, 2e-15, "p = %d: phi_j is orthogonal to the monomials before the j-th", basis->order);
    ok(positive, "p = %d: phi_j has a positive leading coefficient", basis->order);
}

static void check_orthonormality(const struct ewi_basis *basis)
{
    const int p = basis->order;
    double project_error = 0;

    is_close(gram_error(basis, basis->nq, basis->weight, basis->phi), 0, 1e-14,
             "p = %d: the basis is orthonormal under the volume rule", p);
    is_close(gram_error(basis, basis->nf, basis->fine_weight, basis->fine_phi), 0, 1e-14,
             "p = %d: the basis is orthonormal under the finer rule", p);
    for (int q = 0; q < basis->nq; q++)
        for (int i = q * basis->np; i < (q + 1) * basis->np; i++)
            project_error = larger(project_error, fabs(basis->project[i] - basis->weight[q] * basis->phi[i]));
    is_close(project_error, 0, 2 * DBL_EPSILON, "p = %d: the projection table is weight times phi", p);
    is_close(basis->phi[0], sqrt(2), 0, "p = %d: phi_0 is sqrt(2)", p);
}

/*
 * How far phi, evaluated at rounded points, may be from a table that was made at the exact ones: some ulp of the
 * largest value that the function takes, which is at a vertex.
 */
static double evaluation_tolerance(const struct ewi_basis *basis, int j)
{
    double largest = 0;
    for (int v = 0; v < 3; v++)
        largest = larger(largest, fabs(basis->vertex[v * basis->np + j]));
    return 10 * DBL_EPSILON * largest;
}

static double excess(const struct ewi_basis *basis, double r, double s, const double *expected)
{
    double phi[EWI_MAX_NP], largest = 0;
    ewi_basis_eval(basis->order, r, s, phi);
    for (int j = 0; j < basis->np; j++)
        largest = larger(largest, fabs(phi[j] - expected[j]) / evaluation_tolerance(basis, j));
    return largest;
}

static void check_evaluation(const struct ewi_basis *basis)
{
    const int p = basis->order, np = basis->np;
    double volume = 0, sides = 0, vertices = 0, fine = 0, lower_order = 0, gradient = 0;
    double phi[EWI_MAX_NP], fewer[EWI_MAX_NP], dr[EWI_MAX_NP], ds[EWI_MAX_NP];

    for (int q = 0; q < basis->nq; q++) {
        volume = larger(volume, excess(basis, basis->r[q], basis->s[q], &basis->phi[q * np]));
        ewi_basis_eval_grad(p, basis->r[q], basis->s[q], dr, ds);
        for (int j = 0; j < np; j++) {
            double allowed = basis->weight[q] * p * p * evaluation_tolerance(basis, j); /* Markov's inequality */
            gradient = larger(gradient,
                              fabs(basis->weight[q] * dr[j] - basis->dr[q * np + j]) / fmax(allowed, DBL_MIN));
            gradient = larger(gradient,
                              fabs(basis->weight[q] * ds[j] - basis->ds[q * np + j]) / fmax(allowed, DBL_MIN));
        }
        ewi_basis_eval(p, basis->r[q], basis->s[q], phi);
        ewi_basis_eval(p - 1, basis->r[q], basis->s[q], fewer);
        for (int j = 0; j < np - p - 1; j++)
            lower_order = larger(lower_order, fabs(phi[j] - fewer[j]));
    }
    for (int f = 0; f < basis->nf; f++)
        fine = larger(fine, excess(basis, basis->fine_r[f], basis->fine_s[f], &basis->fine_phi[f * np]));
    for (int side = 0; side < 3; side++)
        for (int e = 0; e < basis->ne; e++)
            sides = larger(sides, excess(basis, edge_point_r(basis, side, e), edge_point_s(basis, side, e),
                                       &basis->side[(side * basis->ne + e) * np]));
    vertices = larger(vertices, excess(basis, 0, 0, &basis->vertex[0]));
    vertices = larger(vertices, excess(basis, 1, 0, &basis->vertex[np]));
    vertices = larger(vertices, excess(basis, 0, 1, &basis->vertex[2 * np]));

    is_close(volume, 0, 1, "p = %d: evaluation agrees with the table at the volume points", p);
    is_close(fine, 0, 1, "p = %d: evaluation agrees with the table at the points of the finer rule", p);
    is_close(sides, 0, 1, "p = %d: sides run counter-clockwise: evaluation agrees with the table at the edge points",
             p);
    is_close(vertices, 0, 1, "p = %d: evaluation agrees with the table at the vertices", p);
    is_close(gradient, 0, 1, "p = %d: evaluated gradients agree with the weighted tables", p);
    is_close(lower_order, 0, 0, "p = %d: the functions of order %d are the first ones, bit for bit", p, p - 1);
}

/* At the two ends of a side a linear function has the values of the vertices there. */
static void check_side_ends(const struct ewi_basis *basis)
{
    double largest = 0;
    for (int side = 0; side < 3; side++) {
        for (int e = 0; e < basis->ne; e++) {
            for (int j = 0; j < 3; j++) {
                double start = basis->vertex[side * basis->np + j], end = basis->vertex[(side + 1) % 3 * basis->np + j];
                double expected = start + basis->edge_t[e] * (end - start);
                largest = larger(largest, fabs(basis->side[(side * basis->ne + e) * basis->np + j] - expected));
            }
        }
    }
    is_close(largest, 0, 8 * DBL_EPSILON, "p = %d: side k leads from vertex k to vertex k+1", basis->order);
}

/*
 * What the vector kernels leave out: that the first function is a constant, and that those of r alone have no slope in
 * s.
 */
static void check_shortcuts(const struct ewi_basis *basis)
{
    int different = 0, slopes = 0;
    for (int q = 0; q < basis->nq; q++)
        different += basis->phi[q * basis->np] != basis->phi[0];
    for (int e = 0; e < 3 * basis->ne; e++)
        different += basis->side[e * basis->np] != basis->phi[0];
    for (int d = 1, j = 1; d <= basis->order; j += ++d)
        for (int q = 0; q < basis->nq; q++)
            slopes += basis->ds[q * basis->np + j] != 0;
    is_int(different, 0, "p = %d: the first function has the same bits at all points", basis->order);
    is_int(slopes, 0, "p = %d: functions of r alone have d/ds = 0 to the last bit", basis->order);
}

/* A coordinate of the image of (r, s) in the element with these vertices. */
static double physical(const double *const vertex[3], int axis, double r, double s)
{
    return (1 - r - s) * vertex[0][axis] + r * vertex[1][axis] + s * vertex[2][axis];
}

/* Two elements share the edge from `start` to `end`, which is side k of one and side l of the other. */
static void check_neighbours(const struct ewi_basis *basis)
{
    const double start[2] = {0.3, 1.1}, end[2] = {2, -0.4}, left[2] = {2.5, 1.7}, right[2] = {-0.2, -0.9};
    double largest = 0;

    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++) {
            const double *here[3], *there[3];
            here[k] = start, here[(k + 1) % 3] = end, here[(k + 2) % 3] = left;
            there[l] = end, there[(l + 1) % 3] = start, there[(l + 2) % 3] = right;
            for (int e = 0; e < basis->ne; e++) {
                int opposite = basis->ne - 1 - e;
                double r = edge_point_r(basis, k, e), s = edge_point_s(basis, k, e);
                double other_r = edge_point_r(basis, l, opposite), other_s = edge_point_s(basis, l, opposite);
                for (int axis = 0; axis < 2; axis++)
                    largest = larger(largest,
                                     fabs(physical(here, axis, r, s) - physical(there, axis, other_r, other_s)));
            }
        }
    }
    is_close(largest, 0, 8 * DBL_EPSILON, "p = %d: a side's points in reverse are the neighbour's", basis->order);
}

/*
 * The divergence theorem for phi_j r^a s^b of degree at most 2p, which is exact under the rules: the tables of values,
 * derivatives and sides have to agree in normalisation, order and orientation.
 */
static void check_divergence_theorem(const struct ewi_basis *basis)
{
    static const double normal_r[3] = {0, 1, -1}, normal_s[3] = {-1, 1, 0}; /* outward, of the sides' lengths */
    double largest = 0;

    for (int a = 0; a <= basis->order; a++) {
        for (int b = 0; a + b <= basis->order; b++) {
            for (int j = 0; j < basis->np; j++) {
                double in_r = 0, in_s = 0;
                for (int q = 0; q < basis->nq; q++) {
                    const int i = q * basis->np + j;
                    const double r = basis->r[q], s = basis->s[q], m = monomial(a, b, r, s);
                    in_r += basis->dr[i] * m + basis->project[i] * monomial_slope(a, b, r, s);
                    in_s += basis->ds[i] * m + basis->project[i] * monomial_slope(b, a, s, r);
                }
                for (int side = 0; side < 3; side++) {
                    for (int e = 0; e < basis->ne; e++) {
                        double m = monomial(a, b, edge_point_r(basis, side, e), edge_point_s(basis, side, e));
                        double flow = basis->edge_weight[e] * basis->side[(side * basis->ne + e) * basis->np + j] * m;
                        in_r -= normal_r[side] * flow;
                        in_s -= normal_s[side] * flow;
                    }
                }
                largest = larger(largest, larger(fabs(in_r), fabs(in_s)));
            }
        }
    }
    is_close(largest, 0, 4e-14, "p = %d: derivatives and sides satisfy the divergence theorem", basis->order);
}

/* Derivatives of a polynomial that is given by its modal coefficients. */
static void check_monomial_derivatives(const struct ewi_basis *basis)
{
    const int p = basis->order, np = basis->np;
    const double points[][2] = {{0.2, 0.3}, {0, 0}, {1, 0}, {0, 1}, {0.5, 0.5}, {0.97, 0.01}};
    double largest = 0;

    for (int a = 0; a <= p; a++) {
        for (int b = 0; a + b <= p; b++) {
            double coefficient[EWI_MAX_NP] = {0};
            for (int q = 0; q < basis->nq; q++)
                for (int j = 0; j < np; j++)
                    coefficient[j] += basis->project[q * np + j] * monomial(a, b, basis->r[q], basis->s[q]);
            for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
                const double r = points[i][0], s = points[i][1];
                double phi[EWI_MAX_NP], dr[EWI_MAX_NP], ds[EWI_MAX_NP];
                double value = -monomial(a, b, r, s);
                double in_r = -monomial_slope(a, b, r, s), in_s = -monomial_slope(b, a, s, r);
                ewi_basis_eval(p, r, s, phi);
                ewi_basis_eval_grad(p, r, s, dr, ds);
                for (int j = 0; j < np; j++) {
                    value += coefficient[j] * phi[j];
                    in_r += coefficient[j] * dr[j];
                    in_s += coefficient[j] * ds[j];
                }
                largest = larger(largest, larger(fabs(value), larger(fabs(in_r), fabs(in_s))));
            }
        }
    }
    is_close(largest, 0, 2e-12, "p = %d: monomials and their derivatives come back from their projections", p);
}

static void check_sizes(const struct ewi_basis *basis)
{
    static const int volume_points[] = {0, 3, 6, 12, 16, 25};
    const int p = basis->order;
    is_int(basis->np, (p + 1) * (p + 2) / 2, "p = %d: number of basis functions", p);
    is_int(basis->nq, volume_points[p], "p = %d: number of volume points", p);
    is_int(basis->ne, p + 1, "p = %d: number of edge points", p);
    is_int(basis->nf, (p + 3) * (p + 3), "p = %d: number of points of the finer rule", p);
    ok(basis->np <= EWI_MAX_NP && basis->nq <= EWI_MAX_NQ && basis->ne <= EWI_MAX_NE && basis->nf <= EWI_MAX_NF,
       "p = %d: sizes are within the maxima of the header", p);
}

int main(void)
{
    ok(!ewi_basis_get(0) && !ewi_basis_get(-1) && !ewi_basis_get(EWI_MAX_ORDER + 1),
       "there is no basis of order 0, -1 or 6");
    for (int p = 1; p <= EWI_MAX_ORDER; p++) {
        const struct ewi_basis *basis = ewi_basis_get(p);
        if (!ok(basis && basis->order == p, "there is a basis of order %d", p))
            continue;
        check_sizes(basis);
        check_rules(basis);
        check_orthonormality(basis);
        check_convention(basis);
        check_evaluation(basis);
        check_side_ends(basis);
        check_shortcuts(basis);
        check_neighbours(basis);
        check_divergence_theorem(basis);
        check_monomial_derivatives(basis);
    }
    return done_testing();
}
