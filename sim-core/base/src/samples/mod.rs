//! Samples: what a recording measured, kept in columns. (A trace keeps only what can be simulated.)
//!
//! A chunk of [`CHUNK`] samples has a column for each field. A column has only the bytes that its values need: none
//! if all values are equal. Loads with every field take about 25 bytes a sample. Instruction pointers with their
//! time take about 8 bytes a sample. [`Samples::bytes`] returns the number.

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

/// The number of samples in a chunk; the last chunk may have fewer.
pub const CHUNK: usize = 1 << 16;

/// The fields of a sample, in the order of a chunk's columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Address,
    Ip,
    Physical,
    /// The time in nanoseconds.
    Time,
    Period,
    Latency,
    /// The kind, the level and the mode in one number.
    Class,
    /// log2 of the bytes of the data page, plus 64 times log2 of the bytes of the code page.
    Pages,
    /// The process and thread, as a position in the list of such pairs.
    Thread,
    Cpu,
    Event,
    /// The position in the list of names or of places, plus 1; 0 means none.
    CodeName,
    DataName,
    CodePlace,
    DataPlace,
}

const N_FIELDS: usize = Field::DataPlace as usize + 1;

/// A chunk: neighbouring samples that can be read without the other chunks.
#[derive(Debug)]
pub struct SampleChunk {
    n: usize,
    columns: [Column; N_FIELDS],
}

/// A sample as a chunk keeps it. Its texts are in [`Samples`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    pub event: u32,
    pub pid: u32,
    pub tid: u32,
    pub cpu: u32,
    /// The time in nanoseconds.
    pub time: Option<u64>,
    pub ip: Option<u64>,
    pub address: Option<u64>,
    pub kind: Option<Kind>,
    pub level: TlbLevel,
    /// The latency in cycles.
    pub latency: Option<u32>,
    pub physical: Option<u64>,
    /// log2 of the bytes of the data page.
    pub data_page: Option<u8>,
    /// log2 of the bytes of the code page.
    pub code_page: Option<u8>,
    pub period: Option<u64>,
    pub mode: Mode,
    /// The position of the instruction's symbol in [`Samples::name`].
    pub code_name: Option<u32>,
    pub data_name: Option<u32>,
    /// The position of the instruction's place in [`Samples::places`].
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
    /// The times of the first and the last sample, in nanoseconds.
    times: Option<(u64, u64)>,
}

impl Samples {
    /// Returns the number of samples.
    pub fn len(&self) -> u64 {
        self.n
    }

    /// Returns whether the recording has no sample.
    pub fn is_empty(&self) -> bool {
        self.n == 0
    }

    /// Returns the number of chunks.
    pub fn n_chunks(&self) -> usize {
        self.chunks.len()
    }

    /// Returns the samples of a chunk, in order of time. A chunk that does not exist has no samples.
    pub fn chunk(&self, nth: usize) -> impl Iterator<Item = Kept> + '_ {
        let chunk = self.chunks.get(nth);
        chunk.into_iter().flat_map(|chunk| (0..chunk.n).map(|at| self.kept(chunk, at)))
    }

    /// Returns all samples, in order of time.
    pub fn iter(&self) -> impl Iterator<Item = Kept> + '_ {
        (0..self.chunks.len()).flat_map(|nth| self.chunk(nth))
    }

    /// Returns the times of the first and the last sample, in nanoseconds, or `None` if no sample has a time.
    pub fn times(&self) -> Option<(u64, u64)> {
        self.times
    }

    /// Returns the symbol and the file of a name; either may be empty.
    pub fn name(&self, id: u32) -> (&str, &str) {
        self.names.get(id)
    }

    /// Returns the places: ranges of the memory maps, or files that samples named.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Returns whether a process had a whole range mapped for one kind of thing, at any time. Returns `None` if no
    /// record of a map covers any part of the range.
    pub fn is_mapped(&self, pid: u32, range: std::ops::Range<u64>) -> Option<bool> {
        self.areas.covers(pid, range.start, range.end)
    }

    /// Returns the memory of the samples in bytes.
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
