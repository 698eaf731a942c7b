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
    contains "$out" "  levels     1 level of time steps: more would save too few evaluations" \
        "check says why a uniform mesh has one level"
    explained=$out
    run_edgewise check --no-estimate --set 'time.step="levels"' --set 'time.levels="auto"' box.cfg
    is "$code $err$(printf '%s\n' "$out" | grep '^  levels')" "0 $(printf '%s\n' "$explained" | grep '^  levels')" \
        "time.levels may be auto, which is the default"
    run_edgewise run --no-output --steps 1 --set 'time.step="levels"' box.cfg
    contains "$out" "  levels     1 level of time steps: more would" "... and so does the summary"
    run_edgewise check --set 'time.step="levels"' --set time.levels=4 box.cfg
    contains "$out" "  levels     1 level of time steps: no triangle is twice as wide as the smallest one" \
        "... also if more are given"
    run_edgewise check box.cfg
    is "$(printf '%s\n' "$out" | grep -c 'level of time steps')" 0 "steps by element have no line on levels"
}

# Rings of triangles about a point, each twice as wide as the one inside it; their steps have as many levels.
write_rings() # RINGS SETTINGS OF TIME
{
    awk -v rings="$1" 'BEGIN {
        sides = 6; pi = atan2(0, -1)
        printf "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"around\"\n2 2 \"inside\"\n"
        printf "$EndPhysicalNames\n$Nodes\n%d\n1 0 0 0\n", 1 + sides * (rings + 1)
        for (k = 0; k <= rings; k++)
            for (i = 0; i < sides; i++)
                printf "%d %.17g %.17g 0\n", 2 + k * sides + i, 2 ^ (k - rings) * cos(pi * (2 * i + k) / sides),
                    2 ^ (k - rings) * sin(pi * (2 * i + k) / sides)
        printf "$EndNodes\n$Elements\n%d\n", 2 * sides * (rings + 1)
        for (i = 0; i < sides; i++) {
            j = (i + 1) % sides
            printf "%d 1 2 1 1 %d %d\n", ++n, 2 + rings * sides + i, 2 + rings * sides + j
            printf "%d 2 2 2 2 1 %d %d\n", ++n, 2 + i, 2 + j
            for (k = 0; k < rings; k++) {
                a = 2 + k * sides; b = a + sides
                printf "%d 2 2 2 2 %d %d %d\n%d 2 2 2 2 %d %d %d\n", ++n, a + i, b + i, a + j, ++n, a + j, b + i, b + j
            }
        }
        print "$EndElements" }' >rings.msh
    cat >rings.cfg <<END
mesh = "rings.msh"; law = "euler"; order = 1;
time = { step = "levels"; $2 };
initial = { rho = 1; u = 0.3; v = 0; p = 1; };
boundary = { around = { kind = "far"; state = "initial"; }; };
END
}

# Timing whole steps of many levels or parts would take minutes.
test_many_levels()
{
    write_rings 21 'end = 10; levels = 20;'
    run_edgewise check rings.cfg
    is "$code $err" "0 " "a case with 20 levels is checked"
    contains "$out" "  levels     20 levels of time steps" "... and has them"
    contains "$out" ", whole steps are " "... and steps whose length is that of those after the first, shorter ones"
    contains "$out" " ms a step (from fewer levels)" "... in a time that follows from fewer levels"
    run_edgewise check --json --set time.levels=3 rings.cfg
    steps=$(value_of steps_estimate)
    run_edgewise check --json rings.cfg
    ok "$(awk -v few="$steps" -v many="$(value_of steps_estimate)" \
        'BEGIN { more = many - few / 2 ^ 17; print !(more > 18 && more < 21) }')" \
        "they are as many as with three levels of the same total length, and the 19 first ones"
    run_edgewise check --set backend.parts=130 rings.cfg
    contains "$code $out" "  wall       unknown: a step takes too long to be timed here" \
        "with many parts, which wait for each other at each instant, it is not known"
    contains "$out" ", whole steps are " "... but the length of steps is"
    run_edgewise check --set backend.parts=64 --set time.levels=2 rings.cfg
    contains "$out" " ms a step; writing" "... and the time of one step with two levels"
    run_edgewise check --no-estimate rings.cfg
    is "$code $(printf '%s\n' "$out" | grep -c "  wall ")" "0 0" "--no-estimate samples them without timing"
}

