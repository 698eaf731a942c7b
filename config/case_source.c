/* SPDX-License-Identifier: BSD-2-Clause */
/* Turns a case's text and its overrides into one tree of settings. */
#include "ewi_case.h"
#include "ewi_error.h"
#include "ewi_file.h"
#include "ewi_host.h"
#include "ewi_mesh_advice.h"
#include "ewi_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_CASE = 16 << 20, DEEPEST_INCLUDE = 10, MOST_INCLUDES = 1000, DEEPEST_VALUE = 16, READ_AT_ONCE = 65536 };
/* libconfig searches the whole group for each key that it adds */
#define MOST_KEYS 1000
#define MOST_KEYS_IN_ALL 50000
/* libconfig takes a microsecond or two for each member of a list */
#define MOST_MEMBERS_IN_ALL 500000
#define STRING(number) STRING_OF(number)
#define STRING_OF(number) #number
enum { DEEPEST_GROUP = 16 };

/* ---- files ------------------------------------------------------------------------------------------------------- */

static const char no_memory[] = "not enough memory to read it";
static const char too_deep[] = "lists and groups are nested too deeply";

struct text {
    char *bytes; /* terminated by a zero; or NULL */
    size_t length, room;
};

/* Makes room for that many more bytes and the zero. */
static bool make_room(const ew_host *host, struct text *text, size_t more)
{
    if (text->length + more < text->room)
        return true;
    size_t room = 2 * (text->length + more) + 1;
    char *larger = ewi_alloc(host, room, 1);
    if (!larger)
        return false;
    if (text->bytes)
        memcpy(larger, text->bytes, text->length);
    ewi_free(host, text->bytes);
    text->bytes = larger;
    text->room = room;
    return true;
}

