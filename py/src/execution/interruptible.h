/* Long copies within host memory, made in pieces so that they answer signals. */
#ifndef SVPY_INTERRUPTIBLE_H
#define SVPY_INTERRUPTIBLE_H

#include "execution/threads.h"

enum { SVPY_LONG_COPY = 32768 }; /* bytes from which other threads may run meanwhile */

/* The copy writes so many bytes. Where one thread is to do that, and it takes long: let it look at signals meanwhile. */
void svpy_make_interruptible(int64_t nbytes, svpy_threads *threads);

#endif
