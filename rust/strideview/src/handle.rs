//! The handle of a view, which `View`, `ViewMut` and `Array` share: it has no lifetime and no element type, and knows
//! nothing of who may read or write.

use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use crate::error::{Error, Result, Status, check, check_abi, count, made};
use crate::layout::Layout;
use crate::slice::{Slice, Slices};
use crate::{Dtype, sys};

/// One reference to an `sv_view`.
pub(crate) struct Handle {
    view: NonNull<sys::sv_view>,
    /// The view's own, which lives as long as the view: not counted and not released.
    layout: ManuallyDrop<Layout>,
}

// SAFETY: a view does not change once made, any threads may use it at the same time, and any may drop the last
// reference (include/sv/base.h). What its memory allows is up to the types that have a handle.
unsafe impl Send for Handle {}
unsafe impl Sync for Handle {}

impl Handle {
    /// # Safety
    ///
    /// The caller owns the reference.
    pub unsafe fn new(view: NonNull<sys::sv_view>) -> Handle {
        // SAFETY: the view is alive; it has a layout, which lives as long.
        let layout = unsafe { Layout::borrowed(sys::sv_view_layout(view.as_ptr())) };
        Handle { view, layout }
    }

    /// Views memory of the host, each of whose elements must lie in its `nbytes` bytes.
    ///
    /// # Safety
    ///
    /// The memory stays as long as the handle, and all made from it; it may be written unless `flags` has
    /// `SV_READ_ONLY`.
    pub unsafe fn from_memory(
        layout: &Layout,
        dtype: Dtype,
        memory: *mut c_void,
        nbytes: usize,
        flags: u32,
    ) -> Result<Handle> {
        check_abi()?;
        // A slice has isize::MAX bytes at most.
        let nbytes = nbytes as i64;
        // SAFETY: the memory has nbytes bytes, which libsv does not touch now.
        Handle::from_call(|out| unsafe {
            sys::sv_view_from_pointer(layout.as_ptr(), dtype.0, memory, nbytes, flags, out)
        })
    }

    /// A handle that a function of libsv makes.
    pub fn from_call(call: impl FnOnce(*mut *mut sys::sv_view) -> sys::sv_status) -> Result<Handle> {
        // SAFETY: what comes out holds one reference, which is the caller's.
        Ok(unsafe { Handle::new(made(call)?) })
    }

    pub fn as_ptr(&self) -> *mut sys::sv_view {
        self.view.as_ptr()
    }

    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    pub fn is_readonly(&self) -> bool {
        // SAFETY: the view is alive, as in all functions below.
        unsafe { sys::sv_view_is_readonly(self.as_ptr()) != 0 }
    }

    /// Address of the element with all indices 0; NULL of an empty view.
    pub fn data(&self) -> *mut c_void {
        unsafe { sys::sv_view_data(self.as_ptr()) }
    }

    /// Address of one element, inside the memory.
    pub fn element(&self, index: &[i64]) -> Result<*mut c_void> {
        let distance = self.layout.byte_distance(index)?;
        Ok(self.data().wrapping_byte_offset(distance as isize))
    }

    /// Address of all elements, if they follow each other in C order and are aligned. It is not NULL, also without
    /// elements.
    pub fn contiguous<T>(&self) -> Option<NonNull<T>> {
        if self.layout.is_empty() {
            return Some(NonNull::dangling());
        }
        let data = self.data().cast::<T>();
        let in_order = self.layout.is_contiguous(crate::Order::C);
        if in_order && data.is_aligned() { NonNull::new(data) } else { None }
    }

    /// The same memory through the layout that an operation makes.
    pub fn rearrange(&self, operation: impl FnOnce(&Layout) -> Result<Layout>) -> Result<Handle> {
        let layout = operation(self.layout())?;
        Handle::from_call(|out| unsafe { sys::sv_view_with_layout(self.as_ptr(), layout.as_ptr(), out) })
    }

    pub fn permute(&self, axes: &[i32]) -> Result<Handle> {
        Handle::from_call(|out| unsafe { sys::sv_view_permute(self.as_ptr(), count(axes), axes.as_ptr(), out) })
    }

    pub fn transpose(&self) -> Result<Handle> {
        Handle::from_call(|out| unsafe { sys::sv_view_permute(self.as_ptr(), 0, std::ptr::null(), out) })
    }

    pub fn slice(&self, slices: &[Slice]) -> Result<Handle> {
        let Slices { start, stop, step } = Slices::new(slices);
        Handle::from_call(|out| unsafe {
            sys::sv_view_slice(self.as_ptr(), count(slices), start.as_ptr(), stop.as_ptr(), step.as_ptr(), out)
        })
    }

    pub fn index(&self, axis: i32, index: i64) -> Result<Handle> {
        Handle::from_call(|out| unsafe { sys::sv_view_index(self.as_ptr(), axis, index, out) })
    }

    pub fn reshape(&self, shape: &[i64]) -> Result<Handle> {
        Handle::from_call(|out| unsafe { sys::sv_view_reshape(self.as_ptr(), count(shape), shape.as_ptr(), out) })
    }

    pub fn broadcast(&self, shape: &[i64]) -> Result<Handle> {
        Handle::from_call(|out| unsafe { sys::sv_view_broadcast(self.as_ptr(), count(shape), shape.as_ptr(), out) })
    }

    pub fn as_readonly(&self) -> Result<Handle> {
        Handle::from_call(|out| unsafe { sys::sv_view_as_readonly(self.as_ptr(), out) })
    }

    /// Whether elements of two views share a byte.
    pub fn overlap(&self, other: &Handle) -> Result<crate::Answer> {
        let mut answer = 0;
        check(unsafe { sys::sv_view_overlap(self.as_ptr(), other.as_ptr(), 0, &mut answer) })?;
        Ok(crate::Answer::from_number(answer))
    }

    /// Whether every element has bytes of its own, so that it may be written. What libsv does not decide within its
    /// work limit is refused.
    pub fn check_unique(&self) -> Result<()> {
        if self.layout.is_unique()? == crate::Answer::Yes {
            return Ok(());
        }
        Err(Error::new(
            Status::Overlap,
            format!("elements of a mutable view of layout {} may share bytes", self.layout()),
        ))
    }
}

impl Clone for Handle {
    fn clone(&self) -> Handle {
        // SAFETY: the view is alive; retaining returns the same one, with a reference more.
        unsafe {
            sys::sv_view_retain(self.as_ptr());
            Handle::new(self.view)
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        // SAFETY: the handle has one reference, and its layout is not used any more.
        unsafe { sys::sv_view_release(self.as_ptr()) }
    }
}
