#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A full disk or a limit on file sizes: a sentence, exit code 74, and no incomplete file, wherever it strikes. Complete
# frames are kept.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

write_box big.cfg 40

fails_cleanly() # CODE SENTENCE FOLDER DESCRIPTION
{
    is "$1" 74 "$4: EX_IOERR" || diag "$(cat err)"
    contains "$(cat err)" "$2" "$4: the sentence says why"
    is "$(find "$3" -name 'big.nc*')" "" "$4: nothing half-written is left"
    kept=$(sed -n 's/.*the output up to then, \([0-9]*\) frame.*/\1/p' err)
    if test -n "$kept" && command -v ncdump >/dev/null; then
        ncdump -h "$3/big.failed.nc" >.cdl 2>&1
        contains "$(cat .cdl)" "UNLIMITED ; // ($kept currently)" "$4: $kept complete frames are kept"
        contains "$(cat .cdl)" 'status = "failed: ' "$4: ... and say that the run failed"
        keeps=$((keeps + 1))
    else
        ok "$(test -n "$kept" || test ! -e "$3/big.failed.nc"; echo $?)" "$4: without frames there is no file"
    fi
    rm -f "$3/big.failed.nc"
}
keeps=0

# Few steps are enough. The limit's unit depends on the shell, so several limits are tried.
test_file_size_limit()
{
    failures=0
    limits="2 2000 2600 8000 1000000"
    ! long_checks || limits="2 200 2000 2600 4000 8000 1000000"
    for blocks in $limits; do
        (ulimit -f $blocks && exec "$edgewise" run --quiet --steps 2 big.cfg) >out 2>err
        code=$?
        if test $code -eq 0; then
            ok "$(test -f big.nc && test ! -e big.nc.part; echo $?)" "a limit of $blocks blocks: a whole file"
            rm -f big.nc
        else
            failures=$((failures + 1))
            fails_cleanly $code "limit on the size of files" . "a limit of $blocks blocks"
        fi
    done
    ok "$(test $failures -ge 2; echo $?)" "small limits were too small"
    is "$code" 0 "the large limit was large enough"
}

test_limit_in_the_midst()
{
    (ulimit -f 12000 && exec "$edgewise" run --quiet --set output.fields.every=0.001 big.cfg) >out 2>err
    fails_cleanly $? "limit on the size of files" . "a limit that is met after some frames"
}

test_small_disk()
{
    mkdir disk
    if ! mount -t tmpfs -o size=64k tmpfs disk 2>err; then
        skip "a file system cannot be mounted here: $(head -n 1 err)" "a full disk"
        return
    fi
    trap 'umount "$tmp/disk"; cd /; rm -rf "$tmp"' EXIT
    for size in 64k 600k 1m 1500k 2m 3m 4m; do
        mount -o "remount,size=$size" disk
        "$edgewise" run --quiet --steps 2 --output disk big.cfg >out 2>err
        code=$?
        if test $code -eq 0; then
            ok "$(test -f disk/big.nc && test ! -e disk/big.nc.part; echo $?)" "a disk of $size: a whole file"
            rm -f disk/big.nc
        else
            fails_cleanly $code "the disk is full" disk "a disk of $size"
        fi
    done
    mount -o remount,size=6m disk
    "$edgewise" run --quiet --set output.fields.every=0.001 --output disk big.cfg >out 2>err
    fails_cleanly $? "the disk is full" disk "a disk of 6m that is full after some frames"
    mount -o remount,size=64m disk
    "$edgewise" run --quiet --steps 2 --output disk big.cfg >out 2>err
    ok $? "with room enough the same run succeeds" || diag "$(cat err)"
    cp disk/big.nc kept.nc
    mount -o remount,size=2m disk
    "$edgewise" run --quiet --output disk big.cfg >out 2>err
    is $? 74 "a full disk beside an earlier result: EX_IOERR"
    cmp -s disk/big.nc kept.nc
    ok $? "the earlier result is as it was"
    umount disk
    trap 'cd /; rm -rf "$tmp"' EXIT
}

# If no room can be reserved, HDF5 finds the disk full: in its first write, in later ones, and in other threads.
test_no_room_set_aside()
{
    library=$top_builddir/.libs/libfaults.so
    if ! test -e "$library"; then
        skip "there is no $library" "a disk that HDF5 finds full"
        return
    fi
    points="1 2 5 20 60 75 90"
    ! long_checks || points="1 2 3 5 8 20 60 70 75 80 90"
    for at in $points; do
        EW_FAULT_DISK_AT=$at LD_PRELOAD=$library ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0 \
            "$edgewise" run --quiet --set output.fields.every=0.001 big.cfg >out 2>err
        fails_cleanly $? "the disk is full" . "a disk that is full from write $at on"
        is "$(grep -c -v '^edgewise: ' err)" 0 "... of which HDF5 prints nothing" || diag "$(head -n 5 err)"
    done
}

# On this file system, flock and fcntl share one kind of lock. HDF5 takes one unless told not to, as by the command.
test_network_file_system()
{
    for locking in TRUE FALSE; do
        HDF5_USE_FILE_LOCKING=$locking EW_FAULT_FLOCK=1 LD_PRELOAD=$library \
            ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0 "$edgewise" run --quiet --steps 2 big.cfg >out 2>err
        is "$?$(cat err)" 0 "a run on a network file system, HDF5_USE_FILE_LOCKING=$locking"
        rm -f big.nc
    done
}

test_file_size_limit
test_limit_in_the_midst
test_no_room_set_aside
test ! -e "$library" || test_network_file_system
test_small_disk
if command -v ncdump >/dev/null; then
    ok "$(test $keeps -ge 1; echo $?)" "frames were kept $keeps times"
fi
done_testing
