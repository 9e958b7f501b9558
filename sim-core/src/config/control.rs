//! The control registers of a processor that influence translation.

use serde::{Deserialize, Serialize};

use pagewalk_base::error::{Error, Result};

/// Control registers, and the kernel's use of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct ControlConfig {
    /// The number of PCIDs that the kernel assigns to processes in turn; Linux has 6. With 0, each process switch
    /// drops all entries except the global ones. Missing = one PCID for each process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pcids: Option<u32>,
}

/// The number of PCIDs: they have 12 bits.
const MAX_PCIDS: u32 = 4096;

impl ControlConfig {
    /// Checks the configuration.
    ///
    /// # Errors
    /// `bad-config` at the field that is wrong.
    pub(crate) fn check(&self) -> Result<()> {
        match self.pcids {
            Some(n) if n > MAX_PCIDS => {
                Err(Error::config("pcids", format!("{n} PCIDs: must be 0 to {MAX_PCIDS}")))
            }
            _ => Ok(()),
        }
    }
}
