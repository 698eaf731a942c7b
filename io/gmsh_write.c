/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Meshes as Gmsh's MSH 2.2 and 4.1, ASCII and binary (Gmsh reference manual, "MSH file format"). Each boundary is a
 * curve with a physical group, and there is one surface. Numbers in ASCII files are read back as the same bits.
 */
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_output_file.h"
#include "ewi_text.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { GMSH_LINE = 1, GMSH_TRIANGLE = 2 };
static const char surface_name[] = "domain";

struct writing {
    const ew_mesh *mesh;
    ew_mesh_info info;
    bool binary;
    FILE *file;
    double *xy;
    int64_t *triangle, *line; /* line: [boundary_edges][2], by boundary */
    double *box;              /* [boundaries][4]: least x and y, greatest x and y */
};

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* As text, a number is followed by a blank, or by a line break if it is the last one of its record. */
static void put_int(struct writing *writing, int64_t value, bool last)
{
    int word = (int)value;
    if (writing->binary)
        fwrite(&word, sizeof word, 1, writing->file);
    else
        ewi_fprintf(writing->file, "%d%c", word, last ? '\n' : ' ');
}

static void put_size(struct writing *writing, int64_t value, bool last)
{
    if (writing->binary)
        fwrite(&value, sizeof value, 1, writing->file);
    else
        ewi_fprintf(writing->file, "%lld%c", (long long)value, last ? '\n' : ' ');
}

/* Writes the numbers as one record. */
static void put_sizes(struct writing *writing, int count, const int64_t *value)
{
    for (int k = 0; k < count; k++)
        put_size(writing, value[k], k + 1 == count);
}

static void put_real(struct writing *writing, double value, bool last)
{
    if (writing->binary)
        fwrite(&value, sizeof value, 1, writing->file);
    else
        ewi_fprintf(writing->file, "%.17g%c", value, last ? '\n' : ' ');
}

static void put_node(struct writing *writing, int64_t node)
{
    put_real(writing, writing->xy[2 * node], false);
    put_real(writing, writing->xy[2 * node + 1], false);
    put_real(writing, 0, true);
}

static void put_section(struct writing *writing, const char *name)
{
    ewi_fprintf(writing->file, "%s%s\n", writing->binary && strncmp(name, "$End", 4) == 0 ? "\n" : "", name);
}

/* ---- parts of both versions -------------------------------------------------------------------------------------- */

static int64_t edges_of(const struct writing *writing, int32_t boundary)
{
    int64_t edges = 0;
    ew_mesh_boundary(writing->mesh, boundary, &edges);
    return edges;
}

static void put_head(struct writing *writing, const char *version)
{
    int32_t groups = writing->info.boundaries;
    ewi_fprintf(writing->file, "$MeshFormat\n%s %d 8\n", version, writing->binary);
    if (writing->binary) {
        int one = 1;
        fwrite(&one, sizeof one, 1, writing->file);
        putc('\n', writing->file);
    }
    fputs("$EndMeshFormat\n", writing->file);
    ewi_fprintf(writing->file, "$PhysicalNames\n%d\n", groups + 1);
    for (int32_t k = 0; k < groups; k++)
        ewi_fprintf(writing->file, "1 %d \"%s\"\n", k + 1, ew_mesh_boundary(writing->mesh, k, NULL));
    ewi_fprintf(writing->file, "2 %d \"%s\"\n$EndPhysicalNames\n", groups + 1, surface_name);
}

/* ---- 2.2 --------------------------------------------------------------------------------------------------------- */

static void put_element_22(struct writing *writing, int type, int64_t number, int64_t group, int nodes,
                           const int64_t *node)
{
    put_int(writing, number, false);
    if (!writing->binary) {
        put_int(writing, type, false);
        put_int(writing, 2, false);
    }
    put_int(writing, group, false);
    put_int(writing, group, false);
    for (int k = 0; k < nodes; k++)
        put_int(writing, node[k] + 1, k + 1 == nodes);
}

static void put_block_22(struct writing *writing, int type, int64_t count)
{
    const int head[3] = {type, (int)count, 2};
    if (writing->binary && count > 0)
        fwrite(head, sizeof *head, 3, writing->file);
}

