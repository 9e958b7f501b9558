//! The writer of runs, which takes one access at a time.

mod instructions;

use super::pages::PageList;
use super::{
    COUNT_AT, COUNT_BITS, KIND_BITS, NOTE, NOTE_ALONE, NOTE_FETCHES, NOTE_LOADS, NOTE_OP,
    NOTE_PROCESS, NOTE_SPECIAL, NOTE_STORES, PAGE_AT, PAYLOAD_AT, PAYLOAD_MAX, PREFETCH,
    RUN_PAGE_BITS, Runs,
};
use crate::narrow::{low32, small};
use crate::trace::access::{Access, Kind};
pub(in crate::trace) use instructions::{BATCH, Found, Heads};

/// The fewest run heads in a row that become a note.
const ENOUGH: usize = 16;
/// The most run heads of one note.
const MANY: usize = 1 << 12;

/// Writes the runs of one chunk.
pub(in crate::trace) struct RunWriter {
    words: Vec<u32>,
    pages: PageList,
    /// Repeats since the last run head.
    counts: [u32; 3],
    /// Run heads of one kind in a row, without repeats, that are not written yet.
    alone: Box<[u64]>,
    n_alone: usize,
    alone_kind: Kind,
    /// By kind: one more than the page on which an access would be a repeat; 0 if no access would be.
    current: [u64; 4],
    /// The process of the chunk's accesses so far, `None` before the first.
    pid: Option<u32>,
}

impl Default for RunWriter {
    fn default() -> Self {
        Self {
            words: Vec::new(),
            pages: PageList::default(),
            counts: [0; 3],
            alone: vec![0; MANY].into(),
            n_alone: 0,
            alone_kind: Kind::Fetch,
            current: [0; 4],
            pid: None,
        }
    }
}

impl RunWriter {
    /// Adds an access; returns whether it is a run head.
    #[inline]
    pub(in crate::trace) fn push(&mut self, access: &Access) -> bool {
        let page = access.address >> RUN_PAGE_BITS;
        let last_page = access.last() >> RUN_PAGE_BITS;
        let at = access.kind.index();
        if self.current[at] == page + 1 && last_page == page && Some(access.pid) == self.pid {
            self.counts[at] += 1;
            return false;
        }
        self.push_head(access.kind, page, last_page, access.pid);
        true
    }

    #[inline]
    fn push_head(&mut self, kind: Kind, page: u64, last_page: u64, pid: u32) {
        if Some(pid) != self.pid {
            self.process(pid);
            self.pid = Some(pid);
            self.current = [0; 4];
        }
        let distance = u32::try_from(last_page - page).expect("sizes are 32 bits");
        let is_plain = distance == 0 && kind != Kind::Prefetch;
        if is_plain {
            self.head(kind, page);
        } else {
            self.special(kind, page, distance);
        }
        // An access to another page, or to a page that it may not fill, ends the runs of the group's other kinds.
        for (other, current) in self.current.iter_mut().enumerate() {
            let is_of_group = (other == Kind::Fetch.index()) == kind.is_fetch();
            if is_of_group && !(is_plain && *current == page + 1) {
                *current = 0;
            }
        }
        if kind != Kind::Prefetch {
            self.current[kind.index()] = last_page + 1;
        }
    }

    /// Begins the accesses of another process.
    fn process(&mut self, pid: u32) {
        self.write_all();
        self.words.extend([NOTE | NOTE_PROCESS << KIND_BITS, pid]);
    }

    /// Adds the chunk's next operation.
    fn op(&mut self) {
        self.write_all();
        self.words.push(NOTE | NOTE_OP << KIND_BITS);
    }

    /// Adds a run head that is a prefetch, or an access that ends `distance` pages after its first.
    fn special(&mut self, kind: Kind, page: u64, distance: u32) {
        self.write_all();
        let is_prefetch = kind == Kind::Prefetch;
        let payload = distance.min(PREFETCH - 1) | if is_prefetch { PREFETCH } else { 0 };
        self.words.push(NOTE | NOTE_SPECIAL << KIND_BITS | payload << PAYLOAD_AT);
        self.write_head(if is_prefetch { Kind::Load } else { kind }, page);
    }

