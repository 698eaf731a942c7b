#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The command line: usage errors, exit codes, help, the output of run, check and info, signals, full and closed outputs.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# Few steps of what is huge, and small pictures. shellcheck disable=SC2086 # several words, or none
few="--steps 1" soon="--no-estimate --steps 1" none="--no-estimate --steps 0" small="--width 300"
! long_checks || few="" soon="" none="" small=""

test_usage()
{
    run_edgewise
    is "$code" 64 "no command is a usage error"
    contains "$err" "check" "no command: the commands are listed"
    run_edgewise rum x.cfg
    is "$code" 64 "an unknown command is a usage error"
    contains "$err" 'did you mean "run"' "an unknown command: the nearest one is named"
    run_edgewise --versoin
    contains "$err" '"--version"' "an unknown option without a command: the nearest one is named"
    run_edgewise run --outptu x box.cfg
    is "$code" 64 "an unknown option is a usage error"
    contains "$err" "did you mean --output?" "an unknown option: the nearest one is named"
    run_edgewise run
    is "$code" 64 "run without a case is a usage error"
    run_edgewise run a.cfg b.cfg
    is "$code" 64 "two cases are a usage error"
    run_edgewise run box.cfg --order
    is "$code" 64 "an option without its value is a usage error"
    run_edgewise run --order two box.cfg
    contains "$err" 'not "two"' "the message asks for a whole number"
    run_edgewise run --set order box.cfg
    is "$code" 64 "--set without = is a usage error"
    run_edgewise run --json=yes box.cfg
    is "$code" 64 "a value for an option that takes none is a usage error"
    run_edgewise info box.cfg
    is "$code" 64 "info takes no operand"
}

test_help()
{
    run_edgewise --help
    is "$code" 0 "--help"
    contains "$out" "usage: edgewise" "--help goes to standard output"
    contains "$out" '"help cluster" and "help libedgewise"' "... and names the pages that are not a command's"
    run_edgewise submit
    is "$(echo "$err" | sed -n '1s/.*: //p')" "edgewise submit CASE.cfg..." "a sentence does not end in four dots"
    run_edgewise --version
    contains "$out" "edgewise " "--version"
    is "$("$edgewise" -v)$("$edgewise" -V)" "$out$out" "-v and -V are short for it"
    for command in run check plot export info; do
        run_edgewise $command --help
        is "$code $err" "0 " "$command --help"
        contains "$out" "--help " "$command --help lists the options"
    done
}

# A program in its own tree with its pages, and a man that prints its arguments.
test_help_command()
{
    mkdir -p tree/bin tree/man tools
    cp "$edgewise" tree/bin/edgewise
    cp "$srcdir"/man/edgewise-run.1 "$srcdir"/man/edgewise-case.5 "$srcdir"/man/edgewise.1 tree/man
    echo ignored | gzip -c >tree/man/edgewise-plot.1.gz
    printf '#!/bin/sh\necho "shows $*"\n' >tools/man && chmod +x tools/man
    help() # PATH-OF-MAN WORD...
    {
        path=$1
        shift
        out=$(PATH=$path tree/bin/edgewise help "$@" 2>err)
        code=$? err=$(cat err)
    }
    help "$tmp/tools" run
    is "$code $out" "0 shows $(cd tree && pwd -P)/bin/../man/edgewise-run.1" "help COMMAND shows the program's own page"
    help "$tmp/tools" plot
    contains "$out" "man/edgewise-plot.1.gz" "... also if it is compressed"
    help "$tmp/tools" case
    contains "$out" "man/edgewise-case.5" "help case shows that of cases"
    help "$tmp/tools" cases
    contains "$out" "man/edgewise-case.5" "... and so does help cases"
    help "$tmp/tools" edgewise
    contains "$out" "man/edgewise.1" "help edgewise shows that of the whole"
    help "$tmp/tools" check
    is "$code $out" "0 $("$edgewise" check --help)" "without a page it prints the usage"
    help "$tmp/nowhere" run
    is "$code $out" "0 $("$edgewise" run --help)" "... and without man(1)"
    help "$tmp/nowhere" case
    is "$code" 69 "help case needs man(1)"
    contains "$err" "edgewise-case(5) cannot be shown" "... and says so"
    help "$tmp/tools"
    is "$code $out" "0 $("$edgewise" --help)" "help alone lists the commands"
    help "$tmp/tools" rnu
    is "$code" 64 "help: a command that there is not is a usage error"
    contains "$err" 'there is no command "rnu"; did you mean "run"?' "... which names the nearest one"
    rm -r tree tools err
}

test_info()
{
    run_edgewise info
    is "$code" 0 "info"
    for word in compiler netCDF libconfig omp cuda euler llf rk4; do
        contains "$out" $word "info says something of $word"
    done
    case $out in *"none can be used"*"  cuda"*) # the line of what cannot be used says so
        is "$(echo "$out" | grep "^  cuda  " | grep -c "not \|no GPU")" 1 \
            "info: the line of a backend without a device says so" ;;
    esac
    if test -z "${out##*none can be used*}"; then
        contains "$out" "none can be used: " "... and why no GPU can be used"
    fi
    x86=
    case $(uname -m) in x86_64 | amd64) x86=avx512 ;; esac
    for name in $x86 native sm_20; do
        is "$(echo "$out" | grep -c "^  $name  ")" 1 "... and of $name, or that this build lacks it"
    done
    for options in "--parts 4" "--backend cuda" "--set order=2"; do
        # shellcheck disable=SC2086 # two words
        run_edgewise info $options
        contains "$code $err" "64 edgewise: ${options% *}" "info $options, without --step"
        contains "$err" "give --step CASE, too" "... says what is missing"
    done
    run_edgewise info --json
    is_json "info --json"
    contains "$out" '"version": ' "info --json has the version"
}

