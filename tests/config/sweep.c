/* SPDX-License-Identifier: BSD-2-Clause */
/* Sweeps: the members of a case, their values, and the errors of wrong sweeps. */
#include "case-files.h"

#include <math.h>

/* Ten lines, to which each test adds its sweep. */
#define CASE                                                                                                       \
    "mesh = { rectangle = { corners = [0, 0, 1, 1]; cells = [2, 2]; }; };\n"                                       \
    "order = 1;\ntime = { end = 1; };\nlet = { a = 1; b = \"2*a\"; };\n"                                           \
    "initial = { rho = \"1 + a\"; u = \"b\"; v = 0; p = 1; };\n"                                                   \
    "boundary = { left = { kind = \"copy\"; }; right = { kind = \"copy\"; };\n"                                    \
    "bottom = { kind = \"copy\"; }; top = { kind = \"copy\"; }; };\ntitle = \"one\";\nflux = \"llf\";\n\n"

static ew_sweep *read_sweep(const char *text)
{
    ew_sweep *sweep = NULL;
    ew_error error = {.message = ""};
    char whole[TEXT_ROOM];
    snprintf(whole, sizeof whole, CASE "%s\n", text);
    write_text("case.cfg", whole);
    if (ew_sweep_read(NULL, "case.cfg", NULL, &sweep, &error) != EW_OK)
        bail_out("%s", error.message);
    return sweep;
}

/* All members, "1 2;3 4;" */
static void check_members(const char *name, const char *text, const char *expected)
{
    ew_sweep *sweep = read_sweep(text);
    ew_sweep_info info;
    char all[TEXT_ROOM] = "", value[256];
    size_t length = 0;
    ew_sweep_get_info(sweep, &info);
    for (int64_t m = 1; m <= info.members; m++)
        for (int k = 0; k < info.keys && length < sizeof all; k++) {
            ew_sweep_value(sweep, m, k, value, sizeof value, NULL);
            length += (size_t)snprintf(all + length, sizeof all - length, "%s%s", value, k + 1 < info.keys ? " " : ";");
        }
    is_str(all, expected, "%s", name);
    ew_sweep_destroy(sweep);
}

#define OVER(design, more, parts) "sweep = { design = \"" design "\"; " more " over = ( " parts " ); };"
#define LIST_OF(key, values) "{ key = \"" key "\"; values = " values "; }"

static void check_designs(void)
{
    check_members("a grid: the last key changes first",
                  OVER("grid", "", LIST_OF("let.a", "[0.5, 2.5]") ", " LIST_OF("order", "[1, 2, 3]")),
                  "0.5 1;0.5 2;0.5 3;2.5 1;2.5 2;2.5 3;");
    check_members("a list: values one after the other",
                  OVER("list", "", LIST_OF("let.a", "[1, 2, 3]") ", " LIST_OF("flux", "[\"llf\", \"roe\", \"hllc\"]")),
                  "1 llf;2 roe;3 hllc;");
    check_members("values of different types, and lists",
                  OVER("list", "", LIST_OF("let.a", "(1, \"pi/6\", 0.1)") ", "
                       LIST_OF("mesh.rectangle.cells", "([2, 3], [4, 5], [6, 7])")),
                  "1 [2, 3];pi/6 [4, 5];0.1 [6, 7];");
    check_members("true and false", OVER("grid", "", LIST_OF("positivity", "[true, false]")), "true;false;");
    check_members("a range: its ends exactly, even steps",
                  OVER("grid", "", "{ key = \"let.a\"; from = 0.3; to = 0.8; steps = 6; }"),
                  "0.3;0.4;0.5;0.6;0.7;0.8;");
    check_members("a range of one value", OVER("grid", "", "{ key = \"let.a\"; from = 3; to = 4; steps = 1; }"), "3;");
    check_members("a falling range of integers",
                  OVER("grid", "", "{ key = \"order\"; from = 5; to = 1; steps = 3; }"), "5;3;1;");
    check_members("a range with even ratios",
                  OVER("grid", "", "{ key = \"time.cfl\"; from = 0.01; to = 1; steps = 3; scale = \"log\"; }"),
                  "0.01;0.1;1;");
    check_members("ends as formulas",
                  OVER("grid", "", "{ key = \"let.a\"; from = \"-2^2\"; to = \"sqrt(4)\"; steps = 3; }"),
                  "-4;-1;2;");
}

