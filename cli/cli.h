/* SPDX-License-Identifier: BSD-2-Clause */
/* What a program says and is told on the command line: tables of options, messages, exit codes, JSON, progress. */
#ifndef EDGEWISE_CLI_H
#define EDGEWISE_CLI_H

#include "edgewise-case.h"
#include "ewi_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- options (options.c) ----------------------------------------------------------------------------------------- */

/* Those of "plot", as they were written; NULL: not given. */
struct cli_plot_arguments {
    const char *field, *frame, *time, *range, *map, *isolines, *window, *title, *width, *height, *supersample, *threads;
    const char *line, *points;
    bool list, log, mesh, bare, palette;
};

/* Those of "export". */
struct cli_export_arguments {
    const char *format, *field, *frame, *time, *subdivide;
    bool lagrange;
};

/* Those of "study". */
struct cli_study_arguments {
    const char *meshes, *refine, *orders, *norm, *variable, *jobs, *png;
    bool csv, latex;
};

/* An option that may be repeated. */
struct cli_texts {
    size_t count;
    const char **text;
};

/* Those of "mesh". */
struct cli_mesh_arguments {
    const char *format, *times, *corner;
    bool binary;
    struct cli_texts circle, spline, straight;
};

/* What the options of all subcommands say. */
struct cli_arguments {
    const char *case_path; /* the operand; the first one, where there may be several */
    size_t operands;
    const char **operand;
    const char *output; /* folder of a run, NULL: the current one; file of the other commands */
    struct cli_plot_arguments plot;
    struct cli_export_arguments export;
    struct cli_study_arguments study;
    struct cli_mesh_arguments mesh;
    const char *restart; /* a restart file, or "auto": the newest one, if there is one */
    const char *reference, *with, *every, *ulp; /* of compare */
    const char *side, *elements, *order, *flux, *seconds; /* of bench */
    bool kernels;
    bool json, quiet, no_output, overcommit, help;
    size_t settings;
    char **setting; /* "path.to.key=value" */
    char **setting_name; /* as the user wrote it: "--order 9" */
    /* Of the service. */
    bool init, once, drain;
    const char *jobs, *timeout, *max_time, *max_attempts, *retry_delay, *max_size, *max_files, *min_free, *settle,
        *mesh_wait, *poll, *grace, *exec;
    /* Of the spool's hand tools. */
    const char *spool, *name, *priority;
    bool wait, no_check, all, refresh;
};

enum cli_option_kind {
    CLI_FLAG,    /* sets the bool at `member` */
    CLI_TEXT,    /* sets the const char * at `member` */
    CLI_LIST,    /* adds to the struct cli_texts at `member` */
    CLI_SETTING, /* its argument becomes the value of the case's `key` */
    CLI_SET      /* its argument is key=value */
};

/* One table a subcommand: from it come the parser, --help, and the check that the manual page has them all. */
struct cli_option {
    const char *name;     /* without "--" */
    char letter;          /* "-o" for "--output"; 0: none */
    const char *argument; /* its name in --help; NULL: it takes none */
    const char *text;
    enum cli_option_kind kind;
    size_t member;   /* offset in cli_arguments */
    const char *key; /* of the case */
    bool whole;      /* the argument is a whole number, at least 0 ... */
    int64_t least, most; /* ... or from `least` to `most`; 0: as many as can be written with 18 digits. Of a case's key
                            only told */
};

/* Options that several commands have, with the same words; OFFSET is that of a member of cli_arguments. */
#define CLI_HELP_OPTION                                                                                               \
    {                                                                                                                 \
        .name = "help", .kind = CLI_FLAG, .member = offsetof(struct cli_arguments, help),                             \
        .text = "print this help"                                                                                     \
    }
#define CLI_QUIET_OPTION                                                                                              \
    {                                                                                                                 \
        .name = "quiet", .kind = CLI_FLAG, .member = offsetof(struct cli_arguments, quiet),                           \
        .text = "do not print what was written"                                                                       \
    }
