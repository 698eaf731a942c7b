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
 *   - Pointers must not be NULL unless documented otherwise. A function that returns a status refuses a NULL, a count
 *     below 0 or beyond what can be, an enum beyond its last and a number that is none by EW_EINVAL. Any other function
 *     that is given a NULL returns NULL, 0, -1 or NaN, and empties the struct or text that it would fill.
 *   - Handles are opaque, made by ..._create and freed by ..._destroy, which accept NULL. There is no global state: any
 *     number of objects may exist at once; one object must not be used by two threads at the same time.
 *   - Elements are numbered as in the mesh that was given ("file order"), from 0. Quantities have the units of the
 *     case:
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
#define EW_MAX_PARTS 256    /* parts of a case in one process, at most */
#define EW_MAX_ORDER 5     /* polynomial degree p = 1 .. EW_MAX_ORDER */

/* ---- errors, memory, messages ------------------------------------------------------------------------------------ */

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
    EW_EDEVICE = -11,     /* a GPU failed, and with it the state on it is lost */
    EW_EFULL = -12        /* writing failed: the disk, or the quota, is full */
};

typedef struct ew_error {
    int code;           /* EW_E* */
    char message[1024]; /* one sentence: what, where, what to do; UTF-8, no line break at the end */
} ew_error;

enum { EW_LOG_DEBUG, EW_LOG_INFO, EW_LOG_WARNING };

/*
 * What the library asks of its host. Copied by every create function; NULL, or NULL members, stand for the C library
 * and for silence. allocate returns memory of `alignment` (a power of two, at least that of any object) or NULL. All
 * may be called by threads of the library's, several at once.
 */
typedef struct ew_host {
    void *(*allocate)(void *context, size_t alignment, size_t bytes);
    void (*release)(void *context, void *pointer);
    void (*log)(void *context, int level, const char *sentence);
    void *context;
} ew_host;

/* The library's version, for example "0.1.0". */
EW_API const char *ew_version(void);
/*
 * The size of a struct of this header as the library has it, by its name, for example "ew_problem"; 0: there is none.
 * For bindings with declarations of their own, which compare: a struct of another size would overwrite memory.
 */
EW_API size_t ew_struct_size(const char *name);

/* ---- threads ----------------------------------------------------------------------------------------------------- */

/*
 * How many threads there are to take: `asked`, or if that is 0 what OpenMP was told (OMP_NUM_THREADS,
 * omp_set_num_threads), or else the cores that this process may use, by its affinity, OMP_PLACES and the CPU limits of
 * its cgroups, parts of a core counting as one; 1 if the library was built without OpenMP. `why` (nullable) gets the
 * reason, for example "cgroup limit 1.5 CPUs".
 *
 * A call of a solver on the CPU, and each loop before and after steps (meshes, projections, norms, hashes, pictures),
 * is one parallel region of OpenMP, which makes, binds and counts the threads. Within a call of a solver, threads that
 * wait spin for 50 microseconds and then sleep, so that they leave the cores to other programs. fork is safe between
 * calls: a child starts threads of its own. Calls from within a parallel region of the host's use one thread.
 */
EW_API int ew_thread_count(int asked, char *why, size_t size);

/* ---- formulas (edgewise-case(5), "FORMULAS") --------------------------------------------------------------------- */

enum { EW_X = 1, EW_Y = 2, EW_T = 4 };

typedef struct ew_scope ew_scope;     /* the names that formulas may use: constants and definitions */
typedef struct ew_formula ew_formula; /* a compiled program with one or more outputs; keeps nothing of its scope */

EW_API int ew_scope_create(const ew_host *host, ew_scope **scope, ew_error *error);
/* Adds a constant. */
EW_API int ew_scope_set(ew_scope *scope, const char *name, double value, ew_error *error);
/* Adds a definition, which may use x, y, t and names added before it. */
EW_API int ew_scope_define(ew_scope *scope, const char *name, const char *text, ew_error *error);
EW_API void ew_scope_destroy(ew_scope *scope);

/* Compiles texts[0 .. outputs-1] into one program; errors name the output's column. `scope` may be NULL. */
EW_API int ew_formula_create(const ew_scope *scope, int outputs, const char *const *texts, ew_formula **formula,
                             ew_error *error);