static void put_22(struct writing *writing)
{
    const ew_mesh_info *info = &writing->info;
    int64_t number = 0, e = 0;
    put_head(writing, "2.2");
    ewi_fprintf(writing->file, "$Nodes\n%lld\n", (long long)info->nodes);
    for (int64_t i = 0; i < info->nodes; i++) {
        put_int(writing, i + 1, false);
        put_node(writing, i);
    }
    put_section(writing, "$EndNodes");
    ewi_fprintf(writing->file, "$Elements\n%lld\n", (long long)(info->boundary_edges + info->elements));
    put_block_22(writing, GMSH_LINE, info->boundary_edges);
    for (int32_t k = 0; k < info->boundaries; k++)
        for (int64_t last = e + edges_of(writing, k); e < last; e++)
            put_element_22(writing, GMSH_LINE, ++number, k + 1, 2, writing->line + 2 * e);
    put_block_22(writing, GMSH_TRIANGLE, info->elements);
    for (int64_t i = 0; i < info->elements; i++)
        put_element_22(writing, GMSH_TRIANGLE, ++number, info->boundaries + 1, 3, writing->triangle + 3 * i);
    put_section(writing, "$EndElements");
}

/* ---- 4.1 --------------------------------------------------------------------------------------------------------- */

static void put_entity(struct writing *writing, int64_t tag, const double *box)
{
    put_int(writing, tag, false);
    for (int k = 0; k < 6; k++)
        put_real(writing, k % 3 == 2 ? 0 : box[k / 3 * 2 + k % 3], false);
    put_size(writing, 1, false);
    put_int(writing, tag, false);
}

static void put_entities(struct writing *writing)
{
    const ew_mesh_info *info = &writing->info;
    put_section(writing, "$Entities");
    put_sizes(writing, 4, (int64_t[]){0, info->boundaries, 1, 0});
    for (int32_t k = 0; k < info->boundaries; k++) {
        put_entity(writing, k + 1, writing->box + 4 * k);
        put_size(writing, 0, true);
    }
    put_entity(writing, info->boundaries + 1, (double[4]){info->xmin, info->ymin, info->xmax, info->ymax});
    put_size(writing, info->boundaries, info->boundaries == 0);
    for (int32_t k = 0; k < info->boundaries; k++)
        put_int(writing, k + 1, k + 1 == info->boundaries);
    put_section(writing, "$EndEntities");
}

static void put_nodes_41(struct writing *writing)
{
    const ew_mesh_info *info = &writing->info;
    put_section(writing, "$Nodes");
    put_sizes(writing, 4, (int64_t[]){1, info->nodes, 1, info->nodes});
    put_int(writing, 2, false);
    put_int(writing, info->boundaries + 1, false);
    put_int(writing, 0, false);
    put_size(writing, info->nodes, true);
    for (int64_t i = 0; i < info->nodes; i++)
        put_size(writing, i + 1, true);
    for (int64_t i = 0; i < info->nodes; i++)
        put_node(writing, i);
    put_section(writing, "$EndNodes");
}

static void put_block_41(struct writing *writing, int dimension, int64_t tag, int type, int64_t count)
{
    put_int(writing, dimension, false);
    put_int(writing, tag, false);
    put_int(writing, type, false);
    put_size(writing, count, true);
}

