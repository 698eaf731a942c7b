/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One mesh in Gmsh's formats, for the tests of the reader: a unit square of four triangles around a middle node, with
 * the boundaries "walls" (bottom and top), "in" (left) and "7" (right, a physical group without a name). The writers
 * put bytes into a buffer; `big` asks for big-endian binary files.
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
    bool big;
};

static const double sample_xy[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.5, 0.5}};
static const int sample_line[4][3] = {{1, 1, 2}, {7, 2, 3}, {1, 3, 4}, {2, 4, 1}}; /* physical group, nodes */
static const int sample_triangle[4][3] = {{1, 2, 5}, {2, 3, 5}, {3, 4, 5}, {4, 1, 5}};

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

static void put_head(struct sample *s, const char *version, bool binary)
{
    put_text(s, "$MeshFormat\n%s %d 8\n", version, (int)binary);
    if (binary) {
        put_int(s, 1);
        put_text(s, "\n");
    }
    put_text(s, "$EndMeshFormat\n$PhysicalNames\n3\n1 1 \"walls\"\n1 2 \"in\"\n2 3 \"the gas\"\n$EndPhysicalNames\n");
}

static void write_22_ascii(struct sample *s)
{
    put_head(s, "2.2", false);
    put_text(s, "$Nodes\n5\n");
    for (int i = 0; i < 5; i++)
        put_text(s, "%d %g %g 0\n", i + 1, sample_xy[i][0], sample_xy[i][1]);
    put_text(s, "$EndNodes\n$Elements\n9\n1 15 2 0 1 1\n");
    for (int i = 0; i < 4; i++)
        put_text(s, "%d 1 2 %d %d %d %d\n", i + 2, sample_line[i][0], i + 1, sample_line[i][1], sample_line[i][2]);
    for (int i = 0; i < 4; i++)
        put_text(s, "%d 2 2 3 1 %d %d %d\n", i + 6, sample_triangle[i][0], sample_triangle[i][1],
                 sample_triangle[i][2]);
    put_text(s, "$EndElements\n");
}

static void write_22_binary(struct sample *s)
{
    put_head(s, "2.2", true);
    put_text(s, "$Nodes\n5\n");
    for (int i = 0; i < 5; i++) {
        put_int(s, i + 1);
        put_double(s, sample_xy[i][0]);
        put_double(s, sample_xy[i][1]);
        put_double(s, 0);
    }
    put_text(s, "\n$EndNodes\n$Elements\n9\n");
    const int point[] = {15, 1, 2, 1, 0, 1, 1};
    for (size_t k = 0; k < sizeof point / sizeof point[0]; k++)
        put_int(s, point[k]);
    for (int i = 0; i < 4; i++) { /* Gmsh itself writes a header before each element */
        const int words[] = {1, 1, 2, i + 2, sample_line[i][0], i + 1, sample_line[i][1], sample_line[i][2]};
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
            put_int(s, words[k]);
    }
    put_int(s, 2);
    put_int(s, 4);
    put_int(s, 2);
    for (int i = 0; i < 4; i++) {
        const int words[] = {i + 6, 3, 1, sample_triangle[i][0], sample_triangle[i][1], sample_triangle[i][2]};
        for (size_t k = 0; k < sizeof words / sizeof words[0]; k++)
            put_int(s, words[k]);
    }
    put_text(s, "\n$EndElements\n");
}

static void write_41_ascii(struct sample *s)
{
    put_head(s, "4.1", false);
    put_text(s, "$Entities\n4 4 1 0\n");
    for (int i = 0; i < 4; i++)
        put_text(s, "%d %g %g 0 0 \n", i + 1, sample_xy[i][0], sample_xy[i][1]);
    for (int i = 0; i < 4; i++)
        put_text(s, "%d 0 0 0 1 1 0 1 %d 2 %d -%d \n", i + 1, i == 2 ? -sample_line[i][0] : sample_line[i][0],
                 sample_line[i][1], sample_line[i][2]);
    put_text(s, "1 0 0 0 1 1 0 1 3 4 1 2 3 4 \n$EndEntities\n$Nodes\n2 5 1 5\n0 1 0 4\n1\n2\n3\n4\n");
    for (int i = 0; i < 4; i++)
        put_text(s, "%g %g 0\n", sample_xy[i][0], sample_xy[i][1]);
    put_text(s, "2 1 0 1\n5\n0.5 0.5 0\n$EndNodes\n$Elements\n6 9 1 9\n0 1 15 1\n1 1 \n");
    for (int i = 0; i < 4; i++)
        put_text(s, "1 %d 1 1\n%d %d %d \n", i + 1, i + 2, sample_line[i][1], sample_line[i][2]);
    put_text(s, "2 1 2 4\n");
    for (int i = 0; i < 4; i++)
        put_text(s, "%d %d %d %d \n", i + 6, sample_triangle[i][0], sample_triangle[i][1], sample_triangle[i][2]);
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

static void put_block(struct sample *s, int dimension, int entity, int third, uint64_t count)
{
    put_int(s, dimension);
    put_int(s, entity);
    put_int(s, third);
    put_size(s, count);
}

static void write_41_binary(struct sample *s)
{
    const uint64_t nodes[4] = {2, 5, 1, 5}, elements[4] = {6, 9, 1, 9};
    put_head(s, "4.1", true);
    put_entities(s);
    put_text(s, "$Nodes\n");
    for (int k = 0; k < 4; k++)
        put_size(s, nodes[k]);
    for (int block = 0; block < 2; block++) {
        int first = block == 0 ? 0 : 4, last = block == 0 ? 4 : 5;
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
        put_block(s, 1, i + 1, 1, 1);
        put_size(s, (uint64_t)i + 2);
        put_size(s, (uint64_t)sample_line[i][1]);
        put_size(s, (uint64_t)sample_line[i][2]);
    }
    put_block(s, 2, 1, 2, 4);
    for (int i = 0; i < 4; i++) {
        put_size(s, (uint64_t)i + 6);
        for (int k = 0; k < 3; k++)
            put_size(s, (uint64_t)sample_triangle[i][k]);
    }
    put_text(s, "\n$EndElements\n");
}

static const struct {
    const char *name;
    void (*write)(struct sample *s);
    bool big, binary;
} sample_formats[] = {
    {"2.2 ASCII", write_22_ascii, false, false},         {"4.1 ASCII", write_41_ascii, false, false},
    {"2.2 binary", write_22_binary, false, true},        {"4.1 binary", write_41_binary, false, true},
    {"2.2 binary, big-endian", write_22_binary, true, true}, {"4.1 binary, big-endian", write_41_binary, true, true},
};

enum { SAMPLE_FORMATS = sizeof sample_formats / sizeof sample_formats[0] };

static void write_sample(int format, struct sample *s)
{
    *s = (struct sample){.big = sample_formats[format].big};
    sample_formats[format].write(s);
}

#endif
