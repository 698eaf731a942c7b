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
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { EXCHANGE = 1, CALL = 2 }; /* tags */
#define PIECE ((size_t)1 << 30)

/* A waiting rank yields its core after a short time. */
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
    const char *file[2];
    bool (*version)(void *library, char *text);
    int (*create)(const ew_host *host, void *library, const void *given, struct ew_comm **comm, ew_error *error);
} interfaces[] = {
    {"Open MPI", "openmpi-bin", {"libmpi.so.40", NULL}, pointer_version, pointer_create},
    {"MPICH", "mpich", {"libmpich.so.12", "libmpi.so.12"}, mpich_version, mpich_create},
    {"the standard's interface", NULL, {"libmpi_abi.so.1", "libmpi_abi.so.0"}, pointer_version, pointer_create},
};
enum { OPEN_MPI, MPICH, STANDARD, INTERFACES = sizeof interfaces / sizeof *interfaces };

/*
 * The programs that start tasks, by the variable in which they leave the number of tasks or, if that has no value but
 * `rank`, this task's own number. mpirun comes first: it may have been started in a step of Slurm. `pmi`: a variable
 * without which the launcher offers MPI nothing to join by.
 */
static const struct launcher {
    const char *name, *ranks, *rank, *pmi;
    int first, last;              /* interfaces of the libraries that may join its tasks */
    const char *together, *alone; /* commands that start one run */
} launchers[] = {
    {"mpirun", "OMPI_COMM_WORLD_SIZE", NULL, NULL, OPEN_MPI, OPEN_MPI, "the mpirun of the same library", "mpirun -n 1"},
    {"mpirun", "MV2_COMM_WORLD_SIZE", NULL, NULL, MPICH, MPICH, "the mpirun of the same library", "mpirun -n 1"},
    {"mpirun", "PMI_SIZE", NULL, NULL, MPICH, MPICH, "the mpirun of the same library", "mpirun -n 1"},
    {"jsrun", "JSM_NAMESPACE_SIZE", NULL, NULL, OPEN_MPI, STANDARD, "the mpirun of an MPI library", "jsrun -n 1"},
    {"flux", "FLUX_JOB_SIZE", NULL, NULL, OPEN_MPI, STANDARD, "flux run -o pmi=pmix", "flux run -n 1"},
    {"srun", "SLURM_STEP_NUM_TASKS", NULL, "PMIX_RANK", OPEN_MPI, STANDARD, "srun --mpi=pmix", "srun --ntasks=1"},
    {"mpiexec", NULL, "PALS_RANKID", NULL, MPICH, STANDARD, "the mpirun of an MPI library", "mpiexec -n 1"},
    {"aprun", NULL, "ALPS_APP_PE", NULL, MPICH, STANDARD, "the mpirun of an MPI library", "aprun -n 1"},
    {"a launcher with PMIx", NULL, "PMIX_RANK", NULL, OPEN_MPI, STANDARD, "the mpirun of an MPI library", "itself"},
};

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

/* The least number of tasks that the launcher has started; 0: it has started none. */
static int tasks_of(const struct launcher *launcher)
{
    if (launcher->ranks)
        return number_in(launcher->ranks);
    int rank = number_in(launcher->rank);
    return !getenv(launcher->rank) ? 0 : rank > 0 ? rank + 1 : 2;
}

static const struct launcher *find_launcher(void)
{
    for (size_t k = 0; k < sizeof launchers / sizeof *launchers; k++)
        if (tasks_of(&launchers[k]) > 0)
            return &launchers[k];
    return NULL;
}

int ew_comm_launched(void)
{
    const struct launcher *by = find_launcher();
    return by ? tasks_of(by) : 0;
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
 * True if messages may be in GPU memory. Open MPI, MPICH and MVAPICH report this by a non-standard function; others
 * (Cray MPICH) have none, and some report it where it does not work, so an environment variable takes precedence.
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

static int stay_alone(const struct launcher *by, const char *why, ew_error *error)
{
    return ewi_fail(error, EW_EUNAVAILABLE,
                    "%s has started several tasks, but %s, so that each would be a whole run; start them by %s, or "
                    "start one task, by %s; for runs that are independent, %s %s%s",
                    by->name, why, by->together, by->alone, by->ranks ? "set" : "unset",
                    by->ranks ? by->ranks : by->rank, by->ranks ? "=1" : "");
}

static int load_library(const struct launcher *by, const struct interface **interface, void **library, ew_error *error)
{
    char why[512];
    int last = by->last;
    *library = NULL;
    for (int k = by->first; k <= last && !*library; k++)
        *library = load(*interface = &interfaces[k], RTLD_GLOBAL);
    if (!*library && last < STANDARD)
        *library = load(*interface = &interfaces[STANDARD], RTLD_GLOBAL);
    if (*library)
        return EW_OK;
    ewi_snprintf(why, sizeof why,
                 "no library of MPI can be loaded to join them (%s; install the package %s, or add the library's "
                 "folder to LD_LIBRARY_PATH)", dlerror(), interfaces[by->first].package);
    return stay_alone(by, why, error);
}

/* A library that the launcher does not know starts as if there were one task. */
static int check_size(const struct launcher *by, const struct interface *interface, ew_comm **comm, ew_error *error)
{
    char why[512], text[256];
    if ((*comm)->size > 1 || tasks_of(by) < 2)
        return EW_OK;
    if (!describe(interface, text, sizeof text))
        ewi_snprintf(text, sizeof text, "%s", interface->name);
    ewi_snprintf(why, sizeof why, "%s finds only one", text);
    ew_comm_destroy(*comm);
    *comm = NULL;
    return stay_alone(by, why, error);
}

int ew_comm_create(const ew_host *host, ew_comm **comm, ew_error *error)
{
    EWI_REQUIRE(comm);
    const ew_host own = ewi_host_or_default(host);
    const struct launcher *by = find_launcher();
    const struct interface *interface;
    void *library;
    if (!by)
        return ewi_fail(error, EW_EUNAVAILABLE,
                        "MPI has not started this program: start it by mpirun, of Open MPI or MPICH");
    if (by->pmi && !getenv(by->pmi))
        return stay_alone(by, "offers MPI no interface to join them", error);
    int status = load_library(by, &interface, &library, error);
    if (status == EW_OK)
        status = create(interface, &own, library, NULL, comm, error);
    return status == EW_OK ? check_size(by, interface, comm, error) : status;
}

int ew_comm_of_mpi(const ew_host *host, const void *mpi_comm, ew_comm **comm, ew_error *error)
{
    EWI_REQUIRE(mpi_comm, comm);
    const ew_host own = ewi_host_or_default(host);
    /* the library with the standard's interface may be installed next to an older one */
    for (int k = INTERFACES; k-- > 0;) {
        void *library = load(&interfaces[k], RTLD_NOLOAD);
        if (library)
            return create(&interfaces[k], &own, library, mpi_comm, comm, error);
    }
    return ewi_fail(error, EW_EUNAVAILABLE, "this program has not loaded an MPI library that is known: Open MPI or "
                                            "MPICH");
}
