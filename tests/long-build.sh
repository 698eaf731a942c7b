#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Building edgewise: flags that are refused, the same binaries from any folder, and what is installed, run, moved and
# uninstalled.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"

make=${MAKE:-make}
cc=${EW_CC:-cc}
test ! -f "$srcdir/config.status" || skip_all "the sources' own folder is configured, and cannot be built elsewhere"
unset MAKEFLAGS MFLAGS MAKELEVEL CFLAGS CPPFLAGS LDFLAGS

# configure_in FOLDER ARGUMENTS...: with the sources under a name beside it, so that each build sees another path of
# them.
configure_in()
{
    folder=$1
    shift
    mkdir -p "$folder/build"
    ln -sfn "$srcdir" "$folder/source"
    (cd "$folder/build" &&
        ../source/configure --quiet --without-cuda --without-sm-20 --enable-levels=base CC="$cc" CXX="${EW_CXX:-no}" \
            "$@") >log 2>&1
}

test_refused_flags()
{
    for flag in -funsafe-math-optimizations -ffp-contract=fast -fno-signed-zeros; do
        configure_in refused --without-case CFLAGS="-O1 $flag"
        is $? 1 "configure refuses $flag"
        contains "$(cat log)" "$flag" "and names it"
    done
    # A flag that configure does not know as a word is seen in a macro, or by what it does.
    cat >compiler <<END
#!/bin/sh
exec $cc "\$@" -funsafe-math-optimizations
END
    chmod +x compiler
    (cc=$PWD/compiler configure_in refused --without-case CFLAGS=-O1)
    is $? 1 "configure refuses a compiler that reorders sums by itself"
    contains "$(cat log)" "same bits everywhere" "and says why"
}

test_build()
{
    flags="--enable-static --prefix=/opt/edgewise --libdir=/opt/edgewise/lib/$(uname -m)"
    configure_in "with a space" >log 2>&1
    is $? 1 "configure refuses a folder with a space, which libtool cannot cope with"
    contains "$(cat log)" "has a space" "... and says why" || diag "$(tail -n 5 log)"
    # shellcheck disable=SC2086
    configure_in short $flags CFLAGS="-O0 -g1" || bail_out "no configure: $(cat log)"
    # shellcheck disable=SC2086
    configure_in plain/and/longer $flags CFLAGS="-O0 -g1" || bail_out "no configure: $(cat log)"
    $make -s -C short/build CFLAGS="-O1 -freciprocal-math" >log 2>&1
    contains "$(cat log)" "-freciprocal-math: the compiler would" "make refuses flags, too"
    for folder in short plain/and/longer; do
        $make -s -j2 -C "$folder/build" >log 2>&1 &&
            $make -s -C "$folder/build" install DESTDIR="$PWD/$folder/stage" >>log 2>&1
        ok $? "builds and installs in \"$folder\"" || diag "$(tail -n 20 log)"
    done
    if test "$EW_SITE" = yes; then
        $make -s -C plain/and/longer/build install-html DESTDIR="$PWD/plain/and/longer/stage" >log 2>&1 &&
            test -s plain/and/longer/stage/opt/edgewise/share/doc/edgewise/man/edgewise.1.html
        ok $? "make install-html installs pages" || diag "$(tail -n 20 log)"
    else
        skip "$EW_SITE" "make install-html installs pages"
    fi
    $make -s -C short/build check-hashes >log 2>&1
    ok $? "the bits are right without optimization, too" || diag "$(tail -n 20 log)"
    root=$PWD/plain/and/longer/stage/opt/edgewise
    lib=$root/lib/$(uname -m)
}

test_same_binaries()
{
    at=lib/$(uname -m)
    for file in bin/edgewise "$at/libedgewise.so" "$at/libedgewise-case.so" "$at/libedgewise.a"; do
        cmp "short/stage/opt/edgewise/$file" "$root/$file" >log 2>&1
        ok $? "$file is the same from two folders" || diag "$(cat log)"
    done
    is "$(grep -l -r "$PWD" "$root")" "" "nothing installed names the folder of the build"
}

# What packages ask for, whose libraries are where the linker looks; libraries and command are linked again.
test_no_rpath()
{
    contains "$(readelf -d "$root/bin/edgewise")" 'ORIGIN/../lib' "the command knows where its libraries are"
    configure_in short --prefix=/usr --libdir=/usr/lib CFLAGS="-O0 -g1" --disable-rpath &&
        rm -f short/build/edgewise short/build/libedgewise*.la &&
        $make -s -C short/build edgewise >log 2>&1
    ok $? "it is linked with --disable-rpath" || diag "$(tail -n 20 log)"
    is "$(readelf -d short/build/.libs/edgewise | grep -E 'RPATH|RUNPATH')" "" "and then leaves that to the linker"
}

test_moved()
{
    "$root/bin/edgewise" info >log 2>&1
    ok $? "the command runs below DESTDIR" || diag "$(cat log)"
    cp -R "$root" moved
    mv "$root" "$root.away"
    moved/bin/edgewise run --quiet "$srcdir/examples/free-stream/free-stream.cfg" --steps 1 --output . >log 2>&1
    ok $? "and from a folder that it was moved to" || diag "$(cat log)"
    mv "$root.away" "$root"
}

test_static()
{
    cat >static.c <<'END'
#include <edgewise.h>

int main(void)
{
    return ew_list_name(EW_LEVELS, 0) ? 0 : 1;
}
END
    words=$(PKG_CONFIG_SYSROOT_DIR=${root%/opt/edgewise} PKG_CONFIG_PATH=$lib/pkgconfig \
        pkg-config --static --cflags --libs edgewise |
        sed 's/-ledgewise/-l:libedgewise.a/')
    # shellcheck disable=SC2086
    $cc static.c -o static $words >log 2>&1 && ./static
    ok $? "pkg-config --static names all that the core needs" || diag "$words: $(cat log)"
}

test_uninstall()
{
    $make -s -C plain/and/longer/build uninstall DESTDIR="$PWD/plain/and/longer/stage" >log 2>&1
    ok $? "make uninstall" || diag "$(cat log)"
    is "$(cd "$root" && find . ! -type d)" "" "leaves no file"
    is "$(cd "$root" && find . -name '*edgewise*' -o -path '*/doc/*' -o -name pkgconfig)" "" "and no folder of its own"
}

test_refused_flags
test_build
test_same_binaries
test_no_rpath
test_moved
test_static
test_uninstall
done_testing
