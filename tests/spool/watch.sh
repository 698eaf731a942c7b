#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The service: what is dropped into a spool is run, whoever drops it how; what cannot be run is explained; signals,
# retries, commands.
# shellcheck source=tests/spool/spool-tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/spool/spool-tap.sh"

fails_with() # NAME PART
{
    contains "$(cat "spool/failed/$1/error.txt" 2>&1)" "$2" "$1: failed, with a sentence"
    is "$(wc -l <"spool/failed/$1/error.txt" | tr -d ' ')" 1 "$1: one line"
}

test_init()
{
    run_edgewise watch --once spool
    is "$code" 66 "a spool that is not there: EX_NOINPUT"
    contains "$err" "\"edgewise watch --init spool\" makes it" "a spool that is not there: how to make it"
    mkdir -p other/new
    run_edgewise watch --once other
    contains "$err" "no folder \"tmp\"; \"edgewise watch --init other\" makes one" "a folder that is no spool"
    run_edgewise watch --init --once spool
    is "$code" 0 "--init"
    is "$(ls spool | tr '\n' ' ')" "done failed hold new run state tmp " "--init makes the folders"
    (umask 0 && "$edgewise" watch --init --once open 2>/dev/null)
    is "$(find open -perm -o+w)" "" "... which others may not write to, whatever the umask is"
    is "$(find open -type d -perm -g+w)" "" "... nor may the group"
    rm -r open
    for option in "--jobs 0" "--jobs x" "--timeout soon" "--max-size 3Q" "--poll 0" "--max-attempts -1"; do
        # shellcheck disable=SC2086
        run_edgewise watch $option --once spool
        is "$code" 64 "a usage error: $option"
    done
    for setting in order.foo=3 foo.bar=3 flux=lff order=9 'time={ends=3;}' 'output.fields.at=[0.1'; do
        run_edgewise watch --once --set "$setting" spool
        contains "$code $err" "64 edgewise: --set $setting: " "a setting that no case can have: $setting"
    done
    run_edgewise watch --once --set let.a=1 --set law.gamma=1.3 --set boundary.left.rho=x --set 'sweep={}' \
        --set mesh.rectangle.cells=[2,2] --set order=n --set 'output.probes=({x=0;y=0;})' --set exact=initial spool
    is "$code" 0 "settings that some case can have"
    run_edgewise watch
    contains "$err" "needs a spool" "a spool must be given"
}

test_results()
{
    write_tiny spool/new/wing.cfg
    mkdir spool/tmp/flap
    write_tiny spool/tmp/flap/case.cfg
    mv spool/tmp/flap spool/new
    write_tiny plain.cfg
    drain spool
    is "$code" 0 "--drain ends well"
    is "$(stat -c %a spool/state/intake.lock)" 600 "a lock of the service's is for nobody else, not to read, either"
    hash=$(hash_of_run plain.cfg)
    for name in wing flap; do
        for file in "$name.nc" log summary.json; do
            ok "$(test -s "spool/done/$name/$file"; echo $?)" "done/$name/$file"
        done
        is "$(hash_of "spool/done/$name/summary.json")" "$hash" "$name has the bits of edgewise run"
        contains "$(cat spool/done/$name/summary.json)" "\"job\": {\"name\": \"$name\"" \
            "$name: its way through the spool"
    done
    cmp -s spool/done/wing/wing.cfg plain.cfg
    ok $? "the input is beside the results"
    is "$(ls -A spool/new spool/run spool/tmp)" "$(ls -A spool/new spool/run spool/tmp | sed -n '/:$/p;/^$/p')" \
        "nothing else is left"
    write_tiny spool/new/wing.cfg
    drain spool
    ok "$(test -s spool/done/wing.2/wing.nc; echo $?)" \
        "a name that is there already gets a suffix" || diag "$(ls spool/done)"
    is_json "summary.json" spool/done/wing/summary.json
    json_is "summary.json: numbers are numbers, times in their order" spool/done/wing/summary.json \
        '([type(it["job"][key]).__name__ for key in
           ("submitted", "started", "ended", "queue_s", "run_s", "attempts", "lost")],
          it["job"]["submitted"] <= it["job"]["started"] <= it["job"]["ended"] and it["stop"] == "end")' \
        "(['float', 'float', 'float', 'float', 'float', 'int', 'int'], True)"
}

