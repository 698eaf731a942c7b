#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Time series: correct numbers where they are known, the same lines however a run is divided, and no line lost.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# Uniform flow: every number is known. The boundaries' normals point outwards, the domain is 2 by 1.
cat >uniform.cfg <<END
mesh = { rectangle = { corners = [0.0, 0.0, 2.0, 1.0]; cells = [6, 3]; left = "the left, side"; }; };
order = 2;
time = { cfl = 0.5; end = 0.05; };
initial = { rho = "1.2"; u = "0.5"; v = "0.25"; p = "2"; };
boundary = { bottom = { kind = "state"; state = "initial"; }; right = { kind = "state"; state = "initial"; };
             top = { kind = "state"; state = "initial"; };
             any = { name = "the left, side"; kind = "state"; state = "initial"; }; };
output = { fields = { every = 0.02; variables = [ "rho", "mach" ]; };
           series = { steps = 2; fluxes = [ "the left, side", "top" ]; };
           probes = ( { x = 1.1; y = "1/3"; }, { name = "corner"; x = 0; y = 0; } );
           forces = ( { boundaries = [ "bottom" ]; density = 1.2; speed = 0.5; length = 2; },
                      { name = "closed"; boundaries = [ "the left, side", "right", "top", "bottom" ];
                          direction = [0.0, 3.0]; point = [0.3, -4.0]; },
                      { name = "turned"; boundaries = [ "bottom" ]; direction = [0.0, -2.0]; point = [2.5, 7.0]; } ); };
END

# The value of a column in the last line.
column() # FILE NAME
{
    awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k }
        END { print at ? $at : "no such column" }' "$1"
}

is_close() # NAME EXPECTED
{
    got=$(column uniform.series.csv "$1")
    ok "$(echo "$got $2" | awk '{ d = $1 - $2; print !(NF == 2 && d * d < 1e-24) }')" "$1 is $2" || diag "$got"
}

# Uniform flow: a probe and the fields have a quantity by formula, and its picture can be drawn.
test_quantities()
{
    sed 's/output = {/output = { quantities = { half = "rho\/2"; twice = "4*half + 0*vorticity"; };\n/
        s/"rho", "mach"/"half", "twice"/' uniform.cfg >quantities.cfg
    run_edgewise run --quiet quantities.cfg
    is "$code" 0 "a run with quantities by formula" || diag "$err"
    is "$(column quantities.series.csv corner_half)" 0.59999999999999998 "a probe has their columns"
    value=$(column quantities.series.csv corner_twice)
    ok "$(echo "$value" | awk '{ d = $1 - 2.4; print !(d * d < 1e-24) }')" "one may use another one" || diag "$value"
    run_edgewise plot --list quantities.nc
    contains "$out" "half             rho/2" "the fields have them, with the formula"
    run_edgewise export --field half quantities.nc -o half.csv
    is "$code" 0 "they can be exported" || diag "$err"
    contains "$(head -1 half.csv)" "half" "... by their names"
    run_edgewise check --set 'output.quantities.half=1/rhoo' quantities.cfg
    contains "$err" 'output.quantities.half=1/rhoo: output.quantities.half: column 3: unknown name "rhoo"' \
        "a wrong formula is an error"
}

test_numbers()
{
    run_edgewise run --json uniform.cfg
    is "$code" 0 "a run with a time series" || diag "$err"
    contains "$out" '"uniform.series.csv"' "it is among the outputs"
    ok "$(test ! -e uniform.series.csv.part; echo $?)" "nothing half-written is left"
    while read -r name value; do
        is_close "$name" "$value"
    done <<END
time 0.05
total_rho 2.4
total_E 10.375
flux_the_left__side_rho -0.6
flux_the_left__side_rho_u -2.3
flux_top_rho 0.6
flux_top_rho_v 4.15
probe1_rho 1.2
corner_mach 0.365962527355699
force1_x 0
force1_y -4
force1_drag 0
force1_lift -13.333333333333333
force1_moment -4
force1_moment_coefficient -6.666666666666667
closed_x 0
closed_y 0
closed_moment 0
turned_drag 8
turned_lift 0
turned_moment 6
turned_moment_coefficient 12
END
    is "$(awk -F, '{ print NF }' uniform.series.csv | sort -u | wc -l | tr -d ' ')" 1 \
        "all lines have a column for each name"
    if python3 -c 'import csv' 2>/dev/null; then
        python3 -c '
import csv
rows = list(csv.DictReader(open("uniform.series.csv")))
assert [int(r["step"]) % 2 for r in rows[:-1]] == [0] * (len(rows) - 1) and float(rows[0]["time"]) == 0'
        ok $? "a reader of comma-separated values reads it"
    else
        skip "there is no Python" "a reader of comma-separated values reads it"
    fi
}

