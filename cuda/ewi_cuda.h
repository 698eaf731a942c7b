/* SPDX-License-Identifier: BSD-2-Clause */
/* The CUDA backend's own: a device with its modules (device.c), and a step as a list of launches (lower.c). */
#ifndef EWI_CUDA_H
#define EWI_CUDA_H

#include "ewi_backend.h"
#include "ewi_blocks.h"
#include "ewi_cuda_call.h"
#include "ewi_driver.h"
#include "ewi_images.h"
#include "ewi_plan.h"
#include "ewi_step.h"
#include "ewi_work.h"

#include <pthread.h>

enum { EWI_CUDA_CHANGE_BLOCKS = 1024, EWI_CUDA_NAME = 80 };

/* Arrays on the device; how large they are is in arrays.c. */
enum ewi_cuda_array {
    EWI_ARRAY_GEOMETRY,
    EWI_ARRAY_NEIGHBOUR,
    EWI_ARRAY_NEIGHBOUR_SIDE,
    EWI_ARRAY_SIDE_SLOT,
    EWI_ARRAY_LEFT,
    EWI_ARRAY_RIGHT,
    EWI_ARRAY_LEFT_SIDE,
    EWI_ARRAY_RIGHT_SIDE,
    EWI_ARRAY_GHOST,
    EWI_ARRAY_NORMAL,
    EWI_ARRAY_GIVEN,
    EWI_ARRAY_WALL,
    EWI_ARRAY_WALL_GRADIENT,
    EWI_ARRAY_EXCESS,
    EWI_ARRAY_POINT,
    EWI_ARRAY_VOLUME_FIELD,
    EWI_ARRAY_EDGE_FIELD,
    EWI_ARRAY_SPEED_BOUND,
    EWI_ARRAY_WIDTH_RATIO,
    EWI_ARRAY_DIFFUSION_RATE,
    EWI_ARRAY_SPONGE,
    EWI_ARRAY_SPONGE_WEIGHT,
    EWI_ARRAY_SPONGE_TARGET,
    EWI_ARRAY_SOURCES,
    EWI_ARRAY_SOURCE_CODE,
    EWI_ARRAY_SOURCE_CONSTANT,
    EWI_ARRAY_SOURCE_RASTER,
    EWI_ARRAY_SOURCE_ORIGIN,
    EWI_ARRAY_OUTFLOW,
    EWI_ARRAY_STATE, /* as many as the scheme has registers */
    EWI_ARRAY_STATE_LAST = EWI_ARRAY_STATE + EWI_MAX_REGISTERS - 1,
    EWI_ARRAY_KEPT,
    EWI_ARRAY_BEFORE,
    EWI_ARRAY_RHS, /* at first the volume integrals */
    EWI_ARRAY_RHS_SURFACE,
    EWI_ARRAY_SENSOR,
    EWI_ARRAY_JUMPS, /* of the limiter subcell (ewi_subcells.h) */
    EWI_ARRAY_OWN_ALPHA,
    EWI_ARRAY_ALPHA,
    EWI_ARRAY_TOUCHED,
    EWI_ARRAY_TOUCHED_BLOCKS, /* of the fused set, and the next one */
    EWI_ARRAY_TOUCHED_SLOTS,
    EWI_ARRAY_DIVIDED_ELEMENTS,
    EWI_ARRAY_TOUCHED_EDGES,
    EWI_ARRAY_COUNTS,
    EWI_ARRAY_DIVIDED_TRACES,
    EWI_ARRAY_TOUCHED_FLUXES,
    EWI_ARRAY_LIFTED,
    EWI_ARRAY_LIMITED, /* states as stages have limited them when they loaded them, where a later stage needs them */
    EWI_ARRAY_LIMITED_LAST = EWI_ARRAY_LIMITED + EWI_MAX_REGISTERS - 1,
    EWI_ARRAY_PARTIAL,
    EWI_ARRAY_CHANGES,
    EWI_ARRAY_BLOCK, /* from here on the fused set's */
    EWI_ARRAY_EDGE,
    EWI_ARRAY_HALO,
    EWI_ARRAY_BLOCK_NEIGHBOURS,
    EWI_ARRAY_HALO_NEIGHBOURS,
    EWI_ARRAY_SHAPE,
    EWI_ARRAY_TABLE,
    EWI_ARRAY_GHOSTS,
    EWI_ARRAY_GIVEN_NOW, /* by formulas, of all stages of a step */
    EWI_ARRAY_CLOCK,
    EWI_ARRAY_DEVICE_CLOCK,
    EWI_ARRAY_PROGRAM,
    EWI_ARRAY_CODE,
    EWI_ARRAY_CONSTANT,
    EWI_ARRAY_RASTER,
    EWI_ARRAY_SEND_LIST, /* a part's (parts.c) */
    EWI_ARRAY_PACKED,
    EWI_ARRAY_IPC,
    EWI_ARRAY_PEER_FLAGS,
    EWI_ARRAY_MESSAGES,
    EWI_ARRAY_RECEIVED,
    EWI_ARRAYS
};

