/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All limiters; ewi_limiters.h says for which orders each one is, and when it acts. `jump_sensor` works on slots s .. s
 * + EWI_LANES - 1 of inner edges, `limit` in place on elements i .. i + EWI_LANES - 1. Stages of the fused sets include
 * limiters with a jump sensor.
 */
#include "limiter/barth_jespersen.h"
#include "limiter/oscillation_free.h"
