/*
 * Mutated Gmsh files of all formats: the reader must neither crash nor leak, must say something whenever it fails, and what
 * it accepts must be a valid mesh. The mutations are a function of the seed: ./fuzz-gmsh [SEED [ROUNDS]].
 */
#include "ewi_gmsh.h"
#include "ewi_host.h"
#include "ewi_mesh.h"
#include "gmsh-samples.h"
#include "tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

static uint64_t state;

/* splitmix64 */
static uint64_t draw(uint64_t below)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % below;
}

/* ---- mutations ---------------------------------------------------------------------------------------------------- */

static const char *const words[] = {
    "0", "1", "-1", "2", "3", "8", "9", "15", "255", "65536", "2147483647", "2147483648", "-2147483648", "4294967295", "4294967296",
    "9223372036854775807", "999999999999999999", "1e308", "1e999", "1e-320", "nan", "inf", "0x10", ".", "-", "\n", " ", "\"", "$", "$End",
    "$Nodes\n", "$EndNodes\n", "$Elements\n", "$Entities\n", "$PhysicalNames\n", "4.1 1 8", "2.2 0 8", "\xff\xff\xff\xff",
};

static const uint64_t numbers[] = {
    0, 1, 2, 3, 9, 15, 0x7f, 0xff, 0x7fff, 0x7fffffff, 0x80000000u, 0xffffffffu, 0x100000000u, 0x7fffffffffffffffu, 0x8000000000000000u,
    0xffffffffffffffffu, 0x7ff0000000000000u, 0x7ff8000000000000u,
};

/* Puts `size` bytes in the place of `removed` bytes at `at`. */
static void splice(struct sample *s, size_t at, size_t removed, const char *bytes, size_t size)
{
    removed = removed < s->size - at ? removed : s->size - at;
    if (s->size - removed + size > sizeof s->bytes)
        return;
    memmove(s->bytes + at + size, s->bytes + at + removed, s->size - at - removed);
    memcpy(s->bytes + at, bytes, size);
    s->size = s->size - removed + size;
}

/* The token around a place: most of what matters are numbers. */
static void replace_token(struct sample *s, size_t at, const char *word)
{
    size_t end = at;
    while (at > 0 && s->bytes[at - 1] > ' ')
        at--;
    while (end < s->size && s->bytes[end] > ' ')
        end++;
    splice(s, at, end - at, word, strlen(word));
}

static void mutate(struct sample *s)
{
    char kept[64];
    if (s->size == 0)
        return;
    size_t at = draw(s->size), length = 1 + draw(sizeof kept - 1);
    const char *word = words[draw(sizeof words / sizeof words[0])];
    uint64_t number = numbers[draw(sizeof numbers / sizeof numbers[0])];
    length = length < s->size - at ? length : s->size - at;
    memcpy(kept, s->bytes + at, length);
    switch (draw(9)) {
    case 0: s->bytes[at] ^= (char)(1 << draw(8)); break;
    case 1: s->bytes[at] = (char)draw(256); break;
    case 2: splice(s, at, 0, word, strlen(word)); break;
    case 3: replace_token(s, at, word); break;
    case 4: replace_token(s, at, word); break;
    case 5: splice(s, at, length, "", 0); break;
    case 6: splice(s, draw(s->size), 0, kept, length); break;
    case 7: splice(s, at, 4, (const char *)&number, 4); break;
    default: splice(s, at, 8, (const char *)&number, 8); break;
    }
}

/* ---- the reader, watched ------------------------------------------------------------------------------------------ */

static int64_t live;
static size_t bytes_asked;

