/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The right-hand side of elements i .. i + EWI_LANES - 1 (the paper, section "Right-Hand Side Evaluation Kernel"):
 *     ((((volume + side 0) + side 1) + side 2), blended with control volumes' (touched.h), + source) / det J
 *   reads   rhs_volume; rhs_surface: left and right contributions of all slots, the right ones `right_offset` doubles
 *   further; sources, of elements that have one (eval_source.h)
 *   writes  rhs, laid out like the state
 */
EW_HD void EWI_K(eval_rhs)(const struct ewi_arguments *a, const double *rhs_volume, const double *rhs_surface,
                           int64_t right_offset, const double *sources, double *rhs, int64_t i)
{
    const double *geometry = a->geometry + ewi_layout_base(EWI_TILE, EWI_GEOMETRY, i);
    ewi_v inverse_det = ewi_load(geometry + EWI_INVERSE_DET * EWI_TILE);
    int64_t source[3][EWI_LANES];
    for (int k = 0; k < 3; k++)
        for (int lane = 0; lane < EWI_LANES; lane++) {
            int32_t slot = a->side_slot[k * a->padded + i + lane];
            source[k][lane] = ewi_layout_base(a->width, EWI_ROWS, slot >> 1) + (slot & 1 ? right_offset : 0);
        }
    int64_t base = ewi_layout_base(a->width, EWI_ROWS, i), own = ewi_source_of(a, i);
    const double *added = own < 0 ? NULL : sources + ewi_layout_base(EWI_TILE, EWI_ROWS, own);
    ewi_v alpha = EWI_K(load_alpha)(a, i);
    int divided = EWI_K(any_divided)(alpha);
    for (int row = 0; row < EWI_ROWS; row++) {
        int64_t offset = row * a->width;
        ewi_v sum = ewi_load(rhs_volume + base + offset);
        for (int k = 0; k < 3; k++)
            sum = sum + ewi_gather(rhs_surface + offset, source[k]);
        if (divided && row < EWI_EVOLVING * EWI_NP)
            sum = EWI_K(blended_sum)(alpha, sum, ewi_load(a->subcells.lifted + base + offset));
        if (added)
            sum = sum + ewi_load(added + row * EWI_TILE);
        ewi_store(rhs + base + offset, sum * inverse_det);
    }
}
