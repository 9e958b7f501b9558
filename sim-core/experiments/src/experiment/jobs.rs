//! Makes the jobs of a data file.

use serde_json::Value as Json;

use super::data::{Accesses, Jobs, Segment, Spec, Steps, Workload};
use super::expression::{Clause, Expr, Runs, Scope, Value, count, fault, fill};
use super::job::{Job, Source};
use crate::sweep;
use pagewalk_base::error::Result;
use pagewalk_base::trace::{Access, Mapping};
use pagewalk_sources::workload::generator;

/// A job, with its group and the values of the group's loop.
pub(super) struct Keyed {
    pub(super) group: &'static str,
    pub(super) key: Vec<Value>,
    pub(super) job: Job,
}

/// Returns the jobs of an experiment, group by group.
///
/// # Errors
/// `bad-config` if a machine, a mapping or a workload in the file is not valid.
pub(super) fn jobs(spec: &'static Spec) -> Result<Vec<Keyed>> {
    let file = spec.file(Runs::new());
    let mut jobs = Vec::new();
    for group in &spec.jobs {
        Clause::for_each(&group.each, &Scope::new(&file), &mut |scope, key| {
            jobs.push(Keyed { group: &group.id, key: key.to_vec(), job: group.job(scope)? });
            Ok(())
        })?;
    }
    Ok(jobs)
}

fn whole(expr: &Expr, scope: &Scope<'_>) -> Result<u64> {
    count(expr.number(scope)?)
}

impl Jobs {
    fn job(&self, scope: &Scope<'_>) -> Result<Job> {
        let Json::Object(fields) = fill(&Json::Object(self.set.clone()), scope)? else {
            return Err(fault("`set` is an object"));
        };
        let (machine, os) = sweep::setup(&fields)?;
        let warmup = self.warmup.as_ref().map_or(Ok(0), |warmup| whole(warmup, scope))?;
        let n = whole(&self.counted, scope)?;
        let mut accesses: Box<dyn Iterator<Item = Access>> = Box::new(std::iter::empty());
        let mut left = warmup + n;
        let (mut source, mut before, mut so_far) = (None, 0, 0);
        for (at, part) in self.accesses.iter().enumerate() {
            let is_last = at + 1 == self.accesses.len();
            let (length, part): (_, Box<dyn Iterator<Item = Access>>) = match part {
                Accesses::Steps(steps) => {
                    (whole(&steps.n, scope)?, Box::new(steps.accesses(scope)?))
                }
                Accesses::Workload(workload) => {
                    let params = workload.params(is_last.then_some(left), scope)?;
                    let made = generator(&workload.id, &params)?;
                    let params = params.into_iter().collect();
                    source = Some(Source { id: workload.id.clone(), params });
                    before = so_far;
                    (made.n_accesses(), Box::new(made))
                }
            };
            so_far += length;
            left = left.checked_sub(length).ok_or_else(|| fault("there are too many accesses"))?;
            accesses = if at == 0 { part } else { Box::new(accesses.chain(part)) };
        }
        let segment = self.segment.as_ref().and_then(|segment| segment.mapping(scope).transpose());
        let name = self.name.as_ref().map(|name| name.write(scope)).transpose()?;
        let mappings = segment.transpose()?.into_iter().collect();
        Ok(Job { machine, os, mappings, accesses, source, before, name, warmup, n })
    }
}

impl Workload {
    /// Returns the parameters of a workload, with the number of accesses if that number is known.
    pub(super) fn params(
        &self,
        n: Option<u64>,
        scope: &Scope<'_>,
    ) -> Result<Vec<(String, String)>> {
        let given = self.params.iter().map(|(name, text)| Ok((name.clone(), text.write(scope)?)));
        let length = n.map(|n| Ok(("accesses".to_owned(), n.to_string())));
        given.chain(length).collect()
    }
}

impl Steps {
    pub(super) fn accesses(
        &self,
        scope: &Scope<'_>,
    ) -> Result<impl Iterator<Item = Access> + use<>> {
        let [base, step, n] = [&self.base, &self.step, &self.n].map(|expr| whole(expr, scope));
        let (base, step, n) = (base?, step?, n?);
        let around = self.around.as_ref().map_or(Ok(n), |around| whole(around, scope))?;
        let (kind, size) = (self.kind, self.size);
        Ok((0..n).map(move |at| Access::new(kind, base + at % around * step, size)))
    }
}

impl Segment {
    fn mapping(&self, scope: &Scope<'_>) -> Result<Option<Mapping>> {
        let base = whole(&self.base, scope)?;
        let range = base..base + whole(&self.bytes, scope)?;
        Ok(Mapping::new(0, range, whole(&self.offset, scope)?, self.is_executable, &self.file))
    }
}
