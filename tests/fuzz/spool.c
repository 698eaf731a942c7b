/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a stranger's job brings to the spool. The first byte modulo 5: its record .job, its .settings, the case that the
 * queue looks into, JSON as of status.json and summary.json, a job's name.
 */
#include "cli.h"
#include "ewi_spool.h"
#include "target.h"

enum { RECORD, SETTINGS, PROBE, JSON, NAME, KINDS, DEEPEST = 4, MOST = 40 };

const char *const fuzz_words[] = {
    "id=", "priority=", "submitted=", "not_before=", "attempts=", "lost=", "interruptions=", "exit_code=", "reason=",
    "=", "\n", "\r\n", "\\n", "-99", "99", "100", "1e308", "nan", "inf", "-1", "2147483648", "99999999999999999999",
    "time.end=2", "mesh", "mesh = \"../a.msh\";\n", "mesh = \"a.msh\";\n", "spool = { priority = 7; };\n",
    "@include \"a\"\n", "{", "}", "[", "]", ":", ",", "\"", "\\u0041", "\\ud800", "\\", "null", "true", "-", "0x1",
    "1e5", "\"a\": ", "\"b\": ", "\"z\": ", "[[[[[[[[", "{\"a\":{\"a\":", "@7", "@-99", ".", "..", "/", "job", ".cfg",
    ".token", "\xff", "\xc3\xa9", "\x1b[2J", NULL,
};

void fuzz_seeds(fuzz_add *add, void *context)
{
    fuzz_add_text(add, context, RECORD,
                  "id=a\npriority=7\nsubmitted=1700000000.5\nnot_before=1700000001\nattempts=2\nlost=1\n"
                  "interruptions=1\nexit_code=65\nreason=the mesh is wrong\n");
    fuzz_add_text(add, context, SETTINGS, "time.end=2\nlaw.gamma=\"7/5\"\noutput.fields.at=[1,2]\n");
    fuzz_add_text(add, context, PROBE, "title = \"a\"; mesh = \"box.msh\"; spool = { priority = 5; };\n");
    fuzz_add_text(add, context, PROBE, "mesh = { rectangle = { cells = [2, 2]; }; }; spool = { priority = -3; };\n");
    fuzz_add_text(add, context, JSON,
                  "{\"a\": [1, -2.5e3, {\"b\": \"text \\u00e9 \\n\"}, null, true], \"z\": {\"a\": {}}, \"b\": \"\"}\n");
    fuzz_add_text(add, context, NAME, "job-7@5");
}

static bool reads_record(const uint8_t *data, size_t size)
{
    struct ewi_record first, second;
    ew_error error = {0};
    fuzz_write(EWI_RECORD_FILE, data, size);
    ewi_record_read(fuzz_folder(), &first);
    MUST(ewi_record_write(fuzz_folder(), &first, false, &error) == EW_OK);
    ewi_record_read(fuzz_folder(), &second);
    MUST(first.priority == second.priority && first.has_priority == second.has_priority &&
         first.attempts == second.attempts);
    MUST(first.lost == second.lost && first.interruptions == second.interruptions &&
         first.exit_code == second.exit_code);
    MUST(first.priority >= -99 && first.priority <= 99);
    return first.attempts > 0;
}

static bool reads_settings(const uint8_t *data, size_t size)
{
    struct ewi_settings settings;
    ew_error error = {0};
    fuzz_write(EWI_SETTINGS_FILE, data, size);
    int status = ewi_settings_read(fuzz_folder(), &settings, &error);
    MUST(status == EW_OK || fuzz_is_told(status, &error));
    if (status != EW_OK)
        return false;
    for (size_t k = 0; k < settings.count; k++)
        MUST(settings.setting[k][0] && strlen(settings.setting[k]) <= size);
    bool found = settings.count > 0;
    ewi_settings_free(&settings);
    return found;
}

static bool probes(const uint8_t *data, size_t size)
{
    struct ewi_probe probe;
    ew_error error = {0};
    fuzz_write("case.cfg", data, size);
    ewi_probe_case(fuzz_folder(), "case.cfg", &probe);
    MUST(!strchr(probe.mesh, '/') && strlen(probe.mesh) <= EWI_LONGEST_NAME);
    MUST(!probe.has_priority || (probe.priority >= -99 && probe.priority <= 99));
    return probe.mesh[0] || probe.no_mesh || probe.has_priority;
}

static void visit(const char *value, int depth)
{
    static const char *const names[] = {"a", "b", "z"};
    char text[24];
    int members = 0;
    cli_json_get_text(value, text, sizeof text);
    cli_json_get_number(value);
    if (depth == DEEPEST)
        return;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *member = cli_json_member(value, names[k]);
        if (member)
            visit(member, depth + 1);
    }
    for (const char *member = cli_json_first(value); member && members++ < MOST; member = cli_json_next(member))
        visit(member, depth + 1);
}

static bool reads_json(const char *text)
{
    bool valid = cli_json_is_valid(text);
    if (valid)
        visit(text, 0);
    return valid;
}

static bool takes_name(const char *text)
{
    char sentence[EWI_SENTENCE] = "", clean[EWI_NAME];
    ew_error error = {0};
    int priority = 0;
    bool good = ewi_spool_good_name(text, sentence);
    MUST(!ewi_name_priority(text, &priority) || (priority >= -99 && priority <= 99));
    ewi_spool_clean_name(text, clean);
    MUST(good || strlen(sentence) > 10);
    MUST(ewi_spool_good_name(clean, sentence));
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    int kind = data[0] % KINDS;
    char *text = fuzz_text(data + 1, size - 1);
    bool accepted = kind == RECORD     ? reads_record(data + 1, size - 1)
                    : kind == SETTINGS ? reads_settings(data + 1, size - 1)
                    : kind == PROBE     ? probes(data + 1, size - 1)
                    : kind == JSON     ? reads_json(text)
                                       : takes_name(text);
    fuzz_accepted += accepted;
    free(text);
    return 0;
}
