/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions for limiters by jumps and for positivity (physics/advection.h lists them), as linear laws have them: no
 * jumps, nothing that must stay positive. They only make the kernels compile; a plan refuses both for these laws.
 */
#ifndef EWI_LINEAR_H
#define EWI_LINEAR_H

#include "ewi_lanes.h"
#include "ewi_limiting.h"

#define EWI_DEFINE_NO_JUMPS(law)                                                                 \
    enum { ewi_##law##_jump_count = 0 };                                                         \
    EW_HD void ewi_##law##_jumps(const ewi_v *frame, const ewi_v *d, ewi_v *z)                   \
    {                                                                                            \
        (void)frame;                                                                             \
        z[0] = d[0];                                                                             \
    }                                                                                            \
    EW_HD void ewi_##law##_jump_scales(const double *parameter, const ewi_v *mean, const ewi_v *z, ewi_v *scale) \
    {                                                                                            \
        (void)parameter, (void)mean, (void)z;                                                    \
        scale[0] = ewi_set(0.0);                                                                 \
    }

#define EWI_DEFINE_NO_POSITIVITY(law)                                                                      \
    enum { ewi_##law##_thinnest = 0, ewi_##law##_thin = 0 };                                               \
    EW_HD void ewi_##law##_frame(const double *parameter, const ewi_v *mean, ewi_v *frame)                 \
    {                                                                                                      \
        (void)parameter, (void)mean, (void)frame;                                                          \
    }                                                                                                      \
    EW_HD void ewi_##law##_relative(const ewi_v *frame, const ewi_v *d, ewi_v *relative)                   \
    {                                                                                                      \
        (void)frame;                                                                                       \
        for (int m = 0; m < ewi_##law##_variables; m++)                                                    \
            relative[m] = d[m];                                                                            \
    }                                                                                                      \
    EW_HD ewi_v ewi_##law##_positive(const double *parameter, const ewi_v *frame, const ewi_v *u)          \
    {                                                                                                      \
        (void)parameter, (void)frame, (void)u;                                                             \
        return ewi_set(1.0);                                                                               \
    }                                                                                                      \
    EW_HD ewi_mask ewi_##law##_is_positive(const double *parameter, double floor, const ewi_v *frame,      \
                                           const ewi_v *mean, const ewi_v *spread)                         \
    {                                                                                                      \
        (void)parameter, (void)floor, (void)frame, (void)mean, (void)spread;                               \
        return ewi_gt(ewi_set(1.0), ewi_set(0.0));                                                         \
    }

#define EWI_DEFINE_LINEAR(law)    \
    EWI_DEFINE_NO_JUMPS(law)      \
    EWI_DEFINE_NO_POSITIVITY(law) \
    EWI_DEFINE_NO_POINT_LIMIT(law)

#endif
