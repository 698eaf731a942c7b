#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every example whose mesh is there runs to its end, or as far as options_of says, with the stored number of steps,
# bits, errors, totals and extrema. --update stores what this build gives. What examples/README.md lists is there.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
stored=$srcdir/tests/expected/examples.txt

examples()
{
    (cd "$srcdir/examples" && for example in */*.cfg; do
        mesh=$(sed -n 's/^mesh *= *"\(.*\)";.*/\1/p' "$example")
        if test -z "$mesh" || test -f "${example%/*}/$mesh"; then
            echo "$example"
        fi
    done)
}

# Those that take long go a part of their way.
options_of() # EXAMPLE
{
    case $1 in
    naca0012/naca0012-subsonic.cfg) echo "--end 2" ;;
    naca0012/*) echo "--end 5" ;;
    cylinder/*) echo "--end 20" ;;
    forward-step/forward-step-p2.cfg) echo "--end 0.5" ;;
    forward-step/*) echo "--end 1.5" ;;
    hump/*) echo "--end 10" ;;
    laminar-airfoil/*) echo "--end 0.5" ;;
    lid-driven-cavity/*) echo "--end 10" ;;
    maze/*) echo "--member 3 --end 1" ;;
    plume/*) echo "--end 1" ;;
    rain/*) echo "--end 300" ;;
    sweep/polar.cfg) echo "--member 5 --end 5" ;;
    sweep/*) echo "--member 1" ;;
    vortex-street/*) echo "--end 20" ;;
    two-element-airfoil/*) echo "--end 2.5" ;;      # without the limiter it breaks at 1.68
    esac
}

# Lines "EXAMPLE KEY VALUE" from the JSON object in $out.
lines_of() # EXAMPLE
{
    printf '%s\n' "$out" | awk -v example="$1" '
    function members(object,    count, part, pair, k) {
        if (!match($0, "\"" object "\": [{][^}]*"))
            return
        count = split(substr($0, RSTART + length(object) + 5, RLENGTH - length(object) - 5), part, ", ")
        for (k = 1; k <= count; k++) {
            split(part[k], pair, ": ")
            gsub(/"/, "", pair[1])
            printf "%s %s.%s %.12g\n", example, object, pair[1], pair[2]
        }
    }
    function word(key,    text) {
        if (!match($0, "\"" key "\": [^,}]*"))
            return
        text = substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4)
        gsub(/"/, "", text)
        print example, key, text
    }
    { word("steps"); word("state_hash"); members("error_l2"); members("total"); members("min"); members("max") }'
}

run_example() # EXAMPLE
{
    # shellcheck disable=SC2046 # they are words
    run_edgewise run --json --quiet --no-output --threads 1 $(options_of "$1") "$srcdir/examples/$1"
    lines_of "$1" >got
}

case ${1-} in
--update)
    {
        echo '# What the examples give at their ends; see README'
        for example in $(examples); do
            run_example "$example"
            cat got
        done
    } >"$tmp/stored" && mv "$tmp/stored" "$stored"
    exit
    ;;
esac

# Numbers may differ by 1e-10 of themselves, and by 1e-13 where all is rounding.
same_numbers() # EXPECTED GOT
{
    awk 'NR == FNR { expected[$2] = $3; next }
        $2 ~ /[.]/ {
            difference = $3 - expected[$2]; size = expected[$2]
            if (difference < 0) difference = -difference
            if (size < 0) size = -size
            if (!($2 in expected) || difference > 1e-10 * size + 1e-13) {
                bad = 1
                print $2, "is", $3 ", stored is", expected[$2]
            }
            delete expected[$2]
        }
        END { for (key in expected) if (key ~ /[.]/) { bad = 1; print key, "is missing" }; exit bad }' "$1" "$2"
}

of() # KEY FILE
{
    awk -v key="$1" '$2 == key { print $3 }' "$2"
}

for example in $(examples); do
    run_example "$example"
    is "$code" 0 "$example runs to its end" || diag "$err"
    awk -v example="$example" '$1 == example' "$stored" >expected
    test -s expected
    ok $? "$example has stored results" || diag "store them: see tests/expected/README"
    is "$(of steps got)" "$(of steps expected)" "$example: the steps are the stored ones"
    same_numbers expected got >differences
    ok $? "$example: errors, totals and extrema are the stored ones to 10 digits" || diag "$(cat differences)"
    is "$(of state_hash got)" "$(of state_hash expected)" "$example: the state has the stored bits"
    test -s "$srcdir/examples/${example%/*}/README.md" &&
        grep -qF "(${example%/*}/README.md)" "$srcdir/examples/README.md"
    ok $? "$example has a page, which examples/README.md lists"
    diag "$example took $(printf '%s\n' "$out" | sed -n 's/.*"wall_s": \([0-9.]*\).*/\1/p') s"
done

awk '/^[^#]/ { print $1 }' "$stored" | sort -u >names
while read -r example; do
    test -f "$srcdir/examples/$example"
    ok $? "stored results are of an example that is there: $example"
done <names
done_testing
