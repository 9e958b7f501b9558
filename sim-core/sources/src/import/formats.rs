//! The list of the formats that Pagewalk reads. A format has a parser in [`AnyParser`], and a row with its id,
//! what users call it, and how the beginning of its files is recognised.

use std::sync::LazyLock;

use super::Sink;
use super::any::any_parser;
use super::champsim::{ChampSim, Layout};
use super::code::{self, Code};
use super::csv::{Base, Csv, ListLayout};
use super::delivery::Delivery;
use super::detect::no_list;
use super::dynamorio::{Drmemtrace, Memtrace, View};
use super::flow::Flow;
use super::format::{FormatField, FormatInfo, FormatLimit, INSTRUMENTED, Row, WITHOUT_THREADS};
use super::lackey::{self, Lackey};
use super::lines::first_lines;
use super::loops::{self, Loops};
use super::parser::{Facts, Lined, Parser};
use super::perf::data::{self, PerfData};
use super::perf::mem::Mem;
use super::perf::script::{self, Column, Script};
use super::presets::Preset;
use super::records::{RecordParser, Recorded};
use super::report::{ImportReport, Sampling};
use super::saved::Saved;
use super::tally::{Tally, excerpt};
use super::unpack;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::trace::saved;

any_parser! {
    Lackey(Lined<Lackey>),
    Csv(Lined<Csv>),
    ChampSim(Recorded<ChampSim>),
    Drmemtrace(Recorded<Drmemtrace>),
    Memtrace(Lined<Memtrace>),
    Preset(Lined<Preset>),
    View(Lined<View>),
    PerfScript(Lined<Script>),
    PerfMem(Lined<Mem>),
    PerfData(PerfData),
    Saved(Saved),
    Loops(Loops),
    Code(Code),
}

/// The rows, in the order of forms and of the detection.
static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    vec![
        Row::text("lackey", "valgrind lackey", lackey::fits, |_, _| Ok(lines(Lackey::default())))
            .hint("valgrind --tool=lackey --trace-mem=yes")
            .files(&["lackey"])
            .limits(WITHOUT_THREADS),
        Row::binary("drmemtrace", "DynamoRIO drmemtrace", Drmemtrace::fits, |head, _| {
            Ok(records(Drmemtrace::of(head)?))
        })
        .hint("DynamoRIO")
        .files(&["trace"])
        .limits(INSTRUMENTED)
        .trusted(),
        Row::text(
            "memtrace",
            "DynamoRIO memtrace samples",
            |head| first_lines(head).any(|line| Memtrace::of_header(line).is_some()),
            |head, _| Ok(lines(Memtrace::of(head))),
        )
        .named("memtrace", "DynamoRIO memtrace")
        .hint("DynamoRIO")
        .files(&["log"])
        .limits(INSTRUMENTED),
        Row::text(
            "drmemtrace-view",
            "DynamoRIO drmemtrace, text of its view tool",
            |head| first_lines(head).any(View::recognises),
            |_, _| Ok(lines(View::default())),
        )
        .named("drmemtrace-view", "DynamoRIO drmemtrace view")
        .hint("DynamoRIO")
        .limits(INSTRUMENTED),
        Row::binary(
            "champsim",
            "ChampSim",
            |head| ChampSim::sniff(head) == Some(Layout::Usual),
            |head, _| Ok(records(ChampSim::new(ChampSim::layout_of(head)))),
        )
        .files(&["champsimtrace"])
        .limits(&[FormatLimit::SizesAndThreads, FormatLimit::Kernel])
        .guessed()
        .trusted(),
        Row::binary(
            "champsim-cloudsuite",
            "ChampSim, records of 96 bytes",
            |head| ChampSim::sniff(head) == Some(Layout::CloudSuite),
            |_, _| Ok(records(ChampSim::new(Layout::CloudSuite))),
        )
        .choice_of("champsim", FormatField::Format)
        .trusted(),
        Row::binary(
            "perf-data",
            "perf.data",
            |head| head.starts_with(data::MAGIC),
            |head, _| Ok(PerfData::of(head)?.into()),
        )
        .named("perf.data", "perf record")
        .files(&["data"]),
        Row::text(
            "perf-mem",
            "perf mem report -D",
            |head| first_lines(head).any(Mem::recognises),
            |_, _| Ok(lines(Mem::new())),
        )
        .named("perf-mem", "perf mem report")
        .hint("perf mem report -D"),
        Row::text("perf-script", "perf script", script::looks_like, |head, _| {
            Ok(perf_script(None, head))
        }),
        Row::chosen(Column::Address.id(), "the data address", |head, _| {
            Ok(perf_script(Some(Column::Address), head))
        })
        .choice_of("perf-script", FormatField::LoneColumn),
        Row::chosen(Column::Ip.id(), "the instruction", |head, _| {
            Ok(perf_script(Some(Column::Ip), head))
        })
        .choice_of("perf-script", FormatField::LoneColumn),
        Row::chosen(Column::Physical.id(), "the physical address", |head, _| {
            Ok(perf_script(Some(Column::Physical), head))
        })
        .choice_of("perf-script", FormatField::LoneColumn),
        Row::text(
            "pinatrace",
            "Intel Pin pinatrace",
            |head| Preset::Pinatrace.fits(head),
            |_, _| Ok(lines(Preset::Pinatrace)),
        )
        .hint("Intel Pin")
        .limits(INSTRUMENTED),
        Row::text(
            "execlog",
            "QEMU execlog",
            |head| Preset::Execlog.fits(head),
            |_, _| Ok(lines(Preset::Execlog)),
        )
        .hint("QEMU")
        .files(&["log"])
        .limits(INSTRUMENTED),
        Row::text("din", "Dinero", |head| Preset::Din.fits(head), |_, _| Ok(lines(Preset::Din)))
            .hint("Dinero")
            .files(&["din"]),
        Row::chosen("csv", "list of addresses", |head, list| csv(head, list, None))
            .named("csv", "address list")
            .hint("one access per line, such as R,0x7f3a1c2b5e48,8")
            .files(&["csv", "tsv", "txt"])
            .limits(&[FormatLimit::Completeness]),
        Row::chosen("csv-hex", "hexadecimal", |head, list| csv(head, list, Some(Base::Hex)))
            .choice_of("csv", FormatField::Base),
        Row::chosen("csv-decimal", "decimal", |head, list| csv(head, list, Some(Base::Decimal)))
            .choice_of("csv", FormatField::Base),
        Row::binary(
            "pagewalk",
            "Pagewalk",
            |head| head.starts_with(saved::MAGIC),
            |_, _| Ok(Saved::new().into()),
        )
        .always_recognised()
        .files(&["pagewalk"])
        .trusted(),
        Row::binary(
            "loop",
            "written loop",
            |head| head.starts_with(loops::MAGIC),
            |_, _| Ok(Loops::new().into()),
        )
        .always_recognised()
        .trusted(),
        Row::binary(
            "code",
            "program run by the site",
            |head| head.starts_with(code::MAGIC),
            |_, _| Ok(Code::new().into()),
        )
        .always_recognised()
        .trusted(),
    ]
});

