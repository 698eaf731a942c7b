#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# edgewise-case(5) has the keys, types, defaults and ranges of the option table, and its examples are cases.
srcdir=${srcdir:-$(dirname "$0")/..}
top_builddir=${top_builddir:-.}
list=$top_builddir/tests/config/list-options
page=$srcdir/man/edgewise-case.5
mandoc=${EW_MANDOC:-mandoc}

if ! test -x "$list"; then
    echo "Bail out! $list has not been built"
    exit 99
fi
folder=$(mktemp -d "${TMPDIR:-/tmp}/edgewise-man.XXXXXX") || exit 99
trap 'rm -rf "$folder"' EXIT
trap 'exit 99' HUP INT TERM

count=0
failures=0
# check NAME COMMAND...: the command's output, if it fails, says why
check() {
    count=$((count + 1))
    name=$1
    shift
    if "$@" >"$folder/why" 2>&1; then
        echo "ok $count - $name"
    else
        failures=$((failures + 1))
        echo "not ok $count - $name"
        sed 's/^/# /' "$folder/why"
    fi
}

# Both as lines "KEY: description"
"$list" | awk -F'|' '{
    value = $3
    if (value == "(none)") value = "optional"
    else if (value != "required") { gsub(/^\(|\)$/, "", value); value = "default " value }
    print $1 ": " $2 "; " value ($4 == "" ? "" : "; " $4) "."
}' | LC_ALL=C sort >"$folder/table" || exit 99
awk '/^\.Sh / { keys = ($2 == "KEYS") }
     /^\./ { if (key) print key ":" line; key = "" } # a long line goes on in the next one
     keys && /^\.It Ic / { key = $3; line = ""; next }
     key { line = line " " $0 }' "$page" |
         LC_ALL=C sort >"$folder/page" || exit 99
check "the page has the keys of the table, with their types, defaults and ranges" diff -u "$folder/table" "$folder/page"

# name|primitive|parameters|fluxes
"$list" laws | awk -F'|' '{ print $1 "|" $2 "|" ($3 == "" ? "none" : $3) "|" $4 }' >"$folder/laws"
awk '/^\.Sh / { laws = ($2 == "LAWS") }
     laws && /^\.It Ic / { printf "%s%s", seen++ ? "\n" : "", $3 }
     laws && /^\.It (primitive|parameters|fluxes)$/ { getline; printf "|%s", $0 }
     END { print "" }' "$page" >"$folder/page-laws"
check "the page has the laws, with their variables, parameters and fluxes" diff -u "$folder/laws" "$folder/page-laws"

# the literal blocks of EXAMPLES become case files
awk -v folder="$folder" '/^\.Sh / { examples = ($2 == "EXAMPLES") }
     examples && /^\.Bd -literal/ { file = folder "/example-" ++number ".cfg"; next }
     /^\.Ed/ { file = "" }
     file { gsub(/\\(dq|e)/, "\""); print > file }' "$page"
cp "$srcdir/examples/vortex/annulus-A.msh" "$folder" || exit 99
check "the page has two examples" test -f "$folder/example-2.cfg"
for example in "$folder"/example-*.cfg; do
    check "${example##*/} of the page is a case" "$list" read "$example"
done

if command -v "$mandoc" >/dev/null 2>&1; then
    check "mandoc has nothing to say about the page" "$mandoc" -T lint -W warning "$page"
else
    count=$((count + 1))
    echo "ok $count - mandoc has nothing to say about the page # SKIP there is no mandoc"
fi
echo "1..$count"
test "$failures" -eq 0
