//! Where the pages of a process were in physical memory: `/proc/PID/pagemap` (proc(5)).

use super::varint::{read_varint, write_varint};

/// A range of memory that lies in one piece in physical memory. Ends and addresses are those of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameRun {
    pub pid: u32,
    pub start: u64,
    /// The first address after the range.
    pub end: u64,
    /// The physical address of `start`. That of a virtual machine's process is guest-physical.
    pub physical: u64,
}

/// Addresses are stored without the bits inside of a page.
const PAGE_BITS: u32 = 12;

impl FrameRun {
    /// The most runs of a section.
    pub(super) const SECTION: usize = 1 << 17;

    /// Returns the physical address of a byte, if the run has it.
    pub fn at(&self, address: u64) -> Option<u64> {
        (self.start..self.end).contains(&address).then(|| self.physical + (address - self.start))
    }

    /// Returns the number of pages of 4 KiB.
    pub fn pages(&self) -> u64 {
        (self.end - self.start) >> PAGE_BITS
    }

    /// Adds a run, or lets the last one continue with it.
    pub fn append(self, runs: &mut Vec<Self>) {
        match runs.last_mut() {
            Some(last)
                if (last.pid, last.end) == (self.pid, self.start)
                    && last.physical + (last.end - last.start) == self.physical =>
            {
                last.end = self.end;
            }
            _ => runs.push(self),
        }
    }

    /// Returns the runs as the payload of a section: of each the process, the distances of its address and of its frame from
    /// the ends of the run before, and its pages.
    pub(super) fn save(runs: &[Self]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let (mut address, mut frame) = (0u64, 0u64);
        for run in runs {
            let (start, physical) = (run.start >> PAGE_BITS, run.physical >> PAGE_BITS);
            let numbers =
                [run.pid.into(), folded(start, address), folded(physical, frame), run.pages()];
            for number in numbers {
                write_varint(&mut bytes, number);
            }
            (address, frame) = (start + run.pages(), physical + run.pages());
        }
        bytes
    }

    /// Reads the payload of a section, or `None` if it is damaged.
    pub(super) fn restore(mut payload: &[u8]) -> Option<Vec<Self>> {
        let mut runs = Vec::new();
        let (mut address, mut frame) = (0u64, 0u64);
        while !payload.is_empty() {
            let mut next = || read_varint(&mut payload);
            let pid = u32::try_from(next()?).ok()?;
            let (start, physical) = (unfolded(next()?, address), unfolded(next()?, frame));
            let pages = next()?;
            (address, frame) = (start.checked_add(pages)?, physical.checked_add(pages)?);
            let most = u64::MAX >> PAGE_BITS;
            if pages == 0 || address > most || frame > most {
                return None;
            }
            let [start, end, physical] = [start, address, physical].map(|page| page << PAGE_BITS);
            runs.push(Self { pid, start, end, physical });
        }
        Some(runs)
    }
}

/// Returns the distance from `before` to `number`, with its sign in the lowest bit.
fn folded(number: u64, before: u64) -> u64 {
    let distance = number.wrapping_sub(before).cast_signed();
    (distance << 1 ^ distance >> 63).cast_unsigned()
}

fn unfolded(folded: u64, before: u64) -> u64 {
    before.wrapping_add(folded >> 1 ^ (folded & 1).wrapping_neg())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_read_as_they_were_written() {
        let run = |pid, start: u64, pages: u64, frame: u64| FrameRun {
            pid,
            start: start << 12,
            end: (start + pages) << 12,
            physical: frame << 12,
        };
        let most = u64::MAX >> 12;
        let runs = [
            run(7, 0x7f000, 512, 0x1a00),
            run(7, 0x7f400, 1, 3),
            run(8, 1, 2, most - 2),
            run(u32::MAX, most - 1, 1, 0),
        ];
        let saved = FrameRun::save(&runs);
        assert_eq!(FrameRun::restore(&saved).unwrap(), runs);
        assert_eq!(FrameRun::restore(&saved[..saved.len() - 1]), None);
        // A run of no pages, and one beyond the last address, are damage.
        assert_eq!(FrameRun::restore(&[7, 2, 2, 0]), None);
        let mut beyond = FrameRun::save(&[run(7, most - 1, 1, 3)]);
        *beyond.last_mut().unwrap() = 2;
        assert_eq!(FrameRun::restore(&beyond), None);
    }

    #[test]
    fn a_run_continues_where_addresses_and_frames_do() {
        let mut runs = Vec::new();
        for (pid, start, physical) in
            [(7, 0x1000, 0x5000), (7, 0x2000, 0x6000), (7, 0x4000, 0x7000), (8, 0x5000, 0x8000)]
        {
            FrameRun { pid, start, end: start + 0x1000, physical }.append(&mut runs);
        }
        let found: Vec<_> = runs.iter().map(|run| (run.start, run.pages())).collect();
        assert_eq!(found, [(0x1000, 2), (0x4000, 1), (0x5000, 1)]);
        assert_eq!(runs[0].at(0x2008), Some(0x6008));
        assert_eq!(runs[0].at(0x3000), None);
    }
}
