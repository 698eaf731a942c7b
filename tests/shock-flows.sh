# SPDX-License-Identifier: BSD-2-Clause
# Cases with strong shocks or next to vacuum, all with one setting, for tests/long-shocks.sh and bench/robust: writes
# NAME.cfg of each into the present folder.
# shellcheck shell=sh
settings='limiter = "oscillation-free"; positivity = true;'
euler='law = { name = "euler"; gamma = 1.4; };'
water='law = { name = "shallow-water"; gravity = 9.81; };'
symmetry='bottom = { kind = "symmetry"; }; top = { kind = "symmetry"; };'
walls="left = { kind = \"wall\"; }; right = { kind = \"wall\"; }; $symmetry"
far='left = { kind = "far"; state = "initial"; }; right = { kind = "far"; state = "initial"; };'

# write_case NAME MESH LAW END INITIAL BOUNDARIES
write_case()
{
    cat >"$1.cfg" <<END
mesh = $2;
$3
order = 3;
flux = "llf";
$settings
time = { scheme = "ssprk33"; cfl = 0.4; end = $4; };
initial = { $5 };
boundary = { $6 };
END
}

strip() # WIDTH HEIGHT CELLS ROWS
{
    echo "{ rectangle = { corners = [0.0, 0.0, $1, $2]; cells = [$3, $4]; jitter = 0.2; }; }"
}

# tube NAME X END LEFT RIGHT: rho, u and p on both sides of x = X
tube()
{
    # shellcheck disable=SC2086 # three words each
    set -- "$1" "$2" "$3" $4 $5
    write_case "$1" "$(strip 1.0 0.05 60 3)" "$euler" "$3" \
        "rho = \"x < $2 ? $4 : $7\"; u = \"x < $2 ? $5 : $8\"; v = 0; p = \"x < $2 ? $6 : $9\";" "$far $symmetry"
}

dam() # NAME DEPTH
{
    write_case "$1" "$(strip 1.0 0.05 60 3)" "$water" 0.05 "h = \"x < 0.5 ? 1 : $2\"; u = 0; v = 0;" "$walls"
}

tube sod 0.5 0.2 '1 0 1' '0.125 0 0.1'
tube lax 0.5 0.13 '0.445 0.698 3.528' '0.5 0 0.571'
tube leblanc 0.3333333333333333 0.6666666666666666 '1 0 0.06666666666666667' '0.001 0 6.666666666666667e-11'
tube toro4 0.4 0.035 '5.99924 19.5975 460.894' '5.99242 -6.19633 46.0950'
tube toro5 0.8 0.012 '1 -19.59745 1000' '1 -19.59745 0.01'
tube vacuum 0.5 0.1 '1 0 1' '1e-6 0 1e-6'
tube apart 0.5 0.15 '1 -2 0.4' '1 2 0.4'
tube contact 0.5 0.1 '0.1 0 1' '1 0 1'
dam dam 0.1
dam dry 1e-6
write_case parting "$(strip 1.0 0.05 60 3)" "$water" 0.05 'h = 1; u = "x < 0.5 ? -50 : 50"; v = 0;' "$far $symmetry"
blast='rho = 1; u = 0; v = 0; p = "x < 0.1 ? 1000 : x < 0.9 ? 0.01 : 100";'
write_case blast "$(strip 1.0 0.03 100 3)" "$euler" 0.038 "$blast" "$walls"
write_case gmsh-blast '"strip.msh"' "$euler" 0.038 "$blast" "$walls"
# Shu and Osher's strip from 0 to 10 in place of -5 to 5
write_case shu-osher "$(strip 10.0 0.25 120 3)" "$euler" 1.8 'rho = "x < 1 ? 27/7 : 1 + 0.2*sin(5*(x - 5))";
    u = "x < 1 ? 4*sqrt(35)/9 : 0"; v = 0; p = "x < 1 ? 31/3 : 1";' \
    "left = { kind = \"state\"; state = \"initial\"; }; right = { kind = \"far\"; state = \"initial\"; }; $symmetry"
