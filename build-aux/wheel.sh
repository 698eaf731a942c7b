#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# wheel.sh LIBRARY SOURCE PYTHON: makes edgewise-VERSION-py3-none-PLATFORM.whl in the current folder, with LIBRARY and
# the libraries that it needs beside the package's modules. PYTHON needs pip and setuptools; pip fetches the latter.
set -eu
library=$1 source=$2 python=$3
# shellcheck source=build-aux/libraries.sh
. "$source/build-aux/libraries.sh"
rm -rf wheel
mkdir -p wheel/edgewise/lib
cp "$source/python/pyproject.toml" "$source/python/README.md" wheel/
cp "$source"/python/edgewise/*.py "$source/python/edgewise/py.typed" wheel/edgewise/
chmod -R u+w wheel # sources of a tarball may be read-only
cp "$library" wheel/edgewise/lib/libedgewise-python.so
# The compiler's own come with NumPy's needs: a second, older libstdc++ would be in the way of other packages.
copy_libraries "$library" wheel/edgewise/lib libstdc++.so.6 libgcc_s.so.1
strip --strip-debug wheel/edgewise/lib/libedgewise-python.so 2>/dev/null || true
platform=$("$python" -c 'import sysconfig; print(sysconfig.get_platform().replace("-", "_").replace(".", "_"))')
isolation=
! "$python" -c 'import setuptools; import sys; v = setuptools.__version__.split(".")
sys.exit((int(v[0]), int(v[1])) < (70, 1))' 2>/dev/null || isolation=--no-build-isolation
rm -f edgewise-*.whl
# shellcheck disable=SC2086 # one word or none
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps $isolation --wheel-dir . \
    --config-settings="--build-option=--plat-name=$platform" ./wheel
for wheel in edgewise-*.whl; do
    echo "$wheel: $(du -sh "$wheel" | cut -f1), $(ls wheel/edgewise/lib | wc -l) libraries"
done
