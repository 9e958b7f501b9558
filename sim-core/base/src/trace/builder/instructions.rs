//! Adds accesses of known instructions, many at once. The trace is that of the same accesses one by one.

use super::TraceBuilder;
use crate::error::Result;
use crate::narrow::small;
use crate::trace::runs::{BATCH, Found};
use crate::trace::{CHUNK, InstructionAccess, Instructions, Kind, PageNumber, RUN_PAGE_BITS};

const DATA: usize = 1;

impl TraceBuilder {
    /// Adds loads and stores by known instructions, of process, thread and processor 0, in their order.
    ///
    /// # Errors
    /// Errors of [`Self::push`].
    pub fn push_instructions(
        &mut self,
        known: &Instructions,
        accesses: &[InstructionAccess],
    ) -> Result<()> {
        let mut rest = accesses;
        while let Some(first) = rest.first() {
            // The first access of a chunk tells it the process.
            if self.last_place != Some((0, 0)) || !self.runs.is_of_process_0() {
                self.push(&known.access(first))?;
                rest = &rest[1..];
                continue;
            }
            let room = (CHUNK - self.n_in_chunk) as usize;
            let (now, later) = rest.split_at(rest.len().min(room).min(BATCH));
            rest = later;
            self.calls.set(self.n_in_chunk, self.call);
            self.encoder.push_instructions(known, now);
            self.add_instructions(now);
            self.n_in_chunk += small(now.len());
            if self.n_in_chunk == CHUNK {
                self.seal()?;
            }
        }
        Ok(())
    }

    /// Adds at most [`BATCH`] accesses to everything but the encoded accesses.
    fn add_instructions(&mut self, accesses: &[InstructionAccess]) {
        let stores = accesses.iter().map(|access| access.what.stores()).sum::<u32>();
        self.n_by_kind[Kind::Store.index()] += stores;
        self.n_by_kind[Kind::Load.index()] += small(accesses.len()) - stores;
        let mut found = [Found::default(); BATCH];
        let (n, after, pages) = self.runs.find_heads(accesses, &mut found);
        let found = &found[..n.min(BATCH)];
        self.runs.add_found(accesses, found);
        self.runs.add_repeats(after);
        self.trace.n_runs += n as u64;
        if pages == 0 || pages >> (u64::BITS - 1 - RUN_PAGE_BITS) != 0 {
            for access in found.iter().filter_map(|found| accesses.get(found.at as usize)) {
                self.bits.add(access.address);
                self.bits.add(access.last());
            }
        } else {
            // The highest bit decides, and is not in the page.
            self.bits.add(pages << RUN_PAGE_BITS);
        }
        if self.has_pages {
            self.count_pages(accesses, found);
        }
        self.counts[DATA] += after.sum();
    }

    /// Counts the accesses of pages until the last run head.
    fn count_pages(&mut self, accesses: &[InstructionAccess], found: &[Found]) {
        let (mut at, mut n) = (self.current[DATA], self.counts[DATA]);
        for Found { at: next, repeats } in found {
            let Some(access) = accesses.get(*next as usize) else { break };
            n += repeats.sum();
            if n > 0 {
                self.pages.count(at, false, n);
            }
            let (page, last_page) = (PageNumber::of(access.address), PageNumber::of(access.last()));
            (at, n) = (self.pages.index_of(page), 1);
            if last_page != page {
                self.pages.count(at, false, 1);
                (at, n) = (self.pages.index_of(last_page), 0);
            }
        }
        (self.current[DATA], self.counts[DATA]) = (at, n);
        self.flush_page(DATA);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::index;
    use crate::trace::{Access, Completeness, InstructionAccess, LoadOrStore, Op, OpRecord, Trace};
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
        format!("{:?} {:?} {} {}", trace.chunks(), trace.pages(), trace.n_runs(), trace.bytes())
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
        for _ in 0..u.int_in_range(1..=4)? {
            let n = u.int_in_range(0..=most)?;
            let all = accesses(u, n)?;
            fast.push_instructions(&known, &all).unwrap();
            for access in &all {
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
