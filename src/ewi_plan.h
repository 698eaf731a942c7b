/* A problem, made ready once: what every backend reads and none changes but for the boundary data of time-dependent formulas. */
#ifndef EWI_PLAN_H
#define EWI_PLAN_H

#include "ewi_basis.h"
#include "ewi_grid.h"
#include "ewi_laws.h"
#include "ewi_scheme.h"

#include <stdbool.h>

/* One boundary of the mesh: its ghost and, where that needs it, the given state and the normals at its edges' points. */
struct ewi_plan_boundary {
    int ghost;
    bool given;
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

int ewi_plan_create(const ew_host *host, const ew_mesh *mesh, const ew_problem *problem, struct ewi_plan **plan,
                    ew_error *error);
void ewi_plan_destroy(struct ewi_plan *plan);
int ewi_plan_bytes(const ew_mesh *mesh, const ew_problem *problem, size_t *bytes, ew_error *error);

/* Given states of slots first .. first+count-1 at time t; slots of one boundary. */
void ewi_plan_evaluate_boundary(struct ewi_plan *plan, const struct ewi_edge_group *group, int32_t first, int32_t count,
                                double t);

/* Doubles in the tiled layout: of a state, padded elements included, and of the contributions to one side of every slot. */
size_t ewi_plan_state_doubles(const struct ewi_plan *plan);
size_t ewi_plan_slot_doubles(const struct ewi_plan *plan);

/* Values of a formula or callback at n points: values[k * n + i]. */
void ewi_data_evaluate(const ew_data *data, size_t n, const double *x, const double *y, double t, double *values);
bool ewi_data_is_given(const ew_data *data);
unsigned ewi_data_variables(const ew_data *data);

#endif
