//! The geometry of page tables, with plain numbers for levels and page sizes.

use std::ops::Deref;

use pagewalk_base::addr::{Leaf, Level, PageSize, Paging};

/// A geometry. The leaf of a page is the number of the level of its entry.
#[derive(Clone)]
pub(super) struct Geometry {
    paging: Paging,
    above: Above,
    /// The name of the rule for tags.
    tags: String,
}

impl Deref for Geometry {
    type Target = Paging;

    fn deref(&self) -> &Paging {
        &self.paging
    }
}

/// The rule for the bits above the translated ones.
#[derive(Clone, Copy)]
enum Above {
    /// The bits copy the highest translated bit: x86 and RISC-V.
    Copies,
    /// The bits are all 0 or all 1, and each half has its own tables: Arm.
    Equal,
    /// The bits are 0: teaching machines.
    Zeros,
}

/// Returns the rule that a geometry names, or else the one that its tables have.
fn rule_above(paging: &Paging) -> Above {
    let text = serde_json::to_value(paging.addresses).unwrap();
    match text.as_str() {
        Some("canonical" | "sign-extended") => return Above::Copies,
        Some("two-halves") => return Above::Equal,
        Some("zero-extended") => return Above::Zeros,
        _ => {}
    }
    if !paging.contiguous.is_empty() {
        return Above::Equal;
    }
    // Tables of 512 entries above pages of 4K are those of x86 from four levels on, or of Sv39, Sv48 and Sv57.
    let bits = [vec![12], paging.index_bits.clone()].concat();
    let known = [vec![12, 9, 9, 9], vec![12, 9, 9, 9, 9], vec![12, 9, 9, 9, 9, 9]];
    if paging.offset_bits == 12 && known.contains(&bits) {
        return Above::Copies;
    }
    Above::Zeros
}

impl Geometry {
    pub(super) fn new(paging: Paging) -> Self {
        let tags = serde_json::to_value(paging.tags).unwrap();
        let tags = tags.as_str().unwrap_or_default().to_owned();
        Self { above: rule_above(&paging), tags, paging }
    }

    fn translated(&self) -> u32 {
        u32::from(self.paging.offset_bits)
            + self.paging.index_bits.iter().copied().map(u32::from).sum::<u32>()
    }

    /// Returns the address that an access uses: its tag is overwritten with bit 63 on x86, and with bit 55 on Arm.
    pub(super) fn without_tag(&self, is_fetch: bool, address: u64) -> u64 {
        let (ignored, copied) = match self.tags.as_str() {
            "lam48" if !is_fetch => (48..63, 63),
            "lam57" if !is_fetch => (57..63, 63),
            "tbi" => (56..64, 55),
            _ => return address,
        };
        let bit = address >> copied & 1;
        ignored.fold(address, |address, at| address & !(1 << at) | bit << at)
    }

    /// Returns whether the machine translates an address.
    pub(super) fn has(&self, address: u64) -> bool {
        let bit = |at: u32| address >> at & 1;
        let n = self.translated();
        let wanted = match self.above {
            Above::Copies => bit(n - 1),
            Above::Equal => bit(63),
            Above::Zeros => 0,
        };
        (n..64).all(|at| bit(at) == wanted)
    }

    /// Returns whether an address that the machine translates is in the upper half.
    pub(super) fn is_upper(&self, address: u64) -> bool {
        match self.above {
            Above::Equal => address >> 63 == 1,
            _ => address >> (self.translated() - 1) & 1 == 1,
        }
    }

    /// Returns the bits that translation reads. On Arm, they include the bit that chooses the half.
    pub(super) fn va_mask(&self) -> u64 {
        let half = u32::from(matches!(self.above, Above::Equal));
        (1 << (self.translated() + half)) - 1
    }

    pub(super) fn bits(&self, level: u8) -> u32 {
        self.paging.bits(Level::new(level))
    }

    pub(super) fn index(&self, address: u64, level: u8) -> u64 {
        self.paging.index(address, Level::new(level))
    }

    pub(super) fn shift(&self, level: u8) -> u32 {
        self.paging.shift(Leaf::of(Level::new(level)))
    }

    pub(super) fn size_of(&self, level: u8) -> PageSize {
        self.paging.size_of(Leaf::of(Level::new(level)))
    }

    pub(super) fn leaf_level(&self, size: PageSize) -> Option<u8> {
        self.paging.leaf_level(size).map(Leaf::number)
    }
}
