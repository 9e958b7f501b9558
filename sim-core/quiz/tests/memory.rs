//! A line takes no more memory than its length, or than a small file.

use pagewalk_quiz::exercise::{Answers, read_line, write_line};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The most bytes for a short line, which can inflate to a thousand times its length.
const SMALL: usize = 512 << 10;

#[track_caller]
fn check(line: &str) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    assert!(read_line(line).is_err());
    let used = MEMORY.peak_usage() - before;
    assert!(used <= line.len().max(SMALL), "{used} bytes for a line of {}", line.len());
}

#[test]
fn a_line_takes_no_more_memory_than_its_length() {
    let million = 1_000_000;
    check(&"a".repeat(million));
    check(&format!("PW1.{}", "A".repeat(million)));
    check(&"PW1.".repeat(million / 4));
    check(&format!("PW1.AAAA.{}", "0".repeat(million)));
    let name = "x".repeat(40 * million);
    let inflates =
        Answers { exercise: String::new(), name, program: String::new(), answers: Vec::new() };
    let line = write_line(&inflates);
    assert!(line.len() < 64 << 10, "{}", line.len());
    check(&line);
}
