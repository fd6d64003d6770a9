//! The C API of libsv: strided array memory of every kind. Its header says what each function does.
//!
//! Generated from include/sv.h by py/gen_bindings.py: do not edit.
#![allow(non_camel_case_types, dead_code)]

use std::marker::{PhantomData, PhantomPinned};
use std::os::raw::{c_char, c_void};


// version
pub const SV_VERSION_MAJOR: i32 = 0;
pub const SV_VERSION_MINOR: i32 = 1;
pub const SV_VERSION_PATCH: i32 = 0;
/// Raised when a program compiled against an older header must not run.
pub const SV_ABI_VERSION: i32 = 0;
/// the CUDA backend is compiled in
pub const SV_FEATURE_CUDA: u32 = 1;
/// every call finds out whether its handles are alive and of the right type
pub const SV_FEATURE_CHECKS: u32 = 2;

// status
/// 0 or a negative code.
pub type sv_status = i32;
pub const SV_OK: sv_status = 0;
/// a pointer that is needed is NULL
pub const SV_ERROR_NULL: sv_status = -1;
/// senseless for any array: negative extent or count, repeated axis, unknown flag
pub const SV_ERROR_INVALID: sv_status = -2;
/// index or axis outside the array
pub const SV_ERROR_INDEX: sv_status = -3;
/// outside bounds: elements past the memory, more than 64 axes, items of no bytes
pub const SV_ERROR_RANGE: sv_status = -4;
/// a size or an offset in bytes does not fit int64
pub const SV_ERROR_OVERFLOW: sv_status = -5;
/// element type unknown, malformed or not the same
pub const SV_ERROR_DTYPE: sv_status = -6;
/// shape or strides do not allow the operation
pub const SV_ERROR_LAYOUT: sv_status = -7;
/// elements share bytes where they must not
pub const SV_ERROR_OVERLAP: sv_status = -8;
/// writing to read-only memory
pub const SV_ERROR_READ_ONLY: sv_status = -9;
/// address not aligned as needed
pub const SV_ERROR_ALIGNMENT: sv_status = -10;
/// device unknown, absent or out of reach
pub const SV_ERROR_DEVICE: sv_status = -11;
/// protocol or ABI version not supported
pub const SV_ERROR_VERSION: sv_status = -12;
/// a foreign structure breaks its own rules
pub const SV_ERROR_PROTOCOL: sv_status = -13;
/// legal, but this build cannot do it
pub const SV_ERROR_UNSUPPORTED: sv_status = -14;
/// out of memory
pub const SV_ERROR_MEMORY: sv_status = -15;
/// the CUDA runtime failed
pub const SV_ERROR_CUDA: sv_status = -16;
/// wrong state: handle released, builder without a layout, tasks left undone
pub const SV_ERROR_STATE: sv_status = -17;
/// refused while something else uses it
pub const SV_ERROR_BLOCKED: sv_status = -18;
/// a device was opened before this process was forked
pub const SV_ERROR_FORKED: sv_status = -19;
/// the caller's buffer is too small; nothing was written
pub const SV_ERROR_BUFFER: sv_status = -20;

// dtype
/// Element type: the DLPack (1.3) triple as code + 256 * bits + 65536 * lanes.
pub type sv_dtype = u32;
pub const SV_OPAQUE: sv_dtype = 0;
pub const SV_BOOL: sv_dtype = 0x010806;
pub const SV_INT8: sv_dtype = 0x010800;
pub const SV_INT16: sv_dtype = 0x011000;
pub const SV_INT32: sv_dtype = 0x012000;
pub const SV_INT64: sv_dtype = 0x014000;
pub const SV_UINT8: sv_dtype = 0x010801;
pub const SV_UINT16: sv_dtype = 0x011001;
pub const SV_UINT32: sv_dtype = 0x012001;
pub const SV_UINT64: sv_dtype = 0x014001;
pub const SV_FLOAT16: sv_dtype = 0x011002;
pub const SV_FLOAT32: sv_dtype = 0x012002;
pub const SV_FLOAT64: sv_dtype = 0x014002;
pub const SV_FLOAT128: sv_dtype = 0x018002;
pub const SV_BFLOAT16: sv_dtype = 0x011004;
pub const SV_COMPLEX32: sv_dtype = 0x012005;
pub const SV_COMPLEX64: sv_dtype = 0x014005;
pub const SV_COMPLEX128: sv_dtype = 0x018005;
pub const SV_FLOAT8_E3M4: sv_dtype = 0x010807;
pub const SV_FLOAT8_E4M3: sv_dtype = 0x010808;
pub const SV_FLOAT8_E4M3B11FNUZ: sv_dtype = 0x010809;
pub const SV_FLOAT8_E4M3FN: sv_dtype = 0x01080a;
pub const SV_FLOAT8_E4M3FNUZ: sv_dtype = 0x01080b;
pub const SV_FLOAT8_E5M2: sv_dtype = 0x01080c;
pub const SV_FLOAT8_E5M2FNUZ: sv_dtype = 0x01080d;
pub const SV_FLOAT8_E8M0FNU: sv_dtype = 0x01080e;
pub const SV_FLOAT4_E2M1FN_X2: sv_dtype = 0x020411;
/// Which conversions are allowed: NumPy's levels, each of which allows what those before it do.
pub type sv_casting = i32;
/// none: the types are equal
pub const SV_CASTING_NO: sv_casting = 0;
/// none either, since byte order is no part of a type
pub const SV_CASTING_EQUIV: sv_casting = 1;
/// each value is kept; also integers of 64 bits to float64, as in NumPy
pub const SV_CASTING_SAFE: sv_casting = 2;
/// what SV_COPY_CAST converts: to the same kind of number, or to a later kind
pub const SV_CASTING_SAME_KIND: sv_casting = 3;
/// what SV_COPY_CAST_UNSAFE converts: any number to any
pub const SV_CASTING_UNSAFE: sv_casting = 4;

// layout
/// Shape, strides, item size and offset.
#[repr(C)]
pub struct sv_layout {
    _opaque: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}
pub const SV_MAX_NDIM: i32 = 64;
/// Order of the axes in memory.
pub type sv_order = i32;
/// the last axis moves fastest
pub const SV_ORDER_C: sv_order = 0;
/// the first axis moves fastest
pub const SV_ORDER_F: sv_order = 1;
/// the order the strides already have
pub const SV_ORDER_K: sv_order = 2;
/// a given list of axes, the slowest first
pub const SV_ORDER_AXES: sv_order = 3;
/// Answer to a question that can be too hard to decide.
pub type sv_answer = i32;
pub const SV_NO: sv_answer = 0;
pub const SV_YES: sv_answer = 1;
/// not decided within the work limit
pub const SV_MAYBE: sv_answer = 2;

