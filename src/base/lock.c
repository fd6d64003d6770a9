/* The mutexes, and the handlers by which fork() takes all of them. */
#include "base/lock.h"

#include <pthread.h>
#include <stdatomic.h>

#define FREE PTHREAD_MUTEX_INITIALIZER
#define FREE_4 FREE, FREE, FREE, FREE

#define FREE_8 FREE_4, FREE_4

static pthread_mutex_t mutexes[SVI_LOCKS] = {FREE, FREE, FREE, FREE, FREE, FREE, FREE_8, FREE_8, FREE_8};
static atomic_bool guards_forks;
static atomic_int fork_depth;
static _Thread_local int forks; /* running handlers: two threads may both have registered them */

static void before_fork(void)
{
    if (forks++ > 0)
        return;
    for (int lock = 0; lock < SVI_LOCKS; lock++)
        pthread_mutex_lock(&mutexes[lock]);
}

static void after_fork(void)
{
    if (--forks > 0)
        return;
    for (int lock = SVI_LOCKS - 1; lock >= 0; lock--)
        pthread_mutex_unlock(&mutexes[lock]);
}

static void after_fork_in_child(void)
{
    if (forks == 1)
        atomic_fetch_add_explicit(&fork_depth, 1, memory_order_relaxed);
    after_fork();
}

int svi_lock_fork_depth(void)
{
    return atomic_load_explicit(&fork_depth, memory_order_relaxed);
}

/* Without pthread_once(), whose state a concurrent fork() may leave unfinished in the child. */
bool svi_lock_guards_forks(void)
{
    if (atomic_load_explicit(&guards_forks, memory_order_acquire))
        return true;
    if (pthread_atfork(before_fork, after_fork, after_fork_in_child) != 0)
        return false;
    atomic_store_explicit(&guards_forks, true, memory_order_release);
    return true;
}

void svi_lock(int lock)
{
    (void)svi_lock_guards_forks(); /* a later call tries again */
    pthread_mutex_lock(&mutexes[lock]);
}

void svi_unlock(int lock)
{
    pthread_mutex_unlock(&mutexes[lock]);
}
