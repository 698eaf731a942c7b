#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Levels of time steps at the command line: parts, what check and the summary say, and restarts.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

write_cylinder() # SETTINGS OF TIME
{
    cp "$srcdir/examples/cylinder/cylinder.msh" .
    sed -e "s/^time .*/time = { end = 0.5; step = \"levels\"; $1 };/" -e 's/^order .*/order = 1;/' \
        "$srcdir/examples/cylinder/cylinder.cfg" >cylinder.cfg
}

test_parts()
{
    write_cylinder
    run_edgewise check --set backend.parts=2 cylinder.cfg
    is "$code $err" "0 " "levels can be divided among parts"
    run_edgewise info --step cylinder.cfg --parts 2
    contains "$code $out" "  1  exchange state u1, active" "info --step prints the exchanges of an instant"
    run_edgewise info --step cylinder.cfg
    is "$code $(printf '%s\n' "$out" | grep -c exchange)" "0 0" "... which one part does not have"
    for parts in 1 2; do
        run_edgewise run --no-output --steps 3 --json --set "backend.parts=$parts" --threads 1 --backend omp \
            cylinder.cfg
        value_of state_hash >"hash-$parts"
    done
    is "$(cat hash-2)" "$(cat hash-1)" "two parts have the state of one"
    contains "$(cat hash-1)" 0 "... which has a hash"
    run_edgewise run --no-output --steps 1 --set backend.parts=2 --threads 1 --backend omp cylinder.cfg
    contains "$out" " cut edges; the largest work is " "the summary says how unequal their work is"
}

test_one_level()
{
    write_box box.cfg
    run_edgewise check --set 'time.step="levels"' box.cfg
    contains "$out" "  levels     1 level of time steps: more would save less than a tenth of the evaluations" \
        "check says why a uniform mesh has one level"
    run_edgewise run --no-output --steps 1 --set 'time.step="levels"' box.cfg
    contains "$out" "  levels     1 level of time steps: more would" "... and so does the summary"
    run_edgewise check --set 'time.step="levels"' --set time.levels=4 box.cfg
    contains "$out" "  levels     1 level of time steps: no triangle is twice as wide as the smallest one" \
        "... also if more are given"
    run_edgewise check box.cfg
    is "$(printf '%s\n' "$out" | grep -c 'level of time steps')" 0 "steps by element have no line on levels"
}

test_viscous()
{
    airfoil=$srcdir/examples/laminar-airfoil/laminar-airfoil.cfg
    run_edgewise check --no-estimate --set 'time.step="levels"' "$airfoil"
    contains "$code $out" ", rk43, CFL" "viscous flow with levels has a scheme that they fit by default"
    contains "$out" " levels of time steps; elements from the shortest steps on: 70 " "... and levels"
    run_edgewise check --no-estimate "$airfoil"
    contains "$out" ", ssprk54, CFL" "... another than without"
}

test_restart()
{
    write_cylinder
    run_edgewise run --steps 2 --set output.restart.steps=2 cylinder.cfg
    levels=$(printf '%s\n' "$out" | sed -n 's/^  levels *\([0-9]*\) levels.*/\1/p')
    ok "$(test "${levels:-1}" -gt 2; echo $?)" "the cylinder has levels by itself ($levels)"
    run_edgewise run --steps 4 --restart auto --set output.restart.steps=2 --set "time.levels=$levels" cylinder.cfg
    is "$code $err" "0 " "a restart with the number of levels that the file has, given, is one with the same settings"
    run_edgewise run --steps 6 --restart auto --set output.restart.steps=2 --set time.levels=2 cylinder.cfg
    contains "$err" "with other settings: levels of time steps 2 (was $levels)" "... with another number, it is not"
}

test_parts
test_one_level
test_viscous
test_restart
done_testing
