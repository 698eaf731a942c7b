#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every command that --help lists has a manual page with its options, and edgewise(1) lists them all.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
overview=$srcdir/man/edgewise.1

options_of_help() # COMMAND
{
    "$edgewise" "$1" --help | sed -n 's/^  \(--[a-z][a-z-]*\).*/\1/p' | sort
}

# The options that begin an item of the list under ".Sh OPTIONS".
options_of_page() # PAGE
{
    awk '/^\.Sh / { inside = ($2 == "OPTIONS") }
        inside && /^\.It Fl Fl / { print "--" $4 }' "$1" | sort
}

# The options whose text says only that they are common ones.
common_options()
{
    awk '/^\.It Fl Fl / { heads = heads "--" $4 "\n"; next }
        /^Common option/ { printf "%s", heads }
        { heads = "" }' "$srcdir"/man/edgewise-*.1 | sort -u
}

in_small_letters()
{
    tr '[:upper:]' '[:lower:]'
}

"$edgewise" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\)  *\(.*\)/\1 \2/p' >commands
while read -r command summary; do
    page=$srcdir/man/edgewise-$command.1
    is "$(options_of_help "$command" | tr '\n' ' ')" "$(options_of_page "$page" | tr '\n' ' ')" \
        "the page has the options of $command, and no others"
    is "$(sed -n "/^\.It Xr edgewise-$command 1\$/{n;s/\.\$//p;}" "$overview")" "$summary" "edgewise(1) lists $command"
    name=$(sed -n 's/^\.Nd //p' "$page" | in_small_letters)
    is "$name" "$(echo "$summary" | in_small_letters)" "... and its page says the same"
done <commands
commands=$(cut -d ' ' -f 1 commands | sort | tr '\n' ' ')
is "$(sed -n 's/^\.It Xr edgewise-\([a-z]*\) 1$/\1/p' "$overview" | sort | tr '\n' ' ')" "$commands" \
    "edgewise(1) lists no other command"
is "$(basename -a "$srcdir"/man/edgewise-*.1 | sed 's/edgewise-//; s/\.1$//' | sort | tr '\n' ' ')" "$commands" \
    "there is no other page"
options_of_page "$overview" >described
is "$(common_options | comm -23 - described)" "" "edgewise(1) describes the common options"
ok "$(test "$(common_options | wc -l)" -gt 5; echo $?)" "there are common options"

"$edgewise" run --json missing.cfg 2>/dev/null | tr ',' '\n' | sed -n 's/^[{ ]*"\([a-z_0-9]*\)":.*/\1/p' | sort >keys
missing=
while read -r key; do
    grep -q "^\.It Cm .*\<$key\>" "$srcdir/man/edgewise-run.1" || missing="$missing $key"
done <keys
is "$missing" "" "edgewise-run(1) has every key of run --json"
ok "$(test "$(wc -l <keys)" -gt 15; echo $?)" "there are keys"

if command -v mandoc >/dev/null; then
    is "$(mandoc -T lint -W warning "$srcdir"/man/edgewise*.1)" "" "mandoc has no warnings"
else
    skip "there is no mandoc" "mandoc has no warnings"
fi
done_testing
