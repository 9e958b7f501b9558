//! Tests that a trace returns the accesses that were added, across the borders of chunks, and counts its pages
//! correctly.

use std::collections::BTreeMap;

use crate::common::program::{Draws, Habits, program};
use crate::common::trace;
use cases::{Result, Unstructured, cases};
use pagewalk_base::addr::AddressBits;
use pagewalk_base::error::ErrorCode;
use pagewalk_base::trace::{
    Access, CHUNK, Chunk, Completeness, Kind, RUN_PAGE_BITS, Trace, TraceBuilder,
};

/// Returns a random access, near the previous one or anywhere, with any size, process, thread and instruction.
fn any_access(u: &mut Unstructured<'_>, before: Option<&Access>) -> Result<Access> {
    let mut access = Access::new(*u.choose(&Kind::ALL)?, u.arbitrary()?, u.arbitrary()?);
    if let (Some(before), true) = (before, u.ratio(3, 4)?) {
        let step = i64::from(u.arbitrary::<i16>()?);
        let anywhere = access;
        access = Access { address: before.address.wrapping_add_signed(step), ..*before };
        // At most one field changes from one access to the next, as in real traces.
        match u.int_in_range(0..=15)? {
            0 => access.pid = u.arbitrary()?,
            1 => access.tid = u.arbitrary()?,
            2 => access.ip = u.arbitrary()?,
            3 => access.size = anywhere.size,
            4..12 => {
                access.kind = anywhere.kind;
                access.size = *u.choose(&[0, 1, 4, 8, 12, 64, 4096])?;
            }
            _ => {}
        }
    }
    Ok(access)
}

fn any_block(u: &mut Unstructured<'_>, most: usize) -> Result<Vec<Access>> {
    let mut block = Vec::new();
    for _ in 0..u.int_in_range(1..=most)? {
        let access = any_access(u, block.last())?;
        block.push(access);
    }
    Ok(block)
}

/// Returns enough copies of a block to cross one or two borders of chunks. Each copy has higher addresses.
fn long(u: &mut Unstructured<'_>) -> Result<Vec<Access>> {
    let block = any_block(u, 40)?;
    let drift = u64::from(u.arbitrary::<u16>()?);
    let n = CHUNK as usize * u.int_in_range(1..=2)? + u.int_in_range(0..=3)?;
    let copies = (0..).flat_map(|copy: u64| {
        let moved = copy.wrapping_mul(drift);
        block
            .iter()
            .map(move |access| Access { address: access.address.wrapping_add(moved), ..*access })
    });
    Ok(copies.take(n).collect())
}

#[track_caller]
fn assert_decodes(accesses: &[Access]) -> Trace {
    let trace = trace(accesses);
    assert_eq!(trace.len() as usize, accesses.len());
    assert!(
        trace.accesses_from(0).eq(accesses.iter().copied()),
        "what was read is not what was written"
    );
    for chunk in trace.chunks() {
        assert_ends(chunk);
    }
    trace
}

/// Reads the first and the last bytes of accesses some at a time, and compares them with the accesses.
#[track_caller]
fn assert_ends(chunk: &Chunk) {
    let (mut decoder, mut places) = (chunk.accesses(), [[0; 2]; 50]);
    let mut ends = Vec::new();
    loop {
        let n = decoder.read_ends(&mut places);
        ends.extend_from_slice(&places[..n]);
        if n < places.len() {
            break;
        }
    }
    let all = chunk.accesses().map(|access| [access.address, access.last()]);
    assert!(all.eq(ends), "the ends are not those of the accesses");
}

#[test]
fn any_list_of_accesses_is_read_as_it_was_written() {
    cases(700).check(|u| {
        assert_decodes(&any_block(u, 400)?);
        Ok(())
    });
}

