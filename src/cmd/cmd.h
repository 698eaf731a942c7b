/* SPDX-License-Identifier: BSD-2-Clause */
/* What the subcommands share: options, messages, exit codes, JSON, progress. Below this, the command uses
 * edgewise.h, and the service the spool. */
#ifndef EDGEWISE_CMD_H
#define EDGEWISE_CMD_H

#include "edgewise.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- options (options.c) ------------------------------------------------------------------------------------------- */

/* Those of "plot", as they were written; NULL: not given. */
struct cmd_plot_arguments {
    const char *field, *frame, *time, *range, *map, *isolines, *window, *title, *width, *height, *supersample, *threads;
    const char *line, *points;
    bool list, log, mesh, bare, palette;
};

/* Those of "export". */
struct cmd_export_arguments {
    const char *format, *field, *frame, *time, *subdivide;
    bool lagrange;
};

/* Those of "study". */
struct cmd_study_arguments {
    const char *meshes, *refine, *orders, *norm, *variable, *jobs, *png;
    bool csv, latex;
};

/* An option that may be repeated. */
struct cmd_texts {
    size_t count;
    const char **text;
};

/* Those of "mesh". */
struct cmd_mesh_arguments {
    const char *format, *times, *corner;
    bool binary;
    struct cmd_texts circle, spline, straight;
};

/* What the options of all subcommands say. */
struct cmd_arguments {
    const char *case_path; /* the operand; the first one, where there may be several */
    size_t operands;
    const char **operand;
    const char *output; /* folder of a run, NULL: the current one; file of the other commands */
    struct cmd_plot_arguments plot;
    struct cmd_export_arguments export;
    struct cmd_study_arguments study;
    struct cmd_mesh_arguments mesh;
    const char *restart; /* a restart file, or "auto": the newest one, if there is one */
    const char *reference, *with, *every, *ulp; /* of compare */
    const char *side, *elements, *order, *flux, *seconds; /* of bench */
    bool kernels;
    bool json, quiet, no_output, overcommit, help;
    size_t settings;
    char **setting; /* "path.to.key=value" */
    char **setting_name; /* as the user wrote it: "--order 9" */
    /* No options of a command line, but what commands ask for. */
    int64_t most_triangles;  /* a rectangle of more is made coarser; 0: never */
    bool needs_room;         /* a case that there is no memory for is not read */
    const char *fields_path; /* of the fields; NULL: NAME.nc in `output` */
    bool confined;           /* the case may name files in its own folder only */
    void (*named)(void *context, const char *name, const char *path); /* as in ew_case_options */
    void *named_context;
    /* Of the service. */
    bool init, once, drain;
    const char *jobs, *timeout, *max_time, *max_attempts, *retry_delay, *max_size, *max_files, *min_free, *settle, *mesh_wait,
        *poll, *grace, *exec;
    /* Of the spool's hand tools. */
    const char *spool, *name, *priority;
    bool wait, no_check, all, refresh;
};

enum cmd_option_kind {
    CMD_FLAG,    /* sets the bool at `member` */
    CMD_TEXT,    /* sets the const char * at `member` */
    CMD_LIST,    /* adds to the struct cmd_texts at `member` */
    CMD_SETTING, /* its argument becomes the value of the case's `key` */
    CMD_SET      /* its argument is key=value */
};

/* One table a subcommand: from it come the parser, --help, and the check that the manual page has them all. */
struct cmd_option {
    const char *name;     /* without "--" */
    char letter;          /* "-o" for "--output"; 0: none */
    const char *argument; /* its name in --help; NULL: it takes none */
    const char *text;
    enum cmd_option_kind kind;
    size_t member;   /* offset in cmd_arguments */
    const char *key; /* of the case */
    bool whole;      /* the argument is a whole number, at least 0 ... */
    int64_t least, most; /* ... or from `least` to `most`; 0: as many as can be written with 18 digits. Of a case's key only told */
};

/* Options that several commands have, with the same words; OFFSET is that of a member of cmd_arguments. */
#define CMD_HELP_OPTION                                                                                                    \
    {                                                                                                                      \
        .name = "help", .kind = CMD_FLAG, .member = offsetof(struct cmd_arguments, help), .text = "print this"             \
    }
