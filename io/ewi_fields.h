/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the writers of fields and of restart files. */
#ifndef EWI_FIELDS_H
#define EWI_FIELDS_H

#include "edgewise-case.h"
#include "ewi_background.h"
#include "ewi_error.h"
#include "ewi_file.h"
#include "ewi_netcdf.h"
#include "ewi_walls.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* ---- publication.c: files that get their name when they are complete ---- */

struct ewi_target {
    char *path, *part; /* part: "path.part" */
    int folder;        /* descriptor of the folder of both, in which their last path components are looked up */
};

/* The error "not enough memory to write PATH". */
int ewi_no_memory_to_write(const char *path, ew_error *error);

/* EW_ECREATE if the name does not suit netCDF or the folder does not exist. Close the target even then. */
int ewi_target_set(struct ewi_arena *memory, const char *path, struct ewi_target *target, ew_error *error);
void ewi_target_close(struct ewi_target *target);
/* EW_ECREATE if a name is too long or is not a file's name. `partial`: room for the names of ewi_partial, or NULL. */
int ewi_target_check(const struct ewi_target *target, char *partial, ew_error *error);
/* Locks the descriptor's file, `part`. EW_ECREATE: another run has the lock. */
int ewi_target_lock(const struct ewi_target *target, int descriptor, ew_error *error);
void ewi_target_unlock(int descriptor);
/* Creates `part` and locks it, in place of one that a killed run left. EW_ECREATE: another run is writing it. */
int ewi_target_claim(const struct ewi_target *target, int *descriptor, ew_error *error);
/* The error of a file that could not be created: EW_ECREATE, or EW_EIO if the disk is full; `number` is errno. */
int ewi_target_failed(const char *name, int number, ew_error *error);
/* The words in the names of incomplete files, "NAME.WORD.nc". */
enum { EWI_PARTIALS = 2 };
extern const char *const ewi_partial[EWI_PARTIALS];
/* Bytes for "NAME.WORD.nc" of "NAME.nc"; words have at most 11 letters. */
size_t ewi_target_room(const struct ewi_target *target);
void ewi_target_name(const struct ewi_target *target, const char *word, char *name);
/* The final name of a run's file for its status: "complete", "interrupted", or a failure. True if complete. */
bool ewi_target_end_name(const struct ewi_target *target, const char *status_text, char *name);
/*
 * The name under which an earlier file is kept when a run resumes from step `step`: "NAME.before-STEP.nc", or, if that
 * exists, "NAME.before-STEP-2.nc" and so on. NULL: not enough memory.
 */
char *ewi_target_aside(struct ewi_arena *memory, const struct ewi_target *target, int64_t step);
/* True if the folder has this name; links are not followed. */
bool ewi_target_has(const struct ewi_target *target, const char *name);
int ewi_target_rename(const struct ewi_target *target, const char *name, const char *other, ew_error *error);
void ewi_target_remove(const struct ewi_target *target, const char *name);
/* Renames `part` to `name` and syncs the folder. `part` must be the descriptor's file and already synced. */
int ewi_target_publish(const struct ewi_target *target, int descriptor, const char *name, ew_error *error);
/*
 * Returns `status`, that of giving the whole file its name. If that failed, the file stays `part`: the error's sentence
 * says so, and `name` (nullable) becomes this name.
 */
int ewi_target_keep(const struct ewi_target *target, int descriptor, char *name, int status, ew_error *error);

/* ---- restart_checksum.c: a checksum at the end of a file, after netCDF's data ---- */

enum { EWI_SEAL = 32 }; /* bytes */

/* Appends the seal and syncs the file. */
int ewi_seal(int descriptor, const char *path, ew_error *error);
/* EW_EIO if any byte has changed since the file was sealed. */
int ewi_seal_check(int descriptor, const char *path, ew_error *error);

/* ---- restart.c: reading restart files ---- */

struct ewi_reading {
    struct ewi_arena *memory;
    const char *path;
    int file; /* netCDF's number */
    ew_error *error;
};

/* ---- restart_averages.c: the averages of a solver, if it has any ---- */

struct ewi_restart_averages {
    ew_averages_info info;
    double *values; /* NULL without averages */
    char *meaning;  /* what they are averages of */
    int variable;   /* netCDF's number */
};

int ewi_restart_averages_get(struct ewi_arena *memory, ew_solver *solver, const char *path,
                             struct ewi_restart_averages *averages, ew_error *error);