/* A user's own case may be a pipe, such as <(...) of a shell. A pipe without a writer counts as empty. */
static int open_case(const struct ewi_reader *reader)
{
    return reader->options.confined ? ewi_open_beside(reader->path, ewi_file_name(reader->path))
                                    : open(reader->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static bool is_empty_pipe(int file, const struct text *text)
{
    struct stat info;
    return text->length == 0 && fstat(file, &info) == 0 && S_ISFIFO(info.st_mode);
}

/*
 * Closes the descriptor. Returns the reason if the text could not be read, or NULL. A negative descriptor means that
 * opening failed.
 */
static const char *read_text(const ew_host *host, int file, struct text *text)
{
    const char *reason = file < 0 ? ewi_open_error(errno) : NULL;
    *text = (struct text){0};
    for (ssize_t got = 1; got != 0 && !reason;) {
        if (!make_room(host, text, READ_AT_ONCE))
            reason = no_memory;
        else if ((got = read(file, text->bytes + text->length, READ_AT_ONCE)) > 0)
            text->length += (size_t)got;
        else if (got < 0 && errno == EAGAIN)
            fcntl(file, F_SETFL, 0); /* the pipe has a writer, so wait for data */
        else if (got < 0 && errno != EINTR)
            reason = strerror(errno);
        if (text->length > LARGEST_CASE)
            reason = "it is larger than 16 MB, too large for a case";
    }
    if (!reason && is_empty_pipe(file, text))
        reason = "it is a pipe that nobody writes to";
    if (file >= 0)
        close(file);
    if (text->bytes)
        text->bytes[text->length] = '\0';
    return reason;
}

static unsigned line_of(const char *text, size_t at)
{
    unsigned line = 1;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

/* ---- errors that libconfig does not report ----------------------------------------------------------------------- */

struct key {
    const char *name;
    size_t length;
};

/* The keys of all open groups, those of the innermost group last. */
struct keys {
    struct key key[DEEPEST_GROUP * MOST_KEYS];
    int first[DEEPEST_GROUP]; /* each group's first key, outermost group first */
    int depth, count, in_all;
    int members;  /* in all lists together */
    bool refused; /* a limit was exceeded; the rest is ignored */
};

struct scan {
    struct ewi_reader *reader;
    const char *file;     /* NULL: the case itself */
    const char *override; /* NULL: a file */
    const char *at;
    unsigned line;
    int depth;
    struct text *whole; /* the scanned text, with included files expanded; NULL: not wanted */
    struct keys *keys;  /* NULL: not checked */
    struct key word;    /* the last word, while it may be a key */
    unsigned word_line;
};

static void append_text(struct scan *scan, const char *bytes, size_t length)
{
    struct text *whole = scan->whole;
    if (!whole)
        return;
    if (!make_room(&scan->reader->host, whole, length)) {
        scan->reader->out_of_memory = true;
        return;
    }
    memcpy(whole->bytes + whole->length, bytes, length);
    whole->length += length;
    whole->bytes[whole->length] = '\0';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || ewi_is_digit(c) || c == '_' || c == '*' || c == '-';
}

static void skip_to(struct scan *scan, const char *end)
{
    for (; scan->at < end && *scan->at; scan->at++)
        scan->line += *scan->at == '\n';
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

static void refuse_key(struct scan *scan, const char *format, const struct key *key)
{
    scan->keys->refused = true;
    ewi_issue_at(scan->reader, scan->file, scan->word_line, format, (int)key->length, key->name);
}

/* Copies a key of an included file, whose text is freed before the group may end. */
static const char *keep_name(const struct scan *scan, const struct key *key)
{
    char *name = scan->file ? ewi_keep(scan->reader, key->length, 1) : NULL;
    return name ? memcpy(name, key->name, key->length) : key->name;
}

static bool is_same(const struct key *a, const struct key *b)
{
    return a->length == b->length && memcmp(a->name, b->name, a->length) == 0;
}

/* libconfig reports the line of a repeated key, but not the key. */
static void add_key(struct scan *scan)
{
    struct keys *keys = scan->keys;
    struct key key = scan->word;
    int first = keys->first[keys->depth], k = first;
    while (k < keys->count && !is_same(&keys->key[k], &key))
        k++;
    if (k < keys->count)
        refuse_key(scan, "the key \"%.*s\" appears twice in its group", &key);
    else if (keys->count - first == MOST_KEYS)
        refuse_key(scan, "\"%.*s\" is one key too many: a group has at most " STRING(MOST_KEYS), &key);
    else if (keys->in_all == MOST_KEYS_IN_ALL)
        refuse_key(scan, "\"%.*s\" is one key too many: a case has at most " STRING(MOST_KEYS_IN_ALL), &key);
    else {
        keys->key[keys->count++] = (struct key){keep_name(scan, &key), key.length};
        keys->in_all++;
    }
}

static void open_group(struct scan *scan)
{
    struct keys *keys = scan->keys;
    if (keys->depth + 1 < DEEPEST_GROUP) {
        keys->first[++keys->depth] = keys->count;
    } else {
        keys->refused = true;
        ewi_issue_at(scan->reader, scan->file, scan->line, "%s", too_deep);
    }
}

/* libconfig reports a surplus } better than this could. */
static void close_group(struct keys *keys)
{
    if (keys->depth > 0)
        keys->count = keys->first[keys->depth--];
}

static void count_member(struct scan *scan)
{
    if (scan->keys->members++ < MOST_MEMBERS_IN_ALL)
        return;
    scan->keys->refused = true;
    ewi_issue_at(scan->reader, scan->file, scan->line, "this list is too long: the lists of a case have at most "
                 STRING(MOST_MEMBERS_IN_ALL) " members in all");
}

/* A word before "=" or ":" is a key; a comma follows a member of a list. */
static void note_sign(struct scan *scan, char sign)
{
    struct keys *keys = scan->keys;
    bool is_blank = strchr(" \t\r\n\f", sign);
    if (keys && !keys->refused && (sign == '=' || sign == ':') && scan->word.name)
        add_key(scan);
    else if (keys && !keys->refused && sign == '{')
        open_group(scan);
    else if (keys && !keys->refused && sign == '}')
        close_group(keys);
    else if (keys && !keys->refused && sign == ',')
        count_member(scan);
    if (!is_blank)
        scan->word.name = NULL;
}

static void skip_word(struct scan *scan)
{
    const char *end = scan->at;
    while (is_word(*end))
        end++;
    scan->word = (struct key){scan->at, (size_t)(end - scan->at)};
    scan->word_line = scan->line;
    scan->at = end;
}

/* ---- other words ------------------------------------------------------------------------------------------------- */

static void skip_text(struct scan *scan)
{
    const char *end = scan->at + 1;
    while (*end && *end != '"')
        end += *end == '\\' && end[1] ? 2 : 1;
    if (!*end && !scan->override)
        ewi_issue_at(scan->reader, scan->file, scan->line, "the string that starts here has no end: a \" is missing");
    skip_to(scan, *end ? end + 1 : end);
}

static void skip_comment(struct scan *scan)
{
    const char *end = strstr(scan->at + 2, "*/");
    if (!end && !scan->override)
        ewi_issue_at(scan->reader, scan->file, scan->line, "the comment that starts here has no end: a */ is missing");
    skip_to(scan, end ? end + 2 : scan->at + strlen(scan->at));
}

static void complain(const struct scan *scan, const char *reason, int digits)
{
    if (scan->override)
        ewi_issue_override(scan->reader, scan->override, "%.*s is %s", digits, scan->at, reason);
    else
        ewi_issue_at(scan->reader, scan->file, scan->line, "%.*s is %s", digits, scan->at, reason);
}

/* libconfig before 1.7 silently takes the lowest 32 bits of a large integer. */
static void check_integer(struct scan *scan)
{
    bool hexadecimal = scan->at[0] == '0' && (scan->at[1] == 'x' || scan->at[1] == 'X');
    const char *end = scan->at + (hexadecimal ? 2 : 0);
    while (ewi_is_digit(*end) || (hexadecimal && strchr("abcdefABCDEF", *end) && *end))
        end++;
    bool whole = *end != '.' && (hexadecimal || (*end != 'e' && *end != 'E')) && *end != 'L';
    int digits = (int)(end - scan->at);
    errno = 0;
    unsigned long long value = strtoull(scan->at, NULL, hexadecimal ? 16 : 10);
    if ((whole || *end == 'L') && (errno == ERANGE || value > INT64_MAX))
        complain(scan, "too large for an integer; add a decimal point", digits);
    else if (whole && value > INT32_MAX)
        complain(scan, "too large for 32 bits; add an L", digits);
    while (is_word(*end) || *end == '.' || (*end == '+' && (end[-1] == 'e' || end[-1] == 'E')))
        end++;
    scan->at = end;
}

static void scan_file(const struct scan *from, const char *path, int file);

/* The end of the file name after an @include that was followed, or NULL. */
static const char *follow_include(struct scan *scan)
{
    const char *name = scan->at + strcspn(scan->at, "\"\n"), *end = *name == '"' ? name + 1 : name;
    end += strcspn(end, "\"\n");
    if (*name != '"' || *end != '"' || scan->depth >= DEEPEST_INCLUDE)
        return NULL;
    if (scan->override || scan->reader->options.confined)
        return NULL;
    struct ewi_reader *reader = scan->reader;
    if (++reader->includes >= MOST_INCLUDES) {
        if (reader->includes == MOST_INCLUDES)
            ewi_issue_at(reader, scan->file, scan->line, "more than %d files are included; one of them includes itself",
                         MOST_INCLUDES - 1);
        return NULL;
    }
    size_t folder = strlen(reader->folder), length = (size_t)(end - name - 1);
    char *path = ewi_alloc(&reader->host, folder + length + 1, 1);
    if (!path) {
        reader->out_of_memory = true;
        return NULL;
    }
    memcpy(path, reader->folder, folder);
    memcpy(path + folder, name + 1, length);
    int file = ewi_open_regular(path);
    if (file < 0)
        ewi_issue_at(reader, scan->file, scan->line, "cannot read the included file \"%.*s\": %s", (int)length,
                     name + 1, ewi_open_error(errno));
    else
        scan_file(scan, path, file);
    ewi_free(&reader->host, path);
    return end + 1;
}

static void scan_text(struct scan *scan, const char *text)
{
    const char *kept = text; /* start of the text that is not yet in the whole text */
    scan->line = 1;
    for (scan->at = text; *scan->at;) {
        const char *at = scan->at;
        if (*at == '"') {
            note_sign(scan, *at);
            skip_text(scan);
        } else if (*at == '#' || (at[0] == '/' && at[1] == '/'))
            skip_to(scan, at + strcspn(at, "\n"));
        else if (at[0] == '/' && at[1] == '*')
            skip_comment(scan);
        else if (ewi_is_digit(*at)) {
            note_sign(scan, *at);
            check_integer(scan);
        } else if (is_word(*at) && *at != '-')
            skip_word(scan);
        else if (strncmp(at, "@include", 8) == 0) {
            append_text(scan, kept, (size_t)(at - kept));
            const char *end = follow_include(scan);
            kept = end ? end : at;
            skip_to(scan, at + strcspn(at, "\n"));
        } else {
            note_sign(scan, *at);
            skip_to(scan, at + 1);
        }
    }
    append_text(scan, kept, (size_t)(scan->at - kept));
}

/* Reports the first NUL byte, if there is one. */
static bool is_text(struct ewi_reader *reader, const char *path, const struct text *text)
{
    size_t length = strlen(text->bytes);
    if (length < text->length)
        ewi_issue_at(reader, path, line_of(text->bytes, length), "the file is not text: it has a NUL byte here");
    return length == text->length;
}

/* Closes the descriptor. */
static void scan_file(const struct scan *from, const char *path, int file)
{
    struct ewi_reader *reader = from->reader;
    struct text text;
    const char *reason = read_text(&reader->host, file, &text);
    struct scan scan = {.reader = reader, .file = path, .depth = from->depth + 1, .whole = from->whole,
                        .keys = from->keys};
    if (reason == no_memory)
        reader->out_of_memory = true;
    else if (reason)
        ewi_issue_at(reader, path, 0, "cannot read it: %s", reason);
    else if (is_text(reader, path, &text))
        scan_text(&scan, text.bytes);
    ewi_free(&reader->host, text.bytes);
}

/* ---- the case ---------------------------------------------------------------------------------------------------- */

static int keep_names(struct ewi_reader *reader, ew_error *error)
{
    ew_case_info *info = &reader->that->info;
    const char *slash = strrchr(reader->path, '/'), *base = slash ? slash + 1 : reader->path;
    info->path = ewi_keep_text(reader, reader->path);
    char *name = ewi_keep_text(reader, base);
    reader->folder = ewi_keep_text(reader, reader->path);
    if (!info->path || !name || !reader->folder)
        return ewi_fail(error, EW_ENOMEM, "%s: not enough memory to read the case", reader->path);
    if (ewi_ends_in(name, ".cfg"))
        name[strlen(name) - strlen(".cfg")] = '\0';
    info->plan.name = name;
    reader->folder[base - reader->path] = '\0';
    return EW_OK;
}

static void scan_whole(struct ewi_reader *reader, const char *text, struct text *whole)
{
    struct keys *keys = ewi_alloc(&reader->host, 1, sizeof *keys);
    struct scan scan = {.reader = reader, .whole = whole, .keys = keys};
    reader->out_of_memory = reader->out_of_memory || !keys;
    scan_text(&scan, text);
    ewi_free(&reader->host, keys);
}

void ewi_source_scan(struct ewi_reader *reader, const char *text)
{
    scan_whole(reader, text, NULL);
}

/* Refuses any "@include", even where libconfig would not follow it. */
static void refuse_includes(struct ewi_reader *reader, const char *text)
{
    unsigned line = 1;
    const char *before = text;
    for (const char *at = text; reader->options.confined && (at = strstr(at, "@include")); before = at++) {
        line += line_of(before, (size_t)(at - before)) - 1;
        ewi_issue_at(reader, NULL, line, "an included file is not read: this case must be one file");
    }
}

/* Reports a mesh that was given in place of a case; false: the file's name is not a mesh's. */
static bool refuse_mesh(struct ewi_reader *reader)
{
    static const struct {
        const char *ending, *name;
    } meshes[] = {{".msh", "a Gmsh mesh"}, {".su2", "an SU2 mesh"}};
    const char *file = ewi_file_name(reader->path), *ending = strrchr(file, '.');
    for (size_t k = 0; ending && k < sizeof meshes / sizeof *meshes; k++)
        if (strcmp(ending, meshes[k].ending) == 0) {
            ewi_issue_at(reader, NULL, 0, "this is %s, not a case; a case names it: mesh = \"%s\";", meshes[k].name,
                         file);
            return true;
        }
    if (!ending || strcmp(ending, ".geo") != 0)
        return false;
    ewi_issue_at(reader, NULL, 0, "this is a Gmsh geometry, not a case; " EWI_ADVICE_2D " makes a mesh, which a case "
                 "names: mesh = \"NAME.msh\";");
    return true;
}

int ewi_source_load(struct ewi_reader *reader, ew_error *error)
{
    struct text text = {0};
    const char *reason;
    int status;
    EWI_TRY(keep_names(reader, error));
    reason = read_text(&reader->host, open_case(reader), &text);
    if (text.bytes && reason != no_memory && refuse_mesh(reader)) {
        goto out;
    } else if (reason) {
        status = ewi_fail(error, reason == no_memory ? EW_ENOMEM : EW_EIO, "cannot read the case %s: %s",
                          reader->path, reason);
    } else if (memcmp(text.bytes, "\211HDF", 4) == 0 || memcmp(text.bytes, "CDF", 3) == 0) {
        ewi_issue_at(reader, NULL, 0, "this is a netCDF file, not a case; if a run wrote it, edgewise plot and "
                     "export show its contents");
    } else if (is_text(reader, NULL, &text)) {
        const char *start = text.bytes + (strncmp(text.bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
        struct text whole = {0};
        scan_whole(reader, start, &whole);
        refuse_includes(reader, start);
        reader->that->info.plan.text = ewi_keep_text(reader, start);
        reader->that->info.source = ewi_keep_text(reader, whole.bytes ? whole.bytes : "");
        ewi_free(&reader->host, whole.bytes);
    }
out:
    ewi_free(&reader->host, text.bytes);
    return status;
}

static const char duplicate[] = "duplicate setting name"; /* libconfig's sentence */

/* Corrects libconfig's sentence: its parser has a limit of nesting, not of memory. */
static const char *words_for(const char *error)
{
    return strcmp(error, "memory exhausted") == 0 ? too_deep : error;
}

/* True if the text's first line has "nan" or the like where a value should begin. */
static bool has_not_finite(const char *text)
{
    bool value = true;
    for (size_t length; *text && *text != '\n'; text += length + (length == 0)) {
        length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
        char after = text[length + strspn(text + length, " \t")];
        if (value && ewi_is_not_finite(text, length) && after != '=' && after != ':')
            return true;
        value = length == 0 && (strchr("=:[(,+-", *text) || (value && strchr(" \t", *text)));
    }
    return false;
}

/* The length of a value without quotes: it ends outside of its own parentheses. */
static size_t length_of_value(const char *text)
{
    size_t length = 0;
    for (int depth = 0; text[length] && !strchr("\n;]}#", text[length]); length++) {
        if (depth == 0 && (text[length] == ',' || text[length] == ')'))
            break;
        depth += (text[length] == '(') - (text[length] == ')');
    }
    while (length > 0 && strchr(" \t\r", text[length - 1]))
        length--;
    return length;
}

/* True for a formula or a name without quotes, but not if a semicolon is missing behind the value. */
static bool lacks_quotes(const char *text, size_t length)
{
    static const char *const flags[] = {"true", "false"};
    return length > 0 && memchr(text, '"', length) == NULL && memchr(text, '=', length) == NULL &&
           strspn(text, "+-.0123456789eEL") < length && !ewi_is_one_of(flags, 2, text, length);
}

/* The length of a key's name with the blanks behind it; 0: there is no key. */
static size_t length_of_key(const char *text)
{
    size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-");
    length += length > 0 ? strspn(text + length, " \t") : 0;
    return text[length] == ':' || (text[length] == '=' && text[length + 1] != '=') ? length : 0;
}

/* The first value of the text's first line that should be in quotes; NULL: none. */
static const char *find_unquoted(const char *text, size_t *length)
{
    bool value = false;
    for (; *text && *text != '\n' && *text != '#' && strncmp(text, "//", 2) != 0; text++) {
        if (*text == '"') {
            const char *end = strpbrk(text + 1, "\"\n");
            if (!end || *end == '\n')
                return NULL;
            text = end;
            value = false;
        } else if (value && !strchr(" \t[({", *text)) {
            size_t key = length_of_key(text);
            *length = key > 0 ? key : length_of_value(text);
            if (key == 0 && lacks_quotes(text, *length))
                return text;
            text += *length > 0 ? *length - 1 : 0;
            value = false;
        } else {
            value = strchr("=:[(,", *text) || (value && *text != '{');
        }
    }
    return NULL;
}

static const char *advice_on_quotes(const char *value, size_t length, char *room, size_t size)
{
    static const char *const flags[] = {"yes", "no", "on", "off"};
    if (ewi_is_one_of(flags, 4, value, length))
        ewi_snprintf(room, size, ": write true or false, not %.*s", (int)length, value);
    else
        ewi_snprintf(room, size, ": formulas and other texts are in quotes: \"%.*s\"", (int)length, value);
    return room;
}

/* `text` begins at the error's line. The advice may be in `room`. */
static const char *advice_for(const char *error, const char *text, char *room, size_t size)
{
    size_t length;
    bool syntax = strcmp(error, "syntax error") == 0;
    const char *unquoted = syntax ? find_unquoted(text, &length) : NULL;
    if (syntax && has_not_finite(text))
        return ": numbers must be finite; nan and inf are not";
    if (unquoted)
        return advice_on_quotes(unquoted, length, room, size);
    if (syntax)
        return ": here, or at the end of the line before, this is not \"key = value;\" with texts in \"\", lists in ( "
               ") or [ ] and groups in { }";
    if (strstr(error, "mismatched element type"))
        return ": write all members of [ ] with a point (0.0, 3.5) or none, or put them in ( )";
    if (strcmp(error, duplicate) == 0)
        return ": a key in this line appears twice in its group";
    return "";
}

/* NULL if the text has fewer lines. */
static const char *find_line(const char *text, unsigned line)
{
    for (unsigned k = 1; k < line && text; k++)
        text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
    return text;
}

/* libconfig 1.5 does not check its allocations; the limit on a file's size is the only remedy. */
bool ewi_source_parse(struct ewi_reader *reader)
{
    if (!reader->that->info.source && reader->that->info.plan.text) /* the text was not loaded from a file */
        ewi_source_scan(reader, reader->that->info.plan.text);
    if (reader->issues || !reader->that->info.plan.text)
        return false;
    if (reader->folder[0])
        config_set_include_dir(&reader->config, reader->folder);
    if (!config_read_string(&reader->config, reader->that->info.plan.text)) {
        const char *text = config_error_text(&reader->config);
        char room[256];
        int line = config_error_line(&reader->config);
        const char *at = line > 0 && !config_error_file(&reader->config)
                             ? find_line(reader->that->info.plan.text, (unsigned)line)
                             : NULL;
        ewi_issue_at(reader, config_error_file(&reader->config), line > 0 ? (unsigned)line : 0, "%s%s", words_for(text),
                     advice_for(text, at ? at : "", room, sizeof room));
        return false;
    }
    reader->root = config_root_setting(&reader->config);
    return true;
}

/* ---- overrides --------------------------------------------------------------------------------------------------- */

static void mark(config_setting_t *setting, const char *override)
{
    config_setting_set_hook(setting, (void *)(uintptr_t)override);
}

static bool copy_scalar(config_setting_t *to, const config_setting_t *from)
{
    switch (config_setting_type(from)) {
    case CONFIG_TYPE_INT:
        return config_setting_set_int(to, config_setting_get_int(from));
    case CONFIG_TYPE_INT64:
        return config_setting_set_int64(to, config_setting_get_int64(from));
    case CONFIG_TYPE_FLOAT:
        return config_setting_set_float(to, config_setting_get_float(from));
    case CONFIG_TYPE_BOOL:
        return config_setting_set_bool(to, config_setting_get_bool(from));
    case CONFIG_TYPE_STRING:
        return config_setting_set_string(to, config_setting_get_string(from));
    default:
        return false;
    }
}

/* Recursive, but no deeper than DEEPEST_VALUE. */
static bool copy_setting(config_setting_t *parent, const char *name, const config_setting_t *from, const char *override,
                         int depth)
{
    config_setting_t *to = depth < DEEPEST_VALUE ? config_setting_add(parent, name, config_setting_type(from)) : NULL;
    if (!to)
        return false;
    mark(to, override);
    if (!config_setting_is_aggregate(from))
        return copy_scalar(to, from);
    for (int k = 0; k < config_setting_length(from); k++) {
        const config_setting_t *member = config_setting_get_elem(from, (unsigned)k);
        if (!copy_setting(to, config_setting_name(member), member, override, depth + 1))
            return false;
    }
    return true;
}

/* Moves the last member of the group to `index`: a new `let` must stay before those that use it. */
static void move_last_to(config_setting_t *group, int index)
{
    config_list_t *list = group->value.list;
    config_setting_t *last = list->elements[list->length - 1];
    memmove(list->elements + index + 1, list->elements + index,
            (list->length - 1 - (size_t)index) * sizeof *list->elements);
    list->elements[index] = last;
}

/* Returns true if the group has room for another key. */
static bool has_room(struct ewi_reader *reader, const config_setting_t *group, const char *name, const char *override)
{
    if (config_setting_length(group) < MOST_KEYS || config_setting_get_member(group, name))
        return true;
    ewi_issue_override(reader, override, "\"%s\" is one key too many: a group has at most %d", name, MOST_KEYS);
    return false;
}

static void put_setting(struct ewi_reader *reader, config_setting_t *group, const char *name,
                        const config_setting_t *value, const char *override)
{
    config_setting_t *old = config_setting_get_member(group, name);
    int index = old ? config_setting_index(old) : -1;
    if (old)
        config_setting_remove(group, name);
    if (!copy_setting(group, name, value, override, 0))
        ewi_issue_override(reader, override, "\"%s\" cannot be set like this; write path.to.key=value", name);
    else if (index >= 0)
        move_last_to(group, index);
}

/* Turns law = "euler" into law = { name = "euler"; }, so that a parameter can be added. */
static void widen_law(struct ewi_reader *reader, config_setting_t *root, const char *override)
{
    const config_setting_t *law = config_setting_get_member(root, "law");
    char *name = ewi_keep_text(reader, config_setting_get_string(law));
    if (!name)
        return;
    config_setting_remove(root, "law");
    config_setting_t *group = config_setting_add(root, "law", CONFIG_TYPE_GROUP);
    config_setting_t *inner = group ? config_setting_add(group, "name", CONFIG_TYPE_STRING) : NULL;
    if (!inner)
        return;
    config_setting_set_string(inner, name);
    mark(group, override);
    mark(inner, override);
}

/* The member `name` of `group`, which must be a group and is made if missing; NULL, with an issue, on failure. */
static config_setting_t *enter_group(struct ewi_reader *reader, config_setting_t *group, const char *name,
                                     const char *override)
{
    config_setting_t *member = config_setting_get_member(group, name);
    if (member && config_setting_is_root(group) && strcmp(name, "law") == 0 &&
        config_setting_type(member) == CONFIG_TYPE_STRING) {
        widen_law(reader, group, override);
        member = config_setting_get_member(group, name);
    }
    if (!member) {
        member = config_setting_length(group) < MOST_KEYS ? config_setting_add(group, name, CONFIG_TYPE_GROUP) : NULL;
        if (member)
            mark(member, override);
        else if (has_room(reader, group, name, override))
            ewi_issue_override(reader, override, "\"%s\" cannot be a key; write path.to.key=value", name);
        return member;
    }
    if (config_setting_is_group(member))
        return member;
    ewi_issue_override(reader, override, "\"%s\" is not a group here, so nothing in it can be set", name);
    return NULL;
}

static bool is_only_text(const char *path)
{
    size_t count;
    const struct ewi_option *options = ewi_options(&count);
    for (size_t k = 0; k < count; k++)
        if (strcmp(options[k].path, path) == 0)
            return options[k].type == EWI_TEXT;
    return false;
}

/*
 * True if the value is probably in libconfig's syntax, so that an error in it is reported; false if it is probably a
 * text without its quotes. A parenthesis may also start a formula, which has none of these characters, or a text.
 */
static bool has_syntax(const char *path, const char *value)
{
    if (value[0] == '(')
        return !is_only_text(path) && strpbrk(value, "[{\";");
    return value[0] && strchr("[{\"", value[0]);
}

/* Copies the value and, if `lengthen`, appends an L to its integers; returns true if one exceeds 32 bits. */
static bool copy_value(const char *value, bool lengthen, char *out)
{
    bool quoted = false, is_long = false;
    for (const char *at = value, *end; *at; at = end) {
        quoted ^= *at == '"' && (at == value || at[-1] != '\\');
        bool starts = ewi_is_digit(*at) && !quoted &&
                      (at == value || (!is_word(at[-1]) && at[-1] != '.') || at[-1] == '-');
        for (end = at + 1; starts && ewi_is_digit(*end);)
            end++;
        memcpy(out, at, (size_t)(end - at));
        out += end - at;
        errno = 0;
        bool is_integer = starts && !is_word(*end) && *end != '.' && strtoull(at, NULL, 10) <= INT64_MAX && errno == 0;
        is_long = is_long || (is_integer && strtoull(at, NULL, 10) > INT32_MAX);
        if (is_integer && lengthen)
            *out++ = 'L';
    }
    *out = '\0';
    return is_long;
}

/* Parses the value as that of a setting. */
static bool parse_setting(struct ewi_reader *reader, const char *value, config_t *tree)
{
    size_t size = strlen(value) + 16;
    char *text = ewi_alloc(&reader->host, size, 1);
    if (!text) {
        reader->out_of_memory = true;
        return false;
    }
    ewi_snprintf(text, size, "value = %s;", value);
    bool parsed = config_read_string(tree, text);
    ewi_free(&reader->host, text);
    return parsed;
}

/* Reports integers that are too large even with an L; then the value is not used. */
static bool has_usable_integers(struct ewi_reader *reader, const char *value, const char *override)
{
    size_t before = reader->issue_count;
    struct scan scan = {.reader = reader, .override = override};
    scan_text(&scan, value);
    return reader->issue_count == before;
}

/* Returns true if the value may have more keys than the bound on groups. */
static bool has_many_keys(const char *value)
{
    size_t signs = 0;
    for (; *value; value++)
        signs += *value == '=' || *value == ':';
    return signs > MOST_KEYS;
}

/* Parses the value into a tree with one member; false, with an issue, if that is impossible. */
static bool parse_value(struct ewi_reader *reader, const char *path, const char *value, const char *override,
                        config_t *tree)
{
    char *longer = ewi_keep(reader, 2 * strlen(value) + 1, 1);
    if (!longer)
        return false;
    if (has_many_keys(value)) {
        ewi_issue_override(reader, override, "the value is too large: it may have %d signs = and :", MOST_KEYS);
        return false;
    }
    /* libconfig requires an L, and then at every member of [ ]; users of a command line need not know that */
    if (copy_value(value, false, longer))
        copy_value(value, true, longer);
    bool parsed = parse_setting(reader, longer, tree), good = parsed &&
                  config_setting_length(config_root_setting(tree)) == 1;
    if (reader->out_of_memory)
        return false;
    if (!good && has_syntax(path, value)) {
        const char *error = parsed ? "a value must not be followed by anything" : config_error_text(tree);
        char room[256];
        ewi_issue_override(reader, override, "%s%s", words_for(error),
                           parsed ? "" : advice_for(error, value, room, sizeof room));
        return false;
    }
    const config_setting_t *member = good ? config_setting_get_elem(config_root_setting(tree), 0) : NULL;
    bool is_text = good && config_setting_type(member) == CONFIG_TYPE_STRING;
    if (good && (is_text || !is_only_text(path) || !config_setting_is_scalar(member)))
        return has_usable_integers(reader, longer, override);
    config_destroy(tree);
    config_init(tree);
    config_setting_t *bare = config_setting_add(config_root_setting(tree), "value", CONFIG_TYPE_STRING);
    return bare && config_setting_set_string(bare, value);
}

bool ewi_source_has_name(const struct ewi_reader *reader, const char *name)
{
    const config_setting_t *let = ewi_get(reader->root, "let");
    return let && config_setting_is_group(let) && config_setting_get_member(let, name);
}

bool ewi_source_lacks_name(const struct ewi_reader *reader, const char *key)
{
    return strncmp(key, "let.", 4) == 0 && !ewi_source_has_name(reader, key + 4);
}

static void set_value(struct ewi_reader *reader, char *path, const char *value, const char *override)
{
    config_t tree;
    config_init(&tree);
    config_setting_t *group = config_root_setting(&reader->config);
    if (parse_value(reader, path, value, override, &tree)) {
        char *name = path;
        for (char *dot; group && (dot = strchr(name, '.')); name = dot + 1) {
            *dot = '\0';
            group = enter_group(reader, group, name, override);
        }
        if (group && has_room(reader, group, name, override))
            put_setting(reader, group, name, config_setting_get_elem(config_root_setting(&tree), 0), override);
    }
    config_destroy(&tree);
}

/* True for names with single dots between them. */
static bool is_path(const char *text)
{
    size_t length = strlen(text);
    return length > 0 && text[0] != '.' && text[length - 1] != '.' && !strstr(text, "..");
}

struct ewi_override {
    struct ewi_override *next;
    const char *text;
};

static void remember_override(struct ewi_reader *reader, const char *text)
{
    struct ewi_override *override = ewi_keep(reader, 1, sizeof *override);
    if (!override)
        return;
    override->text = ewi_keep_text(reader, text);
    *(reader->next_override ? reader->next_override : &reader->first_override) = override;
    reader->next_override = &override->next;
}

void ewi_source_override(struct ewi_reader *reader, const char *text, const char *name)
{
    static const char set[] = "--set ";
    char *override = name ? ewi_keep_text(reader, name) : ewi_keep(reader, sizeof set + strlen(text), 1);
    char *path = ewi_keep_text(reader, text);
    remember_override(reader, text);
    if (reader->out_of_memory)
        return;
    if (!name)
        ewi_snprintf(override, sizeof set + strlen(text), "%s%s", set, text);
    char *equals = strchr(path, '=');
    if (equals)
        *equals = '\0';
    path = ewi_trimmed(path);
    if (!equals || !is_path(path))
        ewi_issue_override(reader, override, "this sets nothing; write path.to.key=value");
    else if (!reader->only_settings && ewi_source_lacks_name(reader, path))
        ewi_issue_override(reader, override, EWI_NO_NAME, path);
    else
        set_value(reader, path, ewi_trimmed(equals + 1), override);
}

void ewi_source_note_overrides(struct ewi_reader *reader)
{
    static const char before[] = "# --set ";
    const struct ewi_override *first = reader->first_override;
    const char *text = reader->that->info.source;
    reader->that->info.plan.text = text ? text : reader->that->info.plan.text;
    if (!text || !first || reader->out_of_memory)
        return;
    size_t length = strlen(text), room = length + 2;
    for (const struct ewi_override *override = first; override; override = override->next)
        room += sizeof before + strlen(override->text);
    char *whole = ewi_alloc(&reader->host, room, 1);
    if (!whole)
        return; /* the next allocation fails as well and reports it */
    memcpy(whole, text, length);
    if (length > 0 && whole[length - 1] != '\n')
        whole[length++] = '\n';
    for (const struct ewi_override *override = first; override; override = override->next)
        length += (size_t)ewi_snprintf(whole + length, room - length, "%s%s\n", before, override->text);
    reader->that->info.plan.text = ewi_keep_text(reader, whole);
    ewi_free(&reader->host, whole);
}
