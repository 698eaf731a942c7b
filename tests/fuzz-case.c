/*
 * Mutated case texts and overrides: the reader must neither crash nor leak, and must say something whenever it fails. The
 * mutations are a function of the seed: ./fuzz-case [SEED [ROUNDS]].
 */
#include "case-files.h"

#include <time.h>

#define FOREVER 1000000

static uint64_t state;

/* xorshift64*, Vigna 2016 */
static uint64_t draw(uint64_t below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (state * UINT64_C(0x2545F4914F6CDD1D) >> 33) % below;
}

static const char *const seeds[] = {
    "title = \"a\"; mesh = \"square.msh\"; order = 2; flux = \"roe\"; limiter = \"none\";\n"
    "law = { name = \"euler\"; gamma = \"7/5\"; };\ntime = { scheme = \"rk4\"; cfl = 0.5; start = 0; end = 1.5; steps = 10L; };\n"
    "let = { r = \"hypot(x, y)\"; n = 3; };\ninitial = { rho = \"1 + r\"; u = 0; v = 0x10; p = \"n > 2 ? 1 : 2\"; };\n"
    "exact = \"initial\"; errors = { rule = \"fine\"; };\n"
    "boundary = { left = { kind = \"state\"; state = \"exact\"; }; right = { kind = \"wall\"; normal = [\"x\", \"y\"]; ghost = "
    "\"mirror\"; };\ntop = { kind = \"far\"; rho = 1; u = 0; v = 0; p = \"1 + t\"; }; bottom = { kind = \"copy\"; }; };\n"
    "output = { fields = { every = 0.5; at = [0.25, 0.75]; subdivide = 2; compression = 1; }; };\n",
    "mesh = { rectangle = { corners = [0, 0, 1, 1]; cells = [2, \"1 + 1\"]; jitter = 0.1; seed = 3;\n"
    "bottom = ( { name = \"a\"; to = \"1/2\"; }, { name = \"b\"; } ); }; };\nlaw = { name = \"advection\"; velocity = [\"-y\", \"x\"]; };"
    "\norder = 1; time = { end = 1; };\ninitial = { u = \"sin(x)\"; };\n"
    "boundary = { a = { kind = \"copy\"; }; b = { kind = \"copy\"; };\n# comment\n/* another */ top = { kind = \"copy\"; };\n"
    "left = { kind = \"periodic\"; with = \"right\"; translation = [1, 0]; }; right = { kind = \"periodic\"; with = \"left\"; }; };\n"
    "backend = { name = \"omp\"; threads = 1; };\n@include \"part.cfg\"\n",
};

static const char *const words[] = {
    "{", "}", "[", "]", "(", ")", ";", "=", "\"", ",", "\n", "#", "/*", "*/", "@include \"case.cfg\"\n", "\\", "\"\"", "0", "-1", "1e999",
    "99999999999", "0x", "5L", "true", "kind", "periodic", "with", "left", "law", "mesh", "rectangle", "state", "\"exact\"", "initial",
    "let = { a = \"a\"; };", "\"(((((((((\"", "x", "1/0", "\xff", "\xef\xbb\xbf", "{ rectangle = { }; }", "( { } )", "[ ]", ".", "end",
};

static const char *const paths[] = {
    "order", "mesh", "mesh.rectangle.cells", "law", "law.gamma", "time", "time.end", "let.n", "boundary.left.kind", "boundary",
    "initial.rho", "output.fields.at", "backend.tile", "exact", "a.b.c.d", "", ".", "mesh.rectangle.bottom",
};

static void append(char *text, size_t *length, const char *piece, size_t count)
{
    if (*length + count >= TEXT_ROOM)
        return;
    memcpy(text + *length, piece, count);
    *length += count;
    text[*length] = '\0';
}

enum mutation { CHANGE_BYTE, REPEAT_PIECE, INSERT_WORD, LEAVE_OUT, REPLACE, MUTATIONS };

