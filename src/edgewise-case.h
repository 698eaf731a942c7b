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

/* As ew_struct_size, of this header's structs and those of edgewise-plot.h. */
EW_API size_t ew_case_struct_size(const char *name);

/*
 * Reads a Gmsh mesh file: .msh 2.0 to 2.2 or 4.1, ASCII or binary, triangles and boundary lines with physical names.
 * Periodic pairs and the receiver of defects may be given through `data`, of which only periodics, periodic, report and
 * report_context are read; it may be NULL.
 */
EW_API int ew_gmsh_read(const ew_host *host, const char *path, const ew_mesh_data *data, ew_mesh **mesh,
                        ew_error *error);

/*
 * As ew_gmsh_read, but the file may also be an SU2 mesh, and quadrangles are split into two triangles each, along the
 * diagonal that gives better shapes: for conversion. The host's log receives how many there were and what is not taken
 * over.
 */
EW_API int ew_mesh_import(const ew_host *host, const char *path, const ew_mesh_data *data, ew_mesh **mesh,
                          ew_error *error);

/*
 * Writes the mesh, nodes and triangles in file order, as a Gmsh mesh file; read back, it is the same mesh to the last
 * bit. Each boundary is a physical group of its name, the surface one of the name "domain". The file gets its name when
 * it is whole. EW_EINVAL: periodic boundaries have been joined, and their names are lost.
 */
enum ew_gmsh_version { EW_GMSH_22, EW_GMSH_41 };
EW_API int ew_gmsh_write(const ew_host *host, const ew_mesh *mesh, enum ew_gmsh_version version, int binary,
                         const char *path, ew_error *error);

/* ---- plans: when a run ends and what it writes ------------------------------------------------------------------- */

/* A point whose values are in the time series: in this element, at rs of the reference triangle. */
typedef struct ew_series_probe {
    const char *name;
    double x, y, rs[2];
    int64_t element;
} ew_series_probe;

/*
 * A body: drag and lift are its pressure force along and across `direction`, counter-clockwise, over density speed^2
 * length / 2. The coefficient of its moment about `point` is the moment over density speed^2 length^2 / 2.
 */
typedef struct ew_series_body {
    const char *name;
    int boundaries;
    const int32_t *boundary; /* [boundaries]: numbers for ew_mesh_boundary */
    double density, speed, length, direction[2], point[2]; /* direction: of length 1 */
    double pressure; /* of the free stream: for the pressure coefficient of ew_results_set_reference; in no force */
} ew_series_body;

typedef struct ew_force {
    double force[2];   /* integral of p n over the body's boundaries */
    double drag, lift; /* coefficients */
    /* About the body's point, counterclockwise: an airfoil's pitching moment, nose up, is the negative of it. */
    double moment, moment_coefficient;
} ew_force;

/* How two texts of a run differ, for whatever goes on with the state of another text. */
typedef struct ew_text_difference {
    int differs;    /* non-zero: in anything that the result depends on, the mesh and the run's length left out */
    int initial;    /* non-zero: in the initial state or its time, which a state that exists does not depend on */
    char text[640]; /* "let.M 0.3 (was 0.2), ...", without what files have as attributes: order, flux, parameters of the
                       law */
} ew_text_difference;

/*
 * A raster: the polynomials at the centres of cells[0] x cells[1] equal cells of a window, in every frame; NaN outside
 * the domain. All zero: there is none.
 */
enum { EW_MOST_RASTER_CELLS = 16384 };

typedef struct ew_raster {
    int cells[2];         /* in x and in y, each 1 .. EW_MOST_RASTER_CELLS */
    double window[4];     /* x and y of the lower left corner and of the upper right one; all 0: the mesh's extent */
    int outputs;          /* 0: those of the fields */
    const int *output;    /* [outputs]: numbers for ew_law_output */
    int double_precision; /* non-zero: values are doubles, not floats */
    int only;             /* non-zero: the fields have no values at nodes and no means */
} ew_raster;

/*
 * When a run ends, what it writes, and what its files say of it. A case fills one (ew_case_plan); a program that has no
 * case begins with ew_run_plan_init and sets what it wants. Nothing is copied: what a plan points to outlives its
 * users.
 */
