#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Forces of pressure and friction, and values along walls: exact numbers of Couette's flow, the same files from resumed
# runs and from several parts, tables, and wrong cases. tests/src/viscous.c has the orders.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# The upper plate moves with 1. The stress is mu = 0.05 everywhere; so is the heat flux at the plates, with k = 0.243.
cat >couette.cfg <<'END'
mesh = { rectangle = { corners = [0.0, 0.0, 1.0, 1.0]; cells = [3, 3]; }; };
law = { name = "navier-stokes"; mu = 0.05; prandtl = 0.72; };
order = 3;
let = { T = "1 + 0.2*y + 0.72/7*y*(1 - y)"; };
initial = { rho = "1/T"; u = "y"; v = "0"; p = "1"; };
boundary = { bottom = { kind = "no-slip"; T = "1"; }; top = { kind = "no-slip"; T = "1.2"; u = "1"; };
             left = { kind = "state"; state = "initial"; }; right = { kind = "state"; state = "initial"; }; };
time = { end = 0.06; };
output = { fields = { every = 0.02; variables = ["rho", "u", "v", "p", "vorticity", "strain"]; };
           quantities = { strain = "-vorticity/2"; }; probes = ( { name = "middle"; x = 0.4; y = 0.5; } );
           raster = { cells = [2, 2]; variables = ["vorticity"]; };
           series = { steps = 4; };
           forces = ( { name = "low"; boundaries = ["bottom"]; speed = 2.0; length = 0.5; },
                      { name = "both"; boundaries = ["bottom", "top"]; direction = [0.6, 0.8]; } );
           walls = ( { name = "plate"; boundaries = ["bottom"]; speed = 2.0; pressure = 0.5; temperature = 1.2; },
                     { boundaries = ["top", "bottom"]; } );
           restart = { steps = 1000; }; };
END

# The value of a column in the last line of a table.
column() # FILE NAME
{
    awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k }
        END { print at ? $at : "no such column" }' "$1"
}

is_close() # VALUE EXPECTED TOLERANCE DESCRIPTION
{
    ok "$(echo "$1 $2 $3" | awk '{ d = $1 - $2; print !(NF == 3 && d * d <= $3 * $3) }')" "$4" || diag "$1, not $2"
}

test_forces()
{
    run_edgewise run couette.cfg
    is "$code" 0 "a run with forces and walls" || diag "$err"
    contains "$out" "pressure drag " "the summary has the parts of the drag"
    file=couette.series.csv
    is_close "$(column $file low_drag_friction)" 0.05 1e-5 "friction drag on the lower plate"
    is_close "$(column $file low_drag_pressure)" 0 1e-12 "... no pressure drag"
    is_close "$(column $file low_lift_pressure)" -1 1e-5 "... the lift of the pressure"
    is_close "$(column $file low_lift_friction)" 0 1e-4 "... no lift of friction"
    heat=$(awk 'BEGIN { print 0.05 * 1.4 / (0.72 * 0.4) * (0.2 + 0.72 / 7) }')
    is_close "$(column $file low_heat)" "$heat" 1e-4 "... heat flows into it"
    is_close "$(column $file both_drag_friction)" 0 2e-5 "the friction of both plates adds to nothing"
    for part in drag lift; do
        for body in low both; do
            sum=$(echo "$(column $file ${body}_${part}_pressure) $(column $file ${body}_${part}_friction)" |
                  awk '{ printf "%.17g", $1 + $2 }')
            is_close "$sum" "$(column $file ${body}_$part)" 1e-15 "$part of $body is the sum of its parts"
        done
    done
    run_edgewise run --json --quiet couette.cfg
    is_close "$(echo "$out" | grep -o '"drag_friction": [^,}]*' | awk '{ print $2; exit }')" 0.05 1e-5 \
        "JSON has the parts" # of the first body
}

# The vorticity of Couette's flow is -1.
test_vorticity()
{
    is_close "$(column couette.series.csv middle_vorticity)" -1 1e-4 "a probe has the vorticity"
    is_close "$(column couette.series.csv middle_strain)" 0.5 1e-4 "... and formulas of it"
    run_edgewise plot couette.nc --field vorticity -o vorticity.png
    contains "$code $out" "0 vorticity.png: vorticity at t = 0.06, -1.0" "a picture of it"
    run_edgewise export couette.nc --field vorticity -o vorticity.csv
    is_close "$(column vorticity.csv vorticity)" -1 1e-2 "a table of it"
    if ncdump 2>&1 | grep -q netcdf; then
        is_close "$(ncdump -v raster_vorticity couette.nc | tail -n 2 | sed -n 's/.*, \(.*\) ;/\1/p')" -1 1e-2 \
            "a raster of it"
    else
        skip "there is no ncdump" "a raster of it"
    fi
}

