/* SPDX-License-Identifier: BSD-2-Clause */
/* Exchanges of parts with levels of time steps; ewi_level_exchange.h says in which order. */
#include "ewi_level_exchange.h"
#include "ewi_error.h"
#include "ewi_host.h"

/* Elements that one part sends to another: numbers in the plan of levels. */
struct list {
    int32_t elements; /* of the ghost layer */
    int32_t *number;
    int32_t begin[EWI_SENT_COUNT][EW_MAX_STEP_LEVELS + 1]; /* of each level, and the end of the last one */
};

struct peer {
    int rank;
    struct list list[2]; /* what is sent, and what is received */
};

struct ewi_level_exchange {
    ew_host host;
    const struct ewi_plan *plan; /* of levels */
    int peers;
    struct peer *peer;
    struct ewi_message *message; /* [2 peers] */
    int32_t *number;             /* of a list of all peers */
    double *packed[2];           /* for ewi_level_exchange: outgoing, and incoming */
};

/* ---- creation ---- */

/* The number of what is sent of an element of the part when this level is active, or -1: nothing. */
static int32_t number_of(const struct ewi_plan *plan, const struct ewi_level_plan *levels, enum ewi_level_sent kind,
                         int level, int32_t i)
{
    int own = plan->level[i];
    switch (kind) {
    case EWI_SENT_STATE: return own == level ? levels->local[i] : -1;
    case EWI_SENT_VIEW: return own == level ? levels->view[i] : -1;
    default: return own + 1 == level ? levels->trial[i] : -1;
    }
}

/* The elements are element[0 .. count - 1] or, if that is NULL, those from number `first` on. */
static void fill_list(const struct ewi_plan *plan, const struct ewi_level_plan *levels, const int32_t *element,
                      int32_t first, int32_t count, struct list *list)
{
    int32_t at = 0;
    list->elements = count;
    for (int kind = 0; kind < EWI_SENT_COUNT; kind++)
        for (int k = 0; k <= levels->levels; k++) {
            list->begin[kind][k] = at;
            for (int32_t n = 0; k < levels->levels && n < count; n++) {
                int32_t i = element ? element[n] : first + n;
                int32_t number = number_of(plan, levels, (enum ewi_level_sent)kind, k, i);
                if (number >= 0)
                    list->number[at++] = number;
            }
        }
}

static int make_peer(struct ewi_level_exchange *exchange, const struct ewi_plan *plan,
                     const struct ewi_level_plan *levels, const struct ewi_peer *of, struct peer *peer, ew_error *error)
{
    const int32_t count[2] = {of->sends, of->receives};
    peer->rank = of->rank;
    for (int way = 0; way < 2; way++) {
        struct list *list = &peer->list[way];
        list->number = ewi_alloc(&exchange->host, EWI_SENT_COUNT * (size_t)count[way], sizeof *list->number);
        if (!list->number)
            return ewi_fail(error, EW_ENOMEM, "not enough memory for the exchange of levels between parts");
        fill_list(plan, levels, way == EWI_SENDS ? of->send : NULL, of->first, count[way], list);
    }
    return EW_OK;
}

/* Room for all that could be sent at once. */
static int make_buffers(struct ewi_level_exchange *exchange, const struct ewi_part *part, ew_error *error)
{
    size_t count[2] = {0, (size_t)part->ghosts}, element = ((size_t)exchange->plan->rows + 1) * sizeof(double);
    for (int p = 0; p < part->peers; p++)
        count[EWI_SENDS] += (size_t)part->peer[p].sends;
    size_t larger = count[0] > count[1] ? count[0] : count[1];
    exchange->number = ewi_alloc(&exchange->host, EWI_SENT_COUNT * larger, sizeof *exchange->number);
    for (int way = 0; way < 2; way++)
        exchange->packed[way] = ewi_alloc(&exchange->host, EWI_SENT_COUNT * count[way], element);
    return exchange->number && exchange->packed[0] && exchange->packed[1]
               ? EW_OK
               : ewi_fail(error, EW_ENOMEM, "not enough memory for the exchange of levels between parts");
}

static int make(struct ewi_level_exchange *exchange, const struct ewi_plan *plan, const struct ewi_level_plan *levels,
                ew_error *error)
{
    size_t peers = (size_t)plan->part->peers;
    exchange->peer = ewi_alloc(&exchange->host, peers, sizeof *exchange->peer);
    exchange->message = ewi_alloc(&exchange->host, 2 * peers, sizeof *exchange->message);
    if (!exchange->peer || !exchange->message)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the exchange of levels between parts");
    exchange->peers = plan->part->peers;
    for (int p = 0; p < exchange->peers; p++)
        TRY(make_peer(exchange, plan, levels, &plan->part->peer[p], &exchange->peer[p], error));
    return make_buffers(exchange, plan->part, error);
}

int ewi_level_exchange_create(const struct ewi_plan *plan, const struct ewi_level_plan *levels,
                              struct ewi_level_exchange **result, ew_error *error)
{
    struct ewi_level_exchange *exchange = ewi_alloc(&plan->host, 1, sizeof *exchange);
    if (!exchange)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the exchange of levels between parts");
    exchange->host = plan->host;
    exchange->plan = levels->plan;
    int status = make(exchange, plan, levels, error);
    if (status == EW_OK)
        *result = exchange;
    else
        ewi_level_exchange_destroy(exchange);
    return status;
}

