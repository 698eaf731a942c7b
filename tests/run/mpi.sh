#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# mpirun divides a run among its ranks: the same state, frames, series and restart files, whichever MPI starts them.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

# Allows root, more ranks than cores, and waiting ranks that share a core.
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_base_warn_component_unused=0 OMPI_MCA_btl=self,vader,tcp
OMPI_MCA_hwloc_base_binding_policy=none PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe \
    OMPI_MCA_mpi_yield_when_idle OMPI_MCA_btl_base_warn_component_unused OMPI_MCA_btl \
    OMPI_MCA_hwloc_base_binding_policy PRTE_MCA_rmaps_default_mapping_policy

# Memory that MPI's own libraries leave at the end is not ours.
export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0"

is_of() # openmpi|mpich LAUNCHER
{
    case $("$2" --version 2>&1) in
    *OpenRTE* | *"Open MPI"*) test "$1" = openmpi ;;
    *HYDRA*) test "$1" = mpich ;;
    *) false ;;
    esac
}

# LINES: the launchers whose library can be loaded as well.
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

heard() # CODE
{
    code=$1
    out=$(cat "$tmp/.out")
    err=$(cat "$tmp/.err")
}

run_mpi() # RANKS ARGUMENTS
{
    ranks=$1
    shift
    timeout 300 "$launcher" -n "$ranks" "$edgewise" "$@" >"$tmp/.out" 2>"$tmp/.err" </dev/null
    heard $?
}

# The command with fake GPUs (tests/cuda/fake), also for an mpirun.
fake=$top_builddir/tests/cuda
cat >with-gpus <<END
#!/bin/sh
LD_LIBRARY_PATH="$fake/fake/.libs:\$LD_LIBRARY_PATH" FAKE_CUDA="devices:2 \$FAKE_CUDA" \\
    exec "$fake/edgewise-fake-gpu" "\$@"
END
chmod +x with-gpus

run_with_gpus() # ARGUMENTS
{
    ./with-gpus "$@" >"$tmp/.out" 2>"$tmp/.err" </dev/null
    heard $?
}

run_mpi_with_gpus() # ARGUMENTS OF MPIRUN
{
    timeout 300 "$launcher" "$@" >"$tmp/.out" 2>"$tmp/.err" </dev/null
    heard $?
}

result()
{
    echo "$(value_of state_hash) $(value_of steps) $(value_of time) $(value_of dt_last) $(value_of stop)" \
        "$(printf '%s\n' "$out" | grep -o '"error_l2.*"forces')"
}

# As run writes it: a series, restart files, a limiter that reads neighbours, and time-dependent boundaries.
write_case()
{
    write_box box.cfg 6
    sed -e 's/^order.*/order = 1; limiter = "barth-jespersen";/' \
        -e 's/^output.*/output = { fields = { every = 0.02; }; restart = { steps = 4; keep = 3; };/' box.cfg >some.cfg
    echo ' series = { steps = 3; }; };' >>some.cfg
    mv some.cfg box.cfg
}

# Drops the names of machine and options.
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

    run_mpi 3 run --set time.cfl=4 --set limiter=none --order 2 --end 9 --no-output --threads 1 box.cfg
    told=$(grep "edgewise: .*inadmissible" "$tmp/.err")
    is "$told" "$broken" "... a state that breaks is told once, in the same words"
}