typedef struct ew_run_plan {
    const char *name;         /* of the files: NAME.nc, NAME.series.csv, NAME.restart-STEP.nc */
    const char *title;        /* nullable */
    const char *text; /* nullable: what the run is, for whoever reads its files; of a case its text and settings */
    const char *mesh;         /* nullable: where the mesh is from, a path or "rectangle" */
    double start, end;        /* time of the first state; final time */
    int64_t steps;            /* stop after so many; INT64_MAX: no such limit */
    /* Fields */
    double every;             /* a frame after so much time, counted from `start`; 0: none beside those of `at` */
    size_t times;
    const double *at;         /* [times]: times of frames, ascending */
    int outputs;              /* 0: the law's primitive variables */
    const int *output;        /* [outputs]: numbers for ew_law_output */
    int subdivide;            /* each triangle is written as subdivide^2 ones; 0: the order */
    int compression;          /* 0 .. 9 */
    int single;               /* non-zero: values at nodes and means are written in single precision */
    ew_raster raster;
    /* Time series */
    int64_t series_steps;     /* a line after so many steps; 0: there is none */
    int series_residuals;     /* non-zero: with the norms of ew_series_residual */
    int probes, bodies, fluxes;
    const ew_series_probe *probe; /* [probes] */
    const ew_series_body *body;   /* [bodies] */
    const int32_t *flux;      /* [fluxes]: numbers for ew_mesh_boundary */
    /* Restart files */
    int restarts;             /* non-zero: there is one of the end, too */
    double restart_every;     /* a restart file after so much time; 0: not by time */
    int64_t restart_steps;    /* a restart file after so many steps; 0: not by steps */
    int restart_keep;         /* so many of them stay */
    /* Nullable: compares `before`, the text in the files of an earlier run, with `text`; `difference` is zeroed. */
    int (*compare)(void *context, const char *before, ew_text_difference *difference, ew_error *error);
    void *context;
} ew_run_plan;

/* A plan without an end and without output but a last frame, called "run". */
EW_API void ew_run_plan_init(ew_run_plan *plan);
/* The first time after `time` at which fields are due, or the end. */
EW_API double ew_run_plan_next_frame(const ew_run_plan *plan, double time);
/*
 * The first time after `time` at which a restart file is due, INFINITY if there is none. Steps are not cut there: the
 * file is written after the first step that reaches that time, so that restart files have no influence on the result.
 */
EW_API double ew_run_plan_next_restart(const ew_run_plan *plan, double time);
/*
 * norm[law->variables]: the residual of each conserved variable as a root mean square over the domain, which is the L2
 * norm of d/dt of its polynomials (ew_solver_get_residual) divided by the square root of the area. What a limiter does
 * is no part of it.
 */
EW_API int ew_series_residual(ew_solver *solver, double *norm, ew_error *error);
/* The present force on a body; the solver's mesh has its boundaries. */
EW_API int ew_series_body_force(const ew_series_body *body, ew_solver *solver, ew_force *force, ew_error *error);
/*
 * Names of a force's numbers in columns, in their order: "x", "y", "drag", "lift", "moment", "moment_coefficient"; NULL
 * after the last one. `force` may be NULL; otherwise *value is the number.
 */
EW_API const char *ew_force_number(const ew_force *force, int index, double *value);

/* ---- cases ------------------------------------------------------------------------------------------------------- */

typedef struct ew_case ew_case; /* a case file (edgewise-case(5)) with its mesh and formulas */

/*
 * Meshes that cases share. Of the cases that are read with the same list, in one thread or several, those that name the
 * same file, unchanged, or equal rectangles, with the same periodic pairs, have one mesh, which is made once. A mesh
 * that no case has any more is kept until another one is made.
 */
typedef struct ew_meshes ew_meshes;
EW_API int ew_meshes_create(const ew_host *host, ew_meshes **meshes, ew_error *error);
/* After the cases that were read with it. */
EW_API void ew_meshes_destroy(ew_meshes *meshes);

