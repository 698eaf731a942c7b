/* SPDX-License-Identifier: BSD-2-Clause */
/* Teams of threads that meet at barriers and sleep while they wait. */
#define _GNU_SOURCE /* for RUSAGE_THREAD and affinities */
#include "ewi_team.h"
#include "ewi_host.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/resource.h>
#include <time.h>
#ifdef __linux__
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

enum { LINE = 64, PAUSES = 64 };
#define SPIN_SECONDS 50e-6 /* as long as it takes to sleep and wake, and nothing beside a time slice */

/* Where a thread's time has gone. */
struct time_spent {
    double clock, ran, slept;
    int64_t preemptions;
};

struct seat {
    _Alignas(LINE) struct ewi_member member;
    pthread_t thread;
    struct time_spent spent; /* in calls */
};

struct ewi_team {
    _Alignas(LINE) _Atomic uint32_t arrived;
    _Atomic uint64_t largest[2]; /* at this barrier and, perhaps still to be read, at the one before */
    /* Threads sleep on these two: the number of barriers that have opened, and of calls. */
    _Alignas(LINE) _Atomic uint32_t opened, called;
    _Atomic uint32_t asleep;
    void (*work)(struct ewi_member *member, void *context); /* NULL: go home */
    void *context;
    int size;
    struct seat *seat;
    ew_host host;
};

double ewi_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

static void sleep_while(_Atomic uint32_t *word, uint32_t value)
{
#ifdef __linux__
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
#else
    (void)word, (void)value;
    sched_yield();
#endif
}

static void wake_all(_Atomic uint32_t *word)
{
#ifdef __linux__
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
#else
    (void)word;
#endif
}

static void pause_shortly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/*
 * A thread that yielded its core in place of sleeping would get it back a whole time slice later, and be nine times
 * slower.
 */
static bool changes_soon(_Atomic uint32_t *word, uint32_t value)
{
    double begun = ewi_seconds();
    do {
        for (int k = 0; k < PAUSES; k++) {
            if (atomic_load_explicit(word, memory_order_acquire) != value)
                return true;
            pause_shortly();
        }
    } while (ewi_seconds() - begun < SPIN_SECONDS);
    return false;
}

static void wait_while(struct ewi_member *member, _Atomic uint32_t *word, uint32_t value)
{
    if (changes_soon(word, value))
        return;
    double begun = ewi_seconds();
    atomic_fetch_add(&member->team->asleep, 1);
    while (atomic_load(word) == value)
        sleep_while(word, value);
    atomic_fetch_sub(&member->team->asleep, 1);
    member->slept += ewi_seconds() - begun;
}

static void change(struct ewi_team *team, _Atomic uint32_t *word)
{
    atomic_fetch_add(word, 1);
    if (atomic_load(&team->asleep) > 0)
        wake_all(word);
}

uint64_t ewi_team_max(struct ewi_member *member, uint64_t value)
{
    if (member->size == 1)
        return value;
    struct ewi_team *team = member->team;
    uint32_t number = member->waits++;
    _Atomic uint64_t *largest = &team->largest[number % 2];
    uint64_t known = atomic_load_explicit(largest, memory_order_relaxed);
    while (known < value &&
           !atomic_compare_exchange_weak_explicit(largest, &known, value, memory_order_relaxed, memory_order_relaxed))
        ;
    if (atomic_fetch_add_explicit(&team->arrived, 1, memory_order_acq_rel) + 1 == (uint32_t)member->size) {
        atomic_store_explicit(&team->largest[1 - number % 2], 0, memory_order_relaxed); /* all have read it */
        atomic_store_explicit(&team->arrived, 0, memory_order_relaxed);
        change(team, &team->opened);
    } else {
        wait_while(member, &team->opened, number);
    }
    return atomic_load_explicit(largest, memory_order_relaxed);
}

bool ewi_team_any(struct ewi_member *member, bool value)
{
    return ewi_team_max(member, value) != 0;
}

void ewi_team_wait(struct ewi_member *member)
{
    ewi_team_max(member, 0);
}

struct ewi_share ewi_team_share(const struct ewi_member *member, int64_t count)
{
    int64_t part = count / member->size, rest = count % member->size, number = member->number;
    int64_t first = number * part + (number < rest ? number : rest);
    return (struct ewi_share){first, first + part + (number < rest)};
}

/* ---- time lost to others ----------------------------------------------------------------------------------------- */

