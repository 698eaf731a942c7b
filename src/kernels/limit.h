/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every limiter: ewi_limiters.h says for which orders each is, and when. `sense` has slots s .. s + EWI_LANES - 1 of
 * inner edges, and `limit` works in place on elements i .. i + EWI_LANES - 1. Stages of the fused sets do by themselves
 * what a limiter that senses does.
 */
#include "limiter/barth_jespersen.h"
#include "limiter/oscillation_free.h"
