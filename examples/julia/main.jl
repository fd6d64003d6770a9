# Pixels (height x width x colour) read as planes (colour x height x width), and copied out as such, as numbers of
# another type. This is C's interface; julia/StrideView is a package with views that are Julia's arrays.
#
#     julia main.jl
include("../../bindings/StrideView.jl")
using .StrideView: StrideView as sv

text_of(status) = unsafe_string(sv.sv_status_name(status)) * ": " * unsafe_string(sv.sv_last_message())

check(status) = status == sv.SV_OK || error(text_of(status))

# Calls f(..., out) and returns the view that it makes.
function new_view(f, arguments...)
    out = Ref{Ptr{sv.sv_view}}()
    check(f(arguments..., out))
    out[]
end

pixels, planes = collect(UInt8, 0:11), zeros(Float32, 12)
GC.@preserve pixels planes begin
    picture = new_view(sv.sv_view_from_host, sv.SV_UINT8, 3, Int64[2, 2, 3], C_NULL, pointer(pixels), sv.SV_READ_ONLY)
    source = new_view(sv.sv_view_permute, picture, 3, Int32[2, 0, 1])
    target = new_view(sv.sv_view_from_host, sv.SV_FLOAT32, 3, Int64[3, 2, 2], C_NULL, pointer(planes), 0)
    println(text_of(sv.sv_copy(target, source, 0, 0))) # which says what is missing
    check(sv.sv_copy(target, source, sv.SV_COPY_CAST, 0))
    foreach(sv.sv_view_release, (target, source, picture))
end
println("[", join(Int.(planes), ", "), "]")
