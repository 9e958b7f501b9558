//! An error is one line on stderr, with the file, the place and the remedy.

use std::process::Stdio;

use expect_test::{Expect, expect};

use crate::support::{check, check_with_file, check_with_input, pagewalk, recorded};

#[test]
fn an_operation_that_cannot_be_done_is_named_with_its_line() {
    check_with_file(
        "run --machine tiny.json --pages 2M --trace",
        b"kind,address,size\nload,0x0,8\nmunmap,0x1000,4096\nload,0x0\n",
        &expect![[r"
            exit code 1: pagewalk: FILE: line 3: `munmap 0x1000 4096`: 0x1000 to 0x1fff covers the page of 2M at 0x0 in part: unmap whole pages
        "]],
    );
    check_with_file(
        "run --machine tiny.json --trace",
        b"kind,address,size\nload,0x0,8\nset-entry,0x40000000,,level=1 set=0x20\n",
        &expect![[r"
            exit code 1: pagewalk: FILE: line 3: `set-entry 0x40000000 level=1 set=0x20`: there is no entry of level 1 at 0x40000000 yet: access the page first, or choose another level
        "]],
    );
}

#[test]
fn a_trace_that_needs_more_memory_than_the_machine_has_is_named() {
    let loads: Vec<String> = (0..40).map(|page| format!("load,{:#x},1\n", page << 12)).collect();
    check_with_file(
        "run --machine sixteen-frames.json --trace",
        format!("kind,address,size\n{}", loads.concat()).as_bytes(),
        &expect![[r"
            exit code 1: pagewalk: FILE: physical memory is full: all 16 frames of 4096 bytes hold page tables and pages. Give the machine more physical_bits, or access fewer pages
        "]],
    );
}

#[test]
fn usage_errors_are_one_line() {
    check(
        "frobnicate",
        expect![[r"
            exit code 1: pagewalk: unrecognized subcommand 'frobnicate' (see `pagewalk help`)
        "]],
    );
    check(
        "run",
        expect![[r"
            exit code 1: pagewalk: the following required arguments were not provided: <--cpu <ID>|--machine <FILE>> <--trace <FILE>|--workload <ID>>; `-c native` is the model of this machine (see `pagewalk run --help`)
        "]],
    );
    check(
        "run --cpu amd-zen2 --machine tiny.json --trace walk.lackey",
        expect![[r"
            exit code 1: pagewalk: the argument '--cpu <ID>' cannot be used with '--machine <FILE>' (see `pagewalk run --help`)
        "]],
    );
    check(
        "huge -c amd-zen2 walk.lackey",
        expect![[r"
            exit code 1: pagewalk: unexpected argument 'walk.lackey' found; a trace is given as `-t walk.lackey` (see `pagewalk huge --help`)
        "]],
    );
    check(
        "run --cpu amd-zen2 --trace walk.lackey --lmit 3",
        expect![[r"
            exit code 1: pagewalk: unexpected argument '--lmit' found; tip: a similar argument exists: '--limit' (see `pagewalk run --help`)
        "]],
    );
    check(
        "run --cpu amd-zen2 --trace walk.lackey --limit -1",
        expect![[r"
            exit code 1: pagewalk: invalid value '-1' for '--limit <N>': give a number of accesses, such as 1000000, 20k, 1M or 1e6 (see `pagewalk run --help`)
        "]],
    );
    check(
        "run --cpu amd-zen2 --trace walk.lackey --pages 3K",
        expect![[r"
            exit code 1: pagewalk: invalid value '3K' for '--pages <PAGES>': give a page size such as 4K, 2M or 1G, or one of the policies thp, thp-always, thp-madvise, thp-never, hugetlb-SIZE, hugetext, hugetext-1, hugetext-2, hugetext-3, or recorded (see `pagewalk run --help`)
        "]],
    );
    check(
        "run --cpu amd-zen2 --trace walk.lackey --pages 4K --os heap-2m.json",
        expect![[r"
            exit code 1: pagewalk: the argument '--pages <PAGES>' cannot be used with '--os <FILE>' (see `pagewalk run --help`)
        "]],
    );
    check(
        "explain --cpu amd-zen2 --va 0x10000000000000000",
        expect![[r"
            exit code 1: pagewalk: invalid value '0x10000000000000000' for '--va <ADDRESS>': give a hexadecimal address of at most 64 bits, such as 0x7f3a1c2b5e48 (see `pagewalk explain --help`)
        "]],
    );
}

#[test]
fn an_unknown_cpu_is_answered_with_those_there_are() {
    let output = pagewalk(["cpus", "intel-8086"]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(error.starts_with("pagewalk: there is no CPU `intel-8086`: choose one of "), "{error}");
    assert!(error.contains("intel-core2") && error.contains("amd-zen2"), "{error}");
}

#[test]
fn a_host_needs_a_guest_and_pages_that_the_machine_has() {
    check(
        "run --machine tiny.json --trace walk.lackey --host-pages 2M",
        expect![[r"
            exit code 1: pagewalk: --host-pages: there is no host: give --virt ept or --virt shadow as well
        "]],
    );
    check(
        "run --machine tiny.json --trace walk.lackey --virt ept --host-pages 16K",
        expect![[r"
        exit code 1: pagewalk: --host-pages 16K: 16K is no page size of this machine, which has 4K, 2M, 1G
    "]],
    );
    check(
        "explain --cpu intel-haswell --va 0x1000 --virt nested",
        expect![[r"
            exit code 1: pagewalk: invalid value 'nested' for '--virt <MODE>' [possible values: native, ept, shadow] (see `pagewalk explain --help`)
        "]],
    );
}

#[test]
fn a_bad_machine_is_named_with_its_field() {
    let cases: [(&[u8], Expect); 6] = [
        (
            br#"{"l1": [{"entries": 64, "ways": 0}]}"#,
            expect![[r"
            exit code 1: pagewalk: FILE: l1[0].ways: 0 ways: must be at least 1; leave it out for a fully associative array
        "]],
        ),
        (
            br#"{"l1": [{"entries": 12, "ways": 4}]}"#,
            expect![[r"
            exit code 1: pagewalk: FILE: l1[0].ways: 12 entries in 4 ways are 3 sets: the sets must be a power of two
        "]],
        ),
        (
            br#"{"l1": [{"entries": 48, "ways": 12, "replacement": "tree-plru"}]}"#,
            expect![[r"
            exit code 1: pagewalk: FILE: l1[0].replacement: tree-plru needs a power of two of ways, not 12: choose 16 or lru
        "]],
        ),
        (
            br#"{"l1": [{"entries": 64, "colour": "red"}]}"#,
            expect![[r"
                exit code 1: pagewalk: FILE: l1[0].colour: unknown field `colour`, expected one of `name`, `serves`, `pages`, `fragments`, `entries`, `ways`, `ways_of`, `caps`, `index`, `replacement`
            "]],
        ),
        (
            b"{\"l1\": [",
            expect![[r"
                exit code 1: pagewalk: FILE: line 1: EOF while parsing a list
            "]],
        ),
        (
            b"\x00\xff\xfe\x01",
            expect![[r"
                exit code 1: pagewalk: FILE: the file is not UTF-8 text: give a JSON file
            "]],
        ),
    ];
    for (text, expected) in cases {
        check_with_file("run --trace - --machine", text, &expected);
    }
}

#[test]
fn a_bad_mapping_is_the_fault_of_its_option_or_file() {
    check(
        "run --machine tiny.json --trace walk.lackey --pages 16K",
        expect![[r"
        exit code 1: pagewalk: --pages 16K: 16K is no page size of this machine, which has 4K, 2M, 1G
    "]],
    );
    check(
        "explain --machine tiny.json --va 0x1000 --pages 64K",
        expect![[r"
        exit code 1: pagewalk: --pages 64K: 64K is no page size of this machine, which has 4K, 2M, 1G
    "]],
    );
    check_with_file(
        "run --machine tiny.json --trace - --os",
        br#"{"regions": [{"start": "0x2000", "end": "0x1000", "pages": "4K"}]}"#,
        &expect![[r"
        exit code 1: pagewalk: FILE: regions[0].end: 0x1000 is not above the start, 0x2000
    "]],
    );
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    check(
        "run --machine tiny.json --trace absent.txt",
        expect![[r"
        exit code 1: pagewalk: absent.txt: there is no such file
    "]],
    );
    check(
        "run --machine tiny.json --trace .",
        expect![[r"
            exit code 1: pagewalk: .: this is a directory: give a file
        "]],
    );
    check(
        "run --machine . --trace walk.lackey",
        expect![[r"
            exit code 1: pagewalk: .: this is a directory: give a file
        "]],
    );
    check(
        "import empty.txt",
        expect![[r"
        exit code 1: pagewalk: empty.txt: the file is empty: choose a file with a trace
    "]],
    );
    check(
        "import walk.lackey --format perf",
        expect![[r"
            exit code 1: pagewalk: --format: there is no format `perf`: give one of lackey, drmemtrace, memtrace, drmemtrace-view, champsim, champsim-cloudsuite, perf-data, perf-mem, perf-script, perf-script-addr, perf-script-ip, perf-script-phys, pinatrace, execlog, din, csv, csv-hex, csv-decimal, pagewalk, loop, code
        "]],
    );
    check_with_input(
        "import -",
        "",
        &expect![[r"
        exit code 1: pagewalk: standard input: the file is empty: choose a file with a trace
    "]],
    );
}

#[test]
fn the_beginning_of_a_packed_file_that_was_cut_off_is_read() {
    let packed = std::fs::read(recorded("sort20k.mid.txt.xz")).unwrap();
    check_with_file(
        "import",
        &packed[..5000],
        &expect![[r"
            FILE: lackey trace, partial

            Records                     32,542
            Accesses                    32,593
            4K pages with fetches           10
            4K pages with data              13
            Skipped: valgrind messages       8

            Not recorded: which thread an access belongs to

            Warning: The compressed data were cut off at byte 5000, so the trace is partial: it ends after 32,593 accesses. Copy the file again for the rest
        "]],
    );
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let trace = recorded("matmul24.full.txt.gz");
    for args in [&["cpus", "--json"][..], &["convert", &trace, "--to", "csv", "--out", "-"]] {
        let mut command = pagewalk(args.iter().copied());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = pagewalk(["cpus"]).stdout(full).stderr(Stdio::piped()).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(error.starts_with("pagewalk: cannot write the output: "), "{error}");
    // The error names the output, not the trace.
    let trace = recorded("matmul24.full.txt.gz");
    let convert = ["convert", &trace, "--to", "csv", "--out", "/dev/full"];
    let output = pagewalk(convert).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(error.starts_with("pagewalk: /dev/full: cannot write it: "), "{error}");
}