#[test]
fn long_lists_are_read_across_chunks() {
    cases(30).check(|u| {
        let accesses = long(u)?;
        let trace = assert_decodes(&accesses);
        let mut first = 0;
        for chunk in trace.chunks() {
            assert_eq!(chunk.first, first);
            let range = first as usize..(first + chunk.n) as usize;
            assert!(
                chunk.accesses().eq(accesses[range].iter().copied()),
                "a chunk can be read alone"
            );
            first += chunk.n;
            assert!(chunk.n == CHUNK || first == trace.len(), "all chunks but the last are full");
        }
        let from = u.int_in_range(0..=trace.len())?;
        assert!(trace.accesses_from(from).eq(accesses[from as usize..].iter().copied()));
        for kind in Kind::ALL {
            let n = accesses.iter().filter(|access| access.kind == kind).count();
            assert_eq!(trace.count(kind), n as u64);
        }
        // The bound is the sum of context, size and address, page runs, and pages.
        assert!(trace.bytes() < 512 + 140 * accesses.len(), "{} bytes", trace.bytes());
        Ok(())
    });
}

#[test]
fn pages_are_counted_by_first_bytes() {
    cases(1300).check(|u| {
        let accesses = any_block(u, 400)?;
        let trace = trace(&accesses);
        // The fetches and data accesses of each page. The page of an access's last byte is listed too.
        let mut counts: BTreeMap<u64, (u32, u32)> = BTreeMap::new();
        for access in &accesses {
            counts.entry(access.last() >> RUN_PAGE_BITS).or_default();
            let (fetches, data) = counts.entry(access.address >> RUN_PAGE_BITS).or_default();
            *(if access.kind.is_fetch() { fetches } else { data }) += 1;
        }
        let seen: Vec<_> =
            trace.pages().iter().map(|page| (page.page.0, (page.fetches, page.data))).collect();
        assert_eq!(seen, counts.iter().map(|(page, n)| (*page, *n)).collect::<Vec<_>>());
        let used =
            |of: fn(&(u32, u32)) -> u32| counts.values().filter(|n| of(n) > 0).count() as u64;
        let totals = trace.page_counts();
        assert_eq!((totals.fetch, totals.data), (used(|n| n.0), used(|n| n.1)));
        Ok(())
    });
}

/// Returns whether access `at` repeats its page in its chunk: the last access of its kind was on the page, and
/// no access of its group (fetches, or data) was on another page since.
fn repeats(accesses: &[Access], at: usize) -> bool {
    let access = accesses[at];
    let page = access.address >> RUN_PAGE_BITS;
    if access.kind == Kind::Prefetch || access.last() >> RUN_PAGE_BITS != page {
        return false;
    }
    for before in accesses[..at].iter().rev() {
        if before.pid != access.pid {
            return false;
        }
        if before.kind.is_fetch() != access.kind.is_fetch() {
            continue;
        }
        if before.kind == Kind::Prefetch || before.last() >> RUN_PAGE_BITS != page {
            return false;
        }
        if before.kind == access.kind {
            return true;
        }
        if before.address >> RUN_PAGE_BITS != page {
            return false;
        }
    }
    false
}

#[test]
fn many_accesses_at_once_make_the_trace_that_each_alone_makes() {
    cases(12).check(|u| {
        let accesses = long(u)?;
        let mut builder = TraceBuilder::default();
        let mut rest = accesses.as_slice();
        while !rest.is_empty() {
            let n = u.int_in_range(0..=rest.len().min(3 * CHUNK as usize))?;
            let (now, later) = rest.split_at(n);
            builder.push_all(now).unwrap();
            // A trace has few accesses alone.
            let (alone, later) = later.split_at(later.len().min(50));
            for access in alone {
                builder.push(access).unwrap();
            }
            rest = later;
        }
        let (made, expected) = (builder.finish(Completeness::Complete).unwrap(), trace(&accesses));
        assert!(made.accesses_from(0).eq(accesses.iter().copied()));
        assert_eq!((made.bytes(), made.n_runs()), (expected.bytes(), expected.n_runs()));
        assert_eq!(made.pages(), expected.pages());
        let bits = |trace: &Trace| trace.chunks().iter().map(Chunk::bits).collect::<Vec<_>>();
        let exact = accesses.chunks(CHUNK as usize).map(|chunk| {
            chunk.iter().fold(AddressBits::default(), |bits, access| bits.max(access.bits()))
        });
        assert_eq!(bits(&made), exact.collect::<Vec<_>>());
        Ok(())
    });
}

