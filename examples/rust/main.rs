// Pixels (height x width x colour) read as planes (colour x height x width), and copied out as such, as numbers of
// another type. This is C's interface; rust/strideview is a crate with a safe one.
//
//     rustc --edition 2021 main.rs -L /usr/local/lib && ./main
#[path = "../../bindings/sv_sys.rs"]
mod sv_sys;

use std::ffi::CStr;
use std::os::raw::c_char;
use std::ptr::{null, null_mut};
use sv_sys::*;

unsafe fn text(letters: *const c_char) -> String {
    unsafe { CStr::from_ptr(letters) }.to_string_lossy().into_owned()
}

fn result(status: sv_status) -> Result<(), String> {
    match status {
        SV_OK => Ok(()),
        _ => Err(unsafe { format!("{}: {}", text(sv_status_name(status)), text(sv_last_message())) }),
    }
}

fn main() -> Result<(), String> {
    let mut pixels: Vec<u8> = (0..12).collect();
    let mut planes = vec![0f32; 12];
    let (mut picture, mut source, mut target) = (null_mut(), null_mut(), null_mut());
    unsafe {
        assert_eq!(sv_abi_version(), SV_ABI_VERSION);
        let (from, to) = (pixels.as_mut_ptr().cast(), planes.as_mut_ptr().cast());
        result(sv_view_from_host(SV_UINT8, 3, [2, 2, 3].as_ptr(), null(), from, SV_READ_ONLY, &mut picture))?;
        result(sv_view_permute(picture, 3, [2, 0, 1].as_ptr(), &mut source))?;
        result(sv_view_from_host(SV_FLOAT32, 3, [3, 2, 2].as_ptr(), null(), to, 0, &mut target))?;
        if let Err(complaint) = result(sv_copy(target, source, 0, 0)) {
            println!("{complaint}"); // which says what is missing
        }
        result(sv_copy(target, source, SV_COPY_CAST, 0))?;
        for view in [target, source, picture] {
            sv_view_release(view);
        }
    }
    println!("{:?}", planes.iter().map(|number| *number as i32).collect::<Vec<_>>());
    Ok(())
}