fn lines<P>(parser: P) -> AnyParser
where
    AnyParser: From<Lined<P>>,
{
    Lined::new(parser).into()
}

fn records<P: RecordParser>(parser: P) -> AnyParser
where
    AnyParser: From<Recorded<P>>,
{
    Recorded::new(parser).into()
}

/// Makes a parser for perf script, whose lines are long. `column` is what the only column of addresses holds.
fn perf_script(column: Option<Column>, head: &[u8]) -> AnyParser {
    Lined::long(Script::new(column, head), script::MAX_LINE).into()
}

/// Makes a parser for a list; `base` is the base that its id asks for.
fn csv(head: &[u8], list: &ListLayout, base: Option<Base>) -> Result<AnyParser> {
    let layout = ListLayout { base: base.or(list.base), ..list.clone() };
    Csv::sniff(head, &layout).map(lines).map_err(|why| no_list(&why))
}

/// Returns the formats, in the order of forms.
pub fn formats() -> impl Iterator<Item = &'static FormatInfo> {
    ROWS.iter().map(|row| &row.info)
}

/// Returns all rows, in the order in which the detection tries them.
pub(super) fn rows() -> &'static [Row] {
    &ROWS
}

/// Returns the row with an id. The name in reports is accepted, too.
///
/// # Errors
/// `unknown-format` if there is none.
pub(super) fn find(id: &str) -> Result<&'static Row> {
    let found = ROWS.iter().find(|row| row.info.id == id);
    found.or_else(|| ROWS.iter().find(|row| row.info.name == id)).ok_or_else(|| {
        let ids: Vec<_> = formats().map(|format| format.id).collect();
        let message = format!(
            "there is no format `{}`: give one of {}",
            excerpt(id.as_bytes()),
            ids.join(", ")
        );
        Error::new(ErrorCode::UnknownFormat, message)
    })
}

/// Returns a sentence that lists the formats.
pub(super) fn sentence() -> String {
    let named = |row: &Row| match row.hint? {
        "" => Some(row.info.id.to_owned()),
        hint => Some(format!("{} ({hint})", row.info.id)),
    };
    let all: Vec<String> = ROWS.iter().filter_map(named).collect();
    format!("The formats are {}, plain or compressed as {}.", all.join(", "), unpack::endings())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_is_there_once_and_found() {
        for format in formats() {
            assert_eq!(find(format.id).expect("it is in the list").info.id, format.id);
            assert_eq!(formats().filter(|other| other.id == format.id).count(), 1, "{}", format.id);
        }
        assert_eq!(find("perf.data").expect("a name is accepted").info.id, "perf-data");
        assert!(find("perf").is_err());
    }
}
