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
    /// The path, the instruction and the path inside of the last call.
    last: (u32, u64, u32),
    /// The node of the accesses until now.
    node: u32,
    /// The tree that was delivered.
    delivered: CallTree,
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
        Self {
            names,
            tree,
            program,
            calls: Vec::new(),
            last: (0, 0, 0),
            node: 0,
            delivered: CallTree::default(),
        }
    }

    pub(super) fn enter(&mut self, ip: u64) {
        let outer = self.calls.last().map_or(self.program, |call| call.1);
        let node = self.node_of(outer, ip);
        if self.calls.len() == MOST_CALLS {
            self.calls.remove(0);
        }
        self.calls.push((ip, node));
    }

    /// Returns the path of a call.
    fn node_of(&mut self, outer: u32, ip: u64) -> u32 {
        // Most programs repeat the last call.
        let (last_outer, last_ip, node) = self.last;
        if (last_outer, last_ip) == (outer, ip) {
            return node;
        }
        let name = self.names.get(&ip);
        let child = name.and_then(|name| self.tree.child(outer, Frame { name, ip }));
        let node = child.unwrap_or(outer);
        self.last = (outer, ip, node);
        node
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

    /// Returns the nodes of the accesses of libraries, and of those of the program itself.
    #[inline]
    pub(super) fn nodes(&self) -> [u32; 2] {
        [self.calls.last().map_or(self.program, |call| call.1), self.program]
    }

    /// Returns the node of the accesses until now.
    #[inline]
    pub(super) fn node(&self) -> u32 {
        self.node
    }

    #[inline]
    pub(super) fn change(&mut self, node: u32) {
        self.node = node;
    }

    /// Returns the tree that was delivered.
    pub(super) fn tree(&self) -> &CallTree {
        &self.delivered
    }

    /// Returns whether there are nodes that were not delivered.
    #[inline]
    pub(super) fn has_grown(&self) -> bool {
        self.tree.tree().len() != self.delivered.len()
    }

    /// Sets the node of the next accesses. Returns the whole tree, which is to be delivered with it.
    pub(super) fn deliver(&mut self, node: u32) -> &CallTree {
        self.node = node;
        self.delivered.catch_up(self.tree.tree());
        &self.delivered
    }
}
