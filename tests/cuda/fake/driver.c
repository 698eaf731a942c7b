/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A libcuda.so.1 without a GPU: the driver's entries that edgewise uses, on the host's memory, with edgewise's own
 * kernels compiled for the host (EWI_CUDA_ON_HOST) in place of device code. It is stricter than a GPU: memory that a
 * kernel must not touch is not mapped (arrays end at a guard page), the host cannot touch device memory at all, and new
 * memory is full of NaNs.
 *
 * What is asked of a stream last, a kernel or a copy to the host, is kept back until somebody waits for the stream or
 * for an event behind it, or something else is asked of it, so that who reads too early, or lets others overwrite what
 * is not copied yet, gets other bits.
 *
 * The variable FAKE_CUDA makes calls fail: "cuInit:100" always, "cuMemAlloc_v2:2@3" the third time and from then on;
 * several are separated by blanks. "devices:N" sets the number of GPUs (1), "nodes:N" what a graph can record, "ptx:N"
 * for which capability its code was made (90); what was made for earlier ones must not overlap with what is before it,
 * since it would not wait. With "only:K", calls fail on GPU K only; with "once:FILE", in the first process that meets a
 * failure, which removes the file.
 *
 * CUDA_VISIBLE_DEVICES may have numbers. FAKE_CUDA_LOG is a file that gets a line for each start, "sees N" GPUs, and
 * for each use of a GPU, "uses K", its number without that variable.
 */
#define _GNU_SOURCE
#include "ewi_cuda_call.h"
#include "ewi_driver.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
enum { INVALID_VALUE = 1, NOT_FOUND = 500, PAGE = 4096, MOST = 4096, MOST_DEVICES = 8, NESTED = 16,
       MOST_NODES = 512 };

/* A thread's stack of contexts, each of which is a GPU's. */
static _Thread_local int stack[NESTED], depth;

static int current_device(void)
{
    return depth > 0 ? stack[depth - 1] : 0;
}

static int number_of(const char *name, int otherwise)
{
    const char *rule = getenv("FAKE_CUDA");
    const char *found = rule ? strstr(rule, name) : NULL;
    return found ? atoi(found + strlen(name)) : otherwise;
}

/* ---- failing on demand ---- */

/* Whether it is this process that fails, and this GPU. */
static int strikes_here(void)
{
    static int first = -1;
    const char *rule = getenv("FAKE_CUDA"), *once = rule ? strstr(rule, "once:") : NULL;
    char file[256];
    int only = number_of("only:", -1);
    if (only >= 0 && only != current_device())
        return 0;
    if (!once)
        return 1;
    snprintf(file, sizeof file, "%.*s", (int)strcspn(once + 5, " "), once + 5);
    if (first < 0)
        first = unlink(file) == 0;
    return first;
}

static cu_result failure_of(const char *entry)
{
    static struct {
        const char *entry;
        long calls;
    } counted[64];
    static char last[256];
    const char *rule = getenv("FAKE_CUDA");
    size_t length = strlen(entry);
    if (strcmp(last, rule ? rule : "") != 0) { /* another test */
        memset(counted, 0, sizeof counted);
        snprintf(last, sizeof last, "%s", rule ? rule : "");
    }
    for (; rule && *rule; rule += strcspn(rule, " "), rule += strspn(rule, " ")) {
        if (strncmp(rule, entry, length) != 0 || rule[length] != ':')
            continue;
        char *end;
        long code = strtol(rule + length + 1, &end, 10), from = *end == '@' ? strtol(end + 1, NULL, 10) : 1;
        int k = 0;
        while (counted[k].entry && strcmp(counted[k].entry, entry) != 0)
            k++;
        counted[k].entry = entry;
        return ++counted[k].calls >= from && strikes_here() ? (cu_result)code : 0;
    }
    return 0;
}

/* By one thread at a time: copies are waited for by others than those that step. */
static cu_result failure(const char *entry)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    cu_result result = failure_of(entry);
    pthread_mutex_unlock(&lock);
    return result;
}

