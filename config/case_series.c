/* SPDX-License-Identifier: BSD-2-Clause */
/* Time series: probes, forces, fluxes through boundaries; values along walls. Needs the mesh. */
#include "ewi_case.h"
#include "ewi_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *read_name(struct ewi_reader *reader, const config_setting_t *group, const char *path,
                             const char *kind, int k)
{
    char text[32];
    const char *name = NULL;
    if (!ewi_get_text(reader, group, path, &name)) {
        ewi_snprintf(text, sizeof text, "%s%d", kind, k + 1);
        name = ewi_keep_text(reader, text);
    } else if (!name[0] || strpbrk(name, EWI_NOT_IN_COLUMNS)) { /* the name becomes part of column names */
        ewi_issue(reader, ewi_get(group, path), "the name \"%s\" of a %s cannot be part of a column's name: it is "
                  "empty or has commas, quotes or blanks", name, kind);
    } else if (strchr(EWI_BEGINS_FORMULA, name[0])) {
        ewi_issue(reader, ewi_get(group, path), "the name \"%s\" of a %s begins a column's name, which spreadsheets "
                  "would take for a formula; begin it with a letter", name, kind);
    }
    return name ? name : "";
}

static bool is_taken(struct ewi_reader *reader, const config_setting_t *group, const char *name, const char *other)
{
    bool taken = strcmp(name, other) == 0;
    if (taken)
        ewi_issue(reader, group, "the name \"%s\" is taken already", name);
    return taken;
}

/* ---- probes ------------------------------------------------------------------------------------------------------ */

/* Finds the first triangle that contains the point, within rounding; rs: the point in the reference triangle. */
static bool locate(const ew_mesh_info *info, const double *xy, const int64_t *triangle, ew_series_probe *probe)
{
    double slack = 1e-10;
    for (int64_t e = 0; e < info->elements; e++) {
        const double *a = xy + 2 * triangle[3 * e], *b = xy + 2 * triangle[3 * e + 1],
            *c = xy + 2 * triangle[3 * e + 2];
        double xr = b[0] - a[0], xs = c[0] - a[0], yr = b[1] - a[1], ys = c[1] - a[1], det = xr * ys - xs * yr;
        double dx = probe->x - a[0], dy = probe->y - a[1];
        double r = (ys * dx - xs * dy) / det, s = (xr * dy - yr * dx) / det;
        if (r >= -slack && s >= -slack && r + s <= 1 + slack) {
            probe->element = e;
            probe->rs[0] = r;
            probe->rs[1] = s;
            return true;
        }
    }
    return false;
}

static void locate_probes(struct ewi_reader *reader, const config_setting_t *list, ew_series_probe *probe)
{
    ew_case *that = reader->that;
    ew_mesh_info info;
    ew_mesh_get_info(that->mesh, &info);
    double *xy = ewi_keep(reader, 2 * (size_t)info.nodes, sizeof *xy);
    int64_t *triangle = ewi_keep(reader, 3 * (size_t)info.elements, sizeof *triangle);
    if (!xy || !triangle)
        return;
    ew_mesh_get_nodes(that->mesh, xy);
    ew_mesh_get_triangles(that->mesh, triangle);
    for (int k = 0; k < that->info.plan.probes; k++)
        if (!isnan(probe[k].x) && !locate(&info, xy, triangle, &probe[k]))
            ewi_issue(reader, config_setting_get_elem(list, (unsigned)k), "the probe \"%s\" at (%.9g, %.9g) lies in no "
                      "element of the mesh, which is within x %.9g .. %.9g, y %.9g .. %.9g", probe[k].name, probe[k].x,
                      probe[k].y, info.xmin, info.xmax, info.ymin, info.ymax);
}

static void read_probes(struct ewi_reader *reader, const config_setting_t *list)
{
    int count = list ? config_setting_length(list) : 0;
    ew_series_probe *probe = ewi_keep(reader, (size_t)count, sizeof *probe);
    if (count == 0 || !probe)
        return;
    for (int k = 0; k < count; k++) {
        const config_setting_t *group = config_setting_get_elem(list, (unsigned)k);
        probe[k].name = read_name(reader, group, "output.probes.PART.name", "probe", k);
        bool has_x = ewi_get_number(reader, group, "output.probes.PART.x", &probe[k].x);
        if (!ewi_get_number(reader, group, "output.probes.PART.y", &probe[k].y) || !has_x)
            probe[k].x = NAN; /* the error has been reported */
        for (int i = 0; i < k && !is_taken(reader, group, probe[k].name, probe[i].name); i++)
            continue;
    }
    reader->that->info.plan.probes = count;
    reader->that->info.plan.probe = probe;
    locate_probes(reader, list, probe);
}

