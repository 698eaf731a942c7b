/* SPDX-License-Identifier: BSD-2-Clause */
/* Loops of the limiter subcell (limiter/subcell.h), of one law and one order. */

static void EWI_K(loop_sense)(const struct ewi_arguments *a, const double *state, int64_t first, int64_t last)
{
#if EWI_HAS_SUBCELLS
    for (int64_t i = first; i < last; i += EWI_LANES)
        EWI_K(sense_edges)(a, state, i);
#else
    (void)a, (void)state, (void)first, (void)last;
#endif
}

/* Items first .. last - 1 of a list; the last vector repeats one. */
#if EWI_HAS_SUBCELLS
#define EWI_LIST_LOOP(name, of, body)                                                                               \
    static void EWI_K(name)(const struct ewi_arguments *a, const double *state, int64_t first, int64_t last)        \
    {                                                                                                               \
        int64_t item[EWI_LANES];                                                                                    \
        (void)state;                                                                                                \
        for (int64_t k = first; k < last; k += EWI_LANES) {                                                         \
            for (int lane = 0; lane < EWI_LANES; lane++)                                                            \
                item[lane] = a->subcells.of[k + lane < last ? k + lane : last - 1];                                 \
            body;                                                                                                   \
        }                                                                                                           \
    }
#else
#define EWI_LIST_LOOP(name, of, body)                                                                               \
    static void EWI_K(name)(const struct ewi_arguments *a, const double *state, int64_t first, int64_t last)        \
    {                                                                                                               \
        (void)a, (void)state, (void)first, (void)last;                                                              \
    }
#endif
EWI_LIST_LOOP(loop_divide, element, EWI_K(divide_elements)(a, state, item))
EWI_LIST_LOOP(loop_touched, edge, EWI_K(touched_fluxes)(a, state, item))
EWI_LIST_LOOP(loop_lift, element, EWI_K(lift_volumes)(a, item))
#undef EWI_LIST_LOOP
