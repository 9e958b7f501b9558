//! The reads of nested walks, in order, through the memory caches.
//!
//! Bench row: (b) on nested 4K pages.

use super::super::line_touches::{LineTouches, Mapped};
use super::super::list::List;
use super::super::walks::WalkSums;
use super::Work;
use super::query::{BY_TLB, NO_LINE, Query};
use super::spans::Spans;
use crate::caches::memory::reader_of;
use crate::machine::Machine;
use pagewalk_base::addr::Level;
use pagewalk_base::narrow::small;

/// Lists and executes the reads of walks. The start of each walk is known in both dimensions. `n_guest` is the number of
/// the guest's entries that are read, by kind of access.
#[inline(never)]
pub(super) fn run(
    machine: &mut Machine,
    work: &mut Work,
    n_guest: [u32; 4],
    touches: &mut Option<LineTouches<'_>>,
    sums: &mut WalkSums,
) {
    let Some(nested) = &machine.nested else { return };
    let root_level = nested.plan.root_level;
    let n_read = if let Some(touches) = touches {
        read_between_accesses(machine, work, root_level, touches, sums)
    } else {
        let Work { host, known, lines, .. } = work;
        list(host.values(), &known.host, root_level, lines);
        let first = n_guest.iter().position(|n| *n > 0).unwrap_or(0);
        let only = n_guest[first + 1..].iter().all(|n| *n == 0).then_some(first);
        machine.memory.read_lines(lines.values_mut(), only, &mut sums.served)
    };
    for (kind, (n_read, n_guest)) in n_read.iter().zip(n_guest).enumerate() {
        sums.refs[kind] += n_read;
        sums.host_refs[kind] += n_read - n_guest;
    }
}

/// Reads the lines of walks, and executes the touches before each walk. Returns the number of reads by kind of access.
#[inline(never)]
fn read_between_accesses(
    machine: &mut Machine,
    work: &mut Work,
    root_level: Level,
    touches: &mut LineTouches<'_>,
    sums: &mut WalkSums,
) -> [u32; 4] {
    let Work { host, known, lines, .. } = work;
    let Machine { plan, tables, memory, nested, space, .. } = machine;
    let nested = nested.as_deref();
    let mapped = Mapped { tables, nested, space: *space, va_mask: plan.va_mask };
    let mut n_read = [0; 4];
    // The lookups of one walk have the number of its access.
    for of_walk in host.values().chunk_by(|a, b| a.index == b.index) {
        list(of_walk, &known.host, root_level, lines);
        let (index, kind) = (of_walk[0].index, of_walk[0].kind());
        n_read[kind] += small(lines.len());
        touches.walk(index, lines.values(), mapped, memory, &mut sums.served);
    }
    touches.read_all(memory, &mut sums.served);
    n_read
}

/// Lists the lines that walks read: of the guest's entries, and of the host's after each lookup.
#[inline(never)]
fn list(queries: &[Query], spans: &Spans, root_level: Level, lines: &mut List<u64>) {
    lines.begin(queries.len() * (usize::from(root_level.number()) + 1));
    for query in queries {
        if query.before != NO_LINE {
            lines.push(query.before);
        }
        let (start, lowest) = (query.start, query.lowest.number());
        if start == BY_TLB {
            continue;
        }
        if start == lowest + 1 {
            lines.push(reader_of(query.line) | spans.at(query.span).upper_line);
        } else if start != lowest {
            let start = query.start_level().unwrap_or(root_level);
            for level in query.lowest.above().up_to(start).rev() {
                lines.push(reader_of(query.line) | spans.above(query.span).lines[level]);
            }
        }
        lines.push(query.line);
    }
}
