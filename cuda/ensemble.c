/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ensembles: instances that share a context and its code, and advance by launches that cover all of them.
 *
 * Instances whose steps consist of the same kernels form a group. For each kernel of a step, it has on the device the
 * calls of its members, and a table from the grid's thread blocks to members and their blocks. The calls have clocks
 * and device clocks of the group, since an instance may use its own meanwhile. The clock of a member that has stopped,
 * or that does not take part, stands still. A group is made when a step of other members is requested, and kept while
 * it fits.
 */
#include "ewi_cuda_levels.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_team.h"
#include "ewi_text.h"

#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

/* A kernel of all members. */
struct joint_launch {
    int index; /* in each member's list */
    cu_function function; /* NULL: all instants of a macro step */
    unsigned blocks, threads, shared;
    int32_t rounds; /* of blocks that a thread block takes; 0: each takes one */
    bool early;
    int64_t held; /* blocks that the device holds at once, if thread blocks share them */
    size_t bytes; /* of a member's call */
    struct ewi_cuda_members members; /* on the device */
};

/* Ranges of launches; the last ones are of levels of time steps, of each level its stages and the end of its steps. */
enum { OPENING, STEP, CLOSING, OF_LEVELS, MOST_RANGES = OF_LEVELS + 2 * EW_MAX_STEP_LEVELS };

struct group {
    struct group *next;
    struct ewi_cuda **member; /* [members]; their group_place is here */
    int members;
    cu_address table;
    cu_stream stream;
    /* [members], followed by as many clocks; page-locked, in the device's layout */
    struct ewi_cuda_device_clock *device_clock;
    struct ewi_clock *clock;
    struct joint_launch *launch; /* [launches] */
    int launches;
    struct ewi_cuda_range range[MOST_RANGES];
    int levels;
    cu_function next_instant;
    bool next_is_early; /* it waits by itself */
    bool overlaps, has_graphs;
    cu_graph_exec graph, graph_of_some;
    double step_s;
    int64_t ahead; /* steps that are on their way */
};

struct ewi_cuda_ensemble {
    struct ewi_cuda base; /* owns what members share */
    pthread_mutex_t lock; /* of that */
    struct ewi_cuda_pool pool;
    struct group *group;
};
_Static_assert(offsetof(struct ewi_cuda_ensemble, base) == 0, "backend.c finds `base` by options->ensemble");

/* ---- what members share ---- */

int ewi_cuda_ensemble_create(const ew_host *host, const struct ewi_backend_options *options, void **result,
                             ew_error *error)
{
    struct ewi_cuda_ensemble *ensemble = ewi_alloc(host, 1, sizeof *ensemble);
    if (!ensemble)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the ensemble");
    ensemble->base.host = *host;
    pthread_mutex_init(&ensemble->pool.lock, NULL);
    ensemble->base.pool = &ensemble->pool;
    int status = ewi_cuda_open(&ensemble->base, options->device, options->image, error);
    if (status != EW_OK) {
        ewi_cuda_close(&ensemble->base);
        pthread_mutex_destroy(&ensemble->pool.lock);
        ewi_free(host, ensemble);
        return status;
    }
    pthread_mutex_init(&ensemble->lock, NULL);
    ensemble->base.code->lock = &ensemble->lock;
    *result = ensemble;
    return EW_OK;
}

/* ---- groups ---- */

static void destroy_group(struct ewi_cuda_ensemble *ensemble, struct group *group)
{
    const struct ewi_driver *driver = &ensemble->base.driver;
    ew_host host = ensemble->base.host;
    for (int k = 0; k < group->members; k++)
        if (group->member[k]->group_place.group == group)
            group->member[k]->group_place = (struct ewi_cuda_group_place){.group = NULL};
    if (group->graph)
        driver->graph_exec_destroy(group->graph);
    if (group->graph_of_some)
        driver->graph_exec_destroy(group->graph_of_some);
    if (group->stream)
        driver->stream_wait(group->stream); /* members give their memory to others */
    if (group->table)
        driver->release(group->table);
    if (group->device_clock)
        driver->host_release(group->device_clock);
    if (group->stream)
        driver->stream_destroy(group->stream);
    ewi_free(&host, group->launch);
    ewi_free(&host, group->member);
    ewi_free(&host, group);
}

