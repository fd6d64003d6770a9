//! Views that read.

use std::fmt;
use std::marker::PhantomData;
use std::slice::from_raw_parts;

use crate::copy::CopyOptions;
use crate::dlpack::ManagedTensor;
use crate::error::{Result, count};
use crate::handle::Handle;
use crate::{Answer, Array, Element, Layout, Slice, ViewMut, sys};

/// An array in borrowed memory, which is read through a [`Layout`].
///
/// A view is as cheap as a reference: it has no elements, and what rearranges it moves none. Clones share one object.
/// All views that are made from it borrow the memory for as long as it does.
///
/// ```
/// use strideview::View;
///
/// # fn main() -> strideview::Result<()> {
/// let numbers = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0];
/// let matrix = View::new(&numbers, &[2, 3])?;
/// assert_eq!(matrix.get(&[1, -1])?, 5.0);
/// assert_eq!(matrix.transpose()?.to_vec()?, [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
/// assert_eq!(matrix.index(0, 1)?.as_slice(), Some(&numbers[3..]));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct View<'a, T: Element> {
    handle: Handle,
    memory: PhantomData<&'a [T]>,
}

impl<'a, T: Element> View<'a, T> {
    /// Views the beginning of a slice in C order. [`Status::Range`](crate::Status::Range): it has fewer elements than
    /// the shape.
    pub fn new(memory: &'a [T], shape: &[i64]) -> Result<View<'a, T>> {
        View::with_layout(memory, &Layout::new(shape, None, T::DTYPE.itemsize())?)
    }

    /// Views a slice through a layout, which counts from the first element of the slice.
    ///
    /// [`Status::Range`](crate::Status::Range): an element lies outside the slice.
    /// [`Status::Dtype`](crate::Status::Dtype): the layout has another item size.
    pub fn with_layout(memory: &'a [T], layout: &Layout) -> Result<View<'a, T>> {
        let (start, nbytes) = (memory.as_ptr().cast_mut().cast(), size_of_val(memory));
        // SAFETY: the memory is borrowed as long as the view lives, and libsv does not write read-only memory.
        unsafe { Ok(View::from_handle(Handle::from_memory(layout, T::DTYPE, start, nbytes, sys::SV_READ_ONLY)?)) }
    }

    /// # Safety
    ///
    /// The handle reaches elements of the type `T` alone, which nobody writes as long as `'a`.
    pub(crate) unsafe fn from_handle(handle: Handle) -> View<'a, T> {
        View { handle, memory: PhantomData }
    }

    /// A view that an operation makes of this one. Each reaches elements of this one alone: any layout within the same
    /// memory would not do, for a part of a mutable view that was split must not be able to read the other part.
    fn made(&self, handle: Result<Handle>) -> Result<View<'a, T>> {
        // SAFETY: the elements are some of this view's.
        handle.map(|handle| unsafe { View::from_handle(handle) })
    }

    pub(crate) fn handle(&self) -> &Handle {
        &self.handle
    }

    /// The layout, relative to the beginning of the memory.
    pub fn layout(&self) -> &Layout {
        self.handle.layout()
    }

    /// The extents.
    pub fn shape(&self) -> &[i64] {
        self.layout().shape()
    }

    /// Number of elements; 1 without axes.
    pub fn len(&self) -> usize {
        self.layout().len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.layout().is_empty()
    }

    /// Reads one element: an index for each axis, -extent to extent - 1.
    pub fn get(&self, index: &[i64]) -> Result<T> {
        let element = self.handle.element(index)?.cast::<T>();
        // SAFETY: it lies in the memory, but not always at an address that is aligned.
        Ok(unsafe { element.read_unaligned() })
    }

