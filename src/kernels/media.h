/* SPDX-License-Identifier: BSD-2-Clause */
/* Media as arguments of the numerical flux: those of the left elements, then those of the right ones (ewi_media.h). */
EW_HD void EWI_K(media_of)(const struct ewi_arguments *a, const int64_t *left, const int64_t *right, ewi_v *field)
{
    int64_t first[EWI_LANES], second[EWI_LANES];
    for (int lane = 0; EWI_MEDIA > 0 && lane < EWI_LANES; lane++) {
        first[lane] = ewi_layout_base(EWI_TILE, EWI_MEDIA, left[lane]);
        second[lane] = ewi_layout_base(EWI_TILE, EWI_MEDIA, right[lane]);
    }
    for (int f = 0; f < EWI_MEDIA; f++) {
        field[f] = ewi_gather(a->volume_field + f * EWI_TILE, first);
        field[EWI_MEDIA + f] = ewi_gather(a->volume_field + f * EWI_TILE, second);
    }
}
