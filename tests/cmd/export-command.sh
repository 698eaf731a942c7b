#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# edgewise export: read back by Gmsh and, if EW_LONG is set, because importing them takes long, by VTK, meshio and
# pyvista; names, frames, times and wrong use.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# Degree 3, with a jump at x = 1 between triangles; p is a cubic polynomial (the gas is at rest, so E is one, too).
cat >wave.cfg <<'END'
mesh = { rectangle = { corners = [0.0, 0.0, 2.0, 1.0]; cells = [4, 2]; }; };
order = 3;
time = { end = 0.002; };
initial = { rho = "x < 1 ? 1 : 3"; u = 0; v = 0; p = "2 + x^3 - x*y^2 + y"; };
boundary = { left = { kind = "copy"; }; right = { kind = "copy"; };
    top = { kind = "copy"; }; bottom = { kind = "copy"; }; };
output = { fields = { every = 0.001; }; };
END
"$edgewise" run --quiet wave.cfg || bail_out "the case does not run"

test_files()
{
    run_edgewise export wave.nc
    is "$code" 0 "export"
    is "$(echo wave*.vtu wave.pvd)" "wave-0000.vtu wave-0001.vtu wave-0002.vtu wave.pvd" \
        "a VTU file for each frame, and a PVD file"
    is "$(grep -c 'timestep="0.001[0-9]*" part="0" file="wave-0001.vtu"' wave.pvd)" 1 "the PVD file has times and names"
    mkdir lines
    name=$(printf 'lines/two\nlines.nc')
    cp wave.nc "$name" && run_edgewise export "$name"
    is "$(grep -c 'file="two&#10;lines-0001.vtu"' two*.pvd)" 1 "... also a name of two lines"
    name=$(printf 'caf\351 <"&".nc')
    cp wave.nc "$name" && run_edgewise export "$name" --frame last
    if command -v python3 >/dev/null; then
        is "$(python3 -c 'import glob, xml.etree.ElementTree as xml
print(ascii(xml.parse(glob.glob(b"caf*.pvd")[0]).find(".//DataSet").get("file")))')" \
            "'caf\\xe9 <\"&\"-0002.vtu'" "... and one that is not UTF-8: the PVD file is XML"
    else
        skip "there is no Python" "... and one that is not UTF-8: the PVD file is XML"
    fi
    mkdir there
    run_edgewise export wave.nc -o /dev/full --format vtu
    contains "$err" "/dev/full-0000.vtu" "nothing is cut off a name that has no ending, as a device's"
    run_edgewise export wave.nc -o there/all.vtu --frame all
    is "$(ls there | tr '\n' ' ')" "all-0000.vtu all-0001.vtu all-0002.vtu all.pvd " "--frame all makes a PVD file, too"
    contains "$(cat there/all.pvd)" 'file="all-0002.vtu"' "... which names its files relative to itself"
    run_edgewise export wave.nc -o one.vtu --time 0.0012 --quiet
    is "$code $out" "0 " "one frame"
    contains "$(head -n 6 one.vtu | tr -d '\0')" ">0.001" "... the one of that time"
    last=$(run_edgewise export wave.nc -o one.vtu --frame last; printf '%s\n' "$out")
    run_edgewise export wave.nc -o one.vtu --time 1e300
    is "$out" "$last" "a time far behind the end is the last frame's"
    run_edgewise export wave.nc -o one.vtu --time=-1e300
    is "$out" "one.vtu: t = 0" "... and one far before the start the first's"
    run_edgewise export wave.nc --format csv --field p,rho_mean --frame 0
    is "$(head -n 1 wave.csv)" "element,x,y,p,rho_mean" "CSV of some fields"
    is "$(wc -l <wave.csv | tr -d ' ')" 161 "... with a row for each node of each triangle"
    run_edgewise export wave.nc --format gmsh
    is "$code" 0 "export for Gmsh"
    ok "$(test -s wave-fields.msh; echo $?)" "... does not take the name of a mesh"
    test -L /dev/stdout || {
        skip "/dev/stdout is no link" "CSV to standard output"
        return
    }
    run_edgewise export wave.nc --format csv -o /dev/stdout --quiet --field rho --subdivide 1
    is "$(printf '%s\n' "$out" | wc -l | tr -d ' ')" 49 "CSV to standard output"
}

