//! The loop of the last stage, for native and for nested walks.
//!
//! An *ordinary* miss changes no table above the last one. Ordinary misses are processed many at a time, in order.
//! An *exceptional* miss (a missing table, a table of the guest that the host has not mapped) is translated alone, by the machine's own code.
//!
//! Bench rows: (b) random loads and (b) on nested 4K pages, whose new tables are exceptional.

use super::batch::{BatchState, Miss, translate};
use super::{route, walk_caches};
use crate::machine::Machine;
use crate::machine::probe::Probe;
use crate::machine::translate::walk::Start;

/// Processes misses in order. `ordinary` processes the misses before the next exceptional one, and returns their
/// number.
#[cfg_attr(feature = "fast", inline(always))]
pub(super) fn run<P: Probe>(
    machine: &mut Machine,
    misses: &mut [Miss],
    starts: &mut Vec<Start>,
    state: &mut BatchState<'_>,
    probe: &mut P,
    mut ordinary: impl FnMut(&mut Machine, &mut [Miss], &mut BatchState<'_>, &mut P) -> usize,
) {
    let mut rest = misses;
    let (mut n_ordinary, mut n_exceptional) = (0, 0);
    loop {
        let n = ordinary(machine, rest, state, probe);
        let Some(exceptional) = rest.get(n) else { break };
        translate_alone(machine, exceptional, Start::default(), state, probe);
        rest = &mut rest[n + 1..];
        n_ordinary += n;
        n_exceptional += 1;
        if route::expects_exceptional(n_ordinary, n_exceptional) {
            walk_caches::run(machine, rest, starts, probe);
            for (miss, start) in rest.iter().zip(starts.iter()) {
                translate_alone(machine, miss, *start, state, probe);
            }
            break;
        }
    }
}

/// Translates one miss with the machine's own code.
#[inline(never)]
fn translate_alone<P: Probe>(
    machine: &mut Machine,
    miss: &Miss,
    start: Start,
    state: &mut BatchState<'_>,
    probe: &mut P,
) {
    translate(machine, miss, start, state, probe);
}