struct ewi_cuda;
struct ewi_level_exchange;
struct ewi_message;

/*
 * An exchange: what its messages hold, packed one after the other, elements to send first. If GPUs reach each other,
 * only levels of time steps have it, and its lists are of places (ewi_level_exchange_list).
 */
struct ewi_cuda_messages {
    const int32_t *send_list, *receive_list; /* on the device; receive_list NULL: the ghost layer, all of it */
    int64_t sends, receives;
    int count;
    struct ewi_message *message; /* [count] from the host's memory, [count] from the GPU's */
};

/* One kernel of a step, or what the host does in its place. */
struct ewi_cuda_launch {
    char name[EWI_CUDA_NAME];
    cu_module module;
    cu_function function; /* NULL: on_host */
    int (*on_host)(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error);
    int32_t group;        /* of boundary edges whose state is a callback */
    const struct ewi_cuda_messages *messages; /* of a part's exchange, or NULL */
    int top;              /* levels of time steps: the highest active one, for on_host */
    bool is_awaited;      /* by other parts: on_host is called also after a failure */
    bool early; /* it waits by itself for the launch before it */
    bool minor; /* its time counts with another kernel's */
    enum ewi_work_kind kind;
    const struct ewi_stage *stage; /* of the time scheme; NULL: of none */
    double stage_time;             /* time of the operation within the step, 0..1, for on_host */
    int64_t items;        /* threads that have work */
    unsigned blocks, threads, shared; /* of the launch; shared: bytes of dynamic shared memory a block */
    const char *what;     /* of these: "elements", "edges" */
    int32_t list_blocks;  /* blocks of elements that its thread blocks share; 0: it is no stage of the fused set */
    size_t bytes;         /* of the call: its kernel's struct */
    union ewi_cuda_call call;
};

/* Launches that follow each other in the list. */
struct ewi_cuda_range {
    int first, count;
};

/* Items of a list of elements, for kernels of a thread an item: what thread blocks have on the device. */
enum { EWI_CUDA_ELEMENTS, EWI_CUDA_SLOTS, EWI_CUDA_GHOST_POINTS, EWI_CUDA_ITEMS };
struct ewi_cuda_items {
    cu_address range; /* 0: there are none */
    int32_t blocks;
};

/* Maxima of each thread block of the kernels that find a speed. */
struct ewi_cuda_partials {
    cu_address of_lists; /* memory for them, if there are lists of elements; 0: they are in EWI_ARRAY_PARTIAL */
    double *partial;
    int64_t count;
};

/* Place of an instance in the group of ensemble members with which it steps. */
struct ewi_cuda_group_place {
    struct group *group; /* NULL: in no group */
    int place;
    struct ewi_entrant *entrant; /* of the current call; NULL: does not take part */
};

/* A source's formulas in machine code, in a module of their own; other instances with the same ones use it, too. */
struct ewi_cuda_formula {
    bool tried;
    cu_module module; /* NULL: the driver did not compile them */
    const struct ewi_law *law;
    int order;
    struct ewi_instruction *code; /* [length] */
    int32_t length;
};

