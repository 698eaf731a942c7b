#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The scripts of the examples give the files that are included with them.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
python3 -c '' 2>/dev/null || skip_all "there is no python3"

# Writes a PNG picture of 2 x 2 pixels: $1 bits, colour type $2, and the bytes of the rows with their filters, $3.
picture() # BITS COLOUR ROWS
{
    python3 -c '
import struct, sys, zlib
bits, colour, rows = int(sys.argv[1]), int(sys.argv[2]), bytes.fromhex(sys.argv[3])
def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + bytes(4)
header = struct.pack(">IIBBBBB", 2, 2, bits, colour, 0, 0, 0)
sys.stdout.buffer.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"PLTE", bytes([0, 0, 0, 255, 0, 0]))
    * (colour == 3) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))' "$@" >picture.png
}

values()
{
    python3 "$srcdir/examples/maze/picture.py" picture.png 0 0 1 | tail -n 2 | tr '\n' ' '
}

python3 "$srcdir/examples/maze/picture.py" "$srcdir/examples/maze/plan.png" -1 -1 2 >plan.asc
cmp plan.asc "$srcdir/examples/maze/plan.asc" >&2
ok $? "maze/plan.asc is what picture.py makes of maze/plan.png"
picture 8 2 00ffffff000000040000ff010101
is "$(values)" "1 0 0.9987 0.003922 " "a picture in colour, the second row of which has the filter Paeth"
picture 1 3 00400080
is "$(values)" "0 0.3333 0.3333 0 " "a picture with a palette"
picture 16 0 00000080000100000001
is "$(values)" "0 0.5 0 1.526e-05 " "a grey picture of 16 bits"
echo no >picture.png
is "$(values 2>&1)" "picture.py: picture.png is not a PNG picture" "another file"

if python3 -c 'import numpy' 2>/dev/null; then
    for set in discontinuous inclusions maze quadrants-periodic quadrants-open; do
        python3 "$srcdir/examples/well/well.py" $set $set --members 2 --cells 8 2>err
        ok $? "well.py draws members of $set" || diag "$(cat err)"
        run_edgewise run --quiet --no-output --member 2 --steps 2 $set/$set.cfg
        is "$code" 0 "a member of $set runs" || diag "$err"
    done
    cp maze/wall-0002.asc before.asc
    python3 "$srcdir/examples/well/well.py" maze maze --members 3
    cmp before.asc maze/wall-0002.asc >&2
    ok $? "a member is the same among more members"
else
    skip "there is no NumPy" "well.py draws members of The Well's sets"
fi

if python3 -c 'import gmsh, numpy' 2>/dev/null; then
    python3 "$srcdir/examples/obstacles/obstacles.py" obstacles 2 0.5 2>err
    ok $? "obstacles.py draws two flows" || diag "$(cat err)"
    run_edgewise run --quiet --no-output --member 2 --steps 2 obstacles/obstacles.cfg
    is "$code" 0 "a flow around obstacles runs" || diag "$err"
    cp obstacles/obstacles-0002.msh before.msh
    python3 "$srcdir/examples/obstacles/obstacles.py" obstacles 3 0.5
    cmp before.msh obstacles/obstacles-0002.msh >&2
    ok $? "a flow is the same among more flows"
else
    skip "there is no Gmsh for Python" "obstacles.py draws flows around obstacles"
fi
done_testing
