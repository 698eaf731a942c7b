/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of the order EWI_ORDER for water over a bed; not guarded, since they are. */
#if EWI_ORDER == 1
#include "tables/bed_p1.h"
#elif EWI_ORDER == 2
#include "tables/bed_p2.h"
#elif EWI_ORDER == 3
#include "tables/bed_p3.h"
#elif EWI_ORDER == 4
#include "tables/bed_p4.h"
#elif EWI_ORDER == 5
#include "tables/bed_p5.h"
#endif
