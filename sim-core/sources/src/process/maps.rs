//! Reads lines of `/proc/PID/maps`.

use std::ops::Range;

use pagewalk_base::addr::parse_hex;
use pagewalk_base::trace::Mapping;

/// A line that begins a mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapLine<'a> {
    pub range: Range<u64>,
    pub is_code: bool,
    pub offset: u64,
    /// The name, which may be empty.
    pub name: &'a str,
}

/// Reads such a line: range, rights, offset, device, inode, and a name.
pub fn map_line(line: &str) -> Option<MapLine<'_>> {
    let mut words = line.splitn(6, ' ');
    let (start, end) = words.next()?.split_once('-')?;
    let (start, end) = (parse_hex(start)?, parse_hex(end)?);
    let rights = words.next()?;
    let offset = parse_hex(words.next()?)?;
    let _device = words.next()?;
    let _inode = words.next()?;
    let name = words.next().unwrap_or_default().trim();
    (start < end).then(|| MapLine {
        range: start..end,
        is_code: rights.contains('x'),
        offset,
        name,
    })
}

impl MapLine<'_> {
    /// Returns the mapping, of process 0.
    pub fn mapping(&self) -> Option<Mapping> {
        Mapping::new(0, self.range.clone(), self.offset, self.is_code, self.name)
    }
}
