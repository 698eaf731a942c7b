#define EWI_ORDER 3
#include "fused.h"
