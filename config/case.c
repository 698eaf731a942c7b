/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a case: the order of its parts, and the public functions of ew_case. */
#include "ewi_case.h"
#include "ewi_difference.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_text.h"

#include <string.h>

/* ---- the parts read here ----------------------------------------------------------------------------------------- */

static void read_title(struct ewi_reader *reader)
{
    const char *title = "";
    reader->that->info.plan.title = "";
    if (ewi_get_text(reader, reader->root, "title", &title))
        reader->that->info.plan.title = title;
    for (const char *c = title; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f) {
            ewi_issue(reader, ewi_get(reader->root, "title"), "title has a line break or another control character; it "
                      "must be one line");
            return;
        }
}

static void read_states(struct ewi_reader *reader)
{
    ew_problem *problem = &reader->that->problem;
    const config_setting_t *initial = ewi_get(reader->root, "initial"), *exact = ewi_get(reader->root, "exact");
    const char *word;
    if (initial)
        ewi_get_state(reader, initial, &problem->initial);
    if (exact && config_setting_is_group(exact))
        ewi_get_state(reader, exact, &problem->exact);
    else if (exact && ewi_get_text(reader, reader->root, "exact", &word))
        problem->exact = problem->initial;
    if (ewi_get(reader->root, "source"))
        ewi_get_source(reader, ewi_get(reader->root, "source"), &problem->source);
}

static void read_scheme_in_space(struct ewi_reader *reader)
{
    ew_problem *problem = &reader->that->problem;
    int64_t order = 1;
    ewi_get_integer(reader, reader->root, "order", &order);
    problem->order = (int)order;
    if (!ewi_get_text(reader, reader->root, "flux", &problem->flux) && reader->law && reader->law->media)
        problem->flux = NULL;
    ewi_get_text(reader, reader->root, "limiter", &problem->limiter);
    ewi_get_flag(reader->root, "positivity", &problem->positivity);
    if (reader->law && ewi_law_has_bed(reader) && ewi_get(reader->root, "positivity") && !problem->positivity)
        ewi_issue(reader, ewi_get(reader->root, "positivity"), "over a bed positivity is always on; leave it out");
}

/*
 * Default schemes: rk4 does not keep depths over a bed positive; ssprk54 takes the longest steps with diffusion, and
 * rk43 of those that levels of time steps have.
 */
static const struct {
    const char *law, *scheme, *with_levels;
} schemes[] = {{EWI_LAW_WITH_BED, "ssprk33", "ssprk33"}, {"navier-stokes", "ssprk54", "rk43"}};

static void read_scheme(struct ewi_reader *reader, const config_setting_t *group, bool levels)
{
    ew_problem *problem = &reader->that->problem;
    bool given = ewi_get_text(reader, group, "time.scheme", &problem->scheme);
    for (size_t k = 0; !given && reader->law && k < sizeof schemes / sizeof *schemes; k++)
        if (strcmp(schemes[k].law, reader->law->name) == 0)
            problem->scheme = levels ? schemes[k].with_levels : schemes[k].scheme;
}

static void read_levels(struct ewi_reader *reader, const config_setting_t *group, bool wanted)
{
    const config_setting_t *setting = ewi_get(group, "time.levels");
    const char *word = setting ? config_setting_get_string(setting) : NULL;
    int64_t levels = EW_STEP_LEVELS_AUTO;
    if (word && strcmp(word, "auto") != 0)
        ewi_issue(reader, setting, "time.levels is \"%s\"; it must be a number from 1 to %d, or \"auto\"", word,
                  EW_MAX_STEP_LEVELS);
    else if (!word)
        ewi_get_integer(reader, group, "time.levels", &levels);
    reader->that->problem.step_levels = wanted ? (int)levels : 0;
    if (setting && !wanted)
        ewi_issue(reader, setting, "time.levels needs time.step = \"levels\"; give that, or leave it out");
}