EW_API int ew_formula_outputs(const ew_formula *formula);
/* Which of EW_X | EW_Y | EW_T the formula depends on. */
EW_API unsigned ew_formula_variables(const ew_formula *formula);
/*
 * values[k * stride + i] becomes output k at the point (x[i], y[i]), i < n, at time t. The same bits on every machine.
 */
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

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

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
    /*
     * [lines][2]: a point of the true curve half way between each line's ends, as a second-order mesh has it, or NaN;
     * NULL: there are none. Elements stay straight; a boundary with a spline has parabolas through these points.
     */
    const double *line_middle;

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
 * edge has three triangles, a node hangs on another triangle's edge, a boundary edge has no name, a name has no edge,
 * or periodic boundaries do not match. A node hangs on a boundary edge with a name, too, if another edge runs from it
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
    int64_t middles;           /* boundary edges with a point of ew_mesh_data.line_middle */
} ew_mesh_info;

EW_API void ew_mesh_get_info(const ew_mesh *mesh, ew_mesh_info *info);
/*
 * What the info of the rectangle's mesh would be, at the price of its outline; `hash` is 0 and, with jitter, diameters
 * are those before it. EW_EINVAL as from ew_mesh_rectangle; whether periodic boundaries match is not looked at.
 */
EW_API int ew_rectangle_info(const ew_host *host, const ew_rectangle *rectangle, ew_mesh_info *info, ew_error *error);
/* Name of boundary k, and through `edges` (nullable) its number of edges. NULL beyond the last one. */
EW_API const char *ew_mesh_boundary(const ew_mesh *mesh, int32_t k, int64_t *edges);
/* xy[nodes][2] and triangle[elements][3] (counter-clockwise), in file order; each may be NULL. */
EW_API void ew_mesh_get_nodes(const ew_mesh *mesh, double *xy);
EW_API void ew_mesh_get_triangles(const ew_mesh *mesh, int64_t *triangle);
/*
 * Boundary edge e: its element and local side (0..2: from vertex `side` to the next, counter-clockwise), and boundary.
 */
EW_API int ew_mesh_boundary_edge(const ew_mesh *mesh, int64_t e, int64_t *element, int *side, int32_t *boundary);

/*
 * Edge e < edges: its left and right element and their local sides; on a boundary the right ones are -1. The order of
 * edges is a function of the mesh alone, boundary edges first.
 */
EW_API int ew_mesh_edge(const ew_mesh *mesh, int64_t e, int64_t element[2], int side[2]);

/*
 * Triangles are counted in bins of equal width: by their smallest angle, from 0 to 60 degrees, and by their radius
 * ratio.
 */
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
    EW_CURVE_SPLINE  /* a cubic one, twice continuously differentiable but at corners, through the boundary's nodes, or
                        the parabolas of ew_mesh_data.line_middle */
};

typedef struct ew_boundary_curve {
    const char *boundary;
    enum ew_curve_kind kind;
    ew_data normal;            /* EW_CURVE_NORMAL: two outputs, outward, of any length */
    double centre[2], radius;  /* EW_CURVE_CIRCLE */
    double corner;             /* EW_CURVE_SPLINE: where edges meet at a greater angle (degrees) is a corner; 0: 30 */
} ew_boundary_curve;

/*
 * Cuts each triangle into four, `times` times. Middles of boundary edges are put onto their boundary's curve, if one is
 * given; the last one that is given counts. Triangle i becomes triangles 4 i .. 4 i + 3, the nodes keep their numbers,
 * the boundaries their names. EW_EMESH: a node is not on its circle, normals belong to no curve, or a triangle would be
 * turned inside out. EW_EINVAL: a curve is given for what is no boundary, the mesh would be too large, or it has
 * periodic boundaries, which must be joined afterwards.
 */
EW_API int ew_mesh_refine(const ew_host *host, const ew_mesh *mesh, int times, size_t curves,
                          const ew_boundary_curve *curve, ew_mesh **fine, ew_error *error);

/*
 * The spline through a boundary's nodes. Where two edges of the boundary meet at more than `corner` degrees (0: 30),
 * and where more than two boundary edges meet, is a corner: the curve ends and another one begins. It goes on over
 * periodic boundaries. At an end it has the slope of the polynomial through the five nodes next to it; the curve of a
 * single edge is straight.
 */