# Fields in single precision: all readers get the same numbers, rounded, but not the state.
test_single()
{
    sed 's/every = 0.001;/every = 0.001; precision = "single";/; s/fields = {/restart = { steps = 1; }; fields = {/' \
        wave.cfg >narrow.cfg
    "$edgewise" run --json wave.cfg >wide.json && "$edgewise" run --json narrow.cfg >narrow.json
    ok $? "a run that writes single precision"
    is "$(sed 's/.*state_hash": "\([^"]*\).*/\1/' narrow.json)" "$(sed 's/.*state_hash": "\([^"]*\).*/\1/' wide.json)" \
        "... has the same result"
    for name in wave narrow; do
        run_edgewise export $name.nc --format csv --field rho,u,p,E,rho_mean --frame 2 -o $name-precision.csv
        is "$code" 0 "export of $name.nc"
    done
    is "$(paste -d, wave-precision.csv narrow-precision.csv | awk -F, 'NR > 1 {
            for (k = 1; k <= 8; k++) {
                difference = $k - $(8 + k)
                if (difference < 0) difference = -difference
                if (difference > worst) worst = difference
            }
            points++
        } END { print points, (worst < 2e-5), (worst > 0) }')" "160 1 1" \
            "the fields are the same to single precision, the corners exactly"
    run_edgewise export narrow.nc -o narrow.vtu --frame 1 --quiet
    is "$code" 0 "export to VTU"
    run_edgewise plot narrow.nc --field rho --isolines 5 --quiet
    is "$code" 0 "a picture" || diag "$err"
    for name in wave narrow; do
        run_edgewise export $name.nc --format gmsh --field p,rho,rho_mean --frame 2 -o $name-views.msh --quiet
        is "$code" 0 "export of $name.nc to Gmsh"
    done
    is "$(wc -c <narrow-views.msh)" "$(wc -c <wave-views.msh)" "... which is as long, since views are double"
    run_edgewise check --json wave.cfg
    wide=$(value_of frame_bytes)
    run_edgewise check --json narrow.cfg
    is "$(value_of frame_bytes)" $((wide / 2)) "check knows that frames are half as large"
    ok "$(test "$(value_of output_bytes)" -gt 0; echo $?)" "... and what output takes of memory"
    first=$(find . -name 'narrow.restart-*.nc' | sed 's/.*restart-//; s/.nc//' | sort -n | head -n 1)
    run_edgewise run --quiet --restart "narrow.restart-$first.nc" --set output.fields.precision=double narrow.cfg
    is "$code" 0 "a restart with the other precision"
    contains "$err" "or another precision; narrow.nc will start there" "... does not mix them"
    run_edgewise check --set output.fields.precision=half wave.cfg
    contains "$code $err" 'output.fields.precision cannot be "half"' "there are two precisions"
}

test_usage()
{
    for bad in "--format tecplot" "-o wave.plt" "--format csv -o wave.vtu" \
        "--field rho,q" "--field rho,p,rho" "--field rho," "--field ,rho" "--frame 3" "--frame x" "--subdivide 0" \
        "--subdivide 99" "--format gmsh --lagrange" "--format gmsh --subdivide 2" "--frame 1 --time 0"; do
        # shellcheck disable=SC2086
        run_edgewise export wave.nc $bad
        is "$code" 64 "export $bad is a usage error"
    done
    run_edgewise export wave.nc --field ""
    is "$code" 64 "export of a field without a name is a usage error"
    contains "$err" '--field "" has an empty name' "... and the sentence says so"
    run_edgewise export wave.nc --field p,p
    contains "$err" '"p" is named twice in --field' "export of one field twice: the sentence says so"
    run_edgewise export wave.nc --field
    contains "$code $err" "64 edgewise: --field needs a value: --field NAME[,NAME...]." \
        "export --field without a name: its form"
    run_edgewise export wave.nc --output --field p
    contains "$code $err" "64 edgewise: --output needs a value, and --field is an option: --output FILE." \
        "export --output without a name does not take the next option for one"
    run_edgewise export wave.nc --output=--field.csv
    ok "$(test "$code" -eq 0 -a -e ./--field.csv; echo $?)" "... but a name may begin with --, by --output=NAME"
    rm -f ./--field.csv
    mkdir killed
    (ulimit -c 0 && ulimit -f 1 && exec "$edgewise" export wave.nc -o killed/wave.csv --subdivide 8) >/dev/null 2>&1
    ok $(($? < 128)) "an export is killed while it writes"
    if test "$(stat -f -c %T . 2>/dev/null)" = nfs; then
        skip "files without names need another file system" "... and leaves nothing"
    else
        is "$(ls killed)" "" "... and leaves nothing"
    fi
    run_edgewise export missing.nc
    is "$code" 66 "export of a file that is not there"
    run_edgewise export wave.nc -o nowhere/wave.vtu
    is "$code" 73 "export into a folder that is not there"
}

