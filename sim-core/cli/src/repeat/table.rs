//! Repeats a command from its CSV, and compares cell by cell.

use std::io::BufRead;

use anyhow::{Context as _, bail};
use pagewalk_base::csv::cells;
use pagewalk_experiments::about::{FACTS, words};

use super::compared::{Compared, is_of_the_program};
use super::{Repeated, check, run, run_sweep};

/// # Errors
/// Errors of the table and of its command.
pub(super) fn repeat(before: impl BufRead) -> anyhow::Result<Repeated> {
    let mut before = Rows(before);
    let head = before.next()?.unwrap_or_default();
    let mut first: Vec<Vec<String>> = Vec::new();
    let is_list = is_list(&head);
    while first.len() < if is_list { FACTS.len() } else { 1 } {
        match before.next()? {
            Some(row) => first.push(row),
            None => break,
        }
    }
    let fact = |place: &str| {
        let found = if is_list {
            first.iter().find(|row| row[0] == place).and_then(|row| row.get(1))
        } else {
            let column = head.iter().position(|name| name == place);
            column.and_then(|column| first.first()?.get(column))
        };
        found.cloned().unwrap_or_default()
    };
    let (command, version) = (words(&fact("about.command")), fact("about.version"));
    let before = Before { head, first: first.into_iter(), rest: before };
    let compared = if command.first().is_some_and(|command| command == "sweep") {
        run_sweep(&command, "csv", |now| before.compare(now))?
    } else {
        check(&command)?;
        before.compare(&*run(&command, &["--csv", "-"])?)?
    };
    Ok(Repeated { command, version, compared })
}

/// The table that is repeated.
struct Before<R> {
    head: Vec<String>,
    /// The rows that were read to find the command.
    first: std::vec::IntoIter<Vec<String>>,
    rest: Rows<R>,
}

impl<R: BufRead> Before<R> {
    fn compare(mut self, now: impl BufRead) -> anyhow::Result<Compared> {
        let mut now = Rows(now);
        let head = now.next()?.unwrap_or_default();
        if self.head != head {
            let gone = self.head.iter().find(|name| !head.contains(name));
            let added = head.iter().find(|name| !self.head.contains(name));
            match (gone, added) {
                (Some(name), _) => bail!("the table no longer has the column `{name}`"),
                (None, Some(name)) => bail!("the table has a new column, `{name}`"),
                (None, None) => bail!("the columns of the table are in another order"),
            }
        }
        let mut compared = Compared::default();
        for number in 0_u64.. {
            let before = match self.first.next() {
                Some(row) => Some(row),
                None => self.rest.next()?,
            };
            match (before, now.next()?) {
                (None, None) => break,
                (Some(before), Some(now)) => row(&mut compared, &head, number, &before, &now),
                (Some(_), None) => bail!("the table had more rows: it ends after {number} now"),
                (None, Some(_)) => bail!("the table has more rows now: it ended after {number}"),
            }
        }
        Ok(compared)
    }
}

fn row(compared: &mut Compared, head: &[String], number: u64, before: &[String], now: &[String]) {
    let texts = |before: Option<&String>, now: Option<&String>| [before.cloned(), now.cloned()];
    // In a list, the first cell is the place of the value.
    if is_list(head) && before[0] == now[0] {
        let (place, before, now) = (&before[0], before.get(1), now.get(1));
        if !is_of_the_program(place) {
            compared.one(place, before == now, || texts(before, now));
        }
        return;
    }
    for (at, column) in head.iter().enumerate().filter(|(_, column)| !is_of_the_program(column)) {
        let (before, now) = (before.get(at), now.get(at));
        let place = format_args!("row {number}, column {column}");
        compared.one(place, before == now, || texts(before, now));
    }
}

fn is_list(head: &[String]) -> bool {
    head.first().is_some_and(|column| column == "counter")
}

/// Reads the rows of a table. A cell in quotes may have line breaks.
struct Rows<R>(R);

impl<R: BufRead> Rows<R> {
    fn next(&mut self) -> anyhow::Result<Option<Vec<String>>> {
        let mut line = String::new();
        loop {
            let n = self.0.read_line(&mut line).context("the file is no table")?;
            if n == 0 && line.is_empty() {
                return Ok(None);
            }
            if n == 0 || line.matches('"').count().is_multiple_of(2) {
                return Ok(Some(cells(line.trim_end_matches(['\r', '\n']))));
            }
        }
    }
}
