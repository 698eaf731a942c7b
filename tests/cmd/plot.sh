#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# edgewise plot, other than of one field: several, differences, the velocity, ranges, histories, films, SVG and PDF.
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"

write_box box.cfg
run_edgewise run --quiet --set output.series.steps=1 box.cfg
run_edgewise plot box.nc --width 300 -o first.png
test "$code" -ne 69 || skip_all "built without libpng"

signature() # FILE BYTES
{
    od -An -tx1 -N"$2" "$1" 2>/dev/null | tr -d ' \n'
}

# refused DESCRIPTION PART ARGUMENTS...: a usage error with that sentence, and no picture.
refused()
{
    what=$1 part=$2
    shift 2
    run_edgewise plot "$@" -o refused.png
    contains "$code $err" "64 edgewise: $part" "$what"
    test ! -e refused.png
    ok $? "... and writes nothing"
}

# ---- fields ---------------------------------------------------------------------------------------------------------

run_edgewise plot box.nc --field rho,p,u --width 600
is "$code $(signature box-rho-p-u.png 8)" "0 89504e470d0a1a0a" "several fields are one picture"
is "$(echo "$out" | wc -l)" 3 "... with a line about each"
run_edgewise plot box.nc --field rho --range 5%,95% --width 300
contains "$out" "of the picture outside" "percentiles: the share outside them"
run_edgewise plot box.nc --vectors 12 --streamlines 8 --width 300
contains "$out" "the longest arrows are a speed of" "arrows: their scale"
for format in svg pdf; do
    run_edgewise plot box.nc --isolines 4 --width 300 -o "box.$format"
    is "$code" 0 "a picture as $format"
done
is "$(signature box.pdf 5)" 255044462d "... PDF"
if command -v xmllint >/dev/null; then
    xmllint --noout box.svg
    ok $? "... SVG is XML"
else
    skip "there is no xmllint" "SVG is XML"
fi
refused "a title that is not drawn" "--bare draws no title; leave out --title" box.nc --bare --title x
refused "a list that draws" "--list draws nothing; leave out --output" box.nc --list
run_edgewise plot box.nc --line 0,0,1,1 --title x -o refused.csv
contains "$code $err" "64 edgewise: --title applies to pictures, not to a table (.csv)" "the title of a table"
refused "percentiles beyond 100" "--range 5%,101%: percentiles must grow, from 0% to 100%" box.nc --range 5%,101%
refused "percentiles that fall" "--range 9%,1%: percentiles must grow" box.nc --range 9%,1%
refused "half a percentile" "--range needs auto, full, robust" box.nc --range 1%,5
refused "no arrows" "--vectors needs a whole number from 1 to 1000" box.nc --vectors 0
refused "a field that is not there" 'box.nc has no field "q"' box.nc --field rho,q
refused "a field by another name" 'box.nc has no field "pressure"; did you mean "p"?' box.nc --field pressure
refused "a field that was not asked for" 'box.nc has no field "limiter"; it has rho, u, v, p, ' box.nc --field limiter
contains "$err" "; a run writes it if output.fields.variables of the case has it" "... and how to get it"
cp box.cfg some.cfg
run_edgewise run --quiet --set 'output.fields.variables=["rho","p","mach"]' some.cfg
refused "a derived quantity without the state" 'some.nc has no field "schlieren"; it has rho, p, mach, ' \
    some.nc --field schlieren
run_edgewise plot box.nc --boundary top --field mach -o mach.csv
is "$code $(head -n 1 mach.csv)" "0 arc,x/c,x,y,boundary,element,mach" "a derived quantity along a boundary"
run_edgewise export --format csv --field mach,entropy box.nc -o mach-box.csv
is "$code $(head -n 1 mach-box.csv)" "0 element,x,y,mach,entropy" "... and exported"
for there in gone.nc.part gone.failed.nc gone.interrupted.nc; do
    cp box.nc $there
    run_edgewise plot gone.nc
    is "$code $err" "66 edgewise: cannot read gone.nc: No such file or directory; there is $there" "$there is named"
done
refused "two files of fields" '"plot" takes one FILE.nc or several FILE.csv' box.nc box.nc
refused "columns of fields" "--columns applies to histories (FILE.csv), not to pictures of a field" box.nc --columns a

# ---- curves ---------------------------------------------------------------------------------------------------------

run_edgewise plot box.nc --field rho,p --line 0,0.3,1,0.3 -o line.png --width 400
is "$code $(signature line.png 8) $out" "0 89504e470d0a1a0a line.png: rho,p at t = 0.05 along the line" \
    "several fields along a line"
