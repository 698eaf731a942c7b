/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The NVIDIA driver, loaded at run time, so that one program starts on any machine. Its interface (CUDA driver API) is
 * stable; what is used of it is declared here, so that building needs no CUDA toolkit. Entries that older drivers lack
 * are NULL.
 */
#ifndef EWI_DRIVER_H
#define EWI_DRIVER_H

#include "edgewise.h"

#include <stdbool.h>

typedef int cu_result; /* 0: success */
typedef int cu_device;
typedef unsigned long long cu_address;
typedef struct cu_context *cu_context;
typedef struct cu_module *cu_module;
typedef struct cu_function *cu_function;
typedef struct cu_stream *cu_stream;
typedef struct cu_event *cu_event;
typedef struct cu_graph *cu_graph;
typedef struct cu_link *cu_link;
typedef struct cu_graph_exec *cu_graph_exec;

enum {
    CU_OUT_OF_MEMORY = 2,
    CU_DEVICE_UNAVAILABLE = 46,
    CU_REACHED_ALREADY = 704,
    CU_NO_DEVICE = 100,
    CU_INVALID_DEVICE = 101,
    CU_NO_BINARY_FOR_GPU = 209,
    CU_INVALID_PTX = 218,
    CU_UNSUPPORTED_PTX_VERSION = 222,
};

enum {
    CU_DEVICE_MULTIPROCESSORS = 16,
    CU_DEVICE_SECOND_CACHE_BYTES = 38,
    CU_DEVICE_THREADS_PER_MULTIPROCESSOR = 39,
    CU_DEVICE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_CAPABILITY_MINOR = 76,
    CU_DEVICE_SHARED_BYTES = 97, /* of a thread block that asks for them */
};

enum { CU_FUNCTION_SHARED_BYTES = 1, CU_FUNCTION_LOCAL_BYTES = 3, CU_FUNCTION_REGISTERS = 4,
       CU_FUNCTION_PTX_VERSION = 5, CU_FUNCTION_DYNAMIC_SHARED_BYTES = 8 };
enum { CU_PREFER_SHARED = 1, CU_PREFER_L1 = 2, CU_HOST_MAPPED = 2, CU_STREAM_NON_BLOCKING = 1, CU_CAPTURE_RELAXED = 2 };
enum { CU_EVENT_BLOCKING = 1, CU_EVENT_NO_TIMING = 2 }; /* blocking: the waiting thread sleeps */
enum { CU_JIT_ERROR_LOG = 5, CU_JIT_ERROR_LOG_BYTES = 6 };
enum { CU_LINK_PTX = 1, CU_LINK_FAT_BINARY = 2 };

/* A launch that may begin before the one ahead of it has ended (the driver's CUlaunchAttribute, CUlaunchConfig). */
enum { CU_LAUNCH_PROGRAMMATIC = 6 };
struct cu_launch_attribute {
    int id, padding, allowed;
    char rest[60];
};
struct cu_launch_config {
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
    cu_stream stream;
    struct cu_launch_attribute *attribute;
    unsigned attributes;
};

/* By it another process on the same host can use memory of this one's (the driver's CUipcMemHandle). */
enum { CU_IPC_REACH = 1 };
struct cu_ipc {
    char bytes[64];
};

/* X(member, symbol, parameters): those without which nothing goes */
#define EWI_DRIVER_ENTRIES(X)                                                                                       \
    X(init, cuInit, (unsigned flags))                                                                               \
    X(driver_version, cuDriverGetVersion, (int *version))                                                           \
    X(device_count, cuDeviceGetCount, (int *count))                                                                 \
    X(device_get, cuDeviceGet, (cu_device * device, int number))                                                    \
    X(device_name, cuDeviceGetName, (char *name, int size, cu_device device))                                       \
    X(device_attribute, cuDeviceGetAttribute, (int *value, int attribute, cu_device device))                        \
    X(device_memory, cuDeviceTotalMem_v2, (size_t *bytes, cu_device device))                                        \
    X(context_create, cuCtxCreate_v2, (cu_context * context, unsigned flags, cu_device device))                     \
    X(context_destroy, cuCtxDestroy_v2, (cu_context context))                                                       \
    X(context_push, cuCtxPushCurrent_v2, (cu_context context))                                                      \
    X(context_pop, cuCtxPopCurrent_v2, (cu_context * context))                                                      \
    X(module_load, cuModuleLoadDataEx, (cu_module * module, const void *image, unsigned count, int *option,         \
                                        void **value))                                                              \
    X(module_unload, cuModuleUnload, (cu_module module))                                                            \
    X(module_function, cuModuleGetFunction, (cu_function * function, cu_module module, const char *name))           \
    X(function_attribute, cuFuncGetAttribute, (int *value, int attribute, cu_function function))                    \
    X(function_cache, cuFuncSetCacheConfig, (cu_function function, int preference))                                 \
    X(memory_info, cuMemGetInfo_v2, (size_t * free, size_t *total))                                                 \
    X(allocate, cuMemAlloc_v2, (cu_address * address, size_t bytes))                                                \
    X(release, cuMemFree_v2, (cu_address address))                                                                  \
    X(host_allocate, cuMemHostAlloc, (void **pointer, size_t bytes, unsigned flags))                                \
    X(host_release, cuMemFreeHost, (void *pointer))                                                                 \
    X(host_address, cuMemHostGetDevicePointer_v2, (cu_address * address, void *pointer, unsigned flags))            \
    X(to_device, cuMemcpyHtoDAsync_v2, (cu_address target, const void *source, size_t bytes, cu_stream stream))     \
    X(to_host, cuMemcpyDtoHAsync_v2, (void *target, cu_address source, size_t bytes, cu_stream stream))             \
    X(on_device, cuMemcpyDtoDAsync_v2, (cu_address target, cu_address source, size_t bytes, cu_stream stream))      \
    X(clear, cuMemsetD32Async, (cu_address target, unsigned value, size_t count, cu_stream stream))                 \
    X(stream_create, cuStreamCreate, (cu_stream * stream, unsigned flags))                                          \
    X(stream_destroy, cuStreamDestroy_v2, (cu_stream stream))                                                       \
    X(stream_wait, cuStreamSynchronize, (cu_stream stream))                                                         \
    X(stream_wait_event, cuStreamWaitEvent, (cu_stream stream, cu_event event, unsigned flags))                     \
    X(event_create, cuEventCreate, (cu_event * event, unsigned flags))                                              \
    X(event_destroy, cuEventDestroy_v2, (cu_event event))                                                           \
    X(event_record, cuEventRecord, (cu_event event, cu_stream stream))                                              \
    X(event_wait, cuEventSynchronize, (cu_event event))                                                             \
    X(event_elapsed, cuEventElapsedTime, (float *milliseconds, cu_event begin, cu_event end))                       \
    X(launch, cuLaunchKernel,                                                                                       \
      (cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, \
       unsigned block_z, unsigned shared_bytes, cu_stream stream, void **parameter, void **extra))

