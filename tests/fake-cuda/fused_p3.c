#define EWI_CUDA_ON_HOST
#include "fused_p3.cu"
