/* SPDX-License-Identifier: BSD-2-Clause */
/* Boundaries: periodic pairs and conditions, and checks that they fit the mesh. */
#include "ewi_case.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

static int count_members(const config_setting_t *group)
{
    return group ? config_setting_length(group) : 0;
}

/* Member k as a group, or NULL. */
static const config_setting_t *group_at(const config_setting_t *groups, int k)
{
    const config_setting_t *member = config_setting_get_elem(groups, (unsigned)k);
    return config_setting_is_group(member) ? member : NULL;
}

/* The boundary's name in the mesh: its "name", or else its key. */
static const char *name_of(const config_setting_t *boundary)
{
    const config_setting_t *name = ewi_get(boundary, "boundary.NAME.name");
    return name ? config_setting_get_string(name) : config_setting_name(boundary);
}

const config_setting_t *ewi_boundary_named(const struct ewi_reader *reader, const char *name)
{
    const config_setting_t *groups = ewi_get(reader->root, "boundary");
    for (int k = 0; k < count_members(groups); k++)
        if (strcmp(name_of(config_setting_get_elem(groups, (unsigned)k)), name) == 0)
            return config_setting_get_elem(groups, (unsigned)k);
    return NULL;
}

bool ewi_boundary_takes(const config_setting_t *boundary, const char *path)
{
    const config_setting_t *kind = ewi_get(boundary, "boundary.NAME.kind");
    return kind && ewi_option_suits(ewi_option_find(path), config_setting_get_string(kind));
}

static bool is_periodic(const config_setting_t *boundary)
{
    return ewi_boundary_takes(boundary, "boundary.NAME.with");
}

/* ---- periodic pairs ---------------------------------------------------------------------------------------------- */

/* The name of the boundary's periodic partner, or NULL. */
static const char *partner_of(const config_setting_t *boundary)
{
    const config_setting_t *with = is_periodic(boundary) ? ewi_get(boundary, "boundary.NAME.with") : NULL;
    return with ? config_setting_get_string(with) : NULL;
}

static const config_setting_t *named(const struct ewi_reader *reader, const char *name)
{
    const config_setting_t *member = ewi_boundary_named(reader, name);
    return member && config_setting_is_group(member) ? member : NULL;
}

/* The first boundary other than `except` that has `name` as its partner, or NULL. */
static const config_setting_t *claimant(const config_setting_t *groups, const char *name,
                                        const config_setting_t *except)
{
    for (int k = 0; k < count_members(groups); k++) {
        const config_setting_t *boundary = group_at(groups, k);
        const char *partner = partner_of(boundary);
        if (boundary != except && partner && strcmp(partner, name) == 0)
            return boundary;
    }
    return NULL;
}

/* True if the pair that `first` names is valid; otherwise reports why not. */
static bool check_pair(struct ewi_reader *reader, const config_setting_t *groups, const config_setting_t *first)
{
    const char *name = name_of(first), *partner = partner_of(first);
    const config_setting_t *second = named(reader, partner), *with = ewi_get(first, "boundary.NAME.with");
    const config_setting_t *other = claimant(groups, partner, first);
    if (strcmp(name, partner) == 0)
        ewi_issue(reader, with, "boundary.%s.with is the boundary itself", name);
    else if (second && !is_periodic(second))
        ewi_issue(reader, with, "boundary.%s.with is \"%s\", whose kind is not \"periodic\"", name, partner);
    else if (second && partner_of(second) && strcmp(partner_of(second), name) != 0)
        ewi_issue(reader, with, "boundary.%s.with is \"%s\", but boundary.%s.with is \"%s\"", name, partner, partner,
                  partner_of(second));
    else if (other && config_setting_index(other) < config_setting_index(first))
        ewi_issue(reader, with, "boundary.%s.with is \"%s\", which is paired with \"%s\"", name, partner,
                  name_of(other));
    else
        return true;
    return false;
}

