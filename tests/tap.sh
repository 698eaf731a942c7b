# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# The words of tap.h for shell tests: each prints one "ok" or "not ok" line; done_testing ends the test.
# Sourcing this gives: $edgewise, the command; $tmp, an own folder that is the current one and is removed at the end.
# A test of libedgewise alone sets tap_core=yes before it, and has no command.
# srcdir must be the repository's root, top_builddir the build's.

tap_count=0
tap_failures=0

tap_verdict() # STATUS DESCRIPTION
{
    tap_count=$((tap_count + 1))
    if test "$1" -eq 0; then
        echo "ok $tap_count - $2"
    else
        tap_failures=$((tap_failures + 1))
        echo "not ok $tap_count - $2"
    fi
    return "$1"
}

diag()
{
    printf '%s\n' "$*" | sed 's/^/# /'
}

# ok STATUS DESCRIPTION: a status of 0 is a passed check.
ok()
{
    tap_verdict "$1" "$2"
}

# is GOT EXPECTED DESCRIPTION
is()
{
    if test "$1" = "$2"; then
        tap_verdict 0 "$3"
    else
        tap_verdict 1 "$3"
        diag "got \"$1\", expected \"$2\""
        return 1
    fi
}

# contains TEXT PART DESCRIPTION
contains()
{
    case $1 in
    *"$2"*)
        tap_verdict 0 "$3"
        ;;
    *)
        tap_verdict 1 "$3"
        diag "\"$2\" is not in:"
        diag "$(printf '%s\n' "$1" | head -n 20)"
        return 1
        ;;
    esac
}

# skip REASON DESCRIPTION
skip()
{
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $2 # SKIP $1"
}

skip_all() # REASON
{
    echo "1..0 # SKIP $1"
    exit 0
}

bail_out()
{
    echo "Bail out! $*"
    exit 99
}

done_testing()
{
    echo "1..$tap_count"
    test "$tap_failures" -eq 0 && test "$tap_count" -gt 0
    exit
}

srcdir=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd) || bail_out "there is no folder $srcdir"
top_builddir=$(cd "${top_builddir:-.}" && pwd) || bail_out "there is no folder $top_builddir"
edgewise=$top_builddir/edgewise
# What libtool's script starts takes less time than the script. A static build has none, but may have an old .libs.
if test "$(head -c 2 "$edgewise" 2>/dev/null)" = '#!' && test -x "$top_builddir/.libs/edgewise"; then
    edgewise=$top_builddir/.libs/edgewise
    LD_LIBRARY_PATH=$top_builddir/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
fi
test -n "$tap_core" || test -x "$edgewise" || bail_out "$edgewise has not been built"
# shellcheck disable=SC2034 # who sources this reads it
tap_name=$(basename "$0" .sh)
tmp=$(mktemp -d "${TMPDIR:-/tmp}/edgewise-$tap_name.XXXXXX") || bail_out "cannot make a folder in ${TMPDIR:-/tmp}"
trap 'cd /; rm -rf "$tmp"' EXIT
trap 'exit 99' HUP INT TERM
cd "$tmp" || exit 99

# run_edgewise ARGUMENTS: what it printed is in $out and $err, how it ended in $code.
# shellcheck disable=SC2034
run_edgewise()
{
    "$edgewise" "$@" >"$tmp/.out" 2>"$tmp/.err" </dev/null
    code=$?
    out=$(cat "$tmp/.out")
    err=$(cat "$tmp/.err")
}

# Whether EW_LONG is set, as make check-long does: the checks that take minutes.
long_checks()
{
    test -n "${EW_LONG+set}"
}

# The value in $out of a key that is a plain number, word or text; of several, the last one's.
value_of() # KEY
{
    printf '%s\n' "$out" | sed -n "s/.*\"$1\": \"\{0,1\}\([^,\"}]*\).*/\1/p"
}

# is_json DESCRIPTION [FILE]: one object on one line, which a JSON parser reads; in $out, or the file.
is_json()
{
    if test $# -lt 2; then
        printf '%s\n' "$out" >"$tmp/.json"
        set -- "$1" "$tmp/.json"
    fi
    is "$(wc -l <"$2" | tr -d ' ')" 1 "$1: one line"
    json_is "$1: a JSON object" "$2" 'type(it).__name__' dict
}

# json_is DESCRIPTION FILE EXPRESSION VALUE: what Python's parser finds; the expression calls the object "it".
json_is()
{
    if command -v python3 >/dev/null; then
        is "$(python3 -I -S -c 'import json, sys
it = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$2" "$3" 2>&1)" "$4" "$1"
    else
        skip "there is no python3 to read JSON" "$1"
    fi
}

# wait_until COMMAND [ARGUMENTS]: until it succeeds; fails after a minute, so that a check says what did not come.
wait_until()
{
    tap_tries=0
    until "$@"; do
        tap_tries=$((tap_tries + 1))
        test $tap_tries -lt 1200 || return 1
        sleep 0.05
    done
}

# write_box FILE [CELLS]: a small case with an exact solution: a density wave in a uniform flow, frames at 0, 0.02,
# 0.04, 0.05.
write_box()
{
    cat >"$1" <<END
title = "a density wave";
mesh = { rectangle = { corners = [0.0, 0.0, 1.0, 1.0]; cells = [${2:-4}, ${2:-4}]; }; };
law = { name = "euler"; gamma = 1.4; };
order = 2;
time = { scheme = "rk4"; cfl = 0.5; end = 0.05; };
initial = { rho = "1 + 0.1*sin(2*pi*(x - t/2))"; u = "0.5"; v = "0"; p = "1"; };
exact = "initial";
boundary = {
  bottom = { kind = "state"; state = "exact"; };
  right  = { kind = "state"; state = "exact"; };
  top    = { kind = "state"; state = "exact"; };
  left   = { kind = "state"; state = "exact"; };
};
output = { fields = { every = 0.02; }; };
END
}
