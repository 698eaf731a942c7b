/* SPDX-License-Identifier: BSD-2-Clause */
/* Loops over elements and edges around the bodies of one law and one order, whichever bodies the law has. */

/* All sources of elements i .. i + EWI_LANES - 1, to elements `to` .. of an array in tiles of EWI_TILE. */
static void EWI_K(all_sources)(const struct ewi_arguments *a, const double *state, double t, int64_t i, double *source,
                               int64_t to)
{
    double at_points[EWI_NQ * EWI_M * EWI_TILE], *values = a->source.program.length > 0 ? at_points : NULL;
    if (values)
        EWI_K(source_points)(a, state, t, i, 0, EWI_NQ, values, EWI_TILE);
    for (int m = 0; m < EWI_M; m++)
        EWI_K(eval_source)(a, state, values, EWI_TILE, i, m, source, to);
}

static void EWI_K(loop_volume)(const struct ewi_arguments *a, const double *state, double *rhs_volume, int64_t first,
                               int64_t last)
{
    for (int64_t i = first; i < last; i += EWI_LANES)
        EWI_K(eval_volume)(a, state, rhs_volume, i);
}

static void EWI_K(loop_surface)(const struct ewi_arguments *a, const double *state, int ghost, double *left,
                                double *right, int64_t first, int64_t last)
{
    for (int64_t s = first; s < last; s += EWI_LANES)
        EWI_K(eval_surface)(a, state, ghost, left, right, s);
}

static void EWI_K(loop_rhs)(const struct ewi_arguments *a, const double *rhs_volume, const double *rhs_surface,
                            int64_t right_offset, const double *sources, double *rhs, int64_t first,
                            int64_t last)
{
    for (int64_t i = first; i < last; i += EWI_LANES)
        EWI_K(eval_rhs)(a, rhs_volume, rhs_surface, right_offset, sources, rhs, i);
}

static void EWI_K(loop_source)(const struct ewi_arguments *a, const double *state, double t, double *sources,
                               int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i += EWI_LANES)
        if (ewi_source_of(a, i) >= 0)
            EWI_K(all_sources)(a, state, t, i, sources, ewi_source_of(a, i));
}

static double EWI_K(loop_speed)(const struct ewi_arguments *a, const double *state, int64_t elements, int64_t first,
                                int64_t last)
{
    double largest = 0.0;
    for (int64_t i = first; i < last; i += EWI_LANES) {
        ewi_v speed = EWI_K(eval_speed)(a, state, i);
        for (int lane = 0; lane < EWI_LANES && i + lane < elements; lane++) {
            double here = ewi_lane(speed, lane);
            largest = here > largest || here != here ? here : largest;
        }
    }
    return largest;
}

/* The first inadmissible element of EWI_LANES from i on, or -1; padded elements do not count. */
static int64_t EWI_K(first_inadmissible)(ewi_mask admissible, int64_t elements, int64_t i)
{
    ewi_v inadmissible = ewi_select(admissible, ewi_set(0.0), ewi_set(1.0));
    for (int lane = 0; lane < EWI_LANES && i + lane < elements; lane++)
        if (ewi_lane(inadmissible, lane) != 0.0)
            return i + lane;
    return -1;
}

static int64_t EWI_K(loop_inadmissible)(const struct ewi_arguments *a, const double *state, int64_t elements,
                                        int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i += EWI_LANES) {
        int64_t inadmissible = EWI_K(first_inadmissible)(EWI_K(eval_admissible)(a, state, i), elements, i);
        if (inadmissible >= 0)
            return inadmissible;
    }
    return -1;
}

static void EWI_K(loop_positive)(const struct ewi_arguments *a, double *state, int64_t first, int64_t last)
{
    for (int64_t i = first; i < last; i += EWI_LANES)
        EWI_K(make_positive)(a, state, a->width, EWI_K(place)(a->width, i));
}
