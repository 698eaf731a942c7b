#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Rasters that do not cover the mesh, where formulas may be NaN: check and run say so.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

cat >low.asc <<END2
ncols 2
nrows 2
xllcenter 0
yllcenter 0
cellsize 0.25
1 2
3 4
END2
cat >low.cfg <<END2
mesh = { rectangle = { corners = [0.0, 0.0, 1.0, 1.0]; cells = [4, 4]; }; };
law = { name = "advection"; velocity = [1, 0]; };
order = 2;
time = { end = 0.1; };
initial = { u = "1"; };
boundary = { left = { kind = "periodic"; with = "right"; }; bottom = { kind = "periodic"; with = "top"; }; };
output = { quantities = { q = "u*raster('low.asc', x, y)";
                          inside = "x < 0.3 && y < 0.3 ? raster('low.asc', x, y) : u"; };
           fields = { variables = ["u", "q", "inside"]; }; };
END2

run_edgewise check low.cfg
contains "$code $err" "0 edgewise: warning: the quantity q is NaN at " "check names a quantity that a raster leaves NaN"
contains "$err" "low.asc does not cover the point (" "... and the reason"
is "$(echo "$err" | grep -c warning)" 1 "... and no quantity that does not choose the raster there"
exact="exact.u=\"raster('low.asc', x, y)\""
run_edgewise check --set "$exact" low.cfg
contains "$err" "warning: the exact solution is NaN at " "... and an exact solution"
run_edgewise run --quiet --no-output --set "$exact" low.cfg
contains "$code $err" "0 edgewise: warning: the exact solution is NaN at " "run does, too"
contains "$err" "the errors are NaN, because the exact solution is NaN at some points at t = 0.1" \
    "... and again at the end"
run_edgewise run --quiet --no-output --set "exact.u=\"raster('low.asc', x, y, 'clamp')\"" low.cfg
is "$(echo "$err" | grep -c exact)" 0 "a raster that covers the mesh: no warning"
run_edgewise check --set "law={name=\"acoustics\"; rho0=\"raster('low.asc', x, y)\"; c0=1;}" \
    --set 'initial={p=0; u=0; v=0;}' --set 'output={}' low.cfg
contains "$err" "it must be greater than 0 and finite; low.asc does not cover the point (" \
    "a medium says why it has no value"
done_testing
