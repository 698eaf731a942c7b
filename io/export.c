/* SPDX-License-Identifier: BSD-2-Clause */
/* Fields in other programs' formats: the choice of nodes and fields, and CSV. */
#include "ewi_export.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_lattice.h"
#include "ewi_trace.h"
#include "ewi_text.h"

#include <errno.h>
#include <string.h>

enum { MOST_LAGRANGE = 10 };

/* ---- the request ------------------------------------------------------------------------------------------------- */

static int check(const struct ew_results *results, const ew_export *what, ew_error *error)
{
    if ((int)what->format < EW_EXPORT_VTU || (int)what->format > EW_EXPORT_CSV)
        return ewi_fail(error, EW_EINVAL, "there is no format %d to export to", (int)what->format);
    if (what->frames < 1)
        return ewi_fail(error, EW_EINVAL, "no frame of %s is asked for: their number is %lld", results->path,
                        (long long)what->frames);
    TRY(ewi_results_check_frame(results, what->first_frame, error));
    if (what->frames > results->frames - what->first_frame)
        return ewi_results_check_frame(results, results->frames, error);
    if (what->frames > 1 && what->format != EW_EXPORT_GMSH)
        return ewi_fail(error, EW_EINVAL, "a file of this format has one frame, but %lld are asked for",
                        (long long)what->frames);
    int most = what->lagrange ? MOST_LAGRANGE : EW_EXPORT_SUBDIVIDE;
    if (what->subdivide < 0 || what->subdivide > most)
        return ewi_fail(error, EW_EINVAL, "subdivision by %d is asked for; 1 to %d are possible", what->subdivide,
                        most);
    if (what->lagrange && what->format != EW_EXPORT_VTU)
        return ewi_fail(error, EW_EINVAL, "only VTU has Lagrange cells; leave `lagrange` out for this format");
    if (what->boundary && (what->format == EW_EXPORT_GMSH || what->subdivide || what->lagrange))
        return ewi_fail(error, EW_EINVAL, "fields along boundaries are lines as VTU or a table, and not cut or curved");
    if (what->wall && (what->format != EW_EXPORT_CSV || what->boundary || what->fields || what->subdivide))
        return ewi_fail(error, EW_EINVAL, "the values along a wall are a table, without fields, boundaries and cuts");
    if (what->fields < 0 || what->fields > results->fields || (what->fields > 0 && !what->field))
        return ewi_fail(error, EW_EINVAL, "%d fields are to be exported%s; 0 to %d are possible", what->fields,
                        what->fields > 0 && !what->field ? ", but which is NULL" : "", results->fields);
    for (int k = 0; k < what->fields; k++)
        if (what->field[k] < 0 || what->field[k] >= results->fields)
            return ewi_fail(error, EW_EINVAL, "%s has no field %d", results->path, what->field[k]);
    return EW_OK;
}

static bool is_mean(const struct ewi_field *field)
{
    return field->kind == EWI_FIELD_FACES && ewi_ends_in(field->name, "_mean");
}

static void choose_fields(struct ewi_exporting *exporting)
{
    const struct ew_results *results = exporting->results;
    if (exporting->what->fields > 0) {
        exporting->fields = exporting->what->fields;
        memcpy(exporting->field, exporting->what->field, (size_t)exporting->fields * sizeof *exporting->field);
        return;
    }
    for (int k = 0; k < results->fields; k++)
        if (results->field[k].variable >= 0 && !is_mean(&results->field[k]))
            exporting->field[exporting->fields++] = k;
}

static void fill_shape(struct ewi_exporting *exporting)
{
    ewi_lattice_nodes(exporting->subdivide, exporting->rs);
    ewi_lattice_triangles(exporting->subdivide, exporting->corner);
    for (int t = 0; t < exporting->triangles; t++)
        for (int d = 0; d < 2; d++) {
            double sum = 0;
            for (int k = 0; k < 3; k++)
                sum += exporting->rs[2 * exporting->corner[3 * t + k] + d];
            exporting->centre[2 * t + d] = sum / 3;
        }
}

