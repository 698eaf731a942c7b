# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# What the tests of the spool share: tap.sh, small jobs, watchers that end with the test, faults in system calls.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
unset EDGEWISE_SPOOL

watchers=
# shellcheck disable=SC2086 # several words
trap 'test -z "$watchers" || kill -9 $watchers 2>/dev/null; umount "$tmp/disk" 2>/dev/null; cd /; rm -rf "$tmp"' EXIT

# ---- jobs ----

write_tiny() # FILE [LINE]
{
    cat >"$1" <<END
mesh = { rectangle = { corners = [0.0, 0.0, 1.0, 1.0]; cells = [2, 2]; }; };
order = 1;
time = { scheme = "rk2"; end = 0.05; };
initial = { rho = "1 + 0.1*x"; u = 0; v = 0; p = 1; };
boundary = { left = {kind = "copy";}; right = {kind = "copy";}; bottom = {kind = "wall";}; top = {kind = "wall";}; };
${2:-}
END
}

# In a closed box, where it can go on for hours.
write_endless() # FILE
{
    write_tiny "$tmp/.case"
    sed 's/end = 0.05/end = 1e7/; s/copy/wall/g' "$tmp/.case" >"$1"
}

write_mesh() # FILE
{
    cat >"$1" <<'END'
$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
1 1 "rim"
2 2 "gas"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 1 0 0
3 1 1 0
4 0 1 0
$EndNodes
$Elements
6
1 1 2 1 1 1 2
2 1 2 1 2 2 3
3 1 2 1 3 3 4
4 1 2 1 4 4 1
5 2 2 2 1 1 2 3
6 2 2 2 1 1 3 4
$EndElements
END
}

write_with_mesh() # FILE MESH
{
    write_tiny "$tmp/.case"
    sed "s|^mesh.*|mesh = \"$2\";|; s|^boundary.*|boundary = { rim = { kind = \"copy\"; }; };|" "$tmp/.case" >"$1"
}

# ---- what became of them ----

names() # FOLDER: of what is in it, on one line
{
    (cd "$1" && for name in *; do test -e "$name" && printf '%s ' "$name"; done)
}

hash_of() # FILE of JSON
{
    sed -n 's/.*"state_hash": "\([0-9a-f]*\)".*/\1/p' "$1"
}

# An undisturbed run's.
hash_of_run() # CASE [OPTIONS]
{
    "$edgewise" run --no-output --json --threads 1 "$@" >"$tmp/.alone" 2>"$tmp/.err"
    hash_of "$tmp/.alone"
}

ended() # SPOOL NAME
{
    test -e "$1/done/$2" || test -e "$1/failed/$2"
}

is_empty() # SPOOL: nothing waits or runs
{
    test -z "$(ls "$1/new" "$1/run" | grep -v ':$')"
}

# ---- watchers: what they say is in watch.log, or $log ----

make_spool() # SPOOL
{
    "$edgewise" watch --init --once "$1" 2>/dev/null
}

# Runs what is there; the exit code is in $code.
drain() # SPOOL [OPTIONS]
{
    "$edgewise" watch --drain --settle 0 --retry-delay 0.05 --threads 1 "$@" >watch.log 2>&1 </dev/null
    code=$?
    log=$(cat watch.log)
}

start() # SPOOL [OPTIONS]
{
    rm -f "$1/state/status.json"
    # shellcheck disable=SC2086 # several words
    $preload "$edgewise" watch --threads 1 "$@" >watch.log 2>&1 </dev/null &
    watcher=$!
    watchers="$watchers $watcher"
    wait_until test -e "$1/state/status.json"
}

# The one that was started last: waits for its end.
# shellcheck disable=SC2034
await_end()
{
    wait "$watcher"
    code=$?
    log=$(cat watch.log)
}

stop()
{
    kill "$watcher"
    await_end
}

# ---- faults ----

faults=$top_builddir/.libs/libfaults.so

# A preloaded library (tests/faults.c) does what the variable says, from now on in start; AddressSanitizer wants to be
# the first library, but need not be.
begin_faults() # VARIABLE=VALUE
{
    head -c 8 /dev/zero >counter
    preload="env $1 EW_FAULT_COUNTER=$tmp/counter LD_PRELOAD=$faults"
    preload="$preload ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0"
}

end_faults()
{
    preload=
}
end_faults

# For one command.
with_faults() # VARIABLE=VALUE ARGUMENTS; out and err are files
{
    begin_faults "$1"
    shift
    # shellcheck disable=SC2086 # several words
    ($preload "$edgewise" "$@" >out 2>err
        exit $?) 2>/dev/null # where the shell says that it was killed
    set -- $?
    end_faults
    return "$1"
}