# Levels of time steps in ranks.
test_levels()
{
    cp "$srcdir/examples/cylinder/cylinder.msh" .
    sed -e 's/^time .*/time = { end = 0.5; step = "levels"; };/' -e 's/^order .*/order = 1;/' \
        "$srcdir/examples/cylinder/cylinder.cfg" >cylinder.cfg
    run_edgewise run --json --no-output --threads 1 --steps 3 cylinder.cfg
    alone=$(result)
    contains "$alone" " 3 " "... levels of time steps in one process"
    run_mpi 3 run --json --no-output --threads 1 --steps 3 cylinder.cfg
    is "$(result)" "$alone" "... 3 ranks have their result" || diag "$err"
    mkdir "$launcher-levels"
    run_mpi 2 run --threads 1 --output "$launcher-levels" --steps 1 --set output.restart.steps=1 cylinder.cfg
    run_mpi 5 run --json --threads 1 --output "$launcher-levels" --restart auto --steps 3 \
        --set output.restart.steps=1 cylinder.cfg
    is "$(result)" "$alone" "... and 5 ranks resume where 2 have stopped" || diag "$err"
    cat >pond.cfg <<END
mesh = "cylinder.msh";
law = { name = "shallow-water"; bed = "0.1*sin(3*x)*cos(2*y)"; };
order = 1;
time = { scheme = "ssprk33"; end = 0.5; step = "levels"; };
initial = { surface = "x^2 + y^2 < 4 ? 0.3 : 0"; u = 0; v = 0; };
boundary = { far = { kind = "wall"; }; cylinder = { kind = "wall"; }; };
END
    run_edgewise run --json --no-output --threads 1 pond.cfg
    alone=$(result)
    run_mpi 3 run --json --no-output --threads 1 pond.cfg
    is "$code $(result)" "0 $alone" "... over a bed, too" || diag "$err"
}

# refused_alone NAME ADVICE VARIABLE...: runs one task of several, with the variables of their launcher.
refused_alone()
{
    name=$1 advice=$2
    shift 2
    timeout 60 env "$@" "$edgewise" run --no-output --threads 1 box.cfg >.out 2>.err </dev/null
    code=$?
    contains "$code $(tail -n 1 .err)" "69 edgewise: $name has started several tasks, but " "$*: a task stays alone"
    contains "$(cat .err)" "each would be a whole run; start them by $advice; for runs that are independent, set" \
        "... and says what to do"
}

# Launchers that leave only their variables: MPI is missing, or finds one task.
test_launchers()
{
    refused_alone srun "srun --mpi=pmix, or start one task, by srun --ntasks=1" SLURM_STEP_NUM_TASKS=3
    contains "$(cat .err)" "but offers MPI no interface to join them" "... and why"
    refused_alone flux "flux run -o pmi=pmix, or start one task, by flux run -n 1" FLUX_JOB_SIZE=2
    refused_alone mpirun "the mpirun of the same library, or start one task, by mpirun -n 1" MV2_COMM_WORLD_SIZE=2
    for variable in SLURM_STEP_NUM_TASKS=3 JSM_NAMESPACE_SIZE=2 PALS_RANKID=1 ALPS_APP_PE=0; do
        run_edgewise_with "$variable" PMIX_RANK=1
        is "$code" 69 "$variable: a task stays alone"
    done
    run_edgewise_with SLURM_STEP_NUM_TASKS=1 PMIX_RANK=0
    is "$code" 0 "srun --ntasks=1 runs the case" || diag "$err"
    run_edgewise_with SLURM_STEP_NUM_TASKS=1 PMIX_RANK=2
    is "$code" 0 "... and so does each of several tasks, as the message advises" || diag "$err"
    run_edgewise_with OMPI_COMM_WORLD_SIZE=1 SLURM_STEP_NUM_TASKS=2
    is "$code" 0 "mpirun -n 1 in a step of srun runs the case" || diag "$err"
    env SLURM_STEP_NUM_TASKS=3 "$edgewise" sweep box.cfg 2>.err
    contains "$(cat .err)" "another launcher has started 3 processes, each of which would run the whole sweep" \
        "no sweeps in tasks of srun"
}

run_edgewise_with() # VARIABLE...
{
    timeout 60 env "$@" "$edgewise" run --no-output --threads 1 box.cfg >"$tmp/.out" 2>"$tmp/.err" </dev/null
    heard $?
}

# Errors that no rank begins with.
test_refused()
{
    run_mpi 3 run --threads 1 --set mesh.rectangle.cells=[1,1] --output "$launcher" box.cfg
    is "$code" 78 "... more ranks than elements are refused"
    is "$(grep edgewise: "$tmp/.err")" "edgewise: there are 3 ranks and only 2 elements; take fewer ranks" "... once"
    run_mpi 2 run --threads 1 --output nowhere box.cfg
    is "$code" 73 "... a folder that is not there ends all ranks with one code"
    run_mpi 2 run --threads 1 no.cfg
    is "$(grep -c 'edgewise: .*no.cfg' "$tmp/.err")" 1 "... a case that is not there is told once"
    run_mpi 2 bench --parts 3
    is "$code" 64 "... another number of parts is refused"
    run_mpi 2 bench --order 1
    contains "$err" "mpirun or another launcher has started 2 processes, each of which would disturb" "... and none"
    run_mpi 2 compare box.cfg
    contains "$err" "each of which would make the whole comparison" "... no comparisons in ranks"
    run_mpi 9 bench --parts 9 --order 1 --seconds 0.002 --elements 8 --side omp,threads=1
    is "$code" 78 "... and more ranks than elements"
    run_mpi 2 sweep box.cfg
    contains "$err" "launcher has started 2 processes, each of which would run the whole sweep" "... no sweeps in ranks"
}

