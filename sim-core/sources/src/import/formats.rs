//! The one list of the formats that Pagewalk reads: what users call each, how its beginning is recognised, and
//! its parser. A new format is a row here and a variant of [`Format`].

use std::sync::LazyLock;

use serde::Serialize;

use super::champsim::{ChampSim, Layout};
use super::csv::{Base, Csv, ListLayout};
use super::detect::{HEAD, first_lines, is_lackey, no_list};
use super::dynamorio::{Drmemtrace, Memtrace, View};
use super::format::Format;
use super::loops;
use super::perf::data;
use super::perf::mem::Mem;
use super::perf::script::{self, Column};
use super::presets::Preset;
use super::tally::excerpt;
use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_base::trace::saved;

/// A format as users see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct FormatInfo {
    /// The id, which [`super::ImportOptions::format`] takes.
    pub id: &'static str,
    /// The name in the report of an import. Several ids can share it.
    pub name: &'static str,
    /// The program that made such a trace.
    pub tool: &'static str,
    /// The form field in which the id is a choice.
    pub field: FormatField,
    /// The label of that choice.
    pub label: &'static str,
    /// Whether the format has no mark of its own, so that its detection is a guess.
    pub is_guessed: bool,
    /// The usual extensions of its files, without a dot.
    pub extensions: &'static [&'static str],
}

/// A field of a form, in which a user chooses how a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum FormatField {
    /// The format of the file.
    Format,
    /// The base of the addresses in a list.
    Base,
    /// The contents of the only column of addresses in the text of perf script.
    LoneColumn,
    /// No field, because the format is always recognised.
    None,
}

/// When the detection tries a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Before it is known whether the file is text.
    Binary,
    /// When the file is text.
    Text,
    /// Never: a list is what remains, and other ids have to be asked for.
    Never,
}

type Fits = fn(&[u8]) -> Result<bool>;
type Make = fn(&[u8], &ListLayout) -> Result<Format>;

/// A row of the list.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) info: FormatInfo,
    /// What identifies the format in a sentence that lists the formats; `None` leaves it out.
    hint: Option<&'static str>,
    pub(super) stage: Stage,
    /// Whether a user's choice of this format overrides the check for formats that are not read.
    pub(super) is_trusted: bool,
    /// Returns whether a file that begins with these bytes has this format.
    pub(super) fits: Fits,
    /// Makes the parser of a file that begins with these bytes.
    pub(super) make: Make,
}

impl Row {
    /// A format that a user can choose under the label `label`.
    fn new(id: &'static str, label: &'static str, stage: Stage, fits: Fits, make: Make) -> Self {
        let info = FormatInfo {
            id,
            name: id,
            tool: label,
            field: FormatField::Format,
            label,
            is_guessed: false,
            extensions: &[],
        };
        Self { info, hint: Some(""), stage, is_trusted: false, fits, make }
    }

    fn named(mut self, name: &'static str, tool: &'static str) -> Self {
        (self.info.name, self.info.tool) = (name, tool);
        self
    }

    fn hint(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }

