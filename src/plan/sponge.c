/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sponges: layers along boundaries in which the state relaxes to the boundary's,
 *     du/dt + div F(u) = -rate (u - target),    rate = strength (1 - distance/width)^2
 * from the distance of a point to the boundary's edges. `target` is projected onto the basis, so a uniform flow of the
 * boundary's state stays as it is, to rounding.
 */
#include "ewi_diagnostics.h"
#include "ewi_element.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_parallel.h"
#include "ewi_plan_parts.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

/* The default strength, in units of the boundary state's largest wave speed over the layer's width (measured). */
#define USUAL_STRENGTH 4.0

/*
 * Strength times the length of a step up to which all schemes are stable at their default Courant numbers; the flow
 * takes the rest of what they could bear (measured: 1.2 is, 1.6 is not).
 */
#define STABLE_STRENGTH 1.0

/* One boundary's layer. */
struct layer {
    const struct ewi_plan *plan;
    const ew_data *state;
    double time, width, strength, stable; /* stable: the largest strength that is */
    double *edge; /* [edges][4]: both ends */
    int32_t edges;
    double box[4]; /* of the edges: least x and y, greatest x and y */
    bool *lies_in; /* [padded]: whether an element does */
};

/* ---- distances ---- */

static double square_distance_to(const double *edge, double x, double y)
{
    double dx = edge[2] - edge[0], dy = edge[3] - edge[1], rx = x - edge[0], ry = y - edge[1];
    double along = (rx * dx + ry * dy) / (dx * dx + dy * dy);
    along = along < 0.0 ? 0.0 : along > 1.0 ? 1.0 : along;
    rx -= along * dx;
    ry -= along * dy;
    return rx * rx + ry * ry;
}

static double distance_to(const struct layer *layer, double x, double y)
{
    double least = INFINITY;
    for (int32_t k = 0; k < layer->edges; k++)
        least = fmin(least, square_distance_to(layer->edge + 4 * k, x, y));
    return sqrt(least);
}

/* A quick test, which most triangles pass. */
static bool is_beyond_box(const struct layer *layer, double x, double y, double distance)
{
    const double *box = layer->box;
    return x < box[0] - distance || y < box[1] - distance || x > box[2] + distance || y > box[3] + distance;
}

/* The integrand's weights at the volume points, rate times weight times det J; false if all are 0. */
static bool weights_in(const struct layer *layer, const struct ewi_corners *corner, double *weight)
{
    const struct ewi_basis *basis = layer->plan->basis;
    double x[EWI_MAX_NQ], y[EWI_MAX_NQ], det = corner->xr * corner->ys - corner->xs * corner->yr;
    double radius = sqrt(fmax(corner->xr * corner->xr + corner->yr * corner->yr,
                              corner->xs * corner->xs + corner->ys * corner->ys));
    double reach = layer->width + radius;
    bool lies_in = false;
    if (is_beyond_box(layer, corner->x, corner->y, reach) || distance_to(layer, corner->x, corner->y) > reach)
        return false;
    ewi_points_in(corner, basis->nq, basis->r, basis->s, x, y);
    for (int q = 0; q < basis->nq; q++) {
        double depth = fmax(1.0 - distance_to(layer, x[q], y[q]) / layer->width, 0.0);
        weight[q] = layer->strength * depth * depth * (basis->weight[q] * det);
        lies_in = lies_in || depth > 0.0;
    }
    return lies_in;
}

/* ---- the tiles of all layers ---- */

static void mark_elements(void *context, int64_t first, int64_t last)
{
    const struct layer *layer = context;
    double weight[EWI_MAX_NQ];
    for (int64_t i = first; i < last; i++) {
        struct ewi_corners corner = ewi_corners_of(layer->plan->mesh, (int32_t)i);
        layer->lies_in[i] = weights_in(layer, &corner, weight);
    }
}

