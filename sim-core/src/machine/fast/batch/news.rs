//! The loop of the last stage, for walks of one dimension and of two: misses that change no table above the last are done
//! many at a time, in order, and each other one, which is news, is left to the machine, which can do everything.

use super::{Beside, Miss, translate, walk_caches};
use crate::machine::Machine;
use crate::machine::probe::Probe;
use crate::machine::translate::walk::Start;

/// If not even so many misses were nothing special for each one that was, the rest of the batch is
/// expected to be news, too: new tables come together, and under a host first touches. It is left to the machine at once.
const FEW: usize = 3;
/// So many are granted to the first that are special.
const GRANTED: usize = 4;

/// Does misses, in order. `plain` does those before the next one that is news, and returns how many.
#[inline(always)]
pub(super) fn run<P: Probe>(
    machine: &mut Machine,
    misses: &mut [Miss],
    starts: &mut Vec<Start>,
    beside: &mut Beside<'_>,
    probe: &mut P,
    mut plain: impl FnMut(&mut Machine, &mut [Miss], &mut Beside<'_>, &mut P) -> usize,
) {
    let mut rest = misses;
    let (mut n_plain, mut n_wanted) = (GRANTED, 0);
    loop {
        let n = plain(machine, rest, beside, probe);
        let Some(special) = rest.get(n) else { break };
        by_itself(machine, special, Start::default(), beside, probe);
        rest = &mut rest[n + 1..];
        n_plain += n;
        n_wanted += FEW;
        if n_plain < n_wanted {
            walk_caches::run(machine, rest, starts, probe);
            for (miss, start) in rest.iter().zip(starts.iter()) {
                by_itself(machine, miss, *start, beside, probe);
            }
            break;
        }
    }
}

/// A miss that is for the machine.
#[inline(never)]
fn by_itself<P: Probe>(
    machine: &mut Machine,
    miss: &Miss,
    start: Start,
    beside: &mut Beside<'_>,
    probe: &mut P,
) {
    translate(machine, miss, start, beside, probe);
}
