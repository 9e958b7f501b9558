//! Builds the memory maps of processes from the configuration and the known facts about the trace.

use std::collections::{BTreeMap, BTreeSet};

use super::areas::{Area, AreaMap, RegionSource};
use super::check::{self, HUGE, huge_shift};
use super::config::{MapSource, OsConfig};
use super::hugetext::{self, Code};
use super::known::{self, KnownRegion, MemoryMap, without};
use super::policy::{Advice, PagePolicy, ThpEnabled};
use pagewalk_base::addr::{Leaf, Paging};
use pagewalk_base::error::Result;
use pagewalk_base::sorted::sort_by_numbers;
use pagewalk_base::trace::RegionKind;

/// The maps of all processes.
#[derive(Debug, PartialEq)]
pub(crate) struct Maps {
    /// The first map is for processes without their own map.
    all: Vec<AreaMap>,
    by_pid: BTreeMap<u32, usize>,
    source: MapSource,
}

impl Maps {
    /// Builds the maps of all processes.
    ///
    /// # Errors
    /// `bad-config` at the field that is wrong.
    pub(super) fn new(config: &OsConfig, paging: &Paging, known: &MemoryMap<'_>) -> Result<Self> {
        let regions = check::regions(config, paging)?;
        let code = hugetext::Chooser::new(&config.hugetext, huge_shift(paging), known);
        Ok(Layout { config, paging, regions, code }.maps(known))
    }

    /// The source of regions that the configuration does not list.
    pub(super) fn source(&self) -> MapSource {
        self.source
    }

    /// Returns the number of the map of a process.
    pub(super) fn of(&self, pid: u32) -> usize {
        self.by_pid.get(&pid).copied().unwrap_or(0)
    }

    pub(super) fn get(&self, number: usize) -> &AreaMap {
        &self.all[number]
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &AreaMap> {
        self.all.iter()
    }

    /// Returns the processes with their own map, and the number of the map.
    pub(super) fn own(&self) -> impl Iterator<Item = (u32, usize)> + '_ {
        self.by_pid.iter().map(|(pid, at)| (*pid, *at))
    }
}

/// The way in which a segment gets its pages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Pages of this leaf where they fit, and smaller pages at the edges.
    Sized(Leaf),
    Small,
    Huge,
    /// A huge page or small pages for each block, decided while the machine runs.
    ByBlock,
    Code,
}

/// A region, and the way in which it gets its pages.
struct Item {
    start: u64,
    end: u64,
    /// The address of offset 0 of the region's file, or `None` if it has no file or the offset is unknown.
    file_at: Option<u64>,
    area: Area,
    way: Way,
}

struct Layout<'a> {
    config: &'a OsConfig,
    paging: &'a Paging,
    regions: Vec<check::Region>,
    code: hugetext::Chooser<'a>,
}