static void read_translation(struct ewi_reader *reader, const config_setting_t *first, const config_setting_t *second,
                             ew_periodic *pair)
{
    double way[2] = {0.0, 0.0}, back[2] = {0.0, 0.0};
    bool has_way = ewi_get_numbers(reader, first, "boundary.NAME.translation", way);
    bool has_back = second && ewi_get_numbers(reader, second, "boundary.NAME.translation", back);
    double size = fmax(fmax(fabs(way[0]), fabs(way[1])), fmax(fabs(back[0]), fabs(back[1])));
    if (has_way && has_back && (fabs(way[0] + back[0]) > 1e-9 * size || fabs(way[1] + back[1]) > 1e-9 * size))
        ewi_issue(reader, ewi_get(second, "boundary.NAME.translation"), "boundary.%s.translation (%.16g, %.16g) must "
                  "be the opposite of boundary.%s.translation (%.16g, %.16g)", pair->second, back[0], back[1],
                  pair->first, way[0], way[1]);
    pair->automatic = !has_way && !has_back;
    pair->dx = has_way ? way[0] : -back[0];
    pair->dy = has_way ? way[1] : -back[1];
}

void ewi_read_periodics(struct ewi_reader *reader)
{
    const config_setting_t *groups = ewi_get(reader->root, "boundary");
    reader->periodic = ewi_keep(reader, (size_t)count_members(groups), sizeof *reader->periodic);
    for (int k = 0; reader->periodic && k < count_members(groups); k++) {
        const config_setting_t *first = group_at(groups, k);
        if (!is_periodic(first))
            continue;
        const char *name = name_of(first), *partner = partner_of(first);
        if (!partner) {
            if (!config_setting_get_member(first, "with") && !claimant(groups, name, NULL))
                ewi_issue(reader, first, "boundary.%s is periodic but has no partner: set \"with\"",
                          name);
            continue;
        }
        const config_setting_t *second = named(reader, partner);
        bool told_before = second && partner_of(second) && config_setting_index(second) < k &&
                           strcmp(partner_of(second), name) == 0;
        if (told_before || !check_pair(reader, groups, first))
            continue;
        ew_periodic *pair = &reader->periodic[reader->periodics];
        pair->first = ewi_keep_text(reader, name);
        pair->second = ewi_keep_text(reader, partner);
        if (!pair->first || !pair->second)
            return;
        read_translation(reader, first, second, pair);
        reader->periodics++;
    }
}

/* ---- keys of a kind ---------------------------------------------------------------------------------------------- */

/* True if the kind has values of its own, and so none of the other keys that are formulas. */
static bool has_own_values(const struct ewi_reader *reader, const char *kind)
{
    ew_boundary_kind row;
    for (int k = 0; reader->law && ew_law_boundary(reader->law, k, &row); k++)
        if (strcmp(row.kind, kind) == 0 && row.values > 0 && row.value[0].must)
            return true;
    return false;
}

static bool takes_value(const struct ewi_reader *reader, const char *kind, const char *key)
{
    ew_boundary_kind row;
    for (int k = 0; ew_law_boundary(reader->law, k, &row); k++)
        for (int m = 0; strcmp(row.kind, kind) == 0 && m < row.values; m++)
            if (strcmp(row.value[m].name, key) == 0)
                return true;
    return false;
}

/* True if the kind takes the surface of a state, but not its velocity. */
static bool is_level(const char *kind)
{
    return strcmp(kind, "level") == 0;
}

static bool takes_key(const struct ewi_reader *reader, const struct ewi_option *option, const char *kind,
                      const char *key)
{
    bool is_value = option->type == EWI_FORMULA || option->type == EWI_FORMULAS;
    if (is_level(kind) && (strcmp(key, "u") == 0 || strcmp(key, "v") == 0))
        return false;
    return ewi_option_suits(option, kind) &&
           (!is_value || !has_own_values(reader, kind) || takes_value(reader, kind, key));
}

