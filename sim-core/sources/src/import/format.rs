//! What a row of the list of formats holds: what users see of a format, and how its files are recognised.

use serde::Serialize;

use super::csv::ListLayout;
use super::formats::AnyParser;
use pagewalk_base::error::Result;

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
    /// What even a complete trace of this format does not show.
    pub limits: &'static [FormatLimit],
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

/// Something that a trace of a format does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum FormatLimit {
    /// The file does not say whether accesses are missing.
    Completeness,
    /// The format has no threads.
    Threads,
    /// The format has neither the sizes of accesses nor threads.
    SizesAndThreads,
    /// Most recordings contain only the program's own accesses.
    Kernel,
    /// The tool sees only instructions that the program executes.
    KernelAndSpeculation,
    /// The tool moves the stack, the heap and the libraries.
    Addresses,
}

/// The limits of valgrind, which runs all threads one after the other.
pub(super) const WITHOUT_THREADS: &[FormatLimit] =
    &[FormatLimit::Threads, FormatLimit::KernelAndSpeculation, FormatLimit::Addresses];

/// The limits of tools that run the program under their control.
pub(super) const INSTRUMENTED: &[FormatLimit] =
    &[FormatLimit::KernelAndSpeculation, FormatLimit::Addresses];

/// When the detection tries a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// Before it is known whether the file is text.
    Binary,
    /// When the file is text.
    Text,
    /// Never. A text that fits no other row is a list of addresses; all other formats must be named by the user.
    Never,
}

type Fits = fn(&[u8]) -> bool;
type Make = fn(&[u8], &ListLayout) -> Result<AnyParser>;

/// A row of the list of formats.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) info: FormatInfo,
    /// What identifies the format in a sentence that lists the formats; `None` leaves it out.
    pub(super) hint: Option<&'static str>,
    pub(super) stage: Stage,
    /// Whether a user's choice of this format overrides the check for formats that are not read.
    pub(super) is_trusted: bool,
    /// Returns whether a file that begins with these bytes has this format.
    pub(super) fits: Fits,
    /// Makes the parser of a file that begins with these bytes.
    make: Make,
}

/// A file whose format is known.
#[derive(Debug)]
pub(super) struct Detected {
    pub(super) info: &'static FormatInfo,
    pub(super) parser: AnyParser,
}

impl Row {
    /// Opens a file of this format that begins with `head`.
    ///
    /// # Errors
    /// `bad-trace` if the file cannot have this format.
    pub(super) fn open(&'static self, head: &[u8], list: &ListLayout) -> Result<Detected> {
        Ok(Detected { info: &self.info, parser: (self.make)(head, list)? })
    }

    /// Makes the row of a format of text files. `label` names it in forms.
    pub(super) fn text(id: &'static str, label: &'static str, fits: Fits, make: Make) -> Self {
        Self::new(id, label, Stage::Text, fits, make)
    }

    /// Makes the row of a format of binary files.
    pub(super) fn binary(id: &'static str, label: &'static str, fits: Fits, make: Make) -> Self {
        Self::new(id, label, Stage::Binary, fits, make)
    }

    /// Makes the row of a format that is not detected.
    pub(super) fn chosen(id: &'static str, label: &'static str, make: Make) -> Self {
        Self::new(id, label, Stage::Never, |_| false, make)
    }

    fn new(id: &'static str, label: &'static str, stage: Stage, fits: Fits, make: Make) -> Self {
        let info = FormatInfo {
            id,
            name: id,
            tool: label,
            field: FormatField::Format,
            label,
            is_guessed: false,
            extensions: &[],
            limits: &[],
        };
        Self { info, hint: Some(""), stage, is_trusted: false, fits, make }
    }

    /// Sets what differs from the id and the label.
    pub(super) fn named(mut self, name: &'static str, tool: &'static str) -> Self {
        (self.info.name, self.info.tool) = (name, tool);
        self
    }

    pub(super) fn hint(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }

    pub(super) fn files(mut self, extensions: &'static [&'static str]) -> Self {
        self.info.extensions = extensions;
        self
    }

    pub(super) fn limits(mut self, limits: &'static [FormatLimit]) -> Self {
        self.info.limits = limits;
        self
    }

    pub(super) fn trusted(self) -> Self {
        Self { is_trusted: true, ..self }
    }

    pub(super) fn guessed(mut self) -> Self {
        self.info.is_guessed = true;
        self
    }

    /// Makes this another id of the format with the name `name`, which a user chooses in `field`.
    pub(super) fn choice_of(mut self, name: &'static str, field: FormatField) -> Self {
        (self.info.name, self.info.field) = (name, field);
        Self { hint: None, ..self }
    }

    /// Makes this a format that no user has to choose, because it has a mark of its own.
    pub(super) fn always_recognised(mut self) -> Self {
        self.info.field = FormatField::None;
        Self { hint: None, ..self }
    }
}
