//! From arguments to a machine: which file or model, which page sizes, and whose fault an error is.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use pagewalk::config::cpu;
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::os::{self, OsConfig, PagePolicy};
use pagewalk_base::error::{Error, Place};

use crate::args::{MachineArgs, VirtArgs};
use crate::input::{io_error, open};

/// Configurations are a few kilobytes; a region map may be larger.
const MAX_CONFIG_BYTES: u64 = 64 << 20;

/// A machine and its operating system, with where each came from.
pub(crate) struct Setup {
    pub(crate) config: MachineConfig,
    pub(crate) os: OsConfig,
    /// Of a CPU model, as it has it.
    no_nested: Option<String>,
    machine_from: Option<PathBuf>,
    os_from: Option<PathBuf>,
}

impl Setup {
    pub(crate) fn new(
        machine: &MachineArgs,
        virt: &VirtArgs,
        pages: Option<&OsConfig>,
        os: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let (config, no_nested) = match (&machine.cpu, &machine.machine) {
            (Some(id), _) => {
                let model = model(id)?;
                (model.machine, model.no_nested)
            }
            (None, Some(file)) => {
                let parsed = MachineConfig::parse(&read_text(file)?);
                (parsed.with_context(|| file.display().to_string())?, None)
            }
            (None, None) => bail!("give the machine with --cpu or --machine"),
        };
        let mut parsed = match os {
            Some(file) => {
                parse_json(&read_text(file)?).with_context(|| file.display().to_string())?
            }
            None => OsConfig::default(),
        };
        if let Some(pages) = pages {
            parsed = pages.clone();
        } else if os.is_none()
            && let Some(smallest) = config.smallest_pages()
        {
            // Nothing is said: the smallest pages of the machine, which are 4K of most.
            parsed.default = PagePolicy::Fixed(smallest);
        }
        virtualise(&mut parsed, virt)?;
        Ok(Self {
            config,
            os: parsed,
            no_nested,
            machine_from: machine.machine.clone(),
            os_from: os.map(Path::to_owned),
        })
    }

    /// Puts the file or option that is to blame before what the core says.
    pub(crate) fn blame(&self, error: Error) -> anyhow::Error {
        let Some(Place::Field(field)) = &error.at else { return error.into() };
        let from_os = field.strip_prefix("os.");
        let file = if from_os.is_some() { &self.os_from } else { &self.machine_from };
        let message = &error.message;
        match (file, from_os) {
            (Some(file), from_os) => {
                anyhow!("{}: {}: {message}", file.display(), from_os.unwrap_or(field))
            }
            (None, Some(field)) if field.starts_with("host") => match &self.os.host {
                Some(host) => anyhow!("--host-pages {}: {message}", host.name()),
                None => anyhow!("--virt ept: {message}"),
            },
            (None, Some(_)) => anyhow!("--pages {}: {message}", self.os.name()),
            (None, None) => error.into(),
        }
    }

    /// What there is to say of a machine that is asked for what it never had.
    pub(crate) fn warning(&self) -> Option<String> {
        let no_nested = self.no_nested.as_ref().filter(|_| self.os.virt == os::Virt::Ept)?;
        Some(format!("{no_nested}: --virt shadow simulates that"))
    }

    /// What to call the machine in a title.
    pub(crate) fn machine_name(&self) -> String {
        match (&self.machine_from, self.config.name.as_str()) {
            (Some(file), "") => file.display().to_string(),
            (_, name) => name.to_owned(),
        }
    }

    /// What follows in a title where there is a host.
    pub(crate) fn host_name(&self) -> String {
        let host = self.os.host.as_ref();
        match self.os.virt {
            os::Virt::Native => String::new(),
            os::Virt::Ept => {
                let pages = host.map_or_else(|| OsConfig::default().name(), |host| host.name());
                format!(", nested on {pages} pages of the host")
            }
            os::Virt::Shadow => host.map_or_else(
                || ", shadowed".to_owned(),
                |host| format!(", shadowed on {} pages of the host", host.name()),
            ),
        }
    }

    /// What to call the mapping in a title.
    pub(crate) fn os_name(&self) -> String {
        let pages = match &self.os_from {
            Some(file) => format!("memory mapped as in {}", file.display()),
            None => format!("{} pages", self.os.name()),
        };
        pages + &self.host_name()
    }
}

/// A CPU model, or an error that lists those there are.
pub(crate) fn model(id: &str) -> anyhow::Result<cpu::CpuModel> {
    cpu::model(id).map_err(|error| anyhow!("{}", error.message))
}

/// What the options say of the host goes before what the file says.
fn virtualise(os: &mut OsConfig, args: &VirtArgs) -> anyhow::Result<()> {
    if let Some(virt) = args.virt {
        os.virt = virt.into();
    }
    if let Some(pages) = &args.host_pages {
        if os.virt == os::Virt::Native {
            bail!("--host-pages: there is no host without --virt ept or --virt shadow");
        }
        os.host.get_or_insert_default().map_with(pages);
    }
    if os.virt == os::Virt::Native && args.virt.is_some() {
        os.host = None;
    }
    Ok(())
}

/// Reads a configuration.
///
/// # Errors
/// Those of the file, with its name.
pub(crate) fn read_text(path: &Path) -> anyhow::Result<String> {
    let file: File = open(path)?;
    let mut bytes = Vec::new();
    file.take(MAX_CONFIG_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| io_error(path, &error))?;
    if bytes.len() as u64 > MAX_CONFIG_BYTES {
        bail!(
            "{}: it is larger than {} MB, so it is no configuration",
            path.display(),
            MAX_CONFIG_BYTES >> 20
        );
    }
    let text = String::from_utf8(bytes);
    let text = text
        .map_err(|_| anyhow!("{}: it is not a text in UTF-8: give a JSON file", path.display()))?;
    Ok(text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned))
}
