//! Tags: data that programs keep in the highest bits of an address, which the processor ignores.

use serde::{Deserialize, Serialize};

use super::Addresses;
use crate::error::{Error, Result};

/// The bits of an address that a machine ignores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum AddressTags {
    /// x86: bits 62 to 48 of data accesses; bit 63 must equal bit 47 (Intel SDM, Linear-Address Masking).
    Lam48,
    /// x86: bits 62 to 57 of data accesses; bit 63 must equal bit 56 (Intel SDM, Linear-Address Masking).
    Lam57,
    /// Arm: bits 63 to 56 of all accesses; bit 55 selects the half (Arm Architecture Reference Manual, fields TBI0
    /// and TBI1 of `TCR_EL1`). The tags of fetches are ignored too, as with TBID0 and TBID1 = 0.
    Tbi,
}

impl AddressTags {
    /// Returns the number of bits below the tag. The highest of them is copied over the tag.
    pub(super) fn bits(self) -> u8 {
        match self {
            Self::Lam48 => 48,
            Self::Lam57 => 57,
            Self::Tbi => 56,
        }
    }

    /// Returns the address of an access without its tag. An address whose bit 63 is wrong keeps its tag, so that the
    /// machine does not translate it.
    #[inline]
    pub fn strip(self, is_fetch: bool, address: u64) -> u64 {
        let shift = 64 - self.bits();
        let stripped = ((address << shift).cast_signed() >> shift).cast_unsigned();
        let is_ignored = match self {
            Self::Lam48 | Self::Lam57 => !is_fetch && stripped >> 63 == address >> 63,
            Self::Tbi => true,
        };
        if is_ignored { stripped } else { address }
    }

    /// Checks that addresses under this rule may have such tags; the tables translate `translated` bits.
    ///
    /// # Errors
    /// `bad-config` at `tags`.
    pub(super) fn check(self, addresses: Addresses, translated: u32) -> Result<()> {
        let is_canonical = addresses == Addresses::Canonical;
        let message = match self {
            Self::Lam48 if is_canonical && translated == 48 => return Ok(()),
            Self::Lam57 if is_canonical && [48, 57].contains(&translated) => return Ok(()),
            Self::Tbi if addresses == Addresses::TwoHalves => return Ok(()),
            Self::Lam48 if is_canonical && translated == 57 => {
                "lam48 is for canonical addresses of 48 bits: choose lam57 for 5 levels"
            }
            Self::Lam48 => {
                "lam48 is for canonical addresses of 48 bits: choose the 4 levels of x86"
            }
            Self::Lam57 => {
                "lam57 is for canonical addresses of 48 or 57 bits: choose 4 or 5 levels of x86"
            }
            Self::Tbi => "tbi is for addresses in two halves: set addresses to two-halves",
        };
        Err(Error::config("tags", message))
    }
}

#[cfg(test)]
mod tests {
    use crate::addr::Paging;
    use expect_test::{Expect, expect};

