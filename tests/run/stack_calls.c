#include "stack_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dlpack/dlpack.h>

enum {
    AXES = SV_MAX_NDIM,
    TWOS = 20,  /* of the axes have two places, the others one */
    DEPTH = 31, /* of records in records, the most */
    NESTED = 4096
};

static int64_t ones_and_twos[AXES], odd_strides[AXES];
static int32_t backwards[AXES];
static sv_layout *dense, *odd, *line, *few, *many;
static sv_view *view;
static char text[4096], nested[NESTED], memory[1024];

static void need(sv_status status)
{
    if (status != SV_OK)
        abort();
}

/* T{T{...i:a:...}:a:}, as deep as DEPTH. */
static void write_nested(void)
{
    size_t at = 0;

    for (int k = 0; k < DEPTH; k++)
        at += (size_t)snprintf(nested + at, sizeof nested - at, "T{");
    at += (size_t)snprintf(nested + at, sizeof nested - at, "i:a:");
    for (int k = 0; k < DEPTH; k++)
        at += (size_t)snprintf(nested + at, sizeof nested - at, k < DEPTH - 1 ? "}:a:" : "}");
}

void stack_calls_begin(void)
{
    static const int64_t size = INT64_C(1) << TWOS, sixteen = 16;
    static const int64_t few_shape[3] = {8, 6, 4}, few_strides[3] = {15, 21, 35};
    static const int64_t many_shape[6] = {900, 800, 700, 600, 500, 400};
    static const int64_t many_strides[6] = {100003, 100019, 100043, 100049, 100057, 100069};
    size_t length;

    for (int k = 0; k < AXES; k++) {
        ones_and_twos[k] = k % 3 == 0 && k / 3 < TWOS ? 2 : 1;
        odd_strides[k] = k % 3 == 0 ? 8 + ((INT64_C(1) << k / 3) * 16 + k) * 8 : 8;
        backwards[k] = AXES - 1 - k;
    }
    write_nested();
    need(sv_layout_new(AXES, ones_and_twos, NULL, 8, &dense));
    need(sv_layout_new_bytes(AXES, ones_and_twos, odd_strides, 8, &odd));
    need(sv_layout_new(1, &size, NULL, 8, &line));
    need(sv_layout_new_bytes(3, few_shape, few_strides, 1, &few));
    need(sv_layout_new_bytes(6, many_shape, many_strides, 1, &many));
    need(sv_layout_text(odd, sizeof text, text, &length));
    need(sv_view_from_host(SV_FLOAT32, 1, &sixteen, NULL, memory, 0, &view));
}

void stack_calls_end(void)
{
    sv_layout_release(dense);
    sv_layout_release(odd);
    sv_layout_release(line);
    sv_layout_release(few);
    sv_layout_release(many);
    sv_view_release(view);
}

/* Releases what a call has made. */
static sv_status made(sv_status status, sv_layout *layout)
{
    if (status == SV_OK)
        sv_layout_release(layout);
    return status;
}

/* --- layouts --------------------------------------------------------------------- */

static const int64_t size_and_one[2] = {INT64_C(1) << TWOS, 1};

static sv_status new_layout(void)
{
    sv_layout *out = NULL;
    const sv_status status = sv_layout_new_bytes(AXES, ones_and_twos, odd_strides, 8, &out);

    return made(status, out);
}

static sv_status reshape(void)
{
    sv_layout *out = NULL;
    sv_status status = sv_layout_reshape(line, AXES, ones_and_twos, &out);

    status = made(status, out);
    if (status != SV_OK)
        return status;
    status = sv_layout_reshape(dense, 2, size_and_one, &out);
    return made(status, out);
}

static sv_status refused_reshape(void)
{
    sv_layout *out = NULL;

    return sv_layout_reshape(odd, 2, size_and_one, &out) == SV_OK ? SV_ERROR_INVALID : SV_OK;
}

static sv_status repack(void)
{
    sv_layout *out = NULL;
    const sv_status status = sv_layout_repack(dense, 4, 0, -1, 1, &out);

    return made(status, out);
}

static sv_status common(void)
{
    sv_layout *dst = NULL, *src = NULL;
    const sv_status status = sv_layout_common(dense, odd, &dst, &src);

    return status == SV_OK ? made(made(status, dst), src) : status;
}

static sv_status common_itemsize(void)
{
    int64_t itemsize;

    return sv_layout_common_itemsize(dense, odd, 0, 0, 16, &itemsize);
}

static sv_status parse(void)
{
    sv_layout *out = NULL;
    const sv_status status = sv_layout_parse(text, &out);

    return made(status, out);
}

static sv_status refused_parse(void)
{
    sv_layout *out = NULL;

    return sv_layout_parse("(3)no", &out) == SV_OK ? SV_ERROR_INVALID : SV_OK;
}

static sv_status write_text(void)
{
    char out[256];
    size_t length;
    const sv_status status = sv_layout_text(odd, sizeof out, out, &length);

    return status == SV_ERROR_BUFFER ? SV_OK : SV_ERROR_INVALID;
}

