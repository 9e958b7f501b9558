//! Compares one page of every 2^k with every page: how far each level then reaches shows which bits choose its sets.
//!
//! ```text
//! page number   …0 0 1 0 1 0 0 0     one page of every 8: the lowest 3 bits are 0
//! set           └ 4 bits ┘           16 sets by the lowest 4 bits: only 2 are used, so the reach is an eighth
//! ```

use pagewalk_base::error::{Error, Result};
use pagewalk_base::thousands::grouped;

use super::levels::ChaseLevel;
use super::report::{ChaseReport, measured};
use super::said::{NAMES, interval};
use super::samples::ChaseSamples;

/// Two reaches may miss a power of two by this factor. Such powers differ by a factor of 2.
const SLACK: f64 = 1.2;

/// Returns the measurement of every page that `samples` can be compared with.
pub fn every_page_of<'a>(
    samples: &ChaseSamples,
    all: &'a [ChaseSamples],
) -> Option<&'a ChaseSamples> {
    let is_like = |it: &&ChaseSamples| it.page == samples.page && it.place == samples.place;
    all.iter().filter(|it| samples.stride > 1 && it.stride == 1).find(is_like)
}

/// # Errors
/// `bad-config` if the times are not those of every page, or of other pages.
pub(super) fn levels_of_every_page(
    samples: &ChaseSamples,
    every_page: &ChaseSamples,
) -> Result<Vec<ChaseLevel>> {
    every_page.check()?;
    if every_page.stride != 1
        || every_page.page != samples.page
        || every_page.place != samples.place
    {
        let message = "must be a measurement with a stride of 1, of the same page size and place";
        return Err(Error::config("every_page", message));
    }
    Ok(measured(every_page).levels)
}

/// Returns what a measurement with a larger stride says about the bits of the page number.
pub(super) fn sentences(report: &ChaseReport, every_page: Option<&[ChaseLevel]>) -> Vec<String> {
    if !report.stride.is_power_of_two() {
        return vec![
            "The stride is no power of two, so it does not show which bits of the page number choose a set.".to_owned(),
        ];
    }
    let Some(every_page) = every_page.filter(|levels| !levels.is_empty()) else {
        return vec![
            "A measurement of every page is needed, too: it shows which bits of the page number choose a set.".to_owned(),
        ];
    };
    let most = grouped(report.curve.last().map_or(0, |cost| cost.pages).into());
    let levels = NAMES.iter().zip(every_page).enumerate();
    let said = levels.map(|(at, (name, before))| match report.levels.get(at) {
        Some(now) => sentence(name, before.reach, now.reach, report.stride.trailing_zeros()),
        None => format!("The {name} level shows no step up to {most} pages with this stride."),
    });
    said.collect()
}

/// Compares the reach `now`, where the lowest `k` bits of all page numbers are 0, with that `before`, of every page.
fn sentence(name: &str, before: [u32; 2], now: [u32; 2], k: u32) -> String {
    let [from, to] = before.map(f64::from);
    let (least, most) = (from / f64::from(now[1].max(1)), to / f64::from(now[0].max(1)));
    let is_near = |bits: &u32| {
        let factor = f64::from(1_u32 << bits);
        least <= factor * SLACK && factor <= most * SLACK
    };
    let found: Vec<u32> = (0..=k).filter(is_near).collect();
    let lowest = if k == 1 { "lowest bit".to_owned() } else { format!("lowest {k} bits") };
    match found.as_slice() {
        [0] => format!(
            "The {name} level reaches as many pages as with every page: the {lowest} of the page number alone do not choose its sets. It has one set, or other bits count, too."
        ),
        [bits] if *bits == k => format!(
            "The {name} level reaches 1/{} of the pages that it reaches with every page: the {lowest} of the page number choose its sets.",
            1_u32 << bits
        ),
        [bits] => format!(
            "The {name} level reaches 1/{sets} of the pages that it reaches with every page, and not 1/{stride}: {bits} of the {lowest} choose its sets. Without a hash, it has {sets} sets of {ways} ways.",
            sets = 1_u32 << bits,
            stride = grouped(1 << k),
            ways = interval(now)
        ),
        _ => format!(
            "The {name} level reaches {} pages, and {} with every page: that does not show which bits choose its sets.",
            interval(now),
            interval(before)
        ),
    }
}
