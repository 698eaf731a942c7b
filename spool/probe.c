/* SPDX-License-Identifier: BSD-2-Clause */
/* Probes a case for the queue: reads its mesh and priority before it runs. */
#include "cases.h"
#include "ewi_spool.h"

#include <libconfig.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void probe_mesh(const config_t *config, struct ewi_probe *probe)
{
    const char *mesh;
    if (!config_lookup_string(config, "mesh", &mesh))
        return;
    size_t length = strlen(mesh);
    if (length == 0 || length > EWI_LONGEST_NAME || mesh[0] == '.' || strchr(mesh, '/') || strchr(mesh, '\n'))
        return;
    /* Any other file in new/ may belong to somebody else, for example another case. */
    probe->no_mesh = length <= 4 || strcasecmp(mesh + length - 4, ".msh") != 0;
    if (!probe->no_mesh)
        memcpy(probe->mesh, mesh, length + 1);
}

static bool has_all_keys(const config_t *config)
{
    static const char *const keys[] = {"mesh", "order", "time", "initial", "boundary"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (!config_lookup(config, keys[k]))
            return false;
    return true;
}

static void probe_text(const char *text, struct ewi_probe *probe)
{
    config_t config;
    /* rejects groups with many keys, for which libconfig takes minutes */
    if (ew_case_check_text(&cli_host, text, NULL) != EW_OK)
        return;
    config_init(&config);
    int priority;
    if (config_read_string(&config, text)) {
        probe_mesh(&config, probe);
        probe->is_whole = has_all_keys(&config);
        probe->has_priority =
            config_lookup_int(&config, "spool.priority", &priority) && priority >= -99 && priority <= 99;
        probe->priority = probe->has_priority ? priority : 0;
    }
    config_destroy(&config);
}

void ewi_probe_case(int folder, const char *name, struct ewi_probe *probe)
{
    *probe = (struct ewi_probe){0};
    size_t length = 0;
    char *text = ewi_read_file(folder, name, EWI_LARGEST_PROBE, &length);
    /* libconfig would include any file on the system. */
    if (text && strlen(text) == length && !strstr(text, "@include"))
        probe_text(strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text, probe);
    free(text);
}