static void remove_group(struct ewi_cuda_ensemble *ensemble, struct group *group)
{
    struct group **at = &ensemble->group;
    while (*at != group)
        at = &(*at)->next;
    *at = group->next;
    destroy_group(ensemble, group);
}

/* Also without its context, which may be lost: its memory goes with it. */
void ewi_cuda_ensemble_leave(void *instance, void *member)
{
    struct ewi_cuda_ensemble *ensemble = instance;
    const struct ewi_cuda *cuda = member;
    if (!cuda->group_place.group)
        return;
    bool entered = ensemble->base.driver.context_push(ensemble->base.context) == 0;
    remove_group(ensemble, cuda->group_place.group);
    if (entered)
        ewi_cuda_leave_context(&ensemble->base);
}

/* All members have left. */
void ewi_cuda_ensemble_destroy(void *instance)
{
    struct ewi_cuda_ensemble *ensemble = instance;
    ew_host host = ensemble->base.host;
    ewi_cuda_close(&ensemble->base);
    pthread_mutex_destroy(&ensemble->pool.lock);
    pthread_mutex_destroy(&ensemble->lock);
    ewi_free(&host, ensemble);
}

static int list_ranges(const struct ewi_cuda *cuda, struct ewi_cuda_range *range)
{
    int count = OF_LEVELS;
    range[OPENING] = cuda->opening;
    range[STEP] = cuda->step;
    range[CLOSING] = cuda->closing;
    for (int k = 0; cuda->levels && k < cuda->levels->of->levels; k++) {
        range[count++] = cuda->levels->stages[k];
        range[count++] = cuda->levels->end[k];
    }
    return count;
}

/* Launches of a macro step's instants count their stages anew each time, so their calls do not say which they are. */
static bool same_range(const struct ewi_cuda *a, struct ewi_cuda_range range, const struct ewi_cuda *b,
                       struct ewi_cuda_range other)
{
    bool same = range.count == other.count;
    for (int k = 0; same && k < range.count; k++) {
        const struct ewi_cuda_launch *one = &a->launch[range.first + k], *two = &b->launch[other.first + k];
        same = one->function == two->function && one->on_host == two->on_host && one->stage == two->stage &&
               one->threads == two->threads;
    }
    return same;
}

/* True if their steps consist of the same kernels. */
static bool are_alike(const struct ewi_cuda *a, const struct ewi_cuda *b)
{
    struct ewi_cuda_range of_a[MOST_RANGES], of_b[MOST_RANGES];
    int count = list_ranges(a, of_a);
    bool alike = list_ranges(b, of_b) == count;
    for (int k = 0; alike && k < count; k++)
        alike = same_range(a, of_a[k], b, of_b[k]);
    return alike;
}

/* ---- a group's launches ---- */

/* Thread blocks per member, if each takes `rounds` of its blocks. */
static int32_t share(const struct ewi_cuda_launch *launch, int32_t rounds)
{
    return (launch->list_blocks + rounds - 1) / rounds;
}

static int64_t thread_blocks(const struct group *group, int index, int32_t rounds)
{
    int64_t sum = 0;
    for (int k = 0; k < group->members; k++)
        sum += share(&group->member[k]->launch[index], rounds);
    return sum;
}

/*
 * Estimated time of a launch, in blocks. A thread block takes `rounds` blocks, and a quarter of one to start. If the
 * device does not hold all at once, they queue, and on average half of the last one's time is idle.
 */
static double launch_time(const struct group *group, int index, int32_t rounds, int64_t held)
{
    const double start = 0.25;
    int64_t count = thread_blocks(group, index, rounds);
    double one = rounds + start, all = (double)thread_blocks(group, index, 1) + start * (double)count;
    return count <= held ? one : all / (double)held + 0.5 * one;
}

