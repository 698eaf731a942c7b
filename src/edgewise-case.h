/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libedgewise-case: case files, meshes of Gmsh, fields, restart files, time series and exports, on top of libedgewise.
 * The conventions are those of edgewise.h.
 */
#ifndef EDGEWISE_CASE_H
#define EDGEWISE_CASE_H

#include "edgewise.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Like ew_struct_size, for the structs of this header and of edgewise-plot.h. */
EW_API size_t ew_case_struct_size(const char *name);

/*
 * Reads a Gmsh mesh file: .msh 2.0 to 2.2 or 4.1, ASCII or binary, triangles and boundary lines with physical names.
 * `data` (nullable) may give periodic pairs and the receiver of defects; only periodics, periodic, report and
 * report_context are read.
 */
EW_API int ew_gmsh_read(const ew_host *host, const char *path, const ew_mesh_data *data, ew_mesh **mesh,
                        ew_error *error);

/*
 * Imports a mesh: like ew_gmsh_read, but the file may also be an SU2 mesh, and each quadrangle is split into two
 * triangles along the diagonal that gives better shapes. The host's log receives the number of quadrangles, and the
 * contents that are ignored.
 */
EW_API int ew_mesh_import(const ew_host *host, const char *path, const ew_mesh_data *data, ew_mesh **mesh,
                          ew_error *error);

/*
 * Writes the mesh, nodes and triangles in file order, as a Gmsh mesh file, which is read back as the same mesh to the
 * last bit. Each boundary is a physical group of its name; that of the surface is called "domain". The file gets its
 * name when it is complete. EW_EINVAL: periodic boundaries have been joined, and their names are lost.
 */
enum ew_gmsh_version { EW_GMSH_22, EW_GMSH_41 };
EW_API int ew_gmsh_write(const ew_host *host, const ew_mesh *mesh, enum ew_gmsh_version version, int binary,
                         const char *path, ew_error *error);

/* ---- plans: when a run ends and what it writes ------------------------------------------------------------------- */

/* A point of the time series: an element, and rs in the reference triangle. */
typedef struct ew_series_probe {
    const char *name;
    double x, y, rs[2];
    int64_t element;
} ew_series_probe;

/*
 * A body. Drag and lift are the force on it along and across `direction`, counter-clockwise, over density speed^2
 * length / 2. The coefficient of its moment about `point` is the moment over density speed^2 length^2 / 2.
 */
typedef struct ew_series_body {
    const char *name;
    int boundaries;
    const int32_t *boundary; /* [boundaries]: numbers for ew_mesh_boundary */
    double density, speed, length, direction[2], point[2]; /* direction: a unit vector */
    double pressure; /* of the free stream: for the pressure coefficient of ew_results_set_reference; in no force */
} ew_series_body;

typedef struct ew_force {
    double force[2];   /* as ew_solver_boundary has it, on all boundaries of the body */
    double drag, lift; /* coefficients */
    /* About the body's point, counterclockwise. An airfoil's nose-up pitching moment is its negative. */
    double moment, moment_coefficient;
    /*
     * Viscous laws: drag and lift by pressure and by friction, and the heat that flows into the body. Other laws: NaN.
     */
    double drag_pressure, drag_friction, lift_pressure, lift_friction, heat;
} ew_force;

enum { EW_LONGEST_WALL_NAME = 100 };

/*
 * A wall along which the frames of the fields have values: one or more boundaries of kind "wall" or "no-slip". The
 * pressure coefficient is (p - pressure) / (density speed^2 / 2), the friction coefficient shear / (density speed^2 /
 * 2), and the Nusselt number heat length / (k (temperature - T)), with the conductivity k and the temperature T at the
 * wall.
 */
typedef struct ew_wall {
    const char *name; /* without slashes, at most EW_LONGEST_WALL_NAME bytes */
    int boundaries;
    const int32_t *boundary; /* [boundaries]: numbers for ew_mesh_boundary */
    double density, speed, length, pressure;
    double temperature; /* of the free stream or of another wall; NaN: no Nusselt number */
} ew_wall;

/* The difference between two texts of a run, for a run that resumes from a state of the other text. */
typedef struct ew_text_difference {
    int differs;    /* non-zero: in settings that affect the result, other than the mesh and the run's length */
    int initial;    /* non-zero: in the initial state or its time, which do not matter to a resumed run */
    char text[640]; /* "let.M 0.3 (was 0.2), ...", without attributes of the files: order, flux, law's parameters */
} ew_text_difference;

/*
 * A raster: the polynomials at the centres of cells[0] x cells[1] equal cells of a window, in every frame; NaN outside
 * the domain. All zero: no raster.
 */
enum { EW_MOST_RASTER_CELLS = 16384 };

typedef struct ew_raster {
    int cells[2];         /* in x and in y, each 1 .. EW_MOST_RASTER_CELLS */
    double window[4];     /* x and y of the lower left and of the upper right corner; all 0: the mesh's extent */
    int outputs;          /* 0: the fields' outputs */
    const int *output;    /* [outputs]: numbers for ew_solver_output */
    int double_precision; /* non-zero: values are doubles, not floats */
    int only;             /* non-zero: the fields have neither values at nodes nor means */
} ew_raster;

