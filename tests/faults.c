/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Preloaded into the command by the tests of the spool: system calls that change files fail now and then, or the
 * process is killed at the one with a given number, counted over all processes of a run. It has no effect in other
 * programs, for example the shell.
 *
 *   EW_FAULT_RATE=0.01 EW_FAULT_SEED=7    each call fails with this probability, with ENOSPC or EIO
 *   EW_FAULT_KILL_AT=12 EW_FAULT_COUNTER=FILE    SIGKILL before (odd) or after (even) a call; FILE: a zeroed int64_t
 *   EW_FAULT_FAIL_AT=13 EW_FAULT_COUNTER=FILE    this one call (odd) fails with ENOSPC
 *   EW_FAULT_MEMORY_AT=14 EW_FAULT_COUNTER=FILE    this one allocation fails; not under AddressSanitizer, whose they
 *   are
 *   EW_FAULT_DISK_AT=15    the disk is full from this call of pwrite on, and its file system cannot set room aside
 *   EW_FAULT_INOTIFY=1    there is no inotify
 *   EW_FAULT_FORK=1       fork is refused
 *   EW_FAULT_UNSHARE=1    unshare is refused, as in containers
 *   EW_FAULT_FLOCK=1      flock takes a lock of fcntl's, as on network file systems
 *   EW_FAULT_LEASE=1      who asks for a lease is killed: the scanner, when it looks at a dropped case
 *   EW_FAULT_HDF5=1       HDF5 ends the process that opens a file
 *   EW_FAULT_HDF5=memory  HDF5 takes 1 GB to open a file
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static struct {
    bool ready, active;
    double rate;
    uint64_t state;
    int64_t kill_at, fail_at, memory_at, disk_at, placed;
    bool no_inotify, no_fork, no_unshare, flock_by_fcntl, no_lease, ends_in_hdf5;
    bool next_fails;
    int64_t *counter;
} faults;

static bool is_the_command(void)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length < 0)
        return false;
    path[length] = '\0';
    const char *slash = strrchr(path, '/');
    return slash && strstr(slash, "edgewise");
}

