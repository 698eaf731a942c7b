#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# edgewise sweep: members, their table and their bits; failed, killed and stopped members; check and run of such cases.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# write_sweep FILE SWEEP: the box with the amplitude a and a sweep.
write_sweep()
{
    write_box "$1" 3
    sed -i 's/0\.1\*sin/a*sin/' "$1"
    printf 'let = { a = 0.1; pressure = 1; };\n%s\n' "$2" >>"$1"
}

# column FILE NAME: its values, one after the other. In these tables only the last column is quoted.
column()
{
    awk -F, -v name="$2" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k }
        NR > 1 { printf "%s ", $at }' "$1"
}

# without_seconds FILE: the table without the columns that differ from run to run.
without_seconds()
{
    awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "wall_s") at = k } { $at = ""; print }' "$1"
}

# ---- members and their table ----------------------------------------------------------------------------------------

write_sweep grid.cfg 'sweep = { over = ( { key = "let.a"; from = 0.1; to = 0.3; steps = 2; },
    { key = "order"; values = [1, 2]; } ); };'
run_edgewise sweep --jobs 2 --png chart.png grid.cfg
is "$code" 0 "a grid runs" || diag "$err"
contains "$out" "grid: 4 members over let.a, order" "the summary says over what"
contains "$out" "done       4" "... and how many are done"
is "$(column grid.sweep.csv let.a)" "0.1 0.1 0.3 0.3 " "the table has the values"
is "$(column grid.sweep.csv order)" "1 2 1 2 " "... of all keys"
is "$(column grid.sweep.csv status)$(column grid.sweep.csv end)" "done done done done end end end end " \
    "... and how the members ended"
is "$(od -An -tx1 -N8 chart.png | tr -d ' \n')" 89504e470d0a1a0a "--png draws a chart"
is "$("$edgewise" plot grid.sweep.csv --columns total_rho -o two.svg)" "two.svg: 2 curves over let.a" \
    "plot draws a curve for each value of another key"
hashes=$(column grid.sweep.csv state_hash)
sed '/^sweep/,$d' grid.cfg >solo.cfg
{ cat solo.cfg; echo 'sweep = { over = ( { key = "let.pressure"; values = [2, 3]; } ); };'; } >own.cfg
run_edgewise sweep --quiet --sweep let.a=0.1..0.3:2 --sweep order=1,2 own.cfg
is "$code $(column own.sweep.csv state_hash)" "0 $hashes" "--sweep takes the place of the case's sweep" || diag "$err"
is "$("$edgewise" sweep --list --sweep flux=llf,hllc solo.cfg 2>&1)" "$("$edgewise" sweep --list \
    --set 'sweep={over=({key="flux";values=["llf","hllc"];});}' solo.cfg 2>&1)" "... and needs none"
solo=
for values in "0.1 1" "0.1 2" "0.3 1" "0.3 2"; do
    run_edgewise run --json --no-output --set "let.a=${values% *}" --order "${values#* }" solo.cfg
    solo="$solo$(value_of state_hash) "
done
is "$hashes" "$solo" "each member has the bits of its case alone"
cp grid-0003.nc before.nc
run_edgewise run --json --member 3 grid.cfg
is "$(value_of state_hash)" "$(echo "$hashes" | cut -d ' ' -f 3)" "run --member has them, too"
contains "$out" '"outputs": ["grid-0003.nc"]' "... and writes the same file"
json_is "the JSON table has the rows" grid.sweep.json \
    '[(r["member"], r["name"], r["let.a"], r["order"], r["status"], r["steps"] > 0) for r in it["rows"]][3]' \
    "(4, 'grid-0004', 0.3, 2, 'done', True)"
if python3 -c '' 2>/dev/null; then
    is "$(python3 - <<'END'
import csv, json
rows, table = json.load(open("grid.sweep.json"))["rows"], list(csv.DictReader(open("grid.sweep.csv")))
print(sum(str(r[k]) != t[k] and float(r[k]) != float(t[k]) for r, t in zip(rows, table) for k in t if t[k] != ""))
END
    )" 0 "both tables have the same numbers"
