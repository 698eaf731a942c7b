/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A solver of several parts: a backend around another one, of which each rank has an instance with a part of the plan.
 * The solver itself is rank 0's and knows the whole case; so whoever asks it for states, norms or frames need not know
 * of parts. The other ranks do what it calls them for.
 */
#ifndef EWI_PARTS_H
#define EWI_PARTS_H

#include "ewi_backend.h"
#include "ewi_comm.h"

/* True if the problem is divided into parts. */
static inline bool ewi_is_divided(const ew_problem *problem)
{
    return problem->comm || problem->parts > 1;
}

/* EW_EINVAL: it cannot be divided, whatever the backend; EW_EUNAVAILABLE: this host has too few GPUs for it. */
int ewi_parts_check(const struct ewi_plan *whole, const ew_problem *problem, const struct ewi_backend *of,
                    ew_error *error);

/* Checks only that each part has an element. what: "parts" or "ranks". */
int ewi_parts_check_number(const struct ewi_plan *whole, int parts, const char *what, ew_error *error);

/*
 * Divides the plan among the ranks of the problem's comm or, without one, among threads. The backend stands for all
 * instances of `of`.
 */
int ewi_parts_create(const struct ewi_backend *of, struct ewi_plan *whole, const ew_problem *problem,
                     const struct ewi_backend **backend, void **instance, ew_error *error);

#endif