static void map_counter(const char *path)
{
    int (*real_open)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    int file = path ? real_open(path, O_RDWR) : -1;
    void *memory = file < 0 ? MAP_FAILED : mmap(NULL, sizeof(int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    faults.counter = memory == MAP_FAILED ? NULL : memory;
    if (file >= 0)
        close(file);
}

static void prepare(void)
{
    const char *rate = getenv("EW_FAULT_RATE"), *seed = getenv("EW_FAULT_SEED"), *kill_at = getenv("EW_FAULT_KILL_AT");
    const char *fail_at = getenv("EW_FAULT_FAIL_AT"), *memory_at = getenv("EW_FAULT_MEMORY_AT");
    faults.ready = true;
    faults.active = is_the_command();
    faults.rate = rate ? strtod(rate, NULL) : 0;
    faults.state = (seed ? strtoull(seed, NULL, 10) : 1) * 0x9e3779b97f4a7c15u + (uint64_t)getpid();
    faults.kill_at = kill_at ? strtoll(kill_at, NULL, 10) : 0;
    faults.fail_at = fail_at ? strtoll(fail_at, NULL, 10) : 0;
    faults.memory_at = memory_at ? strtoll(memory_at, NULL, 10) : 0;
    const char *disk_at = getenv("EW_FAULT_DISK_AT");
    faults.disk_at = disk_at ? strtoll(disk_at, NULL, 10) : 0;
    faults.no_inotify = getenv("EW_FAULT_INOTIFY") != NULL;
    faults.no_fork = getenv("EW_FAULT_FORK") != NULL;
    faults.no_unshare = getenv("EW_FAULT_UNSHARE") != NULL;
    faults.flock_by_fcntl = getenv("EW_FAULT_FLOCK") != NULL;
    faults.no_lease = getenv("EW_FAULT_LEASE") != NULL;
    faults.ends_in_hdf5 = getenv("EW_FAULT_HDF5") != NULL;
    if (faults.kill_at > 0 || faults.fail_at > 0 || faults.memory_at > 0)
        map_counter(getenv("EW_FAULT_COUNTER"));
}

static double random_number(void)
{
    faults.state ^= faults.state << 13;
    faults.state ^= faults.state >> 7;
    faults.state ^= faults.state << 17;
    return (double)(faults.state >> 11) * 0x1p-53;
}

static void count(void)
{
    if (!faults.ready)
        prepare();
    if (!faults.active || !faults.counter || faults.memory_at > 0)
        return;
    int64_t number = __atomic_add_fetch(faults.counter, 1, __ATOMIC_SEQ_CST);
    if (number == faults.kill_at)
        kill(getpid(), SIGKILL);
    faults.next_fails = number == faults.fail_at;
}

static bool fails(void)
{
    if (!faults.ready)
        prepare();
    if (faults.next_fails) {
        errno = ENOSPC;
        return true;
    }
    if (!faults.active || faults.rate <= 0 || random_number() >= faults.rate)
        return false;
    errno = random_number() < 0.5 ? ENOSPC : EIO;
    return true;
}

static bool is_full(void)
{
    if (!faults.ready)
        prepare();
    if (!faults.active || faults.disk_at <= 0 || ++faults.placed < faults.disk_at)
        return false;
    errno = ENOSPC;
    return true;
}

static bool sets_nothing_aside(void)
{
    if (!faults.ready)
        prepare();
    errno = EOPNOTSUPP;
    return faults.active && faults.disk_at > 0;
}

#define REAL(name) ((__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name))

#define WRAP(type, name, parameters, arguments, failure)    \
    EXPORT type name parameters                             \
    {                                                       \
        static __typeof__(&name) real;                      \
        if (!real)                                          \
            real = REAL(name);                              \
        count();                                            \
        type result = failure ? -1 : real arguments;        \
        int kept = errno;                                   \
        count();                                            \
        errno = kept;                                       \
        return result;                                      \
    }

WRAP(ssize_t, write, (int file, const void *bytes, size_t length), (file, bytes, length), fails())
WRAP(ssize_t, pwrite, (int file, const void *bytes, size_t length, off_t at), (file, bytes, length, at),
     is_full() || fails())
WRAP(ssize_t, pwrite64, (int file, const void *bytes, size_t length, off64_t at), (file, bytes, length, at),
     is_full() || fails())
WRAP(int, fallocate, (int file, int mode, off_t at, off_t length), (file, mode, at, length), sets_nothing_aside())
WRAP(int, fallocate64, (int file, int mode, off64_t at, off64_t length), (file, mode, at, length), sets_nothing_aside())
WRAP(int, ftruncate, (int file, off_t length), (file, length), fails())
WRAP(int, ftruncate64, (int file, off64_t length), (file, length), fails())
WRAP(int, fsync, (int file), (file), fails())
WRAP(int, syncfs, (int file), (file), fails())
WRAP(int, rename, (const char *from, const char *to), (from, to), fails())
WRAP(int, renameat, (int from, const char *old_name, int to, const char *name), (from, old_name, to, name), fails())
WRAP(int, renameat2, (int from, const char *old_name, int to, const char *name, unsigned flags),
     (from, old_name, to, name, flags), fails())
WRAP(int, fchmod, (int file, mode_t mode), (file, mode), fails())
WRAP(int, fchmodat, (int folder, const char *name, mode_t mode, int flags), (folder, name, mode, flags), fails())
WRAP(ssize_t, copy_file_range, (int from, off64_t *at, int to, off64_t *there, size_t length, unsigned flags),
     (from, at, to, there, length, flags), fails())
WRAP(int, mkdirat, (int folder, const char *name, mode_t mode), (folder, name, mode), fails())
WRAP(int, unlinkat, (int folder, const char *name, int flags), (folder, name, flags), false)
WRAP(ssize_t, sendmsg, (int file, const struct msghdr *message, int flags), (file, message, flags), false)
WRAP(ssize_t, send, (int file, const void *bytes, size_t length, int flags), (file, bytes, length, flags), false)

static bool creates(int flags)
{
    return (flags & O_CREAT) != 0;
}

EXPORT int openat(int folder, const char *name, int flags, ...)
{
    static int (*real)(int, const char *, int, ...);
    if (!real)
        real = (int (*)(int, const char *, int, ...))(uintptr_t)dlsym(RTLD_NEXT, "openat");
    va_list list;
    va_start(list, flags);
    mode_t mode = creates(flags) ? va_arg(list, mode_t) : 0;
    va_end(list);
    if (!creates(flags))
        return real(folder, name, flags);
    count();
    int result = fails() ? -1 : real(folder, name, flags, mode), kept = errno;
    count();
    errno = kept;
    return result;
}

EXPORT int inotify_init1(int flags)
{
    static __typeof__(&inotify_init1) real;
    if (!faults.ready)
        prepare();
    if (!real)
        real = REAL(inotify_init1);
    if (!faults.active || !faults.no_inotify)
        return real(flags);
    errno = ENOSYS;
    return -1;
}

EXPORT int flock(int descriptor, int operation)
{
    static __typeof__(&flock) real;
    if (!faults.ready)
        prepare();
    if (!real)
        real = REAL(flock);
#ifdef F_OFD_SETLK
    if (faults.active && faults.flock_by_fcntl) {
        short type = operation & LOCK_UN ? F_UNLCK : operation & LOCK_EX ? F_WRLCK : F_RDLCK;
        struct flock lock = {.l_type = type, .l_whence = SEEK_SET};
        return fcntl(descriptor, operation & LOCK_NB ? F_OFD_SETLK : F_OFD_SETLKW, &lock);
    }
#endif
    return real(descriptor, operation);
}

/* glibc calls it fcntl64 for programs with large files. */
EXPORT int fcntl(int descriptor, int command, ...)
{
    static int (*real)(int, int, ...);
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (!faults.ready)
        prepare();
    if (!real)
        real = (int (*)(int, int, ...))(uintptr_t)dlsym(RTLD_NEXT, "fcntl");
    if (faults.active && faults.no_lease && command == F_SETLEASE)
        raise(SIGKILL);
    return real(descriptor, command, argument);
}

EXPORT pid_t fork(void)
{
    static __typeof__(&fork) real;
    if (!faults.ready)
        prepare();
    if (!real)
        real = REAL(fork);
    if (!faults.active || !faults.no_fork)
        return real();
    errno = EAGAIN;
    return -1;
}

EXPORT int unshare(int flags)
{
    static __typeof__(&unshare) real;
    if (!faults.ready)
        prepare();
    if (!real)
        real = REAL(unshare);
    if (!faults.active || !faults.no_unshare)
        return real(flags);
    errno = EPERM;
    return -1;
}

int nc_open(const char *path, int mode, int *file);

/* The signal is one that no sanitizer catches. */
EXPORT int nc_open(const char *path, int mode, int *file)
{
    static __typeof__(&nc_open) real;
    if (!faults.ready)
        prepare();
    if (!real)
        real = REAL(nc_open);
    const char *fault = faults.active && faults.ends_in_hdf5 ? getenv("EW_FAULT_HDF5") : "";
    if (strcmp(fault, "1") == 0)
        raise(SIGKILL);
    if (strcmp(fault, "memory") == 0 &&
        mmap(NULL, 1 << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
        return -61; /* NC_ENOMEM */
    return real(path, mode, file);
}

/* ---- memory ---- */

#ifndef __SANITIZE_ADDRESS__

static struct {
    void *(*malloc)(size_t), *(*calloc)(size_t, size_t), *(*realloc)(void *, size_t);
} real_memory;

/*
 * All at the first call, when the program starts: dlerror allocates, and forgets its message if it comes to another
 * dlsym by that.
 */
static void find_memory(void)
{
    real_memory.calloc = (void *(*)(size_t, size_t))(uintptr_t)dlsym(RTLD_NEXT, "calloc");
    real_memory.realloc = (void *(*)(void *, size_t))(uintptr_t)dlsym(RTLD_NEXT, "realloc");
    real_memory.malloc = (void *(*)(size_t))(uintptr_t)dlsym(RTLD_NEXT, "malloc");
}

static bool has_no_memory(void)
{
    if (!real_memory.malloc)
        find_memory();
    if (!faults.ready)
        prepare();
    if (!faults.active || faults.memory_at <= 0 || !faults.counter ||
        __atomic_add_fetch(faults.counter, 1, __ATOMIC_SEQ_CST) != faults.memory_at)
        return false;
    errno = ENOMEM;
    return true;
}

#define WRAP_MEMORY(name, parameters, arguments)                       \
    EXPORT void *name parameters                                       \
    {                                                                  \
        return has_no_memory() ? NULL : real_memory.name arguments;    \
    }

WRAP_MEMORY(malloc, (size_t size), (size))
WRAP_MEMORY(calloc, (size_t count, size_t size), (count, size))
WRAP_MEMORY(realloc, (void *old, size_t size), (old, size))

#endif
