//! A workload as a stream of accesses.

use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_base::trace::{Access, Kind, MAX_ACCESSES};

use super::pattern::{Made, Pattern};

/// The number of accesses that [`Generator::pass`] passes on at once.
const PIECE: usize = 1 << 12;

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

    /// Checks that a trace can number the first `n` accesses, or all of them if there are fewer.
    ///
    /// # Errors
    /// `too-large`, at the parameter `accesses`.
    pub fn check_length(&self, n: u64) -> Result<()> {
        let n = n.min(self.n);
        if n <= u64::from(MAX_ACCESSES) {
            return Ok(());
        }
        let message = format!(
            "{n} accesses: a trace has at most {MAX_ACCESSES}: give fewer, or smaller parameters"
        );
        Err(Error::new(ErrorCode::TooLarge, message).at(Place::Field("accesses".to_owned())))
    }

    /// Returns the number of accesses that remain.
    pub fn n_left(&self) -> u64 {
        self.left
    }

    /// Passes the next `n` accesses to `take`, or all if there are fewer, many at once.
    ///
    /// # Errors
    /// The first error of `take`.
    pub fn pass<E>(
        &mut self,
        n: u64,
        mut take: impl FnMut(&[Access]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let n_after = self.left - n.min(self.left);
        let mut piece = Vec::with_capacity(2 * PIECE);
        while self.left > n_after {
            let n_now = usize::try_from(self.left - n_after).map_or(PIECE, |left| left.min(PIECE));
            let rest = &self.step[self.at..];
            piece.clear();
            piece.extend_from_slice(&rest[..rest.len().min(n_now)]);
            self.at += piece.len();
            if piece.len() < n_now {
                while piece.len() < n_now {
                    self.pattern.step(&mut piece);
                }
                self.step.clear();
                self.step.extend_from_slice(&piece[n_now..]);
                self.at = 0;
            }
            self.left -= n_now as u64;
            take(&piece[..n_now])?;
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::{generator, list};

    /// The numbers of accesses that are passed on by one call after the other.
    const PARTS: [u64; 4] = [1, 0, PIECE as u64 + 7, 3 * PIECE as u64];

    #[test]
    fn accesses_that_are_passed_on_are_those_one_by_one() {
        for workload in list() {
            let one_by_one = generator(&workload.id, &[]).unwrap();
            let mut passing = one_by_one.clone();
            let mut passed = Vec::new();
            for n in PARTS {
                let pass = |accesses: &[Access]| -> std::result::Result<(), ()> {
                    passed.extend_from_slice(accesses);
                    Ok(())
                };
                passing.pass(n, pass).unwrap();
            }
            passed.extend(passing.by_ref().take(PIECE));
            let n = passed.len();
            assert_eq!(passing.n_left(), one_by_one.n_accesses() - n as u64, "{}", workload.id);
            assert!(one_by_one.take(n).eq(passed), "{}", workload.id);
        }
    }

    #[test]
    fn no_more_is_passed_on_than_there_is_and_an_error_ends_it() {
        let given = [("accesses".to_owned(), "5000".to_owned())];
        let mut all = generator("uniform", &given).unwrap();
        let mut stopping = all.clone();
        let mut lengths = Vec::new();
        let pass = |accesses: &[Access]| -> std::result::Result<(), ()> {
            lengths.push(accesses.len());
            Ok(())
        };
        all.pass(u64::MAX, pass).unwrap();
        assert_eq!((lengths, all.n_left()), (vec![PIECE, 5000 - PIECE], 0));
        assert_eq!(stopping.pass(9, |_| Err("full")), Err("full"));
    }
}
