/* SPDX-License-Identifier: BSD-2-Clause */
/* Parses command lines by tables of options, and prints --help from them. */
#include "cli.h"
#include "ewi_hints.h"
#include "ewi_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

enum { MOST_DIGITS = 18 }; /* most digits of an integer that fits 64 bits */

static size_t count_options(const struct cli_option *options)
{
    size_t count = 0;
    while (options[count].name)
        count++;
    return count;
}

/* `given` is the word with its dashes, up to a "=". */
static int unknown_option(const struct cli_command *command, const char *given, size_t length)
{
    size_t count = count_options(command->options);
    const char **names = cli_allocate((count + 1) * sizeof *names);
    for (size_t k = 0; k < count; k++)
        names[k] = command->options[k].name;
    char *word = cli_format("%.*s", (int)length, given), *place = cli_format("--%s", command->name), text[256];
    const char *bare = word + strspn(word, "-"), *nearest = ewi_nearest(bare, names, count);
    const struct ewi_hint *hint = ewi_hint_find(place, NULL, bare);
    int code = hint      ? cli_misuse(command, "\"%s\" has no option %s%s%s", command->name, word,
                                      ewi_hint_text(hint, text, sizeof text), hint->instead ? "" : ".")
               : nearest ? cli_misuse(command, "\"%s\" has no option %s; did you mean --%s?", command->name, word,
                                      nearest)
                         : cli_misuse(command, "\"%s\" has no option %s.", command->name, word);
    free(place);
    free(word);
    free(names);
    return code;
}

bool cli_is_whole_number(const char *text, int64_t least, int64_t most)
{
    size_t length = strlen(text), zeros = strspn(text, "0");
    if (length == 0 || strspn(text, "0123456789") != length || length - zeros > MOST_DIGITS)
        return false;
    long long number = strtoll(text, NULL, 10);
    return number >= least && (most == 0 || number <= most);
}

/* The case reader checks the ranges of keys, and reports them with the other errors of the case. */
static bool is_admitted(const struct cli_option *option, const char *text)
{
    bool setting = option->kind == CLI_SETTING;
    return cli_is_whole_number(text, setting ? 0 : option->least, setting ? 0 : option->most);
}

/* The option's range in words. The limit of digits is mentioned only if it is exceeded. */
static const char *range_of(const struct cli_option *option, const char *given, char *text, size_t size)
{
    if (option->most > 0)
        snprintf(text, size, " from %lld to %lld", (long long)option->least, (long long)option->most);
    else if (strspn(given, "0123456789") > MOST_DIGITS)
        snprintf(text, size, " of at most %d digits", MOST_DIGITS);
    else
        snprintf(text, size, " of at least %lld", (long long)option->least);
    return text;
}

void cli_add_setting(struct cli_arguments *arguments, const char *name, const char *setting)
{
    size_t k = arguments->settings++, size = arguments->settings * sizeof *arguments->setting;
    arguments->setting = cli_reallocate(arguments->setting, size);
    arguments->setting_name = cli_reallocate(arguments->setting_name, size);
    arguments->setting[k] = cli_copy(setting);
    arguments->setting_name[k] = cli_copy(name);
}

static void set_key(struct cli_arguments *arguments, const struct cli_option *option, const char *value)
{
    char *name = cli_format("--%s %s", option->name, value), *setting = cli_format("%s=%s", option->key, value);
    cli_add_setting(arguments, name, option->key ? setting : value);
    free(name);
    free(setting);
}

static void add_text(struct cli_texts *texts, const char *value)
{
    texts->text = cli_reallocate(texts->text, (texts->count + 1) * sizeof *texts->text);
    texts->text[texts->count++] = value;
}

static int apply(const struct cli_command *command, const struct cli_option *option, const char *value,
                 struct cli_arguments *arguments)
{
    char range[80], *member = (char *)arguments + option->member;
    if (option->whole && !is_admitted(option, value))
        return cli_misuse(command, "--%s needs a whole number%s, not \"%s\".", option->name,
                          range_of(option, value, range, sizeof range), value);
    if (option->kind == CLI_SET && (!strchr(value, '=') || value[0] == '='))
        return cli_misuse(command, "--%s needs path.to.key=value, for example time.end=2, not \"%s\".", option->name,
                          value);
    switch (option->kind) {
    case CLI_FLAG:
        *(bool *)member = true;
        break;
    case CLI_TEXT:
        *(const char **)(void *)member = value;
        break;
    case CLI_LIST:
        add_text((struct cli_texts *)(void *)member, value);
        break;
    case CLI_SETTING:
    case CLI_SET:
        set_key(arguments, option, value);
        break;
    }
    return 0;
}

