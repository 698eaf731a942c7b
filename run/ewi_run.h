/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of a run: the thread that writes its frames, and its restart files. */
#ifndef EWI_RUN_H
#define EWI_RUN_H

#include "edgewise-case.h"
#include "ewi_host.h"

#include <stdbool.h>

/* ---- frames (frame_writer.c) ------------------------------------------------------------------------------------- */

struct ewi_frame_writer;

/* The number of copies of a state of `bytes` bytes that may wait to be written. */
int ewi_frame_copies(double bytes);
/* Starts no thread before the first frame. The caller keeps the fields and the solver. */
int ewi_frame_writer_create(const ew_host *host, ew_fields *fields, const ew_run_plan *plan, ew_solver *solver,
                            struct ewi_frame_writer **writer, ew_error *error);
/*
 * Copies the current state and queues the copy for writing; waits only if the queue is full. Fails with the first error
 * of this or an earlier frame; nothing is written after a failure.
 */
int ewi_frame_writer_write(struct ewi_frame_writer *writer, ew_solver *solver, ew_error *error);
/*
 * For a run that may break: copies the state if a copy is free and the newest one is so old that the cost is
 * negligible.
 */
void ewi_frame_writer_keep(struct ewi_frame_writer *writer, ew_solver *solver);
/* Restores the newest copy to the solver. EW_EINVAL: no copy exists. */
int ewi_frame_writer_go_back(struct ewi_frame_writer *writer, ew_solver *solver, ew_error *error);
/* Waits until all frames are written; returns the first error of writing. */
int ewi_frame_writer_wait(struct ewi_frame_writer *writer, ew_error *error);
/* Does the same without waiting. */
int ewi_frame_writer_check(struct ewi_frame_writer *writer, ew_error *error);
/* True if the state of a written frame has grown implausibly large; `grown` gets the sentence about the first one. */
bool ewi_frame_writer_has_grown(struct ewi_frame_writer *writer, ew_error *grown);
int64_t ewi_frame_writer_frames(struct ewi_frame_writer *writer);
void ewi_frame_writer_destroy(struct ewi_frame_writer *writer);

/* ---- restart files (restarts.c) ---------------------------------------------------------------------------------- */

struct ewi_restarts {
    const ew_host *host;
    const ew_run_plan *plan;
    const ew_run_options *options;
    const char *target; /* path of the fields */
    ew_solver *solver;
    char *from;           /* the file from which the run resumes, or NULL */
    ew_restart_info info; /* about `from` */
    int64_t next_step, written_step;
    double next_time;
    size_t kept_count;
    char **kept; /* paths, newest last */
};

/* The caller sets the first five; resumes from options->restart. Call ewi_restarts_end also after a failure. */
int ewi_restarts_begin(struct ewi_restarts *restarts, ew_error *error);
/* For a run from the start: renames an earlier run's files, so that the newest restart file is this run's. */
int ewi_restarts_put_aside(struct ewi_restarts *restarts, ew_error *error);
/* Steps until ewi_restarts_due must be called again, at least 1. */
int64_t ewi_restarts_steps_left(const struct ewi_restarts *restarts);
/* True if the last step has reached a time or step at which a restart file is due; true once for each. */
bool ewi_restarts_due(struct ewi_restarts *restarts);
/* Writes NAME.restart-STEP.nc, unless this step has one, and removes the oldest files above the limit. */
int ewi_restarts_write(struct ewi_restarts *restarts, ew_fields *fields, ew_error *error);
void ewi_restarts_end(struct ewi_restarts *restarts);

/* Works like sprintf. The caller frees the text; NULL: not enough memory. */
char *ewi_run_text(const ew_host *host, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "FOLDER/FILE"; FILE alone for the current folder, "." or NULL. The caller frees it; NULL: not enough memory. */
char *ewi_path_in(const ew_host *host, const char *folder, const char *file);

#endif
