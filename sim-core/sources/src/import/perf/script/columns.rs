//! Reads the right part of a line of `perf script`: the data address, what the hardware says about it, the
//! instruction pointer and the page sizes.
//!
//! ```text
//! addr [sym[+off] (dso)]  data_src |OP …|TLB …|BLK …  weight …  ip sym (dso)  phys  data-page code-page
//! ```
//!
//! Columns are padded to widths that differ between versions and grow within a file. They are therefore
//! recognised by their shape, and two of the same shape by their order, which is fixed.

use crate::import::digits::{decimal, hex};
use pagewalk_base::samples::Name;

use super::prefix::{Place, Prefix};
use super::words;

/// The width of a column of numbers, including the blank before it.
const COLUMN: usize = 17;
/// A number of this length is never the name of a symbol, however it is padded.
const SURELY: usize = 9;

/// The contents of the columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns<'a> {
    pub(super) address: Option<u64>,
    pub(super) ip: Option<u64>,
    pub(super) data_src: Option<u64>,
    /// The error code of the page fault on the line.
    pub(super) error_code: Option<u64>,
    /// The latency in cycles; 0 if it is unknown.
    pub(super) latency: u32,
    /// 0 if it is unknown.
    pub(super) physical: u64,
    /// In bytes; 0 if it is unknown.
    pub(super) data_page: u64,
    /// In bytes; 0 if it is unknown.
    pub(super) code_page: u64,
    /// Whether there is only one column of addresses, which `address` then holds.
    pub(super) lone: bool,
    /// Whether a name follows that single column.
    pub(super) named: bool,
    /// Where that single column is, if it is known.
    pub(super) place: Option<Place>,
    /// The name after the address, or after the single column.
    pub(super) data: Name<'a>,
    /// The name after the instruction pointer.
    pub(super) code: Name<'a>,
}

pub(super) fn columns<'a>(prefix: &Prefix<'a>) -> Columns<'a> {
    let rest = prefix.rest;
    let text = rest.trim_ascii();
    if text.starts_with(b"address=") {
        return fault(text);
    }
    match mark(rest).and_then(|mark| Some((mark, words::last(&rest[..mark])?))) {
        Some((mark, (word, start))) if words::address(word).is_some() => {
            with_data_src(&rest[..start], word, &rest[mark..])
        }
        _ => without_data_src(prefix),
    }
}

/// Returns where the decoded words of `data_src` begin.
fn mark(rest: &[u8]) -> Option<usize> {
    let starts = |word: &'static [u8]| move |at: &usize| rest[*at..].starts_with(word);
    let bars = || memchr::memchr_iter(b'|', rest);
    bars().find(starts(b"|OP ")).or_else(|| bars().find(starts(b"|SNP ")))
}

/// Reads `address=0x7f88 ip=0x7f88 error_code=0x14` of the tracepoints of page faults.
fn fault(text: &[u8]) -> Columns<'static> {
    let value = |name: &[u8]| {
        let (word, _) = words::all(text).find(|(word, _)| word.starts_with(name))?;
        let value = &word[name.len()..];
        value.starts_with(b"0x").then(|| hex(value).ok())?
    };
    Columns {
        address: value(b"address="),
        ip: value(b"ip="),
        error_code: value(b"error_code="),
        ..Columns::default()
    }
}

fn with_data_src<'a>(before: &'a [u8], source: &[u8], after: &'a [u8]) -> Columns<'a> {
    let first = words::first(before).and_then(|(word, end)| Some((words::address(word)?, end)));
    let data = first.map_or(Name::default(), |(_, end)| name(&before[end..]).0);
    let bar = memchr::memrchr(b'|', after).map_or(0, |at| at + 1);
    let mut tail = &after[bar..];
    // The decoded `data_src` is a label, then words. It ends before the first number.
    for n in 0.. {
        let Some((word, end)) = words::first(tail) else { break };
        let is_number = words::address(word).is_some() && word != b"Addr";
        if n > 0 && (is_number || words::page_size(word).is_some_and(|size| size > 0)) {
            break;
        }
        tail = &tail[end..];
    }
    let Pages { text: tail, data_page, code_page } = strip_pages(tail);
    // Weights are small decimal numbers, the latency first. The instruction pointer follows them.
    let numbers =
        words::all(tail).map_while(|(word, end)| Some((word, words::address(word)?, end)));
    let (mut ip, mut n, mut ends, mut latency) = (None, 0, 0, None);
    for (word, value, end) in numbers {
        n += 1;
        ends = end;
        let is_ip = word.len() >= SURELY || !words::is_decimal(word);
        ip = Some((value, is_ip));
        if is_ip {
            break;
        }
        latency = latency.or(decimal(word).ok());
    }
    let named = words::all(tail).nth(n).is_some();
    let ip = ip.filter(|(_, is_ip)| *is_ip || named && n > 0);
    if n == 1 && ip.is_some() {
        latency = None;
    }
    let (code, physical) = name(&tail[ends..]);
    Columns {
        address: first.map(|(address, _)| address),
        ip: ip.map(|(value, _)| value),
        data_src: hex(source).ok(),
        latency: latency.and_then(|cycles| u32::try_from(cycles).ok()).unwrap_or(0),
        physical,
        data_page,
        code_page,
        data,
        code,
        ..Columns::default()
    }
}

