/* SPDX-License-Identifier: BSD-2-Clause */
/* The rasters that a case's formulas name: each is read once, and kept with the case. */
#include "ewi_case.h"
#include "ewi_error.h"
#include "ewi_raster_file.h"
#include "ewi_text.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RASTERS = 64 };

struct ewi_case_raster {
    struct ewi_case_raster *next; /* in the order in which formulas name them */
    const char *file, *variable;  /* variable: NULL if none is named */
    struct ewi_raster_file *raster;
};

static bool is_same(const struct ewi_case_raster *raster, const char *file, const char *variable)
{
    return strcmp(raster->file, file) == 0 &&
           (variable && raster->variable ? strcmp(raster->variable, variable) == 0 : variable == raster->variable);
}

static int open_raster(struct ewi_reader *reader, const char *name, const char *path, int *file, ew_error *error)
{
    const ew_case_options *options = &reader->options;
    if (options->named)
        options->named(options->named_context, EW_NAMED_RASTER, name, path);
    return ewi_open_named(path, options->confined ? reader->that->info.path : NULL, name, file, error);
}

/* True for the names of files that a run of the case writes, NAME.nc and NAME.series.csv, in any folder. */
static bool is_output(const struct ewi_reader *reader, const char *file)
{
    const char *name = reader->that->info.plan.name, *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    size_t length = name ? strlen(name) : 0;
    return length > 0 && strncmp(base, name, length) == 0 &&
           (strcmp(base + length, ".nc") == 0 || strcmp(base + length, ".series.csv") == 0);
}

static int read_raster(struct ewi_reader *reader, struct ewi_case_raster *raster, ew_error *error)
{
    int file;
    const char *path = ewi_case_path(reader, raster->file);
    if (is_output(reader, raster->file))
        return ewi_fail(error, EW_ECONFIG, "a run of this case would replace %.200s by its own output; rename one of "
                        "them", raster->file);
    if (!path)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the name of a raster");
    TRY(open_raster(reader, raster->file, path, &file, error));
    int status = ewi_get_raster(reader->that->meshes, &reader->host, file, path, raster->variable, &raster->raster,
                                error);
    close(file);
    return status;
}

/* Implements ew_raster_finder. */
static int find_raster(void *context, const char *file, const char *variable, const ew_raster_data **data,
                       ew_error *error)
{
    struct ewi_reader *reader = context;
    struct ewi_case_raster **place = &reader->that->rasters;
    int count = 0;
    for (; *place && !is_same(*place, file, variable); count++)
        place = &(*place)->next;
    if (!*place && count == MOST_RASTERS)
        return ewi_fail(error, EW_ECONFIG, "the case names more than %d rasters", MOST_RASTERS);
    if (!*place) {
        struct ewi_case_raster *raster = ewi_keep(reader, 1, sizeof *raster);
        const char *name = ewi_keep_text(reader, file), *name_of_variable = variable ? ewi_keep_text(reader, variable)
                                                                                     : NULL;
        if (reader->out_of_memory)
            return ewi_fail(error, EW_ENOMEM, "not enough memory for the name of a raster");
        *raster = (struct ewi_case_raster){.file = name, .variable = name_of_variable};
        TRY(read_raster(reader, raster, error));
        *place = raster;
    }
    *data = &(*place)->raster->data;
    return EW_OK;
}

int ewi_provide_rasters(struct ewi_reader *reader, ew_scope *scope, ew_error *error)
{
    return ew_scope_find_rasters(scope, find_raster, reader, error);
}

void ewi_note_rasters(struct ewi_reader *reader)
{
    size_t size = 1, length = 0;
    for (const struct ewi_case_raster *raster = reader->that->rasters; raster; raster = raster->next)
        size += sizeof "0123456789abcdef  \n" + strlen(raster->file) + strlen(raster->variable ? raster->variable : "");
    char *lines = size > 1 ? ewi_keep(reader, size, 1) : NULL;
    for (const struct ewi_case_raster *raster = reader->that->rasters; lines && raster; raster = raster->next)
        length = ewi_append(lines, size, length, "%016" PRIx64 " %s%s%s\n", ew_raster_hash(&raster->raster->data),
                            raster->file, raster->variable ? " " : "", raster->variable ? raster->variable : "");
    reader->that->info.plan.rasters = lines;
}

void ewi_release_rasters(ew_case *that)
{
    for (; that->rasters; that->rasters = that->rasters->next)
        ewi_release_raster(that->meshes, that->rasters->raster);
}

const char *ew_case_raster(const ew_case *that, int k, const ew_raster_data **raster)
{
    const struct ewi_case_raster *found = that && k >= 0 ? that->rasters : NULL;
    for (; found && k > 0; k--)
        found = found->next;
    if (found && raster)
        *raster = &found->raster->data;
    return found ? found->raster->data.name : NULL;
}
