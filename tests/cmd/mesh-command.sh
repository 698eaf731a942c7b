#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# edgewise mesh: info, refine along curves, convert; refused arguments; and its meshes read by Gmsh.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
dump=$top_builddir/tests/mesh/mesh-dump

annulus=$srcdir/examples/vortex/annulus-A.msh
vortex=$srcdir/examples/vortex/vortex.cfg

value_of() # KEY FILE: a number of "mesh info --json"
{
    "$edgewise" mesh info --json "$2" | sed -n "s/.*\"$1\": \([^,}]*\).*/\1/p"
}

test_info()
{
    run_edgewise mesh info "$annulus"
    is "$code" 0 "info of a mesh"
    for part in "180 elements, 293 edges, 114 nodes" "inner: 16 edges, length 1.57" "edges      length" \
        "smallest" "ratio"; do
        contains "$out" "$part" "info has \"$part\""
    done
    run_edgewise mesh info --json "$annulus"
    is_json "info --json"
    contains "$out" '"error": null' "without an error"
    contains "$out" '"name": "inner", "edges": 16' "with the boundaries"
    total=$(value_of angle_histogram "$annulus" | tr -d '[] ')
    contains "$out" '"angle_histogram": [0, 0, 0, 0, 0, 0, ' "and histograms"
    test -n "$total"
    ok $? "which are not empty"
    write_box box.cfg
    run_edgewise mesh info box.cfg
    contains "$out" "32 elements" "info of a case's rectangle"
    run_edgewise mesh info --set 'mesh.rectangle.cells=[2,3]' box.cfg
    contains "$out" "12 elements" "with another number of cells"
}

# The exact area is pi/4 (1.384^2 - 1); the polygon's error falls by four.
test_refine()
{
    for times in 1 2 3; do
        run_edgewise mesh refine --times $times -o "normals$times.msh" "$vortex"
        is "$code" 0 "the vortex' mesh is refined $times times along its normals"
        contains "$out" "inner: the curve of the case's normals" "and a line says so"
        run_edgewise mesh refine --times $times -o circles$times.msh --circle inner=0,0,1 --circle outer=0,0,1.384 \
            "$annulus"
        is "$code" 0 "and along circles"
    done
    contains "$out" "inflow: straight edges" "what is straight is said, too"
    for kind in normals circles; do
        awk -v a="$(value_of area ${kind}1.msh)" -v b="$(value_of area ${kind}2.msh)" \
            -v c="$(value_of area ${kind}3.msh)" 'BEGIN {
            exact = atan2(0, -1) / 4 * (1.384^2 - 1)
            exit !((exact - a) / (exact - b) > 3.9 && (exact - b) / (exact - c) > 3.9 &&
                exact - c < 2e-6 && exact > c) }'
        ok $? "$kind: the area converges to the annulus'"
    done
    run_edgewise mesh refine -o spline.msh --spline inner --spline outer "$annulus"
    is "$code" 0 "and along splines"
    is "$err" "" "... without a message"
    run_edgewise mesh refine -o spline.msh --corner 0.1 --spline inner --spline outer "$annulus"
    contains "$err" 'boundary "inner": its' "splines whose nodes are all corners are reported"
    contains "$err" "meet at more than 0.1 degrees everywhere" "... with the angle"
    run_edgewise mesh refine -o straight.msh --straight inner --straight outer "$vortex"
    is "$(value_of area straight.msh | cut -c 1-14)" "$(value_of area "$annulus" | cut -c 1-14)" \
        "--straight leaves the polygon"
    run_edgewise run --no-output --json --end 0.05 --set 'mesh="'"$tmp"'/normals1.msh"' "$vortex"
    is "$code" 0 "the case runs on the finer mesh"
}

# A periodic pair keeps its names, and still matches.
test_periodic()
{
    write_box box.cfg 3
    sed -e 's/left  *= {.*/left = { kind = "periodic"; with = "right"; };/' -e '/  right *=/d' \
        -e 's/exact = "initial";//' \
        -e 's/state = "exact"/state = "initial"/' box.cfg >pair.cfg
    run_edgewise mesh convert -o pair.msh pair.cfg
    is "$code" 0 "a rectangle with a periodic pair is converted"
    run_edgewise mesh refine -o finer.msh --binary --format 2.2 pair.cfg
    is "$code" 0 "and refined"
    for mesh in pair.msh finer.msh; do
        sed "s|^mesh.*|mesh = \"$mesh\";|" pair.cfg >again.cfg
        run_edgewise check again.cfg
        is "$code" 0 "$mesh: the pair is found again" || diag "$err"
    done
    run_edgewise mesh refine -o finest.msh again.cfg
    is "$code" 0 "a case with a mesh file and a pair is refined, too"
}

