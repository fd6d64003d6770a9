#define _DEFAULT_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "balance.h"
#include "failure.h"
#include "forks/criterion/criterion.h"
#include "tap.h"

enum { SUITES = 8, SHOWN = 20, SHOWN_NAME = 256 };

static struct forks_test *first, **last = &first;
static struct {
    const char *name;
    const struct forks_suite *options;
} suites[SUITES];
static int suite_count;
static const struct forks_suite *suite; /* of this process's test, or NULL */
static int failures;                    /* of this process's test */

void forks_add(struct forks_test *test)
{
    *last = test;
    last = &test->next;
}

void forks_add_suite(const char *name, const struct forks_suite *options)
{
    if (suite_count == SUITES)
        abort();
    suites[suite_count].name = name;
    suites[suite_count++].options = options;
}

static void finish(void)
{
    if (suite != NULL && suite->fini != NULL)
        suite->fini();
}

void forks_fail(bool fatal, const char *file, int line, const char *what, const char *format, ...)
{
    va_list args;

    if (failures++ < SHOWN) {
        printf("# %s:%d: not so: %s", file, line, what);
        va_start(args, format);
        vprintf(format, args);
        va_end(args);
        printf("\n");
        failure_tell();
    }
    if (fatal) {
        finish();
        fflush(stdout);
        exit(1);
    }
}

/* In the child. */
static void run(const struct forks_test *test)
{
    const char *left;

    for (int i = 0; i < suite_count; i++)
        if (strcmp(suites[i].name, test->suite) == 0)
            suite = suites[i].options;
    if (suite != NULL && suite->init != NULL)
        suite->init();
    test->run();
    finish();
    left = balance_fault();
    if (left != NULL)
        forks_fail(false, __FILE__, __LINE__, "libsv owns no memory", ": %s", left);
    exit(failures > 0);
}

/* Here, without a fork: under a debugger. */
static int run_one(const char *name)
{
    char full[SHOWN_NAME];

    for (struct forks_test *test = first; test != NULL; test = test->next) {
        snprintf(full, sizeof full, "%s::%s", test->suite, test->name);
        if (strcmp(full, name) == 0)
            run(test);
    }
    for (struct forks_test *test = first; test != NULL; test = test->next)
        fprintf(stderr, "%s::%s\n", test->suite, test->name);
    return 2;
}

/* An argument: the name of the one test to run, without a fork; of one that is not there, the names of all are told. */
int main(int argc, char **argv)
{
    if (argc > 1)
        return run_one(argv[1]);
    for (struct forks_test *test = first; test != NULL; test = test->next) {
        int status = -1;
        pid_t child;

        fflush(stdout);
        child = fork();
        if (child == 0)
            run(test);
        if (child > 0)
            waitpid(child, &status, 0);
        tap_ok(status == 0, "%s::%s", test->suite, test->name);
        if (child > 0 && WIFSIGNALED(status))
            tap_note("signal %d", WTERMSIG(status));
    }
    return tap_done();
}
