/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Gmsh's MSH 2.2, binary (Gmsh reference manual, "MSH file format version 2" and "Post-processing"): triangles with
 * nodes of their own, and a view for each field. A view has values at the nodes of a lattice and an interpolation
 * scheme for the polynomials through them, so Gmsh draws the solver's polynomials.
 */
#include "ewi_error.h"
#include "ewi_export.h"
#include "ewi_host.h"
#include "ewi_lattice.h"
#include "ewi_text.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

enum { GMSH_TRIANGLE = 2, GMSH_TRIANGLES = 3 /* a topology */ };

static const char scheme_name[] = "edgewise", constant_name[] = "edgewise constant";

static int write_nodes(struct ewi_exporting *exporting, ew_error *error)
{
    const struct ew_results *results = exporting->results;
    FILE *file = exporting->file;
    ewi_fprintf(file, "$Nodes\n%lld\n", (long long)(3 * results->elements));
    for (int64_t first = 0; first < results->elements; first += results->slab) {
        int64_t count = ewi_export_slab(exporting, first);
        TRY(ew_results_corners(results, first, count, exporting->xy, error));
        for (int64_t k = 0; k < 3 * count; k++) {
            int number = (int)(3 * first + k + 1);
            const double xyz[3] = {exporting->xy[2 * k], exporting->xy[2 * k + 1], 0};
            fwrite(&number, sizeof number, 1, file);
            fwrite(xyz, sizeof *xyz, 3, file);
        }
    }
    fputs("\n$EndNodes\n", file);
    return ewi_export_written(exporting, error);
}

static int write_elements(struct ewi_exporting *exporting, ew_error *error)
{
    int elements = (int)exporting->results->elements;
    FILE *file = exporting->file;
    const int head[3] = {GMSH_TRIANGLE, elements, 2};
    ewi_fprintf(file, "$Elements\n%d\n", elements);
    fwrite(head, sizeof *head, 3, file);
    for (int e = 0; e < elements; e++) {
        const int row[6] = {e + 1, 1, 1, 3 * e + 1, 3 * e + 2, 3 * e + 3};
        fwrite(row, sizeof *row, 6, file);
    }
    fputs("\n$EndElements\n", file);
    return ewi_export_written(exporting, error);
}

/*
 * Writes the basis function of node i as the sum over j of matrix[j][i] times monomial j. Corners come first because
 * some parts of Gmsh read only those.
 */
static void write_scheme(const struct ewi_exporting *exporting, const struct ewi_fit *fit, const int *order)
{
    FILE *file = exporting->file;
    ewi_fprintf(file, "$InterpolationScheme\n\"%s\"\n1\n%d\n2\n%d %d\n", scheme_name, (int)GMSH_TRIANGLES, fit->terms,
                fit->terms);
    for (int i = 0; i < fit->terms; i++)
        for (int j = 0; j < fit->terms; j++)
            ewi_fprintf(file, "%.17g%c", fit->matrix[j * fit->terms + order[i]], j + 1 < fit->terms ? ' ' : '\n');
    ewi_fprintf(file, "%d 3\n", fit->terms);
    for (int b = 0; b <= fit->degree; b++)
        for (int a = 0; a + b <= fit->degree; a++)
            ewi_fprintf(file, "%d %d 0\n", a, b);
    fputs("$EndInterpolationScheme\n", file);
    ewi_fprintf(file, "$InterpolationScheme\n\"%s\"\n1\n%d\n2\n1 1\n1\n1 3\n0 0 0\n$EndInterpolationScheme\n",
                constant_name, (int)GMSH_TRIANGLES);
}

static void write_name(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text; text++)
        putc(*text == '"' || (unsigned char)*text < ' ' ? ' ' : *text, file);
    putc('"', file);
}

static int write_view(struct ewi_exporting *exporting, int field, int64_t step, const int *order, ew_error *error)
{
    const struct ew_results *results = exporting->results;
    FILE *file = exporting->file;
    static const double middle[2] = {1.0 / 3, 1.0 / 3};
    bool constant = results->field[field].kind == EWI_FIELD_FACES;
    int points = constant ? 1 : exporting->points;
    int64_t frame = exporting->what->first_frame + step;
    fputs("$ElementNodeData\n2\n", file);
    write_name(file, results->field[field].name);
    ewi_fprintf(file, "\n\"%s\"\n1\n%.17g\n3\n%lld\n1\n%lld\n", constant ? constant_name : scheme_name,
                results->time[frame], (long long)step, (long long)results->elements);
    for (int64_t first = 0; first < results->elements; first += results->slab) {
        int64_t count = ewi_export_slab(exporting, first);
        TRY(ew_results_sample(results, frame, field, first, count, points, constant ? middle : exporting->rs,
                              exporting->buffer, error));
        for (int64_t e = 0; e < count; e++) {
            const int head[2] = {(int)(first + e + 1), points};
            fwrite(head, sizeof *head, 2, file);
            for (int k = 0; k < points; k++)
                fwrite(&exporting->buffer[e * points + (constant ? 0 : order[k])], sizeof(double), 1, file);
        }
    }
    fputs("\n$EndElementNodeData\n", file);
    return ewi_export_written(exporting, error);
}

int ewi_export_gmsh(struct ewi_exporting *exporting, ew_error *error)
{
    const struct ew_results *results = exporting->results;
    struct ewi_fit lattice = {0};
    if (results->elements > INT_MAX / 3)
        return ewi_fail(error, EW_EINVAL, "%s has %lld triangles, which are too many for Gmsh's format", results->path,
                        (long long)results->elements);
    int order[EWI_MOST_TERMS] = {0};
    ewi_lagrange_order(exporting->subdivide, order);
    TRY(ewi_fit_create(&exporting->memory, exporting->subdivide, exporting->subdivide, &lattice, error));
    errno = 0;
    const int one = 1;
    fputs("$MeshFormat\n2.2 1 8\n", exporting->file);
    fwrite(&one, sizeof one, 1, exporting->file);
    fputs("\n$EndMeshFormat\n", exporting->file);
    TRY(write_nodes(exporting, error));
    TRY(write_elements(exporting, error));
    write_scheme(exporting, &lattice, order);
    for (int k = 0; k < exporting->fields; k++)
        for (int64_t step = 0; step < exporting->what->frames; step++)
            TRY(write_view(exporting, exporting->field[k], step, order, error));
    return EW_OK;
}
