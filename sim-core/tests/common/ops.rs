//! Scenarios with operations: lines of accesses and of operations in, one line for each out.
//!
//! ```text
//! load 0x1000 pid 7                as in `text`
//! invlpg 0x1000                    word, address, length, operands
//! mov-cr3 pcid=2 keep pid 7
//!
//! invlpg 0x1000: drops d 1, pde 2
//! └ as it was   └ entries by structure
//! ```

use std::fmt::Write as _;
use std::rc::Rc;

use expect_test::Expect;
use pagewalk::machine::Machine;
use pagewalk::record::event::{MachineView, OpView, StepView};
use pagewalk::run::replay::Replay;
use pagewalk_base::addr::parse_hex;
use pagewalk_base::trace::{
    Access, Completeness, Op, OpRecord, Operands, Trace, TraceBuilder, is_op_word,
};

use super::machine;
use super::text::{accesses, line};

/// One line of a scenario.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Item {
    Access(Access),
    Op(OpRecord),
}

/// Reads a scenario. Lines that begin with `#` are ignored.
#[track_caller]
pub(crate) fn items(text: &str) -> Vec<Item> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.filter(|line| !line.starts_with('#')).map(item).collect()
}

#[track_caller]
fn item(line: &str) -> Item {
    let (rest, tid) = line.split_once(" tid ").unwrap_or((line, "0"));
    let (text, pid) = rest.split_once(" pid ").unwrap_or((rest, "0"));
    let mut words = text.split_whitespace();
    let word = words.next().expect("a word");
    if !is_op_word(word) {
        return Item::Access(accesses(line)[0]);
    }
    let mut operands = Operands { words: words.collect(), ..Operands::default() };
    let address = operands.words.first().filter(|word| word.starts_with("0x"));
    if let Some(address) = address.map(|word| parse_hex(word).unwrap()) {
        operands.address = Some(address);
        operands.words.remove(0);
    }
    if let Some(Ok(length)) = operands.words.first().map(|word| word.parse()) {
        operands.length = Some(length);
        operands.words.remove(0);
    }
    let op = Op::parse(word, &operands).unwrap_or_else(|message| panic!("{message}: {line}"));
    Item::Op(OpRecord { pid: pid.parse().unwrap(), tid: tid.parse().unwrap(), cpu: 0, op })
}

pub(crate) fn trace(items: &[Item]) -> Trace {
    let mut builder = TraceBuilder::default();
    for item in items {
        match item {
            Item::Access(access) => builder.push(access).unwrap(),
            Item::Op(record) => builder.push_op(record).unwrap(),
        }
    }
    builder.finish(Completeness::Complete).unwrap()
}

/// Runs a scenario, and compares its lines with `expected`. Without a policy in `os` memory has pages of 4K.
#[track_caller]
pub(crate) fn check(json: &str, os: &str, text: &str, expected: &Expect) {
    expected.assert_eq(&run(json, os, text));
}

/// Runs a scenario, and returns one line for each access and operation.
#[track_caller]
pub(crate) fn run(json: &str, os: &str, text: &str) -> String {
    run_on(machine(json, os), text)
}

/// Runs a scenario on a machine that may have several cores, and returns its lines.
#[track_caller]
pub(crate) fn run_on(machine: Machine, text: &str) -> String {
    let view = MachineView::of(&machine);
    let mut replay = Replay::new(Rc::new(trace(&items(text))), machine, usize::MAX);
    let mut lines = String::new();
    for index in 0..replay.trace().len() {
        let step = replay.seek(index).unwrap();
        lines += &step_lines(&view, &step);
        if let Some(error) = replay.failure() {
            writeln!(lines, "{:?}: {error}", error.code).unwrap();
            break;
        }
    }
    lines
}

fn step_lines(machine: &MachineView, step: &StepView) -> String {
    let mut lines = String::new();
    for op in &step.before {
        writeln!(lines, "{}", op_line(machine, op)).unwrap();
    }
    let kind = step.access.kind.name();
    for translation in &step.translations {
        writeln!(lines, "{kind} {}", line(machine, translation)).unwrap();
    }
    match &step.exception {
        Some(exception) => {
            let code = exception.code.map(|code| format!(" {code}")).unwrap_or_default();
            let (name, address) = (&exception.name, exception.address);
            writeln!(lines, "{kind} {address} {name}{code}: {}", exception.meaning).unwrap();
        }
        None if step.translations.is_empty() => {
            writeln!(lines, "{kind} {} dropped", step.access.address).unwrap();
        }
        None => {}
    }
    for op in &step.after {
        writeln!(lines, "{}", op_line(machine, op)).unwrap();
    }
    lines
}

fn op_line(machine: &MachineView, op: &OpView) -> String {
    let dropped = op.effects.dropped.iter().enumerate().filter(|(_, n)| **n > 0);
    let dropped: Vec<String> =
        dropped.map(|(at, n)| format!("{} {n}", machine.structures[at].name)).collect();
    let of = if op.pid == 0 { String::new() } else { format!(" pid {}", op.pid) };
    let by = if op.is_switch { "(switch) " } else { "" };
    let stays: Vec<String> = (op.effects.stayed.iter().enumerate())
        .filter(|(_, n)| **n > 0)
        .map(|(at, n)| format!("{} {n}", machine.structures[at].name))
        .collect();
    let stays =
        if stays.is_empty() { String::new() } else { format!("; global {}", stays.join(", ")) };
    let what = if dropped.is_empty() { "nothing".to_owned() } else { dropped.join(", ") };
    format!("{by}{}{of}: drops {what}{stays}", op.text)
}
