//! Traces: what an access is, and how ten million of them are kept in memory.
//!
//! A trace is a list of chunks. Each holds the same accesses twice, in two forms
//! that can be read without the chunks before: `codec` writes every access, `runs`
//! only those that change the page.

mod access;
mod codec;
mod pages;
mod runs;

pub use access::{Access, AccessView, Completeness, Kind};
pub use codec::Decoder;
pub use pages::{PageCounts, PageUse};
pub use runs::RUN_PAGE_BITS;
pub(crate) use runs::{Head, RunVisitor};

use crate::error::{Error, ErrorCode, Result};
use codec::Encoder;
use pages::PageMap;
use runs::RunWriter;

/// Accesses of a chunk; the last one of a trace may have fewer.
pub const CHUNK: u32 = 1 << 17;

/// A stretch of the trace that can be read alone.
#[derive(Debug)]
pub struct Chunk {
    /// The number of its first access.
    pub first: u32,
    pub n: u32,
    n_by_kind: [u32; 4],
    accesses: Box<[u8]>,
    runs: Box<[u32]>,
}

impl Chunk {
    /// Every access, in order.
    pub fn accesses(&self) -> Decoder<'_> {
        Decoder::new(&self.accesses)
    }

    pub(crate) fn count(&self, kind: Kind) -> u32 {
        self.n_by_kind[kind.index()]
    }

    #[inline]
    pub(crate) fn visit_runs(&self, visitor: &mut impl RunVisitor) {
        runs::visit(&self.runs, self.first, visitor);
    }
}

/// A recorded trace. It never changes.
#[derive(Debug, Default)]
pub struct Trace {
    chunks: Vec<Chunk>,
    n: u32,
    n_by_kind: [u64; 4],
    /// By rising address.
    pages: Vec<PageUse>,
    n_runs: u64,
    pub completeness: Completeness,
}

impl Trace {
    /// The number of accesses, prefetches included.
    pub fn len(&self) -> u32 {
        self.n
    }

    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    pub fn count(&self, kind: Kind) -> u64 {
        self.n_by_kind[kind.index()]
    }

    /// The distinct 4 KiB pages, by rising address.
    pub fn pages(&self) -> &[PageUse] {
        &self.pages
    }

    /// Distinct 4 KiB pages that hold the first byte of a fetch, and of a data access.
    pub fn page_counts(&self) -> PageCounts {
        let count =
            |used: fn(&PageUse) -> bool| self.pages.iter().filter(|page| used(page)).count() as u64;
        PageCounts { fetch: count(|page| page.fetches > 0), data: count(|page| page.data > 0) }
    }

    /// Heads of page runs: the accesses that a machine with separate fetch arrays translates.
    pub fn n_runs(&self) -> u64 {
        self.n_runs
    }

    pub fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    /// The chunk that holds access `index`, which must exist.
    pub fn chunk_of(&self, index: u32) -> &Chunk {
        &self.chunks[(index / CHUNK) as usize]
    }

    /// The accesses from number `from` on.
    pub fn accesses_from(&self, from: u32) -> impl Iterator<Item = Access> + '_ {
        let first = (from / CHUNK) as usize;
        let skipped = (from % CHUNK) as usize;
        self.chunks[first.min(self.chunks.len())..].iter().flat_map(Chunk::accesses).skip(skipped)
    }

    /// Bytes of memory that the trace takes.
    pub fn bytes(&self) -> usize {
        let chunks = self
            .chunks
            .iter()
            .map(|c| c.accesses.len() + 4 * c.runs.len() + std::mem::size_of::<Chunk>());
        chunks.sum::<usize>() + self.pages.capacity() * std::mem::size_of::<PageUse>()
    }
}

