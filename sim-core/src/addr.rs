//! Addresses, page sizes and the geometry of a radix page table.
//!
//! A page size is a shift (log2 of its bytes), never a fixed set of names:
//! teaching machines have pages of 64 bytes, Arm has granules of 16K and 64K.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::error::{Error, Result};

/// A number that is written in hexadecimal text in JSON (`"0x7f3a1c2b5e48"`),
/// because JavaScript numbers are exact only up to 2⁵³.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export, type = "string"))]
pub struct Hex(pub u64);

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse_hex(&text).map(Self).ok_or_else(|| {
            de::Error::custom(format!("`{text}` is no address: write it like \"0x7f3a1c2b5e48\""))
        })
    }
}

/// Reads `0x1f` or `1f`; `None` if it is empty, not hexadecimal or over 64 bits.
pub fn parse_hex(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    u64::from_str_radix(digits, 16).ok()
}

/// A page size as log2 of its bytes: 12 is 4K. Written `"4K"`, `"2M"`, `"1G"`, `"64"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export, type = "string"))]
pub struct PageSize(pub u8);

impl PageSize {
    pub const K4: Self = Self(12);
    pub const M2: Self = Self(21);
    pub const G1: Self = Self(30);

    pub fn shift(self) -> u32 {
        u32::from(self.0)
    }

    pub fn bytes(self) -> u64 {
        1 << self.0
    }

    /// Reads `64`, `4K`, `2M`, `1G`, `512G`: a power of two below 2⁶³.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = parse_size(text)?;
        let shift = u8::try_from(bytes.trailing_zeros()).ok()?;
        (bytes.is_power_of_two() && shift > 0 && shift < 63).then_some(Self(shift))
    }
}

/// Reads a number of bytes with an optional unit `K`, `M`, `G` or `T` (powers of 1024).
pub fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let unit = text.bytes().last()?;
    let shift = match unit.to_ascii_uppercase() {
        b'K' => 10,
        b'M' => 20,
        b'G' => 30,
        b'T' => 40,
        _ => 0,
    };
    let digits = if shift == 0 { text } else { &text[..text.len() - 1] };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

impl fmt::Display for PageSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, low) = match self.0 {
            0..10 => ("", 0),
            10..20 => ("K", 10),
            20..30 => ("M", 20),
            30..40 => ("G", 30),
            _ => ("T", 40),
        };
        write!(f, "{}{unit}", 1u64 << (self.0 - low))
    }
}

impl Serialize for PageSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for PageSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| {
            de::Error::custom(format!(
                "`{text}` is no page size: write a power of two such as \"4K\", \"2M\" or \"1G\""
            ))
        })
    }
}

/// The shape of a radix page table. Level 1 is the lowest table; a table of
/// level `l` is indexed by `index_bits[n - l]` bits of the address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub struct Paging {
    /// Bits of the offset in the smallest page, 1 to 16.
    pub offset_bits: u8,
    /// Index bits of each level, the root first; 1 to 5 levels of 1 to 16 bits.
    pub index_bits: Vec<u8>,
    /// Levels whose entries may map a page; level 1 always may. Missing = 1 to 3, as far as they exist.
    pub leaf_levels: Vec<u8>,
}

impl Default for Paging {
    fn default() -> Self {
        Self { offset_bits: 12, index_bits: vec![9; 4], leaf_levels: Vec::new() }
    }
}

impl Paging {
    /// Intel 4- or 5-level paging (SDM vol. 3, chapter 4): 9 bits a level, pages of 4K, 2M and 1G.
    pub fn x86(levels: u8) -> Self {
        Self {
            offset_bits: 12,
            index_bits: vec![9; usize::from(levels)],
            leaf_levels: vec![1, 2, 3],
        }
    }

    #[must_use]
    pub(crate) fn with_default_leaves(mut self) -> Self {
        if self.leaf_levels.is_empty() {
            self.leaf_levels =
                (1..=3).filter(|level| usize::from(*level) <= self.index_bits.len()).collect();
        }
        self
    }