#define FAIL(entry)                          \
    do {                                     \
        cu_result result_ = failure(#entry); \
        if (result_ != 0)                    \
            return result_;                  \
    } while (0)

static int failures_are_asked_for(void)
{
    const char *rule = getenv("FAKE_CUDA");
    return rule && *rule;
}

static int visible(int number)
{
    const char *list = getenv("CUDA_VISIBLE_DEVICES");
    for (int k = 0; list && k < number && list; k++)
        list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL;
    return list && *list ? atoi(list) : -1;
}

static int devices(void)
{
    int count = number_of("devices:", 1), seen = 0;
    count = count < MOST_DEVICES ? count : MOST_DEVICES;
    if (!getenv("CUDA_VISIBLE_DEVICES"))
        return count;
    while (seen < count && visible(seen) >= 0 && visible(seen) < count)
        seen++;
    return seen;
}

static void note(const char *what, int number)
{
    const char *name = getenv("FAKE_CUDA_LOG");
    FILE *file = name ? fopen(name, "a") : NULL;
    if (!file)
        return;
    fprintf(file, "%s %d\n", what, number);
    fclose(file);
}

static void note_use(int number)
{
    note("uses", getenv("CUDA_VISIBLE_DEVICES") ? visible(number) : number);
}

static int made_for(void)
{
    return number_of("ptx:", 90);
}

/* ---- memory ---- */

static struct {
    char *map, *start;
    size_t mapped, bytes;
} memory[MOST];
static int memories;
static pthread_mutex_t memory_lock = PTHREAD_MUTEX_INITIALIZER; /* of these, and of: */
static bool is_open;

static void set_rights(int rights)
{
    for (int k = 0; k < memories; k++)
        if (memory[k].map)
            mprotect(memory[k].map, memory[k].mapped - PAGE, rights);
}

/*
 * The host may use the GPU's memory during calls only. To close it takes most of a test's time: the first calls do it,
 * then one in SOME; none while calls are made to fail. What one thread does keeps the memory open to others.
 */
static void open_memory(bool open)
{
    enum { FIRST = 1000, SOME = 32 };
    static int users;
    static long calls;
    pthread_mutex_lock(&memory_lock);
    users += open ? 1 : -1;
    bool closes = !open && users == 0 && !failures_are_asked_for() && (++calls < FIRST || calls % SOME == 0);
    if ((open && !is_open) || closes) {
        set_rights(open ? PROT_READ | PROT_WRITE : PROT_NONE);
        is_open = open;
    }
    pthread_mutex_unlock(&memory_lock);
}

static cu_result take_memory(cu_address *address, size_t bytes)
{
    int k = 0;
    while (k < memories && memory[k].map)
        k++;
    if (bytes == 0 || k == MOST)
        return INVALID_VALUE;
    size_t pages = (bytes + 15 + PAGE - 1) / PAGE * PAGE;
    char *map = mmap(NULL, pages + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        return CU_OUT_OF_MEMORY;
    memset(map, 0xff, pages);
    mprotect(is_open ? map + pages : map, is_open ? PAGE : pages + PAGE, PROT_NONE);
    char *start = map + (pages - (bytes + 15) / 16 * 16);
    memory[k].map = map;
    memory[k].start = start;
    memory[k].mapped = pages + PAGE;
    memory[k].bytes = bytes;
    memories = k == memories ? k + 1 : memories;
    *address = (cu_address)(uintptr_t)start;
    return 0;
}

EXPORT cu_result cuMemAlloc_v2(cu_address *address, size_t bytes);
EXPORT cu_result cuMemAlloc_v2(cu_address *address, size_t bytes)
{
    FAIL(cuMemAlloc_v2);
    pthread_mutex_lock(&memory_lock);
    cu_result result = take_memory(address, bytes);
    pthread_mutex_unlock(&memory_lock);
    return result;
}

static cu_result give_memory(cu_address address)
{
    for (int k = 0; k < memories; k++) {
        if ((cu_address)(uintptr_t)memory[k].start != address || !memory[k].map)
            continue;
        mprotect(memory[k].map, memory[k].mapped - PAGE, PROT_READ);
        for (const char *c = memory[k].start + memory[k].bytes; c < memory[k].map + memory[k].mapped - PAGE; c++)
            if (*c != (char)0xff) {
                fprintf(stderr, "fake-cuda: something was written just behind %zu bytes\n", memory[k].bytes);
                abort();
            }
        munmap(memory[k].map, memory[k].mapped);
        memory[k].map = memory[k].start = NULL;
        return 0;
    }
    return INVALID_VALUE;
}

EXPORT cu_result cuMemFree_v2(cu_address address);

/* ---- memory that another process sees, too ---- */

struct shared_memory {
    int process, file;
    size_t mapped, bytes;
};

static int find_memory(cu_address address)
{
    for (int k = 0; k < memories; k++)
        if (memory[k].map && (cu_address)(uintptr_t)memory[k].start == address)
            return k;
    return -1;
}

/* The same pages, at the same place, of a file from now on. */
static cu_result share_memory(int k, struct cu_ipc *handle)
{
    struct shared_memory shared = {getpid(), memfd_create("fake-cuda", 0), memory[k].mapped, memory[k].bytes};
    size_t size = memory[k].mapped - PAGE;
    mprotect(memory[k].map, size, PROT_READ);
    if (shared.file < 0 || write(shared.file, memory[k].map, size) != (ssize_t)size ||
        mmap(memory[k].map, size, is_open ? PROT_READ | PROT_WRITE : PROT_NONE, MAP_SHARED | MAP_FIXED, shared.file,
             0) == MAP_FAILED)
        return CU_OUT_OF_MEMORY;
    memset(handle, 0, sizeof *handle);
    memcpy(handle, &shared, sizeof shared);
    return 0;
}

EXPORT cu_result cuIpcGetMemHandle(struct cu_ipc *handle, cu_address address);
EXPORT cu_result cuIpcGetMemHandle(struct cu_ipc *handle, cu_address address)
{
    FAIL(cuIpcGetMemHandle);
    pthread_mutex_lock(&memory_lock);
    int k = find_memory(address);
    cu_result result = k < 0 ? INVALID_VALUE : share_memory(k, handle);
    pthread_mutex_unlock(&memory_lock);
    return result;
}

/* A handle is of a whole piece of memory, which begins before what it was asked for. */
EXPORT cu_result cuMemGetAddressRange_v2(cu_address *base, size_t *bytes, cu_address address);
EXPORT cu_result cuMemGetAddressRange_v2(cu_address *base, size_t *bytes, cu_address address)
{
    pthread_mutex_lock(&memory_lock);
    int k = find_memory(address);
    if (k >= 0) {
        *base = (cu_address)(uintptr_t)memory[k].map;
        *bytes = memory[k].mapped - PAGE;
    }
    pthread_mutex_unlock(&memory_lock);
    return k < 0 ? INVALID_VALUE : 0;
}

static cu_result map_memory(cu_address *base, const struct shared_memory *shared)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/%d/fd/%d", shared->process, shared->file);
    int file = open(name, O_RDWR), k = 0;
    while (k < memories && memory[k].map)
        k++;
    char *map = file < 0 || k == MOST ? MAP_FAILED
                                      : mmap(NULL, shared->mapped, is_open ? PROT_READ | PROT_WRITE : PROT_NONE,
                                             MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    if (map == MAP_FAILED)
        return INVALID_VALUE;
    memory[k].map = map;
    memory[k].start = map;
    memory[k].mapped = shared->mapped;
    memory[k].bytes = shared->mapped - PAGE;
    memories = k == memories ? k + 1 : memories;
    *base = (cu_address)(uintptr_t)map;
    return 0;
}

EXPORT cu_result cuIpcOpenMemHandle_v2(cu_address *base, struct cu_ipc handle, unsigned flags);
EXPORT cu_result cuIpcOpenMemHandle_v2(cu_address *base, struct cu_ipc handle, unsigned flags)
{
    struct shared_memory shared;
    FAIL(cuIpcOpenMemHandle_v2);
    memcpy(&shared, &handle, sizeof shared);
    if (flags != CU_IPC_REACH || shared.process == getpid())
        return INVALID_VALUE;
    pthread_mutex_lock(&memory_lock);
    cu_result result = map_memory(base, &shared);
    pthread_mutex_unlock(&memory_lock);
    return result;
}

EXPORT cu_result cuIpcCloseMemHandle(cu_address base);
EXPORT cu_result cuIpcCloseMemHandle(cu_address base)
{
    return cuMemFree_v2(base);
}

EXPORT cu_result cuDeviceGetPCIBusId(char *text, int size, cu_device device);
EXPORT cu_result cuDeviceGetPCIBusId(char *text, int size, cu_device device)
{
    snprintf(text, (size_t)size, "0000:%02x:00.0", (unsigned)device);
    return 0;
}

EXPORT cu_result cuMemFree_v2(cu_address address)
{
    pthread_mutex_lock(&memory_lock);
    cu_result result = give_memory(address);
    pthread_mutex_unlock(&memory_lock);
    return result;
}

static cu_result copy(void *target, const void *source, size_t bytes)
{
    open_memory(true);
    memcpy(target, source, bytes);
    open_memory(false);
    return 0;
}

/* ---- what else a context owns ---- */

static struct {
    void *pointer;
    int device;
} owned[MOST];

static void replace(void *old, void *new)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int k = 0;
    pthread_mutex_lock(&lock);
    while (k < MOST && owned[k].pointer != old)
        k++;
    if (k < MOST) {
        owned[k].pointer = new;
        owned[k].device = current_device();
    }
    pthread_mutex_unlock(&lock);
}

static void *own(void *pointer)
{
    replace(NULL, pointer);
    return pointer;
}

static cu_result release(void *pointer)
{
    if (pointer)
        replace(pointer, NULL);
    free(pointer);
    return 0;
}

/*
 * A context that cannot be entered any more takes its objects with it; at other times who does not free them is to be
 * found.
 */
static void end_of_context(int device)
{
    for (int k = 0; k < MOST && failures_are_asked_for(); k++)
        if (owned[k].device == device)
            release(owned[k].pointer);
}

/* ---- streams and graphs: what is asked for is kept back, unless its stream is being captured ---- */

struct cu_function {
    void (*body)(const void *given, int64_t block);
    char name[96];
    int shared; /* the most that a launch may ask for */
};

struct work {
    struct cu_function *function; /* NULL: a copy */
    union {
        union ewi_cuda_call call;
        struct ewi_cuda_members members;
    } given;
    unsigned blocks, shared;
    void *target;
    const void *source;
    size_t bytes;
};

struct cu_graph {
    struct work work[MOST_NODES];
    int count;
};

/* What a block of a kernel shares: full of NaNs at its start, and as large as its launch said. */
enum { SHARED_BYTES = 227 << 10, SHARED_GUARD = 512 };
_Thread_local double ewi_fused_shared[(SHARED_BYTES + SHARED_GUARD) / sizeof(double)];
/* Copies in whole pieces are what some GPUs have: every second launch is as on these. */
_Thread_local int ewi_fused_bulk;

static cu_result perform(const struct work *work)
{
    if (!work->function)
        return copy(work->target, work->source, work->bytes);
    open_memory(true);
    ewi_fused_bulk = !ewi_fused_bulk;
    for (unsigned block = 0; block < work->blocks; block++) {
        memset(ewi_fused_shared, 0xff, work->shared + SHARED_GUARD);
        work->function->body(&work->given, block);
        for (unsigned k = 0; k < SHARED_GUARD; k++)
            if (((const unsigned char *)ewi_fused_shared)[work->shared + k] != 0xff) {
                fprintf(stderr, "fake-cuda: %s wrote behind its %u bytes of shared memory\n", work->function->name,
                        work->shared);
                abort();
            }
    }
    open_memory(false);
    return 0;
}

struct cu_stream {
    pthread_mutex_t lock; /* of what is kept back */
    struct cu_graph *captures;
    bool keeps;
    struct work kept;
};

static cu_result finish(cu_stream stream)
{
    pthread_mutex_lock(&stream->lock);
    cu_result result = stream->keeps ? perform(&stream->kept) : 0;
    stream->keeps = false;
    pthread_mutex_unlock(&stream->lock);
    return result;
}

static cu_result keep_back(cu_stream stream, const struct work *work)
{
    cu_result result = finish(stream);
    stream->kept = *work;
    stream->keeps = true;
    return result;
}

static cu_result do_or_record(cu_stream stream, const struct work *work)
{
    struct cu_graph *graph = stream->captures;
    if (!graph)
        return finish(stream) == 0 ? perform(work) : INVALID_VALUE;
    if (graph->count == number_of("nodes:", MOST_NODES))
        return INVALID_VALUE;
    graph->work[graph->count++] = *work;
    return 0;
}

EXPORT cu_result cuMemcpyHtoDAsync_v2(cu_address target, const void *source, size_t bytes, cu_stream stream);
EXPORT cu_result cuMemcpyHtoDAsync_v2(cu_address target, const void *source, size_t bytes, cu_stream stream)
{
    FAIL(cuMemcpyHtoDAsync_v2);
    return do_or_record(stream, &(struct work){.target = (void *)(uintptr_t)target, .source = source, .bytes = bytes});
}

EXPORT cu_result cuMemcpyDtoHAsync_v2(void *target, cu_address source, size_t bytes, cu_stream stream);
EXPORT cu_result cuMemcpyDtoHAsync_v2(void *target, cu_address source, size_t bytes, cu_stream stream)
{
    FAIL(cuMemcpyDtoHAsync_v2);
    struct work work = {.target = target, .source = (void *)(uintptr_t)source, .bytes = bytes};
    return stream->captures ? do_or_record(stream, &work) : keep_back(stream, &work);
}

EXPORT cu_result cuMemcpyDtoDAsync_v2(cu_address target, cu_address source, size_t bytes, cu_stream stream);
EXPORT cu_result cuMemcpyDtoDAsync_v2(cu_address target, cu_address source, size_t bytes, cu_stream stream)
{
    FAIL(cuMemcpyDtoDAsync_v2);
    return do_or_record(stream, &(struct work){.target = (void *)(uintptr_t)target, .source = (void *)(uintptr_t)source,
                                               .bytes = bytes});
}

EXPORT cu_result cuLaunchKernel(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, cu_stream stream,
                                void **parameter, void **extra);
EXPORT cu_result cuLaunchKernel(cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared, cu_stream stream,
                                void **parameter, void **extra)
{
    FAIL(cuLaunchKernel);
    if (grid_x == 0 || grid_y != 1 || grid_z != 1 ||
        (block_x != EWI_CUDA_BLOCK && (block_x % 32 != 0 || block_x > 1024)) || block_y != 1 || block_z != 1 ||
        shared > SHARED_BYTES || (function->shared > 0 && shared > (unsigned)function->shared) || extra)
        return INVALID_VALUE;
    struct work work = {.function = function, .blocks = grid_x, .shared = shared};
    if (strstr(function->name, "_ensemble_"))
        work.given.members = *(const struct ewi_cuda_members *)parameter[0];
    else
        work.given.call = *(const union ewi_cuda_call *)parameter[0];
    return stream->captures ? do_or_record(stream, &work) : keep_back(stream, &work);
}

EXPORT cu_result cuLaunchKernelEx(const struct cu_launch_config *config, cu_function function, void **parameter,
                                  void **extra);
EXPORT cu_result cuLaunchKernelEx(const struct cu_launch_config *config, cu_function function, void **parameter,
                                  void **extra)
{
    FAIL(cuLaunchKernelEx);
    if (config->attributes != 1 || config->attribute->id != CU_LAUNCH_PROGRAMMATIC || config->attribute->allowed != 1)
        return INVALID_VALUE;
    if (made_for() < 90) {
        fprintf(stderr, "%s does not wait for the launch before it\n", function->name);
        abort();
    }
    return cuLaunchKernel(function, config->grid_x, config->grid_y, config->grid_z, config->block_x, config->block_y,
                          config->block_z, config->shared_bytes, config->stream, parameter, extra);
}

EXPORT cu_result cuStreamCreate(cu_stream *stream, unsigned flags);
EXPORT cu_result cuStreamCreate(cu_stream *stream, unsigned flags)
{
    FAIL(cuStreamCreate);
    (void)flags;
    *stream = own(calloc(1, sizeof **stream));
    if (*stream)
        pthread_mutex_init(&(*stream)->lock, NULL);
    return *stream ? 0 : CU_OUT_OF_MEMORY;
}

EXPORT cu_result cuStreamDestroy_v2(cu_stream stream);
EXPORT cu_result cuStreamDestroy_v2(cu_stream stream)
{
    return release(stream);
}

EXPORT cu_result cuStreamSynchronize(cu_stream stream);
EXPORT cu_result cuStreamSynchronize(cu_stream stream)
{
    FAIL(cuStreamSynchronize);
    return stream->captures ? INVALID_VALUE : finish(stream);
}

EXPORT cu_result cuStreamBeginCapture_v2(cu_stream stream, int mode);
EXPORT cu_result cuStreamBeginCapture_v2(cu_stream stream, int mode)
{
    (void)mode;
    FAIL(cuStreamBeginCapture_v2);
    stream->captures = own(calloc(1, sizeof *stream->captures));
    return stream->captures ? 0 : CU_OUT_OF_MEMORY;
}

EXPORT cu_result cuStreamEndCapture(cu_stream stream, cu_graph *graph);
EXPORT cu_result cuStreamEndCapture(cu_stream stream, cu_graph *graph)
{
    struct cu_graph *captured = stream->captures;
    cu_result result = failure("cuStreamEndCapture");
    stream->captures = NULL;
    *graph = result == 0 ? captured : NULL;
    return result == 0 ? 0 : (release(captured), result);
}

EXPORT cu_result cuGraphInstantiateWithFlags(cu_graph_exec *exec, cu_graph graph, unsigned long long flags);
EXPORT cu_result cuGraphInstantiateWithFlags(cu_graph_exec *exec, cu_graph graph, unsigned long long flags)
{
    (void)flags;
    FAIL(cuGraphInstantiateWithFlags);
    struct cu_graph *copied = own(malloc(sizeof *copied));
    if (!copied)
        return CU_OUT_OF_MEMORY;
    *copied = *graph;
    *exec = (cu_graph_exec)copied;
    return 0;
}

EXPORT cu_result cuGraphLaunch(cu_graph_exec exec, cu_stream stream);
EXPORT cu_result cuGraphLaunch(cu_graph_exec exec, cu_stream stream)
{
    FAIL(cuGraphLaunch);
    finish(stream);
    const struct cu_graph *graph = (const struct cu_graph *)exec;
    for (int k = 0; k < graph->count - 1; k++)
        perform(&graph->work[k]);
    return graph->count > 0 ? keep_back(stream, &graph->work[graph->count - 1]) : 0;
}

EXPORT cu_result cuGraphExecDestroy(cu_graph_exec exec);
EXPORT cu_result cuGraphExecDestroy(cu_graph_exec exec)
{
    return release(exec);
}

EXPORT cu_result cuGraphDestroy(cu_graph graph);
EXPORT cu_result cuGraphDestroy(cu_graph graph)
{
    return release(graph);
}

/* ---- modules: the kernels of this library ---- */

struct cu_module {
    char name[32]; /* "common", "kernels_p1", ... */
};

/* An image is followed by its name; one for these tests is its name. */
static const char *image_name(const void *image)
{
    const unsigned char *bytes = image;
    if (strncmp(image, "\x50\xed\x55\xba", 4) == 0) { /* a fat binary: its header's size and that of the rest */
        uint16_t header;
        uint64_t rest;
        memcpy(&header, bytes + 6, sizeof header);
        memcpy(&rest, bytes + 8, sizeof rest);
        return (const char *)bytes + header + rest + 1;
    }
    return bytes[0] == '/' ? (const char *)bytes + strlen(image) + 1 : image;
}

EXPORT cu_result cuModuleLoadDataEx(cu_module *module, const void *image, unsigned count, int *option, void **value);
EXPORT cu_result cuModuleLoadDataEx(cu_module *module, const void *image, unsigned count, int *option, void **value)
{
    (void)count, (void)option, (void)value;
    FAIL(cuModuleLoadDataEx);
    const char *name = image_name(image);
    struct cu_module *made = own(calloc(1, sizeof *made));
    if (!made)
        return CU_OUT_OF_MEMORY;
    snprintf(made->name, sizeof made->name, "%s", name);
    *module = made;
    return 0;
}

/* The linked module is the first one added, whatever is linked to it. */
struct cu_link {
    const void *image;
};

EXPORT cu_result cuLinkCreate_v2(unsigned count, int *option, void **value, cu_link *link);
EXPORT cu_result cuLinkCreate_v2(unsigned count, int *option, void **value, cu_link *link)
{
    (void)count, (void)option, (void)value;
    FAIL(cuLinkCreate_v2);
    *link = own(calloc(1, sizeof **link));
    return *link ? 0 : CU_OUT_OF_MEMORY;
}

EXPORT cu_result cuLinkAddData_v2(cu_link link, int kind, void *data, size_t bytes, const char *name, unsigned count,
                                  int *option, void **value);
EXPORT cu_result cuLinkAddData_v2(cu_link link, int kind, void *data, size_t bytes, const char *name, unsigned count,
                                  int *option, void **value)
{
    (void)name, (void)count, (void)option, (void)value;
    FAIL(cuLinkAddData_v2);
    if (kind == CU_LINK_PTX) {
        FAIL(compiler);
        return ((const char *)data)[bytes - 1] == '\0' && strncmp(data, ".version", 8) == 0 ? 0 : CU_INVALID_PTX;
    }
    link->image = data;
    return 0;
}

EXPORT cu_result cuLinkComplete(cu_link link, void **linked, size_t *bytes);
EXPORT cu_result cuLinkComplete(cu_link link, void **linked, size_t *bytes)
{
    FAIL(cuLinkComplete);
    *linked = (void *)(uintptr_t)link->image;
    *bytes = 0;
    return 0;
}

EXPORT cu_result cuLinkDestroy(cu_link link);
EXPORT cu_result cuLinkDestroy(cu_link link)
{
    return release(link);
}

EXPORT cu_result cuModuleUnload(cu_module module);
EXPORT cu_result cuModuleUnload(cu_module module)
{
    return release(module);
}

static cu_result find_function(cu_function *function, const char *symbol)
{
    enum { FUNCTIONS = 1024 };
    static struct cu_function made[FUNCTIONS];
    static int count;
    for (int k = 0; k < count; k++)
        if (strcmp(made[k].name, symbol) == 0) {
            *function = &made[k];
            return 0;
        }
    Dl_info here;
    dladdr((void *)(uintptr_t)cuModuleUnload, &here);
    void *library = dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD), *body = library ? dlsym(library, symbol) : NULL;
    if (library)
        dlclose(library);
    if (!body || count == FUNCTIONS)
        return NOT_FOUND;
    memcpy(&made[count].body, &body, sizeof body);
    snprintf(made[count].name, sizeof made[count].name, "%s", symbol);
    *function = &made[count++];
    return 0;
}

