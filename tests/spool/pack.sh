#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Workers that run several jobs at a time: each job's bits, log and end are its own, and what ends a worker costs
# nobody but the cause.
# shellcheck source=tests/spool/spool-tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/spool/spool-tap.sh"

# Jobs of different lengths, on different meshes.
drop_jobs() # SPOOL COUNT
{
    for k in $(seq 1 "$2"); do
        write_tiny ".$k" "output = { fields = { every = 0.02; }; };"
        cells="$((2 + k % 3)), $((1 + k % 4))"
        sed "s/cells = .2, 2./cells = [$cells]/; s/end = 0.05/end = 0.0$((k % 5 + 3))/" ".$k" >"$1/new/job-$k.cfg"
    done
}

hashes_agree() # SPOOL COUNT
{
    differing=
    for k in $(seq 1 "$2"); do
        test "$(hash_of "$1/done/job-$k/summary.json")" = "$(hash_of_run "$1/done/job-$k/job-$k.cfg")" ||
            differing="$differing job-$k"
    done
    is "$differing" "" "$3"
}

test_usage()
{
    make_spool spool
    for option in "--pack 0" "--pack 1000" "--devices x" "--devices 0,-1" "--devices 0.5" "--pack 2 --exec true"; do
        # shellcheck disable=SC2086
        run_edgewise watch $option --once spool
        is "$code" 64 "a usage error: $option"
    done
    run_edgewise watch --once --devices 7777 spool
    contains "$code $err" "69 edgewise: --devices: there is no GPU 7777 here" "a GPU that is not there is refused"
    run_edgewise watch --once --device 7777 spool
    contains "$code $err" "69 edgewise: --device: there is no GPU 7777 here" "... also as --device"
    run_edgewise watch --once --set backend.device=7777 spool
    contains "$code $err" "69 edgewise: --set backend.device=7777: there is no GPU 7777 here" "... or as a setting"
    echo "device = 7777" >spool/watch.conf
    run_edgewise watch --once spool
    contains "$code $err" "69 edgewise: --device: there is no GPU 7777 here" "... or in watch.conf"
    run_edgewise watch --once --exec true spool
    is "$code" 0 "a job that runs elsewhere may have one there"
    rm spool/watch.conf
}

test_bits()
{
    make_spool many
    drop_jobs many 12
    write_tiny many/new/wrong.cfg "limiter = \"none such\";"
    write_tiny .breaks
    sed 's/u = 0;/u = "x < 0.5 ? -50 : 50";/' .breaks >many/new/breaks.cfg
    drain many --pack 5 --jobs 2
    is "$(names many/failed)" "breaks wrong " "what fails, fails alone"
    hashes_agree many 12 "12 jobs, five in each of two workers, have the bits of their own runs"
    contains "$(cat many/failed/wrong/log)" "none such" "a job's log has its sentences"
    is "$(grep -l "none such" many/*/*/log | wc -l | tr -d ' ')" 1 "... and nobody else's log has them"
    is "$(grep -c "^done after" many/done/job-1/log)" 1 "a job's log has its end"
    contains "$(cat many/failed/breaks/error.txt)" "inadmissible" "a state that breaks says so"
}

# No case takes more than its share of the cores by parts.
test_parts()
{
    make_spool parts
    mkdir parts/new/many
    write_tiny parts/new/many/case.cfg "backend = { parts = 7; };"
    sed -i 's/cells = .2, 2./cells = [6, 6]/' parts/new/many/case.cfg
    cp -r parts/new/many parts/new/packed
    cp -r parts/new/many parts/new/shared
    mv parts/new/packed parts/new/shared parts/hold
    drain parts
    contains "$(cat parts/done/many/summary.json)" '"parts": 1,' "with --threads 1 a job has one part" ||
        diag "$(cat watch.log)"
    contains "$(cat parts/done/many/log)" "note: the case asks for 7 parts, and the share of this job is 1" \
        "... which a note says"
    mv parts/hold/packed parts/new
    drain parts --pack 2
    contains "$(cat parts/done/packed/summary.json)" '"parts": 1,' "... so has a packed one" || diag "$(cat watch.log)"
    mv parts/hold/shared parts/new
    OMP_NUM_THREADS=3 "$edgewise" watch --drain --settle 0 parts >watch.log 2>&1
    contains "$(cat parts/done/shared/summary.json)" '"parts": 3,' "... and others have as many as cores of theirs"
    hashes=$(for name in many packed shared; do hash_of "parts/done/$name/summary.json"; done | sort -u | wc -l)
    is "$hashes" 1 "... with the same bits"
}

# The GPU's kernels, run by a driver that needs no GPU.
test_gpu()
{
    test -x "$top_builddir/tests/cuda/edgewise-fake-gpu" || return 0
    make_spool gpu
    drop_jobs gpu 6
    LD_LIBRARY_PATH="$top_builddir/tests/cuda/fake/.libs:$LD_LIBRARY_PATH" \
        "$top_builddir/tests/cuda/edgewise-fake-gpu" watch --drain --settle 0 --backend cuda --devices all --pack 6 \
        gpu >watch.log 2>&1 </dev/null
    contains "$(cat gpu/done/job-1/summary.json)" '"backend": "cuda"' "jobs run on the GPU"
    hashes_agree gpu 6 "six jobs, as an ensemble of a GPU, have the bits of their own runs on the CPU"
}

