! The C API of libsv: strided array memory of every kind. Its header says what each function does.
! Generated from include/sv.h by py/gen_bindings.py: do not edit.
!
! Handles and addresses are type(c_ptr), unset ones c_null_ptr; callbacks are type(c_funptr), of procedures with bind(c).
! Arrays that C takes as NULL may be left out. Outputs are intent(inout), since they stay as they were after an error.
! Texts for C end with c_null_char; sv_text() makes a character variable of one that C answers. A constant that has the
! name of a function but for capitals, which Fortran does not tell apart, ends in _VALUE here.
!
! Shapes and strides count axes as C does, and a layout without strides is in C order, the last axis fastest. Such a
! layout describes a Fortran array a(n1, n2, n3) by the shape [n3, n2, n1]; or give its byte strides for [n1, n2, n3].
module strideview
    use, intrinsic :: iso_c_binding
    implicit none
    public

    integer(c_int32_t), parameter :: SV_VERSION_MAJOR = 0
    integer(c_int32_t), parameter :: SV_VERSION_MINOR = 1
    integer(c_int32_t), parameter :: SV_VERSION_PATCH = 0
    integer(c_int32_t), parameter :: SV_ABI_VERSION_VALUE = 0

    ! What the library was built with: bits of sv_features().
    integer(c_int32_t), parameter :: SV_FEATURE_CUDA = 1
    integer(c_int32_t), parameter :: SV_FEATURE_CHECKS = 2

    integer(c_int32_t), parameter :: SV_OK = 0
    integer(c_int32_t), parameter :: SV_ERROR_NULL = -1
    integer(c_int32_t), parameter :: SV_ERROR_INVALID = -2
    integer(c_int32_t), parameter :: SV_ERROR_INDEX = -3
    integer(c_int32_t), parameter :: SV_ERROR_RANGE = -4
    integer(c_int32_t), parameter :: SV_ERROR_OVERFLOW = -5
    integer(c_int32_t), parameter :: SV_ERROR_DTYPE = -6
    integer(c_int32_t), parameter :: SV_ERROR_LAYOUT = -7
    integer(c_int32_t), parameter :: SV_ERROR_OVERLAP = -8
    integer(c_int32_t), parameter :: SV_ERROR_READ_ONLY = -9
    integer(c_int32_t), parameter :: SV_ERROR_ALIGNMENT = -10
    integer(c_int32_t), parameter :: SV_ERROR_DEVICE = -11
    integer(c_int32_t), parameter :: SV_ERROR_VERSION = -12
    integer(c_int32_t), parameter :: SV_ERROR_PROTOCOL = -13
    integer(c_int32_t), parameter :: SV_ERROR_UNSUPPORTED = -14
    integer(c_int32_t), parameter :: SV_ERROR_MEMORY = -15
    integer(c_int32_t), parameter :: SV_ERROR_CUDA = -16
    integer(c_int32_t), parameter :: SV_ERROR_STATE = -17
    integer(c_int32_t), parameter :: SV_ERROR_BLOCKED = -18
    integer(c_int32_t), parameter :: SV_ERROR_FORKED = -19
    integer(c_int32_t), parameter :: SV_ERROR_BUFFER = -20

    integer(c_int32_t), parameter :: SV_OPAQUE = 0
    integer(c_int32_t), parameter :: SV_BOOL = 67590
    integer(c_int32_t), parameter :: SV_INT8 = 67584
    integer(c_int32_t), parameter :: SV_INT16 = 69632
    integer(c_int32_t), parameter :: SV_INT32 = 73728
    integer(c_int32_t), parameter :: SV_INT64 = 81920
    integer(c_int32_t), parameter :: SV_UINT8 = 67585
    integer(c_int32_t), parameter :: SV_UINT16 = 69633
    integer(c_int32_t), parameter :: SV_UINT32 = 73729
    integer(c_int32_t), parameter :: SV_UINT64 = 81921
    integer(c_int32_t), parameter :: SV_FLOAT16 = 69634
    integer(c_int32_t), parameter :: SV_FLOAT32 = 73730
    integer(c_int32_t), parameter :: SV_FLOAT64 = 81922
    integer(c_int32_t), parameter :: SV_FLOAT128 = 98306
    integer(c_int32_t), parameter :: SV_BFLOAT16 = 69636
    integer(c_int32_t), parameter :: SV_COMPLEX32 = 73733
    integer(c_int32_t), parameter :: SV_COMPLEX64 = 81925
    integer(c_int32_t), parameter :: SV_COMPLEX128 = 98309
    integer(c_int32_t), parameter :: SV_FLOAT8_E3M4 = 67591
    integer(c_int32_t), parameter :: SV_FLOAT8_E4M3 = 67592
    integer(c_int32_t), parameter :: SV_FLOAT8_E4M3B11FNUZ = 67593
    integer(c_int32_t), parameter :: SV_FLOAT8_E4M3FN = 67594
    integer(c_int32_t), parameter :: SV_FLOAT8_E4M3FNUZ = 67595
    integer(c_int32_t), parameter :: SV_FLOAT8_E5M2 = 67596
    integer(c_int32_t), parameter :: SV_FLOAT8_E5M2FNUZ = 67597
    integer(c_int32_t), parameter :: SV_FLOAT8_E8M0FNU = 67598
    integer(c_int32_t), parameter :: SV_FLOAT4_E2M1FN_X2 = 132113

    integer(c_int32_t), parameter :: SV_CASTING_NO = 0
    integer(c_int32_t), parameter :: SV_CASTING_EQUIV = 1
    integer(c_int32_t), parameter :: SV_CASTING_SAFE = 2
    integer(c_int32_t), parameter :: SV_CASTING_SAME_KIND = 3
    integer(c_int32_t), parameter :: SV_CASTING_UNSAFE = 4

    integer(c_int32_t), parameter :: SV_MAX_NDIM = 64

    integer(c_int32_t), parameter :: SV_ORDER_C = 0
    integer(c_int32_t), parameter :: SV_ORDER_F = 1
    integer(c_int32_t), parameter :: SV_ORDER_K = 2
    integer(c_int32_t), parameter :: SV_ORDER_AXES = 3

    integer(c_int32_t), parameter :: SV_NO = 0
    integer(c_int32_t), parameter :: SV_YES = 1
    integer(c_int32_t), parameter :: SV_MAYBE = 2

    ! Kinds of memory, numbered as DLPack (1.3) numbers devices.
    integer(c_int32_t), parameter :: SV_DEVICE_CPU = 1
    integer(c_int32_t), parameter :: SV_DEVICE_CUDA = 2
    integer(c_int32_t), parameter :: SV_DEVICE_CUDA_HOST = 3
    integer(c_int32_t), parameter :: SV_DEVICE_OPENCL = 4
    integer(c_int32_t), parameter :: SV_DEVICE_VULKAN = 7
    integer(c_int32_t), parameter :: SV_DEVICE_METAL = 8
    integer(c_int32_t), parameter :: SV_DEVICE_VPI = 9
    integer(c_int32_t), parameter :: SV_DEVICE_ROCM = 10
    integer(c_int32_t), parameter :: SV_DEVICE_ROCM_HOST = 11
    integer(c_int32_t), parameter :: SV_DEVICE_EXT = 12
    integer(c_int32_t), parameter :: SV_DEVICE_CUDA_MANAGED = 13
    integer(c_int32_t), parameter :: SV_DEVICE_ONEAPI = 14
    integer(c_int32_t), parameter :: SV_DEVICE_WEBGPU = 15
    integer(c_int32_t), parameter :: SV_DEVICE_HEXAGON = 16
    integer(c_int32_t), parameter :: SV_DEVICE_MAIA = 17
    integer(c_int32_t), parameter :: SV_DEVICE_TRN = 18

    ! Facts of a kind of memory, as bits of sv_device_traits().
    integer(c_int32_t), parameter :: SV_TRAIT_HOST = 1
    integer(c_int32_t), parameter :: SV_TRAIT_CUDA = 2
    integer(c_int32_t), parameter :: SV_TRAIT_MANAGED = 4
    integer(c_int32_t), parameter :: SV_TRAIT_HANDLES = 8
    integer(c_int32_t), parameter :: SV_TRAIT_READ_ONLY = 16
    integer(c_int32_t), parameter :: SV_TRAIT_ORDERED = 32
    integer(c_int32_t), parameter :: SV_TRAIT_REGISTERED = 64
    integer(c_int32_t), parameter :: SV_TRAIT_SHARED = 128

    integer(c_int32_t), parameter :: SV_STATE_READY = 0
    integer(c_int32_t), parameter :: SV_STATE_NO_BACKEND = 1
    integer(c_int32_t), parameter :: SV_STATE_NO_DRIVER = 2
    integer(c_int32_t), parameter :: SV_STATE_DRIVER_TOO_OLD = 3
    integer(c_int32_t), parameter :: SV_STATE_NO_DEVICE = 4
    integer(c_int32_t), parameter :: SV_STATE_STUB_DRIVER = 5
    integer(c_int32_t), parameter :: SV_STATE_BROKEN = 6

    ! Numbers that describe a device, for sv_device_property().
    integer(c_int32_t), parameter :: SV_PROPERTY_MEMORY_TOTAL = 1
    integer(c_int32_t), parameter :: SV_PROPERTY_MEMORY_FREE = 2
    integer(c_int32_t), parameter :: SV_PROPERTY_PAGEABLE_ACCESS = 3
    integer(c_int32_t), parameter :: SV_PROPERTY_CONCURRENT_MANAGED = 4
    integer(c_int32_t), parameter :: SV_PROPERTY_POOLS = 5
    integer(c_int32_t), parameter :: SV_PROPERTY_HOST_POOLS = 6
    integer(c_int32_t), parameter :: SV_PROPERTY_MANAGED_POOLS = 7
    integer(c_int32_t), parameter :: SV_PROPERTY_IPC = 8
    integer(c_int32_t), parameter :: SV_PROPERTY_COMPUTE_CAPABILITY = 9
    integer(c_int32_t), parameter :: SV_PROPERTY_MULTIPROCESSORS = 10

    integer(c_int32_t), parameter :: SV_MEMORY_UNKNOWN = 0
    integer(c_int32_t), parameter :: SV_MEMORY_HOST = 1
    integer(c_int32_t), parameter :: SV_MEMORY_PINNED = 2
    integer(c_int32_t), parameter :: SV_MEMORY_DEVICE = 3
    integer(c_int32_t), parameter :: SV_MEMORY_MANAGED = 4
    integer(c_int32_t), parameter :: SV_MEMORY_FOREIGN = 5

    ! What a driver can be told of managed memory, so that it places its pages better.
    integer(c_int32_t), parameter :: SV_ADVICE_READ_MOSTLY = 1
    integer(c_int32_t), parameter :: SV_ADVICE_NOT_READ_MOSTLY = 2
    integer(c_int32_t), parameter :: SV_ADVICE_PREFER = 3
    integer(c_int32_t), parameter :: SV_ADVICE_NOT_PREFER = 4
    integer(c_int32_t), parameter :: SV_ADVICE_ACCESSED_BY = 5
    integer(c_int32_t), parameter :: SV_ADVICE_NOT_ACCESSED_BY = 6

    ! How an allocator works: bits of its flags.
    integer(c_int32_t), parameter :: SV_ALLOCATOR_HUGE_PAGES = 1
    integer(c_int32_t), parameter :: SV_ALLOCATOR_BLOCKS = 2
    integer(c_int32_t), parameter :: SV_ALLOCATOR_GUARD = 4
    integer(c_int32_t), parameter :: SV_ALLOCATOR_NO_HUGE_PAGES = 8

    ! What happened, for sv_memory_callback.
    integer(c_int32_t), parameter :: SV_EVENT_ALLOCATED = 1
    integer(c_int32_t), parameter :: SV_EVENT_FREED = 2
    integer(c_int32_t), parameter :: SV_EVENT_FAILED = 3

    ! What is counted of memory.
    integer(c_int32_t), parameter :: SV_STAT_LIVE_BYTES = 0
    integer(c_int32_t), parameter :: SV_STAT_LIVE_COUNT = 1
    integer(c_int32_t), parameter :: SV_STAT_PEAK_BYTES = 2
    integer(c_int32_t), parameter :: SV_STAT_PEAK_COUNT = 3
    integer(c_int32_t), parameter :: SV_STAT_TOTAL_BYTES = 4
    integer(c_int32_t), parameter :: SV_STAT_TOTAL_COUNT = 5
    integer(c_int32_t), parameter :: SV_STAT_FAILED_COUNT = 6
    integer(c_int32_t), parameter :: SV_STAT_DEFERRED_BYTES = 7
    integer(c_int32_t), parameter :: SV_STAT_DEFERRED_COUNT = 8
    integer(c_int32_t), parameter :: SV_STAT_LOST_BYTES = 9
    integer(c_int32_t), parameter :: SV_STAT_LOST_COUNT = 10
    integer(c_int32_t), parameter :: SV_STAT_CACHED_BYTES = 11
    integer(c_int32_t), parameter :: SV_STAT_CACHED_COUNT = 12

    ! Bits of flags, besides SV_READ_ONLY of sv/view.h, which is 1.
    integer(c_int32_t), parameter :: SV_BUFFER_ZERO = 2
    integer(c_int32_t), parameter :: SV_BUFFER_DISCARD_VALUE = 4
    integer(c_int32_t), parameter :: SV_BUFFER_BORROWED = 8
    integer(c_int32_t), parameter :: SV_BUFFER_TRUST = 16
    integer(c_int32_t), parameter :: SV_BUFFER_STRICT = 32

    ! bytes that tell another process of a buffer
    integer(c_int32_t), parameter :: SV_IPC_NBYTES = 160

    ! Bits of flags of sv_memory_collect().
    integer(c_int32_t), parameter :: SV_COLLECT_WAIT = 1

    ! Bits of a view's flags.
    integer(c_int32_t), parameter :: SV_READ_ONLY = 1
    integer(c_int32_t), parameter :: SV_IS_COPIED = 2

    ! Flags of sv_view_kernel_arg().
    integer(c_int32_t), parameter :: SV_KERNEL_WRITES = 1
    integer(c_int32_t), parameter :: SV_KERNEL_HOST = 2

    ! Bits of a copy's flags.
    integer(c_int32_t), parameter :: SV_COPY_NO_TEMP = 1
    integer(c_int32_t), parameter :: SV_COPY_TRUST = 2
    integer(c_int32_t), parameter :: SV_COPY_BLOCKING = 4
    integer(c_int32_t), parameter :: SV_COPY_CAST = 8
    integer(c_int32_t), parameter :: SV_COPY_CAST_UNSAFE = 16
    integer(c_int32_t), parameter :: SV_COPY_SWAP = 32
    integer(c_int32_t), parameter :: SV_COPY_NO_WAIT = 64
    integer(c_int32_t), parameter :: SV_COPY_NON_TEMPORAL = 128

    ! What a call waits for, on the host, as sv_copy_placement() answers.
    integer(c_int32_t), parameter :: SV_WAITS_NOTHING = 0
    integer(c_int32_t), parameter :: SV_WAITS_RING = 1
    integer(c_int32_t), parameter :: SV_WAITS_STREAM = 2
    integer(c_int32_t), parameter :: SV_WAITS_DEVICES = 3

    ! What of a copy is done when the call returns, as sv_copy_placement() answers.
    integer(c_int32_t), parameter :: SV_DONE_NOTHING = 0
    integer(c_int32_t), parameter :: SV_DONE_READING = 1
    integer(c_int32_t), parameter :: SV_DONE_ALL = 2

    ! By which way elements go, as sv_copy_placement() answers.
    integer(c_int32_t), parameter :: SV_METHOD_NOTHING = 0
    integer(c_int32_t), parameter :: SV_METHOD_DIRECT = 1
    integer(c_int32_t), parameter :: SV_METHOD_RING = 2
    integer(c_int32_t), parameter :: SV_METHOD_IN_PLACE = 3
    integer(c_int32_t), parameter :: SV_METHOD_TEMPORARY = 4
    integer(c_int32_t), parameter :: SV_METHOD_HOST_TEMPORARY = 5
    integer(c_int32_t), parameter :: SV_METHOD_TASKS = 6

    interface

        ! --- version

        ! Version of the library that runs: 10000 * major + 100 * minor + patch.
        function sv_version() bind(c)
            import
            integer(c_int32_t) :: sv_version
        end function

        ! Version of the library that runs, as static text: "0.1.0".
        function sv_version_text() bind(c)
            import
            type(c_ptr) :: sv_version_text
        end function

        ! SV_ABI_VERSION of the library that runs.
        function sv_abi_version() bind(c)
            import
            integer(c_int32_t) :: sv_abi_version
        end function

        ! The SV_FEATURE bits this library was built with.
        function sv_features() bind(c)
            import
            integer(c_int32_t) :: sv_features
        end function

        ! --- status

        ! Name of a status as static text, "SV_ERROR_INDEX"; of an unknown number "SV_ERROR_UNKNOWN".
        function sv_status_name(status) bind(c)
            import
            integer(c_int32_t), value :: status
            type(c_ptr) :: sv_status_name
        end function

        ! What went wrong in the last call on this thread that failed.
        function sv_last_message() bind(c)
            import
            type(c_ptr) :: sv_last_message
        end function

        ! --- dtype

        ! Make an element type from its DLPack parts: type code, bits of one lane, and 1 lane or the width of a
        ! vector.
        function sv_dtype_make(code, bits, lanes, out) bind(c)
            import
            integer(c_int32_t), value :: code
            integer(c_int32_t), value :: bits
            integer(c_int32_t), value :: lanes
            integer(c_int32_t), intent(inout) :: out
            integer(c_int32_t) :: sv_dtype_make
        end function

        ! Bytes of one element; 0 for SV_OPAQUE and for a number that is no type.
        function sv_dtype_itemsize(dtype) bind(c)
            import
            integer(c_int32_t), value :: dtype
            integer(c_int64_t) :: sv_dtype_itemsize
        end function

        ! DLPack's code: 0 signed, 1 unsigned, 2 floating, and so on; -1 of SV_OPAQUE and of a number that is no type.
        function sv_dtype_code(dtype) bind(c)
            import
            integer(c_int32_t), value :: dtype
            integer(c_int32_t) :: sv_dtype_code
        end function

        ! Bits of one lane; 0 of SV_OPAQUE and of a number that is no type.
        function sv_dtype_bits(dtype) bind(c)
            import
            integer(c_int32_t), value :: dtype
            integer(c_int32_t) :: sv_dtype_bits
        end function

        ! Lanes: 1, or the width of a vector; 0 of SV_OPAQUE and of a number that is no type.
        function sv_dtype_lanes(dtype) bind(c)
            import
            integer(c_int32_t), value :: dtype
            integer(c_int32_t) :: sv_dtype_lanes
        end function

        ! Write the name of a type: "float32", "float32x4" with four lanes, "opaque".
        function sv_dtype_name(dtype, capacity, text, length) bind(c)
            import
            integer(c_int32_t), value :: dtype
            integer(c_size_t), value :: capacity
            character(kind=c_char), intent(inout), optional :: text(*)
            integer(c_size_t), intent(inout), optional :: length
            integer(c_int32_t) :: sv_dtype_name
        end function

        ! Read a name that sv_dtype_name() writes; SV_ERROR_DTYPE where there is no such name.
        function sv_dtype_parse(name, out) bind(c)
            import
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int32_t), intent(inout) :: out
            integer(c_int32_t) :: sv_dtype_parse
        end function

        ! Write the type string of NumPy's array interface, "<f4".
        function sv_dtype_typestr(dtype, capacity, text, length) bind(c)
            import
            integer(c_int32_t), value :: dtype
            integer(c_size_t), value :: capacity
            character(kind=c_char), intent(inout), optional :: text(*)
            integer(c_size_t), intent(inout), optional :: length
            integer(c_int32_t) :: sv_dtype_typestr
        end function

        ! Read a type string of the array interface, version 3.
        function sv_dtype_from_typestr(typestr, out) bind(c)
            import
            character(kind=c_char), intent(in) :: typestr(*)
            integer(c_int32_t), intent(inout) :: out
            integer(c_int32_t) :: sv_dtype_from_typestr
        end function

        ! Write the PEP 3118 format of a type, "f", "Zd"; SV_ERROR_DTYPE for a type without a format.
        function sv_dtype_format(dtype, capacity, text, length) bind(c)
            import
            integer(c_int32_t), value :: dtype
            integer(c_size_t), value :: capacity
            character(kind=c_char), intent(inout), optional :: text(*)
            integer(c_size_t), intent(inout), optional :: length
            integer(c_int32_t) :: sv_dtype_format
        end function

        ! Read a PEP 3118 format of one number, in native or byte-equal order.
        function sv_dtype_from_format(format, itemsize, out) bind(c)
            import
            character(kind=c_char), intent(in), optional :: format(*)
            integer(c_int64_t), value :: itemsize
            integer(c_int32_t), intent(inout) :: out
            integer(c_int32_t) :: sv_dtype_from_format
        end function

        ! Whether a copy converts elements of one type to another at a level of casting: 1 or 0.
        function sv_can_cast(source, target, casting) bind(c)
            import
            integer(c_int32_t), value :: source
            integer(c_int32_t), value :: target
            integer(c_int32_t), value :: casting
            integer(c_int32_t) :: sv_can_cast
        end function

        ! --- layout

        ! Make a layout from strides in elements; NULL means C order without gaps.
        function sv_layout_new(ndim, shape, strides, itemsize, out) bind(c)
            import
            integer(c_int32_t), value :: ndim
            integer(c_int64_t), intent(in) :: shape(*)
            integer(c_int64_t), intent(in), optional :: strides(*)
            integer(c_int64_t), value :: itemsize
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_new
        end function

        ! Make a layout from strides in bytes; else as sv_layout_new().
        function sv_layout_new_bytes(ndim, shape, byte_strides, itemsize, out) bind(c)
            import
            integer(c_int32_t), value :: ndim
            integer(c_int64_t), intent(in) :: shape(*)
            integer(c_int64_t), intent(in), optional :: byte_strides(*)
            integer(c_int64_t), value :: itemsize
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_new_bytes
        end function

        ! Make a layout without gaps.
        function sv_layout_new_dense(ndim, shape, order, axes, itemsize, out) bind(c)
            import
            integer(c_int32_t), value :: ndim
            integer(c_int64_t), intent(in) :: shape(*)
            integer(c_int32_t), value :: order
            integer(c_int32_t), intent(in), optional :: axes(*)
            integer(c_int64_t), value :: itemsize
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_new_dense
        end function

        ! Make a layout from one line of text, as sv_layout_text() writes it:
        function sv_layout_parse(text, out) bind(c)
            import
            character(kind=c_char), intent(in) :: text(*)
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_parse
        end function

        ! Add a reference.
        function sv_layout_retain(layout) bind(c)
            import
            type(c_ptr), value :: layout
            type(c_ptr) :: sv_layout_retain
        end function

        ! Drop a reference.
        subroutine sv_layout_release(layout) bind(c)
            import
            type(c_ptr), value :: layout
        end subroutine

        ! Number of axes.
        function sv_layout_ndim(layout) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t) :: sv_layout_ndim
        end function

        ! The ndim extents.
        function sv_layout_shape(layout) bind(c)
            import
            type(c_ptr), value :: layout
            type(c_ptr) :: sv_layout_shape
        end function

        ! The ndim strides in bytes.
        function sv_layout_byte_strides(layout) bind(c)
            import
            type(c_ptr), value :: layout
            type(c_ptr) :: sv_layout_byte_strides
        end function

        ! The ndim strides in elements; SV_ERROR_LAYOUT if a stride in bytes is no multiple of the item size.
        function sv_layout_strides(layout, strides) bind(c)
            import
            type(c_ptr), value :: layout
            type(c_ptr), intent(inout) :: strides
            integer(c_int32_t) :: sv_layout_strides
        end function

        ! Bytes of one element.
        function sv_layout_itemsize(layout) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t) :: sv_layout_itemsize
        end function

        ! Number of elements; 1 without axes.
        function sv_layout_size(layout) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t) :: sv_layout_size
        end function

        ! Bytes of all elements: size * itemsize.
        function sv_layout_nbytes(layout) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t) :: sv_layout_nbytes
        end function

        ! Bytes from the base to the element [0,...,0].
        function sv_layout_byte_offset(layout) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t) :: sv_layout_byte_offset
        end function

        ! Whether the elements follow one another without gaps in an order; for another order than these three, no.
        function sv_layout_is_contiguous(layout, order) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: order
            integer(c_int32_t) :: sv_layout_is_contiguous
        end function

        ! Whether the elements fill bytes from the base on: contiguous in any order of the axes, and no offset; or
        ! empty.
        function sv_layout_is_dense(layout) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t) :: sv_layout_is_dense
        end function

        ! Whether every byte of every element lies in [lower, upper), relative to the base; or the layout is empty.
        function sv_layout_is_within(layout, lower, upper) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t), value :: lower
            integer(c_int64_t), value :: upper
            integer(c_int32_t) :: sv_layout_is_within
        end function

        ! The bytes that elements occupy, relative to the base: [lower, upper).
        function sv_layout_byte_bounds(layout, lower, upper) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t), intent(inout) :: lower
            integer(c_int64_t), intent(inout) :: upper
            integer(c_int32_t) :: sv_layout_byte_bounds
        end function

        ! Bytes that memory from the base on must have to hold every element; SV_ERROR_LAYOUT if one lies below the
        ! base.
        function sv_layout_required_size(layout, nbytes) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t), intent(inout) :: nbytes
            integer(c_int32_t) :: sv_layout_required_size
        end function

        ! The ndim axes by the size of their stride, the slowest first.
        function sv_layout_stride_order(layout, axes) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), intent(inout) :: axes(*)
            integer(c_int32_t) :: sv_layout_stride_order
        end function

        ! Which axes continue the axis before them: bit i of the result is set when axis i can be merged into axis i -
        ! 1.
        function sv_layout_flatten_mask(layout) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t) :: sv_layout_flatten_mask
        end function

        ! The alignment that all elements have in common: the largest power of two that divides the address of each.
        function sv_layout_alignment(layout, address, alignment) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_intptr_t), value :: address
            integer(c_int64_t), intent(inout) :: alignment
            integer(c_int32_t) :: sv_layout_alignment
        end function

        ! The largest item size, a divisor of limit, that sv_layout_repack() would take with the same address and
        ! axis.
        function sv_layout_max_itemsize(layout, limit, address, axis, itemsize) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t), value :: limit
            integer(c_intptr_t), value :: address
            integer(c_int32_t), value :: axis
            integer(c_int64_t), intent(inout) :: itemsize
            integer(c_int32_t) :: sv_layout_max_itemsize
        end function

        ! Whether two layouts have the same shape, item size and, unless they are empty, offset and strides.
        function sv_layout_equal(layout, other) bind(c)
            import
            type(c_ptr), value :: layout
            type(c_ptr), value :: other
            integer(c_int32_t) :: sv_layout_equal
        end function

        ! Hash value, the same for equal layouts.
        function sv_layout_hash(layout) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t) :: sv_layout_hash
        end function

        ! Write a layout as one line, "(3, 450):(1, -3)*4+5388", which sv_layout_parse() reads back to an equal one.
        function sv_layout_text(layout, capacity, text, length) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_size_t), value :: capacity
            character(kind=c_char), intent(inout), optional :: text(*)
            integer(c_size_t), intent(inout), optional :: length
            integer(c_int32_t) :: sv_layout_text
        end function

        ! Whether no two different indices share a byte; an empty layout is unique.
        function sv_layout_is_unique(layout, work, answer) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t), value :: work
            integer(c_int32_t), intent(inout) :: answer
            integer(c_int32_t) :: sv_layout_is_unique
        end function

        ! Whether elements of two layouts, of any shapes and item sizes, share a byte, each read from a base address.
        function sv_layout_overlap(layout, other, address, other_address, work, answer) bind(c)
            import
            type(c_ptr), value :: layout
            type(c_ptr), value :: other
            integer(c_intptr_t), value :: address
            integer(c_intptr_t), value :: other_address
            integer(c_int64_t), value :: work
            integer(c_int32_t), intent(inout) :: answer
            integer(c_int32_t) :: sv_layout_overlap
        end function

        ! Whether two layouts of any shapes and item sizes, walked in C order, visit the same bytes; two empty ones
        ! do.
        function sv_layout_same_bytes(layout, other) bind(c)
            import
            type(c_ptr), value :: layout
            type(c_ptr), value :: other
            integer(c_int32_t) :: sv_layout_same_bytes
        end function

        ! Bring two layouts to the fewest axes that pair the same elements: the form in which sv_copy() reads them
        ! together.
        function sv_layout_common(dst, src, dst_out, src_out) bind(c)
            import
            type(c_ptr), value :: dst
            type(c_ptr), value :: src
            type(c_ptr), intent(inout) :: dst_out
            type(c_ptr), intent(inout) :: src_out
            integer(c_int32_t) :: sv_layout_common
        end function

        ! The widest word, in bytes, by which two layouts can be walked together from their base addresses.
        function sv_layout_common_itemsize(dst, src, dst_address, src_address, limit, itemsize) bind(c)
            import
            type(c_ptr), value :: dst
            type(c_ptr), value :: src
            integer(c_intptr_t), value :: dst_address
            integer(c_intptr_t), value :: src_address
            integer(c_int64_t), value :: limit
            integer(c_int64_t), intent(inout) :: itemsize
            integer(c_int32_t) :: sv_layout_common_itemsize
        end function

        ! The shape that two layouts are broadcast to together; SV_ERROR_LAYOUT if two extents differ and neither is
        ! 1.
        function sv_layout_broadcast_shape(layout, other, ndim, shape) bind(c)
            import
            type(c_ptr), value :: layout
            type(c_ptr), value :: other
            integer(c_int32_t), intent(inout) :: ndim
            integer(c_int64_t), intent(inout) :: shape(*)
            integer(c_int32_t) :: sv_layout_broadcast_shape
        end function

        ! The ndim axes by which sv_layout_permute() makes other of layout; SV_ERROR_LAYOUT if there is no such order.
        function sv_layout_permutation(layout, other, axes) bind(c)
            import
            type(c_ptr), value :: layout
            type(c_ptr), value :: other
            integer(c_int32_t), intent(inout) :: axes(*)
            integer(c_int32_t) :: sv_layout_permutation
        end function

        ! Reorder the axes: axis i of the result is axis axes[i] of layout.
        function sv_layout_permute(layout, ndim, axes, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: ndim
            integer(c_int32_t), intent(in), optional :: axes(*)
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_permute
        end function

        ! Take every step-th index of the first count axes, from start up to, not including, stop; the others stay
        ! whole.
        function sv_layout_slice(layout, count, start, stop, step, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: count
            integer(c_int64_t), intent(in) :: start(*)
            integer(c_int64_t), intent(in) :: stop(*)
            integer(c_int64_t), intent(in), optional :: step(*)
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_slice
        end function

        ! Take one index of an axis, -extent to extent - 1, and drop the axis.
        function sv_layout_index(layout, axis, index, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: axis
            integer(c_int64_t), value :: index
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_index
        end function

        ! Give the same elements, in C order of their indices, another shape.
        function sv_layout_reshape(layout, ndim, shape, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: ndim
            integer(c_int64_t), intent(in) :: shape(*)
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_reshape
        end function

        ! Broadcast to a shape: repeat along new leading axes, and along axes of extent 1, by strides of 0.
        function sv_layout_broadcast(layout, ndim, shape, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: ndim
            integer(c_int64_t), intent(in) :: shape(*)
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_broadcast
        end function

        ! Drop count axes of extent 1 (else SV_ERROR_LAYOUT); NULL drops all of them, and count is not read.
        function sv_layout_squeeze(layout, count, axes, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: count
            integer(c_int32_t), intent(in), optional :: axes(*)
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_squeeze
        end function

        ! Insert count axes of extent 1, at the places that axes gives, in any order, counted in the result.
        function sv_layout_unsqueeze(layout, count, axes, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: count
            integer(c_int32_t), intent(in) :: axes(*)
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_unsqueeze
        end function

        ! The layout that a packed copy of the elements would have: the same shape, no gaps, no offset.
        function sv_layout_to_dense(layout, order, ndim, axes, itemsize, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: order
            integer(c_int32_t), value :: ndim
            integer(c_int32_t), intent(in), optional :: axes(*)
            integer(c_int64_t), value :: itemsize
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_to_dense
        end function

        ! Merge neighbouring axes that step as one, as far as the strides allow.
        function sv_layout_flatten(layout, start_axis, end_axis, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: start_axis
            integer(c_int32_t), value :: end_axis
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_flatten
        end function

        ! Merge each axis whose bit is set into the axis before it, where the strides allow it.
        function sv_layout_flatten_masked(layout, mask, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t), value :: mask
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_flatten_masked
        end function

        ! Merge the axes from start_axis to end_axis into one.
        function sv_layout_merge_axes(layout, start_axis, end_axis, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: start_axis
            integer(c_int32_t), value :: end_axis
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_merge_axes
        end function

        ! Split one axis into several, in C order.
        function sv_layout_split_axis(layout, axis, count, extents, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: axis
            integer(c_int32_t), value :: count
            integer(c_int64_t), intent(in) :: extents(*)
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_split_axis
        end function

        ! Move count axes to other places, counted in the result; the rest keep their order.
        function sv_layout_move_axes(layout, count, axes, places, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: count
            integer(c_int32_t), intent(in) :: axes(*)
            integer(c_int32_t), intent(in) :: places(*)
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_move_axes
        end function

        ! Exchange two axes, which may be the same.
        function sv_layout_swap_axes(layout, axis, other, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: axis
            integer(c_int32_t), value :: other
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_swap_axes
        end function

        ! Reverse count axes, so that index 0 becomes the last one; NULL reverses all, and count is not read.
        function sv_layout_flip(layout, count, axes, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: count
            integer(c_int32_t), intent(in), optional :: axes(*)
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_flip
        end function

        ! Take the elements whose indices along two axes differ by offset, as the last axis of the result.
        function sv_layout_diagonal(layout, offset, axis, other, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t), value :: offset
            integer(c_int32_t), value :: axis
            integer(c_int32_t), value :: other
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_diagonal
        end function

        ! Look at every place of a sliding window.
        function sv_layout_window(layout, count, axes, window, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: count
            integer(c_int32_t), intent(in), optional :: axes(*)
            integer(c_int64_t), intent(in) :: window(*)
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_window
        end function

        ! Read the same bytes as items of another size: along an axis, several items become one, or one becomes
        ! several.
        function sv_layout_repack(layout, itemsize, address, axis, keep_dim, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int64_t), value :: itemsize
            integer(c_intptr_t), value :: address
            integer(c_int32_t), value :: axis
            integer(c_int32_t), value :: keep_dim
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_repack
        end function

        ! --- layout builder

        ! Make a builder, which has no layout yet.
        function sv_layout_builder_new(out) bind(c)
            import
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_builder_new
        end function

        ! End a builder.
        subroutine sv_layout_builder_release(builder) bind(c)
            import
            type(c_ptr), value :: builder
        end subroutine

        ! Start from a layout, at any time again.
        function sv_layout_builder_start(builder, layout) bind(c)
            import
            type(c_ptr), value :: builder
            type(c_ptr), value :: layout
            integer(c_int32_t) :: sv_layout_builder_start
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_permute(builder, ndim, axes) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int32_t), value :: ndim
            integer(c_int32_t), intent(in), optional :: axes(*)
            integer(c_int32_t) :: sv_layout_builder_permute
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_slice(builder, count, start, stop, step) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int32_t), value :: count
            integer(c_int64_t), intent(in) :: start(*)
            integer(c_int64_t), intent(in) :: stop(*)
            integer(c_int64_t), intent(in), optional :: step(*)
            integer(c_int32_t) :: sv_layout_builder_slice
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_index(builder, axis, index) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int32_t), value :: axis
            integer(c_int64_t), value :: index
            integer(c_int32_t) :: sv_layout_builder_index
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_reshape(builder, ndim, shape) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int32_t), value :: ndim
            integer(c_int64_t), intent(in) :: shape(*)
            integer(c_int32_t) :: sv_layout_builder_reshape
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_broadcast(builder, ndim, shape) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int32_t), value :: ndim
            integer(c_int64_t), intent(in) :: shape(*)
            integer(c_int32_t) :: sv_layout_builder_broadcast
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_squeeze(builder, count, axes) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int32_t), value :: count
            integer(c_int32_t), intent(in), optional :: axes(*)
            integer(c_int32_t) :: sv_layout_builder_squeeze
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_unsqueeze(builder, count, axes) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int32_t), value :: count
            integer(c_int32_t), intent(in) :: axes(*)
            integer(c_int32_t) :: sv_layout_builder_unsqueeze
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_to_dense(builder, order, ndim, axes, itemsize) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int32_t), value :: order
            integer(c_int32_t), value :: ndim
            integer(c_int32_t), intent(in), optional :: axes(*)
            integer(c_int64_t), value :: itemsize
            integer(c_int32_t) :: sv_layout_builder_to_dense
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_flatten(builder, start_axis, end_axis) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int32_t), value :: start_axis
            integer(c_int32_t), value :: end_axis
            integer(c_int32_t) :: sv_layout_builder_flatten
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_flatten_masked(builder, mask) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int64_t), value :: mask
            integer(c_int32_t) :: sv_layout_builder_flatten_masked
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_merge_axes(builder, start_axis, end_axis) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int32_t), value :: start_axis
            integer(c_int32_t), value :: end_axis
            integer(c_int32_t) :: sv_layout_builder_merge_axes
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_split_axis(builder, axis, count, extents) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int32_t), value :: axis
            integer(c_int32_t), value :: count
            integer(c_int64_t), intent(in) :: extents(*)
            integer(c_int32_t) :: sv_layout_builder_split_axis
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_move_axes(builder, count, axes, places) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int32_t), value :: count
            integer(c_int32_t), intent(in) :: axes(*)
            integer(c_int32_t), intent(in) :: places(*)
            integer(c_int32_t) :: sv_layout_builder_move_axes
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_swap_axes(builder, axis, other) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int32_t), value :: axis
            integer(c_int32_t), value :: other
            integer(c_int32_t) :: sv_layout_builder_swap_axes
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_flip(builder, count, axes) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int32_t), value :: count
            integer(c_int32_t), intent(in), optional :: axes(*)
            integer(c_int32_t) :: sv_layout_builder_flip
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_diagonal(builder, offset, axis, other) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int64_t), value :: offset
            integer(c_int32_t), value :: axis
            integer(c_int32_t), value :: other
            integer(c_int32_t) :: sv_layout_builder_diagonal
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_window(builder, count, axes, window) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int32_t), value :: count
            integer(c_int32_t), intent(in), optional :: axes(*)
            integer(c_int64_t), intent(in) :: window(*)
            integer(c_int32_t) :: sv_layout_builder_window
        end function

        ! The sv_layout operation of the same name, in place.
        function sv_layout_builder_repack(builder, itemsize, address, axis, keep_dim) bind(c)
            import
            type(c_ptr), value :: builder
            integer(c_int64_t), value :: itemsize
            integer(c_intptr_t), value :: address
            integer(c_int32_t), value :: axis
            integer(c_int32_t), value :: keep_dim
            integer(c_int32_t) :: sv_layout_builder_repack
        end function

        ! Make a layout of what the builder holds, which stays as it is.
        function sv_layout_builder_finish(builder, out) bind(c)
            import
            type(c_ptr), value :: builder
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_layout_builder_finish
        end function

        ! --- device

        ! Name of a kind of memory, for programs and their output: "cpu", "cuda", "cuda_host", "cuda_managed",
        ! "oneapi".
        function sv_device_name(device_type) bind(c)
            import
            integer(c_int32_t), value :: device_type
            type(c_ptr) :: sv_device_name
        end function

        ! The SV_TRAIT bits that hold for all memory of a kind; 0 for a number that no device type has.
        function sv_device_traits(device_type) bind(c)
            import
            integer(c_int32_t), value :: device_type
            integer(c_int32_t) :: sv_device_traits
        end function

        ! Find out whether a kind of device can be used, and how many there are: 0 unless ready.
        function sv_device_probe(device_type, state, count) bind(c)
            import
            integer(c_int32_t), value :: device_type
            integer(c_int32_t), intent(inout) :: state
            integer(c_int32_t), intent(inout), optional :: count
            integer(c_int32_t) :: sv_device_probe
        end function

        ! Write in words what sv_device_probe() finds, versions included.
        function sv_device_text(device_type, capacity, text, length) bind(c)
            import
            integer(c_int32_t), value :: device_type
            integer(c_size_t), value :: capacity
            character(kind=c_char), intent(inout), optional :: text(*)
            integer(c_size_t), intent(inout), optional :: length
            integer(c_int32_t) :: sv_device_text
        end function

        ! Ask for an SV_PROPERTY number that describes a device; SV_ERROR_DEVICE if no device is ready.
        function sv_device_property(device_type, device_id, property, value) bind(c)
            import
            integer(c_int32_t), value :: device_type
            integer(c_int32_t), value :: device_id
            integer(c_int32_t), value :: property
            integer(c_int64_t), intent(inout) :: value
            integer(c_int32_t) :: sv_device_property
        end function

        ! --- stream

        ! Let a stream wait for another: what is put on stream from now on starts after all that other holds now.
        function sv_stream_wait(device_type, device_id, stream, other_device_type, other_device_id, other) bind(c)
            import
            integer(c_int32_t), value :: device_type
            integer(c_int32_t), value :: device_id
            integer(c_intptr_t), value :: stream
            integer(c_int32_t), value :: other_device_type
            integer(c_int32_t), value :: other_device_id
            integer(c_intptr_t), value :: other
            integer(c_int32_t) :: sv_stream_wait
        end function

        ! Wait, on the host, until all that a stream holds is done.
        function sv_stream_synchronize(device_type, device_id, stream) bind(c)
            import
            integer(c_int32_t), value :: device_type
            integer(c_int32_t), value :: device_id
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_stream_synchronize
        end function

        ! Ask which device a stream belongs to, and whether it is being captured into a graph, so that what is put on
        ! it is recorded and runs later.
        function sv_stream_query(device_type, device_id, stream, owner, captured) bind(c)
            import
            integer(c_int32_t), value :: device_type
            integer(c_int32_t), value :: device_id
            integer(c_intptr_t), value :: stream
            integer(c_int32_t), intent(inout), optional :: owner
            integer(c_int32_t), intent(inout), optional :: captured
            integer(c_int32_t) :: sv_stream_query
        end function

        ! --- memory

        ! Name of a kind of memory, as static text: "host", "pinned", "device", "managed" or "foreign"; NULL of no
        ! kind.
        function sv_memory_name(kind) bind(c)
            import
            integer(c_int32_t), value :: kind
            type(c_ptr) :: sv_memory_name
        end function

        ! Find out what kind of memory an address belongs to.
        function sv_pointer_query(pointer, kind, traits, device_id, device_address, host_address) bind(c)
            import
            type(c_ptr), value :: pointer
            integer(c_int32_t), intent(inout) :: kind
            integer(c_int32_t), intent(inout), optional :: traits
            integer(c_int32_t), intent(inout), optional :: device_id
            type(c_ptr), intent(inout), optional :: device_address
            type(c_ptr), intent(inout), optional :: host_address
            integer(c_int32_t) :: sv_pointer_query
        end function

        ! --- allocator

        ! Make an allocator of ordinary host memory, of any alignment.
        function sv_allocator_host(flags, out) bind(c)
            import
            integer(c_int32_t), value :: flags
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_allocator_host
        end function

        ! Make an allocator of page-locked host memory, which CUDA devices use at the address that the host has for
        ! it.
        function sv_allocator_pinned(out) bind(c)
            import
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_allocator_pinned
        end function

        ! Make an allocator of memory of a CUDA device, by cudaMalloc().
        function sv_allocator_device(device_id, out) bind(c)
            import
            integer(c_int32_t), value :: device_id
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_allocator_device
        end function

        ! Make an allocator of managed memory: one address for the host and all CUDA devices, whose pages the driver
        ! moves.
        function sv_allocator_managed(device_id, out) bind(c)
            import
            integer(c_int32_t), value :: device_id
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_allocator_managed
        end function

        ! Make an allocator of a new pool of the CUDA driver, whose memory is allocated and freed in the order of a
        ! stream.
        function sv_allocator_pool(kind, device_id, initial, threshold, most, out) bind(c)
            import
            integer(c_int32_t), value :: kind
            integer(c_int32_t), value :: device_id
            integer(c_int64_t), value :: initial
            integer(c_int64_t), value :: threshold
            integer(c_int64_t), value :: most
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_allocator_pool
        end function

        ! Make an allocator of a pool that somebody else has made, and ends.
        function sv_allocator_pool_view(kind, device_id, pool, out) bind(c)
            import
            integer(c_int32_t), value :: kind
            integer(c_int32_t), value :: device_id
            integer(c_intptr_t), value :: pool
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_allocator_pool_view
        end function

        ! Make an allocator of two functions, which any thread calls.
        function sv_allocator_callbacks(kind, device_type, device_id, allocate, free, release, ctx, out) bind(c)
            import
            integer(c_int32_t), value :: kind
            integer(c_int32_t), value :: device_type
            integer(c_int32_t), value :: device_id
            type(c_funptr), value :: allocate
            type(c_funptr), value :: free
            type(c_funptr), value :: release
            type(c_ptr), value :: ctx
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_allocator_callbacks
        end function

        ! Make an allocator that counts what it gets from another one.
        function sv_allocator_tracked(base, name, flags, out) bind(c)
            import
            type(c_ptr), value :: base
            character(kind=c_char), intent(in), optional :: name(*)
            integer(c_int32_t), value :: flags
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_allocator_tracked
        end function

        ! Make an allocator that lets at most so many bytes of base be in use at a time.
        function sv_allocator_limited(base, most, out) bind(c)
            import
            type(c_ptr), value :: base
            integer(c_int64_t), value :: most
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_allocator_limited
        end function

        ! Make an allocator that keeps the blocks which are freed and gives them out again, without a call of the
        ! driver: that is what makes memory of devices and pinned memory cheap.
        function sv_allocator_cached(base, threshold, out) bind(c)
            import
            type(c_ptr), value :: base
            integer(c_int64_t), value :: threshold
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_allocator_cached
        end function

        ! Make an allocator that tells what it does.
        function sv_allocator_logged(base, log, release, ctx, out) bind(c)
            import
            type(c_ptr), value :: base
            type(c_funptr), value :: log
            type(c_funptr), value :: release
            type(c_ptr), value :: ctx
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_allocator_logged
        end function

        ! Make an allocator that asks what to do when base has no memory left, and then tries again.
        function sv_allocator_retrying(base, attempts, ask, release, ctx, out) bind(c)
            import
            type(c_ptr), value :: base
            integer(c_int32_t), value :: attempts
            type(c_funptr), value :: ask
            type(c_funptr), value :: release
            type(c_ptr), value :: ctx
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_allocator_retrying
        end function

        ! Add a reference.
        function sv_allocator_retain(allocator) bind(c)
            import
            type(c_ptr), value :: allocator
            type(c_ptr) :: sv_allocator_retain
        end function

        ! Drop a reference.
        subroutine sv_allocator_release(allocator) bind(c)
            import
            type(c_ptr), value :: allocator
        end subroutine

        ! Kind of its memory.
        function sv_allocator_kind(allocator) bind(c)
            import
            type(c_ptr), value :: allocator
            integer(c_int32_t) :: sv_allocator_kind
        end function

        ! SV_DEVICE number of its memory.
        function sv_allocator_device_type(allocator) bind(c)
            import
            type(c_ptr), value :: allocator
            integer(c_int32_t) :: sv_allocator_device_type
        end function

        ! Ordinal of its device, or 0.
        function sv_allocator_device_id(allocator) bind(c)
            import
            type(c_ptr), value :: allocator
            integer(c_int32_t) :: sv_allocator_device_id
        end function

        ! SV_TRAIT bits of its memory: those of the device type, and SV_TRAIT_ORDERED where streams order it.
        function sv_allocator_traits(allocator) bind(c)
            import
            type(c_ptr), value :: allocator
            integer(c_int32_t) :: sv_allocator_traits
        end function

        ! The largest alignment that sv_allocator_allocate() grants.
        function sv_allocator_alignment(allocator) bind(c)
            import
            type(c_ptr), value :: allocator
            integer(c_int64_t) :: sv_allocator_alignment
        end function

        ! Name of the nearest tracked allocator that has one, this one or one that it wraps; else of the source.
        function sv_allocator_name(allocator) bind(c)
            import
            type(c_ptr), value :: allocator
            type(c_ptr) :: sv_allocator_name
        end function

        ! Allocate raw bytes, for programs that hand an allocator on to others.
        function sv_allocator_allocate(allocator, nbytes, alignment, stream, pointer) bind(c)
            import
            type(c_ptr), value :: allocator
            integer(c_int64_t), value :: nbytes
            integer(c_int64_t), value :: alignment
            integer(c_intptr_t), value :: stream
            type(c_ptr), intent(inout) :: pointer
            integer(c_int32_t) :: sv_allocator_allocate
        end function

        ! Free what sv_allocator_allocate() of the same allocator gave for the same nbytes and alignment.
        function sv_allocator_free(allocator, pointer, nbytes, alignment, stream) bind(c)
            import
            type(c_ptr), value :: allocator
            type(c_ptr), value :: pointer
            integer(c_int64_t), value :: nbytes
            integer(c_int64_t), value :: alignment
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_allocator_free
        end function

        ! Ask the nearest tracked allocator, this one or one that it wraps, for an SV_STAT number; for one of CACHED,
        ! the nearest that keeps blocks.
        function sv_allocator_stats(allocator, stat, value) bind(c)
            import
            type(c_ptr), value :: allocator
            integer(c_int32_t), value :: stat
            integer(c_int64_t), intent(inout) :: value
            integer(c_int32_t) :: sv_allocator_stats
        end function

        ! Begin both peaks anew with what is in use now; SV_ERROR_STATE as for sv_allocator_stats().
        function sv_allocator_reset_peaks(allocator) bind(c)
            import
            type(c_ptr), value :: allocator
            integer(c_int32_t) :: sv_allocator_reset_peaks
        end function

        ! Call visit for each live block of the nearest allocator with SV_ALLOCATOR_BLOCKS (SV_ERROR_STATE if there is
        ! none).
        function sv_allocator_visit(allocator, visit, ctx) bind(c)
            import
            type(c_ptr), value :: allocator
            type(c_funptr), value :: visit
            type(c_ptr), value :: ctx
            integer(c_int32_t) :: sv_allocator_visit
        end function

        ! Make an allocator of the memory handler of a CUDA device.
        function sv_allocator_from_handler(device_id, allocate, free, release, ctx, out) bind(c)
            import
            integer(c_int32_t), value :: device_id
            type(c_funptr), value :: allocate
            type(c_funptr), value :: free
            type(c_funptr), value :: release
            type(c_ptr), value :: ctx
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_allocator_from_handler
        end function

        ! device_alloc of a memory handler whose context is an allocator: with it these libraries allocate from libsv.
        function sv_handler_allocate_from(allocator, pointer, nbytes, stream) bind(c)
            import
            type(c_ptr), value :: allocator
            type(c_ptr), intent(inout) :: pointer
            integer(c_size_t), value :: nbytes
            type(c_ptr), value :: stream
            integer(c_int32_t) :: sv_handler_allocate_from
        end function

        ! device_free of such a handler.
        function sv_handler_free_to(allocator, pointer, nbytes, stream) bind(c)
            import
            type(c_ptr), value :: allocator
            type(c_ptr), value :: pointer
            integer(c_size_t), value :: nbytes
            type(c_ptr), value :: stream
            integer(c_int32_t) :: sv_handler_free_to
        end function

        ! Make an allocator of two functions that were written for PyTorch's CUDAPluggableAllocator.
        function sv_allocator_from_torch(device_id, allocate, free, out) bind(c)
            import
            integer(c_int32_t), value :: device_id
            type(c_funptr), value :: allocate
            type(c_funptr), value :: free
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_allocator_from_torch
        end function

        ! Say from which allocator sv_torch_allocate() takes the memory of a device; NULL means none again.
        function sv_torch_use(device_id, allocator) bind(c)
            import
            integer(c_int32_t), value :: device_id
            type(c_ptr), value :: allocator
            integer(c_int32_t) :: sv_torch_use
        end function

        ! Allocate for PyTorch, from the allocator of sv_torch_use().
        function sv_torch_allocate(nbytes, device, stream) bind(c)
            import
            integer(c_int64_t), value :: nbytes
            integer(c_int32_t), value :: device
            type(c_ptr), value :: stream
            type(c_ptr) :: sv_torch_allocate
        end function

        ! Free what sv_torch_allocate() gave.
        subroutine sv_torch_free(pointer, nbytes, device, stream) bind(c)
            import
            type(c_ptr), value :: pointer
            integer(c_int64_t), value :: nbytes
            integer(c_int32_t), value :: device
            type(c_ptr), value :: stream
        end subroutine

        ! --- buffer

        ! Allocate memory.
        function sv_buffer_new(allocator, nbytes, alignment, flags, stream, out) bind(c)
            import
            type(c_ptr), value :: allocator
            integer(c_int64_t), value :: nbytes
            integer(c_int64_t), value :: alignment
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_buffer_new
        end function

        ! Make a buffer of memory that somebody else allocated.
        function sv_buffer_adopt(pointer, nbytes, kind, device_type, device_id, flags, stream, free, ctx, out) bind(c)
            import
            type(c_ptr), value :: pointer
            integer(c_int64_t), value :: nbytes
            integer(c_int32_t), value :: kind
            integer(c_int32_t), value :: device_type
            integer(c_int32_t), value :: device_id
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            type(c_funptr), value :: free
            type(c_ptr), value :: ctx
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_buffer_adopt
        end function

        ! Page-lock host memory that somebody else allocated, so that CUDA devices use it and copies to them are fast.
        function sv_buffer_register(pages, nbytes, flags, release, ctx, out) bind(c)
            import
            type(c_ptr), value :: pages
            integer(c_int64_t), value :: nbytes
            integer(c_int32_t), value :: flags
            type(c_funptr), value :: release
            type(c_ptr), value :: ctx
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_buffer_register
        end function

        ! Make a buffer of a part of another one, without copying; SV_ERROR_RANGE if the part does not lie within it.
        function sv_buffer_slice(buffer, offset, nbytes, flags, out) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int64_t), value :: offset
            integer(c_int64_t), value :: nbytes
            integer(c_int32_t), value :: flags
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_buffer_slice
        end function

        ! Add a reference.
        function sv_buffer_retain(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            type(c_ptr) :: sv_buffer_retain
        end function

        ! Drop a reference.
        subroutine sv_buffer_release(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
        end subroutine

        ! Drop a reference where nothing may be called: in finalisers.
        subroutine sv_buffer_release_later(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
        end subroutine

        ! Take the memory out of libsv's hands.
        function sv_buffer_detach(buffer, pointer, nbytes, alignment, stream, free, ctx) bind(c)
            import
            type(c_ptr), value :: buffer
            type(c_ptr), intent(inout) :: pointer
            integer(c_int64_t), intent(inout) :: nbytes
            integer(c_int64_t), intent(inout) :: alignment
            integer(c_intptr_t), intent(inout) :: stream
            type(c_funptr), intent(inout) :: free
            type(c_ptr), intent(inout) :: ctx
            integer(c_int32_t) :: sv_buffer_detach
        end function

        ! Free the memory now, whoever holds references: they see a closed buffer.
        function sv_buffer_close(buffer, stream) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_buffer_close
        end function

        ! Address of the first byte, where its device uses it; that of host memory is the host's.
        function sv_buffer_data(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            type(c_ptr) :: sv_buffer_data
        end function

        ! Address of the first byte for the host; NULL where the host cannot touch it.
        function sv_buffer_host_data(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            type(c_ptr) :: sv_buffer_host_data
        end function

        ! Size in bytes.
        function sv_buffer_nbytes(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int64_t) :: sv_buffer_nbytes
        end function

        ! Bytes that the memory has room for.
        function sv_buffer_capacity(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int64_t) :: sv_buffer_capacity
        end function

        ! The alignment that the address has, and keeps when the memory moves: the one that was asked for.
        function sv_buffer_alignment(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int64_t) :: sv_buffer_alignment
        end function

        ! Kind of the memory.
        function sv_buffer_kind(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int32_t) :: sv_buffer_kind
        end function

        ! SV_TRAIT bits of the memory.
        function sv_buffer_traits(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int32_t) :: sv_buffer_traits
        end function

        ! SV_DEVICE number of the memory.
        function sv_buffer_device_type(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int32_t) :: sv_buffer_device_type
        end function

        ! Ordinal of the device, 0 for host memory.
        function sv_buffer_device_id(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int32_t) :: sv_buffer_device_id
        end function

        ! The stream that the memory is freed on; 1 where that is another thread's default stream.
        function sv_buffer_stream(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_intptr_t) :: sv_buffer_stream
        end function

        ! The allocator that the memory came from; NULL for adopted memory, and while another thread moves it.
        function sv_buffer_allocator(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            type(c_ptr) :: sv_buffer_allocator
        end function

        ! The buffer that has the memory of a slice; NULL of others.
        function sv_buffer_parent(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            type(c_ptr) :: sv_buffer_parent
        end function

        ! How many views, slices and other exports point into the memory; those of a slice count at the slice.
        function sv_buffer_exports(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int64_t) :: sv_buffer_exports
        end function

        ! How many references there are, those of exports among them.
        function sv_buffer_references(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int64_t) :: sv_buffer_references
        end function

        ! Whether the buffer has lost its memory by sv_buffer_close() or sv_buffer_detach().
        function sv_buffer_is_closed(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int32_t) :: sv_buffer_is_closed
        end function

        ! The ctx of memory that was adopted with this free; with NULL, of any that was adopted.
        function sv_buffer_context(buffer, free) bind(c)
            import
            type(c_ptr), value :: buffer
            type(c_funptr), value :: free
            type(c_ptr) :: sv_buffer_context
        end function

        ! Keep the memory in place for somebody who uses its address, and the buffer alive, until
        ! sv_buffer_end_export().
        function sv_buffer_begin_export(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int32_t) :: sv_buffer_begin_export
        end function

        ! End what sv_buffer_begin_export() began.
        subroutine sv_buffer_end_export(buffer) bind(c)
            import
            type(c_ptr), value :: buffer
        end subroutine

        ! Copy bytes to host memory, where they have arrived on return.
        function sv_buffer_read(buffer, offset, dst, nbytes, flags, stream) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int64_t), value :: offset
            type(c_ptr), value :: dst
            integer(c_int64_t), value :: nbytes
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_buffer_read
        end function

        ! Copy bytes from host memory, which is free for other use on return; else as sv_buffer_read().
        function sv_buffer_write(buffer, offset, src, nbytes, flags, stream) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int64_t), value :: offset
            type(c_ptr), value :: src
            integer(c_int64_t), value :: nbytes
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_buffer_write
        end function

        ! Copy bytes between two buffers of any kinds of memory, or within one; else as sv_buffer_write().
        function sv_buffer_copy(dst, dst_offset, src, src_offset, nbytes, flags, stream) bind(c)
            import
            type(c_ptr), value :: dst
            integer(c_int64_t), value :: dst_offset
            type(c_ptr), value :: src
            integer(c_int64_t), value :: src_offset
            integer(c_int64_t), value :: nbytes
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_buffer_copy
        end function

        ! Write one item again and again; else as sv_buffer_write().
        function sv_buffer_fill(buffer, offset, nbytes, item, itemsize, flags, stream) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int64_t), value :: offset
            integer(c_int64_t), value :: nbytes
            type(c_ptr), value :: item
            integer(c_int64_t), value :: itemsize
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_buffer_fill
        end function

        ! Change the size.
        function sv_buffer_resize(buffer, nbytes, flags, stream) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int64_t), value :: nbytes
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_buffer_resize
        end function

        ! Get memory for a larger size before it is needed; else as sv_buffer_resize().
        function sv_buffer_reserve(buffer, capacity, stream) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_int64_t), value :: capacity
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_buffer_reserve
        end function

        ! Give back what the size does not need: the buffer moves to memory of exactly its size; else as
        ! sv_buffer_resize().
        function sv_buffer_shrink(buffer, stream) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_buffer_shrink
        end function

        ! Move the bytes to another kind of memory, or another device; else as sv_buffer_resize().
        function sv_buffer_migrate(buffer, allocator, flags, stream) bind(c)
            import
            type(c_ptr), value :: buffer
            type(c_ptr), value :: allocator
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_buffer_migrate
        end function

        ! Name another stream that the memory is freed on.
        function sv_buffer_set_stream(buffer, stream) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_buffer_set_stream
        end function

        ! Tell that work which has been put on a stream uses the memory.
        function sv_buffer_record_use(buffer, stream) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_buffer_record_use
        end function

        ! Move memory to where it will be used, in the order of a stream.
        function sv_buffer_prefetch(count, buffers, device_type, device_id, flags, stream) bind(c)
            import
            integer(c_int64_t), value :: count
            type(c_ptr), intent(in) :: buffers(*)
            integer(c_int32_t), value :: device_type
            integer(c_int32_t), value :: device_id
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_buffer_prefetch
        end function

        ! Say that the contents are not needed any more, in the order of a stream; else as sv_buffer_prefetch().
        function sv_buffer_discard(count, buffers, device_type, device_id, flags, stream) bind(c)
            import
            integer(c_int64_t), value :: count
            type(c_ptr), intent(in) :: buffers(*)
            integer(c_int32_t), value :: device_type
            integer(c_int32_t), value :: device_id
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_buffer_discard
        end function

        ! Tell the driver how memory will be used, by an SV_ADVICE number.
        function sv_buffer_advise(count, buffers, advice, device_type, device_id, flags) bind(c)
            import
            integer(c_int64_t), value :: count
            type(c_ptr), intent(in) :: buffers(*)
            integer(c_int32_t), value :: advice
            integer(c_int32_t), value :: device_type
            integer(c_int32_t), value :: device_id
            integer(c_int32_t), value :: flags
            integer(c_int32_t) :: sv_buffer_advise
        end function

        ! Describe device memory for another process of this machine, in SV_IPC_NBYTES bytes that can be sent by any
        ! way.
        function sv_buffer_export_ipc(buffer, capacity, blob, length) bind(c)
            import
            type(c_ptr), value :: buffer
            integer(c_size_t), value :: capacity
            type(c_ptr), value :: blob
            integer(c_size_t), intent(inout), optional :: length
            integer(c_int32_t) :: sv_buffer_export_ipc
        end function

        ! Open device memory of another process.
        function sv_buffer_import_ipc(blob, length, flags, out) bind(c)
            import
            type(c_ptr), value :: blob
            integer(c_size_t), value :: length
            integer(c_int32_t), value :: flags
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_buffer_import_ipc
        end function

        ! Free the memory whose free had to wait when its buffer was released.
        function sv_memory_collect(flags, left) bind(c)
            import
            integer(c_int32_t), value :: flags
            integer(c_int64_t), intent(inout), optional :: left
            integer(c_int32_t) :: sv_memory_collect
        end function

        ! How much memory buffers own: what was allocated for them, and what they adopted with a function that frees
        ! it.
        function sv_memory_stats(kind, stat, value) bind(c)
            import
            integer(c_int32_t), value :: kind
            integer(c_int32_t), value :: stat
            integer(c_int64_t), intent(inout) :: value
            integer(c_int32_t) :: sv_memory_stats
        end function

        ! --- view

        ! View an array in host memory that the caller keeps alive.
        function sv_view_from_host(dtype, ndim, shape, byte_strides, pointer, flags, out) bind(c)
            import
            integer(c_int32_t), value :: dtype
            integer(c_int32_t), value :: ndim
            integer(c_int64_t), intent(in) :: shape(*)
            integer(c_int64_t), intent(in), optional :: byte_strides(*)
            type(c_ptr), value :: pointer
            integer(c_int32_t), value :: flags
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_from_host
        end function

        ! View host memory that the caller keeps alive, through a layout and within a size.
        function sv_view_from_pointer(layout, dtype, pointer, nbytes, flags, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: dtype
            type(c_ptr), value :: pointer
            integer(c_int64_t), value :: nbytes
            integer(c_int32_t), value :: flags
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_from_pointer
        end function

        ! View memory of any device, with an owner, through a layout: the general form of sv_view_from_pointer().
        function sv_view_new( &
                layout, dtype, base, lower, upper, device_type, device_id, flags, release, ctx, out) bind(c)
            import
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: dtype
            type(c_ptr), value :: base
            integer(c_int64_t), value :: lower
            integer(c_int64_t), value :: upper
            integer(c_int32_t), value :: device_type
            integer(c_int32_t), value :: device_id
            integer(c_int32_t), value :: flags
            type(c_funptr), value :: release
            type(c_ptr), value :: ctx
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_new
        end function

        ! View an array of any device, with an owner: the general form of sv_view_from_host().
        function sv_view_from_array( &
                dtype, ndim, shape, byte_strides, pointer, device_type, device_id, flags, release, ctx, out) bind(c)
            import
            integer(c_int32_t), value :: dtype
            integer(c_int32_t), value :: ndim
            integer(c_int64_t), intent(in) :: shape(*)
            integer(c_int64_t), intent(in), optional :: byte_strides(*)
            type(c_ptr), value :: pointer
            integer(c_int32_t), value :: device_type
            integer(c_int32_t), value :: device_id
            integer(c_int32_t), value :: flags
            type(c_funptr), value :: release
            type(c_ptr), value :: ctx
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_from_array
        end function

        ! View the bytes of a buffer through a layout.
        function sv_view_from_buffer(buffer, layout, dtype, offset, flags, out) bind(c)
            import
            type(c_ptr), value :: buffer
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: dtype
            integer(c_int64_t), value :: offset
            integer(c_int32_t), value :: flags
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_from_buffer
        end function

        ! View a DLPack tensor of major version 1.
        function sv_view_from_dlpack(tensor, flags, out) bind(c)
            import
            type(c_ptr), value :: tensor
            integer(c_int32_t), value :: flags
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_from_dlpack
        end function

        ! View a DLPack tensor of the old form, which has no version and no flags; else as sv_view_from_dlpack().
        function sv_view_from_dlpack_unversioned(tensor, flags, out) bind(c)
            import
            type(c_ptr), value :: tensor
            integer(c_int32_t), value :: flags
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_from_dlpack_unversioned
        end function

        ! View what a bare DLTensor describes, which does not own its memory; else as sv_view_from_dlpack().
        function sv_view_from_dltensor(tensor, flags, release, ctx, out) bind(c)
            import
            type(c_ptr), value :: tensor
            integer(c_int32_t), value :: flags
            type(c_funptr), value :: release
            type(c_ptr), value :: ctx
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_from_dltensor
        end function

        ! View host memory as a Py_buffer or its like describes it (PEP 3118).
        function sv_view_from_pep3118( &
                format, itemsize, ndim, shape, byte_strides, pointer, nbytes, flags, release, ctx, out) bind(c)
            import
            character(kind=c_char), intent(in), optional :: format(*)
            integer(c_int64_t), value :: itemsize
            integer(c_int32_t), value :: ndim
            integer(c_int64_t), intent(in), optional :: shape(*)
            integer(c_int64_t), intent(in), optional :: byte_strides(*)
            type(c_ptr), value :: pointer
            integer(c_int64_t), value :: nbytes
            integer(c_int32_t), value :: flags
            type(c_funptr), value :: release
            type(c_ptr), value :: ctx
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_from_pep3118
        end function

        ! View memory as the fields of __array_interface__ or of __cuda_array_interface__ (version 3) describe it.
        function sv_view_from_array_interface( &
                typestr, ndim, shape, byte_strides, pointer, device_type, device_id, flags, release, ctx, out) &
                bind(c)
            import
            character(kind=c_char), intent(in) :: typestr(*)
            integer(c_int32_t), value :: ndim
            integer(c_int64_t), intent(in) :: shape(*)
            integer(c_int64_t), intent(in), optional :: byte_strides(*)
            type(c_ptr), value :: pointer
            integer(c_int32_t), value :: device_type
            integer(c_int32_t), value :: device_id
            integer(c_int32_t), value :: flags
            type(c_funptr), value :: release
            type(c_ptr), value :: ctx
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_from_array_interface
        end function

        ! Read the same memory, from the same base, through another layout of the same item size.
        function sv_view_with_layout(view, layout, out) bind(c)
            import
            type(c_ptr), value :: view
            type(c_ptr), value :: layout
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_with_layout
        end function

        ! Read the same memory, from the same base, through what a builder holds; SV_ERROR_STATE if it was not
        ! started.
        function sv_view_with_builder(view, builder, out) bind(c)
            import
            type(c_ptr), value :: view
            type(c_ptr), value :: builder
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_with_builder
        end function

        ! The sv_layout operation of the same name, on a view: the same memory, rearranged.
        function sv_view_permute(view, ndim, axes, out) bind(c)
            import
            type(c_ptr), value :: view
            integer(c_int32_t), value :: ndim
            integer(c_int32_t), intent(in), optional :: axes(*)
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_permute
        end function

        ! The sv_layout operation of the same name, on a view: the same memory, rearranged.
        function sv_view_slice(view, count, start, stop, step, out) bind(c)
            import
            type(c_ptr), value :: view
            integer(c_int32_t), value :: count
            integer(c_int64_t), intent(in) :: start(*)
            integer(c_int64_t), intent(in) :: stop(*)
            integer(c_int64_t), intent(in), optional :: step(*)
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_slice
        end function

        ! The sv_layout operation of the same name, on a view: the same memory, rearranged.
        function sv_view_index(view, axis, index, out) bind(c)
            import
            type(c_ptr), value :: view
            integer(c_int32_t), value :: axis
            integer(c_int64_t), value :: index
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_index
        end function

        ! The sv_layout operation of the same name, on a view: the same memory, rearranged.
        function sv_view_reshape(view, ndim, shape, out) bind(c)
            import
            type(c_ptr), value :: view
            integer(c_int32_t), value :: ndim
            integer(c_int64_t), intent(in) :: shape(*)
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_reshape
        end function

        ! The sv_layout operation of the same name, on a view: the same memory, rearranged.
        function sv_view_broadcast(view, ndim, shape, out) bind(c)
            import
            type(c_ptr), value :: view
            integer(c_int32_t), value :: ndim
            integer(c_int64_t), intent(in) :: shape(*)
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_broadcast
        end function

        ! Read the same elements as another type of the same size (else SV_ERROR_DTYPE).
        function sv_view_with_dtype(view, dtype, out) bind(c)
            import
            type(c_ptr), value :: view
            integer(c_int32_t), value :: dtype
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_with_dtype
        end function

        ! The same view, through which nothing can be written.
        function sv_view_as_readonly(view, out) bind(c)
            import
            type(c_ptr), value :: view
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_as_readonly
        end function

        ! Add a reference.
        function sv_view_retain(view) bind(c)
            import
            type(c_ptr), value :: view
            type(c_ptr) :: sv_view_retain
        end function

        ! Drop a reference.
        subroutine sv_view_release(view) bind(c)
            import
            type(c_ptr), value :: view
        end subroutine

        ! Address of the element with all indices 0; NULL of an empty view.
        function sv_view_data(view) bind(c)
            import
            type(c_ptr), value :: view
            type(c_ptr) :: sv_view_data
        end function

        ! The layout.
        function sv_view_layout(view) bind(c)
            import
            type(c_ptr), value :: view
            type(c_ptr) :: sv_view_layout
        end function

        ! Element type.
        function sv_view_dtype(view) bind(c)
            import
            type(c_ptr), value :: view
            integer(c_int32_t) :: sv_view_dtype
        end function

        ! SV_DEVICE number of the memory.
        function sv_view_device_type(view) bind(c)
            import
            type(c_ptr), value :: view
            integer(c_int32_t) :: sv_view_device_type
        end function

        ! Ordinal of the device.
        function sv_view_device_id(view) bind(c)
            import
            type(c_ptr), value :: view
            integer(c_int32_t) :: sv_view_device_id
        end function

        ! Whether writing through the view is refused.
        function sv_view_is_readonly(view) bind(c)
            import
            type(c_ptr), value :: view
            integer(c_int32_t) :: sv_view_is_readonly
        end function

        ! The bytes that may be touched, relative to the base: [lower, upper), with the unknown limits of
        ! sv_view_new().
        function sv_view_bounds(view, lower, upper) bind(c)
            import
            type(c_ptr), value :: view
            integer(c_int64_t), intent(inout) :: lower
            integer(c_int64_t), intent(inout) :: upper
            integer(c_int32_t) :: sv_view_bounds
        end function

        ! Number of references that keep the memory of a view.
        function sv_view_references(view) bind(c)
            import
            type(c_ptr), value :: view
            integer(c_int64_t) :: sv_view_references
        end function

        ! The ctx that the memory of a view, or of the view that it was made from, is let go with, if by this release.
        function sv_view_context(view, release) bind(c)
            import
            type(c_ptr), value :: view
            type(c_funptr), value :: release
            type(c_ptr) :: sv_view_context
        end function

        ! The buffer that a view, or the view it was made from, was made of; NULL when there is none.
        function sv_view_buffer(view) bind(c)
            import
            type(c_ptr), value :: view
            type(c_ptr) :: sv_view_buffer
        end function

        ! Whether elements of two views share a byte; those of an empty view do not.
        function sv_view_overlap(view, other, work, answer) bind(c)
            import
            type(c_ptr), value :: view
            type(c_ptr), value :: other
            integer(c_int64_t), value :: work
            integer(c_int32_t), intent(inout) :: answer
            integer(c_int32_t) :: sv_view_overlap
        end function

        ! Look at a view as a standard DLPack structure, for typed access.
        function sv_view_borrow(view) bind(c)
            import
            type(c_ptr), value :: view
            type(c_ptr) :: sv_view_borrow
        end function

        ! Describe a view for a kernel, as a plain block that is passed by value:
        function sv_view_kernel_arg(view, ndim, itemsize, flags, capacity, block) bind(c)
            import
            type(c_ptr), value :: view
            integer(c_int32_t), value :: ndim
            integer(c_int64_t), value :: itemsize
            integer(c_int32_t), value :: flags
            integer(c_size_t), value :: capacity
            type(c_ptr), value :: block
            integer(c_int32_t) :: sv_view_kernel_arg
        end function

        ! Hand a view on as a DLPack tensor, version 1.3, which keeps the memory alive.
        function sv_view_to_dlpack(view, flags, out) bind(c)
            import
            type(c_ptr), value :: view
            integer(c_int32_t), value :: flags
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_to_dlpack
        end function

        ! Hand a view on as a DLPack tensor of the old form; else as sv_view_to_dlpack().
        function sv_view_to_dlpack_unversioned(view, out) bind(c)
            import
            type(c_ptr), value :: view
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_view_to_dlpack_unversioned
        end function

        ! --- empty

        ! Make a new array: dense, in C order, in memory of its own.
        function sv_empty(allocator, dtype, ndim, shape, flags, stream, out) bind(c)
            import
            type(c_ptr), value :: allocator
            integer(c_int32_t), value :: dtype
            integer(c_int32_t), value :: ndim
            integer(c_int64_t), intent(in) :: shape(*)
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_empty
        end function

        ! Make a new array of a given layout, of any strides, in memory of exactly the bytes that its elements reach.
        function sv_empty_layout(allocator, layout, dtype, flags, stream, out) bind(c)
            import
            type(c_ptr), value :: allocator
            type(c_ptr), value :: layout
            integer(c_int32_t), value :: dtype
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_empty_layout
        end function

        ! Make a new dense array of the shape and element type of another one: "a tensor like this one, on the
        ! device".
        function sv_empty_like(allocator, view, order, flags, stream, out) bind(c)
            import
            type(c_ptr), value :: allocator
            type(c_ptr), value :: view
            integer(c_int32_t), value :: order
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_empty_like
        end function

        ! --- copy

        ! Copy every element of src to the place with the same index in dst.
        function sv_copy(dst, src, flags, stream) bind(c)
            import
            type(c_ptr), value :: dst
            type(c_ptr), value :: src
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_copy
        end function

        ! sv_copy() with memory of the caller's for what it needs on a device.
        function sv_copy_with(dst, src, scratch, flags, stream) bind(c)
            import
            type(c_ptr), value :: dst
            type(c_ptr), value :: src
            type(c_ptr), value :: scratch
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_copy_with
        end function

        ! Copy and convert in one pass, with a scale and a bias: every element of dst becomes src * scale + bias.
        function sv_copy_scaled(dst, src, scale, nscale, bias, nbias, axis, flags, stream) bind(c)
            import
            type(c_ptr), value :: dst
            type(c_ptr), value :: src
            real(c_double), intent(in), optional :: scale(*)
            integer(c_int64_t), value :: nscale
            real(c_double), intent(in), optional :: bias(*)
            integer(c_int64_t), value :: nbias
            integer(c_int32_t), value :: axis
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_copy_scaled
        end function

        ! Many scaled copies: sv_copy_scaled(dst[i], src[i], ...) for each i, all with the same scale, bias and axis,
        ! as sv_copy_batch() does many copies.
        function sv_copy_scaled_batch( &
                count, dst, src, scale, nscale, bias, nbias, axis, flags, stream, failed) bind(c)
            import
            integer(c_int64_t), value :: count
            type(c_ptr), intent(in) :: dst(*)
            type(c_ptr), intent(in) :: src(*)
            real(c_double), intent(in), optional :: scale(*)
            integer(c_int64_t), value :: nscale
            real(c_double), intent(in), optional :: bias(*)
            integer(c_int64_t), value :: nbias
            integer(c_int32_t), value :: axis
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int64_t), intent(inout), optional :: failed
            integer(c_int32_t) :: sv_copy_scaled_batch
        end function

        ! Write one item to every element of dst, whatever its layout.
        function sv_fill(dst, item, itemsize, flags, stream) bind(c)
            import
            type(c_ptr), value :: dst
            type(c_ptr), value :: item
            integer(c_int64_t), value :: itemsize
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_fill
        end function

        ! Many copies: sv_copy(dst[i], src[i], flags, stream) for each i, with less overhead for each.
        function sv_copy_batch(count, dst, src, flags, stream, failed) bind(c)
            import
            integer(c_int64_t), value :: count
            type(c_ptr), intent(in) :: dst(*)
            type(c_ptr), intent(in) :: src(*)
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int64_t), intent(inout), optional :: failed
            integer(c_int32_t) :: sv_copy_batch
        end function

        ! Copy arrays beside each other into one: src[0] to the first places along an axis of dst, src[1] to those
        ! behind them, and so on.
        function sv_copy_stack(dst, axis, count, src, flags, stream, failed) bind(c)
            import
            type(c_ptr), value :: dst
            integer(c_int32_t), value :: axis
            integer(c_int64_t), value :: count
            type(c_ptr), intent(in) :: src(*)
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int64_t), intent(inout), optional :: failed
            integer(c_int32_t) :: sv_copy_stack
        end function

        ! Tell how sv_copy(dst, src, flags, stream) would be done: by whom, in which order with the work on streams,
        ! and what the call waits for.
        function sv_copy_placement(dst, src, flags, stream, by, device_type, device_id, waits, done, method) bind(c)
            import
            type(c_ptr), value :: dst
            type(c_ptr), value :: src
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int32_t), intent(inout), optional :: by
            integer(c_int32_t), intent(inout), optional :: device_type
            integer(c_int32_t), intent(inout), optional :: device_id
            integer(c_int32_t), intent(inout), optional :: waits
            integer(c_int32_t), intent(inout), optional :: done
            integer(c_int32_t), intent(inout), optional :: method
            integer(c_int32_t) :: sv_copy_placement
        end function

        ! --- plan

        ! Plan the copy that sv_copy(dst, src, flags, ...) would do.
        function sv_plan_new(dst, src, flags, out) bind(c)
            import
            type(c_ptr), value :: dst
            type(c_ptr), value :: src
            integer(c_int32_t), value :: flags
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_plan_new
        end function

        ! Plan the copy that sv_copy_scaled(dst, src, scale, nscale, bias, nbias, axis, flags, ...) would do.
        function sv_plan_new_scaled(dst, src, scale, nscale, bias, nbias, axis, flags, out) bind(c)
            import
            type(c_ptr), value :: dst
            type(c_ptr), value :: src
            real(c_double), intent(in), optional :: scale(*)
            integer(c_int64_t), value :: nscale
            real(c_double), intent(in), optional :: bias(*)
            integer(c_int64_t), value :: nbias
            integer(c_int32_t), value :: axis
            integer(c_int32_t), value :: flags
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_plan_new_scaled
        end function

        ! Add a reference.
        function sv_plan_retain(plan) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_ptr) :: sv_plan_retain
        end function

        ! Drop a reference.
        subroutine sv_plan_release(plan) bind(c)
            import
            type(c_ptr), value :: plan
        end subroutine

        ! Copy between these addresses of the elements [0,...,0], as sv_view_data() gives them.
        function sv_plan_execute(plan, dst, src, stream) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_ptr), value :: dst
            type(c_ptr), value :: src
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_plan_execute
        end function

        ! Copy between these views: sv_plan_execute() with everything checked.
        function sv_plan_execute_views(plan, dst, src, stream) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_ptr), value :: dst
            type(c_ptr), value :: src
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_plan_execute_views
        end function

        ! Many executions: sv_plan_execute(plans[i], dst[i], src[i], stream) for each i.
        function sv_plan_execute_batch(count, plans, dst, src, stream, failed) bind(c)
            import
            integer(c_int64_t), value :: count
            type(c_ptr), intent(in) :: plans(*)
            type(c_ptr), intent(in) :: dst(*)
            type(c_ptr), intent(in) :: src(*)
            integer(c_intptr_t), value :: stream
            integer(c_int64_t), intent(inout), optional :: failed
            integer(c_int32_t) :: sv_plan_execute_batch
        end function

        ! Many executions of one plan: sv_plan_execute_views(plan, dst[i], src[i], stream) for each i.
        function sv_plan_execute_views_batch(plan, count, dst, src, stream, failed) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), value :: count
            type(c_ptr), intent(in) :: dst(*)
            type(c_ptr), intent(in) :: src(*)
            integer(c_intptr_t), value :: stream
            integer(c_int64_t), intent(inout), optional :: failed
            integer(c_int32_t) :: sv_plan_execute_views_batch
        end function

        ! Many executions of one plan, between addresses that lie in two arrays: sv_plan_execute(plan, dst[i], src[i],
        ! stream) for each i, for pages of a cache and the like.
        function sv_plan_execute_table(plan, dst, src, alignment, stream, failed) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_ptr), value :: dst
            type(c_ptr), value :: src
            integer(c_int64_t), value :: alignment
            integer(c_intptr_t), value :: stream
            integer(c_int64_t), intent(inout), optional :: failed
            integer(c_int32_t) :: sv_plan_execute_table
        end function

        ! What kind of copy it is, as static text; later versions may know more kinds.
        function sv_plan_class(plan) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_ptr) :: sv_plan_class
        end function

        ! Name of the kernel that does it, as static text for eyes and tests, which may change from version to
        ! version.
        function sv_plan_kernel(plan) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_ptr) :: sv_plan_kernel
        end function

        ! Write what a plan does and why, in lines of English text for people.
        function sv_plan_explain(plan, dst, src, capacity, text, length) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_ptr), value :: dst
            type(c_ptr), value :: src
            integer(c_size_t), value :: capacity
            character(kind=c_char), intent(inout), optional :: text(*)
            integer(c_size_t), intent(inout), optional :: length
            integer(c_int32_t) :: sv_plan_explain
        end function

        ! Bytes that are written, each once.
        function sv_plan_nbytes(plan) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t) :: sv_plan_nbytes
        end function

        ! Bytes that go to and from memory, in whole cache lines of 64 bytes, where every line is moved once.
        function sv_plan_traffic(plan, read, written) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t), intent(inout) :: read
            integer(c_int64_t), intent(inout) :: written
            integer(c_int32_t) :: sv_plan_traffic
        end function

        ! How many operations one execution gives to a stream: launches of kernels and copies by a device's copy
        ! engine.
        function sv_plan_launches(plan) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int64_t) :: sv_plan_launches
        end function

        ! --- threads

        ! sv_copy() by several threads of the caller.
        function sv_copy_parallel(dst, src, threads, run, ctx, flags, stream) bind(c)
            import
            type(c_ptr), value :: dst
            type(c_ptr), value :: src
            integer(c_int32_t), value :: threads
            type(c_funptr), value :: run
            type(c_ptr), value :: ctx
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_copy_parallel
        end function

        ! sv_copy_scaled() by several threads of the caller, where sv_copy_parallel() would share a copy that
        ! converts.
        function sv_copy_scaled_parallel( &
                dst, src, scale, nscale, bias, nbias, axis, threads, run, ctx, flags, stream) bind(c)
            import
            type(c_ptr), value :: dst
            type(c_ptr), value :: src
            real(c_double), intent(in), optional :: scale(*)
            integer(c_int64_t), value :: nscale
            real(c_double), intent(in), optional :: bias(*)
            integer(c_int64_t), value :: nbias
            integer(c_int32_t), value :: axis
            integer(c_int32_t), value :: threads
            type(c_funptr), value :: run
            type(c_ptr), value :: ctx
            integer(c_int32_t), value :: flags
            integer(c_intptr_t), value :: stream
            integer(c_int32_t) :: sv_copy_scaled_parallel
        end function

        ! The same plan, executed by several threads of the caller, as sv_copy_parallel() does.
        function sv_plan_with_threads(plan, threads, run, ctx, out) bind(c)
            import
            type(c_ptr), value :: plan
            integer(c_int32_t), value :: threads
            type(c_funptr), value :: run
            type(c_ptr), value :: ctx
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_plan_with_threads
        end function

        ! The same plan with memory of the caller's, as for sv_copy_with(); NULL: the default pool.
        function sv_plan_with_allocator(plan, scratch, out) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_ptr), value :: scratch
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_plan_with_allocator
        end function

        ! The same plan, done by the loop that is the fastest on this memory.
        function sv_plan_measure(plan, dst, src, limit_ns, stream, out) bind(c)
            import
            type(c_ptr), value :: plan
            type(c_ptr), value :: dst
            type(c_ptr), value :: src
            integer(c_int64_t), value :: limit_ns
            integer(c_intptr_t), value :: stream
            type(c_ptr), intent(inout) :: out
            integer(c_int32_t) :: sv_plan_measure
        end function
    end interface

contains

    ! What C answers as const char *; empty for NULL.
    function sv_text(text) result(string)
        type(c_ptr), intent(in) :: text
        character(len=:), allocatable :: string
        character(kind=c_char), pointer :: letters(:)
        integer :: i
        interface
            function strlen(text) bind(c)
                import
                type(c_ptr), value :: text
                integer(c_size_t) :: strlen
            end function
        end interface

        if (.not. c_associated(text)) then
            string = ""
            return
        end if
        call c_f_pointer(text, letters, [strlen(text)])
        allocate (character(len=size(letters)) :: string)
        do i = 1, size(letters)
            string(i:i) = letters(i)
        end do
    end function
end module
