//! The CPU models are well formed, and each of their numbers says where it comes from.

use std::path::Path;

use pagewalk::cpu::CpuModel;
use pagewalk::machine::Machine;
use pagewalk::os::OsConfig;
use pagewalk::probe::{Outcome, Probe, Translation};
use pagewalk::psc::{CacheShape, PdeCache};
use pagewalk::trace::{Access, Kind};
use serde_json::Value;

/// All models with the names of their files, by name.
fn models() -> Vec<(String, CpuModel)> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("cpus");
    let mut models: Vec<(String, CpuModel)> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let stem = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let text = std::fs::read_to_string(&path).unwrap();
            let model = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{stem}: {e}"));
            (stem, model)
        })
        .collect();
    models.sort_by(|a, b| a.0.cmp(&b.0));
    models
}

/// The value at a path such as `l1[0].entries` or `latency.l2_hit`.
fn resolve<'v>(machine: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(machine, |value, part| match part.split_once('[') {
        None => value.get(part),
        Some((key, index)) => value.get(key)?.get(index.strip_suffix(']')?.parse::<usize>().ok()?),
    })
}

/// Whether a row at `row` speaks of `path`: it is the same, or something around it.
fn covers(row: &str, path: &str) -> bool {
    path.strip_prefix(row).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// The paths of all numbers below `value`, sizes such as `"32K"` included.
fn numbers(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Number(_) => found.push(path.to_owned()),
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(i, item)| numbers(item, &format!("{path}[{i}]"), found));
        }
        Value::Object(fields) => {
            for (key, item) in fields {
                let path = format!("{path}.{key}");
                if key == "size" { found.push(path) } else { numbers(item, &path, found) }
            }
        }
        _ => {}
    }
}

/// The number of sets; 0 if the ways do not divide the entries.
fn n_sets(entries: u32, ways: Option<u32>) -> u32 {
    let ways = ways.unwrap_or(entries);
    if ways == 0 || !entries.is_multiple_of(ways) { 0 } else { entries / ways }
}

#[test]
fn there_are_the_models_that_the_lessons_use() {
    let ids: Vec<String> = models().into_iter().map(|(stem, _)| stem).collect();
    for id in ["intel-core2", "intel-haswell", "intel-skylake", "intel-skylake-sp", "amd-zen2"] {
        assert!(ids.iter().any(|known| known == id), "{id} is missing from {ids:?}");
    }
}

#[test]
fn a_model_is_named_after_its_file_and_has_a_name_of_its_own() {
    let mut names = Vec::new();
    for (stem, model) in models() {
        assert_eq!(model.id, stem);
        assert_eq!(model.machine.name, model.name, "{stem}");
        assert!(["Intel", "AMD", "Hygon"].contains(&model.vendor.as_str()), "{stem}");
        names.push(model.name);
    }
    names.sort();
    names.windows(2).for_each(|pair| assert_ne!(pair[0], pair[1]));
}

#[test]
fn every_array_has_a_name_of_its_own_in_the_machine() {
    for (id, model) in models() {
        let arrays = model.machine.l1.iter().chain(&model.machine.l2);
        let mut names: Vec<&str> = arrays.map(|array| array.name.as_str()).collect();
        names.sort_unstable();
        assert!(!names.contains(&""), "{id}");
        names.windows(2).for_each(|pair| assert_ne!(pair[0], pair[1], "{id}"));
    }
}

