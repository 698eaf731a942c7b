#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The spool in a browser: the page of a spool, the reports of its jobs, and that no name or text in them is markup.
# shellcheck source=tests/spool/spool-tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/spool/spool-tap.sh"

python=$(command -v python3)
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)

# What Python's XML parser finds in a page, and in what it links: everything that this prints is wrong.
cat >check.py <<'END'
import os, re, sys, urllib.parse, xml.etree.ElementTree as ElementTree
path = sys.argv[1]
name = "{http://www.w3.org/1999/xhtml}"
root = ElementTree.parse(path).getroot()
known = {"html", "head", "meta", "title", "style", "body", "header", "main", "nav", "section", "h1", "h2", "p", "ul",
         "li", "a", "span", "div", "table", "caption", "thead", "tbody", "tr", "th", "td", "bdi", "progress", "time",
         "img", "code", "pre", "details", "summary", "figure", "figcaption"}
ids = [it.get("id") for it in root.iter() if it.get("id")]
problems = [] if len(ids) == len(set(ids)) else ["an id is there twice"]
if root.get("lang") != "en" or not (root.find(f".//{name}title").text or "").strip():
    problems.append("no language or title")
if [it.tag for it in root.iter(name + "h1")] == [] or not root.findall(f".//{name}h2"):
    problems.append("no headings")
for it in root.iter():
    tag = it.tag.replace(name, "")
    if tag not in known:
        problems.append(f"an element {tag}")
    problems += [f"an attribute {key}" for key in it.attrib if key.startswith("on") or ":" in key or "{" in key]
    if tag == "table" and it.find(name + "caption") is None:
        problems.append("a table without a caption")
    if tag == "th" and it.get("scope") not in ("col", "row"):
        problems.append("a head without a scope")
    if tag == "img" and not it.get("alt"):
        problems.append("a picture without a text")
    link = it.get("href") or it.get("src")
    if link is None or link.startswith("data:image/"):
        continue
    if link.startswith("#"):
        problems += [] if link[1:] in ids else [f"a link to {link}"]
    elif re.fullmatch(r"[A-Za-z0-9._~%/-]+", link) is None:
        problems.append(f"a link {link}")
    elif not os.path.exists(os.path.join(os.path.dirname(path), os.fsdecode(urllib.parse.unquote_to_bytes(link)))):
        problems.append(f"a link to nothing: {link}")
print("; ".join(problems))
END

is_good_page() # FILE DESCRIPTION
{
    test -n "$python" || { skip "there is no python3" "$2"; return; }
    is "$("$python" check.py "$1" 2>&1)" "" "$2: well-formed, with heads, captions and texts, and links to files"
}

# write_drag FILE: a body, and a time series of its force
write_drag()
{
    write_tiny "$1" 'output = { series = { steps = 1; };
        forces = ( { name = "wall"; boundaries = ["bottom"]; speed = 1.0; length = 1.0; } ); };'
}

