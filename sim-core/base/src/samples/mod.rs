//! What the samples of a recording tell, kept in columns: a trace keeps of them what can be
//! simulated, this keeps what was measured.
//!
//! A chunk of [`CHUNK`] samples has a column for each field, and a column has only the bytes that its
//! values need: none where all are alike. Loads with all that a recording may have take about 25 bytes
//! a sample, instruction pointers with their time about 8; [`Samples::bytes`] tells.

mod builder;
mod column;
mod names;
mod places;
mod rows;
mod sample;
mod saved;

pub use builder::SamplesBuilder;
pub use places::Place;
pub use sample::{Mode, Name, Sample, TlbLevel};
pub use saved::sections;

use crate::trace::Kind;
use column::Column;
use names::Names;
use places::Areas;

/// Samples of a chunk; the last one may have fewer.
pub const CHUNK: usize = 1 << 16;

/// The fields, in the order in which a chunk has their columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Address,
    Ip,
    Physical,
    /// Nanoseconds.
    Time,
    Period,
    Latency,
    /// Kind, level and mode.
    Class,
    /// log2 of the page sizes: of the data, and that of the code six bits further up.
    Pages,
    /// Process and thread, in the list of both.
    Thread,
    Cpu,
    Event,
    /// Names and places, from 1 on; 0 is none.
    CodeName,
    DataName,
    CodePlace,
    DataPlace,
}

const N_FIELDS: usize = Field::DataPlace as usize + 1;

/// A stretch of samples.
#[derive(Debug)]
pub struct SampleChunk {
    n: usize,
    columns: [Column; N_FIELDS],
}

/// A sample as it is kept; texts and threads are those of [`Samples`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    pub event: u32,
    pub pid: u32,
    pub tid: u32,
    pub cpu: u32,
    /// Nanoseconds.
    pub time: Option<u64>,
    pub ip: Option<u64>,
    pub address: Option<u64>,
    pub kind: Option<Kind>,
    pub level: TlbLevel,
    /// Cycles.
    pub latency: Option<u32>,
    pub physical: Option<u64>,
    /// log2 of the bytes of the page that holds the data.
    pub data_page: Option<u8>,
    /// log2 of the bytes of the page that holds the instruction.
    pub code_page: Option<u8>,
    pub period: Option<u64>,
    pub mode: Mode,
    /// Where in [`Samples::name`] the instruction's symbol is.
    pub code_name: Option<u32>,
    pub data_name: Option<u32>,
    /// Where in [`Samples::places`] the instruction is.
    pub code_place: Option<u32>,
    pub data_place: Option<u32>,
}

/// The samples of a recording. They never change.
#[derive(Debug, Default)]
pub struct Samples {
    chunks: Vec<SampleChunk>,
    n: u64,
    threads: Vec<(u32, u32)>,
    names: Names,
    places: Vec<Place>,
    areas: Areas,
    /// The first and the last time.
    times: Option<(u64, u64)>,
}

impl Samples {
    pub fn len(&self) -> u64 {
        self.n
    }

    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    pub fn n_chunks(&self) -> usize {
        self.chunks.len()
    }

    /// Returns the samples of a chunk, in order of time; none of a chunk that does not exist.
    pub fn chunk(&self, nth: usize) -> impl Iterator<Item = Kept> + '_ {
        let chunk = self.chunks.get(nth);
        chunk.into_iter().flat_map(|chunk| (0..chunk.n).map(|at| self.kept(chunk, at)))
    }

    /// Every sample, in order of time.
    pub fn iter(&self) -> impl Iterator<Item = Kept> + '_ {
        (0..self.chunks.len()).flat_map(|nth| self.chunk(nth))
    }

    /// Returns the first time and the last, in nanoseconds; `None` where no sample has one.
    pub fn times(&self) -> Option<(u64, u64)> {
        self.times
    }

    /// Symbol and file of a name; either may be empty.
    pub fn name(&self, id: u32) -> (&str, &str) {
        self.names.get(id)
    }

    /// Stretches of memory of which a map told, or files that samples named.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Returns whether a process had all of a range mapped for one kind of thing, at any time; `None` where
    /// nothing is known of any of it.
    pub fn is_mapped(&self, pid: u32, range: std::ops::Range<u64>) -> Option<bool> {
        self.areas.covers(pid, range.start, range.end)
    }

    /// Bytes of memory that the samples take.
    pub fn bytes(&self) -> usize {
        let chunks = self.chunks.iter().map(SampleChunk::bytes);
        let places = self.places.iter().map(Place::bytes);
        let texts = places.sum::<usize>() + self.areas.bytes() + self.names.bytes();
        chunks.sum::<usize>() + texts + 8 * self.threads.len()
    }

    fn kept(&self, chunk: &SampleChunk, at: usize) -> Kept {
        let value = |field: Field| chunk.columns[field as usize].get(at);
        let some = |field| Some(value(field)).filter(|value| *value != 0);
        let small = |field| u32::try_from(value(field)).unwrap_or(u32::MAX);
        let id = |field| small(field).checked_sub(1);
        let (class, pages) = (value(Field::Class), value(Field::Pages));
        let shift = |bits: u64| u8::try_from(bits & 63).ok().filter(|shift| *shift > 0);
        let thread = usize::try_from(value(Field::Thread)).unwrap_or(usize::MAX);
        let (pid, tid) = self.threads.get(thread).copied().unwrap_or_default();
        Kept {
            event: small(Field::Event),
            pid,
            tid,
            cpu: small(Field::Cpu),
            time: value(Field::Time).checked_sub(1),
            ip: some(Field::Ip),
            address: some(Field::Address),
            kind: sample::kind_of(class),
            level: TlbLevel::of_bits(class),
            latency: some(Field::Latency).map(|cycles| u32::try_from(cycles).unwrap_or(u32::MAX)),
            physical: some(Field::Physical),
            data_page: shift(pages),
            code_page: shift(pages >> 6),
            period: some(Field::Period),
            mode: Mode::of_bits(class),
            code_name: id(Field::CodeName),
            data_name: id(Field::DataName),
            code_place: id(Field::CodePlace),
            data_place: id(Field::DataPlace),
        }
    }
}

impl SampleChunk {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.columns.iter().map(Column::bytes).sum::<usize>()
    }
}
