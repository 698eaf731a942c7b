#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# bundle.sh PROGRAM SOURCE FOLDER: makes FOLDER with bin/edgewise, lib/ (every shared library that PROGRAM needs, but
# for the C library's own and the GPU driver), the examples and the manual.
set -eu
program=$1 source=$2 folder=$3
rm -rf "$folder"
mkdir -p "$folder/bin" "$folder/lib" "$folder/man"
cp "$program" "$folder/bin/edgewise"
strip --strip-debug "$folder/bin/edgewise" 2>/dev/null || true
ldd "$program" | awk '$2 == "=>" && $3 ~ "^/" { print $3 }' | while read -r library; do
    case $(basename "$library") in
    libc.so.* | libm.so.* | libdl.so.* | libpthread.so.* | librt.so.* | \
        libresolv.so.* | libutil.so.* | ld-linux* | libcuda.so.*) ;;
    *) cp -L "$library" "$folder/lib/" ;;
    esac
done
if ldd "$program" | grep 'not found'; then
    echo "bundle.sh: these libraries are missing" >&2
    exit 1
fi
cp -R "$source/examples" "$folder/"
cp "$source"/man/*.[1-9] "$folder/man/"
cp "$source/LICENSE" "$source/README.md" "$folder/"
printf 'edgewise, relocatable: bin/edgewise runs where this folder lies; %s It needs glibc %s or later.\n' \
    'examples/ has cases.' \
    "$(ldd --version | sed -n '1s/.* //p')" >"$folder/BUNDLE"
echo "$folder: $(du -sh "$folder" | cut -f1), made of $(ls "$folder/lib" | wc -l) libraries; copy it as it is"
