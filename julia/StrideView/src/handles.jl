# References to views of libsv. A finalizer may run while any lock is held, and on any thread, so it must neither wait nor
# call what others have written, as the deleter of a tensor. It only puts the handle on a list, whose references are
# dropped at the next call: by release_pending().

mutable struct Handle
    view::Ptr{sv.sv_view}
    owner::Any                      # the array whose memory it is; or the handle that it was made from; or nothing
    next::Union{Handle,Nothing}     # on the list

    function Handle(view::Ptr{sv.sv_view}, owner)
        handle = new(view, owner, nothing)
        return finalizer(defer, handle)
    end
end

# C functions take a handle for the pointer, and keep it alive while they run.
Base.unsafe_convert(::Type{Ptr{sv.sv_view}}, handle::Handle) = handle.view

mutable struct List
    @atomic head::Union{Handle,Nothing}
end

const DEFERRED = List(nothing)

# Handles are only ever added to the list one by one, and taken off all together, so that no lock is needed.
function defer(handle::Handle)
    head = @atomic DEFERRED.head
    while true
        handle.next = head
        head, added = @atomicreplace DEFERRED.head head => handle
        added && return nothing
    end
end

# Memory of a Julia array may be used by DLPack tensors still, which libsv counts. Then the array is kept, and asked for
# again at the next call. Other memory libsv keeps by itself.
is_used(handle::Handle) = !(handle.owner isa Union{Handle,Nothing}) && sv.sv_view_references(handle) > 1

"""
    StrideView.release_pending()

Drop the references of views that were garbage collected. Each call of this package does so. It is for programs that have
stopped to call, but wait for a deleter of a tensor to be called.
"""
function release_pending()
    handle = @atomicswap DEFERRED.head nothing
    while handle !== nothing
        following = handle.next
        if is_used(handle)
            defer(handle)
        else
            sv.sv_view_release(handle)
            handle.owner = nothing
            handle.next = nothing
        end
        handle = following
    end
    return nothing
end

# Calls f(arguments..., out), and answers the handle of the view that it makes.
function made(owner, f, arguments...)
    release_pending()
    out = Ref{Ptr{sv.sv_view}}(C_NULL)
    check(f(arguments..., out))
    return Handle(out[], owner)
end
