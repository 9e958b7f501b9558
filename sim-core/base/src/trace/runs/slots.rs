//! Page runs with slots, for a TLB with sets. An access to the latest page of its slot is a repeat, too, if its kind has used
//! that page since it became the latest. The first run head of a kind has no such repeats: see `make`.
//!
//! ```text
//! run heads  … L a   L b   S a   L a   L b   L c        a, c: one slot; b: another
//! with slots … L a   L b   S a   ·     ·     L c
//! ```
//!
//! A slot holds the pages of a group whose numbers are equal modulo the number of slots. In an array with at least as many
//! sets, the latest page of a slot is the most recent page of its set. An access to that page changes only when and
//! how often its entry was used. So each run head has the number of its repeats until the next run head of its slot, and
//! the access that begins the latest use among them. A *use* begins with an access whose kind used another page before.
//!
//! Most run heads are one word, like `S`. The others are two words, like `A` and `B`. Some numbers do not fit `B`; then it is
//! a place in a list.
//!
//! ```text
//! S  kk 1 dddddd pppppppp rrrrrrr uuuuuuuu
//!    │    │      │        └───────┴ repeats and uses, as in `B`
//!    │    │      └ page: its place in the chunk's list
//!    │    └ accesses since the previous run head
//!    └ fetch, load, store; 3 = a note of two words: type (3 bits), payload (27 bits)
//!
//! A  kk 0 dddddddddddd ppppppppppppppppp
//! B  rrrrrrrrrrrrrrr uuuuuuuuuuuuuuuu w
//!    │               │                └ 1: the other bits are a place in the list of wide pairs
//!    │               └ 0: no use begins; else 1 + accesses from the run head to the beginning of the latest use
//!    └ repeats
//! ```

mod make;

use super::super::op::OpReader;
use super::{
    KIND_BITS, NOTE, PAGE_AT, PAYLOAD_AT, RunVisitor, Runs, kind_of, page_at, page_of, special_head,
};
use crate::trace::access::Kind;
use crate::trace::page_number::PageNumber;

/// A note whose payload is a number of accesses before the next run head, in addition to those in its word.
const NOTE_SKIPPED: u32 = 0;
/// A note whose payload is a number of repeats of the last special run head. The next word has their kind.
const NOTE_REPEATS: u32 = 1;
/// A note whose payload is the number of repeats of all run heads, of the kind in the next word.
const NOTE_OF_HEADS: u32 = 2;
/// A note whose next word is the process of the following accesses.
const NOTE_PROCESS: u32 = 3;
/// A note whose next word is a special run head. The payload is that of the same note in runs without slots.
const NOTE_SPECIAL: u32 = 4;
/// A note whose next word has a kind, and the page that it used last.
const NOTE_USED_LAST: u32 = 5;
/// A note at the place of the chunk's next operation.
const NOTE_OP: u32 = 6;
/// The bit of a run head of one word.
const SHORT: u32 = 1 << KIND_BITS;
const SKIPPED_AT: u32 = KIND_BITS + 1;
const SKIPPED_BITS: u32 = PAGE_AT - SKIPPED_AT;
const REPEAT_BITS: u32 = 15;
const USE_BITS: u32 = 16;
const WIDE: u32 = 1 << 31;
/// The widths of the fields of a run head of one word, from [`SKIPPED_AT`] on: skipped accesses, page, repeats, uses.
const SHORT_BITS: [u32; 4] = [6, 8, 7, 8];

/// The runs of a chunk with slots.
#[derive(Clone, Debug)]
pub struct SlotRuns {
    /// The number of slots of each group.
    pub n_slots: u32,
    words: Box<[u32]>,
    pages: Box<[u64]>,
    /// Repeats and uses that do not fit a word.
    wide: Box<[[u32; 2]]>,
}

/// A run head, with all repeats until the next run head of its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotHead {
    pub index: u32,
    pub kind: Kind,
    pub page: PageNumber,
    /// The number of repeats. They may be of any kind of the group.
    pub n_repeats: u32,
    /// The access that begins the latest use of the page, or 0 if an earlier use goes on. Runs do not know which page a
    /// kind used last before the chunk, an operation, a process, or a special run head of the kind. The first run head after
    /// that names itself. It begins no use if the kind used its page last.
    pub used_at: u32,
}

