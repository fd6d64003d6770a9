//! Operations that make another layout of the same elements. None moves an element.

use std::ptr::null;

use super::{Layout, Order};
use crate::error::{Result, count};
use crate::slice::{Slice, Slices};
use crate::sys;

impl Layout {
    /// Axis `i` of the result is axis `axes[i]`; [`Status::Invalid`](crate::Status::Invalid) unless each is there once.
    pub fn permute(&self, axes: &[i32]) -> Result<Layout> {
        // SAFETY: the layout is alive, and pointers have as many items as are told; so in all functions below.
        Layout::from_call(|out| unsafe { sys::sv_layout_permute(self.as_ptr(), count(axes), axes.as_ptr(), out) })
    }

    /// The axes in reverse.
    pub fn transpose(&self) -> Result<Layout> {
        Layout::from_call(|out| unsafe { sys::sv_layout_permute(self.as_ptr(), 0, null(), out) })
    }

    /// Takes a slice of each of the first axes; the others stay whole. A step of 0 is
    /// [`Status::Invalid`](crate::Status::Invalid), and more slices than axes are
    /// [`Status::Index`](crate::Status::Index).
    pub fn slice(&self, slices: &[Slice]) -> Result<Layout> {
        let Slices { start, stop, step } = Slices::new(slices);
        Layout::from_call(|out| unsafe {
            sys::sv_layout_slice(self.as_ptr(), count(slices), start.as_ptr(), stop.as_ptr(), step.as_ptr(), out)
        })
    }

    /// Takes one index of an axis, and drops the axis.
    pub fn index(&self, axis: i32, index: i64) -> Result<Layout> {
        Layout::from_call(|out| unsafe { sys::sv_layout_index(self.as_ptr(), axis, index, out) })
    }

    /// Gives the same elements, in C order of their indices, another shape; one extent may be -1, and is computed.
    ///
    /// [`Status::Invalid`](crate::Status::Invalid): another number of elements.
    /// [`Status::Layout`](crate::Status::Layout): only a copy could have this shape.
    pub fn reshape(&self, shape: &[i64]) -> Result<Layout> {
        Layout::from_call(|out| unsafe { sys::sv_layout_reshape(self.as_ptr(), count(shape), shape.as_ptr(), out) })
    }

    /// Repeats along new leading axes, and along axes of extent 1, by strides of 0;
    /// [`Status::Layout`](crate::Status::Layout) where an extent is another.
    pub fn broadcast(&self, shape: &[i64]) -> Result<Layout> {
        Layout::from_call(|out| unsafe { sys::sv_layout_broadcast(self.as_ptr(), count(shape), shape.as_ptr(), out) })
    }

    /// Drops all axes of extent 1.
    pub fn squeeze(&self) -> Result<Layout> {
        Layout::from_call(|out| unsafe { sys::sv_layout_squeeze(self.as_ptr(), 0, null(), out) })
    }

    /// Inserts axes of extent 1 at places that are counted in the result.
    pub fn unsqueeze(&self, axes: &[i32]) -> Result<Layout> {
        Layout::from_call(|out| unsafe { sys::sv_layout_unsqueeze(self.as_ptr(), count(axes), axes.as_ptr(), out) })
    }

    /// Reverses axes, so that index 0 becomes the last one.
    pub fn flip(&self, axes: &[i32]) -> Result<Layout> {
        Layout::from_call(|out| unsafe { sys::sv_layout_flip(self.as_ptr(), count(axes), axes.as_ptr(), out) })
    }

    /// Exchanges two axes.
    pub fn swap_axes(&self, axis: i32, other: i32) -> Result<Layout> {
        Layout::from_call(|out| unsafe { sys::sv_layout_swap_axes(self.as_ptr(), axis, other, out) })
    }

    /// The elements whose index along `other` is `offset` more than that along `axis`, as the last axis of the result.
    pub fn diagonal(&self, offset: i64, axis: i32, other: i32) -> Result<Layout> {
        Layout::from_call(|out| unsafe { sys::sv_layout_diagonal(self.as_ptr(), offset, axis, other, out) })
    }

    /// Every place of a window that slides along all axes; the axes of the window come last. Elements repeat, so only
    /// a [`View`](crate::View) takes the result. [`Status::Layout`](crate::Status::Layout): a window larger than its
    /// axis.
    pub fn window(&self, window: &[i64]) -> Result<Layout> {
        let extents = window.as_ptr();
        Layout::from_call(|out| unsafe { sys::sv_layout_window(self.as_ptr(), count(window), null(), extents, out) })
    }

    /// The layout of a copy without gaps and offset.
    pub fn to_dense(&self, order: Order) -> Result<Layout> {
        Layout::from_call(|out| unsafe { sys::sv_layout_to_dense(self.as_ptr(), order.number(), 0, null(), 0, out) })
    }
}
