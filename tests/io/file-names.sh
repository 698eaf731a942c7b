#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A run writes only its own files, under any name and whatever link is in its place, with the same bytes as under any
# other name.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

steps='output={fields={every=1e9;};series={steps=1;};restart={steps=2;keep=9;};}'

# NAME.cfg in the current folder
write_case()
{
    write_box "$1.cfg" 4
    sed "s/^output.*/$steps;/" "./$1.cfg" >.case && mv .case "$1.cfg"
}

# Fields, time series and restart files have the bytes of a plain run, whether started or resumed.
same_bytes() # FOLDER whole|onwards
{
    for ending in nc series.csv restart-2.nc restart-4.nc; do
        cmp "$1/box.$ending" "$2/box.$ending" || return 1
    done >.diff 2>&1
}

write_whole()
{
    write_case box
    mkdir whole
    run_edgewise run --steps 4 --output whole box.cfg
    is "$code" 0 "a plain run"
    cp -r whole onwards
    run_edgewise run --steps 4 --output onwards --restart onwards/box.restart-2.nc box.cfg
    is "$code" 0 "a plain run that goes on"
}

# A name that other programs could not read is refused before the run.
test_backslash()
{
    write_case 'sub\box'
    for folder in no an; do
        run_edgewise run --steps 4 'sub\box.cfg'
        is "$code" 73 "a backslash in the name, and $folder folder before it: EX_CANTCREAT"
        contains "$err" 'take a backslash for the end of a folder' "... it is said"
        mkdir -p sub
        is "$(find . -name '*.nc*' ! -path './whole/*' ! -path './onwards/*')" "" "... and nothing is written"
    done
    rmdir sub
    mkdir 'a\b'
    run_edgewise run --steps 4 --output 'a\b' box.cfg
    is "$code" 0 "a backslash in the folder's name"
    same_bytes 'a\b' whole
    ok $? "... changes no byte" || diag "$(cat .diff)"
    rm -r 'a\b'
}

# Names that netCDF takes for an address, a drive or a list of parameters.
test_special_names()
{
    for folder in 'c:' 'http:' 'file:' '[x]y' '#mode=bytes' 'x#mode=zarr,file' ' ' cygdrive; do
        if long_checks; then
            mkdir "$folder"
            run_edgewise run --steps 4 --output "$folder" box.cfg
            same_bytes "$folder" whole
            ok $? "a folder called \"$folder\", from the start" || diag "$(cat .diff)" "$err"
        else
            cp -r whole "$folder"
        fi
        run_edgewise run --steps 4 --output "$folder" --restart "$folder/box.restart-2.nc" box.cfg
        same_bytes "$folder" onwards
        ok $? "a folder called \"$folder\" is read and written" || diag "$(cat .diff)" "$err"
        rm -r "$folder"
    done
    more=
    ! long_checks || more='file:x s3:x'
    for name in 'http:x' '[x]y' 'c:x' 'x#mode=bytes' $more; do
        write_case "$name"
        run_edgewise run --quiet --steps 4 "./$name.cfg"
        ok "$(test -s "$name.nc" && test -s "$name.restart-4.nc"; echo $?)" "a case called \"$name\""
        run_edgewise run --json --steps 4 --restart auto "./$name.cfg"
        contains "$out" "\"resumed_from\": \"$name.restart-4.nc\"" "... goes on"
        run_edgewise plot --list "./$name.nc"
        is "$code" 0 "... and is read"
        rm ./"$name".*
    done
}

test_reading()
{
    mkdir a
    for kind in nc restart-2.nc; do
        cp whole/box.$kind 'a\b.nc'
        "$edgewise" export --quiet --format csv -o .whole.csv whole/box.$kind
        for name in 'a\b.nc' './a\b.nc' "$tmp/a\\b.nc"; do
            run_edgewise export --format csv -o .here.csv "$name"
            cmp -s .here.csv .whole.csv
            ok $? "export reads $kind called $name"
            long_checks || continue
            run_edgewise plot --list "$name"
            is "$code" 0 "... and plot"
        done
        rm 'a\b.nc'
    done
    cp whole/box.restart-2.nc 'a\b.nc'
    cp -r whole again
    run_edgewise run --steps 4 --output again --restart 'a\b.nc' box.cfg
    same_bytes again onwards
    ok $? "--restart reads a name with a backslash" || diag "$(cat .diff)" "$err"
    is "$(find a)" a "nothing is written beside it"
    rm -r a again 'a\b.nc'
}

