#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# edgewise bench: the reported quantities and the refused options. Speeds are never tested.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
fake=$top_builddir/tests/cuda

# The CUDA kernels with a fake driver that needs no GPU and measures its limits at once.
bench_on_fake_gpu() # OPTIONS
{
    LD_LIBRARY_PATH="$fake/fake/.libs:$LD_LIBRARY_PATH" "$fake/edgewise-fake-gpu" \
        bench --seconds 0.002 --elements 50 "$@" >.out 2>.err
    code=$? out=$(cat .out) err=$(cat .err)
}

json_has_rates() # DESCRIPTION
{
    is "$code $err" "0 " "$1"
    is_json "$1"
    for key in copy_bytes_per_s flops_per_s rates gdof_stage_per_s bound_gdof_stage_per_s limiter cost double_mach \
        steps_estimate; do
        contains "$out" "\"$key\": " "$1 has $key"
    done
    is "$(printf '%s\n' "$out" | tr '{' '\n' | grep -c '"bound_gdof_stage_per_s"')" 5 "$1: five orders"
}

test_rates()
{
    run_edgewise bench --side omp,threads=1 --seconds 0.002 --elements 50,200
    is "$code $err" "0 " "bench"
    contains "$out" "copying " "the limits of the machine"
    is "$(printf '%s\n' "$out" | grep -cE '^ +[0-9]+(  +[0-9.]+ +([0-9]+ %|\*) *){5}$')" 2 \
        "a line for each size, with all orders"
    contains "$out" "with the limiter" "the limiter's cost"
    contains "$out" "double Mach reflection" "the double Mach reflection"
    is "$(printf '%s\n' "$out" | grep -c ' steps, ')" 2 "an estimate for each size"
    bench_on_fake_gpu --side cuda,edgewise --json
    json_has_rates "bench --json"
    long_checks || return
    run_edgewise bench --side omp,edgewise,threads=1 --seconds 0.002 --elements 50 --json
    json_has_rates "bench --json on a CPU"
    "$edgewise" bench --side omp --seconds 0.002 --elements 50 --order 2 >/dev/full 2>err
    is "$?" 74 "an output that is full, on a CPU"
}

kernels_have_rates() # DESCRIPTION
{
    is "$code $err" "0 " "$1"
    for kernel in eval_volume eval_surface eval_rhs update time_step admissible net; do
        is "$(printf '%s\n' "$out" | grep -cE "^    $kernel .*%.*(%|\*).*(%|\*)")" 5 "$kernel at every order"
    done
    is "$(printf '%s\n' "$out" | grep -o '[0-9][0-9][0-9] %' | grep -vc '100 %')" 0 "no share is above 100 %"
    contains "$out" "share of a step" "the shares side by side"
}

json_has_kernels() # DESCRIPTION
{
    is_json "$1"
    for key in copy_bytes_per_s limiter double_mach; do
        contains "$out" "\"$key\": " "$1 has $key, too"
    done
    contains "$out" '"limiter": null, "double_mach": null, "scaling": null, "limits": {' \
        "$1: what is not measured is null"
    for key in calls_per_step share bytes_per_call flops_per_call occupancy registers local_bytes; do
        contains "$out" "\"$key\": " "$1 has $key"
    done
    contains "$out" '"name": "stage"' "$1: the fused stage"
}

test_kernels()
{
    run_edgewise bench --kernels --side omp,edgewise,threads=1 --seconds 0.002 --elements 50 --flux roe
    kernels_have_rates "bench --kernels, another flux"
    bench_on_fake_gpu --kernels --side cuda,fused --order 3 --json
    json_has_kernels "bench --kernels --json"
    long_checks || return
    run_edgewise bench --kernels --side omp,edgewise,threads=1 --seconds 0.002 --elements 50
    kernels_have_rates "bench --kernels, the default flux"
    run_edgewise bench --kernels --side omp,fused --seconds 0.002 --elements 50 --order 3 --json
    json_has_kernels "bench --kernels --json on a CPU"
}

