//! Frames of physical memory.

/// The physical memory that a page is mapped to, by the address of its first byte. The frame of a guest's page is
/// guest-physical.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Frame(u64);

impl Frame {
    /// Returns the frame whose first byte has the address `start`.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) const fn at(start: u64) -> Self {
        Self(start)
    }

    /// Returns the address of the first byte.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) const fn start(self) -> u64 {
        self.0
    }

    /// Returns the address of the byte at an offset in the page.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) const fn byte(self, offset: u64) -> u64 {
        self.0 + offset
    }

    /// Returns the frame that starts `bytes` further on.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) const fn plus(self, bytes: u64) -> Self {
        Self(self.0 + bytes)
    }
}
