//! Plans: what a copy decides, made once.

use std::ffi::CStr;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use crate::copy::{self, CopyOptions, Scaling};
use crate::error::{Result, check, made};
use crate::{Element, View, ViewMut, sys};

/// What a copy decides before it moves a byte, for views of elements `D` that are written and `S` that are read. It is
/// made once, and executed between any views of the same layouts, by any threads at the same time.
///
/// ```
/// use strideview::{Plan, View, ViewMut};
///
/// # fn main() -> strideview::Result<()> {
/// let frames = vec![vec![0u8, 1, 2, 3, 4, 5], vec![10, 11, 12, 13, 14, 15]];
/// let mut turned = vec![[0u8; 6]; 2];
///
/// let plan = {
///     let source = View::new(&frames[0], &[2, 3])?.transpose()?;
///     Plan::new(&ViewMut::new(&mut turned[0], &[3, 2])?, &source, Default::default())?
/// };
/// for (target, frame) in turned.iter_mut().zip(&frames) {
///     let source = View::new(frame, &[2, 3])?.transpose()?;
///     plan.execute(&mut ViewMut::new(target, &[3, 2])?, &source)?;
/// }
/// assert_eq!(turned, [[0, 3, 1, 4, 2, 5], [10, 13, 11, 14, 12, 15]]);
/// # Ok(())
/// # }
/// ```
pub struct Plan<D: Element, S: Element = D> {
    plan: NonNull<sys::sv_plan>,
    elements: PhantomData<fn(S) -> D>,
}

// SAFETY: a plan does not change once made, any threads may use it at the same time, and any may drop the last
// reference (include/sv/base.h). It keeps layouts, and no memory.
unsafe impl<D: Element, S: Element> Send for Plan<D, S> {}
unsafe impl<D: Element, S: Element> Sync for Plan<D, S> {}

impl<D: Element, S: Element> Plan<D, S> {
    /// Plans [`ViewMut::copy_from_with`]. Where the memory of the views is does not matter, and no element is touched.
    pub fn new(target: &ViewMut<'_, D>, source: &View<'_, S>, options: CopyOptions) -> Result<Plan<D, S>> {
        let (target, source) = (target.handle().as_ptr(), source.handle().as_ptr());
        // SAFETY: both views are alive.
        Plan::from_call(|out| unsafe { sys::sv_plan_new(target, source, options.flags(), out) })
    }

    /// Plans [`ViewMut::copy_scaled_from`]. The plan keeps the numbers.
    pub fn scaled(target: &ViewMut<'_, D>, source: &View<'_, S>, scaling: &Scaling<'_>) -> Result<Plan<D, S>> {
        Plan::from_call(|out| copy::plan_scaled(target.handle(), source.handle(), scaling, out))
    }

    fn from_call(call: impl FnOnce(*mut *mut sys::sv_plan) -> sys::sv_status) -> Result<Plan<D, S>> {
        Ok(Plan { plan: made(call)?, elements: PhantomData })
    }

    /// Copies between two views of the same layouts as those that the plan was made of;
    /// [`Status::Layout`](crate::Status::Layout) if they are not.
    pub fn execute(&self, target: &mut ViewMut<'_, D>, source: &View<'_, S>) -> Result<()> {
        let (target, source) = (target.handle().as_ptr(), source.handle().as_ptr());
        // SAFETY: plan and views are alive, and libsv checks that the views are such as were planned.
        check(unsafe { sys::sv_plan_execute_views(self.plan.as_ptr(), target, source, 0) })
    }

    /// What kind of copy it is: "contiguous", "transpose", "cast" and others. Later versions of libsv may know more.
    pub fn class(&self) -> &'static str {
        // SAFETY: the plan is alive, and the text is static.
        unsafe { CStr::from_ptr(sys::sv_plan_class(self.plan.as_ptr())) }.to_str().unwrap_or("")
    }

    /// Bytes that an execution writes.
    pub fn nbytes(&self) -> usize {
        // SAFETY: the plan is alive.
        unsafe { sys::sv_plan_nbytes(self.plan.as_ptr()) as usize }
    }
}

impl<D: Element, S: Element> Clone for Plan<D, S> {
    fn clone(&self) -> Plan<D, S> {
        // SAFETY: the plan is alive; retaining returns the same one, with a reference more.
        unsafe { sys::sv_plan_retain(self.plan.as_ptr()) };
        Plan { plan: self.plan, elements: PhantomData }
    }
}

impl<D: Element, S: Element> Drop for Plan<D, S> {
    fn drop(&mut self) {
        // SAFETY: the plan has one reference of this value's.
        unsafe { sys::sv_plan_release(self.plan.as_ptr()) }
    }
}

impl<D: Element, S: Element> fmt::Debug for Plan<D, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Plan<{}, {}>({}, {} bytes)", D::DTYPE, S::DTYPE, self.class(), self.nbytes())
    }
}
