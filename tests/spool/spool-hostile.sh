#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The service against people who mean it harm, and against clocks: nobody is kept waiting, no result is somebody
# else's, no file is lost.
# shellcheck source=tests/spool/spool-tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/spool/spool-tap.sh"

fails_with() # NAME PART
{
    contains "$(cat "spool/failed/$1/error.txt" 2>&1)" "$2" "$1: failed, with a sentence"
}

write_steps() # FILE STEPS
{
    write_endless "$1"
    sed -i "s/end = 1e7/end = 1e7; steps = $2/" "$1"
}

# netCDF takes a backslash for a slash, so a job could write into another one's folder.
test_backslashes()
{
    mkdir 'spool/new/x\..\..\victim\victim' spool/new/inner
    write_tiny 'spool/new/x\..\..\victim\victim/case.cfg'
    write_tiny 'spool/new/inner/sub\case.cfg'
    write_tiny 'spool/new/a\b.cfg'
    write_tiny spool/new/victim.cfg
    drain spool
    ok "$(test -s spool/done/victim/victim.nc; echo $?)" "the victim has its result"
    is "$(ls -A spool/done/victim | tr '\n' ' ')" "log summary.json victim.cfg victim.nc " \
        "... and nothing of anybody else"
    fails_with x_.._.._victim_victim "backslash"
    fails_with a_b "backslash"
    ok "$(test -s spool/done/inner/inner.nc; echo $?)" "a case's name may have one: results are called by the job" ||
        diag "$log"
    run_edgewise submit --spool spool --name 'a\b' spool/done/victim/victim.cfg
    is "$code" 64 "submit --name with a backslash: EX_USAGE" || diag "$err"
    contains "$err" "backslash" "... with a sentence"
}

# Names that turn the text of a terminal around, or begin another line of it.
test_directions()
{
    name=$(printf 'rlo\342\200\256gpj\342\200\250end')
    write_tiny "spool/new/$name.cfg"
    drain spool
    contains "$log" 'event=done job="rlo\u202egpj\u2028end"' "the log escapes what turns text around"
    write_tiny "spool/hold/$name.cfg"
    run_edgewise status --spool spool
    contains "$out" 'rlo\u202egpj\u2028end' "... so does status"
    is "$(printf '%s' "$log$out" | LC_ALL=C tr -cd '\200')" "" "... and it reaches nobody"
    rm "spool/hold/$name.cfg"
}

# What a submitter says of attempts does not make a job go on from a file that it brought.
test_forged_record()
{
    write_steps endless.cfg 40
    run_edgewise run --set 'initial.rho="1 + 0.4*x"' --set output.restart.steps=20 --steps 20 endless.cfg
    mkdir spool/tmp/forged
    write_steps spool/tmp/forged/endless.cfg 40
    cp endless.restart-20.nc endless.nc spool/tmp/forged
    cp endless.restart-20.nc spool/tmp/forged/forged.restart-20.nc
    printf '%s\n' attempts=1 interruptions=3 lost=2 exit_code=7 reason=forged id=mine not_before=99999999999 \
        token=00000000000000000000000000000000 >spool/tmp/forged/.job
    printf '00000000000000000000000000000000' >spool/tmp/forged/.token
    mv spool/tmp/forged spool/new
    drain spool --set initial.rho='"1 + 0.1*x"'
    is "$(hash_of spool/done/forged/summary.json)" "$(hash_of_run endless.cfg --set 'initial.rho="1 + 0.1*x"')" \
        "a job with a forged record has the bits of edgewise run" || diag "$log"
    contains "$(cat spool/done/forged/summary.json)" '"id": "mine"' "... what a submitter may say counts"
    contains "$(cat spool/done/forged/summary.json)" '"attempts": 1, "interruptions": 0, "lost": 0' \
        "... and nothing else"
    contains "$(cat spool/done/forged/summary.json)" '"resumed_from": null' "... it was not resumed"
    cmp -s endless.restart-20.nc spool/done/forged/endless.restart-20.nc
    ok $? "the file that it brought is there as it was"
}