test_convert()
{
    run_edgewise mesh convert -o a.msh --format 2.2 "$annulus"
    is "$code" 0 "converted to 2.2"
    run_edgewise mesh convert -o b.msh --binary a.msh
    run_edgewise mesh convert -o c.msh --format 2.2 --binary b.msh
    run_edgewise mesh convert -o d.msh c.msh
    run_edgewise mesh convert -o e.msh --format 2.2 d.msh
    cmp -s a.msh e.msh
    ok $? "through all formats and back, no byte is different"
    is "$("$dump" d.msh)" "$("$dump" "$annulus")" "it is the mesh that it was"
    write_box box.cfg
    is "$("$edgewise" run --no-output --json box.cfg | sed -n 's/.*"state_hash": \("[0-9a-f]*"\).*/\1/p')" \
       "$("$edgewise" mesh convert --quiet -o box.msh box.cfg &&
           "$edgewise" run --no-output --json --set 'mesh="box.msh"' box.cfg |
          sed -n 's/.*"state_hash": \("[0-9a-f]*"\).*/\1/p')" "a rectangle as a file gives the same bits"
}

refuses() # CODE PART DESCRIPTION ARGUMENTS
{
    wanted=$1 part=$2 what=$3
    shift 3
    run_edgewise "$@"
    is "$code" "$wanted" "$what: exit status $wanted"
    contains "$err" "$part" "$what: a sentence"
}

test_refusals()
{
    refuses 64 "needs an action and a mesh" "no action" mesh
    refuses 64 "info, refine and convert" "an unknown action" mesh improve a.msh
    refuses 64 "takes one mesh" "no mesh" mesh info
    refuses 64 "takes one mesh" "two meshes" mesh info a.msh b.msh
    refuses 64 "does not take --times" "an option of another action" mesh convert --times 2 -o x.msh a.msh
    refuses 64 "does not take --output" "info writes nothing" mesh info -o x.msh a.msh
    refuses 64 "there is no output file" "no output" mesh refine a.msh
    refuses 64 "must end in .msh, and box.cfg does not" "a name that is not a mesh's" mesh convert -o box.cfg a.msh
    refuses 64 "there are 2.2 and 4.1" "an unknown format" mesh convert --format 4.0 -o x.msh a.msh
    refuses 64 "from 1 to 20" "no times" mesh refine --times 0 -o x.msh a.msh
    refuses 64 "from 1 to 20" "too many times" mesh refine --times 99999999999999999999 -o x.msh a.msh
    refuses 64 "a mesh has at most" "a mesh that would be too large" mesh refine --times 20 -o x.msh a.msh
    refuses 64 "NAME=X,Y,R" "half a circle" mesh refine --circle inner=0,0 -o x.msh a.msh
    refuses 64 '--circle: boundary "iner" is not in the mesh; did you mean "inner"?' "a circle of no boundary" \
        mesh refine --circle iner=0,0,1 -o x.msh a.msh
    refuses 64 '--spline: boundary "iner" is not in the mesh; did you' "a spline of no boundary" \
        mesh refine --spline iner -o x.msh a.msh
    refuses 64 '--straight: boundary "wing" is not in the mesh; the mesh has ' "--straight of no boundary" \
        mesh refine --straight wing -o x.msh a.msh
    refuses 64 "would replace the mesh that is read" "the input as the output" mesh refine -o ./a.msh a.msh
    ln -s a.msh linked.msh
    refuses 64 "would replace the mesh that is read" "... by another name" mesh convert -o a.msh linked.msh
    { echo 'mesh = "a.msh";' && sed '/^mesh/d' "$vortex"; } >in.cfg
    refuses 64 "would replace the mesh that is read" "... by a case" mesh refine -o a.msh in.cfg
    for curves in "--circle inner=0,0,1 --spline inner" "--straight inner --spline inner" \
        "--circle inner=0,0,1 --circle inner=0,0,2"; do
        # shellcheck disable=SC2086 # they are words
        refuses 64 'boundary "inner" can have only one of' "two curves of a boundary, $curves" \
            mesh refine $curves -o x.msh a.msh
    done
    refuses 65 "is not on the circle" "another circle" mesh refine --circle inner=0,0,1.1 -o x.msh a.msh
    refuses 64 "--corner applies to" "a corner without a spline" mesh refine --corner 20 -o x.msh a.msh
    refuses 64 "180 degrees" "a corner that is none" mesh refine --corner 200 --spline inner -o x.msh a.msh
    refuses 64 "--set needs a case" "settings of no case" mesh info --set order=2 a.msh
    refuses 73 "cannot write nowhere/x.msh" "an output folder that is not there, before anything is read" \
        mesh refine -o nowhere/x.msh missing.msh
    : >file.msh
    refuses 73 "cannot write file.msh/x.msh: file.msh is not a folder" "a file in place of the output folder" \
        mesh refine -o file.msh/x.msh missing.msh
    rm file.msh
    if test -w /proc && ! touch /proc/edgewise 2>/dev/null; then
        run_edgewise mesh refine -o /proc/edgewise.msh a.msh
        contains "$code $err" "cannot create /proc/edgewise.msh: no file can be made in the folder /proc (" \
            "a folder that takes no files"
    else
        skip "there is no /proc that takes no files" "a folder that takes no files"
    fi
    refuses 66 "missing.msh" "a mesh that is not there" mesh info missing.msh
    head -c 3000 a.msh >cut.msh
    refuses 65 "cut.msh" "a mesh that is cut short" mesh refine -o x.msh cut.msh
    echo "no mesh" >other.msh
    refuses 65 "no format that is read: Gmsh, SU2" "a file of something else" mesh convert -o x.msh other.msh
    refuses 65 "not a Gmsh mesh" "... and not to convert it" mesh info other.msh
    run_edgewise mesh info --json cut.msh
    is_json "a failure of info --json"
    contains "$out" '"error": "cut.msh' "and has the reason"
    echo "order = 9;" >wrong.cfg
    refuses 78 "wrong.cfg" "a case that is wrong" mesh info wrong.cfg
    test -e x.msh
    is $? 1 "nothing has been written"
    cp a.msh kept.msh
    refuses 65 "is not on the circle" "a failure" mesh refine --circle inner=0,0,1.1 -o kept.msh a.msh
    cmp -s a.msh kept.msh
    ok $? "an earlier file is left as it was"
    if test -w /dev/full; then
        refuses 74 "the disk is full" "a full disk" mesh convert -o /dev/full a.msh
    fi
    is "$(find . -name '*.part')" "" "nothing half-written is left"
}

