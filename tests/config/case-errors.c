/* SPDX-License-Identifier: BSD-2-Clause */
/* The errors of wrong cases as users see them. Every case is case.cfg in the current folder. */
#include "case-files.h"
#include "ewi_hints.h"
#include "ewi_options.h"

struct wrong {
    const char *name, *text, *sentences;
    int code;
};

/* A correct case, of which each test replaces one line: line 1 is the mesh, 2 .. 5 as below. */
#define MESH "mesh = \"square.msh\";\n"
#define ORDER "order = 1;\n"
#define TIME "time = { end = 1; };\n"
#define INITIAL "initial = { rho = 1; u = 0; v = 0; p = 1; };\n"
#define COPY(name) name " = { kind = \"copy\"; };\n"
#define BOUNDARY "boundary = {\n" COPY("left") COPY("right") COPY("bottom") COPY("top") "};\n"
#define GOOD MESH ORDER TIME INITIAL BOUNDARY

#include "case-errors-table.h"

enum { CASES = sizeof table / sizeof *table };

/* The expected ew_error: the first sentence and the number of the others. */
static void expected_error(const char *sentences, char *text, size_t size)
{
    size_t first = strcspn(sentences, "\n");
    int more = 0;
    for (const char *c = sentences; *c; c++)
        more += *c == '\n';
    if (more == 0)
        snprintf(text, size, "%s", sentences);
    else
        snprintf(text, size, "%.*s (and %d more error%s)", (int)first, sentences, more, more > 1 ? "s" : "");
}

static void check_wrong_case(const struct wrong *wrong)
{
    struct said said = {.sentences = 0};
    ew_case_options options = {.report = listen_to, .report_context = &said};
    ew_case *that = NULL;
    ew_error error = {.message = ""};
    char expected[TEXT_ROOM];
    write_text("case.cfg", wrong->text);
    int status = ew_case_read(NULL, "case.cfg", &options, &that, &error);
    is_int(status, wrong->code ? wrong->code : EW_ECONFIG, "%s: the code", wrong->name);
    is_str(said.text, wrong->sentences, "%s: the sentences", wrong->name);
    expected_error(wrong->sentences, expected, sizeof expected);
    is_str(error.message, expected, "%s: the error", wrong->name);
    ok(that == NULL, "%s: there is no case", wrong->name);
    ew_case_destroy(that);
}

static void check_override(const char *setting, const char *sentence)
{
    struct said said = {.sentences = 0};
    ew_case_options options = {.settings = 1, .setting = &setting, .report = listen_to, .report_context = &said};
    ew_case *that = NULL;
    write_text("case.cfg", GOOD);
    ok(ew_case_read(NULL, "case.cfg", &options, &that, NULL) == EW_ECONFIG, "--set %s is wrong", setting);
    is_str(said.text, sentence, "--set %s says why", setting);
    ew_case_destroy(that);
}

/* Errors name options of the command line as the user wrote them. */
static void check_option_names(void)
{
    struct said said = {.sentences = 0};
    ew_case *that = NULL;
    static const char *const setting[] = {"order=9", "time.cfll=1"}, *const name[] = {"--order 9", NULL};
    ew_case_options options = {
        .settings = 2, .setting = setting, .setting_name = name, .report = listen_to, .report_context = &said};
    write_text("case.cfg", GOOD);
    ok(ew_case_read(NULL, "case.cfg", &options, &that, NULL) == EW_ECONFIG, "--order 9 is wrong");
    is_str(said.text,
           "--set time.cfll=1: there is no key \"cfll\" in time; did you mean \"cfl\"?\n--order 9: order is 9; it must "
           "be from 1 to 5",
           "--order 9 says why");
}

/* The list of levels depends on the build's machine, but one level always exists. */
static void check_level(void)
{
    struct said said = {.sentences = 0};
    static const char *const setting[] = {"backend.level=foo"}, *const good[] = {"backend.level=scalar"};
    ew_case_options options = {.settings = 1, .setting = setting, .report = listen_to, .report_context = &said};
    ew_case *that = NULL;
    write_text("case.cfg", GOOD);
    is_int(ew_case_read(NULL, "case.cfg", &options, &that, NULL), EW_ECONFIG, "a level that is not there");
    contains(said.text, "--set backend.level=foo: backend.level cannot be \"foo\"; the choices are ",
             "a level that is not there: told");
    contains(said.text, "scalar", "a level that is not there: those that are");
    options.setting = good;
    is_int(ew_case_read(NULL, "case.cfg", &options, &that, NULL), EW_OK, "a level that is there");
    ew_case_destroy(that);
}

