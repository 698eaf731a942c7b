#!/bin/sh
# The operations of laws and fluxes, which src/work.c has in a table, are what src/physics and src/flux do.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"

cxx=${EW_CXX:-c++}
$cxx --version >/dev/null 2>&1 || skip_all "there is no C++ compiler"
$cxx -w -I"$srcdir/src" -o count "$srcdir/tests/operations.cc" >log 2>&1
ok $? "laws and fluxes compile with numbers that count" || diag "$(cat log)"
./count >rows
ok "$(test "$(wc -l <rows)" -ge 4; echo $?)" "there are laws and fluxes"
while read -r row; do
    grep -qF "$row," "$srcdir/src/work.c"
    ok $? "src/work.c has $row"
done <rows
is "$(grep -c '^    {"[a-z]*", "[a-z]*", [0-9]' "$srcdir/src/work.c")" "$(wc -l <rows | tr -d ' ')" "and no others"
done_testing