/*
 * A plan: the end of a run, its output, and the texts in its files. A case has one (ew_case_plan). A program without a
 * case starts with ew_run_plan_init and changes what it needs. Nothing is copied: the data that a plan points to must
 * outlive its users.
 */
typedef struct ew_run_plan {
    const char *name;         /* of the files: NAME.nc, NAME.series.csv, NAME.restart-STEP.nc */
    const char *title;        /* nullable */
    const char *text; /* nullable: describes the run to readers of its files; for a case, its text and settings */
    const char *mesh;         /* nullable: the source of the mesh, a path or "rectangle" */
    const char *rasters;      /* nullable: a line "HASH NAME" for each raster of its formulas */
    double start, end;        /* time of the first state; final time */
    int64_t steps;            /* stop after this many; INT64_MAX: no limit */
    /* Fields */
    double every;             /* time between frames, counted from `start`; 0: only the frames of `at` */
    size_t times;
    const double *at;         /* [times]: times of frames, ascending */
    int outputs;              /* 0: the law's primitive variables */
    const int *output;        /* [outputs]: numbers for ew_solver_output */
    int subdivide;            /* each triangle is written as subdivide^2 triangles; 0: the order */
    int compression;          /* 0 .. 9 */
    int single;               /* non-zero: values at nodes and means are single precision */
    ew_raster raster;
    int walls;
    const ew_wall *wall;      /* [walls] */
    /* Time series */
    int64_t series_steps;     /* steps between lines; 0: no time series */
    int series_residuals;     /* non-zero: includes the norms of ew_series_residual */
    int probes, bodies, fluxes;
    const ew_series_probe *probe; /* [probes] */
    const ew_series_body *body;   /* [bodies] */
    const int32_t *flux;      /* [fluxes]: numbers for ew_mesh_boundary */
    /* Restart files */
    int restarts;             /* non-zero: writes one at the end, too */
    double restart_every;     /* time between restart files; 0: not by time */
    int64_t restart_steps;    /* steps between restart files; 0: not by steps */
    int restart_keep;         /* number of restart files to keep */
    /* Nullable: compares `before`, the text in the files of an earlier run, with `text`; `difference` is zeroed. */
    int (*compare)(void *context, const char *before, ew_text_difference *difference, ew_error *error);
    void *context;
} ew_run_plan;

/* Sets a plan called "run" without an end, whose only output is a last frame. */
EW_API void ew_run_plan_init(ew_run_plan *plan);
/* The first time after `time` at which fields are due, or the end. */
EW_API double ew_run_plan_next_frame(const ew_run_plan *plan, double time);
/*
 * The first time after `time` at which a restart file is due, INFINITY if there is none. Steps are not cut there: the
 * file is written after the first step that reaches that time, so that restart files do not affect the result.
 */
EW_API double ew_run_plan_next_restart(const ew_run_plan *plan, double time);
/*
 * Fills norm[law->variables] with the residual of each conserved variable as a root mean square over the domain: the L2
 * norm of d/dt of its polynomials (ew_solver_get_residual), divided by the square root of the area. It does not include
 * the limiter.
 */
EW_API int ew_series_residual(ew_solver *solver, double *norm, ew_error *error);
/* The current force on a body, whose boundaries are those of the solver's mesh. */
EW_API int ew_series_body_force(const ew_series_body *body, ew_solver *solver, ew_force *force, ew_error *error);
/*
 * The names of a force's columns, in order: "x", "y", "drag", "lift", "moment", "moment_coefficient" and, if the law is
 * viscous, "drag_pressure", "drag_friction", "lift_pressure", "lift_friction", "heat"; NULL after the last one. A NULL
 * law has the columns that all laws share. If `force` is not NULL, *value becomes the number.
 */
EW_API const char *ew_force_number(const ew_law *law, const ew_force *force, int index, double *value);

/* ---- cases ------------------------------------------------------------------------------------------------------- */

typedef struct ew_case ew_case; /* a case file (edgewise-case(5)) with its mesh and formulas */

/*
 * Meshes that cases share. Cases that are read with the same list, in one thread or several, have one mesh if they name
 * the same, unchanged file, or equal rectangles, with the same periodic pairs. A mesh that no case uses is kept until
 * another one is made.
 */
typedef struct ew_meshes ew_meshes;
EW_API int ew_meshes_create(const ew_host *host, ew_meshes **meshes, ew_error *error);
/* Call it after destroying the cases that were read with the list. */
EW_API void ew_meshes_destroy(ew_meshes *meshes);

enum ew_named_file { EW_NAMED_MESH, EW_NAMED_RASTER };