static void *counted_allocate(void *context, size_t alignment, size_t bytes)
{
    (void)context;
    live++;
    bytes_asked += bytes;
    return bytes > (size_t)1 << 26 ? (live--, NULL) : aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void counted_release(void *context, void *pointer)
{
    (void)context;
    live--;
    free(pointer);
}

struct tally {
    int64_t unwritten, unrefined, accepted, silent, invalid, leaks, unreported, greedy;
};

static void note(void *context, const char *sentence)
{
    int *reports = context;
    *reports += strlen(sentence) > 5;
}

/* What has been accepted can be refined, but for periodic boundaries, and comes back as it is when it is written. */
static void use_mesh(const ew_host *host, const ew_mesh *mesh, struct tally *tally)
{
    static const ew_boundary_curve spline = {.boundary = "in", .kind = EW_CURVE_SPLINE};
    static const char path[] = "fuzzed-again.msh";
    ew_mesh *fine = NULL, *back = NULL;
    ew_mesh_info info, other = {0};
    ew_error error = {0};
    int code = ew_mesh_refine(host, mesh, 1, draw(2), &spline, &fine, &error);
    tally->unrefined += code == EW_OK ? !ewi_mesh_is_valid(fine, NULL) : strlen(error.message) < 15 || code == EW_EINTERNAL;
    code = ew_gmsh_write(host, mesh, draw(2) ? EW_GMSH_22 : EW_GMSH_41, (int)draw(2), path, &error);
    if (code == EW_OK && ew_gmsh_read(host, path, NULL, &back, &error) == EW_OK)
        ew_mesh_get_info(back, &other);
    ew_mesh_get_info(mesh, &info);
    tally->unwritten += code == EW_OK ? info.area != other.area || info.edges != other.edges : code != EW_EINVAL;
    ew_mesh_destroy(back);
    ew_mesh_destroy(fine);
    unlink(path);
}

static void read_once(const struct sample *s, struct tally *tally)
{
    static const ew_periodic pair = {"in", "7", 0, 0, 1};
    const ew_host host = {.allocate = counted_allocate, .release = counted_release};
    int reports = 0;
    const ew_mesh_data data = {.periodics = (int32_t)draw(2), .periodic = &pair, .report = note, .report_context = &reports};
    ew_mesh *mesh = NULL;
    ew_error error = {0};
    live = 0;
    bytes_asked = 0;
    char *text = ewi_alloc(&host, s->size + 1, 1);
    memcpy(text, s->bytes, s->size);
    int code = ewi_gmsh_parse(&host, "fuzzed.msh", text, s->size, &data, &mesh, &error);
    tally->accepted += code == EW_OK;
    tally->silent += code != EW_OK && (strlen(error.message) < 15 || error.code != code);
    tally->unreported += code == EW_EMESH && reports == 0;
    tally->invalid += code == EW_OK && !ewi_mesh_is_valid(mesh, NULL);
    tally->greedy += bytes_asked > 2000000;
    if (code == EW_OK && draw(8) == 0)
        use_mesh(&host, mesh, tally);
    ew_mesh_destroy(mesh);
    tally->leaks += live != 0;
}

static void fuzz(int format, int64_t rounds)
{
    const char *name = sample_formats[format].name;
    struct tally tally = {0};
    struct sample original;
    write_sample(format, &original);
    for (int64_t k = 0; k < rounds; k++) {
        struct sample sample = original;
        for (uint64_t mutations = 1 + draw(1 + (uint64_t)k % 6); mutations > 0; mutations--)
            mutate(&sample);
        read_once(&sample, &tally);
    }
    diag("%s: %" PRId64 " of %" PRId64 " were accepted", name, tally.accepted, rounds);
    ok(tally.accepted > 0 && tally.accepted < rounds, "%s: some mutated files are accepted and some refused", name);
    is_int(tally.silent, 0, "%s: every refusal has its sentence", name);
    is_int(tally.unreported, 0, "%s: every defect is reported", name);
    is_int(tally.invalid, 0, "%s: what is accepted is valid", name);
    is_int(tally.unrefined, 0, "%s: it can be refined, or a sentence says why not", name);
    is_int(tally.unwritten, 0, "%s: it can be written and read again", name);
    is_int(tally.leaks, 0, "%s: nothing is lost", name);
    is_int(tally.greedy, 0, "%s: memory stays in proportion to the file", name);
}

int main(int count, char **arguments)
{
    uint64_t seed = count > 1 ? strtoull(arguments[1], NULL, 10) : 1;
    int64_t rounds = count > 2 ? strtoll(arguments[2], NULL, 10) : 15000;
    diag("seed %" PRIu64 ", %" PRId64 " rounds for each format", seed, rounds);
    state = seed;
    for (int format = 0; format < SAMPLE_FORMATS; format++)
        fuzz(format, rounds);
    return done_testing();
}