EXPORT cu_result cuModuleGetFunction(cu_function *function, cu_module module, const char *name);
EXPORT cu_result cuModuleGetFunction(cu_function *function, cu_module module, const char *name)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    char symbol[96];
    FAIL(cuModuleGetFunction);
    snprintf(symbol, sizeof symbol, "ewi_on_host_%s_%s", module->name, name);
    pthread_mutex_lock(&lock);
    cu_result result = find_function(function, symbol);
    pthread_mutex_unlock(&lock);
    return result;
}

EXPORT cu_result cuFuncGetAttribute(int *value, int attribute, cu_function function);
EXPORT cu_result cuFuncGetAttribute(int *value, int attribute, cu_function function)
{
    *value = attribute == CU_FUNCTION_REGISTERS              ? 32
             : attribute == CU_FUNCTION_PTX_VERSION          ? made_for()
             : attribute == CU_FUNCTION_DYNAMIC_SHARED_BYTES ? function->shared
                                                             : 0;
    return 0;
}

EXPORT cu_result cuFuncSetCacheConfig(cu_function function, int preference);
EXPORT cu_result cuFuncSetCacheConfig(cu_function function, int preference)
{
    (void)function;
    return preference == CU_PREFER_L1 || preference == CU_PREFER_SHARED ? 0 : INVALID_VALUE;
}

