//! Reads `perf.data`, as `perf record` writes it to a file or a pipe, compressed or not.
//!
//! The reader keeps only the bytes that it has not read yet. It reserves no memory because of a size that the
//! file states, and checks every offset.

mod attr;
mod bytes;
mod core;
mod header;
mod ids;
mod order;
mod plan;
mod sample;

use crate::import::Sink;
use crate::import::delivery::Delivery;
use crate::import::directory::{DIRECTORY, print_directory};
use crate::import::flow::Flow;
use crate::import::parser::{Facts, Parser};
use crate::import::report::Sampling;
use crate::import::report::counted;
use crate::import::tally::Tally;
use crate::import::unpack::Zstd;
use pagewalk_base::error::{Error, ErrorCode, Place, Result};

use self::core::Core;
use bytes::{u32_at, u64_at};
use header::Layout;

pub(in crate::import) const MAGIC: &[u8] = b"PERFILE2";

/// The largest size in bytes of the part after the data, which holds the names of events.
const MAX_TAIL: usize = 16 << 20;

const NO_SAMPLES: &str = "it has no samples: record with `perf mem record`, or `perf record -e page-faults -c 1 -d`; after perf stat record, import the text of perf stat report";

const TRACING_DATA: u32 = 66;
const FINISHED_ROUND: u32 = 68;
const AUXTRACE: u32 = 71;
const COMPRESSED: u32 = 81;
const COMPRESSED2: u32 = 83;

/// The part of the file that comes next.
#[derive(Clone, Copy, Debug)]
enum Stage {
    /// The first 16 bytes, then the rest of a file's header, then everything before the data.
    Before,
    /// The records. `left` is the number of their remaining bytes, if the file states its size.
    Data { left: Option<u64> },
    /// The part after the records.
    Tail,
}

/// Splits bytes into records.
#[derive(Debug, Default)]
struct Records {
    rest: Vec<u8>,
    /// The remaining bytes of a payload that is stored after its record.
    skip: u64,
    /// The position of the next record.
    at: u64,
    /// The impossible size of a record. Nothing after such a record can be read.
    broken: Option<u64>,
}

impl Records {
    /// Passes the records that `bytes` completes to `each`, with their positions.
    fn push(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8], u64) -> Flow) -> Flow {
        let mut bytes = bytes;
        // The record that the last chunk split comes first.
        while !self.rest.is_empty() && !bytes.is_empty() {
            let wanted = size_of(&self.rest).max(8);
            let (head, tail) =
                bytes.split_at(bytes.len().min(wanted.saturating_sub(self.rest.len())));
            self.rest.extend_from_slice(head);
            bytes = tail;
            if self.rest.len() < 8 {
                return Ok(());
            }
            let size = size_of(&self.rest);
            if self.rest.len() >= size {
                let record = std::mem::take(&mut self.rest);
                if !self.is_record(size) {
                    return Ok(());
                }
                self.one(&record, &mut each)?;
            }
        }
        loop {
            if self.broken.is_some() {
                return Ok(());
            }
            let skip = bytes.len().min(usize::try_from(self.skip).unwrap_or(usize::MAX));
            self.skip -= skip as u64;
            self.at += skip as u64;
            bytes = &bytes[skip..];
            if bytes.len() < 8 {
                break;
            }
            let size = size_of(bytes);
            if !self.is_record(size) {
                return Ok(());
            }
            let Some((record, rest)) = bytes.split_at_checked(size) else { break };
            self.one(record, &mut each)?;
            bytes = rest;
        }
        self.rest.extend_from_slice(bytes);
        Ok(())
    }

    fn is_record(&mut self, size: usize) -> bool {
        if size < 8 {
            self.broken = Some(size as u64);
        }
        size >= 8
    }

    #[inline]
    fn one(&mut self, record: &[u8], each: &mut impl FnMut(&[u8], u64) -> Flow) -> Flow {
        match u32_at(record, 0) {
            TRACING_DATA => self.skip = u32_at(record, 8).into(),
            AUXTRACE => self.skip = u64_at(record, 8),
            _ => {}
        }
        each(record, self.at)?;
        self.at += record.len() as u64;
        Ok(())
    }
}

