/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A backend is a table of functions; those marked "or NULL" are optional abilities. To add a backend, add its folder
 * and a line in EWI_BACKENDS.
 */
#ifndef EWI_BACKEND_H
#define EWI_BACKEND_H

#include "edgewise.h"
#include "ewi_choice.h"

#include <stdbool.h>

/* X(name): in the order of preference of "auto" */
#define EWI_BACKENDS(X) X(cuda) X(omp)

struct ewi_fusion;
struct ewi_plan;
struct ewi_sizes;
struct ewi_step;

enum { EWI_STAGE_LOST = -1 };

/* How a call to advance ended, and with what. */
struct ewi_progress {
    /* dt, change, rate: the last step's (ewi_clock.h); change: NaN if not asked for */
    double time, dt, change, rate, largest_rate;
    int64_t steps;
    enum ew_stop stop;
    /*
     * On EW_ESTATE: the stage (from 1; 0: before the first one), the first inadmissible element and its mean conserved
     * state. Or EWI_STAGE_LOST: no element is inadmissible, but the next step is so short that adding it does not
     * change the time.
     */
    int stage;
    int32_t element;
    double mean[EW_MAX_VARIABLES];
    uint32_t precedence; /* in a part: of all parts' elements, the one with the lowest is reported */
    /* ... and if some part has found boundary data that are not admissible, the time of the lowest level, from 1 */
    int bad_level;
};

struct ewi_backend_options {
    const char *level, *image; /* NULL: the best one */
    int threads, device;
    bool in_ensemble;
    void *ensemble; /* the backend's, if it has ensemble_create */
    /* Changes each list of operations that the backend has made, which then checks it; or NULL: it stays as it is. */
    void (*rewrite)(struct ewi_step *step);
};

/* Points at which samples will be wanted (ew_solver_expect_points). */
struct ewi_expected {
    int64_t count;          /* 0: none */
    const int32_t *element; /* [count], in the order of the mesh's file; below 0: none */
    const double *rs;       /* [count][2] */
    int outputs, output[EW_MAX_OUTPUTS]; /* numbers for ewi_plan_output, all of the law */
    bool single;
};

/* A member's part in advance_together. */
struct ewi_entrant {
    void *instance;
    double until;
    int64_t max_steps;
    struct ewi_progress progress; /* as advance has it */
    bool stopped;                 /* or else it is between two steps, and progress tells where */
    int status;
    ew_error error;
};