/* The rounds that take the least time. Once the device holds all thread blocks, more rounds only take longer. */
static int32_t rounds_for(const struct group *group, int index, int64_t held)
{
    int32_t best = 1, most = 1;
    for (int k = 0; k < group->members; k++)
        most = group->member[k]->launch[index].list_blocks > most ? group->member[k]->launch[index].list_blocks : most;
    double least = launch_time(group, index, best, held);
    for (int32_t rounds = 2; rounds <= most && thread_blocks(group, index, rounds - 1) > held; rounds++) {
        double time = launch_time(group, index, rounds, held);
        best = time < least ? rounds : best;
        least = time < least ? time : least;
    }
    return best;
}

/* The kernel of a launch, and how many blocks the device holds: as an earlier launch of it has found them. */
static int find_kernel(const struct group *group, struct joint_launch *joint, ew_error *error)
{
    struct ewi_cuda *first = group->member[0];
    const struct ewi_cuda_launch *launch = &first->launch[joint->index];
    char name[EWI_CUDA_NAME + 16];
    int status;
    for (const struct joint_launch *before = group->launch; before < joint; before++)
        if (first->launch[before->index].function == launch->function && before->shared == joint->shared) {
            joint->function = before->function;
            joint->held = before->held;
            return EW_OK;
        }
    ewi_snprintf(name, sizeof name, "ensemble_%s", launch->name);
    EWI_TRY(ewi_cuda_function(first, launch->module, name, &joint->function, error));
    if (launch->list_blocks > 0)
        EWI_TRY(ewi_cuda_hold(first, joint->function, joint->threads, joint->shared, &joint->held, error));
out:
    return status;
}

/* Function and grid size for all members. */
static int plan_launch(struct group *group, struct joint_launch *joint, ew_error *error)
{
    int index = joint->index;
    const struct ewi_cuda_launch *launch = &group->member[0]->launch[index];
    if (!launch->function)
        return EW_OK;
    joint->threads = launch->threads;
    joint->early = launch->early;
    joint->bytes = launch->bytes;
    for (int k = 0; k < group->members; k++)
        if (group->member[k]->launch[index].shared > joint->shared)
            joint->shared = group->member[k]->launch[index].shared;
    TRY(find_kernel(group, joint, error));
    if (launch->list_blocks > 0)
        joint->rounds = rounds_for(group, index, joint->held);
    for (int k = 0; k < group->members; k++) {
        const struct ewi_cuda_launch *own = &group->member[k]->launch[index];
        joint->blocks += joint->rounds > 0 ? (unsigned)share(own, joint->rounds) : own->blocks;
    }
    return EW_OK;
}

/* Fills a launch's part of the host's copy of the table. */
static void fill_launch(const struct group *group, const struct joint_launch *joint, char *calls,
                        struct ewi_cuda_place *place)
{
    int32_t rounds = joint->rounds;
    struct ewi_cuda_device_clock *device_clock = (struct ewi_cuda_device_clock *)(uintptr_t)group->table;
    struct ewi_clock *clock = (struct ewi_clock *)(device_clock + group->members);
    for (int k = 0; k < group->members; k++) {
        const struct ewi_cuda_launch *own = &group->member[k]->launch[joint->index];
        int32_t blocks = rounds > 0 ? share(own, rounds) : (int32_t)own->blocks;
        union ewi_cuda_call call = own->call;
        call.head.stage = own->stage ? (int32_t)(own->stage - group->member[k]->plan->scheme->stage) + 1 : 0;
        call.head.in_instants = group->levels > 1;
        call.head.device_clock = device_clock + k;
        call.head.clock = clock + k;
        if (rounds > 0)
            call.stage.grid = blocks;
        memcpy(calls + (size_t)k * own->bytes, &call, own->bytes);
        for (int32_t block = 0; block < blocks; block++)
            *place++ = (struct ewi_cuda_place){k, block};
    }
}

static size_t clocks_bytes(const struct group *group)
{
    return (size_t)group->members * (sizeof(struct ewi_cuda_device_clock) + sizeof(struct ewi_clock));
}