/* Return netCDF's code. The file has the dimension "element". */
int ewi_restart_averages_define(int file, int64_t elements, struct ewi_restart_averages *averages);
int ewi_restart_averages_put(int file, const struct ewi_restart_averages *averages);
/* The solver, which has the file's state, takes its averages, too; a warning if they are others. */
int ewi_restart_averages_read(const struct ewi_reading *reading, int64_t elements, ew_solver *solver);
/* Warns that averages begin anew, if the solver has averages. */
void ewi_restart_averages_miss(const struct ewi_reading *reading, const char *why, const ew_solver *solver);

/* The solver takes the state of the open file; call between ewi_netcdf_begin and _end. */
int ewi_restart_from_file(const struct ewi_reading *reading, const ew_run_plan *plan, ew_solver *solver,
                          ew_restart_info *info);
/* The same with the last frame of results. Call it without the lock. */
int ewi_restart_from_frame(const struct ewi_reading *reading, const ew_results *results, const ew_run_plan *plan,
                           ew_solver *solver, ew_restart_info *info);


/* The contents of a restart file, for readers of results. */
struct ewi_restart_view {
    ew_restart_info info;
    const ew_law *law;
    int64_t elements, nodes;
    int basis;
    int coefficient, node_xy, triangle; /* netCDF's variables: [element][variable][basis], [node][2], [element][3] */
};

/* `file`: netCDF's number of the open file, whose contents are not trusted. Call between ewi_netcdf_begin and _end. */
int ewi_restart_view(struct ewi_arena *memory, const char *path, int descriptor, int file,
                     struct ewi_restart_view *view, ew_error *error);

/* ---- fields_disk.c, fields.c ---- */

/*
 * Reserves room for the next write, so that a full disk is noticed here: HDF5 cannot close a file that it cannot write,
 * and may crash when it tries. Returns 0 or errno; *is_reserved becomes false if the file system reserves no blocks.
 */
int ewi_reserve_room(int descriptor, double bytes, bool *is_reserved);

enum { EWI_MOST_OUTPUTS = EW_MAX_OUTPUTS };

/*
 * A second thread evaluates frames while earlier ones are written (fields_frame.c). At most EWI_EXPECTED frames are
 * expected at once: the number of copies that a run has of its state.
 */
enum { EWI_SLABS = 3, EWI_EXPECTED = 8 };

struct ewi_frame {
    ew_solver *solver;
    int threads;      /* for the evaluation */
    bool has_state;   /* norms and hash are known, or the frame has failed */
    ew_norms norms;
    uint64_t hash;
    int status;       /* of the last slab that was evaluated */
    ew_error error;
};

struct ewi_frame_values {
    ew_solver *solver; /* of the frame being written */
    bool apart;        /* the second thread evaluates this frame */
    struct ewi_background helper;
    pthread_mutex_t lock;    /* guards the members below; the second thread owns a frame's data until it reports them */
    pthread_cond_t changed;
    struct ewi_frame frame[EWI_EXPECTED]; /* frame k is in place k % EWI_EXPECTED */
    int64_t first, begun, expected;       /* counts of frames written, started, and expected */
    int64_t evaluated, written;           /* counts of slabs over all these frames */
    bool runs, busy;   /* the second thread exists; is evaluating */
    bool stops, ends;  /* the second thread must abandon its frame; must exit */
    bool has_failed;   /* a frame has failed; no more are expected */
};

/* ---- raster.c: values at the centres of a regular grid ---- */

/* The file's attribute that holds the window. */
#define EWI_RASTER_WINDOW "raster_window"

struct ewi_raster {
    int64_t columns, rows; /* 0: no raster */
    int64_t block, chunk;  /* rows per write, and per chunk of the file */
    double window[4];
    int outputs, output[EWI_MOST_OUTPUTS]; /* numbers for ew_problem_output: those that vary, ... */
    int constants; /* ... and after them those that do not, which are no part of frames */
    bool single;
    size_t real;       /* bytes of a value */
    int32_t *element;  /* [rows][columns], lowest y first: the element that contains the centre, or -1 */
    double *rs;        /* the centre's place in that element */
    int64_t inside;    /* centres in the domain */
    int axis[2], values[EWI_MOST_OUTPUTS]; /* netCDF's numbers of variables */
};