# The device is lost in the middle: no job loses more than it must, and none an attempt.
test_lost_device()
{
    test -x "$top_builddir/tests/cuda/edgewise-fake-gpu" || return 0
    make_spool gone
    drop_jobs gone 4
    : >once
    LD_LIBRARY_PATH="$top_builddir/tests/cuda/fake/.libs:$LD_LIBRARY_PATH" \
        FAKE_CUDA="once:$tmp/once cuGraphLaunch:719@4" \
        "$top_builddir/tests/cuda/edgewise-fake-gpu" watch --drain --settle 0 --backend cuda --pack 4 \
        gone >watch.log 2>&1 </dev/null
    ok "$(test -e once; echo $((! $?)))" "the device is lost" || diag "$(cat watch.log)"
    hashes_agree gone 4 "... and all jobs have the bits of their own runs nevertheless"
    ok "$(grep -q event=interrupted watch.log; echo $?)" "... those that were on it are interrupted"
    is "$(grep -c 'event=retry' watch.log)" 0 "... which costs none of them an attempt"
    contains "$(cat gone/done/*/log)" "failed" "... and a log says what happened"
}

# What the system does not grant is said at the start, or waited for, and no job is blamed.
test_grants()
{
    make_spool grants
    (ulimit -n 400 && "$edgewise" watch --jobs 8 --pack 32 --once grants >out 2>&1)
    is "$?" 64 "more places than descriptors are a usage error"
    contains "$(cat out)" "256 jobs at a time (--jobs 8, --pack 32) need 1152 file descriptors, and a process may have \
400;" "... which says how many"
    write_tiny grants/new/soft.cfg
    (ulimit -Sn 40 && "$edgewise" watch --drain --settle 0 --jobs 2 --pack 4 --threads 1 grants >watch.log 2>&1)
    is "$(names grants/done)" "soft " "the soft limit is raised" || diag "$(cat watch.log)"
    if test -f "$faults"; then
        write_tiny grants/new/shared.cfg
        begin_faults EW_FAULT_UNSHARE=1
        # shellcheck disable=SC2086
        $preload "$edgewise" watch --once --settle 0 --pack 4 --threads 1 grants >watch.log 2>&1
        is "$?" 0 "a watcher that may not unshare ends"
        end_faults
        ok "$(test -e grants/done/shared; echo $?)" "... when its jobs are done" || diag "$(cat watch.log)"
        is "$(grep -c 'event=pack pack=1 reason=.*no current folder' watch.log)" 1 "... one after the other, as it says"
    else
        skip "there is no $faults" "without unshare"
    fi
    command -v prlimit >/dev/null || return 0
    start grants --pack 2 --settle 0 --retry-delay 0.05
    prlimit --pid "$watcher" --nofile=24:
    write_tiny grants/new/late.cfg
    wait_until grep -q "event=paused" watch.log
    contains "$(grep event=paused watch.log)" "no free file descriptors" "without descriptors it takes no job"
    is "$(names grants/new)$(names grants/run)" "late.cfg " "... which stays where it is"
    prlimit --pid "$watcher" --nofile=1024:
    wait_until ended grants late
    contains "$(cat grants/done/late/summary.json)" '"attempts": 1, "interruptions": 0, "lost": 0' \
        "... and then runs, without blame"
    stop
}

worker() # of the last watcher
{
    pgrep -P "$watcher" -f spool-worker | head -n 1
}

runs() # SPOOL COUNT
{
    test "$(grep -o '"state":"busy"\|"state": "busy"' "$1/state/status.json" | wc -l)" -ge "$2"
}

test_death()
{
    make_spool dead
    for k in 1 2 3; do
        write_endless "dead/new/long-$k.cfg"
    done
    start dead --pack 3 --settle 0 --retry-delay 0.05
    wait_until runs dead 3
    kill -9 "$(worker)"
    wait_until grep -q "event=worker-died" watch.log
    wait_until sh -c 'test $(grep -c "event=interrupted\|event=retry" watch.log) -ge 3'
    is "$(grep -c "event=interrupted" watch.log)" 3 "a worker that dies with three jobs costs none of them an attempt"
    wait_until runs dead 1
    sleep 0.3
    is "$(ls dead/run | grep -c long)" 1 "... and each then runs alone"
    wait_until sh -c 'test "$(ls dead/state/jobs/*/*.part dead/state/jobs/dead.* 2>/dev/null | wc -l)" -le 1'
    ok 0 "... and those that wait leave no useless output on the disk"
    kill -9 "$(worker)"
    wait_until grep -q "event=retry" watch.log
    ok 0 "... where its worker's death is an attempt of its own"
    stop
    is "$(names dead/failed)" "" "nothing has failed"
    is "$(names dead/new | wc -w | tr -d ' ')" 3 "all of them wait again"
}

