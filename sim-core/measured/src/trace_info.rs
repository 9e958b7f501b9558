//! The description of a trace for the browser.

use serde::Serialize;

use pagewalk_analysis::recorded_pages::RecordedView;
use pagewalk_analysis::regions::{RegionView, of_trace};
use pagewalk_base::trace::{Kind, Trace};
use pagewalk_sources::import::ImportReport;

/// The contents of a loaded trace: its counts, regions and import report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct TraceView {
    pub name: String,
    pub n_accesses: u32,
    pub fetch: u64,
    pub load: u64,
    pub store: u64,
    /// Distinct threads; 1 if the file names none.
    pub threads: u32,
    /// Distinct processors; 1 if the file names none.
    pub cpus: u32,
    /// Bytes of memory that the trace takes.
    pub retained_bytes: u64,
    pub regions: Vec<RegionView>,
    pub import: ImportReport,
    /// The number of samples that the recording also has. Missing if it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub samples: Option<u64>,
    /// Whether lines of the source are known for some instructions.
    #[serde(skip_serializing_if = "is_false")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional, as = "Option<bool>"))]
    pub has_lines: bool,
    /// The page sizes of the recording. Missing if it has none other than the smallest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(any(test, feature = "ts"), ts(optional))]
    pub recorded: Option<RecordedView>,
}

impl TraceView {
    pub fn new(name: String, trace: &Trace, import: ImportReport) -> Self {
        Self {
            name,
            n_accesses: trace.len(),
            fetch: trace.count(Kind::Fetch),
            load: trace.count(Kind::Load),
            store: trace.count(Kind::Store),
            threads: trace.n_threads(),
            cpus: trace.n_cpus(),
            retained_bytes: trace.bytes() as u64,
            regions: of_trace(trace.pages(), trace.mappings()),
            import,
            samples: None,
            has_lines: trace.places().iter().any(|(_, place)| place.line > 0),
            recorded: None,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "it is what serde passes")]
fn is_false(value: &bool) -> bool {
    !*value
}
