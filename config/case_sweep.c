/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The members of a sweep: the group `sweep` of a case, and the settings of a member. A drawn value depends only on the
 * seed, the member's number and the key's place in the list: more samples add members and do not change the others.
 */
#include "ewi_case.h"
#include "ewi_difference.h"
#include "ewi_hints.h"
#include "ewi_math.h"
#include "ewi_text.h"

#include <math.h>
#include <string.h>

enum { LONGEST_VALUE = 4096, LEAST_DIGITS = 4 };

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Steele, Lea and Flood, "Fast splittable pseudorandom number generators": splitmix64's finalizer. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* A number in [0, 1): number `member` of the stream for the seed and the key's place. */
static double draw(uint64_t seed, int place, int64_t member)
{
    const uint64_t step = 0x9e3779b97f4a7c15u;
    uint64_t stream = mix(seed + step * ((uint64_t)place + 1));
    return (double)(mix(stream + step * (uint64_t)member) >> 11) * 0x1p-53;
}

/* `at` runs from 0 to 1. The functions are edgewise's own, so that all machines compute the same values. */
static double in_range(const struct ewi_axis *axis, double at)
{
    if (at <= 0)
        return axis->from;
    if (at >= 1)
        return axis->to;
    return axis->logarithmic ? axis->from * ewi_pow(axis->to / axis->from, at)
                             : axis->from + at * (axis->to - axis->from);
}

/* The value at a step of a range. */
static double step_of(const struct ewi_axis *axis, int64_t index)
{
    return in_range(axis, axis->count > 1 ? (double)index / (double)(axis->count - 1) : 0);
}

static double drawn(const struct ewi_axis *axis, double at)
{
    double width = axis->to - axis->from;
    return axis->whole ? axis->from + ewi_floor(at * (width + 1)) : in_range(axis, at);
}

/* The index of the member's value on the axis. In a grid, the last key varies fastest. */
static int64_t index_of(const struct ewi_sweep *sweep, int place, int64_t member)
{
    int64_t index = member - 1;
    if (sweep->design == EWI_RANDOM)
        return (int64_t)(draw(sweep->seed, place, member) * (double)sweep->axis[place].count);
    for (int k = sweep->axes - 1; sweep->design == EWI_GRID && k > place; k--)
        index /= sweep->axis[k].count;
    return sweep->design == EWI_GRID ? index % sweep->axis[place].count : index;
}

/* The value as text, plain and as a setting. For a number, the two are equal. */
struct value {
    const char *shown, *text;
    double number;
    char digits[EWI_SHORTEST];
};

static void get_value(const struct ewi_sweep *sweep, int place, int64_t member, struct value *value)
{
    const struct ewi_axis *axis = &sweep->axis[place];
    int64_t index = axis->count > 0 ? index_of(sweep, place, member) : 0;
    if (axis->text) {
        *value = (struct value){.shown = axis->shown[index], .text = axis->text[index], .number = axis->number[index]};
        return;
    }
    value->number = axis->count > 0 ? step_of(axis, index) : drawn(axis, draw(sweep->seed, place, member));
    value->shown = value->text = ewi_shortest(value->number, value->digits);
}

/* ---- the group --------------------------------------------------------------------------------------------------- */

/* Writes the hint for a key that other codes use, as the end of a sentence. */
static bool hint_at(const char *key, char *text, size_t size)
{
    char group[EWI_LONGEST_PATH], place[EWI_LONGEST_PATH + 2];
    const char *dot = strrchr(key, '.'), *name = dot ? dot + 1 : key;
    ewi_append(group, sizeof group, 0, "%.*s", dot ? (int)(dot - key) : 0, key);
    const struct ewi_option *option = ewi_option_of_key(group);
    ewi_snprintf(place, sizeof place, "%s.", option ? option->path : group);
    const struct ewi_hint *hint = ewi_hint_find(place, NULL, name);
    if (hint && hint->instead && dot && !strchr(hint->instead, '.'))
        ewi_snprintf(text, size, "; did you mean \"%s.%s\"?", group, hint->instead);
    else if (hint)
        ewi_hint_text(hint, text, size);
    return hint;
}

