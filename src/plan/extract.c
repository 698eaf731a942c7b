/* SPDX-License-Identifier: BSD-2-Clause */
/* The arrays of a plan whose elements and slots are those of another plan. */
#include "ewi_extract.h"
#include "ewi_error.h"
#include "ewi_host.h"

#include <string.h>

void ewi_extract_rows(int64_t rows, const int32_t *of, int32_t count, const double *from, double *to)
{
    for (int32_t i = 0; i < count; i++)
        for (int64_t row = 0; of[i] >= 0 && row < rows; row++)
            to[ewi_layout_index(EWI_TILE, rows, row, i)] = from[ewi_layout_index(EWI_TILE, rows, row, of[i])];
}

/* Data of curved walls, which are not in tiles. */
static int copy_slots(const struct ewi_extraction *x, int64_t row, const double *from, double **to, ew_error *error)
{
    size_t slots = (size_t)x->plan->boundary_slots, doubles = (size_t)row;
    if (!from)
        return EW_OK;
    *to = ewi_alloc(&x->plan->host, slots * doubles, sizeof **to);
    if (!*to)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the curved walls of an extracted plan");
    for (size_t s = 0; s < slots; s++)
        memcpy(*to + s * doubles, from + (size_t)x->slot[s] * doubles, doubles * sizeof **to);
    return EW_OK;
}

/* Tiles with an element of a tile that has a sponge. Elements keep their own weights and targets. */
static int number_sponges(const struct ewi_extraction *x, ew_error *error)
{
    const struct ewi_sponge *whole = &x->whole->sponge;
    struct ewi_plan *plan = x->plan;
    int32_t tiles = plan->padded / EWI_TILE;
    size_t row = EWI_TILE * sizeof(double);
    plan->sponge_tiles = 0;
    plan->sponge.number = ewi_alloc(&plan->host, (size_t)tiles, sizeof *plan->sponge.number);
    for (int32_t k = 0; plan->sponge.number && k < tiles; k++) {
        bool has = false;
        for (int32_t i = k * EWI_TILE; i < (k + 1) * EWI_TILE; i++)
            has = has || (x->of[i] >= 0 && whole->number[x->of[i] / EWI_TILE] >= 0);
        plan->sponge.number[k] = has ? plan->sponge_tiles++ : -1;
    }
    plan->sponge.weight = ewi_alloc(&plan->host, (size_t)plan->sponge_tiles * (size_t)plan->basis->nq, row);
    plan->sponge.target = ewi_alloc(&plan->host, (size_t)plan->sponge_tiles * (size_t)plan->rows, row);
    return plan->sponge.number && plan->sponge.weight && plan->sponge.target
               ? EW_OK
               : ewi_fail(error, EW_ENOMEM, "not enough memory for the sponges of an extracted plan");
}

/* Element i of a plan's tile in `rows` rows, of the array of its sponges. */
static double *sponge_rows(const struct ewi_plan *plan, double *array, int64_t rows, int32_t i)
{
    return array + plan->sponge.number[i / EWI_TILE] * rows * EWI_TILE + i % EWI_TILE;
}

static int copy_sponges(const struct ewi_extraction *x, ew_error *error)
{
    const struct ewi_plan *whole = x->whole, *plan = x->plan;
    int64_t nq = plan->basis->nq, rows = plan->rows;
    if (!whole->sponge.number)
        return EW_OK;
    TRY(number_sponges(x, error));
    for (int32_t i = 0; i < plan->padded; i++) {
        if (x->of[i] < 0 || whole->sponge.number[x->of[i] / EWI_TILE] < 0)
            continue;
        for (int64_t k = 0; k < nq; k++)
            sponge_rows(plan, plan->sponge.weight, nq, i)[k * EWI_TILE] =
                sponge_rows(whole, whole->sponge.weight, nq, x->of[i])[k * EWI_TILE];
        for (int64_t k = 0; k < rows; k++)
            sponge_rows(plan, plan->sponge.target, rows, i)[k * EWI_TILE] =
                sponge_rows(whole, whole->sponge.target, rows, x->of[i])[k * EWI_TILE];
    }
    return EW_OK;
}

int ewi_extract_data(const struct ewi_extraction *x, ew_error *error)
{
    const struct ewi_plan *whole = x->whole;
    struct ewi_plan *plan = x->plan;
    int32_t slots = plan->boundary_slots, padded = plan->padded;
    int64_t ne = plan->basis->ne;
    struct {
        double **to, *from;
        int64_t rows;
        const int32_t *of;
        int32_t count;
    } array[] = {{&plan->point, whole->point, 2 * ne, x->slot, slots},
                 {&plan->normal, whole->normal, 2 * ne, x->slot, slots},
                 {&plan->given, whole->given, ne * plan->variables, x->slot, slots},
                 {&plan->volume_field, whole->volume_field, ewi_volume_rows(&plan->sizes), x->of, padded},
                 {&plan->edge_field, whole->edge_field, ewi_edge_rows(&plan->sizes), x->of, padded},
                 {&plan->speed_bound, whole->speed_bound, plan->fields ? 1 : 0, x->of, padded},
                 {&plan->width_ratio, whole->width_ratio, whole->width_ratio ? 1 : 0, x->of, padded},
                 {&plan->diffusion_rate, whole->diffusion_rate, 1, x->of, padded},
                 {&plan->source.origin, whole->source.origin, 2, x->of, padded}};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++) {
        if (!array[k].from)
            continue;
        *array[k].to = ewi_alloc(&plan->host, (size_t)(array[k].rows * array[k].count), sizeof(double));
        if (!*array[k].to)
            return ewi_fail(error, EW_ENOMEM, "not enough memory for boundary data and fields of an extracted plan");
        ewi_extract_rows(array[k].rows, array[k].of, array[k].count, array[k].from, *array[k].to);
    }
    TRY(copy_slots(x, ne * plan->basis->np, whole->wall, &plan->wall, error));
    TRY(copy_slots(x, 2 * ne * plan->basis->np, whole->wall_gradient, &plan->wall_gradient, error));
    TRY(copy_slots(x, 2 * plan->basis->np, whole->excess, &plan->excess, error));
    TRY(copy_sponges(x, error));
    plan->source.program = whole->source.program;
    size_t boundaries = (size_t)whole->mesh->boundaries;
    plan->boundary = ewi_alloc(&plan->host, boundaries, sizeof *plan->boundary);
    if (!plan->boundary)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the boundaries of an extracted plan");
    if (boundaries > 0)
        memcpy(plan->boundary, whole->boundary, boundaries * sizeof *plan->boundary);
    return EW_OK;
}
