//! Functions that allocate memory, which are known by their names.

/// A function that allocates or frees memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Allocator {
    /// `malloc(size)`, or `operator new`.
    Malloc,
    /// `calloc(count, size)`.
    Calloc,
    /// `realloc(block, size)`.
    Realloc,
    /// `aligned_alloc(alignment, size)`.
    Aligned,
    /// `free(block)`, or `operator delete`.
    Free,
}

impl Allocator {
    /// Returns the number of words that a call reports.
    pub fn words(self) -> usize {
        match self {
            Self::Malloc | Self::Free => 1,
            Self::Calloc | Self::Realloc | Self::Aligned => 2,
        }
    }

    /// Returns the number of results.
    pub fn results(self) -> usize {
        usize::from(self != Self::Free)
    }
}

/// How a function of a program allocates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) allocator: Allocator,
    pub(crate) parameters: usize,
    /// The numbers of the parameters that are reported.
    pub(crate) reported: &'static [usize],
}

/// The functions of C and C++, of Rust and of `AssemblyScript`.
const CALLS: [(&[&str], Allocator, usize, &[usize]); 14] = [
    (&["malloc", "dlmalloc", "_Znwm", "_Znam", "_Znwj", "_Znaj"], Allocator::Malloc, 1, &[0]),
    (&["calloc", "dlcalloc"], Allocator::Calloc, 2, &[0, 1]),
    (&["realloc", "dlrealloc"], Allocator::Realloc, 2, &[0, 1]),
    (&["aligned_alloc", "memalign", "dlmemalign"], Allocator::Aligned, 2, &[0, 1]),
    (&["free", "dlfree", "_ZdlPv", "_ZdaPv"], Allocator::Free, 1, &[0]),
    // `operator new` with an alignment, and `operator delete` with a size, an alignment or both.
    (&["_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"], Allocator::Malloc, 2, &[0]),
    (&["_ZdlPvm", "_ZdaPvm", "_ZdlPvSt11align_val_t"], Allocator::Free, 2, &[0]),
    (&["_ZdlPvmSt11align_val_t"], Allocator::Free, 3, &[0]),
    (&["__rust_alloc", "__rust_alloc_zeroed"], Allocator::Malloc, 2, &[0]),
    (&["__rust_realloc"], Allocator::Realloc, 4, &[0, 3]),
    (&["__rust_dealloc"], Allocator::Free, 3, &[0]),
    (&["__new"], Allocator::Malloc, 2, &[0]),
    (&["__renew"], Allocator::Realloc, 2, &[0, 1]),
    (&["__alloc"], Allocator::Malloc, 1, &[0]),
];

impl Call {
    /// Returns how a function allocates, from its name, its parameters and its results, all of which are `i32`.
    pub(crate) fn of(name: &str, parameters: usize, results: usize) -> Option<Self> {
        let name = short(name);
        CALLS.iter().find_map(|&(names, allocator, n, reported)| {
            let is_it = names.contains(&name) && (n, allocator.results()) == (parameters, results);
            is_it.then_some(Self { allocator, parameters, reported })
        })
    }
}

/// Returns a name without the path before it, which `AssemblyScript` and the mangling of Rust write:
/// `~lib/rt/itcms/__new`, `_RNvCs6c_7___rustc12___rust_alloc`.
fn short(name: &str) -> &str {
    match name {
        "operator new(unsigned long)" | "operator new[](unsigned long)" => return "_Znwm",
        "operator delete(void*)" | "operator delete[](void*)" => return "_ZdlPv",
        _ => {}
    }
    let name = name.rsplit_once(['/', ':']).map_or(name, |(_, last)| last);
    match name.find("__rust_") {
        Some(at) if name.starts_with("_R") => &name[at..],
        _ => name,
    }
}
