//! Files of Linux about a process, which belong to a trace: `/proc/PID/maps`, `smaps` and `pagemap` (proc(5)).

mod maps;
mod pagemap;
mod smaps;

pub use maps::{MapLine, map_line};
pub use pagemap::{PAGEMAP_ENTRY, PAGEMAP_TEXT, PageFrames};
pub use smaps::{ProcessMemory, memory};
