//! The interface between a policy and a set whose state is one word.
//!
//! [`Replacement`] implements the trait for every policy, [`Lru`] and [`Groups`] for one policy each, and [`Few`] for all
//! policies of up to four ways. Loops over many sets are compiled for these: only the copy for `Replacement` needs a
//! branch on the policy at each use. [`Evicting`] is one of them for full sets.

use super::{Few, Layout, Replacement, Word, group_victim, queue_to_back, touch};
use pagewalk_base::narrow::low32;
use pagewalk_base::whole::IS_WHOLE;

/// A policy of sets whose state is one word.
pub(crate) trait Rule {
    /// Whether all sets are full, so that each new entry evicts one.
    const EVICTS: bool = false;
    /// Records a hit in `way`.
    fn hit_word(&self, state: &mut u64, way: u32);
    /// Records that `way`, which was empty, has an entry.
    fn fill_word(&self, state: &mut u64, way: u32);
    /// Chooses the victim of a full set, and records that its way has a new entry.
    fn replace_word(&mut self, state: &mut u64) -> u32;
}

/// A policy of sets that are all full. Loops over such sets need not look for empty ways.
pub(crate) struct Evicting<R>(pub(crate) R);

impl<R: Rule> Rule for Evicting<R> {
    const EVICTS: bool = true;

    #[cfg_attr(feature = "fast", inline(always))]
    fn hit_word(&self, state: &mut u64, way: u32) {
        self.0.hit_word(state, way);
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn fill_word(&self, state: &mut u64, way: u32) {
        self.0.fill_word(state, way);
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn replace_word(&mut self, state: &mut u64) -> u32 {
        self.0.replace_word(state)
    }
}

/// LRU of up to 16 ways: nibble `r` of the state is the way at rank `r`. Rank 0 is the next victim.
#[derive(Clone, Copy)]
pub(crate) struct Lru {
    /// The lowest bit of the last rank. Multiplying by it is a shift that needs no register of its own.
    last: u64,
}

impl Rule for Lru {
    #[cfg_attr(feature = "fast", inline(always))]
    fn hit_word(&self, state: &mut u64, way: u32) {
        // The usual case: a repeat on the way used last changes nothing.
        if *state ^ (u64::from(way) * self.last) >= self.last {
            *state = queue_to_back(*state, way, self.last);
        }
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn fill_word(&self, state: &mut u64, way: u32) {
        *state = queue_to_back(*state, way, self.last);
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn replace_word(&mut self, state: &mut u64) -> u32 {
        // The victim is at rank 0: the queue rotates.
        let victim = *state & 0xf;
        *state = *state >> 4 | (victim * self.last);
        low32(victim)
    }
}

/// The policy `mru3-plru4`, with the new bits of each way in a table.
#[derive(Clone)]
pub(crate) struct Groups {
    touches: [(u64, u64); 16],
}

impl Rule for Groups {
    #[cfg_attr(feature = "fast", inline(always))]
    fn hit_word(&self, state: &mut u64, way: u32) {
        touch(&self.touches, state, way);
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn fill_word(&self, state: &mut u64, way: u32) {
        touch(&self.touches, state, way);
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn replace_word(&mut self, state: &mut u64) -> u32 {
        let victim = group_victim(*state);
        touch(&self.touches, state, victim);
        victim
    }
}

impl Rule for Replacement {
    #[cfg_attr(feature = "fast", inline(always))]
    fn hit_word(&self, state: &mut u64, way: u32) {
        match &self.word {
            Word::Few(few) if IS_WHOLE => (&**few).hit_word(state, way),
            Word::Lru => self.queue().hit_word(state, way),
            Word::Fifo => {}
            Word::Touch => touch(&self.touches, state, way),
            Word::Few(_) | Word::Other => self.hit(std::slice::from_mut(state), way),
        }
    }

    fn fill_word(&self, state: &mut u64, way: u32) {
        match self.few() {
            Some(few) => few.fill_word(state, way),
            None => self.fill(std::slice::from_mut(state), way),
        }
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn replace_word(&mut self, state: &mut u64) -> u32 {
        match &self.word {
            Word::Few(few) if IS_WHOLE => (&mut &**few).replace_word(state),
            Word::Lru | Word::Fifo => self.queue().replace_word(state),
            Word::Touch => {
                let victim = self.victim(*state);
                touch(&self.touches, state, victim);
                victim
            }
            Word::Few(_) | Word::Other => self.replace(std::slice::from_mut(state)),
        }
    }
}

impl Replacement {
    /// Returns the policy as a table, if it has at most four ways.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn few(&self) -> Option<&Few> {
        match &self.word {
            Word::Few(few) if IS_WHOLE => Some(few),
            _ => None,
        }
    }

    /// Returns the word of an empty set.
    pub(crate) fn first_word(&self) -> u64 {
        let mut words = vec![0; self.n_words()];
        self.reset(&mut words);
        if self.few().is_some() { 0 } else { words[0] }
    }

    /// Does the same as [`Self::peek`] for a set of one word.
    pub(crate) fn peek_word(&self, state: u64) -> u32 {
        self.peek(&[self.few().map_or(state, |few| few.word_of(state))])
    }

    /// Does the same as [`Self::replace_among`] for a set of one word.
    pub(crate) fn replace_word_among(&mut self, state: &mut u64, (first, n): (u32, u32)) -> u32 {
        let mut words = [self.few().map_or(*state, |few| few.word_of(*state))];
        let victim = self.replace_among(&mut words, first, n);
        *state = self.few().map_or(words[0], |few| few.state_of(words[0]));
        victim
    }

    /// Returns the policy as [`Lru`], if it is LRU and has no more than 16 ways.
    pub(crate) fn lru(&self) -> Option<Lru> {
        (self.layout == Layout::Queue { touch_on_hit: true }).then(|| self.queue())
    }

    /// Returns the policy as [`Groups`], if it is `mru3-plru4`.
    pub(crate) fn groups(&self) -> Option<Groups> {
        (self.layout == Layout::Groups).then_some(Groups { touches: self.touches })
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn queue(&self) -> Lru {
        Lru { last: self.last }
    }
}