else
    skip "there is no python3" "both tables have the same numbers"
fi

run_edgewise sweep --list grid.cfg
is "$out" "grid-0001  let.a=0.1, order=1
grid-0002  let.a=0.1, order=2
grid-0003  let.a=0.3, order=1
grid-0004  let.a=0.3, order=2" "--list prints the members"
run_edgewise sweep --list --json --set sweep.design=list grid.cfg
is_json "--list --json"
contains "$out" '"members": [{"member": 1, "name": "grid-0001", "let.a": 0.1' "... has the members"
run_edgewise sweep --quiet grid.cfg
contains "$code $err" "73 edgewise: grid.sweep.json is the table of an earlier sweep; continue it with --resume" \
    "a second sweep does not replace the first one"
run_edgewise sweep --quiet --resume --replace grid.cfg
is "$code" 64 "... nor is it resumed and replaced"
run_edgewise sweep --json --replace --no-output --set sweep.design=list --output . grid.cfg
is "$(ls grid-000?.nc | tr '\n' ' ')" "grid-0001.nc grid-0002.nc grid-0003.nc grid-0004.nc " \
    "files of members that the new sweep lacks stay"
is "$err" "edgewise: note: grid-0003 to grid-0004 are of an earlier sweep with more members; their files stay" \
    "... and a note says so"
is_json "--json"
is "$(value_of members) $(value_of done) $(value_of failed) $(value_of stopped) $(value_of waiting)" "2 2 0 0 0" \
    "... counts the members"
for key in $(printf '%s\n' "$out" | grep -o '"[a-z_]*":' | tr -d '":' | sort -u); do
    grep -q "^\.It Cm .*\<$key\>\|^\.Cm .*\<$key\>" "$srcdir/man/edgewise-sweep.1" || missing="$missing $key"
done
is "$missing" "" "... and the page has its keys"

mkdir results
cp "$srcdir/tests/meshes/annulus-A.msh" .
sed 's|"annulus-[A-Z].msh"|"annulus-A.msh"|' "$srcdir/examples/vortex/vortex.cfg" >mesh.cfg
echo 'sweep = { over = ( { key = "mesh"; values = ["annulus-A.msh", "annulus-A.msh"]; } ); };' >>mesh.cfg
run_edgewise sweep --quiet --no-output --steps 2 --order 1 --output results mesh.cfg
is "$code $(column results/mesh.sweep.csv mesh)" "0 annulus-A.msh annulus-A.msh " "mesh files are values" || diag "$err"
is "$(ls results)" "mesh.sweep.csv
mesh.sweep.json" "--no-output leaves the table alone"

# ---- a data set -----------------------------------------------------------------------------------------------------

python=${EW_PYTHON:-python3}
if "$edgewise" info | grep -q "no HDF5"; then
    skip "built without HDF5" "--well gathers the members' rasters"
