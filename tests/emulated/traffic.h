/* What the accesses of a block's threads are to a GPU: requests of warps, sectors, waves of banks. */
#ifndef EMULATED_TRAFFIC_H
#define EMULATED_TRAFFIC_H

#include <stdint.h>

#include "emulator.h"

struct Access {
    uintptr_t place;   // in the code
    uintptr_t address; // in shared memory: bytes from its begin
    uint32_t nbytes;
    bool write, shared;
};

void traffic_add(unsigned thread, const Access &access);

// Adds what was added since the last call, the accesses of one block, and forgets it.
void traffic_count(unsigned threads, struct emulated_counts *counts);

#endif
