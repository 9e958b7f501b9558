//! Tests of comparisons of counters with a run.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use pagewalk_measured::counters::{Context, Family, Measured, Simulated, measured};
use pagewalk_sources::perf_stat::read;

use super::support::fixture;

/// Returns a run of 1,000,000 instructions with 300,000 loads and 100,000 stores.
fn run(completeness: &str) -> Simulated {
    run_of(&format!("\"{completeness}\""))
}

/// Returns such a run. `completeness` is JSON, and may add fields to the trace.
fn run_of(completeness: &str) -> Simulated {
    let json = r#"{
        "trace": {"accesses": 1400000, "fetch": 1000000, "load": 300000, "store": 100000, "completeness": COMPLETENESS},
        "kinds": {
            "fetch": {"translations": 1000000, "l1_hits": 997900, "l2_hits": 2000, "walks": 100},
            "load": {"translations": 300000, "l1_hits": 288000, "l2_hits": 9000, "walks": 3000},
            "store": {"translations": 100000, "l1_hits": 96000, "l2_hits": 3000, "walks": 1000}
        },
        "walks": {"walks": 4100, "refs": 5000},
        "faults": {"minor": 500, "major": 2},
        "cycles": {"l2_hit": 1, "walk": 82000, "total": 2}
    }"#;
    serde_json::from_str(&json.replace("COMPLETENESS", completeness)).unwrap()
}

fn context(model: Option<&str>) -> Context<'_> {
    Context { model, simulated: Some(run("complete")), ..Context::default() }
}

fn show(measured: &Measured) -> String {
    let mut text = String::new();
    for counter in &measured.counters {
        let Some(beside) = &counter.beside else { continue };
        write!(text, "{}: {}", counter.name.full, beside.simulated).unwrap();
        if let (Some(base), Some(measured), Some(simulated)) =
            (&beside.base, beside.measured_per, beside.simulated_per)
        {
            write!(text, "; for each {base}: {measured:.4} and {simulated:.4}").unwrap();
        }
        if let Some(ratio) = beside.ratio {
            write!(text, ", ×{ratio:.4}").unwrap();
        }
        text.push('\n');
    }
    for share in &measured.shares {
        write!(text, "{} {}: ", share.what, share.of).unwrap();
        if share.is_upper_bound {
            text.push_str("at most ");
        }
        if share.is_estimate {
            text.push_str("about ");
        }
        write!(text, "{:.6}", share.measured).unwrap();
        if let Some(simulated) = share.simulated {
            write!(text, " and {simulated:.6}").unwrap();
        }
        writeln!(text, " of {}", share.events.join(", ")).unwrap();
        if let Some(note) = &share.note {
            writeln!(text, "  {note}").unwrap();
        }
    }
    for note in &measured.notes {
        writeln!(text, "! {note}").unwrap();
    }
    text
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "reads better at the many places that call it")]
fn check(text: &str, context: Context<'_>, expected: Expect) {
    expected.assert_eq(&show(&measured(&read(text).unwrap(), context)));
}