else
    write_sweep set.cfg 'sweep = { over = ( { key = "let.a"; from = 0.1; to = 0.3; steps = 5; } ); };'
    sed -i 's/^output.*/output = { fields = { every = 0.02; }; raster = { cells = [8, 6]; only = true; }; };/' set.cfg
    run_edgewise sweep --json --no-output --well set.hdf5 set.cfg
    is "$code" 64 "--well needs the members' files"
    run_edgewise sweep --json --jobs 1 --well set.hdf5 set.cfg
    is "$code" 0 "a data set" || diag "$err"
    contains "$out" '"well": "set.hdf5"' "... is told of"
    ok "$(test -s set.hdf5 -a ! -e set.hdf5.part; echo $?)" "... and is there"
    cp set.hdf5 whole.hdf5
    rm set-0005.nc # the last one: HDF5 takes a little more room in another order
    run_edgewise sweep --quiet --resume --well set.hdf5 set.cfg
    is "$(wc -c <set.hdf5)" "$(wc -c <whole.hdf5)" "--resume adds those that were done, and the one that is lost"
    mv set.hdf5 resumed.hdf5
    run_edgewise sweep --quiet --replace --well set.hdf5 --set output.raster.cells=[4,4] \
        --set 'sweep.over=({ key = "let.a"; values = [0.1, 0.2]; })' set.cfg
    is "$code" 0 "another set replaces it"
    mkdir other
    rm set.hdf5
    "$edgewise" sweep --quiet --replace --end 12 --set output.fields.every=4 --well set.hdf5 set.cfg &
    pid=$!
    wait_until test -s set.hdf5.part
    kill -STOP $pid
    run_edgewise sweep --quiet --output other --well set.hdf5 set.cfg
    kill -CONT $pid
    is "$code" 73 "a second sweep with the same data set is refused"
    contains "$err" "another run is writing set.hdf5.part" "... and says why"
    is "$(ls other)" "" "... before it writes anything"
    wait $pid
    is "$?" 0 "... and the first one does not lose it"
    run_edgewise sweep --quiet --well set.hdf5 grid.cfg
    is "$code" 78 "a case without a raster is refused"
    contains "$err" "has no output.raster" "... and says why"
    if "$python" -c 'from the_well.data import WellDataset' 2>/dev/null; then
        "$python" - <<'END'
import h5py, numpy, os, shutil
from the_well.data import WellDataset
os.makedirs("well")
shutil.copy("whole.hdf5", "well/set.hdf5")
data = WellDataset(path="well", n_steps_input=1, n_steps_output=2, return_grid=True, boundary_return_type="padding")
assert data.metadata.n_trajectories_per_file == [5] and data.metadata.spatial_resolution == (8, 6)
assert data.metadata.constant_scalar_names == ["let.a", "gamma"]
resumed, whole = h5py.File("resumed.hdf5"), h5py.File("whole.hdf5")
for name in "t0_fields/rho t0_fields/p t1_fields/velocity scalars/let.a dimensions/time".split():
    assert numpy.array_equal(resumed[name][()], whole[name][()]), name
sample = data[2 * 2]  # two windows of three frames in each of four frames: the third trajectory
member = h5py.File("set-0003.nc")
names = ["raster_rho", "raster_p", "raster_u", "raster_v"]
expected = numpy.stack([member[name][0].T for name in names], axis=-1)
assert numpy.array_equal(sample["input_fields"][0].numpy(), expected)
assert sample["output_fields"].shape == (2, 8, 6, 4) and sample["space_grid"].shape == (8, 6, 2)
assert abs(float(sample["constant_scalars"][0]) - 0.2) < 1e-7
END
        ok $? "The Well's own reader opens it"
    else
        skip "there is no the_well" "The Well's own reader opens it"
    fi
fi

# ---- members that fail ----------------------------------------------------------------------------------------------

write_sweep fail.cfg 'sweep = { over = ( { key = "let.pressure"; values = [1, -1, 2]; } ); };'
sed -i 's/p = "1"/p = "pressure"/' fail.cfg
run_edgewise sweep --quiet --jobs 1 fail.cfg
is "$code" 78 "a member fails: the exit code is its"
contains "$err" "edgewise: fail-0002 (let.pressure=-1): fail.cfg:6:" "... its sentence is told with its name"
is "$(column fail.sweep.csv status)" "done failed done " "... the others are done"
contains "$(sed -n 3p fail.sweep.csv)" "fail.cfg:6:" "... the table has the sentence"
run_edgewise sweep --json --replace fail.cfg
contains "$out" '"failures": [{"member": 2, "name": "fail-0002", "error": "fail.cfg:6:' "... and JSON, too"
run_edgewise sweep --replace fail.cfg
contains "$out" "failed     1: fail-0002" "... and the summary"