typedef struct ew_case_options {
    size_t settings;
    const char *const *setting; /* "path.to.key=value": in place of what the file says */
    /* What sentences call each of them, for example "--order 9"; NULL, or a NULL member: "--set path.to.key=value". */
    const char *const *setting_name;
    /*
     * A rectangle of more triangles than this gets fewer and wider cells, so that a large case can be looked at in no
     * time; 0: it never does. Mesh and problem are then good for checks and estimates.
     */
    int64_t most_triangles;
    /* Receives every error found, one sentence a call; ew_error has the first and their number. */
    void (*report)(void *context, const char *sentence);
    void *report_context;
    /*
     * For cases of strangers: nonzero lets a case name files in its own folder and folders within it only; an absolute
     * path, one with "..", a link, or an include is an error.
     */
    int confined;
    /* Receives every file that the case names beside included ones, before it is read: as it is named, and its path. */
    void (*named)(void *context, const char *name, const char *path);
    void *named_context;
    /*
     * Asked, if it is not NULL, before a rectangle is made, and as soon as a mesh in a file is read: with the mesh's
     * size, and the problem without its boundaries, of which no more is good than what ew_solver_memory_for needs. What
     * is not EW_OK ends the reading.
     */
    int (*admit)(void *context, const ew_mesh_info *mesh, const ew_problem *problem, ew_error *error);
    void *admit_context;
    /* Gets, if it is not NULL, what checking the problem has made: the caller's, for ew_solver_of_plan. */
    ew_plan **plan;
    ew_meshes *meshes; /* NULL: the case's mesh is its own */
    /* Which member of a sweep is meant, from 1; 0: the case has none, and is refused if it has. */
    int64_t member;
} ew_case_options;

/* Reads, checks and prepares everything that the case names. EW_ECONFIG: the case is wrong; EW_EMESH: its mesh is. */
EW_API int ew_case_read(const ew_host *host, const char *path, const ew_case_options *options, ew_case **that,
                        ew_error *error);
EW_API void ew_case_destroy(ew_case *that);

typedef struct ew_case_info {
    const char *path;
    const char *source;  /* the text of the file, with those that it includes in their places */
    int coarser;         /* non-zero: the mesh has fewer triangles than the case asks for (most_triangles) */
    int32_t cells[2];    /* of a rectangle: in x and in y; 0: the mesh is a file */
    ew_run_plan plan;    /* its name is the file's, without folder and .cfg */
} ew_case_info;

/*
 * Whether settings may suit some case: EW_ECONFIG for a key that no case has, or a value that no case can have. Of the
 * options, the settings, their names and report count.
 */
EW_API int ew_case_check_settings(const ew_host *host, const ew_case_options *options, ew_error *error);
/*
 * Checks the text of a case as ew_case_read does before it parses: EW_ECONFIG if keys appear twice or are too many, or
 * groups are too deep. Included files are not read.
 */
EW_API int ew_case_check_text(const ew_host *host, const char *text, ew_error *error);
EW_API void ew_case_get_info(const ew_case *that, ew_case_info *info);
/* The same plan, which belongs to the case. */
EW_API const ew_run_plan *ew_case_plan(const ew_case *that);
/* All of these belong to the case, which must outlive the solver made from them. */
EW_API const ew_mesh *ew_case_mesh(const ew_case *that);
/*
 * Makes the case's mesh once more, but periodic boundaries stay boundaries with names, as refining and writing need it.
 * It belongs to the caller.
 */
EW_API int ew_case_open_mesh(const ew_host *host, const ew_case *that, ew_mesh **mesh, ew_error *error);
/*
 * For whoever needs the mesh no longer than until ew_comm_divide: ew_case_mesh is NULL then, the rest stays. Nothing
 * else that was made of the case may use the mesh.
 */
EW_API void ew_case_free_mesh(ew_case *that);
/* Of the mesh that the case asks for, also if the one that it has is coarser. */
EW_API void ew_case_mesh_info(const ew_case *that, ew_mesh_info *info);
EW_API const ew_problem *ew_case_problem(const ew_case *that);

/* ---- sweeps: a case file that stands for many cases -------------------------------------------------------------- */

/* The group `sweep` of a case; its members are cases, which ew_case_options.member chooses. */
typedef struct ew_sweep ew_sweep;
enum { EW_MOST_MEMBERS = 100000, EW_MOST_KEYS = 64 /* of a sweep or a data set, at most */ };

