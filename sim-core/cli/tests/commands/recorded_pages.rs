//! The page sizes of a recording are the default of a run.

use expect_test::{Expect, expect};
use serde_json::Value;

use crate::support::with_file;

/// A sample of `perf script`: an access to `address` in a page of this size.
fn sample(at: usize, address: u64, size: &str) -> String {
    format!(
        "touch  9/9  [000]  1.{at:06}:  1  mem:0x600000000000:  {address:x}  1e05080021 |OP LOAD|LVL N/A or N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A  0  4011d2 main (/tmp/touch)  0 {size} 4K\n"
    )
}

/// Runs a recording. Samples are `address:size`. The result is the mapping, the walks, the pages, and the warnings.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the many places that call it")]
fn check(options: &str, samples: &str, expected: Expect) {
    let file = recording(samples);
    show(&format!("run {options} --json -t"), file.as_bytes(), &expected);
}

/// A recording of samples that are written as `address:size`.
pub(crate) fn recording(samples: &str) -> String {
    let samples = samples.split_whitespace().enumerate().map(|(at, word)| {
        let (address, size) = word.split_once(':').unwrap();
        sample(at, u64::from_str_radix(address, 16).unwrap(), size)
    });
    samples.collect()
}

#[track_caller]
fn show(line: &str, file: &[u8], expected: &Expect) {
    let text = with_file(line, file);
    let text = match serde_json::from_str::<Value>(&text) {
        Err(_) => text,
        Ok(result) => {
            let mapping = &result["about"]["mapping"];
            let regions = mapping["regions"].as_array().into_iter().flatten();
            let regions =
                regions.map(|of| format!("{}-{} {}\n", of["start"], of["end"], of["pages"]));
            let warnings = result["warnings"].as_array().unwrap().iter();
            let warnings = warnings.map(|text| ["! ", text.as_str().unwrap(), "\n"].concat());
            format!(
                "default {}\n{}walks {}, pages {}\n{}",
                mapping["default"],
                regions.collect::<String>().replace('"', ""),
                result["walks"]["walks"],
                result["pages"],
                warnings.collect::<String>()
            )
        }
    };
    expected.assert_eq(&text);
}

/// Four accesses to one page of 2M, and two to one of 4K: each page is walked once.
pub(crate) const TWO_PAGES: &str =
    "600000000000:2M 600000001000:2M 406000:4K 6000001ff000:2M 406008:4K 600000100000:2M";

