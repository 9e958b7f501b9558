//! Times work with a clock that may have coarse steps, as in browsers.

/// A clock in nanoseconds, and the shortest time that it measures well.
pub struct Timing<'a> {
    pub now: &'a mut dyn FnMut() -> f64,
    /// The least nanoseconds of one measurement.
    pub least: f64,
}

impl Timing<'_> {
    /// Repeats `work`, which returns a number of operations, for at least `self.least`. Returns the nanoseconds of one
    /// operation. The measurement begins and ends at steps of the clock.
    pub fn ns_each(&mut self, mut work: impl FnMut() -> u32) -> f64 {
        let begin = self.next_step();
        let mut done = 0.0;
        loop {
            done += f64::from(work());
            let elapsed = (self.now)() - begin;
            if elapsed >= self.least && done > 0.0 {
                return elapsed / done;
            }
        }
    }

    fn next_step(&mut self) -> f64 {
        let before = (self.now)();
        loop {
            let now = (self.now)();
            if now > before {
                return now;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Work of 7 ns each, under a clock with steps of 100 µs: an unaligned beginning would make an error of up to 2 %.
    #[test]
    fn a_coarse_clock_measures_to_one_percent() {
        for offset in 0..20 {
            let time = Cell::new(f64::from(offset) * 4_999.0);
            let mut now = || {
                time.set(time.get() + 50.0);
                (time.get() / 1e5).floor() * 1e5
            };
            let mut timing = Timing { now: &mut now, least: 5e6 };
            let measured = timing.ns_each(|| {
                time.set(time.get() + 7.0 * 4096.0);
                4096
            });
            assert!((measured / 7.0 - 1.0).abs() < 0.01, "{offset}: {measured}");
        }
    }
}
