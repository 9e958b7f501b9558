//! The functions that each thread is in, as nodes of one tree of calls.

use pagewalk_base::trace::{CallTree, CallTreeBuilder, Frame};

use super::ring::Entry;

/// The number of recent calls that are found without a search.
const N_RECENT: usize = 1 << 12;

/// A call: its caller and the function, then its node.
type Recent = (u32, u64, u32);

pub(super) struct Calls {
    tree: CallTreeBuilder,
    recent: Box<[Recent]>,
}

impl Default for Calls {
    fn default() -> Self {
        // No function has the instruction pointer 0.
        Self { tree: CallTreeBuilder::default(), recent: vec![(0, 0, 0); N_RECENT].into() }
    }
}

impl Calls {
    pub(super) fn tree(&self) -> &CallTree {
        self.tree.tree()
    }

    /// Returns the number of calls that count for their callers because of the limits.
    pub(super) fn n_cut(&self) -> u64 {
        self.tree.n_cut()
    }

    /// Takes an entry that says how many calls are left, and which one is new if its instruction pointer is not 0.
    #[inline]
    pub(super) fn change(&mut self, entry: Entry, calls: &mut Vec<u32>) {
        calls.truncate(usize::try_from(entry.word).unwrap_or(usize::MAX));
        if entry.ip() == 0 {
            return;
        }
        let caller = calls.last().copied().unwrap_or(0);
        // The address is that after the call of the hook. One less is inside the call.
        let ip = entry.ip() - 1;
        let hash = (u64::from(caller) << 32 ^ ip).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52;
        let recent = &mut self.recent[usize::try_from(hash).unwrap_or(0) % N_RECENT];
        if (recent.0, recent.1) != (caller, ip) {
            let node = self.tree.child(caller, Frame { name: "", ip });
            let node = node.unwrap_or_else(|| {
                self.tree.count_cut();
                caller
            });
            *recent = (caller, ip, node);
        }
        calls.push(recent.2);
    }
}