# The largest change, over all lines, of a total plus its outflow through all boundaries.
imbalance() # FILE
{
    awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
        { for (m = split("rho rho_u rho_v E", variable, " "); m > 0; m--) {
              sum = $at["total_" variable[m]]
              for (b = split("left right top bottom", boundary, " "); b > 0; b--)
                  sum += $at["outflow_" boundary[b] "_" variable[m]]
              if (NR == 2) start[m] = sum
              change = sum > start[m] ? sum - start[m] : start[m] - sum
              if (!(change <= worst)) worst = change
          } }
        END { print(NR > 10 && $at["outflow_left_rho"] < -0.01 ? worst : "no balance") }' "$1"
}

test_balance()
{
    cat >open.cfg <<END
mesh = { rectangle = { corners = [0.0, 0.0, 2.0, 1.0]; cells = [6, 3]; }; };
order = 2;
limiter = "oscillation-free";
time = { scheme = "ssprk54"; end = 0.2; };
initial = { rho = "1 + 0.2*sin(3*x)"; u = "0.5"; v = "0.1*y"; p = "1"; };
boundary = { left = { kind = "state"; rho = "1"; u = "0.5 + 0.1*sin(40*t)"; v = "0"; p = "1"; };
             right = { kind = "outlet"; p = "1 + 0.1*t"; }; top = { kind = "far"; state = "initial"; };
             bottom = { kind = "wall"; }; };
output = { series = { steps = 1; fluxes = [ "left", "right", "top", "bottom" ]; }; restart = { steps = 4; }; };
END
    run_edgewise run --quiet open.cfg
    is "$code$err" "0" "a run with inflow and outflow"
    worst=$(imbalance open.series.csv)
    ok "$(echo "$worst" | awk '{ print !($1 + 0 == $1 && $1 < 1e-13) }')" \
        "at every line, totals and outflows add up to the totals at the start" || diag "$worst"
    cp open.series.csv whole.csv
    rm -f open.*nc open.*csv
    run_edgewise run --quiet --steps 5 open.cfg
    run_edgewise run --quiet --restart auto open.cfg
    cmp -s whole.csv open.series.csv
    ok $? "... also of a run that was resumed: the same lines" || diag "$err"
    rm -f open.*nc open.*csv
    run_edgewise run --quiet --steps 5 --set 'output.series.fluxes=["left"]' --set backend.parts=3 open.cfg
    is "$(tail -n 1 open.series.csv | cut -d, -f 12-15)" "$(sed -n 7p whole.csv | cut -d, -f 24-27)" \
        "three parts: the same outflow"
    rm -f open.*nc open.*csv
    sed 's/fluxes = [^;]*;//' open.cfg >without.cfg
    run_edgewise run --quiet --steps 5 without.cfg
    run_edgewise run --quiet --restart without.restart-5.nc open.cfg
    contains "$err" 'without.restart-5.nc has no integrals of the fluxes through boundaries; the columns' \
        "a restart file of a run without fluxes says so"
    is "$code" 0 "... and the run goes on"
    rm -f open.*nc open.*csv without.*nc without.*csv whole.csv
}

