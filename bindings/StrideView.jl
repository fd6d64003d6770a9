# The C API of libsv: strided array memory of every kind. Its header says what each function does.
# Generated from include/sv.h by py/gen_bindings.py: do not edit.
module StrideView

# The environment variable LIBSV names another library than the installed one. It is loaded first, and is then the
# one that has this name; so the module can be compiled ahead of time.
const libsv = "libsv.so.0"


# version

const SV_VERSION_MAJOR = Int32(0)
const SV_VERSION_MINOR = Int32(1)
const SV_VERSION_PATCH = Int32(0)
const SV_ABI_VERSION = Int32(0)
const SV_FEATURE_CUDA = UInt32(1)
const SV_FEATURE_CHECKS = UInt32(2)

"""
Version of the library that runs: 10000 * major + 100 * minor + patch.
"""
function sv_version()
    @ccall libsv.sv_version()::Int32
end

"""
Version of the library that runs, as static text: \"0.1.0\".
"""
function sv_version_text()
    @ccall libsv.sv_version_text()::Cstring
end

"""
SV_ABI_VERSION of the library that runs.
"""
function sv_abi_version()
    @ccall libsv.sv_abi_version()::Int32
end

"""
The SV_FEATURE bits this library was built with.
"""
function sv_features()
    @ccall libsv.sv_features()::UInt32
end

# status

# 0 or a negative code.
const sv_status = Int32
const SV_OK = sv_status(0)
const SV_ERROR_NULL = sv_status(-1)
const SV_ERROR_INVALID = sv_status(-2)
const SV_ERROR_INDEX = sv_status(-3)
const SV_ERROR_RANGE = sv_status(-4)
const SV_ERROR_OVERFLOW = sv_status(-5)
const SV_ERROR_DTYPE = sv_status(-6)
const SV_ERROR_LAYOUT = sv_status(-7)
const SV_ERROR_OVERLAP = sv_status(-8)
const SV_ERROR_READ_ONLY = sv_status(-9)
const SV_ERROR_ALIGNMENT = sv_status(-10)
const SV_ERROR_DEVICE = sv_status(-11)
const SV_ERROR_VERSION = sv_status(-12)
const SV_ERROR_PROTOCOL = sv_status(-13)
const SV_ERROR_UNSUPPORTED = sv_status(-14)
const SV_ERROR_MEMORY = sv_status(-15)
const SV_ERROR_CUDA = sv_status(-16)
const SV_ERROR_STATE = sv_status(-17)
const SV_ERROR_BLOCKED = sv_status(-18)
const SV_ERROR_FORKED = sv_status(-19)
const SV_ERROR_BUFFER = sv_status(-20)

"""
Name of a status as static text, \"SV_ERROR_INDEX\"; of an unknown number \"SV_ERROR_UNKNOWN\".
"""
function sv_status_name(status)
    @ccall libsv.sv_status_name(status::sv_status)::Cstring
end

"""
What went wrong in the last call on this thread that failed.
"""
function sv_last_message()
    @ccall libsv.sv_last_message()::Cstring
end

# dtype

# Element type: the DLPack (1.3) triple as code + 256 * bits + 65536 * lanes.
const sv_dtype = UInt32
const SV_OPAQUE = sv_dtype(0)
const SV_BOOL = sv_dtype(0x010806)
const SV_INT8 = sv_dtype(0x010800)
const SV_INT16 = sv_dtype(0x011000)
const SV_INT32 = sv_dtype(0x012000)
const SV_INT64 = sv_dtype(0x014000)
const SV_UINT8 = sv_dtype(0x010801)
const SV_UINT16 = sv_dtype(0x011001)
const SV_UINT32 = sv_dtype(0x012001)
const SV_UINT64 = sv_dtype(0x014001)
const SV_FLOAT16 = sv_dtype(0x011002)
const SV_FLOAT32 = sv_dtype(0x012002)
const SV_FLOAT64 = sv_dtype(0x014002)
const SV_FLOAT128 = sv_dtype(0x018002)
const SV_BFLOAT16 = sv_dtype(0x011004)
const SV_COMPLEX32 = sv_dtype(0x012005)
const SV_COMPLEX64 = sv_dtype(0x014005)
const SV_COMPLEX128 = sv_dtype(0x018005)
const SV_FLOAT8_E3M4 = sv_dtype(0x010807)
const SV_FLOAT8_E4M3 = sv_dtype(0x010808)
const SV_FLOAT8_E4M3B11FNUZ = sv_dtype(0x010809)
const SV_FLOAT8_E4M3FN = sv_dtype(0x01080a)
const SV_FLOAT8_E4M3FNUZ = sv_dtype(0x01080b)
const SV_FLOAT8_E5M2 = sv_dtype(0x01080c)
const SV_FLOAT8_E5M2FNUZ = sv_dtype(0x01080d)
const SV_FLOAT8_E8M0FNU = sv_dtype(0x01080e)
const SV_FLOAT4_E2M1FN_X2 = sv_dtype(0x020411)

"""
Make an element type from its DLPack parts: type code, bits of one lane, and 1 lane or the width of a vector. Writes
out.
"""
function sv_dtype_make(code, bits, lanes, out)
    @ccall libsv.sv_dtype_make(code::Int32, bits::Int32, lanes::Int32, out::Ptr{sv_dtype})::sv_status
end

"""
Bytes of one element; 0 for SV_OPAQUE and for a number that is no type.
"""
function sv_dtype_itemsize(dtype)
    @ccall libsv.sv_dtype_itemsize(dtype::sv_dtype)::Int64
end

"""
DLPack's code: 0 signed, 1 unsigned, 2 floating, and so on; -1 of SV_OPAQUE and of a number that is no type.
"""
function sv_dtype_code(dtype)
    @ccall libsv.sv_dtype_code(dtype::sv_dtype)::Int32
end

"""
Bits of one lane; 0 of SV_OPAQUE and of a number that is no type.
"""
function sv_dtype_bits(dtype)
    @ccall libsv.sv_dtype_bits(dtype::sv_dtype)::Int32
end

"""
Lanes: 1, or the width of a vector; 0 of SV_OPAQUE and of a number that is no type.
"""
function sv_dtype_lanes(dtype)
    @ccall libsv.sv_dtype_lanes(dtype::sv_dtype)::Int32
end

"""
Write the name of a type: \"float32\", \"float32x4\" with four lanes, \"opaque\". Writes text, length. Optional: text,
length.
"""
function sv_dtype_name(dtype, capacity, text, length)
    @ccall libsv.sv_dtype_name(dtype::sv_dtype, capacity::Csize_t, text::Ptr{UInt8}, length::Ptr{Csize_t})::sv_status
end

"""
Read a name that sv_dtype_name() writes; SV_ERROR_DTYPE where there is no such name. Writes out.
"""
function sv_dtype_parse(name, out)
    @ccall libsv.sv_dtype_parse(name::Cstring, out::Ptr{sv_dtype})::sv_status
end

"""
Write the type string of NumPy's array interface, \"<f4\". Writes text, length. Optional: text, length.
"""
function sv_dtype_typestr(dtype, capacity, text, length)
    @ccall libsv.sv_dtype_typestr(
        dtype::sv_dtype, capacity::Csize_t, text::Ptr{UInt8}, length::Ptr{Csize_t})::sv_status
end

"""
Read a type string of the array interface, version 3. Writes out.
"""
function sv_dtype_from_typestr(typestr, out)
    @ccall libsv.sv_dtype_from_typestr(typestr::Cstring, out::Ptr{sv_dtype})::sv_status
end

"""
Write the PEP 3118 format of a type, \"f\", \"Zd\"; SV_ERROR_DTYPE for a type without a format. Writes text, length.
Optional: text, length.
"""
function sv_dtype_format(dtype, capacity, text, length)
    @ccall libsv.sv_dtype_format(
        dtype::sv_dtype, capacity::Csize_t, text::Ptr{UInt8}, length::Ptr{Csize_t})::sv_status
end

"""
Read a PEP 3118 format of one number, in native or byte-equal order. Writes out. Optional: format.
"""
function sv_dtype_from_format(format, itemsize, out)
    @ccall libsv.sv_dtype_from_format(format::Cstring, itemsize::Int64, out::Ptr{sv_dtype})::sv_status
end
# Which conversions are allowed: NumPy's levels, each of which allows what those before it do.
const sv_casting = Int32
const SV_CASTING_NO = sv_casting(0)
const SV_CASTING_EQUIV = sv_casting(1)
const SV_CASTING_SAFE = sv_casting(2)
const SV_CASTING_SAME_KIND = sv_casting(3)
const SV_CASTING_UNSAFE = sv_casting(4)

"""
Whether a copy converts elements of one type to another at a level of casting: 1 or 0.
"""
function sv_can_cast(source, target, casting)
    @ccall libsv.sv_can_cast(source::sv_dtype, target::sv_dtype, casting::sv_casting)::Int32
end

# layout

# Shape, strides, item size and offset.
mutable struct sv_layout end
const SV_MAX_NDIM = Int32(64)
# Order of the axes in memory.
const sv_order = Int32
const SV_ORDER_C = sv_order(0)
const SV_ORDER_F = sv_order(1)
const SV_ORDER_K = sv_order(2)
const SV_ORDER_AXES = sv_order(3)
# Answer to a question that can be too hard to decide.
const sv_answer = Int32
const SV_NO = sv_answer(0)
const SV_YES = sv_answer(1)
const SV_MAYBE = sv_answer(2)

