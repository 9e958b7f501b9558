//! `pagewalk curve`: the misses of arrays of every size, counted in one pass over a trace.

use anyhow::{anyhow, bail};
use pagewalk::run::window::Window;
use pagewalk_analysis::curve::{Curve, CurveBuilder, CurveOptions};
use pagewalk_analysis::optimum::{MissSplit, SplitBuilder, SplitOptions};
use pagewalk_analysis::page_uses::Chosen;
use pagewalk_analysis::second_level::{SecondLevelBuilder, SecondLevelCurve};
use pagewalk_analysis::surface::{Surface, SurfaceBuilder, SurfaceRow};
use pagewalk_base::error::Result;
use pagewalk_base::trace::Access;

use crate::about::this_command;
use crate::args::{CurveArgs, MachineArgs, VirtArgs};
use crate::page_uses::{Analysed, blame, counts, left_out, pages_words, print, stream, with_pages};
use crate::setup::Setup;
use crate::sheet::Sheet;
use crate::table::{Table, grouped, percent};

pub(crate) fn curve(args: &CurveArgs) -> anyhow::Result<()> {
    if args.surface {
        return surface(args);
    }
    if args.cpu.is_some() || args.machine.is_some() {
        return second_level(args);
    }
    if let Some(entries) = args.entries {
        return split(args, entries);
    }
    let make = |chosen: &Chosen| {
        let options = CurveOptions { chosen: chosen.clone(), sets: args.sets };
        CurveBuilder::new(options).map_err(blame)
    };
    let read = stream_window(args, make, |builder, access, counting| {
        builder.set_counting(counting);
        builder.push(access);
        Ok(())
    })?;
    let Analysed { builder, chosen, source } = read;
    let curve = builder.finish();
    let sheet = || sizes(args.sets, "misses", &curve.misses, curve.translations);
    let about = with_pages(this_command(), &chosen);
    let text = |name: &str| text(name, &CurveOptions { chosen, sets: args.sets }, &curve);
    print(&args.result, about, source, &curve, sheet, text)
}

fn surface(args: &CurveArgs) -> anyhow::Result<()> {
    let make = |chosen: &Chosen| SurfaceBuilder::new(chosen.clone()).map_err(blame);
    let read = stream_window(args, make, |builder, access, counting| {
        builder.set_counting(counting);
        builder.push(access);
        Ok(())
    })?;
    let Analysed { builder, chosen, source } = read;
    let surface = builder.finish();
    let sheet = || surface_sheet(&surface);
    let about = with_pages(this_command(), &chosen);
    let text = |name: &str| surface_text(name, &chosen, &surface);
    print(&args.result, about, source, &surface, sheet, text)
}

fn second_level(args: &CurveArgs) -> anyhow::Result<()> {
    let machine = MachineArgs { cpu: args.cpu.clone(), machine: args.machine.clone() };
    let setup = Setup::new(&machine, &VirtArgs { virt: None, host_pages: None }, None, None)?;
    let make = |chosen: &Chosen| {
        let options = CurveOptions { chosen: chosen.clone(), sets: args.sets };
        SecondLevelBuilder::new(&setup.config, options).map_err(|error| {
            match error.at.as_ref().map(ToString::to_string).as_deref() {
                Some("sets" | "kinds") => blame(error),
                Some(field) if field.starts_with("os.") => anyhow!("--pages: {}", error.message),
                _ => setup.blame(error),
            }
        })
    };
    let read = stream_window(args, make, |builder, access, counting| {
        builder.set_counting(counting);
        builder.push(access)
    })?;
    let Analysed { builder, chosen, mut source } = read;
    let curve = builder.finish();
    source.report.warnings.extend(setup.untranslated_warning(curve.refused, curve.accesses)?);
    let about = with_pages(setup.about(), &chosen);
    let sheet = || sizes(args.sets, "walks", &curve.misses, curve.translations);
    let options = CurveOptions { chosen, sets: args.sets };
    print(&args.result, about, source, &curve, sheet, |name| {
        second_level_text(name, &setup.machine_name(), &options, &curve)
    })
}

/// Passes each access of the window to `each`, with `true` if it is counted. The name of the source tells the
/// window.
fn stream_window<B>(
    args: &CurveArgs,
    make: impl Fn(&Chosen) -> anyhow::Result<B>,
    mut each: impl FnMut(&mut B, &Access, bool) -> Result<()>,
) -> anyhow::Result<Analysed<B>> {
    let window = Window { skip: args.skip, warmup: args.warmup, limit: args.uses.limit };
    let counted_from = window.counted_from();
    // An analysis and the number of its next access.
    let make = |chosen: &Chosen| Ok((make(chosen)?, 0));
    let wanted = (&args.uses, window.end(), args.result.is_cited());
    let read = stream(wanted, make, |(builder, n): &mut (B, u64), access| {
        let number = *n;
        *n += 1;
        if number < window.skip { Ok(()) } else { each(builder, access, number >= counted_from) }
    })?;
    let Analysed { builder: (builder, n), chosen, mut source } = read;
    if counted_from > 0 && n <= counted_from && window.limit != Some(0) {
        bail!("--skip and --warmup leave out all {} accesses of the trace", grouped(n));
    }
    source.report.part |= counted_from > 0;
    source.name += &left_out(window);
    Ok(Analysed { builder, chosen, source })
}

fn split(args: &CurveArgs, entries: u32) -> anyhow::Result<()> {
    let options =
        |chosen: &Chosen| SplitOptions { chosen: chosen.clone(), entries, ways: args.ways };
    let make = |chosen: &Chosen| SplitBuilder::new(options(chosen)).map_err(blame);
    let limit = args.uses.limit.unwrap_or(u64::MAX);
    let read = stream((&args.uses, limit, args.result.is_cited()), make, SplitBuilder::push)?;
    let Analysed { builder, chosen, source } = read;
    let split = builder.finish();
    let sheet = || Sheet::of_values(&split);
    let about = with_pages(this_command(), &chosen);
    let text = |name: &str| split_text(name, &options(&chosen), &split);
    print(&args.result, about, source, &split, sheet, text)
}

