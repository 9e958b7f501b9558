//! The list of workloads: names, descriptions and parameters.

use serde::Serialize;

use pagewalk_base::error::{Error, Result};

use super::generator::Generator;
use super::params::{Param, ParamInfo, Params, Size};
use super::pattern::{Made, TOP};
use super::{code, linear, lookup, matrix, order, tlab};

/// A workload of the list.
struct Workload {
    id: &'static str,
    name: &'static str,
    about: &'static str,
    params: &'static [Param],
    make: fn(&Params) -> Result<Made>,
}

const WORKLOADS: &[Workload] = &[
    Workload {
        id: "sequential",
        name: "Sequential scan",
        about: "Reads an array from its first byte to its last, over and over.",
        params: linear::SEQUENTIAL,
        make: linear::sequential,
    },
    Workload {
        id: "strided",
        name: "Strided scan",
        about: "Reads an array with a fixed stride and wraps around at its end.",
        params: linear::STRIDED,
        make: linear::strided,
    },
    Workload {
        id: "uniform",
        name: "Uniformly random",
        about: "Reads elements of an array at random, all equally often (GUPS, ByteArrayTouch).",
        params: linear::UNIFORM,
        make: linear::uniform,
    },
    Workload {
        id: "zipf",
        name: "Zipf",
        about: "Reads objects at random, popular ones more often (key-value stores, caches).",
        params: linear::ZIPF,
        make: linear::zipf,
    },
    Workload {
        id: "pointer-chase",
        name: "Pointer chase",
        about: "Follows a ring of pointers through all nodes (lat_mem_rd, linked lists).",
        params: order::CHASE,
        make: order::chase,
    },
    Workload {
        id: "matmul",
        name: "Matrix multiplication",
        about: "c[i][j] += a[i][k] * b[k][j] over three square matrices, stored one after the other.",
        params: matrix::MATRIX,
        make: matrix::matrix,
    },
    Workload {
        id: "hash-table",
        name: "Hash table",
        about: "Searches a table with linear probing for absent keys.",
        params: lookup::HASH_TABLE,
        make: lookup::hash_table,
    },
    Workload {
        id: "tree-search",
        name: "Tree search",
        about: "Searches a balanced tree from its root (binary search trees, B-trees).",
        params: lookup::TREE,
        make: lookup::tree,
    },
    Workload {
        id: "graph-walk",
        name: "Graph walk",
        about: "Walks randomly over a graph in compressed sparse rows (PageRank, node2vec).",
        params: lookup::GRAPH,
        make: |params| Ok(lookup::graph(params)),
    },
    Workload {
        id: "code-walk",
        name: "Code walk",
        about: "Fetches the instructions of functions at random, hot ones more often; with data, loads between them.",
        params: code::CODE,
        make: code::code,
    },
    Workload {
        id: "tlab",
        name: "TLAB allocation",
        about: "Threads allocate small objects by advancing a pointer in thread-local buffers.",
        params: tlab::TLAB,
        make: tlab::tlab,
    },
    Workload {
        id: "gather",
        name: "Array gather",
        about: "Reads all elements of an array once, in the order of an index array.",
        params: order::GATHER,
        make: |params| Ok(order::gather(params)),
    },
    Workload {
        id: "pre-touch",
        name: "Pre-touch",
        about: "Stores once to each page of a heap before it is used (AlwaysPreTouch).",
        params: order::PRE_TOUCH,
        make: order::pre_touch,
    },
];

/// A workload as lists and forms show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct WorkloadInfo {
    /// The id for `pagewalk gen`.
    pub id: String,
    pub name: String,
    pub about: String,
    pub params: Vec<ParamInfo>,
}

/// The result of checking the parameters of a workload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct WorkloadCheck {
    /// The errors, each at the name of its parameter. If there are any, the numbers are 0.
    pub errors: Vec<Error>,
    /// The number of accesses of the trace.
    pub accesses: u64,
    /// The number of bytes from the base to the end of everything that may be accessed.
    pub bytes: u64,
}

/// Returns all workloads.
pub fn list() -> Vec<WorkloadInfo> {
    let info = |workload: &Workload| WorkloadInfo {
        id: workload.id.to_owned(),
        name: workload.name.to_owned(),
        about: workload.about.to_owned(),
        params: workload.params.iter().map(Param::info).collect(),
    };
    WORKLOADS.iter().map(info).collect()
}

/// Returns the accesses of workload `id`. Parameters that are not given have their default.
///
/// # Errors
/// `bad-config` at the first wrong parameter.
pub fn generator(id: &str, given: &[(String, String)]) -> Result<Generator> {
    generator_or_all(id, given)
        .map_err(|errors| errors.into_iter().next().expect("there is at least one error"))
}

/// Checks parameters without generating accesses.
pub fn check(id: &str, given: &[(String, String)]) -> WorkloadCheck {
    let made = generator_or_all(id, given)
        .and_then(|made| made.check_length(u64::MAX).map(|()| made).map_err(|error| vec![error]));
    match made {
        Ok(made) => {
            WorkloadCheck { errors: Vec::new(), accesses: made.n_accesses(), bytes: made.bytes() }
        }
        Err(errors) => WorkloadCheck { errors, accesses: 0, bytes: 0 },
    }
}

fn generator_or_all(id: &str, given: &[(String, String)]) -> Result<Generator, Vec<Error>> {
    let Some(workload) = WORKLOADS.iter().find(|workload| workload.id == id) else {
        let known: Vec<&str> = WORKLOADS.iter().map(|workload| workload.id).collect();
        let message = format!("there is no workload `{id}`: choose one of {}", known.join(", "));
        return Err(vec![Error::config("workload", message)]);
    };
    let params = Params::parse(id, workload.params, given)?;
    let made = (workload.make)(&params).map_err(|error| vec![error])?;
    if made.bytes > TOP - params.whole("base") {
        let message = format!(
            "{:#x}: the {} from there end above {TOP:#x}, the end of a program's addresses",
            params.whole("base"),
            Size(made.bytes)
        );
        return Err(vec![Error::config("base", message)]);
    }
    let n = match (params.whole("accesses"), made.pass) {
        (0, Some(pass)) => pass,
        (0, None) => {
            let message = format!("0: {id} never ends by itself: give a number");
            return Err(vec![Error::config("accesses", message)]);
        }
        (n, _) => n,
    };
    Ok(Generator::new(made, n))
}
