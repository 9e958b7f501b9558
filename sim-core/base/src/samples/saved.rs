//! Samples as sections of a saved trace ([`crate::trace::saved`]).
//!
//! ```text
//! t   threads: process and thread of each; the first and the last time, if there are
//! n   names: lengths of symbol and file, then both; as many sections as needed
//! p   places: kind, start, length, name; as many sections as needed
//! m   what was ever mapped: process, kind, start, length; as many sections as needed
//! f   processes and by which each was made; as many sections as needed
//! s   a chunk: the number of samples, then of each column the least, the width and the bytes
//! ```

use std::rc::Rc;

use super::column::Column;
use super::{CHUNK, Field, N_FIELDS, Place, SampleChunk, Samples};
use crate::trace::{RegionKind, read_varint, write_varint};

const THREADS: u8 = b't';
const NAMES: u8 = b'n';
const PLACES: u8 = b'p';
const MAPPED: u8 = b'm';
const FORKS: u8 = b'f';
const SAMPLES: u8 = b's';
/// The payload in bytes at which texts, places and areas begin another section.
const FULL: usize = 1 << 20;

/// Returns the sections of the samples, to be added to those of their trace. Without samples there are none.
pub fn sections(samples: Rc<Samples>) -> impl ExactSizeIterator<Item = (u8, Vec<u8>)> + 'static {
    let mut texts = Vec::new();
    if !samples.is_empty() {
        texts.push((THREADS, samples.save_threads()));
        let n_names = u32::try_from(samples.names.len()).unwrap_or(u32::MAX);
        pack(&mut texts, NAMES, 0..n_names, |bytes, id| {
            let (symbol, file) = samples.names.get(id);
            write_varint(bytes, symbol.len() as u64);
            write_varint(bytes, file.len() as u64);
            bytes.extend_from_slice(symbol.as_bytes());
            bytes.extend_from_slice(file.as_bytes());
        });
        pack(&mut texts, PLACES, &samples.places, |bytes, place| place.save(bytes));
        let numbers = |bytes: &mut Vec<u8>, numbers: &[u64]| {
            for number in numbers {
                write_varint(bytes, *number);
            }
        };
        pack(&mut texts, MAPPED, samples.areas.save_areas(), |bytes, area| numbers(bytes, &area));
        pack(&mut texts, FORKS, &samples.areas.parents, |bytes, (child, parent)| {
            numbers(bytes, &[u64::from(*child), u64::from(*parent)]);
        });
    }
    let n_texts = texts.len();
    let mut texts = texts.into_iter();
    (0..n_texts + samples.chunks.len()).map(move |nth| {
        texts.next().unwrap_or_else(|| (SAMPLES, samples.chunks[nth - n_texts].save()))
    })
}

/// Writes items into as many sections as they need.
fn pack<T>(
    sections: &mut Vec<(u8, Vec<u8>)>,
    tag: u8,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut Vec<u8>, T),
) {
    let mut bytes = Vec::new();
    for item in items {
        write(&mut bytes, item);
        if bytes.len() >= FULL {
            sections.push((tag, std::mem::take(&mut bytes)));
        }
    }
    if !bytes.is_empty() {
        sections.push((tag, bytes));
    }
}

impl Samples {
    fn save_threads(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let (first, last) = self.times.unwrap_or((1, 0));
        for number in [first, last, self.threads.len() as u64] {
            write_varint(&mut bytes, number);
        }
        for (pid, tid) in &self.threads {
            write_varint(&mut bytes, (*pid).into());
            write_varint(&mut bytes, (*tid).into());
        }
        bytes
    }

