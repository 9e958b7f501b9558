//! A map of few keys, sorted, in one list.
//!
//! Its code is a tenth of that of a `BTreeMap`, which each pair of types has anew, and the site loads the code before it shows
//! anything. An insertion moves all later entries, so the keys must be few, whatever a file says.

use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Index;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::{Serialize, Serializer};

/// The entries of a map in the order of their keys.
pub type Iter<'a, K, V> = std::iter::Map<std::slice::Iter<'a, (K, V)>, fn(&(K, V)) -> (&K, &V)>;

/// A map of few keys in their order. In JSON it is an object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SmallMap<K, V>(Vec<(K, V)>);

impl<K, V> SmallMap<K, V> {
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[must_use]
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the entries in the order of their keys.
    pub fn iter(&self) -> Iter<'_, K, V> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps the entries that fit.
    pub fn retain(&mut self, fits: impl Fn(&K, &V) -> bool) {
        self.0.retain(|(key, value)| fits(key, value));
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.0.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator {
        self.0.iter().map(|(_, value)| value)
    }
}

impl<K: Ord, V> SmallMap<K, V> {
    /// Returns the position of a key, or where it would be.
    fn find<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.0.binary_search_by(|(known, _)| known.borrow().cmp(key))
    }

    #[must_use]
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|at| &self.0[at].1)
    }

    /// Sets the value of a key, and returns the one that it had.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.find(&key) {
            Ok(at) => Some(std::mem::replace(&mut self.0[at].1, value)),
            Err(at) => {
                self.0.insert(at, (key, value));
                None
            }
        }
    }

    /// Removes a key, and returns its value.
    pub fn remove<Q: Ord + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.find(key).ok().map(|at| self.0.remove(at).1)
    }

    /// Returns the value of a key, which is the default one if there was none.
    pub fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        let at = self.find(&key).unwrap_or_else(|at| {
            self.0.insert(at, (key, V::default()));
            at
        });
        &mut self.0[at].1
    }
}

/// The value of a key. Panics if there is none.
impl<K: Ord + Borrow<Q>, V, Q: Ord + ?Sized> Index<&Q> for SmallMap<K, V> {
    type Output = V;

    fn index(&self, key: &Q) -> &V {
        match self.find(key) {
            Ok(at) => &self.0[at].1,
            Err(at) => panic!("the map does not have the key, which would be entry {at}"),
        }
    }
}

impl<K, V> Default for SmallMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Ord, V> FromIterator<(K, V)> for SmallMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

impl<K: Ord, V, const N: usize> From<[(K, V); N]> for SmallMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

impl<'a, K, V> IntoIterator for &'a SmallMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K, V> IntoIterator for SmallMap<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for SmallMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<K: Serialize, V: Serialize> Serialize for SmallMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Deserialize<'de> for SmallMap<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<K, V>(PhantomData<(K, V)>);

        impl<'de, K: Deserialize<'de> + Ord, V: Deserialize<'de>> Visitor<'de> for Entries<K, V> {
            type Value = SmallMap<K, V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
                let mut map = SmallMap::new();
                while let Some((key, value)) = entries.next_entry()? {
                    map.insert(key, value);
                }
                Ok(map)
            }
        }

        deserializer.deserialize_map(Entries(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use cases::cases;

    #[test]
    fn a_small_map_does_what_a_btree_map_does() {
        cases(300).check(|u| {
            let (mut map, mut slow) = (SmallMap::new(), BTreeMap::new());
            for _ in 0..u.int_in_range(0..=40)? {
                let (key, value) = (u.int_in_range(0..=15u8)?, u.arbitrary::<u16>()?);
                match u.int_in_range(0..=3)? {
                    0 => assert_eq!(map.remove(&key), slow.remove(&key)),
                    1 => assert_eq!(map.or_default(key), slow.entry(key).or_default()),
                    _ => assert_eq!(map.insert(key, value), slow.insert(key, value)),
                }
                assert_eq!(map.get(&key), slow.get(&key));
                assert_eq!((map.len(), map.is_empty()), (slow.len(), slow.is_empty()));
            }
            map.retain(|key, _| key % 4 > 0);
            slow.retain(|key, _| key % 4 > 0);
            assert!(map.iter().eq(slow.iter()) && map.keys().eq(slow.keys()));
            assert!(map.values().eq(slow.values()));
            assert_eq!(format!("{map:?}"), format!("{slow:?}"));
            let json = serde_json::to_string(&map).unwrap();
            assert_eq!(json, serde_json::to_string(&slow).unwrap());
            assert_eq!(serde_json::from_str::<SmallMap<u8, u16>>(&json).unwrap(), map);
            assert_eq!(slow.into_iter().rev().collect::<SmallMap<_, _>>(), map);
            Ok(())
        });
    }
}
