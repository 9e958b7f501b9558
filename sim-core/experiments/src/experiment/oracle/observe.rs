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
use pagewalk::record::stats::Stats;
use pagewalk::run::replay::Replay;
use pagewalk_analysis::optimum::{SplitBuilder, SplitOptions};
use pagewalk_analysis::page_uses::Chosen;
use pagewalk_base::addr::PageSize;
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
    let (before, counted) = (items(&check.before, scope)?, items(&check.counted, scope)?);
    let mut seen = Vec::new();
    if uses("run") {
        seen.push(("run", report(machine(&check.set, scope)?, &before, &counted)?));
    }
    if let Some(against) = &check.against {
        let mut set = check.set.clone();
        set.extend(against.clone());
        seen.push(("other", report(machine(&set, scope)?, &before, &counted)?));
    }
    if uses("steps") {
        let steps = steps(machine(&check.set, scope)?, before.into_iter(), &counted)?;
        seen.push(("steps", steps));
    }
    if uses("split") {
        seen.push(("split", split(&counted)?));
    }
    if uses("models") {
        seen.push(("models", models()?));
    }
    Ok(seen)
}

fn machine(set: &Map<String, Json>, scope: &Scope<'_>) -> Result<Machine> {
    let set = fill(&set.clone().into(), scope)?;
    let (config, os) = sweep::setup(set.as_object().ok_or_else(|| fault("`set` is an object"))?)?;
    Machine::new(&config, &os)
}

fn items(streams: &[Stream], scope: &Scope<'_>) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    for stream in streams {
        match stream {
            Stream::Trace(lines) => {
                for line in lines {
                    items.push(item(&line.write(scope)?).map_err(fault)?);
                }
            }
            Stream::Lines(lines) => {
                for line in lines.evaluate(scope)?.list().map_err(fault)?.iter() {
                    items.push(item(&line.to_text().map_err(fault)?).map_err(fault)?);
                }
            }
            Stream::Pages(pages) => items.extend(loads(pages, 4096.0, scope)?),
            Stream::SmallPages(pages, shift) => {
                items.extend(loads(pages, shift.number(scope)?.exp2(), scope)?);
            }
            Stream::Steps(steps) => items.extend(steps.accesses(scope)?.map(Item::Access)),
            Stream::Workload(workload, n) => {
                let n = count(n.number(scope)?)?;
                let made = generator(&workload.id, &workload.params(Some(n), scope)?)?;
                items.extend(made.map(Item::Access));
            }
        }
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

fn report(mut machine: Machine, before: &[Item], counted: &[Item]) -> Result<Value> {
    let mut stats = Stats::default();
    for (index, item) in (0..).zip(before.iter().chain(counted)) {
        let counts = index as usize >= before.len();
        match item {
            Item::Access(access) if counts => machine.access(index, access, &mut stats),
            Item::Access(access) => machine.access(index, access, &mut ()),
            Item::Op(record) if counts => machine.execute(record, &mut stats),
            Item::Op(record) => machine.execute(record, &mut ()),
        }
        if let Some(error) = machine.failure() {
            return Err(error.clone());
        }
    }
    value(&stats.report(&machine, Completeness::Complete))
}

fn steps(machine: Machine, before: impl Iterator<Item = Item>, counted: &[Item]) -> Result<Value> {
    let mut builder = TraceBuilder::default();
    for item in before.chain(counted.iter().cloned()) {
        match item {
            Item::Access(access) => builder.push(&access)?,
            Item::Op(record) => builder.push_op(&record)?,
        }
    }
    let trace = builder.finish(Completeness::Complete)?;
    let n = counted.iter().filter(|item| matches!(item, Item::Access(_))).count();
    let first = trace.len() - u32::try_from(n).unwrap_or(u32::MAX);
    let mut replay = Replay::new(Rc::new(trace), machine, usize::MAX);
    let mut steps = Vec::new();
    for index in first..replay.trace().len() {
        steps.push(value(&replay.seek(index))?);
    }
    Ok(Value::List(steps.into()))
}

fn split(counted: &[Item]) -> Result<Value> {
    let chosen = Chosen { kinds: [true; 3], pages: PageSize(12) };
    let mut by_entries = vec![Value::Null];
    for entries in 1..=ENTRIES {
        let mut builder = SplitBuilder::new(SplitOptions { chosen, entries, ways: None })?;
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