fn without_data_src<'a>(prefix: &Prefix<'a>) -> Columns<'a> {
    let Pages { text: tail, data_page, code_page } = strip_pages(prefix.rest);
    let Some((word, mut end)) = words::first(tail) else { return Columns::default() };
    let Some(first) = words::address(word) else { return Columns::default() };
    let place = prefix.place(end);
    let (first_end, mut named, mut latency) = (end, false, None);
    // The physical address, with the position where it begins.
    let mut physical = None;
    let mut previous = word;
    for (word, word_end) in words::all(tail).skip(1) {
        // Weights and physical addresses have no blank before their 16 columns.
        let is_tight = place.is_some() && word_end - end == COLUMN - 1;
        if let Some(number) = words::address(word).filter(|_| is_tight) {
            let is_weight = place == Some(Place::Data) && !named && word.len() < SURELY;
            if let Some(cycles) = is_weight.then(|| decimal(word).ok()).flatten() {
                latency = latency.or(u32::try_from(cycles).ok());
                end = word_end;
                continue;
            }
            physical = Some((number, word_end - word.len()));
            break;
        }
        let is_pair = !named && word.len() >= 4 && words::first(&tail[word_end..]).is_none();
        let is_column = word_end - end >= COLUMN || word.len() >= SURELY || is_pair;
        let is_second = is_column && place != Some(Place::Code);
        if let Some(second) = words::address(word).filter(|_| is_second) {
            // After a name, the last column of the line is the physical address.
            let is_last = word_end == tail.trim_ascii_end().len();
            if is_last && named && previous.ends_with(b")") {
                break;
            }
            let (code, physical) = name(&tail[word_end..]);
            return Columns {
                address: Some(first),
                ip: Some(second),
                physical,
                latency: latency.unwrap_or(0),
                data_page,
                code_page,
                data: if named {
                    name(&tail[first_end..word_end - word.len()]).0
                } else {
                    Name::default()
                },
                code,
                ..Columns::default()
            };
        }
        named = true;
        (previous, end) = (word, word_end);
    }
    let (data, physical) = match physical {
        Some((number, start)) => (name(&tail[first_end..start]).0, number),
        None if named => name(&tail[first_end..]),
        None => (Name::default(), 0),
    };
    let lone = true;
    Columns {
        address: Some(first),
        physical,
        latency: latency.unwrap_or(0),
        data_page,
        code_page,
        lone,
        named,
        place,
        data,
        ..Columns::default()
    }
}

/// The page sizes at the end of a line, and the text before them.
struct Pages<'a> {
    text: &'a [u8],
    data_page: u64,
    code_page: u64,
}

/// Splits off the page sizes: of the data, then of the code. A single size is of the data.
fn strip_pages(text: &[u8]) -> Pages<'_> {
    let none = Pages { text, data_page: 0, code_page: 0 };
    let Some((word, start)) = words::last(text) else { return none };
    let Some(last) = words::page_size(word) else { return none };
    let before = &text[..start];
    match words::last(before).and_then(|(word, start)| Some((words::page_size(word)?, start))) {
        Some((data, start)) => Pages { text: &text[..start], data_page: data, code_page: last },
        None => Pages { text: before, data_page: last, code_page: 0 },
    }
}

/// Reads `sym+0x1f (file)    physical`, each part of which may be missing. Symbols of C++ contain
/// parentheses, too, so the last pair holds the file.
pub(super) fn name(text: &[u8]) -> (Name<'_>, u64) {
    let text = text.trim_ascii();
    // Without a file, nothing separates a symbol from a number.
    let number = words::last(text).and_then(|(word, start)| {
        let before = text[..start].trim_ascii_end();
        let is_one = before.ends_with(b")") || before.is_empty() && word.len() >= SURELY;
        Some((before, words::address(word).filter(|_| is_one)?))
    });
    let (before, physical) = number.unwrap_or((text, 0));
    let (symbol, file) = match opening(before) {
        Some(at) => (before[..at].trim_ascii_end(), &before[at + 1..before.len() - 1]),
        None => (before, &b""[..]),
    };
    let offset = memchr::memrchr_iter(b'+', symbol).find(|at| symbol[*at..].starts_with(b"+0x"));
    let is_offset = |at: &usize| hex(&symbol[at + 1..]).is_ok();
    let symbol = &symbol[..offset.filter(is_offset).unwrap_or(symbol.len())];
    let symbol = if symbol == b"[unknown]" { b"" } else { symbol };
    (Name { symbol, file: if file == b"[unknown]" { b"" } else { file } }, physical)
}

