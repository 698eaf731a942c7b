/* SPDX-License-Identifier: BSD-2-Clause */
/* The control volumes of the order EWI_ORDER, if it has them; not guarded, since they are. */
#if EWI_ORDER == 1
#include "tables/volumes_p1.h"
#elif EWI_ORDER == 2
#include "tables/volumes_p2.h"
#elif EWI_ORDER == 3
#include "tables/volumes_p3.h"
#endif
