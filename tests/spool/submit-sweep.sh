#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Jobs of a sweep: submit --sweep puts one into the spool for each value, and status --csv tabulates what they gave.
# shellcheck source=tests/spool/spool-tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/spool/spool-tap.sh"

# write_tilted FILE [MESH]: the state depends on let.alpha
write_tilted()
{
    write_with_mesh "$tmp/.with" "${2:-box.msh}"
    sed 's/^initial.*/let = { alpha = 0.0; };\ninitial = { rho = "1 + 0.01*alpha*x"; u = 0; v = 0; p = 1; };/' \
        "$tmp/.with" >"$1"
}

test_sweep()
{
    make_spool s
    write_mesh box.msh
    write_tilted wing.cfg
    run_edgewise submit --spool s --sweep let.alpha=0..9 wing.cfg
    is "$code" 0 "--sweep"
    is "$(printf %s "$out" | tr '\n' ' ')" "wing-0001 wing-0002 wing-0003 wing-0004 wing-0005 wing-0006 wing-0007 \
wing-0008 wing-0009 wing-0010" "a job for each value of a range"
    is "$(cat s/new/wing-0004/.settings)" "let.alpha=3" "each has its value as a setting"
    contains "$("$edgewise" status s | grep wing-0004)" "let.alpha=3" "status shows it"
    "$edgewise" status --html s.html s
    contains "$(cat s.html)" \
        "wing-0004</a></bdi></th><td class=\"settings\">let.alpha=3</td>" "and the page does, in a column"
    is "$(stat -c %i s/new/*/box.msh | sort -u | wc -l)" 1 "all have the mesh as one file"
    is "$(stat -c %h s/new/wing-0001/box.msh)" 10 "of ten names"
    drain s
    is "$(names s/done | wc -w)" 10 "all of them run" || diag "$(cat s/failed/*/error.txt)"
    is "$(hash_of s/done/wing-0004/summary.json)" "$(hash_of_run wing.cfg --set let.alpha=3)" \
        "a job has the bits of its case"
}

test_csv()
{
    write_tiny wrong.cfg 'colour = 3;'
    "$edgewise" submit --quiet --spool s --no-check wrong.cfg 2>/dev/null
    drain s
    "$edgewise" submit --quiet --spool s --name 'a, b"c' --set 'let.alpha=4' --set 'title="x, y"' wing.cfg 2>/dev/null
    run_edgewise status --csv s
    is "$code" 0 "status --csv"
    is "$(printf '%s\n' "$out" | wc -l)" 13 "it has a head and a line for each job"
    contains "$out" "job,id,let.alpha,title,status,end,time,steps,total_rho" "the head names settings and values" ||
        contains "$out" "job,id,title,let.alpha,status,end,time,steps,total_rho" "in any order"
    printf '%s\n' "$out" >table.csv
    if python3 -c '' 2>/dev/null; then
        is "$(python3 -c 'import csv
rows = list(csv.DictReader(open("table.csv", newline="")))
print([r["let.alpha"] for r in rows if r["status"] == "done"] == [str(k) for k in range(10)],
      [(r["job"], r["title"], r["total_rho"]) for r in rows if r["status"] == "waiting"],
      ["colour" in r["error"] and r["exit_code"] for r in rows if r["status"] == "failed"],
      all((abs(float(r["ended"] or 0) - float(r["submitted"])) < 600) == (r["status"] != "waiting") for r in rows),
      len(set(r["state_hash"] for r in rows if r["status"] == "done")),
      all(float(r["total_rho"]) > 0.99 for r in rows if r["status"] == "done"))')" \
            "True [('a, b\"c', 'x, y', '')] ['78'] True 10 True" "Python reads the table"
    else
        skip "there is no python3" "Python reads the table"
    fi
    "$edgewise" plot table.csv --over let.alpha --columns total_rho -o table.png >/dev/null 2>err
    ok $? "and plot draws it" || diag "$(cat err)"
    contains "$("$edgewise" plot table.csv -o table.png)" "1 curve over let.alpha" "by default over what was swept"
    "$edgewise" plot --quiet table.csv --over let.alpha --columns total_rho -o asked.png
    cmp table.png asked.png
    ok $? "the first result"
}

