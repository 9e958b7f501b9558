//! Misses by call path: a tree of functions, each with the counts of its own accesses, and with those of its calls.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Counts;
use super::lines::file_name;
use super::ranges::MAX_RANGES;
use crate::regions::Records;
use pagewalk_base::trace::{CallCursor, CallTree, Trace};

/// The most nodes of a view. Other nodes count only for their callers.
pub const MAX_CALLS: usize = 4000;

/// A function at the end of a call path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct CallNode {
    /// The function; without a name the file and the offset in it, or the address.
    pub name: String,
    /// The position of its caller in the list, which comes before it.
    pub parent: Option<u32>,
    /// The counts of its own accesses.
    pub own: Counts,
    /// The counts with those of all that it calls.
    pub total: Counts,
}

/// All call paths. The own counts of the nodes, the others and what is unknown add up to the total of the run. A
/// trace without call paths has no nodes and no counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct CallPaths {
    /// The nodes; those with the most cycles of level-2 misses and walks come first.
    pub nodes: Vec<CallNode>,
    /// The number of nodes that are not listed.
    pub n_others: u64,
    /// The own counts of these nodes.
    pub others: Counts,
    /// The counts of accesses without a call path.
    pub unknown: Counts,
}

/// Counts accesses by the node of their call path.
#[derive(Debug)]
pub(super) struct Calls {
    /// The counts of each node; the first are those without a path. The list is empty if there is no tree.
    own: Vec<Counts>,
    cursor: CallCursor,
}

impl Calls {
    pub(super) fn new(tree: &CallTree) -> Self {
        let n = if tree.is_empty() { 0 } else { tree.len() + 1 };
        Self { own: vec![Counts::default(); n], cursor: CallCursor::default() }
    }

    /// Returns the counts of the path of access `index`. The accesses come in their order.
    #[inline]
    pub(super) fn of(&mut self, trace: &Trace, index: u32) -> Option<&mut Counts> {
        if self.own.is_empty() {
            return None;
        }
        self.own.get_mut(self.cursor.node(trace, index) as usize)
    }

    /// Returns at most `most` nodes of the tree of names. Nodes with one name and one caller are one node.
    pub(super) fn paths(&self, trace: &Trace, most: usize) -> CallPaths {
        let Some((unknown, own)) = self.own.split_first() else { return CallPaths::default() };
        let tree = trace.call_tree();
        let mut total = self.own.clone();
        for number in (1..=own.len()).rev() {
            let counts = total[number];
            total[tree.parent(number_of(number)) as usize].add(counts);
        }
        let names = Names::new(trace);
        let mut nodes: Vec<CallNode> = Vec::new();
        let mut known: BTreeMap<(Option<u32>, String), u32> = BTreeMap::new();
        // The position of each node of the trace's tree, by its number.
        let mut places: Vec<Option<u32>> = vec![None; self.own.len()];
        for number in (1..=own.len()).filter(|number| total[*number] != Counts::default()) {
            let parent = places[tree.parent(number_of(number)) as usize];
            let name = names.of(number_of(number));
            let place = *known.entry((parent, name)).or_insert_with_key(|(parent, name)| {
                let none = Counts::default();
                let (name, parent) = (name.clone(), *parent);
                nodes.push(CallNode { name, parent, own: none, total: none });
                number_of(nodes.len() - 1)
            });
            places[number] = Some(place);
            let node = &mut nodes[place as usize];
            node.own.add(self.own[number]);
            node.total.add(total[number]);
        }
        sorted(&nodes, most, *unknown)
    }
}

/// Returns a number that a tree has.
fn number_of(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Sorts nodes by their total. A caller has at least the total of its calls, so it comes before them.
fn sorted(nodes: &[CallNode], most: usize, unknown: Counts) -> CallPaths {
    let mut order: Vec<usize> = (0..nodes.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(nodes[*at].total.rank()));
    let mut places = vec![None; nodes.len()];
    for (place, at) in (0..).zip(order.iter().take(most)) {
        places[*at] = Some(place);
    }
    let mut paths = CallPaths { unknown, ..CallPaths::default() };
    for at in order {
        let CallNode { name, parent, own, total } = &nodes[at];
        if places[at].is_some() {
            let parent = parent.and_then(|parent| places[parent as usize]);
            paths.nodes.push(CallNode { name: name.clone(), parent, own: *own, total: *total });
        } else {
            paths.n_others += 1;
            paths.others.add(*own);
        }
    }
    paths
}

/// Names the functions of a tree.
struct Names<'a> {
    trace: &'a Trace,
    records: Records,
}

impl<'a> Names<'a> {
    fn new(trace: &'a Trace) -> Self {
        Self { trace, records: Records::new(trace.mappings(), MAX_RANGES) }
    }

    fn of(&self, number: u32) -> String {
        let frame = self.trace.call_tree().frame(number);
        if !frame.name.is_empty() {
            return frame.name.to_owned();
        }
        let place = self.trace.places().get(frame.ip).map(|place| place.function);
        if let Some(function) = place.filter(|function| !function.is_empty()) {
            return function.to_owned();
        }
        let record = self.records.at(frame.ip).map(|(_, at)| &self.trace.mappings()[at]);
        match record.filter(|record| !record.name.is_empty()) {
            Some(record) => {
                let offset = (frame.ip - record.start).wrapping_add(record.offset);
                format!("{}+{offset:#x}", file_name(&record.name))
            }
            None => format!("{:#x}", frame.ip),
        }
    }
}

/// The nodes of a path and of all that it calls.
#[derive(Debug)]
pub(crate) struct Inside {
    /// Whether each node is one of them, by its number.
    nodes: Vec<bool>,
    cursor: CallCursor,
}

impl Inside {
    /// Finds the nodes of a path, the outermost function first.
    pub(super) fn new(trace: &Trace, path: &[String]) -> Self {
        let (tree, names) = (trace.call_tree(), Names::new(trace));
        // How many functions of each node's path are those of `path`, if all are; beyond its end, all of `path`.
        let mut n_equal: Vec<Option<usize>> = vec![Some(0)];
        for number in 1..=number_of(tree.len()) {
            let before = n_equal[tree.parent(number) as usize];
            n_equal.push(before.and_then(|n| match path.get(n) {
                None => Some(n),
                Some(name) => (names.of(number) == *name).then_some(n + 1),
            }));
        }
        let is_inside = |n: Option<usize>| n == Some(path.len()) && !path.is_empty();
        Self { nodes: n_equal.into_iter().map(is_inside).collect(), cursor: CallCursor::default() }
    }

    /// Returns whether access `index` is by one of the nodes. The accesses come in their order.
    pub(super) fn has(&mut self, trace: &Trace, index: u32) -> bool {
        let node = self.cursor.node(trace, index);
        self.nodes.get(node as usize).is_some_and(|is_inside| *is_inside)
    }
}
