/* SPDX-License-Identifier: BSD-2-Clause */
/* Exchanges of parts with levels of time steps; ewi_level_exchange.h says in which order. */
#include "ewi_level_exchange.h"
#include "ewi_error.h"
#include "ewi_host.h"

/* Elements that one part sends to another: numbers in the plan of levels. */
struct list {
    int32_t *number;
    int32_t begin[EWI_SENT_COUNT][EW_MAX_STEP_LEVELS + 1]; /* of each level, and the end of the last one */
};

struct peer {
    int rank;
    struct list sends, receives;
    double *outgoing, *incoming;
};

struct ewi_level_exchange {
    ew_host host;
    const struct ewi_plan *plan; /* of levels */
    int peers;
    struct peer *peer;
    struct ewi_message *message; /* [2 peers] */
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
    const ew_host *host = &exchange->host;
    size_t sends = (size_t)of->sends, receives = (size_t)of->receives, doubles = (size_t)plan->rows + 1;
    peer->rank = of->rank;
    peer->sends.number = ewi_alloc(host, EWI_SENT_COUNT * sends, sizeof *peer->sends.number);
    peer->receives.number = ewi_alloc(host, EWI_SENT_COUNT * receives, sizeof *peer->receives.number);
    peer->outgoing = ewi_alloc(host, EWI_SENT_COUNT * sends * doubles, sizeof(double));
    peer->incoming = ewi_alloc(host, EWI_SENT_COUNT * receives * doubles, sizeof(double));
    if (!peer->sends.number || !peer->receives.number || !peer->outgoing || !peer->incoming)
        return ewi_fail(error, EW_ENOMEM, "not enough memory for the exchange of levels between parts");
    fill_list(plan, levels, of->send, 0, of->sends, &peer->sends);
    fill_list(plan, levels, NULL, of->first, of->receives, &peer->receives);
    return EW_OK;
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
    return EW_OK;
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
    for (int p = 0; p < exchange->peers; p++) {
        void *const arrays[] = {exchange->peer[p].sends.number, exchange->peer[p].receives.number,
                                exchange->peer[p].outgoing, exchange->peer[p].incoming};
        for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
            ewi_free(&host, arrays[k]);
    }
    ewi_free(&host, exchange->peer);
    ewi_free(&host, exchange->message);
    ewi_free(&host, exchange);
}

/* ---- exchange ---- */

/* Doubles of an element in a message. */
static int64_t doubles_of(const struct ewi_level_exchange *exchange, const struct ewi_level_message *message)
{
    return (message->state ? exchange->plan->rows : 0) + (message->room != NULL);
}

static int32_t count_of(const struct list *list, const struct ewi_level_message *message, int kind)
{
    int end = message->end[kind] > message->first ? message->end[kind] : message->first;
    return list->begin[kind][end] - list->begin[kind][message->first];
}

static int32_t count_list(const struct list *list, const struct ewi_level_message *message)
{
    int32_t count = 0;
    for (int kind = 0; kind < EWI_SENT_COUNT; kind++)
        count += count_of(list, message, kind);
    return count;
}

static void copy_element(const struct ewi_level_exchange *exchange, const struct ewi_level_message *message,
                         int32_t number, bool back, double *packed)
{
    if (message->room && back)
        message->room[number] = *packed++;
    else if (message->room)
        *packed++ = message->room[number];
    if (message->state && back)
        ewi_part_unpack(exchange->plan, packed, number, 1, message->state);
    else if (message->state)
        ewi_part_pack(exchange->plan, message->state, number, 1, packed);
}

/* Copies the elements of a list to what is sent, or back. */
static void copy_list(const struct ewi_level_exchange *exchange, const struct list *list,
                      const struct ewi_level_message *message, bool back, double *packed)
{
    for (int kind = 0; kind < EWI_SENT_COUNT; kind++) {
        const int32_t *number = list->number + list->begin[kind][message->first];
        int32_t count = count_of(list, message, kind);
        for (int32_t n = 0; n < count; n++, packed += doubles_of(exchange, message))
            copy_element(exchange, message, number[n], back, packed);
    }
}

/* Both parts know when a message would be empty; it is not sent. */
static int add_message(const struct ewi_level_exchange *exchange, int messages, int rank, bool receives, double *data,
                       int64_t doubles)
{
    exchange->message[messages] = (struct ewi_message){rank, receives, data, (size_t)doubles * sizeof(double)};
    return messages + (doubles > 0);
}

void ewi_level_exchange(struct ewi_level_exchange *exchange, const struct ewi_level_message *message, bool takes)
{
    struct ew_comm *comm = exchange->plan->part->comm;
    int64_t doubles = doubles_of(exchange, message);
    int messages = 0;
    for (int p = 0; p < exchange->peers; p++) {
        const struct peer *peer = &exchange->peer[p];
        copy_list(exchange, &peer->sends, message, false, peer->outgoing);
        messages = add_message(exchange, messages, peer->rank, true, peer->incoming,
                               doubles * count_list(&peer->receives, message));
        messages = add_message(exchange, messages, peer->rank, false, peer->outgoing,
                               doubles * count_list(&peer->sends, message));
    }
    comm->calls->exchange(comm, messages, exchange->message);
    for (int p = 0; takes && p < exchange->peers; p++)
        copy_list(exchange, &exchange->peer[p].receives, message, true, exchange->peer[p].incoming);
}
