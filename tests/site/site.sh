#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The pages that make html writes: all that should be there is there, and every link leads somewhere.
tap_core=yes
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
test "$EW_SITE" = yes || skip_all "${EW_SITE:-make check says where mandoc and Python-Markdown are}"
check="$EW_SITE_PYTHON $srcdir/tests/site/check.py"

test_pages()
{
    # shellcheck disable=SC2086
    $EW_SITE_PYTHON "$srcdir/site/site.py" "$srcdir" html "$EW_MANDOC" 1.2.3 >log 2>&1
    ok $? "the pages are written" || bail_out "$(cat log)"
    is "$($check html)" "" "no link, anchor or picture is dead, and the index leads to every page"
    contains "$(cat html/index.html)" "edgewise 1.2.3" "pages name the version"
    without=$(for page in "$srcdir"/man/*.[1-9]; do
        test -s "html/man/$(basename "$page").html" || echo "$page"
    done)
    is "$without" "" "every manual page is one"
}

# What a reader of an example wants: the picture, how to run it, and the case itself.
test_examples()
{
    without=$(for readme in "$srcdir"/examples/*/README.md; do
        folder=$(dirname "$readme") page=html/examples/$(basename "$(dirname "$readme")")/index.html
        for case in "$folder"/*.cfg; do
            test -e "$case" || continue
            name=$(basename "$case")
            grep -q "id=\"$name\"" "$page" && test -s "$(dirname "$page")/$name" || echo "$page: no text of $name"
        done
        for picture in "$folder"/*.png; do
            test ! -e "$picture" || grep -q "<img.*$(basename "$picture")" "$page" || echo "$page: no $picture"
        done
        grep -q -E 'edgewise (run|study|sweep|watch)|python3|pkg-config|jupyter|\.ipynb' "$page" ||
            echo "$page: how is it run?"
    done)
    is "$without" "" "the page of each example has its cases, its pictures, and how to run it"
    contains "$(cat html/examples/index.html)" 'href="sod/index.html"><img' "the examples' pictures are on one page"
}

test_names()
{
    contains "$(cat html/index.html)" '<a href="man/edgewise-spool.7.html"><code>' \
        "names of manual pages are links"
    contains "$(cat html/index.html)" '<a href="man/edgewise-case.5.html#output.restart"><code>' "... and keys of cases"
}

# The check itself finds what is wrong.
test_check()
{
    cp -R html broken
    rm broken/examples/sod/sod.png broken/news.html
    sed -i.old 's/id="SYNOPSIS"/id="OTHER"/; s/<\/main>//' broken/man/edgewise.1.html
    echo '<title>alone</title>' >broken/alone.html
    wrong=$($check broken)
    contains "$wrong" "examples/sod/index.html: sod.png leads nowhere" "a missing picture is found"
    contains "$wrong" "index.html: news.html leads nowhere" "... a missing page"
    contains "$wrong" "man/edgewise.1.html: #SYNOPSIS has no such anchor" "... a missing anchor"
    contains "$wrong" "man/edgewise.1.html: </body> closes main" "... an open element"
    contains "$wrong" "alone.html: no link leads to it" "... and a page that nothing leads to"
}

test_pages
test_examples
test_names
test_check
done_testing
