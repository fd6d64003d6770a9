//! Arrays, which have memory of their own.

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use crate::dlpack::{self, ManagedTensor};
use crate::error::{Result, check_abi, count};
use crate::handle::Handle;
use crate::{Element, Layout, View, ViewMut, sys};

/// An array in memory of the host that it owns: new memory, or that of a DLPack tensor. Views borrow the array as they
/// do a slice.
///
/// ```
/// use strideview::Array;
///
/// # fn main() -> strideview::Result<()> {
/// let mut array = Array::<f32>::zeros(&[2, 3])?;
/// array.view_mut()?.index(1, -1)?.fill(1.0)?;
/// assert_eq!(array.view().as_slice(), Some(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0][..]));
/// # Ok(())
/// # }
/// ```
pub struct Array<T: Element> {
    handle: Handle,
    elements: PhantomData<T>,
}

impl<T: Element> Array<T> {
    /// A new array in C order whose elements are 0.
    pub fn zeros(shape: &[i64]) -> Result<Array<T>> {
        check_abi()?;
        let (dtype, flags) = (T::DTYPE.number(), sys::SV_BUFFER_ZERO);
        // SAFETY: there are as many extents as are told; NULL means memory of the host.
        let handle = Handle::from_call(|out| unsafe {
            sys::sv_empty(std::ptr::null(), dtype, count(shape), shape.as_ptr(), flags, 0, out)
        })?;
        Ok(Array { handle, elements: PhantomData })
    }

    /// Takes a DLPack tensor of major version 1, with its memory. Its deleter runs when the array is dropped, or what
    /// became of it. After an error the tensor is still the caller's.
    ///
    /// [`Status::Dtype`](crate::Status::Dtype): its elements are not of the type `T`.
    /// [`Status::Device`](crate::Status::Device): its memory is not ordinary memory of the host.
    /// [`Status::Version`](crate::Status::Version): another major version.
    /// [`Status::Protocol`](crate::Status::Protocol): it breaks DLPack's rules.
    ///
    /// # Safety
    ///
    /// `tensor` points to a `DLManagedTensorVersioned` that is the caller's to give away, and is what it says: memory
    /// for all its elements, which are initialised values of `T`, until its deleter runs, which any thread may call.
    /// Nobody else writes the memory as long as the array lives; nor reads it, if [`Array::view_mut`] is used.
    pub unsafe fn from_dlpack(tensor: NonNull<sys::DLManagedTensorVersioned>) -> Result<Array<T>> {
        check_abi()?;
        // SAFETY: the caller's word.
        let handle = unsafe { dlpack::import(tensor, T::DTYPE)? };
        Ok(Array { handle, elements: PhantomData })
    }

    /// The layout, relative to the beginning of the memory.
    pub fn layout(&self) -> &Layout {
        self.handle.layout()
    }

    /// The extents.
    pub fn shape(&self) -> &[i64] {
        self.layout().shape()
    }

    /// A view to read.
    pub fn view(&self) -> View<'_, T> {
        // SAFETY: nobody writes the elements while the array is borrowed.
        unsafe { View::from_handle(self.handle.clone()) }
    }

    /// A view to write.
    ///
    /// Of an array that was a DLPack tensor, [`Status::ReadOnly`](crate::Status::ReadOnly): it may not be written;
    /// [`Status::Overlap`](crate::Status::Overlap): elements share bytes, or may.
    pub fn view_mut(&mut self) -> Result<ViewMut<'_, T>> {
        // SAFETY: nobody else reads or writes the elements while the array is borrowed.
        unsafe { ViewMut::from_handle(self.handle.clone()) }
    }

    /// Gives the array away as a DLPack tensor, whose deleter frees it.
    /// [`Status::Layout`](crate::Status::Layout): strides are no multiple of the item size.
    pub fn into_dlpack(self) -> Result<ManagedTensor<'static>> {
        ManagedTensor::of(&self.handle)
    }
}

impl<T: Element> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array<{}>({})", T::DTYPE, self.layout())
    }
}