/* The option whose name, of this length, is given; NULL: none. */
static const struct cli_option *find_option(const struct cli_command *command, const char *name, size_t length)
{
    for (const struct cli_option *option = command->options; option->name; option++)
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0)
            return option;
    return NULL;
}

/* Takes the next word as the option's value, unless it is an option itself. */
static int next_value(const struct cli_command *command, const struct cli_option *option, int argc, char **argv, int *k,
                      const char **value)
{
    if (*k + 1 >= argc)
        return cli_misuse(command, "--%s needs a value: --%s %s.", option->name, option->name, option->argument);
    const char *next = argv[++*k];
    if (strncmp(next, "--", 2) == 0 && find_option(command, next + 2, strcspn(next + 2, "=")))
        return cli_misuse(command, "--%s needs a value, and %s is an option: --%s %s.", option->name, next,
                          option->name, option->argument);
    *value = next;
    return 0;
}

/* argv[*k] is "--name", "--name=value" or "-h"; a value may be the next word. */
static int parse_option(const struct cli_command *command, int argc, char **argv, int *k,
                        struct cli_arguments *arguments)
{
    const char *given = argv[*k], *name = given + 2;
    const struct cli_option *option = command->options;
    if (strcmp(given, "-h") == 0) {
        name = "help";
    } else if (given[1] != '-') {
        while (option->name && (option->letter != given[1] || given[2]))
            option++;
        if (!option->name)
            return unknown_option(command, given, strcspn(given, "="));
        name = option->name;
    }
    size_t length = strcspn(name, "=");
    option = find_option(command, name, length);
    if (!option)
        return unknown_option(command, given, strcspn(given, "="));

    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    if (!option->argument && value)
        return cli_misuse(command, "--%s takes no value.", option->name);
    int status = option->argument && !value ? next_value(command, option, argc, argv, k, &value) : 0;
    return status ? status : apply(command, option, value, arguments);
}

static void add_operand(struct cli_arguments *arguments, const char *operand)
{
    size_t size = (arguments->operands + 1) * sizeof *arguments->operand;
    arguments->operand = cli_reallocate(arguments->operand, size);
    arguments->operand[arguments->operands++] = operand;
    arguments->case_path = arguments->operand[0];
}

static const char *kind_of_operand(const struct cli_command *command)
{
    const char *operand = command->operand;
    return strncmp(operand, "info|", 5) == 0 ? "an action and a mesh"
           : strstr(operand, ".cfg")         ? "a case"
           : strcmp(operand, "SPOOL") == 0   ? "a spool"
           : strncmp(operand, "JOB", 3) == 0 ? "a job"
           : strncmp(operand, "COMMAND", 7) == 0 ? "a command"
                                             : "a file";
}

/* Returns 0 or a usage error. */
static int check_operands(const struct cli_command *command, const struct cli_arguments *arguments)
{
    bool empty = false;
    for (size_t k = 0; k < arguments->operands; k++)
        empty = empty || !arguments->operand[k][0];
    bool lacks = command->operand && arguments->operands == 0 && !command->may_lack_operand;
    if (arguments->help || (!empty && !lacks))
        return 0;
    size_t length = strlen(command->operand);
    bool has_dots = length > 3 && strcmp(command->operand + length - 3, "...") == 0;
    return cli_misuse(command, "\"%s\" needs %s%s: edgewise %s %s%s", command->name, kind_of_operand(command),
                      empty ? ", but an empty name was given" : "", command->name, command->operand,
                      has_dots ? "" : ".");
}

/* True if a --set sets the option's key or a group that contains it. Blanks around the key are ignored. */
static bool sets_key_of(const char *set, const char *option)
{
    set += strspn(set, " \t\n");
    size_t length = strcspn(set, "= \t\n");
    return strncmp(set, option, length) == 0 && strchr("=.", option[length]);
}

/* Refuses "--order 1 --set order=3": one of the two would have no effect. */
static int check_settings(const struct cli_command *command, const struct cli_arguments *arguments)
{
    for (size_t k = 0; k < arguments->settings; k++)
        for (size_t other = 0; other < arguments->settings; other++) {
            bool is_set = strncmp(arguments->setting_name[k], "--set ", 6) == 0;
            bool is_option = strncmp(arguments->setting_name[other], "--set ", 6) != 0;
            if (is_set && is_option && sets_key_of(arguments->setting[k], arguments->setting[other]))
                return cli_misuse(command, "%s and %s set the same key; give one of them.",
                                  arguments->setting_name[k < other ? k : other],
                                  arguments->setting_name[k < other ? other : k]);
        }
    return 0;
}