test_meshes()
{
    write_mesh box.msh
    cp box.msh spool/new/one.msh
    write_with_mesh spool/new/one.cfg one.msh
    cp box.msh spool/new/both.msh
    write_with_mesh spool/new/first.cfg both.msh
    write_with_mesh spool/new/second.cfg both.msh
    mkdir -p spool/tmp/deep/below
    write_with_mesh spool/tmp/deep/case.cfg below/box.msh
    cp box.msh spool/tmp/deep/below
    mv spool/tmp/deep spool/new
    drain spool
    for name in one first second deep; do
        ok "$(test -s "spool/done/$name/$name.nc"; echo $?)" "$name: run with its mesh" || diag "$log"
    done
    is "$(ls spool/new)" "" "the meshes went with their cases"
    cmp -s spool/done/second/both.msh box.msh && cmp -s spool/done/first/both.msh box.msh
    ok $? "two cases on one mesh both have it"
    start spool --settle 0.5 --mesh-wait 30
    write_with_mesh spool/new/late.cfg late.msh
    sleep 0.3
    is "$(ls spool/new)" late.cfg "a case waits for its mesh"
    cp box.msh spool/new/late.msh
    wait_until ended spool late
    ok "$(test -s spool/done/late/late.nc; echo $?)" "a mesh that comes later"
    stop
    write_with_mesh spool/new/never.cfg never.msh
    drain spool --mesh-wait 0.2
    fails_with never 'the mesh "never.msh" did not come'
}

# Shell scripts, SFTP and SMB do so.
test_series_of_closes()
{
    start spool --poll 60 --settle 2
    failed_before=$(names spool/failed)
    write_tiny parts.cfg 'output = { fields = { every = 0.01; }; };'
    while read -r line; do
        printf '%s\n' "$line" >>spool/new/parts.cfg
        sleep 0.02
    done <parts.cfg
    wait_until ended spool parts
    is "$(cmp parts.cfg spool/done/parts/parts.cfg 2>&1)$(names spool/failed)" "$failed_before" \
        "a case that is written by several opens and closes is one job, with its last line"
    write_with_mesh patient.cfg patient.msh
    head -n 3 patient.cfg >spool/new/patient.cfg
    sleep 0.5
    tail -n +4 patient.cfg >>spool/new/patient.cfg
    write_mesh box.msh
    head -n 12 box.msh >spool/new/patient.msh
    sleep 0.5
    tail -n +13 box.msh >>spool/new/patient.msh
    wait_until ended spool patient
    is "$(names spool/failed)" "$failed_before" "... also with pauses, while case and mesh are not whole" ||
        diag "$(cat spool/failed/patient*/error.txt)"
    write_tiny edges.cfg
    head -n 4 edges.cfg >spool/new/edges.cfg
    sleep 0.5
    tail -n +5 edges.cfg >>spool/new/edges.cfg
    wait_until ended spool edges
    is "$(names spool/failed)" "$failed_before" "... and while the case lacks its boundaries" ||
        diag "$(cat spool/failed/edges*/error.txt)"
    stop
}

