#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The rooms of the house: each includes only what its README allows, no include or call runs back, names are unique.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
cd "$srcdir" || exit 1
rooms="src src/base src/formula src/method src/kernels src/mesh src/plan src/step src/comm
    omp cuda cuda/fused config io plot cli run spool cmd"
sources=$(find src omp cuda config io plot cli run spool cmd -name '*.[ch]' -o -name '*.cu')

# LINES: "FILE INCLUDED", each include of ours by its path in the tree
includes()
{
    # shellcheck disable=SC2086 # a list
    awk 'FNR == 1 { folder = FILENAME; sub(/\/[^\/]*$/, "", folder) }
        /^[ \t]*#[ \t]*include[ \t]*"/ { split($0, part, "\""); print FILENAME, folder, part[2] }' $sources |
        while read -r file folder name; do
            for at in "$folder" $rooms; do
                test -f "$at/$name" || continue
                echo "$file $at/$name"
                break
            done
        done
}

# The rooms that a room may include, by its README; a file stands for itself.
allowed()
{
    sed -n 's/^May include: //p' "$1/README"
}

test_readmes()
{
    for room in $rooms; do
        lines=$(wc -l <"$room/README")
        ok "$(test "$lines" -ge 2 && test "$lines" -le 6 && test -n "$(allowed "$room")"; echo $?)" \
            "$room/README says in five lines or less what lives there, and what it may include"
    done
}

# An awk function: the room of a path. src/method/README describes those of four other folders.
room_of='function room_of(path) {
    sub(/\/[^\/]*$/, "", path)
    return path ~ /^src\/(tables|physics|flux|limiter)$/ ? "src/method" : path
}'

test_includes()
{
    for room in $rooms; do
        echo "$room $(allowed "$room")"
    done >"$tmp/allowed"
    bad=$(awk "$room_of"'
        NR == FNR { for (k = 2; k <= NF; k++) may[$1, $k]; next }
        { from = room_of($1); to = $2; sub(/\/[^\/]*$/, "", to) }
        !((from, to) in may) && !((from, $2) in may) { print $1 " includes " $2 }' "$tmp/allowed" "$tmp/includes")
    is "$bad" "" "no room includes what its README does not name"
}

run_one_way() # ARROWS DESCRIPTION
{
    tsort "$1" >/dev/null 2>"$tmp/circles"
    is "$(cat "$tmp/circles")" "" "$2"
}

test_circles()
{
    for room in $rooms; do
        for other in $(allowed "$room"); do
            test "$other" != "$room" && test -e "$other/README" && echo "$other $room"
        done
    done >"$tmp/arrows"
    run_one_way "$tmp/arrows" "the arrows between rooms run one way"
    # A room's README may name single files of another one; the public headers belong to all.
    awk "$room_of"' !/ src\/edgewise[a-z-]*\.h$/ && room_of($1) != room_of($2) { print room_of($2), room_of($1) }' \
        "$tmp/includes" | sort -u >"$tmp/arrows"
    run_one_way "$tmp/arrows" "so do those of the includes, file by file"
    run_one_way "$tmp/includes" "no header includes itself through others"
}

# LINES: "CALLING CALLED", each call of one file's functions to another's; function pointers are no calls.
calls()
{
    files=$(printf '%s\n' $sources | sed -n 's/\.c$//p')
    cd "$top_builddir" || return
    objects=$(for file in $files; do
        ls "${file%/*}"/*-"${file##*/}.o" "${file%/*}"/.libs/*-"${file##*/}.o" 2>/dev/null
    done)
    test -n "$objects" && command -v objdump >/dev/null || return
    # shellcheck disable=SC2086 # a list
    { nm -A --defined-only $objects; objdump -r $objects; } | awk '
        function source(object) {
            sub(/:.*/, "", object)
            sub(/\.libs\//, "", object)
            sub(/[^\/]*-/, "", object)
            sub(/\.o$/, ".c", object)
            return object
        }
        NF > 1 && $(NF - 1) ~ /^[TW]$/ { file_of[$NF] = source($1) }
        / file format / { from = source($1) }
        $2 ~ /^R_.*_(PLT32|CALL26|JUMP26)$/ {
            sub(/[-+]0x[0-9a-f]+$/, "", $3)
            called[from, $3]
        }
        END {
            for (call in called) {
                split(call, part, SUBSEP)
                to = file_of[part[2]]
                if (to && to != part[1])
                    print part[1], to
            }
        }' | sort -u
}

test_calls()
{
    description="the functions of no two files call each other in a circle"
    (calls) >"$tmp/calls"
    if test -s "$tmp/calls"; then
        run_one_way "$tmp/calls" "$description"
    else
        skip "no objects, or none that objdump reads" "$description"
    fi
}

test_names()
{
    twice=$(printf '%s\n' $sources | grep '\.h$' | sed 's/.*\///' | sort | uniq -d)
    is "$twice" "" "no two headers have one name"
    twice=$(printf '%s\n' $sources | grep '^src/.*\.c$' | sed 's/.*\///' | sort | uniq -d)
    is "$twice" "" "no two sources of the core have one name, which libtool would have to copy"
}

test_core()
{
    found=$(grep -l -E '#[[:space:]]*include[[:space:]]*[<"](libconfig|netcdf)' $(printf '%s\n' $sources |
        grep -E '^(src|omp|cuda)/'))
    is "$found" "" "the core includes neither libconfig nor netCDF"
    found=$(grep -n -E '(^|[^_[:alnum:]])(printf|puts|putchar|exit|abort|signal|setlocale|fesetround)[[:space:]]*\(' \
        $(printf '%s\n' $sources | grep -E '^(src|omp|cuda|config|io|plot)/.*\.[ch]$' | grep -v '^src/tables/generate'))
    is "$found" "" "the libraries neither print nor exit, and leave signals, locale and rounding alone"
    found=$(grep -n -E '(^|[^_[:alnum:]])(v?(f|s|sn|as|d)printf|v?[fs]?scanf|ato[fil]|strto(d|f|ld)|strn?casecmp|'\
'is(al(num|pha)|digit|space|upper|lower|punct|print)|to(upper|lower)|strftime)[[:space:]]*\(' \
        $(printf '%s\n' $sources | grep -E '^(src|omp|cuda|config|io|plot|run)/.*\.[ch]$' |
            grep -v -E '^src/(tables/generate|base/text)\.c$'))
    is "$found" "" "the libraries write and read numbers and letters by ewi_text.h, whatever the host's locale"
}

# Files that only compile another one for an order say so by their name.
test_heads()
{
    without=$(printf '%s\n' $sources | grep -v -E '/(kernels|bed)_p[1-5]|^src/tables/p[1-5]' | xargs awk '
        FNR > 1 && FNR <= 4 && /^\/\*/ { opens[FILENAME] }
        END { for (k = 1; k < ARGC; k++) if (!(ARGV[k] in opens)) print ARGV[k] }')
    is "$without" "" "every file opens with what it is for"
}

test_struct_sizes()
{
    sed -n 's/^typedef struct \(ew_[a-z_]*\) {$/\1/p' src/edgewise*.h | sort >"$tmp/declared"
    grep -h -o 'EWI_SIZE(ew_[a-z_]*)' src/version.c plot/struct_size.c | sed 's/.*(//; s/)//' | sort >"$tmp/sized"
    is "$(comm -3 "$tmp/declared" "$tmp/sized")" "" "ew_struct_size and ew_case_struct_size know the public structs"
}

includes >"$tmp/includes"
test_readmes
test_includes
test_circles
test_calls
test_names
test_heads
test_core
test_struct_sizes
done_testing
