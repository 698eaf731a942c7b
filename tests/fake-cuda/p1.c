#define EWI_CUDA_ON_HOST
#include "kernels_p1.cu"
