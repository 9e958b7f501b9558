//! Makes the runs with slots from the runs without.

use super::super::pages::PageList;
use super::super::{Head, PREFETCH, RunVisitor, Runs, group, visit};
use super::{
    KIND_BITS, NOTE, NOTE_OF_HEADS, NOTE_OP, NOTE_PROCESS, NOTE_REPEATS, NOTE_SKIPPED,
    NOTE_SPECIAL, NOTE_USED_LAST, PAGE_AT, PAYLOAD_AT, REPEAT_BITS, SHORT, SHORT_BITS, SKIPPED_AT,
    SKIPPED_BITS, SlotRuns, USE_BITS, WIDE,
};
use crate::narrow::{index, low32, small};
use crate::trace::op::{OpReader, OpRecord};
use crate::trace::{Kind, PageNumber, SLOTS};

const MOST: usize = SLOTS[0] as usize;
/// No page has this number.
const NONE: u64 = u64::MAX;

/// The latest run head of a slot.
#[derive(Clone, Copy)]
struct Slot {
    page: u64,
    /// A bit for each kind whose accesses to the page are repeats.
    kinds: u8,
    /// The number of the run head in the chunk.
    head: u32,
    /// The place of its second word.
    at: usize,
    n_repeats: u32,
    /// The access that begins the latest use, if one begins.
    used_at: Option<u32>,
}

const EMPTY: Slot = Slot { page: NONE, kinds: 0, head: 0, at: 0, n_repeats: 0, used_at: None };

struct Making {
    words: Vec<u32>,
    pages: PageList,
    wide: Vec<[u32; 2]>,
    mask: u64,
    slots: [[Slot; MOST]; 2],
    /// For each group: the slot that the latest access used, or `None` if it was special, or if there is none
    /// since the chunk, the process or an operation began.
    current: [Option<usize>; 2],
    /// For each kind: the page that it used last, or [`NONE`] if only the machine knows.
    last: [u64; 4],
    /// For each kind: the repeats of all run heads.
    n_repeats: [u32; 4],
    /// The access after the last written run head.
    next: u32,
    n_heads: [u32; 2],
}

/// Makes the runs of a chunk with `n_slots` slots, or returns `None` if fewer than a quarter of the run heads is left
/// out.
pub(super) fn of(runs: &Runs, ops: OpReader<'_>, n_slots: u32) -> Option<SlotRuns> {
    let mut making = Making {
        words: Vec::new(),
        pages: PageList::default(),
        wide: Vec::new(),
        mask: u64::from(n_slots - 1),
        slots: [[EMPTY; MOST]; 2],
        current: [None; 2],
        last: [NONE; 4],
        n_repeats: [0; 4],
        next: 0,
        n_heads: [0; 2],
    };
    visit(runs, 0, ops, &mut making);
    making.end_part();
    for kind in Kind::SERVED {
        making.note(NOTE_OF_HEADS, making.n_repeats[kind.index()], low32(kind as u64));
    }
    let Making { words, pages, wide, n_heads: [before, after], .. } = making;
    (4 * after <= 3 * before).then(|| SlotRuns {
        n_slots,
        words: shortened(&words).into(),
        pages: pages.pages.into(),
        wide: wide.into(),
    })
}

/// Writes each run head as one word if its numbers fit. All are two words in `words`.
fn shortened(words: &[u32]) -> Vec<u32> {
    let mut shortened = Vec::with_capacity(words.len());
    for [word, next] in words.as_chunks().0 {
        let fields = [
            word >> SKIPPED_AT & ((1 << SKIPPED_BITS) - 1),
            word >> PAGE_AT,
            next & ((1 << REPEAT_BITS) - 1),
            next >> REPEAT_BITS,
        ];
        let fits = fields.iter().zip(SHORT_BITS).all(|(field, bits)| *field < 1 << bits);
        if word & NOTE == NOTE || next & WIDE != 0 || !fits {
            shortened.extend([*word, *next]);
            continue;
        }
        let places = fields.into_iter().zip(SHORT_BITS).rev();
        let all = places.fold(0, |all, (field, bits)| all << bits | field);
        shortened.push(word & NOTE | SHORT | all << SKIPPED_AT);
    }
    shortened
}

impl Making {
    /// Writes a note. The next word follows it.
    fn note(&mut self, note: u32, payload: u32, next: u32) {
        self.words.extend([NOTE | note << KIND_BITS | payload << PAYLOAD_AT, next]);
    }

    /// Returns a kind and the place of a page, as the words of run heads have them.
    fn kind_and_page(&mut self, kind: Kind, page: u64) -> u32 {
        low32(kind as u64) | self.pages.place_of(page) << PAGE_AT
    }