/* True for "-5" if the command's last operand is a number. */
static bool is_number(const struct cli_command *command, const char *word)
{
    return command->operand && strstr(command->operand, " N") && word[1] >= '0' && word[1] <= '9';
}

int cli_parse(const struct cli_command *command, int argc, char **argv, struct cli_arguments *arguments)
{
    bool only_operands = false;
    arguments->command = command;
    arguments->words = argc;
    arguments->word = argv;
    for (int k = 1; k < argc; k++) {
        if (!only_operands && strcmp(argv[k], "--") == 0) {
            only_operands = true;
        } else if (!only_operands && argv[k][0] == '-' && argv[k][1] && !is_number(command, argv[k])) {
            int status = parse_option(command, argc, argv, &k, arguments);
            if (status)
                return status;
        } else if (!command->operand) {
            return cli_misuse(command, "\"%s\" takes no operand, but \"%s\" was given.", command->name, argv[k]);
        } else if (arguments->case_path && !(command->operand && strstr(command->operand, "..."))) {
            return cli_misuse(command, "\"%s\" takes one %s, but \"%s\" and \"%s\" were given.", command->name,
                              command->operand, arguments->case_path, argv[k]);
        } else {
            add_operand(arguments, argv[k]);
        }
    }
    int status = check_settings(command, arguments);
    return status ? status : check_operands(command, arguments);
}

void cli_free_arguments(struct cli_arguments *arguments)
{
    for (size_t k = 0; k < arguments->settings; k++) {
        free(arguments->setting[k]);
        free(arguments->setting_name[k]);
    }
    free(arguments->setting);
    free(arguments->setting_name);
    free(arguments->operand);
    const struct cli_option *option = arguments->command ? arguments->command->options : NULL;
    for (; option && option->name; option++)
        if (option->kind == CLI_LIST)
            free(((struct cli_texts *)(void *)((char *)arguments + option->member))->text);
}

static void put_word(FILE *file, const char *word)
{
    static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=.,:/@%";
    if (word[0] && strspn(word, safe) == strlen(word)) {
        fputs(word, file);
        return;
    }
    putc('\'', file);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, file);
    putc('\'', file);
}

char *cli_command_line(const struct cli_arguments *arguments, const char *more, const char *less)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return cli_format("edgewise %s %s", arguments->command->name, more);
    fprintf(file, "edgewise %s %s", arguments->command->name, more);
    for (int k = 1; k < arguments->words; k++) {
        if (strcmp(arguments->word[k], more) == 0 || strcmp(arguments->word[k], less) == 0)
            continue;
        putc(' ', file);
        put_word(file, arguments->word[k]);
    }
    fclose(file);
    return text;
}

void cli_print_help(const struct cli_command *command)
{
    printf("usage: edgewise %s [options]%s%s\n\n%s.\n", command->name, command->operand ? " " : "",
           command->operand ? command->operand : "", command->summary);
    if (command->text)
        printf("%s\n", command->text);
    printf("\noptions:\n");
    for (const struct cli_option *option = command->options; option->name; option++) {
        char left[64];
        snprintf(left, sizeof left, "--%s%s%s%s%s", option->name, option->letter ? ", -" : "",
                 option->letter ? (char[]){option->letter, '\0'} : "", option->argument ? " " : "",
                 option->argument ? option->argument : "");
        printf("  %-28s %s\n", left, option->text);
    }
    printf("\nThe manual page edgewise-%s(1) has more.\n", command->name);
}

int cli_misuse(const struct cli_command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cli_error_list(format, arguments);
    va_end(arguments);
    fprintf(stderr, "Try \"edgewise %s --help\".\n", command->name);
    return EX_USAGE;
}

int cli_read_numbers(const char *text, int least, int most, double *number)
{
    for (int count = 0; count < most;) {
        char *end;
        number[count] = strtod(text, &end);
        if (end == text || !isfinite(number[count]))
            return -1;
        count++;
        if (*end == '\0')
            return count >= least ? count : -1;
        if (*end != ',')
            return -1;
        text = end + 1;
    }
    return -1;
}
