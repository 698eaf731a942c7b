/* SPDX-License-Identifier: BSD-2-Clause */
/* Contents of NAME.nc: its fields and frames by name, number and time. */
#include "ewi_error.h"
#include "ewi_hints.h"
#include "ewi_host.h"
#include "ewi_netcdf.h"
#include "ewi_results.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

/* ---- failures ---------------------------------------------------------------------------------------------------- */

int ewi_results_no_memory(const struct ew_results *results, ew_error *error)
{
    return ewi_fail(error, EW_ENOMEM, "not enough memory to read %s", results->path);
}

int ewi_results_failure(const struct ew_results *results, int code, const char *what, ew_error *error)
{
    if (code == NC_ENOMEM)
        return ewi_results_no_memory(results, error);
    return ewi_fail(error, EW_EIO, "cannot read %s from %s: it is damaged or cut short (%s)", what, results->path,
                    code > 0 ? strerror(code) : nc_strerror(code));
}

int ewi_results_check_field(const struct ew_results *results, int field, ew_error *error)
{
    if (field >= 0 && field < results->fields)
        return EW_OK;
    return ewi_fail(error, EW_EINVAL, "%s has no field %d", results->path, field);
}

int ewi_results_check_frame(const struct ew_results *results, int64_t frame, ew_error *error)
{
    if (frame >= 0 && frame < results->frames)
        return EW_OK;
    if (results->frames == 0)
        return ewi_fail(error, EW_EINVAL, "%s has no frames", results->path);
    return ewi_fail(error, EW_EINVAL, "%s has no frame %lld; its frames are 0 to %lld", results->path, (long long)frame,
                    (long long)results->frames - 1);
}

/* ---- contents ---------------------------------------------------------------------------------------------------- */

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

void ew_results_get_info(const ew_results *results, ew_results_info *info)
{
    if (info)
        *info = (ew_results_info){0};
    if (!info || !results)
        return;
    *info = (ew_results_info){.path = results->path, .title = text_or_empty(results->title),
                              .case_name = text_or_empty(results->case_name),
                              .version = text_or_empty(results->version), .status = text_or_empty(results->status),
                              .law = results->law, .elements = results->elements, .frames = results->frames,
                              .order = results->order, .subdivide = results->subdivide, .fields = results->fields,
                              .xmin = results->xmin, .ymin = results->ymin, .xmax = results->xmax,
                              .ymax = results->ymax};
}

const char *ew_results_field(const ew_results *results, int k, const char **long_name, const char **units)
{
    if (!results || k < 0 || k >= results->fields)
        return NULL;
    if (long_name)
        *long_name = results->field[k].long_name;
    if (units)
        *units = results->field[k].units;
    return results->field[k].name;
}

/* Another name for a field of the file, or NULL. */
static const struct ewi_hint *find_hint(const struct ew_results *results, const char *name)
{
    int k;
    const struct ewi_hint *hint =
        ewi_hint_find("output.fields.variables", results->law ? results->law->name : NULL, name);
    return hint && (!hint->instead || ew_results_find(results, hint->instead, &k, NULL) == EW_OK) ? hint : NULL;
}

static bool is_quantity(const ew_law *law, const char *name)
{
    const char *output;
    for (int k = 0; law && (output = ew_law_output(law, k, NULL)) != NULL; k++)
        if (strcmp(output, name) == 0)
            return true;
    return false;
}

static void list_fields(const struct ew_results *results, char *list, size_t size)
{
    for (int i = 0; i < results->fields; i++) {
        size_t length = strlen(list);
        ewi_snprintf(list + length, size - length, "%s%s", i ? ", " : "", results->field[i].name);
    }
}

int ew_results_find(const ew_results *results, const char *name, int *k, ew_error *error)
{
    EWI_REQUIRE(results);
    EWI_REQUIRE_AS(name, "field");
    EWI_REQUIRE(k);
    for (*k = 0; *k < results->fields; ++*k)
        if (strcmp(results->field[*k].name, name) == 0)
            return EW_OK;
    if (strcmp(name, EWI_PRESSURE_COEFFICIENT) == 0 && results->law && results->law->pressure)
        return ewi_fail(error, EW_EINVAL, "%s has no field \"%s\" without the density, speed and pressure of the free "
                        "stream: add a pressure to output.forces of the case, or give all three with --reference "
                        "DENSITY,SPEED,PRESSURE", results->path, name);
    char list[512] = "";
    if (is_quantity(results->law, name)) {
        list_fields(results, list, sizeof list);
        return ewi_fail(error, EW_EINVAL, "%s has no field \"%s\"; it has %s; a run writes it if "
                        "output.fields.variables of the case has it", results->path, name, list);
    }
    const struct ewi_hint *hint = find_hint(results, name);
    if (hint)
        return ewi_fail(error, EW_EINVAL, "%s has no field \"%s\"%s", results->path, name,
                        ewi_hint_text(hint, list, sizeof list));
    const char **names = ewi_alloc(&results->host, (size_t)results->fields, sizeof *names);
    if (!names)
        return ewi_results_no_memory(results, error);
    for (int i = 0; i < results->fields; i++)
        names[i] = results->field[i].name;
    list_fields(results, list, sizeof list);
    const char *nearest = ewi_nearest(name, names, (size_t)results->fields);
    int status = nearest ? ewi_fail(error, EW_EINVAL, "%s has no field \"%s\"; did you mean \"%s\"?", results->path,
                                    name, nearest) : ewi_fail(error, EW_EINVAL, "%s has no field \"%s\"; it has %s",
                                                              results->path, name, list);
    ewi_free(&results->host, names);
    return status;
}

double ew_results_time(const ew_results *results, int64_t frame, int64_t *step)
{
    bool there = results && frame >= 0 && frame < results->frames;
    if (step)
        *step = there ? results->step[frame] : -1;
    return there ? results->time[frame] : (double)NAN;
}

/* Clamps the time to the frames: distances from a time far away may round to one number. */
int64_t ew_results_nearest(const ew_results *results, double time)
{
    double best = INFINITY, first = INFINITY, last = -INFINITY;
    int64_t nearest = 0, frames = results ? results->frames : 0;
    for (int64_t k = 0; k < frames; k++) {
        first = fmin(first, results->time[k]);
        last = fmax(last, results->time[k]);
    }
    time = fmax(first, fmin(last, time));
    for (int64_t k = 0; k < frames; k++) {
        double distance = fabs(results->time[k] - time);
        if (distance < best) {
            best = distance;
            nearest = k;
        }
    }
    return nearest;
}
