//! Reads the left part of a line of `perf script`: the process, the time and the event of the sample.
//!
//! ```text
//! [VM:pid ][VCPU:n ] comm pid/tid [cpu] misc time: period event: …
//! ```
//!
//! The order is fixed, and `-F` only selects (Linux 6.12, `tools/perf/builtin-script.c`,
//! `perf_sample__fprintf_start`). The name of a command may contain anything, so the time is located first,
//! and the rest from there.

use super::words;

/// The fields left of the addresses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Prefix<'a> {
    pub(super) pid: u32,
    pub(super) tid: u32,
    pub(super) cpu: u32,
    /// The name of the command; empty if it is not printed.
    pub(super) name: &'a [u8],
    pub(super) time: Option<u64>,
    pub(super) period: Option<u64>,
    /// The name of the event; empty if it is not printed.
    pub(super) event: &'a [u8],
    pub(super) guest: bool,
    /// Whether nothing precedes the addresses.
    pub(super) bare: bool,
    /// The addresses, from the blank that separates them from the text before, if there is any.
    pub(super) rest: &'a [u8],
}

impl Prefix<'_> {
    /// Returns the column of a number that ends at position `end` of `rest`. Numbers are 16 characters wide,
    /// and instruction pointers have one more blank. Returns `None` if the text is not aligned as perf script
    /// aligns it.
    pub(super) fn place(&self, end: usize) -> Option<Place> {
        Place::of(end + usize::from(self.bare))
    }
}

/// The column of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The column of data addresses, which physical addresses share.
    Data,
    Code,
}

impl Place {
    /// Returns the column for a distance from the end of the previous word to the end of the number.
    fn of(distance: usize) -> Option<Self> {
        match distance {
            17 => Some(Self::Data),
            18 => Some(Self::Code),
            _ => None,
        }
    }
}

/// Splits off the prefix. Returns `None` if the line has neither a time nor an event, and is not aligned.
pub(super) fn prefix(line: &[u8]) -> Option<Prefix<'_>> {
    match find_time(line) {
        Some((who, end)) => {
            let (period, event, rest) = event(&line[end..]);
            Some(Prefix { period, event, rest, ..who })
        }
        None => without_time(line).or_else(|| by_column(line)),
    }
}

/// Returns whether the line has a time.
pub(super) fn has_time(line: &[u8]) -> bool {
    find_time(line).is_some()
}

/// Finds the first time after a process, or otherwise the first time. Returns the fields before it, and where
/// it ends.
fn find_time(line: &[u8]) -> Option<(Prefix<'_>, usize)> {
    let mut first = None;
    for colon in memchr::memchr_iter(b':', line) {
        let ends = line.get(colon + 1).is_none_or(u8::is_ascii_whitespace);
        if !ends || colon == 0 || !line[colon - 1].is_ascii_digit() {
            continue;
        }
        let blank = line[..colon].iter().rposition(u8::is_ascii_whitespace);
        let start = blank.map_or(0, |at| at + 1);
        let Some(time) = words::time(&line[start..=colon]) else { continue };
        let prefix = Prefix { time: Some(time), ..who(&line[..start]) };
        if prefix.tid > 0 {
            return Some((prefix, colon + 1));
        }
        first = first.or(Some((prefix, colon + 1)));
    }
    first
}

/// Reads process, processor and mode from the right end of the text before the time.
fn who(mut text: &[u8]) -> Prefix<'_> {
    let mut prefix =
        Prefix { guest: text.trim_ascii_start().starts_with(b"VM:"), ..Prefix::default() };
    // `misc` has U, K, H, G or g, and other letters.
    if let Some((word, start)) = words::last(text) {
        let is_misc = |byte: &u8| b"UKHGgMESPD<>".contains(byte);
        let has_more = words::last(&text[..start]).is_some();
        if word.iter().all(is_misc) && has_more {
            prefix.guest |= word.starts_with(b"G") || word.starts_with(b"g");
            text = &text[..start];
        }
    }
    if let Some((word, start)) = words::last(text) {
        let number = word.strip_prefix(b"[").and_then(|word| word.strip_suffix(b"]"));
        if let Some((cpu, _)) = number.filter(|n| words::is_decimal(n)).and_then(words::process) {
            prefix.cpu = cpu;
            text = &text[..start];
        }
    }
    let last = words::last(text);
    if let Some((start, (pid, tid))) =
        last.and_then(|(word, start)| Some((start, words::process(word)?)))
    {
        (prefix.pid, prefix.tid) = (pid, tid);
        prefix.name = text[..start].trim_ascii();
    }
    prefix
}