/* True if a sweep may vary the key; otherwise reports why not, at `place`. */
static bool check_key(struct ewi_reader *reader, const char *key, const config_setting_t *place)
{
    const struct ewi_option *all, *option = ewi_option_of_key(key);
    const char *names[256];
    char rest[512];
    size_t count, known = 0;
    all = ewi_options(&count);
    for (size_t k = 0; k < count && known < sizeof names / sizeof *names; k++)
        if (!strstr(all[k].path, ".PART."))
            names[known++] = all[k].path;
    if (strncmp(key, "sweep", 5) == 0 && (!key[5] || key[5] == '.'))
        ewi_issue(reader, place, "a sweep cannot be over its own keys, such as \"%s\"", key);
    else if (!option) {
        const char *nearest = ewi_nearest(key, names, known);
        if (ewi_source_has_name(reader, key))
            ewi_snprintf(rest, sizeof rest, "; did you mean \"let.%s\"?", key);
        else if (!hint_at(key, rest, sizeof rest))
            ewi_snprintf(rest, sizeof rest, nearest ? "; did you mean \"%s\"?" : "; edgewise-case(5) has all%s",
                         nearest ? nearest : "");
        ewi_issue(reader, place, "there is no key \"%s\"%s", key, rest);
    } else if (ewi_source_lacks_name(reader, key))
        ewi_issue(reader, place, EWI_NO_NAME, key);
    else
        return true;
    return false;
}

/* True if the command line or an earlier axis sets the key, too. */
static bool is_set_twice(struct ewi_reader *reader, const struct ewi_sweep *sweep, const char *key,
                         const config_setting_t *place)
{
    for (int k = 0; k < sweep->axes; k++)
        if (strcmp(sweep->axis[k].key, key) == 0) {
            ewi_issue(reader, place, "the key \"%s\" is given twice", key);
            return true;
        }
    const ew_case_options *options = &reader->options;
    bool counts = reader->only_sweep || options->member > 0; /* otherwise the case is refused with another sentence */
    for (size_t k = 0; counts && k < options->settings; k++) {
        size_t length = strcspn(options->setting[k], "= \t");
        if (strlen(key) == length && strncmp(options->setting[k], key, length) == 0) {
            ewi_issue(reader, place, "\"%s\" differs from member to member, so an option cannot set it", key);
            return true;
        }
    }
    return false;
}

static void read_values(struct ewi_reader *reader, const config_setting_t *list, const struct ewi_option *option,
                        struct ewi_axis *axis)
{
    char value[LONGEST_VALUE];
    size_t count = (size_t)config_setting_length(list);
    if (count == 0)
        ewi_issue(reader, list, "there is no value for \"%s\"", axis->key);
    axis->count = (int64_t)count;
    axis->text = ewi_keep(reader, count, sizeof *axis->text);
    axis->shown = ewi_keep(reader, count, sizeof *axis->shown);
    axis->number = ewi_keep(reader, count, sizeof *axis->number);
    for (size_t k = 0; k < count && !reader->out_of_memory; k++) {
        const config_setting_t *one = config_setting_get_elem(list, (unsigned)k);
        bool is_number = config_setting_is_number(one);
        ewi_check_value(reader, option, one);
        ewi_put_value(one, false, value, sizeof value, 0, 0);
        axis->shown[k] = ewi_keep_text(reader, value);
        if (ewi_put_value(one, true, value, sizeof value, 0, 0) == sizeof value - 1)
            ewi_issue(reader, one, "a value has at most %d characters", LONGEST_VALUE - 2);
        axis->text[k] = ewi_keep_text(reader, value);
        axis->number[k] = !is_number                                          ? NAN
                          : config_setting_type(one) == CONFIG_TYPE_FLOAT ? config_setting_get_float(one)
                                                                          : (double)config_setting_get_int64(one);
    }
}

/* Checks that the end of a range is valid for an integer key. */
static void check_end(struct ewi_reader *reader, const struct ewi_option *option, const config_setting_t *setting,
                      double value)
{
    char path[256], range[128];
    ewi_option_range(option, range, sizeof range);
    ewi_setting_path(setting, path, sizeof path);
    if (!ewi_option_admits(option, value))
        ewi_issue(reader, setting, "%s is %.16g; \"%s\" must be %s", path, value, option->path, range);
}

