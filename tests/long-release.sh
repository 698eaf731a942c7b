#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A release: its tarball has configure and the GTX 580's code, and needs neither the Autotools nor clang.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"

make=${MAKE:-make}
cc=${EW_CC:-cc}
test ! -f "$srcdir/config.status" || skip_all "the sources' own folder is configured, and cannot be built elsewhere"
unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS CPPFLAGS LDFLAGS

clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -S -o - /dev/null >log 2>&1 ||
    skip_all "there is no clang that makes code for sm_20"
mkdir -p build release none
(cd build && "$srcdir/configure" --quiet --without-cuda --with-sm-20 CC="$cc" CXX=no && $make -s dist) >log 2>&1
ok $? "make dist" || bail_out "$(tail -n 20 log)"
xz -dc build/edgewise-*.tar.xz | tar -C release -xf -
release=$(echo release/edgewise-*)
for tool in autoconf autoheader automake aclocal autoreconf autom4te libtoolize clang; do
    printf '#!/bin/sh\necho "%s is called" >&2\nexit 1\n' $tool >none/$tool
done
chmod +x none/*
(PATH=$PWD/none:$PATH && cd "$release" && ./configure --quiet --without-cuda CC="$cc" &&
    $make -s cuda/libewi_cuda_la-images.lo) >log 2>&1
ok $? "its tarball is configured and built without Autotools" || diag "$(tail -n 20 log)"
is "$(sed -n "s/^ew_sm_20='\(.*\)'/\1/p" "$release/config.log")" "yes, as it came" "it has the GTX 580's code"
contains "$(nm "$release"/cuda/.libs/libewi_cuda_la-images.o)" sm_20 "... which is built in"
done_testing