/// Reads the period and the event from the text after the time. Also returns the rest.
fn event(text: &[u8]) -> (Option<u64>, &[u8], &[u8]) {
    let Some((mut word, mut end)) = words::first(text) else { return (None, b"", b"") };
    if word.starts_with(b"PERF_RECORD_") {
        return (None, b"", text);
    }
    let mut period = None;
    if words::is_decimal(word) {
        let Some((next, next_end)) = words::first(&text[end..]) else { return (None, b"", text) };
        if !next.ends_with(b":") {
            return (None, b"", text);
        }
        period = words::process(word).map(|(period, _)| u64::from(period));
        (word, end) = (next, end + next_end);
    }
    match word.strip_suffix(b":") {
        Some(event) => (period, event, &text[end..]),
        None => (period, b"", text),
    }
}

/// Reads a line without a time: `comm pid [cpu] period event: …`.
fn without_time(line: &[u8]) -> Option<Prefix<'_>> {
    let (event, end) = words::all(line)
        .take_while(|(word, _)| !word.starts_with(b"|"))
        .find(|(word, _)| word.len() > 2 && word.ends_with(b":"))?;
    let next = words::first(&line[end..])?.0;
    if words::address(next).is_none() && !next.starts_with(b"|") {
        return None;
    }
    let event = &event[..event.len() - 1];
    let before = &line[..end - event.len() - 1];
    // After a process or a processor, a number is the period. A number alone is one in the column of periods.
    let follows = |(word, start): &(&[u8], usize)| match words::last(&line[..*start]) {
        Some((left, _)) => words::process(left).is_some() || left.ends_with(b"]"),
        None => *start > 0 && start + word.len() == PERIOD,
    };
    let number = words::last(before).filter(|(word, _)| words::is_decimal(word));
    let two = number.filter(follows);
    let (period, before) = match two {
        Some((word, start)) => (words::process(word), &line[..start]),
        None => (None, before),
    };
    let period = period.map(|(period, _)| u64::from(period));
    Some(Prefix { period, event, rest: &line[end..], ..who(before) })
}

/// Reads a line without time and event: `comm pid [cpu]` or nothing, and an address in a column.
fn by_column(line: &[u8]) -> Option<Prefix<'_>> {
    let words: Vec<_> = words::all(line).take(8).collect();
    let is_address =
        |at: usize| words.get(at).is_some_and(|(word, _)| words::address(word).is_some());
    let place = |at: usize| Place::of(words.get(at)?.1 - words[at - 1].1);
    let is_number = |at: usize| is_address(at) && place(at).is_some();
    let is_who = |(word, end): &(&[u8], usize)| {
        *end == COMMAND || words::process(word).is_some() || word.ends_with(b"]")
    };
    let first = *words.first()?;
    let starts = Place::of(first.1 + 1).is_some() && is_address(0);
    // A command may look like an address, but its process follows it.
    let is_command = words.get(1).is_some_and(|(word, _)| words::process(word).is_some());
    if starts && !(is_command && is_number(2)) {
        return line[0].is_ascii_whitespace().then_some(Prefix {
            rest: line,
            bare: true,
            ..Prefix::default()
        });
    }
    let at = (1..words.len()).find(|at| is_number(*at) && is_who(&words[*at - 1]))?;
    let end = words[at - 1].1;
    let who = who(&line[..end]);
    let name = if who.tid == 0 && end == COMMAND { line[..end].trim_ascii() } else { who.name };
    Some(Prefix { rest: &line[end..], name, ..who })
}

