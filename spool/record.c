/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads and writes a job's record, which has "key=value" lines, and reads its settings. */
#include "ewi_error.h"
#include "ewi_spool.h"

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LARGEST_RECORD = 8192 };

enum kind { TEXT, NUMBER, COUNT };

struct field {
    const char *name;
    enum kind kind;
    size_t offset, size;
};

#define FIELD(name, kind, member)                                                                                     \
    {                                                                                                                 \
        name, kind, offsetof(struct ewi_record, member), sizeof((struct ewi_record *)0)->member                       \
    }

static const struct field fields[] = {
    FIELD("id", TEXT, id),
    FIELD("inode", TEXT, inode),
    FIELD("token", TEXT, token),
    FIELD("priority", COUNT, priority),
    FIELD("submitted", NUMBER, submitted),
    FIELD("not_before", NUMBER, not_before),
    FIELD("delay", NUMBER, delay),
    FIELD("attempts", COUNT, attempts),
    FIELD("lost", COUNT, lost),
    FIELD("interruptions", COUNT, interruptions),
    FIELD("exit_code", COUNT, exit_code),
    FIELD("reason", TEXT, reason),
};

enum { FIELDS = sizeof fields / sizeof *fields };

/* Ignores values out of range: a submitter may have written the record. */
static void read_value(const struct field *field, const char *value, struct ewi_record *record)
{
    char *place = (char *)record + field->offset, *end;
    if (field->kind == TEXT) {
        snprintf(place, field->size, "%s", value);
        return;
    }
    double number = strtod(value, &end);
    if (end == value || *end || !isfinite(number))
        return;
    if (field->kind == NUMBER)
        *(double *)place = number < 0 || number > 1e11 ? 0 : number;
    else if (number >= -99 && number <= 1e6)
        *(int *)place = (int)number;
    if (strcmp(field->name, "priority") == 0)
        record->has_priority = true;
}

void ewi_record_read(int folder, struct ewi_record *record)
{
    *record = (struct ewi_record){0};
    size_t length;
    char *text = ewi_read_file(folder, EWI_RECORD_FILE, LARGEST_RECORD, &length), *rest = NULL;
    for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line; line = strtok_r(NULL, "\n", &rest)) {
        char *equals = strchr(line, '=');
        if (!equals)
            continue;
        *equals = '\0';
        for (int k = 0; k < FIELDS; k++)
            if (strcmp(fields[k].name, line) == 0)
                read_value(&fields[k], equals + 1, record);
    }
    free(text);
    record->priority = record->priority < 99 ? record->priority : 99;
    record->attempts = record->attempts > 0 ? record->attempts : 0;
    record->lost = record->lost > 0 ? record->lost : 0;
}

void ewi_record_seal(struct ewi_record *record, int folder)
{
    struct stat info;
    record->inode[0] = '\0';
    if (fstat(folder, &info) == 0)
        snprintf(record->inode, sizeof record->inode, "%llu", (unsigned long long)info.st_ino);
}

bool ewi_record_is_sealed(const struct ewi_record *record, int folder)
{
    struct ewi_record own;
    ewi_record_seal(&own, folder);
    return own.inode[0] && strcmp(own.inode, record->inode) == 0;
}

bool ewi_record_is_suspect(const struct ewi_record *record)
{
    return record->attempts > 0 || record->lost > 0;
}

void ewi_record_read_submitted(int folder, struct ewi_record *record)
{
    struct ewi_record all;
    ewi_record_read(folder, &all);
    *record = (struct ewi_record){.priority = all.priority, .has_priority = all.has_priority,
                                  .submitted = all.submitted};
    memcpy(record->id, all.id, sizeof record->id);
    memcpy(record->inode, all.inode, sizeof record->inode);
}

static int put_value(const struct field *field, const struct ewi_record *record, char *text, size_t size)
{
    const char *place = (const char *)record + field->offset;
    if (field->kind == NUMBER)
        return snprintf(text, size, "%s=%.6f\n", field->name, *(const double *)place);
    if (field->kind == COUNT)
        return snprintf(text, size, "%s=%d\n", field->name, *(const int *)place);
    int length = snprintf(text, size, "%s=%s\n", field->name, place);
    for (char *at = text; at < text + length - 1 && (size_t)(at - text) < size - 1; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
    return length;
}

int ewi_record_write(int folder, const struct ewi_record *record, bool durable, ew_error *error)
{
    char text[LARGEST_RECORD];
    size_t length = 0;
    for (int k = 0; k < FIELDS; k++) {
        if (strcmp(fields[k].name, "priority") == 0 && !record->has_priority)
            continue;
        length += (size_t)put_value(&fields[k], record, text + length, sizeof text - length);
    }
    int reason = ewi_write_file(folder, EWI_RECORD_FILE, text, length, durable);
    return reason == 0 ? EW_OK : ewi_fail(error, EW_EIO, "cannot write the job's record: %s", strerror(reason));
}

/* ---- settings ---------------------------------------------------------------------------------------------------- */

void ewi_settings_free(struct ewi_settings *settings)
{
    free(settings->text);
    free(settings->setting);
    *settings = (struct ewi_settings){0};
}

int ewi_input_code(int reason)
{
    return reason == ENOMEM || reason == EIO || reason == EMFILE || reason == ENFILE ? EW_EIO : EW_ECONFIG;
}

int ewi_settings_read(int folder, struct ewi_settings *settings, ew_error *error)
{
    size_t length = 0;
    *settings = (struct ewi_settings){0};
    settings->text = ewi_read_file(folder, EWI_SETTINGS_FILE, EWI_LARGEST_SETTINGS, &length);
    if (!settings->text && errno == ENOENT)
        return EW_OK;
    if (!settings->text)
        return ewi_fail(error, ewi_input_code(errno), "cannot read the job's file %s: %s", EWI_SETTINGS_FILE,
                        ewi_open_error(errno));
    if (memchr(settings->text, '\0', length)) {
        ewi_settings_free(settings);
        return ewi_fail(error, EW_ECONFIG, "the job's file %s is not text: it has a NUL byte", EWI_SETTINGS_FILE);
    }
    settings->setting = malloc((length / 2 + 1) * sizeof *settings->setting); /* a line has at least two bytes */
    if (!settings->setting) {
        ewi_settings_free(settings);
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the job's settings");
    }
    char *rest = NULL;
    for (char *line = strtok_r(settings->text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        settings->setting[settings->count++] = line;
    return EW_OK;
}
