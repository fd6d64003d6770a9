//! Copies, fills, scaled copies and plans, and what they refuse.

use strideview::{Array, Bf16, Complex, CopyOptions, Element, F16, Plan, Scaling, Slice, Status, View, ViewMut};

fn converted<S: Element, D: Element>(source: &[S], zero: D, options: CopyOptions) -> Result<Vec<D>, Status> {
    let mut target = vec![zero; source.len()];
    let shape = [source.len() as i64];
    let source = View::new(source, &shape).unwrap();
    let copied = ViewMut::new(&mut target, &shape).unwrap().copy_from_with(&source, options);
    copied.map(|()| target).map_err(|error| error.status())
}

#[test]
fn copies_go_between_layouts() {
    let numbers: Vec<u32> = (0..24).collect();
    let source = View::new(&numbers, &[2, 3, 4]).unwrap();
    for axes in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let turned = source.permute(&axes).unwrap();
        let mut target = [u32::MAX; 24];
        turned.copy_to(&mut ViewMut::new(&mut target, turned.shape()).unwrap()).unwrap();
        for (place, number) in target.iter().enumerate() {
            let (rows, columns) = (turned.shape()[1] as usize, turned.shape()[2] as usize);
            let index = [place / (rows * columns), place / columns % rows, place % columns].map(|i| i as i64);
            assert_eq!(turned.get(&index), Ok(*number), "{axes:?}");
        }
    }
}

#[test]
fn sources_are_broadcast() {
    let mut target = [0u8; 6];
    let mut view = ViewMut::new(&mut target, &[2, 3]).unwrap();
    view.copy_from(&View::new(&[1, 2, 3], &[3]).unwrap()).unwrap();
    assert_eq!(view.as_slice(), Some(&[1, 2, 3, 1, 2, 3][..]));
    view.copy_from(&View::new(&[7, 8], &[2, 1]).unwrap()).unwrap();
    assert_eq!(view.as_slice(), Some(&[7, 7, 7, 8, 8, 8][..]));
    view.copy_from(&View::new(&[5], &[]).unwrap()).unwrap();
    assert_eq!(view.as_slice(), Some(&[5; 6][..]));

    let error = view.copy_from(&View::new(&[1, 2], &[2]).unwrap()).unwrap_err();
    assert_eq!(error.status(), Status::Layout);
    assert!(error.message().contains("(2,)") && error.message().contains("(2, 3)"), "{error}");
    assert_eq!(target, [5; 6]);
}

#[test]
fn nothing_and_one_element_are_copied() {
    let mut none: [f64; 0] = [];
    let empty = View::<f64>::new(&[], &[4, 0]).unwrap();
    ViewMut::new(&mut none, &[4, 0]).unwrap().copy_from(&empty).unwrap();
    ViewMut::new(&mut none, &[0]).unwrap().fill(1.0).unwrap();
    assert_eq!(empty.to_vec(), Ok(vec![]));

    let mut one = [0.0];
    ViewMut::new(&mut one, &[]).unwrap().copy_from(&View::new(&[2.5], &[]).unwrap()).unwrap();
    assert_eq!(one, [2.5]);
}

#[test]
fn types_are_converted_when_told() {
    let plain = CopyOptions::default();
    assert_eq!(converted(&[1u8], 0u8, plain), Ok(vec![1]));
    assert_eq!(converted(&[1u8], 0i8, plain), Err(Status::Dtype));
    assert_eq!(converted(&[1u8, 255], 0f32, plain), Err(Status::Dtype));
    assert_eq!(converted(&[1u8, 255], 0f32, plain.cast()), Ok(vec![1.0, 255.0]));
    assert_eq!(converted(&[1.5f32], 0u8, plain.cast()), Err(Status::Dtype));
    assert_eq!(converted(&[1.5f32, -1.0], 0u8, plain.cast_unsafe()), Ok(vec![1, 255]));
    assert_eq!(converted(&[0.1f64], 0f32, plain.cast()), Ok(vec![0.1]));
    assert_eq!(converted(&[1.0f32, -2.0], F16(0), plain.cast()), Ok(vec![F16(0x3c00), F16(0xc000)]));
    assert_eq!(converted(&[1.0f32, -2.0], Bf16(0), plain.cast()), Ok(vec![Bf16(0x3f80), Bf16(0xc000)]));
    let complex = Complex { re: 3f64, im: 0.0 };
    assert_eq!(converted(&[3u64], complex, plain.cast()), Ok(vec![complex]));
    assert_eq!(converted(&[1u16, 0x0203], 0u16, plain.swap_bytes()), Ok(vec![0x0100, 0x0302]));
}

#[test]
fn bool_stays_true_or_false() {
    let bytes = |values: Vec<bool>| values.into_iter().map(u8::from).collect::<Vec<u8>>();
    let options = CopyOptions::default().cast_unsafe();
    assert_eq!(converted(&[0u8, 1, 2, 255], false, options).map(bytes), Ok(vec![0, 1, 1, 1]));
    assert_eq!(converted(&[0.0f32, -0.0, 0.5, f32::NAN], false, options).map(bytes), Ok(vec![0, 0, 1, 1]));
    assert_eq!(converted(&[false, true], false, options.swap_bytes()).map(bytes), Ok(vec![0, 1]));
    let mut target = [false; 3];
    let scaling = Scaling { scale: &[3.0], ..Scaling::default() };
    let source = View::new(&[0u8, 1, 200], &[3]).unwrap();
    ViewMut::new(&mut target, &[3]).unwrap().copy_scaled_from(&source, &scaling).unwrap();
    assert_eq!(bytes(target.to_vec()), [0, 1, 1]);
}