typedef struct ew_case_options {
    size_t settings;
    const char *const *setting; /* "path.to.key=value": replaces the file's setting */
    /* The settings' names in sentences, for example "--order 9"; NULL, or a NULL member: "--set path.to.key=value". */
    const char *const *setting_name;
    /*
     * If not 0: a rectangle of more triangles is made with fewer and larger cells, so that a large case can be checked
     * quickly. Mesh and problem are then good only for checks and estimates.
     */
    int64_t most_triangles;
    /* Receives every error, one sentence a call; ew_error has the first sentence and the number of errors. */
    void (*report)(void *context, const char *sentence);
    void *report_context;
    /*
     * For untrusted cases. Non-zero: a case may name only files in its own folder and folders within it. An absolute
     * path, a path with "..", a link, or an include is an error.
     */
    int confined;
    /*
     * Receives every file that the case names, except included ones, before it is read: its name in the case, and its
     * path.
     */
    void (*named)(void *context, enum ew_named_file kind, const char *name, const char *path);
    void *named_context;
    /*
     * If not NULL, called before a rectangle is made, and once a mesh file is read. It gets the mesh's size, and the
     * problem without its boundaries, which is good only for ew_solver_memory_for. A result other than EW_OK ends the
     * reading.
     */
    int (*admit)(void *context, const ew_mesh_info *mesh, const ew_problem *problem, ew_error *error);
    void *admit_context;
    /* If not NULL, gets the plan that checking the problem has made. The caller owns it, for ew_solver_of_plan. */
    ew_plan **plan;
    ew_meshes *meshes; /* NULL: the mesh is not shared */
    /* The member of a sweep, from 1; 0: a case with a sweep is refused. */
    int64_t member;
    int parts; /* ranks or GPUs that will share the case, in place of the case's own parts; 0: not known */
} ew_case_options;

/* Reads, checks and prepares everything that the case names. EW_ECONFIG: the case is wrong; EW_EMESH: its mesh is. */
EW_API int ew_case_read(const ew_host *host, const char *path, const ew_case_options *options, ew_case **that,
                        ew_error *error);
EW_API void ew_case_destroy(ew_case *that);

typedef struct ew_case_info {
    const char *path;
    const char *source;  /* the text of the file, with included files expanded */
    int coarser;         /* non-zero: the mesh has fewer triangles than in the case (most_triangles) */
    int32_t cells[2];    /* of a rectangle: in x and in y; 0: the mesh is a file */
    ew_run_plan plan;    /* its name is the file's, without folder and .cfg */
} ew_case_info;

/*
 * Checks settings without a case: EW_ECONFIG for a key that no case has, or a value that no case can have. From the
 * options it reads the settings, their names and report.
 */
EW_API int ew_case_check_settings(const ew_host *host, const ew_case_options *options, ew_error *error);
/*
 * Checks the text of a case as ew_case_read does before it parses: EW_ECONFIG if a key appears twice, there are too
 * many keys, or groups are too deep. Included files are not read.
 */
EW_API int ew_case_check_text(const ew_host *host, const char *text, ew_error *error);
EW_API void ew_case_get_info(const ew_case *that, ew_case_info *info);
/* The same plan, owned by the case. */
EW_API const ew_run_plan *ew_case_plan(const ew_case *that);
/* The case owns the following objects, and must outlive the solver made from them. */
EW_API const ew_mesh *ew_case_mesh(const ew_case *that);
/*
 * Makes the case's mesh again with its periodic boundaries unjoined and named, as refining and writing need it. The
 * caller owns it.
 */
EW_API int ew_case_open_mesh(const ew_host *host, const ew_case *that, ew_mesh **mesh, ew_error *error);
/*
 * Frees the mesh of a case, which is not needed after ew_comm_divide: ew_case_mesh then returns NULL, and the rest
 * remains. No object made from the case may still use the mesh.
 */
EW_API void ew_case_free_mesh(ew_case *that);
/*
 * Raster k that the case's formulas name, and through `raster` (nullable) its data, which the case owns. Returns its
 * name, "dem.nc: z"; NULL after the last one.
 */
EW_API const char *ew_case_raster(const ew_case *that, int k, const ew_raster_data **raster);
/* Info on the mesh that the case describes, even if the case's own mesh is coarser. */
EW_API void ew_case_mesh_info(const ew_case *that, ew_mesh_info *info);
EW_API const ew_problem *ew_case_problem(const ew_case *that);

/* ---- sweeps: one case file for many cases ------------------------------------------------------------------------ */

/* The group `sweep` of a case. Its members are cases, which ew_case_options.member chooses. */
typedef struct ew_sweep ew_sweep;
enum { EW_MOST_MEMBERS = 100000, EW_MOST_KEYS = 64 /* limits for a sweep or a data set */ };

typedef struct ew_sweep_info {
    const char *name, *source; /* as in ew_case_info, for the whole case */
    int64_t members;           /* 0: the case has no sweep */
    int keys;
    uint64_t hash;             /* of all settings except title, backend, spool and sweep */
} ew_sweep_info;

/*
 * Reads only the group; errors elsewhere are not reported. From the options it uses the settings, their names, report
 * and confined.
 */
