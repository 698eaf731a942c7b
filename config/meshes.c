/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes meshes from files or as rectangles, and shares them, and rasters, among cases. */
#include "ewi_case.h"
#include "ewi_error.h"
#include "ewi_host.h"
#include "ewi_mesh_file.h"
#include "ewi_raster_file.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

/* A key describes a source as a text; what has a longer key is not shared. */
enum { LONGEST_KEY = 4096 };

struct shared {
    struct shared *next;
    void (*destroy)(void *object); /* also identifies the kind: mesh or raster */
    void *object; /* a mesh or a raster; NULL: a thread is making it */
    int64_t users;
    char key[];
};

struct ew_meshes {
    ew_host host;
    pthread_mutex_t lock; /* guards the list and its contents */
    pthread_cond_t made;  /* one was made, or making it failed */
    struct shared *first;
};

int ew_meshes_create(const ew_host *host, ew_meshes **meshes, ew_error *error)
{
    EWI_REQUIRE(meshes);
    const ew_host own = ewi_host_or_default(host);
    ew_meshes *made = *meshes = ewi_alloc(&own, 1, sizeof *made);
    if (!made)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for a list of meshes");
    made->host = own;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->made, NULL);
    return EW_OK;
}

static void drop(ew_meshes *meshes, struct shared **place)
{
    struct shared *shared = *place;
    *place = shared->next;
    shared->destroy(shared->object);
    ewi_free(&meshes->host, shared);
}

/* Frees unused objects of one kind, or of any kind if `destroy` is NULL. Call with the lock held. */
static void drop_unused(ew_meshes *meshes, void (*destroy)(void *object))
{
    for (struct shared **place = &meshes->first; *place;)
        if ((*place)->users == 0 && (!destroy || (*place)->destroy == destroy))
            drop(meshes, place);
        else
            place = &(*place)->next;
}

void ew_meshes_destroy(ew_meshes *meshes)
{
    if (!meshes)
        return;
    ew_host host = meshes->host;
    drop_unused(meshes, NULL);
    pthread_cond_destroy(&meshes->made);
    pthread_mutex_destroy(&meshes->lock);
    ewi_free(&host, meshes);
}

/* ---- keys -------------------------------------------------------------------------------------------------------- */

/* Identifies a file and its version. */
static size_t put_file(int descriptor, char *key, size_t size)
{
    struct stat file;
    if (fstat(descriptor, &file) != 0)
        return size - 1;
    return ewi_append(key, size, 0, "file %" PRIuMAX " %" PRIuMAX " %" PRIdMAX " %" PRIdMAX ".%ld %" PRIdMAX ".%ld",
                      (uintmax_t)file.st_dev, (uintmax_t)file.st_ino, (intmax_t)file.st_size,
                      (intmax_t)file.st_mtim.tv_sec, file.st_mtim.tv_nsec, (intmax_t)file.st_ctim.tv_sec,
                      file.st_ctim.tv_nsec);
}

static size_t put_rectangle(const ew_rectangle *rectangle, char *key, size_t size)
{
    size_t length = ewi_append(key, size, 0, "rectangle %a %a %a %a %" PRId32 " %" PRId32 " %a %" PRIu64,
                               rectangle->x0, rectangle->y0, rectangle->x1, rectangle->y1, rectangle->nx,
                               rectangle->ny, rectangle->jitter, rectangle->seed);
    for (size_t k = 0; k < sizeof rectangle->side / sizeof rectangle->side[0]; k++) {
        length = ewi_append(key, size, length, "\nside");
        for (size_t part = 0; part < rectangle->side[k].parts; part++) {
            const ew_side_part *that = &rectangle->side[k].part[part];
            length = ewi_append(key, size, length, "\n%a %a %zu %s", that->from, that->to, strlen(that->name),
                                that->name);
        }
    }
    return length;
}

/* False: the key is too long. */
static bool put_key(const struct ewi_mesh_source *source, const ew_rectangle *wanted, char key[LONGEST_KEY])
{
    size_t length = source->path ? put_file(source->file, key, LONGEST_KEY)
                                 : put_rectangle(wanted, key, LONGEST_KEY);
    for (int32_t k = 0; k < wanted->periodics; k++) {
        const ew_periodic *pair = &wanted->periodic[k];
        length = ewi_append(key, LONGEST_KEY, length, "\nperiodic %zu %s %zu %s %a %a %d", strlen(pair->first),
                            pair->first, strlen(pair->second), pair->second, pair->dx, pair->dy, pair->automatic);
    }
    return length < LONGEST_KEY - 1;
}

/* ---- what is shared ---------------------------------------------------------------------------------------------- */

static struct shared **find(ew_meshes *meshes, const char *key)
{
    struct shared **place = &meshes->first;
    while (*place && strcmp((*place)->key, key) != 0)
        place = &(*place)->next;
    return place;
}

/*
 * Returns the entry of the key, waiting while another thread makes its object, or a new entry for the caller to fill.
 * Call with the lock held.
 */