static void check_steps(struct ewi_reader *reader, const struct ewi_axis *axis, const config_setting_t *part)
{
    bool whole = axis->from == nearbyint(axis->from) && axis->to == nearbyint(axis->to);
    for (int64_t k = 0; k < axis->count && whole && axis->whole; k++)
        whole = step_of(axis, k) == nearbyint(step_of(axis, k));
    if (axis->whole && !whole)
        ewi_issue(reader, part, "\"%s\" must be an integer, which not all values of this range are", axis->key);
    if (axis->whole && axis->logarithmic && axis->count == 0)
        ewi_issue(reader, part, "\"%s\" is an integer; integers are drawn with scale \"linear\" only", axis->key);
}

static void read_range(struct ewi_reader *reader, const config_setting_t *part, const struct ewi_option *option,
                       enum ewi_design design, struct ewi_axis *axis)
{
    const config_setting_t *from = config_setting_get_member(part, "from"), *to = config_setting_get_member(part, "to");
    const char *scale = NULL;
    bool is_number = option->type == EWI_NUMBER || option->type == EWI_INTEGER || option->type == EWI_FORMULA;
    if (!from || !to) {
        ewi_issue(reader, part, "\"%s\" needs values, or a range with from and to", axis->key);
        return;
    }
    if (!is_number)
        ewi_issue(reader, part, "\"%s\" is no number, so it needs values in place of a range", axis->key);
    bool good = ewi_get_number(reader, part, "sweep.over.PART.from", &axis->from);
    good = ewi_get_number(reader, part, "sweep.over.PART.to", &axis->to) && good;
    ewi_get_text(reader, part, "sweep.over.PART.scale", &scale);
    bool steps = ewi_get_integer(reader, part, "sweep.over.PART.steps", &axis->count);
    axis->logarithmic = scale && strcmp(scale, "log") == 0;
    axis->whole = option->type == EWI_INTEGER;
    if (!steps && design != EWI_RANDOM)
        ewi_issue(reader, part, "the range of \"%s\" needs steps: how many values it has", axis->key);
    if (steps && design == EWI_RANDOM)
        ewi_issue(reader, config_setting_get_member(part, "steps"), "the design random draws from the whole range, "
                  "which then has no steps");
    if (!good || !is_number)
        return;
    check_end(reader, option, from, axis->from);
    check_end(reader, option, to, axis->to);
    if (axis->logarithmic && !(axis->from > 0 && axis->to > 0))
        ewi_issue(reader, part, "a range with scale \"log\" must be of positive numbers");
    else if (axis->whole && design == EWI_RANDOM && axis->from > axis->to)
        ewi_issue(reader, part, "the range of \"%s\" must not end before it begins", axis->key);
    else
        check_steps(reader, axis, part);
}

static void read_axis(struct ewi_reader *reader, const config_setting_t *part, struct ewi_sweep *sweep)
{
    static const char *const of_ranges[] = {"from", "to", "steps", "scale"};
    const config_setting_t *values = ewi_get(part, "sweep.over.PART.values");
    const config_setting_t *key = config_setting_get_member(part, "key");
    struct ewi_axis *axis = &sweep->axis[sweep->axes];
    if (!ewi_get_text(reader, part, "sweep.over.PART.key", &axis->key) || !check_key(reader, axis->key, key) ||
        is_set_twice(reader, sweep, axis->key, key))
        return;
    axis->place = values ? values : part;
    sweep->axes++;
    if (!values) {
        read_range(reader, part, ewi_option_of_key(axis->key), sweep->design, axis);
        return;
    }
    for (size_t k = 0; k < sizeof of_ranges / sizeof *of_ranges; k++)
        if (config_setting_get_member(part, of_ranges[k])) {
            ewi_issue(reader, part, "\"%s\" has values and a range (%s); it needs one of them", axis->key,
                      of_ranges[k]);
            break;
        }
    read_values(reader, values, ewi_option_of_key(axis->key), axis);
}

