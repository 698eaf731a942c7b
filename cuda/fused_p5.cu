#define EWI_ORDER 5
#include "fused.h"
