#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# edgewise-cluster(7): its scripts run, are interrupted, and go on, with a stand-in for Slurm.
# shellcheck source=tests/spool/spool-tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/spool/spool-tap.sh"
page=$srcdir/man/edgewise-cluster.7

# The scripts are the literal texts whose second line is their name.
awk '/^\.Bd/ { file = ""; line = 0; next } /^\.Ed/ { file = ""; line = 99 }
    { line++ }
    line == 1 && /^#!/ { first = $0 }
    line == 2 && /^# [a-z-]*\.sh$/ { file = $2; print first >file; print file >"scripts" }
    file { gsub(/\\e/, "\\"); print >file }' "$page"
is "$(sort scripts | tr '\n' ' ')" "array.sh gpus.sh one-node.sh ranks.sh spool.sh " "the page has five scripts"

# The command with a GPU that is none, where it has been built.
fake=$top_builddir/tests/cuda
mkdir bin
has_fake()
{
    test -x "$fake/edgewise-fake-gpu" && test -e "$fake/fake/.libs/libcuda.so.1"
}
if has_fake; then
    cat >bin/edgewise <<END
#!/bin/sh
LD_LIBRARY_PATH="$fake/fake/.libs:\$LD_LIBRARY_PATH" exec "$fake/edgewise-fake-gpu" "\$@"
END
    chmod +x bin/edgewise
else
    ln -s "$edgewise" bin/edgewise
fi
# The command of srun, which gets SIGTERM once there is a file of this pattern.
cat >bin/srun <<'END'
#!/bin/bash
echo "$*" >>"$FAKE/srun"
while [[ $1 == -* ]]; do shift; done
test -n "$FAKE_TERM" || exec "$@"
"$@" &
until compgen -G "$FAKE_TERM" >/dev/null; do sleep 0.05; done
sleep 0.2
kill -TERM $!
wait $!
END
cat >bin/sbatch <<'END'
#!/bin/bash
echo "$*" >>"$FAKE/sbatch"
END
chmod +x bin/srun bin/sbatch
FAKE=$tmp
PATH=$tmp/bin:$PATH
SLURM_CPUS_PER_TASK=1 SLURM_ARRAY_TASK_ID=1 OMP_NUM_THREADS=1
export FAKE PATH SLURM_CPUS_PER_TASK SLURM_ARRAY_TASK_ID OMP_NUM_THREADS

batch() # SCRIPT [PATTERN]
{
    rm -f srun sbatch
    FAKE_TERM=${2:-} bash "$1" >out 2>err
    code=$?
}

write_tiny tiny.cfg
hash=$(hash_of_run tiny.cfg)
mkdir cases
while read -r script; do
    bash -n "$script"
    ok $? "$script: bash can read it"
    is "$(grep -c '^#SBATCH .*--signal=TERM@' "$script")" 1 "$script: SIGTERM comes before the end"
    case $script in
    spool.sh) continue ;;
    gpus.sh) has_fake || continue ;;
    esac
    case $script in
    array.sh) case=cases/b.cfg result=results/b.nc again="--array=1 array.sh" ;;
    *) case=wing.cfg result=wing.nc again=$script ;;
    esac
    write_tiny cases/a.cfg
    write_endless "$case"
    batch "$script" "$result.part"
    is "$code $(cat sbatch)" "143 $again" "$script: a run that is interrupted is submitted again" || diag "$(cat err)"
    ok "$(test -n "$(find . -name '*restart-*')"; echo $?)" "... with its state saved"
    rm -rf ./*.nc results
    cp tiny.cfg "$case"
    batch "$script"
    is "$code $(cat sbatch 2>/dev/null)" "0 " "$script: one that ends is not" || diag "$(cat err)"
    ok "$(test -s "$result"; echo $?)" "... and has its result"
    rm -rf ./*.nc results
done <scripts

EDGEWISE_SPOOL=$tmp/spool
export EDGEWISE_SPOOL
make_spool spool
write_endless spool/new/long.cfg
cp tiny.cfg spool/new/tiny.cfg
batch spool.sh spool/done/tiny
is "$code $(cat sbatch)" "0 spool.sh" "spool.sh: interrupted jobs are submitted again" || diag "$(cat err)"
is "$(names spool/new) $(hash_of spool/done/tiny/summary.json)" "long  $hash" "... and others are done"
"$edgewise" cancel --quiet --spool spool long
cp tiny.cfg spool/new/last.cfg
batch spool.sh spool/done/last
is "$code $(cat sbatch 2>/dev/null)" "0 " "spool.sh: without waiting jobs it ends"
cp tiny.cfg spool/new/other.cfg
echo "not a job" >spool/new/notes.txt
batch spool.sh spool/done/other
is "$code $(cat sbatch 2>/dev/null)" "0 " "... also if new/ has a file that is no job" || diag "$(cat out)"
write_with_mesh spool/new/meshless.cfg late.msh
batch spool.sh spool/state/status.json
is "$code $(cat sbatch 2>/dev/null)" "0 " "... or a job that cannot start: it would be submitted without end"
done_testing