/// Returns the size that the header of a record states.
fn size_of(record: &[u8]) -> usize {
    usize::try_from(u32_at(record, 4) >> 16).unwrap_or(0)
}

/// A recording.
#[derive(Debug)]
pub(in crate::import) struct PerfData {
    stage: Stage,
    /// The bytes of the part before or after the data.
    kept: Vec<u8>,
    layout: Option<Layout>,
    outer: Records,
    zstd: Option<Box<Zstd>>,
    /// Splits the decompressed records.
    inner: Records,
    core: Core,
    /// The number of bytes of hardware traces, which only perf can decode.
    aux: u64,
}

impl PerfData {
    /// Makes a parser for a file that begins with `head`.
    ///
    /// # Errors
    /// `bad-trace` if the file does not begin with the magic number.
    pub(in crate::import) fn of(head: &[u8]) -> Result<Self> {
        if !head.starts_with(MAGIC) {
            let message = "the file does not begin with PERFILE2, as files of perf record do: choose the file perf.data, or the file data if the recording is a directory";
            return Err(Error::new(ErrorCode::BadTrace, message).at(Place::Byte(0)));
        }
        Ok(Self {
            stage: Stage::Before,
            kept: Vec::new(),
            layout: None,
            outer: Records::default(),
            zstd: None,
            inner: Records::default(),
            core: Core::default(),
            aux: 0,
        })
    }

    /// Takes bytes of the part before the data. Returns the bytes after it.
    fn before<'a>(&mut self, mut bytes: &'a [u8]) -> Result<&'a [u8]> {
        loop {
            let wanted = match (&self.layout, self.kept.len()) {
                (Some(layout), _) => layout.data,
                (None, 0..16) => header::PIPE,
                (None, _) if u64_at(&self.kept, 8) == header::PIPE => {
                    self.outer.at = header::PIPE;
                    self.stage = Stage::Data { left: None };
                    return Ok(bytes);
                }
                (None, _) => header::FILE,
            };
            let wanted = usize::try_from(wanted).unwrap_or(usize::MAX);
            let n = bytes.len().min(wanted.saturating_sub(self.kept.len()));
            self.kept.extend_from_slice(&bytes[..n]);
            bytes = &bytes[n..];
            if self.kept.len() < wanted {
                return Ok(bytes);
            }
            let Some(layout) = self.layout else {
                if wanted > 16 {
                    self.layout = Some(Layout::read(&self.kept)?);
                }
                continue;
            };
            for (attr, ids) in layout.attrs(&self.kept)? {
                self.core.add_attr(attr, ids);
            }
            self.kept = Vec::new();
            self.outer.at = layout.data;
            self.stage = Stage::Data { left: (layout.size > 0).then_some(layout.size) };
            return Ok(bytes);
        }
    }

    fn is_of_directory(&self) -> bool {
        self.layout.is_some_and(|layout| layout.is_of_directory())
    }

    fn records<S: Sink>(
        &mut self,
        bytes: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        let Self { outer, zstd, inner, core, aux, .. } = self;
        outer.push(bytes, |record, at| {
            let body = record.get(8..).unwrap_or_default();
            let packed = match u32_at(record, 0) {
                COMPRESSED => body,
                COMPRESSED2 => {
                    let size = usize::try_from(u64_at(body, 0)).unwrap_or(usize::MAX);
                    let payload = body.get(8..).unwrap_or_default();
                    &payload[..payload.len().min(size)]
                }
                AUXTRACE => {
                    *aux = aux.saturating_add(u64_at(body, 0));
                    return Ok(());
                }
                // The decompressor holds back a window, so records that it returns later also belong to this
                // round.
                FINISHED_ROUND if zstd.is_some() => return Ok(()),
                _ => return core.record(record, at, tally, out),
            };
            let zstd = zstd.get_or_insert_with(|| Box::new(Zstd::new()));
            zstd.push(packed, at, &mut |unpacked| {
                inner.push(unpacked, |record, at| core.record(record, at, tally, out))
            })
        })
    }

    /// Ends the zstd frame, because perf never does and the decoder holds back a window until the end. An
    /// empty last block ends the frame.
    fn end_frame<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        const EMPTY_LAST_BLOCK: [u8; 3] = [1, 0, 0];
        let Self { zstd: Some(zstd), inner, core, .. } = self else { return Ok(()) };
        if zstd.is_whole() {
            return Ok(());
        }
        zstd.push(&EMPTY_LAST_BLOCK, 0, &mut |unpacked| {
            inner.push(unpacked, |record, at| core.record(record, at, tally, out))
        })
    }
}