cp fail.cfg none.cfg
run_edgewise sweep --quiet --sweep let.pressure=-1,-2 none.cfg
is "$code $(column none.sweep.csv status)" "78 failed failed " "no member can begin"
run_edgewise sweep --quiet --resume --sweep let.pressure=1,2 none.cfg
is "$code $(column none.sweep.csv status)" "0 done done " "... other values take its table's place" || diag "$err"
run_edgewise sweep --quiet --replace --sweep let.pressure=-1,-2 --set flux=\"x\" --set limiter=\"y\" none.cfg
is "$(printf '%s\n' "$err" | grep -c 'flux cannot be') $(printf '%s\n' "$err" | grep -c 'limiter cannot be')" "1 1" \
    "several errors of a member are printed once each" || diag "$err"
run_edgewise sweep --quiet --replace --sweep let.pressure=-1,-2 none.cfg
run_edgewise sweep --quiet --sweep let.pressure=1,2 none.cfg
is "$code" 0 "... without --replace, too" || diag "$err"
run_edgewise sweep --quiet --sweep let.pressure=1,2 none.cfg
is "$code" 73 "... but members that are done are not replaced"

# ---- killed, stopped, resumed ---------------------------------------------------------------------------------------

# Members of about a quarter of a second each, which write restart files.
write_sweep long.cfg 'sweep = { design = "random"; samples = 6; over = ( { key = "let.a"; from = 0.1; to = 0.2; } ); };'
sed -i 's/every = 0.02; };/every = 2; }; restart = { steps = 200; };/; s/end = 0.05/end = 6/; s/3, 3/6, 6/' long.cfg
run_edgewise sweep --quiet --jobs 2 long.cfg
is "$code" 0 "a sweep that nobody stops" || diag "$err"
without_seconds long.sweep.csv >whole
cp long.cfg long.before

# in_the_middle COMMAND...: begins that sweep, and calls the command as soon as a member is done. Tries again if all
# members were done by then. Sets $code, the sweep's, and $done_before, the number of members that are done.
in_the_middle()
{
    for try in 1 2 3 4 5; do
        rm -f long-0* long.sweep.*
        cp long.before long.cfg
        "$edgewise" sweep --replace --jobs 2 --set "title=\"it's\"" long.cfg >out 2>err &
        pid=$!
        wait_until grep -qs ,done, long.sweep.csv
        "$@"
        wait $pid 2>wait.err
        code=$?
        done_before=$(grep -c ,done, long.sweep.csv)
        test "$done_before" -eq 6 || return 0
        diag "try $try of 5 came too late"
    done
}

# While the first sweep is idle.
sweep_again_and_kill()
{
    kill -STOP $pid
    run_edgewise sweep --json --no-output long.cfg
    second="$code $(value_of error)"
    kill -KILL $pid
}
in_the_middle sweep_again_and_kill
contains "$second" "73 another sweep is writing long.sweep.csv" "a second sweep in the same folder is refused"
ok "$(test "$done_before" -gt 0 -a "$done_before" -lt 6; echo $?)" "killed in the middle: $done_before of 6 are done"
run_edgewise sweep --json --jobs 2 --resume long.cfg
is "$code" 0 "--resume goes on" || diag "$err"
is "$(value_of earlier)" "$done_before" "... with the others"
is "$(without_seconds long.sweep.csv)" "$(cat whole)" "... and the table is that of a sweep that was not killed"
ok "$(test ! -e long.sweep.lock; echo $?)" "... which leaves no lock"
without=$(cat long.sweep.csv)
# refused_lock WHAT WHY: a lock that another user has made and that cannot be taken.
refused_lock()
{
    run_edgewise sweep --quiet --replace long.cfg
    contains "$code $err" "73 edgewise: cannot lock long.sweep.lock: $2" "$1 in the place of the lock"
    is "$(cat long.sweep.csv)" "$without" "... and the table is left alone"
}
mkdir long.sweep.lock
refused_lock "a folder" "Is a directory; remove it, or choose another folder by --output"
rmdir long.sweep.lock
ln -s nowhere long.sweep.lock
refused_lock "a link to nothing" "there is a symbolic link of that name; remove it"
rm long.sweep.lock
if test "$(id -u)" -ne 0; then
    : >long.sweep.lock
    chmod 400 long.sweep.lock
    refused_lock "a file that one may not write" "Permission denied"
    rm -f long.sweep.lock
