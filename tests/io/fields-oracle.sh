#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# NAME.nc in other programs, during the run and, if EW_LONG is set, because importing them takes long, in xarray,
# uxarray and a checker of the CF conventions.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
python=${EW_PYTHON:-python3}
checker=${EW_CF_CHECKER:-compliance-checker}

write_box box.cfg 4
sed 's/every = 0.02;/every = 0.02; variables = ["rho", "u", "v", "p", "E", "mach", "vorticity", "schlieren"];/
     s/^output = { /output = { raster = { cells = [8, 6]; window = [-0.25, 0.0, 1.0, 1.0]; }; /' \
    box.cfg >b &&
    mv b box.cfg

test_xarray()
{
    if ! "$python" -c 'import xarray, netCDF4' 2>/dev/null; then
        skip "there is no xarray with netCDF4" "xarray opens the fields"
        return
    fi
    "$python" -c '
import numpy, xarray
fields = xarray.open_dataset("box.nc")
assert fields.sizes["time"] == 4 and fields.time[-1] == 0.05
for name in "rho u v p E mach vorticity schlieren".split():
    assert fields[name].dims == ("time", "n_node") and numpy.isfinite(fields[name]).all(), name
mach = numpy.hypot(fields.u, fields.v) / numpy.sqrt(1.4 * fields.p / fields.rho)
assert abs(mach - fields.mach).max() < 1e-14
assert fields.mesh_node_x.standard_name == "projection_x_coordinate"
names = fields.u.long_name, fields.v.long_name # of which QGIS makes arrows
assert names == ("velocity, x-component", "velocity, y-component"), names
assert fields.raster_rho.dims == ("time", "y", "x") and fields.raster_rho.dtype == numpy.float32
assert fields.y[0] == 1 / 12
assert fields.raster_rho.sel(x=-0.2, method="nearest").isnull().all()
assert fields.raster_p.sel(x=slice(0, 1)).notnull().all()
assert set(fields.state_hash.values) and len(fields.state_hash.values[0]) == 16'
    ok $? "xarray opens the fields, and what follows from others agrees with them"
}

test_uxarray()
{
    if ! "$python" -c 'import uxarray' 2>/dev/null; then
        skip "there is no uxarray" "uxarray opens the fields"
        return
    fi
    "$python" -c '
import uxarray
fields = uxarray.open_dataset("box.nc", "box.nc")
assert fields.uxgrid.n_node == fields.rho.sizes["n_node"] and fields.uxgrid.n_face == 4 * 32' 2>.err
    ok $? "uxarray opens the fields as an unstructured grid" || diag "$(cat .err)"
}

# The checker does not know UGRID and its values of cf_role. It also wants dates for the time and metres for coordinates
# of a map, unlike UGRID's readers.
test_conventions()
{
    if ! command -v "$checker" >/dev/null; then
        skip "there is no compliance-checker" "the fields have the CF conventions"
        return
    fi
    "$checker" --test=cf:1.9 box.nc >.report 2>&1
    contains "$(cat .report)" "Compliance Checker Report" "the checker of the CF conventions has read the file"
    is "$(grep '^\*' .report | grep -v -e "not a valid cf_role value" -e 'mesh_node_[xy] must be convertible' |
        grep -v "'time' should have standard_name='time'")" "" \
        "the fields have the CF conventions, beyond what UGRID and times without dates need"
}

# A frame is on the disk before the next one is computed. A reader does not disturb the run, but may read while a frame
# is being written.
test_reading_during_the_run()
{
    if ! ncdump -h box.nc >/dev/null 2>&1; then
        skip "there is no ncdump" "fields can be read while the run goes on"
        return
    fi
    sed 's/end = 0.05/end = 1e6/; s/every = 0.02/every = 2/' box.cfg >long.cfg
    "$edgewise" run --quiet long.cfg 2>err &
    pid=$!
    frames=0
    for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        sleep 0.2
        frames=$(ncdump -h long.nc.part 2>/dev/null | sed -n 's/.*time = UNLIMITED.*(\([0-9]*\) currently).*/\1/p')
        test "${frames:-0}" -ge 3 && ncdump -v rho,step long.nc.part >.cdl 2>&1 && break
    done
    ok "$(test "${frames:-0}" -ge 3; echo $?)" \
        "fields can be read while the run goes on: after $try looks there were $frames frames"
    is "$(tail -n 1 .cdl)" "}" "... with their values" || diag "$(tail -n 3 .cdl)"
    kill -s TERM $pid
    wait $pid
    ok "$(test -f long.interrupted.nc; echo $?)" "... which does the run no harm" || diag "$(cat err)"
}

run_edgewise run --quiet box.cfg
is "$code" 0 "a run with derived quantities"
if long_checks; then
    test_xarray
    test_uxarray
    test_conventions
fi
test_reading_during_the_run
done_testing
