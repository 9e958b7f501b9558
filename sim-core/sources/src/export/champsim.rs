//! Writes ChampSim's records of 64 bytes. Each record is an instruction with up to four loads and two stores.
//!
//! A load or store that follows no fetch gets a record of its own. Its instruction is its instruction pointer,
//! the last instruction, or [`NO_FETCH`].

use pagewalk_base::trace::{Access, Kind};

use crate::import::champsim::Layout;

/// The address of the instruction of accesses that have none.
const NO_FETCH: u64 = 0x40_0000;

/// The layout that every version of ChampSim reads.
const LAYOUT: Layout = Layout::Usual;

/// Writes accesses as records.
#[derive(Debug, Default)]
pub(super) struct Records {
    record: Option<[u8; 64]>,
    /// Whether the trace fetches the instruction of the record.
    is_fetched: bool,
    /// The number of records whose instruction the trace does not fetch.
    pub(super) added: u64,
    /// The number of accesses to address 0, which marks an unused place of a record.
    pub(super) at_zero: u64,
    /// The number of loads that a record has before a store of the same instruction.
    pub(super) moved: u64,
}

impl Records {
    /// Adds a fetch, load or store.
    pub(super) fn access(&mut self, access: &Access, out: &mut Vec<u8>) {
        if access.address == 0 {
            self.at_zero += 1;
            return;
        }
        if access.kind == Kind::Fetch {
            self.is_fetched = true;
            return self.begin(access.address, out);
        }
        if !(self.is_fetched && self.put(access)) {
            self.added += 1;
            self.is_fetched = false;
            let last = self.record.map_or(NO_FETCH, |record| word(&record, 0));
            self.begin(access.ip.filter(|ip| *ip != 0).unwrap_or(last), out);
            // A new record has room for one access.
            let _ = self.put(access);
        }
    }

    /// Writes the last record.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) {
        out.extend(self.record.take().into_iter().flatten());
    }

    fn begin(&mut self, ip: u64, out: &mut Vec<u8>) {
        self.finish(out);
        let mut record = [0; 64];
        record[..8].copy_from_slice(&ip.to_le_bytes());
        self.record = Some(record);
    }

    /// Puts a load or store into the record if it is of its instruction and there is room. Returns whether it did.
    fn put(&mut self, access: &Access) -> bool {
        let Some(record) = &mut self.record else { return false };
        if access.ip.is_some_and(|ip| ip != 0 && ip != word(record, 0)) {
            return false;
        }
        let is_store = access.kind == Kind::Store;
        let mut places = if is_store { LAYOUT.stores() } else { LAYOUT.loads() }.step_by(8);
        let Some(at) = places.find(|at| word(record, *at) == 0) else { return false };
        self.moved += u64::from(!is_store && word(record, LAYOUT.stores().start) != 0);
        record[at..at + 8].copy_from_slice(&access.address.to_le_bytes());
        true
    }
}

fn word(record: &[u8; 64], at: usize) -> u64 {
    record[at..at + 8].try_into().map_or(0, u64::from_le_bytes)
}