EW_API int ew_sweep_read(const ew_host *host, const char *path, const ew_case_options *options, ew_sweep **sweep,
                         ew_error *error);
EW_API void ew_sweep_destroy(ew_sweep *sweep);
EW_API void ew_sweep_get_info(const ew_sweep *sweep, ew_sweep_info *info);
/* Key k, for example "let.alpha"; NULL after the last one. */
EW_API const char *ew_sweep_key(const ew_sweep *sweep, int k);
/*
 * A member's value of key k, with members from 1: as a text, truncated to the size, and through `number` (nullable) as
 * a number, NaN for a text. Returns the length of the whole text; 0: no such member or key.
 */
EW_API size_t ew_sweep_value(const ew_sweep *sweep, int64_t member, int k, char *text, size_t size, double *number);
/* The same as a setting, "let.alpha=3", as in ew_case_options. With "sweep={}" as well, the case has no sweep. */
EW_API size_t ew_sweep_setting(const ew_sweep *sweep, int64_t member, int k, char *text, size_t size);
/* The name of a member's files, "CASE-0007", truncated to the size. */
EW_API void ew_sweep_name(const ew_sweep *sweep, int64_t member, char *text, size_t size);

/*
 * Fields read back from NAME.nc, or from NAME.nc.part while a run is writing it, or the state of a restart file, as one
 * frame of its primitive and conserved variables. EW_EIO: the file cannot be read, is truncated or damaged, or was not
 * written by edgewise; EW_EUNAVAILABLE: a newer edgewise wrote it.
 */
typedef struct ew_results ew_results;

typedef struct ew_results_info {
    const char *path, *title, *case_name;
    const char *version, *status; /* version: of edgewise; status: of the run, "complete", "running", ... */
    const ew_law *law;            /* NULL: unknown */
    int64_t elements, frames;
    int order, subdivide; /* subdivide < order: the file does not determine the polynomials */
    int fields;
    double xmin, ymin, xmax, ymax;
} ew_results_info;

EW_API int ew_results_open(const ew_host *host, const char *path, ew_results **results, ew_error *error);
EW_API void ew_results_close(ew_results *results);
EW_API void ew_results_get_info(const ew_results *results, ew_results_info *info);
/*
 * The name and, through long_name and units (nullable), the description and unit of field k; NULL after the last one.
 * Fields are the variables of the file and, if it has all primitive variables, the conserved and derived ones, which
 * are computed from the solver's polynomials.
 */
EW_API const char *ew_results_field(const ew_results *results, int k, const char **long_name, const char **units);
/* The number of the field, or EW_EINVAL with a sentence that names the nearest one. */
EW_API int ew_results_find(const ew_results *results, const char *field, int *k, ew_error *error);
/* The name of boundary k, with _ for blanks; NULL after the last one. A restart file has none. */
EW_API const char *ew_results_boundary(const ew_results *results, int k);
/*
 * Adds the field "cp": (p - pressure) / (density speed^2 / 2). Call it before ew_results_subtract. The file has this
 * field already if the case's output.forces has reference values with a pressure, the same for all bodies. EW_EINVAL:
 * the law has no pressure, or a value is impossible.
 */
EW_API int ew_results_set_reference(ew_results *results, double density, double speed, double pressure,
                                    ew_error *error);
/* The time and, through `step` (nullable), the number of time steps of a frame. */
EW_API double ew_results_time(const ew_results *results, int64_t frame, int64_t *step);
/* The frame with the nearest time. */
EW_API int64_t ew_results_nearest(const ew_results *results, double time);
/*
 * Turns the fields of `results` into differences: those of `other`, at the frame of the nearest time, are subtracted
 * point by point. Both must have the same mesh in the same order; fields that only one has are dropped. `other` must
 * stay open as long as `results` is read. EW_EINVAL: the meshes differ.
 */
EW_API int ew_results_subtract(ew_results *results, ew_results *other, ew_error *error);
/* Corners xy[count][3][2] of elements first .. first+count-1. */
EW_API int ew_results_corners(const ew_results *results, int64_t first, int64_t count, double *xy, ew_error *error);
/* The time of the last frame of NAME.nc, which may have only rasters; NaN: no such file, or no frame. */
EW_API double ew_results_end(const ew_host *host, const char *path);
/* A field's values[count][points] at rs[points][2] as in ew_solver_sample, from each element's own polynomial. */
EW_API int ew_results_sample(const ew_results *results, int64_t frame, int field, int64_t first, int64_t count,
                             int points, const double *rs, double *values, ew_error *error);

/*
 * Fields in the formats of other programs. In all formats every triangle has nodes of its own, so that jumps survive.
 *   EW_EXPORT_VTU    VTK's XML format, binary and compressed (if built with zlib), one frame a file
 *   EW_EXPORT_GMSH   Gmsh's MSH 2.2, binary: a view for each field, with an interpolation scheme for its polynomials
 *   EW_EXPORT_CSV    element, x, y and the fields, a line for each node
 */
