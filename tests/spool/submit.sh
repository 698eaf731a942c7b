#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The clients of the spool: submit puts a case with all that it names into a spool, whole or not at all; status, retry,
# hold, release.
# shellcheck source=tests/spool/spool-tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/spool/spool-tap.sh"

test_where()
{
    make_spool s
    write_tiny tiny.cfg
    run_edgewise submit tiny.cfg
    is "$code" 64 "without a spool: a usage error"
    contains "$err" "--spool" "without a spool: the sentence says how to name it"
    run_edgewise submit --spool nowhere tiny.cfg
    is "$code" 66 "a spool that is not there: EX_NOINPUT"
    mkdir plain
    run_edgewise submit --spool plain tiny.cfg
    contains "$err" "is not a spool" "a folder that is no spool: it is said"
    run_edgewise submit --spool s tiny.cfg
    is "$code $out" "0 tiny" "--spool"
    contains "$err" "no watcher runs in $tmp/s; \"edgewise watch $tmp/s\" starts one" "that nobody watches is said"
    EDGEWISE_SPOOL=$tmp/s "$edgewise" submit tiny.cfg >out 2>/dev/null
    is "$(cat out)" tiny.2 "EDGEWISE_SPOOL; a name that is taken gets a suffix"
    (cd s && "$edgewise" submit ../tiny.cfg) >out 2>/dev/null
    is "$(cat out)" tiny.3 "the current folder"
    is "$(names s/new)" "tiny tiny.2 tiny.3 " "the jobs are in new/"
    is "$(find s/tmp -mindepth 1)" "" "nothing is left in tmp/"
    is "$(find s/new/tiny -type f | sort | tr '\n' ' ')" "s/new/tiny/.job s/new/tiny/case.cfg " \
        "a job is its case and its record"
    cmp -s tiny.cfg s/new/tiny/case.cfg
    ok $? "the case is as it was"
}

test_bundles()
{
    make_spool b
    mkdir -p elsewhere/sub cases
    write_mesh elsewhere/wing.msh
    write_mesh cases/log
    write_mesh elsewhere/sub/a.msh
    cp elsewhere/wing.msh cases/box.msh
    mkdir cases/below
    cp elsewhere/wing.msh cases/below/box.msh
    ln -s ../elsewhere/wing.msh cases/link.msh
    write_with_mesh cases/beside.cfg box.msh
    write_with_mesh cases/below.cfg below/box.msh
    write_with_mesh cases/dotted.cfg ./below//box.msh
    write_with_mesh cases/above.cfg ../elsewhere/wing.msh
    write_with_mesh cases/absolute.cfg "$tmp/elsewhere/wing.msh"
    write_with_mesh cases/link.cfg link.msh
    write_with_mesh cases/taken.cfg log
    write_tiny .case
    grep '^boundary' .case >cases/boundary.inc
    sed 's|^boundary.*|@include "boundary.inc"|' .case >cases/include.cfg
    "$edgewise" submit --quiet --spool b cases/*.cfg >out 2>err
    is "$? $(cat out)" "0 " "cases with meshes in all places are submitted"
    "$edgewise" submit --quiet --spool b --name set --set order=2 --set 'initial.rho=1 + 0.2*y' cases/beside.cfg 2>err
    is $? 0 "--set is submitted"
    rm -rf elsewhere.away && mv elsewhere elsewhere.away
    drain b
    is "$(names b/done)" "above absolute below beside dotted include link set taken " \
        "all of them run without what is outside of the job" ||
        diag "$(cat b/failed/*/error.txt)"
    mv elsewhere.away elsewhere
    for name in above absolute below beside dotted include link taken; do
        is "$(hash_of b/done/$name/summary.json)" "$(hash_of_run cases/$name.cfg)" "$name: the same bits as a run"
    done
    is "$(hash_of b/done/set/summary.json)" "$(hash_of_run cases/beside.cfg --set order=2 \
        --set 'initial.rho=1 + 0.2*y')" \
        "--set: the same bits as a run"
    contains "$(cat b/done/include/case.cfg)" 'kind = "wall"' "the text of an included file is in its place"
}

