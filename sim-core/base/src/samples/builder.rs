//! Builds [`Samples`] from single samples.

use std::collections::BTreeMap;

use crate::error::{Error, ErrorCode, Result};
use crate::trace::Mapping;

use super::names::NamesBuilder;
use super::places::Places;
use super::rows::Rows;
use super::{CHUNK, Field, Sample, Samples};

/// Collects samples into [`Samples`].
#[derive(Debug)]
pub struct SamplesBuilder {
    samples: Samples,
    rows: Rows,
    threads: BTreeMap<(u32, u32), u64>,
    /// The process and thread of the last sample, and the number of this pair.
    last_thread: Option<((u32, u32), u64)>,
    names: NamesBuilder,
    places: Places,
    sealed_bytes: usize,
    max_bytes: usize,
}

impl Default for SamplesBuilder {
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}

impl SamplesBuilder {
    /// Makes a builder for samples that take at most `max_bytes` of memory.
    pub fn new(max_bytes: usize) -> Self {
        Self {
            samples: Samples::default(),
            rows: Rows::default(),
            threads: BTreeMap::new(),
            last_thread: None,
            names: NamesBuilder::default(),
            places: Places::default(),
            sealed_bytes: 0,
            max_bytes,
        }
    }

    /// Returns the number of samples until now.
    pub fn len(&self) -> u64 {
        self.samples.n + self.rows.len() as u64
    }

    /// Returns whether no sample was added yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a sample.
    ///
    /// # Errors
    /// `too-large` if the samples would exceed their memory.
    #[inline]
    pub fn push(&mut self, sample: &Sample<'_>) -> Result<()> {
        let Sample { pid, ip, address, .. } = *sample;
        let thread = self.thread(pid, sample.tid);
        let [code_name, data_name] = [sample.code, sample.data].map(|name| self.names.id(name));
        let code_place = ip.map_or(0, |ip| self.places.find(pid, ip, sample.code.file, true));
        let data_place =
            address.map_or(0, |address| self.places.find(pid, address, sample.data.file, false));
        let mut row = self.rows.row();
        row.set(Field::Address, address.unwrap_or(0));
        row.set(Field::Ip, ip.unwrap_or(0));
        row.set(Field::Physical, sample.physical);
        row.set(Field::Time, sample.time.map_or(0, |time| time.saturating_add(1)));
        row.set(Field::Period, sample.period);
        row.set(Field::Latency, sample.latency.into());
        row.set(Field::Class, sample.class());
        row.set(Field::Pages, sample.pages());
        row.set(Field::Thread, thread);
        row.set(Field::Cpu, sample.cpu.into());
        row.set(Field::Event, sample.event.into());
        row.set(Field::CodeName, code_name);
        row.set(Field::DataName, data_name);
        row.set(Field::CodePlace, code_place);
        row.set(Field::DataPlace, data_place);
        if let Some(time) = sample.time {
            let (first, last) = self.samples.times.unwrap_or((time, time));
            self.samples.times = Some((first.min(time), last.max(time)));
        }
        self.rows.next();
        if self.rows.len() == CHUNK { self.seal() } else { Ok(()) }
    }

    /// Adds a record of a memory map. It applies from the next sample on.
    pub fn map(&mut self, mapping: &Mapping) {
        self.places.map(mapping);
    }

    /// Notes that process `parent` created process `child`.
    pub fn fork(&mut self, child: u32, parent: u32) {
        self.places.fork(child, parent);
    }

    /// Ends the recording.
    ///
    /// # Errors
    /// `too-large`, as for [`Self::push`].
    pub fn finish(mut self) -> Result<Samples> {
        if self.rows.len() > 0 {
            self.seal()?;
        }
        let mut threads = vec![(0, 0); self.threads.len()];
        for (thread, number) in &self.threads {
            if let Some(place) = usize::try_from(*number).ok().and_then(|at| threads.get_mut(at)) {
                *place = *thread;
            }
        }
        Ok(Samples {
            threads,
            names: self.names.names,
            places: self.places.list,
            areas: self.places.areas,
            ..self.samples
        })
    }

    fn thread(&mut self, pid: u32, tid: u32) -> u64 {
        match self.last_thread {
            Some((last, number)) if last == (pid, tid) => number,
            _ => {
                let next = self.threads.len() as u64;
                let number = *self.threads.entry((pid, tid)).or_insert(next);
                self.last_thread = Some(((pid, tid), number));
                number
            }
        }
    }

