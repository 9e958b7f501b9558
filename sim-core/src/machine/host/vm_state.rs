//! Several virtual machines on one host: what each has for itself.
//!
//! One runs on a core at a time. What it has is in the [`crate::machine`] then, the others' is here:
//! to switch is to exchange both. What a virtual machine has on one core stands with the core.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::machine::host::nested::OfGuest;
use crate::machine::pcids::Pcids;
use crate::machine::rights::Modes;
use crate::os::Os;
use crate::page_table::PageTables;
use pagewalk_base::error::{Error, ErrorCode, Result};

/// The most virtual machines that a trace may have: each takes memory.
pub const MAX_VMS: usize = 256;

/// The trace's number of the virtual machine that every core begins with.
const FIRST: u16 = 1;

/// What a virtual machine has for itself, on all cores.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    pub(crate) tables: PageTables,
    pub(crate) os: Os,
    /// Page tables by process; numbers are those of all virtual machines together.
    pub(crate) spaces: BTreeMap<u32, u32>,
    pub(crate) modes: Modes,
    pub(crate) checks_entries: bool,
    pub(crate) of_host: OfGuest,
}

/// What a virtual machine has on one core.
#[derive(Clone, Debug)]
pub(crate) struct Vcpu {
    /// The process that runs, `None` before the first.
    pub(crate) pid: Option<u32>,
    pub(crate) pcid: u32,
    pub(crate) pcids: Pcids,
    pub(crate) vpid: u16,
}

/// The virtual machines on one core.
#[derive(Clone, Debug)]
pub(crate) struct Vcpus {
    /// The number of the one that runs, in order of appearance; 0 without any.
    pub(crate) vm: u32,
    /// Its VPID; 0 without any.
    pub(crate) vpid: u16,
    /// The others that have run here.
    pub(crate) parked: BTreeMap<u32, Vcpu>,
}

impl Vcpus {
    pub(crate) fn new(vpid: u16) -> Self {
        Self { vm: 0, vpid, parked: BTreeMap::new() }
    }
}

/// The virtual machines of a host.
#[derive(Clone, Debug)]
pub(crate) struct Vms {
    /// By the trace's number, in order of appearance.
    numbers: BTreeMap<u16, u32>,
    /// By number; that of the one that runs is out of date. Clones share those that have not run since.
    guests: Vec<Rc<Guest>>,
    /// One that has done nothing.
    fresh: Rc<Guest>,
    running: u32,
}

impl Vms {
    pub(crate) fn new(fresh: Guest) -> Self {
        let fresh = Rc::new(fresh);
        let guests = vec![Rc::clone(&fresh)];
        Self { numbers: BTreeMap::from([(FIRST, 0)]), guests, fresh, running: 0 }
    }

    /// The number of the virtual machine that the trace calls `name`; it is made when it is first asked for.
    ///
    /// # Errors
    /// `too-large` if there are too many.
    pub(crate) fn number(&mut self, name: u16) -> Result<u32> {
        let next = self.guests.len();
        if let Some(number) = self.numbers.get(&name) {
            return Ok(*number);
        }
        let number = u32::try_from(next).ok().filter(|_| next < MAX_VMS).ok_or_else(|| {
            let message = format!("the trace has more than {MAX_VMS} virtual machines");
            Error::new(ErrorCode::TooLarge, message)
        })?;
        self.numbers.insert(name, number);
        self.guests.push(Rc::clone(&self.fresh));
        Ok(number)
    }

    /// The trace's number of a virtual machine.
    pub(crate) fn name(&self, number: u32) -> u16 {
        let found = self.numbers.iter().find(|(_, known)| **known == number);
        found.map_or(FIRST, |(name, _)| *name)
    }

    /// Lets another one run: what is in the machine and a place here are exchanged, first that of the
    /// one that ran, then that of the next.
    /// False if it runs already.
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

    /// How many the trace has named so far, the first included.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.guests.len()).unwrap_or(u32::MAX)
    }

    /// A virtual machine that does not run, `None` for the one that does.
    pub(crate) fn parked(&self, number: u32) -> Option<&Guest> {
        self.guests.get(number as usize).filter(|_| number != self.running).map(|guest| &**guest)
    }

    /// The tables of one that does not run are somewhere else in the host's memory now.
    pub(crate) fn forget_homes(&mut self, number: u32) {
        if let Some(guest) = self.guests.get_mut(number as usize) {
            Rc::make_mut(guest).of_host.forget_homes();
        }
    }

    /// Those that do not run.
    pub(crate) fn all_parked(&self) -> impl Iterator<Item = &Guest> {
        (0..).zip(&self.guests).filter(|(n, _)| *n != self.running).map(|(_, guest)| &**guest)
    }

    /// Whether one of them must be simulated access by access, once it runs.
    pub(crate) fn are_watched(&self) -> bool {
        let guests = self.guests.iter().chain([&self.fresh]);
        guests
            .into_iter()
            .any(|guest| guest.os.checks_rights() || guest.os.khugepaged_due() < u32::MAX)
    }

    /// Bytes that this clone does not share with `other`.
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
