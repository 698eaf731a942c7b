/* SPDX-License-Identifier: BSD-2-Clause */
/* The members of a solver, for the functions that have a file of their own. */
#ifndef EWI_SOLVER_H
#define EWI_SOLVER_H

#include "ewi_backend.h"
#include "ewi_plan.h"

struct ew_solver {
    ew_host host;
    struct ewi_plan *plan;
    const struct ewi_backend *backend;
    void *instance;
    ew_ensemble *ensemble; /* NULL: none */
    bool meets;            /* whether its backend has something for the ensemble */
    bool is_snapshot;   /* it stands still, and the plan is another solver's (snapshot.c) */
    ew_data exact;
    bool fine_errors;
    double *copy;       /* of a state that lies on a device; NULL until asked for */
    bool copied;        /* whether it is up to date */
    double *activity;   /* [elements], of the limiter; NULL until asked for */
    bool has_activity;  /* whether it is up to date */
    struct ewi_averages *averages; /* NULL: none (averages.c) */
    struct ewi_expected expected; /* those that its backend has prepared (expected.c) */
    const void *sampled;          /* their values; NULL until asked for */
    double time, dt, change, rate, largest_rate; /* see ew_moment */
    int64_t steps;
    size_t bytes, device_bytes;
    int parts;
    int64_t cut_edges;
    double imbalance;
    char choice[512]; /* of the backend: why not another one */
};

/* boundary_flux.c: fluxes through a boundary edge, outwards, per length of the edge. */
struct ewi_boundary_flux {
    double flux[EW_MAX_VARIABLES];    /* the numerical one */
    double viscous[EW_MAX_VARIABLES]; /* the part of it that is diffusive, with its penalty; 0 for other laws */
    double heat;                      /* the heat in it, at a wall; 0 elsewhere */
};
/*
 * The fluxes through boundary b at point q of its slot.
 *   base: the element's coefficients; field: the law's given fields there; (nx, ny): the edge's unit normal
 */
void ewi_boundary_flux(const struct ewi_plan *plan, int32_t b, int32_t slot, int q, double t, const double *base,
                       const double *field, double nx, double ny, struct ewi_boundary_flux *through);
/*
 * The conserved variables u on a wall and the diffusive flux through it, along the wall's own normal: on its curve, if
 * it has one, otherwise the same as ewi_boundary_flux. There is no numerical flux.
 */
void ewi_wall_flux(const struct ewi_plan *plan, int32_t b, int32_t slot, int q, double t, const double *base, double *u,
                   struct ewi_boundary_flux *through);

/* Sets the outflow of all boundaries to 0, if the problem integrates it (outflow.c). */
int ewi_solver_clear_outflow(ew_solver *solver, ew_error *error);

/* accumulate.c: creates the averages of a solver; steps until the next sample; adds a sample of the present state. */
int ewi_solver_begin_averages(ew_solver *solver, ew_error *error);
int64_t ewi_solver_steps_to_sample(const ew_solver *solver);
int ewi_solver_sample_averages(ew_solver *solver, ew_error *error);
/* averages.c: removes all samples. */
int ewi_solver_clear_averages(ew_solver *solver, ew_error *error);
/* The averages, fetched from the backend if necessary; NULL if the problem has none. */
int ewi_solver_view_averages(ew_solver *solver, const struct ewi_averages **averages, ew_error *error);
/* True for statistics that are polynomials between nodes; the others are linear there. */
bool ewi_average_is_smooth(enum ew_statistic statistic);
/* The value of average `number` at a point of element i. */
double ewi_average_at(const struct ewi_plan *plan, const struct ewi_averages *averages, int number, int32_t i,
                      const double rs[2]);
/* Those of a solver or a snapshot; NULL if the problem has none. */
int ewi_averages_create(const ew_solver *solver, struct ewi_averages **result, ew_error *error);
int ewi_averages_copy(ew_solver *solver, struct ewi_averages *copy, ew_error *error);
void ewi_averages_destroy(const ew_host *host, struct ewi_averages *averages);
size_t ewi_averages_bytes(const struct ewi_plan *plan);

/* A snapshot's backend knows nothing but a state. */
#define EWI_REQUIRE_MOVING(solver)                                                                                 \
    do {                                                                                                           \
        if ((solver)->is_snapshot)                                                                                 \
            return ewi_fail(error, EW_EINVAL, "a snapshot of a solver stands still: it cannot be advanced, set, "  \
                                              "or asked for residuals");                                           \
    } while (0)

/*
 * The sentence for EW_ESTATE, and its part on what may help at an element (-1: none is known), or anywhere if it has
 * spread from there (inadmissible.c).
 */
int ewi_solver_inadmissible(ew_solver *solver, const struct ewi_progress *progress, ew_error *error);
void ewi_advise(const struct ewi_plan *plan, int32_t element, bool has_spread, char *text, size_t size);

/*
 * The ensemble's part in a solver's life (ensemble.c): `join` completes the options for its backend; of one that meets
 * others, `leave` comes before the instance is destroyed, and `advance` joins those that advance at the same time.
 */
int ewi_ensemble_join(ew_ensemble *ensemble, const struct ewi_backend *backend, struct ewi_backend_options *options,
                      ew_error *error);
void ewi_ensemble_leave(ew_ensemble *ensemble, void *instance);
void ewi_ensemble_advance(ew_ensemble *ensemble, struct ewi_entrant *entrant);

/* How advancing begins, and how it ends with such a status (progress.c). */
struct ewi_progress ewi_solver_start(const ew_solver *solver);
int ewi_solver_advanced(ew_solver *solver, int status, const struct ewi_progress *progress, ew_error *error);
/* Checks the arguments of an advance. */
int ewi_solver_may_advance(const ew_solver *solver, double until, int64_t max_steps, ew_error *error);

/* The length that the next step would have, not cut. */
int ewi_solver_next_step(ew_solver *solver, double *dt, ew_error *error);

/* The state in the plan's layout, wherever it lies. Valid until the backend is called. */
int ewi_solver_view(ew_solver *solver, const double **state, ew_error *error);

/*
 * Limiter activity, for each element in the solver's order: the share of the slopes that the limiter removes, 0 .. 1
 * (activity.c).
 */
int ewi_solver_activity(ew_solver *solver, const double **activity, ew_error *error);

/*
 * Where the backend has samples of these points, and the first one's number among those; NULL: it has not. Valid until
 * the backend is called.
 */
int ewi_expected_samples(ew_solver *solver, int64_t count, const int32_t *element, const double *rs, bool single,
                         const void **values, int64_t *at, ew_error *error);
/* Its need of GPU memory. */
size_t ewi_expected_bytes(const ew_solver *solver);
/* Its number of this output; -1: none. */
int ewi_expected_output(const struct ewi_expected *expected, int output);

/* EW_EINVAL if the problem has no output quantity of this number (outputs.c). */
int ewi_solver_check_output(const ew_solver *solver, int output, ew_error *error);

/* An array like the state, in the order of the mesh's file. */
void ewi_solver_file_order(const struct ewi_plan *plan, const double *state, double *coefficients);

#endif
