/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A time step as data: the list of operations that advance a state by one step of a Runge-Kutta scheme, with what comes
 * before the first step. A backend walks the list, or lowers it to launches; it decides nothing about the order itself.
 *
 * A new operation is a row of EWI_OPERATIONS, its place in step.c, and a body in each backend.
 */
#ifndef EWI_STEP_H
#define EWI_STEP_H

#include "ewi_sizes.h"

#include <stddef.h>

/*
 * X(kind, collective, listed, description); collective: other parts wait for it, so that a failed part does it, too;
 * listed: it can be of a list of elements, otherwise it is of all.
 */
#define EWI_OPERATIONS(X)                                                                   \
    X(speed, false, true, "largest wave speed")                                             \
    X(boundary, false, false, "boundary data")                                              \
    X(reduce, true, false, "maximum over threads and parts")                                \
    X(begin, false, false, "length of the step, or the end of the loop")                    \
    X(keep, false, false, "copy of the state, for its change")                              \
    X(sense, false, false, "alpha of elements, by their own jumps")                         \
    X(alpha, false, false, "... and by those of neighbours")                                \
    X(divide, false, false, "lists of divided elements and their edges")                    \
    X(subcells, false, false, "control volumes of divided elements")                        \
    X(jump_sensor, false, true, "jumps at edges, for the limiter")                          \
    X(source, false, false, "sources in elements")                                          \
    X(outflow, false, false, "flux through boundaries, added to its integral over time")    \
    X(ghost, false, true, "ghost states")                                                   \
    X(volume, false, true, "volume integrals")                                              \
    X(surface, false, true, "fluxes through edges")                                         \
    X(gather, false, true, "right-hand side from volume and surface integrals")             \
    X(update, false, true, "Runge-Kutta update")                                            \
    X(stage, false, true, "ghost states to update in one kernel")                           \
    X(limit, false, true, "limiter")                                                        \
    X(positivity, false, true, "positivity")                                                \
    X(exchange, true, false, "ghost layer from other parts")                                \
    X(send, false, false, "elements that other parts need, sent to them")                   \
    X(receive, true, false, "ghost layer from what other parts have sent")                  \
    X(instants, false, false, "all instants of a macro step")                               \
    X(trial, false, true, "trial states of faster neighbours")                              \
    X(couple, false, true, "stages of interface elements, and their views")                 \
    X(close, false, true, "new states of interface elements from their views")              \
    X(view, false, true, "views of new states")                                             \
    X(change, false, false, "largest change in the step")                                   \
    X(end, false, false, "time and number of steps")

#define EWI_OPERATION_NUMBER(kind, ...) EWI_OP_##kind,
enum ewi_operation_kind { EWI_OPERATIONS(EWI_OPERATION_NUMBER) EWI_OP_COUNT };
#undef EWI_OPERATION_NUMBER

/*
 * X(quantity). A reduction finds the maximum of speed or change. An exchange is for the state or, before a limiter by
 * cell means, for the means only; valid.c tells them apart, but backends exchange whole states in both cases. Of alpha,
 * a number an element: by its own jumps, which its neighbours need, and what follows with theirs. Over a bed with
 * levels, states bring the room of elements with them (ewi_bed_room.h); at the start of steps it changes alone.
 */
#define EWI_QUANTITIES(X) X(state) X(means) X(own_alpha) X(alpha) X(room) X(speed) X(change)

#define EWI_QUANTITY_NUMBER(quantity) EWI_QUANTITY_##quantity,
enum ewi_quantity { EWI_QUANTITIES(EWI_QUANTITY_NUMBER) EWI_QUANTITY_COUNT };
#undef EWI_QUANTITY_NUMBER

/*
 * Lists of elements. Each element has a class (ewi_plan.h); in a part, class 0 are the elements that other parts have
 * in their ghost layers. A list holds the classes first .. end - 1; its operations may read neighbours of any class.
 * Operations on edges take all edges of the list's elements; an edge between two lists is computed in both, with the
 * same result.
 */
