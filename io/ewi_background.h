/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A helper thread that runs one task at a time for its owner. It starts with the first task and then waits for the
 * next.
 */
#ifndef EWI_BACKGROUND_H
#define EWI_BACKGROUND_H

#include <pthread.h>
#include <stdbool.h>

struct ewi_background {
    pthread_t thread;
    pthread_mutex_t lock; /* guards the following members */
    pthread_cond_t changed;
    bool exists, ends;
    unsigned forks; /* ewi_forks() when the thread was made */
    void (*work)(void *context); /* the task; NULL: idle */
    void *context;
};

void ewi_background_init(struct ewi_background *helper);
/* Runs the task. False: the helper is busy, or no thread could be started. */
bool ewi_background_start(struct ewi_background *helper, void (*work)(void *context), void *context);
/* Waits until the helper is idle. */
void ewi_background_wait(struct ewi_background *helper);
void ewi_background_end(struct ewi_background *helper);

#endif