run_edgewise plot box.nc --field rho,p --line 0,0.3,1,0.3 -o line.csv
is "$code $(head -n 1 line.csv)" "0 distance,x,y,element,rho,p" "... as a table"
run_edgewise plot box.nc --field rho,p --line 0,0.3,1,0.3 --width 400
is "$code $(signature box-line-rho-p.png 8)" "0 89504e470d0a1a0a" "... and has a name of its own"
run_edgewise plot line.csv -o curves.svg
contains "$code $out" "0 curves.svg: 2 curves over distance" "... whose fields are drawn over the distance"

# The incompressible flow around a cylinder as an initial state: cp = 1 - 4 sin^2, and 1 at the stagnation points.
cat >flow.cfg <<END
mesh = "$srcdir/tests/meshes/annulus-A.msh";
order = 3;
time = { end = 0.0; };
let = { r = "x^2 + y^2"; a = "1 - (x^2 - y^2)/r^2"; b = "-2*x*y/r^2"; };
initial = { rho = 2; u = "3*a"; v = "3*b"; p = "50 + 9*(1 - a^2 - b^2)"; };
boundary = { inflow = { kind = "copy"; }; outflow = { kind = "copy"; }; inner = { kind = "wall"; };
    outer = { kind = "far"; state = "initial"; }; };
output = { forces = ( { boundaries = [ "inner" ]; density = 2; speed = 3; pressure = 50; } ); };
END
run_edgewise run --quiet flow.cfg
run_edgewise plot flow.nc --list
contains "$out" "pressure coefficient" "a case with reference values has cp"
contains "$out" "boundaries
  inflow" "--list has the boundaries"
run_edgewise plot flow.nc --boundary inner --field cp -o cp.csv
is "$code $(awk -F, 'NR > 1 { theta = atan2($4, $3); error = $7 - (1 - 4*sin(theta)^2); rows++
    if (error < 0) error = -error; if (error > worst) worst = error; if ($7 > highest) highest = $7 }
    END { print rows, (worst < 0.02), (highest > 0.995 && highest < 1.005) }' cp.csv)" "0 112 1 1" \
    "cp along a cylinder, and where the flow stagnates" || diag "$(head -n 5 cp.csv)"
run_edgewise run --quiet --set 'initial={rho=2; u=3; v=0; p=50}' flow.cfg
run_edgewise plot flow.nc --boundary inner,outer --field cp -o cp.csv
is "$code $(awk -F, 'NR > 1 { if ($7 > 1e-12 || $7 < -1e-12) wrong++; rows++ }
    END { print (rows > 0), wrong + 0 }' cp.csv)" \
    "0 1 0" "cp of the free stream is 0"
for over in arc x/c; do
    run_edgewise plot flow.nc --boundary inner --field p,cp --over $over --width 400
    is "$code $(signature flow-inner-p-cp.png 8)" "0 89504e470d0a1a0a" "curves along a boundary over $over"
done
run_edgewise plot cp.csv --over x/c -o cp.svg
contains "$code $out" "0 cp.svg: 1 curve over x/c" "the table along a boundary over x/c"
run_edgewise plot box.nc --field cp --reference 1,0.5,1 --width 300 -o cp.png
contains "$code $out" "0 cp.png: cp at t = 0.05" "cp of given reference values"
refused "cp without reference values" 'box.nc has no field "cp" without the density, speed and pressure' \
    box.nc --field cp
refused "half a reference" "--reference needs density, speed and pressure" box.nc --field cp --reference 1,2
refused "a boundary that is not there" 'box.nc has no boundary "wall"; it has ' box.nc --boundary wall
refused "a boundary over time" '--over needs arc or x/c along boundaries, not "time"' box.nc --boundary top --over time
refused "a boundary and a line" "--boundary applies to boundaries (--boundary), not to curves (--line)" \
    box.nc --boundary top --line 0,0,1,1
refused "points on a boundary" "--points applies to curves (--line), not to boundaries" box.nc --boundary top --points 9

# ---- differences ----------------------------------------------------------------------------------------------------

sed 's/^title.*/title = "the other";/' box.cfg >other.cfg
run_edgewise run --quiet --order 1 other.cfg
run_edgewise plot box.nc --minus other.nc --field p --width 300
is "$code $(signature box-p-difference.png 8)" "0 89504e470d0a1a0a" "a difference"
contains "$out" "p at t = 0.05, less that at t = 0.05, " "... and whose"
run_edgewise plot box.nc --minus box.nc --width 300 -o same.png
contains "$out" ", 0 to 0; colours from -1 to 1" "a file less itself is 0"
run_edgewise run --quiet --set mesh.rectangle.cells=[3,4] --set output.fields.every=1 other.cfg
refused "a difference of two meshes" "box.nc and other.nc have different meshes, of 32 and 24 triangles" box.nc \
    --minus other.nc