enum ew_export_format { EW_EXPORT_VTU, EW_EXPORT_GMSH, EW_EXPORT_CSV };
enum { EW_EXPORT_SUBDIVIDE = 16 }; /* maximum */

typedef struct ew_export {
    enum ew_export_format format;
    int64_t first_frame, frames; /* frames is 1, except for EW_EXPORT_GMSH */
    int fields;                  /* 0: all variables of the file except the means of elements */
    const int *field;            /* [fields] */
    int subdivide;               /* as in case files; 0: the file's. EW_EXPORT_GMSH uses its polynomials' degree */
    int lagrange; /* EW_EXPORT_VTU: each triangle is one Lagrange cell of that degree, not many linear ones */
    /*
     * NULL, or boundaries "NAME,NAME": writes the fields along these instead of on the triangles, as lines
     * (EW_EXPORT_VTU) or as ew_probe's table (EW_EXPORT_CSV).
     */
    const char *boundary;
    /*
     * NULL, or a wall of the case's output.walls: a table of its values (EW_EXPORT_CSV), with arc, x, y, normal_x,
     * normal_y, p, cp and, for viscous laws, shear, cf, heat and, if the file has it, nusselt. `fields` is then 0.
     */
    const char *wall;
} ew_export;

EW_API int ew_export_write(const ew_results *results, const ew_export *what, const char *path, ew_error *error);
/* A PVD file: names of VTU files, relative to its folder, and their times. */
EW_API int ew_export_collection(const ew_host *host, int64_t count, const char *const *name, const double *time,
                                const char *path, ew_error *error);

/*
 * Fields as netCDF-4 with UGRID-1.0 and CF conventions; every element has nodes of its own. The file is written as
 * "path.part" and gets its name from ew_fields_close; destroying without closing removes it. EW_ECREATE: the file
 * cannot be created there, or another run is writing it, in this process or another one.
 */
typedef struct ew_fields ew_fields;
EW_API int ew_fields_create(const ew_host *host, const char *path, const ew_run_plan *plan, ew_solver *solver,
                            ew_fields **fields, ew_error *error);
/*
 * Appends the solver's current state as a frame. Readers then see the frame, and a kill of the process does not lose
 * it. A background thread then syncs it to the disk, at the latest when a restart file is written or the file is
 * closed. EW_EFULL: the disk is full; no part of the frame has been written, and ew_fields_close can still complete the
 * earlier frames. EW_EIO: another failure; the file may be lost. If OpenMP offers this thread several threads, they
 * evaluate the frame while it is written.
 */
EW_API int ew_fields_write(ew_fields *fields, ew_solver *solver, ew_error *error);
/*
 * Announces that the frame of this snapshot will be written after those already announced. It may then be evaluated
 * while they are written, by the threads that OpenMP offers this thread. Another thread than the writing one may call
 * this. The snapshot must not change until its frame is written, or an earlier one has failed, after which no frame is
 * expected. Frames that were not announced can be written as well.
 */
EW_API void ew_fields_expect(ew_fields *fields, ew_solver *snapshot);
/*
 * Includes the raster in snapshots of this solver from now on: a state on a GPU is sampled there (see
 * ew_solver_expect_points). The solver must be destroyed, or expect other points or none, before the fields are
 * destroyed.
 */
EW_API int ew_fields_expect_raster(const ew_fields *fields, ew_solver *solver, ew_error *error);
/* Bytes of a raster's values in a copy of the state on a GPU, and of the GPU's memory for it (nullable). */
EW_API double ew_fields_raster_bytes(const ew_run_plan *plan, const ew_law *law, int64_t elements, double *device);
/*
 * Completes the file. `status` ("complete", "interrupted", "failed: ...") becomes an attribute. Only a complete file is
 * renamed to `path`, and replaces a file of that name. If `path` is NAME.nc, others become NAME.interrupted.nc or, with
 * any other status, NAME.failed.nc. If it cannot be renamed, the whole file stays "path.part". The fields can then only
 * be destroyed or used for ew_fields_path.
 */
EW_API int ew_fields_close(ew_fields *fields, const char *status, ew_error *error);
/* The file's current name: "path.part", or its final one. */
EW_API const char *ew_fields_path(const ew_fields *fields);
/*
 * Bytes of a frame on that mesh, uncompressed, and, through `memory` (nullable), of the host's memory for the fields.
 */
EW_API double ew_fields_frame_bytes(const ew_run_plan *plan, const ew_problem *problem, const ew_mesh_info *mesh,
                                    double *memory);
/* Bytes of the mesh at the beginning of the file, uncompressed. */
EW_API double ew_fields_mesh_bytes(const ew_run_plan *plan, const ew_problem *problem, const ew_mesh_info *mesh);
EW_API void ew_fields_destroy(ew_fields *fields);

