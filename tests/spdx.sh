#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Each file that was written by hand and can have comments states its licence, and is as .editorconfig asks.
srcdir=${srcdir:-$(dirname "$0")/..}
cd "$srcdir" || exit 99

written_by_hand()
{
    find src omp cuda config io plot run cli spool cmd python tests bench examples man site \
        \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cc' -o -name '*.sh' -o -name '*.py' \
        -o -name '*.am' -o -name '*.css' -o -name '*.in' -o -name '*.cfg' -o -name '*.geo' -o -name '*.map' \
        -o -name '*.[1-9]' \) -type f
    find bench -type f -perm -u+x
    find cmd/completion packaging/container packaging/spack packaging/conda packaging/rpm -type f
    find packaging/debian -type f -perm -u+x
    ls configure.ac Makefile.am quickstart .ci/run m4/ew_*.m4 build-aux/bundle.sh build-aux/libraries.sh \
        build-aux/relative-path.sh build-aux/wheel.sh
}

without=$(written_by_hand | sort -u | xargs awk '
    FNR <= 5 && /SPDX-License-Identifier: BSD-2-Clause/ { states[FILENAME] }
    END { for (k = 1; k < ARGC; k++) if (!(ARGV[k] in states)) print ARGV[k] }')
# Rows of tables and what M4 reads may be longer. Where awk counts bytes, so does this.
long=$({ written_by_hand; find . -maxdepth 1 -name '*.md'; find bench examples python -name '*.md'; } | sort -u |
    grep -v -e '\.ac$' -e '\.m4$' | xargs awk 'length > 120 && !/^\|/ { print FILENAME ":" FNR }')
blank=$(written_by_hand | sort -u | xargs awk '
    /[ \t\r]$/ { print FILENAME ":" FNR ": white space at the end" }
    /\t/ && FILENAME ~ /\.(c|h|cu|cc|py|sh|cfg|geo)$/ { print FILENAME ":" FNR ": a tab" }')
files=$(written_by_hand | sort -u)
# One tail for all files, if that can be; else, and for the names, one each.
open=$(test "$(echo "$files" | xargs tail -q -c 1 2>/dev/null | wc -l)" -eq "$(echo "$files" | wc -l)" ||
    echo "$files" | while read -r file; do
        test -z "$(tail -c 1 "$file")" || echo "$file"
    done)

check() # NUMBER FILES DESCRIPTION
{
    if test -z "$2"; then
        echo "ok $1 - $3"
    else
        echo "not ok $1 - $3"
        printf '%s\n' "$2" | sed 's/^/# /'
        code=1
    fi
}

code=0
echo 1..4
check 1 "$without" "every file states its licence near its top"
check 2 "$long" "no line is longer than 120 columns"
check 3 "$blank" "no line ends in white space, and sources have no tabs"
check 4 "$open" "every file ends with a line break"
exit $code