# Frames cut steps, and the first ones are short: the share of evaluations is that of two runs.
test_short_steps()
{
    write_rings 8 'end = 0.5;'
    run_edgewise check rings.cfg
    is "$code $err" "0 " "as many levels as pay have no warning in a run of many steps"
    is "$(printf '%s\n' "$out" | grep -c 'in this run')" "0" "... and save what whole steps do"
    every=output.fields.every=0.0045
    for levels in 1 5; do
        run_edgewise run --json --no-output --end 0.045 --set $every --set time.levels=$levels rings.cfg
        value_of steps >"steps-$levels"
    done
    contains "$err" "5 levels of time steps take 0.584 times" "run says what levels take if frames cut their steps"
    contains "$err" ", because frames 0.0045 apart cut their longest steps, 0.00668; time.levels = 3 takes 0." \
        "... why, and what takes less"
    run_edgewise check --json --end 0.045 --set $every --set time.levels=5 rings.cfg
    is "$(printf %.6f "$(value_of step_level_work)") $(value_of step_levels_enough)" \
        "$(awk -v one="$(cat steps-1)" -v steps="$(cat steps-5)" \
            'BEGIN { printf "%.6f", steps * (18 * 16 + 12 * (8 + 4 + 2) + 48) / (one * 102) }') 3" \
        "check says it, too, and the share is that of the steps that two runs take"
    run_edgewise check --end 0.045 --set $every --set time.levels=5 rings.cfg
    contains "$out" "; 0.309 of the evaluations of one level in whole steps, and 0.584 in" "... in its line on levels"
    run_edgewise check --no-estimate --end 0.045 --set $every --set time.levels=3 rings.cfg
    is "$code $err" "0 " "with the levels that it names there is no warning"
    run_edgewise check --end 0.02 --set output.fields.every=0.0002 --set time.levels=5 rings.cfg
    contains "$out" ": about 100 steps from frame to frame" "steps may be as long as frames are apart"
    contains "$err" "; time.levels = 1 takes fewer" "one level may be enough"
}

test_useless_levels()
{
    write_rings 20 'end = 10;'
    run_edgewise check --no-estimate --set time.levels=10 rings.cfg
    is "$code $err" "0 " "levels that hardly pay are no error"
    contains "$out" "             time.levels = 7 would take 0." "... but check says how many take about as little"
    run_edgewise check --no-estimate --set time.levels=5 rings.cfg
    is "$(printf '%s\n' "$out" | grep -c 'time.levels')" "0" "... and nothing where each of them pays"
    run_edgewise check --no-estimate --set time.levels=1 rings.cfg
    contains "$out" "  levels     1 level of time steps: time.levels is 1" \
        "time.levels = 1 has a line as other numbers do"
}

test_cfl()
{
    write_rings 8 'end = 10; cfl = 0.95; scheme = "rk4";'
    run_edgewise check --no-estimate rings.cfg
    contains "$err" "the time scheme rk4 is stable to about 0.8961 at order 1 with levels of time steps: take a" \
        "a cfl that is stable with one level only has a warning with levels"
    run_edgewise check --no-estimate --set time.levels=1 rings.cfg
    is "$code $err" "0 " "... and none with one"
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
    run_edgewise run --steps 8 --restart auto --set output.restart.steps=2 --set 'time.step="element"' cylinder.cfg
    is "$err" "edgewise: warning: the run resumes from cylinder.restart-6.nc with other settings: levels of time steps \
1 (was 2)" "steps by element are told once, by the number of levels"
}

test_parts
test_one_level
test_many_levels
test_short_steps
test_useless_levels
test_cfl
test_viscous
test_restart
done_testing