/*
 * Time series as comma-separated values: a header, and one line per call with step, time, length of the step, the
 * integrals of the conserved variables, and what the plan asks for: flux_BOUNDARY_VARIABLE, outwards; PROBE_QUANTITY;
 * BODY_x and the other numbers of ew_force_number. The file is written as "path.part", line by line, and gets its name
 * from ew_series_close, like fields.
 *   A run that resumes from a restart file passes its step as `goes_on`; otherwise it is negative. Earlier lines up to
 * that step are then taken over: the first one and those in the plan. If there are none, the host's log says so. An
 * earlier file is then not replaced: if `path` is NAME.csv, it becomes "NAME.before-STEP.csv" or, if that exists,
 * "NAME.before-STEP-2.csv" and so on.
 */
typedef struct ew_series ew_series;
EW_API int ew_series_create(const ew_host *host, const char *path, const ew_run_plan *plan, const ew_solver *solver,
                            int64_t goes_on, ew_series **series, ew_error *error);
EW_API int ew_series_write(ew_series *series, ew_solver *solver, ew_error *error);
/* The step of the last line, which may be one taken over; -1 if there is none. */
EW_API int64_t ew_series_last_step(const ew_series *series);
EW_API int ew_series_close(ew_series *series, const char *status, ew_error *error);
/* The file's current name. */
EW_API const char *ew_series_path(const ew_series *series);
EW_API void ew_series_destroy(ew_series *series);

/*
 * The oscillation of a signal, such as a column of a time series: value[count] at time[count], which ascend and need
 * not be evenly spaced, linear between them. Samples from `from` to `to` count. Periods begin where the signal rises
 * through its mean, between excursions of 0.3 standard deviations to both sides. EW_EINVAL: times do not ascend, values
 * are not finite, or there are fewer than two samples.
 */
typedef struct ew_oscillation {
    double from, to;         /* the whole periods or, if there are fewer than two, all samples */
    double mean, deviation;  /* over that time: the mean and the standard deviation */
    double least, greatest;  /* of the samples */
    int periods;             /* whole ones */
    double frequency;        /* the number of periods per time; NaN: unknown */
    double amplitude;        /* the mean over the periods of half of the greatest less the least value */
    double spread;           /* standard deviation of the periods' lengths over their mean */
    const char *why;         /* why there is no frequency, or NULL */
} ew_oscillation;

EW_API int ew_oscillation_measure(size_t count, const double *time, const double *value, double from, double to,
                                  ew_oscillation *oscillation, ew_error *error);

/*
 * Restart files: netCDF (CDF-5) with the modal coefficients in file order, the moment, hashes of the mesh and of all
 * settings that affect the result, and the provenance. A file is written as "path.part", synced and renamed, so that a
 * failure never damages an earlier file of that name.
 */
typedef struct ew_restart_info {
    ew_moment moment;
    int order;           /* of the file; the solver's may differ */
    uint64_t state_hash; /* of the file's coefficients */
    int64_t frames;      /* number of frames that ew_fields had written before */
    uint64_t frame_hash; /* state_hash of the last of these */
} ew_restart_info;

/*
 * `fields` (nullable): the fields that the run writes, which must not have failed; their frames are synced first.
 * EW_ECREATE: the file cannot be created there.
 */
EW_API int ew_restart_write(const ew_host *host, const char *path, const ew_run_plan *plan, ew_solver *solver,
                            ew_fields *fields, ew_error *error);
/*
 * Puts the solver, which must be of this case, where the file's run was; see ew_solver_restore. The case may differ
 * from the file's in end, output, backend, order, flux, limiter, time scheme, boundaries and formulas. The host's log
 * receives the differences that affect the result, and a steady state then no longer counts as steady. Another mesh is
 * EW_EMESH, and another law EW_ECONFIG. EW_EIO: the file cannot be read, is damaged, or is not a restart file;
 * EW_EUNAVAILABLE: a newer edgewise wrote it. From fields (NAME.nc), the last frame is read, which gives the state up
 * to rounding errors, and a warning; EW_ECONFIG: it does not determine the polynomials. `info` may be NULL.
 */
EW_API int ew_restart_read(const ew_host *host, const char *path, const ew_run_plan *plan, ew_solver *solver,
                           ew_restart_info *info, ew_error *error);
/*
 * Like ew_fields_create, for a run that resumes from a restart file. The frames before the restart are taken over from
 * `path`, or from the file that a killed run left for it; later frames are dropped. If the frames are missing or do not
 * fit (other fields, another order, parameter of the law, subdivision or precision), the host's log says so, and the
 * new file begins empty. An existing file `path` then becomes "NAME.before-STEP.nc" or, if that exists,
 * "NAME.before-STEP-2.nc" and so on. *frames (nullable): the number of frames taken over. If the result depends on the
 * difference between their case's text and this one, their text becomes the attribute case_text_until_STEP.
 */
EW_API int ew_fields_resume(const ew_host *host, const char *path, const ew_run_plan *plan, ew_solver *solver,
                            const ew_restart_info *from, ew_fields **fields, int64_t *frames, ew_error *error);