static void check_files(void)
{
    ew_case *that = NULL;
    ew_error error;
    is_int(ew_case_read(NULL, "none.cfg", NULL, &that, &error), EW_EIO, "a missing case: the code");
    is_str(error.message, "cannot read the case none.cfg: No such file or directory", "a missing case is named");
    is_int(ew_case_read(NULL, ".", NULL, &that, &error), EW_EIO, "a folder is no case: the code");
    is_str(error.message, "cannot read the case .: Is a directory", "a folder is no case");
    is_int(ew_case_read(NULL, "none.cfg", NULL, &that, NULL), EW_EIO, "the error may be NULL");
    is_int(ew_case_read(NULL, NULL, NULL, &that, &error), EW_EINVAL, "a case needs a path");
    write_bytes("case.cfg", "order = 1;\norder\0 = 2;\n", 23);
    ew_case_read(NULL, "case.cfg", NULL, &that, &error);
    is_str(error.message, "case.cfg:2: the file is not text: it has a NUL byte here", "a file that is no text");

    write_text("case.cfg", "@include \"part.cfg\"\n" MESH TIME INITIAL BOUNDARY);
    write_text("part.cfg", "title = \"included\";\norder = 0;\n");
    ew_case_read(NULL, "case.cfg", NULL, &that, &error);
    is_str(error.message, "part.cfg:2: order is 0; it must be from 1 to 5", "errors in included files name the file");
    write_text("part.cfg", "order = 30000000000;\n");
    ew_case_read(NULL, "case.cfg", NULL, &that, &error);
    is_str(error.message, "part.cfg:1: 30000000000 is too large for 32 bits; add an L",
           "large integers in included files");
    write_text("part.cfg", "order = ;\n");
    ew_case_read(NULL, "case.cfg", NULL, &that, &error);
    contains(error.message, "part.cfg:1: syntax error", "syntax errors in included files name the file");
    write_text("case.cfg", "order = 1;\n@include \"none.cfg\"\n");
    ew_case_read(NULL, "case.cfg", NULL, &that, &error);
    is_str(error.message, "case.cfg:2: cannot read the included file \"none.cfg\": No such file or directory",
           "a missing included file is named");
    write_text("case.cfg", GOOD "@include \"part.cfg\"\ntitle = \"twice\";\n");
    write_text("part.cfg", "title = \"included\";\n");
    ew_case_read(NULL, "case.cfg", NULL, &that, &error);
    is_str(error.message, "case.cfg:12: the key \"title\" appears twice in its group", "a key of an included file");
    write_text("case.cfg", "@include \"case.cfg\"\n");
    ok(ew_case_read(NULL, "case.cfg", NULL, &that, &error) == EW_ECONFIG, "a file that includes itself");
    ok(that == NULL, "no case comes of it");
}

/*
 * Large cases are read or refused in linear time; these once took seconds to minutes. `item` is a format with the
 * number of an item.
 */