    /// All elements as a slice, if they follow each other in C order and are aligned.
    pub fn as_slice(&self) -> Option<&'a [T]> {
        // SAFETY: these are all elements, and the memory is borrowed as long as 'a.
        self.handle.contiguous().map(|data| unsafe { from_raw_parts(data.as_ptr(), self.len()) })
    }

    /// Copies all elements in C order.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut elements: Vec<T> = Vec::new();
        let room = elements.try_reserve_exact(self.len());
        room.map_err(|_| crate::Error::new(crate::Status::Memory, format!("no room for {} elements", self.len())))?;
        let (shape, start) = (self.shape(), elements.as_mut_ptr().cast());
        // SAFETY: there is room for all elements, in C order; after a copy all of them are written.
        unsafe {
            let target = Handle::from_call(|out| {
                let strides = std::ptr::null();
                sys::sv_view_from_host(T::DTYPE.number(), count(shape), shape.as_ptr(), strides, start, 0, out)
            })?;
            crate::copy::copy(&target, &self.handle, CopyOptions::default())?;
            elements.set_len(self.len());
        }
        Ok(elements)
    }

    /// Copies all elements to new memory of libsv's, in C order.
    pub fn to_array(&self) -> Result<Array<T>> {
        let mut array = Array::zeros(self.shape())?;
        array.view_mut()?.copy_from(self)?;
        Ok(array)
    }

    /// Copies every element to the place with the same index in another view, to whose shape this one is broadcast:
    /// [`ViewMut::copy_from`], read the other way round.
    pub fn copy_to(&self, target: &mut ViewMut<'_, T>) -> Result<()> {
        target.copy_from(self)
    }

    /// Axis `i` of the result is axis `axes[i]`: see [`Layout::permute`].
    pub fn permute(&self, axes: &[i32]) -> Result<View<'a, T>> {
        self.made(self.handle.permute(axes))
    }

    /// The axes in reverse.
    pub fn transpose(&self) -> Result<View<'a, T>> {
        self.made(self.handle.transpose())
    }

    /// A slice of each of the first axes: see [`Layout::slice`].
    pub fn slice(&self, slices: &[Slice]) -> Result<View<'a, T>> {
        self.made(self.handle.slice(slices))
    }

    /// One index of an axis, without the axis.
    pub fn index(&self, axis: i32, index: i64) -> Result<View<'a, T>> {
        self.made(self.handle.index(axis, index))
    }

    /// The same elements in another shape, if strides allow it: see [`Layout::reshape`].
    pub fn reshape(&self, shape: &[i64]) -> Result<View<'a, T>> {
        self.made(self.handle.reshape(shape))
    }

    /// The elements repeated to a shape, by strides of 0: see [`Layout::broadcast`].
    pub fn broadcast(&self, shape: &[i64]) -> Result<View<'a, T>> {
        self.made(self.handle.broadcast(shape))
    }

    /// Without the axes of extent 1.
    pub fn squeeze(&self) -> Result<View<'a, T>> {
        self.made(self.handle.rearrange(Layout::squeeze))
    }

    /// With axes of extent 1 at places that are counted in the result.
    pub fn unsqueeze(&self, axes: &[i32]) -> Result<View<'a, T>> {
        self.made(self.handle.rearrange(|layout| layout.unsqueeze(axes)))
    }

    /// Axes in reverse, so that index 0 becomes the last one.
    pub fn flip(&self, axes: &[i32]) -> Result<View<'a, T>> {
        self.made(self.handle.rearrange(|layout| layout.flip(axes)))
    }

    /// Two axes exchanged.
    pub fn swap_axes(&self, axis: i32, other: i32) -> Result<View<'a, T>> {
        self.made(self.handle.rearrange(|layout| layout.swap_axes(axis, other)))
    }

    /// A diagonal as the last axis: see [`Layout::diagonal`].
    pub fn diagonal(&self, offset: i64, axis: i32, other: i32) -> Result<View<'a, T>> {
        self.made(self.handle.rearrange(|layout| layout.diagonal(offset, axis, other)))
    }

    /// Every place of a sliding window, whose axes come last: see [`Layout::window`].
    pub fn window(&self, window: &[i64]) -> Result<View<'a, T>> {
        self.made(self.handle.rearrange(|layout| layout.window(window)))
    }

    /// Whether elements of two views share a byte; those of an empty view do not.
    pub fn overlaps<U: Element>(&self, other: &View<'_, U>) -> Result<Answer> {
        self.handle.overlap(&other.handle)
    }

    /// A DLPack tensor of the same memory, which is marked read-only. [`Status::Layout`](crate::Status::Layout):
    /// strides are no multiple of the item size.
    pub fn to_dlpack(&self) -> Result<ManagedTensor<'a>> {
        ManagedTensor::of(&self.handle.as_readonly()?)
    }
}

impl<T: Element> fmt::Debug for View<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View<{}>({})", T::DTYPE, self.layout())
    }
}