test_going_on()
{
    cp uniform.series.csv whole.csv
    for steps in 2 3; do
        rm -f uniform.*nc uniform.*csv
        run_edgewise run --quiet --set 'output.restart={steps=1}' --steps $steps uniform.cfg
        run_edgewise run --quiet --restart auto uniform.cfg
        cmp -s whole.csv uniform.series.csv
        ok $? "stopped after $steps steps: the same lines" || diag "$(diff whole.csv uniform.series.csv | cut -c 1-60)"
    done

    rm -f uniform.*nc uniform.*csv
    sed 's/end = 0.05/end = 1e6/; s/every = 0.02/every = 1/' uniform.cfg >long.cfg
    "$edgewise" run --quiet long.cfg 2>/dev/null &
    wait_until eval 'test "$(cat long.series.csv.part 2>/dev/null | wc -l)" -gt 4'
    kill -s TERM $!
    wait $!
    ok "$(test -f long.series.interrupted.csv && test ! -e long.series.csv.part; echo $?)" \
        "an interrupted run leaves its lines"
    lines=$(wc -l <long.series.interrupted.csv)
    steps=$(column long.series.interrupted.csv step)
    run_edgewise run --quiet --restart auto --steps $((steps + 4)) long.cfg
    is "$err" "" "it resumes"
    ok "$(test "$(wc -l <long.series.csv)" -gt "$lines" && test ! -e long.series.interrupted.csv; echo $?)" \
        "... with its lines"
    rm -f long.*nc long.*csv
    "$edgewise" run --quiet --set 'output.restart={steps=5}' long.cfg &
    pid=$!
    wait_until eval 'test -n "$(find . -name "long.restart-??*.nc")"'
    kill -s KILL $pid
    wait $pid 2>/dev/null
    ok "$(test -f long.series.csv.part; echo $?)" "a killed run leaves its lines"
    rm -f long.series.csv
    step=$(find . -name 'long.restart-*.nc' | sed 's/.*restart-//; s/.nc//' | sort -n | tail -n 1)
    run_edgewise run --quiet --restart auto --steps $((step + 7)) long.cfg
    first=$(sed -n 2p long.series.csv | cut -d, -f1)
    is "$first $err" "0 " "... which are taken over"
    rm -f long.series.csv
    run_edgewise run --quiet --restart auto --steps $((step + 8)) long.cfg
    contains "$err" "are not there; it will start there" "where there are none, a warning tells"
    first=$(sed -n 2p long.series.csv | cut -d, -f1)
    is "$first" $((step + 7)) "... and the file does begin there"
    run_edgewise run --quiet --restart auto --steps $((step + 9)) long.cfg
    is "$err" "" "... the next restart takes its lines over"
    is "$(sed -n 2p long.series.csv | cut -d, -f1)" $((step + 7)) "... all of them"
}

# A run that was interrupted, resumed and killed leaves two files. The earlier one ends with a line that is not in the
# plan.
test_superseded()
{
    rm -f uniform.*nc uniform.*csv
    run_edgewise run --quiet --set 'output.restart={steps=1}' --steps 3 uniform.cfg
    mv uniform.series.csv uniform.series.interrupted.csv
    cp uniform.series.interrupted.csv interrupted.csv
    run_edgewise run --quiet --set 'output.restart={steps=1}' --restart auto --steps 4 uniform.cfg
    ok "$(test ! -e uniform.series.interrupted.csv; echo $?)" "lines that are taken over are not left behind"
    mv uniform.series.csv uniform.series.csv.part
    mv interrupted.csv uniform.series.interrupted.csv
    run_edgewise run --quiet --restart auto --steps 5 uniform.cfg
    is "$(echo uniform.series*)" "uniform.series.csv" "... nor are those of an earlier attempt"
    cut -d, -f1 uniform.series.csv | tr '\n' ' ' >steps
    is "$(cat steps)" "step 0 2 4 5 " "... and all of them are there"
}

# Lines that a restart does not take over may be the first part of a long run.
test_put_aside()
{
    rm -f uniform.*nc uniform.*csv
    run_edgewise run --quiet --set 'output.restart={steps=1}' --steps 2 uniform.cfg
    cp uniform.series.csv first.csv
    run_edgewise run --quiet --restart auto --steps 3 --set 'output.series.fluxes=["top"]' uniform.cfg
    contains "$err" "and what is now uniform.series.csv becomes uniform.series.before-2.csv" \
        "a restart with other columns: a warning tells"
    cmp -s first.csv uniform.series.before-2.csv
    ok $? "... the earlier lines are put aside"
    contains "$err" "up to step 2 have other columns; it will start there" "... and says why"
    is "$(sed -n 2p uniform.series.csv | cut -d, -f1)" 2 "... and the new ones begin there"
    cp uniform.series.csv second.csv
    rm -f uniform.restart-3.nc
    run_edgewise run --quiet --restart auto --steps 3 --set 'output.series.fluxes=["right"]' uniform.cfg
    cmp -s first.csv uniform.series.before-2.csv && cmp -s second.csv uniform.series.before-2-2.csv
    ok $? "... nor is what was put aside replaced" || diag "$err"
    rm -f uniform.series*csv uniform.restart-3.nc
    cp first.csv uniform.series.csv.part
    run_edgewise run --quiet --restart auto --steps 3 --set 'output.series.fluxes=["top"]' uniform.cfg
    contains "$err" "what is now uniform.series.csv.part becomes" "what a killed run has left: a warning tells"
    cmp -s first.csv uniform.series.before-2.csv
    ok $? "... it is put aside, too" || diag "$err"
}

