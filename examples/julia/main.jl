# Pixels (height x width x colour) read as planes (colour x height x width), and copied out as such.
#
#     julia main.jl
include("StrideView.jl")
using .StrideView: StrideView as sv

check(status) = status == sv.SV_OK || error(unsafe_string(sv.sv_last_message()))

# Calls f(..., out) and returns what it makes.
function made(T, f, arguments...)
    out = Ref{Ptr{T}}()
    check(f(arguments..., out))
    out[]
end

pixels, copied = collect(UInt8, 0:11), zeros(UInt8, 12)
hwc = made(sv.sv_layout, sv.sv_layout_new, 3, Int64[2, 2, 3], C_NULL, 1)
chw = made(sv.sv_layout, sv.sv_layout_permute, hwc, 3, Int32[2, 0, 1])
dense = made(sv.sv_layout, sv.sv_layout_to_dense, chw, sv.SV_ORDER_C, 0, C_NULL, 0)
GC.@preserve pixels copied begin
    source = made(sv.sv_view, sv.sv_view_from_pointer, chw, sv.SV_UINT8, pointer(pixels), 12, sv.SV_READ_ONLY)
    target = made(sv.sv_view, sv.sv_view_from_pointer, dense, sv.SV_UINT8, pointer(copied), 12, 0)
    check(sv.sv_copy(target, source, 0, 0))
    foreach(sv.sv_view_release, (target, source))
end
foreach(sv.sv_layout_release, (dense, chw, hwc))
println("[", join(Int.(copied), ", "), "]")
