//! `pagewalk record` with other tools, with scripts in their place: they copy a recording, and run the program.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use expect_test::{Expect, expect};

use crate::support::{json, pagewalk, recorded};

/// Copies `$RECORDING` to the file after `-o`, and runs the program.
const PERF: &str = r#"#!/bin/sh
echo "perf $1 $2" | grep -qE 'mem record|record -e' || exit 9
while [ "$1" != -- ]; do
  [ "$1" = -o ] && out=$2
  shift
done
shift
[ "$RECORDING" ] && cp "$RECORDING" "$out"
exec "$@"
"#;

/// Makes the raw files of two threads and runs the program. With `-indir`, it converts them.
const DRRUN: &str = r#"#!/bin/sh
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  [ "$1" = -outdir ] && out=$2
  [ "$1" = -indir ] && in=$2
  shift
done
if [ "$in" ]; then
  mkdir "$in/trace"
  cp "$RECORDING" "$in/trace/drmemtrace.prog.7.7.trace"
  [ "$SECOND" ] && : > "$in/trace/drmemtrace.prog.7.8.trace"
  exit 0
fi
shift
[ "$RECORDING" ] && mkdir -p "$out/drmemtrace.prog.7.1.dir/raw"
for other in $OTHERS; do mkdir -p "$out/drmemtrace.$other.dir/raw"; done
exec "$@"
"#;

