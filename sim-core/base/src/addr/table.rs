//! Tables by level or by leaf.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use super::{Leaf, Level};

/// A number below 8 that is a key of a [`Table`].
pub trait Key: Copy {
    fn from_number(number: u8) -> Self;
    fn number(self) -> u8;
}

impl Key for Leaf {
    fn from_number(number: u8) -> Self {
        Self::from_bits(number.into())
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn number(self) -> u8 {
        self.number()
    }
}

impl Key for Level {
    fn from_number(number: u8) -> Self {
        Self::new(number)
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn number(self) -> u8 {
        self.number()
    }
}

/// The length of a table. It is a power of two, so that an index can be masked.
const PLACES: usize = 8;

/// One value for each key. Position 0 is unused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Table<K, T> {
    values: [T; PLACES],
    by: PhantomData<K>,
}

/// One value for each leaf.
pub type PerLeaf<T> = Table<Leaf, T>;
/// One value for each level.
pub type PerLevel<T> = Table<Level, T>;

/// Returns the position of a key. The mask changes nothing, but it shows the compiler that no bounds check is
/// needed.
#[cfg_attr(feature = "fast", inline(always))]
fn place(key: impl Key) -> usize {
    usize::from(key.number()) % PLACES
}

impl<K: Key, T> Table<K, T> {
    /// Fills a table with the value of each key.
    pub fn new(mut of: impl FnMut(K) -> T) -> Self {
        let values = [0, 1, 2, 3, 4, 5, 6, 7].map(|number| of(K::from_number(number)));
        Self { values, by: PhantomData }
    }

    /// Returns each key with its value.
    pub fn iter(&self) -> impl Iterator<Item = (K, &T)> {
        (0..).map(K::from_number).zip(&self.values).skip(1)
    }
}

impl<K: Key, T> Index<K> for Table<K, T> {
    type Output = T;

    #[cfg_attr(feature = "fast", inline(always))]
    fn index(&self, key: K) -> &T {
        &self.values[place(key)]
    }
}

impl<K: Key, T> IndexMut<K> for Table<K, T> {
    #[cfg_attr(feature = "fast", inline(always))]
    fn index_mut(&mut self, key: K) -> &mut T {
        &mut self.values[place(key)]
    }
}
