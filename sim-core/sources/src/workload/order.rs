//! Workloads that visit every element once in some order: a chain of pointers, a gathered array, a heap that
//! is touched before use.

use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::{Access, Kind};

use super::params::{Kind as ParamKind, Param, Params, Size};
use super::pattern::{BASE, BYTES, Made, PAGE, Pattern, SEED, accesses, must_hold};
use super::random::Permutation;

/// The order in which `n` elements are visited.
#[derive(Clone, Debug)]
enum Order {
    Ascending,
    Random(Permutation),
    /// Pages of `each` elements in random order. Each page is visited completely, its elements in random
    /// order. The last page may have fewer elements.
    ByPage {
        n: u64,
        each: u64,
        pages: Permutation,
        sorted: bool,
        seed: u64,
    },
}

impl Order {
    #[inline]
    fn of(&self, at: u64) -> u64 {
        match self {
            Self::Ascending => at,
            Self::Random(permutation) => permutation.of(at),
            Self::ByPage { n, each, pages, sorted, seed } => {
                let whole = n / each;
                let short = n % each;
                let page = at / each;
                // A short last page is visited last, because only the last position may be short.
                let (page, inside) = if page == whole { (whole, short) } else { (page, *each) };
                let page = if page == whole || *sorted { page } else { pages.of(page) };
                let order = Permutation::new(inside, seed ^ page);
                page * each + order.of(at % each)
            }
        }
    }
}

const fn order(choices: &'static [(&'static str, &'static str)]) -> Param {
    Param {
        name: "order",
        about: "order in which elements are visited",
        kind: ParamKind::Choice(choices),
        default: "random",
    }
}

const SEQUENTIAL_ORDER: (&str, &str) = ("sequential", "by address");
const RANDOM_ORDER: (&str, &str) = ("random", "random over the whole array");
const BY_PAGE_ORDER: (&str, &str) =
    ("by-page", "4K pages in random order, and the elements of each page in random order");
const SORTED_ORDER: (&str, &str) =
    ("sorted-pages", "4K pages by address, and the elements of each page in random order");

fn parse_order(word: &str, n: u64, each: u64, seed: u64) -> Order {
    match word {
        "sequential" => Order::Ascending,
        "random" => Order::Random(Permutation::new(n, seed)),
        _ => Order::ByPage {
            n,
            each,
            pages: Permutation::new((n / each).max(1), seed),
            sorted: word == "sorted-pages",
            seed,
        },
    }
}

/// Follows a ring of nodes, each with a pointer to the next one.
#[derive(Clone, Debug)]
pub(super) struct Chase {
    base: u64,
    node: u64,
    n: u64,
    order: Order,
    at: u64,
}

impl Chase {
    #[inline]
    pub(super) fn step(&mut self, out: &mut Vec<Access>) {
        let node = self.order.of(self.at);
        self.at = (self.at + 1) % self.n;
        out.push(Access::new(Kind::Load, self.base + node * self.node, 8));
    }
}

const NODE: Param = Param {
    name: "node",
    about: "size of each node; its first 8 bytes are the pointer",
    kind: ParamKind::Size(8, 1 << 30),
    default: "64",
};

pub(super) const CHASE: &[Param] = &[
    BYTES,
    NODE,
    order(&[RANDOM_ORDER, BY_PAGE_ORDER, SEQUENTIAL_ORDER]),
    accesses("1000000"),
    SEED,
    BASE,
];

pub(super) fn chase(params: &Params) -> Result<Made> {
    let node = params.whole("node");
    let n = must_hold(params, "bytes", node)? / node;
    let order = parse_order(params.choice("order"), n, (PAGE / node).max(1), params.whole("seed"));
    let pattern = Pattern::Chase(Chase { base: params.whole("base"), node, n, order, at: 0 });
    Ok(Made { pattern, pass: Some(n), bytes: n * node })
}

/// Generates the accesses of `sum += data[index[i]]`.
#[derive(Clone, Debug)]
pub(super) struct Gather {
    base: u64,
    element: u32,
    n: u64,
    order: Order,
    /// The address of the index array, if it is read.
    indices: Option<u64>,
    at: u64,
}

/// The size of an index in bytes.
const INDEX: u32 = 4;

impl Gather {
    #[inline]
    pub(super) fn step(&mut self, out: &mut Vec<Access>) {
        if let Some(indices) = self.indices {
            out.push(Access::new(Kind::Load, indices + self.at * u64::from(INDEX), INDEX));
        }
        let element = self.order.of(self.at);
        self.at = (self.at + 1) % self.n;
        let address = self.base + element * u64::from(self.element);
        out.push(Access::new(Kind::Load, address, self.element));
    }
}