test_threads()
{
    run_edgewise info
    threads=$(echo "$out" | sed -n 's/^  threads *\([0-9]*\): .*/\1/p')
    ok "$(test "$threads" -ge 1; echo $?)" "info says how many threads there are"
    contains "$(OMP_NUM_THREADS=3 "$edgewise" info)" "3: OMP_NUM_THREADS" "... and why" ||
        contains "$out" "1: built without OpenMP" "no OpenMP"
    shared="$soon --set mesh.rectangle.cells=[40,40] box.cfg"
    computes=$("$edgewise" check $shared | grep '^  backend')
    for bind in true close spread; do
        is "$(OMP_PROC_BIND=$bind "$edgewise" info | grep '^  threads')" "$(echo "$out" | grep '^  threads')" \
            "OMP_PROC_BIND=$bind takes no core away"
        is "$(OMP_PROC_BIND=$bind "$edgewise" check $shared | grep '^  backend')" \
            "$computes" "... and none from a command that computes"
        long_checks || continue
        contains "$(OMP_PROC_BIND=$bind "$edgewise" bench --elements 8 --order 1 --seconds 0.01 --json)" \
            "\"device\": \"$threads thread" "... and none from one that measures"
    done
    OMP_DISPLAY_ENV=true "$edgewise" check box.cfg >.shown 2>&1
    is "$(grep -c "DISPLAY ENVIRONMENT BEGIN" .shown)" \
        "$(echo "$out" | grep -c "OpenMP: yes")" "the command does not execute itself again"
}

