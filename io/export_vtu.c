/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * VTK's XML format (vtk.org, "VTK XML Formats"): unstructured grids, with data appended raw in blocks that zlib
 * compresses. The offsets of the blocks are known only after writing, and are filled in then.
 */
#include "config.h"
#include "ewi_error.h"
#include "ewi_export.h"
#include "ewi_host.h"
#include "ewi_lattice.h"
#include "ewi_parallel.h"
#include "ewi_text.h"

#include <errno.h>
#include <string.h>
#ifdef EWI_HAVE_ZLIB
#include <zlib.h>
#endif

enum { BLOCK = 1 << 18, BATCH = 16, MOST_ARRAYS = 256, TRIANGLE = 5, LAGRANGE_TRIANGLE = 69, LEVEL = 1, OFFSET = 20 };

/*
 * The contents of an array. A function that fills elements first .. first+count-1 returns the number of bytes at `to`.
 */
enum source { POINTS, CONNECTIVITY, OFFSETS, TYPES, NODE_FIELD, VECTOR, CELL_FIELD, ELEMENT };

struct array {
    enum source source;
    int field, second; /* second: the field of a vector's y component */
    const char *name, *type; /* as VTK calls them */
    int components;
    size_t bytes; /* per element */
    long place;   /* file offset of the number in offset="...", OFFSET bytes with the quote and the blanks after it */
};

struct vtu {
    struct ewi_exporting *exporting;
    FILE *file;
    int arrays;
    struct array *array;
    int cells, cell_nodes; /* per element */
    int *order;            /* [points]: nodes in VTK's order */
    double *values, *seconds; /* seconds: the y component of a vector */
    char *staging;      /* BATCH blocks, uncompressed */
    char *packed;       /* BATCH blocks compressed */
    size_t packed_room; /* bytes for each compressed block */
    uint64_t *head;     /* the sizes written before the blocks */
    size_t staged, blocks;
    long data; /* offset of the appended data */
    bool little;
};

/* ---- the order of nodes in Lagrange cells ------------------------------------------------------------------------ */

/* Corners, then the inner nodes of the sides counter-clockwise, then the same for the inner triangle. */
void ewi_lagrange_order(int degree, int *node)
{
    for (int ring = 0; 3 * ring <= degree; ring++) {
        int n = degree - 3 * ring;
        const int corner[4][2] = {{ring, ring}, {ring + n, ring}, {ring, ring + n}, {ring, ring}};
        if (n == 0) {
            *node = ewi_lattice_node(degree, ring, ring);
            return;
        }
        for (int k = 0; k < 3; k++)
            *node++ = ewi_lattice_node(degree, corner[k][0], corner[k][1]);
        for (int k = 0; k < 3; k++)
            for (int i = 1; i < n; i++)
                *node++ = ewi_lattice_node(degree, corner[k][0] + (corner[k + 1][0] - corner[k][0]) / n * i,
                                           corner[k][1] + (corner[k + 1][1] - corner[k][1]) / n * i);
    }
}

/* ---- arrays ------------------------------------------------------------------------------------------------------ */

/* Adds an array with `values` values per element: the field `field` and, for the y component of a vector, `second`. */
static void add_array(struct vtu *vtu, enum source source, const char *name, int components, size_t values, int field,
                      int second)
{
    bool is_byte = source == TYPES, is_integer = source == CONNECTIVITY || source == OFFSETS || source == ELEMENT;
    if (vtu->arrays < MOST_ARRAYS)
        vtu->array[vtu->arrays++] = (struct array){.source = source, .name = name, .components = components,
                                                   .type = is_byte ? "UInt8" : is_integer ? "Int64" : "Float64",
                                                   .bytes = values * (is_byte ? 1 : 8), .field = field,
                                                   .second = second};
}

/* The index of a node field among the exported fields; -1: it is not exported. */
static int find_exported(const struct ewi_exporting *exporting, const char *name)
{
    for (int k = 0; k < exporting->fields; k++) {
        const struct ewi_field *field = &exporting->results->field[exporting->field[k]];
        if (field->kind != EWI_FIELD_FACES && strcmp(field->name, name) == 0)
            return k;
    }
    return -1;
}

