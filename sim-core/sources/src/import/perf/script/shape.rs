//! Recognises lines by their form: frames of callchains, lines of columns only, and texts of perf script.

use super::prefix::{Prefix, has_time, prefix};
use super::words;
use crate::import::lines::first_line;

/// Reads a frame of a callchain: blanks, an address, then an optional name. Also returns the text after the
/// address.
pub(super) fn frame(line: &[u8], after_bare: bool) -> Option<(u64, &[u8])> {
    // perf begins frames with a tab, which an editor may have removed.
    let is_indented = line.first()?.is_ascii_whitespace();
    if !is_indented || after_bare && line[0] != b'\t' {
        return None;
    }
    let (word, end) = words::first(line)?;
    let ip = words::address(word)?;
    let next = words::first(&line[end..]);
    // After a command with a hexadecimal name comes its process; after a column comes something else.
    let is_frame = next.is_none_or(|(next, _)| {
        !next.starts_with(b"|")
            && !next.ends_with(b":")
            && words::process(next).is_none()
            && words::address(next).is_none_or(|_| next.len() < 9)
    });
    // A command with blanks, such as `a b`, is followed by a time, or by a process before a column.
    let is_sample = || {
        let is_tab = line[0] == b'\t';
        if is_tab { has_time(line) } else { prefix(line).is_some_and(|prefix| !prefix.bare) }
    };
    (is_frame && !is_sample()).then(|| (ip, &line[end..]))
}

/// Reads a line of columns only, of any width.
pub(super) fn bare(line: &[u8]) -> Option<Prefix<'_>> {
    let (word, _) = words::first(line)?;
    words::address(word)?;
    Some(Prefix { rest: line, bare: true, ..Prefix::default() })
}

/// Returns whether a text is the output of perf script. One of its first lines has a time after a process, or
/// most lines have an event before an address, an address in a column of perf's width, or a decoded
/// `data_src`.
pub(in crate::import) fn looks_like(head: &[u8]) -> bool {
    let (mut lines, mut shaped) = (0u32, 0u32);
    let mut rest = head;
    while !rest.is_empty() && lines < 50 {
        let (line, after) = first_line(rest);
        rest = after;
        let line = line.trim_ascii_end();
        if line.is_empty() || line.starts_with(b"#") {
            if line.starts_with(b"# ========") || line.starts_with(b"# cmdline : ") {
                return true;
            }
            continue;
        }
        lines += 1;
        let Some(prefix) = prefix(line) else {
            shaped += u32::from(has_data_src(line));
            continue;
        };
        if prefix.time.is_some() {
            return true;
        }
        let next = words::first(prefix.rest).filter(|(word, _)| words::address(word).is_some());
        let named = !line.trim_ascii_start().starts_with(prefix.event);
        let is_column =
            |(word, end): (&[u8], usize)| named && word.len() >= 6 || prefix.place(end).is_some();
        shaped += u32::from(next.is_some_and(is_column) || has_data_src(line));
    }
    lines > 0 && 2 * shaped > lines
}

fn has_data_src(line: &[u8]) -> bool {
    let has = |part: &[u8]| memchr::memmem::find(line, part).is_some();
    has(b"|TLB ") && (has(b"|SNP ") || has(b"|OP "))
}
