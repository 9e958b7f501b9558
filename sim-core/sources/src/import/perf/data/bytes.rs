//! Reads little-endian numbers from bytes, and checks every bound.

/// The remaining bytes of a record.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    /// Takes `n` bytes.
    pub(super) fn take(&mut self, n: u64) -> Option<&'a [u8]> {
        let (head, rest) = self.0.split_at_checked(usize::try_from(n).ok()?)?;
        self.0 = rest;
        Some(head)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*head))
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*head))
    }

    /// Skips `n` words of 8 bytes.
    pub(super) fn skip(&mut self, n: u64) -> Option<()> {
        self.take(n.checked_mul(8)?).map(drop)
    }

    /// Returns the text up to the first zero byte, or all of it.
    pub(super) fn text(&self) -> &'a [u8] {
        let end = memchr::memchr(0, self.0).unwrap_or(self.0.len());
        &self.0[..end]
    }
}

/// Returns the number at `at`, or 0 if the bytes end before.
pub(super) fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|bytes| Bytes(bytes).u64()).unwrap_or(0)
}

/// Like [`u64_at`], for 32 bits.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(|bytes| Bytes(bytes).u32()).unwrap_or(0)
}

/// Returns `size` bytes of `bytes` from `at` on, if they exist.
pub(super) fn part(bytes: &[u8], at: u64, size: u64) -> Option<&[u8]> {
    let (start, end) = (usize::try_from(at).ok()?, usize::try_from(at.checked_add(size)?).ok()?);
    bytes.get(start..end)
}