static void list_arrays(struct vtu *vtu)
{
    const struct ewi_exporting *exporting = vtu->exporting;
    size_t points = (size_t)exporting->points, cells = (size_t)vtu->cells;
    add_array(vtu, POINTS, "Points", 3, 3 * points, 0, 0);
    add_array(vtu, CONNECTIVITY, "connectivity", 1, cells * (size_t)vtu->cell_nodes, 0, 0);
    add_array(vtu, OFFSETS, "offsets", 1, cells, 0, 0);
    add_array(vtu, TYPES, "types", 1, cells, 0, 0);
    add_array(vtu, ELEMENT, "element", 1, cells, 0, 0);
    for (int k = 0; k < exporting->fields; k++) {
        const struct ewi_field *field = &exporting->results->field[exporting->field[k]];
        bool cell = field->kind == EWI_FIELD_FACES;
        add_array(vtu, cell ? CELL_FIELD : NODE_FIELD, field->name, 1, cell ? cells : points, exporting->field[k], 0);
    }
    int u = find_exported(exporting, "u"), v = find_exported(exporting, "v");
    if (u >= 0 && v >= 0)
        add_array(vtu, VECTOR, "velocity", 3, 3 * points, exporting->field[u], exporting->field[v]);
}

static void put_arrays(struct vtu *vtu, enum source from, enum source to)
{
    for (struct array *array = vtu->array; array < vtu->array + vtu->arrays; array++) {
        if (array->source < from || array->source > to)
            continue;
        ewi_fprintf(vtu->file, "        <DataArray type=\"%s\" Name=\"", array->type);
        ewi_put_escaped(vtu->file, array->name);
        if (array->components > 1) /* meshio turns NumberOfComponents="1" into a column */
            ewi_fprintf(vtu->file, "\" NumberOfComponents=\"%d", array->components);
        fputs("\" format=\"appended\" offset=\"", vtu->file);
        array->place = ftell(vtu->file);
        ewi_fprintf(vtu->file, "%*s/>\n", OFFSET, "");
    }
}

static void put_head(struct vtu *vtu)
{
    const struct ewi_exporting *exporting = vtu->exporting;
    const struct ew_results *results = exporting->results;
#ifdef EWI_HAVE_ZLIB
    const char *compressor = " compressor=\"vtkZLibDataCompressor\"";
#else
    const char *compressor = "";
#endif
    ewi_fprintf(vtu->file, "<?xml version=\"1.0\"?>\n" "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                "byte_order=\"%s\" header_type=\"UInt64\"%s>\n" "  <UnstructuredGrid>\n" "    <FieldData>\n"
                "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                "format=\"ascii\">%.17g</DataArray>\n" "    </FieldData>\n"
                "    <Piece NumberOfPoints=\"%lld\" NumberOfCells=\"%lld\">\n",
                vtu->little ? "LittleEndian" : "BigEndian", compressor, results->time[exporting->what->first_frame],
                (long long)(results->elements * exporting->points),
                (long long)(results->elements * vtu->cells));
    fputs("      <Points>\n", vtu->file);
    put_arrays(vtu, POINTS, POINTS);
    fputs("      </Points>\n      <Cells>\n", vtu->file);
    put_arrays(vtu, CONNECTIVITY, TYPES);
    fputs("      </Cells>\n      <PointData>\n", vtu->file);
    put_arrays(vtu, NODE_FIELD, VECTOR);
    fputs("      </PointData>\n      <CellData>\n", vtu->file);
    put_arrays(vtu, CELL_FIELD, ELEMENT);
    fputs("      </CellData>\n    </Piece>\n  </UnstructuredGrid>\n  <AppendedData encoding=\"raw\">\n_", vtu->file);
    vtu->data = ftell(vtu->file);
}

/* ---- an element's part of an array ------------------------------------------------------------------------------- */

static void fill_points(const struct vtu *vtu, int64_t e, double *to)
{
    const struct ewi_exporting *exporting = vtu->exporting;
    const double *corner = exporting->xy + 6 * e;
    for (int k = 0; k < exporting->points; k++) {
        const double *rs = &exporting->rs[2 * vtu->order[k]];
        for (int d = 0; d < 2; d++)
            to[3 * k + d] = (1 - rs[0] - rs[1]) * corner[d] + rs[0] * corner[2 + d] + rs[1] * corner[4 + d];
        to[3 * k + 2] = 0;
    }
}

static void fill_cells(const struct vtu *vtu, enum source source, int64_t element, int64_t *to)
{
    const struct ewi_exporting *exporting = vtu->exporting;
    int nodes = vtu->cell_nodes;
    for (int cell = 0; cell < vtu->cells; cell++) {
        if (source == OFFSETS)
            to[cell] = (element * vtu->cells + cell + 1) * nodes;
        else if (source == ELEMENT)
            to[cell] = element;
        else
            for (int k = 0; k < nodes; k++)
                to[cell * nodes + k] =
                    element * exporting->points + (exporting->what->lagrange ? k : exporting->corner[3 * cell + k]);
    }
}

