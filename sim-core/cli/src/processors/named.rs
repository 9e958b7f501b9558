//! Finds the CPU model that a name means: a model, a processor that it stands for, the number of a product, or this machine.

use anyhow::anyhow;
use pagewalk::config::cpu;

use super::host::{Host, host, is_host};
use super::number::{Product, example, of_number};
use crate::output;

/// Returns a CPU model, or an error that names similar models or lists all. If the name is of a processor that the
/// model only stands for, a note says so.
pub(crate) fn model(name: &str) -> anyhow::Result<cpu::CpuModel> {
    let (word, variant) = match name.split_once(':') {
        Some((word, variant)) => (word, format!(":{variant}")),
        None => (name, String::new()),
    };
    if is_host(word) {
        return of_host(&variant).map_err(|error| anyhow!("--cpu {word}: {error:#}"));
    }
    if cpu::model(name).is_err()
        && let Some(Product { cpu, source }) = of_number(word)
    {
        let Ok(model) = cpu::model(&(cpu.clone() + &variant)) else {
            return Err(anyhow!(
                "there is no CPU model of {cpu}, which `{word}` is: `pagewalk cpus` lists all"
            ));
        };
        let note = note(&cpu);
        let text =
            format!("{word} is a {cpu} ({source}). It is simulated as {}.{note}\n", model.id);
        output::aside(text);
        return Ok(model);
    }
    let model = cpu::model(name).map_err(|error| match similar(name).as_slice() {
        [] => match example(name) {
            Some(example) => anyhow!(
                "`{name}` names no generation: give the number of the product, such as {example}, or native for this machine"
            ),
            None => anyhow!("{}", error.message),
        },
        found => anyhow!(
            "there is no CPU `{name}`: did you mean {}? `pagewalk cpus` lists all",
            found.join(" or ")
        ),
    })?;
    if cpu::ids().all(|id| id != word)
        && let Some((_, Some(alias))) = cpu::alias(word)?
    {
        let (note, source) = (note(word), alias.source);
        output::aside(format!("{} is simulated as {} ({source}).{note}\n", alias.name, model.id));
    }
    Ok(model)
}

/// Returns the id of the model if a name means this machine's processor, else the name.
pub(crate) fn fixed(name: &str) -> String {
    let (word, variant) = name.split_once(':').unwrap_or((name, ""));
    let model = || cpu::model(&host().ok()?.cpu).ok();
    match is_host(word).then(model).flatten() {
        Some(model) if variant.is_empty() => model.id,
        Some(model) => format!("{}:{variant}", model.id),
        None => name.to_owned(),
    }
}

/// Returns the model of this machine's processor. A sentence says which it is, and why.
fn of_host(variant: &str) -> anyhow::Result<cpu::CpuModel> {
    let Host { processor, cpu, source, note: of_cores } = host()?;
    let model =
        cpu::model(&(cpu.clone() + variant)).map_err(|error| anyhow!("{}", error.message))?;
    let of_cores = of_cores.map_or_else(String::new, |note| format!(" {note}"));
    output::aside(format!(
        "This machine has {processor}: a {cpu} by {source}. It is simulated as {}.{}{of_cores}\n",
        model.id,
        note(&cpu)
    ));
    Ok(model)
}

/// The sentence about what the model leaves out of a processor, after a space; or nothing.
fn note(name: &str) -> String {
    let alias = cpu::alias(name).ok().flatten().and_then(|(_, alias)| alias);
    alias.and_then(|alias| alias.note).map_or_else(String::new, |note| format!(" {note}"))
}

/// Returns the models with a name that contains a word, or else the one that is spelled almost like it.
fn similar(word: &str) -> Vec<String> {
    const MOST: usize = 4;
    /// The share of letters that must agree.
    const ALMOST: f64 = 0.75;
    let word = word.to_lowercase();
    let models = cpu::models().unwrap_or_default();
    // If the model of a variant is known, only the variant is wrong.
    if models.iter().any(|model| word.split(':').next() == Some(&model.id)) {
        return Vec::new();
    }
    let contains = |model: &cpu::CpuModel| {
        // The name of a product line can stand before the name: `EPYC Milan`.
        let part = |name: &str| name.contains(&word) || name.len() > 3 && word.contains(name);
        word.len() > 2 && names(model).any(|name| part(&name))
    };
    let likeness = |model: &cpu::CpuModel| {
        let each = names(model).map(|name| strsim::normalized_damerau_levenshtein(&word, &name));
        each.fold(0.0, f64::max)
    };
    let best = models.iter().map(likeness).fold(ALMOST, f64::max);
    let any_contains = models.iter().any(contains);
    let found = models
        .iter()
        .filter(|model| if any_contains { contains(model) } else { likeness(model) >= best });
    found.take(MOST).map(|model| model.id.clone()).collect()
}

/// The id, the name and the aliases of a model, in lower case.
fn names(model: &cpu::CpuModel) -> impl Iterator<Item = String> {
    let aliases = model.aliases.iter().map(|alias| &alias.name);
    [&model.id, &model.name].into_iter().chain(aliases).map(|name| name.to_lowercase())
}
