//! The machine for the pictures: its structures and their geometry, and the contents of each (`content`).

mod content;

use crate::caches::policy::Policy;
use crate::caches::tlb::{ArrayConfig, Entries, Index};
use crate::caches::virt::{NestedInArray, NestedTlb};
use crate::machine::Machine;
use crate::machine::host::nested::Nested;
use crate::record::event::{MachineView, StructureRole, StructureView};
use pagewalk_base::trace::Kind;
use pagewalk_base::whole::IS_WHOLE;

pub use content::Columns;
pub(crate) use content::{core_views, in_use};

impl MachineView {
    /// Describes the structures of a machine and their geometry, with every default filled in.
    pub fn of(machine: &Machine) -> Self {
        let plan = &machine.plan;
        let config = &plan.config;
        let mut structures = Vec::new();
        for (level, role, configs, arrays) in [
            (1, StructureRole::L1, &config.l1, &machine.structures.l1),
            (2, StructureRole::L2, &config.l2, &machine.structures.l2),
        ] {
            for (at, (config, array)) in configs.iter().zip(arrays).enumerate() {
                let view = array_view(config, role, &array.entries, &plan.paging.held_sizes());
                structures.push(StructureView { name: config.label(level, at), ..view });
            }
        }
        for (row, cache) in plan.psc.caches.iter().enumerate() {
            let inside = cache.inside.map(|array| plan.l2_id(array).index());
            let Some(entries) = machine.contents().get(plan, plan.psc_id(0).plus(row)) else {
                continue;
            };
            let geometry = entries.geometry();
            let of_array = inside.map(|array| &config.l2[array - plan.n_l1]);
            let replacement = cache.shape.map(|shape| shape.replacement);
            let replacement =
                replacement.or(of_array.map(|array| array.replacement)).unwrap_or_default();
            structures.push(StructureView {
                name: cache.name.to_owned(),
                role: StructureRole::Psc,
                serves: Kind::SERVED.to_vec(),
                pages: Vec::new(),
                sets: geometry.n_sets,
                ways: geometry.n_ways,
                index: of_array.map(|array| array.index.clone()).unwrap_or_default(),
                replacement: replacement.name().to_owned(),
                inside,
            });
        }
        structures.extend(buffer_view(machine));
        structures.extend(machine.nested.iter().flat_map(|nested| host_views(machine, nested)));
        let caches =
            config.memory.caches.iter().map(|cache| (cache.name.clone(), u64::from(cache.latency)));
        Self {
            name: config.name.clone(),
            structures,
            virt: machine.plan.virt,
            tables: config.words(&plan.paging),
            host_levels: machine
                .nested
                .as_ref()
                .filter(|nested| nested.is_walked())
                .map(|nested| nested.plan.root_level.number()),
            // A walk of hashed tables ends at the first entry.
            levels: if config.ecpt.is_some() { 1 } else { plan.root_level.number() },
            va_bits: u8::try_from(plan.paging.va_bits()).expect("at most 57"),
            offset_bits: plan.paging.offset_bits,
            page_sizes: plan.paging.sizes(),
            walkers: config.walkers,
            memory: caches.chain([("DRAM".to_owned(), u64::from(config.memory.dram))]).collect(),
        }
    }
}

/// Returns the prefetch buffer, if the machine has one.
fn buffer_view(machine: &Machine) -> Option<StructureView> {
    let geometry = machine.structures.buffer()?.geometry();
    let shape = machine.plan.config.tlb_prefetch?.buffer()?;
    Some(StructureView {
        name: "prefetch buffer".to_owned(),
        role: StructureRole::PrefetchBuffer,
        serves: vec![Kind::Load, Kind::Store],
        pages: machine.plan.paging.sizes(),
        sets: geometry.n_sets,
        ways: geometry.n_ways,
        index: Index::LowBits,
        replacement: shape.replacement.name().to_owned(),
        inside: None,
    })
}

/// Returns the caches of the host's side, in the order of their numbers.
fn host_views(machine: &Machine, nested: &Nested) -> Vec<StructureView> {
    let virt = machine.plan.config.virt.clone().unwrap_or_default();
    let view = |name: &str, role, entries: &Entries, replacement: Policy| {
        let geometry = entries.geometry();
        StructureView {
            name: name.to_owned(),
            role,
            serves: Kind::SERVED.to_vec(),
            pages: Vec::new(),
            sets: geometry.n_sets,
            ways: geometry.n_ways,
            index: Index::LowBits,
            replacement: replacement.name().to_owned(),
            inside: None,
        }
    };
    let mut views = Vec::new();
    match (&nested.caches.tlb, virt.nested_tlb) {
        (Some(entries), Some(NestedTlb::Own(tlb))) => {
            let pages = nested.plan.paging.sizes();
            let tlb = view("nested TLB", StructureRole::NestedTlb, entries, tlb.replacement);
            views.push(StructureView { pages, ..tlb });
        }
        (_, Some(NestedTlb::In(place))) if IS_WHOLE => {
            views.extend(nested_tlb_view(machine, nested, place));
        }
        _ => {}
    }
    for (cache, entries) in nested.plan.psc.caches.iter().zip(&nested.caches.psc) {
        let replacement = cache.shape.map(|shape| shape.replacement).unwrap_or_default();
        let name = format!("EPT {}", cache.name);
        views.push(view(&name, StructureRole::EptPsc, entries, replacement));
    }
    if let (Some(entries), Some(pwc)) = (&nested.caches.pwc, virt.pwc) {
        views.push(view("page walk cache", StructureRole::Pwc, entries, pwc.replacement));
    }
    views
}

/// Returns the nested TLB inside a TLB array.
fn nested_tlb_view(
    machine: &Machine,
    nested: &Nested,
    place: NestedInArray,
) -> Option<StructureView> {
    let array = machine.plan.nested_in()?;
    let config = &machine.plan.config.l2[usize::from(array)];
    let entries = &machine.structures.l2[usize::from(array)].entries;
    Some(StructureView {
        name: "nested TLB".to_owned(),
        role: StructureRole::NestedTlb,
        serves: Kind::SERVED.to_vec(),
        pages: place.pages.unwrap_or_else(|| nested.plan.paging.sizes()),
        inside: Some(machine.plan.l2_id(array).index()),
        ..array_view(config, StructureRole::NestedTlb, entries, &[])
    })
}

fn array_view(
    config: &ArrayConfig,
    role: StructureRole,
    entries: &Entries,
    sizes: &[pagewalk_base::addr::PageSize],
) -> StructureView {
    let geometry = entries.geometry();
    StructureView {
        name: config.name.clone(),
        role,
        serves: config.serves.clone().unwrap_or_else(|| Kind::SERVED.to_vec()),
        pages: config.pages.clone().unwrap_or_else(|| sizes.to_vec()),
        sets: geometry.n_sets,
        ways: geometry.n_ways,
        index: config.index.clone(),
        replacement: config.replacement.name().to_owned(),
        inside: None,
    }
}
