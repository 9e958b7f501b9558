//! The calls of libraries that the program is in. Their accesses get a call path, so that they can be counted for the line that
//! calls.

use std::collections::BTreeMap;

use pagewalk_base::trace::{CallTree, CallTreeBuilder, Frame};

use super::head::Head;

/// The most calls that have not returned. Calls that never return, such as that of `exit`, are dropped.
const MOST_CALLS: usize = 64;
/// The name of what is not in a library.
const PROGRAM: &str = "the program";

#[derive(Debug)]
pub(super) struct Library {
    /// The names by the instruction that calls.
    names: BTreeMap<u64, String>,
    tree: CallTreeBuilder,
    /// The node of the program itself; 0 if it calls no library.
    program: u32,
    /// The calling instructions, and the nodes of their paths.
    calls: Vec<(u64, u32)>,
    /// The node of the accesses that were delivered last.
    node: u32,
}

impl Library {
    pub(super) fn new(head: &Head) -> Self {
        let names: BTreeMap<u64, String> = head.calls.iter().cloned().collect();
        let mut tree = CallTreeBuilder::default();
        let program = if names.is_empty() {
            0
        } else {
            tree.child(0, Frame { name: PROGRAM, ip: 0 }).unwrap_or(0)
        };
        Self { names, tree, program, calls: Vec::new(), node: 0 }
    }

    pub(super) fn enter(&mut self, ip: u64) {
        let outer = self.calls.last().map_or(self.program, |call| call.1);
        let name = self.names.get(&ip);
        let node = name.and_then(|name| self.tree.child(outer, Frame { name, ip }));
        if self.calls.len() == MOST_CALLS {
            self.calls.remove(0);
        }
        self.calls.push((ip, node.unwrap_or(outer)));
    }

    pub(super) fn leave(&mut self, ip: u64) {
        if let Some(at) = self.calls.iter().rposition(|call| call.0 == ip) {
            self.calls.truncate(at);
        }
    }

    /// Returns the instruction that called the library which runs.
    pub(super) fn caller(&self) -> Option<u64> {
        self.calls.last().map(|call| call.0)
    }

    /// Returns the path of the accesses of a block, if it is another one than before.
    #[inline]
    pub(super) fn changed(&mut self, is_own: bool) -> Option<(&CallTree, u32)> {
        let node = self.node_of(is_own);
        if node == self.node {
            return None;
        }
        self.node = node;
        Some((self.tree.tree(), node))
    }

    /// Returns whether the accesses of a block have the same path as those before.
    #[inline]
    pub(super) fn stays(&self, is_own: bool) -> bool {
        self.node_of(is_own) == self.node
    }

    #[inline]
    fn node_of(&self, is_own: bool) -> u32 {
        let called = self.calls.last().filter(|_| !is_own);
        called.map_or(self.program, |call| call.1)
    }
}
