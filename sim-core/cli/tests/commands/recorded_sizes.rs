//! The page sizes of a recording in the commands that analyse it: they are the default of all.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};

use crate::recorded_pages::{TWO_PAGES, recording};
use crate::support::{check_with_file, check_with_input, pagewalk, recorded};

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the many places that call it")]
fn check(line: &str, expected: Expect) {
    check_with_file(line, recording(TWO_PAGES).as_bytes(), &expected);
}

#[test]
fn a_curve_counts_each_page_at_its_size() {
    check(
        "curve -t",
        expect![[r"
        FILE, pages as recorded, LRU, fully associative
        Trace sampled: it holds only some accesses, so its hits and misses are not the program's; the numbers below treat the accesses as consecutive
        6 accesses, 6 translations, 2 distinct pages

        Entries  Misses
        1             5  83.33 %
        2             2  33.33 %
    "]],
    );
    check(
        "curve --pages recorded --sets 1 -t",
        expect![[r"
        FILE, pages as recorded, LRU, 1 sets
        Trace sampled: it holds only some accesses, so its hits and misses are not the program's; the numbers below treat the accesses as consecutive
        6 accesses, 6 translations, 2 distinct pages

        Ways  Misses
        1          5  83.33 %
        2          2  33.33 %
    "]],
    );
    check(
        "curve --pages 4K -t",
        expect![[r"
        FILE, 4K pages, LRU, fully associative
        Trace sampled: it holds only some accesses, so its hits and misses are not the program's; the numbers below treat the accesses as consecutive
        6 accesses, 6 translations, 5 distinct pages

        Entries  Misses
        1             6  100.00 %
        2             5   83.33 %
    "]],
    );
    check(
        "curve --machine tiny.json -t",
        expect![[r"
        FILE, pages as recorded, second levels behind the first level of Tiny, LRU, fully associative
        Trace sampled: it holds only some accesses, so its hits and misses are not the program's; the numbers below treat the accesses as consecutive
        6 accesses, 6 translations, 2 of them miss level 1, 2 distinct pages

        Entries  Walks  of level 2   of all
        1            2    100.00 %  33.33 %
    "]],
    );
}

#[test]
fn arrays_and_phases_of_pages_of_several_sizes_have_no_bytes() {
    check(
        "curve --entries 1 -t",
        expect![[r"
        FILE, pages as recorded, 1 entries of 1 ways
        Trace sampled: it holds only some accesses, so its hits and misses are not the program's; the numbers below treat the accesses as consecutive
        6 accesses, 6 translations, 2 distinct pages

        Misses under LRU           5  83.33 %
          compulsory               2  33.33 %
          capacity                 3  50.00 %
          conflict                 0   0.00 %
        Fewest possible (optimum)  5  83.33 %
    "]],
    );
    check(
        "phases -t",
        expect![[r"
        FILE, pages as recorded, 6 accesses, 2 distinct pages
        Trace sampled: it holds only some accesses, so its hits and misses are not the program's; the numbers below treat the accesses as consecutive
        working set of 100,000 accesses: 1.7 pages on average, 2 at most
        A phase is where most pages stay from one such interval to the next, or where they keep changing, as in a scan:

        From  Accesses  Pages, mean  most
           0         6          1.7     2
    "]],
    );
}

#[test]
fn standard_input_needs_no_second_reading() {
    let of_page = "run -c intel-skylake --by page -t -";
    check_with_input(
        of_page,
        &recording(TWO_PAGES),
        &expect![[r"
            standard input on Skylake, pages as recorded
            Trace sampled: it holds only some accesses, so its hits and misses are not the program's; the numbers below treat the accesses as consecutive

            Page                  Accesses  L1 misses  Walks  Faults  Translation cycles
            0x406000        data         2          1      1       1                 817   56.97 %
            0x600000000000  data         1          1      1       1                 617   43.03 %
            0x600000001000  data         1          0      0       0                   0    0.00 %
            0x600000100000  data         1          0      0       0                   0    0.00 %
            0x6000001ff000  data         1          0      0       0                   0    0.00 %
            all                          6          2      2       2               1,434  100.00 %
        "]],
    );
    check_with_input(
        "curve -t -",
        &recording(TWO_PAGES),
        &expect![[r"
        standard input, pages as recorded, LRU, fully associative
        Trace sampled: it holds only some accesses, so its hits and misses are not the program's; the numbers below treat the accesses as consecutive
        6 accesses, 6 translations, 2 distinct pages

        Entries  Misses
        1             5  83.33 %
        2             2  33.33 %
    "]],
    );
}

#[test]
fn the_advice_begins_with_the_pages_of_the_recording() {
    check(
        "huge -c intel-skylake -t",
        expect![[r"
            FILE on Skylake, pages as recorded; every point is simulated
            Trace sampled: it holds only some accesses, so its hits and misses are not the program's; the numbers below treat the accesses as consecutive

            No verdict: the trace has a selection of the accesses, and a verdict needs them all.

            Huge pages  Walks  Miss cycles            L2 hit cycles  KiB more
                     0      2        1,434  100.00 %              0         0
                     1      2        1,234   86.05 %              0     2,044

            Ranges of 2M, each the best of those that remain, by simulation. Neighbours are one row. Walks and miss cycles are those of the row before. Walks saved are of all memory, if only the row is huge, so they may be more:

            Range              Name    Huge pages  Walks  Miss cycles  Walks saved  KiB used
            0x400000-0x600000  ≈ data           1      1          817            0         4
        "]],
    );
    check(
        "huge -c intel-skylake --pages 4K -t",
        expect![[r"
            FILE on Skylake, 4K pages; every point is simulated
            Trace sampled: it holds only some accesses, so its hits and misses are not the program's; the numbers below treat the accesses as consecutive

            No verdict: the trace has a selection of the accesses, and a verdict needs them all.

            Huge pages  Walks  Miss cycles            L2 hit cycles  KiB more
                     0      5        2,089  100.00 %              0         0
                     1      2        1,434   68.65 %              0     2,032
                     2      2        1,234   59.07 %              0     4,076

            Ranges of 2M, each the best of those that remain, by simulation. Neighbours are one row. Walks and miss cycles are those of the row before. Walks saved are of all memory, if only the row is huge, so they may be more:

            Range                          Name    Huge pages  Walks  Miss cycles  Walks saved  KiB used
            0x600000000000-0x600000200000  ≈ data           1      4        1,272            3        16
            0x400000-0x600000              ≈ data           1      1          817            0         4

            Warning: The recording measured 4 accesses to pages that are huge already. The advice begins with pages of 4K everywhere
        "]],
    );
}

#[test]
fn samples_have_the_size_that_most_of_them_measured() {
    check(
        "samples --pages recorded",
        expect![[r"
        FILE: perf-script recording, sampled: it holds only some accesses, so its hits and misses are not the program's

        Samples of mem:0x600000000000, one of 1     6
        Accesses of unknown kind, read as loads     6
        Measured: accesses to pages of 4 KiB        2
        Measured: accesses to pages of 2,048 KiB    4
        Samples kept                                6
        Bytes of memory for the samples           680

        Data, sampled: 6 samples of mem:0x600000000000
        They touch 5 4K pages in 2 2M ranges.
        Shares are of events, by the samples' periods.

        Region                     Samples     Share  4K pages
        data (anonymous, guessed)        6  100.00 %         5

        Function            Samples     Share
        main in /tmp/touch        6  100.00 %

        Page size  Samples    Share
        2M               4  66.67 %
        4K               2  33.33 %

        Pages  Of all processes  With 50 %  With 90 %  With 99 %
        2M                    2          1          2          2

        Huge pages: 2M ranges by their samples; ranges that are already huge pages come last. 2 ranges are touched. Of the samples outside huge pages, 50, 90 and 99 % are in 1, 1 and 1 ranges.
        2M range        Region                     Samples  Walked  4K pages of 512     Is  Mapped
        0x400000        data (anonymous, guessed)        2       –                1  small       –
        0x600000000000  data (anonymous, guessed)        4       –                4   huge       –
    "]],
    );
    let path = recorded("perf/data/pf-matmul.perf.data.gz");
    let output = pagewalk(["samples", &path, "--pages", "recorded"]).output().unwrap();
    expect![[r"
        pagewalk: --pages recorded: FILE has no page sizes: record it with `perf mem record --data-page-size`, or give a copy of /proc/PID/smaps with --smaps
    "]].assert_eq(&String::from_utf8(output.stderr).unwrap().replace(&path, "FILE"));
}

#[test]
fn rows_of_a_sweep_have_the_pages_of_their_trace() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sweep-recorded");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("two.txt"), recording(TWO_PAGES)).unwrap();
    fs::write(folder.join("list.csv"), "address\n0x1000\n").unwrap();
    let sweep = r#"{"traces": [{"file": "two.txt"}, {"file": "list.csv"}], "base": {"cpu": "intel-skylake"},
        "axes": [{"field": "pages", "values": [null, "recorded", "4K"]}]}"#;
    fs::write(folder.join("sweep.json"), sweep).unwrap();
    let out = folder.join("out.jsonl");
    let _ = fs::remove_file(&out);
    let file = folder.join("sweep.json");
    let words = ["sweep", file.to_str().unwrap(), "--out", out.to_str().unwrap()];
    pagewalk(words).output().unwrap();
    let lines = fs::read_to_string(&out).unwrap();
    let rows = lines.lines().map(|line| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let (walks, error) = (&row["report"]["walks"]["walks"], &row["error"]["message"]);
        let n_regions = row["os"]["regions"].as_array().map_or(0, Vec::len);
        format!(
            "{} {}: walks {walks}, regions {n_regions}, {error}\n",
            row["trace"]["name"], row["axes"]["pages"]
        )
    });
    expect![[r#"
        "two.txt" null: walks 2, regions 1, null
        "two.txt" "recorded": walks 2, regions 1, null
        "two.txt" "4K": walks 5, regions 0, null
        "list.csv" null: walks 1, regions 0, null
        "list.csv" "recorded": walks null, regions 0, "the trace has no recorded page sizes: give a page size"
        "list.csv" "4K": walks 1, regions 0, null
    "#]].assert_eq(&rows.collect::<String>());
}
