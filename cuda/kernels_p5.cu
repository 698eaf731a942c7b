#define EWI_ORDER 5
#include "kernels.h"
