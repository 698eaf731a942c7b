#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The limiter oscillation-free with positivity at every order: errors and overshoots of Sod's and Lax's tubes, of Shu
# and Osher's waves and of the blast waves are near the stored ones, and flows with strong shocks or next to
# vacuum run to their ends, all with one setting. --update stores what this build gives.
# The solutions are exact or, in shocks-*.txt, those of this limiter at order 2 on 1,000 and 1,250 cells.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
expected=$srcdir/tests/expected
stored=$expected/shocks.txt

# shellcheck source=tests/shock-flows.sh
. "$srcdir/tests/shock-flows.sh"

# exact_tube X0 TIME LEFT RIGHT: 1,001 values between 0 and 1, where a rarefaction goes left and a shock goes right
exact_tube()
{
    # shellcheck disable=SC2086 # three words each
    set -- "$1" "$2" $3 $4
    awk -v x0="$1" -v t="$2" -v rl="$3" -v ul="$4" -v pl="$5" -v rr="$6" -v ur="$7" -v pr="$8" 'BEGIN {
        g = 1.4; q = (g - 1)/(g + 1); cl = sqrt(g*pl/rl); low = pr; high = pl
        for (k = 0; k < 100; k++) {
            p = (low + high)/2
            u = ul - 2*cl/(g - 1)*((p/pl)^((g - 1)/(2*g)) - 1)
            if (u > ur + (p - pr)*sqrt(2/((g + 1)*rr)/(p + q*pr))) low = p; else high = p
        }
        shock = ur + sqrt(g*pr/rr)*sqrt((g + 1)/(2*g)*p/pr + (g - 1)/(2*g))
        for (i = 0; i <= 1000; i++) {
            s = (i/1000 - x0)/t
            if (s < ul - cl) r = rl
            else if (s < u - cl*(p/pl)^((g - 1)/(2*g))) r = rl*(2/(g + 1) + q/cl*(ul - s))^(2/(g - 1))
            else if (s < u) r = rl*(p/pl)^(1/g)
            else r = s < shock ? rr*(p/pr + q)/(q*p/pr + 1) : rr
            print r
        }
    }'
}
exact_tube 0.5 0.2 '1 0 1' '0.125 0 0.1' >sod.exact
exact_tube 0.5 0.13 '0.445 0.698 3.528' '0.5 0 0.571' >lax.exact
cp "$expected/shocks-blast.txt" blast.exact
cp blast.exact gmsh-blast.exact
cp "$expected/shocks-shu-osher.txt" shu-osher.exact

# measure NAME LENGTH Y...: the error of the density in L1 along lines, and the largest excess over the solution nearby
measure()
{
    name=$1
    length=$2
    shift 2
    for y in "$@"; do
        "$edgewise" plot --quiet --field rho --line "0,$y,$length,$y" --points 1001 -o line.csv "$name.nc" &&
            sed 's/,/ /g' line.csv
    done | awk -v length_of="$length" -v lines=$# '
        FILENAME != "-" { exact[n++] = $1; next }
        /^[0-9]/ {
            i = $1/length_of*(n - 1); k = int(i); if (k > n - 2) k = n - 2
            off = $NF - exact[k] - (i - k)*(exact[k + 1] - exact[k]); if (off < 0) off = -off
            if ($1 >= last) sum += (off + before)/2*($1 - last)
            before = off; last = $1
            top = exact[k]
            for (j = k - 20; j <= k + 20; j++) if (j in exact && exact[j] > top) top = exact[j]
            if ($NF - top > over) over = $NF - top
        }
        END { printf "%.3e %.3f\n", sum/lines, over }' "$name.exact" -
}

# figures NAME ORDER LENGTH Y...: a line of the table
figures()
{
    name=$1
    order=$2
    shift 2
    run_edgewise run --quiet --json --threads 1 --order "$order" "$name.cfg"
    test "$code" -eq 0 || { diag "$err"; return 1; }
    echo "$name $order $(measure "$name" "$@")"
}

