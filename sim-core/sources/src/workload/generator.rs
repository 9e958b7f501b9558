//! A workload as a stream of accesses.

use pagewalk_base::trace::{Access, Kind};

use super::pattern::{Made, Pattern};

/// Returns the accesses of a workload, one after the other.
#[derive(Clone, Debug)]
pub struct Generator {
    pattern: Pattern,
    /// The accesses of the last step that were not returned yet.
    step: Vec<Access>,
    at: usize,
    left: u64,
    n: u64,
    bytes: u64,
}

impl Generator {
    pub(super) fn new(Made { pattern, bytes, .. }: Made, n: u64) -> Self {
        Self { pattern, step: Vec::new(), at: 0, left: n, n, bytes }
    }

    /// Returns the number of accesses of the whole workload.
    pub fn n_accesses(&self) -> u64 {
        self.n
    }

    /// Returns the number of accesses that remain.
    pub fn n_left(&self) -> u64 {
        self.left
    }

    /// Returns the number of bytes from the base to the end of everything that may be accessed.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns what the lackey format cannot store of this workload, if there is anything.
    pub fn beyond_lackey(&self) -> Option<&'static str> {
        let mut sample = self.clone();
        sample.left = sample.n;
        let mut some = sample.take(1 << 12);
        some.find_map(|access| match access {
            Access { kind: Kind::Prefetch, .. } => Some("prefetches"),
            Access { tid: 1.., .. } => Some("thread numbers"),
            _ => None,
        })
    }
}

impl Iterator for Generator {
    type Item = Access;

    #[inline]
    fn next(&mut self) -> Option<Access> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        if self.at == self.step.len() {
            self.step.clear();
            self.at = 0;
            self.pattern.step(&mut self.step);
        }
        let access = self.step[self.at];
        self.at += 1;
        Some(access)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.left);
        (left.unwrap_or(usize::MAX), left.ok())
    }
}
