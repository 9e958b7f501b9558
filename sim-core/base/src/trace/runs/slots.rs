//! Page runs with slots, for a TLB with sets. A run head that returns to the latest page of its slot is a repeat,
//! too.
//!
//! ```text
//! run heads  L a   L b   S a   L a   L b   L c        a, c: one slot; b: another
//! with slots L a   L b   S a   ·     ·     L c
//! ```
//!
//! A slot holds the pages whose numbers are equal modulo the number of slots. In an array with at least as many
//! sets, the latest page of a slot is the most recent page of its set. An access to that page changes only when and
//! how often its entry was used. Only counts by kind are right: repeats may appear later than in the trace, after
//! run heads of other pages.

use super::{Head, OpReader, OpRecord, RunVisitor, RunWriter, Runs, group, visit};
use crate::narrow::index;
use crate::trace::{Kind, PageNumber, SLOTS};

const MOST: usize = SLOTS[0] as usize;
/// A slot without a page.
const NONE: u64 = u64::MAX;

struct Slots {
    writer: RunWriter,
    mask: u64,
    /// By group and slot: the latest page, and one bit for each kind that has accessed the page since then.
    pages: [[(u64, u8); MOST]; 2],
}

/// Makes the runs of a chunk with `n_slots` slots, a power of two.
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

    fn run_head(&mut self, _: u32, kind: Kind, PageNumber(page): PageNumber) {
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

    fn special_head(&mut self, head: Head) {
        let PageNumber(page) = head.page;
        self.writer.special(head.kind, page, head.distance);
        for page in [page, page + u64::from(head.distance)] {
            *self.slot(head.kind, page) = (NONE, 0);
        }
    }
}