test_limit()
{
    make_spool late
    write_endless late/new/first.cfg
    start late --pack 2 --settle 0 --max-time 2
    wait_until runs late 1
    write_endless late/new/second.cfg
    wait_until ended late first
    contains "$(cat late/failed/first/error.txt)" "--max-time" "a job that takes too long ends"
    contains "$(names late/failed/first)" "first.interrupted.nc" "... with its output"
    wait_until ended late second
    is "$(grep -c 'event=interrupted\|event=worker-died' watch.log)" 0 \
        "... and the one beside it goes on, until its own time is over"
    stop
}

# One time step, or the start before it, takes minutes.
write_hanging() # FILE
{
    write_tiny "$tmp/.case"
    sed "s/cells = .*\];/cells = [500, 500];/; s/order = 1/order = 5/
        s/rho = .*; u/rho = \"1$(seq 1 99 | sed 's/.*/+0*sin(x*&)/' | tr -d '\n')\"; u/" "$tmp/.case" >"$1"
}

has_run() # SPOOL NAME [STEPS]
{
    step=$(sed -n 's/.*"job": "'"$2"'"[^}]*"step": \([0-9]*\).*/\1/p' "$1/state/status.json")
    test "${step:-0}" -gt "${3:-0}"
}

test_hanging()
{
    make_spool hangs
    write_endless hangs/new/good.cfg
    start hangs --pack 2 --settle 0 --timeout 2 --max-attempts 1
    wait_until has_run hangs good
    write_hanging hangs/new/bad.cfg
    wait_until ended hangs bad
    contains "$(cat hangs/failed/bad/error.txt)" "--timeout" "a job that completes no step is ended"
    is "$(grep -c 'event=interrupted job="good"' watch.log)" 1 "... the one beside it is interrupted"
    saved=$(ls hangs/state/jobs/* | sed -n 's/.*restart-\([0-9]*\)\.nc/\1/p')
    wait_until has_run hangs good "$saved"
    test "$saved" -gt 100
    ok "$?" "... and resumed where it was"
    is "$(grep -c 'event=retry\|event=worker-died' watch.log)" 0 "... without blame"
    stop
}

# Jobs that fill the disk together, and of which two have room one after the other.
test_full_disk()
{
    mkdir -p disk
    if ! mount -t tmpfs -o size=10m tmpfs disk 2>/dev/null; then
        skip "only root can mount a small disk" "a disk that packed jobs fill"
        return
    fi
    make_spool disk/full
    for k in 1 2 3; do
        write_endless .long
        sed 's/cells = .*\];/cells = [20, 20];/; s/order = 1/order = 2/; s/end = 1e7/end = 0.1/' .long >.full
        echo 'output = { fields = { every = 0.005; }; };' >>.full
        mv .full "disk/full/new/job-$k.cfg"
    done
    drain disk/full --pack 3 --min-free 64K --html none
    is "$(names disk/full/done | wc -w | tr -d ' ')" 2 "after jobs have filled the disk, those that fit are done" ||
        diag "$(cat watch.log)"
    umount disk
}

# A process that stops as a whole: none of its jobs is the cause. Those that are suspects do not starve.
test_silent()
{
    make_spool silent
    write_endless silent/new/a.cfg
    write_endless silent/new/b.cfg
    start silent --pack 2 --settle 0 --timeout 1 --grace 0.2
    wait_until runs silent 2
    kill -STOP "$(worker)"
    wait_until sh -c 'test $(grep -c event=interrupted watch.log) -ge 2'
    is "$(grep -c 'event=silent' watch.log) $(grep -c 'event=retry' watch.log)" "1 0" \
        "jobs of a worker that shows no sign of life lose no attempt"
    wait_until runs silent 1
    write_endless silent/new/c.cfg
    write_endless silent/new/d.cfg
    wait_until grep -q '"waiting": 3' silent/state/status.json
    is "$(names silent/run)$(names silent/new)" "a b c.cfg d.cfg " "... and run alone, before jobs that came later"
    mv silent/run/a silent/hold
    wait_until sh -c 'test "$(ls silent/run)" = b'
    mv silent/run/b silent/hold
    wait_until runs silent 2
    is "$(names silent/run)" "c d " "... which then share the worker"
    is "$(grep -c 'event=waits' watch.log)" 0 "nothing is put back meanwhile"
    stop
}

test_stop()
{
    make_spool ends
    write_endless ends/new/a.cfg
    write_endless ends/new/b.cfg
    start ends --pack 2 --settle 0
    wait_until runs ends 2
    stop
    is "$code" 0 "a watcher that is stopped ends well"
    is "$(names ends/new)" "a b " "both jobs wait again"
    is "$(ls ends/new/a ends/new/b ends/state/jobs/* 2>/dev/null | grep -c restart)" 2 "each has a restart file"
}

test_usage
test_bits
test_parts
test_gpu
test_lost_device
test_grants
test_death
test_limit
test_full_disk
test_hanging
test_silent
test_stop
done_testing
