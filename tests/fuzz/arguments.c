/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Command lines: the first byte is the command's number, the words are lines. Of "watch", what is behind a byte 1 is
 * the spool's file of options. What is refused has its sentence on stderr.
 */
#include "target.h"
#include "cmd.h"
#include "watch.h"

#include <fcntl.h>
#include <stdio.h>
#include <sysexits.h>

enum { MOST_WORDS = 64, OPTIONS_FILE = 1, MOST_NUMBERS = 4 };

static const struct cli_command *const commands[] = {
    &cmd_run, &cmd_check, &cmd_compare, &cmd_bench, &cmd_study, &cmd_sweep, &cmd_mesh, &cmd_plot, &cmd_export,
    &cmd_watch, &cmd_submit, &cmd_status, &cmd_retry, &cmd_hold, &cmd_release, &cmd_cancel,
    &cmd_priority, &cmd_log, &cmd_clean, &cmd_info,
};
enum { COMMANDS = sizeof commands / sizeof *commands, WATCH = 9 };

const char *const fuzz_words[] = {
    "--", "-", "-h", "-o", "--help", "--quiet", "--json", "--set", "=", "\n", "--set\ntime.end=2", "--set==",
    "--order", "--order=3", "--end", "--steps", "--threads", "--threads=1025", "--output", "--restart", "--field",
    "--frame", "last", "all", "--range", "0,1", "1,nan", "--line", "0,0,1,1", "--width", "--format", "--jobs",
    "--timeout", "--max-size", "64M", "5m", "1e15", "1d", "-1", "0", "99999999999999999999", "case.cfg", "info",
    "refine", "a.msh", "--circle", "--spool", "--name", "--priority", "--every", "--ulp", "\1jobs = 4\n", "\1",
    "timeout = ", "#", "\xff", "\xc3\xa9", "--minus", "--film", "a.gif", "--columns=a,b", "--range=1%,99%", "a.csv",
    "--vectors=9", "--streamlines", NULL,
};

void fuzz_seeds(fuzz_add *add, void *context)
{
    static const struct {
        const char *command, *words;
    } seeds[] = {
        {"run", "--order=3\n--set\ntime.end=2\n--quiet\n--\ncase.cfg"},
        {"check", "case.cfg"},
        {"compare", "--json\ncase.cfg"},
        {"bench", "--json"},
        {"study", "case.cfg"},
        {"sweep", "case.cfg\n--jobs=2\n--columns=a,b\n--png\na.png"},
        {"mesh", "refine\na.msh\n-o\nb.msh\n--circle\nrim=0,0,1"},
        {"plot", "a.nc\n--field\nrho,p\n--range=0,1\n--minus\nb.nc\n--vectors=9"},
        {"plot", "a.csv\nb.csv\n--columns=c\n--over\nd\n--window=0,0,1,1"},
        {"export", "a.nc\n--format=vtu"},
        {"watch", "spool\n--jobs=2\n--timeout=5m\1jobs = 4 # a comment\nmax-size = 64M\nset = time.end=2\n"},
        {"submit", "case.cfg\n--priority=7"},
        {"status", "--json"},
        {"retry", "a"},
        {"hold", "a\nb"},
        {"release", "--all"},
        {"priority", "a\n-5"},
        {"clean", "spool\n--older=30d"},
        {"info", "--json"},
    };
    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++)
        for (int number = 0; number < COMMANDS; number++)
            if (strcmp(commands[number]->name, seeds[k].command) == 0)
                fuzz_add_text(add, context, number, seeds[k].words);
}

/* The command prints to stderr, which goes to a file while it does. */
static struct {
    FILE *file, *before;
    char text[4096];
} said;

#ifdef __GLIBC__
static void listen(void)
{
    memset(said.text, 0, sizeof said.text);
    said.before = stderr;
    said.file = fmemopen(said.text, sizeof said.text - 1, "w");
    if (said.file)
        stderr = said.file;
}

static bool has_spoken(void)
{
    if (!said.file)
        return true;
    fflush(said.file);
    stderr = said.before;
    fclose(said.file);
    return strncmp(said.text, "edgewise: ", 10) == 0 && strchr(said.text, '\n') && strlen(said.text) > 25;
}
#else
static void listen(void)
{
}

static bool has_spoken(void)
{
    return true;
}
#endif

/* What commands ask of an option's text later on. */
static void read_values(const struct cli_arguments *arguments)
{
    double number[MOST_NUMBERS];
    ew_error error = {0};
    for (const struct cli_option *option = arguments->command->options; option->name; option++) {
        const char *text = NULL;
        if (option->kind == CLI_TEXT)
            memcpy(&text, (const char *)arguments + option->member, sizeof text);
        MUST(!text || cli_read_numbers(text, 2, MOST_NUMBERS, number) <= MOST_NUMBERS);
    }
    for (size_t k = 0; k < arguments->settings; k++)
        MUST(strchr(arguments->setting[k], '='));
    for (size_t k = 0; k < arguments->operands; k++)
        MUST(arguments->operand[k][0] || arguments->help);
}

static bool reads_options_file(const struct cli_arguments *arguments, const char *text)
{
    const struct ewi_spool spool = {.path = (char[]){"spool"}, .root = fuzz_folder()};
    struct watch_options options;
    ew_error error = {0};
    fuzz_write(WATCH_OPTIONS_FILE, text, strlen(text));
    listen();
    int code = watch_read_options(&spool, (const struct watch_arguments *)arguments, &options);
    bool spoken = has_spoken();
    MUST(code == EX_OK || spoken);
    if (code != EX_OK)
        return false;
    MUST(options.settings.jobs >= 1 && options.settings.max_attempts >= 1 && options.settings.poll >= 0.1);
    watch_free_options(&options);
    return true;
}

static int split(char *text, char **word)
{
    int words = 0;
    while (text && words < MOST_WORDS) {
        char *end = strchr(text, '\n');
        if (end)
            *end = '\0';
        word[words++] = text;
        text = end ? end + 1 : NULL;
    }
    return words;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *word[MOST_WORDS + 1] = {"edgewise"};
    ew_error error = {0};
    if (size == 0)
        return 0;
    const struct cli_command *command = commands[data[0] % COMMANDS];
    char *text = fuzz_text(data + 1, size - 1), *file = strchr(text, OPTIONS_FILE);
    if (file)
        *file++ = '\0';
    int words = split(text, word + 1) + 1;
    listen();
    struct cli_arguments *arguments = cli_allocate(command->size);
    int code = cli_parse(command, words, word, arguments);
    bool spoken = has_spoken();
    MUST(code == EX_OK || (code == EX_USAGE && spoken));
    if (code == EX_OK)
        read_values(arguments);
    fuzz_accepted += code == EX_OK && (command != &cmd_watch || reads_options_file(arguments, file ? file : ""));
    cli_free_arguments(arguments);
    free(arguments);
    free(text);
    return 0;
}
