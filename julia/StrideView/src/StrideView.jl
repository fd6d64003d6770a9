"""
Views of strided memory by libsv: a Julia array, or a DLPack tensor of another library, permuted, sliced and reshaped
without moving an element, and copied with conversion.

A [`View`](@ref) is an `AbstractArray`. Its axes are those of the array that it was made of, in that order, and indices
begin with 1. What a view does with memory is told by strides alone: see "Order of axes" in doc/languages.md.

    using StrideView
    pixels = reshape(collect(UInt8, 0:11), 3, 2, 2)        # colour, column, row
    planes = zeros(Float32, 2, 2, 3)                       # column, row, colour
    copy_elements!(planes, permute(View(pixels), (2, 3, 1)); casting = :same_kind)

The environment variable `LIBSV` names another library than the installed `libsv.so.0`.
"""
module StrideView

module Bindings
include("../../../bindings/StrideView.jl")
end
const sv = Bindings.StrideView

export StrideError, View, broadcast_to, copy_elements!, from_dlpack, from_dlpack_unversioned, permute, slice, to_dlpack
export to_dlpack_unversioned

include("errors.jl")
include("handles.jl")
include("view.jl")
include("operations.jl")
include("copies.jl")
include("dlpack.jl")

end
