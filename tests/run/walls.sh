#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Curved walls: with a spline through its nodes a wall is as good as with formulas for its normals, and much better than
# with the edges' normals. The supersonic vortex between two arcs has an exact solution.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
vortex=$srcdir/examples/vortex

cp "$vortex/annulus-A.msh" . || exit 99
sed 's/steady = [^;]*;//' "$vortex/vortex.cfg" >normal.cfg
sed 's/normal = \[[^]]*\];/spline = true;/' normal.cfg >spline.cfg
sed 's/normal = \[[^]]*\];//' normal.cfg >straight.cfg

value_of() # KEY: of the JSON in $out
{
    printf '%s\n' "$out" | sed -n "s/.*\"$1\": \"*\([^\",}]*\).*/\1/p"
}

run_case() # CASE [OPTIONS...]
{
    run_edgewise run --json --quiet --no-output "$@"
}

error_of() # CASE
{
    run_case --end 5 --threads 1 "$1.cfg" >/dev/null
    printf '%s\n' "$out" | sed -n 's/.*"error_l2": {"rho": \([^,]*\),.*/\1/p'
}

test_errors()
{
    normal=$(error_of normal) spline=$(error_of spline) straight=$(error_of straight)
    diag "errors of the density: formulas $normal, splines $spline, edges $straight"
    awk -v a="$normal" -v b="$spline" 'BEGIN { exit !(b > 0.9 * a && b < 1.1 * a) }'
    ok $? "a spline's normals are as good as formulas'"
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
    run_edgewise run --quiet --end 0.5 --set 'output={restart={keep=1}}' spline.cfg
    restart=$(echo spline.restart-*.nc)
    sed 's/spline = true;/spline = true; corner = 20;/' spline.cfg >corner.cfg
    run_edgewise run --quiet --end 1 --restart "$restart" corner.cfg
    contains "$err" "boundary.inner.corner" "a resumed run tells that the angle of corners is another one"
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
boundary = { body = { kind = "wall"; spline = true; }; rim = { kind = "far"; state = "initial"; }; };
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
    run_edgewise mesh refine -o fine.msh spline.cfg
    contains "$out" "inner: a spline through its nodes" "refining the case's mesh follows its splines"
}

test_errors
test_bits
test_check
done_testing