typedef struct ew_sweep_info {
    const char *name, *source; /* as in ew_case_info: of the case as a whole */
    int64_t members;           /* 0: the case has no sweep */
    int keys;
    uint64_t hash;             /* of all settings but title, backend, spool and sweep */
} ew_sweep_info;

/* Of the options, the settings, their names, report and confined count. Errors outside the group are not looked for. */
EW_API int ew_sweep_read(const ew_host *host, const char *path, const ew_case_options *options, ew_sweep **sweep,
                         ew_error *error);
EW_API void ew_sweep_destroy(ew_sweep *sweep);
EW_API void ew_sweep_get_info(const ew_sweep *sweep, ew_sweep_info *info);
/* Key k, for example "let.alpha"; NULL beyond the last one. */
EW_API const char *ew_sweep_key(const ew_sweep *sweep, int k);
/*
 * What a member, from 1, has for key k, as a text, cut at the size, and through `number` (nullable) as a number, NaN if
 * it is none. Returns the whole text's length; 0: there is no such member or key.
 */
EW_API size_t ew_sweep_value(const ew_sweep *sweep, int64_t member, int k, char *text, size_t size, double *number);
/* The same as a setting, "let.alpha=3", as in ew_case_options; with "sweep={}" beside it, the case is not a sweep. */
EW_API size_t ew_sweep_setting(const ew_sweep *sweep, int64_t member, int k, char *text, size_t size);
/* The name of a member's files, "CASE-0007", cut at the size. */
EW_API void ew_sweep_name(const ew_sweep *sweep, int64_t member, char *text, size_t size);

/*
 * Fields read back from NAME.nc, also while a run is still writing NAME.nc.part, or the state of a restart file as the
 * one frame of its primitive and conserved variables. EW_EIO: the file cannot be read, is cut short, damaged, or not
 * one of edgewise's; EW_EUNAVAILABLE: a newer edgewise wrote it.
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
/*
 * Name, and through long_name and units (nullable) the words and the unit of field k; NULL beyond the last one. Besides
 * the variables of the file there are those that follow from the state, if it has all primitive variables: conserved
 * and derived ones, from the polynomials as the solver has them.
 */
EW_API const char *ew_results_field(const ew_results *results, int k, const char **long_name, const char **units);
/* Its number, or EW_EINVAL with a sentence that names the nearest one. */
EW_API int ew_results_find(const ew_results *results, const char *field, int *k, ew_error *error);
/* Name of boundary k, with _ in place of blanks; NULL beyond the last one. A restart file has none. */
EW_API const char *ew_results_boundary(const ew_results *results, int k);
/*
 * Adds the field "cp": (p - pressure) / (density speed^2 / 2). If the case's output.forces has reference values with a
 * pressure, the same for all bodies, the file has this field by itself. Before ew_results_subtract. EW_EINVAL: there is
 * no pressure, or a value is not possible.
 */
EW_API int ew_results_set_reference(ew_results *results, double density, double speed, double pressure,
                                    ew_error *error);
/* Time and, through `step` (nullable), number of time steps of a frame. */
EW_API double ew_results_time(const ew_results *results, int64_t frame, int64_t *step);
/* The frame whose time is nearest. */
EW_API int64_t ew_results_nearest(const ew_results *results, double time);
/*
 * From now on, the fields of `results` are differences: those of `other`, at the frame of the nearest time, are
 * subtracted point by point. Both need one mesh, in one order; fields that only one has are gone. `other` must stay
 * open as long as `results` is read. EW_EINVAL: the meshes differ.
 */
EW_API int ew_results_subtract(ew_results *results, ew_results *other, ew_error *error);
/* Corners xy[count][3][2] of elements first .. first+count-1. */
EW_API int ew_results_corners(const ew_results *results, int64_t first, int64_t count, double *xy, ew_error *error);
/* Time of the last frame of NAME.nc, which may have rasters only; NaN: there is no such file, or it has no frame. */
EW_API double ew_results_end(const ew_host *host, const char *path);
/* A field's values[count][points] at rs[points][2] as in ew_solver_sample, from each element's own polynomial. */
EW_API int ew_results_sample(const ew_results *results, int64_t frame, int field, int64_t first, int64_t count,
                             int points, const double *rs, double *values, ew_error *error);

