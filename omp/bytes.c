/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory that the backend takes, from the sizes of a case alone. */
#include "ewi_omp_bytes.h"
#include "ewi_bed.h"
#include "ewi_layout.h"
#include "ewi_level_plan.h"
#include "ewi_levels.h"
#include "ewi_omp_subcells.h"
#include "ewi_plan.h"


#define REAL sizeof(double)
#define INDEX sizeof(int32_t)

/* Arrays of both sets of kernels. */
static size_t state_bytes(const struct ewi_sizes *sizes)
{
    size_t arrays = (size_t)(sizes->scheme->registers + sizes->scheme->keeps + sizes->watches_change);
    size_t subcells = ewi_limiter_has_subcells(sizes->limiter) ? ewi_omp_subcells_bytes(sizes) : 0;
    return (arrays * ewi_state_doubles(sizes) + ewi_outflow_doubles(sizes)) * REAL + subcells;
}

static size_t sensor_doubles(const struct ewi_sizes *sizes)
{
    return ewi_limiter_has_sensor(sizes->limiter) ? 2 * (size_t)sizes->slots : 0;
}

static size_t paper_bytes(const struct ewi_sizes *sizes)
{
    return (2 * ewi_state_doubles(sizes) + 2 * ewi_slot_doubles(sizes) + sensor_doubles(sizes) +
            ewi_source_doubles(sizes)) * REAL;
}

/* Tiles, with `borders` arrays of the traces on their borders. Border edges, about a fifth of all, are there twice. */
static size_t tile_bytes(const struct ewi_sizes *sizes, int threads, int borders)
{
    const struct ewi_omp_kernels *kernels =
        ewi_omp_kernels_of(ewi_omp_level_at(0), sizes->basis->order, sizes->law->number);
    size_t edges = (size_t)sizes->edges * 6 / 5, border = (size_t)sizes->edges * 2 / 5;
    size_t lists = 2 + (ewi_limiter_has_sensor(sizes->limiter) ? 2 : 0) + ewi_limiter_has_subcells(sizes->limiter);
    size_t numbers = 3 + (size_t)sizes->law->has_diffusion + (size_t)ewi_fields_per_edge(sizes);
    size_t trace = (size_t)(sizes->basis->ne * kernels->components);
    size_t scratch = (size_t)kernels->tile * 3 * trace * 6 / 5;
    size_t bytes = edges * (lists * INDEX + numbers * REAL) + border * ((size_t)borders * trace * REAL + 2 * INDEX) +
                   (size_t)threads * scratch * REAL;
    if (ewi_limiter_by_means(sizes->limiter))
        bytes += (size_t)(sizes->padded * kernels->components) * REAL + (size_t)sizes->padded / EWI_TILE * 2 * INDEX;
    return bytes;
}

/* ---- levels of time steps ---- */

/* The state in the order of the whole plan; the plan of levels; what stages of interface elements keep. */
static size_t level_bytes(const struct ewi_sizes *whole, const struct ewi_sizes *sizes)
{
    size_t a_stage = (size_t)ewi_level_interface_elements(whole) * (size_t)sizes->rows;
    size_t coupled = a_stage * (size_t)(1 + 3 * sizes->scheme->stages);
    size_t rooms = ewi_bed_has(sizes->law) ? (size_t)sizes->padded : 0;
    size_t numbers = 5 * (size_t)sizes->padded + 2 * (size_t)whole->padded;
    return (ewi_state_doubles(whole) + coupled + rooms) * REAL + numbers * INDEX + ewi_plan_bytes(sizes);
}

size_t ewi_omp_bytes(const struct ewi_sizes *sizes, enum ewi_omp_kind kind, int threads)
{
    if (kind == EWI_OMP_PAPER)
        return state_bytes(sizes) + paper_bytes(sizes);
    if (kind == EWI_OMP_FUSED)
        return state_bytes(sizes) + tile_bytes(sizes, threads, 2);
    struct ewi_sizes levels = ewi_level_sizes(sizes);
    size_t bytes = level_bytes(sizes, &levels) + state_bytes(&levels);
    if (kind == EWI_OMP_PAPER_LEVELS)
        return bytes + paper_bytes(&levels);
    return bytes + tile_bytes(&levels, threads, levels.scheme->registers) +
           (ewi_state_doubles(&levels) + sensor_doubles(&levels)) * REAL;
}