    /// Writes the number of accesses from the last written run head to access `at`.
    fn skip_to(&mut self, at: u32) {
        self.note(NOTE_SKIPPED, at - self.next, 0);
        self.next = at;
    }

    /// Writes a run head. Its second word follows when its slot is closed.
    fn head(&mut self, at: u32, kind: Kind, page: u64) {
        if at - self.next >= 1 << SKIPPED_BITS {
            self.skip_to(at);
        }
        let word = self.kind_and_page(kind, page) | (at - self.next) << SKIPPED_AT;
        self.words.extend([word, 0]);
        self.next = at + 1;
        self.n_heads[1] += 1;
    }

    /// Writes the repeats of the latest run head of a slot, and empties the slot.
    fn close(&mut self, group: usize, slot: usize) {
        let Slot { page, head, at, n_repeats, used_at, .. } =
            std::mem::replace(&mut self.slots[group][slot], EMPTY);
        if page == NONE {
            return;
        }
        let uses = used_at.map_or(0, |used_at| 1 + used_at - head);
        self.words[at] = if n_repeats < 1 << REPEAT_BITS && uses < 1 << USE_BITS {
            n_repeats | uses << REPEAT_BITS
        } else {
            self.wide.push([n_repeats, uses]);
            WIDE | small(self.wide.len() - 1)
        };
    }

    /// Writes the page that a kind used last. From here on, only the machine knows it.
    fn end_use(&mut self, kind: Kind) {
        let page = std::mem::replace(&mut self.last[kind.index()], NONE);
        if page != NONE {
            let next = self.kind_and_page(kind, page);
            self.note(NOTE_USED_LAST, 0, next);
        }
    }

    /// Ends all slots.
    fn end_part(&mut self) {
        for group in 0..2 {
            (0..MOST).for_each(|slot| self.close(group, slot));
        }
        for kind in Kind::SERVED {
            self.end_use(kind);
        }
        self.current = [None; 2];
    }
}

impl RunVisitor for Making {
    fn repeats(&mut self, n: [u32; 3]) {
        for (kind, n) in Kind::SERVED.into_iter().zip(n).filter(|(_, n)| *n > 0) {
            let group = group(kind);
            if let Some(slot) = self.current[group] {
                self.slots[group][slot].n_repeats += n;
                self.n_repeats[kind.index()] += n;
            } else {
                self.note(NOTE_REPEATS, n, low32(kind as u64));
            }
        }
    }

    fn process(&mut self, pid: u32) {
        self.end_part();
        self.note(NOTE_PROCESS, 0, pid);
    }

    fn op(&mut self, _: &OpRecord) {
        self.end_part();
        self.note(NOTE_OP, 0, 0);
    }

    fn run_head(&mut self, at: u32, kind: Kind, PageNumber(page): PageNumber) {
        self.n_heads[0] += 1;
        let (group, slot) = (group(kind), index(page & self.mask) % MOST);
        self.current[group] = Some(slot);
        let last = std::mem::replace(&mut self.last[kind.index()], page);
        let begins_use = (last != page).then_some(at);
        let bit = 1 << kind.index();
        let open = &mut self.slots[group][slot];
        let mut kinds = if open.page == page { open.kinds } else { 0 };
        if kinds & bit != 0 {
            open.n_repeats += 1;
            open.used_at = begins_use.or(open.used_at);
            self.n_repeats[kind.index()] += 1;
            return;
        }
        self.close(group, slot);
        self.head(at, kind, page);
        // Only the machine knows whether the first run head of a kind begins a use. So no later use is added to it.
        kinds = if last == NONE { 0 } else { kinds | bit };
        let word = self.words.len() - 1;
        self.slots[group][slot] =
            Slot { page, kinds, head: at, at: word, n_repeats: 0, used_at: begins_use };
    }

    fn special_head(&mut self, head: Head) {
        let PageNumber(page) = head.page;
        let group = group(head.kind);
        for page in [page, page + u64::from(head.distance)] {
            self.close(group, index(page & self.mask) % MOST);
        }
        self.end_use(head.kind);
        // The kind's next access must be a run head, because only the machine knows whether it begins a use.
        self.slots[group].iter_mut().for_each(|slot| slot.kinds &= !(1 << head.kind.index()));
        self.current[group] = None;
        self.skip_to(head.index);
        self.next += 1;
        let (payload, kind) = match head.kind {
            Kind::Prefetch => (head.distance | PREFETCH, Kind::Load),
            kind => (head.distance, kind),
        };
        let next = self.kind_and_page(kind, page);
        self.note(NOTE_SPECIAL, payload, next);
    }
}
