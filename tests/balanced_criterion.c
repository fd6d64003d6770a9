/*
 * Each test of Criterion ends with the question whether libsv still owns memory. The linker gives calls of
 * criterion_internal_test_main() to the function here (--wrap), since what fails in a test's .fini does not count.
 */
#include <criterion/criterion.h>

#include "balance.h"

void __real_criterion_internal_test_main(void (*body)(void));
void __wrap_criterion_internal_test_main(void (*body)(void));

static void (*test_body)(void); /* each test is a process of its own */

static void run(void)
{
    const char *fault;

    test_body();
    fault = balance_fault();
    cr_expect_null(fault, "%s", fault);
}

void __wrap_criterion_internal_test_main(void (*body)(void))
{
    test_body = body;
    __real_criterion_internal_test_main(run);
}