static void read_time(struct ewi_reader *reader)
{
    ew_case *that = reader->that;
    ew_problem *problem = &that->problem;
    const config_setting_t *group = ewi_get(reader->root, "time");
    const char *step = NULL;
    ewi_get_text(reader, group, "time.step", &step);
    read_scheme(reader, group, strcmp(step, "levels") == 0);
    ewi_get_number(reader, group, "time.cfl", &problem->cfl);
    problem->uniform_step = strcmp(step, "uniform") == 0;
    problem->local_step = strcmp(step, "local") == 0;
    read_levels(reader, group, strcmp(step, "levels") == 0);
    ewi_get_number(reader, group, "time.steady", &problem->steady);
    ewi_get_number(reader, group, "time.steady_orders", &problem->steady_orders);
    bool has_start = ewi_get_number(reader, group, "time.start", &problem->time) || !ewi_get(group, "time.start");
    int64_t steps = 0;
    if (ewi_get_integer(reader, group, "time.steps", &steps))
        that->info.plan.steps = steps;
    that->info.plan.start = problem->time;
    bool has_end = ewi_get_number(reader, group, "time.end", &that->info.plan.end);
    problem->source_end = has_end ? that->info.plan.end : 0.0;
    if (has_start && has_end && that->info.plan.end < that->info.plan.start)
        ewi_issue(reader, ewi_get(group, "time.end"), "time.end is %.16g; it must not be before the start, %.16g",
                  that->info.plan.end, that->info.plan.start);
}

static void read_errors(struct ewi_reader *reader)
{
    const char *rule = NULL;
    ewi_get_text(reader, ewi_get(reader->root, "errors"), "errors.rule", &rule);
    reader->that->problem.fine_errors = strcmp(rule, "fine") == 0;
}

static int read_small_integer(struct ewi_reader *reader, const config_setting_t *group, const char *path)
{
    int64_t value = 0;
    ewi_get_integer(reader, group, path, &value);
    return (int)value;
}

enum { MOST_LEVELS = 32 };

/* The build decides which levels exist, so the option table cannot list them. */
static void read_level(struct ewi_reader *reader, const config_setting_t *group)
{
    const char *names[MOST_LEVELS], *level;
    size_t count = 0;
    if (!ewi_get_text(reader, group, "backend.level", &level))
        return;
    for (; count < MOST_LEVELS && (names[count] = ew_list_name(EW_LEVELS, (int)count)) != NULL; count++)
        if (strcmp(names[count], level) == 0)
            reader->that->problem.level = level;
    char rest[512];
    if (!reader->that->problem.level)
        ewi_issue(reader, ewi_get(group, "backend.level"), "backend.level cannot be \"%s\"%s", level,
                  ewi_alternatives(reader, NULL, level, names, count, rest, sizeof rest));
}

static void read_backend(struct ewi_reader *reader)
{
    ew_problem *problem = &reader->that->problem;
    const config_setting_t *group = ewi_get(reader->root, "backend");
    ewi_get_text(reader, group, "backend.name", &problem->backend);
    ewi_get_text(reader, group, "backend.kernels", &problem->kernels);
    read_level(reader, group);
    ewi_get_text(reader, group, "backend.image", &problem->image);
    problem->threads = read_small_integer(reader, group, "backend.threads");
    problem->parts = read_small_integer(reader, group, "backend.parts");
    problem->device = read_small_integer(reader, group, "backend.device");
    problem->tile = read_small_integer(reader, group, "backend.tile");
}

/* ---- a case ------------------------------------------------------------------------------------------------------ */

