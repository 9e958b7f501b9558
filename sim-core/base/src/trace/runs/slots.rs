//! Page runs for a TLB in sets: the same runs, where a head that returns to a page is a repeat too, if nothing has been
//! in the set of the page meanwhile.
//!
//! ```text
//! heads      L a   L b   S a   L a   L b   L c        a, c: one slot; b: another
//! with slots L a   L b   S a   ·     ·     L c
//! ```
//!
//! Slots are the pages that are equal modulo a number. In an array of so many sets or more such a page is still the
//! latest of its set: finding it again changes nothing but when its entry was used, and how often. Only counts are
//! right, by kind: repeats stand at any later place, and may follow a head of another page.

use super::{Head, OpReader, OpRecord, RunVisitor, RunWriter, Runs, group, visit};
use crate::narrow::index;
use crate::trace::{Kind, SLOTS};

const MOST: usize = SLOTS[0] as usize;
/// A slot without a page.
const NONE: u64 = u64::MAX;

struct Slots {
    writer: RunWriter,
    mask: u64,
    /// By group: the page that was in the slot last, and a bit for each kind that has accessed it since.
    pages: [[(u64, u8); MOST]; 2],
}

/// The runs of a chunk with so many slots, a power of two.
pub(in crate::trace) fn of(runs: &Runs, ops: OpReader<'_>, n_slots: u32) -> Runs {
    let mut slots = Slots {
        writer: RunWriter::default(),
        mask: u64::from(n_slots - 1),
        pages: [[(NONE, 0); MOST]; 2],
    };
    visit(runs, 0, ops, &mut slots);
    slots.writer.finish()
}

impl Slots {
    fn slot(&mut self, kind: Kind, page: u64) -> &mut (u64, u8) {
        &mut self.pages[group(kind)][index(page & self.mask) % MOST]
    }

    fn forget(&mut self) {
        self.pages = [[(NONE, 0); MOST]; 2];
    }
}

impl RunVisitor for Slots {
    fn repeats(&mut self, n: [u32; 3]) {
        for (kind, n) in n.into_iter().enumerate() {
            self.writer.repeat(kind, n);
        }
    }

    fn process(&mut self, pid: u32) {
        self.writer.process(pid);
        self.forget();
    }

    fn op(&mut self, _: &OpRecord) {
        self.writer.op();
        self.forget();
    }

    fn head(&mut self, _: u32, kind: Kind, page: u64) {
        let (latest, kinds) = self.slot(kind, page);
        let bit = 1 << kind.index();
        if *latest == page && *kinds & bit != 0 {
            self.writer.repeat(kind.index(), 1);
            return;
        }
        *kinds = if *latest == page { *kinds | bit } else { bit };
        *latest = page;
        self.writer.head(kind, page);
    }

    fn special(&mut self, head: Head) {
        self.writer.special(head.kind, head.page, head.distance);
        for page in [head.page, head.page + u64::from(head.distance)] {
            *self.slot(head.kind, page) = (NONE, 0);
        }
    }
}
