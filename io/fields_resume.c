/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Opens the fields of a run. If it resumes from a restart file, earlier frames are copied from the file that has them,
 * which is identified by the hash of the last one in the restart file.
 */
#include "ewi_error.h"
#include "ewi_fields.h"
#include "ewi_host.h"
#include "ewi_text.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define QUIET(call) ((call) == NC_NOERR)

static bool same_attribute(int a, int b, const char *name)
{
    char text[2][64];
    return ewi_netcdf_text(a, NC_GLOBAL, name, text[0], sizeof text[0]) &&
           ewi_netcdf_text(b, NC_GLOBAL, name, text[1], sizeof text[1]) && strcmp(text[0], text[1]) == 0;
}

/* True if b has no window, or a has the same one. */
static bool same_window(int a, int b)
{
    double window[2][4];
    bool has[2] = {ewi_netcdf_numbers(a, EWI_RASTER_WINDOW, NC_DOUBLE, 4, window[0]),
                   ewi_netcdf_numbers(b, EWI_RASTER_WINDOW, NC_DOUBLE, 4, window[1])};
    return !has[1] || (has[0] && memcmp(window[0], window[1], sizeof window[0]) == 0);
}

/* True if both files have this number and it is equal. */
static bool same_number(int a, int b, const char *name)
{
    double value[2];
    return ewi_netcdf_numbers(a, name, NC_NAT, 1, &value[0]) && ewi_netcdf_numbers(b, name, NC_NAT, 1, &value[1]) &&
           value[0] == value[1];
}

static bool same_dimension(int a, int b, const char *name)
{
    int number[2];
    size_t length[2];
    return QUIET(nc_inq_dimid(a, name, &number[0])) && QUIET(nc_inq_dimid(b, name, &number[1])) &&
           QUIET(nc_inq_dimlen(a, number[0], &length[0])) && QUIET(nc_inq_dimlen(b, number[1], &length[1])) &&
           length[0] == length[1];
}

struct series {
    int number, dimensions;
    nc_type type;
    size_t rows, width; /* a frame has `rows` rows of `width` values; one-dimensional variables have width 1 */
    char name[NC_MAX_NAME + 1];
};

/* Describes variable `number`; false if it has no frames. */
static bool inquire(int file, int number, struct series *series)
{
    int dimension[NC_MAX_VAR_DIMS], time;
    *series = (struct series){.number = number, .rows = 1, .width = 1};
    if (!QUIET(nc_inq_dimid(file, "time", &time)) ||
        !QUIET(nc_inq_var(file, number, series->name, &series->type, &series->dimensions, dimension, NULL)) ||
        series->dimensions < 1 || series->dimensions > 3 || dimension[0] != time)
        return false;
    return (series->dimensions < 2 || QUIET(nc_inq_dimlen(file, dimension[1], &series->rows))) &&
           (series->dimensions < 3 || QUIET(nc_inq_dimlen(file, dimension[2], &series->width)));
}

/* True if the old file has every variable of the new one that has frames, in the same shape. */
static bool same_variables(int source, int target)
{
    int count;
    if (!QUIET(nc_inq_nvars(target, &count)))
        return false;
    for (int k = 0; k < count; k++) {
        struct series to, from;
        int number;
        if (!inquire(target, k, &to))
            continue;
        if (!QUIET(nc_inq_varid(source, to.name, &number)) || !inquire(source, number, &from) || from.type != to.type ||
            from.dimensions != to.dimensions || from.rows != to.rows || from.width != to.width)
            return false;
    }
    return true;
}

/* True if all walls of the new file have the same boundaries and reference values in the old one. */
static bool same_walls(const struct ew_fields *fields, int source)
{
    for (int k = 0; k < fields->walls.count; k++) {
        const struct ewi_wall *wall = &fields->walls.wall[k];
        char name[NC_MAX_NAME + 1];
        int number;
        if (!QUIET(nc_inq_varname(fields->file, wall->place[0], name)) || !QUIET(nc_inq_varid(source, name, &number)) ||
            !ewi_netcdf_text(source, number, EWI_WALL_SETTINGS, wall->earlier, wall->room) ||
            strcmp(wall->earlier, wall->settings) != 0)
            return false;
    }
    return true;
}

static size_t count_frames(int file)
{
    int time;
    size_t frames;
    return QUIET(nc_inq_dimid(file, "time", &time)) && QUIET(nc_inq_dimlen(file, time, &frames)) ? frames : 0;
}

