/* SPDX-License-Identifier: BSD-2-Clause */
/* A point of a boundary edge, for the diffusion of a law with gradients (kernels/diffusion.h). */
#ifndef EWI_DIFFUSING_H
#define EWI_DIFFUSING_H

#include "ewi_lanes.h"

struct ewi_diffusing_side {
    const ewi_v *u, *diffusion; /* the inner trace */
    /* The element's polynomials on the true wall's curve over the point; without a curve, u and diffusion. */
    const ewi_v *wall, *wall_diffusion;
    ewi_v normal_x, normal_y; /* the boundary's unit normal: that of the curve, if there is one */
};

#endif
