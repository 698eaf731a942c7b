#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Cases with several media: what check, run, plot and compare say of them, and the same bits after a restart.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

cat >two.cfg <<'END'
mesh = { rectangle = { corners = [0.0, 0.0, 2.0, 1.0]; cells = [8, 4]; }; };
law = { name = "acoustics"; rho0 = "x < low ? 1 : 1000"; bulk_modulus = "rho0*(x < low ? 1 : 4)"; };
let = { low = 1; };
order = 2;
time = { end = 0.5; };
initial = { p = "rho0*exp(-20*((x - 0.5)^2 + y^2))"; u = 0; v = 0; };
boundary = {
  left = { kind = "wall"; };  right = { kind = "far"; p = 0; u = 0; v = 0; };
  top = { kind = "wall"; };  bottom = { kind = "symmetry"; };
};
source = { s = "0.1*sin(c0*t)"; };
output = {
  fields = { every = 0.25; variables = ["p", "rho0", "c0", "energy", "s"]; };
  series = { steps = 5; };
};
END

run_edgewise check two.cfg
is "$code" 0 "a case with two media is right"
contains "$out" "media      rho0 1 .. 1000, c0 1 .. 2" "... and check prints their ranges"
contains "$out" "acoustics-media, order 2, flux upwind" "... the law and its flux"
run_edgewise check --json two.cfg
contains "$out" '"media": {"rho0": [1, 1000], "c0": [1, 2]}' "... as JSON, too" || diag "$out"

mkdir whole part number
run_edgewise run --json --output whole two.cfg
whole="$(value_of state_hash) $(value_of steps)"
is "$code" 0 "it runs"
contains "$(head -n 1 whole/two.series.csv)" "total_s,total_rho0_u" "... with totals of the conserved variables"
run_edgewise plot --list whole/two.nc
contains "$out" "rho0" "... and its media in the file"
run_edgewise plot whole/two.nc --field intensity_x -o none.png
contains "$err" "output.fields.variables of the case has it" "plot derives nothing without the media"

run_edgewise run --output part --steps 7 --set output.restart.steps=7 two.cfg
run_edgewise run --json --output part --restart part/two.restart-7.nc two.cfg
is "$(value_of state_hash) $(value_of steps)" "$whole" "a restart in the middle leaves the same bits"
run_edgewise plot --list part/two.restart-7.nc
contains "$out" "rho0_u" "a restart file has the conserved variables"

run_edgewise run --json --output number --set law.rho0=1 --set law.bulk_modulus=4 --set source.s=0 \
    --set initial.u=0 two.cfg
contains "$err" 'there is no key "s" in source' "a law of one medium has its own variables"

run_edgewise compare --reference omp,edgewise --with omp,fused --steps 5 two.cfg
is "$code" 0 "both sets of kernels compute the same" || diag "$out$err"
done_testing