bool ewi_fields_read_hash(int file, size_t number, char text[17])
{
    int hash;
    size_t start[2] = {number - 1, 0}, count[2] = {1, 16};
    struct series series;
    text[16] = '\0';
    return QUIET(nc_inq_varid(file, "state_hash", &hash)) && inquire(file, hash, &series) && series.type == NC_CHAR &&
           series.rows == 16 && QUIET(nc_get_vara_text(file, hash, start, count, text));
}

/* True if the file has the run's frames before the restart. */
static bool has_frames(int source, const ew_restart_info *from)
{
    char text[17], expected[17];
    ewi_snprintf(expected, sizeof expected, "%016llx", (unsigned long long)from->frame_hash);
    return count_frames(source) >= (size_t)from->frames && ewi_fields_read_hash(source, (size_t)from->frames, text) &&
           strcmp(text, expected) == 0;
}

/* netCDF keeps its own descriptor. */
static bool open_file(const struct ewi_target *target, const char *path, int *file)
{
    struct stat info;
    int descriptor = openat(target->folder, ewi_file_name(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool opened = descriptor >= 0 && fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) &&
                  QUIET(ewi_netcdf_open(descriptor, path, file));
    if (descriptor >= 0)
        close(descriptor);
    return opened;
}

static bool open_source(const struct ewi_target *target, const char *path, const ew_restart_info *from, int *source)
{
    if (!open_file(target, path, source))
        return false;
    if (has_frames(*source, from))
        return true;
    nc_close(*source);
    return false;
}

/* ---- copying ----------------------------------------------------------------------------------------------------- */

static int read_failure(const struct ew_fields *fields, const char *path, int code, ew_error *error)
{
    return ewi_fail(error, EW_EIO, "cannot copy the frames of %s to %s: %s", path, fields->target.path,
                    nc_strerror(code));
}

static int copy_rows(struct ew_fields *fields, int source, int from, const struct series *to, size_t frame,
                    const char *path, ew_error *error)
{
    size_t room = ewi_slab_bytes(fields) / sizeof(double) / to->width; /* rows, of any type, that fit the buffer */
    char *buffer = fields->buffer[0];
    for (size_t first = 0; first < to->rows; first += room) {
        size_t left = to->rows - first, start[3] = {frame, first}, count[3] = {1, left < room ? left : room, to->width};
        int code = nc_get_vara(source, from, start, count, buffer);
        if (code != NC_NOERR)
            return read_failure(fields, path, code, error);
        NC_TRY(nc_put_vara(fields->file, to->number, start, count, buffer));
    }
    return EW_OK;
}

static int copy_frame(struct ew_fields *fields, int source, size_t frame, const char *path, ew_error *error)
{
    int count, from;
    ewi_snprintf(fields->doing, sizeof fields->doing, "frame %zu of %s", frame, path);
    TRY(ewi_fields_reserve_frame(fields, error));
    NC_TRY(nc_inq_nvars(fields->file, &count));
    for (int k = 0; k < count; k++) {
        struct series to;
        if (!inquire(fields->file, k, &to))
            continue;
        int code = nc_inq_varid(source, to.name, &from);
        if (code != NC_NOERR)
            return read_failure(fields, path, code, error);
        TRY(copy_rows(fields, source, from, &to, frame, path, error));
    }
    return EW_OK;
}

/*
 * The file stores the text of the case that writes its last frames. If the result depends on the difference, it also
 * stores the earlier case's text, in an attribute that names the last step for which it holds. A file may have several
 * of these.
 */
#define EARLIER_TEXT "case_text_until_"

static int copy_earlier_texts(struct ew_fields *fields, int source, int64_t step, const char *path, ew_error *error)
{
    int count;
    NC_TRY(nc_inq_natts(source, &count));
    for (int k = 0; k < count; k++) {
        char name[NC_MAX_NAME + 1], *end;
        if (!QUIET(nc_inq_attname(source, NC_GLOBAL, k, name)) ||
            strncmp(name, EARLIER_TEXT, sizeof EARLIER_TEXT - 1) != 0 ||
            strtoll(name + sizeof EARLIER_TEXT - 1, &end, 10) > step || *end)
            continue;
        int code = nc_copy_att(source, NC_GLOBAL, name, fields->file, NC_GLOBAL);
        if (code != NC_NOERR)
            return read_failure(fields, path, code, error);
    }
    return EW_OK;
}

static int keep_text(struct ew_fields *fields, int source, const ew_run_plan *plan, int64_t step, const char *path,
                     ew_error *error)
{
    char name[64], *text;
    ew_text_difference difference = {0};
    TRY(copy_earlier_texts(fields, source, step, path, error));
    ewi_snprintf(name, sizeof name, EARLIER_TEXT "%lld", (long long)step);
    if (QUIET(nc_inq_attid(fields->file, NC_GLOBAL, name, &(int){0})))
        return EW_OK;
    int code = ewi_netcdf_read_text(&fields->memory, source, "case_text", SIZE_MAX - 1, &text);
    if (code == NC_ENOMEM)
        return ewi_no_memory_to_write(fields->target.path, error);
    if (code != NC_NOERR)
        return read_failure(fields, path, code, error);
    if (text)
        TRY(ewi_compare_plan(plan, text, &difference, error));
    if (difference.differs)
        NC_TRY(ewi_netcdf_put_text(fields->file, NC_GLOBAL, name, text));
    return EW_OK;
}

static int copy_frames(struct ew_fields *fields, int source, const ew_restart_info *from, const char *path,
                       ew_error *error)
{
    for (int64_t k = 0; k < from->frames; k++)
        TRY(copy_frame(fields, source, (size_t)k, path, error));
    NC_TRY(nc_sync(fields->file));
    fields->frames = from->frames;
    fields->hash = from->frame_hash;
    return EW_OK;
}

/* ---- choosing ---------------------------------------------------------------------------------------------------- */

/* Refuses a file that another run is writing. */
static int check_part(const struct ew_fields *fields, ew_error *error)
{
    const struct ewi_target *target = &fields->target;
    int descriptor = openat(target->folder, ewi_file_name(target->part), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0)
        return EW_OK;
    int status = ewi_target_lock(target, descriptor, error);
    close(descriptor); /* releases the lock */
    return status;
}

/* Sets "path.before", with room for "NAME.WORD.nc". */
static int set_before(struct ew_fields *fields, ew_error *error)
{
    size_t room = ewi_target_room(&fields->target), size = strlen(fields->target.path) + sizeof ".before";
    fields->before = ewi_arena_alloc(&fields->memory, room > size ? room : size, 1);
    if (!fields->before)
        return ewi_no_memory_to_write(fields->target.path, error);
    ewi_snprintf(fields->before, size, "%s.before", fields->target.path);
    return EW_OK;
}

/*
 * Chooses the file with the frames; *path is NULL if none has them. The file of a killed run makes way for the new
 * file. It, or the file of an interrupted or failed run, is kept as fields->before until the new one is complete.
 */
static int choose_source(struct ew_fields *fields, const ew_restart_info *from, int *source, const char **path,
                         ew_error *error)
{
    const struct ewi_target *target = &fields->target;
    TRY(check_part(fields, error));
    TRY(set_before(fields, error));
    if (open_source(target, target->part, from, source)) {
        int status = ewi_target_rename(target, target->part, fields->before, error);
        if (status != EW_OK)
            nc_close(*source);
        *path = fields->before;
        return status;
    }
    *path = fields->before;
    if (open_source(target, fields->before, from, source))
        return EW_OK;
    for (int k = 0; k < EWI_PARTIALS; k++) {
        ewi_target_name(target, ewi_partial[k], fields->before);
        if (open_source(target, fields->before, from, source))
            return EW_OK;
    }
    fields->before = NULL;
    *path = open_source(target, target->path, from, source) ? target->path : NULL;
    return EW_OK;
}

/*
 * True if the new file will have all frames of an earlier one but its last, which is the state in which that run ended.
 */
static bool is_beginning(const struct ewi_target *target, const char *path, int source, const ew_restart_info *from)
{
    int other;
    char ours[17], its[17];
    if (!open_file(target, path, &other))
        return false;
    size_t frames = count_frames(other), common = frames > 1 ? frames - 1 : 1;
    bool same = frames > 0 && common <= (size_t)from->frames && ewi_fields_read_hash(source, common, ours) &&
                ewi_fields_read_hash(other, common, its) && strcmp(ours, its) == 0;
    nc_close(other);
    return same;
}

/* A run that resumed from an interrupted one and was killed left two files; `before` is the later one. */
static int note_superseded(struct ew_fields *fields, int source, const ew_restart_info *from, ew_error *error)
{
    for (int k = 0; k < EWI_PARTIALS; k++) {
        char *path = ewi_arena_alloc(&fields->memory, ewi_target_room(&fields->target), 1);
        if (!path)
            return ewi_no_memory_to_write(fields->target.path, error);
        ewi_target_name(&fields->target, ewi_partial[k], path);
        if (is_beginning(&fields->target, path, source, from))
            fields->superseded[k] = path;
    }
    return EW_OK;
}

static bool same_parameters(const struct ew_fields *fields, int source)
{
    for (int k = 0; k < fields->law->parameters; k++) {
        char name[64];
        ewi_snprintf(name, sizeof name, "law_%s", fields->law->parameter[k].name);
        if (!same_number(source, fields->file, name))
            return false;
    }
    return true;
}

/*
 * Why the file's frames cannot be in the new one, or NULL. The attributes of a file hold for all its frames, so those
 * that readers compute with (ew_results) must be the same.
 */
static const char *misfit(const struct ew_fields *fields, int source)
{
    if (!same_attribute(source, fields->file, "mesh_hash") || !same_attribute(source, fields->file, "law"))
        return "belong to another mesh or law";
    if (!same_number(source, fields->file, "order"))
        return "have another order";
    if (!same_parameters(fields, source))
        return "have other parameters of the law";
    if (!same_number(source, fields->file, "subdivide") || !same_dimension(source, fields->file, "n_node") ||
        !same_dimension(source, fields->file, "n_face"))
        return "have another subdivision";
    if (!same_window(source, fields->file))
        return "have no raster or one of another window";
    if (!same_walls(fields, source))
        return "have other walls";
    return same_variables(source, fields->file) ? NULL : "have other fields or another precision";
}

/*
 * Starts without earlier frames, which is not an error: the run does not need them. A file that may be the first part
 * of a long run is kept.
 */
static int begin_empty(struct ew_fields *fields, const ew_restart_info *from, const char *why, ew_error *error)
{
    const struct ewi_target *target = &fields->target;
    if (from->frames == 0)
        return EW_OK;
    const char *file = target->path, *kept = fields->before ? fields->before : file;
    bool there = ewi_target_has(target, kept);
    if (there && !(fields->aside = ewi_target_aside(&fields->memory, target, from->moment.steps)))
        return ewi_no_memory_to_write(file, error);
    ewi_log(&fields->memory.host, EW_LOG_WARNING, "the frames before t = %.9g %s; %s will start there%s%s%s%s",
            from->moment.time, why, file, there ? ", and what is now " : "", there ? kept : "",
            there ? " becomes " : "", there ? fields->aside : "");
    if (!fields->before)
        return EW_OK;
    TRY(ewi_target_rename(target, fields->before, fields->aside, error));
    fields->aside = fields->before = NULL;
    return EW_OK;
}

/* Call with the lock held. */
static int resume(struct ew_fields *fields, const ew_run_plan *plan, ew_solver *solver, const ew_restart_info *from,
                  ew_error *error)
{
    int status, source = -1;
    const char *path = NULL, *why = "are not there";
    if (from->frames > 0)
        TRY(choose_source(fields, from, &source, &path, error));
    EWI_TRY(ewi_fields_begin(fields, plan, solver, error));
    if (path && !(why = misfit(fields, source))) {
        EWI_TRY(note_superseded(fields, source, from, error));
        EWI_TRY(keep_text(fields, source, plan, from->moment.steps, path, error));
        status = copy_frames(fields, source, from, path, error);
    } else {
        status = begin_empty(fields, from, why, error);
    }
out:
    if (path)
        nc_close(source);
    return status;
}

/* `from`: the state from which the run resumes, or NULL. */
static int open_fields(const ew_host *host, const char *path, const ew_run_plan *plan, ew_solver *solver,
                       const ew_restart_info *from, ew_fields **result, ew_error *error)
{
    struct ew_fields *fields;
    TRY(ewi_fields_allocate(host, path, plan, solver, &fields, error));
    ewi_netcdf_begin();
    int status = from ? resume(fields, plan, solver, from, error) : ewi_fields_begin(fields, plan, solver, error);
    ewi_netcdf_end();
    if (status == EW_OK)
        *result = fields;
    else
        ew_fields_destroy(fields);
    return status;
}

int ew_fields_create(const ew_host *host, const char *path, const ew_run_plan *plan, ew_solver *solver,
                     ew_fields **result, ew_error *error)
{
    EWI_REQUIRE(path, plan, solver);
    EWI_REQUIRE_AS(result, "fields");
    return open_fields(host, path, plan, solver, NULL, result, error);
}

int ew_fields_resume(const ew_host *host, const char *path, const ew_run_plan *plan, ew_solver *solver,
                     const ew_restart_info *from, ew_fields **result, int64_t *frames, ew_error *error)
{
    EWI_REQUIRE(path, plan, solver, from);
    EWI_REQUIRE_AS(result, "fields");
    TRY(open_fields(host, path, plan, solver, from, result, error));
    if (frames)
        *frames = (*result)->frames;
    return EW_OK;
}
