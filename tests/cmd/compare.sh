#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# edgewise compare: no bit differs between any two sides, and errors are reported.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
fake=$top_builddir/tests/cuda

first_value_of() # KEY: its first value in the object
{
    printf '%s\n' "$out" | tr '{,' '\n\n' | sed -n "s/^ *\"$1\": \"\{0,1\}\([^,\"}]*\).*/\1/p" | head -n 1
}

# Only walls, a moving state, a far field, and jumps for the limiter.
write_tube()
{
    cat >"$1" <<END
mesh = { rectangle = { corners = [0.0, 0.0, 1.0, 0.5]; cells = [9, 5]; jitter = 0.3; }; };
order = 1;
limiter = "barth-jespersen";
time = { scheme = "ssprk33"; end = 0.1; };
initial = { rho = "x < 0.5 ? 1 : 0.3"; u = 0.3; v = "0.1*y"; p = "x < 0.5 ? 1 : 0.3"; };
boundary = {
  left   = { kind = "state"; rho = "1 + 0.2*sin(40*t)"; u = 0.3; v = 0; p = 1; };
  right  = { kind = "far"; rho = 0.3; u = 0.3; v = 0; p = 0.3; };
  bottom = { kind = "wall"; ghost = "tangential"; normal = ["0.1*x", "-1"]; };
  top    = { kind = "wall"; };
};
output = { fields = { every = 0.004; }; };
END
}

write_hill()
{
    cat >"$1" <<END
mesh = { rectangle = { corners = [0, 0, 1, 1]; cells = [7, 6]; jitter = 0.4; }; };
law = { name = "advection"; velocity = ["1 - y", "x"]; };
order = 2;
time = { scheme = "rk2"; end = 1.0; };
initial = { u = "sin(3*x + t)*cos(2*y)"; };
boundary = {
  left   = { kind = "state"; u = "sin(9*t)"; };
  right  = { kind = "copy"; };
  bottom = { kind = "state"; state = "initial"; };
  top    = { kind = "copy"; };
};
END
}

# The sides of omp on this machine, which the tests use in turn.
usable_sides()
{
    run_edgewise info
    levels=$(printf '%s\n' "$out" | sed -n '/^instruction levels$/,/^$/p')
    for level in avx512 avx2 base scalar; do
        printf '%s\n' "$levels" | grep -q "^  $level .*: not on this machine" && continue
        printf '%s\n' "$levels" | grep -q "^  $level " || continue
        for side in edgewise,LEVEL,threads=2 fused,LEVEL,threads=1 edgewise,LEVEL,tile=-1,threads=1 \
            fused,LEVEL,threads=3; do
            echo "omp,$side" | sed "s/LEVEL/$level/"
        done
    done
}

# The next of the sides, cyclically.
next_side()
{
    turn=$((turn + 1))
    side=$(sed -n "$(((turn - 1) % $(wc -l <sides) + 1))p" sides)
}

same() # DESCRIPTION ARGUMENTS
{
    description=$1
    shift
    next_side
    run_edgewise compare --quiet --reference omp,edgewise,scalar,threads=1 --with "$side" "$@"
    is "$code $err" "0 " "$description: the same bits from $side"
}

test_sides()
{
    write_tube tube.cfg
    write_hill hill.cfg
    for order in 1 2 3 4 5; do
        limiter=none
        test $order = 1 && limiter=barth-jespersen
        for flux in llf roe hllc; do
            same "order $order, $flux" --order $order --set flux=\"$flux\" --set limiter=\"$limiter\" --steps 3 tube.cfg
        done
        same "order $order, advection" --order $order --steps 3 hill.cfg
    done
    for scheme in rk2 rk43 rk4 ssprk22 ssprk32 ssprk33 ssprk54; do
        same "$scheme" --set time.scheme=\"$scheme\" --order 2 --set limiter=\"none\" --steps 4 tube.cfg
        same "$scheme, advection" --set time.scheme=\"$scheme\" --steps 4 hill.cfg
    done
    while read -r level; do
        run_edgewise compare --quiet --steps 5 --with "$level" tube.cfg
        is "$code $err" "0 " "the tube: the same bits from $level"
    done <sides
}

