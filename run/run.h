/* SPDX-License-Identifier: BSD-2-Clause */
/* A case from its file to its results: frames, restart files, time series, signals, the summary. */
#ifndef EDGEWISE_RUN_H
#define EDGEWISE_RUN_H

#include "cli.h"

/* ---- the case (read_case.c) ----------------------------------------------------------------------------------------- */

/* Reads the case with the arguments' settings; on failure a sentence (or all of them) is on stderr. */
int cmd_read_case(const struct cli_arguments *arguments, const ew_host *host, struct cli_report *report, ew_case **that,
                  ew_error *error);

/* ---- memory (memory.c) ------------------------------------------------------------------------------------------------ */

/* Bytes of memory and swap that can be had, also by the group of processes that we are in, or that the machine has; NaN: not known. */
double cmd_available_memory(void);
/* EW_ENOMEM, with all of these bytes in a sentence, if they are more than there are. */
int cmd_check_room(double mesh, double solver, double output, double available, ew_error *error);
/* ew_case_options.admit: whether there is room for mesh and solver. */
int cmd_admit(void *context, const ew_mesh_info *mesh, const ew_problem *problem, ew_error *error);

/* ---- results of others (open_first.c) --------------------------------------------------------------------------------- */

/* Another process has opened the file, and HDF5 has ended it by a signal; `error` says so, as EW_EIO. */
bool cmd_crashes_hdf5(const char *path, ew_error *error);

/* ---- restart files (restarts.c) ---------------------------------------------------------------------------------------- */

/* The first four are the caller's; the rest is set by cmd_restart_begin. */
struct cmd_restart {
    const ew_run_plan *plan;
    ew_solver *solver;
    const char *folder; /* where restart files are */
    bool writes;        /* whether any may be written */
    char *from;         /* what the run goes on from; NULL: it began anew */
    ew_restart_info info; /* of that */
    const char *name;
    bool asked; /* the case has output.restart */
    int64_t steps, next_step, written_step;
    double next_time;
    int keep;
    size_t kept_count;
    char **kept; /* paths, the newest one last */
};

/* `from`: NULL, a file, or "auto". */
int cmd_restart_begin(struct cmd_restart *restart, const char *from, ew_error *error);
/* For a run that begins at the start: who asks for the newest restart file means this run's. */
int cmd_restart_put_aside(const struct cmd_restart *restart, ew_error *error);
/* Steps that may be done before the next look at cmd_restart_due, at least 1. */
int64_t cmd_restart_steps_left(const struct cmd_restart *restart);
/* Whether the last step has reached a time or a number at which a restart file is due; each is told once. */
bool cmd_restart_due(struct cmd_restart *restart);
/* Writes NAME.restart-STEP.nc, unless there is one of this step, and removes those that are too many. */
int cmd_restart_write(struct cmd_restart *restart, ew_fields *fields, ew_error *error);
void cmd_restart_free(struct cmd_restart *restart);

/* ---- time stepping (signals.c) ------------------------------------------------------------------------------------- */

/*
 * SIGTERM, SIGINT and SIGHUP, unless they are ignored, are noted from now on and end a run after the step in hand, as
 * "interrupted"; a second one, somewhat later, kills.
 */
void cmd_catch_signals(void);
/* The signal that was caught, or 0. */
int cmd_caught_signal(void);
/* Whoever started us learns that it was the signal, as if it had not been caught; shells show 128 + its number. */
void cmd_end_by_signal(int number);
/* Steps to do before the next look at signals: the last piece was to be `chunk` steps, and `steps` took so many seconds. */
int64_t cmd_next_chunk(int64_t chunk, int64_t steps, double seconds);

/* ---- summary of a run (summary.c) ----------------------------------------------------------------------------------- */

/* What is known of a run at its end; NULL or negative members are not known. */
struct cmd_summary {
    const char *case_path, *stop;
    const char *error; /* sentence */
    const ew_case_info *case_info;
    const ew_mesh_info *mesh;
    const ew_solver_info *solver;
    const ew_norms *norms;
    const uint64_t *hash;
    const ew_force *force; /* [case_info->plan.bodies] */
    double time, dt, setup_seconds, seconds, output_seconds, closing_seconds, total_seconds, gdof_stage_per_s; /* NaN: not known */
    int64_t steps, frames;
    const char *output;
    const char *series;          /* path of the time series */
    const char *resumed;         /* the restart file that the run went on from */
    size_t restarts;
    char *const *restart; /* restart files that are there */
};
void cmd_summary_print(const struct cmd_summary *summary);
void cmd_summary_print_json(const struct cmd_summary *summary);
/* The members of the JSON object. */
void cmd_summary_put_json(struct cli_json *json, const struct cmd_summary *summary);

/* ---- a run (run.c) -------------------------------------------------------------------------------------------------- */

/* What someone who runs cases learns of them. */
struct cmd_run_watcher {
    void *context;
    /* After every piece of time stepping, which is about 0.1 s long; NULL: a progress line is shown. */
    void (*progress)(void *context, const struct cli_progress_state *state);
    /* Once, whether it went well (EX_OK) or not; `error` is the library's code, EW_OK if there is none. */
    void (*end)(void *context, const struct cmd_summary *summary, int exit_code, int error);
};

/* Runs the case and writes its files. Returns the exit code; sentences about errors have then been printed. */
int cmd_run_case(const struct cli_arguments *arguments, const struct cmd_run_watcher *watcher);
/* The signal that ended a run of this process, or 0. */
int cmd_interrupted_by(void);

#endif
