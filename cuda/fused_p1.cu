#define EWI_ORDER 1
#include "fused.h"
