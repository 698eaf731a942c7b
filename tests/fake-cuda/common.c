#define EWI_CUDA_ON_HOST
#include "common.cu"