    fn seal(&mut self) -> Result<()> {
        self.samples.n += self.rows.len() as u64;
        let chunk = self.rows.take();
        self.sealed_bytes += chunk.bytes();
        self.samples.chunks.push(chunk);
        let texts = self.names.bytes() + self.places.bytes() + 64 * self.threads.len();
        if self.sealed_bytes.saturating_add(texts) > self.max_bytes {
            let message = format!(
                "the samples need more than {} MB after {} samples: import fewer with a limit, or record fewer",
                self.max_bytes >> 20,
                self.samples.n
            );
            return Err(Error::new(ErrorCode::TooLarge, message));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kept, Mode, Name, TlbLevel};
    use super::*;
    use crate::trace::Kind;
    use cases::cases;

    /// Every field of a sample is read as it was added, whatever else is in the chunk.
    #[test]
    fn a_sample_comes_back_as_it_was() {
        cases(600).check(|u| {
            let mut builder = SamplesBuilder::default();
            let mut expected = Vec::new();
            for _ in 0..u.int_in_range(1..=300)? {
                let [pid, tid, cpu, event, latency] = u.arbitrary::<[u8; 5]>()?.map(u32::from);
                let some = |value: u64| Some(value).filter(|value| *value > 0);
                let [ip, address, physical, period] = u.arbitrary::<[u64; 4]>()?;
                let time: Option<u64> = u.arbitrary()?;
                let (data, code) = (u.int_in_range(0..=40)?, u.int_in_range(0..=40)?);
                let size = |shift: u8| if shift == 0 { 0 } else { 1 << shift };
                let sample = Sample {
                    event,
                    pid,
                    tid,
                    cpu,
                    time: time.filter(|time| *time < u64::MAX),
                    ip: some(ip),
                    address: some(address),
                    kind: *u.choose(&[None, Some(Kind::Fetch), Some(Kind::Store)])?,
                    level: *u.choose(&TlbLevel::ALL)?,
                    latency,
                    physical,
                    data_page: size(data),
                    code_page: size(code),
                    period,
                    mode: *u.choose(&[Mode::User, Mode::Kernel, Mode::Guest])?,
                    code: *u.choose(&[Name::default(), Name { symbol: b"f", file: b"" }])?,
                    data: Name::default(),
                };
                builder.push(&sample).unwrap();
                expected.push(Kept {
                    event,
                    pid,
                    tid,
                    cpu,
                    time: sample.time,
                    ip: sample.ip,
                    address: sample.address,
                    kind: sample.kind,
                    level: sample.level,
                    latency: Some(latency).filter(|cycles| *cycles > 0),
                    physical: some(physical),
                    data_page: Some(data).filter(|shift| *shift > 0),
                    code_page: Some(code).filter(|shift| *shift > 0),
                    period: some(period),
                    mode: sample.mode,
                    code_name: (sample.code != Name::default()).then_some(0),
                    data_name: None,
                    code_place: None,
                    data_place: None,
                });
            }
            let samples = builder.finish().unwrap();
            assert_eq!(samples.iter().collect::<Vec<_>>(), expected);
            let times: Vec<u64> = expected.iter().filter_map(|kept| kept.time).collect();
            let ends = times.iter().min().copied().zip(times.iter().max().copied());
            assert_eq!(samples.times(), ends);
            Ok(())
        });
    }

    /// Adds loads that have every field of a recording. They are more regular than real loads.
    #[test]
    fn samples_are_compact() {
        let mut builder = SamplesBuilder::default();
        let mut bare = SamplesBuilder::default();
        for n in 0..3 * CHUNK as u64 {
            let mixed = n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
            let sample = Sample {
                pid: 7,
                tid: 7 + u32::try_from(mixed % 16).unwrap(),
                cpu: u32::try_from(mixed % 64).unwrap(),
                time: Some(5_000_000_000_000 + n * 100_000),
                ip: Some(0x55d0_1234_0000 + mixed % (1 << 22)),
                address: Some(0x7f00_0000_0000 + mixed % (1 << 36)),
                kind: Some(Kind::Load),
                level: TlbLevel::ALL[usize::try_from(mixed % 5).unwrap()],
                latency: u32::try_from(mixed % 900).unwrap(),
                physical: mixed % (1 << 38),
                data_page: if mixed % 3 == 0 { 4096 } else { 2 << 20 },
                code_page: 4096,
                period: 10_007,
                code: Name { symbol: b"main", file: b"/bin/program" },
                ..Sample::default()
            };
            builder.push(&sample).unwrap();
            let ip =
                Sample { ip: sample.ip, time: sample.time, pid: 7, tid: 7, ..Sample::default() };
            bare.push(&ip).unwrap();
        }
        let per_sample = |builder: SamplesBuilder| {
            let samples = builder.finish().unwrap();
            samples.bytes() as u64 / samples.len()
        };
        assert_eq!((per_sample(builder), per_sample(bare)), (24, 8));
    }

    #[test]
    fn samples_stop_where_their_memory_ends() {
        let mut builder = SamplesBuilder::new(1 << 20);
        let mut n = 0;
        let error = loop {
            n += 1;
            let sample = Sample { address: Some(n << 20), ip: Some(n), ..Sample::default() };
            if let Err(error) = builder.push(&sample) {
                break error;
            }
        };
        assert_eq!(error.code, ErrorCode::TooLarge);
        assert_eq!(n, 3 * CHUNK as u64);
    }
}
