//! How memory is virtualised: whether there is a host below the operating system.

use serde::{Deserialize, Serialize};

use super::Os;
use super::config::OsConfig;
use crate::error::{Error, Result};

/// How memory is virtualised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(test, derive(ts_rs::TS), ts(export))]
pub enum Virt {
    /// It is not: one page table.
    #[default]
    Native,
    /// Nested page tables: those of the guest, mapped by those of the host.
    Ept,
    /// One page table, which the host keeps in step with the guest's.
    Shadow,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "it is what serde passes")]
pub(super) fn is_native(virt: &Virt) -> bool {
    *virt == Virt::Native
}

impl OsConfig {
    /// # Errors
    /// `bad-config` if a host is given that there is not, or that is no plain one.
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
            _ => Ok(()),
        }
    }
}

impl Os {
    /// What of its policies a host cannot have, as the reason in words. The addresses that it maps are
    /// guest-physical.
    pub(crate) fn no_host_because(&self) -> Option<&'static str> {
        let maps = self.maps();
        let mut areas = maps.iter().flat_map(|(_, map)| map.areas());
        if areas.any(|area| area.copy_on_write) {
            return Some(
                "the host's pages are not copied on write: leave out copy_on_write inside host",
            );
        }
        (self.khugepaged_due() < u32::MAX).then_some(
            "khugepaged is the guest's alone so far: leave it out inside host, where thp gives huge pages at the first touch",
        )
    }

    /// Takes the page that is about to be mapped at a guest-physical address from its pool, if it
    /// comes from one.
    ///
    /// # Errors
    /// `bad-config` if the pool is empty: the virtual machine ends there.
    pub(crate) fn take_from_pool(&mut self, address: u64, leaf: u8) -> Result<()> {
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
