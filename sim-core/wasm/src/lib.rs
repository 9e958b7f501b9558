//! All calls from JavaScript: the calls of a replay, from `pagewalk-replay-wasm`, and the calls in [`WHOLE`].
//!
//! A new call is one function and one row of [`WHOLE`]. Its arguments and its result are one row of
//! `src/engine/calls.ts`, and `src/engine/schedule.ts` says when it may run.

#![expect(clippy::unnecessary_wraps, reason = "every function of the table has one signature")]

mod analysing;
mod attributing;
mod bench;
mod chasing;
mod checking;
mod describing;
mod experiments;
mod exporting;
mod importing;
mod measuring;
mod oracles;
mod pairs;
mod quizzing;
mod recorded;
mod surveys;
mod sweeping;
mod whole_run;
mod workloads;

use pagewalk::run::replay::Paths;
use pagewalk_replay_wasm::{Names, REPLAY, Session};
use wasm_bindgen::prelude::*;

const WHOLE: Names = Names {
    calls: &[
        ("checkMachine", checking::machine),
        ("peek", importing::peek_at),
        ("describe", describing::describe),
        ("sourceAt", attributing::source_at),
        ("workloads", workloads::workloads),
        ("checkWorkload", workloads::check),
        ("experiments", experiments::list),
        ("oracles", oracles::list),
        ("verify", oracles::verify),
        ("measure", measuring::measure),
        ("sweepRows", sweeping::rows),
        ("sweepTable", sweeping::table),
        ("seekPair", pairs::seek),
        ("ask", quizzing::ask),
        ("answer", quizzing::answer),
        ("exercise", quizzing::exercise),
        ("exerciseQuestions", quizzing::questions),
        ("exerciseLine", quizzing::line),
        ("gradeExercise", quizzing::grade_lines),
        ("generateLoads", bench::generate_loads),
        ("runThrough", bench::run_through),
        ("traceSize", bench::trace_size),
    ],
    tasks: &[
        ("import", importing::import),
        ("save", exporting::save),
        ("export", exporting::export),
        ("generate", workloads::generate),
        ("experiment", experiments::experiment),
        ("survey", surveys::survey),
        ("compareChase", chasing::compare),
        ("attribution", attributing::attribution),
        ("runWhole", whole_run::run_whole),
        ("runRow", sweeping::row),
        ("analyse", analysing::analyse),
        ("openPair", pairs::open),
        ("findDifference", pairs::find),
        ("comparePair", pairs::compare),
        ("pairRegions", pairs::regions),
    ],
};

/// Creates a session with all calls, an empty trace and the default machine.
#[wasm_bindgen(js_name = wholeSession)]
pub fn whole_session() -> Session {
    Session::with(&[REPLAY, WHOLE], Paths::FAST)
}
