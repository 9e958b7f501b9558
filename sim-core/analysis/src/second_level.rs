//! Miss curves of level 2: the walks with every size of level 2, with level 1 of a machine, from one pass over
//! a trace.
//!
//! The misses of level 1 do not depend on level 2 (inclusion `nine`: every miss fills level 1, and an eviction
//! from level 2 changes nothing in level 1). So the machine runs with level 1 alone, and the stack distances
//! are those of its misses. A level 2 with n entries under LRU hits at distances of n or less.
//!
//! ```text
//! access ─▶ level 1 ─miss─▶ stack of pages ─▶ distance
//! ```

use pagewalk_base::small_map::SmallMap;
use std::ops::Range;

use serde::Serialize;

use crate::curve::{CurveOptions, check_sets, misses_by_size};
use crate::page_uses::Chosen;
use crate::stack_distance::StackDistances;
use pagewalk::caches::memory::MemoryConfig;
use pagewalk::caches::psc::PscConfig;
use pagewalk::caches::tlb::ArrayConfig;
use pagewalk::config::{Inclusion, MachineConfig};
use pagewalk::machine::Machine;
use pagewalk::machine::exception::Exception;
use pagewalk::machine::probe::{Outcome, Probe, Translation};
use pagewalk::os::OsConfig;
use pagewalk_base::addr::PageSize;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::trace::{Access, Chunk, Kind};

/// The walks for every size of level 2: `pagewalk curve --cpu ID --json`. The local miss rate is misses /
/// `l1_misses`, the global miss rate is misses / `translations`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct SecondLevelCurve {
    pub accesses: u64,
    /// Accesses, and one more for each that straddles two pages.
    pub translations: u64,
    /// Translations that level 1 does not hold: lookups of level 2.
    pub l1_misses: u64,
    /// Accesses whose address the machine does not translate. They have no translation.
    pub refused: u64,
    /// First uses of a page at level 2, including those in a warm-up. They miss at every size.
    pub cold: u64,
    /// Pairs of a size and its walks. The size is the number of entries, or of ways if there are sets, from 1
    /// on.
    pub misses: Vec<(u32, u64)>,
}

/// Computes a [`SecondLevelCurve`] from accesses in order.
pub struct SecondLevelBuilder {
    machine: Machine,
    /// The number of accesses that the machine has translated.
    index: u32,
    second: Second,
}

/// An observer that computes the stack distances of level-1 misses.
struct Second {
    chosen: Chosen,
    space: u32,
    distances: StackDistances,
    by_distance: Vec<u64>,
    accesses: u64,
    translations: u64,
    refused: u64,
    counting: bool,
}

impl SecondLevelBuilder {
    /// Creates a machine with level 1 of `config`, without coalescing, and with all memory mapped with pages of
    /// one size. A process switch invalidates nothing.
    ///
    /// # Errors
    /// `bad-config` at `sets`, `kinds` or a field of the machine; at `os.default` if the machine does not have
    /// the page size.
    pub fn new(config: &MachineConfig, options: CurveOptions) -> Result<Self> {
        let CurveOptions { chosen, sets } = options;
        let n_sets = check_sets(sets)?;
        chosen.check()?;
        let alone = MachineConfig {
            coalescing: SmallMap::new(),
            l1: without_runs(config),
            l2: Vec::new(),
            inclusion: Inclusion::Nine,
            psc: PscConfig::default(),
            virt: None,
            control: None,
            memory: MemoryConfig::default(),
            ..config.clone()
        };
        let os = OsConfig { regions: chosen.others.regions(), ..OsConfig::of(chosen.pages) };
        let second = Second {
            chosen,
            space: 0,
            distances: StackDistances::new(n_sets),
            by_distance: vec![0; 2],
            accesses: 0,
            translations: 0,
            refused: 0,
            counting: true,
        };
        Ok(Self { machine: Machine::new(&alone, &os)?, index: 0, second })
    }

    /// Sets whether the following accesses are counted or only warm up. A new builder counts.
    pub fn set_counting(&mut self, counting: bool) {
        self.second.counting = counting;
    }

    /// Adds an access, if it is of a chosen kind. Prefetches that miss level 1 use a page of level 2, as in a
    /// machine, but are not counted.
    ///
    /// # Errors
    /// `too-large` after 2³² accesses, or if the machine's tables need too much memory.
    pub fn push(&mut self, access: &Access) -> Result<()> {
        if access.kind != Kind::Prefetch {
            if !self.second.chosen.has(access.kind) {
                return Ok(());
            }
            self.second.accesses += u64::from(self.second.counting);
        }
        self.second.space = access.pid;
        let probe: &mut dyn Probe = &mut self.second;
        self.machine.access(self.index, access, &mut { probe });
        self.index = self.index.checked_add(1).ok_or_else(too_long)?;
        self.machine.failure().cloned().map_or(Ok(()), Err)
    }

    /// Adds the accesses of the next chunk whose numbers in the trace are in `range`.
    ///
    /// # Errors
    /// The errors of [`Self::push`].
    pub(crate) fn push_part(&mut self, chunk: &Chunk, range: &Range<u32>) -> Result<()> {
        let skipped = range.start.saturating_sub(chunk.first) as usize;
        let n = range.end.saturating_sub(range.start) as usize;
        chunk.accesses().skip(skipped).take(n).try_for_each(|access| self.push(&access))
    }

    /// Returns the curve up to the size at which only first uses miss.
    pub fn finish(&self) -> SecondLevelCurve {
        let &Second { ref by_distance, accesses, translations, refused, .. } = &self.second;
        let (l1_misses, misses) = misses_by_size(by_distance);
        let cold = by_distance[0];
        SecondLevelCurve { accesses, translations, l1_misses, refused, cold, misses }
    }
}

impl Probe for Second {
    fn ended_by_exception(&mut self, _exception: Exception, _address: u64) {
        self.refused += u64::from(self.counting);
    }

    fn translated(&mut self, translation: &Translation) {
        let counts = self.counting && translation.kind != Kind::Prefetch;
        self.translations += u64::from(counts);
        if translation.outcome == Outcome::L1Hit {
            return;
        }
        let page = self.chosen.page_of(translation.address);
        let distance = self.distances.touch(self.space, page).unwrap_or(0) as usize;
        if !self.counting {
            return;
        }
        if distance >= self.by_distance.len() {
            self.by_distance.resize(distance + 1, 0);
        }
        self.by_distance[distance] += u64::from(counts);
    }
}

/// Returns the arrays of level 1 without the page sizes of coalesced groups.
fn without_runs(config: &MachineConfig) -> Vec<ArrayConfig> {
    let is_run = |size: &PageSize| {
        config.coalescing.iter().any(|(small, n)| size.bytes() == small.bytes() * u64::from(*n))
    };
    let mut arrays = config.l1.clone();
    for array in &mut arrays {
        for sizes in [&mut array.pages, &mut array.fragments].into_iter().flatten() {
            sizes.retain(|size| !is_run(size));
        }
        array.ways_of.retain(|size, _| !is_run(size));
    }
    arrays.retain(|array| array.pages.as_ref().is_none_or(|sizes| !sizes.is_empty()));
    arrays
}

#[cold]
fn too_long() -> Error {
    let message = "the trace has more than 4,294,967,295 accesses: end the curve with --limit";
    Error::new(ErrorCode::TooLarge, message)
}
