/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How long a mesh takes from its file to the solver: a rectangle of N triangles is written as a Gmsh file in several
 * formats, and reading and preparing it is timed beside a plain read of the file's bytes and beside preparing the same
 * arrays.
 * Usage: mesh-load [-n triangles] [-d folder] [-f format]...   formats: 2.2-ascii 2.2-binary 4.1-ascii 4.1-binary
 */
#include "edgewise-case.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void die(const char *what, const char *why)
{
    fprintf(stderr, "mesh-load: %s: %s\n", what, why);
    exit(1);
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- writing ----------------------------------------------------------------------------------------------------- */

struct arrays {
    ew_mesh_info info;
    double *xy;
    int64_t *triangle, *line;
    int32_t *line_name;
    const char *name[4];
    ew_mesh *mesh;
};

static void make_arrays(int64_t triangles, struct arrays *a)
{
    static const ew_side_part parts[4] = {{"bottom", 0, 1}, {"right", 0, 1}, {"top", 0, 1}, {"left", 0, 1}};
    ew_rectangle square = {.x1 = 1, .y1 = 1, .nx = 1, .jitter = 0.3, .seed = 77};
    ew_error error;
    while (2 * (int64_t)square.nx * square.nx < triangles)
        square.nx++;
    square.ny = square.nx;
    for (int k = 0; k < 4; k++) {
        square.side[k].parts = 1;
        square.side[k].part = &parts[k];
    }
    if (ew_mesh_rectangle(NULL, &square, &a->mesh, &error) != EW_OK)
        die("rectangle", error.message);
    ew_mesh_get_info(a->mesh, &a->info);
    a->xy = malloc((size_t)a->info.nodes * 2 * sizeof *a->xy);
    a->triangle = malloc((size_t)a->info.elements * 3 * sizeof *a->triangle);
    a->line = malloc((size_t)a->info.boundary_edges * 2 * sizeof *a->line);
    a->line_name = malloc((size_t)a->info.boundary_edges * sizeof *a->line_name);
    if (!a->xy || !a->triangle || !a->line || !a->line_name)
        die("arrays", "no memory");
    ew_mesh_get_nodes(a->mesh, a->xy);
    ew_mesh_get_triangles(a->mesh, a->triangle);
    for (int64_t e = 0; e < a->info.boundary_edges; e++) {
        int64_t element;
        int side;
        ew_mesh_boundary_edge(a->mesh, e, &element, &side, &a->line_name[e]);
        a->line[2 * e] = a->triangle[3 * element + side];
        a->line[2 * e + 1] = a->triangle[3 * element + (side + 1) % 3];
    }
    for (int32_t k = 0; k < 4; k++)
        a->name[k] = ew_mesh_boundary(a->mesh, k, NULL);
}

static void put_int(FILE *file, int64_t value)
{
    int32_t word = (int32_t)value;
    fwrite(&word, sizeof word, 1, file);
}

static void put_size(FILE *file, int64_t value)
{
    fwrite(&value, sizeof value, 1, file);
}

static void put_head(FILE *file, const struct arrays *a, const char *version, bool binary)
{
    fprintf(file, "$MeshFormat\n%s %d 8\n", version, (int)binary);
    if (binary) {
        put_int(file, 1);
        fprintf(file, "\n");
    }
    fprintf(file, "$EndMeshFormat\n$PhysicalNames\n4\n");
    for (int k = 0; k < 4; k++)
        fprintf(file, "1 %d \"%s\"\n", k + 1, a->name[k]);
    fprintf(file, "$EndPhysicalNames\n");
}

static void write_22(FILE *file, const struct arrays *a, bool binary)
{
    int64_t lines = a->info.boundary_edges;
    put_head(file, a, "2.2", binary);
    fprintf(file, "$Nodes\n%" PRId64 "\n", a->info.nodes);
    for (int64_t i = 0; i < a->info.nodes; i++) {
        const double xyz[3] = {a->xy[2 * i], a->xy[2 * i + 1], 0};
        if (binary) {
            put_int(file, i + 1);
            fwrite(xyz, sizeof xyz, 1, file);
        } else {
            fprintf(file, "%" PRId64 " %.16g %.16g 0\n", i + 1, xyz[0], xyz[1]);
        }
    }
    fprintf(file, "$EndNodes\n$Elements\n%" PRId64 "\n", lines + a->info.elements);
    for (int64_t i = 0; i < lines + a->info.elements; i++) {
        bool is_line = i < lines;
        const int64_t *node = is_line ? a->line + 2 * i : a->triangle + 3 * (i - lines);
        int64_t group = is_line ? a->line_name[i] + 1 : 5;
        if (!binary) {
            fprintf(file, "%" PRId64 " %d 2 %" PRId64 " 1 %" PRId64 " %" PRId64, i + 1, is_line ? 1 : 2, group,
                    node[0] + 1, node[1] + 1);
            fprintf(file, is_line ? "\n" : " %" PRId64 "\n", is_line ? 0 : node[2] + 1);
            continue;
        }
        const int64_t head[6] = {is_line ? 1 : 2, 1, 2, i + 1, group, 1};
        for (int k = 0; k < 6; k++)
            put_int(file, head[k]);
        for (int k = 0; k < (is_line ? 2 : 3); k++)
            put_int(file, node[k] + 1);
    }
    fprintf(file, "\n$EndElements\n");
}

static void put_entities(FILE *file, bool binary)
{
    fprintf(file, "$Entities\n");
    if (!binary) {
        fprintf(file, "0 4 1 0\n");
        for (int k = 1; k <= 4; k++)
            fprintf(file, "%d 0 0 0 1 1 0 1 %d 0\n", k, k);
        fprintf(file, "1 0 0 0 1 1 0 0 0\n$EndEntities\n");
        return;
    }
    const int64_t counts[4] = {0, 4, 1, 0};
    const double box[6] = {0, 0, 0, 1, 1, 0};
    fwrite(counts, sizeof counts, 1, file);
    for (int k = 1; k <= 5; k++) {
        put_int(file, k <= 4 ? k : 1);
        fwrite(box, sizeof box, 1, file);
        put_size(file, k <= 4);
        if (k <= 4)
            put_int(file, k);
        put_size(file, 0);
    }
    fprintf(file, "\n$EndEntities\n");
}

static void put_block(FILE *file, bool binary, int dimension, int entity, int third, int64_t count)
{
    if (!binary) {
        fprintf(file, "%d %d %d %" PRId64 "\n", dimension, entity, third, count);
        return;
    }
    put_int(file, dimension);
    put_int(file, entity);
    put_int(file, third);
    put_size(file, count);
}

static void put_element(FILE *file, bool binary, int64_t label, const int64_t *node, int count)
{
    if (binary)
        put_size(file, label);
    else
        fprintf(file, "%" PRId64, label);
    for (int k = 0; k < count; k++) {
        if (binary)
            put_size(file, node[k] + 1);
        else
            fprintf(file, " %" PRId64, node[k] + 1);
    }
    if (!binary)
        fprintf(file, "\n");
}

static void put_counts(FILE *file, bool binary, int64_t blocks, int64_t count)
{
    const int64_t words[4] = {blocks, count, 1, count};
    if (binary)
        fwrite(words, sizeof words, 1, file);
    else
        fprintf(file, "%" PRId64 " %" PRId64 " 1 %" PRId64 "\n", blocks, count, count);
}

static void write_41(FILE *file, const struct arrays *a, bool binary)
{
    int64_t lines = a->info.boundary_edges;
    put_head(file, a, "4.1", binary);
    put_entities(file, binary);
    fprintf(file, "$Nodes\n");
    put_counts(file, binary, 1, a->info.nodes);
    put_block(file, binary, 2, 1, 0, a->info.nodes);
    for (int64_t i = 1; i <= a->info.nodes; i++) {
        if (binary)
            put_size(file, i);
        else
            fprintf(file, "%" PRId64 "\n", i);
    }
    for (int64_t i = 0; i < a->info.nodes; i++) {
        const double xyz[3] = {a->xy[2 * i], a->xy[2 * i + 1], 0};
        if (binary)
            fwrite(xyz, sizeof xyz, 1, file);
        else
            fprintf(file, "%.16g %.16g 0\n", xyz[0], xyz[1]);
    }
    fprintf(file, "\n$EndNodes\n$Elements\n");
    put_counts(file, binary, 5, lines + a->info.elements);
    for (int64_t e = 0; e < lines;) { /* the edges of a mesh are grouped by boundary */
        int64_t end = e;
        while (end < lines && a->line_name[end] == a->line_name[e])
            end++;
        put_block(file, binary, 1, a->line_name[e] + 1, 1, end - e);
        for (; e < end; e++)
            put_element(file, binary, e + 1, a->line + 2 * e, 2);
    }
    put_block(file, binary, 2, 1, 2, a->info.elements);
    for (int64_t i = 0; i < a->info.elements; i++)
        put_element(file, binary, lines + i + 1, a->triangle + 3 * i, 3);
    fprintf(file, "\n$EndElements\n");
}

/* ---- timing ------------------------------------------------------------------------------------------------------ */

static int64_t read_plainly(const char *path)
{
    static char buffer[1 << 20];
    int64_t bytes = 0;
    ssize_t part;
    int file = open(path, O_RDONLY);
    while (file >= 0 && (part = read(file, buffer, sizeof buffer)) > 0)
        bytes += part;
    if (file < 0 || close(file) != 0)
        die(path, "cannot be read");
    return bytes;
}

/* The best of three, in seconds of this process: the machine's other work is not counted. */
static double time_of_arrays(const struct arrays *a)
{
    const ew_mesh_data data = {
        .nodes = a->info.nodes, .xy = a->xy, .triangles = a->info.elements, .triangle = a->triangle,
        .lines = a->info.boundary_edges, .line = a->line, .line_name = a->line_name, .names = 4, .name = a->name,
    };
    double best = 1e9;
    for (int k = 0; k < 3; k++) {
        ew_mesh *mesh = NULL;
        ew_error error;
        double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
        if (ew_mesh_create(NULL, &data, &mesh, &error) != EW_OK)
            die("ew_mesh_create", error.message);
        double spent = seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
        best = spent < best ? spent : best;
        ew_mesh_destroy(mesh);
    }
    return best;
}

static double time_of_file(const char *path)
{
    double best = 1e9;
    for (int k = 0; k < 3; k++) {
        ew_mesh *mesh = NULL;
        ew_error error;
        double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
        if (ew_gmsh_read(NULL, path, NULL, &mesh, &error) != EW_OK)
            die("ew_gmsh_read", error.message);
        double spent = seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
        best = spent < best ? spent : best;
        ew_mesh_destroy(mesh);
    }
    return best;
}

static double time_of_read(const char *path, int64_t *bytes)
{
    double best = 1e9;
    for (int k = 0; k < 3; k++) {
        double begin = seconds(CLOCK_PROCESS_CPUTIME_ID);
        *bytes = read_plainly(path);
        double spent = seconds(CLOCK_PROCESS_CPUTIME_ID) - begin;
        best = spent < best ? spent : best;
    }
    return best;
}

static const struct {
    const char *name;
    void (*write)(FILE *file, const struct arrays *a, bool binary);
    bool binary;
} formats[] = {{"2.2-ascii", write_22, false},
               {"2.2-binary", write_22, true}, {"4.1-ascii", write_41, false},
               {"4.1-binary", write_41, true}};

enum { FORMATS = sizeof formats / sizeof formats[0] };

static void bench(const struct arrays *a, int format, const char *folder, double prepare)
{
    char path[4096];
    int64_t bytes = 0;
    snprintf(path, sizeof path, "%s/mesh-load-%ld.msh", folder, (long)getpid());
    FILE *file = fopen(path, "wb");
    if (!file)
        die(path, "cannot be written");
    formats[format].write(file, a, formats[format].binary);
    if (fclose(file) != 0)
        die(path, "cannot be written");
    double plain = time_of_read(path, &bytes), load = time_of_file(path);
    unlink(path);
    printf("mesh-load format=%s triangles=%" PRId64
           " megabytes=%.1f read_s=%.3f load_s=%.3f prepare_s=%.3f load_per_read=%.1f "
           "load_per_prepare=%.2f\n",
           formats[format].name, a->info.elements, (double)bytes / 1e6, plain, load, prepare, load / plain,
           load / prepare);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int64_t triangles = 4000000;
    const char *folder = "/tmp";
    bool wanted[FORMATS] = {false}, all = true;
    int option;
    while ((option = getopt(argc, argv, "n:d:f:")) != -1)
        switch (option) {
        case 'n': triangles = strtoll(optarg, NULL, 10); break;
        case 'd': folder = optarg; break;
        case 'f':
            all = false;
            for (int k = 0; k < FORMATS; k++)
                wanted[k] = wanted[k] || strcmp(formats[k].name, optarg) == 0;
            break;
        default: return 64;
        }
    struct arrays arrays = {0};
    make_arrays(triangles, &arrays);
    double prepare = time_of_arrays(&arrays);
    for (int k = 0; k < FORMATS; k++)
        if (all || wanted[k])
            bench(&arrays, k, folder, prepare);
    free(arrays.xy);
    free(arrays.triangle);
    free(arrays.line);
    free(arrays.line_name);
    ew_mesh_destroy(arrays.mesh);
    return 0;
}
