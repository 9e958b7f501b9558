//! Tests that a trace that two threads pack is the trace that one thread packs.

use std::rc::Rc;

use crate::common::trace;
use expect_test::expect;
use pagewalk_base::error::Result;
use pagewalk_base::trace::saved::Saver;
use pagewalk_base::trace::{
    Access, CHUNK, Completeness, HelpingEncoder, Kind, Trace, TraceBuilder,
};

/// Returns accesses of a loop with and without instruction pointers, long accesses and jumps.
fn accesses(n: u32) -> Vec<Access> {
    let access = |i: u32| {
        let jump = u64::from(i.wrapping_mul(0x9e37_79b9) >> 12 & 0xf_ffff);
        let kind = if i.is_multiple_of(5) { Kind::Store } else { Kind::Load };
        let size = if i % 300_000 == 299_999 { 5000 } else { 8 };
        let address = if i.is_multiple_of(7) { jump << 4 } else { u64::from(i) * 8 };
        let ip = (i > CHUNK * 2).then_some(u64::from(i % 9) * 4);
        Access { ip, ..Access::new(kind, address, size) }
    };
    (0..n).map(access).collect()
}

/// Packs accesses with a helper that gets `theirs`, in batches and pieces of these sizes.
fn shared(all: &[Access], theirs: &[Access], batch: usize, piece: usize) -> Result<Trace> {
    let mut helper = HelpingEncoder::default();
    theirs.chunks(batch).for_each(|some| helper.push_all(some));
    let mut builder = TraceBuilder::with_helper(usize::MAX);
    for some in all.chunks(batch * 2 + 1) {
        builder.push_all(some)?;
    }
    for bytes in helper.finish().chunks(piece) {
        builder.add_parts(bytes)?;
    }
    builder.finish(Completeness::Complete)
}

fn saved(trace: Trace) -> Vec<Vec<u8>> {
    let mut saver = Saver::new(Rc::new(trace), String::new());
    std::iter::from_fn(|| saver.next_part()).collect()
}

/// Returns which chunks have line runs: those of plain accesses.
fn lines(trace: &Trace) -> Vec<bool> {
    trace.chunks().iter().map(|chunk| chunk.lines().is_some()).collect()
}

#[test]
fn a_shared_trace_is_the_trace_of_one_thread() {
    for (n, batch, piece) in [
        (0, 1, 1),
        (1, 1, 1),
        (CHUNK, 77, 1 << 20),
        (CHUNK * 3, 4096, 1000),
        (CHUNK * 3 + 1, 1 << 18, 1 << 16),
        (CHUNK * 5 + 1234, 999, 13),
    ] {
        let all = accesses(n);
        let two = shared(&all, &all, batch, piece).expect("the helper has all");
        let one = trace(&all);
        assert_eq!(lines(&two), lines(&one), "{n} accesses");
        assert!(saved(two) == saved(one), "{n} accesses");
    }
}

#[test]
fn a_helper_with_other_accesses_is_an_error() {
    let all = accesses(CHUNK + 5);
    let wrong = shared(&all, &all[1..], 100, 100).map(|_| ());
    expect!["the second worker has packed other accesses: pack the trace with one worker"]
        .assert_eq(&wrong.expect_err("it lacks one").message);
    let missing = shared(&all, &[], 100, 100);
    assert!(missing.is_err());
}

#[test]
fn the_parts_of_a_helper_count_as_memory() {
    let all = accesses(CHUNK * 2);
    let mut helper = HelpingEncoder::default();
    helper.push_all(&all);
    let parts = helper.finish();
    let mut builder = TraceBuilder::with_helper(1000);
    let error = builder.add_parts(&parts).expect_err("the parts are larger");
    assert!(error.to_string().starts_with("the trace needs more than"), "{error}");
}
