/* The faults that can be planted in the kernels, each where kernel.cuh's SVI_HAS_FAULT() asks for it. */
#ifndef EMULATED_PLANTED_H
#define EMULATED_PLANTED_H

enum fault {
    NO_FAULT,
    NO_BARRIER,
    NO_SWIZZLE,
    BOUND_TOO_LARGE,
    VECTOR_PAST_THE_END,
    MISALIGNED_VECTOR,
    THREAD_LEAVES,
    THREAD_STORES_NOTHING,
    END_STORED_TWICE,
    WRONG_ROW,
    PRODUCT_OF_32_BITS,
    WRONG_MAGIC,
    NO_CARRY,
    ITEM_NOT_TURNED,
    ONE_HALF,
    NO_SECOND_BARRIER,
    FIRST_ENTRY,
    SAME_NUMBER,
    NO_PERIOD,
    FIRST_TILE,
    FUSED,
    FAULTS
};

#endif
