//! Workloads over one array: sequential, strided, uniformly random, or by popularity.

use pagewalk_base::error::Result;
use pagewalk_base::trace::{Access, Kind};

use super::params::{Kind as ParamKind, Param, Params};
use super::pattern::{ACCESS_SIZE, BASE, BYTES, Made, Pattern, SEED, STORES, accesses, must_hold};
use super::random::{Draws, Permutation};
use super::zipf::Zipf;

/// Generates one address after the other. Each is a load or, at random, a store.
#[derive(Clone, Debug)]
pub(super) struct Linear {
    base: u64,
    size: u32,
    stores: u64,
    coins: Draws,
    next: Next,
}

/// How the next byte is chosen, relative to the base.
#[derive(Clone, Debug)]
enum Next {
    /// Advances by the stride and wraps around at the end.
    Stride {
        offset: u64,
        stride: u64,
        bytes: u64,
    },
    Uniform {
        draws: Draws,
        n: u64,
        size: u64,
    },
    Zipf {
        draws: Draws,
        zipf: Zipf,
        places: Option<Permutation>,
        object: u64,
    },
}

impl Linear {
    fn pattern(params: &Params, next: Next) -> Pattern {
        Pattern::Linear(Self {
            base: params.whole("base"),
            size: params.small("size"),
            stores: params.whole("stores"),
            // A separate sequence of random numbers, so that the share of stores does not change the
            // addresses.
            coins: Draws::new(params.whole("seed") ^ 0x636f_696e),
            next,
        })
    }

    #[inline]
    pub(super) fn step(&mut self, out: &mut Vec<Access>) {
        let offset = match &mut self.next {
            Next::Stride { offset, stride, bytes } => {
                let here = *offset;
                *offset = (here + *stride) % *bytes;
                here
            }
            Next::Uniform { draws, n, size } => draws.below(*n) * *size,
            Next::Zipf { draws, zipf, places, object } => {
                let rank = zipf.rank(draws) - 1;
                places.as_ref().map_or(rank, |places| places.of(rank)) * *object
            }
        };
        let kind = if self.coins.chance(self.stores) { Kind::Store } else { Kind::Load };
        out.push(Access::new(kind, self.base + offset, self.size));
    }
}

pub(super) const SEQUENTIAL: &[Param] =
    &[BYTES, ACCESS_SIZE, STORES, accesses("1000000"), SEED, BASE];

pub(super) fn sequential(params: &Params) -> Result<Made> {
    let size = params.whole("size");
    let bytes = must_hold(params, "bytes", size)? / size * size;
    let next = Next::Stride { offset: 0, stride: size, bytes };
    Ok(Made { pattern: Linear::pattern(params, next), pass: Some(bytes / size), bytes })
}

const STRIDE: Param = Param {
    name: "stride",
    about: "distance from one access to the next",
    kind: ParamKind::Size(1, 64 << 40),
    default: "4K",
};

pub(super) const STRIDED: &[Param] =
    &[BYTES, STRIDE, ACCESS_SIZE, STORES, accesses("1000000"), SEED, BASE];

pub(super) fn strided(params: &Params) -> Result<Made> {
    let stride = params.whole("stride");
    let bytes = must_hold(params, "bytes", params.whole("size"))?;
    let next = Next::Stride { offset: 0, stride, bytes };
    // After this number of steps, the first byte is accessed again.
    let pass = bytes / greatest_common_divisor(bytes, stride);
    let bytes = bytes + params.whole("size");
    Ok(Made { pattern: Linear::pattern(params, next), pass: Some(pass), bytes })
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

pub(super) const UNIFORM: &[Param] = &[BYTES, ACCESS_SIZE, STORES, accesses("1000000"), SEED, BASE];

pub(super) fn uniform(params: &Params) -> Result<Made> {
    let size = params.whole("size");
    let n = must_hold(params, "bytes", size)? / size;
    let next = Next::Uniform { draws: Draws::new(params.whole("seed")), n, size };
    Ok(Made { pattern: Linear::pattern(params, next), pass: None, bytes: n * size })
}

const OBJECT: Param = Param {
    name: "object",
    about: "size of each object; accesses are to its first byte",
    kind: ParamKind::Size(1, 1 << 30),
    default: "64",
};

const EXPONENT: Param = Param {
    name: "exponent",
    about: "the object of rank k is accessed in proportion to 1 / k^exponent; 0 is uniform",
    kind: ParamKind::Real(0.0, 8.0),
    default: "0.99",
};

const PLACES: Param = Param {
    name: "layout",
    about: "position of the objects",
    kind: ParamKind::Choice(&[
        ("scattered", "popular objects anywhere, as an allocator places them"),
        ("ranked", "by popularity, the most popular first"),
    ]),
    default: "scattered",
};

pub(super) const ZIPF: &[Param] =
    &[BYTES, OBJECT, EXPONENT, PLACES, ACCESS_SIZE, STORES, accesses("1000000"), SEED, BASE];

pub(super) fn zipf(params: &Params) -> Result<Made> {
    let (object, seed) = (params.whole("object"), params.whole("seed"));
    must_hold(params, "object", params.whole("size"))?;
    let n = must_hold(params, "bytes", object)? / object;
    let next = Next::Zipf {
        draws: Draws::new(seed),
        zipf: Zipf::new(n, params.real("exponent")),
        places: (params.choice("layout") == "scattered").then(|| Permutation::new(n, seed)),
        object,
    };
    Ok(Made { pattern: Linear::pattern(params, next), pass: None, bytes: n * object })
}
