//! `pagewalk explain`: the references of one cold walk.

use pagewalk::caches::psc::PscConfig;
use pagewalk::caches::virt::VirtConfig;
use pagewalk::run::explain::Explanation;
use pagewalk_base::addr::Hex;

use crate::args::ExplainArgs;
use crate::output;
use crate::setup::Setup;
use crate::table::{Table, grouped};

pub(crate) fn explain(args: &ExplainArgs) -> anyhow::Result<()> {
    let mut setup = Setup::new(&args.machine, &args.virt, args.pages.as_ref(), None)?;
    if args.no_walk_caches {
        setup.config.psc = PscConfig::default();
        if let Some(virt) = &mut setup.config.virt {
            *virt = VirtConfig { nested_tlb: None, ept_psc: None, pwc: None, ..virt.clone() };
        }
    }
    let explained = pagewalk::run::explain::explain(&setup.config, &setup.os, args.va);
    let explanation = explained.map_err(|error| setup.blame(error))?;
    if args.json {
        // The JSON holds only the explanation, as in the browser, so the warning goes to stderr.
        if let Some(warning) = setup.warning() {
            output::aside(format!("Warning: {warning}\n"));
        }
        output::json(&explanation)
    } else {
        output::text(text(&explanation, &setup, args.va))
    }
}

fn text(explanation: &Explanation, setup: &Setup, address: u64) -> String {
    let title = format!(
        "A load at {} on {}, {}, with cold caches\n\n",
        Hex(address),
        setup.machine_name(),
        setup.os_name()
    );
    let mut table = Table::new(5, ["Read", "Entry", "For", "Address", "Served by", "Cycles"]);
    for step in &explanation.steps {
        table.row([
            step.n.to_string(),
            step.entry.clone(),
            step.purpose.clone(),
            step.address.to_string(),
            step.served_by.clone(),
            grouped(step.cycles),
        ]);
    }
    let cycles: u64 = explanation.steps.iter().map(|step| step.cycles).sum();
    let sum = format!(
        "\n{} references, {} cycles (a model, not a measurement)\n",
        explanation.refs,
        grouped(cycles)
    );
    let warning = setup.warning().map(|warning| format!("\nWarning: {warning}\n"));
    title + &table.to_string() + &sum + &warning.unwrap_or_default()
}
