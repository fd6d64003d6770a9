# DLPack tensors, by the addresses of the structures that C has for them. No package for Python is needed: what hands out
# a capsule, or takes one, finds the address in it.

"""
    to_dlpack(view)

The address of a new `DLManagedTensorVersioned` (DLPack 1.3) of the view's memory, whose axes are those of the view. Whoever
gets it ends it, on any thread, by its deleter; the memory, of a Julia array too, stays until then.
"""
function to_dlpack(view::View)
    release_pending()
    out = Ref{Ptr{sv.DLManagedTensorVersioned}}(C_NULL)
    check(sv.sv_view_to_dlpack(view.handle, 0, out))
    return out[]
end

"""
    to_dlpack_unversioned(view)

The same in the older form, `DLManagedTensor`, which cannot say that memory is read-only: then it is refused.
"""
function to_dlpack_unversioned(view::View)
    release_pending()
    out = Ref{Ptr{sv.DLManagedTensor}}(C_NULL)
    check(sv.sv_view_to_dlpack_unversioned(view.handle, out))
    return out[]
end

"""
    from_dlpack(tensor; readonly = false)

The view of a tensor, given by the address of a `DLManagedTensorVersioned`, which then belongs to the view. The deleter is
called by the call of this package that comes after the garbage collection of the last view, or by
[`StrideView.release_pending`](@ref). After an error the tensor still belongs to the caller.
"""
function from_dlpack(tensor::Ptr; readonly::Bool = false)
    address, flags = Ptr{sv.DLManagedTensorVersioned}(tensor), readonly ? sv.SV_READ_ONLY : UInt32(0)
    return view_of(made(nothing, sv.sv_view_from_dlpack, address, flags))
end

"""
    from_dlpack_unversioned(tensor; readonly = true)

The same of the older form, `DLManagedTensor`. It cannot say that its memory must not be written, so the caller says when
it may be.
"""
function from_dlpack_unversioned(tensor::Ptr; readonly::Bool = true)
    address, flags = Ptr{sv.DLManagedTensor}(tensor), readonly ? sv.SV_READ_ONLY : UInt32(0)
    return view_of(made(nothing, sv.sv_view_from_dlpack_unversioned, address, flags))
end