static void fill(const struct vtu *vtu, const struct array *array, int64_t first, int64_t e, char *to)
{
    const struct ewi_exporting *exporting = vtu->exporting;
    switch (array->source) {
    case POINTS:
        fill_points(vtu, e, (double *)to);
        break;
    case TYPES:
        memset(to, exporting->what->lagrange ? LAGRANGE_TRIANGLE : TRIANGLE, array->bytes);
        break;
    case NODE_FIELD:
        for (int k = 0; k < exporting->points; k++)
            ((double *)to)[k] = vtu->values[e * exporting->points + vtu->order[k]];
        break;
    case VECTOR:
        for (int k = 0; k < exporting->points; k++) {
            ((double *)to)[3 * k] = vtu->values[e * exporting->points + vtu->order[k]];
            ((double *)to)[3 * k + 1] = vtu->seconds[e * exporting->points + vtu->order[k]];
            ((double *)to)[3 * k + 2] = 0;
        }
        break;
    case CELL_FIELD:
        memcpy(to, vtu->values + e * vtu->cells, array->bytes);
        break;
    default:
        fill_cells(vtu, array->source, first + e, (int64_t *)to);
    }
}

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static int write_failed(const struct vtu *vtu, ew_error *error)
{
    return ewi_output_failure(vtu->exporting->output, errno, error);
}

#ifdef EWI_HAVE_ZLIB

struct packing {
    const struct vtu *vtu;
    uLongf size[BATCH];
    _Atomic int failures;
};

static void pack_blocks(void *context, int64_t first, int64_t last)
{
    struct packing *packing = context;
    const struct vtu *vtu = packing->vtu;
    for (size_t k = (size_t)first; k < (size_t)last; k++) {
        size_t length = vtu->staged - k * BLOCK < BLOCK ? vtu->staged - k * BLOCK : BLOCK;
        packing->size[k] = vtu->packed_room;
        packing->failures += compress2((Bytef *)vtu->packed + k * vtu->packed_room, &packing->size[k],
                                       (const Bytef *)vtu->staging + k * BLOCK, (uLong)length, LEVEL) != Z_OK;
    }
}

/* Several threads compress blocks, which are then written in order. */
static int flush_blocks(struct vtu *vtu, ew_error *error)
{
    size_t blocks = (vtu->staged + BLOCK - 1) / BLOCK;
    struct packing packing = {.vtu = vtu};
    ewi_parallel_parts(0, (int64_t)blocks, 1, pack_blocks, &packing);
    if (packing.failures)
        return ewi_fail(error, EW_ENOMEM, "not enough memory to compress %s", vtu->exporting->output->path);
    errno = 0;
    for (size_t k = 0; k < blocks; k++) {
        vtu->head[3 + vtu->blocks++] = packing.size[k];
        if (fwrite(vtu->packed + k * vtu->packed_room, 1, packing.size[k], vtu->file) != packing.size[k])
            return write_failed(vtu, error);
    }
    vtu->staged = 0;
    return EW_OK;
}

/* Fills in the number of blocks, their size, the last one's size if it is smaller, and the compressed sizes. */
static size_t prepare_head(struct vtu *vtu, size_t total)
{
    size_t blocks = (total + BLOCK - 1) / BLOCK;
    vtu->head[0] = blocks;
    vtu->head[1] = BLOCK;
    vtu->head[2] = total % BLOCK;
    return 3 + blocks;
}

#else

static int flush_blocks(struct vtu *vtu, ew_error *error)
{
    errno = 0;
    if (fwrite(vtu->staging, 1, vtu->staged, vtu->file) != vtu->staged)
        return write_failed(vtu, error);
    vtu->staged = 0;
    return EW_OK;
}

static size_t prepare_head(struct vtu *vtu, size_t total)
{
    vtu->head[0] = total;
    return 1;
}

#endif

static int append(struct vtu *vtu, const char *bytes, size_t count, ew_error *error)
{
    while (count > 0) {
        size_t room = (size_t)BATCH * BLOCK - vtu->staged, part = count < room ? count : room;
        memcpy(vtu->staging + vtu->staged, bytes, part);
        vtu->staged += part;
        bytes += part;
        count -= part;
        TRY(vtu->staged == (size_t)BATCH * BLOCK ? flush_blocks(vtu, error) : EW_OK);
    }
    return EW_OK;
}

/* ---- the data ---------------------------------------------------------------------------------------------------- */

