//! Runs the program in the folder of its fixtures.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use expect_test::Expect;
use serde_json::Value;

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")
}

/// Returns the path of a trace that the tests of the core also read.
pub(crate) fn recorded(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/traces").join(name);
    path.to_str().unwrap().to_owned()
}

/// Returns the path of an output of perf stat that the tests of the core also read.
pub(crate) fn counted(name: &str) -> String {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/perfstat").join(name);
    path.to_str().unwrap().to_owned()
}

pub(crate) fn pagewalk<'a>(args: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pagewalk"));
    command.args(args).current_dir(fixtures());
    command
}

/// Runs a command line whose words contain no blanks.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the many places that call it")]
pub(crate) fn check(line: &str, expected: Expect) {
    let output = pagewalk(line.split_whitespace()).output().unwrap();
    expected.assert_eq(&show(&output));
}

pub(crate) fn check_with_input(line: &str, input: &str, expected: &Expect) {
    let mut command = pagewalk(line.split_whitespace());
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    expected.assert_eq(&show(&child.wait_with_output().unwrap()));
}

/// Runs a command line that ends with the name of a file with these bytes. `FILE` stands for the name in the output.
#[track_caller]
pub(crate) fn check_with_file(line: &str, bytes: &[u8], expected: &Expect) {
    expected.assert_eq(&with_file(line, bytes));
}

/// What such a command prints.
pub(crate) fn with_file(line: &str, bytes: &[u8]) -> String {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let name = format!("{}.tmp", NUMBER.fetch_add(1, Ordering::Relaxed));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    let path = path.to_str().unwrap();
    let output = pagewalk(line.split_whitespace().chain([path])).output().unwrap();
    show(&output).replace(path, "FILE")
}

/// Returns the output of a command that succeeds.
#[track_caller]
pub(crate) fn printed(line: &str) -> String {
    let output = pagewalk(line.split_whitespace()).output().unwrap();
    assert!(output.status.success(), "{line}: {}", show(&output));
    show(&output)
}

/// Returns the JSON that a command prints, without the description of the command.
#[track_caller]
pub(crate) fn json(line: &str) -> Value {
    let mut result: Value = serde_json::from_str(&printed(line)).unwrap();
    if let Some(fields) = result.as_object_mut() {
        fields.remove("about");
    }
    result
}

/// Returns the output, and after an error the exit code and the line on stderr. Only some builds know their commit, so
/// a JSON is shown without it.
pub(crate) fn show(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    if output.status.success() {
        assert_eq!(error, "", "a success says nothing on stderr");
        let is_commit = |line: &&str| line.starts_with("    \"commit\": ");
        return out.split_inclusive('\n').filter(|line| !is_commit(line)).collect();
    }
    assert_eq!(out, "", "a failure prints no result");
    assert_eq!(error.lines().count(), 1, "an error is one line: {error}");
    format!("exit code {}: {error}", output.status.code().unwrap())
}