/* Tiles with an element for which `lies_in`, [padded], is true. */
static int allocate(struct ewi_plan *plan, const bool *lies_in, ew_error *error)
{
    struct ewi_sponge *sponge = &plan->sponge;
    int32_t all = plan->grid->padded / EWI_TILE;
    size_t row = EWI_TILE * sizeof(double), nq = (size_t)plan->basis->nq, rows = (size_t)plan->rows;
    sponge->number = ewi_alloc(&plan->host, (size_t)all, sizeof *sponge->number);
    plan->sponge_tiles = 0;
    for (int32_t k = 0; sponge->number && k < all; k++)
        sponge->number[k] = memchr(lies_in + k * EWI_TILE, true, EWI_TILE) ? plan->sponge_tiles++ : -1;
    sponge->weight = ewi_alloc(&plan->host, (size_t)plan->sponge_tiles * nq, row);
    sponge->target = ewi_alloc(&plan->host, (size_t)plan->sponge_tiles * rows, row);
    return sponge->number && sponge->weight && sponge->target
               ? EW_OK
               : ewi_fail(error, EW_ENOMEM, "not enough memory for sponges in %zu triangles",
                          (size_t)plan->sponge_tiles * EWI_TILE);
}

/* ---- one layer in its tiles ---- */

/* Adds the layer in element i. Where layers overlap, the target is the mean of theirs, weighted by their rates. */
static void add_element(const struct layer *layer, int32_t i, struct ewi_bad_points *bad)
{
    const struct ewi_plan *plan = layer->plan;
    const struct ewi_sponge *sponge = &plan->sponge;
    double own[EWI_MAX_NQ], c[EW_MAX_VARIABLES * EWI_MAX_NP], before = 0.0, added = 0.0;
    struct ewi_corners corner = ewi_corners_of(plan->mesh, i);
    int32_t tile = sponge->number[i / EWI_TILE];
    if (!layer->lies_in[i])
        return;
    weights_in(layer, &corner, own);
    double *weight = sponge->weight + (int64_t)tile * plan->basis->nq * EWI_TILE + i % EWI_TILE;
    double *target = sponge->target + (int64_t)tile * plan->rows * EWI_TILE + i % EWI_TILE;
    for (int q = 0; q < plan->basis->nq; q++) {
        before += weight[q * EWI_TILE];
        added += own[q];
        weight[q * EWI_TILE] += own[q];
    }
    ewi_project_data(plan, layer->state, layer->time, i, c, bad);
    for (int row = 0; row < plan->rows; row++)
        target[row * EWI_TILE] += added / (before + added) * (c[row] - target[row * EWI_TILE]);
}

static void add_layer(const struct layer *layer, int32_t b, struct ewi_diagnostics *diagnostics)
{
    const struct ewi_plan *plan = layer->plan;
    const char *name = plan->mesh->boundary[b].name;
    struct ewi_bad_points bad = {.t = layer->time};
    char what[160];
    for (int32_t i = 0; i < plan->grid->elements; i++) {
        bad.points += layer->lies_in[i] ? plan->basis->nq : 0;
        add_element(layer, i, &bad);
    }
    ewi_snprintf(what, sizeof what, "boundary \"%.100s\": the state in its sponge", name);
    ewi_report_states(&plan->sizes, &bad, (ew_place){.member = "state", .boundary = name}, what, diagnostics);
}

/* ---- all of them ---- */

/* The largest wave speed of the boundary's state; NaN if that is not admissible somewhere. */
static double speed_along(const struct ewi_plan *plan, const struct ewi_edge_group *group)
{
    int ne = plan->basis->ne, variables = plan->variables;
    double largest = 0.0;
    for (int32_t slot = group->first; slot < group->first + group->count; slot++)
        for (int e = 0; e < ne; e++) {
            double u[EW_MAX_VARIABLES];
            for (int m = 0; m < variables; m++)
                u[m] = plan->given[ewi_layout_index(EWI_TILE, ne * variables, e * variables + m, slot)];
            double bound = plan->fields ? plan->speed_bound[plan->grid->left[slot]] : 0.0;
            double speed = plan->law->speed(ewi_plan_parameter_at(plan, slot), u, bound);
            largest = speed > largest || isnan(speed) ? speed : largest;
        }
    return largest;
}

