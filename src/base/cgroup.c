/* SPDX-License-Identifier: BSD-2-Clause */
/* The cgroups of this process. */
#include "ewi_cgroup.h"
#include "ewi_text.h"

#include <stdio.h>
#include <string.h>

struct walk {
    const char *root, *controller;
    void (*visit)(void *context, const char *folder, bool second);
    void *context;
};

/* A group and its parents. A container often sees only the innermost, as if it were the outermost. */
static void visit_groups(const struct walk *walk, char *path, bool second)
{
    for (char *slash = path + strlen(path); slash; slash = strrchr(path, '/')) {
        char folder[4096];
        *slash = '\0';
        int length = ewi_snprintf(folder, sizeof folder, "%s/sys/fs/cgroup%s%s%s", walk->root, second ? "" : "/",
                                  second ? "" : walk->controller, path);
        if (length > 0 && (size_t)length < sizeof folder)
            walk->visit(walk->context, folder, second);
    }
}

static bool has_word(const char *list, const char *end, const char *word)
{
    for (size_t length; list < end; list += length + 1) {
        length = strcspn(list, ",:");
        if (length == strlen(word) && strncmp(list, word, length) == 0)
            return true;
    }
    return false;
}

/* Lines are "NUMBER:CONTROLLERS:/PATH", without controllers in version 2. */
void ewi_each_cgroup(const char *root, const char *controller,
                     void (*visit)(void *context, const char *folder, bool second), void *context)
{
    const struct walk walk = {root, controller, visit, context};
    char name[4096], line[4096];
    ewi_snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
    FILE *file = fopen(name, "re");
    while (file && fgets(line, sizeof line, file)) {
        char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
        line[strcspn(line, "\n")] = '\0';
        if (path && (path == controllers + 1 || has_word(controllers + 1, path, controller)))
            visit_groups(&walk, path + 1, path == controllers + 1);
    }
    if (file)
        fclose(file);
}