static sv_status same_bytes(void)
{
    return sv_layout_same_bytes(dense, odd) != 0 ? SV_ERROR_INVALID : SV_OK;
}

static sv_status permute(void)
{
    sv_layout *out = NULL;
    const sv_status status = sv_layout_permute(odd, AXES, backwards, &out);

    return made(status, out);
}

static sv_status flatten(void)
{
    sv_layout *out = NULL;
    const sv_status status = sv_layout_flatten(odd, 0, -1, &out);

    return made(status, out);
}

static sv_status merge(void)
{
    sv_layout *out = NULL;
    const sv_status status = sv_layout_merge_axes(dense, 0, -1, &out);

    return made(status, out);
}

static sv_status split(void)
{
    sv_layout *out = NULL;
    const sv_status status = sv_layout_split_axis(line, 0, AXES, ones_and_twos, &out);

    return made(status, out);
}

static sv_status broadcast(void)
{
    sv_layout *out = NULL;
    const sv_status status = sv_layout_broadcast(odd, AXES, ones_and_twos, &out);

    return made(status, out);
}

static sv_status permutation(void)
{
    int32_t axes[AXES];

    return sv_layout_permutation(odd, odd, axes);
}

/* --- shared bytes ---------------------------------------------------------------- */

static sv_status is_unique(void)
{
    sv_answer answer;

    return sv_layout_is_unique(few, 0, &answer);
}

static sv_status is_unique_by_lattice(void)
{
    sv_answer answer;

    return sv_layout_is_unique(many, 0, &answer);
}

static sv_status is_unique_of_many_axes(void)
{
    sv_answer answer;

    return sv_layout_is_unique(odd, 10000, &answer);
}

static sv_status overlap(void)
{
    sv_answer answer;

    return sv_layout_overlap(many, few, 0, 50001, 0, &answer);
}

static sv_status overlap_of_many_axes(void)
{
    sv_answer answer;

    return sv_layout_overlap(odd, odd, 0, 4, 10000, &answer);
}

static sv_status view_overlap(void)
{
    sv_answer answer;

    return sv_view_overlap(view, view, 0, &answer);
}

/* --- imports and exports ----------------------------------------------------------- */

static sv_status released(sv_status status, sv_view *made_view)
{
    if (status == SV_OK)
        sv_view_release(made_view);
    return status;
}

static sv_status from_pep3118(void)
{
    static const int64_t shape = 4;
    sv_view *out = NULL;
    const sv_status status =
        sv_view_from_pep3118(nested, 4, 1, &shape, NULL, memory, 16, 0, NULL, NULL, &out);

    return released(status, out);
}

static void no_deleter(struct DLManagedTensorVersioned *tensor)
{
    (void)tensor;
}

static sv_status from_dlpack(void)
{
    static struct DLManagedTensorVersioned tensor;
    static int64_t strides[AXES];
    sv_view *out = NULL;
    sv_status status;

    for (int k = 0; k < AXES; k++)
        strides[k] = 1;
    tensor = (struct DLManagedTensorVersioned){
        .version = {1, 1},
        .deleter = no_deleter,
        .dl_tensor = {memory, {kDLCPU, 0}, AXES, {kDLFloat, 32, 1}, ones_and_twos, strides, 0},
    };
    status = sv_view_from_dlpack(&tensor, 0, &out);
    return released(status, out);
}

static sv_status to_dlpack(void)
{
    struct DLManagedTensorVersioned *out = NULL;
    const sv_status status = sv_view_to_dlpack(view, 0, &out);

    if (status == SV_OK)
        out->deleter(out);
    return status;
}

const struct stack_call stack_calls[] = {
    {"sv_layout_new_bytes", new_layout},
    {"sv_layout_reshape", reshape},
    {"sv_layout_reshape, refused", refused_reshape},
    {"sv_layout_repack", repack},
    {"sv_layout_common", common},
    {"sv_layout_common_itemsize", common_itemsize},
    {"sv_layout_parse", parse},
    {"sv_layout_parse, refused", refused_parse},
    {"sv_layout_text", write_text},
    {"sv_layout_same_bytes", same_bytes},
    {"sv_layout_permute", permute},
    {"sv_layout_flatten", flatten},
    {"sv_layout_merge_axes", merge},
    {"sv_layout_split_axis", split},
    {"sv_layout_broadcast", broadcast},
    {"sv_layout_permutation", permutation},
    {"sv_layout_is_unique, searching", is_unique},
    {"sv_layout_is_unique, by a lattice", is_unique_by_lattice},
    {"sv_layout_is_unique, of many axes", is_unique_of_many_axes},
    {"sv_layout_overlap", overlap},
    {"sv_layout_overlap, of many axes", overlap_of_many_axes},
    {"sv_view_overlap", view_overlap},
    {"sv_view_from_pep3118", from_pep3118},
    {"sv_view_from_dlpack", from_dlpack},
    {"sv_view_to_dlpack", to_dlpack},
};

const int stack_call_count = sizeof stack_calls / sizeof *stack_calls;
