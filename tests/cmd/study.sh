#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# edgewise study: the paper's numbers, refined rectangles, all formats, and runs that fail or are stopped.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
vortex=$srcdir/examples/vortex/vortex.cfg

# With --jobs, runs end in any order.
run_edgewise study --jobs 2 --threads 1 --orders 1,2 --variable rho --png table.png \
    --meshes "$srcdir/tests/meshes/annulus-A.msh" "$vortex"
is "$code" 0 "the paper's vortex" || diag "$err"
contains "$out" "annulus-A        180   4.934e-03     -   3.708e-04     -" "errors on mesh A are the paper's"
ok "$(printf '%s\n' "$out" | grep -q rho_u; test $? -eq 1; echo $?)" "--variable leaves the others out"
contains "$err" "annulus-A, p = 2: 180 triangles, L2 error 3.708e-04" "each run is reported as it ends"
is "$(od -An -tx1 -N8 table.png | tr -d ' \n')" 89504e470d0a1a0a "--png draws a picture"
ok "$(printf '%s\n' "$out" | grep -q ' $'; test $? -eq 1; echo $?)" "no line ends in spaces"

if long_checks; then
    run_edgewise study --jobs 2 --threads 1 --orders 1,2 --variable rho \
        --meshes "$srcdir/tests/meshes/annulus-A.msh,annulus-B.msh" "$vortex"
    contains "$out" "annulus-B        720   1.226e-03 2.009   6.003e-05 2.627" \
        "errors and rates on mesh B are the paper's"
    contains "$err" "annulus-B, p = 2: 720 triangles, L2 error 6.003e-05" "each run is reported as it ends"
    run_edgewise study --quiet --threads 1 --orders 1..2 --variable rho --latex \
        --meshes annulus-A.msh,annulus-B.msh "$vortex"
    # shellcheck disable=SC2016 # they are LaTeX's
    {
        contains "$out" 'annulus-A & $4.934$E$-3$ & - & $3.708$E$-4$ & -' "the paper's table in LaTeX"
        contains "$out" 'annulus-B & $1.226$E$-3$ & 2.009 & $6.003$E$-5$ & 2.627' "with its rates"
    }
fi

write_box box.cfg 4
# shellcheck disable=SC2016 # they are LaTeX's
{
    run_edgewise study --quiet --threads 1 --orders 1..2 --variable rho --latex --refine 1 box.cfg
    contains "$out" '4x4 & $3.166$E$-3$ & - & $6.542$E$-4$ & -' "LaTeX as in the paper"
    contains "$out" '8x8 & $9.116$E$-4$ & 1.796 & $1.253$E$-4$ & 2.385' "with its rates"
}
is "$err" "" "--quiet says nothing"

run_edgewise study --quiet --threads 1 --refine 2 --orders 1,3 --csv box.cfg
is "$code" 0 "a rectangle is refined"
is "$(printf '%s\n' "$out" | awk -F, 'NR > 1 { print $1, $2, $4, $8 }' | tr '\n' ';')" \
    "4x4 32 1 end;4x4 32 3 end;8x8 128 1 end;8x8 128 3 end;16x16 512 1 end;16x16 512 3 end;" "CSV has a line a run"
printf '%s\n' "$out" >serial
is "$(printf '%s\n' "$out" | awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "rate_l2_rho") at = k }
    NR > 5 { print ($at > $4 + 0.6 && $at < $4 + 1.6) }' | tr '\n' ' ')" "1 1 " "rates are p + 1"
run_edgewise study --quiet --jobs 3 --refine 2 --orders 3,1 --csv box.cfg
is "$(printf '%s\n' "$out" | sort | cut -d, -f1-6,8-)" "$(sort serial | cut -d, -f1-6,8-)" \
    "jobs, threads and order of runs change no digit"
run_edgewise study --quiet --norm linf --refine 0 --orders 1 box.cfg
contains "$out" "Linf error of E, and rate" "--norm chooses the norm"
run_edgewise study --quiet --orders 2 --json box.cfg
contains "$out" '{"case": "box.cfg", "error": null, "title": "a density wave", "law": "euler"' "JSON says what was run"
contains "$out" '"runs": [{"mesh": "the case'"'"'s", "order": 2, "stop": "end", "error": null, "elements": 32' \
    "JSON has the runs"

run_edgewise study --quiet --threads 1 --orders 1 --variable rho \
    --meshes "$srcdir/tests/meshes/annulus-A.msh,missing.msh,annulus-B.msh" "$vortex"
is "$code" 78 "a missing mesh: the exit code"
is "$(printf '%s\n' "$err" | sed 's/: mesh: .*missing.msh cannot.*//')" \
    "edgewise: --meshes missing.msh (which is not in the current folder)" \
    "... it is reported once, as it was asked for, with both places"
