#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Curved walls: the condition holds on the true curve, a spline or one by formulas, at the order of the polynomials.
# Exact solutions: sound in a disc, the field in a round conductor, rotating water and gas, and the supersonic vortex
# between two arcs.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
vortex=$srcdir/examples/vortex

cp "$vortex/annulus-A.msh" . || exit 99
sed 's/steady = [^;]*;//' "$vortex/vortex.cfg" >normal.cfg
sed 's/normal = \[[^]]*\];/curve = "spline";/; s/ghost = "tangential";//' normal.cfg >spline.cfg
sed 's/normal = \[[^]]*\];//' normal.cfg >straight.cfg

write_disc() # RINGS: a mesh of the unit disc with six edges a ring
{
    awk -v rings="$1" '
    function id(r, k) { return r == 0 ? 1 : 2 + 3 * r * (r - 1) + k % (6 * r) }
    BEGIN {
        pi = atan2(0, -1)
        print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 1 \"wall\"\n$EndPhysicalNames\n$Nodes"
        print 1 + 3 * rings * (rings + 1); print "1 0 0 0"
        for (r = 1; r <= rings; r++)
            for (k = 0; k < 6 * r; k++) {
                a = pi * k / (3 * r)
                printf "%d %.17g %.17g 0\n", id(r, k), r / rings * cos(a), r / rings * sin(a)
            }
        print "$EndNodes\n$Elements"; print 6 * rings + 6 * rings * rings
        for (k = 0; k < 6 * rings; k++)
            print ++n, 1, 2, 1, 1, id(rings, k), id(rings, k + 1)
        for (r = 1; r <= rings; r++)
            for (s = 0; s < 6; s++)
                for (i = 0; i < r; i++) {
                    c = s * (r - 1) + i
                    print ++n, 2, 2, 2, 1, id(r, s * r + i), id(r, s * r + i + 1), id(r - 1, c)
                    if (i < r - 1)
                        print ++n, 2, 2, 2, 1, id(r - 1, c), id(r, s * r + i + 1), id(r - 1, c + 1)
                }
        print "$EndElements"
    }' >"disc$1.msh"
}

write_disc_case() # NAME LAW WAVENUMBER INITIAL: J is the Bessel function J_0(k r), G is J_1(k r) / r
{
    {
        printf 'mesh = "disc4.msh"; law = "%s"; order = 3; time = { end = 1; };\n' "$2"
        awk -v k="$3" 'BEGIN {
            j = g = "1"
            for (m = 18; m > 0; m--) {
                j = sprintf("(%s*z/%d + 1)", j, -m * m)
                g = sprintf("(%s*z/%d + 1)", g, -m * (m + 1))
            }
            printf "let = { k = %s; z = \"k^2*(x^2 + y^2)/4\"; J = \"%s\"; G = \"k/2*%s\"; };\n", k, j, g
        }'
        printf 'initial = { %s };\nexact = "initial"; errors = { rule = "fine"; };\n' "$4"
        printf 'boundary = { wall = { kind = "wall"; curve = "spline"; }; };\n'
    } >"$1.cfg"
}

value_of() # KEY: of the JSON in $out
{
    printf '%s\n' "$out" | sed -n "s/.*\"$1\": \"*\([^\",}]*\).*/\1/p"
}

run_case() # CASE [OPTIONS...]
{
    run_edgewise run --json --quiet --no-output "$@"
}

error_of() # CASE [OPTIONS...]: of the first variable
{
    case=$1
    shift
    run_case --threads 1 "$case.cfg" "$@" >/dev/null
    printf '%s\n' "$out" | sed -n 's/.*"error_l2": {"[^"]*": \([^,}]*\).*/\1/p'
}

# Halving the edges divides the error by 2^(p + 1), but for 0.4 of an order.
converges() # CASE ORDER [OPTIONS...]
{
    name=$1 order=$2
    shift 2
    coarse=$(error_of "$name" --order "$order" --set mesh=disc4.msh "$@")
    fine=$(error_of "$name" --order "$order" --set mesh=disc8.msh "$@")
    diag "$name, order $order $*: $coarse, $fine"
    awk -v a="$coarse" -v b="$fine" -v p="$order" 'BEGIN { exit !(b > 0 && log(a / b) / log(2) > p + 0.6) }'
    ok $? "$name, order $order $*: the error falls with the order of the polynomials"
}

