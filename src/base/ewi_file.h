/* SPDX-License-Identifier: BSD-2-Clause */
/* File operations that io and the spool share. */
#ifndef EWI_FILE_H
#define EWI_FILE_H

#include <stdbool.h>

/*
 * Syncs a file or a folder's entries; 0 or errno. A file system that cannot sync counts as success.
 */
int ewi_sync(int descriptor);

/*
 * Files are created and renamed by the last part of their path, in an open folder: no other user can redirect this with
 * a link or with another folder of the same name.
 */

/* The last part of a path. */
const char *ewi_file_name(const char *path);
/* Opens the folder of a path's last part; -1 and errno. */
int ewi_open_folder(const char *path);
/* Creates an empty file to read and write and replaces a file of that name; -1 and errno, ELOOP for a link. */
int ewi_make_file(int folder, const char *name);
/*
 * Opens a file, which may be new, and locks it while it is open; -1 and errno, EWOULDBLOCK if another process has it.
 * The holder of the lock may remove the file. Nobody else may open it, as a reader could keep the lock.
 */
int ewi_lock_file(int folder, const char *name);
/*
 * Opens a regular file of somebody who is not trusted, to read: `path` below the folder, which may be AT_FDCWD. No link
 * is followed and nothing outside the folder is reached, whatever its owner renames meanwhile. -1 and errno, of which
 * ewi_open_error makes words: EXDEV for a path that leads out, ELOOP for a link, EINVAL for anything but a file. Judge
 * and read the descriptor only: by now the name may be another file's.
 */
int ewi_open_below(int folder, const char *path);
/* The same in the folder of a file whose path is `beside`. */
int ewi_open_beside(const char *beside, const char *path);
/* The same of the user's own files: by any path, through any link. */
int ewi_open_regular(const char *path);
const char *ewi_open_error(int number);
/* True if the descriptor's file still has that name; false for a link. */
bool ewi_is_file(int descriptor, int folder, const char *name);

/*
 * F_WRLCK or F_UNLCK; 0 or errno. The lock of an open file also keeps other threads out, and ends with its descriptor.
 * flock would do the same, but HDF5 uses it. Systems without such locks have those of the process, which end when any
 * descriptor of the file is closed. HDF5 does so when it creates the file; therefore callers lock before that and again
 * after it.
 */
int ewi_file_lock(int descriptor, short type);
/* True if some process has locked it to write. Locks to read do not count: whoever can read the file can take one. */
bool ewi_is_write_locked(int descriptor);
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
