/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * eval_source: the integrals of sources before a stage, of EWI_CUDA_SOURCE_ELEMENTS elements at a time. For formulas:
 *  a thread per element and variable: its values at all points, into shared memory | barrier | a thread per element
 *  and some points: the source there, in place of the values | barrier | a thread per element and variable: integrals
 * The threads of a warp share their variables and points.
 */
#include "kernels/begin.h"

#define EWI_NAME(kernel) EWI_JOIN3(kernel, _, EWI_LAW)
#define EWI_PHI_PAIRS ((EWI_NP + 1) / 2)

/* Rows of `width`, or, for width 0 and -1, the order of the fused set without and with matrices (ewi_fused_row). */
EWI_DEVICE int64_t EWI_K(place)(int64_t width, int64_t i)
{
    return width > 0 ? ewi_layout_base(width, EWI_ROWS, i) : i;
}

EWI_DEVICE int64_t EWI_K(at)(int64_t width, int64_t place, int m, int j)
{
    if (width > 0)
        return place + (m * EWI_NP + j) * width;
    return place / EWI_TILE * (EWI_TILE * EWI_ROWS) +
           ewi_fused_row(width < 0, EWI_M, EWI_NP, m, j / 4, j % 4, (int)(place % EWI_TILE));
}

#include "kernels/eval_source.h"
#include "kernels/source_point.h"

struct EWI_K(values) {
    double of[EWI_M];
};

EWI_REPLACEABLE struct EWI_K(values) EWI_NAME(ewi_source)(double x, double y, double t, struct EWI_K(values) w,
                                                          const struct ewi_instruction *code, int32_t length,
                                                          const double *constant, const struct ewi_raster_use *raster)
{
    struct EWI_K(values) source;
    ewi_program_evaluate(code, length, constant, raster, x, y, t, w.of, source.of, 1);
    return source;
}

/* In the order with matrices, coefficients are contiguous in groups of four; so many of them are in whole groups. */
#define EWI_IN_FOURS (EWI_NP / 4 * 4)

/*
 * Loads variable m of element i, the first `fours` coefficients in pairs. With constants for `fours`, and for a `width`
 * of 0 or -1, addresses are constants.
 */
EWI_DEVICE void EWI_K(load)(const double *state, int64_t width, int fours, int64_t i, int m, double *c)
{
    const int64_t place = EWI_K(place)(width, i);
    EWI_UNROLL for (int j = 0; j < fours; j += 2)
    {
        struct ewi_two pair = *(const struct ewi_two *)(state + EWI_K(at)(width, place, m, j));
        c[j] = pair.first;
        c[j + 1] = pair.second;
    }
    EWI_UNROLL for (int j = fours; j < EWI_NP; j++)
        c[j] = state[EWI_K(at)(width, place, m, j)];
}

EWI_DEVICE void EWI_K(store)(double *sources, int64_t width, int fours, int64_t i, int m,
                              const double *integral)
{
    const int64_t place = EWI_K(place)(width, i);
    EWI_UNROLL for (int j = 0; j < fours; j += 2)
    {
        struct ewi_two pair = {integral[j], integral[j + 1]};
        *(struct ewi_two *)(sources + EWI_K(at)(width, place, m, j)) = pair;
    }
    EWI_UNROLL for (int j = fours; j < EWI_NP; j++)
        sources[EWI_K(at)(width, place, m, j)] = integral[j];
}

EWI_DEVICE void EWI_K(interpolate_at_points)(const struct ewi_cuda_sources *call, const struct ewi_two *phi,
                                             int64_t i, int m, double *values)
{
    double c[EWI_NP];
    switch (call->a.width) { /* constant widths make addresses constants */
    case 0: EWI_K(load)(call->state, 0, 0, i, m, c); break;
    case -1: EWI_K(load)(call->state, -1, EWI_IN_FOURS, i, m, c); break;
    default: EWI_K(load)(call->state, call->a.width, 0, i, m, c);
    }
    EWI_NO_UNROLL for (int q = 0; q < EWI_NQ; q++)
    {
        double u = 0.0;
        EWI_UNROLL for (int j = 0; j < EWI_NP; j += 2)
        {
            struct ewi_two pair = phi[q * EWI_PHI_PAIRS + j / 2];
            u = ewi_fma(pair.first, c[j], u);
            if (j + 1 < EWI_NP)
                u = ewi_fma(pair.second, c[j + 1], u);
        }
        values[(q * EWI_M + m) * EWI_CUDA_SOURCE_ELEMENTS] = u;
    }
}

