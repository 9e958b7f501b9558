//! Copies of `/proc/PID/maps`, `smaps` and `pagemap` beside a trace: they name its memory, and say how large its pages are.

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::support::pagewalk;

/// Loads of four pages of 4 KiB in the 2 MiB from 0x7f0000000000, of one page in the next 2 MiB, and one of the program.
const TRACE: &str = "kind,address
load,0x7f0000000000
load,0x7f0000001000
load,0x7f0000002000
load,0x7f00001ff000
load,0x7f0000200000
load,0x401000
";

/// The map of its process. Of the heap, one of two ranges of 2 MiB is a huge page.
const SMAPS: &str = "\
00400000-00402000 r--p 00000000 fe:00 5866308                            /tmp/prog
KernelPageSize:        4 kB
AnonHugePages:         0 kB
7f0000000000-7f0000400000 rw-p 00000000 00:00 0                          [heap]
KernelPageSize:        4 kB
AnonHugePages:      2048 kB
THPeligible:           1
";

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("process-files");
    fs::create_dir_all(&folder).unwrap();
    let maps = SMAPS.lines().filter(|line| line.contains('-'));
    let maps = maps.map(|line| line.to_owned() + "\n").collect::<String>();
    let all = SMAPS.replace("2048 kB", "4096 kB");
    let files = [
        ("trace.csv", TRACE),
        ("smaps", SMAPS),
        ("smaps-all", &all),
        ("maps", &maps),
        ("garbled", "400000-402000 r--p 00000000 fe:00 5 /tmp/prog\nI 04001000,3\n"),
        (
            "frames",
            "pagewalk pagemap 1\n7f0000000000 2 100\n7f0000002000 1 200\n7f00001ff000 1 300\n",
        ),
        ("no-frames", "pagewalk pagemap 1\n7f0000000001 2 100\n"),
        ("low.csv", "kind,address\nload,0x400000\nload,0x401000\n"),
        ("other.csv", "address\n0x7f0000000000\n0x7e0000000000\n0xffff800000000000\n"),
        ("two.csv", "address,pid\n0x7f0000000000,7\n0x7f0000000000,8\n"),
    ];
    for (name, text) in files {
        // Tests run side by side and write the same files.
        let path = folder.join(name);
        if fs::read_to_string(&path).is_ok_and(|before| before == text) {
            continue;
        }
        let part = folder.join(format!("{name}.{:?}", std::thread::current().id()));
        fs::write(&part, text).unwrap();
        fs::rename(part, path).unwrap();
    }
    folder
}

