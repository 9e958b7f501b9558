//! `pagewalk cpus`: the CPU models, with the source of each number.

use std::collections::BTreeMap;

use pagewalk::caches::tlb::ArrayConfig;
use pagewalk::config::MachineConfig;
use pagewalk::config::cpu::{Confidence, CpuModel, models};
use pagewalk_base::trace::Kind;
use serde::Serialize;
use serde_json::Value;

use crate::about::{MachineAbout, json, this_command};
use crate::args::CpusArgs;
use crate::output;
use crate::processors::{host, model};
use crate::sheet::{Sheet, cell};
use crate::table::{Table, listed};

pub(crate) fn cpus(args: &CpusArgs) -> anyhow::Result<()> {
    let Some(name) = &args.id else {
        let cpus = models()?;
        if args.result.write_csv(&this_command(), || known(&cpus))? {
            return Ok(());
        }
        if args.result.json {
            return json(this_command(), &Cpus { cpus });
        }
        let (list, variants, aliases) = (list(&cpus), variants(&cpus), aliases(&cpus));
        return output::text(format!("{list}\n{variants}\n{aliases}\n{}", native()));
    };
    let model = model(name)?;
    let about =
        this_command().on(MachineAbout::new(Some(&model.id), model.name.clone(), &model.machine));
    if args.result.write_csv(&about, || sources(&model))? {
        return Ok(());
    }
    if args.result.json { json(about, &model) } else { output::text(sheet(&model)) }
}

/// The JSON of the list.
#[derive(Serialize)]
struct Cpus {
    cpus: Vec<CpuModel>,
}

/// One row for each model, and one for each of its variants.
fn known(models: &[CpuModel]) -> Sheet {
    let mut sheet =
        Sheet::new(["id", "name", "vendor", "walkers", "l1_fetch", "l1_data", "l2", "also_for"]);
    for model @ CpuModel { id, name, machine, variants, .. } in models {
        let mut names = names(model);
        let mut row = |id: String, name: String, machine: &MachineConfig| {
            let [walkers, fetch, data, l2] = summary(machine);
            let also_for = names.remove(&id).unwrap_or_default().join(", ");
            sheet.row([id, name, heading(model), walkers, fetch, data, l2, also_for]);
        };
        row(id.clone(), name.clone(), machine);
        for variant in variants {
            let [id, name] = [format!("{id}:{}", variant.id), format!("{name}, {}", variant.name)];
            row(id, name, &variant.machine);
        }
    }
    sheet
}

/// Every number of a model with its source.
fn sources(model: &CpuModel) -> Sheet {
    let machine = serde_json::to_value(&model.machine).expect("a machine is plain data");
    let mut sheet = Sheet::new(["place", "value", "confidence", "source", "note"]);
    for row in &model.provenance {
        sheet.row([
            row.path.clone(),
            resolve(&machine, &row.path).map_or_else(String::new, describe),
            confidence(row.confidence).to_owned(),
            row.source.clone(),
            cell(row.note.as_ref()),
        ]);
    }
    sheet
}

fn list(models: &[CpuModel]) -> Table {
    let heads = ["ID", "Name", "Vendor", "Walkers", "L1 fetch", "L1 data", "L2"];
    let mut table = Table::new(heads.len(), heads);
    for model @ CpuModel { id, name, machine, .. } in models {
        let [walkers, fetch, data, l2] = summary(machine);
        table.row([id.clone(), name.clone(), heading(model), walkers, fetch, data, l2]);
    }
    table
}

/// The number of walkers, and the entries of the arrays for code, for data and of level 2.
fn summary(machine: &MachineConfig) -> [String; 4] {
    let fetch = machine.l1.iter().filter(|array| serves(array, Kind::Fetch));
    let data =
        machine.l1.iter().filter(|array| serves(array, Kind::Load) || serves(array, Kind::Store));
    [
        machine.walkers.to_string(),
        listed(fetch.map(entries)),
        listed(data.map(|array| entries(array) + restricted(array, [Kind::Load, Kind::Store]))),
        listed(machine.l2.iter().map(|array| entries(array) + restricted(array, Kind::SERVED))),
    ]
}

/// The vendor of a model, or the heading of its group.
fn heading(model: &CpuModel) -> String {
    model.group.as_ref().unwrap_or(&model.vendor).clone()
}

/// The variants of all models, as they are written after the model and a colon.
fn variants(models: &[CpuModel]) -> Table {
    let mut table = Table::new(2, ["Variant", "What it is"]);
    for CpuModel { id, name, variants, .. } in models {
        for variant in variants {
            table.row([format!("{id}:{}", variant.id), format!("{name}, {}", variant.name)]);
        }
    }
    table
}

/// The processors that models and variants also stand for.
fn aliases(models: &[CpuModel]) -> Table {
    let mut table = Table::new(2, ["ID", "Also for"]);
    for (id, names) in models.iter().flat_map(names) {
        table.row([id, names.join(", ")]);
    }
    table
}