EWI_DEVICE void EWI_K(evaluate_at_points)(const struct ewi_cuda_sources *call, double t, int64_t i, int first,
                                          double *values)
{
    const struct ewi_program *program = &call->a.source.program;
    const double *parameter = ewi_parameter_at(EWI_MEDIA, call->a.parameter, call->a.volume_field, i);
    const struct EWI_K(source_place) place = EWI_K(source_place)(&call->a, i);
    EWI_NO_UNROLL for (int q = first; q < EWI_NQ; q += EWI_CUDA_SOURCE_GROUPS)
    {
        double u[EWI_M], *at = values + q * EWI_M * EWI_CUDA_SOURCE_ELEMENTS;
        struct EWI_K(values) w, source;
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            u[m] = at[m * EWI_CUDA_SOURCE_ELEMENTS];
        EWI_L(primitive)(parameter, u, w.of);
        source = EWI_NAME(ewi_source)(EWI_K(source_x)(&place, q), EWI_K(source_y)(&place, q), t, w, program->code,
                                      program->length, program->constant, program->raster);
        EWI_UNROLL for (int m = 0; m < EWI_M; m++)
            at[m * EWI_CUDA_SOURCE_ELEMENTS] = EWI_K(weighted_source)(&place, q, source.of[m]);
    }
}

/* Stores a sponge's integrals, with which those of formulas begin. */
EWI_APART void EWI_K(store_sponge)(const struct ewi_cuda_sources *call, int64_t i, int m)
{
    const int64_t own = ewi_source_of(&call->a, i);
    double integral[EWI_NP];
    for (int j = 0; j < EWI_NP; j++)
        integral[j] = 0.0;
    EWI_K(integrate_sponge)(&call->a, call->state, i, m, integral);
    EWI_K(store)(call->sources, call->a.width > 0 ? EWI_TILE : call->a.width, 0, own, m, integral);
}

EWI_DEVICE void EWI_K(add_formulas)(const struct ewi_two *phi, const double *values, int m, double *integral)
{
    EWI_NO_UNROLL for (int q = 0; q < EWI_NQ; q++)
    {
        double value = values[(q * EWI_M + m) * EWI_CUDA_SOURCE_ELEMENTS];
        EWI_UNROLL for (int j = 0; j < EWI_NP; j += 2)
        {
            struct ewi_two pair = phi[q * EWI_PHI_PAIRS + j / 2];
            integral[j] = ewi_fma(pair.first, value, integral[j]);
            if (j + 1 < EWI_NP)
                integral[j + 1] = ewi_fma(pair.second, value, integral[j + 1]);
        }
    }
}

/* adds: to the integrals that are stored already, those of a sponge. */
EWI_DEVICE void EWI_K(integrate_formulas_in)(double *sources, int64_t width, int fours, int64_t i, int m, int adds,
                                            const struct ewi_two *phi, const double *values)
{
    double integral[EWI_NP];
    if (adds)
        EWI_K(load)(sources, width, fours, i, m, integral);
    else
        EWI_UNROLL for (int j = 0; j < EWI_NP; j++)
            integral[j] = 0.0;
    EWI_K(add_formulas)(phi, values, m, integral);
    EWI_K(store)(sources, width, fours, i, m, integral);
}

EWI_DEVICE void EWI_K(integrate)(const struct ewi_cuda_sources *call, const struct ewi_two *phi,
                                 const double *values, int64_t i, int m)
{
    const int sponge = call->a.sponge && call->a.sponge[i / EWI_TILE] >= 0;
    if (sponge)
        EWI_K(store_sponge)(call, i, m);
    if (!values)
        return;
    switch (call->a.width) { /* constant widths make addresses constants */
    case 0: EWI_K(integrate_formulas_in)(call->sources, 0, 0, i, m, sponge, phi, values); break;
    case -1: EWI_K(integrate_formulas_in)(call->sources, -1, EWI_IN_FOURS, i, m, sponge, phi, values); break;
    default: EWI_K(integrate_formulas_in)(call->sources, EWI_TILE, 0, i, m, sponge, phi, values);
    }
}