/* Modules that are loaded, and what was found out about the device by them. */
struct ewi_cuda_code {
    pthread_mutex_t *lock; /* NULL: no other instance uses it */
    cu_module common, order[EWI_MAX_ORDER], bed[EWI_MAX_ORDER], source[EWI_MAX_ORDER], stages[EWI_FUSED_VARIANTS];
    struct ewi_cuda_formula formula;
    bool divides, multiplies[EWI_FUSED_VARIANTS]; /* known to, as IEEE asks */
};

/*
 * Exchange of a part: its interface goes to the ghost layers of others, and theirs to its own. Directly from GPU to
 * GPU, or packed, as messages from page-locked memory or, with a GPU-aware MPI, from GPU memory.
 */
struct ewi_cuda_exchange {
    int64_t sends, receives;
    int64_t doubles; /* of an element, in messages of states */
    bool direct;
    struct ewi_cuda_peers peers; /* if so, like: */
    int64_t **trail;             /* [ranks]: of each in this process (EWI_TRAIL_LEAVES), or NULL */
    cu_address *opened;          /* [ranks]: memory of each other process, or 0 */
    double *number;              /* [padded], for exchanges of numbers; NULL: there are none */
    double *packed;              /* if not, like: */
    cu_stream stream;            /* ... copied by it, */
    cu_event packs, came;        /* interface packed; ghost layer received */
    struct ewi_cuda_messages *messages; /* [ewi_cuda_kinds_of_exchange] */
    struct ewi_level_exchange *of_levels;
};

/* Memory that members of an ensemble have left (memory.c). */
struct ewi_cuda_pool {
    pthread_mutex_t lock;
    int members; /* that have memory */
    struct ewi_cuda_chunk *chunk, *pages; /* pages: page-locked blocks */
};

struct ewi_cuda {
    ew_host host;
    struct ewi_plan *plan;  /* that of kernels; */
    struct ewi_plan *whole; /* ... of the case: another one if it has levels of time steps: */
    struct ewi_cuda_levels *levels; /* NULL: one level */
    struct ewi_driver driver;
    const struct ewi_image *image;
    cu_device device;
    int number;
    char name[80];
    cu_context context;
    bool primary;         /* the context is the device's own, shared with others in this process */
    bool known_to_mpi;    /* which may have made streams in it: it stays when this is gone */
    cu_stream stream;
    struct ewi_cuda_code own, *code; /* code: `own`, or the owner's */
    struct ewi_cuda_group_place group_place;
    struct ewi_cuda *owner; /* owner of driver, context and code (ensemble.c); NULL: this instance */
    struct ewi_cuda_chunk *chunk; /* those of a member of an ensemble (memory.c) */
    struct ewi_cuda_pool *pool;   /* an ensemble's; NULL: of other instances */
    cu_address array[EWI_ARRAYS];
    size_t bytes;         /* of all arrays */
    struct ewi_cuda_raster *raster; /* rasters of this instance or, of an owner, of all members */
    struct ewi_cuda_raster **held;  /* [helds]: those that this instance uses, once for each call of raster(...) */
    size_t helds;

    bool fused;            /* the kernel set: a kernel a stage, or the paper's */
    bool fills_device;     /* a fused stage has more blocks than the device holds at once, or is an ensemble's */
    struct ewi_blocks blocks; /* the fused set's; once they are on the device, only their numbers */
    char why_not[256];     /* the set is not the one that is best: why */

    void (*rewrite)(struct ewi_step *step); /* of the backend's options */
    struct ewi_step list;           /* of operations; lowered to: */
    struct ewi_cuda_launch *launch; /* [launches] */
    int launches;
    struct ewi_cuda_items items[EWI_MAX_ELEMENT_LISTS][EWI_CUDA_ITEMS];
    struct ewi_cuda_partials partials; /* of operations `speed`, while the list is lowered */
    struct ewi_cuda_range speed; /* the state's largest speed, and with it a step's length */
    struct ewi_cuda_range opening; /* what begins the first of many steps */
    struct ewi_cuda_range step;
    struct ewi_cuda_range integrals, sum; /* one right-hand side of the state; `sum` works in place */
    struct ewi_cuda_range limit;
    /* advances the device clock after the last step, before the host reads it; empty if each step does so */
    struct ewi_cuda_range closing;
    bool early; /* launches may overlap */
    bool has_graphs; /* if there can be any: they are made when first wanted */
    /* a step, and EWI_CUDA_SOME_STEPS of them; NULL: launch by launch, and step by step */
    cu_graph_exec graph, graph_of_some;

