/* All kernels of one order, for every law: one module of the device, with its tables in constant memory. */
#include "ewi_cuda_device.h"

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

#include "ewi_cuda_threads.h"
#include "kernels/begin.h"
#include "kernels/update.h"

EWI_CONSTANT double table_PHI[] = EWI_JOIN3(EWI_P, EWI_ORDER, _PHI);
EWI_CONSTANT double table_DR[] = EWI_JOIN3(EWI_P, EWI_ORDER, _DR);
EWI_CONSTANT double table_DS[] = EWI_JOIN3(EWI_P, EWI_ORDER, _DS);
EWI_CONSTANT double table_SIDE[] = EWI_JOIN3(EWI_P, EWI_ORDER, _SIDE);
EWI_CONSTANT double table_EDGE_WEIGHT[] = EWI_JOIN3(EWI_P, EWI_ORDER, _EDGE_WEIGHT);
#define EWI_TABLE(name) table_##name

#ifdef EWI_CUDA_ON_HOST
#define EWI_ON_HOST(name) EWI_JOIN4(ewi_on_host_p, EWI_ORDER, _, name)
#endif

#include "kernels/end.h"

#define EWI_EACH_LAW_FILE "edgewise_kernels.h"
#include "kernels/each_law.h"
