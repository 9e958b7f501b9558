//! Samples come from one buffer per processor, so they are not in the order of time. The
//! recording says now and then that a round over the buffers is done: nothing that comes then is
//! older than what the round before had (Linux 6.12, `tools/perf/util/ordered-events.c`).

use crate::import::perf::samples::Sample;
use crate::trace::Mapping;

/// What waits for its turn at most; a recording without rounds has no end.
const MAX_WAITING: usize = 2_000_000;

/// What is put in order.
#[derive(Debug)]
pub(super) enum Item {
    Sample(Sample),
    Mapping(Box<Mapping>),
}

/// Items that are not in order yet.
#[derive(Debug, Default)]
pub(super) struct Order {
    waiting: Vec<(u64, Item)>,
    latest: u64,
    /// What is not later than this may go.
    safe: u64,
    delivered: u64,
    /// Items that came later than one that had gone.
    pub(super) late: u64,
}

impl Order {
    /// Adds an item; gives those that may go.
    pub(super) fn push(&mut self, time: u64, item: Item) -> Vec<Item> {
        self.latest = self.latest.max(time);
        self.late += u64::from(time != 0 && time < self.delivered);
        self.waiting.push((time, item));
        if self.waiting.len() < MAX_WAITING {
            return Vec::new();
        }
        self.waiting.sort_by_key(|(time, _)| *time);
        self.go(MAX_WAITING / 2)
    }

    /// A round is done; gives what may go.
    pub(super) fn round(&mut self) -> Vec<Item> {
        self.waiting.sort_by_key(|(time, _)| *time);
        let n = self.waiting.partition_point(|(time, _)| *time <= self.safe);
        self.safe = self.latest;
        self.go(n)
    }

    /// All the rest.
    pub(super) fn finish(&mut self) -> Vec<Item> {
        self.waiting.sort_by_key(|(time, _)| *time);
        self.go(self.waiting.len())
    }

    fn go(&mut self, n: usize) -> Vec<Item> {
        if let Some((time, _)) = n.checked_sub(1).and_then(|last| self.waiting.get(last)) {
            self.delivered = self.delivered.max(*time);
        }
        self.waiting.drain(..n).map(|(_, item)| item).collect()
    }
}