test_refusals()
{
    make_spool r
    write_tiny wrong.cfg 'colour = 3;'
    write_tiny good.cfg
    write_with_mesh lacking.cfg nowhere.msh
    run_edgewise submit --spool r wrong.cfg good.cfg lacking.cfg
    is "$code $out" "78 good" "a wrong case is refused, a good one beside it is not"
    contains "$err" "wrong.cfg:6:" "the sentence has file and line"
    run_edgewise submit --spool r --no-check wrong.cfg
    is "$code $out" "0 wrong" "--no-check"
    run_edgewise submit --spool r --no-check lacking.cfg
    is "$code" 66 "--no-check: a mesh that is not there cannot be bundled"
    echo secret >secret.msh
    write_with_mesh curious.cfg "$tmp/secret.msh"
    run_edgewise submit --spool r --no-check curious.cfg
    contains "$code $err" \
        "65 edgewise: curious.cfg: \"$tmp/secret.msh\" is not submitted: it does not begin as a Gmsh mesh" \
        "--no-check: a case cannot put any file into the spool"
    is "$(ls r/new r/tmp | grep curious)" "" "... and there is no job"
    run_edgewise submit --spool r --json wrong.cfg
    contains "$out" '"state": "refused"' "--json: refused"
    for options in "--priority 100" "--priority x" "--priority 1.5" "--name a/b" "--name .a"; do
        # shellcheck disable=SC2086
        run_edgewise submit --spool r $options good.cfg
        is "$code" 64 "$options is a usage error"
    done
    run_edgewise submit --spool r --name x good.cfg good.cfg
    is "$code" 64 "--name for two cases is a usage error"
    run_edgewise submit --spool r
    is "$code" 64 "no case is a usage error"
    run_edgewise submit --spool r ''
    is "$code" 64 "an empty name is a usage error"
    run_edgewise submit --spool r --set 'title="a
b"' good.cfg
    is "$code" 64 "a setting with a line break is a usage error" || diag "$out$err"
    drain r
    is "$(names r/failed)$(names r/done)" "wrong good " "what was not checked fails in the spool"
}

test_names()
{
    make_spool n
    newline=$(printf 'a\nb')
    bytes=$(printf 'caf\351')
    for name in "two words" "$newline" "$bytes" "..x" "-n" '$(touch it)' "quo'te\"" "@7"; do
        write_tiny "./$name.cfg"
        "$edgewise" submit --quiet --spool n -- "./$name.cfg" 2>err
        ok $? "a case with the name $(printf %s "$name" | tr '\n' ' ' | LC_ALL=C tr '\351' '?')" || diag "$(cat err)"
        rm -- "./$name.cfg"
    done
    long=$(printf %0250d 0)
    write_tiny "$long.cfg"
    "$edgewise" submit --quiet --spool n "$long.cfg" 2>err
    ok $? "a case with a name of 250 bytes"
    rm "$long.cfg"
    "$edgewise" hold --spool n --quiet -- -n
    ok $? "hold of a name with a leading dash"
    "$edgewise" release --spool n --quiet -- -n
    ok $? "its release"
    run_edgewise hold --spool n ../done
    is "$code" 66 "a name that leads out of new/ is no job"
    run_edgewise hold --spool n ..
    is "$code" 66 "nor is .."
    run_edgewise status --spool n
    is "$(printf '%s\n' "$out" | wc -l | tr -d ' ')" 14 "status has a line a job, whatever its name" || diag "$out"
    run_edgewise status --spool n --json
    is_json "status --json"
    drain n
    is "$(find n/done -mindepth 1 -maxdepth 1 | grep -c .) $(names n/failed)" "9 " "all of them run"
    is "$(ls)" "$(ls | grep -v '^it$')" "none of them was executed"
}

