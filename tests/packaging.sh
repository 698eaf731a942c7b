#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The recipes of packages against configure.ac, where version and dependencies stand, and what reads them.
tap_core=yes
# shellcheck source=tests/tap.sh
. "${srcdir:-$(dirname "$0")/..}/tests/tap.sh"
top=$srcdir
recipes=$top/packaging
version=$(sed -n 's/^AC_INIT(\[edgewise\], \[\([^]]*\)\].*/\1/p' "$top/configure.ac")

# "LIBRARY MINIMUM APT DNF", a line for each library, from the calls of EW_REQUIRE_PACKAGE and EW_OPTIONAL_PACKAGE.
tr '\n' ' ' <"$top/configure.ac" | grep -o -E 'EW_(REQUIRE|OPTIONAL)_PACKAGE\([^()]*\)' |
    sed 's/^[^(]*(//; s/)$//; s/\[//g; s/\]//g' | awk -F', *' '{
        split($(NF - 5), module, / *>= */)
        print module[1], (module[2] == "" ? "-" : module[2]), $(NF - 3), $(NF - 2)
    }' >libraries

# field FILE NAME: a field of a Debian control file, in one line, of all paragraphs.
field()
{
    awk -v name="$2:" '/^[^ ]/ { in_it = $1 == name; sub(/^[^:]*:/, "") } in_it' "$1" | tr '\n' ' '
}

test_version()
{
    is "$(test -n "$version"; echo $?)" 0 "configure.ac has a version" || return
    is "$(sed -n 's/^version: //p' "$top/CITATION.cff")" "$version" "CITATION.cff has the version of configure.ac"
    is "$(sed -n '1s/edgewise (\(.*\)-[^)]*) .*/\1/p' "$recipes/debian/changelog")" "$version" "... debian/changelog"
    is "$(sed -n 's/^Version: *//p' "$recipes/rpm/edgewise.spec")" "$version" "... edgewise.spec"
    contains "$(grep -A 1 '^%changelog' "$recipes/rpm/edgewise.spec")" " - $version-" "... its changelog"
    is "$(sed -n 's/^  version: "\(.*\)"/\1/p' "$recipes/conda/recipe.yaml")" "$version" "... the recipe for conda"
    is "$(sed -n 's/^    version("\(.*\)")/\1/p' "$recipes/spack/packages/edgewise/package.py")" "$version" \
        "... the recipe for Spack"
    contains "$(cat "$recipes/spack/packages/edgewise/package.py")" "/edgewise-$version.tar" "... and its archive"
}

# missing TEXT WORD...: those words that are not in the text.
missing()
{
    text=$(printf '%s' "$1" | tr -c '[:alnum:]._-' ' ')
    shift
    for word in "$@"; do
        case " $text " in *" $word "*) ;; *) printf '%s ' "$word" ;; esac
    done
}

# shellcheck disable=SC2046
test_dependencies()
{
    is "$(wc -l <libraries | tr -d ' ')" 5 "configure.ac names five libraries"
    is "$(missing "$(field "$recipes/debian/control" Build-Depends)" $(cut -d ' ' -f 3 libraries))" "" \
        "the Debian package is built with all of them"
    is "$(missing "$(field "$recipes/debian/control" Depends)" $(cut -d ' ' -f 3 libraries))" "" \
        "libedgewise-dev brings what the .pc files require"
    is "$(missing "$(cat "$recipes/container/build.sh")" $(cut -d ' ' -f 3 libraries))" "" "... so are images"
    is "$(missing "$(grep '^BuildRequires' "$recipes/rpm/edgewise.spec")" $(cut -d ' ' -f 4 libraries))" "" \
        "... and RPMs"
    is "$(missing "$(grep '^Requires' "$recipes/rpm/edgewise.spec")" $(cut -d ' ' -f 4 libraries))" "" \
        "edgewise-devel brings what the .pc files require"
    while read -r library least apt dnf; do
        for file in "$recipes/conda/recipe.yaml" "$recipes/spack/packages/edgewise/package.py"; do
            grep -q "^ *\(- \(lib\)\{0,1\}\|depends_on(\"\)$library" "$file"
            ok $? "$(basename "$file") names $library ($apt)"
        done
        test "$least" = - && continue
        contains "$(cat "$recipes/rpm/edgewise.spec")" "$dnf >= $least" "edgewise.spec has the least $library"
        grep -q "@$least:\"" "$recipes/spack/packages/edgewise/package.py"
        ok $? "... and package.py"
    done <libraries
}

# The number in a library's name is current - age of libtool's version-info.
test_sonames()
{
    for library in libedgewise libedgewise-case; do
        name=$(echo "${library}_la_LDFLAGS" | tr - _)
        number=$(cat "$top"/*/Makemodule.am | sed -n "s/^$name .*-version-info \([0-9:]*\).*/\1/p" |
            awk -F: '{ print $1 - $3 }')
        contains "$(cat "$recipes/debian/control")" "Package: $library$number
" "Debian's package is $library$number"
        test -f "$recipes/debian/$library$number.install"
        ok $? "... and has its list of files"
        contains "$(cat "$recipes/rpm/edgewise.spec")" "/$library.so.$number*" "edgewise.spec has $library.so.$number"
    done
}

test_images()
{
    for name in BUILD RUN; do
        image=$(sed -n "s/^ARG $name=//p" "$recipes/container/Dockerfile")
        contains "$(cat "$recipes/container/edgewise.def")" "$image
" "Docker and Apptainer have the same image: $image"
    done
    is "$(grep -o 'nvidia/cuda:[^ ]*' "$recipes/container/Dockerfile" "$recipes/container/edgewise.def" |
        sed 's/.*://' | sort -u | wc -l | tr -d ' ')" 1 "... for CUDA, too"
}

# reads TOOL DESCRIPTION COMMAND...: what the tool says of a recipe, where the tool is there.
reads()
{
    tool=$1 description=$2
    shift 2
    command -v "$tool" >/dev/null 2>&1 || { skip "there is no $tool" "$description"; return; }
    "$@" >log 2>&1
    ok $? "$description" || diag "$(cat log)"
}

test_tools()
{
    reads dpkg-parsechangelog "dpkg reads the changelog" dpkg-parsechangelog -l "$recipes/debian/changelog"
    reads rpmspec "rpmspec reads edgewise.spec" rpmspec -q "$recipes/rpm/edgewise.spec"
    reads python3 "Python reads package.py" python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' \
        "$recipes/spack/packages/edgewise/package.py"
    for script in container/build.sh debian/tests/run-case debian/tests/library debian/tests/python; do
        sh -n "$recipes/$script"
        ok $? "sh reads $script"
    done
    if "${EW_SITE_PYTHON:-python3}" -c 'import yaml' 2>/dev/null; then
        reads python3 "recipe.yaml is YAML with the outputs edgewise and edgewise-python" \
            "${EW_SITE_PYTHON:-python3}" -c 'import sys, yaml
recipe = yaml.safe_load(open(sys.argv[1]))
assert [output["package"]["name"] for output in recipe["outputs"]] == ["edgewise", "edgewise-python"]' \
            "$recipes/conda/recipe.yaml"
    else
        skip "there is no PyYAML" "recipe.yaml is YAML"
    fi
}

test_version
test_dependencies
test_sonames
test_images
test_tools
done_testing
