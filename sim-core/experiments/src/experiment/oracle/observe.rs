//! Runs the trace of a check, and gives names to what can be observed.
//!
//! | name | value |
//! |---|---|
//! | `run` | the report of the counted accesses, as `pagewalk run --json` writes it |
//! | `other` | the report of the second machine, `against` |
//! | `steps` | each counted access in full, as the replay shows it |
//! | `split` | for arrays of 1 to 16 entries, by their number: the misses of LRU, and the fewest possible ones |
//! | `models` | the machine of each CPU model, by its id |

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value as Json, to_value};

use super::data::{Check, Stream};
use super::scenario::{Item, item};
use crate::experiment::expression::{Expr, Scope, Value, count, fault, fill};
use crate::sweep;
use pagewalk::config::cpu;
use pagewalk::machine::Machine;
use pagewalk::machine::operations::cores::Cores;
use pagewalk::record::stats::Stats;
use pagewalk::run::replay::Replay;
use pagewalk_analysis::optimum::{SplitBuilder, SplitOptions};
use pagewalk_analysis::page_uses::Chosen;
use pagewalk_base::error::Result;
use pagewalk_base::trace::{Access, Completeness, Kind, TraceBuilder};
use pagewalk_sources::workload::generator;

/// The largest array of `split`.
const ENTRIES: u32 = 16;

/// Returns the observed values that the check uses, with their names.
///
/// # Errors
/// The errors of the machine, of the trace and of the expressions.
pub(super) fn observe(check: &Check, scope: &Scope<'_>) -> Result<Vec<(&'static str, Value)>> {
    let uses = |name: &str| check.got.uses(name);
    let counted = || items(&check.counted, scope);
    let all = || -> Result<_> {
        let before = items(&check.before, scope)?.map(|item| (item, false));
        Ok(before.chain(counted()?.map(|item| (item, true))))
    };
    let machine = |set: &_| machine(set, check.cores, scope);
    let mut seen = Vec::new();
    if uses("run") {
        seen.push(("run", report(machine(&check.set)?, all()?)?));
    }
    if let Some(against) = &check.against {
        let mut set = check.set.clone();
        set.extend(against.clone());
        seen.push(("other", report(machine(&set)?, all()?)?));
    }
    if uses("steps") {
        seen.push(("steps", steps(machine(&check.set)?, all()?)?));
    }
    if uses("split") {
        seen.push(("split", split(&counted()?.collect::<Vec<_>>())?));
    }
    if uses("models") {
        seen.push(("models", models()?));
    }
    Ok(seen)
}

fn machine(set: &Map<String, Json>, cores: Cores, scope: &Scope<'_>) -> Result<Machine> {
    let set = fill(&set.clone().into(), scope)?;
    let (config, os) = sweep::setup(set.as_object().ok_or_else(|| fault("`set` is an object"))?)?;
    Ok(Machine::new(&config, &os)?.with_cores(cores))
}

type Items = Box<dyn Iterator<Item = Item>>;

fn items(streams: &[Stream], scope: &Scope<'_>) -> Result<Items> {
    let mut items: Items = Box::new(std::iter::empty());
    for stream in streams {
        let next: Items = match stream {
            Stream::Trace(lines) => {
                let lines = lines.iter().map(|line| item(&line.write(scope)?).map_err(fault));
                Box::new(lines.collect::<Result<Vec<_>>>()?.into_iter())
            }
            Stream::Lines(lines) => {
                let lines = lines.evaluate(scope)?.list().map_err(fault)?;
                let lines =
                    lines.iter().map(|line| item(&line.to_text()?)).map(|it| it.map_err(fault));
                Box::new(lines.collect::<Result<Vec<_>>>()?.into_iter())
            }
            Stream::Pages(pages) => Box::new(loads(pages, 4096.0, scope)?.into_iter()),
            Stream::SmallPages(pages, shift) => {
                Box::new(loads(pages, shift.number(scope)?.exp2(), scope)?.into_iter())
            }
            Stream::Steps(steps) => Box::new(steps.accesses(scope)?.map(Item::Access)),
            Stream::Workload(workload, n) => {
                let n = count(n.number(scope)?)?;
                let made = generator(&workload.id, &workload.params(Some(n), scope)?)?;
                Box::new(made.map(Item::Access))
            }
        };
        items = Box::new(items.chain(next));
    }
    Ok(items)
}

/// Returns a load of one byte at the start of each page.
fn loads(pages: &Expr, bytes: f64, scope: &Scope<'_>) -> Result<Vec<Item>> {
    let pages = pages.evaluate(scope)?.list().map_err(fault)?;
    let load = |page: &Value| {
        let address = count(page.number().map_err(fault)? * bytes)?;
        Ok(Item::Access(Access::new(Kind::Load, address, 1)))
    };
    pages.iter().map(load).collect()
}

fn value(seen: &impl Serialize) -> Result<Value> {
    Ok(Value::from(&to_value(seen).map_err(|error| fault(error.to_string()))?))
}

/// Runs all items. Each comes with whether it is counted.
fn report(mut machine: Machine, items: impl Iterator<Item = (Item, bool)>) -> Result<Value> {
    let mut stats = Stats::default();
    for (index, (item, counts)) in (0..).zip(items) {
        match item {
            Item::Access(access) if counts => machine.access(index, &access, &mut stats),
            Item::Access(access) => machine.access(index, &access, &mut ()),
            Item::Op(record) if counts => machine.execute(&record, &mut stats),
            Item::Op(record) => machine.execute(&record, &mut ()),
        }
        if let Some(error) = machine.failure() {
            return Err(error.clone());
        }
    }
    value(&stats.report(&machine, Completeness::Complete))
}

/// Replays all items, and returns the counted accesses.
fn steps(machine: Machine, items: impl Iterator<Item = (Item, bool)>) -> Result<Value> {
    let mut builder = TraceBuilder::default();
    let mut first = 0;
    for (item, counts) in items {
        match item {
            Item::Access(access) => {
                builder.push(&access)?;
                first += u32::from(!counts);
            }
            Item::Op(record) => builder.push_op(&record)?,
        }
    }
    let trace = builder.finish(Completeness::Complete)?;
    let mut replay = Replay::new(Rc::new(trace), machine, usize::MAX);
    let mut steps = Vec::new();
    for index in first..replay.trace().len() {
        steps.push(value(&replay.seek(index))?);
    }
    Ok(Value::List(steps.into()))
}

fn split(counted: &[Item]) -> Result<Value> {
    let chosen = Chosen::default();
    let mut by_entries = vec![Value::Null];
    for entries in 1..=ENTRIES {
        let mut builder =
            SplitBuilder::new(SplitOptions { chosen: chosen.clone(), entries, ways: None })?;
        for item in counted {
            if let Item::Access(access) = item {
                builder.push(access)?;
            }
        }
        by_entries.push(value(&builder.finish())?);
    }
    Ok(Value::List(by_entries.into()))
}

fn models() -> Result<Value> {
    let mut by_id = BTreeMap::new();
    for model in cpu::models()? {
        by_id.insert(model.id.clone(), value(&model.machine)?);
    }
    Ok(Value::Record(Arc::new(by_id)))
}
