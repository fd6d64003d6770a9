/* The kernels of kernels.cu, by the code that they share with the host: each thread moves its words, one thread after
 * another. */
#include "cuda/strided.h"

#include <stdlib.h>
#include <string.h>

#include "fake/fake.h"

static const char *const names[] = {"svi_copy_strided_1", "svi_copy_strided_2", "svi_copy_strided_4",
                                    "svi_copy_strided_8", "svi_copy_strided_16", NULL};

struct taken {
    struct svi_plan plan;
    char *dst;
    const char *src;
};

static int64_t word_of(const char *name)
{
    return atoi(strrchr(name, '_') + 1);
}

static void *take(const char *name, const cudaLaunchConfig_t *config, void **arguments, fake_touched *touched,
                  void *with)
{
    struct taken *t = malloc(sizeof *t);
    const int64_t word = word_of(name);

    (void)config;
    t->plan = *(const struct svi_plan *)arguments[0];
    t->dst = *(char **)arguments[1];
    t->src = *(const char **)arguments[2];
    for (int64_t index = 0; index < t->plan.nbytes / word; index++) {
        int64_t to, from;

        svi_strided_locate(&t->plan, word, index, &to, &from);
        touched(with, t->dst + to, (size_t)word, true);
        touched(with, t->src + from, (size_t)word, false);
    }
    return t;
}

static cudaError_t run(const char *name, const cudaLaunchConfig_t *config, void *taken)
{
    const struct taken *t = taken;
    const int64_t word = word_of(name), step = (int64_t)config->gridDim.x * config->blockDim.x;

    for (int64_t thread = 0; thread < step; thread++)
        for (int64_t index = thread; index < t->plan.nbytes / word; index += step) {
            int64_t to, from;

            svi_strided_locate(&t->plan, word, index, &to, &from);
            if (((uintptr_t)t->dst + (uintptr_t)to) % (uintptr_t)word != 0 ||
                ((uintptr_t)t->src + (uintptr_t)from) % (uintptr_t)word != 0)
                return cudaErrorMisalignedAddress;
            memcpy(fake_bytes(t->dst + to), fake_bytes(t->src + from), (size_t)word);
        }
    return cudaSuccess;
}

const struct fake_kernels fake_strided = {take, run, names};
