/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * edgewise: two-dimensional hyperbolic conservation laws by the modal discontinuous Galerkin method on triangles.
 *
 * The scheme is that of Fuhry, Giuliani and Krivodonova, "Discontinuous Galerkin methods on graphics processing units
 * for nonlinear hyperbolic conservation laws" (below: "the paper").
 *
 * Conventions
 *   - Functions that can fail return EW_OK (0) or a negative EW_E* code and fill `error`, which may be NULL, with one
 *     complete sentence. A failed call leaves its objects as they were.
 *   - Pointers must not be NULL unless it is said that they may. A function that returns a status refuses a NULL, a
 *   count below 0 or
 *     beyond what can be, an enum beyond its last and a number that is none by EW_EINVAL; others rely on what they are
 *     given.
 *   - Handles are opaque, made by ..._create and freed by ..._destroy, which accept NULL. There is no global state: any
 *     number of objects may exist at once; one object must not be used by two threads at the same time.
 *   - Elements are numbered as in the mesh that was given ("file order"), from 0. Quantities have the units of the case:
 *     the library attaches none.
 *   - The library never prints, exits or changes signal handlers, locale or floating-point modes.
 */
#ifndef EDGEWISE_H
#define EDGEWISE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && !defined(EW_API)
#define EW_API __attribute__((visibility("default")))
#elif !defined(EW_API)
#define EW_API
#endif

#define EW_MAX_VARIABLES 4 /* conserved variables of a law, at most */
#define EW_MAX_FIELDS 2    /* given fields of a law, at most (linear advection: the two velocity components) */
#define EW_MAX_DERIVED 16  /* quantities that follow from a law's variables, at most */
#define EW_MAX_THREADS 1024 /* threads of a solver or a picture, at most */
#define EW_MAX_ORDER 5     /* polynomial degree p = 1 .. EW_MAX_ORDER */

/* ---- errors, memory, messages ------------------------------------------------------------------------------------- */

enum {
    EW_OK = 0,
    EW_EINVAL = -1,       /* an argument is out of its range */
    EW_ENOMEM = -2,       /* the allocator returned NULL */
    EW_EMESH = -3,        /* the mesh is not a valid triangulation, or does not fit the problem */
    EW_EFORMULA = -4,     /* a formula does not compile */
    EW_ESTATE = -5,       /* the state became non-finite or inadmissible */
    EW_EUNAVAILABLE = -6, /* a backend is not compiled in or has no device */
    EW_EIO = -7,          /* reading or writing failed */
    EW_ECONFIG = -8,      /* a case is wrong */
    EW_EINTERNAL = -9,    /* a bug in edgewise */
    EW_ECREATE = -10,     /* a file cannot be made where it should be */
    EW_EDEVICE = -11      /* a GPU failed, and with it the state on it is lost */
};

typedef struct ew_error {
    int code;           /* EW_E* */
    char message[1024]; /* one sentence: what, where, what to do; UTF-8, no line break at the end */
} ew_error;

enum { EW_LOG_DEBUG, EW_LOG_INFO, EW_LOG_WARNING };

/*
 * What the library asks of its host. Copied by every create function; NULL, or NULL members, stand for the C library and
 * for silence. allocate returns memory of `alignment` (a power of two, at least that of any object) or NULL.
 */
typedef struct ew_host {
    void *(*allocate)(void *context, size_t alignment, size_t bytes);
    void (*release)(void *context, void *pointer);
    void (*log)(void *context, int level, const char *sentence);
    void *context;
} ew_host;

/* The library's version, for example "0.1.0". */
EW_API const char *ew_version(void);

/* ---- threads ----------------------------------------------------------------------------------------------------- */

/*
 * How many threads there are to take: `asked`, or if that is 0 what OpenMP was told (OMP_NUM_THREADS,
 * omp_set_num_threads), or else the cores that this process may use, by its affinity, OMP_PLACES and the CPU limits of
 * its cgroups, parts of a core counting as one; 1 if the library was built without OpenMP. `why` (nullable) gets the
 * reason, for example "cgroup limit 1.5 CPUs".
 *
 * The library's threads are its own, not OpenMP's. They spin for 50 microseconds when they wait and then sleep, so they
 * leave the cores to other programs whatever OMP_WAIT_POLICY says. A solver on the CPU keeps its threads until it is
 * destroyed. Loops before and after steps (meshes, projections, norms, hashes, pictures) share others, which end with
 * the process; a child of fork starts new ones. Calls from within a parallel region of the host's use one thread.
 */
EW_API int ew_thread_count(int asked, char *why, size_t size);

/* ---- formulas (edgewise-case(5), "FORMULAS") ---------------------------------------------------------------------- */

enum { EW_X = 1, EW_Y = 2, EW_T = 4 };

typedef struct ew_scope ew_scope;     /* the names that formulas may use: constants and definitions */
typedef struct ew_formula ew_formula; /* a compiled program with one or more outputs; keeps nothing of its scope */

EW_API int ew_scope_create(const ew_host *host, ew_scope **scope, ew_error *error);
/* Adds a constant. */
EW_API int ew_scope_set(ew_scope *scope, const char *name, double value, ew_error *error);
/* Adds a definition, which may use x, y, t and names added before it. */
EW_API int ew_scope_define(ew_scope *scope, const char *name, const char *text, ew_error *error);
EW_API void ew_scope_destroy(ew_scope *scope);

/* Compiles texts[0 .. outputs-1] into one program; errors name the output's column. */
EW_API int ew_formula_create(const ew_scope *scope, int outputs, const char *const *texts, ew_formula **formula,
                             ew_error *error);
EW_API int ew_formula_outputs(const ew_formula *formula);
/* Which of EW_X | EW_Y | EW_T the formula depends on. */
EW_API unsigned ew_formula_variables(const ew_formula *formula);
/* values[k * stride + i] becomes output k at the point (x[i], y[i]), i < n, at time t. The same bits on every machine. */
EW_API void ew_formula_evaluate(const ew_formula *formula, size_t n, const double *x, const double *y, double t,
                                double *values, size_t stride);
EW_API void ew_formula_destroy(ew_formula *formula);

/* A callback in place of a formula: fills values[k * n + i] for i < n; may be called by one thread at a time only. */
typedef void (*ew_callback)(void *context, size_t n, const double *x, const double *y, double t, double *values);

/* Data of x, y and t: a formula or a callback, borrowed for the life of the solver; all zero means "not given". */
typedef struct ew_data {
    const ew_formula *formula;
    ew_callback callback;
    void *context;
    unsigned variables; /* of a callback: which of EW_X | EW_Y | EW_T it depends on */
} ew_data;

