#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# examples/spool: Gmsh meshes variants of a geometry, which are submitted, run and collected in a table.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
command -v gmsh >/dev/null 2>&1 || skip_all "the program gmsh is not installed (Debian and Ubuntu: apt install gmsh)"
example=$srcdir/examples/spool

"$edgewise" watch --init --once spool 2>/dev/null
EDGEWISE=$edgewise sh "$example/feed.sh" spool 3 0.3 --set time.end=0.02 --quiet >out 2>err
ok $? "three variants are meshed and submitted" || diag "$(cat err)"
is "$(cat out)" "" "options reach submit"
is "$(cd spool/new && echo *)" "wedge-02 wedge-04 wedge-06" "they wait"
ok "$(cmp -s spool/new/wedge-02/wedge.msh spool/new/wedge-06/wedge.msh; test $? -eq 1; echo $?)" "each has its own mesh"
"$edgewise" watch --drain --settle 0 spool 2>watch.log
is "$(cd spool/done && echo *)" "wedge-02 wedge-04 wedge-06" \
    "they are done" || diag "$(cat watch.log spool/failed/*/error.txt)"
if python3 -c '' 2>/dev/null; then
    mkdir spool/failed/wedge-40
    echo "a reason" >spool/failed/wedge-40/error.txt
    python3 "$example/collect.py" spool >table 2>err
    ok $? "they are collected" || diag "$(cat err)"
    is "$(awk 'NR > 1 { print $1 }' table | tr '\n' ' ')" "wedge-02 wedge-04 wedge-06 wedge-40 " \
        "the table has a line each"
    is "$(awk '$1 == "wedge-04" { print $NF }' table)" 1.296 "and the theory's pressure" || diag "$(cat table)"
    contains "$(cat table)" "wedge-40 failed: a reason" "what has failed is told"
else
    skip "there is no python3" "they are collected"
fi
EDGEWISE=$edgewise sh "$example/feed.sh" nowhere 1 0.3 >out 2>err
is $? 66 "without a spool, feeding ends with submit's exit code"
done_testing
