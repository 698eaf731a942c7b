/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line: tables of options, messages, exit codes, JSON, progress. */
#ifndef EDGEWISE_CLI_H
#define EDGEWISE_CLI_H

#include "edgewise-case.h"
#include "ewi_text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- options (options.c) ----------------------------------------------------------------------------------------- */

/* An option that may be repeated. */
struct cli_texts {
    size_t count;
    const char **text;
};

/* The options that several commands share. The struct of a command with more options starts with this one. */
struct cli_arguments {
    const struct cli_command *command;
    int words;
    char **word;           /* [words]: all that was given, from the command's name on */
    const char *case_path; /* the first operand */
    size_t operands;
    const char **operand;
    const char *output; /* folder of a run (NULL: the current one), or file of another command */
    bool json, quiet, overcommit, help;
    size_t settings;
    char **setting;      /* "path.to.key=value" */
    char **setting_name; /* as the user wrote it: "--order 9" */
};

enum cli_option_kind {
    CLI_FLAG,    /* sets the bool at `member` */
    CLI_TEXT,    /* sets the const char * at `member` */
    CLI_LIST,    /* adds to the struct cli_texts at `member` */
    CLI_SETTING, /* sets the case's `key` to the argument */
    CLI_SET      /* has an argument key=value */
};

/*
 * A command's options. Each command has one table. The parser and --help use it, and a check compares the manual page
 * with it.
 */
struct cli_option {
    const char *name;     /* without "--" */
    char letter;          /* "-o" for "--output"; 0: none */
    const char *argument; /* its name in --help; NULL: no argument */
    const char *text;
    enum cli_option_kind kind;
    size_t member;   /* offset in the command's struct of arguments */
    const char *key; /* key of the case */
    bool whole;      /* the argument is an integer, at least 0 ... */
    int64_t least, most; /* ... or from `least` to `most`; most = 0: no limit but 18 digits. For a case's key, the
                            range appears only in the message; the case reader checks it */
};

/* Rows of such a table. The file that uses them defines ARGUMENTS, the command's struct of arguments. */
#define CLI_ROW(name_, argument_, text_, ...) {.name = name_, .argument = argument_, .text = text_, __VA_ARGS__}
#define CLI_MEMBER(kind_, member_) .kind = kind_, .member = offsetof(ARGUMENTS, member_)
#define CLI_FLAG_OPTION(name_, member_, text_) CLI_ROW(name_, NULL, text_, CLI_MEMBER(CLI_FLAG, member_))
#define CLI_TEXT_OPTION(name_, argument_, member_, text_)                                                             \
    CLI_ROW(name_, argument_, text_, CLI_MEMBER(CLI_TEXT, member_))
#define CLI_LIST_OPTION(name_, argument_, member_, text_)                                                             \
    CLI_ROW(name_, argument_, text_, CLI_MEMBER(CLI_LIST, member_))
#define CLI_WHOLE_OPTION(name_, argument_, member_, least_, most_, text_)                                             \
    CLI_ROW(name_, argument_, text_, CLI_MEMBER(CLI_TEXT, member_), .whole = true, .least = least_, .most = most_)
#define CLI_KEY_OPTION(name_, argument_, key_, text_)                                                                 \
    CLI_ROW(name_, argument_, text_, .kind = CLI_SETTING, .key = key_)
#define CLI_WHOLE_KEY_OPTION(name_, argument_, key_, least_, most_, text_)                                            \
    CLI_ROW(name_, argument_, text_, .kind = CLI_SETTING, .key = key_, .whole = true, .least = least_, .most = most_)

/* Options that several commands have, some with the same description. */
#define CLI_COMMON(kind_, member_) .kind = kind_, .member = offsetof(struct cli_arguments, member_)
#define CLI_OUTPUT_OPTION(argument_, text_)                                                                           \
    CLI_ROW("output", argument_, text_, .letter = 'o', CLI_COMMON(CLI_TEXT, output))
#define CLI_COMMON_FLAG(name_, member_, text_) CLI_ROW(name_, NULL, text_, CLI_COMMON(CLI_FLAG, member_))
#define CLI_JSON_OPTION(text_) CLI_COMMON_FLAG("json", json, text_)
#define CLI_QUIET_OPTION(text_) CLI_COMMON_FLAG("quiet", quiet, text_)
#define CLI_OVERCOMMIT_OPTION                                                                                         \
    CLI_COMMON_FLAG("overcommit", overcommit, "accept a case that needs more memory than there is")
#define CLI_SET_OPTION(text_) CLI_ROW("set", "KEY=VALUE", text_, .kind = CLI_SET)
#define CLI_ANY_KEY "set any key of the case, for example time.cfl=0.3; may be repeated"
#define CLI_ORDER_OPTION                                                                                              \
    CLI_WHOLE_KEY_OPTION("order", "P", "order", 1, EW_MAX_ORDER, "polynomial degree, instead of the case's")
