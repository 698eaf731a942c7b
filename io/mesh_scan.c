/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers and words of a mesh file, ASCII or binary. */
#include "ewi_mesh_file.h"
#include "ewi_output_file.h"
#include "ewi_text.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

/* ---- errors ------------------------------------------------------------------------------------------------------ */

int ewi_scan_fail(const struct ewi_scan *scan, const char *at, const char *format, ...)
{
    char sentence[640];
    va_list arguments;
    va_start(arguments, format);
    ewi_vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (scan->binary)
        return ewi_fail(scan->error, EW_EMESH, "%.300s: byte %td: %s", scan->source, at - scan->begin, sentence);
    size_t line = 1;
    for (const char *p = scan->begin; p < at; p++)
        line += *p == '\n';
    return ewi_fail(scan->error, EW_EMESH, "%.300s:%zu: %s", scan->source, line, sentence);
}

/* Fails with the text found at scan->at instead of `what`. */
static int fail_at_token(const struct ewi_scan *scan, const char *what)
{
    char token[32];
    size_t length = 0;
    const char *p = scan->at;
    if (p >= scan->end)
        return ewi_scan_fail(scan, p, "the file ends where %s should be", what);
    for (; p < scan->end && *p > ' ' && *p < 127 && length < sizeof token - 4; p++)
        token[length++] = *p;
    if (length == 0 && (*p == '\n' || *p == '\r'))
        return ewi_scan_fail(scan, p, "the line ends where %s should be", what);
    if (length == 0)
        return ewi_scan_fail(scan, p, "a character with code %d stands where %s should be", (unsigned char)*p, what);
    if (p < scan->end && *p > ' ')
        memcpy(token + length, "...", 3), length += 3;
    token[length] = '\0';
    return ewi_scan_fail(scan, scan->at, "\"%s\" stands where %s should be", token, what);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static int read_error(const char *path, ew_error *error)
{
    return ewi_fail(error, EW_EIO, "%.300s cannot be read: %s", path, strerror(errno));
}

int ewi_scan_file(const ew_host *host, int file, const char *path, char **text, size_t *bytes, ew_error *error)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return read_error(path, error);
    if (!(*text = ewi_alloc(host, (size_t)info.st_size + 1, 1)))
        return ewi_fail(error, EW_ENOMEM, "%.300s: not enough memory for its %jd bytes", path, (intmax_t)info.st_size);
    *bytes = ewi_read_bytes(file, 0, *text, (size_t)info.st_size); /* the file may have shrunk */
    if (*bytes < (size_t)info.st_size && errno != 0)
        return read_error(path, error);
    (*text)[*bytes] = '\0';
    return EW_OK;
}

/* ---- white space ------------------------------------------------------------------------------------------------- */

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
}

static bool ends_token(char letter)
{
    return is_blank(letter) || letter == '\n' || letter == '\0';
}

static inline void skip_blanks(struct ewi_scan *scan)
{
    while (is_blank(*scan->at))
        scan->at++;
}

void ewi_scan_skip_space(struct ewi_scan *scan)
{
    while (is_blank(*scan->at) || *scan->at == '\n')
        scan->at++;
}

int ewi_scan_end_line(struct ewi_scan *scan)
{
    skip_blanks(scan);
    if (*scan->at == '\n')
        scan->at++;
    else if (scan->at < scan->end)
        return fail_at_token(scan, "the end of the line");
    return EW_OK;
}

void ewi_scan_skip_line(struct ewi_scan *scan)
{
    const char *last = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
    scan->at = last ? last + 1 : scan->end;
}

const char *ewi_scan_next(struct ewi_scan *scan)
{
    skip_blanks(scan);
    return scan->at;
}

void ewi_scan_begin_record(struct ewi_scan *scan)
{
    if (!scan->binary)
        ewi_scan_skip_space(scan);
}

int ewi_scan_end_record(struct ewi_scan *scan)
{
    return scan->binary ? EW_OK : ewi_scan_end_line(scan);
}

/* ---- integers ---------------------------------------------------------------------------------------------------- */