fi

stop_sweep()
{
    kill -TERM $pid
}
# One member, if the signal came while the other thread was between two members; none, if both threads were.
stopped=0
for attempt in 1 2 3 4 5; do
    in_the_middle stop_sweep
    stopped=$(column long.sweep.csv status | tr ' ' '\n' | grep -c stopped)
    test "$stopped" -eq 0 || break
    diag "attempt $attempt of 5 came between two members"
done
is "$code" 143 "SIGTERM ends a sweep by the signal"
ok "$(test "$stopped" = 1 -o "$stopped" = 2; echo $?)" "... the members that ran are stopped"
contains "$(cat out)" "stopped    $stopped, and" "... the summary says so"
next=$(sed -n 's/^  next  *//p' out)
is "$next" "edgewise sweep --resume --jobs 2 --set 'title=\"it'\\''s\"' long.cfg" "... with the command that continues"
ok "$(ls long-0*.restart-*.nc >/dev/null 2>&1; echo $?)" "... and they leave restart files"
rm -f "$(ls long-0*.nc | grep -v 'restart\|interrupted' | head -n 1)"
eval "run_edgewise ${next#edgewise }"
is "$(without_seconds long.sweep.csv)" "$(cat whole)" \
    "... which ends with the same table, one lost file notwithstanding"
run_edgewise sweep --json --resume --set sweep.samples=7 long.cfg
is "$(value_of members) $(value_of earlier)" "7 6" "more members: those before are kept"
run_edgewise sweep --json --resume --set let.pressure=2 long.cfg
is "$code" 78 "another case is not resumed"
contains "$(value_of error)" "is the table of another case" "... and says why"
run_edgewise sweep --json --resume --set sweep.seed=7 long.cfg
is "$code" 78 "... nor are members of other values"
contains "$(value_of error)" "member 1 had other values than let.a=" "... whose files would be taken for theirs"
run_edgewise sweep --json --resume \
    --set 'sweep={ over = ( { key = "let.a"; values = [0.1]; }, { key = "let.pressure"; values = [1]; } ); }' long.cfg
is "$code" 78 "... nor are members of other keys" || diag "$err"
echo '{"rows": []}' >long.sweep.json
run_edgewise sweep --resume long.cfg
is "$code" 65 "what is no table is not resumed"

change_case()
{
    echo "# changed" >>long.cfg
}
in_the_middle change_case
is "$code" 78 "the case changes while a sweep runs: it fails"
contains "$(cat err)" "long.cfg has changed since the first case was read" "... and says why"

# ---- wrong calls, and other commands --------------------------------------------------------------------------------

# refused WORDS CODE PART ARGUMENTS...
refused()
{
    words=$1 wanted=$2 part=$3
    shift 3
    run_edgewise "$@"
    is "$code" "$wanted" "$words: the exit code"
    contains "$err" "$part" "$words: says why"
}
refused "no sweep" 78 'solo.cfg has no group "sweep"' sweep solo.cfg
refused "no values" 64 "--sweep order: this needs KEY=VALUES" sweep --sweep order solo.cfg
refused "a range with a colon" 64 "a range is FIRST..LAST, or FIRST..LAST:COUNT with 2 values or more, not 0:4" \
    sweep --sweep let.a=0:4 solo.cfg
refused "two sweeps" 64 "--set sweep.seed=2 is about another sweep" sweep --sweep order=1,2 --set sweep.seed=2 grid.cfg
refused "columns without a chart" 64 "--columns is for the chart" sweep --columns a,b grid.cfg
refused "a chart of a list" 64 "--list runs nothing; leave out --png" sweep --list --png c.png grid.cfg
for option in "--jobs 2" "--devices 0" "--output ." --no-output --overcommit --resume; do
    # shellcheck disable=SC2086
    refused "$option of a list" 64 "--list runs nothing; leave out ${option%% *}" sweep --list $option grid.cfg
