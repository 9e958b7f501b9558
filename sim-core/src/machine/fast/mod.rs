//! Fast paths: the same results as one access after the other, in fewer steps.

pub(crate) mod repeats;
pub(crate) mod batch;
