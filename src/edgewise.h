/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * edgewise: two-dimensional hyperbolic conservation laws by the modal discontinuous Galerkin method on triangles.
 *
 * The scheme is that of Fuhry, Giuliani and Krivodonova, "Discontinuous Galerkin methods on graphics processing units
 * for nonlinear hyperbolic conservation laws" (below: "the paper").
 *
 * Conventions
 *   - Functions that can fail return EW_OK (0) or a negative EW_E* code, and fill `error`, which may be NULL, with one
 *     complete sentence. A failed call leaves its objects unchanged.
 *   - Pointers must not be NULL unless documented otherwise. A function that returns a status rejects a NULL, a count
 *     that is negative or too large, an enum out of range and a NaN with EW_EINVAL. Any other function returns NULL, 0,
 *     -1 or NaN for a NULL argument, and empties the struct or text that it would fill.
 *   - Handles are opaque, made by ..._create and freed by ..._destroy, which accept NULL. There is no global state: any
 *     number of objects may exist at once, but two threads must not use the same object at the same time.
 *   - Elements are numbered from 0 in the order of the given mesh ("file order"). Quantities have the units of the
 *     case; the library attaches none.
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

#define EW_MAX_VARIABLES 8  /* maximum number of conserved variables of a law */
#define EW_MAX_PARAMETERS 8 /* maximum number of constants of a law */
#define EW_MAX_FIELDS 2     /* maximum number of given fields of a law (linear advection: the velocity's components) */
#define EW_MAX_DERIVED 16   /* maximum number of derived quantities of a law */
#define EW_MAX_QUANTITIES 32 /* maximum number of quantities by formula of a problem */
#define EW_MAX_AVERAGES 64   /* maximum number of averages of a problem */
/* maximum number of output quantities: variables twice, derived ones, "limiter", those by formula, and averages */
#define EW_MAX_OUTPUTS 129
#define EW_MAX_THREADS 1024 /* maximum number of threads of a solver or a picture */
#define EW_MAX_PARTS 256    /* maximum number of parts of a case in one process */
#define EW_MAX_STEP_LEVELS 20 /* maximum number of levels of time steps */
#define EW_STEP_LEVELS_AUTO (-1) /* as many levels of time steps as pay */
#define EW_MAX_ORDER 5      /* polynomial degree p = 1 .. EW_MAX_ORDER */

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
    EW_ECREATE = -10,     /* a file cannot be created at its place */
    EW_EDEVICE = -11,     /* a GPU failed, and with it the state on it is lost */
    EW_EFULL = -12        /* writing failed: the disk, or the quota, is full */
};

typedef struct ew_error {
    int code;           /* EW_E* */
    char message[1024]; /* one sentence: what, where, what to do; UTF-8, no line break at the end */
} ew_error;

enum { EW_LOG_DEBUG, EW_LOG_INFO, EW_LOG_WARNING };

/*
 * The host's callbacks. Every create function copies them. NULL, or NULL members, stand for the C library and for
 * silence. allocate returns memory of `alignment` (a power of two, at least that of any object) or NULL. The library's
 * own threads may call all of them, several at once.
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
 * The size of a struct of this header in the compiled library, by its name, for example "ew_problem"; 0: unknown name.
 * Bindings with declarations of their own compare it, because a struct of another size would overwrite memory.
 */
EW_API size_t ew_struct_size(const char *name);

/* ---- threads ----------------------------------------------------------------------------------------------------- */

/*
 * The number of threads to use: `asked` or, if that is 0, OpenMP's setting (OMP_NUM_THREADS, omp_set_num_threads), or
 * else the number of cores that this process may use, by its affinity, OMP_PLACES and the CPU limits of its cgroups,
 * where a fraction of a core counts as one. It is 1 if the library was built without OpenMP. `why` (nullable) gets the
 * reason, for example "cgroup limit 1.5 CPUs".
 *
 * A call of a solver on the CPU is one parallel region of OpenMP, and so is each loop before and after steps (meshes,
 * projections, norms, hashes, pictures). OpenMP makes, binds and counts the threads. Within a call of a solver, waiting
 * threads spin for 50 microseconds and then sleep, which leaves the cores to other programs. fork is safe between
 * calls: a child continues with its solvers on the CPU in threads of its own. Runs and the files that they write belong
 * to the process that created them. Calls from within a parallel region of the host use one thread.
 */
EW_API int ew_thread_count(int asked, char *why, size_t size);

/* ---- formulas (edgewise-case(5), "FORMULAS") --------------------------------------------------------------------- */

enum { EW_X = 1, EW_Y = 2, EW_T = 4, EW_STATE = 8 };

typedef struct ew_scope ew_scope;     /* the names that formulas may use: constants and definitions */
typedef struct ew_formula ew_formula; /* a compiled program with one or more outputs; keeps nothing of its scope */

EW_API int ew_scope_create(const ew_host *host, ew_scope **scope, ew_error *error);
/* Adds a constant. */
EW_API int ew_scope_set(ew_scope *scope, const char *name, double value, ew_error *error);
/* Adds a definition, which may use x, y, t and names added before it. */
EW_API int ew_scope_define(ew_scope *scope, const char *name, const char *text, ew_error *error);
/*
 * Makes a scope for formulas of ew_problem.source: a copy of another one's names and, in addition, name[m] for variable
 * m < variables of the local state, in the order of ew_law.primitive. Formulas made with it may depend on EW_STATE.
 * A variable "bed" replaces that name of the other scope.
 */
EW_API int ew_scope_with_state(const ew_scope *scope, int variables, const char *const *name, ew_scope **result,
                               ew_error *error);
EW_API void ew_scope_destroy(ew_scope *scope);

/*
 * A raster as arrays: values at the points of a rectangular grid, and perhaps at several times, which formulas
 * interpolate by raster('FILE', 'VARIABLE', x, y). The struct and its arrays are borrowed: they must outlive the
 * formulas compiled with it, and what uses those.
 */
typedef struct ew_raster_data {
    int32_t columns, rows, times; /* times 0: it does not depend on t */
    const double *x, *y, *t;      /* [columns], [rows], [times]: strictly ascending */
    const double *values;         /* [times][rows][columns], 2^40 at most; NaN: missing */
    /* Extent: xmin, ymin, xmax, ymax. Outside the outer points their values hold. All 0: the range of the points. */
    double window[4];
    const char *name;             /* nullable: what sentences call it, for example "dem.nc: z" */
} ew_raster_data;

/*
 * Adds a raster for formulas that call raster('FILE', 'VARIABLE', ...) or, if `variable` is NULL, raster('FILE', ...).
 * EW_EINVAL: an axis does not ascend or is not finite, or a value is infinite.
 */
EW_API int ew_scope_add_raster(ew_scope *scope, const char *file, const char *variable, const ew_raster_data *raster,
                               ew_error *error);
/*
 * Provides the rasters that formulas name and that have not been added: fills *raster, or returns an EW_E code with a
 * sentence. `variable` is NULL if the formula names none. It is called while a formula or a definition is compiled,
 * once or more for each call of raster(...).
 */
typedef int (*ew_raster_finder)(void *context, const char *file, const char *variable, const ew_raster_data **raster,
                                ew_error *error);
EW_API int ew_scope_find_rasters(ew_scope *scope, ew_raster_finder find, void *context, ew_error *error);
/* A hash of the raster's axes, window and values; equal rasters have equal ones. */
EW_API uint64_t ew_raster_hash(const ew_raster_data *raster);