"""
Make a layout from strides in elements; NULL means C order without gaps. Writes out. Optional: strides.
"""
function sv_layout_new(ndim, shape, strides, itemsize, out)
    @ccall libsv.sv_layout_new(
        ndim::Int32, shape::Ptr{Int64}, strides::Ptr{Int64}, itemsize::Int64, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Make a layout from strides in bytes; else as sv_layout_new(). Writes out. Optional: byte_strides.
"""
function sv_layout_new_bytes(ndim, shape, byte_strides, itemsize, out)
    @ccall libsv.sv_layout_new_bytes(
        ndim::Int32, shape::Ptr{Int64}, byte_strides::Ptr{Int64}, itemsize::Int64, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Make a layout without gaps. Writes out. Optional: axes.
"""
function sv_layout_new_dense(ndim, shape, order, axes, itemsize, out)
    @ccall libsv.sv_layout_new_dense(
        ndim::Int32, shape::Ptr{Int64}, order::sv_order, axes::Ptr{Int32}, itemsize::Int64, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Make a layout from one line of text, as sv_layout_text() writes it: Writes out.
"""
function sv_layout_parse(text, out)
    @ccall libsv.sv_layout_parse(text::Cstring, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Add a reference. Optional: layout.
"""
function sv_layout_retain(layout)
    @ccall libsv.sv_layout_retain(layout::Ptr{sv_layout})::Ptr{sv_layout}
end

"""
Drop a reference. Takes layout. Optional: layout.
"""
function sv_layout_release(layout)
    @ccall libsv.sv_layout_release(layout::Ptr{sv_layout})::Cvoid
end

"""
Number of axes.
"""
function sv_layout_ndim(layout)
    @ccall libsv.sv_layout_ndim(layout::Ptr{sv_layout})::Int32
end

"""
The ndim extents.
"""
function sv_layout_shape(layout)
    @ccall libsv.sv_layout_shape(layout::Ptr{sv_layout})::Ptr{Int64}
end

"""
The ndim strides in bytes.
"""
function sv_layout_byte_strides(layout)
    @ccall libsv.sv_layout_byte_strides(layout::Ptr{sv_layout})::Ptr{Int64}
end

"""
The ndim strides in elements; SV_ERROR_LAYOUT if a stride in bytes is no multiple of the item size. Writes strides.
"""
function sv_layout_strides(layout, strides)
    @ccall libsv.sv_layout_strides(layout::Ptr{sv_layout}, strides::Ptr{Ptr{Int64}})::sv_status
end

"""
Bytes of one element.
"""
function sv_layout_itemsize(layout)
    @ccall libsv.sv_layout_itemsize(layout::Ptr{sv_layout})::Int64
end

"""
Number of elements; 1 without axes.
"""
function sv_layout_size(layout)
    @ccall libsv.sv_layout_size(layout::Ptr{sv_layout})::Int64
end

"""
Bytes of all elements: size * itemsize.
"""
function sv_layout_nbytes(layout)
    @ccall libsv.sv_layout_nbytes(layout::Ptr{sv_layout})::Int64
end

"""
Bytes from the base to the element [0,...,0].
"""
function sv_layout_byte_offset(layout)
    @ccall libsv.sv_layout_byte_offset(layout::Ptr{sv_layout})::Int64
end

"""
Whether the elements follow one another without gaps in an order; for another order than these three, no.
"""
function sv_layout_is_contiguous(layout, order)
    @ccall libsv.sv_layout_is_contiguous(layout::Ptr{sv_layout}, order::sv_order)::Int32
end

"""
Whether the elements fill bytes from the base on: contiguous in any order of the axes, and no offset; or empty.
"""
function sv_layout_is_dense(layout)
    @ccall libsv.sv_layout_is_dense(layout::Ptr{sv_layout})::Int32
end

"""
Whether every byte of every element lies in [lower, upper), relative to the base; or the layout is empty.
"""
function sv_layout_is_within(layout, lower, upper)
    @ccall libsv.sv_layout_is_within(layout::Ptr{sv_layout}, lower::Int64, upper::Int64)::Int32
end

"""
The bytes that elements occupy, relative to the base: [lower, upper). Writes lower, upper.
"""
function sv_layout_byte_bounds(layout, lower, upper)
    @ccall libsv.sv_layout_byte_bounds(layout::Ptr{sv_layout}, lower::Ptr{Int64}, upper::Ptr{Int64})::sv_status
end

"""
Bytes that memory from the base on must have to hold every element; SV_ERROR_LAYOUT if one lies below the base. Writes
nbytes.
"""
function sv_layout_required_size(layout, nbytes)
    @ccall libsv.sv_layout_required_size(layout::Ptr{sv_layout}, nbytes::Ptr{Int64})::sv_status
end

"""
The ndim axes by the size of their stride, the slowest first. Writes axes.
"""
function sv_layout_stride_order(layout, axes)
    @ccall libsv.sv_layout_stride_order(layout::Ptr{sv_layout}, axes::Ptr{Int32})::sv_status
end

"""
Which axes continue the axis before them: bit i of the result is set when axis i can be merged into axis i - 1.
"""
function sv_layout_flatten_mask(layout)
    @ccall libsv.sv_layout_flatten_mask(layout::Ptr{sv_layout})::UInt64
end

"""
The alignment that all elements have in common: the largest power of two that divides the address of each. Writes
alignment.
"""
function sv_layout_alignment(layout, address, alignment)
    @ccall libsv.sv_layout_alignment(layout::Ptr{sv_layout}, address::UInt, alignment::Ptr{Int64})::sv_status
end

"""
The largest item size, a divisor of limit, that sv_layout_repack() would take with the same address and axis. Writes
itemsize.
"""
function sv_layout_max_itemsize(layout, limit, address, axis, itemsize)
    @ccall libsv.sv_layout_max_itemsize(
        layout::Ptr{sv_layout}, limit::Int64, address::UInt, axis::Int32, itemsize::Ptr{Int64})::sv_status
end

"""
Whether two layouts have the same shape, item size and, unless they are empty, offset and strides.
"""
function sv_layout_equal(layout, other)
    @ccall libsv.sv_layout_equal(layout::Ptr{sv_layout}, other::Ptr{sv_layout})::Int32
end

"""
Hash value, the same for equal layouts.
"""
function sv_layout_hash(layout)
    @ccall libsv.sv_layout_hash(layout::Ptr{sv_layout})::UInt64
end

"""
Write a layout as one line, \"(3, 450):(1, -3)*4+5388\", which sv_layout_parse() reads back to an equal one. Writes
text, length. Optional: text, length.
"""
function sv_layout_text(layout, capacity, text, length)
    @ccall libsv.sv_layout_text(
        layout::Ptr{sv_layout}, capacity::Csize_t, text::Ptr{UInt8}, length::Ptr{Csize_t})::sv_status
end

"""
Whether no two different indices share a byte; an empty layout is unique. Writes answer.
"""
function sv_layout_is_unique(layout, work, answer)
    @ccall libsv.sv_layout_is_unique(layout::Ptr{sv_layout}, work::Int64, answer::Ptr{sv_answer})::sv_status
end

"""
Whether elements of two layouts, of any shapes and item sizes, share a byte, each read from a base address. Writes
answer.
"""
function sv_layout_overlap(layout, other, address, other_address, work, answer)
    @ccall libsv.sv_layout_overlap(
        layout::Ptr{sv_layout}, other::Ptr{sv_layout}, address::UInt, other_address::UInt, work::Int64,
        answer::Ptr{sv_answer})::sv_status
end

"""
Whether two layouts of any shapes and item sizes, walked in C order, visit the same bytes; two empty ones do.
"""
function sv_layout_same_bytes(layout, other)
    @ccall libsv.sv_layout_same_bytes(layout::Ptr{sv_layout}, other::Ptr{sv_layout})::Int32
end

"""
Bring two layouts to the fewest axes that pair the same elements: the form in which sv_copy() reads them together.
Writes dst_out, src_out.
"""
function sv_layout_common(dst, src, dst_out, src_out)
    @ccall libsv.sv_layout_common(
        dst::Ptr{sv_layout}, src::Ptr{sv_layout}, dst_out::Ptr{Ptr{sv_layout}}, src_out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
The widest word, in bytes, by which two layouts can be walked together from their base addresses. Writes itemsize.
"""
function sv_layout_common_itemsize(dst, src, dst_address, src_address, limit, itemsize)
    @ccall libsv.sv_layout_common_itemsize(
        dst::Ptr{sv_layout}, src::Ptr{sv_layout}, dst_address::UInt, src_address::UInt, limit::Int64,
        itemsize::Ptr{Int64})::sv_status
end

"""
The shape that two layouts are broadcast to together; SV_ERROR_LAYOUT if two extents differ and neither is 1. Writes
ndim, shape.
"""
function sv_layout_broadcast_shape(layout, other, ndim, shape)
    @ccall libsv.sv_layout_broadcast_shape(
        layout::Ptr{sv_layout}, other::Ptr{sv_layout}, ndim::Ptr{Int32}, shape::Ptr{Int64})::sv_status
end

"""
The ndim axes by which sv_layout_permute() makes other of layout; SV_ERROR_LAYOUT if there is no such order. Writes
axes.
"""
function sv_layout_permutation(layout, other, axes)
    @ccall libsv.sv_layout_permutation(layout::Ptr{sv_layout}, other::Ptr{sv_layout}, axes::Ptr{Int32})::sv_status
end

"""
Reorder the axes: axis i of the result is axis axes[i] of layout. Writes out. Optional: axes.
"""
function sv_layout_permute(layout, ndim, axes, out)
    @ccall libsv.sv_layout_permute(
        layout::Ptr{sv_layout}, ndim::Int32, axes::Ptr{Int32}, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Take every step-th index of the first count axes, from start up to, not including, stop; the others stay whole. Writes
out. Optional: step.
"""
function sv_layout_slice(layout, count, start, stop, step, out)
    @ccall libsv.sv_layout_slice(
        layout::Ptr{sv_layout}, count::Int32, start::Ptr{Int64}, stop::Ptr{Int64}, step::Ptr{Int64},
        out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Take one index of an axis, -extent to extent - 1, and drop the axis. Writes out.
"""
function sv_layout_index(layout, axis, index, out)
    @ccall libsv.sv_layout_index(
        layout::Ptr{sv_layout}, axis::Int32, index::Int64, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Give the same elements, in C order of their indices, another shape. Writes out.
"""
function sv_layout_reshape(layout, ndim, shape, out)
    @ccall libsv.sv_layout_reshape(
        layout::Ptr{sv_layout}, ndim::Int32, shape::Ptr{Int64}, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Broadcast to a shape: repeat along new leading axes, and along axes of extent 1, by strides of 0. Writes out.
"""
function sv_layout_broadcast(layout, ndim, shape, out)
    @ccall libsv.sv_layout_broadcast(
        layout::Ptr{sv_layout}, ndim::Int32, shape::Ptr{Int64}, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Drop count axes of extent 1 (else SV_ERROR_LAYOUT); NULL drops all of them, and count is not read. Writes out.
Optional: axes.
"""
function sv_layout_squeeze(layout, count, axes, out)
    @ccall libsv.sv_layout_squeeze(
        layout::Ptr{sv_layout}, count::Int32, axes::Ptr{Int32}, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Insert count axes of extent 1, at the places that axes gives, in any order, counted in the result. Writes out.
"""
function sv_layout_unsqueeze(layout, count, axes, out)
    @ccall libsv.sv_layout_unsqueeze(
        layout::Ptr{sv_layout}, count::Int32, axes::Ptr{Int32}, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
The layout that a packed copy of the elements would have: the same shape, no gaps, no offset. Writes out. Optional:
axes.
"""
function sv_layout_to_dense(layout, order, ndim, axes, itemsize, out)
    @ccall libsv.sv_layout_to_dense(
        layout::Ptr{sv_layout}, order::sv_order, ndim::Int32, axes::Ptr{Int32}, itemsize::Int64,
        out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Merge neighbouring axes that step as one, as far as the strides allow. Writes out.
"""
function sv_layout_flatten(layout, start_axis, end_axis, out)
    @ccall libsv.sv_layout_flatten(
        layout::Ptr{sv_layout}, start_axis::Int32, end_axis::Int32, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Merge each axis whose bit is set into the axis before it, where the strides allow it. Writes out.
"""
function sv_layout_flatten_masked(layout, mask, out)
    @ccall libsv.sv_layout_flatten_masked(layout::Ptr{sv_layout}, mask::UInt64, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Merge the axes from start_axis to end_axis into one. Writes out.
"""
function sv_layout_merge_axes(layout, start_axis, end_axis, out)
    @ccall libsv.sv_layout_merge_axes(
        layout::Ptr{sv_layout}, start_axis::Int32, end_axis::Int32, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Split one axis into several, in C order. Writes out.
"""
function sv_layout_split_axis(layout, axis, count, extents, out)
    @ccall libsv.sv_layout_split_axis(
        layout::Ptr{sv_layout}, axis::Int32, count::Int32, extents::Ptr{Int64}, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Move count axes to other places, counted in the result; the rest keep their order. Writes out.
"""
function sv_layout_move_axes(layout, count, axes, places, out)
    @ccall libsv.sv_layout_move_axes(
        layout::Ptr{sv_layout}, count::Int32, axes::Ptr{Int32}, places::Ptr{Int32}, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Exchange two axes, which may be the same. Writes out.
"""
function sv_layout_swap_axes(layout, axis, other, out)
    @ccall libsv.sv_layout_swap_axes(
        layout::Ptr{sv_layout}, axis::Int32, other::Int32, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Reverse count axes, so that index 0 becomes the last one; NULL reverses all, and count is not read. Writes out.
Optional: axes.
"""
function sv_layout_flip(layout, count, axes, out)
    @ccall libsv.sv_layout_flip(
        layout::Ptr{sv_layout}, count::Int32, axes::Ptr{Int32}, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Take the elements whose indices along two axes differ by offset, as the last axis of the result. Writes out.
"""
function sv_layout_diagonal(layout, offset, axis, other, out)
    @ccall libsv.sv_layout_diagonal(
        layout::Ptr{sv_layout}, offset::Int64, axis::Int32, other::Int32, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Look at every place of a sliding window. Writes out. Optional: axes.
"""
function sv_layout_window(layout, count, axes, window, out)
    @ccall libsv.sv_layout_window(
        layout::Ptr{sv_layout}, count::Int32, axes::Ptr{Int32}, window::Ptr{Int64}, out::Ptr{Ptr{sv_layout}})::sv_status
end

"""
Read the same bytes as items of another size: along an axis, several items become one, or one becomes several. Writes
out.
"""
function sv_layout_repack(layout, itemsize, address, axis, keep_dim, out)
    @ccall libsv.sv_layout_repack(
        layout::Ptr{sv_layout}, itemsize::Int64, address::UInt, axis::Int32, keep_dim::Int32, out::Ptr{Ptr{sv_layout}})::sv_status
end

# layout builder

# A layout in the making: operations one after another, in place, and one allocation at the end.
mutable struct sv_layout_builder end

"""
Make a builder, which has no layout yet. Writes out.
"""
function sv_layout_builder_new(out)
    @ccall libsv.sv_layout_builder_new(out::Ptr{Ptr{sv_layout_builder}})::sv_status
end

"""
End a builder. Takes builder. Optional: builder.
"""
function sv_layout_builder_release(builder)
    @ccall libsv.sv_layout_builder_release(builder::Ptr{sv_layout_builder})::Cvoid
end

"""
Start from a layout, at any time again.
"""
function sv_layout_builder_start(builder, layout)
    @ccall libsv.sv_layout_builder_start(builder::Ptr{sv_layout_builder}, layout::Ptr{sv_layout})::sv_status
end

"""
The sv_layout operation of the same name, in place. Optional: axes.
"""
function sv_layout_builder_permute(builder, ndim, axes)
    @ccall libsv.sv_layout_builder_permute(builder::Ptr{sv_layout_builder}, ndim::Int32, axes::Ptr{Int32})::sv_status
end

"""
The sv_layout operation of the same name, in place. Optional: step.
"""
function sv_layout_builder_slice(builder, count, start, stop, step)
    @ccall libsv.sv_layout_builder_slice(
        builder::Ptr{sv_layout_builder}, count::Int32, start::Ptr{Int64}, stop::Ptr{Int64}, step::Ptr{Int64})::sv_status
end

"""
The sv_layout operation of the same name, in place.
"""
function sv_layout_builder_index(builder, axis, index)
    @ccall libsv.sv_layout_builder_index(builder::Ptr{sv_layout_builder}, axis::Int32, index::Int64)::sv_status
end

"""
The sv_layout operation of the same name, in place.
"""
function sv_layout_builder_reshape(builder, ndim, shape)
    @ccall libsv.sv_layout_builder_reshape(builder::Ptr{sv_layout_builder}, ndim::Int32, shape::Ptr{Int64})::sv_status
end

"""
The sv_layout operation of the same name, in place.
"""
function sv_layout_builder_broadcast(builder, ndim, shape)
    @ccall libsv.sv_layout_builder_broadcast(
        builder::Ptr{sv_layout_builder}, ndim::Int32, shape::Ptr{Int64})::sv_status
end

"""
The sv_layout operation of the same name, in place. Optional: axes.
"""
function sv_layout_builder_squeeze(builder, count, axes)
    @ccall libsv.sv_layout_builder_squeeze(builder::Ptr{sv_layout_builder}, count::Int32, axes::Ptr{Int32})::sv_status
end

"""
The sv_layout operation of the same name, in place.
"""
function sv_layout_builder_unsqueeze(builder, count, axes)
    @ccall libsv.sv_layout_builder_unsqueeze(
        builder::Ptr{sv_layout_builder}, count::Int32, axes::Ptr{Int32})::sv_status
end

"""
The sv_layout operation of the same name, in place. Optional: axes.
"""
function sv_layout_builder_to_dense(builder, order, ndim, axes, itemsize)
    @ccall libsv.sv_layout_builder_to_dense(
        builder::Ptr{sv_layout_builder}, order::sv_order, ndim::Int32, axes::Ptr{Int32}, itemsize::Int64)::sv_status
end

"""
The sv_layout operation of the same name, in place.
"""
function sv_layout_builder_flatten(builder, start_axis, end_axis)
    @ccall libsv.sv_layout_builder_flatten(
        builder::Ptr{sv_layout_builder}, start_axis::Int32, end_axis::Int32)::sv_status
end

"""
The sv_layout operation of the same name, in place.
"""
function sv_layout_builder_flatten_masked(builder, mask)
    @ccall libsv.sv_layout_builder_flatten_masked(builder::Ptr{sv_layout_builder}, mask::UInt64)::sv_status
end

"""
The sv_layout operation of the same name, in place.
"""
function sv_layout_builder_merge_axes(builder, start_axis, end_axis)
    @ccall libsv.sv_layout_builder_merge_axes(
        builder::Ptr{sv_layout_builder}, start_axis::Int32, end_axis::Int32)::sv_status
end

"""
The sv_layout operation of the same name, in place.
"""
function sv_layout_builder_split_axis(builder, axis, count, extents)
    @ccall libsv.sv_layout_builder_split_axis(
        builder::Ptr{sv_layout_builder}, axis::Int32, count::Int32, extents::Ptr{Int64})::sv_status
end

"""
The sv_layout operation of the same name, in place.
"""
function sv_layout_builder_move_axes(builder, count, axes, places)
    @ccall libsv.sv_layout_builder_move_axes(
        builder::Ptr{sv_layout_builder}, count::Int32, axes::Ptr{Int32}, places::Ptr{Int32})::sv_status
end

"""
The sv_layout operation of the same name, in place.
"""
function sv_layout_builder_swap_axes(builder, axis, other)
    @ccall libsv.sv_layout_builder_swap_axes(builder::Ptr{sv_layout_builder}, axis::Int32, other::Int32)::sv_status
end

"""
The sv_layout operation of the same name, in place. Optional: axes.
"""
function sv_layout_builder_flip(builder, count, axes)
    @ccall libsv.sv_layout_builder_flip(builder::Ptr{sv_layout_builder}, count::Int32, axes::Ptr{Int32})::sv_status
end

"""
The sv_layout operation of the same name, in place.
"""
function sv_layout_builder_diagonal(builder, offset, axis, other)
    @ccall libsv.sv_layout_builder_diagonal(
        builder::Ptr{sv_layout_builder}, offset::Int64, axis::Int32, other::Int32)::sv_status
end

"""
The sv_layout operation of the same name, in place. Optional: axes.
"""
function sv_layout_builder_window(builder, count, axes, window)
    @ccall libsv.sv_layout_builder_window(
        builder::Ptr{sv_layout_builder}, count::Int32, axes::Ptr{Int32}, window::Ptr{Int64})::sv_status
end

"""
The sv_layout operation of the same name, in place.
"""
function sv_layout_builder_repack(builder, itemsize, address, axis, keep_dim)
    @ccall libsv.sv_layout_builder_repack(
        builder::Ptr{sv_layout_builder}, itemsize::Int64, address::UInt, axis::Int32, keep_dim::Int32)::sv_status
end

"""
Make a layout of what the builder holds, which stays as it is. Writes out.
"""
function sv_layout_builder_finish(builder, out)
    @ccall libsv.sv_layout_builder_finish(builder::Ptr{sv_layout_builder}, out::Ptr{Ptr{sv_layout}})::sv_status
end

# device

const SV_DEVICE_CPU = Int32(1)
const SV_DEVICE_CUDA = Int32(2)
const SV_DEVICE_CUDA_HOST = Int32(3)
const SV_DEVICE_OPENCL = Int32(4)
const SV_DEVICE_VULKAN = Int32(7)
const SV_DEVICE_METAL = Int32(8)
const SV_DEVICE_VPI = Int32(9)
const SV_DEVICE_ROCM = Int32(10)
const SV_DEVICE_ROCM_HOST = Int32(11)
const SV_DEVICE_EXT = Int32(12)
const SV_DEVICE_CUDA_MANAGED = Int32(13)
const SV_DEVICE_ONEAPI = Int32(14)
const SV_DEVICE_WEBGPU = Int32(15)
const SV_DEVICE_HEXAGON = Int32(16)
const SV_DEVICE_MAIA = Int32(17)
const SV_DEVICE_TRN = Int32(18)
const SV_TRAIT_HOST = UInt32(1)
const SV_TRAIT_CUDA = UInt32(2)
const SV_TRAIT_MANAGED = UInt32(4)
const SV_TRAIT_HANDLES = UInt32(8)
const SV_TRAIT_READ_ONLY = UInt32(16)
const SV_TRAIT_ORDERED = UInt32(32)
const SV_TRAIT_REGISTERED = UInt32(64)
const SV_TRAIT_SHARED = UInt32(128)

"""
Name of a kind of memory, for programs and their output: \"cpu\", \"cuda\", \"cuda_host\", \"cuda_managed\", \"oneapi\".
"""
function sv_device_name(device_type)
    @ccall libsv.sv_device_name(device_type::Int32)::Cstring
end

"""
The SV_TRAIT bits that hold for all memory of a kind; 0 for a number that no device type has.
"""
function sv_device_traits(device_type)
    @ccall libsv.sv_device_traits(device_type::Int32)::UInt32
end
# Whether a kind of device can be used, and if not, what is missing.
const sv_device_state = Int32
const SV_STATE_READY = sv_device_state(0)
const SV_STATE_NO_BACKEND = sv_device_state(1)
const SV_STATE_NO_DRIVER = sv_device_state(2)
const SV_STATE_DRIVER_TOO_OLD = sv_device_state(3)
const SV_STATE_NO_DEVICE = sv_device_state(4)
const SV_STATE_STUB_DRIVER = sv_device_state(5)
const SV_STATE_BROKEN = sv_device_state(6)

"""
Find out whether a kind of device can be used, and how many there are: 0 unless ready. Writes state, count. Optional:
count.
"""
function sv_device_probe(device_type, state, count)
    @ccall libsv.sv_device_probe(device_type::Int32, state::Ptr{sv_device_state}, count::Ptr{Int32})::sv_status
end

"""
Write in words what sv_device_probe() finds, versions included. Writes text, length. Optional: text, length.
"""
function sv_device_text(device_type, capacity, text, length)
    @ccall libsv.sv_device_text(
        device_type::Int32, capacity::Csize_t, text::Ptr{UInt8}, length::Ptr{Csize_t})::sv_status
end
const SV_PROPERTY_MEMORY_TOTAL = Int32(1)
const SV_PROPERTY_MEMORY_FREE = Int32(2)
const SV_PROPERTY_PAGEABLE_ACCESS = Int32(3)
const SV_PROPERTY_CONCURRENT_MANAGED = Int32(4)
const SV_PROPERTY_POOLS = Int32(5)
const SV_PROPERTY_HOST_POOLS = Int32(6)
const SV_PROPERTY_MANAGED_POOLS = Int32(7)
const SV_PROPERTY_IPC = Int32(8)
const SV_PROPERTY_COMPUTE_CAPABILITY = Int32(9)
const SV_PROPERTY_MULTIPROCESSORS = Int32(10)

"""
Ask for an SV_PROPERTY number that describes a device; SV_ERROR_DEVICE if no device is ready. Writes value.
"""
function sv_device_property(device_type, device_id, property, value)
    @ccall libsv.sv_device_property(
        device_type::Int32, device_id::Int32, property::Int32, value::Ptr{Int64})::sv_status
end

# stream


"""
Let a stream wait for another: what is put on stream from now on starts after all that other holds now.
"""
function sv_stream_wait(device_type, device_id, stream, other_device_type, other_device_id, other)
    @ccall libsv.sv_stream_wait(
        device_type::Int32, device_id::Int32, stream::UInt, other_device_type::Int32, other_device_id::Int32,
        other::UInt)::sv_status
end

"""
Wait, on the host, until all that a stream holds is done.
"""
function sv_stream_synchronize(device_type, device_id, stream)
    @ccall libsv.sv_stream_synchronize(device_type::Int32, device_id::Int32, stream::UInt)::sv_status
end

"""
Ask which device a stream belongs to, and whether it is being captured into a graph, so that what is put on it is
recorded and runs later. Writes owner, captured. Optional: owner, captured.
"""
function sv_stream_query(device_type, device_id, stream, owner, captured)
    @ccall libsv.sv_stream_query(
        device_type::Int32, device_id::Int32, stream::UInt, owner::Ptr{Int32}, captured::Ptr{Int32})::sv_status
end

# memory

# Kinds of memory, by who can touch it.
const sv_memory = Int32
const SV_MEMORY_UNKNOWN = sv_memory(0)
const SV_MEMORY_HOST = sv_memory(1)
const SV_MEMORY_PINNED = sv_memory(2)
const SV_MEMORY_DEVICE = sv_memory(3)
const SV_MEMORY_MANAGED = sv_memory(4)
const SV_MEMORY_FOREIGN = sv_memory(5)

"""
Name of a kind of memory, as static text: \"host\", \"pinned\", \"device\", \"managed\" or \"foreign\"; NULL of no kind.
"""
function sv_memory_name(kind)
    @ccall libsv.sv_memory_name(kind::sv_memory)::Cstring
end

"""
Find out what kind of memory an address belongs to. Writes kind, traits, device_id, device_address, host_address.
Optional: pointer, traits, device_id, device_address, host_address.
"""
function sv_pointer_query(pointer, kind, traits, device_id, device_address, host_address)
    @ccall libsv.sv_pointer_query(
        pointer::Ptr{Cvoid}, kind::Ptr{sv_memory}, traits::Ptr{UInt32}, device_id::Ptr{Int32},
        device_address::Ptr{Ptr{Cvoid}}, host_address::Ptr{Ptr{Cvoid}})::sv_status
end
const SV_ADVICE_READ_MOSTLY = Int32(1)
const SV_ADVICE_NOT_READ_MOSTLY = Int32(2)
const SV_ADVICE_PREFER = Int32(3)
const SV_ADVICE_NOT_PREFER = Int32(4)
const SV_ADVICE_ACCESSED_BY = Int32(5)
const SV_ADVICE_NOT_ACCESSED_BY = Int32(6)
# Called when nothing needs the memory any more: once, on the thread that drops the last reference.
# From @cfunction(f, Cvoid, (Ptr{Cvoid},)).
const sv_release_callback = Ptr{Cvoid}

# allocator

# Where bytes come from: the system, a CUDA driver, a pool, callbacks, or another allocator.
mutable struct sv_allocator end
const SV_ALLOCATOR_HUGE_PAGES = UInt32(1)
const SV_ALLOCATOR_BLOCKS = UInt32(2)
const SV_ALLOCATOR_GUARD = UInt32(4)
const SV_ALLOCATOR_NO_HUGE_PAGES = UInt32(8)
# Allocates nbytes bytes, more than 0, at a multiple of alignment, a power of two.
# From @cfunction(f, sv_status, (Ptr{Cvoid}, Int64, Int64, UInt, Ptr{Ptr{Cvoid}},)).
const sv_allocate_callback = Ptr{Cvoid}
# Frees what was allocated with the same nbytes and alignment; stream can be another one.
# From @cfunction(f, sv_status, (Ptr{Cvoid}, Ptr{Cvoid}, Int64, Int64, UInt,)).
const sv_free_callback = Ptr{Cvoid}
const SV_EVENT_ALLOCATED = Int32(1)
const SV_EVENT_FREED = Int32(2)
const SV_EVENT_FAILED = Int32(3)
# Told by a logged allocator.
# From @cfunction(f, Cvoid, (Ptr{Cvoid}, Int32, Ptr{Cvoid}, Int64, UInt,)).
const sv_memory_callback = Ptr{Cvoid}
# Asked when an allocation of nbytes failed with SV_ERROR_MEMORY; attempt counts from 1.
# From @cfunction(f, Int32, (Ptr{Cvoid}, Int64, Int32,)).
const sv_no_memory_callback = Ptr{Cvoid}
# One live block of a tracked allocator; number counts its allocations from 1.
# From @cfunction(f, Int32, (Ptr{Cvoid}, Int64, Ptr{Cvoid}, Int64, UInt,)).
const sv_block_callback = Ptr{Cvoid}

"""
Make an allocator of ordinary host memory, of any alignment. Writes out.
"""
function sv_allocator_host(flags, out)
    @ccall libsv.sv_allocator_host(flags::UInt32, out::Ptr{Ptr{sv_allocator}})::sv_status
end

"""
Make an allocator of page-locked host memory, which CUDA devices use at the address that the host has for it. Writes
out.
"""
function sv_allocator_pinned(out)
    @ccall libsv.sv_allocator_pinned(out::Ptr{Ptr{sv_allocator}})::sv_status
end

"""
Make an allocator of memory of a CUDA device, by cudaMalloc(). Writes out.
"""
function sv_allocator_device(device_id, out)
    @ccall libsv.sv_allocator_device(device_id::Int32, out::Ptr{Ptr{sv_allocator}})::sv_status
end

"""
Make an allocator of managed memory: one address for the host and all CUDA devices, whose pages the driver moves.
Writes out.
"""
function sv_allocator_managed(device_id, out)
    @ccall libsv.sv_allocator_managed(device_id::Int32, out::Ptr{Ptr{sv_allocator}})::sv_status
end

"""
Make an allocator of a new pool of the CUDA driver, whose memory is allocated and freed in the order of a stream.
Writes out.
"""
function sv_allocator_pool(kind, device_id, initial, threshold, most, out)
    @ccall libsv.sv_allocator_pool(
        kind::sv_memory, device_id::Int32, initial::Int64, threshold::Int64, most::Int64, out::Ptr{Ptr{sv_allocator}})::sv_status
end

"""
Make an allocator of a pool that somebody else has made, and ends. Writes out.
"""
function sv_allocator_pool_view(kind, device_id, pool, out)
    @ccall libsv.sv_allocator_pool_view(
        kind::sv_memory, device_id::Int32, pool::UInt, out::Ptr{Ptr{sv_allocator}})::sv_status
end

"""
Make an allocator of two functions, which any thread calls. Writes out. Takes ctx. Optional: release, ctx.
"""
function sv_allocator_callbacks(kind, device_type, device_id, allocate, free, release, ctx, out)
    @ccall libsv.sv_allocator_callbacks(
        kind::sv_memory, device_type::Int32, device_id::Int32, allocate::sv_allocate_callback, free::sv_free_callback,
        release::sv_release_callback, ctx::Ptr{Cvoid}, out::Ptr{Ptr{sv_allocator}})::sv_status
end

"""
Make an allocator that counts what it gets from another one. Writes out. Optional: name.
"""
function sv_allocator_tracked(base, name, flags, out)
    @ccall libsv.sv_allocator_tracked(
        base::Ptr{sv_allocator}, name::Cstring, flags::UInt32, out::Ptr{Ptr{sv_allocator}})::sv_status
end

"""
Make an allocator that lets at most so many bytes of base be in use at a time. Writes out.
"""
function sv_allocator_limited(base, most, out)
    @ccall libsv.sv_allocator_limited(base::Ptr{sv_allocator}, most::Int64, out::Ptr{Ptr{sv_allocator}})::sv_status
end

"""
Make an allocator that keeps the blocks which are freed and gives them out again, without a call of the driver: that
is what makes memory of devices and pinned memory cheap. Writes out.
"""
function sv_allocator_cached(base, threshold, out)
    @ccall libsv.sv_allocator_cached(
        base::Ptr{sv_allocator}, threshold::Int64, out::Ptr{Ptr{sv_allocator}})::sv_status
end

"""
Make an allocator that tells what it does. Writes out. Takes ctx. Optional: release, ctx.
"""
function sv_allocator_logged(base, log, release, ctx, out)
    @ccall libsv.sv_allocator_logged(
        base::Ptr{sv_allocator}, log::sv_memory_callback, release::sv_release_callback, ctx::Ptr{Cvoid},
        out::Ptr{Ptr{sv_allocator}})::sv_status
end

"""
Make an allocator that asks what to do when base has no memory left, and then tries again. Writes out. Takes ctx.
Optional: release, ctx.
"""
function sv_allocator_retrying(base, attempts, ask, release, ctx, out)
    @ccall libsv.sv_allocator_retrying(
        base::Ptr{sv_allocator}, attempts::Int32, ask::sv_no_memory_callback, release::sv_release_callback,
        ctx::Ptr{Cvoid}, out::Ptr{Ptr{sv_allocator}})::sv_status
end

"""
Add a reference. Optional: allocator.
"""
function sv_allocator_retain(allocator)
    @ccall libsv.sv_allocator_retain(allocator::Ptr{sv_allocator})::Ptr{sv_allocator}
end

"""
Drop a reference. Takes allocator. Optional: allocator.
"""
function sv_allocator_release(allocator)
    @ccall libsv.sv_allocator_release(allocator::Ptr{sv_allocator})::Cvoid
end

"""
Kind of its memory.
"""
function sv_allocator_kind(allocator)
    @ccall libsv.sv_allocator_kind(allocator::Ptr{sv_allocator})::sv_memory
end

"""
SV_DEVICE number of its memory.
"""
function sv_allocator_device_type(allocator)
    @ccall libsv.sv_allocator_device_type(allocator::Ptr{sv_allocator})::Int32
end

"""
Ordinal of its device, or 0.
"""
function sv_allocator_device_id(allocator)
    @ccall libsv.sv_allocator_device_id(allocator::Ptr{sv_allocator})::Int32
end

"""
SV_TRAIT bits of its memory: those of the device type, and SV_TRAIT_ORDERED where streams order it.
"""
function sv_allocator_traits(allocator)
    @ccall libsv.sv_allocator_traits(allocator::Ptr{sv_allocator})::UInt32
end

"""
The largest alignment that sv_allocator_allocate() grants.
"""
function sv_allocator_alignment(allocator)
    @ccall libsv.sv_allocator_alignment(allocator::Ptr{sv_allocator})::Int64
end

"""
Name of the nearest tracked allocator that has one, this one or one that it wraps; else of the source.
"""
function sv_allocator_name(allocator)
    @ccall libsv.sv_allocator_name(allocator::Ptr{sv_allocator})::Cstring
end

"""
Allocate raw bytes, for programs that hand an allocator on to others. Writes pointer.
"""
function sv_allocator_allocate(allocator, nbytes, alignment, stream, pointer)
    @ccall libsv.sv_allocator_allocate(
        allocator::Ptr{sv_allocator}, nbytes::Int64, alignment::Int64, stream::UInt, pointer::Ptr{Ptr{Cvoid}})::sv_status
end

"""
Free what sv_allocator_allocate() of the same allocator gave for the same nbytes and alignment. Takes pointer.
Optional: pointer.
"""
function sv_allocator_free(allocator, pointer, nbytes, alignment, stream)
    @ccall libsv.sv_allocator_free(
        allocator::Ptr{sv_allocator}, pointer::Ptr{Cvoid}, nbytes::Int64, alignment::Int64, stream::UInt)::sv_status
end
const SV_STAT_LIVE_BYTES = Int32(0)
const SV_STAT_LIVE_COUNT = Int32(1)
const SV_STAT_PEAK_BYTES = Int32(2)
const SV_STAT_PEAK_COUNT = Int32(3)
const SV_STAT_TOTAL_BYTES = Int32(4)
const SV_STAT_TOTAL_COUNT = Int32(5)
const SV_STAT_FAILED_COUNT = Int32(6)
const SV_STAT_DEFERRED_BYTES = Int32(7)
const SV_STAT_DEFERRED_COUNT = Int32(8)
const SV_STAT_LOST_BYTES = Int32(9)
const SV_STAT_LOST_COUNT = Int32(10)
const SV_STAT_CACHED_BYTES = Int32(11)
const SV_STAT_CACHED_COUNT = Int32(12)

"""
Ask the nearest tracked allocator, this one or one that it wraps, for an SV_STAT number; for one of CACHED, the
nearest that keeps blocks. Writes value.
"""
function sv_allocator_stats(allocator, stat, value)
    @ccall libsv.sv_allocator_stats(allocator::Ptr{sv_allocator}, stat::Int32, value::Ptr{Int64})::sv_status
end

"""
Begin both peaks anew with what is in use now; SV_ERROR_STATE as for sv_allocator_stats().
"""
function sv_allocator_reset_peaks(allocator)
    @ccall libsv.sv_allocator_reset_peaks(allocator::Ptr{sv_allocator})::sv_status
end

"""
Call visit for each live block of the nearest allocator with SV_ALLOCATOR_BLOCKS (SV_ERROR_STATE if there is none).
Optional: ctx.
"""
function sv_allocator_visit(allocator, visit, ctx)
    @ccall libsv.sv_allocator_visit(
        allocator::Ptr{sv_allocator}, visit::sv_block_callback, ctx::Ptr{Cvoid})::sv_status
end
# The function of a memory handler of NVIDIA's libraries that allocates memory of a device; 0 is success.
# From @cfunction(f, Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Csize_t, Ptr{Cvoid},)).
const sv_handler_allocate_callback = Ptr{Cvoid}
# The one that frees.
# From @cfunction(f, Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t, Ptr{Cvoid},)).
const sv_handler_free_callback = Ptr{Cvoid}

"""
Make an allocator of the memory handler of a CUDA device. Writes out. Takes ctx. Optional: release, ctx.
"""
function sv_allocator_from_handler(device_id, allocate, free, release, ctx, out)
    @ccall libsv.sv_allocator_from_handler(
        device_id::Int32, allocate::sv_handler_allocate_callback, free::sv_handler_free_callback,
        release::sv_release_callback, ctx::Ptr{Cvoid}, out::Ptr{Ptr{sv_allocator}})::sv_status
end

"""
device_alloc of a memory handler whose context is an allocator: with it these libraries allocate from libsv. Writes
pointer. Optional: stream.
"""
function sv_handler_allocate_from(allocator, pointer, nbytes, stream)
    @ccall libsv.sv_handler_allocate_from(
        allocator::Ptr{Cvoid}, pointer::Ptr{Ptr{Cvoid}}, nbytes::Csize_t, stream::Ptr{Cvoid})::sv_status
end

"""
device_free of such a handler. Optional: pointer, stream.
"""
function sv_handler_free_to(allocator, pointer, nbytes, stream)
    @ccall libsv.sv_handler_free_to(
        allocator::Ptr{Cvoid}, pointer::Ptr{Cvoid}, nbytes::Csize_t, stream::Ptr{Cvoid})::sv_status
end
# The function that allocates for PyTorch's CUDAPluggableAllocator; NULL: it failed.
# From @cfunction(f, Ptr{Cvoid}, (Int64, Int32, Ptr{Cvoid},)).
const sv_torch_allocate_callback = Ptr{Cvoid}
# The one that frees.
# From @cfunction(f, Cvoid, (Ptr{Cvoid}, Int64, Int32, Ptr{Cvoid},)).
const sv_torch_free_callback = Ptr{Cvoid}

"""
Make an allocator of two functions that were written for PyTorch's CUDAPluggableAllocator. Writes out.
"""
function sv_allocator_from_torch(device_id, allocate, free, out)
    @ccall libsv.sv_allocator_from_torch(
        device_id::Int32, allocate::sv_torch_allocate_callback, free::sv_torch_free_callback,
        out::Ptr{Ptr{sv_allocator}})::sv_status
end

"""
Say from which allocator sv_torch_allocate() takes the memory of a device; NULL means none again. Optional: allocator.
"""
function sv_torch_use(device_id, allocator)
    @ccall libsv.sv_torch_use(device_id::Int32, allocator::Ptr{sv_allocator})::sv_status
end

"""
Allocate for PyTorch, from the allocator of sv_torch_use(). Optional: stream.
"""
function sv_torch_allocate(nbytes, device, stream)
    @ccall libsv.sv_torch_allocate(nbytes::Int64, device::Int32, stream::Ptr{Cvoid})::Ptr{Cvoid}
end

"""
Free what sv_torch_allocate() gave. Optional: pointer, stream.
"""
function sv_torch_free(pointer, nbytes, device, stream)
    @ccall libsv.sv_torch_free(pointer::Ptr{Cvoid}, nbytes::Int64, device::Int32, stream::Ptr{Cvoid})::Cvoid
end

# buffer

# Bytes with an owner: one allocation of any kind of memory.
mutable struct sv_buffer end
const SV_BUFFER_ZERO = UInt32(2)
const SV_BUFFER_DISCARD = UInt32(4)
const SV_BUFFER_BORROWED = UInt32(8)
const SV_BUFFER_TRUST = UInt32(16)
const SV_BUFFER_STRICT = UInt32(32)

"""
Allocate memory. Writes out. Optional: allocator.
"""
function sv_buffer_new(allocator, nbytes, alignment, flags, stream, out)
    @ccall libsv.sv_buffer_new(
        allocator::Ptr{sv_allocator}, nbytes::Int64, alignment::Int64, flags::UInt32, stream::UInt,
        out::Ptr{Ptr{sv_buffer}})::sv_status
end

"""
Make a buffer of memory that somebody else allocated. Writes out. Takes pointer, ctx. Optional: pointer, free, ctx.
"""
function sv_buffer_adopt(pointer, nbytes, kind, device_type, device_id, flags, stream, free, ctx, out)
    @ccall libsv.sv_buffer_adopt(
        pointer::Ptr{Cvoid}, nbytes::Int64, kind::sv_memory, device_type::Int32, device_id::Int32, flags::UInt32,
        stream::UInt, free::sv_free_callback, ctx::Ptr{Cvoid}, out::Ptr{Ptr{sv_buffer}})::sv_status
end

"""
Page-lock host memory that somebody else allocated, so that CUDA devices use it and copies to them are fast. Writes
out. Takes ctx. Optional: pages, release, ctx.
"""
function sv_buffer_register(pages, nbytes, flags, release, ctx, out)
    @ccall libsv.sv_buffer_register(
        pages::Ptr{Cvoid}, nbytes::Int64, flags::UInt32, release::sv_release_callback, ctx::Ptr{Cvoid},
        out::Ptr{Ptr{sv_buffer}})::sv_status
end

"""
Make a buffer of a part of another one, without copying; SV_ERROR_RANGE if the part does not lie within it. Writes
out.
"""
function sv_buffer_slice(buffer, offset, nbytes, flags, out)
    @ccall libsv.sv_buffer_slice(
        buffer::Ptr{sv_buffer}, offset::Int64, nbytes::Int64, flags::UInt32, out::Ptr{Ptr{sv_buffer}})::sv_status
end

"""
Add a reference. Optional: buffer.
"""
function sv_buffer_retain(buffer)
    @ccall libsv.sv_buffer_retain(buffer::Ptr{sv_buffer})::Ptr{sv_buffer}
end

"""
Drop a reference. Takes buffer. Optional: buffer.
"""
function sv_buffer_release(buffer)
    @ccall libsv.sv_buffer_release(buffer::Ptr{sv_buffer})::Cvoid
end

"""
Drop a reference where nothing may be called: in finalisers. Takes buffer. Optional: buffer.
"""
function sv_buffer_release_later(buffer)
    @ccall libsv.sv_buffer_release_later(buffer::Ptr{sv_buffer})::Cvoid
end

"""
Take the memory out of libsv's hands. Writes pointer, nbytes, alignment, stream, free, ctx.
"""
function sv_buffer_detach(buffer, pointer, nbytes, alignment, stream, free, ctx)
    @ccall libsv.sv_buffer_detach(
        buffer::Ptr{sv_buffer}, pointer::Ptr{Ptr{Cvoid}}, nbytes::Ptr{Int64}, alignment::Ptr{Int64},
        stream::Ptr{UInt}, free::Ptr{sv_free_callback}, ctx::Ptr{Ptr{Cvoid}})::sv_status
end

"""
Free the memory now, whoever holds references: they see a closed buffer.
"""
function sv_buffer_close(buffer, stream)
    @ccall libsv.sv_buffer_close(buffer::Ptr{sv_buffer}, stream::UInt)::sv_status
end

"""
Address of the first byte, where its device uses it; that of host memory is the host's.
"""
function sv_buffer_data(buffer)
    @ccall libsv.sv_buffer_data(buffer::Ptr{sv_buffer})::Ptr{Cvoid}
end

"""
Address of the first byte for the host; NULL where the host cannot touch it.
"""
function sv_buffer_host_data(buffer)
    @ccall libsv.sv_buffer_host_data(buffer::Ptr{sv_buffer})::Ptr{Cvoid}
end

"""
Size in bytes.
"""
function sv_buffer_nbytes(buffer)
    @ccall libsv.sv_buffer_nbytes(buffer::Ptr{sv_buffer})::Int64
end

"""
Bytes that the memory has room for.
"""
function sv_buffer_capacity(buffer)
    @ccall libsv.sv_buffer_capacity(buffer::Ptr{sv_buffer})::Int64
end

"""
The alignment that the address has, and keeps when the memory moves: the one that was asked for.
"""
function sv_buffer_alignment(buffer)
    @ccall libsv.sv_buffer_alignment(buffer::Ptr{sv_buffer})::Int64
end

"""
Kind of the memory.
"""
function sv_buffer_kind(buffer)
    @ccall libsv.sv_buffer_kind(buffer::Ptr{sv_buffer})::sv_memory
end

"""
SV_TRAIT bits of the memory.
"""
function sv_buffer_traits(buffer)
    @ccall libsv.sv_buffer_traits(buffer::Ptr{sv_buffer})::UInt32
end

"""
SV_DEVICE number of the memory.
"""
function sv_buffer_device_type(buffer)
    @ccall libsv.sv_buffer_device_type(buffer::Ptr{sv_buffer})::Int32
end

"""
Ordinal of the device, 0 for host memory.
"""
function sv_buffer_device_id(buffer)
    @ccall libsv.sv_buffer_device_id(buffer::Ptr{sv_buffer})::Int32
end

"""
The stream that the memory is freed on; 1 where that is another thread's default stream.
"""
function sv_buffer_stream(buffer)
    @ccall libsv.sv_buffer_stream(buffer::Ptr{sv_buffer})::UInt
end

"""
The allocator that the memory came from; NULL for adopted memory, and while another thread moves it.
"""
function sv_buffer_allocator(buffer)
    @ccall libsv.sv_buffer_allocator(buffer::Ptr{sv_buffer})::Ptr{sv_allocator}
end

"""
The buffer that has the memory of a slice; NULL of others.
"""
function sv_buffer_parent(buffer)
    @ccall libsv.sv_buffer_parent(buffer::Ptr{sv_buffer})::Ptr{sv_buffer}
end

"""
How many views, slices and other exports point into the memory; those of a slice count at the slice.
"""
function sv_buffer_exports(buffer)
    @ccall libsv.sv_buffer_exports(buffer::Ptr{sv_buffer})::Int64
end

"""
How many references there are, those of exports among them.
"""
function sv_buffer_references(buffer)
    @ccall libsv.sv_buffer_references(buffer::Ptr{sv_buffer})::Int64
end

"""
Whether the buffer has lost its memory by sv_buffer_close() or sv_buffer_detach().
"""
function sv_buffer_is_closed(buffer)
    @ccall libsv.sv_buffer_is_closed(buffer::Ptr{sv_buffer})::Int32
end

"""
The ctx of memory that was adopted with this free; with NULL, of any that was adopted. Optional: free.
"""
function sv_buffer_context(buffer, free)
    @ccall libsv.sv_buffer_context(buffer::Ptr{sv_buffer}, free::sv_free_callback)::Ptr{Cvoid}
end

"""
Keep the memory in place for somebody who uses its address, and the buffer alive, until sv_buffer_end_export().
"""
function sv_buffer_begin_export(buffer)
    @ccall libsv.sv_buffer_begin_export(buffer::Ptr{sv_buffer})::sv_status
end

"""
End what sv_buffer_begin_export() began.
"""
function sv_buffer_end_export(buffer)
    @ccall libsv.sv_buffer_end_export(buffer::Ptr{sv_buffer})::Cvoid
end

"""
Copy bytes to host memory, where they have arrived on return.
"""
function sv_buffer_read(buffer, offset, dst, nbytes, flags, stream)
    @ccall libsv.sv_buffer_read(
        buffer::Ptr{sv_buffer}, offset::Int64, dst::Ptr{Cvoid}, nbytes::Int64, flags::UInt32, stream::UInt)::sv_status
end

"""
Copy bytes from host memory, which is free for other use on return; else as sv_buffer_read().
"""
function sv_buffer_write(buffer, offset, src, nbytes, flags, stream)
    @ccall libsv.sv_buffer_write(
        buffer::Ptr{sv_buffer}, offset::Int64, src::Ptr{Cvoid}, nbytes::Int64, flags::UInt32, stream::UInt)::sv_status
end

"""
Copy bytes between two buffers of any kinds of memory, or within one; else as sv_buffer_write().
"""
function sv_buffer_copy(dst, dst_offset, src, src_offset, nbytes, flags, stream)
    @ccall libsv.sv_buffer_copy(
        dst::Ptr{sv_buffer}, dst_offset::Int64, src::Ptr{sv_buffer}, src_offset::Int64, nbytes::Int64, flags::UInt32,
        stream::UInt)::sv_status
end

"""
Write one item again and again; else as sv_buffer_write().
"""
function sv_buffer_fill(buffer, offset, nbytes, item, itemsize, flags, stream)
    @ccall libsv.sv_buffer_fill(
        buffer::Ptr{sv_buffer}, offset::Int64, nbytes::Int64, item::Ptr{Cvoid}, itemsize::Int64, flags::UInt32,
        stream::UInt)::sv_status
end

"""
Change the size.
"""
function sv_buffer_resize(buffer, nbytes, flags, stream)
    @ccall libsv.sv_buffer_resize(buffer::Ptr{sv_buffer}, nbytes::Int64, flags::UInt32, stream::UInt)::sv_status
end

"""
Get memory for a larger size before it is needed; else as sv_buffer_resize().
"""
function sv_buffer_reserve(buffer, capacity, stream)
    @ccall libsv.sv_buffer_reserve(buffer::Ptr{sv_buffer}, capacity::Int64, stream::UInt)::sv_status
end

"""
Give back what the size does not need: the buffer moves to memory of exactly its size; else as sv_buffer_resize().
"""
function sv_buffer_shrink(buffer, stream)
    @ccall libsv.sv_buffer_shrink(buffer::Ptr{sv_buffer}, stream::UInt)::sv_status
end

"""
Move the bytes to another kind of memory, or another device; else as sv_buffer_resize(). Optional: allocator.
"""
function sv_buffer_migrate(buffer, allocator, flags, stream)
    @ccall libsv.sv_buffer_migrate(
        buffer::Ptr{sv_buffer}, allocator::Ptr{sv_allocator}, flags::UInt32, stream::UInt)::sv_status
end

"""
Name another stream that the memory is freed on.
"""
function sv_buffer_set_stream(buffer, stream)
    @ccall libsv.sv_buffer_set_stream(buffer::Ptr{sv_buffer}, stream::UInt)::sv_status
end

"""
Tell that work which has been put on a stream uses the memory.
"""
function sv_buffer_record_use(buffer, stream)
    @ccall libsv.sv_buffer_record_use(buffer::Ptr{sv_buffer}, stream::UInt)::sv_status
end

"""
Move memory to where it will be used, in the order of a stream.
"""
function sv_buffer_prefetch(count, buffers, device_type, device_id, flags, stream)
    @ccall libsv.sv_buffer_prefetch(
        count::Int64, buffers::Ptr{Ptr{sv_buffer}}, device_type::Int32, device_id::Int32, flags::UInt32, stream::UInt)::sv_status
end

"""
Say that the contents are not needed any more, in the order of a stream; else as sv_buffer_prefetch().
"""
function sv_buffer_discard(count, buffers, device_type, device_id, flags, stream)
    @ccall libsv.sv_buffer_discard(
        count::Int64, buffers::Ptr{Ptr{sv_buffer}}, device_type::Int32, device_id::Int32, flags::UInt32, stream::UInt)::sv_status
end

"""
Tell the driver how memory will be used, by an SV_ADVICE number.
"""
function sv_buffer_advise(count, buffers, advice, device_type, device_id, flags)
    @ccall libsv.sv_buffer_advise(
        count::Int64, buffers::Ptr{Ptr{sv_buffer}}, advice::Int32, device_type::Int32, device_id::Int32, flags::UInt32)::sv_status
end
const SV_IPC_NBYTES = Int32(160)

"""
Describe device memory for another process of this machine, in SV_IPC_NBYTES bytes that can be sent by any way. Writes
blob, length. Optional: blob, length.
"""
function sv_buffer_export_ipc(buffer, capacity, blob, length)
    @ccall libsv.sv_buffer_export_ipc(
        buffer::Ptr{sv_buffer}, capacity::Csize_t, blob::Ptr{Cvoid}, length::Ptr{Csize_t})::sv_status
end

"""
Open device memory of another process. Writes out.
"""
function sv_buffer_import_ipc(blob, length, flags, out)
    @ccall libsv.sv_buffer_import_ipc(
        blob::Ptr{Cvoid}, length::Csize_t, flags::UInt32, out::Ptr{Ptr{sv_buffer}})::sv_status
end
const SV_COLLECT_WAIT = UInt32(1)

"""
Free the memory whose free had to wait when its buffer was released. Writes left. Optional: left.
"""
function sv_memory_collect(flags, left)
    @ccall libsv.sv_memory_collect(flags::UInt32, left::Ptr{Int64})::sv_status
end

"""
How much memory buffers own: what was allocated for them, and what they adopted with a function that frees it. Writes
value.
"""
function sv_memory_stats(kind, stat, value)
    @ccall libsv.sv_memory_stats(kind::sv_memory, stat::Int32, value::Ptr{Int64})::sv_status
end

# view

# Memory of somebody else, read through a layout.
mutable struct sv_view end
mutable struct DLManagedTensorVersioned end
mutable struct DLManagedTensor end
const SV_READ_ONLY = UInt32(1)
const SV_IS_COPIED = UInt32(2)

"""
View an array in host memory that the caller keeps alive. Writes out. Optional: byte_strides, pointer.
"""
function sv_view_from_host(dtype, ndim, shape, byte_strides, pointer, flags, out)
    @ccall libsv.sv_view_from_host(
        dtype::sv_dtype, ndim::Int32, shape::Ptr{Int64}, byte_strides::Ptr{Int64}, pointer::Ptr{Cvoid}, flags::UInt32,
        out::Ptr{Ptr{sv_view}})::sv_status
end

"""
View host memory that the caller keeps alive, through a layout and within a size. Writes out. Optional: pointer.
"""
function sv_view_from_pointer(layout, dtype, pointer, nbytes, flags, out)
    @ccall libsv.sv_view_from_pointer(
        layout::Ptr{sv_layout}, dtype::sv_dtype, pointer::Ptr{Cvoid}, nbytes::Int64, flags::UInt32,
        out::Ptr{Ptr{sv_view}})::sv_status
end

"""
View memory of any device, with an owner, through a layout: the general form of sv_view_from_pointer(). Writes out.
Takes ctx. Optional: base, release, ctx.
"""
function sv_view_new(layout, dtype, base, lower, upper, device_type, device_id, flags, release, ctx, out)
    @ccall libsv.sv_view_new(
        layout::Ptr{sv_layout}, dtype::sv_dtype, base::Ptr{Cvoid}, lower::Int64, upper::Int64, device_type::Int32,
        device_id::Int32, flags::UInt32, release::sv_release_callback, ctx::Ptr{Cvoid}, out::Ptr{Ptr{sv_view}})::sv_status
end

"""
View an array of any device, with an owner: the general form of sv_view_from_host(). Writes out. Takes ctx. Optional:
byte_strides, pointer, release, ctx.
"""
function sv_view_from_array(dtype, ndim, shape, byte_strides, pointer, device_type, device_id, flags, release, ctx, out)
    @ccall libsv.sv_view_from_array(
        dtype::sv_dtype, ndim::Int32, shape::Ptr{Int64}, byte_strides::Ptr{Int64}, pointer::Ptr{Cvoid},
        device_type::Int32, device_id::Int32, flags::UInt32, release::sv_release_callback, ctx::Ptr{Cvoid},
        out::Ptr{Ptr{sv_view}})::sv_status
end

"""
View the bytes of a buffer through a layout. Writes out. Optional: layout.
"""
function sv_view_from_buffer(buffer, layout, dtype, offset, flags, out)
    @ccall libsv.sv_view_from_buffer(
        buffer::Ptr{sv_buffer}, layout::Ptr{sv_layout}, dtype::sv_dtype, offset::Int64, flags::UInt32,
        out::Ptr{Ptr{sv_view}})::sv_status
end

"""
View a DLPack tensor of major version 1. Writes out. Takes tensor.
"""
function sv_view_from_dlpack(tensor, flags, out)
    @ccall libsv.sv_view_from_dlpack(
        tensor::Ptr{DLManagedTensorVersioned}, flags::UInt32, out::Ptr{Ptr{sv_view}})::sv_status
end

"""
View a DLPack tensor of the old form, which has no version and no flags; else as sv_view_from_dlpack(). Writes out.
Takes tensor.
"""
function sv_view_from_dlpack_unversioned(tensor, flags, out)
    @ccall libsv.sv_view_from_dlpack_unversioned(
        tensor::Ptr{DLManagedTensor}, flags::UInt32, out::Ptr{Ptr{sv_view}})::sv_status
end

"""
View what a bare DLTensor describes, which does not own its memory; else as sv_view_from_dlpack(). Writes out. Takes
ctx. Optional: release, ctx.
"""
function sv_view_from_dltensor(tensor, flags, release, ctx, out)
    @ccall libsv.sv_view_from_dltensor(
        tensor::Ptr{Cvoid}, flags::UInt32, release::sv_release_callback, ctx::Ptr{Cvoid}, out::Ptr{Ptr{sv_view}})::sv_status
end

"""
View host memory as a Py_buffer or its like describes it (PEP 3118). Writes out. Takes ctx. Optional: format, shape,
byte_strides, pointer, release, ctx.
"""
function sv_view_from_pep3118(format, itemsize, ndim, shape, byte_strides, pointer, nbytes, flags, release, ctx, out)
    @ccall libsv.sv_view_from_pep3118(
        format::Cstring, itemsize::Int64, ndim::Int32, shape::Ptr{Int64}, byte_strides::Ptr{Int64},
        pointer::Ptr{Cvoid}, nbytes::Int64, flags::UInt32, release::sv_release_callback, ctx::Ptr{Cvoid},
        out::Ptr{Ptr{sv_view}})::sv_status
end

"""
View memory as the fields of __array_interface__ or of __cuda_array_interface__ (version 3) describe it. Writes out.
Takes ctx. Optional: byte_strides, pointer, release, ctx.
"""
function sv_view_from_array_interface(typestr, ndim, shape, byte_strides, pointer, device_type, device_id, flags, release, ctx, out)
    @ccall libsv.sv_view_from_array_interface(
        typestr::Cstring, ndim::Int32, shape::Ptr{Int64}, byte_strides::Ptr{Int64}, pointer::Ptr{Cvoid},
        device_type::Int32, device_id::Int32, flags::UInt32, release::sv_release_callback, ctx::Ptr{Cvoid},
        out::Ptr{Ptr{sv_view}})::sv_status
end

"""
Read the same memory, from the same base, through another layout of the same item size. Writes out.
"""
function sv_view_with_layout(view, layout, out)
    @ccall libsv.sv_view_with_layout(view::Ptr{sv_view}, layout::Ptr{sv_layout}, out::Ptr{Ptr{sv_view}})::sv_status
end

"""
Read the same memory, from the same base, through what a builder holds; SV_ERROR_STATE if it was not started. Writes
out.
"""
function sv_view_with_builder(view, builder, out)
    @ccall libsv.sv_view_with_builder(
        view::Ptr{sv_view}, builder::Ptr{sv_layout_builder}, out::Ptr{Ptr{sv_view}})::sv_status
end

"""
The sv_layout operation of the same name, on a view: the same memory, rearranged. Writes out. Optional: axes.
"""
function sv_view_permute(view, ndim, axes, out)
    @ccall libsv.sv_view_permute(view::Ptr{sv_view}, ndim::Int32, axes::Ptr{Int32}, out::Ptr{Ptr{sv_view}})::sv_status
end

"""
The sv_layout operation of the same name, on a view: the same memory, rearranged. Writes out. Optional: step.
"""
function sv_view_slice(view, count, start, stop, step, out)
    @ccall libsv.sv_view_slice(
        view::Ptr{sv_view}, count::Int32, start::Ptr{Int64}, stop::Ptr{Int64}, step::Ptr{Int64},
        out::Ptr{Ptr{sv_view}})::sv_status
end

"""
The sv_layout operation of the same name, on a view: the same memory, rearranged. Writes out.
"""
function sv_view_index(view, axis, index, out)
    @ccall libsv.sv_view_index(view::Ptr{sv_view}, axis::Int32, index::Int64, out::Ptr{Ptr{sv_view}})::sv_status
end

"""
The sv_layout operation of the same name, on a view: the same memory, rearranged. Writes out.
"""
function sv_view_reshape(view, ndim, shape, out)
    @ccall libsv.sv_view_reshape(
        view::Ptr{sv_view}, ndim::Int32, shape::Ptr{Int64}, out::Ptr{Ptr{sv_view}})::sv_status
end

"""
The sv_layout operation of the same name, on a view: the same memory, rearranged. Writes out.
"""
function sv_view_broadcast(view, ndim, shape, out)
    @ccall libsv.sv_view_broadcast(
        view::Ptr{sv_view}, ndim::Int32, shape::Ptr{Int64}, out::Ptr{Ptr{sv_view}})::sv_status
end

"""
Read the same elements as another type of the same size (else SV_ERROR_DTYPE). Writes out.
"""
function sv_view_with_dtype(view, dtype, out)
    @ccall libsv.sv_view_with_dtype(view::Ptr{sv_view}, dtype::sv_dtype, out::Ptr{Ptr{sv_view}})::sv_status
end

"""
The same view, through which nothing can be written. Writes out.
"""
function sv_view_as_readonly(view, out)
    @ccall libsv.sv_view_as_readonly(view::Ptr{sv_view}, out::Ptr{Ptr{sv_view}})::sv_status
end

"""
Add a reference. Optional: view.
"""
function sv_view_retain(view)
    @ccall libsv.sv_view_retain(view::Ptr{sv_view})::Ptr{sv_view}
end

"""
Drop a reference. Takes view. Optional: view.
"""
function sv_view_release(view)
    @ccall libsv.sv_view_release(view::Ptr{sv_view})::Cvoid
end

"""
Address of the element with all indices 0; NULL of an empty view.
"""
function sv_view_data(view)
    @ccall libsv.sv_view_data(view::Ptr{sv_view})::Ptr{Cvoid}
end

"""
The layout.
"""
function sv_view_layout(view)
    @ccall libsv.sv_view_layout(view::Ptr{sv_view})::Ptr{sv_layout}
end

"""
Element type.
"""
function sv_view_dtype(view)
    @ccall libsv.sv_view_dtype(view::Ptr{sv_view})::sv_dtype
end

"""
SV_DEVICE number of the memory.
"""
function sv_view_device_type(view)
    @ccall libsv.sv_view_device_type(view::Ptr{sv_view})::Int32
end

"""
Ordinal of the device.
"""
function sv_view_device_id(view)
    @ccall libsv.sv_view_device_id(view::Ptr{sv_view})::Int32
end

"""
Whether writing through the view is refused.
"""
function sv_view_is_readonly(view)
    @ccall libsv.sv_view_is_readonly(view::Ptr{sv_view})::Int32
end

"""
The bytes that may be touched, relative to the base: [lower, upper), with the unknown limits of sv_view_new(). Writes
lower, upper.
"""
function sv_view_bounds(view, lower, upper)
    @ccall libsv.sv_view_bounds(view::Ptr{sv_view}, lower::Ptr{Int64}, upper::Ptr{Int64})::sv_status
end

"""
Number of references that keep the memory of a view.
"""
function sv_view_references(view)
    @ccall libsv.sv_view_references(view::Ptr{sv_view})::Int64
end

"""
The ctx that the memory of a view, or of the view that it was made from, is let go with, if by this release. Optional:
release.
"""
function sv_view_context(view, release)
    @ccall libsv.sv_view_context(view::Ptr{sv_view}, release::sv_release_callback)::Ptr{Cvoid}
end

"""
The buffer that a view, or the view it was made from, was made of; NULL when there is none.
"""
function sv_view_buffer(view)
    @ccall libsv.sv_view_buffer(view::Ptr{sv_view})::Ptr{sv_buffer}
end

"""
Whether elements of two views share a byte; those of an empty view do not. Writes answer.
"""
function sv_view_overlap(view, other, work, answer)
    @ccall libsv.sv_view_overlap(
        view::Ptr{sv_view}, other::Ptr{sv_view}, work::Int64, answer::Ptr{sv_answer})::sv_status
end

"""
Look at a view as a standard DLPack structure, for typed access.
"""
function sv_view_borrow(view)
    @ccall libsv.sv_view_borrow(view::Ptr{sv_view})::Ptr{DLManagedTensorVersioned}
end
const SV_KERNEL_WRITES = Int32(1)
const SV_KERNEL_HOST = Int32(2)

"""
Describe a view for a kernel, as a plain block that is passed by value: Writes block.
"""
function sv_view_kernel_arg(view, ndim, itemsize, flags, capacity, block)
    @ccall libsv.sv_view_kernel_arg(
        view::Ptr{sv_view}, ndim::Int32, itemsize::Int64, flags::UInt32, capacity::Csize_t, block::Ptr{Cvoid})::sv_status
end

"""
Hand a view on as a DLPack tensor, version 1.3, which keeps the memory alive. Writes out.
"""
function sv_view_to_dlpack(view, flags, out)
    @ccall libsv.sv_view_to_dlpack(
        view::Ptr{sv_view}, flags::UInt32, out::Ptr{Ptr{DLManagedTensorVersioned}})::sv_status
end

"""
Hand a view on as a DLPack tensor of the old form; else as sv_view_to_dlpack(). Writes out.
"""
function sv_view_to_dlpack_unversioned(view, out)
    @ccall libsv.sv_view_to_dlpack_unversioned(view::Ptr{sv_view}, out::Ptr{Ptr{DLManagedTensor}})::sv_status
end

# empty


"""
Make a new array: dense, in C order, in memory of its own. Writes out. Optional: allocator.
"""
function sv_empty(allocator, dtype, ndim, shape, flags, stream, out)
    @ccall libsv.sv_empty(
        allocator::Ptr{sv_allocator}, dtype::sv_dtype, ndim::Int32, shape::Ptr{Int64}, flags::UInt32, stream::UInt,
        out::Ptr{Ptr{sv_view}})::sv_status
end

"""
Make a new array of a given layout, of any strides, in memory of exactly the bytes that its elements reach. Writes
out. Optional: allocator.
"""
function sv_empty_layout(allocator, layout, dtype, flags, stream, out)
    @ccall libsv.sv_empty_layout(
        allocator::Ptr{sv_allocator}, layout::Ptr{sv_layout}, dtype::sv_dtype, flags::UInt32, stream::UInt,
        out::Ptr{Ptr{sv_view}})::sv_status
end

"""
Make a new dense array of the shape and element type of another one: \"a tensor like this one, on the device\". Writes
out. Optional: allocator.
"""
function sv_empty_like(allocator, view, order, flags, stream, out)
    @ccall libsv.sv_empty_like(
        allocator::Ptr{sv_allocator}, view::Ptr{sv_view}, order::sv_order, flags::UInt32, stream::UInt,
        out::Ptr{Ptr{sv_view}})::sv_status
end

# copy

const SV_COPY_NO_TEMP = UInt32(1)
const SV_COPY_TRUST = UInt32(2)
const SV_COPY_BLOCKING = UInt32(4)
const SV_COPY_CAST = UInt32(8)
const SV_COPY_CAST_UNSAFE = UInt32(16)
const SV_COPY_SWAP = UInt32(32)
const SV_COPY_NO_WAIT = UInt32(64)
const SV_COPY_NON_TEMPORAL = UInt32(128)

"""
Copy every element of src to the place with the same index in dst.
"""
function sv_copy(dst, src, flags, stream)
    @ccall libsv.sv_copy(dst::Ptr{sv_view}, src::Ptr{sv_view}, flags::UInt32, stream::UInt)::sv_status
end

"""
sv_copy() with memory of the caller's for what it needs on a device. Optional: scratch.
"""
function sv_copy_with(dst, src, scratch, flags, stream)
    @ccall libsv.sv_copy_with(
        dst::Ptr{sv_view}, src::Ptr{sv_view}, scratch::Ptr{sv_allocator}, flags::UInt32, stream::UInt)::sv_status
end

"""
Copy and convert in one pass, with a scale and a bias: every element of dst becomes src * scale + bias. Optional:
scale, bias.
"""
function sv_copy_scaled(dst, src, scale, nscale, bias, nbias, axis, flags, stream)
    @ccall libsv.sv_copy_scaled(
        dst::Ptr{sv_view}, src::Ptr{sv_view}, scale::Ptr{Float64}, nscale::Int64, bias::Ptr{Float64}, nbias::Int64,
        axis::Int32, flags::UInt32, stream::UInt)::sv_status
end

"""
Many scaled copies: sv_copy_scaled(dst[i], src[i], ...) for each i, all with the same scale, bias and axis, as
sv_copy_batch() does many copies. Optional: scale, bias, failed.
"""
function sv_copy_scaled_batch(count, dst, src, scale, nscale, bias, nbias, axis, flags, stream, failed)
    @ccall libsv.sv_copy_scaled_batch(
        count::Int64, dst::Ptr{Ptr{sv_view}}, src::Ptr{Ptr{sv_view}}, scale::Ptr{Float64}, nscale::Int64,
        bias::Ptr{Float64}, nbias::Int64, axis::Int32, flags::UInt32, stream::UInt, failed::Ptr{Int64})::sv_status
end

"""
Write one item to every element of dst, whatever its layout.
"""
function sv_fill(dst, item, itemsize, flags, stream)
    @ccall libsv.sv_fill(dst::Ptr{sv_view}, item::Ptr{Cvoid}, itemsize::Int64, flags::UInt32, stream::UInt)::sv_status
end

"""
Many copies: sv_copy(dst[i], src[i], flags, stream) for each i, with less overhead for each. Optional: failed.
"""
function sv_copy_batch(count, dst, src, flags, stream, failed)
    @ccall libsv.sv_copy_batch(
        count::Int64, dst::Ptr{Ptr{sv_view}}, src::Ptr{Ptr{sv_view}}, flags::UInt32, stream::UInt, failed::Ptr{Int64})::sv_status
end

"""
Copy arrays beside each other into one: src[0] to the first places along an axis of dst, src[1] to those behind them,
and so on. Optional: failed.
"""
function sv_copy_stack(dst, axis, count, src, flags, stream, failed)
    @ccall libsv.sv_copy_stack(
        dst::Ptr{sv_view}, axis::Int32, count::Int64, src::Ptr{Ptr{sv_view}}, flags::UInt32, stream::UInt,
        failed::Ptr{Int64})::sv_status
end
const SV_WAITS_NOTHING = Int32(0)
const SV_WAITS_RING = Int32(1)
const SV_WAITS_STREAM = Int32(2)
const SV_WAITS_DEVICES = Int32(3)
const SV_DONE_NOTHING = Int32(0)
const SV_DONE_READING = Int32(1)
const SV_DONE_ALL = Int32(2)
const SV_METHOD_NOTHING = Int32(0)
const SV_METHOD_DIRECT = Int32(1)
const SV_METHOD_RING = Int32(2)
const SV_METHOD_IN_PLACE = Int32(3)
const SV_METHOD_TEMPORARY = Int32(4)
const SV_METHOD_HOST_TEMPORARY = Int32(5)
const SV_METHOD_TASKS = Int32(6)

"""
Tell how sv_copy(dst, src, flags, stream) would be done: by whom, in which order with the work on streams, and what
the call waits for. Writes by, device_type, device_id, waits, done, method. Optional: by, device_type, device_id,
waits, done, method.
"""
function sv_copy_placement(dst, src, flags, stream, by, device_type, device_id, waits, done, method)
    @ccall libsv.sv_copy_placement(
        dst::Ptr{sv_view}, src::Ptr{sv_view}, flags::UInt32, stream::UInt, by::Ptr{Int32}, device_type::Ptr{Int32},
        device_id::Ptr{Int32}, waits::Ptr{Int32}, done::Ptr{Int32}, method::Ptr{Int32})::sv_status
end

# plan

# What sv_copy() decides before it moves a byte: which elements go where, and by which kernel.
mutable struct sv_plan end

"""
Plan the copy that sv_copy(dst, src, flags, ...) would do. Writes out.
"""
function sv_plan_new(dst, src, flags, out)
    @ccall libsv.sv_plan_new(dst::Ptr{sv_view}, src::Ptr{sv_view}, flags::UInt32, out::Ptr{Ptr{sv_plan}})::sv_status
end

"""
Plan the copy that sv_copy_scaled(dst, src, scale, nscale, bias, nbias, axis, flags, ...) would do. Writes out.
Optional: scale, bias.
"""
function sv_plan_new_scaled(dst, src, scale, nscale, bias, nbias, axis, flags, out)
    @ccall libsv.sv_plan_new_scaled(
        dst::Ptr{sv_view}, src::Ptr{sv_view}, scale::Ptr{Float64}, nscale::Int64, bias::Ptr{Float64}, nbias::Int64,
        axis::Int32, flags::UInt32, out::Ptr{Ptr{sv_plan}})::sv_status
end

"""
Add a reference. Optional: plan.
"""
function sv_plan_retain(plan)
    @ccall libsv.sv_plan_retain(plan::Ptr{sv_plan})::Ptr{sv_plan}
end

"""
Drop a reference. Takes plan. Optional: plan.
"""
function sv_plan_release(plan)
    @ccall libsv.sv_plan_release(plan::Ptr{sv_plan})::Cvoid
end

"""
Copy between these addresses of the elements [0,...,0], as sv_view_data() gives them. Optional: dst, src.
"""
function sv_plan_execute(plan, dst, src, stream)
    @ccall libsv.sv_plan_execute(plan::Ptr{sv_plan}, dst::Ptr{Cvoid}, src::Ptr{Cvoid}, stream::UInt)::sv_status
end

"""
Copy between these views: sv_plan_execute() with everything checked.
"""
function sv_plan_execute_views(plan, dst, src, stream)
    @ccall libsv.sv_plan_execute_views(
        plan::Ptr{sv_plan}, dst::Ptr{sv_view}, src::Ptr{sv_view}, stream::UInt)::sv_status
end

"""
Many executions: sv_plan_execute(plans[i], dst[i], src[i], stream) for each i. Optional: failed.
"""
function sv_plan_execute_batch(count, plans, dst, src, stream, failed)
    @ccall libsv.sv_plan_execute_batch(
        count::Int64, plans::Ptr{Ptr{sv_plan}}, dst::Ptr{Ptr{Cvoid}}, src::Ptr{Ptr{Cvoid}}, stream::UInt,
        failed::Ptr{Int64})::sv_status
end

"""
Many executions of one plan: sv_plan_execute_views(plan, dst[i], src[i], stream) for each i. Optional: failed.
"""
function sv_plan_execute_views_batch(plan, count, dst, src, stream, failed)
    @ccall libsv.sv_plan_execute_views_batch(
        plan::Ptr{sv_plan}, count::Int64, dst::Ptr{Ptr{sv_view}}, src::Ptr{Ptr{sv_view}}, stream::UInt,
        failed::Ptr{Int64})::sv_status
end

"""
Many executions of one plan, between addresses that lie in two arrays: sv_plan_execute(plan, dst[i], src[i], stream)
for each i, for pages of a cache and the like. Optional: failed.
"""
function sv_plan_execute_table(plan, dst, src, alignment, stream, failed)
    @ccall libsv.sv_plan_execute_table(
        plan::Ptr{sv_plan}, dst::Ptr{sv_view}, src::Ptr{sv_view}, alignment::Int64, stream::UInt, failed::Ptr{Int64})::sv_status
end

"""
What kind of copy it is, as static text; later versions may know more kinds.
"""
function sv_plan_class(plan)
    @ccall libsv.sv_plan_class(plan::Ptr{sv_plan})::Cstring
end

"""
Name of the kernel that does it, as static text for eyes and tests, which may change from version to version.
"""
function sv_plan_kernel(plan)
    @ccall libsv.sv_plan_kernel(plan::Ptr{sv_plan})::Cstring
end

"""
Write what a plan does and why, in lines of English text for people. Writes text, length. Optional: dst, src, text,
length.
"""
function sv_plan_explain(plan, dst, src, capacity, text, length)
    @ccall libsv.sv_plan_explain(
        plan::Ptr{sv_plan}, dst::Ptr{Cvoid}, src::Ptr{Cvoid}, capacity::Csize_t, text::Ptr{UInt8},
        length::Ptr{Csize_t})::sv_status
end

"""
Bytes that are written, each once.
"""
function sv_plan_nbytes(plan)
    @ccall libsv.sv_plan_nbytes(plan::Ptr{sv_plan})::Int64
end

"""
Bytes that go to and from memory, in whole cache lines of 64 bytes, where every line is moved once. Writes read,
written.
"""
function sv_plan_traffic(plan, read, written)
    @ccall libsv.sv_plan_traffic(plan::Ptr{sv_plan}, read::Ptr{Int64}, written::Ptr{Int64})::sv_status
end

"""
How many operations one execution gives to a stream: launches of kernels and copies by a device's copy engine.
"""
function sv_plan_launches(plan)
    @ccall libsv.sv_plan_launches(plan::Ptr{sv_plan})::Int64
end

# threads

# One of the tasks that a copy is split into.
# From @cfunction(f, Cvoid, (Ptr{Cvoid}, Int64,)).
const sv_task_callback = Ptr{Cvoid}
# The caller's threads: calls task(task_ctx, index) once for each index from 0 to count - 1.
# From @cfunction(f, sv_status, (Ptr{Cvoid}, Int64, sv_task_callback, Ptr{Cvoid},)).
const sv_parallel_callback = Ptr{Cvoid}

"""
sv_copy() by several threads of the caller. Optional: run, ctx.
"""
function sv_copy_parallel(dst, src, threads, run, ctx, flags, stream)
    @ccall libsv.sv_copy_parallel(
        dst::Ptr{sv_view}, src::Ptr{sv_view}, threads::Int32, run::sv_parallel_callback, ctx::Ptr{Cvoid},
        flags::UInt32, stream::UInt)::sv_status
end

"""
sv_copy_scaled() by several threads of the caller, where sv_copy_parallel() would share a copy that converts.
Optional: scale, bias, run, ctx.
"""
function sv_copy_scaled_parallel(dst, src, scale, nscale, bias, nbias, axis, threads, run, ctx, flags, stream)
    @ccall libsv.sv_copy_scaled_parallel(
        dst::Ptr{sv_view}, src::Ptr{sv_view}, scale::Ptr{Float64}, nscale::Int64, bias::Ptr{Float64}, nbias::Int64,
        axis::Int32, threads::Int32, run::sv_parallel_callback, ctx::Ptr{Cvoid}, flags::UInt32, stream::UInt)::sv_status
end

"""
The same plan, executed by several threads of the caller, as sv_copy_parallel() does. Writes out. Optional: run, ctx.
"""
function sv_plan_with_threads(plan, threads, run, ctx, out)
    @ccall libsv.sv_plan_with_threads(
        plan::Ptr{sv_plan}, threads::Int32, run::sv_parallel_callback, ctx::Ptr{Cvoid}, out::Ptr{Ptr{sv_plan}})::sv_status
end

"""
The same plan with memory of the caller's, as for sv_copy_with(); NULL: the default pool. Writes out. Optional:
scratch.
"""
function sv_plan_with_allocator(plan, scratch, out)
    @ccall libsv.sv_plan_with_allocator(
        plan::Ptr{sv_plan}, scratch::Ptr{sv_allocator}, out::Ptr{Ptr{sv_plan}})::sv_status
end

"""
The same plan, done by the loop that is the fastest on this memory. Writes out.
"""
function sv_plan_measure(plan, dst, src, limit_ns, stream, out)
    @ccall libsv.sv_plan_measure(
        plan::Ptr{sv_plan}, dst::Ptr{sv_view}, src::Ptr{sv_view}, limit_ns::Int64, stream::UInt,
        out::Ptr{Ptr{sv_plan}})::sv_status
end

function __init__()
    haskey(ENV, "LIBSV") && Base.Libc.Libdl.dlopen(ENV["LIBSV"])
    sv_abi_version() == SV_ABI_VERSION || error("$libsv has another ABI version than this module")
end

end