/* The law comes first because it decides which keys exist; then the names that numbers and formulas use. */
static void read_parts(struct ewi_reader *reader)
{
    ewi_read_law(reader);
    ewi_read_scope(reader);
    ewi_check_tree(reader);
    read_title(reader);
    ewi_read_field(reader);
    read_scheme_in_space(reader);
    read_time(reader);
    read_states(reader);
    read_errors(reader);
    read_backend(reader);
    read_small_integer(reader, ewi_get(reader->root, "spool"), "spool.priority"); /* only checked here */
    ewi_read_quantities(reader);
    ewi_read_averages(reader);
    ewi_read_output(reader);
    ewi_read_periodics(reader);
    if (reader->out_of_memory)
        return;
    ewi_read_mesh(reader);
    ewi_read_boundaries(reader);
    ewi_note_rasters(reader);
    ewi_read_raster(reader);
    ewi_read_series(reader);
    ewi_read_walls(reader);
    ewi_check_problem(reader);
}

static void apply_settings(struct ewi_reader *reader)
{
    const ew_case_options *options = &reader->options;
    for (size_t k = 0; k < options->settings; k++)
        ewi_source_override(reader, options->setting[k], options->setting_name ? options->setting_name[k] : NULL);
}

static int read_case(struct ewi_reader *reader, ew_error *error)
{
    int status;
    EWI_TRY(ew_scope_create(&reader->host, &reader->scope, error));
    EWI_TRY(ewi_provide_rasters(reader, reader->scope, error));
    EWI_TRY(ewi_source_load(reader, error));
    if (ewi_source_parse(reader)) {
        apply_settings(reader);
        if (ewi_read_sweep(reader)) {
            ewi_source_note_overrides(reader);
            read_parts(reader);
        }
    }
out:
    ew_scope_destroy(reader->scope);
    config_destroy(&reader->config);
    int told = ewi_issues_finish(reader, status == EW_OK ? error : NULL);
    return status != EW_OK ? status : told;
}

/* Steps over a bed follow the heaviest rain until the end. */
static bool end_affects_steps(const ew_problem *problem)
{
    return problem->law && strcmp(problem->law, EWI_LAW_WITH_BED) == 0 && problem->source.formula &&
           (ew_formula_variables(problem->source.formula) & EW_T);
}

/* Implements ew_run_plan.compare for a case. */
static int compare_with_case(void *context, const char *before, ew_text_difference *result, ew_error *error)
{
    const ew_case *that = context;
    if (!that->info.plan.text)
        return EW_OK;
    void *locale = ewi_enter_c_locale();
    int status = ewi_compare_texts(&that->memory.host, before, that->info.plan.text,
                                   end_affects_steps(&that->problem), result, error);
    ewi_leave_c_locale(locale);
    return status;
}

static int demand_settings(const ew_case_options *options, ew_error *error)
{
    size_t k = 0;
    while (k < options->settings && options->setting && options->setting[k])
        k++;
    return k == options->settings ? EW_OK
                                  : ewi_fail(error, EW_EINVAL, "%zu settings are said to be given, but one of them, or "
                                             "where they are, is NULL", options->settings);
}

static int read_file(const ew_host *host, const char *path, const ew_case_options *options, bool only_sweep,
                     ew_case **result, ew_error *error)
{
    struct ewi_reader reader = {.host = ewi_host_or_default(host), .path = path, .only_sweep = only_sweep};
    if (options)
        reader.options = *options;
    if (demand_settings(&reader.options, error) != EW_OK)
        return EW_EINVAL;
    if (reader.options.most_triangles < 0)
        return ewi_fail(error, EW_EINVAL, "a rectangle is to have at most %lld triangles; 0 stands for no limit",
                        (long long)options->most_triangles);
    if (reader.options.member < 0)
        return ewi_fail(error, EW_EINVAL, "members of sweeps are counted from 1; there is no member %lld",
                        (long long)reader.options.member);
    ew_sweep *whole = ewi_alloc(&reader.host, 1, sizeof *whole);
    if (!whole)
        return ewi_fail(error, EW_ENOMEM, "%s: not enough memory to read the case", path);
    ew_case *that = &whole->that;
    that->memory.host = reader.host;
    that->meshes = reader.options.meshes;
    ew_run_plan_init(&that->info.plan);
    that->info.plan.compare = compare_with_case;
    that->info.plan.context = that;
    reader.that = that;
    config_init(&reader.config);
    void *locale = ewi_enter_c_locale(); /* libconfig reads numbers by the locale, and may itself leave the C locale */
    int status = read_case(&reader, error);
    ewi_leave_c_locale(locale);
    if (status == EW_OK && reader.options.plan)
        *reader.options.plan = reader.plan;
    else
        ew_plan_destroy(reader.plan);
    if (status == EW_OK)
        *result = that;
    else
        ew_case_destroy(that);
    return status;
}