#define CMD_QUIET_OPTION                                                                                                   \
    {                                                                                                                      \
        .name = "quiet", .kind = CMD_FLAG, .member = offsetof(struct cmd_arguments, quiet),                                \
        .text = "do not print what was written"                                                                            \
    }
#define CMD_SET_OPTION                                                                                                     \
    {                                                                                                                      \
        .name = "set", .argument = "KEY=VALUE", .kind = CMD_SET,                                                           \
        .text = "any key of the case, for example time.cfl=0.3; may be repeated"                                           \
    }
#define CMD_ORDER_OPTION                                                                                                   \
    {                                                                                                                      \
        .name = "order", .argument = "P", .kind = CMD_SETTING, .key = "order", .whole = true, .least = 1,                  \
        .most = EW_MAX_ORDER,                                                                                              \
        .text = "polynomial degree, in place of the case's"                                                                \
    }
#define CMD_END_OPTION                                                                                                     \
    {                                                                                                                      \
        .name = "end", .argument = "T", .kind = CMD_SETTING, .key = "time.end", .text = "final time, in place of the case's" \
    }
#define CMD_STEPS_OPTION                                                                                                   \
    {                                                                                                                      \
        .name = "steps", .argument = "N", .kind = CMD_SETTING, .key = "time.steps", .whole = true,                         \
        .text = "stop after N steps, in place of the case's number"                                                        \
    }
#define CMD_OVERCOMMIT_OPTION                                                                                              \
    {                                                                                                                      \
        .name = "overcommit", .kind = CMD_FLAG, .member = offsetof(struct cmd_arguments, overcommit),                      \
        .text = "go on even if there seems to be too little memory"                                                        \
    }
#define CMD_BACKEND_OPTION                                                                                                 \
    {                                                                                                                      \
        .name = "backend", .argument = "auto|cuda|omp", .kind = CMD_SETTING, .key = "backend.name",                        \
        .text = "where to run; auto, the default: the best one of this machine"                                            \
    }
#define CMD_FRAME_OPTIONS(FRAME_TEXT, FRAME_OFFSET, TIME_OFFSET)                                                      \
    {.name = "frame", .argument = "N|last|all", .kind = CMD_TEXT, .member = FRAME_OFFSET, .text = FRAME_TEXT},             \
    {                                                                                                                      \
        .name = "time", .argument = "T", .kind = CMD_TEXT, .member = TIME_OFFSET, .text = "the frame nearest to this time" \
    }
/* For such a table: kind and member of an option that is a text, or a flag. */
#define CMD_TEXT_OF(member_) .kind = CMD_TEXT, .member = offsetof(struct cmd_arguments, member_)
#define CMD_FLAG_OF(member_) .kind = CMD_FLAG, .member = offsetof(struct cmd_arguments, member_)

struct cmd_command {
    const char *name, *operand; /* operand: NULL if it takes none; one that ends in "..." may be given several times */
    bool may_lack_operand;
    const char *summary;        /* one line */
    const char *text;           /* a few lines more for --help; may be NULL */
    const struct cmd_option *options; /* ends with a NULL name */
    int (*run)(const struct cmd_arguments *arguments);
};

extern const struct cmd_command cmd_run, cmd_check, cmd_compare, cmd_bench, cmd_study, cmd_mesh, cmd_plot, cmd_export, cmd_watch,
    cmd_submit, cmd_status, cmd_retry, cmd_hold, cmd_release, cmd_info;

/* 0, or the exit code of a usage error, about which a sentence is then on stderr. */
int cmd_parse(const struct cmd_command *command, int argc, char **argv, struct cmd_arguments *arguments);
void cmd_free_arguments(struct cmd_arguments *arguments);
/* Whether the text is a whole number from `least` to `most`, as of an option. */
bool cmd_is_whole_number(const char *text, int64_t least, int64_t most);
void cmd_print_help(const struct cmd_command *command);

/* ---- messages and exit codes (messages.c) --------------------------------------------------------------------------- */

/*
 * What is printed for people has names from meshes, cases and results, and a terminal obeys the control characters in
 * them. All but line breaks and tabs are shown as \xHH, by each function here and by every printf of the command.
 */