const ELEMENTS: Param = Param {
    name: "elements",
    about: "number of elements; a pass reads each once",
    kind: ParamKind::Count(1, 1 << 32),
    default: "131072",
};

const ELEMENT: Param = Param {
    name: "element",
    about: "size of each element",
    kind: ParamKind::Size(1, 4096),
    default: "4",
};

const INDICES: Param = Param {
    name: "indices",
    about: "whether the 4-byte indices are read as well",
    kind: ParamKind::Choice(&[
        ("no", "only the array is read"),
        ("yes", "the next index before each element; the indices follow the array in memory"),
    ]),
    default: "no",
};

pub(super) const GATHER: &[Param] = &[
    ELEMENTS,
    ELEMENT,
    order(&[RANDOM_ORDER, BY_PAGE_ORDER, SORTED_ORDER, SEQUENTIAL_ORDER]),
    INDICES,
    accesses("0"),
    SEED,
    BASE,
];

pub(super) fn gather(params: &Params) -> Made {
    let (n, element) = (params.whole("elements"), params.small("element"));
    let base = params.whole("base");
    let each = (PAGE / u64::from(element)).max(1);
    let order = parse_order(params.choice("order"), n, each, params.whole("seed"));
    let data = (n * u64::from(element)).next_multiple_of(PAGE);
    let indices = (params.choice("indices") == "yes").then_some(base + data);
    let (each, index_bytes) = if indices.is_some() { (2, n * u64::from(INDEX)) } else { (1, 0) };
    let pattern = Pattern::Gather(Gather { base, element, n, order, indices, at: 0 });
    Made { pattern, pass: Some(n * each), bytes: data + index_bytes }
}

/// Stores to the first byte of each page of a heap, by threads that take chunks of the heap.
#[derive(Clone, Debug)]
pub(super) struct PreTouch {
    base: u64,
    page: u64,
    n: u64,
    /// The number of pages of a chunk. A thread that finished its chunk takes the next free one.
    chunk: u64,
    /// The next page and the end of each thread's chunk.
    threads: Vec<(u64, u64)>,
    turn: usize,
    free: u64,
}

impl PreTouch {
    fn restart(&mut self) {
        self.threads.fill((0, 0));
        (self.turn, self.free) = (0, 0);
    }

    #[inline]
    pub(super) fn step(&mut self, out: &mut Vec<Access>) {
        let idle = |&(at, end): &(u64, u64)| at == end;
        if self.free == self.n && self.threads.iter().all(idle) {
            self.restart();
        }
        loop {
            let turn = self.turn;
            self.turn = (turn + 1) % self.threads.len();
            let (at, end) = &mut self.threads[turn];
            if *at == *end {
                if self.free == self.n {
                    continue;
                }
                *at = self.free;
                *end = (self.free + self.chunk).min(self.n);
                self.free = *end;
            }
            let address = self.base + *at * self.page;
            *at += 1;
            let tid = u32::try_from(turn).expect("at most 1024 threads");
            out.push(Access { tid, ..Access::new(Kind::Store, address, 1) });
            return;
        }
    }
}

const TOUCHED: Param = Param {
    name: "bytes",
    about: "size of the heap",
    kind: ParamKind::Size(1, 64 << 40),
    default: "1G",
};

const TOUCHED_PAGE: Param = Param {
    name: "page",
    about: "page size; there is one store for each page",
    kind: ParamKind::Size(64, 1 << 30),
    default: "4K",
};

const TOUCHED_CHUNK: Param = Param {
    name: "chunk",
    about: "size of the part that a thread takes at a time, a multiple of the page",
    kind: ParamKind::Size(64, 64 << 40),
    default: "4M",
};

pub(super) const THREADS: Param = Param {
    name: "threads",
    about: "number of threads, which take turns",
    kind: ParamKind::Count(1, 1024),
    default: "1",
};

pub(super) const PRE_TOUCH: &[Param] =
    &[TOUCHED, TOUCHED_PAGE, THREADS, TOUCHED_CHUNK, accesses("0"), BASE];

pub(super) fn pre_touch(params: &Params) -> Result<Made> {
    let (bytes, page, chunk) = (params.whole("bytes"), params.whole("page"), params.whole("chunk"));
    if !chunk.is_multiple_of(page) {
        let message = format!("{}: give a multiple of the page, {}", Size(chunk), Size(page));
        return Err(Error::config("chunk", message));
    }
    let n = bytes.div_ceil(page);
    let n_threads = usize::try_from(params.whole("threads")).expect("at most 1024");
    let pattern = Pattern::PreTouch(PreTouch {
        base: params.whole("base"),
        page,
        n,
        chunk: chunk / page,
        threads: vec![(0, 0); n_threads],
        turn: 0,
        free: 0,
    });
    Ok(Made { pattern, pass: Some(n), bytes: n * page })
}