/* ---- meshes ------------------------------------------------------------------------------------------------------- */

typedef struct ew_mesh ew_mesh;

/* Two boundaries, by name, that are identified: the second is the first moved by (dx, dy). */
typedef struct ew_periodic {
    const char *first, *second;
    double dx, dy;
    int automatic; /* non-zero: dx, dy are taken from the two boundaries' centres */
} ew_periodic;

/* A triangulation as arrays; all are borrowed for the call only. Indices are from 0. */
typedef struct ew_mesh_data {
    int64_t nodes;
    const double *xy; /* [nodes][2] */
    int64_t triangles;
    const int64_t *triangle; /* [triangles][3], either orientation: clockwise ones get their last two nodes exchanged */
    int64_t lines;
    const int64_t *line;      /* [lines][2]: boundary edges */
    const int32_t *line_name; /* [lines]: index into names, or -1 */
    int32_t names;
    const char *const *name; /* [names] */
    int32_t periodics;
    const ew_periodic *periodic; /* [periodics] */

    /* For error sentences; each may be NULL. */
    const char *source;            /* the mesh file's name */
    const int64_t *node_label;     /* [nodes]: the file's own numbers */
    const int64_t *triangle_label; /* [triangles] */
    const int64_t *line_label;     /* [lines] */
    /* Receives every defect found, one sentence a call; ew_error has the first and their number. */
    void (*report)(void *context, const char *sentence);
    void *report_context;
} ew_mesh_data;

/*
 * Checks the triangulation and prepares it: elements in Hilbert order, edges boundary-first and grouped by name, side
 * mappings (the paper, section "Mesh Connectivity"). Fails with EW_EMESH if a triangle is degenerate or duplicate, an
 * edge has three triangles, a node hangs on another triangle's edge, a boundary edge has no name, a name has no edge, or
 * periodic boundaries do not match. A node hangs on a boundary edge with a name, too, if another edge runs from it
 * along that one: so both sides of a slit need their nodes at the same places.
 */
EW_API int ew_mesh_create(const ew_host *host, const ew_mesh_data *data, ew_mesh **mesh, ew_error *error);

/* A named part of a rectangle's side, from `from` to `to` along the side (x on bottom and top, y on left and right). */
typedef struct ew_side_part {
    const char *name;
    double from, to;
} ew_side_part;

/* A rectangle of nx by ny cells, each cut into two triangles; sides in the order bottom, right, top, left. */
typedef struct ew_rectangle {
    double x0, y0, x1, y1;
    int32_t nx, ny;
    double jitter; /* inner nodes move by up to jitter/2 cells in x and in y; 0 <= jitter < 0.7 */
    uint64_t seed; /* of the jitter */
    struct {
        size_t parts;
        const ew_side_part *part; /* must cover the side; split points become nodes */
    } side[4];
    int32_t periodics;
    const ew_periodic *periodic;
    void (*report)(void *context, const char *sentence);
    void *report_context;
} ew_rectangle;

EW_API int ew_mesh_rectangle(const ew_host *host, const ew_rectangle *rectangle, ew_mesh **mesh, ew_error *error);

EW_API void ew_mesh_destroy(ew_mesh *mesh);

/* Diameters are those of the inscribed circles. */
typedef struct ew_mesh_info {
    int64_t nodes, elements, edges;
    int64_t boundary_edges;    /* the first ones of `edges` */
    int32_t boundaries;        /* names that are not periodic */
    double area;               /* of the domain */
    double smallest_diameter;  /* of the inscribed circles: d_min of the time step */
    double largest_diameter;   /* of the inscribed circles */
    double xmin, ymin, xmax, ymax;
    uint64_t hash;             /* of nodes, triangles and boundaries in file order */
    size_t bytes;              /* memory that the mesh holds */
    int64_t reoriented;        /* clockwise triangles that were turned */
} ew_mesh_info;

EW_API void ew_mesh_get_info(const ew_mesh *mesh, ew_mesh_info *info);
/*
 * What the info of the rectangle's mesh would be, at the price of its outline; `hash` is 0 and, with jitter, diameters are those
 * before it. EW_EINVAL as from ew_mesh_rectangle; whether periodic boundaries match is not looked at.
 */
EW_API int ew_rectangle_info(const ew_host *host, const ew_rectangle *rectangle, ew_mesh_info *info, ew_error *error);
/* Name of boundary k, and through `edges` (nullable) its number of edges. NULL beyond the last one. */
EW_API const char *ew_mesh_boundary(const ew_mesh *mesh, int32_t k, int64_t *edges);
/* xy[nodes][2] and triangle[elements][3] (counter-clockwise), in file order; each may be NULL. */
EW_API void ew_mesh_get_nodes(const ew_mesh *mesh, double *xy);
EW_API void ew_mesh_get_triangles(const ew_mesh *mesh, int64_t *triangle);
/* Boundary edge e: its element and local side (0..2: from vertex `side` to the next, counter-clockwise), and boundary. */
EW_API int ew_mesh_boundary_edge(const ew_mesh *mesh, int64_t e, int64_t *element, int *side, int32_t *boundary);

/*
 * Edge e < edges: its left and right element and their local sides; on a boundary the right ones are -1. The order of edges is a function of the
 * mesh alone, boundary edges first.
 */
EW_API int ew_mesh_edge(const ew_mesh *mesh, int64_t e, int64_t element[2], int side[2]);

/* Triangles are counted in bins of equal width: by their smallest angle, from 0 to 60 degrees, and by their radius ratio. */
enum { EW_ANGLE_BINS = 12, EW_RATIO_BINS = 10 };

/* Radius ratio: twice the inscribed circle's radius over the circumscribed circle's; 1 for an equilateral triangle. */
typedef struct ew_mesh_quality {
    double smallest_angle, largest_angle, mean_angle; /* degrees; mean_angle: of the triangles' smallest angles */
    int64_t angle[EW_ANGLE_BINS];
    double smallest_ratio, mean_ratio;
    int64_t ratio[EW_RATIO_BINS];
    double shortest_edge, longest_edge;
    int64_t worst; /* the triangle with the smallest angle */
} ew_mesh_quality;

EW_API void ew_mesh_get_quality(const ew_mesh *mesh, ew_mesh_quality *quality);

/* The true curve of a boundary whose edges are its chords. */
enum ew_curve_kind {
    EW_CURVE_NORMAL, /* through the edges' ends, with these normals (as in ew_boundary) */
    EW_CURVE_CIRCLE,
    EW_CURVE_SPLINE  /* a cubic one, twice continuously differentiable but at corners, through the boundary's nodes */
};