static void list_edges(struct layer *layer, const struct ewi_edge_group *group)
{
    const struct ewi_plan *plan = layer->plan;
    for (int32_t k = 0; k < group->count; k++) {
        int32_t element = plan->grid->left[group->first + k];
        int side = plan->grid->left_side[group->first + k];
        double *edge = layer->edge + 4 * k;
        ewi_mesh_side_point(plan->mesh, element, side, 0.0, &edge[0], &edge[1]);
        ewi_mesh_side_point(plan->mesh, element, side, 1.0, &edge[2], &edge[3]);
        for (int axis = 0; axis < 2; axis++) {
            layer->box[axis] = fmin(layer->box[axis], fmin(edge[axis], edge[2 + axis]));
            layer->box[2 + axis] = fmax(layer->box[2 + axis], fmax(edge[axis], edge[2 + axis]));
        }
    }
}

/* An element that takes a longer step than the smallest one has so much less room for its strength. */
static double largest_step_ratio(const struct layer *layer)
{
    double most = 1.0;
    for (int32_t i = 0; layer->plan->step_ratio && i < layer->plan->grid->elements; i++)
        if (layer->lies_in[i])
            most = fmax(most, layer->plan->step_ratio[i]);
    return most;
}

static int make_layer(const struct ewi_plan *plan, int32_t b, double time, struct layer *layer, ew_error *error)
{
    const struct ewi_edge_group *group = &plan->grid->group[b];
    const struct ewi_plan_boundary *boundary = &plan->boundary[b];
    double speed = speed_along(plan, group);
    double step = plan->cfl * plan->mesh->info.smallest_diameter / (2 * plan->basis->order + 1);
    *layer = (struct layer){.plan = plan, .state = &boundary->state, .time = time, .width = boundary->sponge_width,
                            .strength = boundary->sponge_strength, .stable = STABLE_STRENGTH * speed / step,
                            .edges = group->count, .box = {INFINITY, INFINITY, -INFINITY, -INFINITY}};
    if (layer->strength == 0.0)
        layer->strength = USUAL_STRENGTH * speed / layer->width;
    layer->edge = ewi_alloc(&plan->host, (size_t)group->count, 4 * sizeof *layer->edge);
    layer->lies_in = ewi_alloc(&plan->host, (size_t)plan->grid->padded, sizeof *layer->lies_in);
    if (!layer->edge || !layer->lies_in)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the sponge of boundary \"%s\"",
                        plan->mesh->boundary[b].name);
    list_edges(layer, group);
    ewi_parallel_shares(plan->grid->elements, EWI_FEW, mark_elements, layer);
    layer->stable /= largest_step_ratio(layer);
    return EW_OK;
}

static void check_layer(const struct layer *layer, int32_t b, struct ewi_diagnostics *diagnostics)
{
    const struct ewi_plan *plan = layer->plan;
    const char *name = plan->mesh->boundary[b].name;
    const ew_place place = {.member = "sponge_width", .boundary = name};
    int32_t elements = plan->grid->elements, within = 0;
    for (int32_t i = 0; i < elements; i++)
        within += layer->lies_in[i];
    if (within == elements)
        ewi_diagnose(diagnostics, place, "boundary \"%s\": its sponge, of width %g, covers the whole mesh; take a "
                     "smaller width", name, layer->width);
    else if (within == 0)
        ewi_diagnose(diagnostics, place, "boundary \"%s\": its sponge, of width %g, contains no quadrature point of "
                     "the mesh; take a larger width", name, layer->width);
    else if (layer->stable == 0.0)
        ewi_diagnose(diagnostics, place,
                     "boundary \"%s\": nothing moves in its state, which has no use for a sponge; leave it out", name);
    else if (layer->strength > layer->stable && plan->boundary[b].sponge_strength > 0.0)
        ewi_diagnose(diagnostics, (ew_place){.member = "sponge_strength", .boundary = name},
                     "boundary \"%s\": a sponge of strength %g is unstable with steps of this length; take at most %g",
                     name, layer->strength, layer->stable);
    else if (layer->strength > layer->stable)
        ewi_diagnose(diagnostics, place,
                     "boundary \"%s\": a sponge of width %g and the default strength, %g, is unstable with steps of "
                     "this length; take a larger width, or a strength of at most %g", name, layer->width,
                     layer->strength, layer->stable);
}

