/* SPDX-License-Identifier: BSD-2-Clause */
/* Errors that only the library finds, such as an inadmissible state, reported at the lines that cause them. */
#include "ewi_case.h"

#include <string.h>

/* Members of ew_problem with their keys, if these have other names. */
static const struct {
    const char *member, *path;
} keys[] = {
    {"field", "law.velocity"},  {"scheme", "time.scheme"},      {"cfl", "time.cfl"},      {"steady", "time.steady"},
    {"steady_orders", "time.steady_orders"},                  {"local_step", "time.step"}, {"step_levels", "time.step"},
    {"time", "time.start"},     {"threads", "backend.threads"}, {"tile", "backend.tile"},
    {"kernels", "backend.kernels"},
    {"level", "backend.level"}, {"parts", "backend.parts"},     {"quantity", "output.quantities"},
    {"averages", "output.averages"}, {"outflow", "output.series.fluxes"},
};

/* The setting at which a path ends in the case; whole: the case has the full path. */
struct found {
    const config_setting_t *setting;
    bool whole;
};

static struct found member_of(struct found group, const char *name)
{
    const config_setting_t *setting =
        group.whole && config_setting_is_group(group.setting) ? config_setting_get_member(group.setting, name) : NULL;
    return setting ? (struct found){setting, true} : (struct found){group.setting, false};
}

static struct found find_key(const struct ewi_reader *reader, const char *member)
{
    const char *path = member, *dot;
    char group[EWI_LONGEST_PATH];
    struct found found = {reader->root, true};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (strcmp(keys[k].member, member) == 0)
            path = keys[k].path;
    for (; (dot = strchr(path, '.')); path = dot + 1) {
        ewi_append(group, sizeof group, 0, "%.*s", (int)(dot - path), path);
        found = member_of(found, group);
    }
    return member_of(found, path);
}

/* A state is a group of formulas or the name of another state, whose formula then has the error. */
static struct found find_variable(const struct ewi_reader *reader, struct found state, const char *variable)
{
    for (int hops = 0; hops < 2 && state.whole && config_setting_type(state.setting) == CONFIG_TYPE_STRING; hops++)
        state = find_key(reader, config_setting_get_string(state.setting));
    struct found found = variable ? member_of(state, variable) : state;
    return found.whole ? found : state;
}

static struct found find_in_boundary(const struct ewi_reader *reader, const ew_place *place)
{
    const config_setting_t *setting = ewi_boundary_named(reader, place->boundary);
    if (!setting)
        return (struct found){ewi_get(reader->root, "boundary"), false};
    struct found boundary = {setting, true};
    if (!place->member)
        return boundary;
    if (strncmp(place->member, "sponge_", 7) == 0)
        return member_of(member_of(boundary, "sponge"), place->member + 7);
    struct found member = member_of(boundary, place->member);
    if (strcmp(place->member, "state") == 0)
        return find_variable(reader, member.whole ? member : boundary, place->variable);
    return member;
}

static struct found find_medium(const struct ewi_reader *reader, const char *name)
{
    struct found law = find_key(reader, "law"), found = member_of(law, name);
    return found.whole ? found : member_of(law, "bulk_modulus");
}

static struct found find(const struct ewi_reader *reader, const ew_place *place)
{
    struct found bed = member_of(find_key(reader, "law"), "bed");
    if (bed.whole && place->variable && strcmp(place->variable, "bed") == 0)
        return bed;
    if (place->boundary)
        return find_in_boundary(reader, place);
    if (strcmp(place->member, "parameter") == 0)
        return member_of(find_key(reader, "law"), place->variable);
    if (strcmp(place->member, "field") == 0 && reader->law->media && place->variable)
        return find_medium(reader, place->variable);
    struct found found = find_key(reader, place->member);
    bool has_variables = strcmp(place->member, "initial") == 0 || strcmp(place->member, "exact") == 0 ||
                         strcmp(place->member, "source") == 0 || strcmp(place->member, "quantity") == 0 ||
                         strcmp(place->member, "averages") == 0;
    return has_variables ? find_variable(reader, found, place->variable) : found;
}

struct check {
    struct ewi_reader *reader;
    bool has_issues; /* earlier issues: missing and wrong settings have better sentences */
};

static void report(void *context, const ew_place *place, const char *sentence)
{
    const struct check *check = context;
    struct found found = find(check->reader, place);
    if (check->has_issues && (!found.whole || ewi_issue_told(check->reader, found.setting)))
        return;
    bool is_known = found.setting && !config_setting_is_root(found.setting);
    bool is_bulk = is_known && config_setting_name(found.setting) &&
                   strcmp(config_setting_name(found.setting), "bulk_modulus") == 0;
    ewi_issue(check->reader, is_known ? found.setting : NULL, "%s%s", sentence,
              is_bulk ? "; c0 is sqrt(bulk_modulus/rho0)" : "");
}

/* States that use a broken name would be wrong only because of its NaN. */
void ewi_check_problem(struct ewi_reader *reader)
{
    ew_case *that = reader->that;
    struct check check = {.reader = reader, .has_issues = reader->issue_count > 0};
    if (!reader->law || reader->broken_name || reader->out_of_memory)
        return;
    ew_problem problem = that->problem;
    ew_error error;
    problem.report = report;
    problem.report_context = &check;
    if (reader->options.parts > 0)
        problem.parts = reader->options.parts < EW_MAX_PARTS ? reader->options.parts : EW_MAX_PARTS;
    int status = ew_problem_check(&reader->host, that->mesh, &problem,
                                  reader->options.plan ? &reader->plan : NULL, &error);
    if (status == EW_ENOMEM)
        reader->out_of_memory = true;
    else if (status != EW_OK && reader->issue_count == 0)
        ewi_issue(reader, NULL, "%s", error.message);
}