typedef struct ew_boundary_curve {
    const char *boundary;
    enum ew_curve_kind kind;
    ew_data normal;            /* EW_CURVE_NORMAL: two outputs, outward, of any length */
    double centre[2], radius;  /* EW_CURVE_CIRCLE */
    double corner;             /* EW_CURVE_SPLINE: where edges meet at a greater angle (degrees) is a corner; 0: 30 */
} ew_boundary_curve;

/*
 * Cuts each triangle into four, `times` times. Middles of boundary edges are put onto their boundary's curve, if one is given; the
 * last one that is given counts. Triangle i becomes triangles 4 i .. 4 i + 3, the nodes keep their numbers, the boundaries their
 * names. EW_EMESH: a node is not on its circle, normals belong to no curve, or a triangle would be turned inside out. EW_EINVAL: a
 * curve is given for what is no boundary, the mesh would be too large, or it has periodic boundaries, which must be joined
 * afterwards.
 */
EW_API int ew_mesh_refine(const ew_host *host, const ew_mesh *mesh, int times, size_t curves, const ew_boundary_curve *curve,
                          ew_mesh **fine, ew_error *error);

/* ---- what can be chosen ------------------------------------------------------------------------------------------- */

enum ew_list {
    EW_LAWS,
    EW_FLUXES,
    EW_LIMITERS,
    EW_SCHEMES,
    EW_BOUNDARIES,
    EW_BACKENDS,
    EW_KERNELS, /* sets of kernels */
    EW_LEVELS,
    EW_IMAGES, /* code for GPUs */
    EW_KERNEL_OUTPUTS /* the kernels whose outputs ew_solver_get_kernel_output gives */
};

/* Name number `index` of a list, or NULL beyond its end. */
EW_API const char *ew_list_name(enum ew_list list, int index);
/* One line on entry `index` of a list, or NULL beyond its end; what cannot be used here says so, and how to get it. */
EW_API const char *ew_list_description(enum ew_list list, int index);

typedef struct ew_parameter {
    const char *name;
    double value;
} ew_parameter;

/* Describes GPU number `index` in one line, for example "NVIDIA H200, compute capability 9.0, 139.8 GiB"; 0 beyond the last one. */
EW_API int ew_device_describe(int index, char *text, size_t size);

/* A conservation law: what its variables are. */
typedef struct ew_law {
    const char *name, *description;
    int variables;
    const char *conserved[EW_MAX_VARIABLES];      /* names in the order of the coefficients */
    const char *conserved_long[EW_MAX_VARIABLES]; /* in words */
    const char *primitive[EW_MAX_VARIABLES];      /* names in the order of formulas and callbacks */
    const char *primitive_long[EW_MAX_VARIABLES];
    int parameters; /* constants, for example gamma */
    struct {
        const char *name, *description;
        double value, above; /* default; values must be greater than `above` */
    } parameter[2];
    int fields; /* given fields of x and y, for example the velocity of linear advection */
    const char *field[EW_MAX_FIELDS];
    const char *fluxes[8]; /* the numerical fluxes that it has; NULL-terminated */
    const char *derived[EW_MAX_DERIVED]; /* what follows from the variables and their gradients; NULL after the last one */
    const char *derived_long[EW_MAX_DERIVED];
    const char *pressure; /* name of the variable that is a force on a wall; NULL: there is none */
} ew_law;

/* NULL if there is no such law. */
EW_API const ew_law *ew_law_find(const char *name);
/*
 * Converts states[count][variables] of the law between its primitive and its conserved variables; parameter[] as in the law's
 * list. The two arrays may be the same. Nothing is checked: a state without density has no velocity, and becomes NaN or infinite.
 */
EW_API void ew_law_conserved(const ew_law *law, const double *parameter, size_t count, const double *primitive,
                             double *conserved);
EW_API void ew_law_primitive(const ew_law *law, const double *parameter, size_t count, const double *conserved,
                             double *primitive);
/*
 * Name, and through `long_name` (nullable) the words, of quantity `index` that can be written of a law: the primitive variables, the
 * conserved ones with other names, the derived ones, and "limiter": from the present state an explicit Euler step of the next step's
 * length is taken; of each element, the largest share of the slopes of a conserved variable that the limiter would take off
 * its result, 0 (none) to 1 (all); slopes below a millionth of the largest mean do not count. NULL beyond the last one.
 */
EW_API const char *ew_law_output(const ew_law *law, int index, const char **long_name);

/* ---- problems and solvers ----------------------------------------------------------------------------------------- */

/* A boundary condition; `kind` is one of EW_BOUNDARIES. Periodic boundaries belong to the mesh. */
typedef struct ew_boundary {
    const char *name; /* the mesh's */
    const char *kind; /* "state", "copy", "wall", "far", "symmetry" */
    ew_data state;    /* "state", "far": the primitive variables */
    ew_data normal;   /* "wall": two outputs, the outward normal of the true curve (any length); not given: the edge's own */
    const char *ghost; /* "wall": "mirror" (NULL) or "tangential" */
} ew_boundary;

/* Where a problem is wrong, by the names of the structs' members. Valid during the call that tells it. */
typedef struct ew_place {
    const char *member;   /* of ew_problem, for example "initial"; of ew_boundary if `boundary` is given, for example "state" */
    const char *boundary; /* its name, or NULL */
    const char *variable; /* the parameter, primitive variable or component that alone is to blame, or NULL */
} ew_place;

/* All strings and data are borrowed: strings for the call, data for the life of the solver. */
typedef struct ew_problem {
    const char *law; /* NULL: "euler" */
    size_t parameters;
    const ew_parameter *parameter; /* those not named have the law's defaults */
    ew_data field;                 /* the law's given fields; of x and y only */
    int order;                     /* 1 .. EW_MAX_ORDER */
    const char *flux;              /* NULL: "llf" */
    const char *limiter;           /* NULL: "none" */
    const char *scheme;            /* NULL: "rk4" */
    double cfl;                    /* 0: the scheme's default */
    double steady;                 /* stop when no coefficient changes by more in a step; 0: never */
    ew_data initial;               /* the primitive variables at `time` */
    ew_data exact;                 /* the same; not given: no errors are computed */
    int fine_errors;               /* non-zero: errors by the finer rule of (p+3)^2 points in place of degree 2p */
    double time;                   /* at the start */
    size_t boundaries;
    const ew_boundary *boundary; /* every boundary of the mesh, once */

    const char *backend; /* NULL or "auto": the best one here */
    const char *kernels; /* NULL: the backend's default; "edgewise": the paper's; "fused" */
    int threads;         /* 0: ew_thread_count */
    int device;          /* number of the GPU */
    const char *level;   /* instruction level of the CPU's kernels; NULL: the best one here */
    const char *image;   /* code for the GPU: "native" or "sm_20" (the paper's card); NULL: the best one here */
    int tile;            /* width of the tiles of the state: 0 or 8, or -1 for all elements (the paper's layout) */

    /* Receives everything that is wrong, one sentence a call; ew_error has the first and their number. May be NULL. */
    void (*report)(void *context, const ew_place *place, const char *sentence);
    void *report_context;
} ew_problem;

