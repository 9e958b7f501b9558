//! Times the chase in rounds. Each round measures every number of pages once, in another order of the lines.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, bail};
use pagewalk_base::addr::PageSize;
use pagewalk_chase::{BACKING, Chase, Lines, Timing, ns_of_an_add, steps};
use pagewalk_measured::chase::{ChasePlace, ChasePoint, ChaseSamples};

use super::memory::Memory;
use crate::output;
use crate::progress::share_bar;

/// The least nanoseconds of a measurement. Short ones fit between the interruptions by other programs.
const LEAST: f64 = 3e5;
/// The fewest rounds. A loaded computer gets more time for them, up to [`MOST_TIME`].
const FEWEST_ROUNDS: usize = 4;
const MOST_TIME: Duration = Duration::from_secs(60);

/// Whether the user pressed Ctrl-C.
pub(super) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// # Errors
    /// Errors of the operating system.
    pub(super) fn new() -> anyhow::Result<Self> {
        let flag = Arc::new(AtomicBool::new(false));
        // The first Ctrl-C ends the measurement, the second one the program.
        #[cfg(unix)]
        {
            use signal_hook::consts::SIGINT;
            use signal_hook::flag::{register, register_conditional_shutdown};
            let both = || {
                register_conditional_shutdown(SIGINT, 130, Arc::clone(&flag))?;
                register(SIGINT, Arc::clone(&flag))
            };
            both().context("cannot wait for Ctrl-C")?;
        }
        Ok(Self(flag))
    }

    fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Measures pages of one size for about `seconds`.
///
/// # Errors
/// The memory is missing, or the user stops before there is a result.
pub(super) fn timed(
    page: PageSize,
    stride: u32,
    seconds: f64,
    stop: &Stop,
) -> anyhow::Result<ChaseSamples> {
    pin();
    let bytes = usize::try_from(page.bytes())?;
    let between = bytes.checked_mul(usize::try_from(stride)?).context("the stride is too large")?;
    let most = BACKING / 4096 * between;
    let mut memory = Memory::new(page, most)?;
    let pages = steps(memory.bytes().len(), bytes, usize::try_from(stride)?);
    let Some(last) = pages.last().copied().filter(|last| *last >= 64) else {
        bail!("--pages {page} --stride {stride}: there is not enough memory for 64 such pages");
    };
    let mut rounds = Rounds::new(page, stride, &pages);
    let limit = Duration::from_secs_f64(seconds);
    let begin = Instant::now();
    let bar =
        share_bar(u64::try_from(limit.as_millis())?, format!("the measurement of {page} pages"));
    loop {
        let elapsed = begin.elapsed();
        let n = rounds.samples.adds.len();
        let is_enough = elapsed >= limit && n >= FEWEST_ROUNDS;
        if is_enough || elapsed >= MOST_TIME || stop.is_asked() {
            break;
        }
        bar.set_position(u64::try_from(elapsed.min(limit).as_millis())?);
        if !rounds.run(memory.bytes(), stop) {
            break;
        }
        if n == 0 {
            memory.check(usize::try_from(last)? * bytes)?;
        }
    }
    bar.finish_and_clear();
    rounds.done(stop)
}

struct Rounds {
    chase: Chase,
    samples: ChaseSamples,
}

impl Rounds {
    fn new(page: PageSize, stride: u32, pages: &[u32]) -> Self {
        let of = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let point =
            |pages: &u32| ChasePoint { pages: *pages, spread: Vec::new(), dense: Vec::new() };
        let points = pages.iter().map(point).collect();
        let samples =
            ChaseSamples { place: ChasePlace::Native, page, stride, adds: Vec::new(), points };
        Self { chase: Chase::new(of(page.bytes()), of(stride.into())), samples }
    }

    /// Runs one round. Returns false, and keeps nothing of it, if the user stops.
    fn run(&mut self, memory: &mut [u8], stop: &Stop) -> bool {
        let zero = Instant::now();
        let mut now = || zero.elapsed().as_secs_f64() * 1e9;
        let mut timing = Timing { now: &mut now, least: LEAST };
        let round = self.samples.adds.len() as u64;
        let mut times = Vec::new();
        for (at, point) in self.samples.points.iter().enumerate() {
            if stop.is_asked() {
                return false;
            }
            let seed = round * 1000 + at as u64;
            for lines in [Lines::Spread, Lines::Dense] {
                let ns = self.chase.ns_of_a_load(memory, (lines, point.pages), seed, &mut timing);
                times.push(ns.expect("the steps fit into the memory"));
            }
        }
        self.samples.adds.push(ns_of_an_add(&mut timing));
        for (point, pair) in self.samples.points.iter_mut().zip(times.chunks_exact(2)) {
            point.spread.push(pair[0]);
            point.dense.push(pair[1]);
        }
        true
    }

    fn done(self, stop: &Stop) -> anyhow::Result<ChaseSamples> {
        let n = self.samples.adds.len();
        if n >= FEWEST_ROUNDS {
            if stop.is_asked() {
                output::aside(format!("Stopped: the result is of {n} rounds.\n"));
            }
            return Ok(self.samples);
        }
        Err(if stop.is_asked() {
            anyhow!("stopped after {n} rounds: a result needs {FEWEST_ROUNDS}")
        } else {
            anyhow!("only {n} rounds in a minute: end other programs, and measure again")
        })
    }
}

/// Keeps this thread on its processor. If the system refuses, the measurement is noisier.
fn pin() {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_getcpu, sched_setaffinity};
        let mut here = CpuSet::new();
        here.set(sched_getcpu());
        let _ = sched_setaffinity(None, &here);
    }
}
