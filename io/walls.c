/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Values along walls in NAME.nc: for each wall NAME of the plan, variables wall_NAME_x and so on over its points, in
 * order along the wall, and in every frame wall_NAME_p and so on.
 */
#include "ewi_error.h"
#include "ewi_fields.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

const struct ewi_wall_quantity ewi_wall_place[EWI_WALL_PLACES] = {
    {"arc", "length along the wall"}, {"x", "x"}, {"y", "y"}, {"nx", "outward normal, x-component"},
    {"ny", "outward normal, y-component"}};

/* A law without viscosity has the first two, and a wall without a temperature lacks the last one. */
const struct ewi_wall_quantity ewi_wall_value[EWI_WALL_VALUES] = {
    {"p", "pressure"}, {"cp", "pressure coefficient"}, {"shear", "shear stress on the wall, along it"},
    {"cf", "skin friction coefficient, along the wall"}, {"heat", "heat flux into the wall"},
    {"nusselt", "Nusselt number"}};

/* ---- edges in order ---------------------------------------------------------------------------------------------- */

static bool has_boundary(const ew_wall *wall, int boundary)
{
    for (int k = 0; k < wall->boundaries; k++)
        if (wall->boundary[k] == boundary)
            return true;
    return false;
}

/* Adds the wall's edges, numbered within their boundaries. */
static void collect(const ew_mesh *mesh, const ew_mesh_info *info, const ew_wall *wall, const double *xy,
                    const int64_t *triangle, struct ewi_chains *all)
{
    int64_t number = 0;
    int32_t before = -1;
    for (int64_t e = 0; e < info->boundary_edges; e++) {
        struct ewi_chain_edge edge = {.number = 0};
        int32_t boundary = 0;
        ew_mesh_boundary_edge(mesh, e, &edge.element, &edge.side, &boundary);
        number = boundary == before ? number + 1 : 0;
        before = boundary;
        if (!has_boundary(wall, boundary))
            continue;
        const int64_t *node = triangle + 3 * edge.element;
        memcpy(edge.from, xy + 2 * node[edge.side], sizeof edge.from);
        memcpy(edge.to, xy + 2 * node[(edge.side + 1) % 3], sizeof edge.to);
        edge.boundary = boundary;
        edge.number = number;
        all->edge[all->count++] = edge;
    }
}

static int append(void *context, const struct ewi_chain_edge *edge, ew_error *error)
{
    struct ewi_wall *wall = context;
    (void)error;
    wall->edge[wall->edges++] = *edge;
    return EW_OK;
}

static int no_memory(ew_error *error)
{
    return ewi_fail(error, EW_ENOMEM, "not enough memory for the values along walls");
}

static int sort_edges(struct ewi_arena *memory, const ew_mesh *mesh, struct ewi_wall *wall, ew_error *error)
{
    int status;
    ew_mesh_info info;
    ew_mesh_get_info(mesh, &info);
    struct ewi_chains all = {.memory.host = memory->host};
    size_t edges = (size_t)info.boundary_edges;
    double *xy = ewi_arena_alloc(&all.memory, 2 * (size_t)info.nodes, sizeof *xy);
    int64_t *triangle = ewi_arena_alloc(&all.memory, 3 * (size_t)info.elements, sizeof *triangle);
    all.edge = ewi_arena_alloc(&all.memory, edges, sizeof *all.edge);
    all.start = ewi_arena_alloc(&all.memory, edges, sizeof *all.start);
    EWI_TRY(all.memory.lacks ? no_memory(error) : EW_OK);
    ew_mesh_get_nodes(mesh, xy);
    ew_mesh_get_triangles(mesh, triangle);
    collect(mesh, &info, wall->wall, xy, triangle, &all);
    wall->edge = ewi_arena_alloc(memory, (size_t)all.count, sizeof *wall->edge);
    EWI_TRY(wall->edge ? EW_OK : no_memory(error));
    EWI_TRY(ewi_chains_visit(&all, append, wall, error));
out:
    ewi_arena_free(&all.memory);
    return status;
}

/* ---- creation ---------------------------------------------------------------------------------------------------- */

enum { REFERENCE_ROOM = 256 }; /* bytes of a wall's reference values as words */

static size_t room_of_settings(const ew_mesh *mesh, const ew_wall *wall)
{
    size_t room = REFERENCE_ROOM;
    for (int k = 0; k < wall->boundaries; k++)
        room += strlen(" ") + strlen(ew_mesh_boundary(mesh, wall->boundary[k], NULL));
    return room;
}

/* Writes the settings as words, so that a resumed run can compare them. */
static int write_settings(struct ewi_arena *memory, const ew_mesh *mesh, struct ewi_wall *wall, ew_error *error)
{
    const ew_wall *from = wall->wall;
    wall->room = room_of_settings(mesh, from);
    wall->settings = ewi_arena_alloc(memory, wall->room, 1);
    wall->earlier = ewi_arena_alloc(memory, wall->room, 1);
    if (!wall->settings || !wall->earlier)
        return no_memory(error);
    ewi_snprintf(wall->settings, wall->room,
                 "density %.17g, speed %.17g, pressure %.17g, length %.17g, temperature %.17g, boundaries",
                 from->density, from->speed, from->pressure, from->length, from->temperature);
    size_t length = strlen(wall->settings);
    for (int k = 0; k < from->boundaries; k++)
        length += (size_t)ewi_snprintf(wall->settings + length, wall->room - length, " %s",
                                       ew_mesh_boundary(mesh, from->boundary[k], NULL));
    return EW_OK;
}

