//! Compares texts of `perf script` with counts of other programs.

use expect_test::{Expect, expect};
use pagewalk_base::trace::{Completeness, Kind, TraceBuilder};
use pagewalk_sources::import::ImportOptions;

use super::perf::{check_counts, summary, unpacked};
use super::support::{check, check_as, fixture, import, import_with};

fn text(name: &str) -> String {
    String::from_utf8(unpacked(&format!("script/{name}"))).unwrap()
}

#[test]
fn texts_hold_what_grep_counted() {
    assert!(check_counts("perf/script", "perf-script", |file| file.contains(".txt")) > 20);
}

fn check_file(name: &str, expected: &Expect) {
    expected.assert_eq(&summary(import(&fixture(&format!("perf/script/{name}"))), 3));
}

#[test]
fn measurements_are_reported() {
    check_file(
        "adl-mem-loads.perf-script.txt",
        &expect![[r#"
            Ok(LatencyFiltered)
            {"events":[{"name":"cpu_core/mem-loads,ldlat=30/","of":"accesses","completeness":"latency-filtered","period":null,"frequency":null,"samples":10,"accesses":10}],"lost":0,"kernel":10,"guest":0,"kernel_addresses":10,"unknown_kind":0,"faults":0,"tlb":{"l1":0,"l2":0,"no_walk":10,"walk":0,"unknown":0},"page_sizes":[]}
            perf-script: 10 records, 10 accesses
            load 0xffffb33a850078a0 0 pid 182628 tid 182628 ip 0xffffffff8cc2ba08
            load 0xffffb33a85007860 0 pid 182628 tid 182628 ip 0xffffffff8ce23476
            load 0xffffb33a85007b78 0 pid 182628 tid 182628 ip 0xffffffff8d2061d0
        "#]],
    );
    check_file(
        "bp-touch.full.txt.gz",
        &expect![[r#"
            Ok(Sampled)
            {"events":[{"name":"mem:0x0000000000406000","of":"accesses","completeness":"sampled","period":1,"frequency":null,"samples":80,"accesses":80},{"name":"mem:0x600000001000","of":"accesses","completeness":"sampled","period":1,"frequency":null,"samples":41,"accesses":41},{"name":"mem:0x600000200000","of":"accesses","completeness":"sampled","period":1,"frequency":null,"samples":40,"accesses":40}],"lost":0,"kernel":0,"guest":0,"kernel_addresses":0,"unknown_kind":161,"faults":0,"tlb":{"l1":0,"l2":0,"no_walk":0,"walk":0,"unknown":161},"page_sizes":[{"bytes":4096,"accesses":80},{"bytes":2097152,"accesses":81}]}
            perf-script: 161 records, 161 accesses
            load 0x406000 0 pid 9398 tid 9398 ip 0x4011ad
            load 0x406000 0 pid 9398 tid 9398 ip 0x4011b4
            load 0x600000001000 0 pid 9398 tid 9398 ip 0x4011d2
        "#]],
    );
    check_file(
        "multi.txt.gz",
        &expect![[r#"
            Ok(FirstTouches)
            {"events":[{"name":"page-faults/period=1/","of":"faults","completeness":"first-touches","period":null,"frequency":null,"samples":459,"accesses":459},{"name":"cpu-clock/period=100000/","of":"other","completeness":"sampled","period":null,"frequency":null,"samples":283,"accesses":0},{"name":"context-switches/period=1/","of":"other","completeness":"sampled","period":null,"frequency":null,"samples":3,"accesses":0}],"lost":0,"kernel":3,"guest":0,"kernel_addresses":0,"unknown_kind":440,"faults":0,"tlb":{"l1":0,"l2":0,"no_walk":0,"walk":0,"unknown":0},"page_sizes":[]}
            perf-script: 745 records, 459 accesses
              skipped 286 samples without a data address
              skipped 6 perf records that are not samples
              ! 286 samples have no data address: they cannot be replayed, but the Samples screen and `pagewalk samples` show where the program was; the first is line 4: `chase  9473/9473  [000]  2029.381118:   …`
            load 0x555b3f11f030 0 pid 9473 tid 9473 ip 0xffffffff817554ea
            load 0x7eff3723b110 0 pid 9473 tid 9473 ip 0xffffffff817554ea
            load 0x7ffd04090af9 0 pid 9473 tid 9473 ip 0xffffffff81b75d98
        "#]],
    );
    check_file(
        "pf-matmul.header-mmap.txt.gz",
        &expect![[r#"
            Ok(FirstTouches)
            {"events":[{"name":"page-faults","of":"faults","completeness":"first-touches","period":1,"frequency":null,"samples":400,"accesses":400}],"lost":0,"kernel":3,"guest":0,"kernel_addresses":0,"unknown_kind":382,"faults":0,"tlb":{"l1":0,"l2":0,"no_walk":0,"walk":0,"unknown":0},"page_sizes":[]}
            perf-script: 400 records, 400 accesses
              skipped 28 comment lines
              skipped 31 perf records that are not samples
            load 0x5570a8200028 0 pid 9379 tid 9379 ip 0xffffffff817554ea
            load 0x7f6436047110 0 pid 9379 tid 9379 ip 0xffffffff817554ea
            load 0x7fff24979e40 0 pid 9379 tid 9379 ip 0xffffffff821ef0fd
        "#]],
    );
}

#[test]
fn quoted_lines_are_read() {
    check_file(
        "hybrid-core-and-atom.perf-script.txt",
        &expect![[r#"
            Ok(LatencyFiltered)
            {"events":[{"name":"cpu_core/MEM_UOPS_RETIRED.LOAD_LATENCY/","of":"accesses","completeness":"latency-filtered","period":10000,"frequency":null,"samples":1,"accesses":1},{"name":"cpu_atom/MEM_UOPS_RETIRED.LOAD_LATENCY/","of":"accesses","completeness":"latency-filtered","period":10000,"frequency":null,"samples":1,"accesses":0}],"lost":0,"kernel":0,"guest":0,"kernel_addresses":0,"unknown_kind":0,"faults":0,"tlb":{"l1":0,"l2":0,"no_walk":1,"walk":0,"unknown":0},"page_sizes":[]}
            perf-script: 2 records, 1 accesses
              skipped 1 samples without a data address
              ! In 1 of the samples there is one column of addresses, with a symbol or in its place. It was read as the instruction pointer, which perf script prints by default. If the recording has data addresses, print them with perf script -F +addr. If it is the data address, import with --format perf-script-addr
              ! 1 sample has no data address: it cannot be replayed, but the Samples screen and `pagewalk samples` show where the program was; it is line 2: `gnome-control-c  534224 [023] 544951.816…`
            load 0x7ffdf1391b0c 0 pid 46572 tid 46572 cpu 2 ip 0x7fad7c47425d
        "#]],
    );
    check_file(
        "amd-ibs.data_src.txt",
        &expect![[r#"
            Ok(Sampled)
            {"events":[{"name":"","of":"accesses","completeness":"sampled","period":null,"frequency":null,"samples":10,"accesses":0}],"lost":0,"kernel":0,"guest":0,"kernel_addresses":0,"unknown_kind":0,"faults":0,"levels_only":10,"tlb":{"l1":0,"l2":0,"no_walk":0,"walk":0,"unknown":0},"page_sizes":[]}
            perf-script: 10 records, 0 accesses
              skipped 10 samples without a data address
              ! 10 samples have no data address: they cannot be replayed, but the Samples screen and `pagewalk samples` show where the program was; the first is line 1: `51080242 |OP LOAD|LVL LFB/MAB hit|SNP N/…`
        "#]],
    );
    check_file(
        "arm-spe.perf-script.txt",
        &expect![[r#"
            Ok(Sampled)
            {"events":[{"name":"l1d-miss","of":"accesses","completeness":"sampled","period":1,"frequency":null,"samples":1,"accesses":0},{"name":"l1d-access","of":"other","completeness":"sampled","period":1,"frequency":null,"samples":1,"accesses":0},{"name":"llc-miss","of":"other","completeness":"sampled","period":1,"frequency":null,"samples":1,"accesses":0},{"name":"llc-access","of":"other","completeness":"sampled","period":1,"frequency":null,"samples":1,"accesses":0},{"name":"tlb-access","of":"other","completeness":"sampled","period":1,"frequency":null,"samples":1,"accesses":0},{"name":"memory","of":"other","completeness":"sampled","period":1,"frequency":null,"samples":1,"accesses":0}],"lost":0,"kernel":0,"guest":0,"kernel_addresses":0,"unknown_kind":0,"faults":0,"levels_only":1,"tlb":{"l1":0,"l2":0,"no_walk":0,"walk":0,"unknown":0},"page_sizes":[]}
            perf-script: 6 records, 0 accesses
              skipped 6 samples without a data address
              ! 6 samples have no data address: they cannot be replayed, but the Samples screen and `pagewalk samples` show where the program was; the first is line 1: `memstress  3603 [020]   122.463754:     …`
        "#]],
    );
    check_file(
        "arm-spe-extended-op.perf-script.txt",
        &expect![[r#"
            Ok(Sampled)
            {"events":[{"name":"","of":"accesses","completeness":"sampled","period":null,"frequency":null,"samples":3,"accesses":0}],"lost":0,"kernel":0,"guest":0,"kernel_addresses":0,"unknown_kind":0,"faults":0,"levels_only":3,"tlb":{"l1":0,"l2":0,"no_walk":0,"walk":0,"unknown":0},"page_sizes":[]}
            perf-script: 3 records, 0 accesses
              skipped 3 samples without a data address
              ! 3 samples have no data address: they cannot be replayed, but the Samples screen and `pagewalk samples` show where the program was; the first is line 1: `sve-test 6516696.714341:  44400028810014…`
        "#]],
    );
    check_file(
        "phys-page-size.perf-script.txt",
        &expect![[r#"
            Ok(LatencyFiltered)
            {"events":[{"name":"mem-loads:uP","of":"accesses","completeness":"latency-filtered","period":null,"frequency":null,"samples":12,"accesses":0}],"lost":0,"kernel":0,"guest":0,"kernel_addresses":0,"unknown_kind":0,"faults":0,"tlb":{"l1":0,"l2":0,"no_walk":0,"walk":0,"unknown":0},"page_sizes":[]}
            perf-script: 12 records, 0 accesses
              skipped 12 samples without a data address
              ! In 12 of the samples there is one column of addresses, without a symbol. All are as low as physical addresses, so it was read as the physical address, which cannot be simulated. If the recording has data addresses, print them with perf script -F +addr. If it is the data address, import with --format perf-script-addr
              ! 12 samples have no data address: they cannot be replayed, but the Samples screen and `pagewalk samples` show where the program was; the first is line 1: `dtlb mem-loads:uP:        3fec82ea8 4K`
        "#]],
    );
}

#[test]
fn the_error_code_of_a_fault_tells_its_kind() {
    let (_, accesses) = import(&fixture("perf/script/tp-pagefault.txt.gz"));
    let of = |kind| accesses.iter().filter(|access| access.kind == kind).count();
    // 22 × 0x14; 15 × 0x4; 3 × 0x2, 230 × 0x6, 7 × 0x7.
    assert_eq!((of(Kind::Fetch), of(Kind::Load), of(Kind::Store)), (22, 15, 240));
}

#[test]
fn an_operation_that_is_printed_for_each_of_its_events_is_one_access() {
    let line = |event: &str| {
        format!(
            "memstress  3603 [020]   122.463754:          1            {event}:     aaaac1000000       8688000842 |OP LOAD|LVL L3 or L3 hit|SNP N/A|TLB Walker hit|LCK No|BLK  N/A               aaaac17c3e88 [unknown] (/home/ubuntu/memstress)\n"
        )
    };
    let text = format!("{}{}{}", line("l1d-miss"), line("l1d-access"), line("tlb-access"));
    check(
        &(text.clone() + &line("l1d-miss")),
        &expect![[r"
            perf-script: 4 records, 2 accesses
              skipped 2 samples that repeat the previous access for another event
            load 0xaaaac1000000 0 pid 3603 tid 3603 cpu 20 ip 0xaaaac17c3e88
            load 0xaaaac1000000 0 pid 3603 tid 3603 cpu 20 ip 0xaaaac17c3e88
        "]],
    );
}

#[test]
fn lines_that_are_no_samples_are_counted() {
    check(
        "Warning: something happened\nVM:7 VCPU:000 init 7/8 [001] G 2.603438: cycles:     7f0000001000     7f0000002000\nsh 9 2.700000: PERF_RECORD_LOST lost 23\n",
        &expect![[r"
            perf-script: 1 records, 1 accesses
              skipped 1 other lines
              skipped 1 perf records that are not samples
              ! 1 line is not a sample and was skipped; it is line 1: `Warning: something happened`
            load 0x7f0000001000 0 pid 2147483655 tid 8 cpu 1 ip 0x7f0000002000
        "]],
    );
}

#[test]
fn instructions_that_are_offsets_in_a_file_are_no_addresses() {
    // The frames of the kernel and of code without a file are addresses.
    check(
        "a 7/7 1.000001: 1 page-faults:     7f6436047110 x (/usr/lib/libc.so.6)\n\t           1ab70 _start (/usr/lib/ld.so.2)\n\t           1ab78 f (/usr/lib/ld.so.2)\n\n\
         a 7/7 1.000002: 1 page-faults:     7f6436047210 x (/usr/lib/libc.so.6)\n\t            1139 main (/tmp/a)\n\n\
         a 7/7 1.000003: 1 page-faults:     7f6436047310 x (/usr/lib/libc.so.6)\n\tffffffff817554ea elf_load ([kernel.kallsyms])\n\n\
         a 7/7 1.000004: 1 page-faults:     7f6436047410 x (/usr/lib/libc.so.6)\n\t    7f76480f2ad7 [unknown] (/tmp/perf-7.map)\n\n",
        &expect![[r"
            perf-script: 4 records, 4 accesses
              skipped 4 blank lines
              ! In 2 of the samples perf script printed the instruction as an offset in its file, so its address is unknown. The call paths are known by name; for addresses, print the text again with -G, which leaves out call paths
            load 0x7f6436047110 0 pid 7 tid 7
            load 0x7f6436047210 0 pid 7 tid 7
            load 0x7f6436047310 0 pid 7 tid 7 ip 0xffffffff817554ea
            load 0x7f6436047410 0 pid 7 tid 7 ip 0x7f76480f2ad7
        "]],
    );
    // Older versions of perf print addresses.
    check(
        "a 7/7 1.000001: 1 page-faults:     7f6436047110 x (/usr/lib/libc.so.6)\n\t    7f643602db70 _start (/usr/lib/ld.so.2)\n\t          401139 main (/tmp/a)\n\n",
        &expect![[r"
            perf-script: 1 records, 1 accesses
              skipped 1 blank lines
            load 0x7f6436047110 0 pid 7 tid 7 ip 0x7f643602db70
        "]],
    );
}

#[test]
fn a_frame_after_a_blank_line_is_no_sample() {
    check(
        "a 7/7 1.000001: 1 page-faults:     7f6436047110\n\n\tffffffff817554ea\n\nb 8/8 1.000002: 1 page-faults:     7f6436047210\n",
        &expect![[r"
            perf-script: 2 records, 2 accesses
              skipped 2 blank lines
              skipped 1 lines of callchains
              ! In 2 of the samples there is one column of addresses, without a symbol. It was read as the data address. If it is the instruction pointer, import with --format perf-script-ip
            load 0x7f6436047110 0 pid 7 tid 7
            load 0x7f6436047210 0 pid 8 tid 8
        "]],
    );
}

#[test]
fn records_without_a_time_are_records() {
    check_as(
        "perf-script",
        "page-faults:     7f6436047110\nPERF_RECORD_MMAP2 7/7: [0x401000(0x1000) @ 0x1000 fd:01 1 0]: r-xp /tmp/a\npage-faults:     7f6436047210\nPERF_RECORD_LOST lost 2\n",
        &expect![[r"
            perf-script: 2 records, 2 accesses
              skipped 2 perf records that are not samples
              ! In 2 of the samples there is one column of addresses, without a symbol. It was read as the data address. If it is the instruction pointer, import with --format perf-script-ip
            load 0x7f6436047110 0
            load 0x7f6436047210 0
        "]],
    );
}

#[test]
fn maps_of_processes_reach_the_trace() {
    let text = text("pf-matmul.header-mmap.txt.gz");
    let mut builder = TraceBuilder::default();
    let mut importer = pagewalk_sources::import::Importer::new(ImportOptions::default()).unwrap();
    importer.push(text.as_bytes(), &mut builder).unwrap();
    let report = importer.finish(&mut builder).unwrap();
    assert_eq!(report.completeness, Completeness::FirstTouches);
    let trace = builder.finish(report.completeness).unwrap();
    assert_eq!(trace.completeness, Completeness::FirstTouches);
    let stack = trace.mappings().iter().find(|mapping| mapping.name == "[stack]").unwrap();
    assert_eq!((stack.pid, stack.start, stack.end), (9379, 0x7fff_2495_a000, 0x7fff_2497_b000));
    assert_eq!(trace.mappings().len(), text.matches("PERF_RECORD_MMAP2").count());
}

#[test]
fn every_beginning_of_a_text_ends() {
    for name in ["pf-callchain.txt.gz", "pf-matmul.header-mmap.txt.gz", "bp-touch.full.txt.gz"] {
        let text = text(name);
        for end in 0..text.len().min(3000) {
            drop(import_with(ImportOptions::default(), &text.as_bytes()[..end], 1 << 16));
        }
    }
}

#[test]
fn an_event_whose_name_is_no_text_is_one_event() {
    let line = b"x 7/7 [000] 1.000001: 1 caf\xe9: 7f00 401000\n";
    let (report, _) = import(&line.repeat(3));
    let events = report.unwrap().sampling.unwrap().events;
    assert_eq!((events.len(), events[0].samples), (1, 3));
}
