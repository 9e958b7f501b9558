//! The private state of each virtual machine on one host.
//!
//! A core runs one virtual machine at a time. The state of the running one is in [`crate::machine::Machine`]; this
//! module holds the state of the others. A switch exchanges the two. Each core holds the state of the virtual
//! machines on that core ([`Vcpus`]).

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::machine::host::nested::OfGuest;
use crate::machine::pcids::Pcids;
use crate::machine::rights::Modes;
use crate::os::Os;
use crate::page_table::PageTables;
use pagewalk_base::error::{Error, ErrorCode, Result};
use pagewalk_base::small_map::SmallMap;

/// The most virtual machines that a trace may have, since each takes memory.
pub const MAX_VMS: usize = 256;

/// The trace's number of the virtual machine that every core starts with.
const FIRST: u16 = 1;

/// The state of a virtual machine on all cores.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Guest {
    pub(crate) tables: PageTables,
    pub(crate) os: Os,
    /// Page tables by process, numbered across all virtual machines.
    pub(crate) spaces: BTreeMap<u32, u32>,
    pub(crate) modes: Modes,
    pub(crate) checks_entries: bool,
    pub(crate) of_host: OfGuest,
}

/// The state of a virtual machine on one core.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Vcpu {
    /// The current process, `None` before the first access.
    pub(crate) pid: Option<u32>,
    pub(crate) pcid: u32,
    pub(crate) pcids: Pcids,
    pub(crate) vpid: u16,
}

/// The virtual machines on one core.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Vcpus {
    /// The number of the running virtual machine, in order of appearance. 0 = no virtual machines.
    pub(crate) vm: u32,
    /// The VPID of the running virtual machine. 0 = no virtual machines.
    pub(crate) vpid: u16,
    /// The other virtual machines that have run on this core.
    pub(crate) parked: SmallMap<u32, Vcpu>,
}

impl Vcpus {
    pub(crate) fn new(vpid: u16) -> Self {
        Self { vm: 0, vpid, parked: SmallMap::new() }
    }
}

/// The virtual machines of a host.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Vms {
    /// The number of each virtual machine by its name in the trace, in order of appearance.
    numbers: SmallMap<u16, u32>,
    /// The virtual machines, by number. The state of the running one is out of date. Clones share the virtual
    /// machines that have not run since.
    guests: Vec<Rc<Guest>>,
    /// A virtual machine before its first access.
    fresh: Rc<Guest>,
    running: u32,
}

impl Vms {
    pub(crate) fn new(fresh: Guest) -> Self {
        let fresh = Rc::new(fresh);
        let guests = vec![Rc::clone(&fresh)];
        Self { numbers: SmallMap::from([(FIRST, 0)]), guests, fresh, running: 0 }
    }

    /// Returns the number of the virtual machine that the trace calls `name`. The first call creates the virtual
    /// machine.
    ///
    /// # Errors
    /// `too-large` if there are too many virtual machines.
    pub(crate) fn number(&mut self, name: u16) -> Result<u32> {
        let next = self.guests.len();
        if let Some(number) = self.numbers.get(&name) {
            return Ok(*number);
        }
        let number = u32::try_from(next).ok().filter(|_| next < MAX_VMS).ok_or_else(|| {
            let message = format!(
                "the trace has more than {MAX_VMS} virtual machines: simulate a shorter part"
            );
            Error::new(ErrorCode::TooLarge, message)
        })?;
        self.numbers.insert(name, number);
        self.guests.push(Rc::clone(&self.fresh));
        Ok(number)
    }

    /// Returns the trace's number of a virtual machine.
    pub(crate) fn name(&self, number: u32) -> u16 {
        let found = self.numbers.iter().find(|(_, known)| **known == number);
        found.map_or(FIRST, |(name, _)| *name)
    }

    /// Switches to another virtual machine. `exchange` swaps the state in the machine with a stored state: first for
    /// the old virtual machine, then for the new one. Returns false if the new one already runs.
    pub(crate) fn run(&mut self, next: u32, mut exchange: impl FnMut(&mut Guest)) -> bool {
        if next == self.running {
            return false;
        }
        for number in [self.running, next] {
            exchange(Rc::make_mut(&mut self.guests[number as usize]));
        }
        self.running = next;
        true
    }

    /// Returns the number of virtual machines that the trace has named until now, including the first.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.guests.len()).unwrap_or(u32::MAX)
    }

    /// Returns a parked virtual machine, or `None` for the running one.
    pub(crate) fn parked(&self, number: u32) -> Option<&Guest> {
        self.guests.get(number as usize).filter(|_| number != self.running).map(|guest| &**guest)
    }

    /// Clears the addresses of a parked virtual machine's tables in the host, because the host has moved them.
    pub(crate) fn clear_homes(&mut self, number: u32) {
        if let Some(guest) = self.guests.get_mut(number as usize) {
            Rc::make_mut(guest).of_host.clear_homes();
        }
    }

    /// Returns the parked virtual machines.
    pub(crate) fn all_parked(&self) -> impl Iterator<Item = &Guest> {
        (0..).zip(&self.guests).filter(|(n, _)| *n != self.running).map(|(_, guest)| &**guest)
    }

    /// Returns whether a parked virtual machine must be simulated one access at a time when it runs.
    pub(crate) fn are_watched(&self) -> bool {
        let guests = self.guests.iter().chain([&self.fresh]);
        guests
            .into_iter()
            .any(|guest| guest.os.checks_rights() || guest.os.khugepaged_due() < u32::MAX)
    }

    /// Returns the bytes that this clone does not share with `other`.
    pub(crate) fn bytes_apart_from(&self, other: Option<&Self>) -> usize {
        let apart = (0..).zip(&self.guests).filter(|(at, _)| *at != self.running);
        let apart = apart.filter_map(|(at, guest)| {
            let twin = other.and_then(|other| other.guests.get(at as usize));
            (!twin.is_some_and(|twin| Rc::ptr_eq(guest, twin))).then_some((guest, twin))
        });
        let bytes = apart.map(|(guest, twin)| {
            guest.tables.bytes_apart_from(twin.map(|twin| &twin.tables))
                + guest.os.bytes_apart_from(twin.map(|twin| &twin.os))
                + guest.of_host.bytes()
        });
        bytes.sum()
    }
}
