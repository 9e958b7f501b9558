//! `pagewalk sweep --merge`: joins the parts of a sweep.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;

use anyhow::{anyhow, bail};

use super::Done;
use super::found::{Head, Place, rows};
use super::results::write;
use crate::input::{io_error, open};

/// The sweep of runs that were saved in the browser.
const SAVED: &str = "saved";

/// Joins parts, in any order.
///
/// # Errors
/// Errors of the files, parts of different sweeps, and rows that are missing or repeated.
pub(super) fn merge(parts: &[PathBuf], out: PathBuf) -> anyhow::Result<Done> {
    let mut sources: Vec<(PathBuf, File)> = Vec::with_capacity(parts.len());
    let mut found: BTreeMap<u32, (usize, Place)> = BTreeMap::new();
    let mut sweep: Option<Head> = None;
    let mut hashes: BTreeMap<String, String> = BTreeMap::new();
    for path in parts {
        let file = open(path)?;
        let source = sources.len();
        let name = path.display();
        let end = rows(&file, path, |line, head, place| {
            let first = sweep.get_or_insert_with(|| Head {
                sweep: head.sweep.clone(),
                trace: super::found::HeadTrace { name: String::new(), hash: String::new() },
                error: None,
                ..head
            });
            if (&head.sweep, head.rows) != (&first.sweep, first.rows) || head.row >= head.rows {
                bail!(
                    "{name}: line {line} is of another sweep than {}: give the parts of one sweep",
                    parts[0].display()
                );
            }
            let hash = hashes.entry(head.trace.name).or_insert_with(|| head.trace.hash.clone());
            // Saved runs may come from different traces with the same name.
            if head.sweep != SAVED && *hash != head.trace.hash {
                bail!(
                    "{name}: line {line} is of a trace that has changed since: run that part again"
                );
            }
            match found.insert(head.row, (source, place)) {
                None => Ok(()),
                Some((other, _)) => Err(anyhow!(
                    "row {} is in {} and in {name}: give each part once",
                    head.row,
                    parts[other].display()
                )),
            }
        })?;
        let len = file.metadata().map_err(|error| io_error(path, &error))?.len();
        if end < len {
            bail!("{name}: the last row is incomplete: run this part to its end first");
        }
        sources.push((path.clone(), file));
    }
    let n_rows = sweep.map_or(0, |head| head.rows);
    check_all(&found, n_rows)?;
    let places: Vec<(usize, Place)> = found.into_values().collect();
    let errors = places.iter().filter(|(_, place)| place.is_error).count();
    let csv = write(&mut sources, &places, &out, true)?;
    Ok(Done { out, csv, rows: places.len(), simulated: places.len(), errors })
}

fn check_all(found: &BTreeMap<u32, (usize, Place)>, n_rows: u32) -> anyhow::Result<()> {
    const LISTED: usize = 8;
    if n_rows == 0 {
        bail!("the parts have no rows");
    }
    let missing: Vec<u32> = (0..n_rows).filter(|row| !found.contains_key(row)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let listed: Vec<String> = missing.iter().take(LISTED).map(u32::to_string).collect();
    let more = if missing.len() > LISTED { ", …" } else { "" };
    Err(anyhow!(
        "{} of {n_rows} rows are missing: {}{more}: run the missing parts, or give all parts",
        missing.len(),
        listed.join(", ")
    ))
}