enum { EWI_NO_LIST = -1, EWI_ALL_ELEMENTS, EWI_MAX_ELEMENT_LISTS = 16, EWI_MAX_CLASSES = 8 };

struct ewi_element_list {
    const char *name;
    int first, end;
    const char *text; /* what it is in words; NULL: its classes */
};

/*
 * Lists of steps with levels (ewi_level_plan.h), which depend on the instant: elements of active levels, the views that
 * these see, their trials, and the elements whose steps end at the end of the instant. Where views are limited, their
 * neighbours' states and views count.
 */
enum { EWI_LIST_ACTIVE = EWI_ALL_ELEMENTS + 1, EWI_LIST_VIEWS, EWI_LIST_TRIALS, EWI_LIST_ENDING, EWI_LIST_INTERFACE,
       EWI_LIST_SUMS };

/* X(data): of which boundaries. */
#define EWI_DATA_KINDS(X) X(all) X(formulas) X(callbacks)

#define EWI_DATA_NUMBER(data) EWI_DATA_##data,
enum ewi_data_kind { EWI_DATA_KINDS(EWI_DATA_NUMBER) EWI_DATA_COUNT };
#undef EWI_DATA_NUMBER

enum { EWI_NO_REGISTER = -1, EWI_MAX_OPERATIONS = 128 };

/* A set of kinds of operations. */
_Static_assert(EWI_OP_COUNT <= 32, "sets of kinds of operations have 32 bits");
#define EWI_OP_BIT(kind) (1u << EWI_OP_##kind)

struct ewi_operation {
    enum ewi_operation_kind kind;
    int source, target; /* registers of the scheme, or EWI_NO_REGISTER */
    int stage;          /* of the scheme, from 1; 0: of none */
    double time;        /* at which boundary data are taken, in steps from the step's start */
    double weight;      /* of outflow: of the stage's flux in the step (ewi_scheme_weights) */
    enum ewi_quantity quantity; /* of boundary data: speed if they limit the length of the step, otherwise state */
    int elements;               /* number of a list of the step */
    enum ewi_data_kind data;

    /* Operations that fuse.c has moved into this one, as sets of kinds: those applied to its source on load, */
    unsigned on_load;
    unsigned on_store; /* and to its target, or from it, before or as it is stored. */
    bool stores_limited; /* the source, limited on load, is stored: a later stage needs it */
    bool whole_step;     /* of boundary data: those of all stages and of the step's end at once */
    bool leaves_pending; /* the target is still to be limited, by the next step or by the list `finalize` */
    bool completes;      /* no operation but an exchange changes the target before a stage loads it */
};

/* Operations that follow each other. */
struct ewi_operation_range {
    int first, count;
};

struct ewi_step {
    int classes, lists; /* classes that the lists name, 1 if there is only the list of all elements */
    struct ewi_element_list list[EWI_MAX_ELEMENT_LISTS];
    int operations;
    struct ewi_operation operation[EWI_MAX_OPERATIONS];
    struct ewi_operation_range opening;  /* what the first step needs; part of `step` where every step begins with it */
    struct ewi_operation_range step;
    struct ewi_operation_range instant; /* of levels: once for each instant of a macro step (EWI_OP_instants) */
    struct ewi_operation_range rhs;      /* one right-hand side of register 0 */
    struct ewi_operation_range initial;  /* for a state that is set: what stages do to theirs */
    struct ewi_operation_range finalize; /* limits a state that the last step has left pending */
};

/* The operations that a backend's kernels fuse. All false: one operation per kernel, as in the paper. */
struct ewi_fusion {
    bool next_step;      /* the end of a step finds the length of the next one */
    bool stages;         /* a stage is one kernel, with positivity and a limiter with a jump sensor; */
    bool limits;         /* ... includes a limiter by cell means; */
    bool limits_on_load; /* ... applies it to its source, on load; */
    bool speed;          /* ... and the last one of a step computes the maximum speed in its target; */
    bool of_means;       /* ... of its means only: an operation follows where speeds of points count, too */
    bool sends;          /* stages send their interface, and take the ghost layer from where it arrives */
    bool overlaps;       /* a stage makes its interface first, which is sent while it makes the rest */
    bool sources;        /* a stage evaluates its sources by itself; otherwise they come before it */
    bool data_ahead;     /* formulas' boundary data of a whole step are evaluated at its start */
};