/* The number of members; the product may be large. */
static double count_members(struct ewi_reader *reader, const config_setting_t *group, const struct ewi_sweep *sweep)
{
    int64_t samples = 0;
    double members = 1;
    bool given = ewi_get_integer(reader, group, "sweep.samples", &samples);
    if (sweep->design == EWI_RANDOM) {
        if (!given)
            ewi_issue(reader, group, "the design random needs samples: how many members there are");
        return (double)samples;
    }
    for (int k = 0; k < 2; k++) {
        static const char *const of_random[] = {"samples", "seed"};
        const config_setting_t *setting = config_setting_get_member(group, of_random[k]);
        if (setting)
            ewi_issue(reader, setting, "sweep.%s is for the design random", of_random[k]);
    }
    for (int k = 0; k < sweep->axes; k++)
        if (sweep->design == EWI_GRID)
            members *= (double)sweep->axis[k].count;
        else if (sweep->axis[k].count != sweep->axis[0].count)
            ewi_issue(reader, sweep->axis[k].place, "in the design list all keys have as many values; \"%s\" has "
                      "%lld, but \"%s\" has %lld", sweep->axis[0].key, (long long)sweep->axis[0].count,
                      sweep->axis[k].key, (long long)sweep->axis[k].count);
    return sweep->design == EWI_GRID ? members : (double)sweep->axis[0].count;
}

static void read_group(struct ewi_reader *reader, const config_setting_t *group, struct ewi_sweep *sweep)
{
    static const char *const designs[] = {[EWI_GRID] = "grid", [EWI_IN_A_ROW] = "list", [EWI_RANDOM] = "random"};
    const config_setting_t *over = ewi_get(group, "sweep.over");
    const char *design = NULL;
    int64_t seed = 1;
    int keys = over ? config_setting_length(over) : 0;
    ewi_get_text(reader, group, "sweep.design", &design);
    while (strcmp(designs[sweep->design], design) != 0)
        sweep->design++;
    ewi_get_integer(reader, group, "sweep.seed", &seed);
    sweep->seed = (uint64_t)seed;
    if (over && (keys == 0 || keys > EW_MOST_KEYS))
        ewi_issue(reader, over, "a sweep is over 1 to %d keys, not %d", EW_MOST_KEYS, keys);
    sweep->axis = ewi_keep(reader, (size_t)keys, sizeof *sweep->axis);
    for (int k = 0; k < keys && k < EW_MOST_KEYS && sweep->axis; k++)
        read_axis(reader, config_setting_get_elem(over, (unsigned)k), sweep);
    if (sweep->axes == 0)
        return;
    double members = count_members(reader, group, sweep);
    sweep->members = (int64_t)fmin(members, EW_MOST_MEMBERS + 1.0);
    if (members > EW_MOST_MEMBERS)
        ewi_issue(reader, over, "this sweep has %.15g members; %d is the most", members, EW_MOST_MEMBERS);
}

/* ---- a member ---------------------------------------------------------------------------------------------------- */

static int digits_of(int64_t members)
{
    int digits = 1;
    for (; members > 9; members /= 10)
        digits++;
    return digits < LEAST_DIGITS ? LEAST_DIGITS : digits;
}

static void name_member(const ew_case *that, int64_t member, char *text, size_t size)
{
    ewi_snprintf(text, size, "%s-%0*lld", that->info.plan.name, digits_of(that->sweep.members), (long long)member);
}

/* Sets a member's value; sentences name it by the place of the axis's values. */
static void set_value(struct ewi_reader *reader, int place, int64_t member)
{
    const struct ewi_axis *axis = &reader->that->sweep.axis[place];
    struct value value;
    get_value(&reader->that->sweep, place, member, &value);
    size_t room = strlen(axis->key) + strlen(value.text) + sizeof "=";
    const char *file = config_setting_source_file(axis->place), *override = ewi_override_of(axis->place);
    file = file ? file : reader->path;
    size_t more = room + strlen(override ? override : file) + 32;
    char *setting = ewi_keep(reader, room, 1), *name = ewi_keep(reader, more, 1);
    if (!setting || !name)
        return;
    ewi_snprintf(setting, room, "%s=%s", axis->key, value.text);
    if (override)
        ewi_snprintf(name, more, "%s: %s", override, setting);
    else
        ewi_snprintf(name, more, "%s:%u: %s", file, config_setting_source_line(axis->place), setting);
    ewi_source_override(reader, setting, name);
}