/*
 * Fields in the formats of other programs. In all of them every triangle keeps nodes of its own, so that jumps survive.
 *   EW_EXPORT_VTU    VTK's XML format, binary and compressed (if built with zlib), one frame a file
 *   EW_EXPORT_GMSH   Gmsh's MSH 2.2, binary: a view for each field, with an interpolation scheme that keeps the
 *                    polynomials
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
    int lagrange; /* EW_EXPORT_VTU: each triangle is one Lagrange cell of that degree, not many linear ones */
    /*
     * NULL, or boundaries, "NAME,NAME", along which the fields are written in place of the triangles: as lines
     * (EW_EXPORT_VTU) or as ew_probe's table (EW_EXPORT_CSV).
     */
    const char *boundary;
} ew_export;

EW_API int ew_export_write(const ew_results *results, const ew_export *what, const char *path, ew_error *error);
/* A PVD file: names of VTU files, relative to its folder, and their times. */
EW_API int ew_export_collection(const ew_host *host, int64_t count, const char *const *name, const double *time,
                                const char *path, ew_error *error);

/*
 * Fields as netCDF-4 with UGRID-1.0 and CF conventions; every element has nodes of its own. The file is written as
 * "path.part" and gets its name from ew_fields_close; destroying without closing removes it. EW_ECREATE: nothing can be
 * written there, or another run is writing it, in this process or another one.
 */
typedef struct ew_fields ew_fields;
EW_API int ew_fields_create(const ew_host *host, const char *path, const ew_run_plan *plan, ew_solver *solver,
                            ew_fields **fields, ew_error *error);
/*
 * Appends the solver's present state as a frame. Readers see it from then on, and a process that is killed does not
 * lose it; it is brought to the disk after that, by a thread of its own, and at the latest when a restart file is
 * written or the file is closed. EW_EFULL: there is no room for it, nothing of it has been written, and ew_fields_close
 * can still complete the frames before it. EW_EIO: another failure; the file may be lost. Where OpenMP offers this
 * thread more than one, they evaluate the frame while it is written.
 */
EW_API int ew_fields_write(ew_fields *fields, ew_solver *solver, ew_error *error);
/*
 * The frame of this snapshot will be written after those that are expected already: it may be evaluated, by the threads
 * that OpenMP offers this thread, while they are written. It may be called by another thread than the one that writes.
 * The snapshot must stay as it is until its frame is written, or one of those before has failed: then nothing is
 * expected any more. A frame that was not expected can be written as well.
 */
EW_API void ew_fields_expect(ew_fields *fields, ew_solver *snapshot);
/*
 * The raster is among what snapshots of this solver are taken with from now on: if the state lies on a GPU, it is
 * sampled there (ew_solver_expect_points, which says the rest). The fields must not be destroyed before the solver, or
 * before it expects other points or none.
 */
EW_API int ew_fields_expect_raster(const ew_fields *fields, ew_solver *solver, ew_error *error);
/* Bytes of a raster's values as a copy of the state on a GPU has them, and of the GPU's memory for it (nullable). */
EW_API double ew_fields_raster_bytes(const ew_run_plan *plan, const ew_law *law, int64_t elements, double *device);
/*
 * `status` ("complete", "interrupted", "failed: ...") becomes an attribute. Only a complete file is renamed to `path`,
 * whatever has that name; others become NAME.interrupted.nc and, with any other status, NAME.failed.nc, if `path` is
 * NAME.nc. The fields are then only good for destroying and ew_fields_path.
 */
EW_API int ew_fields_close(ew_fields *fields, const char *status, ew_error *error);
/* The file's name now: "path.part", or what it was renamed to. */
EW_API const char *ew_fields_path(const ew_fields *fields);
/*
 * Bytes of a frame on that mesh, not compressed, and, through `memory` if it is not NULL, what fields take of the
 * host's memory.
 */
EW_API double ew_fields_frame_bytes(const ew_run_plan *plan, const ew_problem *problem, const ew_mesh_info *mesh,
                                    double *memory);
