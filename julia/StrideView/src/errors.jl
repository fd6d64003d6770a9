"What libsv answers instead of `SV_OK`: the number, its name, and the facts in a sentence."
struct StrideError <: Exception
    status::Int32
    name::String
    message::String
end

Base.showerror(io::IO, error::StrideError) = print(io, error.name, ": ", error.message)

# The message is that of the last failed call on this thread. Nothing between the call and this one lets another task run.
function check(status)
    status == sv.SV_OK && return nothing
    throw(StrideError(status, unsafe_string(sv.sv_status_name(status)), unsafe_string(sv.sv_last_message())))
end
