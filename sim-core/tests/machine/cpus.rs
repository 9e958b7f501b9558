//! Checks that the CPU models are well formed, and that each of their numbers has a source.

use std::path::Path;

use pagewalk::caches::psc::{CacheShape, PscConfig, WalkCache};
use pagewalk::caches::virt::NestedTlb;
use pagewalk::config::MachineConfig;
use pagewalk::config::cpu::{self, CpuModel, VariantKind};
use pagewalk::machine::Machine;
use pagewalk::machine::probe::{Outcome, Probe, Translation};
use pagewalk::os::{OsConfig, PagePolicy};
use pagewalk_base::trace::{Access, Kind};
use serde_json::Value;

/// Returns the names of the files of all models.
fn files() -> Vec<String> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("cpus");
    let mut files: Vec<String> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    files.sort();
    files
}

/// Returns all models with the names of their files, sorted by name.
fn models() -> Vec<(String, CpuModel)> {
    let model = |id: String| {
        let model = cpu::model(&id).unwrap_or_else(|e| panic!("{e}"));
        (id, model)
    };
    files().into_iter().map(model).collect()
}

/// Returns all models, each followed by its variants as models.
fn with_variants() -> Vec<(String, CpuModel)> {
    let mut all = models();
    for (id, model) in models() {
        for variant in model.variants {
            let id = format!("{id}:{}", variant.id);
            all.push((id.clone(), cpu::model(&id).unwrap_or_else(|e| panic!("{e}"))));
        }
    }
    all
}

/// Returns the value at a path such as `l1[0].entries` or `latency.l2_hit`.
fn resolve<'v>(machine: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(machine, |value, part| match part.split_once('[') {
        None => value.get(part),
        Some((key, index)) => value.get(key)?.get(index.strip_suffix(']')?.parse::<usize>().ok()?),
    })
}

/// Returns whether a source for `row` covers `path`: the paths are equal, or `row` contains `path`.
fn covers(row: &str, path: &str) -> bool {
    path.strip_prefix(row).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Collects the paths of all numbers below `value`, including sizes such as `"32K"`.
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

/// Returns the number of sets, or 0 if the ways do not divide the entries.
fn n_sets(entries: u32, ways: Option<u32>) -> u32 {
    let ways = ways.unwrap_or(entries);
    if ways == 0 || !entries.is_multiple_of(ways) { 0 } else { entries / ways }
}

#[test]
fn there_are_models_of_each_vendor_and_age() {
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
        let vendors = "Intel AMD Hygon Arm Apple Huawei Qualcomm XiangShan SiFive IBM";
        let is_small = model.group.as_deref() == Some("Small machines");
        assert!(is_small || vendors.split(' ').any(|known| known == model.vendor), "{stem}");
        names.push(model.name);
    }
    names.sort();
    names.windows(2).for_each(|pair| assert_ne!(pair[0], pair[1]));
}

#[test]
fn every_name_of_a_processor_is_of_one_model_and_has_a_source() {
    for (_, model) in models() {
        let aliases = model.aliases.iter().map(|alias| (&alias.name, alias.stands_for(&model.id)));
        for (name, id) in aliases.chain([(&model.name, model.id.clone())]) {
            for name in [name.clone(), format!("{} {name}", model.vendor)] {
                let same = name.to_uppercase().replace(' ', "");
                assert_eq!(cpu::model(&name).map(|model| model.id), Ok(id.clone()), "{name}");
                assert_eq!(cpu::model(&same).map(|model| model.id), Ok(id.clone()), "{same}");
            }
        }
        assert!(model.aliases.iter().all(|alias| alias.source.len() > 10), "{}", model.id);
    }
    assert_eq!(cpu::model("Cascade Lake:smt-on").unwrap().id, "intel-skylake-sp:smt-on");
    for unknown in ["EPYC", "Xeon", "Graviton", "Cooper Lake", "", ":", "Intel", "Zen"] {
        let found = cpu::model(unknown).map(|model| model.id);
        assert_eq!(found.is_ok(), unknown == "Zen", "{unknown}: {found:?}");
    }
}

#[test]
fn every_array_has_a_name_of_its_own_in_the_machine() {
    for (id, model) in with_variants() {
        let arrays = model.machine.l1.iter().chain(&model.machine.l2);
        let mut names: Vec<&str> = arrays.map(|array| array.name.as_str()).collect();
        names.sort_unstable();
        assert!(!names.contains(&""), "{id}");
        names.windows(2).for_each(|pair| assert_ne!(pair[0], pair[1], "{id}"));
    }
}

