//! Helpers that generate workloads from short texts.

use pagewalk_base::trace::{Access, Kind};
use pagewalk_sources::workload::{Generator, generator};

/// Reads parameters from `name=value name=value`.
pub(crate) fn params(text: &str) -> Vec<(String, String)> {
    let pair = |word: &str| {
        let (name, value) = word.split_once('=').unwrap();
        (name.to_owned(), value.to_owned())
    };
    text.split_whitespace().map(pair).collect()
}

/// Returns the accesses of a workload at address 0.
#[track_caller]
pub(crate) fn stream(id: &str, text: &str) -> Generator {
    generator(id, &params(&format!("base=0x0 {text}"))).unwrap_or_else(|e| panic!("{id}: {e}"))
}

pub(crate) fn addresses(id: &str, text: &str) -> Vec<u64> {
    stream(id, text).map(|access| access.address).collect()
}

pub(crate) fn load(address: u64, size: u32) -> Access {
    Access::new(Kind::Load, address, size)
}

pub(crate) fn store(address: u64, size: u32) -> Access {
    Access::new(Kind::Store, address, size)
}

/// Returns how often the 4K page changes from one access to the next.
pub(crate) fn page_switches(addresses: &[u64]) -> usize {
    addresses.windows(2).filter(|pair| pair[0] >> 12 != pair[1] >> 12).count()
}

/// Asserts that a count is within five standard deviations of `n` trials of probability `p`.
#[track_caller]
pub(crate) fn assert_near(count: u64, n: u64, p: f64) {
    let number = |n: u64| f64::from(u32::try_from(n).unwrap());
    let (count, n) = (number(count), number(n));
    let deviation = (n * p * (1.0 - p)).sqrt();
    assert!((count - n * p).abs() <= 5.0 * deviation + 1.0, "{count} of {n}, expected {}", n * p);
}
