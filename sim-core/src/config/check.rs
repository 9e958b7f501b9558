//! Finds the errors of a machine's configuration: those of each part, and those between parts.

use super::{L2Hit, MAX_ARRAYS, MachineConfig, is_served};
use crate::caches::memory::check_latency;
use crate::caches::psc::PscConfig;
use crate::caches::virt::NestedTlb;
use pagewalk_base::addr::Paging;
use pagewalk_base::error::{Error, Result, add_within};
use pagewalk_base::trace::Kind;
use pagewalk_base::whole::IS_WHOLE;

const MAX_WALKERS: u32 = 64;
const MAX_OUTSTANDING_MISSES: u32 = 1024;

impl MachineConfig {
    /// Checks the configuration.
    ///
    /// # Errors
    /// `bad-config` at the first of [`Self::problems`].
    pub(crate) fn check(&self) -> Result<()> {
        self.problems().into_iter().try_for_each(Err)
    }

    /// Returns all errors of the configuration, each at its field. While the page table is wrong, the fields that
    /// depend on it are not checked.
    pub fn problems(&self) -> Vec<Error> {
        let mut found = self.problems_of_levels();
        let paging = match self.geometry() {
            Ok(paging) => Some(paging),
            Err(error) => {
                found.push(error);
                None
            }
        };
        if !(1..=MAX_WALKERS).contains(&self.walkers) {
            let message = format!("{} walkers: must be 1 to {MAX_WALKERS}", self.walkers);
            found.push(Error::config("walkers", message));
        }
        if let Some(n) = self.outstanding_misses
            && !(1..=MAX_OUTSTANDING_MISSES).contains(&n)
        {
            let message = format!("{n} outstanding misses: must be 1 to {MAX_OUTSTANDING_MISSES}");
            found.push(Error::config("outstanding_misses", message));
        }
        if IS_WHOLE && let Some(costs) = self.event_costs {
            add_within(&mut found, "event_costs", costs.problems());
        }
        let nested_tlb = self.virt.as_ref().and_then(|virt| virt.nested_tlb.as_ref());
        // The small module does not know the names of the other parts that it leaves out.
        if !IS_WHOLE && matches!(nested_tlb, Some(NestedTlb::In(_))) {
            let message =
                "this machine needs the whole simulator, which is not loaded yet: reload the page";
            found.push(Error::config("virt.nested_tlb.in", message));
        }
        let n_levels = paging.as_ref().map(Paging::n_levels);
        if let (Some(_), Some(n @ ..5)) = (self.psc.pml5e, n_levels) {
            let message = format!(
                "the page table has {n} levels, so it has no PML5 entries to cache: leave out pml5e, or give 5 levels"
            );
            found.push(Error::config("psc.pml5e", message));
        }
        let l2: Vec<&str> = self.l2.iter().map(|array| array.name.as_str()).collect();
        let mut add = |part: &str, problems| add_within(&mut found, part, problems);
        if let Some(virt) = &self.virt {
            add("virt", virt.problems(paging.as_ref(), &l2));
        }
        if let Some(control) = &self.control {
            add("control", Vec::from_iter(control.check().err()));
        }
        add("latency", self.problems_of_latency());
        for (level, arrays) in [("l1", &self.l1), ("l2", &self.l2)] {
            for (at, array) in arrays.iter().enumerate() {
                add(&format!("{level}[{at}]"), array.problems(paging.as_ref()));
            }
        }
        if IS_WHOLE && let Some(prefetch) = &self.tlb_prefetch {
            let offset_bits = paging.as_ref().map(|paging| paging.offset_bits);
            let has_l2 = is_served(&self.l2, Kind::Load);
            add("tlb_prefetch", prefetch.problems(offset_bits, has_l2));
        }
        add("psc", self.psc.problems(&l2));
        add("memory", self.memory.problems());
        if let Some(pom_tlb) = &self.pom_tlb {
            add("pom_tlb", pom_tlb.problems());
            found.extend(self.problem_behind_l2("pom_tlb", "a POM-TLB is", paging.as_ref()));
        }
        if let Some(victima) = &self.victima {
            add_within(&mut found, "victima", victima.problems(&self.memory.caches));
            found.extend(self.problem_behind_l2("victima", "TLB blocks are", paging.as_ref()));
        }
        if let Some(ecpt) = self.ecpt {
            add_within(&mut found, "ecpt", ecpt.problems());
            found.extend(self.problem_with_hashed_tables(paging.as_ref()));
        }
        found
    }