test_orders()
{
    write_disc 4
    write_disc 8
    write_disc_case sound acoustics 3.8317059702075125 \
        'p = "J*cos(k*t)"; u = "G*x*sin(k*t)"; v = "G*y*sin(k*t)";'
    write_disc_case conductor maxwell-tm 2.404825557695773 \
        'H_x = "G*y*sin(k*t)"; H_y = "-G*x*sin(k*t)"; E_z = "J*cos(k*t)";'
    write_disc_case water shallow-water 1 'h = "1 + (x^2 + y^2)/(2*gravity)"; u = "-y"; v = "x";'
    write_disc_case gas euler 1 'rho = "(1 + 0.05*(x^2 + y^2))^2.5"; u = "-sqrt(0.35)*y"; v = "sqrt(0.35)*x";
        p = "(1 + 0.05*(x^2 + y^2))^3.5";'
    converges sound 1
    converges sound 2
    converges sound 4
    converges sound 3 --set 'boundary.wall.curve="x^2+y^2-1"'
    converges sound 3 --set 'boundary.wall.curve=["x","y"]'
    converges sound 3 --kernels edgewise
    converges conductor 3
    converges water 3
    converges gas 3
    curved=$(error_of sound --set mesh=disc8.msh)
    straight=$(error_of sound --set mesh=disc8.msh --set 'boundary.wall.curve="straight"')
    diag "sound in a disc: curve $curved, edges $straight"
    awk -v a="$curved" -v b="$straight" 'BEGIN { exit !(a > 0 && b > 500 * a) }'
    ok $? "waves see straight edges"
}

# The mass in a closed vessel, relative to its exact value at the start.
mass_change() # OPTIONS...
{
    run_case --threads 1 --end 0 --set mesh=disc4.msh "$@" gas.cfg
    before=$(printf '%s\n' "$out" | sed -n 's/.*"total": {"rho": \([^,]*\),.*/\1/p')
    run_case --threads 1 --end 1 --set mesh=disc4.msh "$@" gas.cfg
    after=$(printf '%s\n' "$out" | sed -n 's/.*"total": {"rho": \([^,]*\),.*/\1/p')
    awk -v a="$before" -v b="$after" 'BEGIN { c = (b - a) / a; printf "%.3g", c < 0 ? -c : c }'
}

test_mass()
{
    open=$(mass_change --order 2)
    closed=$(mass_change --order 2 --set boundary.wall.conservative=true)
    diag "the mass changes by $open, with a conservative wall by $closed"
    awk -v a="$open" -v b="$closed" 'BEGIN { exit !(a > 1e-9 && b ~ /^[0-9]/ && b < 1e-14) }'
    ok $? "no mass goes through a conservative wall"
    converges gas 3 --set boundary.wall.conservative=true
    for case in gas water; do
        run_case --threads 1 --set boundary.wall.conservative=true "$case.cfg"
        hash=$(value_of state_hash)
        test -n "$hash" || hash=none
        run_case --threads 1 --kernels edgewise --set boundary.wall.conservative=true "$case.cfg"
        is "$(value_of state_hash)" "$hash" "$case: other kernels have the same bits"
    done
    run_edgewise check --no-estimate --set boundary.wall.conservative=true conductor.cfg
    contains "$err" 'the law "maxwell-tm" has no mass' "a conductor has no mass to keep"
}

# A constant pressure has no force on a closed wall, also if the curve misses its nodes by up to 1.5 % of an edge.
test_force()
{
    cat >rest.cfg <<'END'
mesh = "disc4.msh"; order = 3; time = { end = 0; };
initial = { rho = 1; u = 0; v = 0; p = 1; };
boundary = { wall = { kind = "wall"; curve = "x^2+y^2-1+0.004*x^3"; }; };
output = { forces = ( { boundaries = [ "wall" ]; } ); };
END
    run_case rest.cfg
    force=$(printf '%s\n' "$out" | sed -n 's/.*"force1": {"x": \([^,]*\), "y": \([^,]*\),.*/\1 \2/p')
    echo "$force" | awk '{ exit !(NF == 2 && $1 * $1 + $2 * $2 < 1e-28) }'
    ok $? "there is no force at rest on a closed curve that misses its nodes" || diag "$force"
}

test_vortex()
{
    normal=$(error_of normal --end 5) spline=$(error_of spline --end 5) straight=$(error_of straight --end 5)
    diag "errors of the density: normals $normal, splines $spline, edges $straight"
    awk -v a="$normal" -v b="$spline" 'BEGIN { exit !(b > 0 && b < 1.2 * a) }'
    ok $? "where given normals suffice, a spline is as good"
    awk -v a="$spline" -v b="$straight" 'BEGIN { exit !(b > 20 * a) }'
    ok $? "the edges' are much worse"
}

