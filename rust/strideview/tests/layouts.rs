//! Layouts by their texts: how they are made, and what each operation makes of one.

use std::collections::HashSet;

use strideview::{Answer, Layout, Order, Result, Slice, Status};

fn layout(text: &str) -> Layout {
    text.parse().unwrap()
}

#[test]
fn operations_have_their_results() {
    type Operation = fn(&Layout) -> Result<Layout>;
    let cases: &[(&str, Operation, &str)] = &[
        ("(2, 3)*4", |l| l.permute(&[1, 0]), "(3, 2):(1, 3)*4"),
        ("(2, 3, 4)*1", |l| l.transpose(), "(4, 3, 2):(1, 4, 12)*1"),
        ("()*8", |l| l.transpose(), "():()*8"),
        ("(10)*2", |l| l.slice(&[(2..8).into()]), "(6):(1)*2+4"),
        ("(10)*2", |l| l.slice(&[Slice::ALL.by(-3)]), "(4):(-3)*2+18"),
        ("(10)*2", |l| l.slice(&[Slice::from(..-1).by(4)]), "(3):(4)*2"),
        ("(10)*2", |l| l.slice(&[(-100..100).into()]), "(10):(1)*2"),
        ("(10)*2", |l| l.slice(&[(5..5).into()]), "(0):(0)*2+10"),
        ("(2, 3)*4", |l| l.slice(&[(..).into(), (1..).into()]), "(2, 2):(3, 1)*4+4"),
        ("(2, 3)*4", |l| l.slice(&[]), "(2, 3):(3, 1)*4"),
        ("(2, 3)*4", |l| l.index(-1, -1), "(2):(3)*4+8"),
        ("(2, 3)*4", |l| l.reshape(&[3, -1]), "(3, 2):(2, 1)*4"),
        ("(6)*1", |l| l.reshape(&[]).or(l.reshape(&[6, 1])), "(6, 1):(1, 1)*1"),
        ("(3)*4", |l| l.broadcast(&[2, 3]), "(2, 3):(0, 1)*4"),
        ("(1, 3, 1)*4", |l| l.squeeze(), "(3):(1)*4"),
        ("(3)*4", |l| l.unsqueeze(&[0, -1]), "(1, 3, 1):(3, 1, 1)*4"),
        ("(2, 3)*4", |l| l.flip(&[1]), "(2, 3):(3, -1)*4+8"),
        ("(2, 3, 4)*1", |l| l.swap_axes(0, 2), "(4, 3, 2):(1, 4, 12)*1"),
        ("(3, 3)*4", |l| l.diagonal(1, 0, 1), "(2):(4)*4+4"),
        ("(5)*4", |l| l.window(&[3]), "(3, 3):(1, 1)*4"),
        ("(2, 3):(1, 2)*4+8", |l| l.to_dense(Order::C), "(2, 3):(3, 1)*4"),
        ("(2, 3):(1, 2)*4+8", |l| l.to_dense(Order::K), "(2, 3):(1, 2)*4"),
    ];
    for (text, operation, wanted) in cases {
        assert_eq!(operation(&layout(text)).unwrap(), layout(wanted), "{text}");
    }
}