test_errors()
{
    for _ in 1 2 3 4 5 6 7 8 9; do echo '@include "bomb.cfg"'; done >bomb.cfg
    timeout 30 "$edgewise" check bomb.cfg 2>err
    is $? 78 "a case that includes itself nine times ends, as an error"
    contains "$(cat err)" "one of them includes itself" "... which a sentence names"
    awk 'BEGIN { print "key = ("; for (k = 0; k < 50000; k++) print "99999999999,"; print "1);" }' >many.cfg
    timeout 30 "$edgewise" check many.cfg 2>err
    is $? 78 "a case with 50,000 errors"
    contains "$(cat err)" "49000 more errors are not shown" "... only the first thousand are shown"
    run_edgewise run --json --order 0 --end -1 box.cfg
    contains "$out" "(and 1 more error)" "run --json has the first error, and says that there are others"
    rm -f bomb.cfg many.cfg err
    run_edgewise run missing.cfg
    is "$code" 66 "a missing case: EX_NOINPUT"
    contains "$err" missing.cfg "a missing case is named"
    run_edgewise check box
    is "$code $err" "66 edgewise: cannot read the case box: No such file or directory; there is box.cfg" \
        "a case without its ending, too"
    run_edgewise run --json missing.cfg
    is_json "run --json, no case"
    is "$(value_of stop)" failed "run --json, no case: stop"
    contains "$out" '"error": "' "run --json, no case: the error is there"

    sed 's/order = 2/oder = 2/; s/llf/lfl/; s/kind = "state"; state = "exact"; };$/kind = "stat"; };/' \
        box.cfg >wrong.cfg
    run_edgewise check wrong.cfg
    is "$code" 78 "a wrong case: EX_CONFIG"
    contains "$err" "wrong.cfg:4:" "errors have file and line"
    contains "$err" oder "check reports an unknown key ..."
    contains "$err" stat "... and a wrong boundary at once"
    is "$out" "" "check prints errors on standard error only"
    run_edgewise check --set spool.priority=100 box.cfg
    contains "$code $err" "78 --set spool.priority=100: spool.priority is 100; it must be from -99 to 99" \
        "check sees the service's keys"
    awk 'BEGIN { printf "x = "; for (k = 0; k < 20000; k++) printf "("; print ";" }' >deep.cfg
    run_edgewise check deep.cfg
    contains "$code $err" "78 deep.cfg:1: lists and groups are nested too deeply" \
        "a case that is nested too deeply: the reason"
    sed 's/^mesh.*/mesh = "box.msh";/' box.cfg >meshed.cfg
    echo "// of Gmsh" >box.geo
    run_edgewise check meshed.cfg
    contains "$err" "No such file or directory; Gmsh makes it: gmsh -2 box.geo -o box.msh" \
        "a mesh that is not made yet: how to make it"
    rm deep.cfg meshed.cfg box.geo
    printf 'CDF\005' >fields.nc
    run_edgewise compare fields.nc
    is "$code" 78 "a file of fields is no case: EX_CONFIG"
    contains "$err" "fields.nc: this is a netCDF file, not a case" "... and the message says so"
    for mesh in box.msh box.su2 box.geo; do
        printf '$MeshFormat\n' >$mesh
        run_edgewise run $mesh
        contains "$code $err" "78 $mesh: this is a" "$mesh is no case: EX_CONFIG"
        contains "$err" ", not a case; " "... and the message says so"
        rm $mesh
    done
    rm fields.nc
    run_edgewise check --json wrong.cfg
    is_json "check --json, wrong case"
    is "$(value_of ok)" false "check --json, wrong case: not ok"
    run_edgewise run wrong.cfg
    is "$code" 78 "run of a wrong case: EX_CONFIG"
    ok "$(test ! -e wrong.nc; echo $?)" "run of a wrong case writes nothing"
    run_edgewise run --order 9 box.cfg
    is "$code" 78 "an order out of range: EX_CONFIG"
    is "$err" "--order 9: order is 9; it must be from 1 to 5" "an order out of range: the option as it was written"
    run_edgewise run --order 2.5 box.cfg
    contains "$code $err" '64 edgewise: --order needs a whole number from 1 to 5, not "2.5"' \
        "an order that is not whole: the range"
    run_edgewise run --end 10000000000L --order 9 box.cfg
    is "$code" 78 "an L behind a long integer is understood"
    run_edgewise check --json --set time.end=10000000000 --set time.steps=5000000000 box.cfg
    is "$code $(value_of end)" "0 10000000000" "a long integer needs none"
    run_edgewise run --backend omp --set backend.device=2 box.cfg
    contains "$code $err" "78 edgewise: GPU number 2 is asked for, and the backend omp has none" "a GPU of the CPU"
    run_edgewise run --backend omp --device 99 box.cfg
    contains "$code $err" "64 edgewise: --backend omp is the CPU, and --device is for GPUs" "a GPU for the CPU"
    run_edgewise run --device 99999999999 box.cfg
    contains "$code $err" "69 edgewise: --device: there is no GPU 99999999999 here that edgewise can use" "no such GPU"
    if ! "$edgewise" info | grep -q "none can be used"; then
        skip "there is a GPU" "... and where to learn why there is none"
    else
        contains "$err" "see by --backend cuda why" "... and where to learn why there is none"
    fi
    run_edgewise run --threads 1025 box.cfg
    contains "$code $err" "78 --threads 1025: backend.threads is 1025; it must be from 0 to 1024" "too many threads"
    run_edgewise run --steps 99999999999999999999 box.cfg
    contains "$code $err" "64 edgewise: --steps needs a whole number of at most 18 digits, not" \
        "too many steps to be written"
    run_edgewise run --steps -1 box.cfg
    contains "$code $err" '64 edgewise: --steps needs a whole number of at least 0, not "-1"' "fewer steps than none"
    run_edgewise run --no-output --set "initial.p=\"x < 0.5 ? 1e250 : 1\"" box.cfg
    contains "$code $err" "choose units in which they are nearer to 1" "numbers that overflow at once: the advice"
    run_edgewise run --no-output --set "initial.p=1/0" box.cfg
    contains "$code $err" "78 --set initial.p=1/0: the initial state is not admissible" "a pressure that is not finite"
    run_edgewise run --no-output --set initial.u=1e9 box.cfg
    contains "$code $err" "p is lost in the rounding of the conserved variables, which give" \
        "a pressure that is lost by rounding: the reason"
    bore='kind = "state"; h = 1; u = "t >= 0.05 ? 1e18 : 0"; v = 0;'
    sed -e 's/^law.*/law = "shallow-water";/' -e '/^exact/d' -e 's/"rk4"/"rk2"/' \
        -e 's/^initial.*/initial = { h = 1; u = 0; v = 0; };/' -e "s/left   = .*/left = { $bore };/" \
        -e 's/kind = "state"; state = "exact"/kind = "wall"/' box.cfg >lost.cfg
    run_edgewise run --set output.fields.every=0.05 --end 0.1 lost.cfg
    contains "$code $err" "70 edgewise: after step " "a step that is too short to change the time"
    contains "$err" "waves are so fast that the next time step is too short to change t = 0.05" "... and why"
    contains "$err" "the last one before the step that failed, is in lost.failed.nc" "... the frames before are kept"
    contains "$err" "a smaller cfl or a finer mesh from the start, or a lower order" "... and what to do"
    rm -f lost.*
    run_edgewise run --no-output --order 1 --set 'flux="roe"' --set positivity=true \
        --set 'initial={rho=1;u="x<0.5?-20:20";v=0;p=0.4;}' box.cfg
    contains "$code $err" ", that is p = -" "a flux that makes a pressure negative: which is told"
    contains "$code $err" "the flux llf, " "... and what to try"
    run_edgewise run --no-output --end 0.1 --set 'boundary.left={kind="state";rho=1;u=0;v=0;p="1-100*t";}' box.cfg
    contains "$code $err" '70 edgewise: boundary "left": the given state is not admissible at all ' \
        "a boundary's state that becomes inadmissible: the boundary is named"
    run_edgewise run --level foo box.cfg
    contains "$err" '--level foo: backend.level cannot be "foo"; the choices are' \
        "a level that is not there: the others are named"
    run_edgewise run ''
    is "$code" 64 "an empty name is a usage error"
    contains "$err" "an empty name was given" "an empty name: the message says so"
    sed 's/^mesh = .*/mesh = { rectangle = { corners = [0.0, 0.0, 1.0, 1.0]; cells = [20000, 13000]; }; };/' \
        box.cfg >huge.cfg
    if (ulimit -v 2000000 && exec "$edgewise" check box.cfg) >.out 2>&1; then
        (ulimit -v 2000000 && exec "$edgewise" run --no-output --overcommit huge.cfg) >.out 2>.err
        is $? 71 "a mesh that is too large: EX_OSERR"
        contains "$(cat .err)" "huge.cfg:2: not enough memory for a rectangle of 20000 by 13000 cells" \
            "a mesh that is too large: the message, with its line"
    else
        skip "even a small case needs more than 2 GB of addresses here" "a mesh that is too large"
    fi
    rm huge.cfg
    run_edgewise run --set time.ned=1 box.cfg
    is "$code" 78 "--set of an unknown key: EX_CONFIG"

    printf '\044%s\n' MeshFormat >bad.msh # is not a whole mesh
    sed 's/^mesh = .*/mesh = "bad.msh";/' box.cfg >mesh.cfg
    run_edgewise run mesh.cfg
    is "$code" 65 "a wrong mesh: EX_DATAERR"

    run_edgewise run --output nowhere box.cfg
    is "$code" 73 "a missing folder for the output: EX_CANTCREAT"
    contains "$err" nowhere "a missing folder for the output: it is named"
    run_edgewise run --json --output nowhere box.cfg
    contains "$out" '"error": "cannot write to the folder' "run --json, no folder: the error is there"
    for name in box.nc box.nc.part; do
        mkdir $name
        run_edgewise run box.cfg
        is "$code" 73 "a folder in the way of the output, $name: EX_CANTCREAT"
        rmdir $name
    done
    ln -s elsewhere box.nc.part
    run_edgewise run box.cfg
    is "$code" 73 "a symbolic link at the path of the output: EX_CANTCREAT"
    rm box.nc.part
    long=$(printf %0248d 0)
    cp box.cfg "$long.cfg"
    run_edgewise run "$long.cfg"
    is "$code" 73 "a name that is too long for the output: EX_CANTCREAT"
    contains "$err" "the name is too long" "a name that is too long for the output: the message says so"
    rm "$long.cfg"
    if test -d /proc/self; then
        run_edgewise run --output /proc box.cfg
        is "$code" 73 "a folder in which no file can be made: EX_CANTCREAT"
    else
        skip "there is no /proc" "a folder in which no file can be made: EX_CANTCREAT"
    fi
    if test "$(id -u)" -eq 0; then
        skip "root may write anywhere" "a folder that must not be written: EX_CANTCREAT"
    else
        mkdir closed
        chmod a-w closed
        run_edgewise run --output closed box.cfg
        is "$code" 73 "a folder that must not be written: EX_CANTCREAT"
        chmod u+w closed
    fi
    if "$edgewise" info | grep -q 'cuda.*not in this build'; then
        run_edgewise run --backend cuda box.cfg
        is "$code" 69 "a backend that is not there: EX_UNAVAILABLE"
    else
        skip "cuda is in this build" "a backend that is not there: EX_UNAVAILABLE"
    fi
}

