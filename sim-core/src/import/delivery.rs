//! The way of an access from a parser to the sink, with the limit that ends it.

use crate::error::Result;
use crate::trace::Access;

use super::Sink;

/// How many accesses went out, and how many may.
#[derive(Debug)]
pub(super) struct Count {
    pub(super) accesses: u64,
    pub(super) limit: u64,
    /// An access beyond the limit was seen: it and all after it are left out.
    pub(super) full: bool,
}

/// The sink of one push, counted.
#[derive(Debug)]
pub(super) struct Delivery<'a, S> {
    pub(super) sink: &'a mut S,
    pub(super) count: &'a mut Count,
}

impl<S: Sink> Delivery<'_, S> {
    /// Hands on one access; `false` if the limit keeps it out.
    #[inline]
    pub(super) fn access(&mut self, access: Access) -> Result<bool> {
        if self.count.accesses == self.count.limit {
            self.count.full = true;
            return Ok(false);
        }
        self.sink.access(access)?;
        self.count.accesses += 1;
        Ok(true)
    }
}
