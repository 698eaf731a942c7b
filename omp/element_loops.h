/* SPDX-License-Identifier: BSD-2-Clause */
/* Loops over elements and edges around the bodies of one law and one order, whichever bodies the law has. */

/* Source m at point q (source_point.h) to values[(q variables + m) EWI_TILE]. u is evaluated as in eval_volume. */
static void EWI_K(sources_at_points)(const struct ewi_arguments *a, const double *state, double t, int64_t i,
                                     double *values)
{
    enum { POINTS = EWI_NQ * EWI_LANES };
    const struct EWI_K(source_place) place = EWI_K(source_place)(a, i);
    const double *parameter = ewi_parameter_at(EWI_MEDIA, a->parameter, a->volume_field, i);
    int64_t base = EWI_K(place)(a->width, i);
    double x[POINTS], y[POINTS], w[EWI_M * POINTS], s[EWI_M * POINTS];
    for (int q = 0; q < EWI_NQ; q++) {
        ewi_v u[EWI_M], primitive[EWI_M];
        for (int m = 0; m < EWI_M; m++) {
            u[m] = ewi_set(0.0);
            for (int j = 0; j < EWI_NP; j++)
                u[m] = ewi_fma(EWI_PHI(q, j), ewi_load(state + EWI_K(at)(a->width, base, m, j)), u[m]);
        }
        EWI_L(primitive)(parameter, u, primitive);
        for (int m = 0; m < EWI_M; m++)
            ewi_store(w + m * POINTS + q * EWI_LANES, primitive[m]);
        ewi_store(x + q * EWI_LANES, EWI_K(source_x)(&place, q));
        ewi_store(y + q * EWI_LANES, EWI_K(source_y)(&place, q));
    }
    ewi_program_evaluate_all(&a->source.program, POINTS, x, y, t, w, s, POINTS);
    for (int q = 0; q < EWI_NQ; q++)
        for (int m = 0; m < EWI_M; m++)
            ewi_store(values + (q * EWI_M + m) * EWI_TILE,
                      EWI_K(weighted_source)(&place, q, ewi_load(s + m * POINTS + q * EWI_LANES)));
}

/* All sources of elements i .. i + EWI_LANES - 1, to elements `to` .. of an array in tiles of EWI_TILE. */
static void EWI_K(all_sources)(const struct ewi_arguments *a, const double *state, double t, int64_t i, double *source,
                               int64_t to)
{
    double at_points[EWI_NQ * EWI_M * EWI_TILE], *values = a->source.program.length > 0 ? at_points : NULL;
    if (values)
        EWI_K(sources_at_points)(a, state, t, i, values);
    for (int m = 0; m < EWI_M; m++)
        EWI_K(eval_source)(a, state, values, i, m, source, to);
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
