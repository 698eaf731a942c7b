#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Averages of a run: fields, rasters and pictures have them, and a run that is resumed has those of one that was not.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

cat >wave.cfg <<END
mesh = { rectangle = { corners = [0.0, 0.0, 1.0, 1.0]; cells = [4, 4]; }; };
law = { name = "advection"; velocity = [1, 0]; };
order = 3;
time = { end = 1; };
initial = { u = "sin(2*pi*x)"; };
boundary = { left = { kind = "periodic"; with = "right"; }; bottom = { kind = "periodic"; with = "top"; }; };
output = { quantities = { power = "u^2"; };
           averages = { steps = 2; variables = ["u", "power"]; covariances = true; extrema = ["u"];
                        arrivals = { power = 0.6; }; };
           fields = { every = 0.25; };
           raster = { cells = [3, 3]; variables = ["mean_power", "variance_u"]; precision = "double"; };
           probes = ( { name = "middle"; x = 0.5; y = 0.5; } ); };
END

# The value of a column in the last line of the series.
column() # CASE NAME
{
    awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k }
        END { print at ? $at : "no such column" }' "$1.series.csv"
}

is_near() # NAME EXPECTED
{
    got=$(column wave "middle_$1")
    ok "$(echo "$got $2" | awk '{ d = $1 - $2; print !(NF == 2 && d * d < 1e-4) }')" "$1 is $2" || diag "$got"
}

test_values()
{
    run_edgewise run --quiet wave.cfg
    is "$code" 0 "a run with averages" || diag "$err"
    is_near mean_u 0
    is_near variance_u 0.5
    is_near mean_power 0.5
    is_near variance_power 0.125
    is_near covariance_u_power 0
    is_near min_u -1
    is_near max_u 1
    # At x = 0.5 the power is sin(2 pi t)^2 first.
    got=$(column wave middle_arrival_power)
    ok "$(echo "$got" | awk '{ print !($1 > 0.11 && $1 < 0.2) }')" "the power arrives in time" || diag "$got"
    run_edgewise plot --list wave.nc
    contains "$out" "covariance_u_power covariance over time of" "the fields have them all, with words"
    contains "$out" "at which u^2 exceeds 0.6" "a threshold has the digits that the case gives"
    run_edgewise export wave.nc --field min_u,max_u,arrival_power -o nodes.csv
    run_edgewise export wave.nc --field min_u,max_u,arrival_power --subdivide 9 -o between.csv
    for table in nodes between; do
        awk -F, 'NR > 1 { for (k = 4; k <= 6; k++) { if (NR == 2 || $k < low[k]) low[k] = $k
                 if (NR == 2 || $k > high[k]) high[k] = $k } }
                 END { for (k = 4; k <= 6; k++) printf "%.9f %.9f ", low[k], high[k] }' $table.csv >$table.range
    done
    is "$(cat between.range)" "$(cat nodes.range)" "extrema and arrivals are linear between nodes in exports"
    run_edgewise plot wave.nc --field variance_u -o variance.png
    is "$code" 0 "they can be drawn" || diag "$err"
}

test_restart()
{
    mkdir whole again other
    run_edgewise run --quiet --set output.restart.steps=7 --set output.restart.keep=100 --output whole wave.cfg
    is "$code" 0 "a run with restart files" || diag "$err"
    restart=$(ls whole/wave.restart-21.nc)
    run_edgewise run --quiet --restart "$restart" --set output.restart.keep=1 --output again wave.cfg
    is "$code" 0 "a run resumed between two samples" || diag "$err"
    ok "$(echo "$err" | grep -c averages)" "... takes the averages without a warning" || diag "$err"
    for part in whole again; do
        run_edgewise export $part/wave.nc --time 1 -o $part.csv
        is "$code" 0 "the last frame" || diag "$err"
    done
    ok "$(cmp -s whole.csv again.csv; echo $?)" "... with the same bits"
    run_edgewise run --quiet --restart "$restart" --set output.averages.steps=3 --output other wave.cfg
    contains "$err" "has averages of other quantities, times or order; the averages begin anew at t = " \
        "a run with other averages warns"
    run_edgewise run --quiet --restart "$restart" --set order=2 --output other wave.cfg
    contains "$err" "the averages begin anew at t = " "a run of another order, too"
}

test_warnings()
{
    run_edgewise run --quiet --no-output --set 'output.fields.variables=["u"]' --set output.raster.cells=[2,2] wave.cfg
    is "$code $err" "0 " "averages that only a raster has: no warning"
    run_edgewise check --set 'output.fields.variables=["u"]' --set 'output.raster.variables=["u"]' wave.cfg
    contains "$err" "neither fields nor raster nor probes write an average" "averages that nothing has: a warning"
    run_edgewise run --quiet --no-output --set output.averages.steps=1000000 wave.cfg
    contains "$code $err" "0 edgewise: warning: the averages have no sample and are NaN: the run ended after step " \
        "a run without a sample, too"
}

# Each copy of a state that waits to be written has the averages, too: 2 more for each node.
test_memory()
{
    run_edgewise check --json --set 'output.averages.variables=["u"]' --set output.averages.covariances=false \
        --set 'output.fields.variables=["mean_u"]' --set 'output.raster.variables=["mean_u"]' wave.cfg
    one=$(value_of output_bytes)
    run_edgewise check --json --set output.averages.covariances=false \
        --set 'output.fields.variables=["mean_u"]' --set 'output.raster.variables=["mean_u"]' wave.cfg
    two=$(value_of output_bytes) least=$((2 * 32 * 10 * 8))
    ok "$(test $((two - one)) -ge $least; echo $?)" "check counts averages in copies of the state" || diag "$one $two"
}

test_values
test_restart
test_warnings
test_memory
done_testing
