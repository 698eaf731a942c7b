/* SPDX-License-Identifier: BSD-2-Clause */
/* A helper thread that runs one task at a time for its owner. */
#include "ewi_background.h"
#include "ewi_team.h"

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

/* A child of fork has no helper, and nothing that its parent's does will be done here. */
static void forget_parent(struct ewi_background *helper)
{
    if (helper->exists && helper->forks != ewi_forks())
        ewi_background_init(helper);
}

static bool has_thread(struct ewi_background *helper)
{
    forget_parent(helper);
    helper->forks = ewi_forks();
    helper->exists = helper->exists || ewi_thread_start(&helper->thread, work, helper);
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
    forget_parent(helper);
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
