/* The emulator itself: it finds each kind of fault, in whatever order threads run, and nothing where nothing is. */
#include <string.h>

#include "emulator.h"
#include "faulty.h"
#include "tap.h"

emulated_kernel run_faulty;

enum { ORDERS = 6 };

static const struct {
    const char *name;
    enum emulated_fault fault;
    unsigned blocks;
} cases[FAULTY_COUNT] = {
    [COPIES_BYTES] = {"bytes are copied", EMULATED_NOTHING, 1},
    [COPIES_VECTORS] = {"vectors are copied", EMULATED_NOTHING, 1},
    [EXCHANGES] = {"words are exchanged between two barriers", EMULATED_NOTHING, 1},
    [READS_TOGETHER] = {"all threads read a word after a barrier", EMULATED_NOTHING, 1},
    [READS_BEHIND] = {"a read behind the source", EMULATED_OUTSIDE, 1},
    [READS_BEFORE] = {"a read before the source", EMULATED_OUTSIDE, 1},
    [WRITES_BEHIND] = {"a write behind the destination", EMULATED_OUTSIDE, 1},
    [READS_LAST_VECTOR] = {"a vector of which the end is behind the source", EMULATED_OUTSIDE, 1},
    [WRITES_SOURCE] = {"a write to the source", EMULATED_READ_ONLY, 1},
    [READS_MISALIGNED] = {"a misaligned read", EMULATED_MISALIGNED, 1},
    [WRITES_MISALIGNED] = {"a misaligned write", EMULATED_MISALIGNED, 1},
    [SHARES_MISALIGNED] = {"a misaligned write to shared memory", EMULATED_MISALIGNED, 1},
    [READS_STRUCTURE] = {"a structure that is no single access", EMULATED_OUTSIDE, 1},
    [WRITES_TWICE] = {"a word that two threads write", EMULATED_TWICE, 1},
    [WRITES_TOGETHER] = {"a word of shared memory that two threads write", EMULATED_RACE, 1},
    [READS_WITHOUT_BARRIER] = {"a read of another thread's word without a barrier", EMULATED_RACE, 1},
    [WRITES_WITHOUT_BARRIER] = {"a write over another thread's word without a barrier", EMULATED_RACE, 1},
    [WRITES_AFTER_READS] = {"a write over what others read, without a barrier", EMULATED_RACE, 1},
    [READS_UNWRITTEN] = {"a read of shared memory that nobody wrote", EMULATED_UNWRITTEN, 1},
    [READS_OTHER_BLOCK] = {"a read of shared memory that another block wrote", EMULATED_UNWRITTEN, 2},
    [LEAVES_BEFORE_BARRIER] = {"a thread that leaves before a barrier", EMULATED_BARRIER, 1},
    [WAITS_ELSEWHERE] = {"threads at two barriers", EMULATED_BARRIER, 1},
    [SHARES_TOO_MUCH] = {"shared memory behind that of the launch", EMULATED_SHARED, 1},
};

static bool is_right(enum emulated_fault found, enum faulty what)
{
    /* Without a barrier, a word is read before it is written, or it is a race: the order of threads says which. */
    return found == cases[what].fault || (what == READS_WITHOUT_BARRIER && found == EMULATED_UNWRITTEN) ||
           (what == READS_OTHER_BLOCK && found == EMULATED_TWICE);
}

static enum emulated_fault run(enum faulty what, unsigned order, char *dst, const char *src)
{
    uint8_t writes[FAULTY_NBYTES] = {0};
    const struct faulty_arguments arguments = {what};
    const struct emulated_region regions[] = {{dst, FAULTY_NBYTES, true, writes}, {src, FAULTY_NBYTES, false, NULL}};
    const struct emulated_launch launch = {
        .kernel = run_faulty,
        .block = &arguments,
        .block_nbytes = sizeof arguments,
        .dst = dst,
        .src = src,
        .grid = cases[what].blocks,
        .threads = FAULTY_THREADS,
        .shared = FAULTY_SHARED,
        .order = order,
        .nregions = 2,
        .regions = regions,
    };

    return emulated_run(&launch, NULL);
}

int main(void)
{
    static _Alignas(256) char dst[3 * FAULTY_NBYTES], src[3 * FAULTY_NBYTES];

    for (int what = 0; what < FAULTY_COUNT; what++) {
        bool ok = true;

        for (unsigned order = 0; order < ORDERS; order++)
            ok &= is_right(run((enum faulty)what, order, dst + FAULTY_NBYTES, src + FAULTY_NBYTES), (enum faulty)what);
        tap_ok(ok, "%s", cases[what].name);
        if (!ok)
            tap_note("%s", emulated_text());
    }
    return tap_done();
}
