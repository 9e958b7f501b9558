//! Reads the lines of `perf script --show-mmap-events` and similar options: `PERF_RECORD_…`.
//!
//! ```text
//! PERF_RECORD_MMAP2 9379/9379: [0x7fff2495a000(0x21000) @ 0x7ffffffde000 00:00 0 0]: rw-p [stack]
//! PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x120bb08) @ 0xffffffff81000000]: x [kernel.kallsyms]_text
//! PERF_RECORD_LOST lost 23
//! ```

use crate::import::digits::{decimal, hex};
use pagewalk_base::trace::Mapping;

use super::words;

/// The contents of a record.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PerfRecord {
    Mapping(Mapping),
    Lost(u64),
    /// A process was created.
    Fork {
        child: u32,
        parent: u32,
    },
    /// A record that is not used.
    Other,
}

/// Reads the text after the time of a line, if it is a record.
pub(super) fn record(text: &[u8]) -> Option<PerfRecord> {
    let text = text.trim_ascii();
    let name = text.strip_prefix(b"PERF_RECORD_")?;
    let (name, end) = words::first(name)?;
    let rest = &text[b"PERF_RECORD_".len() + end..];
    Some(match name {
        b"MMAP" | b"MMAP2" => mapping(rest).map_or(PerfRecord::Other, PerfRecord::Mapping),
        b"LOST" | b"LOST_SAMPLES" => {
            let count = words::last(rest).and_then(|(word, _)| decimal(word).ok());
            count.map_or(PerfRecord::Other, PerfRecord::Lost)
        }
        _ if name.starts_with(b"FORK(") => fork(name).unwrap_or(PerfRecord::Other),
        _ => PerfRecord::Other,
    })
}

/// Reads `FORK(1201:1201):(1200:1200)`: process and thread of the child, then of its parent.
fn fork(text: &[u8]) -> Option<PerfRecord> {
    let mut pids = text.split(|byte| *byte == b'(').skip(1).map(|pair| {
        let colon = memchr::memchr(b':', pair)?;
        u32::try_from(decimal(&pair[..colon]).ok()?).ok()
    });
    let (child, parent) = (pids.next()??, pids.next()??);
    Some(if child == parent { PerfRecord::Other } else { PerfRecord::Fork { child, parent } })
}

/// Reads the memory map of a process. The map of the kernel, whose process is -1, belongs to no process.
fn mapping(rest: &[u8]) -> Option<Mapping> {
    let (who, end) = words::first(rest)?;
    let (pid, _) = words::process(who.strip_suffix(b":")?).filter(|(pid, _)| *pid != u32::MAX)?;
    let rest = rest[end..].trim_ascii_start().strip_prefix(b"[")?;
    let open = memchr::memchr(b'(', rest)?;
    let close = memchr::memchr(b')', rest)?;
    let start = hex(rest.get(..open)?).ok()?;
    let end = start.checked_add(hex(rest.get(open + 1..close)?).ok()?)?;
    let after = rest.get(close + 1..)?.trim_ascii_start().strip_prefix(b"@")?;
    let (offset, _) = words::first(after)?;
    let offset = hex(offset.strip_suffix(b"]:").unwrap_or(offset)).unwrap_or(0);
    let ends = memchr::memmem::find(after, b"]: ")?;
    let after = after.get(ends + 3..)?;
    let (protection, end_of_it) = words::first(after)?;
    let name = String::from_utf8_lossy(after[end_of_it..].trim_ascii());
    Mapping::new(pid, start..end, offset, protection.contains(&b'x'), name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_of_processes() {
        let Some(PerfRecord::Mapping(stack)) = record(
            b" PERF_RECORD_MMAP2 9379/9380: [0x7fff2495a000(0x21000) @ 0x7ffffffde000 00:00 0 0]: rw-p [stack]",
        ) else {
            panic!("a mapping");
        };
        assert_eq!((stack.pid, stack.start, stack.end), (9379, 0x7fff_2495_a000, 0x7fff_2497_b000));
        assert_eq!((stack.kind.name(), &stack.name[..]), ("stack", "[stack]"));
        let Some(PerfRecord::Mapping(text)) =
            record(b"PERF_RECORD_MMAP2 7/7: [0x401000(0x1000) @ 0x1000 <1234abcd>]: r-xp /tmp/a b")
        else {
            panic!("a mapping");
        };
        assert_eq!((text.offset, text.kind.name(), &text.name[..]), (0x1000, "text", "/tmp/a b"));
    }

    #[test]
    fn other_records() {
        for (text, expected) in [
            (
                "PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x12) @ 0xffffffff81000000]: x [k]",
                Some(PerfRecord::Other),
            ),
            (
                "PERF_RECORD_MMAP 7/7: [0xffffffff81000000(0xffffffffffffffff) @ 0]: x k",
                Some(PerfRecord::Other),
            ),
            ("PERF_RECORD_LOST lost 23", Some(PerfRecord::Lost(23))),
            ("PERF_RECORD_FORK(12:12):(7:8)", Some(PerfRecord::Fork { child: 12, parent: 7 })),
            ("PERF_RECORD_FORK(7:9):(7:7)", Some(PerfRecord::Other)),
            ("PERF_RECORD_FORK(7", Some(PerfRecord::Other)),
            ("PERF_RECORD_COMM: perf-exec:9379/9379", Some(PerfRecord::Other)),
            ("page-faults: 5570", None),
        ] {
            assert_eq!(record(text.as_bytes()), expected, "{text}");
        }
    }
}
