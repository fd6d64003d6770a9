/* Calls whose stack is measured, but for copies: layouts of many axes, questions of overlap, imports and exports. */
#ifndef SVI_TEST_STACK_CALLS_H
#define SVI_TEST_STACK_CALLS_H

#include "sv.h"

struct stack_call {
    const char *name;
    sv_status (*run)(void);
};

extern const struct stack_call stack_calls[];
extern const int stack_call_count;

/* What the calls are given. Aborts when it cannot be made. */
void stack_calls_begin(void);
void stack_calls_end(void);

#endif