/// Lists all sizes of a curve.
fn sizes(sets: Option<u32>, what: &str, counts: &[(u32, u64)], translations: u64) -> Sheet {
    let size = if sets.is_some() { "ways" } else { "entries" };
    let mut sheet = Sheet::new([size, what, "translations"]);
    for (size, count) in counts {
        sheet.row([size.to_string(), count.to_string(), translations.to_string()]);
    }
    sheet
}

fn surface_sheet(surface: &Surface) -> Sheet {
    let mut sheet = Sheet::new(["sets", "ways", "misses", "translations"]);
    for SurfaceRow { sets, ways, misses } in &surface.rows {
        let translations = surface.translations.to_string();
        sheet.row([sets.to_string(), ways.to_string(), misses.to_string(), translations]);
    }
    sheet
}

/// Prints the misses for some numbers of ways. The JSON has all of them.
fn surface_text(name: &str, chosen: &Chosen, surface: &Surface) -> String {
    const SHOWN: [u32; 6] = [1, 2, 4, 8, 12, 16];
    let ways =
        SHOWN.map(|ways| if ways == 1 { "1 way".to_owned() } else { format!("{ways} ways") });
    let mut table = Table::headed(0, ["Sets".to_owned()].into_iter().chain(ways));
    for rows in surface.rows.chunk_by(|a, b| a.sets == b.sets) {
        let shown = rows.iter().filter(|row| SHOWN.contains(&row.ways));
        let sets = rows.first().map_or(0, |row| row.sets);
        let cells = shown.map(|row| grouped(row.misses));
        table.add([grouped(u64::from(sets))].into_iter().chain(cells));
    }
    format!(
        "{name}, {}, misses under LRU by sets and ways\n{}\n{table}",
        pages_words(chosen),
        counts(surface.accesses, surface.translations, surface.cold),
    )
}

fn split_text(name: &str, options: &SplitOptions, split: &MissSplit) -> String {
    let mut table = Table::bare(1);
    let mut row = |name: &str, n: String, share: String| table.row([name.to_owned(), n, share]);
    let of_all = |n: u64| percent(n, split.translations);
    row("Misses under LRU", grouped(split.misses), of_all(split.misses));
    row("  compulsory", grouped(split.compulsory), of_all(split.compulsory));
    row("  capacity", grouped(split.capacity), of_all(split.capacity));
    let sign = if split.conflict < 0 { "−" } else { "" };
    let conflict = split.conflict.unsigned_abs();
    let effect = if split.conflict < 0 { "  saved by the sets" } else { "  conflict" };
    row(effect, sign.to_owned() + &grouped(conflict), sign.to_owned() + &of_all(conflict));
    row("Fewest possible (optimum)", grouped(split.optimum), of_all(split.optimum));
    // Pages of several sizes have no number of bytes.
    if split.reach_bytes > 0 {
        row("Reach, KiB", grouped(split.reach_bytes >> 10), String::new());
        let covered = percent(split.footprint_bytes, split.reach_bytes);
        row("Footprint, KiB", grouped(split.footprint_bytes >> 10), covered + " of the reach");
    }
    format!(
        "{name}, {}, {} entries of {} ways\n{}\n{table}",
        pages_words(&options.chosen),
        grouped(u64::from(split.entries)),
        grouped(u64::from(split.ways)),
        counts(split.accesses, split.translations, split.compulsory),
    )
}

/// Describes the arrays of a curve, and names what its sizes count: entries or ways.
fn shape(sets: Option<u32>) -> (String, &'static str) {
    match sets {
        None => ("fully associative".to_owned(), "Entries"),
        Some(n) => (format!("{} sets", grouped(u64::from(n))), "Ways"),
    }
}

/// Selects the sizes to print: powers of two and the last. The JSON has all sizes.
fn shown(misses: &[(u32, u64)]) -> impl Iterator<Item = (u32, u64)> {
    let last = misses.last().map_or(0, |(size, _)| *size);
    misses.iter().copied().filter(move |(size, _)| size.is_power_of_two() || *size == last)
}

fn second_level_text(
    name: &str,
    cpu: &str,
    options: &CurveOptions,
    curve: &SecondLevelCurve,
) -> String {
    let (what, each) = shape(options.sets);
    let mut table = Table::new(1, [each, "Walks", "of level 2", "of all"]);
    for (size, walks) in shown(&curve.misses) {
        let local = percent(walks, curve.l1_misses);
        table.row([size.to_string(), grouped(walks), local, percent(walks, curve.translations)]);
    }
    format!(
        "{name}, {}, second levels behind the first level of {cpu}, LRU, {what}\n{} accesses, {} translations, {} of them miss level 1, {} distinct pages\n\n{table}",
        pages_words(&options.chosen),
        grouped(curve.accesses),
        grouped(curve.translations),
        grouped(curve.l1_misses),
        grouped(curve.cold),
    )
}

fn text(name: &str, options: &CurveOptions, curve: &Curve) -> String {
    let (what, each) = shape(options.sets);
    let mut table = Table::new(1, [each, "Misses", ""]);
    for (size, misses) in shown(&curve.misses) {
        let share = percent(misses, curve.translations);
        table.row([size.to_string(), grouped(misses), share]);
    }
    format!(
        "{name}, {}, LRU, {what}\n{}\n{table}",
        pages_words(&options.chosen),
        counts(curve.accesses, curve.translations, curve.cold),
    )
}
