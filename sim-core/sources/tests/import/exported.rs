//! A trace that is written as a list is read as the same trace. Other formats report what they leave out.

use cases::cases;
use expect_test::expect;
use pagewalk_base::trace::{Completeness, OpRecord, Trace, TraceBuilder};
use pagewalk_sources::export::{ExportFormat, Exporter};
use pagewalk_sources::import::{ImportOptions, Importer};

use super::saved::{any_trace, read_plainly};
use super::support::fixture;

fn export(trace: &Trace, format: ExportFormat) -> (String, Exporter) {
    let mut exporter = Exporter::new(format, trace.completeness, trace.part);
    let mut text = Vec::new();
    exporter.head(&mut text);
    for chunk in trace.chunks() {
        exporter.chunk(chunk, &mut text);
    }
    (String::from_utf8(text).unwrap(), exporter)
}

fn read(text: &str) -> Trace {
    let mut builder = TraceBuilder::default();
    let mut importer = Importer::new(ImportOptions::default()).unwrap();
    importer.push(text.as_bytes(), &mut builder).unwrap();
    let report = importer.finish(&mut builder).unwrap();
    let mut trace = builder.finish(report.completeness).unwrap();
    trace.part = report.part;
    trace
}

fn assert_same(one: &Trace, other: &Trace) {
    assert!(one.accesses_from(0).eq(other.accesses_from(0)));
    assert!(one.ops().eq(other.ops()));
    assert_eq!((one.completeness, one.part), (other.completeness, other.part));
}

#[test]
fn any_trace_is_the_same_after_a_list() {
    cases(135).check(|u| {
        let (mut trace, _) = any_trace(u)?;
        trace.part = u.arbitrary()?;
        assert_same(&trace, &read(&export(&trace, ExportFormat::Csv).0));
        Ok(())
    });
}

#[test]
fn recorded_traces_are_the_same_after_a_list() {
    for name in ["matmul24.full.txt.xz", "perf/data/pf-matmul.perf.data.gz"] {
        let (trace, _) = read_plainly(&fixture(name));
        let (text, exporter) = export(&trace, ExportFormat::Csv);
        assert_same(&trace, &read(&text));
        assert_eq!(exporter.lost(), []);
    }
}

/// Writes every operation that a list can hold, and reads it again.
#[test]
fn operations_are_the_same_after_a_list() {
    let all = "mov-cr3 pcid=2 keep|mov-cr3|invlpg 0x1000|invpcid 0x7000 type=0 pcid=2|invpcid type=3\
        |mov-cr4 pge=0|mov-cr0 wp=1|mov-cr0 pg|wrmsr nxe=0|stac|clac|syscall|sysret|wrpkru 0x4\
        |mprotect 0x1000 8192 r-x key=3 no-flush|mprotect 0x1000 4096 ---|munmap 0x1000 8192\
        |madvise 0x2000 4096 dontneed|fork child=7|fork child=8 no-flush\
        |set-entry 0x1000 level=1 set=0x20 clear=0x1|invept type=1 eptp=0x1000|invvpid 0x1000 type=0 vpid=1\
        |host-unmap 0x1000 for=gL1|host-protect 0x1000 r-x for=data|host-set-entry 0x1000 for=data level=1 clear=0x1";
    let mut builder = TraceBuilder::default();
    for (pid, op) in (0..).zip(all.split('|')) {
        let op = op.parse().unwrap_or_else(|why| panic!("{op}: {why}"));
        builder.push_op(&OpRecord { pid, tid: pid % 3, cpu: pid % 2, op }).unwrap();
        builder
            .push(&pagewalk_base::trace::Access::new(pagewalk_base::trace::Kind::Load, 0x1000, 8))
            .unwrap();
    }
    let trace = builder.finish(Completeness::Sampled).unwrap();
    assert_same(&trace, &read(&export(&trace, ExportFormat::Csv).0));
}

/// Returns the texts of a trace, each with the parts that it leaves out.
fn in_every_format(trace: &Trace) -> String {
    let mut text = String::new();
    for format in [ExportFormat::Lackey, ExportFormat::Csv, ExportFormat::Din] {
        let (lines, exporter) = export(trace, format);
        text += &lines;
        for lost in exporter.lost() {
            text += &format!("lost: {} {}\n", lost.count, lost.what);
        }
    }
    text
}

#[test]
fn other_formats_say_what_they_leave_out() {
    let list = "kind,address,size,pid,tid,cpu,ip\nload,0x1000,8,7,7,1,0x400000\nprefetch,0x2000,1,,,,\n\
        munmap,0x1000,4096,7,,,\nfetch,0x401000,4,,,,\n";
    let trace = read(list);
    let text = in_every_format(&trace);
    expect![[r"
         L 00001000,8
        I  00401000,4
        lost: 1 prefetches
        lost: 1 threads and processes
        lost: 1 instruction pointers
        lost: 1 operations
        # completeness: complete       ·
        # part: false
        kind,address,size,pid,tid,cpu,ip,operands
        load,0x1000,8,7,7,1,0x400000,
        prefetch,0x2000,1,0,0,0,,
        munmap,0x1000,4096,7,0,0,,
        fetch,0x401000,4,0,0,0,,
        0 1000
        2 401000
        lost: 1 prefetches
        lost: 2 sizes
        lost: 1 threads and processes
        lost: 1 instruction pointers
        lost: 1 operations
    "]]
    .assert_eq(&text.replace(" \n", "·\n"));
}

#[test]
fn what_is_of_a_part_of_a_file_says_so() {
    let mut trace = read("# part: true\nkind,address\nload,0x1000\n");
    assert!(trace.part);
    trace.completeness = Completeness::Sampled;
    let text = in_every_format(&trace);
    expect![[r"
         L 00001000,0
        lost: 1 that accesses are missing between those recorded
        lost: 1 that the file had more accesses
        # completeness: sampled        ·
        # part: true·
        kind,address,size,pid,tid,cpu,ip,operands
        load,0x1000,0,0,0,0,,
        0 1000
        lost: 1 that accesses are missing between those recorded
        lost: 1 that the file had more accesses
    "]]
    .assert_eq(&text.replace(" \n", "·\n"));
    for other in ["", "# part: false\n", "# part: trueish\n"] {
        let list = format!("{other}kind,address\nload,0x1000\n# part: true\n");
        assert!(!read(&list).part, "{list}");
    }
}
