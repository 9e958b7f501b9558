//! fork(2) and copy-on-write: a shared page is copied when one of its owners writes it.

use crate::machine::Machine;
use crate::machine::exits::ExitReason;
use crate::machine::probe::{ActFact, Probe, SystemAct, SystemEvent};
use crate::os::{Process, Shootdown};
use pagewalk_base::error::Result;

impl Machine {
    /// Forks the current process. Writable pages become read-only, and all TLB entries of the process are
    /// dropped at once, as Linux does (`dup_mmap`). Without `flush` the entries stay, and stores still use them.
    pub(crate) fn fork(&mut self, child: u32, flush: bool, probe: &mut dyn Probe) {
        let Some(pid) = self.pid else { return };
        let parent = Process { pid, space: self.space };
        let child = Process { pid: child, space: self.space_of(child) };
        let changed = match self.os.fork(&mut self.tables, parent, child) {
            Ok(changed) => changed,
            Err(error) => return self.fail(error),
        };
        self.structures.clear_last();
        let space = parent.space;
        let mut gone = Shootdown { space, start: 0, last: self.plan.va_mask, freed: Vec::new() };
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for (start, leaf) in changed {
            let last = start | ((1 << self.page_shift(leaf)) - 1);
            if let Some(shadow) = self.nested.as_mut().and_then(|nested| nested.shadow.as_mut()) {
                let page = Shootdown { space, start, last, freed: Vec::new() };
                gone.freed.extend(shadow.drop(&page).freed);
            }
            match ranges.last_mut() {
                Some(range) if range.1.checked_add(1) == Some(start) => range.1 = last,
                _ => ranges.push((start, last)),
            }
        }
        if !flush && !ranges.is_empty() {
            for stale in self.stale_on_all_cores(space) {
                for range in &ranges {
                    stale.keep_writable(space, *range);
                }
            }
        }
        self.count_table_writes(probe);
        if flush {
            self.exit_if_shadowed(ExitReason::Invlpg, probe);
            self.drop_mapping(&gone, probe);
        } else {
            self.drop_tables(gone, probe);
        }
    }

    /// Unmaps a shared page before it is written. A copy needs a shootdown on all cores. If the last owner
    /// keeps the page, the page fault has dropped the entries of this core, and other cores keep theirs.
    ///
    /// # Errors
    /// `too-large` if memory is used up.
    pub(crate) fn unshare(&mut self, address: u64, probe: &mut dyn Probe) -> Result<()> {
        self.record_writes(probe);
        let done = self.os.unshare(&mut self.tables, self.space, address)?;
        if done.is_kept {
            probe.system(SystemEvent::Reused);
        }
        if done.needs_shootdown {
            self.shoot_down(&done.gone, probe);
        } else {
            self.unshadow_without_shootdown(&done.gone, probe);
            self.drop_here(&done.gone, probe);
        }
        self.report_writes(probe);
        let act = if done.is_kept { SystemAct::Keep } else { SystemAct::Copy };
        probe.acted(&ActFact { act, address });
        Ok(())
    }

    /// Returns whether the TLB still allows a store to an address that a fork has made read-only.
    pub(crate) fn missed_shootdown(&mut self, address: u64) -> bool {
        if !self.stale.was_writable(self.space, address) {
            return false;
        }
        let is_held = self.holds(address);
        if !is_held {
            // A new fill has the current rights.
            let bits = (1 << self.page_shift(self.os.leaf_at(self.space, address))) - 1;
            self.stale.remove_writable(self.space, (address & !bits, address | bits));
        }
        is_held
    }
}

#[cfg(test)]
mod tests {
    use crate::config::parse_json;
    use crate::machine::Machine;
    use crate::machine::operations::cores::Cores;
    use pagewalk_base::trace::{Access, Kind, Op, OpRecord};
    use std::collections::BTreeMap;

    /// A core that misses the shootdowns of a fork keeps one range for adjacent memory.
    #[test]
    fn a_fork_costs_each_core_a_range_however_many_pages_that_is() {
        let os = r#"{"regions": [{"start": "0x0", "end": "0x40000000", "pages": "1G"}]}"#;
        let machine = Machine::new(&parse_json("{}").unwrap(), &parse_json(os).unwrap());
        let mut machine = machine.unwrap().with_cores(Cores::Tid);
        for (tid, address) in (0..).zip([0x0, 0x4000_0000, 0x4000_1000, 0x4000_3000]) {
            machine.access(tid, &Access { tid, ..Access::new(Kind::Store, address, 8) }, &mut ());
        }
        let op = Op::Fork { child: 7, flush: false };
        machine.execute(&OpRecord { pid: 0, tid: 0, cpu: 0, op }, &mut ());
        assert_eq!(machine.failure(), None);
        let ranges = BTreeMap::from([((0, 0), 0x4000_1fff), ((0, 0x4000_3000), 0x4000_3fff)]);
        let parked = machine.cores.as_ref().unwrap();
        let others = (0..).zip(&parked.cores).filter(|(n, _)| parked.active != Some(*n));
        let all = others.map(|(_, core)| &core.stale).chain([&machine.stale]);
        let all: Vec<_> = all.map(|stale| &stale.writable).collect();
        assert_eq!(all, [&ranges; 4]);
    }
}