enum { EW_CORNERS = 8 };
typedef struct ew_spline_info {
    int64_t edges;   /* of the boundary */
    int64_t middles; /* of them, those with a point of ew_mesh_data.line_middle, whose curves are parabolas */
    int64_t bent;    /* of these, those whose point is off the straight edge by more than rounding */
    int64_t smooth;  /* nodes through which the spline passes */
    int64_t corners; /* nodes within the boundary at which it has a corner */
    double corner[EW_CORNERS][2]; /* x and y of the first of them */
} ew_spline_info;

/* Of boundary k of ew_mesh_boundary. */
EW_API int ew_mesh_spline(const ew_mesh *mesh, int32_t k, double corner, ew_spline_info *info, ew_error *error);

/* ---- what can be chosen ------------------------------------------------------------------------------------------ */

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

/* What a problem is without a word of these. */
#define EW_DEFAULT_LAW "euler"
#define EW_DEFAULT_FLUX "llf"
#define EW_DEFAULT_LIMITER "none"
#define EW_DEFAULT_SCHEME "rk4"

typedef struct ew_parameter {
    const char *name;
    double value;
} ew_parameter;

/* Non-zero: the backend of that name runs on numbered devices, GPUs, and leaves the host's cores to others. */
EW_API int ew_backend_has_devices(const char *backend);
/*
 * Describes GPU number `index` in one line, for example "NVIDIA H200, compute capability 9.0, 139.8 GiB"; 0 beyond the
 * last one.
 */
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
    /* what follows from the variables and their gradients; NULL after the last one */
    const char *derived[EW_MAX_DERIVED];
    const char *derived_long[EW_MAX_DERIVED];
    const char *pressure; /* name of the variable that is a force on a wall; NULL: there is none */
    int positive[EW_MAX_VARIABLES]; /* non-zero: this primitive variable must stay positive */
} ew_law;

/* NULL if there is no such law; a NULL name stands for the default. */
EW_API const ew_law *ew_law_find(const char *name);
/*
 * Converts states[count][variables] of the law between its primitive and its conserved variables; parameter[] as in the
 * law's list. The two arrays may be the same. Nothing is checked: a state without density has no velocity, and becomes
 * NaN or infinite.
 */
EW_API void ew_law_conserved(const ew_law *law, const double *parameter, size_t count, const double *primitive,
                             double *conserved);
EW_API void ew_law_primitive(const ew_law *law, const double *parameter, size_t count, const double *conserved,
                             double *primitive);
/*
 * values[count]: quantity law->derived[which] of the states conserved[count][variables], whose derivatives by x and y
 * are gradient[count][variables][2]; NULL: not known, and what depends on them is NaN.
 */
EW_API void ew_law_derived(const ew_law *law, const double *parameter, int which, size_t count, const double *conserved,
                           const double *gradient, double *values);
/*
 * Name, and through `long_name` (nullable) the words, of quantity `index` that can be written of a law: the primitive
 * variables, the conserved ones with other names, the derived ones, and "limiter": from the present state an explicit
 * Euler step of the next step's length is taken; of each element, the largest share of the slopes of a conserved
 * variable that the limiter would take off its result, 0 (none) to 1 (all); slopes below a millionth of the largest
 * mean do not count. NULL beyond the last one.
 */
EW_API const char *ew_law_output(const ew_law *law, int index, const char **long_name);

/* ---- problems and solvers ---------------------------------------------------------------------------------------- */

/* A boundary condition; `kind` is one of EW_BOUNDARIES. Periodic boundaries belong to the mesh. */
typedef struct ew_boundary {
    const char *name; /* the mesh's */
    const char *kind; /* "state", "copy", "wall", "far", "symmetry" */
    ew_data state;    /* "state", "far": the primitive variables */
    /* "wall": two outputs, the outward normal of the true curve (any length); not given: the edge's own */
    ew_data normal;
    const char *ghost; /* "wall": "mirror" (NULL) or "tangential" */
    int spline;        /* "wall", non-zero: the normals are those of the spline through the boundary's nodes */
    double corner;     /* of the spline, degrees: see ew_mesh_spline */
} ew_boundary;

/* Where a problem is wrong, by the names of the structs' members. Valid during the call that tells it. */
typedef struct ew_place {
    /* of ew_problem, for example "initial"; of ew_boundary if `boundary` is given, for example "state" */
    const char *member;
    const char *boundary; /* its name, or NULL */
    const char *variable; /* the parameter, primitive variable or component that alone is to blame, or NULL */
} ew_place;

