/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A fuzz target reads bytes as edgewise reads a stranger's file, and stops the program where a promise is broken.
 * libFuzzer makes the bytes, or tests/fuzz/driver.c: the targets are the same.
 */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include "edgewise-case.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_EXPORT __attribute__((visibility("default")))

/* ---- what each target has -------------------------------------------------------------------------------------- */

FUZZ_EXPORT int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Gives `add` inputs that are right as they are, from which mutations begin. */
typedef void fuzz_add(void *context, const void *bytes, size_t size);
void fuzz_seeds(fuzz_add *add, void *context);

/* What mutations put into an input; ends with NULL. */
extern const char *const fuzz_words[];

/* ---- what each target is given (target.c) ---------------------------------------------------------------------- */

enum { FUZZ_LONGEST = 1 << 14 }; /* bytes of an input */

/* Makes the targets' folder. With $EW_FUZZ_CORPUS it writes the seeds into that folder, the words beside it, and ends
 * the program. */
FUZZ_EXPORT int LLVMFuzzerInitialize(int *count, char ***arguments);

extern int64_t fuzz_accepted; /* inputs that were right: each target counts them */

/* A host that counts what is asked of it and refuses what is large. */
extern const ew_host fuzz_host;
extern _Atomic int64_t fuzz_live; /* pieces of memory that were not given back */
extern _Atomic size_t fuzz_asked; /* bytes, in all */

/* A file in the targets' folder: its path, in one of a few buffers that are used in turn. */
const char *fuzz_path(const char *name);
void fuzz_write(const char *name, const void *bytes, size_t size);
/* Removes the files there whose names begin so. */
void fuzz_remove(const char *prefix);
/* The folder's descriptor. */
int fuzz_folder(void);

/* A copy with a NUL behind it, to be freed. */
char *fuzz_text(const uint8_t *data, size_t size);
/* Adds an options byte and a text to the seeds. */
void fuzz_add_text(fuzz_add *add, void *context, int options, const char *text);

/* A report for cases and meshes; the context is an int that counts sentences. */
void fuzz_note(void *context, const char *sentence);

/* Whether the error has this code and a sentence that can be one. */
bool fuzz_is_told(int status, const ew_error *error);

_Noreturn void fuzz_fail(const char *promise, const char *file, int line, const ew_error *error);
#define MUST(promise) ((promise) ? (void)0 : fuzz_fail(#promise, __FILE__, __LINE__, &error))

#endif
