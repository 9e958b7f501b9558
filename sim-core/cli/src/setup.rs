//! Builds a machine from the arguments: the file or model, the page sizes, and the option that an error is
//! about.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use pagewalk::config::cpu;
use pagewalk::config::{MachineConfig, parse_json};
use pagewalk::os::{self, MapSource, OsConfig, PagePolicy};
use pagewalk_analysis::recorded_pages::RecordedPages;
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, Place};
use pagewalk_sources::import::Warning;

use crate::about::{About, MachineAbout, this_command};
use crate::args::{MachineArgs, VirtArgs};
use crate::input::{io_error, open};
use crate::output;
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
        let (config, no_nested, own_os) = match (&machine.cpu, &machine.machine) {
            (Some(name), _) => {
                let model = model(name)?;
                let os = model.os.is_some().then(|| model.mapping());
                cpu = Some(model.id);
                (model.machine, model.no_nested, os)
            }
            (None, Some(file)) => {
                let parsed = MachineConfig::parse(&read_text(file)?);
                (parsed.with_context(|| file.display().to_string())?, None, None)
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
            cpu,
            machine_from: machine.machine.clone(),
            os_from: os.map(Path::to_owned),
            mapping,
        })
    }

    /// The id of the CPU model, if the machine is one.
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

    /// The warning about a machine without nested paging that is asked for it.
    pub(crate) fn warning(&self) -> Option<String> {
        let no_nested = self.no_nested.as_ref().filter(|_| self.os.virt == os::Virt::Ept)?;
        Some(format!("{no_nested}: --virt shadow simulates that"))
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
            None if self.mapping == Mapping::Recorded => "pages as recorded".to_owned(),
            None => format!("{} pages", self.os.name()),
        };
        pages + &self.host_name()
    }
}

/// Returns a CPU model, or an error that names similar models or lists all. If the name is of a processor that the
/// model only stands for, a note says so.
pub(crate) fn model(name: &str) -> anyhow::Result<cpu::CpuModel> {
    let model = cpu::model(name).map_err(|error| match similar(name).as_slice() {
        [] => anyhow!("{}", error.message),
        found => anyhow!(
            "there is no CPU `{name}`: did you mean {}? `pagewalk cpus` lists all",
            found.join(" or ")
        ),
    })?;
    let word = name.split(':').next().unwrap_or_default();
    if cpu::ids().all(|id| id != word)
        && let Some((_, Some(alias))) = cpu::alias(word)?
    {
        let note = alias.note.map_or_else(String::new, |note| format!(" {note}"));
        output::aside(format!(
            "{} is simulated as {} ({}).{note}\n",
            alias.name, model.id, alias.source
        ));
    }
    Ok(model)
}

/// Returns the models with a name that contains a word, or else the one that is spelled almost like it.
fn similar(word: &str) -> Vec<String> {
    const MOST: usize = 4;
    /// The share of letters that must agree.
    const ALMOST: f64 = 0.75;
    let word = word.to_lowercase();
    let models = cpu::models().unwrap_or_default();
    // If the model of a variant is known, only the variant is wrong.
    if models.iter().any(|model| word.split(':').next() == Some(&model.id)) {
        return Vec::new();
    }
    let contains = |model: &cpu::CpuModel| {
        // The name of a product line can stand before the name: `EPYC Milan`.
        let part = |name: &str| name.contains(&word) || name.len() > 3 && word.contains(name);
        word.len() > 2 && names(model).any(|name| part(&name))
    };
    let likeness = |model: &cpu::CpuModel| {
        let each = names(model).map(|name| strsim::normalized_damerau_levenshtein(&word, &name));
        each.fold(0.0, f64::max)
    };
    let best = models.iter().map(likeness).fold(ALMOST, f64::max);
    let any_contains = models.iter().any(contains);
    let found = models
        .iter()
        .filter(|model| if any_contains { contains(model) } else { likeness(model) >= best });
    found.take(MOST).map(|model| model.id.clone()).collect()
}

/// The id, the name and the aliases of a model, in lower case.
fn names(model: &cpu::CpuModel) -> impl Iterator<Item = String> {
    let aliases = model.aliases.iter().map(|alias| &alias.name);
    [&model.id, &model.name].into_iter().chain(aliases).map(|name| name.to_lowercase())
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