EXPORT cu_result cuFuncSetAttribute(cu_function function, int attribute, int value);
EXPORT cu_result cuFuncSetAttribute(cu_function function, int attribute, int value)
{
    FAIL(cuFuncSetAttribute);
    function->shared = value;
    return attribute == CU_FUNCTION_DYNAMIC_SHARED_BYTES && value <= SHARED_BYTES ? 0 : INVALID_VALUE;
}

EXPORT cu_result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, cu_function function, int threads,
                                                             size_t shared);
EXPORT cu_result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, cu_function function, int threads,
                                                             size_t shared)
{
    (void)function, (void)threads;
    int room = (SHARED_BYTES + 1024) / ((int)shared + 1024);
    *blocks = room < 4 ? room : 4;
    return 0;
}

/* ---- the rest ---- */

EXPORT cu_result cuInit(unsigned flags);
EXPORT cu_result cuInit(unsigned flags)
{
    (void)flags;
    FAIL(cuInit);
    note("sees", devices());
    return 0;
}

EXPORT cu_result cuDriverGetVersion(int *version);
EXPORT cu_result cuDriverGetVersion(int *version)
{
    *version = 13000;
    return 0;
}

EXPORT cu_result cuDeviceGetCount(int *count);
EXPORT cu_result cuDeviceGetCount(int *count)
{
    FAIL(cuDeviceGetCount);
    *count = devices();
    return 0;
}

