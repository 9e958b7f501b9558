//! Policies of up to four ways as tables: sets of so few ways have at most 24 states, so a use is one look into a table.
//!
//! ```text
//! LRU of 4 ways, state 0: victim 0, then 1, 2, 3     a hit of way 2 leads to the state with victims 0, 1, 3, 2
//! ```

use super::{Replacement, Rule};
use pagewalk_base::narrow::index;

/// The most ways.
const MOST_WAYS: usize = 4;
/// A power of two above the numbers of all states: there are 24 orders of four ways.
const STATES: usize = 32;

/// The states that sets can reach under one policy. A set keeps the number of its state; 0 is that of an empty set.
#[derive(Debug, PartialEq)]
pub(crate) struct Few {
    /// For each state: its word under the same policy for more ways.
    words: Vec<u64>,
    /// For each state and way: the states after a hit, and after a fill.
    hits: [[u8; MOST_WAYS]; STATES],
    fills: [[u8; MOST_WAYS]; STATES],
    /// For each state: the victim, and the state after its way has a new entry.
    replaced: [[u8; 2]; STATES],
}

impl Few {
    /// Follows all hits and fills from an empty set on, by the rule for any number of ways. Returns `None` for more ways,
    /// and for a policy whose victims do not follow from its states.
    pub(super) fn new(rule: &Replacement) -> Option<Self> {
        if rule.n_ways as usize > MOST_WAYS || rule.is_random() {
            return None;
        }
        let mut words = vec![0];
        rule.reset(&mut words);
        let (hits, fills) = ([[0; MOST_WAYS]; STATES], [[0; MOST_WAYS]; STATES]);
        let mut few = Self { words, hits, fills, replaced: [[0; 2]; STATES] };
        let mut at = 0;
        while let Some(word) = few.words.get(at).copied() {
            for way in 0..rule.n_ways {
                let (mut hit, mut filled) = ([word], [word]);
                rule.hit(&mut hit, way);
                rule.fill(&mut filled, way);
                few.hits[at][way as usize] = few.number_of(hit[0])?;
                few.fills[at][way as usize] = few.number_of(filled[0])?;
            }
            let victim = rule.peek(&[word]);
            few.replaced[at] = [u8::try_from(victim).ok()?, few.fills[at][victim as usize]];
            at += 1;
        }
        Some(few)
    }

    /// Returns the number of a state, which is new if nothing has reached it yet.
    fn number_of(&mut self, word: u64) -> Option<u8> {
        let known = self.words.iter().position(|known| *known == word);
        let number = known.unwrap_or(self.words.len());
        if known.is_none() {
            self.words.push(word);
        }
        u8::try_from(number).ok().filter(|_| number < STATES)
    }

    pub(super) fn word_of(&self, state: u64) -> u64 {
        self.words[index(state)]
    }

    /// Returns the state of a word that [`Replacement`] made from the word of a state.
    pub(super) fn state_of(&self, word: u64) -> u64 {
        let number = self.words.iter().position(|known| *known == word);
        number.expect("hits and fills reach all states") as u64
    }
}

/// Sets keep numbers of states.
impl Rule for &Few {
    #[cfg_attr(feature = "fast", inline(always))]
    fn hit_word(&self, state: &mut u64, way: u32) {
        *state = self.hits[index(*state) % STATES][way as usize % MOST_WAYS].into();
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn fill_word(&self, state: &mut u64, way: u32) {
        *state = self.fills[index(*state) % STATES][way as usize % MOST_WAYS].into();
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn replace_word(&mut self, state: &mut u64) -> u32 {
        let [victim, next] = self.replaced[index(*state) % STATES];
        *state = next.into();
        victim.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caches::policy::Policy;
    use cases::cases;

    /// Compares each step with the same step of the rule for any number of ways.
    #[test]
    fn states_follow_the_rule_for_any_number_of_ways() {
        let all = Policy::ALL.iter().flat_map(|policy| (1..=4).map(|n_ways| (*policy, n_ways)));
        for (policy, n_ways) in all {
            if policy.ways_error(n_ways).is_some() || policy == Policy::Random {
                continue;
            }
            cases(300).check(|u| {
                let mut rule = Replacement::new(policy, n_ways, 1);
                let (mut state, mut word) = (rule.first_word(), [0]);
                rule.reset(&mut word);
                for _ in 0..u.int_in_range(0..=40)? {
                    let way = u.int_in_range(0..=n_ways - 1)?;
                    let first = u.int_in_range(0..=n_ways - 1)?;
                    let ways = match u.int_in_range(0..=3)? {
                        0 => {
                            rule.hit(&mut word, way);
                            rule.hit_word(&mut state, way);
                            (way, way)
                        }
                        1 => {
                            rule.fill(&mut word, way);
                            rule.fill_word(&mut state, way);
                            (way, way)
                        }
                        2 if policy.groups_error().is_none() => {
                            let among = (first, n_ways - first);
                            let victim = rule.replace_among(&mut word, among.0, among.1);
                            (victim, rule.replace_word_among(&mut state, among))
                        }
                        _ => (rule.replace(&mut word), rule.replace_word(&mut state)),
                    };
                    assert_eq!(ways.0, ways.1, "{policy:?} of {n_ways}");
                    assert_eq!(rule.peek(&word), rule.peek_word(state), "{policy:?} of {n_ways}");
                    assert_eq!(rule.few().map(|few| few.word_of(state)), Some(word[0]));
                }
                Ok(())
            });
        }
    }

    #[test]
    fn only_few_ways_with_victims_that_follow_have_a_table() {
        let has = |policy, n_ways| Replacement::new(policy, n_ways, 1).few().is_some();
        assert!(has(Policy::Lru, 4) && has(Policy::Fifo, 1) && has(Policy::TreePlru, 2));
        assert!(!has(Policy::Lru, 5) && !has(Policy::Random, 4));
    }
}
