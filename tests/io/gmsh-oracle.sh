#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Meshes written by Gmsh itself: all four formats give the same mesh, with the numbers that Gmsh reports.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

dump=$top_builddir/tests/mesh/mesh-dump
test -x "$dump" || bail_out "$dump has not been built"
command -v gmsh >/dev/null 2>&1 || skip_all "the program gmsh is not installed (Debian and Ubuntu: apt install gmsh)"

# A channel with a round hole, two surfaces with a common curve inside, and a name that belongs to two curves.
cat >channel.geo <<'END'
h = 0.09;
Point(1) = {0, 0, 0, h}; Point(2) = {3, 0, 0, h/2}; Point(3) = {3, 1, 0, h}; Point(4) = {0, 1, 0, h};
Point(5) = {2, 0, 0, h}; Point(6) = {2, 1, 0, h};
Point(7) = {0.9, 0.5, 0, h/3}; Point(8) = {0.7, 0.5, 0, h/3}; Point(9) = {1.1, 0.5, 0, h/3};
Line(1) = {1, 5}; Line(2) = {5, 2}; Line(3) = {2, 3}; Line(4) = {3, 6};
    Line(5) = {6, 4}; Line(6) = {4, 1}; Line(7) = {5, 6};
Circle(8) = {8, 7, 9}; Circle(9) = {9, 7, 8};
Curve Loop(1) = {1, 7, 5, 6}; Curve Loop(2) = {8, 9}; Curve Loop(3) = {2, 3, 4, -7};
Plane Surface(1) = {1, 2};
Plane Surface(2) = {3};
Physical Curve("in", 11) = {6};
Physical Curve("out", 12) = {3};
Physical Curve("walls", 13) = {1, 2, 4, 5};
Physical Curve("the cylinder", 14) = {8, 9};
Physical Curve("interface", 15) = {7};
Physical Surface("gas", 16) = {1, 2};
END

mesh_with_gmsh() # FORMAT BINARY FILE [OPTIONS...]
{
    format=$1 binary=$2 file=$3
    shift 3
    gmsh -2 -v 1 -nt 1 -setnumber Mesh.Binary "$binary" "$@" channel.geo -format "$format" \
        -o "$file" >.gmsh 2>&1 </dev/null
    ok $? "gmsh writes $file" || diag "$(cat .gmsh)"
}

# Element lines of a type (and a physical group) in an ASCII file of version 2.2.
count_elements() # TYPE [GROUP]
{
    awk -v type="$1" -v group="${2:-}" '
        /^\$Elements/ { inside = 1; getline; next }
        /^\$EndElements/ { inside = 0 }
        inside && $2 == type && (group == "" || $4 == group) { count++ }
        END { print count + 0 }' msh22-0.msh
}

value_of() # KEY
{
    printf '%s\n' "$first" | sed -n "s/^$1 //p"
}

test_formats()
{
    first=
    for format in msh22 msh41; do
        for binary in 0 1; do
            mesh_with_gmsh "$format" "$binary" "$format-$binary.msh"
            dumped=$("$dump" "$format-$binary.msh" 2>&1)
            ok $? "$format-$binary.msh is read" || diag "$dumped"
            test -n "$first" || first=$dumped
            is "$dumped" "$first" "$format-$binary.msh has the same mesh as the first one"
        done
    done
    is "$(head -n 2 msh41-1.msh | tail -n 1)" "4.1 1 8" "the last one is binary and of version 4.1"
}

test_counts()
{
    is "$(value_of elements)" "$(count_elements 2)" "the number of elements is Gmsh's"
    is "$(value_of 'boundary in')" "$(count_elements 1 11)" "the edges of a boundary are Gmsh's lines"
    is "$(value_of 'boundary out')" "$(count_elements 1 12)" "the edges of another one too"
    is "$(value_of 'boundary walls')" "$(count_elements 1 13)" "a name of several curves has the lines of all"
    is "$(value_of 'boundary the cylinder')" "$(count_elements 1 14)" "a name may have a space"
    is "$(value_of 'boundary interface')" "" "a curve between two surfaces is no boundary"
    boundary=$(($(count_elements 1) - $(count_elements 1 15)))
    is "$(value_of boundary_edges)" "$boundary" "all other lines are boundary edges"
    is "$((2 * $(value_of edges) - boundary))" "$((3 * $(value_of elements)))" "three sides a triangle make the edges"
}

test_second_order()
{
    for format in msh22 msh41; do
        for binary in 0 1; do
            mesh_with_gmsh "$format" "$binary" "second-$format-$binary.msh" -order 2
            dumped=$("$dump" "second-$format-$binary.msh" 2>&1)
            is "$(printf '%s\n' "$dumped" | sed 's/^middles .*/middles 0/')" "$first" \
                "second-$format-$binary.msh has the same corners"
            contains "$dumped" "middles $boundary" "and all its boundary edges have middles"
        done
    done
}

test_others()
{
    mesh_with_gmsh msh41 0 order3.msh -order 3
    contains "$("$dump" order3.msh 2>&1)" "Mesh.ElementOrder = 2" "a mesh of order 3 is refused with advice"
    mesh_with_gmsh msh41 1 quads.msh -setnumber Mesh.RecombineAll 1
    contains "$("$dump" quads.msh 2>&1)" "edgewise mesh convert quads.msh" "quadrangles are refused with advice"
    mesh_with_gmsh msh40 0 version4.msh
    contains "$("$dump" version4.msh 2>&1)" "only 2.0 to 2.2 and 4.1 are read" "version 4.0 is refused with advice"
    mesh_with_gmsh msh1 0 version1.msh
    contains "$("$dump" version1.msh 2>&1)" "only 2.0 to 2.2 and 4.1 are read" "version 1 is refused with advice"
    mesh_with_gmsh msh41 0 all.msh -setnumber Mesh.SaveAll 1
    is "$("$dump" all.msh 2>&1)" "$first" "with Mesh.SaveAll, points and unused nodes are passed over"
    for format in msh22 msh41; do
        for binary in 0 1; do
            mesh_with_gmsh $format $binary parametric.msh -setnumber Mesh.SaveParametric 1
            is "$("$dump" parametric.msh 2>&1)" "$first" "with Mesh.SaveParametric, parametric coordinates are skipped"
            mesh_with_gmsh $format $binary parts.msh -part 3
            is "$("$dump" parts.msh 2>&1)" "$first" "a mesh in three parts is one mesh"
        done
    done
}

# A negative group, a curve in reverse, and a surface in two groups.
test_groups()
{
    sed 's/("in", 11) = {6}/("in", -11) = {-6}/' channel.geo >groups.geo
    echo 'Physical Surface("all", 17) = {1, 2};' >>groups.geo
    for format in msh22 msh41; do
        for binary in 0 1; do
            gmsh -2 -v 1 -nt 1 -setnumber Mesh.Binary $binary groups.geo -format $format -o groups.msh >.gmsh 2>&1
            is "$("$dump" groups.msh 2>&1)" "$first" "$format-$binary: groups of other signs, and two of a surface"
        done
    done
}

test_formats
test_counts
test_second_order
test_others
test_groups
done_testing