    #[inline]
    fn head(&mut self, kind: Kind, page: u64) {
        // Not as one comparison of 12 bytes: a processor waits until it can read several numbers just written as one.
        let [fetches, loads, stores] = self.counts;
        if fetches | loads | stores == 0 {
            self.head_alone(kind, page);
        } else {
            self.head_after_repeats(kind, page);
        }
    }

    #[inline]
    fn head_after_repeats(&mut self, kind: Kind, page: u64) {
        if self.n_alone > 0 {
            self.write_alone();
        }
        let fits = |at: usize| self.counts[at] < 1 << COUNT_BITS[at];
        if !(0..3).all(fits) {
            self.write_counts(COUNT_BITS);
        }
        self.write_head(kind, page);
    }

    /// Adds a run head without repeats before it.
    #[inline]
    fn head_alone(&mut self, kind: Kind, page: u64) {
        if kind != self.alone_kind || self.n_alone == MANY {
            self.write_alone();
            self.alone_kind = kind;
        }
        if let Some(place) = self.alone.get_mut(self.n_alone) {
            *place = page;
            self.n_alone += 1;
        }
    }

    fn write_head(&mut self, kind: Kind, page: u64) {
        let mut word = low32(kind as u64) | self.pages.place_of(page) << PAGE_AT;
        for (n, at) in std::mem::take(&mut self.counts).iter().zip(COUNT_AT) {
            word |= n << at;
        }
        self.words.push(word);
    }

    /// Writes the run heads that are not written yet.
    #[inline(never)]
    fn write_alone(&mut self) {
        let n = std::mem::take(&mut self.n_alone);
        let alone = self.alone.get(..n).unwrap_or_default();
        let kind = low32(self.alone_kind as u64);
        if n >= ENOUGH {
            // Page numbers have at most 52 bits. Signed numbers are compared two at once.
            let (mut base, mut last) = (i64::MAX, 0);
            for &page in alone {
                base = base.min(page.cast_signed());
                last = last.max(page.cast_signed());
            }
            let base = base.cast_unsigned();
            if u32::try_from(last.cast_unsigned() - base).is_ok() {
                let payload = small(n) << KIND_BITS | kind;
                let note = NOTE | NOTE_ALONE << KIND_BITS | payload << PAYLOAD_AT;
                self.words.extend([note, low32(base), low32(base >> 32)]);
                self.words.extend(alone.iter().map(|page| low32(page - base)));
                return;
            }
        }
        for at in 0..n {
            let place = self.pages.place_of(self.alone[at]);
            self.words.push(kind | place << PAGE_AT);
        }
    }

    /// Writes the run heads and repeats that are not written yet.
    fn write_all(&mut self) {
        self.write_alone();
        self.write_counts([0; 3]);
    }

    /// Writes the counts that do not fit the given bits as notes.
    #[cold]
    fn write_counts(&mut self, bits: [u32; 3]) {
        for (at, note) in [NOTE_FETCHES, NOTE_LOADS, NOTE_STORES].into_iter().enumerate() {
            while self.counts[at] >= 1 << bits[at] {
                let n = self.counts[at].min(PAYLOAD_MAX);
                self.words.push(NOTE | note << KIND_BITS | n << PAYLOAD_AT);
                self.counts[at] -= n;
            }
        }
    }

    /// Adds an operation, which ends all runs: it may have changed the process.
    pub(in crate::trace) fn push_op(&mut self) {
        self.op();
        self.pid = None;
        self.current = [0; 4];
    }

