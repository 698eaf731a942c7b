#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# edgewise-spool(7): its programs do what it says they do, and it has the folders, files, keys and defaults that there
# are.
# shellcheck source=tests/spool/spool-tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/spool/spool-tap.sh"
page=$srcdir/man/edgewise-spool.7

# The text between '.\" begin NAME' and '.\" end', as a reader of the page sees it.
extract() # NAME
{
    awk -v name="$1" '
        $1 == ".\\\"" && $2 == "end" { inside = 0 }
        inside && !/^\.[BE]d/ { print }
        $1 == ".\\\"" && $2 == "begin" && $3 == name { inside = 1 }' "$page" |
        sed 's/\\(aq/'"'"'/g; s/\\&//g; s/\\e/\\/g' >"$1"
    test -s "$1" || bail_out "$page has no $1"
}

write_mesh box.msh
write_with_mesh some.cfg box.msh
sed 's/^order/colour/' some.cfg >wrong.cfg
hash=$(hash_of_run some.cfg)
start spool --init

extract snippet.sh
if sync --help 2>/dev/null | grep -q FILE; then
    sh snippet.sh spool by-shell some.cfg box.msh >out 2>err
    is "$? $(hash_of out)" "0 $hash" "the shell's program submits a job and waits for it" || diag "$(cat err)"
    sh snippet.sh spool wrong wrong.cfg box.msh >out 2>err
    contains "$(cat out)" "case.cfg:2:" "it tells why a job has failed"
else
    skip "sync cannot bring single files to the disk" "the shell's program submits a job and waits for it"
fi

extract snippet.py
if python3 -c '' 2>/dev/null; then
    python3 snippet.py spool by-python some.cfg box.msh >out 2>err
    is "$? $(hash_of out)" "0 $hash" "Python's program submits a job and waits for it" || diag "$(cat err)"
    python3 snippet.py spool wrong-python wrong.cfg box.msh >out 2>err
    contains "$(cat err)" "RuntimeError: case.cfg:2:" "it tells why a job has failed"
else
    skip "there is no python3" "Python's program submits a job and waits for it"
fi

extract snippet.c
# shellcheck disable=SC2086 # the compiler may be several words
${EW_CC:-cc} -std=c11 -Wall -Wextra -Werror -o snippet snippet.c 2>err
ok $? "the program in C compiles without warnings" || diag "$(cat err)"
./snippet spool by-c some.cfg box.msh 2>err
ok $? "the program in C submits a job" || diag "$(cat err)"
wait_until ended spool by-c
is "$(hash_of spool/done/by-c/summary.json)" "$hash" "the job is done"
./snippet spool by-c nowhere.cfg box.msh 2>err
is $? 74 "it tells that a case cannot be read"
rm -rf spool/tmp/snippet.*
is "$(ls spool/tmp)" "" "nothing is left in tmp/"

stop
contains "$log" "event=ended" "the watcher ends"

# ---- what the page says ----

for place in tmp new run hold state failed "done"; do
    ok "$(test -d spool/$place && grep -q "^\.It Pa $place/" "$page"; echo $?)" "the page has the folder $place"
done
missing=
for key in $(sed 's/{[^{}]*}/0/g' spool/done/by-c/summary.json | tr ',' '\n' |
    sed -n 's/^[{ ]*"\([a-z_0-9]*\)":.*/\1/p'); do
    grep -q "^\.It Cm .*\<$key\>" "$srcdir/man/edgewise-run.1" ||
        grep -q "^\.Cm $key " "$page" || missing="$missing $key"
done
missing=$missing$(sed 's/.*"job": {//; s/}.*//' spool/done/by-c/summary.json | tr ',' '\n' |
    sed -n 's/^ *"\([a-z_]*\)":.*/\1/p' |
    while read -r key; do grep -q "^\.It Cm .*\<$key\>" "$page" || printf ' %s' "$key"; done)
is "$missing" "" "the page, or edgewise-run(1), has every key of summary.json"
for file in spool/done/by-python/* spool/done/by-python/.[a-z]*; do
    name=$(basename "$file" | sed 's/^by-python/NAME/')
    case $name in
    box.msh) ;;
    *) ok "$(grep -q "^\.\(It \)\{0,1\}Pa .*\<$name\>\|$name" "$page"; echo $?)" "the page has the file $name" ;;
    esac
done
help=$("$edgewise" watch --help)
for option in $(sed -n 's/.*Fl Fl \([a-z-]*\).*/\1/p' "$page" | sort -u); do
    contains "$help" "--$option" "watch has the option --$option of the page"
done
contains "$(printf '%s\n' "$help" | grep -A1 -e --settle)" "default is 2" "the page's settle time is the default"
contains "$(printf '%s\n' "$help" | grep -A1 -e --max-attempts)" "default is 3" \
    "the page's number of attempts is the default"
contains "$(printf '%s\n' "$help" | grep -A1 -e --retry-delay)" "default is 10" "the page's delay is the default"
contains "$(printf '%s\n' "$help" | grep -A1 -e --poll)" "default is 30" "the page's period is the default"

if command -v mandoc >/dev/null; then
    is "$(mandoc -T lint -W warning "$page")" "" "mandoc has no warnings"
else
    skip "there is no mandoc" "mandoc has no warnings"
fi
done_testing
