//! Compares the samples of a recording with its text, and the binary form with the text form.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use pagewalk_base::error::Result;
use pagewalk_base::samples::{Kept, Sample, Samples, SamplesBuilder};
use pagewalk_base::trace::{Access, Mapping, OpRecord};
use pagewalk_sources::import::{ImportOptions, ImportReport, Importer, Sink};

use super::support::fixture;

#[derive(Default)]
struct Keep(SamplesBuilder);

impl Sink for Keep {
    fn access(&mut self, _access: Access) -> Result<()> {
        Ok(())
    }

    fn op(&mut self, _record: OpRecord) -> Result<()> {
        Ok(())
    }

    fn mapping(&mut self, mapping: Mapping) -> Result<()> {
        self.0.map(&mapping);
        Ok(())
    }

    fn sample(&mut self, sample: &Sample<'_>) -> Result<()> {
        self.0.push(sample)
    }

    fn fork(&mut self, child: u32, parent: u32) -> Result<()> {
        self.0.fork(child, parent);
        Ok(())
    }
}

fn keep(file: &str) -> (ImportReport, Samples) {
    let mut keep = Keep::default();
    let mut importer = Importer::new(ImportOptions::default()).unwrap();
    importer.push(&fixture(&format!("perf/{file}")), &mut keep).unwrap();
    let report = importer.finish(&mut keep).unwrap();
    (report, keep.0.finish().unwrap())
}

fn show(samples: &Samples, sample: &Kept) -> String {
    let mut text = format!("{} {}/{} cpu {}", sample.event, sample.pid, sample.tid, sample.cpu);
    let name = |id: Option<u32>| id.map_or(("", ""), |id| samples.name(id));
    let place = |id: Option<u32>| {
        let place = id.and_then(|id| samples.places().get(id as usize));
        place.map_or(String::new(), |place| format!(" {} {}", place.kind.name(), place.name))
    };
    if let Some(time) = sample.time {
        write!(text, " {time} ns").unwrap();
    }
    if let Some(period) = sample.period {
        write!(text, " period {period}").unwrap();
    }
    if let Some(address) = sample.address {
        let kind = sample.kind.map_or("access", |kind| kind.name());
        write!(text, "\n  {kind} {address:#x}{}", place(sample.data_place)).unwrap();
        write!(text, " {:?} {:?}", sample.level, name(sample.data_name)).unwrap();
    }
    if let Some(cycles) = sample.latency {
        write!(text, " {cycles} cycles").unwrap();
    }
    if let Some(physical) = sample.physical {
        write!(text, " at {physical:#x}").unwrap();
    }
    if let Some(ip) = sample.ip {
        write!(text, "\n  {:?} ip {ip:#x}{}", sample.mode, place(sample.code_place)).unwrap();
        write!(text, " {:?}", name(sample.code_name)).unwrap();
    }
    if (sample.data_page, sample.code_page) != (None, None) {
        write!(text, " pages {:?} {:?}", sample.data_page, sample.code_page).unwrap();
    }
    text + "\n"
}

fn check(file: &str, expected: &Expect) {
    let (report, samples) = keep(file);
    assert!(samples.len() <= report.records);
    let mut text = String::new();
    for event in report.sampling.unwrap().events {
        let completeness = serde_json::to_value(event.completeness).unwrap();
        writeln!(text, "{}: {:?}, {completeness}", event.name, event.of).unwrap();
    }
    for sample in samples.iter().take(3) {
        text.push_str(&show(&samples, &sample));
    }
    expected.assert_eq(&text);
}

/// Removes the parts that a text can lack: names, regions if it has no map, and a fixed period.
fn bare(sample: &Kept) -> Kept {
    Kept {
        code_name: None,
        data_name: None,
        code_place: None,
        data_place: None,
        period: None,
        ..*sample
    }
}

#[test]
fn both_forms_of_a_recording_tell_the_same() {
    for (data, script) in [
        ("bp-touch.perf.data", "bp-touch.full.txt"),
        ("pf-full.perf.data", "pf-full.txt"),
        ("pf-callchain.perf.data", "pf-callchain.G.txt"),
        ("cpuclock-sort.perf.data", "cpuclock-sort.txt"),
    ] {
        let (_, data) = keep(&format!("data/{data}.gz"));
        let (_, text) = keep(&format!("script/{script}.gz"));
        assert_eq!(data.len(), text.len(), "{script}");
        for (in_data, in_text) in data.iter().zip(text.iter()) {
            let same_time = |sample: &Kept| Kept {
                // Times in texts have microseconds.
                time: sample.time.map(|time| time / 1000),
                // Only the name of the event gives the kind of access of a breakpoint or a fault.
                cpu: 0,
                ..bare(sample)
            };
            let (in_data, mut in_text) = (same_time(&in_data), same_time(&in_text));
            if in_text.time.is_none() {
                in_text.time = in_data.time;
            }
            if in_text.pid == in_text.tid {
                in_text.pid = in_data.pid;
            }
            assert_eq!(in_data, in_text, "{script}");
        }
    }
}