static size_t calls_bytes(const struct group *group, const struct joint_launch *joint)
{
    return (size_t)group->members * joint->bytes;
}

static size_t launch_bytes(const struct group *group, const struct joint_launch *joint)
{
    return calls_bytes(group, joint) + (size_t)joint->blocks * sizeof(struct ewi_cuda_place);
}

static int make_table(struct ewi_cuda_ensemble *ensemble, struct group *group, ew_error *error)
{
    struct ewi_cuda *base = &ensemble->base;
    size_t bytes = clocks_bytes(group), at = bytes;
    int status;
    char *table = NULL;
    for (int k = 0; k < group->launches; k++)
        bytes += launch_bytes(group, &group->launch[k]);
    EWI_CUDA(base, ewi_cuda_allocate_apart(base, &group->table, bytes), "for an ensemble", error);
    table = ewi_alloc(&base->host, bytes, 1);
    if (!table)
        EWI_TRY(ewi_fail(error, EW_ENOMEM, "not enough memory for an ensemble of %d", group->members));
    for (int k = 0; k < group->launches; k++) {
        struct joint_launch *joint = &group->launch[k];
        size_t calls = calls_bytes(group, joint);
        fill_launch(group, joint, table + at, (struct ewi_cuda_place *)(table + at + calls));
        joint->members.call = (const void *)(uintptr_t)(group->table + at);
        joint->members.place = (const struct ewi_cuda_place *)(uintptr_t)(group->table + at + calls);
        at += launch_bytes(group, joint);
    }
    EWI_CUDA(base, base->driver.to_device(group->table, table, bytes, group->stream), "copying to it", error);
    EWI_CUDA(base, base->driver.stream_wait(group->stream), "copying to it", error);
out:
    ewi_free(&base->host, table);
    return status;
}

static bool list_launches(const ew_host *host, struct group *group)
{
    struct ewi_cuda_range own[MOST_RANGES];
    int ranges = list_ranges(group->member[0], own), launches = 0;
    for (int k = 0; k < ranges; k++) {
        group->range[k] = (struct ewi_cuda_range){launches, own[k].count};
        launches += own[k].count;
    }
    group->launch = ewi_alloc(host, (size_t)launches, sizeof *group->launch);
    for (int k = 0; group->launch && k < ranges; k++)
        for (int of = 0; of < own[k].count; of++)
            group->launch[group->launches++].index = own[k].first + of;
    return group->launch;
}

static int allocate_group(struct ewi_cuda_ensemble *ensemble, struct group *group, ew_error *error)
{
    struct ewi_cuda *base = &ensemble->base;
    void *page = NULL;
    int status = EW_OK;
    if (!list_launches(&base->host, group))
        return ewi_fail(error, EW_ENOMEM, "not enough memory for an ensemble of %d", group->members);
    if (group->levels > 1) {
        EWI_TRY(ewi_cuda_function(group->member[0], base->code->common, "next_instant", &group->next_instant, error));
        group->next_is_early = ewi_cuda_waits_itself(base, group->next_instant);
    }
    EWI_CUDA(base, base->driver.stream_create(&group->stream, CU_STREAM_NON_BLOCKING), "making a stream", error);
    EWI_CUDA(base, base->driver.host_allocate(&page, clocks_bytes(group), 0), "taking page-locked memory", error);
    group->device_clock = page;
    group->clock = (struct ewi_clock *)(group->device_clock + group->members);
out:
    return status;
}