/* Compiles texts[0 .. outputs-1] into one program; errors name the output's column. `scope` may be NULL. */
EW_API int ew_formula_create(const ew_scope *scope, int outputs, const char *const *texts, ew_formula **formula,
                             ew_error *error);
EW_API int ew_formula_outputs(const ew_formula *formula);
/* The variables that the formula depends on, of EW_X | EW_Y | EW_T | EW_STATE. */
EW_API unsigned ew_formula_variables(const ew_formula *formula);
/*
 * values[k * stride + i] becomes output k at the point (x[i], y[i]), i < n, at time t. The same bits on every machine.
 * NaN if the formula depends on the state.
 */
EW_API void ew_formula_evaluate(const ew_formula *formula, size_t n, const double *x, const double *y, double t,
                                double *values, size_t stride);
EW_API void ew_formula_destroy(ew_formula *formula);

/* A callback instead of a formula: fills values[k * n + i] for i < n. Only one thread calls it at a time. */
typedef void (*ew_callback)(void *context, size_t n, const double *x, const double *y, double t, double *values);

/* Data of x, y and t: a formula or a callback, borrowed for the life of the solver; all zero means "not given". */
typedef struct ew_data {
    const ew_formula *formula;
    ew_callback callback;
    void *context;
    unsigned variables; /* for a callback: those of EW_X | EW_Y | EW_T that it depends on */
} ew_data;

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

typedef struct ew_mesh ew_mesh;

/* Two boundaries, by name, that are identified: the second is the first moved by (dx, dy). */
typedef struct ew_periodic {
    const char *first, *second;
    double dx, dy;
    int automatic; /* non-zero: dx, dy are computed from the two boundaries' centres */
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
     * [lines][2]: a point of the true curve half way between each line's ends, as in second-order meshes, or NaN; NULL:
     * no such points. Elements stay straight; the spline of a boundary goes through these points, too.
     */
    const double *line_middle;

    /* For error sentences; each may be NULL. */
    const char *source;            /* the mesh file's name */
    const int64_t *node_label;     /* [nodes]: the file's own numbers */
    const int64_t *triangle_label; /* [triangles] */
    const int64_t *line_label;     /* [lines] */
    /* Receives every defect found, one sentence a call; ew_error has the first sentence and the number of defects. */
    void (*report)(void *context, const char *sentence);
    void *report_context;
} ew_mesh_data;

/*
 * Checks the triangulation and prepares it: elements in Hilbert order, edges boundary-first and grouped by name, side
 * mappings (the paper, section "Mesh Connectivity"). Fails with EW_EMESH if a triangle is degenerate or duplicate, an
 * edge has three triangles, a node hangs on another triangle's edge, a boundary edge has no name, a name has no edge,
 * or periodic boundaries do not match. A node also hangs on a boundary edge with a name if another edge starts at the
 * node and runs along that edge, so both sides of a slit need nodes at the same places.
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

/* Properties of a mesh. Diameters are those of the inscribed circles. */
typedef struct ew_mesh_info {
    int64_t nodes, elements, edges;
    int64_t boundary_edges;    /* they come first among `edges` */
    int32_t boundaries;        /* names that are not periodic */
    double area;               /* of the domain */
    double smallest_diameter;  /* d_min of the time step */
    double largest_diameter;
    double xmin, ymin, xmax, ymax;
    uint64_t hash;             /* of nodes, triangles and boundaries in file order */
    size_t bytes;              /* memory of the mesh */
    int64_t reoriented;        /* clockwise triangles that were reversed */
    int64_t middles;           /* boundary edges with a point of ew_mesh_data.line_middle */
} ew_mesh_info;

EW_API void ew_mesh_get_info(const ew_mesh *mesh, ew_mesh_info *info);
/*
 * The info that the rectangle's mesh would have, at the cost of its outline. `hash` is 0. With jitter, diameters are
 * those without it. EW_EINVAL as from ew_mesh_rectangle, except that periodic boundaries are not matched.
 */
EW_API int ew_rectangle_info(const ew_host *host, const ew_rectangle *rectangle, ew_mesh_info *info, ew_error *error);
/* The name of boundary k and, through `edges` (nullable), its number of edges. NULL after the last one. */
EW_API const char *ew_mesh_boundary(const ew_mesh *mesh, int32_t k, int64_t *edges);
/* xy[nodes][2] and triangle[elements][3] (counter-clockwise), in file order; each may be NULL. */
EW_API void ew_mesh_get_nodes(const ew_mesh *mesh, double *xy);
EW_API void ew_mesh_get_triangles(const ew_mesh *mesh, int64_t *triangle);
/* The element, local side (0..2: from vertex `side` to the next, counter-clockwise) and boundary of boundary edge e. */
EW_API int ew_mesh_boundary_edge(const ew_mesh *mesh, int64_t e, int64_t *element, int *side, int32_t *boundary);

/*
 * The left and right element of edge e < edges, and their local sides; on a boundary the right ones are -1. The order
 * of edges depends only on the mesh, with boundary edges first.
 */
EW_API int ew_mesh_edge(const ew_mesh *mesh, int64_t e, int64_t element[2], int side[2]);

/* Triangles are counted in bins of equal width, by smallest angle, from 0 to 60 degrees, and by radius ratio. */
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
    EW_CURVE_NORMAL, /* through the edges' ends, with these normals */
    EW_CURVE_CIRCLE,
    EW_CURVE_SPLINE, /* one of degree five through the boundary's nodes, twice continuously differentiable except at
                        corners; points of ew_mesh_data.line_middle are nodes, too */
    EW_CURVE_LEVEL   /* where `level` is zero */
};

typedef struct ew_boundary_curve {
    const char *boundary;
    enum ew_curve_kind kind;
    ew_data normal;            /* EW_CURVE_NORMAL: two outputs on the curve, outward, of any length */
    ew_data level;             /* EW_CURVE_LEVEL: one output, smooth, with a slope across the curve */
    double centre[2], radius;  /* EW_CURVE_CIRCLE */
    double corner;             /* EW_CURVE_SPLINE: edges that meet at a greater angle (degrees) form a corner; 0: 30 */
} ew_boundary_curve;

/*
 * Cuts each triangle into four, `times` times. Midpoints of boundary edges are moved onto their boundary's curve, if
 * one is given; of several curves the last one counts. Triangle i becomes triangles 4 i .. 4 i + 3; nodes keep their
 * numbers and boundaries their names. EW_EMESH: a node is not on its curve, normals belong to no curve, or a triangle
 * would be turned inside out. EW_EINVAL: a curve names no boundary, the mesh would be too large, or it has periodic
 * boundaries, which must be joined afterwards.
 */
EW_API int ew_mesh_refine(const ew_host *host, const ew_mesh *mesh, int times, size_t curves,
                          const ew_boundary_curve *curve, ew_mesh **fine, ew_error *error);

/*
 * The spline through a boundary's nodes. A corner is a node where two edges of the boundary meet at more than `corner`
 * degrees (0: 30), or where more than two boundary edges meet: the curve ends there and another one begins. The spline
 * continues across periodic boundaries. At a node it has the derivatives of the polynomial through that one and three
 * nodes on either side, or the five nearest nodes of an end; the curve of a single edge is straight.
 */
