/*
 * As much of Criterion's interface as the unit tests use, for machines and tools that Criterion itself does not run
 * under: another processor's emulator, valgrind, TSan. Each test is a fork of its own. The report is in TAP.
 */
#ifndef FORKS_CRITERION_H
#define FORKS_CRITERION_H

#pragma GCC system_header /* as Criterion's own: no warnings of what tests compare */

#include <stdbool.h>
#include <string.h>

struct forks_suite {
    void (*init)(void);
    void (*fini)(void);
};

struct forks_test {
    const char *suite, *name;
    void (*run)(void);
    struct forks_test *next;
};

void forks_add(struct forks_test *test);
void forks_add_suite(const char *name, const struct forks_suite *options);

/* A failure is told; a fatal one ends the test. */
void forks_fail(bool fatal, const char *file, int line, const char *what, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#define TestSuite(suite_, ...)                                                                                        \
    static const struct forks_suite suite_##_options = {__VA_ARGS__};                                                 \
    __attribute__((constructor)) static void suite_##_add_suite(void)                                                 \
    {                                                                                                                 \
        forks_add_suite(#suite_, &suite_##_options);                                                                  \
    }                                                                                                                 \
    struct forks_suite

#define Test(suite_, name_)                                                                                           \
    static void suite_##_##name_##_run(void);                                                                         \
    __attribute__((constructor)) static void suite_##_##name_##_add(void)                                             \
    {                                                                                                                 \
        static struct forks_test test = {#suite_, #name_, suite_##_##name_##_run, NULL};                        \
        forks_add(&test);                                                                                             \
    }                                                                                                                 \
    static void suite_##_##name_##_run(void)

#define forks_is(fatal_, what_, is_, ...)                                                                             \
    ((is_) ? (void)0 : forks_fail(fatal_, __FILE__, __LINE__, what_, ": " __VA_ARGS__))

#define cr_assert(is_, ...) forks_is(true, #is_, (is_), __VA_ARGS__)
#define cr_assert_not(is_, ...) forks_is(true, "not " #is_, !(is_), __VA_ARGS__)
#define cr_assert_eq(a_, b_, ...) forks_is(true, #a_ " == " #b_, (a_) == (b_), __VA_ARGS__)
#define cr_assert_neq(a_, b_, ...) forks_is(true, #a_ " != " #b_, (a_) != (b_), __VA_ARGS__)
#define cr_assert_lt(a_, b_, ...) forks_is(true, #a_ " < " #b_, (a_) < (b_), __VA_ARGS__)
#define cr_assert_leq(a_, b_, ...) forks_is(true, #a_ " <= " #b_, (a_) <= (b_), __VA_ARGS__)
#define cr_assert_gt(a_, b_, ...) forks_is(true, #a_ " > " #b_, (a_) > (b_), __VA_ARGS__)
#define cr_assert_geq(a_, b_, ...) forks_is(true, #a_ " >= " #b_, (a_) >= (b_), __VA_ARGS__)
#define cr_assert_null(a_, ...) forks_is(true, #a_ " == NULL", (a_) == NULL, __VA_ARGS__)
#define cr_assert_not_null(a_, ...) forks_is(true, #a_ " != NULL", (a_) != NULL, __VA_ARGS__)
#define cr_assert_str_eq(a_, b_, ...) forks_is(true, #a_ " is " #b_, strcmp(a_, b_) == 0, __VA_ARGS__)
#define cr_assert_arr_eq(a_, b_, size_, ...) forks_is(true, #a_ " is " #b_, memcmp(a_, b_, size_) == 0, __VA_ARGS__)

#define cr_expect(is_, ...) forks_is(false, #is_, (is_), __VA_ARGS__)
#define cr_expect_not(is_, ...) forks_is(false, "not " #is_, !(is_), __VA_ARGS__)
#define cr_expect_eq(a_, b_, ...) forks_is(false, #a_ " == " #b_, (a_) == (b_), __VA_ARGS__)
#define cr_expect_neq(a_, b_, ...) forks_is(false, #a_ " != " #b_, (a_) != (b_), __VA_ARGS__)
#define cr_expect_lt(a_, b_, ...) forks_is(false, #a_ " < " #b_, (a_) < (b_), __VA_ARGS__)
#define cr_expect_leq(a_, b_, ...) forks_is(false, #a_ " <= " #b_, (a_) <= (b_), __VA_ARGS__)
#define cr_expect_gt(a_, b_, ...) forks_is(false, #a_ " > " #b_, (a_) > (b_), __VA_ARGS__)
#define cr_expect_geq(a_, b_, ...) forks_is(false, #a_ " >= " #b_, (a_) >= (b_), __VA_ARGS__)
#define cr_expect_null(a_, ...) forks_is(false, #a_ " == NULL", (a_) == NULL, __VA_ARGS__)
#define cr_expect_not_null(a_, ...) forks_is(false, #a_ " != NULL", (a_) != NULL, __VA_ARGS__)
#define cr_expect_str_eq(a_, b_, ...) forks_is(false, #a_ " is " #b_, strcmp(a_, b_) == 0, __VA_ARGS__)
#define cr_expect_arr_eq(a_, b_, size_, ...) forks_is(false, #a_ " is " #b_, memcmp(a_, b_, size_) == 0, __VA_ARGS__)

#endif