    /*
     * In the host's memory, page-locked: the clock that was read last; of a part whose host keeps the clock, what steps
     * left; and number and step of the launch that began last.
     */
    struct ewi_clock *clock;
    struct ewi_cuda_device_clock *left;
    int64_t *trail;
    cu_address trail_on_device;
    double step_s;         /* what a step took of late; 0: not known */
    struct ewi_cuda_exchange exchange;
    double last_speed;     /* at the start of the last step; 0: not known */
    bool warned_of_growth; /* levels of time steps: ewi_clock_warn_of_growth */
    bool failed;           /* a part, since it was called */
    int32_t inadmissible;  /* of a part: stage in which its own state became inadmissible; 0: none */
    /* For copies of the state that are made while steps go on; what was not to be had is 0. */
    struct ewi_cuda_still {
        bool asked, used; /* used: `read` has been recorded */
        cu_address state; /* as it was when the copy was asked for */
        cu_stream stream;
        cu_event taken, read; /* `state` is complete; it may be reused */
    } still;
    /* Points at which samples are wanted (samples.c); count 0: none */
    struct ewi_cuda_samples {
        int64_t count;
        cu_address memory, values; /* where they are, and of that memory the part for their values, `bytes` */
        size_t bytes, device_bytes;
        cu_function function;
        void *host; /* values of the present state; NULL until asked for */
    } samples;
    /* Averages (average.c); memory 0: none */
    struct {
        cu_address memory;
        cu_function function;
    } averages;
    cu_module sources;     /* the module of the source kernels; NULL: there are no sources */
    bool lost;
    char reason[1024];     /* if lost: the sentence */
};

/* ---- device.c ---- */

/* The status of a driver call: EW_OK, or the sentence for its failure while `doing` something. */
int ewi_cuda_result(struct ewi_cuda *cuda, cu_result result, const char *doing, ew_error *error);
#define EWI_CUDA(cuda, call, doing, error) EWI_TRY(ewi_cuda_result(cuda, call, doing, error))
int ewi_cuda_enter_context(struct ewi_cuda *cuda, ew_error *error);
void ewi_cuda_leave_context(struct ewi_cuda *cuda);
int ewi_cuda_open(struct ewi_cuda *cuda, int device, const char *image, ew_error *error);
void ewi_cuda_close(struct ewi_cuda *cuda);
/* Measures the device's limits. */
int ewi_cuda_measure(struct ewi_cuda *cuda, ew_limits *limits, ew_error *error);
int ewi_cuda_function(struct ewi_cuda *cuda, cu_module module, const char *name, cu_function *function,
                      ew_error *error);

/* The status of loading or linking a module: EW_OK, or a sentence, to which the compiler's `log` may add. */
int ewi_cuda_load_result(struct ewi_cuda *cuda, cu_result result, const char *log, ew_error *error);
int ewi_cuda_load_once(struct ewi_cuda *cuda, const void *code, cu_module *module, ew_error *error);
/* The fused set's kernels of the variant that its blocks are for. */
int ewi_cuda_load_stages(struct ewi_cuda *cuda, ew_error *error);

/* ---- sources.c ---- */

/* Makes cuda->sources the module that evaluates the plan's sources; without sources it stays NULL. */
int ewi_cuda_load_sources(struct ewi_cuda *cuda, ew_error *error);

/* ---- check.c ---- */

/* How many products of the device's matrix units are not chains of fma; the fused set's module must be there. */
int ewi_cuda_check_products(struct ewi_cuda *cuda, int64_t *different, ew_error *error);
/* How many of the device's inverses and roots have not IEEE's bits: `tries` operands a thread of `blocks` blocks. */
int ewi_cuda_check_arithmetic(struct ewi_cuda *cuda, int64_t tries, int blocks, int64_t *different, ew_error *error);

