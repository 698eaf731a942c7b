/* SPDX-License-Identifier: BSD-2-Clause */
/* A helper thread that runs one task at a time for its owner. */
#include "ewi_background.h"

#include <signal.h>

void ewi_background_init(struct ewi_background *helper)
{
    *helper = (struct ewi_background){.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
}

static void *work(void *context)
{
    struct ewi_background *helper = context;
    pthread_mutex_lock(&helper->lock);
    while (!helper->ends) {
        if (!helper->work) {
            pthread_cond_wait(&helper->changed, &helper->lock);
            continue;
        }
        pthread_mutex_unlock(&helper->lock);
        helper->work(helper->context);
        pthread_mutex_lock(&helper->lock);
        helper->work = NULL;
        pthread_cond_broadcast(&helper->changed);
    }
    pthread_mutex_unlock(&helper->lock);
    return NULL;
}

/* Blocks all signals in the helper: they are for the host's own threads. */
static bool has_thread(struct ewi_background *helper)
{
    sigset_t all, before;
    if (helper->exists)
        return true;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    helper->exists = pthread_create(&helper->thread, NULL, work, helper) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return helper->exists;
}

bool ewi_background_start(struct ewi_background *helper, void (*function)(void *context), void *context)
{
    if (!has_thread(helper))
        return false;
    pthread_mutex_lock(&helper->lock);
    bool idle = helper->work == NULL;
    if (idle) {
        helper->work = function;
        helper->context = context;
        pthread_cond_broadcast(&helper->changed);
    }
    pthread_mutex_unlock(&helper->lock);
    return idle;
}

void ewi_background_wait(struct ewi_background *helper)
{
    pthread_mutex_lock(&helper->lock);
    while (helper->work)
        pthread_cond_wait(&helper->changed, &helper->lock);
    pthread_mutex_unlock(&helper->lock);
}

void ewi_background_end(struct ewi_background *helper)
{
    ewi_background_wait(helper);
    if (!helper->exists)
        return;
    pthread_mutex_lock(&helper->lock);
    helper->ends = true;
    pthread_cond_broadcast(&helper->changed);
    pthread_mutex_unlock(&helper->lock);
    pthread_join(helper->thread, NULL);
    helper->exists = helper->ends = false;
}
