//! `pagewalk record`, with a script in the place of valgrind: it writes lines as lackey does, then runs the program.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use std::{env, fs, thread};

use expect_test::{Expect, expect};

use crate::support::{json, pagewalk};

/// Writes `$LINES` to the file descriptor of `--log-fd`, `STACK` being the address of its own stack. Then it runs the program, and writes `$END`.
const VALGRIND: &str = r#"#!/bin/sh
for word; do
  shift
  case $word in
    --log-fd=*) log=/proc/self/fd/${word#--log-fd=} ;;
    --) break ;;
  esac
done
[ "$log" ] || exit 9
export log
stack=$(grep -F '[stack]' /proc/$$/maps)
printf "$LINES" | sed "s/STACK/${stack%%-*}/" > $log
[ "$END" ] || exec "$@"
"$@"
code=$?
printf "$END" > $log
exit $code
"#;
const BANNER: &str = "==7== Lackey, an example Valgrind tool\\n";
const EXIT: &str = "==7== \\n";

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("record-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let script = folder.join("valgrind");
    fs::write(&script, VALGRIND).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// A recording in the folder, of lines that lackey writes and of an end.
fn recording(folder: &Path, args: &[&str], lines: &str, end: &str) -> Command {
    let path = format!("{}:{}", folder.display(), env::var("PATH").unwrap());
    let mut command = pagewalk(["record"].into_iter().chain(args.iter().copied()));
    command.current_dir(folder).env("PATH", path);
    command.env("LINES", format!("{BANNER}{lines}")).env("END", end);
    command
}

/// The exit code, both outputs without times and sizes, and what the trace holds.
fn show(folder: &Path, output: &Output, file: &str) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    // Only some users see the frames of pages.
    let stderr = stderr.lines().filter(|line| !line.contains("the kernel hides them"));
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
    let file = folder.join(file);
    if file.is_file() {
        let report = json(&format!("import {} --json", file.display()));
        text += &format!("accesses {}, part {}\n", report["accesses"], report["part"]);
    }
    text
}

#[track_caller]
fn check(name: &str, args: &[&str], (lines, end): (&str, &str), expected: &Expect) {
    let folder = folder(name);
    let output = recording(&folder, args, lines, end).output().unwrap();
    let file = args.iter().skip_while(|word| **word != "-o").nth(1).unwrap_or(&"sh.pagewalk");
    expected.assert_eq(&show(&folder, &output, file));
}

const THREE: &str = "I  04001000,3\\n L 1ffefffde8,8\\n M 04a19578,4\\n";

