//! One set of lines: tags in order of use, the one used last first, compared and moved several at a time.
//!
//! ```text
//! read d:  | a | b | d | c |     tags before a hit are moved one place up, and the read tag is put in front;
//!          | d | a | b | c |     after a miss, the last tag makes room
//! ```

use super::lanes::Lanes;

/// A set of up to `V` vectors of tags. The tags of empty ways come last. Places beyond the cache's number of ways stay
/// empty. The alignment is half a cache line of the computer that simulates.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub(super) struct Set<L, const V: usize>([L; V]);

impl<L: Lanes, const V: usize> Set<L, V> {
    pub(super) fn empty() -> Self {
        Self([L::splat(u64::MAX); V])
    }

    /// Reads a line, and fills it after a miss. Returns true for a hit. `last` is the last place that is in use. Each
    /// read writes all tags, so that no branch depends on a hit.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn read_line(&mut self, line: u64, set_bits: u32, last: u32) -> bool {
        let wanted = L::splat(L::tag_of(line, set_bits));
        let held = self.places_of(wanted);
        let place = (held | 1 << last).trailing_zeros() as usize;
        let mut before = wanted;
        for (number, tags) in self.0.iter_mut().enumerate() {
            let old = *tags;
            *tags = L::up_to(place, number).select(old.push(before), old);
            before = old;
        }
        held != 0
    }

    /// Does the same as [`Self::read_line`], and changes nothing if the line is the one that was used last. A single read often
    /// repeats the one before.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn read_one(&mut self, line: u64, set_bits: u32, last: u32) -> bool {
        self.latest() == L::tag_of(line, set_bits) || self.read_line(line, set_bits, last)
    }

    /// Returns one bit for each place that has the tag in all lanes of `wanted`.
    #[cfg_attr(feature = "fast", inline(always))]
    fn places_of(&self, wanted: L) -> u32 {
        let vectors = self.0.iter().enumerate();
        vectors.fold(0, |bits, (number, tags)| bits | tags.equal(wanted) << (number * L::N))
    }

    /// Returns the place of a line.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn find_line(&self, line: u64, set_bits: u32) -> Option<usize> {
        let held = self.places_of(L::splat(L::tag_of(line, set_bits)));
        (held != 0).then_some(held.trailing_zeros() as usize)
    }

    /// Returns the tag that was used last.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn latest(&self) -> u64 {
        self.0[0].at(0)
    }

    /// Gives a place to another line.
    pub(super) fn put_line(&mut self, place: usize, line: u64, set_bits: u32) {
        self.put(place, L::tag_of(line, set_bits));
    }

    fn put(&mut self, place: usize, tag: u64) {
        self.0[place / L::N % V].put(place % L::N, tag);
    }

    fn at(&self, place: usize) -> u64 {
        self.0[place / L::N % V].at(place % L::N)
    }

    /// Moves the tag at each place of `to` to the place that `to` holds there.
    pub(super) fn arrange(&mut self, to: &[usize]) {
        let old = *self;
        for (from, to) in to.iter().enumerate() {
            self.put(*to, old.at(from));
        }
    }

    /// Returns the same set with wider tags.
    pub(super) fn widened<M: Lanes, const W: usize>(&self, set_bits: u32) -> Set<M, W> {
        let mut wide = Set::empty();
        for place in 0..(V * L::N).min(W * M::N) {
            if self.at(place) != L::EMPTY {
                wide.put(place, L::whole_tag(self.at(place), set_bits));
            }
        }
        wide
    }
}
