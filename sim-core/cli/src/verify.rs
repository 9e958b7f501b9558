//! `pagewalk verify`: runs the simulator against statements with known answers.

use anyhow::{anyhow, bail};
use pagewalk_experiments::about::cell as value;
use pagewalk_experiments::experiment::{Basis, OracleCheck, OracleInfo, OracleResult};
use pagewalk_experiments::experiment::{oracles, verify as run};
use serde::Serialize;

use crate::about::{json, this_command};
use crate::args::VerifyArgs;
use crate::output;
use crate::sheet::{Sheet, cell};
use crate::table::Table;

#[derive(Serialize)]
struct Verified {
    oracles: Vec<OracleResult>,
}

/// # Errors
/// If a check differs, after everything is printed.
pub(crate) fn verify(args: &VerifyArgs) -> anyhow::Result<()> {
    let all = || oracles().iter().map(|info| info.number).collect();
    let numbers = if args.numbers.is_empty() { all() } else { args.numbers.clone() };
    let results = numbers.into_iter().map(run);
    let results = results.map(|result| result.map_err(|error| anyhow!("{}", error.message)));
    let results = Verified { oracles: results.collect::<anyhow::Result<_>>()? };
    let differing = results.oracles.iter().flat_map(|it| &it.checks).filter(|it| !it.agrees);
    let differing = differing.count();
    let about = this_command();
    if args.result.write_csv(&about, || checks(&results.oracles))? {
        // Standard output has the table.
    } else if args.result.json {
        json(about, &results)?;
    } else if args.numbers.is_empty() {
        output::text(overview(&results.oracles))?;
    } else {
        let sheets: Vec<String> = results.oracles.iter().map(sheet).collect();
        output::text(sheets.join("\n"))?;
    }
    match differing {
        0 => Ok(()),
        1 => bail!("1 check differs from its known answer"),
        n => bail!("{n} checks differ from their known answers"),
    }
}

/// One row for each check.
fn checks(results: &[OracleResult]) -> Sheet {
    let mut sheet = Sheet::new([
        "statement",
        "check",
        "known_answer",
        "within",
        "simulated",
        "agrees",
        "basis",
        "source",
        "address",
    ]);
    for OracleResult { info, checks, .. } in results {
        let basis = serde_json::to_value(info.basis).expect("a basis is a word");
        for OracleCheck { name, got, expected, within, agrees, url } in checks {
            sheet.row([
                format!("O{}", info.number),
                name.clone(),
                expected.clone(),
                cell(*within),
                got.clone(),
                agrees.to_string(),
                value(&basis),
                info.source.clone(),
                cell(url.as_ref().or(info.url.as_ref())),
            ]);
        }
    }
    sheet
}

/// One line for each statement, and the checks that differ.
fn overview(results: &[OracleResult]) -> String {
    let mut table = Table::bare(3);
    let mut differing = String::new();
    let [mut n_checks, mut transcribed, mut expected] = [0; 3];
    for OracleResult { info, checks, .. } in results {
        let agree = checks.iter().filter(|check| check.agrees).count();
        *match info.basis {
            Basis::Transcription => &mut transcribed,
            Basis::Expected => &mut expected,
            Basis::Manual | Basis::Published | Basis::Derived => &mut n_checks,
        } += checks.len();
        let of = format!("{agree} of {} agree", checks.len());
        table.add([format!("O{}", info.number), of, info.claim.clone()]);
        for check in checks.iter().filter(|check| !check.agrees) {
            differing += &format!("O{}, {}\n", info.number, difference(check));
        }
    }
    let n = results.len();
    let sum = if differing.is_empty() { "all agree\n" } else { "these differ\n" };
    format!(
        "{table}\n{n} statements, {n_checks} checks, {transcribed} transcriptions, {expected} expectations: {sum}{differing}"
    )
}

fn difference(OracleCheck { name, expected, got, .. }: &OracleCheck) -> String {
    format!("{name}: the known answer is {expected}, simulated is {got}")
}

/// A statement with its source and all its checks.
fn sheet(OracleResult { info, checks, .. }: &OracleResult) -> String {
    let OracleInfo { number, claim, basis, source, url } = info;
    let basis = match basis {
        Basis::Manual => "A manual's rule",
        Basis::Published => "A printed answer",
        Basis::Derived => "Derived on paper",
        Basis::Expected => "Our expectation",
        Basis::Transcription => "Transcription of the model's numbers",
    };
    let url = url.as_ref().map_or_else(String::new, |url| format!(" {url}"));
    let mut table = Table::new(4, ["check", "known answer", "simulated", ""]);
    for OracleCheck { name, got, expected, within, agrees, .. } in checks {
        let within = within.map_or_else(String::new, |within| format!(" ± {within}"));
        let verdict = if *agrees { "agrees" } else { "DIFFERS" };
        table.row([name.clone(), format!("{expected}{within}"), got.clone(), verdict.to_owned()]);
    }
    format!("O{number}: {claim}\n{basis}: {source}.{url}\n\n{table}")
}