enum { EW_CORNERS = 8 };
typedef struct ew_spline_info {
    int64_t edges;   /* edges of the boundary */
    int64_t middles; /* edges with a point of ew_mesh_data.line_middle */
    int64_t bent;    /* those of `middles` whose point is off the straight edge by more than rounding */
    int64_t smooth;  /* nodes through which the spline passes */
    int64_t corners; /* nodes within the boundary where it has a corner */
    double corner[EW_CORNERS][2]; /* x and y of the first ones */
} ew_spline_info;

/* Describes the spline of boundary k of ew_mesh_boundary. */
EW_API int ew_mesh_spline(const ew_mesh *mesh, int32_t k, double corner, ew_spline_info *info, ew_error *error);

/* ---- names and laws ---------------------------------------------------------------------------------------------- */

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
    EW_KERNEL_OUTPUTS /* kernels with outputs for ew_solver_get_kernel_output */
};

/* Name number `index` of a list; NULL after the last one. */
EW_API const char *ew_list_name(enum ew_list list, int index);
/*
 * One line about entry `index` of a list; NULL after the last one. If the entry cannot be used here, the line says so,
 * and how to get it.
 */
EW_API const char *ew_list_description(enum ew_list list, int index);

/* The defaults of a problem. */
#define EW_DEFAULT_LAW "euler"
#define EW_DEFAULT_FLUX "llf"
#define EW_DEFAULT_LIMITER "none"
#define EW_DEFAULT_SCHEME "rk4"

typedef struct ew_parameter {
    const char *name;
    double value;
} ew_parameter;

/* Non-zero: this backend runs on numbered devices, GPUs, and leaves the host's cores to others. */
EW_API int ew_backend_has_devices(const char *backend);
/*
 * Describes GPU number `index` in one line, for example "NVIDIA H200, compute capability 9.0, 139.8 GiB"; 0 after the
 * last one.
 */
EW_API int ew_device_describe(int index, char *text, size_t size);

/* A conservation law and its variables. */
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
        double value, above; /* default, NaN: it must be given; values must be greater than `above` */
    } parameter[EW_MAX_PARAMETERS];
    int fields; /* given fields of x and y, for example the velocity of linear advection */
    const char *field[EW_MAX_FIELDS];
    /* non-zero: the fields are those of media, constant in each element (ew_problem.field), in place of parameters */
    int media;
    const char *fluxes[8]; /* its numerical fluxes; NULL-terminated */
    /* functions of the variables and their gradients; NULL after the last one */
    const char *derived[EW_MAX_DERIVED];
    const char *derived_long[EW_MAX_DERIVED];
    const char *pressure; /* the variable that exerts a force on a wall; NULL: none */
    int viscous; /* non-zero: viscous stresses add to that force, and heat is conducted */
    int positive[EW_MAX_VARIABLES]; /* non-zero: this primitive variable must stay positive */
} ew_law;

/* The law of this name, or NULL; a NULL name stands for the default. */
EW_API const ew_law *ew_law_find(const char *name);
/* The law in place of this one in problems that give its medium by ew_problem.field; NULL: it has no media. */
EW_API const ew_law *ew_law_of_media(const ew_law *law);
/*
 * Convert states[count][variables] of the law between its primitive and its conserved variables; parameter[] as in the
 * law's list or, with media, as its fields. The two arrays may be the same. States are not checked: one without density
 * has no velocity, and becomes NaN or infinite.
 */
EW_API void ew_law_conserved(const ew_law *law, const double *parameter, size_t count, const double *primitive,
                             double *conserved);
EW_API void ew_law_primitive(const ew_law *law, const double *parameter, size_t count, const double *conserved,
                             double *primitive);
/*
 * Limits states conserved[count][variables] at points of an element of the mean state mean[variables], in place, as the
 * solver does before it computes primitive and derived quantities. Over a bed velocities in a wet element stay within
 * 2 sqrt(g h) of the mean one, where h is its mean depth; other states, and those of other laws, keep their bits.
 */
EW_API void ew_law_limit_points(const ew_law *law, const double *parameter, const double *mean, size_t count,
                                double *conserved);
/*
 * Fills values[count] with quantity law->derived[which] of the states conserved[count][variables]. Their derivatives by
 * x and y are gradient[count][variables][2]; NULL: unknown, and quantities that need them are NaN.
 */
EW_API void ew_law_derived(const ew_law *law, const double *parameter, int which, size_t count, const double *conserved,
                           const double *gradient, double *values);
/*
 * The name and, through `long_name` (nullable), the description of a law's output quantity `index`; NULL after the last
 * one. Output quantities are the primitive variables, the conserved ones with other names, the derived ones, and
 * "limiter". For "limiter", an explicit Euler step of the next step's length is taken from the current state. In each
 * element, it is the largest share of the slopes of a conserved variable that the limiter would remove from the result,
 * 0 (none) to 1 (all). Slopes below a millionth of the largest mean are ignored.
 */
EW_API const char *ew_law_output(const ew_law *law, int index, const char **long_name);
/*
 * Makes a scope for formulas of ew_problem.quantity: a copy of another one's names and, in addition, those of
 * ew_law_output except "limiter". A name of the other scope hides that of a quantity. That of a primitive variable
 * is EW_EFORMULA, except "bed", which the law's quantity replaces. Formulas made with it may depend on EW_STATE.
 */
EW_API int ew_scope_with_outputs(const ew_scope *scope, const ew_law *law, ew_scope **result, ew_error *error);

/* A value that boundaries of some kind take. */
typedef struct ew_boundary_value {
    const char *name, *description;
    int outputs;      /* of ew_boundary.state: 2 for a vector */
    int optional;     /* non-zero: a case need not give it; outputs of 0 mean that it is not given */
    const char *must; /* what it must do, for example "be greater than 0"; NULL for primitive variables */
} ew_boundary_value;

/* A kind of boundaries of a law, for one choice of `ghost`, and the values that it takes. */
typedef struct ew_boundary_kind {
    const char *kind, *ghost, *description; /* the first two are members of ew_boundary; ghost may be NULL */
    int values;
    ew_boundary_value value[EW_MAX_VARIABLES];
} ew_boundary_kind;

/* Describes entry `index` of the kinds of boundaries that a law has; returns 0 after the last one, otherwise 1. */
EW_API int ew_law_boundary(const ew_law *law, int index, ew_boundary_kind *kind);

/* ---- problems and solvers ---------------------------------------------------------------------------------------- */

/* A boundary condition; `kind` is one of EW_BOUNDARIES. Periodic boundaries belong to the mesh. */
typedef struct ew_boundary {
    const char *name; /* the boundary's name in the mesh */
    const char *kind; /* "state", "copy", "wall", "far", "outlet", "inlet", "level", "symmetry", "no-slip" */
    /*
     * the values that ew_law_boundary lists, in that order: for "state", "far" and "level" the primitive variables, for
     * "no-slip" the wall's velocity u, v or, with the ghost "isothermal", T, u, v. Not given: the same as values of 0
     * where all are optional, as those of an adiabatic wall are
     */
    ew_data state;
    /*
     * "wall", "no-slip": the curve on which the condition holds, by the polynomials of the straight triangles; NULL:
     * their edges. Its member `boundary` is not read.
     */
    const ew_boundary_curve *curve;
    int conservative; /* "wall" with a curve, fluxes llf and upwind: non-zero: no mass goes through any of its edges */
    /* "wall" without a curve: two outputs, an outward normal (any length) at the edges; not given: the edge's own */
    ew_data normal;
    const char *ghost; /* "wall" without a curve: "mirror" (NULL), "tangential"; "inlet", "no-slip": ew_law_boundary */
    /*
     * "state", "far", with a state that does not depend on t: along the boundary the solution u relaxes to the
     * boundary's state g, du/dt + div F(u) = -sponge_strength (1 - d/sponge_width)^2 (u - g), up to the distance
     * d = sponge_width. Width 0: no sponge; strength 0: four times the largest wave speed of g over the width.
     */
    double sponge_width, sponge_strength;
    /*
     * "far": degrees, from 0 to less than 90: the boundary is transparent to linear waves that leave at this angle to
     * its normal. EW_EINVAL for the laws advection and shallow-water-bed, unless it is 0.
     */
    double angle;
} ew_boundary;

