//! The sites of a program: instructions that report what they do, each with words of its own.

use serde::Deserialize;

use pagewalk_base::trace::{InstructionAccess, LoadOrStore};

use super::layout::Layout;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SiteKind {
    Load,
    Store,
    Modify,
    Copy,
    Fill,
    Init,
    Grow,
    Malloc,
    Calloc,
    Realloc,
    Aligned,
    Free,
    Return,
    Enter,
    Leave,
}

/// The most memory of a program. An operation on a range beyond it traps, and accesses nothing.
const MOST_MEMORY: u64 = 1 << 30;
/// Bulk operations become accesses of at most so many bytes, a line of a cache.
const PIECE: u32 = 64;

/// What the words of a site mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    Access,
    Modify,
    Copy,
    Fill,
    Grow,
    Call(Bytes),
    /// An allocation that takes the place of another block: that block, and the bytes.
    Realloc,
    Free,
    Return,
    /// A call of a library, and its end.
    Enter,
    Leave,
}

/// Which arguments of an allocator say how many bytes it allocates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bytes {
    First,
    Second,
    Product,
}

impl Bytes {
    pub(super) fn of(self, first: u32, second: u32) -> u64 {
        match self {
            Self::First => first.into(),
            Self::Second => second.into(),
            Self::Product => u64::from(first) * u64::from(second),
        }
    }
}

impl Words {
    pub(super) fn of(kind: SiteKind) -> Self {
        match kind {
            SiteKind::Load | SiteKind::Store => Self::Access,
            SiteKind::Modify => Self::Modify,
            SiteKind::Copy => Self::Copy,
            SiteKind::Fill | SiteKind::Init => Self::Fill,
            SiteKind::Grow => Self::Grow,
            SiteKind::Malloc => Self::Call(Bytes::First),
            SiteKind::Calloc => Self::Call(Bytes::Product),
            SiteKind::Realloc => Self::Realloc,
            SiteKind::Aligned => Self::Call(Bytes::Second),
            SiteKind::Free => Self::Free,
            SiteKind::Return => Self::Return,
            SiteKind::Enter => Self::Enter,
            SiteKind::Leave => Self::Leave,
        }
    }

    /// Returns whether the site makes accesses.
    pub(super) fn are_data(self) -> bool {
        matches!(self, Self::Access | Self::Modify | Self::Fill | Self::Copy)
    }

    /// Returns the number of words.
    pub(super) fn count(self) -> usize {
        match self {
            Self::Enter | Self::Leave => 0,
            Self::Access | Self::Modify | Self::Call(Bytes::First) | Self::Free | Self::Return => 1,
            Self::Fill | Self::Grow | Self::Realloc | Self::Call(_) => 2,
            Self::Copy => 3,
        }
    }
}

#[derive(Debug)]
pub(super) struct Site {
    pub(super) words: Words,
    /// A load or a store of its bytes; a modification is both.
    pub(super) plain: Plain,
    pub(super) ip: u64,
    /// The number of the site in the list of sites.
    pub(super) number: u32,
}

impl Site {
    /// Takes the accesses that the words of the site make. Returns `None` if it is no site of accesses.
    #[inline]
    pub(super) fn accesses<E>(
        &self,
        layout: &Layout,
        words: &[[u8; 4]],
        mut take: impl FnMut(InstructionAccess) -> Result<(), E>,
    ) -> Option<Result<(), E>> {
        let word = |at: usize| words.get(at).copied().unwrap_or_default();
        let own = self.plain.access(layout, self.number, word(0));
        let take_all = || match self.words {
            Words::Access => take(own),
            Words::Modify => {
                take(own)?;
                take(InstructionAccess { what: own.what.as_store(), ..own })
            }
            Words::Fill => self.pieces(layout, &[(true, word(0))], word(1), &mut take),
            _ => self.pieces(layout, &[(false, word(1)), (true, word(0))], word(2), &mut take),
        };
        self.words.are_data().then(take_all)
    }

    /// Takes the accesses of a bulk operation: for each piece of it, loads and stores at these starts.
    fn pieces<E>(
        &self,
        layout: &Layout,
        starts: &[(bool, [u8; 4])],
        size: [u8; 4],
        take: &mut impl FnMut(InstructionAccess) -> Result<(), E>,
    ) -> Result<(), E> {
        let size = u32::from_le_bytes(size);
        let start = |of: &(bool, [u8; 4])| u64::from(u32::from_le_bytes(of.1));
        if starts.iter().any(|of| start(of) + u64::from(size) > MOST_MEMORY) {
            return Ok(());
        }
        for at in (0..size).step_by(PIECE as usize) {
            for of in starts {
                let what = LoadOrStore::new(of.0, PIECE.min(size - at));
                let what = what.unwrap_or(self.plain.what);
                let address = layout.address(start(of) + u64::from(at));
                take(InstructionAccess { address, instruction: self.number, what })?;
            }
        }
        Ok(())
    }
}

/// A load or a store of one word of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    pub(super) what: LoadOrStore,
    /// Is added to the address in the record.
    pub(super) offset: u32,
}

impl Plain {
    /// Returns the access of the site with a number.
    #[inline(always)]
    pub(super) fn access(self, layout: &Layout, number: u32, word: [u8; 4]) -> InstructionAccess {
        let Self { what, offset } = self;
        let at = u64::from(u32::from_le_bytes(word)) + u64::from(offset);
        InstructionAccess { address: layout.address(at), instruction: number, what }
    }
}
