//! The memory model: caches, then DRAM. It serves page-table reads, and data accesses if the configuration says
//! `data`.

mod late_order;
mod lines;
mod read_list;
mod touch_list;

use serde::{Deserialize, Serialize};

use crate::caches::set_assoc::Geometry;
use crate::caches::victima::{BlockSets, CACHE as BLOCKS_AT, VictimaConfig};
use late_order::LateOrder;
use lines::Lines;
pub(crate) use lines::{FRAMES_BIT, apart, own};
use pagewalk_base::addr::parse_size;
use pagewalk_base::error::{Error, Result, add_within};
use pagewalk_base::whole::IS_WHOLE;
pub(crate) use read_list::{NOT_A_WALK, ReadList, Readers, ServedReads, read_by};
pub(crate) use touch_list::{PAGE_LINES_BITS, TouchList};

/// The bytes of the smallest cache line. Reads name lines of this size.
pub(crate) const LINE: u64 = 64;
/// The bytes of the largest cache line.
const MAX_LINE: u64 = 4096;
/// The largest latency of any part of a machine, in cycles.
pub const MAX_LATENCY: u32 = 100_000;
/// The most caches that a machine may have.
pub(crate) const MAX_CACHES: usize = 7;

/// One cache level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export, optional_fields))]
pub struct CacheConfig {
    pub name: String,
    /// The size in bytes with a unit, such as `"32K"`: sets × ways × line. Set = line mod sets.
    pub size: String,
    /// The ways of a set. Missing = fully associative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ways: Option<u32>,
    /// The bytes of a line, a power of two of 64 to 4096, at least those of the cache before. Missing = 64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The cycles of a hit, 0 to 100,000.
    pub latency: u32,
}

impl Default for CacheConfig {
    fn default() -> Self {
        Self { name: "L1D".to_owned(), size: "32K".to_owned(), ways: None, line: None, latency: 4 }
    }
}

/// The caches that page-table reads go through.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(any(test, feature = "ts"), derive(ts_rs::TS), ts(export))]
pub struct MemoryConfig {
    /// Whether data accesses go through the caches too.
    pub data: bool,
    /// The caches, nearest to the core first.
    pub caches: Vec<CacheConfig>,
    /// The cycles of a read that no cache serves, 0 to 100,000.
    pub dram: u32,
}

impl Default for MemoryConfig {
    fn default() -> Self {
        Self { data: false, caches: Vec::new(), dram: 200 }
    }
}

/// One LRU cache of lines.
#[derive(Clone, Debug, PartialEq)]
struct Cache {
    lines: Lines,
    latency: u64,
}

/// The caches, in the order in which they are looked up, and the DRAM.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Memory {
    caches: Vec<Cache>,
    dram: u64,
    /// The order of use of the nearest cache, computed late. Present only during a list of touches.
    late_order: Option<Box<LateOrder>>,
}

/// The server of a read, and its cycles. `server` is the number of a cache; the number of caches stands for
/// DRAM.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Served {
    pub(crate) server: usize,
    pub(crate) cycles: u64,
}

/// The caches that each core has for itself: all but the last.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PrivateCaches(Vec<Cache>);

impl PrivateCaches {
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|cache| cache.lines.bytes_apart_from(None)).sum()
    }

    /// Returns the sets with TLB blocks, if the core has them for itself.
    pub(crate) fn blocks(&self) -> Option<&BlockSets> {
        self.0.get(BLOCKS_AT)?.lines.blocks()
    }

    pub(crate) fn blocks_mut(&mut self) -> Option<&mut BlockSets> {
        self.0.get_mut(BLOCKS_AT)?.lines.blocks_mut()
    }
}

impl Memory {
    /// Returns a copy of the caches that each core has for itself.
    pub(crate) fn private_caches(&self) -> PrivateCaches {
        PrivateCaches(self.caches[..self.caches.len().saturating_sub(1)].to_vec())
    }

    /// Exchanges the private caches for those of another core.
    pub(crate) fn exchange(&mut self, other: &mut PrivateCaches) {
        for (mine, theirs) in self.caches.iter_mut().zip(&mut other.0) {
            std::mem::swap(mine, theirs);
        }
    }

