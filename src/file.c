#include "ewi_file.h"

#include <errno.h>
#include <unistd.h>

int ewi_sync(int descriptor)
{
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP ? 0 : errno;
}
