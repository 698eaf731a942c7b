#include "edgewise.h"

const char *ew_version(void)
{
    return EWI_VERSION;
}
