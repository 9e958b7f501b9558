//! Adds accesses of known instructions, many at once. The trace is that of the same accesses one by one.

use super::TraceBuilder;
use crate::error::Result;
use crate::narrow::small;
use crate::trace::runs::{BATCH, Found, Heads};
use crate::trace::{CHUNK, InstructionAccess, InstructionBatch, Instructions, Kind, RUN_PAGE_BITS};

const DATA: usize = 1;

impl TraceBuilder {
    /// Adds loads and stores by known instructions, of process, thread and processor 0, in their order.
    ///
    /// # Errors
    /// Errors of [`Self::push`].
    pub fn push_instructions(&mut self, batch: &InstructionBatch<'_>) -> Result<()> {
        let InstructionBatch { known, accesses, tree, calls } = *batch;
        if !calls.is_empty() {
            self.catch_up(tree)?;
        }
        let mut calls = calls.iter().peekable();
        let mut from = 0;
        while from < accesses.len() {
            // The first access of a chunk tells it the process.
            let is_first = self.last_place != Some((0, 0)) || !self.runs.is_of_process_0();
            let most = if is_first { 1 } else { (CHUNK - self.n_in_chunk) as usize };
            let to = accesses.len().min(from + most.min(BATCH));
            let now = &accesses[from..to];
            while let Some(change) = calls.next_if(|change| change.at <= small(from)) {
                self.call = change.node;
            }
            self.calls.set(self.n_in_chunk, self.call);
            while let Some(change) = calls.next_if(|change| change.at < small(to)) {
                self.call = change.node;
                self.calls.set(self.n_in_chunk + (change.at - small(from)), change.node);
            }
            from = to;
            if is_first {
                self.push(&known.access(&now[0]))?;
                continue;
            }
            self.encoder.push_instructions(known, now);
            self.add_instructions(known, now);
            self.n_in_chunk += small(now.len());
            if self.n_in_chunk == CHUNK {
                self.seal()?;
            }
        }
        Ok(())
    }

    /// Adds at most [`BATCH`] accesses to everything but the encoded accesses.
    fn add_instructions(&mut self, known: &Instructions, mut accesses: &[InstructionAccess]) {
        loop {
            let heads = self.runs.find_heads(accesses, &mut self.found);
            self.n_by_kind[Kind::Load.index()] += heads.seen.loads();
            self.n_by_kind[Kind::Store.index()] += heads.seen.stores();
            self.add_heads(accesses, &heads);
            let rest = accesses.get(heads.seen.all() as usize..).and_then(<[_]>::split_first);
            let Some((crossing, rest)) = rest else { return };
            self.add(&known.access(crossing));
            accesses = rest;
        }
    }

