#include "fiber.h"

#include <stdlib.h>
#include <sys/mman.h>

#ifndef __x86_64__
#include <ucontext.h>
#endif

enum { STACKS = 1024, STACK_NBYTES = 32768 };

static char *stacks(void)
{
    static char *memory;

    if (memory == nullptr) {
        memory = (char *)mmap(nullptr, size_t(STACKS) * STACK_NBYTES, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == (char *)MAP_FAILED)
            abort();
    }
    return memory;
}

bool fiber_has(uintptr_t address)
{
    return address - (uintptr_t)stacks() < size_t(STACKS) * STACK_NBYTES;
}

#ifdef __x86_64__

// Saves the registers that a call keeps and the stack pointer, and takes those of another stack.
extern "C" void fiber_switch(void **save, void *to);

asm(R"(
    .text
    .globl fiber_switch
    .type fiber_switch, @function
fiber_switch:
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
    push %r15
    mov %rsp, (%rdi)
    mov %rsi, %rsp
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
    ret
    .size fiber_switch, . - fiber_switch
    .section .note.GNU-stack, "", @progbits
    .text
)");

static void *home;

// Tops are staggered, so that not all stacks share the same cache sets.
void fiber_start(struct fiber *fiber, unsigned stack, void (*run)(void))
{
    void **top = (void **)(stacks() + size_t(stack + 1) * STACK_NBYTES - 256 - stack % 61 * 64);

    *--top = nullptr; // where run would return to, which keeps the stack aligned as after a call
    *--top = (void *)run;
    for (int i = 0; i < 6; i++)
        *--top = nullptr;
    fiber->stack = top;
}

void fiber_enter(struct fiber *fiber)
{
    fiber_switch(&home, fiber->stack);
}

void fiber_leave(struct fiber *fiber)
{
    fiber_switch(&fiber->stack, home);
}

#else

static ucontext_t home, contexts[STACKS];

void fiber_start(struct fiber *fiber, unsigned stack, void (*run)(void))
{
    ucontext_t *context = &contexts[stack];

    getcontext(context);
    context->uc_stack.ss_sp = stacks() + size_t(stack) * STACK_NBYTES;
    context->uc_stack.ss_size = STACK_NBYTES;
    context->uc_link = nullptr;
    makecontext(context, run, 0);
    fiber->stack = context;
}

void fiber_enter(struct fiber *fiber)
{
    swapcontext(&home, (ucontext_t *)fiber->stack);
}

void fiber_leave(struct fiber *fiber)
{
    swapcontext((ucontext_t *)fiber->stack, &home);
}

#endif