#[test]
fn counts_are_divided_by_instructions_where_both_sides_have_them() {
    check(
        "  2,000,000  instructions:u\n  500,000 dTLB-loads:u\n  8,000 dTLB-load-misses:u\n  4,000 dtlb_load_misses.stlb_hit:u\n  900 page-faults:u\n",
        context(Some("intel-skylake")),
        expect![[r"
            instructions:u: 1000000
            dTLB-loads:u: 300000; for each 1,000 instructions: 250.0000 and 300.0000, ×0.8333
            dTLB-load-misses:u: 3000; for each 1,000 instructions: 4.0000 and 3.0000, ×1.3333
            dtlb_load_misses.stlb_hit:u: 9000; for each 1,000 instructions: 2.0000 and 9.0000, ×0.2222
            page-faults:u: 502
            Page walks per load user mode: 0.016000 and 0.010000 of dTLB-load-misses:u, dTLB-loads:u
            Level-2 misses of the level-1 misses, loads user mode: 0.666667 and 0.250000 of dTLB-load-misses:u, dtlb_load_misses.stlb_hit:u
            ! Processors also walk for speculative and prefetched accesses, which are in no trace: expect a ratio somewhat above 1
        "]],
    );
}

#[test]
fn without_instructions_counts_are_divided_by_accesses_of_the_kind() {
    check(
        "  500,000 dTLB-loads\n  8,000 dTLB-load-misses\n  7 dTLB-store-misses\n",
        context(Some("intel-skylake")),
        expect![[r"
            dTLB-loads: 300000
            dTLB-load-misses: 3000; for each 1,000 loads: 16.0000 and 10.0000, ×1.6000
            dTLB-store-misses: 1000
            Page walks per load : 0.016000 and 0.010000 of dTLB-load-misses, dTLB-loads
            ! Some counts have no base that both sides have counted: also measure instructions to compare rates
            ! Events without :u also count the kernel, which is not in traces of valgrind, Pin, DynamoRIO and QEMU: measure with :u to compare with such a trace
            ! Processors also walk for speculative and prefetched accesses, which are in no trace: expect a ratio somewhat above 1
        "]],
    );
    check(
        "  800,000 l1d_tlb\n  20,000 l1d_tlb_refill\n  4,000 dtlb_walk\n  80 itlb_walk\n",
        context(Some("arm-neoverse-n1")),
        expect![[r"
            l1d_tlb: 400000
            l1d_tlb_refill: 16000; for each 1,000 lookups: 25.0000 and 40.0000, ×0.6250
            dtlb_walk: 4000; for each 1,000 lookups: 5.0000 and 10.0000, ×0.5000
            itlb_walk: 100
            Level-1 misses per lookup, loads and stores : 0.025000 and 0.040000 of l1d_tlb_refill, l1d_tlb
            Level-2 misses of the level-1 misses, loads and stores : 0.200000 and 0.250000 of dtlb_walk, l1d_tlb_refill
            ! Some counts have no base that both sides have counted: also measure instructions to compare rates
            ! Events without :u also count the kernel, which is not in traces of valgrind, Pin, DynamoRIO and QEMU: measure with :u to compare with such a trace
            ! Processors also walk for speculative and prefetched accesses, which are in no trace: expect a ratio somewhat above 1
        "]],
    );
}

#[test]
fn walks_per_load_of_intel_and_misses_per_miss_of_amd_are_different_shares() {
    let text = fixture("amd-zen.txt");
    for family in [Family::IntelSkylake, Family::AmdZen] {
        let stat = read(&text).unwrap();
        let measured = measured(&stat, Context { asked: Some(family), ..Context::default() });
        let first = measured.shares.first().unwrap();
        let expected = if family == Family::AmdZen {
            "Level-2 misses of the level-1 misses, loads and stores"
        } else {
            "Page walks per load"
        };
        assert_eq!(first.what, expected);
    }
}

#[test]
fn walk_cycles_are_an_upper_bound_of_the_time() {
    check(
        &fixture("intel-kbl-page-walks.txt"),
        Context::default(),
        expect![[r"
        Walk cycles of all cycles : at most about 0.092250 of dtlb_load_misses.walk_pending, dtlb_store_misses.walk_pending, itlb_misses.walk_pending, cycles
          at most: walks overlap with one another and with other work
        ! 7 of 11 counters shared the processor's hardware counters: perf extrapolated their values from the part of the time shown, so they are estimates. Measure fewer events at once for exact values
    "]],
    );
    check(
        &fixture("walk-active-stores.txt"),
        context(None),
        expect![[r"
        dtlb_load_misses.miss_causes_a_walk: 3000
        dtlb_store_misses.miss_causes_a_walk: 1000
        Cycles per page walk, loads : about 105.975749 and 20.000000 of dtlb_load_misses.walk_active, dtlb_load_misses.miss_causes_a_walk
          the simulated ones are the model's, over the walks of all kinds
        Cycles per page walk, stores : about 31.784220 and 20.000000 of dtlb_store_misses.walk_active, dtlb_store_misses.miss_causes_a_walk
          the simulated ones are the model's, over the walks of all kinds
        Walk cycles of all cycles : at most about 0.030768 of dtlb_load_misses.walk_active, dtlb_store_misses.walk_active, cpu_clk_unhalted.thread_any
          at most: walks overlap with one another and with other work; the walks of fetches were not measured
        ! 5 of 5 counters shared the processor's hardware counters: perf extrapolated their values from the part of the time shown, so they are estimates. Measure fewer events at once for exact values
        ! Some counts have no base that both sides have counted: also measure instructions to compare rates
        ! Events without :u also count the kernel, which is not in traces of valgrind, Pin, DynamoRIO and QEMU: measure with :u to compare with such a trace
        ! Processors also walk for speculative and prefetched accesses, which are in no trace: expect a ratio somewhat above 1
    "]],
    );
}

#[test]
fn cores_of_a_hybrid_are_not_added_and_only_its_own_kind_is_compared() {
    check(
        &fixture("intel-hybrid.txt"),
        context(Some("intel-gracemont")),
        expect![[r"
        cpu_core/dTLB-loads/: 300000
        cpu_atom/dTLB-loads/: 300000
        cpu_core/dTLB-load-misses/: 3000; for each 1,000 loads: 11.4771 and 10.0000
        cpu_atom/dTLB-load-misses/: 3000; for each 1,000 loads: 11.5430 and 10.0000, ×1.1543
        cpu_core/iTLB-load-misses/: 100
        cpu_atom/iTLB-load-misses/: 2100
        Page walks per load cpu_core: about 0.011477 of cpu_core/dTLB-load-misses/, cpu_core/dTLB-loads/
        Page walks per load cpu_atom: about 0.011543 and 0.010000 of cpu_atom/dTLB-load-misses/, cpu_atom/dTLB-loads/
        ! 6 of 8 counters shared the processor's hardware counters: perf extrapolated their values from the part of the time shown, so they are estimates. Measure fewer events at once for exact values
        ! cpu_core/iTLB-loads/ and cpu_atom/iTLB-loads/ are not supported there: the processor, its kernel or the virtual machine does not have them
        ! cpu_core and cpu_atom are different kinds of core: perf extrapolates each counter as if the program had run on that kind alone, so do not add them up
        ! Some counts have no base that both sides have counted: also measure instructions to compare rates
        ! Events without :u also count the kernel, which is not in traces of valgrind, Pin, DynamoRIO and QEMU: measure with :u to compare with such a trace
        ! Processors also walk for speculative and prefetched accesses, which are in no trace: expect a ratio somewhat above 1
    "]],
    );
}

#[test]
fn the_kernel_alone_is_not_compared() {
    check(
        "  2,000,000  instructions:k\n  8,000 dTLB-load-misses:k\n",
        context(Some("intel-skylake")),
        expect![[r"
            instructions:k: 1000000
            dTLB-load-misses:k: 3000; for each 1,000 instructions: 4.0000 and 3.0000
            ! Processors also walk for speculative and prefetched accesses, which are in no trace: expect a ratio somewhat above 1
        "]],
    );
}

#[test]
fn a_part_of_the_accesses_is_not_compared() {
    let context = Context { simulated: Some(run("sampled")), ..context(Some("intel-skylake")) };
    check(
        "  500,000 dTLB-loads\n  8,000 dTLB-load-misses\n",
        context,
        expect![[r"
            Page walks per load : 0.016000 of dTLB-load-misses, dTLB-loads
            ! The trace holds only a part of the program's accesses, so the simulation is not compared with the measurement
        "]],
    );
}

#[test]
fn a_part_of_the_file_is_compared_by_its_rates_alone() {
    let part = run_of(r#""complete", "part": true"#);
    check(
        "  2,000,000  instructions:u\n  8,000 dTLB-load-misses:u\n  500,000 dTLB-loads:u\n  900 page-faults:u\n",
        Context { model: Some("intel-skylake"), simulated: Some(part), ..Context::default() },
        expect![[r"
            dTLB-load-misses:u: 3000; for each 1,000 instructions: 4.0000 and 3.0000, ×1.3333
            dTLB-loads:u: 300000; for each 1,000 instructions: 250.0000 and 300.0000, ×0.8333
            Page walks per load user mode: 0.016000 and 0.010000 of dTLB-load-misses:u, dTLB-loads:u
            ! The run simulates a part of the trace's file, but the measurement is of the whole program. Rates are compared, and differ if the program changes its behaviour; counts are not compared
            ! Processors also walk for speculative and prefetched accesses, which are in no trace: expect a ratio somewhat above 1
        "]],
    );
}

#[test]
fn the_run_is_another_vendor_s() {
    check(
        "  8,000 dtlb_load_misses.walk_completed\n  9 instructions\n",
        context(Some("amd-zen4")),
        expect![[r"
        dtlb_load_misses.walk_completed: 3000; for each 1,000 instructions: 888888.8889 and 3.0000, ×296296.2963
        instructions: 1000000
        ! The events are those of Intel, Skylake to Ice Lake, but the simulated machine is from another vendor
        ! Events without :u also count the kernel, which is not in traces of valgrind, Pin, DynamoRIO and QEMU: measure with :u to compare with such a trace
        ! Processors also walk for speculative and prefetched accesses, which are in no trace: expect a ratio somewhat above 1
    "]],
    );
}

#[test]
fn intervals_and_parts_are_added_and_groups_are_not() {
    let text = "1.000000000,7,,cycles,5,100.00,,\n1.000000000,3,,walks,5,50.00,,\n1.000000000,8,,cycles,5,100.00,,\n2.000000000,10,,cycles,5,90.00,,\n2.000000000,<not counted>,,walks,0,0.00,,\n2.000000000,20,,cycles,5,100.00,,\n";
    let all = measured(&read(text).unwrap(), Context::default());
    let row = |counter: &pagewalk_measured::counters::CounterView| {
        (
            counter.name.full.clone(),
            counter.value,
            counter.running,
            counter.counters,
            counter.missing,
        )
    };
    assert_eq!(
        all.counters.iter().map(row).collect::<Vec<_>>(),
        [
            ("cycles".to_owned(), Some(17.0), Some(90.0), 2, 0),
            ("walks".to_owned(), Some(3.0), Some(50.0), 2, 1),
            ("cycles".to_owned(), Some(28.0), Some(100.0), 2, 0),
        ]
    );
    assert_eq!(all.intervals, 2);
    let parts = "S0-D0-C0,1,7,,cycles,5,100.00,,\nS0-D0-C1,1,8,,cycles,5,100.00,,\n";
    let all = measured(&read(parts).unwrap(), Context::default());
    assert_eq!(all.counters.iter().map(row).map(|row| row.1).collect::<Vec<_>>(), [Some(15.0)]);
    // Sums that perf prints after the intervals are not added to the intervals.
    let text = "     1.000831480    7      cycles\n     2.000831480    8      cycles\n\n Performance counter stats for 'ls':\n\n    15      cycles\n";
    let all = measured(&read(text).unwrap(), Context::default());
    assert_eq!(all.counters.iter().map(row).map(|row| row.1).collect::<Vec<_>>(), [Some(15.0)]);
}

#[test]
fn too_many_events_are_left_out_and_reported() {
    let rows: Vec<String> = (0..5000).map(|n| format!("{n},,event{n},5,100.00,,\n")).collect();
    let text = rows.concat();
    let all = measured(&read(&text).unwrap(), Context::default());
    assert_eq!(all.counters.len(), 4096);
    assert!(all.notes[0].starts_with("904 counters beyond the first 4096"), "{:?}", all.notes);
}
