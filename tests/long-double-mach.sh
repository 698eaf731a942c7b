#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The double Mach reflection to its end: the same steps and the same bits as stored, for any number of threads, both
# sets of kernels and all levels, and bounds of the density that make sense. --update stores what this build gives.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
stored=$srcdir/tests/expected/double-mach.txt
# Where other programs run, threads that wait actively take the time that the others need.
OMP_WAIT_POLICY=passive
export OMP_WAIT_POLICY
double_mach=$srcdir/examples/double-mach/double-mach-small.cfg

# The mesh with so many cells; what else is given goes to the command.
double_mach() # CELLS OPTIONS...
{
    cells=$1
    shift
    run_edgewise run --json --quiet --no-output --set "mesh.rectangle.cells=[$cells]" "$@" "$double_mach"
}

density_of() # min | max: over all elements
{
    printf '%s\n' "$out" | sed -n "s/.*\"$1\": {\"rho\": \([0-9.e+-]*\).*/\1/p"
}

row()
{
    printf '%s %s %s\n' "$(value_of elements)" "$(value_of steps)" "$(value_of state_hash)"
}

case ${1-} in
--update)
    {
        echo '# elements steps state_hash of the double Mach reflection at t = 0.2; see README'
        for cells in '112, 32' '224, 64'; do
            double_mach "$cells"
            row
        done
    } >"$tmp/stored" && mv "$tmp/stored" "$stored"
    exit
    ;;
esac

# check_bits WHAT CELLS OPTIONS...
check_bits()
{
    what=$1
    shift
    double_mach "$@"
    is "$code" 0 "$what: runs to its end" || diag "$err"
    contains "$(cat "$stored")" "$(row)" "$what: steps and bits are the stored ones" || diag "got $(row)"
}

check_density() # WHAT
{
    what="$1: the density is between 1.39 and 25"
    awk "BEGIN { low = $(density_of min); high = $(density_of max); exit !(low >= 1.39 && high > 15 && high < 25) }"
    ok $? "$what" || diag "$out"
    diag "$1: $(value_of steps) steps, density $(density_of min) .. $(density_of max), $(value_of wall_s) s"
}

check_bits "7,168 triangles, 1 thread" '112, 32' --threads 1
check_density "7,168 triangles"
check_bits "7,168 triangles, the kernels of the paper" '112, 32' --kernels edgewise
check_bits "7,168 triangles, level base" '112, 32' --level base
check_bits "28,672 triangles, 1 thread" '224, 64' --threads 1
check_density "28,672 triangles"
check_bits "28,672 triangles, 2 threads" '224, 64' --threads 2

# 50 steps of the larger mesh, for what is slow.
double_mach '224, 64' --steps 50 --threads 2
first=$(value_of state_hash)
is "$(value_of steps) $(value_of stop)" "50 steps" "28,672 triangles: stops after 50 steps"
for options in '--threads 3' '--kernels edgewise --threads 1' '--kernels edgewise --threads 2' '--level base'; do
    # shellcheck disable=SC2086 # several words
    double_mach '224, 64' --steps 50 $options
    is "$(value_of state_hash)" "$first" "28,672 triangles, 50 steps, $options: the same bits"
done
done_testing