# The report on CUDA kernels, not their speed.
test_gpu()
{
    for set in edgewise=5 fused=1; do
        bench_on_fake_gpu --kernels --side cuda,${set%=*} --order 1
        is "$code" 0 "bench on a GPU, the set ${set%=*}"
        contains "$out" "cuda, ${set%=*} kernels" "the report names it"
        is "$(printf '%s\n' "$out" | grep -c ' % .* registers .* bytes local$')" "${set#*=}" \
            "occupancy, registers and local memory of every kernel"
    done
    LD_LIBRARY_PATH="$fake/fake/.libs:$LD_LIBRARY_PATH" "$fake/edgewise-fake-gpu" \
        bench --side cuda --seconds 0.002 --elements 50 --order 2 >/dev/full 2>err
    is "$?" 74 "an output that is full"
}

test_parts()
{
    run_edgewise bench --parts 2,3 --order 1 --seconds 0.002 --elements 50,200
    is "$code $err" "0 " "bench --parts"
    for mesh in same grows; do
        is "$(printf '%s\n' "$out" | grep -cE "^ +[0-9]+ +1  $mesh +[0-9.]+( +[0-9.]+ +[0-9]+ %){2}$")" 2 \
            "a line for each size, of a mesh that is or does: $mesh"
    done
    run_edgewise bench --parts 2 --order 2 --seconds 0.002 --elements 50 --json
    is "$code $err" "0 " "bench --parts --json"
    is_json "bench --parts --json"
    contains "$out" '"rates": null, "limiter": null, "double_mach": null, "scaling": [{"mesh": "same"' "nothing else"
    is "$(printf '%s\n' "$out" | tr '{' '\n' | grep -c '"elements": 50, .*"share": [0-9]')" 2 "the same mesh"
    is "$(printf '%s\n' "$out" | tr '{' '\n' | grep -c '"mesh": "grows", "elements": 98, ')" 1 "a mesh that grows"
    run_edgewise bench --parts 200 --order 1 --seconds 0.002 --elements 50
    is "$code" 78 "more parts than elements"
    for option in 1 x 257 2,, "2 --kernels" "2 --side omp,parts=2"; do
        # shellcheck disable=SC2086 # words
        run_edgewise bench --parts $option
        is "$code $out" "64 " "bench --parts $option"
    done
}

test_wrong()
{
    for option in --elements=1 --elements=50, --elements=,50 --elements=x --elements=-50 --elements=99999999999 \
        --elements=8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8 --order=0 --order=6 --order=x --seconds=0 \
            --seconds=x --seconds=nan \
        --side=opm box.cfg; do
        run_edgewise bench $option
        is "$code" 64 "bench $option"
    done
    run_edgewise bench --flux lax
    is "$code $out" "78 " "an unknown flux, before anything is measured"
    contains "$err" 'the law "euler" has no flux "lax"; it has llf, roe and hllc' "and which there are"
    run_edgewise bench --flux upwind
    contains "$err" 'the law "euler" has no flux "upwind"; it has llf, roe and hllc' "another law's flux"
    run_edgewise bench --side omp,device=1
    is "$code $out" "64 " "a device for a backend that has none"
    contains "$err" 'leave "device" out, or use cuda' "and what to do"
    run_edgewise bench --side omp,native
    is "$code $out" "78 " "a GPU's image for the CPU, before anything is measured"
    run_edgewise bench --side omp,level=vector --json
    is "$code $out" "64 " "an unknown level"
    run_edgewise bench --side omp,native --json
    is "$code" 78 "a GPU's image for the CPU, --json"
    is_json "a GPU's image for the CPU"
    nothing='"rates": null, "limiter": null, "double_mach": null, "scaling": null, "limits": null'
    contains "$out" "$nothing, \"error\": \"" \
        "a GPU's image for the CPU: the error is there, and nothing was measured"
}

test_rates
test_kernels
test_gpu
test_parts
test_wrong
done_testing
