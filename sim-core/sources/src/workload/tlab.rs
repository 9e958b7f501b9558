//! Generates allocation with a pointer in thread-local buffers (TLABs), as `HotSpot` compiles it.
//!
//! For an object at `a` whose successor begins at `top`: the prefetch of `top` + distance,
//! then the stores of the header (8 bytes at `a`), of the class (4 at `a` + 8) and of the
//! zeros (4 at `a` + 12, then 8 at a time up to `top`). A. Shipilëv, "JVM Anatomy Quark #4:
//! TLAB allocation" shows the instructions: `prefetchnta 0xc0(%r10)`, `mov` to 0x0, 0x8, 0xc.

use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::{Access, Kind};

use super::order::THREADS;
use super::params::{Kind as ParamKind, Param, Params, Size};
use super::pattern::{BASE, Made, PAGE, Pattern, accesses};

/// Threads that allocate in turn, each in its buffer. Buffers are consecutive parts of one heap.
#[derive(Clone, Debug)]
pub(super) struct Tlab {
    base: u64,
    heap: u64,
    object: u64,
    buffer: u64,
    /// The distance in bytes of the prefetch from the new top, if there is a prefetch.
    prefetch: Option<u64>,
    /// The address of the references to the objects, if they are stored.
    references: Option<u64>,
    n_references: u64,
    n_allocated: u64,
    /// The next object and the end of each thread's buffer.
    threads: Vec<(u64, u64)>,
    turn: usize,
    free: u64,
}

/// The size of a compressed reference in bytes.
const REFERENCE: u32 = 4;

impl Tlab {
    /// Generates the allocation of one object.
    #[inline]
    pub(super) fn step(&mut self, out: &mut Vec<Access>) {
        let turn = self.turn;
        self.turn = (turn + 1) % self.threads.len();
        if self.threads[turn].0 + self.object > self.threads[turn].1 {
            self.threads[turn] = self.refill();
        }
        let at = self.threads[turn].0;
        let top = at + self.object;
        self.threads[turn].0 = top;
        let tid = u32::try_from(turn).expect("at most 1024 threads");
        let mut push =
            |kind, address, size| out.push(Access { tid, ..Access::new(kind, address, size) });
        if let Some(ahead) = self.prefetch {
            push(Kind::Prefetch, top + ahead, 1);
        }
        push(Kind::Store, at, 8);
        push(Kind::Store, at + 8, 4);
        push(Kind::Store, at + 12, 4);
        for zeros in (at + 16..top).step_by(8) {
            push(Kind::Store, zeros, 8);
        }
        if let Some(references) = self.references {
            let place = self.n_allocated % self.n_references;
            push(Kind::Store, references + place * u64::from(REFERENCE), REFERENCE);
        }
        self.n_allocated += 1;
    }

    /// Returns the next buffer. When the heap is full, allocation starts at its beginning again, as after a
    /// collection that freed everything.
    fn refill(&mut self) -> (u64, u64) {
        if self.free + self.buffer > self.heap {
            self.free = 0;
        }
        let start = self.base + self.free;
        self.free += self.buffer;
        (start, start + self.buffer)
    }
}

pub(super) const TLAB: &[Param] = &[
    Param {
        name: "heap",
        about: "size of the heap, which gives out buffers in order; when it is full, it starts again",
        kind: ParamKind::Size(1 << 10, 16 << 40),
        default: "64M",
    },
    Param {
        name: "tlab",
        about: "size of each thread's buffer",
        kind: ParamKind::Size(64, 1 << 30),
        default: "256K",
    },
    Param {
        name: "object",
        about: "size of each object, a multiple of 8",
        kind: ParamKind::Size(16, 1 << 16),
        default: "16",
    },
    THREADS,
    Param {
        name: "prefetch",
        about: "distance of the prefetch from the new top; 0 means no prefetch",
        kind: ParamKind::Size(0, 1 << 20),
        default: "192",
    },
    Param {
        name: "references",
        about: "entries of an array after the heap, which stores a 4-byte reference to each object; 0 means no array",
        kind: ParamKind::Count(0, 1 << 32),
        default: "0",
    },
    accesses("1000000"),
    BASE,
];

pub(super) fn tlab(params: &Params) -> Result<Made> {
    let (heap, tlab, object) = (params.whole("heap"), params.whole("tlab"), params.whole("object"));
    if !object.is_multiple_of(8) {
        return Err(Error::config("object", format!("{object} bytes: give a multiple of 8")));
    }
    if object > tlab {
        return Err(Error::config(
            "tlab",
            format!("{}: an object of {object} bytes does not fit", Size(tlab)),
        ));
    }
    let n_threads = usize::try_from(params.whole("threads")).expect("at most 1024");
    if tlab.saturating_mul(n_threads as u64) > heap {
        return Err(Error::config(
            "heap",
            format!("{}: {n_threads} buffers of {} do not fit", Size(heap), Size(tlab)),
        ));
    }
    let (base, ahead) = (params.whole("base"), params.whole("prefetch"));
    let n_references = params.whole("references");
    // Prefetches reach beyond the end of the heap.
    let above = (heap + ahead).next_multiple_of(PAGE) + PAGE;
    let pattern = Pattern::Tlab(Tlab {
        base,
        heap,
        object,
        buffer: tlab,
        prefetch: (ahead > 0).then_some(ahead),
        references: (n_references > 0).then_some(base + above),
        n_references,
        n_allocated: 0,
        threads: vec![(0, 0); n_threads],
        turn: 0,
        free: 0,
    });
    Ok(Made { pattern, pass: None, bytes: above + n_references * u64::from(REFERENCE) })
}