all_figures()
{
    for order in 1 2 3 4 5; do
        figures sod "$order" 1 0.01 0.025 0.04
        figures lax "$order" 1 0.01 0.025 0.04
        figures shu-osher "$order" 10 0.05 0.125 0.2
        figures blast "$order" 1 0.005 0.015 0.025
    done
}

case ${1-} in
--update)
    {
        echo '# flow, order, error of the density in L1, overshoot; see README'
        all_figures
    } >"$tmp/stored" && mv "$tmp/stored" "$stored"
    exit
    ;;
esac

all_figures >got
grep -v '^#' "$stored" >want
while read -r flow order error over; do
    now=$(awk -v flow="$flow" -v order="$order" '$1 == flow && $2 == order { print $3, $4 }' got)
    awk -v now="$now" -v error="$error" -v over="$over" 'BEGIN {
        split(now, is, " "); exit !(is[1] > 0.9*error && is[1] < 1.1*error && is[2] < 1.2*over + 0.01) }'
    ok $? "$flow, order $order: error and overshoot are near the stored ones" || diag "now $now, stored $error $over"
done <want

if command -v gmsh >/dev/null; then
    cat >strip.geo <<'END'
Point(1) = {0, 0, 0, 0.01}; Point(2) = {1, 0, 0, 0.01}; Point(3) = {1, 0.03, 0, 0.01}; Point(4) = {0, 0.03, 0, 0.01};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1 : 4}; Plane Surface(1) = {1};
Physical Curve("bottom") = {1}; Physical Curve("right") = {2}; Physical Curve("top") = {3};
Physical Curve("left") = {4};
Physical Surface("gas") = {1};
Mesh.MshFileVersion = 2.2;
END
    gmsh -v 0 -2 strip.geo -o strip.msh >gmsh.log 2>&1
    figures gmsh-blast 2 1 0.005 0.015 0.025 >got
    awk '{ bad = !($3 >= 0.095 && $3 <= 0.115) } END { exit NR != 1 || bad }' got
    ok $? "blast waves on a mesh of Gmsh's, order 2: the error is within 0.095 and 0.115" || diag "$(cat got)"
    diag "$(cat got)"
else
    skip "there is no gmsh" "blast waves on a mesh of Gmsh's"
fi

# runs CASE OPTIONS...: to its end
runs()
{
    run_edgewise run --quiet --json --no-output --threads 1 "$@"
    is "$code $(value_of stop)" "0 end" "$* runs to its end" || diag "$err"
}

for order in 1 2 3; do
    runs toro5.cfg --order "$order"
    runs vacuum.cfg --order "$order"
    runs apart.cfg --order "$order"
    runs contact.cfg --order "$order" # of which a millionth of the density at points broke the first step
done
for name in dam dry; do
    runs $name.cfg
    runs $name.cfg --order 5
    runs $name.cfg --set time.scheme=rk4 --set flux=hllc
done
for name in lax toro4 toro5 apart vacuum; do
    runs $name.cfg --set time.scheme=rk4 --set flux=hllc
done
runs leblanc.cfg --order 2 --set law.gamma=1.6666666666666667
runs leblanc.cfg --order 2 --set law.gamma=1.6666666666666667 --set time.scheme=rk4 --set flux=hllc
for scheme in rk4 ssprk54; do
    for name in toro5 vacuum blast; do
        runs $name.cfg --order 2 --set time.scheme=$scheme
    done
done

examples=$srcdir/examples
runs "$examples/double-mach/double-mach-p3.cfg" --order 2
runs "$examples/sedov/sedov.cfg" --order 3 --set 'mesh.rectangle.cells=[24,24]' --set let.r0=0.1146
runs "$examples/jet/jet.cfg" --order 3 --set 'mesh.rectangle.cells=[40,10]'
runs "$examples/jet/jet-2000.cfg" --order 3 --set 'mesh.rectangle.cells=[40,10]'
runs "$examples/diffraction/diffraction.cfg" --set let.mach=10 --end 1.2
runs "$examples/four-states/four-states.cfg" --set 'mesh.rectangle.cells=[24,24]'
done_testing