/* Bytes of the mesh that fields begin with, not compressed. */
EW_API double ew_fields_mesh_bytes(const ew_run_plan *plan, const ew_problem *problem, const ew_mesh_info *mesh);
EW_API void ew_fields_destroy(ew_fields *fields);

/*
 * Time series as comma-separated values, a header and a line a call: step, time, length of the step, the integrals of
 * the conserved variables, and what the case asks for: flux_BOUNDARY_VARIABLE, outwards; PROBE_QUANTITY; BODY_x and the
 * other numbers of ew_force_number. The file is written as "path.part", a line at a time, and gets its name from
 * ew_series_close, as fields do. `goes_on` is not negative for a run that goes on from a restart file of this step:
 * lines up to it are taken over from what the earlier run has left, the first one and those that belong to the plan. If
 * there are none the host's log says so, and an earlier file is not replaced: it becomes "NAME.before-STEP.csv" (or,
 * where there is one, "NAME.before-STEP-2.csv" and so on) if `path` is NAME.csv.
 */
typedef struct ew_series ew_series;
EW_API int ew_series_create(const ew_host *host, const char *path, const ew_run_plan *plan, const ew_solver *solver,
                            int64_t goes_on, ew_series **series, ew_error *error);
EW_API int ew_series_write(ew_series *series, ew_solver *solver, ew_error *error);
/* The step of the last line, of those taken over, too; -1 if there is none. */
EW_API int64_t ew_series_last_step(const ew_series *series);
EW_API int ew_series_close(ew_series *series, const char *status, ew_error *error);
/* The file's name as of now. */
EW_API const char *ew_series_path(const ew_series *series);
EW_API void ew_series_destroy(ew_series *series);

/*
 * Restart files: netCDF (CDF-5) with the modal coefficients in file order, the moment, hashes of the mesh and of all
 * that counts, and the provenance. Written as "path.part", brought to the disk and renamed: whatever fails, an earlier
 * file of that name is as it was.
 */
typedef struct ew_restart_info {
    ew_moment moment;
    int order;           /* of the file; the solver may have another one */
    uint64_t state_hash; /* of the file's coefficients */
    int64_t frames;      /* that ew_fields had written before the restart file was */
    uint64_t frame_hash; /* state_hash of the last one of them */
} ew_restart_info;

/*
 * `fields`, which may be NULL: those that the run writes, which must not have failed; their frames are brought to the
 * disk before. EW_ECREATE: the file cannot be made there.
 */
EW_API int ew_restart_write(const ew_host *host, const char *path, const ew_run_plan *plan, ew_solver *solver,
                            ew_fields *fields, ew_error *error);
/*
 * Puts the solver, which must be of this case, where the file's run was; see ew_solver_restore. The case may have
 * another end, output, backend, order, flux, limiter, time scheme, boundaries or other formulas than the file's (what
 * changes the result is told to the host's log, and what was steady need not be so any more), but not another mesh
 * (EW_EMESH) or law (EW_ECONFIG); EW_EIO: the file cannot be read, is damaged or no restart file; EW_EUNAVAILABLE: it
 * was made by a newer version of edgewise. Of fields (NAME.nc), the last frame is taken, which gives the state but for
 * rounding errors, and a warning; EW_ECONFIG: it does not determine the polynomials. `info` may be NULL.
 */
EW_API int ew_restart_read(const ew_host *host, const char *path, const ew_run_plan *plan, ew_solver *solver,
                           ew_restart_info *info, ew_error *error);
/*
 * Like ew_fields_create, for a run that goes on from a restart file: the frames that had been written before it are
 * taken over from `path`, or from what a killed run has left beside it, later ones are dropped. If they are not there
 * or do not fit any more (other fields, another order, parameter of the law, subdivision or precision), the host's log
 * says so, an existing file `path` becomes "NAME.before-STEP.nc" (or, where there is one, "NAME.before-STEP-2.nc" and
 * so on), and the new one begins empty. *frames, which may be NULL: how many were taken over. Their case's text, if the
 * result depends on how it differs from this one, becomes the attribute case_text_until_STEP.
 */
EW_API int ew_fields_resume(const ew_host *host, const char *path, const ew_run_plan *plan, ew_solver *solver,
                            const ew_restart_info *from, ew_fields **fields, int64_t *frames, ew_error *error);

