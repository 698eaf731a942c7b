/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * SU2 meshes in two dimensions: keywords with "=", in any order, some followed by rows; "%" begins a comment line.
 * Nodes and elements are numbered from 0 in file order.
 */
#include "ewi_mesh_file.h"
#include "ewi_text.h"

#include <inttypes.h>
#include <string.h>

enum { LINE = 3, TRIANGLE = 5, QUADRANGLE = 9 }; /* VTK's numbers */
enum { NO_MARKER = -1 };

struct su2 {
    struct ewi_mesh_file *file;
    int64_t dimension, zones, elements, nodes, markers; /* by keyword; -1: not read yet */
    int32_t marker; /* position in name[], or NO_MARKER */
    int64_t tags;
    bool skips;     /* ignores rows that follow an unknown keyword */
    char skipped[256]; /* keywords that are ignored */
};

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static bool next_row(struct ewi_scan *scan)
{
    for (ewi_scan_skip_space(scan); *scan->at == '%'; ewi_scan_skip_space(scan))
        ewi_scan_skip_line(scan);
    return scan->at < scan->end;
}

/* Reads "KEYWORD =" if the row begins with it. */
static bool read_keyword(struct ewi_scan *scan, const char **keyword, size_t *length)
{
    struct ewi_scan ahead = *scan;
    while ((*ahead.at >= 'A' && *ahead.at <= 'Z') || *ahead.at == '_')
        ahead.at++;
    *keyword = scan->at;
    *length = (size_t)(ahead.at - scan->at);
    if (*length == 0 || *ewi_scan_next(&ahead) != '=')
        return false;
    scan->at = ahead.at + 1;
    return true;
}

/*
 * Reads the number after a keyword, which must occur once. If `least` is not 0, that many rows of `least` bytes must
 * follow.
 */
static int read_count(struct su2 *su2, const char *what, size_t least, int64_t *count)
{
    struct ewi_scan *scan = &su2->file->scan;
    const char *at = scan->at;
    if (*count >= 0)
        return ewi_scan_fail(scan, at, "a keyword is given twice: %s", what);
    TRY(ewi_scan_text_integer(scan, what, count));
    ewi_scan_skip_line(scan);
    return least > 0 ? ewi_scan_check_count(scan, at, *count, least, what) : EW_OK;
}

/* Reads the type and the nodes of an element; the row's last number, the element's own, is not needed. */
static int read_row(struct su2 *su2, int64_t *type, int64_t node[4])
{
    struct ewi_scan *scan = &su2->file->scan;
    next_row(scan);
    TRY(ewi_scan_text_integer(scan, "an element's type", type));
    int count = *type == LINE ? 2 : *type == TRIANGLE ? 3 : *type == QUADRANGLE ? 4 : 0;
    for (int k = 0; k < count; k++)
        TRY(ewi_scan_text_integer(scan, "a node of an element", &node[k]));
    ewi_scan_skip_line(scan);
    return EW_OK;
}

/* ---- keywords ---------------------------------------------------------------------------------------------------- */

static int read_dimension(struct su2 *su2)
{
    const char *at = su2->file->scan.at;
    TRY(read_count(su2, "the dimension", 0, &su2->dimension));
    return su2->dimension == 2 ? EW_OK : ewi_scan_fail(&su2->file->scan, at, "the mesh has %" PRId64 " dimensions, but "
                                                       "must have two", su2->dimension);
}

static int read_zones(struct su2 *su2)
{
    const char *at = su2->file->scan.at;
    TRY(read_count(su2, "the number of zones", 0, &su2->zones));
    return su2->zones == 1 ? EW_OK : ewi_scan_fail(&su2->file->scan, at, "the mesh has %" PRId64 " zones, but must "
                                                   "have one; save each zone in a file of its own", su2->zones);
}