# Of two jobs with one inode, the second one does not go on where the first one was.
test_stale_private_folder()
{
    mkdir spool/new/second
    write_tiny spool/new/second/case.cfg
    inode=$(printf %x "$(ls -di spool/new/second | awk '{print $1}')")
    mkdir -p "spool/state/jobs/$inode"
    printf 'token=11111111111111111111111111111111\nattempts=2\n' >"spool/state/jobs/$inode/.job"
    printf '{"stale": 1}\n' >"spool/state/jobs/$inode/summary.json"
    printf stale >"spool/state/jobs/$inode/second.nc"
    drain spool
    contains "$(cat spool/done/second/summary.json)" '"attempts": 1' \
        "what another job with its inode left is not a job's"
    ok "$(cmp -s spool/done/second/second.nc "spool/state/jobs/$inode/second.nc"; test $? -ne 0; echo $?)" \
        "... neither are its files"
    drain spool
    is "$(ls spool/state/jobs)" "" "private folders are removed"
}

# A case is nobody's mesh.
test_swallowed_cases()
{
    write_endless spool/new/alice.cfg
    write_with_mesh spool/new/thief.cfg alice.cfg
    echo secret >spool/new/notes.txt
    write_with_mesh spool/new/reader.cfg notes.txt
    drain spool --set time.steps=3
    fails_with thief "*.msh"
    fails_with reader "*.msh"
    ok "$(test -s spool/done/alice/alice.nc; echo $?)" "a case that another one names as its mesh is run" || diag "$log"
    is "$(ls spool/new)" notes.txt "what is no mesh stays"
    rm spool/new/notes.txt
}

# A link in the place of an output file leads nowhere, in a private folder or in the job's own.
test_planted_links()
{
    echo private >private.txt
    mkdir spool/tmp/links
    write_steps spool/tmp/links/case.cfg 40
    for name in links.nc links.nc.part links.series.csv case.restart-20.nc case.restart-20.nc.part \
        case.restart-40.nc log summary.json; do
        ln -s "$tmp/private.txt" "spool/tmp/links/$name"
    done
    mkdir spool/tmp/hard
    write_steps spool/tmp/hard/case.cfg 40
    for name in hard.nc case.restart-20.nc case.restart-20.nc.part case.restart-40.nc log .token; do
        ln private.txt "spool/tmp/hard/$name"
    done
    mv spool/tmp/links spool/tmp/hard spool/new
    drain spool --set output.restart.steps=20
    fails_with links "is a link"
    ok "$(test -s spool/done/hard/hard.nc -a -s spool/done/hard/case.restart-40.nc; echo $?)" \
        "other names of a file are put aside" ||
        diag "$log"
    is "$(cat private.txt)" private "nothing was written through a link"
}

# The service's own files have no limit: a job whose summary is large ends like any other.
test_large_summary()
{
    mkdir spool/tmp/wordy
    write_tiny spool/tmp/wordy/case.cfg
    awk 'BEGIN { printf "output = { forces = (";
        for (k = 0; k < 1000; k++) printf "%s{ name = \"f%01100d\"; boundaries = [\"top\"]; }", k ? ", " : "", k;
        print "); };" }' >>spool/tmp/wordy/case.cfg
    mv spool/tmp/wordy spool/new
    drain spool
    ok "$(test "$(wc -c <spool/done/wordy/summary.json)" -gt 1048576; echo $?)" "a summary of more than 1 MiB" ||
        diag "$log"
    is "$(grep -c 'event=started job="wordy"' watch.log)" 1 "... of a job that ran once"
}

# A case that cannot be read to be compared with that of the last attempt is no reason to run without a comparison.
test_unreadable_case()
{
    mkdir spool/tmp/unreadable
    write_tiny spool/tmp/unreadable/case.cfg
    truncate -s 65M spool/tmp/unreadable/case.cfg
    mv spool/tmp/unreadable spool/new
    drain spool --max-size 1G
    fails_with unreadable "cannot read the case case.cfg or its settings: it is too large"
}

# Nobody can take all names under which something is put aside.
test_stubborn_names()
{
    mkdir spool/tmp/stubborn
    write_tiny spool/tmp/stubborn/case.cfg
    (cd spool/tmp/stubborn && echo mine >summary.json && echo mine >summary.json.old &&
        seq 2 999 | sed 's/^/summary.json.old./' | xargs touch)
    mv spool/tmp/stubborn spool/new
    drain spool --max-files 5000
    contains "$(cat spool/done/stubborn/summary.json)" state_hash "what is in a result's place is put aside" ||
        diag "$log"
    is "$(cat spool/done/stubborn/summary.json.old.*)" mine "... and is as it was"
    rm -rf spool/done/stubborn
}