// layout builder
/// A layout in the making: operations one after another, in place, and one allocation at the end.
#[repr(C)]
pub struct sv_layout_builder {
    _opaque: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

// device
pub const SV_DEVICE_CPU: i32 = 1;
pub const SV_DEVICE_CUDA: i32 = 2;
pub const SV_DEVICE_CUDA_HOST: i32 = 3;
pub const SV_DEVICE_OPENCL: i32 = 4;
pub const SV_DEVICE_VULKAN: i32 = 7;
pub const SV_DEVICE_METAL: i32 = 8;
pub const SV_DEVICE_VPI: i32 = 9;
pub const SV_DEVICE_ROCM: i32 = 10;
pub const SV_DEVICE_ROCM_HOST: i32 = 11;
pub const SV_DEVICE_EXT: i32 = 12;
pub const SV_DEVICE_CUDA_MANAGED: i32 = 13;
pub const SV_DEVICE_ONEAPI: i32 = 14;
pub const SV_DEVICE_WEBGPU: i32 = 15;
pub const SV_DEVICE_HEXAGON: i32 = 16;
pub const SV_DEVICE_MAIA: i32 = 17;
pub const SV_DEVICE_TRN: i32 = 18;
/// the host reads and writes it
pub const SV_TRAIT_HOST: u32 = 1;
/// kernels on CUDA devices read and write it
pub const SV_TRAIT_CUDA: u32 = 2;
/// a driver moves it between host and devices
pub const SV_TRAIT_MANAGED: u32 = 4;
/// the data pointer is a handle, which offsets must not be added to
pub const SV_TRAIT_HANDLES: u32 = 8;
/// libsv must not write it
pub const SV_TRAIT_READ_ONLY: u32 = 16;
/// allocated and freed in the order of a stream, from a pool
pub const SV_TRAIT_ORDERED: u32 = 32;
/// pages of the host that were page-locked after they had been allocated
pub const SV_TRAIT_REGISTERED: u32 = 64;
/// it belongs to another process
pub const SV_TRAIT_SHARED: u32 = 128;
/// Whether a kind of device can be used, and if not, what is missing.
pub type sv_device_state = i32;
/// one or more devices answer
pub const SV_STATE_READY: sv_device_state = 0;
/// this build has no code for it
pub const SV_STATE_NO_BACKEND: sv_device_state = 1;
/// no driver is installed
pub const SV_STATE_NO_DRIVER: sv_device_state = 2;
/// the driver is older than the runtime in this library
pub const SV_STATE_DRIVER_TOO_OLD: sv_device_state = 3;
/// a driver, but no device
pub const SV_STATE_NO_DEVICE: sv_device_state = 4;
/// only the toolkit's stub library was found in the driver's place
pub const SV_STATE_STUB_DRIVER: sv_device_state = 5;
/// the driver answers with another error
pub const SV_STATE_BROKEN: sv_device_state = 6;
/// bytes of memory
pub const SV_PROPERTY_MEMORY_TOTAL: i32 = 1;
/// bytes of memory that can be had at the moment
pub const SV_PROPERTY_MEMORY_FREE: i32 = 2;
/// 1: kernels read and write ordinary memory of the host
pub const SV_PROPERTY_PAGEABLE_ACCESS: i32 = 3;
/// 1: host and device may use managed memory at the same time
pub const SV_PROPERTY_CONCURRENT_MANAGED: i32 = 4;
/// 1: stream-ordered pools of device memory
pub const SV_PROPERTY_POOLS: i32 = 5;
/// 1: stream-ordered pools of pinned memory
pub const SV_PROPERTY_HOST_POOLS: i32 = 6;
/// 1: stream-ordered pools of managed memory
pub const SV_PROPERTY_MANAGED_POOLS: i32 = 7;
/// 1: device memory can be shared with other processes
pub const SV_PROPERTY_IPC: i32 = 8;
/// 10 * major + minor, such as 90
pub const SV_PROPERTY_COMPUTE_CAPABILITY: i32 = 9;
/// how many there are
pub const SV_PROPERTY_MULTIPROCESSORS: i32 = 10;

// stream

// memory
/// Kinds of memory, by who can touch it.
pub type sv_memory = i32;
/// not known
pub const SV_MEMORY_UNKNOWN: sv_memory = 0;
/// ordinary memory of this process
pub const SV_MEMORY_HOST: sv_memory = 1;
/// page-locked memory of the host, which CUDA devices read and write too
pub const SV_MEMORY_PINNED: sv_memory = 2;
/// memory of one CUDA device
pub const SV_MEMORY_DEVICE: sv_memory = 3;
/// one address for host and devices; the driver moves the pages
pub const SV_MEMORY_MANAGED: sv_memory = 4;
/// of another kind of device: kept and passed on, never touched
pub const SV_MEMORY_FOREIGN: sv_memory = 5;
/// it is rarely written: each device may have a copy
pub const SV_ADVICE_READ_MOSTLY: i32 = 1;
pub const SV_ADVICE_NOT_READ_MOSTLY: i32 = 2;
/// it is best kept in the memory of one device, or of the host
pub const SV_ADVICE_PREFER: i32 = 3;
pub const SV_ADVICE_NOT_PREFER: i32 = 4;
/// one device, or the host, uses it from where it lies
pub const SV_ADVICE_ACCESSED_BY: i32 = 5;
pub const SV_ADVICE_NOT_ACCESSED_BY: i32 = 6;
/// Called when nothing needs the memory any more: once, on the thread that drops the last reference.
pub type sv_release_callback = Option<unsafe extern "C" fn(ctx: *mut c_void)>;

// allocator
/// Where bytes come from: the system, a CUDA driver, a pool, callbacks, or another allocator.
#[repr(C)]
pub struct sv_allocator {
    _opaque: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}
/// host: ask the system for huge pages for 2 MiB and more; a hint
pub const SV_ALLOCATOR_HUGE_PAGES: u32 = 1;
/// tracked: keep a list of live blocks
pub const SV_ALLOCATOR_BLOCKS: u32 = 2;
/// host: find writes past the end of a block when it is freed
pub const SV_ALLOCATOR_GUARD: u32 = 4;
/// host: ask the system for none, however large a block is; a hint
pub const SV_ALLOCATOR_NO_HUGE_PAGES: u32 = 8;
/// Allocates nbytes bytes, more than 0, at a multiple of alignment, a power of two.
pub type sv_allocate_callback = Option<unsafe extern "C" fn(ctx: *mut c_void, nbytes: i64, alignment: i64, stream: usize, out: *mut *mut c_void) -> sv_status>;
/// Frees what was allocated with the same nbytes and alignment; stream can be another one.
pub type sv_free_callback = Option<unsafe extern "C" fn(ctx: *mut c_void, pointer: *mut c_void, nbytes: i64, alignment: i64, stream: usize) -> sv_status>;
/// a block
pub const SV_EVENT_ALLOCATED: i32 = 1;
/// a block will be freed now, so that its address cannot be another's yet
pub const SV_EVENT_FREED: i32 = 2;
/// an allocation, and pointer is NULL; or the free that was told before
pub const SV_EVENT_FAILED: i32 = 3;
/// Told by a logged allocator.
pub type sv_memory_callback = Option<unsafe extern "C" fn(ctx: *mut c_void, event: i32, pointer: *const c_void, nbytes: i64, stream: usize)>;
/// Asked when an allocation of nbytes failed with SV_ERROR_MEMORY; attempt counts from 1.
pub type sv_no_memory_callback = Option<unsafe extern "C" fn(ctx: *mut c_void, nbytes: i64, attempt: i32) -> i32>;
/// One live block of a tracked allocator; number counts its allocations from 1.
pub type sv_block_callback = Option<unsafe extern "C" fn(ctx: *mut c_void, number: i64, pointer: *const c_void, nbytes: i64, stream: usize) -> i32>;
/// in use
pub const SV_STAT_LIVE_BYTES: i32 = 0;
/// blocks in use
pub const SV_STAT_LIVE_COUNT: i32 = 1;
/// the most that were in use at a time
pub const SV_STAT_PEAK_BYTES: i32 = 2;
/// the most blocks that were in use at a time
pub const SV_STAT_PEAK_COUNT: i32 = 3;
/// all that were ever allocated
pub const SV_STAT_TOTAL_BYTES: i32 = 4;
/// all blocks that were ever allocated
pub const SV_STAT_TOTAL_COUNT: i32 = 5;
/// allocations that failed
pub const SV_STAT_FAILED_COUNT: i32 = 6;
/// released, not yet freed; not of allocators
pub const SV_STAT_DEFERRED_BYTES: i32 = 7;
/// blocks released, not yet freed; not of allocators
pub const SV_STAT_DEFERRED_COUNT: i32 = 8;
/// given up, since freeing them failed
pub const SV_STAT_LOST_BYTES: i32 = 9;
/// blocks given up
pub const SV_STAT_LOST_COUNT: i32 = 10;
/// freed, and kept for other allocations by sv_allocator_cached()
pub const SV_STAT_CACHED_BYTES: i32 = 11;
/// blocks freed and kept
pub const SV_STAT_CACHED_COUNT: i32 = 12;
/// The function of a memory handler of NVIDIA's libraries that allocates memory of a device; 0 is success.
pub type sv_handler_allocate_callback = Option<unsafe extern "C" fn(ctx: *mut c_void, pointer: *mut *mut c_void, nbytes: usize, stream: *mut c_void) -> i32>;
/// The one that frees.
pub type sv_handler_free_callback = Option<unsafe extern "C" fn(ctx: *mut c_void, pointer: *mut c_void, nbytes: usize, stream: *mut c_void) -> i32>;
/// The function that allocates for PyTorch's CUDAPluggableAllocator; NULL: it failed.
pub type sv_torch_allocate_callback = Option<unsafe extern "C" fn(nbytes: i64, device: i32, stream: *mut c_void) -> *mut c_void>;
/// The one that frees.
pub type sv_torch_free_callback = Option<unsafe extern "C" fn(pointer: *mut c_void, nbytes: i64, device: i32, stream: *mut c_void)>;

// buffer
/// Bytes with an owner: one allocation of any kind of memory.
#[repr(C)]
pub struct sv_buffer {
    _opaque: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}
/// new bytes are 0
pub const SV_BUFFER_ZERO: u32 = 2;
/// the contents need not be kept
pub const SV_BUFFER_DISCARD: u32 = 4;
/// the caller keeps the memory alive
pub const SV_BUFFER_BORROWED: u32 = 8;
/// the driver is not asked whether kind and device are right
pub const SV_BUFFER_TRUST: u32 = 16;
/// an error where a hint has no effect
pub const SV_BUFFER_STRICT: u32 = 32;
/// bytes that tell another process of a buffer
pub const SV_IPC_NBYTES: i32 = 160;
/// wait for the work that uses the memory
pub const SV_COLLECT_WAIT: u32 = 1;

// view
/// Memory of somebody else, read through a layout.
#[repr(C)]
pub struct sv_view {
    _opaque: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}
#[repr(C)]
pub struct DLManagedTensorVersioned {
    _opaque: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}
#[repr(C)]
pub struct DLManagedTensor {
    _opaque: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}
/// libsv must not write through this view
pub const SV_READ_ONLY: u32 = 1;
/// for exports: nobody else shares this memory
pub const SV_IS_COPIED: u32 = 2;
/// the kernel writes elements: SV_ERROR_READ_ONLY of a read-only view
pub const SV_KERNEL_WRITES: i32 = 1;
/// memory of the host alone is taken too
pub const SV_KERNEL_HOST: i32 = 2;

// empty

// copy
/// SV_ERROR_OVERLAP rather than a temporary
pub const SV_COPY_NO_TEMP: u32 = 1;
/// the caller knows that no two elements of dst share a byte, if proof is too hard
pub const SV_COPY_TRUST: u32 = 2;
/// return when the elements have arrived, on devices too
pub const SV_COPY_BLOCKING: u32 = 4;
/// convert to the same kind or a later one: bool, unsigned, signed, floating, complex
pub const SV_COPY_CAST: u32 = 8;
/// convert elements to any kind: fractions, signs and imaginary parts may be lost
pub const SV_COPY_CAST_UNSAFE: u32 = 16;
/// first reverse the bytes of each number of src, of complex ones those of each part
pub const SV_COPY_SWAP: u32 = 32;
/// SV_ERROR_BLOCKED, and nothing is done, rather than wait for a device
pub const SV_COPY_NO_WAIT: u32 = 64;
/// the host stores past its caches, whatever the size, as it does for large copies
pub const SV_COPY_NON_TEMPORAL: u32 = 128;
/// nothing
pub const SV_WAITS_NOTHING: i32 = 0;
/// copies before it that use the pinned memory of libsv, if all of that is in use
pub const SV_WAITS_RING: i32 = 1;
/// all that the stream holds
pub const SV_WAITS_STREAM: i32 = 2;
/// the same, and devices that do not have SV_PROPERTY_CONCURRENT_MANAGED
pub const SV_WAITS_DEVICES: i32 = 3;
/// it is in the order of the stream, which uses both sides until then
pub const SV_DONE_NOTHING: i32 = 0;
/// src has been read; the stream uses dst until then
pub const SV_DONE_READING: i32 = 1;
/// the elements have arrived
pub const SV_DONE_ALL: i32 = 2;
/// there is nothing to do: no element, or each is its own source
pub const SV_METHOD_NOTHING: i32 = 0;
/// straight, or in chunks that the copy allocates by itself
pub const SV_METHOD_DIRECT: i32 = 1;
/// in chunks through pinned memory of libsv
pub const SV_METHOD_RING: i32 = 2;
/// the two sides share bytes: in an order that allows it, or by exchange
pub const SV_METHOD_IN_PLACE: i32 = 3;
/// they do, and src is first copied to a temporary beside it
pub const SV_METHOD_TEMPORARY: i32 = 4;
/// the same of device or managed memory, and the temporary is on the host
pub const SV_METHOD_HOST_TEMPORARY: i32 = 5;
/// by the caller's threads, which sv_plan_explain() tells of plans with threads
pub const SV_METHOD_TASKS: i32 = 6;

// plan
/// What sv_copy() decides before it moves a byte: which elements go where, and by which kernel.
#[repr(C)]
pub struct sv_plan {
    _opaque: [u8; 0],
    _marker: PhantomData<(*mut u8, PhantomPinned)>,
}

// threads
/// One of the tasks that a copy is split into.
pub type sv_task_callback = Option<unsafe extern "C" fn(ctx: *mut c_void, index: i64)>;
/// The caller's threads: calls task(task_ctx, index) once for each index from 0 to count - 1.
pub type sv_parallel_callback = Option<unsafe extern "C" fn(ctx: *mut c_void, count: i64, task: sv_task_callback, task_ctx: *mut c_void) -> sv_status>;

#[link(name = "sv")]
unsafe extern "C" {
    /// Version of the library that runs: 10000 * major + 100 * minor + patch.
    pub fn sv_version() -> i32;
    /// Version of the library that runs, as static text: "0.1.0".
    pub fn sv_version_text() -> *const c_char;
    /// SV_ABI_VERSION of the library that runs.
    pub fn sv_abi_version() -> i32;
    /// The SV_FEATURE bits this library was built with.
    pub fn sv_features() -> u32;
    /// Name of a status as static text, "SV_ERROR_INDEX"; of an unknown number "SV_ERROR_UNKNOWN".
    pub fn sv_status_name(status: sv_status) -> *const c_char;
    /// What went wrong in the last call on this thread that failed.
    pub fn sv_last_message() -> *const c_char;
    /// Make an element type from its DLPack parts: type code, bits of one lane, and 1 lane or the width of a vector.
    /// Writes out.
    pub fn sv_dtype_make(code: i32, bits: i32, lanes: i32, out: *mut sv_dtype) -> sv_status;
    /// Bytes of one element; 0 for SV_OPAQUE and for a number that is no type.
    pub fn sv_dtype_itemsize(dtype: sv_dtype) -> i64;
    /// DLPack's code: 0 signed, 1 unsigned, 2 floating, and so on; -1 of SV_OPAQUE and of a number that is no type.
    pub fn sv_dtype_code(dtype: sv_dtype) -> i32;
    /// Bits of one lane; 0 of SV_OPAQUE and of a number that is no type.
    pub fn sv_dtype_bits(dtype: sv_dtype) -> i32;
    /// Lanes: 1, or the width of a vector; 0 of SV_OPAQUE and of a number that is no type.
    pub fn sv_dtype_lanes(dtype: sv_dtype) -> i32;
    /// Write the name of a type: "float32", "float32x4" with four lanes, "opaque". Writes text, length. Optional:
    /// text, length.
    pub fn sv_dtype_name(dtype: sv_dtype, capacity: usize, text: *mut c_char, length: *mut usize) -> sv_status;
    /// Read a name that sv_dtype_name() writes; SV_ERROR_DTYPE where there is no such name. Writes out.
    pub fn sv_dtype_parse(name: *const c_char, out: *mut sv_dtype) -> sv_status;
    /// Write the type string of NumPy's array interface, "<f4". Writes text, length. Optional: text, length.
    pub fn sv_dtype_typestr(dtype: sv_dtype, capacity: usize, text: *mut c_char, length: *mut usize) -> sv_status;
    /// Read a type string of the array interface, version 3. Writes out.
    pub fn sv_dtype_from_typestr(typestr: *const c_char, out: *mut sv_dtype) -> sv_status;
    /// Write the PEP 3118 format of a type, "f", "Zd"; SV_ERROR_DTYPE for a type without a format. Writes text,
    /// length. Optional: text, length.
    pub fn sv_dtype_format(dtype: sv_dtype, capacity: usize, text: *mut c_char, length: *mut usize) -> sv_status;
    /// Read a PEP 3118 format of one number, in native or byte-equal order. Writes out. Optional: format.
    pub fn sv_dtype_from_format(format: *const c_char, itemsize: i64, out: *mut sv_dtype) -> sv_status;
    /// Whether a copy converts elements of one type to another at a level of casting: 1 or 0.
    pub fn sv_can_cast(source: sv_dtype, target: sv_dtype, casting: sv_casting) -> i32;
    /// Make a layout from strides in elements; NULL means C order without gaps. Writes out. Optional: strides.
    pub fn sv_layout_new(
        ndim: i32, shape: *const i64, strides: *const i64, itemsize: i64, out: *mut *mut sv_layout) -> sv_status;
    /// Make a layout from strides in bytes; else as sv_layout_new(). Writes out. Optional: byte_strides.
    pub fn sv_layout_new_bytes(
        ndim: i32, shape: *const i64, byte_strides: *const i64, itemsize: i64, out: *mut *mut sv_layout) -> sv_status;
    /// Make a layout without gaps. Writes out. Optional: axes.
    pub fn sv_layout_new_dense(
        ndim: i32, shape: *const i64, order: sv_order, axes: *const i32, itemsize: i64, out: *mut *mut sv_layout) -> sv_status;
    /// Make a layout from one line of text, as sv_layout_text() writes it: Writes out.
    pub fn sv_layout_parse(text: *const c_char, out: *mut *mut sv_layout) -> sv_status;
    /// Add a reference. Optional: layout.
    pub fn sv_layout_retain(layout: *const sv_layout) -> *mut sv_layout;
    /// Drop a reference. Takes layout. Optional: layout.
    pub fn sv_layout_release(layout: *mut sv_layout);
    /// Number of axes.
    pub fn sv_layout_ndim(layout: *const sv_layout) -> i32;
    /// The ndim extents.
    pub fn sv_layout_shape(layout: *const sv_layout) -> *const i64;
    /// The ndim strides in bytes.
    pub fn sv_layout_byte_strides(layout: *const sv_layout) -> *const i64;
    /// The ndim strides in elements; SV_ERROR_LAYOUT if a stride in bytes is no multiple of the item size. Writes
    /// strides.
    pub fn sv_layout_strides(layout: *const sv_layout, strides: *mut *const i64) -> sv_status;
    /// Bytes of one element.
    pub fn sv_layout_itemsize(layout: *const sv_layout) -> i64;
    /// Number of elements; 1 without axes.
    pub fn sv_layout_size(layout: *const sv_layout) -> i64;
    /// Bytes of all elements: size * itemsize.
    pub fn sv_layout_nbytes(layout: *const sv_layout) -> i64;
    /// Bytes from the base to the element [0,...,0].
    pub fn sv_layout_byte_offset(layout: *const sv_layout) -> i64;
    /// Whether the elements follow one another without gaps in an order; for another order than these three, no.
    pub fn sv_layout_is_contiguous(layout: *const sv_layout, order: sv_order) -> i32;
    /// Whether the elements fill bytes from the base on: contiguous in any order of the axes, and no offset; or
    /// empty.
    pub fn sv_layout_is_dense(layout: *const sv_layout) -> i32;
    /// Whether every byte of every element lies in [lower, upper), relative to the base; or the layout is empty.
    pub fn sv_layout_is_within(layout: *const sv_layout, lower: i64, upper: i64) -> i32;
    /// The bytes that elements occupy, relative to the base: [lower, upper). Writes lower, upper.
    pub fn sv_layout_byte_bounds(layout: *const sv_layout, lower: *mut i64, upper: *mut i64) -> sv_status;
    /// Bytes that memory from the base on must have to hold every element; SV_ERROR_LAYOUT if one lies below the
    /// base. Writes nbytes.
    pub fn sv_layout_required_size(layout: *const sv_layout, nbytes: *mut i64) -> sv_status;
    /// The ndim axes by the size of their stride, the slowest first. Writes axes.
    pub fn sv_layout_stride_order(layout: *const sv_layout, axes: *mut i32) -> sv_status;
    /// Which axes continue the axis before them: bit i of the result is set when axis i can be merged into axis i -
    /// 1.
    pub fn sv_layout_flatten_mask(layout: *const sv_layout) -> u64;
    /// The alignment that all elements have in common: the largest power of two that divides the address of each.
    /// Writes alignment.
    pub fn sv_layout_alignment(layout: *const sv_layout, address: usize, alignment: *mut i64) -> sv_status;
    /// The largest item size, a divisor of limit, that sv_layout_repack() would take with the same address and axis.
    /// Writes itemsize.
    pub fn sv_layout_max_itemsize(
        layout: *const sv_layout, limit: i64, address: usize, axis: i32, itemsize: *mut i64) -> sv_status;
    /// Whether two layouts have the same shape, item size and, unless they are empty, offset and strides.
    pub fn sv_layout_equal(layout: *const sv_layout, other: *const sv_layout) -> i32;
    /// Hash value, the same for equal layouts.
    pub fn sv_layout_hash(layout: *const sv_layout) -> u64;
    /// Write a layout as one line, "(3, 450):(1, -3)*4+5388", which sv_layout_parse() reads back to an equal one.
    /// Writes text, length. Optional: text, length.
    pub fn sv_layout_text(
        layout: *const sv_layout, capacity: usize, text: *mut c_char, length: *mut usize) -> sv_status;
    /// Whether no two different indices share a byte; an empty layout is unique. Writes answer.
    pub fn sv_layout_is_unique(layout: *const sv_layout, work: i64, answer: *mut sv_answer) -> sv_status;
    /// Whether elements of two layouts, of any shapes and item sizes, share a byte, each read from a base address.
    /// Writes answer.
    pub fn sv_layout_overlap(
        layout: *const sv_layout, other: *const sv_layout, address: usize, other_address: usize, work: i64,
        answer: *mut sv_answer) -> sv_status;
    /// Whether two layouts of any shapes and item sizes, walked in C order, visit the same bytes; two empty ones do.
    pub fn sv_layout_same_bytes(layout: *const sv_layout, other: *const sv_layout) -> i32;
    /// Bring two layouts to the fewest axes that pair the same elements: the form in which sv_copy() reads them
    /// together. Writes dst_out, src_out.
    pub fn sv_layout_common(
        dst: *const sv_layout, src: *const sv_layout, dst_out: *mut *mut sv_layout, src_out: *mut *mut sv_layout) -> sv_status;
    /// The widest word, in bytes, by which two layouts can be walked together from their base addresses. Writes
    /// itemsize.
    pub fn sv_layout_common_itemsize(
        dst: *const sv_layout, src: *const sv_layout, dst_address: usize, src_address: usize, limit: i64,
        itemsize: *mut i64) -> sv_status;
    /// The shape that two layouts are broadcast to together; SV_ERROR_LAYOUT if two extents differ and neither is 1.
    /// Writes ndim, shape.
    pub fn sv_layout_broadcast_shape(
        layout: *const sv_layout, other: *const sv_layout, ndim: *mut i32, shape: *mut i64) -> sv_status;
    /// The ndim axes by which sv_layout_permute() makes other of layout; SV_ERROR_LAYOUT if there is no such order.
    /// Writes axes.
    pub fn sv_layout_permutation(layout: *const sv_layout, other: *const sv_layout, axes: *mut i32) -> sv_status;
    /// Reorder the axes: axis i of the result is axis axes[i] of layout. Writes out. Optional: axes.
    pub fn sv_layout_permute(
        layout: *const sv_layout, ndim: i32, axes: *const i32, out: *mut *mut sv_layout) -> sv_status;
    /// Take every step-th index of the first count axes, from start up to, not including, stop; the others stay
    /// whole. Writes out. Optional: step.
    pub fn sv_layout_slice(
        layout: *const sv_layout, count: i32, start: *const i64, stop: *const i64, step: *const i64,
        out: *mut *mut sv_layout) -> sv_status;
    /// Take one index of an axis, -extent to extent - 1, and drop the axis. Writes out.
    pub fn sv_layout_index(layout: *const sv_layout, axis: i32, index: i64, out: *mut *mut sv_layout) -> sv_status;
    /// Give the same elements, in C order of their indices, another shape. Writes out.
    pub fn sv_layout_reshape(
        layout: *const sv_layout, ndim: i32, shape: *const i64, out: *mut *mut sv_layout) -> sv_status;
    /// Broadcast to a shape: repeat along new leading axes, and along axes of extent 1, by strides of 0. Writes out.
    pub fn sv_layout_broadcast(
        layout: *const sv_layout, ndim: i32, shape: *const i64, out: *mut *mut sv_layout) -> sv_status;
    /// Drop count axes of extent 1 (else SV_ERROR_LAYOUT); NULL drops all of them, and count is not read. Writes out.
    /// Optional: axes.
    pub fn sv_layout_squeeze(
        layout: *const sv_layout, count: i32, axes: *const i32, out: *mut *mut sv_layout) -> sv_status;
    /// Insert count axes of extent 1, at the places that axes gives, in any order, counted in the result. Writes out.
    pub fn sv_layout_unsqueeze(
        layout: *const sv_layout, count: i32, axes: *const i32, out: *mut *mut sv_layout) -> sv_status;
    /// The layout that a packed copy of the elements would have: the same shape, no gaps, no offset. Writes out.
    /// Optional: axes.
    pub fn sv_layout_to_dense(
        layout: *const sv_layout, order: sv_order, ndim: i32, axes: *const i32, itemsize: i64,
        out: *mut *mut sv_layout) -> sv_status;
    /// Merge neighbouring axes that step as one, as far as the strides allow. Writes out.
    pub fn sv_layout_flatten(
        layout: *const sv_layout, start_axis: i32, end_axis: i32, out: *mut *mut sv_layout) -> sv_status;
    /// Merge each axis whose bit is set into the axis before it, where the strides allow it. Writes out.
    pub fn sv_layout_flatten_masked(layout: *const sv_layout, mask: u64, out: *mut *mut sv_layout) -> sv_status;
    /// Merge the axes from start_axis to end_axis into one. Writes out.
    pub fn sv_layout_merge_axes(
        layout: *const sv_layout, start_axis: i32, end_axis: i32, out: *mut *mut sv_layout) -> sv_status;
    /// Split one axis into several, in C order. Writes out.
    pub fn sv_layout_split_axis(
        layout: *const sv_layout, axis: i32, count: i32, extents: *const i64, out: *mut *mut sv_layout) -> sv_status;
    /// Move count axes to other places, counted in the result; the rest keep their order. Writes out.
    pub fn sv_layout_move_axes(
        layout: *const sv_layout, count: i32, axes: *const i32, places: *const i32, out: *mut *mut sv_layout) -> sv_status;
    /// Exchange two axes, which may be the same. Writes out.
    pub fn sv_layout_swap_axes(
        layout: *const sv_layout, axis: i32, other: i32, out: *mut *mut sv_layout) -> sv_status;
    /// Reverse count axes, so that index 0 becomes the last one; NULL reverses all, and count is not read. Writes
    /// out. Optional: axes.
    pub fn sv_layout_flip(
        layout: *const sv_layout, count: i32, axes: *const i32, out: *mut *mut sv_layout) -> sv_status;
    /// Take the elements whose indices along two axes differ by offset, as the last axis of the result. Writes out.
    pub fn sv_layout_diagonal(
        layout: *const sv_layout, offset: i64, axis: i32, other: i32, out: *mut *mut sv_layout) -> sv_status;
    /// Look at every place of a sliding window. Writes out. Optional: axes.
    pub fn sv_layout_window(
        layout: *const sv_layout, count: i32, axes: *const i32, window: *const i64, out: *mut *mut sv_layout) -> sv_status;
    /// Read the same bytes as items of another size: along an axis, several items become one, or one becomes several.
    /// Writes out.
    pub fn sv_layout_repack(
        layout: *const sv_layout, itemsize: i64, address: usize, axis: i32, keep_dim: i32, out: *mut *mut sv_layout) -> sv_status;
    /// Make a builder, which has no layout yet. Writes out.
    pub fn sv_layout_builder_new(out: *mut *mut sv_layout_builder) -> sv_status;
    /// End a builder. Takes builder. Optional: builder.
    pub fn sv_layout_builder_release(builder: *mut sv_layout_builder);
    /// Start from a layout, at any time again.
    pub fn sv_layout_builder_start(builder: *mut sv_layout_builder, layout: *const sv_layout) -> sv_status;
    /// The sv_layout operation of the same name, in place. Optional: axes.
    pub fn sv_layout_builder_permute(builder: *mut sv_layout_builder, ndim: i32, axes: *const i32) -> sv_status;
    /// The sv_layout operation of the same name, in place. Optional: step.
    pub fn sv_layout_builder_slice(
        builder: *mut sv_layout_builder, count: i32, start: *const i64, stop: *const i64, step: *const i64) -> sv_status;
    /// The sv_layout operation of the same name, in place.
    pub fn sv_layout_builder_index(builder: *mut sv_layout_builder, axis: i32, index: i64) -> sv_status;
    /// The sv_layout operation of the same name, in place.
    pub fn sv_layout_builder_reshape(builder: *mut sv_layout_builder, ndim: i32, shape: *const i64) -> sv_status;
    /// The sv_layout operation of the same name, in place.
    pub fn sv_layout_builder_broadcast(builder: *mut sv_layout_builder, ndim: i32, shape: *const i64) -> sv_status;
    /// The sv_layout operation of the same name, in place. Optional: axes.
    pub fn sv_layout_builder_squeeze(builder: *mut sv_layout_builder, count: i32, axes: *const i32) -> sv_status;
    /// The sv_layout operation of the same name, in place.
    pub fn sv_layout_builder_unsqueeze(builder: *mut sv_layout_builder, count: i32, axes: *const i32) -> sv_status;
    /// The sv_layout operation of the same name, in place. Optional: axes.
    pub fn sv_layout_builder_to_dense(
        builder: *mut sv_layout_builder, order: sv_order, ndim: i32, axes: *const i32, itemsize: i64) -> sv_status;
    /// The sv_layout operation of the same name, in place.
    pub fn sv_layout_builder_flatten(builder: *mut sv_layout_builder, start_axis: i32, end_axis: i32) -> sv_status;
    /// The sv_layout operation of the same name, in place.
    pub fn sv_layout_builder_flatten_masked(builder: *mut sv_layout_builder, mask: u64) -> sv_status;
    /// The sv_layout operation of the same name, in place.
    pub fn sv_layout_builder_merge_axes(builder: *mut sv_layout_builder, start_axis: i32, end_axis: i32) -> sv_status;
    /// The sv_layout operation of the same name, in place.
    pub fn sv_layout_builder_split_axis(
        builder: *mut sv_layout_builder, axis: i32, count: i32, extents: *const i64) -> sv_status;
    /// The sv_layout operation of the same name, in place.
    pub fn sv_layout_builder_move_axes(
        builder: *mut sv_layout_builder, count: i32, axes: *const i32, places: *const i32) -> sv_status;
    /// The sv_layout operation of the same name, in place.
    pub fn sv_layout_builder_swap_axes(builder: *mut sv_layout_builder, axis: i32, other: i32) -> sv_status;
    /// The sv_layout operation of the same name, in place. Optional: axes.
    pub fn sv_layout_builder_flip(builder: *mut sv_layout_builder, count: i32, axes: *const i32) -> sv_status;
    /// The sv_layout operation of the same name, in place.
    pub fn sv_layout_builder_diagonal(
        builder: *mut sv_layout_builder, offset: i64, axis: i32, other: i32) -> sv_status;
    /// The sv_layout operation of the same name, in place. Optional: axes.
    pub fn sv_layout_builder_window(
        builder: *mut sv_layout_builder, count: i32, axes: *const i32, window: *const i64) -> sv_status;
    /// The sv_layout operation of the same name, in place.
    pub fn sv_layout_builder_repack(
        builder: *mut sv_layout_builder, itemsize: i64, address: usize, axis: i32, keep_dim: i32) -> sv_status;
    /// Make a layout of what the builder holds, which stays as it is. Writes out.
    pub fn sv_layout_builder_finish(builder: *const sv_layout_builder, out: *mut *mut sv_layout) -> sv_status;
    /// Name of a kind of memory, for programs and their output: "cpu", "cuda", "cuda_host", "cuda_managed", "oneapi".
    pub fn sv_device_name(device_type: i32) -> *const c_char;
    /// The SV_TRAIT bits that hold for all memory of a kind; 0 for a number that no device type has.
    pub fn sv_device_traits(device_type: i32) -> u32;
    /// Find out whether a kind of device can be used, and how many there are: 0 unless ready. Writes state, count.
    /// Optional: count.
    pub fn sv_device_probe(device_type: i32, state: *mut sv_device_state, count: *mut i32) -> sv_status;
    /// Write in words what sv_device_probe() finds, versions included. Writes text, length. Optional: text, length.
    pub fn sv_device_text(device_type: i32, capacity: usize, text: *mut c_char, length: *mut usize) -> sv_status;
    /// Ask for an SV_PROPERTY number that describes a device; SV_ERROR_DEVICE if no device is ready. Writes value.
    pub fn sv_device_property(device_type: i32, device_id: i32, property: i32, value: *mut i64) -> sv_status;
    /// Let a stream wait for another: what is put on stream from now on starts after all that other holds now.
    pub fn sv_stream_wait(
        device_type: i32, device_id: i32, stream: usize, other_device_type: i32, other_device_id: i32, other: usize) -> sv_status;
    /// Wait, on the host, until all that a stream holds is done.
    pub fn sv_stream_synchronize(device_type: i32, device_id: i32, stream: usize) -> sv_status;
    /// Ask which device a stream belongs to, and whether it is being captured into a graph, so that what is put on it
    /// is recorded and runs later. Writes owner, captured. Optional: owner, captured.
    pub fn sv_stream_query(
        device_type: i32, device_id: i32, stream: usize, owner: *mut i32, captured: *mut i32) -> sv_status;
    /// Name of a kind of memory, as static text: "host", "pinned", "device", "managed" or "foreign"; NULL of no kind.
    pub fn sv_memory_name(kind: sv_memory) -> *const c_char;
    /// Find out what kind of memory an address belongs to. Writes kind, traits, device_id, device_address,
    /// host_address. Optional: pointer, traits, device_id, device_address, host_address.
    pub fn sv_pointer_query(
        pointer: *const c_void, kind: *mut sv_memory, traits: *mut u32, device_id: *mut i32,
        device_address: *mut *mut c_void, host_address: *mut *mut c_void) -> sv_status;
    /// Make an allocator of ordinary host memory, of any alignment. Writes out.
    pub fn sv_allocator_host(flags: u32, out: *mut *mut sv_allocator) -> sv_status;
    /// Make an allocator of page-locked host memory, which CUDA devices use at the address that the host has for it.
    /// Writes out.
    pub fn sv_allocator_pinned(out: *mut *mut sv_allocator) -> sv_status;
    /// Make an allocator of memory of a CUDA device, by cudaMalloc(). Writes out.
    pub fn sv_allocator_device(device_id: i32, out: *mut *mut sv_allocator) -> sv_status;
    /// Make an allocator of managed memory: one address for the host and all CUDA devices, whose pages the driver
    /// moves. Writes out.
    pub fn sv_allocator_managed(device_id: i32, out: *mut *mut sv_allocator) -> sv_status;
    /// Make an allocator of a new pool of the CUDA driver, whose memory is allocated and freed in the order of a
    /// stream. Writes out.
    pub fn sv_allocator_pool(
        kind: sv_memory, device_id: i32, initial: i64, threshold: i64, most: i64, out: *mut *mut sv_allocator) -> sv_status;
    /// Make an allocator of a pool that somebody else has made, and ends. Writes out.
    pub fn sv_allocator_pool_view(
        kind: sv_memory, device_id: i32, pool: usize, out: *mut *mut sv_allocator) -> sv_status;
    /// Make an allocator of two functions, which any thread calls. Writes out. Takes ctx. Optional: release, ctx.
    pub fn sv_allocator_callbacks(
        kind: sv_memory, device_type: i32, device_id: i32, allocate: sv_allocate_callback, free: sv_free_callback,
        release: sv_release_callback, ctx: *mut c_void, out: *mut *mut sv_allocator) -> sv_status;
    /// Make an allocator that counts what it gets from another one. Writes out. Optional: name.
    pub fn sv_allocator_tracked(
        base: *const sv_allocator, name: *const c_char, flags: u32, out: *mut *mut sv_allocator) -> sv_status;
    /// Make an allocator that lets at most so many bytes of base be in use at a time. Writes out.
    pub fn sv_allocator_limited(base: *const sv_allocator, most: i64, out: *mut *mut sv_allocator) -> sv_status;
    /// Make an allocator that keeps the blocks which are freed and gives them out again, without a call of the
    /// driver: that is what makes memory of devices and pinned memory cheap. Writes out.
    pub fn sv_allocator_cached(base: *const sv_allocator, threshold: i64, out: *mut *mut sv_allocator) -> sv_status;
    /// Make an allocator that tells what it does. Writes out. Takes ctx. Optional: release, ctx.
    pub fn sv_allocator_logged(
        base: *const sv_allocator, log: sv_memory_callback, release: sv_release_callback, ctx: *mut c_void,
        out: *mut *mut sv_allocator) -> sv_status;
    /// Make an allocator that asks what to do when base has no memory left, and then tries again. Writes out. Takes
    /// ctx. Optional: release, ctx.
    pub fn sv_allocator_retrying(
        base: *const sv_allocator, attempts: i32, ask: sv_no_memory_callback, release: sv_release_callback,
        ctx: *mut c_void, out: *mut *mut sv_allocator) -> sv_status;
    /// Add a reference. Optional: allocator.
    pub fn sv_allocator_retain(allocator: *const sv_allocator) -> *mut sv_allocator;
    /// Drop a reference. Takes allocator. Optional: allocator.
    pub fn sv_allocator_release(allocator: *mut sv_allocator);
    /// Kind of its memory.
    pub fn sv_allocator_kind(allocator: *const sv_allocator) -> sv_memory;
    /// SV_DEVICE number of its memory.
    pub fn sv_allocator_device_type(allocator: *const sv_allocator) -> i32;
    /// Ordinal of its device, or 0.
    pub fn sv_allocator_device_id(allocator: *const sv_allocator) -> i32;
    /// SV_TRAIT bits of its memory: those of the device type, and SV_TRAIT_ORDERED where streams order it.
    pub fn sv_allocator_traits(allocator: *const sv_allocator) -> u32;
    /// The largest alignment that sv_allocator_allocate() grants.
    pub fn sv_allocator_alignment(allocator: *const sv_allocator) -> i64;
    /// Name of the nearest tracked allocator that has one, this one or one that it wraps; else of the source.
    pub fn sv_allocator_name(allocator: *const sv_allocator) -> *const c_char;
    /// Allocate raw bytes, for programs that hand an allocator on to others. Writes pointer.
    pub fn sv_allocator_allocate(
        allocator: *const sv_allocator, nbytes: i64, alignment: i64, stream: usize, pointer: *mut *mut c_void) -> sv_status;
    /// Free what sv_allocator_allocate() of the same allocator gave for the same nbytes and alignment. Takes pointer.
    /// Optional: pointer.
    pub fn sv_allocator_free(
        allocator: *const sv_allocator, pointer: *mut c_void, nbytes: i64, alignment: i64, stream: usize) -> sv_status;
    /// Ask the nearest tracked allocator, this one or one that it wraps, for an SV_STAT number; for one of CACHED,
    /// the nearest that keeps blocks. Writes value.
    pub fn sv_allocator_stats(allocator: *const sv_allocator, stat: i32, value: *mut i64) -> sv_status;
    /// Begin both peaks anew with what is in use now; SV_ERROR_STATE as for sv_allocator_stats().
    pub fn sv_allocator_reset_peaks(allocator: *const sv_allocator) -> sv_status;
    /// Call visit for each live block of the nearest allocator with SV_ALLOCATOR_BLOCKS (SV_ERROR_STATE if there is
    /// none). Optional: ctx.
    pub fn sv_allocator_visit(
        allocator: *const sv_allocator, visit: sv_block_callback, ctx: *mut c_void) -> sv_status;
    /// Make an allocator of the memory handler of a CUDA device. Writes out. Takes ctx. Optional: release, ctx.
    pub fn sv_allocator_from_handler(
        device_id: i32, allocate: sv_handler_allocate_callback, free: sv_handler_free_callback,
        release: sv_release_callback, ctx: *mut c_void, out: *mut *mut sv_allocator) -> sv_status;
    /// device_alloc of a memory handler whose context is an allocator: with it these libraries allocate from libsv.
    /// Writes pointer. Optional: stream.
    pub fn sv_handler_allocate_from(
        allocator: *mut c_void, pointer: *mut *mut c_void, nbytes: usize, stream: *mut c_void) -> sv_status;
    /// device_free of such a handler. Optional: pointer, stream.
    pub fn sv_handler_free_to(
        allocator: *mut c_void, pointer: *mut c_void, nbytes: usize, stream: *mut c_void) -> sv_status;
    /// Make an allocator of two functions that were written for PyTorch's CUDAPluggableAllocator. Writes out.
    pub fn sv_allocator_from_torch(
        device_id: i32, allocate: sv_torch_allocate_callback, free: sv_torch_free_callback,
        out: *mut *mut sv_allocator) -> sv_status;
    /// Say from which allocator sv_torch_allocate() takes the memory of a device; NULL means none again. Optional:
    /// allocator.
    pub fn sv_torch_use(device_id: i32, allocator: *const sv_allocator) -> sv_status;
    /// Allocate for PyTorch, from the allocator of sv_torch_use(). Optional: stream.
    pub fn sv_torch_allocate(nbytes: i64, device: i32, stream: *mut c_void) -> *mut c_void;
    /// Free what sv_torch_allocate() gave. Optional: pointer, stream.
    pub fn sv_torch_free(pointer: *mut c_void, nbytes: i64, device: i32, stream: *mut c_void);
    /// Allocate memory. Writes out. Optional: allocator.
    pub fn sv_buffer_new(
        allocator: *const sv_allocator, nbytes: i64, alignment: i64, flags: u32, stream: usize,
        out: *mut *mut sv_buffer) -> sv_status;
    /// Make a buffer of memory that somebody else allocated. Writes out. Takes pointer, ctx. Optional: pointer, free,
    /// ctx.
    pub fn sv_buffer_adopt(
        pointer: *mut c_void, nbytes: i64, kind: sv_memory, device_type: i32, device_id: i32, flags: u32,
        stream: usize, free: sv_free_callback, ctx: *mut c_void, out: *mut *mut sv_buffer) -> sv_status;
    /// Page-lock host memory that somebody else allocated, so that CUDA devices use it and copies to them are fast.
    /// Writes out. Takes ctx. Optional: pages, release, ctx.
    pub fn sv_buffer_register(
        pages: *mut c_void, nbytes: i64, flags: u32, release: sv_release_callback, ctx: *mut c_void,
        out: *mut *mut sv_buffer) -> sv_status;
    /// Make a buffer of a part of another one, without copying; SV_ERROR_RANGE if the part does not lie within it.
    /// Writes out.
    pub fn sv_buffer_slice(
        buffer: *const sv_buffer, offset: i64, nbytes: i64, flags: u32, out: *mut *mut sv_buffer) -> sv_status;
    /// Add a reference. Optional: buffer.
    pub fn sv_buffer_retain(buffer: *const sv_buffer) -> *mut sv_buffer;
    /// Drop a reference. Takes buffer. Optional: buffer.
    pub fn sv_buffer_release(buffer: *mut sv_buffer);
    /// Drop a reference where nothing may be called: in finalisers. Takes buffer. Optional: buffer.
    pub fn sv_buffer_release_later(buffer: *mut sv_buffer);
    /// Take the memory out of libsv's hands. Writes pointer, nbytes, alignment, stream, free, ctx.
    pub fn sv_buffer_detach(
        buffer: *mut sv_buffer, pointer: *mut *mut c_void, nbytes: *mut i64, alignment: *mut i64, stream: *mut usize,
        free: *mut sv_free_callback, ctx: *mut *mut c_void) -> sv_status;
    /// Free the memory now, whoever holds references: they see a closed buffer.
    pub fn sv_buffer_close(buffer: *mut sv_buffer, stream: usize) -> sv_status;
    /// Address of the first byte, where its device uses it; that of host memory is the host's.
    pub fn sv_buffer_data(buffer: *const sv_buffer) -> *mut c_void;
    /// Address of the first byte for the host; NULL where the host cannot touch it.
    pub fn sv_buffer_host_data(buffer: *const sv_buffer) -> *mut c_void;
    /// Size in bytes.
    pub fn sv_buffer_nbytes(buffer: *const sv_buffer) -> i64;
    /// Bytes that the memory has room for.
    pub fn sv_buffer_capacity(buffer: *const sv_buffer) -> i64;
    /// The alignment that the address has, and keeps when the memory moves: the one that was asked for.
    pub fn sv_buffer_alignment(buffer: *const sv_buffer) -> i64;
    /// Kind of the memory.
    pub fn sv_buffer_kind(buffer: *const sv_buffer) -> sv_memory;
    /// SV_TRAIT bits of the memory.
    pub fn sv_buffer_traits(buffer: *const sv_buffer) -> u32;
    /// SV_DEVICE number of the memory.
    pub fn sv_buffer_device_type(buffer: *const sv_buffer) -> i32;
    /// Ordinal of the device, 0 for host memory.
    pub fn sv_buffer_device_id(buffer: *const sv_buffer) -> i32;
    /// The stream that the memory is freed on; 1 where that is another thread's default stream.
    pub fn sv_buffer_stream(buffer: *const sv_buffer) -> usize;
    /// The allocator that the memory came from; NULL for adopted memory, and while another thread moves it.
    pub fn sv_buffer_allocator(buffer: *const sv_buffer) -> *const sv_allocator;
    /// The buffer that has the memory of a slice; NULL of others.
    pub fn sv_buffer_parent(buffer: *const sv_buffer) -> *const sv_buffer;
    /// How many views, slices and other exports point into the memory; those of a slice count at the slice.
    pub fn sv_buffer_exports(buffer: *const sv_buffer) -> i64;
    /// How many references there are, those of exports among them.
    pub fn sv_buffer_references(buffer: *const sv_buffer) -> i64;
    /// Whether the buffer has lost its memory by sv_buffer_close() or sv_buffer_detach().
    pub fn sv_buffer_is_closed(buffer: *const sv_buffer) -> i32;
    /// The ctx of memory that was adopted with this free; with NULL, of any that was adopted. Optional: free.
    pub fn sv_buffer_context(buffer: *const sv_buffer, free: sv_free_callback) -> *mut c_void;
    /// Keep the memory in place for somebody who uses its address, and the buffer alive, until
    /// sv_buffer_end_export().
    pub fn sv_buffer_begin_export(buffer: *mut sv_buffer) -> sv_status;
    /// End what sv_buffer_begin_export() began.
    pub fn sv_buffer_end_export(buffer: *mut sv_buffer);
    /// Copy bytes to host memory, where they have arrived on return.
    pub fn sv_buffer_read(
        buffer: *const sv_buffer, offset: i64, dst: *mut c_void, nbytes: i64, flags: u32, stream: usize) -> sv_status;
    /// Copy bytes from host memory, which is free for other use on return; else as sv_buffer_read().
    pub fn sv_buffer_write(
        buffer: *mut sv_buffer, offset: i64, src: *const c_void, nbytes: i64, flags: u32, stream: usize) -> sv_status;
    /// Copy bytes between two buffers of any kinds of memory, or within one; else as sv_buffer_write().
    pub fn sv_buffer_copy(
        dst: *mut sv_buffer, dst_offset: i64, src: *const sv_buffer, src_offset: i64, nbytes: i64, flags: u32,
        stream: usize) -> sv_status;
    /// Write one item again and again; else as sv_buffer_write().
    pub fn sv_buffer_fill(
        buffer: *mut sv_buffer, offset: i64, nbytes: i64, item: *const c_void, itemsize: i64, flags: u32,
        stream: usize) -> sv_status;
    /// Change the size.
    pub fn sv_buffer_resize(buffer: *mut sv_buffer, nbytes: i64, flags: u32, stream: usize) -> sv_status;
    /// Get memory for a larger size before it is needed; else as sv_buffer_resize().
    pub fn sv_buffer_reserve(buffer: *mut sv_buffer, capacity: i64, stream: usize) -> sv_status;
    /// Give back what the size does not need: the buffer moves to memory of exactly its size; else as
    /// sv_buffer_resize().
    pub fn sv_buffer_shrink(buffer: *mut sv_buffer, stream: usize) -> sv_status;
    /// Move the bytes to another kind of memory, or another device; else as sv_buffer_resize(). Optional: allocator.
    pub fn sv_buffer_migrate(
        buffer: *mut sv_buffer, allocator: *const sv_allocator, flags: u32, stream: usize) -> sv_status;
    /// Name another stream that the memory is freed on.
    pub fn sv_buffer_set_stream(buffer: *mut sv_buffer, stream: usize) -> sv_status;
    /// Tell that work which has been put on a stream uses the memory.
    pub fn sv_buffer_record_use(buffer: *const sv_buffer, stream: usize) -> sv_status;
    /// Move memory to where it will be used, in the order of a stream.
    pub fn sv_buffer_prefetch(
        count: i64, buffers: *const *mut sv_buffer, device_type: i32, device_id: i32, flags: u32, stream: usize) -> sv_status;
    /// Say that the contents are not needed any more, in the order of a stream; else as sv_buffer_prefetch().
    pub fn sv_buffer_discard(
        count: i64, buffers: *const *mut sv_buffer, device_type: i32, device_id: i32, flags: u32, stream: usize) -> sv_status;
    /// Tell the driver how memory will be used, by an SV_ADVICE number.
    pub fn sv_buffer_advise(
        count: i64, buffers: *const *mut sv_buffer, advice: i32, device_type: i32, device_id: i32, flags: u32) -> sv_status;
    /// Describe device memory for another process of this machine, in SV_IPC_NBYTES bytes that can be sent by any
    /// way. Writes blob, length. Optional: blob, length.
    pub fn sv_buffer_export_ipc(
        buffer: *const sv_buffer, capacity: usize, blob: *mut c_void, length: *mut usize) -> sv_status;
    /// Open device memory of another process. Writes out.
    pub fn sv_buffer_import_ipc(
        blob: *const c_void, length: usize, flags: u32, out: *mut *mut sv_buffer) -> sv_status;
    /// Free the memory whose free had to wait when its buffer was released. Writes left. Optional: left.
    pub fn sv_memory_collect(flags: u32, left: *mut i64) -> sv_status;
    /// How much memory buffers own: what was allocated for them, and what they adopted with a function that frees it.
    /// Writes value.
    pub fn sv_memory_stats(kind: sv_memory, stat: i32, value: *mut i64) -> sv_status;
    /// View an array in host memory that the caller keeps alive. Writes out. Optional: byte_strides, pointer.
    pub fn sv_view_from_host(
        dtype: sv_dtype, ndim: i32, shape: *const i64, byte_strides: *const i64, pointer: *mut c_void, flags: u32,
        out: *mut *mut sv_view) -> sv_status;
    /// View host memory that the caller keeps alive, through a layout and within a size. Writes out. Optional:
    /// pointer.
    pub fn sv_view_from_pointer(
        layout: *const sv_layout, dtype: sv_dtype, pointer: *mut c_void, nbytes: i64, flags: u32,
        out: *mut *mut sv_view) -> sv_status;
    /// View memory of any device, with an owner, through a layout: the general form of sv_view_from_pointer(). Writes
    /// out. Takes ctx. Optional: base, release, ctx.
    pub fn sv_view_new(
        layout: *const sv_layout, dtype: sv_dtype, base: *mut c_void, lower: i64, upper: i64, device_type: i32,
        device_id: i32, flags: u32, release: sv_release_callback, ctx: *mut c_void, out: *mut *mut sv_view) -> sv_status;
    /// View an array of any device, with an owner: the general form of sv_view_from_host(). Writes out. Takes ctx.
    /// Optional: byte_strides, pointer, release, ctx.
    pub fn sv_view_from_array(
        dtype: sv_dtype, ndim: i32, shape: *const i64, byte_strides: *const i64, pointer: *mut c_void,
        device_type: i32, device_id: i32, flags: u32, release: sv_release_callback, ctx: *mut c_void,
        out: *mut *mut sv_view) -> sv_status;
    /// View the bytes of a buffer through a layout. Writes out. Optional: layout.
    pub fn sv_view_from_buffer(
        buffer: *mut sv_buffer, layout: *const sv_layout, dtype: sv_dtype, offset: i64, flags: u32,
        out: *mut *mut sv_view) -> sv_status;
    /// View a DLPack tensor of major version 1. Writes out. Takes tensor.
    pub fn sv_view_from_dlpack(
        tensor: *mut DLManagedTensorVersioned, flags: u32, out: *mut *mut sv_view) -> sv_status;
    /// View a DLPack tensor of the old form, which has no version and no flags; else as sv_view_from_dlpack(). Writes
    /// out. Takes tensor.
    pub fn sv_view_from_dlpack_unversioned(
        tensor: *mut DLManagedTensor, flags: u32, out: *mut *mut sv_view) -> sv_status;
    /// View what a bare DLTensor describes, which does not own its memory; else as sv_view_from_dlpack(). Writes out.
    /// Takes ctx. Optional: release, ctx.
    pub fn sv_view_from_dltensor(
        tensor: *const c_void, flags: u32, release: sv_release_callback, ctx: *mut c_void, out: *mut *mut sv_view) -> sv_status;
    /// View host memory as a Py_buffer or its like describes it (PEP 3118). Writes out. Takes ctx. Optional: format,
    /// shape, byte_strides, pointer, release, ctx.
    pub fn sv_view_from_pep3118(
        format: *const c_char, itemsize: i64, ndim: i32, shape: *const i64, byte_strides: *const i64,
        pointer: *mut c_void, nbytes: i64, flags: u32, release: sv_release_callback, ctx: *mut c_void,
        out: *mut *mut sv_view) -> sv_status;
    /// View memory as the fields of __array_interface__ or of __cuda_array_interface__ (version 3) describe it.
    /// Writes out. Takes ctx. Optional: byte_strides, pointer, release, ctx.
    pub fn sv_view_from_array_interface(
        typestr: *const c_char, ndim: i32, shape: *const i64, byte_strides: *const i64, pointer: *mut c_void,
        device_type: i32, device_id: i32, flags: u32, release: sv_release_callback, ctx: *mut c_void,
        out: *mut *mut sv_view) -> sv_status;
    /// Read the same memory, from the same base, through another layout of the same item size. Writes out.
    pub fn sv_view_with_layout(view: *const sv_view, layout: *const sv_layout, out: *mut *mut sv_view) -> sv_status;
    /// Read the same memory, from the same base, through what a builder holds; SV_ERROR_STATE if it was not started.
    /// Writes out.
    pub fn sv_view_with_builder(
        view: *const sv_view, builder: *const sv_layout_builder, out: *mut *mut sv_view) -> sv_status;
    /// The sv_layout operation of the same name, on a view: the same memory, rearranged. Writes out. Optional: axes.
    pub fn sv_view_permute(view: *const sv_view, ndim: i32, axes: *const i32, out: *mut *mut sv_view) -> sv_status;
    /// The sv_layout operation of the same name, on a view: the same memory, rearranged. Writes out. Optional: step.
    pub fn sv_view_slice(
        view: *const sv_view, count: i32, start: *const i64, stop: *const i64, step: *const i64,
        out: *mut *mut sv_view) -> sv_status;
    /// The sv_layout operation of the same name, on a view: the same memory, rearranged. Writes out.
    pub fn sv_view_index(view: *const sv_view, axis: i32, index: i64, out: *mut *mut sv_view) -> sv_status;
    /// The sv_layout operation of the same name, on a view: the same memory, rearranged. Writes out.
    pub fn sv_view_reshape(view: *const sv_view, ndim: i32, shape: *const i64, out: *mut *mut sv_view) -> sv_status;
    /// The sv_layout operation of the same name, on a view: the same memory, rearranged. Writes out.
    pub fn sv_view_broadcast(view: *const sv_view, ndim: i32, shape: *const i64, out: *mut *mut sv_view) -> sv_status;
    /// Read the same elements as another type of the same size (else SV_ERROR_DTYPE). Writes out.
    pub fn sv_view_with_dtype(view: *const sv_view, dtype: sv_dtype, out: *mut *mut sv_view) -> sv_status;
    /// The same view, through which nothing can be written. Writes out.
    pub fn sv_view_as_readonly(view: *const sv_view, out: *mut *mut sv_view) -> sv_status;
    /// Add a reference. Optional: view.
    pub fn sv_view_retain(view: *const sv_view) -> *mut sv_view;
    /// Drop a reference. Takes view. Optional: view.
    pub fn sv_view_release(view: *mut sv_view);
    /// Address of the element with all indices 0; NULL of an empty view.
    pub fn sv_view_data(view: *const sv_view) -> *mut c_void;
    /// The layout.
    pub fn sv_view_layout(view: *const sv_view) -> *const sv_layout;
    /// Element type.
    pub fn sv_view_dtype(view: *const sv_view) -> sv_dtype;
    /// SV_DEVICE number of the memory.
    pub fn sv_view_device_type(view: *const sv_view) -> i32;
    /// Ordinal of the device.
    pub fn sv_view_device_id(view: *const sv_view) -> i32;
    /// Whether writing through the view is refused.
    pub fn sv_view_is_readonly(view: *const sv_view) -> i32;
    /// The bytes that may be touched, relative to the base: [lower, upper), with the unknown limits of sv_view_new().
    /// Writes lower, upper.
    pub fn sv_view_bounds(view: *const sv_view, lower: *mut i64, upper: *mut i64) -> sv_status;
    /// Number of references that keep the memory of a view.
    pub fn sv_view_references(view: *const sv_view) -> i64;
    /// The ctx that the memory of a view, or of the view that it was made from, is let go with, if by this release.
    /// Optional: release.
    pub fn sv_view_context(view: *const sv_view, release: sv_release_callback) -> *mut c_void;
    /// The buffer that a view, or the view it was made from, was made of; NULL when there is none.
    pub fn sv_view_buffer(view: *const sv_view) -> *const sv_buffer;
    /// Whether elements of two views share a byte; those of an empty view do not. Writes answer.
    pub fn sv_view_overlap(
        view: *const sv_view, other: *const sv_view, work: i64, answer: *mut sv_answer) -> sv_status;
    /// Look at a view as a standard DLPack structure, for typed access.
    pub fn sv_view_borrow(view: *const sv_view) -> *const DLManagedTensorVersioned;
    /// Describe a view for a kernel, as a plain block that is passed by value: Writes block.
    pub fn sv_view_kernel_arg(
        view: *const sv_view, ndim: i32, itemsize: i64, flags: u32, capacity: usize, block: *mut c_void) -> sv_status;
    /// Hand a view on as a DLPack tensor, version 1.3, which keeps the memory alive. Writes out.
    pub fn sv_view_to_dlpack(view: *const sv_view, flags: u32, out: *mut *mut DLManagedTensorVersioned) -> sv_status;
    /// Hand a view on as a DLPack tensor of the old form; else as sv_view_to_dlpack(). Writes out.
    pub fn sv_view_to_dlpack_unversioned(view: *const sv_view, out: *mut *mut DLManagedTensor) -> sv_status;
    /// Make a new array: dense, in C order, in memory of its own. Writes out. Optional: allocator.
    pub fn sv_empty(
        allocator: *const sv_allocator, dtype: sv_dtype, ndim: i32, shape: *const i64, flags: u32, stream: usize,
        out: *mut *mut sv_view) -> sv_status;
    /// Make a new array of a given layout, of any strides, in memory of exactly the bytes that its elements reach.
    /// Writes out. Optional: allocator.
    pub fn sv_empty_layout(
        allocator: *const sv_allocator, layout: *const sv_layout, dtype: sv_dtype, flags: u32, stream: usize,
        out: *mut *mut sv_view) -> sv_status;
    /// Make a new dense array of the shape and element type of another one: "a tensor like this one, on the device".
    /// Writes out. Optional: allocator.
    pub fn sv_empty_like(
        allocator: *const sv_allocator, view: *const sv_view, order: sv_order, flags: u32, stream: usize,
        out: *mut *mut sv_view) -> sv_status;
    /// Copy every element of src to the place with the same index in dst.
    pub fn sv_copy(dst: *const sv_view, src: *const sv_view, flags: u32, stream: usize) -> sv_status;
    /// sv_copy() with memory of the caller's for what it needs on a device. Optional: scratch.
    pub fn sv_copy_with(
        dst: *const sv_view, src: *const sv_view, scratch: *const sv_allocator, flags: u32, stream: usize) -> sv_status;
    /// Copy and convert in one pass, with a scale and a bias: every element of dst becomes src * scale + bias.
    /// Optional: scale, bias.
    pub fn sv_copy_scaled(
        dst: *const sv_view, src: *const sv_view, scale: *const f64, nscale: i64, bias: *const f64, nbias: i64,
        axis: i32, flags: u32, stream: usize) -> sv_status;
    /// Many scaled copies: sv_copy_scaled(dst[i], src[i], ...) for each i, all with the same scale, bias and axis, as
    /// sv_copy_batch() does many copies. Optional: scale, bias, failed.
    pub fn sv_copy_scaled_batch(
        count: i64, dst: *const *mut sv_view, src: *const *mut sv_view, scale: *const f64, nscale: i64,
        bias: *const f64, nbias: i64, axis: i32, flags: u32, stream: usize, failed: *mut i64) -> sv_status;
    /// Write one item to every element of dst, whatever its layout.
    pub fn sv_fill(dst: *const sv_view, item: *const c_void, itemsize: i64, flags: u32, stream: usize) -> sv_status;
    /// Many copies: sv_copy(dst[i], src[i], flags, stream) for each i, with less overhead for each. Optional: failed.
    pub fn sv_copy_batch(
        count: i64, dst: *const *mut sv_view, src: *const *mut sv_view, flags: u32, stream: usize, failed: *mut i64) -> sv_status;
    /// Copy arrays beside each other into one: src[0] to the first places along an axis of dst, src[1] to those
    /// behind them, and so on. Optional: failed.
    pub fn sv_copy_stack(
        dst: *const sv_view, axis: i32, count: i64, src: *const *mut sv_view, flags: u32, stream: usize,
        failed: *mut i64) -> sv_status;
    /// Tell how sv_copy(dst, src, flags, stream) would be done: by whom, in which order with the work on streams, and
    /// what the call waits for. Writes by, device_type, device_id, waits, done, method. Optional: by, device_type,
    /// device_id, waits, done, method.
    pub fn sv_copy_placement(
        dst: *const sv_view, src: *const sv_view, flags: u32, stream: usize, by: *mut i32, device_type: *mut i32,
        device_id: *mut i32, waits: *mut i32, done: *mut i32, method: *mut i32) -> sv_status;
    /// Plan the copy that sv_copy(dst, src, flags, ...) would do. Writes out.
    pub fn sv_plan_new(dst: *const sv_view, src: *const sv_view, flags: u32, out: *mut *mut sv_plan) -> sv_status;
    /// Plan the copy that sv_copy_scaled(dst, src, scale, nscale, bias, nbias, axis, flags, ...) would do. Writes
    /// out. Optional: scale, bias.
    pub fn sv_plan_new_scaled(
        dst: *const sv_view, src: *const sv_view, scale: *const f64, nscale: i64, bias: *const f64, nbias: i64,
        axis: i32, flags: u32, out: *mut *mut sv_plan) -> sv_status;
    /// Add a reference. Optional: plan.
    pub fn sv_plan_retain(plan: *const sv_plan) -> *mut sv_plan;
    /// Drop a reference. Takes plan. Optional: plan.
    pub fn sv_plan_release(plan: *mut sv_plan);
    /// Copy between these addresses of the elements [0,...,0], as sv_view_data() gives them. Optional: dst, src.
    pub fn sv_plan_execute(plan: *const sv_plan, dst: *mut c_void, src: *const c_void, stream: usize) -> sv_status;
    /// Copy between these views: sv_plan_execute() with everything checked.
    pub fn sv_plan_execute_views(
        plan: *const sv_plan, dst: *const sv_view, src: *const sv_view, stream: usize) -> sv_status;
    /// Many executions: sv_plan_execute(plans[i], dst[i], src[i], stream) for each i. Optional: failed.
    pub fn sv_plan_execute_batch(
        count: i64, plans: *const *mut sv_plan, dst: *const *mut c_void, src: *const *const c_void, stream: usize,
        failed: *mut i64) -> sv_status;
    /// Many executions of one plan: sv_plan_execute_views(plan, dst[i], src[i], stream) for each i. Optional: failed.
    pub fn sv_plan_execute_views_batch(
        plan: *const sv_plan, count: i64, dst: *const *mut sv_view, src: *const *mut sv_view, stream: usize,
        failed: *mut i64) -> sv_status;
    /// Many executions of one plan, between addresses that lie in two arrays: sv_plan_execute(plan, dst[i], src[i],
    /// stream) for each i, for pages of a cache and the like. Optional: failed.
    pub fn sv_plan_execute_table(
        plan: *const sv_plan, dst: *const sv_view, src: *const sv_view, alignment: i64, stream: usize,
        failed: *mut i64) -> sv_status;
    /// What kind of copy it is, as static text; later versions may know more kinds.
    pub fn sv_plan_class(plan: *const sv_plan) -> *const c_char;
    /// Name of the kernel that does it, as static text for eyes and tests, which may change from version to version.
    pub fn sv_plan_kernel(plan: *const sv_plan) -> *const c_char;
    /// Write what a plan does and why, in lines of English text for people. Writes text, length. Optional: dst, src,
    /// text, length.
    pub fn sv_plan_explain(
        plan: *const sv_plan, dst: *const c_void, src: *const c_void, capacity: usize, text: *mut c_char,
        length: *mut usize) -> sv_status;
    /// Bytes that are written, each once.
    pub fn sv_plan_nbytes(plan: *const sv_plan) -> i64;
    /// Bytes that go to and from memory, in whole cache lines of 64 bytes, where every line is moved once. Writes
    /// read, written.
    pub fn sv_plan_traffic(plan: *const sv_plan, read: *mut i64, written: *mut i64) -> sv_status;
    /// How many operations one execution gives to a stream: launches of kernels and copies by a device's copy engine.
    pub fn sv_plan_launches(plan: *const sv_plan) -> i64;
    /// sv_copy() by several threads of the caller. Optional: run, ctx.
    pub fn sv_copy_parallel(
        dst: *const sv_view, src: *const sv_view, threads: i32, run: sv_parallel_callback, ctx: *mut c_void,
        flags: u32, stream: usize) -> sv_status;
    /// sv_copy_scaled() by several threads of the caller, where sv_copy_parallel() would share a copy that converts.
    /// Optional: scale, bias, run, ctx.
    pub fn sv_copy_scaled_parallel(
        dst: *const sv_view, src: *const sv_view, scale: *const f64, nscale: i64, bias: *const f64, nbias: i64,
        axis: i32, threads: i32, run: sv_parallel_callback, ctx: *mut c_void, flags: u32, stream: usize) -> sv_status;
    /// The same plan, executed by several threads of the caller, as sv_copy_parallel() does. Writes out. Optional:
    /// run, ctx.
    pub fn sv_plan_with_threads(
        plan: *const sv_plan, threads: i32, run: sv_parallel_callback, ctx: *mut c_void, out: *mut *mut sv_plan) -> sv_status;
    /// The same plan with memory of the caller's, as for sv_copy_with(); NULL: the default pool. Writes out.
    /// Optional: scratch.
    pub fn sv_plan_with_allocator(
        plan: *const sv_plan, scratch: *const sv_allocator, out: *mut *mut sv_plan) -> sv_status;
    /// The same plan, done by the loop that is the fastest on this memory. Writes out.
    pub fn sv_plan_measure(
        plan: *const sv_plan, dst: *const sv_view, src: *const sv_view, limit_ns: i64, stream: usize,
        out: *mut *mut sv_plan) -> sv_status;
}
