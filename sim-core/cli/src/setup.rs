//! Builds a machine from the arguments: the file or model, the page sizes, and the option that an error is
//! about.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::os::{self, MapSource, OsConfig, PagePolicy};
use pagewalk_analysis::recorded_pages::RecordedPages;
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, Place};
use pagewalk_sources::import::Warning;

use crate::about::{About, MachineAbout, this_command};
use crate::args::{MachineArgs, VirtArgs};
use crate::input::{io_error, open};
use crate::processors::model;
use crate::table::grouped;

/// The largest configuration, in bytes. A memory map with many regions can be large.
const MAX_CONFIG_BYTES: u64 = 64 << 20;

/// A machine and its operating system, with the source of each.
#[derive(Clone)]
pub(crate) struct Setup {
    pub(crate) config: MachineConfig,
    pub(crate) os: OsConfig,
    /// For a CPU model without nested paging, the sentence that says so.
    no_nested: Option<String>,
    /// For a CPU model that lacks walk caches because no source describes them, the sentence that says so.
    no_walk_caches: Option<String>,
    cpu: Option<String>,
    machine_from: Option<PathBuf>,
    os_from: Option<PathBuf>,
    mapping: Mapping,
}

/// What decides the pages of memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mapping {
    /// An option, a file, or the model of a small machine.
    Given,
    /// The page sizes of a recording.
    Recorded,
    /// The smallest pages of the machine.
    Default,
}

impl Setup {
    pub(crate) fn new(
        machine: &MachineArgs,
        virt: &VirtArgs,
        pages: Option<&OsConfig>,
        os: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let mut cpu = None;
        let (mut no_nested, mut no_walk_caches) = (None, None);
        let (config, own_os) = match (&machine.cpu, &machine.machine) {
            (Some(name), _) => {
                let model = model(name)?;
                let os = model.os.is_some().then(|| model.mapping());
                cpu = Some(model.id);
                (no_nested, no_walk_caches) = (model.no_nested, model.no_walk_caches);
                (model.machine, os)
            }
            (None, Some(file)) => {
                let parsed = MachineConfig::parse(&read_text(file)?);
                (parsed.with_context(|| file.display().to_string())?, None)
            }
            (None, None) => bail!("give the machine with --cpu or --machine"),
        };
        let mut mapping = Mapping::Given;
        let mut parsed = match os {
            Some(file) => {
                parse_json(&read_text(file)?).with_context(|| file.display().to_string())?
            }
            None => OsConfig::default(),
        };
        if let Some(pages) = pages {
            parsed = pages.clone();
        } else if os.is_none()
            && let Some(own) = own_os
        {
            parsed = own;
        } else if os.is_none()
            && let Some(smallest) = config.smallest_pages()
        {
            // Without an option, memory has the machine's smallest pages: 4K on most machines.
            parsed.default = PagePolicy::Fixed(smallest);
            mapping = Mapping::Default;
        }
        virtualise(&mut parsed, virt)?;
        Ok(Self {
            config,
            os: parsed,
            no_nested,
            no_walk_caches,
            cpu,
            machine_from: machine.machine.clone(),
            os_from: os.map(Path::to_owned),
            mapping,
        })
    }

    /// The id of the CPU model, or `None` if a file describes the machine.
    pub(crate) fn cpu(&self) -> Option<&str> {
        self.cpu.as_deref()
    }

    /// The page size of memory that nothing says more about.
    pub(crate) fn smallest_pages(&self) -> PageSize {
        self.config.smallest_pages().unwrap_or(PageSize::K4)
    }

    /// Maps memory with the pages of a recording.
    pub(crate) fn map_recorded(&mut self, pages: &RecordedPages) {
        pages.map(&mut self.os);
        self.mapping = Mapping::Recorded;
    }

    /// Returns whether nothing says how memory is mapped.
    pub(crate) fn is_mapping_open(&self) -> bool {
        self.mapping == Mapping::Default || self.os.map == MapSource::Recorded
    }

