#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The notebook in examples, executed on the library of the build.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
python=${EW_PYTHON:-python3}
"$python" -c 'import sys, numpy, matplotlib; sys.exit(sys.version_info < (3, 9))' 2>/dev/null ||
    skip_all "there is no Python 3.9 with numpy and matplotlib"
EDGEWISE_LIBRARY=$top_builddir/.libs/libedgewise-case.so
test -e "$EDGEWISE_LIBRARY" || skip_all "libedgewise-case was built without its shared library"
! nm -D "$EDGEWISE_LIBRARY" 2>/dev/null | grep -q -E '__(asan|ubsan|tsan)_' ||
    skip_all "the library needs a sanitizer's runtime"
PYTHONPATH=$srcdir/python PYTHONDONTWRITEBYTECODE=1 MPLBACKEND=Agg
export EDGEWISE_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE MPLBACKEND
for notebook in "$srcdir"/examples/notebook/*.ipynb; do
    out=$("$python" "$srcdir/tests/python/notebook.py" "$notebook" 2>&1)
    is $? 0 "$(basename "$notebook") runs" || diag "$(printf '%s\n' "$out" | tail -n 20)"
    diag "$(printf '%s\n' "$out" | tail -n 1)"
done
done_testing
