/* SPDX-License-Identifier: BSD-2-Clause */
/* Every limiter: ewi_limiters.h says for which orders each is. In place, on elements i .. i + EWI_LANES - 1. */
#include "limiter/barth_jespersen.h"
