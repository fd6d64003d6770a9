//! Views: what lies in the memory is reached, and nothing else.

use strideview::{Answer, Complex, Layout, Result, Slice, Status, View, ViewMut};

const NUMBERS: [i16; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

fn through(text: &str) -> Result<View<'static, i16>> {
    View::with_layout(&NUMBERS, &text.parse()?)
}

#[test]
fn layouts_read_their_elements() {
    let cases: &[(&str, &[i16])] = &[
        ("(3)*2", &[0, 1, 2]),
        ("(12)*2", &NUMBERS),
        ("(3):(-1)*2+22", &[11, 10, 9]),
        ("(2, 3):(1, 4)*2+2", &[1, 5, 9, 2, 6, 10]),
        ("(2, 2):(0, 3)*2", &[0, 3, 0, 3]),
        ("()*2+10", &[5]),
        ("(0)*2", &[]),
        ("(5, 0, 3)*2", &[]),
        ("(1, 3, 1)*2+18", &[9, 10, 11]),
    ];
    for (text, wanted) in cases {
        let view = through(text).unwrap();
        assert_eq!(view.to_vec().unwrap(), *wanted, "{text}");
        assert_eq!(view.len(), wanted.len(), "{text}");
        assert_eq!(view.is_empty(), wanted.is_empty(), "{text}");
        assert_eq!(view.to_array().unwrap().view().as_slice(), Some(*wanted), "{text}");
    }
}

#[test]
fn memory_is_not_left() {
    let cases: &[(&str, Status)] = &[
        ("(13)*2", Status::Range),
        ("(12)*2+1", Status::Range),
        ("(12)*2+2", Status::Range),
        ("(2):(-1)*2", Status::Range),
        ("()*2+24", Status::Range),
        ("()*2-2", Status::Range),
        ("(2):(9223372036854775807)b*2", Status::Overflow),
        ("(2):(9223372036854775805)b*2", Status::Range),
        ("(6)*4", Status::Dtype),
    ];
    for (text, status) in cases {
        assert_eq!(through(text).unwrap_err().status(), *status, "{text}");
        let mut numbers = NUMBERS;
        let refused = text.parse().and_then(|layout| ViewMut::with_layout(&mut numbers, &layout).map(drop));
        assert_eq!(refused.unwrap_err().status(), *status, "{text}");
    }
    let error = View::new(&NUMBERS, &[13]).unwrap_err();
    assert_eq!(error.status(), Status::Range);
    assert!(error.message().contains("26"), "{error}"); // the bytes that are needed
    assert_eq!(View::<u8>::new(&[], &[1]).unwrap_err().status(), Status::Range);
    assert!(View::<u8>::new(&[], &[0, 7]).unwrap().is_empty());
}

