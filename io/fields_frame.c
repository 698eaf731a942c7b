/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A frame's norms, hash, and values at nodes and means, slab by slab. If OpenMP offers several threads, a second
 * thread, with as many, evaluates expected frames while earlier ones are written. EWI_SLABS slabs, of any frames, are
 * buffered between the two, so the slower one sets the pace. Otherwise one thread evaluates and writes alternately, for
 * example if the solver needs the other cores. The values are the same.
 */
#include "ewi_error.h"
#include "ewi_fields.h"

#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

/* Leaves some of many threads for time steps, writing and syncing. */
static int offered_threads(void)
{
#ifdef _OPENMP
    int threads = omp_get_max_threads();
    return threads - threads / 8;
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
    size_t values = (size_t)fields->slab * (size_t)(fields->outputs * fields->points + fields->means) *
                    fields->real;
    /* room for coordinates, or for a variable of the file from which a run resumes */
    size_t doubles = (size_t)fields->slab * (size_t)fields->points * sizeof(double);
    size_t least = fields->raster.columns > 0 ? ewi_raster_block_bytes(&fields->raster) : 0;
    least = least > doubles ? least : doubles;
    return values > least ? values : least;
}

int64_t ewi_node_slabs(const struct ew_fields *fields)
{
    return fields->means > 0 ? (fields->elements + fields->slab - 1) / fields->slab : 0;
}

int64_t ewi_slab_total(const struct ew_fields *fields)
{
    return ewi_node_slabs(fields) + ewi_raster_blocks(&fields->raster);
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
    if (number >= ewi_node_slabs(fields))
        return ewi_raster_evaluate(&fields->raster, solver, number - ewi_node_slabs(fields), slab, error);
    for (int k = 0; k < fields->outputs; k++)
        node[k] = ewi_slab_nodes(fields, slab, k);
    for (int m = 0; m < fields->means; m++)
        mean[m] = ewi_slab_means(fields, slab, m);
    return ew_solver_sample_columns(solver, number * fields->slab, ewi_slab_count(fields, number), fields->points,
                                    fields->rs, fields->outputs, fields->output, fields->single, node, mean, error);
}

static int evaluate_state(ew_solver *solver, ew_norms *norms, uint64_t *hash, ew_error *error)
{
    TRY(ew_solver_norms(solver, norms, error));
    return ew_solver_hash(solver, hash, error);
}

/* ---- by the other thread ---- */

/* Waits until the slab may be filled; false if it is no longer wanted. Slabs are numbered across all frames. */
static bool wait_for_room(struct ewi_frame_values *evaluation, int64_t slab)
{
    pthread_mutex_lock(&evaluation->lock);
    while (slab >= evaluation->written + EWI_SLABS && !evaluation->stops)
        pthread_cond_wait(&evaluation->changed, &evaluation->lock);
    bool wanted = !evaluation->stops;
    pthread_mutex_unlock(&evaluation->lock);
    return wanted;
}

static void tell(struct ewi_frame_values *evaluation, struct ewi_frame *frame, int status, const ew_error *error,
                 int64_t evaluated)
{
    pthread_mutex_lock(&evaluation->lock);
    frame->has_state = true;
    frame->status = status;
    frame->error = *error;
    evaluation->evaluated = evaluated;
    pthread_cond_broadcast(&evaluation->changed);
    pthread_mutex_unlock(&evaluation->lock);
}

static void evaluate_frame(struct ew_fields *fields, struct ewi_frame *frame, int64_t first)
{
    struct ewi_frame_values *evaluation = &fields->evaluation;
    ew_error error = {0};
    take_threads(frame->threads);
    int status = evaluate_state(frame->solver, &frame->norms, &frame->hash, &error);
    tell(evaluation, frame, status, &error, first);
    for (int64_t k = 0; k < ewi_slab_total(fields) && status == EW_OK && wait_for_room(evaluation, first + k); k++) {
        status = evaluate(fields, frame->solver, k, fields->buffer[(first + k) % EWI_SLABS], &error);
        tell(evaluation, frame, status, &error, first + k + (status == EW_OK));
    }
}

/* A failed frame is the last: its writer drops all expected frames. */
static void evaluate_frames(void *context)
{
    struct ew_fields *fields = context;
    struct ewi_frame_values *evaluation = &fields->evaluation;
    pthread_mutex_lock(&evaluation->lock);
    while (!evaluation->ends) {
        if (evaluation->stops || evaluation->begun == evaluation->expected) {
            pthread_cond_wait(&evaluation->changed, &evaluation->lock);
            continue;
        }
        int64_t number = evaluation->begun++;
        evaluation->busy = true;
        pthread_mutex_unlock(&evaluation->lock);
        evaluate_frame(fields, &evaluation->frame[number % EWI_EXPECTED], number * ewi_slab_total(fields));
        pthread_mutex_lock(&evaluation->lock);
        evaluation->busy = false;
        pthread_cond_broadcast(&evaluation->changed);
    }
    pthread_mutex_unlock(&evaluation->lock);
}

/* ---- by the writer ---- */

/* Call with the lock held. False: no thread could be started, or the queue is full. */
static bool expect(struct ew_fields *fields, ew_solver *solver, int threads)
{
    struct ewi_frame_values *evaluation = &fields->evaluation;
    if (threads < 2 || evaluation->ends || evaluation->expected - evaluation->first == EWI_EXPECTED)
        return false;
    if (!evaluation->runs)
        evaluation->runs = ewi_background_start(&evaluation->helper, evaluate_frames, fields);
    if (!evaluation->runs)
        return false;
    evaluation->frame[evaluation->expected++ % EWI_EXPECTED] = (struct ewi_frame){.solver = solver, .threads = threads};
    pthread_cond_broadcast(&evaluation->changed);
    return true;
}

