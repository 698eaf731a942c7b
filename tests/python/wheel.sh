#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The wheel and the sdist, installed into empty environments: the wheel needs no compiler and no edgewise.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
python=${EW_PYTHON:-python3}
"$python" -c 'import venv, ensurepip' 2>/dev/null || skip_all "there is no Python with venv and pip"
"$python" -m venv "$tmp/venv" || skip_all "$python makes no environment"
own=$tmp/venv/bin/python
timeout 120 "$own" -m pip install --quiet --disable-pip-version-check numpy 'setuptools>=70.1' >"$tmp/log" 2>&1 ||
    skip_all "pip cannot install numpy and setuptools"
unset LD_LIBRARY_PATH EDGEWISE_LIBRARY

alone() # COMMAND...: without a compiler, and without this build
{
    (cd / && env -i PATH="$tmp/empty" HOME="$tmp" TMPDIR="$tmp" "$@")
}

program='
import os, tempfile, edgewise
box = {"mesh": {"rectangle": {"corners": [0, 0, 1, 1], "cells": [4, 4]}}, "order": 2, "time": {"end": 0.1},
       "initial": lambda x, y: (1 + x, 0, 0, 1), "backend": {"name": "omp"},
       "boundary": {side: {"kind": "wall"} for side in ("left", "right", "bottom", "top")}}
with tempfile.TemporaryDirectory() as folder:
    r = edgewise.run(box, folder=folder)
    print(r.end, len(r.results.times), os.path.relpath(edgewise.library_path(), os.path.dirname(edgewise.__file__)))'

mkdir "$tmp/empty"
(cd "$top_builddir" && make -s wheel PYTHON="$own") >"$tmp/log" 2>&1
is $? 0 "make wheel makes a wheel" || diag "$(cat "$tmp/log")"
diag "$(tail -n 1 "$tmp/log")"
"$own" -m pip install --quiet --disable-pip-version-check --no-index "$top_builddir"/edgewise-*.whl >"$tmp/log" 2>&1
is $? 0 "pip installs it without a network" || diag "$(cat "$tmp/log")"
is "$(alone "$own" -c "$program" 2>&1)" "end 2 lib/libedgewise-python.so" \
    "it runs a case with its own library, without a compiler"
"$own" -m pip uninstall --quiet --yes edgewise >"$tmp/log" 2>&1

cp -R "$srcdir/python" "$tmp/tree" && chmod -R u+w "$tmp/tree"
(cd "$tmp/tree" && "$own" -c 'import setuptools.build_meta as build; print(build.build_sdist(".."))') >"$tmp/log" 2>&1
is $? 0 "the tree gives an sdist" || diag "$(cat "$tmp/log")"
"$own" -m pip install --quiet --disable-pip-version-check --no-index --no-build-isolation "$tmp"/edgewise-*.tar.gz \
    >"$tmp/log" 2>&1
is $? 0 "pip installs the sdist" || diag "$(cat "$tmp/log")"
out=$(LD_LIBRARY_PATH=$top_builddir/.libs EDGEWISE_LIBRARY=$top_builddir/.libs/libedgewise-case.so \
    "$own" -c "$program" 2>&1)
contains "$out" "end 2 " "it runs a case with the library that EDGEWISE_LIBRARY names"
out=$(EDGEWISE_LIBRARY=$tmp/nowhere.so "$own" -c 'import edgewise' 2>&1)
contains "$out" "set EDGEWISE_LIBRARY to the path of libedgewise-case.so" "without a library it says what to do"
done_testing
