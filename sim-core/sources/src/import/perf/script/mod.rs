//! Reads the text of `perf script`, with any selection of fields, callchains and headers.
//!
//! A sample is one line, or with callchains a line, its frames and a blank line. So a sample is kept until
//! the next line shows whether its instruction pointer follows.

mod columns;
mod guess;
mod pending;
mod prefix;
mod records;
mod shape;
mod words;

use crate::import::Sink;
use crate::import::delivery::Delivery;
use crate::import::flow::Flow;
use crate::import::lines::each_line;
use crate::import::parser::{Facts, LineParser};
use crate::import::report::{Sampling, Warning};
use crate::import::tally::{Reason, Tally};
use pagewalk_base::error::Remedy;

use super::chain::Chain;
use super::events::Pace;
use super::samples::Samples;
use columns::name;
pub(in crate::import) use pending::fault_kind;
use pending::{OwnName, Pending};
use prefix::prefix;
use records::{PerfRecord, record};
pub(in crate::import) use shape::looks_like;
use shape::{bare, frame};
pub(super) use words::page_size;

/// The longest line in bytes. Names in C++ and Rust are long, and so are lists of ids in a header.
pub(in crate::import) const MAX_LINE: usize = 256 << 10;

/// What the only column of addresses of a line holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::import) enum Column {
    Address,
    Ip,
    /// Physical addresses, of which no trace can be made.
    Physical,
}

impl Column {
    /// Returns the id of the format that reads the column so.
    pub(in crate::import) const fn id(self) -> &'static str {
        match self {
            Self::Address => "perf-script-addr",
            Self::Ip => "perf-script-ip",
            Self::Physical => "perf-script-phys",
        }
    }
}

const FRAME: Reason = Reason::normal("lines of callchains");
const RECORD: Reason = Reason::normal("perf records that are not samples");
const OTHER: Reason = Reason {
    name: "other lines",
    warning: Some([
        "line is not a sample and was skipped",
        "lines are not samples and were skipped",
    ]),
};

/// The state that is kept from line to line.
#[derive(Debug)]
pub(in crate::import) struct Script {
    asked: Option<Column>,
    /// Whether the beginning suggests that single columns without a name are physical addresses.
    physical: bool,
    /// Whether the instruction pointers of callchains are offsets in their files.
    is_relative: bool,
    /// The number of samples whose instruction is known only as such an offset.
    relative: u64,
    /// Whether any line had a field before its addresses.
    has_headers: bool,
    samples: Samples,
    pending: Option<Pending>,
    /// The names of the address, or of the single column, and of the instruction.
    data: OwnName,
    code: OwnName,
    /// The callchain of the pending sample.
    chain: Chain,
    /// The line of the pending sample, shortened.
    shown: Vec<u8>,
    /// Counts of single columns by how they were read, if the user did not choose.
    taken_as_ip: u64,
    taken_as_address: u64,
    taken_as_physical: u64,
}

impl Script {
    /// Makes a parser. `head` is the beginning of the text.
    pub(in crate::import) fn new(asked: Option<Column>, head: &[u8]) -> Self {
        Self {
            asked,
            physical: guess::is_physical(head),
            is_relative: guess::is_relative(head),
            relative: 0,
            has_headers: false,
            samples: Samples::default(),
            pending: None,
            data: OwnName::default(),
            code: OwnName::default(),
            chain: Chain::default(),
            shown: Vec::new(),
            taken_as_ip: 0,
            taken_as_address: 0,
            taken_as_physical: 0,
        }
    }

    /// Returns how single columns of addresses are read: as asked for, or as most were; `None` if there are
    /// none.
    pub(in crate::import) fn lone_column(&self) -> Option<Column> {
        let taken = [
            (self.taken_as_address, Column::Address),
            (self.taken_as_ip, Column::Ip),
            (self.taken_as_physical, Column::Physical),
        ];
        let most = taken.into_iter().rev().max_by_key(|(n, _)| *n).filter(|(n, _)| *n > 0);
        self.asked.or(most.map(|(_, column)| column))
    }