/// Returns the position of the parenthesis that the last byte closes, if a word begins there.
fn opening(text: &[u8]) -> Option<usize> {
    if text.last() != Some(&b')') {
        return None;
    }
    let mut depth = 0u32;
    let at = text.iter().rposition(|byte| {
        match byte {
            b')' => depth += 1,
            b'(' => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    (at == 0 || text[at - 1].is_ascii_whitespace()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Address, ip, `data_src`, page size.
    type Expected = (Option<u64>, Option<u64>, Option<u64>, u64);

    fn check(line: &str, expected: Expected) {
        let prefix = Prefix { rest: line.as_bytes(), ..Prefix::default() };
        let Columns { address, ip, data_src, data_page, .. } = columns(&prefix);
        assert_eq!((address, ip, data_src, data_page), expected, "{line}");
    }

    #[test]
    fn columns_are_recognised_by_shape() {
        let (a, i) = (Some(0x5570_a820_0028), Some(0xffff_ffff_8175_54ea));
        check("     5570a8200028 ffffffff817554ea", (a, i, None, 0));
        check(
            "     5570a8200028 add+0x0 (/tmp/a b (x)) ffffffff817554ea elf_load ([kernel.kallsyms])",
            (a, i, None, 0),
        );
        check(
            "                0     7f6130dd94a2 init (/usr/lib/ld.so) N/A 4K",
            (Some(0), Some(0x7f61_30dd_94a2), None, 0),
        );
        check("     5570a8200028 main (/tmp/x)       1d89bf000 4K 4K", (a, None, None, 4096));
        check("5570a8200028 401000", (a, Some(0x40_1000), None, 0));
        check("     5570a8200028 1024M", (a, None, None, 1 << 30));
        check(
            "     55ffba5cda08     11868100242 |OP LOAD|LVL LFB/MAB hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A             225               0 ffffffff817554ea [unknown]",
            (Some(0x55ff_ba5c_da08), i, Some(0x118_6810_0242), 0),
        );
        check(
            " 406000      1e05080021 |OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A               0           401104 main (/tmp/touch)       1d89bf000 2M 4K",
            (Some(0x40_6000), Some(0x40_1104), Some(0x1e_0508_0021), 2 << 20),
        );
        check(
            "  444000288100144 |OP STORE SIMD|LVL L1 hit|SNP None|TLB Walker hit|LCK No|BLK  N/A|AFF PRED SG",
            (None, None, Some(0x444_0002_8810_0144), 0),
        );
        check(
            " 7f00 10668100842 |OP LOAD|LVL L3 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  Addr  96",
            (Some(0x7f00), None, Some(0x106_6810_0842), 0),
        );
        check("address=0x7f88 ip=elf_load error_code=0x2", (Some(0x7f88), None, None, 0));
    }

    /// Latency, physical address, page size of the code, name of the data, name of the instruction.
    type More<'a> = (u32, u64, u64, [&'a str; 2], [&'a str; 2]);

    fn check_more(line: &str, expected: More<'_>) {
        let prefix = Prefix { rest: line.as_bytes(), ..Prefix::default() };
        let Columns { latency, physical, code_page, data, code, .. } = columns(&prefix);
        let texts = [data.symbol, data.file, code.symbol, code.file]
            .map(|bytes| std::str::from_utf8(bytes).unwrap());
        let [a, b, c, d] = texts;
        assert_eq!((latency, physical, code_page, [a, b], [c, d]), expected, "{line}");
    }

    #[test]
    fn what_else_stands_in_a_line() {
        check_more(
            " 55ffba5cda08     11868100242 |OP LOAD|LVL LFB/MAB hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A             225               0 ffffffff817554ea [unknown]",
            (225, 0, 0, ["", ""], ["", ""]),
        );
        check_more(
            " 406000      1e05080021 |OP N/A|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A               0           401104 main+0x12 (/tmp/touch)       1d89bf000 2M 4K",
            (0, 0x1_d89b_f000, 4096, ["", ""], ["main", "/tmp/touch"]),
        );
        check_more(
            "     5570a8200028 add+0x0 (/tmp/a b (x)) ffffffff817554ea elf_load ([kernel.kallsyms])",
            (0, 0, 0, ["add", "/tmp/a b (x)"], ["elf_load", "[kernel.kallsyms]"]),
        );
        check_more(
            "     7f6130dd94a2 std::map<int, int>::operator()(int) const+0x1c (/usr/lib/a.so (deleted))",
            (
                0,
                0,
                0,
                ["std::map<int, int>::operator()(int) const", "/usr/lib/a.so (deleted)"],
                ["", ""],
            ),
        );
        check_more("   7f6130dd94a2 foo(int, char*)", (0, 0, 0, ["foo(int, char*)", ""], ["", ""]));
        check_more("   7f6130dd94a2 [unknown] ([unknown])", (0, 0, 0, ["", ""], ["", ""]));
    }
}