test_tables()
{
    run_edgewise export couette.nc --wall plate -o plate.csv
    is "$code" 0 "export of a wall" || diag "$err"
    is "$(head -n 1 plate.csv)" "arc,x,y,nx,ny,p,cp,shear,cf,heat,nusselt" "its columns"
    is "$(awk -F, 'NR > 1 && $1 > last { n++; last = $1 } END { print n, NR - 1 }' plate.csv)" "12 12" \
        "four points an edge, in order along the wall"
    is_close "$(column plate.csv x)" "$(column plate.csv arc)" 1e-15 "the domain is on the left of the lower plate"
    is_close "$(column plate.csv ny)" -1 0 "normals point outward"
    is_close "$(column plate.csv shear)" 0.05 1e-3 "the stress"
    is_close "$(column plate.csv cf)" 0.025 5e-4 "... its coefficient"
    is_close "$(column plate.csv p)" 1 1e-3 "the pressure"
    is_close "$(column plate.csv cp)" 0.25 1e-3 "... its coefficient"
    is_close "$(column plate.csv nusselt)" "$(awk 'BEGIN { print (0.2 + 0.72 / 7) / 0.2 }')" 2e-2 "the Nusselt number"
    run_edgewise export couette.nc --wall wall2 --frame 0
    is "$code $(wc -l <couette-wall2.csv | tr -d ' ')" "0 25" "a wall of two boundaries has the points of both"
    is "$(head -n 1 couette-wall2.csv)" "arc,x,y,nx,ny,p,cp,shear,cf,heat" \
        "... no Nusselt number without a temperature"
    is_close "$(column couette-wall2.csv arc)" 1.97685 1e-4 "... arc lengths go on"
    run_edgewise export couette.nc --wall plate --frame all -o all.csv
    is "$code $(echo all-*.csv)" "0 all-0000.csv all-0001.csv all-0002.csv all-0003.csv" "all frames"
    run_edgewise plot plate.csv --columns shear -o plate.png
    is "$code" 0 "plot draws a column over the arc" || diag "$err"
    run_edgewise plot plate.csv -o plate.svg
    is "$code" 0 "... and by default all values"
}

# The values along walls of all frames.
wall_values() # FILE
{
    ncdump -p 17,17 "$1" | sed -n '/^data:/,$p' | awk '/^ [a-z]/ { shown = /^ wall_|^ time =/ } shown'
}

# Compares couette.nc and its series with those of the whole run.
compare_with_whole() # DESCRIPTION
{
    wall_values couette.nc >again.txt
    cmp -s whole.txt again.txt
    ok $? "$1" || diag "$(diff whole.txt again.txt | head -n 4)"
    cmp -s whole.csv couette.series.csv
    ok $? "... and the same forces"
}

test_same_files()
{
    if ! ncdump 2>&1 | grep -q netcdf; then
        skip "there is no ncdump" "the same values from resumed runs and parts"
        return
    fi
    wall_values couette.nc >whole.txt
    ok "$(test "$(wc -l <whole.txt)" -gt 40; echo $?)" "ncdump shows the values"
    cp couette.series.csv whole.csv
    rm -f couette.*nc couette.*csv
    run_edgewise run --quiet --steps 9 couette.cfg
    run_edgewise run --quiet --restart auto couette.cfg
    is "$code$err" 0 "a run that resumes"
    compare_with_whole "the same values along walls"
    rm -f couette.*nc couette.*csv
    run_edgewise run --quiet --set backend.parts=3 --set backend.threads=1 couette.cfg
    compare_with_whole "three parts: the same values"
    rm -f couette.*nc couette.*csv
    run_edgewise run --quiet --steps 9 couette.cfg
    run_edgewise run --quiet --restart auto --set 'output.walls=()' couette.cfg
    run_edgewise export couette.nc --wall plate
    contains "$err" "couette.nc has no values along walls; output.walls of a case writes them" "a case without walls"
    rm -f couette.*nc couette.*csv
    run_edgewise run --quiet --steps 9 --set 'output.walls=()' couette.cfg
    run_edgewise run --quiet --restart auto couette.cfg
    contains "$err" "have other walls" "earlier frames without walls are put aside"
    rm -f couette.*nc couette.*csv
    run_edgewise run --quiet --steps 9 couette.cfg
    run_edgewise run --quiet --restart auto --set 'output.walls=({name="plate";boundaries=["top"];},
        {boundaries=["bottom","top"];})' couette.cfg
    contains "$err" "have other walls" "... and those with a wall of the same name that is another one"
}

