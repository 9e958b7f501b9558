//! Random tests: a property must hold for a fixed number of random cases of growing size.
//!
//! The number of cases is fixed, not the time, so the test is equally strong on every machine. Environment
//! variables change a run: `PAGEWALK_BUDGET=10` checks ten times as many cases, and `ARBTEST_SEED=0x…`, which a
//! failure prints, checks that case only. If `PAGEWALK_CASES` is the path of a file, each test appends its name
//! and its number of cases to it.

mod typescript;

use std::env;
use std::fs::OpenOptions;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::Write as _;
use std::thread;

use arbtest::arbtest;

pub use arbtest::arbitrary::{Error, Result, Unstructured};
pub use typescript::{Values, typescript};

/// The number of cases to check, and the sizes of their random input in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Cases {
    n: u32,
    smallest: u32,
    largest: u32,
}

/// Returns a check of `n` cases, the first with 32 random bytes, the largest with 64 KiB.
pub fn cases(n: u32) -> Cases {
    Cases { n, smallest: 32, largest: 1 << 16 }
}

impl Cases {
    /// Sets the number of random bytes of the first case.
    #[must_use]
    pub fn size_min(self, bytes: u32) -> Cases {
        Cases { smallest: bytes, ..self }
    }

    /// Sets the most random bytes of a case.
    #[must_use]
    pub fn size_max(self, bytes: u32) -> Cases {
        Cases { largest: bytes, ..self }
    }

    /// Checks the property on each case. A case that needs more random bytes than it has returns `Err`, and
    /// counts as checked. At least one case must return `Ok`.
    ///
    /// # Panics
    ///
    /// If the property panics, after the seed of the case is printed.
    #[track_caller]
    pub fn check(self, mut property: impl FnMut(&mut Unstructured<'_>) -> Result<()>) {
        if env::var_os("ARBTEST_SEED").is_some() {
            return arbtest(property).run();
        }
        let (n, mut size) = (self.n_to_check(), self.smallest);
        let mut fits = false;
        for case in 1..=n {
            // arbtest expects the size in the lower half of a seed, and random bits in the upper half.
            let seed = u64::from(size) | RandomState::new().build_hasher().finish() << 32;
            let run = arbtest(|u| {
                fits |= property(u).is_ok();
                Ok(())
            });
            run.seed(seed).run();
            if case % 3 == 0 {
                size = (size + size / 4).min(self.largest);
            }
        }
        assert!(fits, "every case ran out of random bytes");
        append_to_list(n);
    }

    fn n_to_check(self) -> u32 {
        let Ok(budget) = env::var("PAGEWALK_BUDGET") else { return self.n };
        let factor: f64 = budget.parse().expect("PAGEWALK_BUDGET is a number");
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let n = (f64::from(self.n) * factor) as u32;
        n.max(1)
    }
}

/// Appends the name of the test and its number of cases to the file `PAGEWALK_CASES`, if that is set.
fn append_to_list(n: u32) {
    let Some(file) = env::var_os("PAGEWALK_CASES") else { return };
    let list = OpenOptions::new().append(true).create(true).open(file);
    let mut list = list.expect("the file of PAGEWALK_CASES can be written");
    let thread = thread::current();
    let line = format!("{}\t{n}\n", thread.name().unwrap_or("main"));
    list.write_all(line.as_bytes()).expect("the file of PAGEWALK_CASES can be written");
}

#[cfg(test)]
mod tests {
    use super::cases;

    #[test]
    fn cases_grow_and_their_number_is_that_asked_for() {
        let mut sizes = Vec::new();
        cases(7).size_min(100).size_max(140).check(|u| {
            sizes.push(u.len());
            Ok(())
        });
        let n = sizes.len().min(7);
        assert_eq!(sizes[..n], [100, 100, 100, 128, 128, 128, 140][..n]);
        assert!(n == 7 || std::env::var_os("PAGEWALK_BUDGET").is_some());
    }

    #[test]
    #[should_panic(expected = "ran out")]
    fn a_property_that_no_case_fits_is_an_error() {
        cases(3).check(|u| u.bytes(1 << 20).map(drop));
    }
}
