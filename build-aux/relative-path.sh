#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# relative-path.sh FROM TO: how to get from one absolute folder to the other, for example ../lib.
from=${1%/}/ to=${2%/}/ up=
while case $to in "$from"*) false ;; esac; do
    from=${from%/}
    from=${from%/*}/
    up=../$up
done
path=$up${to#"$from"}
echo "${path%/}"