    /// # Errors
    /// `bad-config` if a number is out of range or the address would exceed 57 bits.
    pub fn check(&self) -> Result<()> {
        if !(1..=16).contains(&self.offset_bits) {
            return Err(Error::config("offset_bits", "must be 1 to 16"));
        }
        if !(1..=5).contains(&self.index_bits.len()) {
            return Err(Error::config("index_bits", "must list 1 to 5 levels, the root first"));
        }
        if let Some(at) = self.index_bits.iter().position(|bits| !(1..=16).contains(bits)) {
            return Err(Error::config(format!("index_bits[{at}]"), "must be 1 to 16"));
        }
        if self.va_bits() > 57 {
            return Err(Error::config("index_bits", "offset and indices must not exceed 57 bits"));
        }
        if !self.leaf_levels.contains(&1) {
            return Err(Error::config(
                "leaf_levels",
                "must contain 1: the lowest table maps pages",
            ));
        }
        let n = self.index_bits.len();
        if let Some(level) = self.leaf_levels.iter().find(|l| **l == 0 || usize::from(**l) > n) {
            return Err(Error::config(
                "leaf_levels",
                format!("{level} is no level: there are {n}"),
            ));
        }
        Ok(())
    }

    /// The number of levels, 1 to 5.
    pub fn n_levels(&self) -> u8 {
        u8::try_from(self.index_bits.len()).expect("at most 5 levels")
    }

    /// The lowest address bit that indexes the table of `level` (1 = lowest).
    pub fn shift(&self, level: u8) -> u32 {
        let below = usize::from(level - 1);
        u32::from(self.offset_bits)
            + self.index_bits.iter().rev().take(below).map(|b| u32::from(*b)).sum::<u32>()
    }

    /// The number of index bits at `level`.
    pub fn bits(&self, level: u8) -> u32 {
        u32::from(self.index_bits[self.index_bits.len() - usize::from(level)])
    }

    pub fn index(&self, address: u64, level: u8) -> u64 {
        address >> self.shift(level) & ((1 << self.bits(level)) - 1)
    }

    /// The bits of a virtual address that translation looks at.
    pub fn va_bits(&self) -> u32 {
        u32::from(self.offset_bits) + self.index_bits.iter().map(|b| u32::from(*b)).sum::<u32>()
    }

    pub fn va_mask(&self) -> u64 {
        (1 << self.va_bits()) - 1
    }

    /// The page size that an entry of `level` maps.
    pub fn size_of(&self, level: u8) -> PageSize {
        PageSize(u8::try_from(self.shift(level)).expect("below 64"))
    }

    /// The level whose entries map pages of `size`, if one does.
    pub fn leaf_level(&self, size: PageSize) -> Option<u8> {
        (1..=self.n_levels()).find(|l| self.leaf_levels.contains(l) && self.size_of(*l) == size)
    }

    /// The page sizes, the smallest first.
    pub fn sizes(&self) -> Vec<PageSize> {
        (1..=self.n_levels())
            .filter(|l| self.leaf_levels.contains(l))
            .map(|l| self.size_of(l))
            .collect()
    }

    /// The usual name of the table of `level`: PT, PD, PDPT, PML4, PML5 where the
    /// geometry is Intel's, else `L1`, `L2`, ….
    pub fn table_name(&self, level: u8) -> String {
        if self.offset_bits == 12 && self.n_levels() >= 4 && self.index_bits.iter().all(|b| *b == 9)
        {
            let names = ["PT", "PD", "PDPT", "PML4", "PML5"];
            return names[usize::from(level - 1)].to_owned();
        }
        format!("L{level}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_sizes_are_read_and_written_as_people_do() {
        for text in ["64", "512", "4K", "16K", "2M", "1G", "512G", "1T"] {
            assert_eq!(PageSize::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "K", "3K", "0", "1", "4k5", "-4K", "99999999999G"] {
            assert_eq!(PageSize::parse(text), None, "{text}");
        }
    }

    #[test]
    fn an_address_splits_9_9_9_9_12() {
        let paging = Paging::x86(4);
        let indices: Vec<u64> = (1..=4).rev().map(|l| paging.index(0x7f3a_1c2b_5e48, l)).collect();
        assert_eq!(indices, [254, 232, 225, 181]);
        assert_eq!(paging.leaf_level(PageSize::G1), Some(3));
        assert_eq!(paging.leaf_level(PageSize(39)), None);
    }

    #[test]
    fn hexadecimal_over_64_bits_is_no_address() {
        assert_eq!(parse_hex("0xffffffffffffffff"), Some(u64::MAX));
        assert_eq!(parse_hex("1ffffffffffffffff"), None);
        assert_eq!(parse_hex("0x"), None);
        assert_eq!(parse_hex("+1"), None);
    }
}
