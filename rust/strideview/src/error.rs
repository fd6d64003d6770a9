//! Errors: a status of libsv, and its sentence.
//!
//! `check()` and `made()` are the two ways in which the other files call libsv. The message of a failed call is the
//! thread's last one, so it is read before anything else is called.

use std::ffi::CStr;
use std::fmt;
use std::ptr::{NonNull, null_mut};
use std::sync::OnceLock;

use crate::sys;

/// What a function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;

/// What kind of failure it was. The numbers are libsv's, and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(i32)]
pub enum Status {
    /// A pointer that is needed is NULL.
    Null = sys::SV_ERROR_NULL,
    /// Senseless for any array: a negative extent, a repeated axis, a step of 0.
    Invalid = sys::SV_ERROR_INVALID,
    /// An index or an axis outside the array.
    Index = sys::SV_ERROR_INDEX,
    /// Elements past the memory, or more than 64 axes.
    Range = sys::SV_ERROR_RANGE,
    /// A size or an offset in bytes does not fit `i64`.
    Overflow = sys::SV_ERROR_OVERFLOW,
    /// The element type is unknown, or not the same.
    Dtype = sys::SV_ERROR_DTYPE,
    /// Shape or strides do not allow the operation.
    Layout = sys::SV_ERROR_LAYOUT,
    /// Elements share bytes where they must not.
    Overlap = sys::SV_ERROR_OVERLAP,
    /// Writing to read-only memory.
    ReadOnly = sys::SV_ERROR_READ_ONLY,
    /// An address is not aligned as needed.
    Alignment = sys::SV_ERROR_ALIGNMENT,
    /// A device is unknown, absent or out of reach.
    Device = sys::SV_ERROR_DEVICE,
    /// A version of a protocol, or of the ABI, is not supported.
    Version = sys::SV_ERROR_VERSION,
    /// A foreign structure breaks its own rules.
    Protocol = sys::SV_ERROR_PROTOCOL,
    /// Legal, but this build of libsv cannot do it.
    Unsupported = sys::SV_ERROR_UNSUPPORTED,
    /// Out of memory.
    Memory = sys::SV_ERROR_MEMORY,
    /// The CUDA runtime failed.
    Cuda = sys::SV_ERROR_CUDA,
    /// Something is in a wrong state.
    State = sys::SV_ERROR_STATE,
    /// Refused while something else uses it.
    Blocked = sys::SV_ERROR_BLOCKED,
    /// A device was opened before this process was forked.
    Forked = sys::SV_ERROR_FORKED,
    /// A buffer is too small.
    Buffer = sys::SV_ERROR_BUFFER,
    /// A status that this crate does not know.
    Unknown = i32::MIN,
}

impl Status {
    const ALL: [Status; 20] = [
        Status::Null,
        Status::Invalid,
        Status::Index,
        Status::Range,
        Status::Overflow,
        Status::Dtype,
        Status::Layout,
        Status::Overlap,
        Status::ReadOnly,
        Status::Alignment,
        Status::Device,
        Status::Version,
        Status::Protocol,
        Status::Unsupported,
        Status::Memory,
        Status::Cuda,
        Status::State,
        Status::Blocked,
        Status::Forked,
        Status::Buffer,
    ];

    fn from_code(code: sys::sv_status) -> Status {
        Status::ALL.into_iter().find(|status| *status as i32 == code).unwrap_or(Status::Unknown)
    }

    /// The name that C programs know, such as "SV_ERROR_INDEX".
    pub fn name(self) -> &'static str {
        // SAFETY: libsv answers static text of ASCII, for any number.
        unsafe { CStr::from_ptr(sys::sv_status_name(self as i32)) }.to_str().unwrap_or("")
    }
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    status: Status,
    message: String,
}

impl Error {
    /// A failure that this crate finds by itself.
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Error {
        Error { status, message: message.into() }
    }

    /// The kind of failure, which programs react to.
    pub fn status(&self) -> Status {
        self.status
    }

    /// One line of ASCII that names the argument and the fact, for people. It may change from version to version.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.status.name(), self.message)
    }
}

impl std::error::Error for Error {}

/// The error of a status that libsv has just returned on this thread.
pub(crate) fn check(code: sys::sv_status) -> Result<()> {
    if code == sys::SV_OK {
        return Ok(());
    }
    // SAFETY: the text is never NULL, and stays until the next call that fails on this thread.
    let message = unsafe { CStr::from_ptr(sys::sv_last_message()) };
    Err(Error::new(Status::from_code(code), message.to_string_lossy()))
}

/// The handle that a call writes to its last parameter. libsv writes it on success, and then it is not NULL.
pub(crate) fn made<H>(call: impl FnOnce(*mut *mut H) -> sys::sv_status) -> Result<NonNull<H>> {
    let mut out = null_mut();
    check(call(&mut out))?;
    NonNull::new(out).ok_or_else(|| Error::new(Status::State, "libsv made no handle"))
}

/// Whether the library that runs has the ABI of the declarations: asked before the first handle is made.
pub(crate) fn check_abi() -> Result<()> {
    static ABI: OnceLock<i32> = OnceLock::new();
    // SAFETY: the function takes nothing, and is the same in every ABI.
    let abi = *ABI.get_or_init(|| unsafe { sys::sv_abi_version() });
    if abi == sys::SV_ABI_VERSION {
        return Ok(());
    }
    let wanted = sys::SV_ABI_VERSION;
    Err(Error::new(Status::Version, format!("libsv has ABI version {abi}, and this crate is for {wanted}")))
}

/// The length of a slice as the number of axes. More than fit are more than 64, which libsv refuses.
pub(crate) fn count<T>(items: &[T]) -> i32 {
    i32::try_from(items.len()).unwrap_or(i32::MAX)
}

/// A text that a function of libsv writes to a buffer, which is large enough.
pub(crate) fn text<const N: usize>(
    call: impl FnOnce(usize, *mut std::ffi::c_char, *mut usize) -> sys::sv_status,
) -> Result<String> {
    let mut buffer = [0u8; N];
    let mut length = 0;
    check(call(N, buffer.as_mut_ptr().cast(), &mut length))?;
    Ok(String::from_utf8_lossy(&buffer[..length.min(N)]).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_has_its_name() {
        for status in Status::ALL {
            let mut words: String = status.name().strip_prefix("SV_ERROR_").unwrap().to_lowercase();
            words.retain(|letter| letter != '_');
            assert_eq!(words, format!("{status:?}").to_lowercase());
            assert_eq!(Status::from_code(status as i32), status);
        }
        assert_eq!(Status::from_code(-1000), Status::Unknown);
        assert_eq!(Status::Unknown.name(), "SV_ERROR_UNKNOWN");
    }

    #[test]
    fn handles_have_what_libsv_wrote() {
        let error = made::<sys::sv_layout>(|_| sys::SV_OK).unwrap_err();
        assert_eq!(error.status(), Status::State);
    }
}
