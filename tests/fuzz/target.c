/* SPDX-License-Identifier: BSD-2-Clause */
/* What all fuzz targets share. */
#include "target.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 1024, PATHS = 8, LARGEST_PIECE = 1 << 26 };

int64_t fuzz_accepted;
_Atomic int64_t fuzz_live;
_Atomic size_t fuzz_asked;
static char folder[PATH];
static int folder_descriptor = -1;

/* libconfig 1.5 forgets the strings of a line with a syntax error; netCDF and HDF5 keep what they have. */
FUZZ_EXPORT const char *__lsan_default_suppressions(void);
FUZZ_EXPORT const char *__lsan_default_suppressions(void)
{
    return "leak:libconfig\nleak:libnetcdf\nleak:libhdf5\n";
}

_Noreturn void fuzz_fail(const char *promise, const char *file, int line, const ew_error *error)
{
    fprintf(stderr, "%s:%d: broken: %s; the error: %d \"%s\"\n", file, line, promise, error->code, error->message);
    abort();
}

bool fuzz_is_told(int status, const ew_error *error)
{
    size_t length = strlen(error->message);
    return status < 0 && status != EW_EINTERNAL && error->code == status && length > 10 &&
           error->message[length - 1] != '\n';
}

void fuzz_note(void *context, const char *sentence)
{
    *(int *)context += strlen(sentence) > 5;
}

/* ---- memory ---------------------------------------------------------------------------------------------------- */

static void *allocate(void *context, size_t alignment, size_t bytes)
{
    (void)context;
    fuzz_asked += bytes;
    alignment = alignment < sizeof(void *) ? sizeof(void *) : alignment;
    void *pointer =
        bytes > LARGEST_PIECE ? NULL : aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    fuzz_live += pointer != NULL;
    return pointer;
}

static void release(void *context, void *pointer)
{
    (void)context;
    fuzz_live -= pointer != NULL;
    free(pointer);
}

const ew_host fuzz_host = {.allocate = allocate, .release = release};

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

void fuzz_remove(const char *prefix)
{
    DIR *entries = opendir(folder);
    for (const struct dirent *entry; entries && (entry = readdir(entries));)
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0)
            unlinkat(folder_descriptor, entry->d_name, 0);
    if (entries)
        closedir(entries);
}

static void remove_folder(void)
{
    fuzz_remove("");
    rmdir(folder);
}

static void make_folder(void)
{
    const char *given = getenv("TMPDIR"), *place = given ? given : "/tmp";
    snprintf(folder, sizeof folder, "%s/edgewise-fuzz-XXXXXX", place);
    if (!mkdtemp(folder) || (folder_descriptor = open(folder, O_RDONLY | O_DIRECTORY)) < 0) {
        fprintf(stderr, "cannot make a folder in %s\n", place);
        exit(99);
    }
    atexit(remove_folder);
}

/* In place of the C library's: nothing of this need survive a loss of power, and waiting for the disk would take most
 * of the time. */
int fsync(int file)
{
    (void)file;
    return 0;
}

int fuzz_folder(void)
{
    return folder_descriptor;
}

const char *fuzz_path(const char *name)
{
    static char path[PATHS][2 * PATH];
    static int next;
    char *here = path[next++ % PATHS];
    snprintf(here, sizeof *path, "%s/%s", folder, name);
    return here;
}

static void write_file(int place, const char *name, const void *bytes, size_t size)
{
    unlinkat(place, name, 0); /* file systems bring to the disk what replaces a file's bytes, and wait for it */
    int file = openat(place, name, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size || close(file) != 0) {
        perror(name);
        exit(99);
    }
}

void fuzz_write(const char *name, const void *bytes, size_t size)
{
    write_file(folder_descriptor, name, bytes, size);
}

/* ---- what libFuzzer begins with -------------------------------------------------------------------------------- */

void fuzz_add_text(fuzz_add *add, void *context, int options, const char *text)
{
    char input[FUZZ_LONGEST];
    size_t length = strlen(text);
    if (length >= sizeof input)
        abort();
    input[0] = (char)options;
    memcpy(input + 1, text, length);
    add(context, input, length + 1);
}

struct corpus {
    int folder, seeds;
};

static void save_seed(void *context, const void *bytes, size_t size)
{
    struct corpus *corpus = context;
    char name[32];
    snprintf(name, sizeof name, "seed-%d", corpus->seeds++);
    write_file(corpus->folder, name, bytes, size);
}

static void write_dictionary(const char *path)
{
    FILE *file = fopen(path, "w");
    for (const char *const *word = fuzz_words; file && *word; word++) {
        fputc('"', file);
        for (const char *at = *word; *at; at++)
            fprintf(file, "\\x%02x", (unsigned)(unsigned char)*at);
        fputs(**word ? "\"\n" : " \"\n", file);
    }
    if (!file || fclose(file) != 0) {
        perror(path);
        exit(99);
    }
}

static void write_corpus(const char *place)
{
    char dictionary[PATH];
    struct corpus corpus = {.folder = open(place, O_RDONLY | O_DIRECTORY)};
    fuzz_seeds(save_seed, &corpus);
    snprintf(dictionary, sizeof dictionary, "%s.words", place);
    write_dictionary(dictionary);
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    const char *corpus = getenv("EW_FUZZ_CORPUS");
    (void)count;
    (void)arguments;
    make_folder();
    if (!corpus)
        return 0;
    write_corpus(corpus);
    exit(0);
}
