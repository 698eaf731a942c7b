#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The program in libedgewise(3) compiles as C and as C++, runs, and writes what the page says.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
page=$srcdir/man/libedgewise.3
libs=$top_builddir/.libs
test -e "$libs/libedgewise-case.so" || skip_all "libedgewise-case was built without its shared library"
for word in asan ubsan tsan; do
    ! nm -D "$libs/libedgewise-case.so" 2>/dev/null | grep -q "__${word}_" ||
        skip_all "the library needs a sanitizer's runtime"
done

awk '/^\.Ed/ { inside = 0 } inside { gsub(/\\e/, "\\"); print } /^\.Bd -literal/ { inside = 1 }' "$page" >wave.c
cp wave.c wave.cc

try() # LANGUAGE SOURCE COMPILER...
{
    language=$1 source=$2
    shift 2
    "$@" -Wall -Werror -I"$srcdir/src" "$source" -o wave "$libs/libedgewise-case.so" "$libs/libedgewise.so" \
        "-Wl,-rpath,$libs" -lm >log 2>&1
    ok $? "the page's program compiles as $language" || { diag "$(head -n 20 log)"; return; }
    rm -f wave.nc
    ./wave >out 2>err
    is $? 0 "... runs" || diag "$(cat err)"
    contains "$(cat out)" "wave.nc: 6 frames, mass 0.99996908" "... and says what it wrote"
    run_edgewise plot --list wave.nc
    contains "$out" "5      t = 0.5" "... which edgewise plot reads"
}

# shellcheck disable=SC2086 # maybe several words: ccache gcc
try C wave.c ${EW_CC:-cc} -std=c11 -pedantic-errors -Wextra
echo 'int main() { return 0; }' >probe.cc
# shellcheck disable=SC2086
if $EW_CXX probe.cc -o probe >/dev/null 2>&1; then
    try C++ wave.cc $EW_CXX -std=c++11
else
    skip "there is no C++ compiler" "the page's program compiles as C++"
fi

# The commands of the page, literally, with the .pc files of this build, whose folders are those of the build.
test_commands()
{
    mkdir pc
    for file in edgewise edgewise-case; do
        sed "s|^libdir=.*|libdir=$libs|; s|^includedir=.*|includedir=$srcdir/src|" "$top_builddir/src/$file.pc" \
            >"pc/$file.pc"
    done
    printf '#include <edgewise.h>\n#include <stdio.h>\n#include <math.h>\n%s\n' \
        'int main(int count, char **words) { return !words || puts(ew_version()) < 0 || sin(count) > 1; }' >core.c
    sed -n 's/^\.Dl cc //p' "$page" >commands
    while read -r command <&3; do
        case $command in
        *edgewise-case*) cp wave.c program.c ;;
        *) cp core.c program.c ;;
        esac
        rm -f a.out
        PKG_CONFIG_PATH=$tmp/pc${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH} sh -c "${EW_CC:-cc} $command" >log 2>&1 &&
            LD_LIBRARY_PATH=$libs ./a.out >>log 2>&1
        ok $? "the page's command works: cc $command" || diag "$(head -n 20 log)"
    done 3<commands
    is "$(grep -c . commands)" 2 "the page has a command for each library"
}

if pkg-config --version >/dev/null 2>&1; then
    test_commands
else
    skip "there is no pkg-config" "the page's commands"
fi

for function in $(grep -o '^\.Fn ew_[a-z_]*' "$page" | sed 's/.Fn //' | grep -v '_$' | sort -u); do
    grep -q "EW_API.*[ *]$function(" "$srcdir"/src/edgewise*.h || missing="$missing $function"
done
is "$missing" "" "every function that the page names is in a header"
${EW_MANDOC:-mandoc} -T lint -W warning "$page" >lint 2>&1
case $? in
0) ok 0 "mandoc finds nothing wrong with the page" ;;
127) skip "there is no mandoc" "mandoc finds nothing wrong with the page" ;;
*) ok 1 "mandoc finds nothing wrong with the page"; diag "$(cat lint)" ;;
esac
done_testing