/* Expected values come from another program that follows the manual page. */
static void check_draws(void)
{
    check_members("drawn: values, a range, ratios and integers",
                  OVER("random", "samples = 4; seed = 7;",
                       LIST_OF("flux", "[\"llf\", \"roe\", \"hllc\"]")
                       ", { key = \"let.a\"; from = -1; to = 1; }, { key = \"let.b\"; from = 1; to = 100; scale = "
                       "\"log\"; }, { key = \"order\"; from = 1; to = 5; }"),
                  "hllc 0.01821867894808693 16.703388165487503 4;"
                  "roe 0.5025260132051637 83.33582356378345 2;"
                  "roe 0.8054705416815222 3.6008180901969324 3;roe 0.699351728944156 5.154855042038191 5;");
    check_members("more samples: those before stay",
                  OVER("random", "samples = 6; seed = 7;", "{ key = \"let.a\"; from = -1; to = 1; }"),
                  "0.4430163612099405;0.2994086729369114;0.09874864983864784;0.20846961073662906;"
                  "-0.3038829968417305;-0.635429522114396;");
    check_members("another seed", OVER("random", "samples = 2; seed = 8;", "{ key = \"let.a\"; from = -1; to = 1; }"),
                  "-0.46670864223407604;0.05991575714145503;");
}

static void check_range_of_draws(void)
{
    ew_sweep *sweep = read_sweep(OVER("random", "samples = 20000;",
                                      "{ key = \"let.a\"; from = 2; to = 4; }, "
                                      "{ key = \"order\"; from = 1; to = 5; }"));
    double least = INFINITY, greatest = -INFINITY, sum = 0, number;
    int often[6] = {0}, wrong = 0;
    for (int64_t m = 1; m <= 20000; m++) {
        ew_sweep_value(sweep, m, 0, NULL, 0, &number);
        least = fmin(least, number);
        greatest = fmax(greatest, number);
        sum += number;
        ew_sweep_value(sweep, m, 1, NULL, 0, &number);
        if (number >= 1 && number <= 5)
            often[(int)number]++;
    }
    for (int p = 1; p <= 5; p++)
        wrong += often[p] < 3800 || often[p] > 4200;
    ok(least >= 2 && least < 2.01 && greatest <= 4 && greatest > 3.99 && fabs(sum / 20000 - 3) < 0.02,
       "draws fill their range evenly");
    is_int(wrong, 0, "... and integers come equally often");
    ew_sweep_destroy(sweep);
}

/* A name of `let` in a constant of the law. */
static void check_parameter(void)
{
    ew_sweep_destroy(read_sweep("law = { name = \"navier-stokes\"; mu = \"0.5/a\"; };\n"
                                OVER("grid", "", LIST_OF("let.a", "[1, 2, 5]"))));
    for (int m = 1; m <= 3; m++) {
        static const double expected[] = {0.5, 0.25, 0.1};
        ew_case_options options = {.member = m};
        ew_case *that = NULL;
        ew_error error = {.message = ""};
        ok(ew_case_read(NULL, "case.cfg", &options, &that, &error) == EW_OK &&
           ew_case_problem(that)->parameter[0].value == expected[m - 1], "a constant of the law, swept by a name: %s",
           error.message);
        ew_case_destroy(that);
    }
}

/* ---- members as cases -------------------------------------------------------------------------------------------- */

static void check_member(void)
{
    ew_sweep *sweep = read_sweep(OVER("grid", "", LIST_OF("let.a", "(3, 0.1)") ", " LIST_OF("order", "[1, 2]")));
    static const char *const extra[] = {"flux=roe"};
    ew_case_options options = {.settings = 1, .setting = extra, .member = 4};
    ew_case *that = NULL;
    ew_error error = {.message = ""};
    char name[64], small[4], text[64];
    double number;
    ok(ew_case_read(NULL, "case.cfg", &options, &that, &error) == EW_OK, "a member is a case: %s", error.message);
    is_int(ew_case_problem(that)->order, 2, "... with its order");
    is_str(ew_case_problem(that)->flux, "roe", "... and with settings of all");
    double x = 0, y = 0, value[4];
    ew_formula_evaluate(ew_case_problem(that)->initial.formula, 1, &x, &y, 0, value, 1);
    ok(value[0] == 1.1, "... with its values in formulas");
    ok(value[1] == 0.2, "... and in what follows from them");
    is_str(ew_case_plan(that)->name, "case-0004", "... under its name");
    ok(strstr(ew_case_plan(that)->text, "# --set flux=roe\n# --set let.a=0.1\n# --set order=2\n") != NULL,
       "... and its text says what it is");
    ew_case_destroy(that);
    ew_sweep_name(sweep, 4, name, sizeof name);
    is_str(name, "case-0004", "which the sweep tells");
    is_str(ew_sweep_key(sweep, 1), "order", "and its keys");
    ok(ew_sweep_key(sweep, 2) == NULL && ew_sweep_key(sweep, -1) == NULL, "... and no others");
    ok(ew_sweep_value(sweep, 4, 0, small, sizeof small, &number) == 3 && number == 0.1, "a value as text and number");
    char setting[32];
    ok(ew_sweep_setting(sweep, 4, 0, setting, sizeof setting) == strlen(setting) && strchr(setting, '='),
       "a value as a setting") || (diag("%s", setting), 0);
    is_int((long long)ew_sweep_setting(sweep, 5, 0, NULL, 0), 0, "of no fifth member");
    is_int((long long)ew_sweep_value(sweep, 5, 0, text, sizeof text, &number), 0, "there is no fifth member");
    ok(isnan(number) && !text[0], "... and it has no value");
    is_int((long long)ew_sweep_value(sweep, 1, 2, NULL, 0, NULL), 0, "there is no third key");
    ew_sweep_destroy(sweep);
}

