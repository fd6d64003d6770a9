# Elements are moved by libsv, on whichever device they are.

const CASTING = (no = UInt32(0), same_kind = sv.SV_COPY_CAST, unsafe = sv.SV_COPY_CAST_UNSAFE)

"""
    copy_elements!(dst, src; casting = :no)

Copy each element of `src` to the place with the same indices in `dst`; both are views or Julia arrays of one shape. The
copy is as if `src` had been read first, where they share memory. `casting = :same_kind` converts to the same kind of
number or a later one (bool, unsigned, signed, floating, complex), `:unsafe` to any. Conversions round floating numbers
to the nearest and cut integers off, as NumPy does; none throws `InexactError`.
"""
function copy_elements!(dst, src; casting::Symbol = :no)
    haskey(CASTING, casting) || throw(ArgumentError("casting is :no, :same_kind or :unsafe, not :$casting"))
    to, from = View(dst), View(src)
    size(to) == size(from) || throw(DimensionMismatch("dst is of $(size(to)), src of $(size(from))"))
    release_pending()
    check(sv.sv_copy(to.handle, from.handle, CASTING[casting], 0))
    return dst
end

"An array of Julia's with the elements of a view."
Base.copy(view::View{T,N}) where {T,N} = copy_elements!(Array{T,N}(undef, size(view)), view)
Base.collect(view::View) = copy(view)

"Write one value to every element of a view."
function Base.fill!(view::View{T}, value) where {T}
    item = Ref{T}(convert(T, value))
    release_pending()
    check(sv.sv_fill(view.handle, item, sizeof(T), 0, 0))
    return view
end
