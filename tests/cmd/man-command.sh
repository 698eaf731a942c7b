#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every option that --help prints is in edgewise(1), in the part on that command, and the other way round.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
page=$srcdir/man/edgewise.1

options_of_help() # COMMAND
{
    "$edgewise" "$1" --help | sed -n 's/^  \(--[a-z][a-z-]*\).*/\1/p' | sort
}

# Those that head an item of the list under ".Ss COMMAND".
options_of_page() # COMMAND
{
    awk -v command="$1" '
        /^\.S[sh] / { inside = ($1 == ".Ss" && $2 == command) }
        inside && /^\.It Fl Fl / { print "--" $4 }' "$page" | sort
}

commands=$("$edgewise" --help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
for command in $commands; do
    is "$(options_of_help "$command" | tr '\n' ' ')" "$(options_of_page "$command" | tr '\n' ' ')" \
        "the page has the options of $command, and no others"
    grep -q "^\.Cm $command$" "$page"
    ok $? "$command is in the synopsis"
done
is "$(echo "$commands" | sort | tr '\n' ' ')" "$(sed -n 's/^\.Ss //p' "$page" | sort | tr '\n' ' ')" \
    "the page has the commands, and no others"

"$edgewise" run --json missing.cfg 2>/dev/null | tr ',' '\n' | sed -n 's/^[{ ]*"\([a-z_0-9]*\)":.*/\1/p' | sort >keys
missing=
while read -r key; do
    grep -q "^\.It Cm .*\<$key\>" "$page" || missing="$missing $key"
done <keys
is "$missing" "" "the page has every key of run --json"
ok "$(test "$(wc -l <keys)" -gt 15; echo $?)" "there are keys"

if command -v mandoc >/dev/null; then
    is "$(mandoc -T lint -W warning "$page")" "" "mandoc has no warnings"
else
    skip "there is no mandoc" "mandoc has no warnings"
fi
done_testing