impl Parser for PerfData {
    fn push<S: Sink>(
        &mut self,
        mut bytes: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        if matches!(self.stage, Stage::Before) {
            bytes = self.before(bytes)?;
        }
        if let Stage::Data { left } = self.stage {
            let n = left.map_or(bytes.len(), |left| {
                bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX))
            });
            self.records(&bytes[..n], tally, out)?;
            bytes = &bytes[n..];
            let left = left.map(|left| left - n as u64);
            self.stage = if left == Some(0) { Stage::Tail } else { Stage::Data { left } };
        }
        if matches!(self.stage, Stage::Tail) {
            let room = MAX_TAIL.saturating_sub(self.kept.len());
            self.kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
        Ok(())
    }

    fn finish<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        let mut cut = false;
        match self.stage {
            Stage::Before => {
                return Err(header::damaged(0, "ends before its first record").into());
            }
            Stage::Data { left } => {
                cut = left.is_some();
                if self.layout.is_some() && left.is_none() {
                    tally.note("perf did not finish this recording (its header has no size). It was read to the end of the file, without the names of events".to_owned());
                }
            }
            Stage::Tail => {
                if let Some(layout) = self.layout {
                    let names = layout.names(&self.kept, layout.data.saturating_add(layout.size));
                    self.core.name(names);
                }
            }
        }
        if self.is_of_directory() && tally.records > 0 {
            tally.note(format!("This is one file of a directory of perf record --threads, so the samples of the other files are missing: {DIRECTORY}"));
        }
        if self.end_frame(tally, out).is_err() {
            cut = true;
        }
        self.core.finish(tally, out)?;
        let broken = self.outer.broken.or(self.inner.broken);
        if let (Some(size), 0) = (broken, tally.records) {
            let size = counted(size, "byte", "bytes");
            let what = format!("has a record of {size}, after which nothing can be read");
            return Err(header::damaged(self.outer.at, &what).into());
        }
        if let Some(size) = broken {
            tally.note(format!(
                "The file is damaged: a record at byte {} has {}, and nothing after it was read",
                self.outer.at,
                counted(size, "byte", "bytes")
            ));
        } else if cut || !self.outer.rest.is_empty() || self.outer.skip > 0 {
            tally.note(
                "The file was cut off: it has fewer bytes than its header says. The bytes that are there were read"
                    .to_owned(),
            );
        }
        if self.aux > 0 {
            tally.note(format!(
                "A hardware trace (Intel PT, Arm SPE) of {} was left out, because only perf can decode it. Import the text of perf script --itrace=M, or the recording that perf inject --itrace=M makes",
                counted(self.aux, "byte", "bytes")
            ));
        }
        Ok(())
    }

    fn flush<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        self.core.finish(tally, out)
    }

    fn facts(&self) -> Facts {
        Facts {
            completeness: self.core.samples.completeness(),
            remedy: if self.is_of_directory() {
                concat!(
                    "this is the file `data` of a directory of perf record --threads; the samples are in the files `data.0`, `data.1` … next to it: print ",
                    print_directory!()
                )
            } else {
                NO_SAMPLES
            },
        }
    }

    fn sampling(&self) -> Option<Sampling> {
        Some(self.core.samples.report())
    }
}

/// Returns whether the bytes are records without a header, including samples, as in the files `data.0`,
/// `data.1`, … of a directory.
pub(in crate::import) fn are_bare_records(head: &[u8]) -> bool {
    const SAMPLE: u32 = 9;
    let (mut rest, mut samples, mut records) = (head, 0, 0);
    while rest.len() >= 8 {
        let (kind, size) = (u32_at(rest, 0), size_of(rest));
        if !matches!(kind, 1..=21 | 64..=90) || size < 8 || !size.is_multiple_of(8) {
            return false;
        }
        records += 1;
        samples += u32::from(matches!(kind, SAMPLE | COMPRESSED | COMPRESSED2));
        rest = rest.get(size..).unwrap_or_default();
    }
    records > 1 && samples > 0
}