static size_t mutate(char *text, size_t length)
{
    char copy[TEXT_ROOM];
    const char *word = words[draw(sizeof words / sizeof *words)];
    size_t at = draw(length + 1), piece = draw(8) == 0 ? draw(200) : draw(6), size = 0;
    enum mutation how = (enum mutation)draw(MUTATIONS);
    piece = piece < length - at ? piece : length - at;
    memcpy(copy, text, length);
    append(text, &size, copy, at);
    if (how == REPEAT_PIECE)
        append(text, &size, copy + at, piece);
    if (how == INSERT_WORD || how == REPLACE)
        append(text, &size, word, strlen(word));
    if (how == CHANGE_BYTE)
        append(text, &size, (const char[]){(char)draw(256)}, 1);
    size_t gone = how == CHANGE_BYTE ? (at < length) : how == LEAVE_OUT || how == REPLACE ? piece : 0;
    append(text, &size, copy + at + gone, length - at - gone);
    return size;
}

struct meter {
    int64_t live;
};

static void *counted_allocate(void *context, size_t alignment, size_t bytes)
{
    void *pointer = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    ((struct meter *)context)->live += pointer != NULL;
    return pointer;
}

static void counted_release(void *context, void *pointer)
{
    ((struct meter *)context)->live--;
    free(pointer);
}

static int rounds_wrong, rounds_read;

static void one_round(void)
{
    char text[TEXT_ROOM] = "", setting[512];
    const char *seed = seeds[draw(sizeof seeds / sizeof *seeds)];
    const char *settings[1] = {setting};
    size_t length = 0;
    append(text, &length, seed, strlen(seed));
    for (uint64_t count = draw(4); count > 0; count--)
        length = mutate(text, length);
    snprintf(setting, sizeof setting, "%s=%s%s", paths[draw(sizeof paths / sizeof *paths)],
             words[draw(sizeof words / sizeof *words)], draw(2) ? "" : words[draw(sizeof words / sizeof *words)]);

    struct meter meter = {0};
    struct said said = {.sentences = 0};
    ew_host host = {.allocate = counted_allocate, .release = counted_release, .context = &meter};
    ew_case_options options = {.settings = draw(3) == 0, .setting = settings, .report = listen_to, .report_context = &said};
    ew_case *that = NULL;
    ew_error error = {.message = ""};
    write_bytes("case.cfg", text, length);
    int status = ew_case_read(&host, "case.cfg", &options, &that, &error);
    bool wrong = status == EW_OK ? !that || !ew_case_mesh(that) : that || !error.message[0] || said.sentences == 0;
    if (status == EW_OK) {
        rounds_read++;
        wrong = wrong || !(ew_case_next_output(that, ew_case_problem(that)->time) >= ew_case_problem(that)->time);
    }
    ew_case_destroy(that);
    wrong = wrong || meter.live != 0;
    if (wrong && rounds_wrong++ == 0)
        diag("status %d, %d sentences, %lld pieces of memory left, error \"%s\", --set %s, case:\n%s", status, said.sentences,
             (long long)meter.live, error.message, options.settings ? setting : "nothing", text);
}

int main(int count, char **arguments)
{
    static const char *const files[] = {"case.cfg", "part.cfg", "square.msh", NULL};
    uint64_t seed = count > 1 ? strtoull(arguments[1], NULL, 10) : 20240607;
    long rounds = count > 2 ? strtol(arguments[2], NULL, 10) : FOREVER;
    clock_t start = clock();
    state = seed * 2 + 1;
    enter_test_folder();
    write_text("square.msh", square_mesh);
    write_text("part.cfg", "title = \"part\";\n");
    long round = 0;
    for (; round < rounds && (count > 2 || clock() - start < 2 * CLOCKS_PER_SEC); round++)
        one_round();
    diag("seed %llu, %ld mutated cases, %d of them still right", (unsigned long long)seed, round, rounds_read);
    is_int(rounds_wrong, 0, "mutated cases are read or refused with a sentence, and leave no memory behind");
    leave_test_folder(files);
    return done_testing();
}