static uint64_t hash_of(const char *more, const char *setting)
{
    ew_sweep *sweep = NULL;
    ew_sweep_info info;
    ew_case_options options = {.settings = setting != NULL, .setting = &setting};
    char whole[TEXT_ROOM];
    snprintf(whole, sizeof whole, CASE "%s\n", more);
    write_text("case.cfg", whole);
    if (ew_sweep_read(NULL, "case.cfg", &options, &sweep, NULL) != EW_OK)
        bail_out("a sweep that is not read");
    ew_sweep_get_info(sweep, &info);
    ew_sweep_destroy(sweep);
    return info.hash;
}

static void check_hash(void)
{
    static const char one[] = OVER("grid", "", LIST_OF("order", "[1, 2]"));
    uint64_t hash = hash_of(one, NULL);
    ok(hash == hash_of(OVER("list", "", LIST_OF("let.a", "[1, 2, 3]")), NULL), "the hash leaves the sweep out");
    ok(hash == hash_of(one, "title=two") && hash == hash_of(one, "backend.threads=1"), "... and what has no effect");
    ok(hash != hash_of(one, "time.end=2") && hash != hash_of(one, "let.b=3") &&
       hash != hash_of(one, "output.fields.every=0.5"), "... and nothing else");
}

static void check_none(void)
{
    ew_sweep *sweep = NULL;
    ew_case *that = NULL;
    ew_sweep_info info = {.members = -1};
    ew_error error = {.message = ""};
    ew_case_options options = {.member = 1};
    write_text("case.cfg", CASE);
    is_int(ew_sweep_read(NULL, "case.cfg", NULL, &sweep, &error), EW_OK, "a case without a sweep");
    ew_sweep_get_info(sweep, &info);
    is_int((long long)info.members, 0, "... has no members");
    ew_sweep_destroy(sweep);
    is_int(ew_case_read(NULL, "case.cfg", &options, &that, &error), EW_ECONFIG, "... nor a first one");
    is_str(error.message, "case.cfg: the case has no sweep, and so no member 1", "... and says so");
}

/* ---- wrong sweeps ------------------------------------------------------------------------------------------------ */

