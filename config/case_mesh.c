/* SPDX-License-Identifier: BSD-2-Clause */
/* The mesh: a file, or a rectangle. */
#include "ewi_case.h"
#include "ewi_error.h"
#include "ewi_file.h"
#include "ewi_host.h"
#include "ewi_mesh.h"
#include "ewi_mesh_advice.h"
#include "ewi_text.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { BOTTOM, RIGHT, TOP, LEFT, SIDES };

static const char *const side_path[SIDES] = {"mesh.rectangle.bottom", "mesh.rectangle.right", "mesh.rectangle.top",
                                             "mesh.rectangle.left"};

/* ---- the rectangle ----------------------------------------------------------------------------------------------- */

static const char *part_path(char path[EWI_LONGEST_PATH], int side, const char *name)
{
    ewi_snprintf(path, EWI_LONGEST_PATH, "%s.PART.%s", side_path[side], name);
    return path;
}

static const char *read_name(struct ewi_reader *reader, const config_setting_t *group, const char *path)
{
    const char *name = "";
    char full[256];
    if (ewi_get_text(reader, group, path, &name) && !name[0])
        ewi_issue(reader, ewi_get(group, path), "%s is empty",
                  ewi_setting_path(ewi_get(group, path), full, sizeof full));
    return name;
}

/* Reads a side that is a list of parts. */
static void read_parts(struct ewi_reader *reader, int side, const config_setting_t *list, double start, double end,
                       ew_rectangle *rectangle)
{
    size_t count = (size_t)config_setting_length(list);
    char path[EWI_LONGEST_PATH];
    ew_side_part *part = ewi_keep(reader, count, sizeof *part);
    for (size_t k = 0; part && k < count; k++) {
        const config_setting_t *group = config_setting_get_elem(list, (unsigned)k);
        const config_setting_t *to = ewi_get(group, part_path(path, side, "to"));
        bool last = k + 1 == count;
        part[k].from = k == 0 ? start : part[k - 1].to;
        part[k].to = end;
        part[k].name = read_name(reader, group, part_path(path, side, "name"));
        if (!to && !last && !config_setting_get_member(group, "to"))
            ewi_issue(reader, group, "this part of %s needs \"to\": only the last one reaches to the side's end",
                      side_path[side]);
        if (!ewi_get_number(reader, group, part_path(path, side, "to"), &part[k].to))
            continue;
        if (last && part[k].to != end)
            ewi_issue(reader, to, "the last part of %s ends at %.16g; it must end at %.16g, as it does without \"to\"",
                      side_path[side], part[k].to, end);
        if (!last && !(part[k].to > part[k].from && part[k].to < end))
            ewi_issue(reader, to, "this part of %s ends at %.16g; it must end between %.16g, where it starts, and "
                      "%.16g", side_path[side], part[k].to, part[k].from, end);
    }
    rectangle->side[side].parts = count;
    rectangle->side[side].part = part;
}

static void read_side(struct ewi_reader *reader, const config_setting_t *group, int side, ew_rectangle *rectangle)
{
    bool horizontal = side == BOTTOM || side == TOP;
    double start = horizontal ? rectangle->x0 : rectangle->y0, end = horizontal ? rectangle->x1 : rectangle->y1;
    const config_setting_t *setting = ewi_get(group, side_path[side]);
    if (setting && config_setting_type(setting) != CONFIG_TYPE_STRING) {
        read_parts(reader, side, setting, start, end, rectangle);
        return;
    }
    ew_side_part *part = ewi_keep(reader, 1, sizeof *part);
    if (!part)
        return;
    *part = (ew_side_part){.name = read_name(reader, group, side_path[side]), .from = start, .to = end};
    rectangle->side[side].parts = 1;
    rectangle->side[side].part = part;
}