test_check()
{
    run_edgewise check box.cfg
    is "$code" 0 "check of a good case"
    run_edgewise check --order 3 --steps 7 --end 10 box.cfg
    contains "$out" "euler, order 3" "check --order"
    contains "$out" "to 10; the first step" "check --end"
    contains "$out" "there are 7 steps" "check --steps"
    run_edgewise check --set output.fields.every=1e-9 --set time.end=0.5 box.cfg
    contains "$out" "about 500000000 steps from frame to frame" "check counts steps of very frequent frames"
    contains "$out" "about 500000001 frames" "... and these"
    run_edgewise check box.cfg
    for part in "32 elements" "bottom: state, 4 edges" "euler, order 2" "steps" "bytes" "4 frames"; do
        contains "$out" "$part" "check says \"$part\""
    done
    steps=$("$edgewise" run --no-output --json box.cfg | sed -n 's/.*"steps": \([0-9]*\).*/\1/p')
    contains "$out" "and there are $steps" "check says how many steps a short run has"
    run_edgewise check --backend omp box.cfg
    contains "$out" "backend    omp" "check --backend says where"
    run_edgewise check --backend ompp box.cfg
    contains "$err" "--backend ompp" "check --backend: an unknown backend is named as it was written"
    run_edgewise check --set time.end=3 box.cfg
    contains "$out" ", step 21 is" "check says how long a later step is"
    run_edgewise check --json box.cfg
    is "$(value_of steps_estimate | sed 's/[.].*//')" "$steps" "check knows the number of steps of a steady wave"
    run_edgewise check --json box.cfg
    test "$(value_of step_s)" != null && test "$(value_of wall_s_estimate)" != null
    ok $? "check --json estimates the wall time"
    run_edgewise check box.cfg
    contains "$out" "  wall       about " "check estimates the wall time"
    run_edgewise check --no-estimate --json box.cfg
    is "$(value_of step_s) $(value_of wall_s_estimate)" "null null" "check --no-estimate does not"
    run_edgewise check --no-estimate box.cfg
    is "$(echo "$out" | grep -c "  wall ")" 0 "nor says that it does"
    again=$("$edgewise" check --no-estimate box.cfg | sed 's/; [^;]* available//')
    is "$(echo "$out" | sed 's/; [^;]* available//')" "$again" "and has the same output twice, but for free memory"
    run_edgewise check --set time.steady=1e-30 box.cfg
    contains "$out" "  wall       at most " "check of a steady run says that it may take less"
    run_edgewise check --restart auto box.cfg
    is "$code" 64 "check has no --restart"
    run_edgewise check --set time.cfl=1e-300 box.cfg
    contains "$out" "e+300 steps of" "check does not print hundreds of digits"
    run_edgewise check --overcommit $soon --set 'mesh.rectangle.cells=[100000, 1000]' --json box.cfg
    is "$code $(value_of elements) $(value_of nodes)" "0 200000000 100101001" \
        "check of a huge rectangle does not make it"
    is "$(value_of mesh_bytes)" 11002626374 "check of a huge rectangle: its memory"
    contains "$out" '"name": "bottom", "kind": "state", "edges": null' \
        "check of a huge rectangle: edges are not counted"
    run_edgewise check --overcommit $soon --set 'mesh.rectangle.cells=[100000, 1000]' box.cfg
    contains "$out" "on a coarser mesh of" "check of a huge rectangle says what was checked"
    run_edgewise check --set 'mesh.rectangle.cells=[100000, 1000]' --set initial.p=-1 box.cfg
    is "$code" 78 "check of a huge rectangle finds a state that is not admissible"
    sed 's/^law.*/law = "shallow-water";/; s/^initial.*/initial = { h = 0; u = 0; v = 0; };/
        s/kind = .*/kind = "wall"; };/; /^exact/d' box.cfg >dry.cfg
    run_edgewise check dry.cfg
    contains "$err" "for a dry bed use a small depth, for example 1e-6, and set positivity" "check of a dry bed: advice"
    rm dry.cfg
    write_blast blast.cfg
    run_edgewise check --json blast.cfg
    is "$code $(value_of ok)" "70 false" "check of a state that becomes inadmissible in its first steps: EX_SOFTWARE"
    contains "$out" "became inadmissible in step" "check of a state that becomes inadmissible says so"
    rm blast.cfg
    sed 's/^time.*/time = { end = 1; };/; s/^initial.*/initial = { rho = "f"; u = 0; v = 0; p = "f"; };/
        s/kind = .*/kind = "wall"; };/; /^exact/d; s/cells = [^;]*/cells = [8, 8]/' box.cfg >jump.cfg
    echo 'let = { f = "x < 0.52 ? 1 : 0.1"; };' >>jump.cfg
    run_edgewise run --no-output --order 4 --set flux=roe jump.cfg
    rm jump.cfg
    contains "$err" "nan (nan comes from points in triangles where rho or p is negative, or from " \
        "a mean that is not a number is explained"
    sed '/^initial/,$d' box.cfg >rest.cfg
    echo 'initial = { rho = "1"; u = "0"; v = "2"; p = "1"; };' >>rest.cfg
    for side in bottom right top left; do echo "boundary.$side"; done |
        sed 's/boundary.\(.*\)/\1 = { kind = "copy"; };/' |
        { echo 'boundary = {'; cat; echo '};'; } >>rest.cfg
    run_edgewise check --json rest.cfg
    is "$code $(echo "$err" | grep -c warning)" "0 3" "check warns once for each copy through which waves enter"
    contains "$err" 'warning: boundary "bottom": waves enter along 100 % of it in the initial state' \
        "... at inflow"
    is "$(echo "$err" | grep -c '"top"')" 0 "... and not at supersonic outflow"
    contains "$out" '"warnings": ["boundary \"bottom\": waves enter along 100 %' "check --json has the warnings"
    warned=$err
    run_edgewise check --set initial.v=1 rest.cfg
    contains "$err" 'boundary "top": waves enter along 100 % of it' "... but at subsonic outflow"
    far='boundary.top={kind="far";state="initial";angle=45;}'
    run_edgewise check --set "$far" rest.cfg
    contains "$out" "top: far, 4 edges, for waves at 45 degrees" "check prints the angle of a far field"
    run_edgewise check --json --set "$far" rest.cfg
    contains "$out" '"angle": 45' "... and has it in JSON"
    run_edgewise run --quiet --no-output --steps 1 rest.cfg
    is "$code $err" "0 $warned" "run gives the same warnings"
    forces='output.forces=({boundaries=["top"]; name="lid"; density=1; speed=2; pressure=1;})'
    run_edgewise check --set order=1 --set limiter=barth-jespersen --set "$forces" rest.cfg
    is "$code $err" "0 " "reference values of the free stream"
    forces='output.forces=({boundaries=["top"]; name="lid"; density=1; speed=340; pressure=101325;})'
    run_edgewise check --set order=1 --set limiter=barth-jespersen --set "$forces" rest.cfg
    contains "$err" '"lid" refers its coefficients to speed = 340, but the initial state has at most 2' \
        "... in other units: a warning"
    contains "$err" 'pressure = 101325, but the initial state has at most 1' "... each of them"
    warned=$err
    run_edgewise run --quiet --no-output --steps 1 --set order=1 --set limiter=barth-jespersen --set "$forces" rest.cfg
    is "$code $err" "0 $warned" "... by run, too"
    run_edgewise check --set order=1 --set limiter=barth-jespersen rest.cfg
    is "$code $err" "0 " "a limiter takes off what grows there"
    run_edgewise check --set order=2 --set limiter=oscillation-free rest.cfg
    is "$code $(echo "$err" | grep -c warning)" "0 3" "... but not at order 2"
    run_edgewise check box.cfg
    is "$code $err" "0 " "boundaries with states need no warning"
    rm rest.cfg
    run_edgewise check --set order=3 --json box.cfg
    is_json "check --json"
    is "$(value_of order)" 3 "check --set"
    ok "$(test "$(value_of file_mesh_bytes)" -ge $((32 * 10 * 16)); echo $?)" "check --json has the mesh in the file"
    is "$(ls)" "$(printf '%s\n' bad.msh box.cfg mesh.cfg wrong.cfg)" "check writes nothing" || true
}