test_page()
{
    make_spool p
    write_drag 'a<b>&".cfg'
    write_drag viscous.cfg
    echo 'law = { name = "navier-stokes"; mu = 0.01; };' >>viscous.cfg
    write_tiny wrong.cfg 'colour = "<script>alert(1)</script>";'
    write_tiny held.cfg
    "$edgewise" submit --quiet --spool p --no-check --set 'title="<i>x"' \
        'a<b>&".cfg' wrong.cfg held.cfg viscous.cfg 2>/dev/null
    "$edgewise" hold --spool p held >/dev/null
    drain p --html reports
    page=$(cat p/state/status.html)
    contains "$page" "Done: 2" "the watcher writes a page with the jobs that are done"
    contains "$page" "a&#60;b&#62;&#38;&#34;" "a name is escaped"
    contains "$page" "<td class=\"settings\">title=&#34;&#60;i&#62;x&#34;</td>" "its settings are a column"
    contains "$page" "Content-Security-Policy" "the page forbids scripts"
    contains "$page" "there is no key" "a failed job has its sentence"
    contains "$page" "$(hash_of 'p/done/a<b>&"/summary.json')" "a job that is done has the hash of its state"
    contains "$page" "wall</bdi>: drag" "and its forces"
    contains "$page" "None</span>: no job runs" "after the watcher's end the page says so"
    case $page in
    *'http-equiv="refresh"'*) ok 1 "status.html does not reload itself" ;;
    *) ok 0 "status.html does not reload itself" ;;
    esac
    contains "$(cat p/state/status.live.html)" '<meta http-equiv="refresh" content="10"/>' "status.live.html does"
    is "$(ls -A p/state | grep '^\.')" "" "no temporary file is left"
    is_good_page p/state/status.html "the page"
    is_good_page p/state/status.live.html "the page that reloads itself"
    is_good_page 'p/done/a<b>&"/report.html' "a report"
    is_good_page p/done/viscous/report.html "a report of viscous flow"
    contains "$(cat p/done/viscous/report.html)" "<th scope=\"col\" class=\"number\">Pressure drag</th>" \
        "it has the parts of forces"
    is_good_page p/failed/wrong/report.html "the report of a job that failed"
    report=$(cat 'p/done/a<b>&"/report.html')
    contains "$report" "src=\"data:image/png;base64,iVBOR" "a report has the picture"
    contains "$report" "src=\"data:image/svg+xml;base64," "and histories"
    contains "$report" "<th scope=\"row\">title</th><td>&#34;&#60;i&#62;x&#34;</td>" "a report lists the job's settings"
    contains "$report" "edgewise run case.cfg \\
    --set &#39;title=" "it says how to run the case again"
    contains "$report" "Time stepping, s" "it has the times"
    contains "$(cat p/failed/wrong/report.html)" "&#60;script&#62;" "a case's text is escaped"
    test -s 'p/done/a<b>&"/picture.png'
    ok $? "there is a picture"
}

# write_hole FILE: a square with a small square hole
write_hole()
{
    cat >"$1" <<'END'
$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
3
1 1 "far"
1 2 "body"
2 3 "gas"
$EndPhysicalNames
$Nodes
8
1 -10 -10 0
2 10 -10 0
3 10 10 0
4 -10 10 0
5 -0.5 -0.5 0
6 0.5 -0.5 0
7 0.5 0.5 0
8 -0.5 0.5 0
$EndNodes
$Elements
16
1 1 2 1 1 1 2
2 1 2 1 1 2 3
3 1 2 1 1 3 4
4 1 2 1 1 4 1
5 1 2 2 2 5 6
6 1 2 2 2 6 7
7 1 2 2 2 7 8
8 1 2 2 2 8 5
9 2 2 3 3 1 2 6
10 2 2 3 3 1 6 5
11 2 2 3 3 2 3 7
12 2 2 3 3 2 7 6
13 2 2 3 3 3 4 8
14 2 2 3 3 3 8 7
15 2 2 3 3 4 1 5
16 2 2 3 3 4 5 8
$EndElements
END
}

# A body in a large domain: a second picture shows it. A gas at rest has no history.
test_bodies()
{
    make_spool b
    write_hole hole.msh
    sed 's|^mesh.*|mesh = "hole.msh";|; s|^boundary.*|boundary = { far = {kind = "copy";}; body = {kind = "wall";}; };|
        s|^initial.*|initial = { rho = 1; u = 0; v = 0; p = 1; };|' 'a<b>&".cfg' | sed 's/"bottom"/"body"/' >hole.cfg
    "$edgewise" submit --quiet --spool b hole.cfg 2>/dev/null
    drain b --html reports
    is_good_page b/done/hole/report.html "the report of a body in a large domain"
    report=$(cat b/done/hole/report.html)
    contains "$report" "<figcaption>Around the bodies: density" "it has a picture of what is around the body"
    is "$(grep -c 'Drag, lift and moment over' b/done/hole/report.html)" 0 "forces that are round-off are not drawn"
    contains "$report" "Constant but for round-off:" "but told"
    is "$(grep -c 'Total</th>' b/done/hole/report.html) $(grep -c 'L2 error' b/done/hole/report.html)" "1 0" \
        "without an exact solution there are no columns of errors"
    contains "$report" "wall_lift = " "each with its value"
    run_edgewise plot b/done/hole/hole.nc --window bodies -o body.png
    is "$code" 0 "plot --window bodies" || diag "$err"
    run_edgewise plot 'p/done/a<b>&"/a<b>&".nc' --window bodies -o body.png
    contains "$err" "has no bodies: no part of the mesh's boundary lies inside of it" "a domain without bodies"
    is "$code" 64 "is a usage error"
}