typedef struct ew_solver ew_solver;

/*
 * Whether the problem makes sense on the mesh: names, numbers and numbers of formulas, and at the points where the solver will
 * need them the initial and the boundaries' states (admissible at `time`), normals (outward) and fields (finite). EW_EINVAL: it
 * does not, and everything that is wrong has been told. Backends are not asked; ew_solver_create does all this, too.
 */
EW_API int ew_problem_check(const ew_host *host, const ew_mesh *mesh, const ew_problem *problem, ew_error *error);

/* Bytes that a solver of this problem would take of the host's memory, the mesh not counted, and of the GPU's (nullable). */
EW_API int ew_solver_memory(const ew_mesh *mesh, const ew_problem *problem, size_t *bytes, size_t *device_bytes, ew_error *error);
/* The same for a mesh that need not be there. */
EW_API int ew_solver_memory_for(const ew_mesh_info *mesh, const ew_problem *problem, size_t *bytes, size_t *device_bytes,
                                ew_error *error);

/* Projects the initial state (and limits it). The mesh must outlive the solver. */
EW_API int ew_solver_create(const ew_host *host, const ew_mesh *mesh, const ew_problem *problem, ew_solver **solver,
                            ew_error *error);
EW_API void ew_solver_destroy(ew_solver *solver);

enum ew_stop { EW_STOP_TIME, EW_STOP_STEPS, EW_STOP_STEADY };

/*
 * Steps until time `until` is reached exactly (the last step is cut; INFINITY: no such time), `max_steps` steps are done or the
 * state is steady.
 * How a run is divided by max_steps has no influence on its bits. EW_ESTATE: the sentence names step, stage, time,
 * element, centroid and state; the solver's state is then no longer of use, unless it is set again, and its time and steps tell
 * where it broke.
 */
EW_API int ew_solver_advance(ew_solver *solver, double until, int64_t max_steps, enum ew_stop *stop, ew_error *error);

EW_API double ew_solver_time(const ew_solver *solver);
EW_API int64_t ew_solver_steps(const ew_solver *solver);
/* The last step's length; before the first step: what it would be. */
EW_API int ew_solver_time_step(ew_solver *solver, double *dt, ew_error *error);
/* max |c^{n+1} - c^n| of the last step, of one cut short as much more as a whole step is longer; NaN unless `steady` is set and a step is done. */
EW_API double ew_solver_change(const ew_solver *solver);

typedef struct ew_solver_info {
    const ew_law *law;
    int order, basis; /* p and (p+1)(p+2)/2 */
    int stages;       /* of the time scheme */
    const char *flux, *limiter, *scheme, *backend, *kernels;
    char device[128]; /* for example "2 threads, AVX2, lanes 4" */
    char choice[512]; /* why it is not another backend, if it was to be chosen automatically; otherwise empty */
    double cfl;
    size_t bytes, device_bytes; /* of the host's memory and of the GPU's */
} ew_solver_info;

EW_API void ew_solver_get_info(const ew_solver *solver, ew_solver_info *info);

/* Modal coefficients [elements][variables][basis] of the conserved variables; cell means are coefficient 0 times sqrt(2). */
EW_API int ew_solver_get_coefficients(ew_solver *solver, double *coefficients, ew_error *error);
EW_API int ew_solver_set_coefficients(ew_solver *solver, const double *coefficients, double time, int64_t steps,
                                      ew_error *error);

/* Where a run stands; with the coefficients it is all that the next step depends on. */
typedef struct ew_moment {
    double time;
    double dt;     /* the last step's length; NaN before the first one */
    double change; /* as of ew_solver_change */
    int64_t steps;
} ew_moment;

EW_API void ew_solver_moment(const ew_solver *solver, ew_moment *moment);
/*
 * Puts the solver where another one was, whose coefficients of degree `order` and moment these are: at the same order it goes on
 * with that one's bits. At another order the polynomials are projected: higher modes are cut off, missing ones are 0 (the basis
 * is orthonormal and hierarchical); then the state is limited, as an initial one is.
 */
EW_API int ew_solver_restore(ew_solver *solver, int order, const double *coefficients, const ew_moment *moment, ew_error *error);
/* d/dt of the coefficients at the present state and time, in the same shape: one evaluation of the right-hand side. */
EW_API int ew_solver_get_residual(ew_solver *solver, double *residual, ew_error *error);

/* Shape of a kernel's output, [items][parts][variables][basis], and its number of doubles. */
typedef struct ew_kernel_shape {
    int64_t items; /* elements, or edges in the order of ew_mesh_edge; 1 for "time_step" */
    int parts;     /* 2 for "eval_surface": for the left element and for the right one; otherwise 1 */
    int variables, basis;
    size_t count;
} ew_kernel_shape;

/*
 * What each kernel (one of EW_KERNEL_OUTPUTS) makes of the present state at the present time, independent of the backend's layout
 * of memory, for comparing backends and sets of kernels. The solver stays as it is.
 *   eval_volume   the volume integrals
 *   eval_surface  the surface integrals of every edge; 0 for the right element that a boundary edge does not have
 *   eval_rhs      their sum over the determinant: ew_solver_get_residual
 *   limit_c       the coefficients, limited once
 *   time_step     the length that the next step would have, not cut
 *   update        the coefficients after that step: all stages of the time scheme
 * EW_EINVAL if the solver's set of kernels, or its limiter, does not form this. EW_ESTATE as from ew_solver_advance.
 */
EW_API int ew_solver_kernel_shape(const ew_solver *solver, const char *kernel, ew_kernel_shape *shape, ew_error *error);
EW_API int ew_solver_get_kernel_output(ew_solver *solver, const char *kernel, double *output, ew_error *error);

/*
 * values[points][(order+1)(order+2)/2] of the orthonormal basis functions at rs[points][2] of the reference triangle (0,0), (1,0),
 * (0,1): a variable is the sum of its coefficients times these. EW_EINVAL unless 1 <= order <= EW_MAX_ORDER and points >= 0.
 */
EW_API int ew_basis_values(int order, int points, const double *rs, double *values);

/* Cell means [elements][variables] of the conserved variables. */
EW_API int ew_solver_get_means(ew_solver *solver, double *means, ew_error *error);
/*
 * Values at points of the reference triangle (0,0), (1,0), (0,1), whose corners are the element's nodes in their order:
 * values[count][points][variables] for elements first .. first+count-1; rs[points][2]. `primitive`: converted.
 */
