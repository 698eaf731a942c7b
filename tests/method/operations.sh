#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The operations that laws state of their functions and fluxes are what these do.
tap_core=yes
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

cxx=${EW_CXX:-c++}
$cxx --version >/dev/null 2>&1 || skip_all "there is no C++ compiler"
$cxx -std=gnu++20 -w -I"$srcdir/src" -I"$srcdir/src/base" -I"$srcdir/src/method" -o count \
    "$srcdir/tests/method/operations.cc" >log 2>&1
ok $? "laws and fluxes compile with numbers that count" || diag "$(cat log)"
./count >rows
is "$(awk '$4 + 0 != $6 + 0' rows)" "" "laws state what their functions do"
laws_of() # LIST
{
    sed -n '/^#define EWI_LAWS(X)/,/[^\\]$/p' "$srcdir/src/method/$1" | grep -o 'X([a-z]' | wc -l
}
is "$(grep -c ' volume_flux:' rows)" "$(($(laws_of ewi_law_list.h)))" "all laws are counted"
is "$(find "$srcdir/src/physics" -name '*.h' | wc -l | tr -d ' ')" "$(($(laws_of ewi_every_law.h)))" \
    "and every file of a law is in the list"
done_testing
