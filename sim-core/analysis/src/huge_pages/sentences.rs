//! The verdict in words.

use super::verdict::{Decision, HugeVerdict, LEAST_SHARE, MOST_REPEATS, Unknown};
use super::words::{percent_span, span};
use super::{Between, FirstTouches, HugeOptions, WalkCounters};
use pagewalk::os::Frames;
use pagewalk_base::thousands::grouped;

/// Returns the answer first, then the numbers, then what would decide if nothing does yet.
pub(super) fn text(verdict: &HugeVerdict, options: HugeOptions, unknown: Unknown) -> String {
    let mut sentences = answer(verdict, options);
    let before = percent_span(verdict.translation);
    let (saved, verb) = match options.measured {
        Some(_) => ("saved walks", "are"),
        None => ("saved translation", "is"),
    };
    sentences.push(match options.measured {
        Some(_) => format!("Without huge pages, walks take {before} of the time, as counted."),
        None => format!("Without huge pages, {before} of the time is translation."),
    });
    sentences.push(bases(verdict));
    let has_price = options.prices.are_given || verdict.first_touches.huge_faults == 0;
    if verdict.huge_pages > 0 {
        let ms = span(verdict.saving.ms);
        sentences.push(if has_price {
            let touches = verdict.first_touches.words();
            format!("The {saved} {verb} {ms} ms, and first touches {touches}.")
        } else {
            format!("The {saved} {verb} {ms} ms.")
        });
    }
    if verdict.decision == Decision::Undecided && has_price {
        sentences.push(what_decides(unknown, options));
    }
    sentences.join(" ")
}

fn answer(verdict: &HugeVerdict, options: HugeOptions) -> Vec<String> {
    let n = verdict.huge_pages;
    if n == 0 {
        return vec!["Not worth it: huge pages save nothing.".to_owned()];
    }
    let plural = if n == 1 { "" } else { "s" };
    let pages = format!("{} page{plural} of {}", grouped(n.into()), options.huge);
    let (verb, their) = if n == 1 { ("saves", "its") } else { ("save", "their") };
    let saving = verdict.saving;
    let save = format!("{pages} {verb} {} of the time", percent_span(saving.share));
    if let (Decision::Undecided, Some(us), false) =
        (verdict.decision, verdict.saved_us_each, options.prices.are_given)
    {
        let this = format!("{pages} {verb} {} of this run's time, ", percent_span(saving.share));
        return vec![this + "without first touches.", condition(verdict, options, us)];
    }
    let cost_more = format!("{their} first touches cost more");
    match (verdict.decision, verdict.repeats) {
        (Decision::Worth, _) => {
            vec![format!("For this run: yes. {save}, and pay for {their} first touches.")]
        }
        (Decision::NotWorth, _) if saving.share.high < LEAST_SHARE => {
            vec![format!("Not worth it: {save}.")]
        }
        (Decision::NotWorth, _) => vec![format!(
            "Not worth it: {save}, but {cost_more}, even if a program runs this phase {MOST_REPEATS} times."
        )],
        (Decision::Undecided, _) if verdict.net.high <= 0.0 => vec![
            format!("For this run: no. {save}, but {cost_more}."),
            "For a program that repeats this phase: undecided.".to_owned(),
        ],
        (Decision::Undecided | Decision::IfRepeated, repeats) => {
            let this = if verdict.net.high <= 0.0 {
                format!("For this run: no. {save}, but {cost_more}.")
            } else {
                format!(
                    "For this run: undecided. {save}; after {their} first touches, {} are left.",
                    percent_span(verdict.net)
                )
            };
            let more = repeats
                .map(|n| format!("For a program that runs this phase {n} times or more: yes."));
            std::iter::once(this).chain(more).collect()
        }
    }
}

/// Says which price of a first touch makes huge pages pay in one run, and how to measure it.
fn condition(verdict: &HugeVerdict, options: HugeOptions, us: Between) -> String {
    let HugeOptions { pages, huge, prices, .. } = options;
    let FirstTouches { small_faults, huge_faults, .. } = verdict.first_touches;
    let each = (small_faults + huge_faults / 2) / huge_faults.max(1);
    let replaced = match each {
        0 | 1 => format!("that of {pages}"),
        n => format!("the {} first touches of {pages}", grouped(n)),
    };
    let (they, pay) = if verdict.huge_pages == 1 { ("It", "pays") } else { ("They", "pay") };
    format!(
        "{they} {pay} in this run if a first touch of {huge} takes less than {} µs more than {replaced} that it replaces. On one other machine, a first touch took {} µs with 4K and {} µs with 2M. {MEASURE}",
        span(us),
        span(prices.small_us),
        span(prices.huge_us)
    )
}

/// Says how to get the prices of a machine.
const MEASURE: &str =
    "To decide: measure yours with the command in docs/command-line.md, and give --first-touch.";

/// Says how many walks a run without huge pages has, with each order of frames.
fn bases(verdict: &HugeVerdict) -> String {
    let walks = |n: u64| format!("{} walk{}", grouped(n), if n == 1 { "" } else { "s" });
    match verdict.bases[..] {
        [together, scattered] => format!(
            "This machine joins neighbouring pages: there are {} if their frames lie together, and {} if they are scattered.",
            walks(together.walks),
            walks(scattered.walks)
        ),
        [base] => {
            let frames =
                if base.frames == Frames::Recorded { " with the recorded frames" } else { "" };
            format!(
                "There are {}{frames}, {} of them at first touches.",
                walks(base.walks),
                grouped(base.first_walks)
            )
        }
        _ => String::new(),
    }
}

/// Says what the user can measure to get an answer.
fn what_decides(unknown: Unknown, options: HugeOptions) -> String {
    let fixed = match (unknown, options.walk_counters) {
        (Unknown::Prices, _) => MEASURE,
        (Unknown::Frames, _) => {
            "To decide: record the frames of the pages, with pagewalk record as root or with --pagemap."
        }
        (Unknown::Time, _) if options.measured.is_some() => {
            "To decide: count again with perf stat -r 10, and give --counters."
        }
        (Unknown::Time, WalkCounters::Events(events)) => {
            return format!(
                "To decide: count walks with `perf stat -o stat.txt -e {events} ./program`, and give --counters stat.txt."
            );
        }
        (Unknown::Time, WalkCounters::Missing) => AB_RUNS,
        (Unknown::Time, WalkCounters::Unknown) => {
            "To decide: measure walk cycles with perf stat, and give --counters."
        }
    };
    fixed.to_owned()
}

/// Says how huge pages are tried on a processor that does not count the cycles of walks.
pub const AB_RUNS: &str = "This processor does not count walk cycles. Compare two measurements: `perf stat -r 5 ./program`, and the same command after `GLIBC_TUNABLES=glibc.malloc.hugetlb=1`, which makes the memory of malloc huge.";

impl FirstTouches {
    /// Says how much longer they take: `take 0.6 to 21 ms more`.
    pub(super) fn words(self) -> String {
        use super::words::digits;
        if self.huge_faults == 0 {
            return "have no price, because the pages come from a file".to_owned();
        }
        let Between { low, high } = self.more_ms;
        match (low < 0.0, high > 0.0) {
            (true, true) => {
                let [less, more] = [-low, high].map(digits);
                format!("take between {less} ms less and {more} ms more")
            }
            (true, false) => format!("take {} ms less", span(Between::new(-high, -low))),
            (false, _) => format!("take {} ms more", span(self.more_ms)),
        }
    }
}
