#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every exported function with NULL for each of its pointers, by ctypes on the library of the build.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd) || exit 99
top_builddir=$(cd "${top_builddir:-.}" && pwd) || exit 99
python=${EW_PYTHON:-python3}
library=$top_builddir/.libs/libedgewise-case.so
skip_all()
{
    echo "1..0 # SKIP $1"
    exit 0
}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || skip_all "there is no Python 3.9 or later"
test -e "$library" || skip_all "libedgewise-case was built without its shared library"
for word in asan ubsan tsan; do
    ! nm -D "$library" 2>/dev/null | grep -q "__${word}_" || skip_all "the library needs a sanitizer's runtime"
done
tmp=$(mktemp -d "${TMPDIR:-/tmp}/edgewise-nulls.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 99
LD_LIBRARY_PATH=$top_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$python" -B "$srcdir/tests/python/nulls.py" \
    "$library" "$srcdir"