    /// Names the file or option that caused an error.
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
            (None, Some(_)) if self.mapping == Mapping::Recorded => {
                anyhow!("--pages recorded: {message}")
            }
            (None, Some(_)) => anyhow!("--pages {}: {message}", self.os.name()),
            (None, None) => error.into(),
        }
    }

    /// Removes the walk caches, as `--no-walk-caches` asks.
    pub(crate) fn remove_walk_caches(&mut self, without: MachineConfig) {
        self.config = without;
        self.no_walk_caches = None;
    }

    /// The warnings about the CPU model: nested paging that the processor does not have, and walk caches that no source
    /// describes.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let no_nested = self.no_nested.as_ref().filter(|_| self.os.virt == os::Virt::Ept);
        let no_nested = no_nested.map(|why| format!("{why}: --virt shadow simulates that"));
        no_nested.into_iter().chain(self.no_walk_caches.clone()).collect()
    }

    /// Describes the machine and the mapping for a result.
    pub(crate) fn about(&self) -> About {
        let machine = MachineAbout::new(self.cpu.as_deref(), self.machine_name(), &self.config);
        this_command().on(machine).mapped(&self.os)
    }

    /// Returns the warning that the machine does not translate the addresses of `n` accesses, or `None` if `n` is 0.
    pub(crate) fn untranslated_warning(
        &self,
        n: u64,
        accesses: u64,
    ) -> anyhow::Result<Option<Warning>> {
        let fault = self.config.geometry()?.rule().addresses.fault();
        let warning = format!(
            "this machine does not translate the address of {} of {} accesses ({fault}): they are counted apart",
            grouped(n),
            grouped(accesses)
        );
        Ok((n > 0).then(|| warning.into()))
    }

    /// The name of the machine in a title.
    pub(crate) fn machine_name(&self) -> String {
        match (&self.machine_from, self.config.name.as_str()) {
            (Some(file), "") => file.display().to_string(),
            (_, name) => name.to_owned(),
        }
    }

    /// The words about the host in a title, or nothing without a host.
    pub(crate) fn host_name(&self) -> String {
        let host = self.os.host.as_ref();
        match self.os.virt {
            os::Virt::Native => String::new(),
            os::Virt::Ept => {
                let pages = host.map_or_else(|| OsConfig::default().name(), |host| host.name());
                format!(", nested on {pages} host pages")
            }
            os::Virt::Shadow => host.map_or_else(
                || ", shadowed".to_owned(),
                |host| format!(", shadowed on {} host pages", host.name()),
            ),
        }
    }

    /// The words about the memory policy in a title.
    pub(crate) fn os_name(&self) -> String {
        let pages = match &self.os_from {
            Some(file) => format!("memory mapped as in {}", file.display()),
            None if self.mapping == Mapping::Recorded => {
                let all = self.os.regions.is_empty().then(|| self.os.name());
                as_recorded(all.as_deref())
            }
            None => format!("{} pages", self.os.name()),
        };
        pages + &self.host_name()
    }
}

/// Describes the pages of a recording, with their size if there is only one.
pub(crate) fn as_recorded(all: Option<&str>) -> String {
    let all = all.map_or_else(String::new, |size| format!(" (all {size})"));
    format!("pages as recorded{all}")
}

/// Sets the host. Options override the file.
fn virtualise(os: &mut OsConfig, args: &VirtArgs) -> anyhow::Result<()> {
    if let Some(virt) = args.virt {
        os.virt = virt.into();
    }
    if let Some(pages) = &args.host_pages {
        if os.virt == os::Virt::Native {
            bail!("--host-pages: there is no host: give --virt ept or --virt shadow as well");
        }
        os.host.get_or_insert_default().map_with(pages);
    }
    if os.virt == os::Virt::Native && args.virt.is_some() {
        os.host = None;
    }
    Ok(())
}

/// Reads a configuration file.
///
/// # Errors
/// Errors of the file, with its name.
pub(crate) fn read_text(path: &Path) -> anyhow::Result<String> {
    let file: File = open(path)?;
    let mut bytes = Vec::new();
    file.take(MAX_CONFIG_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| io_error(path, &error))?;
    if bytes.len() as u64 > MAX_CONFIG_BYTES {
        bail!(
            "{}: the file is larger than {} MB, too large for a configuration",
            path.display(),
            MAX_CONFIG_BYTES >> 20
        );
    }
    let text = String::from_utf8(bytes);
    let text = text
        .map_err(|_| anyhow!("{}: the file is not UTF-8 text: give a JSON file", path.display()))?;
    Ok(text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned))
}