/* Reports keys that would have no effect; unknown ones have been reported already. */
static void check_keys(struct ewi_reader *reader, const config_setting_t *boundary, const char *kind)
{
    for (int k = 0; k < config_setting_length(boundary); k++) {
        const config_setting_t *setting = config_setting_get_elem(boundary, (unsigned)k);
        const char *key = config_setting_name(setting);
        const struct ewi_option *option = ewi_option_member("boundary.NAME", key);
        for (int m = 0; !option && reader->law && m < reader->law->variables; m++)
            if (strcmp(reader->law->primitive[m], key) == 0)
                option = ewi_option_any_member("boundary.NAME");
        bool is_wall = strcmp(kind, "no-slip") == 0 && strstr(key, "temperature");
        if (option && !takes_key(reader, option, kind, key))
            ewi_issue(reader, setting, "boundary.%s of kind \"%s\" takes no \"%s\"%s", config_setting_name(boundary),
                      kind, key, is_wall ? "; the temperature p/rho of a wall is \"T\"" : "");
    }
}

/* ---- conditions -------------------------------------------------------------------------------------------------- */

static bool gives_variables(const struct ewi_reader *reader, const config_setting_t *boundary)
{
    for (int m = 0; reader->law && m < reader->law->variables; m++)
        if (config_setting_get_member(boundary, reader->law->primitive[m]) ||
            ewi_was_suggested(reader, boundary, reader->law->primitive[m]))
            return true;
    return false;
}

static void read_named_state(struct ewi_reader *reader, const config_setting_t *boundary, ew_boundary *condition)
{
    const ew_problem *problem = &reader->that->problem;
    const config_setting_t *setting = config_setting_get_member(boundary, "state");
    const char *name = config_setting_name(boundary), *word = NULL;
    if (gives_variables(reader, boundary))
        ewi_issue(reader, setting, "boundary.%s gives its state twice: by \"state\" and by variables", name);
    if (!ewi_get_text(reader, boundary, "boundary.NAME.state", &word))
        return;
    bool exact = strcmp(word, "exact") == 0;
    if (exact && !config_setting_get_member(reader->root, "exact"))
        ewi_issue(reader, setting, "boundary.%s.state is \"exact\", but the case gives no exact solution", name);
    condition->state = exact ? problem->exact : problem->initial;
}

static void read_state(struct ewi_reader *reader, const config_setting_t *boundary, ew_boundary *condition)
{
    char variables[256];
    if (config_setting_get_member(boundary, "state")) {
        read_named_state(reader, boundary, condition);
    } else if (is_level(condition->kind)) {
        if (reader->law && ewi_law_has_bed(reader)) /* other laws do not have the kind */
            ewi_get_bed_state(reader, boundary, false, &condition->state);
    } else if (gives_variables(reader, boundary)) {
        ewi_get_state(reader, boundary, &condition->state);
    } else if (reader->law && !ewi_was_suggested(reader, boundary, "state")) {
        ewi_issue(reader, boundary, "boundary.%s of kind \"%s\" needs state = \"exact\" or \"initial\", or %s",
                  config_setting_name(boundary), condition->kind,
                  ewi_in_words(reader->law->primitive, reader->law->variables, variables, sizeof variables));
    }
}

static bool is_given(const struct ewi_reader *reader, const config_setting_t *boundary, const char *key)
{
    return config_setting_get_member(boundary, key) || ewi_was_suggested(reader, boundary, key);
}

/* The first of the row's values that the boundary gives, or NULL. */
static const char *first_given(const struct ewi_reader *reader, const config_setting_t *boundary,
                               const ew_boundary_kind *row)
{
    for (int m = 0; m < row->values; m++)
        if (is_given(reader, boundary, row->value[m].name))
            return row->value[m].name;
    return NULL;
}

/* Appends the keys of a row that must be given: "a" and "b". */
static size_t put_keys(const ew_boundary_kind *row, char *text, size_t size, size_t length)
{
    int keys = 0;
    while (keys < row->values && !row->value[keys].optional)
        keys++;
    for (int m = 0; m < keys; m++)
        length = ewi_append(text, size, length, "%s\"%s\"", m == 0 ? "" : m + 1 < keys ? ", " : " and ",
                            row->value[m].name);
    return length;
}

/* The keys of all rows of a kind: "a" and "b", or "c". */
static const char *keys_of_kind(const struct ewi_reader *reader, const char *kind, char *text, size_t size)
{
    ew_boundary_kind row;
    size_t length = 0;
    for (int k = 0; ew_law_boundary(reader->law, k, &row); k++) {
        if (strcmp(row.kind, kind) != 0)
            continue;
        length = ewi_append(text, size, length, "%s", length > 0 ? ", or " : "");
        length = put_keys(&row, text, size, length);
    }
    return text;
}

