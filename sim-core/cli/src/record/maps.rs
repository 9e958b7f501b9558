//! The memory map of a process, from `/proc/PID/maps` (proc(5)).

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read as _;
use std::ops::Range;
use std::time::{Duration, Instant};

use pagewalk_analysis::regions::is_stack;
use pagewalk_base::trace::Mapping;
use pagewalk_sources::process::{MapLine, map_line};

use super::processor_time::timed;

/// The time between two looks at the map. A look may take a twentieth of the time at most.
const PAUSE: Duration = Duration::from_millis(10);
const SHARE: u32 = 20;
/// The most records. A program that maps and unmaps without end would fill the memory.
const MAX_RECORDS: usize = 1 << 16;

/// What runs the process. Under valgrind, the stack and the heap have no names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Under {
    Valgrind,
    Nothing,
}

/// Watches the map of a process.
pub(super) struct Watch {
    under: Under,
    path: String,
    text: String,
    /// The lines that were seen, as start, end, offset and name.
    seen: BTreeSet<(u64, u64, u64, String)>,
    n: usize,
    next: Instant,
}

impl Watch {
    pub(super) fn new(pid: u32, under: Under) -> Self {
        let (path, text) = (format!("/proc/{pid}/maps"), String::new());
        Self { under, path, text, seen: BTreeSet::new(), n: 0, next: Instant::now() }
    }

    /// Returns the records that are new since the last look. Between two looks it returns none.
    pub(super) fn look(&mut self) -> Vec<Mapping> {
        let now = Instant::now();
        if now < self.next || self.n >= MAX_RECORDS {
            return Vec::new();
        }
        let ((text, is_whole), took) = timed(|| read_map(&self.path));
        self.next = now + PAUSE.max(took * SHARE);
        // The map of a process that has ended is empty, and does not replace the last one.
        if text.is_empty() || text == self.text {
            return Vec::new();
        }
        let key = |of: &Mapping| (of.start, of.end, of.offset, of.name.clone());
        let all = parse(&text, self.under);
        let keys: BTreeSet<_> = all.iter().map(key).collect();
        let new = all.into_iter().flat_map(|of| self.unseen(&of));
        let new: Vec<Mapping> = new.take(MAX_RECORDS - self.n).collect();
        self.n += new.len();
        if is_whole {
            (self.text, self.seen) = (text, keys);
        }
        new
    }

    /// Reads the map again. Returns whether it names a mapping, or `None` if the process has ended.
    pub(super) fn holds(&self, name: &str) -> Option<bool> {
        let (text, is_whole) = read_map(&self.path);
        if text.contains(name) { Some(true) } else { is_whole.then_some(false) }
    }

    /// Returns whether the last whole map names a mapping, or no map was seen.
    pub(super) fn may_hold(&self, name: &str) -> bool {
        self.text.is_empty() || self.text.contains(name)
    }

    /// Returns the parts of a mapping that the last look did not see. A heap that grows is no new heap.
    fn unseen(&self, of: &Mapping) -> Vec<Mapping> {
        let mut parts = Vec::new();
        let mut start = of.start;
        for (from, to, _, _) in self.seen.iter().filter(|seen| {
            let is_same = seen.2.wrapping_sub(seen.0) == of.offset.wrapping_sub(of.start);
            seen.3 == of.name && (is_same || !of.name.starts_with('/'))
        }) {
            if *from < of.end && *to > start {
                parts.push(start..*from);
                start = *to;
            }
        }
        parts.push(start..of.end);
        let parts = parts.into_iter().filter(|part| part.start < part.end);
        let offset = |at: u64| if of.offset == 0 { 0 } else { of.offset + (at - of.start) };
        let part = |part: Range<u64>| Mapping {
            start: part.start,
            end: part.end,
            offset: offset(part.start),
            ..of.clone()
        };
        parts.map(part).collect()
    }
}

/// Reads a map, and returns whether it is whole. The kernel makes it a page at a time: if the process ends meanwhile, lines are
/// missing at the end.
fn read_map(path: &str) -> (String, bool) {
    let text = fs::read_to_string(path).unwrap_or_default();
    let runs = File::open(path).is_ok_and(|mut map| map.read(&mut [0]).is_ok_and(|n| n > 0));
    (text, runs)
}

