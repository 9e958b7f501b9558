//! The rule for the addresses that a machine translates. An access to any other address ends with an exception.

use serde::{Deserialize, Serialize};

use super::{AddressTags, Hex, Paging};

/// The rule for the address bits above those that the tables translate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Addresses {
    /// x86: the bits copy the highest translated bit, otherwise #GP (Intel SDM vol. 1, 3.3.7.1).
    Canonical,
    /// RISC-V: the bits copy the highest translated bit, otherwise a page fault (Privileged Architecture, Sv39).
    SignExtended,
    /// Arm: the bits are all 0 or all 1, otherwise a translation fault. Each half has its own tables, from TTBR0 and
    /// TTBR1 (Arm Architecture Reference Manual, D8.2).
    TwoHalves,
    /// Teaching machines: the bits are 0, otherwise an address error.
    ZeroExtended,
}

impl Addresses {
    /// Returns the default rule of a geometry. Only Arm's entries have a contiguous bit. Tables of 512 entries for
    /// pages of 4K are those of x86; with levels or pages that x86 does not have, they are RISC-V's.
    pub(super) fn of(paging: &Paging) -> Self {
        let has_512 = paging.offset_bits == 12 && paging.index_bits.iter().all(|bits| *bits == 9);
        match paging.index_bits.len() {
            _ if !paging.contiguous.is_empty() => Self::TwoHalves,
            4.. if has_512 && paging.leaf_levels.iter().all(|level| level.number() <= 3) => {
                Self::Canonical
            }
            3.. if has_512 => Self::SignExtended,
            _ => Self::ZeroExtended,
        }
    }

    /// Returns the name of the exception for an address that the machine does not translate.
    pub fn fault(self) -> &'static str {
        match self {
            Self::Canonical => "#GP",
            Self::SignExtended => "page fault",
            Self::TwoHalves => "translation fault",
            Self::ZeroExtended => "address error",
        }
    }

    /// Returns the cause of the exception in words.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Canonical => "the address is not canonical",
            Self::SignExtended => "the address is not sign-extended",
            Self::TwoHalves => "the address is in neither half of the address space",
            Self::ZeroExtended => "the address has more bits than the machine translates",
        }
    }
}

/// The number of bits that an address needs. For a set of addresses, the number that each of them fits in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AddressBits {
    /// The fewest bits with which the address is canonical: all higher bits copy the highest of these.
    pub signed: u8,
    /// The fewest bits that hold the address: all higher bits are 0.
    pub unsigned: u8,
}

impl AddressBits {
    #[inline]
    pub fn of(address: u64) -> Self {
        let zeros = address.leading_zeros();
        let copies = zeros.max(address.leading_ones());
        let narrow = |bits: u32| u8::try_from(bits).expect("at most 64");
        Self { signed: narrow(65 - copies.max(1)), unsigned: narrow(64 - zeros) }
    }

    /// Returns the bits that hold both addresses.
    #[must_use]
    #[inline]
    pub fn max(self, other: Self) -> Self {
        Self { signed: self.signed.max(other.signed), unsigned: self.unsigned.max(other.unsigned) }
    }
}

/// Collects the bits that addresses need.
#[derive(Clone, Copy, Debug, Default)]
pub struct BitsOfAll {
    /// The bits that are 1 in any address, and those that differ from the address's highest bit.
    ones: u64,
    turns: u64,
}

impl BitsOfAll {
    #[inline]
    pub fn add(&mut self, address: u64) {
        self.ones |= address;
        self.turns |= address ^ (address.cast_signed() >> 63).cast_unsigned();
    }

    /// Returns the bits that hold all addresses, of which there is one at least.
    pub fn bits(self) -> AddressBits {
        AddressBits {
            signed: AddressBits::of(self.turns).signed,
            unsigned: AddressBits::of(self.ones).unsigned,
        }
    }
}

/// The rule of a geometry, with its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressRule {
    pub addresses: Addresses,
    /// The bits in which accesses may have a tag. The rule does not check them.
    pub tags: Option<AddressTags>,
    /// The number of bits that the tables translate.
    translated: u8,
    /// The number that is added to an address before the check: if the address is translated, the sum has no bit
    /// from `width` on.
    bias: u64,
    width: u8,
}

impl AddressRule {
    pub(super) fn new(addresses: Addresses, translated: u8, tags: Option<AddressTags>) -> Self {
        let width = translated + u8::from(addresses == Addresses::TwoHalves);
        let bias = if addresses == Addresses::ZeroExtended { 0 } else { 1 << (width - 1) };
        Self { addresses, tags, translated, bias, width }
    }

    /// Returns the number of the lowest bits that distinguish translated addresses.
    pub fn width(self) -> u8 {
        self.width
    }

    /// Returns whether the machine translates the address.
    #[inline]
    pub fn accepts(self, address: u64) -> bool {
        address.wrapping_add(self.bias) >> self.width == 0
    }

    /// Returns whether the machine translates all addresses of a set with one tree of tables.
    #[inline]
    pub fn is_one_tree(self, bits: AddressBits) -> bool {
        match self.addresses {
            Addresses::Canonical | Addresses::SignExtended => bits.signed <= self.width,
            Addresses::TwoHalves | Addresses::ZeroExtended => bits.unsigned <= self.translated,
        }
    }