/*
 * Levels: true if stage `number`, from 0, of an interface element needs its faster neighbours in trial states. In the
 * first stage they have no others, and the last one only weighs what came before.
 */
static inline bool ewi_level_tries(const struct ewi_scheme *scheme, int number)
{
    return number > 0 && number < scheme->stages - 1;
}

/* ... and true if its right-hand side in these is needed, too, from which the next trials follow. */
static inline bool ewi_level_evaluates(const struct ewi_scheme *scheme, int number)
{
    return ewi_level_tries(scheme, number) && ewi_level_tries(scheme, number + 1);
}

/* ... and true if its trials follow from such a right-hand side. */
static inline bool ewi_level_trials_need_rhs(const struct ewi_scheme *scheme, int number)
{
    return number > 0 && ewi_level_evaluates(scheme, number - 1);
}

/* The operations of the scheme with its limiter, one by one: any sizes fits into EWI_MAX_OPERATIONS. */
void ewi_step_make(const struct ewi_sizes *sizes, struct ewi_step *step);
/* The same step for kernels that take several operations. `fused` and `step` must differ. */
void ewi_step_fuse(const struct ewi_sizes *sizes, const struct ewi_step *step, const struct ewi_fusion *fusion,
                   struct ewi_step *fused);
/* Both at once. */
void ewi_step_make_fused(const struct ewi_sizes *sizes, const struct ewi_fusion *fusion, struct ewi_step *step);

/*
 * True if each operation has its input: registers that hold a state, limited and with its ghost layer where a stage
 * loads it; likewise those of an instant of levels. If not, *why is a sentence about operation number *at. `sizes`:
 * those that the step was made for.
 */
bool ewi_step_is_valid(const struct ewi_sizes *sizes, const struct ewi_step *step, int *at, const char **why);

/* The same as an error: `why` is what is wrong with operation number `at`. */
int ewi_step_check(const struct ewi_sizes *sizes, const struct ewi_step *step, ew_error *error);
int ewi_step_refuse(const struct ewi_step *step, int at, const char *why, ew_error *error);

/* The number of a list of elements, which is added to the step; EWI_NO_LIST: there are too many lists or classes. */
int ewi_step_add_list(struct ewi_step *step, const char *name, int first, int end);
/* The classes of an operation's list as a set of bits. */
unsigned ewi_step_classes(const struct ewi_step *step, const struct ewi_operation *operation);
/* True if an operation's list has the last class: of the lists that an operation is divided into, one has it. */
bool ewi_step_has_last_class(const struct ewi_step *step, const struct ewi_operation *operation);

/* One line, without an end, as "update u0 -> u1, stage 1". Returns its length, as snprintf does. */
int ewi_operation_describe(const struct ewi_step *step, const struct ewi_operation *operation, char *text, size_t size);
int ewi_element_list_describe(const struct ewi_element_list *list, char *text, size_t size);
/* Line `index` of all of it: 1 for a heading, 2 for what is below it, 0 beyond the last one (ew_plan_step). */
int ewi_step_line(const struct ewi_step *step, int index, char *text, size_t size);
const char *ewi_operation_name(enum ewi_operation_kind kind);
const char *ewi_operation_description(enum ewi_operation_kind kind);
bool ewi_operation_is_collective(enum ewi_operation_kind kind);
bool ewi_operation_is_listed(enum ewi_operation_kind kind);

/* The operations that some stage of a step applies on load; and whether one stores the limited state of a register. */
unsigned ewi_step_on_load(const struct ewi_step *step);
bool ewi_step_stores_limited(const struct ewi_step *step, int source);

#endif