struct ewi_backend {
    const char *name, *description;
    /* Returns whether it can run here; if not, the error says why. Or NULL: anywhere. */
    bool (*usable)(ew_error *error);
    /* Its level of instructions number `index`, the best one first; NULL beyond the last one. Or NULL: it has none. */
    const char *(*level)(int index, const char **description);
    /* The code for a GPU number `index` that the build has, the best one first; NULL beyond the last one. Or NULL. */
    const char *(*image)(int index, const char **description);
    /* Describes device number `index`; false beyond the last one. Or NULL: it runs on the host's cores. */
    bool (*device)(int index, char *text, size_t size);
    /* The plan, which may be a part's (ewi_part.h), is borrowed and shared; `instance` is the backend's own. */
    int (*create)(struct ewi_plan *plan, const struct ewi_backend_options *options, void **instance, ew_error *error);
    /*
     * Connects parts in one process after all have been created: each thread calls it for its part. Or NULL: not
     * needed.
     */
    int (*connect)(void *instance, ew_error *error);
    void (*destroy)(void *instance);
    void (*describe)(const void *instance, const char **kernels, char *device, size_t size);
    /* The operations of a step that the set of kernels fuses (src/step), as far as the sizes determine it. */
    struct ewi_fusion (*fusion)(const struct ewi_sizes *sizes);
    /* Its need of host memory and, through `device`, of GPU memory. */
    size_t (*bytes)(const struct ewi_sizes *sizes, const struct ewi_backend_options *options, size_t *device);
    /* The state in the plan's tiled layout, padded elements included; set also limits it, where the plan says so. */
    int (*set_state)(void *instance, const double *state, bool limit, ew_error *error);
    int (*get_state)(void *instance, double *state, ew_error *error);
    /* The state itself, valid until the next call. Or NULL: it does not lie in the host's memory. */
    int (*view_state)(const void *instance, const double **state, ew_error *error);
    /* The same in a GPU's memory, with the GPU's number. Or NULL: it does not lie there. */
    int (*view_device_state)(void *instance, const double **state, int *device, ew_error *error);
    /*
     * The outflow of each boundary edge, [edges][variables], in the order of the boundaries and their edges. Each step
     * adds its own to it. Only for plans with outflow.
     */
    int (*get_outflow)(void *instance, double *outflow, ew_error *error);
    int (*set_outflow)(void *instance, const double *outflow, ew_error *error);
    /* dt as it would be at the present state, not cut; EW_ESTATE if a mean is not admissible. */
    int (*time_step)(void *instance, double *dt, struct ewi_progress *progress, ew_error *error);
    /* progress has time and steps on entry. */
    int (*advance)(void *instance, double until, int64_t max_steps, struct ewi_progress *progress, ew_error *error);
    /*
     * One right-hand side of the present state at time t, kernel by kernel; each array may be NULL. volume and rhs are
     * laid out like the state; surface holds the left contributions of all slots and then all right ones, [2][whole
     * tiles of slots][rows]. EW_EINVAL if volume or surface is asked for and the kernel set does not form it.
     */
    int (*residual)(void *instance, double t, double *volume, double *surface, double *rhs, ew_error *error);
    /*
     * Like advance to any time, but each kernel is timed on its own, which makes a step slower: kernel[0 ..
     * *kernels-1], at most EW_MAX_PROFILES, those of the same name together. Names are the backend's and constant. Or
     * NULL.
     */
    int (*profile)(void *instance, int64_t steps, struct ewi_progress *progress, ew_kernel_profile *kernel,
                   int *kernels, ew_error *error);
    /*
     * Copies of a state in other memory, made while stepping continues; or NULL where view_state gives it. `create`
     * allocates the memory for one, which is *state; `start` fixes the current state and begins to copy it; `wait`, in
     * any thread, returns when the copy is complete. Copies are destroyed before their instance.
     */
    int (*copy_create)(void *instance, void **copy, double **state, ew_error *error);
    int (*copy_start)(void *copy, ew_error *error);
    int (*copy_wait)(void *copy, ew_error *error);
    void (*copy_destroy)(void *copy);
    /*
     * Samples of a state that lies elsewhere, taken there; or NULL: the host takes them. `expect_points` prepares them,
     * or, if there are none, forgets those before: EW_ENOMEM if there is not enough memory, and then there are none.
     * `sample`: of the present state, [outputs][count] one after another, valid until the next call. Copies that
     * are started later have them, too: copy_values, after copy_wait; NULL if there was no memory for it.
     */
    int (*expect_points)(void *instance, const struct ewi_expected *points, ew_error *error);
    int (*sample)(void *instance, const void **values, ew_error *error);
    const void *(*copy_values)(const void *copy);
    /*
     * Averages of a state that lies elsewhere (src/accumulate.c), accumulated there; or NULL: the host accumulates
     * them. `begin_averages`, once: phi[3][np][np] and rs[np][2] as in struct ewi_sampling. Values are those of struct
     * ewi_averages, and undefined before the first set_averages.
     */
    int (*begin_averages)(void *instance, const double *phi, const double *rs, ew_error *error);
    int (*add_sample)(void *instance, double weight, double ratio, double time, ew_error *error);
    int (*get_averages)(void *instance, double *values, ew_error *error);
    int (*set_averages)(void *instance, const double *values, ew_error *error);
    /*
     * Ensembles (edgewise.h): what instances that have it in their options share, made with the options of the first
     * one; or NULL: they share nothing. goes_along: whether advance_together is for this instance; `leave` comes before
     * such a one is destroyed, while nobody advances.
     */
    int (*ensemble_create)(const ew_host *host, const struct ewi_backend_options *options, void **ensemble,
                           ew_error *error);
    void (*ensemble_destroy)(void *ensemble);
    void (*ensemble_leave)(void *ensemble, void *instance);
    bool (*goes_along)(const void *instance);
    /*
     * Advances instances of an ensemble until `enough` of them have stopped; or less, once `calls` says so, which is
     * asked now and then. One call at a time.
     */
    void (*advance_together)(void *ensemble, int members, struct ewi_entrant *const *member, int enough,
                             bool (*calls)(void *context), void *context);
    /* The machine's limits, measured now, in about a second. Or NULL. */
    int (*limits)(const ew_host *host, const struct ewi_backend_options *options, ew_limits *limits, ew_error *error);
};

/* The clock of a call to advance, whose progress has time, dt, change and steps on entry; speed is not known yet. */
struct ewi_clock;
struct ewi_clock ewi_clock_start(const struct ewi_plan *plan, const struct ewi_progress *progress, double until,
                                 int64_t max_steps);
/* Levels of time steps: whether waves became so much faster in a step that the host's log gets a warning. */
bool ewi_clock_warn_of_growth(const ew_host *host, double growth);
/* dt of the step that would come, from a started clock with its speed. */
int ewi_clock_first_step(const struct ewi_clock *clock, const struct ewi_plan *plan, const double *state, double *dt,
                         struct ewi_progress *progress, ew_error *error);
/* The result of a stopped clock; `state` is the inadmissible one, if there is one. */
int ewi_clock_result(const struct ewi_clock *clock, const struct ewi_plan *plan, const double *state,
                     struct ewi_progress *progress, ew_error *error);

const struct ewi_backend *ewi_backend_at(int index); /* NULL beyond the last one */
const struct ewi_backend *ewi_backend_find(const char *name);

/* The lists of backends, and of all backends' levels of instructions and images. */
struct ewi_choice ewi_backend_choice(int index);
struct ewi_choice ewi_level_choice(int index);
struct ewi_choice ewi_image_choice(int index);

#endif