static void check_complete(struct ewi_reader *reader, const config_setting_t *boundary, const ew_boundary_kind *row,
                           const char *given)
{
    for (int m = 0; m < row->values; m++) {
        const char *key = row->value[m].name;
        if (!row->value[m].optional && !is_given(reader, boundary, key))
            ewi_issue(reader, boundary, "boundary.%s of kind \"%s\" gives \"%s\" and lacks \"%s\" (%s)",
                      config_setting_name(boundary), row->kind, given, key, row->value[m].description);
    }
}

static bool has_value(const ew_boundary_kind *row, const char *key)
{
    for (int m = 0; m < row->values; m++)
        if (strcmp(row->value[m].name, key) == 0)
            return true;
    return false;
}

/* True if the boundary gives all values that the row needs, and none that only other rows of the kind have. */
static bool fits(const struct ewi_reader *reader, const config_setting_t *boundary, const ew_boundary_kind *row)
{
    ew_boundary_kind other;
    for (int m = 0; m < row->values; m++)
        if (!row->value[m].optional && !is_given(reader, boundary, row->value[m].name))
            return false;
    for (int k = 0; ew_law_boundary(reader->law, k, &other); k++)
        for (int m = 0; strcmp(other.kind, row->kind) == 0 && m < other.values; m++)
            if (is_given(reader, boundary, other.value[m].name) && !has_value(row, other.value[m].name))
                return false;
    return true;
}

/* Reports why none of a kind's sets of values fits. */
static void report_values(struct ewi_reader *reader, const config_setting_t *boundary, const char *kind)
{
    char keys[256];
    const char *name = config_setting_name(boundary), *first = NULL;
    ew_boundary_kind row, chosen = {0};
    for (int k = 0; ew_law_boundary(reader->law, k, &row); k++) {
        const char *given = strcmp(row.kind, kind) == 0 ? first_given(reader, boundary, &row) : NULL;
        if (given && first) {
            ewi_issue(reader, boundary, "boundary.%s gives both \"%s\" and \"%s\"; kind \"%s\" takes %s", name, first,
                      given, row.kind, keys_of_kind(reader, row.kind, keys, sizeof keys));
            return;
        }
        if (given) {
            chosen = row;
            first = given;
        }
    }
    if (first)
        check_complete(reader, boundary, &chosen, first);
    else
        ewi_issue(reader, boundary, "boundary.%s of kind \"%s\" needs %s", name, kind,
                  keys_of_kind(reader, kind, keys, sizeof keys));
}

/* A kind may have several sets of values; the keys tell which one is meant. */
static void read_values(struct ewi_reader *reader, const config_setting_t *boundary, ew_boundary *condition)
{
    ew_boundary_kind row;
    for (int k = 0; ew_law_boundary(reader->law, k, &row); k++)
        if (strcmp(row.kind, condition->kind) == 0 && fits(reader, boundary, &row)) {
            condition->ghost = row.ghost;
            ewi_get_boundary_values(reader, boundary, &row, &condition->state);
            return;
        }
    report_values(reader, boundary, condition->kind);
}

static bool is_word(const config_setting_t *setting, const char *word)
{
    return config_setting_type(setting) == CONFIG_TYPE_STRING && strcmp(config_setting_get_string(setting), word) == 0;
}

/* A single name is no formula of a curve, unless it is x, y or a definition. */
static bool is_unknown_curve(struct ewi_reader *reader, const config_setting_t *setting)
{
    static const char *const names[] = {"spline", "straight"};
    static const char path[] = "boundary.NAME.curve",
                      letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    const char *text = config_setting_get_string(setting);
    char rest[200], where[256];
    if (!text || strlen(text) < 2 || text[strspn(text, letters)] != '\0' || ewi_source_has_name(reader, text))
        return false;
    ewi_setting_path(setting, where, sizeof where);
    ewi_issue(reader, setting, "%s: there is no curve \"%s\"%s", where, text,
              ewi_alternatives(reader, path, text, names, 2, rest, sizeof rest));
    return true;
}

