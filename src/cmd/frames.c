/* What the commands that read fields share: frames, numbers in options, names of files. */
#include "cmd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

int cmd_usage_error(const struct cmd_command *command)
{
    fprintf(stderr, "Try \"edgewise %s --help\".\n", command->name);
    return EX_USAGE;
}

int cmd_read_numbers(const char *text, int least, int most, double *number)
{
    for (int count = 0; count < most;) {
        char *end;
        number[count] = strtod(text, &end);
        if (end == text || !isfinite(number[count]))
            return -1;
        count++;
        if (*end == '\0')
            return count >= least ? count : -1;
        if (*end != ',')
            return -1;
        text = end + 1;
    }
    return -1;
}

static int64_t nearest_frame(const ew_results *results, int64_t frames, double time)
{
    double best = INFINITY;
    int64_t nearest = 0;
    for (int64_t k = 0; k < frames; k++) {
        double distance = fabs(ew_results_time(results, k, NULL) - time);
        if (distance < best) {
            best = distance;
            nearest = k;
        }
    }
    return nearest;
}

int cmd_choose_frame(const struct cmd_command *command, const ew_results *results, const char *frame, const char *time,
                     int64_t *chosen, bool *all)
{
    ew_results_info info;
    double number;
    ew_results_get_info(results, &info);
    if (frame && time) {
        cmd_error("--frame and --time both choose a frame; give one of them.");
        return cmd_usage_error(command);
    }
    if (time && cmd_read_numbers(time, 1, 1, &number) != 1) {
        cmd_error("--time needs a number, not \"%s\".", time);
        return cmd_usage_error(command);
    }
    *chosen = time ? nearest_frame(results, info.frames, number) : info.frames - 1;
    *all = frame && strcmp(frame, "all") == 0;
    if (!frame || *all || strcmp(frame, "last") == 0)
        return EX_OK;
    if (cmd_read_numbers(frame, 1, 1, &number) != 1 || number < 0 || number != floor(number)) {
        cmd_error("--frame needs a number from 0, last or all, not \"%s\".", frame);
        return cmd_usage_error(command);
    }
    *chosen = (int64_t)fmin(number, 1e15);
    return EX_OK;
}

bool cmd_ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

char *cmd_numbered(const char *name, int64_t frame)
{
    const char *slash = strrchr(name, '/'), *dot = strrchr(slash ? slash : name, '.');
    size_t length = dot ? (size_t)(dot - name) : strlen(name), size = strlen(name) + 32;
    char *numbered = cmd_allocate(size);
    snprintf(numbered, size, "%.*s-%04lld%s", (int)length, name, (long long)frame, name + length);
    return numbered;
}