test_command()
{
    mkdir -p deep/er
    run_edgewise status --html deep/er/page.html p
    is "$code $out" "0 " "status --html writes a page"
    is_good_page deep/er/page.html "a page elsewhere"
    run_edgewise status --html p/page.html p
    is_good_page p/page.html "a page in the spool"
    rm p/page.html
    run_edgewise status --html nowhere/page.html p
    is "$code" 73 "a folder that is not there"
    contains "$err" "cannot write the page nowhere/page.html" "it is said"
    run_edgewise status --html deep p
    is "$code" 73 "a folder in the page's place"
    ln -s away.html link.html
    run_edgewise status --html link.html p
    is "$code $(readlink link.html)" "73 away.html" "a link in the page's place is left as it is"
    mkfifo pipe.html
    run_edgewise status --html pipe.html p
    is "$code $(test -p pipe.html; echo $?)" "73 0" "and so is a pipe"
    contains "$err" "pipe.html is a device or a pipe, not a file" "it is said, too"
    run_edgewise status --html x.html --json p
    is "$code" 64 "--html and --json exclude each other"
    run_edgewise watch --once --html all p
    is "$code" 64 "watch --html takes three words"
    contains "$err" "none, status or reports" "it is said"
    run_edgewise watch --once --reload 0.5 p
    is "$code" 64 "--reload has a least value"
    make_spool none
    rm none/state/*.html
    drain none --html none
    is "$(ls none/state | grep html)" "" "--html none: there is no page"
    drain none --reload 0
    is "$(ls none/state | grep html)" "status.html" "--reload 0: no page reloads itself"
    contains "$(cat none/state/status.html)" "None." "an empty spool has a page"
}

# Workers that run several jobs at a time, and commands of their own, write the same reports.
test_ways()
{
    for how in "--pack 3" "--exec sh"; do
        rm -rf w
        make_spool w
        for name in a b c; do
            write_drag $name.cfg
        done
        "$edgewise" submit --quiet --spool w a.cfg b.cfg c.cfg 2>/dev/null
        # shellcheck disable=SC2086
        drain w --html reports $how
        is "$(names w/done)" "a b c " "$how: the jobs are done" || diag "$log"
        is_good_page w/done/b/report.html "$how: a report"
        cmp -s w/done/a/picture.png w/done/c/picture.png
        ok $? "$how: the same case has the same picture"
        mv w/done/a w/new/
        touch w/new/a/error.txt
        drain w
        test -e w/done/a/report.html
        is $? 1 "$how: a report of an earlier attempt does not stay"
    done
}

# What a submitter has put in a report's place is not linked, even if the service has written it.
test_replaced()
{
    run_edgewise status --html before.html w
    contains "$(cat before.html)" done/b/report.html "a report is linked"
    mv w/done/b/log w/done/b/report.html
    mv w/done/b/b.nc w/done/b/picture.png
    run_edgewise status --html after.html w
    is "$(grep -c 'done/b/report.html\|done/b/picture.png' after.html)" 0 "another file in its place is not"
    contains "$(cat after.html)" done/c/report.html "... but those of other jobs are"
    rm -r w/done/a w/done/c
    run_edgewise clean --older 1d w
    is "$(names w/state/reports)" "" "their second names go when the jobs are gone" || diag "$err"
}

# Everything that a stranger may have put into a spool.
test_hostile()
{
    make_spool h
    for name in '"><script>alert(1)<' "'onload=x" '%2e%2e' 'a#b?c:d' 'javascript:alert(1)' "$(printf 'bad\351utf')" \
        "$(printf 'rlo\342\200\256gpj')" "$(printf 'new\nline')" "$(printf 'esc\033[31m')" '&lt;' \
        "$(printf %0200d 0)"; do
        mkdir "h/done/$name" "h/failed/$name" "h/new/$name"
        printf '{"state_hash": "<b>", "forces": {"<x>&": {"drag": 1e999, "lift": 2}}, "time": "x", "job": 3,
"error_l2": [1]}' >"h/done/$name/summary.json"
        printf '</td><script>alert(2)</script>\033[31m\000tail' >"h/failed/$name/error.txt"
        touch "h/done/$name/<b>.nc" "h/done/$name/evil.html" "h/failed/$name/log"
    done
    printf '{"state_hash": ' >"h/done/&lt;/summary.json"
    mkdir h/done/links h/done/pipe h/done/deep h/failed/loop
    ln -s /etc/passwd h/done/links/summary.json
    ln -s /etc/passwd h/done/links/picture.png
    ln -s /etc/passwd h/done/links/report.html
    mkfifo h/done/pipe/summary.json h/done/pipe/.job h/failed/loop/error.txt
    awk 'BEGIN { for (k = 0; k < 100000; k++) printf "[" }' >h/done/deep/summary.json
    ln -s . h/failed/loop/loop
    ln -s /etc h/done/etc
    printf '{"host": "<script>", "state": "&", "reason": "</li>", "workers": [{"job": "<"}, 3]}' >h/state/status.2.json
    awk 'BEGIN { for (k = 0; k < 99; k++) printf "</td>%d=<b>\033%064d\n", k, k }' >h/done/deep/.settings
    printf 'x=\303' >h/done/pipe/.settings
    find h >before
    chmod -R a-w h
    run_edgewise status --html hostile.html h
    is "$code" 0 "a page of a hostile spool is written"
    chmod -R u+w h
    find h >after
    cmp -s before after
    ok $? "nothing in the spool is changed"
    is_good_page hostile.html "a hostile spool's page"
    contains "$(cat hostile.html)" "&#60;/td&#62;7=&#60;b&#62;" "settings are shown"
    is "$(grep -c '/td&#62;8=' hostile.html)" 0 "the first ones of very many"
    contains "$(cat hostile.html)" '\u202egpj' "a character that would turn the text is shown"
    is "$(grep -c 'evil.html\|passwd\|root:' hostile.html)" 0 "no page of a stranger is linked, no link followed"
    run_edgewise status --csv h
    is "$code" 0 "a table of a hostile spool is printed"
    is "$(printf %s "$out" | LC_ALL=C tr -d '\n\t -~\200-\377')" "" "without control characters"
}

# Many jobs: the page stays small.
test_many()
{
    make_spool m
    (cd m/done && seq -f 'job-%05g' 10000 | xargs mkdir)
    long=$(printf '&%.0s' $(seq 180))
    for k in 1 2 3 4 5 6 7 8 9; do
        for place in done failed hold; do
            mkdir "m/$place/$k-$long" && printf '<%.0s' $(seq 900) >"m/$place/$k-$long/error.txt"
        done
    done
    run_edgewise status --html many.html m
    is "$code" 0 "a page of 10,000 jobs is written"
    test "$(wc -c <many.html)" -lt 1000000
    ok $? "it has less than a megabyte" || diag "$(wc -c <many.html)"
    contains "$(cat many.html)" "more, which" "it says how many it does not list"
    is_good_page many.html "a page of 10,000 jobs"
}

# A browser sees the elements that XML sees, and runs nothing.
test_browser()
{
    test -n "$browser" || { skip "there is no Chromium" "a browser shows the page"; return; }
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$tmp/profile" --dump-dom \
        "file://$tmp/hostile.html" >dom 2>browser.log ||
        { skip "Chromium does not start here" "a browser shows the page"; return; }
    contains "$(cat dom)" '<h2 id="done">Done:' "a browser shows the page"
    is "$(grep -c '<script' dom)" 0 "and finds no script in it"
}

test_page
test_bodies
test_command
test_ways
test_replaced
test_hostile
test_many
test_browser
done_testing