    fn files(mut self, extensions: &'static [&'static str]) -> Self {
        self.info.extensions = extensions;
        self
    }

    fn trusted(self) -> Self {
        Self { is_trusted: true, ..self }
    }

    fn guessed(mut self) -> Self {
        self.info.is_guessed = true;
        self
    }

    /// Another id of the format with the name `name`, which a user chooses in `field`.
    fn choice_of(mut self, name: &'static str, tool: &'static str, field: FormatField) -> Self {
        self.info.field = field;
        Self { hint: None, ..self.named(name, tool) }
    }
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
    format!("The formats are {}, plain or as .gz, .bz2, .xz, .zst or .zip.", all.join(", "))
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    use FormatField::{Base as InBase, Format as InFormat};
    use Stage::{Binary, Never, Text};
    vec![
        Row::new("lackey", "valgrind lackey", Text, is_lackey, |_, _| Ok(Format::lackey()))
            .hint("valgrind --tool=lackey --trace-mem=yes")
            .files(&["lackey"]),
        Row::new("drmemtrace", "DynamoRIO drmemtrace", Binary, is_drmemtrace, drmemtrace)
            .hint("DynamoRIO")
            .files(&["trace"])
            .trusted(),
        Row::new(
            "memtrace",
            "DynamoRIO memtrace samples",
            Text,
            |head| Ok(first_lines(head).any(|line| Memtrace::of_header(line).is_some())),
            |head, _| Ok(Format::memtrace(Memtrace::of(head))),
        )
        .named("memtrace", "DynamoRIO memtrace")
        .hint("DynamoRIO")
        .files(&["log"]),
        Row::new(
            "drmemtrace-view",
            "DynamoRIO drmemtrace, text of its view tool",
            Text,
            |head| Ok(first_lines(head).any(View::recognises)),
            |_, _| Ok(Format::view()),
        )
        .named("drmemtrace-view", "DynamoRIO drmemtrace, as text")
        .hint("DynamoRIO"),
        Row::new("champsim", "ChampSim", Binary, is_champsim, |head, _| {
            Ok(Format::champsim(ChampSim::of(head, head.len() < HEAD)))
        })
        .files(&["champsimtrace"])
        .guessed()
        .trusted(),
        Row::new("champsim-cloudsuite", "ChampSim, records of 96 bytes", Never, never, |_, _| {
            Ok(Format::champsim(Layout::CloudSuite))
        })
        .choice_of("champsim", "ChampSim", InFormat)
        .trusted(),
        Row::new("perf-data", "perf.data", Binary, is_perf_data, perf_data)
            .named("perf.data", "perf record")
            .files(&["data"]),
        Row::new(
            "perf-mem",
            "perf mem report -D",
            Text,
            |head| Ok(first_lines(head).any(Mem::recognises)),
            |_, _| Ok(Format::perf_mem()),
        )
        .named("perf-mem", "perf mem report")
        .hint("perf mem report -D"),
        Row::new(
            "perf-script",
            "perf script",
            Text,
            |head| Ok(script::looks_like(head)),
            |head, _| Ok(Format::perf_script(None, head)),
        ),
        lone_column("perf-script-addr", "the data address", |head, _| {
            Ok(Format::perf_script(Some(Column::Address), head))
        }),
        lone_column("perf-script-ip", "the instruction", |head, _| {
            Ok(Format::perf_script(Some(Column::Ip), head))
        }),
        lone_column("perf-script-phys", "the physical address", |head, _| {
            Ok(Format::perf_script(Some(Column::Physical), head))
        }),
        Row::new(
            "pinatrace",
            "Intel Pin pinatrace",
            Text,
            |head| Ok(Preset::Pinatrace.fits(head)),
            |_, _| Ok(Format::preset(Preset::Pinatrace)),
        )
        .hint("Intel Pin"),
        Row::new(
            "execlog",
            "QEMU execlog",
            Text,
            |head| Ok(Preset::Execlog.fits(head)),
            |_, _| Ok(Format::preset(Preset::Execlog)),
        )
        .hint("QEMU")
        .files(&["log"]),
        Row::new(
            "din",
            "Dinero",
            Text,
            |head| Ok(Preset::Din.fits(head)),
            |_, _| Ok(Format::preset(Preset::Din)),
        )
        .hint("Dinero")
        .files(&["din"]),
        Row::new("csv", "list of addresses", Never, never, |head, list| csv(head, list, None))
            .named("csv", "address list")
            .hint("one access per line, such as R,0x7f3a1c2b5e48,8")
            .files(&["csv", "tsv", "txt"]),
        Row::new("csv-hex", "hexadecimal", Never, never, |head, list| {
            csv(head, list, Some(Base::Hex))
        })
        .choice_of("csv", "address list", InBase),
        Row::new("csv-decimal", "decimal", Never, never, |head, list| {
            csv(head, list, Some(Base::Decimal))
        })
        .choice_of("csv", "address list", InBase),
        Row::new(
            "pagewalk",
            "Pagewalk",
            Binary,
            |head| Ok(head.starts_with(saved::MAGIC)),
            |_, _| Ok(Format::saved()),
        )
        .choice_of("pagewalk", "Pagewalk", FormatField::None)
        .files(&["pagewalk"])
        .trusted(),
        Row::new(
            "loop",
            "loop",
            Binary,
            |head| Ok(head.starts_with(loops::MAGIC)),
            |_, _| Ok(Format::loops()),
        )
        .choice_of("loop", "written loop", FormatField::None)
        .trusted(),
    ]
});