EXPORT cu_result cuDeviceGet(cu_device *device, int number);
EXPORT cu_result cuDeviceGet(cu_device *device, int number)
{
    FAIL(cuDeviceGet);
    note_use(number);
    *device = number;
    return number < devices() ? 0 : CU_INVALID_DEVICE;
}

EXPORT cu_result cuDeviceGetName(char *name, int size, cu_device device);
EXPORT cu_result cuDeviceGetName(char *name, int size, cu_device device)
{
    (void)device;
    snprintf(name, (size_t)size, "no GPU at all");
    return 0;
}

EXPORT cu_result cuDeviceGetAttribute(int *value, int attribute, cu_device device);
EXPORT cu_result cuDeviceGetAttribute(int *value, int attribute, cu_device device)
{
    (void)device;
    *value = attribute == CU_DEVICE_CAPABILITY_MAJOR             ? 9
             : attribute == CU_DEVICE_MULTIPROCESSORS            ? 2
             : attribute == CU_DEVICE_SHARED_BYTES               ? SHARED_BYTES
             : attribute == CU_DEVICE_THREADS_PER_MULTIPROCESSOR ? 2048
                                                                 : 0;
    return 0;
}

EXPORT cu_result cuDeviceTotalMem_v2(size_t *bytes, cu_device device);
EXPORT cu_result cuDeviceTotalMem_v2(size_t *bytes, cu_device device)
{
    (void)device;
    *bytes = (size_t)1 << 30;
    return 0;
}