# What is submitted outlives a loss of power: its files and all folders concerned are brought to the disk.
test_synced()
{
    if ! strace -qq -o .calls -e trace=fsync true 2>/dev/null; then
        skip "there is no strace that works here" "what submit brings to the disk"
        return
    fi
    make_spool d
    write_mesh box.msh
    write_with_mesh synced.cfg box.msh
    ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0 strace -f -qq -y -e signal=none -o .calls -e trace=fsync \
        "$edgewise" submit --quiet --spool d synced.cfg 2>/dev/null
    for file in case.cfg box.msh .job; do
        ok "$(grep -q "fsync([0-9]*<.*/$file>) *= 0" .calls; echo $?)" "submit brings $file to the disk" ||
            diag "$(cat .calls)"
    done
    ok "$(test "$(grep -c 'fsync(.*) *= 0' .calls)" -ge 6; echo $?)" "... and the folders" || diag "$(cat .calls)"
}

test_wait()
{
    make_spool w
    start w
    write_tiny tiny.cfg
    run_edgewise submit --spool w --wait tiny.cfg
    is "$code $err" "0 " "--wait: a job that is done"
    contains "$out" "tiny is done: $(cd w && pwd -P)/done/tiny" "--wait: where it is"
    run_edgewise submit --spool w --wait --no-check --json wrong.cfg
    is "$code" 78 "--wait: the exit code of a job that has failed"
    contains "$out" '"state": "failed"' "--wait --json: its state"
    contains "$err" "case.cfg:6:" "--wait: why it failed"
    run_edgewise submit --spool w --wait --json tiny.cfg
    contains "$out" "$(sed -n 's/.*\("state_hash": "[0-9a-f]*"\).*/\1/p' w/done/tiny/summary.json)" \
        "--wait --json: its summary"
    run_edgewise submit --spool w --wait --no-check tiny.cfg wrong.cfg tiny.cfg
    is "$code" 78 "--wait for several"
    is "$(ls w/done | wc -l | tr -d ' ') $(ls w/failed | wc -l | tr -d ' ')" "4 2" "all of them have ended"
    sed 's/end = 0.05/end = 1e7/; s/copy/wall/g' tiny.cfg >endless.cfg
    "$edgewise" submit --quiet --spool w endless.cfg
    wait_until grep -q '"job": "endless".*"fraction": [0-9]' w/state/status.json
    run_edgewise status --spool w
    contains "$out" "1 running, 0 waiting, 0 held, 2 failed, 4 done" "status counts"
    contains "$out" " 0 %" "status has the progress of what runs"
    contains "$out" "case.cfg:6: there is no key" "status has the reason of what failed" || true
    run_edgewise hold --spool w endless
    is "$code" 75 "a job that runs cannot be held"
    contains "$err" "it is in run/, and only" "the message says so"
    { # in a file, since a shell may forget the code of a job that ended long ago
        "$edgewise" submit --spool w --wait --json --priority 5 tiny.cfg >waited 2>&1
        echo $? >code
        mv code waited.code
    } &
    wait_until test -e w/new/tiny
    "$edgewise" hold --quiet --spool w tiny
    wait_until grep -q "is held; \"edgewise release --spool $tmp/w tiny\"" waited
    ok $? "--wait: that the job is held is said"
    rm -rf w/hold/tiny
    { kill -9 $watcher && wait $watcher; } 2>/dev/null
    # Processes of its own that share its lock end within a moment.
    wait_until sh -c "'$edgewise' status --spool w | grep -q 'died on'"
    run_edgewise status --spool w
    contains "$out" "died on" "a watcher that was killed is not taken for one at work"
}

# It is waited for some seconds, in which other tests run.
test_taken_out()
{
    wait_until test -e waited.code
    is "$(cat waited.code)" 69 "--wait: a job that was taken out of the spool"
}

