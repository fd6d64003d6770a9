//! The types of elements, each with its type of libsv.

use std::fmt::Debug;

use crate::{Dtype, sys};

mod sealed {
    pub trait Sealed {}
}

/// A type of which views may be. It is implemented for `bool`, the integers of 8 to 64 bits, `f32`, `f64`, [`F16`],
/// [`Bf16`] and [`Complex`], and sealed: libsv moves the bytes of elements, so each must be a number of its own type.
///
/// ```compile_fail,E0277
/// strideview::View::new(&["text"], &[1]).unwrap();
/// ```
///
/// ```compile_fail,E0603
/// struct Mine;
/// impl strideview::element::Sealed for Mine {}
/// ```
pub trait Element: sealed::Sealed + Copy + Debug + PartialEq + Send + Sync + 'static {
    /// libsv's number for this type.
    const DTYPE: Dtype;
}

/// A number of 16 bits in IEEE's format, by its bits: Rust has no such type yet. Copies convert it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct F16(
    /// Sign, 5 bits of exponent, 10 bits of fraction.
    pub u16,
);

/// The upper 16 bits of an `f32`, by its bits. Copies convert it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Bf16(
    /// Sign, 8 bits of exponent, 7 bits of fraction.
    pub u16,
);

/// A complex number of two `f32` or two `f64`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Complex<F> {
    /// The real part.
    pub re: F,
    /// The imaginary part.
    pub im: F,
}

/// Implements the trait for each type in the table.
macro_rules! elements {
    ($($kind:ty => $dtype:ident,)*) => {
        $(
            impl sealed::Sealed for $kind {}
            impl Element for $kind {
                const DTYPE: Dtype = Dtype(sys::$dtype);
            }
        )*

        #[cfg(test)]
        const TABLE: &[(usize, Dtype)] = &[$((size_of::<$kind>(), <$kind>::DTYPE),)*];
    };
}

elements! {
    bool => SV_BOOL,
    i8 => SV_INT8,
    i16 => SV_INT16,
    i32 => SV_INT32,
    i64 => SV_INT64,
    u8 => SV_UINT8,
    u16 => SV_UINT16,
    u32 => SV_UINT32,
    u64 => SV_UINT64,
    f32 => SV_FLOAT32,
    f64 => SV_FLOAT64,
    F16 => SV_FLOAT16,
    Bf16 => SV_BFLOAT16,
    Complex<f32> => SV_COMPLEX64,
    Complex<f64> => SV_COMPLEX128,
}

#[cfg(test)]
mod tests {
    use super::TABLE;

    #[test]
    fn each_has_the_size_of_its_type() {
        for (size, dtype) in TABLE {
            assert_eq!(*size as i64, dtype.itemsize(), "{dtype}");
        }
        assert_eq!(TABLE.len(), 15);
    }
}
