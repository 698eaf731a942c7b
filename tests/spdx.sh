#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Each file that was written by hand and can have comments states its licence.
srcdir=${srcdir:-$(dirname "$0")/..}
cd "$srcdir" || exit 99

written_by_hand()
{
    find src omp cuda config io plot run cli spool cmd tests bench examples man \
        \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cc' -o -name '*.sh' -o -name '*.py' \
        -o -name '*.am' -o -name '*.in' -o -name '*.cfg' -o -name '*.geo' -o -name '*.map' -o -name '*.[1-9]' \) -type f
    find bench -type f -perm -u+x
    ls configure.ac Makefile.am quickstart .ci/run m4/ew_*.m4 build-aux/bundle.sh build-aux/relative-path.sh
}

without=$(written_by_hand | sort -u | while read -r file; do
    head -n 5 "$file" | grep -q 'SPDX-License-Identifier: BSD-2-Clause' || echo "$file"
done)
echo 1..1
if test -z "$without"; then
    echo "ok 1 - every file states its licence near its top"
else
    echo "not ok 1 - every file states its licence near its top"
    printf '%s\n' "$without" | sed 's/^/# /'
    exit 1
fi
