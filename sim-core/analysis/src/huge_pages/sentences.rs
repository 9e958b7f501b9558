//! The verdict in words.

use super::verdict::{Decision, HugeVerdict, LEAST_SHARE, MOST_REPEATS, Unknown};
use super::words::{percent_span, span};
use super::{HugeOptions, cost::FirstTouches};
use pagewalk::os::Frames;
use pagewalk_base::thousands::grouped;

/// Returns the answer first, then the numbers, then what would decide if nothing does yet.
pub(super) fn text(verdict: &HugeVerdict, options: HugeOptions, unknown: Unknown) -> String {
    let mut sentences = answer(verdict, options);
    sentences.push(format!(
        "Without huge pages, {} of the time is translation{}.",
        percent_span(verdict.translation),
        if options.measured.is_some() { ", as the counters measured" } else { "" }
    ));
    sentences.push(bases(verdict));
    if verdict.huge_pages > 0 {
        sentences.push(format!(
            "The saved translation is {} ms, and first touches {}.",
            span(verdict.saving.ms),
            verdict.first_touches.words()
        ));
    }
    if verdict.decision == Decision::Undecided {
        sentences.push(what_decides(unknown, options).to_owned());
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
fn what_decides(unknown: Unknown, options: HugeOptions) -> &'static str {
    match unknown {
        Unknown::Prices => "To decide: measure what first touches cost, and give --first-touch.",
        Unknown::Frames => {
            "To decide: record the frames of the pages, with pagewalk record as root or with --pagemap."
        }
        Unknown::Time if options.measured.is_none() => {
            "To decide: measure walk cycles with perf stat, and give --counters."
        }
        Unknown::Time => "To decide: count again with perf stat -r 10, and give --counters.",
    }
}

impl FirstTouches {
    /// Says how much longer they take: `take 0.6 to 21 ms more`.
    pub(super) fn words(self) -> String {
        use super::words::digits;
        if self.huge_faults == 0 {
            return "have no price, because the pages come from a file".to_owned();
        }
        let super::Between { low, high } = self.more_ms;
        match (low < 0.0, high > 0.0) {
            (true, true) => {
                let [less, more] = [-low, high].map(digits);
                format!("take between {less} ms less and {more} ms more")
            }
            (true, false) => format!("take {} ms less", span(super::Between::new(-high, -low))),
            (false, _) => format!("take {} ms more", span(self.more_ms)),
        }
    }
}
