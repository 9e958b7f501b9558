//! How memory is virtualised: whether there is a host below the operating system.

use serde::{Deserialize, Serialize};

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
