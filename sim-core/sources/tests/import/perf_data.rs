//! Compares files of `perf record` with counts of other programs, and with the text that `perf script` printed of
//! the same recordings.

use cases::cases;
use expect_test::{Expect, expect};
use pagewalk_base::error::ErrorCode;
use pagewalk_base::trace::{Access, Kind};
use pagewalk_sources::import::{ImportOptions, MeasuredTlb, Sampling};

use super::perf::{check_counts, summary, unpacked};
use super::support::{Outcome, fixture, import, import_with};

fn file(name: &str) -> Vec<u8> {
    unpacked(&format!("data/{name}.gz"))
}

fn whole(bytes: &[u8]) -> Outcome {
    import_with(ImportOptions::default(), bytes, 1 << 16)
}

#[test]
fn files_hold_what_was_counted() {
    assert!(check_counts("perf/data", "perf.data", |file| !file.contains(".txt")) > 30);
}

#[test]
fn a_file_holds_what_perf_script_prints_of_it() {
    for (data, script) in [
        ("bp-touch.perf.data", "bp-touch.full.txt.gz"),
        ("pf-matmul.perf.data", "pf-matmul.addr.txt.gz"),
        ("pf-full.perf.data", "pf-full.txt.gz"),
        ("pf-callchain.perf.data", "pf-callchain.G.txt.gz"),
        ("multi.perf.data", "multi.txt.gz"),
        ("comm-spaces.perf.data", "comm-spaces.txt.gz"),
    ] {
        let (report, mut accesses) = whole(&file(data));
        let (printed_report, printed) = import(&fixture(&format!("perf/script/{script}")));
        let (report, printed_report) = (report.unwrap(), printed_report.unwrap());
        // Some texts lack the processor.
        if printed.iter().all(|access| access.cpu == 0) {
            for access in &mut accesses {
                access.cpu = 0;
            }
        }
        assert!(accesses == printed, "{data}");
        assert_eq!(report.completeness, printed_report.completeness, "{data}");
        let (measured, printed) = (report.sampling.unwrap(), printed_report.sampling.unwrap());
        // Some texts lack `data_src`.
        if printed.tlb == MeasuredTlb::default() {
            continue;
        }
        assert_eq!(
            (measured.tlb, measured.page_sizes),
            (printed.tlb, printed.page_sizes),
            "{data}"
        );
    }
    let (_, accesses) = whole(&file("tp-pagefault.perf.data"));
    let (_, printed) = import(&fixture("perf/script/tp-pagefault.txt.gz"));
    let what = |accesses: &[Access]| -> Vec<(Kind, u64, u32)> {
        accesses.iter().map(|access| (access.kind, access.address, access.tid)).collect()
    };
    assert_eq!(what(&accesses), what(&printed));
}

fn check_file(name: &str, expected: &Expect) {
    expected.assert_eq(&summary(whole(&file(name)), 2));
}

