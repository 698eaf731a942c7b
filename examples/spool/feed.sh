#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Meshes ramps of 2, 4, 6, ... degrees, and submits each as soon as its mesh is there, while earlier ones run already.
# usage: feed.sh SPOOL [VARIANTS [MESH-SIZE [OPTIONS OF SUBMIT]]]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
edgewise=${EDGEWISE:-edgewise}
test $# -ge 1 || { echo "usage: feed.sh SPOOL [VARIANTS [MESH-SIZE [OPTIONS OF SUBMIT]]]" >&2; exit 64; }
spool=$1 variants=${2:-10} size=${3:-0.02}
shift; test $# -eq 0 || shift; test $# -eq 0 || shift

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/wedge.cfg" "$work"
k=1
while test "$k" -le "$variants"; do
    angle=$((2 * k))
    gmsh -2 -v 1 -nt 1 -setnumber angle $angle -setnumber h "$size" "$here/wedge.geo" -o "$work/wedge.msh" </dev/null
    "$edgewise" submit --spool "$spool" --name "$(printf 'wedge-%02d' $angle)" "$@" "$work/wedge.cfg"
    k=$((k + 1))
done