/* Makes a group of members that are alike; their list becomes the group's. */
static int make_group(struct ewi_cuda_ensemble *ensemble, struct ewi_cuda **member, int members, ew_error *error)
{
    struct group *group = ewi_alloc(&ensemble->base.host, 1, sizeof *group);
    int status;
    if (!group) {
        ewi_free(&ensemble->base.host, member);
        return ewi_fail(error, EW_ENOMEM, "not enough memory for an ensemble of %d", members);
    }
    *group = (struct group){.member = member, .members = members, .levels = member[0]->plan->levels,
                            .overlaps = member[0]->driver.launch_with != NULL};
    EWI_TRY(allocate_group(ensemble, group, error));
    for (int k = 0; k < group->launches; k++)
        EWI_TRY(plan_launch(group, &group->launch[k], error));
    EWI_TRY(make_table(ensemble, group, error));
    for (int k = 0; k < members; k++)
        member[k]->group_place = (struct ewi_cuda_group_place){.group = group, .place = k};
    group->next = ensemble->group;
    ensemble->group = group;
    return EW_OK;
out:
    destroy_group(ensemble, group);
    return status;
}

/* ---- steps ---- */

static int launch_joint(struct ewi_cuda_ensemble *ensemble, const struct group *group, struct joint_launch *joint,
                        ew_error *error)
{
    struct ewi_cuda *base = &ensemble->base;
    return ewi_cuda_start(base, joint->function, joint->blocks, joint->threads, joint->shared,
                          joint->early && group->overlaps, group->stream, &joint->members, error);
}

/* The calls of a level's stages are the same at all instants, so the device counts these. */
static int launch_next_instant(struct ewi_cuda_ensemble *ensemble, const struct group *group, ew_error *error)
{
    const struct ewi_scheme *scheme = group->member[0]->plan->scheme;
    union ewi_cuda_call call = {.instants = {.device_clock = (struct ewi_cuda_device_clock *)(uintptr_t)group->table,
                                             .members = group->members,
                                             .stages = scheme->stages,
                                             .of_macro_step = scheme->stages << (group->levels - 1)}};
    unsigned blocks = ((unsigned)group->members + EWI_CUDA_BLOCK - 1) / EWI_CUDA_BLOCK;
    return ewi_cuda_start(&ensemble->base, group->next_instant, blocks, EWI_CUDA_BLOCK, 0,
                          group->next_is_early && group->overlaps, group->stream, &call, error);
}

/* The members' clocks, as they are on the device. */
static int read_clocks(struct ewi_cuda_ensemble *ensemble, const struct group *group, ew_error *error)
{
    struct ewi_cuda *base = &ensemble->base;
    int status;
    EWI_CUDA(base, base->driver.to_host(group->clock,
             group->table + (size_t)group->members * sizeof(struct ewi_cuda_device_clock),
             (size_t)group->members * sizeof *group->clock, group->stream), "stepping", error);
    EWI_CUDA(base, base->driver.stream_wait(group->stream), "stepping", error);
out:
    return status;
}

/* True if no member is in a macro step any more. */
static bool all_have_broken_off(const struct group *group)
{
    for (int k = 0; k < group->members; k++)
        if (group->clock[k].state == EWI_CLOCK_RUNNING && group->clock[k].stage == 0)
            return false;
    return true;
}

static int launch_range(struct ewi_cuda_ensemble *ensemble, const struct group *group, int number, ew_error *error);

static int launch_instants(struct ewi_cuda_ensemble *ensemble, const struct group *group, ew_error *error)
{
    for (int64_t n = 0; n < (int64_t)1 << (group->levels - 1); n++) {
        int begins = ewi_level_top(group->levels, n), ends = ewi_level_top(group->levels, n + 1);
        TRY(launch_range(ensemble, group, OF_LEVELS + 2 * begins, error));
        TRY(launch_range(ensemble, group, OF_LEVELS + 2 * ends + 1, error));
        TRY(launch_next_instant(ensemble, group, error));
        if (group->has_graphs && !group->graph && (n + 1) % EWI_CUDA_INSTANTS_UNSEEN == 0) {
            TRY(read_clocks(ensemble, group, error));
            if (all_have_broken_off(group))
                break;
        }
    }
    return EW_OK;
}

static int launch_range(struct ewi_cuda_ensemble *ensemble, const struct group *group, int number, ew_error *error)
{
    struct ewi_cuda_range range = group->range[number];
    for (int k = range.first; k < range.first + range.count; k++)
        if (!group->launch[k].function)
            TRY(launch_instants(ensemble, group, error));
        else if (group->launch[k].blocks > 0)
            TRY(launch_joint(ensemble, group, &group->launch[k], error));
    return EW_OK;
}

