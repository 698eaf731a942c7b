#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A run that is stopped and resumed leaves what an uninterrupted run leaves: the same state, the same frames.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# The parts of the summary that must not depend on how a run was divided.
result()
{
    echo "$(value_of state_hash) $(value_of steps) $(value_of time) $(value_of dt_last) $(value_of stop)"
}

# All variables, without the attributes.
same_frames() # FILE FILE DESCRIPTION
{
    if ! command -v ncdump >/dev/null; then
        skip "there is no ncdump" "$3: the same frames"
        return
    fi
    for file in "$1" "$2"; do
        ncdump -p 17 "$file" | sed -n '/^data:/,$p; /^dimensions:/,/^variables:/p' \
            >".dump-$(test "$file" = "$1"; echo $?)"
    done
    cmp -s .dump-0 .dump-1
    ok $? "$3: the same frames" || diag "$(diff .dump-0 .dump-1 | head -n 5 | cut -c 1-200)"
}

restarts() # FOLDER
{
    (cd "$1" && echo box.restart-*.nc)
}

# The reference run: no restart files, never stopped.
write_whole()
{
    write_box box.cfg 6
    sed 's/^output.*/output = { fields = { every = 0.02; }; restart = { steps = 4; keep = 3; }; };/' box.cfg >with.cfg
    mkdir whole
    run_edgewise run --json --output whole box.cfg
    whole=$(result)
    total=$(value_of steps)
    mv with.cfg box.cfg
}

test_plan()
{
    mkdir plan
    run_edgewise run --json --output plan box.cfg
    is "$(result)" "$whole" "restart files have no influence on the result"
    same_frames whole/box.nc plan/box.nc "restart files"
    is "$(restarts plan | wc -w | tr -d ' ')" 3 "the case limits the number of restart files"
    contains "$(restarts plan)" "box.restart-$total.nc" "one of them is of the end"
    contains "$out" "\"plan/box.restart-$total.nc\"" "--json lists them"
    contains "$out" '"resumed_from": null' "--json: a run from the start"

    restart=plan/box.restart-$total.nc
    run_edgewise plot --list "$restart"
    contains "$out" "rho_u" "plot --list: the fields of a restart file"
    run_edgewise export -o at-restart.csv "$restart"
    is "$code" 0 "a restart file is exported"
    run_edgewise export -o at-end.csv --frame last plan/box.nc
    awk -F , 'NR == FNR { row[NR] = $0; next }
        { split(row[FNR], a); for (k = 2; k <= 6; k++) if (FNR > 1 && (a[k] - $k)^2 > 1e-24) wrong++ }
        END { exit !(FNR > 100 && wrong == 0) }' at-restart.csv at-end.csv
    ok $? "and has the values of the frame of its time"
    run_edgewise plot --width 300 -o restart.png "$restart"
    if test "$code" = 69; then
        skip "there is no libpng" "a restart file is drawn"
    else
        is "$code" 0 "a restart file is drawn"
    fi

    mkdir every
    run_edgewise run --quiet --output every --set 'output={fields={every=0.02},restart={every=0.01,keep=100}}' box.cfg
    same_frames whole/box.nc every/box.nc "restart files by time"
    is "$(restarts every | wc -w | tr -d ' ')" 5 "a restart file whenever so much time has passed"
}