fn folder(name: &str, tool: &str, script: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("record-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(tool);
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// Records in a folder. The result is the exit code, what was printed without times and sizes, and what the trace holds.
/// The advice of a machine without counters is left out, because it depends on the machine.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the many places that call it")]
fn check(folder: &Path, line: &str, vars: &[(&str, &str)], expected: Expect) {
    let path = format!("{}:{}", folder.display(), env::var("PATH").unwrap());
    let words = ["record", "-o", "t.pagewalk"].into_iter().chain(line.split_whitespace());
    let mut command = pagewalk(words);
    command.current_dir(folder).env("PATH", path).envs(vars.iter().copied());
    let output = command.output().unwrap();
    // Whether the kernel allows perf depends on the machine, too.
    let command = "llow it with `sudo sysctl kernel.perf_event_paranoid=1`";
    let stderr = String::from_utf8(output.stderr).unwrap();
    let stderr = [
        format!("perf may not record: a{command}"),
        format!("nothing was recorded: perf says why above. If the kernel forbids it, a{command}"),
    ]
    .iter()
    .fold(stderr, |stderr, text| {
        let text_of_others =
            "nothing was recorded: perf could not record the program, and says why above";
        stderr.replace(text, text_of_others)
    });
    let stderr = stderr.lines().filter(|line| !line.contains("perf finds no counters"));
    let stderr = stderr.map(|line| match line.split_once(" in ") {
        Some((before, _)) if line.contains(" per access") => format!("{before}\n"),
        _ => format!("{line}\n"),
    });
    let mut text = format!(
        "exit {:?}\n{}{}",
        output.status.code(),
        String::from_utf8_lossy(&output.stdout),
        stderr.collect::<String>()
    );
    let file = folder.join("t.pagewalk");
    if file.exists() {
        let report = json(&format!("import {} --json", file.display()));
        text +=
            &format!("{} {} {}\n", report["format"], report["accesses"], report["completeness"]);
    }
    // Nothing else is left in the folder.
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    text += &format!("{names:?}\n");
    expected.assert_eq(&text);
}

#[test]
fn a_recording_of_perf_is_kept_with_the_exit_code_of_the_program() {
    let folder = folder("perf", "perf", PERF);
    let recording = recorded("perf/data/pf-matmul.perf.data.gz");
    check(
        &folder,
        "--with perf -- sh -c false",
        &[("RECORDING", &recording)],
        expect![[r#"
        exit Some(1)
        t.pagewalk: 400 accesses
        "perf.data" 400 "first-touches"
        ["perf", "t.pagewalk"]
    "#]],
    );
}

/// Writes its file after the end of the program, also if that does not end at Ctrl-C, and then ends as perf does.
const PERF_THAT_WAITS: &str = r#"#!/bin/sh
while [ "$1" != -- ]; do
  [ "$1" = -o ] && out=$2
  shift
done
shift
# The shell would say that its program was killed.
exec 2> /dev/null
trap '' INT
RECORDER=$PPID "$@"
cp "$RECORDING" "$out"
trap - INT
kill -INT $$
"#;

#[test]
fn a_second_ctrl_c_ends_the_program_and_lets_perf_write_its_file() {
    let folder = folder("perf-twice", "perf", PERF_THAT_WAITS);
    let signals = "kill -INT $RECORDER; sleep 1; kill -INT $RECORDER; exec sleep 60";
    fs::write(folder.join("signals.sh"), signals).unwrap();
    check(
        &folder,
        "--with perf -- sh signals.sh",
        &[("RECORDING", &recorded("perf/data/pf-matmul.perf.data.gz"))],
        expect![[r#"
        exit Some(130)
        t.pagewalk: 400 accesses
        Warning: The recording was stopped before the program ended: the trace has the accesses until then
        "perf.data" 400 "first-touches"
        ["perf", "signals.sh", "t.pagewalk"]
    "#]],
    );
}

#[test]
fn perf_that_records_nothing_is_an_error() {
    check(
        &folder("perf-none", "perf", PERF),
        "--with perf -- true",
        &[],
        expect![[r#"
        exit Some(1)
        pagewalk: nothing was recorded: perf could not record the program, and says why above
        ["perf"]
    "#]],
    );
    check(
        &folder("perf-no-program", "perf", PERF),
        "--with perf -- ./none",
        &[],
        expect![[r#"
        exit Some(1)
        pagewalk: ./none: there is no such program
        ["perf"]
    "#]],
    );
}

#[test]
fn the_largest_thread_of_drmemtrace_is_kept() {
    let recording = recorded("dynamorio/drmemtrace.small.x64.trace");
    let one = [("RECORDING", recording.as_str())];
    check(
        &folder("drrun", "drrun", DRRUN),
        "--with drmemtrace -- true",
        &one,
        expect![[r#"
        exit Some(0)
        t.pagewalk: 229 accesses
        "drmemtrace" 229 "complete"
        ["drrun", "t.pagewalk"]
    "#]],
    );
    let two = [one[0], ("SECOND", "1")];
    check(
        &folder("drrun-two", "drrun", DRRUN),
        "--with drmemtrace -- true",
        &two,
        expect![[r#"
        exit Some(0)
        t.pagewalk: 229 accesses
        Warning: DynamoRIO writes a file for each of 2 threads: this trace is the thread with the largest
        "drmemtrace" 229 "complete"
        ["drrun", "t.pagewalk"]
    "#]],
    );
}

#[test]
fn the_process_of_the_program_is_kept() {
    let recording = recorded("dynamorio/drmemtrace.small.x64.trace");
    let others = "sh.00003.0001 true.100000.0001 true.99999.0002";
    check(
        &folder("drrun-processes", "drrun", DRRUN),
        "--with drmemtrace -- true",
        &[("RECORDING", recording.as_str()), ("OTHERS", others)],
        expect![[r#"
        exit Some(0)
        t.pagewalk: 229 accesses
        Warning: DynamoRIO recorded 4 processes: this trace is the process 99999 of true
        "drmemtrace" 229 "complete"
        ["drrun", "t.pagewalk"]
    "#]],
    );
}

#[test]
fn drmemtrace_that_is_missing_or_records_nothing_is_an_error() {
    check(
        &folder("drrun-none", "drrun", DRRUN),
        "--with drmemtrace -- true",
        &[],
        expect![[r#"
        exit Some(1)
        pagewalk: nothing was recorded: DynamoRIO could not run the program, and says why above
        ["drrun"]
    "#]],
    );
    check(
        &folder("no-drrun", "nothing", DRRUN),
        "--with drmemtrace -- true",
        &[],
        expect![[r#"
        exit Some(1)
        pagewalk: DynamoRIO is not installed: unpack a release of https://dynamorio.org and put its bin64 into PATH, so that drrun is found
        ["nothing"]
    "#]],
    );
}