test_bits()
{
    run_case --end 1 --threads 1 spline.cfg
    hash=$(value_of state_hash)
    test -n "$hash"
    ok $? "a case with splines runs"
    run_case --end 1 --threads 2 --kernels edgewise spline.cfg
    is "$(value_of state_hash)" "$hash" "with other threads and kernels, to the same bits"
    run_case --end 1 --set backend.parts=2 spline.cfg
    is "$(value_of state_hash)" "$hash" "and in two parts"
    run_edgewise run --quiet --end 1 --steps 20 --set 'output={restart={keep=1}}' spline.cfg
    restart=$(echo spline.restart-*.nc)
    run_case --end 1 --restart "$restart" spline.cfg
    is "$(value_of state_hash)" "$hash" "and with a restart in the middle"
    sed 's/curve = "spline";/curve = "spline"; corner = 20;/' spline.cfg >corner.cfg
    run_edgewise run --quiet --end 1 --restart "$restart" corner.cfg
    contains "$err" "boundary.inner.corner" "a resumed run tells that the angle of corners is another one"
}

test_coarse()
{
    write_disc 1
    write_disc 2
    run_edgewise check --no-estimate --set mesh=disc1.msh --set 'boundary.wall.curve="x^2+y^2-1"' sound.cfg
    is "$code" 0 "a hexagon can have a circle"
    contains "$out" "CFL 0.5" "with a smaller Courant number by default"
    contains "$out" "at curved walls, 0.762 of the usual CFL is stable" "which it says"
    run_edgewise check --no-estimate --set mesh=disc1.msh --set time.cfl=0.7 \
        --set 'boundary.wall.curve="x^2+y^2-1"' sound.cfg
    contains "$err" "is stable to about 0.662526 at order 3 with these curves" \
        "a given one that is too large is a warning"
    run_edgewise check --no-estimate --set 'boundary.wall.curve="x^2+y^2-1"' sound.cfg
    is "$err" "" "shorter edges are none"
    contains "$out" "CFL 0.696," "and have the usual one"
    run_edgewise check --no-estimate --order 5 --set mesh=disc2.msh --set 'boundary.wall.curve="x^2+y^2-1"' sound.cfg
    contains "$err" "rises to 0.0706 of the triangle's height; above 0.035, waves at order 5 may grow at any cfl" \
        "waves that grow at order 5 are a warning"
    run_case --threads 1 --order 5 --end 10 --set mesh=disc2.msh --set 'boundary.wall.curve="x^2+y^2-1"' sound.cfg
    printf '%s\n' "$out" | sed -n 's/.*"max": {"p": \([^,}]*\).*/\1/p' | awk '{ exit !($1 > 0 && $1 < 1.1) }'
    ok $? "but slowly: 12 edges at order 5 are stable at the default Courant number"
    run_edgewise check --no-estimate --order 4 --set mesh=disc2.msh \
        --set 'boundary.wall.curve="x^2+y^2-1+0.4*(6*x^5*y-20*x^3*y^3+6*x*y^5)^2"' sound.cfg
    contains "$err" "the curve cuts the triangle at " "a curve that cuts its triangles has its own limit"
    run_case --threads 1 --order 5 --end 5 --set mesh=disc2.msh \
        --set 'boundary.wall.curve="x^2+y^2-1+0.4*(6*x^5*y-20*x^3*y^3+6*x*y^5)^2"' sound.cfg
    is "$code" 70 "a linear law's run that grows without end fails"
    contains "$err" "the run is unstable there; try" "and says so"
    run_edgewise check --no-estimate --set 'boundary.wall.curve="(x^2+y^2)^2-1.1"' sound.cfg
    is "$code" 78 "a curve that misses the nodes is an error"
    contains "$err" "is zero at the distance 0.0243 from the node (" "that says so"
}

# Curves of the disc with 24 edges: an error with this sentence, or none.
curve_says() # CURVE SENTENCE
{
    run_edgewise check --no-estimate --set "boundary.wall.curve=$1" sound.cfg
    if test -n "$2"; then
        contains "$err" "$2" "the curve $1 is an error"
    else
        is "$err" "" "the curve $1 is none"
    fi
}