/// What a command prints in the folder of the files.
fn printed(line: &str) -> String {
    let output = pagewalk(line.split_whitespace()).current_dir(folder()).output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the many places that call it")]
fn check(line: &str, expected: Expect) {
    let text = printed(line);
    let text = match serde_json::from_str::<Value>(&text) {
        Err(_) => text,
        Ok(result) => {
            let regions = result["about"]["mapping"]["regions"].as_array().into_iter().flatten();
            let regions =
                regions.map(|of| format!("{}-{} {}\n", of["start"], of["end"], of["pages"]));
            let warnings = result["warnings"].as_array().unwrap().iter();
            let warnings = warnings.map(|text| ["! ", text.as_str().unwrap(), "\n"].concat());
            let regions = regions.collect::<String>().replace('"', "");
            let walks = &result["walks"]["walks"];
            format!("{regions}walks {walks}\n{}", warnings.collect::<String>())
        }
    };
    expected.assert_eq(&text);
}

#[test]
fn huge_pages_of_smaps_are_walked_once() {
    check(
        "run -c intel-skylake --json -t trace.csv",
        expect![[r"
        walks 6
    "]],
    );
    check(
        "run -c intel-skylake --json -t trace.csv --smaps smaps",
        expect![[r"
        0x7f0000000000-0x7f0000200000 2M
        walks 3
        ! smaps does not say which parts of a mapping are huge: 1 huge pages are taken to be those that the trace uses most
    "]],
    );
    check(
        "run -c intel-skylake --json -t trace.csv --smaps smaps-all",
        expect![[r"
        0x7f0000000000-0x7f0000400000 2M
        walks 3
    "]],
    );
    check(
        "run -c intel-skylake --json -t trace.csv --smaps smaps --pages 4K",
        expect![[r"
        walks 6
    "]],
    );
    check(
        "run -c intel-skylake --json -t trace.csv --maps maps --pages recorded",
        expect![[r"
        pagewalk: --pages recorded: trace.csv has no page sizes: record it with `perf mem record --data-page-size`, or give a copy of /proc/PID/smaps with --smaps
    "]],
    );
    check(
        "curve -t trace.csv --smaps smaps-all",
        expect![[r"
        trace.csv, pages as recorded, LRU, fully associative
        Trace complete: the file reports no missing accesses
        6 accesses, 6 translations, 3 distinct pages

        Entries  Misses
        1             3  50.00 %
    "]],
    );
}

#[test]
fn regions_have_the_names_of_the_map() {
    check(
        "run -c intel-skylake -t trace.csv --maps maps --by region",
        expect![[r"
            trace.csv on Skylake, 4K pages
            Trace complete: the file reports no missing accesses

            Region                                       Accesses  L1 misses  Walks  Faults  Translation cycles
            [heap]     0x7f0000000000 to 0x7f0000400000         5          5      5       5               1,297   61.35 %
            /tmp/prog  0x400000 to 0x402000                     1          1      1       1                 817   38.65 %
            all                                                 6          6      6       6               2,114  100.00 %
        "]],
    );
}

#[test]
fn a_saved_trace_keeps_its_map_and_its_pages() {
    let digest = |line: &str| {
        let text = printed(line);
        let result: Value = serde_json::from_str(&text).expect(&text);
        let trace = &result["about"]["trace"]["digest"];
        (trace.clone(), result["about"]["mapping"]["regions"].clone())
    };
    printed("convert trace.csv --smaps smaps --to pagewalk --out saved.pagewalk");
    let run = "run -c intel-skylake --json -t";
    let beside = digest(&format!("{run} trace.csv --smaps smaps"));
    assert_eq!(digest(&format!("{run} saved.pagewalk")), beside);
    assert_ne!(digest(&format!("{run} trace.csv --maps maps")).0, beside.0);
    printed("convert trace.csv --pagemap frames --to pagewalk --out frames.pagewalk");
    let frames = digest(&format!("{run} trace.csv --pagemap frames"));
    assert_eq!(digest(&format!("{run} frames.pagewalk")), frames);
    assert_ne!(digest(&format!("{run} trace.csv")).0, frames.0);
}

/// Pages 0 to 2 of the program: two in memory, in frames 5 and 6, and one whose frame is hidden.
fn raw() -> Vec<u8> {
    let present = 1u64 << 63;
    let mut bytes = vec![0; 0x400 * 8];
    for entry in [present | 5, present | 1 << 61 | 6, present] {
        bytes.extend(entry.to_ne_bytes());
    }
    bytes
}

/// Zen 2 joins neighbouring pages. Without frames, the advice has both orders.
#[test]
fn advice_on_huge_pages_has_the_frames_of_pagemap() {
    let bases = |more: &str| {
        let text = printed(&format!("huge -c amd-zen2 -t trace.csv --json{more}"));
        let result: Value = serde_json::from_str(&text).expect(&text);
        let bases = result["verdict"]["bases"].as_array().expect(&text).clone();
        let frames = bases.iter().map(|base| base["frames"].clone()).collect::<Vec<_>>();
        (Value::from(frames).to_string(), result["about"]["mapping"]["frames"].clone())
    };
    let both = (r#"["sequential","shuffled"]"#.to_owned(), Value::from("sequential"));
    assert_eq!(bases(""), both);
    assert_eq!(bases(" --pagemap frames --pages 4K"), both);
    let recorded = (r#"["recorded"]"#.to_owned(), Value::from("recorded"));
    assert_eq!(bases(" --pagemap frames"), recorded);
}

#[test]
fn pages_get_the_frames_of_pagemap() {
    fs::write(folder().join("raw"), raw()).unwrap();
    let frames = |line: &str| {
        let text = printed(line);
        let result: Value = serde_json::from_str(&text).expect(&text);
        format!("{} {}\n", result["about"]["mapping"]["frames"], result["frames"])
    };
    let run = "run -c amd-zen2 --json -t";
    expect![[r#"
        "recorded" {"pages":6,"runs":[{"from":1,"pages":2,"runs":2},{"from":2,"pages":2,"runs":1}],"shared":0,"with_frame":4}
        "recorded" {"pages":6,"runs":[{"from":1,"pages":2,"runs":2},{"from":2,"pages":2,"runs":1}],"shared":0,"with_frame":4}
        "sequential" null
        "recorded" {"pages":2,"runs":[{"from":2,"pages":2,"runs":1}],"shared":0,"with_frame":2}
    "#]].assert_eq(
        &[
            frames(&format!("{run} trace.csv --pagemap frames")),
            frames(&format!("{run} trace.csv --pagemap frames --pages recorded")),
            frames(&format!("{run} trace.csv --pagemap frames --pages 4K")),
            frames(&format!("{run} low.csv --maps maps --pagemap raw")),
        ]
        .concat(),
    );
    expect![[r"
        low.csv on Zen 2, pages as recorded (all 4K)
        Trace complete: the file reports no missing accesses

        Kind   Accesses  Translations  L1 hits          L2 hits          Walks
        fetch         0             0        0       –        0       –      0         –
        load          2             2        0  0.00 %        0  0.00 %      2  100.00 %
        store         0             0        0       –        0       –      0         –
        all           2             2        0  0.00 %        0  0.00 %      2  100.00 %

        Structure               Lookups  Hits           Fills  Evictions
        L1 iTLB    TLB level 1        0     0        –      0          0
        L1 dTLB    TLB level 1        2     0   0.00 %      2          0
        L2 iTLB    TLB level 2        0     0        –      0          0
        L2 dTLB    TLB level 2        2     0   0.00 %      3          0
        pde        walk cache         2     1  50.00 %
        upper      walk cache         2     0   0.00 %

        Page walks                    2
        References                    5  2.500 per walk
          served by L1D               1         20.00 %
          served by L2                0          0.00 %
          served by L3                0          0.00 %
          served by DRAM              4         80.00 %
        Accessed and dirty flags set  5

        Page faults, minor                     2
          of a page that is already in memory  2
        Page faults, major                     0

        Pages mapped, 4K  2
        Table pages       4

        Pages of 4K used         2
          with a recorded frame  2  100.00 %

        Consecutive frames  Runs  Pages
        2 to 3                 1      2  100.00 %

        Region                                  Policy  Pages
        0x400000 to 0x402000              file  4K      2 × 4K  /tmp/prog
        0x7f0000000000 to 0x7f0000400000  heap  4K      –       [heap]
        The memory map is from the trace.

        Translation cycles                 Per access
          level-2 hits                  0       0.000    0.00 %
          level-2 misses               14       7.000    1.68 %
          walks                       820     410.000   98.32 %
          total, one after the other  834     417.000  100.00 %
          at least, with overlap      410     205.000   49.16 %
        Cycles are a model, not a measurement: level-2 hits, level-2 misses and walks, each at the machine's latencies. With overlap, 2 page walkers and 16 misses in flight are always busy.
    "]].assert_eq(&printed("run -c amd-zen2 -t low.csv --maps maps --pagemap raw"));
    for (line, expected) in [
        (
            "import low.csv --pagemap raw",
            expect![[r"
            pagewalk: --pagemap raw: a copy of /proc/PID/pagemap is read where memory is mapped: give --maps or --smaps, too
        "]],
        ),
        (
            "import low.csv --maps maps --pagemap trace.csv",
            expect![[r"
            pagewalk: --pagemap trace.csv: it has no page of the mapped memory: give the copy of /proc/PID/pagemap that belongs to the memory map
        "]],
        ),
        (
            "import low.csv --pagemap no-frames",
            expect![[r"
            pagewalk: --pagemap no-frames: line 2: this is no run of pages: write an address, the number of pages of 4 KiB, and the number of the first frame, in hexadecimal
        "]],
        ),
        (
            "import low.csv --pagemap none",
            expect![[r"
            pagewalk: none: there is no such file
        "]],
        ),
        (
            "run -c amd-zen2 -w uniform --pagemap frames",
            expect![[r"
            pagewalk: --pagemap: a workload is generated, not read from a file: leave this option out
        "]],
        ),
    ] {
        check(line, expected);
    }
}

/// A huge page is where its frames can be one, not where the trace has most accesses.
#[test]
fn frames_say_which_memory_is_huge() {
    let text = "pagewalk pagemap 1\n7f0000000000 200 100\n7f0000200000 200 400\n";
    fs::write(folder().join("frames-huge"), text).unwrap();
    fs::write(folder().join("frames-none"), text.replace(" 400", " 401")).unwrap();
    check(
        "run -c intel-skylake --json -t trace.csv --smaps smaps --pagemap frames-huge",
        expect![[r"
            0x7f0000200000-0x7f0000400000 2M
            walks 6
        "]],
    );
    check(
        "run -c intel-skylake --json -t trace.csv --smaps smaps-all --pagemap frames-none",
        expect![[r"
            walks 6
        "]],
    );
}

#[test]
fn what_is_no_such_file_is_named() {
    check(
        "import trace.csv --smaps maps",
        expect![[r"
        pagewalk: --smaps maps: it has no page sizes: give /proc/PID/smaps, or this file with --maps
    "]],
    );
    check(
        "import trace.csv --maps garbled",
        expect![[r"
        pagewalk: garbled: line 2: this is no line of /proc/PID/maps or smaps: give a copy of such a file
    "]],
    );
    check(
        "import trace.csv --maps none",
        expect![[r"
        pagewalk: none: there is no such file
    "]],
    );
    check(
        "import trace.csv --maps maps --smaps smaps",
        expect![[r"
        pagewalk: the argument '--maps <FILE>' cannot be used with '--smaps <FILE>' (see `pagewalk import --help`)
    "]],
    );
    check(
        "run -c intel-skylake -w uniform --maps maps",
        expect![[r"
        pagewalk: --maps: a workload is generated, not read from a file: leave this option out
    "]],
    );
}

#[test]
fn of_several_processes_the_first_has_the_map() {
    check(
        "run -c intel-skylake --json -t two.csv --maps maps",
        expect![[r"
        walks 2
        ! No column says what kind of access each row is, so all are read as loads
        ! The memory map is taken to be that of process 7, the first of the trace: --pid chooses another
    "]],
    );
    check(
        "run -c intel-skylake --json -t two.csv --maps maps --pid 8",
        expect![[r"
        walks 1
        ! No column says what kind of access each row is, so all are read as loads
    "]],
    );
}

#[test]
fn a_map_that_does_not_fit_the_trace_is_a_warning() {
    check(
        "run -c intel-skylake --json -t other.csv --maps maps",
        expect![[r"
        walks 3
        ! No column says what kind of access each row is, so all are read as loads
        ! The memory map has no region for 50.00 % of the accesses (1 of 2). It may be that of another run, which has other addresses
    "]],
    );
}