    /// Makes the empty caches.
    ///
    /// # Errors
    /// `bad-config` at the field that is wrong.
    pub(crate) fn new(config: &MemoryConfig) -> Result<Self> {
        let caches = config.caches.iter().map(Cache::new).collect::<Result<_>>()?;
        Ok(Self { caches, dram: u64::from(config.dram), late_order: None })
    }

    /// Lets the second cache hold TLB blocks.
    ///
    /// # Errors
    /// `bad-config` at the field that is wrong.
    pub(crate) fn hold_blocks(&mut self, of: &MemoryConfig, config: VictimaConfig) -> Result<()> {
        if let (Some(cache), Some(of)) = (self.caches.get_mut(BLOCKS_AT), of.caches.get(BLOCKS_AT))
        {
            cache.lines = Lines::with_blocks(of, config)?;
        }
        Ok(())
    }

    /// Returns the sets with TLB blocks.
    pub(crate) fn blocks(&self) -> Option<&BlockSets> {
        self.caches.get(BLOCKS_AT)?.lines.blocks()
    }

    /// Returns the sets with TLB blocks, and the cycles of a read there.
    pub(crate) fn blocks_mut(&mut self) -> Option<(&mut BlockSets, u64)> {
        let Cache { lines, latency } = self.caches.get_mut(BLOCKS_AT)?;
        Some((lines.blocks_mut()?, *latency))
    }

    pub(crate) fn has_caches(&self) -> bool {
        !self.caches.is_empty()
    }

    /// Returns the cycles of a read that no cache serves.
    pub(crate) fn dram(&self) -> u64 {
        self.dram
    }

    /// Returns whether the nearest cache allows [`Self::begin_touches`].
    pub(crate) fn allows_late_order(&self) -> bool {
        self.caches.first().is_some_and(|nearest| nearest.lines.late_order_shape().is_some())
    }

    /// Begins a list of touches. [`Self::touch_until`] executes them, and [`Self::end_touches`] ends the list.
    /// [`Self::allows_late_order`] must hold.
    pub(crate) fn begin_touches(&mut self, touches: &TouchList) {
        let nearest = self.caches.first();
        let late_order = nearest.and_then(|cache| LateOrder::new(touches, &cache.lines));
        self.late_order = late_order.map(Box::new);
    }

    /// Executes the touches before access `end` of the list. `frame` returns the first line of a page in
    /// physical memory, `None` for a page that is not mapped.
    pub(crate) fn touch_until(&mut self, end: u32, frame: impl Fn(u64) -> Option<u64>) {
        if let Some(late_order) = &mut self.late_order {
            late_order.touch_until(end, &mut self.caches, &frame);
        }
    }

    /// Ends the list of touches.
    pub(crate) fn end_touches(&mut self) {
        if let (Some(late_order), Some(nearest)) = (self.late_order.take(), self.caches.first_mut())
        {
            late_order.finish(&mut nearest.lines);
        }
    }

    /// Reads a line, given its number, for the data of an access. It returns nothing, because the cycles of
    /// data reads are not counted.
    #[inline]
    pub(crate) fn touch(&mut self, line: u64) {
        for cache in &mut self.caches {
            if cache.lines.read(line) {
                return;
            }
        }
    }

    /// Reads the line of a physical address. Every cache before the one that serves it gets the line.
    #[inline]
    pub(crate) fn read(&mut self, address: u64) -> Served {
        if self.caches.is_empty() {
            Served { server: 0, cycles: self.dram }
        } else {
            self.read_caches(address)
        }
    }

    #[inline(never)]
    fn read_caches(&mut self, address: u64) -> Served {
        let line = address / LINE;
        if let (Some(late_order), Some(nearest)) = (&mut self.late_order, self.caches.first_mut()) {
            if late_order.read(line, &mut nearest.lines) {
                return Served { server: 0, cycles: nearest.latency };
            }
            let others = &mut self.caches[1..];
            return match others.iter_mut().position(|cache| cache.lines.read(line)) {
                Some(at) => Served { server: at + 1, cycles: others[at].latency },
                None => Served { server: self.caches.len(), cycles: self.dram },
            };
        }
        if let Some(server) = self.caches.iter_mut().position(|cache| cache.lines.read(line)) {
            return Served { server, cycles: self.caches[server].latency };
        }
        if IS_WHOLE && let Some((sets, _)) = self.blocks_mut() {
            sets.count_dram_read();
        }
        Served { server: self.caches.len(), cycles: self.dram }
    }