# A job is resumed as what it was when it was interrupted, or begins anew.
test_changed_while_held()
{
    write_endless spool/new/mended.cfg
    start spool --settle 0 --set output.restart.steps=100
    wait_until sh -c 'ls spool/state/jobs/*/mended.restart-*.nc >/dev/null 2>&1'
    stop
    "$edgewise" hold --quiet --spool spool mended
    sed -i 's/0.1\*x/0.3*x/' spool/hold/mended/mended.cfg
    "$edgewise" release --quiet --spool spool mended
    drain spool --set time.steps=300
    is "$(hash_of spool/done/mended/summary.json)" "$(hash_of_run spool/done/mended/mended.cfg --steps 300)" \
        "a case that was changed while it waited to be resumed has the bits of edgewise run" || diag "$log"
    contains "$(cat spool/done/mended/log)" "changed since the last attempt" "... and its log tells"
}

longest_turn()
{
    sed -n 's/^edgewise_spool_longest_turn_seconds //p' spool/state/edgewise.prom
}

# Sizes that a submitter chooses are no work of the watcher's.
hostile_sizes() # FOLDERS
{
    start spool --settle 0.1 --poll 1
    mkdir spool/tmp/folders spool/tmp/again
    (cd spool/tmp/folders && seq "$1" | sed 's/^/d/' | xargs mkdir)
    (cd spool/tmp/again && seq "$1" | sed 's/.*/f&.restart-1.nc/' | xargs touch)
    write_tiny spool/tmp/folders/case.cfg
    write_tiny spool/tmp/again/case.cfg
    echo failed >spool/tmp/again/error.txt
    mv spool/tmp/folders spool/tmp/again spool/new
    for name in hole-1 hole-2 hole-3; do write_with_mesh spool/new/$name.cfg holes.msh; done
    truncate -s 100G spool/new/.holes && mv spool/new/.holes spool/new/holes.msh
    { printf 'a = '; head -c 200000 /dev/zero | tr '\0' '('; } >spool/new/brackets.cfg
    write_tiny spool/new/honest.cfg
    for name in honest folders again hole-1 hole-2 hole-3 brackets; do wait_until ended spool $name; done
    sleep 1.2
    longest=$(longest_turn)
    stop
    ok "$(test -s spool/done/honest/honest.nc; echo $?)" "an honest job is run beside hostile ones" || diag "$log"
    fails_with folders "--max-files"
    fails_with again "--max-files"
    for name in hole-1 hole-2 hole-3; do fails_with $name "--max-size"; done
    ok "$(test "$(du -sm spool | cut -f 1)" -lt 1000; echo $?)" "holes of a mesh stay holes"
    diag "the longest turn of the loop took $longest s"
    rm -rf spool/failed/* spool/done/*
}

# Three times at most: another program may have taken the processor.
test_sizes()
{
    folders=2000
    ! long_checks || folders=3000
    for round in 1 2 3; do
        hostile_sizes $folders
        awk "BEGIN { exit !($longest < 0.1) }" && break
    done
    ok "$(awk "BEGIN { exit !($longest < 0.1) }"; echo $?)" "no turn of the watcher's loop takes 100 ms"
}

# Where a mesh of somebody else may not be linked, it is copied, if there is room for it.
test_meshes_of_others()
{
    if ! { test "$(id -u)" -eq 0 && command -v setpriv >/dev/null; }; then
        skip "only root can be someone else" "meshes of others"
        return
    fi
    chmod a+x . && chown -R 65534 spool && chown 0 spool/new && chmod 777 spool/new
    write_mesh spool/new/shared.msh
    truncate -s 1M large && cat large >>spool/new/large.msh
    chmod 644 spool/new/*.msh
    for name in copy-1 copy-2; do write_with_mesh spool/new/$name.cfg shared.msh; done
    for name in large-1 large-2; do write_with_mesh spool/new/$name.cfg large.msh; done
    setpriv --reuid 65534 --clear-groups "$edgewise" watch --drain --settle 0 --threads 1 --max-size 500000 spool \
        >watch.log 2>&1
    log=$(cat watch.log)
    if test "$(cat /proc/sys/fs/protected_hardlinks 2>/dev/null)" = 1; then
        fails_with large-1 "--max-size"
    else
        skip "links to files of others are allowed here" "a mesh that is too large to be copied"
    fi
    ok "$(test -s spool/done/copy-1/copy-1.nc -a -s spool/done/copy-2/copy-2.nc; echo $?)" \
        "cases share a mesh of somebody else" ||
        diag "$log"
    mkdir locked && chmod 755 locked
    write_tiny locked/kept.cfg
    chmod 1777 spool/new
    mv locked/kept.cfg spool/new
    setpriv --reuid 65534 --clear-groups "$edgewise" watch --settle 0 --poll 0.1 --threads 1 spool >watch.log 2>&1 &
    watcher=$!
    watchers="$watchers $watcher"
    wait_until grep -q 'event=claim' watch.log
    sleep 1
    stop
    is "$(grep -c 'event=claim job="kept.cfg"' watch.log)" 1 "what may not be renamed is told once" || diag "$log"
    rm -rf spool && make_spool spool
}

# What somebody has locked stays, and nobody is kept at it.
test_locked_remains()
{
    user= stranger=
    if test "$(id -u)" -eq 0; then
        if ! setpriv --reuid 65534 --clear-groups true 2>/dev/null; then
            skip "root may remove everything" "folders that cannot be removed"
            return
        fi
        user="setpriv --reuid 65534 --clear-groups" stranger="setpriv --reuid 65533 --clear-groups"
        chmod 755 "$tmp"
    fi
    make_spool remains
    mkdir -p remains/tmp/removed.x/p/d remains/tmp/removed.x/q/r remains/done/job/p/d remains/done/job/q/r
    write_tiny tiny.cfg
    test -z "$user" || chown -R 65534 remains
    chmod 555 remains/tmp/removed.x/p remains/done/job/p
    if test -n "$stranger"; then
        chmod 1777 remains/tmp remains/new
        $stranger timeout 60 "$edgewise" submit --quiet --spool remains --name stranger tiny.cfg 2>err
        is "$? $(names remains/new)" "0 stranger " "submit passes over what another user cannot remove" ||
            diag "$(cat err)"
        (umask 0 && $stranger mkdir -p remains/tmp/removed.y/d)
        $user timeout 60 "$edgewise" submit --quiet --spool remains --name mine tiny.cfg 2>err
        is "$? $(names remains/tmp)$(names remains/tmp/removed.y)" "0 removed.x removed.y d " \
            "... and leaves what is another user's to the watcher"
        rm -r remains/tmp/removed.y
    else
        timeout 60 "$edgewise" submit --quiet --spool remains --name mine tiny.cfg 2>err
        is "$?" 0 "submit passes over what it cannot remove" || diag "$(cat err)"
    fi
    is "$(names remains/tmp/removed.x)" "p " "... and has removed the rest"
    $user timeout 60 "$edgewise" clean --older 0 remains >out 2>err
    is "$? $(names remains/done)$(cd remains/tmp && echo removed.*/* | sed 's/[0-9a-f]\{32\}/TOKEN/')" \
        "74 removed.TOKEN/p removed.x/p" "clean does, too" ||
        diag "$(cat err)"
    contains "$(cat err)" "some of its files are left in tmp/removed." "... and tells"
    $user timeout 60 "$edgewise" watch --drain --settle 0 --threads 1 remains >watch.log 2>&1
    is "$?" 0 "a watcher that drains the spool ends" || diag "$(cat watch.log)"
    chmod -R u+rwx remains/tmp
}

