/* What files in and out and the spool both need of files. */
#ifndef EWI_FILE_H
#define EWI_FILE_H

/* Brings a file, or a folder's entries, to the disk; 0 or errno. Where the file system cannot, there is nothing to do. */
int ewi_sync(int descriptor);

#endif
