//! What is taken from the rings: accesses for the trace, and names for the memory that was allocated.

use indicatif::ProgressBar;
use pagewalk_base::error::Result;
use pagewalk_base::trace::{Access, Kind, Mapping};
use pagewalk_sources::import::{Blocks, Sink as _, named, unnamed};

use super::calls::Calls;
use super::ring::{Entry, Thread};
use crate::convert::All;
use crate::progress::show_packed;

const LOADS: u8 = 16;
const STORES: u8 = 17;
const COPY: u8 = 18;
const REST: u8 = 19;
const THREAD: u8 = 21;
const BLOCK: u8 = 22;
const FREED: u8 = 23;
const ENTER: u8 = 24;
const LEAVE: u8 = 25;
/// Ranges become accesses of at most a line of a cache.
const LINE: u64 = 64;

/// The kind and the size of an access by its code; the size 0 is another entry.
const PLAIN: [(Kind, u32); 128] = plain();

const fn plain() -> [(Kind, u32); 128] {
    let mut all = [(Kind::Load, 0); 128];
    let mut log = 0;
    while log <= 4 {
        all[1 + log] = (Kind::Load, 1 << log);
        all[8 + log] = (Kind::Store, 1 << log);
        log += 1;
    }
    all
}

pub(super) struct Taken {
    pub(super) all: All,
    pub(super) entries: u64,
    /// The number of first accesses that are left out, and how many of them there were.
    skip: u64,
    pub(super) skipped: u64,
    limit: u64,
    blocks: Blocks,
    pub(super) calls: Calls,
    /// The node of the last access in the tree of calls.
    call: u32,
}

impl Taken {
    pub(super) fn new(skip: u64, limit: u64) -> Self {
        Self {
            all: All::default(),
            entries: 0,
            skip,
            skipped: 0,
            limit,
            blocks: Blocks::default(),
            calls: Calls::default(),
            call: 0,
        }
    }

    pub(super) fn accesses(&self) -> u64 {
        self.all.trace.len().into()
    }

    pub(super) fn is_full(&self) -> bool {
        self.accesses() >= self.limit
    }

    pub(super) fn show(&self, progress: &ProgressBar) {
        show_packed(progress, &self.all);
    }

    /// Takes a record of the memory map. Blocks in it keep their names.
    pub(super) fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        let range = mapping.start..mapping.end;
        self.all.mapping(mapping)?;
        for (part, ip) in self.blocks.within(range) {
            if let Some(mapping) = named(part, ip) {
                self.all.mapping(mapping)?;
            }
        }
        Ok(())
    }

    /// Counts the blocks, when there are no more.
    pub(super) fn count_blocks(&mut self) -> Result<()> {
        self.all.places(self.blocks.places())
    }

    /// Takes an entry of a thread. `begun` is the entry that this one completes.
    #[inline]
    pub(super) fn take(
        &mut self,
        entry: Entry,
        thread: &mut Thread,
        begun: &mut Option<Entry>,
    ) -> Result<()> {
        self.entries += 1;
        let (kind, size) = PLAIN[usize::from(entry.code())];
        if size > 0 {
            return self.access(kind, entry.word, size, entry.ip(), thread);
        }
        match (entry.code(), *begun) {
            (LOADS | STORES | COPY | BLOCK, _) => *begun = Some(entry),
            (FREED, _) => return self.named(|blocks| unnamed(blocks.freed(entry.word)?)),
            (ENTER | LEAVE, _) => self.calls.change(entry, &mut thread.calls),
            (THREAD, _) => {
                let number = u32::try_from(entry.word).unwrap_or(u32::MAX);
                *thread = Thread { number, calls: Vec::new() };
            }
            (REST, Some(first)) => {
                *begun = None;
                return self.whole(first, entry, thread);
            }
            // Nothing else is written.
            _ => {}
        }
        Ok(())
    }

    #[inline]
    fn access(
        &mut self,
        kind: Kind,
        address: u64,
        size: u32,
        ip: u64,
        thread: &Thread,
    ) -> Result<()> {
        if self.skipped < self.skip {
            self.skipped += 1;
            return Ok(());
        }
        let call = thread.calls.last().copied().unwrap_or(0);
        if call != self.call {
            self.call = call;
            self.all.trace.call(self.calls.tree(), call)?;
        }
        // The address is that after the call of the hook. One less is inside the call, on its line.
        let ip = Some(ip.wrapping_sub(1));
        let tid = thread.number;
        self.all.trace.push(&Access { kind, address, size, pid: 0, tid, cpu: 0, ip })
    }

    /// Takes the memory that gets another name.
    fn named(&mut self, change: impl FnOnce(&mut Blocks) -> Option<Mapping>) -> Result<()> {
        match change(&mut self.blocks) {
            Some(mapping) => self.all.mapping(mapping),
            None => Ok(()),
        }
    }

    /// Takes an entry with its rest.
    fn whole(&mut self, first: Entry, rest: Entry, thread: &Thread) -> Result<()> {
        let (start, bytes, ip) = (first.word, rest.word, first.ip());
        if first.code() == BLOCK {
            let ip = ip.wrapping_sub(1);
            return self.named(|blocks| {
                named(blocks.allocated(ip, start..start.checked_add(bytes)?)?, ip)
            });
        }
        let mut done = 0;
        while done < bytes && !self.is_full() {
            let at = start.wrapping_add(done);
            // Both sides of a copy stay on one line.
            let to_line = |at: u64| LINE - at % LINE;
            let mut n = (bytes - done).min(to_line(at));
            if first.code() == COPY {
                n = n.min(to_line(rest.ip().wrapping_add(done)));
            }
            let size = u32::try_from(n).expect("at most a line");
            match first.code() {
                LOADS => self.access(Kind::Load, at, size, ip, thread)?,
                STORES => self.access(Kind::Store, at, size, ip, thread)?,
                _ => {
                    let from = rest.ip().wrapping_add(done);
                    self.access(Kind::Load, from, size, ip, thread)?;
                    if !self.is_full() {
                        self.access(Kind::Store, at, size, ip, thread)?;
                    }
                }
            }
            done += n;
        }
        Ok(())
    }
}
