//! Sorts samples by time. Each processor has its own buffer, so samples arrive unsorted. The recording marks
//! the end of each round over the buffers. Later records are not older than the records of the round before
//! (Linux 6.12, `tools/perf/util/ordered-events.c`).

use super::plan::{Plain, Word};
use crate::import::flow::Flow;
use crate::import::perf::samples::Sample;
use pagewalk_base::narrow::small;
use pagewalk_base::trace::Mapping;

/// The largest number of items that wait. A recording without rounds would collect them forever.
const MAX_WAITING: usize = 1 << 20;

/// An item to sort.
#[derive(Debug)]
pub(super) enum Item {
    Plain(Plain),
    Sample(Sample),
    Mapping(Box<Mapping>),
    /// A process was created.
    Fork {
        child: u32,
        parent: u32,
    },
}

/// The items that are not sorted yet.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// The items, in free slots.
    items: Vec<Item>,
    /// The slots of items that were delivered.
    free: Vec<u32>,
    /// The time and slot of each waiting item. They are sorted instead of the items, which are large.
    waiting: Vec<(u64, u32)>,
    /// Whether an item arrived that is older than the previous item.
    unsorted: bool,
    latest: u64,
    /// Items up to this time can be delivered.
    safe: u64,
    delivered: u64,
    /// The number of items that arrived after a later item had been delivered.
    pub(super) late: u64,
}

impl Order {
    /// Adds an item. Delivers the older half if too many wait.
    pub(super) fn push(
        &mut self,
        time: u64,
        item: Item,
        each: impl FnMut(&mut Item) -> Flow,
    ) -> Flow {
        let place = self.place();
        self.items[place as usize] = item;
        self.wait(time, place, each)
    }

    /// Like [`Self::push`], for the words of a sample, which are then copied only once.
    #[inline]
    pub(super) fn push_plain(
        &mut self,
        time: u64,
        (event, misc, words): (usize, u32, &[Word]),
        each: impl FnMut(&mut Item) -> Flow,
    ) -> Flow {
        let place = self.place();
        let item = &mut self.items[place as usize];
        if let Item::Plain(plain) = item {
            plain.set(event, misc, words);
        } else {
            let mut plain = Plain::NONE;
            plain.set(event, misc, words);
            *item = Item::Plain(plain);
        }
        self.wait(time, place, each)
    }

    /// Returns a slot for an item.
    #[inline]
    fn place(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.items.push(Item::Plain(Plain::NONE));
            small(self.items.len() - 1)
        })
    }

    #[inline]
    fn wait(&mut self, time: u64, place: u32, each: impl FnMut(&mut Item) -> Flow) -> Flow {
        self.latest = self.latest.max(time);
        self.late += u64::from(time != 0 && time < self.delivered);
        self.unsorted |= self.waiting.last().is_some_and(|(before, _)| time < *before);
        self.waiting.push((time, place));
        if self.waiting.len() < MAX_WAITING {
            return Ok(());
        }
        self.sort();
        self.go(MAX_WAITING / 2, each)
    }

    /// Sorts by time. Items of the same time stay in the order of arrival.
    fn sort(&mut self) {
        if std::mem::take(&mut self.unsorted) {
            self.waiting.sort_by_key(|(time, _)| *time);
        }
    }

    /// Ends a round, and delivers the items that can be delivered.
    pub(super) fn round(&mut self, each: impl FnMut(&mut Item) -> Flow) -> Flow {
        self.sort();
        let n = self.waiting.partition_point(|(time, _)| *time <= self.safe);
        self.safe = self.latest;
        self.go(n, each)
    }

    /// Delivers all remaining items.
    pub(super) fn finish(&mut self, each: impl FnMut(&mut Item) -> Flow) -> Flow {
        self.sort();
        self.go(self.waiting.len(), each)
    }

    /// Delivers the first `n` items.
    fn go(&mut self, n: usize, mut each: impl FnMut(&mut Item) -> Flow) -> Flow {
        if let Some((time, _)) = n.checked_sub(1).and_then(|last| self.waiting.get(last)) {
            self.delivered = self.delivered.max(*time);
        }
        for (_, place) in self.waiting.drain(..n) {
            self.free.push(place);
            each(&mut self.items[place as usize])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use cases::cases;

    use super::*;

    fn item(number: u32) -> Item {
        Item::Fork { child: number, parent: 0 }
    }

    type Each<'a> = &'a mut dyn FnMut(&mut Item) -> Flow;

    /// Returns the numbers of the items that are delivered.
    fn gone(order: &mut Order, go: fn(&mut Order, Each<'_>) -> Flow) -> Vec<u32> {
        let mut gone = Vec::new();
        let mut each = |item: &mut Item| {
            let Item::Fork { child, .. } = item else { unreachable!("there is nothing else") };
            gone.push(*child);
            Ok(())
        };
        go(order, &mut each).expect("nothing fails");
        gone
    }

    #[test]
    fn what_goes_after_each_round_is_a_stable_sort_of_what_was_there() {
        cases(800).check(|u| {
            let mut order = Order::default();
            let (mut naive, mut safe, mut latest) = (Vec::new(), 0, 0);
            for number in 0..u.int_in_range(0..=60u32)? {
                let time = u.int_in_range(0..=9)?;
                latest = latest.max(time);
                naive.push((time, number));
                order.push(time, item(number), |_| panic!("few wait")).expect("nothing fails");
                if u.ratio(1, 8)? {
                    let (mut now, later): (Vec<_>, Vec<_>) =
                        naive.iter().partition(|(time, _)| *time <= safe);
                    now.sort_by_key(|(time, _)| *time);
                    let now: Vec<u32> = now.into_iter().map(|(_, number)| number).collect();
                    assert_eq!(gone(&mut order, |order, each| order.round(each)), now);
                    (naive, safe) = (later, latest);
                }
            }
            naive.sort_by_key(|(time, _)| *time);
            let rest: Vec<u32> = naive.into_iter().map(|(_, number)| number).collect();
            assert_eq!(gone(&mut order, |order, each| order.finish(each)), rest);
            Ok(())
        });
    }
}