/*
 * Adds a layer to `lies_in`, [padded]. Where layers overlap, their rates add: *share is the sum of those so far, in
 * parts of what is stable.
 */
static void check_overlap(const struct layer *layer, int32_t b, bool *lies_in, double *share,
                          struct ewi_diagnostics *diagnostics)
{
    const struct ewi_plan *plan = layer->plan;
    double own = layer->strength / layer->stable;
    bool overlaps = false;
    for (int32_t i = 0; i < plan->grid->padded; i++) {
        overlaps = overlaps || (lies_in[i] && layer->lies_in[i]);
        lies_in[i] = lies_in[i] || layer->lies_in[i];
    }
    if (overlaps && own <= 1.0 && *share + own > 1.0)
        ewi_diagnose(diagnostics,
                     (ew_place){.member = "sponge_strength", .boundary = plan->mesh->boundary[b].name},
                     "boundary \"%s\": its sponge overlaps others, and together they are unstable with steps of this "
                     "length: their strengths are %.3g times what is stable", plan->mesh->boundary[b].name,
                     *share + own);
    *share += own;
}

static bool has_sponge(const struct ewi_plan *plan, int32_t b)
{
    const struct ewi_plan_boundary *boundary = &plan->boundary[b];
    return boundary->sponge_width > 0.0 && boundary->given && !plan->law->values(boundary->ghost) &&
           !boundary->time_dependent && ewi_data_has_outputs(&boundary->state, plan->variables);
}

int ewi_sponge_fill(struct ewi_plan *plan, double time, struct ewi_diagnostics *diagnostics, ew_error *error)
{
    int status = EW_OK;
    int32_t boundaries = plan->mesh->boundaries, padded = plan->grid->padded;
    double strongest = 0.0;
    bool *lies_in = ewi_alloc(&plan->host, (size_t)padded, sizeof *lies_in);
    struct layer *layer = ewi_alloc(&plan->host, (size_t)boundaries, sizeof *layer);
    if (!lies_in || !layer)
        EWI_TRY(ewi_fail(error, EW_ENOMEM, "not enough memory for sponges"));
    for (int32_t b = 0; b < boundaries; b++) {
        if (!has_sponge(plan, b))
            continue;
        EWI_TRY(make_layer(plan, b, time, &layer[b], error));
        check_layer(&layer[b], b, diagnostics);
        check_overlap(&layer[b], b, lies_in, &strongest, diagnostics);
    }
    EWI_TRY(allocate(plan, lies_in, error));
    for (int32_t b = 0; b < boundaries; b++)
        if (layer[b].edge)
            add_layer(&layer[b], b, diagnostics);
out:
    for (int32_t b = 0; layer && b < boundaries; b++) {
        ewi_free(&plan->host, layer[b].edge);
        ewi_free(&plan->host, layer[b].lies_in);
    }
    ewi_free(&plan->host, layer);
    ewi_free(&plan->host, lies_in);
    return status;
}

void ewi_sponge_free(const ew_host *host, struct ewi_sponge *sponge)
{
    ewi_free(host, sponge->number);
    ewi_free(host, sponge->weight);
    ewi_free(host, sponge->target);
}