    /// Returns whether the machine translates all addresses of a set.
    pub fn accepts_all(self, bits: AddressBits) -> bool {
        match self.addresses {
            Addresses::ZeroExtended => bits.unsigned <= self.width,
            _ => bits.signed <= self.width,
        }
    }

    /// Returns the shift of the bit that chooses the tree of tables. It is 63 for geometries with one tree, because
    /// no translated address has that bit.
    pub fn half_shift(self) -> u8 {
        if self.addresses == Addresses::TwoHalves { self.translated } else { 63 }
    }

    /// Returns the whole address that has these translated bits.
    pub fn extend(self, va: u64) -> u64 {
        let is_upper = va >> (self.width - 1) & 1 == 1;
        if self.bias != 0 && is_upper { va | u64::MAX << self.width } else { va }
    }

    /// Returns a sentence that says why the machine does not translate an address without a tag.
    pub fn explain_untranslated(self, address: u64) -> String {
        self.explain_untranslated_below(None, address)
    }

    /// Returns a sentence that says why the machine does not translate the address of a load, which may have a tag.
    pub fn explain_untranslated_load(self, address: u64) -> String {
        self.explain_untranslated_below(self.tags, address)
    }

    fn explain_untranslated_below(self, tags: Option<AddressTags>, address: u64) -> String {
        let (address, bits) = (Hex(address), self.translated);
        let top = bits - 1;
        let checked = match tags {
            None => format!("bits 63 to {bits}"),
            Some(AddressTags::Tbi) => format!("bits 55 to {bits}"),
            Some(lam) if lam.bits() == bits => "bit 63".to_owned(),
            Some(lam) => format!("bits 63 and {} to {bits}", lam.bits() - 1),
        };
        match self.addresses {
            Addresses::Canonical => format!(
                "{address} is not canonical: {checked} must equal bit {top}, as this machine translates {bits} bits"
            ),
            Addresses::SignExtended => format!(
                "{address} is no address of this machine: {checked} must equal bit {top}, as it translates {bits} bits"
            ),
            Addresses::TwoHalves => format!(
                "{address} is no address of this machine: {checked} must be all 0 (TTBR0) or all 1 (TTBR1)"
            ),
            Addresses::ZeroExtended => format!(
                "{address} is no address of this machine: {checked} must be 0, as it translates {bits} bits"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(paging: &str, expected: &Expect) {
        let paging: Paging = serde_json::from_str(paging).unwrap();
        let rule = paging.resolve(&crate::small_map::SmallMap::default()).unwrap().rule();
        let width = rule.translated;
        let near = |at: u64| [at - 1, at];
        let edges = [
            near(1 << (width - 1)),
            near(1 << width),
            near(0u64.wrapping_sub(1 << width)),
            near(0u64.wrapping_sub(1 << (width - 1))),
        ];
        let lines = edges.as_flattened().iter().map(|address| {
            let is_fit = rule.accepts(*address);
            assert_eq!(rule.accepts_all(AddressBits::of(*address)), is_fit, "{address:#x}");
            format!("{address:#x} {}\n", if is_fit { "yes" } else { "no" })
        });
        let text = format!("{:?}\n{}", rule.addresses, lines.collect::<String>());
        expected.assert_eq(&text);
    }

    #[test]
    fn each_geometry_has_its_rule() {
        check(
            "{}",
            &expect![[r"
            Canonical
            0x7fffffffffff yes
            0x800000000000 no
            0xffffffffffff no
            0x1000000000000 no
            0xfffeffffffffffff no
            0xffff000000000000 no
            0xffff7fffffffffff no
            0xffff800000000000 yes
        "]],
        );
        check(
            r#"{"index_bits": [9, 9, 9]}"#,
            &expect![[r"
            SignExtended
            0x3fffffffff yes
            0x4000000000 no
            0x7fffffffff no
            0x8000000000 no
            0xffffff7fffffffff no
            0xffffff8000000000 no
            0xffffffbfffffffff no
            0xffffffc000000000 yes
        "]],
        );
        check(
            r#"{"contiguous": {"4K": 16}}"#,
            &expect![[r"
            TwoHalves
            0x7fffffffffff yes
            0x800000000000 yes
            0xffffffffffff yes
            0x1000000000000 no
            0xfffeffffffffffff no
            0xffff000000000000 yes
            0xffff7fffffffffff yes
            0xffff800000000000 yes
        "]],
        );
        check(
            r#"{"offset_bits": 6, "index_bits": [8], "leaf_levels": [1]}"#,
            &expect![[r"
            ZeroExtended
            0x1fff yes
            0x2000 yes
            0x3fff yes
            0x4000 no
            0xffffffffffffbfff no
            0xffffffffffffc000 no
            0xffffffffffffdfff no
            0xffffffffffffe000 no
        "]],
        );
    }

    #[test]
    fn a_geometry_can_name_its_rule() {
        check(
            r#"{"index_bits": [9, 9, 9], "contiguous": {"4K": 16}, "addresses": "sign-extended"}"#,
            &expect![[r"
                SignExtended
                0x3fffffffff yes
                0x4000000000 no
                0x7fffffffff no
                0x8000000000 no
                0xffffff7fffffffff no
                0xffffff8000000000 no
                0xffffffbfffffffff no
                0xffffffc000000000 yes
            "]],
        );
    }
}