test_going_on()
{
    for steps in 1 4 7; do
        rm -rf part
        mkdir part
        run_edgewise run --quiet --output part --steps $steps box.cfg
        for round in auto "part/box.restart-$((steps + 2)).nc"; do
            run_edgewise run --json --output part --restart "$round" --steps $((steps + 2)) --threads 1 box.cfg
        done
        run_edgewise run --json --output part --restart auto --kernels edgewise box.cfg
        is "$(result)" "$whole" "stopped after $steps steps, and again: the same result"
        contains "$out" "\"resumed_from\": \"part/box.restart-$((steps + 2)).nc\"" "... from the newest file"
        same_frames whole/box.nc part/box.nc "... and"
        is "$(find part -name '*.part' -o -name '*.before*' -o -name '*.interrupted*')" "" \
            "... and nothing else is left"
    done
    run_edgewise run --json --output part --restart auto box.cfg
    is "$(result)" "$whole" "resuming at the end does nothing more"
    same_frames whole/box.nc part/box.nc "resuming at the end"
    is "$(restarts part | wc -w | tr -d ' ')" 3 "restart files of earlier runs are removed in their turn"

    mkdir new
    run_edgewise run --json --output new --restart auto box.cfg
    is "$(result)" "$whole" "--restart auto without a restart file starts from the initial state"
    is "$err" "edgewise: warning: there is no restart file, new/box.restart-STEP.nc; the run starts from the initial \
state" "... with a warning"
    cp "$(find part -name 'box.restart-*' | sort | head -n 1)" there.nc
    mkdir other
    run_edgewise run --json --output other --restart there.nc box.cfg
    is "$(result)" "$whole" "a restart file of another folder"
    contains "$err" "other/box.nc will start there" "... a warning tells that the earlier frames are not there"
    if command -v ncdump >/dev/null; then
        step=$(ncdump -h there.nc | sed -n 's/.*:step = \([0-9]*\).*/\1/p')
        is "$(ncdump -v step other/box.nc | sed -n 's/^ step = \([0-9]*\).*/\1/p')" "$step" \
            "... and the file does begin there"
    else
        skip "there is no ncdump" "... and the file does begin there"
    fi
    run_edgewise run --json --no-output --restart there.nc box.cfg
    is "$(result) $err" "$whole " "--restart with --no-output"
    run_edgewise run --restart there.nc --no-output box.cfg
    contains "$out" "resumed    from there.nc" "the summary says from where"
}

# A finished run is continued from its end, not from an earlier interruption.
test_later_end()
{
    mkdir later
    sed 's/restart = [^}]*};//' box.cfg >later.cfg
    run_edgewise run --quiet --output later --set output.restart.steps=100 --steps 4 later.cfg
    run_edgewise run --quiet --output later --restart auto --steps 8 later.cfg
    run_edgewise run --json --output later --restart auto later.cfg
    contains "$out" '"resumed_from": "later/later.restart-8.nc"' \
        "--restart auto continues a finished run from its end" || diag "$err"
    is "$(result)" "$whole" "... to the same result"

    # 3 times 0.05 is 0.15 but for rounding.
    sed 's/^output.*//' box.cfg >rounded.cfg
    echo 'output = { fields = { every = 0.05; }; restart = { steps = 100; }; };' >>rounded.cfg
    run_edgewise run --quiet --output later --end 0.15 rounded.cfg
    run_edgewise run --quiet --output later --restart auto --end 0.2 rounded.cfg
    run_edgewise export --quiet --frame all -o rounded.csv later/rounded.nc
    is "$(find . -name 'rounded-*.csv' | wc -l | tr -d ' ')" 5 \
        "a former end that is a frame's but for rounding has one frame" || diag "$(ls)"

    # Step 10, with a line of the series, ends 5e-10 before a frame.
    cat >near.cfg <<'end'
mesh = { rectangle = { corners = [0, 0, 1, 1]; cells = [2, 2]; }; };
law = { name = "advection"; velocity = ["1", "0"]; };
order = 1;
time = { end = 2; cfl = 0.1; };
initial = { u = "sin(2*pi*x)"; };
boundary = { left = { kind = "periodic"; with = "right"; }; bottom = { kind = "periodic"; with = "top"; }; };
output = { fields = { every = 1; }; series = { steps = 10; }; };
end
    run_edgewise run --json --no-output --steps 1 near.cfg
    cfl=$(echo "$(value_of dt_last)" | awk '{ printf "%.17g", 0.1*0.1*(1 - 5e-10)/$1 }')
    run_edgewise run --quiet --output later --set "time.cfl=$cfl" near.cfg
    run_edgewise export --quiet --frame all -o near.csv later/near.nc
    is "$(find . -name 'near-*.csv' | wc -l | tr -d ' ')" 3 "a frame soon after a line of the series is not lost" ||
        diag "cfl $cfl: $err"

    run_edgewise run --quiet --output later --end 0.01 --set 'output.quantities={q="rho";}' rounded.cfg
    run_edgewise run --quiet --output later --restart auto --end 0.02 --set order=2 \
        --set 'output.quantities={q="2*rho"; other=1;}' rounded.cfg
    contains "$err" 'output.quantities.q 2*rho (was rho)' "another definition of the same name is told"
    is "$(printf '%s' "$err" | grep -c quantities.other)" 0 "... and a new one is not"
}