test_wrong_curves()
{
    curve_says '"(x^2+y^2-1)^2"' "does not change there at a finite rate"
    curve_says '"abs(x^2+y^2-1)"' "does not change there at a finite rate"
    curve_says '"x^2+y^2-9"' "has no zero within an edge's length, but one at the distance 2; correct the formula"
    curve_says '"x^2+y^2+1"' "has no zero within an edge's length, as far as can be found: 0.261"
    curve_says '"1e-200*(x^2+y^2-1)"' ""
    curve_says '"1e200*(x^2+y^2-1)"' ""
    curve_says '["1e-200*x","1e-200*y"]' ""
    curve_says '["0","0"]' "the normal has no direction: at ("
    curve_says '["-x","-y"]' "which does not point out of the domain; change both signs"
    curve_says '["y","-x"]' "which does not point out of the domain; give that of this boundary's curve"
    curve_says '["x+0.1*y","y-0.1*x"]' "ends at the distance 0.026"
    curve_says '"splin"' 'there is no curve "splin"; did you mean "spline"?'
    curve_says '"Spline"' 'there is no curve "Spline"; did you mean "spline"?'
    curve_says '"circle"' 'there is no curve "circle"; a circle is a formula'
    run_edgewise check --no-estimate --set boundary.wall.spline=true sound.cfg
    contains "$err" 'there is no key "spline" in boundary.wall; that is a value of "curve"' "an older key has a hint"
}

# Half of an ellipse with a straight base: two corners.
write_half()
{
    awk 'BEGIN {
        n = 24; pi = atan2(0, -1)
        print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"body\"\n1 2 \"rim\"\n$EndPhysicalNames"
        print "$Nodes"; print 2 * n
        for (k = 0; k < n; k++) {
            a = pi * k / (n / 2)
            x = k <= n / 2 ? 2 * cos(a) : -2 + 4 * (k - n / 2) / (n / 2)
            y = k < n / 2 ? sin(a) : 0
            print k + 1, x, y, 0
            print n + k + 1, 3 * x, 3 * y - 0.6, 0
        }
        print "$EndNodes\n$Elements"; print 4 * n
        for (k = 0; k < n; k++) {
            a = k + 1; b = (k + 1) % n + 1
            print 4 * k + 1, 1, 2, 1, 1, a, b
            print 4 * k + 2, 1, 2, 2, 2, n + a, n + b
            print 4 * k + 3, 2, 2, 3, 1, a, n + a, b
            print 4 * k + 4, 2, 2, 3, 1, b, n + a, n + b
        }
        print "$EndElements"
    }' >half.msh
    cat >half.cfg <<'END'
mesh = "half.msh"; order = 2; time = { end = 0.1; };
initial = { rho = 1; u = 0; v = 0; p = 1; };
boundary = { body = { kind = "wall"; curve = "spline"; }; rim = { kind = "far"; state = "initial"; }; };
END
}

test_check()
{
    write_half
    run_edgewise check --no-estimate half.cfg
    is "$code" 0 "a body with corners is checked" || diag "$err"
    contains "$out" "body: wall, 24 edges, a spline with 2 corners" "and how many it has is told"
    contains "$out" "(-2, 0)" "and where they are"
    contains "$out" "(2, 0)" "both of them"
    run_edgewise check --no-estimate --json --set boundary.body.corner=5 half.cfg
    contains "$out" '"curve": "spline", "corners": 13' "with a smaller angle it has more"
    contains "$out" '"name": "rim", "kind": "far", "edges": 24, "curve": null' "only walls have curves"
    run_edgewise check --no-estimate spline.cfg
    contains "$out" "inner: wall, 16 edges, a spline with 0 corners" "an arc has none"
    run_edgewise check --no-estimate --set boundary.inner.corner=0.1 spline.cfg
    contains "$err" 'boundary "inner": its 16 edges meet at more than 0.1 degrees everywhere' \
        "a spline that is all corners is a warning"
    run_edgewise check --no-estimate normal.cfg
    contains "$out" "inner: wall, 16 edges, normals by formulas" "formulas are told"
    run_edgewise check --no-estimate --set 'boundary.wall.curve=["x","y"]' sound.cfg
    contains "$out" "wall: wall, 24 edges, a curve by formulas" "and so are those of a curve"
    run_edgewise mesh refine -o fine.msh --set 'boundary.wall.curve="x^2+y^2-1"' sound.cfg
    contains "$out" "wall: the curve of the case's formula" "refining the case's mesh follows a formula"
    run_edgewise mesh refine -o fine.msh spline.cfg
    contains "$out" "inner: a spline through its nodes" "refining the case's mesh follows its splines"
}

test_orders
test_mass
test_force
test_vortex
test_bits
test_coarse
test_wrong_curves
test_check
done_testing
