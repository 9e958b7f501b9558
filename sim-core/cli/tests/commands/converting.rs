//! `pagewalk convert`: a written trace is read again without a difference.

use crate::support::{json, pagewalk, recorded};

fn run(args: &[&str]) -> Vec<u8> {
    let output = pagewalk(args.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

#[test]
fn export_then_import_gives_the_same_trace() {
    let folder = std::env::temp_dir().join(format!("pagewalk-convert-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for trace in [
        "dynamorio/drmemtrace.threadsig.10506.7343.trace.gz",
        "champsim/sort20k.champsimtrace.xz",
        "presets/chase.pinatrace.xz",
    ] {
        let [csv, again] = ["a.csv", "b.csv"].map(file);
        run(&["convert", &recorded(trace), "--to", "csv", "--out", &csv]);
        run(&["convert", &csv, "--to", "csv", "--out", &again]);
        assert!(std::fs::read(&csv).unwrap() == std::fs::read(&again).unwrap(), "{trace}");
        // Pagewalk's own format keeps everything that a list keeps, and the report of the first import.
        let [saved, saved_again] = ["a.pagewalk", "b.pagewalk"].map(file);
        run(&["convert", &recorded(trace), "--to", "pagewalk", "--out", &saved]);
        run(&["convert", &saved, "--to", "pagewalk", "--out", &saved_again]);
        run(&["convert", &saved, "--to", "csv", "--out", &again]);
        assert!(std::fs::read(&csv).unwrap() == std::fs::read(&again).unwrap(), "{trace}");
        assert!(std::fs::read(&saved).unwrap() == std::fs::read(&saved_again).unwrap(), "{trace}");
        let report = |path: &str| json(&format!("import {path} --json"));
        assert_eq!(report(&recorded(trace)), report(&saved), "{trace}");
        // The trace and its list give the same text in these formats.
        for format in ["lackey", "dinero"] {
            let [from_trace, from_csv, third] = ["1", "2", "3"].map(file);
            run(&["convert", &recorded(trace), "--to", format, "--out", &from_trace]);
            run(&["convert", &csv, "--to", format, "--out", &from_csv]);
            run(&["convert", &from_trace, "--to", format, "--out", &third]);
            let read = |path: &str| std::fs::read(path).unwrap();
            assert!(read(&from_trace) == read(&from_csv), "{trace} {format}");
            assert!(read(&from_trace) == read(&third), "{trace} {format}");
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_trace_is_not_written_over_itself_under_another_name() {
    let folder = std::env::temp_dir().join(format!("pagewalk-itself-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("sub")).unwrap();
    let trace = folder.join("trace.csv");
    std::fs::write(&trace, "load,0x1000,8\n").unwrap();
    let other_name = folder.join("sub").join("..").join("trace.csv");
    let [file, out] = [&trace, &other_name].map(|path| path.to_str().unwrap());
    let output = pagewalk(["convert", file, "--to", "csv", "--out", out]).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.ends_with("this is the trace to convert: give another --out\n"), "{message}");
    assert_eq!(std::fs::read(&trace).unwrap(), b"load,0x1000,8\n");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_trace_that_cannot_be_read_leaves_no_file() {
    let folder = std::env::temp_dir().join(format!("pagewalk-whole-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (damaged, out) = (folder.join("damaged.gz"), folder.join("out.csv"));
    let mut bytes = std::fs::read(recorded("matmul24.full.txt.gz")).unwrap();
    // The checksum at the end is wrong, so all accesses were read before the error.
    let at = bytes.len() - 8;
    bytes[at] ^= 1;
    std::fs::write(&damaged, bytes).unwrap();
    let convert = || {
        let args =
            ["convert", damaged.to_str().unwrap(), "--to", "csv", "--out", out.to_str().unwrap()];
        let output = pagewalk(args).output().unwrap();
        assert!(!output.status.success());
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains("checksum"), "{message}");
    };
    let files = || std::fs::read_dir(&folder).unwrap().count();
    convert();
    assert_eq!(files(), 1, "nothing but the trace");
    // The existing file is not changed.
    std::fs::write(&out, "mine").unwrap();
    convert();
    assert_eq!((files(), std::fs::read(&out).unwrap()), (2, b"mine".to_vec()));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn the_beginning_of_a_file_that_was_cut_off_is_written_as_partial() {
    let folder = std::env::temp_dir().join(format!("pagewalk-cut-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let cut = folder.join("cut.gz");
    let whole = std::fs::read(recorded("matmul24.full.txt.gz")).unwrap();
    std::fs::write(&cut, &whole[..whole.len() / 2]).unwrap();
    let args = ["convert", cut.to_str().unwrap(), "--to", "csv", "--out", "-"];
    let output = pagewalk(args).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("The compressed data were cut off at byte"), "{message}");
    assert!(output.stdout.ends_with(b"\n# part: true\n"));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn champsim_records_hold_the_accesses_of_champsim() {
    let folder = std::env::temp_dir().join(format!("pagewalk-records-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let records = folder.join("a.champsim.xz").to_str().unwrap().to_owned();
    let trace = recorded("champsim/sort20k.champsimtrace.xz");
    let output = run(&["convert", &trace, "--to", "champsim", "--out", &records]);
    assert_eq!(String::from_utf8_lossy(&output).lines().count(), 1, "nothing is left out");
    let list = |file: &str| run(&["convert", file, "--to", "csv", "--out", "-"]);
    assert!(list(&records) == list(&trace));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_file() {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::Command;

    let folder = std::env::temp_dir().join(format!("pagewalk-ctrl-c-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let files = || std::fs::read_dir(&folder).unwrap().count();
    for name in ["out.csv", "out.csv.xz"] {
        let args = ["gen", "strided", "--param", "accesses=100000000", "--out"];
        let mut child = pagewalk(args).arg(folder.join(name)).spawn().unwrap();
        while files() == 0 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        assert_eq!((child.wait().unwrap().signal(), files()), (Some(2), 0), "{name}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn samples_without_addresses_are_not_written_as_nothing() {
    let folder = std::env::temp_dir().join(format!("pagewalk-nothing-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let out = folder.join("a.csv");
    let file = recorded("perf/data/cpuclock-sort.perf.data.gz");
    let convert = |to: &str| {
        let args = ["convert", &file, "--to", to, "--out", out.to_str().unwrap()];
        pagewalk(args).output().unwrap()
    };
    let rejected = convert("csv");
    let message = String::from_utf8_lossy(&rejected.stderr);
    assert!(message.contains("has a data address, so there is no access to write"), "{message}");
    assert!(!rejected.status.success() && !out.exists());
    assert!(convert("pagewalk").status.success());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_list_of_a_part_of_a_file_says_so_and_so_does_what_is_made_of_it() {
    let folder = std::env::temp_dir().join(format!("pagewalk-part-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let [whole, part, again, lackey] = ["whole.csv", "part.csv", "again.csv", "a.lackey"].map(file);
    std::fs::write(&whole, "address,pid\n0x1000,1\n0x2000,2\n").unwrap();
    run(&["convert", &whole, "--pid", "1", "--to", "csv", "--out", &part]);
    run(&["convert", &part, "--to", "csv", "--out", &again]);
    let text = std::fs::read_to_string(&part).unwrap();
    assert!(text.starts_with("kind,") && text.ends_with(",,\n# part: true\n"), "{text}");
    assert_eq!(text, std::fs::read_to_string(&again).unwrap());
    let output = run(&["convert", &part, "--to", "lackey", "--out", &lackey]);
    let output = String::from_utf8(output).unwrap();
    assert!(output.contains("that the file had more accesses\n"), "{output}");
    // If standard output has the trace, the summary is on stderr.
    let on_stdout = pagewalk(["convert", &part, "--to", "lackey", "--out", "-"]).output().unwrap();
    assert!(on_stdout.stdout == std::fs::read(&lackey).unwrap());
    let notes = output.split_once('\n').unwrap().1;
    assert_eq!(String::from_utf8_lossy(&on_stdout.stderr), notes);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_is_written_is_packed_as_its_name_says_or_goes_to_standard_output() {
    let folder = std::env::temp_dir().join(format!("pagewalk-packed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let trace = recorded("champsim/sort20k.champsimtrace.xz");
    let plain = file("plain");
    for format in ["csv", "lackey", "pagewalk"] {
        run(&["convert", &trace, "--to", format, "--out", &plain]);
        let text = std::fs::read(&plain).unwrap();
        let stdout = run(&["convert", &trace, "--to", format, "--out", "-"]);
        assert!(stdout == text, "{format}");
        for (packed, magic) in
            [("a.gz", &[0x1f, 0x8b, 8][..]), ("a.xz", &[0xfd, b'7', b'z', b'X', b'Z'])]
        {
            let (packed, again) = (file(packed), file("again"));
            run(&["convert", &trace, "--to", format, "--out", &packed]);
            assert!(std::fs::read(&packed).unwrap().starts_with(magic), "{packed}");
            run(&["convert", &packed, "--to", format, "--out", &again]);
            assert!(std::fs::read(&again).unwrap() == text, "{packed}");
        }
    }
    let names = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(names, 4, "plain, again and the two packed ones");
    std::fs::remove_dir_all(&folder).unwrap();
}