test_other_steps()
{
    rm -f uniform.*nc uniform.*csv
    run_edgewise run --quiet --set 'output.restart={steps=1}' --steps 4 uniform.cfg
    run_edgewise run --quiet --restart auto --steps 6 --set output.series.steps=1 uniform.cfg
    contains "$err" "up to step 4 have another output.series.steps; it will start there" \
        "a restart with a line more often: a warning says why"
    is "$(cut -d, -f1 uniform.series.csv | tr '\n' ' ')" "step 4 5 6 " "... and the new lines begin there"
    rm -f uniform.*nc uniform.*csv
    run_edgewise run --quiet --set 'output.restart={steps=1}' --steps 4 uniform.cfg
    run_edgewise run --quiet --restart auto --steps 6 --set output.series.steps=4 uniform.cfg
    is "$err $(cut -d, -f1 uniform.series.csv | tr '\n' ' ')" " step 0 4 6 " \
        "... and one with a line less often takes over what it has use for"
}

# On an arc of radius 1 around the origin, in the first quadrant, a constant pressure gives p (1, 1). So does the
# vortex, whose pressure is 1/gamma at radius 1. On the chords, at most 0.0012 further inside, the pressure differs.
test_curve()
{
    cp "$srcdir/examples/vortex/annulus-A.msh" .
    forces='forces = ( { name = "arc"; boundaries = [ "inner" ]; } );'
    sed "/^boundary/i output = { series = { steps = 1; }; $forces };" \
        "$srcdir/examples/vortex/vortex.cfg" >vortex.cfg
    for order in 1 2 3 4; do
        run_edgewise run --no-output --json --order $order --steps 0 vortex.cfg
        error=$(printf '%s\n' "$out" | sed -n 's/.*"forces": {"arc": {"x": \([^,]*\), "y": \([^,]*\),.*/\1 \2/p' |
            awk '{ a = $1 + 1/1.4; b = $2 + 1/1.4; print sqrt(a * a + b * b) }')
        ok "$(echo "$error $order" | awk '{ print !(NF == 2 && $1 > 0 && $1 < 0.15 * 10^-$2) }')" \
            "order $order: the force on the curve is the exact one within 0.15 * 10^-$order" || diag "$error"
        moment=$(printf '%s\n' "$out" | sed -n 's/.*"arc": {.*"moment": \([^,]*\), .*/\1/p')
        ok "$(echo "$moment $order" | awk '{ print !(NF == 2 && $1 * $1 < 0.01 * 10^(-2 * $2)) }')" \
            "... which has no moment about the arc's centre" || diag "$moment"
    done
    sed 's/normal = [^;]*;//' vortex.cfg >chords.cfg
    run_edgewise run --no-output --order 4 --steps 0 chords.cfg
    contains "$out" "  force      arc: (-0.71" "the summary has the force, along the chords without normals"
    contains "$out" "drag coefficient" "and the coefficients"
    contains "$out" "             moment " "and the moment"
    run_edgewise run --no-output --json --order 9 chords.cfg
    contains "$out" '"forces": null' "a run that fails has none"
}

