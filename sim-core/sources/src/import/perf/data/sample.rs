//! Reads a sample. Its fields have a fixed order, and each is present only if its bit is set (Linux 6.12,
//! `tools/perf/util/evsel.c`, `evsel__parse_sample`).

use super::attr::{Attr, field};
use super::bytes::Bytes;

/// The fields that are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Fields<'a> {
    pub(super) ip: Option<u64>,
    pub(super) pid: u32,
    pub(super) tid: u32,
    pub(super) time: Option<u64>,
    pub(super) address: u64,
    pub(super) cpu: u32,
    pub(super) data_src: Option<u64>,
    /// The page size of the data in bytes. Each of the following fields is 0 if it is unknown.
    pub(super) data_page: u64,
    pub(super) code_page: u64,
    pub(super) physical: u64,
    /// The latency in cycles.
    pub(super) latency: u32,
    /// The number of occurrences of the event.
    pub(super) period: u64,
    /// The fields of a tracepoint.
    pub(super) raw: &'a [u8],
    /// The addresses of the call chain and its markers, eight bytes each.
    pub(super) chain: &'a [u8],
}

/// Reads the record of a sample without its header. Returns `None` if the record is too short for its fields.
pub(super) fn fields<'a>(record: &'a [u8], attr: &Attr) -> Option<Fields<'a>> {
    let mut bytes = Bytes(record);
    let mut found = Fields::default();
    let has = |field| attr.has(field);
    if has(field::IDENTIFIER) {
        bytes.skip(1)?;
    }
    if has(field::IP) {
        found.ip = Some(bytes.u64()?);
    }
    if has(field::TID) {
        (found.pid, found.tid) = (bytes.u32()?, bytes.u32()?);
    }
    if has(field::TIME) {
        found.time = Some(bytes.u64()?);
    }
    if has(field::ADDR) {
        found.address = bytes.u64()?;
    }
    for field in [field::ID, field::STREAM_ID] {
        bytes.skip(u64::from(has(field)))?;
    }
    if has(field::CPU) {
        found.cpu = bytes.u32()?;
        bytes.u32()?;
    }
    if has(field::PERIOD) {
        found.period = bytes.u64()?;
    }
    if has(field::READ) {
        skip_read(&mut bytes, attr.read_format)?;
    }
    if has(field::CALLCHAIN) {
        let n = bytes.u64()?;
        found.chain = bytes.take(n.checked_mul(8)?)?;
    }
    if has(field::RAW) {
        let n = bytes.u32()?;
        found.raw = bytes.take(n.into())?;
    }
    if has(field::BRANCH_STACK) {
        const HW_INDEX: u64 = 1 << 17;
        const COUNTERS: u64 = 1 << 19;
        let n = bytes.u64()?;
        bytes.skip(u64::from(attr.branches & HW_INDEX != 0))?;
        bytes.skip(n.checked_mul(3)?)?;
        bytes.skip(if attr.branches & COUNTERS == 0 { 0 } else { n })?;
    }
    if has(field::REGS_USER) {
        skip_registers(&mut bytes, attr.regs_user)?;
    }
    if has(field::STACK_USER) {
        let size = bytes.u64()?;
        bytes.take(size)?;
        bytes.skip(u64::from(size != 0))?;
    }
    if has(field::WEIGHT) || has(field::WEIGHT_STRUCT) {
        // Both forms are one word. Either the word is the latency, or its lower half is.
        found.latency = bytes.u32()?;
        bytes.u32()?;
    }
    if has(field::DATA_SRC) {
        found.data_src = Some(bytes.u64()?);
    }
    bytes.skip(u64::from(has(field::TRANSACTION)))?;
    if has(field::REGS_INTR) {
        skip_registers(&mut bytes, attr.regs_intr)?;
    }
    if has(field::PHYS_ADDR) {
        found.physical = bytes.u64()?;
    }
    bytes.skip(u64::from(has(field::CGROUP)))?;
    if has(field::DATA_PAGE_SIZE) {
        found.data_page = bytes.u64()?;
    }
    if has(field::CODE_PAGE_SIZE) {
        found.code_page = bytes.u64()?;
    }
    Some(found)
}

fn skip_read(bytes: &mut Bytes<'_>, format: u64) -> Option<()> {
    let bit = |n: u32| format >> n & 1;
    let (times, per_value) = (bit(0) + bit(1), 1 + bit(2) + bit(4));
    if bit(3) == 0 {
        return bytes.skip(times + per_value);
    }
    let n = bytes.u64()?;
    bytes.skip(times.checked_add(n.checked_mul(per_value)?)?)
}

fn skip_registers(bytes: &mut Bytes<'_>, mask: u64) -> Option<()> {
    let abi = bytes.u64()?;
    bytes.skip(if abi == 0 { 0 } else { mask.count_ones().into() })
}

/// Returns where the samples of an event have the event's id, or `None` if they have none.
pub(super) fn id_at(attr: &Attr) -> Option<usize> {
    if attr.has(field::IDENTIFIER) {
        return Some(0);
    }
    let before = [field::IP, field::TID, field::TIME, field::ADDR];
    let words = before.iter().filter(|field| attr.has(**field)).count();
    attr.has(field::ID).then_some(8 * words)
}

/// Returns the id at position `at` of a sample.
pub(super) fn id(record: &[u8], at: usize) -> Option<u64> {
    Bytes(record.get(at..)?).u64()
}

/// Returns the time at the end of a record that is not a sample, for an attr with `sample_id_all`.
pub(super) fn trailing_time(record: &[u8], attr: &Attr) -> Option<u64> {
    if !attr.sample_id_all() || !attr.has(field::TIME) {
        return None;
    }
    let after = [field::ID, field::STREAM_ID, field::CPU, field::IDENTIFIER];
    let words = 1 + after.iter().filter(|field| attr.has(**field)).count();
    Bytes(record.get(record.len().checked_sub(8 * words)?..)?).u64()
}
