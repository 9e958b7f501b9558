//! Questions about the parts of an address, and about the physical address.

use pagewalk::caches::tlb::Index;
use pagewalk_base::addr::{Hex, Level, PageSize};
use pagewalk_base::error::{Error, Result};

use crate::array;
use crate::ask::Form;
use crate::mistake::Mistake;
use crate::scene::{Scene, low_bits, senseless};
use crate::solution::Solution;

/// A part of an address.
pub(crate) enum Part<'a> {
    PageNumber,
    Offset,
    Index(Level),
    Set(&'a str),
    Tag(&'a str),
}

impl<'a> Part<'a> {
    pub(crate) fn parse(text: &'a str) -> Result<Self> {
        let level = text.strip_prefix("index-").and_then(|level| level.parse().ok());
        let of = |word: &str| text.strip_prefix(word);
        match (text, level, of("set:"), of("tag:")) {
            ("page-number", ..) => Ok(Self::PageNumber),
            ("offset", ..) => Ok(Self::Offset),
            (_, Some(level), ..) => Ok(Self::Index(Level::new(level))),
            (_, _, Some(array), _) => Ok(Self::Set(array)),
            (.., Some(array)) => Ok(Self::Tag(array)),
            _ => {
                let message = format!(
                    "`{text}` is no part of an address: choose page-number, offset, index-N for level N, or set:NAME or tag:NAME for a TLB array"
                );
                Err(Error::config("of", message))
            }
        }
    }

    /// Returns the name of the TLB array that cuts the address.
    pub(crate) fn array(self) -> Option<&'a str> {
        match self {
            Self::Set(array) | Self::Tag(array) => Some(array),
            _ => None,
        }
    }
}

pub(crate) fn field(scene: &Scene<'_>, of: &str) -> Result<Solution> {
    match Part::parse(of)? {
        Part::PageNumber => page_number(scene),
        Part::Offset => offset(scene),
        Part::Index(level) => index(scene, level),
        Part::Set(array) => array::set(scene, array),
        Part::Tag(array) => tag(scene, array),
    }
}

fn shift(scene: &Scene<'_>) -> Result<u8> {
    scene.page_shift().ok_or_else(|| senseless("the page is not mapped, so its size is not known"))
}

fn page_number(scene: &Scene<'_>) -> Result<Solution> {
    let (va, shift) = (scene.va, shift(scene)?);
    let looks = scene.other_lookups(usize::MAX);
    let frame = scene.step.translations.first().map(|done| done.frame.0);
    Ok(Solution::new(Form::Hexadecimal, va >> shift)
        .mistake(Mistake::TagForPage, looks.map(|look| look.tag()))
        .mistake(Mistake::OtherPageSize, scene.other_shifts(shift).map(|shift| va >> shift))
        .mistake(Mistake::AddressForPage, [va, va >> shift << shift])
        .mistake(Mistake::OffsetForPage, [low_bits(va, shift)])
        .mistake(Mistake::FrameForPage, frame)
        .hide_page())
}

fn offset(scene: &Scene<'_>) -> Result<Solution> {
    let (va, shift) = (scene.va, shift(scene)?);
    let others = scene.other_shifts(shift).map(|shift| low_bits(va, shift));
    Ok(Solution::new(Form::Hexadecimal, low_bits(va, shift))
        .mistake(Mistake::OtherPageSize, others)
        .mistake(Mistake::PageForOffset, [va >> shift])
        .mistake(Mistake::AddressForOffset, [va])
        .near_below(1 << shift)
        .hide_page())
}

fn index(scene: &Scene<'_>, level: Level) -> Result<Solution> {
    let view = scene.level(level, "of")?;
    let (va, end) = (scene.va, view.n_entries);
    let others = scene.levels().iter().filter(|other| other.level != level);
    Ok(Solution::new(Form::Decimal, view.index)
        .mistake(Mistake::OtherLevel, others.map(|other| other.index))
        .mistake(Mistake::OffsetForIndex, scene.page_shift().map(|shift| low_bits(va, shift)))
        .mistake(Mistake::PageForIndex, scene.page_shift().map(|shift| va >> shift))
        .near_below(end))
}

fn tag(scene: &Scene<'_>, of: &str) -> Result<Solution> {
    let look = scene.lookup(of)?;
    if matches!(look.array.index, Index::XorMasks(_)) {
        let message = "masks choose the set of this array, so no part of the page number is its tag: ask for the set";
        return Err(senseless(message));
    }
    let others = scene.other_shifts(look.shift);
    let others = others.map(|shift| scene.va >> shift >> look.set_bits());
    Ok(Solution::new(Form::Hexadecimal, look.tag())
        .mistake(Mistake::PageForTag, [look.page])
        .mistake(Mistake::SetForTag, [u64::from(look.set)])
        .mistake(Mistake::OtherPageSize, others)
        .mistake(Mistake::OtherLevel, scene.other_lookups(look.structure).map(|other| other.tag()))
        .mistake(Mistake::OffsetForTag, [low_bits(scene.va, look.shift)])
        .of(of))
}

pub(crate) fn page_size(scene: &Scene<'_>) -> Result<Solution> {
    let right = scene.translation()?.page_size;
    let mut sizes = scene.machine.page_sizes.clone();
    if !sizes.contains(&right) {
        sizes.push(right);
        sizes.sort();
    }
    if sizes.len() < 2 {
        return Err(senseless(format!("every page of this machine has {right}")));
    }
    let words: Vec<String> = sizes.iter().map(PageSize::to_string).collect();
    Ok(Solution::new(Form::Choice, right.to_string().as_str())
        .mistake(Mistake::OtherPageSize, words.iter().map(String::as_str))
        .near(words.iter().map(String::as_str))
        .hide_page())
}

pub(crate) fn physical(scene: &Scene<'_>) -> Result<Solution> {
    let done = scene.translation()?;
    let (Hex(right), Hex(frame), shift) = (done.physical, done.frame, done.page_shift);
    let offset = low_bits(scene.va, shift);
    let other_sizes =
        scene.other_shifts(shift).map(|other| frame << shift | low_bits(scene.va, other));
    let digits = u32::from(shift).div_ceil(4);
    let glued = (1..=digits + 2)
        .filter(|digits| offset >> (4 * digits) == 0)
        .map(|digits| frame << (4 * digits) | offset);
    let guest = done.nested.as_ref().and_then(|nested| nested.rows.last());
    let guest = guest.map(|data| data.guest_physical.0 | offset);
    Ok(Solution::new(Form::Hexadecimal, right)
        .mistake(Mistake::OffsetLost, [frame << shift])
        .mistake(Mistake::FrameForPhysical, [frame])
        .mistake(Mistake::VirtualForPhysical, [scene.va])
        .mistake(Mistake::GuestForHost, guest)
        .mistake(Mistake::OtherPageSize, other_sizes)
        .mistake(Mistake::GluedFrameAndOffset, glued)
        .near([1, 2, 3].map(|n| right ^ n << shift)))
}
