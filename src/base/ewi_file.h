/* SPDX-License-Identifier: BSD-2-Clause */
/* What files in and out and the spool both need of files. */
#ifndef EWI_FILE_H
#define EWI_FILE_H

#include <stdbool.h>

/*
 * Brings a file, or a folder's entries, to the disk; 0 or errno. Where the file system cannot, there is nothing to do.
 */
int ewi_sync(int descriptor);

/*
 * Files are made and renamed in a folder that is open, by the last part of their path: no other user of the folder can
 * lead that elsewhere, by a link or by another folder of the same name.
 */

/* The last part of a path. */
const char *ewi_file_name(const char *path);
/* The folder that the last part of a path is in; -1 and errno. */
int ewi_open_folder(const char *path);
/* A new, empty file to read and write, in place of a file of that name; -1 and errno, ELOOP where there is a link. */
int ewi_make_file(int folder, const char *name);
/* Whether the descriptor is still the file of that name, and that is no link. */
bool ewi_is_file(int descriptor, int folder, const char *name);
/*
 * `final` becomes a file that `fill`, which returns 0 or errno, has written: it is called `temporary` until it is
 * whole, and on the disk, if `durable`. 0 or errno.
 */
int ewi_replace_file(int folder, const char *temporary, const char *final, bool durable,
                     int (*fill)(void *context, int descriptor), void *context);
/*
 * Gives a whole file its final name, in place of what has it, and brings the name to the disk, if `durable`; 0 or
 * errno. All files of edgewise get their names here.
 */
int ewi_publish_file(int folder, const char *name, const char *final, bool durable);

/* Why a write failed, in words, and as EW_EFULL or EW_EIO; `number` is errno. */
const char *ewi_write_error(int number);
int ewi_write_code(int number);

#endif
