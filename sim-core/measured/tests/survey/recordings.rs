//! Tests of surveys of real recordings.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use pagewalk_base::error::Result;
use pagewalk_base::samples::{Sample, SamplesBuilder};
use pagewalk_base::trace::{Access, Mapping, OpRecord};
use pagewalk_measured::survey::{SurveyReport, SurveySide, SurveyTable};
use pagewalk_sources::import::{ImportOptions, Importer, Sink};

use super::support::{options, survey};

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
}

fn report(file: &str) -> SurveyReport {
    let path = format!("{}/../../tests/fixtures/traces/perf/{file}", env!("CARGO_MANIFEST_DIR"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut keep = Keep::default();
    let mut importer = Importer::new(ImportOptions::default()).unwrap();
    importer.push(&bytes, &mut keep).unwrap();
    let import = importer.finish(&mut keep).unwrap();
    let samples = keep.0.finish().unwrap();
    survey(&samples, &import.sampling.unwrap().events, options())
}

fn table(text: &mut String, what: &str, table: &SurveyTable) {
    for row in table.rows.iter().take(3) {
        let name = match &row.region {
            Some(region) => format!("{:?} {}", region.kind, region.name),
            None => format!("{} {}", row.name, row.file),
        };
        let counts = &row.counts;
        write!(text, "  {what} {name}: {} of {}", counts.weight, counts.samples).unwrap();
        if counts.levels.walk + counts.levels.no_walk > 0 {
            write!(text, ", {} walked", counts.levels.walk).unwrap();
        }
        text.push('\n');
    }
}

fn side(text: &mut String, name: &str, side: Option<&SurveySide>) {
    let Some(side) = side else { return };
    writeln!(
        text,
        "{name}: {:?}, events {:?}, {} samples, {} without address, {} and {} pages, once {}",
        side.completeness,
        side.events,
        side.total.samples,
        side.without_address,
        side.pages_4k,
        side.pages_2m,
        side.once
    )
    .unwrap();
    table(text, "region", &side.regions);
    table(text, "symbol", &side.symbols);
    table(text, "size", &side.page_sizes);
    for range in side.ranges.rows.iter().take(2) {
        let what = format!("{:?}, mapped {:?}", range.backing, range.mapped);
        writeln!(text, "  range {} {} of 512, {what}", range.start, range.touched).unwrap();
    }
    for estimate in &side.estimates {
        let numbers = (estimate.low, estimate.hit_rate, estimate.high);
        writeln!(text, "  {} in {}: {numbers:?}", estimate.pages, estimate.entries).unwrap();
    }
}

fn check(file: &str, expected: &Expect) {
    let report = report(file);
    let mut text = String::new();
    side(&mut text, "data", report.data.as_ref());
    side(&mut text, "faults", report.faults.as_ref());
    side(&mut text, "code", report.code.as_ref());
    expected.assert_eq(&text);
}

#[test]
fn samples_of_loads_by_intel() {
    check(
        "data/quipper-weight_struct.gz",
        &expect![[r"
        data: LatencyFiltered, events [0], 14 samples, 0 without address, 14 and 14 pages, once 1
          region None kernel: 80072 of 8, 0 walked
          region Some(File) /usr/local/bin/borglets/borglet-baseline/borglet: 10009 of 1, 0 walked
          region Some(File) /usr/local/bin/islandserver: 10009 of 1, 0 walked
          range 0x448253a00000 1 of 512, Unknown, mapped Some(true)
          range 0x4e00000 1 of 512, Unknown, mapped Some(true)
          4K in 64: (0.0, 1.0, 1.0)
          4K in 512: (0.0, 1.0, 1.0)
          2M in 64: (0.0, 1.0, 1.0)
          2M in 512: (0.0, 1.0, 1.0)
    "]],
    );
}

#[test]
fn samples_with_page_sizes_and_frames() {
    check(
        "data/bp-touch.perf.data.gz",
        &expect![[r"
            data: Sampled, events [0, 1, 2], 161 samples, 0 without address, 3 and 3 pages, once 0
              region Some(Anonymous) 0x600000000000–0x600000400000: 81 of 81
              region Some(Anonymous) 0x405000–0x40e000: 80 of 80
              size 2M : 81 of 81
              size 4K : 80 of 80
              range 0x400000 1 of 512, Small, mapped Some(false)
              range 0x600000000000 1 of 512, Huge, mapped Some(true)
              4K in 64: (1.0, 1.0, 1.0)
              4K in 512: (1.0, 1.0, 1.0)
              2M in 64: (1.0, 1.0, 1.0)
              2M in 512: (1.0, 1.0, 1.0)
        "]],
    );
    check(
        "script/bp-touch.full.txt.gz",
        &expect![[r"
            data: Sampled, events [0, 1, 2], 161 samples, 0 without address, 3 and 3 pages, once 0
              region Some(Anonymous) data: 161 of 161
              symbol main /tmp/tracebin/touch: 161 of 161
              size 2M : 81 of 81
              size 4K : 80 of 80
              range 0x400000 1 of 512, Small, mapped None
              range 0x600000000000 1 of 512, Huge, mapped None
              4K in 64: (1.0, 1.0, 1.0)
              4K in 512: (1.0, 1.0, 1.0)
              2M in 64: (1.0, 1.0, 1.0)
              2M in 512: (1.0, 1.0, 1.0)
        "]],
    );
}

#[test]
fn first_touches_have_no_hit_rate() {
    check(
        "data/pf-matmul.perf.data.gz",
        &expect![[r"
        faults: FirstTouches, events [0], 400 samples, 0 without address, 397 and 7 pages, once 0.985
          region Some(Anonymous) 0x7f6435cc2000–0x7f6435e1e000: 340 of 340
          region Some(Library) /usr/lib/x86_64-linux-gnu/libc.so.6: 28 of 28
          region Some(Library) /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2: 9 of 9
          range 0x7f6435c00000 316 of 512, Unknown, mapped Some(false)
          range 0x7f6435e00000 60 of 512, Unknown, mapped Some(false)
    "]],
    );
    check(
        "script/tp-pagefault.txt.gz",
        &expect![[r"
        faults: FirstTouches, events [0, 1], 277 samples, 0 without address, 274 and 6 pages, once 0.978339
          region Some(Anonymous) data: 275 of 275
          region Some(Stack) stack: 2 of 2
          range 0x7f8842200000 229 of 512, Unknown, mapped None
          range 0x7f8842400000 30 of 512, Unknown, mapped None
    "]],
    );
}

#[test]
fn samples_of_time_show_code() {
    check(
        "data/cpuclock-sort.perf.data.gz",
        &expect![[r"
            code: Sampled, events [0], 1550 samples, 0 without address, 63 and 14 pages, once 0.021935
              region Some(Text) /usr/bin/sort: 271400000 of 1357
              region Some(Library) /usr/lib/x86_64-linux-gnu/libc.so.6: 26400000 of 132
              region None kernel: 9600000 of 48
              size 4K : 302600000 of 1513
              size 2M : 7400000 of 37
              range 0x55ecda400000 6 of 512, Small, mapped Some(false)
              range 0x564a0ae00000 4 of 512, Small, mapped Some(false)
              4K in 64: (0.972903, 1.0, 1.0)
              4K in 512: (0.972903, 1.0, 1.0)
              2M in 64: (0.996774, 1.0, 1.0)
              2M in 512: (0.996774, 1.0, 1.0)
        "]],
    );
    check(
        "script/cpuclock-sort.txt.gz",
        &expect![[r"
            code: Sampled, events [0], 1550 samples, 0 without address, 63 and 14 pages, once 0.021935
              region Some(Text) /usr/bin/sort: 1357 of 1357
              region Some(Library) /usr/lib/x86_64-linux-gnu/libc.so.6: 132 of 132
              region None kernel: 48 of 48
              symbol  /usr/bin/sort: 1340 of 1340
              symbol __memcmp_evex_movbe /usr/lib/x86_64-linux-gnu/libc.so.6: 53 of 53
              symbol __stpncpy_evex /usr/lib/x86_64-linux-gnu/libc.so.6: 21 of 21
              size 4K : 1513 of 1513
              size 2M : 37 of 37
              range 0x55ecda400000 6 of 512, Small, mapped None
              range 0x564a0ae00000 4 of 512, Small, mapped None
              4K in 64: (0.972903, 1.0, 1.0)
              4K in 512: (0.972903, 1.0, 1.0)
              2M in 64: (0.996774, 1.0, 1.0)
              2M in 512: (0.996774, 1.0, 1.0)
        "]],
    );
}

#[test]
fn a_recording_may_have_sides() {
    check(
        "data/multi.perf.data.gz",
        &expect![[r"
        faults: FirstTouches, events [0], 459 samples, 0 without address, 456 and 6 pages, once 0.986928
          region Some(Anonymous) 0x7eff36e7d000–0x7eff37012000: 401 of 401
          region Some(Library) /usr/lib/x86_64-linux-gnu/libc.so.6: 27 of 27
          region Some(Library) /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2: 10 of 10
          range 0x7eff36e00000 387 of 512, Unknown, mapped Some(false)
          range 0x7eff37000000 49 of 512, Unknown, mapped Some(false)
        code: Sampled, events [1], 283 samples, 0 without address, 14 and 7 pages, once 0.031802
          region Some(Text) /tmp/tracebin/chase: 26400000 of 264
          region None kernel: 1300000 of 13
          region Some(Library) /usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2: 600000 of 6
          range 0x555b3f000000 1 of 512, Unknown, mapped Some(false)
          range 0x7eff37200000 4 of 512, Unknown, mapped Some(false)
          4K in 64: (0.968198, 1.0, 1.0)
          4K in 512: (0.968198, 1.0, 1.0)
          2M in 64: (0.996466, 1.0, 1.0)
          2M in 512: (0.996466, 1.0, 1.0)
    "]],
    );
    check(
        "data/linux-perf-data-fibo.compressed2.pipe.data.gz",
        &expect![[r"
        data: Sampled, events [0], 257 samples, 290 without address, 16 and 13 pages, once 0.046028
          region Some(Stack) [stack]: 398045860 of 237
          region None kernel: 43398288 of 16
          region Some(Anonymous) 0x7f22cd527000–0x7f22cd52a000: 6432504 of 1
          range 0x7fff15e00000 1 of 512, Unknown, mapped Some(false)
          range 0xffffcc06e3400000 1 of 512, Unknown, mapped None
          4K in 64: (0.953972, 1.0, 1.0)
          4K in 512: (0.953972, 1.0, 1.0)
          2M in 64: (0.956733, 1.0, 1.0)
          2M in 512: (0.956733, 1.0, 1.0)
        code: Sampled, events [0], 540 samples, 7 without address, 22 and 9 pages, once 0.090557
          region Some(Text) /home/arthur/Projects/CodSpeedHQ/codspeed-rust/target/codspeed/walltime/codspeed-divan-compat/fib_example: 836230341 of 485
          region None kernel: 87464445 of 52
          region Some(Library) /usr/lib/libc.so.6: 4648077 of 3
          range 0x55834e000000 1 of 512, Unknown, mapped Some(false)
          range 0xffffffffb8600000 6 of 512, Unknown, mapped None
          4K in 64: (0.909443, 1.0, 1.0)
          4K in 512: (0.909443, 1.0, 1.0)
          2M in 64: (0.970224, 1.0, 1.0)
          2M in 512: (0.970224, 1.0, 1.0)
    "]],
    );
}

#[test]
fn levels_without_addresses_are_counted() {
    check(
        "script/arm-spe.perf-script.txt",
        &expect![[r"
            data: Sampled, events [0], 1 samples, 1 without address, 0 and 0 pages, once 0
              symbol  /home/ubuntu/memstress: 1 of 1, 0 walked
        "]],
    );
    check(
        "script/amd-ibs.data_src.txt",
        &expect![[r"
            data: Sampled, events [0], 10 samples, 10 without address, 0 and 0 pages, once 0
        "]],
    );
}