static void read_curve(struct ewi_reader *reader, const config_setting_t *boundary, ew_boundary *condition)
{
    static const char path[] = "boundary.NAME.curve";
    const config_setting_t *setting = ewi_get(boundary, path), *corner = ewi_get(boundary, "boundary.NAME.corner");
    bool spline = setting && is_word(setting, "spline"), formulas = !spline && setting && !is_word(setting, "straight");
    if (corner && !spline)
        ewi_issue(reader, corner, "boundary.%s.corner is the angle of a spline's corners; it needs curve = \"spline\"",
                  config_setting_name(boundary));
    if (formulas && is_unknown_curve(reader, setting))
        return;
    ew_boundary_curve *curve = spline || formulas ? ewi_keep(reader, 1, sizeof *curve) : NULL;
    if (!curve)
        return;
    curve->kind = spline ? EW_CURVE_SPLINE : config_setting_is_aggregate(setting) ? EW_CURVE_NORMAL : EW_CURVE_LEVEL;
    if (spline)
        ewi_get_number(reader, boundary, "boundary.NAME.corner", &curve->corner);
    else if (!ewi_get_formulas(reader, boundary, path, EW_X | EW_Y,
                               curve->kind == EW_CURVE_NORMAL ? &curve->normal : &curve->level))
        return;
    condition->curve = curve;
}

static void read_sponge(struct ewi_reader *reader, const config_setting_t *boundary, ew_boundary *condition)
{
    const config_setting_t *sponge = ewi_get(boundary, "boundary.NAME.sponge");
    if (!sponge)
        return;
    ewi_get_number(reader, sponge, "boundary.NAME.sponge.width", &condition->sponge_width);
    ewi_get_number(reader, sponge, "boundary.NAME.sponge.strength", &condition->sponge_strength);
}

/* False if the boundary needs no condition, or has an unknown one. */
static bool read_condition(struct ewi_reader *reader, const config_setting_t *boundary, ew_boundary *condition)
{
    *condition = (ew_boundary){0};
    if (!ewi_get_text(reader, boundary, "boundary.NAME.kind", &condition->kind))
        return false;
    check_keys(reader, boundary, condition->kind);
    if (strcmp(condition->kind, "supersonic-out") == 0)
        condition->kind = "copy";
    if (is_periodic(boundary))
        return false;
    if (ewi_boundary_takes(boundary, "boundary.NAME.state"))
        read_state(reader, boundary, condition);
    if (has_own_values(reader, condition->kind))
        read_values(reader, boundary, condition);
    if (ewi_boundary_takes(boundary, "boundary.NAME.angle"))
        ewi_get_number(reader, boundary, "boundary.NAME.angle", &condition->angle);
    if (ewi_boundary_takes(boundary, "boundary.NAME.sponge"))
        read_sponge(reader, boundary, condition);
    if (ewi_boundary_takes(boundary, "boundary.NAME.curve"))
        read_curve(reader, boundary, condition);
    if (ewi_boundary_takes(boundary, "boundary.NAME.normal")) {
        ewi_get_formulas(reader, boundary, "boundary.NAME.normal", EW_X | EW_Y, &condition->normal);
        ewi_get_flag(boundary, "boundary.NAME.conservative", &condition->conservative);
        ewi_get_text(reader, boundary, "boundary.NAME.ghost", &condition->ghost);
    }
    condition->name = ewi_keep_text(reader, name_of(boundary));
    return condition->name;
}

/* ---- against the mesh -------------------------------------------------------------------------------------------- */

bool ewi_mesh_has_boundary(const ew_mesh *mesh, const char *name)
{
    for (int32_t k = 0; ew_mesh_boundary(mesh, k, NULL); k++)
        if (strcmp(ew_mesh_boundary(mesh, k, NULL), name) == 0)
            return true;
    return false;
}

static bool is_paired(const struct ewi_reader *reader, const char *name)
{
    for (int32_t k = 0; k < reader->periodics; k++)
        if (strcmp(reader->periodic[k].first, name) == 0 || strcmp(reader->periodic[k].second, name) == 0)
            return true;
    return false;
}