struct capture {
    struct ewi_cuda_ensemble *ensemble;
    const struct group *group;
};

static int capture_step(void *context)
{
    const struct capture *capture = context;
    return launch_range(capture->ensemble, capture->group, STEP, NULL);
}

/* As those of one solver (launch.c). */
static void make_graphs(struct ewi_cuda_ensemble *ensemble, struct group *group)
{
    struct capture capture = {ensemble, group};
    const struct ewi_driver *driver = &ensemble->base.driver;
    bool lost = ensemble->base.lost;
    for (int k = 0; k < 2 && !group->graph && group->levels <= EWI_CUDA_GRAPH_LEVELS; k++) {
        group->graph = ewi_cuda_capture(driver, group->stream, 1, capture_step, &capture);
        group->overlaps = group->overlaps && group->graph;
    }
    if (group->graph && group->levels == 1)
        group->graph_of_some = ewi_cuda_capture(driver, group->stream, EWI_CUDA_SOME_STEPS, capture_step, &capture);
    ensemble->base.lost = lost;
    group->has_graphs = true;
}

static int start_steps(struct ewi_cuda_ensemble *ensemble, struct group *group, int64_t count, ew_error *error)
{
    struct ewi_cuda *base = &ensemble->base;
    int status = EW_OK;
    if (!group->has_graphs)
        make_graphs(ensemble, group);
    while (count > 0) {
        bool some = group->graph_of_some && count >= EWI_CUDA_SOME_STEPS;
        if (!group->graph)
            EWI_TRY(launch_range(ensemble, group, STEP, error));
        else
            EWI_CUDA(base, base->driver.graph_launch(some ? group->graph_of_some : group->graph, group->stream),
                     "starting a step", error);
        count -= some ? EWI_CUDA_SOME_STEPS : 1;
    }
    EWI_TRY(launch_range(ensemble, group, CLOSING, error));
    EWI_CUDA(base, base->driver.to_host(group->clock,
             group->table + (size_t)group->members * sizeof(struct ewi_cuda_device_clock),
             (size_t)group->members * sizeof *group->clock, group->stream), "stepping", error);
out:
    return status;
}

/* ---- one call: clocks, and stopped members ---- */

/* NULL: it takes no part in this. */
static struct ewi_entrant *entrant_at(const struct group *group, int k)
{
    return group->member[k]->group_place.entrant;
}

static bool takes_part(const struct group *group)
{
    for (int k = 0; k < group->members; k++)
        if (entrant_at(group, k))
            return true;
    return false;
}

/* Starts the members of this call; the others stand still. */
static int begin_group(struct ewi_cuda_ensemble *ensemble, struct group *group, ew_error *error)
{
    struct ewi_cuda *base = &ensemble->base;
    int status;
    for (int k = 0; k < group->members; k++) {
        const struct ewi_entrant *entrant = entrant_at(group, k);
        struct ewi_clock *clock = &group->clock[k];
        *clock = (struct ewi_clock){.state = EWI_CLOCK_STEPS};
        if (entrant)
            *clock = ewi_clock_start(group->member[k]->plan, &entrant->progress, entrant->until, entrant->max_steps);
        if (entrant && (!(clock->time < clock->until) || entrant->max_steps == 0))
            ewi_clock_begin(clock);
        group->device_clock[k] = (struct ewi_cuda_device_clock){.clock = *clock};
    }
    EWI_CUDA(base, base->driver.to_device(group->table, group->device_clock, clocks_bytes(group), group->stream),
             "copying to it", error);
    EWI_TRY(launch_range(ensemble, group, OPENING, error));
out:
    return status;
}

static bool is_running(const struct group *group, int k)
{
    return entrant_at(group, k) && group->clock[k].state == EWI_CLOCK_RUNNING;
}