/* ---- boundaries -------------------------------------------------------------------------------------------------- */

static int32_t find_boundary(struct ewi_reader *reader, const config_setting_t *setting)
{
    enum { MOST = 64 };
    const char *names[MOST], *word = config_setting_get_string(setting), *name;
    int32_t count = 0;
    for (int32_t k = 0; (name = ew_mesh_boundary(reader->that->mesh, k, NULL)) != NULL; k++) {
        if (strcmp(name, word) == 0)
            return k;
        if (count < MOST)
            names[count++] = name;
    }
    if (ewi_boundary_takes(ewi_boundary_named(reader, word), "boundary.NAME.with")) {
        ewi_issue(reader, setting, "boundary \"%s\" is periodic: its edges are inside the domain, and nothing is "
                  "measured there", word);
        return 0;
    }
    char rest[512];
    ewi_issue(reader, setting, "boundary \"%s\" is not in the mesh%s", word,
              ewi_alternatives(reader, NULL, word, names, (size_t)count, rest, sizeof rest));
    return 0;
}

static int read_boundaries(struct ewi_reader *reader, const config_setting_t *list, const int32_t **boundary)
{
    int count = list ? config_setting_length(list) : 0;
    int32_t *number = ewi_keep(reader, (size_t)count, sizeof *number);
    for (int k = 0; number && k < count; k++) {
        config_setting_t *setting = config_setting_get_elem(list, (unsigned)k);
        const char *name = config_setting_get_string(setting);
        bool again = false;
        for (int i = 0; i < k && !again; i++)
            again = strcmp(name, config_setting_get_string_elem(list, i)) == 0;
        number[k] = find_boundary(reader, setting);
        if (again) {
            char path[128];
            ewi_issue(reader, setting, "\"%s\" is named twice in %s", name, ewi_setting_path(list, path, sizeof path));
        }
    }
    *boundary = number;
    return number ? count : 0;
}

static void read_force(struct ewi_reader *reader, const config_setting_t *group, ew_series_body *force)
{
    double direction[2] = {1, 0};
    force->boundaries = read_boundaries(reader, ewi_get(group, "output.forces.PART.boundaries"), &force->boundary);
    force->density = force->speed = force->length = 1;
    ewi_get_number(reader, group, "output.forces.PART.density", &force->density);
    ewi_get_number(reader, group, "output.forces.PART.speed", &force->speed);
    ewi_get_number(reader, group, "output.forces.PART.length", &force->length);
    ewi_get_number(reader, group, "output.forces.PART.pressure", &force->pressure);
    const config_setting_t *given = ewi_get(group, "output.forces.PART.direction");
    if (given)
        ewi_get_numbers(reader, group, "output.forces.PART.direction", direction);
    double size = hypot(direction[0], direction[1]);
    if (!(size > 0))
        ewi_issue(reader, given, "output.forces: the direction of the flow is (0, 0)");
    force->direction[0] = direction[0] / size;
    force->direction[1] = direction[1] / size;
    if (ewi_get(group, "output.forces.PART.point"))
        ewi_get_numbers(reader, group, "output.forces.PART.point", force->point);
}

static void read_forces(struct ewi_reader *reader, const config_setting_t *list)
{
    int count = list ? config_setting_length(list) : 0;
    ew_series_body *force = ewi_keep(reader, (size_t)count, sizeof *force);
    if (count == 0 || !force)
        return;
    if (reader->law && !reader->law->pressure)
        ewi_issue(reader, list, "the law \"%s\" has no pressure, and so no forces", reader->law->name);
    for (int k = 0; k < count; k++) {
        const config_setting_t *group = config_setting_get_elem(list, (unsigned)k);
        force[k].name = read_name(reader, group, "output.forces.PART.name", "force", k);
        read_force(reader, group, &force[k]);
        for (int i = 0; i < k && !is_taken(reader, group, force[k].name, force[i].name); i++)
            continue;
    }
    reader->that->info.plan.bodies = count;
    reader->that->info.plan.body = force;
}

