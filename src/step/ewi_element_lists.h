/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ranges of elements and edges of each list of a step (ewi_step.h), for the loops of a backend's kernels.
 */
#ifndef EWI_ELEMENT_LISTS_H
#define EWI_ELEMENT_LISTS_H

#include "ewi_plan.h"
#include "ewi_step.h"

struct ewi_ranges {
    int32_t count;
    struct ewi_range *range; /* ascending, of whole tiles */
};

struct ewi_listed {
    struct ewi_ranges elements, slots; /* slots: all edges of these elements, each range of one boundary or of none */
    int32_t units, *unit;              /* numbers of these elements' units (blocks or tiles), ascending */
};

struct ewi_element_lists {
    struct ewi_listed list[EWI_MAX_ELEMENT_LISTS];
};

/*
 * The class of a unit of `unit` elements: the first one of its elements'. Units of padded elements and of the ghost
 * layer alone are of the last class of `classes`.
 */
int ewi_class_of_unit(const struct ewi_plan *plan, int classes, int32_t unit, int32_t number);

/*
 * unit: elements that kernels do not divide; most: elements or slots of a range; both multiples of EWI_TILE. Also after
 * a failure ewi_element_lists_destroy frees what there is.
 */
int ewi_element_lists_create(const struct ewi_plan *plan, const struct ewi_step *step, int32_t unit, int32_t most,
                             struct ewi_element_lists *lists, ew_error *error);
void ewi_element_lists_destroy(const ew_host *host, struct ewi_element_lists *lists);

#endif