# The largest possible mesh, of order 5: 2 TB, which a process with that much memory would take minutes to touch.
test_too_little_memory()
{
    huge="mesh.rectangle.cells=[20000, 13000]"
    run_edgewise check --json --order 5 $none --set "$huge" box.cfg
    if test "$(value_of available_bytes)" -ge "$(value_of solver_bytes)"; then
        skip "there is that much memory" "too little memory"
        return
    fi
    is "$code $(value_of ok)" "71 false" "check of a case too large for memory: EX_OSERR, and not ok"
    contains "$out" "not enough memory: mesh 26." \
        "check of a case too large for memory: the sentence is among the errors"
    run_edgewise check --order 5 $none --set "$huge" box.cfg
    contains "$code $out" "too much: only" "check of a case too large for memory still prints the rest"
    is "$(echo "$out" | grep -c "^  next")" 0 "check of a case too large for memory does not advise to run it"
    run_edgewise check --overcommit --order 5 $none --set "$huge" box.cfg
    is "$code" 0 "check --overcommit: that is no error"
    begun=$(date +%s)
    run_edgewise run --order 5 --set "$huge" box.cfg
    is "$code" 71 "run of a case too large for memory: EX_OSERR"
    contains "$err" "not enough memory: mesh 26." "run of a case too large for memory: a sentence"
    contains "$err" "run --overcommit" "run of a case too large for memory: the way round"
    ok "$(test $(($(date +%s) - begun)) -lt 20; echo $?)" "run of a case too large for memory: at once"
    is "$(ls)" "$(printf '%s\n' bad.msh box.cfg mesh.cfg wrong.cfg)" "run of a case too large for memory leaves nothing"
}

test_run()
{
    run_edgewise run box.cfg
    is "$code" 0 "run"
    is "$err" "" "a short run has no progress lines"
    for part in "a density wave" "32 elements" "the final time is reached" "L2 error" "box.nc, 4 frames"; do
        contains "$out" "$part" "the summary says \"$part\""
    done
    ok "$(test -f box.nc && test ! -e box.nc.part; echo $?)" "box.nc is there, and nothing half-written"

    mkdir results
    run_edgewise run --output results --json box.cfg
    is_json "run --json"
    is "$err" "" "run --json prints nothing else"
    for key in case backend device law order elements edges time steps stop dt_last setup_s wall_s \
        gdof_stage_per_s error_l2 \
        error_linf total min max residual state_hash resumed_from outputs error kernels; do
        contains "$out" "\"$key\": " "run --json has $key"
    done
    is "$(value_of stop)" end "run --json: stop"
    is "$(value_of elements)" 32 "run --json: elements"
    contains "$out" '"outputs": ["results/box.nc"]' "run --json: outputs"
    ok "$(test -f results/box.nc; echo $?)" "--output"
    hash=$(value_of state_hash)
    is "$(printf %s "$hash" | tr -d 0-9a-f | wc -c | tr -d ' ')${#hash}" 016 "run --json: state_hash"

    rm box.nc
    run_edgewise run --no-output --json box.cfg
    is "$(value_of state_hash)" "$hash" "--no-output: the same state"
    ok "$(test ! -e box.nc; echo $?)" "--no-output writes nothing"
    run_edgewise run --threads 1 --no-output --json box.cfg
    is "$(value_of state_hash)" "$hash" "--threads: the same state"
    run_edgewise run --quiet --steps 3 box.cfg
    is "$code $out$err" "0 " "--quiet"
    run_edgewise run --steps 3 --json box.cfg
    is "$(value_of stop) $(value_of steps)" "steps 3" "--steps"
    run_edgewise run --end 0.01 --order 1 --json box.cfg
    is "$(value_of time) $(value_of order)" "0.01 1" "--end and --order"
    contains "$out" '"time": 0.01' "--end: the time is reached exactly"
}

# Gas at rest next to a near vacuum: the pressure becomes negative within a few steps.
write_blast() # FILE
{
    sed 's/^initial.*/initial = { rho = "x < 0.5 ? 1 : 1e-6"; u = "x < 0.5 ? -50 : 50"; v = "0"; \
        p = "x < 0.5 ? 1 : 1e-9"; };/
         s/^exact.*//; s/kind = "state"; state = "exact"/kind = "copy"/' box.cfg >"$1"
}

