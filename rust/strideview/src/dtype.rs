//! The types of elements as libsv numbers them.

use std::ffi::CString;
use std::fmt;
use std::str::FromStr;

use crate::error::{Error, Result, Status, check, text};
use crate::{Element, sys};

/// A type of elements: libsv's number, which tells DLPack's code, bits and lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Dtype(pub(crate) sys::sv_dtype);

impl Dtype {
    /// The type of a Rust type.
    pub fn of<T: Element>() -> Dtype {
        T::DTYPE
    }

    /// libsv's number, such as `sys::SV_FLOAT32`.
    pub fn number(self) -> sys::sv_dtype {
        self.0
    }

    /// Bytes of one element.
    pub fn itemsize(self) -> i64 {
        // SAFETY: any number may be asked.
        unsafe { sys::sv_dtype_itemsize(self.0) }
    }
}

impl fmt::Display for Dtype {
    /// The name, such as "float32".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // SAFETY: the buffer has the capacity that is told.
        let name = text::<64>(|capacity, text, length| unsafe { sys::sv_dtype_name(self.0, capacity, text, length) });
        f.write_str(name.as_deref().unwrap_or("unknown"))
    }
}

impl fmt::Debug for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dtype({self})")
    }
}

impl FromStr for Dtype {
    type Err = Error;

    /// Reads a name, as it is displayed; [`Status::Dtype`] where there is no such name.
    fn from_str(name: &str) -> Result<Dtype> {
        let name = CString::new(name).map_err(|_| Error::new(Status::Dtype, "the name of a dtype has a NUL"))?;
        let mut number = 0;
        // SAFETY: the name ends in NUL, and the number has room.
        check(unsafe { sys::sv_dtype_parse(name.as_ptr(), &mut number) })?;
        Ok(Dtype(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for (dtype, name) in [
            (bool::DTYPE, "bool"),
            (u8::DTYPE, "uint8"),
            (i64::DTYPE, "int64"),
            (f32::DTYPE, "float32"),
            (crate::Bf16::DTYPE, "bfloat16"),
            (crate::Complex::<f64>::DTYPE, "complex128"),
        ] {
            assert_eq!(dtype.to_string(), name);
            assert_eq!(name.parse(), Ok(dtype));
        }
        assert_eq!(format!("{:?}", Dtype::of::<f32>()), "Dtype(float32)");
    }

    #[test]
    fn other_names_are_refused() {
        for name in ["", "float33", "uint8 ", "a\0b"] {
            assert_eq!(name.parse::<Dtype>().unwrap_err().status(), Status::Dtype, "{name:?}");
        }
        assert_eq!(Dtype(77).to_string(), "unknown");
    }
}