/// Takes accesses one at a time and makes a [`Trace`] of them.
pub struct TraceBuilder {
    trace: Trace,
    encoder: Encoder,
    runs: RunWriter,
    pages: PageMap,
    /// Pages of the last fetch and the last data access, in `pages`.
    current: [usize; 2],
    counts: [u32; 2],
    n_in_chunk: u32,
    n_by_kind: [u32; 4],
    sealed_bytes: usize,
    max_bytes: usize,
}

impl Default for TraceBuilder {
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}

impl TraceBuilder {
    /// `max_bytes` is the memory that the trace may take.
    pub fn new(max_bytes: usize) -> Self {
        Self {
            trace: Trace::default(),
            encoder: Encoder::new(),
            runs: RunWriter::default(),
            pages: PageMap::new(),
            current: [usize::MAX; 2],
            counts: [0; 2],
            n_in_chunk: 0,
            n_by_kind: [0; 4],
            sealed_bytes: 0,
            max_bytes,
        }
    }

    /// # Errors
    /// `too-large` if the trace would exceed its memory or 2³² − 1 accesses.
    #[inline]
    pub fn push(&mut self, access: &Access) -> Result<()> {
        self.encoder.push(access);
        let group = usize::from(!access.kind.is_fetch());
        if self.runs.push(access) {
            self.trace.n_runs += 1;
            self.flush_page(group);
            let page = access.address >> RUN_PAGE_BITS;
            let last_page = access.last() >> RUN_PAGE_BITS;
            let at = self.pages.index_of(page);
            self.pages.count(at, group == 0, 1);
            // Repeats are on the page of the last byte; the access counts for that of the first.
            self.current[group] =
                if last_page == page { at } else { self.pages.index_of(last_page) };
        } else {
            self.counts[group] += 1;
        }
        self.n_by_kind[access.kind.index()] += 1;
        self.n_in_chunk += 1;
        if self.n_in_chunk == CHUNK { self.seal() } else { Ok(()) }
    }

    #[inline]
    fn flush_page(&mut self, group: usize) {
        if self.counts[group] > 0 {
            self.pages.count(self.current[group], group == 0, self.counts[group]);
            self.counts[group] = 0;
        }
    }

    /// Accesses so far.
    pub fn len(&self) -> u32 {
        self.trace.n + self.n_in_chunk
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn seal(&mut self) -> Result<()> {
        let chunk = Chunk {
            first: self.trace.n,
            n: self.n_in_chunk,
            n_by_kind: std::mem::take(&mut self.n_by_kind),
            accesses: self.encoder.finish(),
            runs: self.runs.finish(),
        };
        self.sealed_bytes += chunk.accesses.len() + 4 * chunk.runs.len();
        for (total, n) in self.trace.n_by_kind.iter_mut().zip(chunk.n_by_kind) {
            *total += u64::from(n);
        }
        self.trace.n += self.n_in_chunk;
        self.n_in_chunk = 0;
        self.trace.chunks.push(chunk);
        let bytes = self.sealed_bytes + self.pages.bytes();
        if bytes > self.max_bytes {
            let megabytes = self.max_bytes >> 20;
            let message = format!(
                "the trace needs more than {megabytes} MB after {} accesses: import fewer with a limit",
                self.trace.n
            );
            return Err(Error::new(ErrorCode::TooLarge, message));
        }
        if self.trace.n > u32::MAX - 2 * CHUNK {
            return Err(Error::new(
                ErrorCode::TooLarge,
                "a trace may hold 4.29 billion accesses: import fewer with a limit",
            ));
        }
        Ok(())
    }

    /// # Errors
    /// `too-large`, as for [`Self::push`].
    pub fn finish(mut self, completeness: Completeness) -> Result<Trace> {
        if self.n_in_chunk > 0 {
            self.seal()?;
        }
        self.flush_page(0);
        self.flush_page(1);
        self.trace.pages = self.pages.into_sorted();
        self.trace.completeness = completeness;
        self.trace.chunks.shrink_to_fit();
        Ok(self.trace)
    }
}