/* ---- walls ------------------------------------------------------------------------------------------------------- */

static void check_wall(struct ewi_reader *reader, const config_setting_t *setting)
{
    const char *name = config_setting_get_string(setting);
    const config_setting_t *boundary = ewi_boundary_named(reader, name);
    const char *kind = NULL;
    if (!boundary || !config_setting_lookup_string(boundary, "kind", &kind) || strcmp(kind, "wall") == 0 ||
        strcmp(kind, "no-slip") == 0)
        return;
    ewi_issue(reader, setting, "output.walls: boundary \"%s\" has the kind \"%s\"; walls have the kind \"wall\" or "
              "\"no-slip\"", name, kind);
}

static void read_wall(struct ewi_reader *reader, const config_setting_t *group, ew_wall *wall)
{
    const config_setting_t *names = ewi_get(group, "output.walls.PART.boundaries");
    wall->boundaries = read_boundaries(reader, names, &wall->boundary);
    for (int k = 0; k < wall->boundaries; k++)
        check_wall(reader, config_setting_get_elem(names, (unsigned)k));
    wall->density = wall->speed = wall->length = 1;
    wall->temperature = NAN;
    ewi_get_number(reader, group, "output.walls.PART.density", &wall->density);
    ewi_get_number(reader, group, "output.walls.PART.speed", &wall->speed);
    ewi_get_number(reader, group, "output.walls.PART.length", &wall->length);
    ewi_get_number(reader, group, "output.walls.PART.pressure", &wall->pressure);
    if (ewi_get_number(reader, group, "output.walls.PART.temperature", &wall->temperature) && reader->law &&
        !reader->law->viscous)
        ewi_issue(reader, ewi_get(group, "output.walls.PART.temperature"), "the law \"%s\" conducts no heat, and so "
                  "has no Nusselt number; leave out the temperature", reader->law->name);
}

