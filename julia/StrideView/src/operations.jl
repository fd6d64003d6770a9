# Views of the same memory, rearranged. Where libsv counts as C does, with the last axis fastest, axes are reversed, the
# operation is done, and they are reversed again: what Julia programs see is Julia's order.

"""
    permute(view, axes)

The view whose axis `i` is axis `axes[i]` of `view`, as of `permutedims`, without moving an element.
"""
function permute(view::View{T,N}, axes) where {T,N}
    length(axes) == N && isperm(axes) || throw(ArgumentError("$axes is no order of $N axes"))
    order = Int32[axis - 1 for axis in axes]
    return View{T,N}(made(view.handle, sv.sv_view_permute, view.handle, N, order))
end

reversed(view::View{T,N}) where {T,N} = permute(view, ntuple(axis -> N + 1 - axis, Val(N)))

# (start, stop, step) of a range of indices that begin with 1, for libsv, where they begin with 0 and stop is behind the
# last one. A negative stop would count from the end, so that the least number stands for "before the first".
bounds(::Colon) = (Int64(0), typemax(Int64), Int64(1))
bounds(index::Integer) = (Int64(index) - 1, Int64(index), Int64(1))
function bounds(range::AbstractRange{<:Integer})
    start, stop = Int64(first(range)) - 1, Int64(last(range))
    isempty(range) && return (Int64(0), Int64(0), Int64(1))
    step(range) > 0 && return (start, stop, Int64(step(range)))
    return (start, stop > 1 ? stop - 2 : typemin(Int64), Int64(step(range)))
end

"""
    slice(view, indices...)

The view of some elements: each of `indices` is a range, `:`, or a number, which drops the axis. There is one for each
axis. It is as Base's `view(array, indices...)`, and the answer is a [`View`](@ref) again.
"""
function slice(view::View{T,N}, indices::Vararg{Union{Integer,Colon,AbstractRange{<:Integer}},N}) where {T,N}
    checkbounds(view, indices...)
    limits = map(bounds, indices)
    start, stop, step = Int64[l[1] for l in limits], Int64[l[2] for l in limits], Int64[l[3] for l in limits]
    handle = made(view.handle, sv.sv_view_slice, view.handle, N, start, stop, step)
    dropped = findall(index -> index isa Integer, collect(Any, indices))
    for axis in reverse(dropped)
        handle = made(handle, sv.sv_view_index, handle, axis - 1, 0)
    end
    return View{T,N - length(dropped)}(handle)
end

"""
    reshape(view, dims)

The same elements in Julia's order, the first axis fastest, as a view of another shape. Where strides cannot tell that
shape, the answer is Base's `ReshapedArray` of the view.
"""
function Base.reshape(view::View{T,N}, dims::Dims{M}) where {T,N,M}
    prod(dims) == length(view) || throw(DimensionMismatch("$dims has not the $(length(view)) elements of the view"))
    turned = reversed(view)
    shape = collect(Int64, reverse(dims))
    try
        return reversed(View{T,M}(made(turned.handle, sv.sv_view_reshape, turned.handle, M, shape)))
    catch error
        error isa StrideError && error.status == sv.SV_ERROR_LAYOUT || rethrow()
        return invoke(reshape, Tuple{AbstractArray,Dims}, view, dims)
    end
end

"""
    broadcast_to(view, dims)

The view repeated along new last axes, and along axes of extent 1, as Julia broadcasts.
"""
function broadcast_to(view::View{T,N}, dims::Dims{M}) where {T,N,M}
    turned = reversed(view)
    shape = collect(Int64, reverse(dims))
    return reversed(View{T,M}(made(turned.handle, sv.sv_view_broadcast, turned.handle, M, shape)))
end
