#!/bin/sh
# 1,000 SIGKILLs over a few hundred jobs, and one at each system call that changes a file.
exec "${top_builddir:-.}/tests/spool-faults" 1000 0
