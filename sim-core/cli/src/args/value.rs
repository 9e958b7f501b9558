//! The values of arguments: how each is written, and the error if it is not.

use pagewalk::config::EventCosts;
use pagewalk::os::OsConfig;
use pagewalk_analysis::huge_pages::Between;
use pagewalk_base::addr::{PageSize, parse_hex};
use pagewalk_base::samples::Mode;
use pagewalk_base::thousands::parse_count;
use pagewalk_base::trace::Kind;
use pagewalk_sources::import::{Bound, Every, parse_process};

use super::{RunPages, SizePages};

pub(super) fn page_size(text: &str) -> Result<PageSize, &'static str> {
    PageSize::parse(text).ok_or("give a page size: a power of two such as 4K, 2M or 1G")
}

pub(super) fn shorthand(text: &str) -> Result<OsConfig, &'static str> {
    OsConfig::shorthand(text).ok_or(
        "give a page size such as 4K, 2M or 1G, or one of the policies \
         thp, thp-always, thp-madvise, thp-never, hugetlb-SIZE, hugetext, hugetext-1, hugetext-2, hugetext-3",
    )
}

pub(super) fn run_pages(text: &str) -> Result<RunPages, String> {
    if text == "recorded" {
        return Ok(RunPages::Recorded);
    }
    let given = shorthand(text).map(|os| RunPages::Given(Box::new(os)));
    given.map_err(|message| format!("{message}, or recorded"))
}

pub(super) fn size_pages(text: &str) -> Result<SizePages, String> {
    if text == "recorded" {
        return Ok(SizePages::Recorded);
    }
    let given = page_size(text).map(SizePages::Given);
    given.map_err(|message| format!("{message}, or recorded"))
}

pub(super) fn param(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// `minor_fault=1050,vm_exit=1360`.
pub(super) fn event_costs(text: &str) -> Result<EventCosts, String> {
    let names = EventCosts::default().named().map(|(name, _)| name).join(", ");
    let mut costs = EventCosts::default();
    for part in text.split(',') {
        let pair = part.split_once('=').map(|(name, cycles)| (name.trim(), cycles.trim()));
        let (name, cycles) = pair.ok_or("write each as EVENT=CYCLES, such as minor_fault=1050")?;
        let cycles = parse_count(cycles).and_then(|cycles| u32::try_from(cycles).ok());
        let cycles = cycles.ok_or_else(|| format!("{name}: give its cycles, such as 1050"))?;
        let field = match name {
            "minor_fault" => &mut costs.minor_fault,
            "major_fault" => &mut costs.major_fault,
            "vm_exit" => &mut costs.vm_exit,
            "shootdown" => &mut costs.shootdown,
            _ => return Err(format!("there is no event {name}: give {names}")),
        };
        *field = cycles;
    }
    Ok(costs)
}

pub(super) fn address(text: &str) -> Result<u64, &'static str> {
    parse_hex(text).ok_or("give a hexadecimal address of at most 64 bits, such as 0x7f3a1c2b5e48")
}

pub(super) fn kind(text: &str) -> Result<Kind, &'static str> {
    let found = Kind::SERVED.into_iter().find(|kind| kind.name() == text);
    found.ok_or("give fetch, load or store")
}

pub(super) fn process(text: &str) -> Result<u32, &'static str> {
    parse_process(text).ok_or(
        "give the number of a process, such as 1234, or guest:1234 for the virtual machine that it ran",
    )
}

pub(super) fn thread(text: &str) -> Result<u32, &'static str> {
    text.parse().map_err(|_| "give the number of a thread, such as 1234")
}

pub(super) fn mode(text: &str) -> Result<Mode, &'static str> {
    let found = Mode::ALL.into_iter().find(|mode| mode.name() == text);
    found.ok_or("give user, kernel or guest")
}

/// `1M/100M`.
pub(super) fn window(text: &str) -> Result<(u64, u64), &'static str> {
    let both = text.split_once('/').and_then(|(n, of)| Some((parse_count(n)?, parse_count(of)?)));
    both.filter(|(n, of)| (1..=*of).contains(n))
        .ok_or("write it as N/M: the first N of every M accesses, such as 1M/100M")
}

/// `1000000`, `1.5s`, `20ms`, `7us`, `9ns`.
pub(super) fn bound(text: &str) -> Result<Bound, &'static str> {
    const WRONG: &str =
        "give the number of an access, such as 1000000, or a time, such as 1.5s, 20ms, 7us or 9ns";
    if let Some(number) = parse_count(text) {
        return Ok(Bound::Access(number));
    }
    let units = [("ns", 0), ("us", 3), ("ms", 6), ("s", 9)];
    let found = units.iter().find_map(|(unit, digits)| Some((text.strip_suffix(unit)?, *digits)));
    let (number, digits) = found.ok_or(WRONG)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || fraction.len() > digits {
        return Err(WRONG);
    }
    // Padding the fraction with zeros makes the time a whole number of nanoseconds.
    format!("{whole}{fraction:0<digits$}").parse().map(Bound::Time).map_err(|_| WRONG)
}

pub(super) fn every(text: &str) -> Result<Every, &'static str> {
    const WRONG: &str = "write N:M, such as 100000:1000000 for the first 100000 of every million";
    let (keep, of) = text.split_once(':').ok_or(WRONG)?;
    let (keep, of) = (parse_count(keep).ok_or(WRONG)?, parse_count(of).ok_or(WRONG)?);
    Ok(Every { keep, of })
}

/// A number of threads.
pub(super) fn jobs(text: &str) -> Result<usize, &'static str> {
    let number = text.parse().ok().filter(|n| (1..=1024).contains(n));
    number.ok_or("give 1 to 1024 threads")
}

/// The prices of a first touch in microseconds, with pages of 4K and of 2M.
#[derive(Clone)]
pub(crate) struct FirstTouch(pub(crate) [Between; 2]);

pub(super) fn first_touch(text: &str) -> Result<FirstTouch, &'static str> {
    let price = |text: &str| {
        let (low, high) = text.split_once('-').unwrap_or((text, text));
        let [low, high] = [low, high].map(positive);
        Some(Between::new(low?, high?)).filter(|price| price.low <= price.high)
    };
    let both = text.split_once(',').and_then(|(small, huge)| Some([price(small)?, price(huge)?]));
    both.map(FirstTouch)
        .ok_or("give two prices in microseconds, such as 3,500 or 2.7-3.8,295-10400")
}

pub(super) fn ghz(text: &str) -> Result<f64, &'static str> {
    positive(text).ok_or("give a number of gigahertz above 0, such as 3.2")
}

fn positive(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0)
}

pub(super) fn count(text: &str) -> Result<u64, &'static str> {
    parse_count(text).ok_or("give a number of accesses, such as 1000000, 20k, 1M or 1e6")
}
