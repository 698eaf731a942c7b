/* SPDX-License-Identifier: BSD-2-Clause */
/* The maps of a thread's own element, and of the one behind its side of the halo. */
EWI_DEVICE struct EWI_K(shape) EWI_K(own_map)(const struct EWI_K(thread) *own)
{
    /* With local steps, EWI_INVERSE_DET is that of the element's step. */
    return EWI_K(shape_from)(own->shape[EWI_XR], own->shape[EWI_XS], own->shape[EWI_YR], own->shape[EWI_YS]);
}

EWI_DEVICE struct EWI_K(shape) EWI_K(outside_map)(const struct EWI_K(context) *ctx, int round, int thread)
{
    const double *map = EWI_K(halo_maps)(ctx, round, thread) + EWI_K(side_of)(thread) % EWI_TILE;
    return EWI_K(shape_from)(map[EWI_XR * EWI_TILE], map[EWI_XS * EWI_TILE], map[EWI_YR * EWI_TILE],
                             map[EWI_YS * EWI_TILE]);
}