/// Reads the lines of a map.
fn parse(text: &str, under: Under) -> Vec<Mapping> {
    // valgrind maps the memory of brk as executable, below everything that the program maps.
    let mut may_be_heap = under == Under::Valgrind;
    text.lines()
        .filter_map(|line| {
            let MapLine { range, is_code, offset, name } = map_line(line)?;
            let name = match name {
                "" if under == Under::Valgrind && is_stack(range.start) => "[stack]",
                "" if is_code && std::mem::take(&mut may_be_heap) => "[heap]",
                name => name,
            };
            Mapping::new(0, range, offset, is_code, name)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;
    use memmap2::MmapMut;
    use std::env;
    use std::process::{Command, Stdio};

    #[test]
    fn a_mapping_that_grows_is_new_where_it_was_not() {
        let seen = [(0x2000, 0x4000, 0, "[heap]"), (0x5000, 0x6000, 0x1000, "/lib/a.so")];
        let seen = seen.map(|(start, end, offset, name)| (start, end, offset, name.to_owned()));
        let watch = Watch { seen: seen.into(), ..Watch::new(1, Under::Nothing) };
        let unseen = |start, end, offset, name| {
            let parts = watch.unseen(&Mapping::new(0, start..end, offset, false, name).unwrap());
            parts.iter().map(|part| (part.start, part.end, part.offset)).collect::<Vec<_>>()
        };
        let heap = unseen(0x1000, 0x9000, 0, "[heap]");
        assert_eq!(heap, [(0x1000, 0x2000, 0), (0x4000, 0x9000, 0)]);
        assert_eq!(unseen(0x2000, 0x4000, 0, "[heap]"), []);
        assert_eq!(unseen(0x2000, 0x4000, 0, "[stack]"), [(0x2000, 0x4000, 0)]);
        let library = unseen(0x5000, 0x7000, 0x1000, "/lib/a.so");
        assert_eq!(library, [(0x6000, 0x7000, 0x2000)]);
        let moved = unseen(0x5000, 0x6000, 0x3000, "/lib/a.so");
        assert_eq!(moved, [(0x5000, 0x6000, 0x3000)]);
    }

    /// The process of the next test. Its map has several pages, because neighbours with other rights stay apart.
    #[test]
    fn many_mappings() {
        let map = |_| MmapMut::map_anon(1 << 16).unwrap();
        let all: Vec<MmapMut> = (0..200).map(map).collect();
        let halves = all.into_iter().step_by(2).map(|of| of.make_read_only().unwrap());
        assert_eq!(halves.count(), 100);
    }

    #[test]
    fn the_map_of_a_process_that_ends_says_nothing_about_mappings_that_it_lacks() {
        let itself = env::current_exe().unwrap();
        for _ in 0..30 {
            let mut process = Command::new(&itself)
                .args(["record::maps::tests::many_mappings", "--exact", "--quiet"])
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            let watch = Watch::new(process.id(), Under::Nothing);
            while let Some(holds) = watch.holds("[stack]") {
                assert!(holds);
            }
            assert!(process.wait().unwrap().success());
        }
    }

    #[test]
    fn the_heap_and_the_stack_get_their_names() {
        let text = "\
00108000-00109000 r--p 00000000 fe:00 5866308                            /tmp/a b/prog
00109000-0010a000 r-xp 00001000 fe:00 5866308                            /tmp/a b/prog
04033000-04035000 rw-p 00033000 fe:00 325835                             /usr/lib/ld-linux-x86-64.so.2
04035000-04056000 rwxp 00000000 00:00 0 
04835000-04837000 rw-p 00000000 00:00 0 
04900000-04901000 rwxp 00000000 00:00 0 
1ffeffe000-1fff001000 rw-p 00000000 00:00 0 
ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0                  [vsyscall]
garbled
5000-5000 rw-p 00000000 00:00 0
";
        let lines = parse(text, Under::Valgrind).into_iter().map(
            |Mapping { start, end, offset, kind, name, .. }| {
                format!("{start:x}-{end:x} {offset:x} {} {name}\n", kind.name())
            },
        );
        expect![[r"
            108000-109000 0 file /tmp/a b/prog
            109000-10a000 1000 text /tmp/a b/prog
            4033000-4035000 33000 library /usr/lib/ld-linux-x86-64.so.2
            4035000-4056000 0 heap [heap]
            4835000-4837000 0 anonymous 
            4900000-4901000 0 jit 
            1ffeffe000-1fff001000 0 stack [stack]
            ffffffffff600000-ffffffffff601000 0 vdso [vsyscall]
        "]]
        .assert_eq(&lines.collect::<String>());
    }
}