/// An id of perf script, which says what its only column of addresses holds.
fn lone_column(id: &'static str, label: &'static str, make: Make) -> Row {
    let row = Row::new(id, label, Stage::Never, never, make);
    row.choice_of("perf-script", "perf script", FormatField::LoneColumn)
}

#[expect(clippy::unnecessary_wraps, reason = "other functions of this type can fail")]
fn never(_: &[u8]) -> Result<bool> {
    Ok(false)
}

#[expect(clippy::unnecessary_wraps, reason = "other functions of this type can fail")]
fn is_champsim(head: &[u8]) -> Result<bool> {
    Ok(ChampSim::sniff(head, head.len() < HEAD).is_some())
}

#[expect(clippy::unnecessary_wraps, reason = "other functions of this type can fail")]
fn is_drmemtrace(head: &[u8]) -> Result<bool> {
    Ok(Drmemtrace::sniff(head).is_some())
}

fn drmemtrace(head: &[u8], _: &ListLayout) -> Result<Format> {
    let parser = Drmemtrace::sniff(head).ok_or_else(|| {
        let message = "the file does not begin with the header of drmemtrace (the bytes 19 00): choose a file from the folder trace/, not from raw/, whose files drraw2trace converts";
        Error::new(ErrorCode::BadTrace, message).at(Place::Byte(0))
    })?;
    Ok(Format::drmemtrace(parser))
}

#[expect(clippy::unnecessary_wraps, reason = "other functions of this type can fail")]
fn is_perf_data(head: &[u8]) -> Result<bool> {
    Ok(head.starts_with(data::MAGIC))
}

fn perf_data(head: &[u8], _: &ListLayout) -> Result<Format> {
    if head.starts_with(data::MAGIC) {
        return Ok(Format::perf_data());
    }
    let message = "the file does not begin with PERFILE2, as files of perf record do: choose the file perf.data, or the file data if the recording is a directory";
    Err(Error::new(ErrorCode::BadTrace, message).at(Place::Byte(0)))
}

/// Reads a list; `base` is the base that its id asks for.
fn csv(head: &[u8], list: &ListLayout, base: Option<Base>) -> Result<Format> {
    let layout = ListLayout { base: base.or(list.base), ..list.clone() };
    Csv::sniff(head, &layout).map(Format::csv).map_err(|why| no_list(&why))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::path::Path;

    use super::*;

    /// Writes the list for the browser, next to the types that ts-rs writes.
    #[test]
    fn export_bindings_formats() {
        let mut text = String::from(
            "// This file was generated by sim-core/sources/src/import/formats.rs. Do not edit this file manually.\n\
             import type { FormatInfo } from \"./FormatInfo\";\n\n\
             export const FORMATS: readonly FormatInfo[] = [\n",
        );
        for format in formats() {
            let row = serde_json::to_string(format).expect("a row is plain data");
            writeln!(text, "  {row},").expect("a string takes everything");
        }
        text.push_str("];\n");
        let folder = std::env::var("TS_RS_EXPORT_DIR").expect("cargo sets it");
        std::fs::create_dir_all(&folder).expect("the folder can be made");
        std::fs::write(Path::new(&folder).join("formats.ts"), text)
            .expect("the file can be written");
    }

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