static const struct {
    const char *name, *text, *sentences;
} wrong[] = {
    {"no keys", "sweep = { over = ( ); };", "case.cfg:11: a sweep is over 1 to 64 keys, not 0"},
    {"no list", "sweep = { design = \"grid\"; };",
     "case.cfg:11: the key \"sweep.over\" is missing: the keys that the members vary"},
    {"no group", "sweep = 3;", "case.cfg:11: sweep must be a group { ... }, not a number"},
    {"a mistyped key of the group", "sweep = { overr = ( ); };",
     "case.cfg:11: there is no key \"overr\" in sweep; did you mean \"over\"?"},
    {"an unknown design", OVER("grit", "", LIST_OF("order", "[1]")),
     "case.cfg:11: sweep.design cannot be \"grit\"; did you mean \"grid\"?"},
    {"unknown keys", "sweep = { over = (\n" LIST_OF("ordr", "[1]") ",\n" LIST_OF("nothing.like.it", "[1]") "); };",
     "case.cfg:12: there is no key \"ordr\"; did you mean \"order\"?\n"
     "case.cfg:13: there is no key \"nothing.like.it\"; edgewise-case(5) has all"},
    {"a name of let without let", OVER("grid", "", LIST_OF("a", "[1]")),
     "case.cfg:11: there is no key \"a\"; did you mean \"let.a\"?"},
    {"a name that the case does not have", OVER("grid", "", LIST_OF("let.c", "[1]")),
     "case.cfg:11: the case has no \"let.c\", so it would change nothing"},
    {"itself", OVER("grid", "", LIST_OF("sweep.seed", "[1]")),
     "case.cfg:11: a sweep cannot be over its own keys, such as \"sweep.seed\""},
    {"a key twice", OVER("grid", "", LIST_OF("order", "[1]") ",\n" LIST_OF("order", "[2]")),
     "case.cfg:12: the key \"order\" is given twice"},
    {"an empty list", OVER("grid", "", LIST_OF("order", "[ ]")), "case.cfg:11: there is no value for \"order\""},
    {"lists of different lengths", OVER("list", "", LIST_OF("order", "[1, 2]") ",\n" LIST_OF("let.a", "[1]")),
     "case.cfg:12: in the design list all keys have as many values; \"order\" has 2, but \"let.a\" has 1"},
    {"no samples", OVER("random", "", LIST_OF("order", "[1, 2]")),
     "case.cfg:11: the design random needs samples: how many members there are"},
    {"samples and seed of a grid", OVER("grid", "samples = 3;\nseed = 4;", LIST_OF("order", "[1, 2]")),
     "case.cfg:11: sweep.samples is for the design random\ncase.cfg:12: sweep.seed is for the design random"},
    {"a number in place of a text", OVER("grid", "", LIST_OF("mesh", "[1, 2]")),
     "case.cfg:11: sweep.over[0].values[0] must be a string in \"\" or a group { ... }, not a number\n"
     "case.cfg:11: sweep.over[0].values[1] must be a string in \"\" or a group { ... }, not a number"},
    {"values out of range", OVER("grid", "", LIST_OF("order", "[1, 6]") ", " LIST_OF("flux", "[\"lff\"]")),
     "case.cfg:11: sweep.over[0].values[1] is 6; it must be from 1 to 5\n"
     "case.cfg:11: sweep.over[1].values[0] cannot be \"lff\"; did you mean \"llf\"?"},
    {"neither values nor range", OVER("grid", "", "{ key = \"order\"; from = 1; }"),
     "case.cfg:11: \"order\" needs values, or a range with from and to"},
    {"both", OVER("grid", "", "{ key = \"order\"; values = [1]; from = 1; to = 2; }"),
     "case.cfg:11: \"order\" has values and a range (from); it needs one of them"},
    {"a range without steps", OVER("grid", "", "{ key = \"order\"; from = 1; to = 2; }"),
     "case.cfg:11: the range of \"order\" needs steps: how many values it has"},
    {"a range that is drawn with steps",
     OVER("random", "samples = 3;", "{ key = \"let.a\"; from = 1; to = 2; steps = 3; }"),
     "case.cfg:11: the design random draws from the whole range, which then has no steps"},
    {"a range of names", OVER("grid", "", "{ key = \"flux\"; from = 1; to = 2; steps = 2; }"),
     "case.cfg:11: \"flux\" is no number, so it needs values in place of a range"},
    {"a range beyond the key's", OVER("grid", "", "{ key = \"order\"; from = 0; to = 2; steps = 3; }"),
     "case.cfg:11: sweep.over[0].from is 0; \"order\" must be from 1 to 5"},
    {"a range of integers that has others", OVER("grid", "", "{ key = \"order\"; from = 1; to = 2; steps = 3; }"),
     "case.cfg:11: \"order\" must be an integer, which not all values of this range are"},
    {"drawn integers with even ratios",
     OVER("random", "samples = 3;", "{ key = \"order\"; from = 1; to = 4; scale = \"log\"; }"),
     "case.cfg:11: \"order\" is an integer; integers are drawn with scale \"linear\" only"},
    {"even ratios through 0", OVER("grid", "", "{ key = \"let.a\"; from = 0; to = 2; steps = 3; scale = \"log\"; }"),
     "case.cfg:11: a range with scale \"log\" must be of positive numbers"},
    {"drawn integers from nothing", OVER("random", "samples = 3;", "{ key = \"order\"; from = 3; to = 1; }"),
     "case.cfg:11: the range of \"order\" must not end before it begins"},
    {"too many", OVER("grid", "", "{ key = \"let.a\"; from = 0; to = 2; steps = 50000; },\n"
                      LIST_OF("order", "[1, 2, 3]")),
     "case.cfg:11: this sweep has 150000 members; 100000 is the most"},
    {"a name in an end", OVER("grid", "", "{ key = \"let.a\"; from = 0; to = \"b\"; steps = 2; }"),
     "case.cfg:11: sweep.over[0].to: column 1: unknown name \"b\""},
};