static struct shared *take(ew_meshes *meshes, const char *key, void (*destroy)(void *object))
{
    struct shared *shared;
    while ((shared = *find(meshes, key)) && !shared->object)
        pthread_cond_wait(&meshes->made, &meshes->lock);
    if (!shared) {
        drop_unused(meshes, destroy);
        shared = ewi_alloc(&meshes->host, 1, sizeof *shared + strlen(key) + 1);
        if (!shared)
            return NULL;
        memcpy(shared->key, key, strlen(key) + 1);
        shared->destroy = destroy;
        shared->next = meshes->first;
        meshes->first = shared;
    }
    shared->users++;
    return shared;
}

/* Sets a new entry's object; NULL removes the entry. */
static void fill(ew_meshes *meshes, struct shared *shared, void *object)
{
    pthread_mutex_lock(&meshes->lock);
    shared->object = object;
    if (!object)
        drop(meshes, find(meshes, shared->key));
    pthread_cond_broadcast(&meshes->made);
    pthread_mutex_unlock(&meshes->lock);
}

/*
 * Looks up a shared object by its key. If *object is NULL, the caller must make the object and pass it to fill() with
 * *place. Fails without memory for a new place.
 */
static int look_up(ew_meshes *meshes, const char *key, void (*destroy)(void *object), struct shared **place,
                   void **object, ew_error *error)
{
    pthread_mutex_lock(&meshes->lock);
    *place = take(meshes, key, destroy);
    *object = *place ? (*place)->object : NULL;
    pthread_mutex_unlock(&meshes->lock);
    return *place ? EW_OK : ewi_fail(error, EW_ENOMEM, "not enough memory for a list of meshes");
}

/* Returns false for an object that is not shared. */
static bool release(ew_meshes *meshes, const void *object)
{
    struct shared *shared = NULL;
    if (!meshes)
        return false;
    pthread_mutex_lock(&meshes->lock);
    for (shared = meshes->first; shared && shared->object != object;)
        shared = shared->next;
    if (shared && object)
        shared->users--;
    pthread_mutex_unlock(&meshes->lock);
    return shared;
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static void destroy_mesh(void *mesh)
{
    ew_mesh_destroy(mesh);
}

int ewi_make_mesh(const ew_host *host, const struct ewi_mesh_source *source, const ew_rectangle *options,
                  ew_mesh **mesh, ew_error *error)
{
    const ew_mesh_data data = {.periodics = options->periodics, .periodic = options->periodic,
                               .report = options->report, .report_context = options->report_context};
    return source->path ? ewi_mesh_read(host, source->file, source->path, false, &data, mesh, error)
                        : ew_mesh_rectangle(host, options, mesh, error);
}

int ewi_get_mesh(ew_meshes *meshes, const ew_host *host, const struct ewi_mesh_source *source,
                 const ew_rectangle *wanted, ew_mesh **mesh, ew_error *error)
{
    char key[LONGEST_KEY];
    struct shared *place;
    void *object;
    if (!meshes || !put_key(source, wanted, key))
        return ewi_make_mesh(host, source, wanted, mesh, error);
    TRY(look_up(meshes, key, destroy_mesh, &place, &object, error));
    int status = EW_OK;
    ew_mesh *made = object;
    if (!object) {
        status = ewi_make_mesh(&meshes->host, source, wanted, &made, error);
        fill(meshes, place, status == EW_OK ? made : NULL);
    }
    if (status == EW_OK)
        *mesh = made;
    return status;
}

void ewi_release_mesh(ew_meshes *meshes, ew_mesh *mesh)
{
    if (!release(meshes, mesh))
        ew_mesh_destroy(mesh);
}

/* ---- rasters ----------------------------------------------------------------------------------------------------- */

static void destroy_raster(void *raster)
{
    ewi_raster_file_free(raster);
}

int ewi_get_raster(ew_meshes *meshes, const ew_host *host, int file, const char *path, const char *variable,
                   struct ewi_raster_file **raster, ew_error *error)
{
    char key[LONGEST_KEY];
    struct shared *place;
    void *object;
    size_t length = put_file(file, key, LONGEST_KEY);
    length = ewi_append(key, LONGEST_KEY, length, "\nraster %s %s", path, variable ? variable : "");
    if (!meshes || length >= LONGEST_KEY - 1)
        return ewi_raster_file_read(host, file, path, variable, raster, error);
    TRY(look_up(meshes, key, destroy_raster, &place, &object, error));
    int status = EW_OK;
    struct ewi_raster_file *made = object;
    if (!object) {
        status = ewi_raster_file_read(&meshes->host, file, path, variable, &made, error);
        fill(meshes, place, status == EW_OK ? made : NULL);
    }
    if (status == EW_OK)
        *raster = made;
    return status;
}

void ewi_release_raster(ew_meshes *meshes, struct ewi_raster_file *raster)
{
    if (!release(meshes, raster))
        ewi_raster_file_free(raster);
}