# Ranks with GPUs together with ranks on cores.
gpu="./with-gpus run --json --no-output --backend cuda"
core="$edgewise run --json --no-output --backend omp --threads 1"
test_gpus()
{
    # shellcheck disable=SC2086 # words
    run_mpi_with_gpus -n 2 $gpu box.cfg
    is "$(result)" "$whole" "... 2 ranks with a GPU each have the result of one process" || diag "$err"
    contains "$out" 'GPU 0, no GPU at all, native, directly' "... directly, and tell their way"
    # shellcheck disable=SC2086
    FAKE_CUDA='cuIpcOpenMemHandle_v2:217 only:1' run_mpi_with_gpus -n 2 $gpu box.cfg
    is "$(result)" "$whole" "... through the host, too" || diag "$err"
    contains "$out" 'GPU 0, no GPU at all, native, through the host' "... if one cannot reach the other"
    # shellcheck disable=SC2086 # memory of no GPU is the host's
    EDGEWISE_MPI_GPU_MEMORY=yes FAKE_CUDA='cuIpcOpenMemHandle_v2:217 only:1' run_mpi_with_gpus -n 2 $gpu box.cfg
    is "$(result)" "$whole" "... by an MPI that takes a GPU's memory, too" || diag "$err"
    contains "$out" 'GPU 0, no GPU at all, native, by MPI from its memory' "... and tell it"
    # shellcheck disable=SC2086
    run_mpi_with_gpus -n 1 $gpu box.cfg : -n 2 $core box.cfg
    is "$(result)" "$whole" "... a rank with a GPU and 2 with cores, too" || diag "$err"
    # shellcheck disable=SC2086
    run_mpi_with_gpus -n 3 $core box.cfg : -n 1 $gpu box.cfg
    is "$(result)" "$whole" "... in another order, in which the GPU is number 0 all the same" || diag "$err"
    # shellcheck disable=SC2086
    run_mpi_with_gpus -n 1 $core box.cfg : -n 2 $gpu --devices 1,0 box.cfg
    is "$(result)" "$whole" "... with GPUs that are named" || diag "$err"
    for with in 'limiter = "none";' 'limiter = "none"; positivity = true;'; do
        sed "s/limiter = \"barth-jespersen\";/$with/" box.cfg >other.cfg
        run_edgewise run --json --no-output --threads 1 other.cfg
        alone=$(result)
        # shellcheck disable=SC2086
        run_mpi_with_gpus -n 1 $gpu other.cfg : -n 2 $core other.cfg
        is "$(result)" "$alone" "... also with $with" || diag "$err"
    done
    # shellcheck disable=SC2086
    FAKE_CUDA='cuIpcGetMemHandle:1 cuLaunchKernel:700@40 only:1' run_mpi_with_gpus -n 2 $gpu box.cfg
    is "$code $(printf '%s\n' "$err" | grep -c 'rank 1: GPU 1 .*failed')" "71 1" "... a GPU that fails ends all" ||
        diag "$err"
}

