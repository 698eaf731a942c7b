/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts the defects of a mesh and describes them. */
#include "ewi_mesh_build.h"
#include "ewi_text.h"

#include <inttypes.h>
#include <stdarg.h>

#define MOST_OF_A_KIND 10

static const char *const plural[EWI_DEFECT_KINDS] = {
#define X(kind, words) [EWI_DEFECT_##kind] = words,
    EWI_DEFECTS(X)
#undef X
};

static void pass_on(const struct ewi_defects *defects, const char *sentence)
{
    if (defects->report)
        defects->report(defects->context, sentence);
}

void ewi_defect(struct ewi_defects *defects, enum ewi_defect kind, const char *format, ...)
{
    bool is_first = defects->total++ == 0;
    if (++defects->of_kind[kind] > MOST_OF_A_KIND)
        return;
    char sentence[sizeof defects->first];
    int used = 0;
    if (defects->source)
        used = ewi_snprintf(sentence, sizeof sentence, "%.400s: ", defects->source);
    va_list arguments;
    va_start(arguments, format);
    ewi_vsnprintf(sentence + used, sizeof sentence - (size_t)used, format, arguments);
    va_end(arguments);
    if (is_first)
        ewi_snprintf(defects->first, sizeof defects->first, "%s", sentence);
    pass_on(defects, sentence);
}

int ewi_defects_close(struct ewi_defects *defects, int code, ew_error *error)
{
    if (!defects->total)
        return EW_OK;
    for (int kind = 0; kind < EWI_DEFECT_KINDS; kind++) {
        char sentence[512];
        if (defects->of_kind[kind] <= MOST_OF_A_KIND)
            continue;
        ewi_snprintf(sentence, sizeof sentence, "%.400s%sand %" PRId64 " more %s",
                     defects->source ? defects->source : "", defects->source ? ": " : "",
                     defects->of_kind[kind] - MOST_OF_A_KIND, plural[kind]);
        pass_on(defects, sentence);
    }
    if (defects->total == 1)
        return ewi_fail(error, code, "%s", defects->first);
    return ewi_fail(error, code, "%s (and %" PRId64 " more defect%s)", defects->first, defects->total - 1,
                    defects->total == 2 ? "" : "s");
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

/* The file's own number of node, triangle or line i; without one, its index. */
static int64_t label(const int64_t *labels, int64_t i)
{
    return labels ? labels[i] : i;
}

/* A node's label, or the index itself where there is no such node. */
static int64_t label_of_node(const ew_mesh_data *data, int64_t node)
{
    return node >= 0 && node < data->nodes ? label(data->node_label, node) : node;
}

struct ewi_words ewi_node_words(const struct ewi_mesh_build *build, int64_t node)
{
    struct ewi_words words;
    const ew_mesh_data *data = build->data;
    ewi_snprintf(words.text, sizeof words.text, "node %" PRId64 " (%g, %g)", label(data->node_label, node),
                 data->xy[2 * node], data->xy[2 * node + 1]);
    return words;
}

struct ewi_words ewi_triangle_words(const struct ewi_mesh_build *build, int64_t triangle)
{
    struct ewi_words words;
    const ew_mesh_data *data = build->data;
    const int64_t *node = data->triangle + 3 * triangle;
    ewi_snprintf(words.text, sizeof words.text, "triangle %" PRId64 " (nodes %" PRId64 ", %" PRId64 ", %" PRId64 ")",
                 label(data->triangle_label, triangle), label_of_node(data, node[0]), label_of_node(data, node[1]),
                 label_of_node(data, node[2]));
    return words;
}

struct ewi_words ewi_line_words(const struct ewi_mesh_build *build, int64_t line)
{
    struct ewi_words words;
    const ew_mesh_data *data = build->data;
    const int64_t *node = data->line + 2 * line;
    ewi_snprintf(words.text, sizeof words.text, "line %" PRId64 " (nodes %" PRId64 ", %" PRId64 ")",
                 label(data->line_label, line), label_of_node(data, node[0]), label_of_node(data, node[1]));
    return words;
}

struct ewi_words ewi_edge_words(const struct ewi_mesh_build *build, int32_t edge)
{
    struct ewi_words words;
    const ew_mesh_data *data = build->data;
    int64_t triangle = build->mesh->file_index[build->edges.edge[edge].left];
    ewi_snprintf(words.text, sizeof words.text, "the edge from %.150s to %.150s of triangle %" PRId64,
                 ewi_node_words(build, ewi_edge_from(build, edge)).text,
                 ewi_node_words(build, ewi_edge_to(build, edge)).text, label(data->triangle_label, triangle));
    return words;
}

bool ewi_mesh_has_nodes(struct ewi_mesh_build *build, enum ewi_defect kind, int64_t i, const int64_t *node, int count)
{
    int64_t nodes = build->data->nodes;
    int k = 0;
    while (k < count && node[k] >= 0 && node[k] < nodes)
        k++;
    if (k < count)
        ewi_defect(&build->defects, kind, "%s refers to node index %" PRId64 ", but there are %" PRId64 " nodes",
                   (count == 3 ? ewi_triangle_words(build, i) : ewi_line_words(build, i)).text, node[k], nodes);
    return k == count;
}
