//! Makes a tree from paths that come one by one.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::tree::{CallTree, Frame};
use crate::trace::texts::cut;

/// A tree that grows. Equal paths get the same node.
#[derive(Clone, Debug, Default)]
pub struct CallTreeBuilder {
    tree: CallTree,
    names: BTreeMap<Arc<str>, u32>,
    /// The node of each parent, name and address.
    numbers: BTreeMap<(u32, u32, u64), u32>,
    /// The nodes of the last path, the outermost first.
    last: Vec<u32>,
    n_cut: u64,
}

impl CallTreeBuilder {
    pub fn tree(&self) -> &CallTree {
        &self.tree
    }

    /// Returns the number of paths that lack calls because of the limits.
    pub fn n_cut(&self) -> u64 {
        self.n_cut
    }

    /// Counts a path that lacks calls.
    pub fn count_cut(&mut self) {
        self.n_cut = self.n_cut.saturating_add(1);
    }

    /// Returns the node of a function that `parent` calls, or `None` at a limit.
    pub fn child(&mut self, parent: u32, frame: Frame<'_>) -> Option<u32> {
        let name = cut(frame.name);
        let known = if name.is_empty() { Some(0) } else { self.names.get(name).copied() };
        let known = known.and_then(|name| self.numbers.get(&(parent, name, frame.ip)));
        if let Some(number) = known {
            return Some(*number);
        }
        if !self.tree.has_room(parent) {
            return None;
        }
        let name = self.name(name);
        let number = self.tree.add(parent, name, frame.ip);
        self.numbers.insert((parent, name, frame.ip), number);
        Some(number)
    }

    fn name(&mut self, name: &str) -> u32 {
        if name.is_empty() {
            return 0;
        }
        if let Some(number) = self.names.get(name) {
            return *number;
        }
        let name: Arc<str> = name.into();
        let number = self.tree.add_name(Arc::clone(&name));
        self.names.insert(name, number);
        number
    }

    /// Returns the node of a path, the outermost function first. Of a path beyond the limits, the first calls are kept.
    pub fn path<'f>(&mut self, frames: impl IntoIterator<Item = Frame<'f>>) -> u32 {
        let (mut node, mut depth, mut is_last) = (0, 0, true);
        for frame in frames {
            // Most paths begin like the one before.
            let is_equal = |known: &u32| is_last && self.tree.frame(*known) == frame;
            let known = self.last.get(depth).copied().filter(is_equal);
            let next = known.or_else(|| {
                is_last = false;
                self.last.truncate(depth);
                self.child(node, frame)
            });
            let Some(next) = next else {
                self.count_cut();
                break;
            };
            if !is_last {
                self.last.push(next);
            }
            (node, depth) = (next, depth + 1);
        }
        node
    }
}
