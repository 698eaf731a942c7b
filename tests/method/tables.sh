#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The stored tables are what the generator makes.
srcdir=${srcdir:-$(dirname "$0")/..}
top_builddir=${top_builddir:-.}
generate=$top_builddir/src/tables/generate
orders='1 2 3 4 5'

if ! test -x "$generate"; then
    echo "Bail out! $generate has not been built"
    exit 99
fi
made=$(mktemp "${TMPDIR:-/tmp}/edgewise-tables.XXXXXX") || exit 99
trap 'rm -f "$made"' EXIT
trap 'exit 99' HUP INT TERM

count=0
failures=0
for order in $orders; do
    count=$((count + 1))
    stored=$srcdir/src/tables/p$order.h
    if "$generate" "$order" >"$made" && cmp "$made" "$stored" >&2; then
        echo "ok $count - the tables of order $order are what the generator makes"
    else
        failures=$((failures + 1))
        echo "not ok $count - the tables of order $order are what the generator makes"
        echo "# if generate.c was changed on purpose: $generate $order > $stored"
    fi
done
echo "1..$count"
test "$failures" -eq 0
