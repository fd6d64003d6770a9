//! Views that write.

use std::fmt;
use std::marker::PhantomData;
use std::slice::{from_raw_parts, from_raw_parts_mut};

use crate::copy::{self, CopyOptions, Scaling};
use crate::dlpack::ManagedTensor;
use crate::error::{Error, Result, Status};
use crate::handle::Handle;
use crate::{Element, Layout, Slice, View};

/// An array in memory that is borrowed to be written, through a [`Layout`].
///
/// It is the only one that reaches its elements, so what rearranges it takes it: [`ViewMut::reborrow`] keeps the
/// original. Each element has bytes of its own; a layout that repeats elements is [`Status::Overlap`], and there is no
/// broadcast.
///
/// ```
/// use strideview::{Slice, View, ViewMut};
///
/// # fn main() -> strideview::Result<()> {
/// let mut numbers = [0; 6];
/// let mut matrix = ViewMut::new(&mut numbers, &[2, 3])?;
/// matrix.reborrow().slice(&[Slice::ALL, (1..).into()])?.fill(7)?;
/// matrix.index(0, 1)?.copy_from(&View::new(&[1, 2, 3], &[3])?)?;
/// assert_eq!(numbers, [0, 7, 7, 1, 2, 3]);
/// # Ok(())
/// # }
/// ```
pub struct ViewMut<'a, T: Element> {
    handle: Handle,
    memory: PhantomData<&'a mut [T]>,
}

impl<'a, T: Element> ViewMut<'a, T> {
    /// Views the beginning of a slice in C order. [`Status::Range`]: it has fewer elements than the shape.
    pub fn new(memory: &'a mut [T], shape: &[i64]) -> Result<ViewMut<'a, T>> {
        ViewMut::with_layout(memory, &Layout::new(shape, None, T::DTYPE.itemsize())?)
    }

    /// Views a slice through a layout, which counts from the first element of the slice.
    ///
    /// [`Status::Range`]: an element lies outside the slice. [`Status::Dtype`]: the layout has another item size.
    /// [`Status::Overlap`]: elements share bytes, or may.
    pub fn with_layout(memory: &'a mut [T], layout: &Layout) -> Result<ViewMut<'a, T>> {
        let (start, nbytes) = (memory.as_mut_ptr().cast(), size_of_val(memory));
        // SAFETY: the memory is borrowed, by nobody else, as long as the view lives.
        unsafe { ViewMut::from_handle(Handle::from_memory(layout, T::DTYPE, start, nbytes, 0)?) }
    }

    /// A view of which no two elements share a byte, else [`Status::Overlap`]; and which is not read-only.
    ///
    /// # Safety
    ///
    /// The handle reaches elements of the type `T` alone, which nobody else reads or writes as long as `'a`.
    pub(crate) unsafe fn from_handle(handle: Handle) -> Result<ViewMut<'a, T>> {
        if handle.is_readonly() {
            return Err(Error::new(Status::ReadOnly, "the memory is read-only"));
        }
        handle.check_unique()?;
        Ok(ViewMut { handle, memory: PhantomData })
    }

    /// A view that an operation makes of this one, of some of its elements, each once.
    fn made(handle: Result<Handle>) -> Result<ViewMut<'a, T>> {
        handle.map(|handle| ViewMut { handle, memory: PhantomData })
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

    /// The same elements to read, while this view is not used to write.
    pub fn view(&self) -> View<'_, T> {
        // SAFETY: nobody writes the elements while this view is borrowed.
        unsafe { View::from_handle(self.handle.clone()) }
    }