test_table()
{
    run_edgewise compare --with omp,edgewise,threads=1 --every 2 --steps 5 --set output.fields.every=1 tube.cfg
    is "$code $err" "0 " "a comparison"
    for word in reference with eval_volume eval_surface eval_rhs limit_c time_step update state \
        "same       no word of"; do
        contains "$out" "$word" "its table has $word"
    done
    is "$(printf '%s\n' "$out" | sed -n 's/^  state  *\([0-9]*\) .*/\1/p' | tr '\n' ' ')" "0 2 4 5 " \
        "states every second step, and the last one"
    is "$(printf '%s\n' "$out" | grep -c '^  update ')" 2 "kernels at the beginning and at the end"
    run_edgewise compare --steps 3 --set output.fields.every=1 --set 'output.series={fluxes=["left","top"];}' tube.cfg
    is "$code $(printf '%s\n' "$out" | sed -n 's/^  outflow  *\([0-9]*\) .*all *\([0-9]*\) .*/\1 \2/p' | tr '\n' ' ')" \
        "0 0 112 1 112 2 112 3 112 " "the integrals of fluxes of 28 edges are compared, too"
    run_edgewise compare --with omp,fused --steps 5 --set output.fields.every=1 box.cfg
    is "$(printf '%s\n' "$out" | sed -n 's/^  state  *\([0-9]*\) .*/\1/p' | tr '\n' ' ')" "0 1 2 4 5 " \
        "states at powers of two"
    is "$(printf '%s\n' "$out" | grep -c 'the kernel set fused has no')" 2 "an output that a set lacks is reported once"
    run_edgewise compare --with omp --steps 0 box.cfg
    is "$code" 0 "no steps: the initial state is compared"
    run_edgewise compare --reference omp,fused --with fused,omp --steps 0 box.cfg
    contains "$code $err" "0 edgewise: warning: both sides are omp, fused kernels (" "the same side twice: a warning"
    run_edgewise compare --reference omp,fused --with omp,fused,threads=3 --steps 0 box.cfg
    is "$code $err" "0 " "... but not if the threads differ"
    run_edgewise compare --with omp --end 0.03 box.cfg
    contains "$out" "0.02  all" "states are compared where fields are due"
    contains "$out" "both reached the final time" "and the reason of the end is printed"
}

test_json()
{
    run_edgewise compare --with omp,scalar --steps 4 --json box.cfg
    is "$code $err" "0 " "--json"
    is_json "--json"
    is "$(first_value_of same)" true "--json: same"
    is "$(first_value_of differing)" 0 "--json: differing"
    is "$(first_value_of stop)" steps "--json: stop"
    is "$(first_value_of steps)" 4 "--json: steps"
    contains "$out" '"what": "eval_surface"' "--json: the kernels are there"
    run_edgewise compare --json missing.cfg
    is "$code" 66 "--json, no case"
    is_json "--json, no case"
    is "$(first_value_of same)" false "--json, no case: not the same"
    contains "$out" '"error": "' "--json, no case: why"
}

test_no_gpu()
{
    run_edgewise compare --with cuda --steps 1 box.cfg
    if test "$code" = 0; then
        skip "there is a GPU" "without a GPU --with cuda fails"
        return
    fi
    is "$code" 69 "without a GPU --with cuda fails"
    contains "$err" "--with: " "and says what asked for it"
    run_edgewise compare --with cuda --json box.cfg
    is_json "--json, no GPU"
    is "$(first_value_of same)" false "--json, no GPU: not the same"
    run_edgewise compare --steps 1 box.cfg
    is "$code" 0 "by default the kernel sets are compared"
    contains "$err" "no GPU can be compared: " "and a message says that no GPU was"
    contains "$out" "omp, fused kernels" "the other set is the fused one"
    run_edgewise compare --steps 1 --reference omp,fused box.cfg
    contains "$out" "with       omp, edgewise kernels" "or the other one"
}

# The CUDA kernels with a fake driver that needs no GPU.
on_fake_gpu() # ARGUMENTS
{
    LD_LIBRARY_PATH="$fake/fake/.libs:$LD_LIBRARY_PATH" "$fake/edgewise-fake-gpu" "$@" \
        >.out 2>.err </dev/null
    code=$?
    out=$(cat .out)
    err=$(cat .err)
}

test_gpu()
{
    test -x "$top_builddir/tests/cuda/edgewise-fake-gpu" || bail_out "tests/cuda/edgewise-fake-gpu has not been built"
    on_fake_gpu compare --steps 4 tube.cfg
    is "$code $err" "0 " "with a GPU it is what is compared"
    contains "$out" "with       cuda, fused kernels" "its line says so"
    on_fake_gpu compare --steps 4 --with cuda,edgewise tube.cfg
    is "$code $err" "0 " "and so are the paper's kernels there"
    is "$(printf '%s\n' "$out" | grep -c 'not compared')" 0 "each of them by itself"
    for order in 2 3 4 5; do
        on_fake_gpu compare --steps 2 --order $order --set limiter='"none"' --set flux='"roe"' --json tube.cfg
        is "$code $(first_value_of same)" "0 true" "order $order: the same bits from the CUDA kernels"
    done
    on_fake_gpu compare --steps 4 --reference omp,fused --with cuda,edgewise hill.cfg
    is "$code" 0 "advection: the same bits from the CUDA kernels"
    fewer="--set mesh.rectangle.cells=[20,20]"
    ! long_checks || fewer=
    # shellcheck disable=SC2086 # two words or none
    on_fake_gpu compare --steps 2 --reference omp,fused --with cuda,fused $fewer "$srcdir/examples/pulse/pulse.cfg"
    is "$code" 0 "zeros have the same sign where a pulse fades below the smallest numbers"
    on_fake_gpu compare --with device=7 tube.cfg
    is "$code" 69 "a missing GPU"
    contains "$err" "--with: there is no GPU 7" "is reported as such"
    on_fake_gpu run --device 7 tube.cfg
    is "$code $(printf '%s\n' "$err" | grep -c 'there is no GPU 7')" "69 1" \
        "run does not use the CPU instead, and reports it once" || diag "$err"
    on_fake_gpu run --image sm_20 tube.cfg
    is "$code $(printf '%s\n' "$err" | grep -c .)" "69 1" \
        "an image that this build lacks: the reason is printed once" || diag "$err"
}

