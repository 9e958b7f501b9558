//! Tests of the verdict on huge pages, and of the ways to get them, against numbers on paper and runs of the machine.

use expect_test::{Expect, expect};

use pagewalk::config::{MachineConfig, cpu, parse_json};
use pagewalk::os::Frames;
use pagewalk::run::window::Window;
use pagewalk_analysis::huge_pages::{
    Between, Decision, HugeAdvice, HugeOptions, HugeSetup, HugeVerdict, MeasuredWalks, Prices,
    RemedyKind, WalkCounters, advise,
};
use pagewalk_base::trace::{
    Access, Completeness, Kind, Mapping, Places, RegionKind, Trace, TraceBuilder,
};

use super::huge_pages::run;

/// One entry for data pages of 4K, so that every change of the page is a walk of four reads of 200 cycles. A walk to a
/// huge page has three.
const ONE_ENTRY: &str = r#"{"latency": {"l2_hit": 0}, "memory": {"dram": 200},
    "l1": [{"name": "i", "serves": ["fetch"], "entries": 4}, {"name": "d", "serves": ["load", "store"], "pages": ["4K"], "entries": 1}, {"name": "h", "serves": ["load", "store"], "pages": ["2M"], "entries": 2}]}"#;

/// Makes a trace of 25 rounds over four pages of the heap in two neighbouring ranges, with a fetch before each load.
fn rounds(completeness: Completeness) -> Trace {
    let mut builder = TraceBuilder::default();
    for (range, executable, name) in
        [(0x40_0000..0x60_0000, true, "/bin/join"), (0x60_0000..0xa0_0000, false, "[heap]")]
    {
        builder.map(Mapping::new(0, range, 0, executable, name).unwrap()).unwrap();
    }
    for n in 0..100 {
        let page = [0x60_0000, 0x60_1000, 0x80_0000, 0x80_1000][n % 4];
        builder.push(&Access::new(Kind::Fetch, 0x40_0000, 4)).unwrap();
        builder.push(&Access::new(Kind::Load, page, 8)).unwrap();
    }
    builder.finish(completeness).unwrap()
}

#[track_caller]
fn check_verdict(options: HugeOptions, completeness: Completeness, expected: &Expect) {
    let setup = HugeSetup::from(&parse_json::<MachineConfig>(ONE_ENTRY).unwrap());
    let advice = advise(&rounds(completeness), &setup, options).unwrap();
    let mut text = String::new();
    for point in &advice.points {
        text += &format!(
            "{} huge: {} walks, {} cycles\n",
            point.huge_pages,
            point.walks,
            point.miss_cycles()
        );
    }
    for row in &advice.rows {
        let (saving, touches) = (row.alone.unwrap(), row.first_touches);
        text += &format!(
            "{} {}-{}: {} pages, {} of {} walks and {} of {} cycles saved, {:.4} to {:.4} of the time, {} faults for {}, {:.4} to {:.4} ms\n",
            row.name,
            row.start,
            row.end,
            row.huge_pages,
            saving.walks,
            row.walks,
            saving.cycles,
            row.miss_cycles,
            saving.share.low,
            saving.share.high,
            touches.huge_faults,
            touches.small_faults,
            touches.more_ms.low,
            touches.more_ms.high
        );
    }
    for remedy in &advice.remedies {
        let saved = remedy.saving.unwrap().walks;
        text += &format!(
            "{:?} of {}: {saved} walks saved by {}\n",
            remedy.by,
            remedy.of,
            remedy.commands.join("; ")
        );
    }
    if let Some(verdict) = &advice.verdict {
        text += &format!(
            "{:?}, {} of {} cycles\n{}\n",
            verdict.decision, verdict.huge_pages, verdict.saving.cycles, verdict.text
        );
    }
    expected.assert_eq(&text);
}

