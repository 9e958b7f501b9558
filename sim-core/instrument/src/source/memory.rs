//! Where the linker has put the stack, the data and the heap.

use super::{Global, Memory};
use crate::module::Module;

/// Finds the parts of the linear memory. Linkers put the stack before the data or behind them, and the heap last.
pub(super) fn parts(module: &Module<'_>, globals: &[Global]) -> Memory {
    let ends = |start: u32, size: u32| start.saturating_add(size);
    let first = module.data.iter().map(|&(start, _)| start).min();
    let with_values = module.data.iter().map(|&(start, size)| ends(start, size));
    let known =
        with_values.clone().chain(globals.iter().map(|each| ends(each.start, each.size))).max();
    let data_end = module.global("__data_end").or(known).unwrap_or(0);
    let top = module.stack_top().unwrap_or(0);
    let is_first = first.is_none_or(|first| top <= first);
    let stack = if is_first { (0, top) } else { (data_end.min(top), top) };
    let heap = module.global("__heap_base").unwrap_or_else(|| data_end.max(top));
    let data = with_values.max().unwrap_or(0).min(heap);
    Memory { stack, data, heap, pages: module.pages }
}
