"""The C API of libsv: strided array memory of every kind, for ctypes.

load(strideview.library_path()) gives the library with every function
declared; the path may name any other libsv as well.

Generated from include/sv.h by py/gen_bindings.py: do not edit.
"""

from ctypes import (CDLL, CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_double, c_int32, c_int64, c_size_t,
                    c_uint32, c_uint64, c_void_p)


# --- version

SV_VERSION_MAJOR = 0
SV_VERSION_MINOR = 1
SV_VERSION_PATCH = 0
SV_ABI_VERSION = 0  # Raised when a program compiled against an older header must not run.
# What the library was built with: bits of sv_features().
SV_FEATURE_CUDA = 1  # the CUDA backend is compiled in
SV_FEATURE_CHECKS = 2  # every call finds out whether its handles are alive and of the right type

# --- status

# 0 or a negative code.
sv_status = c_int32
SV_OK = 0
SV_ERROR_NULL = -1  # a pointer that is needed is NULL
SV_ERROR_INVALID = -2  # senseless for any array: negative extent or count, repeated axis, unknown flag
SV_ERROR_INDEX = -3  # index or axis outside the array
SV_ERROR_RANGE = -4  # outside bounds: elements past the memory, more than 64 axes, items of no bytes
SV_ERROR_OVERFLOW = -5  # a size or an offset in bytes does not fit int64
SV_ERROR_DTYPE = -6  # element type unknown, malformed or not the same
SV_ERROR_LAYOUT = -7  # shape or strides do not allow the operation
SV_ERROR_OVERLAP = -8  # elements share bytes where they must not
SV_ERROR_READ_ONLY = -9  # writing to read-only memory
SV_ERROR_ALIGNMENT = -10  # address not aligned as needed
SV_ERROR_DEVICE = -11  # device unknown, absent or out of reach
SV_ERROR_VERSION = -12  # protocol or ABI version not supported
SV_ERROR_PROTOCOL = -13  # a foreign structure breaks its own rules
SV_ERROR_UNSUPPORTED = -14  # legal, but this build cannot do it
SV_ERROR_MEMORY = -15  # out of memory
SV_ERROR_CUDA = -16  # the CUDA runtime failed
SV_ERROR_STATE = -17  # wrong state: handle released, builder without a layout, tasks left undone
SV_ERROR_BLOCKED = -18  # refused while something else uses it
SV_ERROR_FORKED = -19  # a device was opened before this process was forked
SV_ERROR_BUFFER = -20  # the caller's buffer is too small; nothing was written

# --- dtype

# Element type: the DLPack (1.3) triple as code + 256 * bits + 65536 * lanes.
sv_dtype = c_uint32
SV_OPAQUE = 0
SV_BOOL = 0x010806
SV_INT8 = 0x010800
SV_INT16 = 0x011000
SV_INT32 = 0x012000
SV_INT64 = 0x014000
SV_UINT8 = 0x010801
SV_UINT16 = 0x011001
SV_UINT32 = 0x012001
SV_UINT64 = 0x014001
SV_FLOAT16 = 0x011002
SV_FLOAT32 = 0x012002
SV_FLOAT64 = 0x014002
SV_FLOAT128 = 0x018002
SV_BFLOAT16 = 0x011004
SV_COMPLEX32 = 0x012005
SV_COMPLEX64 = 0x014005
SV_COMPLEX128 = 0x018005
SV_FLOAT8_E3M4 = 0x010807
SV_FLOAT8_E4M3 = 0x010808
SV_FLOAT8_E4M3B11FNUZ = 0x010809
SV_FLOAT8_E4M3FN = 0x01080a
SV_FLOAT8_E4M3FNUZ = 0x01080b
SV_FLOAT8_E5M2 = 0x01080c
SV_FLOAT8_E5M2FNUZ = 0x01080d
SV_FLOAT8_E8M0FNU = 0x01080e
SV_FLOAT4_E2M1FN_X2 = 0x020411
# Which conversions are allowed: NumPy's levels, each of which allows what those before it do.
sv_casting = c_int32
SV_CASTING_NO = 0  # none: the types are equal
SV_CASTING_EQUIV = 1  # none either, since byte order is no part of a type
SV_CASTING_SAFE = 2  # each value is kept; also integers of 64 bits to float64, as in NumPy
SV_CASTING_SAME_KIND = 3  # what SV_COPY_CAST converts: to the same kind of number, or to a later kind
SV_CASTING_UNSAFE = 4  # what SV_COPY_CAST_UNSAFE converts: any number to any

# --- layout


class sv_layout(Structure):
    """Shape, strides, item size and offset."""

SV_MAX_NDIM = 64
# Order of the axes in memory.
sv_order = c_int32
SV_ORDER_C = 0  # the last axis moves fastest
SV_ORDER_F = 1  # the first axis moves fastest
SV_ORDER_K = 2  # the order the strides already have
SV_ORDER_AXES = 3  # a given list of axes, the slowest first
# Answer to a question that can be too hard to decide.
sv_answer = c_int32
SV_NO = 0
SV_YES = 1
SV_MAYBE = 2  # not decided within the work limit

# --- layout builder


class sv_layout_builder(Structure):
    """A layout in the making: operations one after another, in place, and one allocation at the end."""


# --- device

# Kinds of memory, numbered as DLPack (1.3) numbers devices.
SV_DEVICE_CPU = 1
SV_DEVICE_CUDA = 2
SV_DEVICE_CUDA_HOST = 3
SV_DEVICE_OPENCL = 4
SV_DEVICE_VULKAN = 7
SV_DEVICE_METAL = 8
SV_DEVICE_VPI = 9
SV_DEVICE_ROCM = 10
SV_DEVICE_ROCM_HOST = 11
SV_DEVICE_EXT = 12
SV_DEVICE_CUDA_MANAGED = 13
SV_DEVICE_ONEAPI = 14
SV_DEVICE_WEBGPU = 15
SV_DEVICE_HEXAGON = 16
SV_DEVICE_MAIA = 17
SV_DEVICE_TRN = 18
# Facts of a kind of memory, as bits of sv_device_traits().
SV_TRAIT_HOST = 1  # the host reads and writes it
SV_TRAIT_CUDA = 2  # kernels on CUDA devices read and write it
SV_TRAIT_MANAGED = 4  # a driver moves it between host and devices
SV_TRAIT_HANDLES = 8  # the data pointer is a handle, which offsets must not be added to
SV_TRAIT_READ_ONLY = 16  # libsv must not write it
SV_TRAIT_ORDERED = 32  # allocated and freed in the order of a stream, from a pool
SV_TRAIT_REGISTERED = 64  # pages of the host that were page-locked after they had been allocated
SV_TRAIT_SHARED = 128  # it belongs to another process
# Whether a kind of device can be used, and if not, what is missing.
sv_device_state = c_int32
SV_STATE_READY = 0  # one or more devices answer
SV_STATE_NO_BACKEND = 1  # this build has no code for it
SV_STATE_NO_DRIVER = 2  # no driver is installed
SV_STATE_DRIVER_TOO_OLD = 3  # the driver is older than the runtime in this library
SV_STATE_NO_DEVICE = 4  # a driver, but no device
SV_STATE_STUB_DRIVER = 5  # only the toolkit's stub library was found in the driver's place
SV_STATE_BROKEN = 6  # the driver answers with another error
# Numbers that describe a device, for sv_device_property().
SV_PROPERTY_MEMORY_TOTAL = 1  # bytes of memory
SV_PROPERTY_MEMORY_FREE = 2  # bytes of memory that can be had at the moment
SV_PROPERTY_PAGEABLE_ACCESS = 3  # 1: kernels read and write ordinary memory of the host
SV_PROPERTY_CONCURRENT_MANAGED = 4  # 1: host and device may use managed memory at the same time
SV_PROPERTY_POOLS = 5  # 1: stream-ordered pools of device memory
SV_PROPERTY_HOST_POOLS = 6  # 1: stream-ordered pools of pinned memory
SV_PROPERTY_MANAGED_POOLS = 7  # 1: stream-ordered pools of managed memory
SV_PROPERTY_IPC = 8  # 1: device memory can be shared with other processes
SV_PROPERTY_COMPUTE_CAPABILITY = 9  # 10 * major + minor, such as 90
SV_PROPERTY_MULTIPROCESSORS = 10  # how many there are

# --- stream


# --- memory

# Kinds of memory, by who can touch it.
sv_memory = c_int32
SV_MEMORY_UNKNOWN = 0  # not known
SV_MEMORY_HOST = 1  # ordinary memory of this process
SV_MEMORY_PINNED = 2  # page-locked memory of the host, which CUDA devices read and write too
SV_MEMORY_DEVICE = 3  # memory of one CUDA device
SV_MEMORY_MANAGED = 4  # one address for host and devices; the driver moves the pages
SV_MEMORY_FOREIGN = 5  # of another kind of device: kept and passed on, never touched
# What a driver can be told of managed memory, so that it places its pages better.
SV_ADVICE_READ_MOSTLY = 1  # it is rarely written: each device may have a copy
SV_ADVICE_NOT_READ_MOSTLY = 2
SV_ADVICE_PREFER = 3  # it is best kept in the memory of one device, or of the host
SV_ADVICE_NOT_PREFER = 4
SV_ADVICE_ACCESSED_BY = 5  # one device, or the host, uses it from where it lies
SV_ADVICE_NOT_ACCESSED_BY = 6
# Called when nothing needs the memory any more: once, on the thread that drops the last reference. NULL is
# sv_release_callback().
sv_release_callback = CFUNCTYPE(None, c_void_p)

# --- allocator


class sv_allocator(Structure):
    """Where bytes come from: the system, a CUDA driver, a pool, callbacks, or another allocator."""