static int read_slab(struct vtu *vtu, const struct array *array, int64_t first, int64_t count, ew_error *error)
{
    const struct ewi_exporting *exporting = vtu->exporting;
    const struct ew_results *results = exporting->results;
    int64_t frame = exporting->what->first_frame;
    static const double middle[2] = {1.0 / 3, 1.0 / 3};
    switch (array->source) {
    case POINTS:
        return ew_results_corners(results, first, count, exporting->xy, error);
    case VECTOR:
    case NODE_FIELD:
        if (array->source == VECTOR)
            TRY(ew_results_sample(results, frame, array->second, first, count, exporting->points, exporting->rs,
                                  vtu->seconds, error));
        return ew_results_sample(results, frame, array->field, first, count, exporting->points, exporting->rs,
                                 vtu->values, error);
    case CELL_FIELD:
        return ew_results_sample(results, frame, array->field, first, count, vtu->cells,
                                 exporting->what->lagrange ? middle : exporting->centre, vtu->values, error);
    default:
        return EW_OK;
    }
}

static int write_array(struct vtu *vtu, struct array *array, char *part, ew_error *error)
{
    const struct ew_results *results = vtu->exporting->results;
    size_t numbers = prepare_head(vtu, array->bytes * (size_t)results->elements);
    long start = ftell(vtu->file);
    vtu->staged = vtu->blocks = 0;
    errno = 0;
    if (start < 0 || fseek(vtu->file, array->place, SEEK_SET) != 0 ||
        ewi_fprintf(vtu->file, "%ld\"", start - vtu->data) < 2 || fseek(vtu->file, start, SEEK_SET) != 0 ||
        fwrite(vtu->head, sizeof *vtu->head, numbers, vtu->file) != numbers)
        return write_failed(vtu, error);
    for (int64_t first = 0; first < results->elements; first += results->slab) {
        int64_t count = ewi_export_slab(vtu->exporting, first);
        TRY(read_slab(vtu, array, first, count, error));
        for (int64_t e = 0; e < count; e++) {
            fill(vtu, array, first, e, part);
            TRY(append(vtu, part, array->bytes, error));
        }
    }
    TRY(flush_blocks(vtu, error));
    errno = 0;
    if (fseek(vtu->file, start, SEEK_SET) != 0 || fwrite(vtu->head, sizeof *vtu->head, numbers, vtu->file) != numbers ||
        fseek(vtu->file, 0, SEEK_END) != 0)
        return write_failed(vtu, error);
    return EW_OK;
}

static int write_arrays(struct vtu *vtu, char *part, ew_error *error)
{
    put_head(vtu);
    for (int k = 0; k < vtu->arrays; k++)
        TRY(write_array(vtu, &vtu->array[k], part, error));
    fputs("\n  </AppendedData>\n</VTKFile>\n", vtu->file);
    return EW_OK;
}

int ewi_export_vtu(struct ewi_exporting *exporting, ew_error *error)
{
    const struct ew_results *results = exporting->results;
    const struct ewi_output *output = exporting->output;
    struct ewi_arena *memory = &exporting->memory;
    bool lagrange = exporting->what->lagrange != 0;
    struct vtu vtu = {.exporting = exporting, .file = exporting->file, .cells = lagrange ? 1 : exporting->triangles,
                      .cell_nodes = lagrange ? exporting->points : 3, .values = exporting->buffer,
                      .packed_room = BLOCK + BLOCK / 8 + 64, .little = *(const char *)&(const int){1} == 1};
    size_t points = (size_t)exporting->points, largest = 24 * (points + (size_t)exporting->triangles);
    if (!output->part[0] && strncmp(output->path, "/dev/", 5) == 0)
        return ewi_fail(error, EW_EIO, "cannot write %s: VTU needs a file, in which it can go back", output->path);
    vtu.array = ewi_arena_alloc(memory, MOST_ARRAYS, sizeof *vtu.array);
    vtu.order = ewi_arena_alloc(memory, points, sizeof *vtu.order);
    vtu.seconds = ewi_arena_alloc(memory, exporting->values, sizeof *vtu.seconds);
    vtu.staging = ewi_arena_alloc(memory, BATCH, BLOCK);
    vtu.packed = ewi_arena_alloc(memory, BATCH, vtu.packed_room);
    vtu.head = ewi_arena_alloc(memory, largest * (size_t)results->elements / BLOCK + 8, sizeof *vtu.head);
    char *part = ewi_arena_alloc(memory, largest, 1);
    if (memory->lacks)
        return ewi_export_no_memory(exporting, error);
    for (int k = 0; k < exporting->points; k++)
        vtu.order[k] = k;
    if (lagrange)
        ewi_lagrange_order(exporting->subdivide, vtu.order);
    list_arrays(&vtu);
    return write_arrays(&vtu, part, error);
}
