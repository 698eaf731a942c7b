#define EWI_ORDER 1
#include "kernels.h"
