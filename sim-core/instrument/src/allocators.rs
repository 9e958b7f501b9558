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
    /// Returns the allocator that a function is, from its name, its parameters and its results, all of which are `i32`.
    pub(crate) fn of(name: &str, parameters: usize, results: usize) -> Option<Self> {
        let allocator = match name {
            "malloc" | "_Znwm" | "_Znam" | "_Znwj" | "_Znaj" => Self::Malloc,
            "calloc" => Self::Calloc,
            "realloc" => Self::Realloc,
            "aligned_alloc" | "memalign" => Self::Aligned,
            "free" | "_ZdlPv" | "_ZdaPv" => Self::Free,
            _ => return None,
        };
        let expected = (allocator.parameters(), allocator.results());
        (expected == (parameters, results)).then_some(allocator)
    }

    /// Returns the number of parameters.
    pub fn parameters(self) -> usize {
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
