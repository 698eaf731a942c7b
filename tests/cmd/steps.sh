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

# The key divides a case as the option does, which comes first.
test_parts()
{
    run_edgewise info --step box.cfg --backend omp --parts 2
    divided="$code $err$out"
    contains "$divided" "exchange" "parts exchange"
    run_edgewise info --step box.cfg --backend omp --set backend.parts=2
    is "$code $err$out" "$divided" "... also those of the key backend.parts"
    run_edgewise info --step box.cfg --backend omp --set backend.parts=2 --parts 1
    is "$code $(printf '%s\n' "$out" | grep -c exchange)" "0 0" "... but one part, where --parts says so, does not"
}

# Operations of cases that check and run refuse are refused.
test_refusals()
{
    run_edgewise run --no-output --backend omp --set backend.parts=200 box.cfg
    refused="$code $err"
    contains "$err" "there are 200 parts and only 32 elements" "more parts than elements are refused by run"
    run_edgewise info --step box.cfg --parts 200
    is "$code $err$out" "$refused" "... and so are their operations"
    run_edgewise info --step box.cfg --set backend.parts=200
    is "$code $err$out" "$refused" "... by the key, too"
    run_edgewise info --step box.cfg --parts 200 --backend omp --json
    is "$code $err$out" "$refused" "... those of a backend in JSON, too"
}

# Single operations are not combined, and the lists of elements are those that they name.
test_single()
{
    cp "$srcdir/examples/cylinder/cylinder.msh" .
    sed -e "s/^time .*/time = { end = 0.5; step = \"levels\"; };/" -e 's/^order .*/order = 1; positivity = true;/' \
        "$srcdir/examples/cylinder/cylinder.cfg" >cylinder.cfg
    run_edgewise info --step cylinder.cfg
    is "$code $(printf '%s\n' "$out" | grep -c ' on load\| on store')" "0 0" "single operations are not combined"
    contains "$out" "positivity u1, active" "... but positivity has a line of its own"
    printf '%s\n' "$out" | sed -n 's/^  [0-9-]  .*, \([a-z]*\)$/\1/p' | sort -u >used
    printf '%s\n' "$out" | sed -n 's/^  \([a-z]*\): .*/\1/p' | sort >explained
    is "$(cat explained)" "$(cat used)" "lists of elements are explained if operations name them"
}

test_lists
test "$1" != --update || cp lists "$srcdir/tests/expected/steps.txt"
test_json
test_parts
test_refusals
test_single
done_testing
