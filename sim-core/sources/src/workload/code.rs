//! Generates instruction fetches through functions, some of which are hot, and loads of data between them.

use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::{Access, Kind};

use super::params::{Kind as ParamKind, Param, Params, Size};
use super::pattern::{BASE, Made, Pattern, SEED, accesses, must_hold};
use super::random::{Draws, Permutation};
use super::zipf::Zipf;

/// Calls one function after the other, and fetches each from its first byte on. A load follows each fetch if there
/// is data.
#[derive(Clone, Debug)]
pub(super) struct Code {
    base: u64,
    function: u64,
    fetch: u32,
    /// The number of fetches of one call.
    fetches: u64,
    n: u64,
    n_hot: u64,
    weight: u64,
    places: Option<Permutation>,
    /// Chooses among all functions with unequal frequency, for calls that are not to hot functions.
    skew: Option<Zipf>,
    data: Option<Data>,
    draws: Draws,
}

/// Objects of a cache line each, read by Zipf's law. Popular objects are anywhere.
#[derive(Clone, Debug)]
struct Data {
    base: u64,
    zipf: Zipf,
    places: Permutation,
}

/// The size of an object of the data in bytes.
const OBJECT: u64 = 64;
/// The exponent of Zipf's law for the data.
const EXPONENT: f64 = 0.99;
/// The data begins at a multiple of this number, so that no huge page of 2M holds code and data.
const ALIGNMENT: u64 = 2 << 20;

impl Code {
    /// Generates one call.
    #[inline]
    pub(super) fn step(&mut self, out: &mut Vec<Access>) {
        let is_hot = self.n_hot == self.n || self.n_hot > 0 && self.draws.chance(self.weight);
        let placed = |rank| self.places.as_ref().map_or(rank, |places| places.of(rank));
        let place = match &self.skew {
            _ if is_hot => placed(self.draws.below(self.n_hot)),
            Some(zipf) => zipf.rank(&mut self.draws) - 1,
            None => placed(self.n_hot + self.draws.below(self.n - self.n_hot)),
        };
        let start = self.base + place * self.function;
        let addresses = (0..self.fetches).map(|at| start + at * u64::from(self.fetch));
        let fetches = addresses.map(|address| Access::new(Kind::Fetch, address, self.fetch));
        let Some(data) = &self.data else { return out.extend(fetches) };
        for fetch in fetches {
            let place = data.places.of(data.zipf.rank(&mut self.draws) - 1);
            out.extend([fetch, Access::new(Kind::Load, data.base + place * OBJECT, 8)]);
        }
    }
}

pub(super) const CODE: &[Param] = &[
    Param {
        name: "bytes",
        about: "size of the code of all functions",
        kind: ParamKind::Size(64, 64 << 30),
        default: "16M",
    },
    Param {
        name: "function",
        about: "distance from one function to the next",
        kind: ParamKind::Size(16, 1 << 20),
        default: "512",
    },
    Param {
        name: "run",
        about: "code that a call runs through; 0 means the whole function",
        kind: ParamKind::Size(0, 1 << 20),
        default: "128",
    },
    Param {
        name: "fetch",
        about: "size of each fetch",
        kind: ParamKind::Size(1, 64),
        default: "16",
    },
    Param {
        name: "hot",
        about: "share of functions that are hot",
        kind: ParamKind::Percent(0, 100),
        default: "10",
    },
    Param {
        name: "weight",
        about: "share of calls that go to hot functions",
        kind: ParamKind::Percent(0, 100),
        default: "90",
    },
    Param {
        name: "layout",
        about: "position of the hot functions",
        kind: ParamKind::Choice(&[
            ("scattered", "anywhere between the others"),
            ("packed", "next to each other at the beginning"),
        ]),
        default: "scattered",
    },
    Param {
        name: "skew",
        about: "exponent of Zipf's law for the other calls, over all functions by address; 0 means uniform calls to functions that are not hot",
        kind: ParamKind::Real(0.0, 8.0),
        default: "0",
    },
    Param {
        name: "data",
        about: "size of the data after the code, which begins at a multiple of 2M; one load by Zipf's law (exponent 0.99) follows each fetch; 0 means no data",
        kind: ParamKind::Size(0, 1 << 40),
        default: "0",
    },
    accesses("1000000"),
    SEED,
    BASE,
];

pub(super) fn code(params: &Params) -> Result<Made> {
    let (function, seed) = (params.whole("function"), params.whole("seed"));
    let fetch = params.small("fetch");
    let n = must_hold(params, "bytes", function)? / function;
    let run = match params.whole("run") {
        0 => function,
        run if run > function => {
            return Err(Error::config(
                "run",
                format!("{}: a function has only {} bytes", Size(run), Size(function)),
            ));
        }
        run => run,
    };
    must_hold(params, "function", u64::from(fetch))?;
    let (base, data) = (params.whole("base"), params.whole("data"));
    if (1..OBJECT).contains(&data) {
        return Err(Error::config("data", format!("{}: give 0 or at least 64 bytes", Size(data))));
    }
    let start = (base + n * function).next_multiple_of(ALIGNMENT);
    let objects = data / OBJECT;
    let end = if objects > 0 { start + objects * OBJECT } else { base + n * function };
    let pattern = Pattern::Code(Code {
        base,
        function,
        fetch,
        fetches: (run / u64::from(fetch)).max(1),
        n,
        n_hot: (n * params.whole("hot")).div_ceil(100),
        weight: params.whole("weight"),
        places: (params.choice("layout") == "scattered").then(|| Permutation::new(n, seed)),
        skew: (params.real("skew") > 0.0).then(|| Zipf::new(n, params.real("skew"))),
        data: (objects > 0).then(|| Data {
            base: start,
            zipf: Zipf::new(objects, EXPONENT),
            places: Permutation::new(objects, seed),
        }),
        draws: Draws::new(seed),
    });
    Ok(Made { pattern, pass: None, bytes: end - base })
}
