#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every fuzz target for EW_FUZZ_SECONDS, by libFuzzer with the address and undefined-behaviour sanitizers. If clang or
# its libFuzzer is missing: by the driver of make check, with the sanitizers of this build, if it has any.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
seconds=${EW_FUZZ_SECONDS:-20}
targets="formula gmsh su2 case spool series results restart arguments"
cpus=$(getconf _NPROCESSORS_ONLN)

has_libfuzzer()
{
    cat >probe.c <<END
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return data == NULL && size > 0; }
END
    clang -fsanitize=fuzzer,address,undefined -o probe probe.c 2>err && ./probe -runs=1 2>err
}

by_libfuzzer()
{
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s -C "$top_builddir" -j "$cpus" fuzz-programs >make.log 2>&1
    ok $? "the targets are built for libFuzzer" || { diag "$(tail -n 20 make.log)"; return; }
    # shellcheck disable=SC2086 # they are words
    sh "$srcdir/tests/fuzz/run" "$top_builddir/fuzz" "$seconds" $targets >table 2>err
    diag "$(cat table err)"
    for target in $targets; do
        is "$(cat "$top_builddir/fuzz/$target.code")" 0 "$target: libFuzzer finds nothing in $seconds seconds" ||
            diag "$(grep -E -A 12 'broken:|ERROR|runtime error:|^Base64' "$top_builddir/fuzz/$target.log" |
                cut -c 1-200 | tail -n 40)"
    done
}

by_driver()
{
    diag "clang has no libFuzzer here: $(head -n 1 err)"
    for target in $targets; do
        EW_FUZZ_SECONDS=$seconds EW_FUZZ_SEED=$(date +%s) "$top_builddir/tests/fuzz/$target" >out 2>&1
        ok $? "$target: $seconds seconds of mutations find nothing"
        diag "$(tail -n 20 out)"
    done
}

if has_libfuzzer; then by_libfuzzer; else by_driver; fi
done_testing
