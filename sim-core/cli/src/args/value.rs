//! The values of arguments: what they look like, and what is said of those that do not.

use pagewalk::os::OsConfig;
use pagewalk_base::addr::{PageSize, parse_hex};
use pagewalk_base::samples::Mode;
use pagewalk_base::trace::Kind;
use pagewalk_sources::import::{Bound, Every, parse_process};

pub(super) fn page_size(text: &str) -> Result<PageSize, &'static str> {
    PageSize::parse(text).ok_or("a page size is a power of two such as 4K, 2M or 1G")
}

pub(super) fn shorthand(text: &str) -> Result<OsConfig, &'static str> {
    OsConfig::shorthand(text).ok_or(
        "it is neither a page size, a power of two such as 4K, 2M or 1G, nor one of \
         thp, thp-always, thp-madvise, thp-never, hugetlb-SIZE, hugetext, hugetext-1, hugetext-2, hugetext-3",
    )
}

pub(super) fn param(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("a parameter is written NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

pub(super) fn address(text: &str) -> Result<u64, &'static str> {
    parse_hex(text)
        .ok_or("an address is hexadecimal and has at most 64 bits, such as 0x7f3a1c2b5e48")
}

pub(super) fn kind(text: &str) -> Result<Kind, &'static str> {
    let found = Kind::SERVED.into_iter().find(|kind| kind.name() == text);
    found.ok_or("a kind is fetch, load or store")
}

pub(super) fn process(text: &str) -> Result<u32, &'static str> {
    parse_process(text).ok_or(
        "a process is a number, such as 1234, or guest:1234 for what it ran as a virtual machine",
    )
}

pub(super) fn thread(text: &str) -> Result<u32, &'static str> {
    text.parse().map_err(|_| "a thread is a number, such as 1234")
}

pub(super) fn mode(text: &str) -> Result<Mode, &'static str> {
    let found = Mode::ALL.into_iter().find(|mode| mode.name() == text);
    found.ok_or("a mode is user, kernel or guest")
}

/// `1000000`, `1.5s`, `20ms`, `7us`, `9ns`.
pub(super) fn bound(text: &str) -> Result<Bound, &'static str> {
    const WRONG: &str = "a place is the number of an access, such as 1000000, or a time, such as 1.5s, 20ms, 7us or 9ns";
    if let Ok(number) = text.parse() {
        return Ok(Bound::Access(number));
    }
    let units = [("ns", 0), ("us", 3), ("ms", 6), ("s", 9)];
    let found = units.iter().find_map(|(unit, digits)| Some((text.strip_suffix(unit)?, *digits)));
    let (number, digits) = found.ok_or(WRONG)?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() || fraction.len() > digits {
        return Err(WRONG);
    }
    // The fraction is filled up with zeros, so that all of it is a whole number.
    format!("{whole}{fraction:0<digits$}").parse().map(Bound::Time).map_err(|_| WRONG)
}

pub(super) fn every(text: &str) -> Result<Every, &'static str> {
    const WRONG: &str =
        "it is written N:M, such as 100000:1000000 for the first 100000 of every million";
    let (keep, of) = text.split_once(':').ok_or(WRONG)?;
    let (keep, of) = (keep.parse().map_err(|_| WRONG)?, of.parse().map_err(|_| WRONG)?);
    Ok(Every { keep, of })
}

pub(super) fn count(text: &str) -> Result<u64, &'static str> {
    text.parse().map_err(|_| "a number of accesses is written in digits, such as 1000000")
}
