#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# System calls fail in turn, with ENOSPC, EIO, EMFILE or ENOMEM, while run, plot, export and mesh work. Then the result
# is complete, or the exit code tells that it is not and a sentence tells why. No program crashes, and no half file
# has a final name. EW_FAULT_POINTS: calls of each kind that are tried, evenly spread; 0: all.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
points=${EW_FAULT_POINTS:-20}
# The program itself, not libtool's script; it must not start itself again.
program=$edgewise
test ! -x "$top_builddir/.libs/edgewise" || program=$top_builddir/.libs/edgewise
export LD_LIBRARY_PATH="$top_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export OMP_NUM_THREADS=1
# A leak checker cannot work in a process that is traced.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"
command -v strace >/dev/null || skip_all "there is no strace (apt, dnf, zypper and pacman: strace)"
strace -qq -o log -e trace=write -e inject=write:error=EIO:when=1000 true 2>err ||
    skip_all "strace cannot work here: $(head -n 1 err)"

# Each kind: calls, error. strace counts each call by itself: of a list, the nth of each fails.
kinds='write,writev:ENOSPC pwrite64:EIO fsync,fdatasync,syncfs:EIO rename,renameat,renameat2,linkat:EIO
ftruncate:EIO fallocate:ENOSPC openat:EMFILE mmap:ENOMEM'

# The command works in a copy of $name.before; $name.after is what it makes of that when nothing fails.
trace() # STRACE'S OPTIONS -- COMMAND
{
    rm -rf work && cp -R "$name.before" work &&
        (cd work && exec timeout -s KILL 60 strace -f -qq -o ../log "$@" >../out 2>../err </dev/null)
}

# What is wrong after a call has failed; the exit code is in $code.
judge()
{
    case $code in
    0) for file in "$name.after"/*; do
            cmp -s "$file" "work/${file##*/}" || echo "exit code 0, but ${file##*/} is not what it should be"
        done ;;
    127) grep -q 'while loading shared libraries' err || echo "exit code 127" ;;
    *) test "$code" -lt 126 || echo "exit code $code"
        grep -qE '^(edgewise|[^ ]*\.(cfg|msh)): .{12}' err || echo "no sentence, but: $(head -n 2 err)" ;;
    esac
    for file in work/*; do
        file=${file##*/}
        case $file in
        *.part) # a whole file that cannot be renamed stays
            grep -qE "(cannot rename |the whole file is )([^ ]*/)?$file[ ,]" err || echo "$file is left" ;;
        *.failed.* | *.interrupted.*) ;; # whose names say what they are
        *) cmp -s "work/$file" "$name.before/$file" || cmp -s "work/$file" "$name.after/$file" ||
                cmp -s "work/$file" "$name.before/$(printf '%s\n' "$file" | sed 's/\.before\././')" ||
                echo "$file is neither what it was nor what it should be" ;;
        esac
    done
}

fail_in_turn() # CALLS ERROR COMMAND...
{
    calls=$1 errno=$2
    shift 2
    trace -e "trace=$calls,openat" "$@"
    # strace counts for each thread by itself. The dynamic linker, which crashes without memory, is not what is tested.
    at=$(awk '$2 ~ /^mmap/ {n++} /openat.*\.so/ {first = n + 16} END {print first + 1}' log)
    test "$calls" = mmap || at=1
    last=$(awk -v calls="$calls" 'index(calls, substr($2, 1, index($2, "(") - 1)) {n[$1]++}
        n[$1] > most {most = n[$1]} END {print most + 0}' log)
    step=$((points > 0 && last > points ? (last + points - 1) / points : 1))
    tried=0 wrong=0
    while test $at -le "$last"; do
        trace -e "trace=$calls" -e "inject=$calls:error=$errno:when=$at" "$@"
        code=$?
        said=$(judge)
        if test -n "$said"; then
            wrong=$((wrong + 1))
            diag "$(grep INJECTED log | head -n 1 | cut -c 1-150)"
            diag "$said"
        fi
        tried=$((tried + 1)) at=$((at + step))
    done
    is $wrong 0 "$name: $errno from $tried of $last calls of $calls"
}

# try NAME COMMAND...: in the folder NAME.before
try()
{
    name=$1
    shift
    trace -e trace=none "$@"
    ok $? "$name: it works when nothing fails" || { diag "$(cat err)"; return; }
    rm -rf "$name.after" && mv work "$name.after"
    for kind in $kinds; do fail_in_turn "${kind%:*}" "${kind#*:}" "$@"; done
}

mkdir run.before
cat >run.before/box.cfg <<END
title = "a density wave";
mesh = { rectangle = { corners = [0.0, 0.0, 1.0, 1.0]; cells = [2, 2]; }; };
order = 1;
time = { scheme = "rk2"; end = 0.05; };
initial = { rho = "1 + 0.1*x"; u = 0; v = 0; p = 1; };
boundary = {
  left = { kind = "copy"; }; right = { kind = "copy"; }; top = { kind = "copy"; }; bottom = { kind = "copy"; };
};
output = { fields = { every = 0.02; }; series = { steps = 1; }; restart = { every = 0.02; keep = 9; }; };
END
try run "$program" run --quiet box.cfg

# With the files of an earlier run, which are to stay as long as the new ones are not whole.
cp -R run.after again.before
try again "$program" run --quiet --set 'initial.rho="1 + 0.2*x"' box.cfg

mkdir plot.before
cp run.after/box.nc plot.before/
echo earlier >plot.before/a.png
cp -R plot.before export.before
mv export.before/a.png export.before/a.vtu
try plot "$program" plot --quiet --output a.png box.nc
try export "$program" export --quiet --format vtu --output a.vtu box.nc

mkdir mesh.before
cat >mesh.before/a.msh <<'END'
$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
1
1 1 "rim"
$EndPhysicalNames
$Nodes
3
1 0 0 0
2 1 0 0
3 0 1 0
$EndNodes
$Elements
4
1 1 2 1 1 1 2
2 1 2 1 2 2 3
3 1 2 1 3 3 1
4 2 2 2 1 1 2 3
$EndElements
END
echo earlier >mesh.before/b.msh
try mesh "$program" mesh refine --quiet --output b.msh a.msh
done_testing