/// Receives the runs of a chunk with slots. Run heads come to [`Self::slot_head`], and [`RunVisitor::repeats`] has only the
/// repeats of special run heads.
pub trait SlotVisitor: RunVisitor {
    /// Receives a run head that is not special.
    fn slot_head(&mut self, head: SlotHead);
    /// Receives the page that a kind used last. This comes before a special run head of the kind, an operation and another
    /// process, and at the end.
    fn used_last(&mut self, kind: Kind, page: PageNumber);
    /// Receives the number of repeats of a kind among those of all run heads of the chunk.
    fn repeats_of_heads(&mut self, kind: Kind, n: u32);
}

impl SlotRuns {
    pub(in crate::trace) fn bytes(&self) -> usize {
        4 * self.words.len() + 8 * (self.pages.len() + self.wide.len())
    }

    /// Makes the runs of a chunk of `n` accesses with `n_slots` slots, a power of two. Returns `None` if slots would save
    /// little: few run heads are left out, or half of the accesses are run heads, as in a program that reads at random.
    pub(in crate::trace) fn of(
        runs: &Runs,
        ops: OpReader<'_>,
        n: u32,
        n_slots: u32,
    ) -> Option<Box<Self>> {
        let is_random = 2 * runs.words.len() > n as usize;
        if is_random { None } else { make::of(runs, ops, n_slots).map(Box::new) }
    }

    /// Reads the runs of a chunk whose first access has number `first`.
    #[inline]
    pub(in crate::trace) fn visit(
        &self,
        first: u32,
        mut ops: OpReader<'_>,
        visitor: &mut impl SlotVisitor,
    ) {
        let Self { words, pages, wide, .. } = self;
        let mut index = first;
        let mut at = 0;
        while let Some([word, next]) = words.get(at..).and_then(|rest| rest.first_chunk()) {
            if word & NOTE != NOTE {
                let is_short = word & SHORT != 0;
                at += if is_short { 1 } else { 2 };
                let [skipped, page, n_repeats, uses] = if is_short {
                    short_fields(*word)
                } else {
                    let [n_repeats, uses] = match next & WIDE {
                        0 => [next & ((1 << REPEAT_BITS) - 1), next >> REPEAT_BITS],
                        _ => wide.get((next & !WIDE) as usize).copied().unwrap_or_default(),
                    };
                    let skipped = word >> SKIPPED_AT & ((1 << SKIPPED_BITS) - 1);
                    [skipped, word >> PAGE_AT, n_repeats, uses]
                };
                index += skipped;
                let (kind, page) = (kind_of(*word), page_at(pages, page));
                let used_at = if uses == 0 { 0 } else { index + uses - 1 };
                visitor.slot_head(SlotHead { index, kind, page, n_repeats, used_at });
                index += 1;
                continue;
            }
            at += 2;
            let payload = word >> PAYLOAD_AT;
            let (kind, page) = (kind_of(*next), page_of(pages, *next));
            match word >> KIND_BITS & 7 {
                NOTE_SKIPPED => index += payload,
                NOTE_REPEATS => {
                    let mut n = [0; 3];
                    n[kind.index() % 3] = payload;
                    visitor.repeats(n);
                }
                NOTE_OF_HEADS => visitor.repeats_of_heads(kind, payload),
                NOTE_PROCESS => visitor.process(*next),
                NOTE_USED_LAST => visitor.used_last(kind, page),
                NOTE_OP => {
                    if let Some((_, record)) = ops.next() {
                        visitor.op(&record);
                    }
                }
                _ => {
                    visitor.special_head(special_head(index, payload, *next, pages));
                    index += 1;
                }
            }
        }
    }
}

/// Returns the fields of a run head of one word: skipped accesses, page, repeats, uses.
#[cfg_attr(feature = "fast", inline(always))]
fn short_fields(word: u32) -> [u32; 4] {
    let mut rest = word >> SKIPPED_AT;
    SHORT_BITS.map(|bits| {
        let field = rest & ((1 << bits) - 1);
        rest >>= bits;
        field
    })
}
