/* SPDX-License-Identifier: BSD-2-Clause */
/* edgewise help: shows a manual page with man(1) or, failing that, the output of --help. */
#include "cmd.h"
#include "ewi_file.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <unistd.h>

/* Pages that do not describe a command, and their names in "edgewise help NAME". */
static const struct {
    const char *word, *section;
} topics[] = {{"case", "5"}, {"spool", "7"}, {"cluster", "7"}, {"edgewise", "1"}, {"libedgewise", "3"}};

/* Other names of these pages. */
static const struct {
    const char *word, *page;
} others[] = {{"cases", "case"}, {"config", "case"}, {"keys", "case"}, {"formulas", "case"}, {"spools", "spool"},
              {"slurm", "cluster"}};

static const char *page_of(const char *word)
{
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(others[k].word, word) == 0)
            return others[k].page;
    return word;
}

/* The names of general pages contain "edgewise" already. */
static const char *prefix_of(const char *word)
{
    return strstr(word, "edgewise") ? "" : "edgewise-";
}

static const char *section_of(const char *word)
{
    for (size_t k = 0; k < sizeof topics / sizeof *topics; k++)
        if (strcmp(topics[k].word, word) == 0)
            return topics[k].section;
    return cmd_find(word) ? "1" : NULL;
}

/*
 * This program's own page, because man(1) might find that of another installation. The caller frees it; NULL: not
 * found.
 */
static char *find_page(const char *word, const char *section)
{
    char program[PATH_MAX], *found = NULL, *installed = cli_format(EWI_BIN_TO_MAN "/man%s/", section);
    const char *const folders[] = {installed, "../man/" /* a bundle or a build */, "../../man/", "man/"};
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    int here = (int)(ewi_file_name(program) - program);
    for (size_t k = 0; k < 2 * sizeof folders / sizeof *folders && length > 0 && !found; k++) {
        found = cli_format("%.*s%s%s%s.%s%s", here, program, folders[k / 2], prefix_of(word), word, section,
                           k % 2 ? ".gz" : "");
        if (access(found, R_OK) != 0) {
            free(found);
            found = NULL;
        }
    }
    free(installed);
    return found;
}

/* Returns only on failure. */
static void show_page(const char *word, const char *section)
{
    char *page = find_page(word, section);
    if (page)
        execlp("man", "man", page, (char *)NULL);
    free(page);
}

static int help(struct cli_arguments *arguments)
{
    static const char prefix[] = "edgewise-"; /* prefix of page names */
    const char *word = arguments->case_path;
    if (word && strncmp(word, prefix, sizeof prefix - 1) == 0)
        word += sizeof prefix - 1;
    word = word ? page_of(word) : NULL;
    const char *section = word ? section_of(word) : NULL;
    if (!word) {
        cmd_print_usage(stdout);
        return cli_finish_stdout(EX_OK);
    }
    if (!section)
        return cmd_unknown_word(word);
    show_page(word, section);
    if (!cmd_find(word))
        return cli_fail(EX_UNAVAILABLE, "%s%s(%s) cannot be shown: the page or man(1) is not installed",
                        prefix_of(word), word, section);
    cli_print_help(cmd_find(word));
    return cli_finish_stdout(EX_OK);
}

static const struct cli_option options[] = {CLI_HELP_AND_END};

const struct cli_command cmd_help = {
    .name = "help",
    .operand = "COMMAND|case|spool|cluster|libedgewise",
    .may_lack_operand = true,
    .summary = "Show the manual page of a command, of cases, of spools or of the library",
    .text = "Without man(1) or the page it lists the command's options; without a command it lists the commands.",
    .options = options,
    .size = sizeof(struct cli_arguments),
    .run = help,
};