# Levels of time steps, on cylinder.cfg of test_levels. With ranks on cores, GPUs exchange through the host.
test_levels_on_gpus()
{
    run_edgewise run --json --no-output --threads 1 --steps 2 cylinder.cfg
    alone=$(result)
    # shellcheck disable=SC2086
    run_mpi_with_gpus -n 2 $gpu --steps 2 cylinder.cfg
    is "$(result)" "$alone" "... levels of time steps on 2 GPUs have the result of one process" || diag "$err"
    contains "$out" 'GPU 0, no GPU at all, native, directly' "... directly"
    # shellcheck disable=SC2086 # memory of no GPU is the host's
    EDGEWISE_MPI_GPU_MEMORY=yes FAKE_CUDA='cuIpcOpenMemHandle_v2:217 only:1' \
        run_mpi_with_gpus -n 2 $gpu --steps 2 cylinder.cfg
    is "$(result)" "$alone" "... by an MPI that takes a GPU's memory, too" || diag "$err"
    # shellcheck disable=SC2086
    run_mpi_with_gpus -n 1 $gpu --steps 2 cylinder.cfg : -n 2 $core --steps 2 cylinder.cfg
    is "$(result)" "$alone" "... a rank with a GPU and 2 with cores, too" || diag "$err"
    run_edgewise run --json --no-output --threads 1 --steps 2 pond.cfg
    alone=$(result)
    # shellcheck disable=SC2086
    run_mpi_with_gpus -n 2 $gpu --steps 2 pond.cfg : -n 1 $core --steps 2 pond.cfg
    is "$(result)" "$alone" "... over a bed, too" || diag "$err"
    contains "$out" 'GPU 0, no GPU at all, native, through the host' "... through the host"
    run_edgewise run --no-output --threads 1 --end 20 --set time.cfl=4 cylinder.cfg
    told=$(printf '%s\n' "$err" | grep inadmissible)
    # shellcheck disable=SC2086
    run_mpi_with_gpus -n 1 $core --end 20 --set time.cfl=4 cylinder.cfg : \
        -n 2 $gpu --end 20 --set time.cfl=4 cylinder.cfg
    is "$(printf '%s\n' "$err" | grep "edgewise: .*inadmissible")" "${told:-a sentence}" \
        "... and a state that breaks is told in the same words"
}

# GPUs that do not exist, or are lost.
test_gpus_missing()
{
    # shellcheck disable=SC2086
    EDGEWISE_MPI_GPU_MEMORY=maybe run_mpi_with_gpus -n 2 $gpu box.cfg
    is "$code" 78 "... a word that is neither yes nor no"
    contains "$err" 'EDGEWISE_MPI_GPU_MEMORY is "maybe"; set it to yes, to no, or not at all' "... is told"
    # shellcheck disable=SC2086
    run_mpi_with_gpus -n 3 $gpu box.cfg
    contains "$err" "rank 2: it is number 2 of its host's ranks with a GPU, from 0, and there is no GPU 2" \
        "... a third one has none"
    run_mpi_with_gpus -n 3 ./with-gpus run --json --no-output --backend auto --threads 1 box.cfg
    is "$code $(result)" "0 $whole" "... and all take cores, where they may" || diag "$err"
    # shellcheck disable=SC2086
    run_mpi_with_gpus -n 3 $gpu --devices 0,1 box.cfg
    is "$(result)" "$whole" "... unless it shares one" || diag "$err"
    # shellcheck disable=SC2086
    run_mpi_with_gpus -n 2 $gpu --devices 0,7 box.cfg
    contains "$err" "rank 1: there is no GPU 7; this machine has 2, numbered from 0" "... or has one that is not there"
    # shellcheck disable=SC2086
    EDGEWISE_MPI_GPU_MEMORY=yes FAKE_CUDA='cuIpcGetMemHandle:1 cuLaunchKernel:700@40 only:1' \
        run_mpi_with_gpus -n 2 $gpu box.cfg
    is "$code $(printf '%s\n' "$err" | grep -c 'rank 1: GPU 1 .*failed')" "71 1" \
        "... also where MPI takes its memory" || diag "$err"
    # shellcheck disable=SC2086
    FAKE_CUDA='cuGraphLaunch:700 only:1' run_mpi_with_gpus -n 2 $gpu --set 'limiter="none"' box.cfg
    is "$code $(printf '%s\n' "$err" | grep -c 'rank 1: GPU 1 .*failed')" "71 1" "... also directly, after a while" ||
        diag "$err"
}

test_bench()
{
    run_mpi 2 bench --parts 2 --order 1 --seconds 0.002 --elements 50 --json --side omp,threads=1
    is "$code" 0 "... bench --parts measures ranks" || diag "$err"
    is "$(printf '%s\n' "$out" | tr '{' '\n' | grep -c '"parts": 2, .*"share": [0-9]')" 2 "... on both meshes, once"
}

