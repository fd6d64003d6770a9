/*
 * Each test of Criterion ends with the question whether libsv still owns memory, and where an assertion fails, the round
 * of a random test is told as one more. The linker gives calls of some of Criterion's functions to those here (--wrap):
 * what fails in a test's .fini does not count, and what a test prints is not shown.
 */
#include <criterion/criterion.h>

#include "balance.h"
#include "failure.h"

void __real_criterion_internal_test_main(void (*body)(void));
void __wrap_criterion_internal_test_main(void (*body)(void));

void __real_criterion_abort_test(void) __attribute__((noreturn));
void __wrap_criterion_abort_test(void) __attribute__((noreturn));
void __real_criterion_continue_test(void);
void __wrap_criterion_continue_test(void);

static void (*test_body)(void); /* each test is a process of its own */
static void (*teller)(void);

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

void __wrap_criterion_abort_test(void)
{
    failure_tell();
    __real_criterion_abort_test();
}

void __wrap_criterion_continue_test(void)
{
    failure_tell();
    __real_criterion_continue_test();
}

void failure_call(void (*tell)(void))
{
    teller = tell;
}

void failure_tell(void)
{
    if (teller != NULL)
        teller();
}

void failure_print(const char *text)
{
    cr_expect_fail("%s", text);
}

/* A test that crashes has no report, so it fails instead. */
void failure_signal(int number)
{
    cr_assert_fail("signal %d", number);
}