newest_restart()
{
    (cd killed && echo long.restart-*.nc)
}

# Ends a run when it has written a restart file of its own.
until_it_goes_on() # SIGNAL
{
    old=$(newest_restart)
    "$edgewise" run --quiet --output killed --restart auto long.cfg 2>err &
    pid=$!
    wait_until eval 'test "$(newest_restart)" != "$old"'
    kill -s "$1" $pid 2>/dev/null && kills=$((kills + 1))
    wait $pid 2>/dev/null
}

test_killed()
{
    every=0.05 end=0.2 signals="KILL TERM KILL"
    ! long_checks || every=0.01 end=0.6 signals="$signals TERM KILL"
    output="fields = { every = $every; }; restart = { steps = 3; }; series = { steps = 2; };"
    write_box long.cfg 24
    sed "s/end = 0.05/end = $end/; s/^output.*/output = { $output };/" long.cfg >l && mv l long.cfg
    mkdir undivided killed
    run_edgewise run --json --output undivided long.cfg
    whole=$(result)
    kills=0
    for signal in $signals; do
        until_it_goes_on $signal
    done
    ok $((kills < 2)) "signals stop a run while it resumes: $kills times"
    diag "what is left then: $(cd killed && echo *)"
    run_edgewise run --json --output killed --restart auto long.cfg
    is "$(result)" "$whole" "killed again and again, it comes to the same result"
    same_frames undivided/long.nc killed/long.nc "killed again and again"
    cmp undivided/long.series.csv killed/long.series.csv
    ok $? "killed again and again: the same series"
    is "$(find killed -name '*.part' -o -name '*.before*' -o -name '*.interrupted*')" "" \
        "... and nothing half-written is left"

    sed 's/^output.*//; s/end = [0-9.]*;/end = 1e6;/' long.cfg >endless.cfg
    "$edgewise" run endless.cfg >.out 2>&1 &
    wait_until test -e endless.nc.part
    kill -TERM $!
    wait $!
    contains "$(cat .out)" "edgewise run --restart auto endless.cfg" "an interrupted run says how to resume"
    is "$(find . -maxdepth 1 -name 'endless.restart-*.nc' | wc -l | tr -d ' ')" 1 \
        "a signal leaves a restart file, asked for or not"
    step=$(echo endless.restart-*.nc | sed 's/.*restart-//; s/.nc//')
    run_edgewise run --json --restart auto --end 1e6 --steps $((step + 1)) endless.cfg
    is "$(value_of stop)" steps "... from which it can go on"
}