/* The place of an error in a problem, by the names of the structs' members. Valid only during the report. */
typedef struct ew_place {
    /* a member of ew_problem, for example "initial", or, if `boundary` is given, of ew_boundary, for example "state" */
    const char *member;
    const char *boundary; /* its name, or NULL */
    const char *variable; /* the single parameter, primitive variable or component with the error, or NULL */
} ew_place;

/*
 * A quantity for output in addition to the law's: a formula with one output, of x, y, t and the quantities of the law
 * at the place (ew_scope_with_outputs). It may be infinite or NaN, as the law's may. It affects no other result.
 */
typedef struct ew_quantity {
    const char *name;        /* of letters, digits and "_"; not one that the law or a run's files have */
    const char *description; /* for readers of files; NULL: the name */
    const ew_formula *formula;
} ew_quantity;

/* Statistics over time of one quantity q, or of two. */
enum ew_statistic {
    EW_MEAN,
    EW_VARIANCE,   /* the mean of (q - its mean)^2 */
    EW_COVARIANCE, /* the mean of (q - its mean) (other - its mean) */
    EW_MINIMUM,
    EW_MAXIMUM,
    EW_ARRIVAL     /* the time of the first sample with q > above; NaN: there was none */
};

typedef struct ew_average {
    const char *name;        /* as of ew_quantity */
    const char *description; /* for readers of files; NULL: the name */
    enum ew_statistic statistic;
    int output, other;       /* numbers of ew_problem_output, neither "limiter" nor averages; other: EW_COVARIANCE */
    double above;            /* EW_ARRIVAL */
} ew_average;

/*
 * Averages over time, of at most 16 quantities. Samples are taken after every multiple of `steps` steps of the run, at
 * the order's lattice of nodes in each element. A sample's weight is the time since the one before, or, of the first
 * one, since `from` or the start of the run. Sampling cuts no steps and affects no other result. Averages are output
 * quantities: between nodes, means, variances and covariances are the polynomials through them, others are linear on
 * the triangles of the lattice. Before the first sample they are NaN. The bits depend on the case alone.
 * ew_ensemble_advance refuses solvers that have them, and ew_solver_profile takes no samples.
 */
typedef struct ew_averages {
    double from;
    int64_t steps;
    int count; /* at most EW_MAX_AVERAGES; 0: none */
    const ew_average *average;
} ew_averages;

/* All strings and data are borrowed: strings for the call, data for the life of the solver. */
typedef struct ew_problem {
    const char *law; /* NULL: EW_DEFAULT_LAW */
    size_t parameters;
    const ew_parameter *parameter; /* the others have the law's defaults */
    /*
     * The law's given fields, functions of x and y. "acoustics" with rho0 and c0, "maxwell-tm" with epsilon and mu in
     * place of its parameters have media: an element has the means, over the points of its volume rule, of rho0 and
     * 1/(rho0 c0^2), of epsilon and mu. The problem then has the law "acoustics-media" or "maxwell-tm-media", with
     * variables of its own.
     */
    ew_data field;
    int order;                     /* 1 .. EW_MAX_ORDER */
    const char *flux;              /* NULL: EW_DEFAULT_FLUX */
    const char *limiter;           /* NULL: EW_DEFAULT_LIMITER */
    int positivity;                /* non-zero: states at all points stay admissible (edgewise-case(5)) */
    const char *scheme;            /* NULL: EW_DEFAULT_SCHEME */
    double cfl;                    /* 0: the scheme's default at this order (edgewise-case(5)) */
    /*
     * 0: each element's own width and speed limit the step; non-zero: the least width and the greatest speed of all
     * elements do (time.step of edgewise-case(5))
     */
    int uniform_step;
    /*
     * Non-zero: local steps, for steady flows: in a step of length dt an element advances by dt times its width over
     * the smallest one (time.step of edgewise-case(5)). `steady` or `steady_orders` must say when the state is steady.
     */
    int local_step;
    /*
     * Levels of time steps (time.levels of edgewise-case(5)): 0 or 1: all elements take the same steps; more, up to
     * EW_MAX_STEP_LEVELS: at most so many levels; EW_STEP_LEVELS_AUTO: as many as pay
     */
    int step_levels;
    double output_interval; /* 0, or the time between outputs: automatic levels have steps of at most a quarter of it */
    double steady;                 /* stop when no coefficient changes more than this in a step; 0: never */
    /*
     * Stop when the largest rate of change of a coefficient has fallen by so many orders of magnitude below the largest
     * one of any step since the start; 0: never
     */
    double steady_orders;
    ew_data initial;               /* the primitive variables at `time` */
    ew_data exact;                 /* the same; not given: no errors are computed */
    /*
     * S(x, y, t, w) in du/dt + div F(u) = S, a formula, not a callback: one output per conserved variable, its rate per
     * time. w are the primitive variables (ew_scope_with_state). Evaluated at the volume points in every stage.
     */
    ew_data source;
    /*
     * For a source that depends on t, over a bed: the time until which rain is looked for. Steps on dry ground follow
     * the heaviest rain at 33 equally spaced times from the start to then. 0: only the rain of the start counts.
     */
    double source_end;
    int quantities;                /* further ones for output, at most EW_MAX_QUANTITIES */
    const ew_quantity *quantity;   /* [quantities] */
    ew_averages averages;
    int fine_errors;               /* non-zero: errors by the finer rule of (p+3)^2 points instead of degree 2p */
    double time;                   /* time of the initial state */
    size_t boundaries;
    const ew_boundary *boundary; /* every boundary of the mesh, once */
    int outflow; /* non-zero: the flux through boundaries is integrated over time (ew_solver_outflow) */

    const char *backend; /* NULL or "auto": the best one available */
    const char *kernels; /* NULL: the backend's default; "edgewise": the paper's; "fused" */
    int threads;         /* 0: ew_thread_count */
    int device;          /* number of the GPU */
    const char *level;   /* instruction level of the CPU's kernels; NULL: the best one available */
    const char *image;   /* code for the GPU: "native" or "sm_20" (the paper's card); NULL: the best one available */
    int tile;            /* width of the tiles of the state: 0 or 8, or -1 for all elements (the paper's layout) */

    struct ew_ensemble *ensemble; /* NULL: no ensemble; see ew_ensemble_create */
    int parts;                    /* threads among which the mesh is divided (ew_comm); 0 or 1: not divided */
    struct ew_comm *comm;         /* ranks among which the mesh is divided instead; NULL: none */
    /*
     * GPUs for the parts or, on each host, for its ranks, in turn. 0: the first one gets number `device`, the second
     * one the next number, and so on.
     */
    int devices;
    const int *device_of_part;

    /*
     * Receives every error, one sentence a call; ew_error has the first sentence and the number of errors. May be NULL.
     */
    void (*report)(void *context, const ew_place *place, const char *sentence);
    void *report_context;
} ew_problem;

