/*
 * All locks of the library, except those of gpu/, which a forked process does not use. fork() takes every one of them,
 * so that no lock is held by a thread that the child does not have.
 */
#ifndef SVI_LOCK_H
#define SVI_LOCK_H

#include <stdbool.h>

/* In the order in which they are taken: a thread that holds a lock takes only locks below it. */
enum svi_lock {
    SVI_LOCK_SHARED,  /* the list of exported memory */
    SVI_LOCK_TORCH,   /* which allocator PyTorch uses */
    SVI_LOCK_CACHES,  /* the list of caches of freed blocks */
    SVI_LOCK_DEFAULT, /* entering the default allocator into the table of live handles */
    SVI_LOCK_FAILURE, /* the message about memory that could not be freed */
    SVI_LOCK_HANDLES, /* the table of live handles, with --enable-checks */
    SVI_LOCK_BLOCKS,  /* the first of SVI_BLOCK_LOCKS locks that lists of live blocks share */
    SVI_BLOCK_LOCKS = 16,
    SVI_LOCK_CACHE = SVI_LOCK_BLOCKS + SVI_BLOCK_LOCKS, /* the first of SVI_CACHE_LOCKS locks that caches share */
    SVI_CACHE_LOCKS = 8,
    SVI_LOCKS = SVI_LOCK_CACHE + SVI_CACHE_LOCKS
};

/* Callbacks of a caller must not be called while a lock is held, since they may fork. */
void svi_lock(int lock);
void svi_unlock(int lock);

/* Makes fork() take the locks from now on. False: out of memory; no message is set. */
bool svi_lock_guards_forks(void);

/* How many forks lie between the process that called svi_lock_guards_forks() first and this one: another number says
 * that this is another process. One load. */
int svi_lock_fork_depth(void);

#endif
