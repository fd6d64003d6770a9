// Pixels (height x width x colour) read as planes (colour x height x width), and copied out as such.
//
//     rustc --edition 2021 main.rs -L /usr/local/lib && ./main
#[path = "../../bindings/sv_sys.rs"]
mod sv_sys;

use std::ffi::CStr;
use std::ptr::{null, null_mut};
use sv_sys::*;

fn check(status: sv_status) {
    if status != SV_OK {
        panic!("{}", unsafe { CStr::from_ptr(sv_last_message()) }.to_string_lossy());
    }
}

fn main() {
    let mut pixels: Vec<u8> = (0..12).collect();
    let mut copied = vec![0u8; 12];
    let (mut picture, mut source, mut target) = (null_mut(), null_mut(), null_mut());
    unsafe {
        assert_eq!(sv_abi_version(), SV_ABI_VERSION);
        let (memory, planes) = (pixels.as_mut_ptr().cast(), copied.as_mut_ptr().cast());
        check(sv_view_from_host(SV_UINT8, 3, [2, 2, 3].as_ptr(), null(), memory, SV_READ_ONLY, &mut picture));
        check(sv_view_permute(picture, 3, [2, 0, 1].as_ptr(), &mut source));
        check(sv_view_from_host(SV_UINT8, 3, [3, 2, 2].as_ptr(), null(), planes, 0, &mut target));
        check(sv_copy(target, source, 0, 0));
        for view in [target, source, picture] {
            sv_view_release(view);
        }
    }
    println!("{copied:?}");
}
