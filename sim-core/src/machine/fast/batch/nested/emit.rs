//! What walks read, in order, and the memory caches that serve it.

use super::super::touches::{Mapped, Touches};
use super::super::walks::Done;
use super::lookups::BY_TLB;
use super::{Query, Way, Work};
use crate::caches::memory::{LINE, READER_AT};
use crate::machine::Machine;
use crate::machine::host::nested::Nested;
use crate::page_table::{PageTables, Table};
use pagewalk_base::narrow::small;

/// Lists what walks read, whose starts are known in both dimensions, and reads it.
#[inline(never)]
pub(super) fn run(
    machine: &mut Machine,
    work: &mut Work,
    touches: &mut Option<Touches<'_>>,
    done: &mut Done,
) {
    let Machine { plan, tables, memory, nested: Some(nested), .. } = machine else { return };
    let Nested { plan: host_plan, tables: host_tables, own, .. } = &mut **nested;
    let Work { walks, guest, host, of_tables, guest_ways, host_ways, lines, ends, .. } = work;
    let (n_levels, n_host) = (usize::from(plan.n_levels), usize::from(host_plan.n_levels));
    let most = walks.len() * (n_levels * (n_host + 1) + n_host);
    if lines.len() < most {
        lines.resize(most, 0);
    }
    let mut reads = Reads {
        tables: host_tables,
        ways: host_ways,
        n_levels: host_plan.n_levels,
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
        let start = if query.start == 0 { plan.n_levels } else { query.start };
        let mut asks = query.start == 0;
        for level in (query.lowest + 1..=start).rev() {
            let (way, at) = (query.way as usize, usize::from(level) % 8);
            let home = of_tables[way].homes[at];
            if asks && reads.host(host.next()) {
                own.keep_home(Table(guest_ways[way].tables[at]), home);
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
        done.refs[kind] += n;
        done.host_refs[kind] += n - u32::from(start - query.lowest) - 1;
        if touches.is_some() {
            ends.push(reads.n);
        }
    }
    let n = reads.n;
    if let Some(touches) = touches {
        return among_accesses(machine, work, touches, done);
    }
    let only = (others == 0).then_some(only);
    memory.read_lines(&mut lines[..n], only, &mut done.served);
}

/// Reads the lines of walks, and those of the accesses before each.
#[inline(never)]
fn among_accesses(machine: &mut Machine, work: &Work, touches: &mut Touches<'_>, done: &mut Done) {
    let Machine { plan, tables, memory, nested, space, .. } = machine;
    let nested = nested.as_deref();
    let mapped = Mapped { tables, nested, space: *space, va_mask: plan.va_mask };
    let mut first = 0;
    for (query, end) in work.guest.iter().zip(&work.ends) {
        let lines = &work.lines[first..*end];
        first = *end;
        touches.walk(query.index, lines, mapped, memory, &mut done.served);
    }
    touches.go(memory, &mut done.served);
}

/// The lines that are read.
struct Reads<'a> {
    /// The host's, with the ways to the last of them, and their levels.
    tables: &'a PageTables,
    ways: &'a [Way],
    n_levels: u8,
    /// What says for which kind of access.
    class: u64,
    /// As many places as may be needed.
    lines: &'a mut [u64],
    n: usize,
}

impl Reads<'_> {
    /// An entry of a table.
    #[inline(always)]
    fn entry(&mut self, table: u64, at: usize) {
        if let Some(line) = self.lines.get_mut(self.n) {
            *line = ((table + 8 * at as u64) / LINE) | self.class;
            self.n += 1;
        }
    }

    /// The entries of the host's tables for one address; false if the nested TLB knew it.
    #[inline(always)]
    fn host(&mut self, query: Option<&Query>) -> bool {
        let Some(query) = query.filter(|query| query.start != BY_TLB) else { return false };
        let start = if query.start == 0 { self.n_levels } else { query.start };
        for level in (query.lowest + 1..=start).rev() {
            let table = self.ways[query.way as usize].tables[usize::from(level) % 8];
            self.entry(self.tables.address(Table(table)), self.tables.index(query.address, level));
        }
        let at = self.tables.index(query.address, query.lowest);
        self.entry(self.tables.address(Table(query.table)), at);
        true
    }
}