/* Reads an integer of up to `most` digits (at most 20) that fits 64 bits. */
static inline int read_integer(struct ewi_scan *scan, const char *what, int most, int64_t *value)
{
    const char *p = ewi_scan_next(scan);
    bool negative = *p == '-', fits = true;
    if (*p == '-' || *p == '+')
        p++;
    const char *first = p;
    uint64_t digits = 0;
    for (; *p >= '0' && *p <= '9' && p - first < most; p++) {
        fits = p - first < 19 || digits <= (UINT64_MAX - (uint64_t)(*p - '0')) / 10;
        digits = 10 * digits + (uint64_t)(*p - '0');
    }
    if (p == first || !ends_token(*p) || !fits)
        return fail_at_token(scan, what);
    *value = (int64_t)(negative ? -digits : digits);
    scan->at = p;
    return EW_OK;
}

int ewi_scan_text_integer(struct ewi_scan *scan, const char *what, int64_t *value)
{
    return read_integer(scan, what, 18, value);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 wide;

#define MOST_POWER 27 /* 5^27 is the largest power of 5 below 2^64 */

static const uint64_t power_of_five[MOST_POWER + 1] = {
    1u, 5u, 25u, 125u, 625u, 3125u, 15625u, 78125u, 390625u, 1953125u, 9765625u, 48828125u, 244140625u, 1220703125u,
    6103515625u, 30517578125u, 152587890625u, 762939453125u, 3814697265625u, 19073486328125u, 95367431640625u,
    476837158203125u, 2384185791015625u, 11920928955078125u, 59604644775390625u, 298023223876953125u,
    1490116119384765625u, 7450580596923828125u,
};

/*
 * (bits + fraction) 2^exponent, rounded to nearest, ties to even; the fraction is 0 unless `more`. Neither overflows
 * nor underflows.
 */
static double round_bits(uint64_t bits, bool more, int exponent)
{
    int shift = __builtin_clzll(bits);
    bits <<= shift;
    exponent -= shift;
    uint64_t mantissa = bits >> 11, rest = bits & 0x7ff;
    if (rest > 0x400 || (rest == 0x400 && (more || (mantissa & 1))))
        mantissa++;
    uint64_t scale_bits = (uint64_t)(1023 + exponent + 11) << 52;
    double scale;
    memcpy(&scale, &scale_bits, sizeof scale);
    return (double)mantissa * scale;
}

/* digits * 10^power, correctly rounded by exact integer arithmetic: 10^k = 5^k 2^k. */
static bool exact_number(uint64_t digits, int64_t power, double *value)
{
    if (digits == 0) {
        *value = 0;
    } else if (power >= 0 && power <= MOST_POWER) {
        wide product = (wide)digits * power_of_five[power];
        uint64_t high = (uint64_t)(product >> 64), low = (uint64_t)product;
        int shift = high ? 64 - __builtin_clzll(high) : 0;
        uint64_t lost = shift == 64 ? low : low & (((uint64_t)1 << shift) - 1);
        *value = round_bits((uint64_t)(product >> shift), lost != 0, (int)power + shift);
    } else if (power < 0 && power >= -MOST_POWER) {
        uint64_t divisor = power_of_five[-power];
        int up = __builtin_clzll(digits), down = __builtin_clzll(divisor);
        wide numerator = (wide)(digits << up) << 62;
        divisor <<= down;
        uint64_t quotient = (uint64_t)(numerator / divisor); /* between 2^61 and 2^63 */
        *value = round_bits(quotient, (wide)quotient * divisor != numerator, (int)power - 62 - up + down);
    } else {
        return false;
    }
    return true;
}
#else
static bool exact_number(uint64_t digits, int64_t power, double *value)
{
    (void)power;
    *value = 0;
    return digits == 0;
}
#endif

/* A fast path for most numbers: at most 17 digits, and a small exponent or none. Returns the number's end, or NULL. */
static const char *read_usual_number(const char *p, double *value)
{
    uint64_t digits = 0;
    int64_t power = 0;
    int significant = 0;
    const char *first = p, *point = NULL;
    for (; (*p >= '0' && *p <= '9') || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = p;
            continue;
        }
        digits = 10 * digits + (uint64_t)(*p - '0');
        significant += digits != 0;
    }
    if (p == first + (point != NULL) || significant > 19)
        return NULL;
    if (point)
        power = point + 1 - p;
    if (*p == 'e' || *p == 'E') {
        bool negative = *++p == '-';
        int64_t written = 0;
        if (*p == '-' || *p == '+')
            p++;
        const char *start = p;
        for (; *p >= '0' && *p <= '9' && p - start < 4; p++)
            written = 10 * written + (*p - '0');
        if (p == start)
            return NULL;
        power += negative ? -written : written;
    }
    return ends_token(*p) && exact_number(digits, power, value) ? p : NULL;
}