test_steady()
{
    sed 's/end = 0.05/end = 50; steady = 1e-3/
         s/initial = .*/initial = { rho = "1+0.1*exp(-9*((x-0.5)^2+(y-0.5)^2))"; \
             u = "0.5"; v = "0"; p = "1"; };/
         s/state = "exact"/rho = 1; u = 0.5; v = 0; p = 1/; s/^exact.*//' box.cfg >steady.cfg
    mkdir steady again
    run_edgewise run --json --output steady steady.cfg
    steady=$(result)
    is "$(value_of stop)" steady "a run that becomes steady"
    run_edgewise run --json --no-output --set time.steady=1e-6 --steps 3 steady.cfg
    soon=$(value_of time | awk '{ printf "%.17g", $1 * (1 + 1e-8) }')
    run_edgewise run --json --no-output --set time.steady=1e-6 --set "output.fields.at=[$soon]" --steps 4 steady.cfg
    is "$(value_of stop)" steps "a step that is cut to next to nothing is not taken for steadiness"
    run_edgewise run --quiet --output again --steps 12 steady.cfg
    run_edgewise run --json --output again --restart auto steady.cfg
    is "$(result)" "$steady" "resumed, it becomes steady at the same step"
    run_edgewise run --json --output again --restart auto steady.cfg
    is "$(result)" "$steady" "what is steady stays so"
    same_frames steady/steady.nc again/steady.nc "steady"
    steps=$(value_of steps)
    run_edgewise run --json --no-output --set time.steady=0 --set time.steady_orders=1 steady.cfg
    fallen=$(result)
    is "$(value_of stop)" steady "a run whose rates of change fall by an order"
    ok $(($(value_of orders_fallen | sed 's/[.].*//') != 1)) "... says by how many they have fallen" || diag "$out"
    run_edgewise run --quiet --output again --set time.steady=0 --set time.steady_orders=1 --steps 5 steady.cfg
    run_edgewise run --json --output again --restart auto --set time.steady=0 --set time.steady_orders=1 steady.cfg
    is "$(result)" "$fallen" "resumed, it counts from where it began"
    run_edgewise run --json --output again --restart auto --order 3 steady.cfg
    ok $(($(value_of steps) <= steps)) "... but not at another order" || diag "step $steps: $out $err"
}