/// What `--cpu native` is on this machine, and which other names there are.
fn native() -> String {
    let native = match host() {
        Ok(host) => format!("native: {}, a {}", host.processor, host.cpu),
        Err(error) => format!("native: {error:#}"),
    };
    format!("{native}\nNumbers of products, such as i7-4790K or EPYC 7763, are names, too.\n")
}

/// The names of other processors, by the id of the model or variant that stands for them.
fn names(CpuModel { id, aliases, .. }: &CpuModel) -> BTreeMap<String, Vec<String>> {
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for alias in aliases {
        names.entry(alias.stands_for(id)).or_default().push(alias.name.clone());
    }
    names
}

fn serves(array: &ArrayConfig, kind: Kind) -> bool {
    array.serves.as_ref().is_none_or(|kinds| kinds.contains(&kind))
}

/// The number of entries and the page sizes of an array: `1536 × 4K+2M`.
fn entries(array: &ArrayConfig) -> String {
    match &array.pages {
        Some(pages) => {
            let pages: Vec<String> = pages.iter().map(ToString::to_string).collect();
            format!("{} × {}", array.entries, pages.join("+"))
        }
        None => format!("{} × all", array.entries),
    }
}

/// The kinds of access that an array serves, in parentheses, or nothing if it serves all of `usual`.
fn restricted<const N: usize>(array: &ArrayConfig, usual: [Kind; N]) -> &'static str {
    if usual.into_iter().all(|kind| serves(array, kind)) {
        return "";
    }
    match Kind::SERVED.map(|kind| serves(array, kind)) {
        [true, false, false] => " (fetch)",
        [false, true, false] => " (load)",
        [false, false, true] => " (store)",
        [false, true, true] => " (data)",
        _ => "",
    }
}

/// Lists every number of a model with its source.
fn sheet(model: &CpuModel) -> String {
    let machine = serde_json::to_value(&model.machine).expect("a machine is plain data");
    let mut text = format!("{} ({}), {}\n", model.name, model.id, model.vendor);
    for row in &model.provenance {
        let value = resolve(&machine, &row.path).map_or_else(String::new, describe);
        text.push_str(&format!("\n{}: {value}\n", row.path));
        text.push_str(&format!("    {}: {}\n", confidence(row.confidence), row.source));
        if let Some(note) = &row.note {
            text.push_str(&format!("    {note}\n"));
        }
    }
    for alias in &model.aliases {
        let id = alias.stands_for(&model.id);
        text.push_str(&format!("\n{} is simulated as {id}: {}\n", alias.name, alias.source));
        if let Some(note) = &alias.note {
            text.push_str(&format!("    {note}\n"));
        }
    }
    for variant in &model.variants {
        text.push_str(&format!(
            "\nVariant {}:{}: {}\n    {}\n",
            model.id, variant.id, variant.name, variant.note
        ));
        for row in &variant.provenance {
            let value = serde_json::to_value(&variant.machine).expect("a machine is plain data");
            let value = resolve(&value, &row.path).map_or_else(String::new, describe);
            text.push_str(&format!("    {}: {value}\n", row.path));
        }
    }
    text
}

fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Documented => "documented",
        Confidence::ReverseEngineered => "reverse-engineered",
        Confidence::Inferred => "inferred",
        Confidence::Reported => "reported",
        Confidence::Assumed => "assumed",
    }
}

/// Finds the value at a path such as `l1[0].entries`.
fn resolve<'v>(machine: &'v Value, path: &str) -> Option<&'v Value> {
    machine.pointer(&format!("/{}", path.replace('[', "/").replace(']', "").replace('.', "/")))
}

/// The fields of an object that are printed first; the others follow in alphabetical order.
const ORDER: [&str; 5] = ["serves", "pages", "fragments", "entries", "ways"];

/// Prints a JSON value in words: `L1 dTLB 4K: entries 64, …`.
fn describe(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let name = fields.get("name").and_then(Value::as_str).map(|name| format!("{name}: "));
            let mut others: Vec<_> = fields.iter().filter(|(key, _)| *key != "name").collect();
            others.sort_by_key(|(key, _)| {
                ORDER.iter().position(|known| known == key).unwrap_or(ORDER.len())
            });
            let parts = others.into_iter().map(|(key, value)| match value {
                Value::Object(_) => format!("{key} ({})", describe(value)),
                _ => format!("{key} {}", describe(value)),
            });
            name.unwrap_or_default() + &listed(parts)
        }
        Value::Array(items) if items.iter().all(Value::is_string) => {
            items.iter().map(describe).collect::<Vec<_>>().join("+")
        }
        Value::Array(items) => items.iter().map(describe).collect::<Vec<_>>().join("; "),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