    /// Writes what a machine does with data accesses and fetches at each address: the address without its tag, or
    /// `refused`.
    #[track_caller]
    fn check(paging: &str, addresses: &[u64], expected: &Expect) {
        let paging: Paging = serde_json::from_str(paging).unwrap();
        let text = match paging.resolve(&crate::small_map::SmallMap::default()) {
            Err(error) => format!("{error}\n"),
            Ok(paging) => {
                let (rule, tags) = (paging.rule(), paging.tags.unwrap());
                let says = |address: u64| {
                    if rule.accepts(address) { format!("{address:#x}") } else { "refused".into() }
                };
                let line = |at: &u64| {
                    let [data, fetch] = [false, true].map(|fetch| says(tags.strip(fetch, *at)));
                    format!("{at:#x}: {data}, fetch {fetch}\n")
                };
                addresses.iter().map(line).collect()
            }
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn linear_address_masking_ignores_bits_62_to_48() {
        check(
            r#"{"tags": "lam48"}"#,
            &[
                0x1000,
                0x7fff_0000_0000_1000,
                0x0001_7fff_ffff_f000,
                0x8000_0000_0000_1000,
                0x0000_8000_0000_1000,
                0x8000_8000_0000_1000,
                0xffff_8000_0000_1000,
            ],
            &expect![[r"
                0x1000: 0x1000, fetch 0x1000
                0x7fff000000001000: 0x1000, fetch refused
                0x17ffffffff000: 0x7ffffffff000, fetch refused
                0x8000000000001000: refused, fetch refused
                0x800000001000: refused, fetch refused
                0x8000800000001000: 0xffff800000001000, fetch refused
                0xffff800000001000: 0xffff800000001000, fetch 0xffff800000001000
            "]],
        );
    }

    #[test]
    fn linear_address_masking_ignores_bits_62_to_57_with_4_or_5_levels() {
        let addresses = [
            0x7e00_0000_0000_1000,
            0x7e80_0000_0000_1000,
            0x7f00_0000_0000_1000,
            0x8100_0000_0000_1000,
            0x81ff_8000_0000_1000,
            0x8000_0000_0000_1000,
        ];
        check(
            r#"{"tags": "lam57"}"#,
            &addresses,
            &expect![[r"
                0x7e00000000001000: 0x1000, fetch refused
                0x7e80000000001000: refused, fetch refused
                0x7f00000000001000: refused, fetch refused
                0x8100000000001000: refused, fetch refused
                0x81ff800000001000: 0xffff800000001000, fetch refused
                0x8000000000001000: refused, fetch refused
            "]],
        );
        check(
            r#"{"index_bits": [9, 9, 9, 9, 9], "tags": "lam57"}"#,
            &addresses,
            &expect![[r"
                0x7e00000000001000: 0x1000, fetch refused
                0x7e80000000001000: 0x80000000001000, fetch refused
                0x7f00000000001000: refused, fetch refused
                0x8100000000001000: 0xff00000000001000, fetch refused
                0x81ff800000001000: 0xffff800000001000, fetch refused
                0x8000000000001000: refused, fetch refused
            "]],
        );
    }

    #[test]
    fn arm_ignores_the_top_byte() {
        check(
            r#"{"contiguous": {"4K": 16}, "tags": "tbi"}"#,
            &[
                0xff00_0000_0000_1000,
                0x12ff_0000_0000_1000,
                0x0080_0000_0000_1000,
                0x0001_0000_0000_1000,
            ],
            &expect![[r"
                0xff00000000001000: 0x1000, fetch 0x1000
                0x12ff000000001000: 0xffff000000001000, fetch 0xffff000000001000
                0x80000000001000: refused, fetch refused
                0x1000000001000: refused, fetch refused
            "]],
        );
    }

    #[test]
    fn each_kind_of_tag_needs_its_geometry() {
        let refused = |paging: &str, expected: &Expect| check(paging, &[], expected);
        refused(
            r#"{"index_bits": [9, 9, 9, 9, 9], "tags": "lam48"}"#,
            &expect![[r"
                paging.tags: lam48 is for canonical addresses of 48 bits: choose lam57 for 5 levels
            "]],
        );
        refused(
            r#"{"index_bits": [9, 9, 9], "tags": "lam48"}"#,
            &expect![[r"
                paging.tags: lam48 is for canonical addresses of 48 bits: choose the 4 levels of x86
            "]],
        );
        refused(
            r#"{"contiguous": {"4K": 16}, "tags": "lam57"}"#,
            &expect![[r"
                paging.tags: lam57 is for canonical addresses of 48 or 57 bits: choose 4 or 5 levels of x86
            "]],
        );
        refused(
            r#"{"tags": "tbi"}"#,
            &expect![[r"
                paging.tags: tbi is for addresses in two halves: set addresses to two-halves
            "]],
        );
    }
}
