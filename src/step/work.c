/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes and operations of each kernel, counted from the problem. */
#include "ewi_work.h"
#include "ewi_backend.h"
#include "ewi_subcells.h"

#include <math.h>
#include <string.h>

const char *ewi_work_name(enum ewi_work_kind kind)
{
#define EWI_WORK_NAME(name) #name,
    static const char *const names[] = {EWI_WORKS(EWI_WORK_NAME)};
    return names[kind];
}

/* Sizes as doubles: products of them are larger than integers like. */
struct sizes {
    double elements, edges, rows, np, nq, ne, variables, volume_fields, edge_fields;
    double state; /* bytes of the coefficients of all elements */
};

static struct sizes sizes_of(const struct ewi_plan *plan)
{
    struct sizes n = {.elements = plan->mesh->elements,
                      .edges = plan->mesh->edges, .rows = plan->rows, .np = plan->basis->np, .nq = plan->basis->nq,
                      .ne = plan->basis->ne, .variables = plan->variables,
                      .volume_fields = ewi_volume_rows(&plan->sizes),
                      .edge_fields = ewi_fields_per_edge(&plan->sizes)};
    n.state = n.elements * n.rows * sizeof(double);
    return n;
}

/* ---- flops ------------------------------------------------------------------------------------------------------- */

static double volume_flops(const struct sizes *n, double flux)
{
    double interpolate = 2 * n->nq * n->rows, project = 4 * n->nq * n->variables * (n->np - 1);
    return n->elements * (interpolate + n->nq * flux + project);
}

/* A boundary edge has one trace and one element to add to; ghosts are not counted. */
static double surface_flops(const struct ewi_plan *plan, const struct sizes *n, double flux)
{
    double traces = 2 * n->edges - plan->mesh->boundary_edges;
    return n->edges * n->ne * (flux + n->variables) + traces * 4 * n->ne * n->rows;
}

static double update_flops(const struct sizes *n, const struct ewi_stage *of)
{
    double difference = of->terms > 0 ? 3 * of->terms + (of->kept != 0.0 ? 2 : 0) + 1 : 0;
    return n->elements * n->rows * (2 + difference);
}

/* Three sums and the product with the inverse determinant. */
static double rhs_flops(const struct sizes *n)
{
    return n->elements * n->rows * 4;
}

/* The work of the elements with a sponge; that of formulas depends on them. */
static struct ewi_work source_work(const struct ewi_plan *plan, const struct sizes *n)
{
    double elements = (double)plan->sponge_tiles * EWI_TILE;
    if (plan->has_source)
        return (struct ewi_work){2 * n->state + n->elements * 6 * sizeof(double), NAN};
    return (struct ewi_work){elements * (3 * n->rows + n->nq) * sizeof(double),
                             elements * n->variables * (n->np + n->nq * (4 * n->np + 1))};
}

static double mean_flops(const struct sizes *n, double operations)
{
    return n->elements * (n->variables + operations);
}

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

enum { DOUBLE = sizeof(double), INDEX = sizeof(int32_t) };

static double volume_input(const struct sizes *n)
{
    return n->elements * (4 + n->volume_fields) * DOUBLE;
}

/* Two elements and sides an edge, its normal and length, and the law's fields at its points or media. */
static double surface_input(const struct sizes *n)
{
    return n->edges * (2 * INDEX + 2 + (3 + n->edge_fields) * DOUBLE);
}

/* Registers that an update reads, each once; those of `also`, too, if it is not negative. */
static int registers_read(const struct ewi_stage *of, int also)
{
    bool reads[EWI_MAX_REGISTERS] = {[0] = true};
    int count = 0;
    for (int k = 0; k < of->terms; k++)
        reads[of->term[k].from] = true;
    if (also >= 0)
        reads[also] = true;
    for (int k = 0; k < EWI_MAX_REGISTERS; k++)
        count += reads[k];
    return count;
}

