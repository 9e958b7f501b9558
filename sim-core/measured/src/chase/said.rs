//! The results of a chase in sentences, and what it cannot know.

use pagewalk_base::thousands::grouped;

use super::fit::ChaseFit;
use super::levels::ChaseLevel;
use super::report::ChaseReport;
use super::samples::ChasePlace;
use super::strides;

/// The names of the levels.
pub(super) const NAMES: [&str; 2] = ["first", "second"];
/// A model whose factor is at most this many times the least is as good.
const AS_GOOD: f64 = 1.05;
/// A model with a larger factor does not fit.
const TOO_FAR: f64 = 2.0;

pub(super) fn sentences(report: &ChaseReport, every_page: Option<&[ChaseLevel]>) -> Vec<String> {
    let mut said = Vec::new();
    if let Some(reason) = &report.refused {
        said.push(reason.clone());
        return said;
    }
    for (name, level) in NAMES.iter().zip(&report.levels) {
        said.push(reached(name, level, report));
    }
    if let [_, second] = report.levels.as_slice()
        && !second.is_flat
    {
        said.push("Beyond it, translations need page walks.".to_owned());
    }
    if report.stride > 1 {
        said.extend(strides::sentences(report, every_page));
    }
    match report.clock {
        Some(clock) => said.push(format!(
            "The clock ran at {:.2} GHz, if an addition takes one cycle.",
            clock.ghz
        )),
        None => said.push(
            "The clock changed during the measurement, so there are no cycles and no comparison with models. Measure again.".to_owned(),
        ),
    }
    said.extend(nearest(&report.fits));
    said
}

fn reached(name: &str, level: &ChaseLevel, report: &ChaseReport) -> String {
    let pages = interval(level.reach);
    let size = report.page;
    let every = match report.stride {
        1 => String::new(),
        stride => format!(", one page of every {stride}"),
    };
    let more = match (level.is_flat, level.cycles, level.cycles_range) {
        (true, Some(cycles), Some(range)) => format!(
            "A page beyond costs {cycles:.1} cycles more ({:.1} to {:.1}), {:.2} ns.",
            range[0], range[1], level.ns
        ),
        (true, ..) => format!(
            "A page beyond costs {:.2} ns more ({:.2} to {:.2}).",
            level.ns, level.ns_range[0], level.ns_range[1]
        ),
        (false, Some(cycles), _) => {
            format!("At twice as many pages, the cost is {cycles:.0} cycles higher, and rises.")
        }
        (false, ..) => {
            format!("At twice as many pages, the cost is {:.1} ns higher, and rises.", level.ns)
        }
    };
    format!("The {name} level reaches {pages} pages of {size}{every}. {more}")
}

pub(super) fn interval([from, to]: [u32; 2]) -> String {
    let [from, to] = [u64::from(from), u64::from(to)];
    if from == to { grouped(from) } else { format!("{} to {}", grouped(from), grouped(to)) }
}

fn nearest(fits: &[ChaseFit]) -> Option<String> {
    let best = fits.first()?;
    let name = |fit: &ChaseFit| {
        let host = if fit.nested { " in a virtual machine" } else { "" };
        format!("{}{host}", fit.name)
    };
    if !best.agrees {
        return Some(format!(
            "No model has a first level that reaches as many pages. The nearest curve is that of {}, by a factor of {:.2}.",
            name(best),
            best.factor
        ));
    }
    if best.factor > TOO_FAR {
        return Some(format!(
            "No model fits: the nearest, {}, is wrong by a factor of {:.2}.",
            name(best),
            best.factor
        ));
    }
    let as_good =
        fits.iter().skip(1).take_while(|fit| fit.agrees && fit.factor <= best.factor * AS_GOOD);
    let others: Vec<String> = as_good.map(name).collect();
    let also = match others.as_slice() {
        [] => String::new(),
        others => format!(" The curve cannot tell it from {}.", others.join(", ")),
    };
    Some(format!(
        "The nearest model is {}: its cycles differ by a factor of {:.2}.{also}",
        name(best),
        best.factor
    ))
}

pub(super) fn limits(report: &ChaseReport) -> Vec<String> {
    let mut said = vec![
        "A hit of the first level costs nothing here: it is part of every load.".to_owned(),
        "The reach of the second level can be below its entries: entries of page tables and a hypervisor's pages may share it.".to_owned(),
        "Nothing is measured about fetches, stores, the instruction TLB, or other strides than the one given.".to_owned(),
        "A hypervisor may keep large pages of this system as pages of 4K; they then behave as such.".to_owned(),
    ];
    if report.place == ChasePlace::Browser {
        said.push("The loop of a browser uses up to two pages itself, so the reach may be up to two pages more.".to_owned());
        said.push("The browser chooses the pages. If the system gives it huge pages, the steps are those of huge pages.".to_owned());
    }
    said
}
