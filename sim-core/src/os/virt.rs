//! The virtualisation of memory: whether a host maps the memory of the operating system.

use serde::{Deserialize, Serialize};

use super::Os;
use super::config::{Frames, OsConfig, UpperHalf};
use pagewalk_base::addr::Leaf;
use pagewalk_base::error::{Error, Result};

/// The kind of virtualisation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub enum Virt {
    /// No virtualisation: one page table.
    #[default]
    Native,
    /// Nested paging: the host's tables map the guest's tables and pages.
    Ept,
    /// Shadow paging: one page table, which the host keeps consistent with the guest's.
    Shadow,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "it is what serde passes")]
pub(super) fn is_native(virt: &Virt) -> bool {
    *virt == Virt::Native
}

impl OsConfig {
    /// Checks the configuration of the host.
    ///
    /// # Errors
    /// `bad-config` if a host is given without virtualisation, or if the host itself has a host.
    pub(crate) fn check_host(&self) -> Result<()> {
        match (&self.host, self.virt) {
            (Some(_), Virt::Native) => Err(Error::config(
                "host",
                "there is no host unless virt is \"ept\" or \"shadow\": add it, or leave host out",
            )),
            (Some(host), _) if host.virt != Virt::Native || host.host.is_some() => {
                let message = "a host has no host of its own: leave out virt and host inside host";
                Err(Error::config("host", message))
            }
            (Some(host), _) if host.upper_half == UpperHalf::Shared => Err(Error::config(
                "host.upper_half",
                "guest-physical memory has no half of a kernel: leave it out, or give it to the guest",
            )),
            (Some(host), _) if host.frames == Frames::Recorded => Err(Error::config(
                "host.frames",
                "a trace records frames of the guest only: make them \"sequential\" or \"shuffled\"",
            )),
            (_, Virt::Shadow) if self.upper_half == UpperHalf::Shared => Err(Error::config(
                "upper_half",
                "a shared half is not simulated under shadow paging: make virt \"ept\" or \"native\"",
            )),
            (Some(host), _) if host.hugetext.adaptive.is_some() => Err(Error::config(
                "host.hugetext.adaptive",
                "a host does not see what its guest fetches: leave it out, or give it to the guest",
            )),
            _ => Ok(()),
        }
    }
}

impl Os {
    /// Returns whether a region is copy-on-write.
    pub(crate) fn copies_on_write(&self) -> bool {
        self.maps().iter().flat_map(|(_, map)| map.areas()).any(|area| area.copy_on_write)
    }

    /// Returns the first setting that a host cannot have under shadow paging, as its field and the reason.
    pub(crate) fn no_shadow_because(&self) -> Option<(&'static str, &'static str)> {
        if self.copies_on_write() {
            let why = "the host's pages are copied on write under ept only: leave copy_on_write out of \
                       the host's regions, or make virt \"ept\"";
            return Some(("regions", why));
        }
        let why = "the host's khugepaged works under ept only: leave it out, or make virt \"ept\"";
        (self.khugepaged_due() < u32::MAX).then_some(("thp.khugepaged", why))
    }

    /// Takes the page to be mapped at a guest-physical address from its pool, if the page has a pool.
    ///
    /// # Errors
    /// `bad-config` if the pool is empty: the virtual machine then stops.
    pub(crate) fn take_from_pool(&mut self, address: u64, leaf: Leaf) -> Result<()> {
        let is_limited = self.pools.are_limited_for(self.area_of(address), &self.paging);
        if is_limited && !self.pools.take(leaf) {
            let size = self.paging.size_of(leaf);
            let message = format!(
                "the host's pool of {size} pages is empty at guest-physical {address:#x}, which ends the virtual machine: give it more pages"
            );
            return Err(Error::config("os.host.hugetlb", message));
        }
        Ok(())
    }
}