    /// Ends the chunk and resets the writer, so that each chunk can be read alone.
    pub(in crate::trace) fn finish(&mut self) -> Runs {
        self.write_all();
        let pages = self.pages.pages.as_slice().into();
        let runs = Runs { words: self.words.as_slice().into(), pages };
        self.words.clear();
        self.pages.clear();
        self.current = [0; 4];
        self.pid = None;
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::op::{OpReader, OpRecord};
    use crate::trace::page_number::PageNumber;
    use crate::trace::runs::{Head, RunVisitor, visit};
    use cases::cases;

    /// The run heads and processes of a chunk, each with the numbers of repeats before it.
    #[derive(Debug, Default, PartialEq)]
    struct Seen {
        n_repeats: [u32; 3],
        of: Vec<(What, [u32; 3])>,
    }

    #[derive(Debug, PartialEq)]
    enum What {
        Process(u32),
        Head(Head),
    }

    impl Seen {
        fn add(&mut self, what: What) {
            self.of.push((what, self.n_repeats));
        }

        /// Applies the definition of repeats to each access and all accesses before it.
        fn naively(accesses: &[Access]) -> Self {
            let mut seen = Self::default();
            for (n, access) in accesses.iter().enumerate() {
                let before = &accesses[..n];
                if before.last().is_none_or(|last| last.pid != access.pid) {
                    seen.add(What::Process(access.pid));
                }
                if is_repeat(access, before) {
                    seen.n_repeats[access.kind.index()] += 1;
                } else {
                    let (kind, (page, last)) = (access.kind, pages(access));
                    let distance = u32::try_from(last.pages_since(page)).expect("below 2^20");
                    seen.add(What::Head(Head { index: small(n), kind, page, distance }));
                }
            }
            seen
        }
    }

    fn pages(access: &Access) -> (PageNumber, PageNumber) {
        (PageNumber::of(access.address), PageNumber::of(access.last()))
    }

    fn is_repeat(access: &Access, before: &[Access]) -> bool {
        let (page, last) = pages(access);
        let of_process = before.iter().rev().take_while(|other| other.pid == access.pid);
        for other in of_process.filter(|other| other.kind.is_fetch() == access.kind.is_fetch()) {
            if other.kind == access.kind {
                let is_plain = page == last && access.kind != Kind::Prefetch;
                return is_plain && pages(other).1 == page;
            }
            if other.kind == Kind::Prefetch || pages(other) != (page, page) {
                return false;
            }
        }
        false
    }

    impl RunVisitor for Seen {
        fn repeats(&mut self, n: [u32; 3]) {
            for (sum, n) in self.n_repeats.iter_mut().zip(n) {
                *sum += n;
            }
        }

        fn process(&mut self, pid: u32) {
            self.add(What::Process(pid));
        }

        fn op(&mut self, _: &OpRecord) {}

        fn run_head(&mut self, index: u32, kind: Kind, page: PageNumber) {
            self.special_head(Head { index, kind, page, distance: 0 });
        }

        fn special_head(&mut self, head: Head) {
            self.add(What::Head(head));
        }
    }

    fn check(accesses: &[Access]) {
        let mut writer = RunWriter::default();
        // The second round checks that `finish` resets the writer.
        for _ in 0..2 {
            for access in accesses {
                writer.push(access);
            }
            let (mut seen, mut naive) = (Seen::default(), Seen::naively(accesses));
            visit(&writer.finish(), 0, OpReader::new(&[]), &mut seen);
            // The repeats after the last run head count, too.
            assert_eq!(seen.n_repeats, std::mem::take(&mut naive.n_repeats));
            assert_eq!(seen.of, naive.of);
        }
    }

    #[test]
    fn runs_are_read_as_the_accesses_say() {
        cases(600).check(|u| {
            let mut accesses = Vec::new();
            let near = u64::from(u.arbitrary::<u32>()?);
            for _ in 0..u.int_in_range(0..=12)? {
                let (kind, pid) = (Kind::of_index(u.arbitrary()?), u.int_in_range(1..=2)?);
                let (n, is_wild) = (u.int_in_range(1..=80)?, u.arbitrary::<bool>()?);
                for _ in 0..n {
                    let page = match u.int_in_range(0..=9)? {
                        0 => u.arbitrary::<u64>()? >> 12,
                        1..=5 if is_wild => near + u64::from(u.arbitrary::<u16>()?),
                        _ => near + u.int_in_range(0..=2)?,
                    };
                    let in_page = if u.ratio(1, 30)? { 4090 } else { 8 };
                    let size = u.int_in_range(1..=16)?;
                    let address = (page << 12) + in_page;
                    let changes = !is_wild && u.ratio(1, 4)?;
                    let kind = if changes { Kind::of_index(u.arbitrary()?) } else { kind };
                    accesses.push(Access { kind, address, size, pid, tid: 0, cpu: 0, ip: None });
                }
            }
            check(&accesses);
            Ok(())
        });
    }
}
