/* What the queue must know of a case before anybody runs it: its mesh and its priority. */
#include "ewi_spool.h"

#include <errno.h>
#include <libconfig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void peek_mesh(const config_t *config, struct ewi_peek *peek)
{
    const char *mesh;
    if (!config_lookup_string(config, "mesh", &mesh))
        return;
    size_t length = strlen(mesh);
    peek->bad_mesh = length == 0 || length > EWI_LONGEST_NAME || mesh[0] == '.' || strchr(mesh, '/') || strchr(mesh, '\n');
    if (!peek->bad_mesh)
        memcpy(peek->mesh, mesh, length + 1);
}

static void peek_text(const char *text, struct ewi_peek *peek)
{
    config_t config;
    config_init(&config);
    int priority;
    if (config_read_string(&config, text)) {
        peek_mesh(&config, peek);
        if (config_lookup_int(&config, "spool.priority", &priority) && priority >= -99 && priority <= 99) {
            peek->has_priority = true;
            peek->priority = priority;
        }
    } else {
        peek->unreadable = true;
    }
    config_destroy(&config);
}

void ewi_peek_case(int folder, const char *name, struct ewi_peek *peek)
{
    *peek = (struct ewi_peek){0};
    size_t length = 0;
    char *text = ewi_read_file(folder, name, EWI_LARGEST_PEEK, &length);
    /* libconfig would follow an include, wherever it leads. */
    if (!text || strlen(text) < length || strstr(text, "@include"))
        peek->unreadable = true;
    else
        peek_text(strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text, peek);
    free(text);
}