test_moves()
{
    make_spool m
    write_tiny tiny.cfg
    for name in first second third; do
        "$edgewise" submit --quiet --spool m --name $name tiny.cfg 2>/dev/null
    done
    run_edgewise hold --spool m frist
    is "$code" 66 "hold of a job that is not there: EX_NOINPUT"
    contains "$err" 'did you mean "first"' "the nearest name is asked for"
    run_edgewise hold --spool m
    is "$code" 64 "neither a name nor --all is a usage error"
    run_edgewise hold --spool m --all first
    is "$code" 64 "both are one"
    run_edgewise hold --spool m m/new/first/ second
    is "$code $out" "0 first
second" "hold, with a path and without"
    run_edgewise hold --spool m m/done/third
    is "$code" 66 "a path in another folder is refused"
    run_edgewise hold --spool m first
    is "$code" 75 "hold of what is held"
    drain m
    is "$(names m/done)" "third " "what is held is not run"
    run_edgewise release --spool m --all
    is "$code $(names m/new)" "0 first second " "release --all"
    drain m
    is "$(names m/done)" "first second third " "what is released is"
    run_edgewise retry --spool m first
    is "$code" 75 "a job that is done is not retried"

    write_mesh m/new/shared.msh
    write_with_mesh m/new/one.cfg shared.msh
    write_with_mesh m/new/two.cfg shared.msh
    write_with_mesh m/new/late.cfg late.msh
    run_edgewise hold --spool m one late
    is "$code" 0 "hold of cases that were dropped" || diag "$err"
    drain m --mesh-wait 0
    is "$(names m/done)" "first second third two " "the mesh that a held case shares is there for the other one" ||
        diag "$(cat watch.log)"
    write_mesh m/new/late.msh
    run_edgewise release --spool m one late.cfg
    is "$code" 0 "their release"
    drain m
    is "$(names m/done)" "first late one second third two " \
        "they run with their meshes" || diag "$(cat m/failed/*/error.txt watch.log)"

    "$edgewise" submit --quiet --no-check --spool m wrong.cfg 2>/dev/null
    drain m
    write_tiny m/failed/wrong/case.cfg
    run_edgewise retry --spool m wrong
    is "$code $(names m/failed)" "0 " "retry"
    drain m
    ok "$(test -d m/done/wrong; echo $?)" "what was mended is done"
    ok "$(test -e m/done/wrong/error.txt.old && test ! -e m/done/wrong/error.txt; echo $?)" \
        "the old reason is put aside"
}

