/* SPDX-License-Identifier: BSD-2-Clause */
/* A problem, made ready once: what every backend reads and none changes but for the boundary data of time-dependent formulas. */
#ifndef EWI_PLAN_H
#define EWI_PLAN_H

#include "ewi_basis.h"
#include "ewi_data.h"
#include "ewi_grid.h"
#include "ewi_laws.h"
#include "ewi_scheme.h"

#include <stdbool.h>

/* One boundary of the mesh: its ghost and, where that needs it, the given state and the normals at its edges' points. */
struct ewi_plan_boundary {
    int ghost;
    bool known; /* ghost and given are */
    bool given;
    bool curved;        /* there are normals of a true curve */
    ew_data state;      /* if given */
    bool time_dependent;
};

struct ewi_plan {
    ew_host host;
    const ew_mesh *mesh;
    struct ewi_grid *grid;
    const struct ewi_law *law;
    const struct ewi_basis *basis;
    const struct ewi_scheme *scheme;
    double parameter[2];
    int variables, fields, rows; /* rows = variables * basis->np */
    int flux;
    bool limited;
    double cfl, steady;
    int64_t width; /* of the state's tiles */

    struct ewi_plan_boundary *boundary; /* [mesh->boundaries] */
    bool time_dependent;                /* some boundary is */
    /*
     * At the points of boundary edges, counter-clockwise on the left element: coordinates, outward unit normals and given
     * conserved states, in tiles over boundary slots: rows [ne][2], [ne][2], [ne][variables].
     */
    double *point, *normal, *given;
    /* Given fields: tiles over padded elements, rows [nq][fields] and [3][ne][fields]; the largest speed they cause, [padded]. */
    double *volume_field, *edge_field, *speed_bound;
};

struct ewi_findings;

/*
 * What is wrong with the problem goes to the findings, and a plan that has any is good only for further checks. EW_EINVAL: not
 * even for those.
 */
int ewi_plan_create(const ew_host *host, const ew_mesh *mesh, const ew_problem *problem, struct ewi_findings *findings,
                    struct ewi_plan **plan, ew_error *error);
void ewi_plan_destroy(struct ewi_plan *plan);
int ewi_plan_bytes(const ew_mesh *mesh, const ew_problem *problem, size_t *bytes, ew_error *error);

/* Given states of slots first .. first+count-1 at time t; slots of one boundary. False: not all of them are admissible. */
bool ewi_plan_evaluate_boundary(struct ewi_plan *plan, const struct ewi_edge_group *group, int32_t first, int32_t count,
                                double t);

/* Which boundary's given state is not admissible at time t, and where, in a sentence without an end; false if none is. */
bool ewi_plan_describe_bad_boundary(struct ewi_plan *plan, double t, char *text, size_t size);

/* Doubles in the tiled layout: of a state, padded elements included, and of the contributions to one side of every slot. */
size_t ewi_plan_state_doubles(const struct ewi_plan *plan);
size_t ewi_plan_slot_doubles(const struct ewi_plan *plan);

/* Points at which given data are not what they must be: how many of how many, and the first of them. */
struct ewi_bad_points {
    int64_t bad, points;
    double x, y, t;
    double primitive[EW_MAX_VARIABLES]; /* the data there: of a state, its primitive variables */
};

static inline void ewi_count_bad_point(struct ewi_bad_points *points, double x, double y, const double *values, int count)
{
    if (points->bad++ > 0)
        return;
    points->x = x;
    points->y = y;
    for (int k = 0; k < count; k++)
        points->primitive[k] = values[k] == values[k] ? values[k] : __builtin_nan(""); /* the sign of a NaN means nothing */
}

/* A finding, if some points are bad; `what` is the state in words. */
void ewi_plan_report_states(const struct ewi_plan *plan, const struct ewi_bad_points *points, ew_place place, const char *what,
                            struct ewi_findings *findings);

/* Projects the initial state onto the basis (solver.c), if `state` is not NULL, and counts the points where it is inadmissible. */
void ewi_project_initial(const struct ewi_plan *plan, const ew_problem *problem, double *state, struct ewi_bad_points *points);

#endif
