//! Creates a host from configurations.

use std::rc::Rc;

use super::{HostCaches, HostPlan, Keeps, LOG_ENTRIES, Nested, OfGuest, Shadow};
use crate::caches::psc::PscConfig;
use crate::caches::tlb::TagLayout;
use crate::caches::virt::{VirtConfig, VirtStyle};
use crate::config::MachineConfig;
use crate::machine::plan::Plan;
use crate::machine::structures::StructureId;
use crate::os::{MemoryMap, Os, OsConfig, Virt};
use crate::page_table::{EPT, NATIVE, PageTables};
use pagewalk_base::addr::{Leaf, Paging, PerLeaf, PerLevel, TableFormat};
use pagewalk_base::error::{Error, ErrorCode, Place, Result};
use pagewalk_base::whole::IS_WHOLE;

impl Nested {
    /// Creates the host that `os` configures. `guest` is the operating system of the machine, and `plan` its plan.
    ///
    /// # Errors
    /// `bad-config` at the field; those of the host's system start with `os.host.`.
    pub(crate) fn of(
        config: &MachineConfig,
        os: &OsConfig,
        guest: &Os,
        plan: &Plan,
    ) -> Result<Option<Self>> {
        match os.virt {
            Virt::Native => Ok(None),
            Virt::Ept => {
                let first = plan.host_id();
                let default = OsConfig::default();
                let host = os.host.as_deref().unwrap_or(&default);
                let nested = Self::new(config, host, &plan.paging, first)?;
                nested.check_sizes(&guest.leaf_levels(), &plan.paging)?;
                Ok(Some(nested))
            }
            Virt::Shadow => {
                let nested = Self::shadowed(config, os.host.as_deref(), plan)?;
                nested.check_sizes(&guest.leaf_levels(), &plan.paging)?;
                Ok(Some(nested))
            }
        }
    }

    /// Creates a host that shadows the guest's tables. Without its own configuration, the host maps the guest's
    /// memory in pages that are no smaller than the guest's.
    fn shadowed(config: &MachineConfig, host: Option<&OsConfig>, plan: &Plan) -> Result<Self> {
        // The processor walks no table of the host, and caches none of its entries.
        let virt = config.virt.as_ref().map(|virt| VirtConfig {
            levels: virt.levels,
            paging: virt.paging.clone(),
            ad: Some(false),
            vpid: virt.vpid,
            ..VirtConfig::default()
        });
        let config = MachineConfig { virt, ..config.clone() };
        let first = plan.host_id();
        let default = OsConfig::default();
        let mut nested = Self::new(&config, host.unwrap_or(&default), &plan.paging, first)?;
        if let Some((field, why)) = nested.os.no_shadow_because() {
            let place = Place::Field(format!("os.host.{field}"));
            return Err(Error::new(ErrorCode::Unsupported, why).at(place));
        }
        if host.is_none() {
            let of_host = Rc::make_mut(&mut nested.plan);
            of_host.smaller = PerLeaf::new(|of_guest| PerLeaf::new(|_| Some(of_guest)));
        }
        nested.shadow = Some(Shadow {
            tables: PageTables::new(Rc::clone(&plan.paging), NATIVE),
            as_guest: host.is_none(),
        });
        Ok(nested)
    }

