/*
 * All locks of the library that a thread may wait for, except those of gpu/, which a process that was forked does not
 * reach. fork() takes every one of them, so that a child meets none that a thread of its parent held.
 */
#ifndef SVI_LOCK_H
#define SVI_LOCK_H

#include <stdbool.h>

/* In the order in which they are taken: a thread that holds one takes only those below it. */
enum svi_lock {
    SVI_LOCK_SHARED,  /* the list of exported memory */
    SVI_LOCK_TORCH,   /* which allocator PyTorch uses */
    SVI_LOCK_DEFAULT, /* the default allocator enters the table of live handles */
    SVI_LOCK_FAILURE, /* the text of what could not be freed */
    SVI_LOCK_HANDLES, /* the table of live handles, with --enable-checks */
    SVI_LOCK_BLOCKS,  /* lists of live blocks: the first of SVI_BLOCK_LOCKS that the lists share */
    SVI_BLOCK_LOCKS = 16,
    SVI_LOCKS = SVI_LOCK_BLOCKS + SVI_BLOCK_LOCKS
};

/* Nothing of a caller's is called while a lock is held: it might fork. */
void svi_lock(int lock);
void svi_unlock(int lock);

/* Whether fork() takes the locks from here on; false when out of memory, without a message. */
bool svi_lock_guards_forks(void);

#endif
