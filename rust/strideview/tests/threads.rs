//! Threads: which types go to others, and copies that several threads do.

use std::sync::Arc;
use std::thread;

use strideview::{Array, CopyOptions, Layout, ManagedTensor, Plan, Status, View, ViewMut};

#[test]
fn types_may_be_sent_and_shared() {
    fn sent_and_shared<T: Send + Sync>() {}
    sent_and_shared::<Layout>();
    sent_and_shared::<View<'_, f32>>();
    sent_and_shared::<ViewMut<'_, f32>>();
    sent_and_shared::<Array<f32>>();
    sent_and_shared::<Plan<f32, u8>>();
    sent_and_shared::<ManagedTensor<'_>>();
}

#[test]
fn one_plan_is_executed_by_all() {
    let source: Vec<u32> = (0..64 * 48).collect();
    let source = View::new(&source, &[64, 48]).unwrap().transpose().unwrap();
    let mut target = vec![0u32; 48 * 64 * 4];
    let mut first = Array::<u32>::zeros(&[48, 64]).unwrap();
    let plan = Plan::new(&first.view_mut().unwrap(), &source, CopyOptions::default()).unwrap();
    thread::scope(|scope| {
        for part in target.chunks_mut(48 * 64) {
            scope.spawn(|| {
                for _ in 0..20 {
                    plan.execute(&mut ViewMut::new(part, &[48, 64]).unwrap(), &source).unwrap();
                }
            });
        }
    });
    for part in target.chunks(48 * 64) {
        assert_eq!((part[1], part[64]), (48, 1));
        assert_eq!(part, source.to_vec().unwrap());
    }
}

#[test]
fn any_thread_drops_the_last_reference() {
    let array = Arc::new(Array::<u8>::zeros(&[100]).unwrap());
    let layout = array.layout().clone();
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let (array, layout) = (array.clone(), layout.clone());
            thread::spawn(move || {
                let views: Vec<_> = (0..100).map(|i| array.view().index(0, i).unwrap()).collect();
                assert_eq!(views.iter().map(|view| view.len()).sum::<usize>(), layout.len());
            })
        })
        .collect();
    drop(array);
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    assert_eq!(layout.shape(), [100]);
}

#[test]
fn errors_are_those_of_their_thread() {
    thread::scope(|scope| {
        for axis in 5..9 {
            scope.spawn(move || {
                for _ in 0..200 {
                    let error = View::new(&[0u8], &[1]).unwrap().index(axis, 0).unwrap_err();
                    assert_eq!(error.status(), Status::Index);
                    assert!(error.message().contains(&format!("axis {axis}")), "{error}");
                }
            });
        }
    });
}

#[test]
fn copies_are_shared_by_threads() {
    let rows = 1024;
    let source: Vec<f32> = (0..rows * rows).map(|i| i as f32).collect();
    let source = View::new(&source, &[rows, rows]).unwrap().transpose().unwrap();
    let mut target = vec![0f32; (rows * rows) as usize];
    for threads in [1, 2, 5] {
        target.fill(-1.0);
        let mut view = ViewMut::new(&mut target, &[rows, rows]).unwrap();
        view.copy_from_parallel(&source, threads, CopyOptions::default()).unwrap();
        assert!(target.iter().enumerate().all(|(i, x)| *x == ((i as i64 % rows) * rows + i as i64 / rows) as f32));
    }
    let mut view = ViewMut::new(&mut target, &[rows, rows]).unwrap();
    let refused = view.copy_from_parallel(&source, 0, CopyOptions::default()).unwrap_err();
    assert_eq!(refused.status(), Status::Invalid);
}
