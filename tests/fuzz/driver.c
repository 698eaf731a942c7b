/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs a fuzz target without libFuzzer: its seeds as they are, and mutations of them that are a function of
 * $EW_FUZZ_SEED, for $EW_FUZZ_SECONDS or $EW_FUZZ_RUNS inputs. With arguments, which are files, it runs these. An input
 * that ends the program becomes the file fuzz-TARGET.input.
 */
#include "target.h"
#include "tap.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/*
 * AddressSanitizer asks this: libraries that are told sizes without sense then get no memory, as they would elsewhere.
 */
__attribute__((visibility("default"), used)) const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=2000";
}

enum { MOST_SEEDS = 128, MOST_IN_VAIN = 100000, LONGEST_RUN = 300 /* seconds */ };

struct input {
    size_t size;
    uint8_t bytes[FUZZ_LONGEST];
};

static struct input seeds[MOST_SEEDS], input;
static size_t seed_count;
static char saved[256];

/* ---- mutations ------------------------------------------------------------------------------------------------- */

static uint64_t state;

/* splitmix64 */
static uint64_t draw(uint64_t below)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % below;
}

static const uint64_t numbers[] = {
    0, 1, 2, 3, 9, 15, 0x7f, 0xff, 0x7fff, 0x7fffffff, 0x80000000u, 0xffffffffu, 0x100000000u, 0x7fffffffffffffffu,
    0x8000000000000000u, 0xffffffffffffffffu, 0x7ff0000000000000u, 0x7ff8000000000000u,
};

/* Puts `size` bytes in the place of `removed` bytes at `at`. */
static void splice(size_t at, size_t removed, const void *bytes, size_t size)
{
    removed = removed < input.size - at ? removed : input.size - at;
    if (input.size - removed + size > sizeof input.bytes)
        return;
    memmove(input.bytes + at + size, input.bytes + at + removed, input.size - at - removed);
    memcpy(input.bytes + at, bytes, size);
    input.size = input.size - removed + size;
}

/* The word, or number, that a place is in. */
static void replace_token(size_t at, const char *word)
{
    size_t end = at;
    while (at > 1 && input.bytes[at - 1] > ' ')
        at--;
    while (end < input.size && input.bytes[end] > ' ')
        end++;
    splice(at, end - at, word, strlen(word));
}

static size_t count_words(void)
{
    size_t count = 0;
    while (fuzz_words[count])
        count++;
    return count;
}

/* The first byte, which has a target's options, is left alone. */
static void mutate(void)
{
    uint8_t kept[64];
    size_t at = 1 + draw(input.size), length = 1 + draw(draw(4) == 0 ? sizeof kept : 6);
    const char *word = fuzz_words[draw(count_words())];
    uint64_t number = numbers[draw(sizeof numbers / sizeof *numbers)];
    const struct input *other = &seeds[draw(seed_count)];
    at = at < input.size ? at : input.size;
    length = length < input.size - at ? length : input.size - at;
    memcpy(kept, input.bytes + at, length);
    switch (draw(11)) {
    case 0: splice(at, 1, (const uint8_t[]){(uint8_t)(kept[0] ^ 1 << draw(8))}, length > 0); break;
    case 1: splice(at, 1, (const uint8_t[]){(uint8_t)draw(256)}, 1); break;
    case 2: splice(at, 0, word, strlen(word)); break;
    case 3: splice(at, length, word, strlen(word)); break;
    case 4:
    case 5: replace_token(at, word); break;
    case 6: splice(at, length, "", 0); break;
    case 7: splice(1 + draw(input.size), 0, kept, length); break;
    case 8: splice(at, 4, &number, 4); break;
    case 9: splice(at, 8, &number, 8); break;
    default: splice(at, 0, other->bytes + 1, draw(2) ? other->size - 1 : draw(other->size)); break;
    }
}

/* ---- an input that ends the program ---------------------------------------------------------------------------- */