test_order()
{
    make_spool o
    write_tiny tiny.cfg
    write_tiny key.cfg 'spool = { priority = 3; };'
    "$edgewise" submit --quiet --spool o --name a tiny.cfg 2>/dev/null
    "$edgewise" submit --quiet --spool o --name b@5 tiny.cfg 2>/dev/null
    "$edgewise" submit --quiet --spool o --name c --priority 9 tiny.cfg 2>/dev/null
    "$edgewise" submit --quiet --spool o --name d@50 --priority=-9 tiny.cfg 2>/dev/null
    "$edgewise" submit --quiet --spool o --name e key.cfg 2>/dev/null
    "$edgewise" submit --quiet --spool o --name f --set spool.priority=4 tiny.cfg 2>/dev/null
    run_edgewise status --spool o
    is "$(printf '%s\n' "$out" | sed -n 's/ *waiting .*//p' | tr '\n' ' ')" "c b@5 f e a d@50 " \
        "status has the order of the queue"
    drain o
    is "$(sed -n 's/.*event=started job="\([^"]*\)".*/\1/p' watch.log | tr '\n' ' ')" "c b@5 f e a d@50 " \
        "which the watcher follows"
}

# Who looks at a queue wants its beginning.
test_long_queue()
{
    make_spool q
    write_tiny tiny.cfg
    for k in $(seq 21); do
        mkdir q/new/job-$k
        cp tiny.cfg q/new/job-$k/case.cfg
    done
    mkdir q/failed/wrong q/hold/held
    run_edgewise status --spool q
    is "$(printf '%s\n' "$out" | grep -c "^job-.* waiting")" 20 "status lists twenty jobs that wait"
    contains "$out" "and 1 more waiting; --all lists them" "and says how many more there are"
    contains "$out" "0 running, 21 waiting, 1 held, 1 failed, 0 done" "it counts all"
    is "$("$edgewise" status q | sed 's/ *[0-9]*s$//')" "$(printf '%s\n' "$out" | sed 's/ *[0-9]*s$//')" \
        "its spool may be an operand, too"
    run_edgewise status --spool q q
    is "$code" 64 "but not both"
    run_edgewise status --spool q --all
    is "$(printf '%s\n' "$out" | grep -c "^job-.* waiting") $(printf '%s\n' "$out" | grep -c "more waiting")" "21 0" \
        "--all lists all"
    "$edgewise" status --spool q --json >some.json
    "$edgewise" status --spool q --json --all >all.json
    json_is "status --json lists twenty of them" some.json 'len(it["waiting"]), it["count"]["waiting"]' "(20, 21)"
    json_is "status --json --all lists all" all.json 'len(it["waiting"]), len(it["held"]), len(it["failed"])' \
        "(21, 1, 1)"
    mv q/new/* q/done
    "$edgewise" status --spool q --json >some.json
    json_is "status --json lists twenty of those that are done" some.json 'len(it["done"]), it["count"]["done"]' \
        "(20, 21)"
}

# Killed before and after its system calls that change a file (each of them in long checks), and with each of them
# failing: the job is there whole, or not at all.
test_killed()
{
    if ! test -f "$faults"; then
        skip "there is no $faults" "submit, killed at every moment"
        return
    fi
    make_spool k
    mkdir -p cases/kill
    write_mesh cases/kill/box.msh
    write_with_mesh cases/kill/box.cfg box.msh
    step=5
    ! long_checks || step=1
    for kind in KILL FAIL; do
        at=1
        rm -rf k/tmp
        mkdir k/tmp
        halves=
        wrong=
        while :; do
            # an odd number is before a call
            test $kind = KILL || at=$((at + 1 - at % 2))
            with_faults "EW_FAULT_${kind}_AT=$at" submit --quiet --no-check --spool k --set order=2 cases/kill/box.cfg
            code=$?
            calls=$(od -An -t d8 counter | tr -d ' ')
            job=$(names k/new)
            if test -n "$job"; then
                for file in case.cfg box.msh .settings .job; do
                    test -s "k/new/${job% }/$file" || halves="$halves $at:$file"
                done
                test ! -e "k/new/${job% }/.submitting" || halves="$halves $at:.submitting"
                cmp -s cases/kill/box.msh "k/new/${job% }/box.msh" || halves="$halves $at"
                rm -rf "k/new/${job% }"
            fi
            if test $kind = FAIL && test $code -ne 0; then
                test $code -eq 74 || wrong="$wrong $at:$code"
                grep -q "^edgewise: .*box.cfg: ." err || wrong="$wrong $at"
                test -z "$(find k/tmp -mindepth 1)" || wrong="$wrong $at:tmp"
            fi
            test "$calls" -ge $at || break
            at=$((at + step))
        done
        is "$code $halves" "0 " "submit, a $kind at one of $calls moments: nothing half-written is in new/"
        is "$wrong" "" "submit, a $kind: exit codes, sentences, nothing left" || diag "$(cat err)"
        ok "$(test $at -gt 20; echo $?)" "there are enough of them"
    done
    with_faults EW_FAULT_KILL_AT=20 submit --no-check --spool k cases/kill/box.cfg
    is "$(find k/tmp -name .submitting | wc -l | tr -d ' ')" 1 \
        "a submit that is killed in the middle leaves something in tmp/"
    "$edgewise" submit --quiet --spool k cases/kill/box.cfg 2>/dev/null
    is "$(find k/tmp -mindepth 1)" "" "which the next one removes"
    mkdir k/tmp/mine
    drain k
    ok "$(test -d k/tmp/mine; echo $?)" "what others have in tmp/ stays"
}

# Of the allocations of a command some of the last ones, which are not those of libraries that start; all of them in
# long checks. Libraries may end the process without memory (libconfig 1.5 and libgomp do), and then as little may be
# half-done as otherwise.
each_allocation() # FUNCTION ARGUMENTS
{
    function=$1
    shift
    with_faults EW_FAULT_MEMORY_AT=1000000000 "$@"
    calls=$(od -An -t d8 counter | tr -d ' ')
    tried=0
    $function 0 0
    at=1 step=1
    long_checks || test "$calls" -le 150 || at=$((calls - 150)) step=25
    while test $at -le "$calls"; do
        with_faults EW_FAULT_MEMORY_AT=$at "$@"
        $function $? $at
        at=$((at + step))
        tried=$((tried + 1))
    done
}

after_submit() # CODE NUMBER
{
    job=$(names a/new)
    case "$1:$job" in
    "0:box " | [1-9]*:) ;;
    *) wrong="$wrong $2:$1:$job" ;;
    esac
    test -z "$job" || { cmp -s cases/kill/box.msh a/new/box/box.msh && test -s a/new/box/case.cfg &&
        test -s a/new/box/.job; } ||
        wrong="$wrong $2:half"
    test "$1" -eq 0 || test -s err || test "$1" -gt 128 || silent=$((silent + 1))
    rm -rf a/new/* a/tmp/*
}

after_hold() # CODE NUMBER
{
    test "$1" -ne 0 || test "$(ls a/hold)" || wrong="$wrong $2:not held"
    is_there=$(find a -name box.cfg -exec cmp cases/kill/box.cfg {} \; \
        -o -name box.msh -exec cmp cases/kill/box.msh {} \; \
        -print | wc -l)
    test "$is_there" -eq 1 && test "$(find a -name box.cfg | wc -l)" -eq 1 || wrong="$wrong $2:lost"
    rm -rf a/hold/* a/run/* a/state/intake
    cp cases/kill/box.cfg cases/kill/box.msh a/new
}

test_memory()
{
    make_spool a
    head -c 8 /dev/zero >counter
    with_faults EW_FAULT_MEMORY_AT=1000000000 status --spool a
    if test "$(od -An -t d8 counter | tr -d ' ')" -eq 0; then
        skip "allocations cannot be made to fail under AddressSanitizer" "commands without memory"
        return
    fi
    wrong=
    silent=0
    each_allocation after_submit submit --quiet --spool a --name box --set order=2 cases/kill/box.cfg
    is "$wrong" "" "submit without memory, $tried times: the job is there whole, or not at all, and the exit code tells"
    ok "$(test $silent -le 2; echo $?)" "it says why, unless a library ended it"
    cp cases/kill/box.cfg cases/kill/box.msh a/new
    wrong=
    each_allocation after_hold hold --quiet --spool a box
    is "$wrong" "" "hold without memory, $tried times: the case and its mesh are there, once"
    rm -rf a/new/*
}

test_full_disk()
{
    mkdir disk
    if ! mount -t tmpfs -o size=8m tmpfs disk 2>err; then
        skip "a file system cannot be mounted here: $(head -n 1 err)" "a full disk"
        return
    fi
    make_spool disk/s
    write_mesh cases/large.msh
    head -c 300000 /dev/zero | tr '\0' '\n' >>cases/large.msh
    write_with_mesh cases/large.cfg large.msh
    head -c 16000000 /dev/zero >disk/filler 2>/dev/null
    run_edgewise submit --spool disk/s --no-check cases/large.cfg
    is "$code $(names disk/s/new)" "74 " "a full disk: nothing is in new/"
    contains "$err" "disk of the spool is full" "a full disk: it is said"
    is "$(find disk/s/tmp -mindepth 1)" "" "a full disk: nothing is in tmp/"
    rm disk/filler
    run_edgewise submit --spool disk/s --no-check cases/large.cfg
    is "$code $(names disk/s/new)" "0 large " "with room, the same is submitted"
    umount disk
}

test_unreadable()
{
    if test "$(id -u)" -eq 0; then
        skip "root may read anything" "a spool that may not be read"
        return
    fi
    make_spool u
    for place in tmp new; do
        chmod a-w u/$place
        run_edgewise submit --spool u tiny.cfg
        is "$code" 73 "$place/ may not be written: EX_CANTCREAT"
        contains "$err" "Permission denied" "$place/ may not be written: it is said"
        test $place = new || contains "$err" "cannot make a folder in tmp/" "... by the folder that takes none"
        chmod u+w u/$place
    done
    is "$(find u/tmp -mindepth 1)" "" "nothing is left"
    run_edgewise submit --spool u --quiet tiny.cfg
    chmod a-w u/new
    run_edgewise hold --spool u tiny
    is "$code" 73 "... also for hold"
    run_edgewise watch --once --init u/new/s
    is "$code" 73 "... and for a new spool"
    chmod u+w u/new
    chmod 0 u/failed
    run_edgewise status --spool u
    is "$code" 66 "a folder that may not be read: EX_NOINPUT"
    chmod 755 u/failed
    chmod 0 u
    run_edgewise submit --spool u tiny.cfg
    is "$code" 66 "a spool that may not be entered: EX_NOINPUT"
    chmod 755 u
}

test_two_and_two()
{
    jobs=12 rounds=5
    ! long_checks || jobs=20 rounds=20
    make_spool t
    for k in 1 2; do
        start t --poll 1 --settle 0
        mv watch.log t.$k.log
    done
    for k in 1 2; do
        (for i in $(seq $((jobs / 2 - 2))); do
            "$edgewise" submit --spool t --name same tiny.cfg || echo "failed"
        done
        "$edgewise" submit --quiet --spool t --wait tiny.cfg tiny.cfg || echo "failed to wait") >t.$k.out 2>&1 &
        eval "submitter$k=$!"
    done
    # shellcheck disable=SC2154 # they are set by eval
    wait "$submitter1" "$submitter2"
    wait_until is_empty t
    is "$(cat t.?.out | grep -c failed) $(ls t/done | wc -l | tr -d ' ') $(ls t/failed | wc -l | tr -d ' ')" \
        "0 $jobs 0" \
        "two submitters, two watchers: all jobs are done"
    is "$(cat t/done/*/.job | grep '^id=' | sort -u | wc -l | tr -d ' ')" $jobs "each of them once"
    is "$(cat t.?.log | grep -c event=done)" $jobs "and published once"
    is "$(cat t/done/*/summary.json | sed 's/.*"state_hash": "\([0-9a-f]*\)".*/\1/' | sort -u | wc -l | tr -d ' ')" 1 \
        "with the same bits"
    is "$(find t/tmp -mindepth 1)" "" "nothing is left in tmp/"

    # hold and release again and again, while the watchers take what they can get; some jobs fail and are retried
    racers=
    for i in $(seq $rounds); do
        "$edgewise" submit --quiet --spool t --name good.$i tiny.cfg
        "$edgewise" submit --quiet --no-check --spool t --name bad.$i wrong.cfg
        "$edgewise" hold --quiet --spool t --all
        "$edgewise" retry --quiet --spool t --all &
        racers="$racers $!"
        "$edgewise" hold --quiet --spool t --all &
        racers="$racers $!"
        "$edgewise" release --quiet --spool t --all &
        racers="$racers $!"
        "$edgewise" status --spool t >/dev/null
    done 2>races
    # shellcheck disable=SC2086 # several words
    wait $racers
    "$edgewise" release --quiet --spool t --all
    wait_until is_empty t
    ok $? "hold, release and retry race with two watchers: the queue becomes empty"
    is "$(cat races)" "" "none of them complains"
    is "$(ls t/done | grep -c good) $(ls t/failed | grep -c bad) $(ls t/hold | wc -l | tr -d ' ')" "$rounds $rounds 0" \
        "every job is in its place, once"
}

test_where
test_bundles
test_refusals
test_names
test_synced
test_wait
test_moves
test_order
test_long_queue
test_killed
test_memory
test_taken_out
test_full_disk
test_unreadable
test_two_and_two
done_testing