static bool read_rectangle(struct ewi_reader *reader, const config_setting_t *group, ew_rectangle *rectangle)
{
    size_t issues_before = reader->issue_count;
    double corner[4] = {0.0, 0.0, 1.0, 1.0}, cells[2] = {1.0, 1.0};
    int64_t seed = 0;
    bool has_corners = ewi_get_numbers(reader, group, "mesh.rectangle.corners", corner);
    bool has_cells = ewi_get_numbers(reader, group, "mesh.rectangle.cells", cells);
    ewi_get_number(reader, group, "mesh.rectangle.jitter", &rectangle->jitter);
    ewi_get_integer(reader, group, "mesh.rectangle.seed", &seed);
    rectangle->seed = (uint64_t)seed;
    if (has_corners && !(corner[0] < corner[2] && corner[1] < corner[3]))
        ewi_issue(reader, ewi_get(group, "mesh.rectangle.corners"), "mesh.rectangle.corners: the second corner (%.16g, "
                  "%.16g) must be to the right of and above the first one (%.16g, %.16g)", corner[2], corner[3],
                  corner[0], corner[1]);
    if (has_cells && 2.0 * cells[0] * cells[1] > (double)EWI_MESH_MOST_TRIANGLES)
        ewi_issue(reader, ewi_get(group, "mesh.rectangle.cells"), "mesh.rectangle.cells: %.0f triangles are too many; "
                  "there can be %lld", 2.0 * cells[0] * cells[1], (long long)EWI_MESH_MOST_TRIANGLES);
    if (!has_corners || !has_cells || reader->issue_count != issues_before)
        return false;
    rectangle->x0 = corner[0];
    rectangle->y0 = corner[1];
    rectangle->x1 = corner[2];
    rectangle->y1 = corner[3];
    rectangle->nx = (int32_t)cells[0];
    rectangle->ny = (int32_t)cells[1];
    for (int side = 0; side < SIDES; side++)
        read_side(reader, group, side, rectangle);
    return reader->issue_count == issues_before && !reader->out_of_memory;
}

/* ---- a coarser one ----------------------------------------------------------------------------------------------- */

static int32_t clamp_cells(double cells, size_t least, int32_t most)
{
    double low = (double)least < most ? (double)least : most;
    return (int32_t)fmin(fmax(floor(cells), low), most);
}

/* Reduces the cells to about `triangles` in the same proportion; every part of a side keeps a cell. */
static void coarsen(ew_rectangle *rectangle, double triangles)
{
    size_t least_x = 1 + rectangle->side[BOTTOM].parts + rectangle->side[TOP].parts;
    size_t least_y = 1 + rectangle->side[LEFT].parts + rectangle->side[RIGHT].parts;
    int32_t nx = rectangle->nx, ny = rectangle->ny;
    rectangle->nx = clamp_cells(nx * sqrt(0.5 * triangles / ((double)nx * ny)), least_x, nx);
    rectangle->ny = clamp_cells(0.5 * triangles / rectangle->nx, least_y, ny);
    rectangle->nx = clamp_cells(0.5 * triangles / rectangle->ny, least_x, nx);
}

/* ---- making it --------------------------------------------------------------------------------------------------- */

/* True for texts such as "meshes\\new.msh". */
static bool has_escapes(const char *path)
{
    for (; *path; path++)
        if ((unsigned char)*path < ' ')
            return true;
    return false;
}

int ewi_open_named(const char *path, const char *beside, const char *name, int *file, ew_error *error)
{
    *file = beside ? ewi_open_beside(beside, name) : ewi_open_regular(path);
    bool outside = *file < 0 && beside && (errno == EXDEV || errno == ELOOP);
    return *file >= 0 ? EW_OK
                      : ewi_fail(error, EW_EIO, "%.300s cannot be read: %s%s", path, ewi_open_error(errno),
                                 outside ? "; this case may name files in its own folder only"
                                 : has_escapes(path) ? "; in strings of a case a backslash begins an escape such as "
                                                       "\\n, so write / in its place"
                                                     : "");
}

