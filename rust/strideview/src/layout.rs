//! Layouts: shape, strides, item size and offset.

mod rearrange;

use std::ffi::CString;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::mem::ManuallyDrop;
use std::ptr::{NonNull, null};
use std::slice::from_raw_parts;
use std::str::FromStr;

use crate::error::{Error, Result, Status, check, check_abi, count, made, text};
use crate::sys;

/// Where the elements of an array are, relative to an address that the layout does not know.
///
/// The element with index `i` begins at byte `byte_offset + sum(i[k] * byte_strides[k])`. Strides may be negative or 0.
/// A layout with an extent of 0 is empty; one without axes has one element. Clones share one object.
///
/// ```
/// use strideview::{Layout, Order};
///
/// # fn main() -> strideview::Result<()> {
/// let image = Layout::new(&[480, 640], None, 4)?;
/// assert_eq!(image.byte_strides(), [2560, 4]);
/// assert_eq!(image.transpose()?.to_string(), "(640, 480):(1, 640)*4");
/// assert!(image.transpose()?.is_contiguous(Order::F));
/// # Ok(())
/// # }
/// ```
#[repr(transparent)]
pub struct Layout(NonNull<sys::sv_layout>);

// SAFETY: a layout does not change once made, any threads may use it at the same time, and any may drop the last
// reference (include/sv/base.h).
unsafe impl Send for Layout {}
unsafe impl Sync for Layout {}

/// Order of the axes in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// The last axis moves fastest.
    C,
    /// The first axis moves fastest.
    F,
    /// The order that the strides have.
    K,
}

impl Order {
    fn number(self) -> sys::sv_order {
        match self {
            Order::C => sys::SV_ORDER_C,
            Order::F => sys::SV_ORDER_F,
            Order::K => sys::SV_ORDER_K,
        }
    }
}

/// Answer to a question that can be too hard to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// It is not so.
    No,
    /// It is so.
    Yes,
    /// Not decided within libsv's work limit.
    Maybe,
}

impl Answer {
    pub(crate) fn from_number(answer: sys::sv_answer) -> Answer {
        match answer {
            sys::SV_NO => Answer::No,
            sys::SV_YES => Answer::Yes,
            _ => Answer::Maybe,
        }
    }
}

/// How many strides were given must be how many extents.
fn check_strides(shape: &[i64], strides: Option<&[i64]>) -> Result<*const i64> {
    match strides {
        None => Ok(null()),
        Some(strides) if strides.len() == shape.len() => Ok(strides.as_ptr()),
        Some(strides) => {
            Err(Error::new(Status::Invalid, format!("there are {} strides for {} axes", strides.len(), shape.len())))
        }
    }
}

/// The numbers of a layout. A pointer to none may be NULL, which a slice must not be.
///
/// # Safety
///
/// There are so many, for as long as `'l`.
unsafe fn numbers<'l>(numbers: *const i64, count: usize) -> &'l [i64] {
    if count == 0 { &[] } else { unsafe { from_raw_parts(numbers, count) } }
}

impl Layout {
    /// A layout of strides in elements of `itemsize` bytes; `None`: C order without gaps.
    ///
    /// [`Status::Invalid`]: a negative extent, or another number of strides than of extents.
    pub fn new(shape: &[i64], strides: Option<&[i64]>, itemsize: i64) -> Result<Layout> {
        let strides = check_strides(shape, strides)?;
        Layout::from_call(|out| unsafe { sys::sv_layout_new(count(shape), shape.as_ptr(), strides, itemsize, out) })
    }

    /// A layout of strides in bytes, which need not be multiples of the item size; else as [`Layout::new`].
    pub fn from_byte_strides(shape: &[i64], byte_strides: &[i64], itemsize: i64) -> Result<Layout> {
        let strides = check_strides(shape, Some(byte_strides))?;
        Layout::from_call(|out| unsafe {
            sys::sv_layout_new_bytes(count(shape), shape.as_ptr(), strides, itemsize, out)
        })
    }

    /// A layout without gaps, in C or F order; [`Status::Invalid`] for [`Order::K`].
    pub fn dense(shape: &[i64], order: Order, itemsize: i64) -> Result<Layout> {
        Layout::from_call(|out| unsafe {
            sys::sv_layout_new_dense(count(shape), shape.as_ptr(), order.number(), null(), itemsize, out)
        })
    }

    /// A layout that a function of libsv makes.
    fn from_call(call: impl FnOnce(*mut *mut sys::sv_layout) -> sys::sv_status) -> Result<Layout> {
        check_abi()?;
        made(call).map(Layout)
    }

    /// # Safety
    ///
    /// The layout is alive, and stays so as long as what is returned is used.
    pub(crate) unsafe fn borrowed(layout: *const sys::sv_layout) -> ManuallyDrop<Layout> {
        // SAFETY: a view that is alive has a layout.
        ManuallyDrop::new(Layout(unsafe { NonNull::new_unchecked(layout.cast_mut()) }))
    }

    pub(crate) fn as_ptr(&self) -> *const sys::sv_layout {
        self.0.as_ptr()
    }

