//! Tags: the numbers that identify an entry in its set.

use pagewalk_base::addr::{Leaf, Level, Paging};
use pagewalk_base::whole::IS_WHOLE;

/// The layout of a tag: page number, class, owner, from the lowest bit. The owner is the number of a context; in the
/// caches of a host it is the number of a virtual machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TagLayout {
    number_bits: u32,
}

/// The key of a lookup. The loops of the fast paths keep the number and the tag in two registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// The number of a page, or the prefix of an address: it chooses the set.
    pub(crate) number: u64,
    /// The number with the bits of its class. The tag distinguishes the entries of a set.
    pub(crate) tag: u64,
}

impl Key {
    /// Makes a key. `class` comes from [`TagLayout::page_class`] or [`TagLayout::table_class`].
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) const fn new(number: u64, class: u64) -> Self {
        Self { number, tag: number | class }
    }
}

/// The class of a tag: what its entry holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// The translation of a page.
    Page(Leaf),
    /// The entry that leads to a table of this level.
    Table(Level),
    /// The translation of a guest-physical page, inside a TLB array. The leaf is the host's, and the owner is the number
    /// of a virtual machine.
    HostPage(Leaf),
}

impl Class {
    /// Returns whether the entry leads to a table.
    pub(crate) fn is_table(self) -> bool {
        matches!(self, Self::Table(_))
    }

    /// Returns the leaf whose shift turns an address into the number of the tag. If the entry leads to a table, the
    /// number is that of the address range which the table translates.
    pub(crate) fn number_leaf(self) -> Leaf {
        match self {
            Self::Page(leaf) | Self::HostPage(leaf) => leaf,
            Self::Table(level) => Leaf::of(level.above()),
        }
    }
}

/// The highest bit marks a translation of a guest-physical page. Owners end below it.
const HOST: u64 = 1 << 63;
/// Classes below 8 are leaves. From 8 on they are the levels of tables.
const TABLE_CLASS: u64 = 8;
const CLASS_BITS: u32 = 4;
/// The tags of the eight pages of a TLB block differ in their lowest three bits, also where there are fewer pages.
const LEAST_NUMBER_BITS: u32 = 3;

impl TagLayout {
    pub(crate) fn new(paging: &Paging) -> Self {
        let bits = u32::from(paging.rule().width() - paging.offset_bits);
        Self { number_bits: bits.max(LEAST_NUMBER_BITS) }
    }

    /// Returns the layout of an array that also holds the pages of a host.
    pub(crate) fn with_host(self, host: &Paging) -> Self {
        Self { number_bits: self.number_bits.max(Self::new(host).number_bits) }
    }

    /// Returns the owner of global entries, which every context may use: the highest number that fits above the
    /// longest page number.
    pub(crate) fn global(self) -> u32 {
        (1 << (63 - CLASS_BITS - self.number_bits).min(31)) - 1
    }

    /// Returns the bits that turn the number of a page of `leaf` into its tag.
    #[inline]
    pub(crate) fn page_class(self, leaf: Leaf, owner: u32) -> u64 {
        self.class_bits(leaf.number().into(), owner)
    }

    /// Returns the bits that turn the number of a guest-physical page of `leaf` into its tag.
    #[inline]
    pub(crate) fn host_page_class(self, leaf: Leaf, vm: u32) -> u64 {
        self.page_class(leaf, vm) | HOST
    }

    /// Returns whether the entry translates a guest-physical page.
    #[inline]
    pub(crate) fn is_host_page(tag: u64) -> bool {
        IS_WHOLE && tag & HOST != 0
    }

    /// Returns the bits that turn an address prefix into the tag of the entry that leads to a table of `level`.
    #[inline]
    pub(crate) fn table_class(self, level: Level, owner: u32) -> u64 {
        self.class_bits(TABLE_CLASS + u64::from(level.number()), owner)
    }

    #[inline]
    fn class_bits(self, class: u64, owner: u32) -> u64 {
        (class | u64::from(owner) << CLASS_BITS) << self.number_bits
    }

    pub(crate) fn number(self, tag: u64) -> u64 {
        tag & ((1 << self.number_bits) - 1)
    }

    /// Returns the key whose tag is `tag`.
    pub(crate) fn key(self, tag: u64) -> Key {
        Key { number: self.number(tag), tag }
    }

    pub(crate) fn class(self, tag: u64) -> Class {
        let class = tag >> self.number_bits;
        let leaf = Leaf::from_bits(class);
        if Self::is_host_page(tag) {
            Class::HostPage(leaf)
        } else if class & TABLE_CLASS == 0 {
            Class::Page(leaf)
        } else {
            Class::Table(Level::new(leaf.number()))
        }
    }

    pub(crate) fn owner(self, tag: u64) -> u32 {
        let tag = if IS_WHOLE { tag & !HOST } else { tag };
        u32::try_from(tag >> self.number_bits >> CLASS_BITS).unwrap_or(u32::MAX)
    }
}
