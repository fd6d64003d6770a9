//! Copies by several threads. libsv has none of its own, and asks for a parallel-for: threads are started for it, and
//! ended before it returns.

use std::ffi::c_void;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;

use crate::copy::CopyOptions;
use crate::error::{Result, check};
use crate::handle::Handle;
use crate::sys;

/// What libsv hands to the threads of one copy.
#[derive(Clone, Copy)]
struct Task {
    call: unsafe extern "C" fn(*mut c_void, i64),
    ctx: *mut c_void,
    count: i64,
}

// SAFETY: any thread may call a task, until run() returns (sv_parallel_callback in include/sv/copy.h).
unsafe impl Send for Task {}
unsafe impl Sync for Task {}

impl Task {
    /// Takes indices until none is left.
    fn work(&self, next: &AtomicI64) {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= self.count {
                break;
            }
            // SAFETY: each index is taken once.
            unsafe { (self.call)(self.ctx, index) }
        }
    }
}

/// Calls each task once, on this thread and on others, at most as many as `ctx` points to. Threads that cannot be
/// started are done without.
unsafe extern "C" fn run(ctx: *mut c_void, count: i64, task: sys::sv_task_callback, task_ctx: *mut c_void) -> i32 {
    let Some(call) = task else { return sys::SV_ERROR_NULL };
    // SAFETY: copy() has passed the address of its number.
    let threads = unsafe { *ctx.cast::<i32>() };
    let (task, next) = (Task { call, ctx: task_ctx, count }, AtomicI64::new(0));
    thread::scope(|scope| {
        for _ in 1..i64::from(threads).min(count) {
            if thread::Builder::new().spawn_scoped(scope, || task.work(&next)).is_err() {
                break;
            }
        }
        task.work(&next);
    });
    sys::SV_OK
}

pub(crate) fn copy(target: &Handle, source: &Handle, threads: usize, options: CopyOptions) -> Result<()> {
    let mut threads = i32::try_from(threads).unwrap_or(i32::MAX);
    let ctx = (&raw mut threads).cast();
    let (target, source, flags) = (target.as_ptr(), source.as_ptr(), options.flags());
    // SAFETY: both views are alive, and run() returns when all its calls have returned.
    check(unsafe { sys::sv_copy_parallel(target, source, threads, Some(run), ctx, flags, 0) })
}