    /// Reads the line of a physical address through the caches from number `first` on.
    pub(crate) fn read_from(&mut self, first: usize, address: u64) -> Served {
        let line = address / LINE;
        let mut caches = self.caches.iter_mut().enumerate().skip(first);
        match caches.find_map(|(server, cache)| cache.lines.read(line).then_some((server, cache))) {
            Some((server, cache)) => Served { server, cycles: cache.latency },
            None => Served { server: self.caches.len(), cycles: self.dram },
        }
    }

    /// Returns the number of bytes that this clone does not share with `other`.
    pub(crate) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        let caches = self.caches.iter().enumerate();
        let twin = |number: usize| other.map(|other| &other.caches[number].lines);
        caches.map(|(number, cache)| cache.lines.bytes_apart_from(twin(number))).sum()
    }
}

impl CacheConfig {
    /// Returns the bytes of a line.
    pub(crate) fn line_bytes(&self) -> u64 {
        self.line.map_or(LINE, u64::from)
    }

    /// Returns the number of sets and ways.
    ///
    /// # Errors
    /// `bad-config` at `line`, `size` or `ways`.
    pub(crate) fn geometry(&self) -> Result<Geometry> {
        let line = self.line_bytes();
        if !line.is_power_of_two() || !(LINE..=MAX_LINE).contains(&line) {
            let message = format!("{line} bytes: must be a power of two of {LINE} to {MAX_LINE}");
            return Err(Error::config("line", message));
        }
        let bytes = parse_size(&self.size)
            .filter(|bytes| (line..=1 << 30).contains(bytes))
            .ok_or_else(|| {
                let text = &self.size;
                Error::config(
                    "size",
                    format!("`{text}` is no cache size: write {line} to 1G, such as \"32K\""),
                )
            })?;
        let n_lines = u32::try_from(bytes / line).expect("at most 2^24 lines");
        let n_ways = self.ways.unwrap_or(n_lines);
        if n_ways == 0 || n_ways > 65_536 || !n_lines.is_multiple_of(n_ways) {
            return Err(Error::config(
                "ways",
                format!(
                    "{} with {n_ways} ways: size must be sets × ways × {line} B, with 1 to 65,536 ways",
                    self.size
                ),
            ));
        }
        Ok(Geometry { n_sets: n_lines / n_ways, n_ways })
    }
}

impl Cache {
    fn new(config: &CacheConfig) -> Result<Self> {
        let lines = Lines::new(config.geometry()?, config.line_bytes() / LINE);
        Ok(Self { lines, latency: u64::from(config.latency) })
    }
}

impl MemoryConfig {
    /// Returns all errors of the configuration.
    pub(crate) fn problems(&self) -> Vec<Error> {
        let mut found = Vec::new();
        if self.caches.len() > MAX_CACHES {
            let message = format!("{} caches: at most {MAX_CACHES}", self.caches.len());
            found.push(Error::config("caches", message));
        }
        for (at, cache) in self.caches.iter().enumerate() {
            let mut wrong = Vec::new();
            wrong.extend(cache.geometry().err());
            wrong.extend(at.checked_sub(1).and_then(|nearer| self.problem_with_lines(nearer)));
            wrong.extend(check_latency("latency", cache.latency).err());
            add_within(&mut found, &format!("caches[{at}]"), wrong);
        }
        found.extend(check_latency("dram", self.dram).err());
        found
    }

    /// Returns the error at the cache behind cache number `nearer`, if its lines are smaller.
    fn problem_with_lines(&self, nearer: usize) -> Option<Error> {
        let [nearer, cache] = [nearer, nearer + 1].map(|at| &self.caches[at]);
        let [most, line] = [nearer, cache].map(CacheConfig::line_bytes);
        let message = format!(
            "{line} bytes are less than the {most} of {}: its lines must be at least as large",
            nearer.name
        );
        (line < most).then(|| Error::config("line", message))
    }
}

/// Checks a number of cycles.
///
/// # Errors
/// `bad-config` at `field`.
pub(crate) fn check_latency(field: &str, cycles: u32) -> Result<()> {
    if cycles > MAX_LATENCY {
        return Err(Error::config(field, format!("{cycles} cycles: must be 0 to {MAX_LATENCY}")));
    }
    Ok(())
}