int ew_case_read(const ew_host *host, const char *path, const ew_case_options *options, ew_case **result,
                 ew_error *error)
{
    if (!path || !path[0] || !result)
        return ewi_fail(error, EW_EINVAL, "ew_case_read needs the path of a case and a place for it");
    return read_file(host, path, options, false, result, error);
}

int ew_sweep_read(const ew_host *host, const char *path, const ew_case_options *options, ew_sweep **result,
                  ew_error *error)
{
    ew_case *that = NULL;
    if (!path || !path[0] || !result)
        return ewi_fail(error, EW_EINVAL, "ew_sweep_read needs the path of a case and a place for its sweep");
    int status = read_file(host, path, options, true, &that, error);
    *result = (ew_sweep *)that;
    return status;
}

/* Applies the settings to an empty case and checks the result. */
int ew_case_check_settings(const ew_host *host, const ew_case_options *options, ew_error *error)
{
    char no_folder[] = "";
    ew_case that = {.memory.host = ewi_host_or_default(host)};
    struct ewi_reader reader = {.host = that.memory.host, .that = &that, .path = "", .folder = no_folder,
                                .only_settings = true};
    if (options)
        reader.options = *options;
    if (demand_settings(&reader.options, error) != EW_OK)
        return EW_EINVAL;
    void *locale = ewi_enter_c_locale();
    config_init(&reader.config);
    reader.root = config_root_setting(&reader.config);
    apply_settings(&reader);
    ewi_check_tree(&reader);
    config_destroy(&reader.config);
    int status = ewi_issues_finish(&reader, error);
    ewi_leave_c_locale(locale);
    ewi_free_kept(&that);
    return status;
}

int ew_case_check_text(const ew_host *host, const char *text, ew_error *error)
{
    char no_folder[] = "";
    ew_case that = {.memory.host = ewi_host_or_default(host)};
    struct ewi_reader reader = {.host = that.memory.host, .that = &that, .path = "the case", .folder = no_folder,
                                .options.confined = true};
    if (!text)
        return ewi_fail(error, EW_EINVAL, "ew_case_check_text needs a text");
    ewi_source_scan(&reader, text);
    int status = ewi_issues_finish(&reader, error);
    ewi_free_kept(&that);
    return status;
}

void ew_sweep_destroy(ew_sweep *sweep)
{
    ew_case_destroy(sweep ? &sweep->that : NULL);
}

void ew_case_destroy(ew_case *that)
{
    if (!that)
        return;
    ew_host host = that->memory.host;
    ew_case_free_mesh(that);
    ewi_release_rasters(that);
    ewi_free_kept(that);
    ewi_free(&host, that);
}

void ew_case_get_info(const ew_case *that, ew_case_info *info)
{
    if (info)
        *info = that ? that->info : (ew_case_info){0};
}

const ew_run_plan *ew_case_plan(const ew_case *that)
{
    return that ? &that->info.plan : NULL;
}

const ew_mesh *ew_case_mesh(const ew_case *that)
{
    return that ? that->mesh : NULL;
}

void ew_case_free_mesh(ew_case *that)
{
    if (!that)
        return;
    ewi_release_mesh(that->meshes, that->mesh);
    that->mesh = NULL;
}

void ew_case_mesh_info(const ew_case *that, ew_mesh_info *info)
{
    if (info)
        *info = that ? that->mesh_info : (ew_mesh_info){0};
}

const ew_problem *ew_case_problem(const ew_case *that)
{
    return that ? &that->problem : NULL;
}