/*
 * ... and those of later drivers (linking: CUDA 6.5; function attributes: CUDA 9; graphs: CUDA 10 and 11.4; launches
 * with attributes: 11.8)
 */
#define EWI_DRIVER_OPTIONAL(X)                                                                                 \
    X(function_set, cuFuncSetAttribute, (cu_function function, int attribute, int value))                      \
    X(error_name, cuGetErrorName, (cu_result code, const char **name))                                         \
    X(error_text, cuGetErrorString, (cu_result code, const char **text))                                       \
    X(primary_retain, cuDevicePrimaryCtxRetain, (cu_context * context, cu_device device))                      \
    X(primary_release, cuDevicePrimaryCtxRelease_v2, (cu_device device))                                       \
    X(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *blocks, cu_function function, int threads, \
                                                               size_t shared))                                 \
    X(can_reach, cuDeviceCanAccessPeer, (int *can, cu_device device, cu_device other))                         \
    X(reach, cuCtxEnablePeerAccess, (cu_context other, unsigned flags))                                        \
    X(device_bus, cuDeviceGetPCIBusId, (char *text, int size, cu_device device))                               \
    X(memory_range, cuMemGetAddressRange_v2, (cu_address * base, size_t *bytes, cu_address address))           \
    X(ipc_handle, cuIpcGetMemHandle, (struct cu_ipc * handle, cu_address address))                             \
    X(ipc_open, cuIpcOpenMemHandle_v2, (cu_address * base, struct cu_ipc handle, unsigned flags))              \
    X(ipc_close, cuIpcCloseMemHandle, (cu_address base))                                                       \
    X(launch_with, cuLaunchKernelEx,                                                                           \
      (const struct cu_launch_config *config, cu_function function, void **parameter, void **extra))           \
    X(capture_begin, cuStreamBeginCapture_v2, (cu_stream stream, int mode))                                    \
    X(capture_end, cuStreamEndCapture, (cu_stream stream, cu_graph *graph))                                    \
    X(graph_instantiate, cuGraphInstantiateWithFlags, (cu_graph_exec * exec, cu_graph graph,                   \
                                                       unsigned long long flags))                              \
    X(graph_launch, cuGraphLaunch, (cu_graph_exec exec, cu_stream stream))                                     \
    X(graph_exec_destroy, cuGraphExecDestroy, (cu_graph_exec exec))                                            \
    X(graph_destroy, cuGraphDestroy, (cu_graph graph))                                                         \
    X(link_create, cuLinkCreate_v2, (unsigned count, int *option, void **value, cu_link *link))                \
    X(link_add, cuLinkAddData_v2, (cu_link link, int kind, void *data, size_t bytes, const char *name,         \
                                   unsigned count, int *option, void **value))                                 \
    X(link_complete, cuLinkComplete, (cu_link link, void **linked, size_t *bytes))                             \
    X(link_destroy, cuLinkDestroy, (cu_link link))

struct ewi_driver {
    void *library;
#define EWI_DRIVER_MEMBER(member, symbol, parameters) cu_result(*member) parameters;
    EWI_DRIVER_ENTRIES(EWI_DRIVER_MEMBER)
    EWI_DRIVER_OPTIONAL(EWI_DRIVER_MEMBER)
#undef EWI_DRIVER_MEMBER
};

/* Loads and initialises the driver; EW_EUNAVAILABLE with the reason if there is none, or none that works. */
int ewi_driver_open(struct ewi_driver *driver, ew_error *error);
void ewi_driver_close(struct ewi_driver *driver);
/*
 * The driver's number of a GPU. They differ where the command has hidden other GPUs from the driver: this variable of
 * the environment then has the numbers of those that are left, "1,3", in the driver's order (cli/gpus.c). -1: hidden.
 */
#define EWI_GPU_NUMBERS "EDGEWISE_GPU_NUMBERS"
int ewi_driver_ordinal(int number);
/* EW_EUNAVAILABLE, for an open driver that counts no GPU. */
int ewi_driver_no_gpu(const struct ewi_driver *driver, ew_error *error);

/* The driver's own words for a result: "CUDA_ERROR_NO_DEVICE: no CUDA-capable device is detected". */
const char *ewi_driver_words(const struct ewi_driver *driver, cu_result result, char *text, size_t size);

#endif
