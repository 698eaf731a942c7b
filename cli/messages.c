/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages for users: escapes, the log, exit codes, sizes and times in words. */
#include "cli.h"
#include "ewi_text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sysexits.h>
#include <unistd.h>

static _Thread_local const char *hidden; /* ends with a slash; or NULL */

void cli_hide_folder(const char *folder)
{
    hidden = folder;
}

/* Shows the first character of a text that is not empty; returns its length in bytes. `lines`: allows line breaks. */
static size_t show_some(const unsigned char *text, bool lines, char shown[EWI_SHOWN])
{
    shown[0] = '\0';
    if (hidden && strncmp((const char *)text, hidden, strlen(hidden)) == 0)
        return strlen(hidden);
    if (*text != '\n' && *text != '\t')
        return ewi_show_character(text, shown);
    snprintf(shown, EWI_SHOWN, "%s", lines ? (char[]){(char)*text, '\0'} : *text == '\n' ? "\\n" : "\\t");
    return 1;
}

char *cli_visible(const char *string)
{
    char *visible = cli_allocate(4 * strlen(string) + 1), *end = visible, shown[EWI_SHOWN];
    *end = '\0';
    for (const unsigned char *text = (const unsigned char *)string; *text; end += strlen(shown)) {
        text += show_some(text, false, shown);
        memcpy(end, shown, strlen(shown) + 1);
    }
    return visible;
}

/* Writes in few calls, because stderr has no buffer, and other processes may write to it. */
static int put_visibly(FILE *file, const char *before, const char *string, bool lines, const char *after)
{
    char part[4096];
    size_t length = (size_t)snprintf(part, sizeof part, "%s", before);
    for (const unsigned char *text = (const unsigned char *)string; *text;) {
        char shown[EWI_SHOWN];
        text += show_some(text, lines, shown);
        length += (size_t)snprintf(part + length, sizeof part - length, "%s", shown);
        if (length < sizeof part - sizeof shown)
            continue;
        if (fputs(part, file) < 0)
            return EOF;
        length = 0;
        part[0] = '\0';
    }
    if (length + strlen(after) < sizeof part)
        memcpy(part + length, after, strlen(after) + 1);
    return fputs(part, file);
}

/* The receiver of this thread's sentences. */
static _Thread_local struct {
    void (*hear)(void *context, const char *sentence);
    void *context;
} hearer;

void cli_hear(void (*hear)(void *context, const char *sentence), void *context)
{
    hearer.hear = hear;
    hearer.context = context;
}

/* `name`: precedes the sentence on stderr. */
static int say(const char *name, const char *sentence)
{
    if (hearer.hear) {
        hearer.hear(hearer.context, sentence);
        return 0;
    }
    cli_progress_clear();
    return put_visibly(stderr, name, sentence, false, "\n");
}

static int print_out(const char *before, const char *text)
{
    return put_visibly(stdout, before, text, true, "");
}

/* If memory is short, a very long message is cut: a message must not stop the work that it reports. */
__attribute__((format(printf, 3, 0))) static int with_text(int (*use)(const char *before, const char *text),
                                                           const char *before, const char *format, va_list arguments)
{
    char usual[4096];
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(usual, sizeof usual, format, again);
    va_end(again);
    char *whole = length < (int)sizeof usual ? NULL : malloc((size_t)length + 1);
    if (whole)
        vsnprintf(whole, (size_t)length + 1, format, arguments);
    int result = use(before, whole ? whole : usual);
    free(whole);
    return result;
}

int cli_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int result = with_text(print_out, "", format, arguments);
    va_end(arguments);
    return result;
}

void cli_error_list(const char *format, va_list arguments)
{
    with_text(say, "edgewise: ", format, arguments);
}

int cli_fail(int exit_code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cli_error_list(format, arguments);
    va_end(arguments);
    return exit_code;
}

