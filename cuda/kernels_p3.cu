#define EWI_ORDER 3
#include "kernels.h"