    /// Returns the first part of the machine that cannot be combined with hashed page tables.
    fn problem_with_hashed_tables(&self, paging: Option<&Paging>) -> Option<Error> {
        let is_other = paging.is_some_and(|paging| {
            Paging::x86(4).resolve(&self.coalescing).is_ok_and(|x86| x86 != *paging)
        });
        let (field, what) = [
            (!self.coalescing.is_empty(), "coalescing", "pages that share an entry"),
            (self.levels == Some(5), "levels", "5 levels: addresses have 48 bits"),
            (is_other, "paging", "other pages than 4K, 2M and 1G of Intel"),
            (self.psc != PscConfig::default(), "psc", "paging-structure caches: it has its own"),
            (self.tlb_prefetch.is_some(), "tlb_prefetch", "prefetches of TLB entries"),
            (self.pom_tlb.is_some(), "pom_tlb", "a POM-TLB"),
            (self.victima.is_some(), "victima", "TLB blocks"),
        ]
        .into_iter()
        .find_map(|(is_there, field, what)| is_there.then_some((field, what)))?;
        let message =
            format!("a hashed page table is not simulated with {what}: leave out ecpt, or {field}");
        Some(Error::config("ecpt", message))
    }

    /// Returns the errors in the number of arrays and in their names.
    fn problems_of_levels(&self) -> Vec<Error> {
        let mut found = Vec::new();
        if self.l1.is_empty() {
            let message = "level 1 needs at least one array: add an array, or leave out l1 for the default array";
            found.push(Error::config("l1", message));
        }
        let mut names = Vec::new();
        for (field, level) in [("l1", &self.l1), ("l2", &self.l2)] {
            if level.len() > MAX_ARRAYS {
                let message = format!("{} arrays: at most {MAX_ARRAYS}", level.len());
                found.push(Error::config(field, message));
            }
            for (at, array) in level.iter().enumerate() {
                let name = array.name.as_str();
                if !name.is_empty() && names.contains(&name) {
                    let message = format!(
                        "another array has the name `{name}`, too: give each array its own name"
                    );
                    found.push(Error::config(format!("{field}[{at}].name"), message));
                }
                names.push(name);
            }
        }
        found
    }

    /// Returns the first part of the machine that cannot be combined with the translations behind level 2 of `behind`.
    fn problem_behind_l2(
        &self,
        behind: &str,
        subject: &str,
        paging: Option<&Paging>,
    ) -> Option<Error> {
        let pcids = self.control.as_ref().is_some_and(|control| control.pcids.is_some());
        let (contiguous, bounded) = paging.map_or((false, false), |paging| {
            (!paging.contiguous.is_empty(), paging.physical_bits.is_some())
        });
        let (field, what) = [
            (!self.coalescing.is_empty(), "coalescing", "pages that share an entry"),
            (contiguous, "paging.contiguous", "contiguous pages"),
            (bounded, "paging.physical_bits", "a memory of limited size"),
            (self.tlb_prefetch.is_some(), "tlb_prefetch", "prefetches of TLB entries"),
            (
                pcids,
                "control.pcids",
                "PCIDs that processes share: cores share entries behind level 2",
            ),
            (behind != "pom_tlb" && self.pom_tlb.is_some(), "pom_tlb", "a POM-TLB"),
        ]
        .into_iter()
        .find_map(|(is_there, field, what)| is_there.then_some((field, what)))?;
        let message =
            format!("{subject} not simulated with {what}: leave out {behind}, or {field}");
        Some(Error::config(behind, message))
    }

    fn problems_of_latency(&self) -> Vec<Error> {
        let mut found = Vec::new();
        let mut check = |field, cycles| found.extend(check_latency(field, cycles).err());
        check("walk_overhead", self.latency.walk_overhead);
        match self.latency.l2_hit {
            L2Hit::All(cycles) => check("l2_hit", cycles),
            L2Hit::ByKind(by) => {
                check("l2_hit.fetch", by.fetch);
                check("l2_hit.load", by.load);
                check("l2_hit.store", by.store);
            }
        }
        found
    }
}
