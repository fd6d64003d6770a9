# Pixels (height x width x colour) read as planes (colour x height x width), and copied out as such.
#
#     julia main.jl
include("../../bindings/StrideView.jl")
using .StrideView: StrideView as sv

check(status) = status == sv.SV_OK || error(unsafe_string(sv.sv_last_message()))

# Calls f(..., out) and returns the view that it makes.
function new_view(f, arguments...)
    out = Ref{Ptr{sv.sv_view}}()
    check(f(arguments..., out))
    out[]
end

pixels, copied = collect(UInt8, 0:11), zeros(UInt8, 12)
GC.@preserve pixels copied begin
    picture = new_view(sv.sv_view_from_host, sv.SV_UINT8, 3, Int64[2, 2, 3], C_NULL, pointer(pixels), sv.SV_READ_ONLY)
    source = new_view(sv.sv_view_permute, picture, 3, Int32[2, 0, 1])
    target = new_view(sv.sv_view_from_host, sv.SV_UINT8, 3, Int64[3, 2, 2], C_NULL, pointer(copied), 0)
    check(sv.sv_copy(target, source, 0, 0))
    foreach(sv.sv_view_release, (target, source, picture))
end
println("[", join(Int.(copied), ", "), "]")
