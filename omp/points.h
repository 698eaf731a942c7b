/* SPDX-License-Identifier: BSD-2-Clause */
/* See ewi_points.h: one law at one instruction level. */
#include "kernels/begin.h"

static void EWI_JOIN2(state_, EWI_LAW)(int np, const double *phi, const double *c, ewi_v *u)
{
    for (int m = 0; m < EWI_M; m++) {
        u[m] = ewi_set(0.0);
        for (int j = 0; j < np; j++)
            u[m] = u[m] + ewi_set(phi[j]) * ewi_load(c + (m * np + j) * EWI_TILE);
    }
}

static void EWI_JOIN2(values_, EWI_LAW)(const double *parameter, int np, int points, const double *phi, const double *c,
                                        double *u, double *w)
{
    for (int q = 0; q < points; q++)
        for (int lane = 0; lane < EWI_TILE; lane += EWI_LANES) {
            ewi_v state[EWI_M], mean[EWI_M], primitive[EWI_M];
            EWI_JOIN2(state_, EWI_LAW)(np, phi + q * np, c + lane, state);
            for (int m = 0; m < EWI_M; m++)
                ewi_store(u + (q * EWI_M + m) * EWI_TILE + lane, state[m]);
            if (!w)
                continue;
            for (int m = 0; m < EWI_M; m++)
                mean[m] = ewi_set(EWI_SQRT2) * ewi_load(c + m * np * EWI_TILE + lane);
            EWI_L(limit_point)(parameter + (EWI_MEDIA ? lane : 0), mean, state);
            EWI_L(primitive)(parameter + (EWI_MEDIA ? lane : 0), state, primitive);
            for (int m = 0; m < EWI_M; m++)
                ewi_store(w + (q * EWI_M + m) * EWI_TILE + lane, primitive[m]);
        }
}

static void EWI_JOIN2(extrema_, EWI_LAW)(const double *parameter, int np, int points, const double *phi,
                                         const double *c, double *min, double *max)
{
    for (int lane = 0; lane < EWI_TILE; lane += EWI_LANES) {
        ewi_v least[EWI_M], largest[EWI_M], state[EWI_M], primitive[EWI_M];
        for (int m = 0; m < EWI_M; m++) {
            least[m] = ewi_set(__builtin_inf());
            largest[m] = ewi_set(-__builtin_inf());
        }
        for (int q = 0; q < points; q++) {
            EWI_JOIN2(state_, EWI_LAW)(np, phi + q * np, c + lane, state);
            EWI_L(primitive)(parameter + (EWI_MEDIA ? lane : 0), state, primitive);
            for (int m = 0; m < EWI_M; m++) {
                least[m] = ewi_min(primitive[m], least[m]);
                largest[m] = ewi_max(primitive[m], largest[m]);
            }
        }
        for (int m = 0; m < EWI_M; m++) {
            ewi_store(min + m * EWI_TILE + lane, least[m]);
            ewi_store(max + m * EWI_TILE + lane, largest[m]);
        }
    }
}

#include "kernels/end.h"
