//! Page runs: the trace with repeats on one page counted instead of listed.
//!
//! Fetches are one group, loads and stores the other. An access is a *repeat* if the last access of its kind was on the
//! same page, and no access of its group has been on another page since. Every other access is a *run head*. A machine
//! whose level-1 arrays serve fetches apart from data needs to translate run heads only.
//!
//! ```text
//! word   kk fffff lllll sss ppppppppppppppppp
//!        │  └─────┴─────┤   └ page: its place in the chunk's list
//!        │              └ fetches, loads, stores repeated before this run head
//!        └ fetch, load, store; 3 = a note: type (3 bits), payload (27 bits)
//! ```
//!
//! A program that reads large data at random makes many run heads of one kind in a row, without repeats. They are a note
//! followed by one word each.

mod pages;
mod slots;
mod write;

use super::access::Kind;
use super::op::{OpReader, OpRecord};
use super::page_number::PageNumber;
pub use slots::{SlotHead, SlotRuns, SlotVisitor};
pub(super) use write::{BATCH, Found, Heads, RunWriter};

/// log2 of the bytes of a page of runs (4 KiB). A machine with larger pages gets more run heads than it needs, never
/// fewer.
pub const RUN_PAGE_BITS: u32 = 12;

const NOTE: u32 = 3;
/// A note whose payload is a number of repeated fetches, in addition to those in the word of a run head.
const NOTE_FETCHES: u32 = 0;
/// A note whose payload is a number of repeated loads.
const NOTE_LOADS: u32 = 1;
/// A note whose payload is a number of repeated stores.
const NOTE_STORES: u32 = 2;
/// A note whose next word is the process of the following accesses.
const NOTE_PROCESS: u32 = 3;
/// A note whose next word is a run head without repeats before it. The payload is the number of pages between its
/// first and its last byte. With [`PREFETCH`], the run head is a prefetch.
const NOTE_SPECIAL: u32 = 4;
/// A note for several run heads of one kind. The payload is the kind and the number of run heads. Two words for a
/// base page follow, then one word for each run head: its page minus the base page.
const NOTE_ALONE: u32 = 5;
/// A note at the place of the chunk's next operation.
const NOTE_OP: u32 = 6;
const PAYLOAD_AT: u32 = 5;
const PAYLOAD_MAX: u32 = u32::MAX >> PAYLOAD_AT;
const PREFETCH: u32 = 1 << 26;
const KIND_BITS: u32 = 2;
/// The widths of the three counts in the word of a run head.
const COUNT_BITS: [u32; 3] = [5, 5, 3];
const COUNT_AT: [u32; 3] = [2, 7, 12];
const PAGE_AT: u32 = 15;
const COUNTS: u32 = (1 << PAGE_AT) - (1 << KIND_BITS);

/// The runs of a chunk.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    words: Box<[u32]>,
    /// The pages of run heads. A page may be listed more than once.
    pages: Box<[u64]>,
}

impl Runs {
    pub(super) fn bytes(&self) -> usize {
        4 * self.words.len() + 8 * self.pages.len()
    }

    /// Adds the operations after the last access.
    pub(super) fn append(&mut self, last: &Self) {
        debug_assert!(last.pages.is_empty(), "there is no run head");
        self.words = [&*self.words, &last.words].concat().into();
    }
}

/// Returns the group of a kind: 0 for fetches, 1 for data.
#[inline]
pub fn group(kind: Kind) -> usize {
    usize::from(!kind.is_fetch())
}

/// A run head that is a prefetch, or that ends on another page than it begins on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    pub index: u32,
    pub kind: Kind,
    /// The 4 KiB page of its first byte.
    pub page: PageNumber,
    /// The number of 4 KiB pages from the first byte's page to the last byte's page.
    pub distance: u32,
}

