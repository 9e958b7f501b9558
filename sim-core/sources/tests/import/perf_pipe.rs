//! Small recordings of page faults, as `perf record -o -` writes them, next to the text that perf prints of them.

use expect_test::{Expect, expect};
use pagewalk_sources::import::ImportReport;

use super::support::{Outcome, import, show};

/// A record: its type, the bits of its header, and its contents.
fn record(kind: u32, misc: u16, body: &[u8]) -> Vec<u8> {
    let size = u16::try_from(8 + body.len()).expect("a short record");
    [&kind.to_le_bytes()[..], &misc.to_le_bytes(), &size.to_le_bytes(), body].concat()
}

fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Two numbers of 32 bits as one of 64.
fn pair(low: u64, high: u64) -> u64 {
    high << 32 | low
}

/// A pipe with one event of every page fault, whose samples have ip, process, time and address.
fn pipe(records: &[Vec<u8>]) -> Vec<u8> {
    pipe_of(1, 2, records)
}

fn pipe_of(kind: u64, config: u64, records: &[Vec<u8>]) -> Vec<u8> {
    const FIELDS: u64 = 0xf;
    let attr = words(&[pair(kind, 64), config, 1, FIELDS, 0, 0, 0, 0]);
    [&b"PERFILE2"[..], &words(&[16]), &record(64, 0, &attr), &records.concat()].concat()
}

fn sample(pid: u64, ip: u64, address: u64) -> Vec<u8> {
    record(9, 2, &words(&[ip, pair(pid, pid), 1000, address]))
}

fn comm(pid: u64, name: [u8; 8]) -> Vec<u8> {
    record(3, 0, &[&words(&[pair(pid, pid)]), &name[..]].concat())
}

fn fork(child: u64, parent: u64) -> Vec<u8> {
    record(7, 0, &words(&[pair(child, parent), pair(child, parent), 900]))
}

fn names(report: &ImportReport) -> Vec<(u32, Option<&str>)> {
    report.processes.iter().map(|process| (process.pid, process.name.as_deref())).collect()
}

fn check(outcome: &Outcome, expected: &Expect) {
    let sampling = outcome.0.as_ref().ok().and_then(|report| report.sampling.as_ref());
    let sampling = sampling.expect("a recording of samples");
    let (lost, unknown) = (sampling.lost, sampling.unknown_kind);
    let shown = format!("lost {lost}, of unknown kind {unknown}\n{}", show(outcome));
    expected.assert_eq(&shown);
}

#[test]
fn a_fault_at_its_own_instruction_is_a_fetch() {
    check(
        &import(&pipe(&[sample(7, 0x0040_1000, 0x0040_1000), sample(7, 0x0040_1004, 0x007f_fe10)])),
        &expect![[r"
            lost 0, of unknown kind 1
            perf.data: 2 records, 2 accesses
              skipped 1 perf records that are not samples
            fetch 0x401000 0 pid 7 tid 7 ip 0x401000
            load 0x7ffe10 0 pid 7 tid 7 ip 0x401004
        "]],
    );
    check(
        &import(
            b"ld 7/7 1.000001: 1 page-faults:           401000           401000 _start (/bin/a)\n\
              ld 7/7 1.000002: 1 page-faults:           7ffe10           401004 _start (/bin/a)\n",
        ),
        &expect![[r"
            lost 0, of unknown kind 1
            perf-script: 2 records, 2 accesses
            fetch 0x401000 0 pid 7 tid 7 ip 0x401000
            load 0x7ffe10 0 pid 7 tid 7 ip 0x401004
        "]],
    );
}

#[test]
fn a_loss_that_two_records_tell_is_counted_once() {
    const LEFT_OUT_BY_FILTER: u16 = 1 << 15;
    check(
        &import(&pipe(&[
            sample(7, 0x0040_1000, 0x007f_fe10),
            record(2, 0, &words(&[0, 4])),
            record(2, 0, &words(&[0, 2])),
            record(13, LEFT_OUT_BY_FILTER, &words(&[100])),
            record(13, 0, &words(&[6])),
        ])),
        &expect![[r"
            lost 6, of unknown kind 1
            perf.data: 1 records, 1 accesses
              skipped 5 perf records that are not samples
            load 0x7ffe10 0 pid 7 tid 7 ip 0x401000
        "]],
    );
    check(
        &import(
            b"ld 7/7 1.000001: 1 page-faults:           7ffe10           401000 _start (/bin/a)\n\
              ld 7/7 1.000002: PERF_RECORD_LOST lost 4\n\
              ld 7/7 1.000003: PERF_RECORD_LOST lost 2\n\
              ld 7/7 1.000004: PERF_RECORD_LOST_SAMPLES lost 6\n",
        ),
        &expect![[r"
            lost 6, of unknown kind 1
            perf-script: 1 records, 1 accesses
              skipped 3 perf records that are not samples
            load 0x7ffe10 0 pid 7 tid 7 ip 0x401000
        "]],
    );
}

#[test]
fn a_new_process_has_the_name_of_its_parent() {
    let faults = |pid| sample(pid, 0x0040_1000, 0x007f_fe10);
    let (report, _) = import(&pipe(&[
        comm(7, *b"forkcow\0"),
        fork(8, 7),
        fork(9, 7),
        comm(9, *b"ls\0\0\0\0\0\0"),
        fork(10, 9),
        [7, 8, 9, 10].map(faults).concat(),
    ]));
    let report = report.expect("a good recording");
    let expected = [(7, Some("forkcow")), (8, Some("forkcow")), (9, Some("ls")), (10, Some("ls"))];
    assert_eq!(names(&report), expected);
    let (report, _) = import(
        b"forkcow 7/7 1.000001: PERF_RECORD_FORK(8:8):(7:7)\n\
          forkcow 7/7 1.000002: 1 page-faults:           7ffe10           401000 main (/bin/a)\n\
          :8 8/8 1.000003: PERF_RECORD_FORK(9:9):(7:7)\n",
    );
    assert_eq!(names(&report.expect("a good text")), [(7, Some("forkcow"))]);
}

#[test]
fn an_event_of_a_pipe_has_the_name_of_its_number() {
    for (kind, config, name) in [
        (0, 4, "branches"),
        (0, 5, "branch-misses"),
        (0, 9, "ref-cycles"),
        (0, 10, "event type 0 config 0xa"),
        (1, 9, "dummy"),
    ] {
        let (report, _) = import(&pipe_of(kind, config, &[sample(7, 0x0040_1000, 0x007f_fe10)]));
        let sampling = report.expect("a good recording").sampling.expect("samples");
        assert_eq!(sampling.events[0].name, name);
    }
}
