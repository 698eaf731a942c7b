/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of the order EWI_ORDER; not guarded, since they are. */
#if EWI_ORDER == 1
#include "tables/p1.h"
#elif EWI_ORDER == 2
#include "tables/p2.h"
#elif EWI_ORDER == 3
#include "tables/p3.h"
#elif EWI_ORDER == 4
#include "tables/p4.h"
#elif EWI_ORDER == 5
#include "tables/p5.h"
#endif
