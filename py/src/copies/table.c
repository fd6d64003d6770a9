/* Copies by a plan between addresses that lie in two arrays, whose own streams order the call. */
#include "copies/table.h"

#include "base/arguments.h"
#include "base/errors.h"
#include "base/options.h"
#include "base/state.h"
#include "copies/order.h"
#include "execution/call.h"
#include "execution/stream.h"
#include "objects/place.h"
#include "protocols/import.h"

/* Where the arrays are read on the host there is no stream of theirs, and the copies go by the given one. */
static uintptr_t find_table_stream(const svpy_ordering *order)
{
    const int64_t stream = order->stream >= 0 ? order->stream : order->given;

    return stream < 0 ? 0 : (uintptr_t)stream;
}

static int execute_between(struct svpy_state *state, const sv_plan *plan, const svpy_side *target,
                           const svpy_side *source, int64_t alignment, svpy_ordering *order)
{
    sv_status status;
    svpy_call call;

    if (svpy_ordering_begin(state, target, source, order) < 0)
        return -1;
    call = svpy_call_begin(SVPY_UNLOCK);
    status = sv_plan_execute_table(plan, target->handle, source->handle, alignment, find_table_stream(order), NULL);
    if (svpy_call_end(call, status) < 0)
        return -1;
    svpy_ordering_end(state, NULL, target, source, order);
    return 0;
}

PyObject *svpy_execute_table(struct svpy_state *state, const sv_plan *plan, PyObject *dst, PyObject *src,
                             PyObject *const *options)
{
    svpy_side target, source;
    svpy_ordering order;
    int64_t alignment = 0;
    int failed;

    if (options[SVPY_ALIGNMENT] != NULL && svpy_size(options[SVPY_ALIGNMENT], "alignment", &alignment) < 0)
        return NULL;
    if (svpy_ordering_read(options, 0, &order) < 0)
        return NULL;
    if (svpy_acquire(state, dst, order.given, &target, false) == NULL)
        return NULL;
    if (svpy_acquire(state, src, order.given, &source, false) == NULL) {
        sv_view_release((sv_view *)target.handle);
        return NULL;
    }
    failed = execute_between(state, plan, &target, &source, alignment, &order) < 0;
    sv_view_release((sv_view *)source.handle);
    sv_view_release((sv_view *)target.handle);
    return failed ? NULL : Py_NewRef(Py_None);
}