# While a watcher runs: closed files and renamed folders at once, files that are still written not before they are
# closed.
test_arrival()
{
    start spool --poll 60 --settle 30
    write_tiny spool/new/closed.cfg
    wait_until ended spool closed
    ok $? "a file is taken when it is closed"
    write_tiny ready.cfg && mv ready.cfg spool/new
    wait_until ended spool ready
    ok $? "a file that is moved there is taken at once"
    (write_tiny /dev/fd/9 && wait_until test -e written) 9>spool/new/slow.cfg &
    sleep 0.2
    ok "$(test -e spool/new/slow.cfg; echo $?)" "a file that is being written is not taken"
    : >written
    wait $!
    wait_until ended spool slow
    ok $? "it is when its writer has closed it"
    write_tiny spool/new/.hidden.cfg
    mv spool/new/.hidden.cfg spool/new/shown.cfg
    wait_until ended spool shown
    ok $? "hidden names are for what is not complete"
    stop
    start spool --settle 0.2 --poll 60
    mkdir spool/new/inplace
    write_tiny spool/new/inplace/case.cfg
    wait_until ended spool inplace
    ok $? "a folder that is made in new/ is taken when it has settled"
    ln spool/done/ready/ready.cfg spool/new/linked.cfg
    wait_until ended spool linked
    ok $? "a file that is linked there is taken when it has settled"
    stop
    is "$code" 0 "SIGTERM ends an idle watcher well"
}

# What tells of changes may lose them, or not be there.
# Older than the watcher, a folder is complete when it has settled, unless its record has its inode.
test_sealed()
{
    make_spool sealed
    write_tiny first.cfg
    "$edgewise" submit --quiet --spool sealed first.cfg
    cp -r sealed/new/first sealed/new/copy
    start sealed --settle 600
    wait_until ended sealed first
    is "$(names sealed/new)$(names sealed/run)" "copy " "a submitted job is complete at once, and a copy of it is not"
    stop
}

test_deafness()
{
    start spool --poll 600 --settle 0
    queue=$(cat /proc/sys/fs/inotify/max_queued_events 2>/dev/null || echo 1000000)
    if test "$queue" -le 20000; then
        kill -STOP $watcher
        changes=0
        while test $changes -lt "$queue"; do
            : >spool/new/.one
            : >spool/new/.two
            changes=$((changes + 2))
        done
        write_tiny spool/new/unheard.cfg
        kill -CONT $watcher
        wait_until ended spool unheard
        ok $? "when the kernel's list of changes overflows, a look at the folder finds what was lost"
        rm spool/new/.one spool/new/.two
    else
        skip "the kernel's list of changes has more than 20000 places" "an overflow of it"
    fi
    stop
    if test -f "$faults"; then
        begin_faults EW_FAULT_INOTIFY=1
        start spool --poll 600 --settle 0
        end_faults
        write_tiny spool/new/polled.cfg
        wait_until ended spool polled
        ok $? "without inotify the folder is looked at now and then"
        stop
        contains "$log" "event=no-inotify" "... and the log tells so"
    else
        skip "there is no $faults" "without inotify"
    fi
}

