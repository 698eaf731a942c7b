#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What people do with jobs after they have submitted them: cancel and move them while they run.
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
    rm -r gone/run/long
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
    is "$(find "$1/failed/long" -name .cancel -o -name .lock)" "" "$1: but not what asked for its end"
    wait_until works_at "$1" beside
    ok $? "$1: its place goes to another job"
    stop
    is "$(grep -c event=worker-died watch.log)" 0 "$1: no worker died"
}

test_moved
test_cancel_file alone
test_cancel_file packed --pack 2
# shellcheck disable=SC2016 # for the command
test_cancel_file command --exec 'sh -c '"'"'"$0"'"'"
done_testing
