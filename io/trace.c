/* SPDX-License-Identifier: BSD-2-Clause */
/* Fields at points along a line or along boundaries: from the polynomials to tables and VTU files. */
#include "ewi_trace.h"
#include "ewi_error.h"
#include "ewi_output_file.h"
#include "ewi_text.h"

#include <string.h>

static int no_memory(const struct ewi_trace *trace, ew_error *error)
{
    return ewi_fail(error, EW_ENOMEM, "not enough memory for the values of %s along a curve", trace->results->path);
}

/* Grows `array` from *room to at least `wanted` objects; NULL: not enough memory. */
static void *make_room(const struct ewi_trace *trace, void *array, size_t *room, size_t wanted, size_t size)
{
    if (wanted <= *room)
        return array;
    void *larger = ewi_alloc(&trace->results->host, 2 * wanted, size);
    if (larger && *room > 0)
        memcpy(larger, array, *room * size);
    if (larger) {
        ewi_free(&trace->results->host, array);
        *room = 2 * wanted;
    }
    return larger;
}

int ewi_trace_add(struct ewi_trace *trace, const struct ewi_segment *segment, struct ewi_point **point,
                    ew_error *error)
{
    size_t points = trace->points + (size_t)segment->points;
    void *segments = make_room(trace, trace->segment, &trace->room_for_segments, trace->segments + 1,
                               sizeof *trace->segment);
    trace->segment = segments ? segments : trace->segment;
    void *room = make_room(trace, trace->point, &trace->room_for_points, points, sizeof *trace->point);
    trace->point = room ? room : trace->point;
    if (!segments || !room)
        return no_memory(trace, error);
    struct ewi_segment *added = &trace->segment[trace->segments++];
    *added = *segment;
    added->first = trace->points;
    *point = trace->point + trace->points;
    trace->points = points;
    return EW_OK;
}

