//! Compares texts of `perf mem report -D` with the recordings that perf printed.

use expect_test::expect;
use pagewalk_base::trace::Access;

use super::perf::{summary, unpacked};
use super::support::{check, import, import_as};

fn accesses(name: &str) -> Vec<Access> {
    let (report, mut accesses) = import(&unpacked(name));
    report.unwrap();
    // The text lacks the processor.
    for access in &mut accesses {
        access.cpu = 0;
    }
    accesses
}

#[test]
fn a_text_holds_what_its_recording_does() {
    for (text, data) in [
        ("mem/bp-touch.memraw.txt.gz", "data/bp-touch.perf.data.gz"),
        ("mem/bp-touch.memraw.csv.gz", "data/bp-touch.perf.data.gz"),
        ("mem/pf-full.memraw.txt.gz", "data/pf-full.perf.data.gz"),
    ] {
        let found = accesses(text);
        assert!(found.len() > 100, "{text}");
        assert!(found == accesses(data), "{text}");
    }
}

#[test]
fn page_sizes_and_measurements_are_reported() {
    expect![[r#"
        Ok(Sampled)
        {"events":[{"name":"memory accesses","of":"accesses","completeness":"sampled","period":null,"frequency":null,"samples":161,"accesses":161}],"lost":0,"kernel":0,"guest":0,"kernel_addresses":0,"unknown_kind":161,"faults":0,"tlb":{"l1":0,"l2":0,"no_walk":0,"walk":0,"unknown":161},"page_sizes":[{"bytes":4096,"accesses":80},{"bytes":2097152,"accesses":81}]}
        perf-mem: 161 records, 161 accesses
          skipped 1 header line
          ! The text does not name the event. On Intel, perf mem record keeps only loads above a latency (30 cycles by default), so misses may be over-represented
        load 0x406000 0 pid 9398 tid 9398 ip 0x4011ad
        load 0x406000 0 pid 9398 tid 9398 ip 0x4011b4
    "#]].assert_eq(&summary(import(&unpacked("mem/bp-touch.memraw.csv.gz")), 2));
}

/// Different columns, with different separators.
#[test]
fn columns_are_those_of_the_first_line() {
    let header = "# PID, TID, IP, ADDR, LOCAL WEIGHT, DSRC, SYMBOL\n";
    let row = |between: &str| {
        ["7", "8", "0x401000", "0x7f00", "30", "0x68100142", "/usr/lib/libc.so.6:std::sort"]
            .join(between)
    };
    let expected = expect![[r"
        perf-mem: 2 records, 2 accesses
          skipped 1 header line
          ! The text does not name the event. On Intel, perf mem record keeps only loads above a latency (30 cycles by default), so misses may be over-represented
        load 0x7f00 0 pid 7 tid 8 ip 0x401000
        load 0x7f00 0 pid 7 tid 8 ip 0x401000
    "]];
    for between in [",", ";", "|", "\t", "::", ", "] {
        check(&format!("{header}{}\n{}\n", row(between), row(between)), &expected);
    }
    check(
        "# PID, TID, IP, ADDR, PHYS ADDR, DATA PAGE SIZE, LOCAL WEIGHT, DSRC, SYMBOL\n-1 0 0xffffffff81000000 0x0160007f00 0x1d89bf000 2M 30 0x2a0100144 [kernel.kallsyms]:???\n9 9 0x401000 0x0 0x0 N/A 0 0x0 ???:???\n9 9 0x401000 nonsense\n",
        &expect![[r"
            perf-mem: 2 records, 1 accesses
              skipped 1 header line
              skipped 1 samples without a data address
              skipped 1 malformed lines
              ! The text does not name the event. On Intel, perf mem record keeps only loads above a latency (30 cycles by default), so misses may be over-represented
              ! 1 sample has no data address: it cannot be replayed, but the Samples screen and `pagewalk samples` show where the program was; it is line 3: `9 9 0x401000 0x0 0x0 N/A 0 0x0 ???:???`
              ! 1 malformed line was skipped; it is line 4: `9 9 0x401000 nonsense`
            store 0x7f00 0 pid 4294967295 tid 0 ip 0xffffffff81000000
        "]],
    );
}

#[test]
fn the_first_line_may_be_missing_if_the_format_is_named() {
    let text = "9398,9398,0x4011ad,0x406000,0,0x1e05080021,/usr/bin/touch:main\n";
    let (report, accesses) = import_as(Some("perf-mem"), text.as_bytes());
    assert_eq!((report.unwrap().format.as_str(), accesses.len()), ("perf-mem", 1));
}

#[test]
fn every_beginning_of_a_text_ends() {
    let text = unpacked("mem/bp-touch.memraw.txt.gz");
    for end in 0..400 {
        drop(import(&text[..end]));
    }
}