test_gmsh()
{
    for mesh in a b c d normals3 finer; do
        what="Gmsh reads $mesh.msh, and counts the same"
        if ! command -v gmsh >/dev/null; then
            skip "there is no gmsh" "$what"
            continue
        fi
        gmsh -nt 1 -v 5 $mesh.msh -save -format msh22 -o back.msh >.gmsh 2>&1 </dev/null
        grep -iq "warning\|error" .gmsh
        is "$? $("$dump" back.msh 2>&1)" "1 $("$dump" $mesh.msh)" "$what" ||
            diag "$(cat .gmsh)"
    done
}

# Terminals obey these characters; C1 controls include CSI, in UTF-8 and alone. U+202E reverses the following text.
test_control_characters()
{
    printf 's/"inner"/"\033[31min\302\233\233n\177er\342\200\256\342\200\250\303\251"/' >.script
    LC_ALL=C sed -f .script "$annulus" >escape.msh
    visible='\x1b[31min\x9b\x9bn\x7fer\u202e\u2028'
    run_edgewise mesh info escape.msh
    contains "$out" "$visible$(printf '\303\251'): 16 edges" "control characters in names are shown, letters stay"
    run_edgewise mesh info "$(printf 'no\033.msh')"
    contains "$err" 'no\x1b.msh' "... in errors, too"
    is "$(printf '%s' "$out$err" | LC_ALL=C tr -cd '\033\177\233\256\250')" "" "none reaches the terminal"
    run_edgewise mesh info --json escape.msh
    contains "$out" '\u001b[31min\u009b' "JSON has them escaped"
}

# A trapezoid whose better diagonal is 2-4, a square whose diagonals are equal, a clockwise square.
write_quads() # NODE...: of the first quadrangle
{
    cat <<END
\$MeshFormat
2.2 0 8
\$EndMeshFormat
\$PhysicalNames
2
1 1 "wall"
1 2 "in"
\$EndPhysicalNames
\$Nodes
8
1 0 0 0
2 1 0 0
3 3 1 0
4 0 1 0
5 1 -1 0
6 0 -1 0
7 0 -2 0
8 1 -2 0
\$EndNodes
\$Elements
11
1 3 2 9 9 $*
2 3 2 9 9 6 5 2 1
3 3 2 9 9 6 7 8 5
4 1 2 1 1 2 3
5 1 2 1 1 3 4
6 1 2 2 2 4 1
7 1 2 1 1 1 6
8 1 2 1 1 6 7
9 1 2 1 1 7 8
10 1 2 1 1 8 5
11 1 2 1 1 5 2
\$EndElements
END
}