# How an allocator works: bits of its flags.
SV_ALLOCATOR_HUGE_PAGES = 1  # host: ask the system for huge pages for 2 MiB and more; a hint
SV_ALLOCATOR_BLOCKS = 2  # tracked: keep a list of live blocks
SV_ALLOCATOR_GUARD = 4  # host: find writes past the end of a block when it is freed
SV_ALLOCATOR_NO_HUGE_PAGES = 8  # host: ask the system for none, however large a block is; a hint
# Allocates nbytes bytes, more than 0, at a multiple of alignment, a power of two. NULL is sv_allocate_callback().
sv_allocate_callback = CFUNCTYPE(sv_status, c_void_p, c_int64, c_int64, c_size_t, POINTER(c_void_p))
# Frees what was allocated with the same nbytes and alignment; stream can be another one. NULL is sv_free_callback().
sv_free_callback = CFUNCTYPE(sv_status, c_void_p, c_void_p, c_int64, c_int64, c_size_t)
# What happened, for sv_memory_callback.
SV_EVENT_ALLOCATED = 1  # a block
SV_EVENT_FREED = 2  # a block will be freed now, so that its address cannot be another's yet
SV_EVENT_FAILED = 3  # an allocation, and pointer is NULL; or the free that was told before
# Told by a logged allocator. NULL is sv_memory_callback().
sv_memory_callback = CFUNCTYPE(None, c_void_p, c_int32, c_void_p, c_int64, c_size_t)
# Asked when an allocation of nbytes failed with SV_ERROR_MEMORY; attempt counts from 1. NULL is
# sv_no_memory_callback().
sv_no_memory_callback = CFUNCTYPE(c_int32, c_void_p, c_int64, c_int32)
# One live block of a tracked allocator; number counts its allocations from 1. NULL is sv_block_callback().
sv_block_callback = CFUNCTYPE(c_int32, c_void_p, c_int64, c_void_p, c_int64, c_size_t)
# What is counted of memory.
SV_STAT_LIVE_BYTES = 0  # in use
SV_STAT_LIVE_COUNT = 1  # blocks in use
SV_STAT_PEAK_BYTES = 2  # the most that were in use at a time
SV_STAT_PEAK_COUNT = 3  # the most blocks that were in use at a time
SV_STAT_TOTAL_BYTES = 4  # all that were ever allocated
SV_STAT_TOTAL_COUNT = 5  # all blocks that were ever allocated
SV_STAT_FAILED_COUNT = 6  # allocations that failed
SV_STAT_DEFERRED_BYTES = 7  # released, not yet freed; not of allocators
SV_STAT_DEFERRED_COUNT = 8  # blocks released, not yet freed; not of allocators
SV_STAT_LOST_BYTES = 9  # given up, since freeing them failed
SV_STAT_LOST_COUNT = 10  # blocks given up
SV_STAT_CACHED_BYTES = 11  # freed, and kept for other allocations by sv_allocator_cached()
SV_STAT_CACHED_COUNT = 12  # blocks freed and kept
# The function of a memory handler of NVIDIA's libraries that allocates memory of a device; 0 is success. NULL is
# sv_handler_allocate_callback().
sv_handler_allocate_callback = CFUNCTYPE(c_int32, c_void_p, POINTER(c_void_p), c_size_t, c_void_p)
# The one that frees. NULL is sv_handler_free_callback().
sv_handler_free_callback = CFUNCTYPE(c_int32, c_void_p, c_void_p, c_size_t, c_void_p)
# The function that allocates for PyTorch's CUDAPluggableAllocator; NULL: it failed. NULL is
# sv_torch_allocate_callback().
sv_torch_allocate_callback = CFUNCTYPE(c_void_p, c_int64, c_int32, c_void_p)
# The one that frees. NULL is sv_torch_free_callback().
sv_torch_free_callback = CFUNCTYPE(None, c_void_p, c_int64, c_int32, c_void_p)

# --- buffer


class sv_buffer(Structure):
    """Bytes with an owner: one allocation of any kind of memory."""

# Bits of flags, besides SV_READ_ONLY of sv/view.h, which is 1.
SV_BUFFER_ZERO = 2  # new bytes are 0
SV_BUFFER_DISCARD = 4  # the contents need not be kept
SV_BUFFER_BORROWED = 8  # the caller keeps the memory alive
SV_BUFFER_TRUST = 16  # the driver is not asked whether kind and device are right
SV_BUFFER_STRICT = 32  # an error where a hint has no effect
# bytes that tell another process of a buffer
SV_IPC_NBYTES = 160  # bytes that tell another process of a buffer
# Bits of flags of sv_memory_collect().
SV_COLLECT_WAIT = 1  # wait for the work that uses the memory

# --- view


class sv_view(Structure):
    """Memory of somebody else, read through a layout."""


class DLManagedTensorVersioned(Structure):
    """A structure of DLPack, only named here."""


class DLManagedTensor(Structure):
    """A structure of DLPack, only named here."""

# Bits of a view's flags.
SV_READ_ONLY = 1  # libsv must not write through this view
SV_IS_COPIED = 2  # for exports: nobody else shares this memory
# Flags of sv_view_kernel_arg().
SV_KERNEL_WRITES = 1  # the kernel writes elements: SV_ERROR_READ_ONLY of a read-only view
SV_KERNEL_HOST = 2  # memory of the host alone is taken too

# --- empty


# --- copy

# Bits of a copy's flags.
SV_COPY_NO_TEMP = 1  # SV_ERROR_OVERLAP rather than a temporary
SV_COPY_TRUST = 2  # the caller knows that no two elements of dst share a byte, if proof is too hard
SV_COPY_BLOCKING = 4  # return when the elements have arrived, on devices too
SV_COPY_CAST = 8  # convert to the same kind or a later one: bool, unsigned, signed, floating, complex
SV_COPY_CAST_UNSAFE = 16  # convert elements to any kind: fractions, signs and imaginary parts may be lost
SV_COPY_SWAP = 32  # first reverse the bytes of each number of src, of complex ones those of each part
SV_COPY_NO_WAIT = 64  # SV_ERROR_BLOCKED, and nothing is done, rather than wait for a device
SV_COPY_NON_TEMPORAL = 128  # the host stores past its caches, whatever the size, as it does for large copies
# What a call waits for, on the host, as sv_copy_placement() answers.
SV_WAITS_NOTHING = 0  # nothing
SV_WAITS_RING = 1  # copies before it that use the pinned memory of libsv, if all of that is in use
SV_WAITS_STREAM = 2  # all that the stream holds
SV_WAITS_DEVICES = 3  # the same, and devices that do not have SV_PROPERTY_CONCURRENT_MANAGED
# What of a copy is done when the call returns, as sv_copy_placement() answers.
SV_DONE_NOTHING = 0  # it is in the order of the stream, which uses both sides until then
SV_DONE_READING = 1  # src has been read; the stream uses dst until then
SV_DONE_ALL = 2  # the elements have arrived
# By which way elements go, as sv_copy_placement() answers.
SV_METHOD_NOTHING = 0  # there is nothing to do: no element, or each is its own source
SV_METHOD_DIRECT = 1  # straight, or in chunks that the copy allocates by itself
SV_METHOD_RING = 2  # in chunks through pinned memory of libsv
SV_METHOD_IN_PLACE = 3  # the two sides share bytes: in an order that allows it, or by exchange
SV_METHOD_TEMPORARY = 4  # they do, and src is first copied to a temporary beside it
SV_METHOD_HOST_TEMPORARY = 5  # the same of device or managed memory, and the temporary is on the host
SV_METHOD_TASKS = 6  # by the caller's threads, which sv_plan_explain() tells of plans with threads

# --- plan


class sv_plan(Structure):
    """What sv_copy() decides before it moves a byte: which elements go where, and by which kernel."""


# --- threads

# One of the tasks that a copy is split into. NULL is sv_task_callback().
sv_task_callback = CFUNCTYPE(None, c_void_p, c_int64)
# The caller's threads: calls task(task_ctx, index) once for each index from 0 to count - 1. NULL is
# sv_parallel_callback().
sv_parallel_callback = CFUNCTYPE(sv_status, c_void_p, c_int64, sv_task_callback, c_void_p)