/* All strings and data are borrowed: strings for the call, data for the life of the solver. */
typedef struct ew_problem {
    const char *law; /* NULL: EW_DEFAULT_LAW */
    size_t parameters;
    const ew_parameter *parameter; /* those not named have the law's defaults */
    ew_data field;                 /* the law's given fields; of x and y only */
    int order;                     /* 1 .. EW_MAX_ORDER */
    const char *flux;              /* NULL: EW_DEFAULT_FLUX */
    const char *limiter;           /* NULL: EW_DEFAULT_LIMITER */
    int positivity;                /* non-zero: states at all points stay admissible (edgewise-case(5)) */
    const char *scheme;            /* NULL: EW_DEFAULT_SCHEME */
    double cfl;                    /* 0: the scheme's default at this order (edgewise-case(5)) */
    /*
     * 0: an element's own width and speed limit the step; non-zero: the least width and the greatest speed of all do
     * (time.step of edgewise-case(5))
     */
    int uniform_step;
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

    struct ew_ensemble *ensemble; /* NULL: the solver is in none; see ew_ensemble_create */
    int parts;                    /* threads among which the mesh is divided; 0 or 1: it is not (ew_comm) */
    struct ew_comm *comm;         /* or the ranks among which it is; NULL: none */
    /*
     * GPUs of the parts or, of each host, of its ranks, in turn; 0: number `device` for the first one, the next one
     * for the second, and so on
     */
    int devices;
    const int *device_of_part;

    /* Receives everything that is wrong, one sentence a call; ew_error has the first and their number. May be NULL. */
    void (*report)(void *context, const ew_place *place, const char *sentence);
    void *report_context;
} ew_problem;

typedef struct ew_solver ew_solver;
/*
 * A problem made ready on a mesh, which must outlive it: boundaries and fields evaluated, the initial state projected.
 */
typedef struct ewi_plan ew_plan;

/*
 * Whether the problem makes sense on the mesh: names, numbers and numbers of formulas, and at the points where the
 * solver will need them the initial and the boundaries' states (admissible at `time`), normals (outward) and fields
 * (finite). EW_EINVAL: it does not, and everything that is wrong has been told. Backends are not asked;
 * ew_solver_create does all this, too. A mesh that is NULL is not there yet: only what needs none is checked. `plan`
 * (nullable) gets what was made on the way, if there is a mesh and nothing wrong, so that a solver need not make it
 * again.
 */
EW_API int ew_problem_check(const ew_host *host, const ew_mesh *mesh, const ew_problem *problem, ew_plan **plan,
                            ew_error *error);
EW_API void ew_plan_destroy(ew_plan *plan);
/* Bytes that the plan holds; a solver, of which they are part, gives back those of the initial state. */
EW_API size_t ew_plan_bytes(const ew_plan *plan);
/*
 * Line number `index`, from 0, of the operations that advance the state by one step: 1 for a heading, 2 for an
 * operation, "STAGE  NAME REGISTERS; ...", and 0 beyond the last line. backend NULL: one by one, as the paper has them;
 * else as the kernels of that backend take them together, or one by one if there is no such backend. parts: among how
 * many the case would be divided, GPUs that reach each other's memory; at most 1: it is not.
 */
EW_API int ew_plan_step(const ew_plan *plan, const char *backend, int parts, int index, char *text, size_t size);

/*
 * Bytes that a solver of this problem would take of the host's memory, the mesh not counted, and of the GPU's
 * (nullable).
 */
EW_API int ew_solver_memory(const ew_mesh *mesh, const ew_problem *problem, size_t *bytes, size_t *device_bytes,
                            ew_error *error);
/* The same for a mesh that need not be there. */
EW_API int ew_solver_memory_for(const ew_mesh_info *mesh, const ew_problem *problem, size_t *bytes,
                                size_t *device_bytes, ew_error *error);

/*
 * Starts from the initial state (and limits it). The mesh must outlive the solver. The second makes it of a plan of the
 * same problem, of which only the backend, its device, level, image, threads, parts and comm may be others, and by the
 * plan's host.
 * The plan is then the solver's, and *plan NULL, unless it fails.
 */
EW_API int ew_solver_create(const ew_host *host, const ew_mesh *mesh, const ew_problem *problem, ew_solver **solver,
                            ew_error *error);
EW_API int ew_solver_of_plan(ew_plan **plan, const ew_problem *problem, ew_solver **solver, ew_error *error);
EW_API void ew_solver_destroy(ew_solver *solver);