/* Opens the source's file, if it has one. */
static int open_mesh(struct ewi_mesh_source *source, ew_error *error)
{
    return source->path ? ewi_open_named(source->path, source->beside, source->name, &source->file, error) : EW_OK;
}

static void close_mesh(struct ewi_mesh_source *source)
{
    if (source->file >= 0)
        close(source->file);
    source->file = -1;
}

/* The source's rectangle with the case's periodic pairs. Its defects become issues if `told`. */
static ew_rectangle rectangle_of(struct ewi_reader *reader, const struct ewi_mesh_source *source, bool told)
{
    ew_rectangle rectangle = source->rectangle;
    rectangle.periodics = reader->periodics;
    rectangle.periodic = reader->periodic;
    rectangle.report = told ? ewi_issue_mesh : NULL;
    rectangle.report_context = reader;
    return rectangle;
}

int ew_case_open_mesh(const ew_host *host, const ew_case *that, ew_mesh **mesh, ew_error *error)
{
    EWI_REQUIRE(that, mesh);
    const ew_host own = ewi_host_or_default(host);
    struct ewi_mesh_source source = that->mesh_source;
    int status = open_mesh(&source, error);
    if (status == EW_OK)
        status = ewi_make_mesh(&own, &source, &source.rectangle, mesh, error);
    close_mesh(&source);
    return status;
}

static void check_periodic_name(struct ewi_reader *reader, const ew_mesh *mesh, const char *name, const char *other)
{
    const config_setting_t *setting = ewi_boundary_named(reader, name);
    if (ewi_mesh_has_boundary(mesh, name))
        return;
    if (!setting)
        setting = config_setting_get_member(ewi_boundary_named(reader, other), "with");
    ewi_unknown_boundary(reader, setting, mesh, name);
}

/* If the mesh failed because of wrong names of periodic boundaries, reports them at their lines in the case. */
static void explain_periodics(struct ewi_reader *reader, const struct ewi_mesh_source *source)
{
    ew_mesh *mesh = NULL;
    const ew_periodic *periodic = reader->periodic;
    ew_host silent = reader->host; /* its warnings have been printed */
    silent.log = NULL;
    if (reader->periodics == 0 || ewi_make_mesh(&silent, source, &source->rectangle, &mesh, NULL) != EW_OK)
        return;
    size_t issues_before = reader->issue_count;
    for (int32_t k = 0; k < reader->periodics; k++) {
        check_periodic_name(reader, mesh, periodic[k].first, periodic[k].second);
        check_periodic_name(reader, mesh, periodic[k].second, periodic[k].first);
    }
    if (reader->issue_count > issues_before)
        ewi_issues_drop_mesh(reader);
    ew_mesh_destroy(mesh);
}

/* If a rectangle is too large for a check, keeps its size for the report and makes a coarser one. */
static int limit_size(struct ewi_reader *reader, struct ewi_mesh_source *source, ew_error *error)
{
    const ew_rectangle rectangle = rectangle_of(reader, source, true);
    double triangles = 2.0 * rectangle.nx * rectangle.ny, most = (double)reader->options.most_triangles;
    if (source->path || most == 0 || triangles <= most)
        return EW_OK;
    int status = ew_rectangle_info(&reader->host, &rectangle, &reader->that->mesh_info, error);
    reader->that->info.coarser = 1;
    coarsen(&source->rectangle, most);
    return status;
}

/* Asks the caller if there is room for a mesh of that size. */
static int ask_admission(struct ewi_reader *reader, const ew_mesh_info *info, ew_error *error)
{
    const ew_case_options *options = &reader->options;
    return options->admit ? options->admit(options->admit_context, info, &reader->that->problem, error) : EW_OK;
}

/* Asks before the rectangle is made; making it reports its defects. */
static int ask_for_rectangle(struct ewi_reader *reader, const struct ewi_mesh_source *source, ew_error *error)
{
    const ew_rectangle rectangle = rectangle_of(reader, source, false);
    ew_mesh_info info;
    if (source->path || !reader->options.admit || reader->that->info.coarser)
        return EW_OK;
    if (ew_rectangle_info(&reader->host, &rectangle, &info, NULL) != EW_OK)
        return EW_OK;
    return ask_admission(reader, &info, error);
}

