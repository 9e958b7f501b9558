//! The PCIDs of one core. A PCID distinguishes the entries of one process from those of another in the TLBs and
//! paging-structure caches.

use std::collections::BTreeMap;

/// The PCID of each process. A process is known by the number of its page tables.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pcids {
    /// The PCIDs that operations of the trace assigned, by process.
    assigned: BTreeMap<u32, u32>,
    /// The process that holds each of the kernel's PCIDs. `None` = every process has its own PCID, its number.
    kept: Option<Vec<Option<u32>>>,
    /// The index of the PCID that is assigned next.
    next: usize,
    /// `CR4.PCIDE`. Without PCIDE, every process has PCID 0.
    enabled: bool,
}

/// The result of a process switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Switch {
    pub(crate) pcid: u32,
    /// Whether the entries under the PCID belong to another process, so that they must be dropped.
    pub(crate) drops: bool,
}

impl Pcids {
    /// Makes the PCIDs of a core. With `kept`, all processes share this many PCIDs; 0 means no PCIDs. With `None`,
    /// each process has its own. Linux has 6, `TLB_NR_DYN_ASIDS` (arch/x86/mm/tlb.c, `choose_new_asid`).
    pub(crate) fn new(kept: Option<u32>) -> Self {
        let enabled = kept != Some(0);
        let kept = kept.filter(|kept| *kept > 0).map(|kept| vec![None; kept as usize]);
        Self { assigned: BTreeMap::new(), kept, next: 0, enabled }
    }

    /// Returns the PCID of a process that runs from now on. A process without one gets the next PCID in turn.
    pub(crate) fn enter(&mut self, process: u32) -> Switch {
        if !self.enabled {
            return Switch { pcid: 0, drops: true };
        }
        if let Some(pcid) = self.assigned.get(&process) {
            return Switch { pcid: *pcid, drops: false };
        }
        let Some(kept) = &mut self.kept else {
            return Switch { pcid: process, drops: false };
        };
        if let Some(pcid) = kept.iter().position(|holder| *holder == Some(process)) {
            return Switch { pcid: number(pcid), drops: false };
        }
        let pcid = self.next;
        kept[pcid] = Some(process);
        self.next = (pcid + 1) % kept.len();
        Switch { pcid: number(pcid), drops: true }
    }

    /// Assigns a PCID to a process, if PCIDs are enabled.
    pub(crate) fn assign(&mut self, process: u32, pcid: u16) {
        if self.enabled {
            self.assigned.insert(process, u32::from(pcid));
        }
    }

    /// Returns the PCID under which entries of a process may be cached, or `None` if there is none.
    pub(crate) fn of(&self, process: u32) -> Option<u32> {
        if !self.enabled {
            return Some(0);
        }
        let assigned = self.assigned.get(&process).copied();
        assigned.or_else(|| match &self.kept {
            None => Some(process),
            Some(kept) => kept.iter().position(|holder| *holder == Some(process)).map(number),
        })
    }

    /// Returns the process that holds a PCID.
    pub(crate) fn holder(&self, pcid: u32) -> Option<u32> {
        let assigned =
            self.assigned.iter().find(|(_, held)| **held == pcid).map(|(process, _)| *process);
        assigned.or_else(|| match &self.kept {
            None => Some(pcid),
            Some(kept) => *kept.get(pcid as usize)?,
        })
    }

    pub(crate) fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// Switches `CR4.PCIDE` on or off.
    pub(crate) fn enable(&mut self, on: bool) {
        self.enabled = on;
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).expect("PCIDs have 12 bits")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes the PCIDs of processes that run one after the other. `!` marks those whose entries must be dropped.
    #[track_caller]
    fn check(kept: Option<u32>, processes: &[u32], expected: &str) {
        let mut pcids = Pcids::new(kept);
        let shown = processes.iter().map(|process| {
            let switch = pcids.enter(*process);
            format!("{}{}", switch.pcid, if switch.drops { "!" } else { "" })
        });
        assert_eq!(shown.collect::<Vec<_>>().join(" "), expected);
    }

    #[test]
    fn every_process_has_a_pcid_of_its_own_unless_they_are_limited() {
        check(None, &[1, 2, 1, 3, 2], "1 2 1 3 2");
    }

    /// The PCIDs are assigned in turn, as in Linux. A process that returns finds its entries while it still holds
    /// its PCID.
    #[test]
    fn limited_pcids_are_taken_in_turn() {
        check(Some(2), &[1, 2, 1, 3, 2, 1, 3], "0! 1! 0 0! 1 1! 0");
    }

    #[test]
    fn without_pcids_every_switch_drops() {
        check(Some(0), &[1, 2, 1], "0! 0! 0!");
    }

    #[test]
    fn a_pcid_that_was_given_stays() {
        let mut pcids = Pcids::new(Some(2));
        pcids.assign(7, 9);
        assert_eq!(pcids.enter(7), Switch { pcid: 9, drops: false });
        assert_eq!(pcids.enter(1), Switch { pcid: 0, drops: true });
    }
}