# Frames are the same, too, with the limiter's output, and when a thread writes them from a copy.
test_fields_of_gpu()
{
    if ! command -v ncdump >/dev/null; then
        skip "there is no ncdump" "a GPU's frames are the CPU's"
        return
    fi
    for backend in omp cuda; do
        on_fake_gpu run --quiet --backend $backend --steps 6 \
            --set 'output.fields={every=0.001,variables=["rho","u","v","p","limiter"]}' \
            tube.cfg
        is "$code" 0 "tube.cfg with frames on $backend" || diag "$err"
        ncdump -p 17 tube.nc | sed -n '/^data/,$p' >$backend.cdl
    done
    ok "$(test "$(wc -l <omp.cdl)" -gt 50; echo $?)" "there are frames"
    cmp -s omp.cdl cuda.cdl
    ok $? "a GPU's frames are the CPU's" || diag "$(diff omp.cdl cuda.cdl | head -n 5 | cut -c 1-200)"
}

test_wrong()
{
    run_edgewise compare
    is "$code" 64 "no case"
    for side in omp,cuda opm threads=x omp,tile=3 omp,threads=1025 omp,tile=8,tile=-1 omp,threads=1,threads=2 \
        backend=opm omp,level=avx3 omp,kernels=fast omp,level=fused image=sm_21; do
        run_edgewise compare --with $side box.cfg
        is "$code" 64 "--with $side"
        contains "$err" "--with" "--with $side: the message names the option"
    done
    run_edgewise compare --with omp,device=2 box.cfg
    contains "$code $err" "64 edgewise: --with: the backend omp has no numbered devices" "a GPU of the CPU"
    run_edgewise compare --quiet --steps 1 --with omp,fused --set backend.device=2 box.cfg
    is "$code $err" "0 " "the case's GPU is none of a side's that names the CPU"
    run_edgewise compare --reference omp,fused,tile=-1 --with omp box.cfg
    is "$code" 64 "words that are right, but not together"
    contains "$err" "--reference: the tile width is -1" "... are reported as such"
    run_edgewise compare --json --reference omp,fused,tile=-1 --with omp box.cfg
    is "$code $out" "64 " "... without an object of results"
    for option in --every=0 --every=x --ulp=-1 --ulp=99999999999999999999 --every=99999999999999999999; do
        run_edgewise compare $option --with omp box.cfg
        is "$code" 64 "$option"
    done
    sed 's/order = 2/ordre = 2/' box.cfg >wrong.cfg
    run_edgewise compare --with omp wrong.cfg
    is "$code" 78 "a wrong case"
    contains "$err" "wrong.cfg:4:" "a wrong case: file and line"
    "$edgewise" compare --with omp --steps 1 box.cfg >/dev/full 2>err
    is "$?" 74 "an output that is full"
}

# Both sides break, in the same step and in the same way.
test_failing()
{
    sed 's/^initial.*/initial = { rho = "x < 0.5 ? 1 : 1e-6"; u = "x < 0.5 ? -50 : 50"; v = "0"; \
        p = "x < 0.5 ? 1 : 1e-9"; };/
         s/^exact.*//; s/kind = "state"; state = "exact"/kind = "copy"/' box.cfg >blast.cfg
    run_edgewise compare --with omp,fused blast.cfg
    is "$code" 0 "sides that fail in the same way are the same"
    contains "$out" "both failed in the same way" "and the table says so"
    contains "$out" "the state became inadmissible in step" "with the sentence"
}

test_signal()
{
    "$edgewise" compare --with omp,fused --end 1e6 --set output.fields.every=1e6 box.cfg >out 2>err &
    wait_until grep -q '^  state  *1 ' out
    kill $!
    wait $!
    is "$?" 143 "a signal ends a comparison"
    contains "$(cat out)" "interrupted by a signal" "and the table says so"
    contains "$(cat out)" "same       no word of" "with what was compared so far"
}

write_box box.cfg
usable_sides >sides
turn=0
ok "$(test "$(wc -l <sides)" -ge 8; echo $?)" "there are $(wc -l <sides | tr -d ' ') sides to compare"
test_sides
test_table
test_json
test_no_gpu
test_gpu
test_fields_of_gpu
test_wrong
test_failing
test_signal
done_testing