void ewi_trace_free(struct ewi_trace *trace)
{
    const ew_host *host = &trace->results->host;
    ewi_free(host, trace->segment);
    ewi_free(host, trace->point);
    ewi_free(host, trace->value);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static void evaluate(const struct ewi_trace *trace, const struct ewi_patches *patches,
                     const struct ewi_segment *segment, double *value)
{
    int64_t e = segment->element - patches->first;
    const double *t = patches->corner + 6 * e;
    const struct ewi_point *point = trace->point + segment->first;
    double det = (t[2] - t[0]) * (t[5] - t[1]) - (t[4] - t[0]) * (t[3] - t[1]), r[EWI_RUN], s[EWI_RUN];
    for (int first = 0, n; first < segment->points; first += n) {
        n = segment->points - first < EWI_RUN ? segment->points - first : EWI_RUN;
        for (int k = 0; k < n; k++) {
            double x = point[first + k].x - t[0], y = point[first + k].y - t[1];
            r[k] = (x * (t[5] - t[1]) - y * (t[4] - t[0])) / det;
            s[k] = ((t[2] - t[0]) * y - (t[3] - t[1]) * x) / det;
        }
        ewi_patches_evaluate(patches, e, n, r, s, value + segment->first + first);
    }
}

/* True if a segment lies in one of the elements first .. end - 1. */
static bool has_segments(const struct ewi_trace *trace, int64_t first, int64_t end)
{
    for (size_t i = 0; i < trace->segments; i++)
        if (trace->segment[i].element >= first && trace->segment[i].element < end)
            return true;
    return false;
}

static int evaluate_field(const struct ewi_trace *trace, int field, double *value, ew_error *error)
{
    const struct ew_results *results = trace->results;
    struct ewi_patches patches;
    int status = EW_OK;
    TRY(ewi_patches_create(results, field, trace->frame, &patches, error));
    for (int64_t first = 0; status == EW_OK && first < results->elements; first += results->slab) {
        int64_t end = first + results->slab;
        if (!has_segments(trace, first, end))
            continue;
        status = ewi_patches_load(&patches, first, error);
        for (size_t i = 0; status == EW_OK && i < trace->segments; i++)
            if (trace->segment[i].element >= first && trace->segment[i].element < end)
                evaluate(trace, &patches, &trace->segment[i], value);
    }
    ewi_patches_destroy(&patches);
    return status;
}

int ewi_trace_evaluate(struct ewi_trace *trace, ew_error *error)
{
    trace->value = ewi_alloc(&trace->results->host, trace->points * (size_t)trace->fields,
                               sizeof *trace->value);
    if (!trace->value)
        return no_memory(trace, error);
    for (int k = 0; k < trace->fields; k++)
        TRY(evaluate_field(trace, trace->field[k], trace->value + (size_t)k * trace->points, error));
    return EW_OK;
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

double ewi_trace_chord(const struct ewi_trace *trace, const struct ewi_point *point)
{
    double chord = trace->x_high - trace->x_low;
    return chord > 0 ? (point->x - trace->x_low) / chord : 0;
}

static void write_row(const struct ewi_trace *trace, const struct ewi_segment *segment, size_t k, FILE *file)
{
    const struct ewi_point *point = &trace->point[k];
    ewi_fprintf(file, "%.17g,", point->at);
    if (segment->boundary)
        ewi_fprintf(file, "%.17g,", ewi_trace_chord(trace, point));
    ewi_fprintf(file, "%.17g,%.17g,", point->x, point->y);
    if (segment->boundary) {
        ewi_csv_text(file, segment->boundary);
        putc(',', file);
    }
    ewi_fprintf(file, "%lld", (long long)segment->element);
    for (int i = 0; i < trace->fields; i++)
        ewi_fprintf(file, ",%.17g", trace->value[(size_t)i * trace->points + k]);
    putc('\n', file);
}

int ewi_trace_write(const struct ewi_trace *trace, const char *path, ew_error *error)
{
    struct ewi_output output;
    TRY(ewi_output_open(&trace->results->host, path, &output, error));
    bool boundaries = trace->segments > 0 && trace->segment[0].boundary;
    fputs(boundaries ? "arc,x/c,x,y,boundary,element" : "distance,x,y,element", output.file);
    for (int i = 0; i < trace->fields; i++) {
        putc(',', output.file);
        ewi_csv_text(output.file, trace->results->field[trace->field[i]].name);
    }
    putc('\n', output.file);
    for (size_t i = 0; i < trace->segments; i++)
        for (int k = 0; k < trace->segment[i].points; k++)
            write_row(trace, &trace->segment[i], trace->segment[i].first + (size_t)k, output.file);
    return ewi_output_close(&output, EW_OK, error);
}

/* ---- VTU --------------------------------------------------------------------------------------------------------- */

/* `components` is NULL for a scalar: meshio turns "1" into columns. */
static void begin_array(FILE *file, const char *type, const char *name, const char *components)
{
    ewi_fprintf(file, "        <DataArray type=\"%s\" Name=\"", type);
    ewi_put_escaped(file, name);
    ewi_fprintf(file, "\"%s format=\"ascii\">\n", components);
}

static void end_array(FILE *file)
{
    fputs("        </DataArray>\n", file);
}

static void write_points(const struct ewi_trace *trace, FILE *file)
{
    fputs("      <Points>\n", file);
    begin_array(file, "Float64", "Points", " NumberOfComponents=\"3\"");
    for (size_t k = 0; k < trace->points; k++)
        ewi_fprintf(file, "%.17g %.17g 0\n", trace->point[k].x, trace->point[k].y);
    end_array(file);
    fputs("      </Points>\n", file);
}

static void write_cells(const struct ewi_trace *trace, size_t lines, FILE *file)
{
    enum { VTK_LINE = 3 };
    fputs("      <Cells>\n", file);
    begin_array(file, "Int64", "connectivity", "");
    for (size_t i = 0; i < trace->segments; i++)
        for (size_t k = 0; k + 1 < (size_t)trace->segment[i].points; k++)
            ewi_fprintf(file, "%zu %zu\n", trace->segment[i].first + k, trace->segment[i].first + k + 1);
    end_array(file);
    begin_array(file, "Int64", "offsets", "");
    for (size_t k = 1; k <= lines; k++)
        ewi_fprintf(file, "%zu\n", 2 * k);
    end_array(file);
    begin_array(file, "UInt8", "types", "");
    for (size_t k = 0; k < lines; k++)
        ewi_fprintf(file, "%d\n", (int)VTK_LINE);
    end_array(file);
    fputs("      </Cells>\n      <CellData>\n", file);
    begin_array(file, "Int64", "element", "");
    for (size_t i = 0; i < trace->segments; i++)
        for (int k = 0; k + 1 < trace->segment[i].points; k++)
            ewi_fprintf(file, "%lld\n", (long long)trace->segment[i].element);
    end_array(file);
    fputs("      </CellData>\n", file);
}

/* No notation for infinities in ASCII is known to all readers. */
static void write_number(FILE *file, double value)
{
    if (value - value == 0)
        ewi_fprintf(file, "%.17g\n", value);
    else
        fputs("nan\n", file);
}

static void write_values(const struct ewi_trace *trace, FILE *file)
{
    fputs("      <PointData>\n", file);
    begin_array(file, "Float64", "arc", "");
    for (size_t k = 0; k < trace->points; k++)
        write_number(file, trace->point[k].at);
    end_array(file);
    begin_array(file, "Float64", "x/c", "");
    for (size_t k = 0; k < trace->points; k++)
        write_number(file, ewi_trace_chord(trace, &trace->point[k]));
    end_array(file);
    for (int i = 0; i < trace->fields; i++) {
        begin_array(file, "Float64", trace->results->field[trace->field[i]].name, "");
        for (size_t k = 0; k < trace->points; k++)
            write_number(file, trace->value[(size_t)i * trace->points + k]);
        end_array(file);
    }
    fputs("      </PointData>\n", file);
}

int ewi_trace_write_vtu(const struct ewi_trace *trace, const char *path, ew_error *error)
{
    struct ewi_output output;
    TRY(ewi_output_open(&trace->results->host, path, &output, error));
    size_t lines = trace->points - trace->segments;
    ewi_fprintf(output.file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  <UnstructuredGrid>\n    <FieldData>\n"
                "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                "format=\"ascii\">%.17g</DataArray>\n"
                "    </FieldData>\n    <Piece NumberOfPoints=\"%zu\" NumberOfCells=\"%zu\">\n",
                trace->results->time[trace->frame], trace->points, lines);
    write_points(trace, output.file);
    write_cells(trace, lines, output.file);
    write_values(trace, output.file);
    fputs("    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n", output.file);
    return ewi_output_close(&output, EW_OK, error);
}
