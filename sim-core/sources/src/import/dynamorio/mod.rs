//! Reads traces of DynamoRIO's tools: the binary files of drmemtrace (`drmemtrace`), the text of its view
//! tool (`view`), and the logs of the sample tools `memtrace_x86` and `memtrace_simple` (`memtrace`).

mod drmemtrace;
mod markers;
mod memtrace;
mod view;

pub(super) use drmemtrace::Drmemtrace;
pub(super) use memtrace::Memtrace;
pub(super) use view::View;