int ewi_scan_text_number(struct ewi_scan *scan, const char *what, double *value)
{
    skip_blanks(scan);
    const char *p = scan->at;
    bool negative = *p == '-';
    if (*p == '-' || *p == '+')
        p++;
    const char *stop = read_usual_number(p, value);
    if (!stop) {
        size_t length = ewi_read_number(p, value);
        stop = p + length;
        if (length == 0 || !ends_token(*stop))
            return fail_at_token(scan, what);
        if (!isfinite(*value))
            return ewi_scan_fail(scan, scan->at, "%s is too large a number", what);
    }
    *value = negative ? -*value : *value;
    scan->at = stop;
    return EW_OK;
}

/* ---- binary words ------------------------------------------------------------------------------------------------ */

static int take_word(struct ewi_scan *scan, const char *what, size_t size, uint64_t *word)
{
    if ((size_t)(scan->end - scan->at) < size)
        return ewi_scan_fail(scan, scan->at, "the file ends where %s should be", what);
    if (size == 4) {
        uint32_t half;
        memcpy(&half, scan->at, 4);
        *word = scan->swapped ? __builtin_bswap32(half) : half;
    } else {
        memcpy(word, scan->at, 8);
        *word = scan->swapped ? __builtin_bswap64(*word) : *word;
    }
    scan->at += size;
    return EW_OK;
}

int ewi_scan_int(struct ewi_scan *scan, const char *what, int64_t *value)
{
    if (!scan->binary)
        return ewi_scan_text_integer(scan, what, value);
    uint64_t word = 0;
    int status = take_word(scan, what, 4, &word);
    *value = (int32_t)(uint32_t)word;
    return status;
}

int ewi_scan_size(struct ewi_scan *scan, const char *what, int64_t *value)
{
    if (!scan->binary)
        return read_integer(scan, what, 20, value);
    uint64_t word = 0;
    int status = take_word(scan, what, 8, &word);
    *value = (int64_t)word;
    return status;
}

int ewi_scan_number(struct ewi_scan *scan, const char *what, double *value)
{
    if (!scan->binary)
        return ewi_scan_text_number(scan, what, value);
    uint64_t word = 0;
    int status = take_word(scan, what, 8, &word);
    memcpy(value, &word, sizeof *value);
    if (status == EW_OK && !isfinite(*value))
        return ewi_scan_fail(scan, scan->at - 8, "%s is not a finite number", what);
    return status;
}

int ewi_scan_skip_numbers(struct ewi_scan *scan, int count, const char *what)
{
    uint64_t word = 0;
    for (int k = 0; k < count; k++) {
        if (scan->binary) {
            TRY(take_word(scan, what, 8, &word));
            continue;
        }
        if (ends_token(*ewi_scan_next(scan)))
            return fail_at_token(scan, what);
        while (!ends_token(*scan->at))
            scan->at++;
    }
    return EW_OK;
}

int ewi_scan_check_count(const struct ewi_scan *scan, const char *at, int64_t count, size_t least, const char *what)
{
    if (count < 0)
        return ewi_scan_fail(scan, at, "the number of %s is %" PRId64, what, count);
    if ((uint64_t)count > (uint64_t)(scan->end - scan->at) / least)
        return ewi_scan_fail(scan, at, "there should be %" PRId64 " %s, but the file ends %td bytes later", count, what,
                             scan->end - scan->at);
    return EW_OK;
}
