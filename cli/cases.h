/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads, checks and runs cases for the command and the service. */
#ifndef EDGEWISE_CASES_H
#define EDGEWISE_CASES_H

#include "cli.h"
#include "edgewise-case.h"

/* ---- reading (read_case.c) --------------------------------------------------------------------------------------- */

/* A case file and the settings that override it; the other members are as in ew_case_options. */
struct cli_case {
    const char *path;
    size_t settings;
    char *const *setting;      /* "path.to.key=value" */
    char *const *setting_name; /* as the user wrote it: "--order 9"; NULL: unknown */
    int64_t most_triangles;
    bool confined, needs_room; /* needs_room: refuse a case that does not fit in memory */
    void (*named)(void *context, enum ew_named_file kind, const char *name, const char *path);
    void *named_context;
    ew_plan **plan;
    ew_meshes *meshes;
    int64_t member;     /* member of a sweep; 0: none */
    int parts;
    const char *source; /* the text that the case must have; NULL: any */
};
/* The case of the operand and the settings. */
struct cli_case cli_case_of(const struct cli_arguments *arguments);
/* The setting mesh="PATH"; the caller frees it. */
char *cli_mesh_setting(const char *path);
/* Reads a case. On failure, one or all sentences are on stderr. */
int cli_read_case(const struct cli_case *what, const ew_host *host, struct cli_report *report, ew_case **that,
                  ew_error *error);
/* Reads the sweep of a case, which may have no members. On failure, one or all sentences are on stderr. */
int cli_read_sweep(const struct cli_case *what, const ew_host *host, struct cli_report *report, ew_sweep **sweep,
                   ew_error *error);
/*
 * Turns the options --sweep KEY=VALUES into one setting "sweep={...}", with its name for sentences; the caller frees
 * both. EX_OK, or an exit code and a sentence on stderr, part of it in `error`.
 */
int cli_sweep_setting(const struct cli_arguments *arguments, const struct cli_texts *options, char **name,
                      char **setting, ew_error *error);
/* "let.alpha=1, order=2", truncated to the size. Returns the text. */
const char *cli_sweep_values(const ew_sweep *sweep, int64_t member, char *text, size_t size);
/*
 * Divides the cores evenly among jobs, unless --threads is given. Results do not depend on it. Returns the threads of
 * each job.
 */
int cli_share_threads(struct cli_arguments *arguments, int jobs);

enum { CLI_MOST_DEVICES = 64 };
/*
 * Reads the argument of --devices: "all", or GPU numbers separated by commas. EX_OK, or an exit code and a sentence on
 * stderr.
 */
int cli_read_devices(const char *text, int device[CLI_MOST_DEVICES], int *devices);

/* True if --device is given. The case then runs on that GPU or not at all: `auto` does not fall back to the cores. */
bool cli_gives_device(const struct cli_arguments *arguments);
/* EX_OK if the GPU exists; otherwise EX_UNAVAILABLE, and a sentence that names the option on stderr. */
int cli_check_gpu(const char *option, double device);
/* The same without output. */
bool cli_has_gpu(const char *option, double device, ew_error *error);
/* The same for the last --device, if given; EX_USAGE if --backend excludes a GPU. */
int cli_check_device(const struct cli_arguments *arguments);

/* ---- files of others (open_first.c) ------------------------------------------------------------------------------ */

/* Like fopen, for reading a regular file; errno is for ewi_open_error. */
FILE *cli_open_file(const char *path);
/* Turns off HDF5's lock, which would keep readers away during a run. Our own lock keeps a second writer away. */
void cli_prepare_files(void);
/*
 * If no file has this path, adds to the error's sentence the name of one that may be meant: with the ending, of a run
 * that did not reach its end, or of one that is still running.
 */
void cli_add_other_file(const char *path, const char *ending, ew_error *error);
/* `edgewise --open-first PATH` calls cli_open_first; only cli_crashes_hdf5 runs it. */
#define CLI_OPEN_FIRST "--open-first"
/*
 * Opens and closes a result or restart file with limited memory; HDF5 may crash. Returns the exit status: 0, or another
 * one if memory did not suffice.
 */
int cli_open_first(const char *path);
/*
 * True if another process that opened the file was ended by HDF5 or ran out of memory; `error` then says so, as EW_EIO.
 */
