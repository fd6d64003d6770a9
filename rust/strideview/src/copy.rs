//! Copies between two handles, and how they convert.

use std::ptr::null;

use crate::error::{Result, check};
use crate::handle::Handle;
use crate::{Element, sys};

/// What a copy may do besides moving elements of one type: nothing, unless it is told.
///
/// ```
/// use strideview::{CopyOptions, View, ViewMut};
///
/// # fn main() -> strideview::Result<()> {
/// let mut target = [0u8; 3];
/// let source = View::new(&[1.5f32, 2.0, -1.0], &[3])?;
/// let options = CopyOptions::default().cast_unsafe();
/// ViewMut::new(&mut target, &[3])?.copy_from_with(&source, options)?;
/// assert_eq!(target, [1, 2, 255]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CopyOptions {
    flags: u32,
}

impl CopyOptions {
    /// Converts to the same kind of number or a later one: bool, unsigned, signed, floating, complex. Numbers are
    /// rounded to the nearest.
    pub const fn cast(self) -> CopyOptions {
        self.with(sys::SV_COPY_CAST)
    }

    /// Converts any number to any. Fractions are cut off, and of integers that are too large the low bits are kept.
    pub const fn cast_unsafe(self) -> CopyOptions {
        self.with(sys::SV_COPY_CAST_UNSAFE)
    }

    /// First reverses the bytes of each number of the source, of complex ones those of each part: for numbers in the
    /// other byte order.
    pub const fn swap_bytes(self) -> CopyOptions {
        self.with(sys::SV_COPY_SWAP)
    }

    const fn with(self, flag: u32) -> CopyOptions {
        CopyOptions { flags: self.flags | flag }
    }

    pub(crate) fn flags(self) -> u32 {
        self.flags
    }
}

/// What a scaled copy multiplies by, and adds: nothing, one number, or one for each index of an axis of the target.
///
/// Numbers are multiplied in `f32` where both sides have elements of at most 16 bits or `f32`, else in `f64`. To an
/// integer the result is rounded to the nearest, even in a tie, and what is out of its range becomes the end of the
/// range.
///
/// ```
/// use strideview::{Scaling, View, ViewMut};
///
/// # fn main() -> strideview::Result<()> {
/// let mut planes = [0f32; 4];
/// let pixels = View::new(&[0u8, 10, 255, 20], &[2, 2])?; // pixel x colour
/// let scaling = Scaling { scale: &[1.0 / 255.0, 0.1], bias: &[-1.0], axis: 0 };
/// ViewMut::new(&mut planes, &[2, 2])?.copy_scaled_from(&pixels.transpose()?, &scaling)?;
/// assert_eq!(planes, [-1.0, 0.0, 0.0, 1.0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scaling<'s> {
    /// Factors: none, one, or one for each index of the axis.
    pub scale: &'s [f64],
    /// What is added to the products: none, one, or one for each index of the axis.
    pub bias: &'s [f64],
    /// Axis of the target; it matters only where there are several scales or biases.
    pub axis: i32,
}

/// Numbers as libsv takes them: NULL where there are none.
fn numbers(numbers: &[f64]) -> (*const f64, i64) {
    if numbers.is_empty() { (null(), 0) } else { (numbers.as_ptr(), numbers.len() as i64) }
}

pub(crate) fn copy(target: &Handle, source: &Handle, options: CopyOptions) -> Result<()> {
    // SAFETY: both views are alive, and reach their own memory alone.
    check(unsafe { sys::sv_copy(target.as_ptr(), source.as_ptr(), options.flags, 0) })
}

pub(crate) fn copy_scaled(target: &Handle, source: &Handle, scaling: &Scaling<'_>) -> Result<()> {
    let ((scale, nscale), (bias, nbias)) = (numbers(scaling.scale), numbers(scaling.bias));
    let (target, source) = (target.as_ptr(), source.as_ptr());
    // SAFETY: as above; there are as many numbers as are told.
    check(unsafe { sys::sv_copy_scaled(target, source, scale, nscale, bias, nbias, scaling.axis, 0, 0) })
}

/// A plan of a scaled copy, which keeps the numbers.
pub(crate) fn plan_scaled(
    target: &Handle,
    source: &Handle,
    scaling: &Scaling<'_>,
    out: *mut *mut sys::sv_plan,
) -> sys::sv_status {
    let ((scale, nscale), (bias, nbias)) = (numbers(scaling.scale), numbers(scaling.bias));
    let (target, source) = (target.as_ptr(), source.as_ptr());
    // SAFETY: as above.
    unsafe { sys::sv_plan_new_scaled(target, source, scale, nscale, bias, nbias, scaling.axis, 0, out) }
}

pub(crate) fn fill<T: Element>(target: &Handle, value: T) -> Result<()> {
    let item = (&raw const value).cast();
    // SAFETY: the item has the bytes of an element, at most 16.
    check(unsafe { sys::sv_fill(target.as_ptr(), item, size_of::<T>() as i64, 0, 0) })
}