/* The arrays that an update reads besides the right-hand side, and those that it writes. */
static double update_bytes(const struct sizes *n, const struct ewi_stage *of, int also)
{
    return (registers_read(of, also) + 1 + (of->kept != 0.0) + (of->keeps != 0)) * n->state;
}

static double means_bytes(const struct sizes *n)
{
    return n->elements * n->variables * DOUBLE;
}

/* ---- kernels ----------------------------------------------------------------------------------------------------- */

static struct ewi_work stage_work(const struct ewi_plan *plan, const struct sizes *n, const struct ewi_stage *of)
{
    struct ewi_work work = {
        .bytes = update_bytes(n, of, of->source) + volume_input(n) + surface_input(n) + n->elements * DOUBLE,
        .flops = rhs_flops(n) + update_flops(n, of) + volume_flops(n, plan->law->operations.volume_flux) +
                 surface_flops(plan, n, plan->law->flux_operations[plan->flux]),
    };
    return work;
}

struct ewi_work ewi_work_of(const struct ewi_plan *plan, enum ewi_work_kind kind, const struct ewi_stage *of)
{
    struct sizes n = sizes_of(plan);
    const struct ewi_operations *count = &plan->law->operations;
    double edge_rows = n.edges * n.rows * DOUBLE;
    switch (kind) {
    case EWI_WORK_eval_volume:
        return (struct ewi_work){2 * n.state + volume_input(&n), volume_flops(&n, count->volume_flux)};
    case EWI_WORK_eval_surface:
        return (struct ewi_work){n.state + surface_input(&n) + 2 * edge_rows,
                                 surface_flops(plan, &n, plan->law->flux_operations[plan->flux])};
    case EWI_WORK_eval_source:
        return source_work(plan, &n);
    case EWI_WORK_eval_rhs:
        return (struct ewi_work){2 * n.state + 2 * edge_rows + n.elements * (3 * INDEX + DOUBLE), rhs_flops(&n)};
    case EWI_WORK_update:
        return (struct ewi_work){n.state + update_bytes(&n, of, -1), update_flops(&n, of)};
    case EWI_WORK_stage:
        return stage_work(plan, &n, of);
    case EWI_WORK_jump_sensor: {
        double rows = ewi_limiter_has_subcells(plan->limiter) ? EWI_SUBCELL_JUMPS : 2;
        return (struct ewi_work){n.state + surface_input(&n) + rows * n.edges * DOUBLE, NAN};
    }
    case EWI_WORK_subcells: /* what these do depends on the state */
        return (struct ewi_work){NAN, NAN};
    case EWI_WORK_positive:
        return (struct ewi_work){2 * n.state, NAN};
    case EWI_WORK_limit_c:
        if (ewi_limiter_has_sensor(plan->limiter))
            return (struct ewi_work){2 * n.state + 2 * n.edges * DOUBLE, NAN};
        return (struct ewi_work){n.elements * (5 * n.variables * DOUBLE + 3 * INDEX),
                                 n.elements * n.variables * plan->limiter->operations};
    case EWI_WORK_time_step:
        return (struct ewi_work){means_bytes(&n), mean_flops(&n, count->speed)};
    case EWI_WORK_admissible:
        return (struct ewi_work){means_bytes(&n), mean_flops(&n, count->admissible)};
    default: /* what boundaries do depends on their formulas */
        return (struct ewi_work){NAN, NAN};
    }
}

void ewi_profile_add(ew_kernel_profile *kernel, int *kernels, enum ewi_work_kind kind, int64_t calls, double seconds,
                     struct ewi_work work)
{
    int k = 0;
    while (k < *kernels && strcmp(kernel[k].name, ewi_work_name(kind)) != 0)
        k++;
    if (k == *kernels)
        kernel[(*kernels)++] = (ew_kernel_profile){
            .name = ewi_work_name(kind), .occupancy = NAN, .registers = -1, .local_bytes = -1};
    kernel[k].calls += calls;
    kernel[k].seconds += seconds;
    kernel[k].bytes += (double)calls * work.bytes;
    kernel[k].flops += (double)calls * work.flops;
}