static int read_elements(struct su2 *su2)
{
    struct ewi_mesh_file *file = su2->file;
    int64_t type = 0, node[4];
    TRY(read_count(su2, "elements", 8, &su2->elements));
    TRY(ewi_file_reserve_triangles(file, su2->elements));
    for (int64_t k = 0; k < su2->elements; k++) {
        next_row(&file->scan);
        const char *at = file->scan.at;
        TRY(read_row(su2, &type, node));
        if (type != TRIANGLE && type != QUADRANGLE)
            return ewi_scan_fail(&file->scan, at, "element %" PRId64 " is of type %" PRId64 ", but only triangles (5) "
                                 "and quadrangles (9) are read", k, type);
        TRY((type == TRIANGLE ? ewi_file_add_triangle : ewi_file_add_quadrangle)(file, k, 0, node));
    }
    return EW_OK;
}

static int read_points(struct su2 *su2)
{
    struct ewi_mesh_file *file = su2->file;
    struct ewi_scan *scan = &file->scan;
    TRY(read_count(su2, "points", 4, &su2->nodes));
    TRY(ewi_file_allocate_nodes(file, su2->nodes));
    for (; file->nodes < su2->nodes; file->nodes++) {
        next_row(scan);
        TRY(ewi_scan_text_number(scan, "a point's x-coordinate", &file->xy[2 * file->nodes]));
        TRY(ewi_scan_text_number(scan, "a point's y-coordinate", &file->xy[2 * file->nodes + 1]));
        ewi_scan_skip_line(scan);
        file->node_label[file->nodes] = file->nodes;
    }
    return EW_OK;
}

static int read_marker_count(struct su2 *su2)
{
    return read_count(su2, "markers", 0, &su2->markers);
}

static void note_skipped(struct su2 *su2, const char *keyword, size_t length)
{
    size_t used = strlen(su2->skipped);
    char word[64];
    ewi_snprintf(word, sizeof word, "%s%.*s", used > 0 ? ", " : "", length < 60 ? (int)length : 60, keyword);
    if (!strstr(su2->skipped, word + (used > 0 ? 2 : 0)))
        ewi_snprintf(su2->skipped + used, sizeof su2->skipped - used, "%s", word);
}

/* The rest of the line is the name. Markers for the exchange between parts are not boundaries. */
static int read_marker_tag(struct su2 *su2)
{
    struct ewi_mesh_file *file = su2->file;
    const char *first = ewi_scan_next(&file->scan);
    ewi_scan_skip_line(&file->scan);
    const char *last = file->scan.at;
    while (last > first && (last[-1] == '\n' || last[-1] == '\r' || last[-1] == ' ' || last[-1] == '\t'))
        last--;
    su2->tags++;
    if (first == last || memchr(first, '\0', (size_t)(last - first)))
        return ewi_scan_fail(&file->scan, first, "a marker has no name");
    su2->marker = NO_MARKER;
    if (last - first == 12 && memcmp(first, "SEND_RECEIVE", 12) == 0) {
        note_skipped(su2, first, 12);
        return EW_OK;
    }
    TRY(ewi_file_group(file, file->names, &su2->marker));
    file->name[su2->marker].optional = true; /* markers may be empty */
    return ewi_file_set_name(file, su2->marker, first, (size_t)(last - first));
}

static int read_marker_rows(struct su2 *su2)
{
    struct ewi_mesh_file *file = su2->file;
    int64_t count = -1, type = 0, node[4];
    if (su2->tags == 0)
        return ewi_scan_fail(&file->scan, file->scan.at, "MARKER_ELEMS comes before MARKER_TAG");
    TRY(read_count(su2, "lines of a marker", 4, &count));
    for (int64_t k = 0; k < count; k++) {
        next_row(&file->scan);
        const char *at = file->scan.at;
        TRY(read_row(su2, &type, node));
        if (su2->marker == NO_MARKER)
            continue;
        if (type != LINE)
            return ewi_scan_fail(&file->scan, at, "a marker has an element of type %" PRId64 ", but only lines (3) are "
                                 "read", type);
        TRY(ewi_file_add_line(file, file->lines, node, -1, su2->marker));
    }
    return EW_OK;
}