#[test]
fn sets_are_powers_of_two() {
    for (id, model) in with_variants() {
        let machine = &model.machine;
        for array in machine.l1.iter().chain(&machine.l2) {
            assert!(n_sets(array.entries, array.ways).is_power_of_two(), "{id}: {}", array.name);
        }
        let psc = &machine.psc;
        let mut shapes: Vec<CacheShape> =
            [psc.pml5e, psc.pml4e, psc.pdpte, psc.upper].into_iter().flatten().collect();
        for cache in [&psc.pde, &psc.unified].into_iter().flatten() {
            match cache {
                WalkCache::Own(shape) => shapes.push(*shape),
                WalkCache::In(place) => {
                    let known = machine.l2.iter().any(|array| array.name == place.array);
                    assert!(known, "{id}: {}", place.array);
                }
            }
        }
        let nested_tlb = machine.virt.as_ref().and_then(|virt| virt.nested_tlb.as_ref());
        if let Some(NestedTlb::In(place)) = nested_tlb {
            let known = machine.l2.iter().any(|array| array.name == place.array);
            assert!(known, "{id}: {}", place.array);
        }
        for shape in shapes {
            assert!(n_sets(shape.entries, shape.ways).is_power_of_two(), "{id}: {shape:?}");
        }
        for cache in &machine.memory.caches {
            let bytes = pagewalk_base::addr::parse_size(&cache.size).unwrap();
            let lines = u32::try_from(bytes / 64).unwrap();
            assert!(n_sets(lines, cache.ways).is_power_of_two(), "{id}: {}", cache.name);
        }
    }
}