contains "$out" "missing            -      failed     -" "... the table says that it failed"
contains "$out" "annulus-B        720   1.226e-03 2.009" \
    "... the others, named from here and from the case's folder, have the paper's errors, and rates skip it"
run_edgewise study --quiet --refine 1 --orders 1,2 --set limiter=\"barth-jespersen\" --csv box.cfg
is "$(printf '%s\n' "$out" | awk -F, 'NR > 1 { print $1, $4, $8 }' | tr '\n' ';')" \
    "4x4 1 end;4x4 2 failed;8x8 1 end;8x8 2 failed;" \
    "an order that the case cannot have fails alone"
is "$(printf '%s\n' "$err" | sed 's/: --set.*//')" "edgewise: 4x4, p = 2" "... and is reported once"

# refused WORDS PART ARGUMENTS...
refused()
{
        words=$1 part=$2
        shift 2
        run_edgewise study "$@"
        ok "$(test "$code" -ne 0; echo $?)" "$words: fails"
        contains "$err" "$part" "$words: says why"
        is "$out" "" "$words: prints no table"
}
sed '/^exact/d; s/state = "exact"/state = "initial"/' box.cfg >plain.cfg
refused "a case without exact solution" "has no exact solution" plain.cfg
refused "refining a mesh from a file" "give finer files with --meshes" --refine 1 "$vortex"
refused "orders out of range" "degrees from 1 to 5" --orders 2..7 box.cfg
refused "an order that is given twice" '--orders has the degree 1 twice: "1,2,1"' --orders 1,2,1 box.cfg
refused "orders that run down" "degrees from 1 to 5" --orders 3..1 box.cfg
refused "orders that are no numbers" "degrees from 1 to 5" --orders one box.cfg
refused "an empty mesh name" "--meshes needs" --meshes a.msh,,b.msh box.cfg
refused "two kinds of meshes" "exclude each other" --meshes a.msh --refine 1 box.cfg
refused "two formats" "exclude each other" --csv --json box.cfg
refused "no jobs" "--jobs needs a whole number from 1 to 1024" --jobs 0 box.cfg
refused "too many jobs" "--jobs needs a whole number from 1 to 1024" --jobs 5000 box.cfg
refused "an unknown variable" "it has rho, rho_u, rho_v, E" --variable pressure --orders 1 box.cfg
refused "another norm" "--norm needs l2 or linf" --norm l1 box.cfg
refused "a picture of another kind" "ends in .png" --png table.gif box.cfg
refused "a picture that cannot be written" "cannot write" --png nowhere/table.png box.cfg
refused "a missing case" "No such file" missing.cfg

run_edgewise study --json plain.cfg
contains "$out" '"error": "plain.cfg has no exact solution' "JSON says why there is no table"
contains "$out" '"law": null, "flux": null, "scheme": null, "runs": []}' \
    "... and stays an object, in which nothing is invented"

sed 's/rk4/rk44/' box.cfg >broken.cfg
for meshes in '' '--refine 2' "--meshes $srcdir/examples/vortex/annulus-A.msh,$srcdir/examples/vortex/annulus-B.msh"; do
    # shellcheck disable=SC2086 # they are words
    run_edgewise study --json --orders 1..4 $meshes broken.cfg
    is "$code $(printf '%s\n' "$err" | grep -c rk44)" "78 1" \
        "a case that is wrong for all runs is reported once${meshes:+, ${meshes%% *}}" || diag "$err"
    contains "$out" 'rk44' "... JSON has it"
    contains "$out" '"runs": []}' "... and no runs"
done

# The signal that ends a study also ends its endless run, and the table says so.
"$edgewise" study --threads 1 --refine 1 --orders 1 --set mesh.rectangle.cells='["n","n"]' --set 'let={n=4;}' \
    --set time.end=1e6 --set 'time.steps=100' box.cfg >fast.out 2>/dev/null
grep -q '4x4 ' fast.out
ok $? "cells may be formulas"
"$edgewise" study --threads 1 --orders 1,2 --set time.end=1e6 --set time.steady=1e3 \
    --meshes annulus-A.msh "$vortex" >stopped.out 2>stopped.err
is "$(grep -c '^  annulus-A' stopped.out)" 5 "runs that end as steady count"
"$edgewise" study --threads 1 --orders 2,1 --set limiter=\"barth-jespersen\" --csv --set time.end=1e7 box.cfg \
    >stopped.out 2>stopped.err &
study=$!
wait_until grep -q 'p = 2' stopped.err # it fails at once
sleep 0.3
kill -TERM $study
wait $study
is $? 143 "a signal ends the study"
contains "$(cat stopped.out)" "the case's,,,1,,,,interrupted" "... and it is interrupted in the table, not failed"
contains "$(cat stopped.err)" "the case's, p = 1: " "... the run that it ended is reported" || diag "$(cat stopped.err)"
done_testing
