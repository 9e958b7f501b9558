//! The order of the accesses of several threads.
//!
//! A thread writes the time now and then, and each time that it may see what others did: after a lock, a join, or an
//! atomic operation. The entries of a thread up to its next time come together; such pieces come in the order of their
//! times, and of equal ones that of the lower ring comes first. So an access comes after all those that it could see.
//!
//! Pieces that begin after a look at the rings has begun wait for the next look: the rings that were looked at first may
//! miss what these saw.

use anyhow::Context as _;
use rustix::time::{ClockId, clock_gettime};

use super::ring::{Entry, Ring};
use super::shared::{RING_BYTES, SEGMENT, Shared};
use super::taken::Taken;

pub(super) const TIME: u8 = 20;

/// The rings, and what was read from them.
#[derive(Debug, Default)]
pub(super) struct Order(Vec<Ring>);

impl Order {
    /// Takes what the program has written. The last round takes all of it.
    pub(super) fn round(
        &mut self,
        shared: &Shared,
        is_last: bool,
        taken: &mut Taken,
    ) -> anyhow::Result<()> {
        loop {
            let at = now();
            let unreadable = "what the program wrote cannot be read";
            for number in u32::try_from(self.0.len())?..shared.rings().context(unreadable)? {
                self.0.push(Ring::new(number));
            }
            // A single thread is read in small pieces, which stay in the processor's caches.
            let most = if self.0.len() == 1 { SEGMENT } else { RING_BYTES };
            for ring in &mut self.0 {
                ring.read(shared, at, most, is_last).context(unreadable)?;
            }
            let before = taken.entries;
            let until = if is_last { u64::MAX } else { at };
            // What was read may come after entries of a thread that has begun since.
            let is_alone = shared.rings().context(unreadable)? == 1;
            merge(&mut self.0, until, is_alone, taken)?;
            let is_done = taken.entries == before || taken.is_full();
            if !is_last || is_done {
                return Ok(());
            }
        }
    }

    /// The number of entries that were never written.
    pub(super) fn lost(&self) -> u64 {
        self.0.iter().map(|ring| ring.lost).sum()
    }
}

fn now() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    let part = |n: i64| u64::try_from(n).unwrap_or(0);
    part(time.tv_sec) * 1_000_000_000 + part(time.tv_nsec)
}

/// Takes the entries whose time is before `until`, or all if they are of the only thread.
fn merge(rings: &mut [Ring], until: u64, is_alone: bool, taken: &mut Taken) -> anyhow::Result<()> {
    let until = if is_alone { u64::MAX } else { until };
    loop {
        let waiting = rings.iter_mut().filter(|ring| !ring.is_empty() && ring.time < until);
        let Some(ring) = waiting.min_by_key(|ring| ring.time) else { return Ok(()) };
        take(ring, is_alone, taken)?;
        if taken.is_full() {
            return Ok(());
        }
    }
}

/// Takes the entries of a ring up to the next time, or all of them.
fn take(ring: &mut Ring, all: bool, taken: &mut Taken) -> anyhow::Result<()> {
    let Ring { entries, next, time, thread, begun, .. } = ring;
    for bytes in &entries[*next..] {
        *next += 1;
        let entry = Entry::of(*bytes);
        if entry.code() == TIME {
            *time = (*time).max(entry.word);
            if !all {
                return Ok(());
            }
            continue;
        }
        taken.take(entry, thread, begun)?;
        if taken.is_full() {
            break;
        }
    }
    Ok(())
}
