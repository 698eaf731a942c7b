#define EWI_ORDER 4
#include "kernels.h"