test_clocks()
{
    write_tiny spool/new/future.cfg
    touch -d '+1 day' spool/new/future.cfg
    start spool --settle 0.2 --retry-delay 0.4 --exec 'test -e ready && exec sh "$0"; exit 3 #'
    wait_until ended spool future
    ok "$(test -e spool/failed/future; echo $?)" "a file with a time in the future does not wait for it"
    write_tiny spool/new/later.cfg
    wait_until grep -q 'event=retry job="later"' watch.log
    stop
    sed -i 's/^not_before=.*/not_before=9999999999.000000/' spool/state/jobs/*/.job
    contains "$(cat spool/state/jobs/*/.job)" "not_before=9999999999" "a clock was set back during a retry's delay"
    drain spool
    ok "$(test -e spool/done/later; echo $?)" "... the retry does not wait until it has caught up" || diag "$log"
}

# The scanner reads what anybody wrote; its end is not the watcher's.
test_scanner()
{
    if ! test -r "/proc/$$/task/$$/children"; then
        skip "the kernel does not tell whose children processes are" "a scanner that dies"
        return
    fi
    start spool --settle 0 --poll 0.2
    write_tiny spool/new/first.cfg
    wait_until ended spool first
    for child in $(cat "/proc/$watcher/task/$watcher/children"); do
        tr '\0' ' ' <"/proc/$child/cmdline" | grep -q spool-worker || kill -9 "$child"
    done
    write_tiny spool/new/next.cfg
    wait_until ended spool next
    stop
    ok "$(test -e spool/done/first -a -e spool/done/next; echo $?)" "a killed scanner is replaced" || diag "$log"
}

