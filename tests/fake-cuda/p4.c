#define EWI_CUDA_ON_HOST
#include "kernels_p4.cu"