test_wrong()
{
    run_edgewise run --restart missing.nc box.cfg
    is "$code" 66 "a restart file that is not there: EX_NOINPUT"
    contains "$err" "missing.nc" "... it is named"
    run_edgewise run --restart there.nc --set mesh.rectangle.cells=[7,6] box.cfg
    is "$code" 65 "a restart file of another mesh: EX_DATAERR"
    contains "$err" "72 elements" "... and the sentence says how they differ"
    run_edgewise run --restart there.nc --end 0.001 box.cfg
    is "$code" 78 "a restart file after the end: EX_CONFIG"
    contains "$err" "after the case's end" "... and the sentence says so"
    run_edgewise run --restart there.nc --end 0.001 --order 1 box.cfg
    is "$code $(echo "$err" | wc -l)" "78 1" "... without a message about resuming" || diag "$err"
    run_edgewise run --restart there.nc --set time.start=1 --end 2 box.cfg
    is "$code" 78 "a restart file before the start: EX_CONFIG"
    contains "$err" "before the case's start, 1" "... and the sentence says so" || diag "$err"

    for name in box.restart-4.nc box.restart-4.nc.part; do
        mkdir -p "taken/$name"
        run_edgewise run --quiet --output taken box.cfg
        is "$code" 73 "a folder in the way of a restart file, $name: EX_CANTCREAT"
        contains "$err" "$name: it exists and is not a file" "... and named"
        ok "$(test -f taken/box.failed.nc; echo $?)" "... the frames before it are kept"
        rm -r taken
    done

    mkdir damaged
    cp -p part/box.restart-* damaged
    newest=$(cd damaged && find . -name 'box.restart-*' | sort -t- -k2n | tail -n 1)
    head -c 1000 "part/$newest" >"damaged/$newest"
    run_edgewise run --json --no-output --output damaged --restart auto box.cfg
    is "$code" 0 "a damaged newest file is passed over"
    contains "$err" "warning: damaged/box.restart-" "... with a warning"
    : >damaged/box.restart-1.nc
    for file in damaged/*.nc; do test ! -s "$file" || echo >"$file"; done
    run_edgewise run --json --restart auto --output damaged box.cfg
    is "$(result)" "$whole" "only damaged and empty files: the run starts from the initial state"
    contains "$err" "warning: the restart file damaged/box.restart-1.nc is empty" "... with a warning for each"
    contains "$err" "is not a restart file of edgewise, despite its name" "... which does not call a right name wrong"
    contains "$err" "no restart file is intact, damaged/box.restart-STEP.nc; the run starts from the initial state" \
        "... and one that says so"
    if test "$(id -u)" != 0; then
        chmod 0 damaged/box.restart-*
        run_edgewise run --restart auto --output damaged box.cfg
        is "$code" 66 "files that must not be read are an error"
    fi
    long=$(printf '%0236d' 7)
    cp box.cfg "$long.cfg"
    run_edgewise run "$long.cfg"
    is "$code" 73 "a name that is too long for a restart file: EX_CANTCREAT"
    contains "$err" "the name is too long" "... and the sentence says so"
    is "$(echo "$long"*)" "$long.cfg" "... before the run starts"
}

# Values of the last frames at the nodes, which differ by rounding errors only.
nearly_same_end() # FILE FILE DESCRIPTION
{
    for file in "$1" "$2"; do
        "$edgewise" export -o "$(basename "$(dirname "$file")").csv" --frame last --field rho,rho_u,rho_v,E "$file"
    done
    awk -F , 'NR == FNR { row[NR] = $0; next }
        { split(row[FNR], a); for (k = 2; k <= NF; k++) if (FNR > 1 && (a[k] - $k)^2 > 1e-24) wrong++ }
        END { exit !(FNR > 100 && NR == 2 * FNR && wrong == 0) }' "${1%/*}.csv" "${2%/*}.csv"
    ok $? "$3"
}

test_finished()
{
    mkdir finished
    sed 's/restart = [^}]*};//' box.cfg >f && mkdir cfg && mv f cfg/box.cfg
    run_edgewise run --quiet --output finished --end 0.02 cfg/box.cfg
    cp finished/box.nc first.nc
    run_edgewise run --restart auto --output finished cfg/box.cfg
    is "$code" 73 "--restart auto does not replace a finished result: EX_CANTCREAT"
    is "$err" "edgewise: there is no restart file, finished/box.restart-STEP.nc, and finished/box.nc is a finished \
result up to t = 0.02; resume from its last frame by --restart finished/box.nc, or replace it by a run without \
--restart" "... and says why and what to do"
    cmp -s first.nc finished/box.nc
    ok $? "... which stays as it was"
    run_edgewise run --quiet --restart auto --output finished --set time.start=3 --end 3.01 cfg/box.cfg
    is "$code" 0 "... unless it ends before the case's start"
    run_edgewise run --quiet --output finished --set 'output={raster={cells=[4,4];only=true;};}' cfg/box.cfg
    run_edgewise run --restart auto --output finished cfg/box.cfg
    is "$code" 73 "... nor a raster without fields"
    run_edgewise run --quiet --restart finished/box.nc --output finished cfg/box.cfg
    contains "$code $err" '66 edgewise: finished/box.nc has no values at nodes, only a raster' \
        "... from which no run resumes"
    run_edgewise run --quiet --no-output --restart whole/box.nc --set mesh.rectangle.cells=[3,3] cfg/box.cfg
    contains "$err" "belongs to another mesh: its mesh has 72 elements, the case's has 18" \
        "a frame of another mesh is refused, without numbers that its file does not have"
    run_edgewise run --quiet --output finished cfg/box.cfg
    is "$code $err" "0 " "without --restart, a run replaces the result"
}

# A run without restart files is killed: its frames are not lost to --restart auto.
test_killed_without_restart_file()
{
    mkdir gone
    # no frame is written while it is killed
    sed 's/restart = [^}]*};//; s/end = 0.05/end = 1e6/; s/^output = { /&series = { steps = 1; }; /' \
        box.cfg | sed 's/every = 0.02/at = [0.0, 0.02]/' >gone.cfg
    "$edgewise" run --quiet --output gone gone.cfg >.out 2>&1 &
    pid=$!
    wait_until eval '"$edgewise" plot --list gone/gone.nc.part 2>&1 | grep -q "t = 0.02"'
    run_edgewise run --quiet --output gone --restart auto gone.cfg
    is "$code $(echo $(ls gone))" "73 gone.nc.part gone.series.csv.part" \
        "the frames of a run that is not over stay in place" || diag "$err"
    kill -KILL $pid
    wait $pid 2>/dev/null
    cp gone/gone.nc.part .killed
    cp gone/gone.series.csv.part .lines
    run_edgewise run --quiet --output gone --restart auto --steps 2 gone.cfg
    contains "$code $err" "gone/gone.nc.part has the frames of a run that was killed: it becomes gone/gone.before.nc; \
to resume from its last frame instead, use --restart gone/gone.before.nc" "--restart auto keeps a killed run's frames"
    cmp -s .killed gone/gone.before.nc && cmp -s .lines gone/gone.series.before.csv
    ok $? "... as they were, and its time series"
    rm gone/gone.nc
    mv .killed gone/gone.nc.part
    run_edgewise run --quiet --output gone --restart auto --steps 2 gone.cfg
    ok "$(test -f gone/gone.before.2.nc; echo $?)" "... and another's under another name"
    run_edgewise run --no-output --restart gone/gone.before.nc --steps 1 gone.cfg
    step=$(echo "$err" | sed -n 's/.*is after step \([0-9]*\),.*/\1/p')
    run_edgewise run --quiet --output gone --restart gone/gone.before.nc --steps $((step + 1)) gone.cfg
    is "$code" 0 "... and a run resumes from them" || diag "$err"
    is "$(sed 's/,.*//' gone/gone.series.csv | head -n $((step + 2)) | tr '\n' ' ')" "step $(seq -s ' ' 0 "$step") " \
        "... with the lines of its time series" || diag "$err"
}