EW_API int ew_solver_sample(ew_solver *solver, int64_t first, int64_t count, int points, const double *rs, int primitive,
                            double *values, ew_error *error);

/* The same for quantities of ew_law_output, by their numbers: values[count][points][outputs]. */
EW_API int ew_solver_sample_outputs(ew_solver *solver, int64_t first, int64_t count, int points, const double *rs, int outputs,
                                    const int *output, double *values, ew_error *error);

/*
 * The same, each quantity by itself: values[k] gets [count][points] numbers of output[k] and, if `means` is not NULL, means[m] gets the
 * [count] cell means of conserved variable m; all of them are doubles or, if `single` is not 0, floats.
 */
EW_API int ew_solver_sample_columns(ew_solver *solver, int64_t first, int64_t count, int points, const double *rs, int outputs,
                                    const int *output, int single, void *const *values, void *const *means, ew_error *error);

/*
 * A solver that stands still with the present state, for whoever writes it while this one goes on: ew_fields_write and whatever asks
 * for coefficients, means, samples, norms and hashes can be used with it, by another thread, too, if the host's allocator allows it
 * and the exact solution is no callback. It cannot be advanced, set, or asked for residuals (EW_EINVAL). *snapshot is NULL, or an
 * earlier one of the same solver, whose memory is used again. output[outputs]: quantities of ew_law_output that it will be asked
 * for, since "limiter" needs the solver. It must be destroyed before the solver. A state that lies on a GPU is held still there and
 * copied from it while steps go on, if it has the memory for that; whoever asks the snapshot first waits for the copy, with EW_EDEVICE if it fails.
 */
EW_API int ew_solver_snapshot(ew_solver *solver, int outputs, const int *output, ew_solver **snapshot, ew_error *error);

/* What leaves the domain through a boundary, from the inner states at the edge rule's points, and the pressure on it. */
typedef struct ew_boundary_integrals {
    double length;
    double flux[EW_MAX_VARIABLES]; /* integral of F(u).n, outwards, of the conserved variables: flux[0] of Euler is the mass flow */
    double force[2];               /* integral of p n; NaN if the law has no pressure */
} ew_boundary_integrals;

/*
 * Of boundary `k` of ew_mesh_boundary. Length and flux are those of the straight edges, as the scheme has them. So is the force,
 * but where the boundary has normals of its true curve, it is integrated along that curve: the state inside is evaluated there, and
 * acts along those normals.
 */
EW_API int ew_solver_boundary(ew_solver *solver, int32_t k, ew_boundary_integrals *integrals, ew_error *error);

/*
 * Share of boundary k's length, 0 .. 1, along which the flow enters or rests at the present state: waves run across it,
 * and the mean of their speeds is not outward. A boundary of kind "copy" is unstable there, unless there is a limiter.
 */
EW_API int ew_solver_inflow(ew_solver *solver, int32_t k, double *share, ew_error *error);

typedef struct ew_norms {
    int has_errors;                       /* non-zero if an exact solution was given */
    double error_l2[EW_MAX_VARIABLES];    /* of the conserved variables, not divided by the area */
    double error_linf[EW_MAX_VARIABLES];
    double total[EW_MAX_VARIABLES];       /* integrals of the conserved variables */
    double min[EW_MAX_VARIABLES];         /* of the primitive variables, over the volume rule's points */
    double max[EW_MAX_VARIABLES];
} ew_norms;

EW_API int ew_solver_norms(ew_solver *solver, ew_norms *norms, ew_error *error);

/*
 * 64-bit hash of the coefficients: equal hashes, equal bits. It is the sum, modulo 2^64, of the elements' hashes, so that several threads, and parts
 * of a mesh, can make it in any order. That of an element begins with h = 0x9e3779b97f4a7c15 and takes in its number in the mesh's file, then its
 * coefficients [variables][basis], as 64-bit words w each, by h = (h ^ w) * 0xff51afd7ed558ccd, h = h ^ h >> 32; at the end h = (h ^ h >> 33) *
 * 0xff51afd7ed558ccd, h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53, h = h ^ h >> 33.
 */
EW_API int ew_solver_hash(ew_solver *solver, uint64_t *hash, ew_error *error);

/* ---- measuring ---------------------------------------------------------------------------------------------------- */

/* What one kernel has taken, all calls together; NaN and -1 stand for what a backend does not know. */
typedef struct ew_kernel_profile {
    const char *name; /* static */
    int64_t calls;
    double seconds;
    double bytes;     /* that the calls have to move at least: every array that is read or written, once */
    double flops;     /* of the calls; an fma is two, any other + - * / and square root one */
    double occupancy; /* share of a GPU's warps that can be active, 0 .. 1 */
    int registers, local_bytes; /* of a GPU's thread; local_bytes: memory of its own, for spills and arrays */
} ew_kernel_profile;

/* What a machine can do, measured by ew_measure_limits. NaN: it has none. */
typedef struct ew_limits {
    char device[128];
    double copy_bytes_per_s;    /* read and written, arrays much larger than its caches */
    double flops_per_s;         /* double precision, fma, an fma being two */
    double tensor_flops_per_s;  /* double precision, matrix units */
} ew_limits;

enum { EW_MAX_PROFILES = 16 };

/*
 * Like ew_solver_advance without a final time, with each kernel timed by itself, for which the steps take longer: fills
 * profile[0 .. *profiles-1], at most EW_MAX_PROFILES. EW_EUNAVAILABLE: the backend cannot do it.
 */
EW_API int ew_solver_profile(ew_solver *solver, int64_t steps, ew_kernel_profile *profile, int *profiles, ew_error *error);

/*
 * Measures, in a second or so, what the backend's machine can do now; of the problem only backend, level, image, threads and
 * device are read. EW_EUNAVAILABLE: the backend cannot do it.
 */
EW_API int ew_measure_limits(const ew_host *host, const ew_problem *problem, ew_limits *limits, ew_error *error);

/* ---- cases and files: libedgewise-case, on top of libedgewise ------------------------------------------------------ */

/*
 * Reads a Gmsh mesh file: .msh 2.2 or 4.1, ASCII or binary, triangles and boundary lines with physical names. Periodic pairs
 * and the receiver of defects may be given through `data`, of which only periodics, periodic, report and report_context
 * are read; it may be NULL.
 */
EW_API int ew_gmsh_read(const ew_host *host, const char *path, const ew_mesh_data *data, ew_mesh **mesh, ew_error *error);

