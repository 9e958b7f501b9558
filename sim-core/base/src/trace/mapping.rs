//! The memory map of a traced process, if its file records one.

use serde::{Deserialize, Serialize};

/// What a range of addresses holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum RegionKind {
    /// Code of the program file.
    Text,
    /// A shared library: code and constants from a file.
    Library,
    /// Code that the program generated: anonymous and executable.
    Jit,
    Heap,
    Stack,
    /// Other anonymous memory.
    Anonymous,
    /// A mapped file that is not executable.
    File,
    /// Memory that processes share.
    Shared,
    /// Code that the kernel maps into every process.
    Vdso,
}

impl RegionKind {
    pub const ALL: [Self; 9] = [
        Self::Text,
        Self::Library,
        Self::Jit,
        Self::Heap,
        Self::Stack,
        Self::Anonymous,
        Self::File,
        Self::Shared,
        Self::Vdso,
    ];

    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Library => "library",
            Self::Jit => "jit",
            Self::Heap => "heap",
            Self::Stack => "stack",
            Self::Anonymous => "anonymous",
            Self::File => "file",
            Self::Shared => "shared",
            Self::Vdso => "vdso",
        }
    }

    /// Returns whether the contents come from a file or another process. Such contents are already in memory at the
    /// first touch.
    pub fn is_backed(self) -> bool {
        matches!(self, Self::Text | Self::Library | Self::File | Self::Shared | Self::Vdso)
    }

    /// Returns what a mapping holds, from its name and whether it is executable. Names are written as in
    /// `/proc/PID/maps` and in perf's mmap records (proc(5); tools/perf/util/map.c).
    pub fn of_mapping(name: &str, executable: bool) -> Self {
        if name.starts_with("[stack") {
            return Self::Stack;
        }
        match name {
            "[heap]" => Self::Heap,
            "[vdso]" | "[vvar]" | "[vsyscall]" | "[vvar_vclock]" => Self::Vdso,
            "" | "//anon" | "/anon_hugepage" | "/anon_hugepage (deleted)" if executable => {
                Self::Jit
            }
            "" | "//anon" | "/anon_hugepage" | "/anon_hugepage (deleted)" => Self::Anonymous,
            _ if name.starts_with('[') => Self::Anonymous,
            _ if ["/memfd:", "/dev/shm/", "/SYSV", "/dev/zero"]
                .iter()
                .any(|start| name.starts_with(start)) =>
            {
                if executable {
                    Self::Jit
                } else {
                    Self::Shared
                }
            }
            _ if name.strip_suffix(".so").is_some() || name.contains(".so.") => Self::Library,
            _ if executable => Self::Text,
            _ => Self::File,
        }
    }
}

/// One record of a process's memory map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    pub pid: u32,
    /// The number of the first access that the record applies to. The trace builder sets it.
    pub from: u32,
    pub start: u64,
    /// The end of the range, which is not part of it; above `start`.
    pub end: u64,
    /// The offset of `start` in the file; 0 without a file.
    pub offset: u64,
    pub kind: RegionKind,
    /// The name of the file, or what stands for a file: `[heap]`, `//anon`, ….
    pub name: String,
    /// Whether the record only names a part of a mapping, such as a variable or a block of the heap. The operating system
    /// does not know such parts.
    pub is_name: bool,
}

impl Mapping {
    /// Makes a record, or returns `None` if its range is empty. The name decides the kind. The record applies from
    /// access 0 on, until a [`crate::trace::TraceBuilder`] sets another number.
    pub fn new(
        pid: u32,
        range: std::ops::Range<u64>,
        offset: u64,
        executable: bool,
        name: impl Into<String>,
    ) -> Option<Self> {
        let (start, end, name) = (range.start, range.end, name.into());
        let kind = RegionKind::of_mapping(&name, executable);
        let made = Self { pid, from: 0, start, end, offset, kind, name, is_name: false };
        (start < end).then_some(made)
    }

    /// Makes a record that names a part of memory of this kind, or returns `None` if the part is empty.
    pub fn naming(
        range: std::ops::Range<u64>,
        kind: RegionKind,
        name: impl Into<String>,
    ) -> Option<Self> {
        Self::new(0, range, 0, false, name).map(|made| Self { kind, is_name: true, ..made })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_a_mapping_holds() {
        for (name, executable, kind) in [
            ("[heap]", false, "heap"),
            ("[stack]", false, "stack"),
            ("[stack:1234]", false, "stack"),
            ("[vdso]", true, "vdso"),
            ("", false, "anonymous"),
            ("//anon", true, "jit"),
            ("[anon: tcache]", false, "anonymous"),
            ("/memfd:doublemapper (deleted)", true, "jit"),
            ("/dev/shm/ring", false, "shared"),
            ("/usr/lib/libc.so.6", true, "library"),
            ("/usr/lib/libm.so", false, "library"),
            ("/usr/sbin/mysqld", true, "text"),
            ("/usr/sbin/mysqld", false, "file"),
        ] {
            let found = RegionKind::of_mapping(name, executable);
            assert_eq!(found.name(), kind, "{name} {executable}");
        }
        for kind in RegionKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
    }
}