/// Receives the runs of a chunk, in order.
pub trait RunVisitor {
    /// Receives numbers of repeated fetches, loads and stores.
    fn repeats(&mut self, n: [u32; 3]);
    /// Receives the process of the following accesses.
    fn process(&mut self, pid: u32);
    /// Receives an operation, before the accesses that follow it.
    fn op(&mut self, record: &OpRecord);
    /// Receives an access in `page` that must be translated.
    fn run_head(&mut self, index: u32, kind: Kind, page: PageNumber);
    /// Receives several run heads of one kind in a row. Their pages are `base` plus the offset.
    fn run_heads(&mut self, first: u32, kind: Kind, base: PageNumber, offsets: &[u32]) {
        for (index, offset) in (first..).zip(offsets) {
            self.run_head(index, kind, base.plus(u64::from(*offset)));
        }
    }
    /// Receives a run head that may need two translations, or none.
    fn special_head(&mut self, head: Head);
}

/// Reads the runs of a chunk whose first access has number `first`.
#[inline]
pub(super) fn visit(runs: &Runs, first: u32, mut ops: OpReader<'_>, visitor: &mut impl RunVisitor) {
    let Runs { words, pages } = runs;
    let mut index = first;
    let mut at = 0;
    while let Some(word) = words.get(at).copied() {
        at += 1;
        if word & NOTE == NOTE {
            let payload = word >> PAYLOAD_AT;
            let rest = &words[at..];
            match word >> KIND_BITS & 7 {
                note @ NOTE_FETCHES..=NOTE_STORES => {
                    let mut n = [0; 3];
                    n[note as usize % 3] = payload;
                    index += payload;
                    visitor.repeats(n);
                }
                NOTE_ALONE => {
                    let kind = Kind::of_index(u64::from(payload));
                    let n = (payload >> KIND_BITS) as usize;
                    if let Some(([low, high], offsets)) = rest.split_first_chunk() {
                        let base = PageNumber(u64::from(*high) << 32 | u64::from(*low));
                        visitor.run_heads(index, kind, base, offsets.get(..n).unwrap_or_default());
                    }
                    index += payload >> KIND_BITS;
                    at += 2 + n;
                }
                NOTE_OP => {
                    if let Some((_, record)) = ops.next() {
                        visitor.op(&record);
                    }
                }
                NOTE_PROCESS => {
                    visitor.process(rest.first().copied().unwrap_or(0));
                    at += 1;
                }
                _ => {
                    let word = rest.first().copied().unwrap_or(0);
                    visitor.special_head(special_head(index, payload, word, pages));
                    index += 1;
                    at += 1;
                }
            }
            continue;
        }
        if word & COUNTS != 0 {
            let n = |at: usize| word >> COUNT_AT[at] & ((1 << COUNT_BITS[at]) - 1);
            let repeats = [n(0), n(1), n(2)];
            index += repeats[0] + repeats[1] + repeats[2];
            visitor.repeats(repeats);
        }
        visitor.run_head(index, kind_of(word), page_of(pages, word));
        index += 1;
    }
}

/// Returns the special run head of a note, which the word after the note describes.
fn special_head(index: u32, payload: u32, word: u32, pages: &[u64]) -> Head {
    let kind = if payload & PREFETCH != 0 { Kind::Prefetch } else { kind_of(word) };
    Head { index, kind, page: page_of(pages, word), distance: payload % PREFETCH }
}

/// Returns the kind of a word that is no note.
#[cfg_attr(feature = "fast", inline(always))]
fn kind_of(word: u32) -> Kind {
    Kind::of_index(u64::from(word))
}

#[cfg_attr(feature = "fast", inline(always))]
fn page_of(pages: &[u64], word: u32) -> PageNumber {
    page_at(pages, word >> PAGE_AT)
}

#[cfg_attr(feature = "fast", inline(always))]
fn page_at(pages: &[u64], place: u32) -> PageNumber {
    PageNumber(pages.get(place as usize).copied().unwrap_or(0))
}