#[test]
fn operations_read_their_elements() {
    type Operation = fn(&View<'static, i16>) -> Result<View<'static, i16>>;
    let cases: &[(Operation, &[i64], &[i16])] = &[
        (|v| v.slice(&[(1..).into(), Slice::ALL.by(-2)]), &[2, 2], &[7, 5, 11, 9]),
        (|v| v.permute(&[1, 0])?.index(0, 1), &[3], &[1, 5, 9]),
        (|v| v.transpose()?.index(0, -1), &[3], &[3, 7, 11]),
        (|v| v.reshape(&[-1])?.slice(&[(..3).into()]), &[3], &[0, 1, 2]),
        (|v| v.index(0, 2)?.broadcast(&[2, 4]), &[2, 4], &[8, 9, 10, 11, 8, 9, 10, 11]),
        (|v| v.index(0, 0)?.index(0, 3), &[], &[3]),
        (|v| v.slice(&[(0..0).into()]), &[0, 4], &[]),
        (|v| v.diagonal(1, 0, 1), &[3], &[1, 6, 11]),
        (|v| v.index(0, 0)?.window(&[3]), &[2, 3], &[0, 1, 2, 1, 2, 3]),
        (|v| v.flip(&[0, 1])?.index(0, 0), &[4], &[11, 10, 9, 8]),
        (|v| v.swap_axes(0, 1)?.index(0, 0), &[3], &[0, 4, 8]),
        (|v| v.slice(&[(1..2).into()])?.squeeze(), &[4], &[4, 5, 6, 7]),
        (|v| v.index(1, 0)?.unsqueeze(&[1]), &[3, 1], &[0, 4, 8]),
    ];
    let matrix = View::new(&NUMBERS, &[3, 4]).unwrap();
    for (number, (operation, shape, wanted)) in cases.iter().enumerate() {
        let view = operation(&matrix).unwrap();
        assert_eq!((view.shape(), &view.to_vec().unwrap()[..]), (*shape, *wanted), "case {number}");
    }
}

#[test]
fn slices_are_those_of_contiguous_views() {
    let matrix = View::new(&NUMBERS, &[3, 4]).unwrap();
    assert_eq!(matrix.as_slice(), Some(&NUMBERS[..]));
    assert_eq!(matrix.index(0, 1).unwrap().as_slice(), Some(&NUMBERS[4..8]));
    assert_eq!(matrix.slice(&[(3..).into()]).unwrap().as_slice(), Some(&[][..]));
    assert_eq!(through("()*2+10").unwrap().as_slice(), Some(&[5][..]));
    for view in [matrix.transpose(), matrix.index(1, 0), matrix.flip(&[0]), through("(2)*2+1")] {
        assert_eq!(view.unwrap().as_slice(), None);
    }
}

#[test]
fn elements_are_read_and_written() {
    let mut numbers = NUMBERS;
    let mut view = ViewMut::new(&mut numbers, &[3, 4]).unwrap().slice(&[Slice::ALL.by(-1)]).unwrap();
    assert_eq!((view.get(&[0, 0]), view.get(&[-1, -1]), view.get(&[2, 0])), (Ok(8), Ok(3), Ok(0)));
    view.set(&[-3, 1], 100).unwrap();
    for (index, fact) in [
        (&[3, 0][..], "index 3 is outside axis 0, which has extent 3"),
        (&[0, -5], "index -5 is outside axis 1, which has extent 4"),
        (&[0, i64::MIN], "index -9223372036854775808 is outside axis 1, which has extent 4"),
        (&[0], "there are 1 indices for 2 axes"),
        (&[0, 0, 0], "there are 3 indices for 2 axes"),
    ] {
        let error = view.set(index, 1).unwrap_err();
        assert_eq!((error.status(), error.message()), (Status::Index, fact));
        assert_eq!(view.get(index), Err(error));
    }
    assert_eq!(numbers[9], 100);
    assert_eq!(through("(0)*2").unwrap().get(&[0]).unwrap_err().status(), Status::Index);
    assert_eq!(through("()*2+2").unwrap().get(&[]), Ok(1));
}

#[test]
fn axes_are_at_most_64() {
    let mut shape = [1; 64];
    shape[63] = 3;
    let view = View::new(&NUMBERS, &shape).unwrap();
    let mut index = [0; 64];
    index[63] = -1;
    assert_eq!((view.get(&index), view.as_slice()), (Ok(2), Some(&[0, 1, 2][..])));
    let turned = view.transpose().unwrap();
    assert_eq!((turned.shape()[0], turned.to_vec()), (3, Ok(vec![0, 1, 2])));
    assert_eq!(turned.layout().to_string().parse(), Ok(turned.layout().clone()));
    assert_eq!(view.unsqueeze(&[0]).unwrap_err().status(), Status::Range);
    assert_eq!(view.broadcast(&[1; 65]).unwrap_err().status(), Status::Range);
}

#[test]
fn elements_need_not_be_aligned() {
    let mut numbers = [0u32; 3];
    let layout: Layout = "(2):(5)b*4+1".parse().unwrap();
    let mut view = ViewMut::with_layout(&mut numbers, &layout).unwrap();
    view.set(&[1], 0x01020304).unwrap();
    assert_eq!((view.get(&[0]), view.get(&[1])), (Ok(0), Ok(0x01020304)));
    assert_eq!(view.view().to_vec(), Ok(vec![0, 0x01020304]));
    assert_eq!(view.as_mut_slice(), None);
}

#[test]
fn mutable_views_repeat_no_element() {
    let mut numbers = NUMBERS;
    for text in ["(2,):(0,)*2", "(2, 3):(1, 1)*2", "(3,):(1,)b*2", "(4, 4):(0, 1)*2"] {
        let error = ViewMut::with_layout(&mut numbers, &text.parse().unwrap()).unwrap_err();
        assert_eq!(error.status(), Status::Overlap);
        assert_eq!(error.message(), format!("elements of a mutable view of layout {text} may share bytes"));
    }
    ViewMut::with_layout(&mut numbers, &"(0, 4):(0, 0)*2".parse().unwrap()).unwrap().fill(1).unwrap();
    assert_eq!(numbers, NUMBERS);
}

#[test]
fn mutable_operations_write_their_elements() {
    type Operation = for<'a> fn(ViewMut<'a, i16>) -> Result<ViewMut<'a, i16>>;
    let cases: &[(Operation, &[usize])] = &[
        (|v| v.slice(&[(1..).into(), Slice::ALL.by(-2)]), &[5, 7, 9, 11]),
        (|v| v.permute(&[1, 0])?.index(0, 1), &[1, 5, 9]),
        (|v| v.transpose()?.index(0, 0), &[0, 4, 8]),
        (|v| v.reshape(&[2, 6])?.index(0, 1), &[6, 7, 8, 9, 10, 11]),
        (|v| v.diagonal(0, 0, 1), &[0, 5, 10]),
        (|v| v.flip(&[0])?.index(0, 0), &[8, 9, 10, 11]),
        (|v| v.swap_axes(0, 1)?.index(0, 3), &[3, 7, 11]),
        (|v| v.unsqueeze(&[0])?.squeeze()?.index(0, 0), &[0, 1, 2, 3]),
        (|v| v.slice(&[(0..0).into()]), &[]),
    ];
    for (number, (operation, written)) in cases.iter().enumerate() {
        let mut numbers = NUMBERS;
        operation(ViewMut::new(&mut numbers, &[3, 4]).unwrap()).unwrap().fill(-1).unwrap();
        for (place, value) in numbers.into_iter().enumerate() {
            assert_eq!(value == -1, written.contains(&place), "case {number}, place {place}");
        }
    }
}

