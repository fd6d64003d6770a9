//! What is taken of an axis.

use std::ops::{Range, RangeFrom, RangeFull, RangeTo};

/// Every step-th index of an axis, from `start` up to, not including, `stop`. As in Python, negative numbers count from
/// the end, and what lies outside is cut to the axis.
///
/// Ranges of `i64` become slices, and [`Slice::by`] gives them a step:
///
/// ```
/// use strideview::{Slice, View};
///
/// # fn main() -> strideview::Result<()> {
/// let view = View::new(&[0, 1, 2, 3, 4, 5], &[6])?;
/// assert_eq!(view.slice(&[(1..4).into()])?.to_vec()?, [1, 2, 3]);
/// assert_eq!(view.slice(&[(-2..).into()])?.to_vec()?, [4, 5]);
/// assert_eq!(view.slice(&[Slice::ALL.by(-2)])?.to_vec()?, [5, 3, 1]);
/// assert_eq!(view.slice(&[Slice::from(4..1).by(-1)])?.to_vec()?, [4, 3, 2]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    /// The first index; `None` is the end of the axis where the step begins.
    pub start: Option<i64>,
    /// The index at which to stop; `None` is past the end to which the step leads.
    pub stop: Option<i64>,
    /// How far the next index is, not 0. A negative step goes back.
    pub step: i64,
}

impl Slice {
    /// The whole axis.
    pub const ALL: Slice = Slice { start: None, stop: None, step: 1 };

    /// The same bounds with another step.
    pub const fn by(self, step: i64) -> Slice {
        Slice { step, ..self }
    }

    /// Start, stop and step as libsv takes them, where the ends of `i64` stand for the ends of an axis.
    fn numbers(self) -> (i64, i64, i64) {
        let (first, last) = if self.step < 0 { (i64::MAX, i64::MIN) } else { (0, i64::MAX) };
        (self.start.unwrap_or(first), self.stop.unwrap_or(last), self.step)
    }
}

impl From<RangeFull> for Slice {
    fn from(_: RangeFull) -> Slice {
        Slice::ALL
    }
}

impl From<Range<i64>> for Slice {
    fn from(range: Range<i64>) -> Slice {
        Slice { start: Some(range.start), stop: Some(range.end), step: 1 }
    }
}

impl From<RangeFrom<i64>> for Slice {
    fn from(range: RangeFrom<i64>) -> Slice {
        Slice { start: Some(range.start), ..Slice::ALL }
    }
}

impl From<RangeTo<i64>> for Slice {
    fn from(range: RangeTo<i64>) -> Slice {
        Slice { stop: Some(range.end), ..Slice::ALL }
    }
}

/// The slices of several axes, in the three lists that libsv takes.
pub(crate) struct Slices {
    pub start: Vec<i64>,
    pub stop: Vec<i64>,
    pub step: Vec<i64>,
}

impl Slices {
    pub fn new(slices: &[Slice]) -> Slices {
        let numbers = || slices.iter().map(|slice| slice.numbers());
        Slices {
            start: numbers().map(|(start, _, _)| start).collect(),
            stop: numbers().map(|(_, stop, _)| stop).collect(),
            step: numbers().map(|(_, _, step)| step).collect(),
        }
    }
}