# is_another CASE CASE WHAT: one rank of three gets the second case.
is_another()
{
    timeout 300 "$launcher" -n 2 "$edgewise" run --threads 1 --no-output "$1" : \
        -n 1 "$edgewise" run --threads 1 --no-output "$2" >.out 2>.err </dev/null
    contains "$(cat .err)" "edgewise: rank 2: its case is another one than that of rank 0" "... $3 is refused"
}

test_other_case()
{
    sed 's/0.1\*sin/0.2*sin/' box.cfg >other.cfg
    is_another box.cfg other.cfg "another case"
    sed 's/top  .*/top = { kind = "wall"; };/' box.cfg >wall.cfg
    sed 's/top  .*/top = { kind = "wall"; ghost = "tangential"; };/' box.cfg >ghost.cfg
    is_another wall.cfg ghost.cfg "another ghost"
    for rho in '1 + t' '1 + 2*t'; do
        state="kind = \"state\"; rho = \"$rho\"; u = \"0.5\"; v = \"0\"; p = \"1\";"
        sed "s/top  .*/top = { $state };/" box.cfg >"$rho.cfg"
    done
    is_another '1 + t.cfg' '1 + 2*t.cfg' "a boundary that will be another one"
}

# All ranks are one command of the service.
test_service()
{
    rm -rf spool
    run_edgewise watch --init --once spool
    cp box.cfg spool/new/job.cfg
    timeout 300 "$edgewise" watch --drain --settle 0 --retry-delay 0.05 --threads 1 --exec "$launcher -n 2" spool \
        >.out 2>&1 </dev/null
    out=$(cat spool/done/job/summary.json)
    is "$(result)" "$whole" "... watch --exec runs a job in ranks" || diag "$(cat .out spool/*/job/log)"
    contains "$out" '"parts": 2' "... all of them"
}

# begin RANKS: a long run, in the background, until it has a restart file; its process is $begun.
begin()
{
    rm -rf long
    mkdir long
    setsid "$launcher" -n "$1" "$edgewise" run --quiet --threads 1 --output long --end 50 box.cfg >.out 2>&1 \
        </dev/null &
    begun=$!
    wait_until sh -c 'ls long/box.restart-*.nc >/dev/null 2>&1'
}

has_ended()
{
    ! kill -0 "$begun" 2>/dev/null
}

test_kill()
{
    begin 3
    kill -9 "$(pgrep -f "$edgewise run --quiet --threads 1 --output long" | tail -n 1)"
    wait_until has_ended
    ok $? "... a rank is killed: the others end" || kill -9 "$begun"
    is "$(ls long/*.nc | grep -v restart)" "" "... nothing half has its final name"
    run_edgewise plot --list "$(find long -name 'box.restart-*.nc' | tail -n 1)"
    is "$code" 0 "... restart files are intact" || diag "$err"
    begin 2
    kill -INT "$begun"
    wait_until has_ended
    ok $? "... Control-C ends the run" || kill -9 "$begun"
    ok "$(test -s long/box.interrupted.nc; echo $?)" "... with a frame of its state"
}

