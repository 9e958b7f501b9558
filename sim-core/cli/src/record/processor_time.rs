//! The processor time of looks at the files of another process.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Returns what `look` returns, and the time that processors spent on it. On a busy computer a look waits for a
/// processor, too. That must not make looks rarer.
pub(super) fn timed<T>(look: impl FnOnce() -> T) -> (T, Duration) {
    let before = of_this_thread();
    let seen = look();
    (seen, of_this_thread().saturating_sub(before))
}

fn of_this_thread() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_takes_no_processor_time_and_work_does() {
        let wait = Duration::from_millis(50);
        let ((), took) = timed(|| std::thread::sleep(wait));
        assert!(took < wait / 2, "{took:?}");
        let before = of_this_thread();
        let ((), took) = timed(|| while of_this_thread() < before + wait {});
        assert!(took >= wait / 2, "{took:?}");
    }
}