# A wall of eight boundaries with long names and a ninth one, which is the argument.
write_long_case()
{
    parts='' names='' conditions=''
    for k in 1 2 3 4 5 6 7 8; do
        name=$(printf 'b%0200d' $k)
        parts="$parts{ name = \"$name\"; to = \"$k/10\"; }, "
        names="$names\"$name\", "
        conditions="$conditions $name = { kind = \"wall\"; };"
    done
    cat >long.cfg <<END
mesh = { rectangle = { corners = [0.0, 0.0, 1.0, 1.0]; cells = [10, 1];
                       bottom = ( $parts { name = "ninth"; to = "9/10"; }, { name = "tenth"; } ); }; };
order = 1;
initial = { rho = 1; u = 0; v = 0; p = 1; };
boundary = { $conditions ninth = { kind = "wall"; }; tenth = { kind = "wall"; };
             left = { kind = "wall"; }; right = { kind = "wall"; }; top = { kind = "wall"; }; };
time = { end = 0.1; };
output = { fields = { every = 0.02; }; walls = ( { boundaries = [$names "$1"]; } ); restart = { steps = 1000; }; };
END
}

test_long_list()
{
    for last in ninth tenth; do
        rm -f long.*nc
        write_long_case ninth
        run_edgewise run --quiet --steps 9 long.cfg
        write_long_case $last
        run_edgewise run --quiet --restart auto long.cfg
        case $last in
        ninth) is "$code$(echo "$err" | grep walls)" 0 "a wall of many boundaries, resumed" ;;
        tenth) contains "$err" "have other walls" "... with another boundary at the end of its list" ;;
        esac
    done
}

test_wrong()
{
    while IFS='|' read -r setting sentence; do
        run_edgewise check --set "output.walls=$setting" couette.cfg
        contains "$code $err" "$sentence" "walls = $setting" || diag "$err"
    done <<'END'
({ boundaries = ["left"]; })|boundary "left" has the kind "state"; walls have the kind "wall" or "no-slip"
({ boundaries = ["botom"]; })|boundary "botom" is not in the mesh
({ boundaries = ["top", "top"]; })|"top" is named twice in output.walls
({ name = "a/b"; boundaries = ["top"]; })|the name "a/b" of a wall cannot be part of names in NAME.nc: it has a slash
({ name = "a"; boundaries = ["top"]; }, { name = "a"; boundaries = ["bottom"]; })|the name "a" is taken already
({ name = "a"; })|output.walls[0].boundaries
({ boundaries = ["top"]; speed = 0.0; })|output.walls[0].speed
({ boundaries = ["top"]; temperature = -1.0; })|output.walls[0].temperature
({ boundaries = ["top"]; length = "long"; })|output.walls[0].length
END
    run_edgewise check --set 'output.walls=({ boundaries = ["top"]; speed = 340.0; })' couette.cfg
    contains "$err" 'output.walls: "wall1" refers its coefficients to speed = 340, but the initial state has at' \
        "a reference value that is far off: a warning"
    for option in "--field p" "--boundary top" "--reference 1,1,1" "--lagrange" "--subdivide 2" "--format vtu"; do
        # shellcheck disable=SC2086
        run_edgewise export couette.nc --wall plate $option
        contains "$code $err" " does not apply to --wall, which writes all values along a wall as csv" \
            "export --wall with $option"
    done
    run_edgewise plot couette.nc --boundary bottom --field skin_friction
    contains "$err" "it is a value along walls: \"output.walls\" of a case writes them" "a field of walls: a hint"
    run_edgewise export couette.nc --wall plat
    contains "$err" 'couette.nc has no wall "plat"; it has plate and wall2' "a wall that is not there"
}

test_inviscid()
{
    cat >channel.cfg <<'END'
mesh = { rectangle = { corners = [0.0, 0.0, 2.0, 1.0]; cells = [4, 2]; }; };
order = 2; time = { end = 0.05; };
initial = { rho = "1"; u = "0.5"; v = "0"; p = "2"; };
boundary = { bottom = { kind = "wall"; }; top = { kind = "wall"; };
             left = { kind = "state"; state = "initial"; }; right = { kind = "state"; state = "initial"; }; };
output = { fields = {}; walls = ( { name = "low"; boundaries = ["bottom"]; pressure = 1.5; } );
           series = { steps = 5; }; forces = ( { name = "low"; boundaries = ["bottom"]; } ); };
END
    run_edgewise run --quiet channel.cfg
    is "$code" 0 "inviscid gas along walls" || diag "$err"
    run_edgewise export channel.nc --wall low -o low.csv
    is "$(head -n 1 low.csv)" "arc,x,y,nx,ny,p,cp" "it has a pressure and its coefficient"
    is_close "$(column low.csv cp)" 1 1e-12 "... of the right size"
    is "$(head -n 1 channel.series.csv | grep -c friction)" 0 "it has no friction"
    run_edgewise check --set 'output.walls=({boundaries=["top"];temperature=1.0;})' channel.cfg
    contains "$err" 'the law "euler" conducts no heat, and so has no Nusselt number' "nor a Nusselt number"
}

test_forces
test_vorticity
test_tables
test_same_files
test_long_list
test_wrong
test_inviscid
done_testing
