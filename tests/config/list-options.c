/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Helper of man-case.sh. Prints the option table, one key a line, path|type|default|range; with "laws", the laws; with
 * "read" and a case, its errors.
 */
#include "ewi_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* name|primitive variables|parameters|fluxes */
static void list_laws(void)
{
    for (int k = 0; ew_list_name(EW_LAWS, k); k++) {
        const ew_law *law = ew_law_find(ew_list_name(EW_LAWS, k));
        printf("%s|", law->name);
        for (int m = 0; m < law->variables; m++)
            printf("%s%s", m > 0 ? " " : "", law->primitive[m]);
        printf("|");
        for (int m = 0; m < law->parameters; m++)
            printf(isnan(law->parameter[m].value) ? "%s%s" : "%s%s = %g", m > 0 ? " " : "", law->parameter[m].name,
                   law->parameter[m].value);
        printf("|");
        for (int m = 0; law->fluxes[m]; m++)
            printf("%s%s", m > 0 ? " " : "", law->fluxes[m]);
        printf("\n");
    }
}

/* The types' names in the manual page. */
static const char *name_of_type(enum ewi_type type)
{
    static const char *const names[EWI_TYPES] = {
        [EWI_GROUP] = "group",
        [EWI_TEXT] = "string",
        [EWI_WORD] = "name",
        [EWI_FLAG] = "true or false",
        [EWI_NUMBER] = "number",
        [EWI_INTEGER] = "integer",
        [EWI_FORMULA] = "formula",
        [EWI_NUMBERS] = "list of numbers",
        [EWI_INTEGERS] = "list of integers",
        [EWI_FORMULAS] = "list of formulas",
        [EWI_NAMES] = "list of names",
        [EWI_VALUES] = "list of values",
        [EWI_TEXT_OR_GROUP] = "string or group",
        [EWI_WORD_OR_GROUP] = "name or group",
        [EWI_TEXT_OR_PARTS] = "string or list of groups",
        [EWI_PARTS] = "list of groups",
        [EWI_CURVE] = "name, formula or list of formulas",
    };
    return names[type];
}

/* Prints "list of 2 formulas" if the table gives a number. */
static void print_type(const struct ewi_option *option)
{
    static const char list[] = "list of ";
    const char *name = name_of_type(option->type), *at = strstr(name, list);
    if (option->count > 0)
        printf("%.*s%d %s", (int)(at + strlen(list) - name), name, option->count, at + strlen(list));
    else
        printf("%s", name);
}

static void list_options(void)
{
    size_t count;
    const struct ewi_option *option = ewi_options(&count);
    for (size_t k = 0; k < count; k++) {
        char range[256];
        ewi_option_range(&option[k], range, sizeof range);
        printf("%s|", option[k].path);
        print_type(&option[k]);
        printf("|%s|%s\n", option[k].value ? option[k].value : "required", range);
    }
}

static void print_sentence(void *context, const char *sentence)
{
    fprintf(context, "%s\n", sentence);
}

static int read_case(const char *path)
{
    ew_case_options options = {.report = print_sentence, .report_context = stdout};
    ew_case *that = NULL;
    int status = ew_case_read(NULL, path, &options, &that, NULL);
    ew_case_destroy(that);
    return status == EW_OK ? 0 : 1;
}

int main(int count, char **arguments)
{
    if (count > 2 && strcmp(arguments[1], "read") == 0)
        return read_case(arguments[2]);
    if (count > 1 && strcmp(arguments[1], "laws") == 0)
        list_laws();
    else
        list_options();
    return 0;
}
