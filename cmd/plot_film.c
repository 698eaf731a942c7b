/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Pictures of all frames with a common range of colours: numbered files, or a film. ffmpeg makes films from PNG
 * pictures that it reads from a pipe. Without it, and for .png, a film is an animated PNG.
 */
#include "plot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

extern char **environ;

/* ---- one range for all frames ------------------------------------------------------------------------------------ */

/* The range of all frames along a line. */
static int find_line_range(struct plot_picture *picture, const char *name, double *low, double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int64_t k = 0; k < picture->info.frames; k++) {
        ew_probe probe;
        double least, greatest;
        plot_choose_frame(picture, k);
        int code = plot_make_probe(picture, name, &probe);
        if (code)
            return code;
        if (ew_probe_range(picture->results, &probe, &least, &greatest, &picture->error) != EW_OK)
            return cmd_results_failed(&picture->error);
        *low = fmin(*low, least);
        *high = fmax(*high, greatest);
    }
    return EX_OK;
}

/* Uses the common range, unless a range is given. */
static int share_range(struct plot_picture *picture, ew_plot *plot, const char *name)
{
    double low, high;
    int code = EX_OK;
    if (plot->range == EW_RANGE_FIXED)
        return EX_OK;
    if (plot_is_curve(picture->given))
        code = find_line_range(picture, name, &low, &high);
    else if (ew_plot_film_range(picture->results, plot, &low, &high, &picture->error) != EW_OK)
        code = cmd_results_failed(&picture->error);
    if (code)
        return code;
    if (plot->logarithmic && !plot_is_curve(picture->given))
        low = fmax(low, EW_PLOT_LOG_FLOOR * high);
    if (high > low) {
        plot->map = plot->map || plot->range != EW_RANGE_SYMMETRIC ? plot->map : "blue-red";
        plot->range = EW_RANGE_FIXED;
        plot->low = low;
        plot->high = high;
    }
    return EX_OK;
}

/* In all frames, arrows of the same length mean the same speed. */
static int share_speed(struct plot_picture *picture, ew_plot *plot)
{
    double speed;
    for (int64_t k = 0; plot->vectors > 0 && k < picture->info.frames; k++) {
        plot->frame = k;
        if (ew_plot_speed(picture->results, plot, &speed, &picture->error) != EW_OK)
            return cmd_results_failed(&picture->error);
        plot->speed = fmax(plot->speed, speed);
    }
    return EX_OK;
}

static int share(struct plot_picture *picture, const char *name)
{
    int code = EX_OK;
    for (int k = 0; code == EX_OK && k < picture->fields; k++) {
        code = share_range(picture, &picture->field[k], name);
        code = code ? code : share_speed(picture, &picture->field[k]);
    }
    return code;
}

int plot_write_all(struct plot_picture *picture, const char *name)
{
    bool table = plot_is_curve(picture->given) && cmd_ends_with(name, ".csv");
    int code = table ? EX_OK : share(picture, name);
    for (int64_t k = 0; code == EX_OK && k < picture->info.frames; k++) {
        char *numbered = cmd_numbered(name, k);
        plot_choose_frame(picture, k);
        code = plot_write_one(picture, numbered);
        free(numbered);
    }
    return code;
}

/* ---- animated PNG ------------------------------------------------------------------------------------------------ */

static int add_frame(struct plot_picture *picture, ew_film *film, const char *path)
{
    ew_probe probe;
    int status;
    if (plot_is_curve(picture->given)) {
        int code = plot_make_probe(picture, path, &probe);
        if (code)
            return code;
        status = ew_film_add_probe(film, picture->results, &probe, &picture->error);
    } else {
        status = ew_film_add(film, picture->results, picture->fields, picture->field, picture->plot.title, NULL,
                             &picture->error);
    }
    return status == EW_OK ? EX_OK : cmd_results_failed(&picture->error);
}