#[test]
fn measurements_are_reported() {
    check_file(
        "quipper-weight_struct",
        &expect![[r#"
            Ok(LatencyFiltered)
            {"events":[{"name":"MEM_TRANS_RETIRED.LOAD_LATENCY:ldlat=64:precise=2:mh:mg:pinned","of":"accesses","completeness":"latency-filtered","period":10009,"frequency":null,"samples":14,"accesses":14},{"name":"dummy:HG","of":"other","completeness":"sampled","period":10009,"frequency":null,"samples":0,"accesses":0}],"lost":0,"kernel":9,"guest":0,"kernel_addresses":8,"unknown_kind":0,"faults":0,"tlb":{"l1":0,"l2":0,"no_walk":13,"walk":1,"unknown":0},"page_sizes":[]}
            perf.data: 14 records, 14 accesses
              skipped 12950 perf records that are not samples
            load 0x55ffba5cda08 0 pid 20132 tid 20144 cpu 28 ip 0xffffffffa4470d46
            load 0xffffffffa5e120e8 0 pid 17689 tid 18995 cpu 29 ip 0xffffffffa421a5fb
        "#]],
    );
    check_file(
        "bp-touch.perf.data",
        &expect![[r#"
            Ok(Sampled)
            {"events":[{"name":"mem:0x0000000000406000","of":"accesses","completeness":"sampled","period":1,"frequency":null,"samples":80,"accesses":80},{"name":"mem:0x600000001000","of":"accesses","completeness":"sampled","period":1,"frequency":null,"samples":41,"accesses":41},{"name":"mem:0x600000200000","of":"accesses","completeness":"sampled","period":1,"frequency":null,"samples":40,"accesses":40}],"lost":0,"kernel":0,"guest":0,"kernel_addresses":0,"unknown_kind":161,"faults":0,"tlb":{"l1":0,"l2":0,"no_walk":0,"walk":0,"unknown":161},"page_sizes":[{"bytes":4096,"accesses":80},{"bytes":2097152,"accesses":81}]}
            perf.data: 161 records, 161 accesses
              skipped 35 perf records that are not samples
            load 0x406000 0 pid 9398 tid 9398 ip 0x4011ad
            load 0x406000 0 pid 9398 tid 9398 ip 0x4011b4
        "#]],
    );
    check_file(
        "tp-pipe.perf.data",
        &expect![[r#"
            Ok(FirstTouches)
            {"events":[{"name":"exceptions:page_fault_user","of":"faults","completeness":"first-touches","period":1,"frequency":null,"samples":304,"accesses":0}],"lost":0,"kernel":0,"guest":0,"kernel_addresses":0,"unknown_kind":0,"faults":304,"tlb":{"l1":0,"l2":0,"no_walk":0,"walk":0,"unknown":0},"page_sizes":[]}
            perf.data: 304 records, 0 accesses
              skipped 44 perf records that are not samples
            fetch 0x7f178dc24b70 0 pid 22156 tid 22156 ip 0x7f178dc24b70
            store 0x7f178dc3de06 0 pid 22156 tid 22156 ip 0x7f178dc257ad
        "#]],
    );
    check_file(
        "multi.perf.data",
        &expect![[r#"
            Ok(FirstTouches)
            {"events":[{"name":"page-faults/period=1/","of":"faults","completeness":"first-touches","period":1,"frequency":null,"samples":459,"accesses":459},{"name":"cpu-clock/period=100000/","of":"execution","completeness":"sampled","period":100000,"frequency":null,"samples":283,"accesses":0},{"name":"context-switches/period=1/","of":"other","completeness":"sampled","period":1,"frequency":null,"samples":3,"accesses":0}],"lost":0,"kernel":3,"guest":0,"kernel_addresses":0,"unknown_kind":440,"faults":0,"tlb":{"l1":0,"l2":0,"no_walk":0,"walk":0,"unknown":459},"page_sizes":[]}
            perf.data: 745 records, 459 accesses
              skipped 42 perf records that are not samples
              skipped 286 samples without a data address
              ! 286 samples have no data address: they cannot be replayed, but the Samples screen and `pagewalk samples` show where the program was; the first is byte 2936: `a sample`
            load 0x555b3f11f030 0 pid 9473 tid 9473 ip 0xffffffff817554ea
            load 0x7eff3723b110 0 pid 9473 tid 9473 ip 0xffffffff817554ea
        "#]],
    );
    check_file(
        "linux-perf-data-fibo.compressed2.pipe.data",
        &expect![[r#"
            Ok(Sampled)
            {"events":[{"name":"cycles:P","of":"execution","completeness":"sampled","period":null,"frequency":997,"samples":547,"accesses":257},{"name":"dummy:u","of":"other","completeness":"sampled","period":null,"frequency":997,"samples":0,"accesses":0}],"lost":0,"kernel":17,"guest":0,"kernel_addresses":16,"unknown_kind":257,"faults":0,"tlb":{"l1":0,"l2":0,"no_walk":0,"walk":0,"unknown":257},"page_sizes":[]}
            perf.data: 547 records, 257 accesses
              skipped 1112 perf records that are not samples
              skipped 290 samples without a data address
              ! 290 samples have no data address: they cannot be replayed, but the Samples screen and `pagewalk samples` show where the program was; the first is byte 95056: `a sample`
            load 0xfffffe00001aade0 0 pid 157549 tid 157549 ip 0xffffffffb8681522
            load 0xffff894dd11c6200 0 pid 157549 tid 157549 ip 0xffffffffb8870e1d
        "#]],
    );
    check_file(
        "quipper-piped.corrupted.zero_size_sample-3.2",
        &expect![[r#"
            Err(Error { code: BadTrace, message: "the perf.data has a record of 0 bytes, after which nothing can be read: copy the file again, or print it with perf script where it was recorded and import the text", at: Some(Byte(49104)), remedy: None })
            BadTrace: byte 49104: the perf.data has a record of 0 bytes, after which nothing can be read: copy the file again, or print it with perf script where it was recorded and import the text
        "#]],
    );
    check_file(
        "quipper-lost_samples-4.4",
        &expect![[r#"
            Ok(Sampled)
            {"events":[{"name":"cycles:pp","of":"execution","completeness":"sampled","period":20003,"frequency":null,"samples":97,"accesses":0},{"name":"instructions:pp","of":"execution","completeness":"sampled","period":20003,"frequency":null,"samples":80,"accesses":0},{"name":"branch-instructions:pp","of":"other","completeness":"sampled","period":20003,"frequency":null,"samples":14,"accesses":0}],"lost":2,"kernel":0,"guest":0,"kernel_addresses":0,"unknown_kind":0,"faults":0,"tlb":{"l1":0,"l2":0,"no_walk":0,"walk":0,"unknown":0},"page_sizes":[]}
            perf.data: 191 records, 0 accesses
              skipped 52 perf records that are not samples
              skipped 191 samples without a data address
              ! 191 samples have no data address: they cannot be replayed, but the Samples screen and `pagewalk samples` show where the program was; the first is byte 5480: `a sample`
        "#]],
    );
}

#[test]
fn a_recording_that_was_not_ended_is_read_to_its_end() {
    let mut bytes = file("pf-matmul.perf.data");
    let size = u64::from_le_bytes(bytes[48..56].try_into().unwrap());
    let data = u64::from_le_bytes(bytes[40..48].try_into().unwrap());
    bytes[48..56].fill(0);
    bytes.truncate(usize::try_from(data + size).unwrap());
    let (report, accesses) = whole(&bytes);
    assert_eq!((report.unwrap().records, accesses.len()), (400, 400));
}

#[test]
fn other_kinds_of_perf_data_are_rejected() {
    for magic in ["2ELIFREP", "PERFFILE"] {
        let (report, _) = whole(&[magic.as_bytes(), &[0; 100]].concat());
        let error = report.unwrap_err();
        assert_eq!(error.code, ErrorCode::Unsupported);
        assert!(error.message.contains("perf script"), "{error}");
    }
}

#[test]
fn every_beginning_of_a_file_ends() {
    for name in ["pf-zstd.perf.data", "comm-spaces.perf.data", "quipper-piped.header_features-4.16"]
    {
        let bytes = file(name);
        for end in (0..bytes.len()).filter(|end| *end < 2000 || end % 7 == 0) {
            drop(whole(&bytes[..end]));
        }
    }
}

#[test]
fn any_damage_ends() {
    let files = ["bp-touch.perf.data", "pf-zstd.perf.data", "tp-pipe.perf.data"].map(file);
    cases(350).check(|u| {
        let mut bytes = u.choose(&files)?.clone();
        for _ in 0..u.int_in_range(1..=8)? {
            // Damage headers more often than the rest.
            let range = if u.arbitrary()? { 400 } else { bytes.len() };
            let at = u.choose_index(range)?;
            bytes[at] = u.arbitrary()?;
        }
        drop(whole(&bytes));
        Ok(())
    });
}

/// A record whose payload is the beginning of the header of a zstd frame.
#[test]
fn compressed_records_may_end_anywhere() {
    let pipe = [&b"PERFILE2"[..], &16u64.to_le_bytes()].concat();
    let record = [81, 0, 0, 0, 0, 0, 13, 0, 0x28, 0xb5, 0x2f, 0xfd, 4];
    let (report, _) = import(&[&pipe[..], &record].concat());
    expect!["no access in this perf.data trace: it has no samples: record with `perf mem record`, or `perf record -e page-faults -c 1 -d`; after perf stat record, import the text of perf stat report"].assert_eq(&report.unwrap_err().to_string());
}

#[test]
fn flushes_of_the_tlb_are_counted_by_reason() {
    let flushes = |outcome: Outcome| {
        let (report, accesses) = outcome;
        let report = report.unwrap();
        assert!(accesses.is_empty());
        assert!(report.skipped.iter().all(|skipped| !skipped.reason.contains("address")));
        let error = report.check_any_access().unwrap_err();
        let Sampling { events, flushes, .. } = report.sampling.unwrap();
        let of: Vec<_> = events.iter().map(|event| (event.of, event.samples)).collect();
        let lines =
            flushes.iter().map(|f| format!("{} {} {} {}\n", f.reason, f.count, f.whole, f.pages));
        format!("{of:?}\n{}{}\n", lines.collect::<String>(), error.message)
    };
    let found = flushes(whole(&file("tp-tlbflush.perf.data")));
    assert_eq!(found, flushes(import(&fixture("perf/script/tp-tlbflush.txt.gz"))));
    expect![[r"
        [(Flushes, 307)]
        local MM shootdown 295 12 372
        flush on task switch 11 11 0
        remote IPI send 1 1 0
        it has 307 TLB flushes of the kernel but no accesses, so there is nothing to simulate: record accesses as well, with `perf mem record -e tlb:tlb_flush`, or `perf record -e page-faults,tlb:tlb_flush -c 1 -d`
    "]].assert_eq(&found);
}

/// `perf record --threads` writes a directory: `data` has a header that says so, the other files only have records.
#[test]
fn files_of_a_directory_say_what_to_do() {
    const FEATURES: usize = 72;
    const DATA: usize = 40;
    let mut data = file("pf-full.perf.data");
    let number = |at: usize| u64::from_le_bytes(data[at..at + 8].try_into().unwrap());
    let [start, size] = [DATA, DATA + 8].map(|at| usize::try_from(number(at)).unwrap());
    let records = data[start..start + size].to_vec();
    data[FEATURES + 3] |= 1;
    let rejected = |bytes: &[u8]| match import(bytes).0 {
        Ok(report) => {
            report.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        }
        Err(error) => error.to_string(),
    };
    let with_samples = rejected(&data);
    // Find the first sample, and end the data before it.
    let mut end = 0;
    while records[end] != 9 {
        end += usize::from(u16::from_le_bytes([records[end + 6], records[end + 7]]));
    }
    data[DATA + 8..DATA + 16].copy_from_slice(&(end as u64).to_le_bytes());
    let without = rejected(&data);
    let bare = rejected(&records);
    expect![[r"
        This is one file of a directory of perf record --threads, so the samples of the other files are missing: print the whole directory with `perf script -i DIRECTORY -F +addr > trace.txt`, where DIRECTORY holds `data` and `data.0`, and import that text
        no access in this perf.data trace: this is the file `data` of a directory of perf record --threads; the samples are in the files `data.0`, `data.1` … next to it: print the whole directory with `perf script -i DIRECTORY -F +addr > trace.txt`, where DIRECTORY holds `data` and `data.0`, and import that text
        the file looks like one of the files `data.0`, `data.1` … of a directory of perf record --threads, which Pagewalk does not read. Print the whole directory with `perf script -i DIRECTORY -F +addr > trace.txt`, where DIRECTORY holds `data` and `data.0`, and import that text. The formats are lackey (valgrind --tool=lackey --trace-mem=yes), drmemtrace (DynamoRIO), memtrace (DynamoRIO), drmemtrace-view (DynamoRIO), champsim, perf-data, perf-mem (perf mem report -D), perf-script, pinatrace (Intel Pin), execlog (QEMU), din (Dinero), csv (one access per line, such as R,0x7f3a1c2b5e48,8), plain or compressed as .gz, .bz2, .xz, .zst or .zip.
    "]].assert_eq(&[with_samples, without, bare].map(|text| text + "\n").concat());
}