run_edgewise plot box.nc --minus nothing.nc
is "$code" 66 "less a file that is not there"

# ---- histories ------------------------------------------------------------------------------------------------------

run_edgewise plot box.series.csv --width 400
is "$code $(signature box.series.png 8)" "0 89504e470d0a1a0a" "a history"
contains "$out" "box.series.png: 1 curve over time" "... over time"
run_edgewise plot box.series.csv --title "a density wave" --width 400 -o titled.png
cmp -s box.series.png titled.png
ok $? "... with the title of the case"
run_edgewise plot box.series.csv --columns total_rho,total_E --over step -o two.svg
contains "$out" "two.svg: 2 curves over step" "two columns"
awk 'BEGIN { for (row = -1; row < 3; row++) {
    printf row < 0 ? "t" : row; for (k = 1; k <= 40; k++) printf row < 0 ? ",c" k : "," row + k; print "" } }' >many.csv
run_edgewise plot many.csv --over t --columns "$(seq -s , -f c%g 40)" -o many.svg
contains "$out" "many.svg: 40 curves over t" "any number of columns"
cp box.series.csv again.series.csv
printf '9,' >>again.series.csv # a line that is not whole
run_edgewise plot box.series.csv again.series.csv --columns total_rho --window 0,0,1,2 -o two.png
contains "$out" "two.png: 2 curves" "two tables"
mkdir other
cp box.series.csv other/
run_edgewise plot box.series.csv other/box.series.csv --columns total_rho -o same.svg
run_edgewise plot box.series.csv again.series.csv --columns total_rho -o different.svg
ok "$(test "$(wc -c <same.svg)" -gt "$(wc -c <different.svg)"; echo $?)" \
    "two tables of one name: the legend has their paths"
awk 'BEGIN { print "time,total_rho,residual_rho,residual_v,foil_lift"
    for (k = 0; k < 9; k++) print k ",1," 10^-k ",0," k }' >steady.csv
run_edgewise plot steady.csv
contains "$out" "steady.png: 1 curve over time" "the residuals that are not always 0 are the default"
cp steady.png default.png
run_edgewise plot steady.csv --columns residual_rho --log
cmp -s steady.png default.png
ok $? "... on a logarithmic axis"
refused "half of a column's name" \
    '--columns: steady.csv has no numbers in a column "lift"; did you mean "foil_lift"?' steady.csv --columns lift
rm -r other
run_edgewise plot --list box.series.csv
contains "$out" "  total_rho" "--list has the columns"
refused "a column that is not there" \
    '--columns: box.series.csv has no numbers in a column "naca_lift"; it has step, time, dt, total_rho' \
    box.series.csv --columns naca_lift
printf 'job,id,order,let.a,status,end,time,steps,rho\na,1,2,,done,,,1,3\nb,2,3,,done,,,1,4
c,3,2,7,done,,,1,5\nd,4,3,7,done,,,1,6\n' >unset.csv
run_edgewise plot unset.csv --over order
contains "$out" "2 curves over order" "jobs that do not set a key have a curve of their own"
run_edgewise plot unset.csv --over order -o unset.svg
sed 's/,,done/,6,done/' unset.csv >set.csv
run_edgewise plot set.csv --over order --title unset -o set.svg
ok "$(test "$(wc -c <set.svg)" -lt "$(wc -c <unset.svg)"; echo $?)" "... with a name in the legend"
printf 'job,id,order,let.a,status,end,time,steps,rho\na,1,2,,done,,,,3\nb,2,3,7,failed,,,,\n' >mixed.csv
refused "two columns of which no row has both" \
    'mixed.csv: no row has numbers of both "let.a" and "rho"; --over takes another column' \
    mixed.csv --over let.a --columns rho
refused "an abscissa that is not there" '--over: box.series.csv has no numbers in a column "x"' box.series.csv --over x
refused "isolines of a history" "--isolines applies to pictures of a field, not to histories (FILE.csv)" \
    box.series.csv --isolines 3
refused "two ranges" "--range and --window both set the y axis" box.series.csv --range 0,1 --window 0,0,1,1
refused "colours of a history" "--range robust is for colours" box.series.csv --range robust
printf 'name,"a ""quoted"", name"\nx,1\ny,2\n' >quoted.csv
run_edgewise plot quoted.csv --columns 'a "quoted"' -o refused.png
contains "$err" 'it has a "quoted", name' "quoted names are read as they are meant"
for what in "" "time,a" "time,a
x"; do
    printf %s "$what" >empty.csv
    run_edgewise plot empty.csv
    is "$code $err" "65 edgewise: empty.csv has no lines of values yet." "a table without values"