done
refused "one column" 64 "--columns needs two names" sweep --columns a --png c.png grid.cfg
mkdir unwritten
will='it will have member, time, steps, wall_s, let.a, order'
refused "a column that is not there" 64 "no numbers in a column \"nothing\"; $will" \
    sweep --quiet --columns order,nothing --png c.png --output unwritten grid.cfg
is "$(ls unwritten)" "" "... before anything runs"
refused "a chart that is none" 64 "--png needs a name that ends in .png" sweep --png c.pdf grid.cfg
refused "no folder" 73 "make it first" sweep --output nowhere grid.cfg
refused "an option for a key of the sweep" 78 "so an option cannot set it" sweep --order 2 grid.cfg
refused "a wrong key" 78 '(let.a=0.1, order=1): --set colour=3: there is no key "colour"' \
    sweep --replace --jobs 1 --set colour=3 grid.cfg
is "$(printf '%s\n' "$err" | grep -c colour)" 1 "... once, and not for each member"
refused "a key that two options set" 64 "--order 1 and --set order=3 set the same key" \
    run --order 1 --set order=3 solo.cfg
refused "a group and a key in it" 64 "--end 0.2 and --set time={end=0.1;} set the same key" \
    run --end 0.2 --set 'time={end=0.1;}' solo.cfg
refused "a GPU that is not there" 69 "--device: there is no GPU 7777 here" run --no-output --device 7777 solo.cfg
refused "... of several" 69 "--devices: there is no GPU 7777 here" run --no-output --devices 7777 solo.cfg
refused "run, whatever it sets" 78 'this case is a sweep of 4 cases' run --order 2 grid.cfg
refused "run" 78 'this case is a sweep of 4 cases: "edgewise sweep" runs all of them' run grid.cfg
refused "study" 78 'this case is a sweep of 4 cases' study grid.cfg
refused "a member of none" 78 "the case has no sweep, and so no member 2" run --member 2 solo.cfg
run_edgewise sweep --json --output nowhere grid.cfg
is_json "a sweep that cannot begin"
contains "$out" '"members": null' "... has no members"

run_edgewise check grid.cfg
is "$code" 0 "check looks at a sweep"
contains "$out" "sweep      4 members; this is grid-0001: let.a=0.1, order=1" "... says how many members there are"
contains "$out" "next       edgewise sweep grid.cfg" "... and what to do"
run_edgewise check --json --member 2 grid.cfg
is "$(value_of members) $(value_of member) $(value_of order)" "4 2 2" "check --member reports that one"
refused "GPUs of a sweep on the CPU" 69 "--devices is for GPUs" sweep --backend omp --devices 0 grid.cfg
cp grid.sweep.csv before.csv
refused "GPUs that are not there" 69 "--devices: there is no GPU 7777 here" sweep --devices 7777,7778 grid.cfg
refused "... of the backend cuda" 69 "--devices: there is no GPU 7777 here" \
    sweep --backend cuda --devices 7777 grid.cfg
refused "... by a key" 69 "backend.device: there is no GPU 7777 here" sweep --set backend.device=7777 grid.cfg
refused "a GPU twice" 64 "--devices names GPU 0 twice" sweep --backend cuda --devices 0,1,0 grid.cfg
is "$(cat grid.sweep.csv)" "$(cat before.csv)" "... and the table is left alone"
refused "devices that are no numbers" 64 "--devices needs all, or numbers" sweep --devices x grid.cfg