# An entry that kills two scanners is not shown to a third one, however often new/ is scanned.
test_deadly_entry()
{
    mkdir spool/new/busy
    write_endless spool/new/busy/case.cfg
    begin_faults EW_FAULT_LEASE=1
    start spool --settle 0 --poll 0.1
    end_faults
    wait_until test -e spool/run/busy/log
    write_tiny spool/new/deadly.cfg
    wait_until grep -q 'event=scanner-died entry="deadly.cfg"' watch.log
    sleep 1
    mkdir spool/tmp/seen && write_tiny spool/tmp/seen/case.cfg && mv spool/tmp/seen spool/new
    : >spool/run/busy/.cancel
    wait_until ended spool deadly
    wait_until ended spool seen
    stop
    is "$(echo "$log" | grep -c scanner-died)" 1 "an entry that kills scanners is not looked at again" || diag "$log"
    is "$(names spool/failed | tr ' ' '\n' | grep -x busy) $(test -e spool/done/deadly && echo ran)" "busy ran" \
        "... but run, like those beside it"
    rm -rf spool/done/deadly spool/done/seen spool/failed/busy
}

# libconfig needs minutes for such a group; the scanner and status leave it to the case's worker, which refuses it.
test_many_keys()
{
    count=0
    for sign in = : '\f='; do
        mkdir "spool/new/keys$((count += 1))"
        awk -v sign="$sign" 'BEGIN {
            for (i = 0; i < 32000; i++) printf "%c%03x%s1;", 97 + i / 4096, i % 4096, sign }' \
            >spool/new/keys$count/case.cfg
    done
    write_tiny spool/new/small.cfg 'spool = { priority = 1; };'
    run_edgewise status --spool spool
    contains "$out" keys3 "status lists cases of 32,000 keys" || diag "$err"
    drain spool
    is "$(echo "$log" | grep -c scanner-died)" 0 "such cases do not kill the scanner"
    is "$(echo "$log" | sed -n 's/.*event=\(done\|failed\) job="\([a-z]*\).*/\2/p' | head -n 1)" small \
        "... and keep no other job waiting" || diag "$log"
    for name in keys1 keys2 keys3; do fails_with $name "one key too many"; done
}

make_spool spool

# new/ belongs to a group; edgewise-spool(7) says which modes it has.
make_group() # SPOOL
{
    service="setpriv --reuid 65532 --regid 65532 --groups 65533"
    members="--regid 65533 --clear-groups"
    chmod 755 "$tmp"
    mkdir "$1" && chown 65532:65532 "$1"
    (umask 027 && $service "$edgewise" watch --init --once "$1" 2>/dev/null)
    (cd "$1" && chgrp 65533 new tmp hold && chmod 3770 new tmp hold)
    (umask 027 && $service "$edgewise" watch --init --once "$1" 2>/dev/null)
}

can_be_others()
{
    test "$(id -u)" -eq 0 && setpriv --reuid 65534 --regid 65533 --clear-groups true 2>/dev/null
}

