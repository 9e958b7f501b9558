//! The reads of page tables by nested walks, in both dimensions.
//!
//! First the guest's last tables are found for all walks. Then their entries are read, which say where the data is. At last
//! the data is found in the host's tables. Most walks go into spans that are known. The entries of last tables lie anywhere
//! in memory. So the loops that read these entries do little else, and the processor waits for many reads at once.
//!
//! Bench row: (b) on nested 4K pages.

use std::hint::black_box;

use super::super::batch::{BatchState, Miss};
use super::super::kind_counts::KindCounts;
use super::super::packed_page::Stage;
use super::super::run_heads::LeafRange;
use super::super::walks::WalkSums;
use super::super::{route, table_reads};
use super::dimension::Dimension;
use super::host::Host;
use super::query::Query;
use super::spans::{KnownSpan, Span, Spans};
use super::{Work, first_touch};
use crate::caches::memory::LINE;
use crate::machine::Machine;
use crate::machine::plan::Plan;
use crate::machine::probe::Probe;
use crate::os::Os;
use crate::page_table::{ACCESSED, DIRTY, PRESENT, PageTables, Table};
use pagewalk_base::addr::{Leaf, Level};
use pagewalk_base::trace::Kind;
use pagewalk_base::whole::IS_WHOLE;

/// Finds the tables of each walk, up to the first exceptional miss. Returns the number of walks before that miss. Pages
/// that no access has touched before are mapped.
pub(super) fn run<P: Probe>(
    machine: &mut Machine,
    misses: &[Miss],
    work: &mut Work,
    BatchState { touches, late_dirty }: &mut BatchState<'_>,
    sums: &mut WalkSums,
    probe: &mut P,
) -> usize {
    let may_map = route::may_map_early(machine, touches.as_ref());
    let n = find(machine, misses, work, may_map, sums, probe);
    let mut counts = KindCounts::default();
    for (data, miss) in work.data.values().iter().zip(misses) {
        counts.add(data.kind(), 1);
        if data.is_dirty {
            late_dirty.record_walk(machine, miss);
        }
    }
    counts.add_to(&mut sums.walks);
    n
}

/// What is done of the search.
#[derive(Default)]
struct Found {
    /// The number of misses whose last tables in the guest are found.
    misses: usize,
    /// The number of walks whose entries in these tables are read.
    entries: usize,
    /// The number of walks for whose data the entries in the host's tables are read.
    walks: usize,
}

/// The entry that has to change before the next walk.
enum Missing {
    /// The entry of the guest that ends the next walk, in a table of this level.
    Guest { table: u32, lowest: Level, leaf: Leaf },
    /// The entry of the host that maps the data of the next walk, in a table.
    Host(Table),
}

/// Finds the tables of each walk. Returns the number of misses before the first exceptional one.
fn find<P: Probe>(
    machine: &mut Machine,
    misses: &[Miss],
    work: &mut Work,
    may_map: bool,
    sums: &mut WalkSums,
    probe: &mut P,
) -> usize {
    if let Some(nested) = &machine.nested {
        work.known.begin(machine, nested);
    }
    work.guest.begin(misses.len());
    work.data.begin(misses.len());
    let mut found = Found::default();
    // In the small module, the machine's own code maps pages.
    while let Some(missing) = find_existing(machine, misses, work, &mut found).filter(|_| IS_WHOLE)
    {
        let is_done = match missing {
            Missing::Guest { table, lowest, leaf } => {
                let miss = Miss { table, ..misses[found.entries] };
                table_reads::write_entry(machine, (lowest, leaf), &miss, may_map, sums, probe)
            }
            Missing::Host(table) => {
                let Query { address, .. } = work.data.values()[found.walks];
                let kind = misses[found.walks].page.kind();
                machine.nested.as_mut().is_some_and(|nested| {
                    first_touch::write_entry(nested, (table, address), kind, may_map, probe)
                })
            }
        };
        if !is_done {
            break;
        }
    }
    work.guest.truncate(found.walks);
    work.data.truncate(found.walks);
    // The host's operating system keeps the area of its last lookup. So the area of the last walk is looked up here.
    if let (Some(nested), Some(last)) = (&mut machine.nested, work.data.values().last()) {
        nested.os.leaf_of(nested.vm, last.address, true);
    }
    found.walks
}

