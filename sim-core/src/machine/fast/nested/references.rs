//! The reads of nested walks, in order, through the memory caches.
//!
//! Bench row: (b) on nested 4K pages.

use super::super::line_touches::{LineTouches, Mapped};
use super::super::walks::WalkSums;
use super::lookups::BY_TLB;
use super::{Query, UpperTables, Work};
use crate::caches::memory::{LINE, READER_AT};
use crate::machine::Machine;
use crate::machine::host::nested::Nested;
use crate::page_table::{PageTables, Table};
use pagewalk_base::addr::Level;
use pagewalk_base::narrow::small;

/// Lists and executes the reads of walks. The start of each walk is known in both dimensions.
#[inline(never)]
pub(super) fn run(
    machine: &mut Machine,
    work: &mut Work,
    touches: &mut Option<LineTouches<'_>>,
    sums: &mut WalkSums,
) {
    let Machine { plan, tables, memory, nested: Some(nested), .. } = machine else { return };
    let Nested { plan: host_plan, tables: host_tables, own, .. } = &mut **nested;
    let Work { walks, guest, host, homes, guest_upper, host_upper, lines, ends, .. } = work;
    let (n_levels, n_host): (usize, usize) =
        (plan.root_level.number().into(), host_plan.root_level.number().into());
    let most = walks.len() * (n_levels * (n_host + 1) + n_host);
    if lines.len() < most {
        lines.resize(most, 0);
    }
    let mut reads = Reads {
        tables: host_tables,
        upper: host_upper,
        root_level: host_plan.root_level,
        class: 0,
        lines,
        n: 0,
    };
    let only = walks.first().map_or(0, |walk| walk.page.kind().index());
    let mut others = 0;
    let mut host = host.iter();
    ends.clear();
    for (walk, query) in walks.iter().zip(guest) {
        let kind = walk.page.kind().index();
        others |= kind ^ only;
        reads.class = (kind as u64) << READER_AT;
        let before = reads.n;
        let start = query.start_level().unwrap_or(plan.root_level);
        let mut asks = query.start == 0;
        for level in query.lowest.above().up_to(start).rev() {
            let upper = query.upper as usize;
            let home = homes[upper].homes[level];
            if asks && reads.host(host.next()) {
                own.keep_home(Table(guest_upper[upper].tables[level]), home);
            }
            asks = true;
            reads.entry(home, tables.index(query.address, level));
        }
        if asks && reads.host(host.next()) {
            own.keep_home(Table(query.table), walk.home);
        }
        reads.entry(walk.home, tables.index(query.address, query.lowest));
        reads.host(host.next());
        let n = small(reads.n - before);
        sums.refs[kind] += n;
        sums.host_refs[kind] += n - start.reads_down_to(query.lowest);
        if touches.is_some() {
            ends.push(reads.n);
        }
    }
    let n = reads.n;
    if let Some(touches) = touches {
        return read_between_accesses(machine, work, touches, sums);
    }
    let only = (others == 0).then_some(only);
    memory.read_lines(&mut lines[..n], only, &mut sums.served);
}

/// Reads the lines of walks, and executes the touches before each walk.
#[inline(never)]
fn read_between_accesses(
    machine: &mut Machine,
    work: &Work,
    touches: &mut LineTouches<'_>,
    sums: &mut WalkSums,
) {
    let Machine { plan, tables, memory, nested, space, .. } = machine;
    let nested = nested.as_deref();
    let mapped = Mapped { tables, nested, space: *space, va_mask: plan.va_mask };
    let mut first = 0;
    for (query, end) in work.guest.iter().zip(&work.ends) {
        let lines = &work.lines[first..*end];
        first = *end;
        touches.walk(query.index, lines, mapped, memory, &mut sums.served);
    }
    touches.read_all(memory, &mut sums.served);
}

/// The lines that are read.
struct Reads<'a> {
    /// The host's tables, their upper tables by number, and the level of their root.
    tables: &'a PageTables,
    upper: &'a [UpperTables],
    root_level: Level,
    /// The kind of access in the bits of the reader.
    class: u64,
    /// One place for each possible read.
    lines: &'a mut [u64],
    n: usize,
}

impl Reads<'_> {
    /// Adds the read of an entry of a table.
    #[cfg_attr(feature = "fast", inline(always))]
    fn entry(&mut self, table: u64, at: usize) {
        if let Some(line) = self.lines.get_mut(self.n) {
            *line = ((table + 8 * at as u64) / LINE) | self.class;
            self.n += 1;
        }
    }

    /// Adds the reads of the host's tables for one address. Returns false if the nested TLB holds the address.
    #[cfg_attr(feature = "fast", inline(always))]
    fn host(&mut self, query: Option<&Query>) -> bool {
        let Some(query) = query.filter(|query| query.start != BY_TLB) else { return false };
        let start = query.start_level().unwrap_or(self.root_level);
        for level in query.lowest.above().up_to(start).rev() {
            let table = self.upper[query.upper as usize].tables[level];
            self.entry(self.tables.address(Table(table)), self.tables.index(query.address, level));
        }
        let at = self.tables.index(query.address, query.lowest);
        self.entry(self.tables.address(Table(query.table)), at);
        true
    }
}