/* Call with the lock held. After it, no expected frame is read. */
static void forget_all(struct ewi_frame_values *evaluation)
{
    evaluation->stops = true;
    pthread_cond_broadcast(&evaluation->changed);
    while (evaluation->busy)
        pthread_cond_wait(&evaluation->changed, &evaluation->lock);
    evaluation->stops = false;
    evaluation->first = evaluation->begun = evaluation->expected = evaluation->evaluated = evaluation->written = 0;
}

static struct ewi_frame *first_frame(struct ewi_frame_values *evaluation)
{
    return &evaluation->frame[evaluation->first % EWI_EXPECTED];
}

/* Sets *apart to true if the second thread evaluates the frame. */
static int find_frame(struct ew_fields *fields, ew_solver *solver, bool *apart, ew_error *error)
{
    struct ewi_frame_values *evaluation = &fields->evaluation;
    pthread_mutex_lock(&evaluation->lock);
    *apart = evaluation->first < evaluation->expected && first_frame(evaluation)->solver == solver;
    if (!*apart && evaluation->first < evaluation->expected)
        forget_all(evaluation);
    pthread_mutex_unlock(&evaluation->lock);
    if (*apart)
        return EW_OK;
    /* copies the state to the host's memory, for all threads */
    TRY(ew_solver_sample(solver, 0, 0, 0, NULL, 0, NULL, error));
    int threads = offered_threads();
    pthread_mutex_lock(&evaluation->lock);
    *apart = expect(fields, solver, threads);
    pthread_mutex_unlock(&evaluation->lock);
    return EW_OK;
}

void ewi_frame_values_init(struct ewi_frame_values *evaluation)
{
    *evaluation = (struct ewi_frame_values){.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    ewi_background_init(&evaluation->helper);
}

void ewi_frame_values_expect(struct ew_fields *fields, ew_solver *snapshot)
{
    struct ewi_frame_values *evaluation = &fields->evaluation;
    int threads = offered_threads();
    pthread_mutex_lock(&evaluation->lock);
    if (!evaluation->has_failed)
        expect(fields, snapshot, threads);
    pthread_mutex_unlock(&evaluation->lock);
}

int ewi_frame_values_begin(struct ew_fields *fields, ew_solver *solver, ew_norms *norms, uint64_t *hash,
                           ew_error *error)
{
    struct ewi_frame_values *evaluation = &fields->evaluation;
    TRY(find_frame(fields, solver, &evaluation->apart, error));
    evaluation->solver = solver;
    if (!evaluation->apart)
        return evaluate_state(solver, norms, hash, error);
    pthread_mutex_lock(&evaluation->lock);
    const struct ewi_frame *frame = first_frame(evaluation);
    while (!frame->has_state)
        pthread_cond_wait(&evaluation->changed, &evaluation->lock);
    int status = frame->status;
    *norms = frame->norms;
    *hash = frame->hash;
    if (status != EW_OK && error)
        *error = frame->error;
    pthread_mutex_unlock(&evaluation->lock);
    return status;
}

int ewi_frame_values_get(struct ew_fields *fields, int64_t number, char **slab, ew_error *error)
{
    struct ewi_frame_values *evaluation = &fields->evaluation;
    *slab = fields->buffer[0];
    if (!evaluation->apart)
        return evaluate(fields, evaluation->solver, number, *slab, error);
    pthread_mutex_lock(&evaluation->lock);
    const struct ewi_frame *frame = first_frame(evaluation);
    int64_t at = evaluation->first * ewi_slab_total(fields) + number;
    *slab = fields->buffer[at % EWI_SLABS];
    evaluation->written = at; /* earlier slabs are no longer needed */
    pthread_cond_broadcast(&evaluation->changed);
    while (evaluation->evaluated <= at && frame->status == EW_OK)
        pthread_cond_wait(&evaluation->changed, &evaluation->lock);
    int status = evaluation->evaluated > at ? EW_OK : frame->status;
    if (status != EW_OK && error)
        *error = frame->error;
    pthread_mutex_unlock(&evaluation->lock);
    return status;
}

void ewi_frame_values_end(struct ew_fields *fields)
{
    struct ewi_frame_values *evaluation = &fields->evaluation;
    pthread_mutex_lock(&evaluation->lock);
    if (evaluation->apart)
        evaluation->written = ++evaluation->first * ewi_slab_total(fields);
    pthread_cond_broadcast(&evaluation->changed);
    pthread_mutex_unlock(&evaluation->lock);
}

void ewi_frame_values_fail(struct ew_fields *fields)
{
    struct ewi_frame_values *evaluation = &fields->evaluation;
    pthread_mutex_lock(&evaluation->lock);
    evaluation->has_failed = true;
    forget_all(evaluation);
    pthread_mutex_unlock(&evaluation->lock);
}

void ewi_frame_values_destroy(struct ewi_frame_values *evaluation)
{
    pthread_mutex_lock(&evaluation->lock);
    evaluation->ends = evaluation->stops = true;
    pthread_cond_broadcast(&evaluation->changed);
    pthread_mutex_unlock(&evaluation->lock);
    ewi_background_end(&evaluation->helper);
}
