//! `pagewalk explain`: the references of one cold walk.

use pagewalk::caches::psc::PscConfig;
use pagewalk::caches::virt::VirtConfig;
use pagewalk::config::MachineConfig;
use pagewalk::page_table::EcptConfig;
use pagewalk::record::event::CyclesView;
use pagewalk::run::explain::{ExplainStep, Explanation};
use pagewalk_base::addr::Hex;

use crate::about::json;
use crate::args::ExplainArgs;
use crate::output;
use crate::setup::Setup;
use crate::sheet::Sheet;
use crate::table::{Table, grouped};

pub(crate) fn explain(args: &ExplainArgs) -> anyhow::Result<()> {
    let mut setup = Setup::new(&args.machine, &args.virt, args.pages.as_ref(), None)?;
    let without = without_caches(&setup.config);
    if args.no_walk_caches {
        setup.remove_walk_caches(without.clone());
    }
    let explained = pagewalk::run::explain::explain(&setup.config, &setup.os, args.va);
    let explanation = explained.map_err(|error| setup.blame(error))?;
    let about = setup.about();
    if args.result.write_csv(&about, || sheet(&explanation))? {
        return Ok(());
    }
    if args.result.json {
        // The JSON holds only the explanation, as in the browser, so the warnings go to stderr.
        for warning in setup.warnings() {
            output::aside(format!("Warning: {warning}\n"));
        }
        json(about, &explanation)
    } else {
        let all = pagewalk::run::explain::explain(&without, &setup.os, args.va);
        let all = all.map_err(|error| setup.blame(error))?.refs;
        output::text(text(&explanation, all, &setup, args.va))
    }
}

/// Returns the machine without the caches of page walks.
fn without_caches(machine: &MachineConfig) -> MachineConfig {
    let virt = machine.virt.clone();
    let virt = virt.map(|virt| VirtConfig { nested_tlb: None, ept_psc: None, pwc: None, ..virt });
    MachineConfig {
        psc: PscConfig::default(),
        virt,
        pom_tlb: None,
        victima: None,
        ecpt: machine.ecpt.map(EcptConfig::without_walk_caches),
        ..machine.clone()
    }
}

/// Returns the row of a reference. A table groups the digits of its cycles, a CSV file does not.
fn cells(step: &ExplainStep, cycles: String) -> [String; 6] {
    [
        step.n.to_string(),
        step.entry.clone(),
        step.purpose.clone(),
        step.address.to_string(),
        step.served_by.clone(),
        cycles,
    ]
}

fn sheet(explanation: &Explanation) -> Sheet {
    let mut sheet = Sheet::new(["read", "entry", "for", "address", "served_by", "cycles"]);
    for step in &explanation.steps {
        sheet.row(cells(step, step.cycles.to_string()));
    }
    sheet
}

/// Prints the references. `all` is their number without walk caches.
fn text(explanation: &Explanation, all: u32, setup: &Setup, address: u64) -> String {
    let title = format!(
        "A load at {} on {}, {}, with cold caches\n\n",
        Hex(address),
        setup.machine_name(),
        setup.os_name()
    );
    let mut table = Table::new(5, ["Read", "Entry", "For", "Address", "Served by", "Cycles"]);
    for step in &explanation.steps {
        table.row(cells(step, grouped(step.cycles)));
    }
    let CyclesView { l2_miss, walk_overhead, references, total, .. } = explanation.cycles;
    let sum = format!(
        "\n{} references, {} cycles (a model, not a measurement): {} level-2 miss, {} walk overhead, {} references\n",
        explanation.refs,
        grouped(total),
        grouped(l2_miss),
        grouped(walk_overhead),
        grouped(references)
    );
    let hashed = explanation.hashed.as_ref().map(|said| format!("{said}\n")).unwrap_or_default();
    let refs = explanation.refs;
    let saved = if refs < all {
        format!(
            "The walk itself fills the walk caches, so it reads {refs} references and not {all}. --no-walk-caches leaves the caches out.\n"
        )
    } else {
        String::new()
    };
    let warnings = setup.warnings().into_iter().map(|warning| format!("\nWarning: {warning}\n"));
    title + &table.to_string() + &sum + &hashed + &saved + &warnings.collect::<String>()
}