    fn line<S: Sink>(&mut self, line: &[u8], tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        let text = line.trim_ascii();
        if text.is_empty() {
            self.deliver_pending(tally, out)?;
            return Ok(tally.skip(Reason::BLANK, line)?);
        }
        if text.starts_with(b"#") {
            self.header(text);
            return Ok(tally.skip(Reason::COMMENT, line)?);
        }
        let is_bare = self.pending.as_ref().is_some_and(|pending| pending.bare);
        if let (Some(pending), Some((ip, rest))) = (&mut self.pending, frame(line, is_bare)) {
            // If a callchain follows, the column before it is the data address.
            pending.lone = None;
            let name = name(rest).0;
            if pending.sample.access.ip.is_none() && !pending.has_frame {
                self.code.set(name);
                if self.is_relative && guess::is_mapped(name.file) {
                    self.relative += 1;
                } else {
                    pending.sample.access.ip = Some(ip);
                }
            }
            pending.has_frame = true;
            if self.chain.push(ip, name) {
                return Ok(());
            }
            return Ok(tally.skip(FRAME, line)?);
        }
        let prefix = prefix(line).or_else(|| bare(line));
        // Without times, records have no prefix.
        let at = memchr::memmem::find(line, b"PERF_RECORD_").filter(|_| prefix.is_none());
        if let Some(record) = at.and_then(|at| record(&line[at..])) {
            self.deliver_pending(tally, out)?;
            self.deliver_record(record, out)?;
            return Ok(tally.skip(RECORD, line)?);
        }
        let Some(prefix) = prefix else {
            // Source lines of a sample, or an unknown line.
            let reason = if self.pending.is_some() { FRAME } else { OTHER };
            return Ok(tally.skip(reason, line)?);
        };
        self.has_headers |= !prefix.bare;
        if self.has_headers && prefix.bare {
            // A blank line separates this frame from its sample.
            return Ok(tally.skip(FRAME, line)?);
        }
        match record(prefix.rest) {
            Some(record) => {
                self.deliver_pending(tally, out)?;
                self.deliver_record(record, out)?;
                Ok(tally.skip(RECORD, line)?)
            }
            None => self.sample(line, &prefix, tally, out),
        }
    }

    fn deliver_record<S: Sink>(&mut self, record: PerfRecord, out: &mut Delivery<'_, S>) -> Flow {
        match record {
            PerfRecord::Mapping(mapping) => out.mapping(mapping),
            PerfRecord::Fork { child, parent } => {
                out.inherit_name(child, parent);
                out.fork(child, parent)
            }
            PerfRecord::Lost(records) => {
                self.samples.lost.add_records(records);
                Ok(())
            }
            PerfRecord::LostSamples(samples) => {
                self.samples.lost.add_samples(samples);
                Ok(())
            }
            PerfRecord::Other => Ok(()),
        }
    }

    /// Reads `# event : name = page-faults, , id = { 5 }, size = 128, { sample_period, sample_freq } = 1, …`.
    fn header(&mut self, text: &[u8]) {
        let Some(after) = text.strip_prefix(b"# event : name = ") else { return };
        let Some(end) =
            memchr::memmem::find(after, b", , ").or_else(|| memchr::memmem::find(after, b", id ="))
        else {
            return;
        };
        let event = self.samples.event(&after[..end]);
        let number = |name: &[u8]| {
            let at = memchr::memmem::find(after, name)? + name.len();
            let (word, _) = words::first(&after[at..])?;
            crate::import::digits::decimal(word.strip_suffix(b",").unwrap_or(word)).ok()
        };
        let is_frequency = number(b", freq =") == Some(1);
        let Some(n) = number(b"{ sample_period, sample_freq } =") else { return };
        if let Some(event) = self.samples.get(event) {
            event.pace = if is_frequency { Pace::Frequency(n) } else { Pace::Every(n) };
        }
    }
}

impl LineParser for Script {
    fn read<S: Sink>(
        &mut self,
        block: &[u8],
        tally: &mut Tally,
        out: &mut Delivery<'_, S>,
    ) -> Flow {
        each_line(block, MAX_LINE, tally, |line, tally| self.line(line, tally, out))
    }

    fn finish<S: Sink>(&mut self, tally: &mut Tally, out: &mut Delivery<'_, S>) -> Flow {
        self.deliver_pending(tally, out)?;
        let is_address = || Remedy::format(&[Column::Address.id()]).when("it is the data address");
        if self.taken_as_ip > 0 {
            let text = format!(
                "In {} of the samples there is one column of addresses, with a symbol or in its place. It was read as the instruction pointer, which perf script prints by default. If the recording has data addresses, print them with perf script -F +addr",
                self.taken_as_ip
            );
            tally.note(Warning::with(text, is_address()));
        }
        if self.taken_as_address > 0 {
            let text = format!(
                "In {} of the samples there is one column of addresses, without a symbol. It was read as the data address",
                self.taken_as_address
            );
            let remedy = Remedy::format(&[Column::Ip.id()]).when("it is the instruction pointer");
            tally.note(Warning::with(text, remedy));
        }
        if self.relative > 0 {
            tally.note(format!(
                "In {} of the samples perf script printed the instruction as an offset in its file, so its address is unknown. The call paths are known by name; for addresses, print the text again with -G, which leaves out call paths",
                self.relative
            ));
        }
        if self.taken_as_physical > 0 {
            let text = format!(
                "In {} of the samples there is one column of addresses, without a symbol. All are as low as physical addresses, so it was read as the physical address, which cannot be simulated. If the recording has data addresses, print them with perf script -F +addr",
                self.taken_as_physical
            );
            tally.note(Warning::with(text, is_address()));
        }
        self.samples.note_cut_calls(tally);
        Ok(())
    }

    fn facts(&self) -> Facts {
        Facts {
            completeness: self.samples.completeness(),
            remedy: "print the samples with `perf script -F comm,pid,tid,cpu,time,event,addr,ip,sym,dso,data_src,weight`",
        }
    }

    fn sampling(&self) -> Option<Sampling> {
        Some(self.samples.report())
    }
}
