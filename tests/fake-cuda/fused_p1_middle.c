#define EWI_CUDA_ON_HOST
#include "fused_p1_middle.cu"