#[test]
fn the_program_keeps_its_output_and_its_exit_code() {
    check(
        "whole",
        &["-o", "my.pagewalk.gz", "--", "sh", "-c", "echo out; echo err >&2; exit 3"],
        (THREE, EXIT),
        &expect![[r"
            exit Some(3)
            out
            err
            my.pagewalk.gz: 4 accesses
            accesses 4, part null
        "]],
    );
}

#[test]
fn a_signal_that_ends_the_program_is_an_exit_code_of_128_and_its_number() {
    check(
        "signal",
        &["sh", "-c", "kill -SEGV $$"],
        (&format!("{THREE}{EXIT}"), ""),
        &expect![[r"
            exit Some(139)
            sh.pagewalk: 4 accesses
            accesses 4, part null
        "]],
    );
}

#[test]
fn a_limit_ends_the_program_and_the_trace_is_a_part() {
    check(
        "limit",
        &["-n", "2", "-o", "my.pagewalk", "sleep", "600"],
        // The importer waits for this many lines before it delivers the first access.
        (&THREE.repeat(2000), ""),
        &expect![[r"
            exit Some(0)
            my.pagewalk: 2 accesses
            Warning: The recording ended the program after 2 accesses, as --limit asks. A larger --limit keeps more, --skip N keeps later ones
            accesses 2, part true
        "]],
    );
}

#[test]
fn first_accesses_are_left_out_and_windows_are_kept() {
    check(
        "skip",
        &["--skip", "3", "--", "sh", "-c", "exit 0"],
        (THREE, EXIT),
        &expect![[r"
            exit Some(0)
            sh.pagewalk: 1 access
            Warning: --skip left out the first 3 accesses of the program
            accesses 1, part true
        "]],
    );
    check(
        "windows",
        &["--skip", "1", "--window", "1/2", "--", "sh", "-c", "exit 0"],
        (&THREE.repeat(2), EXIT),
        &expect![[r"
            exit Some(0)
            sh.pagewalk: 4 accesses
            Warning: --skip left out the first 1 access of the program
            Warning: --window kept the first 1 of every 2 accesses
            accesses 4, part true
        "]],
    );
    check(
        "skip-all",
        &["--skip", "4", "--", "sh", "-c", "exit 0"],
        (THREE, EXIT),
        &expect![[r"
            exit Some(1)
            pagewalk: nothing was recorded: the selection (from access 4) leaves none of its 4 accesses: give --skip a smaller number
        "]],
    );
}

#[test]
fn a_script_is_recorded_as_the_program_that_runs_it() {
    let folder = folder("script");
    let script = folder.join("my-script");
    fs::write(&script, "#!/usr/bin/env sh\necho \"$0 $1\" | sed 's/.*my-/my-/'\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let output = recording(&folder, &["./my-script", "one"], THREE, EXIT).output().unwrap();
    expect![[r"
        exit Some(0)
        my-script one
        my-script.pagewalk: 4 accesses
        Warning: ./my-script is a script: the trace is that of sh, which runs it, with the functions and lines of sh
        accesses 4, part null
    "]]
    .assert_eq(&show(&folder, &output, "my-script.pagewalk"));
}

#[test]
fn a_program_that_replaces_itself_is_recorded_until_then() {
    check(
        "replaced",
        &["sh", "-c", "exit 4"],
        (THREE, ""),
        &expect![[r"
            exit Some(4)
            sh.pagewalk: 4 accesses
            Warning: The program replaced itself by another one, which is not recorded: record that program instead
            accesses 4, part true
        "]],
    );
}

#[test]
fn nothing_recorded_is_an_error() {
    check(
        "nothing",
        &["sh", "-c", "exit 126"],
        ("", ""),
        &expect![[r"
            exit Some(1)
            pagewalk: nothing was recorded: valgrind could not run the program (exit status: 126), and says why above
        "]],
    );
    check(
        "missing",
        &["./nothing"],
        ("", ""),
        &expect![[r"
            exit Some(1)
            pagewalk: ./nothing: there is no such program
        "]],
    );
    check(
        "a-folder",
        &["/etc"],
        ("", ""),
        &expect![[r"
            exit Some(1)
            pagewalk: /etc is a folder: give a program
        "]],
    );
    check(
        "no-program",
        &["/etc/passwd"],
        ("", ""),
        &expect![[r"
            exit Some(1)
            pagewalk: /etc/passwd cannot be run: if it is a program, run `chmod +x /etc/passwd`
        "]],
    );
    check(
        "into-a-folder",
        &["-o", ".", "sh"],
        ("", ""),
        &expect![[r"
            exit Some(1)
            pagewalk: . is a folder: name a file, such as ./my-program.pagewalk
        "]],
    );
    check(
        "stdout",
        &["-o", "-", "sh"],
        ("", ""),
        &expect![[r"
            exit Some(1)
            pagewalk: --out -: standard output belongs to the program: give a file
        "]],
    );
    check(
        "no-folder",
        &["-o", "no/folder", "sh"],
        ("", ""),
        &expect![[r"
            exit Some(1)
            pagewalk: no/folder: cannot write it: there is no such folder
        "]],
    );
}

#[test]
fn without_valgrind_the_error_names_the_command_that_installs_it() {
    let output = pagewalk(["record", "sh"]).env("PATH", "").output().unwrap();
    expect![[r"
        pagewalk: valgrind is not installed: install it with `sudo apt-get install valgrind`
    "]]
    .assert_eq(&String::from_utf8_lossy(&output.stderr));
}

/// Sends signals to a recording when its program has said that it is ready, each some milliseconds after the one before.
/// Outside a terminal, the program does not get them by itself.
#[track_caller]
fn check_signals(
    name: &str,
    (lines, program): (&str, &str),
    signals: &[(&str, u64)],
    expected: &Expect,
) {
    let folder = folder(name);
    let program = format!("{program}\necho ready; wait_for_signals");
    let mut command = recording(&folder, &["sh", "-c", &program], lines, "");
    let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    let mut ready = [0; 6];
    child.stdout.as_mut().unwrap().read_exact(&mut ready).unwrap();
    assert_eq!(&ready, b"ready\n");
    for (signal, wait) in signals {
        thread::sleep(Duration::from_millis(*wait));
        let sent = Command::new("kill").args([signal, &*child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }
    let output = child.wait_with_output().unwrap();
    expected.assert_eq(&show(&folder, &output, "sh.pagewalk"));
}

/// Until the trace is imported and the program waits.
const BEGUN: u64 = 500;
const SLEEPS: &str = "wait_for_signals() { exec sleep 600; }";

#[test]
fn a_signal_ends_the_recording_and_the_trace_is_kept() {
    check_signals(
        "interrupt",
        (THREE, SLEEPS),
        &[("-INT", BEGUN)],
        &expect![[r"
            exit Some(130)
            sh.pagewalk: 4 accesses
            Warning: The recording was stopped before the program ended: the trace has the accesses until then
            accesses 4, part true
        "]],
    );
    check_signals(
        "twice",
        (THREE, "trap '' TERM; wait_for_signals() { while true; do sleep 0.1; done; }"),
        // The third one is for a computer that is so busy that the first two come at once.
        &[("-TERM", BEGUN), ("-TERM", 1000), ("-TERM", 1000)],
        &expect![[r"
            exit Some(137)
            sh.pagewalk: 4 accesses
            Warning: The recording was stopped before the program ended: the trace has the accesses until then
            accesses 4, part true
        "]],
    );
}

#[test]
fn a_signal_before_the_first_access_leaves_nothing_to_keep() {
    check_signals(
        "early",
        ("", SLEEPS),
        &[("-INT", BEGUN)],
        &expect![[r"
            exit Some(1)
            pagewalk: nothing was recorded: the recording was stopped before the program accessed memory
        "]],
    );
}

/// Ends by itself a second after its interrupt. Lackey then writes its last message.
const HANDLES: &str = r#"
trap 'n=x$n' INT
wait_for_signals() {
  while [ -z "$n" ]; do sleep 0.1; done
  sleep 1
  echo "interrupt $n"
  echo "==7== " > $log
  exit 3
}"#;

#[test]
fn the_recording_of_a_program_that_handles_ctrl_c_is_whole() {
    let whole = expect![[r"
        exit Some(3)
        interrupt x
        sh.pagewalk: 4 accesses
        accesses 4, part null
    "]];
    check_signals("handles", (THREE, HANDLES), &[("-INT", BEGUN)], &whole);
    // `timeout` sends two signals at once.
    check_signals("timeout", (THREE, HANDLES), &[("-INT", BEGUN), ("-INT", 100)], &whole);
}

/// Counts its interrupts, and takes two seconds from the first one to its end.
const SLOW: &str = r#"
trap 'n=x$n; echo "interrupt $n."' INT
echo ready
[ "$1" = kill ] && kill -INT $PPID
i=0
while [ $i -lt 20 ]; do sleep 0.1; [ "$n" ] && i=$((i + 1)); done
echo ended
"#;

/// Records `slow.sh` in a terminal, in which keys are pressed. Returns what the terminal shows.
fn in_terminal(name: &str, args: &[&str], pressed: &str) -> String {
    let folder = folder(name);
    fs::write(folder.join("slow.sh"), SLOW).unwrap();
    let recording = recording(&folder, args, THREE, "");
    // A shell that stays would end with its own code after Ctrl-C.
    let mut words = vec!["exec", recording.get_program().to_str().unwrap()];
    words.extend(recording.get_args().map(|word| word.to_str().unwrap()));
    let mut terminal = Command::new("script");
    terminal.args(["-q", "-e", "-c", &words.join(" "), "typescript"]).current_dir(&folder);
    terminal.envs(recording.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let piped = terminal.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    let mut shown = String::new();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    while !shown.contains("ready") {
        assert_ne!(output.read_line(&mut shown).unwrap(), 0, "{shown}");
    }
    let mut keys = child.stdin.take().unwrap();
    keys.write_all(pressed.as_bytes()).unwrap();
    output.read_to_string(&mut shown).unwrap();
    let status = child.wait().unwrap();
    format!("{shown}exit {:?}", status.code())
}

#[test]
fn a_program_that_ends_slowly_gets_the_ctrl_c_of_its_terminal_once() {
    for (name, args) in [
        ("terminal", &["sh", "slow.sh"][..]),
        // The terminal does not reach a program in a session of its own, so the signal is passed on.
        ("session", &["setsid", "sh", "slow.sh"]),
    ] {
        let shown = in_terminal(name, args, "\x03");
        assert_eq!(shown.matches("interrupt").count(), 1, "{name}: {shown}");
        assert!(shown.contains("interrupt x.") && shown.contains("ended"), "{name}: {shown}");
        assert!(shown.ends_with("exit Some(0)"), "{name}: {shown}");
    }
}

#[test]
fn a_program_in_a_terminal_gets_a_signal_that_was_sent_to_the_recorder_alone() {
    let shown = in_terminal("alone", &["sh", "slow.sh", "kill"], "");
    assert_eq!(shown.matches("interrupt").count(), 1, "{shown}");
    assert!(shown.ends_with("exit Some(0)"), "{shown}");
}

#[test]
fn a_recording_is_opened_and_ctrl_c_then_gives_the_exit_code_of_the_program() {
    let folder = folder("open");
    // Stands for the browser.
    fs::copy("/bin/true", folder.join("xdg-open")).unwrap();
    fs::write(folder.join("index.html"), "").unwrap();
    let mut command = recording(&folder, &["--open", "sh", "-c", "exit 3"], THREE, EXIT);
    command.env("PAGEWALK_SITE", &folder).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let said: Vec<String> = lines.take(3).collect();
    assert!(said[0].starts_with("sh.pagewalk: 4 accesses"), "{said:?}");
    assert!(said[1].starts_with("sh.pagewalk is open at http://127.0.0.1:"), "{said:?}");
    assert_eq!(said[2], "Ctrl-C ends it.");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[test]
fn the_memory_that_the_program_uses_has_the_names_of_its_map() {
    let folder = folder("maps");
    let lines = "I  00400000,3\\n L STACK,8\\n";
    let output = recording(&folder, &["sh", "-c", "sleep 0.3"], lines, EXIT).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let run = format!("run -c intel-skylake -t {} --json", folder.join("sh.pagewalk").display());
    let regions = json(&run)["regions"].clone();
    let names: Vec<_> = regions.as_array().unwrap().iter().map(|of| of["name"].clone()).collect();
    assert_eq!(names, ["[stack]"]);
}
