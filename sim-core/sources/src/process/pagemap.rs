//! Reads `/proc/PID/pagemap`: eight bytes for each page, by the number of the page (proc(5);
//! Documentation/admin-guide/mm/pagemap.rst). Its text form has only what is in memory:
//!
//! ```text
//! pagewalk pagemap 1
//! 7f3a1c200000 200 10a400     an address, the number of its pages of 4 KiB, and the number of the first frame
//! ```

use pagewalk_base::addr::{PageSize, parse_hex};
use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_base::trace::FrameRun;

/// The first line of the text form.
pub const PAGEMAP_TEXT: &str = "pagewalk pagemap 1";
/// The bytes of an entry.
pub const PAGEMAP_ENTRY: u64 = 8;

/// The most runs of a process: 16 GiB, if no two pages lie together.
const MAX_RUNS: usize = 1 << 22;
const FRAME: u64 = (1 << 55) - 1;
const PRESENT: u64 = 1 << 63;
/// Runs are counted in pages of 4 KiB.
const SMALL: u32 = 12;

/// Where the pages of a process are in physical memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageFrames {
    /// The runs, of process 0, in the order in which they were found.
    pub runs: Vec<FrameRun>,
    /// Pages in memory whose frame the kernel does not tell: their number is 0.
    pub n_hidden: u64,
    /// Pages in memory that are left out because there are too many runs.
    pub n_left_out: u64,
}

impl PageFrames {
    /// Adds the entry of a page, which begins at `address`.
    pub fn add(&mut self, address: u64, entry: u64, page: PageSize) {
        if entry & PRESENT == 0 {
            return;
        }
        let frame = entry & FRAME;
        let bytes = page.bytes();
        let (end, physical) = (address.checked_add(bytes), frame.checked_mul(bytes));
        match (end, physical.filter(|at| at.checked_add(bytes).is_some())) {
            (Some(end), Some(physical)) if frame > 0 => {
                self.append(FrameRun { pid: 0, start: address, end, physical });
            }
            _ => self.n_hidden += 1,
        }
    }

    /// Returns the number of pages in memory.
    pub fn n_present(&self) -> u64 {
        let known: u64 = self.runs.iter().map(FrameRun::pages).sum();
        known + self.n_hidden + self.n_left_out
    }

    fn append(&mut self, run: FrameRun) {
        let n = run.pages();
        run.append(&mut self.runs);
        if self.runs.len() > MAX_RUNS {
            self.runs.pop();
            self.n_left_out += n;
        }
    }

    /// Reads the text form.
    ///
    /// # Errors
    /// `bad-trace` at the line that is wrong.
    pub fn parse(text: &str) -> Result<Self> {
        let mut frames = Self::default();
        let mut lines = text.lines().enumerate();
        if lines.next().map(|(_, line)| line.trim()) != Some(PAGEMAP_TEXT) {
            return Err(wrong(0, format!("the first line must be `{PAGEMAP_TEXT}`")));
        }
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let run = read_line(line).ok_or_else(|| {
                let what = "this is no run of pages: write an address, the number of pages of 4 KiB, and the number of the first frame, in hexadecimal";
                wrong(number, what.to_owned())
            })?;
            frames.append(run);
        }
        Ok(frames)
    }

    /// Writes the text form.
    pub fn text(&self) -> String {
        let lines = self
            .runs
            .iter()
            .map(|run| format!("{:x} {:x} {:x}\n", run.start, run.pages(), run.physical >> SMALL));
        format!("{PAGEMAP_TEXT}\n{}", lines.collect::<String>())
    }
}

/// Reads an address, a number of pages and a frame.
fn read_line(line: &str) -> Option<FrameRun> {
    let mut words = line.split_ascii_whitespace();
    let mut number = || parse_hex(words.next()?);
    let (start, pages, frame) = (number()?, number()?, number()?);
    let bytes = pages.checked_mul(1 << SMALL).filter(|bytes| *bytes > 0)?;
    let physical = frame.checked_mul(1 << SMALL)?;
    physical.checked_add(bytes)?;
    let is_page = start.trailing_zeros() >= SMALL && words.next().is_none();
    is_page.then_some(FrameRun { pid: 0, start, end: start.checked_add(bytes)?, physical })
}

fn wrong(line: usize, what: String) -> Error {
    Error::new(ErrorCode::BadTrace, what).at(Place::Line(line as u64 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[test]
    fn entries_of_pages_in_memory_become_runs() {
        let mut frames = PageFrames::default();
        let swapped = 1 << 62;
        let entries = [PRESENT | 5, PRESENT | 1 << 61 | 6, swapped | 7, PRESENT | 8, PRESENT];
        for (page, entry) in (0x10..).zip(entries) {
            frames.add(page << 12, entry, PageSize::K4);
        }
        assert_eq!(frames.text(), "pagewalk pagemap 1\n10000 2 5\n13000 1 8\n");
        assert_eq!((frames.n_hidden, frames.n_present()), (1, 4));
        let mut large = PageFrames::default();
        large.add(0x20000, PRESENT | 3, PageSize(16));
        assert_eq!(large.text(), "pagewalk pagemap 1\n20000 10 30\n");
        large.add(u64::MAX << 16, PRESENT | 3, PageSize(16));
        large.add(0, PRESENT | FRAME, PageSize(16));
        assert_eq!(large.n_hidden, 2);
    }

    #[track_caller]
    #[expect(clippy::needless_pass_by_value, reason = "reads better at the places that call it")]
    fn check(text: &str, expected: Expect) {
        let found = match PageFrames::parse(text) {
            Ok(frames) => frames.text(),
            Err(error) => format!("{error}\n"),
        };
        expected.assert_eq(&found);
    }

    #[test]
    fn the_text_form_is_read_as_it_is_written() {
        check(
            "pagewalk pagemap 1\n7f0000 2 5\n7f2000 1 7\n\n401000 1 3\n",
            expect![[r"
                pagewalk pagemap 1
                7f0000 3 5
                401000 1 3
            "]],
        );
        check(
            "",
            expect![[r"
                line 1: the first line must be `pagewalk pagemap 1`
            "]],
        );
        for line in
            ["7f0010 1 5", "7f0000 0 5", "7f0000 1", "7f0000 1 5 6", "7f0000 1 fffffffffffff"]
        {
            let error = PageFrames::parse(&format!("{PAGEMAP_TEXT}\n{line}\n")).unwrap_err();
            assert_eq!(error.at, Some(Place::Line(2)), "{line}");
        }
        check(
            "pagewalk pagemap 1\n0 ffffffffffffffff 5\n",
            expect![[r"
                line 2: this is no run of pages: write an address, the number of pages of 4 KiB, and the number of the first frame, in hexadecimal
            "]],
        );
    }
}
