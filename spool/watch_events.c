/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the service's log lines and its messages to systemd. */
#include "watch.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

const char *watch_quoted(const char *text)
{
    enum { BUFFERS = 4, SIZE = 4 * EWI_SENTENCE + 16 };
    static char buffer[BUFFERS][SIZE];
    static int next;
    char *quoted = buffer[next++ % BUFFERS];
    size_t length = 0;
    quoted[length++] = '"';
    while (*text && length < SIZE - EWI_SHOWN - 2) {
        if (strchr("\"\\\n", *text)) {
            quoted[length++] = '\\';
            quoted[length++] = *text == '\n' ? 'n' : *text;
            text++;
        } else {
            text += ewi_show_character((const unsigned char *)text, quoted + length);
            length += strlen(quoted + length);
        }
    }
    quoted[length++] = '"';
    quoted[length] = '\0';
    return quoted;
}

void watch_event(enum watch_level level, const char *event, const char *job, const char *format, ...)
{
    static const char *const words[] = {[WATCH_INFO] = "info", [WATCH_WARNING] = "warning", [WATCH_ERROR] = "error"};
    char line[8 * EWI_SENTENCE], when[32];
    struct timespec now;
    struct tm parts;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%S", &parts);
    int length = snprintf(line, sizeof line - 1, "time=%s.%03ldZ level=%s event=%s%s%s ", when,
                          now.tv_nsec / 1000000, words[level], event, job ? " job=" : "", job ? watch_quoted(job) : "");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, sizeof line - 1 - (size_t)length, format, arguments);
    va_end(arguments);
    size_t all = strlen(line);
    while (all > 0 && line[all - 1] == ' ')
        all--;
    memcpy(line + all, "\n", 2);
    fputs(line, stderr); /* one write for each line, because other processes may share stderr */
}

/* Sends a datagram to $NOTIFY_SOCKET, as documented in sd_notify(3). This avoids libsystemd. */
void watch_notify(const char *message)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = path ? strlen(path) : 0;
    if (length < 2 || length >= sizeof address.sun_path || (path[0] != '/' && path[0] != '@'))
        return;
    memcpy(address.sun_path, path, length);
    if (path[0] == '@')
        address.sun_path[0] = '\0'; /* the abstract name space */
    int socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0)
        return;
    (void)sendto(socket_, message, strlen(message), MSG_NOSIGNAL, (struct sockaddr *)&address,
                 (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length));
    close(socket_);
}

double watch_watchdog_seconds(void)
{
    const char *interval = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
    if (!interval || (pid && strtol(pid, NULL, 10) != (long)getpid()))
        return 0;
    return fmax(1e-6 * strtod(interval, NULL), 0);
}