#define CLI_END_OPTION CLI_KEY_OPTION("end", "T", "time.end", "final time, instead of the case's")
#define CLI_STEPS_OPTION                                                                                              \
    CLI_WHOLE_KEY_OPTION("steps", "N", "time.steps", 0, 0, "stop after N steps, instead of the case's number")
#define CLI_BACKEND_OPTION                                                                                            \
    CLI_KEY_OPTION("backend", "auto|cuda|omp", "backend.name",                                                        \
                   "where to run; the default, auto, takes the best one")
#define CLI_DEVICE_OPTION CLI_WHOLE_KEY_OPTION("device", "N", "backend.device", 0, 0, "number of the GPU, from 0")
#define CLI_THREADS_OPTION(text_) CLI_WHOLE_KEY_OPTION("threads", "N", "backend.threads", 0, EW_MAX_THREADS, text_)
#define CLI_FRAME_OPTIONS(text_)                                                                                      \
    CLI_TEXT_OPTION("frame", "N|last|all", frame, text_),                                                             \
    CLI_TEXT_OPTION("time", "T", time, "the frame nearest to this time")
/* The last two rows of a table. */
#define CLI_HELP_AND_END CLI_COMMON_FLAG("help", help, "print this help"), {.name = NULL}

struct cli_command {
    const char *name, *operand; /* operand: NULL: none; ending in "...": may be repeated */
    bool may_lack_operand;
    const char *summary;        /* one line */
    const char *text;           /* a few more lines for --help, or NULL */
    const struct cli_option *options; /* ends with a NULL name */
    size_t size; /* of the command's struct of arguments */
    int (*run)(struct cli_arguments *arguments);
};

/*
 * Fills the command's zeroed struct of arguments. Returns 0, or the exit code of a usage error with a sentence on
 * stderr.
 */
