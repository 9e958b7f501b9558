//! Recognises texts of other tools that hold addresses but no accesses, or accesses in a form that cannot be read
//! as a list. Without this, their numbers could pass for a list of addresses.
//!
//! ```text
//! 55d4a1c00000-55d4a1c02000 r--p 00000000 fd:01 1234  /usr/bin/cat     /proc/PID/maps and smaps
//! core   0: 3 0x0000000080000010 (0x0042a283) x5 0x1 mem 0x80001000    spike --log-commits
//! 77000: system.cpu: A0 T0 : 0x400780 @_start : mov : MemRead : A=0x1  gem5 --debug-flags=Exec
//! 0x00007f3a1c2b5000, 0x0001, 12, 0x0001, 4                            QEMU's hotpages, after its names
//! 563ebaa00000-563ebc99e000(  31.617 MiB): 1                           DAMON
//! ```

use super::digits::{decimal, hex, strip_0x};
use super::foreign::{Foreign, PRINT_SAMPLES};
use super::lackey;

/// The remedy for a text without accesses, after the sentence that says what it has instead.
macro_rules! record_it {
    ($instead:literal) => {
        concat!(
            $instead,
            " Record the accesses of the program with ",
            lackey::record!(),
            " and import those."
        )
    };
}

/// Returns the format of a text that `line`, one of its first, identifies.
pub(super) fn of(line: &[u8]) -> Option<&'static Foreign> {
    ALL.iter().find(|(is_it, _)| is_it(line)).map(|(_, what)| what)
}

/// A function that recognises a line of a format.
type Recognises = fn(&[u8]) -> bool;

const ALL: [(Recognises, Foreign); 7] = [
    (
        is_spike,
        Foreign {
            name: "an instruction log of the RISC-V simulator spike",
            remedy: "With --log-commits, it has the address of each access after the word `mem`. Write those as a list with the first line kind,address,size and import that.",
        },
    ),
    (
        is_gem5,
        Foreign {
            name: "an Exec log of gem5",
            remedy: "It has the address of each access after `A=`. Write those as a list with the first line kind,address,size and import that.",
        },
    ),
    (
        |line| {
            let titles: [&[u8]; 3] = [
                b"Trace Event Information",
                b"Shared Data Cache Line Table",
                b"Shared Cache Line Distribution Pareto",
            ];
            titles.contains(&line)
        },
        Foreign { name: "a report of perf c2c", remedy: PRINT_SAMPLES },
    ),
    (
        is_qemu_counts,
        Foreign {
            name: "the counts of a QEMU plugin (hotpages or hotblocks)",
            remedy: "It lists no accesses. Record with the plugin execlog instead, and import its log.",
        },
    ),
    (
        is_uftrace,
        Foreign {
            name: "a log of uftrace",
            remedy: record_it!("It holds function calls, not accesses."),
        },
    ),
    (
        is_damon,
        Foreign {
            name: "a report of DAMON",
            remedy: record_it!("It counts the accesses of each region and lists none."),
        },
    ),
    (
        |line| line.starts_with(b"{\"dhatFileVersion\""),
        Foreign {
            name: "a profile of valgrind's DHAT",
            remedy: record_it!("It holds allocations, not accesses."),
        },
    ),
];

/// Returns the words of a line.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Reads `start-end`, both hexadecimal.
fn is_range(word: &[u8]) -> bool {
    let Some(minus) = memchr::memchr(b'-', word) else { return false };
    matches!((hex(&word[..minus]), hex(&word[minus + 1..])), (Ok(start), Ok(end)) if start < end)
}

