/* SPDX-License-Identifier: BSD-2-Clause */
/* A thread that does one thing at a time for its owner. It starts with the first one and then waits for the next. */
#ifndef EWI_BACKGROUND_H
#define EWI_BACKGROUND_H

#include <pthread.h>
#include <stdbool.h>

struct ewi_background {
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    bool exists, ends;
    void (*work)(void *context); /* what it is doing; NULL: nothing */
    void *context;
};

void ewi_background_init(struct ewi_background *helper);
/* False: it is at work, or no thread is to be had. */
bool ewi_background_start(struct ewi_background *helper, void (*work)(void *context), void *context);
/* Until it has nothing to do. */
void ewi_background_wait(struct ewi_background *helper);
void ewi_background_end(struct ewi_background *helper);

#endif
