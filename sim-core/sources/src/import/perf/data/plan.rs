//! The positions of the fields of a sample, computed once for each event.

use super::attr::{Attr, field};
use super::sample::Fields;
use pagewalk_base::narrow::low32;

/// A word of a record.
pub(super) type Word = [u8; 8];

/// The largest number of words of a sample with a plan: one for each field.
const MOST_WORDS: usize = 16;

/// The positions of the fields in the samples of an event, in words of 8 bytes. There is a plan only if all
/// samples have the same positions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    words: usize,
    ip: usize,
    tid: usize,
    time: usize,
    address: usize,
    cpu: usize,
    period: usize,
    weight: usize,
    data_src: usize,
    physical: usize,
    data_page: usize,
    code_page: usize,
}

/// A position outside every sample.
const NOWHERE: usize = usize::MAX;

impl Plan {
    /// Makes the plan of an event, or returns `None` if a field has a variable length.
    pub(super) fn of(attr: &Attr) -> Option<Self> {
        let varying = [
            field::READ,
            field::CALLCHAIN,
            field::RAW,
            field::BRANCH_STACK,
            field::REGS_USER,
            field::STACK_USER,
            field::REGS_INTR,
        ];
        if varying.into_iter().any(|field| attr.has(field)) {
            return None;
        }
        let mut words = 0;
        let mut next = |fields: &[u32]| {
            let has = fields.iter().any(|field| attr.has(*field));
            let at = if has { words } else { NOWHERE };
            words += usize::from(has);
            at
        };
        next(&[field::IDENTIFIER]);
        let ip = next(&[field::IP]);
        let tid = next(&[field::TID]);
        let time = next(&[field::TIME]);
        let address = next(&[field::ADDR]);
        next(&[field::ID]);
        next(&[field::STREAM_ID]);
        let cpu = next(&[field::CPU]);
        let period = next(&[field::PERIOD]);
        let weight = next(&[field::WEIGHT, field::WEIGHT_STRUCT]);
        let data_src = next(&[field::DATA_SRC]);
        next(&[field::TRANSACTION]);
        let physical = next(&[field::PHYS_ADDR]);
        next(&[field::CGROUP]);
        let data_page = next(&[field::DATA_PAGE_SIZE]);
        let code_page = next(&[field::CODE_PAGE_SIZE]);
        Some(Self {
            words,
            ip,
            tid,
            time,
            address,
            cpu,
            period,
            weight,
            data_src,
            physical,
            data_page,
            code_page,
        })
    }

    /// Returns the words of a sample's record, or `None` if the record is too short for its fields.
    #[inline]
    pub(super) fn words<'a>(&self, record: &'a [u8]) -> Option<&'a [Word]> {
        record.as_chunks().0.get(..self.words)
    }

    /// Returns the time and the data address of a sample; each is 0 if it is missing.
    #[inline]
    pub(super) fn time_and_address(&self, words: &[Word]) -> (u64, u64) {
        (word(words, self.time).unwrap_or(0), word(words, self.address).unwrap_or(0))
    }

    /// Like [`super::sample::fields`].
    #[inline]
    pub(super) fn fields(&self, words: &[Word]) -> Fields<'static> {
        let some = |at| word(words, at);
        let number = |at| some(at).unwrap_or(0);
        let tid = number(self.tid);
        Fields {
            ip: some(self.ip),
            pid: low32(tid),
            tid: low32(tid >> 32),
            time: some(self.time),
            address: number(self.address),
            cpu: low32(number(self.cpu)),
            data_src: some(self.data_src),
            data_page: number(self.data_page),
            code_page: number(self.code_page),
            physical: number(self.physical),
            latency: low32(number(self.weight)),
            period: number(self.period),
            raw: &[],
            chain: &[],
        }
    }
}

#[inline]
fn word(words: &[Word], at: usize) -> Option<u64> {
    words.get(at).map(|word| u64::from_le_bytes(*word))
}

/// A sample that is read only when it is delivered: its event and its words.
#[derive(Debug)]
pub(super) struct Plain {
    pub(super) event: usize,
    pub(super) misc: u32,
    n: usize,
    words: [Word; MOST_WORDS],
}

impl Plain {
    pub(super) const NONE: Self = Self { event: 0, misc: 0, n: 0, words: [[0; 8]; MOST_WORDS] };

    /// Replaces the sample with another one, which has the words of [`Plan::words`].
    #[inline]
    pub(super) fn set(&mut self, event: usize, misc: u32, words: &[Word]) {
        (self.event, self.misc) = (event, misc);
        self.n = words.len().min(MOST_WORDS);
        self.words[..self.n].copy_from_slice(&words[..self.n]);
    }

    #[inline]
    pub(super) fn words(&self) -> &[Word] {
        &self.words[..self.n.min(MOST_WORDS)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::fields;
    use super::*;
    use cases::cases;

    #[test]
    fn a_plan_reads_what_the_fields_say_one_by_one() {
        cases(850).check(|u| {
            let fixed = 0x1eb_c3cf;
            let any = u.ratio(1, 4)?;
            let sample_type = u.arbitrary::<u64>()? & if any { u64::MAX } else { fixed };
            let mut attr = [0; 64];
            attr[24..32].copy_from_slice(&sample_type.to_le_bytes());
            let attr = Attr::read(&attr);
            let record: [u8; 160] = std::array::from_fn(|_| u.arbitrary().unwrap_or(7));
            let record = &record[..u.int_in_range(0..=160)?];
            if let Some(plan) = Plan::of(&attr) {
                let got = plan.words(record).map(|words| {
                    let mut plain = Plain::NONE;
                    plain.set(1, 2, words);
                    let read = plan.fields(plain.words());
                    assert_eq!(
                        plan.time_and_address(words),
                        (read.time.unwrap_or(0), read.address)
                    );
                    read
                });
                assert_eq!(got, fields(record, &attr), "{sample_type:b}");
            } else {
                assert!(any);
            }
            Ok(())
        });
    }
}
