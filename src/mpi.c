/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The ranks of MPI. No library is linked: that of whichever has started the program is loaded. Handles are pointers
 * with Open MPI and in the standard's binary interface (MPI 5.0, chapter 20), and integers with MPICH; each kind has
 * its own copy of mpi_ranks.h.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "ewi_comm.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_team.h"
#include "ewi_text.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EXCHANGE = 1, CALL = 2 }; /* tags */
#define PIECE ((size_t)1 << 30)

/* Who waits to be called leaves its core to others after a short time. */
static void rest_since(double begun)
{
    double waited = ewi_seconds() - begun;
    if (waited > 1e-3)
        nanosleep(&(struct timespec){.tv_nsec = waited > 1.0 ? 1000000 : 50000}, NULL);
}

/* An object and a function pointer are not convertible in ISO C; POSIX promises that their bytes are. */
static bool find(void *library, const char *symbol, void *entry)
{
    void *address = dlsym(library, symbol);
    memcpy(entry, &address, sizeof address);
    return address != NULL;
}

typedef void *pointer_handle;
#define EWI_HANDLE pointer_handle
#define EWI_MPI(name) pointer_##name
struct pointer_ranks;
static bool pointer_find_handles(struct pointer_ranks *ranks);
#include "mpi_ranks.h"

static void *handle_of(uintptr_t number)
{
    return (void *)number;
}

/* Open MPI's are addresses in it, those of the standard's interface numbers. */
static bool pointer_find_handles(struct pointer_ranks *ranks)
{
    ranks->ignore = NULL;
    ranks->funneled = 1;
    if (find(ranks->library, "ompi_mpi_comm_world", &ranks->world) &&
        find(ranks->library, "ompi_mpi_byte", &ranks->byte) &&
        find(ranks->library, "ompi_mpi_unsigned_long_long", &ranks->number) &&
        find(ranks->library, "ompi_mpi_op_max", &ranks->largest))
        return true;
    int (*abi_version)(int *, int *);
    ranks->funneled = 1024;
    ranks->world = handle_of(0x101);
    ranks->byte = handle_of(0x247);
    ranks->number = handle_of(0x20f);
    ranks->largest = handle_of(0x23);
    return find(ranks->library, "MPI_Abi_get_version", &abi_version);
}

typedef int mpich_handle;
#define EWI_HANDLE mpich_handle
#define EWI_MPI(name) mpich_##name
struct mpich_ranks;
static bool mpich_find_handles(struct mpich_ranks *ranks);
#include "mpi_ranks.h"

/* Numbers of the MPICH ABI, which Intel MPI, MVAPICH and Cray MPICH have as well. */
static bool mpich_find_handles(struct mpich_ranks *ranks)
{
    ranks->ignore = handle_of(1);
    ranks->funneled = 1;
    ranks->world = 0x44000000;
    ranks->byte = 0x4c00010d;
    ranks->number = 0x4c000819;
    ranks->largest = 0x58000001;
    return true;
}

/* ---- the libraries ----------------------------------------------------------------------------------------------- */

static const struct interface {
    const char *name, *package;
    const char *ranks; /* the variable in which mpirun leaves their number; NULL: any mpirun's */
    const char *file[2];
    bool (*version)(void *library, char *text);
    int (*create)(const ew_host *host, void *library, const void *given, struct ew_comm **comm, ew_error *error);
} interfaces[] = {
    {"Open MPI", "openmpi-bin", "OMPI_COMM_WORLD_SIZE", {"libmpi.so.40", NULL},
     pointer_version, pointer_create},
    {"MPICH", "mpich", "PMI_SIZE", {"libmpich.so.12", "libmpi.so.12"}, mpich_version, mpich_create},
    {"the standard's interface", NULL, NULL, {"libmpi_abi.so.1", "libmpi_abi.so.0"}, pointer_version, pointer_create},
};
enum { INTERFACES = sizeof interfaces / sizeof *interfaces };

/* For use, with RTLD_GLOBAL: Open MPI's plug-ins look for its symbols among those of the program. */
static void *load(const struct interface *interface, int flags)
{
    void *library = NULL;
    for (int k = 0; k < 2 && !library && interface->file[k]; k++)
        library = dlopen(interface->file[k], RTLD_NOW | flags);
    return library;
}

static int number_in(const char *variable)
{
    const char *text = getenv(variable);
    long number = text ? strtol(text, NULL, 10) : 0;
    return number > 0 && number < INT32_MAX ? (int)number : 0;
}

static const struct interface *launcher(void)
{
    for (int k = 0; k < INTERFACES; k++)
        if (interfaces[k].ranks && number_in(interfaces[k].ranks) > 0)
            return &interfaces[k];
    return NULL;
}

int ew_comm_launched(void)
{
    const struct interface *by = launcher();
    return by ? number_in(by->ranks) : 0;
}