/// Recognises a range with its permissions, offset, device and inode: a line of `/proc/PID/maps` or `smaps`.
pub(super) fn is_memory_map(line: &[u8]) -> bool {
    let mut words = words(line);
    let mut next = || words.next().unwrap_or_default();
    let (range, permissions, offset, device, inode) = (next(), next(), next(), next(), next());
    let is_one_of = |(byte, letters): (&u8, &&[u8])| letters.contains(byte);
    let letters: [&[u8]; 4] = [b"r-", b"w-", b"x-", b"ps"];
    is_range(range)
        && permissions.len() == 4
        && permissions.iter().zip(&letters).all(is_one_of)
        && hex(offset).is_ok()
        && device.split(|byte| *byte == b':').filter(|part| hex(part).is_ok()).count() == 2
        && decimal(inode).is_ok()
}

/// Recognises `core   0: 3 0x0000000080000000 (0x00000297) …`; the mode `3` is missing without --log-commits.
fn is_spike(line: &[u8]) -> bool {
    let mut words = words(line);
    let is_core = words.next() == Some(b"core")
        && words.next().and_then(|word| word.strip_suffix(b":")).is_some_and(is_decimal);
    let Some(mut pc) = words.next() else { return false };
    if pc.len() == 1 && is_decimal(pc) {
        pc = words.next().unwrap_or_default();
    }
    let code = words.next().and_then(|word| word.strip_prefix(b"(")?.strip_suffix(b")"));
    is_core && is_0x(pc) && code.is_some_and(is_0x)
}

/// Recognises `77000: system.cpu: A0 T0 : 0x400780 …`; older versions have no `A0`.
fn is_gem5(line: &[u8]) -> bool {
    let mut words = words(line);
    let mut before_colon = || words.next().and_then(|word| word.strip_suffix(b":"));
    let is_start = before_colon().is_some_and(is_decimal) && before_colon().is_some();
    let thread = words.find(|word| !word.starts_with(b"A"));
    let is_thread = thread.and_then(|word| word.strip_prefix(b"T")).is_some_and(is_decimal);
    is_start && is_thread && words.next() == Some(b":") && words.next().is_some_and(is_0x)
}

fn is_qemu_counts(line: &[u8]) -> bool {
    let names: Vec<&[u8]> = line.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).collect();
    let starts: [&[&[u8]]; 2] =
        [&[b"Addr", b"RCPUs", b"Reads", b"WCPUs", b"Writes"], &[b"pc", b"tcount", b"icount"]];
    starts.iter().any(|start| names.starts_with(start))
}

/// Recognises the names of the columns, or `[ 1234] | main() {`.
fn is_uftrace(line: &[u8]) -> bool {
    if line.starts_with(b"# DURATION") && words(line).any(|word| word == b"FUNCTION") {
        return true;
    }
    let Some(open) = memchr::memchr(b'[', line) else { return false };
    let rest = &line[open + 1..];
    let Some(close) = memchr::memchr(b']', rest) else { return false };
    is_decimal(rest[..close].trim_ascii())
        && rest[close + 1..].trim_ascii_start().starts_with(b"| ")
}

/// Recognises `monitoring_start: 0 ns`, `563ebaa00000-563ebc99e000(  31.617 MiB): 1`, or
/// `0   addr 16.052 GiB   size 5.985 GiB   access 0 %   age 5.900 s`.
fn is_damon(line: &[u8]) -> bool {
    if line.starts_with(b"monitoring_start:") || line.starts_with(b"base_time_absolute:") {
        return true;
    }
    let is_region = memchr::memchr(b'(', line).is_some_and(|open| {
        let after = memchr::memmem::find(line, b"): ").map(|at| &line[at + 3..]);
        is_range(&line[..open]) && after.and_then(|rest| words(rest).next()).is_some_and(is_decimal)
    });
    let mut words = words(line);
    let is_number = words.next().is_some_and(is_decimal);
    let names: [&[u8]; 4] = [b"addr", b"size", b"access", b"age"];
    is_region || is_number && names.iter().all(|name| words.any(|word| word == *name))
}

fn is_decimal(word: &[u8]) -> bool {
    decimal(word).is_ok()
}

fn is_0x(word: &[u8]) -> bool {
    strip_0x(word).is_some() && hex(word).is_ok()
}
