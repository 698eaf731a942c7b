/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files that write fields and restart files share. */
#ifndef EWI_FIELDS_H
#define EWI_FIELDS_H

#include "edgewise-case.h"
#include "ewi_background.h"
#include "ewi_file.h"
#include "ewi_netcdf.h"
#include "ewi_try.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/* ---- publication.c: files that get their name when they are whole ---- */

struct ewi_target {
    char *path, *part; /* part: "path.part" */
    int folder;        /* descriptor of the one that both are in: they are found by it and their last parts */
};

/* "no memory to write PATH" */
int ewi_no_memory_to_write(const char *path, ew_error *error);

/* EW_ECREATE if no netCDF file can be called so, or the folder is not there. The target must be closed then, too. */
int ewi_target_set(struct ewi_arena *memory, const char *path, struct ewi_target *target, ew_error *error);
void ewi_target_close(struct ewi_target *target);
/* EW_ECREATE: a name is too long, or is no file's. `partial`: room for the names of ewi_partial, or NULL. */
int ewi_target_check(const struct ewi_target *target, char *partial, ew_error *error);
/* The error of a file that was not made: EW_ECREATE, or EW_EIO if there was no room for it; `number` is errno. */
int ewi_target_failed(const char *name, int number, ew_error *error);
/* How a file is called that did not become whole: "NAME.WORD.nc". */
enum { EWI_PARTIALS = 2 };
extern const char *const ewi_partial[EWI_PARTIALS];
/* "NAME.WORD.nc" of "NAME.nc", in a text with this much room; words have at most 11 letters. */
size_t ewi_target_room(const struct ewi_target *target);
void ewi_target_name(const struct ewi_target *target, const char *word, char *name);
/* What a file is called whose run is "complete", or "interrupted", or else has failed; true if it is complete. */
bool ewi_target_end_name(const struct ewi_target *target, const char *status_text, char *name);
/*
 * The name under which an earlier file is kept when a run goes on from step `step`: "NAME.before-STEP.nc", or, if there
 * is one, "NAME.before-STEP-2.nc" and so on. NULL: no memory.
 */
char *ewi_target_aside(struct ewi_arena *memory, const struct ewi_target *target, int64_t step);
/* Within the folder; a link is taken for itself. */
bool ewi_target_has(const struct ewi_target *target, const char *name);
int ewi_target_rename(const struct ewi_target *target, const char *name, const char *other, ew_error *error);
void ewi_target_remove(const struct ewi_target *target, const char *name);
/* Renames `part`, which must be the descriptor's file and on the disk, to `name`, and brings that to the disk, too. */
int ewi_target_publish(const struct ewi_target *target, int descriptor, const char *name, ew_error *error);

/* ---- restart_checksum.c: a checksum at the end of a file, behind what netCDF reads of it ---- */

enum { EWI_SEAL = 32 }; /* bytes */

/* Appends the seal and brings the file to the disk. */
int ewi_seal(int descriptor, const char *path, ew_error *error);
/* EW_EIO, and the sentence says why, unless all bytes of the file are as they were sealed. */
int ewi_seal_check(int descriptor, const char *path, ew_error *error);

/* ---- restart.c: what a restart file has for whoever looks at it ---- */

struct ewi_restart_view {
    ew_restart_info info;
    const ew_law *law;
    int64_t elements, nodes;
    int basis;
    int coefficient, node_xy, triangle; /* netCDF's numbers: [element][variable][basis], [node][2], [element][3] */
};

/* `file` is netCDF's number of the open file, of which nothing is trusted; between ewi_netcdf_begin and _end. */
int ewi_restart_view(struct ewi_arena *memory, const char *path, int descriptor, int file,
                     struct ewi_restart_view *view, ew_error *error);

/* ---- fields.c ---- */

enum { EWI_MOST_OUTPUTS = 2 * EW_MAX_VARIABLES + EW_MAX_DERIVED + 1 };

/*
 * Frames that are evaluated by a thread of their own while those before are written (fields_frame.c). As many as a run
 * has copies of its state may be expected at once.
 */
enum { EWI_SLABS = 3, EWI_EXPECTED = 8 };

struct ewi_frame {
    ew_solver *solver;
    int threads;      /* to evaluate it with */
    bool has_state;   /* norms and hash are there, or it has failed */
    ew_norms norms;
    uint64_t hash;
    int status;       /* of the part that was evaluated last */
    ew_error error;
};

struct ewi_frame_values {
    ew_solver *solver; /* of the frame that is being written */
    bool apart;        /* that one is evaluated by the other thread */
    struct ewi_background helper;
    pthread_mutex_t lock;    /* of what follows; what belongs to a frame is the other thread's until it tells */
    pthread_cond_t changed;
    struct ewi_frame frame[EWI_EXPECTED]; /* number k in place k % EWI_EXPECTED */
    int64_t first, begun, expected;       /* frames that are written, begun, and expected */
    int64_t evaluated, written;           /* slabs of all these frames that are, or are done with */
    bool runs, busy;   /* the other thread lives; evaluates */
    bool stops, ends;  /* it is to leave its frame; to end */
    bool has_failed;   /* a frame; no more are expected */
};

