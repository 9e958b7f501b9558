//! The way of an access from a parser to the sink, with the limit that ends it.

use crate::error::Error;
use crate::trace::{Access, Mapping, OpRecord};

use super::Sink;

/// Why no more is read.
#[derive(Debug)]
pub(super) enum Stop {
    /// The limit of accesses is reached.
    Full,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

pub(super) type Flow = Result<(), Stop>;

/// How many accesses went out, and how many may.
#[derive(Debug)]
pub(super) struct Count {
    pub(super) accesses: u64,
    pub(super) limit: u64,
    pub(super) operations: u64,
}

/// The sink of one push, counted.
#[derive(Debug)]
pub(super) struct Delivery<'a, S> {
    pub(super) sink: &'a mut S,
    pub(super) count: &'a mut Count,
}

impl<S: Sink> Delivery<'_, S> {
    /// Hands on one access. The first one beyond the limit stops the import: a file
    /// with exactly as many is read to its end.
    #[inline]
    pub(super) fn access(&mut self, access: Access) -> Flow {
        if self.count.accesses == self.count.limit {
            return Err(Stop::Full);
        }
        self.sink.access(access)?;
        self.count.accesses += 1;
        Ok(())
    }

    /// Hands on an operation. It belongs to the access that follows, and so it is left out where that is.
    pub(super) fn op(&mut self, record: OpRecord) -> Flow {
        if self.count.accesses == self.count.limit {
            return Err(Stop::Full);
        }
        self.sink.op(record)?;
        self.count.operations += 1;
        Ok(())
    }

    /// Hands on a record of a memory map.
    pub(super) fn mapping(&mut self, mapping: Mapping) -> Flow {
        Ok(self.sink.mapping(mapping)?)
    }
}
