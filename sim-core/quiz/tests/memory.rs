//! A line or a link takes no more memory than its length, or than a small file.

use pagewalk_quiz::exercise::{read_line, read_link};
use peak_alloc::PeakAlloc;

mod packed;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The most bytes for a short line, which can inflate to a thousand times its length.
const SMALL: usize = 512 << 10;

/// Returns the bytes that a function needs.
fn used(read: impl FnOnce()) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    read();
    MEMORY.peak_usage() - before
}

#[track_caller]
fn check(line: &str) {
    let used = used(|| assert!(read_line(line).is_err()));
    assert!(used <= line.len().max(SMALL), "{used} bytes for a line of {}", line.len());
}

/// One test, because tests of one program run at the same time.
#[test]
fn lines_and_links_take_little_memory() {
    check_lines();
    check_link();
}

fn check_lines() {
    let million = 1_000_000;
    check(&"a".repeat(million));
    check(&format!("PW1.{}", "A".repeat(million)));
    check(&"PW1.".repeat(million / 4));
    check(&format!("PW1.AAAA.{}", "0".repeat(million)));
    let line = packed::line(&packed::letters(40_000_000));
    assert!(line.len() < 64 << 10, "{}", line.len());
    check(&line);
}

fn check_link() {
    let link = format!("exercise=1{}", packed::letters(4 << 20));
    let used = used(|| assert!(read_link(&link).is_err()));
    assert!(used <= 4 << 20, "{used} bytes for a link of {}", link.len());
}