    /// Number of axes, 0 to 64.
    pub fn ndim(&self) -> usize {
        // SAFETY: the layout is alive, as in all functions below.
        unsafe { sys::sv_layout_ndim(self.as_ptr()) as usize }
    }

    /// The extents.
    pub fn shape(&self) -> &[i64] {
        // SAFETY: there are ndim extents, which live as long as the layout; so with strides.
        unsafe { numbers(sys::sv_layout_shape(self.as_ptr()), self.ndim()) }
    }

    /// The strides in bytes.
    pub fn byte_strides(&self) -> &[i64] {
        unsafe { numbers(sys::sv_layout_byte_strides(self.as_ptr()), self.ndim()) }
    }

    /// The strides in elements; [`Status::Layout`] if one in bytes is no multiple of the item size.
    pub fn strides(&self) -> Result<&[i64]> {
        let mut strides = null();
        check(unsafe { sys::sv_layout_strides(self.as_ptr(), &mut strides) })?;
        Ok(unsafe { numbers(strides, self.ndim()) })
    }

    /// Bytes of one element.
    pub fn itemsize(&self) -> i64 {
        unsafe { sys::sv_layout_itemsize(self.as_ptr()) }
    }

    /// Number of elements; 1 without axes.
    pub fn len(&self) -> usize {
        unsafe { sys::sv_layout_size(self.as_ptr()) as usize }
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes from the base to the element with all indices 0.
    pub fn byte_offset(&self) -> i64 {
        unsafe { sys::sv_layout_byte_offset(self.as_ptr()) }
    }

    /// The bytes that elements occupy, relative to the base; `(0, 0)` of an empty layout.
    pub fn byte_bounds(&self) -> Result<(i64, i64)> {
        let (mut lower, mut upper) = (0, 0);
        check(unsafe { sys::sv_layout_byte_bounds(self.as_ptr(), &mut lower, &mut upper) })?;
        Ok((lower, upper))
    }

    /// Whether the elements follow one another without gaps in an order, by NumPy's rules: extents of 1 do not matter,
    /// and an empty layout is contiguous.
    pub fn is_contiguous(&self, order: Order) -> bool {
        unsafe { sys::sv_layout_is_contiguous(self.as_ptr(), order.number()) != 0 }
    }

    /// Whether no two different indices share a byte.
    pub fn is_unique(&self) -> Result<Answer> {
        let mut answer = 0;
        check(unsafe { sys::sv_layout_is_unique(self.as_ptr(), 0, &mut answer) })?;
        Ok(Answer::from_number(answer))
    }

    /// Bytes from the element with all indices 0 to another one. Indices count from the end if they are negative.
    pub(crate) fn byte_distance(&self, index: &[i64]) -> Result<i64> {
        let shape = self.shape();
        if index.len() != shape.len() {
            let (given, ndim) = (index.len(), shape.len());
            return Err(Error::new(Status::Index, format!("there are {given} indices for {ndim} axes")));
        }
        let mut distance = 0;
        for (axis, (&i, &extent)) in index.iter().zip(shape).enumerate() {
            if i >= extent || i < -extent {
                let fact = format!("index {i} is outside axis {axis}, which has extent {extent}");
                return Err(Error::new(Status::Index, fact));
            }
            // No sum overflows: libsv makes no layout that reaches farther than i64.
            distance += if i < 0 { i + extent } else { i } * self.byte_strides()[axis];
        }
        Ok(distance)
    }
}

impl Clone for Layout {
    fn clone(&self) -> Layout {
        // SAFETY: the layout is alive; retaining returns the same one, with a reference more.
        unsafe { sys::sv_layout_retain(self.as_ptr()) };
        Layout(self.0)
    }
}

impl Drop for Layout {
    fn drop(&mut self) {
        // SAFETY: the layout has one reference of this value's.
        unsafe { sys::sv_layout_release(self.0.as_ptr()) }
    }
}

impl PartialEq for Layout {
    /// The same shape, item size and, unless they are empty, offset and strides.
    fn eq(&self, other: &Layout) -> bool {
        unsafe { sys::sv_layout_equal(self.as_ptr(), other.as_ptr()) != 0 }
    }
}

impl Eq for Layout {}

impl Hash for Layout {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(unsafe { sys::sv_layout_hash(self.as_ptr()) });
    }
}

impl fmt::Display for Layout {
    /// One line, as [`Layout::from_str`] reads it: "(3, 450):(1, -3)*4+5388".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A capacity of 3072 is always enough (include/sv/layout.h).
        let line = text::<3072>(|capacity, text, length| unsafe {
            sys::sv_layout_text(self.as_ptr(), capacity, text, length)
        });
        f.write_str(&line.map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layout({self})")
    }
}

impl FromStr for Layout {
    type Err = Error;

    /// Reads `(shape):(strides)*itemsize+offset`, with strides in elements, or in bytes where a `b` follows them.
    /// Without strides the layout is in C order. [`Status::Invalid`]: no such text.
    fn from_str(line: &str) -> Result<Layout> {
        let line = CString::new(line).map_err(|_| Error::new(Status::Invalid, "the text of a layout has a NUL"))?;
        Layout::from_call(|out| unsafe { sys::sv_layout_parse(line.as_ptr(), out) })
    }
}