EXPORT cu_result cuMemGetInfo_v2(size_t *free_bytes, size_t *total);
EXPORT cu_result cuMemGetInfo_v2(size_t *free_bytes, size_t *total)
{
    *free_bytes = (size_t)5 << 20;
    *total = (size_t)1 << 30;
    return 0;
}

struct cu_context {
    int retained;
};
static struct cu_context contexts[MOST_DEVICES];
static pthread_mutex_t context_lock = PTHREAD_MUTEX_INITIALIZER; /* of how often they are retained */

EXPORT cu_result cuDevicePrimaryCtxRetain(cu_context *context, cu_device device);
EXPORT cu_result cuDevicePrimaryCtxRetain(cu_context *context, cu_device device)
{
    FAIL(cuDevicePrimaryCtxRetain);
    note_use(device);
    pthread_mutex_lock(&context_lock);
    *context = &contexts[device];
    contexts[device].retained++;
    pthread_mutex_unlock(&context_lock);
    return 0;
}

EXPORT cu_result cuDevicePrimaryCtxRelease_v2(cu_device device);
EXPORT cu_result cuDevicePrimaryCtxRelease_v2(cu_device device)
{
    pthread_mutex_lock(&context_lock);
    if (--contexts[device].retained == 0)
        end_of_context(device);
    pthread_mutex_unlock(&context_lock);
    return 0;
}

