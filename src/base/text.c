/* SPDX-License-Identifier: BSD-2-Clause */
/* Words and numbers in texts. */
#include "ewi_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- the nearest word -------------------------------------------------------------------------------------------- */

enum { LONGEST_WORD = 64 };

static char lower(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? (char)(letter + ('a' - 'A')) : letter;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and exchanges of neighbours that make b of a. */
static size_t edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t row[3][LONGEST_WORD + 1];
    for (size_t j = 0; j <= b_length; ++j)
        row[0][j] = j;
    for (size_t i = 1; i <= a_length; ++i) {
        size_t *now = row[i % 3], *before = row[(i + 2) % 3], *before_that = row[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= b_length; ++j) {
            char from = lower(a[i - 1]), to = lower(b[j - 1]);
            size_t distance = before[j - 1] + (from != to);
            distance = least(distance, least(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && from == lower(b[j - 2]) && lower(a[i - 2]) == to)
                distance = least(distance, before_that[j - 2] + 1);
            now[j] = distance;
        }
    }
    return row[a_length % 3][b_length];
}

bool ewi_is_not_finite(const char *word, size_t length)
{
    static const char *const names[] = {"nan", "inf", "infinity"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strlen(names[k]) == length && strncasecmp(names[k], word, length) == 0)
            return true;
    return false;
}

const char *ewi_nearest(const char *word, const char *const *candidates, size_t count)
{
    const char *nearest = NULL;
    size_t word_length = strlen(word), smallest = SIZE_MAX;
    if (word_length > LONGEST_WORD)
        return NULL;
    for (size_t i = 0; i < count; ++i) {
        size_t length = strlen(candidates[i]);
        if (length > LONGEST_WORD)
            continue;
        size_t distance = edit_distance(word, word_length, candidates[i], length);
        size_t longer = word_length > length ? word_length : length;
        bool near_enough = distance == 0 || (longer >= 3 && 3 * distance <= longer + 1);
        if (near_enough && distance < smallest) {
            smallest = distance;
            nearest = candidates[i];
        }
    }
    return nearest;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

enum {
    MOST_DIGITS = 800, /* a halfway case between doubles has at most 767; what follows is only zero or not */
    BIG_WORDS = 128
};

/* A whole number, least significant word first; 10^1131 and 800 digits fit. */
struct big {
    uint32_t word[BIG_WORDS];
    int count;
};

static void big_multiply_add(struct big *number, uint32_t factor, uint32_t term)
{
    uint64_t carry = term;
    for (int i = 0; i < number->count; ++i) {
        carry += (uint64_t)number->word[i] * factor;
        number->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        number->word[number->count++] = (uint32_t)carry;
}

static int big_bits(const struct big *number)
{
    int bits = 32 * (number->count - 1);
    for (uint32_t top = number->word[number->count - 1]; top; top >>= 1)
        ++bits;
    return bits;
}

static void big_shift(struct big *number, int bits)
{
    for (; bits >= 16; bits -= 16)
        big_multiply_add(number, 1u << 16, 0);
    if (bits > 0)
        big_multiply_add(number, 1u << bits, 0);
}

static int big_compare(const struct big *a, const struct big *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; --i)
        if (a->word[i] != b->word[i])
            return a->word[i] < b->word[i] ? -1 : 1;
    return 0;
}

/* a -= b, a >= b */
static void big_subtract(struct big *a, const struct big *b)
{
    int64_t borrow = 0;
    for (int i = 0; i < a->count; ++i) {
        int64_t difference = (int64_t)a->word[i] - (i < b->count ? b->word[i] : 0) + borrow;
        a->word[i] = (uint32_t)difference;
        borrow = difference < 0 ? -1 : 0;
    }
    while (a->count > 0 && a->word[a->count - 1] == 0)
        --a->count;
}

/* digits 10^exponent, exactly rounded by long division; -330 < exponent + count <= 310, the first digit is not 0. */
static double exact_decimal(const unsigned char *digits, int count, int exponent)
{
    struct big numerator = {.count = 0}, denominator = {.word = {1}, .count = 1};
    for (int i = 0; i < count; ++i)
        big_multiply_add(&numerator, 10, digits[i]);
    for (int i = 0; i < exponent; ++i)
        big_multiply_add(&numerator, 10, 0);
    for (int i = 0; i > exponent; --i)
        big_multiply_add(&denominator, 10, 0);

    /* the value is 2^e numerator/denominator with a ratio in [1, 2) */
    int e = big_bits(&numerator) - big_bits(&denominator);
    big_shift(&numerator, -e);
    big_shift(&denominator, e);
    if (big_compare(&numerator, &denominator) < 0) {
        big_shift(&numerator, 1);
        --e;
    }
    int bits = e >= -1022 ? 53 : e + 1075; /* of the mantissa: fewer for subnormal numbers */
    if (bits < 0)
        return 0.0;
    uint64_t mantissa = 0;
    for (int i = 0; i < bits; ++i) {
        mantissa <<= 1;
        if (big_compare(&numerator, &denominator) >= 0) {
            big_subtract(&numerator, &denominator);
            mantissa |= 1;
        }
        big_shift(&numerator, 1);
    }
    int rest = big_compare(&numerator, &denominator); /* with half a unit of the mantissa's last bit */
    if (rest > 0 || (rest == 0 && (mantissa & 1)))
        ++mantissa;
    return ldexp((double)mantissa, e - bits + 1);
}

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

size_t ewi_read_number(const char *text, double *value)
{
    unsigned char digits[MOST_DIGITS + 1];
    int count = 0;
    int64_t exponent = 0;
    size_t length = 0, seen = 0;
    bool after_point = false, dropped = false;
    for (;; ++length) {
        if (text[length] == '.' && !after_point) {
            after_point = true;
            continue;
        }
        if (!is_digit(text[length]))
            break;
        ++seen;
        exponent -= after_point;
        if (count == 0 && text[length] == '0')
            continue;
        if (count < MOST_DIGITS) {
            digits[count++] = (unsigned char)(text[length] - '0');
        } else {
            dropped |= text[length] != '0';
            ++exponent;
        }
    }
    if (seen == 0)
        return 0;
    if (dropped) { /* any digit will do that is not 0 */
        digits[count++] = 1;
        --exponent;
    }
    if (text[length] == 'e' || text[length] == 'E') {
        size_t at = length + 1;
        bool negative = text[at] == '-';
        if (text[at] == '-' || text[at] == '+')
            ++at;
        if (is_digit(text[at])) {
            int64_t written = 0;
            for (; is_digit(text[at]); ++at)
                if (written < INT64_C(1000000000000000))
                    written = 10 * written + (text[at] - '0');
            exponent += negative ? -written : written;
            length = at;
        }
    }

    if (count == 0 || exponent + count < -330) {
        *value = 0.0;
    } else if (exponent + count > 310) {
        *value = HUGE_VAL;
    } else if (count <= 15 && exponent >= -22 && exponent <= 22) { /* both are doubles: one rounding */
        double whole = 0.0, power = 1.0;
        for (int i = 0; i < count; ++i)
            whole = 10.0 * whole + digits[i];
        for (int64_t i = exponent < 0 ? -exponent : exponent; i > 0; --i)
            power *= 10.0;
        *value = exponent < 0 ? whole / power : whole * power;
    } else {
        *value = exact_decimal(digits, count, (int)exponent);
    }
    return length;
}

const char *ewi_in_words(const char *const *names, int count, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (int k = 0; k < count && length < size; k++)
        length += (size_t)snprintf(text + length, size - length, "%s%s",
                                   k == 0          ? ""
                                   : k + 1 < count ? ", "
                                                   : " and ",
                                   names[k]);
    return text;
}

const char *ewi_bytes_in_words(double bytes, char *text, size_t size)
{
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    size_t k = 0;
    for (; bytes >= 1024 && k + 1 < sizeof unit / sizeof *unit; k++)
        bytes /= 1024;
    snprintf(text, size, "%.*f %s", k == 0 || bytes >= 100 ? 0 : 1, bytes, unit[k]);
    return text;
}
