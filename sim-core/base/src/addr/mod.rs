//! Addresses, page sizes and the geometry of a radix page table.
//!
//! A page size is a shift (log2 of its bytes), never a fixed set of names: teaching machines have pages of 64 bytes,
//! Arm has granules of 16K and 64K.

mod entries;
mod groups;
mod leaf;
mod level;
mod paging;
mod rule;
mod table;
mod tags;

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

pub use entries::EntryFormat;
pub use leaf::Leaf;
pub use level::Level;
pub use paging::{Paging, TableFormat};
pub use rule::{AddressBits, AddressRule, Addresses, BitsOfAll};
pub use table::{PerLeaf, PerLevel};
pub use tags::AddressTags;

/// A number that JSON holds as hexadecimal text (`"0x7f3a1c2b5e48"`), because JavaScript numbers are exact only up
/// to 2⁵³.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, type = "string"))]
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

/// Reads a hexadecimal number: `0x1f` or `1f`. Returns `None` if the text is empty, not hexadecimal or needs more
/// than 64 bits.
pub fn parse_hex(text: &str) -> Option<u64> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    u64::from_str_radix(digits, 16).ok()
}

/// A page size as log2 of its bytes: 12 is 4K. JSON holds it as text: `"4K"`, `"2M"`, `"1G"`, `"64"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, type = "string"))]
pub struct PageSize(pub u8);

impl PageSize {
    pub const K4: Self = Self(12);
    pub const M2: Self = Self(21);
    pub const G1: Self = Self(30);

    /// Returns log2 of the page's bytes.
    pub fn shift(self) -> u32 {
        u32::from(self.0)
    }

    /// Returns the size in bytes.
    pub fn bytes(self) -> u64 {
        1 << self.0
    }

    /// Reads a page size such as `64`, `4K`, `2M` or `1G`. The number of bytes must be a power of two below 2⁶³.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = parse_size(text)?;
        let shift = u8::try_from(bytes.trailing_zeros()).ok()?;
        (bytes.is_power_of_two() && shift > 0 && shift < 63).then_some(Self(shift))
    }
}

/// Reads a number of bytes, with an optional unit `K`, `M`, `G` or `T` (powers of 1024).
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
    fn hexadecimal_over_64_bits_is_no_address() {
        assert_eq!(parse_hex("0xffffffffffffffff"), Some(u64::MAX));
        assert_eq!(parse_hex("1ffffffffffffffff"), None);
        assert_eq!(parse_hex("0x"), None);
        assert_eq!(parse_hex("+1"), None);
    }
}
