#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# libedgewise in another program: its header alone, the core alone, what it needs and what it shows.
tap_core=yes
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"

libs=$top_builddir/.libs
core=$libs/libedgewise.so
case_library=$libs/libedgewise-case.so # maybe not there: --without-case
test -e "$core" || skip_all "libedgewise was built without its shared library"
cc=${EW_CC:-cc} # maybe several words: ccache gcc
cxx=$EW_CXX
echo 'int main() { return 0; }' >try.cc
# shellcheck disable=SC2086
$cxx try.cc -o try >/dev/null 2>&1 || cxx=
runtimes=
# What a library with sanitizers needs, its users need, too.
for word in asan:address ubsan:undefined tsan:thread; do
    nm -D "$core" 2>/dev/null | grep -q "__${word%:*}_" || continue
    cc="$cc -fsanitize=${word#*:}"
    cxx="${cxx:+$cxx -fsanitize=${word#*:}}"
    runtimes="$runtimes|lib${word%:*}"
done

# compiles DESCRIPTION COMPILER ARGUMENTS...
compiles()
{
    description=$1
    shift
    "$@" >.log 2>&1
    ok $? "$description" || diag "$*: $(head -n 20 .log)"
}

# A solver on a square with a callback, as an embedding program would have it; exits 0 if mass is what it was.
write_program()
{
    cat >embed.c <<'END'
#include <edgewise.h>

#include <math.h>
#include <stdio.h>

static void wave(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    size_t i;
    (void)context, (void)t;
    for (i = 0; i < n; i++) {
        values[i] = 1 + 0.1 * sin(6.283185307179586 * (x[i] + y[i]));
        values[n + i] = 0.5;
        values[2 * n + i] = 0.25;
        values[3 * n + i] = 1;
    }
}

static int fails(int status, const ew_error *error)
{
    if (status != EW_OK)
        fprintf(stderr, "%s\n", error->message);
    return status != EW_OK;
}

int main(void)
{
    static const ew_side_part side[4] = {{"bottom", 0, 1}, {"right", 0, 1}, {"top", 0, 1}, {"left", 0, 1}};
    static const ew_periodic pairs[2] = {{"left", "right", 1, 0, 0}, {"bottom", "top", 0, 1, 0}};
    ew_rectangle box = {0};
    ew_problem problem = {0};
    ew_mesh *mesh = NULL;
    ew_solver *solver = NULL;
    ew_norms before, after;
    ew_error error;
    int k, failed;
    box.x1 = box.y1 = 1;
    box.nx = box.ny = 6;
    for (k = 0; k < 4; k++) {
        box.side[k].parts = 1;
        box.side[k].part = &side[k];
    }
    box.periodics = 2;
    box.periodic = pairs;
    problem.order = 2;
    problem.initial.callback = wave;
    problem.initial.variables = EW_X | EW_Y;
    failed = fails(ew_mesh_rectangle(NULL, &box, &mesh, &error), &error) ||
             fails(ew_solver_create(NULL, mesh, &problem, &solver, &error), &error) ||
             fails(ew_solver_norms(solver, &before, &error), &error) ||
             fails(ew_solver_advance(solver, 0.05, 1000, NULL, &error), &error) ||
             fails(ew_solver_norms(solver, &after, &error), &error);
    if (!failed)
        printf("%s: %ld steps to %g, mass %.15g\n", ew_version(), (long)ew_solver_steps(solver),
            ew_solver_time(solver), after.total[0]);
    failed = failed || fabs(after.total[0] - before.total[0]) > 1e-13;
    ew_solver_destroy(solver);
    ew_mesh_destroy(mesh);
    return failed;
}
END
}

strict="-pedantic-errors -Wall -Wextra -Werror"

# Each header comes first and alone.
test_header() # HEADER
{
    echo "#include <$1>" >header.c
    echo 'int ew_header_is_complete; ' >>header.c
    # shellcheck disable=SC2086
    compiles "$1 compiles alone as C11" $cc -std=c11 $strict -I"$srcdir/src" -c header.c -o header.o
    # shellcheck disable=SC2086
    compiles "and as C99" $cc -std=c99 $strict -I"$srcdir/src" -c header.c -o header.o
    cp header.c header.cc
    test -z "$cxx" ||
        compiles "and as C++" $cxx -std=c++11 $strict -I"$srcdir/src" -c header.cc -o header.o
}