/// Finds the tables of the walks after those in `found`, until an entry has to change. Returns this entry, or `None`
/// after the last miss and before an exceptional one.
fn find_existing(
    machine: &mut Machine,
    misses: &[Miss],
    work: &mut Work,
    found: &mut Found,
) -> Option<Missing> {
    // After a change above the last tables, the machine's own code translates the next miss.
    let nested = machine.nested.as_ref()?;
    if !work.known.is_valid(machine, nested) {
        return None;
    }
    let Machine { plan, tables, os, space, nested, .. } = machine;
    let root = tables.existing_root(*space, 0)?;
    let host = Host::of(nested.as_ref()?)?;
    let guest = Guest { plan, tables, root, space: *space };
    guest.find(misses, os, &host, work, &mut found.misses);
    let missing = guest.read(work, &mut found.entries, os);
    let data = &mut work.data.values_mut()[found.walks..];
    let (n, table) = host.find(data, &mut work.known.host);
    found.walks += n;
    if found.walks == found.entries { missing } else { table.map(Missing::Host) }
}

/// The tables of the guest.
struct Guest<'a> {
    plan: &'a Plan,
    tables: &'a PageTables,
    root: Table,
    space: u32,
}

/// The bits of a span's number that tell the leaf of its pages.
const LEAF_AT: u32 = 60;

impl<'a> Guest<'a> {
    /// Finds the span of each walk after the first `n` misses, up to the first exceptional one.
    fn find(
        &self,
        misses: &[Miss],
        os: &mut Os,
        host: &Host<'_>,
        work: &mut Work,
        n: &mut usize,
    ) -> Option<()> {
        let mut pages: Option<Pages<'a>> = None;
        loop {
            let known = pages.as_ref().filter(|pages| {
                let Work { guest, known, .. } = &mut *work;
                let (rest, known) = (&misses[*n..], &known.guest);
                *n += guest.append(rest.len(), |walks| pages.find_known(rest, walks, known));
                misses.get(*n).is_some_and(|miss| pages.range.has(miss.page.va()))
            });
            let page = misses.get(*n)?.page;
            if !page.is_at(Stage::MissedLevel2) {
                return None;
            }
            let va = page.va();
            if let Some(pages) = known {
                self.enter(va, pages.span_of(va), &pages.dimension, host, work)?;
            } else {
                let leaf = os.leaf_of(self.space, va, true);
                let dimension = self.dimension(leaf)?;
                let range = LeafRange::around(va, leaf, os.last_range());
                pages = Some(Pages { range, dimension });
            }
        }
    }

    fn dimension(&self, leaf: Leaf) -> Option<Dimension<'a>> {
        let levels = (self.plan.root_level, self.plan.entry_level[leaf]);
        Dimension::new(self.tables, self.root, levels, (PRESENT, ACCESSED))
    }

    /// Reads the entries that end walks, and adds the number of read entries to `n`. Stops at an entry that has to change,
    /// and returns it.
    fn read(&self, work: &mut Work, n: &mut usize, os: &mut Os) -> Option<Missing> {
        let Work { guest, data, .. } = work;
        loop {
            let guest = &guest.values()[*n..];
            let dimension = self.dimension(Leaf::of(guest.first()?.lowest))?;
            if *n == 0 {
                dimension.read_ahead(guest);
            }
            let is_usual = dimension.shape.is_usual();
            let n_read = data.append(guest.len(), |data| {
                if is_usual {
                    dimension.read::<true>(guest, data)
                } else {
                    dimension.read::<false>(guest, data)
                }
            });
            *n += n_read;
            let query = guest.get(n_read)?;
            if query.lowest == dimension.shape.lowest {
                let leaf = os.leaf_of(self.space, query.address, true);
                let Query { table, lowest, .. } = *query;
                return Some(Missing::Guest { table, lowest, leaf });
            }
        }
    }

    /// Finds the tables on the way to an address, and where the host maps them. Returns the new span, or
    /// `None` for an exceptional miss.
    #[inline(never)]
    fn enter(
        &self,
        va: u64,
        number: u64,
        dimension: &Dimension<'a>,
        host: &Host<'_>,
        work: &mut Work,
    ) -> Option<KnownSpan> {
        let mut above = dimension.path(va)?;
        for level in dimension.levels() {
            let table = Table(above.tables[level]);
            let (query, home) = host.table(table, self.tables, &mut work.known.host)?;
            let offset = self.tables.offset_of(self.tables.index(va, level));
            (above.mapped[level], above.homes[level]) = (query, home);
            above.lines[level] = (home + offset) / LINE;
        }
        let lowest = dimension.shape.lowest;
        let (table, home) = (above.tables[lowest], above.homes[lowest]);
        let upper_line = above.lines[lowest.above()];
        let is_kept = host.keeps_home(Table(table));
        let (mapped, span) = (above.mapped[lowest], Span { home, upper_line });
        Some(work.known.guest.add((number, table), span, Some((mapped, is_kept)), &above))
    }
}