# Links of another user of the folder: the private file does not change, however the command ends.
spares() # KIND NAMES DESCRIPTION ARGUMENT...
{
    kind=$1 names=$2 what=$3
    shift 3
    mkdir shared
    echo private >secret
    for name in $names; do
        case $kind in
        hard) ln secret "shared/$name" ;;
        *) ln -s "$tmp/secret" "shared/$name" ;;
        esac
    done
    (cd shared && "$edgewise" "$@") >.out 2>&1 </dev/null
    is "$(cat secret)" private "$what spares what $kind links lead to: $names" || diag "$(cat .out)"
    rm -r shared
}

# A symbolic link in place of a part ends a run, so each link gets a run of its own.
test_links()
{
    finals='box.nc box.series.csv box.restart-2.nc box.interrupted.nc box.nc.before'
    parts='box.nc.part box.series.csv.part box.series.csv.part.new box.restart-2.nc.part box.restart-4.nc.part'
    spares hard "$finals $parts" "a run" run --steps 4 ../box.cfg
    spares symbolic "$finals" "a run" run --steps 4 ../box.cfg
    for name in $parts; do
        spares symbolic $name "a run" run --steps 4 ../box.cfg
    done
    parts='box.nc.part box.restart-4.nc.part box.series.csv.part.new'
    spares hard "$parts" "a run that goes on" run --steps 4 --restart ../whole/box.restart-2.nc ../box.cfg
    for name in $parts; do
        spares symbolic $name "a run that goes on" run --steps 4 --restart ../whole/box.restart-2.nc ../box.cfg
    done
    spares hard fields.csv "export" export -o fields.csv ../whole/box.nc
    for name in fields.vtu fields.csv fields.msh; do
        spares symbolic $name "export" export -o $name ../whole/box.nc
    done
    spares symbolic picture.png "plot" plot -o picture.png ../whole/box.nc
    spares symbolic fields.pvd "export of all frames" export --frame all -o fields.pvd ../whole/box.nc
    spares symbolic fine.msh "mesh refine" mesh refine -o fine.msh "$srcdir/tests/meshes/annulus-A.msh"
}

# A link of each kind, in place of one file at a time.
test_single_links()
{
    for kind in hard symbolic; do
        for name in box.nc box.nc.part box.series.csv box.series.csv.part box.series.csv.part.new box.restart-2.nc \
            box.restart-2.nc.part box.restart-4.nc.part box.interrupted.nc box.nc.before; do
            spares $kind $name "a run" run --steps 4 ../box.cfg
        done
        for name in box.nc.part box.restart-4.nc.part box.series.csv.part.new; do
            spares $kind $name "a run that goes on" run --steps 4 --restart ../whole/box.restart-2.nc ../box.cfg
        done
        for name in fields.vtu fields.csv fields.msh; do
            spares $kind $name "export" export -o $name ../whole/box.nc
        done
        spares $kind picture.png "plot" plot -o picture.png ../whole/box.nc
        spares $kind fields.pvd "export of all frames" export --frame all -o fields.pvd ../whole/box.nc
        spares $kind fine.msh "mesh refine" mesh refine -o fine.msh "$srcdir/tests/meshes/annulus-A.msh"
    done
}

# The run continues in the folder in which it began.
test_folder_swapped()
{
    mkdir began other
    sed 's/restart={[^}]*};//' box.cfg >long.cfg
    "$edgewise" run --quiet --end 5000 --set output.series.steps=1000 --output began long.cfg >.out 2>&1 &
    run=$!
    for _ in $(seq 200); do
        test ! -e began/long.series.csv.part || break
        sleep 0.05
    done
    mv began moved
    ln -s other began
    kill -TERM $run
    wait $run
    ok "$(test -s moved/long.interrupted.nc && test -s moved/long.series.interrupted.csv; echo $?)" \
        "files are completed in the folder that they were begun in" || diag "$(cat .out; ls moved other)"
    is "$(find other -name '*.part*')" "" "the link in its place has none of their parts"
    rm -r began moved other
}

# A folder of regular files below /dev is not a device.
test_memory_disk()
{
    if ! test -d /dev/shm || ! test -w /dev/shm; then
        skip "there is no /dev/shm" "a file in /dev/shm"
        return
    fi
    run_edgewise export --format csv -o "/dev/shm/edgewise-$$.csv" whole/box.nc
    ok "$(test -s "/dev/shm/edgewise-$$.csv"; echo $?)" "a file in /dev/shm" || diag "$err"
    rm -f "/dev/shm/edgewise-$$.csv"
}

write_whole
test_memory_disk
test_backslash
test_special_names
test_reading
test_links
! long_checks || test_single_links
test_folder_swapped
done_testing