int ewi_export_no_memory(const struct ewi_exporting *exporting, ew_error *error)
{
    return ewi_fail(error, EW_ENOMEM, "not enough memory to export %s", exporting->results->path);
}

int64_t ewi_export_slab(struct ewi_exporting *exporting, int64_t first)
{
    const struct ew_results *results = exporting->results;
    return results->elements - first < results->slab ? results->elements - first : results->slab;
}

int ewi_export_written(const struct ewi_exporting *exporting, ew_error *error)
{
    return ferror(exporting->file) ? ewi_output_failure(exporting->output, errno, error) : EW_OK;
}

static int prepare(struct ewi_exporting *exporting, ew_error *error)
{
    const struct ew_results *results = exporting->results;
    struct ewi_arena *memory = &exporting->memory;
    int s = exporting->what->subdivide ? exporting->what->subdivide : results->subdivide;
    if (exporting->what->lagrange && s > MOST_LAGRANGE)
        s = MOST_LAGRANGE;
    if (exporting->what->format == EW_EXPORT_GMSH)
        s = results->plain.degree;
    exporting->subdivide = s;
    exporting->points = (s + 1) * (s + 2) / 2;
    exporting->triangles = s * s;
    size_t points = (size_t)exporting->points, triangles = (size_t)exporting->triangles, slab = (size_t)results->slab;
    size_t fields = (size_t)results->fields;
    size_t copies = exporting->what->format == EW_EXPORT_CSV ? fields : 1;
    exporting->values = slab * (points > triangles ? points : triangles) * copies;
    exporting->rs = ewi_arena_alloc(memory, points, 2 * sizeof(double));
    exporting->corner = ewi_arena_alloc(memory, triangles, 3 * sizeof(int));
    exporting->centre = ewi_arena_alloc(memory, triangles, 2 * sizeof(double));
    exporting->field = ewi_arena_alloc(memory, fields, sizeof(int));
    exporting->buffer = ewi_arena_alloc(memory, exporting->values, sizeof(double));
    exporting->xy = ewi_arena_alloc(memory, 6 * slab, sizeof(double));
    if (memory->lacks)
        return ewi_export_no_memory(exporting, error);
    fill_shape(exporting);
    choose_fields(exporting);
    return EW_OK;
}

/* ---- CSV --------------------------------------------------------------------------------------------------------- */

static int write_rows(struct ewi_exporting *exporting, int64_t first, int64_t count, ew_error *error)
{
    FILE *file = exporting->file;
    const double *corner = exporting->xy;
    int points = exporting->points;
    size_t plane = (size_t)exporting->results->slab * (size_t)points;
    errno = 0;
    for (int64_t e = 0; e < count; e++)
        for (int k = 0; k < points; k++) {
            double r = exporting->rs[2 * k], s = exporting->rs[2 * k + 1], xy[2];
            for (int d = 0; d < 2; d++)
                xy[d] = (1 - r - s) * corner[6 * e + d] + r * corner[6 * e + 2 + d] + s * corner[6 * e + 4 + d];
            ewi_fprintf(file, "%lld,%.17g,%.17g", (long long)(first + e), xy[0], xy[1]);
            for (int i = 0; i < exporting->fields; i++)
                ewi_fprintf(file, ",%.17g", exporting->buffer[(size_t)i * plane + (size_t)(e * points + k)]);
            putc('\n', file);
        }
    return ewi_export_written(exporting, error);
}

static int export_csv(struct ewi_exporting *exporting, ew_error *error)
{
    const struct ew_results *results = exporting->results;
    size_t plane = (size_t)results->slab * (size_t)exporting->points;
    ewi_fprintf(exporting->file, "element,x,y");
    for (int i = 0; i < exporting->fields; i++) {
        putc(',', exporting->file);
        ewi_csv_text(exporting->file, results->field[exporting->field[i]].name);
    }
    putc('\n', exporting->file);
    for (int64_t first = 0; first < results->elements; first += results->slab) {
        int64_t count = ewi_export_slab(exporting, first);
        TRY(ew_results_corners(results, first, count, exporting->xy, error));
        for (int i = 0; i < exporting->fields; i++)
            TRY(ew_results_sample(results, exporting->what->first_frame, exporting->field[i], first, count,
                                  exporting->points, exporting->rs, exporting->buffer + (size_t)i * plane, error));
        TRY(write_rows(exporting, first, count, error));
    }
    return EW_OK;
}

