#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Follows the advice of every sentence about a mesh, which must help. All advice is in one header; advice without a
# function try_NAME, or elsewhere, fails.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
command -v gmsh >/dev/null 2>&1 || skip_all "the program gmsh is not installed (Debian and Ubuntu: apt install gmsh)"

header=$srcdir/src/base/ewi_mesh_advice.h
PATH=$(dirname "$edgewise"):$PATH # sentences call it edgewise

cat >square.geo <<'END'
Point(1) = {0, 0, 0, 0.4}; Point(2) = {1, 0, 0, 0.4}; Point(3) = {1, 1, 0, 0.4}; Point(4) = {0, 1, 0, 0.4};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1:4}; Plane Surface(1) = {1};
END
{ cat square.geo && echo 'Physical Curve("wall", 1) = {1:4}; Physical Surface("gas", 2) = {1};'; } >named.geo

text_of() # NAME: the advice as a user reads it
{
    sed -n "s/^#define EWI_ADVICE_$1 \"\(.*\)\"\$/\1/p" "$header" | sed 's/\\"/"/g'
}

quietly_gmsh()
{
    gmsh -v 1 -nt 1 "$@" >.gmsh 2>&1 </dev/null || diag "$(cat .gmsh)"
}

is_refused() # FILE PART: the sentence is in $err
{
    run_edgewise mesh info "$1"
    contains "$err" "$2" "$name: $1 is refused with this advice"
}

is_good() # FILE [PART]
{
    run_edgewise mesh info "$1"
    contains "$code $out" "0 $1" "$name: it helps" || diag "$err"
    contains "$out" "${2:-boundary   wall}" "$name: the boundary has its name"
}

# The command at the end of the sentence, unchanged.
follow() # WORD: its first
{
    printf '%s\n' "$err" | head -n 1 | sed "s/.*: \($1 \)/\1/" >command
    sh command >.gmsh 2>&1 </dev/null
    ok $? "$name: the shell runs \"$(cat command)\"" || diag "$(cat .gmsh)"
}

try_SAVE_41()
{
    for format in msh1 msh40 msh3; do
        quietly_gmsh -2 named.geo -format $format -o old.msh
        rm -f NEW.msh
        words=
        test $format != msh1 ||
            words=', but version 1 has no names, so that boundaries are called by the numbers of their groups'
        is_refused old.msh "Gmsh converts it$words: gmsh old.msh -save"
        follow gmsh
        is_good NEW.msh "boundary   $(test $format = msh1 && echo 1 || echo wall)"
    done
}

try_2D()
{
    quietly_gmsh -1 named.geo -o named.msh
    is_refused named.msh "no triangles; mesh it in two dimensions ($(text_of 2D))"
    text_of 2D | sed 's/NAME/named/g' >command
    sh command >/dev/null 2>&1
    is_good named.msh
}

try_MAKE()
{
    cp named.geo absent.geo
    write_mesh_case absent.msh >absent.cfg
    run_edgewise check absent.cfg
    contains "$err" "Gmsh makes it: gmsh -2 absent.geo -o absent.msh" "$name: a case without its mesh has this advice"
    follow gmsh
    is_good absent.msh
}

try_GROUP()
{
    quietly_gmsh -2 square.geo -o square.msh
    is_refused square.msh "for example $(text_of GROUP)"
    { cat square.geo && text_of GROUP; } >a.geo
    echo 'Physical Curve("rest") = {3, 4}; Physical Surface("gas") = {1};' >>a.geo
    quietly_gmsh -2 a.geo -o a.msh
    is_good a.msh
}

# A plate inside the domain; the script is the sentence's, with its group number.
try_CRACK()
{
    sed 's/Plane.*/Point(5) = {0.3, 0.5, 0, 0.3}; Point(6) = {0.7, 0.5, 0, 0.3}; Line(5) = {5, 6}; &/' named.geo |
        sed '$s/^/Curve {5} In Surface {1}; Physical Curve("plate", 7) = {5}; /' >plate.geo
    quietly_gmsh -2 plate.geo -o plate.msh
    write_mesh_case plate.msh | sed '$s/};$/ plate = { kind = "wall"; }; };/' >plate.cfg
    run_edgewise check plate.cfg
    contains "$err" 'warning: plate.msh: "plate" is no boundary: its lines lie inside the mesh' \
        "$name: a case with it as a boundary has this advice"
    run_edgewise mesh info plate.msh
    contains "$err" 'warning: plate.msh: "plate" is no boundary: its lines lie' "$name: and so has a mesh"
    contains "$err" "run \"$(text_of RUN)\" with this in crack.geo, N being its physical group: Merge \"plate.msh\";" \
        "$name: with commands"
    printf '%s\n' "$err" | sed 's/.*group: //; s/= N;/= 7;/' >crack.geo
    $(text_of RUN) >.gmsh 2>&1 </dev/null
    is_good NEW.msh "boundary   plate: 4 edges" || diag "$(cat .gmsh)"
    sed -i 's/plate.msh/NEW.msh/' plate.cfg
    run_edgewise run --no-output plate.cfg
    is "$code" 0 "$name: the case runs then" || diag "$err"
}

