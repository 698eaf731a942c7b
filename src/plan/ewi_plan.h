/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A problem, made ready once, by ew_problem_check: what every backend reads and none changes but for the boundary data
 * of time-dependent formulas.
 */
#ifndef EWI_PLAN_H
#define EWI_PLAN_H

#include "ewi_bad_points.h"
#include "ewi_grid.h"
#include "ewi_sizes.h"

/* The greatest depth of a curve over its edges (curve_depth.c), and the middle of that edge. */
struct ewi_depth {
    double ratio, x, y;
};
enum { EWI_OUT_OF_DOMAIN, EWI_INTO_DOMAIN, EWI_DEPTHS }; /* as seen from the edge */

/* The given velocity u, v of a wall at the place x, y (wall_motion.c). */
struct ewi_wall_motion {
    double x, y, u, v;
    double normal; /* its component along the wall's normal */
    bool v_blamed; /* v has the larger share of that */
};

/*
 * One boundary of the mesh: its ghost and, where that needs it, the given state and the normals at its edges' points.
 */
struct ewi_plan_boundary {
    int ghost;
    bool known; /* ghost and given are */
    bool given;
    int values;         /* outputs of `state` */
    bool curved;        /* there are normals of a true curve */
    struct ewi_depth depth[EWI_DEPTHS]; /* the curve's */
    double corner;      /* of a spline, degrees; -1: there is none */
    ew_spline_info spline;
    struct ewi_bad_points odd; /* normals that may be another curve's */
    struct ewi_wall_motion motion; /* a doubtful one; normal = 0: none */
    ew_data state;      /* if given */
    bool time_dependent;
    double sponge_width, sponge_strength; /* 0: no sponge; 0: the default */
};

/*
 * Tiles of elements whose state relaxes to that of a boundary (sponge.c): the right-hand side has, in addition,
 * int rate (target - u) phi_j. In tiles without a sponge nothing is added.
 */
struct ewi_sponge {
    int32_t *number; /* [tiles of the mesh]: which of plan->sponge_tiles each is, or -1; NULL: there are no sponges */
    double *weight;  /* [sponge_tiles][nq][EWI_TILE]: rate times weight times det J at the volume points */
    double *target;  /* [sponge_tiles][rows][EWI_TILE]: coefficients */
};

/*
 * A source by formulas (source.c), which adds int S phi_j to the right-hand side of all elements. Only the whole plan
 * has rate, dt, x and y.
 */
struct ewi_plan_source {
    const ew_formula *formula; /* NULL in a part */
    const struct ewi_program *program; /* NULL without a source */
    double *origin;  /* [padded] in tiles: rows x, y of the elements' first corners */
    double rate, dt; /* the largest |eigenvalue| of dS/du in the initial state, and the first step's length, about */
    double x, y;     /* where that is */
};

/* A quantity by formula (quantities.c). */
struct ewi_plan_quantity {
    const char *name, *description;
    const struct ewi_program *program; /* its state: quantities of the law, by their numbers for ew_law_output */
    uint64_t uses;  /* bit k: the program uses quantity k of the law, */
    int used;       /* likewise, with where they come from */
    struct {
        int number;
        struct ewi_output output;
    } use[2 * EW_MAX_VARIABLES + EW_MAX_DERIVED];
    bool gradients; /* some of these need them */
    bool renames;   /* the program only copies use[0] */
};

/*
 * Averages over time (average_slots.c): samples of some quantities at the lattice of an element, and accumulators of
 * statistics there, of which each sample has one for its mean, if that is needed, and each other average has one.
 */
enum { EWI_AVERAGE_SAMPLES = 16 };
struct ewi_plan_average {
    const char *name, *description;
    enum ew_statistic statistic;
    int a, b; /* numbers of samples; b: EW_COVARIANCE */
    int slot; /* its accumulator */
    double above;
};

struct ewi_plan_averages {
    double from;
    int64_t steps;
    int count, samples, slots;         /* count 0: none */
    struct ewi_plan_average *average;  /* [count] */
    int sample[EWI_AVERAGE_SAMPLES];   /* numbers for ew_problem_output */
    int mean[EWI_AVERAGE_SAMPLES];     /* the accumulator of a sample's mean, or -1 */
};