int cli_parse(const struct cli_command *command, int argc, char **argv, struct cli_arguments *arguments);
/* Frees the members of the struct. */
void cli_free_arguments(struct cli_arguments *arguments);
/* The command line as given, quoted for a shell, with the flag `more` and without `less`; the caller frees it. */
char *cli_command_line(const struct cli_arguments *arguments, const char *more, const char *less);
/* `name`: the option as the user wrote it, or a substitute for messages. */
void cli_add_setting(struct cli_arguments *arguments, const char *name, const char *setting);
/* True if the text is an integer from `least` to `most`, as options accept it. */
bool cli_is_whole_number(const char *text, int64_t least, int64_t most);
void cli_print_help(const struct cli_command *command);
/* Prints the sentence and where to find help on stderr; returns EX_USAGE. */
int cli_misuse(const struct cli_command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Reads numbers separated by commas; -1 unless there are `least` to `most` of them and nothing else. */
int cli_read_numbers(const char *text, int least, int most, double *number);

/* ---- messages and exit codes (messages.c) ------------------------------------------------------------------------ */

/*
 * Messages contain names from meshes, cases and results, and a terminal obeys control characters in them. Each function
 * here, and every printf of the command, escapes as \xHH or \uHHHH all control characters except line breaks and tabs,
 * and all other characters that ewi_show_character escapes.
 */
int cli_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
#undef printf
#define printf(...) cli_print(__VA_ARGS__)

/* A text with these escapes; the caller frees it. */
char *cli_visible(const char *text);
/* From now on messages omit this folder ("a/b/"). The pointer must stay valid. NULL: omit nothing. */
void cli_hide_folder(const char *folder);
/* Prints "edgewise: sentence" on stderr, after removing a progress line. */
#define cli_error(...) ((void)cli_fail(0, __VA_ARGS__))
void cli_error_list(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));
/* Does the same and returns the exit code. */
int cli_fail(int exit_code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Redirects this thread's sentences, and the library's warnings in it, from stderr to `hear`; NULL: back to stderr. */
void cli_hear(void (*hear)(void *context, const char *sentence), void *context);

/* The library's host: prints its warnings on stderr. */
extern const ew_host cli_host;

/* The sentences that the library reports one by one; each is printed on stderr at once. */
struct cli_report {
    size_t count;
    char **sentence;
};
void cli_report(void *report, const char *sentence);
void cli_free_report(struct cli_report *report);
/* Adds a sentence unless it is known; returns true if it was new. */
bool cli_is_new(struct cli_report *report, const char *sentence);

/* The sysexits(3) code for a failure; `io` is the code for EW_EIO, which depends on the operation. */
int cli_exit_code(int error, int io);

/*
 * Call before renaming a file to `path`: EX_OK, or EX_CANTCREAT and a sentence if that would replace a device or link.
 */
int cli_check_replaced(const char *path);

/* Flushes stdout. If that fails, prints a sentence and returns EX_IOERR instead of an exit code of 0. */
int cli_finish_stdout(int exit_code);

/*
 * Zeroed memory, and versions of realloc, strdup and asprintf; if memory is short, they end the command with a
 * sentence.
 */
void *cli_allocate(size_t bytes);
void *cli_reallocate(void *pointer, size_t bytes);
char *cli_copy(const char *text);
char *cli_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* EX_OK, or EX_CANTCREAT and a sentence on stderr if no file can be created at the path. */
int cli_check_target(const char *path);

/* ---- JSON (json.c) ----------------------------------------------------------------------------------------------- */

/* Writes one object or array on one line. Names are NULL in arrays and for the outermost object. */
struct cli_json {
    FILE *file;
    bool started;
};
struct cli_json cli_json_begin(FILE *file); /* writes the outermost object's bracket */
void cli_json_end(struct cli_json *json);   /* ends the line, too */
void cli_json_open(struct cli_json *json, const char *name, char bracket);
void cli_json_close(struct cli_json *json, char bracket);
void cli_json_text(struct cli_json *json, const char *name, const char *text); /* NULL: null */
void cli_json_number(struct cli_json *json, const char *name, double value);   /* not finite: null */
void cli_json_integer(struct cli_json *json, const char *name, int64_t value);
void cli_json_texts(struct cli_json *json, const char *name, size_t count, const char *const *text); /* an array */
void cli_json_bool(struct cli_json *json, const char *name, bool value);
void cli_json_null(struct cli_json *json, const char *name);
/* Writes a value that is JSON already, on one line; NULL: null. */
void cli_json_raw(struct cli_json *json, const char *name, const char *value);
/* Writes {"rho": ..., ...}; null if values is NULL. */
void cli_json_variables(struct cli_json *json, const char *name, int count, const char *const *names,
                        const double *values);

/* ---- reading JSON (json_read.c) ---------------------------------------------------------------------------------- */

/* True if the text is one value. The other functions require that; they return NULL if a value is missing. */
bool cli_json_is_valid(const char *text);
const char *cli_json_member(const char *object, const char *name);
const char *cli_json_first(const char *array);
const char *cli_json_next(const char *value);
/* The member of an object after `value`, or the first one if that is NULL, and its name, truncated to the size. */
const char *cli_json_each(const char *object, const char *value, char *name, size_t size);
double cli_json_get_number(const char *value); /* NaN: not a number */
/* A number of an object, both of which may be missing. */
double cli_json_number_of(const char *object, const char *name);
bool cli_json_get_text(const char *value, char *text, size_t size); /* truncated to the size; false: not a text */

/* ---- comma-separated values (csv.c) ------------------------------------------------------------------------------ */

/* Writes a comma and a number, or no number if it is not finite. */
void cli_csv_number(FILE *file, double value);

enum { CLI_MOST_COLUMNS = 4096 };
struct cli_table {
    const char *path;
    int columns;
    char *name[CLI_MOST_COLUMNS];
    int64_t rows;
    double *value; /* [rows][columns]: NaN if not a number */
};
/* Reads a file into a zeroed table. EX_OK, or the exit code and a sentence on stderr. Free the table in either case. */
int cli_table_read(struct cli_table *table, const char *path);
void cli_table_free(struct cli_table *table);
/* The last column of this name, or -1. */
int cli_table_column(const struct cli_table *table, const char *name);
/* The only column of numbers whose name ends in "_" and the word, or NULL: "foil_lift" for "lift". */
const char *cli_table_guess(const struct cli_table *table, const char *word);
/* Reports that the option's column has no numbers, with the nearest name or a list of those that have; EX_USAGE. */
int cli_table_refuse(const struct cli_table *table, const char *option, const char *name);
bool cli_table_has_numbers(const struct cli_table *table, int column);
static inline double cli_table_at(const struct cli_table *table, int64_t row, int column)
{
    return table->value[row * table->columns + column];
}

/* ---- progress (progress.c) --------------------------------------------------------------------------------------- */

/* Set `quiet` and zero the rest; the first run initialises it. */
struct cli_progress {
    bool quiet, terminal;
    double begun, drawn, interval; /* seconds; interval: between plain lines */
    double fraction;               /* done before this command */
};

/* ew_run_options.progress; the context is a struct cli_progress. */
void cli_show_progress(void *context, ew_run *run);
/* The progress of a run as in a plain line: "time=... step=...". left: seconds, or NaN. */
void cli_progress_words(ew_run *run, double left, char *text, size_t size);
/*
 * Paces the progress lines of a log: one for each tenth of the run, if it has an end, and after each minute. Zero it
 * first; now: ewi_seconds.
 */
struct cli_log_pace {
    double logged;
    int tenth;
};
bool cli_log_is_due(struct cli_log_pace *pace, double fraction, double now);
/* Removes the progress line from the terminal, if there is one. Any thread may call it. */
void cli_progress_clear(void);
/* "1h02m", in the caller's buffer. */
const char *cli_duration(double seconds, char *text, size_t size);
/* True if another line is due; never in the first moments of a command. */
bool cli_progress_is_due(struct cli_progress *progress);
/* Seconds left at the current speed; NaN: unknown. */
double cli_progress_left(struct cli_progress *progress, double fraction);
/* Shows a line: `text` with a bar on a terminal, `plain` elsewhere. */
void cli_progress_show(struct cli_progress *progress, double fraction, const char *text, const char *plain);

#endif