enum ew_stop {
    EW_STOP_TIME,
    EW_STOP_STEPS,
    EW_STOP_STEADY,
    EW_STOP_NONE /* of ew_ensemble_advance only: it has not stopped, since enough others have */
};

/*
 * Steps until time `until` is reached exactly (the last step is cut; INFINITY: no such time), `max_steps` steps are
 * done or the state is steady. How a run is divided by max_steps has no influence on its bits. EW_ESTATE: the sentence
 * names step, stage, time, element, centroid and state; the solver's state is then no longer of use, unless it is set
 * again, and its time and steps tell where it broke.
 */
EW_API int ew_solver_advance(ew_solver *solver, double until, int64_t max_steps, enum ew_stop *stop, ew_error *error);

/*
 * An ensemble: solvers that advance together. On a GPU a launch covers all of them, which a small mesh of its own would
 * leave idle, and context and code are there once; on the CPU small ones are distributed over the threads, and each has
 * one thread (unless ew_problem.threads says otherwise). The bits are those that each solver has alone.
 *   A solver is in the ensemble that its problem names, and is otherwise like any other. Members on a GPU share device
 * and image (EW_EINVAL). Those of the same law, order, flux, limiter, positivity and scheme share launches; meshes,
 * data, parameters and times are their own.
 *   Each thread may have members of its own: what several threads advance by ew_solver_advance at the same time goes
 * together. Or one thread advances all of them by ew_ensemble_advance.
 *   It must be destroyed after its solvers.
 */
typedef struct ew_ensemble ew_ensemble;
EW_API int ew_ensemble_create(const ew_host *host, ew_ensemble **ensemble, ew_error *error);
EW_API void ew_ensemble_destroy(ew_ensemble *ensemble);

typedef struct ew_advance {
    ew_solver *solver; /* each one once, all of this ensemble */
    double until;      /* as ew_solver_advance has them */
    int64_t max_steps;
    enum ew_stop stop; /* what it ended with: the status, and the sentence if it failed */
    int status;
    ew_error error;
} ew_advance;

/*
 * As ew_solver_advance for each solver, until at least `enough` of them have stopped or failed (0: all). One that fails
 * does not hinder the others. Fails by itself only if an argument is wrong, and has done nothing then.
 */
EW_API int ew_ensemble_advance(ew_ensemble *ensemble, int members, ew_advance *member, int enough, ew_error *error);

/*
 * The ranks among which a case is divided: processes of a launcher, on one host or several, by Open MPI or MPICH,
 * whichever has started them; its library is loaded at run time. The bits do not depend on the number of ranks.
 *   Each rank makes the plan of the same case. Rank 0 makes a solver of it, whose problem names the comm, and uses it
 * like any other. Every other rank calls ew_comm_serve, which does a part of the work until rank 0 destroys its comm or
 * calls for the next case. At a time one solver can be divided so, and all is done by the thread that created the comm.
 * On "cuda", each such rank of a host has a GPU (ew_problem.devices); kernels are the fused ones (EW_EUNAVAILABLE). An
 * MPI whose MPIX_Query_cuda_support says 1 gets addresses of the GPU's memory where GPUs do not reach each other, in
 * the device's primary context, which is then kept; EDGEWISE_MPI_GPU_MEMORY=yes or no overrules it.
 *   Without MPI, ew_problem.parts divides a case among threads of one process, each of which has ew_problem.threads or
 * a GPU. They use the host's allocator, and given states that depend on time must be formulas (EW_EINVAL).
 */
typedef struct ew_comm ew_comm;
/* The number of ranks that an MPI launcher (mpirun, srun, ...) has started with this process; 0: none has. */
EW_API int ew_comm_launched(void);
/* Describes MPI library number `index` that could be loaded here, for example "Open MPI v4.1.4"; 0: there is none. */
EW_API int ew_comm_library(int index, char *text, size_t size);
/* Starts MPI, once in a process. All ranks wait for each other. */
EW_API int ew_comm_create(const ew_host *host, ew_comm **comm, ew_error *error);
/*
 * The same for a program that has started MPI itself: its ranks are those of the communicator at mpi_comm, an MPI_Comm,
 * which is duplicated. MPI remains the program's to end.
 */