/* The first line, up to a comma, without its tabs: "Open MPI v4.1.4", "MPICH Version: 4.0.2". */
static bool describe(const struct interface *interface, char *text, size_t size)
{
    char version[8192]; /* MPI_MAX_LIBRARY_VERSION_STRING is less */
    void *library = load(interface, RTLD_LOCAL);
    if (!library || !interface->version(library, version))
        return false;
    version[strcspn(version, "\n,")] = '\0';
    for (char *tab = version; (tab = strchr(tab, '\t'));)
        *tab = ' ';
    ewi_snprintf(text, size, "%s", version);
    return true;
}

int ew_comm_library(int index, char *text, size_t size)
{
    for (int k = 0; text && k < INTERFACES; k++)
        if (describe(&interfaces[k], text, size) && index-- == 0)
            return 1;
    return 0;
}

/* The host and, if asked for, the cores of it that this process may use, as a number below 2^63. */
static uint64_t place(bool with_cores)
{
    struct {
        char host[256];
#ifdef __linux__
        cpu_set_t cores;
#endif
    } here;
    uint64_t hash = 0xcbf29ce484222325u;
    memset(&here, 0, sizeof here);
    gethostname(here.host, sizeof here.host - 1);
#ifdef __linux__
    if (with_cores)
        sched_getaffinity(0, sizeof here.cores, &here.cores);
#endif
    for (size_t k = 0; k < sizeof here; k++)
        hash = (hash ^ ((const unsigned char *)&here)[k]) * 0x100000001b3u;
    return hash >> 1 | 1;
}

/* mpirun may have bound the ranks to cores of their own. */
static void find_neighbours(struct ew_comm *comm)
{
    uint64_t own = place(true);
    comm->machine = place(false);
    for (int r = 0; r < comm->size; r++)
        comm->sharers += comm->calls->max(comm, r == comm->rank ? own : 0) == own;
}

#define GPU_MEMORY "EDGEWISE_MPI_GPU_MEMORY"

/*
 * Whether messages may be in the memory of a GPU. Open MPI, MPICH and MVAPICH say so by a function beside the standard;
 * others (Cray MPICH) have none, and some say yes where it does not work, so a word of the environment goes first.
 */
static bool takes_gpus(void *library, const char *word)
{
    int (*query)(void);
    return word ? strcmp(word, "yes") == 0 : find(library, "MPIX_Query_cuda_support", &query) && query() == 1;
}

static int create(const struct interface *interface, const ew_host *host, void *library, const void *given,
                  ew_comm **comm, ew_error *error)
{
    const char *word = getenv(GPU_MEMORY);
    word = word && word[0] ? word : NULL;
    if (word && strcmp(word, "yes") != 0 && strcmp(word, "no") != 0)
        return ewi_fail(error, EW_EINVAL, GPU_MEMORY " is \"%.40s\"; set it to yes, to no, or not at all", word);
    int status = interface->create(host, library, given, comm, error);
    if (status == EW_OK) {
        find_neighbours(*comm);
        (*comm)->takes_gpus = takes_gpus(library, word);
    }
    return status;
}

int ew_comm_create(const ew_host *host, ew_comm **comm, ew_error *error)
{
    EWI_REQUIRE(comm);
    const ew_host own = ewi_host_or_default(host);
    const struct interface *by = launcher();
    if (!by)
        return ewi_fail(error, EW_EUNAVAILABLE,
                        "MPI has not started this program: start it by mpirun, of Open MPI or MPICH");
    const struct interface *interface = by;
    void *library = load(by, RTLD_GLOBAL);
    for (int k = 0; k < INTERFACES && !library; k++)
        if (!interfaces[k].ranks)
            library = load(interface = &interfaces[k], RTLD_GLOBAL);
    if (!library)
        return ewi_fail(error, EW_EUNAVAILABLE,
                        "the mpirun of %s has started this program, but its library cannot be loaded (%s); install the "
                        "package %s, or add the library's folder to LD_LIBRARY_PATH",
                        by->name, dlerror(), by->package);
    return create(interface, &own, library, NULL, comm, error);
}

int ew_comm_of_mpi(const ew_host *host, const void *mpi_comm, ew_comm **comm, ew_error *error)
{
    EWI_REQUIRE(mpi_comm);
    EWI_REQUIRE(comm);
    const ew_host own = ewi_host_or_default(host);
    for (int k = INTERFACES; k-- > 0;) { /* the standard's interface may be a library beside an older one */
        void *library = load(&interfaces[k], RTLD_NOLOAD);
        if (library)
            return create(&interfaces[k], &own, library, mpi_comm, comm, error);
    }
    return ewi_fail(error, EW_EUNAVAILABLE, "this program has not loaded an MPI library that is known: Open MPI or "
                                            "MPICH");
}