# Result and arguments of every function.
FUNCTIONS = {
    # () Version of the library that runs: 10000 * major + 100 * minor + patch.
    "sv_version": (c_int32, ()),
    # () Version of the library that runs, as static text: "0.1.0".
    "sv_version_text": (c_char_p, ()),
    # () SV_ABI_VERSION of the library that runs.
    "sv_abi_version": (c_int32, ()),
    # () The SV_FEATURE bits this library was built with.
    "sv_features": (c_uint32, ()),
    # (status) Name of a status as static text, "SV_ERROR_INDEX"; of an unknown number "SV_ERROR_UNKNOWN".
    "sv_status_name": (c_char_p, (sv_status,)),
    # () What went wrong in the last call on this thread that failed.
    "sv_last_message": (c_char_p, ()),
    # (code, bits, lanes, out) Make an element type from its DLPack parts: type code, bits of one lane, and 1 lane or
    # the width of a vector. Writes out.
    "sv_dtype_make": (sv_status, (c_int32, c_int32, c_int32, POINTER(sv_dtype))),
    # (dtype) Bytes of one element; 0 for SV_OPAQUE and for a number that is no type.
    "sv_dtype_itemsize": (c_int64, (sv_dtype,)),
    # (dtype) DLPack's code: 0 signed, 1 unsigned, 2 floating, and so on; -1 of SV_OPAQUE and of a number that is no
    # type.
    "sv_dtype_code": (c_int32, (sv_dtype,)),
    # (dtype) Bits of one lane; 0 of SV_OPAQUE and of a number that is no type.
    "sv_dtype_bits": (c_int32, (sv_dtype,)),
    # (dtype) Lanes: 1, or the width of a vector; 0 of SV_OPAQUE and of a number that is no type.
    "sv_dtype_lanes": (c_int32, (sv_dtype,)),
    # (dtype, capacity, text, length) Write the name of a type: "float32", "float32x4" with four lanes, "opaque".
    # Writes text, length. Optional: text, length.
    "sv_dtype_name": (sv_status, (sv_dtype, c_size_t, POINTER(c_char), POINTER(c_size_t))),
    # (name, out) Read a name that sv_dtype_name() writes; SV_ERROR_DTYPE where there is no such name. Writes out.
    "sv_dtype_parse": (sv_status, (c_char_p, POINTER(sv_dtype))),
    # (dtype, capacity, text, length) Write the type string of NumPy's array interface, "<f4". Writes text, length.
    # Optional: text, length.
    "sv_dtype_typestr": (sv_status, (sv_dtype, c_size_t, POINTER(c_char), POINTER(c_size_t))),
    # (typestr, out) Read a type string of the array interface, version 3. Writes out.
    "sv_dtype_from_typestr": (sv_status, (c_char_p, POINTER(sv_dtype))),
    # (dtype, capacity, text, length) Write the PEP 3118 format of a type, "f", "Zd"; SV_ERROR_DTYPE for a type
    # without a format. Writes text, length. Optional: text, length.
    "sv_dtype_format": (sv_status, (sv_dtype, c_size_t, POINTER(c_char), POINTER(c_size_t))),
    # (format, itemsize, out) Read a PEP 3118 format of one number, in native or byte-equal order. Writes out.
    # Optional: format.
    "sv_dtype_from_format": (sv_status, (c_char_p, c_int64, POINTER(sv_dtype))),
    # (source, target, casting) Whether a copy converts elements of one type to another at a level of casting: 1 or 0.
    "sv_can_cast": (c_int32, (sv_dtype, sv_dtype, sv_casting)),
    # (ndim, shape, strides, itemsize, out) Make a layout from strides in elements; NULL means C order without gaps.
    # Writes out. Optional: strides.
    "sv_layout_new": (sv_status, (c_int32, POINTER(c_int64), POINTER(c_int64), c_int64, POINTER(POINTER(sv_layout)))),
    # (ndim, shape, byte_strides, itemsize, out) Make a layout from strides in bytes; else as sv_layout_new(). Writes
    # out. Optional: byte_strides.
    "sv_layout_new_bytes": (sv_status, (
        c_int32, POINTER(c_int64), POINTER(c_int64), c_int64, POINTER(POINTER(sv_layout)))),
    # (ndim, shape, order, axes, itemsize, out) Make a layout without gaps. Writes out. Optional: axes.
    "sv_layout_new_dense": (sv_status, (
        c_int32, POINTER(c_int64), sv_order, POINTER(c_int32), c_int64, POINTER(POINTER(sv_layout)))),
    # (text, out) Make a layout from one line of text, as sv_layout_text() writes it: Writes out.
    "sv_layout_parse": (sv_status, (c_char_p, POINTER(POINTER(sv_layout)))),
    # (layout) Add a reference. Optional: layout.
    "sv_layout_retain": (POINTER(sv_layout), (POINTER(sv_layout),)),
    # (layout) Drop a reference. Takes layout. Optional: layout.
    "sv_layout_release": (None, (POINTER(sv_layout),)),
    # (layout) Number of axes.
    "sv_layout_ndim": (c_int32, (POINTER(sv_layout),)),
    # (layout) The ndim extents.
    "sv_layout_shape": (POINTER(c_int64), (POINTER(sv_layout),)),
    # (layout) The ndim strides in bytes.
    "sv_layout_byte_strides": (POINTER(c_int64), (POINTER(sv_layout),)),
    # (layout, strides) The ndim strides in elements; SV_ERROR_LAYOUT if a stride in bytes is no multiple of the item
    # size. Writes strides.
    "sv_layout_strides": (sv_status, (POINTER(sv_layout), POINTER(POINTER(c_int64)))),
    # (layout) Bytes of one element.
    "sv_layout_itemsize": (c_int64, (POINTER(sv_layout),)),
    # (layout) Number of elements; 1 without axes.
    "sv_layout_size": (c_int64, (POINTER(sv_layout),)),
    # (layout) Bytes of all elements: size * itemsize.
    "sv_layout_nbytes": (c_int64, (POINTER(sv_layout),)),
    # (layout) Bytes from the base to the element [0,...,0].
    "sv_layout_byte_offset": (c_int64, (POINTER(sv_layout),)),
    # (layout, order) Whether the elements follow one another without gaps in an order; for another order than these
    # three, no.
    "sv_layout_is_contiguous": (c_int32, (POINTER(sv_layout), sv_order)),
    # (layout) Whether the elements fill bytes from the base on: contiguous in any order of the axes, and no offset;
    # or empty.
    "sv_layout_is_dense": (c_int32, (POINTER(sv_layout),)),
    # (layout, lower, upper) Whether every byte of every element lies in [lower, upper), relative to the base; or the
    # layout is empty.
    "sv_layout_is_within": (c_int32, (POINTER(sv_layout), c_int64, c_int64)),
    # (layout, lower, upper) The bytes that elements occupy, relative to the base: [lower, upper). Writes lower,
    # upper.
    "sv_layout_byte_bounds": (sv_status, (POINTER(sv_layout), POINTER(c_int64), POINTER(c_int64))),
    # (layout, nbytes) Bytes that memory from the base on must have to hold every element; SV_ERROR_LAYOUT if one lies
    # below the base. Writes nbytes.
    "sv_layout_required_size": (sv_status, (POINTER(sv_layout), POINTER(c_int64))),
    # (layout, axes) The ndim axes by the size of their stride, the slowest first. Writes axes.
    "sv_layout_stride_order": (sv_status, (POINTER(sv_layout), POINTER(c_int32))),
    # (layout) Which axes continue the axis before them: bit i of the result is set when axis i can be merged into
    # axis i - 1.
    "sv_layout_flatten_mask": (c_uint64, (POINTER(sv_layout),)),
    # (layout, address, alignment) The alignment that all elements have in common: the largest power of two that
    # divides the address of each. Writes alignment.
    "sv_layout_alignment": (sv_status, (POINTER(sv_layout), c_size_t, POINTER(c_int64))),
    # (layout, limit, address, axis, itemsize) The largest item size, a divisor of limit, that sv_layout_repack()
    # would take with the same address and axis. Writes itemsize.
    "sv_layout_max_itemsize": (sv_status, (POINTER(sv_layout), c_int64, c_size_t, c_int32, POINTER(c_int64))),
    # (layout, other) Whether two layouts have the same shape, item size and, unless they are empty, offset and
    # strides.
    "sv_layout_equal": (c_int32, (POINTER(sv_layout), POINTER(sv_layout))),
    # (layout) Hash value, the same for equal layouts.
    "sv_layout_hash": (c_uint64, (POINTER(sv_layout),)),
    # (layout, capacity, text, length) Write a layout as one line, "(3, 450):(1, -3)*4+5388", which sv_layout_parse()
    # reads back to an equal one. Writes text, length. Optional: text, length.
    "sv_layout_text": (sv_status, (POINTER(sv_layout), c_size_t, POINTER(c_char), POINTER(c_size_t))),
    # (layout, work, answer) Whether no two different indices share a byte; an empty layout is unique. Writes answer.
    "sv_layout_is_unique": (sv_status, (POINTER(sv_layout), c_int64, POINTER(sv_answer))),
    # (layout, other, address, other_address, work, answer) Whether elements of two layouts, of any shapes and item
    # sizes, share a byte, each read from a base address. Writes answer.
    "sv_layout_overlap": (sv_status, (
        POINTER(sv_layout), POINTER(sv_layout), c_size_t, c_size_t, c_int64, POINTER(sv_answer))),
    # (layout, other) Whether two layouts of any shapes and item sizes, walked in C order, visit the same bytes; two
    # empty ones do.
    "sv_layout_same_bytes": (c_int32, (POINTER(sv_layout), POINTER(sv_layout))),
    # (dst, src, dst_out, src_out) Bring two layouts to the fewest axes that pair the same elements: the form in which
    # sv_copy() reads them together. Writes dst_out, src_out.
    "sv_layout_common": (sv_status, (
        POINTER(sv_layout), POINTER(sv_layout), POINTER(POINTER(sv_layout)), POINTER(POINTER(sv_layout)))),
    # (dst, src, dst_address, src_address, limit, itemsize) The widest word, in bytes, by which two layouts can be
    # walked together from their base addresses. Writes itemsize.
    "sv_layout_common_itemsize": (sv_status, (
        POINTER(sv_layout), POINTER(sv_layout), c_size_t, c_size_t, c_int64, POINTER(c_int64))),
    # (layout, other, ndim, shape) The shape that two layouts are broadcast to together; SV_ERROR_LAYOUT if two
    # extents differ and neither is 1. Writes ndim, shape.
    "sv_layout_broadcast_shape": (sv_status, (
        POINTER(sv_layout), POINTER(sv_layout), POINTER(c_int32), POINTER(c_int64))),
    # (layout, other, axes) The ndim axes by which sv_layout_permute() makes other of layout; SV_ERROR_LAYOUT if there
    # is no such order. Writes axes.
    "sv_layout_permutation": (sv_status, (POINTER(sv_layout), POINTER(sv_layout), POINTER(c_int32))),
    # (layout, ndim, axes, out) Reorder the axes: axis i of the result is axis axes[i] of layout. Writes out.
    # Optional: axes.
    "sv_layout_permute": (sv_status, (POINTER(sv_layout), c_int32, POINTER(c_int32), POINTER(POINTER(sv_layout)))),
    # (layout, count, start, stop, step, out) Take every step-th index of the first count axes, from start up to, not
    # including, stop; the others stay whole. Writes out. Optional: step.
    "sv_layout_slice": (sv_status, (
        POINTER(sv_layout), c_int32, POINTER(c_int64), POINTER(c_int64), POINTER(c_int64), POINTER(POINTER(sv_layout)))),
    # (layout, axis, index, out) Take one index of an axis, -extent to extent - 1, and drop the axis. Writes out.
    "sv_layout_index": (sv_status, (POINTER(sv_layout), c_int32, c_int64, POINTER(POINTER(sv_layout)))),
    # (layout, ndim, shape, out) Give the same elements, in C order of their indices, another shape. Writes out.
    "sv_layout_reshape": (sv_status, (POINTER(sv_layout), c_int32, POINTER(c_int64), POINTER(POINTER(sv_layout)))),
    # (layout, ndim, shape, out) Broadcast to a shape: repeat along new leading axes, and along axes of extent 1, by
    # strides of 0. Writes out.
    "sv_layout_broadcast": (sv_status, (POINTER(sv_layout), c_int32, POINTER(c_int64), POINTER(POINTER(sv_layout)))),
    # (layout, count, axes, out) Drop count axes of extent 1 (else SV_ERROR_LAYOUT); NULL drops all of them, and count
    # is not read. Writes out. Optional: axes.
    "sv_layout_squeeze": (sv_status, (POINTER(sv_layout), c_int32, POINTER(c_int32), POINTER(POINTER(sv_layout)))),
    # (layout, count, axes, out) Insert count axes of extent 1, at the places that axes gives, in any order, counted
    # in the result. Writes out.
    "sv_layout_unsqueeze": (sv_status, (POINTER(sv_layout), c_int32, POINTER(c_int32), POINTER(POINTER(sv_layout)))),
    # (layout, order, ndim, axes, itemsize, out) The layout that a packed copy of the elements would have: the same
    # shape, no gaps, no offset. Writes out. Optional: axes.
    "sv_layout_to_dense": (sv_status, (
        POINTER(sv_layout), sv_order, c_int32, POINTER(c_int32), c_int64, POINTER(POINTER(sv_layout)))),
    # (layout, start_axis, end_axis, out) Merge neighbouring axes that step as one, as far as the strides allow.
    # Writes out.
    "sv_layout_flatten": (sv_status, (POINTER(sv_layout), c_int32, c_int32, POINTER(POINTER(sv_layout)))),
    # (layout, mask, out) Merge each axis whose bit is set into the axis before it, where the strides allow it. Writes
    # out.
    "sv_layout_flatten_masked": (sv_status, (POINTER(sv_layout), c_uint64, POINTER(POINTER(sv_layout)))),
    # (layout, start_axis, end_axis, out) Merge the axes from start_axis to end_axis into one. Writes out.
    "sv_layout_merge_axes": (sv_status, (POINTER(sv_layout), c_int32, c_int32, POINTER(POINTER(sv_layout)))),
    # (layout, axis, count, extents, out) Split one axis into several, in C order. Writes out.
    "sv_layout_split_axis": (sv_status, (
        POINTER(sv_layout), c_int32, c_int32, POINTER(c_int64), POINTER(POINTER(sv_layout)))),
    # (layout, count, axes, places, out) Move count axes to other places, counted in the result; the rest keep their
    # order. Writes out.
    "sv_layout_move_axes": (sv_status, (
        POINTER(sv_layout), c_int32, POINTER(c_int32), POINTER(c_int32), POINTER(POINTER(sv_layout)))),
    # (layout, axis, other, out) Exchange two axes, which may be the same. Writes out.
    "sv_layout_swap_axes": (sv_status, (POINTER(sv_layout), c_int32, c_int32, POINTER(POINTER(sv_layout)))),
    # (layout, count, axes, out) Reverse count axes, so that index 0 becomes the last one; NULL reverses all, and
    # count is not read. Writes out. Optional: axes.
    "sv_layout_flip": (sv_status, (POINTER(sv_layout), c_int32, POINTER(c_int32), POINTER(POINTER(sv_layout)))),
    # (layout, offset, axis, other, out) Take the elements whose indices along two axes differ by offset, as the last
    # axis of the result. Writes out.
    "sv_layout_diagonal": (sv_status, (POINTER(sv_layout), c_int64, c_int32, c_int32, POINTER(POINTER(sv_layout)))),
    # (layout, count, axes, window, out) Look at every place of a sliding window. Writes out. Optional: axes.
    "sv_layout_window": (sv_status, (
        POINTER(sv_layout), c_int32, POINTER(c_int32), POINTER(c_int64), POINTER(POINTER(sv_layout)))),
    # (layout, itemsize, address, axis, keep_dim, out) Read the same bytes as items of another size: along an axis,
    # several items become one, or one becomes several. Writes out.
    "sv_layout_repack": (sv_status, (
        POINTER(sv_layout), c_int64, c_size_t, c_int32, c_int32, POINTER(POINTER(sv_layout)))),
    # (out) Make a builder, which has no layout yet. Writes out.
    "sv_layout_builder_new": (sv_status, (POINTER(POINTER(sv_layout_builder)),)),
    # (builder) End a builder. Takes builder. Optional: builder.
    "sv_layout_builder_release": (None, (POINTER(sv_layout_builder),)),
    # (builder, layout) Start from a layout, at any time again.
    "sv_layout_builder_start": (sv_status, (POINTER(sv_layout_builder), POINTER(sv_layout))),
    # (builder, ndim, axes) The sv_layout operation of the same name, in place. Optional: axes.
    "sv_layout_builder_permute": (sv_status, (POINTER(sv_layout_builder), c_int32, POINTER(c_int32))),
    # (builder, count, start, stop, step) The sv_layout operation of the same name, in place. Optional: step.
    "sv_layout_builder_slice": (sv_status, (
        POINTER(sv_layout_builder), c_int32, POINTER(c_int64), POINTER(c_int64), POINTER(c_int64))),
    # (builder, axis, index) The sv_layout operation of the same name, in place.
    "sv_layout_builder_index": (sv_status, (POINTER(sv_layout_builder), c_int32, c_int64)),
    # (builder, ndim, shape) The sv_layout operation of the same name, in place.
    "sv_layout_builder_reshape": (sv_status, (POINTER(sv_layout_builder), c_int32, POINTER(c_int64))),
    # (builder, ndim, shape) The sv_layout operation of the same name, in place.
    "sv_layout_builder_broadcast": (sv_status, (POINTER(sv_layout_builder), c_int32, POINTER(c_int64))),
    # (builder, count, axes) The sv_layout operation of the same name, in place. Optional: axes.
    "sv_layout_builder_squeeze": (sv_status, (POINTER(sv_layout_builder), c_int32, POINTER(c_int32))),
    # (builder, count, axes) The sv_layout operation of the same name, in place.
    "sv_layout_builder_unsqueeze": (sv_status, (POINTER(sv_layout_builder), c_int32, POINTER(c_int32))),
    # (builder, order, ndim, axes, itemsize) The sv_layout operation of the same name, in place. Optional: axes.
    "sv_layout_builder_to_dense": (sv_status, (
        POINTER(sv_layout_builder), sv_order, c_int32, POINTER(c_int32), c_int64)),
    # (builder, start_axis, end_axis) The sv_layout operation of the same name, in place.
    "sv_layout_builder_flatten": (sv_status, (POINTER(sv_layout_builder), c_int32, c_int32)),
    # (builder, mask) The sv_layout operation of the same name, in place.
    "sv_layout_builder_flatten_masked": (sv_status, (POINTER(sv_layout_builder), c_uint64)),
    # (builder, start_axis, end_axis) The sv_layout operation of the same name, in place.
    "sv_layout_builder_merge_axes": (sv_status, (POINTER(sv_layout_builder), c_int32, c_int32)),
    # (builder, axis, count, extents) The sv_layout operation of the same name, in place.
    "sv_layout_builder_split_axis": (sv_status, (POINTER(sv_layout_builder), c_int32, c_int32, POINTER(c_int64))),
    # (builder, count, axes, places) The sv_layout operation of the same name, in place.
    "sv_layout_builder_move_axes": (sv_status, (
        POINTER(sv_layout_builder), c_int32, POINTER(c_int32), POINTER(c_int32))),
    # (builder, axis, other) The sv_layout operation of the same name, in place.
    "sv_layout_builder_swap_axes": (sv_status, (POINTER(sv_layout_builder), c_int32, c_int32)),
    # (builder, count, axes) The sv_layout operation of the same name, in place. Optional: axes.
    "sv_layout_builder_flip": (sv_status, (POINTER(sv_layout_builder), c_int32, POINTER(c_int32))),
    # (builder, offset, axis, other) The sv_layout operation of the same name, in place.
    "sv_layout_builder_diagonal": (sv_status, (POINTER(sv_layout_builder), c_int64, c_int32, c_int32)),
    # (builder, count, axes, window) The sv_layout operation of the same name, in place. Optional: axes.
    "sv_layout_builder_window": (sv_status, (
        POINTER(sv_layout_builder), c_int32, POINTER(c_int32), POINTER(c_int64))),
    # (builder, itemsize, address, axis, keep_dim) The sv_layout operation of the same name, in place.
    "sv_layout_builder_repack": (sv_status, (POINTER(sv_layout_builder), c_int64, c_size_t, c_int32, c_int32)),
    # (builder, out) Make a layout of what the builder holds, which stays as it is. Writes out.
    "sv_layout_builder_finish": (sv_status, (POINTER(sv_layout_builder), POINTER(POINTER(sv_layout)))),
    # (device_type) Name of a kind of memory, for programs and their output: "cpu", "cuda", "cuda_host",
    # "cuda_managed", "oneapi".
    "sv_device_name": (c_char_p, (c_int32,)),
    # (device_type) The SV_TRAIT bits that hold for all memory of a kind; 0 for a number that no device type has.
    "sv_device_traits": (c_uint32, (c_int32,)),
    # (device_type, state, count) Find out whether a kind of device can be used, and how many there are: 0 unless
    # ready. Writes state, count. Optional: count.
    "sv_device_probe": (sv_status, (c_int32, POINTER(sv_device_state), POINTER(c_int32))),
    # (device_type, capacity, text, length) Write in words what sv_device_probe() finds, versions included. Writes
    # text, length. Optional: text, length.
    "sv_device_text": (sv_status, (c_int32, c_size_t, POINTER(c_char), POINTER(c_size_t))),
    # (device_type, device_id, property, value) Ask for an SV_PROPERTY number that describes a device; SV_ERROR_DEVICE
    # if no device is ready. Writes value.
    "sv_device_property": (sv_status, (c_int32, c_int32, c_int32, POINTER(c_int64))),
    # (device_type, device_id, stream, other_device_type, other_device_id, other) Let a stream wait for another: what
    # is put on stream from now on starts after all that other holds now.
    "sv_stream_wait": (sv_status, (c_int32, c_int32, c_size_t, c_int32, c_int32, c_size_t)),
    # (device_type, device_id, stream) Wait, on the host, until all that a stream holds is done.
    "sv_stream_synchronize": (sv_status, (c_int32, c_int32, c_size_t)),
    # (device_type, device_id, stream, owner, captured) Ask which device a stream belongs to, and whether it is being
    # captured into a graph, so that what is put on it is recorded and runs later. Writes owner, captured. Optional:
    # owner, captured.
    "sv_stream_query": (sv_status, (c_int32, c_int32, c_size_t, POINTER(c_int32), POINTER(c_int32))),
    # (kind) Name of a kind of memory, as static text: "host", "pinned", "device", "managed" or "foreign"; NULL of no
    # kind.
    "sv_memory_name": (c_char_p, (sv_memory,)),
    # (pointer, kind, traits, device_id, device_address, host_address) Find out what kind of memory an address belongs
    # to. Writes kind, traits, device_id, device_address, host_address. Optional: pointer, traits, device_id,
    # device_address, host_address.
    "sv_pointer_query": (sv_status, (
        c_void_p, POINTER(sv_memory), POINTER(c_uint32), POINTER(c_int32), POINTER(c_void_p), POINTER(c_void_p))),
    # (flags, out) Make an allocator of ordinary host memory, of any alignment. Writes out.
    "sv_allocator_host": (sv_status, (c_uint32, POINTER(POINTER(sv_allocator)))),
    # (out) Make an allocator of page-locked host memory, which CUDA devices use at the address that the host has for
    # it. Writes out.
    "sv_allocator_pinned": (sv_status, (POINTER(POINTER(sv_allocator)),)),
    # (device_id, out) Make an allocator of memory of a CUDA device, by cudaMalloc(). Writes out.
    "sv_allocator_device": (sv_status, (c_int32, POINTER(POINTER(sv_allocator)))),
    # (device_id, out) Make an allocator of managed memory: one address for the host and all CUDA devices, whose pages
    # the driver moves. Writes out.
    "sv_allocator_managed": (sv_status, (c_int32, POINTER(POINTER(sv_allocator)))),
    # (kind, device_id, initial, threshold, most, out) Make an allocator of a new pool of the CUDA driver, whose
    # memory is allocated and freed in the order of a stream. Writes out.
    "sv_allocator_pool": (sv_status, (sv_memory, c_int32, c_int64, c_int64, c_int64, POINTER(POINTER(sv_allocator)))),
    # (kind, device_id, pool, out) Make an allocator of a pool that somebody else has made, and ends. Writes out.
    "sv_allocator_pool_view": (sv_status, (sv_memory, c_int32, c_size_t, POINTER(POINTER(sv_allocator)))),
    # (kind, device_type, device_id, allocate, free, release, ctx, out) Make an allocator of two functions, which any
    # thread calls. Writes out. Takes ctx. Optional: release, ctx.
    "sv_allocator_callbacks": (sv_status, (
        sv_memory, c_int32, c_int32, sv_allocate_callback, sv_free_callback, sv_release_callback, c_void_p,
        POINTER(POINTER(sv_allocator)))),
    # (base, name, flags, out) Make an allocator that counts what it gets from another one. Writes out. Optional:
    # name.
    "sv_allocator_tracked": (sv_status, (POINTER(sv_allocator), c_char_p, c_uint32, POINTER(POINTER(sv_allocator)))),
    # (base, most, out) Make an allocator that lets at most so many bytes of base be in use at a time. Writes out.
    "sv_allocator_limited": (sv_status, (POINTER(sv_allocator), c_int64, POINTER(POINTER(sv_allocator)))),
    # (base, threshold, out) Make an allocator that keeps the blocks which are freed and gives them out again, without
    # a call of the driver: that is what makes memory of devices and pinned memory cheap. Writes out.
    "sv_allocator_cached": (sv_status, (POINTER(sv_allocator), c_int64, POINTER(POINTER(sv_allocator)))),
    # (base, log, release, ctx, out) Make an allocator that tells what it does. Writes out. Takes ctx. Optional:
    # release, ctx.
    "sv_allocator_logged": (sv_status, (
        POINTER(sv_allocator), sv_memory_callback, sv_release_callback, c_void_p, POINTER(POINTER(sv_allocator)))),
    # (base, attempts, ask, release, ctx, out) Make an allocator that asks what to do when base has no memory left,
    # and then tries again. Writes out. Takes ctx. Optional: release, ctx.
    "sv_allocator_retrying": (sv_status, (
        POINTER(sv_allocator), c_int32, sv_no_memory_callback, sv_release_callback, c_void_p,
        POINTER(POINTER(sv_allocator)))),
    # (allocator) Add a reference. Optional: allocator.
    "sv_allocator_retain": (POINTER(sv_allocator), (POINTER(sv_allocator),)),
    # (allocator) Drop a reference. Takes allocator. Optional: allocator.
    "sv_allocator_release": (None, (POINTER(sv_allocator),)),
    # (allocator) Kind of its memory.
    "sv_allocator_kind": (sv_memory, (POINTER(sv_allocator),)),
    # (allocator) SV_DEVICE number of its memory.
    "sv_allocator_device_type": (c_int32, (POINTER(sv_allocator),)),
    # (allocator) Ordinal of its device, or 0.
    "sv_allocator_device_id": (c_int32, (POINTER(sv_allocator),)),
    # (allocator) SV_TRAIT bits of its memory: those of the device type, and SV_TRAIT_ORDERED where streams order it.
    "sv_allocator_traits": (c_uint32, (POINTER(sv_allocator),)),
    # (allocator) The largest alignment that sv_allocator_allocate() grants.
    "sv_allocator_alignment": (c_int64, (POINTER(sv_allocator),)),
    # (allocator) Name of the nearest tracked allocator that has one, this one or one that it wraps; else of the
    # source.
    "sv_allocator_name": (c_char_p, (POINTER(sv_allocator),)),
    # (allocator, nbytes, alignment, stream, pointer) Allocate raw bytes, for programs that hand an allocator on to
    # others. Writes pointer.
    "sv_allocator_allocate": (sv_status, (POINTER(sv_allocator), c_int64, c_int64, c_size_t, POINTER(c_void_p))),
    # (allocator, pointer, nbytes, alignment, stream) Free what sv_allocator_allocate() of the same allocator gave for
    # the same nbytes and alignment. Takes pointer. Optional: pointer.
    "sv_allocator_free": (sv_status, (POINTER(sv_allocator), c_void_p, c_int64, c_int64, c_size_t)),
    # (allocator, stat, value) Ask the nearest tracked allocator, this one or one that it wraps, for an SV_STAT
    # number; for one of CACHED, the nearest that keeps blocks. Writes value.
    "sv_allocator_stats": (sv_status, (POINTER(sv_allocator), c_int32, POINTER(c_int64))),
    # (allocator) Begin both peaks anew with what is in use now; SV_ERROR_STATE as for sv_allocator_stats().
    "sv_allocator_reset_peaks": (sv_status, (POINTER(sv_allocator),)),
    # (allocator, visit, ctx) Call visit for each live block of the nearest allocator with SV_ALLOCATOR_BLOCKS
    # (SV_ERROR_STATE if there is none). Optional: ctx.
    "sv_allocator_visit": (sv_status, (POINTER(sv_allocator), sv_block_callback, c_void_p)),
    # (device_id, allocate, free, release, ctx, out) Make an allocator of the memory handler of a CUDA device. Writes
    # out. Takes ctx. Optional: release, ctx.
    "sv_allocator_from_handler": (sv_status, (
        c_int32, sv_handler_allocate_callback, sv_handler_free_callback, sv_release_callback, c_void_p,
        POINTER(POINTER(sv_allocator)))),
    # (allocator, pointer, nbytes, stream) device_alloc of a memory handler whose context is an allocator: with it
    # these libraries allocate from libsv. Writes pointer. Optional: stream.
    "sv_handler_allocate_from": (sv_status, (c_void_p, POINTER(c_void_p), c_size_t, c_void_p)),
    # (allocator, pointer, nbytes, stream) device_free of such a handler. Optional: pointer, stream.
    "sv_handler_free_to": (sv_status, (c_void_p, c_void_p, c_size_t, c_void_p)),
    # (device_id, allocate, free, out) Make an allocator of two functions that were written for PyTorch's
    # CUDAPluggableAllocator. Writes out.
    "sv_allocator_from_torch": (sv_status, (
        c_int32, sv_torch_allocate_callback, sv_torch_free_callback, POINTER(POINTER(sv_allocator)))),
    # (device_id, allocator) Say from which allocator sv_torch_allocate() takes the memory of a device; NULL means
    # none again. Optional: allocator.
    "sv_torch_use": (sv_status, (c_int32, POINTER(sv_allocator))),
    # (nbytes, device, stream) Allocate for PyTorch, from the allocator of sv_torch_use(). Optional: stream.
    "sv_torch_allocate": (c_void_p, (c_int64, c_int32, c_void_p)),
    # (pointer, nbytes, device, stream) Free what sv_torch_allocate() gave. Optional: pointer, stream.
    "sv_torch_free": (None, (c_void_p, c_int64, c_int32, c_void_p)),
    # (allocator, nbytes, alignment, flags, stream, out) Allocate memory. Writes out. Optional: allocator.
    "sv_buffer_new": (sv_status, (
        POINTER(sv_allocator), c_int64, c_int64, c_uint32, c_size_t, POINTER(POINTER(sv_buffer)))),
    # (pointer, nbytes, kind, device_type, device_id, flags, stream, free, ctx, out) Make a buffer of memory that
    # somebody else allocated. Writes out. Takes pointer, ctx. Optional: pointer, free, ctx.
    "sv_buffer_adopt": (sv_status, (
        c_void_p, c_int64, sv_memory, c_int32, c_int32, c_uint32, c_size_t, sv_free_callback, c_void_p,
        POINTER(POINTER(sv_buffer)))),
    # (pages, nbytes, flags, release, ctx, out) Page-lock host memory that somebody else allocated, so that CUDA
    # devices use it and copies to them are fast. Writes out. Takes ctx. Optional: pages, release, ctx.
    "sv_buffer_register": (sv_status, (
        c_void_p, c_int64, c_uint32, sv_release_callback, c_void_p, POINTER(POINTER(sv_buffer)))),
    # (buffer, offset, nbytes, flags, out) Make a buffer of a part of another one, without copying; SV_ERROR_RANGE if
    # the part does not lie within it. Writes out.
    "sv_buffer_slice": (sv_status, (POINTER(sv_buffer), c_int64, c_int64, c_uint32, POINTER(POINTER(sv_buffer)))),
    # (buffer) Add a reference. Optional: buffer.
    "sv_buffer_retain": (POINTER(sv_buffer), (POINTER(sv_buffer),)),
    # (buffer) Drop a reference. Takes buffer. Optional: buffer.
    "sv_buffer_release": (None, (POINTER(sv_buffer),)),
    # (buffer) Drop a reference where nothing may be called: in finalisers. Takes buffer. Optional: buffer.
    "sv_buffer_release_later": (None, (POINTER(sv_buffer),)),
    # (buffer, pointer, nbytes, alignment, stream, free, ctx) Take the memory out of libsv's hands. Writes pointer,
    # nbytes, alignment, stream, free, ctx.
    "sv_buffer_detach": (sv_status, (
        POINTER(sv_buffer), POINTER(c_void_p), POINTER(c_int64), POINTER(c_int64), POINTER(c_size_t),
        POINTER(sv_free_callback), POINTER(c_void_p))),
    # (buffer, stream) Free the memory now, whoever holds references: they see a closed buffer.
    "sv_buffer_close": (sv_status, (POINTER(sv_buffer), c_size_t)),
    # (buffer) Address of the first byte, where its device uses it; that of host memory is the host's.
    "sv_buffer_data": (c_void_p, (POINTER(sv_buffer),)),
    # (buffer) Address of the first byte for the host; NULL where the host cannot touch it.
    "sv_buffer_host_data": (c_void_p, (POINTER(sv_buffer),)),
    # (buffer) Size in bytes.
    "sv_buffer_nbytes": (c_int64, (POINTER(sv_buffer),)),
    # (buffer) Bytes that the memory has room for.
    "sv_buffer_capacity": (c_int64, (POINTER(sv_buffer),)),
    # (buffer) The alignment that the address has, and keeps when the memory moves: the one that was asked for.
    "sv_buffer_alignment": (c_int64, (POINTER(sv_buffer),)),
    # (buffer) Kind of the memory.
    "sv_buffer_kind": (sv_memory, (POINTER(sv_buffer),)),
    # (buffer) SV_TRAIT bits of the memory.
    "sv_buffer_traits": (c_uint32, (POINTER(sv_buffer),)),
    # (buffer) SV_DEVICE number of the memory.
    "sv_buffer_device_type": (c_int32, (POINTER(sv_buffer),)),
    # (buffer) Ordinal of the device, 0 for host memory.
    "sv_buffer_device_id": (c_int32, (POINTER(sv_buffer),)),
    # (buffer) The stream that the memory is freed on; 1 where that is another thread's default stream.
    "sv_buffer_stream": (c_size_t, (POINTER(sv_buffer),)),
    # (buffer) The allocator that the memory came from; NULL for adopted memory, and while another thread moves it.
    "sv_buffer_allocator": (POINTER(sv_allocator), (POINTER(sv_buffer),)),
    # (buffer) The buffer that has the memory of a slice; NULL of others.
    "sv_buffer_parent": (POINTER(sv_buffer), (POINTER(sv_buffer),)),
    # (buffer) How many views, slices and other exports point into the memory; those of a slice count at the slice.
    "sv_buffer_exports": (c_int64, (POINTER(sv_buffer),)),
    # (buffer) How many references there are, those of exports among them.
    "sv_buffer_references": (c_int64, (POINTER(sv_buffer),)),
    # (buffer) Whether the buffer has lost its memory by sv_buffer_close() or sv_buffer_detach().
    "sv_buffer_is_closed": (c_int32, (POINTER(sv_buffer),)),
    # (buffer, free) The ctx of memory that was adopted with this free; with NULL, of any that was adopted. Optional:
    # free.
    "sv_buffer_context": (c_void_p, (POINTER(sv_buffer), sv_free_callback)),
    # (buffer) Keep the memory in place for somebody who uses its address, and the buffer alive, until
    # sv_buffer_end_export().
    "sv_buffer_begin_export": (sv_status, (POINTER(sv_buffer),)),
    # (buffer) End what sv_buffer_begin_export() began.
    "sv_buffer_end_export": (None, (POINTER(sv_buffer),)),
    # (buffer, offset, dst, nbytes, flags, stream) Copy bytes to host memory, where they have arrived on return.
    "sv_buffer_read": (sv_status, (POINTER(sv_buffer), c_int64, c_void_p, c_int64, c_uint32, c_size_t)),
    # (buffer, offset, src, nbytes, flags, stream) Copy bytes from host memory, which is free for other use on return;
    # else as sv_buffer_read().
    "sv_buffer_write": (sv_status, (POINTER(sv_buffer), c_int64, c_void_p, c_int64, c_uint32, c_size_t)),
    # (dst, dst_offset, src, src_offset, nbytes, flags, stream) Copy bytes between two buffers of any kinds of memory,
    # or within one; else as sv_buffer_write().
    "sv_buffer_copy": (sv_status, (
        POINTER(sv_buffer), c_int64, POINTER(sv_buffer), c_int64, c_int64, c_uint32, c_size_t)),
    # (buffer, offset, nbytes, item, itemsize, flags, stream) Write one item again and again; else as
    # sv_buffer_write().
    "sv_buffer_fill": (sv_status, (POINTER(sv_buffer), c_int64, c_int64, c_void_p, c_int64, c_uint32, c_size_t)),
    # (buffer, nbytes, flags, stream) Change the size.
    "sv_buffer_resize": (sv_status, (POINTER(sv_buffer), c_int64, c_uint32, c_size_t)),
    # (buffer, capacity, stream) Get memory for a larger size before it is needed; else as sv_buffer_resize().
    "sv_buffer_reserve": (sv_status, (POINTER(sv_buffer), c_int64, c_size_t)),
    # (buffer, stream) Give back what the size does not need: the buffer moves to memory of exactly its size; else as
    # sv_buffer_resize().
    "sv_buffer_shrink": (sv_status, (POINTER(sv_buffer), c_size_t)),
    # (buffer, allocator, flags, stream) Move the bytes to another kind of memory, or another device; else as
    # sv_buffer_resize(). Optional: allocator.
    "sv_buffer_migrate": (sv_status, (POINTER(sv_buffer), POINTER(sv_allocator), c_uint32, c_size_t)),
    # (buffer, stream) Name another stream that the memory is freed on.
    "sv_buffer_set_stream": (sv_status, (POINTER(sv_buffer), c_size_t)),
    # (buffer, stream) Tell that work which has been put on a stream uses the memory.
    "sv_buffer_record_use": (sv_status, (POINTER(sv_buffer), c_size_t)),
    # (count, buffers, device_type, device_id, flags, stream) Move memory to where it will be used, in the order of a
    # stream.
    "sv_buffer_prefetch": (sv_status, (c_int64, POINTER(POINTER(sv_buffer)), c_int32, c_int32, c_uint32, c_size_t)),
    # (count, buffers, device_type, device_id, flags, stream) Say that the contents are not needed any more, in the
    # order of a stream; else as sv_buffer_prefetch().
    "sv_buffer_discard": (sv_status, (c_int64, POINTER(POINTER(sv_buffer)), c_int32, c_int32, c_uint32, c_size_t)),
    # (count, buffers, advice, device_type, device_id, flags) Tell the driver how memory will be used, by an SV_ADVICE
    # number.
    "sv_buffer_advise": (sv_status, (c_int64, POINTER(POINTER(sv_buffer)), c_int32, c_int32, c_int32, c_uint32)),
    # (buffer, capacity, blob, length) Describe device memory for another process of this machine, in SV_IPC_NBYTES
    # bytes that can be sent by any way. Writes blob, length. Optional: blob, length.
    "sv_buffer_export_ipc": (sv_status, (POINTER(sv_buffer), c_size_t, c_void_p, POINTER(c_size_t))),
    # (blob, length, flags, out) Open device memory of another process. Writes out.
    "sv_buffer_import_ipc": (sv_status, (c_void_p, c_size_t, c_uint32, POINTER(POINTER(sv_buffer)))),
    # (flags, left) Free the memory whose free had to wait when its buffer was released. Writes left. Optional: left.
    "sv_memory_collect": (sv_status, (c_uint32, POINTER(c_int64))),
    # (kind, stat, value) How much memory buffers own: what was allocated for them, and what they adopted with a
    # function that frees it. Writes value.
    "sv_memory_stats": (sv_status, (sv_memory, c_int32, POINTER(c_int64))),
    # (dtype, ndim, shape, byte_strides, pointer, flags, out) View an array in host memory that the caller keeps
    # alive. Writes out. Optional: byte_strides, pointer.
    "sv_view_from_host": (sv_status, (
        sv_dtype, c_int32, POINTER(c_int64), POINTER(c_int64), c_void_p, c_uint32, POINTER(POINTER(sv_view)))),
    # (layout, dtype, pointer, nbytes, flags, out) View host memory that the caller keeps alive, through a layout and
    # within a size. Writes out. Optional: pointer.
    "sv_view_from_pointer": (sv_status, (
        POINTER(sv_layout), sv_dtype, c_void_p, c_int64, c_uint32, POINTER(POINTER(sv_view)))),
    # (layout, dtype, base, lower, upper, device_type, device_id, flags, release, ctx, out) View memory of any device,
    # with an owner, through a layout: the general form of sv_view_from_pointer(). Writes out. Takes ctx. Optional:
    # base, release, ctx.
    "sv_view_new": (sv_status, (
        POINTER(sv_layout), sv_dtype, c_void_p, c_int64, c_int64, c_int32, c_int32, c_uint32, sv_release_callback,
        c_void_p, POINTER(POINTER(sv_view)))),
    # (dtype, ndim, shape, byte_strides, pointer, device_type, device_id, flags, release, ctx, out) View an array of
    # any device, with an owner: the general form of sv_view_from_host(). Writes out. Takes ctx. Optional:
    # byte_strides, pointer, release, ctx.
    "sv_view_from_array": (sv_status, (
        sv_dtype, c_int32, POINTER(c_int64), POINTER(c_int64), c_void_p, c_int32, c_int32, c_uint32,
        sv_release_callback, c_void_p, POINTER(POINTER(sv_view)))),
    # (buffer, layout, dtype, offset, flags, out) View the bytes of a buffer through a layout. Writes out. Optional:
    # layout.
    "sv_view_from_buffer": (sv_status, (
        POINTER(sv_buffer), POINTER(sv_layout), sv_dtype, c_int64, c_uint32, POINTER(POINTER(sv_view)))),
    # (tensor, flags, out) View a DLPack tensor of major version 1. Writes out. Takes tensor.
    "sv_view_from_dlpack": (sv_status, (POINTER(DLManagedTensorVersioned), c_uint32, POINTER(POINTER(sv_view)))),
    # (tensor, flags, out) View a DLPack tensor of the old form, which has no version and no flags; else as
    # sv_view_from_dlpack(). Writes out. Takes tensor.
    "sv_view_from_dlpack_unversioned": (sv_status, (POINTER(DLManagedTensor), c_uint32, POINTER(POINTER(sv_view)))),
    # (tensor, flags, release, ctx, out) View what a bare DLTensor describes, which does not own its memory; else as
    # sv_view_from_dlpack(). Writes out. Takes ctx. Optional: release, ctx.
    "sv_view_from_dltensor": (sv_status, (
        c_void_p, c_uint32, sv_release_callback, c_void_p, POINTER(POINTER(sv_view)))),
    # (format, itemsize, ndim, shape, byte_strides, pointer, nbytes, flags, release, ctx, out) View host memory as a
    # Py_buffer or its like describes it (PEP 3118). Writes out. Takes ctx. Optional: format, shape, byte_strides,
    # pointer, release, ctx.
    "sv_view_from_pep3118": (sv_status, (
        c_char_p, c_int64, c_int32, POINTER(c_int64), POINTER(c_int64), c_void_p, c_int64, c_uint32,
        sv_release_callback, c_void_p, POINTER(POINTER(sv_view)))),
    # (typestr, ndim, shape, byte_strides, pointer, device_type, device_id, flags, release, ctx, out) View memory as
    # the fields of __array_interface__ or of __cuda_array_interface__ (version 3) describe it. Writes out. Takes ctx.
    # Optional: byte_strides, pointer, release, ctx.
    "sv_view_from_array_interface": (sv_status, (
        c_char_p, c_int32, POINTER(c_int64), POINTER(c_int64), c_void_p, c_int32, c_int32, c_uint32,
        sv_release_callback, c_void_p, POINTER(POINTER(sv_view)))),
    # (view, layout, out) Read the same memory, from the same base, through another layout of the same item size.
    # Writes out.
    "sv_view_with_layout": (sv_status, (POINTER(sv_view), POINTER(sv_layout), POINTER(POINTER(sv_view)))),
    # (view, builder, out) Read the same memory, from the same base, through what a builder holds; SV_ERROR_STATE if
    # it was not started. Writes out.
    "sv_view_with_builder": (sv_status, (POINTER(sv_view), POINTER(sv_layout_builder), POINTER(POINTER(sv_view)))),
    # (view, ndim, axes, out) The sv_layout operation of the same name, on a view: the same memory, rearranged. Writes
    # out. Optional: axes.
    "sv_view_permute": (sv_status, (POINTER(sv_view), c_int32, POINTER(c_int32), POINTER(POINTER(sv_view)))),
    # (view, count, start, stop, step, out) The sv_layout operation of the same name, on a view: the same memory,
    # rearranged. Writes out. Optional: step.
    "sv_view_slice": (sv_status, (
        POINTER(sv_view), c_int32, POINTER(c_int64), POINTER(c_int64), POINTER(c_int64), POINTER(POINTER(sv_view)))),
    # (view, axis, index, out) The sv_layout operation of the same name, on a view: the same memory, rearranged.
    # Writes out.
    "sv_view_index": (sv_status, (POINTER(sv_view), c_int32, c_int64, POINTER(POINTER(sv_view)))),
    # (view, ndim, shape, out) The sv_layout operation of the same name, on a view: the same memory, rearranged.
    # Writes out.
    "sv_view_reshape": (sv_status, (POINTER(sv_view), c_int32, POINTER(c_int64), POINTER(POINTER(sv_view)))),
    # (view, ndim, shape, out) The sv_layout operation of the same name, on a view: the same memory, rearranged.
    # Writes out.
    "sv_view_broadcast": (sv_status, (POINTER(sv_view), c_int32, POINTER(c_int64), POINTER(POINTER(sv_view)))),
    # (view, dtype, out) Read the same elements as another type of the same size (else SV_ERROR_DTYPE). Writes out.
    "sv_view_with_dtype": (sv_status, (POINTER(sv_view), sv_dtype, POINTER(POINTER(sv_view)))),
    # (view, out) The same view, through which nothing can be written. Writes out.
    "sv_view_as_readonly": (sv_status, (POINTER(sv_view), POINTER(POINTER(sv_view)))),
    # (view) Add a reference. Optional: view.
    "sv_view_retain": (POINTER(sv_view), (POINTER(sv_view),)),
    # (view) Drop a reference. Takes view. Optional: view.
    "sv_view_release": (None, (POINTER(sv_view),)),
    # (view) Address of the element with all indices 0; NULL of an empty view.
    "sv_view_data": (c_void_p, (POINTER(sv_view),)),
    # (view) The layout.
    "sv_view_layout": (POINTER(sv_layout), (POINTER(sv_view),)),
    # (view) Element type.
    "sv_view_dtype": (sv_dtype, (POINTER(sv_view),)),
    # (view) SV_DEVICE number of the memory.
    "sv_view_device_type": (c_int32, (POINTER(sv_view),)),
    # (view) Ordinal of the device.
    "sv_view_device_id": (c_int32, (POINTER(sv_view),)),
    # (view) Whether writing through the view is refused.
    "sv_view_is_readonly": (c_int32, (POINTER(sv_view),)),
    # (view, lower, upper) The bytes that may be touched, relative to the base: [lower, upper), with the unknown
    # limits of sv_view_new(). Writes lower, upper.
    "sv_view_bounds": (sv_status, (POINTER(sv_view), POINTER(c_int64), POINTER(c_int64))),
    # (view) Number of references that keep the memory of a view.
    "sv_view_references": (c_int64, (POINTER(sv_view),)),
    # (view, release) The ctx that the memory of a view, or of the view that it was made from, is let go with, if by
    # this release. Optional: release.
    "sv_view_context": (c_void_p, (POINTER(sv_view), sv_release_callback)),
    # (view) The buffer that a view, or the view it was made from, was made of; NULL when there is none.
    "sv_view_buffer": (POINTER(sv_buffer), (POINTER(sv_view),)),
    # (view, other, work, answer) Whether elements of two views share a byte; those of an empty view do not. Writes
    # answer.
    "sv_view_overlap": (sv_status, (POINTER(sv_view), POINTER(sv_view), c_int64, POINTER(sv_answer))),
    # (view) Look at a view as a standard DLPack structure, for typed access.
    "sv_view_borrow": (POINTER(DLManagedTensorVersioned), (POINTER(sv_view),)),
    # (view, ndim, itemsize, flags, capacity, block) Describe a view for a kernel, as a plain block that is passed by
    # value: Writes block.
    "sv_view_kernel_arg": (sv_status, (POINTER(sv_view), c_int32, c_int64, c_uint32, c_size_t, c_void_p)),
    # (view, flags, out) Hand a view on as a DLPack tensor, version 1.3, which keeps the memory alive. Writes out.
    "sv_view_to_dlpack": (sv_status, (POINTER(sv_view), c_uint32, POINTER(POINTER(DLManagedTensorVersioned)))),
    # (view, out) Hand a view on as a DLPack tensor of the old form; else as sv_view_to_dlpack(). Writes out.
    "sv_view_to_dlpack_unversioned": (sv_status, (POINTER(sv_view), POINTER(POINTER(DLManagedTensor)))),
    # (allocator, dtype, ndim, shape, flags, stream, out) Make a new array: dense, in C order, in memory of its own.
    # Writes out. Optional: allocator.
    "sv_empty": (sv_status, (
        POINTER(sv_allocator), sv_dtype, c_int32, POINTER(c_int64), c_uint32, c_size_t, POINTER(POINTER(sv_view)))),
    # (allocator, layout, dtype, flags, stream, out) Make a new array of a given layout, of any strides, in memory of
    # exactly the bytes that its elements reach. Writes out. Optional: allocator.
    "sv_empty_layout": (sv_status, (
        POINTER(sv_allocator), POINTER(sv_layout), sv_dtype, c_uint32, c_size_t, POINTER(POINTER(sv_view)))),
    # (allocator, view, order, flags, stream, out) Make a new dense array of the shape and element type of another
    # one: "a tensor like this one, on the device". Writes out. Optional: allocator.
    "sv_empty_like": (sv_status, (
        POINTER(sv_allocator), POINTER(sv_view), sv_order, c_uint32, c_size_t, POINTER(POINTER(sv_view)))),
    # (dst, src, flags, stream) Copy every element of src to the place with the same index in dst.
    "sv_copy": (sv_status, (POINTER(sv_view), POINTER(sv_view), c_uint32, c_size_t)),
    # (dst, src, scratch, flags, stream) sv_copy() with memory of the caller's for what it needs on a device.
    # Optional: scratch.
    "sv_copy_with": (sv_status, (POINTER(sv_view), POINTER(sv_view), POINTER(sv_allocator), c_uint32, c_size_t)),
    # (dst, src, scale, nscale, bias, nbias, axis, flags, stream) Copy and convert in one pass, with a scale and a
    # bias: every element of dst becomes src * scale + bias. Optional: scale, bias.
    "sv_copy_scaled": (sv_status, (
        POINTER(sv_view), POINTER(sv_view), POINTER(c_double), c_int64, POINTER(c_double), c_int64, c_int32, c_uint32,
        c_size_t)),
    # (count, dst, src, scale, nscale, bias, nbias, axis, flags, stream, failed) Many scaled copies:
    # sv_copy_scaled(dst[i], src[i], ...) for each i, all with the same scale, bias and axis, as sv_copy_batch() does
    # many copies. Optional: scale, bias, failed.
    "sv_copy_scaled_batch": (sv_status, (
        c_int64, POINTER(POINTER(sv_view)), POINTER(POINTER(sv_view)), POINTER(c_double), c_int64, POINTER(c_double),
        c_int64, c_int32, c_uint32, c_size_t, POINTER(c_int64))),
    # (dst, item, itemsize, flags, stream) Write one item to every element of dst, whatever its layout.
    "sv_fill": (sv_status, (POINTER(sv_view), c_void_p, c_int64, c_uint32, c_size_t)),
    # (count, dst, src, flags, stream, failed) Many copies: sv_copy(dst[i], src[i], flags, stream) for each i, with
    # less overhead for each. Optional: failed.
    "sv_copy_batch": (sv_status, (
        c_int64, POINTER(POINTER(sv_view)), POINTER(POINTER(sv_view)), c_uint32, c_size_t, POINTER(c_int64))),
    # (dst, axis, count, src, flags, stream, failed) Copy arrays beside each other into one: src[0] to the first
    # places along an axis of dst, src[1] to those behind them, and so on. Optional: failed.
    "sv_copy_stack": (sv_status, (
        POINTER(sv_view), c_int32, c_int64, POINTER(POINTER(sv_view)), c_uint32, c_size_t, POINTER(c_int64))),
    # (dst, src, flags, stream, by, device_type, device_id, waits, done, method) Tell how sv_copy(dst, src, flags,
    # stream) would be done: by whom, in which order with the work on streams, and what the call waits for. Writes by,
    # device_type, device_id, waits, done, method. Optional: by, device_type, device_id, waits, done, method.
    "sv_copy_placement": (sv_status, (
        POINTER(sv_view), POINTER(sv_view), c_uint32, c_size_t, POINTER(c_int32), POINTER(c_int32), POINTER(c_int32),
        POINTER(c_int32), POINTER(c_int32), POINTER(c_int32))),
    # (dst, src, flags, out) Plan the copy that sv_copy(dst, src, flags, ...) would do. Writes out.
    "sv_plan_new": (sv_status, (POINTER(sv_view), POINTER(sv_view), c_uint32, POINTER(POINTER(sv_plan)))),
    # (dst, src, scale, nscale, bias, nbias, axis, flags, out) Plan the copy that sv_copy_scaled(dst, src, scale,
    # nscale, bias, nbias, axis, flags, ...) would do. Writes out. Optional: scale, bias.
    "sv_plan_new_scaled": (sv_status, (
        POINTER(sv_view), POINTER(sv_view), POINTER(c_double), c_int64, POINTER(c_double), c_int64, c_int32, c_uint32,
        POINTER(POINTER(sv_plan)))),
    # (plan) Add a reference. Optional: plan.
    "sv_plan_retain": (POINTER(sv_plan), (POINTER(sv_plan),)),
    # (plan) Drop a reference. Takes plan. Optional: plan.
    "sv_plan_release": (None, (POINTER(sv_plan),)),
    # (plan, dst, src, stream) Copy between these addresses of the elements [0,...,0], as sv_view_data() gives them.
    # Optional: dst, src.
    "sv_plan_execute": (sv_status, (POINTER(sv_plan), c_void_p, c_void_p, c_size_t)),
    # (plan, dst, src, stream) Copy between these views: sv_plan_execute() with everything checked.
    "sv_plan_execute_views": (sv_status, (POINTER(sv_plan), POINTER(sv_view), POINTER(sv_view), c_size_t)),
    # (count, plans, dst, src, stream, failed) Many executions: sv_plan_execute(plans[i], dst[i], src[i], stream) for
    # each i. Optional: failed.
    "sv_plan_execute_batch": (sv_status, (
        c_int64, POINTER(POINTER(sv_plan)), POINTER(c_void_p), POINTER(c_void_p), c_size_t, POINTER(c_int64))),
    # (plan, count, dst, src, stream, failed) Many executions of one plan: sv_plan_execute_views(plan, dst[i], src[i],
    # stream) for each i. Optional: failed.
    "sv_plan_execute_views_batch": (sv_status, (
        POINTER(sv_plan), c_int64, POINTER(POINTER(sv_view)), POINTER(POINTER(sv_view)), c_size_t, POINTER(c_int64))),
    # (plan, dst, src, alignment, stream, failed) Many executions of one plan, between addresses that lie in two
    # arrays: sv_plan_execute(plan, dst[i], src[i], stream) for each i, for pages of a cache and the like. Optional:
    # failed.
    "sv_plan_execute_table": (sv_status, (
        POINTER(sv_plan), POINTER(sv_view), POINTER(sv_view), c_int64, c_size_t, POINTER(c_int64))),
    # (plan) What kind of copy it is, as static text; later versions may know more kinds.
    "sv_plan_class": (c_char_p, (POINTER(sv_plan),)),
    # (plan) Name of the kernel that does it, as static text for eyes and tests, which may change from version to
    # version.
    "sv_plan_kernel": (c_char_p, (POINTER(sv_plan),)),
    # (plan, dst, src, capacity, text, length) Write what a plan does and why, in lines of English text for people.
    # Writes text, length. Optional: dst, src, text, length.
    "sv_plan_explain": (sv_status, (
        POINTER(sv_plan), c_void_p, c_void_p, c_size_t, POINTER(c_char), POINTER(c_size_t))),
    # (plan) Bytes that are written, each once.
    "sv_plan_nbytes": (c_int64, (POINTER(sv_plan),)),
    # (plan, read, written) Bytes that go to and from memory, in whole cache lines of 64 bytes, where every line is
    # moved once. Writes read, written.
    "sv_plan_traffic": (sv_status, (POINTER(sv_plan), POINTER(c_int64), POINTER(c_int64))),
    # (plan) How many operations one execution gives to a stream: launches of kernels and copies by a device's copy
    # engine.
    "sv_plan_launches": (c_int64, (POINTER(sv_plan),)),
    # (dst, src, threads, run, ctx, flags, stream) sv_copy() by several threads of the caller. Optional: run, ctx.
    "sv_copy_parallel": (sv_status, (
        POINTER(sv_view), POINTER(sv_view), c_int32, sv_parallel_callback, c_void_p, c_uint32, c_size_t)),
    # (dst, src, scale, nscale, bias, nbias, axis, threads, run, ctx, flags, stream) sv_copy_scaled() by several
    # threads of the caller, where sv_copy_parallel() would share a copy that converts. Optional: scale, bias, run,
    # ctx.
    "sv_copy_scaled_parallel": (sv_status, (
        POINTER(sv_view), POINTER(sv_view), POINTER(c_double), c_int64, POINTER(c_double), c_int64, c_int32, c_int32,
        sv_parallel_callback, c_void_p, c_uint32, c_size_t)),
    # (plan, threads, run, ctx, out) The same plan, executed by several threads of the caller, as sv_copy_parallel()
    # does. Writes out. Optional: run, ctx.
    "sv_plan_with_threads": (sv_status, (
        POINTER(sv_plan), c_int32, sv_parallel_callback, c_void_p, POINTER(POINTER(sv_plan)))),
    # (plan, scratch, out) The same plan with memory of the caller's, as for sv_copy_with(); NULL: the default pool.
    # Writes out. Optional: scratch.
    "sv_plan_with_allocator": (sv_status, (POINTER(sv_plan), POINTER(sv_allocator), POINTER(POINTER(sv_plan)))),
    # (plan, dst, src, limit_ns, stream, out) The same plan, done by the loop that is the fastest on this memory.
    # Writes out.
    "sv_plan_measure": (sv_status, (
        POINTER(sv_plan), POINTER(sv_view), POINTER(sv_view), c_int64, c_size_t, POINTER(POINTER(sv_plan)))),
}


def load(path: str) -> CDLL:
    """Open the library at path and declare its functions. ImportError if it has another ABI version."""
    library = CDLL(path)
    for name, (result, arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    if library.sv_abi_version() != SV_ABI_VERSION:
        raise ImportError(f"{path} has ABI version {library.sv_abi_version()}, not {SV_ABI_VERSION}")
    return library