bool cli_crashes_hdf5(const char *path, ew_error *error);
/* ew_results_open, after another process has opened the file without harm. */
int cli_open_results(const char *path, ew_results **results, ew_error *error);

/* ---- signals (signals.c) ----------------------------------------------------------------------------------------- */

/*
 * From now on, SIGTERM, SIGINT and SIGHUP, unless ignored, end a run after the current step, as "interrupted". A second
 * signal, half a second or more later, kills the process.
 */
void cli_catch_signals(void);
/* As process 1 of a container, for which the kernel drops signals without a handler: ends by them all the same. */
void cli_end_as_process_1(void);
/* For a handler of such signals: false within half a second of the first one, which counts as the same signal. */
bool cli_signal_counts(void);
/* The signal that was caught, or 0. */
int cli_caught_signal(void);
/* The same as ew_run_options.stop. */
int cli_is_interrupted(void *context);
/*
 * Ends the process by the signal, so that the parent sees it. Shells show 128 + its number, which is the exit status if
 * the signal cannot end the process.
 */
_Noreturn void cli_end_by_signal(int number);

/* ---- GPUs (gpus.c) ----------------------------------------------------------------------------------------------- */

/* The GPU that --device names, or 0 if the case cannot name another; -1: unknown. */
int cli_device_of(const struct cli_arguments *arguments);
/*
 * Limits the driver to these GPUs, which keep their numbers. Call it before the driver starts, and not in ranks, which
 * share their GPUs.
 */
void cli_hide_gpus(const int *device, int devices);

/* ---- running (run_case.c, summary.c) ----------------------------------------------------------------------------- */

/* The results of a run; NULL and NaN mean unknown. */
struct cli_summary {
    const char *case_path, *stop, *error; /* error: a sentence */
    const ew_case_info *case_info;
    const ew_mesh_info *mesh;
    const ew_solver_info *solver;
    ew_run_levels levels;
    ew_run_summary run; /* set-up counts from the start of the command */
    double dt, total_seconds;
};
/* Lines and JSON members that several commands share: case and mesh, scheme, backend. */
const char *cli_title_of(const ew_case_info *info); /* the title or, without one, the name */
const char *cli_stop_in_words(const char *stop, bool both); /* both: for both sides of a comparison */
void cli_print_case(const ew_case_info *info, const ew_mesh_info *mesh);
/* levels: of a run with this solver; or NULL */
void cli_print_scheme(const ew_solver_info *solver, const ew_mesh_info *mesh, const ew_run_levels *levels);
void cli_print_backend(const ew_solver_info *solver);
void cli_json_scheme(struct cli_json *json, const ew_solver_info *solver);
void cli_json_backend(struct cli_json *json, const ew_solver_info *solver); /* nulls if `solver` is NULL */
void cli_summary_print(const struct cli_summary *summary);
void cli_summary_print_json(const struct cli_summary *summary);
/* Writes the members of the JSON object. */
void cli_summary_put_json(struct cli_json *json, const struct cli_summary *summary);

/* A case to run. All functions get the context of the options. */
struct cli_run {
    struct cli_case what;
    ew_run_options options; /* cli_run_case sets `admit`, and `stop` if it is NULL */
    bool overcommit;        /* run even if memory seems too small */
    bool warns_of_state;
    ew_ensemble *ensemble;  /* NULL: no ensemble */
    int most_threads;       /* limit for all parts of a case on the CPU together, which lowers their number; 0: none */
    /*
     * The ranks that run the case together; NULL: only this process. Only rank 0 prints, writes files and calls `end`.
     * On other ranks cli_run_case prints nothing and returns when rank 0 has destroyed its comm.
     */
    ew_comm *comm;
    /* GPUs that share the case, or from which each of a host's ranks takes one in turn; 0: the case decides. */
    int devices;
    const int *device;
    bool needs_device; /* an option names a GPU, so the run must not use the cores */
    /* Called once, after success (EX_OK) or failure; `error` is the library's code or EW_OK. */
    void (*end)(void *context, const struct cli_summary *summary, int exit_code, int error);
};
/*
 * Runs the case and writes its files. Returns the exit code; errors have been printed. Several threads may run cases,
 * after one of them has called cli_prepare_files.
 */
int cli_run_case(const struct cli_run *run);

#endif
