/* SPDX-License-Identifier: BSD-2-Clause */
/* Control volumes of elements (src/tables): they fill the triangle, and stand for its coefficients. */
#include "tap.h"

#include "tables/p1.h"
#include "tables/p2.h"
#include "tables/p3.h"
#include "tables/volumes_p1.h"
#include "tables/volumes_p2.h"
#include "tables/volumes_p3.h"

#include <math.h>
#include <stddef.h>

#define JOIN(a, b, c) a##b##c
#define TABLES(p)                                                                                               \
    {                                                                                                           \
        .order = p, .np = JOIN(EWI_P, p, _NP), .ne = JOIN(EWI_P, p, _NE), .faces = JOIN(EWI_P, p, _FACES),      \
        .area = (const double[])JOIN(EWI_P, p, _CV_AREA), .mean = (const double[])JOIN(EWI_P, p, _CV_MEAN),     \
        .lift = (const double[])JOIN(EWI_P, p, _CV_LIFT), .reach = (const double[])JOIN(EWI_P, p, _REACH),      \
        .volume = (const int[])JOIN(EWI_P, p, _FACE_VOLUME),                                                    \
        .normal = (const double[])JOIN(EWI_P, p, _FACE_NORMAL), .face_r = (const double[])JOIN(EWI_P, p, _FACE_R), \
        .face_s = (const double[])JOIN(EWI_P, p, _FACE_S),                                                      \
        .face_phi = (const double[])JOIN(EWI_P, p, _FACE_PHI),                                                  \
        .gradient_r = (const double[])JOIN(EWI_P, p, _FACE_GRADIENT_R),                                         \
        .gradient_s = (const double[])JOIN(EWI_P, p, _FACE_GRADIENT_S),                                         \
        .side_volume = (const int[])JOIN(EWI_P, p, _SIDE_VOLUME),                                               \
        .weight = (const double[])JOIN(EWI_P, p, _EDGE_WEIGHT)                                                  \
    }

enum { MOST = 10 };

static const struct tables {
    int order, np, ne, faces;
    const double *area, *mean, *lift, *reach, *normal, *face_r, *face_s, *face_phi, *gradient_r, *gradient_s,
        *weight;
    const int *volume, *side_volume;
} of_order[] = {TABLES(1), TABLES(2), TABLES(3)};

/* The outward normals of the faces and of the pieces of sides, summed over each volume. */
static double closure_error(const struct tables *t)
{
    static const double side[3][2] = {{0, -1}, {1, 1}, {-1, 0}};
    double sum[MOST][2] = {{0.0}}, error = 0.0;
    for (int f = 0; f < t->faces; f++)
        for (int k = 0; k < 2; k++) {
            sum[t->volume[2 * f]][k] += t->normal[2 * f + k];
            sum[t->volume[2 * f + 1]][k] -= t->normal[2 * f + k];
        }
    for (int q = 0; q < 3 * t->ne; q++)
        for (int k = 0; k < 2; k++)
            sum[t->side_volume[q]][k] += t->weight[q % t->ne] * side[q / t->ne][k];
    for (int n = 0; n < t->np; n++)
        error = fmax(error, fmax(fabs(sum[n][0]), fabs(sum[n][1])));
    return error;
}

/* lift[j][n] area[n] is the inverse of mean[n][j]. */
static double inverse_error(const struct tables *t)
{
    double error = 0.0;
    for (int i = 0; i < t->np; i++)
        for (int j = 0; j < t->np; j++) {
            double sum = 0.0;
            for (int n = 0; n < t->np; n++)
                sum += t->lift[i * t->np + n] * t->area[n] * t->mean[n * t->np + j];
            error = fmax(error, fabs(sum - (i == j)));
        }
    return error;
}

/* Volumes weighted by their areas have the mean of the element, and nothing of higher coefficients. */
static double mean_error(const struct tables *t)
{
    double error = 0.0;
    for (int j = 0; j < t->np; j++) {
        double sum = 0.0;
        for (int n = 0; n < t->np; n++)
            sum += t->area[n] * t->mean[n * t->np + j];
        error = fmax(error, fabs(sum - (j == 0 ? sqrt(0.5) : 0.0)));
    }
    return error;
}

/* The error for r + 2 s, whose difference to a neighbour is the sum of those on both ways to the common face. */
static double slope_error(const struct tables *t)
{
    double r[MOST] = {0.0}, s[MOST] = {0.0}, error = 0.0;
    for (int end = 0; end < 2 * t->faces; end++) {
        int n = t->volume[end];
        double step = t->face_r[end] - t->face_r[end ^ 1] + 2 * (t->face_s[end] - t->face_s[end ^ 1]);
        r[n] += t->gradient_r[end] * step;
        s[n] += t->gradient_s[end] * step;
    }
    for (int n = 0; n < t->np; n++)
        error = fmax(error, fmax(fabs(r[n] - 1), fabs(s[n] - 2)));
    return error;
}

/* The linear basis functions in the middle of each face, from both sides: 6 r - 2, and 2 sqrt(3) (r + 2 s - 1). */
static double middle_error(const struct tables *t)
{
    double error = 0.0;
    for (int end = 0; end < 2 * t->faces; end++) {
        const double *phi = t->face_phi + end / 2 * t->np, *mean = t->mean + t->volume[end] * t->np;
        error = fmax(error, fabs(phi[1] - mean[1] - 6 * t->face_r[end]));
        error = fmax(error, fabs(phi[2] - mean[2] - sqrt(12) * (t->face_r[end] + 2 * t->face_s[end])));
    }
    return error;
}

/* Positivity's quick test (kernels/positive.h) relies on this. */
static bool is_within_reach(const struct tables *t)
{
    bool within = true;
    for (int n = 0; n < t->np; n++)
        for (int j = 1; j < t->np; j++)
            within = within && fabs(t->mean[n * t->np + j]) <= t->reach[j];
    return within;
}

int main(void)
{
    for (size_t k = 0; k < sizeof of_order / sizeof *of_order; k++) {
        const struct tables *t = &of_order[k];
        double sum = 0.0;
        for (int n = 0; n < t->np; n++)
            sum += t->area[n];
        ok(fabs(sum - 0.5) < 1e-15, "order %d: volumes fill the triangle", t->order);
        ok(closure_error(t) < 1e-15, "... each is closed");
        ok(inverse_error(t) < 1e-14, "... their means determine the coefficients");
        ok(mean_error(t) < 1e-14, "... and their sum is the element's mean");
        ok(slope_error(t) < 1e-13, "... slopes of linear functions are exact");
        ok(middle_error(t) < 1e-14, "... both sides of a face agree on its middle");
        ok(is_within_reach(t), "... no mean of a basis function exceeds its values at points");
    }
    return done_testing();
}