void ewi_unknown_boundary(struct ewi_reader *reader, const config_setting_t *setting, const ew_mesh *mesh,
                          const char *name)
{
    char names[512] = "";
    size_t length = 0;
    for (int32_t k = 0; ew_mesh_boundary(mesh, k, NULL); k++)
        length = ewi_append(names, sizeof names, length, "%s%s", length > 0 ? ", " : "",
                            ew_mesh_boundary(mesh, k, NULL));
    ewi_issue(reader, setting, "boundary \"%s\" is not in the mesh; the mesh has %s", name,
              length > 0 ? names : "no boundary");
}

/* True if a key that is not in the mesh was probably meant for this boundary. */
static bool is_mistyped(const struct ewi_reader *reader, const config_setting_t *groups, const char *name)
{
    for (int k = 0; k < count_members(groups); k++) {
        const char *key = name_of(config_setting_get_elem(groups, (unsigned)k));
        if (!ewi_mesh_has_boundary(reader->that->mesh, key) && ewi_nearest(key, &name, 1))
            return true;
    }
    return false;
}

/* True if libconfig accepts the name as a key. */
static bool can_be_key(const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*";
    bool good = name[0] && strchr(letters, name[0]);
    for (; good && *name; name++)
        good = strchr(letters, *name) || strchr("-_0123456789", *name);
    return good;
}

static void check_cover(struct ewi_reader *reader)
{
    const config_setting_t *groups = ewi_get(reader->root, "boundary");
    const ew_mesh *mesh = reader->that->mesh;
    for (int k = 0; k < count_members(groups); k++) {
        const config_setting_t *boundary = config_setting_get_elem(groups, (unsigned)k);
        const char *name = name_of(boundary);
        if (!ewi_mesh_has_boundary(mesh, name) && !is_paired(reader, name) && !is_periodic(boundary))
            ewi_unknown_boundary(reader, boundary, mesh, name);
    }
    for (int32_t k = 0; ew_mesh_boundary(mesh, k, NULL); k++) {
        const char *name = ew_mesh_boundary(mesh, k, NULL);
        if (ewi_boundary_named(reader, name) || is_mistyped(reader, groups, name))
            continue;
        if (can_be_key(name))
            ewi_issue(reader, groups, "the mesh has a boundary \"%s\", which has no condition here: boundary = { %s = "
                      "{ kind = \"...\"; }; }", name, name);
        else
            ewi_issue(reader, groups, "the mesh has a boundary \"%s\", which has no condition here and whose name "
                      "cannot be a key: boundary = { any = { name = \"%s\"; kind = \"...\"; }; }", name, name);
    }
}

/* Reports two keys for one boundary. */
static void check_names(struct ewi_reader *reader)
{
    const config_setting_t *groups = ewi_get(reader->root, "boundary");
    for (int k = 0; k < count_members(groups); k++) {
        const config_setting_t *boundary = config_setting_get_elem(groups, (unsigned)k);
        const config_setting_t *first = ewi_boundary_named(reader, name_of(boundary));
        if (first != boundary)
            ewi_issue(reader, boundary, "boundary.%s and boundary.%s are both conditions for the boundary \"%s\"",
                      config_setting_name(first), config_setting_name(boundary), name_of(boundary));
    }
}

void ewi_read_boundaries(struct ewi_reader *reader)
{
    const config_setting_t *groups = ewi_get(reader->root, "boundary");
    ew_problem *problem = &reader->that->problem;
    ew_boundary *condition = ewi_keep(reader, (size_t)count_members(groups), sizeof *condition);
    if (!condition)
        return;
    problem->boundary = condition;
    check_names(reader);
    for (int k = 0; k < count_members(groups); k++) {
        const config_setting_t *boundary = group_at(groups, k);
        bool is_first = boundary && ewi_boundary_named(reader, name_of(boundary)) == boundary;
        if (is_first && read_condition(reader, boundary, &condition[problem->boundaries]))
            problem->boundaries++;
    }
    /* otherwise wrong boundary keys would be reported twice, in different words */
    if (reader->that->mesh && (groups || !config_setting_get_member(reader->root, "boundary")))
        check_cover(reader);
}