/*
 * Writes the mesh, nodes and triangles in file order, as a Gmsh mesh file; read back, it is the same mesh to the last bit. Each
 * boundary is a physical group of its name, the surface one of the name "domain". The file gets its name when it is whole. EW_EINVAL:
 * periodic boundaries have been joined, and their names are lost.
 */
enum ew_gmsh_version { EW_GMSH_22, EW_GMSH_41 };
EW_API int ew_gmsh_write(const ew_host *host, const ew_mesh *mesh, enum ew_gmsh_version version, int binary, const char *path,
                         ew_error *error);

typedef struct ew_case ew_case; /* a case file (edgewise-case(5)) with its mesh and formulas */

typedef struct ew_case_options {
    size_t settings;
    const char *const *setting; /* "path.to.key=value": in place of what the file says */
    /* What sentences call each of them, for example "--order 9"; NULL, or a NULL member: "--set path.to.key=value". */
    const char *const *setting_name;
    /*
     * A rectangle of more triangles than this gets fewer and wider cells, so that a large case can be looked at in no time; 0: it
     * never does. Mesh and problem are then good for checks and estimates.
     */
    int64_t most_triangles;
    /* Receives every error found, one sentence a call; ew_error has the first and their number. */
    void (*report)(void *context, const char *sentence);
    void *report_context;
    /*
     * For cases of strangers: nonzero lets a case name files in its own folder and folders within it only; an absolute path, one
     * with "..", a link, or an include is an error.
     */
    int confined;
    /* Receives every file that the case names beside included ones, before it is read: as it is named, and its path. */
    void (*named)(void *context, const char *name, const char *path);
    void *named_context;
    /*
     * Asked, if it is not NULL, before a rectangle is made, and as soon as a mesh in a file is read: with the mesh's size, and the
     * problem without its boundaries, of which no more is good than what ew_solver_memory_for needs. What is not EW_OK ends the
     * reading.
     */
    int (*admit)(void *context, const ew_mesh_info *mesh, const ew_problem *problem, ew_error *error);
    void *admit_context;
} ew_case_options;

/* Reads, checks and prepares everything that the case names. EW_ECONFIG: the case is wrong; EW_EMESH: its mesh is. */
EW_API int ew_case_read(const ew_host *host, const char *path, const ew_case_options *options, ew_case **that,
                        ew_error *error);
EW_API void ew_case_destroy(ew_case *that);

/* A point whose values are in the time series: in this element, at rs of the reference triangle. */
typedef struct ew_case_probe {
    const char *name;
    double x, y, rs[2];
    int64_t element;
} ew_case_probe;

/* A body: drag and lift are its pressure force along and across `direction`, counter-clockwise, over density speed^2 length / 2. */
typedef struct ew_case_force {
    const char *name;
    int boundaries;
    const int32_t *boundary; /* [boundaries]: numbers for ew_mesh_boundary */
    double density, speed, length, direction[2];
} ew_case_force;

typedef struct ew_force {
    double force[2];   /* integral of p n over the body's boundaries */
    double drag, lift; /* coefficients */
} ew_force;

typedef struct ew_case_info {
    const char *path, *name; /* name: the file's, without folder and .cfg */
    const char *title;
    const char *source;       /* the text of the file, with those that it includes in their places */
    const char *text;         /* the same, and the settings given beside it as comments */
    const char *mesh;         /* the mesh file's path, or "rectangle" */
    int coarser;              /* non-zero: the mesh has fewer triangles than the case asks for (most_triangles) */
    double end;               /* final time */
    int64_t steps;            /* stop after so many; INT64_MAX: no such limit */
    int subdivide;            /* output.fields.subdivide, or the order: each triangle is written as subdivide^2 ones */
    int compression;          /* output.fields.compression: 0 .. 9 */
    int single;               /* output.fields.precision: non-zero: values at nodes and means are written in single precision */
    int64_t restart_steps;    /* output.restart.steps: a restart file after so many steps; 0: not by steps */
    int restart_keep;         /* output.restart.keep: so many of them stay */
    int restarts;             /* non-zero: the case has output.restart */
    int outputs;              /* output.fields.variables: numbers for ew_law_output */
    const int *output;        /* [outputs] */
    int64_t series_steps;     /* output.series.steps: a line of the time series after so many steps; 0: there is none */
    int probes, forces, fluxes;
    const ew_case_probe *probe; /* [probes] */
    const ew_case_force *force; /* [forces] */
    const int32_t *flux;      /* [fluxes]: numbers for ew_mesh_boundary */
    int32_t cells[2];         /* of a rectangle: in x and in y; 0: the mesh is a file */
} ew_case_info;

EW_API void ew_case_get_info(const ew_case *that, ew_case_info *info);
/* The present force on body `k` < forces; the solver is of this case. */
EW_API int ew_case_force_now(const ew_case *that, int k, ew_solver *solver, ew_force *force, ew_error *error);
/* All of these belong to the case, which must outlive the solver made from them. */
EW_API const ew_mesh *ew_case_mesh(const ew_case *that);
/*
 * Makes the case's mesh once more, but periodic boundaries stay boundaries with names, as refining and writing need it. It
 * belongs to the caller.
 */
EW_API int ew_case_open_mesh(const ew_host *host, const ew_case *that, ew_mesh **mesh, ew_error *error);
/* Of the mesh that the case asks for, also if the one that it has is coarser. */
EW_API void ew_case_mesh_info(const ew_case *that, ew_mesh_info *info);
EW_API const ew_problem *ew_case_problem(const ew_case *that);
/* The first time after `time` at which fields are due, or the end. */
EW_API double ew_case_next_output(const ew_case *that, double time);
/*
 * The first time after `time` at which a restart file is due, INFINITY if there is none. Steps are not cut there: the file is
 * written after the first step that reaches that time, so that restart files have no influence on the result.
 */
EW_API double ew_case_next_restart(const ew_case *that, double time);

/*
 * Fields read back from NAME.nc, also while a run is still writing NAME.nc.part, or the state of a restart file as the one frame
 * of its primitive and conserved variables. EW_EIO: the file cannot be read, is cut
 * short, damaged, or not one of edgewise's; EW_EUNAVAILABLE: a newer edgewise wrote it.
 */
typedef struct ew_results ew_results;

typedef struct ew_results_info {
    const char *path, *title, *case_name;
    const char *version, *status; /* of the edgewise that wrote it; of the run: "complete", "running", ... */
    const ew_law *law;            /* NULL: not known here */
    int64_t elements, frames;
    int order, subdivide; /* subdivide < order: the file has less than the polynomials */
    int fields;
    double xmin, ymin, xmax, ymax;
} ew_results_info;