/* Ends clocks on the host, without a kernel (as advance_running in backend.c does). */
static void end_clocks(struct group *group)
{
    for (int k = 0; k < group->members; k++) {
        struct ewi_clock *clock = &group->clock[k];
        if (is_running(group, k) && !ewi_clock_wants_step(clock))
            ewi_clock_begin(clock);
    }
}

static int count_running(const struct ewi_cuda_ensemble *ensemble)
{
    int running = 0;
    for (const struct group *group = ensemble->group; group; group = group->next)
        for (int k = 0; k < group->members; k++)
            running += is_running(group, k);
    return running;
}

/*
 * Steps to start before looking again: about so many seconds' worth, and no more than the first one to stop still
 * wants.
 */
#define LOOK_S 0.004

static int64_t steps_ahead(const struct group *group)
{
    double least = group->step_s > 0.0 ? LOOK_S / group->step_s : 1.0;
    for (int k = 0; k < group->members; k++) {
        const struct ewi_clock *clock = &group->clock[k];
        if (!is_running(group, k))
            continue;
        double wanted = (double)(clock->last_step - clock->steps);
        double rest = clock->step > 0.0 ? ceil((clock->until - clock->time) / clock->step) : 1.0;
        wanted = rest < wanted ? rest : wanted;
        least = wanted < least ? wanted : least;
    }
    return least >= 1.0 ? (int64_t)least : 1;
}

static bool has_running(const struct group *group)
{
    for (int k = 0; k < group->members; k++)
        if (is_running(group, k))
            return true;
    return false;
}

/* All groups step at the same time, each in its stream; then their clocks are read. */
static int step_groups(struct ewi_cuda_ensemble *ensemble, ew_error *error)
{
    struct ewi_cuda *base = &ensemble->base;
    int status = EW_OK;
    double begun = ewi_seconds();
    for (struct group *group = ensemble->group; group; group = group->next) {
        group->ahead = has_running(group) ? steps_ahead(group) : 0;
        if (group->ahead > 0)
            EWI_TRY(start_steps(ensemble, group, group->ahead, error));
    }
    for (struct group *group = ensemble->group; group; group = group->next) {
        if (group->ahead == 0)
            continue;
        EWI_CUDA(base, base->driver.stream_wait(group->stream), "stepping", error);
        group->step_s = (ewi_seconds() - begun) / (double)group->ahead;
        end_clocks(group);
    }
out:
    return status;
}

static int run_groups(struct ewi_cuda_ensemble *ensemble, int enough, bool (*calls)(void *context), void *context,
                      ew_error *error)
{
    for (struct group *group = ensemble->group; group; group = group->next)
        if (takes_part(group))
            TRY(begin_group(ensemble, group, error));
    int entered = count_running(ensemble);
    while (count_running(ensemble) > 0 && entered - count_running(ensemble) < enough && !calls(context))
        TRY(step_groups(ensemble, error));
    return EW_OK;
}

/* ---- who takes part ---- */

/* True if its steps can be joined to those of others; not with boundaries that the host evaluates. */
bool ewi_cuda_goes_along(const void *instance)
{
    const struct ewi_cuda *cuda = instance;
    return cuda->fused && !cuda->plan->callbacks;
}

/* Those of `member` from number `first` on that are like that one; NULL: no memory. */
static struct ewi_cuda **list_alike(const struct ewi_cuda_ensemble *ensemble, struct ewi_entrant *const *member,
                                    int members, int first, int *count)
{
    struct ewi_cuda **list = ewi_alloc(&ensemble->base.host, (size_t)members, sizeof(struct ewi_cuda *));
    *count = 0;
    for (int k = first; list && k < members; k++) {
        struct ewi_cuda *cuda = member[k]->instance;
        if (are_alike(member[first]->instance, cuda))
            list[(*count)++] = cuda;
    }
    return list;
}

/* True if a group has all of these members, and not many others. */
static bool fits_group(const struct group *group, struct ewi_cuda *const *list, int count)
{
    bool fits = group && group->members <= 2 * count;
    for (int k = 0; fits && k < count; k++)
        fits = list[k]->group_place.group == group;
    return fits;
}

