//! Records which of the smallest pages a trace has used. Memory that is mapped but not used is waste.

use std::collections::BTreeMap;

use crate::machine::Machine;
use crate::os::KERNEL;
use pagewalk_base::addr::{AddressRule, Leaf};
use pagewalk_base::trace::{
    Access, Chunk, Head, Kind, Op, OpRecord, PageNumber, RUN_PAGE_BITS, RunVisitor, Trace,
};

/// The used pages of each process. An access uses the pages of its first and of its last byte. A prefetch uses none.
#[derive(Clone, Debug)]
pub struct Touched {
    /// log2 of the bytes of the smallest page.
    shift: u32,
    /// The mask of the address bits that are translated.
    mask: u64,
    /// The rule for the addresses that the machine translates.
    rule: AddressRule,
    /// The first group of 64 pages that all processes share, or `u64::MAX` if there is none.
    shared_from: u64,
    /// One bit for each used page, by process and group of 64 pages.
    pages: BTreeMap<(u32, u64), u64>,
    pid: u32,
    /// The group used last, and the bits of its pages that are not in `pages` yet.
    recent: (u64, u64),
}

impl Touched {
    /// Makes an empty record for this machine. Returns `None` if every mapped page is used in full, so that no
    /// record is needed.
    pub fn for_machine(machine: &Machine) -> Option<Self> {
        let shift = machine.page_shift(Leaf::SMALLEST);
        let mask = machine.plan.va_mask;
        let rule = machine.plan.rule;
        let pages = BTreeMap::new();
        let upper = ((mask >> 1) + 1) >> shift >> 6;
        let shared_from = if machine.os.shares_kernel() { upper } else { u64::MAX };
        let recent = (0, 0);
        let empty = Self { shift, mask, rule, shared_from, pages, pid: 0, recent };
        machine.os.may_waste().then_some(empty)
    }

    /// Records the pages of one access.
    #[inline]
    pub fn access(&mut self, access: &Access) {
        let access = access.without(self.rule.tags);
        if access.kind != Kind::Prefetch && self.rule.accepts_all(access.bits()) {
            self.enter(access.pid);
            self.touch(access.address);
            self.touch(access.last());
        }
    }

    /// Records accesses `from..to` of a trace, and the operations among them.
    pub fn part(&mut self, trace: &Trace, from: u32, to: u32) {
        let mut at = from;
        while at < to {
            let chunk = trace.chunk_of(at);
            let end = (chunk.first + chunk.n).min(to);
            self.part_of(chunk, at, end);
            at = end;
        }
    }

    /// Records accesses `from..to` of a chunk, and the operations among them.
    pub(crate) fn part_of(&mut self, chunk: &Chunk, from: u32, to: u32) {
        if (from, to) == (chunk.first, chunk.first + chunk.n) {
            self.chunk(chunk);
        } else {
            self.one_by_one(chunk, from, to);
        }
    }

    fn one_by_one(&mut self, chunk: &Chunk, from: u32, to: u32) {
        let mut ops = chunk.ops_from(from).peekable();
        let accesses = chunk.accesses().skip((from - chunk.first) as usize);
        for (index, access) in (from..to).zip(accesses) {
            while let Some((before, record)) = ops.peek()
                && *before == index
            {
                self.operation(record);
                ops.next();
            }
            self.access(&access);
        }
        if to == chunk.first + chunk.n {
            ops.for_each(|(_, record)| self.operation(&record));
        }
    }

    /// Applies an operation: unmapped pages are no longer used, and a forked child has used the pages of its
    /// parent.
    pub fn operation(&mut self, record: &OpRecord) {
        if let Op::Fork { child, .. } = record.op {
            self.flush();
            let own = self.pages.range((record.pid, 0)..=(record.pid, u64::MAX));
            let copies: Vec<_> = own.map(|((_, at), bits)| ((child, *at), *bits)).collect();
            for (at, bits) in copies {
                *self.pages.entry(at).or_default() |= bits;
            }
            return;
        }
        let (Op::Munmap { start, length, .. } | Op::Madvise { start, length, .. }) = record.op
        else {
            return;
        };
        self.flush();
        let first = (start.0 & self.mask) >> self.shift;
        let last = (start.0.saturating_add(length.0.saturating_sub(1)) & self.mask) >> self.shift;
        if first > last {
            return;
        }
        let pid = self.owner(record.pid, first / 64);
        let groups = (pid, first / 64)..=(pid, last / 64);
        for ((_, group), bits) in self.pages.range_mut(groups) {
            for at in 0..64 {
                if (first..=last).contains(&(group * 64 + at)) {
                    *bits &= !(1 << at);
                }
            }
        }
    }

    /// Records all accesses of a chunk.
    fn chunk(&mut self, chunk: &Chunk) {
        if self.shift >= RUN_PAGE_BITS && self.rule.accepts_all(chunk.bits()) {
            chunk.visit_runs(self);
        } else {
            self.one_by_one(chunk, chunk.first, chunk.first + chunk.n);
        }
    }

    fn enter(&mut self, pid: u32) {
        if self.pid != pid {
            self.flush();
            self.pid = pid;
        }
    }

    #[inline]
    fn touch(&mut self, address: u64) {
        let page = (address & self.mask) >> self.shift;
        let bit = 1 << (page % 64);
        if self.recent.0 != page / 64 {
            self.flush();
            self.recent.0 = page / 64;
        }
        self.recent.1 |= bit;
    }

    fn flush(&mut self) {
        let (group, bits) = std::mem::take(&mut self.recent);
        if bits != 0 {
            let pid = self.owner(self.pid, group);
            *self.pages.entry((pid, group)).or_default() |= bits;
        }
    }

    /// Returns the process under which a group of pages that `pid` uses is recorded.
    fn owner(&self, pid: u32, group: u64) -> u32 {
        if group >= self.shared_from { KERNEL } else { pid }
    }

    /// Returns the bytes of the used pages that are mapped in the machine.
    pub fn bytes(&self, machine: &Machine) -> u64 {
        let recent = (self.owner(self.pid, self.recent.0), self.recent.0);
        let known = self.pages.get(&recent).copied().unwrap_or(0);
        let last = (recent, self.recent.1 & !known);
        let mut n = 0;
        for ((pid, group), bits) in self.pages.iter().map(|(at, bits)| (*at, *bits)).chain([last]) {
            let pages = (0..64).filter(|at| bits >> at & 1 == 1).map(|at| group * 64 + at);
            n += pages.filter(|page| machine.is_mapped(pid, page << self.shift)).count() as u64;
        }
        n << self.shift
    }
}

impl RunVisitor for Touched {
    fn op(&mut self, record: &OpRecord) {
        self.operation(record);
    }

    fn repeats(&mut self, _: [u32; 3]) {}

    fn process(&mut self, pid: u32) {
        self.enter(pid);
    }

    fn run_head(&mut self, _: u32, _: Kind, page: PageNumber) {
        self.touch(page.start());
    }

    fn special_head(&mut self, head: Head) {
        if head.kind != Kind::Prefetch {
            self.touch(head.page.start());
            self.touch(head.page.plus(u64::from(head.distance)).start());
        }
    }
}
