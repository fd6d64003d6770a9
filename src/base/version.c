/* The version of the library and of its ABI, and what it was built with. */
#include "sv.h"

int32_t sv_version(void)
{
    return 10000 * SV_VERSION_MAJOR + 100 * SV_VERSION_MINOR + SV_VERSION_PATCH;
}

const char *sv_version_text(void)
{
    return SVI_VERSION_TEXT; /* configure reads it from the header */
}

int32_t sv_abi_version(void)
{
    return SV_ABI_VERSION;
}

uint32_t sv_features(void)
{
    uint32_t features = 0;

#ifdef SVI_CUDA
    features |= SV_FEATURE_CUDA;
#endif
#ifdef SVI_CHECKS
    features |= SV_FEATURE_CHECKS;
#endif
    return features;
}
