/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One mesh in Gmsh's formats, for the tests of the reader: a unit square of four triangles around a middle node, with
 * the boundaries "walls" (bottom and top), "in" (left) and "7" (right, a physical group without a name). The writers
 * put bytes into a buffer; `big` asks for big-endian binary files, `second` for elements of second order, `parametric`
 * for parametric coordinates, `twice` for a surface in two groups, `parts` for a mesh that is divided into two.
 */
#ifndef GMSH_SAMPLES_H
#define GMSH_SAMPLES_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct sample {
    char bytes[4096];
    size_t size;
    const char *version;
    bool big, second, parametric, twice, parts;
};

/* Corners, then middles of the outer edges, which are curved, and of the inner ones. */
static const double sample_xy[13][2] = {{0, 0},      {1, 0},     {1, 1},       {0, 1},       {0.5, 0.5},
                                        {0.5, -0.1}, {1.1, 0.5}, {0.5, 1.1},   {-0.1, 0.5},  {0.25, 0.25},
                                        {0.75, 0.25}, {0.75, 0.75}, {0.25, 0.75}};
static const int sample_line[4][3] = {{1, 1, 2}, {7, 2, 3}, {1, 3, 4}, {2, 4, 1}}; /* physical group, nodes */
static const int sample_triangle[4][3] = {{1, 2, 5}, {2, 3, 5}, {3, 4, 5}, {4, 1, 5}};

static int sample_nodes(const struct sample *s)
{
    return s->second ? 13 : 5;
}

/* Gmsh's type of lines, 1 or 8, and of triangles, 2 or 9. */
static int sample_type(const struct sample *s, int dimension)
{
    return dimension + 7 * s->second;
}

/* The nodes of line or triangle i; returns how many. */
static int sample_element(const struct sample *s, int dimension, int i, int node[6])
{
    if (dimension == 1)
        memcpy(node, (int[3]){sample_line[i][1], sample_line[i][2], 6 + i}, 3 * sizeof *node);
    else
        memcpy(node, (int[6]){sample_triangle[i][0], sample_triangle[i][1], sample_triangle[i][2], 6 + i,
                              10 + (i + 1) % 4, 10 + i}, 6 * sizeof *node);
    return !s->second ? dimension + 1 : dimension == 1 ? 3 : 6;
}

__attribute__((format(printf, 2, 3))) static void put_text(struct sample *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(s->bytes + s->size, sizeof s->bytes - s->size, format, arguments);
    va_end(arguments);
    s->size += (size_t)length;
}

static void put_word(struct sample *s, const void *word, size_t size)
{
    const unsigned char *from = word;
    const uint16_t one = 1;
    bool machine_is_big = *(const unsigned char *)&one == 0;
    for (size_t k = 0; k < size; k++)
        s->bytes[s->size + k] = (char)from[machine_is_big == s->big ? k : size - 1 - k];
    s->size += size;
}

static void put_int(struct sample *s, int value)
{
    int32_t word = value;
    put_word(s, &word, sizeof word);
}

static void put_size(struct sample *s, uint64_t value)
{
    put_word(s, &value, sizeof value);
}

static void put_double(struct sample *s, double value)
{
    put_word(s, &value, sizeof value);
}

static void put_head(struct sample *s, bool binary)
{
    const char *version = s->version;
    put_text(s, "$MeshFormat\n%s %d 8\n", version, (int)binary);
    if (binary) {
        put_int(s, 1);
        put_text(s, "\n");
    }
    bool has_dimension = strcmp(version, "2") != 0;
    put_text(s, "$EndMeshFormat\n$PhysicalNames\n3\n");
    put_text(s, "%s", has_dimension ? "1 1 \"walls\"\n1 2 \"in\"\n2 3 \"the gas\"\n"
                                    : "1 \"walls\"\n2 \"in\"\n3 \"the gas\"\n");
    put_text(s, "$EndPhysicalNames\n");
}

/* In text, with what stands before the nodes. */
static void put_element(struct sample *s, int dimension, int i, const char *before)
{
    int node[6], count = sample_element(s, dimension, i, node);
    put_text(s, "%s", before);
    for (int k = 0; k < count; k++)
        put_text(s, " %d", node[k]);
    put_text(s, "\n");
}