/* The elements of a thread block: those of its range of the list, if there is one. */
EWI_DEVICE struct ewi_range EWI_K(source_elements)(const struct ewi_cuda_sources *call, int64_t block)
{
    if (call->list)
        return call->list[block];
    int32_t first = (int32_t)block * EWI_CUDA_SOURCE_ELEMENTS, last = first + EWI_CUDA_SOURCE_ELEMENTS;
    struct ewi_range range = {first, last < call->a.padded ? last : (int32_t)call->a.padded};
    return range;
}

/* The table PHI in shared memory: indexed loads from constant memory take longer. */
EWI_DEVICE void EWI_K(copy_phi)(struct ewi_two *phi, int thread)
{
    for (int k = thread; k < EWI_NQ * EWI_PHI_PAIRS; k += EWI_CUDA_SOURCE_BLOCK) {
        int at = k / EWI_PHI_PAIRS * EWI_NP + 2 * (k % EWI_PHI_PAIRS);
        phi[k].first = EWI_TABLE(PHI)[at];
        phi[k].second = 2 * (k % EWI_PHI_PAIRS) + 1 < EWI_NP ? EWI_TABLE(PHI)[at + 1] : 0.0;
    }
}

EWI_DEVICE void EWI_K(sources)(const struct ewi_cuda_sources *call, int64_t block)
{
    enum { ELEMENTS = EWI_CUDA_SOURCE_ELEMENTS, GROUPS = EWI_CUDA_SOURCE_GROUPS };
    EWI_SHARED double values[EWI_NQ * EWI_M * ELEMENTS];
    EWI_SHARED struct ewi_two phi[EWI_NQ * EWI_PHI_PAIRS];
    struct ewi_clock clock;
    for (int mine = 0; mine < EWI_HERE(EWI_CUDA_SOURCE_BLOCK); mine++)
        EWI_K(copy_phi)(phi, ewi_thread(mine));
    ewi_await_previous();
    ewi_next_may_begin();
    if (!ewi_cuda_enter_step(&call->head, block, 1, EWI_FIRST_THREAD, &clock))
        return;
    struct ewi_range range = EWI_K(source_elements)(call, block);
    double t = ewi_cuda_time_of(&call->steps, &call->head, &clock, range.first, call->time);
    int formulas = call->a.source.program.length > 0;
    EWI_BARRIER;
    for (int64_t first = range.first; first < range.last; first += ELEMENTS) {
        for (int mine = 0; formulas && mine < EWI_HERE(EWI_CUDA_SOURCE_BLOCK); mine++) {
            int lane = ewi_thread(mine) % ELEMENTS;
            for (int m = ewi_thread(mine) / ELEMENTS; first + lane < range.last && m < EWI_M; m += GROUPS)
                EWI_K(interpolate_at_points)(call, phi, first + lane, m, values + lane);
        }
        EWI_BARRIER;
        for (int mine = 0; formulas && mine < EWI_HERE(EWI_CUDA_SOURCE_BLOCK); mine++) {
            int lane = ewi_thread(mine) % ELEMENTS;
            if (first + lane < range.last)
                EWI_K(evaluate_at_points)(call, t, first + lane, ewi_thread(mine) / ELEMENTS, values + lane);
        }
        EWI_BARRIER;
        for (int mine = 0; mine < EWI_HERE(EWI_CUDA_SOURCE_BLOCK); mine++) {
            int lane = ewi_thread(mine) % ELEMENTS;
            for (int m = ewi_thread(mine) / ELEMENTS; first + lane < range.last && m < EWI_M; m += GROUPS)
                EWI_K(integrate)(call, phi, formulas ? values + lane : NULL, first + lane, m);
        }
        EWI_BARRIER;
    }
}
EWI_KERNEL(EWI_NAME(eval_source), sources, EWI_K(sources))

#undef EWI_IN_FOURS
#undef EWI_PHI_PAIRS
#undef EWI_NAME
#include "kernels/end.h"