/* ---- sets.c ---- */

/* The plan's set, or the best one that this device and plan can have; plans its blocks. */
int ewi_cuda_choose_set(struct ewi_cuda *cuda, ew_error *error);
/*
 * The variant of the fused set's kernels for a mesh on a device of so many multiprocessors. Fluxes of many operations
 * need the registers of p1_middle. Members of an ensemble fill each other's last rounds.
 */
int ewi_cuda_variant(const struct ewi_plan *plan, int processors, bool in_ensemble);
/* The fused set's blocks as they will be about, before there is a grid; false if another set would be taken. */
bool ewi_cuda_estimate_blocks(const struct ewi_sizes *sizes, const struct ewi_backend_options *options,
                              struct ewi_blocks *blocks);
/* Where things lie in a thread block's shared memory, and how many bytes of it a stage has. */
struct ewi_fused_memory ewi_cuda_memory(const struct ewi_plan *plan, const struct ewi_blocks *blocks);
size_t ewi_cuda_shared_bytes(const struct ewi_plan *plan, const struct ewi_blocks *blocks, bool jump_sensor,
                             bool limits);

/* ---- memory.c ---- */

/* Device memory. For a member of an ensemble, ewi_cuda_give does nothing: chunks go back in ewi_cuda_give_chunks. */
cu_result ewi_cuda_take(struct ewi_cuda *cuda, cu_address *address, size_t bytes);
void ewi_cuda_give(struct ewi_cuda *cuda, cu_address address);
/* In the context; waits for the instance's stream. */
void ewi_cuda_give_chunks(struct ewi_cuda *cuda);
/* After the context is lost: frees the lists of chunks on the host. */
void ewi_cuda_forget_chunks(struct ewi_cuda *cuda);
/* Device memory that the driver releases. */
cu_result ewi_cuda_allocate_apart(struct ewi_cuda *cuda, cu_address *address, size_t bytes);
/* Page-locked memory of the host, which the device sees, too; it is given back with the same number of bytes. */
cu_result ewi_cuda_take_pages(struct ewi_cuda *cuda, void **pointer, size_t bytes);
void ewi_cuda_give_pages(struct ewi_cuda *cuda, void *pointer, size_t bytes);
/* In the context. */
void ewi_cuda_release_pool(struct ewi_cuda *owner);

/* ---- arrays.c ---- */

/* Bytes of all arrays; blocks: NULL for the paper's kernels. */
size_t ewi_cuda_bytes(const struct ewi_sizes *sizes, const struct ewi_blocks *blocks);
int ewi_cuda_allocate(struct ewi_cuda *cuda, ew_error *error);
/* An array's address, as kernels take it. */
void *ewi_cuda_at(const struct ewi_cuda *cuda, enum ewi_cuda_array array);
struct ewi_arguments ewi_cuda_arguments(const struct ewi_cuda *cuda);
int ewi_cuda_upload(struct ewi_cuda *cuda, enum ewi_cuda_array array, size_t offset, const void *source, size_t bytes,
                    ew_error *error);
int ewi_cuda_download(struct ewi_cuda *cuda, void *target, enum ewi_cuda_array array, size_t bytes, ew_error *error);

/*
 * States on the host are in ewi_layout.h's order; on the device the fused set has its own (ewi_fused_row). `array`: the
 * state, or another array of its shape; `target`, on the device, gets the state in the host's order.
 */
int ewi_cuda_upload_state(struct ewi_cuda *cuda, const double *state, ew_error *error);
int ewi_cuda_download_state(struct ewi_cuda *cuda, double *state, enum ewi_cuda_array array, ew_error *error);
int ewi_cuda_copy_state(struct ewi_cuda *cuda, cu_address target, ew_error *error);
/* Levels of time steps: sets all registers to a state of the whole plan, or to that of register 0. */
int ewi_cuda_take_state(struct ewi_cuda *cuda, const double *state, ew_error *error);
int ewi_cuda_share_state(struct ewi_cuda *cuda, ew_error *error);
/* The whole state in the host's order, on the host; or on the device, valid until the next step. */
int ewi_cuda_get_state(struct ewi_cuda *cuda, double *state, ew_error *error);
int ewi_cuda_show_state(struct ewi_cuda *cuda, cu_address *shown, ew_error *error);

