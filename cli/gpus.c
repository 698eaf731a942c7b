/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Hides unused GPUs from NVIDIA's driver. The driver prepares every GPU that it sees before the first step, which on a
 * host with several takes longer than many runs. A library must not change the environment of its host; the command
 * may, before its first thread.
 */
#include "cases.h"
#include "ewi_file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define VISIBLE "CUDA_VISIBLE_DEVICES"
#define NUMBERS "EDGEWISE_GPU_NUMBERS" /* cuda/ewi_driver.h */
enum { MOST_TEXT = 4096, MOST_CASE = 1 << 20 };

/* Counts the GPUs of the list `visible`, or of the machine if it is NULL. 0: unknown, or listed by UUID. */
static int count_gpus(const char *visible)
{
    int count = 0;
    if (visible) {
        for (const char *c = visible; *c; c++)
            count += *c == ',';
        return visible[0] && !strchr(visible, '-') ? count + 1 : 0;
    }
    DIR *folder = opendir("/proc/driver/nvidia/gpus");
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return count;
}

static bool is_asked_for(int number, const int *device, int devices)
{
    for (int k = 0; k < devices; k++)
        if (device[k] == number)
            return true;
    return false;
}

/* True if the case may ask for a GPU other than number 0. Its text need not be valid yet. */
static bool may_name_device(const char *path)
{
    static const char *const words[] = {"device", "parts", "@include"};
    char *text = cli_allocate(MOST_CASE + 1);
    int descriptor = path ? ewi_open_regular(path) : -1;
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    size_t length = file ? fread(text, 1, MOST_CASE, file) : 0;
    text[length] = '\0';
    bool may = length == 0 || length == MOST_CASE;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        may = may || strstr(text, words[k]);
    if (file)
        fclose(file);
    free(text);
    return may;
}

int cli_device_of(const struct cli_arguments *arguments)
{
    static const char option[] = "--device ";
    int device = -1;
    bool may = may_name_device(arguments->case_path);
    for (size_t k = 0; k < arguments->settings; k++) {
        const char *name = arguments->setting_name[k];
        if (strncmp(name, option, sizeof option - 1) == 0)
            device = (int)strtol(name + sizeof option - 1, NULL, 10);
        else
            may = may || strstr(name, "device") || strstr(name, "parts");
    }
    return device < 0 && !may ? 0 : device;
}

/* The values of the two variables. */
struct shown {
    char visible[MOST_TEXT], numbers[MOST_TEXT];
    int count;
};

/* Shows GPU number k, by its name in the user's list or, without a list, by its number. */
static void show(struct shown *shown, int k, const char *name, int length)
{
    size_t visible = strlen(shown->visible), numbers = strlen(shown->numbers);
    const char *comma = shown->count++ > 0 ? "," : "";
    snprintf(shown->numbers + numbers, MOST_TEXT - numbers, "%s%d", comma, k);
    if (name)
        snprintf(shown->visible + visible, MOST_TEXT - visible, "%s%.*s", comma, length, name);
    else
        snprintf(shown->visible + visible, MOST_TEXT - visible, "%s%d", comma, k);
}

/* Leaves numbers of missing GPUs for the driver to refuse. */
void cli_hide_gpus(const int *device, int devices)
{
    const char *list = getenv(VISIBLE), *name = list;
    struct shown shown = {.count = 0};
    int count = count_gpus(list);
    if (getenv(NUMBERS) || (list && strlen(list) >= MOST_TEXT))
        return;
    for (int k = 0; k < devices; k++)
        if (device[k] < 0 || device[k] >= count)
            return;
    for (int k = 0; k < count; k++) {
        int length = name ? (int)strcspn(name, ",") : 0;
        if (is_asked_for(k, device, devices))
            show(&shown, k, name, length);
        name = name ? name + length + (name[length] == ',') : NULL;
    }
    if (shown.count == 0 || shown.count == count)
        return;
    setenv(VISIBLE, shown.visible, 1);
    setenv(NUMBERS, shown.numbers, 1);
}