/*
 * The rasters of many runs as one data set for training: an HDF5 file in the layout of The Well, called "path.part"
 * until ew_well_close. Fields are floats [trajectory][frame][x][y], vectors [trajectory][frame][x][y][2]. Cells outside
 * the domain are 0; if there are any, the field "mask" marks them with 0, too. Scalars are the `keys` numbers of each
 * run and its law's parameters; a key that is one of these, as "law.gamma", is left out. The kinds of the window's
 * boundaries come from mesh and problem, which may be those of any run. The plan must have a raster; its name,
 * compression and raster are read. EW_EUNAVAILABLE: the library is built without HDF5.
 */
typedef struct ew_well ew_well;
EW_API int ew_well_create(const ew_host *host, const char *path, const ew_run_plan *plan, const ew_mesh *mesh,
                          const ew_problem *problem, int64_t members, int keys, const char *const *key, ew_well **well,
                          ew_error *error);
/*
 * Adds the raster of a run's complete NAME.nc as trajectory `member` (from 0), with value[keys]. All members must share
 * grid, frames and variables (EW_EINVAL). Several threads may add members at the same time.
 */
EW_API int ew_well_add(ew_well *well, int64_t member, const char *fields, const double *value, ew_error *error);
/* Completes the file without members that were not added; without any member there is no file (EW_EINVAL). */
EW_API int ew_well_close(ew_well *well, ew_error *error);
EW_API void ew_well_destroy(ew_well *well);

/* ---- runs: a solver from its first state to its last, and its files ---------------------------------------------- */

typedef struct ew_run ew_run;

/* The progress of a run. */
typedef struct ew_run_progress {
    double fraction; /* 0 .. 1, by time or by steps, whichever will end the run first; NaN: it has no end */
    double time, dt; /* dt: of the next step; NaN: unknown */
    int64_t steps;
    double rate;     /* degrees of freedom times stages a second, of time stepping alone; NaN: not known yet */
} ew_run_progress;

/* Zeroed options are the defaults. The data that they point to must outlive the run. */
typedef struct ew_run_options {
    const char *folder;  /* of the run's files; NULL: the current one. A relative path must stay valid until the end */
    const char *fields;  /* path of the fields, in whose folder the time series is; NULL: NAME.nc in `folder` */
    int no_output;       /* non-zero: writes no files */
    int halts_at_frames; /* non-zero: ew_run_advance also returns at each time at which a frame is due */
    const char *restart; /* file for ew_restart_read; "auto": the newest of NAME in `folder`, if any; NULL: none */
    /*
     * Non-zero: "auto" starts silently if there is no restart file. Otherwise it warns, and does not replace a finished
     * result of that name whose last frame is later than the start: EW_ECREATE.
     */
    int restart_is_optional;
    void *context;       /* of the following functions, each of which may be NULL */
    /*
     * Called between steps, about ten times a second. Non-zero ends the run after the current step; it can be resumed.
     */
    int (*stop)(void *context);
    /* Called as often; ew_run_get_progress returns the progress. */
    void (*progress)(void *context, ew_run *run);
    /*
     * Called before a file of an earlier run is opened. A result other than EW_OK refuses the file; EW_EIO skips a
     * restart file as if it were damaged. For programs that first open files in another process, because HDF5 may crash
     * on them.
     */
    int (*admit)(void *context, const char *path, ew_error *error);
} ew_run_options;

enum ew_run_end {
    EW_RUN_GOES_ON,
    EW_RUN_AT_END,   /* the final time is reached */
    EW_RUN_AT_STEPS, /* the number of steps is reached */
    EW_RUN_STEADY,   /* the state is steady (ew_problem) */
    EW_RUN_STOPPED,  /* options.stop ended it */
    EW_RUN_FAILED
};

/* "running", "end", "steps", "steady", "interrupted", "failed". */
EW_API const char *ew_run_end_name(enum ew_run_end end);

/* A summary of a run, as far as it is known; the run owns the texts. */
typedef struct ew_run_summary {
    enum ew_run_end end;
    double time;        /* of the current state or, if that became inadmissible, of the one before */
    int64_t steps;
    int has_last;       /* non-zero: norms, hash and force are those of the last state */
    ew_norms norms;
    int has_residual;   /* non-zero: the residual is that of the last state, as in ew_run_get_residual */
    double residual[EW_MAX_VARIABLES];
    double orders_fallen; /* ew_solver_orders_fallen of the last state */
    uint64_t hash;
    const ew_force *force;  /* [plan->bodies] */
    double setup_seconds;   /* from the run's creation to its first step; NaN: not begun */
    double seconds;         /* of time stepping */
    double output_seconds;  /* time spent waiting for its files ... */
    double closing_seconds; /* ... and the part of it after all steps were done */
    double rate;            /* as in ew_run_progress */
    int64_t frames;         /* in the fields */
    const char *fields, *series; /* paths of published files; NULL: none */
    int ends_before_break;  /* non-zero: the last frame is the state before the step that broke */
    const char *earlier;    /* failed run: path of an earlier run's fields, which still exist; or NULL */
    const char *resumed;    /* the restart file from which it resumed, or NULL */
    size_t restarts;
    const char *const *restart; /* [restarts]: existing restart files, the newest one last */
} ew_run_summary;