/* ---- the file ---------------------------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    int (*read)(struct su2 *su2);
} keywords[] = {
    {"NDIME", read_dimension}, {"NZONE", read_zones}, {"NELEM", read_elements}, {"NPOIN", read_points},
    {"NMARK", read_marker_count}, {"MARKER_TAG", read_marker_tag}, {"MARKER_ELEMS", read_marker_rows},
};
enum { KEYWORDS = sizeof keywords / sizeof keywords[0] };

static int find_keyword(const char *word, size_t length)
{
    int k = 0;
    while (k < KEYWORDS && (strlen(keywords[k].word) != length || memcmp(keywords[k].word, word, length) != 0))
        k++;
    return k;
}

static int read_section(struct su2 *su2)
{
    struct ewi_scan *scan = &su2->file->scan;
    const char *word;
    size_t length;
    if (!read_keyword(scan, &word, &length)) {
        if (!su2->skips)
            return ewi_scan_fail(scan, scan->at, "a keyword such as NPOIN= should be here: there are more rows than "
                                 "announced");
        ewi_scan_skip_line(scan);
        return EW_OK;
    }
    int k = find_keyword(word, length);
    su2->skips = k == KEYWORDS;
    if (!su2->skips)
        return keywords[k].read(su2);
    if (length != 5 || memcmp(word, "IZONE", 5) != 0)
        note_skipped(su2, word, length);
    ewi_scan_skip_line(scan);
    return EW_OK;
}

/* Elements may precede the nodes. */
static int check_nodes(const struct ewi_mesh_file *file, const char *what, int64_t count, int nodes,
                       const int64_t *node, const int64_t *label)
{
    for (int64_t k = 0; k < count * nodes; k++)
        if (node[k] < 0 || node[k] >= file->nodes)
            return ewi_fail(file->scan.error, EW_EMESH, "%.300s: %s %" PRId64 " (from 0) refers to node %" PRId64
                            ", but the nodes are 0 to %" PRId64, file->scan.source, what, label[k / nodes], node[k],
                            file->nodes - 1);
    return EW_OK;
}

static int check_content(const struct su2 *su2)
{
    const struct ewi_mesh_file *file = su2->file;
    const char *missing = su2->dimension < 0 ? "NDIME" : su2->elements < 0 ? "NELEM" : su2->nodes < 0 ? "NPOIN"
                          : su2->markers < 0 ? "NMARK" : NULL;
    if (missing)
        return ewi_scan_fail(&file->scan, file->scan.at, "the file ends without %s=", missing);
    if (su2->tags != su2->markers)
        return ewi_scan_fail(&file->scan, file->scan.at, "there should be %" PRId64 " markers, but the file has %"
                             PRId64, su2->markers, su2->tags);
    if (file->lines == 0)
        return ewi_fail(file->scan.error, EW_EMESH, "%.300s: the file has no marker with lines, so that no boundary "
                        "has a name", file->scan.source);
    TRY(check_nodes(file, "element", file->triangles, 3, file->triangle, file->triangle_label));
    return check_nodes(file, "line", file->lines, 2, file->line, file->line_label);
}

static int read_su2(struct ewi_mesh_file *file)
{
    struct su2 su2 = {.file = file, .dimension = -1, .zones = -1, .elements = -1, .nodes = -1, .markers = -1};
    while (next_row(&file->scan))
        TRY(read_section(&su2));
    TRY(check_content(&su2));
    if (su2.skipped[0])
        ewi_log(file->host, EW_LOG_WARNING, "%.300s: not taken over: %s%s", file->scan.source, su2.skipped,
                strstr(su2.skipped, "PERIODIC") ? "; boundaries are periodic by the case, kind = \"periodic\"" : "");
    return EW_OK;
}

static bool is_su2(const struct ewi_scan *scan)
{
    struct ewi_scan first = *scan;
    const char *word;
    size_t length;
    return next_row(&first) && read_keyword(&first, &word, &length) && find_keyword(word, length) < KEYWORDS;
}

const struct ewi_mesh_format ewi_su2_format = {.name = "SU2", .is = is_su2, .read = read_su2};