# The program prints its own "ok" lines; $1 describes the test that would be lost without it.
test_vtk()
{
    long_checks || return 0
    if ! python3 -c 'import vtk' 2>/dev/null; then
        skip "there is no Python with vtk" "VTK reads the files"
        return
    fi
    "$edgewise" export wave.nc --quiet --frame 0 -o linear.vtu
    "$edgewise" export wave.nc --quiet --frame 0 -o lagrange.vtu --lagrange
    cat >read.py <<'END'
import sys, vtk
from vtk.util.numpy_support import vtk_to_numpy
reader = vtk.vtkXMLUnstructuredGridReader()
reader.SetFileName(sys.argv[1])
reader.Update()
grid = reader.GetOutput()
xyz = vtk_to_numpy(grid.GetPoints().GetData())
p = vtk_to_numpy(grid.GetPointData().GetArray("p"))
def exact(x, y):
    return 2 + x**3 - x * y**2 + y
print("nodes", grid.GetNumberOfPoints(), "cells", grid.GetNumberOfCells(), "type", grid.GetCellType(0))
print("nodal", "good" if abs(p - exact(xyz[:, 0], xyz[:, 1])).max() < 1e-12 else "bad")
rho = vtk_to_numpy(grid.GetPointData().GetArray("rho"))
jump = rho[abs(xyz[:, 0] - 1) < 1e-12]
print("jump", "good" if abs(jump.min() - 1) < 1e-12 and abs(jump.max() - 3) < 1e-12 else "bad")
points = vtk.vtkPoints() # of single precision
places = [(0.1 + 0.13 * k, 0.05 + 0.06 * k) for k in range(14)]
for x, y in places:
    points.InsertNextPoint(x, y, 0)
probe, data = vtk.vtkProbeFilter(), vtk.vtkPolyData()
data.SetPoints(points)
probe.SetInputData(data)
probe.SetSourceData(grid)
probe.Update()
got = vtk_to_numpy(probe.GetOutput().GetPointData().GetArray("p"))
print("inside", "exact" if max(abs(v - exact(*q)) for v, q in zip(got, places)) < 1e-6 else "linear")
print("time", vtk_to_numpy(grid.GetFieldData().GetArray("TimeValue"))[0])
END
    is "$(python3 read.py linear.vtu 2>&1 | tr '\n' ' ')" \
        "nodes 160 cells 144 type 5 nodal good jump good inside linear time 0.0 " \
        "VTK reads subdivided triangles: nodes, values, jumps, time"
    is "$(python3 read.py lagrange.vtu 2>&1 | tr '\n' ' ')" \
        "nodes 160 cells 16 type 69 nodal good jump good inside exact time 0.0 " \
        "VTK reads Lagrange cells, and finds the polynomial inside of them"
    "$edgewise" export wave.nc --quiet --field p,rho_mean -o some.vtu
    python3 -c '
import vtk
reader = vtk.vtkXMLUnstructuredGridReader()
reader.SetFileName("some.vtu")
reader.Update()
grid = reader.GetOutput()
assert grid.GetPointData().GetNumberOfArrays() == 1 and \
    grid.GetCellData().GetArray("rho_mean").GetNumberOfTuples() == 144
assert grid.GetCellData().GetArray("element").GetTuple1(143) == 15'
    ok $? "VTK reads chosen fields, and means at cells"
}