/*
 * Where one right-hand side goes: the fused set has none of its own, and takes the first register that is free between
 * steps.
 */
enum ewi_cuda_array ewi_cuda_rhs_array(const struct ewi_cuda *cuda);

/* ---- rasters.c ---- */

/* Uploads those rasters of the program that the device lacks, and its table of calls to the array, from `first` on. */
int ewi_cuda_put_rasters(struct ewi_cuda *cuda, enum ewi_cuda_array array, size_t first,
                         const struct ewi_program *program, ew_error *error);
void ewi_cuda_free_rasters(struct ewi_cuda *cuda);

/* ---- copies.c: the backend's copy_create, copy_start, copy_wait and copy_destroy ---- */

int ewi_cuda_copy_create(void *instance, void **copy, double **state, ew_error *error);
int ewi_cuda_copy_start(void *copy, ew_error *error);
int ewi_cuda_copy_wait(void *copy, ew_error *error);
void ewi_cuda_copy_destroy(void *copy);
/* In the context. */
void ewi_cuda_free_still(struct ewi_cuda *cuda);

const void *ewi_cuda_copy_values(const void *copy);

/* ---- samples.c: the backend's expect_points and sample ---- */

int ewi_cuda_expect_points(void *instance, const struct ewi_expected *points, ew_error *error);
int ewi_cuda_sample(void *instance, const void **values, ew_error *error);
/* Begins to sample a state, in ewi_layout.h's order, and to copy the values; in the context. */
int ewi_cuda_start_samples(struct ewi_cuda *cuda, cu_address state, cu_stream stream, void *values, ew_error *error);
void ewi_cuda_free_samples(struct ewi_cuda *cuda);

/* ---- average.c: the backend's functions of these names ---- */

int ewi_cuda_begin_averages(void *instance, const double *phi, const double *rs, ew_error *error);
int ewi_cuda_add_sample(void *instance, double weight, double ratio, double time, ew_error *error);
int ewi_cuda_get_averages(void *instance, double *values, ew_error *error);
int ewi_cuda_set_averages(void *instance, const double *values, ew_error *error);
/* Call it with the context current. */
void ewi_cuda_free_averages(struct ewi_cuda *cuda);

/* ---- lower.c, launch.c and profile.c ---- */

/* Between two graphs a GPU does nothing for 1 to 2 us, a fifth of a stage on a small mesh. */
#define EWI_CUDA_SOME_STEPS 8

int ewi_cuda_make_steps(struct ewi_cuda *cuda, ew_error *error);
/* True if a kernel waits for the launch before it: only code for devices with overlapping launches does. */
bool ewi_cuda_waits_itself(const struct ewi_cuda *cuda, cu_function function);
void ewi_cuda_free_steps(struct ewi_cuda *cuda);
/* The clock to and from the device. */
int ewi_cuda_set_clock(struct ewi_cuda *cuda, const struct ewi_clock *clock, ew_error *error);
int ewi_cuda_sync_clock(struct ewi_cuda *cuda, ew_error *error);
/* A step with each launch timed by itself. */
int ewi_cuda_profile_step(struct ewi_cuda *cuda, ew_kernel_profile *kernel, int *kernels, ew_error *error);
int ewi_cuda_launch_one(struct ewi_cuda *cuda, struct ewi_cuda_launch *launch, ew_error *error);
int ewi_cuda_launch(struct ewi_cuda *cuda, struct ewi_cuda_range range, ew_error *error);
/* In a part; status: of what went before; if that has failed, only what others wait for is done. */
int ewi_cuda_launch_as_part(struct ewi_cuda *cuda, struct ewi_cuda_range range, int status, ew_error *error);
int ewi_cuda_steps(struct ewi_cuda *cuda, int64_t count, ew_error *error);