struct ew_fields {
    struct ewi_arena memory; /* of all that follows */
    struct ewi_target target;
    char *name;     /* the file's name now: `part`, or what it was renamed to */
    char *before;   /* of a run that goes on: what has its frames and is removed when its own file is whole; or NULL */
    char *aside;    /* of such a run: the name that an earlier file gets, in place of being replaced */
    char *superseded[EWI_PARTIALS]; /* of such a run: files with no other frames, removed with `before`; or NULL */
    int descriptor; /* of target.part, or -1 */
    int file;       /* netCDF's number, or -1 */
    bool owns_part;
    bool broken; /* only good for destroying */
    bool lost;   /* netCDF failed: it cannot even be asked to close the file */
    bool has_room; /* blocks are there for what is written next: bringing it to the disk cannot find that full */
    struct ewi_background disk; /* brings to the disk what is written */
    atomic_int disk_error;  /* errno of that, if it failed */
    char doing[96]; /* what is being written, for error sentences */

    const ew_law *law;
    int variables, subdivide, points, triangles, compression; /* points, triangles: of an element */
    int outputs; /* what is written at the nodes: numbers for ew_law_output, and netCDF's for the variables */
    int output[EWI_MOST_OUTPUTS], node[EWI_MOST_OUTPUTS];
    int64_t elements, slab, chunk; /* elements evaluated and written at a time, and in a chunk of the file */
    bool single;    /* values at nodes and means are floats */
    size_t real;    /* bytes of one */
    int64_t frames;
    uint64_t hash;
    bool has_errors;
    double *rs;     /* [points][2]: the nodes in the reference triangle */
    char *buffer[EWI_SLABS]; /* of a slab: the outputs, [outputs][slab][points], and the means, [variables][slab] */
    struct ewi_frame_values evaluation;

    int dimension_time, dimension_node, dimension_face, dimension_element;
    int time, step, state_hash, node_x, node_y, face_nodes;
    int boundary_element, boundary_side, boundary;
    int mean[EW_MAX_VARIABLES], total[EW_MAX_VARIABLES];
    int error_l2[EW_MAX_VARIABLES], error_linf[EW_MAX_VARIABLES];
};

/* `from`: where the run goes on, or NULL for one that begins (fields_resume.c). */
int ewi_fields_open(const ew_host *host, const char *path, const ew_run_plan *plan, ew_solver *solver,
                    const ew_restart_info *from, ew_fields **result, ew_error *error);
/* The two halves of that; the second one with the lock held. */
int ewi_fields_allocate(const ew_host *host, const char *path, const ew_run_plan *plan, const ew_solver *solver,
                        struct ew_fields **fields, ew_error *error);
int ewi_fields_begin(struct ew_fields *fields, const ew_run_plan *plan, const ew_solver *solver, ew_error *error);
/* Locks "path.part", which the descriptor is of; EW_ECREATE: another run has it. */
int ewi_fields_lock(const struct ew_fields *fields, int descriptor, ew_error *error);
/* Until all that was written is on the disk. */
int ewi_fields_to_disk(struct ew_fields *fields, ew_error *error);
/* Takes room for a frame, so that a full disk is found before anything of it is written. */
int ewi_fields_reserve_frame(struct ew_fields *fields, ew_error *error);

/* netCDF has failed while `doing` was written; the fields are then good for nothing but destroying. */
int ewi_netcdf_failure(struct ew_fields *fields, int code, int error_number, ew_error *error);

/* ---- fields_frame.c ---- */

size_t ewi_slab_bytes(const struct ew_fields *fields);
/* Elements of slab `number`. */
int64_t ewi_slab_count(const struct ew_fields *fields, int64_t number);
/* Where a slab's buffer has output k at its nodes, and the means of variable m. */
void *ewi_slab_nodes(const struct ew_fields *fields, char *slab, int k);
void *ewi_slab_means(const struct ew_fields *fields, char *slab, int m);

void ewi_frame_values_init(struct ewi_frame_values *evaluation);
void ewi_frame_values_destroy(struct ewi_frame_values *evaluation);
/* See ew_fields_expect. */
void ewi_frame_values_expect(struct ew_fields *fields, ew_solver *snapshot);
/* What a frame begins with; _end must follow, or, whatever fails in between or in here, _fail. */
int ewi_frame_values_begin(struct ew_fields *fields, ew_solver *solver, ew_norms *norms, uint64_t *hash,
                           ew_error *error);
/* The values of slab 0, 1, 2, ... in turn; valid until the next one is asked for. */
int ewi_frame_values_get(struct ew_fields *fields, int64_t number, char **slab, ew_error *error);
void ewi_frame_values_end(struct ew_fields *fields);
/* Nothing that was expected is read from then on, and nothing is expected any more. */
void ewi_frame_values_fail(struct ew_fields *fields);

#define NC_TRY(call)                                                  \
    do {                                                              \
        errno = 0;                                                    \
        int code_ = (call);                                           \
        if (code_ != NC_NOERR)                                        \
            return ewi_netcdf_failure(fields, code_, errno, error);   \
    } while (0)

/* EW_EINVAL if a plan, which a program may have made, is wrong for the solver. */
int ewi_plan_check(const ew_run_plan *plan, const ew_solver *solver, ew_error *error);
/* Numbers for ew_law_output; returns how many. */
int ewi_plan_outputs(const ew_run_plan *plan, const ew_law *law, int output[EWI_MOST_OUTPUTS]);
/* Compares the text of an earlier run with that of the plan, if there is a way to. */
int ewi_compare_plan(const ew_run_plan *plan, const char *before, ew_text_difference *difference, ew_error *error);
/* The title of a plan, or else its name. */
const char *ewi_title_of(const ew_run_plan *plan);

#endif