# meshio is stricter than VTK about numbers, pyvista about cells.
test_other_readers()
{
    "$edgewise" export wave.nc --quiet --frame 0 -o linear.vtu
    "$edgewise" export wave.nc --quiet --frame 0 -o lagrange.vtu --lagrange
    is "$(head -c 4000 linear.vtu | tr -d '\0' | grep -c 'offset="[^"]* ')" 0 "the numbers of VTU have no blanks"
    long_checks || return 0
    cat >seen.py <<'END'
def seen(points, p, kind, *shape):
    x, y, z = points.T
    assert abs(p - (2 + x**3 - x * y**2 + y)).max() < 1e-12
    print(kind.lower().replace("vtk_", ""), *shape)
END
    cat >read-meshio.py <<'END'
import meshio, seen, sys
mesh = meshio.read(sys.argv[1])
seen.seen(mesh.points, mesh.point_data["p"], mesh.cells[0].type, *mesh.cells[0].data.shape)
END
    cat >read-pyvista.py <<'END'
import pyvista, seen, sys
mesh = pyvista.read(sys.argv[1])
seen.seen(mesh.points, mesh.point_data["p"], mesh.get_cell(0).type.name, mesh.n_cells, mesh.get_cell(0).n_points)
END
    for reader in meshio pyvista; do
        if ! python3 -c "import $reader" 2>/dev/null; then
            skip "there is no Python with $reader" "$reader reads linear and Lagrange triangles"
            continue
        fi
        is "$(for file in linear lagrange; do python3 read-$reader.py $file.vtu 2>&1; done | tr '\n' ' ')" \
            "triangle 144 3 lagrange_triangle 16 10 " "$reader reads linear and Lagrange triangles"
    done
}

test_boundaries()
{
    run_edgewise export wave.nc --boundary bottom,right --format csv --field p --frame 0
    is "$code $(head -n 1 wave-bottom-right.csv)" "0 arc,x/c,x,y,boundary,element,p" "boundaries as a table"
    is "$(awk -F, 'NR > 1 { e = $7 - (2 + $3^3 - $3*$4^2 + $4); if (e > 1e-12 || e < -1e-12) wrong++ }
        END { print NR, wrong + 0 }' wave-bottom-right.csv)" "43 0" "... with the polynomials' values, both at corners"
    run_edgewise export wave.nc --boundary top --reference 1,1,1 --quiet
    is "$code $(echo wave-top*)" "0 wave-top-0000.vtu wave-top-0001.vtu wave-top-0002.vtu wave-top.pvd" \
        "boundaries as VTU, all frames"
    for reader in meshio pyvista; do
        long_checks || break
        if ! python3 -c "import $reader" 2>/dev/null; then
            skip "there is no Python with $reader" "$reader reads lines along a boundary"
            continue
        fi
        is "$(python3 -c "import $reader
mesh = $reader.read('wave-top-0000.vtu')
(x, y, z), p, cp = mesh.points.T, mesh.point_data['p'], mesh.point_data['cp']
assert (y == 1).all() and abs(p - (2 + x**3 - x + 1)).max() < 1e-12 and abs(cp - 2 * (p - 1)).max() < 1e-12
print(len(x), 'x/c' in mesh.point_data)" 2>&1)" "28 True" "$reader reads lines along a boundary"
    done
    for bad in "--boundary top --lagrange" "--boundary top --subdivide 2" "--boundary top --format gmsh" \
        "--boundary wall" "--boundary top,top" "--reference 1,2" "--reference 1,0,1"; do
        # shellcheck disable=SC2086
        run_edgewise export wave.nc $bad -o refused.vtu
        is "$code" 64 "export $bad is a usage error"
    done
}

# Gmsh computes adaptive views from the interpolation scheme; without it, it would have only the corners.
test_gmsh()
{
    if ! command -v gmsh >/dev/null; then
        skip "there is no gmsh" "Gmsh reads the views"
        return
    fi
    cat >cut.geo <<'END'
Merge "views.msh";
View[0].AdaptVisualizationGrid = 1;
View[0].MaxRecursionLevel = 5;
View[0].TargetError = 0;
Plugin(CutPlane).A = -0.51;
Plugin(CutPlane).B = 1;
Plugin(CutPlane).C = 0;
Plugin(CutPlane).D = 0;
Plugin(CutPlane).View = 0;
Plugin(CutPlane).Run;
Save View[2] "cut.pos";
END
    for name in wave narrow; do
        rm -f cut.pos
        "$edgewise" export $name.nc --quiet --frame 0 --field p,rho_mean -o views.msh
        gmsh cut.geo - >gmsh.log 2>&1
        ok $? "Gmsh reads the views of $name.nc" || diag "$(tail -n 5 gmsh.log)"
        is "$(tr -d ' ' <cut.pos | awk -F'[(){},]' '/^SL/ {
                for (k = 0; k < 2; k++) {
                    x = $(2 + 3 * k); y = $(3 + 3 * k); p = $(9 + k)
                    difference = p - (2 + x^3 - x * y^2 + y)
                    if (difference < 0) difference = -difference
                    if (difference > worst) worst = difference
                    points++
                }
            } END { print (points > 300), (worst < 2e-3) }')" "1 1" \
                "Gmsh has the polynomials of $name.nc from the interpolation scheme"
    done
}

test_files
test_single
test_usage
test_vtk
test_other_readers
test_boundaries
test_gmsh
done_testing