/* ... and what ensembles need of it. Gives a kernel its shared memory: how many of its blocks the device holds. */
int ewi_cuda_hold(struct ewi_cuda *cuda, cu_function function, unsigned threads, unsigned shared, int64_t *held,
                  ew_error *error);
/* A launch with one argument; `early`: it waits by itself for the one before it. */
int ewi_cuda_start(struct ewi_cuda *cuda, cu_function function, unsigned blocks, unsigned threads, unsigned shared,
                   bool early, cu_stream stream, void *argument, ew_error *error);
/* A graph of so many steps, each by a call of `step`; NULL if there cannot be one. */
cu_graph_exec ewi_cuda_capture(const struct ewi_driver *driver, cu_stream stream, int steps,
                               int (*step)(void *context), void *context);

/* ---- lists.c ---- */

/* For all lists of the step but that of all elements. */
int ewi_cuda_make_items(struct ewi_cuda *cuda, ew_error *error);
void ewi_cuda_free_items(struct ewi_cuda *cuda);
/* items: [EWI_CUDA_ITEMS], of one list. */
int ewi_cuda_put_items(struct ewi_cuda *cuda, const struct ewi_listed *listed, struct ewi_cuda_items *items,
                       ew_error *error);
/* ... of elements. */
int ewi_cuda_put_ranges(struct ewi_cuda *cuda, const struct ewi_ranges *ranges, struct ewi_cuda_items *items,
                        ew_error *error);
void ewi_cuda_release_items(struct ewi_cuda *cuda, struct ewi_cuda_items *items);
/* Thread blocks of an operation `speed`. */
int64_t ewi_cuda_speed_blocks(const struct ewi_cuda *cuda, const struct ewi_operation *operation);

/* ---- parts.c ---- */

int ewi_cuda_make_exchange(struct ewi_cuda *cuda, ew_error *error);
int ewi_cuda_connect(void *instance, ew_error *error);
void ewi_cuda_free_exchange(struct ewi_cuda *cuda);
/* This part has failed: kernels of others shall wait no longer for it. */
void ewi_cuda_warn_parts(struct ewi_cuda *cuda);
int ewi_cuda_find_inadmissible(struct ewi_cuda *cuda, ew_error *error);
/* The host's operations in a step; other parts wait for them. */
int ewi_cuda_send_interface(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error);
int ewi_cuda_exchange(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error);
int ewi_cuda_exchange_own_alpha(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error);
int ewi_cuda_exchange_alpha(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error);
int ewi_cuda_exchange_room(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error);
int ewi_cuda_all_reduce_at_start(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error);
int ewi_cuda_all_reduce_at_end(struct ewi_cuda *cuda, const struct ewi_cuda_launch *launch, ew_error *error);
/* A clock to the device, and the launches by which it begins. */
int ewi_cuda_begin(struct ewi_cuda *cuda, const struct ewi_clock *clock, struct ewi_cuda_range opening, int status,
                   ew_error *error);
int ewi_cuda_advance_part(struct ewi_cuda *cuda, int status, ew_error *error);

/* ---- backend.c ---- */

int ewi_cuda_advance(void *instance, double until, int64_t max_steps, struct ewi_progress *progress, ew_error *error);
/* The result of the clock that was read last, which has stopped. Call it in the context. */
int ewi_cuda_finish(struct ewi_cuda *cuda, struct ewi_progress *progress, ew_error *error);

/* ---- ensemble.c: what the backend's table has of ensembles ---- */

struct ewi_cuda_ensemble;
int ewi_cuda_ensemble_create(const ew_host *host, const struct ewi_backend_options *options, void **ensemble,
                             ew_error *error);
void ewi_cuda_ensemble_destroy(void *ensemble);
void ewi_cuda_ensemble_leave(void *ensemble, void *instance);
bool ewi_cuda_goes_along(const void *instance);
void ewi_cuda_advance_together(void *ensemble, int members, struct ewi_entrant *const *member, int enough,
                               bool (*calls)(void *context), void *context);

#endif