test_from_fields()
{
    for variables in '"rho","u","v","p","mach"' '"rho","rho_u","rho_v","E"'; do
        rm -rf fields && mkdir fields
        set="output.fields.variables=[$variables]"
        run_edgewise run --quiet --output fields --end 0.02 --set "$set" cfg/box.cfg
        run_edgewise run --json --output fields --restart fields/box.nc --set "$set" cfg/box.cfg
        is "$code $(value_of steps)" "0 $total" "a run resumes from the last frame of $variables"
        contains "$err" "t = 0.02, whose state is exact only to rounding errors" "... a warning says how exact it is"
        is "$(ls fields)" "box.nc" "... and its frames go on"
        nearly_same_end whole/box.nc fields/box.nc "... to the same result, but for rounding errors"
    done
    run_edgewise run --json --no-output --restart fields/box.nc --set order=3 --end 0.06 cfg/box.cfg
    contains "$code $err" "with other settings: order 3 (was 2)" "... at another order, too"
    run_edgewise run --quiet --restart fields/box.nc --set mesh.rectangle.cells=[7,6] box.cfg
    is "$code" 65 "fields on another mesh: EX_DATAERR"
    for set in subdivide=1 'precision="single"' 'variables=["rho","p"]'; do
        run_edgewise run --quiet --output fields --end 0.02 --set "output.fields.$set" cfg/box.cfg
        run_edgewise run --quiet --output fields --restart fields/box.nc cfg/box.cfg
        contains "$code $err" "78 edgewise: cannot resume from fields/box.nc: " "fields with $set: EX_CONFIG"
        contains "$err" "output.fields.${set%%=*}" "... and the key that writes what is missing"
    done
}