static void put_elements_41(struct writing *writing)
{
    const ew_mesh_info *info = &writing->info;
    int64_t elements = info->boundary_edges + info->elements, number = 0, e = 0;
    put_section(writing, "$Elements");
    put_sizes(writing, 4, (int64_t[]){info->boundaries + 1, elements, 1, elements});
    for (int32_t k = 0; k < info->boundaries; k++) {
        int64_t last = e + edges_of(writing, k);
        put_block_41(writing, 1, k + 1, GMSH_LINE, edges_of(writing, k));
        for (const int64_t *node = writing->line + 2 * e; e < last; e++, node += 2)
            put_sizes(writing, 3, (int64_t[]){++number, node[0] + 1, node[1] + 1});
    }
    put_block_41(writing, 2, info->boundaries + 1, GMSH_TRIANGLE, info->elements);
    for (int64_t i = 0; i < info->elements; i++) {
        const int64_t *node = writing->triangle + 3 * i;
        put_sizes(writing, 4, (int64_t[]){++number, node[0] + 1, node[1] + 1, node[2] + 1});
    }
    put_section(writing, "$EndElements");
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

static void find_lines(struct writing *writing)
{
    for (int32_t k = 0; k < writing->info.boundaries; k++)
        memcpy(writing->box + 4 * k, (double[4]){INFINITY, INFINITY, -INFINITY, -INFINITY}, 4 * sizeof *writing->box);
    for (int64_t e = 0; e < writing->info.boundary_edges; e++) {
        int64_t element = 0;
        int side = 0;
        int32_t boundary = 0;
        ew_mesh_boundary_edge(writing->mesh, e, &element, &side, &boundary);
        double *box = writing->box + 4 * boundary;
        for (int end = 0; end < 2; end++) {
            int64_t node = writing->triangle[3 * element + (side + end) % 3];
            writing->line[2 * e + end] = node;
            for (int axis = 0; axis < 2; axis++) {
                box[axis] = fmin(box[axis], writing->xy[2 * node + axis]);
                box[2 + axis] = fmax(box[2 + axis], writing->xy[2 * node + axis]);
            }
        }
    }
}

/* Periodic edges, once joined, have different nodes on their two sides, and have lost their names. */
static int check_mesh(const struct writing *writing, const char *path, ew_error *error)
{
    const ew_mesh_info *info = &writing->info;
    for (int64_t e = info->boundary_edges; e < info->edges; e++) {
        int64_t element[2];
        int side[2];
        ew_mesh_edge(writing->mesh, e, element, side);
        if (writing->triangle[3 * element[0] + side[0]] != writing->triangle[3 * element[1] + (side[1] + 1) % 3])
            return ewi_fail(error, EW_EINVAL, "%s cannot be written: the mesh's periodic boundaries are joined and "
                            "have no names any more; write it before they are", path);
    }
    if (info->boundary_edges + info->elements > INT_MAX)
        return ewi_fail(error, EW_EINVAL, "%s cannot be written: Gmsh's files have at most %d elements", path, INT_MAX);
    return EW_OK;
}

static bool allocate(struct writing *writing, struct ewi_arena *memory)
{
    const ew_mesh_info *info = &writing->info;
    writing->xy = ewi_arena_alloc(memory, 2 * (size_t)info->nodes, sizeof *writing->xy);
    writing->triangle = ewi_arena_alloc(memory, 3 * (size_t)info->elements, sizeof *writing->triangle);
    writing->line = ewi_arena_alloc(memory, 2 * (size_t)info->boundary_edges, sizeof *writing->line);
    writing->box = ewi_arena_alloc(memory, 4 * (size_t)info->boundaries, sizeof *writing->box);
    return !memory->lacks;
}

static void put_mesh(struct writing *writing, enum ew_gmsh_version version)
{
    find_lines(writing);
    if (version == EW_GMSH_22) {
        put_22(writing);
        return;
    }
    put_head(writing, "4.1");
    put_entities(writing);
    put_nodes_41(writing);
    put_elements_41(writing);
}

int ew_gmsh_write(const ew_host *host, const ew_mesh *mesh, enum ew_gmsh_version version, int binary, const char *path,
                  ew_error *error)
{
    EWI_REQUIRE(mesh, path);
    if (version != EW_GMSH_22 && version != EW_GMSH_41)
        return ewi_fail(error, EW_EINVAL, "cannot write %s: there is no version %d of Gmsh's files in ew_gmsh_version",
                        path, (int)version);
    int status;
    struct ewi_arena memory = {.host = ewi_host_or_default(host)};
    struct ewi_output output;
    struct writing writing = {.mesh = mesh, .binary = binary != 0};
    ew_mesh_get_info(mesh, &writing.info);
    if (!allocate(&writing, &memory)) {
        status = ewi_fail(error, EW_ENOMEM, "not enough memory to write %s", path);
        goto out;
    }
    ew_mesh_get_nodes(mesh, writing.xy);
    ew_mesh_get_triangles(mesh, writing.triangle);
    EWI_TRY(check_mesh(&writing, path, error));
    EWI_TRY(ewi_output_open(&memory.host, path, &output, error));
    writing.file = output.file;
    errno = 0;
    put_mesh(&writing, version);
    status = ferror(output.file) ? ewi_output_failure(&output, errno, error) : EW_OK;
    status = ewi_output_close(&output, status, error);
out:
    ewi_arena_free(&memory);
    return status;
}