static int values_of(const ew_law *law, const ew_wall *wall)
{
    int all = EWI_WALL_VALUES;
    return !law->viscous ? 2 : isnan(wall->temperature) ? all - 1 : all;
}

int ewi_walls_create(struct ewi_arena *memory, const ew_run_plan *plan, const ew_solver *solver,
                     struct ewi_walls *walls, ew_error *error)
{
    ew_solver_info info;
    ew_solver_get_info(solver, &info);
    *walls = (struct ewi_walls){.count = plan->walls, .points = info.order + 1};
    walls->wall = ewi_arena_alloc(memory, (size_t)plan->walls, sizeof *walls->wall);
    if (!walls->wall)
        return no_memory(error);
    for (int k = 0; k < walls->count; k++) {
        struct ewi_wall *wall = &walls->wall[k];
        wall->wall = &plan->wall[k];
        wall->values = values_of(info.law, wall->wall);
        for (int b = 0; b < wall->wall->boundaries; b++) {
            int64_t edges = 0;
            ew_mesh_boundary(info.mesh, wall->wall->boundary[b], &edges);
            walls->longest = edges > walls->longest ? edges : walls->longest;
        }
        TRY(write_settings(memory, info.mesh, wall, error));
        TRY(sort_edges(memory, info.mesh, wall, error));
        wall->row = ewi_arena_alloc(memory, (size_t)(wall->values * wall->edges * walls->points), sizeof *wall->row);
    }
    walls->point = ewi_arena_alloc(memory, (size_t)(walls->longest * walls->points), sizeof *walls->point);
    walls->length = ewi_arena_alloc(memory, (size_t)walls->longest, sizeof *walls->length);
    return memory->lacks ? no_memory(error) : EW_OK;
}

double ewi_walls_frame_bytes(const struct ewi_walls *walls)
{
    double bytes = 0;
    for (int k = 0; k < walls->count; k++)
        bytes += (double)walls->wall[k].values * (double)(walls->wall[k].edges * walls->points) * sizeof(double);
    return bytes;
}

double ewi_walls_place_bytes(const struct ewi_walls *walls)
{
    double bytes = 0;
    for (int k = 0; k < walls->count; k++)
        bytes += (double)EWI_WALL_PLACES * (double)(walls->wall[k].edges * walls->points) * sizeof(double);
    return bytes;
}

/* ---- in the file ------------------------------------------------------------------------------------------------- */

static int define(struct ew_fields *fields, const struct ewi_wall *wall, const struct ewi_wall_quantity *quantity,
                  int dimensions, const int *dimension, int *number, ew_error *error)
{
    char name[NC_MAX_NAME + 1];
    size_t chunk[2] = {1, (size_t)(wall->edges * fields->walls.points)};
    ewi_snprintf(name, sizeof name, EWI_WALL_PREFIX "%s_%s", wall->wall->name, quantity->name);
    NC_TRY(nc_def_var(fields->file, name, NC_DOUBLE, dimensions, dimension, number));
    if (dimensions == 2)
        NC_TRY(nc_def_var_chunking(fields->file, *number, NC_CHUNKED, chunk));
    else
        NC_TRY(nc_def_var_chunking(fields->file, *number, NC_CONTIGUOUS, NULL));
    NC_TRY(nc_def_var_fill(fields->file, *number, NC_NOFILL, NULL));
    NC_TRY(ewi_netcdf_put_text(fields->file, *number, "long_name", quantity->long_name));
    NC_TRY(ewi_netcdf_put_text(fields->file, *number, "units", "1"));
    return EW_OK;
}

static int define_wall(struct ew_fields *fields, struct ewi_wall *wall, ew_error *error)
{
    char name[NC_MAX_NAME + 1];
    int dimension[2] = {fields->dimension_time};
    ewi_snprintf(name, sizeof name, "n_" EWI_WALL_PREFIX "%s", wall->wall->name);
    NC_TRY(nc_def_dim(fields->file, name, (size_t)(wall->edges * fields->walls.points), &dimension[1]));
    for (int k = 0; k < EWI_WALL_PLACES; k++)
        TRY(define(fields, wall, &ewi_wall_place[k], 1, dimension + 1, &wall->place[k], error));
    NC_TRY(ewi_netcdf_put_text(fields->file, wall->place[0], EWI_WALL_SETTINGS, wall->settings));
    for (int k = 0; k < wall->values; k++)
        TRY(define(fields, wall, &ewi_wall_value[k], 2, dimension, &wall->value[k], error));
    return EW_OK;
}