test_failure()
{
    write_blast blast.cfg
    run_edgewise run --json blast.cfg
    is "$code" 70 "a state that becomes inadmissible: EX_SOFTWARE"
    is_json "run --json, inadmissible state"
    is "$(value_of stop)" failed "run --json, inadmissible state: stop"
    ok "$(test -f blast.failed.nc && test ! -e blast.nc.part; echo $?)" "the frames before are kept"
    ok "$(test ! -e blast.nc; echo $?)" "a failed run has not the name of a complete one"
    contains "$out" '"outputs": ["blast.failed.nc"]' "run --json, inadmissible state: the output is named"
    contains "$err" 'is in blast.failed.nc' "the message names their file"
    echo "an earlier result" >blast.nc
    run_edgewise run --quiet blast.cfg
    contains "$err" 'is in blast.failed.nc; an earlier result is still in blast.nc' \
        "the message names an earlier result"
    is "$(cat blast.nc)" "an earlier result" "a failed run leaves an earlier result as it was"
}

# Gas at rest between boundaries of kind "copy", which positivity keeps alive.
test_growth()
{
    cat >rest.cfg <<END
mesh = { rectangle = { corners = [0.0, 0.0, 1.0, 1.0]; cells = [4, 4]; jitter = 0.2; }; };
order = 4;
limiter = "oscillation-free";
positivity = true;
let = { pulse = "1 + 0.3*exp(-50*((x - 0.5)^2 + (y - 0.5)^2))"; };
time = { scheme = "ssprk33"; cfl = 0.4; end = 4; };
initial = { rho = "pulse"; u = 0; v = 0; p = "pulse"; };
boundary = { left = { kind = "copy"; }; right = { kind = "copy"; }; bottom = { kind = "copy"; };
    top = { kind = "copy"; }; };
END
    run_edgewise run --quiet --no-output --steps 600 rest.cfg
    is "$code" 0 "a run whose density grows beyond belief goes on"
    contains "$err" "warning: at t = " "... with a warning of when"
    contains "$err" "the mean of rho is" "... of what"
    contains "$err" 'try kind "far" for the boundary "' "... and of what may help"
    run_edgewise run --quiet --steps 600 --set output.fields.every=0.1 rest.cfg
    is "$code $(printf '%s\n' "$err" | grep -c "warning: at t")" "0 1" "frames in which it has grown: one warning"
    run_edgewise run --quiet --no-output --steps 100 rest.cfg
    is "$code $(printf '%s\n' "$err" | grep -c "warning: at t")" "0 0" "before it has grown so far, there is none"
}

# The last frame is the state before the failed step, to the last bit, in whichever stage the state breaks.
test_last_admissible()
{
    write_blast last.cfg
    for scheme in rk2 rk43 rk4 ssprk32 ssprk54; do
        run_edgewise run --json --set time.scheme=$scheme --set time.cfl=0.05 last.cfg
        broken=$(value_of steps)
        contains "$err" ', the last one before the step that failed, is in last.failed.nc' \
            "$scheme: the message names the additional frame"
        contains "$err" "in step $((broken + 1)), " "$scheme: ... and the step"
        run_edgewise run --quiet --set time.scheme=$scheme --set time.cfl=0.05 --steps "$broken" last.cfg
        if command -v ncdump >/dev/null; then
            is "$(ncdump -v step last.failed.nc | tr -d ' ;' | sed -n 's/.*[=,]\([0-9]*\)$/\1/p' | tail -1)" "$broken" \
                "$scheme: its step"
        else
            skip "there is no ncdump" "$scheme: its step"
        fi
        is "$(ncdump -h last.failed.nc | grep ':state_hash = ')" "$(ncdump -h last.nc | grep ':state_hash = ')" \
            "$scheme: ... and its bits"
        rm -f last.nc last.failed.nc
    done
}

# A run that would take hours; the signal comes after some steps. An alarm makes timeout do at once what it otherwise
# does at the end: it sends its signal twice, to the process and to the group, which must not count as two signals.
signalled() # SIGNAL [OPTIONS OF timeout]
{
    rm -f .pid long.interrupted.nc long.restart-*
    echo "an earlier result" >long.nc
    (wait_until eval 'test -n "$(find . -name "long.restart-*.nc")"' && kill -ALRM "$(cat .pid)") &
    sh -c 'echo $$ >.pid; exec timeout -s "$@"' sh "$@" 60 "$edgewise" run --end 1e6 \
        --set output.restart.steps=1000000 \
        --set output.restart.every=0.01 --json long.cfg >.out 2>.err
    code=$?
    wait $!
    out=$(cat .out)
}

test_signals()
{
    write_box long.cfg
    sed 's/^output.*//' long.cfg >long2.cfg && mv long2.cfg long.cfg
    if ! timeout --version 2>/dev/null | grep -q coreutils; then
        skip "there is no timeout of GNU's coreutils" "signals"
        return
    fi
    for signal in INT TERM; do
        signalled $signal
        is "$code" 124 "SIG$signal ends a run in time"
        is_json "SIG$signal"
        is "$(value_of stop)" interrupted "SIG$signal: stop"
        ok "$(test -f long.interrupted.nc && test ! -e long.nc.part; echo $?)" "SIG$signal: the output is completed"
        is "$(cat long.nc)" "an earlier result" "SIG$signal: an earlier result is left as it was"
        if ncdump -h long.interrupted.nc >.cdl 2>/dev/null; then
            contains "$(cat .cdl)" 'status = "interrupted"' "SIG$signal: the output says so"
            contains "$(cat .cdl)" '(2 currently)' "SIG$signal: there is a frame of that state"
        else
            skip "there is no ncdump" "SIG$signal: the output says so"
        fi
    done
    signalled TERM --preserve-status
    is "$code" 143 "SIGTERM: the exit status is that of a signal"
}

# Starts a run as process 1, whose output goes to descriptor 5, and ends it by the first signal.
begin_process_1()
{
    rm -f long.interrupted.nc
    unshare -p -f "$edgewise" run --json --end 1e6 long.cfg >&5 2>.err &
    run=$!
    wait_until test -s long.nc.part
    kill -TERM "$(pgrep -P $run)"
    wait_until test -f long.interrupted.nc
}

