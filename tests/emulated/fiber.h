/* Functions that leave in the middle and go on later, each with a stack of its own. */
#ifndef EMULATED_FIBER_H
#define EMULATED_FIBER_H

#include <stdint.h>

struct fiber {
    void *stack; /* where it stands */
};

/* A fiber begins with run, which does not return: it leaves for the last time. There are 1024 stacks. */
void fiber_start(struct fiber *fiber, unsigned stack, void (*run)(void));
void fiber_enter(struct fiber *fiber);
void fiber_leave(struct fiber *fiber);

/* Whether it is an address of a stack. */
bool fiber_has(uintptr_t address);

#endif
