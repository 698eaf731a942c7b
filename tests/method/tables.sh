#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The stored tables are what the generator makes.
srcdir=${srcdir:-$(dirname "$0")/..}
top_builddir=${top_builddir:-.}
generate=$top_builddir/src/tables/generate

if ! test -x "$generate"; then
    echo "Bail out! $generate has not been built"
    exit 99
fi
made=$(mktemp "${TMPDIR:-/tmp}/edgewise-tables.XXXXXX") || exit 99
trap 'rm -f "$made"' EXIT
trap 'exit 99' HUP INT TERM

count=0
failures=0
check() # FILE OPTION...
{
    table=src/tables/$1.h
    shift
    count=$((count + 1))
    if "$generate" "$@" >"$made" && cmp "$made" "$srcdir/$table" >&2; then
        echo "ok $count - $table is what the generator makes"
    else
        failures=$((failures + 1))
        echo "not ok $count - $table is what the generator makes"
        echo "# if generate.c was changed on purpose: $generate $* > $table"
    fi
}
for order in 1 2 3 4 5; do
    check "p$order" "$order"
    check "bed_p$order" -b "$order"
done
for order in 1 2 3; do
    check "volumes_p$order" -v "$order"
done
echo "1..$count"
test "$failures" -eq 0
