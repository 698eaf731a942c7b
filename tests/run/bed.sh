#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A case of shallow water over a bed: quantities, averages and means in its files, a restart, and beds that are not
# numbers.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

cat >island.cfg <<END
mesh = { rectangle = { corners = [-1.0, -1.0, 1.0, 1.0]; cells = [8, 8]; jitter = 0.2; }; };
law = { name = "shallow-water"; bed = "0.3*exp(-8*(x^2 + y^2)) + 0.1*x"; };
order = 2;
time = { scheme = "ssprk33"; end = 0.2; };
initial = { surface = "x < -0.6 ? 0.15 : 0.05"; u = 0; v = 0; };
boundary = { left = { kind = "wall"; }; right = { kind = "wall"; };
             bottom = { kind = "wall"; }; top = { kind = "wall"; }; };
output = { quantities = { over = "h + bed"; };
           averages = { steps = 1; variables = ["over"]; extrema = ["h"]; arrivals = { h = 0.01; }; };
           fields = { variables = ["h", "bed", "surface", "over", "mean_over", "max_h", "arrival_h"]; };
           restart = { every = 0.1; }; };
END

state_hash()
{
    printf '%s\n' "$out" | grep -o '"state_hash": "[^"]*"'
}

volume_of()
{
    printf '%s\n' "$out" | grep -o '"depth": [^,}]*' | head -n 1 | sed 's/.*: //'
}

test_run()
{
    run_edgewise run --quiet --json island.cfg
    is "$code" 0 "a run over a bed with quantities and averages" || diag "$err"
    whole=$(state_hash)
    volume=$(volume_of)
    run_edgewise export --quiet --frame last --format csv --field h,over,bed,max_h,depth_mean -o island.csv island.nc
    is "$code" 0 "its fields are exported" || diag "$err"
    awk -F, 'NR > 1 { d = $5 - $4 - $6; if (d*d > 1e-3) bad++; if ($7 < $4 - 1e-12 || $8 < 0) bad++ }
        END { exit bad > 0 || NR < 100 }' island.csv
    ok $? "the quantity, the largest depth and the means of the depth are right" || diag "$(head -n 4 island.csv)"
}

test_restart()
{
    restart=$(find . -name 'island.restart-*.nc' | sort | head -n 1)
    run_edgewise run --quiet --json --restart "$restart" island.cfg
    is "$code $(state_hash)" "0 $whole" "resumed from a restart file: the same bits" || diag "$err"
    mkdir half frames
    run_edgewise run --quiet --no-output --restart island.nc --end 0.3 island.cfg
    contains "$code $err" "78 edgewise: cannot resume from island.nc: its frames do not determine level; write all \
conserved variables (output.fields.variables), or write restart files (output.restart)" \
        "a frame of primitive variables, which lacks partly dry triangles, is refused"
    all='output.fields.variables=["level","h_u","h_v","bed","depth"]'
    run_edgewise run --quiet --end 0.1 --set "$all" --output half island.cfg
    run_edgewise run --quiet --json --set "$all" --restart half/island.nc --output frames island.cfg
    resumed=$(volume_of)
    ok "$(echo "$volume $resumed" | awk '{ d = $1 - $2; print !(NF == 2 && d * d < 1e-24) }')" \
        "resumed from a frame of conserved variables: the same volume" || diag "$volume $resumed $err"
}

test_wrong()
{
    run_edgewise run --quiet --no-output --restart "$restart" --set law.bed=0.1*x island.cfg
    contains "$err" "law.bed 0.1*x (was " "another bed than that of the restart file is told"
    run_edgewise check --set positivity=false island.cfg
    contains "$code $err" "78 --set positivity=false: over a bed positivity is always on; leave it out" \
        "positivity cannot be off"
    run_edgewise check --set 'initial={h=0; u=0; v=0;}' --set law.dry=1e-5 island.cfg
    contains "$out" "nothing moves at the start: the first step ends at a frame or the end" \
        "dry ground without rain has steps that nothing limits"
    run_edgewise check --set law.manning=-1 island.cfg
    contains "$err" "manning is -1; it must be at least 0" "friction is not negative"
    run_edgewise compare --quiet --steps 2 island.cfg
    is "$code" 0 "edgewise compare finds two sides" || diag "$err"
    run_edgewise check --set 'law.bed="abs(x - 0.013) < 0.004 ? sqrt(-1) : 0.1*x"' island.cfg
    is "$code" 78 "a bed that is not a number somewhere is refused"
    contains "$err" "bed is nan" "... and named"
    is "$(printf '%s' "$err" | grep -c 1e+300)" 0 "... without a depth that nobody gave"
}

