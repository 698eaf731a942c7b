#define EWI_ORDER 2
#include "kernels.h"
