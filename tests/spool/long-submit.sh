#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Submit killed before and after each of its system calls that change a file, and with each of them failing.
EW_STEP=1
export EW_STEP
exec "${SHELL:-/bin/sh}" "${srcdir:-$(dirname "$0")/../..}/tests/spool/submit.sh"
