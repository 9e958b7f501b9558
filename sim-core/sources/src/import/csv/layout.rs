//! The layout of a list: the parts that the user gives, and the parts that are detected.

use serde::{Deserialize, Serialize};

use super::columns::{Base, Columns};
use super::fields::{KindWord, MAX_FIELDS, Role, Separator, fields};
use super::rows::rows as rows_of;
use super::skipped;
use crate::import::tally::excerpt;
use pagewalk_base::trace::Kind;

/// The number of rows that a view shows.
const ROWS: usize = 8;

/// What the user says about a list of addresses. Missing parts are detected.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct ListLayout {
    pub separator: Option<SeparatorName>,
    /// Whether the first row has the names of the columns.
    pub header: Option<bool>,
    /// The role of each column; `null` means unused.
    pub columns: Option<Vec<Option<Role>>>,
    /// The base of addresses without `0x`.
    pub base: Option<Base>,
    /// The kind of all accesses, if no column has it.
    pub kind: Option<Kind>,
}

/// The separator between two fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum SeparatorName {
    Comma,
    Semicolon,
    Tab,
    /// Any number of blanks and tabs.
    Blanks,
}

impl SeparatorName {
    const ALL: [(Self, Separator); 4] = [
        (Self::Comma, Separator::Byte(b',')),
        (Self::Semicolon, Separator::Byte(b';')),
        (Self::Tab, Separator::Byte(b'\t')),
        (Self::Blanks, Separator::Blanks),
    ];

    pub(super) fn separator(self) -> Separator {
        let found = Self::ALL.into_iter().find(|(name, _)| *name == self);
        found.map_or(Separator::Blanks, |(_, separator)| separator)
    }

    fn of(separator: Separator) -> Self {
        let found = Self::ALL.into_iter().find(|(_, other)| *other == separator);
        found.map_or(Self::Blanks, |(name, _)| name)
    }
}

/// How a list is read, with its first rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct ListView {
    pub separator: SeparatorName,
    /// The names of the columns, if the first row has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
    /// The role of each column of the widest row; `null` means unused.
    pub columns: Vec<Option<Role>>,
    pub base: Base,
    /// Whether decimal is only a guess, because no address shows its base.
    pub base_is_guessed: bool,
    /// The kind of all accesses, if no column has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    pub rows: Vec<Vec<String>>,
}

impl Columns {
    /// Describes how the text that begins with `head` is read.
    pub(super) fn view(&self, head: &[u8]) -> ListView {
        // The last line may be cut off.
        let end = memchr::memrchr(b'\n', head).map_or(head.len(), |end| end + 1);
        let cut = |line| fields(line, self.separator).into_iter().map(excerpt).collect();
        let mut names = None;
        let mut rows: Vec<Vec<String>> = Vec::new();
        for (number, line) in rows_of(&head[..end], self.separator) {
            if self.header_line == Some(number) {
                names = Some(cut(line));
            } else if skipped(line).is_none() {
                rows.push(cut(line));
            }
            if rows.len() == ROWS {
                break;
            }
        }
        let widest = rows.iter().chain(&names).map(Vec::len).max().unwrap_or(0);
        let mut columns = self.roles.clone();
        columns.resize(widest.max(columns.len()).min(MAX_FIELDS), None);
        ListView {
            separator: SeparatorName::of(self.separator),
            names,
            columns,
            base: self.address_base,
            base_is_guessed: self.base_is_guessed,
            kind: self.kind_if_none.map(|kind| match kind {
                KindWord::Fetch => Kind::Fetch,
                KindWord::Load | KindWord::Modify => Kind::Load,
                KindWord::Store => Kind::Store,
                KindWord::Prefetch => Kind::Prefetch,
            }),
            rows,
        }
    }
}