# Texts of strangers are no formulas of a spreadsheet, and numbers are no texts.
test_formulas()
{
    make_spool formulas
    mkdir "formulas/new/=HYPERLINK(\"x\")"
    cd "formulas/new/=HYPERLINK(\"x\")" || exit 1
    write_tiny case.cfg
    echo "id==cmd|A0" >.job
    printf '%s\n' "title=@SUM(1)" "let.a=-1.5e3" "let.b=+.5" "let.c=-1+cmd|A0" "let.d=+" "@key=1" >.settings
    cd "$tmp" || exit 1
    run_edgewise status --csv formulas
    contains "$out" "job,id,title,let.a,let.b,let.c,let.d,'@key,status," "a key is no formula"
    contains "$out" "\"'=HYPERLINK(\"\"x\"\")\",'=cmd|A0,'@SUM(1),-1.5e3,+.5,'-1+cmd|A0,'+,1,waiting," \
        "names, ids and settings are none, and numbers stay numbers"
}

test_forms()
{
    make_spool f
    write_tilted wing.cfg
    for form in 'let.alpha=0..1:5 5' 'let.alpha=1,2.5,4 3' 'let.alpha=3..1 3' 'let.alpha=0.5..2.5 3' \
        'let.alpha=0..2,9 4' 'flux=hllc,roe 2' 'title=a b,"c 2'; do
        run_edgewise submit --spool f --quiet --sweep "${form% *}" wing.cfg
        is "$code $(find f/new -mindepth 1 -maxdepth 1 | wc -l)" "0 ${form##* }" "--sweep ${form% *}" || diag "$err"
        rm -rf f/new/*
    done
    run_edgewise submit --spool f --sweep let.alpha=1,2 --sweep order=1,2 --set time.end=0.01 --name w wing.cfg
    is "$code $(printf %s "$out" | tr '\n' ' ')" "0 w-0001 w-0002 w-0003 w-0004" "several keys: all combinations"
    is "$(tr '\n' ' ' <f/new/w-0003/.settings)" "time.end=0.01 let.alpha=2 order=1 " "the last key changes first"
    run_edgewise submit --spool f --json --sweep order=1,2 wing.cfg
    contains "$out" '"job": "wing-0002"' "--json has an object for each job"
}

# Jobs of a sweep that is submitted again have one suffix.
test_again()
{
    make_spool a
    write_tilted wing.cfg
    "$edgewise" submit --spool a --quiet --sweep let.alpha=1..3 wing.cfg
    "$edgewise" hold --spool a wing-0002 >/dev/null
    drain a
    rm -r a/done/wing-0003
    run_edgewise submit --spool a --sweep let.alpha=1..3 wing.cfg
    is "$(printf %s "$out" | tr '\n' ' ')" "wing-0001.2 wing-0002.2 wing-0003.2" "a second time: one suffix for all"
    drain a
    is "$(names a/done)" "wing-0001 wing-0001.2 wing-0002.2 wing-0003.2 " "which they keep"
    run_edgewise submit --spool a --sweep let.alpha=1..3 --name w wing.cfg
    is "$(printf %s "$out" | tr '\n' ' ')" "w-0001 w-0002 w-0003" "another name has none"
}

# write_group FILE: as wing.cfg, with a sweep of its own
write_group()
{
    write_tilted "$1"
    cat >>"$1" <<'END'
sweep = { over = (
  { key = "let.alpha"; from = 0; to = 1; steps = 3; },
  { key = "title"; values = ("a, b", "q\"x\\"); },
  { key = "output.fields.variables"; values = (["rho"], ["p", "rho"]); } ); };
END
}

# A case that is a sweep becomes its jobs.
test_group()
{
    make_spool g
    write_group group.cfg
    run_edgewise submit --spool g group.cfg
    is "$code $(printf '%s\n' "$out" | wc -l)" "0 12" "a case with a sweep becomes a job for each member" || diag "$err"
    is "$(sed -n '1p;3p' g/new/group-0012/.settings | tr '\n' ' ')" 'sweep={} title="q\"x\\" ' "with its values"
    drain g
    is "$(names g/failed)" "" "all of them run" || diag "$(cat g/failed/*/error.txt)"
    is "$(hash_of g/done/group-0008/summary.json)" "$(hash_of_run group.cfg --member 8)" \
        "each has the bits of its member"
    run_edgewise status --csv g
    contains "$out" "job,id,let.alpha,title,output.fields.variables,status" "their values are columns of the table"
    run_edgewise submit --spool g --sweep order=1,2 group.cfg
    is "$code $(printf %s "$out" | tr '\n' ' ')" "0 group-0001.2 group-0002.2" \
        "--sweep takes the place of the case's own"
    run_edgewise submit --spool g --set 'sweep={}' --name one group.cfg
    is "$code $out" "0 one" "sweep={} takes it away"
    sed 's/let.alpha"/spool.priority"/' group.cfg >wrong.cfg
    run_edgewise submit --spool g --json wrong.cfg
    is "$code" 78 "a sweep over keys of the spool is refused"
    contains "$err$out" '"state": "refused"' "with an object"
    sed 's/"let.alpha"/"let.beta"/' group.cfg >wrong.cfg
    run_edgewise submit --spool g wrong.cfg
    is "$code" 78 "a wrong sweep is refused"
    contains "$err" "wrong.cfg:" "with its sentence"
}

