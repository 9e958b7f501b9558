//! A measurement as text: sentences, a chart, and the nearest models.

use std::fmt::Write as _;

use pagewalk_measured::chase::{ChaseFit, ChaseReport};

use crate::table::{Table, grouped};

/// The columns of the chart.
const WIDTH: usize = 40;
/// The models that are listed.
const LISTED: usize = 5;

pub(super) fn text(report: &ChaseReport) -> String {
    let every = match report.stride {
        1 => String::new(),
        stride => format!(", one page of every {stride}"),
    };
    let mut text = format!(
        "One load per page of {}{every}, {} rounds\n\n",
        report.page,
        grouped(report.rounds.into())
    );
    for sentence in &report.sentences {
        text += &format!("{sentence}\n");
    }
    text.push('\n');
    text += &chart(report);
    if !report.fits.is_empty() {
        text.push('\n');
        text += &fits(&report.fits).to_string();
    }
    text.push_str("\nWhat this does not show:\n");
    for limit in &report.limits {
        text += &format!("- {limit}\n");
    }
    text
}

/// Draws a bar for each shown number of pages, and a mark at the cycles of the nearest model. The scale is logarithmic.
fn chart(report: &ChaseReport) -> String {
    let nearest = report.fits.first();
    let (unit, factor) = report.clock.map_or(("ns", 1.0), |clock| ("cycles", clock.ghz));
    let shown: Vec<usize> = (0..report.curve.len()).filter(|at| is_shown(report, *at)).collect();
    let measured = |at: usize| (report.curve[at].ns * factor).max(0.0);
    let model = |at: usize| nearest.and_then(|fit| simulated(report, fit, report.curve[at].pages));
    let all = shown.iter().flat_map(|at| [Some(measured(*at)), model(*at)]).flatten();
    let most = all.fold(1.0, f64::max);
    let column = |value: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a column of the chart"
        )]
        let at = (value.ln_1p() / most.ln_1p() * WIDTH as f64).round() as usize;
        at.min(WIDTH)
    };
    let name = nearest.map_or_else(String::new, |fit| format!(", | {}", name(fit)));
    let mut text = format!("{:>7} {unit:>7}  ▆ measured{name}\n", "pages");
    for at in shown {
        let mut bar: Vec<char> = std::iter::repeat_n('▆', column(measured(at))).collect();
        if let Some(at) = model(at).map(column) {
            bar.resize(bar.len().max(at + 1), ' ');
            bar[at] = '|';
        }
        let bar: String = bar.into_iter().collect();
        let pages = grouped(report.curve[at].pages.into());
        let _ = writeln!(text, "{}", format!("{pages:>7} {:>7.1}  {bar}", measured(at)).trim_end());
    }
    text
}

/// Returns the cycles of a model at a number of pages, if it was simulated.
pub(super) fn simulated(report: &ChaseReport, fit: &ChaseFit, pages: u32) -> Option<f64> {
    let at = report.simulated.iter().position(|it| *it == pages)?;
    fit.cycles.get(at).copied()
}

/// Powers of two, and the points at the ends of the levels.
fn is_shown(report: &ChaseReport, at: usize) -> bool {
    let pages = report.curve[at].pages;
    let next = report.curve.get(at + 1).map_or(u32::MAX, |cost| cost.pages);
    let before = at.checked_sub(1).map_or(0, |at| report.curve[at].pages);
    let is_end = |end: u32| (pages..next).contains(&end) || (before..pages).contains(&end);
    let ends = report.levels.iter().flat_map(|level| level.reach.iter().chain(&level.half));
    pages.is_power_of_two() || ends.copied().any(is_end)
}

fn name(fit: &ChaseFit) -> String {
    if fit.nested { format!("{} in a virtual machine", fit.name) } else { fit.name.clone() }
}

fn fits(fits: &[ChaseFit]) -> Table {
    let mut table = Table::new(3, ["Nearest models", "--cpu", "First level", "Factor"]);
    for fit in fits.iter().take(LISTED) {
        let first = if fit.agrees { "agrees" } else { "differs" };
        table.row([name(fit), fit.cpu.clone(), first.to_owned(), format!("{:.2}", fit.factor)]);
    }
    table
}
