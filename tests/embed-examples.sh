#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# examples/embed: built by the installed pkg-config files, they run and say what their README says.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
test -e "$top_builddir/.libs/libedgewise-case.so" || skip_all "libedgewise-case was built without its shared library"
for word in asan ubsan tsan; do
    ! nm -D "$top_builddir/.libs/libedgewise-case.so" 2>/dev/null | grep -q "__${word}_" ||
        skip_all "the library needs a sanitizer's runtime"
done
pkg-config --version >/dev/null 2>&1 || skip_all "there is no pkg-config"

root=$tmp/root
${MAKE:-make} -s -C "$top_builddir" DESTDIR="$root" install-includeHEADERS install-pkgconfigDATA >log 2>&1 ||
    bail_out "headers and pkg-config files cannot be installed: $(tail -n 5 log)"
file=$(find "$root" -name edgewise-case.pc)
PKG_CONFIG_PATH=$(dirname "$file") PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
moved=$tmp/moved${file#"$root"}
mkdir -p "${moved%/lib/pkgconfig/*}" && cp -R "${file%/lib/pkgconfig/*}/." "${moved%/lib/pkgconfig/*}"
if pkg-config --define-prefix --version >/dev/null 2>&1 && test -e "$moved"; then
    is "$(PKG_CONFIG_SYSROOT_DIR='' PKG_CONFIG_PATH=$(dirname "$moved") \
        pkg-config --define-prefix --variable=includedir edgewise-case)" "${moved%/lib/pkgconfig/*}/include" \
        "pkg-config --define-prefix finds a tree that was moved"
else
    skip "pkg-config has no --define-prefix, or the libraries are in no lib" "a tree that was moved"
fi
libdir=$root$(pkg-config --variable=libdir edgewise | sed "s|^$root||")
# libtool would link them anew, in the build, which other tests are using.
cp -P "$top_builddir"/.libs/libedgewise.so* "$top_builddir"/.libs/libedgewise-case.so* "$libdir/"
LD_LIBRARY_PATH=$libdir
export LD_LIBRARY_PATH
examples=$srcdir/examples/embed

compile() # LANGUAGE COMPILER PACKAGE SOURCE PROGRAM
{
    # shellcheck disable=SC2046,SC2086 # several words
    $2 -Wall -Wextra -Werror "$examples/$4" $(pkg-config --cflags --libs "$3") -lm -o "$5" >log 2>&1
    ok $? "the $1 example compiles with pkg-config $3" || diag "$(head -n 20 log)"
}

compile C "${EW_CC:-cc} -std=c11 -pedantic-errors" edgewise-case sensor.c sensor
out=$(./sensor "$examples/sensor.cfg" 1.1 2>&1)
contains "$out" "interrupted at t = 0.3" "the sensor ends the run when the blast arrives"
run_edgewise plot --list sensor.interrupted.nc
contains "$out" "t = 0.311" "its file is whole, and ends there"
./sensor "$examples/sensor.cfg" >/dev/null 2>&1
is $? 64 "without a pressure it says how it is used"

echo 'int main() { return 0; }' >probe.cc
# shellcheck disable=SC2086 # maybe several words: ccache g++
if $EW_CXX probe.cc -o probe >/dev/null 2>&1; then
    compile C++ "$EW_CXX -std=c++11" edgewise piston.cc piston
    near=$(./piston 2>&1 | awk '{ d = $5 - $8; if (d < 0) d = -d; if (d < 1e-4) near++ } END { print NR, near }')
    is "$near" "5 5" "the piston is the damped oscillator that it should be"
else
    skip "there is no C++ compiler" "the C++ example compiles with pkg-config edgewise"
fi

python=${EW_PYTHON:-python3}
if "$python" -c 'import sys, numpy; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
    out=$(PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$srcdir/python EDGEWISE_LIBRARY=$libdir/libedgewise-case.so \
        "$python" "$examples/plenum.py" 2>&1)
    open=$(printf '%s\n' "$out" | sed -n 's/.*open by \([0-9.e-]*\) .*/\1/p')
    ok "$(awk -v open="$open" 'BEGIN { print !(open != "" && open < 1e-12) }')" \
        "the Python example closes its balance of mass" || diag "$out"
else
    skip "there is no Python 3.9 with numpy" "the Python example closes its balance of mass"
fi
done_testing