static cu_result push(int device)
{
    if (depth == NESTED)
        return INVALID_VALUE;
    stack[depth++] = device;
    return 0;
}

EXPORT cu_result cuCtxCreate_v2(cu_context *context, unsigned flags, cu_device device);
EXPORT cu_result cuCtxCreate_v2(cu_context *context, unsigned flags, cu_device device)
{
    (void)flags;
    FAIL(cuCtxCreate_v2);
    *context = &contexts[device];
    return push(device);
}

EXPORT cu_result cuCtxDestroy_v2(cu_context context);
EXPORT cu_result cuCtxDestroy_v2(cu_context context)
{
    end_of_context((int)(context - contexts));
    return 0;
}

EXPORT cu_result cuCtxPushCurrent_v2(cu_context context);
EXPORT cu_result cuCtxPushCurrent_v2(cu_context context)
{
    FAIL(cuCtxPushCurrent_v2);
    return push((int)(context - contexts));
}

EXPORT cu_result cuCtxPopCurrent_v2(cu_context *context);
EXPORT cu_result cuCtxPopCurrent_v2(cu_context *context)
{
    *context = &contexts[current_device()];
    if (depth-- > 0)
        return 0;
    fprintf(stderr, "fake-cuda: a context was popped that had not been pushed\n");
    abort();
}

