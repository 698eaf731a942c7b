/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes rectangles, cut into triangles.
 *
 * Grid lines: the split points of bottom and top divide the x-axis, those of left and right the y-axis. Each interval
 * gets a share of the nx (ny) cells in proportion to its length, but at least one cell; its cells are equally wide.
 * Without split points, or if all of them lie on lines of the uniform grid, the grid is uniform.
 *
 * Diagonals alternate like the fields of a chessboard, so no direction is preferred; the first cell's runs from lower
 * left to upper right.
 *
 * Jitter: each inner node, row by row, takes two numbers from splitmix64 and moves by up to jitter/2 of the smaller
 * neighbouring cell in x and y. A move that would squash a triangle is halved until every triangle keeps at least a
 * fifth of its area (of the smaller cells' area, if cells differ).
 */
#include "ewi_mesh_build.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define SAME_SPLIT 1e-9 /* of the side's length: split points nearer than this are one */
#define MOST_PARTS 1000 /* of a side */

enum { BOTTOM, RIGHT, TOP, LEFT };
static const char *const side_name[4] = {"bottom", "right", "top", "left"};

/* One direction of the grid. */
struct axis {
    int32_t cells, splits;
    double from, to;
    double *split; /* [splits]: inner split points, ascending */
    double *line;  /* [cells + 1] */
};

struct grid {
    const ew_rectangle *rectangle;
    struct ewi_scratch scratch;
    struct ewi_defects defects;
    struct axis x, y;
    int32_t names;
    const char **name;
    int32_t *part_name[4]; /* [parts]: number of its name */
    double *xy;
    int64_t *triangle, *line;
    int32_t *line_name;
};

static int64_t node_at(const struct grid *grid, int32_t i, int32_t j)
{
    return (int64_t)j * (grid->x.cells + 1) + i;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static void check_sizes(struct grid *grid)
{
    const ew_rectangle *r = grid->rectangle;
    struct ewi_defects *defects = &grid->defects;
    const double most = EWI_MESH_LARGEST_COORDINATE;
    if (!(fabs(r->x0) <= most && fabs(r->x1) <= most && fabs(r->y0) <= most && fabs(r->y1) <= most))
        ewi_defect(defects, EWI_DEFECT_ARGUMENT,
                   "the rectangle from (%g, %g) to (%g, %g) has coordinates that are not finite numbers of at most %g",
                   r->x0, r->y0, r->x1, r->y1, most);
    else if (!(r->x0 < r->x1 && r->y0 < r->y1))
        ewi_defect(defects, EWI_DEFECT_ARGUMENT,
                   "the rectangle from (%g, %g) to (%g, %g) is empty: its second corner must be above and to the right "
                   "of the first",
                   r->x0, r->y0, r->x1, r->y1);
    if (r->nx < 1 || r->ny < 1)
        ewi_defect(defects, EWI_DEFECT_ARGUMENT,
                   "the rectangle has %" PRId32 " by %" PRId32 " cells; both must be at least 1", r->nx, r->ny);
    else if (2 * (int64_t)r->nx * r->ny > EWI_MESH_MOST_TRIANGLES)
        ewi_defect(defects, EWI_DEFECT_ARGUMENT,
                   "the rectangle has %" PRId32 " by %" PRId32 " cells, so %" PRId64 " triangles; at most %" PRId64
                   " are possible",
                   r->nx, r->ny, 2 * (int64_t)r->nx * r->ny, EWI_MESH_MOST_TRIANGLES);
    if (!(r->jitter >= 0 && r->jitter < 0.7))
        ewi_defect(defects, EWI_DEFECT_ARGUMENT,
                   "the rectangle's jitter is %g; it must be at least 0 and less than 0.7", r->jitter);
    if (r->periodics < 0 || r->periodics > EWI_MESH_MOST_NAMES || (r->periodics > 0 && !r->periodic))
        ewi_defect(defects, EWI_DEFECT_ARGUMENT, "the rectangle has %" PRId32 " periodic pairs%s; 0 to %d are possible",
                   r->periodics, r->periodics > 0 && !r->periodic ? ", but where is NULL" : "", EWI_MESH_MOST_NAMES);
    for (int side = 0; side < 4; side++) {
        if (r->side[side].parts == 0 || !r->side[side].part)
            ewi_defect(defects, EWI_DEFECT_ARGUMENT, "the rectangle's %s side has no boundary name", side_name[side]);
        else if (r->side[side].parts > MOST_PARTS)
            ewi_defect(defects, EWI_DEFECT_ARGUMENT, "the rectangle's %s side has %zu parts; at most %d are possible",
                       side_name[side], r->side[side].parts, MOST_PARTS);
    }
}

static const struct axis *axis_of(const struct grid *grid, int side)
{
    return side == BOTTOM || side == TOP ? &grid->x : &grid->y;
}

/* The part that starts near `at`; the parts need not be in order. */
static const ew_side_part *part_from(const struct grid *grid, int side, double at)
{
    const struct axis *axis = axis_of(grid, side);
    const ew_side_part *part = grid->rectangle->side[side].part;
    for (size_t k = 0; k < grid->rectangle->side[side].parts; k++)
        if (fabs(part[k].from - at) <= SAME_SPLIT * (axis->to - axis->from))
            return &part[k];
    return NULL;
}

/* Walks along the side from part to part; it must meet every part once. */
static void check_cover(struct grid *grid, int side)
{
    const struct axis *axis = axis_of(grid, side);
    double length = axis->to - axis->from, at = axis->from, near = SAME_SPLIT * length;
    size_t parts = grid->rectangle->side[side].parts, met = 0;
    while (at < axis->to - near && met < parts) {
        const ew_side_part *part = part_from(grid, side, at);
        if (!part)
            break;
        at = part->to;
        met++;
    }
    if (fabs(at - axis->to) > near)
        ewi_defect(&grid->defects, EWI_DEFECT_ARGUMENT,
                   "the parts of the rectangle's %s side do not cover it: no part starts at %g, but the side runs from "
                   "%g to %g",
                   side_name[side], at, axis->from, axis->to);
    else if (met < parts)
        ewi_defect(&grid->defects, EWI_DEFECT_ARGUMENT,
                   "the parts of the rectangle's %s side overlap: %zu of %zu cover it already", side_name[side], met,
                   parts);
}

static void check_parts(struct grid *grid)
{
    for (int side = 0; side < 4; side++) {
        const struct axis *axis = axis_of(grid, side);
        const ew_side_part *part = grid->rectangle->side[side].part;
        int64_t before = grid->defects.total;
        for (size_t k = 0; k < grid->rectangle->side[side].parts; k++) {
            double near = SAME_SPLIT * (axis->to - axis->from);
            if (!part[k].name || !part[k].name[0])
                ewi_defect(&grid->defects, EWI_DEFECT_ARGUMENT, "a part of the rectangle's %s side has no name",
                           side_name[side]);
            else if (!(part[k].to - part[k].from > 2 * near))
                ewi_defect(
                    &grid->defects, EWI_DEFECT_ARGUMENT,
                    "\"%s\" on the rectangle's %s side runs from %g to %g: its end must be greater than its start",
                    part[k].name, side_name[side], part[k].from, part[k].to);
            else if (!(part[k].from >= axis->from - near && part[k].to <= axis->to + near))
                ewi_defect(&grid->defects, EWI_DEFECT_ARGUMENT,
                           "\"%s\" on the rectangle's %s side runs from %g to %g, but the side only from %g to %g",
                           part[k].name, side_name[side], part[k].from, part[k].to, axis->from, axis->to);
        }
        if (before == grid->defects.total)
            check_cover(grid, side);
    }
}

/* ---- grid lines -------------------------------------------------------------------------------------------------- */

static void insert_split(struct axis *axis, double at)
{
    double near = SAME_SPLIT * (axis->to - axis->from);
    if (at <= axis->from + near || at >= axis->to - near)
        return;
    int32_t k = axis->splits;
    for (int32_t other = 0; other < axis->splits; other++)
        if (fabs(axis->split[other] - at) <= near)
            return;
    for (; k > 0 && axis->split[k - 1] > at; k--)
        axis->split[k] = axis->split[k - 1];
    axis->split[k] = at;
    axis->splits++;
}

/* Collects the split points of two opposite sides, `side` and the next but one. */
static int collect_splits(struct grid *grid, struct axis *axis, int side, const char *words, char name)
{
    const ew_rectangle *r = grid->rectangle;
    axis->split = ewi_scratch_alloc(&grid->scratch, r->side[side].parts + r->side[side + 2].parts, sizeof *axis->split);
    if (!axis->split)
        return EW_ENOMEM;
    for (int s = side; s < 4; s += 2)
        for (size_t k = 0; k < r->side[s].parts; k++)
            insert_split(axis, r->side[s].part[k].from);
    if (axis->splits >= axis->cells)
        ewi_defect(&grid->defects, EWI_DEFECT_ARGUMENT,
                   "the parts of the %s sides split the rectangle at %" PRId32 " points, so it needs at least %" PRId32
                   " cells in %c, not %" PRId32,
                   words, axis->splits, axis->splits + 1, name, axis->cells);
    return EW_OK;
}

/* Each interval gets its share rounded down, at least 1; then the one furthest from its share gets or gives a cell. */
static void deal_cells(const struct axis *axis, const double *end, int32_t *count)
{
    int32_t intervals = axis->splits + 1, dealt = 0;
    for (int32_t k = 0; k < intervals; k++) {
        double share = axis->cells * ((end[k + 1] - end[k]) / (axis->to - axis->from));
        count[k] = share >= 1 ? (int32_t)(share + 1e-9) : 1;
        dealt += count[k];
    }
    while (dealt != axis->cells) {
        int32_t step = dealt < axis->cells ? 1 : -1, best = -1;
        double most = -INFINITY;
        for (int32_t k = 0; k < intervals; k++) {
            double lack = step * (axis->cells * ((end[k + 1] - end[k]) / (axis->to - axis->from)) - count[k]);
            if (lack > most && (step > 0 || count[k] > 1)) {
                most = lack;
                best = k;
            }
        }
        count[best] += step;
        dealt += step;
    }
}

static int place_lines(struct grid *grid, struct axis *axis)
{
    int32_t intervals = axis->splits + 1, at = 0;
    int32_t *count = ewi_scratch_alloc(&grid->scratch, (size_t)intervals, sizeof *count);
    double *end = ewi_scratch_alloc(&grid->scratch, (size_t)intervals + 1, sizeof *end);
    axis->line = ewi_scratch_alloc(&grid->scratch, (size_t)axis->cells + 1, sizeof *axis->line);
    if (!axis->line)
        return EW_ENOMEM;
    end[0] = axis->from;
    memcpy(end + 1, axis->split, (size_t)axis->splits * sizeof *end);
    end[intervals] = axis->to;
    deal_cells(axis, end, count);
    for (int32_t k = 0; k < intervals; k++)
        for (int32_t i = 0; i < count[k]; i++)
            axis->line[at++] = end[k] + (end[k + 1] - end[k]) * i / count[k];
    axis->line[axis->cells] = axis->to;
    return EW_OK;
}

static int make_lines(struct grid *grid, ew_error *error)
{
    TRY(collect_splits(grid, &grid->x, BOTTOM, "bottom and top", 'x'));
    TRY(collect_splits(grid, &grid->y, RIGHT, "left and right", 'y'));
    TRY(ewi_defects_close(&grid->defects, EW_EINVAL, error));
    TRY(place_lines(grid, &grid->x));
    return place_lines(grid, &grid->y);
}

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators": a number in [-1, 1). */
static double next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1;
}

/* The two triangles of a cell; the diagonal rises or falls. */
static void cut_cell(const struct grid *grid, int32_t i, int32_t j, int64_t node[2][3])
{
    int64_t a = node_at(grid, i, j), b = a + 1, d = node_at(grid, i, j + 1), c = d + 1;
    const int64_t rising[2][3] = {{a, b, c}, {a, c, d}}, falling[2][3] = {{a, b, d}, {b, c, d}};
    memcpy(node, (i + j) % 2 == 0 ? rising : falling, sizeof rising);
}

static bool cell_is_wide(const struct grid *grid, int32_t i, int32_t j, double least)
{
    int64_t node[2][3];
    cut_cell(grid, i, j, node);
    for (int t = 0; t < 2; t++) {
        const double *a = grid->xy + 2 * node[t][0], *b = grid->xy + 2 * node[t][1], *c = grid->xy + 2 * node[t][2];
        if (ewi_determinant(a, b, c) < least)
            return false;
    }
    return true;
}

static void move_node(struct grid *grid, int32_t i, int32_t j, uint64_t *state)
{
    const double *x = grid->x.line + i, *y = grid->y.line + j;
    double *xy = grid->xy + 2 * node_at(grid, i, j), width = fmin(x[1] - x[0], x[0] - x[-1]),
           height = fmin(y[1] - y[0], y[0] - y[-1]);
    double dx = next_random(state) * 0.5 * grid->rectangle->jitter * width,
           dy = next_random(state) * 0.5 * grid->rectangle->jitter * height;
    double least = 0.2 * width * height;
    for (int halvings = 0; halvings < 30; halvings++, dx *= 0.5, dy *= 0.5) {
        xy[0] = x[0] + dx;
        xy[1] = y[0] + dy;
        if (cell_is_wide(grid, i - 1, j - 1, least) && cell_is_wide(grid, i, j - 1, least) &&
            cell_is_wide(grid, i - 1, j, least) && cell_is_wide(grid, i, j, least))
            return;
    }
    xy[0] = x[0];
    xy[1] = y[0];
}

static void make_nodes(struct grid *grid)
{
    uint64_t state = grid->rectangle->seed;
    for (int32_t j = 0; j <= grid->y.cells; j++) {
        for (int32_t i = 0; i <= grid->x.cells; i++) {
            grid->xy[2 * node_at(grid, i, j)] = grid->x.line[i];
            grid->xy[2 * node_at(grid, i, j) + 1] = grid->y.line[j];
        }
    }
    for (int32_t j = 1; grid->rectangle->jitter > 0 && j < grid->y.cells; j++)
        for (int32_t i = 1; i < grid->x.cells; i++)
            move_node(grid, i, j, &state);
}

/* ---- triangles and boundary -------------------------------------------------------------------------------------- */

static void make_triangles(struct grid *grid)
{
    int64_t node[2][3], *to = grid->triangle;
    for (int32_t j = 0; j < grid->y.cells; j++) {
        for (int32_t i = 0; i < grid->x.cells; i++, to += 6) {
            cut_cell(grid, i, j, node);
            memcpy(to, node, sizeof node);
        }
    }
}

static int32_t number_of_name(struct grid *grid, const char *name)
{
    for (int32_t k = 0; k < grid->names; k++)
        if (strcmp(grid->name[k], name) == 0)
            return k;
    grid->name[grid->names] = name;
    return grid->names++;
}

static int collect_names(struct grid *grid)
{
    size_t most = 0;
    for (int side = 0; side < 4; side++)
        most += grid->rectangle->side[side].parts;
    grid->name = ewi_scratch_alloc(&grid->scratch, most, sizeof *grid->name);
    if (!grid->name)
        return EW_ENOMEM;
    for (int side = 0; side < 4; side++) {
        size_t parts = grid->rectangle->side[side].parts;
        grid->part_name[side] = ewi_scratch_alloc(&grid->scratch, parts, sizeof *grid->part_name[side]);
        if (!grid->part_name[side])
            return EW_ENOMEM;
        for (size_t k = 0; k < parts; k++)
            grid->part_name[side][k] = number_of_name(grid, grid->rectangle->side[side].part[k].name);
    }
    return EW_OK;
}

static int32_t name_at(const struct grid *grid, int side, double middle)
{
    const ew_side_part *part = grid->rectangle->side[side].part;
    for (size_t k = 0; k < grid->rectangle->side[side].parts; k++)
        if (middle > part[k].from && middle < part[k].to)
            return grid->part_name[side][k];
    return -1;
}

static void make_boundary(struct grid *grid)
{
    int64_t l = 0;
    for (int side = 0; side < 4; side++) {
        const struct axis *axis = axis_of(grid, side);
        for (int32_t k = 0; k < axis->cells; k++, l++) {
            int32_t across = side == TOP ? grid->y.cells : side == RIGHT ? grid->x.cells : 0;
            bool along_x = axis == &grid->x;
            grid->line[2 * l] = along_x ? node_at(grid, k, across) : node_at(grid, across, k);
            grid->line[2 * l + 1] = along_x ? node_at(grid, k + 1, across) : node_at(grid, across, k + 1);
            grid->line_name[l] = name_at(grid, side, 0.5 * (axis->line[k] + axis->line[k + 1]));
        }
    }
}

/* ---- the mesh ---------------------------------------------------------------------------------------------------- */

static int64_t nodes_of(const struct grid *grid)
{
    return ((int64_t)grid->x.cells + 1) * ((int64_t)grid->y.cells + 1);
}

static int64_t lines_of(const struct grid *grid)
{
    return 2 * ((int64_t)grid->x.cells + grid->y.cells);
}

static int fill_arrays(struct grid *grid)
{
    size_t cells = (size_t)grid->x.cells * (size_t)grid->y.cells;
    grid->xy = ewi_scratch_alloc(&grid->scratch, (size_t)nodes_of(grid), 2 * sizeof *grid->xy);
    grid->triangle = ewi_scratch_alloc(&grid->scratch, cells, 6 * sizeof *grid->triangle);
    grid->line = ewi_scratch_alloc(&grid->scratch, (size_t)lines_of(grid), 2 * sizeof *grid->line);
    grid->line_name = ewi_scratch_alloc(&grid->scratch, (size_t)lines_of(grid), sizeof *grid->line_name);
    if (grid->scratch.failed)
        return EW_ENOMEM;
    make_nodes(grid);
    make_triangles(grid);
    make_boundary(grid);
    return EW_OK;
}

static int prepare(struct grid *grid, ew_error *error)
{
    check_sizes(grid);
    TRY(ewi_defects_close(&grid->defects, EW_EINVAL, error));
    check_parts(grid);
    TRY(ewi_defects_close(&grid->defects, EW_EINVAL, error));
    TRY(make_lines(grid, error));
    return collect_names(grid);
}

static int build_rectangle(struct grid *grid, ew_mesh **mesh, ew_error *error)
{
    const ew_rectangle *r = grid->rectangle;
    int status;
    EWI_TRY(prepare(grid, error));
    EWI_TRY(fill_arrays(grid));
    const ew_mesh_data data = {
        .nodes = nodes_of(grid), .xy = grid->xy,
        .triangles = 2 * (int64_t)r->nx * r->ny, .triangle = grid->triangle,
        .lines = lines_of(grid), .line = grid->line, .line_name = grid->line_name,
        .names = grid->names, .name = grid->name,
        .periodics = r->periodics, .periodic = r->periodic,
        .report = r->report, .report_context = r->report_context,
    };
    status = ew_mesh_create(grid->scratch.host, &data, mesh, error);
out:
    return status;
}

static struct grid grid_of(const ew_rectangle *rectangle, const ew_host *own)
{
    return (struct grid){
        .rectangle = rectangle,
        .scratch = {.host = own},
        .defects = {.report = rectangle->report, .context = rectangle->report_context},
        .x = {.cells = rectangle->nx, .from = rectangle->x0, .to = rectangle->x1},
        .y = {.cells = rectangle->ny, .from = rectangle->y0, .to = rectangle->y1},
    };
}

static int without_memory(const ew_rectangle *rectangle, ew_error *error)
{
    return ewi_fail(error, EW_ENOMEM, "not enough memory for a rectangle of %" PRId32 " by %" PRId32 " cells",
                    rectangle->nx, rectangle->ny);
}

int ew_mesh_rectangle(const ew_host *host, const ew_rectangle *rectangle, ew_mesh **mesh, ew_error *error)
{
    EWI_REQUIRE(rectangle, mesh);
    const ew_host own = ewi_host_or_default(host);
    struct grid grid = grid_of(rectangle, &own);
    int status = build_rectangle(&grid, mesh, error);
    ewi_scratch_free(&grid.scratch);
    return status == EW_ENOMEM ? without_memory(rectangle, error) : status;
}

/* ---- size only --------------------------------------------------------------------------------------------------- */

static bool is_name_of(const struct grid *grid, int32_t number, const char *name)
{
    return number >= 0 && name && strcmp(grid->name[number], name) == 0;
}

/* In a periodic pair, edges of the first boundary become interior edges, and those of the second disappear. */
static void count_line(const struct grid *grid, int32_t name, ew_mesh_info *info)
{
    const ew_rectangle *r = grid->rectangle;
    info->boundary_edges++;
    for (int32_t k = 0; k < r->periodics; k++) {
        bool gone = is_name_of(grid, name, r->periodic[k].second);
        if (gone || is_name_of(grid, name, r->periodic[k].first))
            info->boundary_edges--;
        info->edges -= gone;
    }
}

static void count_boundary(const struct grid *grid, ew_mesh_info *info)
{
    for (int side = 0; side < 4; side++) {
        const struct axis *axis = axis_of(grid, side);
        for (int32_t k = 0; k < axis->cells; k++)
            count_line(grid, name_at(grid, side, 0.5 * (axis->line[k] + axis->line[k + 1])), info);
    }
}

static bool is_periodic(const struct grid *grid, int32_t name)
{
    const ew_rectangle *r = grid->rectangle;
    for (int32_t k = 0; k < r->periodics; k++)
        if (is_name_of(grid, name, r->periodic[k].first) || is_name_of(grid, name, r->periodic[k].second))
            return true;
    return false;
}

static void widths(const struct axis *axis, double *least, double *most)
{
    *least = INFINITY;
    *most = 0.0;
    for (int32_t k = 0; k < axis->cells; k++) {
        *least = fmin(*least, axis->line[k + 1] - axis->line[k]);
        *most = fmax(*most, axis->line[k + 1] - axis->line[k]);
    }
}

static void measure(const struct grid *grid, ew_mesh_info *info)
{
    const ew_rectangle *r = grid->rectangle;
    int64_t cells = (int64_t)r->nx * r->ny;
    double least_x, most_x, least_y, most_y;
    widths(&grid->x, &least_x, &most_x);
    widths(&grid->y, &least_y, &most_y);
    *info = (ew_mesh_info){
        .nodes = nodes_of(grid), .elements = 2 * cells, .edges = 3 * cells + r->nx + r->ny,
        .area = (r->x1 - r->x0) * (r->y1 - r->y0),
        .smallest_diameter = least_x + least_y - hypot(least_x, least_y),
        .largest_diameter = most_x + most_y - hypot(most_x, most_y),
        .xmin = r->x0, .ymin = r->y0, .xmax = r->x1, .ymax = r->y1,
    };
    count_boundary(grid, info);
    size_t letters = 0;
    for (int32_t k = 0; k < grid->names; k++)
        if (!is_periodic(grid, k)) {
            info->boundaries++;
            letters += strlen(grid->name[k]) + 1;
        }
    info->bytes = ewi_mesh_bytes(info->nodes, info->elements, info->edges, info->boundaries) + letters;
}

int ew_rectangle_info(const ew_host *host, const ew_rectangle *rectangle, ew_mesh_info *info, ew_error *error)
{
    EWI_REQUIRE(rectangle, info);
    const ew_host own = ewi_host_or_default(host);
    struct grid grid = grid_of(rectangle, &own);
    int status = prepare(&grid, error);
    if (status == EW_OK)
        measure(&grid, info);
    ewi_scratch_free(&grid.scratch);
    return status == EW_ENOMEM ? without_memory(rectangle, error) : status;
}