int cmd_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
#undef printf
#define printf(...) cmd_print(__VA_ARGS__)

/* Length of the UTF-8 character at the start of a text, or 0 if it is none. */
size_t cmd_character_length(const unsigned char *text);

/* "edgewise: sentence" on stderr; a progress line is taken away first. */
/* The same of a text, to be freed. */
char *cmd_visible(const char *text);
/* From now on this folder ("a/b/") is left out wherever a text names it; kept, not copied. NULL: none. */
void cmd_hide_folder(const char *folder);
void cmd_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The library's log for ew_host: warnings go to stderr. */
void cmd_log(void *context, int level, const char *sentence);

/* Sentences that the library reports one by one; each goes to stderr as it comes. */
struct cmd_report {
    size_t count;
    char **sentence;
};
void cmd_report(void *report, const char *sentence);
void cmd_free_report(struct cmd_report *report);

/* The sysexits(3) code for a failure; `io` is the one for EW_EIO, which depends on what was being done. */
int cmd_exit_code(int error, int io);

/* Brings stdout to where it goes; if that fails, a sentence, and EX_IOERR in place of an exit code of 0. */
int cmd_finish_stdout(int exit_code);

/* Like malloc, realloc and strdup, but without memory they end the command with a sentence. */
void *cmd_allocate(size_t bytes);
void *cmd_reallocate(void *pointer, size_t bytes);
char *cmd_copy(const char *text);

/* Reads the case with the arguments' settings; on failure a sentence (or all of them) is on stderr. */
int cmd_read_case(const struct cmd_arguments *arguments, const ew_host *host, struct cmd_report *report, ew_case **that,
                  ew_error *error);

/*
 * What "check" finds in the case: the exit code; errors are then on stderr, the first one in `error`. What only this machine lacks
 * is none, since the case is to be run elsewhere. *that: the case, unless it cannot be read.
 */
int cmd_check_case(const struct cmd_arguments *arguments, ew_case **that, ew_error *error);

/* ---- memory (memory.c) ------------------------------------------------------------------------------------------------ */

/* Bytes of memory and swap that can be had, also by the group of processes that we are in, or that the machine has; NaN: not known. */
double cmd_available_memory(void);
/* EW_ENOMEM, with all of these bytes in a sentence, if they are more than there are. */
int cmd_check_room(double mesh, double solver, double output, double available, ew_error *error);
/* ew_case_options.admit: whether there is room for mesh and solver. */
int cmd_admit(void *context, const ew_mesh_info *mesh, const ew_problem *problem, ew_error *error);

/* ---- files that are to be ---------------------------------------------------------------------------------------------- */

/* EX_OK, or EX_CANTCREAT and a sentence on stderr, if no file can be made at that path. */
int cmd_check_target(const char *path);


/* "12.3 MiB", "1h02m", in a buffer of the caller's. */
const char *cmd_bytes(double bytes, char *text, size_t size);
const char *cmd_duration(double seconds, char *text, size_t size);

/* ---- files of fields (frames.c) ------------------------------------------------------------------------------------- */

/* Prints where to find help; EX_USAGE. */
int cmd_usage_error(const struct cmd_command *command);
/* Another process has opened the file, and HDF5 has ended it by a signal; `error` says so, as EW_EIO. */
bool cmd_crashes_hdf5(const char *path, ew_error *error);
/*
 * Opens the operand, which must have frames unless `may_be_empty`, gives it to `work` and closes it. Returns the command's exit
 * code; sentences are then on stderr.
 */
int cmd_with_results(const struct cmd_arguments *arguments, bool may_be_empty, int (*work)(void *context, ew_results *results),
                     void *context);
/* Says why the library could not do what options have asked for; the exit code. */
int cmd_results_failed(const ew_error *error);
/* --output or, without it, the results' name, in the current folder, with `suffix` in place of .nc. To be freed. */
char *cmd_output_name(const struct cmd_arguments *arguments, const ew_results *results, const char *suffix);
/* Numbers with commas between them; -1 unless there are `least` to `most` of them and nothing else. */
int cmd_read_numbers(const char *text, int least, int most, double *number);
/* What --frame and --time say, the last one if they say nothing; EX_USAGE and a sentence if they make no sense. */
int cmd_choose_frame(const struct cmd_command *command, const ew_results *results, const char *frame, const char *time,
                     int64_t *chosen, bool *all);