EW_API int ew_comm_of_mpi(const ew_host *host, const void *mpi_comm, ew_comm **comm, ew_error *error);
/* Ends MPI. After the solver; the other ranks wait for rank 0, as long as it has other cases. */
EW_API void ew_comm_destroy(ew_comm *comm);
EW_API int ew_comm_rank(const ew_comm *comm);
EW_API int ew_comm_size(const ew_comm *comm);
/*
 * All ranks call it, each with what it has done so far. EW_OK if that is EW_OK on all of them. Otherwise all get the
 * status of the first one that failed, and rank 0 its sentence ("rank 2: ...").
 */
EW_API int ew_comm_agree(ew_comm *comm, int status, ew_error *error);
/*
 * For several cases one after the other, before each: rank 0 calls for it, the others wait for that. 0: rank 0 has
 * destroyed its comm.
 */
EW_API int ew_comm_next(ew_comm *comm);
/*
 * On ranks other than 0, where it may be called before ew_comm_serve, which does the same: the plan becomes that of the
 * rank's part. It needs neither its mesh any more, which may be destroyed, nor memory for other parts; formulas and
 * contexts of its problem must outlive it. It is only for ew_comm_serve then. On rank 0 nothing happens: its solver
 * needs the mesh. EW_EINVAL: there are more ranks than elements; EW_ENOMEM. The plan is then as it was.
 */
EW_API int ew_comm_divide(ew_comm *comm, ew_plan **plan, ew_error *error);
/*
 * On ranks other than 0; of the problem what concerns the machine is read: the backend (NULL or "auto": that of rank
 * 0), level, image, threads, device, devices. The plan is then the comm's, and *plan NULL.
 */
EW_API int ew_comm_serve(ew_comm *comm, ew_plan **plan, const ew_problem *problem, ew_error *error);

EW_API double ew_solver_time(const ew_solver *solver);
EW_API int64_t ew_solver_steps(const ew_solver *solver);
/* The last step's length; before the first step: what it would be. */
EW_API int ew_solver_time_step(ew_solver *solver, double *dt, ew_error *error);
/*
 * max |c^{n+1} - c^n| of the last step, of one cut short as much more as a whole step is longer; NaN unless `steady` is
 * set and a step is done.
 */
EW_API double ew_solver_change(const ew_solver *solver);

typedef struct ew_solver_info {
    const ew_mesh *mesh;
    const ew_law *law;
    const double *parameter; /* [law->parameters]: the values of the law's constants */
    int has_exact;           /* non-zero: the problem has an exact solution */
    int order, basis; /* p and (p+1)(p+2)/2 */
    int stages;       /* of the time scheme */
    const char *flux, *limiter, *scheme, *backend, *kernels;
    int limited;      /* non-zero: there is a limiter */
    int positivity;
    char device[128]; /* for example "2 threads, AVX2, lanes 4" */
    char choice[512]; /* why it is not another backend, if it was to be chosen automatically; otherwise empty */
    double cfl, steady; /* steady: see ew_problem */
    size_t bytes, device_bytes; /* of the host's memory and of the GPU's */
    int parts;         /* 1: the mesh is not divided */
    int64_t cut_edges; /* between two parts */
    double imbalance;  /* how much larger the largest part is than the mean: 0.01 stands for 1 % */
} ew_solver_info;

EW_API void ew_solver_get_info(const ew_solver *solver, ew_solver_info *info);

/*
 * Modal coefficients [elements][variables][basis] of the conserved variables; cell means are coefficient 0 times
 * sqrt(2).
 */
EW_API int ew_solver_get_coefficients(ew_solver *solver, double *coefficients, ew_error *error);
EW_API int ew_solver_set_coefficients(ew_solver *solver, const double *coefficients, double time, int64_t steps,
                                      ew_error *error);

/*
 * The state itself, where the solver keeps it, without a copy: coefficients [tiles][variables][basis][width]. Element e
 * lies in tile place[e] / width, at place[e] % width; other places of the last tile are padding.
 */
typedef struct ew_state_view {
    const double *coefficients;
    const int32_t *place; /* [elements]; the mesh's, as long as it lives */
    int64_t elements, tiles, width;
    int variables, basis;
} ew_state_view;

/*
 * The coefficients hold the present state until the solver is called to advance, is set or destroyed; then ask again.
 * EW_EUNAVAILABLE: the state lies in a GPU's memory, and ew_solver_get_coefficients copies it.
 */
EW_API int ew_solver_view_state(ew_solver *solver, ew_state_view *view, ew_error *error);