/* Neighbours that take shorter steps, or longer ones. */
enum { EWI_NEIGHBOUR_FASTER = 1, EWI_NEIGHBOUR_SLOWER = 2 };

struct ewi_plan {
    union {
        struct ewi_sizes sizes;
        struct {
            EWI_SIZES_MEMBERS
        };
    };
    ew_host host;
    const ew_mesh *mesh;
    struct ewi_grid *grid;

    struct ewi_plan_boundary *boundary; /* [mesh->boundaries] */
    /*
     * At the points of boundary edges, counter-clockwise on the left element: coordinates, outward normals and given
     * conserved states, in tiles over boundary slots: rows [ne][2], [ne][2], [ne][variables]. Where the boundary has a
     * curve, points and normals are those of the curve over the edge's points. They are unit normals but for a far
     * field with an angle (ewi_oblique.h).
     */
    double *point, *normal, *given;
    double *wall; /* [boundary slots][ne][np]: basis functions on curves over those points; NULL without curves */
    double *wall_gradient; /* [boundary slots][ne][2][np]: their r and s derivatives, or NULL (laws with gradients) */
    /*
     * [boundary slots][2][np]: coefficients of both momenta to the excess of their normal part at the curve, without
     * which no mass would go through the edge; NULL unless a boundary is conservative.
     */
    double *excess;
    struct ewi_sponge sponge;
    struct ewi_plan_source source;
    int quantities;
    struct ewi_plan_quantity *quantity; /* [quantities] */
    struct ewi_plan_averages averages;
    double given_speed; /* the largest of given states that do not depend on t */
    double start, most; /* the time of the initial state; the largest given value (given_values.c) */
    /*
     * Given fields: tiles over padded elements, rows [nq][fields] and [3][ne][fields] or, for media, the rows of
     * ewi_media.h and none; the largest speed they cause, [padded].
     */
    double *volume_field, *edge_field, *speed_bound;
    double contrast; /* of media: by how much a wave's variables may differ between elements; otherwise 1 */
    /*
     * [padded]: the smallest inscribed diameter of the mesh to each element's own or a neighbour's, by which speeds
     * are multiplied; NULL: they are not.
     */
    double *width_ratio;
    /*
     * [padded]: the speed that one unit of diffusivity adds to an element's, for the time step; NULL unless the law has
     * gradients (diffusion.c).
     */
    double *diffusion_rate;
    double *step_ratio; /* [elements]: an element's step over dt (local_steps.c); NULL: all are equal */
    /*
     * [elements], in a part also of the ghost layer: level of time steps, 0 the shortest (step_levels.c), and which
     * neighbours' levels differ from it, a set of EWI_NEIGHBOUR_*; NULL: there is only one.
     */
    uint8_t *level, *neighbour_levels;
    double level_shortening[EW_MAX_STEP_LEVELS]; /* as in ew_solver_info */
    /*
     * [padded]: the class of each element, by which a step's lists of elements (ewi_step.h) divide the mesh; in a part,
     * 0 if other parts have it in their ghost layers, otherwise 1. NULL: all are of class 0.
     */
    uint8_t *element_class;
    double *initial; /* the state to begin with, until a backend has it; then NULL */
    struct ewi_part *part; /* NULL: the plan is of the whole case (ewi_part.h) */
    /* set with `part`, since src/plan must not know src/comm */
    void (*destroy_part)(const ew_host *host, struct ewi_part *part);
};

/* The parameters of element i for functions of ewi_law. */
static inline const double *ewi_plan_parameter(const struct ewi_plan *plan, int32_t i)
{
    return plan->media ? plan->volume_field + ewi_layout_base(EWI_TILE, plan->media, i) : plan->parameter;
}

