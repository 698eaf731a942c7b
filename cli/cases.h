/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases as the command and the service read, check and run them. */
#ifndef EDGEWISE_CASES_H
#define EDGEWISE_CASES_H

#include "cli.h"
#include "edgewise-case.h"

/* ---- reading (read_case.c) --------------------------------------------------------------------------------------- */

/* A case file, and settings in place of what it says; the rest as in ew_case_options. */
struct cli_case {
    const char *path;
    size_t settings;
    char *const *setting;      /* "path.to.key=value" */
    char *const *setting_name; /* as the user wrote it: "--order 9"; NULL: not known */
    int64_t most_triangles;
    bool confined, needs_room; /* needs_room: a case that there is no memory for is not read */
    void (*named)(void *context, const char *name, const char *path);
    void *named_context;
    ew_plan **plan;
};
/* The operand and the settings. */
struct cli_case cli_case_of(const struct cli_arguments *arguments);
/* mesh="PATH", to be freed. */
char *cli_mesh_setting(const char *path);
/* On failure a sentence (or all of them) is on stderr. */
int cli_read_case(const struct cli_case *what, const ew_host *host, struct cli_report *report, ew_case **that,
                  ew_error *error);

/* ---- files of others (open_first.c) ------------------------------------------------------------------------------ */

/* Another process has opened the file, and HDF5 has ended it by a signal; `error` says so, as EW_EIO. */
bool cli_crashes_hdf5(const char *path, ew_error *error);

/* ---- signals (signals.c) ----------------------------------------------------------------------------------------- */

/*
 * SIGTERM, SIGINT and SIGHUP, unless they are ignored, are noted from now on and end a run after the step in hand, as
 * "interrupted"; a second one, somewhat later, kills.
 */
void cli_catch_signals(void);
/* The signal that was caught, or 0. */
int cli_caught_signal(void);
/* The same, as ew_run_options.stop. */
int cli_is_interrupted(void *context);
/* Whoever started us learns that it was the signal, as if it had not been caught; shells show 128 + its number. */
void cli_end_by_signal(int number);

/* ---- running (run_case.c, summary.c) ----------------------------------------------------------------------------- */

/* What is known of a run at its end; NULL members and NaN are not known. */
struct cli_summary {
    const char *case_path, *stop, *error; /* error: a sentence */
    const ew_case_info *case_info;
    const ew_mesh_info *mesh;
    const ew_solver_info *solver;
    ew_run_summary run; /* its set-up from the start of the command */
    double dt, total_seconds;
};
/* Lines and members that several commands have: a case and its mesh, what solves it, and where. */
void cli_print_case(const ew_case_info *info, const ew_mesh_info *mesh);
void cli_print_scheme(const ew_solver_info *solver, const ew_mesh_info *mesh);
void cli_print_backend(const ew_solver_info *solver);
void cli_json_scheme(struct cli_json *json, const ew_solver_info *solver);
void cli_json_backend(struct cli_json *json, const ew_solver_info *solver); /* nulls if `solver` is NULL */
void cli_summary_print(const struct cli_summary *summary);
void cli_summary_print_json(const struct cli_summary *summary);
/* The members of the JSON object. */
void cli_summary_put_json(struct cli_json *json, const struct cli_summary *summary);

/* A case that is to run. The context of the options is that of all functions. */
struct cli_run {
    struct cli_case what;
    ew_run_options options; /* but `stop`, a caught signal, and `admit`, cli_crashes_hdf5 */
    bool overcommit;        /* it runs even if there seems to be too little memory */
    /* Once, whether it went well (EX_OK) or not; `error` is the library's code, EW_OK if there is none. */
    void (*end)(void *context, const struct cli_summary *summary, int exit_code, int error);
};
/* Runs the case and writes its files. Returns the exit code; sentences about errors have then been printed. */
int cli_run_case(const struct cli_run *run);

#endif