#[test]
fn each_page_that_was_measured_is_walked_once() {
    check(
        "-c intel-skylake",
        TWO_PAGES,
        expect![[r#"
        default "4K"
        0x600000000000-0x600000200000 2M
        walks 2, pages {"1G":0,"2M":1,"4K":1,"table_pages":6}
    "#]],
    );
}

#[test]
fn an_option_decides_instead() {
    check(
        "-c intel-skylake --pages 4K",
        TWO_PAGES,
        expect![[r#"
        default "4K"
        walks 5, pages {"1G":0,"2M":0,"4K":5,"table_pages":7}
        ! The recording measured 4 accesses to pages of 2M, and this run maps no such page. --pages recorded maps each page at its measured size
    "#]],
    );
    check(
        "-c intel-skylake --pages thp",
        TWO_PAGES,
        expect![[r#"
        default "thp"
        walks 2, pages {"1G":0,"2M":2,"4K":0,"table_pages":5}
        ! The recording measured 2 accesses to pages of 4K, and this run maps no such page. --pages recorded maps each page at its measured size
    "#]],
    );
}

#[test]
fn a_mapping_file_can_ask_for_the_recorded_pages() {
    check(
        "-c intel-skylake --os map-as-recorded.json",
        TWO_PAGES,
        expect![[r#"
        default "4K"
        0x600000000000-0x600000200000 2M
        walks 2, pages {"1G":0,"2M":1,"4K":1,"table_pages":6}
    "#]],
    );
    check(
        "-c intel-skylake --os map-as-recorded.json",
        "600000000000:4K 600000001000:4K",
        expect![[r#"
        default "4K"
        walks 2, pages {"1G":0,"2M":0,"4K":2,"table_pages":4}
    "#]],
    );
}

#[test]
fn sizes_that_contradict_each_other_are_counted() {
    check(
        "-c intel-skylake",
        "600000000000:2M 600000001000:2M 600000002000:4K",
        expect![[r#"
        default "4K"
        0x600000000000-0x600000200000 2M
        walks 1, pages {"1G":0,"2M":1,"4K":0,"table_pages":3}
        ! 1 samples measured another page size than this run maps. Memory that was measured with several sizes has the one of most samples
    "#]],
    );
    check(
        "-c intel-skylake",
        "600000000000:2M 600000001000:4K 600000002000:4K",
        expect![[r#"
        default "4K"
        walks 3, pages {"1G":0,"2M":0,"4K":3,"table_pages":4}
        ! 1 samples measured another page size than this run maps. Memory that was measured with several sizes has the one of most samples
    "#]],
    );
}

#[test]
fn a_machine_without_such_pages_keeps_its_own() {
    check(
        "-m tiny.json",
        "600000000000:8K 600000001000:8K",
        expect![[r#"
        default "4K"
        walks 2, pages {"1G":0,"2M":0,"4K":2,"table_pages":4}
        ! The run does not use the page sizes of the recording: --pages recorded: 8K is no page size of this machine, which has 4K, 2M, 1G
    "#]],
    );
    check(
        "-m tiny.json --pages recorded",
        "600000000000:8K",
        expect![[r"
        exit code 1: pagewalk: --pages recorded: 8K is no page size of this machine, which has 4K, 2M, 1G
    "]],
    );
}

#[test]
fn pages_of_one_size_are_no_regions() {
    check(
        "-c intel-skylake",
        "600000000000:4K 600000001000:4K",
        expect![[r#"
        default "4K"
        walks 2, pages {"1G":0,"2M":0,"4K":2,"table_pages":4}
    "#]],
    );
}

/// Records of drmemtrace: type, size, value.
fn drmemtrace(records: &[(u16, u16, u64)]) -> Vec<u8> {
    let bytes = |(kind, size, value): &(u16, u16, u64)| {
        [&kind.to_le_bytes()[..], &size.to_le_bytes(), &value.to_le_bytes()].concat()
    };
    records.iter().flat_map(bytes).collect()
}

/// A trace of a machine with this page size: a fetch, and loads of four neighbouring pages of 4K.
fn of_machine(sizes: &[u64]) -> Vec<u8> {
    let mut records = vec![(25, 0, 4), (22, 4, 9), (24, 4, 9)];
    records.extend(sizes.iter().map(|size| (28, 18, *size)));
    records.push((10, 4, 0x40_0000));
    records.extend((0..4).map(|page| (0, 8, 0x60_0000 + page * 0x1000)));
    drmemtrace(&records)
}

#[test]
fn the_page_size_of_the_recorded_machine_is_the_default() {
    let run = "run -c arm-neoverse-n1 --json -t";
    show(
        run,
        &of_machine(&[4096]),
        &expect![[r#"
        default "4K"
        walks 5, pages {"1G":0,"2M":0,"32M":0,"4K":5,"64K":0,"table_pages":5}
    "#]],
    );
    show(
        run,
        &of_machine(&[16384]),
        &expect![[r#"
        default "4K"
        walks 5, pages {"1G":0,"2M":0,"32M":0,"4K":5,"64K":0,"table_pages":5}
        ! The recorded machine had pages of 16384 bytes. A run with other pages has other walks
        ! The run does not use the page sizes of the recording: --pages recorded: 16K is no page size of this machine, which has 4K, 64K, 2M, 32M, 1G
    "#]],
    );
    show(
        "run -c arm-neoverse-n1:granule-16k --json -t",
        &of_machine(&[16384]),
        &expect![[r#"
        default "16K"
        walks 2, pages {"16K":2,"1G":0,"2M":0,"32M":0,"table_pages":4}
        ! The recorded machine had pages of 16384 bytes. A run with other pages has other walks
    "#]],
    );
    show(
        "run -c arm-neoverse-n1:granule-16k --json -t",
        &of_machine(&[4096]),
        &expect![[r#"
        default "16K"
        walks 2, pages {"16K":2,"1G":0,"2M":0,"32M":0,"table_pages":4}
        ! The run does not use the page sizes of the recording: --pages recorded: 4K is no page size of this machine, which has 16K, 2M, 32M, 1G
    "#]],
    );
    show(
        "run -c arm-neoverse-n1 --pages recorded --json -t",
        &of_machine(&[65536]),
        &expect![[r#"
            default "64K"
            walks 2, pages {"1G":0,"2M":0,"32M":0,"4K":0,"64K":2,"table_pages":5}
            ! The recorded machine had pages of 65536 bytes. A run with other pages has other walks
        "#]],
    );
    show(
        run,
        &of_machine(&[4096, 2 << 20]),
        &expect![[r#"
        default "2M"
        walks 2, pages {"1G":0,"2M":2,"32M":0,"4K":0,"64K":0,"table_pages":3}
        ! The trace states several page sizes of the recorded machine: a run uses the last one
        ! The recorded machine had pages of 2097152 bytes. A run with other pages has other walks
    "#]],
    );
}
