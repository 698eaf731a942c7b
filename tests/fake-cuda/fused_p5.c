#define EWI_CUDA_ON_HOST
#include "fused_p5.cu"
