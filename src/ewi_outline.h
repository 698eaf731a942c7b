/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A problem, normalised: its words are rows of the lists, its numbers are checked, and it is known how large it is.
 * This takes the mesh's size only. What memory a solver needs follows from it.
 */
#ifndef EWI_OUTLINE_H
#define EWI_OUTLINE_H

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

/* A plan has the same members without a name before them (ewi_plan.h). */
#define EWI_OUTLINE_MEMBERS                                                                             \
    const struct ewi_law *law;                                                                          \
    const struct ewi_basis *basis;                                                                      \
    const struct ewi_scheme *scheme;                                                                    \
    const struct ewi_limiter *limiter; /* NULL: none */                                                 \
    bool positivity, uniform_step;                                                                      \
    double parameter[2];                                                                                \
    int variables, fields, rows; /* rows = variables * basis->np */                                     \
    int flux;                                                                                           \
    double cfl, steady;                                                                                 \
    int64_t width;           /* of the state's tiles */                                                 \
    enum ewi_kernel_set set; /* EWI_SET_BEST: which, is the backend's choice */                         \
    /* Slots: as many as there are or, if only the mesh's size is known, at most. */                    \
    int32_t elements, padded, edges, slots, boundary_slots;                                             \
    /* Boundary data that depend on t, once they are known: whether there are any, also by callbacks; formulas. */ \
    bool time_dependent, callbacks;                                                                     \
    size_t instructions, constants;                                                                     \
    bool divided; /* it is a part's */

struct ewi_outline {
    EWI_OUTLINE_MEMBERS
};

struct ewi_findings;

/* What is wrong goes to the findings. mesh: only its counts are read; NULL: they are not known. */
void ewi_outline_problem(const ew_problem *problem, const ew_mesh_info *mesh, struct ewi_outline *outline,
                         struct ewi_findings *findings);

/* Doubles in the tiled layout: of a state with padded elements, and of the contributions to one side of every slot. */
size_t ewi_state_doubles(const struct ewi_outline *outline);
size_t ewi_slot_doubles(const struct ewi_outline *outline);

#endif