/*
 * The name and, through `long_name` (nullable), the description of output quantity `index` of a problem; NULL after the
 * last one. They are those of ew_law_output, with the same numbers, followed by ew_problem.quantity and averages.
 * `output` of all functions below, and of plans, has such numbers.
 */
EW_API const char *ew_problem_output(const ew_problem *problem, int index, const char **long_name);
/* False for quantities by formula that depend on neither the state nor t, and for NULL. */
EW_API int ew_problem_output_varies(const ew_problem *problem, int index);

typedef struct ew_solver ew_solver;
/* A problem prepared on a mesh, which must outlive it: boundaries and fields evaluated, the initial state projected. */
typedef struct ewi_plan ew_plan;

/*
 * Checks the problem on the mesh: names, numbers, numbers of formulas, and the values where the solver will need them.
 * The initial state and the states of boundaries must be admissible at `time`, normals must point outward, and fields
 * must be finite. EW_EINVAL: something is wrong, and all of it has been reported. The backends' own limits are not
 * checked; ew_solver_create checks those, too. If `mesh` is NULL, only the parts that need no mesh are checked. `plan`
 * (nullable) gets the prepared problem if there is a mesh and no error, so that a solver need not prepare it again.
 */
EW_API int ew_problem_check(const ew_host *host, const ew_mesh *mesh, const ew_problem *problem, ew_plan **plan,
                            ew_error *error);
EW_API void ew_plan_destroy(ew_plan *plan);
/*
 * The levels of time steps of a plan, 1 if all elements take the same steps, and through `elements` (nullable) the
 * number of elements of each, shortest steps first. `work` (nullable): the right-hand sides of elements as a share of
 * those that one level would take in steps as short as the shortest.
 */
EW_API int ew_plan_step_levels(const ew_plan *plan, int64_t elements[EW_MAX_STEP_LEVELS], double *work);
/* Bytes of the plan. A solver takes the plan over and frees the part for the initial state. */
EW_API size_t ew_plan_bytes(const ew_plan *plan);
/*
 * The least and the greatest value of field k of the plan's media (ew_law.field) in its elements. Returns 0, and leaves
 * both as they are, if there are no media or no such field, otherwise 1.
 */
EW_API int ew_plan_media(const ew_plan *plan, int k, double *least, double *greatest);
/*
 * Writes line `index`, from 0, of the operations of one step. Returns 1 for a heading, 2 for an operation, "STAGE  NAME
 * REGISTERS; ...", 0 after the last line, and an error's code if `parts` are refused, with its sentence. `backend`: its
 * kernels, each with the operations that it fuses; NULL, or an unknown one: single operations, as in the paper.
 * `parts`: number of parts of the case; at most 1: not divided. Those of fused kernels are on GPUs that access each
 * other's memory.
 */
EW_API int ew_plan_step(const ew_plan *plan, const char *backend, int parts, int index, char *text, size_t size);

/*
 * Bytes that a solver of this problem would take of the host's memory, without the mesh, and of the GPU's (nullable).
 */
EW_API int ew_solver_memory(const ew_mesh *mesh, const ew_problem *problem, size_t *bytes, size_t *device_bytes,
                            ew_error *error);
/* The same for a mesh that need not exist. */
EW_API int ew_solver_memory_for(const ew_mesh_info *mesh, const ew_problem *problem, size_t *bytes,
                                size_t *device_bytes, ew_error *error);

/*
 * Make a solver that starts from the initial state, limited. The mesh must outlive the solver. ew_solver_of_plan uses a
 * plan of the same problem, in which only backend, device, level, image, threads, parts and comm may differ, and the
 * plan's host. On success the plan belongs to the solver, and *plan is NULL.
 */
EW_API int ew_solver_create(const ew_host *host, const ew_mesh *mesh, const ew_problem *problem, ew_solver **solver,
                            ew_error *error);
EW_API int ew_solver_of_plan(ew_plan **plan, const ew_problem *problem, ew_solver **solver, ew_error *error);
EW_API void ew_solver_destroy(ew_solver *solver);

enum ew_stop {
    EW_STOP_TIME,
    EW_STOP_STEPS,
    EW_STOP_STEADY,
    EW_STOP_NONE /* ew_ensemble_advance only: not stopped, because enough others have */
};

/*
 * Steps until time `until` is reached exactly (the last step is cut; INFINITY: no final time), `max_steps` steps are
 * done, or the state is steady. Dividing a run by max_steps does not change its bits. EW_ESTATE: the sentence names
 * step, stage, time, element, centroid and state. The solver's state is then unusable until it is set again, and its
 * time and steps say where it broke.
 */
EW_API int ew_solver_advance(ew_solver *solver, double until, int64_t max_steps, enum ew_stop *stop, ew_error *error);

/*
 * An ensemble: solvers that advance together. On a GPU one launch covers all members, so that small meshes fill the
 * GPU, and context and code exist once. On the CPU small members are distributed over the threads, each with one thread
 * (unless ew_problem.threads says otherwise). The bits are those of each solver alone.
 *   A solver joins the ensemble that its problem names, and is otherwise like any other. Members on a GPU share device
 * and image (EW_EINVAL). Those with the same law, order, flux, limiter, positivity, scheme and number of levels of
 * time steps share launches; meshes, data, parameters and times may differ. Until the last but one has gone, the
 * ensemble keeps the memory of members that have, for others.
 *   Several threads may have members of their own: concurrent calls of ew_solver_advance are combined. Or one thread
 * advances all members by ew_ensemble_advance.
 *   Destroy the ensemble after its solvers.
 */
typedef struct ew_ensemble ew_ensemble;
EW_API int ew_ensemble_create(const ew_host *host, ew_ensemble **ensemble, ew_error *error);
EW_API void ew_ensemble_destroy(ew_ensemble *ensemble);

typedef struct ew_advance {
    ew_solver *solver; /* a member of this ensemble, each at most once */
    double until;      /* as for ew_solver_advance */
    int64_t max_steps;
    enum ew_stop stop; /* results: stop, status, and the sentence of a failure */
    int status;
    ew_error error;
} ew_advance;

/*
 * Like ew_solver_advance for each solver, until at least `enough` of them have stopped or failed (0: all). A solver
 * that fails does not affect the others. The call itself fails only if an argument is wrong, and then does nothing.
 */
EW_API int ew_ensemble_advance(ew_ensemble *ensemble, int members, ew_advance *member, int enough, ew_error *error);

/*
 * The ranks among which a case is divided: processes that a launcher of Open MPI or MPICH has started, on one host or
 * several. The library of that MPI is loaded at run time. The bits do not depend on the number of ranks.
 *   Each rank makes the plan of the same case. Rank 0 makes a solver of it, whose problem names the comm, and uses it
 * like any other. Every other rank calls ew_comm_serve, which does its part of the work until rank 0 destroys its comm
 * or begins the next case. Only one solver at a time can be divided this way, and the thread that created the comm
 * makes all calls. With "cuda", each rank of a host has a GPU (ew_problem.devices), and kernels are the fused ones
 * (EW_EUNAVAILABLE). If GPUs cannot access each other's memory and the MPI's MPIX_Query_cuda_support returns 1, MPI
 * gets addresses of the GPU's memory in the device's primary context, which is then kept; EDGEWISE_MPI_GPU_MEMORY=yes
 * or no overrides that.
 *   Without MPI, ew_problem.parts divides a case among threads of one process, each of which has ew_problem.threads or
 * a GPU. They use the host's allocator, and given states that depend on time must be formulas (EW_EINVAL).
 */