impl Layout<'_> {
    fn maps(&self, known: &MemoryMap<'_>) -> Maps {
        let mut recorded = Vec::new();
        if matches!(self.config.map, MapSource::Trace | MapSource::Recorded) {
            recorded = known.recorded();
        }
        let mut others = Vec::new();
        if self.config.needs_map() && self.config.map != MapSource::None && recorded.is_empty() {
            others = self.inferred(known);
        }
        let source = match (recorded.is_empty(), others.is_empty()) {
            (false, _) => MapSource::Trace,
            (true, false) => MapSource::Inferred,
            (true, true) => MapSource::None,
        };
        let mut maps = vec![self.map(&others)];
        let mut by_pid = BTreeMap::new();
        for (pid, regions) in recorded {
            by_pid.insert(pid, maps.len());
            maps.push(self.map(&regions));
        }
        Maps { all: maps, by_pid, source }
    }

    /// Returns the regions inferred from the trace's addresses that the default policy distinguishes.
    fn inferred(&self, known: &MemoryMap<'_>) -> Vec<KnownRegion> {
        let shift = match self.config.default {
            PagePolicy::Fixed(_) => return known.inferred.clone(),
            PagePolicy::Hugetlb(size) => size.shift(),
            PagePolicy::Thp | PagePolicy::Hugetext => huge_shift(self.paging),
        };
        let mut regions = known::grown(&known.inferred, shift);
        if self.config.default == PagePolicy::Hugetext {
            let code = known.code(shift);
            for region in &code {
                let cut = regions.into_iter().flat_map(|r| without(r, region.start, region.end));
                regions = cut.collect();
            }
            regions.extend(code);
        }
        regions
    }

    /// Returns the map of a process with these known regions.
    fn map(&self, known: &[KnownRegion]) -> AreaMap {
        let known = self.outside_regions(known);
        let default = self.config.default;
        let is_fixed = matches!(default, PagePolicy::Fixed(_));
        let mut items: Vec<Item> =
            self.regions.iter().map(|region| self.configured(*region)).collect();
        if !is_fixed {
            items.extend(known.iter().map(|region| self.known(region)));
        }
        sort_by_numbers(&mut items, |item| (item.start, 0));
        let mut map = self.lay(items, &known);
        if is_fixed {
            // Pages have one size everywhere, so known regions only add names and kinds.
            for region in &known {
                let area = map.add_area(self.known(region).area);
                map.mark(region.start, region.end, area);
            }
        }
        map.finish()
    }

    /// Returns the parts of known regions that no region of the configuration covers, in the address bits that
    /// translation reads.
    fn outside_regions(&self, known: &[KnownRegion]) -> Vec<KnownRegion> {
        let (rule, mask) = (self.paging.rule(), self.paging.va_mask());
        let is_translated = |region: &&KnownRegion| {
            rule.accepts(region.start) && rule.accepts(region.end.wrapping_sub(1))
        };
        let masked = known.iter().filter(is_translated).map(|region| KnownRegion {
            start: region.start & mask,
            end: (region.end.wrapping_sub(1) & mask) + 1,
            ..region.clone()
        });
        let mut left: Vec<KnownRegion> =
            masked.filter(|region| region.start < region.end).collect();
        for region in &self.regions {
            left = left.into_iter().flat_map(|r| without(r, region.start, region.end)).collect();
        }
        sort_by_numbers(&mut left, |region| (region.start, 0));
        // The two halves of the address space are adjacent in these bits, so regions may overlap.
        let mut end = 0;
        left.retain(|region| {
            let fits = region.start >= end;
            end = end.max(region.end);
            fits
        });
        left
    }

    fn configured(&self, region: check::Region) -> Item {
        let config = &self.config.regions[region.number];
        let area = Area {
            kind: config.kind,
            pretouch: config.pretouch,
            copy_on_write: config.copy_on_write,
            resident: config.resident,
            ..Area::new(region.start, region.end, config.pages, RegionSource::Config)
        };
        let file_at = config.offset.map(|offset| region.start.wrapping_sub(offset.0));
        let way = self.way(config.pages, config.advice);
        Item { start: region.start, end: region.end, file_at, area, way }
    }

    /// Creates a region under the default policy, if the policy applies to the contents of the region.
    fn known(&self, region: &KnownRegion) -> Item {
        use RegionKind::{Anonymous, Heap, Jit, Library, Shared, Text};
        let KnownRegion { start, end, kind, .. } = *region;
        let source = if region.inferred { RegionSource::Inferred } else { RegionSource::Trace };
        let applies = match self.config.default {
            PagePolicy::Fixed(_) => true,
            PagePolicy::Thp => !kind.is_backed(),
            PagePolicy::Hugetlb(_) => matches!(kind, Heap | Anonymous | Shared | Jit),
            // If data may lie between the code, the contents of a huge page are unknown.
            PagePolicy::Hugetext if region.inferred && !region.only_code => false,
            PagePolicy::Hugetext => match kind {
                Text | Library => self.config.hugetext.enabled != 2,
                Jit => self.config.hugetext.enabled != 1,
                _ => false,
            },
        };
        let small = PagePolicy::Fixed(self.paging.size_of(Leaf::SMALLEST));
        let pages = if applies { self.config.default } else { small };
        let area = Area {
            kind: Some(kind),
            name: region.name.clone(),
            ..Area::new(start, end, pages, source)
        };
        let file_at = region.offset.filter(|_| kind.is_backed());
        let file_at = file_at.map(|offset| start.wrapping_sub(offset));
        Item { start, end, file_at, area, way: self.way(pages, None) }
    }

    fn way(&self, pages: PagePolicy, advice: Option<Advice>) -> Way {
        let thp = &self.config.thp;
        let may_be_huge = match thp.enabled {
            ThpEnabled::Always => advice != Some(Advice::Nohugepage),
            ThpEnabled::Madvise => advice == Some(Advice::Hugepage),
            ThpEnabled::Never => false,
        };
        match pages {
            PagePolicy::Fixed(size) | PagePolicy::Hugetlb(size) => {
                Way::Sized(self.paging.leaf_level(size).unwrap_or(Leaf::SMALLEST))
            }
            PagePolicy::Thp if !may_be_huge => Way::Small,
            PagePolicy::Thp if thp.at_fault && thp.fragmentation == 0 => Way::Huge,
            PagePolicy::Thp if thp.at_fault || thp.khugepaged.is_some() => Way::ByBlock,
            PagePolicy::Thp => Way::Small,
            PagePolicy::Hugetext => Way::Code,
        }
    }

    fn lay(&self, items: Vec<Item>, known: &[KnownRegion]) -> AreaMap {
        let (default, top) = (self.config.default, self.paging.va_mask());
        let mut map = AreaMap::new(Area::new(0, top, default, RegionSource::Config), top);
        let outside = match self.way(default, None) {
            Way::Code => Way::Small,
            way => way,
        };
        let mut chosen = self.code.choose(&code(&items, known, top)).into_iter();
        let mut at = 0;
        for Item { start, end, area, way, .. } in items {
            self.add_sized(&mut map, (at, start), outside, 0);
            let area = map.add_area(area);
            at = end;
            if way == Way::Code {
                if let Some(blocks) = chosen.next().flatten() {
                    at = self.lay_code(&mut map, (start, end), &blocks, area);
                } else {
                    map.note(area, hugetext::MISALIGNED);
                    map.add(start, end, Leaf::SMALLEST, false, area);
                }
            } else {
                self.add_sized(&mut map, (start, end), way, area);
            }
        }
        self.add_sized(&mut map, (at, top + 1), outside, 0);
        map
    }

    /// Adds the segments of a region with code. Returns the end of the last page: a padded page extends beyond the
    /// region.
    fn lay_code(
        &self,
        map: &mut AreaMap,
        (start, end): (u64, u64),
        blocks: &BTreeSet<u64>,
        area: u32,
    ) -> u64 {
        let shift = huge_shift(self.paging);
        let mut at = start;
        for block in blocks {
            let huge = block << shift;
            map.add(at, huge, Leaf::SMALLEST, false, area);
            at = huge + (1 << shift);
            map.add(huge, at, HUGE, self.config.hugetext.adaptive.is_some(), area);
        }
        map.add(at, end, Leaf::SMALLEST, false, area);
        at.max(end)
    }

    fn add_sized(&self, map: &mut AreaMap, (start, end): (u64, u64), way: Way, area: u32) {
        let huge = (HUGE, huge_shift(self.paging));
        match way {
            Way::Sized(leaf) => map.add_sized(start, end, leaf, area, self.paging),
            Way::Small | Way::Code => map.add(start, end, Leaf::SMALLEST, false, area),
            Way::Huge => map.huge((start, end), huge, false, area),
            Way::ByBlock => map.huge((start, end), huge, true, area),
        }
    }
}

/// Returns the regions with code, in order. The next known memory ends their padding.
fn code(items: &[Item], known: &[KnownRegion], top: u64) -> Vec<Code> {
    let found = items.iter().enumerate().filter(|(_, item)| item.way == Way::Code);
    found
        .map(|(at, item)| Code {
            start: item.start,
            end: item.end,
            kind: item.area.kind,
            file_at: item.file_at,
            limit: items
                .get(at + 1)
                .map(|next| next.start)
                .into_iter()
                .chain(known.iter().map(|region| region.start).filter(|start| *start >= item.end))
                .fold(top + 1, u64::min),
        })
        .collect()
}
