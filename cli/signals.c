/* SPDX-License-Identifier: BSD-2-Clause */
/* Signals that end a run. */
#include "cases.h"

#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#define SECOND_SIGNAL_SECONDS 0.5

static atomic_int caught_signal; /* which other threads read */
static struct timespec caught_at;

/*
 * The first signal is noted; a second one kills. Some programs, timeout(1) for one, send a signal to the process and to
 * its group at once, so the second one counts only after a while.
 */
static void on_signal(int number)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!caught_signal) {
        caught_at = now;
        caught_signal = number;
        return;
    }
    double since = (double)(now.tv_sec - caught_at.tv_sec) + 1e-9 * (double)(now.tv_nsec - caught_at.tv_nsec);
    if (since > SECOND_SIGNAL_SECONDS) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

/* A signal that the parent ignores stays ignored. */
void cli_catch_signals(void)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t k = 0; k < sizeof ending / sizeof *ending; k++) {
        struct sigaction present, action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigfillset(&action.sa_mask);
        if (sigaction(ending[k], NULL, &present) == 0 && present.sa_handler != SIG_IGN)
            sigaction(ending[k], &action, NULL);
    }
    signal(SIGXFSZ, SIG_IGN); /* too large a file is an error to report */
    signal(SIGPIPE, SIG_IGN); /* a run continues if the reader of its progress ends */
}

int cli_caught_signal(void)
{
    return caught_signal;
}

int cli_is_interrupted(void *context)
{
    (void)context;
    return caught_signal;
}

void cli_end_by_signal(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}