typedef struct ew_comm ew_comm;
/* The number of ranks that an MPI launcher (mpirun, srun, ...) has started with this process; 0: no launcher. */
EW_API int ew_comm_launched(void);
/*
 * Describes MPI library number `index` that could be loaded here, for example "Open MPI v4.1.4"; 0 after the last one.
 */
EW_API int ew_comm_library(int index, char *text, size_t size);
/* Starts MPI, once in a process. All ranks wait for each other. */
EW_API int ew_comm_create(const ew_host *host, ew_comm **comm, ew_error *error);
/*
 * The same for a program that has started MPI itself. The ranks are those of the communicator at mpi_comm, an MPI_Comm,
 * which is duplicated. The program ends MPI.
 */
EW_API int ew_comm_of_mpi(const ew_host *host, const void *mpi_comm, ew_comm **comm, ew_error *error);
/* Ends MPI. Call it after destroying the solver. The other ranks wait for rank 0 as long as it has other cases. */
EW_API void ew_comm_destroy(ew_comm *comm);
EW_API int ew_comm_rank(const ew_comm *comm);
EW_API int ew_comm_size(const ew_comm *comm);
/*
 * All ranks call it, each with its own status so far. EW_OK if that is EW_OK on all ranks. Otherwise all get the status
 * of the first rank that failed, and rank 0 its sentence ("rank 2: ...").
 */
EW_API int ew_comm_agree(ew_comm *comm, int status, ew_error *error);
/*
 * Call before each of several consecutive cases: rank 0 begins a case, and the others wait for it. 0: rank 0 has
 * destroyed its comm.
 */
EW_API int ew_comm_next(ew_comm *comm);
/*
 * On ranks other than 0, reduces the plan to the rank's part, which ew_comm_serve would do otherwise. The plan then
 * needs neither its mesh, which may be destroyed, nor memory for other parts, and only ew_comm_serve accepts it.
 * Formulas and contexts of its problem must outlive it. On rank 0 it does nothing, because the solver needs the mesh.
 * EW_EINVAL: more ranks than elements; EW_ENOMEM. The plan is then unchanged.
 */
EW_API int ew_comm_divide(ew_comm *comm, ew_plan **plan, ew_error *error);
/*
 * On ranks other than 0, does this rank's part of the work. From the problem it reads only the settings of the machine:
 * the backend (NULL or "auto": that of rank 0), level, image, threads, device, devices. The plan then belongs to the
 * comm, and *plan is NULL.
 */
EW_API int ew_comm_serve(ew_comm *comm, ew_plan **plan, const ew_problem *problem, ew_error *error);

EW_API double ew_solver_time(const ew_solver *solver);
EW_API int64_t ew_solver_steps(const ew_solver *solver);
/* The length of the last step or, before the first step, of the next one. */
EW_API int ew_solver_time_step(ew_solver *solver, double *dt, ew_error *error);
/*
 * max |c^{n+1} - c^n| of the last step, scaled up to a whole step if that was cut; NaN unless `steady` or
 * `steady_orders` is set and a step is done.
 */
EW_API double ew_solver_change(const ew_solver *solver);
/* The orders of magnitude of `steady_orders` after the last step, from 0; NaN as ew_solver_change. */
EW_API double ew_solver_orders_fallen(const ew_solver *solver);
/* Non-zero: the last step has met `steady` or `steady_orders`, so no other will follow. */
EW_API int ew_solver_is_steady(const ew_solver *solver);

typedef struct ew_solver_info {
    const ew_mesh *mesh;
    const ew_law *law;
    const double *parameter; /* [law->parameters]: the values of the law's constants */
    int has_exact;           /* non-zero: the problem has an exact solution */
    int order, basis; /* p and (p+1)(p+2)/2 */
    int stages;       /* of the time scheme */
    const char *flux, *limiter, *scheme, *backend, *kernels;
    int limited;      /* non-zero: has a limiter */
    int positivity;
    int source;       /* non-zero: there are source terms by formulas */
    int outflow;      /* non-zero: the flux through boundaries is integrated over time */
    char device[128]; /* for example "2 threads, AVX2, lanes 4" */
    char choice[512]; /* why an automatic choice did not take another backend; otherwise empty */
    double cfl, steady, steady_orders; /* see ew_problem */
    double curve_share; /* 1, or the share of the stable Courant number that curved walls leave (edgewise-case(5)) */
    size_t bytes, device_bytes; /* of the host's and the GPU's memory */
    int parts;         /* 1: not divided */
    int64_t cut_edges; /* edges between two parts */
    double imbalance;  /* excess of the largest part, by its work in a step, over the mean: 0.01 is 1 % */
    int local_step;    /* non-zero: see ew_problem */
    int step_levels;   /* levels of time steps (ew_plan_step_levels), with the elements of each, and their work */
    int64_t level_elements[EW_MAX_STEP_LEVELS];
    double level_work;
    int levels_asked;  /* ew_problem.step_levels; 0: none */
    /* [k]: the step of one level over the shortest one of k + 1 levels, k < step_levels, in the initial state */
    double level_shortening[EW_MAX_STEP_LEVELS];
} ew_solver_info;

EW_API void ew_solver_get_info(const ew_solver *solver, ew_solver_info *info);
/* ew_problem_output of the solver's problem. The texts live as long as the solver. */
EW_API const char *ew_solver_output(const ew_solver *solver, int index, const char **long_name);
/* ew_problem_output_varies of the solver's problem. */
EW_API int ew_solver_output_varies(const ew_solver *solver, int index);
/* True for minima, maxima and arrivals, which are linear between the nodes of the order's lattice; false for NULL. */
EW_API int ew_solver_output_is_linear(const ew_solver *solver, int index);

/*
 * Modal coefficients [elements][variables][basis] of the conserved variables; cell means are coefficient 0 times
 * sqrt(2).
 */
EW_API int ew_solver_get_coefficients(ew_solver *solver, double *coefficients, ew_error *error);
EW_API int ew_solver_set_coefficients(ew_solver *solver, const double *coefficients, double time, int64_t steps,
                                      ew_error *error);

/*
 * The solver's own array of coefficients, without a copy: coefficients[tiles][variables][basis][width]. Element e is in
 * tile place[e] / width, at place[e] % width; other places of the last tile are padding.
 */
typedef struct ew_state_view {
    const double *coefficients;
    const int32_t *place; /* [elements]; valid as long as the mesh */
    int64_t elements, tiles, width;
    int variables, basis;
} ew_state_view;

/*
 * The coefficients hold the current state until the solver is advanced, set or destroyed; afterwards call this again.
 * EW_EUNAVAILABLE: the state is in a GPU's memory, and ew_solver_get_coefficients copies it.
 */
EW_API int ew_solver_view_state(ew_solver *solver, ew_state_view *view, ew_error *error);

/*
 * The same for a state in a GPU's memory: `coefficients` is an address there, in the primary context of GPU *device, in
 * CUDA's numbering, and read-only. Kernels with another data layout first copy the state to this one, on the GPU. The
 * copy is complete on return, so any stream may read it. Reading must end before the next call of the solver.
 * EW_EUNAVAILABLE: the state is in the host's memory.
 */
