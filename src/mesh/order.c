/* SPDX-License-Identifier: BSD-2-Clause */
/* Sorts: a radix sort, and points along a Hilbert curve. */
#include "ewi_mesh_build.h"
#include "ewi_parallel.h"

#include <string.h>

/* ---- the Hilbert curve ------------------------------------------------------------------------------------------- */

/*
 * One level of the curve: in each of four orientations, the quadrant (bit of x, bit of y) has a place 0..3 along the
 * curve and an orientation of its own. Orientation 0 runs (0,0) (0,1) (1,1) (1,0); 1 is 0 with x and y exchanged; 2 and
 * 3 are 0 and 1 turned by 180 degrees.
 */
static const uint8_t quadrant_place[4][4] = {{0, 1, 3, 2}, {0, 3, 1, 2}, {2, 3, 1, 0}, {2, 1, 3, 0}};
static const uint8_t quadrant_orientation[4][4] = {{1, 0, 3, 0}, {0, 2, 1, 1}, {2, 1, 2, 3}, {3, 3, 0, 2}};

void ewi_hilbert_init(struct ewi_hilbert *hilbert)
{
    for (unsigned start = 0; start < 4; start++) {
        for (unsigned bits = 0; bits < 256; bits++) {
            unsigned orientation = start, position = 0;
            for (int level = 3; level >= 0; level--) {
                unsigned quadrant = (bits >> (4 + level) & 1) << 1 | (bits >> level & 1);
                position = position << 2 | quadrant_place[orientation][quadrant];
                orientation = quadrant_orientation[orientation][quadrant];
            }
            hilbert->step[start][bits] = (uint16_t)(position << 2 | orientation);
        }
    }
}

/* The cell at a distance from the mesh's corner; `scale`: 2^32 over the longer side of the mesh. */
static uint32_t cell_at(double distance, double scale)
{
    double cell = distance * scale;
    if (!(cell > 0))
        return 0;
    return cell < 4294967295.0 ? (uint32_t)cell : UINT32_MAX;
}

uint64_t ewi_hilbert_position(const struct ewi_hilbert *hilbert, uint32_t x, uint32_t y)
{
    uint64_t position = 0;
    unsigned orientation = 0;
    for (int shift = 28; shift >= 0; shift -= 4) {
        unsigned step = hilbert->step[orientation][(x >> shift & 15) << 4 | (y >> shift & 15)];
        position = position << 8 | step >> 2;
        orientation = step & 3;
    }
    return position;
}

/* ---- sorting ----------------------------------------------------------------------------------------------------- */

#define DIGIT_BITS 11
#define DIGITS 6 /* 66 bits */
#define BUCKETS (1 << DIGIT_BITS)

static unsigned digit_of(uint64_t key, int digit)
{
    return (unsigned)(key >> (DIGIT_BITS * digit)) & (BUCKETS - 1);
}

uint64_t ewi_sort_key(double number)
{
    uint64_t bits;
    double plain = number + 0.0; /* -0 and 0 are equal */
    memcpy(&bits, &plain, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* Turns the counts of a digit's values into their start positions; false if all keys share one value. */
static bool starts_of_counts(int32_t *count, int32_t n)
{
    int32_t start = 0;
    for (int value = 0; value < BUCKETS; value++) {
        if (count[value] == n)
            return false;
        int32_t here = count[value];
        count[value] = start;
        start += here;
    }
    return true;
}

/* Radix sort from the lowest digit. */
int ewi_sort(const ew_host *host, int32_t n, uint64_t *key, int32_t *index)
{
    struct ewi_scratch scratch = {.host = host};
    int32_t(*count)[BUCKETS] = ewi_scratch_alloc(&scratch, DIGITS, sizeof *count);
    uint64_t *from_key = key, *to_key = ewi_scratch_alloc(&scratch, (size_t)n, sizeof *to_key);
    int32_t *from_index = index, *to_index = ewi_scratch_alloc(&scratch, (size_t)n, sizeof *to_index);
    for (int32_t i = 0; !scratch.failed && i < n; i++)
        for (int digit = 0; digit < DIGITS; digit++)
            count[digit][digit_of(key[i], digit)]++;
    for (int digit = 0; !scratch.failed && digit < DIGITS; digit++) {
        if (!starts_of_counts(count[digit], n))
            continue;
        for (int32_t i = 0; i < n; i++) {
            int32_t to = count[digit][digit_of(from_key[i], digit)]++;
            to_key[to] = from_key[i];
            to_index[to] = from_index[i];
        }
        uint64_t *swapped_key = from_key;
        int32_t *swapped_index = from_index;
        from_key = to_key;
        from_index = to_index;
        to_key = swapped_key;
        to_index = swapped_index;
    }
    if (from_key != key) {
        memcpy(key, from_key, (size_t)n * sizeof *key);
        memcpy(index, from_index, (size_t)n * sizeof *index);
    }
    ewi_scratch_free(&scratch);
    return scratch.failed ? EW_ENOMEM : EW_OK;
}

/* ---- points along the curve -------------------------------------------------------------------------------------- */

struct points {
    const ew_mesh_info *info;
    void (*locate)(const void *context, int32_t i, double xy[2]);
    const void *context;
    struct ewi_hilbert *hilbert;
    uint64_t *position;
    int32_t *index;
};

static void find_positions(void *context, int64_t first, int64_t last)
{
    const struct points *points = context;
    const ew_mesh_info *info = points->info;
    double xy[2], scale = 4294967296.0 / fmax(info->xmax - info->xmin, info->ymax - info->ymin);
    for (int32_t i = (int32_t)first; i < last; i++) {
        points->locate(points->context, i, xy);
        points->position[i] = ewi_hilbert_position(points->hilbert, cell_at(xy[0] - info->xmin, scale),
                                                   cell_at(xy[1] - info->ymin, scale));
        points->index[i] = i;
    }
}

int ewi_sort_points(const struct ewi_mesh_build *build, int32_t n,
                    void (*locate)(const void *context, int32_t i, double xy[2]), const void *context, int32_t *index)
{
    struct ewi_scratch scratch = {.host = build->host};
    struct points points = {.info = &build->mesh->info, .locate = locate, .context = context, .index = index,
                            .hilbert = ewi_scratch_alloc(&scratch, 1, sizeof *points.hilbert),
                            .position = ewi_scratch_alloc(&scratch, (size_t)n, sizeof *points.position)};
    int status = EW_ENOMEM;
    if (!scratch.failed) {
        ewi_hilbert_init(points.hilbert);
        ewi_parallel_shares(n, EWI_MANY, find_positions, &points);
        status = ewi_sort(build->host, n, points.position, index);
    }
    ewi_scratch_free(&scratch);
    return status;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

void *ewi_scratch_alloc(struct ewi_scratch *scratch, size_t count, size_t size)
{
    bool has_room = !scratch->failed && scratch->blocks < EWI_SCRATCH_BLOCKS;
    void *block = has_room ? ewi_alloc(scratch->host, count, size) : NULL;
    scratch->failed = !block;
    if (block)
        scratch->block[scratch->blocks++] = block;
    return block;
}

void ewi_scratch_free(struct ewi_scratch *scratch)
{
    while (scratch->blocks > 0)
        ewi_free(scratch->host, scratch->block[--scratch->blocks]);
}