#define CLI_SET_OPTION                                                                                                \
    {                                                                                                                 \
        .name = "set", .argument = "KEY=VALUE", .kind = CLI_SET,                                                      \
        .text = "set any key of the case, for example time.cfl=0.3; may be repeated"                                  \
    }
#define CLI_ORDER_OPTION                                                                                              \
    {                                                                                                                 \
        .name = "order", .argument = "P", .kind = CLI_SETTING, .key = "order", .whole = true, .least = 1,             \
        .most = EW_MAX_ORDER,                                                                                         \
        .text = "polynomial degree, instead of the case's"                                                            \
    }
#define CLI_END_OPTION                                                                                                \
    {                                                                                                                 \
        .name = "end", .argument = "T", .kind = CLI_SETTING, .key = "time.end",                                       \
        .text = "final time, instead of the case's"                                                                   \
    }
#define CLI_STEPS_OPTION                                                                                              \
    {                                                                                                                 \
        .name = "steps", .argument = "N", .kind = CLI_SETTING, .key = "time.steps", .whole = true,                    \
        .text = "stop after N steps, instead of the case's number"                                                    \
    }
#define CLI_OVERCOMMIT_OPTION                                                                                         \
    {                                                                                                                 \
        .name = "overcommit", .kind = CLI_FLAG, .member = offsetof(struct cli_arguments, overcommit),                 \
        .text = "accept a case that needs more memory than there is"                                                  \
    }
#define CLI_BACKEND_OPTION                                                                                            \
    {                                                                                                                 \
        .name = "backend", .argument = "auto|cuda|omp", .kind = CLI_SETTING, .key = "backend.name",                   \
        .text = "where to run; the default, auto, takes the best one"                                                 \
    }
#define CLI_FRAME_OPTIONS(FRAME_TEXT, FRAME_OFFSET, TIME_OFFSET)                                                      \
    {.name = "frame", .argument = "N|last|all", .kind = CLI_TEXT, .member = FRAME_OFFSET, .text = FRAME_TEXT},        \
    {                                                                                                                 \
        .name = "time", .argument = "T", .kind = CLI_TEXT, .member = TIME_OFFSET,                                     \
        .text = "the frame nearest to this time"                                                                      \
    }
/* For such a table: kind and member of an option that is a text, or a flag. */
#define CLI_TEXT_OF(member_) .kind = CLI_TEXT, .member = offsetof(struct cli_arguments, member_)
#define CLI_FLAG_OF(member_) .kind = CLI_FLAG, .member = offsetof(struct cli_arguments, member_)

struct cli_command {
    const char *name, *operand; /* operand: NULL if it takes none; one that ends in "..." may be given several times */
    bool may_lack_operand;
    const char *summary;        /* one line */
    const char *text;           /* a few lines more for --help; may be NULL */
    const struct cli_option *options; /* ends with a NULL name */
    int (*run)(const struct cli_arguments *arguments);
};

/* 0, or the exit code of a usage error, about which a sentence is then on stderr. */
int cli_parse(const struct cli_command *command, int argc, char **argv, struct cli_arguments *arguments);
void cli_free_arguments(struct cli_arguments *arguments);
/* Whether the text is a whole number from `least` to `most`, as of an option. */
bool cli_is_whole_number(const char *text, int64_t least, int64_t most);
void cli_print_help(const struct cli_command *command);
/* Prints where to find help; EX_USAGE. */
int cli_usage_error(const struct cli_command *command);
/* Numbers with commas between them; -1 unless there are `least` to `most` of them and nothing else. */
int cli_read_numbers(const char *text, int least, int most, double *number);

/* ---- messages and exit codes (messages.c) ------------------------------------------------------------------------ */