/* The group for entrant number `first` and all others like it; NULL: not enough memory for one. */
static struct group *group_for(struct ewi_cuda_ensemble *ensemble, struct ewi_entrant *const *member, int members,
                               int first)
{
    struct ewi_cuda *cuda = member[first]->instance;
    int count;
    struct ewi_cuda **list = list_alike(ensemble, member, members, first, &count);
    if (!list || fits_group(cuda->group_place.group, list, count)) {
        ewi_free(&ensemble->base.host, list);
        return list ? cuda->group_place.group : NULL;
    }
    for (struct group *group = ensemble->group, *next; group; group = next) {
        next = group->next;
        if (are_alike(group->member[0], cuda))
            remove_group(ensemble, group);
    }
    return make_group(ensemble, list, count, NULL) == EW_OK ? cuda->group_place.group : NULL;
}

/* Puts entrants into groups; without memory for one, they stay outside. Waits for work on the entrants' own streams. */
static int enter_groups(struct ewi_cuda_ensemble *ensemble, struct ewi_entrant *const *member, int members,
                        ew_error *error)
{
    int status = EW_OK;
    for (int k = 0; k < members; k++) {
        struct ewi_cuda *cuda = member[k]->instance;
        struct group *group = cuda->group_place.group;
        EWI_CUDA(&ensemble->base, ensemble->base.driver.stream_wait(cuda->stream), "stepping", error);
        if (!group || !takes_part(group))
            group = group_for(ensemble, member, members, k);
        if (group)
            cuda->group_place.entrant = member[k];
    }
out:
    return status;
}

static void take_clock(struct ewi_cuda *cuda, struct ewi_entrant *entrant)
{
    const struct group *group = cuda->group_place.group;
    const struct ewi_clock *clock = &group->clock[cuda->group_place.place];
    entrant->stopped = clock->state != EWI_CLOCK_RUNNING;
    *cuda->clock = *clock;
    if (entrant->stopped) {
        entrant->status = ewi_cuda_finish(cuda, &entrant->progress, &entrant->error);
        return;
    }
    entrant->progress.time = clock->time;
    entrant->progress.steps = clock->steps;
    entrant->progress.dt = clock->dt;
    entrant->progress.change = clock->change;
    entrant->progress.rate = clock->rate;
    entrant->progress.largest_rate = clock->largest_rate;
}

/* Marks a member as lost after a failure of the device. */
static void lose(struct ewi_cuda *cuda, const struct ewi_cuda *base, int status, const ew_error *error,
                 struct ewi_entrant *entrant)
{
    cuda->lost = base->lost;
    memcpy(cuda->reason, base->reason, sizeof cuda->reason);
    entrant->stopped = true;
    entrant->status = status;
    entrant->error = *error;
}

static void advance_alone(struct ewi_entrant *entrant)
{
    entrant->status = ewi_cuda_advance(entrant->instance, entrant->until, entrant->max_steps, &entrant->progress,
                                       &entrant->error);
    entrant->stopped = true;
}

void ewi_cuda_advance_together(void *instance, int members, struct ewi_entrant *const *member, int enough,
                               bool (*calls)(void *context), void *context)
{
    struct ewi_cuda_ensemble *ensemble = instance;
    ew_error error;
    int status = ewi_cuda_enter_context(&ensemble->base, &error);
    bool entered = status == EW_OK;
    if (entered)
        status = enter_groups(ensemble, member, members, &error);
    if (status == EW_OK)
        status = run_groups(ensemble, enough, calls, context, &error);
    for (int k = 0; k < members; k++) {
        struct ewi_cuda *cuda = member[k]->instance;
        if (status != EW_OK)
            lose(cuda, &ensemble->base, status, &error, member[k]);
        else if (cuda->group_place.entrant)
            take_clock(cuda, member[k]);
        else
            advance_alone(member[k]);
        cuda->group_place.entrant = NULL;
    }
    if (entered)
        ewi_cuda_leave_context(&ensemble->base);
}