/* Fills all members but the elements, as if all outputs varied. */
void ewi_raster_shape(const ew_run_plan *plan, const ew_law *law, struct ewi_raster *raster);
/* Moves the outputs that do not vary to the end; the arguments are those of ew_problem_output_varies. */
void ewi_raster_divide(struct ewi_raster *raster, int (*varies)(const void *of, int index), const void *of);
int64_t ewi_raster_blocks(const struct ewi_raster *raster);
/* Bytes of a block. */
size_t ewi_raster_block_bytes(const struct ewi_raster *raster);
double ewi_raster_frame_bytes(const struct ewi_raster *raster);
double ewi_raster_constant_bytes(const struct ewi_raster *raster);
/* Bytes of the table of cells. */
double ewi_raster_memory(const struct ewi_raster *raster);
/* Finds the element of each centre. EW_EINVAL: no centre is in the domain. */
int ewi_raster_locate(struct ewi_arena *memory, const ew_mesh *mesh, struct ewi_raster *raster, ew_error *error);

/* Properties that all states of a file share. */
struct ewi_origin {
    const ew_law *law;
    uint64_t mesh; /* its hash */
    int order;
};

struct ewi_origin ewi_origin_of(const ew_solver *solver);
/* EW_EINVAL if the solver's state cannot be added to a file of that origin. */
int ewi_origin_check(const struct ewi_origin *origin, const ew_solver *solver, const char *path, ew_error *error);

struct ew_fields {
    struct ewi_arena memory; /* for all members below */
    struct ewi_target target;
    struct ewi_origin origin;
    char *name;     /* the file's current name: `part`, or its final one */
    char *before;   /* resumed run: the file with its earlier frames, removed when this file is complete; or NULL */
    char *aside;    /* resumed run: the new name of an earlier file that must not be replaced */
    char *superseded[EWI_PARTIALS]; /* resumed run: files without other frames, removed with `before`; or NULL */
    int descriptor; /* of target.part, or -1 */
    int file;       /* netCDF's number, or -1 */
    bool owns_part;
    bool broken; /* netCDF failed; the fields can only be destroyed */
    bool lost;   /* netCDF failed, and must not even close the file */
    bool has_room; /* blocks are reserved for the next write, so a sync cannot find the disk full */
    struct ewi_background disk; /* syncs the written data */
    atomic_int disk_error;  /* errno of a failed sync */
    char doing[96]; /* the current operation, for messages */

    const ew_law *law;
    int variables, subdivide, points, triangles, compression; /* points, triangles: per element */
    int outputs; /* quantities at the nodes: numbers for ew_law_output, and of netCDF's variables */
    int output[EWI_MOST_OUTPUTS], node[EWI_MOST_OUTPUTS];
    int means; /* number of variables whose means are written: all, or none if the file has only the raster */
    struct ewi_raster raster;
    struct ewi_walls walls;
    int64_t elements, slab, chunk; /* elements per write, and per chunk of the file */
    bool single;    /* values at nodes and means are floats */
    size_t real;    /* bytes of such a value */
    int64_t frames;
    uint64_t hash;
    bool has_errors;
    double *rs;     /* [points][2]: the nodes in the reference triangle */
    /* a slab: the outputs, [outputs][slab][points], and the means, [means][slab]; or a block of the raster */
    char *buffer[EWI_SLABS];
    struct ewi_frame_values evaluation;

    int dimension_time, dimension_node, dimension_face, dimension_element;
    int time, step, state_hash, node_x, node_y, face_nodes;
    int boundary_element, boundary_side, boundary;
    int mean[EW_MAX_VARIABLES], total[EW_MAX_VARIABLES];
    int error_l2[EW_MAX_VARIABLES], error_linf[EW_MAX_VARIABLES];
};

/* The two halves of opening (fields_resume.c); call the second one with the lock held. */
int ewi_fields_allocate(const ew_host *host, const char *path, const ew_run_plan *plan, const ew_solver *solver,
                        struct ew_fields **fields, ew_error *error);
int ewi_fields_begin(struct ew_fields *fields, const ew_run_plan *plan, const ew_solver *solver, ew_error *error);
/* The state_hash of frame `number`, from 1, of a file that netCDF has open (fields_resume.c). */
bool ewi_fields_read_hash(int file, size_t number, char text[17]);
/* Syncs the written data, and waits. */
int ewi_fields_to_disk(struct ew_fields *fields, ew_error *error);
/* Begins a sync in a thread if room was reserved; otherwise syncs and waits. Returns the failure of an earlier sync. */
int ewi_fields_begin_to_disk(struct ew_fields *fields, ew_error *error);
/* Reserves room for so many bytes; sets has_room. */
int ewi_fields_reserve(struct ew_fields *fields, double bytes, ew_error *error);
/* The errors when there is not enough memory, or a call of the system failed, for `doing`. */
int ewi_fields_no_memory(const struct ew_fields *fields, ew_error *error);
int ewi_fields_failure(const struct ew_fields *fields, int error_number, ew_error *error);
/*
 * Divides items of `values` values each into slabs of about equal size, which are written at a time, and into chunks.
 */