# A square whose left and right sides have different edges.
try_PERIODIC()
{
    { grep -v '^Curve Loop' square.geo && echo 'Transfinite Curve {2} = 5; Transfinite Curve {4} = 4;' &&
        grep '^Curve Loop' square.geo && echo 'Physical Curve("right") = {2}; Physical Curve("left") = {4};
Physical Curve("wall") = {1, 3}; Physical Surface("gas") = {1};'; } >sides.geo
    quietly_gmsh -2 sides.geo -o sides.msh
    write_mesh_case sides.msh | sed '/^boundary/,$d' >sides.cfg
    echo 'boundary = { wall = { kind = "wall"; }; right = { kind = "periodic"; };
left = { kind = "periodic"; with = "right"; }; };' >>sides.cfg
    run_edgewise check sides.cfg
    contains "$err" 'N being the curve of "right" and M that of "left": Periodic Curve' \
        "$name: periodic boundaries that do not match have this advice"
    printf '%s\n' "$err" | head -n 1 | sed 's/.*: //; s/N/2/; s/M/4/' >>sides.geo
    quietly_gmsh -2 sides.geo -o sides.msh
    run_edgewise check sides.cfg
    is "$code" 0 "$name: it helps" || diag "$err"
}

try_RUN()
{
    ok 0 "$name: tried with CRACK"
}

try_ORDER()
{
    quietly_gmsh -2 -order 3 named.geo -o order.msh
    is_refused order.msh "mesh with: $(text_of ORDER)"
    { echo 'Mesh.ElementOrder = 3;' && cat named.geo && text_of ORDER; } >order.geo
    quietly_gmsh -2 order.geo -o order.msh
    is_good order.msh
}

try_ONE_FILE()
{
    { echo 'Mesh.PartitionSplitMeshFiles = 1;' && cat named.geo; } >parts.geo
    quietly_gmsh -2 -part 2 parts.geo -o parts.msh
    is_refused parts_1.msh "the file has only 1; save all parts in one file: $(text_of ONE_FILE)"
    text_of ONE_FILE >>parts.geo
    quietly_gmsh -2 -part 2 parts.geo -o parts.msh
    is_good parts.msh
}

try_CONVERT()
{
    { echo 'Mesh.RecombineAll = 1;' && cat named.geo; } >quads.geo
    for order in 1 2; do
        quietly_gmsh -2 -order $order quads.geo -o quads.msh
        rm -f NEW.msh
        is_refused quads.msh "is a quadrangle"
        follow edgewise
        is_good NEW.msh
    done
}

try_SPLINE()
{
    { cat named.geo && echo 'Mesh.ElementOrder = 2;'; } >bent.geo
    sed 's/Line(1) = {1, 2}/Point(5) = {0.5, 0, 0}; Circle(1) = {1, 5, 2}/' bent.geo >arc.geo
    quietly_gmsh -2 arc.geo -o arc.msh
    run_edgewise mesh convert arc.msh -o first.msh
    contains "$err" "$(text_of SPLINE | sed 's/%s/wall/')" "$name: converting has this advice"
    $(text_of SPLINE | sed 's/%s/wall/') arc.msh -o spline.msh >/dev/null 2>&1
    is_good spline.msh
}

try_LFS()
{
    if ! git lfs version >/dev/null 2>&1; then
        skip "git-lfs is not installed" "git lfs pull fetches the mesh"
        return
    fi
    export HOME="$tmp" GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a
    quietly_gmsh -2 named.geo -o named.msh
    {
        git init --bare far.git && git clone far.git near && cp named.msh near && cd near &&
            git lfs install --local && git lfs track '*.msh' && git add . && git commit -m mesh && git push origin HEAD
        cd "$tmp" && GIT_LFS_SKIP_SMUDGE=1 git clone far.git other && cd other && git lfs install --local --skip-smudge
    } >"$tmp/.git" 2>&1 || diag "$(cat "$tmp/.git")"
    is_refused named.msh "$(text_of LFS) fetches it"
    $(text_of LFS) >/dev/null 2>&1
    is_good named.msh
    cd "$tmp" || exit 99
}

write_mesh_case() # MESH
{
    echo "mesh = \"$1\"; order = 1; time = { end = 0.1; }; initial = { rho = 1; u = 0; v = 0; p = 1; };"
    echo 'boundary = { wall = { kind = "wall"; }; };'
}

names=$(sed -n 's/^#define EWI_ADVICE_\([A-Z0-9_]*\) .*/\1/p' "$header")
test -n "$names"
ok $? "the header has advice"
for name in $names; do
    command -v "try_$name" >/dev/null
    ok $? "the advice $name is tried here" && "try_$name"
done
found=$(cd "$srcdir" && grep -nE '"[^"]*(gmsh [-%A-Z]|Mesh\.[A-Z]|Plugin\(|Physical [CS]|git lfs|edgewise mesh)' \
    io/*.c src/mesh/*.c config/*.c cmd/mesh.c)
is "$found" "" "no sentence about a mesh has advice of its own"
done_testing