# p = 1 + x + 2 y in gas at rest, which order 1 represents exactly.
test_moment()
{
    cat >linear.cfg <<END
mesh = { rectangle = { corners = [0.0, 0.0, 2.0, 1.0]; cells = [6, 3]; }; };
order = 1;
time = { end = 1.0; };
initial = { rho = "1"; u = "0"; v = "0"; p = "1 + x + 2*y"; };
boundary = { left = { kind = "wall"; }; right = { kind = "wall"; }; bottom = { kind = "wall"; };
             top = { kind = "wall"; }; };
output = { forces = (
    { name = "plate"; boundaries = [ "right" ]; density = 3; speed = 2; length = 0.5; point = [0.5, 0.25]; },
    { name = "box"; boundaries = [ "left", "right", "bottom", "top" ]; point = [0.5, 0.25]; } ); };
END
    run_edgewise run --steps 0 linear.cfg
    is "$code" 0 "a linear pressure"
    # plate: -int (3 + 2 y) (y - 1/4) dy = -7/6; box: int 2 (x - 1/2) - (y - 1/4) dx dy = 3/2
    for pair in plate_moment:-1.1666666666666667 plate_moment_coefficient:-0.7777777777777778 box_moment:1.5; do
        ok "$(column linear.series.csv "${pair%%:*}" | awk -v e="${pair#*:}" \
            '{ print !(NF == 1 && ($1 - e) * ($1 - e) < 1e-26) }')" "${pair%%:*} is ${pair#*:}" ||
            diag "$(column linear.series.csv "${pair%%:*}")"
    done
}

test_wrong()
{
    run_edgewise run --set 'output.probes=({x=3,y=1})' uniform.cfg
    contains "$code $err" "78 " "a probe outside of the mesh: EX_CONFIG"
    contains "$err" 'the probe "probe1" at (3, 1) lies in no element of the mesh' "... the sentence says so"
    run_edgewise run --set 'output.forces=({boundaries=["botom"]})' uniform.cfg
    contains "$err" 'did you mean "bottom"?' "a boundary that is not in the mesh"
    mkdir uniform.series.csv.part.new
    run_edgewise run uniform.cfg
    is "$code" 73 "something in the way: EX_CANTCREAT"
    rmdir uniform.series.csv.part.new
    rm -f uniform.series*
    for name in uniform.series.csv uniform.series.csv.part uniform.series.interrupted.csv; do
        mkdir $name
        run_edgewise run uniform.cfg
        is "$code" 73 "a folder in the way of the time series, $name: EX_CANTCREAT"
        contains "$err" "$name" "... before the run, and named" || diag "$err"
        rmdir $name
    done
    (ulimit -f 20 && exec "$edgewise" run --quiet --end 100 --set output.series.steps=1 \
        --set 'output.fields={}' uniform.cfg) 2>err
    is $? 74 "a limit on the size of files: EX_IOERR"
}

# A density wave in a uniform flow: d/dt of rho is -u d/dx of rho, whose root mean square is known.
test_residuals()
{
    cat >wave.cfg <<END
mesh = { rectangle = { corners = [0.0, 0.0, 1.0, 1.0]; cells = [16, 16]; }; };
order = 3;
time = { steps = 4; end = 9; };
initial = { rho = "1 + 0.2*sin(2*pi*x)"; u = "0.5"; v = "0"; p = "1"; };
boundary = { left = { kind = "periodic"; with = "right"; }; bottom = { kind = "periodic"; with = "top"; }; };
END
    set="output.series={steps=2;residuals=true;}"
    run_edgewise run --json --no-output wave.cfg
    hash=$(value_of state_hash)
    contains "$out" '"residual": null' "without being asked for, there are no residuals"
    run_edgewise run --json --set "$set" wave.cfg
    is "$(value_of state_hash)" "$hash" "residuals do not change the result"
    summary=$(printf '%s' "$out" | sed 's/.*"residual": {"rho": \([^,]*\), .*/\1/')
    is "$summary" "$(column wave.series.csv residual_rho)" "the summary and the series have the same"
    for pair in rho:0.44429 rho_u:0.22214 E:0.05554; do
        ok "$(column wave.series.csv "residual_${pair%%:*}" | awk -v e="${pair#*:}" \
            '{ print !($1 > 0.999 * e && $1 < 1.001 * e) }')" "the residual of ${pair%%:*}"
    done
    run_edgewise run --json --no-output --kernels edgewise --set backend.parts=3 --set "$set" wave.cfg
    contains "$out" "\"residual\": {\"rho\": $summary," "other kernels and parts have the same bits"
    run_edgewise run --no-output --set time.steady=1e-9 wave.cfg
    contains "$out" "total         residual" "a run that looks for a steady state tells residuals"
}

test_numbers
test_quantities
test_residuals
test_balance
test_going_on
test_superseded
test_put_aside
test_other_steps
test_curve
test_moment
test_wrong
done_testing
