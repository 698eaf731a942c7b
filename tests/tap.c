/* SPDX-License-Identifier: BSD-2-Clause */
/* The test anything protocol, for C. */
#include "tap.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count, failures;

static bool verdict_line(bool verdict, const char *format, va_list arguments)
{
    count++;
    failures += !verdict;
    printf("%s %d - ", verdict ? "ok" : "not ok", count);
    vprintf(format, arguments);
    putchar('\n');
    fflush(stdout);
    return verdict;
}

#define VERDICT(condition)                                     \
    va_list arguments;                                         \
    va_start(arguments, format);                               \
    bool verdict_ = verdict_line((condition), format, arguments); \
    va_end(arguments)

bool ok(bool verdict, const char *format, ...)
{
    VERDICT(verdict);
    return verdict_;
}

bool is_int(int64_t got, int64_t expected, const char *format, ...)
{
    VERDICT(got == expected);
    if (!verdict_)
        diag("got %lld, expected %lld", (long long)got, (long long)expected);
    return verdict_;
}

bool is_str(const char *got, const char *expected, const char *format, ...)
{
    VERDICT(got && expected && strcmp(got, expected) == 0);
    if (!verdict_)
        diag("got \"%s\", expected \"%s\"", got ? got : "(null)", expected ? expected : "(null)");
    return verdict_;
}

bool is_close(double got, double expected, double tolerance, const char *format, ...)
{
    VERDICT(fabs(got - expected) <= tolerance);
    if (!verdict_)
        diag("got %.17g, expected %.17g, difference %.3g, allowed %.3g", got, expected, got - expected, tolerance);
    return verdict_;
}

bool contains(const char *text, const char *part, const char *format, ...)
{
    VERDICT(strstr(text ? text : "", part) != NULL);
    if (!verdict_)
        diag("\"%s\" is not in \"%s\"", part, text ? text : "");
    return verdict_;
}

void diag(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("# ", stdout);
    vprintf(format, arguments);
    putchar('\n');
    fflush(stdout);
    va_end(arguments);
}

void skip(const char *reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("ok %d - ", ++count);
    vprintf(format, arguments);
    printf(" # SKIP %s\n", reason);
    fflush(stdout);
    va_end(arguments);
}

void skip_all(const char *reason)
{
    printf("1..0 # SKIP %s\n", reason);
    fflush(stdout);
    exit(0);
}

void bail_out(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("Bail out! ", stdout);
    vprintf(format, arguments);
    putchar('\n');
    fflush(stdout);
    va_end(arguments);
    exit(99);
}

bool long_checks(void)
{
    return getenv("EW_LONG") != NULL;
}

int done_testing(void)
{
    printf("1..%d\n", count);
    fflush(stdout);
    return failures != 0 || count == 0;
}
