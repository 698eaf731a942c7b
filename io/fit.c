/* SPDX-License-Identifier: BSD-2-Clause */
/* From values at nodes to polynomials, by least squares. */
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_lattice.h"
#include "ewi_results.h"

#include <math.h>

static void fill_powers(int subdivide, int degree, int points, long double *q)
{
    for (int j = 0; j <= subdivide; j++)
        for (int i = 0; i + j <= subdivide; i++) {
            long double r = (long double)i / subdivide, s = (long double)j / subdivide, sb = 1;
            int point = ewi_lattice_node(subdivide, i, j);
            for (int b = 0; b <= degree; b++, sb *= s) {
                long double ra = sb;
                for (int a = 0; a + b <= degree; a++, ra *= r)
                    q[ewi_lattice_node(degree, a, b) * points + point] = ra;
            }
        }
}

/* V = QR by Gram and Schmidt, every column twice; columns are rows of q. */
static void orthogonalise(int terms, int points, long double *q, long double *upper)
{
    for (int j = 0; j < terms; j++) {
        for (int pass = 0; pass < 2; pass++)
            for (int i = 0; i < j; i++) {
                long double dot = 0;
                for (int k = 0; k < points; k++)
                    dot += q[i * points + k] * q[j * points + k];
                for (int k = 0; k < points; k++)
                    q[j * points + k] -= dot * q[i * points + k];
                upper[i * terms + j] += dot;
            }
        long double norm = 0;
        for (int k = 0; k < points; k++)
            norm += q[j * points + k] * q[j * points + k];
        norm = sqrtl(norm);
        upper[j * terms + j] = norm;
        for (int k = 0; k < points; k++)
            q[j * points + k] /= norm;
    }
}

/* R^-1 Q^T */
static void substitute_back(int terms, int points, const long double *q, const long double *upper, double *matrix)
{
    for (int k = 0; k < points; k++) {
        long double x[EWI_MOST_TERMS];
        for (int i = terms - 1; i >= 0; i--) {
            x[i] = q[i * points + k];
            for (int j = i + 1; j < terms; j++)
                x[i] -= upper[i * terms + j] * x[j];
            x[i] /= upper[i * terms + i];
            matrix[i * points + k] = (double)x[i];
        }
    }
}

void ewi_least_squares(int terms, int points, long double *q, double *matrix)
{
    long double *upper = q + terms * points;
    orthogonalise(terms, points, q, upper);
    substitute_back(terms, points, q, upper, matrix);
}

int ewi_fit_create(struct ewi_arena *memory, int subdivide, int degree, struct ewi_fit *fit, ew_error *error)
{
    int terms = (degree + 1) * (degree + 2) / 2, points = (subdivide + 1) * (subdivide + 2) / 2;
    size_t size = (size_t)terms * (size_t)points;
    fit->degree = degree;
    fit->terms = terms;
    fit->matrix = ewi_arena_alloc(memory, size, sizeof *fit->matrix);
    long double *q = ewi_arena_alloc(memory, size + (size_t)(terms * terms), sizeof *q);
    if (!fit->matrix || !q)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for polynomials of degree %d", degree);
    fill_powers(subdivide, degree, points, q);
    ewi_least_squares(terms, points, q, fit->matrix);
    return EW_OK;
}