#[test]
fn sets_are_powers_of_two() {
    for (id, model) in models() {
        let machine = &model.machine;
        for array in machine.l1.iter().chain(&machine.l2) {
            assert!(n_sets(array.entries, array.ways).is_power_of_two(), "{id}: {}", array.name);
        }
        let psc = &machine.psc;
        let mut shapes: Vec<CacheShape> =
            [psc.pml5e, psc.pml4e, psc.pdpte, psc.upper].into_iter().flatten().collect();
        match &psc.pde {
            Some(PdeCache::Own(shape)) => shapes.push(*shape),
            Some(PdeCache::In(place)) => {
                assert!(
                    machine.l2.iter().any(|array| array.name == place.array),
                    "{id}: {}",
                    place.array
                );
            }
            None => {}
        }
        for shape in shapes {
            assert!(n_sets(shape.entries, shape.ways).is_power_of_two(), "{id}: {shape:?}");
        }
        for cache in &machine.memory.caches {
            let bytes = pagewalk::addr::parse_size(&cache.size).unwrap();
            let lines = u32::try_from(bytes / 64).unwrap();
            assert!(n_sets(lines, cache.ways).is_power_of_two(), "{id}: {}", cache.name);
        }
    }
}

#[test]
fn every_source_speaks_of_something_in_its_machine() {
    for (id, model) in models() {
        let machine = serde_json::to_value(&model.machine).unwrap();
        let mut paths = Vec::new();
        for row in &model.provenance {
            assert!(resolve(&machine, &row.path).is_some(), "{id}: {}", row.path);
            assert!(!row.source.is_empty(), "{id}: {}", row.path);
            assert!(!paths.contains(&&row.path), "{id}: {} has two rows", row.path);
            paths.push(&row.path);
        }
    }
}

#[test]
fn every_number_has_a_source() {
    for (id, model) in models() {
        let machine = serde_json::to_value(&model.machine).unwrap();
        let mut paths = Vec::new();
        for part in ["l1", "l2", "psc", "virt", "latency", "memory"] {
            machine.get(part).iter().for_each(|value| numbers(value, part, &mut paths));
        }
        for path in paths {
            assert!(model.provenance.iter().any(|row| covers(&row.path, &path)), "{id}: {path}");
        }
    }
}

#[test]
fn the_policy_and_the_index_of_every_array_have_a_source_of_their_own() {
    for (id, model) in models() {
        let machine = &model.machine;
        for (level, arrays) in [("l1", &machine.l1), ("l2", &machine.l2)] {
            for (i, array) in arrays.iter().enumerate() {
                let has_row = |field: &str| {
                    model.provenance.iter().any(|row| row.path == format!("{level}[{i}].{field}"))
                };
                assert!(has_row("replacement"), "{id}: {}", array.name);
                // With one set there is no index to speak of.
                assert!(
                    n_sets(array.entries, array.ways) == 1 || has_row("index"),
                    "{id}: {}",
                    array.name
                );
            }
        }
    }
}

/// How each translation ended, in order.
struct Outcomes(Vec<Outcome>);

impl Probe for Outcomes {
    fn translated(&mut self, translation: &Translation) {
        self.0.push(translation.outcome);
    }
}

#[test]
fn a_page_of_any_size_that_is_touched_twice_is_walked_once() {
    for (id, model) in models() {
        for size in model.machine.geometry().unwrap().sizes() {
            for kind in Kind::SERVED {
                let os = OsConfig { default: size, ..OsConfig::default() };
                let mut machine = Machine::new(&model.machine, &os).unwrap();
                let mut outcomes = Outcomes(Vec::new());
                for index in 0..2 {
                    machine.access(index, &Access::new(kind, 0x7f3a_1c2b_5e48, 8), &mut outcomes);
                }
                let again = outcomes.0[1];
                assert_eq!(outcomes.0[0], Outcome::Fault, "{id}: {size} {}", kind.name());
                assert!(again < Outcome::Walk, "{id}: {size} {} ends in {again:?}", kind.name());
            }
        }
    }
}

#[test]
fn the_stores_of_a_core_2_start_at_level_2() {
    let (_, model) = models().into_iter().find(|(id, _)| id == "intel-core2").unwrap();
    let has_level_1 = |kind: Kind| {
        model
            .machine
            .l1
            .iter()
            .any(|array| array.serves.as_ref().is_none_or(|kinds| kinds.contains(&kind)))
    };
    assert!(has_level_1(Kind::Fetch) && has_level_1(Kind::Load));
    assert!(!has_level_1(Kind::Store));
}