test_quadrangles()
{
    write_quads 1 2 3 4 >quads.msh
    run_edgewise mesh info quads.msh
    contains "$code $err" "65 quads.msh:22: element 1 is a quadrangle (type 3), but the mesh must have triangles; to" \
        "only converting reads quadrangles"
    run_edgewise mesh convert --format 2.2 quads.msh -o split.msh
    is "$out" "quads.msh: 3 quadrangles are split into triangles
split.msh: 6 elements, 13 edges, 8 nodes, 2 boundaries" "converting splits them, and says so"
    is "$(awk '$2 == 2 && NF == 8 { printf "%s-%s-%s ", $6, $7, $8 }' split.msh)" \
        "1-2-4 2-3-4 6-5-2 6-2-1 6-7-8 6-8-5 " \
        "the better diagonal is taken, the first one of a square"
    run_edgewise mesh info split.msh
    contains "$out" "boundary   in: 1 edge, length 1" "boundaries keep their names"
    for wrong in "1 3 2 4:node 3 (3, 1)" "1 2 2 4:node 2 (1, 0)" "6 3 4 1:node 1 (0, 0)" "4 5 3 2:node 2 (1, 0)" \
        "6 2 5 1:node 2 (1, 0)"; do
        write_quads "${wrong%:*}" | tr : ' ' >wrong.msh
        run_edgewise mesh convert wrong.msh -o wrong-split.msh
        contains "$code $err" "65 wrong.msh: quadrangle 1 is not convex, or degenerate, at ${wrong#*:}" \
            "a quadrangle of the nodes ${wrong%:*} is refused"
    done
}

# A square of two triangles with a quadrangle above it, and the sections in an unusual order.
write_su2() # SECTION...
{
    for section; do
        case $section in
        dimension) printf '%% A comment.\n\nNDIME= 2\n' ;;
        elements) printf 'NELEM=3\n5 0 1 2 0\n%% between\n5\t0 2 3\n9 3 2 4 5 2\n' ;;
        points) printf 'NPOIN = 6 6\n0 0 0\n1 0 1\n1. 1e0 2\n0 1 3\n1 2\n0 2 5\n' ;;
        markers) printf 'NMARK= 3\nMARKER_TAG= solid wall \nMARKER_ELEMS= 4\n3 0 1\n3 1 2 1\n3 2 4\n3 4 5\n' &&
            printf 'MARKER_TAG=in\nMARKER_ELEMS= 2\n3 5 3\n3 3 0\nMARKER_TAG= empty\nMARKER_ELEMS= 0\n' ;;
        esac
    done
}