/// The column where a command ends, if nothing precedes it.
const COMMAND: usize = 16;
/// The column where a period ends, if nothing precedes it.
const PERIOD: usize = 10;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: (u32, u32, u32, Option<u64>, Option<u64>, &str, &str)) {
        let Prefix { pid, tid, cpu, time, period, event, rest, .. } =
            prefix(line.as_bytes()).expect("a prefix");
        let text = |bytes| std::str::from_utf8(bytes).unwrap();
        assert_eq!((pid, tid, cpu, time, period, text(event), text(rest)), expected, "{line}");
    }

    #[test]
    fn every_selection_of_fields_has_its_prefix() {
        let time = Some(2_031_603_438_000);
        check(
            "  a b: 7 [1]  9480/9481  [003]  2031.603438:          1 page-faults:  ff elf",
            (9480, 9481, 3, time, Some(1), "page-faults", "  ff elf"),
        );
        check(
            "sh 12 2031.603438: mem:0x6000:8 7f",
            (12, 12, 0, time, None, "", " mem:0x6000:8 7f"),
        );
        check(" 2031.603438000:   406000  4011ad", (0, 0, 0, time, None, "", "   406000  4011ad"));
        check(
            "Gecko\t25122 [007] 2031.603438:\t\t1000000 task-clock:u:",
            (25122, 25122, 7, time, Some(1_000_000), "task-clock:u", ""),
        );
        check(
            "dtlb mem-loads:uP:        3fec82ea8 4K",
            (0, 0, 0, None, None, "mem-loads:uP", "        3fec82ea8 4K"),
        );
        check("dtlb 7/8 [001] 4000 mem-loads: 3f", (7, 8, 1, None, Some(4000), "mem-loads", " 3f"));
        check(
            "         7 faults:            4011ad",
            (0, 0, 0, None, Some(7), "faults", "            4011ad"),
        );
        check(
            ":1234  1234 [000] K 2031.603438: faults: 3f",
            (1234, 1234, 0, time, None, "faults", " 3f"),
        );
        check(
            "swapper     0 [001] 2031.603438: faults: 3f",
            (0, 0, 1, time, None, "faults", " 3f"),
        );
    }

    #[test]
    fn what_is_aligned_needs_neither_time_nor_event() {
        for (line, expected) in [
            ("          406000", Some((0, "", Some(Place::Data)))),
            ("           4011ad [unknown]", Some((0, "", Some(Place::Code)))),
            ("ffffffff817554ea", None),
            ("    406000", None),
            (" 9398           40600a           4011ad", Some((9398, "", Some(Place::Data)))),
            ("           touch  9398            4011ad", Some((9398, "touch", Some(Place::Code)))),
            ("            dead  9398            4011ad", Some((9398, "dead", Some(Place::Code)))),
            ("           touch            4011ad main", Some((0, "touch", Some(Place::Code)))),
            ("[003]           406000", Some((0, "", Some(Place::Data)))),
        ] {
            let found = prefix(line.as_bytes()).map(|prefix| {
                let (_, end) = words::first(prefix.rest).unwrap();
                (prefix.tid, std::str::from_utf8(prefix.name).unwrap(), prefix.place(end))
            });
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn guests_are_recognised_by_their_mode() {
        for (line, guest) in [
            ("qemu 7/8 [001] G 2.603438: cycles: 3f", true),
            ("qemu 7/8 [001] g 2.603438: cycles: 3f", true),
            ("qemu 7/8 [001] U 2.603438: cycles: 3f", false),
            ("VM:7 VCPU:000 init 7/8 [001] 2.603438: cycles: 3f", true),
            ("G 8 2.603438: cycles: 3f", false),
        ] {
            let prefix = prefix(line.as_bytes()).unwrap();
            assert_eq!((prefix.guest, prefix.tid), (guest, 8), "{line}");
        }
    }
}