# A program that has started MPI itself and passes half of its ranks.
write_host()
{
    cat >host.c <<'END'
#include <edgewise.h>
#include <malloc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static size_t held; /* bytes */

static void *allocate(void *context, size_t alignment, size_t bytes)
{
    void *memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    (void)context;
    held += malloc_usable_size(memory);
    return memory;
}

static void release(void *context, void *memory)
{
    (void)context;
    held -= malloc_usable_size(memory);
    free(memory);
}

static void wave(void *context, size_t n, const double *x, const double *y, double t, double *values)
{
    (void)context, (void)t;
    for (size_t k = 0; k < n; k++)
        values[k] = 1 + x[k] * (1 - x[k]) * y[k], values[n + k] = values[2 * n + k] = 0.5, values[3 * n + k] = 1;
}

int main(int argc, char **argv)
{
    MPI_Comm half;
    int rank, status = 1;
    ew_error error = {0};
    ew_comm *comm = NULL;
    ew_mesh *mesh = NULL;
    ew_plan *plan = NULL;
    ew_solver *solver = NULL;
    const ew_host host = {.allocate = allocate, .release = release};
    const ew_periodic pairs[2] = {{"left", "right", .automatic = 1}, {"bottom", "top", .automatic = 1}};
    ew_side_part part[4] = {{"bottom", 0, 1}, {"right", 0, 1}, {"top", 0, 1}, {"left", 0, 1}};
    ew_rectangle square = {.x1 = 1, .y1 = 1, .nx = 40, .ny = 40, .periodics = 2, .periodic = pairs};
    for (int k = 0; k < 4; k++)
        square.side[k].parts = 1, square.side[k].part = &part[k];
    ew_problem problem = {.order = 3, .backend = "omp", .threads = 1, .initial = {.callback = wave}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    if (rank % 2 == 0 && !ew_comm_of_mpi(NULL, &half, &comm, &error) &&
        !ew_mesh_rectangle(&host, &square, &mesh, &error) && !ew_problem_check(&host, mesh, &problem, &plan, &error)) {
        uint64_t hash;
        size_t whole = held;
        problem.comm = comm;
        if (ew_comm_rank(comm) > 0 && !(status = ew_comm_divide(comm, &plan, &error))) {
            ew_mesh_destroy(mesh);
            mesh = NULL;
            printf("a rank holds %s\n", held < whole / 3 ? "its part" : "more than its part");
            status = ew_comm_serve(comm, &plan, &problem, &error);
        } else if (!ew_solver_of_plan(&plan, &problem, &solver, &error) &&
                 !ew_solver_advance(solver, 1e9, 5, NULL, &error) && !ew_solver_hash(solver, &hash, &error))
            status = 0, printf("%d ranks: %016llx\n", ew_comm_size(comm), (unsigned long long)hash);
        ew_solver_destroy(solver);
        ew_comm_destroy(comm);
        ew_mesh_destroy(mesh);
        if (held > 0)
            printf("%zu bytes are not freed\n", held);
    }
    if (rank % 2 == 0 && status)
        fprintf(stderr, "rank %d: %s\n", rank, error.message);
    MPI_Finalize();
    return 0;
}
END
}

test_host()
{
    compiler=$(echo "$launcher" | sed 's/mpirun\|mpiexec/mpicc/')
    write_host
    libs=$top_builddir/.libs
    if ! command -v "$compiler" >/dev/null || ! test -e "$libs/libedgewise.so"; then
        skip "there is no $compiler" "... a program gives its own communicator"
        return
    fi
    if ! echo '#include <mpi.h>' | "$compiler" -E - >log 2>&1; then
        skip "$compiler has no mpi.h" "... a program gives its own communicator"
        return
    fi
    if nm -D "$libs/libedgewise.so" 2>/dev/null | grep -q __asan_; then
        skip "a program must be linked with what the library is checked by" "... a program gives its own communicator"
        return
    fi
    "$compiler" -I"$srcdir/src" host.c -o host "$libs/libedgewise.so" "-Wl,-rpath,$libs" >log 2>&1
    ok $? "... a program that has MPI of its own compiles" || diag "$(cat log)"
    one=$(timeout 300 "$launcher" -n 1 ./host 2>&1 </dev/null)
    timeout 300 "$launcher" -n 5 ./host >three 2>&1 </dev/null
    is "$(grep -c "a rank holds its part" three) $(grep -c "not freed" three)" "2 0" \
        "... whose memory falls to that of a part" || diag "$(cat three)"
    three=$(grep ranks three)
    contains "$three" "3 ranks" "... and gives half of its ranks"
    is "${three#3 ranks}" "${one#1 ranks}" "... with the same bits"
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

test_devices()
{
    run_with_gpus run --json --no-output --devices 0,1 box.cfg
    is "$(result)" "$whole" "2 GPUs of one process have the result of one part" || diag "$err"
    contains "$out" '2 parts, the first on GPU 0, no GPU at all, native, directly' "... and tell their way"
    run_with_gpus run --json --no-output --devices all box.cfg
    is "$(result)" "$whole" "... as all GPUs have"
    run_with_gpus run --json --no-output --set backend.name=cuda --set backend.parts=2 box.cfg
    is "$(result)" "$whole" "... and as parts of the case"
    run_with_gpus run --no-output --set backend.name=cuda --set backend.parts=3 box.cfg
    contains "$code $err" "69 edgewise: 3 parts need a GPU each, and there is no number 2" "too many parts are refused"
    run_with_gpus run --no-output --devices 0,2 box.cfg
    contains "$code $err" "there is no GPU 2" "and a GPU that is not there"
    run_with_gpus run --no-output --devices 0,x box.cfg
    contains "$code $err" "64 edgewise: --devices needs all, or numbers of GPUs" "and what is no number"
    run_with_gpus run --no-output --devices 0,1 --device 1 box.cfg
    contains "$code $err" "64 edgewise: --device and --devices exclude each other" "and both kinds of choice"
    run_with_gpus run --no-output --backend omp --devices 0,1 box.cfg
    contains "$code $err" "a list of GPUs is given, and the backend omp has none" "and GPUs for the backend omp"
    run_with_gpus run --json --no-output --set backend.kernels=edgewise --devices 0,1 box.cfg
    is "$(result)" "$whole" "the paper's kernels have the result of one part" || diag "$err"
    contains "$out" 'native, through the host' "... through the host"
    run_with_gpus bench --parts 2 --devices 0,1 --order 1 --seconds 0.002 --elements 50 --json
    is "$code" 0 "bench --parts measures GPUs" || diag "$err"
    run_with_gpus bench --devices 0,1
    contains "$code $err" "64 edgewise: --devices is for the GPUs of parts" "... and --devices needs parts"
}

# uses EXPECTED WHAT ARGUMENTS: the number of GPUs that the driver sees, and the ones that the run uses.
uses()
{
    expected=$1 what=$2
    shift 2
    rm -f log
    FAKE_CUDA=devices:4 FAKE_CUDA_LOG=log LD_LIBRARY_PATH="$fake/fake/.libs:$LD_LIBRARY_PATH" \
        "$fake/edgewise-fake-gpu" run --json --no-output --backend cuda "$@" >"$tmp/.out" 2>"$tmp/.err" </dev/null
    heard $?
    is "$code $(sort -u log | tr '\n' ' ')" "0 $expected " "$what" || diag "$err"
}

# The driver prepares every GPU that it sees.
test_hidden_gpus()
{
    uses "sees 4 uses 0" "a run uses GPU 0 only" box.cfg
    uses "sees 4 uses 2" "... or the one of --device" --device 2 box.cfg
    CUDA_VISIBLE_DEVICES=0,1,2,3
    export CUDA_VISIBLE_DEVICES
    uses "sees 1 uses 0" "other GPUs are hidden from the driver" box.cfg
    uses "sees 1 uses 2" "... with --device, too" --device 2 box.cfg
    contains "$out" '"device": "GPU 2, ' "... whose number stays" || diag "$out"
    uses "sees 2 uses 1 uses 3" "... with --devices, too" --devices 3,1 box.cfg
    is "$(result)" "$whole" "... and the same result"
    uses "sees 4 uses 1" "... but not where the case may name one" --set backend.device=1 box.cfg
    LD_LIBRARY_PATH="$fake/fake/.libs:$LD_LIBRARY_PATH" FAKE_CUDA=devices:4 "$fake/edgewise-fake-gpu" run \
        --device 7 box.cfg >.out 2>.err
    contains "$(cat .err)" "there is no GPU 7 here" "a GPU that is not there"
    CUDA_VISIBLE_DEVICES=3,1
    uses "sees 1 uses 1" "... of those that are visible" --device 1 box.cfg
    unset CUDA_VISIBLE_DEVICES
}

write_case
mkdir whole
run_edgewise run --set time.cfl=4 --set limiter=none --order 2 --end 9 --no-output --threads 1 box.cfg
broken=$(printf '%s\n' "$err" | grep inadmissible)
run_edgewise run --json --threads 1 --output whole box.cfg
whole=$(result)
is "$code" 0 "one process runs the case" || diag "$err"
test_launchers
test_parts
test_devices
test_hidden_gpus
launchers >found
test -s found || skip "there is no MPI" "mpirun divides a run"
long_checks || { head -n 1 found >one; mv one found; }
while read -r launcher; do
    mkdir "$launcher"
    test_launcher
    test_levels
    test_other_case
    test_gpus
    test_levels_on_gpus
    test_bench
    test_service
    if long_checks; then
        test_refused
        test_gpus_missing
        test_kill
        test_host
    fi
done <found
done_testing
