/* SPDX-License-Identifier: BSD-2-Clause */
/* How errors are made: the sentence is written where the cause is known. */
#ifndef EWI_ERROR_H
#define EWI_ERROR_H

#include "edgewise.h"

/* Fills the nullable error with code and sentence (cut at the struct's size) and returns the code. */
int ewi_fail(ew_error *error, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Ends a public function that was given NULL as one of up to four arguments that it needs. */
#define EWI_REQUIRE(...) EWI_REQUIRE_COUNT(__VA_ARGS__, 4, 3, 2, 1, 0)(__VA_ARGS__)
#define EWI_REQUIRE_COUNT(a, b, c, d, count, ...) EWI_REQUIRE_##count
#define EWI_REQUIRE_1(a) EWI_REQUIRE_AS(a, #a)
#define EWI_REQUIRE_2(a, ...) EWI_REQUIRE_BOTH(EWI_REQUIRE_1(a), EWI_REQUIRE_1(__VA_ARGS__))
#define EWI_REQUIRE_3(a, ...) EWI_REQUIRE_BOTH(EWI_REQUIRE_1(a), EWI_REQUIRE_2(__VA_ARGS__))
#define EWI_REQUIRE_4(a, ...) EWI_REQUIRE_BOTH(EWI_REQUIRE_1(a), EWI_REQUIRE_3(__VA_ARGS__))
#define EWI_REQUIRE_BOTH(first, rest) \
    do {                              \
        first;                        \
        rest;                         \
    } while (0)
/* The same of one that has another name in the header. */
#define EWI_REQUIRE_AS(argument, name)                                                                    \
    do {                                                                                                  \
        if (!(argument))                                                                                  \
            return ewi_fail(error, EW_EINVAL, "%s was given NULL as its argument \"%s\"", __func__, name); \
    } while (0)

/* Returns the result of a failed call. If something must be freed first, EWI_TRY sets `status` and jumps to `out`. */
#define TRY(call)                 \
    do {                          \
        int status_ = (call);     \
        if (status_ != EW_OK)     \
            return status_;       \
    } while (0)

#define EWI_TRY(call)             \
    do {                          \
        status = (call);          \
        if (status != EW_OK)      \
            goto out;             \
    } while (0)

#endif
