//! The head of the project's own formats: the first bytes of the format, the size of the head in four bytes, and the head.

use pagewalk_base::error::Error;

/// Gathers a head from pieces of a file.
#[derive(Debug)]
pub(super) struct FramedHead {
    magic: &'static [u8],
    /// The largest head in bytes.
    most: usize,
    /// Makes an error at a byte.
    bad: fn(u64, String) -> Error,
    /// The file from its beginning.
    bytes: Vec<u8>,
}

impl FramedHead {
    pub(super) fn new(magic: &'static [u8], most: usize, bad: fn(u64, String) -> Error) -> Self {
        Self { magic, most, bad, bytes: Vec::new() }
    }

    /// Takes bytes from the front of `bytes`. Returns whether the head is complete.
    pub(super) fn take(&mut self, bytes: &mut &[u8]) -> Result<bool, Error> {
        loop {
            let wanted = self.end()?.unwrap_or(self.start());
            let (more, rest) = bytes.split_at(bytes.len().min(wanted - self.bytes.len()));
            self.bytes.extend_from_slice(more);
            *bytes = rest;
            if self.bytes.len() < wanted {
                return Ok(false);
            }
            if self.end()? == Some(self.bytes.len()) {
                return Ok(true);
            }
        }
    }

    /// Returns the head without what is before it.
    pub(super) fn text(&self) -> &[u8] {
        self.bytes.get(self.start()..).unwrap_or_default()
    }

    /// Returns the number of bytes before the head.
    pub(super) fn start(&self) -> usize {
        self.magic.len() + 4
    }

    /// Returns how far the file was read.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Returns where the head ends in the file, or `None` if there are too few bytes to know.
    fn end(&self) -> Result<Option<usize>, Error> {
        let at = self.magic.len();
        let Some(size) = self.bytes.get(at..self.start()) else { return Ok(None) };
        if !self.bytes.starts_with(self.magic) {
            let name = String::from_utf8_lossy(self.magic.trim_ascii_end());
            return Err((self.bad)(0, format!("it does not begin with {name}")));
        }
        let size = size.iter().rev().fold(0, |size, byte| size << 8 | usize::from(*byte));
        if size > self.most {
            let most = self.most;
            let message = format!("its head has {size} bytes, more than the {most} allowed");
            return Err((self.bad)(at as u64, message));
        }
        Ok(Some(self.start() + size))
    }
}
