//! The leaf: which entries map a page.

use super::Level;

/// Which entries map a page: a number that stands for the page's size.
///
/// | leaf | what maps the page |
/// |---|---|
/// | 1 to 5 | one entry of the table of that level |
/// | 6 and 7 | a group of neighbouring entries; a machine has at most two groups |
///
/// Everything that depends on the page size (shifts, tags, TLB arrays) is a table by leaf, so a group needs no rule of its
/// own. A leaf is always below 8. No page has leaf 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Leaf(u8);

/// The first leaf that is a group; all leaves above are groups, too.
const FIRST_GROUP: u8 = 6;
/// The mask of a leaf's bits in a packed number.
const BITS: u8 = 7;

impl Leaf {
    /// The leaf of the smallest page: one entry of the lowest table.
    pub const SMALLEST: Self = Self::of(Level::LOWEST);

    /// Returns the leaf that is one entry of the table of `level`.
    #[cfg_attr(feature = "fast", inline(always))]
    pub const fn of(level: Level) -> Self {
        Self(level.number() & BITS)
    }

    /// Returns each of the leaves once, by rising number. A machine has few.
    pub fn distinct(leaves: impl Iterator<Item = Self>) -> Vec<Self> {
        let mut distinct = Vec::new();
        for leaf in leaves {
            if let Err(at) = distinct.binary_search(&leaf) {
                distinct.insert(at, leaf);
            }
        }
        distinct
    }

    /// Returns the level of the one entry that maps the page, or `None` for a group.
    pub fn level(self) -> Option<Level> {
        (!self.is_group()).then_some(Level::new(self.0))
    }

    /// Returns the leaf in the lowest bits of a packed number, see [`Self::number`].
    #[cfg_attr(feature = "fast", inline(always))]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits.to_le_bytes()[0] & BITS)
    }

    /// Returns all leaves, the single entries first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (1..=BITS).map(Self)
    }

    /// Returns the leaves that are groups.
    pub fn groups() -> impl DoubleEndedIterator<Item = Self> {
        (FIRST_GROUP..=BITS).map(Self)
    }

    /// Returns whether several entries together map the page.
    #[cfg_attr(feature = "fast", inline(always))]
    pub const fn is_group(self) -> bool {
        self.0 >= FIRST_GROUP
    }

    /// Returns the number of the group, counted from 0, or `None` for a single entry.
    pub(super) fn group_number(self) -> Option<usize> {
        self.0.checked_sub(FIRST_GROUP).map(usize::from)
    }

    /// Returns the leaf as a number below 8, to pack it with other bits.
    #[cfg_attr(feature = "fast", inline(always))]
    pub const fn number(self) -> u8 {
        self.0
    }
}
