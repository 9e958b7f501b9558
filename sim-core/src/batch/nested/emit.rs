//! What walks read, in order, and the memory caches that serve it.

use super::super::walks::Done;
use super::{Query, Way, Work};
use crate::machine::Machine;
use crate::memory::LINE;
use crate::narrow::small;
use crate::page_table::{PageTables, Table};

/// Lines of physical memory have numbers below this: the kind of an access is above.
const KIND_AT: u32 = 62;

/// Lists what walks read, whose starts are known in both dimensions, and reads it.
#[inline(never)]
pub(super) fn run(machine: &mut Machine, work: &mut Work, done: &mut Done) {
    let Machine { plan, tables, memory, nested: Some(nested), .. } = machine else { return };
    let Work { walks, guest, asked, host, of_tables, host_ways, lines, .. } = work;
    lines.clear();
    let host_tables = &nested.tables;
    let mut found = asked.iter();
    let mut host = host.iter();
    for (walk, query) in walks.iter().zip(guest) {
        let kind = walk.page.kind().index();
        let class = (kind as u64) << KIND_AT;
        let (before, mut n_guest) = (lines.len(), 0);
        let homes = &of_tables[query.way as usize].homes;
        let from_root = query.start == plan.n_levels;
        for level in (query.lowest..=query.start).rev() {
            let is_asked = level < query.start || from_root;
            if is_asked && found.next().is_some_and(|table| table.start == 0) {
                host_reads(host_tables, host_ways, host.next(), class, lines);
            }
            let at = usize::from(level) % 8;
            let home = if level == query.lowest { walk.home } else { homes[at] };
            let address = home + 8 * tables.index(query.address, level) as u64;
            lines.push((address / LINE) | class);
            n_guest += 1;
        }
        host_reads(host_tables, host_ways, host.next(), class, lines);
        let n = lines.len() - before;
        done.refs[kind] += small(n);
        done.host_refs[kind] += small(n - n_guest);
    }
    memory.read_lines(lines, KIND_AT, &mut done.served, &mut done.cycles);
}

/// Lists what is read of the host's tables for one address.
#[inline(always)]
fn host_reads(
    tables: &PageTables,
    ways: &[Way],
    query: Option<&Query>,
    class: u64,
    lines: &mut Vec<u64>,
) {
    let Some(query) = query else { return };
    for level in (query.lowest..=query.start).rev() {
        let table = if level == query.lowest {
            query.table
        } else {
            ways[query.way as usize].tables[usize::from(level) % 8]
        };
        let at = tables.index(query.address, level);
        lines.push((tables.entry_address(Table(table), at) / LINE) | class);
    }
}
