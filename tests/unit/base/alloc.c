#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"

static void *no_memory(size_t nbytes)
{
    (void)nbytes;
    errno = ENOMEM;
    return NULL;
}

static int released;

static void release(void *pointer)
{
    released++;
    errno = EINVAL;
    free(pointer);
}

Test(alloc, no_bytes_are_an_allocation_too)
{
    void *pointer = svi_malloc(0);

    cr_assert_not_null(pointer);
    svi_free(pointer);
}

Test(alloc, failing_says_how_much_and_leaves_errno)
{
    svi_alloc.allocate = no_memory;
    errno = 0;
    cr_assert_null(svi_malloc(12345));
    cr_assert_not_null(strstr(sv_last_message(), "12345"));
    cr_assert_eq(errno, 0);
}

Test(alloc, free_takes_null_and_leaves_errno)
{
    void *pointer = svi_malloc(8);

    svi_alloc.release = release;
    errno = 0;
    svi_free(NULL);
    cr_assert_eq(released, 0);
    svi_free(pointer);
    cr_assert_eq(released, 1);
    cr_assert_eq(errno, 0);
}
