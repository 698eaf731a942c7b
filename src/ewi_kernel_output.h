/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels whose outputs ew_solver_get_kernel_output gives: X(name, description), in the order in which a step needs
 * them.
 */
#ifndef EWI_KERNEL_OUTPUT_H
#define EWI_KERNEL_OUTPUT_H

#include "ewi_choice.h"

#define EWI_KERNEL_OUTPUTS(X)                                                                            \
    X(eval_volume, "volume integrals of all elements; of the kernel set edgewise")                       \
    X(eval_surface, "surface integrals of all edges, left and right; of the kernel set edgewise")        \
    X(eval_rhs, "the right-hand side")                                                                   \
    X(limit_c, "the coefficients, limited once")                                                         \
    X(time_step, "the length of the next time step")                                                     \
    X(update, "the coefficients after the next time step")

struct ewi_choice ewi_kernel_output_choice(int index);

#endif