/*
 * The same of a state in a GPU's memory: `coefficients` is an address there, in the primary context of the GPU whose
 * number, CUDA's, is *device, and must not be written to. Kernels that keep the state in another order make a copy in
 * this one first, on the GPU. All of that is done on return, so any stream may read it; reading must have ended before
 * the solver is called again. EW_EUNAVAILABLE: the state lies in the host's memory.
 */
EW_API int ew_solver_view_device_state(ew_solver *solver, ew_state_view *view, int *device, ew_error *error);

/* Where a run stands; with the coefficients it is all that the next step depends on. */
typedef struct ew_moment {
    double time;
    double dt;     /* the last step's length; NaN before the first one */
    double change; /* as of ew_solver_change */
    int64_t steps;
} ew_moment;

EW_API void ew_solver_moment(const ew_solver *solver, ew_moment *moment);
/*
 * Puts the solver where another one was, whose coefficients of degree `order` and moment these are: at the same order
 * it goes on with that one's bits. At another order the polynomials are projected: higher modes are cut off, missing
 * ones are 0 (the basis is orthonormal and hierarchical); then the state is limited, as an initial one is.
 */
EW_API int ew_solver_restore(ew_solver *solver, int order, const double *coefficients, const ew_moment *moment,
                             ew_error *error);
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
 * What each kernel (one of EW_KERNEL_OUTPUTS) makes of the present state at the present time, independent of the
 * backend's layout of memory, for comparing backends and sets of kernels. The solver stays as it is.
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
 * values[points][(order+1)(order+2)/2] of the orthonormal basis functions at rs[points][2] of the reference triangle
 * (0,0), (1,0), (0,1): a variable is the sum of its coefficients times these. EW_EINVAL unless 1 <= order <=
 * EW_MAX_ORDER and points >= 0.
 */
EW_API int ew_basis_values(int order, int points, const double *rs, double *values);

/* Cell means [elements][variables] of the conserved variables. */
EW_API int ew_solver_get_means(ew_solver *solver, double *means, ew_error *error);
/*
 * Values at points of the reference triangle (0,0), (1,0), (0,1), whose corners are the element's nodes in their order:
 * values[count][points][variables] for elements first .. first+count-1; rs[points][2]. `primitive`: converted.
 */
EW_API int ew_solver_sample(ew_solver *solver, int64_t first, int64_t count, int points, const double *rs,
                            int primitive, double *values, ew_error *error);

/* The same for quantities of ew_law_output, by their numbers: values[count][points][outputs]. */
EW_API int ew_solver_sample_outputs(ew_solver *solver, int64_t first, int64_t count, int points, const double *rs,
                                    int outputs, const int *output, double *values, ew_error *error);

/*
 * The same, each quantity by itself: values[k] gets [count][points] numbers of output[k] and, if `means` is not NULL,
 * means[m] gets the [count] cell means of conserved variable m; all of them are doubles or, if `single` is not 0,
 * floats.
 */
EW_API int ew_solver_sample_columns(ew_solver *solver, int64_t first, int64_t count, int points, const double *rs,
                                    int outputs, const int *output, int single, void *const *values, void *const *means,
                                    ew_error *error);

/*
 * At points with elements of their own: values[k] gets [count] numbers of output[k], doubles or floats, with the bits
 * that the other functions give. Point i is at rs[i] of element[i]; an element below 0 stands for none, and gives NaN.
 */
EW_API int ew_solver_sample_points(ew_solver *solver, int64_t count, const int32_t *element, const double *rs,
                                   int outputs, const int *output, int single, void *const *values, ew_error *error);

/*
 * Announces points that ew_solver_sample_points will be asked for, of this solver and of snapshots that are taken from
 * now on, with the same arrays or parts of them, the same precision, and some of these quantities. If the state lies on
 * a GPU, they are then evaluated there, and snapshots are taken with the values; without memory for that, and on the
 * CPU, it is a copy of the state that is evaluated, as without this call. The values have the same bits. `element` and
 * `rs` must stay as they are until other points are expected, or none (count = 0), or the solver is destroyed.
 */
EW_API int ew_solver_expect_points(ew_solver *solver, int64_t count, const int32_t *element, const double *rs,
                                   int outputs, const int *output, int single, ew_error *error);
/*
 * Bytes of the values of that, which each snapshot of a state on a GPU has beside it, and, through `device` (nullable),
 * of the GPU's memory for a mesh of so many elements.
 */