/*
 * EW_ECREATE: no file can be created in that folder (NULL: the current one). ew_run_create checks this, too, but after
 * the solver was made.
 */
EW_API int ew_run_check_folder(const char *folder, ew_error *error);
/*
 * Reports to the host's log, as warnings, doubts about the initial state: boundaries of kind "copy" through which waves
 * enter, and reference values of the plan's bodies and walls that are far from all values of the state; averages if the
 * plan writes none of them; and levels of time steps of which fewer take much less work. The solver must still have
 * this state, so call it before ew_run_create, which may restore a later one. `problem` is the solver's; its names and
 * kinds are read.
 */
EW_API int ew_run_warn_of_state(const ew_host *host, const ew_run_plan *plan, const ew_problem *problem,
                                ew_solver *solver, ew_error *error);
/* Work that levels of time steps save in a run (ew_run_get_levels). */
typedef struct ew_run_levels {
    int levels;         /* of the solver; 1: all elements take the same steps */
    double step;        /* length of a whole step of the highest level; NaN: unknown */
    double interval;    /* mean time between frames; NaN: unknown */
    double work;        /* evaluations as a share of those of one level, short steps included */
    int enough;         /* the fewest levels that take nearly the least evaluations, at most `levels` ... */
    double enough_work; /* ... and their work */
    int is_wasteful;    /* non-zero: that is much less than `work` */
} ew_run_levels;

/*
 * Counts, at the speed of the solver's present state, the steps to the plan's frames and its end, for the solver's
 * levels of time steps and for fewer. Where their length is unknown, `work` is that of whole steps.
 */
EW_API void ew_run_get_levels(const ew_run_plan *plan, ew_solver *solver, ew_run_levels *levels);
/*
 * Makes a run of that solver. The caller keeps the solver and the plan. Restores the solver from options->restart;
 * files are created when the run advances. `options` may be NULL. EW_ECREATE: the folder cannot be written to; EW_EIO,
 * EW_EUNAVAILABLE, EW_EMESH, EW_ECONFIG: the run cannot resume from the restart file (ew_restart_read).
 */
EW_API int ew_run_create(const ew_host *host, const ew_run_plan *plan, ew_solver *solver, const ew_run_options *options,
                         ew_run **run, ew_error *error);
/*
 * Advances by at most so many steps, or to the end, where the files get their names; INT64_MAX: to the end. A failure
 * ends the run; its frames are kept as NAME.failed.nc. EW_EFULL: the disk is full; EW_EIO, EW_ECREATE: another failure
 * of a file; other codes are those of ew_solver_advance.
 */
EW_API int ew_run_advance(ew_run *run, int64_t steps, ew_error *error);
EW_API void ew_run_get_progress(const ew_run *run, ew_run_progress *progress);
/*
 * least[law->variables] of ew_solver_get_least, for progress reports. It is measured again if measuring takes less than
 * a hundredth of the time since the last measurement, and otherwise it is the last result. NaN: unknown.
 */
EW_API void ew_run_get_least(ew_run *run, double *least);
/*
 * residual[law->variables] of ew_series_residual, measured likewise, if the run looks for a steady state or has
 * residuals in its time series; otherwise NaN.
 */
EW_API void ew_run_get_residual(ew_run *run, double *residual);
EW_API ew_solver *ew_run_solver(const ew_run *run);
EW_API void ew_run_get_summary(const ew_run *run, ew_run_summary *summary);
/* Destroys a run. If it has not ended, its files are removed, except restart files. */
EW_API void ew_run_destroy(ew_run *run);

/* Bytes that a run needs, and that are available; NaN: unknown. */
typedef struct ew_run_memory {
    double mesh, solver;
    double device;    /* of the GPU's memory; 0: runs on the CPU */
    double output;    /* frames that are being written */
    /*
     * copies of the state and its averages that wait to be written, in the host's memory, unless a GPU keeps them with
     * a raster's values
     */
    double copies;
    double copy;      /* one copy of the state alone */
    double available; /* memory and swap, within the limits of the process's groups */
} ew_run_memory;

/* Available memory and swap, within the limits of the process's groups, or all memory of the machine; NaN: unknown. */
EW_API double ew_available_memory(void);
EW_API int ew_run_get_memory(const ew_run_plan *plan, const ew_problem *problem, const ew_mesh_info *mesh,
                             ew_run_memory *memory, ew_error *error);
/*
 * EW_ENOMEM, with these numbers in a sentence, if memory is short: Linux grants memory that it does not have, and kills
 * the process later.
 */
EW_API int ew_run_check_memory(const ew_run_memory *memory, ew_error *error);
/* Implements ew_case_options.admit: checks that mesh and solver fit in memory. */
EW_API int ew_run_admit(void *context, const ew_mesh_info *mesh, const ew_problem *problem, ew_error *error);

#ifdef __cplusplus
}
#endif

#endif
