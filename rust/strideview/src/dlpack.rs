//! DLPack tensors, in and out.
//!
//! libsv reads and writes them. Two facts of their binary interface, of major version 1, are needed here besides: where
//! the deleter is, and where the part that is described by a bare `DLTensor` begins.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ptr::{NonNull, null_mut};

use crate::error::{Error, Result, Status, made};
use crate::handle::Handle;
use crate::{Dtype, sys};

/// The beginning of a `DLManagedTensorVersioned`.
#[repr(C)]
struct Head {
    major: u32,
    minor: u32,
    manager_ctx: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut sys::DLManagedTensorVersioned)>,
    flags: u64,
    /// The `DLTensor` begins here.
    tensor: [u64; 0],
}

/// A DLPack tensor (1.3) of memory that is borrowed for `'a`. Dropping it calls its deleter; so does whoever it is
/// given to by [`ManagedTensor::into_raw`].
///
/// ```
/// use strideview::{Array, View};
///
/// # fn main() -> strideview::Result<()> {
/// let tensor = Array::<f32>::zeros(&[2, 3])?.into_dlpack()?.into_raw();
/// // ... by way of C, Python or another library ...
/// let array = unsafe { Array::<f32>::from_dlpack(tensor)? };
/// assert_eq!(array.shape(), [2, 3]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ManagedTensor<'a> {
    tensor: NonNull<sys::DLManagedTensorVersioned>,
    memory: PhantomData<&'a mut [u8]>,
}

// SAFETY: the deleter of a tensor that libsv made may be called on any thread (sv_view_to_dlpack() in
// include/sv/view.h), and a tensor that is shared can only be looked at.
unsafe impl Send for ManagedTensor<'_> {}
unsafe impl Sync for ManagedTensor<'_> {}

impl ManagedTensor<'_> {
    /// A tensor that keeps the view of a handle, but not what the view borrows.
    pub(crate) fn of<'a>(handle: &Handle) -> Result<ManagedTensor<'a>> {
        // SAFETY: the view is alive, and the tensor has a reference of its own.
        let tensor = made(|out| unsafe { sys::sv_view_to_dlpack(handle.as_ptr(), 0, out) })?;
        Ok(ManagedTensor { tensor, memory: PhantomData })
    }

    /// The address of the `DLManagedTensorVersioned`, which stays this one's.
    pub fn as_ptr(&self) -> *mut sys::DLManagedTensorVersioned {
        self.tensor.as_ptr()
    }

    /// Gives the tensor away: who has it calls its deleter once, on any thread, and uses it no longer than the memory
    /// was borrowed for.
    pub fn into_raw(self) -> NonNull<sys::DLManagedTensorVersioned> {
        ManuallyDrop::new(self).tensor
    }
}

impl Drop for ManagedTensor<'_> {
    fn drop(&mut self) {
        // SAFETY: libsv made the tensor, of a version that has a deleter there.
        unsafe {
            if let Some(deleter) = (*self.tensor.as_ptr().cast::<Head>()).deleter {
                deleter(self.tensor.as_ptr());
            }
        }
    }
}

/// Takes a tensor of a type of elements, in ordinary memory of the host.
///
/// # Safety
///
/// As for `Array::from_dlpack()`.
pub(crate) unsafe fn import(tensor: NonNull<sys::DLManagedTensorVersioned>, dtype: Dtype) -> Result<Handle> {
    // What cannot be taken is found by a look at the tensor, before it is: it stays the caller's then.
    let head = tensor.as_ptr().cast::<Head>();
    // SAFETY: every version begins with its number. The DLTensor of version 1 is the caller's word.
    unsafe {
        if (*head).major == 1 {
            let bare = (&raw const (*head).tensor).cast();
            let looked = Handle::from_call(|out| sys::sv_view_from_dltensor(bare, 0, None, null_mut(), out))?;
            check(&looked, dtype)?;
        }
        Handle::from_call(|out| sys::sv_view_from_dlpack(tensor.as_ptr(), 0, out))
    }
}

/// Whether slices of Rust can have the elements of a view.
fn check(looked: &Handle, dtype: Dtype) -> Result<()> {
    // SAFETY: the view is alive.
    let (found, device) = unsafe {
        let view = looked.as_ptr();
        (Dtype(sys::sv_view_dtype(view)), sys::sv_view_device_type(view))
    };
    if device != sys::SV_DEVICE_CPU {
        return Err(Error::new(Status::Device, format!("the tensor is on device type {device}, not on the host")));
    }
    if found != dtype {
        return Err(Error::new(Status::Dtype, format!("the tensor has elements of {found}, not {dtype}")));
    }
    Ok(())
}
