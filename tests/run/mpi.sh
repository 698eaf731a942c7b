#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mpirun divides a run among its ranks: the same state, frames, series and restart files, whichever MPI starts them.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# As root, and with more ranks than cores; without waiting for a core of one's own.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_base_warn_component_unused=0 OMPI_MCA_btl=self,vader,tcp
OMPI_MCA_hwloc_base_binding_policy=none PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe \
    OMPI_MCA_mpi_yield_when_idle OMPI_MCA_btl_base_warn_component_unused OMPI_MCA_btl \
    OMPI_MCA_hwloc_base_binding_policy PRTE_MCA_rmaps_default_mapping_policy

is_of() # openmpi|mpich LAUNCHER
{
    case $("$2" --version 2>&1) in
    *OpenRTE* | *"Open MPI"*) test "$1" = openmpi ;;
    *HYDRA*) test "$1" = mpich ;;
    *) false ;;
    esac
}

# LINES: the launchers whose library can be loaded, too.
launchers()
{
    "$edgewise" info | sed -n '/^MPI$/,/^$/p' >libraries
    for name in openmpi mpich; do
        case $name in
        openmpi) library='Open MPI' ;;
        mpich) library='MPICH' ;;
        esac
        grep -q "$library" libraries || continue
        for launcher in mpirun.$name mpiexec.$name mpirun; do
            is_of "$name" "$launcher" || continue
            echo "$launcher"
            break
        done
    done
}

run_mpi() # RANKS ARGUMENTS
{
    ranks=$1
    shift
    timeout 120 "$launcher" -n "$ranks" "$edgewise" "$@" >"$tmp/.out" 2>"$tmp/.err" </dev/null
    code=$?
    out=$(cat "$tmp/.out")
    err=$(cat "$tmp/.err")
}

result()
{
    echo "$(value_of state_hash) $(value_of steps) $(value_of time) $(value_of dt_last) $(value_of stop)" \
        "$(printf '%s\n' "$out" | grep -o '"error_l2.*"forces')"
}

# As run writes it: with a series, restart files, a limiter that looks at neighbours, and boundaries that move.
write_case()
{
    write_box box.cfg 6
    sed -e 's/^order.*/order = 1; limiter = "barth-jespersen";/' \
        -e 's/^output.*/output = { fields = { every = 0.02; }; restart = { steps = 4; keep = 3; };/' box.cfg >some.cfg
    echo ' series = { steps = 3; }; };' >>some.cfg
    mv some.cfg box.cfg
}

# Without the names of machine and options.
dump() # FILE
{
    ncdump -p 17 "$1" | grep -v ':device =\|:case_text =\|--set backend.parts'
}

same_files() # FOLDER
{
    cmp whole/box.series.csv "$1/box.series.csv"
    ok $? "... the same series"
    command -v ncdump >/dev/null || { skip "there is no ncdump" "... and the same files"; return; }
    differs=
    for file in whole/*.nc; do
        dump "$file" >a.txt
        dump "$1/${file#whole/}" >b.txt
        cmp -s a.txt b.txt && continue
        diag "$(diff a.txt b.txt | cut -c 1-100 | head -n 5)"
        differs="$differs ${file#whole/}"
    done
    is "$differs" "" "... and the same fields and restart files"
}

test_launcher()
{
    run_mpi 3 run --json --threads 1 --output "$launcher" box.cfg
    is "$(result)" "$whole" "$launcher: 3 ranks have the result of one process" || diag "$err"
    contains "$out" '"parts": 3' "... and tell it"
    is "$(printf '%s\n' "$out" | wc -l)" 1 "... once"
    same_files "$launcher"

    mkdir "$launcher-part"
    run_mpi 2 run --json --threads 1 --output "$launcher-part" --steps 5 box.cfg
    run_mpi 5 run --json --threads 1 --output "$launcher-part" --restart auto box.cfg
    is "$(result)" "$whole" "... 5 ranks resume where 2 have stopped" || diag "$err"

    run_mpi 3 run --threads 1 --set mesh.rectangle.cells=[1,1] --output "$launcher" box.cfg
    is "$code" 78 "... more ranks than elements are refused"
    is "$(grep edgewise: "$tmp/.err")" "edgewise: there are 3 ranks and only 2 elements; take fewer ranks" "... once"
    run_mpi 2 run --threads 1 no.cfg
    is "$(grep -c 'edgewise: .*no.cfg' "$tmp/.err")" 1 "... a case that is not there is told once"
    run_mpi 2 run --set time.cfl=4 --set limiter=none --order 2 --end 9 --output "$launcher" --threads 1 box.cfg
    is "$(grep -c 'edgewise: .*inadmissible' "$tmp/.err")" 1 "... a state that breaks is told once"
}

# One rank of three has another case.
test_other_case()
{
    sed 's/0.1\*sin/0.2*sin/' box.cfg >other.cfg
    timeout 120 "$launcher" -n 2 "$edgewise" run --threads 1 --no-output box.cfg : \
        -n 1 "$edgewise" run --threads 1 --no-output other.cfg >.out 2>.err </dev/null
    contains "$(cat .err)" "edgewise: rank 2: its case is another one than that of rank 0" "... another case is refused"
}

test_parts()
{
    mkdir parts
    run_edgewise run --json --threads 1 --set backend.parts=4 --output parts box.cfg
    is "$(result)" "$whole" "4 parts of one process have the result of one part"
    same_files parts
    run_edgewise compare --reference omp --with omp,parts=3 --steps 4 box.cfg
    is "$code" 0 "compare takes parts as a word of a side" || diag "$out $err"
}

write_case
mkdir whole
run_edgewise run --json --threads 1 --output whole box.cfg
whole=$(result)
is "$code" 0 "one process runs the case" || diag "$err"
test_parts
launchers >found
test -s found || skip "there is no MPI" "mpirun divides a run"
long_checks || { head -n 1 found >one; mv one found; }
while read -r launcher; do
    mkdir "$launcher"
    test_launcher
    test_other_case
done <found
done_testing
