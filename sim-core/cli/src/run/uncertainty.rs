//! `pagewalk run --uncertainty`: the runs with other values of assumed parameters, on all processors, and their table.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use indicatif::ProgressBar;
use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::os::MemoryMap;
use pagewalk::record::stats::{RunReport, Stats};
use pagewalk::run::replay::Run;
use pagewalk::run::window::Span;
use pagewalk_analysis::uncertainty::{
    Change, Combined, LeftOut, Outcome, ParameterReport, Uncertainty, UncertaintyReport, Varied,
};
use pagewalk_base::trace::{CHUNK, Trace};

use crate::processors::model;
use crate::progress::share_bar;
use crate::setup::Setup;
use crate::sheet::Sheet;
use crate::table::{Table, change, grouped, listed};

/// A trace, and what all runs of it have in common.
pub(super) struct Runs<'a> {
    pub(super) setup: &'a Setup,
    pub(super) cores: Cores,
    pub(super) map: &'a MemoryMap<'a>,
    pub(super) trace: &'a Trace,
    pub(super) span: &'a Span,
    /// The counters before the run.
    pub(super) stats: &'a Stats,
    /// The report of the model.
    pub(super) report: &'a RunReport,
}

impl Runs<'_> {
    /// Varies the assumed parameters of the CPU model `cpu`.
    ///
    /// # Errors
    /// Errors of the simulation.
    pub(super) fn vary(&self, cpu: &str, jobs: usize) -> anyhow::Result<UncertaintyReport> {
        let mut plan = Uncertainty::new(&model(cpu)?, self.setup.os.virt, self.report)?;
        let single = plan.changes();
        let lists: Vec<&[Change]> = single.iter().map(std::slice::from_ref).collect();
        // The two ends come after all single changes.
        let bar = self.bar(lists.len() + 2);
        let outcomes = self.all(&plan, &lists, jobs, &bar)?;
        let [low, high] = plan.combined(&outcomes);
        let ends = self.all(&plan, &[&low, &high], jobs, &bar)?;
        bar.finish_and_clear();
        let [of_low, of_high] = ends[..] else { unreachable!("each list has an outcome") };
        let low = Combined { changes: low, outcome: of_low };
        let high = Combined { changes: high, outcome: of_high };
        Ok(plan.report(&outcomes, [low, high]))
    }

    /// Runs the machines with the changes of each list.
    fn all(
        &self,
        plan: &Uncertainty,
        lists: &[&[Change]],
        jobs: usize,
        bar: &ProgressBar,
    ) -> anyhow::Result<Vec<Outcome>> {
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<Option<anyhow::Result<Outcome>>>> =
            Mutex::new(lists.iter().map(|_| None).collect());
        let work = || {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(changes) = lists.get(at) else { return };
                let outcome = self.one(plan, changes, bar);
                done.lock().expect("a panic ends the program")[at] = Some(outcome);
            }
        };
        thread::scope(|scope| {
            for _ in 1..jobs.min(lists.len()) {
                scope.spawn(work);
            }
            work();
        });
        let done = done.into_inner().expect("a panic ends the program");
        done.into_iter().flatten().collect()
    }

    fn one(
        &self,
        plan: &Uncertainty,
        changes: &[Change],
        bar: &ProgressBar,
    ) -> anyhow::Result<Outcome> {
        let Self { setup, cores, map, trace, span, stats, report } = *self;
        let config = plan.machine(changes)?;
        let machine = Machine::with_map(&config, &setup.os, map);
        let machine = machine.map_err(|error| setup.blame(error))?.with_cores(cores);
        let all = u64::from(span.simulated.end - span.simulated.start);
        if let Some(computed) = report.at_latencies_of(&machine, &setup.config) {
            bar.inc(all);
            return Ok(Outcome::of(&computed));
        }
        let mut run = Run::new(span.clone(), trace, machine).with(stats.clone());
        while !run.is_done() {
            let before = run.position();
            run.go_on(CHUNK)?;
            bar.inc(u64::from(run.position() - before));
        }
        Ok(Outcome::of(&run.report()))
    }

    fn bar(&self, n_runs: usize) -> ProgressBar {
        let Span { simulated, .. } = self.span;
        let accesses = u64::from(simulated.end - simulated.start);
        share_bar(accesses * n_runs as u64, format!("{n_runs} runs"))
    }
}