# The GPU's kernels with a fake driver that needs no GPU.
on_fake_gpu() # FAKE_CUDA ARGUMENTS...
{
    fake=$1
    shift
    out=$(LD_LIBRARY_PATH="$top_builddir/tests/cuda/fake/.libs:$LD_LIBRARY_PATH" FAKE_CUDA="$fake" \
        "$top_builddir/tests/cuda/edgewise-fake-gpu" "$@" 2>err)
    code=$?
    err=$(cat err)
}
if test -x "$top_builddir/tests/cuda/edgewise-fake-gpu"; then
    write_sweep gpu.cfg 'sweep = { over = ( { key = "let.a"; from = 0.1; to = 0.3; steps = 6; },
        { key = "order"; values = [1, 2]; } ); };'
    mkdir on-gpu on-cpu
    run_edgewise sweep --quiet --output on-cpu gpu.cfg
    hashes=$(column on-cpu/gpu.sweep.csv state_hash)
    on_fake_gpu "" run --no-output --steps 1 --set backend.name=omp --device 0 solo.cfg
    contains "$code $err" "69 edgewise: --device is for GPUs, and the case runs on the CPU (backend omp)" \
        "run --device does not take the CPU"
    on_fake_gpu "" run --no-output --steps 1 --device 0 solo.cfg
    is "$code" 0 "... but a GPU that is there" || diag "$err"
    on_fake_gpu "" sweep --quiet --backend cuda --output on-gpu gpu.cfg
    is "$(column on-gpu/gpu.sweep.csv state_hash)" "$hashes" \
        "twelve members as an ensemble of a GPU have the bits that they have on the CPU" || diag "$err"
    cp on-gpu/gpu.sweep.csv before.csv
    on_fake_gpu "devices:2" sweep --json --backend cuda --devices 0,2 --output on-gpu gpu.cfg
    contains "$code $out" '69 {"case": "gpu.cfg", "error": "--devices: there is no GPU 2 here' "one of two is not there"
    is "$(cat on-gpu/gpu.sweep.csv)" "$(cat before.csv)" "... and the table is left alone"
    on_fake_gpu "devices:2" sweep --json --replace --backend cuda --devices all --jobs 4 --output on-gpu gpu.cfg
    is "$(column on-gpu/gpu.sweep.csv state_hash)" "$hashes" "... and on two GPUs" || diag "$err"
    ok "$(echo "$out" | grep -q '"device": 0, "members": [1-9].*"device": 1, "members": [1-9]'; echo $?)" \
        "... each of which ran some" || diag "$out"
    # One at a time, so that no other member is on the GPU that fails.
    on_fake_gpu "devices:2 only:1 cuGraphLaunch:719@3" \
        sweep --json --replace --backend cuda --devices 1,0 --jobs 1 --output on-gpu gpu.cfg
    contains "$out" '{"device": 1, "members": 1, "lost": true}, {"device": 0, "members": 11, "lost": false}]' \
        "a GPU is lost: nothing begins there any more"
    is "$(value_of done) $(value_of failed)" "11 1" "... and the other runs what is left"
    on_fake_gpu "devices:2 cuGraphLaunch:719@3" sweep --quiet --replace --backend cuda --devices 0 \
        --output on-gpu gpu.cfg
    ok "$(test "$code" = 0; echo $((! $?)))" "the only GPU is lost"
    contains "$err" "the state on it is lost" "... which is said"
    on_fake_gpu "" sweep --quiet --resume --backend cuda --output on-gpu gpu.cfg
    is "$(column on-gpu/gpu.sweep.csv state_hash)" "$hashes" "... and --resume runs the rest" || diag "$err"
fi

run_edgewise check --all grid.cfg
contains "$out" "grid-0004  let.a=0.3, order=2: " "check --all tells what each member takes"
contains "$out" "all members one after another: about " "... and all of them"
run_edgewise check --all --no-estimate --json grid.cfg
contains "$out" '"member": 4, "name": "grid-0004", "ok": true, "elements": ' "... also as JSON"
run_edgewise check --all fail.cfg
is "$code" 78 "check --all finds what is wrong"
contains "$err" "edgewise: fail-0002 (let.pressure=-1): fail.cfg:6:" "... with the member's name and values"
contains "$out" "1 of them is wrong" "... and reports the first"
done_testing
