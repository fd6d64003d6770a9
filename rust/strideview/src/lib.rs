//! Strided views of slices, and fast copies between them, by libsv.
//!
//! A [`View`] reads a slice through a [`Layout`]: shape and strides. A [`ViewMut`] writes one. Slicing, permuting,
//! reshaping and broadcasting make another view of the same elements; only a copy moves them. An [`Array`] has memory
//! of its own, made by libsv or taken from another library as a DLPack tensor. A [`Plan`] keeps what a copy decides.
//!
//! Pixels, height x width x colour, are mirrored and become planes, colour x height x width:
//!
//! ```
//! use strideview::{Slice, View, ViewMut};
//!
//! # fn main() -> strideview::Result<()> {
//! let pixels: Vec<u8> = (0..18).collect();
//! let mut planes = [0; 18];
//!
//! let picture = View::new(&pixels, &[2, 3, 3])?;
//! let mirrored = picture.slice(&[Slice::ALL, Slice::ALL.by(-1)])?;
//! ViewMut::new(&mut planes, &[3, 2, 3])?.copy_from(&mirrored.permute(&[2, 0, 1])?)?;
//!
//! assert_eq!(planes[..6], [6, 3, 0, 15, 12, 9]);
//! # Ok(())
//! # }
//! ```
//!
//! # Units
//!
//! Extents, indices and strides are `i64`, as in the C library. Strides are in elements, unless a name has `byte` in
//! it. Axes are `i32`, and negative ones count from the end; so do negative indices. There are at most 64 axes.
//!
//! # Errors
//!
//! What can fail returns a [`Result`], whose [`Error`] has libsv's status and a sentence with the facts. Nothing
//! panics. Each function may answer, besides what its comment tells, [`Status::Index`] for an axis or an index outside
//! the array, [`Status::Range`] for more than 64 axes, [`Status::Overflow`] for sizes that do not fit `i64` in bytes,
//! [`Status::Memory`] when memory is out, and [`Status::Version`] when the libsv that runs has another ABI.
//!
//! # Memory
//!
//! Safe code cannot reach other memory than the slice: libsv checks every element of every view against it. A view
//! borrows the slice as a reference would, so it cannot outlive it:
//!
//! ```compile_fail,E0597
//! let view = {
//!     let numbers = vec![0u8; 4];
//!     strideview::View::new(&numbers, &[4]).unwrap()
//! };
//! view.shape();
//! ```
//!
//! nor can what is made from it, and there is one mutable view at a time:
//!
//! ```compile_fail,E0597
//! let part = {
//!     let numbers = vec![0u8; 4];
//!     strideview::View::new(&numbers, &[2, 2]).unwrap().permute(&[1, 0]).unwrap()
//! };
//! part.shape();
//! ```
//!
//! ```compile_fail,E0499
//! let mut numbers = [0u8; 4];
//! let mut one = strideview::ViewMut::new(&mut numbers, &[4]).unwrap();
//! let mut two = strideview::ViewMut::new(&mut numbers, &[4]).unwrap();
//! one.fill(1).unwrap();
//! ```
//!
//! ```compile_fail,E0502
//! let mut numbers = [0u8; 4];
//! let read = strideview::View::new(&numbers, &[4]).unwrap();
//! strideview::ViewMut::new(&mut numbers, &[4]).unwrap().fill(1).unwrap();
//! read.shape();
//! ```
//!
//! A view of an [`Array`] borrows the array, and one that was read from a mutable view borrows that:
//!
//! ```compile_fail,E0505
//! let array = strideview::Array::<f32>::zeros(&[4]).unwrap();
//! let view = array.view();
//! drop(array);
//! view.shape();
//! ```
//!
//! ```compile_fail,E0502
//! let mut numbers = [0u8; 4];
//! let mut target = strideview::ViewMut::new(&mut numbers, &[4]).unwrap();
//! let read = target.view();
//! target.fill(1).unwrap();
//! read.shape();
//! ```
//!
//! # Threads
//!
//! Layouts, views, arrays and plans are [`Send`] and [`Sync`]: libsv documents that they do not change once made, that
//! any threads may use them at the same time, and that any may drop the last reference. The elements are guarded by the
//! borrow: a [`ViewMut`] is the only one that reaches them, and [`ViewMut::split_at`] makes two for two threads.

#![warn(missing_docs)]

mod array;
mod copy;
mod dlpack;
mod dtype;
mod element;
mod error;
mod handle;
mod layout;
mod parallel;
mod plan;
mod slice;
mod view;
mod view_mut;

pub use array::Array;
pub use copy::{CopyOptions, Scaling};
pub use dlpack::ManagedTensor;
pub use dtype::Dtype;
pub use element::{Bf16, Complex, Element, F16};
pub use error::{Error, Result, Status};
pub use layout::{Answer, Layout, Order};
pub use plan::Plan;
pub use slice::Slice;
pub use strideview_sys as sys;
pub use view::View;
pub use view_mut::ViewMut;

/// The programs of the manual, which are tested with those of the crate.
#[cfg(doctest)]
#[doc = include_str!("../../../doc/rust.md")]
struct Manual;

/// Version of the libsv that runs, such as "0.1.0".
pub fn version() -> &'static str {
    // SAFETY: libsv answers static text of ASCII.
    unsafe { std::ffi::CStr::from_ptr(sys::sv_version_text()) }.to_str().unwrap_or("")
}