int cli_check_replaced(const char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0 || S_ISREG(info.st_mode))
        return EX_OK;
    return cli_fail(EX_CANTCREAT, "%s is %s, not a file: it is left as it is, and nothing is written", path,
                    S_ISDIR(info.st_mode) ? "a folder" : S_ISLNK(info.st_mode) ? "a link" : "a device or a pipe");
}

static void warn(void *context, int level, const char *sentence)
{
    (void)context;
    if (level >= EW_LOG_WARNING)
        cli_error("warning: %s", sentence);
}

const ew_host cli_host = {.log = warn};

static void add_sentence(struct cli_report *report, const char *sentence)
{
    report->sentence = cli_reallocate(report->sentence, (report->count + 1) * sizeof *report->sentence);
    report->sentence[report->count++] = cli_copy(sentence);
}

/* Prints no name first, so that editors find "case.cfg:14:". */
void cli_report(void *context, const char *sentence)
{
    say("", sentence);
    add_sentence(context, sentence);
}

bool cli_is_new(struct cli_report *report, const char *sentence)
{
    for (size_t k = 0; k < report->count; k++)
        if (strcmp(report->sentence[k], sentence) == 0)
            return false;
    add_sentence(report, sentence);
    return true;
}

void cli_free_report(struct cli_report *report)
{
    for (size_t k = 0; k < report->count; k++)
        free(report->sentence[k]);
    free(report->sentence);
}

int cli_exit_code(int error, int io)
{
    switch (error) {
    case EW_OK:
        return EX_OK;
    case EW_ENOMEM:
    case EW_EDEVICE:
        return EX_OSERR;
    case EW_EMESH:
        return EX_DATAERR;
    case EW_EUNAVAILABLE:
        return EX_UNAVAILABLE;
    case EW_EIO:
    case EW_EFULL:
        return io;
    case EW_ECREATE:
        return EX_CANTCREAT;
    case EW_EINVAL: /* the library refused a setting of the case or of an option */
    case EW_EFORMULA:
    case EW_ECONFIG:
        return EX_CONFIG;
    default: /* EW_ESTATE, EW_EINTERNAL */
        return EX_SOFTWARE;
    }
}

int cli_finish_stdout(int exit_code)
{
    errno = 0;
    bool failed = fflush(stdout) != 0;
    int reason = errno;
    if (!failed && !ferror(stdout))
        return exit_code;
    cli_error("cannot write to standard output: %s", reason ? strerror(reason) : "an earlier write failed");
    return exit_code == EX_OK ? EX_IOERR : exit_code;
}

static void *or_end(void *pointer)
{
    if (pointer)
        return pointer;
    fputs("edgewise: not enough memory\n", stderr);
    exit(EX_OSERR);
}

void *cli_allocate(size_t bytes)
{
    return or_end(calloc(1, bytes > 0 ? bytes : 1));
}

void *cli_reallocate(void *pointer, size_t bytes)
{
    return or_end(realloc(pointer, bytes));
}

char *cli_copy(const char *text)
{
    return or_end(strdup(text));
}

char *cli_format(const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t size = (size_t)vsnprintf(NULL, 0, format, again) + 1;
    va_end(again);
    char *text = cli_allocate(size);
    vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return text;
}

int cli_check_target(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = cli_format("%.*s", slash > path ? (int)(slash - path) : 1, slash ? path : ".");
    struct stat info;
    bool exists = stat(path, &info) == 0, is_folder = exists && S_ISDIR(info.st_mode);
    bool as_it_is = strncmp(path, "/dev/", 5) == 0 || (exists && !S_ISREG(info.st_mode));
    int code = EX_CANTCREAT;
    if (is_folder)
        cli_error("cannot write %s: it is a folder", path);
    else if (!as_it_is && stat(folder, &info) == 0 && !S_ISDIR(info.st_mode))
        cli_error("cannot write %s: %s is not a folder; choose another name", path, folder);
    else if (!as_it_is && access(folder, W_OK | X_OK) != 0)
        cli_error("cannot write %s: %s: %s", path, folder, strerror(errno));
    else
        code = EX_OK;
    free(folder);
    return code;
}