test_su2()
{
    write_su2 dimension elements points markers >a.su2
    run_edgewise mesh info a.su2
    contains "$code $err" "65 a.su2:1: this is an SU2 mesh; what reads it: edgewise mesh convert a.su2 -o NEW.msh" \
        "only converting reads SU2"
    run_edgewise mesh convert a.su2 -o su2.msh
    is "$code $err$out" "0 a.su2: 1 quadrangles are split into triangles
su2.msh: 4 elements, 9 edges, 6 nodes, 2 boundaries" "an SU2 mesh is converted"
    run_edgewise mesh info su2.msh
    contains "$out" "boundary   solid wall: 4 edges, length 4" "markers keep their names"
    contains "$out" "boundary   in: 2 edges, length 2" "... each of them"
    write_su2 markers points dimension elements | sed 's/$/\r/' >b.su2
    run_edgewise mesh convert --quiet b.su2 -o su2b.msh
    cmp -s su2.msh su2b.msh
    ok $? "sections may have another order and lines end with CR and LF"
    { write_su2 dimension elements points && printf 'NPERIODIC= 1\nPERIODIC_INDEX= 0\n0 0 0\n' && write_su2 markers; } |
        sed 's/^NMARK= 3/NMARK= 4\nMARKER_TAG= SEND_RECEIVE\nMARKER_ELEMS= 1\n1 0 0/' >c.su2
    run_edgewise mesh convert --quiet c.su2 -o su2c.msh
    contains "$code $err" "warning: c.su2: not taken over: NPERIODIC, PERIODIC_INDEX, SEND_RECEIVE; boundaries" \
        "what is not taken over is named"
    cmp -s su2.msh su2c.msh
    ok $? "... and the mesh is the same"
    while IFS='|' read -r change sentence; do
        sed "$change" a.su2 >wrong.su2
        run_edgewise mesh convert wrong.su2 -o wrong-su2.msh
        contains "$code $err" "65 wrong.su2$sentence" "refused: $sentence"
    done <<'END'
s/NDIME= 2/NDIME= 3/|:3: the mesh has 3 dimensions, but must have two
/NDIME/d|:28: the file ends without NDIME=
s/NDIME= 2/NDIME= 2\nNZONE= 2/|:4: the mesh has 2 zones, but must have one
s/NELEM=3/NELEM=2/|:8: a keyword such as NPOIN= should be here: there are more rows than announced
s/NELEM=3/NELEM=4/|:9: "NPOIN" stands where an element's type should be
s/NELEM=3/NELEM=99999/|:4: there should be 99999 elements, but the file ends
s/NELEM=3/NELEM=-3/|:4: the number of elements is -3
s/^5 0 1 2 0/10 0 1 2 3/|:5: element 0 is of type 10, but only triangles (5) and quadrangles (9) are read
s/^5 0 1 2 0/5 0 1 9/|: element 0 (from 0) refers to node 9, but the nodes are 0 to 5
s/^3 5 3/3 5 -3/|: line 4 (from 0) refers to node -3, but the nodes are 0 to 5
s/^9 3 2 4 5 2/9 3 4 2 5 2/|: quadrangle 2 is not convex, or degenerate, at node
s/^1 2$/1 nan/|:14: "nan" stands where a point's y-coordinate should be
s/NMARK= 3/NMARK= 2/|:29: there should be 2 markers, but the file has 3
s/MARKER_TAG= empty/MARKER_TAG=/|:27: a marker has no name
s/MARKER_TAG= solid wall//|:18: MARKER_ELEMS comes before MARKER_TAG
s/^3 5 3/1 5/|:25: a marker has an element of type 1
s/MARKER_TAG= empty/NELEM= 1/|:27: a keyword is given twice: elements
END
}

test_info
test_su2
test_quadrangles
test_control_characters
test_refine
test_periodic
test_convert
test_refusals
test_gmsh
# A triangle of second order with a curved side "arc".
cat >second.msh <<'END'
$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
1 1 "arc"
1 2 "rest"
2 3 "gas"
$EndPhysicalNames
$Nodes
6
1 0 0 0
2 1 0 0
3 0 1 0
4 0.5 0 0
5 0.6 0.6 0
6 0 0.5 0
$EndNodes
$Elements
4
1 8 2 1 1 2 3 5
2 8 2 2 2 1 2 4
3 8 2 2 2 3 1 6
4 9 2 3 3 1 2 3 4 5 6
$EndElements
END
run_edgewise mesh info second.msh
contains "$out" "of second order: 3 boundary edges" "info tells of edges of second order"
run_edgewise mesh refine second.msh -o finer.msh
contains "$err" 'second-order edges of boundary "arc" are dropped, so it stays a polygon; --spline arc' \
    "refining drops nodes in the middles of edges, and says so"
case $err in
    *'"rest"'*) false ;;
esac
ok $? "... but not of a boundary whose middles are on the straight edges"
run_edgewise mesh refine --quiet --spline arc --straight rest second.msh -o finer.msh
is "$code $err" "0 " "... not if the boundary has a curve or is to be straight"
contains "$(tr -d "\n" <finer.msh)" "0.59999999999999998 0.59999999999999998" "... which keeps them"
cat >second.cfg <<'END'
mesh = "second.msh"; law = "acoustics"; order = 1; time = { end = 1; }; initial = { p = 1; u = 0; v = 0; };
boundary = { arc = { kind = "wall"; curve = "spline"; }; rest = { kind = "wall"; }; };
END
run_edgewise check --no-estimate second.cfg
contains "$out" "arc: wall, 1 edge, a spline with 0 corners, through 1 second-order node, too" \
    "a spline goes through nodes in the middles of edges"
contains "$out" "rest: wall, 2 edges, with nodes in their middles that only curve = \"spline\" uses" \
    "... and straight walls ignore them"
run_edgewise mesh convert second.msh -o first.msh
contains "$err" '"edgewise mesh refine --spline arc" keeps them' "converting drops them, too"

done_testing
