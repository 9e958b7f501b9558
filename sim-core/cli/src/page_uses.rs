//! Reads a trace as a sequence of page uses, for `curve` and `phases`.

use anyhow::anyhow;
use pagewalk::run::window::Window;
use pagewalk_analysis::page_uses::Chosen;
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::{Access, Completeness, Kind, OpRecord};
use pagewalk_sources::import::{ImportReport, Sink};
use serde::Serialize;

use crate::about::{About, json};
use crate::args::UsesArgs;
use crate::import::origin;
use crate::output;
use crate::sheet::{ResultArgs, Sheet};
use crate::source::{self, Source};
use crate::table::grouped;

pub(crate) fn chosen(args: &UsesArgs) -> Chosen {
    let kinds = args.kinds.as_ref().map_or([true; 3], |named| {
        [Kind::Fetch, Kind::Load, Kind::Store].map(|kind| named.contains(&kind))
    });
    Chosen { pages: args.pages.unwrap_or(PageSize::K4), kinds }
}

/// Passes every selected access to `each`.
pub(crate) fn stream(
    args: &UsesArgs,
    is_cited: bool,
    each: impl FnMut(&Access) -> Result<()>,
) -> anyhow::Result<Source> {
    stream_up_to(args, args.limit.unwrap_or(u64::MAX), is_cited, each)
}

/// Like [`stream`], but stops after `limit` accesses of the trace.
pub(crate) fn stream_up_to(
    args: &UsesArgs,
    limit: u64,
    is_cited: bool,
    each: impl FnMut(&Access) -> Result<()>,
) -> anyhow::Result<Source> {
    source::stream(&args.accesses, limit, is_cited, &mut Pass(each))
}

/// Prints a result with the completeness of its trace: as JSON fields, or below the first line of the text.
/// `about` describes the machine and the mapping, and `sheet` is the table for --csv.
pub(crate) fn print<T: Serialize>(
    args: &ResultArgs,
    about: About,
    source: Source,
    found: &T,
    sheet: impl FnOnce() -> Sheet,
    text: impl FnOnce(&str) -> String,
) -> anyhow::Result<()> {
    let Source { name, report: trace, about: of } = source;
    let about = about.of(of);
    if args.write_csv(&about, sheet)? {
        return Ok(());
    }
    if args.json {
        let ImportReport { completeness, part, .. } = trace;
        return json(about, &OfTrace { completeness, part, found });
    }
    let text = text(&name);
    let (title, rest) = text.split_once('\n').unwrap_or((&text, ""));
    let warnings = trace.warnings.iter().map(|warning| format!("\nWarning: {warning}\n"));
    let warnings = warnings.collect::<String>();
    output::text(format!("{title}\nTrace {}\n{rest}{warnings}", origin(&trace)))
}

#[derive(Serialize)]
struct OfTrace<'a, T> {
    completeness: Completeness,
    /// Whether the import is partial.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    part: bool,
    #[serde(flatten)]
    found: &'a T,
}

struct Pass<F>(F);

impl<F: FnMut(&Access) -> Result<()>> Sink for Pass<F> {
    #[inline]
    fn access(&mut self, access: Access) -> Result<()> {
        (self.0)(&access)
    }

    /// Operations change nothing here: the arrays of a curve are never invalidated.
    fn op(&mut self, _record: OpRecord) -> Result<()> {
        Ok(())
    }
}

/// Describes which accesses of a trace are not counted, to print after its name: `, 2 skipped, 3 to warm up`.
pub(crate) fn left_out(Window { skip, warmup, .. }: Window) -> String {
    let parts = [("skipped", skip), ("to warm up", warmup)];
    let parts = parts.into_iter().filter(|(_, n)| *n > 0);
    let words: Vec<String> = parts.map(|(why, n)| format!(", {} {why}", grouped(n))).collect();
    words.concat()
}

/// Names the argument that caused an error: fields of the options have the names of the arguments.
#[expect(clippy::needless_pass_by_value, reason = "used with `map_err`")]
pub(crate) fn blame(error: Error) -> anyhow::Error {
    anyhow!("--{error}")
}

pub(crate) fn counts(accesses: u64, translations: u64, pages: u64) -> String {
    format!(
        "{} accesses, {} translations, {} distinct pages\n",
        grouped(accesses),
        grouped(translations),
        grouped(pages)
    )
}