test_cxx()
{
    cp embed.c embed.cc
    # shellcheck disable=SC2086
    if test -n "$cxx"; then
        compiles "a C++ program links with the core" $cxx -std=c++11 -I"$srcdir/src" embed.cc -o embed-cxx "$core" \
            "-Wl,-rpath,$libs" -lm
        ./embed-cxx >.log 2>&1
        ok $? "and runs" || diag "$(cat .log)"
    else
        skip "there is no C++ compiler" "a C++ program links with the core"
    fi
}

test_core_alone()
{
    # shellcheck disable=SC2086
    compiles "a program links with the core alone" $cc -std=c11 -pedantic-errors -I"$srcdir/src" \
        embed.c -o embed "$core" \
        "-Wl,-rpath,$libs" -lm
    ./embed >.log 2>&1
    ok $? "and conserves mass" || diag "$(cat .log)"
    contains "$(cat .log)" "to 0.05" "it reaches the time asked for"
}

# needed LIBRARY: the names that its dynamic section asks for
needed()
{
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p'
}

test_needs()
{
    command -v readelf >/dev/null 2>&1 || {
        skip "there is no readelf" "the core needs libc, libm, OpenMP and libdl only"
        return
    }
    others=$(needed "$core" |
        grep -v -E '^(libc|libm|libgomp|libomp|libiomp5|libpthread|libdl|libgcc_s|ld-linux.*'"$runtimes"')\.so')
    is "$others" "" "the core needs libc, libm, OpenMP and libdl only"
    test ! -e "$case_library" || contains "$(needed "$case_library")" "libedgewise.so" \
        "the case library uses the core rather than a copy"
}

# What configure has found to harden is in the library.
test_hardened()
{
    if command -v readelf >/dev/null 2>&1 && grep -q '^EW_RELRO_LDFLAGS = .*now' "$top_builddir/Makefile"; then
        contains "$(readelf -W -d "$core")" NOW "the library's addresses are resolved when it is loaded"
        contains "$(readelf -W -l "$core")" GNU_RELRO "... and read-only from then on"
    fi
}

# exported LIBRARY: the names that it defines for others
exported()
{
    nm -D --defined-only "$1" | awk '$2 != "A" { print $NF }' | sed 's/@.*//'
}

declares_what_is_exported() # NAME LIBRARY HEADER...
{
    name=$1
    exported "$2" | sort -u >exported.txt
    shift 2
    (cd "$srcdir/src" && sed -n 's/^EW_API.*[ *]\(ew_[a-z_]*\)(.*/\1/p' "$@") | sort -u >declared.txt
    is "$(comm -23 declared.txt exported.txt)" "" "every function of $* is in $name"
    is "$(comm -13 declared.txt exported.txt)" "" "every exported name of $name is in $*"
}

test_exports()
{
    command -v nm >/dev/null 2>&1 || {
        skip "there is no nm" "exported names begin with ew_"
        return
    }
    others=$(exported "$core" | grep -v '^ew_')
    is "$others" "" "libedgewise.so: exported names begin with ew_"
    if readelf -V "$core" 2>/dev/null | grep -q EDGEWISE_; then
        others=$(readelf -W --dyn-syms "$core" |
            awk '$7 != "UND" && $8 ~ /^ew_/ && $8 !~ /@@EDGEWISE_0\.1$/ { print $8 }')
        is "$others" "" "they have the version EDGEWISE_0.1"
    else
        skip "the linker makes no versions, or there is no readelf" "they have the version EDGEWISE_0.1"
    fi
    test -e "$case_library" || return 0
    others=$(exported "$case_library" | grep -v '^ew_')
    is "$others" "" "libedgewise-case.so: exported names begin with ew_"
    twice=$({ exported "$core"; exported "$case_library"; } | sort | uniq -d)
    is "$twice" "" "no name is in both libraries"
    declares_what_is_exported libedgewise "$core" edgewise.h
    declares_what_is_exported libedgewise-case "$case_library" edgewise-case.h edgewise-plot.h
}

write_program
for header in edgewise.h edgewise-case.h edgewise-plot.h; do test_header $header; done
test_cxx
test_core_alone
test_needs
test_hardened
test_exports
done_testing