#[test]
fn what_perf_data_has_is_kept() {
    check(
        "data/quipper-weight_struct.gz",
        &expect![[r#"
        MEM_TRANS_RETIRED.LOAD_LATENCY:ldlat=64:precise=2:mh:mg:pinned: Accesses, "latency-filtered"
        dummy:HG: Other, "sampled"
        0 20132/20144 cpu 28 13166196585610 ns period 10009
          load 0x55ffba5cda08 file /usr/local/bin/islandserver NoWalk ("", "") 225 cycles
          Kernel ip 0xffffffffa4470d46 ("", "")
        0 17689/18995 cpu 29 13166270989426 ns period 10009
          load 0xffffffffa5e120e8 NoWalk ("", "") 96 cycles
          Kernel ip 0xffffffffa421a5fb ("", "")
        0 3216/3216 cpu 0 13167951101717 ns period 10009
          load 0xffffc36a5ba4ba40 NoWalk ("", "") 71 cycles
          Kernel ip 0xffffffffa423a747 ("", "")
    "#]],
    );
    check(
        "data/bp-touch.perf.data.gz",
        &expect![[r#"
        mem:0x0000000000406000: Accesses, "sampled"
        mem:0x600000001000: Accesses, "sampled"
        mem:0x600000200000: Accesses, "sampled"
        0 9398/9398 cpu 0 2019862208202 ns period 1
          access 0x406000 anonymous //anon Unknown ("", "")
          User ip 0x4011ad text /tmp/tracebin/touch ("", "") pages Some(12) Some(12)
        0 9398/9398 cpu 0 2019862231922 ns period 1
          access 0x406000 anonymous //anon Unknown ("", "") at 0x1d89bf000
          User ip 0x4011b4 text /tmp/tracebin/touch ("", "") pages Some(12) Some(12)
        1 9398/9398 cpu 0 2019862551870 ns period 1
          access 0x600000001000 anonymous //anon Unknown ("", "") at 0x263e01000
          User ip 0x4011d2 text /tmp/tracebin/touch ("", "") pages Some(21) Some(12)
    "#]],
    );
    check(
        "data/tp-pipe.perf.data.gz",
        &expect![[r#"
        exceptions:page_fault_user: Faults, "first-touches"
        0 22156/22156 cpu 0 3579487331697 ns period 1
          fetch 0x7f178dc24b70 library /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 Unknown ("", "")
          User ip 0x7f178dc24b70 library /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 ("", "")
        0 22156/22156 cpu 0 3579487335732 ns period 1
          store 0x7f178dc3de06 Unknown ("", "")
          User ip 0x7f178dc257ad library /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 ("", "")
        0 22156/22156 cpu 0 3579487337798 ns period 1
          store 0x7f178dc3ca80 Unknown ("", "")
          User ip 0x7f178dc257c9 library /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 ("", "")
    "#]],
    );
    check(
        "data/multi.perf.data.gz",
        &expect![[r#"
        page-faults/period=1/: Faults, "first-touches"
        cpu-clock/period=100000/: Execution, "sampled"
        context-switches/period=1/: Other, "sampled"
        0 9473/9473 cpu 0 2029381062228 ns period 1
          access 0x555b3f11f030 file /tmp/tracebin/chase Unknown ("", "")
          Kernel ip 0xffffffff817554ea ("", "")
        0 9473/9473 cpu 0 2029381080629 ns period 1
          access 0x7eff3723b110 library /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 Unknown ("", "")
          Kernel ip 0xffffffff817554ea ("", "")
        0 9473/9473 cpu 0 2029381090621 ns period 1
          access 0x7ffd04090af9 stack [stack] Unknown ("", "")
          Kernel ip 0xffffffff81b75d98 ("", "")
    "#]],
    );
    check(
        "data/quipper-lost_samples-4.4.gz",
        &expect![[r#"
        cycles:pp: Execution, "sampled"
        instructions:pp: Execution, "sampled"
        branch-instructions:pp: Other, "sampled"
        0 6288/6288 cpu 0 3325068166316 ns period 20003
          Kernel ip 0xffffffff8103f94e ("", "")
        0 6288/6288 cpu 0 3325068182834 ns period 20003
          Kernel ip 0xffffffff8112d124 ("", "")
        1 6288/6288 cpu 0 3325068193765 ns period 20003
          Kernel ip 0xffffffff8115320d ("", "")
    "#]],
    );
}

#[test]
fn events_of_time_are_recognised() {
    check(
        "data/cpuclock-sort.perf.data.gz",
        &expect![[r#"
        cpu-clock: Execution, "sampled"
        0 9417/9417 cpu 0 2023564174757 ns period 200000
          User ip 0x7f6130dd94a2 library /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 ("", "") pages None Some(12)
        0 9417/9417 cpu 0 2023564370267 ns period 200000
          User ip 0x7f6130dd80af library /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 ("", "") pages None Some(12)
        0 9417/9417 cpu 0 2023564568044 ns period 200000
          User ip 0x7f6130dd7ab0 library /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 ("", "") pages None Some(12)
    "#]],
    );
    check(
        "data/quipper-raw-3.4.gz",
        &expect![[r#"
        cycles: Execution, "sampled"
        0 21747/21747 cpu 0 235806188043 ns period 3170393
          Kernel ip 0xffffffff810ae538 ("", "")
        0 0/0 cpu 3 235806307595 ns period 918525
          Kernel ip 0xffffffff81019c66 ("", "")
        0 6842/6914 cpu 1 235806331647 ns period 545224
          User ip 0x7f306527c4c0 text /opt/google/chrome/chrome ("", "")
    "#]],
    );
}

#[test]
fn what_perf_script_prints_is_kept() {
    check(
        "script/bp-touch.full.txt.gz",
        &expect![[r#"
            mem:0x0000000000406000: Accesses, "sampled"
            mem:0x600000001000: Accesses, "sampled"
            mem:0x600000200000: Accesses, "sampled"
            0 9398/9398 cpu 0 2019862208000 ns period 1
              access 0x406000 Unknown ("", "")
              User ip 0x4011ad text /tmp/tracebin/touch ("main", "/tmp/tracebin/touch") pages Some(12) Some(12)
            0 9398/9398 cpu 0 2019862231000 ns period 1
              access 0x406000 Unknown ("", "") at 0x1d89bf000
              User ip 0x4011b4 text /tmp/tracebin/touch ("main", "/tmp/tracebin/touch") pages Some(12) Some(12)
            1 9398/9398 cpu 0 2019862551000 ns period 1
              access 0x600000001000 Unknown ("", "") at 0x263e01000
              User ip 0x4011d2 text /tmp/tracebin/touch ("main", "/tmp/tracebin/touch") pages Some(21) Some(12)
        "#]],
    );
    check(
        "script/amd-ibs.data_src.txt",
        &expect![[r#"
            : Accesses, "sampled"
            0 0/0 cpu 0
            0 0/0 cpu 0
            0 0/0 cpu 0
        "#]],
    );
    check(
        "script/arm-spe.perf-script.txt",
        &expect![[r#"
            l1d-miss: Accesses, "sampled"
            l1d-access: Other, "sampled"
            llc-miss: Other, "sampled"
            llc-access: Other, "sampled"
            tlb-access: Other, "sampled"
            memory: Other, "sampled"
            0 3603/3603 cpu 20 122463754000 ns period 1
              User ip 0xaaaac17c3e88 text /home/ubuntu/memstress ("", "/home/ubuntu/memstress")
        "#]],
    );
    check(
        "script/hybrid-core-and-atom.perf-script.txt",
        &expect![[r#"
        cpu_core/MEM_UOPS_RETIRED.LOAD_LATENCY/: Accesses, "latency-filtered"
        cpu_atom/MEM_UOPS_RETIRED.LOAD_LATENCY/: Accesses, "latency-filtered"
        0 46572/46572 cpu 2 544966882384000 ns period 10000
          load 0x7ffdf1391b0c NoWalk ("", "") 5 cycles
          User ip 0x7fad7c47425d library /usr/lib64/libglib-2.0.so.0.8000.3 ("", "/usr/lib64/libglib-2.0.so.0.8000.3")
        1 534224/534224 cpu 23 544951816227000 ns period 10000
          User ip 0x7f0aaaa0aae0 library /usr/lib64/libglib-2.0.so.0.8000.3 ("", "/usr/lib64/libglib-2.0.so.0.8000.3")
    "#]],
    );
    check(
        "script/pf-matmul.header-mmap.txt.gz",
        &expect![[r#"
        page-faults: Faults, "first-touches"
        0 9379/9379 cpu 0 2016813966000 ns period 1
          access 0x5570a8200028 file /tmp/tracebin/matmul Unknown ("__TMC_END__", "/tmp/tracebin/matmul")
          Kernel ip 0xffffffff817554ea anonymous [kernel.kallsyms] ("elf_load", "[kernel.kallsyms]")
        0 9379/9379 cpu 0 2016813994000 ns period 1
          access 0x7f6436047110 library /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 Unknown ("dl_close_state.2", "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2")
          Kernel ip 0xffffffff817554ea anonymous [kernel.kallsyms] ("elf_load", "[kernel.kallsyms]")
        0 9379/9379 cpu 0 2016814009000 ns period 1
          access 0x7fff24979e40 stack [stack] Unknown ("", "[stack]")
          Kernel ip 0xffffffff821ef0fd anonymous [kernel.kallsyms] ("__put_user_8", "[kernel.kallsyms]")
    "#]],
    );
    check(
        "script/cpuclock-sort.txt.gz",
        &expect![[r#"
        cpu-clock: Execution, "sampled"
        0 9417/9417 cpu 0 2023564174000 ns
          User ip 0x7f6130dd94a2 library /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 ("init_cpu_features.constprop.0", "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2") pages None Some(12)
        0 9417/9417 cpu 0 2023564370000 ns
          User ip 0x7f6130dd80af library /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 ("handle_intel.constprop.0", "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2") pages None Some(12)
        0 9417/9417 cpu 0 2023564568000 ns
          User ip 0x7f6130dd7ab0 library /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 ("get_common_cache_info.constprop.0", "/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2") pages None Some(12)
    "#]],
    );
}