static struct time_spent time_spent(const struct ewi_member *member)
{
    struct time_spent spent = {.clock = ewi_seconds(), .slept = member->slept};
#ifdef RUSAGE_THREAD
    struct rusage usage;
    if (getrusage(RUSAGE_THREAD, &usage) == 0) {
        spent.ran = (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec +
                    (double)usage.ru_stime.tv_sec + 1e-6 * (double)usage.ru_stime.tv_usec;
        spent.preemptions = usage.ru_nivcsw;
    }
#endif
    return spent;
}

static void add_time(struct seat *seat, const struct time_spent *before)
{
    struct time_spent now = time_spent(&seat->member), *sum = &seat->spent;
    sum->clock += now.clock - before->clock;
    sum->ran += now.ran - before->ran;
    sum->slept += now.slept - before->slept;
    sum->preemptions += now.preemptions - before->preemptions;
}

/* Not counted: what no other thread has caused, as when the program was stopped, or read from a disk. */
enum { LEAST_PREEMPTIONS = 20 }; /* a second */

double ewi_team_lost(struct ewi_team *team, double least)
{
    struct time_spent all = {0};
    if (team->seat[0].spent.clock < least)
        return -1.0;
    for (int k = 0; k < team->size; k++) {
        const struct time_spent *spent = &team->seat[k].spent;
        if ((double)spent->preemptions > LEAST_PREEMPTIONS * spent->clock)
            all.ran += spent->clock - spent->ran - spent->slept;
        all.clock += spent->clock;
        team->seat[k].spent = (struct time_spent){0};
    }
    return all.ran / all.clock;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static void take_part(struct seat *seat)
{
    struct ewi_team *team = seat->member.team;
    struct time_spent before = time_spent(&seat->member);
    team->work(&seat->member, team->context);
    add_time(seat, &before);
    ewi_team_wait(&seat->member);
}

static bool is_alone(const struct ewi_team *team)
{
#ifdef _OPENMP
    if (omp_in_parallel())
        return true;
#endif
    return team->size == 1;
}

void ewi_team_run(struct ewi_team *team, void (*work)(struct ewi_member *member, void *context), void *context)
{
    if (is_alone(team)) {
        work(&(struct ewi_member){.size = 1, .team = team}, context);
        return;
    }
    team->work = work;
    team->context = context;
    change(team, &team->called);
    take_part(&team->seat[0]);
}

/* Where OpenMP binds its threads, the creator is bound to one place, too, and a new thread of its would be. */
static void take_place(const struct ewi_member *member)
{
#if defined(_OPENMP) && defined(__linux__)
    int places = omp_get_num_places(), processor[CPU_SETSIZE];
    if (places == 0 || omp_get_proc_bind() == omp_proc_bind_false)
        return;
    bool spread = omp_get_proc_bind() == omp_proc_bind_spread && member->size < places;
    int place = (spread ? (int)((int64_t)member->number * places / member->size) : member->number) % places;
    if (omp_get_place_num_procs(place) > CPU_SETSIZE)
        return;
    cpu_set_t set;
    CPU_ZERO(&set);
    omp_get_place_proc_ids(place, processor);
    for (int k = 0; k < omp_get_place_num_procs(place); k++)
        CPU_SET(processor[k], &set);
    sched_setaffinity(0, sizeof set, &set); /* where it may not, it runs all the same */
#else
    (void)member;
#endif
}

static void *attend(void *context)
{
    struct seat *seat = context;
    struct ewi_team *team = seat->member.team;
    for (uint32_t call = 0;; call++) {
        wait_while(&seat->member, &team->called, call);
        if (!team->work)
            return NULL;
        if (call == 0) {
            seat->member.size = team->size;
            take_place(&seat->member);
        }
        take_part(seat);
    }
}

/* Signals are for the host's own threads. */
static bool has_thread(struct seat *seat)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool begun = pthread_create(&seat->thread, NULL, attend, seat) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return begun;
}

struct ewi_team *ewi_team_create(const ew_host *host, int threads)
{
    struct ewi_team *team = ewi_alloc(host, 1, sizeof *team);
    struct seat *seat = ewi_alloc(host, (size_t)threads, sizeof *seat);
    if (!team || !seat) {
        ewi_free(host, team);
        ewi_free(host, seat);
        return NULL;
    }
    team->host = *host;
    team->seat = seat;
    for (team->size = 0; team->size < threads; team->size++) {
        seat[team->size].member = (struct ewi_member){.number = team->size, .team = team};
        if (team->size > 0 && !has_thread(&seat[team->size]))
            break;
    }
    seat[0].member.size = team->size;
    return team;
}

void ewi_team_forget(struct ewi_team *team)
{
    if (!team)
        return;
    ew_host host = team->host;
    ewi_free(&host, team->seat);
    ewi_free(&host, team);
}

void ewi_team_destroy(struct ewi_team *team)
{
    if (!team)
        return;
    team->work = NULL;
    change(team, &team->called);
    for (int k = 1; k < team->size; k++)
        pthread_join(team->seat[k].thread, NULL);
    ewi_team_forget(team);
}

int ewi_team_size(const struct ewi_team *team)
{
    return team->size;
}