EXPORT cu_result cuDeviceCanAccessPeer(int *can, cu_device device, cu_device other);
EXPORT cu_result cuDeviceCanAccessPeer(int *can, cu_device device, cu_device other)
{
    *can = device != other;
    return 0;
}

EXPORT cu_result cuCtxEnablePeerAccess(cu_context other, unsigned flags);
EXPORT cu_result cuCtxEnablePeerAccess(cu_context other, unsigned flags)
{
    FAIL(cuCtxEnablePeerAccess);
    return flags != 0 || other == &contexts[current_device()] ? INVALID_VALUE : 0;
}

EXPORT cu_result cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags);
EXPORT cu_result cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags)
{
    (void)flags;
    FAIL(cuMemHostAlloc);
    *pointer = own(calloc(1, bytes));
    return *pointer ? 0 : CU_OUT_OF_MEMORY;
}

EXPORT cu_result cuMemFreeHost(void *pointer);
EXPORT cu_result cuMemFreeHost(void *pointer)
{
    return release(pointer);
}

EXPORT cu_result cuMemHostGetDevicePointer_v2(cu_address *address, void *pointer, unsigned flags);
EXPORT cu_result cuMemHostGetDevicePointer_v2(cu_address *address, void *pointer, unsigned flags)
{
    (void)flags;
    *address = (cu_address)(uintptr_t)pointer;
    return 0;
}

EXPORT cu_result cuMemsetD32Async(cu_address target, unsigned value, size_t count, cu_stream stream);
EXPORT cu_result cuMemsetD32Async(cu_address target, unsigned value, size_t count, cu_stream stream)
{
    finish(stream);
    open_memory(true);
    for (size_t k = 0; k < count; k++)
        memcpy((char *)(uintptr_t)target + 4 * k, &value, sizeof value);
    open_memory(false);
    return 0;
}

struct cu_event {
    struct timespec when;
    cu_stream behind; /* which it was recorded in, or NULL */
};

EXPORT cu_result cuEventCreate(cu_event *event, unsigned flags);
EXPORT cu_result cuEventCreate(cu_event *event, unsigned flags)
{
    (void)flags;
    FAIL(cuEventCreate);
    *event = own(calloc(1, sizeof **event));
    return *event ? 0 : CU_OUT_OF_MEMORY;
}

EXPORT cu_result cuEventDestroy_v2(cu_event event);
EXPORT cu_result cuEventDestroy_v2(cu_event event)
{
    return release(event);
}

EXPORT cu_result cuEventRecord(cu_event event, cu_stream stream);
EXPORT cu_result cuEventRecord(cu_event event, cu_stream stream)
{
    FAIL(cuEventRecord);
    clock_gettime(CLOCK_MONOTONIC, &event->when);
    event->behind = stream;
    return 0;
}

EXPORT cu_result cuEventSynchronize(cu_event event);
EXPORT cu_result cuEventSynchronize(cu_event event)
{
    FAIL(cuEventSynchronize);
    if (!event->behind)
        return 0;
    cu_result status = finish(event->behind);
    clock_gettime(CLOCK_MONOTONIC, &event->when); /* what is before it has been done now, not when it was recorded */
    return status;
}

EXPORT cu_result cuStreamWaitEvent(cu_stream stream, cu_event event, unsigned flags);
EXPORT cu_result cuStreamWaitEvent(cu_stream stream, cu_event event, unsigned flags)
{
    FAIL(cuStreamWaitEvent);
    cu_result result = flags == 0 ? finish(stream) : INVALID_VALUE;
    return result == 0 && event->behind ? finish(event->behind) : result;
}

EXPORT cu_result cuEventElapsedTime(float *milliseconds, cu_event begin, cu_event end);
EXPORT cu_result cuEventElapsedTime(float *milliseconds, cu_event begin, cu_event end)
{
    *milliseconds = 1e3f * (float)(end->when.tv_sec - begin->when.tv_sec) +
                    1e-6f * (float)(end->when.tv_nsec - begin->when.tv_nsec);
    return 0;
}

EXPORT cu_result cuGetErrorName(cu_result code, const char **name);
EXPORT cu_result cuGetErrorName(cu_result code, const char **name)
{
    static char text[32];
    snprintf(text, sizeof text, "CUDA_ERROR_%d", code);
    *name = text;
    return 0;
}

EXPORT cu_result cuGetErrorString(cu_result code, const char **text);
EXPORT cu_result cuGetErrorString(cu_result code, const char **text)
{
    (void)code;
    *text = "as the test asked";
    return 0;
}
