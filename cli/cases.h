/* SPDX-License-Identifier: BSD-2-Clause */
/* Cases as the command and the service read, check and run them. */
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
    char *const *setting_name; /* as the user wrote it: "--order 9"; NULL: not known */
    int64_t most_triangles;
    bool confined, needs_room; /* needs_room: refuse a case that does not fit in memory */
    void (*named)(void *context, const char *name, const char *path);
    void *named_context;
    ew_plan **plan;
    ew_meshes *meshes;
    int64_t member;     /* of a sweep; 0: it is none */
    const char *source; /* what the case's text must be; NULL: anything */
};
/* The operand and the settings. */
struct cli_case cli_case_of(const struct cli_arguments *arguments);
/* mesh="PATH", to be freed. */
char *cli_mesh_setting(const char *path);
/* On failure a sentence (or all of them) is on stderr. */
int cli_read_case(const struct cli_case *what, const ew_host *host, struct cli_report *report, ew_case **that,
                  ew_error *error);
/* The sweep of a case, which has no members if the case has none. On failure a sentence (or all) is on stderr. */
int cli_read_sweep(const struct cli_case *what, const ew_host *host, struct cli_report *report, ew_sweep **sweep,
                   ew_error *error);
/*
 * The options --sweep KEY=VALUES as one setting "sweep={...}", and what sentences call it; both are to be freed. EX_OK,
 * or an exit code and a sentence on stderr, part of it in `error`.
 */
int cli_sweep_setting(const struct cli_arguments *arguments, const struct cli_texts *options, char **name,
                      char **setting, ew_error *error);
/* "let.alpha=1, order=2", cut if there is no room for more. Returns the text. */
const char *cli_sweep_values(const ew_sweep *sweep, int64_t member, char *text, size_t size);
/* Logs a warning for each boundary of kind "copy" at which the flow enters or rests, where that is unstable. */
int cli_warn_of_copies(const ew_host *host, const ew_mesh *mesh, const ew_problem *problem, ew_solver *solver,
                       ew_error *error);
/* Jobs share the cores evenly, unless --threads is given. Results do not depend on it. Returns the threads of each. */
int cli_share_threads(struct cli_arguments *arguments, int jobs);

enum { CLI_MOST_DEVICES = 64 };
/*
 * The argument of --devices: "all", or numbers of GPUs with commas between them. EX_OK, or an exit code and a sentence
 * on stderr.
 */
int cli_read_devices(const char *text, int device[CLI_MOST_DEVICES], int *devices);

/* With --device a case runs on that GPU or not at all: `auto` does not mean the cores then. */
bool cli_gives_device(const struct cli_arguments *arguments);
/* Whether there is such a GPU; otherwise a sentence that names the option is on stderr. EX_OK or EX_UNAVAILABLE. */
int cli_check_gpu(const char *option, double device);
/* The same without a word. */
bool cli_has_gpu(const char *option, double device, ew_error *error);
/* The same for a given --device, the last one; EX_USAGE if --backend says that it is not for a GPU. */
int cli_check_device(const struct cli_arguments *arguments);

/* ---- files of others (open_first.c) ------------------------------------------------------------------------------ */

/* As fopen, to read a regular file; errno is for ewi_open_error. */
FILE *cli_open_file(const char *path);
/*
 * If there is no file of this path, adds to the error's sentence one that may be meant: with the ending, of a run that
 * did not reach its end, or of one that still runs.
 */
void cli_add_other_file(const char *path, const char *ending, ew_error *error);
/* Another process has opened the file, and HDF5 has ended it or taken all memory; `error` says so, as EW_EIO. */
bool cli_crashes_hdf5(const char *path, ew_error *error);
/* ew_results_open of a file that another process has survived. */
int cli_open_results(const char *path, ew_results **results, ew_error *error);

/* ---- signals (signals.c) ----------------------------------------------------------------------------------------- */

/*
 * SIGTERM, SIGINT and SIGHUP, unless they are ignored, are noted from now on and end a run after the step in hand, as
 * "interrupted". A second signal, half a second or more later, kills the process.
 */
void cli_catch_signals(void);
/* For a handler of such signals: false for one within half a second of the first, which belongs to that. */
bool cli_signal_counts(void);
/* The signal that was caught, or 0. */
int cli_caught_signal(void);
/* The same, as ew_run_options.stop. */
int cli_is_interrupted(void *context);
/*
 * Ends the process by the signal, so that the parent sees it; shells show 128 + its number, which is the exit status
 * where the signal cannot end the process.
 */
_Noreturn void cli_end_by_signal(int number);

/* ---- GPUs (gpus.c) ----------------------------------------------------------------------------------------------- */

/* The GPU that a run asks for by --device, or 0 if its case cannot ask for another; -1: not known. */
int cli_device_of(const struct cli_arguments *arguments);
/* Before the driver starts: it sees these GPUs only, which keep their numbers. Not for ranks, which share theirs. */
void cli_hide_gpus(const int *device, int devices);

/* ---- running (run_case.c, summary.c) ----------------------------------------------------------------------------- */

/* A run at its end; NULL and NaN mean unknown. */
struct cli_summary {
    const char *case_path, *stop, *error; /* error: a sentence */
    const ew_case_info *case_info;
    const ew_mesh_info *mesh;
    const ew_solver_info *solver;
    ew_run_summary run; /* its set-up from the start of the command */
    double dt, total_seconds;
};
/* Lines and JSON members that several commands share: case and mesh, scheme, backend. */
const char *cli_title_of(const ew_case_info *info); /* the title or, without one, the name */
const char *cli_stop_in_words(const char *stop, bool both); /* both: of the two sides of a comparison */
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
    ew_run_options options; /* cli_run_case sets `admit`, and `stop` if it is NULL */
    bool overcommit;        /* run even if memory seems too small */
    bool warns_of_copies;
    ew_ensemble *ensemble;  /* NULL: the solver is in none */
    int most_threads;       /* of all parts of a case on the CPU, which has fewer of them otherwise; 0: no limit */
    /*
     * The ranks that run the case together; NULL: there are no others. Only rank 0 prints, writes files and ends. On
     * others cli_run_case says nothing and returns when rank 0 has destroyed its comm.
     */
    ew_comm *comm;
    /* GPUs that share the case, or from which each of a host's ranks takes one in turn; 0: as the case says. */
    int devices;
    const int *device;
    bool needs_device; /* an option names a GPU, so cores are not what is meant */
    /* Called once, after success (EX_OK) or failure; `error` is the library's code or EW_OK. */
    void (*end)(void *context, const struct cli_summary *summary, int exit_code, int error);
};
/*
 * Runs the case and writes its files. Returns the exit code; sentences about errors have then been printed. Several
 * threads may run cases, after one of them has called cli_prepare_files.
 */
int cli_run_case(const struct cli_run *run);
/* Our own lock keeps a second writer away; HDF5's would keep readers away during a run. */
void cli_prepare_files(void);

#endif