#[test]
fn page_runs_have_the_run_heads_of_their_definition() {
    cases(650).check(|u| {
        let mut accesses = Vec::new();
        for _ in 0..u.int_in_range(1..=300)? {
            let kind = *u.choose(&[
                Kind::Fetch,
                Kind::Load,
                Kind::Store,
                Kind::Load,
                Kind::Store,
                Kind::Prefetch,
            ])?;
            let pid = u32::from(u.ratio(1, 20)?);
            let address = u.int_in_range(0..=2)? << RUN_PAGE_BITS | u.choose(&[0, 8, 0xffc])?;
            accesses.push(Access { pid, ..Access::new(kind, address, *u.choose(&[4, 8])?) });
        }
        let heads = (0..accesses.len()).filter(|at| !repeats(&accesses, *at)).count();
        assert_eq!(trace(&accesses).n_runs(), heads as u64);
        Ok(())
    });
}

/// Returns a loop that loads from one array, and also stores to a second one if `copies`.
fn loop_over_arrays(copies: bool) -> Vec<Access> {
    let iteration = |i: u64| {
        let store = copies.then_some(Access::new(Kind::Store, 0x20_0000_0000 + 8 * i, 8));
        let load = Access::new(Kind::Load, 0x10_0000_0000 + 8 * i, 8);
        let code =
            [(0x40_1000, 4), (0x40_1004, 3)].map(|(at, size)| Access::new(Kind::Fetch, at, size));
        [Some(code[0]), Some(load), Some(code[1]), store].into_iter().flatten()
    };
    (0..100_000).flat_map(iteration).collect()
}

#[test]
fn a_loop_over_an_array_takes_less_than_a_byte_for_eight_accesses() {
    let accesses = loop_over_arrays(false);
    let bytes = assert_decodes(&accesses).bytes();
    assert!(bytes < accesses.len() / 8, "{bytes} bytes for {} accesses", accesses.len());
}

/// Load and store alternate between two pages, so each access is a run head of four bytes.
#[test]
fn a_loop_that_copies_takes_two_words_an_iteration() {
    let accesses = loop_over_arrays(true);
    let bytes = assert_decodes(&accesses).bytes();
    assert!(
        bytes < accesses.len() / 4 * 8 + accesses.len() / 8,
        "{bytes} bytes for {} accesses",
        accesses.len()
    );
}

/// In this program every access is random.
#[test]
fn a_program_without_habits_takes_five_bytes_an_access() {
    let accesses = program(300_000, 5, Habits { processes: true, prefetches: true });
    let bytes = assert_decodes(&accesses).bytes();
    assert!(bytes < 5 * accesses.len(), "{bytes} bytes for {} accesses", accesses.len());
}

#[test]
fn an_empty_trace_has_nothing_in_it() {
    let empty = trace(&[]);
    assert!(empty.is_empty() && empty.chunks().is_empty() && empty.pages().is_empty());
    assert_eq!(empty.accesses_from(0).count(), 0);
}

#[test]
fn a_trace_that_outgrows_its_memory_is_too_large() {
    let mut draws = Draws::new(9);
    let mut builder = TraceBuilder::new(1 << 20);
    let error = loop {
        let access = Access::new(Kind::Load, draws.below(1 << 30) << 16, 8);
        if let Err(error) = builder.push(&access) {
            break error;
        }
        assert!(builder.len() < 4 * CHUNK, "1 MB was not enough long ago");
    };
    assert_eq!(error.code, ErrorCode::TooLarge);
    assert!(
        error.message.contains("1 MB") && error.message.contains("import fewer with a limit"),
        "{error}"
    );
}