/* The element of a boundary slot (slots.c), and its parameters. */
int32_t ewi_plan_element_at(const struct ewi_plan *plan, int32_t slot);
static inline const double *ewi_plan_parameter_at(const struct ewi_plan *plan, int32_t slot)
{
    return plan->media ? ewi_plan_parameter(plan, ewi_plan_element_at(plan, slot)) : plan->parameter;
}

/* True if the ghosts of some boundary replace the inner state in the flux. */
bool ewi_plan_replaces_traces(const struct ewi_plan *plan);

/* Bytes of a plan of these sizes, without the initial state, which is not kept. */
size_t ewi_plan_bytes(const struct ewi_sizes *sizes);

static inline size_t ewi_plan_state_doubles(const struct ewi_plan *plan)
{
    return ewi_state_doubles(&plan->sizes);
}

static inline size_t ewi_plan_slot_doubles(const struct ewi_plan *plan)
{
    return ewi_slot_doubles(&plan->sizes);
}

/*
 * Frees the arrays of a plan that only backends read, if the backend has divided it, and those that the limiter
 * activity recomputes. Fields on edges stay for integrals over boundaries, and media for all that is sampled.
 */
void ewi_plan_shed(struct ewi_plan *plan);

/* Tells the host's log what is odd, but no error. */
void ewi_plan_warn(const struct ewi_plan *plan);

/*
 * Evaluates the given states of slots first .. first+count-1, all of one boundary, at time t. Returns false if some are
 * inadmissible. Raises *max_speed to the maximum wave speed of the others.
 */
bool ewi_plan_evaluate_boundary(struct ewi_plan *plan, const struct ewi_edge_group *group, int32_t first, int32_t count,
                                double t, double *max_speed);

/*
 * Describes which boundary's given state is inadmissible at time t, and where, as a sentence without an end; false if
 * none is.
 */
bool ewi_plan_describe_bad_boundary(struct ewi_plan *plan, double t, char *text, size_t size);

/*
 * Describes where a formula of the source is not finite in `state` at time t, as the beginning of a sentence; false if
 * all are finite. Points where the state itself is not admissible do not count.
 */
bool ewi_plan_describe_bad_source(const struct ewi_plan *plan, const double *state, double t, char *text, size_t size);

/* The mean with the greatest absolute value among the means that the blow-up check compares (given_values.c). */
struct ewi_greatest {
    double mean;
    int32_t element;
    int variable;
};
struct ewi_greatest ewi_plan_greatest(const struct ewi_plan *plan, const double *state);
/* The greatest value that was given until time t; infinity if that is not known. */
double ewi_plan_most_given(const struct ewi_plan *plan, double t);

/* Doubles of the accumulators of averages, with padded elements (average_slots.c). */
size_t ewi_average_doubles(const struct ewi_plan *plan);

/*
 * ewi_output_find for the numbers of ew_problem_output. A formula that only names a quantity of the law comes from
 * where that quantity does.
 */
bool ewi_plan_output(const struct ewi_plan *plan, int index, struct ewi_output *output);

/* Projects the initial state onto the basis and counts the points where it is inadmissible (initial.c). */
void ewi_project_initial(const struct ewi_plan *plan, const ew_problem *problem, double *state,
                         struct ewi_bad_points *points);
/* Padded elements of a state in the plan's layout: at rest. */
void ewi_fill_padding(const struct ewi_plan *plan, double *state);

/*
 * The outflow of boundary edges (edge_outflow.c): size in bytes of an array [edges][variables], 0 if the problem does
 * not integrate it. Pack copies the tiles of boundary slots, rows [variables], into such an array, unpack back.
 */
size_t ewi_outflow_bytes(const struct ewi_plan *plan);
void ewi_outflow_pack(const struct ewi_plan *plan, const double *tiles, double *packed);
void ewi_outflow_unpack(const struct ewi_plan *plan, const double *packed, double *tiles);

/* Puts the ratios of local steps, if the plan has them, into another grid of its mesh. */
void ewi_local_steps_scale(const struct ewi_plan *plan, const struct ewi_grid *grid);
/* Takes the ratios of local steps out of a right-hand side in the state's layout. */
void ewi_local_steps_undo(const struct ewi_plan *plan, double *rhs);

#endif
