//! The counts of the naive operating system.

#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) walks: u64,
    pub(crate) faults: [u64; 5],
    pub(crate) bus_errors: u64,
    pub(crate) promotions: u64,
    pub(crate) promoted: u64,
    pub(crate) demotions: u64,
    pub(crate) failed: u64,
    pub(crate) shootdowns: u64,
    pub(crate) dropped: u64,
    pub(crate) pretouched: u64,
    pub(crate) reused: u64,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Self) {
        self.walks += other.walks;
        self.faults.iter_mut().zip(other.faults).for_each(|(sum, n)| *sum += n);
        self.bus_errors += other.bus_errors;
        self.promotions += other.promotions;
        self.promoted += other.promoted;
        self.demotions += other.demotions;
        self.failed += other.failed;
        self.shootdowns += other.shootdowns;
        self.dropped += other.dropped;
        self.pretouched += other.pretouched;
        self.reused += other.reused;
    }

    pub(crate) fn everything_but_hidden_faults_happened(&self) -> bool {
        let others = [
            self.walks,
            self.bus_errors,
            self.promotions,
            self.promoted,
            self.demotions,
            self.failed,
            self.shootdowns,
            self.dropped,
            self.pretouched,
        ];
        self.faults[..4].iter().chain(&others).all(|n| *n > 0)
    }
}
