/* SPDX-License-Identifier: BSD-2-Clause */
/* What the parts of a run share: the thread that writes its frames, and its restart files. */
#ifndef EWI_RUN_H
#define EWI_RUN_H

#include "edgewise-case.h"
#include "ewi_host.h"

#include <stdbool.h>

/* ---- frames (frame_writer.c) ------------------------------------------------------------------------------------- */

struct ewi_frame_writer;

/* Copies of a state of so many bytes that there may be at once, waiting to be written. */
int ewi_frame_copies(double bytes);
/* Starts no thread before the first frame. The fields and the solver stay the caller's. */
int ewi_frame_writer_create(const ew_host *host, ew_fields *fields, const ew_run_plan *plan, ew_solver *solver,
                            struct ewi_frame_writer **writer, ew_error *error);
/*
 * Takes a copy of the present state, which will be written; waits only if all copies there may be are waiting to be
 * written. Fails with what that, or any before it, has failed with; nothing is written after a failure.
 */
int ewi_frame_writer_write(struct ewi_frame_writer *writer, ew_solver *solver, ew_error *error);
/*
 * For a run that breaks: takes a copy of the state if the newest one, of a frame or of an earlier call, is old enough
 * that this costs next to nothing, and if there is one that is not waiting to be written.
 */
void ewi_frame_writer_keep(struct ewi_frame_writer *writer, ew_solver *solver);
/* Puts the solver where the newest copy was taken. EW_EINVAL: there is none. */
int ewi_frame_writer_go_back(struct ewi_frame_writer *writer, ew_solver *solver, ew_error *error);
/* Until all frames are written; what writing has failed with. */
int ewi_frame_writer_wait(struct ewi_frame_writer *writer, ew_error *error);
/* The same without waiting. */
int ewi_frame_writer_check(struct ewi_frame_writer *writer, ew_error *error);
int64_t ewi_frame_writer_frames(struct ewi_frame_writer *writer);
void ewi_frame_writer_destroy(struct ewi_frame_writer *writer);

/* ---- restart files (restarts.c) ---------------------------------------------------------------------------------- */

struct ewi_restarts {
    const ew_host *host;
    const ew_run_plan *plan;
    const ew_run_options *options;
    ew_solver *solver;
    char *from;           /* what the run goes on from; NULL: it began anew */
    ew_restart_info info; /* of that */
    int64_t next_step, written_step;
    double next_time;
    size_t kept_count;
    char **kept; /* paths, the newest one last */
};

/* Sets the first four; then puts the solver where options->restart says. To be freed by _end, also after a failure. */
int ewi_restarts_begin(struct ewi_restarts *restarts, const ew_host *host, const ew_run_plan *plan,
                       const ew_run_options *options, ew_solver *solver, ew_error *error);
/* For a run that begins at the start: whoever asks for the newest restart file means this run's. */
int ewi_restarts_put_aside(struct ewi_restarts *restarts, ew_error *error);
/* Steps that may be done before the next look at ewi_restarts_due, at least 1. */
int64_t ewi_restarts_steps_left(const struct ewi_restarts *restarts);
/* Whether the last step has reached a time or a number at which a restart file is due; each is told once. */
bool ewi_restarts_due(struct ewi_restarts *restarts);
/* Writes NAME.restart-STEP.nc, unless there is one of this step, and removes those that are too many. */
int ewi_restarts_write(struct ewi_restarts *restarts, ew_fields *fields, ew_error *error);
void ewi_restarts_end(struct ewi_restarts *restarts);

/* As sprintf. To be freed; NULL: no memory. */
char *ewi_run_text(const ew_host *host, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "FOLDER/FILE"; FILE alone for the current folder, "." or NULL. To be freed; NULL: no memory. */
char *ewi_path_in(const ew_host *host, const char *folder, const char *file);

#endif