EW_API double ew_expected_points_bytes(const ew_law *law, int64_t elements, int64_t count, int outputs,
                                       const int *output, int single, double *device);

/*
 * A solver that stands still with the present state, for whoever writes it while this one goes on: ew_fields_write and
 * whatever asks for coefficients, means, samples, norms and hashes can be used with it, by another thread, too, if the
 * host's allocator allows it and the exact solution is no callback. It cannot be advanced, set, or asked for residuals
 * (EW_EINVAL). *snapshot is NULL, or an earlier one of the same solver, whose memory is used again. output[outputs]:
 * quantities of ew_law_output that it will be asked for, since "limiter" needs the solver. It must be destroyed before
 * the solver. A state that lies on a GPU is held still there and copied from it while steps go on, if it has the memory
 * for that; whoever asks the snapshot first waits for the copy, with EW_EDEVICE if it fails.
 */
EW_API int ew_solver_snapshot(ew_solver *solver, int outputs, const int *output, ew_solver **snapshot, ew_error *error);

/*
 * What leaves the domain through a boundary, from the inner states at the edge rule's points, and the pressure on it.
 */
typedef struct ew_boundary_integrals {
    double length;
    /* integral of F(u).n, outwards, of the conserved variables: flux[0] of Euler is the mass flow */
    double flux[EW_MAX_VARIABLES];
    double force[2];               /* integral of p n; NaN if the law has no pressure */
    double moment;                 /* integral of p (x n_y - y n_x): that of the force about (0, 0), counterclockwise */
} ew_boundary_integrals;

/*
 * Of boundary `k` of ew_mesh_boundary. Length and flux are those of the straight edges, as the scheme has them. So are
 * force and moment, but where the boundary has normals of its true curve, they are integrated along that curve: the
 * state inside is evaluated there, and acts along those normals.
 */
EW_API int ew_solver_boundary(ew_solver *solver, int32_t k, ew_boundary_integrals *integrals, ew_error *error);

/*
 * Share of boundary k's length, 0 .. 1, along which the flow enters or rests at the present state: waves run across it,
 * and the mean of their speeds is not outward. A boundary of kind "copy" is unstable there, unless there is a limiter.
 */
EW_API int ew_solver_inflow(ew_solver *solver, int32_t k, double *share, ew_error *error);

/*
 * EW_ESTATE, with a sentence, if the present state is beyond belief though it is admissible: the mean of an element is
 * more than a thousand times what the initial state and the states given to boundaries have at most (density or depth;
 * any variable of a linear law, 1e9 times). An instability that positivity keeps alive looks like that. The solver
 * stays as it is. Boundaries are asked at a few times since the start if their states are formulas of t; with a
 * callback of t nothing is known and all is well.
 */
EW_API int ew_solver_check_growth(ew_solver *solver, ew_error *error);

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
 * least[law->variables]: the smallest values, as in ew_norms, of those primitive variables that must stay positive (by
 * the law); NaN for others. It takes about as long as one stage of a step, and the copy of a state that lies on a GPU.
 */
EW_API int ew_solver_get_least(ew_solver *solver, double *least, ew_error *error);

/*
 * 64-bit hash of the coefficients: equal hashes, equal bits. It is the sum, modulo 2^64, of the elements' hashes, so
 * that several threads, and parts of a mesh, can make it in any order. That of an element begins with h =
 * 0x9e3779b97f4a7c15 and takes in its number in the mesh's file, then its coefficients [variables][basis], as 64-bit
 * words w each, by h = (h ^ w) * 0xff51afd7ed558ccd, h = h ^ h >> 32; at the end h = (h ^ h >> 33) *
 * 0xff51afd7ed558ccd, h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53, h = h ^ h >> 33.
 */
EW_API int ew_solver_hash(ew_solver *solver, uint64_t *hash, ew_error *error);

/* ---- measuring --------------------------------------------------------------------------------------------------- */

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
EW_API int ew_solver_profile(ew_solver *solver, int64_t steps, ew_kernel_profile *profile, int *profiles,
                             ew_error *error);

/*
 * Measures, in a second or so, what the backend's machine can do now; of the problem only backend, level, image,
 * threads and device are read. EW_EUNAVAILABLE: the backend cannot do it.
 */
EW_API int ew_measure_limits(const ew_host *host, const ew_problem *problem, ew_limits *limits, ew_error *error);

#ifdef __cplusplus
}
#endif

#endif
