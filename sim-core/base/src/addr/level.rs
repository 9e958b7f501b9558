//! The level of a page table.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The level of a page table: 1 is the lowest, which maps the smallest pages, and the root of five levels is 5. A value is 0
/// only where no level is known yet.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
#[repr(transparent)]
pub struct Level(u8);

impl Level {
    /// The level of the tables that map the smallest pages.
    pub const LOWEST: Self = Self(1);

    /// Makes the level with this number.
    #[cfg_attr(feature = "fast", inline(always))]
    pub const fn new(number: u8) -> Self {
        Self(number)
    }

    /// Returns the number of the level; 1 is the lowest.
    #[cfg_attr(feature = "fast", inline(always))]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the level whose entries lead to tables of this level.
    #[cfg_attr(feature = "fast", inline(always))]
    #[must_use]
    pub const fn above(self) -> Self {
        Self(self.0 + 1)
    }

    /// Returns the level of the tables that entries of this level lead to.
    #[cfg_attr(feature = "fast", inline(always))]
    #[must_use]
    pub const fn below(self) -> Self {
        Self(self.0 - 1)
    }

    /// Returns the levels from this one up to `highest`, which is one of them.
    #[cfg_attr(feature = "fast", inline(always))]
    pub fn up_to(self, highest: Self) -> impl DoubleEndedIterator<Item = Self> {
        (self.0..=highest.0).map(Self)
    }

    /// Returns the levels from this one up, below `end`.
    #[cfg_attr(feature = "fast", inline(always))]
    pub fn until(self, end: Self) -> impl DoubleEndedIterator<Item = Self> {
        (self.0..end.0).map(Self)
    }

    /// Returns the number of entries that a walk reads from a table of this level down to one of `lowest`.
    #[cfg_attr(feature = "fast", inline(always))]
    pub fn reads_down_to(self, lowest: Self) -> u32 {
        u32::from(self.0 - lowest.0) + 1
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A number in TypeScript, as in JSON.
#[cfg(any(test, feature = "ts"))]
impl ts_rs::TS for Level {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn name(config: &ts_rs::Config) -> String {
        u8::name(config)
    }

    fn inline(config: &ts_rs::Config) -> String {
        u8::inline(config)
    }
}
