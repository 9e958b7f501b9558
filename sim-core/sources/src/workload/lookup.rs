//! Workloads that search data structures: a hash table, a tree, a graph.

use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::{Access, Kind};

use super::params::{Kind as ParamKind, Param, Params};
use super::pattern::{BASE, BYTES, Made, PAGE, Pattern, SEED, accesses, must_hold};
use super::random::{Draws, mix};

/// Searches with linear probing in a table whose slots are taken independently of each other.
#[derive(Clone, Debug)]
pub(super) struct HashTable {
    base: u64,
    slot: u64,
    n: u64,
    /// A slot is taken if its hash is below this number.
    taken_below: u64,
    seed: u64,
    inserts: u64,
    draws: Draws,
}

impl HashTable {
    /// Generates one search for an absent key: loads up to the first free slot. An insertion then stores
    /// there.
    #[inline]
    pub(super) fn step(&mut self, out: &mut Vec<Access>) {
        let inserts = self.draws.chance(self.inserts);
        let mut slot = self.draws.below(self.n);
        let address = |slot: u64| self.base + slot * self.slot;
        for _ in 0..self.n {
            out.push(Access::new(Kind::Load, address(slot), 8));
            if mix(slot ^ self.seed) >= self.taken_below {
                break;
            }
            slot = (slot + 1) % self.n;
        }
        if inserts {
            out.push(Access::new(Kind::Store, address(slot), 8));
        }
    }
}

pub(super) const HASH_TABLE: &[Param] = &[
    BYTES,
    Param {
        name: "slot",
        about: "size of each slot; the key is its first 8 bytes",
        kind: ParamKind::Size(8, 4096),
        default: "16",
    },
    Param {
        name: "load",
        about: "share of slots that are taken; a search reads 1 / (1 − load) slots on average",
        kind: ParamKind::Percent(0, 95),
        default: "50",
    },
    Param {
        name: "inserts",
        about: "share of searches that end with a store to the free slot",
        kind: ParamKind::Percent(0, 100),
        default: "10",
    },
    accesses("1000000"),
    SEED,
    BASE,
];

pub(super) fn hash_table(params: &Params) -> Result<Made> {
    let (slot, seed) = (params.whole("slot"), params.whole("seed"));
    let n = must_hold(params, "bytes", slot)? / slot;
    let pattern = Pattern::HashTable(HashTable {
        base: params.whole("base"),
        slot,
        n,
        taken_below: u64::MAX / 100 * params.whole("load"),
        seed: mix(seed),
        inserts: params.whole("inserts"),
        draws: Draws::new(seed),
    });
    Ok(Made { pattern, pass: None, bytes: n * slot })
}

/// Searches from the root of a tree whose levels are stored one after the other.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    keys: u64,
    fanout: u64,
    node: u64,
    /// The address of each level and the number of keys that one of its nodes covers, the root first.
    levels: Vec<(u64, u64)>,
    draws: Draws,
}

impl Tree {
    /// Generates one search: in each node a binary search of its separators, then the pointer to a child.
    #[inline]
    pub(super) fn step(&mut self, out: &mut Vec<Access>) {
        let key = self.draws.below(self.keys);
        for &(begin, covered) in &self.levels {
            let node = begin + key / covered * self.node;
            let child = key % covered / (covered / self.fanout);
            let (mut low, mut high) = (0, self.fanout - 1);
            while low < high {
                let middle = low.midpoint(high);
                out.push(Access::new(Kind::Load, node + 8 * middle, 8));
                if child > middle { low = middle + 1 } else { high = middle }
            }
            out.push(Access::new(Kind::Load, node + 8 * (self.fanout - 1 + child), 8));
        }
    }
}

pub(super) const TREE: &[Param] = &[
    Param {
        name: "keys",
        about: "number of keys in the tree; all are searched equally often",
        kind: ParamKind::Count(2, 1 << 40),
        default: "1000000",
    },
    Param {
        name: "fanout",
        about: "children of a node; a node has one separator less; separators and pointers have 8 bytes",
        kind: ParamKind::Count(2, 4096),
        default: "16",
    },
    Param {
        name: "node",
        about: "size of each node; 0 means the size of its separators and pointers",
        kind: ParamKind::Size(0, 1 << 20),
        default: "256",
    },
    accesses("1000000"),
    SEED,
    BASE,
];

pub(super) fn tree(params: &Params) -> Result<Made> {
    let (keys, fanout, base) = (params.whole("keys"), params.whole("fanout"), params.whole("base"));
    let least = 8 * (2 * fanout - 1);
    let node = match params.whole("node") {
        0 => least,
        node if node < least => {
            return Err(Error::config(
                "node",
                format!("{node} bytes: {fanout} children and their separators need {least}"),
            ));
        }
        node => node,
    };
    let mut covered = fanout;
    while covered < keys {
        covered *= fanout;
    }
    let mut levels = Vec::new();
    let mut begin = base;
    while covered > 1 {
        levels.push((begin, covered));
        begin += keys.div_ceil(covered) * node;
        covered /= fanout;
    }
    let draws = Draws::new(params.whole("seed"));
    let pattern = Pattern::Tree(Tree { keys, fanout, node, levels, draws });
    Ok(Made { pattern, pass: None, bytes: begin - base })
}

/// Walks randomly over a graph in compressed rows: offsets, edges, values of the vertices.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    offsets: u64,
    edges: u64,
    values: u64,
    n: u64,
    degree: u64,
    seed: u64,
    jumps: u64,
    vertex: u64,
    draws: Draws,
}

impl Graph {
    /// Generates one step: the row of the vertex, one of its edges, the value of the vertex at its end.
    #[inline]
    pub(super) fn step(&mut self, out: &mut Vec<Access>) {
        let load = |address, size| Access::new(Kind::Load, address, size);
        out.push(load(self.offsets + 8 * self.vertex, 8));
        out.push(load(self.offsets + 8 * (self.vertex + 1), 8));
        let edge = self.vertex * self.degree + self.draws.below(self.degree);
        out.push(load(self.edges + 4 * edge, 4));
        let jumps = self.draws.chance(self.jumps);
        let anywhere = self.draws.below(self.n);
        self.vertex = if jumps { anywhere } else { mix(edge ^ self.seed) % self.n };
        out.push(load(self.values + 8 * self.vertex, 8));
    }
}

pub(super) const GRAPH: &[Param] = &[
    Param {
        name: "vertices",
        about: "number of vertices, each with a row offset and a value of 8 bytes",
        kind: ParamKind::Count(1, 1 << 32),
        default: "1000000",
    },
    Param {
        name: "degree",
        about: "edges of each vertex to random vertices, of 4 bytes each",
        kind: ParamKind::Count(1, 1 << 16),
        default: "16",
    },
    Param {
        name: "jumps",
        about: "share of steps that go to any vertex instead of a neighbour",
        kind: ParamKind::Percent(0, 100),
        default: "15",
    },
    accesses("1000000"),
    SEED,
    BASE,
];

pub(super) fn graph(params: &Params) -> Made {
    let (n, degree, seed) =
        (params.whole("vertices"), params.whole("degree"), params.whole("seed"));
    let base = params.whole("base");
    let edges = base + (8 * (n + 1)).next_multiple_of(PAGE);
    let values = edges + (4 * n * degree).next_multiple_of(PAGE);
    let pattern = Pattern::Graph(Graph {
        offsets: base,
        edges,
        values,
        n,
        degree,
        seed: mix(seed),
        jumps: params.whole("jumps"),
        vertex: 0,
        draws: Draws::new(seed),
    });
    Made { pattern, pass: None, bytes: values + 8 * n - base }
}