#[test]
fn splits_are_apart() {
    for (axis, at, shapes) in
        [(0, 1, [[1, 4], [2, 4]]), (-1, 3, [[3, 3], [3, 1]]), (1, 0, [[3, 0], [3, 4]]), (0, 3, [[3, 4], [0, 4]])]
    {
        let mut numbers = NUMBERS;
        let (mut lower, mut upper) = ViewMut::new(&mut numbers, &[3, 4]).unwrap().split_at(axis, at).unwrap();
        assert_eq!([lower.shape(), upper.shape()], shapes);
        assert_eq!(lower.view().overlaps(&upper.view()), Ok(Answer::No));
        lower.fill(-1).unwrap();
        upper.fill(-2).unwrap();
        assert!(numbers.iter().all(|number| *number < 0));
    }
    for (axis, at, fact) in [
        (2, 0, "axis 2 is outside a view of 2 axes"),
        (-3, 0, "axis -3 is outside a view of 2 axes"),
        (0, 4, "axis 0 has extent 3, and cannot be split at 4"),
        (0, -1, "axis 0 has extent 3, and cannot be split at -1"),
    ] {
        let mut numbers = NUMBERS;
        let error = ViewMut::new(&mut numbers, &[3, 4]).unwrap().split_at(axis, at).unwrap_err();
        assert_eq!((error.status(), error.message()), (Status::Index, fact));
    }
    let mut one = [1];
    assert_eq!(ViewMut::new(&mut one, &[]).unwrap().split_at(0, 0).unwrap_err().status(), Status::Index);
}

#[test]
fn overlap_is_told() {
    let even = through("(6):(2)*2").unwrap();
    let odd = through("(6):(2)*2+2").unwrap();
    let copy = even.to_array().unwrap();
    for (one, other, wanted) in [
        (&even, &odd, Answer::No),
        (&even, &even.flip(&[0]).unwrap(), Answer::Yes),
        (&even, &copy.view(), Answer::No),
        (&even, &even.slice(&[(0..0).into()]).unwrap(), Answer::No),
    ] {
        assert_eq!(one.overlaps(other), Ok(wanted));
    }
}

#[test]
fn lifetimes_are_those_of_the_memory() {
    let memory = vec![1u8, 2, 3, 4];
    let row = {
        let view = View::new(&memory, &[2, 2]).unwrap();
        view.clone().index(0, 1).unwrap().as_slice().unwrap()
    };
    assert_eq!(row, [3, 4]);

    let mut numbers = [1u8, 2, 3, 4];
    let mut view = ViewMut::new(&mut numbers, &[4]).unwrap();
    view.reborrow().slice(&[(2..).into()]).unwrap().fill(0).unwrap();
    view.as_mut_slice().unwrap()[0] = 9;
    assert_eq!((view.as_slice(), view.view().len(), view.len()), (Some(&[9, 2, 0, 0][..]), 4, 4));
    assert_eq!(numbers, [9, 2, 0, 0]);
}

#[test]
fn views_are_shown() {
    let mut numbers = [Complex { re: 1f32, im: 2.0 }; 2];
    assert_eq!(format!("{:?}", View::new(&numbers, &[2]).unwrap()), "View<complex64>((2,):(1,)*8)");
    assert_eq!(format!("{:?}", ViewMut::new(&mut numbers, &[1, 2]).unwrap()), "ViewMut<complex64>((1, 2):(2, 1)*8)");
}