static void check_large(void)
{
    enum { MANY = 100000, ROOM = 1 << 23 };
    static const struct {
        const char *name, *begin, *item, *end, *sentence;
        int count;
    } large[] = {
        {"a key twice in a long line", "let = { ", "a%d = 1; ", "a7 = 1; };",
         "case.cfg:11: the key \"a7\" appears twice in its group", 900},
        {"many names", "let = { ", "a%d = 1; ", "};",
         "case.cfg:11: \"a1000\" is one key too many: a group has at most 1000", MANY},
        {"many names with form feeds", "let = { ", "a%d\f= 1; ", "};",
         "case.cfg:11: \"a1000\" is one key too many: a group has at most 1000", MANY},
        {"many groups of keys", "q = ( ", "{ a = %d; b = 1; },\n", "{});",
         "case.cfg:25001: \"b\" is one key too many: a case has at most 50000", MANY},
        {"many boundaries", "boundaries = {\n", "a%d = { kind = \"wall\"; };\n", "};",
         "case.cfg:1012: \"a1000\" is one key too many: a group has at most 1000", MANY},
        {"many times", "output = { fields = { at = [", "%d.5, ", "9.0]; }; };",
         "case.cfg:11: output.fields.at has 100001 members; 10000 are the most", MANY},
        {"many forces", "output = { forces = (", "{ boundaries = [\"left\"]; name = \"%d\"; }, ", "{}); };",
         "case.cfg:11: output.forces has 20001 members; 1000 are the most", 20000},
        {"many fluxes", "output = { series = { fluxes = [", "\"b%d\", ", "\"left\"]; }; };",
         "case.cfg:11: output.series.fluxes has 100001 members; 1000 are the most", MANY},
        {"a list without an end", "output = { probes = (", "%d, ", "7); };",
         "case.cfg:11: this list is too long: the lists of a case have at most 500000 members in all", 600000},
        {"many values of a sweep", "sweep = { over = ( { key = \"order\"; values = [", "%d, ", "7]; } ); };",
         "case.cfg:11: sweep.over[0].values has 100001 members; 100000 are the most", MANY},
    };
    char *text = malloc(ROOM);
    for (size_t k = 0; k < sizeof large / sizeof *large; k++) {
        char *at = text + sprintf(text, "%s%s", GOOD, large[k].begin);
        for (int i = 0; i < large[k].count; i++)
            at += snprintf(at, 80, large[k].item, i);
        sprintf(at, "%s", large[k].end);
        write_text("case.cfg", text);
        ew_case *that = NULL;
        ew_error error = {.message = ""};
        alarm(60);
        is_int(ew_case_read(NULL, "case.cfg", NULL, &that, &error), EW_ECONFIG, "%s: refused", large[k].name);
        contains(error.message, large[k].sentence, "%s", large[k].name);
    }
    alarm(0);
    free(text);
}

/* ---- hints ------------------------------------------------------------------------------------------------------- */

static bool is_word_at(const char *path, const char *word)
{
    const struct ewi_option *option = ewi_option_find(path);
    for (int k = 0; ewi_option_word(option, k); k++)
        if (strcmp(ewi_option_word(option, k), word) == 0)
            return true;
    return false;
}

static bool is_variable(const char *law, const char *word, bool primitive)
{
    const ew_law *found = ew_law_find(law ? law : "euler");
    for (int k = 0; primitive ? k < found->variables : ew_law_output(found, k, NULL) != NULL; k++)
        if (strcmp(primitive ? found->primitive[k] : ew_law_output(found, k, NULL), word) == 0)
            return true;
    return false;
}

static bool is_parameter(const char *law, const char *word)
{
    const ew_law *found = ew_law_find(law ? law : "euler");
    for (int k = 0; k < found->parameters; k++)
        if (strcmp(found->parameter[k].name, word) == 0)
            return true;
    return false;
}

/* Each command has a page. */
static bool is_command(const char *word)
{
    char path[2 * PATH_ROOM];
    snprintf(path, sizeof path, "%.4000s/man/edgewise-%.*s.1", source_folder(), (int)strcspn(word, " ") % 32, word);
    return access(path, R_OK) == 0;
}

static bool is_formula_of(const char *name)
{
    ew_formula *formula = NULL;
    char one[64], two[64];
    const char *texts[] = {one, two};
    snprintf(one, sizeof one, "%s(x)", name);
    snprintf(two, sizeof two, "%s(x, y)", name);
    bool good = ew_formula_create(NULL, 1, texts, &formula, NULL) == EW_OK ||
                ew_formula_create(NULL, 1, texts + 1, &formula, NULL) == EW_OK;
    ew_formula_destroy(formula);
    return good;
}

static bool is_sign(const char *sign)
{
    ew_formula *formula = NULL;
    char text[64];
    const char *texts[] = {text};
    snprintf(text, sizeof text, "x %s y", sign);
    bool good = ew_formula_create(NULL, 1, texts, &formula, NULL) == EW_OK;
    ew_formula_destroy(formula);
    return good;
}

/* True if the page of "--COMMAND" has the option and the case the key in "--set KEY=VALUE". */
static bool is_option_of(const char *place, const char *word)
{
    char path[2 * PATH_ROOM], entry[128], key[64] = "", text[1 << 16];
    size_t length = strcspn(word, " ");
    snprintf(path, sizeof path, "%.4000s/man/edgewise-%.32s.1", source_folder(), place + 2);
    snprintf(entry, sizeof entry, "Fl Fl %.*s", (int)length - 2, word + 2);
    if (strncmp(word, "--set ", 6) == 0)
        snprintf(key, sizeof key, "%.*s", (int)strcspn(word + 6, "="), word + 6);
    FILE *page = fopen(path, "r");
    if (!page)
        return false;
    text[fread(text, 1, sizeof text - 1, page)] = '\0';
    fclose(page);
    return strstr(text, entry) && (!key[0] || ewi_option_of_key(key));
}