/* A node at a point has no parameter, one on a curve has one, one on a surface has two. */
static int sample_dimension(int node)
{
    return node < 4 ? 0 : node == 4 || node > 8 ? 2 : 1;
}

static void write_22_ascii(struct sample *s)
{
    static const char *const parameters[] = {" 0 1", " 1 1 0.5", " 2 1 0.5 nan"};
    const char *section = s->parametric ? "ParametricNodes" : "Nodes";
    char before[64];
    put_head(s, false);
    put_text(s, "$%s\n%d\n", section, sample_nodes(s));
    for (int i = 0; i < sample_nodes(s); i++)
        put_text(s, "%d %g %g 0%s\n", i + 1, sample_xy[i][0], sample_xy[i][1],
                 s->parametric ? parameters[sample_dimension(i)] : "");
    put_text(s, "$End%s\n$Elements\n%d\n1 15 2 0 1 1\n", section, s->twice ? 13 : 9);
    for (int i = 0; i < 4; i++) {
        snprintf(before, sizeof before, "%d %d 2 %d %d", i + 2, sample_type(s, 1), sample_line[i][0], i + 1);
        put_element(s, 1, i, before);
    }
    for (int i = 0; i < 4; i++) {
        snprintf(before, sizeof before, "%d %d 2 3 1", i + 6, sample_type(s, 2));
        put_element(s, 2, i, before);
        snprintf(before, sizeof before, "%d %d 2 4 1", i + 106, sample_type(s, 2));
        if (s->twice)
            put_element(s, 2, i, before);
    }
    put_text(s, "$EndElements\n");
}

static void write_22_binary(struct sample *s)
{
    const char *section = s->parametric ? "ParametricNodes" : "Nodes";
    int node[6], count;
    put_head(s, true);
    put_text(s, "$%s\n%d\n", section, sample_nodes(s));
    for (int i = 0; i < sample_nodes(s); i++) {
        put_int(s, i + 1);
        put_double(s, sample_xy[i][0]);
        put_double(s, sample_xy[i][1]);
        put_double(s, 0);
        for (int k = 0; s->parametric && k < 2; k++)
            put_int(s, k == 0 ? sample_dimension(i) : 1);
        for (int k = 0; s->parametric && k < sample_dimension(i); k++)
            put_double(s, 0.5);
    }
    put_text(s, "\n$End%s\n$Elements\n9\n", section);
    const int point[] = {15, 1, 2, 1, 0, 1, 1};
    for (size_t k = 0; k < sizeof point / sizeof point[0]; k++)
        put_int(s, point[k]);
    for (int i = 0; i < 4; i++) { /* Gmsh itself writes a header before each element */
        const int words[] = {sample_type(s, 1), 1, 2, i + 2, sample_line[i][0], i + 1};
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
            put_int(s, words[k]);
        count = sample_element(s, 1, i, node);
        for (int k = 0; k < count; k++)
            put_int(s, node[k]);
    }
    put_int(s, sample_type(s, 2));
    put_int(s, 4);
    put_int(s, 2);
    for (int i = 0; i < 4; i++) {
        put_int(s, i + 6);
        put_int(s, 3);
        put_int(s, 1);
        count = sample_element(s, 2, i, node);
        for (int k = 0; k < count; k++)
            put_int(s, node[k]);
    }
    put_text(s, "\n$EndElements\n");
}

/* Two parts of two triangles, whose curves are 11 to 14 and whose surfaces are 2 and 3; curve 20 lies between them. */
static void put_parts_ascii(struct sample *s)
{
    put_text(s, "$PartitionedEntities\n2\n1\n9 1\n1 5 2 0\n9 0 1 2 1 2 0 0 0 0 \n");
    for (int i = 0; i < 4; i++)
        put_text(s, "%d 1 %d 1 %d 0 0 0 1 1 0 1 %d 2 9 -9 \n", i + 11, i + 1, i / 2 + 1, sample_line[i][0]);
    put_text(s, "20 2 1 2 1 2 0 0 0 1 1 0 1 3 2 9 -9 \n");
    put_text(s, "2 2 1 1 1 0 0 0 1 1 0 1 3 2 11 12 \n3 2 1 1 2 0 0 0 1 1 0 1 3 2 13 14 \n$EndPartitionedEntities\n");
}

