#define EWI_ORDER 4
#include "fused.h"