    /// Adds the run heads that were found, and the repeats.
    #[inline(never)]
    fn add_heads(&mut self, accesses: &[InstructionAccess], heads: &Heads) {
        let found = self.found.get(..heads.n).unwrap_or_default();
        self.trace.n_runs += heads.n as u64;
        if heads.bits >> RUN_PAGE_BITS == 0 || heads.bits >> (u64::BITS - 1) != 0 {
            let head = |at: &Found| accesses.get(at.before.all() as usize);
            for access in found.iter().filter_map(head) {
                self.bits.add(access.address);
                self.bits.add(access.last());
            }
        } else {
            // The highest bit decides, and is not in the page.
            self.bits.add(heads.bits);
        }
        self.runs.add_heads(found, heads.seen);
        if self.has_pages {
            self.pages.count_runs(DATA, self.counts[DATA], found, heads.seen.all());
            self.counts[DATA] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::index;
    use crate::trace::{
        Access, CallChange, CallTreeBuilder, Completeness, Frame, LoadOrStore, Op, OpRecord, Trace,
    };
    use cases::{Unstructured, cases};

    const N: u32 = 24;

    /// Makes what a loop does: mostly the next instruction, with its last stride, near its last address.
    fn accesses(u: &mut Unstructured<'_>, n: usize) -> cases::Result<Vec<InstructionAccess>> {
        let mut last = [0x5555_0000_0000_u64; N as usize + 1];
        let mut stride = [8u64; N as usize + 1];
        let mut whats = Vec::new();
        for _ in 0..=N {
            let size = *u.choose(&[0, 1, 4, 8, 8, 12, 16, 64])?;
            whats.push(LoadOrStore::new(u.arbitrary()?, size).unwrap());
        }
        let pages = u.int_in_range(1..=40)?;
        let (mut at, mut all) = (0, Vec::new());
        let mut word = u.arbitrary::<u64>()? | 1;
        for _ in 0..n {
            word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let mixed = word >> 33;
            // Instruction N is not in the list.
            at = if mixed % 7 == 0 { index_of(mixed >> 8, N + 1) } else { (at + 1) % N as usize };
            match mixed >> 4 & 15 {
                0 => last[at] = mixed << 33 ^ word,
                1 => last[at] = mixed >> 20,
                2..=6 => last[at] = 0x5555_0000_0000 + (mixed >> 9) % (pages << 12),
                7 => stride[at] = mixed >> 20 & 255,
                _ => last[at] = last[at].wrapping_add(stride[at]),
            }
            let what = if mixed % 31 == 0 { whats[0] } else { whats[at] };
            all.push(InstructionAccess { address: last[at], instruction: small(at), what });
        }
        Ok(all)
    }

    fn index_of(word: u64, n: u32) -> usize {
        index(word % u64::from(n))
    }

    /// Everything that a trace has.
    fn shown(trace: &Trace) -> String {
        let (chunks, pages) = (trace.chunks(), trace.pages());
        let numbers = (trace.n_runs(), trace.bytes(), trace.call_tree().len());
        format!("{chunks:?} {pages:?} {numbers:?}")
    }

    fn check(u: &mut Unstructured<'_>, most: usize) -> cases::Result<()> {
        let spread = u.int_in_range(0..=40)?;
        let ips = (0..N).map(|n| 0x40_0000 + (u64::from(n * 5) << (n * spread / N)));
        let known = Instructions::new(ips);
        let [mut fast, mut slow] = if u.arbitrary()? {
            [TraceBuilder::default(), TraceBuilder::default()]
        } else {
            [TraceBuilder::of_chunks(), TraceBuilder::of_chunks()]
        };
        let mut paths = CallTreeBuilder::default();
        for _ in 0..u.int_in_range(1..=4)? {
            let n = u.int_in_range(0..=most)?;
            let all = accesses(u, n)?;
            let mut calls = Vec::new();
            let mut at = u.int_in_range(0..=n)?;
            while at < n && calls.len() < 1000 {
                calls.push(CallChange { at: small(at), node: u.int_in_range(0..=3)? });
                let most = if u.arbitrary()? { 3 } else { n };
                at += u.int_in_range(1..=most)?;
            }
            let ip = u.int_in_range(1..=2)?;
            let node = paths.child(u.int_in_range(0..=1)?, Frame { name: "f", ip });
            assert!(node.is_some());
            let tree = paths.tree();
            let batch = InstructionBatch { known: &known, accesses: &all, tree, calls: &calls };
            fast.push_instructions(&batch).unwrap();
            if !calls.is_empty() {
                slow.call(tree, slow.call).unwrap();
            }
            let mut calls = calls.iter().peekable();
            for (at, access) in (0..).zip(&all) {
                if let Some(change) = calls.next_if(|change| change.at == at) {
                    slow.call(tree, change.node).unwrap();
                }
                slow.push(&known.access(access)).unwrap();
            }
            let op = OpRecord { pid: 0, tid: 0, cpu: 0, op: Op::Wrpkru { value: 4 } };
            let other = Access {
                pid: u.int_in_range(0..=1)?,
                tid: u.int_in_range(0..=1)?,
                ip: u.arbitrary()?,
                ..Access::new(
                    Kind::of_index(u.arbitrary()?),
                    u.arbitrary()?,
                    u.int_in_range(0..=5000)?,
                )
            };
            let what = u.int_in_range(0..=3)?;
            for builder in [&mut fast, &mut slow] {
                match what {
                    0 => builder.push_op(&op).unwrap(),
                    1 => builder.push(&other).unwrap(),
                    _ => {}
                }
            }
            assert_eq!(fast.page_counts(), slow.page_counts());
        }
        let [fast, slow] = [fast, slow].map(|builder| builder.finish(Completeness::Complete));
        assert!(shown(&fast.unwrap()) == shown(&slow.unwrap()), "the traces differ");
        Ok(())
    }

    #[test]
    fn known_instructions_make_the_trace_that_each_access_makes() {
        cases(300).check(|u| check(u, 3000));
    }

    #[test]
    fn known_instructions_go_on_from_chunk_to_chunk() {
        cases(6).check(|u| check(u, CHUNK as usize));
    }
}
