#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The operations of a time step, as "edgewise info --step" prints them: nine lists as in tests/expected/steps.txt.
# steps.sh --update writes that file.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# NAME PATTERN: a part of the text
section()
{
    sed -n "/^=== $1\$/,/^===/p" "$2" | sed '1d; /^===/d'
}

# shellcheck disable=SC2086 # several words
list() # NAME OPTIONS
{
    name=$1
    shift
    {
        echo "=== $name"
        "$edgewise" info --step box.cfg --set order=1 "$@"
    } >>lists 2>&1
    section "$name" lists >got
    section "$name" "$srcdir/tests/expected/steps.txt" >expected
    is "$(diff expected got)" "" "$name"
}

test_lists()
{
    write_box box.cfg
    bj='limiter="barth-jespersen"' of='limiter="oscillation-free"' rk2='time.scheme="rk2"'
    list "one by one, rk4"
    list "one by one, ssprk33, limited and positive" --set 'time.scheme="ssprk33"' --set "$bj" --set positivity=true
    list "omp, rk4, limited" --backend omp --set "$bj"
    list "omp, rk2, damped and positive, 4 parts" --backend omp --set "$rk2" --set "$of" --set positivity=true --parts 4
    list "cuda, rk4, limited" --backend cuda --set "$bj"
    list "cuda, rk2, positive, order 2" --backend cuda --set "$rk2" --set positivity=true --set order=2
    list "cuda, rk2, limited, steady" --backend cuda --set "$rk2" --set "$bj" --set time.steady=1e-6
    list "cuda, rk2, 2 parts" --backend cuda --set "$rk2" --parts 2
    list "cuda, rk2, limited, 2 parts" --backend cuda --set "$rk2" --set "$bj" --parts 2
    ok "$(section 'cuda, rk4, limited' lists | grep -q 'limiter pending'; echo $?)" "a list is not empty"
}

test_json()
{
    run_edgewise info --step box.cfg --json
    contains "$out" '"each step": [' "with --json, an object of lists"
    run_edgewise info --step nowhere.cfg
    is "$code" 66 "a case that is not there"
    run_edgewise info --step box.cfg --parts 0
    is "$code" 64 "no parts at all"
}

test_lists
test "$1" != --update || cp lists "$srcdir/tests/expected/steps.txt"
test_json
done_testing
