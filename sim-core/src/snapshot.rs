//! The machine as pictures need it: what it consists of, and what is in each structure.

use crate::config::MachineConfig;
use crate::event::{MachineView, StructureRole, StructureView};
use crate::keys::Key;
use crate::machine::Machine;
use crate::nested::Nested;
use crate::policy::Policy;
use crate::tlb::{ArrayConfig, Entries, Index};
use crate::trace::Kind;

/// The contents of one structure; slot `set * ways + way`. `key_shift` 0 = empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    pub keys: Vec<u64>,
    /// The lowest address bit of the key.
    pub key_shift: Vec<u8>,
    /// 1 = an entry of a table inside a TLB array.
    pub table: Vec<u8>,
    pub filled_at: Vec<u32>,
    pub used_at: Vec<u32>,
    pub hits: Vec<u32>,
    /// By set: the way that a fill would take now.
    pub next: Vec<u16>,
}

impl Machine {
    /// The structures and their geometry, with every default filled in.
    pub fn view(&self) -> MachineView {
        let plan = &self.plan;
        let config = &plan.config;
        let mut structures = Vec::new();
        for (level, role, configs, arrays) in [
            (1, StructureRole::L1, &config.l1, &self.l1),
            (2, StructureRole::L2, &config.l2, &self.l2),
        ] {
            for (at, (config, array)) in configs.iter().zip(arrays).enumerate() {
                let view = array_view(config, role, &array.entries, &plan.paging.held_sizes());
                structures.push(StructureView { name: config.label(level, at), ..view });
            }
        }
        for (row, cache) in plan.psc.caches.iter().enumerate() {
            let inside = cache.inside.map(|array| plan.n_l1 + usize::from(array));
            let geometry = self.structure(plan.first_psc() + row).geometry();
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
                index: of_array.map(|array| array.index).unwrap_or_default().name().to_owned(),
                replacement: replacement.name().to_owned(),
                inside,
            });
        }
        structures.extend(self.nested.iter().flat_map(|nested| host_views(nested, config)));
        let caches =
            config.memory.caches.iter().map(|cache| (cache.name.clone(), u64::from(cache.latency)));
        MachineView {
            name: config.name.clone(),
            structures,
            virt: self.plan.virt,
            tables: plan.paging.table_format(),
            host_levels: self
                .nested
                .as_ref()
                .filter(|nested| nested.is_walked())
                .map(|nested| nested.plan.n_levels),
            levels: plan.n_levels,
            va_bits: u8::try_from(plan.paging.va_bits()).expect("at most 57"),
            offset_bits: plan.paging.offset_bits,
            page_sizes: plan.paging.sizes(),
            walkers: config.walkers,
            memory: caches.chain([("DRAM".to_owned(), u64::from(config.memory.dram))]).collect(),
        }
    }

    /// What structure `number` holds; `None` if there is no such structure.
    pub fn columns(&self, number: usize) -> Option<Columns> {
        if number >= self.n_structures() {
            return None;
        }
        let entries = self.structure(number);
        let geometry = entries.geometry();
        let mut columns = Columns::default();
        for set in 0..geometry.n_sets as usize {
            columns.next.push(u16::try_from(entries.next_way(set)).unwrap_or(u16::MAX));
            for way in 0..geometry.n_ways {
                let slot = entries.at(set, way);
                let (tag, entry) = slot.unwrap_or_default();
                let key = slot.map_or(Key::default(), |_| self.key(number, tag));
                columns.keys.push(key.number);
                columns.key_shift.push(key.shift);
                columns.table.push(u8::from(key.table));
                columns.filled_at.push(entry.filled_at());
                columns.used_at.push(entry.used_at());
                columns.hits.push(entry.hits());
            }
        }
        Some(columns)
    }

    /// Entries in use, by structure.
    pub(crate) fn in_use(&self) -> Vec<u32> {
        (0..self.n_structures()).map(|number| self.structure(number).n_used()).collect()
    }

    /// The name of the cache that served a reference.
    pub(crate) fn server_name(&self, server: usize) -> &str {
        self.plan.config.memory.caches.get(server).map_or("DRAM", |cache| cache.name.as_str())
    }

    fn n_structures(&self) -> usize {
        let of_host = self.nested.as_ref().map_or(0, |nested| nested.caches.all().count());
        self.plan.first_psc() + self.plan.psc.caches.len() + of_host
    }

    fn structure(&self, number: usize) -> &Entries {
        if let Some(array) = self.l1.get(number) {
            return &array.entries;
        }
        if let Some(array) = self.l2.get(number - self.plan.n_l1) {
            return &array.entries;
        }
        let row = number - self.plan.first_psc();
        let Some(cache) = self.plan.psc.caches.get(row) else {
            let nested = self.nested.as_ref().expect("the number is below that of structures");
            return nested.structure(number);
        };
        match cache.inside {
            Some(array) => &self.l2[usize::from(array)].entries,
            None => &self.psc[row],
        }
    }
}

/// The caches of the host's side, in the order of their numbers.
fn host_views(nested: &Nested, config: &MachineConfig) -> Vec<StructureView> {
    let virt = config.virt.clone().unwrap_or_default();
    let view = |name: &str, role, entries: &Entries, replacement: Policy| {
        let geometry = entries.geometry();
        StructureView {
            name: name.to_owned(),
            role,
            serves: Kind::SERVED.to_vec(),
            pages: Vec::new(),
            sets: geometry.n_sets,
            ways: geometry.n_ways,
            index: Index::LowBits.name().to_owned(),
            replacement: replacement.name().to_owned(),
            inside: None,
        }
    };
    let mut views = Vec::new();
    if let (Some(entries), Some(tlb)) = (&nested.caches.tlb, virt.nested_tlb) {
        let pages = nested.plan.paging.sizes();
        let tlb = view("nested TLB", StructureRole::NestedTlb, entries, tlb.replacement);
        views.push(StructureView { pages, ..tlb });
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

fn array_view(
    config: &ArrayConfig,
    role: StructureRole,
    entries: &Entries,
    sizes: &[crate::addr::PageSize],
) -> StructureView {
    let geometry = entries.geometry();
    StructureView {
        name: config.name.clone(),
        role,
        serves: config.serves.clone().unwrap_or_else(|| Kind::SERVED.to_vec()),
        pages: config.pages.clone().unwrap_or_else(|| sizes.to_vec()),
        sets: geometry.n_sets,
        ways: geometry.n_ways,
        index: config.index.name().to_owned(),
        replacement: config.replacement.name().to_owned(),
        inside: None,
    }
}