static void write_41_ascii(struct sample *s)
{
    char before[64];
    int nodes = sample_nodes(s);
    put_head(s, false);
    put_text(s, "$Entities\n4 4 1 0\n");
    for (int i = 0; i < 4; i++)
        put_text(s, "%d %g %g 0 0 \n", i + 1, sample_xy[i][0], sample_xy[i][1]);
    for (int i = 0; i < 4; i++)
        put_text(s, "%d 0 0 0 1 1 0 1 %d 2 %d -%d \n", i + 1, i == 2 ? -sample_line[i][0] : sample_line[i][0],
                 sample_line[i][1], sample_line[i][2]);
    put_text(s, "1 0 0 0 1 1 0 1 3 4 1 2 3 4 \n$EndEntities\n");
    if (s->parts)
        put_parts_ascii(s);
    put_text(s, "$Nodes\n2 %d 1 %d\n0 1 0 4\n1\n2\n3\n4\n", nodes, nodes);
    for (int i = 0; i < 4; i++)
        put_text(s, "%g %g 0\n", sample_xy[i][0], sample_xy[i][1]);
    put_text(s, "2 1 0 %d\n", nodes - 4);
    for (int i = 4; i < nodes; i++)
        put_text(s, "%d\n", i + 1);
    for (int i = 4; i < nodes; i++)
        put_text(s, "%g %g 0\n", sample_xy[i][0], sample_xy[i][1]);
    put_text(s, "$EndNodes\n$Elements\n%d 9 1 9\n0 1 15 1\n1 1 \n", 6 + s->parts);
    for (int i = 0; i < 4; i++) {
        snprintf(before, sizeof before, "1 %d %d 1\n%d", i + 1 + 10 * s->parts, sample_type(s, 1), i + 2);
        put_element(s, 1, i, before);
    }
    for (int i = 0; i < 4; i++) {
        if (i % (s->parts ? 2 : 4) == 0)
            put_text(s, "2 %d %d %d\n", 1 + s->parts * (1 + i / 2), sample_type(s, 2), s->parts ? 2 : 4);
        snprintf(before, sizeof before, "%d", i + 6);
        put_element(s, 2, i, before);
    }
    put_text(s, "$EndElements\n");
}

static void put_entities(struct sample *s)
{
    const uint64_t counts[4] = {4, 4, 1, 0};
    put_text(s, "$Entities\n");
    for (int k = 0; k < 4; k++)
        put_size(s, counts[k]);
    for (int i = 0; i < 4; i++) {
        put_int(s, i + 1);
        put_double(s, sample_xy[i][0]);
        put_double(s, sample_xy[i][1]);
        put_double(s, 0);
        put_size(s, 0);
    }
    for (int i = 0; i < 5; i++) { /* four curves, then the surface */
        put_int(s, i < 4 ? i + 1 : 1);
        for (int k = 0; k < 6; k++)
            put_double(s, k >= 3);
        put_size(s, 1);
        put_int(s, i < 4 ? sample_line[i][0] : 3);
        put_size(s, i < 4 ? 2 : 4);
        for (int k = 1; k <= (i < 4 ? 2 : 4); k++)
            put_int(s, i < 4 ? sample_line[i][k] : k);
    }
    put_text(s, "\n$EndEntities\n");
}

/* As in text, without surfaces. */
static void put_parts(struct sample *s)
{
    put_text(s, "$PartitionedEntities\n");
    for (int k = 0; k < 6; k++)
        put_size(s, (const uint64_t[6]){1, 0, 0, 4, 0, 0}[k]);
    for (int i = 0; i < 4; i++) {
        put_int(s, i + 11);
        put_int(s, 1);
        put_int(s, i + 1);
        put_size(s, 1);
        put_int(s, i / 2 + 1);
        for (int k = 0; k < 6; k++)
            put_double(s, k >= 3);
        put_size(s, 1);
        put_int(s, sample_line[i][0]);
        put_size(s, 0);
    }
    put_text(s, "\n$EndPartitionedEntities\n");
}

static void put_block(struct sample *s, int dimension, int entity, int third, uint64_t count)
{
    put_int(s, dimension);
    put_int(s, entity);
    put_int(s, third);
    put_size(s, count);
}