void ewi_level_exchange_destroy(struct ewi_level_exchange *exchange)
{
    if (!exchange)
        return;
    ew_host host = exchange->host;
    for (int p = 0; p < exchange->peers; p++)
        for (int way = 0; way < 2; way++)
            ewi_free(&host, exchange->peer[p].list[way].number);
    for (int way = 0; way < 2; way++)
        ewi_free(&host, exchange->packed[way]);
    ewi_free(&host, exchange->number);
    ewi_free(&host, exchange->peer);
    ewi_free(&host, exchange->message);
    ewi_free(&host, exchange);
}

/* ---- exchange ---- */

struct ewi_level_range ewi_level_exchange_range(int levels, int elements, int level)
{
    bool all = elements == EWI_ALL_ELEMENTS, trials = elements == EWI_LIST_TRIALS;
    bool end_of_steps = all || elements == EWI_LIST_ENDING;
    struct ewi_level_range range = {.first = 0};
    range.end[EWI_SENT_STATE] = all ? levels : trials ? 0 : level + 1;
    range.end[EWI_SENT_VIEW] = trials ? 0 : end_of_steps || level + 2 > levels ? levels : level + 2;
    range.end[EWI_SENT_TRIAL] = trials ? level + 1 : 0;
    return range;
}

static int32_t count_of(const struct list *list, const struct ewi_level_range *levels, int kind)
{
    int end = levels->end[kind] > levels->first ? levels->end[kind] : levels->first;
    return list->begin[kind][end] - list->begin[kind][levels->first];
}

static int32_t count_list(const struct list *list, const struct ewi_level_range *levels)
{
    int32_t count = 0;
    for (int kind = 0; kind < EWI_SENT_COUNT; kind++)
        count += count_of(list, levels, kind);
    return count;
}

int32_t ewi_level_exchange_list(const struct ewi_level_exchange *exchange, enum ewi_way way,
                                const struct ewi_level_range *levels, int32_t *number, int32_t *place)
{
    int32_t count = 0, before = 0;
    for (int p = 0; p < exchange->peers; p++) {
        const struct list *list = &exchange->peer[p].list[way];
        for (int kind = 0; kind < EWI_SENT_COUNT; kind++) {
            int32_t first = list->begin[kind][levels->first], end = first + count_of(list, levels, kind);
            for (int32_t n = first; n < end; n++, count++) {
                if (number)
                    number[count] = list->number[n];
                if (place)
                    place[count] = before + n;
            }
        }
        before += EWI_SENT_COUNT * list->elements;
    }
    return count;
}

/* Empty messages are not sent: both parts know their lengths. */
int ewi_level_exchange_messages(const struct ewi_level_exchange *exchange, const struct ewi_level_range *levels,
                                int64_t doubles, double *outgoing, double *incoming, struct ewi_message *message)
{
    double *packed[2] = {outgoing, incoming};
    int messages = 0;
    for (int p = 0; p < exchange->peers; p++)
        for (int way = 0; way < 2; way++) {
            const struct peer *peer = &exchange->peer[p];
            size_t count = (size_t)(count_list(&peer->list[way], levels) * doubles);
            message[messages] =
                (struct ewi_message){peer->rank, way == EWI_RECEIVES, packed[way], count * sizeof(double)};
            packed[way] += count;
            messages += count > 0;
        }
    return messages;
}

/* Returns where the next element is packed. */
static double *copy_element(const struct ewi_level_exchange *exchange, const struct ewi_level_message *message,
                            int32_t number, bool back, double *packed)
{
    if (message->number && back)
        message->number[number] = *packed++;
    else if (message->number)
        *packed++ = message->number[number];
    if (message->state && back)
        ewi_part_unpack(exchange->plan, packed, number, 1, message->state);
    else if (message->state)
        ewi_part_pack(exchange->plan, message->state, number, 1, packed);
    return packed + (message->state ? exchange->plan->rows : 0);
}

static void copy_list(const struct ewi_level_exchange *exchange, enum ewi_way way,
                      const struct ewi_level_message *message)
{
    int32_t count = ewi_level_exchange_list(exchange, way, &message->levels, exchange->number, NULL);
    double *packed = exchange->packed[way];
    for (int32_t n = 0; n < count; n++)
        packed = copy_element(exchange, message, exchange->number[n], way == EWI_RECEIVES, packed);
}

void ewi_level_exchange(struct ewi_level_exchange *exchange, const struct ewi_level_message *message, bool takes)
{
    struct ew_comm *comm = exchange->plan->part->comm;
    int64_t doubles = (message->state ? exchange->plan->rows : 0) + (message->number != NULL);
    copy_list(exchange, EWI_SENDS, message);
    int messages = ewi_level_exchange_messages(exchange, &message->levels, doubles, exchange->packed[EWI_SENDS],
                                               exchange->packed[EWI_RECEIVES], exchange->message);
    comm->calls->exchange(comm, messages, exchange->message);
    if (takes)
        copy_list(exchange, EWI_RECEIVES, message);
}
