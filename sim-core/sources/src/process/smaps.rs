//! Reads `/proc/PID/smaps`: lines of `maps`, each with lines such as `AnonHugePages: 2048 kB`.

use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_base::trace::{Mapping, PageFact};

use super::maps::map_line;

/// The memory of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessMemory {
    pub mappings: Vec<Mapping>,
    /// The pages of the mappings; none if the file says nothing about them.
    pub pages: Vec<PageFact>,
}

/// Returns the huge page of a system with this smallest page: a page table of the last level maps as much. On Arm, the smallest
/// page can also have 16K or 64K.
fn huge_page(smallest: PageSize) -> PageSize {
    match smallest.0 {
        14 => PageSize(25),
        16 => PageSize(29),
        _ => PageSize::M2,
    }
}

/// The most lines of a file. A process of a server has some ten thousand mappings of 25 lines.
const MAX_LINES: usize = 1 << 24;

/// The fields whose bytes are mapped by huge entries.
const HUGE_FIELDS: [&str; 3] = ["AnonHugePages", "ShmemPmdMapped", "FilePmdMapped"];

/// Reads the mappings of `maps` or `smaps`, and the pages of `smaps`. Their process is number 0.
///
/// # Errors
/// `bad-trace` at a line that is neither a mapping nor a field of one, or if there is no mapping.
pub fn memory(text: &str) -> Result<ProcessMemory> {
    let mut memory = ProcessMemory::default();
    let mut current: Option<PageFact> = None;
    let mut smallest: Option<PageSize> = None;
    for (number, line) in text.lines().enumerate() {
        if number == MAX_LINES {
            return Err(wrong(number, "the file has more lines than any process: check it"));
        }
        if line.trim().is_empty() {
            continue;
        }
        if let Some(found) = map_line(line) {
            memory.pages.extend(current.take());
            memory.mappings.extend(found.mapping());
            current = Some(PageFact {
                pid: 0,
                start: found.range.start,
                end: found.range.end,
                size: PageSize::K4,
                huge: PageSize::M2,
                huge_bytes: 0,
            });
            continue;
        }
        let field = line.split_once(':');
        let (Some((name, value)), Some(fact)) = (field, &mut current) else {
            let what = "this is no line of /proc/PID/maps or smaps: give a copy of such a file";
            return Err(wrong(number, what));
        };
        let Some(bytes) = kib(value) else { continue };
        if name == "KernelPageSize" {
            let is_size = bytes.is_power_of_two() && (1 << 10..1 << 62).contains(&bytes);
            #[expect(clippy::cast_possible_truncation, reason = "it is at most 63")]
            let size = is_size.then(|| PageSize(bytes.trailing_zeros() as u8));
            fact.size = size.ok_or_else(|| wrong(number, "this is no page size"))?;
            smallest = Some(smallest.map_or(fact.size, |smallest| smallest.min(fact.size)));
        } else if HUGE_FIELDS.contains(&name) {
            fact.huge_bytes = fact.huge_bytes.saturating_add(bytes);
        }
    }
    memory.pages.extend(current);
    if memory.mappings.is_empty() {
        return Err(wrong(0, "the file has no mapping: give a copy of /proc/PID/maps or smaps"));
    }
    match smallest {
        None => memory.pages.clear(),
        Some(smallest) => {
            memory.pages.iter_mut().for_each(|fact| fact.huge = huge_page(smallest));
        }
    }
    Ok(memory)
}

fn wrong(line: usize, what: &str) -> Error {
    Error::new(ErrorCode::BadTrace, what.to_owned()).at(Place::Line(line as u64 + 1))
}

/// Reads `2048 kB`.
fn kib(value: &str) -> Option<u64> {
    let number = value.trim().strip_suffix("kB")?.trim();
    number.parse::<u64>().ok()?.checked_mul(1 << 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    #[expect(clippy::needless_pass_by_value, reason = "reads better at the places that call it")]
    fn check(text: &str, expected: Expect) {
        let found = match memory(text) {
            Err(error) => format!("{error}\n"),
            Ok(memory) => {
                let mappings = memory.mappings.iter().map(|of| {
                    format!(
                        "{:x}-{:x} {:x} {} {}\n",
                        of.start,
                        of.end,
                        of.offset,
                        of.kind.name(),
                        of.name
                    )
                });
                let pages = memory.pages.iter().map(|of| {
                    format!(
                        "{:x}-{:x}: {}, {} bytes of {}\n",
                        of.start, of.end, of.size, of.huge_bytes, of.huge
                    )
                });
                mappings.chain(pages).collect()
            }
        };
        expected.assert_eq(&found);
    }

    #[test]
    fn a_mapping_has_its_page_size_and_its_huge_pages() {
        check(
            "\
00400000-00401000 r-xp 00001000 fe:00 247278                     /tmp/a b/prog
Size:                  4 kB
KernelPageSize:        4 kB
AnonHugePages:         0 kB
VmFlags: rd ex mr mw me
7f0000000000-7f0000800000 rw-p 00000000 00:00 0
KernelPageSize:        4 kB
AnonHugePages:      4096 kB
FilePmdMapped:      2048 kB
THPeligible:           1
7f0040000000-7f0080000000 rw-s 00000000 00:0f 99                         /anon_hugepage (deleted)
KernelPageSize:     2048 kB
Private_Hugetlb:    4096 kB
",
            expect![[r"
                400000-401000 1000 text /tmp/a b/prog
                7f0000000000-7f0000800000 0 anonymous 
                7f0040000000-7f0080000000 0 anonymous /anon_hugepage (deleted)
                400000-401000: 4K, 0 bytes of 2M
                7f0000000000-7f0000800000: 4K, 6291456 bytes of 2M
                7f0040000000-7f0080000000: 2M, 0 bytes of 2M
            "]],
        );
    }

    #[test]
    fn huge_pages_are_as_large_as_one_table_of_the_smallest_pages() {
        let text = |smallest: &str| {
            format!(
                "\
7f0040000000-7f0080000000 rw-s 00000000 00:0f 99 /anon_hugepage (deleted)
KernelPageSize:   524288 kB
7f8000000000-7f8080000000 rw-p 00000000 00:00 0
KernelPageSize:   {smallest} kB
AnonHugePages:    1048576 kB
7f9000000000-7f9000010000 rw-p 00000000 00:00 0
"
            )
        };
        let huge = |smallest| memory(&text(smallest)).unwrap().pages[1].huge.to_string();
        assert_eq!(["4", "16", "64"].map(huge), ["2M", "32M", "512M"]);
    }

    #[test]
    fn what_is_no_smaps_is_an_error_at_its_line() {
        check(
            "",
            expect![[r"
                line 1: the file has no mapping: give a copy of /proc/PID/maps or smaps
            "]],
        );
        check(
            "00400000-00401000 r-xp 0 fe:00 1 /prog\n",
            expect![[r"
                400000-401000 0 text /prog
            "]],
        );
        check(
            "Size: 4 kB\n",
            expect![[r"
                line 1: this is no line of /proc/PID/maps or smaps: give a copy of such a file
            "]],
        );
        check(
            "400000-401000 r-xp 0 fe:00 1 /prog\nKernelPageSize: 3 kB\n",
            expect![[r"
                line 2: this is no page size
            "]],
        );
        check(
            "400000-401000 r-xp 0 fe:00 1 /prog\nI 04001000,3\n",
            expect![[r"
                line 2: this is no line of /proc/PID/maps or smaps: give a copy of such a file
            "]],
        );
    }
}
