/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A normalised problem: its words are rows of the lists, its numbers are checked, and its sizes are known. This
 * requires only the counts of the mesh. A solver's need of memory follows from it.
 */
#ifndef EWI_SIZES_H
#define EWI_SIZES_H

#include "ewi_basis.h"
#include "ewi_data.h"
#include "ewi_laws.h"
#include "ewi_limiters.h"
#include "ewi_scheme.h"

#include <stdbool.h>

/* X(name, description): the sets of kernels, which every backend has. */
#define EWI_KERNEL_SETS(X)                                                            \
    X(edgewise, "the paper's kernels, one after the other over elements and edges")   \
    X(fused, "a whole stage at a time: over tiles of elements on a CPU, in one kernel on a GPU")

#define EWI_KERNEL_SET_NUMBER(name, description) EWI_SET_##name,
enum ewi_kernel_set { EWI_SET_BEST = -1, EWI_KERNEL_SETS(EWI_KERNEL_SET_NUMBER) };
#undef EWI_KERNEL_SET_NUMBER

struct ewi_choice ewi_kernel_set_choice(int index);

/* A plan has the same members without a name before them (ewi_plan.h). */
#define EWI_SIZES_MEMBERS                                                                               \
    const struct ewi_law *law;                                                                          \
    const struct ewi_basis *basis;                                                                      \
    const struct ewi_scheme *scheme;                                                                    \
    const struct ewi_limiter *limiter; /* NULL: none */                                                 \
    bool positivity, uniform_step, local_step;                                                          \
    int levels; /* of time steps, 1: all elements take the same; until the mesh is known, those asked for */ \
    int levels_asked;                                                                                   \
    /*                                                                                                  \
     * Positivity with a low floor, which preserves the order of smooth flows: time steps then follow the waves at \
     * points that are nearly empty. Near shocks such steps may become very short; there, the law's own floor keeps \
     * waves at points about as fast as those of means.                                                 \
     */                                                                                                 \
    bool preserves_order;                                                                               \
    double floor; /* the share of the first variable's mean that positivity leaves at points */         \
    double parameter[EW_MAX_PARAMETERS];                                                                \
    int variables, fields, rows; /* rows = variables * basis->np */                                     \
    int media; /* rows of parameters per element, if the fields are media; otherwise 0 */               \
    int flux;                                                                                           \
    double cfl, stable_cfl;        /* stable_cfl: with the curves of walls */                           \
    double steady, steady_orders;                                                                       \
    bool watches_change; /* the change of each step is found: one of these two is asked for */          \
    int64_t width;           /* of the state's tiles */                                                 \
    enum ewi_kernel_set set; /* EWI_SET_BEST: which, is the backend's choice */                         \
    /* Slots: as many as there are or, if only the mesh's size is known, at most. */                    \
    int32_t elements, padded, edges, slots, boundary_slots;                                             \
    /* Boundary data that depend on t, once they are known: whether there are any, also by callbacks; formulas. */ \
    bool time_dependent, callbacks;                                                                     \
    bool has_curves, is_conservative; /* a boundary has a true curve; one has that key */               \
    bool has_source; /* there is a source by formulas */                                                \
    bool has_sponge;      /* a boundary has one */                                                      \
    bool outflow;         /* the flux through boundaries is integrated over time */                           \
    int32_t sponge_tiles; /* tiles of elements with a sponge or, if only the mesh's size is known, at most */ \
    size_t instructions, constants;                                                                     \
    size_t source_instructions, source_constants; /* of the source's formulas */                        \
    int average_slots; /* accumulators of averages, at most */                                          \
    size_t rasters, source_rasters, raster_bytes; /* calls of raster(...) in both, and the size of their rasters */ \
    bool divided; /* it is a part's */

struct ewi_sizes {
    EWI_SIZES_MEMBERS
};

/* True if right-hand sides have sources. */
static inline bool ewi_has_sources(const struct ewi_sizes *sizes)
{
    return sizes->has_source || sizes->has_sponge;
}

/* Rows per element of fields at volume points, or of media; and of fields at the points of its edges. */
static inline int ewi_volume_rows(const struct ewi_sizes *sizes)
{
    return sizes->media ? sizes->media : sizes->basis->nq * sizes->fields;
}

static inline int ewi_edge_rows(const struct ewi_sizes *sizes)
{
    return sizes->media ? 0 : 3 * sizes->basis->ne * sizes->fields;
}

/* Numbers that kernels with arrays of their own keep per edge: fields at its points, or the media on both sides. */
static inline int ewi_fields_per_edge(const struct ewi_sizes *sizes)
{
    return sizes->media ? 2 * sizes->media : sizes->basis->ne * sizes->fields;
}

struct ewi_diagnostics;

/* Reports errors to the diagnostics. mesh: only its counts are read; NULL: they are not known. */
void ewi_sizes_of_problem(const ew_problem *problem, const ew_mesh_info *mesh, struct ewi_sizes *sizes,
                          struct ewi_diagnostics *diagnostics);

/* The Courant number of a problem that gives none, before curves reduce it (curve_depth.c). */
double ewi_default_cfl(const struct ewi_sizes *sizes);

/* quantities.c: the names and formulas of ew_problem.quantity. Names have fewer characters than the limit. */
enum { EWI_QUANTITY_NAME = 64 };
void ewi_quantities_check(const ew_problem *problem, struct ewi_diagnostics *diagnostics);
/* average_slots.c: checks ew_problem.averages; sets an upper limit of the accumulators that they need. */
void ewi_averages_check(const ew_problem *problem, struct ewi_diagnostics *diagnostics);
int ewi_problem_average_slots(const ew_problem *problem);

/* Doubles in the tiled layout: of a state with padded elements, and of the contributions to one side of every slot. */
size_t ewi_state_doubles(const struct ewi_sizes *sizes);
size_t ewi_slot_doubles(const struct ewi_sizes *sizes);
/* ... of the targets of sponges, and of all sources. */
size_t ewi_sponge_doubles(const struct ewi_sizes *sizes);
size_t ewi_source_doubles(const struct ewi_sizes *sizes);
/* ... and of the outflow of all boundary slots; 0 if it is not integrated. */
size_t ewi_outflow_doubles(const struct ewi_sizes *sizes);

#endif