/*
 * What is printed for people has names from meshes, cases and results, and a terminal obeys the control characters in
 * them. All but line breaks and tabs are shown as \xHH, by each function here and by every printf of the command.
 */
int cli_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
#undef printf
#define printf(...) cli_print(__VA_ARGS__)

/* Length of the UTF-8 character at the start of a text, or 0 if it is none. */
size_t cli_character_length(const unsigned char *text);

/* "edgewise: sentence" on stderr; a progress line is taken away first. */
/* The same of a text, to be freed. */
char *cli_visible(const char *text);
/* From now on this folder ("a/b/") is left out wherever a text names it; kept, not copied. NULL: none. */
void cli_hide_folder(const char *folder);
void cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The library's log for ew_host: warnings go to stderr. */
void cli_log(void *context, int level, const char *sentence);

/* Sentences that the library reports one by one; each goes to stderr as it comes. */
struct cli_report {
    size_t count;
    char **sentence;
};
void cli_report(void *report, const char *sentence);
void cli_free_report(struct cli_report *report);

/* The sysexits(3) code for a failure; `io` is the one for EW_EIO, which depends on what was being done. */
int cli_exit_code(int error, int io);

/* Brings stdout to where it goes; if that fails, a sentence, and EX_IOERR in place of an exit code of 0. */
int cli_finish_stdout(int exit_code);

/* Like malloc, realloc and strdup, but without memory they end the command with a sentence. */
void *cli_allocate(size_t bytes);
void *cli_reallocate(void *pointer, size_t bytes);
char *cli_copy(const char *text);

/* EX_OK, or EX_CANTCREAT and a sentence on stderr, if no file can be made at that path. */
int cli_check_target(const char *path);

/* "1h02m", in a buffer of the caller's. */
const char *cli_duration(double seconds, char *text, size_t size);

/* ---- JSON (json.c) ----------------------------------------------------------------------------------------------- */

/* Writes one object or array on one line; names are NULL within arrays and for the outermost. */
struct cli_json {
    FILE *file;
    bool started;
};
void cli_json_open(struct cli_json *json, const char *name, char bracket);
void cli_json_close(struct cli_json *json, char bracket);
void cli_json_text(struct cli_json *json, const char *name, const char *text); /* NULL: null */
void cli_json_number(struct cli_json *json, const char *name, double value);   /* not finite: null */
void cli_json_integer(struct cli_json *json, const char *name, int64_t value);
void cli_json_bool(struct cli_json *json, const char *name, bool value);
void cli_json_null(struct cli_json *json, const char *name);
/* A value that is JSON already, on one line; NULL: null. */
void cli_json_raw(struct cli_json *json, const char *name, const char *value);
/* {"rho": ..., ...}; null if values is NULL. */
void cli_json_variables(struct cli_json *json, const char *name, int count, const char *const *names,
                        const double *values);

/* ---- reading JSON (json_read.c) ---------------------------------------------------------------------------------- */

/* Whether the text is one value; only then it may be given to the others, which return NULL for what is not there. */
bool cli_json_is_valid(const char *text);
const char *cli_json_member(const char *object, const char *name);
const char *cli_json_first(const char *array);
const char *cli_json_next(const char *value);
double cli_json_get_number(const char *value); /* NaN: it is none */
bool cli_json_get_text(const char *value, char *text, size_t size); /* cut at the size; false: it is none */

/* ---- progress (progress.c) --------------------------------------------------------------------------------------- */

/* Zeroed but for `quiet`, it begins with the first piece of a run. */
struct cli_progress {
    bool quiet, terminal;
    double begun, drawn, interval; /* seconds; the interval is between plain lines */
    double fraction;               /* that was done before */
};

double cli_seconds(void); /* of a clock that only goes forward */
/* ew_run_options.progress; the context is a struct cli_progress. */
void cli_show_progress(void *context, const ew_run *run);
/* Takes the line away, if there is one on the terminal. */
void cli_progress_clear(void);

#endif