    /// Reads a section. Returns `None` if its tag is unknown or its payload is damaged.
    pub fn restore(&mut self, tag: u8, mut bytes: &[u8]) -> Option<()> {
        let bytes = &mut bytes;
        match tag {
            THREADS if self.threads.is_empty() => self.restore_threads(bytes)?,
            NAMES if self.chunks.is_empty() => {
                while !bytes.is_empty() {
                    let (symbol, file) = (length(bytes)?, length(bytes)?);
                    let (symbol, file) = (text(bytes, symbol)?, text(bytes, file)?);
                    self.names.push(symbol, file)?;
                }
            }
            PLACES if self.chunks.is_empty() => {
                while !bytes.is_empty() {
                    self.places.push(Place::restore(bytes)?);
                }
            }
            MAPPED => {
                while !bytes.is_empty() {
                    let mut area = [0; 4];
                    for number in &mut area {
                        *number = read_varint(bytes)?;
                    }
                    self.areas.restore_area(area)?;
                }
            }
            FORKS => {
                while !bytes.is_empty() {
                    let mut number = || u32::try_from(read_varint(bytes)?).ok();
                    let (child, parent) = (number()?, number()?);
                    self.areas.parents.insert(child, parent);
                }
            }
            SAMPLES => {
                let chunk = SampleChunk::restore(bytes)?;
                self.check(&chunk)?;
                self.n += chunk.n as u64;
                self.chunks.push(chunk);
            }
            _ => return None,
        }
        bytes.is_empty().then_some(())
    }

    fn restore_threads(&mut self, bytes: &mut &[u8]) -> Option<()> {
        let (first, last) = (read_varint(bytes)?, read_varint(bytes)?);
        self.times = (first <= last).then_some((first, last));
        for _ in 0..read_varint(bytes)? {
            let mut number = || u32::try_from(read_varint(bytes)?).ok();
            self.threads.push((number()?, number()?));
        }
        Some(())
    }

    /// Checks that the names, places and threads of a chunk exist.
    fn check(&self, chunk: &SampleChunk) -> Option<()> {
        let is_below =
            |field: Field, n: usize| chunk.columns[field as usize].most(chunk.n) <= n as u64;
        let known = !self.threads.is_empty()
            && is_below(Field::Thread, self.threads.len() - 1)
            && [Field::CodeName, Field::DataName]
                .into_iter()
                .all(|field| is_below(field, self.names.len()))
            && [Field::CodePlace, Field::DataPlace]
                .into_iter()
                .all(|field| is_below(field, self.places.len()));
        known.then_some(())
    }

    /// Returns one more than the highest number of an event, or 0 without samples.
    pub fn n_events(&self) -> u64 {
        let event = Field::Event as usize;
        let of = |chunk: &SampleChunk| chunk.columns[event].most(chunk.n).saturating_add(1);
        self.chunks.iter().map(of).max().unwrap_or(0)
    }
}

impl SampleChunk {
    fn save(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_varint(&mut bytes, self.n as u64);
        for column in &self.columns {
            column.save(&mut bytes, self.n);
        }
        bytes
    }

    fn restore(bytes: &mut &[u8]) -> Option<Self> {
        let n = length(bytes).filter(|n| (1..=CHUNK).contains(n))?;
        let mut columns: [Column; N_FIELDS] = Default::default();
        for column in &mut columns {
            *column = Column::restore(bytes, n)?;
        }
        Some(Self { n, columns })
    }
}

impl Place {
    fn save(&self, bytes: &mut Vec<u8>) {
        write_varint(bytes, self.kind as u64);
        write_varint(bytes, self.start);
        write_varint(bytes, self.end - self.start);
        write_varint(bytes, self.name.len() as u64);
        bytes.extend_from_slice(self.name.as_bytes());
    }

    fn restore(bytes: &mut &[u8]) -> Option<Self> {
        let kind = *RegionKind::ALL.get(length(bytes)?)?;
        let start = read_varint(bytes)?;
        let end = start.checked_add(read_varint(bytes)?)?;
        let name = length(bytes)?;
        Some(Self { kind, name: text(bytes, name)?.to_owned(), start, end })
    }
}

fn length(bytes: &mut &[u8]) -> Option<usize> {
    usize::try_from(read_varint(bytes)?).ok()
}

fn text<'a>(bytes: &mut &'a [u8], length: usize) -> Option<&'a str> {
    let (text, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    std::str::from_utf8(text).ok()
}
