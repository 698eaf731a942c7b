#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What people do with jobs after they have submitted them: cancel them, change their order, read their logs, remove
# them.
# shellcheck source=tests/spool/spool-tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/spool/spool-tap.sh"

works_at() # SPOOL JOB
{
    grep -q "attempt 1 on" "$1/run/$2/log" 2>/dev/null
}

# A watcher with a job that would run for hours.
start_endless() # SPOOL [OPTIONS]
{
    make_spool "$1"
    write_endless "$1/new/long.cfg"
    start "$@" --settle 0 --poll 60
    wait_until works_at "$1" long
}

# A job that is running may still write into its folder.
is_removed() # FOLDER
{
    rm -rf "$1" 2>/dev/null
    test ! -e "$1"
}

# No ghost computes on where the folder was, and the place is free.
test_moved()
{
    start_endless gone
    mv gone/run/long gone/hold
    write_tiny gone/new/next.cfg
    wait_until ended gone next
    ok $? "a job that somebody takes out of run/ frees its place"
    contains "$(cat watch.log)" "event=gone job=\"long\"" "... which is logged"
    is "$(names gone/hold)$(names gone/failed)" "long " "... and is theirs"
    mv gone/hold/long gone/new
    wait_until test -e gone/run/long
    wait_until is_removed gone/run/long
    write_tiny gone/new/last.cfg
    wait_until ended gone last
    ok $? "so does one whose folder is removed"
    stop
    is "$code $(names gone/new)" "0 " "the watcher goes on without it"
}

# An empty file asks for it.
test_cancel_file() # SPOOL OPTIONS
{
    start_endless "$@"
    write_endless "$1/new/beside.cfg"
    : >"$1/run/long/.cancel"
    wait_until ended "$1" long
    contains "$(cat "$1/failed/long/error.txt")" "cancelled on 20" "$1: a running job is cancelled"
    is "$(grep exit_code "$1/failed/long/.job")" "exit_code=69" "$1: its exit code"
    is "$(find "$1/failed/long" -name '*.interrupted.nc' -o -name '*.restart-*' | wc -l | tr -d ' ')" 2 \
        "$1: it keeps what it wrote"
    is "$(find "$1/failed/long" -name .cancel -o -name .token)" "" "$1: but not what asked for its end"
    wait_until works_at "$1" beside
    ok $? "$1: its place goes to another job"
    stop
    is "$(grep -c event=worker-died watch.log)" 0 "$1: no worker died"
}

# On a spool that nobody watches, and beside a watcher.
test_cancel()
{
    make_spool c
    write_mesh c/new/shared.msh
    write_with_mesh c/new/one.cfg shared.msh
    write_with_mesh c/new/two.cfg shared.msh
    write_tiny tiny.cfg
    for name in waits held; do
        "$edgewise" submit --quiet --spool c --name $name tiny.cfg 2>/dev/null
    done
    "$edgewise" hold --quiet --spool c held
    run_edgewise cancel --spool c one waits hold/held nobody
    is "$code $(printf '%s' "$out" | tr '\n' ' ')" "66 one waits held" "jobs are cancelled without a watcher" ||
        diag "$err"
    contains "$err" 'no job "nobody" in run/, new/ or hold/' "... and a name that nothing has is told"
    is "$(names c/failed)$(names c/new)$(names c/hold)$(names c/run)" "held one waits shared.msh two.cfg " \
        "... a dropped case leaves the mesh that another one shares"
    is "$(find c/failed/one -name shared.msh)$(ls c/state/jobs)" "c/failed/one/shared.msh" "... but has it"
    run_edgewise cancel --spool c waits
    is "$code" 75 "what has ended cannot be cancelled"
    "$edgewise" retry --quiet --spool c waits
    "$edgewise" submit --quiet --spool c --name waits tiny.cfg 2>/dev/null
    "$edgewise" hold --quiet --spool c waits
    "$edgewise" submit --quiet --spool c --name waits tiny.cfg 2>/dev/null
    run_edgewise cancel --spool c waits
    contains "$code $err" '64 edgewise: there are jobs "waits" in new/ and hold/; say which one' \
        "two jobs of one name: the user says which"
    mkdir c/run/asked
    : >c/run/asked/.cancel
    run_edgewise status --spool c
    contains "$out" "to be cancelled" "status says which jobs their watchers are to end"
    rm -r c/run/asked
    write_endless c/new/long.cfg
    start c --settle 0 --jobs 2
    wait_until works_at c long
    "$edgewise" submit --wait --spool c --name watched --set time.end=1e7 c/run/long/long.cfg >waited 2>&1 &
    wait_until works_at c watched
    run_edgewise cancel --spool c long watched
    is "$code $(printf '%s' "$out" | sort | tr '\n' ' ')" "0 long watched " "running jobs are cancelled" || diag "$err"
    wait $!
    contains "$? $(tail -n 1 waited)" "69 edgewise: watched has failed: cancelled on 20" "who waits for one is told"
    { kill -9 $watcher && wait $watcher; } 2>/dev/null
    "$edgewise" retry --quiet --spool c long
    start c --settle 0
    wait_until works_at c long
    { kill -9 $watcher && wait $watcher; } 2>/dev/null
    run_edgewise cancel --spool c long
    is "$code $out" "0 long" "a job whose watcher was killed is cancelled" || diag "$err"
    is "$(names c/run)$(names c/new)" "" "... and is nowhere else"
    "$edgewise" retry --quiet --spool c one
    drain c
    ok "$(test -e c/done/one && test ! -e c/done/one/.cancel; echo $?)" "retry starts a cancelled job anew"
}