    /// Creates a host. `guest` is the geometry of the machine's own page table. `first` is the number of the host's
    /// first structure.
    ///
    /// # Errors
    /// `bad-config` at the field; those of the host's system start with `os.host.`.
    fn new(
        config: &MachineConfig,
        host: &OsConfig,
        guest: &Paging,
        first: StructureId,
    ) -> Result<Self> {
        let virt = config.virt.clone().unwrap_or_default();
        let paging = virt.host_paging(guest).map_err(|e| e.within("virt"))?;
        let style = virt.style();
        let paging = Rc::new(paging);
        let mut os =
            Os::new(host, &paging, &MemoryMap::default()).map_err(|e| e.within("os.host"))?;
        let copies = os.copies_on_write();
        let psc = match style {
            VirtStyle::Combined => virt.ept_layout()?,
            VirtStyle::Pwc1d | VirtStyle::Pwc2d => PscConfig::default().layout(&[])?,
        };
        let caches = psc.caches.iter().map(|cache| cache.entries(config.seed));
        let caches = caches.collect::<Result<_>>()?;
        let tlb = virt.new_nested_tlb(config.seed)?;
        let tlb_holds = match virt.nested_in_array() {
            Some(place) if IS_WHOLE => {
                Some(place.held_at(&paging).map_err(|error| error.within("virt.nested_tlb"))?)
            }
            _ => None,
        };
        let pwc = if style == VirtStyle::Combined { None } else { virt.new_pwc(config.seed)? };
        let format = if style == VirtStyle::Combined { EPT } else { NATIVE };
        let tags = TagLayout::new(&paging);
        let psc_at = first.plus(usize::from(tlb.is_some()));
        let (mut shift, mut entry_level) = (PerLeaf::default(), PerLeaf::default());
        for leaf in paging.levels().map(Leaf::of).chain(paging.leaves()) {
            shift[leaf] = paging.shift(leaf);
            entry_level[leaf] = paging.entry_level(leaf);
        }
        let plan = HostPlan {
            root_level: paging.root_level(),
            shift,
            entry_level,
            tags,
            is_ept: style == VirtStyle::Combined,
            log_entries: match (style, guest.table_format()) {
                (VirtStyle::Pwc1d | VirtStyle::Pwc2d, _) | (_, TableFormat::Arm) => 0,
                (VirtStyle::Combined, _) => LOG_ENTRIES,
            },
            tlb_at: first,
            psc_at,
            pwc_at: psc_at.plus(psc.caches.len()),
            psc,
            tlb_serves_data: virt.nested_tlb_serves_data(),
            tlb_holds,
            pwc_keeps: match virt.pwc {
                Some(pwc) if style == VirtStyle::Pwc2d && pwc.leaf_of_tables => {
                    Keeps::TablesAndLeaves
                }
                Some(_) if style == VirtStyle::Pwc2d => Keeps::Tables,
                _ => Keeps::Guest,
            },
            has_flags: virt.ad.unwrap_or(true),
            smaller: smaller(guest, &paging),
            only_leaf: match os.leaf_levels()[..] {
                [leaf] => Some(leaf),
                _ => None,
            },
            paging: Rc::clone(&paging),
        };
        let mut tables = PageTables::new(paging, format);
        if os.pretouches() {
            os.pretouch(&mut tables, 0).map_err(|error| match error.at {
                Some(_) => Error::config("os.host.hugetlb", error.message),
                None => error,
            })?;
        }
        Ok(Self {
            plan: Rc::new(plan),
            tables,
            os,
            caches: HostCaches { tlb, psc: caches, pwc },
            vm: 0,
            own: OfGuest::new(),
            page_class: PerLeaf::new(|leaf| tags.page_class(leaf, 0)),
            table_class: PerLevel::new(|level| tags.table_class(level, 0)),
            just_mapped: false,
            checks_permissions: copies,
            shadow: None,
        })
    }

    /// Checks that the processor can hold pages of every size that results from a guest's and a host's page.
    ///
    /// # Errors
    /// `bad-config` at `os.host.default`, with the possible sizes.
    fn check_sizes(&self, guest_leaves: &[Leaf], guest: &Paging) -> Result<()> {
        for host_leaf in self.os.leaf_levels() {
            let host_page = self.plan.paging.size_of(host_leaf);
            for leaf in guest_leaves {
                if self.plan.smaller[*leaf][host_leaf].is_none() {
                    let message = format!(
                        "a {} page on {host_page} pages of the host is translated in pieces of {host_page}, which is no page size of this machine: it has {}",
                        guest.size_of(*leaf),
                        guest.listed()
                    );
                    return Err(Error::config("os.host.default", message));
                }
            }
            let table_bits = guest.levels().map(|level| guest.bits(level) + 3).max();
            if self.is_walked() && table_bits.is_some_and(|bits| bits > host_page.shift()) {
                let message = format!(
                    "tables of this machine are larger than pages of {host_page}: give the host larger pages"
                );
                return Err(Error::config("os.host.default", message));
            }
        }
        Ok(())
    }
}

/// Returns, for each leaf of the guest and of the host, the guest's leaf of the smaller size; `None` if the guest
/// has no such leaf.
fn smaller(guest: &Paging, host: &Paging) -> PerLeaf<PerLeaf<Option<Leaf>>> {
    let mut smaller = PerLeaf::<PerLeaf<_>>::default();
    for of_guest in guest.leaves() {
        for of_host in host.leaves() {
            let size = guest.size_of(of_guest).min(host.size_of(of_host));
            smaller[of_guest][of_host] = guest.leaf_level(size);
        }
    }
    smaller
}