void ewi_read_walls(struct ewi_reader *reader)
{
    const config_setting_t *list = ewi_get(ewi_get(reader->root, "output"), "output.walls");
    int count = list ? config_setting_length(list) : 0;
    if (count == 0 || !reader->that->mesh)
        return;
    ew_wall *wall = ewi_keep(reader, (size_t)count, sizeof *wall);
    if (!wall)
        return;
    if (reader->law && !reader->law->pressure)
        ewi_issue(reader, list, "the law \"%s\" has no pressure, and so no values along walls", reader->law->name);
    for (int k = 0; k < count; k++) {
        const config_setting_t *group = config_setting_get_elem(list, (unsigned)k);
        wall[k].name = read_name(reader, group, "output.walls.PART.name", "wall", k);
        if (strchr(wall[k].name, '/') || strlen(wall[k].name) > EW_LONGEST_WALL_NAME)
            ewi_issue(reader, group, "the name \"%s\" of a wall cannot be part of names in NAME.nc: it has a slash, or "
                      "more than %d bytes", wall[k].name, (int)EW_LONGEST_WALL_NAME);
        read_wall(reader, group, &wall[k]);
        for (int i = 0; i < k && !is_taken(reader, group, wall[k].name, wall[i].name); i++)
            continue;
    }
    reader->that->info.plan.walls = count;
    reader->that->info.plan.wall = wall;
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

struct column {
    const char *name;
    config_setting_t *setting; /* NULL: every series has this column */
    size_t number;
};

struct columns {
    struct ewi_reader *reader;
    struct column *column;
    size_t count;
};

/* Names the column like ew_series_create. */
static void add_column(struct columns *columns, config_setting_t *setting, const char *first, const char *second,
                       const char *third)
{
    size_t size = strlen(first) + strlen(second) + strlen(third) + 3;
    char *name = ewi_keep(columns->reader, size, 1);
    if (!name)
        return;
    ewi_snprintf(name, size, "%s_%s%s%s", first, second, third[0] ? "_" : "", third);
    for (char *c = name; *c; c++)
        *c = strchr(EWI_NOT_IN_COLUMNS, *c) ? '_' : *c;
    columns->column[columns->count] = (struct column){.name = name, .setting = setting, .number = columns->count};
    columns->count++;
}

static void add_columns(struct columns *columns, const config_setting_t *fluxes, const config_setting_t *probes,
                        const config_setting_t *forces)
{
    const ew_law *law = columns->reader->law;
    const ew_case_info *info = &columns->reader->that->info;
    const char *number;
    for (int m = 0; m < law->variables; m++)
        add_column(columns, NULL, "total", law->conserved[m], "");
    for (int m = 0; info->plan.series_residuals && m < law->variables; m++)
        add_column(columns, NULL, "residual", law->conserved[m], "");
    for (int k = 0; k < info->plan.fluxes; k++)
        for (int m = 0; m < law->variables; m++)
            for (int integral = 0; integral <= (columns->reader->that->problem.outflow != 0); integral++)
                add_column(columns, config_setting_get_elem(fluxes, (unsigned)k), integral ? "outflow" : "flux",
                           config_setting_get_string_elem(fluxes, k), law->conserved[m]);
    for (int k = 0; k < info->plan.probes; k++)
        for (int n = 0; n < info->plan.outputs; n++)
            add_column(columns, config_setting_get_elem(probes, (unsigned)k), info->plan.probe[k].name,
                       ew_problem_output(&columns->reader->that->problem, info->plan.output[n], NULL), "");
    for (int k = 0; k < info->plan.bodies; k++)
        for (int n = 0; (number = ew_force_number(law, NULL, n, NULL)); n++)
            add_column(columns, config_setting_get_elem(forces, (unsigned)k), info->plan.body[k].name, number, "");
}

static int compare_columns(const void *a, const void *b)
{
    const struct column *first = a, *second = b;
    int order = strcmp(first->name, second->name);
    return order ? order : (first->number > second->number) - (first->number < second->number);
}

/* Readers find a column by its name, so names must differ. */
static void check_columns(struct ewi_reader *reader, const config_setting_t *fluxes, const config_setting_t *probes,
                          const config_setting_t *forces)
{
    const ew_run_plan *plan = &reader->that->info.plan;
    int numbers = 0;
    while (ew_force_number(reader->law, NULL, numbers, NULL))
        numbers++;
    int most = reader->law->variables * (2 + 2 * plan->fluxes) + plan->probes * plan->outputs + numbers * plan->bodies;
    struct columns columns = {.reader = reader, .column = ewi_keep(reader, (size_t)most, sizeof *columns.column)};
    if (columns.column)
        add_columns(&columns, fluxes, probes, forces);
    if (reader->out_of_memory)
        return;
    qsort(columns.column, columns.count, sizeof *columns.column, compare_columns);
    for (size_t k = 1; k < columns.count; k++) {
        const struct column *column = &columns.column[k];
        if (strcmp(column->name, columns.column[k - 1].name) == 0 && !ewi_issue_told(reader, column->setting))
            ewi_issue(reader, column->setting, "two columns of the time series would be called \"%s\"; give this "
                      "another name", column->name);
    }
}

void ewi_read_series(struct ewi_reader *reader)
{
    const config_setting_t *output = ewi_get(reader->root, "output");
    const config_setting_t *series = ewi_get(output, "output.series"), *probes = ewi_get(output, "output.probes");
    const config_setting_t *forces = ewi_get(output, "output.forces");
    ew_case_info *info = &reader->that->info;
    int64_t steps = 0;
    ewi_get_integer(reader, series, "output.series.steps", &steps);
    if (!reader->that->mesh || (!series && !probes && !forces))
        return;
    info->plan.series_steps = steps;
    ewi_get_flag(series, "output.series.residuals", &info->plan.series_residuals);
    size_t issues_before = reader->issue_count;
    const config_setting_t *fluxes = ewi_get(series, "output.series.fluxes");
    if (fluxes)
        info->plan.fluxes = read_boundaries(reader, fluxes, &info->plan.flux);
    reader->that->problem.outflow = info->plan.fluxes > 0 && !reader->that->problem.local_step;
    read_probes(reader, probes);
    read_forces(reader, forces);
    if (reader->law && reader->issue_count == issues_before && !reader->out_of_memory)
        check_columns(reader, fluxes, probes, forces);
}