test_order()
{
    for name in a b@-5 c@7 d; do
        write_tiny "spool/new/$name.cfg"
        sleep 0.02
    done
    write_tiny spool/new/e.cfg 'spool = { priority = 3; };'
    drain spool
    is "$(sed -n 's/.*event=started job="\([^"]*\)".*/\1/p' watch.log | tr '\n' ' ')" "c@7 e a d b@-5 " \
        "the order is that of priorities, then of age"
}

test_bad_jobs()
{
    write_tiny spool/new/colour.cfg 'colour = 3;'
    mkdir spool/new/empty spool/new/two
    write_tiny spool/new/two/a.cfg
    write_tiny spool/new/two/b.cfg
    write_with_mesh spool/new/absolute.cfg /etc/passwd
    mkdir spool/new/up
    write_with_mesh spool/new/up/case.cfg ../../../box.msh
    mkdir spool/new/link
    write_with_mesh spool/new/link/case.cfg box.msh
    ln -s "$tmp/box.msh" spool/new/link/box.msh
    mkdir spool/new/include
    write_tiny spool/new/include/case.cfg '@include "../../../plain.cfg"'
    drain spool
    fails_with colour 'there is no key "colour"'
    fails_with empty "there is no case"
    fails_with two "two cases"
    fails_with absolute "absolute path"
    fails_with up "leads out"
    fails_with link "is a link"
    fails_with include "included file"
    contains "$(cat spool/failed/colour/.job)" "exit_code=78" "the exit code is in the record"
    is "$(grep -c 'event=started job="colour"' watch.log)" 1 "a bad case is not tried again"
}

# Whatever lies in new/: an end in failed/, or left alone, and the service goes on.
test_hostile()
{
    start spool --settle 0.1 --mesh-wait 0.3 --max-files 50 --max-size 1M
    cd spool/new || return
    : >truncated-0.cfg
    head -c 70 "$tmp/plain.cfg" >truncated-1.cfg
    head -c 100000 /dev/urandom >binary.cfg
    head -c 3000000 /dev/zero >gigantic.cfg
    { printf 'a = '; head -c 200000 /dev/zero | tr '\0' '('; } >nested.cfg
    echo '@include "cyclic.cfg"' >cyclic.cfg
    ln -s loop.cfg loop.cfg
    ln -s "$tmp/plain.cfg" symlink.cfg
    ln -s "$tmp" folderlink
    mkfifo pipe.cfg pipe.msh
    write_with_mesh pipe-mesh.cfg pipe.msh
    write_tiny 'with space.cfg'
    write_tiny 'new
line.cfg'
    write_tiny '..cfg'
    write_tiny '...cfg'
    write_tiny 'dots..cfg'
    write_tiny "quote'\"\$(touch x).cfg"
    write_tiny -dash.cfg
    write_tiny "$(head -c 240 /dev/zero | tr '\0' n).cfg"
    write_with_mesh names-itself.cfg names-itself.cfg
    mkdir -p many deep/1/2/3/4/5/6/7/8/9/10 own fifo
    for k in $(seq 60); do echo >many/$k; done
    write_tiny many/case.cfg
    write_tiny deep/case.cfg
    write_tiny own/case.cfg
    mkdir own/log own/summary.json own/.token own/own.nc.old
    ln -s /etc/passwd own/error.txt
    mkfifo fifo/case.cfg
    for k in $(seq 30); do write_tiny vanish-$k.cfg; mv vanish-$k.cfg renamed-$k.cfg 2>/dev/null;
        rm -f renamed-$k.cfg; done
    cd "$tmp" || return
    mkdir -p spool/tmp/nasty
    write_tiny spool/tmp/nasty/case.cfg
    cp plain.cfg spool/tmp/nasty/log
    ln spool/tmp/nasty/log hardlinked
    mkdir spool/tmp/nasty/.token spool/tmp/nasty/summary.json
    mv spool/tmp/nasty spool/new
    write_tiny spool/new/good.cfg
    wait_until ended spool good
    ok $? "the service goes on"
    if test "$(id -u)" -eq 0 && command -v setpriv >/dev/null; then
        chmod a+x . && chmod 1777 spool/new
        setpriv --reuid 65534 --clear-groups sh -c 'umask 777; : >spool/new/foreign.cfg'
        wait_until ended spool foreign
        ok "$(test -e spool/failed/foreign; echo $?)" "a file of someone else"
    else
        skip "only root can be someone else" "a file of someone else"
    fi
    for name in truncated-0 truncated-1 binary gigantic nested cyclic pipe-mesh names-itself many deep own fifo; do
        wait_until ended spool $name
        ok "$(test -s spool/failed/$name/error.txt; echo $?)" \
            "$name fails with a sentence" || diag "$(grep "$name" watch.log)"
        is "$(wc -l <spool/failed/$name/error.txt | tr -d ' ')" 1 "$name: one line"
    done
    for name in 'with space' 'dots.' nasty -dash; do
        wait_until ended spool "$name"
        ok "$(test -s "spool/done/$name/summary.json"; echo $?)" \
            "$name is run" || diag "$(cat "spool/failed/$name/error.txt")"
    done
    ok "$(test -e "spool/failed/new_line/error.txt"; echo $?)" "an end of line in a name fails with a sentence"
    ok "$(test -e "spool/done/quote'\"\$(touch x)/summary.json" && ! test -e x; echo $?)" \
        "signs for a shell are only signs"
    cmp -s hardlinked plain.cfg
    ok $? "a log with another name elsewhere is not written to"
    wait_until sh -c 'test "$(ls spool/run | wc -l)" -eq 0'
    stop
    is "$code" 0 "the service ended well"
    for name in loop.cfg symlink.cfg folderlink pipe.cfg; do
        contains "$log" "event=left-alone file=\"$name\"" "$name is left alone, with a log line"
    done
    is "$(ls -A spool/new | tr '\n' ' ')" "...cfg ..cfg folderlink loop.cfg pipe.cfg pipe.msh symlink.cfg " \
        "nothing else is left in new/"
    contains "$(cat spool/failed/many/error.txt)" "--max-files" "the limit on files is told"
    contains "$(cat spool/failed/gigantic/error.txt)" "--max-size" "the limit on bytes is told"
    rm -rf spool/new && mkdir spool/new
}

test_options_file()
{
    echo 'colour = 3' >spool/watch.conf
    run_edgewise watch --once spool
    is "$code" 64 "a wrong line in watch.conf is a usage error"
    contains "$err" "watch.conf" "... and the file is named"
    { yes 'set = title="more"' | head -n 300; echo 'colour = 3'; } >spool/watch.conf
    run_edgewise watch --once spool
    contains "$code $err" '64 edgewise: "watch" has no option --colour' "... as its 301st option is, too"
    printf '%s\n' '# limits' 'max-time = 0.1' 'set = title="set"   # for all' 'max-attempts = 1' >spool/watch.conf
    write_endless spool/new/slow-1.cfg
    start spool --settle 0
    wait_until ended spool slow-1
    fails_with slow-1 "ran longer than 0.1 s"
    printf '%s\n' 'set = time.end=0.01' >spool/watch.conf
    kill -HUP $watcher
    wait_until grep -q event=reread watch.log
    write_endless spool/new/slow-2.cfg
    wait_until ended spool slow-2
    contains "$(cat spool/done/slow-2/summary.json)" '"time": 0.01' "SIGHUP reads watch.conf again"
    echo 'max-attempts = none' >spool/watch.conf
    kill -HUP $watcher
    wait_until grep -q 'level=error event=reread' watch.log
    write_endless spool/new/slow-3.cfg
    wait_until ended spool slow-3
    ok "$(test -e spool/done/slow-3; echo $?)" "a wrong watch.conf leaves everything as it was"
    stop
    rm spool/watch.conf
}

# The process that runs a job, by its log.
process_of() # NAME
{
    sed -n 's/.* process \([0-9]*\),.*/\1/p' "spool/run/$1/log" | tail -n 1
}

worker_of()
{
    cat "/proc/$1/task/$1/children" 2>/dev/null
}

test_deaths()
{
    if ! test -r /proc/self/task/self/children && ! test -r /proc/$$/task/$$/children; then
        skip "the kernel does not tell whose children processes are" "workers that die"
        return
    fi
    write_endless spool/new/victim.cfg
    start spool --settle 0 --max-attempts 2 --retry-delay 0.1
    for attempt in 1 2; do
        wait_until grep -q "event=started job=\"victim\" attempt=$attempt" watch.log
        wait_until grep -q "attempt $attempt on" spool/run/victim/log
        # shellcheck disable=SC2046
        kill -9 $(worker_of $watcher)
        wait_until sh -c "test \$(grep -c event=worker-died watch.log) -ge $attempt"
    done
    wait_until ended spool victim
    fails_with victim "attempt 2, the last one"
    contains "$(cat spool/failed/victim/error.txt)" "signal 9" "the sentence says how the worker died"
    stop
    write_endless spool/new/stopped.cfg
    start spool --settle 0 --max-attempts 1 --timeout 0.3
    wait_until grep -q 'event=started job="stopped"' watch.log
    # shellcheck disable=SC2046
    kill -STOP $(worker_of $watcher)
    wait_until ended spool stopped
    fails_with stopped "no sign of life"
    stop
    write_endless spool/new/tedious.cfg
    drain spool --max-time 0.1
    fails_with tedious "ran longer than 0.1 s"
}

# The step of the newest restart file, which is in the job's private folder, or 0.
newest_restart()
{
    { echo 0; ls spool/state/jobs/* 2>/dev/null; } |
        sed -n 's/^resumed.restart-\([0-9]*\).nc$/\1/p; 1p' | sort -n | tail -n 1
}

test_interruption()
{
    write_endless spool/new/resumed.cfg
    before=0
    for signal in TERM INT; do
        start spool --settle 0 --set output.restart.steps=100
        wait_until eval 'test "$(newest_restart)" -gt $before'
        kill -s $signal $watcher
        await_end
        is "$code" 0 "SIG$signal ends a busy watcher well"
        contains "$log" 'event=interrupted job="resumed"' "an interrupted job is put back"
        steps=$(newest_restart)
        ok "$(test "$steps" -gt "$before"; echo $?)" "with a restart file of its progress, step $steps"
        before=$steps
    done
    drain spool --set time.steps=$((steps + 100))
    is "$(hash_of spool/done/resumed/summary.json)" \
        "$(hash_of_run spool/done/resumed/resumed.cfg --steps $((steps + 100)))" \
        "it is resumed, with the same bits"
    json_is "the interruptions are counted, and cost no attempt" spool/done/resumed/summary.json \
        'it["job"]["interruptions"], it["job"]["attempts"], it["resumed_from"]' "(2, 1, 'resumed.restart-$steps.nc')"
    is "$(ls spool/done/resumed | tr '\n' ' ')" "log resumed.cfg resumed.nc summary.json " \
        "no restart file is left that was not asked for"
}

# As timeout(1) sends it: to the process, and then to its group. The job stands still until both have come.
test_second_signal()
{
    at_once=
    write_endless spool/new/twice.cfg
    for pause in 0.02 0.6; do
        start spool --settle 0
        wait_until eval 'kill -STOP "$(process_of twice)" 2>/dev/null'
        job=$(process_of twice)
        kill -TERM $watcher
        sleep $pause
        kill -INT $watcher
        test $pause = 0.6 || sleep 0.2
        kill -CONT "$job" 2>/dev/null
        await_end
        at_once="$at_once$(grep -c event=stopping-at-once watch.log)"
        rm -f spool/new/twice/log
    done
    is "$at_once" "01" "a second signal within half a second of the first is none; a later one does not wait"
    rm -rf spool/new/twice
}

test_once()
{
    write_tiny spool/new/now.cfg
    write_endless spool/new/then.cfg
    start spool --once --settle 0 --jobs 2 --max-attempts 1
    wait_until grep -q 'event=started job="then"' watch.log
    write_tiny spool/new/later.cfg
    wait_until ended spool now
    wait_until grep -q 'attempt 1 on' spool/run/then/log
    kill -9 "$(process_of then)"
    await_end
    ok "$(test -e spool/done/now && test -e spool/failed/then && test -e spool/new/later.cfg; echo $?)" \
        "--once runs what was there at the start"
    start spool --settle 0
    wait_until ended spool later
    write_tiny spool/new/last.cfg
    kill -USR1 $watcher
    await_end
    is "$code" 0 "SIGUSR1 ends the watcher when nothing is left to do"
    ok "$(test -e spool/done/last; echo $?)" "what waited was run before"
}

# A scheduler in the manner of sbatch --wait: the command hands a copy of the script to a node, which the watcher does
# not know, waits and passes the exit status on. Whoever ends the command does not end the job.
start_cluster()
{
    mkdir queue
    cat >sbatch <<END
#!/bin/sh
id=$tmp/queue/\$\$
cp "\$2" \$id.copy && mv \$id.copy \$id.job
echo "Submitted batch job \$\$ (\$1)"
until test -e \$id.status; do sleep 0.05; done
exit \$(cat \$id.status)
END
    chmod +x sbatch
    while sleep 0.05; do
        for job in queue/*.job; do
            test ! -e "$job" || run_on_node "${job%.job}"
        done
    done &
    watchers="$watchers $!"
}

run_on_node() # JOB
{
    mv "$1.job" "$1.script"
    { (cd / && LD_LIBRARY_PATH=$top_builddir/.libs sh "$tmp/$1.script");
        echo $? >"$1.exit" && mv "$1.exit" "$1.status"; } &
}

test_exec()
{
    start_cluster
    write_tiny spool/new/remote.cfg
    write_tiny spool/new/wrong.cfg 'colour = 3;'
    write_tiny "spool/new/it's.cfg"
    drain spool --exec "'$tmp/sbatch' --wait" --set time.end=0.02
    for name in remote "it's"; do
        ok "$(test -s "spool/done/$name/summary.json"; echo $?)" "--exec: $name is done" || diag "$log"
    done
    contains "$(cat spool/done/remote/log)" "Submitted batch job" "--exec: what the command prints is in the log"
    contains "$(cat spool/done/remote/log)" "done after" "--exec: so is what the run says"
    contains "$(cat spool/done/remote/summary.json)" '"time": 0.02' "--exec: settings reach the run"
    fails_with wrong "colour"
    contains "$(printf '%s\n' "$log" | grep 'event=failed job="wrong"')" colour "--exec: why a run failed is logged"
    write_endless spool/new/outlives.cfg
    start spool --settle 0 --exec "'$tmp/sbatch' --wait" --set time.steps=100000
    wait_until sh -c 'test -e spool/state/jobs/*/outlives.nc.part'
    runner=$(process_of outlives)
    kill -STOP "$runner"
    stop
    contains "$log" 'event=interrupted job="outlives"' "--exec: SIGTERM puts the job back"
    start spool --settle 0 --exec "'$tmp/sbatch' --wait" --set time.steps=100000
    wait_until grep -q "still running; waiting" spool/run/outlives/log
    kill -CONT "$runner"
    wait_until ended spool outlives
    stop
    is "$(hash_of spool/done/outlives/summary.json)" "$(hash_of_run spool/done/outlives/outlives.cfg --steps 100000)" \
        "--exec: what outlives its command is not run a second time"
    contains "$(cat spool/done/outlives/log)" "the earlier attempt has finished this job" "--exec: but waited for"
    is "$(ls -A spool/done/outlives | tr '\n' ' ')" ".job log outlives.cfg outlives.nc summary.json " \
        "--exec: nothing is left of it"
    write_tiny spool/new/refused.cfg
    drain spool --exec "sh -c 'echo no partition >&2; exit 3'" --max-attempts 2
    fails_with refused "exit code 3"
    contains "$(cat spool/failed/refused/log)" "no partition" "--exec: its errors are in the log"
    is "$(grep -c 'event=started job="refused"' watch.log)" 2 "--exec: a command that fails is tried again"
}

test_two_watchers()
{
    jobs=12
    ! long_checks || jobs=20
    for k in $(seq $jobs); do write_tiny spool/tmp/twin-$k.cfg && mv spool/tmp/twin-$k.cfg spool/new; done
    "$edgewise" watch --drain --settle 0 --threads 1 spool >other.log 2>&1 &
    other=$!
    drain spool
    wait $other
    is "$(find spool/done -name 'twin-*.nc' | wc -l | tr -d ' ')" $jobs "two watchers run every job"
    is "$(cat watch.log other.log | grep -c 'event=done job="twin-')" $jobs "... once"
}

# The job runs an eighth of the time, since status.json follows it only once a second; then it stands still.
busy_progresses()
{
    kill -CONT "$(process_of busy)"
    sleep 0.05
    kill -STOP "$(process_of busy)"
    sleep 0.3
    grep -q '"job": "busy".*"step": [1-9]' spool/state/status.json
}

test_news()
{
    start spool --settle 0 --jobs 2
    is_json "status.json" spool/state/status.json
    write_endless spool/new/busy.cfg
    wait_until grep -q 'attempt 1 on' spool/run/busy/log
    wait_until busy_progresses
    json_is "status.json has the state, the process, the workers and a job's progress" spool/state/status.json \
        '(it["state"], it["pid"], sorted(worker["state"] for worker in it["workers"]), it["count"]["failed"],
          [worker["job"] for worker in it["workers"]
           if worker["job"] and 0 < worker["fraction"] < 1 and worker["time"] > 0])' \
        "('running', $watcher, ['busy', 'idle'], 0, ['busy'])"
    is "$(grep -v '^#' spool/state/edgewise.prom |
        grep -vc '^edgewise_spool_[a-z_]*\({[a-z]*="[a-z]*"}\)\{0,1\} [-+0-9.e]*$')" 0 \
        "edgewise.prom has lines that Prometheus reads"
    "$edgewise" watch --settle 0 spool >other.log 2>&1 &
    other=$!
    watchers="$watchers $other"
    wait_until test -e spool/state/status.2.json
    ok $? "a second watcher writes files of its own"
    kill $other
    wait $other
    kill -CONT "$(process_of busy)"
    stop
    rm -rf spool/new/busy
    ok "$(test ! -e spool/state/status.json; echo $?)" "status.json goes with the watcher"
    if python3 -c 'import socket; socket.AF_UNIX' 2>/dev/null; then
        cat >listen.py <<'END'
import os, socket, subprocess, sys, time
listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind("notify")
listener.settimeout(10)
watcher = subprocess.Popen([sys.argv[1], "watch", "--settle", "0", "spool"], stderr=subprocess.DEVNULL,
                           env=dict(os.environ, NOTIFY_SOCKET=os.path.abspath("notify"), WATCHDOG_USEC="300000"))
heard = []
while sum(text == "WATCHDOG=1" for text in heard) < 3:
    heard.append(listener.recv(4096).decode())
watcher.terminate()
while "STOPPING=1" not in heard:
    heard.append(listener.recv(4096).decode())
watcher.wait()
print("heard", *sorted(set(text.split("=")[0] for text in heard)))
END
        is "$(python3 listen.py "$edgewise" 2>&1)" "heard READY STATUS STOPPING WATCHDOG" "systemd is told"
    else
        skip "there is no python3" "systemd is told"
    fi
    rm -rf spool/new
    mkdir spool/new
    start spool --settle 0
    mv spool/new spool/gone
    await_end
    is "$code" 74 "a spool that is taken away ends the watcher: EX_IOERR"
    mv spool/gone spool/new
    start spool --settle 0
    rmdir spool/new
    await_end
    is "$code" 74 "... so does one whose new/ is removed"
    mkdir spool/new
    start spool --settle 0
    mv spool/run spool/gone
    write_tiny spool/new/nowhere.cfg
    await_end
    is "$code" 74 "... or another folder, when it is needed"
    contains "$log" 'event=spool-gone' "... which the log tells"
    mv spool/gone spool/run
    drain spool
    ok "$(test -e spool/done/nowhere; echo $?)" "... and the next one runs what came meanwhile"
}

test_init
test_results
test_meshes
test_arrival
test_series_of_closes
test_sealed
test_deafness
test_order
test_bad_jobs
test_options_file
test_hostile
test_deaths
test_interruption
test_second_signal
test_once
test_exec
test_two_watchers
test_news
done_testing