EW_API int ew_results_open(const ew_host *host, const char *path, ew_results **results, ew_error *error);
EW_API void ew_results_close(ew_results *results);
EW_API void ew_results_get_info(const ew_results *results, ew_results_info *info);
/* Name, and through long_name and units (nullable) the words and the unit of field k; NULL beyond the last one. */
EW_API const char *ew_results_field(const ew_results *results, int k, const char **long_name, const char **units);
/* Its number, or EW_EINVAL with a sentence that names the nearest one. */
EW_API int ew_results_find(const ew_results *results, const char *field, int *k, ew_error *error);
/* Time and, through `step` (nullable), number of time steps of a frame. */
EW_API double ew_results_time(const ew_results *results, int64_t frame, int64_t *step);
/* Corners xy[count][3][2] of elements first .. first+count-1. */
EW_API int ew_results_corners(const ew_results *results, int64_t first, int64_t count, double *xy, ew_error *error);
/* A field's values[count][points] at rs[points][2] as in ew_solver_sample, from each element's own polynomial. */
EW_API int ew_results_sample(const ew_results *results, int64_t frame, int field, int64_t first, int64_t count, int points,
                             const double *rs, double *values, ew_error *error);

/*
 * Pictures of fields as PNG. Every pixel is the mean of supersample^2 samples, each taken from the polynomial of the triangle
 * that it is in. The bytes do not depend on the number of threads. EW_EUNAVAILABLE: built without libpng.
 */
enum ew_range { EW_RANGE_AUTOMATIC, EW_RANGE_SYMMETRIC, EW_RANGE_FIXED }; /* least to greatest value; -m to m; low to high */

typedef struct ew_plot {
    int field;
    int64_t frame;
    const char *title; /* NULL: the file's title, the field and the time */
    const char *map;   /* NULL: "viridis"; see ew_plot_map; "none": white */
    enum ew_range range;
    double low, high;
    int logarithmic;
    int isolines;        /* how many; evenly spaced within the range, if no level is given */
    const double *level; /* [isolines], or NULL */
    int mesh;            /* non-zero: draw the edges of the triangles */
    int zoom;            /* non-zero: only the window x0, y0, x1, y1 */
    double window[4];
    int width, height; /* of the picture, in pixels, at most; 0: 1200 and 1600 */
    int supersample;   /* 1 .. 8; 0: 3 */
    int bare;          /* non-zero: no axes, no title, no colour bar */
    int threads;       /* 0: as many as the machine offers */
    int palette;       /* non-zero: at most 256 colours, each at most some steps of 255 away from what it was, in a third of the bytes */
} ew_plot;

enum {
    EW_PLOT_LEAST = 128,     /* pixels along a side of a picture, but 1 of one that is bare ... */
    EW_PLOT_MOST = 32768,    /* ... to so many */
    EW_PLOT_SUPERSAMPLE = 8, /* at most */
    EW_PLOT_POINTS = 1000000, /* along a line, at most */
};
/* Of the greatest value: logarithmic colours begin there at the lowest, unless the range is given. What is less is often round-off. */
#define EW_PLOT_LOG_FLOOR 1e-6

/* What a picture shows. */
typedef struct ew_plot_shown {
    double low, high;                /* range of the colours */
    double least, greatest;          /* values in the picture, of logarithmic ones those above 0; least > greatest: there are none */
    double first_level, last_level;  /* of isolines; NaN: there are none */
    int levels_missed;               /* isolines of values that are not in the picture */
} ew_plot_shown;

/* Name of colour map k (each also as NAME-reversed), NULL beyond the last one. */
EW_API const char *ew_plot_map(int k);
/* The least and the greatest value that the picture would show; of EW_RANGE_SYMMETRIC and EW_RANGE_FIXED, that range. */
EW_API int ew_plot_range(const ew_results *results, const ew_plot *plot, double *low, double *high, ew_error *error);
/* `shown` may be NULL. */
EW_API int ew_plot_write(const ew_results *results, const ew_plot *plot, const char *path, ew_plot_shown *shown, ew_error *error);

/*
 * A field along a line: a table (CSV: distance, x, y, element, value; at an edge both triangles' values) or its curve as
 * PNG.
 */
typedef struct ew_probe {
    int field;
    int64_t frame;
    double line[4];    /* x0, y0, x1, y1 */
    /*
     * So many evenly over the whole line, its ends among them, of which those are there that lie in the mesh, besides those where it
     * crosses an edge; 0: 1000, but none within triangles on which the field is linear.
     */
    int points;
    int picture;       /* non-zero: the curve */
    const char *title; /* of the curve; NULL: the file's title, the field and the time */
    double low, high;  /* of the curve, unless equal */
    int logarithmic;   /* of the curve */
    int width, height; /* of the curve, in pixels; 0: 1200 and 600 */
} ew_probe;

/* The range that the curve's picture would have. */
EW_API int ew_probe_range(const ew_results *results, const ew_probe *probe, double *low, double *high, ew_error *error);
EW_API int ew_probe_write(const ew_results *results, const ew_probe *probe, const char *path, ew_error *error);

/* Curves of points with markers, each with its name in a legend, as PNG. EW_EINVAL: no point can be shown. */
typedef struct ew_curve {
    const char *name;
    int points;
    const double *x, *y; /* [points] */
} ew_curve;

typedef struct ew_chart {
    const char *title, *x_title, *y_title; /* nullable */
    int curves;
    const ew_curve *curve; /* [curves] */
    int logarithmic_x, logarithmic_y; /* points at 0 and below are then left out */
    int width, height; /* in pixels; 0: 900 and 700 */
} ew_chart;

EW_API int ew_chart_write(const ew_host *host, const ew_chart *chart, const char *path, ew_error *error);

/*
 * Fields in the formats of other programs. In all of them every triangle keeps nodes of its own, so that jumps survive.
 *   EW_EXPORT_VTU    VTK's XML format, binary and compressed (if built with zlib), one frame a file
 *   EW_EXPORT_GMSH   Gmsh's MSH 2.2, binary: a view for each field, with an interpolation scheme: the polynomials themselves
 *   EW_EXPORT_CSV    element, x, y and the fields, a line for each node
 */
enum ew_export_format { EW_EXPORT_VTU, EW_EXPORT_GMSH, EW_EXPORT_CSV };
enum { EW_EXPORT_SUBDIVIDE = 16 }; /* at most */

typedef struct ew_export {
    enum ew_export_format format;
    int64_t first_frame, frames; /* frames is 1, but for EW_EXPORT_GMSH */
    int fields;                  /* 0: all variables of the file, but the means of elements */
    const int *field;            /* [fields] */
    int subdivide;               /* as in case files; 0: the file's. EW_EXPORT_GMSH takes what its polynomials need */
    int lagrange;                /* EW_EXPORT_VTU: each triangle is one Lagrange cell of that degree, not many linear ones */
} ew_export;

