//! Questions about a count: how many events the accesses have, from the start of the trace up to and including one.

use std::ops::Range;
use std::rc::Rc;

use pagewalk::machine::probe::{Endings, Outcome, Translation};
use pagewalk::record::stats::{RunReport, StructureReport};
use pagewalk::run::replay::{Replay, Run};
use pagewalk::run::window::Span;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::trace::Kind;

use crate::ask::Form;
use crate::mistake::Mistake;
use crate::scene::Scene;
use crate::solution::Solution;

/// What is counted. The numbers are those of the report of a run.
#[derive(Clone, Copy)]
enum Count<'a> {
    Walks,
    Misses(&'a str),
    Hits(&'a str),
    /// Page faults, whether the operating system serves them or not.
    Faults,
    References,
    /// Different pages, at the size that maps them.
    Pages,
    Cycles,
}

impl<'a> Count<'a> {
    fn parse(text: &'a str) -> Result<Self> {
        match text.split_once(':').unwrap_or((text, "")) {
            ("misses", array) => Ok(Self::Misses(array)),
            ("hits", array) => Ok(Self::Hits(array)),
            ("walks", "") => Ok(Self::Walks),
            ("faults", "") => Ok(Self::Faults),
            ("references", "") => Ok(Self::References),
            ("pages", "") => Ok(Self::Pages),
            ("cycles", "") => Ok(Self::Cycles),
            _ => {
                let message = format!(
                    "`{text}` is not counted: choose walks, faults, references, pages or cycles, or misses:NAME or hits:NAME for a TLB array"
                );
                Err(Error::config("of", message))
            }
        }
    }
}

/// A count until the access of the question, of this access alone, and of the access after it.
struct Counted {
    total: u64,
    here: u64,
    next: Option<u64>,
}

pub(crate) fn number(scene: &Scene<'_>, of: &str) -> Result<Solution> {
    let count = Count::parse(of)?;
    let (replay, at) = (scene.replay, scene.step.index);
    let simulated = &replay.span().simulated;
    let is_last = at + 1 == simulated.end;
    let total = report(replay, simulated.start, at + 1)?;
    let here = report(replay, at, at + 1)?;
    let next = (!is_last).then(|| report(replay, at + 1, at + 2)).transpose()?;
    let pages = || pages(replay, at);
    let sum = |of: fn(&RunReport) -> u64| Counted {
        total: of(&total),
        here: of(&here),
        next: next.as_ref().map(of),
    };
    let of_array = |name: &str, of: fn(&StructureReport) -> u64| {
        let (number, _) = scene.array(name)?;
        let of = |report: &RunReport| of(&report.structures[number]);
        Ok(Counted { total: of(&total), here: of(&here), next: next.as_ref().map(of) })
    };
    let counted = match count {
        Count::Walks => sum(|report| report.walks.walks),
        Count::Misses(name) => of_array(name, |array| array.misses)?,
        Count::Hits(name) => of_array(name, |array| array.hits)?,
        Count::Faults => sum(faults),
        Count::References => sum(|report| report.walks.refs),
        Count::Pages => pages(),
        Count::Cycles => sum(|report| report.cycles.total),
    };
    let Counted { total: right, here, next } = counted;
    let solution =
        Solution::new(Form::Decimal, right).mistake(Mistake::OneAccessShort, [right - here]);
    Ok(of_kind(solution, count, &total, || pages().total)
        .mistake(Mistake::OneAccessMore, next.map(|next| right + next))
        .mistake(Mistake::AccessForTotal, [here]))
}

/// Adds the mistakes of what is counted.
fn of_kind(
    solution: Solution,
    count: Count<'_>,
    report: &RunReport,
    pages: impl Fn() -> u64,
) -> Solution {
    let (walks, refs) = (report.walks.walks, report.walks.refs);
    let others = |name: &str, of: fn(&StructureReport) -> u64| {
        report.structures.iter().filter(move |array| array.name != name).map(of).collect::<Vec<_>>()
    };
    let own = |name: &str, of: fn(&StructureReport) -> u64| {
        report.structures.iter().find(|array| array.name == name).map(of)
    };
    match count {
        Count::Walks => solution
            .mistake(Mistake::MissesForWalks, [l1_misses(report)])
            .mistake(Mistake::PagesForMisses, [pages()]),
        Count::Misses(name) => solution
            .mistake(Mistake::HitsForMisses, own(name, |array| array.hits))
            .mistake(Mistake::PagesForMisses, [pages()])
            .mistake(Mistake::WalksForMisses, [walks])
            .mistake(Mistake::OtherLevel, others(name, |array| array.misses)),
        Count::Hits(name) => solution
            .mistake(Mistake::MissesForHits, own(name, |array| array.misses))
            .mistake(Mistake::OtherLevel, others(name, |array| array.hits)),
        Count::Faults => solution.mistake(Mistake::WalksForFaults, [walks]),
        Count::References => solution.mistake(Mistake::WalksForReferences, [walks]),
        Count::Pages => solution.mistake(Mistake::AccessesForPages, [report.trace.accesses]),
        Count::Cycles => solution
            .mistake(Mistake::LookupLost, [report.cycles.total - report.cycles.l2_miss])
            .mistake(Mistake::ReferencesForCycles, [refs]),
    }
}

fn faults(report: &RunReport) -> u64 {
    let ended: u64 = report.exceptions.page_faults.values().sum();
    report.faults.minor + report.faults.major + ended
}

fn l1_misses(report: &RunReport) -> u64 {
    let kinds = &report.kinds;
    [kinds.fetch, kinds.load, kinds.store].iter().map(|kind| kind.translations - kind.l1_hits).sum()
}

/// Returns the report of accesses `from..to`.
fn report(replay: &Replay, from: u32, to: u32) -> Result<RunReport> {
    let span = Span { simulated: from..to, counted: from..to };
    let mut run = Run::counting(span, Rc::clone(replay.trace()), replay.machine_before(from));
    while !run.go_on(u32::MAX)? {}
    Ok(run.report())
}

/// Counts the different pages that the accesses use. Prefetches do not count.
fn pages(replay: &Replay, at: u32) -> Counted {
    let trace = replay.trace();
    let (start, end) = (replay.span().simulated.start, replay.span().simulated.end.min(at + 2));
    let pids = trace.accesses_from(start).take((end - start) as usize).map(|access| access.pid);
    let pids: Vec<u32> = pids.collect();
    let mut machine = replay.machine_before(start);
    let mut uses = Vec::new();
    let mut observe = |done: &Translation| {
        if done.kind != Kind::Prefetch && done.outcome != Outcome::Exception {
            uses.push((done.leaf, done.address, done.index));
        }
    };
    replay.paths().follow(&mut machine, trace, (start, end), &mut Endings(&mut observe));
    let uses = uses.into_iter().map(|(leaf, address, index)| {
        let shift = machine.page_shift(leaf);
        let page = (address & machine.va_mask()) >> shift;
        ((pids[(index - start) as usize], shift, page), index)
    });
    let mut uses: Vec<_> = uses.collect();
    // Of the uses of a page, the first one stays.
    uses.sort_unstable();
    uses.dedup_by_key(|(page, _)| *page);
    let first_at =
        |range: Range<u32>| uses.iter().filter(|(_, at)| range.contains(at)).count() as u64;
    Counted {
        total: first_at(start..at + 1),
        here: first_at(at..at + 1),
        next: (end > at + 1).then(|| first_at(at + 1..end)),
    }
}