#[test]
fn every_source_speaks_of_something_in_its_machine() {
    for (id, model) in with_variants() {
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
    for (id, model) in with_variants() {
        let machine = serde_json::to_value(&model.machine).unwrap();
        let mut paths = Vec::new();
        // The seed of random choices is no number of a processor.
        for (part, value) in machine.as_object().unwrap().iter().filter(|(part, _)| *part != "seed")
        {
            numbers(value, part, &mut paths);
        }
        for path in paths {
            assert!(model.provenance.iter().any(|row| covers(&row.path, &path)), "{id}: {path}");
        }
    }
}

#[test]
fn the_style_of_nested_walks_has_a_source() {
    for (id, model) in with_variants() {
        let machine = serde_json::to_value(&model.machine).unwrap();
        let has_row = model.provenance.iter().any(|row| row.path == "virt.style");
        assert_eq!(has_row, resolve(&machine, "virt.style").is_some(), "{id}");
    }
}

#[test]
fn the_policy_and_the_index_of_every_array_have_a_source_of_their_own() {
    for (id, model) in with_variants() {
        let machine = &model.machine;
        for (level, arrays) in [("l1", &machine.l1), ("l2", &machine.l2)] {
            for (i, array) in arrays.iter().enumerate() {
                let has_row = |field: &str| {
                    model.provenance.iter().any(|row| row.path == format!("{level}[{i}].{field}"))
                };
                assert!(has_row("replacement"), "{id}: {}", array.name);
                // The row of a whole array also covers which accesses and pages it serves.
                let pages = format!("{level}[{i}].pages");
                let covers_pages = model.provenance.iter().any(|row| covers(&row.path, &pages));
                assert!(covers_pages, "{id}: {}", array.name);
                // An array with one set needs no source for its index.
                assert!(
                    n_sets(array.entries, array.ways) == 1 || has_row("index"),
                    "{id}: {}",
                    array.name
                );
            }
        }
    }
}

/// Records the outcome of each translation.
struct Outcomes(Vec<Outcome>);

impl Probe for Outcomes {
    fn translated(&mut self, translation: &Translation) {
        self.0.push(translation.outcome);
    }
}

#[test]
fn a_page_of_any_size_that_is_touched_twice_is_walked_once() {
    for (id, model) in with_variants() {
        let paging = model.machine.geometry().unwrap();
        let address = 0x7f3a_1c2b_5e48 & (paging.va_mask() >> 1);
        for size in paging.sizes() {
            for kind in Kind::SERVED {
                let os = OsConfig::of(size);
                let mut machine = Machine::new(&model.machine, &os).unwrap();
                let mut outcomes = Outcomes(Vec::new());
                for index in 0..2 {
                    machine.access(index, &Access::new(kind, address, 8), &mut outcomes);
                }
                let second = outcomes.0[1];
                assert_eq!(outcomes.0[0], Outcome::Fault, "{id}: {size} {}", kind.name());
                assert!(second < Outcome::Walk, "{id}: {size} {} ends in {second:?}", kind.name());
            }
        }
    }
}

/// Every model explains a cold walk of a page of each size.
#[test]
fn every_model_explains_a_walk_at_all_its_page_sizes() {
    for (id, model) in with_variants() {
        let paging = model.machine.geometry().unwrap();
        for size in paging.sizes() {
            let os = OsConfig { default: PagePolicy::Fixed(size), ..OsConfig::default() };
            let address = 0x7f3a_1c2b_5e48 & (paging.va_mask() >> 1);
            let explained = pagewalk::run::explain::explain(&model.machine, &os, address)
                .unwrap_or_else(|e| panic!("{id}: {size}: {e}"));
            let leaf = paging.leaf_level(size).unwrap();
            let levels = paging.root_level().reads_down_to(paging.entry_level(leaf));
            assert_eq!(explained.refs, levels, "{id}: {size}");
        }
    }
}

#[test]
fn every_file_of_the_folder_is_a_model() {
    let listed: Vec<String> = cpu::ids().map(str::to_owned).collect();
    assert_eq!(listed, files());
}

/// The expected variants: Hyper-Threading for the cores before Ice Lake, and granules for Arm's cores.
#[test]
fn variants_are_those_that_are_known() {
    let of_kind = |kind: VariantKind| -> Vec<String> {
        let all = models().into_iter().flat_map(|(id, model)| {
            let of_kind = model.variants.into_iter().filter(move |variant| variant.kind == kind);
            of_kind.map(move |variant| format!("{id}:{}", variant.id))
        });
        all.collect()
    };
    assert_eq!(of_kind(VariantKind::Smt).len(), 8);
    assert_eq!(of_kind(VariantKind::Granule).len(), 15);
    assert_eq!(of_kind(VariantKind::Core).len(), 12);
    for (id, model) in models() {
        for variant in &model.variants {
            assert!(variant.note.ends_with('.'), "{id}:{}", variant.id);
            assert_ne!(variant.machine, model.machine, "{id}:{}", variant.id);
            let differs = MachineConfig { name: model.name.clone(), ..variant.machine.clone() };
            assert_ne!(differs, model.machine, "{id}:{} changes nothing", variant.id);
            assert_eq!(variant.machine.name, format!("{}, {}", model.name, variant.name));
        }
    }
}

/// A model of a processor has walk caches, or says that no source describes them. Small machines are definitions.
#[test]
fn a_model_has_walk_caches_or_says_why_not() {
    for (id, model) in with_variants() {
        let is_small = model.group.is_some();
        let has_none = model.machine.psc == PscConfig::default();
        assert_eq!(model.no_walk_caches.is_some(), has_none && !is_small, "{id}");
    }
}

/// With two threads, each has half of the instruction entries for 4K pages. Code of 100 pages fits in all entries,
/// but not in half of them.
#[test]
fn a_thread_of_two_has_half_of_the_itlb() {
    let misses = |id: &str| {
        let mut machine =
            Machine::new(&cpu::model(id).unwrap().machine, &OsConfig::default()).unwrap();
        let mut outcomes = Outcomes(Vec::new());
        for index in 0..400 {
            let address = 0x10_0000_0000 + (u64::from(index % 100) << 12);
            machine.access(index, &Access::new(Kind::Fetch, address, 4), &mut outcomes);
        }
        outcomes.0[100..].iter().filter(|outcome| **outcome > Outcome::L1Hit).count()
    };
    assert_eq!(misses("intel-haswell"), 0);
    assert_eq!(misses("intel-haswell:smt-on"), 300);
}

/// A granule of 16K or 64K has other tables. The page sizes are those of Linux's table (S1.1).
#[test]
fn granules_have_their_page_sizes() {
    for (id, sizes) in [
        ("arm-neoverse-n1", "4K 64K 2M 32M 1G"),
        ("arm-neoverse-n1:granule-16k", "16K 2M 32M 1G"),
        ("arm-neoverse-n1:granule-64k", "64K 2M 512M 16G"),
    ] {
        let paging = cpu::model(id).unwrap().machine.geometry().unwrap();
        let found: Vec<String> = paging.sizes().iter().map(ToString::to_string).collect();
        assert_eq!(found.join(" "), sizes, "{id}");
        assert_eq!(paging.va_bits(), 48, "{id}");
    }
}

/// Facts O42 and O43: published sizes, walkers and latencies.
#[test]
fn models_have_the_published_numbers() {
    let all = models();
    let array = |id: &str, name: &str| {
        let (_, model) = all.iter().find(|(known, _)| known == id).unwrap();
        let mut arrays = model.machine.l1.iter().chain(&model.machine.l2);
        let found = arrays.find(|array| array.name == name);
        let found = found.unwrap_or_else(|| panic!("{id} has no {name}"));
        (found.entries, found.ways.unwrap_or(found.entries))
    };
    for (id, name, entries, ways) in [
        ("intel-core2", "DTLB1 4K", 256, 4),
        ("intel-nehalem", "STLB", 512, 4),
        ("intel-haswell", "STLB", 1024, 8),
        ("intel-haswell", "L1 dTLB 2M", 32, 4),
        ("intel-skylake", "L1 iTLB 4K", 128, 8),
        ("intel-skylake", "STLB", 1536, 12),
        ("intel-skylake", "STLB 1G", 16, 4),
        ("amd-k10", "L1 dTLB", 48, 48),
        ("amd-k10", "L2 dTLB 4K", 512, 4),
        ("amd-k10", "L2 dTLB 2M", 128, 2),
        ("amd-zen2", "L2 dTLB", 2048, 16),
        ("amd-zen5", "L1 dTLB", 96, 96),
        ("arm-neoverse-n1", "L2 TLB", 1280, 5),
        ("apple-firestorm", "L2 TLB", 3072, 12),
        ("arm-cortex-a55", "L1 iTLB", 15, 15),
        ("intel-atom-bonnell", "DTLB1 4K", 64, 4),
        ("intel-goldmont", "DTLB 4K", 512, 4),
        ("amd-bulldozer", "L1 dTLB", 32, 32),
        ("amd-bulldozer", "L2 dTLB", 1024, 8),
        ("apple-avalanche", "L1 dTLB", 256, 8),
        ("apple-m4", "L2 TLB", 3072, 12),
        ("qualcomm-oryon", "L1 iTLB", 256, 8),
        ("qualcomm-oryon", "L1 dTLB", 224, 7),
        ("xiangshan-kunminghu", "iTLB", 48, 48),
        ("sifive-u54", "DTLB", 32, 32),
    ] {
        assert_eq!(array(id, name), (entries, ways), "{id}: {name}");
    }
    let machine = |id: &str| &all.iter().find(|(known, _)| known == id).unwrap().1.machine;
    for (id, load) in [("intel-ivybridge", 7), ("intel-haswell", 8), ("intel-skylake-sp", 9)] {
        assert_eq!(machine(id).latency.l2_hit.of(Kind::Load), load, "{id}");
    }
    for (id, fetch) in [("intel-haswell", 14), ("intel-broadwell", 14)] {
        assert_eq!(machine(id).latency.l2_hit.of(Kind::Fetch), fetch, "{id}");
    }
    for (id, walkers) in [("intel-haswell", 1), ("intel-skylake", 2), ("intel-goldencove", 4)] {
        assert_eq!(machine(id).walkers, walkers, "{id}");
    }
}

/// Fact O35 on the shipped Zen 2: level 2 holds up to 2,048 pages in strides that no run covers.
#[test]
fn a_zen_2_holds_2048_pages_of_4k() {
    let (_, model) = models().into_iter().find(|(id, _)| id == "amd-zen2").unwrap();
    let walks = |pages: u64| {
        let mut machine = Machine::new(&model.machine, &OsConfig::default()).unwrap();
        let mut outcomes = Outcomes(Vec::new());
        // The sweep starts at the last page, so that frames rise while addresses fall, and no pages coalesce.
        for (index, n) in (0..).zip((0..2 * pages).map(|n| n % pages)) {
            let address = 0x10_0000_0000 + ((pages - 1 - n) << 12);
            machine.access(index, &Access::new(Kind::Load, address, 8), &mut outcomes);
        }
        let second_pass = &outcomes.0[usize::try_from(pages).unwrap()..];
        second_pass.iter().filter(|outcome| outcome.is_walk()).count()
    };
    // Page-table entries share the array with translations, so it holds a few pages less.
    assert!(walks(1024) == 0, "{}", walks(1024));
    assert!(walks(4096) > 4000, "{}", walks(4096));
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
