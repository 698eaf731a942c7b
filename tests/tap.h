/* SPDX-License-Identifier: BSD-2-Clause */
/* A small producer of TAP 13: every test program counts its checks and ends with done_testing(). */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Each prints one "ok" or "not ok" line; the format names the behaviour in the user's terms. They return the verdict.
 */
bool ok(bool verdict, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool is_int(int64_t got, int64_t expected, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool is_str(const char *got, const char *expected, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* |got - expected| <= tolerance; a NaN fails. */
bool is_close(double got, double expected, double tolerance, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* NULL counts as an empty text. */
bool contains(const char *text, const char *part, const char *format, ...) __attribute__((format(printf, 3, 4)));

void diag(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Counts as one passed check, marked as skipped with its reason. */
void skip(const char *reason, const char *format, ...) __attribute__((format(printf, 2, 3)));
void skip_all(const char *reason) __attribute__((noreturn));
void bail_out(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Whether EW_LONG is set, as make check-long does: the checks that take minutes. */
bool long_checks(void);

/* Prints the plan; the exit status for main: 0 if every check passed. */
int done_testing(void);

#endif