#[test]
fn fills_have_every_type() {
    fn filled<T: Element>(zero: T, value: T) {
        let mut numbers = [zero; 6];
        let columns = [Slice::ALL, (1..).into()];
        ViewMut::new(&mut numbers, &[2, 3]).unwrap().slice(&columns).unwrap().fill(value).unwrap();
        assert_eq!(numbers, [zero, value, value, zero, value, value]);
    }
    filled(false, true);
    filled(0u8, 200);
    filled(0i16, -3);
    filled(0u32, u32::MAX);
    filled(0f64, 0.1);
    filled(F16(0), F16(1));
    filled(Complex { re: 0f64, im: 0.0 }, Complex { re: 1.0, im: -1.0 });
}

#[test]
fn scaled_copies_and_their_limits() {
    let pixels = [0u8, 100, 200, 50, 150, 250];
    let source = View::new(&pixels, &[2, 3]).unwrap();
    let cases: &[(Scaling, Result<[f32; 6], Status>)] = &[
        (Scaling::default(), Ok([0.0, 100.0, 200.0, 50.0, 150.0, 250.0])),
        (Scaling { scale: &[0.5], bias: &[1.0], axis: 0 }, Ok([1.0, 51.0, 101.0, 26.0, 76.0, 126.0])),
        (Scaling { scale: &[1.0, 2.0], bias: &[], axis: 0 }, Ok([0.0, 100.0, 200.0, 100.0, 300.0, 500.0])),
        (Scaling { scale: &[], bias: &[1.0, 2.0, 3.0], axis: -1 }, Ok([1.0, 102.0, 203.0, 51.0, 152.0, 253.0])),
        (Scaling { scale: &[1.0, 2.0], bias: &[], axis: 1 }, Err(Status::Layout)),
        (Scaling { scale: &[1.0, 2.0], bias: &[], axis: 2 }, Err(Status::Index)),
    ];
    for (scaling, wanted) in cases {
        let mut target = [0f32; 6];
        let mut view = ViewMut::new(&mut target, &[2, 3]).unwrap();
        let copied = view.copy_scaled_from(&source, scaling).map_err(|error| error.status());
        let planned = Plan::scaled(&view, &source, scaling).map(drop).map_err(|error| error.status());
        assert_eq!((copied, planned), (wanted.map(drop), wanted.map(drop)), "{scaling:?}");
        assert_eq!(target, wanted.unwrap_or_default(), "{scaling:?}");
    }
    let mut back = [0u8; 2];
    let source = View::new(&[300.0f32, 1.5], &[2]).unwrap();
    ViewMut::new(&mut back, &[2]).unwrap().copy_scaled_from(&source, &Scaling::default()).unwrap();
    assert_eq!(back, [255, 2]); // the end of the range, and rounded to even
    let complex = View::new(&[Complex { re: 0f32, im: 0.0 }], &[1]).unwrap();
    let error = ViewMut::new(&mut back, &[1]).unwrap().copy_scaled_from(&complex, &Scaling::default()).unwrap_err();
    assert_eq!(error.status(), Status::Unsupported);
}

#[test]
fn plans_are_executed_often() {
    let source: Vec<u16> = (0..1200).collect();
    let source = View::new(&source, &[30, 40]).unwrap().transpose().unwrap();
    let mut target = Array::<f32>::zeros(&[40, 30]).unwrap();
    let plan = Plan::new(&target.view_mut().unwrap(), &source, CopyOptions::default().cast()).unwrap();
    assert_eq!((plan.nbytes(), plan.class()), (4800, "cast"));
    for plan in [plan.clone(), plan] {
        target.view_mut().unwrap().fill(-1.0).unwrap();
        plan.execute(&mut target.view_mut().unwrap(), &source).unwrap();
        assert_eq!(target.view().get(&[39, 29]), Ok(1199.0));
        assert_eq!(target.view().get(&[1, 2]), Ok(81.0));

        let mut other = target.view_mut().unwrap();
        let untransposed = source.transpose().unwrap();
        assert_eq!(plan.execute(&mut other, &untransposed).unwrap_err().status(), Status::Layout);
        let half = other.slice(&[(..20).into()]).unwrap();
        assert_eq!(plan.execute(&mut { half }, &source).unwrap_err().status(), Status::Layout);
        assert!(format!("{plan:?}").starts_with("Plan<float32, uint16>(cast, 4800"));
    }
}

#[test]
fn arrays_of_no_size_and_too_large() {
    assert_eq!(Array::<u8>::zeros(&[3, 0]).unwrap().view().as_slice(), Some(&[][..]));
    assert_eq!(Array::<u8>::zeros(&[]).unwrap().view().to_vec(), Ok(vec![0]));
    assert_eq!(Array::<u8>::zeros(&[-1]).unwrap_err().status(), Status::Invalid);
    assert_eq!(Array::<f64>::zeros(&[i64::MAX]).unwrap_err().status(), Status::Overflow);
    assert_eq!(Array::<f64>::zeros(&[1 << 58]).unwrap_err().status(), Status::Memory);
    let endless = View::new(&[1.0f64], &[1]).unwrap().broadcast(&[1 << 58]).unwrap();
    assert_eq!(endless.to_vec().unwrap_err().status(), Status::Memory);
    assert_eq!(endless.to_array().unwrap_err().status(), Status::Memory);
    assert_eq!(format!("{:?}", Array::<u8>::zeros(&[2]).unwrap()), "Array<uint8>((2,):(1,)*1)");
}