static int write_animation(struct plot_picture *picture, const char *path, double rate)
{
    ew_film *film;
    int code = EX_OK;
    if (ew_film_create(&cli_host, path, (int)picture->info.frames, rate, &film, &picture->error) != EW_OK)
        return cmd_results_failed(&picture->error);
    for (int64_t k = 0; code == EX_OK && k < picture->info.frames; k++) {
        plot_choose_frame(picture, k);
        code = add_frame(picture, film, path);
    }
    if (code == EX_OK && ew_film_write(film, &picture->error) != EW_OK)
        code = cmd_results_failed(&picture->error);
    ew_film_destroy(film);
    return code;
}

/* ---- ffmpeg ------------------------------------------------------------------------------------------------------ */

struct ffmpeg {
    pid_t process;
    int pipe;       /* ffmpeg's stdin */
    FILE *messages; /* ffmpeg's stderr */
};

/* The options for each format. ffmpeg's default colour table, quality or pixel format would be visibly worse. */
static const struct format {
    const char *ending, *name, *options[10];
} formats[] = {
    {".mp4", "mp4", {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white", "-pix_fmt", "yuv420p", "-crf", "18",
                     "-movflags", "+faststart"}},
    {".gif", "gif", {"-filter_complex",
                     "split[a][b];[a]palettegen=stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle"}},
    {".webp", "webp", {"-loop", "0", "-quality", "90"}},
};

static const struct format *format_of(const char *path)
{
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        if (cmd_ends_with(path, formats[k].ending))
            return &formats[k];
    return NULL;
}

/* Returns 0 or errno; ENOENT: ffmpeg is not installed. */
static int start_ffmpeg(struct ffmpeg *ffmpeg, const struct format *format, double rate, const char *path)
{
    char *file = cli_format("file:%s", path), *second = cli_format("%g", rate);
    const char *arguments[32] = {"ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "image2pipe", "-framerate", second,
                                 "-c:v", "png", "-i", "-"};
    int count = 13, ends[2];
    for (int k = 0; format->options[k]; k++)
        arguments[count++] = format->options[k];
    arguments[count++] = "-f";
    arguments[count++] = format->name;
    arguments[count] = file;
    *ffmpeg = (struct ffmpeg){.messages = tmpfile(), .pipe = -1};
    int number = ffmpeg->messages && pipe(ends) == 0 ? 0 : errno;
    if (number == 0) {
        posix_spawn_file_actions_t actions;
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
        posix_spawn_file_actions_addclose(&actions, ends[0]);
        posix_spawn_file_actions_adddup2(&actions, fileno(ffmpeg->messages), STDERR_FILENO);
        posix_spawn_file_actions_adddup2(&actions, fileno(ffmpeg->messages), STDOUT_FILENO);
        number = posix_spawnp(&ffmpeg->process, "ffmpeg", &actions, NULL, (char *const *)(uintptr_t)arguments, environ);
        posix_spawn_file_actions_destroy(&actions);
        close(ends[0]);
        ffmpeg->pipe = ends[1];
    }
    if (number != 0 && ffmpeg->pipe >= 0)
        close(ffmpeg->pipe);
    if (number != 0 && ffmpeg->messages)
        fclose(ffmpeg->messages);
    free(file);
    free(second);
    return number;
}

/* Waits for ffmpeg to end; if it failed, reports its last line. */
static int end_ffmpeg(struct ffmpeg *ffmpeg, const char *path, int code)
{
    char line[512] = "", last[512] = "it says nothing";
    int status = 0;
    close(ffmpeg->pipe);
    while (waitpid(ffmpeg->process, &status, 0) < 0 && errno == EINTR)
        continue;
    rewind(ffmpeg->messages);
    while (fgets(line, sizeof line, ffmpeg->messages))
        if (line[strspn(line, " \t\r\n")])
            snprintf(last, sizeof last, "%.*s", (int)strcspn(line, "\r\n"), line);
    fclose(ffmpeg->messages);
    bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (good || (code != EX_OK && code != EX_IOERR))
        return code;
    return cli_fail(EX_IOERR, "ffmpeg could not make %s: %s", path, last);
}

