/* SPDX-License-Identifier: BSD-2-Clause */
/* The checksum at the end of a restart file. */
#include "ewi_error.h"
#include "ewi_fields.h"
#include "ewi_output_file.h"

#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 65536, WORD = 8 };

static const char magic[16] = "edgewise restart"; /* without a terminating zero */

static uint64_t word_of(const unsigned char *bytes)
{
    uint64_t word = 0;
    for (int k = WORD; k-- > 0;)
        word = word << 8 | bytes[k];
    return word;
}

static void put_word(unsigned char *bytes, uint64_t word)
{
    for (int k = 0; k < WORD; k++, word >>= 8)
        bytes[k] = (unsigned char)word;
}

/* Hash of the first `length` bytes; -1 if they cannot be read, with errno, or 0 if the file is shorter. */
static int hash_of(int descriptor, uint64_t length, uint64_t *hash)
{
    unsigned char block[BLOCK];
    *hash = length * 0xff51afd7ed558ccdu;
    for (uint64_t at = 0; at < length;) {
        size_t wanted = length - at < BLOCK ? (size_t)(length - at) : BLOCK;
        size_t have = ewi_read_bytes(descriptor, (off_t)at, block, wanted);
        if (have < wanted)
            return -1;
        memset(block + have, 0, BLOCK - have);
        for (size_t k = 0; k < have; k += WORD) {
            *hash = (*hash ^ word_of(block + k)) * 0xff51afd7ed558ccdu;
            *hash ^= *hash >> 32;
        }
        at += have;
    }
    return 0;
}

/* Appends magic, length, and the hash of all bytes before the seal. */
static int append(int descriptor)
{
    struct stat info;
    unsigned char seal[EWI_SEAL];
    uint64_t hash;
    if (fstat(descriptor, &info) != 0 || hash_of(descriptor, (uint64_t)info.st_size, &hash) != 0)
        return -1;
    memcpy(seal, magic, sizeof magic);
    put_word(seal + 16, (uint64_t)info.st_size);
    put_word(seal + 24, hash);
    for (size_t done = 0; done < sizeof seal;) {
        ssize_t put = pwrite(descriptor, seal + done, sizeof seal - done, info.st_size + (off_t)done);
        if (put < 0 && errno != EINTR)
            return -1;
        done += put > 0 ? (size_t)put : 0;
    }
    return ewi_sync(descriptor) == 0 ? 0 : -1;
}

int ewi_seal(int descriptor, const char *path, ew_error *error)
{
    if (append(descriptor) == 0)
        return EW_OK;
    return ewi_fail(error, ewi_write_code(errno), "cannot write %s: %s", path, ewi_write_error(errno));
}

/* Says, by its first bytes, why this is not a restart file. */
static int foreign(int descriptor, const char *path, ew_error *error)
{
    char start[8] = "";
    const char *slash = strrchr(path, '/');
    bool is_called_so = strstr(slash ? slash : path, ".restart-") != NULL;
    if (pread(descriptor, start, sizeof start, 0) == (ssize_t)sizeof start && memcmp(start, "CDF\5", 4) == 0)
        return ewi_fail(error, EW_EIO, "%s is not a complete restart file: it was cut short or changed; use "
                        "an earlier one", path);
    return ewi_fail(error, EW_EIO, "%s is not a restart file of edgewise%s", path,
                    is_called_so ? ", despite its name" : "; restart files are called NAME.restart-STEP.nc");
}

int ewi_seal_check(int descriptor, const char *path, ew_error *error)
{
    struct stat info;
    unsigned char seal[EWI_SEAL];
    uint64_t hash;
    if (fstat(descriptor, &info) != 0)
        return ewi_fail(error, EW_EIO, "cannot read the restart file %s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        return ewi_fail(error, EW_EIO, "cannot read the restart file %s: it is not a file", path);
    if (info.st_size == 0)
        return ewi_fail(error, EW_EIO, "the restart file %s is empty; use an earlier one", path);
    off_t before = info.st_size - EWI_SEAL;
    if (before < 0 || pread(descriptor, seal, sizeof seal, before) != (ssize_t)sizeof seal ||
        memcmp(seal, magic, sizeof magic) != 0 || word_of(seal + 16) != (uint64_t)before)
        return foreign(descriptor, path, error);
    if (hash_of(descriptor, (uint64_t)before, &hash) != 0)
        return ewi_fail(error, EW_EIO, "cannot read the restart file %s: %s", path,
                        errno ? strerror(errno) : "it has become shorter");
    if (word_of(seal + 24) != hash)
        return ewi_fail(error, EW_EIO, "the restart file %s is damaged: it does not have its checksum; use an earlier "
                        "one", path);
    return EW_OK;
}
