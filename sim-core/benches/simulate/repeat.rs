//! Repeats a short trace to make a long one, for computers that cannot record a trace.

use std::fs::File;
use std::io::{BufWriter, Write as _};

use pagewalk_base::trace::{Access, Kind};
use pagewalk_sources::import::{ImportOptions, Importer};

use crate::Outcome;

/// Writes the accesses of the file `source` to `target` as lackey text. Repeats them until there are at least
/// `accesses`.
pub(crate) fn repeat(source: &str, target: &str, accesses: usize) -> Outcome<()> {
    let mut once: Vec<Access> = Vec::new();
    let mut importer =
        Importer::new(ImportOptions { name: source.to_owned(), ..ImportOptions::default() })?;
    importer.push(&std::fs::read(source)?, &mut once)?;
    importer.finish(&mut once)?;

    let mut text = BufWriter::new(File::create(target)?);
    for _ in 0..accesses.div_ceil(once.len()) {
        for Access { kind, address, size, .. } in &once {
            let kind = match kind {
                Kind::Fetch => "I ",
                Kind::Store => " S",
                Kind::Load | Kind::Prefetch => " L",
            };
            writeln!(text, "{kind} {address:08x},{size}")?;
        }
    }
    text.flush()?;
    Ok(())
}
