/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The list of limiters, whose bodies are in limiter/<limiter>.h; CONTRIBUTING.md says how to add one. The kernels of
 * both sets on CPUs and GPUs, checks, sentences and the limiter activity follow from a row.
 */
#ifndef EWI_LIMITERS_H
#define EWI_LIMITERS_H

#include "ewi_choice.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * X(limiter, name, first and last order that it is made for, kind, operations on a variable of an element,
 * description). A limiter by cell means limits after every stage and the initial state. One with a jump sensor limits
 * the state after a step's last stage, by the jumps at edges in the state from which that stage starts. One with
 * subcells limits no state: it changes fluxes and right-hand sides.
 */
#ifndef EWI_LIMITERS /* tests/laws has a list of its own */
#define EWI_SUBCELL_ORDERS 3 /* orders 1 .. 3 have control volumes (src/tables) */
#define EWI_LIMITERS(X)                                                                       \
    X(barth_jespersen, "barth-jespersen", 1, 1, EWI_LIMITER_CELL_MEANS, 9 * 2 + 4 + 2 + 2,    \
      "Barth and Jespersen's slope limiter, per variable, for order 1")                       \
    X(oscillation_free, "oscillation-free", 1, 5, EWI_LIMITER_JUMP_SENSOR, 8,                 \
      "damping by the jumps at edges, for nonlinear laws")                                    \
    X(subcell, "subcell", 1, EWI_SUBCELL_ORDERS, EWI_LIMITER_SUBCELLS, 8,                     \
      "finite volumes in elements with shocks, for euler and shallow-water")
#endif

#define EWI_LIMITER_NUMBER(limiter, ...) EWI_LIMITER_##limiter,
enum ewi_limiter_number { EWI_LIMITERS(EWI_LIMITER_NUMBER) EWI_LIMITER_COUNT };
#undef EWI_LIMITER_NUMBER

enum ewi_limiter_kind { EWI_LIMITER_CELL_MEANS, EWI_LIMITER_JUMP_SENSOR, EWI_LIMITER_SUBCELLS };

struct ewi_limiter {
    enum ewi_limiter_number number; /* index of its kernels */
    const char *name, *description;
    const char *identifier; /* in names of kernels */
    int first_order, last_order;
    enum ewi_limiter_kind kind;
    int operations;
};

/* Number `index` of the list; NULL beyond the last one. */
const struct ewi_limiter *ewi_limiter_at(int index);
/* The names, "none" first. */
struct ewi_choice ewi_limiter_choice(int index);
/* false: there is none of that name. *limiter is NULL for "none"; a NULL name stands for the default. */
bool ewi_limiter_find(const char *name, const struct ewi_limiter **limiter);
/* The kinds; none is true of NULL. */
bool ewi_limiter_has_sensor(const struct ewi_limiter *limiter);
bool ewi_limiter_by_means(const struct ewi_limiter *limiter);
bool ewi_limiter_has_subcells(const struct ewi_limiter *limiter);
/* A jump sensor needs a law that says how large jumps are, and subcells one without gradients. */
struct ewi_law;
bool ewi_limiter_has_law(const struct ewi_limiter *limiter, const struct ewi_law *law);
/* True if it limits after a stage, or the initial state; `last`: after a step's last stage. NULL never does. */
bool ewi_limiter_acts(const struct ewi_limiter *limiter, bool last);
bool ewi_limiter_has_order(const struct ewi_limiter *limiter, int order);
/* "order 1", "orders 1 to 5". Returns the text. */
const char *ewi_limiter_orders(const struct ewi_limiter *limiter, char *text, size_t size);

#endif
