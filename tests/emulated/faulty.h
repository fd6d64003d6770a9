/* What the kernel of faulty.cc does: one thing that the emulator must find, or must not. */
#ifndef EMULATED_FAULTY_H
#define EMULATED_FAULTY_H

enum { FAULTY_NBYTES = 256 /* of both sides */, FAULTY_SHARED = 512, FAULTY_THREADS = 64 };

enum faulty {
    COPIES_BYTES,
    COPIES_VECTORS,
    EXCHANGES,
    READS_TOGETHER,
    READS_BEHIND,
    READS_BEFORE,
    WRITES_BEHIND,
    READS_LAST_VECTOR,
    WRITES_SOURCE,
    READS_MISALIGNED,
    WRITES_MISALIGNED,
    SHARES_MISALIGNED,
    READS_STRUCTURE,
    WRITES_TWICE,
    WRITES_TOGETHER,
    READS_WITHOUT_BARRIER,
    WRITES_WITHOUT_BARRIER,
    WRITES_AFTER_READS,
    READS_UNWRITTEN,
    READS_OTHER_BLOCK,
    LEAVES_BEFORE_BARRIER,
    WAITS_ELSEWHERE,
    SHARES_TOO_MUCH,
    FAULTY_COUNT
};

struct faulty_arguments {
    enum faulty what;
};

#endif