static void take_member(struct ewi_reader *reader, int64_t member)
{
    ew_case *that = reader->that;
    size_t room = strlen(that->info.plan.name) + 32;
    char *name = ewi_keep(reader, room, 1);
    if (!name)
        return;
    name_member(that, member, name, room);
    that->info.plan.name = name;
    for (int k = 0; k < that->sweep.axes; k++)
        set_value(reader, k, member);
}

/* "sweep={}" in a setting removes the sweep. */
static const config_setting_t *find_group(struct ewi_reader *reader)
{
    const config_setting_t *group = config_setting_get_member(reader->root, "sweep");
    if (!group || !config_setting_is_group(group) || config_setting_length(group) > 0)
        return group;
    config_setting_remove(config_root_setting(&reader->config), "sweep");
    return NULL;
}

bool ewi_read_sweep(struct ewi_reader *reader)
{
    const config_setting_t *group = find_group(reader);
    struct ewi_sweep *sweep = &reader->that->sweep;
    int64_t member = reader->options.member;
    size_t before = reader->issue_count;
    if (!group) {
        if (member > 0)
            ewi_issue(reader, NULL, "the case has no sweep, and so no member %lld", (long long)member);
        return member == 0 && !reader->only_sweep;
    }
    if (!config_setting_is_group(group))
        ewi_issue_type(reader, ewi_option_find("sweep"), group);
    else
        ewi_check_sweep(reader, group);
    if (reader->issue_count == before)
        read_group(reader, group, sweep);
    if (reader->issue_count != before || reader->out_of_memory)
        return false;
    if (reader->only_sweep) {
        reader->that->sweep_hash = ewi_hash_settings(reader->root);
        return false;
    }
    if (member > sweep->members)
        ewi_issue(reader, group, "there is no member %lld: this sweep has %lld", (long long)member,
                  (long long)sweep->members);
    else if (member == 0)
        ewi_issue(reader, group, "this case is a sweep of %lld cases: \"edgewise sweep\" runs all of them, and "
                  "\"edgewise run --member N\" one", (long long)sweep->members);
    else
        take_member(reader, member);
    return member > 0 && member <= sweep->members;
}

/* ---- the public functions ---------------------------------------------------------------------------------------- */

void ew_sweep_get_info(const ew_sweep *sweep, ew_sweep_info *info)
{
    if (info)
        *info = (ew_sweep_info){0};
    if (!info || !sweep)
        return;
    const ew_case *that = &sweep->that;
    *info = (ew_sweep_info){.name = that->info.plan.name, .source = that->info.source, .members = that->sweep.members,
                            .keys = that->sweep.axes, .hash = that->sweep_hash};
}

const char *ew_sweep_key(const ew_sweep *sweep, int k)
{
    return sweep && k >= 0 && k < sweep->that.sweep.axes ? sweep->that.sweep.axis[k].key : NULL;
}

static bool has_value(const ew_sweep *sweep, int64_t member, int k)
{
    return ew_sweep_key(sweep, k) && member >= 1 && member <= sweep->that.sweep.members;
}

size_t ew_sweep_value(const ew_sweep *sweep, int64_t member, int k, char *text, size_t size, double *number)
{
    struct value value = {.shown = "", .number = NAN};
    if (has_value(sweep, member, k))
        get_value(&sweep->that.sweep, k, member, &value);
    if (number)
        *number = value.number;
    if (text && size > 0)
        ewi_snprintf(text, size, "%s", value.shown);
    return strlen(value.shown);
}

size_t ew_sweep_setting(const ew_sweep *sweep, int64_t member, int k, char *text, size_t size)
{
    struct value value;
    if (text && size > 0)
        text[0] = '\0';
    if (!has_value(sweep, member, k))
        return 0;
    get_value(&sweep->that.sweep, k, member, &value);
    return (size_t)ewi_snprintf(text, text ? size : 0, "%s=%s", ew_sweep_key(sweep, k), value.text);
}

void ew_sweep_name(const ew_sweep *sweep, int64_t member, char *text, size_t size)
{
    if (text && size > 0)
        text[0] = '\0';
    if (sweep && text && size > 0)
        name_member(&sweep->that, member, text, size);
}
