//! Visits all entries of an array, and removes some of them.
//!
//! A removal does not change the state of the policy. The next fill takes the way because it is empty, not because
//! it is the victim.

use super::{SetAssoc, Sets, in_layout};

impl<T: Copy + Default> SetAssoc<T> {
    /// Calls `visit` with the set, way, tag and data of every entry, and removes the entries for which it
    /// returns true.
    pub(crate) fn sweep(&mut self, mut visit: impl FnMut(usize, u32, u64, &mut T) -> bool) {
        in_layout!(&mut self.sets,
            sets => for (number, set) in sets.iter_mut().enumerate() {
                set.sweep(|way, tag, data| visit(number, way, tag, data));
            },
            many => many.sweep(visit));
    }
}

#[cfg(test)]
mod tests {
    use crate::caches::policy::Policy;
    use crate::caches::set_assoc::{EMPTY, Geometry, SetAssoc};
    use cases::cases;

    /// Compares with a list of ways per set: the entries that were not removed remain, and a fill takes the lowest
    /// empty way. Many tags are equal in one half, to each other and to the tag of an empty way.
    #[test]
    fn what_is_removed_is_gone_and_the_rest_stays_where_it_is() {
        for n_ways in [1, 2, 4, 12, 16, 17, 40] {
            cases(800).check(|u| {
                let geometry = Geometry { n_sets: 4, n_ways };
                let mut array: SetAssoc<u32> = SetAssoc::new(geometry, Policy::Lru, 1);
                let mut twin = vec![vec![None; n_ways as usize]; 4];
                for _ in 0..u.int_in_range(0..=60)? {
                    let low = u.int_in_range(0..=17)?;
                    let high = u.int_in_range(0..=2u64)?;
                    let tag = high << 32 | if low == 17 { EMPTY >> 32 } else { low };
                    let set = (tag % 4) as usize;
                    if u.ratio(1, 8)? {
                        let (modulus, rest) =
                            (u.int_in_range(1..=5u64)?, u.int_in_range(0..=4u64)?);
                        let mut n = 0;
                        array.sweep(|set, way, tag, data| {
                            assert_eq!(twin[set][way as usize], Some((tag, *data)));
                            n += 1;
                            tag % modulus == rest
                        });
                        assert_eq!(n, twin.iter().flatten().flatten().count());
                        for way in twin.iter_mut().flatten() {
                            *way = way.filter(|(tag, _): &(u64, u32)| tag % modulus != rest);
                        }
                    } else if array.lookup(set, tag).is_none() {
                        let data = u.arbitrary()?;
                        let empty = twin[set].iter().position(Option::is_none);
                        let filled = array.insert_absent(set, tag, data);
                        if let Some(empty) = empty {
                            assert_eq!((filled.way as usize, filled.evicted), (empty, EMPTY));
                        }
                        twin[set][filled.way as usize] = Some((tag, data));
                    }
                    for (set, ways) in twin.iter().enumerate() {
                        for (way, held) in (0..).zip(ways) {
                            let (tag, data) = array.at(set, way);
                            assert_eq!(Some((tag, data)).filter(|_| tag != EMPTY), *held);
                        }
                    }
                }
                Ok(())
            });
        }
    }
}
