/*
 * Every function of sv.h that takes a pointer, as a row with a call of it, and right arguments for each call. The rows
 * are derived from sv.h (null_table.h in the build tree); what a right argument is stands in samples[].
 */
#ifndef TEST_CALLS_H
#define TEST_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sv.h"

enum { POINTER = 1, OUT = 2, TAKE = 4, OPT = 8 };
enum { RETURNS_STATUS, RETURNS_VALUE };
enum { MAX_ARGUMENTS = 12, SLOT = SV_IPC_NBYTES, UNTOUCHED = 0xa5 };

struct argument {
    int64_t number;
    void *pointer;
    void (*function)(void);
    const void *handle; /* in samples: where the pointer lies, which is another one in each call */
};

struct parameter {
    const char *type, *name;
    unsigned marks;
};

struct function {
    const char *name;
    int64_t (*call)(const struct argument *arguments);
    int result;
    int count;
    struct parameter parameters[MAX_ARGUMENTS];
};

extern const struct function *const functions_begin, *const functions_end;

/* Makes what the samples point at, anew for each call. False, with a failed test, where that fails. */
bool set_up(void);
void tear_down(void);

/* Right arguments for a call. False, with a failed test, where there is no sample for one. */
bool prepare(const struct function *f, struct argument arguments[MAX_ARGUMENTS]);

/* Whether nothing was written and nobody told of an end since set_up(). */
bool is_untouched(void);

/* Ends what a call that succeeded has made. */
void give_back(const struct function *f, const struct argument *arguments);

#endif
