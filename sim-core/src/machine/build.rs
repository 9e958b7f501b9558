//! Creates a machine from its configuration.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::Machine;
use crate::caches::memory::Memory;
use crate::caches::pom::PomTlb;
use crate::caches::tlb::TlbArray;
use crate::config::MachineConfig;
use crate::machine::context::Contexts;
use crate::machine::fast::route::Allowed;
use crate::machine::given::give;
use crate::machine::host::nested::{Nested, OfGuest};
use crate::machine::host::vm_state::{Guest, Vcpus, Vms};
use crate::machine::pcids::Pcids;
use crate::machine::plan::Plan;
use crate::machine::rights::Modes;
use crate::machine::stale::Stale;
use crate::machine::structures::Structures;
use crate::machine::translate::prefetch::Prefetcher;
use crate::machine::translate::victima::Victima;
use crate::os::{MemoryMap, Os, OsConfig, Virt};
use crate::page_table::{Format, PageTables};
use pagewalk_base::addr::{PerLeaf, PerLevel};
use pagewalk_base::error::{Error, Result};
use pagewalk_base::whole::IS_WHOLE;

impl Machine {
    /// Creates a machine for any trace.
    ///
    /// # Errors
    /// `bad-config` with the field that is wrong; fields of the OS start with `os.`.
    pub fn new(config: &MachineConfig, os: &OsConfig) -> Result<Self> {
        Self::with_map(config, os, &MemoryMap::default())
    }

    /// Creates a machine for a trace whose memory map is known in part.
    ///
    /// # Errors
    /// `bad-config`, as for [`Self::new`].
    pub fn with_map(config: &MachineConfig, os: &OsConfig, known: &MemoryMap<'_>) -> Result<Self> {
        config.check()?;
        check_hashed(config, os)?;
        let paging = config.geometry()?;
        let level = |field: &str,
                     arrays: &[crate::caches::tlb::ArrayConfig],
                     first: usize|
         -> Result<Vec<TlbArray>> {
            let seeded = arrays.iter().enumerate().map(|(at, array)| {
                // Each array draws its own random numbers: the number of the array changes the seed.
                let seed = pagewalk_base::random::xorshift(
                    config.seed.wrapping_add((first + at) as u64).max(1),
                );
                TlbArray::new(array, &paging, seed).map_err(|e| e.within(&format!("{field}[{at}]")))
            });
            seeded.collect()
        };
        let l1 = level("l1", &config.l1, 0)?;
        let l2 = level("l2", &config.l2, l1.len())?;
        let plan = Plan::new(config, os.virt, &l1, &l2)?;
        let psc = plan
            .psc
            .caches
            .iter()
            .map(|cache| cache.entries(config.seed))
            .collect::<Result<_>>()?;
        let prefetcher = config
            .tlb_prefetch
            .filter(|_| IS_WHOLE)
            .map(|prefetch| Prefetcher::new(&prefetch, config.seed));
        let prefetcher = prefetcher.transpose()?.map(Box::new);
        os.check_host().map_err(|e| e.within("os"))?;
        let mut system = Os::new(os, &plan.paging, known).map_err(|e| e.within("os"))?;
        let mut tables = PageTables::new(Rc::clone(&plan.paging), Format::native(&plan.paging));
        if let Some(start) = system.recorded_tables_at() {
            tables.move_to(start);
        }
        tables.add_hashed(config.ecpt);
        let given = give(os, &plan, [&l1, &l2], &mut system, &mut tables);
        let given = given.map_err(|e| e.within("os"))?;
        let nested = Nested::of(config, os, &system, &plan)?.map(Box::new);
        let leaves = match &nested {
            None => system.leaf_levels(),
            Some(nested) => nested.tlb_leaves(&system.leaf_levels()),
        };
        let allowed = Allowed::new(&plan, &l1, &leaves, &system, nested.as_deref());
        let vms = nested.is_some().then(|| {
            Box::new(Vms::new(Guest {
                tables: tables.clone(),
                os: system.clone(),
                spaces: BTreeMap::new(),
                modes: Modes::default(),
                checks_entries: false,
                of_host: OfGuest::new(),
            }))
        });
        let pom_tlb =
            config.pom_tlb.as_ref().map(|pom_tlb| PomTlb::new(pom_tlb, &plan.paging.leaves()));
        let pom_tlb = pom_tlb.transpose().map_err(|e| e.within("pom_tlb"))?;
        let mut memory = Memory::new(&config.memory).map_err(|e| e.within("memory"))?;
        if let Some(victima) = config.victima {
            if nested.is_some() {
                let message =
                    "TLB blocks are not simulated under a host: leave out victima, or os.virt";
                return Err(Error::config("victima", message));
            }
            memory.hold_blocks(&config.memory, victima).map_err(|e| e.within("memory"))?;
        }
        let victima = config.victima.map(|victima| Victima::new(victima, &plan.paging));
        let vpid = u16::from(nested.is_some() && !plan.untagged);
        Ok(Self {
            structures: Structures::new(l1, l2, psc, prefetcher),
            memory,
            pom_tlb,
            victima,
            tables,
            allowed,
            os: system,
            nested,
            spaces: BTreeMap::new(),
            n_spaces: 0,
            contexts: Contexts::new(plan.tags, vpid),
            vcpus: Vcpus::new(vpid),
            vms,
            pcids: Pcids::new(config.control.as_ref().and_then(|control| control.pcids)),
            pid: None,
            space: 0,
            pcid: 0,
            context_number: 0,
            page_class: PerLeaf::new(|leaf| plan.tags.page_class(leaf, 0)),
            table_class: PerLevel::new(|level| plan.tags.table_class(level, 0)),
            cores: None,
            modes: Modes::default(),
            checks_entries: false,
            stale: Stale::default(),
            given,
            failure: None,
            n_operations: 0,
            failed_operation: None,
            plan: Rc::new(plan),
        })
    }
}

/// Refuses systems with which hashed page tables are not simulated.
///
/// # Errors
/// `bad-config` at `ecpt`.
fn check_hashed(config: &MachineConfig, os: &OsConfig) -> Result<()> {
    let fields = [("os.virt", os.virt != Virt::Native), ("os.given", os.given.is_some())];
    let found = fields.into_iter().find(|(_, is_there)| *is_there && config.ecpt.is_some());
    found.map_or(Ok(()), |(field, _)| {
        let message =
            format!("a hashed page table is not simulated with {field}: leave out one of the two");
        Err(Error::config("ecpt", message))
    })
}
