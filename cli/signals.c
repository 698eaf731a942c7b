/* SPDX-License-Identifier: BSD-2-Clause */
/* Signals that end a run. */
#include "cases.h"
#include "ewi_team.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#define SECOND_SIGNAL_SECONDS 0.5

static atomic_int caught_signal; /* other threads read it */

/* Some programs, such as timeout(1), send a signal to the process and to its group at once. */
bool cli_signal_counts(void)
{
    static _Atomic double first; /* several threads may get signals at once */
    double before = 0, now = ewi_seconds();
    return atomic_compare_exchange_strong(&first, &before, now) || now - before > SECOND_SIGNAL_SECONDS;
}

/* Notes the first signal; a second one kills. */
static void on_signal(int number)
{
    if (!cli_signal_counts())
        return;
    if (!caught_signal) {
        caught_signal = number;
        return;
    }
    cli_end_by_signal(number);
}

/* Keeps ignoring a signal that the parent ignores. */
static void handle_signals(void (*handler)(int number))
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t k = 0; k < sizeof ending / sizeof *ending; k++) {
        struct sigaction present, action = {.sa_handler = handler, .sa_flags = SA_RESTART};
        sigfillset(&action.sa_mask);
        if (sigaction(ending[k], NULL, &present) == 0 && present.sa_handler != SIG_IGN)
            sigaction(ending[k], &action, NULL);
    }
}

void cli_end_as_process_1(void)
{
    if (getpid() == 1)
        handle_signals(cli_end_by_signal);
}

void cli_catch_signals(void)
{
    handle_signals(on_signal);
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

/* Also called from the handler. The kernel drops the signal if this is process 1 of a container. */
_Noreturn void cli_end_by_signal(int number)
{
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    raise(number);
    _exit(128 + number);
}
