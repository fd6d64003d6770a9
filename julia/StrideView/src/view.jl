# The array type: elements, shape and strides of a view, read once.

const DTYPES = Dict{DataType,UInt32}(
    Bool => sv.SV_BOOL,
    Int8 => sv.SV_INT8,
    Int16 => sv.SV_INT16,
    Int32 => sv.SV_INT32,
    Int64 => sv.SV_INT64,
    UInt8 => sv.SV_UINT8,
    UInt16 => sv.SV_UINT16,
    UInt32 => sv.SV_UINT32,
    UInt64 => sv.SV_UINT64,
    Float16 => sv.SV_FLOAT16,
    Float32 => sv.SV_FLOAT32,
    Float64 => sv.SV_FLOAT64,
    ComplexF16 => sv.SV_COMPLEX32,
    ComplexF32 => sv.SV_COMPLEX64,
    ComplexF64 => sv.SV_COMPLEX128,
)
const TYPES = Dict{UInt32,DataType}(number => type for (type, number) in DTYPES)

function dtype_of(type::DataType)
    haskey(DTYPES, type) || throw(ArgumentError("libsv has no element type for $type"))
    return DTYPES[type]
end

"""
    View(array; readonly = false)

The elements of a Julia array, or of a contiguous or strided part of one, as libsv sees them. The view keeps the array
alive. The array must not be resized while views, or tensors made of them, exist.

A view is an `AbstractArray{T,N}` with `size`, `strides`, `pointer`, `isreadonly` and indexing. Elements of memory that the host does not
reach, as that of a GPU, cannot be indexed, but copied to an array by [`copy_elements!`](@ref).
"""
struct View{T,N} <: AbstractArray{T,N}
    handle::Handle
    data::Ptr{T}
    size::NTuple{N,Int}
    byte_strides::NTuple{N,Int}
    readonly::Bool
    host::Bool

    function View{T,N}(handle::Handle) where {T,N}
        shape, byte_strides = shape_of(handle, Val(N))
        host = sv.sv_device_traits(sv.sv_view_device_type(handle)) & sv.SV_TRAIT_HOST != 0
        readonly = sv.sv_view_is_readonly(handle) == 1
        return new{T,N}(handle, Ptr{T}(sv.sv_view_data(handle)), shape, byte_strides, readonly, host)
    end
end

function View(array::StridedArray{T,N}; readonly::Bool = false) where {T,N}
    dtype, flags = dtype_of(T), readonly ? sv.SV_READ_ONLY : UInt32(0)
    shape, byte_strides = collect(Int64, size(array)), collect(Int64, strides(array) .* sizeof(T))
    handle = GC.@preserve array made(array, sv.sv_view_from_host, dtype, N, shape, byte_strides, pointer(array), flags)
    return View{T,N}(handle)
end

View(view::View) = view

# Extents and byte strides, which libsv answers by addresses in the view.
function shape_of(handle::Handle, axes::Val)
    GC.@preserve handle begin
        layout = sv.sv_view_layout(handle)
        extents, steps = sv.sv_layout_shape(layout), sv.sv_layout_byte_strides(layout)
        shape = ntuple(axis -> Int(unsafe_load(extents, axis)), axes)
        byte_strides = ntuple(axis -> Int(unsafe_load(steps, axis)), axes)
    end
    return shape, byte_strides
end

# A view whose type is known only when the program runs.
function view_of(handle::Handle)
    dtype = sv.sv_view_dtype(handle)
    haskey(TYPES, dtype) || throw(ArgumentError("Julia has no type for elements of the DLPack type $(string(dtype; base = 16))"))
    ndim = GC.@preserve handle Int(sv.sv_layout_ndim(sv.sv_view_layout(handle)))
    return View{TYPES[dtype],ndim}(handle)
end

"Whether elements cannot be written through a view."
Base.isreadonly(view::View) = view.readonly

Base.size(view::View) = view.size
Base.IndexStyle(::Type{<:View}) = IndexCartesian()
Base.elsize(::Type{<:View{T}}) where {T} = sizeof(T)

function Base.strides(view::View{T}) where {T}
    all(stride -> rem(stride, sizeof(T)) == 0, view.byte_strides) || throw(ArgumentError("strides are no whole elements"))
    return map(stride -> div(stride, sizeof(T)), view.byte_strides)
end

Base.unsafe_convert(::Type{Ptr{T}}, view::View{T}) where {T} = view.data

on_host(view::View) = view.host || throw(ArgumentError("elements of this memory cannot be indexed: see copy_elements!"))

address(view::View, indices) = view.data + sum((indices .- 1) .* view.byte_strides; init = 0)

@inline function Base.getindex(view::View{T,N}, indices::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(view, indices...)
    on_host(view)
    return GC.@preserve view unsafe_load(address(view, indices))
end

@inline function Base.setindex!(view::View{T,N}, value, indices::Vararg{Int,N}) where {T,N}
    @boundscheck checkbounds(view, indices...)
    on_host(view)
    view.readonly && throw(ReadOnlyMemoryError())
    GC.@preserve view unsafe_store!(address(view, indices), convert(T, value))
    return view
end

function Base.show(io::IO, mime::MIME"text/plain", view::View)
    view.host && return invoke(show, Tuple{IO,MIME"text/plain",AbstractArray}, io, mime, view)
    print(io, summary(view), ", of a device")
end