# Values between nodes: neither negative depths nor other water than the state has.
test_pictures()
{
    run_edgewise export --quiet --frame last --format csv --subdivide 8 --field h -o between.csv island.nc
    least=$(awk -F, 'NR > 1 && $4 < least - 1e-15 { least = $4 } END { print least + 0 }' between.csv)
    is "$code $least" "0 0" "no depth is negative between nodes" || diag "$err"
    mkdir state
    run_edgewise run --quiet --output state --set 'output.fields.variables=["h","u","v","bed","surface"]' island.cfg
    last=$(find state -name '*.restart-*.nc' | sort -t- -k2 -n | tail -n 1)
    run_edgewise export --quiet --frame last --format csv --subdivide 8 --field h -o drawn.csv state/island.nc
    run_edgewise export --quiet --format csv --subdivide 8 --field h -o true.csv "$last"
    error=$(paste -d, drawn.csv true.csv | awk -F, 'NR > 1 { d = $4 - $8; sum += d < 0 ? -d : d }
        END { print NR > 5000 ? sum / NR : 1 }')
    ok "$(echo "$error" | awk '{ print !($1 < 5e-5) }')" "partly dry triangles are drawn as the scheme has them" ||
        diag "$error $last $err"
}

# Rain that begins later on dry ground: the first step is no longer than the waves of that rain allow.
test_rain()
{
    sed '/^output/,$d' island.cfg >rain.cfg
    echo 'output = { fields = { every = 10; }; series = { steps = 1; }; };' >>rain.cfg
    run_edgewise run --quiet --json --set 'initial={h=0; u=0; v=0;}' --set law.dry=1e-5 --set law.manning=0.02 \
        --set time.end=40 --set 'source={h="t > 23 ? 1e-4 : 0";}' rain.cfg
    largest=$(awk -F, 'NR > 1 && $3 > most { most = $3 } END { print most }' rain.series.csv)
    ok "$(echo "$code $largest" | awk '{ print !($1 == 0 && $2 > 0 && $2 < 1.5) }')" \
        "rain that begins later on dry ground limits the first steps" || diag "$largest $err"
}

# Averages of a shower over dry and wet ground: a resumed run has those of one that was not interrupted.
test_averages_of_rain()
{
    sed '/^output/,$d' island.cfg >shower.cfg
    cat >>shower.cfg <<'END'
source = { h = "0.3*max(0, sin(20*t))*(1 + x)"; };
output = { quantities = { over = "h + bed"; };
           averages = { from = 0.02; steps = 2; variables = ["h", "over"]; covariances = true;
                        extrema = ["surface", "u"]; arrivals = { h = 0.06; }; };
           restart = { steps = 7; keep = 100; }; };
END
    mkdir whole again
    run_edgewise run --quiet --json --output whole shower.cfg
    is "$code" 0 "a shower over a bed, with averages" || diag "$err"
    whole_shower=$(state_hash)
    for step in 7 14 21; do
        run_edgewise run --quiet --json --output again --restart whole/shower.restart-$step.nc shower.cfg
        is "$code $(state_hash)" "0 $whole_shower" "resumed after step $step: the same state" || diag "$err"
        ok "$(echo "$err" | grep -c "averages\|other settings")" "... without a warning about averages or settings"
        for part in whole again; do
            run_edgewise export --quiet --frame last --format csv -o $part.csv $part/shower.nc
        done
        ok "$(cmp -s whole.csv again.csv; echo $?)" "... and averages of the same bits"
        rm -r again/*
    done
    contains "$(head -n 1 whole.csv)" "covariance_h_over" "... which are there"
    run_edgewise run --quiet --no-output --restart whole/shower.restart-7.nc --end 0.3 shower.cfg
    contains "$code $err" "0 edgewise: warning: the run resumes from whole/shower.restart-7.nc with other settings: \
time.end 0.3 (was 0.2)" "another end, on which steps in rain depend, is told"
    run_edgewise run --quiet --no-output --restart "$restart" --end 0.15 island.cfg
    is "$code $err" "0 " "... but not without such rain"
}

test_run
test_rain
test_pictures
test_restart
test_averages_of_rain
test_wrong
done_testing
