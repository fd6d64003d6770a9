#include "scratch.h"

#include "alloc.h"

/* The block that malloc returned, in front of the buffer. */
static void **block_of(void *scratch)
{
    return (void **)scratch - 1;
}

void *svi_scratch_new(size_t nbytes)
{
    char *block = svi_malloc(nbytes + sizeof(void *) + SVI_LINE), *scratch;

    if (block == NULL)
        return NULL;
    scratch = svi_line_from(block + sizeof(void *));
    *block_of(scratch) = block;
    return scratch;
}

void svi_scratch_free(void *scratch)
{
    if (scratch != NULL)
        svi_free(*block_of(scratch));
}
