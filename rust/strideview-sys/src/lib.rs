//! The C API of libsv, as `bindings/sv_sys.rs` declares it, linked as `build/main.rs` finds it.
//!
//! The declarations are generated from the C headers, which say what each function does, needs and can answer. The
//! crate `strideview` has a safe interface to the part that works on memory of Rust.
//!
//! ```
//! use strideview_sys::{SV_ABI_VERSION, sv_abi_version};
//!
//! assert_eq!(unsafe { sv_abi_version() }, SV_ABI_VERSION);
//! ```

// The one copy of the declarations: a file with inner attributes is a module, and cannot be included.
#[rustfmt::skip]
#[allow(rustdoc::broken_intra_doc_links)] // comments of C have brackets
#[path = "../../../bindings/sv_sys.rs"]
mod sv_sys;

pub use sv_sys::*;
