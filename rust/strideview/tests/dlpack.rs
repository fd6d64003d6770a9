//! DLPack tensors: out, in, and such as another library could make.

use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};

use strideview::{Array, Layout, Status, View, ViewMut, sys};

/// `DLManagedTensorVersioned` of DLPack 1.3, spelt out.
#[repr(C)]
struct Foreign {
    version: [u32; 2],
    manager_ctx: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Foreign)>,
    flags: u64,
    data: *mut c_void,
    device: [i32; 2],
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    strides: *const i64,
    byte_offset: u64,
}

unsafe extern "C" fn count_deletion(tensor: *mut Foreign) {
    // SAFETY: manager_ctx is the counter of a test, which outlives the tensor.
    unsafe { (*(*tensor).manager_ctx.cast::<AtomicUsize>()).fetch_add(1, Ordering::SeqCst) };
}

/// 2 x 2 float32 in the memory of a test.
struct Fixture {
    numbers: [f32; 4],
    shape: [i64; 2],
    strides: [i64; 2],
    deletions: AtomicUsize,
}

impl Fixture {
    fn new() -> Box<Fixture> {
        let deletions = AtomicUsize::new(0);
        Box::new(Fixture { numbers: [0.0, 1.0, 2.0, 3.0], shape: [2, 2], strides: [1, 2], deletions })
    }

    fn tensor(&mut self) -> Foreign {
        Foreign {
            version: [1, 3],
            manager_ctx: (&raw mut self.deletions).cast(),
            deleter: Some(count_deletion),
            flags: 0,
            data: self.numbers.as_mut_ptr().cast(),
            device: [1, 0],
            ndim: 2,
            code: 2,
            bits: 32,
            lanes: 1,
            shape: self.shape.as_ptr(),
            strides: self.strides.as_ptr(),
            byte_offset: 0,
        }
    }

    fn deletions(&self) -> usize {
        self.deletions.load(Ordering::SeqCst)
    }
}

fn pointer(tensor: &mut Foreign) -> NonNull<sys::DLManagedTensorVersioned> {
    NonNull::from(tensor).cast()
}

#[test]
fn foreign_tensors_are_taken() {
    let mut fixture = Fixture::new();
    let mut tensor = fixture.tensor();
    let mut array = unsafe { Array::<f32>::from_dlpack(pointer(&mut tensor)) }.unwrap();
    assert_eq!(array.view().to_vec(), Ok(vec![0.0, 2.0, 1.0, 3.0]));
    array.view_mut().unwrap().set(&[0, 1], 9.0).unwrap();
    assert_eq!(fixture.deletions(), 0);

    // Handed on, it is the same memory, and ends where the last user does.
    let again = unsafe { Array::<f32>::from_dlpack(array.into_dlpack().unwrap().into_raw()) }.unwrap();
    assert_eq!(again.view().get(&[0, 1]), Ok(9.0));
    assert_eq!(fixture.deletions(), 0);
    std::thread::spawn(move || drop(again)).join().unwrap();
    assert_eq!((fixture.deletions(), fixture.numbers[2]), (1, 9.0));
}

#[test]
fn what_is_refused_stays_the_callers() {
    type Change = fn(&mut Foreign);
    let cases: &[(Change, Status, &str)] = &[
        (|t| t.bits = 64, Status::Dtype, "the tensor has elements of float64, not float32"),
        (|t| t.code = 0, Status::Dtype, "the tensor has elements of int32, not float32"),
        (|t| t.device = [2, 0], Status::Device, "the tensor is on device type 2, not on the host"),
        (|t| t.version = [2, 0], Status::Version, ""),
        (|t| t.version = [0, 8], Status::Version, ""),
        (|t| t.ndim = -1, Status::Protocol, ""),
        (|t| t.data = null_mut(), Status::Protocol, ""),
        (|t| t.code = 200, Status::Dtype, ""),
    ];
    for (number, (change, status, message)) in cases.iter().enumerate() {
        let mut fixture = Fixture::new();
        let mut tensor = fixture.tensor();
        change(&mut tensor);
        let error = unsafe { Array::<f32>::from_dlpack(pointer(&mut tensor)) }.unwrap_err();
        assert_eq!(error.status(), *status, "case {number}: {error}");
        assert!(message.is_empty() || error.message() == *message, "case {number}: {error}");
        assert_eq!(fixture.deletions(), 0, "case {number}");
    }
}

#[test]
fn read_only_and_repeating_tensors_are_not_written() {
    type Change = fn(&mut Foreign);
    const REPEATING: &[i64; 2] = &[0, 1];
    let cases: [(Change, Status); 2] =
        [(|t| t.flags = 1, Status::ReadOnly), (|t| t.strides = REPEATING.as_ptr(), Status::Overlap)];
    for (change, status) in cases {
        let mut fixture = Fixture::new();
        let mut tensor = fixture.tensor();
        change(&mut tensor);
        let mut array = unsafe { Array::<f32>::from_dlpack(pointer(&mut tensor)) }.unwrap();
        assert_eq!(array.view_mut().unwrap_err().status(), status);
        assert_eq!(array.view().get(&[0, 1]), Ok(if status == Status::Overlap { 1.0 } else { 2.0 }));
        drop(array);
        assert_eq!(fixture.deletions(), 1);
    }
}

#[test]
fn tensors_of_views_say_what_they_are() {
    let mut numbers = [0i16, 1, 2, 3, 4, 5];
    {
        let tensor = View::new(&numbers, &[2, 3]).unwrap().transpose().unwrap().to_dlpack().unwrap();
        let seen = unsafe { &*tensor.as_ptr().cast::<Foreign>() };
        assert_eq!((seen.version[0], seen.flags & 1, seen.device), (1, 1, [1, 0]));
        assert_eq!((seen.ndim, seen.code, seen.bits, seen.lanes), (2, 0, 16, 1));
        let (shape, strides) = (seen.shape.cast::<[i64; 2]>(), seen.strides.cast::<[i64; 2]>());
        assert_eq!(unsafe { (*shape, *strides) }, ([3, 2], [1, 3]));
        assert_eq!(seen.data.cast_const().cast(), numbers.as_ptr());
    }
    {
        // What is only read of a mutable view is read-only too.
        let view = ViewMut::new(&mut numbers, &[6]).unwrap();
        let read = view.view().to_dlpack().unwrap();
        assert_eq!(unsafe { (*read.as_ptr().cast::<Foreign>()).flags } & 1, 1);
        drop(read);
        let tensor = view.into_dlpack().unwrap();
        let seen = unsafe { &*tensor.as_ptr().cast::<Foreign>() };
        assert_eq!(seen.flags & 1, 0);
        unsafe { *seen.data.cast::<i16>() = 7 };
    }
    assert_eq!(numbers[0], 7);
    let odd: Layout = "(2):(5)b*2".parse().unwrap();
    assert_eq!(View::with_layout(&numbers, &odd).unwrap().to_dlpack().unwrap_err().status(), Status::Layout);
}
