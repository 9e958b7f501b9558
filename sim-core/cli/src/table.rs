//! Prints numbers and aligned columns.

use std::io::{self, IsTerminal as _};
use std::sync::OnceLock;
use std::{env, fmt};

use clap::builder::styling::{AnsiColor, Style};
pub(crate) use pagewalk_base::thousands::grouped;

/// Rows of text cells. Each column is as wide as its widest cell.
pub(crate) struct Table {
    /// The number of columns that are aligned on the left; the others hold numbers.
    n_left: usize,
    has_head: bool,
    /// Whether the last column is aligned on the left.
    is_last_left: bool,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Makes a table whose first row is `head`, with `n_left` columns of text before the columns of numbers.
    pub(crate) fn new<const N: usize>(n_left: usize, head: [&str; N]) -> Self {
        Self::headed(n_left, head.map(str::to_owned))
    }

    /// Makes a table whose number of columns is not fixed.
    pub(crate) fn headed(n_left: usize, head: impl IntoIterator<Item = String>) -> Self {
        Self { n_left, has_head: true, is_last_left: false, rows: vec![head.into_iter().collect()] }
    }

    /// Makes a table without a heading.
    pub(crate) fn bare(n_left: usize) -> Self {
        Self { n_left, has_head: false, is_last_left: false, rows: Vec::new() }
    }

    /// Aligns the last column on the left, for texts of any length.
    pub(crate) fn last_left(self) -> Self {
        Self { is_last_left: true, ..self }
    }

    /// Adds a row to a table whose number of columns is not fixed.
    pub(crate) fn add(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }

    fn widths(&self) -> Vec<usize> {
        let n_columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |at: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(at));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        (0..n_columns).map(width).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        for (number, row) in self.rows.iter().enumerate() {
            let cells = row.iter().zip(&widths).enumerate().map(|(at, (cell, width))| {
                let is_left = at < self.n_left || self.is_last_left && at + 1 == widths.len();
                if is_left { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
            });
            let line = cells.collect::<Vec<_>>().join("  ");
            let line = line.trim_end();
            if self.has_head && number == 0 && is_coloured() {
                writeln!(f, "{HEADING}{line}{HEADING:#}")?;
            } else {
                writeln!(f, "{line}")?;
            }
        }
        Ok(())
    }
}

/// The style of the first row of a table.
const HEADING: Style = AnsiColor::Cyan.on_default().bold();

/// Returns whether stdout is a terminal whose user wants colours (<https://no-color.org>).
fn is_coloured() -> bool {
    static IS_COLOURED: OnceLock<bool> = OnceLock::new();
    *IS_COLOURED.get_or_init(|| {
        let is_refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        io::stdout().is_terminal() && !is_refused
    })
}

/// The share of `part` in `whole` with two digits, or a dash if `whole` is 0. A share is shown as 0 or 100 %
/// only if it is exactly that.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    let share = 100.0 * ratio(part, whole);
    match (part, whole) {
        (_, 0) => "–".to_owned(),
        (1.., _) if share < 0.005 => "<0.01 %".to_owned(),
        _ if part < whole && share >= 99.995 => ">99.99 %".to_owned(),
        _ => format!("{share:.2} %"),
    }
}

/// The change from one number to another as a signed share, or nothing if there is none.
pub(crate) fn change(from: u64, to: u64) -> String {
    let share = 100.0 * (ratio(to, from) - 1.0);
    match from {
        _ if from == to => String::new(),
        0 => "–".to_owned(),
        _ => format!("{share:+.2} %"),
    }
}

/// The number of `part` for each of `whole`, or a dash if `whole` is 0.
pub(crate) fn per(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.3}", ratio(part, whole)) }
}

#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

/// Joins words with commas.
pub(crate) fn listed(words: impl IntoIterator<Item = impl ToString>) -> String {
    words.into_iter().map(|word| word.to_string()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_has_a_sign_and_none_is_no_text() {
        let texts = [(8, 8), (8, 6), (8, 12), (0, 1)].map(|(from, to)| change(from, to));
        assert_eq!(texts, ["", "-25.00 %", "+50.00 %", "–"]);
    }

    #[test]
    fn a_share_is_rounded_to_nothing_or_all_only_if_it_is() {
        let shares = [(0, 0), (0, 9), (1, 1 << 20), (1, 3), (99_999, 100_000), (9, 9)];
        let texts = shares.map(|(part, whole)| percent(part, whole));
        assert_eq!(texts, ["–", "0.00 %", "<0.01 %", "33.33 %", ">99.99 %", "100.00 %"]);
    }

    #[test]
    fn texts_stand_left_and_numbers_right() {
        let mut table = Table::new(1, ["Kind", "Walks"]);
        table.row(["fetch".to_owned(), "7".to_owned()]);
        assert_eq!(table.to_string(), "Kind   Walks\nfetch      7\n");
    }
}