bool cmd_ends_with(const char *text, const char *end);
/* "NAME.png" becomes "NAME-0012.png"; to be freed. */
char *cmd_numbered(const char *name, int64_t frame);

/* ---- JSON (json.c) -------------------------------------------------------------------------------------------------- */

/* Writes one object or array on one line; names are NULL within arrays and for the outermost. */
struct cmd_json {
    FILE *file;
    bool started;
};
void cmd_json_open(struct cmd_json *json, const char *name, char bracket);
void cmd_json_close(struct cmd_json *json, char bracket);
void cmd_json_text(struct cmd_json *json, const char *name, const char *text); /* NULL: null */
void cmd_json_number(struct cmd_json *json, const char *name, double value);   /* not finite: null */
void cmd_json_integer(struct cmd_json *json, const char *name, int64_t value);
void cmd_json_bool(struct cmd_json *json, const char *name, bool value);
void cmd_json_null(struct cmd_json *json, const char *name);
/* A value that is JSON already, on one line; NULL: null. */
void cmd_json_raw(struct cmd_json *json, const char *name, const char *value);
/* {"rho": ..., ...}; null if values is NULL. */
void cmd_json_variables(struct cmd_json *json, const char *name, int count, const char *const *names, const double *values);

/* ---- reading JSON (json_read.c) --------------------------------------------------------------------------------------- */

/* Whether the text is one value; only then it may be given to the others, which return NULL for what is not there. */
bool cmd_json_is_valid(const char *text);
const char *cmd_json_member(const char *object, const char *name);
const char *cmd_json_first(const char *array);
const char *cmd_json_next(const char *value);
double cmd_json_get_number(const char *value); /* NaN: it is none */
bool cmd_json_get_text(const char *value, char *text, size_t size); /* cut at the size; false: it is none */

/* ---- progress (progress.c) ------------------------------------------------------------------------------------------ */

struct cmd_progress {
    bool quiet, terminal;
    double begun, drawn, interval; /* seconds; the interval is between plain lines */
    double fraction;               /* that was done before */
};

struct cmd_progress_state {
    double fraction; /* done, 0 .. 1; NaN if nobody knows */
    double time, dt, gdof_stage_per_s;
    int64_t step;
};

double cmd_seconds(void); /* of a clock that only goes forward */
void cmd_progress_start(struct cmd_progress *progress, bool quiet, double fraction);
/* Whether it is time to show something; then the caller asks the solver and calls cmd_progress_show. */
bool cmd_progress_due(const struct cmd_progress *progress);
void cmd_progress_show(struct cmd_progress *progress, const struct cmd_progress_state *state);
/* Takes the line away, if there is one on the terminal. */
void cmd_progress_clear(void);

/* ---- restart files (restart.c) ---------------------------------------------------------------------------------------- */

/* The first four are the caller's; the rest is set by cmd_restart_begin. */
struct cmd_restart {
    const ew_case *that;
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
/* ---- time stepping (stepping.c) ------------------------------------------------------------------------------------- */

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
    const ew_force *force; /* [case_info->forces] */
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
void cmd_summary_put_json(struct cmd_json *json, const struct cmd_summary *summary);

/* ---- a run (run.c) -------------------------------------------------------------------------------------------------- */

/* What someone who runs cases learns of them. */
struct cmd_run_watcher {
    void *context;
    /* After every piece of time stepping, which is about 0.1 s long; NULL: a progress line is shown. */
    void (*progress)(void *context, const struct cmd_progress_state *state);
    /* Once, whether it went well (EX_OK) or not; `error` is the library's code, EW_OK if there is none. */
    void (*end)(void *context, const struct cmd_summary *summary, int exit_code, int error);
};

/* Runs the case and writes its files. Returns the exit code; sentences about errors have then been printed. */
int cmd_run_case(const struct cmd_arguments *arguments, const struct cmd_run_watcher *watcher);

#endif