#[test]
fn operations_refuse() {
    type Operation = fn(&Layout) -> Result<Layout>;
    let cases: &[(Operation, Status, &str)] = &[
        (|l| l.permute(&[0, 0]), Status::Invalid, "axis 0"),
        (|l| l.permute(&[0]), Status::Invalid, "1"),
        (|l| l.permute(&[0, 2]), Status::Index, "axis 2"),
        (|l| l.slice(&[Slice::ALL.by(0)]), Status::Invalid, "step"),
        (|l| l.slice(&[Slice::ALL; 3]), Status::Index, "3"),
        (|l| l.index(0, 2), Status::Index, "index 2"),
        (|l| l.index(2, 0), Status::Index, "axis 2"),
        (|l| l.reshape(&[4]), Status::Invalid, "6"),
        (|l| l.transpose()?.reshape(&[6]), Status::Layout, ""),
        (|l| l.broadcast(&[3, 3]), Status::Layout, "3"),
        (|l| l.unsqueeze(&[0; 63]), Status::Range, "63 more than 2 axes"),
        (|l| l.window(&[3, 1]), Status::Layout, "3"),
        (|l| l.diagonal(0, 0, 0), Status::Invalid, ""),
        (|_| Layout::new(&[-1], None, 4), Status::Invalid, "-1"),
        (|_| Layout::new(&[2, 3], Some(&[1]), 4), Status::Invalid, "1 strides for 2 axes"),
        (|_| Layout::from_byte_strides(&[2], &[], 4), Status::Invalid, "0 strides for 1 axes"),
        (|_| Layout::new(&[i64::MAX, 2], None, 4), Status::Overflow, ""),
        (|_| Layout::new(&[1; 65], None, 4), Status::Range, "65"),
        (|_| Layout::new(&[1], None, 0), Status::Range, "0"),
        (|_| Layout::dense(&[1], Order::K, 4), Status::Invalid, ""),
        (|_| "(2".parse(), Status::Invalid, "character"),
        (|_| "(2)\0*4".parse(), Status::Invalid, "NUL"),
    ];
    for (number, (operation, status, word)) in cases.iter().enumerate() {
        let error = operation(&layout("(2, 3)*4")).unwrap_err();
        assert_eq!(error.status(), *status, "case {number}: {error}");
        assert!(error.message().contains(word), "case {number}: {error}");
        assert_eq!(error.to_string(), format!("{}: {}", status.name(), error.message()));
    }
}

#[test]
fn facts() {
    let image = Layout::new(&[480, 640], None, 4).unwrap();
    assert_eq!((image.ndim(), image.len(), image.itemsize(), image.byte_offset()), (2, 307200, 4, 0));
    assert_eq!((image.shape(), image.byte_strides()), (&[480, 640][..], &[2560, 4][..]));
    assert_eq!(image.strides(), Ok(&[640, 1][..]));
    assert!(image.is_contiguous(Order::C) && !image.is_contiguous(Order::F) && image.is_contiguous(Order::K));

    let one = Layout::new(&[], Some(&[]), 8).unwrap();
    assert_eq!((one.ndim(), one.len(), one.is_empty()), (0, 1, false));
    assert_eq!((one.shape(), one.byte_strides(), one.strides()), (&[][..], &[][..], Ok(&[][..])));

    let none = layout("(3, 0)*8");
    assert_eq!((none.len(), none.is_empty(), none.byte_bounds()), (0, true, Ok((0, 0))));
    assert_eq!(layout("(3):(-2)*4").byte_bounds(), Ok((-16, 4)));
    assert_eq!(layout("(3):(6)b*4").strides().unwrap_err().status(), Status::Layout);
    assert_eq!(Layout::dense(&[2, 3], Order::F, 2).unwrap().to_string(), "(2, 3):(1, 2)*2");
}

#[test]
fn unique() {
    for (text, wanted) in [
        ("(2, 3)*4", Answer::Yes),
        ("(0):(0)*4", Answer::Yes),
        ("(2):(0)*4", Answer::No),
        ("(2):(3)b*4", Answer::No),
        ("(3, 3):(1, 1)*4", Answer::No),
        ("(2, 3):(-3, 1)*4+12", Answer::Yes),
    ] {
        assert_eq!(layout(text).is_unique(), Ok(wanted), "{text}");
    }
}

#[test]
fn equal_layouts_have_one_hash() {
    let texts = ["(2, 3)*4", "(2, 3):(3, 1)*4", "(2, 3):(12, 4)b*4", "(2, 3):(1, 2)*4"];
    let layouts: Vec<Layout> = texts.iter().map(|text| layout(text)).collect();
    assert!(layouts[0] == layouts[1] && layouts[1] == layouts[2] && layouts[2] != layouts[3]);
    let different: HashSet<Layout> = layouts.iter().cloned().collect();
    assert_eq!(different.len(), 2);
    assert_eq!(format!("{:?}", layouts[3]), "Layout((2, 3):(1, 2)*4)");
}

#[test]
fn a_clone_outlives_its_view() {
    let numbers = [0u16; 6];
    let kept = strideview::View::new(&numbers, &[2, 3]).unwrap().layout().clone();
    assert_eq!(kept.to_string(), "(2, 3):(3, 1)*2");
}
