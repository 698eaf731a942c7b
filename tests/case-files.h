/* SPDX-License-Identifier: BSD-2-Clause */
/* For tests of cases: a folder of their own, files in it, and what the reader says. */
#ifndef CASE_FILES_H
#define CASE_FILES_H

#include "edgewise-case.h"
#include "helpers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* libconfig 1.5 forgets the strings of a line with a syntax error; what the reader itself forgets is still found. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void)
{
    return "leak:libconfig.so\n";
}

enum { TEXT_ROOM = 16384, PATH_ROOM = 4096 };

/* The repository's root as an absolute path: tests run in folders of their own. */
static char *source_folder(void)
{
    static char folder[PATH_ROOM];
    const char *given = getenv("srcdir");
    if (!folder[0] && !realpath(given ? given : ".", folder))
        bail_out("there is no folder srcdir");
    return folder;
}

static char test_folder[64];

/* From here on relative paths, and so the reader's sentences, are those of a new folder. */
static void enter_test_folder(void)
{
    source_folder();
    snprintf(test_folder, sizeof test_folder, "/tmp/edgewise-case-XXXXXX");
    if (!mkdtemp(test_folder) || chdir(test_folder) != 0)
        bail_out("cannot make a folder in /tmp");
}

static inline void leave_test_folder(const char *const *files)
{
    for (; *files; files++)
        remove(*files);
    if (chdir("/") != 0 || rmdir(test_folder) != 0)
        diag("%s is not empty", test_folder);
}

static void write_bytes(const char *path, const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0)
        bail_out("cannot write %s", path);
}

static inline void write_text(const char *path, const char *text)
{
    write_bytes(path, text, strlen(text));
}

/* All that the reader said, a line a sentence. */
struct said {
    char text[TEXT_ROOM];
    int sentences;
};

static inline void listen_to(void *context, const char *sentence)
{
    struct said *said = context;
    size_t length = strlen(said->text);
    snprintf(said->text + length, sizeof said->text - length, "%s%s", said->sentences > 0 ? "\n" : "", sentence);
    said->sentences++;
}

/* Two triangles with the boundaries left, right, bottom and top. */
static const char square_mesh[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n4\n1 1 \"bottom\"\n1 2 \"right\"\n1 3 \"top\"\n1 4 \"left\"\n$EndPhysicalNames\n"
    "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
    "$Elements\n6\n1 1 2 1 1 1 2\n2 1 2 2 2 2 3\n3 1 2 3 3 3 4\n4 1 2 4 4 4 1\n"
    "5 2 2 0 1 1 2 3\n6 2 2 0 1 1 3 4\n$EndElements\n";

#endif