static void save_input(void)
{
    static const char words[] = "not ok - an input ended the program; it is the file ";
    int file = open(saved, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    ssize_t ignored = write(file, input.bytes, input.size);
    ignored = write(STDOUT_FILENO, words, sizeof words - 1);
    ignored = write(STDOUT_FILENO, saved, strlen(saved));
    ignored = write(STDOUT_FILENO, "\n", 1);
    (void)ignored;
    close(file);
}

static void save_and_die(int number)
{
    save_input();
    signal(number, SIG_DFL);
    raise(number);
}

/* The sanitizers have handlers of their own. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void watch_for_the_end(const char *program)
{
    static const int signals[] = {SIGABRT, SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    const char *name = strrchr(program, '/');
    snprintf(saved, sizeof saved, "fuzz-%s.input", name ? name + 1 : program);
    for (size_t k = 0; k < (__sanitizer_set_death_callback ? 2 : sizeof signals / sizeof *signals); k++)
        signal(signals[k], save_and_die);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(save_input);
}

/* ---- runs ------------------------------------------------------------------------------------------------------ */

static void add_seed(void *context, const void *bytes, size_t size)
{
    (void)context;
    if (seed_count == MOST_SEEDS || size == 0 || size > FUZZ_LONGEST)
        bail_out("there are too many seeds, or one is too long");
    memcpy(seeds[seed_count].bytes, bytes, size);
    seeds[seed_count++].size = size;
}

/* Whether it was accepted. */
static bool run(void)
{
    int64_t before = fuzz_accepted;
    alarm(LONGEST_RUN);
    /* In memory of its own, whose end the sanitizers see. */
    char *copy = fuzz_text(input.bytes, input.size);
    uint8_t *exact = realloc(copy, input.size + (input.size == 0));
    LLVMFuzzerTestOneInput(exact, input.size);
    free(exact);
    return fuzz_accepted > before;
}

static int run_files(int count, char **paths)
{
    for (int k = 0; k < count; k++) {
        FILE *file = fopen(paths[k], "rb");
        if (!file)
            bail_out("cannot read %s", paths[k]);
        input.size = fread(input.bytes, 1, sizeof input.bytes, file);
        fclose(file);
        ok(true, "%s is %s", paths[k], run() ? "accepted" : "refused");
    }
    return done_testing();
}

static void run_seeds(void)
{
    int64_t refused = 0;
    for (size_t k = 0; k < seed_count; k++) {
        input = seeds[k];
        if (!run() && refused++ == 0)
            diag("seed %zu, with the options %d, is refused: %.*s", k, input.bytes[0], (int)input.size - 1,
                 (const char *)input.bytes + 1);
    }
    is_int(refused, 0, "the %zu inputs that mutations begin with are right", seed_count);
}

static double setting(const char *name, double otherwise)
{
    const char *text = getenv(name);
    return text ? strtod(text, NULL) : otherwise;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* One input; whether it was accepted. */
static bool run_mutation(int64_t number)
{
    input = seeds[(size_t)number % seed_count];
    if (draw(8) == 0)
        input.bytes[0] = (uint8_t)draw(256);
    for (uint64_t mutations = 1 + draw(1 + (uint64_t)number % 6); mutations > 0; mutations--)
        mutate();
    return run();
}

static void run_mutations(void)
{
    double runs = setting("EW_FUZZ_RUNS", 1e18), start = now();
    double seconds = setting("EW_FUZZ_SECONDS", getenv("EW_FUZZ_RUNS") ? 1e18 : 0.7);
    uint64_t first = (uint64_t)setting("EW_FUZZ_SEED", 20240229);
    int64_t done = 0, accepted = 0;
    bool mixed = false; /* on a machine that is slow now, too, some are accepted and some refused */
    state = first;
    for (; (double)done < runs && (now() - start < seconds || (!mixed && done < MOST_IN_VAIN)); done++) {
        accepted += run_mutation(done);
        mixed = accepted > 0 && accepted <= done;
    }
    diag("seed %" PRIu64 ", %" PRId64 " mutated inputs, %" PRId64 " of them still right", first, done, accepted);
    ok(mixed, "some mutated inputs are accepted, some refused, and all promises kept");
}

int main(int count, char **arguments)
{
    watch_for_the_end(arguments[0]);
    LLVMFuzzerInitialize(&count, &arguments);
    if (count > 1)
        return run_files(count - 1, arguments + 1);
    fuzz_seeds(add_seed, NULL);
    run_seeds();
    run_mutations();
    return done_testing();
}
