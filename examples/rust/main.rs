// Pixels (height x width x colour) read as planes (colour x height x width), and copied out as such.
//
//     rustc --edition 2021 main.rs -L /usr/local/lib && ./main
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
    let (mut hwc, mut chw, mut dense) = (null_mut(), null_mut(), null_mut());
    let (mut source, mut target) = (null_mut(), null_mut());
    unsafe {
        assert_eq!(sv_abi_version(), SV_ABI_VERSION);
        check(sv_layout_new(3, [2, 2, 3].as_ptr(), null(), 1, &mut hwc));
        check(sv_layout_permute(hwc, 3, [2, 0, 1].as_ptr(), &mut chw));
        check(sv_layout_to_dense(chw, SV_ORDER_C, 0, null(), 0, &mut dense));
        check(sv_view_from_pointer(chw, SV_UINT8, pixels.as_mut_ptr().cast(), 12, SV_READ_ONLY, &mut source));
        check(sv_view_from_pointer(dense, SV_UINT8, copied.as_mut_ptr().cast(), 12, 0, &mut target));
        check(sv_copy(target, source, 0, 0));
        sv_view_release(target);
        sv_view_release(source);
        for layout in [dense, chw, hwc] {
            sv_layout_release(layout);
        }
    }
    println!("{copied:?}");
}
