//! Call paths: which calls led to an access.
//!
//! ```text
//! tree     node 0: no path is known
//!          node n: a function; its parent has a smaller number and called it, or is 0
//! access   has the node of the function that executes it
//! main ─▶ join ─▶ probe     the path of an access in probe, which join called
//! ```

mod changes;
mod grow;
mod tree;

pub use changes::CallCursor;
pub(super) use changes::{CallReader, CallWriter};
pub use grow::CallTreeBuilder;
pub use tree::{CallTree, Frame};

/// The most nodes of a tree. Calls that would need more count for the function that made them.
pub const MAX_NODES: usize = 1 << 20;
/// The most functions of a path. Deeper calls count for the last of these functions.
pub const MAX_DEPTH: usize = 256;

#[cfg(test)]
mod tests;
