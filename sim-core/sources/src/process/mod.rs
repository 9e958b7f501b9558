//! Files of Linux about a process, which belong to a trace: `/proc/PID/maps` and `/proc/PID/smaps` (proc(5)).

mod maps;
mod smaps;

pub use maps::{MapLine, map_line};
pub use smaps::{ProcessMemory, memory};
