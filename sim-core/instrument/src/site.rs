//! The places in a program that report.

use crate::Allocator;

/// A place in a program that reports an access or a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    pub kind: SiteKind,
    /// The bytes of an access; 0 if a word says how many.
    pub size: u8,
    /// The constant that is added to the reported address.
    pub offset: u32,
    /// Where the instruction begins in the original module.
    pub at: u32,
}

/// What a site reports. The words of each kind are in the order of the instruction's operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteKind {
    /// One word: the address.
    Load,
    /// One word: the address.
    Store,
    /// An atomic operation that loads and stores. One word: the address.
    Modify,
    /// `memory.copy`. Three words: the destination, the source, and the number of bytes.
    Copy,
    /// `memory.fill`. Two words: the destination, and the number of bytes.
    Fill,
    /// `memory.init`, which copies from the module. Two words: the destination, and the number of bytes.
    Init,
    /// `memory.grow`. Two words: the number of pages, and the number of pages before, or −1 if there is no room.
    Grow,
    /// A call of an allocator is about to begin. Its words are the arguments in the allocator's description.
    Call(Allocator),
    /// A call of an allocator has returned. One word: the address of the block.
    Return(Allocator),
    /// The program's own code is about to call a library. No word; `offset` is the number of the function among those with
    /// code.
    Enter,
    /// A call of a library has returned. No word.
    Leave,
}

impl SiteKind {
    /// Returns the number of words that the site reports.
    pub fn words(self) -> usize {
        match self {
            Self::Enter | Self::Leave => 0,
            Self::Load | Self::Store | Self::Modify | Self::Return(_) => 1,
            Self::Fill | Self::Init | Self::Grow => 2,
            Self::Copy => 3,
            Self::Call(allocator) => allocator.words(),
        }
    }
}