int ewi_walls_define(struct ew_fields *fields, ew_error *error)
{
    for (int k = 0; k < fields->walls.count; k++)
        TRY(define_wall(fields, &fields->walls.wall[k], error));
    return EW_OK;
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

/* Fills rows, [EWI_WALL_PLACES][count], at the points of an edge. */
static void take_places(const ew_wall_point *point, int points, int64_t count, double *row)
{
    for (int q = 0; q < points; q++) {
        const double place[EWI_WALL_PLACES] = {point[q].arc, point[q].x, point[q].y, point[q].normal[0],
                                               point[q].normal[1]};
        for (int k = 0; k < EWI_WALL_PLACES; k++)
            row[k * count + q] = place[k];
    }
}

/* Fills the rows at the edges of one boundary, with arcs from each edge's beginning, and the lengths of its edges. */
static void take_boundary(const struct ewi_walls *walls, const struct ewi_wall *wall, int boundary, double *length,
                          double *row)
{
    for (int64_t e = 0; e < wall->edges; e++) {
        if (wall->edge[e].boundary != boundary)
            continue;
        length[e] = walls->length[wall->edge[e].number];
        take_places(walls->point + wall->edge[e].number * walls->points, walls->points, wall->edges * walls->points,
                    row + e * walls->points);
    }
}

/* Adds to the arc lengths, the first row, those of the edges before. */
static void add_arcs(const struct ewi_walls *walls, const struct ewi_wall *wall, const double *length, double *row)
{
    double before = 0;
    for (int64_t e = 0; e < wall->edges; e++) {
        for (int q = 0; q < walls->points; q++)
            row[e * walls->points + q] += before;
        before += length[e];
    }
}

static int write_places(struct ew_fields *fields, const ew_solver *solver, const struct ewi_wall *wall, double *row,
                        double *length, ew_error *error)
{
    struct ewi_walls *walls = &fields->walls;
    for (int b = 0; b < wall->wall->boundaries; b++) {
        int boundary = wall->wall->boundary[b];
        TRY(ew_solver_wall_places(solver, boundary, walls->point, walls->length, error));
        take_boundary(walls, wall, boundary, length, row);
    }
    add_arcs(walls, wall, length, row);
    for (int k = 0; k < EWI_WALL_PLACES; k++)
        NC_TRY(nc_put_var_double(fields->file, wall->place[k], row + k * wall->edges * walls->points));
    return EW_OK;
}

int ewi_walls_write_places(struct ew_fields *fields, const ew_solver *solver, ew_error *error)
{
    int status = EW_OK;
    for (int k = 0; status == EW_OK && k < fields->walls.count; k++) {
        const struct ewi_wall *wall = &fields->walls.wall[k];
        struct ewi_arena memory = {.host = fields->memory.host};
        size_t count = (size_t)(wall->edges * fields->walls.points);
        double *row = ewi_arena_alloc(&memory, EWI_WALL_PLACES * count, sizeof *row);
        double *length = ewi_arena_alloc(&memory, (size_t)wall->edges, sizeof *length);
        status = memory.lacks ? no_memory(error) : write_places(fields, solver, wall, row, length, error);
        ewi_arena_free(&memory);
    }
    return status;
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* Fills the wall's rows at the points of one of its boundaries. */
static void take_values(const struct ewi_walls *walls, const struct ewi_wall *wall, int boundary)
{
    const ew_wall *reference = wall->wall;
    const int64_t count = wall->edges * walls->points;
    const double scale = 2 / (reference->density * reference->speed * reference->speed);
    for (int64_t k = 0; k < count; k++) {
        const struct ewi_chain_edge *edge = &wall->edge[k / walls->points];
        if (edge->boundary != boundary)
            continue;
        const ew_wall_point *at = &walls->point[edge->number * walls->points + k % walls->points];
        const double difference = at->conductivity * (reference->temperature - at->temperature);
        const double value[EWI_WALL_VALUES] = {at->pressure, (at->pressure - reference->pressure) * scale, at->shear,
                                               at->shear * scale, at->heat, at->heat * reference->length / difference};
        for (int n = 0; n < wall->values; n++)
            wall->row[n * count + k] = value[n];
    }
}

int ewi_walls_evaluate(struct ewi_walls *walls, ew_solver *solver, ew_error *error)
{
    for (int k = 0; k < walls->count; k++)
        for (int b = 0; b < walls->wall[k].wall->boundaries; b++) {
            int boundary = walls->wall[k].wall->boundary[b];
            TRY(ew_solver_wall(solver, boundary, walls->point, NULL, error));
            take_values(walls, &walls->wall[k], boundary);
        }
    return EW_OK;
}

int ewi_walls_write(struct ew_fields *fields, ew_error *error)
{
    for (int k = 0; k < fields->walls.count; k++) {
        const struct ewi_wall *wall = &fields->walls.wall[k];
        const int64_t count = wall->edges * fields->walls.points;
        size_t start[2] = {(size_t)fields->frames, 0}, length[2] = {1, (size_t)count};
        for (int n = 0; n < wall->values; n++)
            NC_TRY(nc_put_vara_double(fields->file, wall->value[n], start, length, wall->row + n * count));
    }
    return EW_OK;
}