test_group()
{
    if ! can_be_others; then
        skip "only root can take other users' places" "a group's spool"
        return
    fi
    make_group group
    write_tiny first.cfg
    write_tiny second.cfg
    chmod 644 first.cfg second.cfg
    for name in first second; do
        (umask 077 && setpriv --reuid 65531 $members "$edgewise" submit --quiet --spool group $name.cfg)
    done
    is "$(cd group/new && stat -c '%a %g' first first/case.cfg first/.job | tr '\n' ' ')" \
        "2770 65533 640 65533 640 65533 " "what submit makes is for the group, and files are not to be written"
    setpriv --reuid 65530 $members mv group/new/first group/hold 2>/dev/null
    : >group/new/dropped
    setpriv --reuid 65530 $members rm -f group/new/dropped 2>/dev/null
    is "$(names group/new)" "dropped first second " "another member moves no job and removes no file"
    is "$(setpriv --reuid 65530 $members "$edgewise" status --spool group | grep -c first)" 1 "... but sees it"
    (umask 027 && $service "$edgewise" watch --drain --settle 0 --threads 1 group >watch.log 2>&1)
    setpriv --reuid 65531 $members cat group/done/first/first.nc group/done/second/summary.json >/dev/null
    ok "$?" "the submitter reads the results" || diag "$(cat watch.log)"
    is "$(stat -c %g group/done/first/*.nc group/done/first/summary.json | sort -u)" 65533 "... which are the group's"
}