/* True if one place of a hint has the word. */
static bool is_right_at(const char *place, const char *law, const char *word)
{
    size_t length = strlen(place);
    char group[64], key[128];
    snprintf(group, sizeof group, "%.*s", length > 0 ? (int)length - 1 : 0, place);
    snprintf(key, sizeof key, "%s.%s", group, word);
    if (strncmp(place, "--", 2) == 0)
        return strncmp(word, "--", 2) == 0 && is_option_of(place, word);
    if (strcmp(place, "command") == 0)
        return is_command(word);
    if (strcmp(place, "formula") == 0)
        return is_formula_of(word);
    if (strcmp(place, "sign") == 0)
        return is_sign(word);
    if (strcmp(place, "output.fields.variables") == 0)
        return is_variable(law, word, false);
    if (length == 0 || place[length - 1] != '.')
        return is_word_at(place, word);
    if (ewi_option_member(group, word))
        return true;
    if (strcmp(place, "law.") == 0)
        return is_parameter(law, word);
    return strcmp(place, "initial.") == 0 || strcmp(place, "exact.") == 0 || strcmp(place, "boundary.NAME.") == 0
               ? is_variable(law, word, true) : false;
}

/* A word of a hint names a choice at each of its places, another key, a command, or a file. */
static bool is_right(const struct ewi_hint *hint, const char *word)
{
    char places[256], *rest = NULL;
    bool good = true;
    snprintf(places, sizeof places, "%s", hint->place);
    for (char *place = strtok_r(places, " ", &rest); place; place = strtok_r(NULL, " ", &rest))
        good = is_right_at(place, hint->law, word) && good;
    bool is_key = ewi_option_of_key(word) && ewi_option_member("", word), is_path = strchr(word, '.') &&
        ewi_option_of_key(word), is_file = strcmp(word, "FILE.msh") == 0;
    return good || is_key || is_path || is_file || (strncmp(word, "edgewise ", 9) == 0 && is_command(word + 9));
}

static bool has_right_quotes(const struct ewi_hint *hint)
{
    char word[64];
    for (const char *at = hint->sentence; (at = strchr(at, '"')) != NULL; at = strchr(at + 1, '"') + 1) {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at + 1, "\""), at + 1);
        if (!is_right(hint, word)) {
            diag("\"%s\" in: %s", word, hint->sentence);
            return false;
        }
    }
    return true;
}

/* A hint names existing words, and its own wrong words are not valid at their place. */
static void check_hints(void)
{
    size_t count, wrong = 0;
    const struct ewi_hint *hint = ewi_hints(&count);
    for (size_t k = 0; k < count; k++) {
        char words[512], *rest = NULL;
        bool good = hint[k].instead ? is_right(&hint[k], hint[k].instead) : has_right_quotes(&hint[k]);
        snprintf(words, sizeof words, "%s", hint[k].words);
        for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
            for (const char *place = hint[k].place; *place; place += strspn(place, " ")) {
                char one[64];
                snprintf(one, sizeof one, "%.*s", (int)strcspn(place, " "), place);
                place += strlen(one);
                if (is_right_at(one, hint[k].law, word)) {
                    diag("%s has \"%s\"", one, word);
                    good = false;
                }
            }
        if (!good)
            diag("%s: %s", hint[k].place, hint[k].words);
        wrong += !good;
    }
    is_int((int64_t)wrong, 0, "all of %zu hints name what exists", count);
}

int main(void)
{
    static const char *const files[] = {"case.cfg", "part.cfg", "square.msh", "broken.msh", NULL};
    enter_test_folder();
    write_text("square.msh", square_mesh);
    write_text("broken.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
    for (size_t k = 0; k < CASES; k++)
        check_wrong_case(&table[k]);
    for (size_t k = 0; k < sizeof overrides / sizeof *overrides; k++)
        check_override(overrides[k].setting, overrides[k].sentence);
    check_option_names();
    check_level();
    check_files();
    check_large();
    check_hints();
    leave_test_folder(files);
    return done_testing();
}
