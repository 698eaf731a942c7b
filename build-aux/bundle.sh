#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bundle.sh PROGRAM SOURCE FOLDER: makes FOLDER with bin/edgewise, lib/ (every shared library that PROGRAM needs, but
# for the C library's own and the GPU driver), the examples and the manual.
set -eu
program=$1 source=$2 folder=$3
# shellcheck source=build-aux/libraries.sh
. "$source/build-aux/libraries.sh"
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/lib" "$folder/man"
cp "$program" "$folder/bin/edgewise"
strip --strip-debug "$folder/bin/edgewise" 2>/dev/null || true
copy_libraries "$program" "$folder/lib"
cp -R "$source/examples" "$folder/"
cp "$source"/man/*.[1-9] "$folder/man/"
cp "$source/LICENSE" "$source/README.md" "$folder/"
printf 'edgewise, relocatable: bin/edgewise runs where this folder lies; %s It needs glibc %s or later.\n' \
    'examples/ has cases.' \
    "$(ldd --version | sed -n '1s/.* //p')" >"$folder/BUNDLE"
echo "$folder: $(du -sh "$folder" | cut -f1), made of $(ls "$folder/lib" | wc -l) libraries; copy it as it is"
