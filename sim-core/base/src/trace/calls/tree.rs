//! The tree of calls, and its form in a file.

use std::sync::Arc;

use super::{MAX_DEPTH, MAX_NODES};
use crate::narrow::small;
use crate::trace::texts::{MOST_BYTES, numbers};
use crate::trace::varint::{read_varint, write_varint};

/// The most nodes of a section. With names of the most bytes, a section stays below its limit.
const SECTION: usize = 1 << 15;

/// A function of a path: its name, or an address in it, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frame<'a> {
    /// Empty if it is unknown.
    pub name: &'a str,
    /// The address of an instruction; 0 if it is unknown.
    pub ip: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    parent: u32,
    /// The number of its name from 1, or 0.
    name: u32,
    ip: u64,
    depth: u16,
}

/// A tree of calls. Its nodes have the numbers from 1.
#[derive(Clone, Debug, Default)]
pub struct CallTree {
    nodes: Vec<Node>,
    names: Vec<Arc<str>>,
    bytes: usize,
}

impl CallTree {
    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    fn node(&self, number: u32) -> Option<&Node> {
        self.nodes.get((number as usize).checked_sub(1)?)
    }

    /// Returns the caller of a node, or 0 if it has none.
    pub fn parent(&self, number: u32) -> u32 {
        self.node(number).map_or(0, |node| node.parent)
    }

    /// Returns the number of functions from the outermost one to this one.
    pub fn depth(&self, number: u32) -> usize {
        self.node(number).map_or(0, |node| node.depth.into())
    }

    /// Returns the function of a node.
    pub fn frame(&self, number: u32) -> Frame<'_> {
        let Some(node) = self.node(number) else { return Frame::default() };
        Frame { name: self.name(node.name), ip: node.ip }
    }

    fn name(&self, number: u32) -> &str {
        number.checked_sub(1).and_then(|at| self.names.get(at as usize)).map_or("", |name| name)
    }

    /// Returns the memory of the tree in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.bytes
    }

    /// Adds a name, and returns its number.
    pub(super) fn add_name(&mut self, name: Arc<str>) -> u32 {
        self.bytes += name.len() + 64;
        self.names.push(name);
        small(self.names.len())
    }

    /// Adds a node whose parent exists, and returns its number.
    pub(super) fn add(&mut self, parent: u32, name: u32, ip: u64) -> u32 {
        let depth = self.node(parent).map_or(0, |node| node.depth) + 1;
        self.nodes.push(Node { parent, name, ip, depth });
        small(self.nodes.len())
    }

    /// Returns whether a child of a node would stay within the limits.
    pub(super) fn has_room(&self, parent: u32) -> bool {
        self.len() < MAX_NODES && self.depth(parent) < MAX_DEPTH
    }

    /// Adds the nodes that `other` has more. All other nodes are equal.
    pub fn catch_up(&mut self, other: &Self) {
        for name in &other.names[self.names.len().min(other.names.len())..] {
            self.add_name(Arc::clone(name));
        }
        self.nodes.extend_from_slice(&other.nodes[self.len().min(other.len())..]);
    }

    /// Returns the payloads of the sections of a saved trace, in columns:
    ///
    /// ```text
    /// number of names that are new in this section, each with its length
    /// number of nodes, then of all: distances to their parents, names, distances of the addresses
    /// the names
    /// ```
    pub(in crate::trace) fn sections(&self) -> impl Iterator<Item = Vec<u8>> {
        let mut n_names = 0;
        (0..self.nodes.len()).step_by(SECTION).map(move |from| {
            let nodes = &self.nodes[from..self.nodes.len().min(from + SECTION)];
            let end = nodes.iter().map(|node| node.name as usize).fold(n_names, usize::max);
            let names = &self.names[n_names..end];
            n_names = end;
            save(from, nodes, names)
        })
    }

    /// Adds the nodes of a section, or returns `None` if the section is damaged.
    pub(in crate::trace) fn restore(&mut self, mut bytes: &[u8]) -> Option<()> {
        let lengths = numbers(&mut bytes)?;
        let n = read_varint(&mut bytes)?;
        let mut column = || (0..n).map(|_| read_varint(&mut bytes)).collect::<Option<Vec<u64>>>();
        let (parents, names, ips) = (column()?, column()?, column()?);
        for length in lengths {
            let (name, rest) = bytes.split_at_checked(usize::try_from(length).ok()?)?;
            bytes = rest;
            let name = std::str::from_utf8(name).ok()?;
            (1..=MOST_BYTES).contains(&name.len()).then(|| self.add_name(name.into()))?;
        }
        let mut ip = 0u64;
        for ((distance, name), ip_distance) in parents.into_iter().zip(names).zip(ips) {
            let parent = (self.len() as u64 + 1).checked_sub(distance).filter(|_| distance > 0)?;
            let parent = u32::try_from(parent).ok().filter(|parent| self.has_room(*parent))?;
            ip = ip.wrapping_add((ip_distance >> 1) ^ (ip_distance & 1).wrapping_neg());
            let name = u32::try_from(name).ok()?;
            (name as usize <= self.names.len()).then(|| self.add(parent, name, ip))?;
        }
        bytes.is_empty().then_some(())
    }
}

/// Writes nodes, the first of which has the number `from` + 1.
fn save(from: usize, nodes: &[Node], names: &[Arc<str>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut number = |n: u64| write_varint(&mut bytes, n);
    number(names.len() as u64);
    for name in names {
        number(name.len() as u64);
    }
    number(nodes.len() as u64);
    for (own, node) in (from as u64 + 1..).zip(nodes) {
        number(own - u64::from(node.parent));
    }
    for node in nodes {
        number(node.name.into());
    }
    nodes.iter().fold(0, |before: u64, node| {
        let distance = node.ip.wrapping_sub(before).cast_signed();
        number((distance << 1 ^ distance >> 63).cast_unsigned());
        node.ip
    });
    for name in names {
        bytes.extend_from_slice(name.as_bytes());
    }
    bytes
}
