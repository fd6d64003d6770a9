/*
 * Long copies within host memory answer signals, and tell how far they are: they are made of pieces, the
 * tasks that libsv would give to several threads, here done one after the other.
 * libsv splits only where the order of the pieces does not matter; copies that
 * overlap, and those of devices, stay whole.
 */
#include "execution/interruptible.h"

#include "base/state.h"
#include "execution/threads.h"

enum {
    PIECES_A_THREAD = 4, /* as libsv has them */
    MOST_THREADS = 256   /* libsv makes 1024 pieces at most */
};
#define LEAST_BYTES ((int64_t)256 << 20) /* of a copy that is made of pieces: doc/internals/copy.md has what it costs */
#define PIECE_BYTES ((int64_t)1 << 30)   /* the longest copies have pieces of half of this to all of it */

static int look_at_signals(svpy_threads *threads, int64_t done, int64_t count)
{
    int failed;

    PyEval_RestoreThread(threads->state);
    failed = PyErr_CheckSignals() < 0;
    if (!failed && threads->progress.callable != NULL) {
        threads->progress.total = threads->nbytes;
        failed = svpy_progress_tell(&threads->progress, done, count) < 0;
    }
    threads->state = PyEval_SaveThread();
    return failed;
}

/* Where it fails an exception is set. */
static sv_status run_in_turn(void *ctx, int64_t count, sv_task_callback run, void *run_ctx)
{
    for (int64_t i = 0; i < count; i++) {
        if (i > 0 && look_at_signals(ctx, i, count))
            return SV_ERROR_STATE;
        run(run_ctx, i);
    }
    return SV_OK;
}

void svpy_make_interruptible(int64_t nbytes, svpy_threads *threads)
{
    const int64_t most = PIECE_BYTES * PIECES_A_THREAD * MOST_THREADS;

    threads->nbytes = nbytes;
    if (threads->count > 1 || nbytes < LEAST_BYTES)
        return;
    threads->count = 2 + (int32_t)((nbytes < most ? nbytes : most) / (PIECE_BYTES * PIECES_A_THREAD));
    threads->run = run_in_turn;
    threads->ctx = threads;
}