test_refusals()
{
    make_spool r
    for wrong in let.beta=1,2 colour=1,2 let.alpha let.alpha= =1 let.alpha=1,,2 let.alpha=0..1.5 let.alpha=0..1e9 \
        let.alpha=0..1:3,7 let.alpha=0..1:1 let.alpha=0..x sweep.seed=1,2 spool.priority=1,2; do
        run_edgewise submit --spool r --sweep "$wrong" wing.cfg
        test "$code" -eq 64 || test "$code" -eq 78
        ok $? "--sweep $wrong is refused" || diag "$code $out $err"
        contains "$err" "--sweep $wrong: " "with a sentence"
    done
    run_edgewise submit --spool r --sweep let.alpha=0..1:0 wing.cfg
    contains "$err" "a range is FIRST..LAST, or FIRST..LAST:COUNT" "what a range looks like is told"
    run_edgewise submit --spool r --set let.alpha=1 --sweep let.alpha=1,2 wing.cfg
    is "$code" 78 "a key that an option sets, too"
    run_edgewise submit --spool r --sweep order=1,2 --sweep order=1 wing.cfg
    is "$code" 78 "a key that is given twice"
    is "$(names r/new)" "" "nothing was submitted"
    run_edgewise submit --spool r --quiet --sweep order=1,9,2 wing.cfg
    is "$code" 78 "a wrong value is refused"
    contains "$err" "--sweep order=1,9,2: " "and the sentence names the option"
    run_edgewise submit --spool r --json --sweep time.cfl=0.4,0.5 --sweep initial.p=1,-1 wing.cfg
    contains "$err" "edgewise: wing-0002 (time.cfl=0.4, initial.p=-1): " "a member that is refused is named"
    contains "$(printf '%s\n' "$out" | grep refused)" '"error": "wing-0002 (time.cfl=0.4, initial.p=-1): ' \
        "also as JSON"
    is "$(names r/new)" "wing-0001 wing-0003 " "the others are submitted"
}

test_sweep
test_csv
test_formulas
test_forms
test_again
test_group
test_refusals
done_testing
