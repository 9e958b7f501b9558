//! What can be seen of one access: its events, the machine, and the contents of a set before it.

use pagewalk::machine::structures::StructureId;
use pagewalk::record::event::{LevelView, MachineView, StepView, TranslationView};
use pagewalk::record::snapshot::Columns;
use pagewalk::run::replay::Replay;
use pagewalk_base::addr::{Hex, Level};
use pagewalk_base::error::{Error, Result};

/// One access of a replay.
pub(crate) struct Scene<'a> {
    pub(crate) replay: &'a Replay,
    pub(crate) step: StepView,
    pub(crate) machine: MachineView,
    /// The address without its tag, in the bits that a translation reads.
    pub(crate) va: u64,
}

/// An entry of a set before the access.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) way: u64,
    /// The page number. `None` if the entry leads to a table.
    pub(crate) page: Option<u64>,
    pub(crate) filled_at: u32,
    pub(crate) used_at: u32,
}

/// The contents of a set before the access.
pub(crate) struct Set {
    pub(crate) entries: Vec<Held>,
    pub(crate) has_empty_way: bool,
}

impl<'a> Scene<'a> {
    /// Runs the access `at` of a replay.
    ///
    /// # Errors
    /// `bad-config` at `at` if the access is not simulated; the error that stopped the machine.
    pub(crate) fn new(replay: &'a mut Replay, at: u32) -> Result<Self> {
        let step = replay.seek(at).ok_or_else(|| {
            let span = replay.span().simulated.clone();
            let message = format!(
                "no access {at} is simulated, but those from {} to before {}",
                span.start, span.end
            );
            Error::config("at", message)
        })?;
        if let Some(failure) = replay.failure() {
            return Err(failure);
        }
        let machine = replay.machine();
        let Hex(address) = step.access.address;
        let is_fetch = step.access.kind.is_fetch();
        let own = machine.address_tags().map_or(address, |tags| tags.strip(is_fetch, address));
        let va = own & machine.va_mask();
        let machine = MachineView::of(machine);
        Ok(Self { replay, step, machine, va })
    }

    /// Returns the translation of the first byte.
    ///
    /// # Errors
    /// `bad-config` if there is none.
    pub(crate) fn translation(&self) -> Result<&TranslationView> {
        self.step.translations.first().ok_or_else(|| {
            let why = match &self.step.exception {
                Some(exception) => {
                    format!("{} ends it before: {}", exception.name, exception.meaning)
                }
                None => "it ends before".to_owned(),
            };
            senseless(format!("the access has no translation: {why}"))
        })
    }

    /// Returns the walk of the first byte's translation.
    ///
    /// # Errors
    /// `bad-config` if there is none.
    pub(crate) fn walk(&self) -> Result<&TranslationView> {
        let done = self.translation()?;
        if done.refs > 0 { Ok(done) } else { Err(senseless("the access has no walk: a TLB hits")) }
    }

    /// Returns the levels of the page table on the way of the first byte, from the root. After a page fault, the last
    /// level is that of the entry that denied the access.
    pub(crate) fn levels(&self) -> &[LevelView] {
        match (self.step.translations.first(), &self.step.refused) {
            (Some(done), _) => &done.levels,
            (None, Some(refused)) => &refused.levels,
            (None, None) => &[],
        }
    }

    /// Returns the level of the page table on the way of the first byte.
    ///
    /// # Errors
    /// `bad-config` at `field` if the access does not come to that level.
    pub(crate) fn level(&self, level: Level, field: &str) -> Result<&LevelView> {
        let levels = self.levels();
        levels.iter().find(|view| view.level == level).ok_or_else(|| {
            let known: Vec<_> = levels.iter().map(|view| view.level.to_string()).collect();
            let known = match known.as_slice() {
                [] => "it reads no table".to_owned(),
                known => format!("choose one of {}", known.join(", ")),
            };
            Error::config(field, format!("the access reads no table of level {level}: {known}"))
        })
    }

    /// Returns log2 of the bytes of the page, if the page is mapped or the machine has one size only.
    pub(crate) fn page_shift(&self) -> Option<u8> {
        if let Some(done) = self.step.translations.first() {
            return Some(done.page_shift);
        }
        let leaf = self.levels().last().filter(|level| level.leaf).map(|level| level.shift);
        let only = match self.machine.page_sizes.as_slice() {
            [only] => Some(only.0),
            _ => None,
        };
        only.or(leaf)
    }

    /// Returns the cuts of the address at the other page sizes of the machine: log2 of their bytes.
    pub(crate) fn other_shifts(&self, shift: u8) -> impl Iterator<Item = u8> {
        self.machine.page_sizes.iter().map(|size| size.0).filter(move |other| *other != shift)
    }

    /// Returns the contents of a set before the access, on the core of the access.
    pub(crate) fn set_before(&self, structure: usize, set: u32) -> Set {
        let before = self.replay.machine_before(self.step.index);
        let core = self.step.cores.iter().find(|core| core.active).map(|core| core.core);
        let id = StructureId(structure);
        let columns = core.and_then(|core| Columns::of_core(&before, core, id));
        let columns = columns.or_else(|| Columns::of(&before, id)).unwrap_or_default();
        let ways = self.machine.structures[structure].ways;
        let slots =
            (0..ways).filter_map(|way| usize::try_from(set * ways + way).ok().zip(Some(way)));
        let held = slots.filter_map(|(slot, way)| {
            let is_used = *columns.key_shift.get(slot)? > 0;
            let page = (columns.table[slot] == 0).then_some(columns.keys[slot]);
            let (filled_at, used_at) = (columns.filled_at[slot], columns.used_at[slot]);
            is_used.then_some(Held { way: way.into(), page, filled_at, used_at })
        });
        let entries: Vec<Held> = held.collect();
        let has_empty_way = entries.len() < ways as usize;
        Set { entries, has_empty_way }
    }
}

/// Makes the error that a question has no answer at this access.
pub(crate) fn senseless(message: impl Into<String>) -> Error {
    Error::config("kind", message)
}

/// Returns the bits of an address below `shift`.
pub(crate) fn low_bits(address: u64, shift: u8) -> u64 {
    address & ((1 << shift) - 1)
}