void ewi_divide(int64_t items, int values, bool compressed, int64_t *slab, int64_t *chunk);
/* Reserves room for a frame, so that a full disk is noticed before any of it is written. */
int ewi_fields_reserve_frame(struct ew_fields *fields, ew_error *error);

/* The error when netCDF failed to write `doing`; the fields can then only be destroyed. */
int ewi_netcdf_failure(struct ew_fields *fields, int code, int error_number, ew_error *error);

/* ---- fields_frame.c ---- */

size_t ewi_slab_bytes(const struct ew_fields *fields);
/* Number of slabs of elements in a frame; and of these and the blocks of the raster, which come after them. */
int64_t ewi_node_slabs(const struct ew_fields *fields);
int64_t ewi_slab_total(const struct ew_fields *fields);
/* Elements of slab `number`. */
int64_t ewi_slab_count(const struct ew_fields *fields, int64_t number);
/* The places in a slab's buffer of output k at the nodes, and of the means of variable m. */
void *ewi_slab_nodes(const struct ew_fields *fields, char *slab, int k);
void *ewi_slab_means(const struct ew_fields *fields, char *slab, int m);

void ewi_frame_values_init(struct ewi_frame_values *evaluation);
void ewi_frame_values_destroy(struct ewi_frame_values *evaluation);
/* See ew_fields_expect. */
void ewi_frame_values_expect(struct ew_fields *fields, ew_solver *snapshot);
/* Starts a frame. Call _end afterwards, or _fail if this or anything before _end fails. */
int ewi_frame_values_begin(struct ew_fields *fields, ew_solver *solver, ew_norms *norms, uint64_t *hash,
                           ew_error *error);
/* The values of slabs 0, 1, 2, ..., to be requested in this order; valid until the next request. */
int ewi_frame_values_get(struct ew_fields *fields, int64_t number, char **slab, ew_error *error);
void ewi_frame_values_end(struct ew_fields *fields);
/* After this call, no expected frame is read and none is accepted. */
void ewi_frame_values_fail(struct ew_fields *fields);

/* ---- raster.c, in the file ---- */

int ewi_raster_define(struct ew_fields *fields, const ew_solver *solver, ew_error *error);
/* Writes the axes and the constants. Gives netCDF's lock back while it evaluates. */
int ewi_raster_write_axes(struct ew_fields *fields, const ew_solver *solver, ew_error *error);
/* Evaluates block `number` of a frame. */
int ewi_raster_evaluate(const struct ewi_raster *raster, ew_solver *solver, int64_t number, char *block,
                        ew_error *error);
int ewi_raster_write(struct ew_fields *fields, int64_t number, char *block, ew_error *error);

#define NC_TRY(call)                                                  \
    do {                                                              \
        errno = 0;                                                    \
        int code_ = (call);                                           \
        if (code_ != NC_NOERR)                                        \
            return ewi_netcdf_failure(fields, code_, errno, error);   \
    } while (0)

/* EW_EINVAL if the plan does not fit the solver; the plan may be a program's own. */
int ewi_plan_check(const ew_run_plan *plan, const ew_solver *solver, ew_error *error);
/* The name of quantity `index` of a solver or of a problem. */
typedef const char *ewi_output_name(const void *of, int index);
const char *ewi_problem_output_name(const void *problem, int index);
int ewi_plan_check_raster(const ew_run_plan *plan, ewi_output_name *name, const void *of, ew_error *error);
int ewi_plan_check_compression(const ew_run_plan *plan, ew_error *error);
/* EW_EINVAL if the mesh lacks one of the body's boundaries. */
int ewi_check_body(const ew_mesh *mesh, const ew_series_body *body, ew_error *error);
/* The plan's numbers for ew_law_output; returns how many. */
int ewi_plan_outputs(const ew_run_plan *plan, const ew_law *law, int output[EWI_MOST_OUTPUTS]);
int ewi_plan_raster_outputs(const ew_run_plan *plan, const ew_law *law, int output[EWI_MOST_OUTPUTS]);
/* Compares the text of an earlier run with the plan's, if the plan can compare. */
int ewi_compare_plan(const ew_run_plan *plan, const char *before, ew_text_difference *difference, ew_error *error);
/* The title of a plan, or else its name. */
const char *ewi_title_of(const ew_run_plan *plan);

#endif