/* ---- boundaries -------------------------------------------------------------------------------------------------- */

static int write_boundaries(struct ewi_exporting *exporting, const char *path, ew_error *error)
{
    struct ewi_trace trace = {.results = exporting->results, .frame = exporting->what->first_frame,
                                  .fields = exporting->fields, .field = exporting->field};
    int status = ewi_trace_add_boundaries(&trace, exporting->what->boundary, error);
    if (status == EW_OK)
        status = ewi_trace_evaluate(&trace, error);
    if (status == EW_OK)
        status = exporting->what->format == EW_EXPORT_CSV ? ewi_trace_write(&trace, path, error)
                                                          : ewi_trace_write_vtu(&trace, path, error);
    ewi_trace_free(&trace);
    return status;
}

/* ---- a file ------------------------------------------------------------------------------------------------------ */

static int write_elements(struct ewi_exporting *exporting, const char *path, ew_error *error)
{
    static int (*const writer[])(struct ewi_exporting *, ew_error *) = {
        [EW_EXPORT_VTU] = ewi_export_vtu, [EW_EXPORT_GMSH] = ewi_export_gmsh, [EW_EXPORT_CSV] = export_csv};
    TRY(ewi_output_open(&exporting->results->host, path, exporting->output, error));
    exporting->file = exporting->output->file;
    return ewi_output_close(exporting->output, writer[exporting->what->format](exporting, error), error);
}

int ew_export_write(const ew_results *results, const ew_export *what, const char *path, ew_error *error)
{
    EWI_REQUIRE(results, what, path);
    struct ewi_output output = {0};
    struct ewi_exporting exporting = {
        .results = results, .what = what, .memory.host = results->host, .output = &output};
    int status;
    EWI_TRY(check(results, what, error));
    if (what->wall) {
        status = ewi_walls_export(results, what->wall, what->first_frame, path, error);
        goto out;
    }
    EWI_TRY(prepare(&exporting, error));
    EWI_TRY((what->boundary ? write_boundaries : write_elements)(&exporting, path, error));
out:
    ewi_arena_free(&exporting.memory);
    return status;
}

/* ---- collections of frames --------------------------------------------------------------------------------------- */

static bool is_utf8(const char *text)
{
    const unsigned char *at = (const unsigned char *)text;
    while (*at && ewi_character_length(at) > 0)
        at += ewi_character_length(at);
    return *at == '\0';
}

int ew_export_collection(const ew_host *host, int64_t count, const char *const *name, const double *time,
                         const char *path, ew_error *error)
{
    EWI_REQUIRE(path);
    if (count < 0 || (count > 0 && (!name || !time)))
        return ewi_fail(error, EW_EINVAL, "%lld files are to be collected%s", (long long)count,
                        count > 0 ? ", but what they are called, or their times, is NULL" : "");
    for (int64_t k = 0; k < count; k++)
        if (!name[k])
            return ewi_fail(error, EW_EINVAL, "the name of file %lld of %lld is NULL", (long long)k, (long long)count);
    ew_host own = ewi_host_or_default(host);
    struct ewi_output output;
    TRY(ewi_output_open(&own, path, &output, error));
    bool is_unicode = true;
    for (int64_t k = 0; k < count; k++)
        is_unicode = is_unicode && is_utf8(name[k]);
    ewi_fprintf(output.file, "<?xml version=\"1.0\"%s?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n"
                "  <Collection>\n", is_unicode ? "" : " encoding=\"ISO-8859-1\""); /* allows all bytes */
    for (int64_t k = 0; k < count; k++) {
        ewi_fprintf(output.file, "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"", time[k]);
        ewi_put_escaped(output.file, name[k]);
        fputs("\"/>\n", output.file);
    }
    fputs("  </Collection>\n</VTKFile>\n", output.file);
    return ewi_output_close(&output, EW_OK, error);
}