# The kernel drops a signal that process 1 of a container sends to itself. The second run waits for a second signal
# while it writes its summary to a full pipe; it would not see SIGHUP if the tests run under nohup.
test_process_1()
{
    if ! unshare -p -f true 2>/dev/null; then
        skip "unshare(1) is refused" "a run that is process 1" "a second signal to process 1" \
            "a command that catches no signals is process 1"
        return
    fi
    begin_process_1 5>/dev/null
    wait $run
    is $? 143 "a run that is process 1 of a container ends by a signal: the exit status says so"
    mkfifo full && exec 5<>full && head -c 65536 /dev/zero >&5
    begin_process_1
    sleep 0.6
    kill -TERM "$(pgrep -P $run)"
    wait_until eval '! pgrep -P '$run' >/dev/null' || kill -KILL "$(pgrep -P $run)"
    wait $run
    is $? 143 "... by a second signal"
    exec 5<&-
    unshare -p -f "$edgewise" bench >/dev/null 2>&1 &
    run=$!
    wait_until eval 'pgrep -P '$run' >/dev/null'
    sleep 0.3
    kill -TERM "$(pgrep -P $run)"
    wait_until eval '! pgrep -P '$run' >/dev/null' || kill -KILL "$(pgrep -P $run)"
    wait $run
    is $? 143 "... and so does a command that catches no signals"
}

test_outputs()
{
    if test -c /dev/full; then
        for arguments in "--help" "info" "info --json" "run --no-output box.cfg" \
            "run --no-output --json box.cfg" "check box.cfg"; do
            # shellcheck disable=SC2086 # they are several words
            "$edgewise" $arguments >/dev/full 2>.err
            is "$? $(grep -c 'standard output' .err)" "74 1" "a full standard output is reported: $arguments"
        done
    else
        skip "there is no /dev/full" "a full standard output is reported"
    fi
    "$edgewise" run --json box.cfg >&- 2>.err
    is $? 74 "a closed standard output is reported"
    if ncdump -h box.nc >.cdl 2>/dev/null; then
        contains "$(cat .cdl)" 'status = "complete"' "a closed standard output does no harm to the fields"
    else
        skip "there is no ncdump" "a closed standard output does no harm to the fields"
    fi
    "$edgewise" run --no-output --json box.cfg 2>&- >.out
    is $? 0 "a closed standard error does no harm"
}

# A square of n x n cells, rotated by an angle in radians, as a Gmsh file; or its sides, for --line.
oblique_square()
{
    awk -v n="$1" -v turned="$2" -v sides="$3" \
        'function x(i, j) { return sprintf("%.17g", cos(turned) * i / n - sin(turned) * j / n) }
        function y(i, j) { return sprintf("%.17g", sin(turned) * i / n + cos(turned) * j / n) }
        function node(i, j) { return j * (n + 1) + i + 1 }
        function edge(a, b) { print ++number, 1, 2, 1, 1, a, b }
        function triangle(a, b, c) { print ++number, 2, 2, 2, 1, a, b, c }
        function side(i, j, k, l) { print x(i, j) "," y(i, j) "," x(k, l) "," y(k, l) }
        BEGIN {
            if (sides) {
                side(0, 0, n, 0); side(n, 0, n, n); side(n, n, 0, n); side(0, n, 0, 0)
                exit
            }
            print "$MeshFormat\n2.2 0 8\n$EndMeshFormat"
            print "$PhysicalNames\n2\n1 1 \"wall\"\n2 2 \"gas\"\n$EndPhysicalNames\n$Nodes\n" (n + 1) ^ 2
            for (j = 0; j <= n; j++)
                for (i = 0; i <= n; i++)
                    print node(i, j), x(i, j), y(i, j), 0
            print "$EndNodes\n$Elements\n" 4 * n + 2 * n * n
            for (i = 0; i < n; i++) {
                edge(node(i, 0), node(i + 1, 0)); edge(node(i, n), node(i + 1, n))
                edge(node(0, i), node(0, i + 1)); edge(node(n, i), node(n, i + 1))
            }
            for (j = 0; j < n; j++)
                for (i = 0; i < n; i++) {
                    triangle(node(i, j), node(i + 1, j), node(i + 1, j + 1))
                    triangle(node(i, j), node(i + 1, j + 1), node(i, j + 1))
                }
            print "$EndElements"
        }'
}