# A case takes no mesh away from another user.
test_group_meshes()
{
    if ! can_be_others; then
        skip "only root can take other users' places" "meshes in a group's spool"
        return
    fi
    make_group meshes
    write_mesh meshes/new/open.msh
    write_mesh meshes/new/closed.msh
    write_with_mesh thief.cfg open.msh
    write_with_mesh burglar.cfg closed.msh
    write_with_mesh owner.cfg open.msh
    chmod 640 meshes/new/open.msh ./*.cfg
    chmod 600 meshes/new/closed.msh
    chown 65531:65533 meshes/new/*.msh owner.cfg
    chown 65530:65533 thief.cfg burglar.cfg
    cp -p thief.cfg burglar.cfg meshes/new
    (umask 027 && $service "$edgewise" watch --drain --settle 0 --threads 1 meshes >watch.log 2>&1)
    is "$(names meshes/new)$(names meshes/done)$(names meshes/failed)" "closed.msh open.msh thief burglar " \
        "a case leaves another user's mesh where it is, and runs with it if its owner may read it" ||
        diag "$(cat watch.log)"
    is "$(cat meshes/failed/burglar/error.txt)" "the mesh \"closed.msh\" belongs to another user, and its mode does \
not let the case's owner read it; its owner can allow that with chmod a+r" "... otherwise it fails with a sentence"
    cp -p owner.cfg meshes/new
    (umask 027 && $service "$edgewise" watch --drain --settle 0 --threads 1 meshes >watch.log 2>&1)
    is "$(names meshes/new)$(stat -c %u meshes/done/owner/open.msh)" "closed.msh 65531" \
        "... and a case of the mesh's owner takes it" || diag "$(cat watch.log)"
}

# What root has locked or made first is the service's to lock the next time.
test_root()
{
    if ! can_be_others; then
        skip "only root can take other users' places" "root in a service's spool"
        return
    fi
    make_group rooted
    for name in ended runs; do write_tiny rooted/new/$name.cfg; chown 65532 rooted/new/$name.cfg; done
    "$edgewise" cancel --quiet --spool rooted ended 2>err
    is "$? $(stat -c %u rooted/state/intake.lock rooted/state/jobs | sort -u)" "0 65532" \
        "root cancels a job, and locks are the service's" || diag "$(cat err)"
    (umask 027 && $service timeout 60 "$edgewise" watch --drain --settle 0 --threads 1 rooted >watch.log 2>&1)
    ok "$(test -s rooted/done/runs/runs.nc; echo $?)" "... which goes on" || diag "$(cat watch.log)"
}

as_member()
{
    # shellcheck disable=SC2086 # several words
    setpriv --reuid 65531 $members "$@"
}

start_service() # SPOOL
{
    rm -f "$1/state/status.json"
    # shellcheck disable=SC2086 # several words
    (umask 027 && exec $service "$edgewise" watch --threads 1 --settle 0 "$1") >watch.log 2>&1 </dev/null &
    watcher=$!
    watchers="$watchers $watcher"
    wait_until test -e "$1/state/status.json"
}

# A member may not claim jobs, so the service ends them, also those that wait behind another one.
test_group_cancels()
{
    if ! can_be_others; then
        skip "only root can take other users' places" "cancelling in a group's spool"
        return
    fi
    make_group asked
    write_endless long.cfg
    chmod 644 long.cfg
    for name in runs waits held left; do
        (umask 077 && as_member "$edgewise" submit --quiet --spool asked --name $name --priority 1 long.cfg) || true
        test $name != held || as_member "$edgewise" hold --quiet --spool asked held
        test $name != runs || { start_service asked; wait_until grep -qs "attempt 1 on" asked/run/runs/log; }
    done
    as_member "$edgewise" cancel --spool asked waits held >out 2>err
    is "$? $(tr '\n' ' ' <out)$(names asked/failed)" "0 waits held held waits " \
        "a member cancels jobs that wait or are held while another one runs" || diag "$(cat err watch.log)"
    as_member "$edgewise" cancel --spool asked runs >out 2>err
    is "$? $(cat out)" "0 runs" "... and one that runs" || diag "$(cat err watch.log)"
    contains "$(cat asked/failed/waits/error.txt)" "cancelled on 20" "... as their reasons say"
    stop
    mkdir asked/new/kept && chmod 2770 asked/new/kept && cp long.cfg asked/new/kept/case.cfg
    chown -R 65531:65533 asked/new/kept
    as_member "$edgewise" cancel --spool asked kept >out 2>err
    contains "$? $(cat err)" "75 edgewise: kept is not cancelled yet: no watcher runs" \
        "without a watcher the request waits for one"
    as_member cp long.cfg asked/new/dropped.cfg
    as_member "$edgewise" cancel --spool asked dropped >out 2>err
    contains "$? $(cat err)" "73 edgewise: dropped.cfg cannot be cancelled: it is a file, so remove it: rm " \
        "a file is to be removed"
    eval "as_member $(sed -n 's/.*: rm/rm/p' err)"
    rm -rf asked/run/left asked/new/left
    (umask 027 && $service "$edgewise" watch --drain --settle 0 --threads 1 asked >watch.log 2>&1)
    contains "$(cat asked/failed/kept/error.txt)" "cancelled on 20" "... and the next one carries it out" ||
        diag "$(cat watch.log)"
    as_member "$edgewise" retry --spool asked waits >out 2>err
    contains "$? $(cat err)" "73 edgewise: waits cannot be retried: only the service's user" \
        "a member cannot take a job out of failed/"
    eval "as_member $(sed -n 's/.*with "edgewise \(.*\)"$/"\$edgewise" \1/p' err)" >out 2>err
    is "$? $(cat out)" "0 waits" "... and is told how to submit it again" || diag "$(cat err)"
}

# In a folder with a sticky bit, the service cannot rename what is a submitter's.
test_refusing_folders()
{
    if ! can_be_others; then
        skip "only root can take other users' places" "folders that refuse results"
        return
    fi
    make_group refusing
    write_tiny good.cfg
    write_tiny bad.cfg 'nonsense = 1;'
    chmod 644 good.cfg bad.cfg
    for name in good bad unlogged; do
        as_member mkdir refusing/tmp/$name refusing/tmp/$name/log
        as_member cp good.cfg refusing/tmp/$name/case.cfg
    done
    as_member mkdir refusing/tmp/good/good.nc
    as_member cp bad.cfg refusing/tmp/bad/case.cfg
    chmod 1777 refusing/tmp/good refusing/tmp/bad refusing/tmp/unlogged
    as_member mv refusing/tmp/good refusing/tmp/bad refusing/tmp/unlogged refusing/new
    write_tiny refusing/new/patient.cfg
    chown 65531:65533 refusing/new/patient.cfg
    (umask 027 && $service timeout 100 "$edgewise" watch --drain --settle 0 --threads 1 --retry-delay 0.05 refusing \
        >watch.log 2>&1)
    is "$? $(names refusing/done)$(names refusing/failed)$(names refusing/run)" "0 patient unlogged bad good " \
        "a job whose folder refuses its results fails" || diag "$(cat watch.log)"
    is "$(cat refusing/failed/good/error.txt)" "cannot move good.nc into the job's folder: File exists; let the \
service replace and rename what is there" "... with a sentence"
    is "$(grep exit_code refusing/failed/good/.job)" exit_code=73 "... and its exit code"
    ok "$(test -d refusing/failed/good/good.nc; echo $?)" "... and what was there stays"
    is "$(grep -c 'event=deliver' watch.log)" 5 "... after five attempts"
    contains "$(cat refusing/failed/bad/error.txt)" "(its log cannot be written: File exists)" \
        "a job without a log says why"
    is "$(grep -vc 'event=' watch.log)" 0 "... and writes nothing into the log of the service" ||
        diag "$(grep -v 'event=' watch.log)"
}

# The service remembers each stuck job, however many there are.
test_many_stuck()
{
    as_user='' user=$(id -u)
    if test "$user" -eq 0; then
        if ! can_be_others; then
            skip "root may open every folder" "many stuck jobs"
            return
        fi
        as_user="setpriv --reuid 65532 --regid 65532 --clear-groups" user=65532
        chmod 755 "$tmp"
    fi
    make_spool stuck
    (cd stuck/run && seq 300 | xargs mkdir -m 0)
    chown -R "$user" stuck
    # shellcheck disable=SC2086 # several words
    $as_user timeout 60 "$edgewise" watch --drain --settle 0 --threads 1 --retry-delay 0.01 stuck >watch.log 2>&1
    is "$?" 0 "a watcher that drains the spool does not wait for jobs that it cannot open" ||
        diag "$(tail -n 5 watch.log)"
    # shellcheck disable=SC2086 # several words
    $as_user "$edgewise" watch --settle 0 --threads 1 --retry-delay 0.01 stuck >watch.log 2>&1 </dev/null &
    watcher=$!
    watchers="$watchers $watcher"
    wait_until sh -c 'test "$(grep -c event=adopt watch.log)" -ge 1800'
    sleep 2
    stop
    is "$(grep -c event=adopt watch.log)" 1800 "... and logs six tries of each"
    chmod -R 755 stuck/run
}

# Who can open a file can lock it, and keep others from the lock or make a dead watcher look alive.
test_locks()
{
    if ! can_be_others; then
        skip "only root can take other users' places" "locks of the service's"
        return
    fi
    make_group shared
    write_endless long.cfg
    chmod 644 long.cfg
    (umask 077 && as_member "$edgewise" submit --quiet --spool shared long.cfg)
    start_service shared
    wait_until grep -qs "attempt 1 on" shared/run/long/log
    is "$(as_member find shared/run shared/state -name '*lock*' -readable 2>/dev/null)" shared/state/watch.1.lock \
        "a member of the group can open no lock but that which tells who is alive"
    contains "$(as_member "$edgewise" status --spool shared)" "watcher  running on" "... which it does"
    if command -v python3 >/dev/null; then
        python3 -c 'import fcntl, sys, time
file = open("shared/state/watch.1.lock")
fcntl.flock(file, fcntl.LOCK_EX)
fcntl.lockf(file, fcntl.LOCK_SH) # waits for the watcher
open(sys.argv[1], "w")
time.sleep(600)' "$tmp/has-locked" &
        locker=$!
        watchers="$watchers $locker"
        kill -9 "$watcher"
        wait_until test -e has-locked
        contains "$(as_member "$edgewise" status --spool shared)" "watcher  died" \
            "a stranger's lock makes no dead watcher look alive"
        start_service shared
        wait_until sh -c 'test "$(grep -c "attempt 1 on" shared/run/long/log 2>/dev/null)" -ge 2'
        ok $? "... nor keeps the next one from starting, or from the job"
        contains "$(as_member "$edgewise" status --spool shared)" "watcher  running on" "... which looks alive"
        kill "$locker"
    else
        skip "there is no python3" "locks of a stranger's"
    fi
    stop
}

test_backslashes
test_directions
test_forged_record
test_stale_private_folder
test_swallowed_cases
test_planted_links
test_large_summary
test_unreadable_case
test_stubborn_names
test_changed_while_held
test_sizes
test_meshes_of_others
test_locked_remains
test_clocks
test_scanner
test_deadly_entry
test_many_keys
test_group
test_group_meshes
test_root
test_group_cancels
test_refusing_folders
test_many_stuck
test_locks
done_testing
