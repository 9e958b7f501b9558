//! The parts that workloads share: one step of any of them, and the common parameters.

use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::Access;

use super::code::Code;
use super::linear::Linear;
use super::lookup::{Graph, HashTable, Tree};
use super::matrix::Matrix;
use super::order::{Chase, Gather, PreTouch};
use super::params::{Kind, Param, Params, Size};
use super::tlab::Tlab;

/// A workload with its state.
#[derive(Clone, Debug)]
pub(super) enum Pattern {
    Linear(Linear),
    Chase(Chase),
    Gather(Gather),
    PreTouch(PreTouch),
    Matrix(Matrix),
    HashTable(HashTable),
    Tree(Tree),
    Graph(Graph),
    Code(Code),
    Tlab(Tlab),
}

impl Pattern {
    /// Adds the accesses of the next step, at least one.
    #[inline]
    pub(super) fn step(&mut self, out: &mut Vec<Access>) {
        match self {
            Self::Linear(linear) => linear.step(out),
            Self::Chase(chase) => chase.step(out),
            Self::Gather(gather) => gather.step(out),
            Self::PreTouch(pre_touch) => pre_touch.step(out),
            Self::Matrix(matrix) => matrix.step(out),
            Self::HashTable(table) => table.step(out),
            Self::Tree(tree) => tree.step(out),
            Self::Graph(graph) => graph.step(out),
            Self::Code(code) => code.step(out),
            Self::Tlab(tlab) => tlab.step(out),
        }
    }
}

/// A workload that was made from its parameters.
pub(super) struct Made {
    pub(super) pattern: Pattern,
    /// The number of accesses after which it starts again, if it ever does.
    pub(super) pass: Option<u64>,
    /// The number of bytes from the base to the end of everything that it may access.
    pub(super) bytes: u64,
}

/// The size in bytes of the small page that orders and array ends are aligned to.
pub(super) const PAGE: u64 = 4096;
/// The end of the lower half of a 48-bit address space.
pub(super) const TOP: u64 = 1 << 47;

pub(super) const BYTES: Param = Param {
    name: "bytes",
    about: "size of the accessed memory",
    kind: Kind::Size(1, 64 << 40),
    default: "64M",
};

pub(super) const ACCESS_SIZE: Param =
    Param { name: "size", about: "size of each access", kind: Kind::Size(1, 4096), default: "8" };

pub(super) const STORES: Param = Param {
    name: "stores",
    about: "share of accesses that are stores, chosen at random; the others are loads",
    kind: Kind::Percent(0, 100),
    default: "0",
};

pub(super) const SEED: Param = Param {
    name: "seed",
    about: "seed of all random choices; equal seeds give equal traces",
    kind: Kind::Count(0, (1 << 53) - 1),
    default: "1",
};

pub(super) const BASE: Param = Param {
    name: "base",
    about: "first address",
    kind: Kind::Address(TOP - 1),
    default: "0x100000000000",
};

/// The parameter for the length of the trace.
pub(super) const fn accesses(default: &'static str) -> Param {
    Param {
        name: "accesses",
        about: "length of the trace; 0 means one pass, if the workload has an end",
        kind: Kind::Count(0, (1 << 53) - 1),
        default,
    }
}

/// Returns the value of a size, which must be at least `piece` bytes.
///
/// # Errors
/// `bad-config` at its name.
pub(super) fn must_hold(params: &Params, name: &str, piece: u64) -> Result<u64> {
    let bytes = params.whole(name);
    if bytes < piece {
        let message = format!("{}: give at least {}", Size(bytes), Size(piece));
        return Err(Error::config(name, message));
    }
    Ok(bytes)
}