    /// The same view for a shorter time, for operations that take it.
    pub fn reborrow(&mut self) -> ViewMut<'_, T> {
        ViewMut { handle: self.handle.clone(), memory: PhantomData }
    }

    /// Reads one element: an index for each axis, -extent to extent - 1.
    pub fn get(&self, index: &[i64]) -> Result<T> {
        let element = self.handle.element(index)?.cast::<T>();
        // SAFETY: it lies in the memory, but not always at an address that is aligned.
        Ok(unsafe { element.read_unaligned() })
    }

    /// Writes one element: an index for each axis, -extent to extent - 1.
    pub fn set(&mut self, index: &[i64], value: T) -> Result<()> {
        let element = self.handle.element(index)?.cast::<T>();
        // SAFETY: as in get(); nobody else reaches it.
        unsafe { element.write_unaligned(value) };
        Ok(())
    }

    /// All elements as a slice, if they follow each other in C order and are aligned.
    pub fn as_slice(&self) -> Option<&[T]> {
        // SAFETY: these are all elements, and nobody writes them while this view is borrowed.
        self.handle.contiguous().map(|data| unsafe { from_raw_parts(data.as_ptr(), self.len()) })
    }

    /// All elements as a slice to write, if they follow each other in C order and are aligned.
    pub fn as_mut_slice(&mut self) -> Option<&mut [T]> {
        // SAFETY: these are all elements, and nobody else reaches them while this view is borrowed.
        self.handle.contiguous().map(|data| unsafe { from_raw_parts_mut(data.as_ptr(), self.len()) })
    }

    /// Writes one value to every element.
    pub fn fill(&mut self, value: T) -> Result<()> {
        copy::fill(&self.handle, value)
    }

    /// Copies every element of a view of the same type to the place with the same index, broadcast to this shape.
    ///
    /// [`Status::Layout`]: it does not broadcast.
    pub fn copy_from(&mut self, source: &View<'_, T>) -> Result<()> {
        self.copy_from_with(source, CopyOptions::default())
    }

    /// The same of a view of any type, by options that may convert: see [`CopyOptions`].
    ///
    /// [`Status::Dtype`]: the types differ, and the options do not convert from one to the other.
    pub fn copy_from_with<S: Element>(&mut self, source: &View<'_, S>, options: CopyOptions) -> Result<()> {
        copy::copy(&self.handle, source.handle(), options)
    }

    /// Every element becomes `source * scale + bias`, converted in the same pass: see [`Scaling`].
    ///
    /// [`Status::Layout`]: there are neither 0, 1, nor as many scales or biases as the axis has indices.
    /// [`Status::Unsupported`]: complex numbers.
    pub fn copy_scaled_from<S: Element>(&mut self, source: &View<'_, S>, scaling: &Scaling<'_>) -> Result<()> {
        copy::copy_scaled(&self.handle, source.handle(), scaling)
    }

    /// [`ViewMut::copy_from_with`] by several threads, which are started for the copy where it is large enough: 1 MiB
    /// or more. They pay from about 16 MiB on. [`Status::Invalid`]: `threads` is 0.
    pub fn copy_from_parallel<S: Element>(
        &mut self,
        source: &View<'_, S>,
        threads: usize,
        options: CopyOptions,
    ) -> Result<()> {
        crate::parallel::copy(&self.handle, source.handle(), threads, options)
    }

    /// Axis `i` of the result is axis `axes[i]`: see [`Layout::permute`].
    pub fn permute(self, axes: &[i32]) -> Result<ViewMut<'a, T>> {
        ViewMut::made(self.handle.permute(axes))
    }

    /// The axes in reverse.
    pub fn transpose(self) -> Result<ViewMut<'a, T>> {
        ViewMut::made(self.handle.transpose())
    }

    /// A slice of each of the first axes: see [`Layout::slice`].
    pub fn slice(self, slices: &[Slice]) -> Result<ViewMut<'a, T>> {
        ViewMut::made(self.handle.slice(slices))
    }

    /// One index of an axis, without the axis.
    pub fn index(self, axis: i32, index: i64) -> Result<ViewMut<'a, T>> {
        ViewMut::made(self.handle.index(axis, index))
    }

    /// The same elements in another shape, if strides allow it: see [`Layout::reshape`].
    pub fn reshape(self, shape: &[i64]) -> Result<ViewMut<'a, T>> {
        ViewMut::made(self.handle.reshape(shape))
    }

    /// Without the axes of extent 1.
    pub fn squeeze(self) -> Result<ViewMut<'a, T>> {
        ViewMut::made(self.handle.rearrange(Layout::squeeze))
    }

    /// With axes of extent 1 at places that are counted in the result.
    pub fn unsqueeze(self, axes: &[i32]) -> Result<ViewMut<'a, T>> {
        ViewMut::made(self.handle.rearrange(|layout| layout.unsqueeze(axes)))
    }

    /// Axes in reverse, so that index 0 becomes the last one.
    pub fn flip(self, axes: &[i32]) -> Result<ViewMut<'a, T>> {
        ViewMut::made(self.handle.rearrange(|layout| layout.flip(axes)))
    }

    /// Two axes exchanged.
    pub fn swap_axes(self, axis: i32, other: i32) -> Result<ViewMut<'a, T>> {
        ViewMut::made(self.handle.rearrange(|layout| layout.swap_axes(axis, other)))
    }

    /// A diagonal as the last axis: see [`Layout::diagonal`].
    pub fn diagonal(self, offset: i64, axis: i32, other: i32) -> Result<ViewMut<'a, T>> {
        ViewMut::made(self.handle.rearrange(|layout| layout.diagonal(offset, axis, other)))
    }

    /// Two views for two users: the indices of an axis below `at`, which is 0 to the extent, and the others.
    ///
    /// ```
    /// # fn main() -> strideview::Result<()> {
    /// let mut numbers = [0; 6];
    /// let matrix = strideview::ViewMut::new(&mut numbers, &[2, 3])?;
    /// let (mut left, mut right) = matrix.split_at(1, 1)?;
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| left.fill(1).unwrap());
    ///     scope.spawn(|| right.fill(2).unwrap());
    /// });
    /// assert_eq!(numbers, [1, 2, 2, 1, 2, 2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn split_at(self, axis: i32, at: i64) -> Result<(ViewMut<'a, T>, ViewMut<'a, T>)> {
        let ndim = self.shape().len() as i32;
        if axis < -ndim || axis >= ndim {
            return Err(Error::new(Status::Index, format!("axis {axis} is outside a view of {ndim} axes")));
        }
        let place = axis.rem_euclid(ndim) as usize;
        let extent = self.shape()[place];
        if at < 0 || at > extent {
            let fact = format!("axis {axis} has extent {extent}, and cannot be split at {at}");
            return Err(Error::new(Status::Index, fact));
        }
        let mut slices = vec![Slice::ALL; place + 1];
        slices[place] = (..at).into();
        let lower = ViewMut::made(self.handle.slice(&slices))?;
        slices[place] = (at..).into();
        Ok((lower, ViewMut::made(self.handle.slice(&slices))?))
    }

    /// A DLPack tensor of the same memory, which may be written. [`Status::Layout`]: strides are no multiple of the
    /// item size.
    pub fn into_dlpack(self) -> Result<ManagedTensor<'a>> {
        ManagedTensor::of(&self.handle)
    }
}

impl<T: Element> fmt::Debug for ViewMut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ViewMut<{}>({})", T::DTYPE, self.layout())
    }
}