EW_API int ew_export_write(const ew_results *results, const ew_export *what, const char *path, ew_error *error);
/* A PVD file: names of VTU files, relative to its folder, and their times. */
EW_API int ew_export_collection(const ew_host *host, int64_t count, const char *const *name, const double *time,
                                const char *path, ew_error *error);

/*
 * Fields as netCDF-4 with UGRID-1.0 and CF conventions; every element has nodes of its own. The file is written as
 * "path.part" and gets its name from ew_fields_close; destroying without closing removes it. EW_ECREATE: nothing can be written
 * there, or another process is writing it.
 */
typedef struct ew_fields ew_fields;
EW_API int ew_fields_create(const ew_host *host, const char *path, const ew_case *that, ew_solver *solver,
                            ew_fields **fields, ew_error *error);
/*
 * Appends the solver's present state as a frame. Readers see it from then on, and a process that is killed does not lose it; it is
 * brought to the disk after that, by a thread of its own, and at the latest when a restart file is written or the file is closed. EW_EIO: where there was
 * no room for it, nothing of it has been written, and the frames before can still be completed by ew_fields_close; if that too
 * fails, the file is lost. Where OpenMP offers this thread more than one, they evaluate the frame while it is written.
 */
EW_API int ew_fields_write(ew_fields *fields, ew_solver *solver, ew_error *error);
/*
 * The frame of this snapshot will be written after those that are expected already: it may be evaluated, by the threads that OpenMP offers
 * this thread, while they are written. It may be called by another thread than the one that writes. The snapshot must stay as it is until its frame
 * is written, or one of those before has failed: then nothing is expected any more. A frame that was not expected can be written as well.
 */
EW_API void ew_fields_expect(ew_fields *fields, ew_solver *snapshot);
/*
 * `status` ("complete", "interrupted", "failed: ...") becomes an attribute. Only a complete file is renamed to `path`, whatever
 * has that name; others become NAME.interrupted.nc and, with any other status, NAME.failed.nc, if `path` is NAME.nc. The fields
 * are then only good for destroying and ew_fields_path.
 */
EW_API int ew_fields_close(ew_fields *fields, const char *status, ew_error *error);
/* The file's name now: "path.part", or what it was renamed to. */
EW_API const char *ew_fields_path(const ew_fields *fields);
/* Bytes of a case's frame, not compressed, and, through `memory` if it is not NULL, what fields take of the host's memory. */
EW_API double ew_fields_frame_bytes(const ew_case *that, double *memory);
/* Bytes of the mesh that a case's fields begin with, not compressed. */
EW_API double ew_fields_mesh_bytes(const ew_case *that);
EW_API void ew_fields_destroy(ew_fields *fields);

/*
 * Time series as comma-separated values, a header and a line a call: step, time, length of the step, the integrals of the conserved
 * variables, and what the case asks for: flux_BOUNDARY_VARIABLE, outwards; PROBE_QUANTITY; FORCE_x, FORCE_y, FORCE_drag and FORCE_lift.
 * The file is written as "path.part", a line at a time, and gets its name from ew_series_close, as fields do.
 * `goes_on` is not negative for a run that goes on from a restart file of this step: lines up to it are taken over from what the
 * earlier run has left, the first one and those that belong to the plan. If there are none the host's log says so, and an earlier file is not
 * replaced: it becomes "NAME.before-STEP.csv" (or, where there is one, "NAME.before-STEP-2.csv" and so on) if `path` is NAME.csv.
 */
typedef struct ew_series ew_series;
EW_API int ew_series_create(const ew_host *host, const char *path, const ew_case *that, int64_t goes_on, ew_series **series,
                            ew_error *error);
EW_API int ew_series_write(ew_series *series, ew_solver *solver, ew_error *error);
/* The step of the last line, of those taken over, too; -1 if there is none. */
EW_API int64_t ew_series_last_step(const ew_series *series);
EW_API int ew_series_close(ew_series *series, const char *status, ew_error *error);
/* The file's name as of now. */
EW_API const char *ew_series_path(const ew_series *series);
EW_API void ew_series_destroy(ew_series *series);

/*
 * Restart files: netCDF (CDF-5) with the modal coefficients in file order, the moment, hashes of the mesh and of all that counts,
 * and the provenance. Written as "path.part", brought to the disk and renamed: whatever fails, an earlier file of that name is
 * as it was.
 */
typedef struct ew_restart_info {
    ew_moment moment;
    int order;           /* of the file; the solver may have another one */
    uint64_t state_hash; /* of the file's coefficients */
    int64_t frames;      /* that ew_fields had written before the restart file was */
    uint64_t frame_hash; /* state_hash of the last one of them */
} ew_restart_info;

/*
 * `fields`, which may be NULL: those that the run writes, which must not have failed; their frames are brought to the disk before.
 * EW_ECREATE: the file cannot be made there.
 */
EW_API int ew_restart_write(const ew_host *host, const char *path, const ew_case *that, ew_solver *solver,
                            ew_fields *fields, ew_error *error);
/*
 * Puts the solver, which must be of this case, where the file's run was; see ew_solver_restore. The case may have another end,
 * output, backend, order, flux, limiter, time scheme, boundaries or other formulas than the file's (what changes the result is told to the
 * host's log, and what was steady need not be so any more), but not another mesh (EW_EMESH) or law (EW_ECONFIG); EW_EIO: the file cannot be read, is damaged or no restart file; EW_EUNAVAILABLE: it
 * was made by a newer version of edgewise. `info` may be NULL.
 */
EW_API int ew_restart_read(const ew_host *host, const char *path, const ew_case *that, ew_solver *solver, ew_restart_info *info,
                           ew_error *error);
/*
 * Like ew_fields_create, for a run that goes on from a restart file: the frames that had been written before it are taken over
 * from `path`, or from what a killed run has left beside it, later ones are dropped. If they are not there or do not fit any more
 * (other fields, another order, parameter of the law, subdivision or precision), the host's log says so, an existing file `path` becomes "NAME.before-STEP.nc" (or, where there is one,
 * "NAME.before-STEP-2.nc" and so on), and the new one begins empty. *frames, which may be NULL: how many were taken over.
 * Their case's text, if the result depends on how it differs from this one, becomes the attribute case_text_until_STEP.
 */
EW_API int ew_fields_resume(const ew_host *host, const char *path, const ew_case *that, ew_solver *solver,
                            const ew_restart_info *from, ew_fields **fields, int64_t *frames, ew_error *error);

#ifdef __cplusplus
}
#endif

#endif
