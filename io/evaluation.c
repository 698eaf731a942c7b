/*
 * What a frame consists of, slab by slab. Where OpenMP offers the thread that writes more than one, another thread evaluates slabs with
 * as many while those before are written, and a third one forms the hash, which is a chain of its own. Else, for example
 * where the other cores are the solver's, everything is done one after the other. The values are the same.
 */
#include "ewi_error.h"
#include "ewi_fields.h"
#include "ewi_host.h"

#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static int offered_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

static void take_threads(int threads)
{
#ifdef _OPENMP
    omp_set_num_threads(threads);
#else
    (void)threads;
#endif
}

size_t ewi_slab_bytes(const struct ew_fields *fields)
{
    size_t values = (size_t)fields->slab * (size_t)(fields->outputs * fields->points + fields->variables) * fields->real;
    size_t doubles = (size_t)fields->slab * (size_t)fields->points * sizeof(double); /* coordinates, or a variable of a file that is gone on from */
    return values > doubles ? values : doubles;
}

int64_t ewi_slab_count(const struct ew_fields *fields, int64_t number)
{
    int64_t left = fields->elements - number * fields->slab;
    return left < fields->slab ? left : fields->slab;
}

void *ewi_slab_nodes(const struct ew_fields *fields, char *slab, int k)
{
    return slab + (size_t)k * (size_t)fields->slab * (size_t)fields->points * fields->real;
}

void *ewi_slab_means(const struct ew_fields *fields, char *slab, int m)
{
    return slab + ((size_t)fields->outputs * (size_t)fields->points + (size_t)m) * (size_t)fields->slab * fields->real;
}

static int evaluate(const struct ew_fields *fields, ew_solver *solver, int64_t number, char *slab, ew_error *error)
{
    void *node[EWI_MOST_OUTPUTS], *mean[EW_MAX_VARIABLES];
    for (int k = 0; k < fields->outputs; k++)
        node[k] = ewi_slab_nodes(fields, slab, k);
    for (int m = 0; m < fields->variables; m++)
        mean[m] = ewi_slab_means(fields, slab, m);
    return ew_solver_sample_columns(solver, number * fields->slab, ewi_slab_count(fields, number), fields->points, fields->rs, fields->outputs,
                                    fields->output, fields->single, node, mean, error);
}

/* ---- by other threads ---- */

static void form_hash(void *context)
{
    struct ew_fields *fields = context;
    struct ewi_evaluation *evaluation = &fields->evaluation;
    evaluation->hash_status = ew_solver_hash(evaluation->solver, &evaluation->hash, &evaluation->hash_error);
}

/* Until the slab may be filled; false: it is not wanted any more. */
static bool wait_for_room(struct ewi_evaluation *evaluation, int64_t number)
{
    pthread_mutex_lock(&evaluation->lock);
    while (number >= evaluation->written + EWI_SLABS && !evaluation->stops)
        pthread_cond_wait(&evaluation->changed, &evaluation->lock);
    bool wanted = !evaluation->stops;
    pthread_mutex_unlock(&evaluation->lock);
    return wanted;
}

static void evaluate_all(void *context)
{
    struct ew_fields *fields = context;
    struct ewi_evaluation *evaluation = &fields->evaluation;
    int status = EW_OK;
    take_threads(evaluation->threads);
    for (int64_t k = 0; k * fields->slab < fields->elements && status == EW_OK && wait_for_room(evaluation, k); k++) {
        ew_error error = {0};
        status = evaluate(fields, evaluation->solver, k, fields->buffer[k % EWI_SLABS], &error);
        pthread_mutex_lock(&evaluation->lock);
        evaluation->status = status;
        evaluation->error = error;
        evaluation->evaluated = k + 1;
        pthread_cond_broadcast(&evaluation->changed);
        pthread_mutex_unlock(&evaluation->lock);
    }
}

/* ---- for who writes ---- */

void ewi_evaluation_init(struct ewi_evaluation *evaluation)
{
    *evaluation = (struct ewi_evaluation){.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    ewi_helper_init(&evaluation->values_helper);
    ewi_helper_init(&evaluation->hash_helper);
}

int ewi_evaluation_begin(struct ew_fields *fields, ew_solver *solver, ew_norms *norms, ew_error *error)
{
    struct ewi_evaluation *evaluation = &fields->evaluation;
    TRY(ew_solver_sample(solver, 0, 0, 0, NULL, 0, NULL, error)); /* from here on the state is in the host's memory, for all of them */
    evaluation->solver = solver;
    evaluation->threads = offered_threads();
    evaluation->evaluated = evaluation->written = 0;
    evaluation->stops = evaluation->apart = false;
    evaluation->status = EW_OK;
    bool apart = evaluation->threads > 1, hashes = apart && ewi_helper_start(&evaluation->hash_helper, form_hash, fields);
    if (!hashes)
        form_hash(fields);
    int status = ew_solver_norms(solver, norms, error);
    if (status != EW_OK) {
        ewi_helper_wait(&evaluation->hash_helper);
        return status;
    }
    evaluation->apart = apart && ewi_helper_start(&evaluation->values_helper, evaluate_all, fields);
    return EW_OK;
}

int ewi_evaluation_get(struct ew_fields *fields, int64_t number, char **slab, ew_error *error)
{
    struct ewi_evaluation *evaluation = &fields->evaluation;
    *slab = fields->buffer[number % EWI_SLABS];
    if (!evaluation->apart)
        return evaluate(fields, evaluation->solver, number, *slab, error);
    pthread_mutex_lock(&evaluation->lock);
    evaluation->written = number; /* so many are no longer needed */
    pthread_cond_broadcast(&evaluation->changed);
    while (evaluation->evaluated <= number)
        pthread_cond_wait(&evaluation->changed, &evaluation->lock);
    int status = evaluation->evaluated == number + 1 ? evaluation->status : EW_OK;
    if (status != EW_OK && error)
        *error = evaluation->error;
    pthread_mutex_unlock(&evaluation->lock);
    return status;
}

int ewi_evaluation_end(struct ew_fields *fields, uint64_t *hash, ew_error *error)
{
    struct ewi_evaluation *evaluation = &fields->evaluation;
    pthread_mutex_lock(&evaluation->lock);
    evaluation->stops = true;
    pthread_cond_broadcast(&evaluation->changed);
    pthread_mutex_unlock(&evaluation->lock);
    ewi_helper_wait(&evaluation->values_helper);
    ewi_helper_wait(&evaluation->hash_helper);
    *hash = evaluation->hash;
    if (evaluation->hash_status != EW_OK && error)
        *error = evaluation->hash_error;
    return evaluation->hash_status;
}

void ewi_evaluation_destroy(struct ewi_evaluation *evaluation)
{
    ewi_helper_end(&evaluation->values_helper);
    ewi_helper_end(&evaluation->hash_helper);
}