/* Writes the pictures to the pipe. If ffmpeg ends early, that fails, and ffmpeg's own message says why. */
static int feed_ffmpeg(struct plot_picture *picture, const struct ffmpeg *ffmpeg)
{
    char *pipe = cli_format("/dev/fd/%d", ffmpeg->pipe);
    int code = EX_OK;
    for (int64_t k = 0; code == EX_OK && k < picture->info.frames; k++) {
        ew_probe probe;
        plot_choose_frame(picture, k);
        code = plot_is_curve(picture->given) ? plot_make_probe(picture, pipe, &probe) : EX_OK;
        if (code)
            break;
        int status = plot_is_curve(picture->given)
                         ? ew_probe_write(picture->results, &probe, pipe, &picture->error)
                         : ew_plots_write(picture->results, picture->fields, picture->field, picture->plot.title, pipe,
                                          NULL, &picture->error);
        if (status == EW_EIO)
            code = EX_IOERR;
        else if (status != EW_OK)
            code = cmd_results_failed(&picture->error);
    }
    free(pipe);
    return code;
}

static int run_ffmpeg(struct plot_picture *picture, const struct format *format, const char *path, double rate,
                      int *number)
{
    struct ffmpeg ffmpeg;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    *number = 0;
    if (cli_check_replaced(path) != EX_OK)
        return EX_CANTCREAT;
    char *part = cli_format("%s.%u.part", path, (unsigned)getpid());
    *number = start_ffmpeg(&ffmpeg, format, rate, part);
    int code = EX_OK;
    if (*number == 0) {
        sigaction(SIGPIPE, &ignore, &before);
        code = end_ffmpeg(&ffmpeg, path, feed_ffmpeg(picture, &ffmpeg));
        sigaction(SIGPIPE, &before, NULL);
        if (code != EX_OK)
            unlink(part);
        else if (rename(part, path) != 0)
            code = cli_fail(EX_CANTCREAT, "cannot rename %s to %s: %s; the film is whole under its present name", part,
                            path, strerror(errno));
    }
    free(part);
    return code;
}

/* ---- films ------------------------------------------------------------------------------------------------------- */

static void tell(const struct plot_picture *picture, const char *path, double rate)
{
    if (!picture->given->common.quiet)
        printf("%s: %lld frames, %g a second\n", path, (long long)picture->info.frames, rate);
}

/* Writes an animated PNG if only ffmpeg could write the requested format. */
static int write_instead(struct plot_picture *picture, const char *path, double rate)
{
    char *other = cli_format("%.*s.png", (int)(strrchr(path, '.') - path), path);
    int code = cli_check_target(other);
    code = code ? code : write_animation(picture, other, rate);
    if (code == EX_OK) {
        cli_error("warning: there is no ffmpeg to write %s; %s is the film as an animated PNG instead; "
                  "to install it on Debian and Ubuntu: apt install ffmpeg", path, other);
        tell(picture, other, rate);
    }
    free(other);
    return code;
}

int plot_write_film(struct plot_picture *picture)
{
    const char *path = picture->given->film;
    const struct format *format = format_of(path);
    double frames = (double)picture->info.frames, rate = fmin(fmax(round(frames / 5), 2), 25);
    if (frames < 2)
        return cli_fail(EX_USAGE, "a film needs two frames or more, but %s has one; set output.fields.every in its "
                        "case", picture->info.path);
    if (picture->given->rate)
        rate = strtod(picture->given->rate, NULL);
    int number = 0, code = share(picture, path);
    if (code == EX_OK && format)
        code = run_ffmpeg(picture, format, path, rate, &number);
    if (code == EX_OK && number == ENOENT)
        return write_instead(picture, path, rate);
    if (code == EX_OK && number != 0)
        code = cli_fail(EX_OSERR, "cannot start ffmpeg: %s", strerror(number));
    if (code == EX_OK && !format)
        code = write_animation(picture, path, rate);
    if (code == EX_OK)
        tell(picture, path, rate);
    return code;
}
