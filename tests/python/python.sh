#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The Python package, on the library of the build: its declarations against the headers, its behaviour, its doctests.
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd) || exit 99
top_builddir=$(cd "${top_builddir:-.}" && pwd) || exit 99
python=${EW_PYTHON:-python3}
skip_all()
{
    echo "1..0 # SKIP $1"
    exit 0
}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null || skip_all "there is no Python 3.9 or later"
# Without numpy, too: whoever changes a header and lacks it would learn of stale declarations from others.
if ! "$python" -c 'import numpy' 2>/dev/null; then
    echo 1..2
    "$python" "$srcdir/python/generate.py" "$srcdir/src" | cmp - "$srcdir/python/edgewise/_c.py" >&2 || printf 'not '
    echo "ok 1 - the declarations are those that python/generate.py makes of the headers"
    echo "ok 2 - the package # SKIP $python has no numpy"
    exit 0
fi
EDGEWISE_LIBRARY=$top_builddir/.libs/libedgewise-case.so
test -e "$EDGEWISE_LIBRARY" || skip_all "libedgewise-case was built without its shared library"
for word in asan ubsan tsan; do
    ! nm -D "$EDGEWISE_LIBRARY" 2>/dev/null | grep -q "__${word}_" || skip_all "the library needs a sanitizer's runtime"
done
LD_LIBRARY_PATH=$top_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
PYTHONPATH=$srcdir/python${PYTHONPATH:+:$PYTHONPATH}
PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg EW_SRCDIR=$srcdir
export EDGEWISE_LIBRARY LD_LIBRARY_PATH PYTHONPATH PYTHONDONTWRITEBYTECODE MPLBACKEND EW_SRCDIR
tmp=$(mktemp -d "${TMPDIR:-/tmp}/edgewise-python.XXXXXX") || exit 99
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 99
"$python" "$srcdir/tests/python/tap.py" "$@"
