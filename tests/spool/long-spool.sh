#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# 1,000 SIGKILLs over a few hundred jobs, and one at each system call that changes a file. Who has less time sets
# EW_SPOOL_KILLS, and EW_SPOOL_POINTS for the calls that are tried with each kind of job.
exec "${top_builddir:-.}/tests/spool/spool-faults" "${EW_SPOOL_KILLS:-1000}" "${EW_SPOOL_POINTS:-0}"
