//! The reports and errors of an importer: what the file holds, and why nothing of it can be imported.

use pagewalk_base::error::{Error, ErrorCode, Place, Remedy, Result};
use pagewalk_base::trace::PageCounts;

use super::Text;
use crate::import::ProcessCount;
use crate::import::census::process_text;
use crate::import::format::Detected;
use crate::import::parser::Parser as _;
use crate::import::report::{AT_LIMIT, ImportReport, SampledEvent, counted};
use crate::import::select::Selection;

impl Text {
    /// Adds to the error of a line how to import the accesses before it. The last of these accesses is left out,
    /// because the importer needs it to notice the end of the selection.
    pub(super) fn before(&self, error: Error) -> Error {
        let is_of_line =
            error.code == ErrorCode::BadTrace && matches!(error.at, Some(Place::Line(_)));
        let is_plain = self.count.select.selection().is_none() && error.remedy.is_none();
        if is_of_line && is_plain && self.count.accesses > 1 {
            error.remedy(Remedy::until(self.count.accesses - 1))
        } else {
            error
        }
    }

    pub(super) fn report(mut self, full: bool) -> Result<ImportReport> {
        if full && self.count.select.is_full() {
            self.tally.note(self.stopped());
        }
        self.check(full)
    }

    /// Returns the report of the file.
    ///
    /// # Errors
    /// If the file has no records, or none that is selected.
    pub(super) fn check(&self, full: bool) -> Result<ImportReport> {
        // The format is known here, because `finish` has decided it, and only a parser reaches a limit.
        let (Some(report), Some(file)) = (self.describe(full), &self.file) else {
            return Err(Error::new(ErrorCode::UnknownFormat, "the file is empty"));
        };
        // A recording of samples without addresses is accepted, because it can still be analysed.
        let is_recording = report.sampling.is_some() && report.records > 0;
        let is_empty = report.accesses == 0 && !(full && self.count.select.is_full());
        if is_empty && report.left_out > 0 && self.count.select.taken() == 0 {
            return Err(self.nothing_selected(&report));
        }
        if is_empty && !is_recording && file.parser.report().is_none() {
            return Err(self.tally.nothing_valid(file.info.name, file.parser.facts().remedy));
        }
        Ok(report)
    }

    /// Describes the file. `full` says that it has more than what was asked for.
    pub(super) fn describe(&self, full: bool) -> Option<ImportReport> {
        let Detected { info, parser } = self.file.as_ref()?;
        let (accesses, operations) = (self.count.accesses, self.count.operations);
        let select = &self.count.select;
        let (selection, left_out) = (select.selection().cloned(), select.left_out());
        let notes = self.tally.warnings();
        if let Some(report) = parser.report() {
            let warnings = report.warnings.iter().cloned().chain(notes).collect();
            let selection = selection.or_else(|| report.selection.clone());
            let left_out = report.left_out + left_out;
            let report = report.clone();
            // Page faults that were not accesses are accesses of the saved trace.
            let is_part = selection != report.selection || select.is_full();
            let accesses = if is_part { accesses } else { report.accesses };
            let part = report.part || full || select.left_out() > 0;
            return Some(ImportReport {
                part,
                accesses,
                operations,
                warnings,
                selection,
                left_out,
                ..report
            });
        }
        let (processes, more_processes) = self.count.census.processes();
        Some(ImportReport {
            format: info.name.to_owned(),
            completeness: parser.facts().completeness,
            part: full || left_out > 0 || self.is_cut_off || parser.is_part(),
            guessed: parser.is_guess(),
            records: self.tally.records,
            accesses,
            operations,
            skipped: self.tally.skipped(),
            pages_4k: PageCounts::default(),
            warnings: notes,
            sampling: parser.sampling(),
            page_size: parser.page_size(),
            selection,
            left_out,
            processes,
            more_processes,
        })
    }

    /// Makes the error of a selection that leaves nothing of a file.
    fn nothing_selected(&self, report: &ImportReport) -> Error {
        let mut message = format!(
            "the selection ({}) leaves none of its {}",
            report.selection.iter().flat_map(Selection::words).collect::<Vec<_>>().join(", "),
            counted(report.left_out, "access", "accesses")
        );
        let list = |what: &str, all: Vec<String>| {
            let more = if all.len() > 8 { ", …" } else { "" };
            let all = all.into_iter().take(8).collect::<Vec<_>>().join(", ");
            if all.is_empty() {
                String::new()
            } else {
                format!(". The file has these {what}: {all}{more}")
            }
        };
        let named = |process: &ProcessCount| match &process.name {
            Some(name) => format!("{} ({name})", process_text(process.pid)),
            None => process_text(process.pid),
        };
        message += &list("processes", report.processes.iter().map(named).collect());
        let numbered =
            |(number, event): (usize, &SampledEvent)| format!("#{number} {}", event.name);
        let events = report.sampling.iter().flat_map(|sampling| &sampling.events);
        let events = (1..).zip(events);
        message += &list("events", events.map(numbered).collect());
        if self.count.select.lacks_time() {
            message += ". The file has no times: select by numbers of accesses";
        }
        Error::config("select", message)
    }

    fn stopped(&self) -> String {
        let limit = counted(self.count.select.limit(), "access", "accesses");
        format!("{AT_LIMIT} of {limit}; the file has more")
    }
}