waiting_in_order() # SPOOL
{
    "$edgewise" status --spool "$1" | sed -n 's/ *waiting .*//p' | tr '\n' ' '
}

test_priority()
{
    make_spool p
    write_tiny tiny.cfg
    for name in a b c@9; do
        "$edgewise" submit --quiet --spool p --name $name tiny.cfg 2>/dev/null
    done
    write_mesh p/new/box.msh
    write_with_mesh p/new/d.cfg box.msh
    "$edgewise" hold --quiet --spool p a
    run_edgewise priority --spool p b hold/a d 5
    is "$code $(printf '%s' "$out" | tr '\n' ' ')" "0 b a d" "priority of waiting, held and dropped jobs" ||
        diag "$err"
    run_edgewise priority --spool p c@9 -5
    is "$code" 0 "a negative priority" || diag "$err"
    "$edgewise" release --quiet --spool p a
    is "$(waiting_in_order p)" "a b d c@9 " "the queue has the new order"
    for words in "b 100" "b" "5"; do
        # shellcheck disable=SC2086 # several words
        run_edgewise priority --spool p $words
        is "$code" 64 "a usage error: priority $words"
    done
    write_endless p/new/long@90.cfg
    start p --settle 0 --poll 600
    wait_until works_at p long@90
    run_edgewise priority --spool p long@90 1
    is "$code" 75 "a running job is left alone"
    # It comes back with a private record, from which the next attempt goes on.
    mv p/run/long@90 p/hold
    wait_until ended p c@9
    "$edgewise" priority --quiet --spool p long@90 -50
    "$edgewise" release --quiet --spool p long@90
    wait_until works_at p long@90
    "$edgewise" submit --quiet --spool p --name first tiny.cfg
    "$edgewise" submit --quiet --spool p --name second tiny.cfg
    "$edgewise" priority --quiet --spool p second 7
    "$edgewise" cancel --quiet --spool p long@90
    wait_until is_empty p
    is "$(sed -n 's/.*event=started job="\([^"]*\)".*/\1/p' watch.log | tr '\n' ' ')" \
        "long@90 a b d c@9 long@90 second first " "a watcher follows it at once"
    contains "$(grep 'job="long@90".*priority=-50' watch.log)" "started" "... also for a job that ran before"
    stop
    is "$(test -e p/done/d/box.msh; echo $?)$(names p/failed)" "0long@90 " "all of them have run"
}

test_settings()
{
    make_spool r
    write_tiny tiny.cfg
    "$edgewise" submit --quiet --no-check --spool r --set order=7 --set law.gamma=1.3 tiny.cfg 2>/dev/null
    drain r --set boundary.nowhere.kind=wall
    contains "$(cat r/failed/tiny/error.txt)" ".settings: order=7: order is 7" "an error of a setting names its file"
    contains "$(cat r/failed/tiny/log)" "watch --set boundary.nowhere.kind=wall" "... or the watcher, in the log"
    mkdir r/new/cut
    write_tiny r/new/cut/case.cfg
    printf 'order=1\0\n=bad\n' >r/new/cut/.settings
    drain r
    contains "$(cat r/failed/cut/error.txt)" "the job's file .settings is not text: it has a NUL byte" \
        "settings with a NUL byte are refused"
    sleep 0.01
    sed -i 's/order = 1/order = 2/' r/failed/tiny/case.cfg
    : >r/failed/tiny/.cancel
    run_edgewise retry --spool r tiny
    contains "$err" "its file .settings overrides the case that you edited, with: --set 'order=7' --set 'law.g" \
        "retry says which settings override an edited case"
    drain r
    for setting in order=9 foo.bar=3 spool.priority=3; do
        run_edgewise retry --spool r --set $setting tiny
        contains "$code $err" "64 edgewise: --set $setting" "a setting that no case can have: $setting"
    done
    run_edgewise retry --spool r --set order=2 --set title=x tiny
    is "$code $out $(tr '\n' ' ' <r/new/tiny/.settings)" "0 tiny law.gamma=1.3 order=2 title=x " \
        "retry --set changes settings"
    drain r
    is "$(hash_of r/done/tiny/summary.json)" "$(hash_of_run tiny.cfg --set law.gamma=1.3 --order 2)" \
        "... with which the job runs"
    "$edgewise" status --csv --spool r | tail -1 >row
    is "$(sed 's/.*,//' row) $(grep '^exit_code\|^reason' r/done/tiny/.job | tr '\n' ' ')" " exit_code=0 reason= " \
        "... and its earlier failure is no longer in the table or in its record" || diag "$(cat row)"
    run_edgewise submit --spool r r/done/tiny/case.cfg
    contains "$out $err" "tiny edgewise: r/done/tiny/case.cfg: the settings of that job are not taken" \
        "a job that is submitted again keeps its name"
    (cd r/done/tiny && "$edgewise" submit --spool ../.. case.cfg) >out 2>/dev/null
    is "$(cat out)" "tiny.2" "... also from within its folder"
}

test_log()
{
    make_spool l
    write_endless l/new/long.cfg
    run_edgewise log --spool l long
    contains "$code $err" "66 edgewise: long.cfg has no log yet" "a job that waits has no log"
    { # in a file, since a shell may forget the code of a job that ended long ago
        "$edgewise" log --spool l --follow long >followed 2>&1
        echo $? >code
        mv code followed.code
    } &
    start l --settle 0
    wait_until grep -q "attempt 1" followed
    ok $? "--follow prints what comes"
    run_edgewise log --spool l long
    contains "$code $out" "0 20" "the log of a running job"
    printf 'a\033[31mb\n' >>l/run/long/log
    mv l/run/long l/hold
    wait_until grep -q "ended early" followed
    ok "$(test ! -e followed.code; echo $?)" "--follow goes on where the job is held"
    "$edgewise" release --quiet --spool l long
    wait_until works_at l long
    "$edgewise" cancel --quiet --spool l long
    wait_until test -e followed.code
    is "$(cat followed.code) $(cmp followed l/failed/long/log 2>&1 | grep -c differ)" "0 1" \
        "it ends with the job, whose log it printed"
    contains "$(cat followed)" 'a\x1b[31mb' "... but no escapes"
    run_edgewise log --spool l failed/long
    is "$out" "$(cat followed)" "the log of a job that has ended"
    stop
    is "$(printf '%s\n' "$out" | sed '$!d; s/ on 20.* UTC/ WHEN/')" "long has failed with exit code 69 and is in \
$tmp/l/failed/long: cancelled WHEN; \"edgewise retry --spool $tmp/l long\" starts it anew" "... with how it ended"
    run_edgewise log --spool l done/long
    is "$code $err" "75 edgewise: long is in failed/, not in done/; say failed/long" "another place: the right one"
}

# Where its results are is what people want to know of a job that is done.
test_ended()
{
    make_spool ended
    write_tiny ended/new/wing.cfg
    drain ended
    write_tiny ended/new/flap.cfg
    drain ended
    write_tiny ended/new/waits.cfg
    "$edgewise" cancel --quiet --spool ended waits
    run_edgewise status ended
    contains "$out" "and 2 done; --all lists them" "status says how many jobs are done"
    run_edgewise status --all ended
    is "$(printf '%s\n' "$out" | awk '$2 == "done" { print $1, $4 }' | tr '\n' ' ')" \
        "flap $tmp/ended/done/flap wing $tmp/ended/done/wing " "status --all lists them, with their results"
    run_edgewise log --spool ended wing
    is "$(printf '%s\n' "$out" | tail -n 1)" "wing is done; its results are in $tmp/ended/done/wing" \
        "the log of a job that is done ends with where its results are"
    run_edgewise log --spool ended waits
    contains "$code $out" "0 waits has failed with exit code 69 and is in $tmp/ended/failed/waits: cancelled on 20" \
        "a job that was cancelled before it ran has no log, but an end"
}

test_clean()
{
    make_spool old
    write_tiny old/new/one.cfg
    write_tiny old/new/two.cfg 'colour = 3;'
    drain old
    mkdir -p old/failed/two/1/2/3/4/5/6/7/8/9/10/11/12
    run_edgewise clean old
    is "$code" 64 "the age must be given"
    run_edgewise clean --older soon old
    is "$code" 64 "... as a time"
    run_edgewise clean --older 30d --failed old
    is "$code $out$(names old/done)" "0 one " "young jobs stay"
    run_edgewise clean --older 0 --dry-run --failed old
    is "$out $(names old/done)$(names old/failed)" "done/one
failed/two one two " "--dry-run only says what it would remove"
    run_edgewise clean --older 0 old
    is "$out $(names old/done)$(names old/failed)" "done/one two " "done jobs are removed"
    run_edgewise clean --older 0 --failed --quiet old
    is "$out $(names old/failed)$(names old/tmp)" " " "--failed: failed ones, too, however deep"
    drain old
    is "$code" 0 "the spool is one as before"
}

test_moved
test_cancel
test_priority
test_settings
test_log
test_ended
test_clean
test_cancel_file alone
test_cancel_file packed --pack 2
# shellcheck disable=SC2016 # for the command
test_cancel_file command --exec 'sh -c '"'"'"$0"'"'"
done_testing
