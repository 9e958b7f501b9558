//! The right part of a line of `perf script`: the data address, what the hardware says of it, the
//! instruction pointer, the sizes of the pages.
//!
//! ```text
//! addr [sym[+off] (dso)]  data_src |OP …|TLB …|BLK …  weight …  ip sym (dso)  phys  data-page code-page
//! ```
//!
//! Columns are padded, by widths that differ between versions and grow within a file, so they are
//! told by their shape. Which of two is which follows from the order, which is fixed.

use crate::import::digits::hex;

use super::words;

/// Numbers are printed in columns of this width, with a blank before.
const COLUMN: usize = 17;
/// A number as long as this is no symbol's name, however it is padded.
const SURELY: usize = 9;

/// What stands in the columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Columns {
    pub(super) address: Option<u64>,
    pub(super) ip: Option<u64>,
    pub(super) data_src: Option<u64>,
    /// Of the page fault that the line tells.
    pub(super) error_code: Option<u64>,
    /// Bytes; 0 where it is not known.
    pub(super) data_page: u64,
    /// There is one column of addresses, and `address` holds it.
    pub(super) lone: bool,
    /// A name stands after that one column.
    pub(super) named: bool,
}

pub(super) fn columns(rest: &[u8]) -> Columns {
    let text = rest.trim_ascii();
    if text.starts_with(b"address=") {
        return fault(text);
    }
    let mark = memchr::memmem::find(rest, b"|OP ").or_else(|| memchr::memmem::find(rest, b"|SNP "));
    match mark.and_then(|mark| Some((mark, words::last(&rest[..mark])?))) {
        Some((mark, (word, start))) if words::address(word).is_some() => {
            with_data_src(&rest[..start], word, &rest[mark..])
        }
        _ => without_data_src(rest),
    }
}

/// `address=0x7f88 ip=0x7f88 error_code=0x14`, of the tracepoints of page faults.
fn fault(text: &[u8]) -> Columns {
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

fn with_data_src(before: &[u8], source: &[u8], after: &[u8]) -> Columns {
    let address = words::first(before).and_then(|(word, _)| words::address(word));
    let bar = memchr::memrchr(b'|', after).map_or(0, |at| at + 1);
    let mut tail = &after[bar..];
    // The label, then words until a number: the last of what data_src was decoded to.
    for n in 0.. {
        let Some((word, end)) = words::first(tail) else { break };
        let is_number = words::address(word).is_some() && word != b"Addr";
        if n > 0 && (is_number || words::page_size(word).is_some_and(|size| size > 0)) {
            break;
        }
        tail = &tail[end..];
    }
    let (tail, data_page) = strip_pages(tail);
    // Weights are decimal and small; the instruction pointer comes after them.
    let numbers = words::all(tail).map_while(|(word, _)| Some((word, words::address(word)?)));
    let (mut ip, mut n) = (None, 0);
    for (word, value) in numbers {
        n += 1;
        let is_ip = word.len() >= SURELY || !words::is_decimal(word);
        ip = Some((value, is_ip));
        if is_ip {
            break;
        }
    }
    let named = words::all(tail).nth(n).is_some();
    let ip = ip.filter(|(_, is_ip)| *is_ip || named && n > 0).map(|(value, _)| value);
    Columns { address, ip, data_src: hex(source).ok(), data_page, ..Columns::default() }
}

fn without_data_src(rest: &[u8]) -> Columns {
    let (tail, data_page) = strip_pages(rest);
    let Some((word, mut end)) = words::first(tail) else { return Columns::default() };
    let Some(first) = words::address(word) else { return Columns::default() };
    let mut named = false;
    let mut previous = word;
    for (word, word_end) in words::all(tail).skip(1) {
        let is_pair = !named && word.len() >= 4 && words::first(&tail[word_end..]).is_none();
        let is_column = word_end - end >= COLUMN || word.len() >= SURELY || is_pair;
        if let Some(second) = words::address(word).filter(|_| is_column) {
            // After a name, the last column of all is the physical address.
            let is_last = word_end == tail.trim_ascii_end().len();
            if is_last && named && previous.ends_with(b")") {
                break;
            }
            return Columns {
                address: Some(first),
                ip: Some(second),
                data_page,
                ..Columns::default()
            };
        }
        named = true;
        (previous, end) = (word, word_end);
    }
    Columns { address: Some(first), data_page, lone: true, named, ..Columns::default() }
}

/// Cuts the sizes of pages off the end: of the data, then of the code. A single one is of the data.
fn strip_pages(text: &[u8]) -> (&[u8], u64) {
    let Some((word, start)) = words::last(text) else { return (text, 0) };
    let Some(last) = words::page_size(word) else { return (text, 0) };
    let before = &text[..start];
    match words::last(before).and_then(|(word, start)| Some((words::page_size(word)?, start))) {
        Some((data, start)) => (&text[..start], data),
        None => (before, last),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Address, ip, `data_src`, page.
    type Expected = (Option<u64>, Option<u64>, Option<u64>, u64);

    fn check(line: &str, expected: Expected) {
        let Columns { address, ip, data_src, data_page, .. } = columns(line.as_bytes());
        assert_eq!((address, ip, data_src, data_page), expected, "{line}");
    }

    #[test]
    fn columns_are_told_by_shape() {
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
}
