#define EWI_CUDA_ON_HOST
#include "kernels_p2.cu"