/// Prints the interval, and the parameters with an effect.
pub(super) fn text(report: &UncertaintyReport) -> String {
    let UncertaintyReport { model, low, high, parameters, left_out } = report;
    let mut ends = Table::new(1, ["Run", "Cycles", "", "With overlap", "Walks"]);
    for (name, outcome) in
        [("the CPU model", *model), ("fewest cycles", low.outcome), ("most cycles", high.outcome)]
    {
        ends.add([name.to_owned()].into_iter().chain(numbers(model, &outcome)));
    }
    let mut parts = vec![ends.to_string()];
    let (with, without): (Vec<_>, Vec<_>) =
        parameters.iter().partition(|it| it.effect > 0 || it.overlapped_effect > 0);
    parts.push(match with.first() {
        Some(first) => format!(
            "The interval is {} to {} cycles, one after the other. {} has the largest effect.\n",
            grouped(low.outcome.cycles),
            grouped(high.outcome.cycles),
            first.path
        ),
        None => "No assumed parameter changes this run.\n".to_owned(),
    });
    if !with.is_empty() {
        let head = ["Assumed parameter", "Model", "Instead", "Cycles", "", "With overlap", "Walks"];
        let mut table = Table::new(3, head);
        for ParameterReport { path, value, runs, .. } in with {
            let mut names = [path.clone(), plain(value)];
            for Varied { value, outcome } in runs {
                let instead = plain(value);
                let cells = names.into_iter().chain([instead]).chain(numbers(model, outcome));
                table.add(cells);
                names = [String::new(), String::new()];
            }
        }
        parts.push(table.to_string());
    }
    let mut notes = String::new();
    if !without.is_empty() {
        notes += &format!("No effect: {}\n", listed(without.iter().map(|it| &it.path)));
    }
    notes += &left_out_text(left_out);
    parts.push(notes);
    parts.retain(|part| !part.is_empty());
    parts.join("\n")
}

/// Lists what is left out, one line for each reason.
fn left_out_text(left_out: &[LeftOut]) -> String {
    let mut by_reason: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for LeftOut { path, value, why } in left_out {
        let value = value.as_ref().map_or_else(String::new, |value| format!(" = {}", plain(value)));
        by_reason.entry(why).or_default().push(format!("{path}{value}"));
    }
    let lines =
        by_reason.iter().map(|(why, paths)| format!("Left out, {why}: {}\n", listed(paths)));
    lines.collect()
}

/// Returns the cycles, their change, the bound with overlap, and the walks.
fn numbers(model: &Outcome, outcome: &Outcome) -> [String; 4] {
    let Outcome { walks, cycles, overlapped } = *outcome;
    [grouped(cycles), change(model.cycles, cycles), grouped(overlapped), grouped(walks)]
}

fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns a row for each run.
pub(super) fn sheet(report: &UncertaintyReport) -> Sheet {
    let columns =
        ["parameter", "model", "value", "walks", "cycles", "overlapped", "effect", "reason"];
    let mut sheet = Sheet::new(columns);
    let mut add = |names: [String; 3], outcome: &Outcome, more: [String; 2]| {
        let Outcome { walks, cycles, overlapped } = *outcome;
        let numbers = [walks, cycles, overlapped].map(|n| n.to_string());
        let [parameter, model, value] = names;
        let [a, b, c] = numbers;
        let [effect, reason] = more;
        sheet.row([parameter, model, value, a, b, c, effect, reason]);
    };
    let UncertaintyReport { model, low, high, parameters, .. } = report;
    let none = || [String::new(), String::new()];
    let row = |name: &str, changes: &[Change]| {
        let changes = changes.iter().map(|it| format!("{}={}", it.path, plain(&it.value)));
        [name.to_owned(), String::new(), changes.collect::<Vec<_>>().join("; ")]
    };
    add(row("the CPU model", &[]), model, none());
    add(row("fewest cycles", &low.changes), &low.outcome, none());
    add(row("most cycles", &high.changes), &high.outcome, none());
    for ParameterReport { path, value: own, reason, runs, effect, .. } in parameters {
        for Varied { value, outcome } in runs {
            let names = [path.clone(), plain(own), plain(value)];
            add(names, outcome, [effect.to_string(), reason.clone()]);
        }
    }
    sheet
}