done
run_edgewise plot missing.csv
is "$code" 66 "a table that is not there"

# ---- files that do harm ---------------------------------------------------------------------------------------------

mkfifo pipe.csv pipe.nc
for pipe in pipe.csv pipe.nc; do
    out=$(timeout 20 "$edgewise" plot "$pipe" 2>&1)
    contains "$? $out" "66 edgewise: cannot read $pipe: it is not a regular file" "a pipe is no file to wait for"
done
library=$top_builddir/.libs/libfaults.so
if test -e "$library"; then
    out=$(EW_FAULT_HDF5=memory LD_PRELOAD=$library ASAN_OPTIONS=${ASAN_OPTIONS:-}:verify_asan_link_order=0 \
        "$edgewise" plot --list box.nc 2>&1)
    contains "$? $out" "66 edgewise: box.nc is damaged: opening it takes more memory than a file of its size can need" \
        "a file that takes too much memory"
else
    skip "there is no $library" "a file that takes too much memory"
fi

# ---- films ----------------------------------------------------------------------------------------------------------

run_edgewise plot box.nc --film film.png --width 300 --vectors 9
is "$code $out" "0 film.png: 4 frames, 2 a second" "a film as an animated PNG"
is "$(grep -c acTL film.png)" 1 "... with its frames in one file"
here=$PATH
mkdir none fake
for tool in cat rm; do ln -s "$(command -v $tool)" none/; done
PATH=$tmp/none run_edgewise plot box.nc --film without.mp4 --width 300
PATH=$here
is "$code" 0 "a film without ffmpeg"
contains "$err" "there is no ffmpeg to write without.mp4; without.png is the film as an animated PNG instead" \
    "... says what it has written"
contains "$err" "apt install ffmpeg" "... and how to have it"
ok "$(test -s without.png && test ! -e without.mp4; echo $?)" "... and has"
cat >fake/ffmpeg <<'END'
#!/bin/sh
for last; do :; done
echo "$*" >"${0%/*}/arguments"
cat >"${last#file:}"
END
chmod +x fake/ffmpeg
PATH=$tmp/fake:$here run_edgewise plot box.nc --film film.gif --rate 7 --width 300
is "$code $out" "0 film.gif: 4 frames, 7 a second" "a film by ffmpeg"
contains "$(cat fake/arguments)" "-framerate 7 -c:v png -i - -filter_complex" "... with the rate"
is "$(grep -ac IEND film.gif) $(signature film.gif 8)" "4 89504e470d0a1a0a" "... which gets the four pictures"
PATH=$tmp/fake:$here run_edgewise plot box.nc --film film.webp --line 0,0.3,1,0.3
is "$code $(grep -ac IEND film.webp)" "0 4" "a film of a curve"
printf '#!/bin/sh\necho "Unknown encoder" >&2\nexit 3\n' >fake/ffmpeg
PATH=$tmp/fake:$here run_edgewise plot box.nc --film bad.mp4 --width 300
is "$code $err" "74 edgewise: ffmpeg could not make bad.mp4: Unknown encoder" "ffmpeg's own words if it fails"
PATH=$here
is "$(echo bad.mp4*)" "bad.mp4*" "... and nothing is left"
if command -v ffmpeg >/dev/null; then
    run_edgewise plot box.nc --film real.gif --width 200
    is "$code $(signature real.gif 4)" "0 47494638" "a GIF by the real ffmpeg"
else
    skip "there is no ffmpeg" "a GIF by the real ffmpeg"
fi
mkdir one
run_edgewise run --quiet --end 0 --output one box.cfg
run_edgewise plot one/box.nc --film one.gif
contains "$code $err" "64 edgewise: a film needs two frames or more, but one/box.nc has one" "a film of one frame"
refused "a film elsewhere" "--film draws all frames into its own file; leave out --output" box.nc --film a.gif
run_edgewise plot box.nc --film a.avi
contains "$code $err" "64 edgewise: --film needs a name that ends in .mp4, .gif, .webp or .png" "a film of another kind"
run_edgewise plot box.nc --film a.gif --frame 1
contains "$code $err" "64 edgewise: --film draws all frames into its own file; leave out --frame" "a film of a frame"
run_edgewise plot box.nc --rate 3
contains "$code $err" "64 edgewise: --rate applies to films" "a rate of no film"
done_testing