EW_API int ew_solver_view_device_state(ew_solver *solver, ew_state_view *view, int *device, ew_error *error);

/* The moment of a run. With the coefficients it determines the next step completely. */
typedef struct ew_moment {
    double time;
    double dt;     /* length of the last step; NaN before the first one */
    double change; /* see ew_solver_change */
    int64_t steps;
    double rate, largest_rate; /* max |c^{n+1} - c^n| / dt of the last step, and of any since the start; 0: none */
} ew_moment;

EW_API void ew_solver_moment(const ew_solver *solver, ew_moment *moment);
/*
 * Restores a solver's state from coefficients of degree `order` and a moment. At the same order, the run continues with
 * the same bits. At another order the polynomials are projected: higher modes are dropped and missing ones are 0 (the
 * basis is orthonormal and hierarchical). Then the state is limited like an initial one.
 */
EW_API int ew_solver_restore(ew_solver *solver, int order, const double *coefficients, const ew_moment *moment,
                             ew_error *error);
/* d/dt of the coefficients at the current state and time, in the same shape: one evaluation of the right-hand side. */
EW_API int ew_solver_get_residual(ew_solver *solver, double *residual, ew_error *error);

/* Shape of a kernel's output, [items][parts][variables][basis], and its number of doubles. */
typedef struct ew_kernel_shape {
    int64_t items; /* elements, or edges in the order of ew_mesh_edge; 1 for "time_step" */
    int parts;     /* "eval_surface": 2, for the left element and for the right one; otherwise 1 */
    int variables, basis;
    size_t count;
} ew_kernel_shape;

/*
 * The output of one kernel (of EW_KERNEL_OUTPUTS) for the current state and time, independent of the backend's data
 * layout, for comparing backends and sets of kernels. The solver's state does not change.
 *   eval_volume   the volume integrals
 *   eval_surface  the surface integrals of every edge; 0 for the right element that a boundary edge does not have
 *   eval_rhs      their sum over the determinant: ew_solver_get_residual
 *   limit_c       the coefficients, limited once
 *   time_step     the length of the next step, uncut
 *   update        the coefficients after that step: all stages of the time scheme
 * EW_EINVAL if the solver's set of kernels, or its limiter, lacks this output. EW_ESTATE as from ew_solver_advance.
 */
EW_API int ew_solver_kernel_shape(const ew_solver *solver, const char *kernel, ew_kernel_shape *shape, ew_error *error);
EW_API int ew_solver_get_kernel_output(ew_solver *solver, const char *kernel, double *output, ew_error *error);

/*
 * Fills values[points][(order+1)(order+2)/2] with the orthonormal basis functions at rs[points][2] of the reference
 * triangle (0,0), (1,0), (0,1): a variable is the sum of its coefficients times these. EW_EINVAL unless 1 <= order <=
 * EW_MAX_ORDER and points >= 0.
 */
EW_API int ew_basis_values(int order, int points, const double *rs, double *values);

/* Cell means [elements][variables] of the conserved variables. */
EW_API int ew_solver_get_means(ew_solver *solver, double *means, ew_error *error);
/*
 * Values at rs[points][2] of the reference triangle (0,0), (1,0), (0,1), whose corners are the element's nodes in
 * order: values[count][points][variables] for elements first .. first+count-1. `primitive`: converts to primitive
 * variables.
 */
EW_API int ew_solver_sample(ew_solver *solver, int64_t first, int64_t count, int points, const double *rs,
                            int primitive, double *values, ew_error *error);

/* The same for quantities of ew_solver_output, by number: values[count][points][outputs]. */
EW_API int ew_solver_sample_outputs(ew_solver *solver, int64_t first, int64_t count, int points, const double *rs,
                                    int outputs, const int *output, double *values, ew_error *error);

/*
 * The same with one array per quantity: values[k] gets [count][points] numbers of output[k]. If `means` is not NULL,
 * means[m] gets the [count] cell means of conserved variable m. All are doubles or, if `single` is not 0, floats.
 */
EW_API int ew_solver_sample_columns(ew_solver *solver, int64_t first, int64_t count, int points, const double *rs,
                                    int outputs, const int *output, int single, void *const *values, void *const *means,
                                    ew_error *error);

/*
 * Values at points in different elements: values[k] gets [count] numbers of output[k], doubles or floats, with the bits
 * of the other functions. Point i is at rs[i] of element[i]; an element below 0 gives NaN.
 */
EW_API int ew_solver_sample_points(ew_solver *solver, int64_t count, const int32_t *element, const double *rs,
                                   int outputs, const int *output, int single, void *const *values, ew_error *error);

/* ew_solver_sample_points of one quantity that does not vary (ew_solver_output_varies). It does not read the state. */
EW_API int ew_solver_sample_constant(const ew_solver *solver, int64_t count, const int32_t *element, const double *rs,
                                     int output, int single, void *values, ew_error *error);

/*
 * Announces points for later calls of ew_solver_sample_points, for this solver and for snapshots taken from now on,
 * with the same arrays or parts of them, the same precision, and some of these quantities. If the state is on a GPU,
 * the points are then evaluated there, and snapshots include the values. Without memory for that, and on the CPU, a
 * copy of the state is evaluated, as without this call. The values have the same bits. `element` and `rs` must not
 * change until other points are announced, or none (count = 0), or the solver is destroyed.
 */
EW_API int ew_solver_expect_points(ew_solver *solver, int64_t count, const int32_t *element, const double *rs,
                                   int outputs, const int *output, int single, ew_error *error);
/*
 * Bytes of the announced values, which each snapshot of a state on a GPU has in addition, and, through `device`
 * (nullable), bytes of the GPU's memory for a mesh of so many elements.
 */
EW_API double ew_expected_points_bytes(const ew_law *law, int64_t elements, int64_t count, int outputs,
                                       const int *output, int single, double *device);

/*
 * Takes a snapshot: a solver that keeps the current state, for example for writing it while this one continues. It
 * works with ew_fields_write and all functions that read coefficients, means, samples, norms and hashes. Another thread
 * may use it if the host's allocator allows that and the exact solution is not a callback. It cannot be advanced or
 * set, and has no residuals (EW_EINVAL). *snapshot is NULL, or an earlier one of the same solver, whose memory is
 * reused. output[outputs]: the quantities of ew_solver_output that will be requested, since "limiter" needs the solver.
 * Destroy it before the solver. A state on a GPU is copied there, if memory allows, and then to the host while steps
 * continue. The first call that reads the snapshot waits for the copy, and returns EW_EDEVICE if it fails.
 */
EW_API int ew_solver_snapshot(ew_solver *solver, int outputs, const int *output, ew_solver **snapshot, ew_error *error);

/*
 * The flux out of the domain through a boundary, the scheme's numerical one at the current time, and the force on it.
 * The fluxes through all boundaries are what the totals lose per time, to rounding, apart from sponges and sources.
 */
typedef struct ew_boundary_integrals {
    double length;                 /* of the straight edges */
    double flux[EW_MAX_VARIABLES]; /* of the conserved variables, outwards: flux[0] of Euler is the mass flow */
    /*
     * On walls, the scheme's flux of momentum, so that curves and normals act as in the scheme; on other boundaries,
     * the integral of p n with the inner state's pressure. NaN if the law has no pressure.
     */
    double force[2];
    double moment; /* of this force about (0, 0), counter-clockwise */
    /*
     * On walls of viscous laws, the viscous part of the force, with the penalty of the scheme, and the heat that flows
     * out of the domain, without the work that the stresses do at a moving wall. Elsewhere 0.
     */
    double friction[2];
    double heat;
} ew_boundary_integrals;