/*
 * The rasters of many runs as one data set for training: an HDF5 file in the layout of The Well, "path.part" until
 * ew_well_close. Fields are floats [trajectory][frame][x][y], vectors [trajectory][frame][x][y][2]; outside of the
 * domain they are 0, and so is the field "mask", which is there if any cell is outside. Scalars are the `keys` numbers
 * of each run and its law's parameters. What kind of boundary the window has comes from mesh and problem, which are
 * those of any of the runs. The plan, of which name, compression and raster count, must have a raster. EW_EUNAVAILABLE:
 * the library is built without HDF5.
 */
typedef struct ew_well ew_well;
EW_API int ew_well_create(const ew_host *host, const char *path, const ew_run_plan *plan, const ew_mesh *mesh,
                          const ew_problem *problem, int64_t members, int keys, const char *const *key, ew_well **well,
                          ew_error *error);
/*
 * Takes over the raster in a run's whole NAME.nc as trajectory `member` (from 0), with value[keys]. All must share
 * grid, frames and variables (EW_EINVAL). Several threads may add members at the same time.
 */
EW_API int ew_well_add(ew_well *well, int64_t member, const char *fields, const double *value, ew_error *error);
/* Members that were not added are left out; without any there is no file (EW_EINVAL). */
EW_API int ew_well_close(ew_well *well, ew_error *error);
EW_API void ew_well_destroy(ew_well *well);

/* ---- runs: a solver from its first state to its last, and its files ---------------------------------------------- */

typedef struct ew_run ew_run;

/* How far a run is. */
typedef struct ew_run_progress {
    double fraction; /* 0 .. 1 of its time or of its steps, whichever will end it first; NaN: it has no end */
    double time, dt; /* dt: of the next step; NaN: not known */
    int64_t steps;
    double rate;     /* degrees of freedom times stages a second, of time stepping alone; NaN: not known yet */
} ew_run_progress;

/* Zeroed options are the defaults. What they point to outlives the run. */
typedef struct ew_run_options {
    const char *folder;  /* of the run's files; NULL: the current one. A relative path must stay valid until the end */
    const char *fields;  /* path of the fields, beside which the time series is; NULL: NAME.nc in `folder` */
    int no_output;       /* non-zero: no file is written */
    int halts_at_frames; /* non-zero: ew_run_advance also returns at each time at which a frame is due */
    const char *restart; /* file for ew_restart_read; "auto": the newest of NAME in `folder`, if any; NULL: none */
    /*
     * Non-zero: "auto" starts without a word if there is no restart file. Otherwise it warns, and a finished result of
     * that name, whose last frame is later than the start, is not replaced: EW_ECREATE.
     */
    int restart_is_optional;
    void *context;       /* of these functions, which may be NULL */
    /*
     * Asked between steps, about ten times a second: non-zero ends the run after the step in hand, to be gone on with.
     */
    int (*stop)(void *context);
    /* Called as often; ew_run_get_progress tells how far the run is. */
    void (*progress)(void *context, ew_run *run);
    /*
     * Asked before a file of an earlier run is opened. What is not EW_OK refuses it; EW_EIO passes over a restart file
     * as over one that is damaged. For programs that try in a process of its own what HDF5 may crash on.
     */
    int (*admit)(void *context, const char *path, ew_error *error);
} ew_run_options;

enum ew_run_end {
    EW_RUN_GOES_ON,
    EW_RUN_AT_END,   /* the final time is reached */
    EW_RUN_AT_STEPS, /* the number of steps is */
    EW_RUN_STEADY,   /* the state is steady (ew_problem) */
    EW_RUN_STOPPED,  /* options.stop has ended it */
    EW_RUN_FAILED
};

/* "running", "end", "steps", "steady", "interrupted", "failed". */
EW_API const char *ew_run_end_name(enum ew_run_end end);

