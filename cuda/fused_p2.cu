#define EWI_ORDER 2
#include "fused.h"
