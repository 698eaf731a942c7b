/* SPDX-License-Identifier: BSD-2-Clause */
/* Writing frames while the run goes on. */
#ifndef EDGEWISE_CMD_WRITER_H
#define EDGEWISE_CMD_WRITER_H

#include "run.h"

/* Copies of the state, of so many bytes each, that may be waiting to be written. */
int cmd_writer_copies(size_t bytes);
/* Of the host's memory, what all output takes, and through `copy` what one copy of the state, of those that wait to be written. */
double cmd_writer_memory(const ew_case *that, double *copy);
/* What the host's memory has of that when a GPU keeps the copies. */
double cmd_writer_memory_without_copies(const ew_case *that);

/* Fields and case must outlive the writer; whoever else wants to use the fields waits first. */
struct cmd_writer;
struct cmd_writer *cmd_writer_create(ew_fields *fields, const ew_run_plan *plan, ew_solver *solver);
/*
 * Takes a copy of the state, which is written from then on; where there are as many copies as there may be, waits until one is
 * written. Fails with what that, or any before it, has failed with; nothing is written after a failure.
 */
int cmd_writer_write(struct cmd_writer *writer, ew_solver *solver, ew_error *error);
/*
 * For a run that breaks: takes a copy of the state if the newest one, of a frame or of an earlier call, is old enough
 * that this costs next to nothing, and if there is one that is not waiting to be written.
 */
void cmd_writer_keep(struct cmd_writer *writer, ew_solver *solver);
/*
 * Puts the solver where it was when the newest copy was taken; nothing may be being written. EW_EINVAL: there is none.
 */
int cmd_writer_go_back(struct cmd_writer *writer, ew_solver *solver, ew_error *error);
/* Until nothing is being written. */
int cmd_writer_wait(struct cmd_writer *writer, ew_error *error);
/* Whether a frame has failed, without waiting. */
int cmd_writer_check(struct cmd_writer *writer, ew_error *error);
/* That have been written. */
int64_t cmd_writer_frames(struct cmd_writer *writer);
void cmd_writer_destroy(struct cmd_writer *writer);

#endif