# A new run does not mistake an earlier run's restart files for its own.
test_earlier_run()
{
    mkdir earlier
    run_edgewise run --quiet --output earlier --steps 4 box.cfg
    cp earlier/box.restart-4.nc first.nc
    run_edgewise run --quiet --output earlier --steps 2 --set output.restart.steps=100 --set initial.u=0.7 box.cfg
    of_earlier="earlier/box.restart-4.nc is of an earlier run"
    is "$err" "edgewise: warning: $of_earlier: it becomes earlier/box.restart-4.before.nc" \
        "a run from the start puts an earlier run's restart files aside"
    is "$(restarts earlier)" "box.restart-2.nc box.restart-4.before.nc" "... and has its own"
    cmp -s first.nc earlier/box.restart-4.before.nc
    ok $? "... and nothing is lost"
    cp first.nc earlier/box.restart-4.nc
    cp first.nc earlier/box.restart-3.nc
    run_edgewise run --quiet --output earlier --steps 2 --set output.restart.steps=100 --set initial.u=0.7 box.cfg
    contains "$err" "warning: 3 restart files of an earlier run are renamed: earlier/box.restart-" \
        "... of several files"
    rm earlier/box.restart-[0-9].before.nc
    mv first.nc earlier/box.restart-4.before.nc
    rm earlier/box.restart-2.nc earlier/box.nc
    run_edgewise run --json --output earlier --restart auto box.cfg
    is "$(result)" "$whole" "what was put aside is not the newest restart file"
    run_edgewise run --json --no-output --restart earlier/box.restart-4.before.nc box.cfg
    is "$(result)" "$whole" "... but a run can resume from it by name"
    before=$(restarts earlier)
    run_edgewise run --quiet --no-output --output earlier box.cfg
    is "$(restarts earlier)" "$before" "a run without output moves nothing"
}

# Another process first opens the file that a run resumes from, because HDF5 crashes on some damaged files.
test_crash_of_hdf5()
{
    library=$top_builddir/.libs/libfaults.so
    if ! test -e "$library"; then
        skip "there is no $library" "a restart file on which HDF5 crashes"
        return
    fi
    mkdir crash
    "$edgewise" run --quiet --output crash --steps 4 box.cfg
    crashing="env EW_FAULT_HDF5=1 LD_PRELOAD=$library ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0"
    $crashing "$edgewise" run --quiet --output crash --restart crash/box.restart-4.nc box.cfg 2>err
    is $? 66 "a restart file on which HDF5 crashes"
    contains "$(cat err)" "box.restart-4.nc is damaged: HDF5 crashes on it" "... which a sentence says"
    EW_FAULT_FORK=1 $crashing "$edgewise" run --quiet --output crash --restart crash/box.restart-4.nc box.cfg 2>err
    is $? 66 "... found without fork, whose child may wait for ever for a lock of another thread"
    $crashing "$edgewise" run --json --output crash --restart auto box.cfg 2>err >out
    is $? 0 "--restart auto passes over it"
    contains "$(cat err)" "no restart file is intact" "... and says so"
}

# A folder that cannot be listed may have restart files of an earlier run.
test_unlisted_folder()
{
    mkdir unlisted
    "$edgewise" run --quiet --output unlisted --steps 4 box.cfg
    chmod 300 unlisted
    if ls unlisted >/dev/null 2>&1; then
        skip "this user may list every folder" "a folder that cannot be listed"
        return
    fi
    run_edgewise run --quiet --output unlisted box.cfg
    is "$code" 74 "a run beside restart files in a folder that cannot be listed"
    contains "$err" "cannot look for restart files in unlisted: Permission denied" "... says that it cannot"
    chmod 700 unlisted
    is "$(restarts unlisted)" "box.restart-4.nc" "... and changes nothing"
}

write_whole
test_plan
test_crash_of_hdf5
test_unlisted_folder
test_going_on
test_later_end
test_steady
test_wrong
test_finished
test_killed_without_restart_file
test_from_fields
test_earlier_run
test_killed
done_testing
