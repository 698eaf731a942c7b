#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# edgewise series: numbers of synthetic signals as sentences and as JSON, and wrong use. tests/io/oscillation.c has the
# signals that are hard to measure.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# A transient until t = 10, then lift oscillates with the frequency 0.16 and drag with twice that.
awk 'BEGIN {
    print "step,time,dt,total_rho,body_drag,body_lift"
    for (k = 0; k <= 800; k++) {
        t = k / 10; w = 2 * atan2(0, -1) * 0.16
        late = t < 10 ? t / 10 : 1
        printf "%d,%.17g,0.1,2,%.17g,%.17g\n", k, t, 1.35 + late * 0.01 * sin(2 * w * t), late * 0.33 * sin(w * t)
    } }' >shed.series.csv

# number_of COLUMN KEY: in the JSON of $out
number_of()
{
    echo "$out" | tr -d ' \n' | sed "s/.*\"$1\":{\([^}]*\)}.*/\1/" | tr ',' '\n' | sed -n "s/^\"$2\"://p"
}

is_close() # VALUE EXPECTED TOLERANCE DESCRIPTION
{
    ok "$(echo "$1 $2 $3" | awk '{ d = $1 - $2; print !(NF == 3 && d * d <= $3 * $3) }')" "$4" || diag "$1, not $2"
}

test_numbers()
{
    run_edgewise series shed.series.csv --from 10 --scale 2,0.4 --json
    is "$code$err" 0 "JSON of the forces"
    is_close "$(number_of body_lift frequency)" 0.16 1e-4 "the frequency of the lift"
    is_close "$(number_of body_lift amplitude)" 0.33 1e-3 "... its amplitude"
    is_close "$(number_of body_lift strouhal)" 0.8 1e-3 "... the Strouhal number"
    is_close "$(number_of body_drag frequency)" 0.32 1e-3 "the drag has twice that frequency"
    is_close "$(number_of body_drag mean)" 1.35 1e-4 "... and a mean"
    is "$(number_of body_drag no_frequency_because)" null "... no reason against a frequency"
    run_edgewise series shed.series.csv --from 10 --scale 2,0.4 --columns body_lift
    contains "$out" "body_lift: mean " "sentences: the mean"
    contains "$out" ", Strouhal number 0.8" "... the Strouhal number" # 0.80000...
    contains "$out" "periods from t = " "... and the periods"
    mv shed.series.csv shed.series.csv.part
    run_edgewise series shed.series.csv.part --columns total_rho
    is "$code" 0 "a series that grows"
    contains "$out" "no frequency: it does not change between t = 0 and 80" "a column that does not change"
    mv shed.series.csv.part shed.series.csv
    run_edgewise series shed.series.csv --from 20 --to 25 --json --columns body_lift
    is "$code $(number_of body_lift frequency)" "0 null" "fewer than two periods have no frequency"
    contains "$out" "there are fewer than two whole periods" "... and the reason"
}

# The gauge fails at t = 2: its column is left out, unless it is asked for or the interval avoids that time.
test_missing_value()
{
    awk 'BEGIN {
        print "step,time,dt,gauge_h,total_h"
        for (k = 0; k <= 40; k++)
            printf "%d,%.17g,0.1,%s,%.17g\n", k, k / 10, k == 20 ? "" : "1.5", sin(k)
        }' >gauge.series.csv
    run_edgewise series gauge.series.csv
    is "$code$err" 0 "a column with a missing value"
    contains "$out" "gauge_h: left out: it has no value at t = 2" "... is left out, and the reason said"
    contains "$out" "total_h: mean " "... the next column is reported"
    run_edgewise series gauge.series.csv --json
    is "$code $(number_of gauge_h mean)" "0 null" "JSON: the column has no mean"
    is "$(number_of gauge_h no_frequency_because)" '"ithasnovalueatt=2"' "... and the reason" # without spaces
    contains "$(number_of total_h mean)" . "... the next column has one"
    run_edgewise series gauge.series.csv --columns gauge_h
    contains "$code $err" '65 edgewise: gauge.series.csv, column "gauge_h": the value at t = 2 is not finite' \
        "an error if the column is asked for"
    run_edgewise series gauge.series.csv --from 2.05
    contains "$code $out" "gauge_h: mean 1.5" "an interval without the missing value"
    cut -d, -f1-4 gauge.series.csv >alone.series.csv
    run_edgewise series alone.series.csv
    contains "$code $err" "65 edgewise: alone.series.csv: every column lacks a value somewhere" "no column without one"
}

test_misuse()
{
    run_edgewise series shed.series.csv --columns body_lit
    is "$code" 64 "a column that is not there"
    contains "$err" 'shed.series.csv has no numbers in a column "body_lit"; it has step, time' "... the columns"
    run_edgewise series shed.series.csv --columns lift
    contains "$err" 'did you mean "body_lift"?' "... or the nearest one"
    run_edgewise series shed.series.csv --from soon
    contains "$code $err" '64 edgewise: --from needs a time, for example 12.5, not "soon"' "a time that is no number"
    for scale in 1 1,0 0,1 a,b; do
        run_edgewise series shed.series.csv --scale $scale
        contains "$code $err" "64 edgewise: --scale needs a length and a speed, greater than 0" "a scale of $scale"
    done
    run_edgewise series shed.series.csv --from 90
    contains "$code $err" "65 edgewise: shed.series.csv, column \"body_drag\": fewer than two samples lie between" \
        "an interval without lines"
    run_edgewise series missing.csv
    is "$code" 66 "a file that is not there"
    cut -d, -f1,5 shed.series.csv >other.csv
    run_edgewise series other.csv
    contains "$code $err" '65 edgewise: other.csv has no column "time": it is no time series' "a table without times"
}

test_numbers
test_missing_value
test_misuse
done_testing
