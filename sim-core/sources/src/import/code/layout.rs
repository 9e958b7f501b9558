//! Where the parts of a program are in the simulated process.

use serde::Deserialize;

use pagewalk_base::addr::Hex;
use pagewalk_base::trace::{Mapping, RegionKind};

use super::head::{Head, Named};

/// The code of a program that is linked for a fixed address.
pub(super) const TEXT: u64 = 0x40_0000;
/// Global variables and constants: an address in the linear memory is added to each of these.
const DATA: u64 = 0x1_0000_0000;
const HEAP: u64 = 0x5555_0000_0000;
const STACK: u64 = 0x7ffc_0000_0000;
/// The most bytes of a linear memory, and of the code.
const MOST: u64 = 1 << 32;
/// No variable has the first bytes of a linear memory, because a null pointer is 0: linkers begin the data here or later.
const NULL_END: u64 = 1 << 10;
/// The bytes of a page of WebAssembly.
const MEMORY_PAGE: u64 = 1 << 16;

/// The parts of a linear memory.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Memory {
    /// The lowest and the highest address of the stack; equal if it is not known.
    stack: (Hex, Hex),
    /// The end of the data that have values when the program starts. Without it, all data have.
    #[serde(default)]
    data: Option<Hex>,
    /// Where data end and the heap begins.
    heap: Hex,
    /// The bytes of the memory when the program starts.
    size: Hex,
    /// The bytes of the code.
    code: Hex,
}

/// Translates addresses of the linear memory into those of the process:
///
/// | part | address |
/// |---|---|
/// | code | 0x40_0000 + its place in the code section |
/// | data and bss | 0x1_0000_0000 + its address in the linear memory |
/// | heap | 0x5555_0000_0000 + its address in the linear memory |
/// | stack | 0x7ffc_0000_0000 + its address in the linear memory |
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    stack: (u64, u64),
    data: u64,
    heap: u64,
    size: u64,
    code: u64,
}

impl Layout {
    /// Takes the parts, or says which is too large.
    pub(super) fn new(memory: &Memory) -> Result<Self, String> {
        let Memory { stack, data, heap, size, code } = *memory;
        let data = data.unwrap_or(heap);
        for (part, end) in [
            ("stack", stack.0),
            ("stack", stack.1),
            ("heap", heap),
            ("size", size),
            ("code", code),
            ("data", data),
        ] {
            if end.0 > MOST {
                return Err(format!("{part} is {end}: must be at most {}", Hex(MOST)));
            }
        }
        let stack = (stack.0.0, stack.1.0);
        Ok(Self { stack, data: data.0, heap: heap.0, size: size.0, code: code.0 })
    }

    /// Returns the address of a byte of the linear memory in the process.
    #[inline]
    pub(super) fn address(&self, at: u64) -> u64 {
        let is_stack = at.wrapping_sub(self.stack.0) < self.stack.1.saturating_sub(self.stack.0);
        let below = if is_stack { STACK } else { DATA };
        at + if at >= self.heap { HEAP } else { below }
    }

    /// Returns the memory map at the start: the parts, then what has a name in them.
    pub(super) fn mappings(&self, head: &Head) -> Vec<Mapping> {
        let mut all = Vec::new();
        let mut add = |kind: RegionKind, start: u64, end: u64, name: &str| {
            if let Some(mapping) = Mapping::new(0, start..end, 0, false, name) {
                all.push(Mapping { kind, ..mapping });
            }
        };
        add(RegionKind::Text, TEXT, TEXT + self.code, "code");
        let (low, high) = self.stack;
        let limited = |at: u64| at.min(self.heap);
        if low < limited(high) {
            add(RegionKind::Stack, STACK + low, STACK + limited(high), "[stack]");
        }
        // Data lie below the stack, above it, or on both sides. Those without values at the start come last.
        for (start, end) in [(0, limited(low)), (limited(high), self.heap)] {
            let border = self.data.clamp(start, end.max(start));
            add(RegionKind::File, DATA + start, DATA + border, "data");
            add(RegionKind::Anonymous, DATA + border, DATA + end, "bss");
        }
        add(RegionKind::Heap, HEAP + limited(self.heap), HEAP + self.size, "[heap]");
        // Stacks seldom grow down to their last bytes.
        let null = self.address(0)..self.address(0) + NULL_END.min(self.heap);
        let kind = if low < high && low == 0 { RegionKind::Stack } else { RegionKind::File };
        all.extend(Mapping::naming(null, kind, "null pointer"));
        for Named { name, start, end } in &head.functions {
            let place = |at: u64| TEXT + at.min(self.code);
            all.extend(Mapping::naming(place(start.0)..place(end.0), RegionKind::Text, name));
        }
        for Named { name, start, end } in &head.globals {
            if start.0 < end.0 && end.0 <= self.heap {
                let place = self.address(start.0);
                let is_data = start.0 < self.data;
                let kind = if is_data { RegionKind::File } else { RegionKind::Anonymous };
                all.extend(Mapping::naming(place..place + (end.0 - start.0), kind, name));
            }
        }
        all
    }

    /// Returns the memory that `memory.grow` adds. A failed call has −1 pages before.
    pub(super) fn grown(pages: u32, before: u32) -> Option<Mapping> {
        let start = u64::from(before) * MEMORY_PAGE;
        let end = start + u64::from(pages) * MEMORY_PAGE;
        let mapping = Mapping::new(0, HEAP + start..HEAP + end.min(DATA), 0, false, "[heap]");
        mapping.filter(|_| before != u32::MAX)
    }
}