/// Pages of the guest of one leaf.
struct Pages<'a> {
    range: LeafRange,
    dimension: Dimension<'a>,
}

impl Pages<'_> {
    #[cfg_attr(feature = "fast", inline(always))]
    fn span_of(&self, va: u64) -> u64 {
        self.dimension.shape.span_of(va) | u64::from(self.range.leaf.number()) << LEAF_AT
    }

    /// Finds the walks to these pages, until a span is not known or a miss is exceptional. Returns the number of misses
    /// before that.
    #[inline(never)]
    fn find_known(&self, misses: &[Miss], walks: &mut [Query], spans: &Spans) -> usize {
        let lowest = self.dimension.shape.lowest;
        for (n, (miss, walk)) in misses.iter().zip(walks).enumerate() {
            let Miss { page, index, .. } = *miss;
            let address = page.va();
            if !page.is_at(Stage::MissedLevel2) || !self.range.has(address) {
                return n;
            }
            let found = spans.find(self.span_of(address));
            let Some(KnownSpan { span, table, .. }) = found else { return n };
            let kind = page.kind() as u8;
            *walk = Query { address, index, span, table, lowest, start: 0, kind, is_dirty: false };
        }
        misses.len()
    }
}

/// Reads of the entries that end walks of the guest.
impl Dimension<'_> {
    /// Reads the entry of each walk, so that the simulating processor loads many of them at once. For a walk of another level,
    /// it reads another entry of the same table: all tables have one size.
    #[inline(never)]
    fn read_ahead(&self, walks: &[Query]) {
        let Dimension { tables, shape, .. } = *self;
        let entries =
            walks.iter().map(|walk| tables.read(Table(walk.table), shape.index(walk.address)));
        black_box(entries.fold(0, |all, entry| all ^ entry));
    }

    /// Reads the entry of each walk, and writes the address of the walk's data in the host. Returns the number of walks
    /// before one whose entry has to change or is in a table of another level.
    #[inline(never)]
    fn read<const USUAL: bool>(&self, walks: &[Query], data: &mut [Query]) -> usize {
        let (tables, shape) = (self.tables, self.shape.known::<USUAL>());
        let mut wanted = [PRESENT | ACCESSED; 4];
        wanted[Kind::Store.index()] |= DIRTY;
        for (n, (walk, data)) in walks.iter().zip(data).enumerate() {
            let Query { address, index, kind, .. } = *walk;
            let entry = tables.read(Table(walk.table), shape.index(address));
            let wanted = wanted[walk.kind()];
            if entry & wanted != wanted || walk.lowest != shape.lowest {
                return n;
            }
            let address = tables.frame(entry).byte(shape.offset_of(address));
            let is_dirty = entry & DIRTY != 0;
            // The search in the host's tables adds the span and the table.
            *data = Query { address, index, kind, is_dirty, ..Query::default() };
        }
        walks.len()
    }
}
