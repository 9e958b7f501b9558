//! The list of experiments: the files of `data/`.

use std::sync::OnceLock;

use super::data::Spec;
use super::result::ExperimentInfo;
use pagewalk_base::error::{Error, Result};
use pagewalk_base::sorted::sort_by_numbers;

const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/experiments.rs"));

fn specs() -> &'static [Spec] {
    static SPECS: OnceLock<Vec<Spec>> = OnceLock::new();
    SPECS.get_or_init(|| {
        let read = |(id, json): &(&str, &str)| {
            let mut spec: Spec = serde_json::from_str(json)
                .unwrap_or_else(|error| panic!("experiments/data/{id}.json: {error}"));
            (*id).clone_into(&mut spec.id);
            spec
        };
        let mut specs: Vec<Spec> = FILES.iter().map(read).collect();
        sort_by_numbers(&mut specs, |spec| (spec.order.into(), 0));
        specs
    })
}

/// Returns all experiments, in the order in which they are shown.
pub fn list() -> Vec<ExperimentInfo> {
    specs().iter().map(|spec| spec.info().expect("the build's tests read every file")).collect()
}

/// Returns the experiment `id`.
///
/// # Errors
/// `bad-config` if there is no such experiment; the message lists the existing ones.
pub(super) fn spec(id: &str) -> Result<&'static Spec> {
    specs().iter().find(|spec| spec.id == id).ok_or_else(|| {
        let known: Vec<&str> = specs().iter().map(|spec| spec.id.as_str()).collect();
        let message = format!("there is no experiment `{id}`: choose one of {}", known.join(", "));
        Error::config("experiment", message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_orders_are_one_two_three() {
        assert!(specs().iter().zip(1..).all(|(spec, order)| spec.order == order));
        assert_eq!(list().len(), FILES.len());
    }
}
