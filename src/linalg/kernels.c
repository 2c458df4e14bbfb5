#include "linalg/kernels.h"

const char *sg_kernels_name(void)
{
#if SG_HOT_CLONES
    if (__builtin_cpu_supports("avx2")) return "avx2";
#endif
    return "baseline";
}