static void check_wrong(void)
{
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct said said = {.sentences = 0};
        ew_case_options options = {.report = listen_to, .report_context = &said};
        ew_sweep *sweep = NULL;
        char whole[TEXT_ROOM];
        snprintf(whole, sizeof whole, CASE "%s\n", wrong[k].text);
        write_text("case.cfg", whole);
        is_int(ew_sweep_read(NULL, "case.cfg", &options, &sweep, NULL), EW_ECONFIG, "%s: the code", wrong[k].name);
        is_str(said.text, wrong[k].sentences, "%s: the sentences", wrong[k].name);
        ok(sweep == NULL, "%s: there is no sweep", wrong[k].name);
    }
}

/* Errors of a single member are reported at the place of its value. */
static void check_wrong_members(void)
{
    static const char *const set_twice[] = {"order=2"};
    static const struct {
        const char *name, *sentence;
        int64_t member;
        size_t settings;
    } table[] = {
        {"no member", "case.cfg:11: this case is a sweep of 2 cases: \"edgewise sweep\" runs all of them, and "
         "\"edgewise run --member N\" one", 0, 0},
        {"one too many", "case.cfg:11: there is no member 3: this sweep has 2", 3, 0},
        {"a formula that is wrong in one member",
         "case.cfg:12: order=\"1+\": order: column 3: "
         "the formula ends where a number, a name or \"(\" should follow", 2, 0},
        {"a key that an option sets, too", "case.cfg:12: \"order\" differs from member to member, so an option cannot "
         "set it", 1, 1},
    };
    write_text("case.cfg", CASE "sweep = { over = (\n" LIST_OF("order", "(1, \"1+\")") "); };\n");
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        struct said said = {.sentences = 0};
        ew_case_options options = {.report = listen_to, .report_context = &said, .member = table[k].member,
                                   .settings = table[k].settings, .setting = set_twice};
        ew_case *that = NULL;
        ok(ew_case_read(NULL, "case.cfg", &options, &that, NULL) == EW_ECONFIG, "%s: no case", table[k].name);
        is_str(said.text, table[k].sentence, "%s: says why", table[k].name);
        ew_case_destroy(that);
    }
    ew_case_options options = {.member = -1};
    ew_error error = {.message = ""};
    ew_case *that = NULL;
    is_int(ew_case_read(NULL, "case.cfg", &options, &that, &error), EW_EINVAL, "a negative member");
    is_str(error.message, "members of sweeps are counted from 1; there is no member -1", "... is none");
    is_int(ew_sweep_read(NULL, NULL, NULL, &(ew_sweep *){NULL}, &error), EW_EINVAL, "a sweep of no file");
    is_int(ew_sweep_read(NULL, "case.cfg", NULL, NULL, &error), EW_EINVAL, "a sweep without a place for it");
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void check_memory(bool whole)
{
    struct memory memory = {0};
    const ew_host host = memory_host(&memory);
    int status = EW_ENOMEM, failures = 0;
    int64_t limit = 0;
    write_text("case.cfg", CASE OVER("grid", "", LIST_OF("let.a", "(3, \"pi\", 0.1)") ", " LIST_OF("order", "[1, 2]")));
    for (; status == EW_ENOMEM && limit < 100000; limit++) {
        ew_case_options options = {.member = 4};
        ew_case *that = NULL;
        ew_sweep *sweep = NULL;
        ew_error error = {.message = ""};
        memory = (struct memory){.fail_at = limit + 1};
        status = whole ? ew_sweep_read(&host, "case.cfg", NULL, &sweep, &error)
                       : ew_case_read(&host, "case.cfg", &options, &that, &error);
        failures += status == EW_ENOMEM && !strstr(error.message, "memory");
        ew_case_destroy(that);
        ew_sweep_destroy(sweep);
        failures += memory.blocks != 0;
    }
    is_int(status, EW_OK, "%s: with enough memory it is read", whole ? "a sweep" : "a member");
    is_int(failures, 0, "... without memory it says so and keeps none (%lld times)", (long long)limit);
}

int main(void)
{
    static const char *const files[] = {"case.cfg", NULL};
    enter_test_folder();
    check_designs();
    check_draws();
    check_range_of_draws();
    check_parameter();
    check_member();
    check_hash();
    check_none();
    check_wrong();
    check_wrong_members();
    check_memory(true);
    check_memory(false);
    leave_test_folder(files);
    return done_testing();
}
