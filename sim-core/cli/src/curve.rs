//! `pagewalk curve`: the misses of LRU arrays of every size, from one pass over a trace.

use pagewalk::addr::PageSize;
use pagewalk::curve::{Curve, CurveBuilder, CurveOptions};
use pagewalk::error::Result;
use pagewalk::import::Sink;
use pagewalk::trace::{Access, Kind, OpRecord};

use crate::args::CurveArgs;
use crate::output;
use crate::source;
use crate::table::{Table, grouped, percent};

pub(crate) fn curve(args: &CurveArgs) -> anyhow::Result<()> {
    let options = CurveOptions {
        pages: args.pages.unwrap_or(PageSize::K4),
        kinds: args.kinds.as_ref().map_or([true; 3], |named| {
            [Kind::Fetch, Kind::Load, Kind::Store].map(|kind| named.contains(&kind))
        }),
        sets: args.sets,
    };
    let builder = CurveBuilder::new(options).map_err(|error| anyhow::anyhow!("--{error}"))?;
    let mut pass = Pass(builder);
    let (name, _) = source::stream(&args.accesses, args.limit.unwrap_or(u64::MAX), &mut pass)?;
    let curve = pass.0.finish();
    if args.json { output::json(&curve) } else { output::text(text(&name, options, &curve)) }
}

struct Pass(CurveBuilder);

impl Sink for Pass {
    #[inline]
    fn access(&mut self, access: Access) -> Result<()> {
        self.0.push(&access);
        Ok(())
    }

    /// Curves are those of arrays that nothing invalidates.
    fn op(&mut self, _record: OpRecord) -> Result<()> {
        Ok(())
    }
}

/// The sizes that people ask for: powers of two and the last; all of them are in the JSON.
fn text(name: &str, options: CurveOptions, curve: &Curve) -> String {
    let (what, each) = match options.sets {
        None => ("fully associative".to_owned(), "Entries"),
        Some(n) => (format!("{} sets", grouped(u64::from(n))), "Ways"),
    };
    let mut table = Table::new(1, [each, "Misses", ""]);
    let last = curve.misses.len();
    for (at, (size, misses)) in (1..).zip(&curve.misses) {
        if size.is_power_of_two() || at == last {
            let share = percent(*misses, curve.translations);
            table.row([size.to_string(), grouped(*misses), share]);
        }
    }
    format!(
        "{name}, {} pages, LRU, {what}\n{} accesses, {} translations, {} distinct pages\n\n{table}",
        options.pages,
        grouped(curve.accesses),
        grouped(curve.translations),
        grouped(curve.cold),
    )
}