/// On paper: 101 walks of 800 cycles, 100 of them of the heap, and 100 instructions. With both ranges of the heap huge,
/// two walks of 600 are left. So 78,800 cycles are saved: of 100 + 80,800 at most, and of 100 + 101 · 200 + 80,800 at
/// least. Two faults of 4,300 to 10,400 µs replace four of 2.7 to 3.8 µs. The
/// code comes from a file, so its first touches have no price.
#[test]
fn savings_and_prices_follow_on_paper() {
    check_verdict(
        HugeOptions::default(),
        Completeness::Complete,
        &expect![[r"
            0 huge: 101 walks, 80800 cycles
            1 huge: 52 walks, 41400 cycles
            2 huge: 3 walks, 2000 cycles
            3 huge: 3 walks, 1800 cycles
            [heap] 0x600000-0xa00000: 2 pages, 98 of 100 walks and 78800 of 80000 cycles saved, 0.7794 to 0.9740 of the time, 2 faults for 4, 8.5848 to 20.7892 ms
            /bin/join 0x400000-0x600000: 1 pages, 0 of 1 walks and 200 of 800 cycles saved, 0.0020 to 0.0025 of the time, 0 faults for 0, 0.0000 to 0.0000 ms
            Madvise of [heap]: 98 walks saved by madvise((void *)0x600000, 4 << 20, MADV_HUGEPAGE); // [heap]
            GlibcTunables of all memory of malloc: 98 walks saved by GLIBC_TUNABLES=glibc.malloc.hugetlb=1 ./program
            MallocConf of all memory of malloc, in programs with jemalloc: 98 walks saved by MALLOC_CONF=thp:always ./program
            Hugetlbfs of all memory of malloc: 98 walks saved by sysctl vm.nr_hugepages=2; GLIBC_TUNABLES=glibc.malloc.hugetlb=2 ./program
            LinkerAlignment of code: 0 walks saved by cc -Wl,-z,max-page-size=2097152 -Wl,-z,common-page-size=2097152 …; madvise(text, length, MADV_HUGEPAGE); // needs CONFIG_READ_ONLY_THP_FOR_FS
            Undecided, 2 of 78800 cycles
            2 pages of 2M save 78 to 97 % of this run's time, without first touches. They pay in this run if a first touch of 2M takes less than 13 µs more than the 2 first touches of 4K that it replaces. On one other machine, a first touch took 2.7 to 3.8 µs with 4K and 4,300 to 10,400 µs with 2M. To decide: measure yours with the command in docs/command-line.md, and give --first-touch. Without huge pages, 80 to 99.8 % of the time is translation. There are 101 walks, 5 of them at first touches. The saved translation is 0.026 ms.
        "]],
    );
}

/// Memory that a program maps itself is not malloc's. Only names of heap blocks tell the two apart.
#[test]
fn malloc_settings_reach_anonymous_memory_unless_heap_blocks_have_names() {
    use RemedyKind::{GlibcTunables, Hugetlbfs, Madvise, MallocConf};

    let reached = |blocks: u64| {
        let mut builder = TraceBuilder::default();
        for (range, name) in [(0x60_0000..0x80_0000, "list (malloc)"), (0x80_0000..0xa0_0000, "")] {
            let mapping = Mapping::new(0, range, 0, false, name).unwrap();
            let kind = if name.is_empty() { RegionKind::Anonymous } else { RegionKind::Heap };
            builder.map(Mapping { kind, ..mapping }).unwrap();
        }
        let mut places = Places::default();
        if blocks > 0 {
            places.add_blocks("list (malloc)", blocks);
        }
        builder.places(&places).unwrap();
        for n in 0..100 {
            let page = [0x60_0000, 0x60_1000, 0x80_0000, 0x80_1000][n % 4];
            builder.push(&Access::new(Kind::Load, page, 8)).unwrap();
        }
        let trace = builder.finish(Completeness::Complete).unwrap();
        let setup = HugeSetup::from(&parse_json::<MachineConfig>(ONE_ENTRY).unwrap());
        let advice = advise(&trace, &setup, HugeOptions::default()).unwrap();
        let ways = advice.remedies.iter();
        ways.map(|way| (way.by, way.huge_pages)).collect::<Vec<_>>()
    };
    let [one, other] = [(Madvise, 1); 2];
    let malloc = |n| [(GlibcTunables, n), (MallocConf, n), (Hugetlbfs, n)];
    assert_eq!(reached(0), [&[one, other][..], &malloc(2)].concat());
    assert_eq!(reached(3), [&[one, other][..], &malloc(1)].concat());
}

/// Without a price, saved walks decide. A sampled trace has no time.
#[test]
fn the_verdict_depends_on_the_prices_and_needs_all_accesses() {
    let free = Between::new(0.0, 0.0);
    let prices = Prices { small_us: free, huge_us: free, ghz: 1.0, are_given: true };
    let options = HugeOptions { prices, ..HugeOptions::default() };
    let setup = HugeSetup::from(&parse_json::<MachineConfig>(ONE_ENTRY).unwrap());
    let decide = |options, completeness| {
        let advice = advise(&rounds(completeness), &setup, options).unwrap();
        advice.verdict.map(|verdict| verdict.decision)
    };
    assert_eq!(decide(options, Completeness::Complete), Some(Decision::Worth));
    let dear = Prices { are_given: true, ..Prices::default() };
    let dear = HugeOptions { prices: dear, ..options };
    assert_eq!(decide(dear, Completeness::Complete), Some(Decision::NotWorth));
    let none = HugeOptions { most: 0, ..options };
    assert_eq!(decide(none, Completeness::Complete), Some(Decision::NotWorth));
    assert_eq!(decide(options, Completeness::Sampled), None);
}

/// A part of the accesses has no share of the run's time, and may lack the first touches.
#[test]
fn a_part_of_a_trace_gets_the_reason_instead_of_a_verdict() {
    let setup = HugeSetup::from(&parse_json::<MachineConfig>(ONE_ENTRY).unwrap());
    let reason = |completeness, part, window| {
        let mut trace = rounds(completeness);
        trace.part = part;
        let setup = HugeSetup { window, ..setup.clone() };
        let advice = advise(&trace, &setup, HugeOptions::default()).unwrap();
        assert_eq!(advice.verdict.is_none(), advice.no_verdict.is_some());
        assert_eq!(advice.remedies.is_empty(), advice.no_verdict.is_some());
        advice.no_verdict.unwrap_or_default()
    };
    let all = Window::default();
    let windows = [
        Window { skip: 1, ..all },
        Window { warmup: 1, ..all },
        Window { limit: Some(199), ..all },
    ];
    let part = "No verdict: this is only a part of the accesses, and a verdict needs them all, with every first touch.";
    assert_eq!(reason(Completeness::Complete, false, all), "");
    assert_eq!(reason(Completeness::Complete, false, Window { limit: Some(10_000), ..all }), "");
    assert_eq!(reason(Completeness::Complete, true, all), part);
    for window in windows {
        assert_eq!(reason(Completeness::Complete, false, window), part);
    }
    assert_eq!(
        reason(Completeness::Sampled, true, all),
        "No verdict: the trace has a selection of the accesses, and a verdict needs them all."
    );
}

/// The verdict of one round of [`rounds`] at 1 GHz, if a first touch of 2M costs this, and others nothing.
fn verdict_at(huge_us: Between) -> HugeVerdict {
    let small_us = Between::new(0.0, 0.0);
    let prices = Prices { small_us, huge_us, ghz: 1.0, are_given: true };
    let options = HugeOptions { prices, ..HugeOptions::default() };
    let setup = HugeSetup::from(&parse_json::<MachineConfig>(ONE_ENTRY).unwrap());
    advise(&rounds(Completeness::Complete), &setup, options).unwrap().verdict.unwrap()
}

/// On paper: of 78,800 saved cycles, first touches have 2,000, because five walks of 800 become one of 800 and two of 600.
/// So each repetition saves 76,800 ns. Two huge pages at 390 µs cost 780,000 ns: ten repetitions save 770,000 with the
/// first touches, and eleven save 846,800. At 38 µs, the first run saves more.
#[test]
fn repetitions_do_not_save_the_walks_of_first_touches_again() {
    let at = |us: f64| {
        let verdict = verdict_at(Between::new(us, us));
        (verdict.decision, verdict.repeats)
    };
    assert_eq!(at(390.0), (Decision::IfRepeated, Some(11)));
    assert_eq!(at(384.0), (Decision::IfRepeated, Some(10)));
    assert_eq!(at(40.0), (Decision::IfRepeated, Some(2)));
    assert_eq!(at(38.0), (Decision::Worth, None));
    assert_eq!(at(3_840.0), (Decision::IfRepeated, Some(100)));
    assert_eq!(at(3_842.0), (Decision::NotWorth, None));
    let verdict = verdict_at(Between::new(390.0, 390.0));
    assert_eq!(verdict.bases.iter().map(|base| base.first_walks).collect::<Vec<_>>(), [5]);
    // (78,800 - 780,000) of 80,900 and of 101,100 ns.
    assert!((verdict.net.low + 701_200.0 / 80_900.0).abs() < 1e-9, "{:?}", verdict.net);
    assert!((verdict.net.high + 701_200.0 / 101_100.0).abs() < 1e-9, "{:?}", verdict.net);
}

/// On paper: a run saves 78,800 cycles at 3 GHz, which are 13.1 µs for each of two huge pages.
#[test]
fn prices_of_another_machine_decide_nothing() {
    let setup = HugeSetup::from(&parse_json::<MachineConfig>(ONE_ENTRY).unwrap());
    let trace = rounds(Completeness::Complete);
    let verdict = |prices| {
        let options = HugeOptions { prices, ..HugeOptions::default() };
        advise(&trace, &setup, options).unwrap().verdict.unwrap()
    };
    for factor in [0.0, 1.0, 100.0] {
        let Between { low, high } = Prices::default().huge_us;
        let huge_us = Between::new(low * factor, high * factor);
        let of = verdict(Prices { huge_us, ..Prices::default() });
        assert_eq!(of.decision, Decision::Undecided);
        let us = of.saved_us_each.unwrap();
        assert!(
            (us.low - 78.8 / 3.0 / 2.0).abs() < 1e-9 && (us.low - us.high).abs() < 1e-9,
            "{us:?}"
        );
        assert!(
            of.text.starts_with("2 pages of 2M save 78 to 97 % of this run's time,"),
            "{}",
            of.text
        );
    }
    // The break-even price: 13.13 µs more than two first touches of 4K, each 3 µs.
    let small_us = Between::new(3.0, 3.0);
    let at = |us: f64| {
        let huge_us = Between::new(us, us);
        verdict(Prices { small_us, huge_us, ghz: 3.0, are_given: true }).decision
    };
    assert_eq!(at(19.1), Decision::Worth);
    assert_ne!(at(19.2), Decision::Worth);
}

/// The answer comes first, as a sentence, and says what to measure if nothing decides.
#[test]
fn each_decision_has_its_sentence() {
    let mut text = String::new();
    for (low, high) in
        [(0.0, 1.0), (20.0, 60.0), (390.0, 390.0), (390.0, 9_000.0), (5_000.0, 9_000.0)]
    {
        text += &format!("{low} to {high}: {}\n", verdict_at(Between::new(low, high)).text);
    }
    expect![[r"
        0 to 1: For this run: yes. 2 pages of 2M save 78 to 97 % of the time, and pay for their first touches. Without huge pages, 80 to 99.8 % of the time is translation. There are 101 walks, 5 of them at first touches. The saved translation is 0.079 ms, and first touches take 0 to 0.002 ms more.
        20 to 60: For this run: undecided. 2 pages of 2M save 78 to 97 % of the time; after their first touches, -51 to 48 % are left. For a program that runs this phase 2 times or more: yes. Without huge pages, 80 to 99.8 % of the time is translation. There are 101 walks, 5 of them at first touches. The saved translation is 0.079 ms, and first touches take 0.040 to 0.12 ms more.
        390 to 390: For this run: no. 2 pages of 2M save 78 to 97 % of the time, but their first touches cost more. For a program that runs this phase 11 times or more: yes. Without huge pages, 80 to 99.8 % of the time is translation. There are 101 walks, 5 of them at first touches. The saved translation is 0.079 ms, and first touches take 0.78 ms more.
        390 to 9000: For this run: no. 2 pages of 2M save 78 to 97 % of the time, but their first touches cost more. For a program that repeats this phase: undecided. Without huge pages, 80 to 99.8 % of the time is translation. There are 101 walks, 5 of them at first touches. The saved translation is 0.079 ms, and first touches take 0.78 to 18 ms more. To decide: measure yours with the command in docs/command-line.md, and give --first-touch.
        5000 to 9000: Not worth it: 2 pages of 2M save 78 to 97 % of the time, but their first touches cost more, even if a program runs this phase 100 times. Without huge pages, 80 to 99.8 % of the time is translation. There are 101 walks, 5 of them at first touches. The saved translation is 0.079 ms, and first touches take 10 to 18 ms more.
    "]]
    .assert_eq(&text);
}

/// With frames in order, an entry of this machine has four pages. Which order the kernel chose is not known.
#[test]
fn a_machine_that_joins_pages_is_simulated_with_both_orders_of_frames() {
    let machine = cpu::model("amd-zen4").unwrap().machine;
    // Three rounds over 8,000 pages: 2,000 entries if their frames lie together, and too many for level 2 if not.
    let rounds: Vec<Access> = (0..24_000).map(|at| crate::common::page(at % 8_000)).collect();
    let trace = crate::common::trace(&rounds);
    let setup = HugeSetup::from(&machine);
    let options = HugeOptions::default();
    let verdict = |frames| {
        let mut setup = setup.clone();
        setup.os.frames = frames;
        (advise(&trace, &setup, options).unwrap().verdict.unwrap(), setup)
    };
    let (both, _) = verdict(Frames::Sequential);
    let orders = [Frames::Sequential, Frames::Shuffled];
    assert_eq!(both.bases.iter().map(|base| base.frames).collect::<Vec<_>>(), orders);
    for base in &both.bases {
        let (_, of) = verdict(base.frames);
        let report = run(&of, options, &[], &trace);
        assert_eq!(
            (base.walks, base.first_walks),
            (report.walks.walks, report.faults.minor),
            "{:?}",
            base.frames
        );
    }
    assert_eq!(both.bases[1].walks, 24_000);
    assert!(both.bases[0].walks < 9_000, "{:?}", both.bases);
    let (scattered, _) = verdict(Frames::Shuffled);
    assert_eq!(scattered.bases, [both.bases[1]]);
    let is_in = |inner: Between, outer: Between| outer.low <= inner.low && inner.high <= outer.high;
    assert!(is_in(scattered.translation, both.translation));
    assert!(both.saving.ms.low < scattered.saving.ms.low);
    let (recorded, _) = verdict(Frames::Recorded);
    assert_eq!(recorded.bases.len(), 1);
    let plain = HugeSetup::from(&cpu::model("intel-skylake").unwrap().machine);
    let verdict = advise(&trace, &plain, options).unwrap().verdict.unwrap();
    assert_eq!(verdict.bases.len(), 1);
}

/// On paper: 80,800 cycles of walks are the measured share, and 78,800 of them are saved. The counted run takes 3,000,000
/// cycles, which are 1 ms.
#[test]
fn a_measured_share_replaces_the_models_of_time() {
    let walks = MeasuredWalks { share: Between::new(0.1, 0.2), cycles: 3e6 };
    let measured = Some(walks);
    let options = HugeOptions { measured, ..HugeOptions::default() };
    let setup = HugeSetup::from(&parse_json::<MachineConfig>(ONE_ENTRY).unwrap());
    let advice = advise(&rounds(Completeness::Complete), &setup, options).unwrap();
    let verdict = advice.verdict.unwrap();
    assert_eq!(verdict.translation, walks.share);
    let Between { low, high } = verdict.saving.share;
    assert!((low - 0.1 * 78_800.0 / 80_800.0).abs() < 1e-9, "{low}");
    assert!((high - 0.2 * 78_800.0 / 80_800.0).abs() < 1e-9, "{high}");
    let Between { low, high } = verdict.saving.ms;
    assert!((low - 0.1 * 78_800.0 / 80_800.0).abs() < 1e-9, "{low}");
    assert!((high - 0.2 * 78_800.0 / 80_800.0).abs() < 1e-9, "{high}");
    let words = "walks take 10 to 20 % of the time, as counted.";
    assert!(verdict.text.contains(words), "{}", verdict.text);
}

/// Lookups of level 2 take 50 cycles here, before each walk. Counters of walks do not have them.
#[test]
fn no_more_than_the_counted_walks_is_saved() {
    let l2 =
        r#""l2": [{"name": "s", "serves": ["load", "store"], "pages": ["4K"], "entries": 1}],"#;
    let config =
        ONE_ENTRY.replace(r#""l2_hit": 0"#, r#""l2_hit": 50"#).replacen('{', &format!("{{{l2}"), 1);
    let setup = HugeSetup::from(&parse_json::<MachineConfig>(&config).unwrap());
    let share = Between::new(0.1, 0.2);
    let measured = Some(MeasuredWalks { share, cycles: 3e6 });
    let options = HugeOptions { measured, ..HugeOptions::default() };
    let advice = advise(&rounds(Completeness::Complete), &setup, options).unwrap();
    assert!(advice.points[0].l2_miss_cycles > 0);
    let verdict = advice.verdict.unwrap();
    assert!(verdict.saving.share.high <= share.high, "{:?}", verdict.saving);
    // A run of 1 ms: the same numbers as shares of 1.
    assert!((verdict.saving.ms.high - verdict.saving.share.high).abs() < 1e-12);
}

/// On paper: two first touches cost 4 ms. Repetitions save 76.8 µs each with one walk after the other, and pay after 53; with
/// four walkers they save a quarter, and pay only after 209. So only the time is open.
#[test]
fn the_verdict_names_the_counters_of_the_processor() {
    let config = ONE_ENTRY.replacen('{', r#"{"walkers": 4, "#, 1);
    let setup = HugeSetup::from(&parse_json::<MachineConfig>(&config).unwrap());
    let last = |walk_counters| {
        let [small_us, huge_us] = [0.0, 2_000.0].map(|us| Between::new(us, us));
        let prices = Prices { small_us, huge_us, ghz: 1.0, are_given: true };
        let options = HugeOptions { prices, walk_counters, ..HugeOptions::default() };
        let trace = rounds(Completeness::Complete);
        let verdict = advise(&trace, &setup, options).unwrap().verdict.unwrap();
        assert_eq!(verdict.decision, Decision::Undecided, "{}", verdict.text);
        verdict.text.split_once("first touches take 4.0 ms more. ").unwrap().1.to_owned()
    };
    let all = [WalkCounters::Unknown, WalkCounters::Events("cycles,walks"), WalkCounters::Missing];
    expect![[r"
        To decide: measure walk cycles with perf stat, and give --counters.
        To decide: count walks with `perf stat -o stat.txt -e cycles,walks ./program`, and give --counters stat.txt.
        This processor does not count walk cycles. Compare two measurements: `perf stat -r 5 ./program`, and the same command after `GLIBC_TUNABLES=glibc.malloc.hugetlb=1`, which makes the memory of malloc huge.
    "]].assert_eq(&(all.map(last).join("\n") + "\n"));
}

/// The program's link does not align the code of a library.
#[test]
fn the_linker_reaches_only_the_code_of_the_program() {
    let ways = |name: &str| {
        let mut builder = TraceBuilder::default();
        for (start, name) in [(0x40_0000, "/bin/join"), (0x60_0000, name)] {
            let range = start..start + 0x20_0000;
            builder.map(Mapping::new(0, range, 0, true, name).unwrap()).unwrap();
        }
        for n in 0..100 {
            let page = [0x40_0000, 0x40_1000, 0x60_0000, 0x60_1000][n % 4];
            builder.push(&Access::new(Kind::Load, page, 8)).unwrap();
        }
        let trace = builder.finish(Completeness::Complete).unwrap();
        let setup = HugeSetup::from(&parse_json::<MachineConfig>(ONE_ENTRY).unwrap());
        let advice = advise(&trace, &setup, HugeOptions::default()).unwrap();
        let ways: Vec<_> = advice.remedies.iter().map(|way| (way.by, way.huge_pages)).collect();
        (ways, advice.unreached)
    };
    assert_eq!(ways("/bin/other"), (vec![(RemedyKind::LinkerAlignment, 2)], None));
    let (of_program, unreached) = ways("/lib/libc.so.6");
    assert_eq!(of_program, [(RemedyKind::LinkerAlignment, 1)]);
    assert_eq!(
        unreached.unwrap(),
        "1 huge page holds code of libraries (libc.so.6). Linking the program again does not reach them: a library must be linked with the alignment itself."
    );
}

/// The points of the curve have few and all huge pages. The row with nearly all walks has one less than all.
#[test]
fn the_verdict_has_a_whole_row_if_that_saves_enough() {
    let config = ONE_ENTRY.replace(r#"["2M"], "entries": 2"#, r#"["2M"], "entries": 8"#);
    let setup = HugeSetup::from(&parse_json::<MachineConfig>(&config).unwrap());
    let mut builder = TraceBuilder::default();
    let list = 0x4000_0000;
    for (range, name) in [(0x60_0000..0x120_0000, "[heap]"), (list..list + 0x20_0000, "/tmp/list")]
    {
        builder.map(Mapping::new(0, range, 0, false, name).unwrap()).unwrap();
    }
    builder.push(&Access::new(Kind::Load, list, 8)).unwrap();
    for n in 0..1_200 {
        let page = 0x60_0000 + n % 6 * 0x20_0000 + n / 6 % 2 * 0x1000;
        builder.push(&Access::new(Kind::Load, page, 8)).unwrap();
    }
    let trace = builder.finish(Completeness::Complete).unwrap();
    let options = HugeOptions { budget: 0, ..HugeOptions::default() };
    let advice = advise(&trace, &setup, options).unwrap();
    let points: Vec<u32> = advice.points.iter().map(|point| point.huge_pages).collect();
    assert_eq!(points.last(), Some(&7));
    assert!(!points.contains(&6), "{points:?}");
    let verdict = advice.verdict.unwrap();
    assert_eq!((advice.rows[0].huge_pages, verdict.huge_pages), (6, 6));
    assert_eq!(Some(verdict.saving), advice.rows[0].alone);
    assert_eq!(verdict.bases[0].first_walks, 13);
}

/// A trace without fetches has no instructions to count, so each access counts as one.
#[test]
fn the_verdict_says_what_counts_as_a_cycle() {
    let setup = HugeSetup::from(&parse_json::<MachineConfig>(ONE_ENTRY).unwrap());
    let first = |trace: &Trace| {
        let verdict = advise(trace, &setup, HugeOptions::default()).unwrap().verdict.unwrap();
        (verdict.instructions, verdict.assumed[0].clone())
    };
    let loads: Vec<Access> = (0..30).map(crate::common::page).collect();
    let [all, none] = [rounds(Completeness::Complete), crate::common::trace(&loads)];
    let rest = "and the program waits for every translation.";
    assert_eq!(first(&all), (100, format!("At most: 1 cycle for each instruction, {rest}")));
    let no = "access, because the trace has no instructions";
    assert_eq!(first(&none), (30, format!("At most: 1 cycle for each {no}, {rest}")));
}

/// Four pages fit into the entries for 4K, and two huge pages take turns in the only entry for 2M.
#[test]
fn ways_that_save_nothing_are_no_advice() {
    let config = ONE_ENTRY
        .replace(r#"["4K"], "entries": 1"#, r#"["4K"], "entries": 4"#)
        .replace(r#"["2M"], "entries": 2"#, r#"["2M"], "entries": 1"#);
    let setup = HugeSetup::from(&parse_json::<MachineConfig>(&config).unwrap());
    let prices = Prices { are_given: true, ..Prices::default() };
    let options = HugeOptions { prices, ..HugeOptions::default() };
    let of = |trace: &Trace| advise(trace, &setup, options).unwrap();
    let HugeAdvice { remedies, useless_ways, verdict, rows, .. } =
        of(&rounds(Completeness::Complete));
    let by: Vec<RemedyKind> = remedies.iter().map(|way| way.by).collect();
    assert_eq!(by, [RemedyKind::LinkerAlignment]);
    assert!(rows.iter().any(|row| row.alone.is_some_and(|saving| saving.cycles < 0)));
    assert_eq!(
        useless_ways.unwrap(),
        "These ways would save nothing: madvise ([heap]), GLIBC_TUNABLES (all memory of malloc), MALLOC_CONF (all memory of malloc, in programs with jemalloc), hugetlbfs (all memory of malloc)."
    );
    assert_eq!(verdict.unwrap().decision, Decision::NotWorth);
}