test_plot()
{
    run_edgewise run --quiet box.cfg
    run_edgewise plot box.nc --list
    is "$code" 0 "plot --list"
    contains "$out" "total energy density" "plot --list has the fields"
    contains "$out" "t = 0" "plot --list has the frames"
    run_edgewise plot box.nc --line 0,0.3,1,0.3 -o line.csv
    is "$code $(head -n 1 line.csv)" "0 distance,x,y,element,rho" "plot --line writes a table"
    cp box.cfg nodes.cfg
    run_edgewise run --quiet --end 0 --order 1 --set mesh.rectangle.cells=[7,6] \
        --set mesh.rectangle.corners=[0.1,0.3,1.4,1.7] nodes.cfg
    run_edgewise plot nodes.nc --quiet --line 0.65714285714285714,0.2,0.65714285714285714,1.8 -o line.csv
    is "$(($(wc -l <line.csv)))" 13 "plot --line along edges: two rows for each, none of rounding length"
    run_edgewise plot nodes.nc --quiet --line 0.1,0.4,1.4,0.4 --points 5000 -o line.csv
    is "$(($(wc -l <line.csv)))" 5027 "plot --points: that many besides those on edges, also at order 1"
    oblique_square 7 0.3 >oblique.msh
    echo 'mesh = "oblique.msh"; law = "euler"; order = 1; time = { end = 0; };
        initial = { rho = 1; u = 0; v = 0; p = 1; };
boundary = { wall = { kind = "copy"; }; }; output = { fields = { every = 1; }; };' >oblique.cfg
    run_edgewise run --quiet oblique.cfg
    sides=$(oblique_square 7 0.3 sides)
    for side in $sides; do
        run_edgewise plot oblique.nc --quiet --field rho --line="$side" -o line.csv
        is "$(awk -F, 'NR > 2 && $4 == element { length_ += $1 - last } { last = $1; element = $4 }
            END { printf "%.9f", length_ }' line.csv)" \
            1.000000000 "plot --line along an oblique side has all of it"
    done
    run_edgewise plot nodes.nc --quiet --line=-1e308,0.4,1e308,0.4 -o line.csv
    contains "$code $err" "64 edgewise: the line from (-1e+308, 0.4) to (1e+308, 0.4) is too long for its numbers" \
        "plot of a line that is far longer than the mesh"
    run_edgewise plot box.nc --line 0,0,1,1 --points 999999999999
    contains "$code $err" '64 edgewise: --points needs a whole number from 1 to 1000000, not "999999999999"' \
        "plot with too many points"
    rm nodes.*
    run_edgewise plot
    is "$code" 64 "plot without a file is a usage error"
    for bad in "--width 0" "--height 0" "--supersample 0" \
        "--line 0,0,1,1 --points 0" "--field rhoo" "--frame x" "--frame 99" \
            "--frame 1 --time 2" "--range 1" "--isolines 0" "--isolines 1,x" \
        "--window 1,2,3" "--line 1" "-o box.jpg" "--map rainbow" "--width 0x"; do
        # shellcheck disable=SC2086
        run_edgewise plot box.nc $bad
        is "$code" 64 "plot $bad is a usage error"
    done
    run_edgewise plot missing.nc
    is "$code" 66 "plot of a file that is not there"
    run_edgewise plot box.cfg
    is "$code" 66 "plot of another kind of file"
    contains "$err" "box.cfg is not a netCDF file" "... says what it is not"
    run_edgewise plot box.nc -o nowhere/box.png
    is "$code" 73 "plot into a folder that is not there"
    run_edgewise plot box.nc $small
    if test "$code" -eq 69; then
        skip "built without libpng" "pictures"
        return
    fi
    is "$code" 0 "plot"
    contains "$out" "box-rho.png: rho at t = " "plot says what it has written"
    cp box.cfg flat.cfg
    flat="mesh.rectangle.corners=[500000.0, 5400000.0, 500010.0, 5400001.0]"
    run_edgewise run --quiet --end 0 --set "$flat" --set 'initial.p="101325 + 0.5*(x - 500000)/10"' \
        --set 'initial.rho=1' flat.cfg
    run_edgewise plot flat.nc --field p -o flat.png
    contains "$out" "101325 to 101325.5" "plot prints enough digits to tell the values apart"
    run_edgewise plot flat.nc $small --field rho -o flat.png
    contains "$out" "1 to 1; colours from 0.9 to 1.1" "plot of a constant tells it, and the range of the colours"
    run_edgewise plot flat.nc --field p $small --isolines 101325.2,7.0 -o flat.png
    contains "$err" "1 of 2 isolines are not in flat.png" "plot tells of isolines that are not in the picture"
    run_edgewise plot flat.nc --field p $small --isolines 4 --map none --range 101325,101325.5 -o flat.png
    contains "$out" "4 isolines from 101325.1 to 101325.4, 0.1 apart" "plot tells the isolines"
    run_edgewise plot flat.nc $small --field p --log --range=auto --title "∂" -o flat.png
    contains "$err" "shown as boxes" "plot warns of letters that the font lacks"
    for option in "--mesh" "--bare" "--palette" "--map grey" "--isolines 3" "--window 0,0,1,1"; do
        # shellcheck disable=SC2086
        run_edgewise plot flat.nc --line 500000,5400000.5,500010,5400000.5 $option
        contains "$code $err" "64 edgewise: ${option%% *} applies to pictures" "plot --line refuses ${option%% *}"
    done
    for width in 0 -5 abc; do
        run_edgewise plot flat.nc --width $width
        contains "$code $err" "64 edgewise: --width needs a number of pixels from 128 to 32768, not \"$width\"" \
            "plot --width $width: the limits"
    done
    rm -f flat.png flat.nc flat.cfg
    run_edgewise plot box.nc --frame all -o film.png --width 300 --quiet
    is "$code $out" "0 " "plot --frame all --quiet"
    is "$(echo film-*.png)" "film-0000.png film-0001.png film-0002.png film-0003.png" \
        "a film has a picture of every frame"
    run_edgewise plot box.nc --frame 0 -o - --width 300
    is "$code" 64 "- is no name for a picture"
    "$edgewise" plot box.nc --frame 0 -o one.png --quiet --width 300
    "$edgewise" plot box.nc --frame 0 -o /dev/stdout --quiet --width 300 2>.err | cat >.png
    cmp .png one.png >>.err
    ok $? "a picture may go to a pipe" || diag "$(cat .err)"
    rm -f film-*.png one.png box-rho.png line.csv
}

test_readers()
{
    run_edgewise run box.cfg
    if ncdump -h box.nc >.cdl 2>/dev/null; then
        for part in "time = UNLIMITED ; // (4 currently)" "CF-1.9 UGRID-1.0" \
            "mesh_topology" "double rho(time, n_node)" \
            "double E_mean(time, n_element)" "total_rho(time)" "error_l2_rho(time)" \
                'flag_meanings = "bottom right top left"' \
            'status = "complete"' "a density wave"; do
            contains "$(cat .cdl)" "$part" "ncdump shows $part"
        done
    else
        skip "there is no ncdump" "ncdump opens the fields"
    fi
}

# In a job, the current folder is a stranger's.
test_files_of_netcdf()
{
    mkdir -p netcdf
    write_box netcdf/box.cfg
    echo "[secret] of the user" >secret
    for name in .ncrc .daprc .dodsrc; do
        ln -s ../secret netcdf/$name
    done
    # shellcheck disable=SC2086
    said=$(cd netcdf && "$edgewise" run $few box.cfg 2>&1)
    is "$(printf '%s\n' "$said" | grep -c secret)" 0 "netCDF reads no files of its own in the current folder" ||
        diag "$said"
}

write_box box.cfg
test_usage
test_help
test_help_command
test_info
test_threads
test_errors
test_check
test_too_little_memory
test_run
test_failure
test_growth
test_last_admissible
test_signals
test_process_1
test_outputs
test_plot
test_readers
test_files_of_netcdf
done_testing