static void write_41_binary(struct sample *s)
{
    const uint64_t all = (uint64_t)sample_nodes(s), nodes[4] = {2, all, 1, all}, elements[4] = {6, 9, 1, 9};
    int node[6], count;
    put_head(s, true);
    put_entities(s);
    if (s->parts)
        put_parts(s);
    put_text(s, "$Nodes\n");
    for (int k = 0; k < 4; k++)
        put_size(s, nodes[k]);
    for (int block = 0; block < 2; block++) {
        int first = block == 0 ? 0 : 4, last = block == 0 ? 4 : sample_nodes(s);
        put_block(s, block == 0 ? 0 : 2, 1, 0, (uint64_t)(last - first));
        for (int i = first; i < last; i++)
            put_size(s, (uint64_t)i + 1);
        for (int i = first; i < last; i++) {
            put_double(s, sample_xy[i][0]);
            put_double(s, sample_xy[i][1]);
            put_double(s, 0);
        }
    }
    put_text(s, "\n$EndNodes\n$Elements\n");
    for (int k = 0; k < 4; k++)
        put_size(s, elements[k]);
    put_block(s, 0, 1, 15, 1);
    put_size(s, 1);
    put_size(s, 1);
    for (int i = 0; i < 4; i++) {
        put_block(s, 1, i + 1 + 10 * s->parts, sample_type(s, 1), 1);
        put_size(s, (uint64_t)i + 2);
        count = sample_element(s, 1, i, node);
        for (int k = 0; k < count; k++)
            put_size(s, (uint64_t)node[k]);
    }
    put_block(s, 2, 1, sample_type(s, 2), 4);
    for (int i = 0; i < 4; i++) {
        put_size(s, (uint64_t)i + 6);
        count = sample_element(s, 2, i, node);
        for (int k = 0; k < count; k++)
            put_size(s, (uint64_t)node[k]);
    }
    put_text(s, "\n$EndElements\n");
}

static const struct {
    const char *name;
    void (*write)(struct sample *s);
    struct sample with; /* but the bytes */
    bool binary;
} sample_formats[] = {
    {"2.2 ASCII", write_22_ascii, {.version = "2.2"}, false},
    {"4.1 ASCII", write_41_ascii, {.version = "4.1"}, false},
    {"2.2 binary", write_22_binary, {.version = "2.2"}, true},
    {"4.1 binary", write_41_binary, {.version = "4.1"}, true},
    {"2.2 binary, big-endian", write_22_binary, {.version = "2.2", .big = true}, true},
    {"4.1 binary, big-endian", write_41_binary, {.version = "4.1", .big = true}, true},
    {"2.2 ASCII, second order", write_22_ascii, {.version = "2.2", .second = true}, false},
    {"4.1 ASCII, second order", write_41_ascii, {.version = "4.1", .second = true}, false},
    {"2.2 binary, second order", write_22_binary, {.version = "2.2", .second = true}, true},
    {"4.1 binary, second order", write_41_binary, {.version = "4.1", .big = true, .second = true}, true},
    {"2.0 ASCII", write_22_ascii, {.version = "2"}, false},
    {"2.0 binary", write_22_binary, {.version = "2"}, true},
    {"2.1 ASCII", write_22_ascii, {.version = "2.1"}, false},
    {"2.1 binary", write_22_binary, {.version = "2.1"}, true},
    {"2.2 ASCII, parametric", write_22_ascii, {.version = "2.2", .parametric = true}, false},
    {"2.2 binary, parametric", write_22_binary, {.version = "2.2", .big = true, .parametric = true}, true},
    {"2.2 ASCII, parametric, second order", write_22_ascii, {.version = "2.2", .second = true, .parametric = true},
     false},
    {"2.2 ASCII, a surface in two groups", write_22_ascii, {.version = "2.2", .twice = true}, false},
    {"4.1 ASCII, in parts", write_41_ascii, {.version = "4.1", .parts = true}, false},
    {"4.1 binary, in parts", write_41_binary, {.version = "4.1", .parts = true}, true},
};

enum { SAMPLE_FORMATS = sizeof sample_formats / sizeof sample_formats[0] };

static void write_sample(int format, struct sample *s)
{
    *s = sample_formats[format].with;
    sample_formats[format].write(s);
}

#endif
