/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads what the queue needs to know of a case before it runs: its mesh and its priority. */
#include "cases.h"
#include "ewi_spool.h"

#include <libconfig.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void peek_mesh(const config_t *config, struct ewi_peek *peek)
{
    const char *mesh;
    if (!config_lookup_string(config, "mesh", &mesh))
        return;
    size_t length = strlen(mesh);
    if (length == 0 || length > EWI_LONGEST_NAME || mesh[0] == '.' || strchr(mesh, '/') || strchr(mesh, '\n'))
        return;
    /* Any other file in new/ may be somebody's, for example another case. */
    peek->no_mesh = length <= 4 || strcasecmp(mesh + length - 4, ".msh") != 0;
    if (!peek->no_mesh)
        memcpy(peek->mesh, mesh, length + 1);
}

static bool has_all_keys(const config_t *config)
{
    static const char *const keys[] = {"mesh", "order", "time", "initial"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (!config_lookup(config, keys[k]))
            return false;
    return true;
}

static void peek_text(const char *text, struct ewi_peek *peek)
{
    config_t config;
    /* libconfig takes minutes for a group of many keys */
    if (ew_case_check_text(&cli_host, text, NULL) != EW_OK)
        return;
    config_init(&config);
    int priority;
    if (config_read_string(&config, text)) {
        peek_mesh(&config, peek);
        peek->is_whole = has_all_keys(&config);
        peek->has_priority =
            config_lookup_int(&config, "spool.priority", &priority) && priority >= -99 && priority <= 99;
        peek->priority = peek->has_priority ? priority : 0;
    }
    config_destroy(&config);
}

void ewi_peek_case(int folder, const char *name, struct ewi_peek *peek)
{
    *peek = (struct ewi_peek){0};
    size_t length = 0;
    char *text = ewi_read_file(folder, name, EWI_LARGEST_PEEK, &length);
    /* libconfig would follow an include, wherever it leads. */
    if (text && strlen(text) == length && !strstr(text, "@include"))
        peek_text(strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text, peek);
    free(text);
}
