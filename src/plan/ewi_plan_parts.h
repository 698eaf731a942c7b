/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of a plan; each knows the plan, and none the others. Errors go to the diagnostics. */
#ifndef EWI_PLAN_PARTS_H
#define EWI_PLAN_PARTS_H

#include "ewi_bad_points.h"
#include "ewi_plan.h"

/*
 * boundaries.c: names and kinds, which need no grid; then points, normals and given states. `initial`: where that is
 * bad.
 */
void ewi_boundaries_choose(struct ewi_plan *plan, const ew_problem *problem, struct ewi_diagnostics *diagnostics);
int ewi_boundaries_fill(struct ewi_plan *plan, const ew_problem *problem, const struct ewi_bad_points *initial,
                        struct ewi_diagnostics *diagnostics, ew_error *error);

/* Tells the host's log what is odd. */
void ewi_boundaries_warn(const struct ewi_plan *plan);

/* wall_motion.c: once a wall's given values are filled in */
void ewi_wall_motion_check(struct ewi_plan *plan, const struct ewi_edge_group *group, const char *name, double time,
                           struct ewi_diagnostics *diagnostics);
void ewi_wall_motion_warn(const struct ewi_plan *plan);

/* curve_depth.c: the depth of a boundary's curve over the edge of a slot, from its heights there */
void ewi_depth_measure(struct ewi_plan *plan, int32_t boundary, int32_t slot, int points, const double *height);
void ewi_depth_check(const struct ewi_plan_boundary *boundary, const char *name, struct ewi_diagnostics *diagnostics);
/* The largest stable Courant number, and the default one. */
void ewi_depth_choose_cfl(struct ewi_plan *plan, const ew_problem *problem);
void ewi_depth_warn(const struct ewi_plan *plan);

/*
 * initial.c: the coefficients c[rows] of data on element i, c_j = sum_q w_q phi_j(q) u(q): the L2 projection by the
 * volume rule. Counts the points where the data are not admissible.
 */
void ewi_project_data(const struct ewi_plan *plan, const ew_data *data, double time, int32_t i, double *c,
                      struct ewi_bad_points *points);

/*
 * step_levels.c: find: the levels of the elements, as many as the mesh allows. choose: their number, once the initial
 * state and the fields are known; widths and rates of diffusion are then those of these levels. interval: between
 * outputs, or 0.
 */
int ewi_step_levels_find(struct ewi_plan *plan, ew_error *error);
int ewi_step_levels_choose(struct ewi_plan *plan, double interval, ew_error *error);

/* step_limits.c: fills width ratios and rates of diffusion. */
void ewi_step_limits_fill(struct ewi_plan *plan);
/* The speed of an element's mean in the initial state, as steps follow it. */
double ewi_step_speed(const struct ewi_plan *plan, int32_t i);

/*
 * local_steps.c: what local steps exclude, once all choices are made; fill: scales the elements' steps, whose width
 * ratios and rates of diffusion are known, and returns false without memory
 */
void ewi_local_steps_check(const struct ewi_plan *plan, const ew_problem *problem, struct ewi_diagnostics *diagnostics);
bool ewi_local_steps_fill(struct ewi_plan *plan);

/* diffusion.c: how much diffusion limits the time step */
void ewi_diffusion_fill(struct ewi_plan *plan);

/* sponge.c: once given states are filled in. A failed call leaves what ewi_sponge_free frees. */
int ewi_sponge_fill(struct ewi_plan *plan, double time, struct ewi_diagnostics *diagnostics, ew_error *error);
void ewi_sponge_free(const ew_host *host, struct ewi_sponge *sponge);

/*
 * source.c: fills the plan's source, and checks that its formulas are finite in the initial state. After a failed call
 * the plan still frees its memory.
 */
int ewi_source_fill(struct ewi_plan *plan, const ew_problem *problem, struct ewi_diagnostics *diagnostics,
                    ew_error *error);
/* raster_gaps.c: tells the host's log where the exact solution or a quantity is NaN for want of a raster's value. */
void ewi_gaps_warn(const struct ewi_plan *plan, const ew_problem *problem);

/* Tells the host's log if the source is stiff. */
void ewi_source_warn(const struct ewi_plan *plan);

/*
 * quantities.c: number of a problem's output quantities that are no averages; reports a wrong name of one, and returns
 * false if it is none at all.
 */
int ewi_problem_quantities(const ew_problem *problem);
bool ewi_check_output_name(const ew_problem *problem, int output, ew_place place, struct ewi_diagnostics *diagnostics);
/* Bytes of a text, 0 for NULL; its copy at *room, behind which *room moves. */
size_t ewi_text_bytes(const char *text);
const char *ewi_keep_text_in(char **room, const char *text);
/* quantities.c: keeps what ewi_quantities_check (ewi_sizes.h) has found good. */
int ewi_quantities_keep(struct ewi_plan *plan, const ew_problem *problem, ew_error *error);

/* average_slots.c: keeps what ewi_averages_check (ewi_sizes.h) has found good, with the quantities. */
int ewi_averages_keep(struct ewi_plan *plan, const ew_problem *problem, ew_error *error);

/* given_values.c: from the initial state and the boundaries' */
void ewi_plan_find_most(struct ewi_plan *plan);

/* given_fields.c */
void ewi_given_fields_fill(struct ewi_plan *plan, const ew_data *data, struct ewi_diagnostics *diagnostics);

/* media.c: first of all, because states of elements depend on their media */
void ewi_media_fill(struct ewi_plan *plan, const ew_data *data, struct ewi_diagnostics *diagnostics);

#endif