/* What is known of a run; texts belong to it. */
typedef struct ew_run_summary {
    enum ew_run_end end;
    double time;        /* of the present state; of one that became inadmissible, of the last before */
    int64_t steps;
    int has_last;       /* non-zero: norms, hash and force are those of the last state */
    ew_norms norms;
    int has_residual;   /* non-zero: it is that of the last state, as in ew_run_get_residual */
    double residual[EW_MAX_VARIABLES];
    uint64_t hash;
    const ew_force *force;  /* [plan->bodies] */
    double setup_seconds;   /* from the run's creation to its first step; NaN: it has not begun */
    double seconds;         /* of time stepping */
    double output_seconds;  /* that it has waited for its files ... */
    double closing_seconds; /* ... and of these, when all steps were done */
    double rate;            /* as in ew_run_progress */
    int64_t frames;         /* in the fields */
    const char *fields, *series; /* paths of what is published; NULL: nothing is */
    int ends_before_break;  /* non-zero: the last frame is the state before the step that broke */
    const char *earlier;    /* of a run that failed: path of an earlier run's fields, which are still there; or NULL */
    const char *resumed;    /* the restart file that it went on from, or NULL */
    size_t restarts;
    const char *const *restart; /* [restarts]: restart files that are there, the newest one last */
} ew_run_summary;

/*
 * EW_ECREATE: no file can be made in that folder (NULL: the current one). ew_run_create looks, too, but after the
 * solver.
 */
EW_API int ew_run_check_folder(const char *folder, ew_error *error);
/*
 * A run of that solver, which stays the caller's, as the plan is. Puts the solver where options->restart says; files
 * are made when it advances. `options` may be NULL. EW_ECREATE: there is no folder to write to; EW_EIO,
 * EW_EUNAVAILABLE, EW_EMESH, EW_ECONFIG: the restart file cannot be gone on from (ew_restart_read).
 */
EW_API int ew_run_create(const ew_host *host, const ew_run_plan *plan, ew_solver *solver, const ew_run_options *options,
                         ew_run **run, ew_error *error);
/*
 * Goes on for at most so many steps, or to the end, where the files get their names; INT64_MAX: to the end. A failure
 * ends the run: its frames stay, as NAME.failed.nc. EW_EFULL: the disk is full; EW_EIO, EW_ECREATE: another failure of
 * a file; others are those of ew_solver_advance.
 */
EW_API int ew_run_advance(ew_run *run, int64_t steps, ew_error *error);
EW_API void ew_run_get_progress(const ew_run *run, ew_run_progress *progress);
/*
 * least[law->variables] of ew_solver_get_least, for whoever shows progress: of the present state if measuring it takes
 * less than a hundredth of the time since it was last measured, or else what it was then. NaN: not known.
 */
EW_API void ew_run_get_least(ew_run *run, double *least);
/*
 * residual[law->variables] of ew_series_residual in the same way, if the run looks for a steady state or has them
 * in its time series; otherwise NaN.
 */
EW_API void ew_run_get_residual(ew_run *run, double *residual);
EW_API ew_solver *ew_run_solver(const ew_run *run);
EW_API void ew_run_get_summary(const ew_run *run, ew_run_summary *summary);
/* Of a run that has not ended: its files are removed, but for restart files. */
EW_API void ew_run_destroy(ew_run *run);

/* Bytes that a run takes, and that there are; NaN: not known. */
typedef struct ew_run_memory {
    double mesh, solver;
    double device;    /* of the GPU's; 0: it runs on the CPU */
    double output;    /* frames that are being written */
    /* of the state, which wait to be written: of the host's memory, unless a GPU keeps them and a raster's values */
    double copies;
    double copy;      /* one of these, without such values */
    double available; /* memory and swap, within the limits of the process's groups */
} ew_run_memory;

/*
 * Memory and swap that can be had, within the limits of the process's groups, or that the machine has; NaN: not known.
 */
EW_API double ew_available_memory(void);
EW_API int ew_run_get_memory(const ew_run_plan *plan, const ew_problem *problem, const ew_mesh_info *mesh,
                             ew_run_memory *memory, ew_error *error);
/*
 * EW_ENOMEM, with all of these in a sentence, if there is too little: Linux grants what it has not got, and kills
 * later.
 */
EW_API int ew_run_check_memory(const ew_run_memory *memory, ew_error *error);
/* ew_case_options.admit: whether there is room for mesh and solver. */
EW_API int ew_run_admit(void *context, const ew_mesh_info *mesh, const ew_problem *problem, ew_error *error);

#ifdef __cplusplus
}
#endif

#endif