/* Integrals over boundary `k` of ew_mesh_boundary. */
EW_API int ew_solver_boundary(ew_solver *solver, int32_t k, ew_boundary_integrals *integrals, ew_error *error);

/* A point of a wall, and what the gas does there. */
typedef struct ew_wall_point {
    double x, y;         /* on the wall's curve, if it has one, otherwise on the edge */
    double normal[2];    /* the outward unit normal of the wall's condition */
    double arc;          /* length of the wall from the beginning of its edge */
    double pressure;     /* of the inner polynomials */
    double temperature;  /* viscous laws: pressure over density; otherwise NaN */
    double conductivity; /* viscous laws: the heat flux for a unit gradient of the temperature; otherwise NaN */
    double shear;        /* the tangential stress on the wall, positive along it with the domain on the left */
    double heat;         /* the heat flux out of the domain */
} ew_wall_point;

/*
 * Values along boundary `k`, which must be a wall: point[edges][order + 1], the scheme's points of each edge, with the
 * domain on the left, and the edges in the order of ew_mesh_boundary_edge; length[edges] (nullable), of the wall along
 * each edge. Shear and heat flux are those of the scheme's flux, with its penalty, and along a curve those that the
 * flux would have there; 0 for laws without viscosity. EW_EINVAL: it is no wall, or the law has no pressure.
 */
EW_API int ew_solver_wall(ew_solver *solver, int32_t k, ew_wall_point *point, double *length, ew_error *error);
/* The same without the state: positions, normals and arcs; other members are NaN. A NULL `point` only checks k. */
EW_API int ew_solver_wall_places(const ew_solver *solver, int32_t k, ew_wall_point *point, double *length,
                                 ew_error *error);

/*
 * outflow[law->variables] of a problem with `outflow`: the integral over time of the flux of ew_solver_boundary through
 * boundary k, since the initial state or the one that was set last, with the weights by which the time scheme adds the
 * flux to the state. The outflows of all boundaries are what the totals have lost since then, to rounding, apart from
 * sponges and sources.
 */
EW_API int ew_solver_outflow(ew_solver *solver, int32_t k, double *outflow, ew_error *error);
/*
 * The same for each edge, [boundary edges][law->variables], in the solver's order, which the mesh determines: by
 * boundaries in the order of ew_mesh_boundary. Setting it after ew_solver_restore continues the integrals of another
 * solver on the same mesh with the same bits.
 */
EW_API int ew_solver_get_edge_outflow(ew_solver *solver, double *outflow, ew_error *error);
EW_API int ew_solver_set_edge_outflow(ew_solver *solver, const double *outflow, ew_error *error);

/* The averages of a solver and their state. */
typedef struct ew_averages_info {
    int count;       /* averages; 0: none */
    int first;       /* number of the first one for ew_solver_output */
    double from;     /* as in ew_averages */
    int64_t steps;
    double duration; /* sum of the samples' weights */
    double last;     /* time of the last sample; before the first one, the time at which its weight begins */
    size_t values;   /* number of doubles of ew_solver_get_averages; a multiple of the number of elements */
} ew_averages_info;

EW_API void ew_solver_averages_info(const ew_solver *solver, ew_averages_info *info);
/*
 * The sums from which averages follow, in file order. Setting them, with duration and last, after ew_solver_restore
 * continues the averages of another solver of the same problem, on the same mesh, with the same bits. Setting a state
 * begins averages anew. EW_EINVAL: the problem has no averages.
 */
EW_API int ew_solver_get_averages(ew_solver *solver, double *values, ew_error *error);
EW_API int ew_solver_set_averages(ew_solver *solver, const double *values, double duration, double last,
                                  ew_error *error);

/*
 * The share of boundary k's length, 0 .. 1, along which waves enter at the current state: the flow enters, rests, or
 * leaves slower than its waves. A boundary of kind "copy" is unstable there, except at order 1 with a limiter.
 */
EW_API int ew_solver_inflow(ew_solver *solver, int32_t k, double *share, ew_error *error);

/*
 * Checks the current state for implausible growth. EW_ESTATE: the mean of an element is more than a thousand times the
 * greatest value of the initial state and the states given to boundaries (density or depth; any variable of a linear
 * law, 1e9 times). An instability that positivity keeps alive causes such growth, although all states are admissible.
 * The solver does not change. States of boundaries that are formulas of t are evaluated at a few times since the start.
 * With a source or a callback of t nothing is known, and the check passes.
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
 * Fills least[law->variables] with the smallest values, as in ew_norms, of the primitive variables that the law
 * requires to be positive; NaN for others. It takes about as long as one stage of a step, plus the copy of a state on a
 * GPU.
 */
EW_API int ew_solver_get_least(ew_solver *solver, double *least, ew_error *error);

/*
 * 64-bit hash of the coefficients: equal hashes, equal bits. It is the sum, modulo 2^64, of the elements' hashes, so
 * that threads and parts of a mesh can compute it in any order. An element's hash starts with h = 0x9e3779b97f4a7c15.
 * It takes in the element's number in the mesh's file, then its coefficients [variables][basis], as 64-bit words w
 * each, by h = (h ^ w) * 0xff51afd7ed558ccd, h = h ^ h >> 32; at the end h = (h ^ h >> 33) * 0xff51afd7ed558ccd, h = (h
 * ^ h >> 33) * 0xc4ceb9fe1a85ec53, h = h ^ h >> 33.
 */
EW_API int ew_solver_hash(ew_solver *solver, uint64_t *hash, ew_error *error);

/* ---- measuring --------------------------------------------------------------------------------------------------- */

/* The cost of one kernel, all calls together; NaN and -1 stand for numbers that a backend does not know. */
typedef struct ew_kernel_profile {
    const char *name; /* static */
    int64_t calls;
    double seconds;
    double bytes;     /* least traffic of the calls: every array that is read or written, once */
    double flops;     /* of the calls; an fma counts as two, any other + - * / and square root as one */
    double occupancy; /* share of a GPU's warps that can be active, 0 .. 1 */
    int registers, local_bytes; /* per GPU thread; local_bytes: for spills and arrays */
} ew_kernel_profile;

/* The limits of a machine, measured by ew_measure_limits. NaN: none. */
typedef struct ew_limits {
    char device[128];
    double copy_bytes_per_s;    /* reads plus writes, arrays much larger than the caches */
    double flops_per_s;         /* double precision fma, counted as two */
    double tensor_flops_per_s;  /* double precision, matrix units */
} ew_limits;

enum { EW_MAX_PROFILES = 16 };

/*
 * Works like ew_solver_advance without a final time, but times each kernel separately, which makes the steps slower.
 * Fills profile[0 .. *profiles-1], at most EW_MAX_PROFILES. EW_EUNAVAILABLE: the backend cannot do it.
 */
EW_API int ew_solver_profile(ew_solver *solver, int64_t steps, ew_kernel_profile *profile, int *profiles,
                             ew_error *error);

/*
 * Measures, in about a second, the current limits of the backend's machine. From the problem it reads only backend,
 * level, image, threads and device. EW_EUNAVAILABLE: the backend cannot do it.
 */
EW_API int ew_measure_limits(const ew_host *host, const ew_problem *problem, ew_limits *limits, ew_error *error);

#ifdef __cplusplus
}
#endif

#endif