/* Says how to make a missing mesh if its Gmsh geometry exists. */
static const char *how_to_make(const struct ewi_mesh_source *source, char *text, size_t size)
{
    const char *path = source->path;
    size_t length = path ? strlen(path) : 0;
    text[0] = '\0';
    if (length < 4 || strcmp(path + length - 4, ".msh") != 0 || 2 * length + 64 > size || access(path, F_OK) == 0)
        return text;
    ewi_snprintf(text, size, "%.*s.geo", (int)length - 4, path);
    bool there = access(text, R_OK) == 0;
    text[0] = '\0';
    if (there)
        ewi_snprintf(text, size, "; Gmsh makes it: " EWI_ADVICE_MAKE, (int)length - 4, path, path);
    return text;
}

/* Reads the source of the mesh; false: the case has none. */
static bool read_source(struct ewi_reader *reader, const config_setting_t *setting, struct ewi_mesh_source *source)
{
    if (config_setting_is_group(setting)) {
        const config_setting_t *group = ewi_get(setting, "mesh.rectangle");
        reader->that->info.plan.mesh = "rectangle";
        if (!group || !read_rectangle(reader, group, &source->rectangle))
            return false;
        reader->that->info.cells[0] = source->rectangle.nx;
        reader->that->info.cells[1] = source->rectangle.ny;
        return true;
    }
    const char *name = config_setting_get_string(setting);
    if (!name[0]) {
        ewi_issue(reader, setting, "mesh has no value; it must be the name of a Gmsh file, or a group with a "
                  "rectangle");
        return false;
    }
    source->path = reader->that->info.plan.mesh = ewi_case_path(reader, name);
    if (reader->options.confined) {
        source->beside = reader->that->info.path;
        source->name = ewi_keep_text(reader, name);
    }
    if (source->path && reader->options.named)
        reader->options.named(reader->options.named_context, EW_NAMED_MESH, name, source->path);
    return !reader->out_of_memory;
}

static int make_mesh(struct ewi_reader *reader, struct ewi_mesh_source *source, ew_error *error)
{
    TRY(open_mesh(source, error));
    TRY(limit_size(reader, source, error));
    const ew_rectangle wanted = rectangle_of(reader, source, true);
    TRY(ask_for_rectangle(reader, source, error));
    TRY(ewi_get_mesh(reader->that->meshes, &reader->host, source, &wanted, &reader->that->mesh, error));
    if (!reader->that->info.coarser)
        ew_mesh_get_info(reader->that->mesh, &reader->that->mesh_info);
    if (source->path)
        TRY(ask_admission(reader, &reader->that->mesh_info, error));
    return EW_OK;
}

void ewi_read_mesh(struct ewi_reader *reader)
{
    const config_setting_t *setting = ewi_get(reader->root, "mesh");
    struct ewi_mesh_source source = {.file = -1};
    ew_error error;
    char how[1024];
    if (!setting || !read_source(reader, setting, &source))
        return;
    size_t issues_before = reader->issue_count;
    int status = make_mesh(reader, &source, &error);
    if (status != EW_OK) {
        ewi_release_mesh(reader->that->meshes, reader->that->mesh);
        reader->that->mesh = NULL;
    }
    if (status == EW_ENOMEM)
        ewi_lack_memory(reader, setting, error.message);
    else if (status == EW_EMESH && reader->issue_count == issues_before)
        ewi_issue_mesh(reader, error.message);
    else if (status != EW_OK && status != EW_EMESH) {
        ewi_issues_drop_mesh(reader);
        ewi_issue(reader, setting, "mesh: %s%s", error.message, how_to_make(&source, how, sizeof how));
    }
    if (status == EW_EMESH)
        explain_periodics(reader, &source);
    close_mesh(&source);
    reader->that->mesh_source = source;
}
