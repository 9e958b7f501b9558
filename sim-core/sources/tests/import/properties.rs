//! Every input gives a report or an error, whatever the sizes of the chunks.

use cases::{Result, Unstructured, cases};
use pagewalk_sources::import::ImportOptions;

use super::support::{fixture, import, import_as, import_with};

/// Pieces of the formats, and text that damages them.
const TOKENS: [&str; 32] = [
    "I  04001000,3\n",
    " L 1ffefffde8,8\n",
    " S 04a19578,4",
    " M ",
    "==12== ",
    "\n",
    "\r\n",
    ",",
    ";",
    "\t",
    " ",
    "0x",
    "1f",
    "10",
    "ffffffffffffffff",
    "10000000000000000",
    "99999999999999999999",
    "R",
    "W",
    "ifetch",
    "addr",
    "kind",
    "pid",
    "\"",
    "\"\"",
    "#",
    "//",
    "-",
    ".",
    "\u{feff}",
    "é",
    "\0",
];

fn text(u: &mut Unstructured) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    while !u.is_empty() {
        text.extend_from_slice(u.choose(&TOKENS)?.as_bytes());
    }
    Ok(text)
}

#[test]
fn any_text_ends_and_chunks_change_nothing() {
    cases(105).check(|u| {
        let format = *u.choose(&[None, None, Some("lackey"), Some("csv"), Some("csv-hex")])?;
        // `import_as` compares chunks of different sizes.
        drop(import_as(format, &text(u)?));
        Ok(())
    });
}

#[test]
fn every_line_is_a_record_or_is_counted_as_skipped() {
    cases(100).check(|u| {
        let text = text(u)?;
        let lines = text.split_inclusive(|byte| *byte == b'\n').count() as u64;
        if let (Ok(report), _) = import(&text) {
            let skipped: u64 = report.skipped.iter().map(|skipped| skipped.count).sum();
            // A quoted field can continue in the next line.
            let is_exact = !text.contains(&b'"');
            assert!(report.records + skipped <= lines);
            assert!(report.records + skipped == lines || !is_exact);
        }
        Ok(())
    });
}

#[test]
fn any_damage_to_packed_data_ends() {
    let files = [
        "plain.bz2",
        "plain.zip",
        "streamed.zip",
        "plain.gz",
        "members.gz",
        "blocks.xz",
        "nocheck.zst",
        "frames.zst",
    ];
    let files = files.map(|name| fixture(&format!("packed/{name}")));
    cases(450).check(|u| {
        let mut file = u.choose(&files)?.clone();
        for _ in 0..u.int_in_range(1..=5)? {
            let at = u.choose_index(file.len())?;
            file[at] = u.arbitrary()?;
        }
        file.truncate(u.int_in_range(0..=file.len())?);
        let chunk = u.int_in_range(1..=2000)?;
        let (report, _) = import_with(ImportOptions::default(), &file, chunk);
        drop(report);
        Ok(())
    });
}
